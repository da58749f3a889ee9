#include "run/inspection_picture.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"
#include "record/replace.h"
#include "record/svg.h"

// Lines of a legend entry, interrupted by points that are no numbers.
typedef struct pen {
  pc_svg *svg;
  int count, most;
  double (*point)[2];
} pen;

static pen take_pen(pc_svg *svg, size_t lines)
{
  pen p = {.svg = svg, .most = (int)(3 * lines)};
  p.point = pc_arena_take(&svg->arena, 3 * lines + 1, sizeof *p.point);
  return p;
}

static void stroke(pen *p, const double a[2], const double b[2])
{
  if (p->point == NULL || p->count + 3 > p->most)
    return;
  memcpy(p->point[p->count++], a, sizeof *p->point);
  memcpy(p->point[p->count++], b, sizeof *p->point);
  p->point[p->count][0] = p->point[p->count][1] = NAN;
  p->count++;
}

static void put_down(pen *p, pc_svg_color color, double width, const char *what)
{
  if (p->count > 0)
    pc_svg_add(p->svg, (pc_svg_item){.kind = PC_SVG_LINE,
                                     .color = color,
                                     .text = what,
                                     .count = p->count,
                                     .point = p->point,
                                     .width = width});
}

static void draw_walls(pc_svg *svg, const pc_layout *plan)
{
  enum { SIDES = 48 };
  const double TURN = 6.283185307179586;
  pen p = take_pen(svg, (size_t)plan->walls + SIDES * (size_t)plan->discs.count);
  for (int i = 0; i < plan->walls; i++)
    stroke(&p, plan->wall[i], plan->wall[i] + 2);
  for (int i = 0; i < plan->discs.count; i++)
    for (int k = 0; k < SIDES; k++) {
      const double *disc = plan->discs.at[i];
      double end[2][2];
      for (int j = 0; j < 2; j++) {
        end[j][0] = disc[0] + disc[2] * pc_cos(TURN * (k + j) / SIDES);
        end[j][1] = disc[1] + disc[2] * pc_sin(TURN * (k + j) / SIDES);
      }
      stroke(&p, end[0], end[1]);
    }
  put_down(&p, PC_SVG_GREY, 1, "walls");
}

static void draw_lines(pc_svg *svg, const pc_inspection *inspection, int floor, bool exits)
{
  pen p = take_pen(svg, (size_t)inspection->lines.count);
  for (int i = 0; i < inspection->lines.count; i++) {
    const pc_inspected_line *line = &inspection->lines.at[i];
    if (line->floor == floor && (line->goal >= 0) == exits)
      stroke(&p, line->line[0], line->line[1]);
  }
  put_down(&p, exits ? PC_SVG_GREEN : PC_SVG_PURPLE, 3, exits ? "exits" : "stairs");
}

static const struct {
  pc_svg_color color;
  pc_svg_marker marker;
  const char *what;
} marks[PC_FOUND_KINDS] = {
    [PC_FOUND_EXIT] = {PC_SVG_VERMILION, PC_SVG_CROSS, "exit that nobody can use"},
    [PC_FOUND_OPEN] = {PC_SVG_VERMILION, PC_SVG_SQUARE, "a wall is missing"},
    [PC_FOUND_GAP] = {PC_SVG_VERMILION, PC_SVG_RING, "walls nearly touch"},
    [PC_FOUND_ISLAND] = {PC_SVG_BLUE, PC_SVG_DIAMOND, "no way to an exit"},
    [PC_FOUND_NARROW] = {PC_SVG_ORANGE, PC_SVG_TRIANGLE, "narrow place"}};

static void draw_findings(pc_svg *svg, const pc_inspection *inspection, int floor, double size)
{
  bool named[PC_FOUND_KINDS] = {false};
  pen narrow = take_pen(svg, (size_t)inspection->findings.count);
  for (int i = 0; i < inspection->findings.count; i++) {
    const pc_finding *found = &inspection->findings.at[i];
    if (found->floor != floor)
      continue;
    if (found->kind == PC_FOUND_NARROW)
      stroke(&narrow, found->line, found->line + 2);
    pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_POINT,
                                  .color = marks[found->kind].color,
                                  .marker = marks[found->kind].marker,
                                  .text = named[found->kind] ? NULL : marks[found->kind].what,
                                  .x = found->place[0],
                                  .y = found->place[1]});
    pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_TEXT,
                                  .color = marks[found->kind].color,
                                  .text = pc_svg_print(svg, "%d", i + 1),
                                  .x = found->place[0] + 0.02 * size,
                                  .y = found->place[1] + 0.02 * size});
    named[found->kind] = true;
  }
  put_down(&narrow, PC_SVG_ORANGE, 1.6, NULL);
}

pc_status pc_inspection_draw(const pc_scene *scene, const pc_inspection *inspection, int floor,
                             const char *path, pc_error *error)
{
  const pc_layout *plan = &scene->crowd->floors.at[floor].plan;
  pc_svg svg = {.x = {.title = "x [m]"}, .y = {.title = "y [m]"}};
  double size = fmax(plan->high[0] - plan->low[0], plan->high[1] - plan->low[1]);
  double margin = 0.05 * size;
  if (pc_replace_check(path, &pc_svg_own, error) != PC_OK)
    return error->status;
  svg.title = pc_svg_print(&svg, "%s", scene->people.floor_names[floor]);
  svg.description = "Plan of a floor with what an inspection found.";
  svg.note = pc_svg_print(&svg, "%.4g m² can be walked on", inspection->area.at[floor]);
  svg.x.from = plan->low[0] - margin, svg.x.to = plan->high[0] + margin;
  svg.y.from = plan->low[1] - margin, svg.y.to = plan->high[1] + margin;
  for (int i = 0; i < inspection->findings.count; i++) { // also outside of the walls
    const pc_finding *found = &inspection->findings.at[i];
    if (found->floor != floor)
      continue;
    svg.x.from = fmin(svg.x.from, found->place[0] - margin);
    svg.x.to = fmax(svg.x.to, found->place[0] + margin);
    svg.y.from = fmin(svg.y.from, found->place[1] - margin);
    svg.y.to = fmax(svg.y.to, found->place[1] + margin);
  }
  draw_walls(&svg, plan);
  draw_lines(&svg, inspection, floor, true);
  draw_lines(&svg, inspection, floor, false);
  draw_findings(&svg, inspection, floor, size);
  pc_status status = svg.arena.failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                                      : pc_svg_write(&svg, path, error);
  pc_svg_free(&svg);
  return status;
}
