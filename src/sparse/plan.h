// The symbolic part that the factorisations share: which front holds what, and where everything
// goes. It follows from the pattern alone, so the numeric phases only zero, add and call the dense
// kernels.
#ifndef PERCUSS_SPARSE_PLAN_H
#define PERCUSS_SPARSE_PLAN_H

#include <stddef.h>

#include "sparse/block_matrix.h"
#include "sparse/front.h"

// A block of the matrix and where it goes in the panels. Rows and columns are those of the matrix.
typedef struct pc_block_load {
  long source, target;
  unsigned char rows, columns;
  bool turned; // its row is eliminated before its column, so it enters transposed
} pc_block_load;

// Consecutive rows below a front's pivots that stay consecutive where they go.
typedef struct pc_row_run {
  int source; // within the rows below the pivots
  int target;
  int length;
} pc_row_run;

// The panel of a front has its pivots in the first rows and those below from row `base`.
typedef struct pc_front_plan {
  int pivots, below; // numbers
  int base;          // pivots, or the next multiple of 4
  int first;         // place of the first pivot in the eliminated order
  int child, next;   // first child, next sibling; -1 ends
  long panel;        // in the panels
  long update;       // in the updates
  long load;         // first of its blocks in `load`
  long parent_run;   // first of its runs in `parent_run`, targets in the parent's front: pivots,
                     // then rows below
  long order_run;    // first of its runs in `order_run`, targets in the eliminated order
} pc_front_plan;

typedef struct pc_factor_plan {
  pc_arena arena; // of all arrays, and of the numbers of the factor
  int rows, blocks;
  int *source; // where block row order[k] starts in the caller's vectors
  int *start;  // where it starts in the eliminated order, rows + 1
  int *place;  // the k of each block row of the matrix
  int fronts;
  pc_front_plan *front; // fronts + 1; the last one closes the lists
  pc_block_load *load;
  pc_row_run *parent_run, *order_run;
  size_t panels, updates; // numbers; the updates are two stacks
  int highest;            // rows of the highest panel
  double flops;           // of a Cholesky factorisation
} pc_factor_plan;

// `aligned`: the rows below the pivots start at a multiple of 4. The last `kept` block rows are the
// last front, whatever blocks there are between them. On error free it all the same.
pc_status pc_factor_plan_create(pc_factor_plan *plan, const pc_block_matrix *pattern, bool aligned,
                                int kept, pc_error *error);
void pc_factor_plan_free(pc_factor_plan *plan);
bool pc_factor_plan_fits(const pc_factor_plan *plan, const pc_block_matrix *matrix);

static inline long pc_front_height(const pc_front_plan *front)
{
  return pc_front_pad(front->base + front->below);
}

// Numbers that start at a cache line, with zeros that a kernel may read beyond their end.
double *pc_factor_plan_take(pc_arena *arena, size_t count);
// Between the caller's order and the eliminated one.
void pc_factor_plan_gather(const pc_factor_plan *plan, const double *x, double *ordered);
void pc_factor_plan_scatter(const pc_factor_plan *plan, const double *ordered, double *x);

#endif
