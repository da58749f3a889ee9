// Supernodes: neighbouring columns of the factor with (nearly) the same rows, handled as one dense
// front.
#ifndef PERCUSS_SPARSE_SUPERNODES_H
#define PERCUSS_SPARSE_SUPERNODES_H

#include "sparse/ordering.h"

// Block columns first[s] .. first[s+1]-1 of the final order make supernode s. Its rows below them
// are row[row_start[s]] .. row[row_start[s+1]-1], ascending. Children come before their parent, and
// each subtree is contiguous.
typedef struct pc_supernodes {
  int count;
  int *first;      // count + 1
  int *parent;     // -1 for a root
  long *row_start; // count + 1
  int *row;
} pc_supernodes;

// Rearranges `order` within what the elimination tree allows. The last `kept` nodes, which must all
// touch each other, are a supernode of their own. Lives in the arena; false when memory is out.
bool pc_supernodes_create(pc_supernodes *supernodes, const pc_graph *graph, int kept, int *order,
                          pc_arena *arena);

#endif
