// The grid of a floor: nodes, steps between them that walls block, and walking speed.
#ifndef PERCUSS_CROWD_GRID_H
#define PERCUSS_CROWD_GRID_H

#include "crowd/corners.h"

// The grid of a floor, for all its goals.
typedef struct pc_grid {
  pc_arena arena; // of all arrays here
  const pc_layout *plan;
  double low[2], spacing;
  int columns, rows;
  unsigned char *barred; // per node: a bit for each neighbour to which the step is blocked
  double *slowness;      // per node, s/m at a speed of 1 m/s
  bool even;             // slowness is the same everywhere
  double (*line)[4];     // that no path crosses
  int lines;
  pc_layout doors; // the lines as walls, sorted into squares
  pc_corners corners;
} pc_grid;

// `inset`: nodes nearer than that to walls cost `reluctance` times as much, to keep paths away from
// walls; 0: no effect.
typedef struct pc_grid_def {
  double spacing, inset, reluctance;
  int lines;
  const double (*line)[4]; // that no path crosses: exits
  double margin;           // beyond the plan, m
} pc_grid_def;
pc_status pc_grid_make(pc_grid *grid, const pc_layout *plan, const pc_grid_def *def,
                       pc_error *error);
void pc_grid_free(pc_grid *grid);
// Whether a wall, an obstacle or one of the lines blocks the straight line from p to q.
bool pc_grid_bars(const pc_grid *grid, const double p[2], const double q[2]);
// Node k of the four around a place, if it is visible from there, or -1; and the first that is.
int pc_grid_seen(const pc_grid *grid, const double p[2], int k);
int pc_grid_node(const pc_grid *grid, const double p[2]);
// Marks all nodes connected with a node, with an optional additional line that no path crosses.
// Gives their number; 0: memory is out.
int pc_grid_flood(const pc_grid *grid, int from, const double *line, unsigned char *seen);
// Multiplies the slowness of the nodes in an area, and marks them unless `marks` is NULL. False
// when memory is out.
bool pc_grid_slow(pc_grid *grid, int count, const double (*area)[2], double factor,
                  unsigned char *marks, int mark);

// Neighbours of a node counter-clockwise, from the right.
static const int PC_GRID_STEP[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                       {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

static inline void pc_grid_place(const pc_grid *grid, int column, int row, double p[2])
{
  p[0] = grid->low[0] + column * grid->spacing;
  p[1] = grid->low[1] + row * grid->spacing;
}

static inline bool pc_grid_has(const pc_grid *grid, int column, int row)
{
  return column >= 0 && row >= 0 && column < grid->columns && row < grid->rows;
}

#endif
