// The list of cases, the filter on ids, and the making of rows.
#include "registry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

struct pc_report {
  const pc_case *current;
  const char *const *ids;
  int count;
  bool *seen; // which ids matched a row
  pc_validation_sink *sink;
  void *context;
  int solves, bad_solves; // of the current case
  bool out_of_memory;
  char id[128], name[96], note[512];
};

static const pc_case *const sources[] = {
    pc_cases_fremond_point,  pc_cases_fremond_coulomb,
    pc_cases_fremond_disks,  pc_cases_fremond_balls,
    pc_cases_leon_qp,        pc_cases_leon_rotation,
    pc_cases_leon_layers,    pc_cases_leon_landslide,
    pc_cases_leon_gabion,    pc_cases_leon_rockslide,
    pc_cases_moreau,         pc_cases_moreau_motion,
    pc_cases_pecol,          pc_cases_rigid,
    pc_cases_crowd_rooms,    pc_cases_crowd_pairs,
    pc_cases_crowd_scenes,   pc_cases_crowd_steps,
    pc_cases_crowd_obstacle, pc_cases_crowd_plans,
    pc_cases_crowd_groups,   pc_cases_crowd_exits,
    pc_cases_crowd_routes,   pc_cases_chain_bounds,
    pc_cases_chain_laws,     pc_cases_fremond_bar,
    pc_cases_fremond_water,  pc_cases_fremond_debris,
    pc_cases_fremond_alloy,  pc_cases_continuum_order,
    pc_cases_heat_rigid,     pc_cases_fremond_heat,
    pc_cases_fremond_phase,  pc_cases_fremond_alloy_motion,
};

// True if id is prefix, or prefix with a dot and more.
static bool starts(const char *id, const char *prefix)
{
  size_t length = strlen(prefix);
  return strncmp(id, prefix, length) == 0 && (id[length] == '\0' || id[length] == '.');
}

pc_verdict pc_verdict_of(double expected, double computed, double tolerance)
{
  return fabs(computed - expected) <= tolerance && isfinite(computed) ? PC_PASS : PC_FAIL;
}

static void emit(pc_report *report, const char *name, pc_validation row)
{
  snprintf(report->id, sizeof report->id, "%s%s%s", report->current->prefix,
           name != NULL ? "." : "", name != NULL ? name : "");
  bool wanted = report->count == 0;
  for (int i = 0; i < report->count; i++)
    if (starts(report->id, report->ids[i]))
      wanted = report->seen[i] = true;
  if (!wanted)
    return;
  row.id = report->id;
  row.source = report->current->source;
  if (row.note == NULL)
    row.note = "";
  report->sink(&row, report->context);
}

void pc_report_published(pc_report *report, const char *name, const char *quantity,
                         double published, double computed, const char *unit, double tolerance,
                         const char *note)
{
  emit(report, name,
       (pc_validation){.quantity = quantity,
                       .published = published,
                       .expected = published,
                       .computed = computed,
                       .unit = unit,
                       .tolerance = tolerance,
                       .verdict = pc_verdict_of(published, computed, tolerance),
                       .note = note});
}

void pc_report_derived(pc_report *report, const char *name, const char *quantity, double expected,
                       double computed, const char *unit, double tolerance, const char *oracle)
{
  snprintf(report->note, sizeof report->note, "derived: %s", oracle);
  emit(report, name,
       (pc_validation){.quantity = quantity,
                       .published = NAN,
                       .expected = expected,
                       .computed = computed,
                       .unit = unit,
                       .tolerance = tolerance,
                       .verdict = pc_verdict_of(expected, computed, tolerance),
                       .note = report->note});
}

void pc_report_property(pc_report *report, const char *name, const char *quantity, int violations,
                        const char *note)
{
  emit(report, name,
       (pc_validation){.quantity = quantity,
                       .published = NAN,
                       .expected = 0,
                       .computed = violations,
                       .unit = "violations",
                       .tolerance = 0,
                       .verdict = pc_verdict_of(0, violations, 0),
                       .note = note});
}

void pc_report_untestable(pc_report *report, const char *name, const char *quantity,
                          double published, double computed, const char *unit, const char *why)
{
  emit(report, name,
       (pc_validation){.quantity = quantity,
                       .published = published,
                       .expected = NAN,
                       .computed = computed,
                       .unit = unit,
                       .verdict = PC_UNTESTABLE,
                       .note = why});
}

