// A static tree of boxes, to find those that overlap a box.
#ifndef PERCUSS_GEOMETRY_TREE_H
#define PERCUSS_GEOMETRY_TREE_H

#include <stdbool.h>

#include "core/memory.h"

typedef struct pc_tree pc_tree;

// Boxes are low x, y, z, high x, y, z. They are copied; the arena owns the tree. NULL when memory
// is out.
pc_tree *pc_tree_build(pc_arena *arena, int count, const double (*box)[6]);

// Calls `visit` with the number of every box that overlaps or touches `box`, each once, in an order
// that depends on nothing but the boxes. `visit` answers false to stop.
void pc_tree_query(const pc_tree *tree, const double box[6], bool (*visit)(void *, int),
                   void *context);

#endif
