// The summary of a run, step by step.
#include "run/summary.h"

#include <math.h>

double pc_run_line(const pc_run_summary *summary, pc_line line)
{
  if (summary == NULL || (int)line < 0 || line >= PC_BALANCE_COUNT)
    return 0;
#define VALUE(field, total, name, ...) [PC_LINE_##field] = &summary->name,
  const double *const value[PC_BALANCE_COUNT] = {PC_BALANCE_LINES(PC_BALANCE_SKIP, VALUE)};
  return value[line] != NULL ? *value[line] : 0;
}

// The errors of laws and elements are judged against the energy turned over.
static void add_energies(pc_run_summary *s, const pc_step_info *info)
{
  double change = 0, turnover = fabs(info->given);
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].step_sign != 0) {
      change += pc_balance[i].step_sign * pc_step_line(info, i);
      turnover += fabs(pc_step_line(info, i));
    }
#define TAKE(field, total, summary, ...) s->summary = info->total;
  PC_BALANCE_LINES(PC_BALANCE_SKIP, TAKE)
  s->kinetic = info->kinetic_translation + info->kinetic_rotation;
  s->potential = info->potential;
  s->stored = info->stored;
  s->kinetic_start = info->kinetic_start;
  s->potential_start = info->potential_start;
  s->stored_start = info->stored_start;
  s->drift = info->drift;
  s->asleep = info->asleep;
  s->given_by_laws += fmax(0, -info->dissipated);
  if (s->steps == 1)
    s->turnover = fabs(s->kinetic - change); // of the start
  s->turnover += turnover;
}

pc_run_options pc_run_options_default(void)
{
  return (pc_run_options){0};
}

bool pc_run_is_inaccurate(const pc_run_summary *s)
{
  return s != NULL && 2 * s->steps_inaccurate > s->steps;
}

void pc_summary_add(pc_run_summary *s, const pc_step_info *info)
{
  s->steps++;
  s->time = info->time;
  s->contacts_total += info->contacts;
  s->contacts_largest = info->contacts > s->contacts_largest ? info->contacts : s->contacts_largest;
  s->steps_inaccurate += info->status != PC_SOLVED;
  s->steps_open += !info->closed;
  s->steps_calmed += info->calmed > 0;
  s->residual_largest = fmax(s->residual_largest, info->residual);
  s->contact_error_largest = fmax(s->contact_error_largest, info->contact_error);
  s->velocity_error_largest = fmax(s->velocity_error_largest, info->velocity_error);
  s->accuracy = info->accuracy;
  s->audit_largest = fmax(s->audit_largest, info->audit);
  s->deepest = fmax(s->deepest, info->deepest);
  add_energies(s, info);
  s->detection_s += info->detection_s;
  s->solve_s += info->solve_s;
}
