// percuss solve of an impact file with a sweep: every collision of it, a line for each.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/solve.h"
#include "app/solve_collision.h"
#include "app/sweep_table.h"
#include "core/small.h"
#include "scene/text.h"

enum { MOST_EXPLAINED = 10 };                                  // collisions that are not solved
enum { STATUS, ITERATIONS, RESIDUAL, DISSIPATED, VELOCITIES }; // columns

typedef struct sweep {
  app_sweep_column column[APP_SWEEP_COLUMNS];
  int count;                          // columns
  int unsolved, open;                 // collisions; of these: energy balance not closed
  double (*value)[APP_SWEEP_COLUMNS]; // of each combination; NAN: there is none
} sweep;

static void write_cell(const void *context, int column, int combination, char *text)
{
  const sweep *s = context;
  double value = s->value[combination][column];
  if (column == STATUS)
    snprintf(text, APP_CELL, "%s", pc_solve_status_name((pc_solve_status)value));
  else if (isnan(value))
    snprintf(text, APP_CELL, "-");
  else
    snprintf(text, APP_CELL, column == RESIDUAL ? "%.1e" : "%.5g", value);
}

// All collisions have the bodies of the first one, as far as a table shows them: a sweep that
// changes their number leaves cells empty.
static void name_columns(sweep *s, const pc_scene_impact *first)
{
  static const char *const names[VELOCITIES][3] = {
      {"", "", ""}, {"", "iterations", ""}, {"", "residual", ""}, {"", "dissipated", "J"}};
  for (int c = 0; c < VELOCITIES; c++)
    for (int k = 0; k < 3; k++)
      snprintf(s->column[c].head[k], APP_CELL, "%s", names[c][k]);
  s->count = VELOCITIES;
  for (int i = 0; i < first->bodies; i++) {
    int dof = pc_impact_dof(first->problem, i);
    for (int k = 0; k < dof && s->count < APP_SWEEP_COLUMNS; k++) {
      bool spin = dof == 3 ? k == 2 : k > 2;
      app_sweep_column *c = &s->column[s->count++];
      snprintf(c->head[0], APP_CELL, "%s", first->body_ids[i]);
      snprintf(c->head[1], APP_CELL, "%s", app_axis_names[dof][k]);
      snprintf(c->head[2], APP_CELL, "%s", spin ? "rad/s" : "m/s");
    }
  }
}

static void keep_velocities(const sweep *s, const pc_scene_impact *scene, double *value)
{
  double scale = 0;
  for (int i = 0, c = VELOCITIES; i < scene->bodies; i++) {
    double velocity[PC_MAX_DOF];
    int dof = pc_impact_dof(scene->problem, i);
    pc_impact_velocity(scene->problem, i, velocity);
    scale = fmax(scale, fmax(pc_norm(dof, velocity), pc_norm(dof, scene->before[i])));
    for (int k = 0; k < dof && c < s->count; k++, c++)
      value[c] = velocity[k];
  }
  for (int c = VELOCITIES; c < s->count; c++)
    value[c] = app_tidy(value[c], scale);
}

// Of a collision that is not solved.
static void keep_nothing(sweep *s, int combination)
{
  double *value = s->value[combination];
  for (int c = 0; c < APP_SWEEP_COLUMNS; c++)
    value[c] = NAN;
  value[STATUS] = PC_FAILED;
}

static void keep_values(sweep *s, int combination, const app_collision *collision)
{
  const pc_solve_info *info = &collision->info;
  double *value = s->value[combination];
  keep_nothing(s, combination);
  value[STATUS] = info->status;
  value[ITERATIONS] = info->iterations;
  if (info->status == PC_FAILED)
    return;
  value[RESIDUAL] = info->residual;
  value[DISSIPATED] = app_tidy(info->audit.dissipated, info->audit.kinetic_before);
  keep_velocities(s, collision->scene, value);
}

// A line on stderr for a collision that is not solved, with its values.
static void explain(const pc_scene *first, int combination, const app_collision *collision)
{
  char name[400];
  int length = snprintf(name, sizeof name, "%s, collision %d", pc_text_path(first->path).text,
                        combination + 1);
  for (int k = 0; k < first->plan.sweeps && length < (int)sizeof name; k++)
    length += snprintf(name + length, sizeof name - (size_t)length, ", %s: %s",
                       first->plan.sweep[k].label, app_sweep_value(&first->plan, combination, k));
  app_collision_explain(collision, name);
}

