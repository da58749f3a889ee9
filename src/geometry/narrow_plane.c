// Shapes of space with a half-space: exact.
#include "geometry/narrow_pair.h"

typedef struct plane {
  pc_vec normal; // out of the solid, in world axes
} plane;

static void ball_plane(pc_pair *pair, pc_vec n)
{
  double height = pc_dot(n, pair->centre), gap = height - pair->a->ball;
  pc_pair_add(pair, pc_along(pair->centre, -pair->a->ball - 0.5 * gap, n), n, gap, 0);
}

// Vertices within the margin; only four of them carry a contact.
static void hull_plane(pc_pair *pair, pc_vec n)
{
  enum { BLOCK = 64 };
  const pc_hull *hull = &pair->a->hull;
  const double *turn = pair->at_a->rotation;
  pc_vec m = pc_turn_back(turn, n);
  double height = pc_dot(n, pair->centre);
  pc_touch touch[BLOCK];
  int count = 0;
  for (int v = 0; v < hull->vertices; v++) {
    pc_vec x = pc_vec_of(hull->vertex[v]);
    double gap = pc_dot(m, x) + height;
    if (gap > pair->margin)
      continue;
    if (count == BLOCK)
      count = pc_touch_reduce(count, touch, n, pair->size);
    pc_vec point = pc_add(pc_turn(turn, x), pair->centre);
    touch[count++] = (pc_touch){pc_along(point, -0.5 * gap, n), gap, pc_feature(1, v, 0, 0)};
  }
  pc_pair_add_spread(pair, count, touch, n);
}

void pc_collide_plane(pc_pair *pair)
{
  pc_vec n = pc_turn(pair->at_b->rotation, pc_vec_of(pair->b->plane.normal));
  switch (pair->a->type) {
  case PC_SPHERE:
    ball_plane(pair, n);
    break;
  case PC_BOX:
  case PC_POLYHEDRON:
    hull_plane(pair, n);
    break;
  default:
    break;
  }
}
