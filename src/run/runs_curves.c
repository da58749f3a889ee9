// Pictures of many runs: curves of quantities against a key of the sweep, or a map over two keys.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/csv.h"
#include "run/files.h"
#include "run/recorder.h"
#include "run/runs.h"
#include "run/time_curves.h"
#include "scene/text.h"

static const char *name_column(const void *of, int i, char room[PC_CURVES_NAME])
{
  return pc_runs_column_of(of, i).name;
}

static int find_column(const pc_runs *runs, const char *name)
{
  int column = 0, count = pc_runs_columns(runs);
  while (column < count && !pc_csv_is_name(pc_runs_column_of(runs, column).name, name))
    column++;
  return column;
}

static const char *name_quantity(const void *of, int i, char room[PC_CURVES_NAME])
{
  const pc_quantity *q = (const pc_quantity *)of + i;
  snprintf(room, PC_CURVES_NAME, "%s%s%s", q->group, *q->group ? "/" : "", q->name);
  return room;
}

static bool is_over_time(const pc_scene_curves *c)
{
  return c->against[0] < 0;
}

// What is measured of the first run is known before its first step, and of a collision when it is
// solved.
static pc_status check_measured(pc_scene *scene, const pc_scene_plan *plan, pc_error *error)
{
  pc_run_summary summary = {0};
  pc_quantity *list = NULL;
  int count = 0;
  // What cannot be run is told by the run itself.
  pc_error unheard = {.text = ""};
  if (scene->impact == NULL)
    scene->duration = 0;
  bool known = pc_run_scene(scene, &(pc_run_options){0}, &summary, &unheard) == PC_OK &&
               pc_run_measure(scene, &summary, &list, &count, &unheard) == PC_OK;
  pc_status status = PC_OK;
  for (int p = 0; p < plan->pictures && known && status == PC_OK; p++)
    if (!is_over_time(&plan->picture[p]))
      status = pc_curves_check(scene, &plan->picture[p], count, name_quantity, list, error);
  free(list);
  return status;
}

pc_status pc_runs_check_curves(const pc_runs *runs, pc_error *error)
{
  const pc_scene *first = runs->scene;
  const pc_scene_plan *plan = &first->plan;
  int over_time = 0;
  for (int p = 0; p < plan->pictures; p++)
    over_time += is_over_time(&plan->picture[p]);
  pc_scene scene;
  pc_status status = PC_OK;
  if (plan->pictures > over_time) {
    if (pc_scene_parse_run(first->path, first->text, 1, &scene, error) != PC_OK)
      return error->status;
    status = check_measured(&scene, plan, error);
    pc_scene_free(&scene);
  }
  if (status != PC_OK || over_time == 0 || runs->stem == NULL)
    return status;
  if (!runs->options->keep)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s: curves over time need the tables of the runs; add --keep, or run a single "
                   "member with --member N",
                   pc_text_path(first->path).text);
  if (pc_scene_parse_run(first->path, first->text, 1, &scene, error) != PC_OK)
    return error->status;
  status = pc_recorder_check_curves(&scene, error);
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

// One curve: the means of the combinations from `first` on, and a band for their intervals.
static void add_curve(pc_svg *plot, const pc_runs *runs, const pc_scene_curves *c, int column,
                      const char *legend, int first, int number)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  int count = plan->sweep[c->against[0]].count, stride = stride_of(plan, c->against[0]);
  const axis_value *x = sort_values(plot, &plan->sweep[c->against[0]]);
  pc_svg_item line = {PC_SVG_LINE, pc_svg_class(number), legend,
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
    pc_curves_extend(&plot->y, s.mean - half);
    pc_curves_extend(&plot->y, s.mean + half);
  }
  line.count = count;
  band.count = 2 * count;
  const pc_scene_sweep *along = &plan->sweep[c->against[0]];
  plot->x = (pc_svg_axis){along->label, x[0].number, x[count - 1].number, false};
  plot->ratio = along->ratio;
  if (wide > 0)
    pc_svg_add(plot, band);
  pc_svg_add(plot, line);
}

