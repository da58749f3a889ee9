// Exits, doors and other passages made wider: which keys of a scene have to change, and whether the
// walls allow it.
#ifndef PERCUSS_RUN_WIDENING_H
#define PERCUSS_RUN_WIDENING_H

#include "percuss/report.h"
#include "percuss/scene.h"

// A line across which people walk.
typedef struct pc_passage_line {
  char name[PC_REPORT_NAME];
  int floor;
  char key[40]; // that has its points, `exits.0.line`; "": it is a gap between walls
  double point[2][2];
  const char *why; // why it cannot be wider; NULL: that is not known yet
} pc_passage_line;

// The lines of a scene: its exits, its doors, and at most PC_NARROW_LINES gaps between walls of the
// file that are narrower than 1.2 m, the narrowest first. The caller frees the list.
enum { PC_NARROW_LINES = 8 };
pc_status pc_list_passages(const pc_scene *scene, pc_passage_line **list, int *count,
                           pc_error *error);

typedef struct pc_widening {
  char *changes;           // entries of `sweep`; NULL: it cannot be wider. The caller frees it
  char why[PC_REPORT_WHY]; // why not
  double shift[2];         // m, by which the two ends of the line move outward
} pc_widening;

// Moves the ends of a line apart: both by half, or one of them where the other cannot move. An end
// on a wall that goes on moves along it. Where walls end at the line, they become shorter; walls at
// a right angle to it, as those of a passage, move with it if the walls behind them allow it.
pc_status pc_widen_line(const pc_scene *scene, const pc_passage_line *line, double by,
                        pc_widening *widening, pc_error *error);

#endif
