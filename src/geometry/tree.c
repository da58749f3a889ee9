// Each node halves its boxes at the median of their middles, along the axis where these spread
// most. Halving makes the depth known, and the left child follows its parent.
#include "geometry/tree.h"

#include <math.h>
#include <string.h>

#include "geometry/shape_make.h"

enum { LEAF = 4, DEPTH = 64 };

typedef struct node {
  double box[6];
  int first, count; // of its boxes, in `number`
  int right;        // 0: a leaf
} node;

struct pc_tree {
  int nodes;
  node *node;
  int *number;      // of a box, in the order of the leaves
  double (*box)[6]; // in the same order
};

// A box while the tree is built.
typedef struct entry {
  double middle[3];
  int number;
} entry;

static bool before(const entry *a, const entry *b, int axis)
{
  if (a->middle[axis] != b->middle[axis])
    return a->middle[axis] < b->middle[axis];
  return a->number < b->number;
}

// Entries in an order made to mislead the choice of the middle one would take as many rounds as
// there are entries. From some round on another one is taken, which no order can foresee.
static int choose_pivot(int low, int high, unsigned round)
{
  enum { ENOUGH = 128 }; // rounds: several times what any two million entries without malice take
  unsigned span = (unsigned)(high - low);
  return low + (int)(round < ENOUGH ? span / 2 : (round * 2654435761u >> 3) % (span + 1));
}

// Quickselect: the `half` smallest come first.
static void halve(entry *e, int count, int half, int axis)
{
  int low = 0, high = count - 1;
  for (unsigned round = 0; low < high; round++) {
    entry pivot = e[choose_pivot(low, high, round)];
    int i = low, j = high;
    while (i <= j) {
      while (before(&e[i], &pivot, axis))
        i++;
      while (before(&pivot, &e[j], axis))
        j--;
      if (i <= j) {
        entry other = e[i];
        e[i++] = e[j];
        e[j--] = other;
      }
    }
    if (half <= j)
      high = j;
    else if (half >= i)
      low = i;
    else
      return;
  }
}

static int widest_axis(const entry *e, int count)
{
  int best = 0;
  double width = -1;
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) { // fmin is a call
      low = e[i].middle[k] < low ? e[i].middle[k] : low;
      high = e[i].middle[k] > high ? e[i].middle[k] : high;
    }
    if (high - low > width) {
      width = high - low;
      best = k;
    }
  }
  return best;
}

static void include(double box[6], const double other[6])
{
  pc_box_include(other, box);
  pc_box_include(other + 3, box);
}

// The depth of the recursion is the logarithm of the count.
static int build(pc_tree *tree, entry *e, int first, int count, const double (*box)[6])
{
  int at = tree->nodes++;
  node *n = &tree->node[at];
  *n = (node){.first = first, .count = count};
  pc_box_empty(n->box);
  if (count > LEAF) {
    int half = count / 2;
    halve(e + first, count, half, widest_axis(e + first, count));
    int left = build(tree, e, first, half, box);
    n->right = build(tree, e, first + half, count - half, box);
    include(n->box, tree->node[left].box);
    include(n->box, tree->node[n->right].box);
  }
  for (int i = first; i < first + count && count <= LEAF; i++)
    include(n->box, box[e[i].number]);
  return at;
}

pc_tree *pc_tree_build(pc_arena *arena, int count, const double (*box)[6])
{
  pc_arena scratch = {0};
  pc_tree *tree = pc_arena_take(arena, 1, sizeof *tree);
  entry *e = pc_arena_take(&scratch, (size_t)count, sizeof *e);
  if (arena->failed || scratch.failed) {
    pc_arena_free(&scratch);
    return NULL;
  }
  // A leaf has at least LEAF / 2 boxes, unless it is the root.
  tree->node = pc_arena_take(arena, 2 * ((size_t)count / (LEAF / 2)) + 1, sizeof *tree->node);
  tree->number = pc_arena_take(arena, (size_t)count, sizeof(int));
  tree->box = pc_arena_take(arena, (size_t)count, sizeof *tree->box);
  if (!arena->failed) {
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < 3; k++)
        e[i].middle[k] = 0.5 * box[i][k] + 0.5 * box[i][3 + k];
      e[i].number = i;
    }
    build(tree, e, 0, count, box);
    for (int i = 0; i < count; i++) {
      tree->number[i] = e[i].number;
      memcpy(tree->box[i], box[e[i].number], sizeof tree->box[i]);
    }
  }
  pc_arena_free(&scratch);
  return arena->failed ? NULL : tree;
}

static bool overlap(const double a[6], const double b[6])
{
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] &&
         b[2] <= a[5];
}

void pc_tree_query(const pc_tree *tree, const double box[6], bool (*visit)(void *, int),
                   void *context)
{
  int stack[DEPTH], height = 0;
  stack[height++] = 0;
  while (height > 0) {
    const node *n = &tree->node[stack[--height]];
    if (!overlap(n->box, box))
      continue;
    if (n->right != 0) {
      stack[height++] = n->right;
      stack[height++] = (int)(n - tree->node) + 1;
      continue;
    }
    for (int i = n->first; i < n->first + n->count; i++)
      if (overlap(tree->box[i], box) && !visit(context, tree->number[i]))
        return;
  }
}
