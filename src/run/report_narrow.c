#include "run/report_narrow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crowd/crowd.h"
#include "crowd/inspection.h"
#include "run/report_plan.h"
#include "scene/scene_file.h"

#define NARROW 1.2 // m
enum { MOST = 40 };

static void ignore(void *context, pc_told what, const char *text) {}

static int narrower(const void *a, const void *b)
{
  const pc_finding *one = a, *two = b;
  return (one->width > two->width) - (one->width < two->width);
}

// Those that are narrow; they move to the front, the narrowest first.
static int take_narrow(pc_inspection *found)
{
  int count = 0;
  for (int i = 0; i < found->findings.count; i++)
    if (found->findings.at[i].kind == PC_FOUND_NARROW)
      found->findings.at[count++] = found->findings.at[i];
  if (count > 0)
    qsort(found->findings.at, (size_t)count, sizeof *found->findings.at, narrower);
  return count;
}

static void put_lines(pc_page *page, const pc_scene *scene, const pc_inspection *found)
{
  static const char *const heads[] = {"passage", PC_PAGE_WORDS "floor", "width for people [m]"};
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  for (int i = 0; i < found->lines.count; i++) {
    const pc_inspected_line *line = &found->lines.at[i];
    pc_page_row(page, "%s", line->goal >= 0 ? scene->people.goal[line->goal].name : "stairs");
    pc_page_cell(page, "%s", scene->people.floor_names[line->floor]);
    pc_page_number(page, 2, line->width);
  }
  pc_page_end_table(page);
}

static void put_places(pc_page *page, const pc_scene *scene, const pc_inspection *found, int count,
                       const pc_variant *v)
{
  static const char *const heads[] = {"", PC_PAGE_WORDS "floor", PC_PAGE_WORDS "place [m]",
                                      "width [m]", PC_PAGE_WORDS ""};
  int landings = 0;
  pc_plan_mark mark[MOST];
  int shown = count < MOST ? count : MOST;
  pc_page_text(page, "%d %s narrower than %g m%s:", count,
               count == 1 ? "place where people walk is" : "places where people walk are", NARROW,
               count > shown ? ", of which the narrowest are" : "");
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  for (int i = 0; i < shown; i++) {
    const pc_finding *place = &found->findings.at[i];
    pc_page_row(page, "%d", i + 1);
    pc_page_cell(page, "%s", scene->people.floor_names[place->floor]);
    pc_page_cell(page, "(%.4g, %.4g)", place->place[0], place->place[1]);
    pc_page_number(page, 2, place->width);
    pc_page_cell(page, "%s", place->landing ? "beside stairs" : "");
    landings += place->landing;
    mark[i].floor = place->floor;
    memcpy(mark[i].line, place->line, sizeof mark[i].line);
  }
  pc_page_end_table(page);
  if (landings > 0)
    pc_page_small(page, "Beside stairs: between a wall and the half metre behind a line of stairs, "
                        "which belongs to the stairs.");
  for (int f = 0; f < v->crowd.floors && v->detailed; f++) {
    const pc_plan_look look = {.title = v->crowd.floors > 1 ? v->crowd.floor[f].name : "",
                               .named = true,
                               .marks = shown,
                               .mark = mark};
    pc_report_plan(page, &v->crowd, f, &look, NULL,
                   "Narrow places, with the numbers of the table.");
  }
}

pc_status pc_report_narrow(pc_page *page, const pc_scene *scene, const pc_variant *v,
                           pc_error *error)
{
  pc_scene building;
  pc_inspection found = {.findings = {0}};
  pc_error reason = {.status = PC_OK};
  pc_page_part(page, "Widths");
  pc_status status = pc_scene_read_building(scene->path, &building, ignore, NULL, &reason);
  if (status == PC_ERROR_MEMORY)
    return pc_fail(error, status, "%s", reason.text);
  if (status != PC_OK) { // what can be run may still be more than a building
    pc_page_text(page, "The building could not be inspected: %s", reason.text);
    return PC_OK;
  }
  status = pc_inspect(building.crowd, NARROW, &found);
  if (status != PC_OK)
    pc_fail(error, status, "%s", pc_crowd_error(building.crowd));
  if (status == PC_OK) {
    int count = take_narrow(&found);
    put_lines(page, &building, &found);
    if (count > 0)
      put_places(page, &building, &found, count, v);
    else
      pc_page_text(page, "No place where people walk is narrower than %g m.", NARROW);
  }
  pc_inspection_free(&found);
  pc_scene_free(&building);
  return status;
}
