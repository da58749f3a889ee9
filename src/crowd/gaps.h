// Gaps between walls, and the width of bodies that fit through them.
#ifndef PERCUSS_CROWD_GAPS_H
#define PERCUSS_CROWD_GAPS_H

#include "crowd/layout.h"

// The shortest line between two walls or round obstacles that do not touch.
typedef struct pc_gap {
  double line[4], width;
} pc_gap;
typedef PC_ARRAY(pc_gap) pc_gap_list;

// Lists all gaps of a finished plan that are narrower than `width`.
pc_status pc_gaps_find(const pc_layout *plan, double width, pc_gap_list *gaps, pc_error *error);
// A plan with these gaps as walls.
pc_status pc_gaps_close(const pc_layout *plan, const pc_gap_list *gaps, pc_layout *closed,
                        pc_error *error);
// The widest body that fits on a line: twice the clearance at its best place, and that place.
double pc_gap_of_line(const pc_layout *plan, const double a[2], const double b[2], double at[2]);

#endif
