#include "app/validation_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const validation_section validation_sections[VALIDATION_SECTIONS] = {
    {PC_ROW_MISSED, "Missed",
     "Criteria that do not hold. If one of them starts to hold, its row fails until its "
     "declaration is updated."},
    {PC_ROW_VARIED, "Studies: why results differ from the source",
     "Why criteria are missed. Each row is the result with one input changed, or several where "
     "stated."},
    {PC_ROW_FITTED, "Fitted",
     "Inputs that the source does not give were chosen so that these rows agree. They show that "
     "the printed result is attainable, and do not count as a pass."},
    {PC_ROW_INPUT, "Taken from the source",
     "Data of the source that a scene holds. They show that the scene is the one described, and do "
     "not count as a pass."},
    {PC_ROW_SELF_CHECK, "Self-checks",
     "What the program reports of its own runs (steps that fail, energy balance, accuracy), and "
     "runs compared with themselves. They show that a run is consistent, not that it is right, and "
     "do not count as a pass."},
    {PC_ROW_UNTESTABLE, "Cannot be tested",
     "Reported without a tolerance, because the source lacks data or contradicts itself; the note "
     "says which."},
};

bool is_shown_apart(pc_row_kind kind)
{
  for (int i = 0; i < VALIDATION_SECTIONS; i++)
    if (validation_sections[i].kind == kind)
      return true;
  return false;
}

bool belongs_to_study(const pc_validation *row, const char *prefix)
{
  size_t length = strlen(prefix);
  return row->kind == PC_ROW_VARIED && strncmp(row->id, prefix, length) == 0 &&
         row->id[length] == '.';
}

void validation_rows_count(validation_rows *rows, const pc_validation *row)
{
  rows->count[row->kind]++;
  rows->failed[row->kind] += row->verdict == PC_FAIL;
}

void validation_rows_keep(validation_rows *rows, const pc_validation *row)
{
  pc_validation *kept = pc_array_add(&rows->kept);
  if (kept == NULL) {
    rows->out_of_memory = true;
    return;
  }
  *kept = *row;
  const char **texts[] = {&kept->id,      &kept->source, &kept->quantity,
                          &kept->changed, &kept->unit,   &kept->note};
  for (int i = 0; i < PC_COUNT(texts); i++) {
    const char *copy = pc_arena_copy(&rows->texts, *texts[i], (int)strlen(*texts[i]) + 1, 1);
    rows->out_of_memory = rows->out_of_memory || copy == NULL;
    *texts[i] = copy != NULL ? copy : "";
  }
}

void validation_rows_free(validation_rows *rows)
{
  pc_array_free(&rows->kept);
  pc_arena_free(&rows->texts);
}

int validation_rows_total(const validation_rows *rows)
{
  int total = 0;
  for (int k = 0; k < PC_ROW_KINDS; k++)
    total += rows->count[k];
  return total;
}

int validation_rows_failed(const validation_rows *rows)
{
  int failed = 0;
  for (int k = 0; k < PC_ROW_KINDS; k++)
    failed += rows->failed[k];
  return failed;
}

int validation_rows_passed(const validation_rows *rows)
{
  int passed = 0;
  for (int k = 0; k < PC_ROW_KINDS; k++)
    if (!is_shown_apart((pc_row_kind)k))
      passed += rows->count[k] - rows->failed[k];
  return passed;
}

validation_number validation_number_of(double value)
{
  validation_number number = {"-"};
  if (isfinite(value))
    snprintf(number.text, sizeof number.text, "%.9g", value);
  return number;
}

validation_number validation_tolerance_of(const pc_validation *row)
{
  validation_number number = {"-"};
  if (row->kind != PC_ROW_UNTESTABLE && (row->kind != PC_ROW_VARIED || row->tolerance > 0))
    snprintf(number.text, sizeof number.text, "%.2g", row->tolerance);
  return number;
}
