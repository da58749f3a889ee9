// Plans of a recorded building in a report, with a map of its cells.
#ifndef PERCUSS_RUN_REPORT_PLAN_H
#define PERCUSS_RUN_REPORT_PLAN_H

#include "record/page.h"
#include "run/recorded_crowd.h"

typedef struct pc_plan_map {
  const double *value; // per cell; NAN: left empty
  int bands;           // colours, divided by the limits
  const double *limit;
  pc_svg_palette palette;
  const char *const *band; // names for a legend; NULL: none
} pc_plan_map;

// Places to point at, with a number each.
typedef struct pc_plan_mark {
  int floor;
  double line[4]; // from, to
} pc_plan_mark;

typedef struct pc_plan_look {
  double width;      // pixels; 0: as large as fits a page
  const char *title; // "": none
  bool named;        // exits have their names
  int marks;
  const pc_plan_mark *mark;
} pc_plan_look;

// Draws a floor; `map` may be NULL.
void pc_report_plan(pc_page *page, const pc_recorded_crowd *crowd, int floor,
                    const pc_plan_look *look, const pc_plan_map *map, const char *caption);
// Limits in equal, round steps from 0, at most PC_SVG_BANDS - 1, for values up to `most`, and names
// for the bands; gives how many bands there are.
int pc_report_bands(double most, const char *unit, double limit[PC_SVG_BANDS],
                    char text[PC_SVG_BANDS][40], const char *name[PC_SVG_BANDS]);

#endif
