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

static bool is_line(pc_line line)
{
  return (int)line >= 0 && line < PC_BALANCE_COUNT;
}

double pc_step_line(const pc_step_info *info, pc_line line)
{
  if (info == NULL || !is_line(line))
    return 0;
  return *(const double *)((const char *)info + pc_balance[line].offset);
}

double pc_step_total(const pc_step_info *info, pc_line line)
{
  if (info == NULL || !is_line(line))
    return 0;
  bool summed = pc_balance[line].total != NULL;
  return summed ? *(const double *)((const char *)info + pc_balance[line].total_offset) : 0;
}

uint64_t pc_balance_layout(void)
{
  const uint64_t prime = UINT64_C(0x100000001b3);
  uint64_t sum = sizeof(pc_step_info);
  for (int i = 0; i < PC_BALANCE_COUNT; i++) {
    for (const char *c = pc_balance[i].name; *c != '\0'; c++)
      sum = (sum ^ (unsigned char)*c) * prime;
    sum = (sum ^ pc_balance[i].offset) * prime;
    sum = (sum ^ pc_balance[i].total_offset) * prime;
  }
  return sum;
}
