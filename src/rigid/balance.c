// The lines of the energy balance as data: percuss/balance.h.
#include "percuss/world.h"

#define LINE(field, step, text)                                                                    \
  {.name = #field,                                                                                 \
   .step_sign = (step),                                                                            \
   .description = (text),                                                                          \
   .offset = offsetof(pc_step_info, field)},
#define SUMMED(field, sum, in_summary, step, run, by, text)                                        \
  {.name = #field,                                                                                 \
   .total = #sum,                                                                                  \
   .summary = #in_summary,                                                                         \
   .step_sign = (step),                                                                            \
   .run_sign = (run),                                                                              \
   .source = (by),                                                                                 \
   .description = (text),                                                                          \
   .offset = offsetof(pc_step_info, field),                                                        \
   .total_offset = offsetof(pc_step_info, sum)},
const pc_balance_line pc_balance[PC_BALANCE_COUNT] = {PC_BALANCE_LINES(LINE, SUMMED)};

double pc_step_line(const pc_step_info *info, pc_line line)
{
  return *(const double *)((const char *)info + pc_balance[line].offset);
}

double pc_step_total(const pc_step_info *info, pc_line line)
{
  bool summed = pc_balance[line].total != NULL;
  return summed ? *(const double *)((const char *)info + pc_balance[line].total_offset) : 0;
}
