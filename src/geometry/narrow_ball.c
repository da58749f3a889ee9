// Spheres with spheres and with polyhedra.
#include "geometry/narrow_hull.h"
#include "geometry/narrow_pair.h"

void pc_collide_balls(pc_pair *pair)
{
  double ra = pair->a->ball, rb = pair->b->ball;
  double distance = pc_length(pair->centre), gap = distance - ra - rb;
  if (gap > pair->margin)
    return;
  // Coincident centres have no normal of their own: it points up.
  pc_vec normal = distance > 1e-12 * pair->size ? pc_scale(1 / distance, pair->centre)
                                                : (pc_vec){0, 0, pair->swapped ? -1 : 1};
  pc_pair_add(pair, pc_scale(rb + 0.5 * gap, normal), normal, gap, 0);
}

// The point of a box nearest to p, which is outside; or the nearest face, from inside.
static double box_nearest(const double half[3], const double p[3], double normal[3])
{
  double q[3], square = 0;
  int least = 0;
  double depth = INFINITY;
  for (int i = 0; i < 3; i++) {
    double over = fabs(p[i]) - half[i];
    q[i] = over > 0 ? copysign(over, p[i]) : 0;
    square += q[i] * q[i];
    if (-over < depth)
      depth = -over, least = i;
  }
  double size = half[0] + half[1] + half[2];
  if (square > 1e-24 * size * size) {
    double distance = sqrt(square);
    for (int i = 0; i < 3; i++)
      normal[i] = q[i] / distance;
    return distance;
  }
  for (int i = 0; i < 3; i++)
    normal[i] = i == least ? (p[i] < 0 ? -1 : 1) : 0;
  return -depth;
}

// The point of a face nearest to p, whose height over the face is `height`.
static pc_vec face_nearest(const pc_hull *hull, int face, pc_vec p, double height, bool *inside)
{
  pc_vec n = pc_vec_of(hull->plane[face]), best = pc_along(p, -height, n);
  pc_vec foot = best;
  double least = INFINITY;
  *inside = true;
  int start = hull->face_start[face], end = hull->face_start[face + 1];
  for (int k = start; k < end; k++) {
    pc_vec u = pc_vec_of(hull->vertex[hull->face_vertex[k]]);
    pc_vec v = pc_vec_of(hull->vertex[hull->face_vertex[k + 1 < end ? k + 1 : start]]);
    pc_vec e = pc_sub(v, u), d = pc_sub(foot, u);
    if (pc_dot(pc_times(e, n), d) <= 0)
      continue;
    *inside = false;
    double t = pc_dot(d, e) / pc_dot(e, e);
    pc_vec q = pc_along(u, t < 0 ? 0 : t > 1 ? 1 : t, e), to = pc_sub(foot, q);
    if (pc_dot(to, to) < least)
      least = pc_dot(to, to), best = q;
  }
  return best;
}

double pc_hull_nearest(const pc_hull *hull, pc_vec p, double limit, pc_vec *normal)
{
  int top = 0;
  double highest = -INFINITY, size = 0;
  for (int f = 0; f < hull->faces; f++) {
    double height = pc_dot(pc_vec_of(hull->plane[f]), p) - hull->plane[f][3];
    if (height > highest)
      highest = height, top = f;
    size = fabs(hull->plane[f][3]) > size ? fabs(hull->plane[f][3]) : size;
  }
  *normal = pc_vec_of(hull->plane[top]);
  if (highest <= 1e-12 * size || highest > limit)
    return highest;
  // The nearest point lies on a face that sees p. None is nearer than the highest plane.
  double least = INFINITY;
  for (int k = -1; k < hull->faces && least > highest; k++) {
    int f = k < 0 ? top : k;
    pc_vec n = pc_vec_of(hull->plane[f]);
    double height = pc_dot(n, p) - hull->plane[f][3];
    if (k == top || height <= 0 || height >= least)
      continue;
    bool inside;
    pc_vec to = pc_sub(p, face_nearest(hull, f, p, height, &inside));
    double distance = inside ? height : pc_length(to);
    if (distance < least)
      least = distance, *normal = inside ? n : pc_scale(1 / distance, to);
  }
  return least;
}

void pc_collide_ball_hull(pc_pair *pair)
{
  double radius = pair->a->ball, normal[3], distance;
  pc_vec local = pc_turn_back(pair->at_b->rotation, pair->centre);
  if (pair->b->type == PC_BOX) {
    double p[3] = {local.x, local.y, local.z};
    distance = box_nearest(pair->b->box.half, p, normal);
  } else {
    pc_vec n;
    distance = pc_hull_nearest(pair->b->hull, local, radius + pair->margin, &n);
    pc_vec_store(n, normal);
  }
  double gap = distance - radius;
  if (gap > pair->margin)
    return;
  pc_vec n = pc_turn(pair->at_b->rotation, pc_vec_of(normal));
  pc_pair_add(pair, pc_along(pair->centre, -radius - 0.5 * gap, n), n, gap, 0);
}

// In the half-plane through the axis a cylinder is a rectangle: radius by half, and the centre of
// the ball a point of it.
static double cylinder_nearest(double radius, double half, double across, double along,
                               double *out_across, double *out_along)
{
  double p = across - radius, q = fabs(along) - half, sign = along < 0 ? -1 : 1;
  if (p > 0 && q > 0) {
    double d = sqrt(p * p + q * q);
    *out_across = p / d, *out_along = sign * q / d;
    return d;
  }
  *out_across = p >= q, *out_along = p >= q ? 0 : sign;
  return p >= q ? p : q;
}

void pc_collide_ball_rod(pc_pair *pair)
{
  const pc_shape *rod = pair->b;
  const double *m = pair->at_b->rotation;
  double ball = pair->a->ball, radius = rod->rod.radius, half = rod->rod.half, distance;
  pc_vec axis = {m[2], m[5], m[8]}, normal;
  double along = pc_dot(pair->centre, axis);
  if (rod->type == PC_CAPSULE) {
    double t = along < -half ? -half : along > half ? half : along;
    pc_vec to = pc_along(pair->centre, -t, axis);
    double size = pc_length(to);
    normal = size > 1e-12 * pair->size ? pc_scale(1 / size, to) : pc_across(axis);
    distance = size - radius;
  } else {
    pc_vec out = pc_along(pair->centre, -along, axis);
    double across = pc_length(out), n_across, n_along;
    out = across > 1e-12 * pair->size ? pc_scale(1 / across, out) : pc_across(axis);
    distance = cylinder_nearest(radius, half, across, along, &n_across, &n_along);
    normal = pc_along(pc_scale(n_along, axis), n_across, out);
  }
  double gap = distance - ball;
  if (gap <= pair->margin)
    pc_pair_add(pair, pc_along(pair->centre, -ball - 0.5 * gap, normal), normal, gap, 0);
}