const char *pc_report_prefix(const pc_report *report)
{
  return report->current->prefix;
}

const char *pc_report_name(pc_report *report, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->name, sizeof report->name, format, arguments);
  va_end(arguments);
  return report->name;
}

pc_impact *pc_report_problem(pc_report *report)
{
  pc_impact *problem = pc_impact_create();
  if (problem == NULL)
    report->out_of_memory = true;
  return problem;
}

pc_solve_options pc_report_options(void)
{
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = 1e-13;
  return options;
}

void pc_report_count(pc_report *report, bool good)
{
  report->solves++;
  report->bad_solves += !good;
}

bool pc_report_solve_with(pc_report *report, pc_impact *problem, const pc_solve_options *options,
                          pc_solve_info *info)
{
  *info = (pc_solve_info){.status = PC_FAILED};
  bool solved = problem != NULL && pc_impact_solve(problem, options, info) == PC_OK &&
                info->status == PC_SOLVED;
  pc_report_count(report, solved && info->audit.closed);
  return solved;
}

bool pc_report_solve(pc_report *report, pc_impact *problem)
{
  pc_solve_options options = pc_report_options();
  pc_solve_info info;
  return pc_report_solve_with(report, problem, &options, &info);
}

pc_world *pc_report_world(pc_report *report, const pc_world_def *def)
{
  pc_world *world = pc_world_create(def);
  if (world == NULL)
    report->out_of_memory = true;
  return world;
}

bool pc_report_step(pc_report *report, pc_world *world, double h)
{
  bool solved = world != NULL && pc_world_step(world, h) == PC_OK &&
                pc_world_info(world)->status == PC_SOLVED;
  pc_report_count(report, solved && pc_world_info(world)->closed);
  return solved;
}

static void run_case(pc_report *report, const pc_case *current)
{
  report->current = current;
  report->solves = report->bad_solves = 0;
  current->run(report);
  if (report->solves == 0)
    return;
  char quantity[96];
  snprintf(quantity, sizeof quantity, "solves, of %d, that fail or whose audit does not close",
           report->solves);
  pc_report_property(report, "audit", quantity, report->bad_solves,
                     "energy, momentum and the sign of every dissipation that has one");
}

const char *pc_validation_case(int i)
{
  for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
    for (const pc_case *c = sources[s]; c->prefix != NULL; c++)
      if (i-- == 0)
        return c->prefix;
  return NULL;
}

pc_status pc_validate(const char *const *ids, int count, bool quick, pc_validation_sink *sink,
                      void *context, pc_error *error)
{
  enum { MAX_IDS = 1024 };
  bool seen[MAX_IDS] = {false};
  if (count > MAX_IDS)
    return pc_fail(error, PC_ERROR_INPUT, "at most %d ids at a time", MAX_IDS);
  pc_report report = {.ids = ids, .count = count, .seen = seen, .sink = sink, .context = context};
  int source_count = (int)(sizeof sources / sizeof *sources);

  // A wrong area is refused before anything runs; a wrong last part shows when its case is done.
  for (int i = 0; i < count; i++) {
    bool known = false;
    for (int s = 0; s < source_count; s++)
      for (const pc_case *c = sources[s]; c->prefix != NULL; c++)
        known = known || starts(c->prefix, ids[i]) || starts(ids[i], c->prefix);
    if (!known)
      return pc_fail(error, PC_ERROR_INPUT, "no validation row is called '%.200s' or below it",
                     ids[i]);
  }
  for (int s = 0; s < source_count; s++)
    for (const pc_case *c = sources[s]; c->prefix != NULL; c++) {
      bool wanted = count == 0;
      for (int i = 0; i < count; i++)
        if (starts(c->prefix, ids[i]) || starts(ids[i], c->prefix)) {
          wanted = true;
          seen[i] = seen[i] || (c->slow && quick);
        }
      if (wanted && !(c->slow && quick))
        run_case(&report, c);
    }
  if (report.out_of_memory)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < count; i++)
    if (!seen[i])
      return pc_fail(error, PC_ERROR_INPUT, "no validation row is called '%.200s' or below it",
                     ids[i]);
  return PC_OK;
}
