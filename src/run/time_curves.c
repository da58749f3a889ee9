#include "run/time_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/units.h"
#include "run/files.h"
#include "scene/continuum.h"
#include "scene/text.h"

static const char *name_column(const void *of, int i, char room[PC_CURVES_NAME])
{
  return ((const pc_columns *)of)->list.at[i].name;
}

pc_status pc_time_curves_check(const pc_scene *scene, const pc_columns *columns, pc_error *error)
{
  pc_status status = PC_OK;
  for (int p = 0; p < scene->plan.pictures && status == PC_OK; p++) {
    const pc_scene_curves *c = &scene->plan.picture[p];
    if (c->against[0] >= 0)
      continue;
    if (scene->continuum != NULL && !scene->continuum->moves)
      return pc_fail(error, PC_ERROR_INPUT,
                     "%s:%d: a single collision takes no time; use an entry of 'sweep' as the axis",
                     pc_text_path(scene->path).text, c->line);
    if (!scene->csv)
      return pc_fail(
          error, PC_ERROR_INPUT,
          "%s:%d: curves over time need the table of the run; set 'csv: true' in 'output'",
          pc_text_path(scene->path).text, c->line);
    status = pc_curves_check(scene, c, columns->list.count, name_column, columns, error);
  }
  return status;
}

// A longer curve has the least and the most of every so many rows, so that no peak is lost.
enum { SPANS = 1000 };

// The points of a column over column 0, which is time.
static int thin(const double *values, long rows, int columns, int column, double (*point)[2])
{
  long span = rows <= 2 * SPANS ? 1 : (rows + SPANS - 1) / SPANS;
  int count = 0;
  for (long from = 0; from < rows; from += span) {
    long low = from, high = from;
    for (long i = from; i < rows && i < from + span; i++) {
      double value = values[i * columns + column], least = values[low * columns + column],
             most = values[high * columns + column];
      low = value < least || isnan(least) ? i : low;
      high = value > most || isnan(most) ? i : high;
    }
    long first = low < high ? low : high, last = low < high ? high : low;
    for (int k = 0; k < (last > first ? 2 : 1); k++, count++) {
      long i = k == 0 ? first : last;
      point[count][0] = values[i * columns];
      point[count][1] = values[i * columns + column];
    }
  }
  return count;
}

static void add_curve(pc_svg *plot, const double *values, long rows, int columns, int column,
                      const char *legend, int number)
{
  pc_svg_item line = {PC_SVG_LINE, pc_svg_class(number), legend,
                      .dash = (pc_svg_dash)(number / PC_SVG_CLASSES % 3)};
  size_t most = (size_t)(rows < 2 * SPANS ? rows : 2 * SPANS);
  line.point = pc_arena_take(&plot->arena, most + 1, sizeof *line.point);
  if (line.point == NULL)
    return; // which the writer reports
  line.count = thin(values, rows, columns, column, line.point);
  for (int i = 0; i < line.count; i++)
    pc_curves_extend(&plot->y, line.point[i][1]);
  if (rows > 0) {
    plot->x.from = fmin(plot->x.from, values[0]);
    plot->x.to = fmax(plot->x.to, values[(rows - 1) * columns]);
  }
  pc_svg_add(plot, line);
}

static bool is_first(const pc_time_table *table, int i)
{
  return i == 0 || table[i].combination != table[i - 1].combination;
}

// Units of the quantities: one for all, or NULL.
static const char *common_unit(int count, const pc_csv_column *column)
{
  for (int q = 1; q < count; q++)
    if (strcmp(column[q].unit, column[0].unit) != 0)
      return NULL;
  return column[0].unit;
}

// Columns of a table, with their units from the table beside it.
static pc_status read_table(const char *path, int count, pc_csv_column *column, double **values,
                            long *rows, pc_error *error)
{
  *values = NULL;
  char *units = pc_run_units_beside(path);
  pc_status status = units != NULL ? pc_units_read(units, "run", count, column, error)
                                   : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free(units);
  return status == PC_OK ? pc_csv_read(path, count, column, values, rows, error) : status;
}

pc_status pc_time_curves_draw(const pc_scene *scene, const pc_scene_curves *c, int count,
                              const pc_time_table *table, const char *path, pc_error *error)
{
  pc_csv_column column[PC_CSV_COLUMNS] = {{.name = "time"}};
  for (int q = 0; q < c->quantities && q + 1 < PC_CSV_COLUMNS; q++)
    column[q + 1].name = c->quantity[q];
  pc_svg plot = pc_curves_begin(scene, c);
  plot.x = (pc_svg_axis){"time [s]", INFINITY, -INFINITY, false};
  pc_status status = PC_OK;
  int family = -1;
  for (int i = 0; i < count && status == PC_OK; i++) {
    double *values;
    long rows;
    status = read_table(table[i].path, c->quantities + 1, column, &values, &rows, error);
    bool first = is_first(table, i);
    family += first;
    for (int q = 0; q < c->quantities && status == PC_OK; q++) {
      const char *legend =
          first ? pc_curves_legend(&plot, &scene->plan, c, q, table[i].combination) : NULL;
      add_curve(&plot, values, rows, c->quantities + 1, q + 1, legend, family * c->quantities + q);
    }
    free(values);
  }
  if (status == PC_OK)
    status = pc_curves_end(&plot, c, common_unit(c->quantities, column + 1), error);
  if (status == PC_OK && !(plot.x.to > plot.x.from)) // one step
    plot.x.from = 0;
  if (status == PC_OK)
    status = pc_svg_write(&plot, path, error);
  pc_svg_free(&plot);
  return status;
}

pc_status pc_time_curves_draw_all(const pc_scene *scene, const char *output, char *table,
                                  pc_error *error)
{
  const pc_scene_plan *plan = &scene->plan;
  pc_status status = PC_OK;
  pc_time_table one = {table, (scene->member - 1) / plan->runs};
  for (int p = 0; p < plan->pictures && status == PC_OK; p++) {
    const pc_scene_curves *c = &plan->picture[p];
    char *path = c->against[0] < 0 ? pc_curves_file(scene, output, c, error) : NULL;
    if (path != NULL)
      status = pc_time_curves_draw(scene, c, 1, &one, path, error);
    else if (c->against[0] < 0)
      status = error->status;
    free(path);
  }
  return status;
}
