// Pictures of many runs: curves of quantities against a key of the sweep, or a map over two keys.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/svg.h"
#include "run/runs.h"
#include "scene/text.h"

// Names with spaces between them; the caller frees them. NULL when memory is out.
static char *join_names(int count, const char *(*name)(const void *of, int i, char room[160]),
                        const void *of)
{
  size_t size = 1;
  char room[160];
  for (int i = 0; i < count; i++)
    size += strlen(name(of, i, room)) + 1;
  char *all = malloc(size), *to = all;
  for (int i = 0; i < count && all != NULL; i++)
    to += sprintf(to, "%s%s", i > 0 ? " " : "", name(of, i, room));
  if (count == 0 && all != NULL)
    *all = 0;
  return all;
}

static pc_status refuse_quantity(const pc_scene *scene, const pc_scene_curves *c, const char *wrong,
                                 char *names, pc_error *error)
{
  char hint[120], all[200];
  if (names == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_word_describe(names, wrong, hint, sizeof hint, all, sizeof all);
  free(names);
  return pc_fail(error, PC_ERROR_INPUT,
                 "%s:%d: there is no quantity '%.60s' to draw%s; there are %s",
                 pc_text_path(scene->path).text, c->line, wrong, hint, all);
}

static const char *name_column(const void *of, int i, char room[160])
{
  return pc_runs_column_of(of, i).name;
}

static int find_column(const pc_runs *runs, const pc_scene_curves *c, const char *name,
                       pc_error *error)
{
  int count = pc_runs_columns(runs);
  for (int i = 0; i < count; i++)
    if (strcmp(pc_runs_column_of(runs, i).name, name) == 0)
      return i;
  refuse_quantity(runs->scene, c, name, join_names(count, name_column, runs), error);
  return -1;
}

static const char *name_quantity(const void *of, int i, char room[160])
{
  const pc_quantity *q = (const pc_quantity *)of + i;
  snprintf(room, 160, "%s%s%s", q->group, *q->group ? "/" : "", q->name);
  return room;
}

static pc_status check_names(const pc_scene *scene, const pc_quantity *list, int count,
                             pc_error *error)
{
  char room[160];
  for (int p = 0; p < scene->plan.pictures; p++) {
    const pc_scene_curves *c = &scene->plan.picture[p];
    for (int q = 0; q < c->quantities; q++) {
      int i = 0;
      while (i < count && strcmp(name_quantity(list, i, room), c->quantity[q]) != 0)
        i++;
      if (i == count)
        return refuse_quantity(scene, c, c->quantity[q], join_names(count, name_quantity, list),
                               error);
    }
  }
  return PC_OK;
}

pc_status pc_runs_check_curves(const pc_runs *runs, pc_error *error)
{
  const pc_scene *first = runs->scene;
  if (first->plan.pictures == 0 || first->impact == NULL)
    return PC_OK;
  pc_scene scene;
  pc_run_summary summary = {0};
  pc_quantity *list = NULL;
  int count = 0;
  if (pc_scene_parse_run(first->path, first->text, 1, &scene, error) != PC_OK)
    return error->status;
  // What cannot be solved is told by the collision itself.
  pc_error unheard = {.text = ""};
  bool solved = pc_run_scene(&scene, &(pc_run_options){0}, &summary, &unheard) == PC_OK;
  if (solved)
    solved = pc_run_measure(&scene, &summary, &list, &count, &unheard) == PC_OK;
  pc_status status = solved ? check_names(first, list, count, error) : PC_OK;
  free(list);
  pc_scene_free(&scene);
  return status;
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
    column = find_column(runs, c, c->quantity[q], error);
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
  int column = find_column(runs, c, c->quantity[0], error);
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
