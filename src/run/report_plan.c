#include "run/report_plan.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/plain.h"

enum { LARGE = 800, TALL = 640, SMALL = 240 }; // pixels

static double width_of(const pc_recorded_floor *floor, const pc_plan_look *look)
{
  double wide = floor->high[0] - floor->low[0], high = floor->high[1] - floor->low[1];
  if (look->width > 0)
    return look->width;
  return fmax(SMALL, fmin(LARGE, TALL * wide / fmax(high, 1e-9)));
}

// Points with the first again at the end.
static double (*close_line(pc_svg *svg, const pc_recorded_wall *wall))[2]
{
  double(*point)[2] = pc_arena_take(&svg->arena, (size_t)wall->count + 1, sizeof *point);
  if (point != NULL) {
    memcpy(point, wall->point, (size_t)wall->count * sizeof *point);
    memcpy(point[wall->count], wall->point[0], sizeof *point);
  }
  return point;
}

static void draw_walls(pc_svg *svg, const pc_recorded_crowd *crowd, int floor)
{
  for (int i = 0; i < crowd->walls; i++) {
    const pc_recorded_wall *wall = &crowd->wall[i];
    double(*point)[2] = wall->floor == floor ? close_line(svg, wall) : NULL;
    if (point == NULL)
      continue;
    pc_svg_item line = {.kind = PC_SVG_LINE,
                        .color = PC_SVG_BLACK,
                        .count = wall->count + wall->solid,
                        .point = point,
                        .width = 1.4};
    if (wall->solid) {
      pc_svg_item area = line;
      area.kind = PC_SVG_REGION;
      pc_svg_add(svg, area);
    }
    pc_svg_add(svg, line);
  }
}

// Beside the middle of a line, on the side away from the middle of the floor.
static void find_beside(const pc_recorded_floor *floor, const double (*line)[2], double away,
                        double place[2])
{
  double middle[2], along[2], length = pc_hypot(line[1][0] - line[0][0], line[1][1] - line[0][1]);
  for (int k = 0; k < 2; k++) {
    middle[k] = 0.5 * (line[0][k] + line[1][k]);
    along[k] = length > 0 ? (line[1][k] - line[0][k]) / length : 0;
  }
  double out = (middle[0] - 0.5 * (floor->low[0] + floor->high[0])) * along[1] -
               (middle[1] - 0.5 * (floor->low[1] + floor->high[1])) * along[0];
  place[0] = middle[0] + copysign(away, out) * along[1];
  place[1] = middle[1] - copysign(away, out) * along[0];
}

static void draw_exits(pc_svg *svg, const pc_recorded_crowd *crowd, int floor, double away)
{
  for (int i = 0; i < crowd->goals; i++) {
    const pc_recorded_goal *goal = &crowd->goal[i];
    double place[2];
    if (goal->kind != PC_GOAL_EXIT || goal->floor != floor || goal->count < 2)
      continue;
    double(*point)[2] = pc_arena_copy(&svg->arena, goal->point, (size_t)goal->count, sizeof *point);
    pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_LINE,
                                  .color = PC_SVG_GREEN,
                                  .count = point != NULL ? goal->count : 0,
                                  .point = point,
                                  .width = 4});
    if (!(away > 0))
      continue;
    find_beside(&crowd->floor[floor], goal->point, away, place);
    pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_TEXT,
                                  .color = PC_SVG_GREEN,
                                  .text = goal->name,
                                  .x = place[0],
                                  .y = place[1]});
  }
}

static void draw_marks(pc_svg *svg, const pc_plan_look *look, int floor)
{
  for (int i = 0; i < look->marks; i++) {
    const double *line = look->mark[i].line;
    if (look->mark[i].floor != floor)
      continue;
    double(*point)[2] = pc_arena_copy(&svg->arena, line, 2, sizeof *point);
    pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_LINE,
                                  .color = PC_SVG_VERMILION,
                                  .count = point != NULL ? 2 : 0,
                                  .point = point,
                                  .width = 2.5});
    pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_TEXT,
                                  .color = PC_SVG_VERMILION,
                                  .text = pc_svg_print(svg, "%d", i + 1),
                                  .x = 0.5 * (line[0] + line[2]),
                                  .y = 0.5 * (line[1] + line[3])});
  }
}

// The cells of a floor as a map of squares.
static void draw_map(pc_svg *svg, const pc_recorded_crowd *crowd, int floor, const pc_plan_map *map)
{
  const pc_recorded_floor *own = &crowd->floor[floor];
  if (own->columns == 0 || own->rows == 0)
    return;
  size_t columns = (size_t)own->columns, rows = (size_t)own->rows;
  double *x = pc_arena_take(&svg->arena, columns + 1, sizeof *x);
  double *y = pc_arena_take(&svg->arena, rows + 1, sizeof *y);
  double *value = pc_arena_take(&svg->arena, columns * rows, sizeof *value);
  if (svg->arena.failed)
    return;
  for (size_t i = 0; i <= columns; i++)
    x[i] = own->origin[0] + (double)i * crowd->maps.spacing;
  for (size_t j = 0; j <= rows; j++)
    y[j] = own->origin[1] + (double)j * crowd->maps.spacing;
  for (size_t k = 0; k < columns * rows; k++)
    value[k] = own->cell[k] >= 0 ? map->value[own->cell[k]] : NAN;
  svg->map = (pc_svg_map){.nx = own->columns,
                          .ny = own->rows,
                          .x = x,
                          .y = y,
                          .value = value,
                          .bands = map->bands,
                          .limit = map->limit,
                          .palette = map->palette,
                          .band = map->band};
}

void pc_report_plan(pc_page *page, const pc_recorded_crowd *crowd, int floor,
                    const pc_plan_look *look, const pc_plan_map *map, const char *caption)
{
  const pc_recorded_floor *own = &crowd->floor[floor];
  double size = fmax(own->high[0] - own->low[0], own->high[1] - own->low[1]);
  double margin = (look->named ? 0.07 : 0.02) * size + 0.1;
  if (!isfinite(size)) // a floor with nothing on it
    return;
  pc_svg svg = {.title = look->title,
                .description = caption,
                .x = {"x [m]", own->low[0] - margin, own->high[0] + margin, false},
                .y = {"y [m]", own->low[1] - margin, own->high[1] + margin, false},
                .plan = true,
                .width = width_of(own, look)};
  if (map != NULL)
    draw_map(&svg, crowd, floor, map);
  draw_walls(&svg, crowd, floor);
  draw_exits(&svg, crowd, floor, look->named ? 0.04 * size : 0);
  draw_marks(&svg, look, floor);
  pc_page_picture(page, &svg, "%s", caption);
  pc_svg_free(&svg);
}

int pc_report_bands(double most, const char *unit, double limit[PC_SVG_BANDS],
                    char text[PC_SVG_BANDS][40], const char *name[PC_SVG_BANDS])
{
  double step = most > 0 ? pc_svg_step(most, PC_SVG_BANDS - 1) : 1;
  int bands = (int)fmin(PC_SVG_BANDS, fmax(1, floor(most / step) + 1));
  for (int k = 0; k < bands; k++) {
    limit[k] = (k + 1) * step;
    pc_print(text[k], 40, "%g \u2013 %g %s", k * step, (k + 1) * step, unit);
    name[k] = text[k];
  }
  return bands;
}
