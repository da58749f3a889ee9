#include "app/sweep_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"

enum { WIDTH = 100 }; // of a line

const char *app_sweep_value(const pc_scene_plan *plan, int combination, int sweep)
{
  return plan->sweep[sweep].values[pc_scene_plan_value(plan, combination, sweep)];
}

typedef struct table {
  const pc_scene_plan *plan;
  app_sweep_column *columns;
  int count;
  app_sweep_cell *cell;
  const void *context;
  int *widths; // of the values of each sweep
} table;

// Returns the width of the values of the sweep, with the spaces behind them.
static int find_widths(table *t)
{
  const pc_scene_plan *plan = t->plan;
  int before = 0;
  for (int k = 0; k < plan->sweeps; k++) {
    t->widths[k] = app_text_width(plan->sweep[k].label);
    for (int i = 0; i < plan->sweep[k].count; i++)
      t->widths[k] = (int)fmax(t->widths[k], app_text_width(plan->sweep[k].values[i]));
    before += t->widths[k] + 2;
  }
  for (int c = 0; c < t->count; c++) {
    char text[APP_CELL];
    for (int k = 0; k < 3; k++)
      t->columns[c].width = (int)fmax(t->columns[c].width, app_text_width(t->columns[c].head[k]));
    for (int k = 0; k < plan->combinations; k++) {
      t->cell(t->context, c, k, text);
      t->columns[c].width = (int)fmax(t->columns[c].width, app_text_width(text));
    }
  }
  return before;
}

static void print_cell(const table *t, int column, int row)
{
  const app_sweep_column *c = &t->columns[column];
  char text[APP_CELL];
  if (row >= 0)
    t->cell(t->context, column, row, text);
  app_print_right(row >= 0 ? text : c->head[row + 3], c->width);
}

// The first column and those from first to last.
static void print_block(const table *t, int first, int last, const char *rest)
{
  const pc_scene_plan *plan = t->plan;
  bool grouped = *t->columns[0].head[0];
  for (int c = first; c < last; c++)
    grouped = grouped || *t->columns[c].head[0];
  int shown = plan->combinations > APP_SWEEP_ROWS ? APP_SWEEP_ROWS : plan->combinations;
  for (int row = grouped ? -3 : -2; row < shown; row++) {
    for (int k = 0; k < plan->sweeps; k++) {
      const char *text = row >= 0    ? app_sweep_value(plan, row, k)
                         : row == -2 ? plan->sweep[k].label
                                     : "";
      printf("%s%s%*s", k > 0 ? "  " : "", text, t->widths[k] - app_text_width(text), "");
    }
    print_cell(t, 0, row);
    for (int c = first; c < last; c++)
      print_cell(t, c, row);
    printf("\n");
  }
  if (shown < plan->combinations)
    printf("... and %d more (%s)\n", plan->combinations - shown, rest);
}

bool app_sweep_print(const pc_scene_plan *plan, app_sweep_column *columns, int count,
                     app_sweep_cell *cell, const void *context, const char *rest)
{
  table t = {plan, columns, count, cell, context, calloc((size_t)plan->sweeps + 1, sizeof(int))};
  if (t.widths == NULL)
    return false;
  int before = find_widths(&t) + columns[0].width;
  for (int first = 1, last; first < count; first = last) {
    int width = before;
    for (last = first; last < count && (last == first || width + columns[last].width + 2 <= WIDTH);
         last++)
      width += columns[last].width + 2;
    print_block(&t, first, last, rest);
    if (last < count)
      printf("\n");
  }
  free(t.widths);
  return true;
}

static void write_value(pc_json *json, const pc_scene_sweep *sweep, int value)
{
  double number = pc_scene_sweep_number(sweep, value);
  if (isnan(number))
    pc_json_string(json, sweep->values[value]);
  else
    pc_json_number(json, number);
}

void app_sweep_write_values(pc_json *json, const pc_scene_plan *plan, int combination)
{
  pc_json_key(json, "values"), pc_json_open(json, '{');
  for (int k = 0; k < plan->sweeps; k++)
    pc_json_key(json, plan->sweep[k].label),
        write_value(json, &plan->sweep[k], pc_scene_plan_value(plan, combination, k));
  pc_json_close(json);
}
