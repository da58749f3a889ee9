// Where horizontal lines are inside areas. Whoever asks for many points on few lines, as those of a
// grid, cuts each line once with the edges that it crosses; a point then takes a binary search
// instead of a look at every edge. The answers are those of pc_is_inside.
#ifndef PERCUSS_CROWD_SCAN_H
#define PERCUSS_CROWD_SCAN_H

#include "crowd/layout.h"

typedef struct pc_scan_edge {
  double a[2], b[2], low, high;
  int area;
} pc_scan_edge;

// From right to left.
typedef struct pc_scan_cut {
  double x;
  int area;
  bool free; // between this cut and the next
} pc_scan_cut;

typedef struct pc_scan {
  PC_ARRAY(pc_scan_edge) edges;  // by their low ends, from below
  PC_ARRAY(int) active;          // that reach the lines
  int next;                      // edge that starts above
  PC_ARRAY(unsigned char) solid; // of each area; others can be walked on
  PC_ARRAY(unsigned char) inside;
  int walkable;
  PC_ARRAY(pc_scan_cut) cuts; // of all lines, one after the other
  PC_ARRAY(int) first;        // of each line, and the end
  long work;                  // edges looked at, since the start
} pc_scan;

// Areas; false when memory is out. pc_scan_free also after a failure.
bool pc_scan_add(pc_scan *scan, bool solid, int count, const double (*point)[2]);
bool pc_scan_add_layout(pc_scan *scan, const pc_layout *plan);
// Before the first line, and to begin again.
void pc_scan_begin(pc_scan *scan);
// The lines at these heights, none below those of the call before.
bool pc_scan_lines(pc_scan *scan, int lines, const double *y);
// Whether a point of a line is in no solid area and, if some can be walked on, in one of these.
bool pc_scan_allows(const pc_scan *scan, int line, double x);
void pc_scan_free(pc_scan *scan);

#endif