// A collision that could be read before and cannot now, because memory is out.
static int fail_to_read(const pc_scene *first, int combination, const pc_error *error, sweep *s,
                        pc_json *json)
{
  keep_nothing(s, combination);
  s->unsolved++;
  if (json != NULL) {
    pc_json_open(json, '{');
    app_sweep_write_values(json, &first->plan, combination);
    pc_json_key(json, "status"), pc_json_string(json, pc_solve_status_name(PC_FAILED));
    pc_json_close(json);
  }
  return app_complain_error(error, NULL);
}

// `json` may be NULL.
static int solve_next(const pc_scene *first, int combination, bool certify,
                      const pc_solve_options *options, sweep *s, pc_json *json)
{
  pc_error error;
  pc_scene scene;
  if (pc_scene_parse_run(first->path, first->text, combination + 1, &scene, &error) != PC_OK)
    return fail_to_read(first, combination, &error, s, json);
  app_collision collision;
  int result = app_collision_solve(first->path, scene.impact, certify, options, &collision);
  if (result != APP_BAD_INPUT) {
    keep_values(s, combination, &collision);
    s->open += !collision.options.quasi_static && !collision.info.audit.closed;
    if (json != NULL) {
      pc_json_open(json, '{');
      app_sweep_write_values(json, &first->plan, combination);
      app_collision_write(json, &collision);
      pc_json_close(json);
    }
    if (result != APP_OK && s->unsolved++ < MOST_EXPLAINED)
      explain(first, combination, &collision);
    app_collision_free(&collision);
  }
  pc_scene_free(&scene);
  return result;
}

// Nothing is printed before all collisions can be read.
static int check(const pc_scene *first)
{
  for (int k = 1; k < first->plan.members; k++) {
    pc_error error;
    pc_scene scene;
    if (pc_scene_parse_run(first->path, first->text, k + 1, &scene, &error) != PC_OK)
      return app_complain_error(&error, NULL);
    pc_scene_free(&scene);
  }
  return APP_OK;
}

// False when memory is out.
static bool print_sweep(const pc_scene *first, sweep *s)
{
  int members = first->plan.members;
  if (first->title != NULL)
    printf("%s\n", pc_text_path(first->title).text);
  printf("%d collisions, %d solved; ", members, members - s->unsolved);
  if (s->open == 0)
    printf("energy balance closed in all; velocities after, SI units:\n");
  else
    printf("energy balance NOT CLOSED in %d; velocities after, SI units:\n", s->open);
  if (!app_sweep_print(&first->plan, s->column, s->count, write_cell, s, "--json prints all"))
    return false;
  printf("--json prints all velocities, impulses and balances; 'percuss run' writes tables%s\n",
         first->plan.pictures > 0 ? " and draws curves" : "");
  return true;
}

int app_solve_sweep(const pc_scene *first, bool as_json, bool certify,
                    const pc_solve_options *options)
{
  int members = first->plan.members, result = check(first);
  if (result != APP_OK)
    return result;
  sweep s = {.value = calloc((size_t)members, sizeof *s.value)};
  if (s.value == NULL) {
    app_complain("percuss solve: out of memory");
    return APP_FAILED;
  }
  name_columns(&s, first->impact);
  pc_json json = {.file = stdout};
  if (as_json) {
    pc_json_open(&json, '{');
    pc_json_key(&json, "members"), pc_json_integer(&json, members);
    pc_json_key(&json, "collisions"), pc_json_open(&json, '[');
  }
  for (int k = 0; k < members && result != APP_BAD_INPUT; k++) {
    int one = solve_next(first, k, certify, options, &s, as_json ? &json : NULL);
    result = one != APP_OK ? one : result;
  }
  if (as_json) {
    pc_json_close(&json);
    pc_json_key(&json, "solved"), pc_json_integer(&json, members - s.unsolved);
    pc_json_close(&json);
  } else if (result != APP_BAD_INPUT && !print_sweep(first, &s)) {
    app_complain("percuss solve: out of memory");
    result = APP_FAILED;
  }
  if (s.unsolved > MOST_EXPLAINED)
    app_complain("percuss solve: %d more not solved", s.unsolved - MOST_EXPLAINED);
  free(s.value);
  return result;
}
