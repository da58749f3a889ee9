// The order in which block rows are eliminated, chosen on the graph of the blocks, and the tree
// that follows from it.
#ifndef PERCUSS_SPARSE_ORDERING_H
#define PERCUSS_SPARSE_ORDERING_H

#include "sparse/block_matrix.h"

// Both triangles, without the diagonal: the neighbours of node i are neighbour[start[i]] ..
// neighbour[start[i+1]-1].
typedef struct pc_graph {
  int nodes;
  int *start;
  int *neighbour;
  const int *size; // numbers per node, borrowed from the matrix
} pc_graph;

// Everything here lives in an arena of the caller. The functions that return a bool give false when
// memory is out.
pc_status pc_graph_create(pc_graph *graph, const pc_block_matrix *pattern, pc_arena *arena,
                          pc_error *error);

// order[k] is the node to eliminate k-th; the last `kept` nodes come last. The same graph gives the
// same order in every run.
bool pc_graph_order(const pc_graph *graph, int kept, int *order, pc_arena *arena);

// Elimination of the graph in this order; nodes are named by their place in the order. The last
// `kept` of them count as neighbours of each other.
typedef struct pc_elimination {
  int *place;   // of each node in the order
  int *parent;  // the first node below the diagonal in the factor's column, -1 for a root
  int *blocks;  // in the factor's column, with the diagonal
  int *numbers; // height of the column in numbers, with the diagonal
  double flops;
} pc_elimination;

bool pc_elimination_create(pc_elimination *elimination, const pc_graph *graph, int kept,
                           const int *order, pc_arena *arena);

#endif
