// `kind: identification` files: coefficients written `$name` in impact problems, and the velocities
// measured after these collisions. The document stays in memory and every prediction reads its
// problems again with other values for the names, so that any coefficient can be unknown.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "scene/impact_file.h"
#include "scene/scene_file.h"

typedef struct measurement {
  int body, component;
} measurement;

typedef struct experiment {
  pc_node problem;
  int first, count; // its measurements
} experiment;

struct pc_identification_file {
  pc_document *document;
  int unknowns;
  pc_unknown unknown[PC_MAX_UNKNOWNS];
  const char *names[PC_MAX_UNKNOWNS];
  bool used[PC_MAX_UNKNOWNS];
  experiment *experiments;
  int experiment_count;
  PC_ARRAY(measurement) measurements;
  PC_ARRAY(double) measured; // in their order
  double change;             // sum of (measured - before)^2
};
typedef struct pc_identification_file identification_file;

static const pc_key unknown_keys[] = {
    {PC_KEY(pc_unknown, start), PC_A_NUMBER, true, PC_POSITIVE, .meaning = "initial guess"},
    {PC_KEY(pc_unknown, low), PC_A_NUMBER, PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "lower bound"},
    {PC_KEY(pc_unknown, high), PC_A_NUMBER, .range = {.kind = PC_ABOVE, .infinite = true},
     .otherwise = "inf", .meaning = "upper bound, above `low`"},
    {0}};
static const pc_mapping unknown_table = {"unknown", "an unknown", "A coefficient to identify.",
                                         .keys = {unknown_keys}};

static void read_unknowns(pc_node node, identification_file *file)
{
  int count = pc_read_pairs(node, "'unknowns'");
  if (!pc_failed(node) && (count < 1 || count > PC_MAX_UNKNOWNS))
    pc_complain(node, "expected 1 to %d unknowns, got %d", PC_MAX_UNKNOWNS, count);
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_node key = pc_pair_key(node, i), value = pc_pair_value(node, i);
    pc_unknown *unknown = &file->unknown[i];
    unknown->name = file->names[i] = pc_read_name(key);
    for (int k = 0; k < i; k++)
      if (strcmp(file->names[k], file->names[i]) == 0)
        pc_complain(key, "two unknowns are named '%s'; names must be unique",
                    pc_node_text(key).text);
    if (!pc_bind(&value, &unknown_table, unknown))
      return;
    pc_node high = PC_NODE(value, pc_unknown, high);
    if (pc_is_present(high))
      pc_read_number_in(high, (pc_limits){.kind = PC_ABOVE, .low = unknown->low, .infinite = true});
    if (!pc_failed(value) && (unknown->start < unknown->low || unknown->start > unknown->high))
      pc_complain(PC_NODE(value, pc_unknown, start),
                  "'start' %g of '%s' must be between 'low' %g and 'high' %g", unknown->start,
                  pc_node_text(key).text, unknown->low, unknown->high);
    file->unknowns = i + 1;
  }
}

static void add_measurement(pc_node node, identification_file *file, int body, int component,
                            double before)
{
  double value = pc_read_number(node);
  measurement *added = pc_array_add(&file->measurements);
  double *measured = pc_array_add(&file->measured);
  if (added == NULL || measured == NULL) {
    pc_complain(node, "out of memory");
    return;
  }
  *added = (measurement){body, component};
  *measured = value;
  file->change += (value - before) * (value - before);
}

static void read_after(pc_node node, const pc_scene_impact *scene, identification_file *file)
{
  int count = pc_read_pairs(node, "'after'");
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_node key = pc_pair_key(node, i), value = pc_pair_value(node, i);
    const char *id = pc_read_name(key);
    int body = 0;
    while (body < scene->bodies && strcmp(scene->body_ids[body], id) != 0)
      body++;
    if (body == scene->bodies) {
      pc_complain(key, "unknown body id '%s'", pc_node_text(key).text);
      return;
    }
    for (int k = 0; k < i; k++)
      if (strcmp(pc_read_string(pc_pair_key(node, k)), id) == 0)
        pc_complain(key, "key '%s' is given twice", pc_node_text(key).text);
    int dof = pc_impact_dof(scene->problem, body);
    int size = pc_read_list(value, "a measured velocity");
    if (!pc_failed(value) && size != dof)
      pc_complain(value, "expected a list of %d numbers (null: not measured), found %d", dof, size);
    for (int k = 0; k < dof && !pc_failed(value); k++)
      if (!pc_is_null(pc_item(value, k)))
        add_measurement(pc_item(value, k), file, body, k, scene->before[body][k]);
  }
}

