// Iso-lines of a function on a grid, by marching squares, joined into polylines.
#ifndef PERCUSS_CORE_CONTOURS_H
#define PERCUSS_CORE_CONTOURS_H

#include "percuss/status.h"

typedef struct pc_contours {
  int lines;
  int *start;         // lines + 1: where each line begins in `point`
  double (*point)[2]; // a closed line ends with the point it begins with
} pc_contours;

// Finds the lines where the values equal `level`, with values linear along the edges of the grid.
// value[j * nx + i] is at x[i], y[j]; x and y ascend. Cells with a NaN are left out, and lines end
// there. A saddle is joined by the mean of its corners. Lines of one level neither cross nor share
// a point.
pc_status pc_contours_trace(int nx, int ny, const double *x, const double *y, const double *value,
                            double level, pc_contours *contours, pc_error *error);
void pc_contours_free(pc_contours *contours);

#endif
