// Pictures of many runs: curves of quantities against a key of the sweep, or a map over two keys.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/svg.h"
#include "run/runs.h"

static int find_column(const pc_runs *runs, const char *name, pc_error *error)
{
  for (int i = 0; i < pc_runs_columns(runs); i++)
    if (strcmp(pc_runs_column_of(runs, i).name, name) == 0)
      return i;
  pc_fail(error, PC_ERROR_INPUT, "there is no quantity '%s' to draw: RUN-runs.csv has all of them",
          name);
  return -1;
}

// The combinations along an axis lie this far from each other.
static int stride_of(const pc_scene_plan *plan, int sweep)
{
  int stride = 1;
  for (int i = sweep + 1; i < plan->sweeps; i++)
    stride *= plan->sweep[i].count;
  return stride;
}

// The values of a sweep in the order of their numbers.
typedef struct axis_value {
  double number;
  int value;
} axis_value;

static int compare(const void *a, const void *b)
{
  double x = ((const axis_value *)a)->number, y = ((const axis_value *)b)->number;
  return (x > y) - (x < y);
}

static axis_value *sort_values(pc_svg *plot, const pc_scene_sweep *sweep)
{
  axis_value *list = pc_arena_take(&plot->arena, (size_t)sweep->count, sizeof *list);
  for (int i = 0; i < sweep->count && list != NULL; i++)
    list[i] = (axis_value){pc_scene_sweep_number(sweep, i), i};
  if (list != NULL)
    qsort(list, (size_t)sweep->count, sizeof *list, compare);
  return list;
}

static const char *title_of(pc_svg *plot, const pc_runs *runs, int column)
{
  pc_runs_column c = pc_runs_column_of(runs, column);
  return pc_svg_print(plot, *c.unit ? "%s [%s]" : "%s", c.name, c.unit);
}

// `k [kg]` with a value is k = 2 kg.
static const char *name_value(pc_svg *plot, const pc_scene_sweep *sweep, int value)
{
  const char *unit = strstr(sweep->label, " [");
  size_t length = strlen(sweep->label);
  if (unit == NULL || sweep->label[length - 1] != ']')
    return pc_svg_print(plot, "%s = %s", sweep->label, sweep->values[value]);
  return pc_svg_print(plot, "%.*s = %s %.*s", (int)(unit - sweep->label), sweep->label,
                      sweep->values[value], (int)(strlen(unit) - 3), unit + 2);
}

// What tells a curve from the others: its quantity, and the values of the other keys.
static const char *name_curve(pc_svg *plot, const pc_runs *runs, const pc_scene_curves *c,
                              int column, int combination)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  const char *text = c->quantities > 1 ? pc_runs_column_of(runs, column).name : "";
  for (int i = 0; i < plan->sweeps; i++)
    if (i != c->against[0])
      text = pc_svg_print(
          plot, "%s%s%s", text, *text ? ", " : "",
          name_value(plot, &plan->sweep[i], pc_scene_plan_value(plan, combination, i)));
  return *text ? text : NULL;
}

// One curve: the means of the combinations from `first` on, and a band for their intervals.
static void add_curve(pc_svg *plot, const pc_runs *runs, const pc_scene_curves *c, int column,
                      int first, int number)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  int count = plan->sweep[c->against[0]].count, stride = stride_of(plan, c->against[0]);
  const axis_value *x = sort_values(plot, &plan->sweep[c->against[0]]);
  pc_svg_item line = {PC_SVG_LINE, pc_svg_class(number), name_curve(plot, runs, c, column, first),
                      .dash = (pc_svg_dash)(number / PC_SVG_CLASSES % 3)};
  pc_svg_item band = {.kind = PC_SVG_REGION, .color = line.color};
  line.point = pc_arena_take(&plot->arena, (size_t)count, sizeof *line.point);
  band.point = pc_arena_take(&plot->arena, 2 * (size_t)count, sizeof *band.point);
  if (plot->arena.failed)
    return;
  int wide = 0;
  for (int i = 0; i < count; i++) {
    pc_runs_statistics s = pc_runs_statistics_of(runs, first + stride * x[i].value, column);
    double half = isfinite(s.interval) ? s.interval : 0;
    wide += half > 0;
    line.point[i][0] = band.point[i][0] = band.point[2 * count - 1 - i][0] = x[i].number;
    line.point[i][1] = s.mean;
    band.point[i][1] = s.mean - half;
    band.point[2 * count - 1 - i][1] = s.mean + half;
    plot->y.from = fmin(plot->y.from, s.mean - half); // of numbers alone
    plot->y.to = fmax(plot->y.to, s.mean + half);
  }
  line.count = count;
  band.count = 2 * count;
  plot->x =
      (pc_svg_axis){plan->sweep[c->against[0]].label, x[0].number, x[count - 1].number, false};
  if (wide > 0)
    pc_svg_add(plot, band);
  pc_svg_add(plot, line);
}

// Room above and below, and a length where all values are equal.
static void end_axis(pc_svg_axis *y, const char *title)
{
  double length = y->to - y->from, size = fmax(fabs(y->from), fabs(y->to));
  double room = length > 1e-9 * size ? 0.06 * length : size > 0 ? 0.1 * size : 1;
  *y = (pc_svg_axis){title, y->from - room, y->to + room, false};
}