typedef struct experiment_file {
  pc_node problem, after;
} experiment_file;
static const pc_key experiment_keys[] = {
    PC_TITLE_KEY,
    {PC_KEY(experiment_file, problem), PC_A_MAPPING, true, .mapping = &pc_table_problem,
     .meaning = "the collision"},
    {PC_KEY(experiment_file, after), PC_PAIRS | PC_NUMBERS | PC_GAPS, true, .unit = "m/s, rad/s",
     .count = {1, 6},
     .meaning = "measured velocities after the collision, by body id; null: not measured"},
    {0}};
static const pc_mapping experiment_table = {"experiment", "an experiment", "A measured collision.",
                                            .keys = {experiment_keys}};

static void read_experiments(pc_node node, identification_file *file)
{
  pc_entries entries = pc_entries_of(node);
  if (!pc_failed(node) && entries.count == 0)
    pc_complain(node, "'experiments' is empty");
  if (pc_failed(node))
    return;
  file->experiments = pc_allocate(node, entries.count, sizeof *file->experiments);
  while (pc_next(&entries)) {
    experiment_file one;
    if (!pc_bind(&entries.node, &experiment_table, &one))
      return;
    experiment *e = &file->experiments[entries.index];
    pc_node title = pc_get(entries.node, "title");
    if (pc_is_present(title))
      pc_read_string(title);
    e->problem = one.problem;
    e->first = file->measured.count;
    pc_scene_impact scene;
    pc_read_impact_problem(e->problem, &pc_table_problem, &scene);
    if (!pc_failed(node))
      read_after(one.after, &scene, file);
    pc_scene_impact_free(&scene);
    e->count = file->measured.count - e->first;
    file->experiment_count = entries.index + 1;
  }
}

static pc_status predict(void *context, const double *coefficients, double *predicted,
                         pc_error *error)
{
  identification_file *file = context;
  pc_parameters parameters = {file->unknowns, file->names, coefficients, file->used};
  pc_document_set_parameters(file->document, &parameters);
  pc_status status = PC_OK;
  for (int i = 0; i < file->experiment_count && status == PC_OK; i++) {
    const experiment *e = &file->experiments[i];
    pc_scene_impact scene;
    pc_read_impact_problem(e->problem, &pc_table_problem, &scene);
    status = pc_document_status(file->document, error);
    pc_document_forgive(file->document);
    if (status != PC_OK)
      break;
    pc_solve_options options = pc_solve_options_default();
    pc_solve_info info;
    options.tolerance = 1e-12;
    options.quasi_static = scene.quasi_static;
    status = pc_impact_solve(scene.problem, &options, &info);
    if (status != PC_OK)
      pc_fail(error, status, "experiment %d: %s", i + 1, pc_impact_error(scene.problem));
    else if (info.residual > 1e-8) // a solver may stop short of 1e-12 and be good enough
      status = pc_fail(error, PC_ERROR_NUMERIC, "experiment %d could not be solved", i + 1);
    for (int k = e->first; k < e->first + e->count && status == PC_OK; k++) {
      double velocity[6];
      pc_impact_velocity(scene.problem, file->measurements.at[k].body, velocity);
      predicted[k] = velocity[file->measurements.at[k].component];
    }
    pc_scene_impact_free(&scene);
  }
  pc_document_set_parameters(file->document, NULL);
  return status;
}

typedef struct root_file {
  pc_node unknowns, experiments;
  double sigma;
} root_file;
static const pc_key identification_keys[] = {
    PC_KIND_KEY("identification"),
    PC_TITLE_KEY,
    PC_SOURCE_KEY,
    {PC_KEY(root_file, unknowns), PC_PAIRS | PC_A_MAPPING, true, .mapping = &unknown_table,
     .meaning = "coefficients to identify, by name"},
    {PC_KEY(root_file, sigma), PC_A_NUMBER, .unit = "m/s, rad/s", PC_POSITIVE,
     .left_out = "estimated", .meaning = "standard deviation of a measured velocity"},
    {PC_KEY(root_file, experiments), PC_A_LIST, true, .mapping = &experiment_table,
     .meaning = "measurements, at least one"},
    {0}};
