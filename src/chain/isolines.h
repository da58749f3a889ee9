// Iso-lines of a function on a grid, by marching squares.
#ifndef PERCUSS_CHAIN_ISOLINES_H
#define PERCUSS_CHAIN_ISOLINES_H

#include "core/memory.h"

// Edge a nx ny + j nx + i of the grid goes from node i, j to the next one along x (a = 0) or y (1).
typedef struct pc_isolines {
  int lines;
  int *start; // lines + 1: where each line begins in `edge`
  int *edge;  // crossed by the line; a closed line ends with the edge it begins with
} pc_isolines;

// Finds the lines that separate nodes below a level from the others. value[j * nx + i] is that of
// node i, j. Cells with a NaN are left out, and lines end there. A saddle is joined by the mean of
// its corners. Every crossed edge is on one line. False when memory is out; the arena owns the
// lines.
bool pc_isolines_trace(int nx, int ny, const double *value, double level, pc_arena *arena,
                       pc_isolines *lines);

#endif
