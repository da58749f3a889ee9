// Sparse matrices of FCLIB files: lists of entries, and the dense blocks that bodies and contacts
// cut them into.
//
// Memory comes from an arena. Where it runs out, arena->failed is set and what is returned is
// empty.
#ifndef PERCUSS_SCENE_FCLIB_MATRIX_H
#define PERCUSS_SCENE_FCLIB_MATRIX_H

#include "core/memory.h"

// A number of a matrix. Of a matrix that is cut into blocks: the block, and where it is in there.
typedef struct pc_fclib_entry {
  int row, column, at;
  double value;
} pc_fclib_entry;

typedef struct pc_fclib_matrix {
  int rows, columns;
  long count;
  pc_fclib_entry *entries;
} pc_fclib_matrix;

// Sorts by row, then column, and adds repeated entries up.
void pc_fclib_sort(pc_fclib_matrix *m);
void pc_fclib_transpose(pc_fclib_matrix *m);
// Some files have one triangle of a symmetric matrix only. True if this is one: then it has both
// afterwards.
bool pc_fclib_complete_triangle(pc_arena *arena, pc_fclib_matrix *m);
// Whether entries of a sorted matrix differ from their mirrors by no more than round-off. The size
// of an entry is that of the diagonal entries of its row and column, sqrt(|m_ii m_jj|), because a
// matrix may have blocks of very different sizes.
bool pc_fclib_is_symmetric(pc_arena *arena, const pc_fclib_matrix *m);

// Which group a row or column belongs to and its place in there.
typedef struct pc_fclib_partition {
  int groups;
  int *group, *place;
  int *size; // of every group
} pc_fclib_partition;

pc_fclib_partition pc_fclib_partition_allocate(pc_arena *arena, int n);
// Groups of `size` that follow each other; after the first `several` of them, groups of one.
pc_fclib_partition pc_fclib_cut_consecutive(pc_arena *arena, int n, int size, int several);
// Degrees of freedom -> bodies: blocks of a rigid body where M is made of them, else pieces that do
// not touch each other, else nodes of a mesh.
pc_fclib_partition pc_fclib_cut_bodies(pc_arena *arena, const pc_fclib_matrix *mass, int space);
// The pieces of a square matrix that do not touch each other, whatever their size.
pc_fclib_partition pc_fclib_cut_pieces(pc_arena *arena, const pc_fclib_matrix *m);

// A dense piece of a matrix, up to 6 x 6, between two groups of its rows and columns: row by row,
// as wide as the group of columns.
typedef struct pc_fclib_block {
  int i, j;
  double value[36];
} pc_fclib_block;

// The blocks of a matrix that have entries, sorted by row, then column. Repeated entries add up.
pc_fclib_block *pc_fclib_cut_blocks(pc_arena *arena, const pc_fclib_matrix *m,
                                    const pc_fclib_partition *rows,
                                    const pc_fclib_partition *columns, long *count);

#endif