const pc_mapping pc_table_identification = {
    "identification", "an identification file",
    "Measured collisions and the coefficients to identify from them, for `percuss identify`.",
    .keys = {identification_keys}};

static void read_file(pc_node root, pc_scene_identification *out)
{
  identification_file *file = out->file;
  root_file top = {.sigma = out->problem.sigma};
  pc_read_kind(root, PC_KIND_IDENTIFICATION);
  if (!pc_failed(root))
    pc_document_set_table(root.document, &pc_table_identification);
  if (!pc_bind(&root, &pc_table_identification, &top))
    return;
  pc_read_title(root, &out->title);
  out->problem.sigma = top.sigma;
  read_unknowns(top.unknowns, file);
  if (pc_failed(root))
    return;

  double start[PC_MAX_UNKNOWNS];
  for (int i = 0; i < file->unknowns; i++)
    start[i] = file->unknown[i].start;
  pc_parameters parameters = {file->unknowns, file->names, start, file->used};
  pc_document_set_parameters(file->document, &parameters);
  read_experiments(top.experiments, file);
  pc_document_set_parameters(file->document, NULL);
  for (int i = 0; i < file->unknowns; i++)
    if (!file->used[i])
      pc_complain(pc_pair_key(top.unknowns, i), "no experiment uses the coefficient '$%s'",
                  pc_node_text(pc_pair_key(top.unknowns, i)).text);
  if (!pc_failed(root) && file->measured.count == 0)
    pc_complain(top.experiments, "no velocity is measured: add velocities to 'after'");
  if (!pc_failed(root) && !PC_GIVEN(root, root_file, sigma) &&
      file->measured.count <= file->unknowns)
    pc_complain(
        root,
        "%d measurement%s for %d unknown%s cannot determine the standard deviation; add 'sigma'",
        file->measured.count, file->measured.count == 1 ? "" : "s", file->unknowns,
        file->unknowns == 1 ? "" : "s");
  out->experiments = file->experiment_count;
  out->change = sqrt(file->change / file->measured.count);
}

pc_status pc_identification_read_document(pc_document *document, pc_scene_identification *out,
                                          pc_error *error)
{
  *out = (pc_scene_identification){0};
  out->file = calloc(1, sizeof *out->file);
  if (out->file == NULL) {
    pc_document_close(document, NULL);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  out->file->document = document;
  read_file(pc_document_root(document), out);
  if (pc_document_status(document, NULL) != PC_OK) {
    out->file->document = NULL;
    pc_scene_identification_free(out);
    return pc_document_close(document, error);
  }
  out->problem.unknowns = out->file->unknowns;
  out->problem.unknown = out->file->unknown;
  out->problem.measurements = out->file->measured.count;
  out->problem.measured = out->file->measured.at;
  out->problem.predict = predict;
  out->problem.context = out->file;
  return PC_OK;
}

pc_status pc_scene_read_identification(const char *path, pc_scene_identification *out,
                                       pc_error *error)
{
  if (out != NULL)
    *out = (pc_scene_identification){0};
  if (path == NULL || out == NULL)
    return pc_fail_null(error, "the path and the identification");
  pc_error reason = {.status = PC_OK};
  pc_document *document = pc_document_open(path, &reason);
  if (document != NULL)
    return pc_identification_read_document(document, out, error);
  if (error != NULL)
    *error = reason;
  return reason.status;
}

void pc_scene_identification_free(pc_scene_identification *scene)
{
  if (scene == NULL)
    return;
  if (scene->file != NULL) {
    if (scene->file->document != NULL)
      pc_document_close(scene->file->document, NULL);
    free(scene->file->experiments);
    pc_array_free(&scene->file->measurements);
    pc_array_free(&scene->file->measured);
    free(scene->file);
  }
  free(scene->title);
  *scene = (pc_scene_identification){0};
}