static pc_status draw_curves(pc_svg *plot, const pc_runs *runs, const pc_scene_curves *c,
                             pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  int number = 0;
  const char *unit = NULL;
  bool same = true;
  for (int q = 0; q < c->quantities; q++) {
    int column = find_column(runs, c->quantity[q]);
    const char *own = pc_runs_column_of(runs, column).unit;
    same = same && (unit == NULL || strcmp(unit, own) == 0);
    unit = own;
    for (int k = 0; k < plan->combinations; k++)
      if (pc_scene_plan_value(plan, k, c->against[0]) == 0)
        add_curve(plot, runs, c, column, pc_curves_legend(plot, plan, c, q, k), k, number++);
  }
  return pc_curves_end(plot, c, same ? unit : NULL, error);
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

static void draw_map(pc_svg *plot, const pc_runs *runs, const pc_scene_curves *c)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  const pc_scene_sweep *sx = &plan->sweep[c->against[0]], *sy = &plan->sweep[c->against[1]];
  int column = find_column(runs, c->quantity[0]);
  const axis_value *x = sort_values(plot, sx), *y = sort_values(plot, sy);
  double *value = pc_arena_take(&plot->arena, (size_t)sx->count * sy->count, sizeof *value);
  plot->map = (pc_svg_map){.nx = sx->count,
                           .ny = sy->count,
                           .x = find_edges(plot, x, sx->count),
                           .y = find_edges(plot, y, sy->count),
                           .value = value,
                           .title = c->y != NULL ? c->y : title_of(plot, runs, column)};
  if (plot->arena.failed)
    return; // which the writer reports
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
}

// The tables of the runs that were kept and are finished, a curve for each.
static pc_status draw_over_time(const pc_runs *runs, const pc_scene_curves *c, const char *path,
                                pc_error *error)
{
  int total = pc_runs_total(runs), count = 0;
  pc_time_table *table = calloc((size_t)total + 1, sizeof *table);
  pc_status status = table != NULL ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < total && status == PC_OK; i++) {
    if (pc_runs_member(runs, i).state != PC_MEMBER_FINISHED)
      continue;
    char *record = pc_runs_record_name(runs, i);
    char *name = record != NULL ? pc_run_beside(record, ".csv") : NULL;
    free(record);
    if (name == NULL)
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    else
      table[count++] = (pc_time_table){name, pc_runs_member(runs, i).combination};
  }
  if (status == PC_OK)
    status = pc_time_curves_draw(runs->scene, c, count, table, path, error);
  for (int i = 0; i < count; i++)
    free(table[i].path);
  free(table);
  return status;
}

pc_status pc_runs_draw(const pc_runs *runs, int picture, const char *path, pc_error *error)
{
  if (runs == NULL || path == NULL)
    return pc_fail_null(error, "the runs and the path");
  if (picture < 0 || picture >= runs->scene->plan.pictures)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the scene has no picture %d", picture);
  const pc_scene_curves *c = &runs->scene->plan.picture[picture];
  pc_error unheard = {.text = ""};
  error = error != NULL ? error : &unheard;
  if (is_over_time(c) && runs->options != NULL && runs->options->keep)
    return draw_over_time(runs, c, path, error);
  if (is_over_time(c))
    return pc_fail(error, PC_ERROR_ARGUMENT, "'%s' needs the records of the runs; keep them",
                   c->name);
  pc_status status =
      pc_curves_check(runs->scene, c, pc_runs_columns(runs), name_column, runs, error);
  if (status != PC_OK)
    return status;
  pc_svg plot = pc_curves_begin(runs->scene, c);
  if (c->against[1] >= 0)
    draw_map(&plot, runs, c);
  else
    status = draw_curves(&plot, runs, c, error);
  if (status == PC_OK)
    status = pc_svg_write(&plot, path, error);
  pc_svg_free(&plot);
  return status;
}
