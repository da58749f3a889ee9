// What a sweep gives, a line for each combination of its values: for `run` and `solve`.
#ifndef PERCUSS_APP_SWEEP_TABLE_H
#define PERCUSS_APP_SWEEP_TABLE_H

#include <stdbool.h>

#include "core/json.h"
#include "percuss/scene.h"

enum { APP_CELL = 48, APP_SWEEP_ROWS = 60, APP_SWEEP_COLUMNS = 24 };

typedef struct app_sweep_column {
  char head[3][APP_CELL]; // group, name, unit
  int width;              // of the widest cell; the table finds it
} app_sweep_column;

// Writes what a column has for a combination, at most APP_CELL bytes.
typedef void app_sweep_cell(const void *context, int column, int combination, char *text);

// Prints the values of the sweep and the columns, in blocks that fit a line. Each block begins with
// the first column. Combinations beyond APP_SWEEP_ROWS are left out; `rest` says where they are.
// False, and nothing is printed, when memory is out.
bool app_sweep_print(const pc_scene_plan *plan, app_sweep_column *columns, int count,
                     app_sweep_cell *cell, const void *context, const char *rest);
// A value of a sweep as it is written in the file.
const char *app_sweep_value(const pc_scene_plan *plan, int combination, int sweep);
// Writes "values" of a combination, by label; numbers as numbers.
void app_sweep_write_values(pc_json *json, const pc_scene_plan *plan, int combination);

#endif
