// Shapes of space with a half-space: exact.
#include "geometry/narrow_pair.h"

// Vertices within the margin; only four of them carry a contact.
static void hull_plane(pc_pair *pair, pc_vec n)
{
  enum { BLOCK = 64 };
  const pc_hull *hull = pair->a->hull;
  const double *turn = pair->at_a->rotation;
  pc_vec m = pc_turn_back(turn, n);
  double height = pc_dot(n, pair->centre);
  pc_candidate touch[BLOCK];
  int count = 0;
  for (int v = 0; v < hull->vertices; v++) {
    pc_vec x = pc_vec_of(hull->vertex[v]);
    double gap = pc_dot(m, x) + height;
    if (gap > pair->margin)
      continue;
    if (count == BLOCK)
      count = pc_reduce_candidates(count, touch, n, pair->size);
    pc_vec point = pc_add(pc_turn(turn, x), pair->centre);
    touch[count++] = (pc_candidate){pc_along(point, -0.5 * gap, n), gap, pc_feature(1, v, 0, 0)};
  }
  pc_pair_add_spread(pair, count, touch, n);
}

static void capsule_plane(pc_pair *pair, pc_vec n)
{
  const double *m = pair->at_a->rotation;
  double radius = pair->a->rod.radius, half = pair->a->rod.half;
  for (int k = 0; k < 2; k++) {
    pc_vec end = pc_along(pair->centre, k == 0 ? -half : half, (pc_vec){m[2], m[5], m[8]});
    double gap = pc_dot(n, end) - radius;
    pc_pair_add(pair, pc_along(end, -radius - 0.5 * gap, n), n, gap, pc_feature(1, k, 0, 0));
  }
}

// The deepest point of each rim is exact. A cap that faces the plane has three points more, fixed
// to the body at quarters of its rim: the deepest takes the place of the quarter it is in. As good
// as flat, all four are fixed, so that noise does not move them around.
static void cylinder_plane(pc_pair *pair, pc_vec n)
{
  const double *m = pair->at_a->rotation;
  double radius = pair->a->rod.radius, half = pair->a->rod.half;
  pc_vec quarter[4] = {{m[0], m[3], m[6]}, {m[1], m[4], m[7]}}, axis = {m[2], m[5], m[8]};
  quarter[2] = pc_scale(-1, quarter[0]), quarter[3] = pc_scale(-1, quarter[1]);
  double x = -pc_dot(n, quarter[0]), y = -pc_dot(n, quarter[1]), z = pc_dot(n, axis);
  double tilt = sqrt(x * x + y * y);
  int near = fabs(x) >= fabs(y) ? (x >= 0 ? 0 : 2) : (y >= 0 ? 1 : 3);
  pc_vec down = quarter[near];
  if (tilt > 1e-5)
    down = pc_along(pc_scale(x / tilt, quarter[0]), y / tilt, quarter[1]);
  bool standing = fabs(z) > 0.7;
  pc_candidate touch[5];
  int count = 0;
  for (int end = 0; end < 2; end++) {
    pc_vec base = pc_along(pair->centre, end == 0 ? -half : half, axis);
    double height = pc_dot(n, base);
    bool facing = standing && (end == 0) == (z > 0);
    for (int k = 0; k < 4; k++) {
      if (k != near && !facing)
        continue;
      pc_vec to = k == near ? down : quarter[k];
      double gap = k == near ? height - radius * tilt : height + radius * pc_dot(n, to);
      pc_vec point = pc_along(pc_along(base, radius, to), -0.5 * gap, n);
      touch[count++] = (pc_candidate){point, gap, pc_feature(1, end, standing ? k : 4, 0)};
    }
  }
  pc_pair_add_spread(pair, count, touch, n);
}

void pc_collide_plane(pc_pair *pair)
{
  pc_vec n = pc_turn(pair->at_b->rotation, pc_vec_of(pair->b->plane.normal));
  double gap;
  switch (pair->a->type) {
  case PC_SPHERE:
    gap = pc_dot(n, pair->centre) - pair->a->ball;
    pc_pair_add(pair, pc_along(pair->centre, -pair->a->ball - 0.5 * gap, n), n, gap, 0);
    break;
  case PC_BOX:
  case PC_POLYHEDRON:
    hull_plane(pair, n);
    break;
  case PC_CAPSULE:
    capsule_plane(pair, n);
    break;
  case PC_CYLINDER:
    cylinder_plane(pair, n);
    break;
  case PC_COMPOUND:
  case PC_PLANE:
  case PC_MESH:
  case PC_HEIGHTS:
  case PC_DISC:
  case PC_POLYGON:
  case PC_CHAIN:
  case PC_SHAPE_TYPES:
    break;
  }
}
