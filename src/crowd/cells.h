// Points of the plane sorted into square cells, to find those near a place.
#ifndef PERCUSS_CROWD_CELLS_H
#define PERCUSS_CROWD_CELLS_H

#include <stdbool.h>

#include "core/array.h"

typedef struct pc_cells {
  double low[2], size, per; // per: 1 / size
  int columns, rows;
  PC_ARRAY(int) start; // per cell, of its points in `point`; one more at the end
  PC_ARRAY(int) point;
  PC_ARRAY(int) cell; // of each point; -1: it is not there
} pc_cells;

// Sorts the points with `there` (NULL: all) into cells of this size, or of a larger one if there
// would be far more cells than points. False when memory is out.
bool pc_cells_sort(pc_cells *cells, int threads, int count, const double (*place)[2],
                   const unsigned char *there, double size);
void pc_cells_free(pc_cells *cells);

static inline int pc_cells_points(const pc_cells *cells)
{
  return cells->start.at[cells->columns * cells->rows];
}

// The cell of a place; outside the cells, the nearest one.
static inline int pc_cells_along(const pc_cells *cells, double x, int axis)
{
  double at = (x - cells->low[axis]) * cells->per;
  int last = (axis == 0 ? cells->columns : cells->rows) - 1;
  return !(at > 0) ? 0 : at >= last ? last : (int)at;
}

#endif