static pc_status draw_curves(pc_svg *plot, const pc_runs *runs, const pc_scene_curves *c,
                             pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  int number = 0, column = -1;
  const char *unit = NULL;
  bool same = true;
  plot->y = (pc_svg_axis){NULL, INFINITY, -INFINITY, false};
  for (int q = 0; q < c->quantities; q++) {
    column = find_column(runs, c->quantity[q], error);
    if (column < 0)
      return error->status;
    const char *own = pc_runs_column_of(runs, column).unit;
    same = same && (unit == NULL || strcmp(unit, own) == 0);
    unit = own;
    for (int k = 0; k < plan->combinations; k++)
      if (pc_scene_plan_value(plan, k, c->against[0]) == 0)
        add_curve(plot, runs, c, column, k, number++);
  }
  if (!(plot->y.from <= plot->y.to))
    return pc_fail(error, PC_ERROR_NUMERIC, "'%s' has no numbers to draw", c->name);
  end_axis(&plot->y, c->y != NULL         ? c->y
                     : c->quantities == 1 ? title_of(plot, runs, column)
                     : same               ? unit
                                          : "");
  plot->height = 340;
  return PC_OK;
}

// Edges of cells: in the middle between neighbours, and at the first and the last value.
static double *find_edges(pc_svg *plot, const axis_value *at, int count)
{
  double *edge = pc_arena_take(&plot->arena, (size_t)count + 1, sizeof *edge);
  for (int i = 0; i <= count && edge != NULL && at != NULL; i++)
    edge[i] = i == 0       ? at[0].number
              : i == count ? at[count - 1].number
                           : (at[i - 1].number + at[i].number) / 2;
  return edge;
}

// Whole numbers that are few enough to have a colour each.
static bool has_classes(const pc_svg_map *map, bool whole)
{
  for (size_t i = 0; i < (size_t)map->nx * map->ny; i++)
    whole = whole && !(map->value[i] < 0 || map->value[i] >= PC_SVG_CLASSES);
  return whole;
}

static void add_legend(pc_svg *plot, const pc_scene_curves *c)
{
  for (int k = 0; k < PC_SVG_CLASSES; k++) {
    bool there = false;
    for (size_t i = 0; i < (size_t)plot->map.nx * plot->map.ny && !there; i++)
      there = plot->map.value[i] == k;
    if (there)
      pc_svg_add(plot,
                 (pc_svg_item){.kind = PC_SVG_REGION,
                               .color = pc_svg_class(k),
                               .text = k < c->words ? c->word[k] : pc_svg_print(plot, "%d", k)});
  }
}

static pc_status draw_map(pc_svg *plot, const pc_runs *runs, const pc_scene_curves *c,
                          pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  const pc_scene_sweep *sx = &plan->sweep[c->against[0]], *sy = &plan->sweep[c->against[1]];
  int column = find_column(runs, c->quantity[0], error);
  if (column < 0)
    return error->status;
  const axis_value *x = sort_values(plot, sx), *y = sort_values(plot, sy);
  double *value = pc_arena_take(&plot->arena, (size_t)sx->count * sy->count, sizeof *value);
  plot->map = (pc_svg_map){.nx = sx->count,
                           .ny = sy->count,
                           .x = find_edges(plot, x, sx->count),
                           .y = find_edges(plot, y, sy->count),
                           .value = value,
                           .title = c->y != NULL ? c->y : title_of(plot, runs, column)};
  if (plot->arena.failed)
    return PC_OK; // which the writer reports
  for (int j = 0; j < sy->count; j++)
    for (int i = 0; i < sx->count; i++)
      value[(size_t)j * sx->count + i] =
          pc_runs_statistics_of(runs,
                                x[i].value * stride_of(plan, c->against[0]) +
                                    y[j].value * stride_of(plan, c->against[1]),
                                column)
              .mean;
  plot->map.classes = has_classes(&plot->map, pc_runs_column_of(runs, column).whole);
  if (plot->map.classes)
    add_legend(plot, c);
  plot->x = (pc_svg_axis){sx->label, x[0].number, x[sx->count - 1].number, false};
  plot->y = (pc_svg_axis){sy->label, y[0].number, y[sy->count - 1].number, false};
  plot->height = 400;
  return PC_OK;
}

pc_status pc_runs_draw(const pc_runs *runs, int picture, const char *path, pc_error *error)
{
  const pc_scene *scene = runs->scene;
  const pc_scene_curves *c = &scene->plan.picture[picture];
  pc_error unheard = {.text = ""};
  error = error != NULL ? error : &unheard;
  pc_svg plot = {.title = c->title != NULL       ? c->title
                          : scene->title != NULL ? scene->title
                                                 : c->name};
  bool map = c->against[1] >= 0;
  plot.description =
      pc_svg_print(&plot, "%s of %s against %s%s%s.", map ? "A map" : "Curves", c->quantity[0],
                   scene->plan.sweep[c->against[0]].label, map ? " and " : "",
                   map ? scene->plan.sweep[c->against[1]].label : "");
  pc_status status = map ? draw_map(&plot, runs, c, error) : draw_curves(&plot, runs, c, error);
  if (status == PC_OK)
    status = pc_svg_write(&plot, path, error);
  pc_svg_free(&plot);
  return status;
}
