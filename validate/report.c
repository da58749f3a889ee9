// Rows of the validation, and the count of solves behind them.
#include "report.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pc_report {
  const pc_case *current;
  pc_row_filter filter;
  pc_validation_sink *sink;
  void *context;
  int solves, bad_solves; // of the current case
  bool out_of_memory;
  locale_t plain, before; // while a case runs its texts have a decimal point; the caller's locale
  char id[128], name[96];
};

pc_report *pc_report_create(const pc_row_filter *filter, pc_validation_sink *sink, void *context)
{
  pc_report *report = calloc(1, sizeof *report);
  if (report != NULL)
    *report = (pc_report){.filter = *filter,
                          .sink = sink,
                          .context = context,
                          .plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  return report;
}

void pc_report_destroy(pc_report *report)
{
  freelocale(report->plain);
  free(report);
}

bool pc_id_is_below(const char *id, const char *prefix)
{
  size_t length = strlen(prefix);
  return strncmp(id, prefix, length) == 0 && (id[length] == '\0' || id[length] == '.');
}

const char *pc_row_kind_name(pc_row_kind kind)
{
  if ((unsigned)kind >= PC_ROW_KINDS)
    return "unknown";
  static const char *const names[PC_ROW_KINDS] = {"published", "derived",    "property",
                                                  "fitted",    "input",      "self-check",
                                                  "missed",    "untestable", "varied"};
  return names[kind];
}

bool pc_is_within(double expected, double computed, double tolerance)
{
  return fabs(computed - expected) <= tolerance && isfinite(computed);
}

pc_verdict pc_verdict_of(pc_row_kind kind, double expected, double computed, double tolerance)
{
  bool agrees = pc_is_within(expected, computed, tolerance);
  switch (kind) {
  case PC_ROW_PUBLISHED:
  case PC_ROW_DERIVED:
  case PC_ROW_PROPERTY:
    return agrees ? PC_PASS : PC_FAIL;
  case PC_ROW_FITTED:
  case PC_ROW_INPUT:
  case PC_ROW_SELF_CHECK:
    return agrees ? PC_NOT_COUNTED : PC_FAIL;
  case PC_ROW_MISSED:
    return !agrees && isfinite(computed) && isfinite(expected) ? PC_NOT_COUNTED : PC_FAIL;
  case PC_ROW_VARIED:
    return isfinite(computed) ? PC_NOT_COUNTED : PC_FAIL;
  default:
    return PC_NOT_COUNTED;
  }
}

// Sends a row to the caller if its id is wanted.
static void emit(pc_report *report, const char *name, pc_validation row)
{
  const pc_row_filter *filter = &report->filter;
  snprintf(report->id, sizeof report->id, "%s%s%s", report->current->prefix,
           name != NULL ? "." : "", name != NULL ? name : "");
  bool wanted = filter->count == 0;
  for (int i = 0; i < filter->count; i++)
    if (pc_id_is_below(report->id, filter->ids[i]))
      wanted = filter->seen[i] = true;
  if (!wanted)
    return;
  row.id = report->id;
  row.source = report->current->source;
  if (row.note == NULL)
    row.note = "";
  if (row.changed == NULL)
    row.changed = "";
  uselocale(report->before);
  report->sink(&row, report->context);
  uselocale(report->plain);
}

static void emit_compared(pc_report *report, pc_row_kind kind, const char *name,
                          const char *quantity, double published, double expected, double computed,
                          const char *unit, double tolerance, const char *note)
{
  emit(report, name,
       (pc_validation){.kind = kind,
                       .quantity = quantity,
                       .published = published,
                       .expected = expected,
                       .computed = computed,
                       .unit = unit,
                       .tolerance = tolerance,
                       .verdict = pc_verdict_of(kind, expected, computed, tolerance),
                       .note = note});
}

void pc_report_published(pc_report *report, const char *name, const char *quantity,
                         double published, double computed, const char *unit, double tolerance,
                         const char *note)
{
  emit_compared(report, PC_ROW_PUBLISHED, name, quantity, published, published, computed, unit,
                tolerance, note);
}

void pc_report_derived(pc_report *report, const char *name, const char *quantity, double expected,
                       double computed, const char *unit, double tolerance, const char *oracle)
{
  emit_compared(report, PC_ROW_DERIVED, name, quantity, NAN, expected, computed, unit, tolerance,
                oracle);
}

void pc_report_property(pc_report *report, const char *name, const char *quantity, int violations,
                        const char *note)
{
  emit_compared(report, PC_ROW_PROPERTY, name, quantity, NAN, 0, violations, "violations", 0, note);
}

void pc_report_fitted(pc_report *report, const char *name, const char *quantity, double published,
                      double expected, double computed, const char *unit, double tolerance,
                      const char *note)
{
  emit_compared(report, PC_ROW_FITTED, name, quantity, published, expected, computed, unit,
                tolerance, note);
}

void pc_report_input(pc_report *report, const char *name, const char *quantity, double published,
                     double computed, const char *unit, double tolerance, const char *note)
{
  emit_compared(report, PC_ROW_INPUT, name, quantity, published, published, computed, unit,
                tolerance, note);
}

void pc_report_self_check(pc_report *report, const char *name, const char *quantity,
                          double expected, double computed, const char *unit, double tolerance,
                          const char *note)
{
  emit_compared(report, PC_ROW_SELF_CHECK, name, quantity, NAN, expected, computed, unit, tolerance,
                note);
}

void pc_report_own_steps(pc_report *report, const char *name, const char *quantity, int bad,
                         const char *note)
{
  pc_report_self_check(report, name, quantity, 0, bad, "steps", 0, note);
}

void pc_report_missed(pc_report *report, const char *name, const char *quantity, double published,
                      double expected, double computed, const char *unit, double tolerance,
                      const char *why)
{
  emit_compared(report, PC_ROW_MISSED, name, quantity, published, expected, computed, unit,
                tolerance, why);
}

void pc_report_untestable(pc_report *report, const char *name, const char *quantity,
                          double published, double computed, const char *unit, const char *why)
{
  emit_compared(report, PC_ROW_UNTESTABLE, name, quantity, published, NAN, computed, unit, 0, why);
}

void pc_report_varied(pc_report *report, const char *name, const char *changed,
                      const char *quantity, double published, double computed, const char *unit,
                      double interval, const char *note)
{
  emit(report, name,
       (pc_validation){.kind = PC_ROW_VARIED,
                       .quantity = quantity,
                       .changed = changed,
                       .published = published,
                       .expected = NAN,
                       .computed = computed,
                       .unit = unit,
                       .tolerance = interval,
                       .verdict = pc_verdict_of(PC_ROW_VARIED, NAN, computed, interval),
                       .note = note});
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

bool pc_report_run(pc_report *report, const pc_case *current)
{
  report->current = current;
  report->solves = report->bad_solves = 0;
  report->before = uselocale(report->plain);
  current->run(report);
  if (report->solves > 0) {
    char quantity[96];
    snprintf(quantity, sizeof quantity,
             "solves, of %d, that fail or whose energy balance does not close", report->solves);
    pc_report_own_steps(report, "audit", quantity, report->bad_solves,
                        "energy, momentum and the sign of every dissipation that has one");
  }
  uselocale(report->before);
  return !report->out_of_memory;
}
