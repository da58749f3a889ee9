// What is wrong with the plan of a building, and how wide and large its parts are.
#ifndef PERCUSS_CROWD_INSPECTION_H
#define PERCUSS_CROWD_INSPECTION_H

#include "core/array.h"
#include "percuss/crowd.h"

typedef enum pc_finding_kind {
  PC_FOUND_EXIT,   // an exit or area that nobody can use
  PC_FOUND_OPEN,   // a wall is missing: the inside is connected with the outside
  PC_FOUND_GAP,    // the end of a wall nearly touches another one
  PC_FOUND_ISLAND, // a place from where no way leads to an exit or area
  PC_FOUND_NARROW, // a narrow place where people walk
  PC_FOUND_KINDS
} pc_finding_kind;

typedef struct pc_finding {
  pc_finding_kind kind;
  int floor, goal; // goal of PC_FOUND_EXIT
  double place[2];
  double line[4];   // PC_FOUND_GAP, PC_FOUND_NARROW: the shortest line between the walls
  double width;     // of that
  bool landing;     // one of the walls is around the half metre behind a line of stairs
  double area;      // PC_FOUND_ISLAND, m^2
  const char *what; // PC_FOUND_EXIT
} pc_finding;

typedef struct pc_inspected_line {
  int floor, goal;   // -1: of stairs
  double line[2][2]; // as it was cut into a wall
  double width;      // of the widest person that fits
} pc_inspected_line;

typedef struct pc_inspection {
  PC_ARRAY(pc_finding) findings; // by floor, kind and size
  PC_ARRAY(pc_inspected_line) lines;
  PC_ARRAY(double) area; // per floor: what can be walked on, m^2
} pc_inspection;

// Finishes the building with a choice of all its goals. Exits that are impossible are noted instead
// of an error.
pc_status pc_inspection_finish(pc_crowd *crowd);
// Inspects a building that was finished so; `narrow`: m, the width below which a place is narrow.
pc_status pc_inspect(pc_crowd *crowd, double narrow, pc_inspection *inspection);
void pc_inspection_free(pc_inspection *inspection);

#endif
