// The bend of the gaps of round shapes.
//
// A rim on a plane has its lowest point at the height n.c - R sqrt(1 - (n.a)^2), where c is its
// centre and a its axis. The velocity of the point that touches is the rate of that height now; as
// the body turns freely, the rate changes. So the free motion is looked at as a whole: where the
// rim is after it, less what the rate at its beginning makes of it.
#include "geometry/rim.h"

#include "geometry/narrow_pair.h"

typedef struct rim {
  pc_vec centre, axis; // in world axes; the axis has length 1
  double radius;       // of the circle
  double round;        // of the ball that is rolled along it
} rim;

// The point farthest along a unit vector; false if no point alone is.
static bool find_farthest(const rim *of, pc_vec out, pc_vec *point)
{
  const double flat = 1e-5; // as good as flat, as narrow_plane.c has it
  *point = pc_along(of->centre, of->round, out);
  if (of->radius == 0)
    return true;
  pc_vec across = pc_along(out, -pc_dot(out, of->axis), of->axis);
  double size = pc_length(across);
  if (size <= flat)
    return false;
  *point = pc_along(*point, of->radius / size, across);
  return true;
}

// Whether the farthest point of a rim lies on the line of the contact.
static bool is_on(const rim *of, pc_vec point, pc_vec out, double size)
{
  pc_vec farthest;
  if (!find_farthest(of, out, &farthest))
    return false;
  pc_vec d = pc_sub(farthest, point);
  return pc_length(pc_along(d, -pc_dot(d, out), out)) <= 1e-6 * size;
}

static bool find_on_rod(const pc_shape *shape, pc_vec point, pc_vec out, rim *found)
{
  double half = shape->rod.half, radius = shape->rod.radius;
  pc_vec middle = found->centre;
  double along = pc_dot(pc_sub(point, middle), found->axis);
  bool cylinder = shape->type == PC_CYLINDER;
  found->radius = cylinder ? radius : 0;
  found->round = cylinder ? 0 : radius;
  // In a gap the point of a contact is not on the surface, so the ends are tried first.
  const double places[3] = {along < 0 ? -half : half, along < 0 ? half : -half, along};
  for (int k = 0; k < 3; k++) {
    found->centre = pc_along(middle, places[k], found->axis);
    if (fabs(places[k]) <= half && is_on(found, point, out, radius))
      return true;
  }
  return false;
}

static bool find_on_piece(const pc_shape *shape, const pc_pose *at, pc_vec point, pc_vec out,
                          rim *found)
{
  const double *m = at->rotation;
  *found = (rim){pc_vec_of(at->position), {m[2], m[5], m[8]}, 0, 0};
  switch (shape->type) {
  case PC_SPHERE:
    found->round = shape->ball;
    return is_on(found, point, out, shape->ball);
  case PC_CAPSULE:
  case PC_CYLINDER:
    return find_on_rod(shape, point, out, found);
  default:
    return false;
  }
}

// The rim of a shape at a contact, where it is before the other in the direction `out`. False where
// it touches with a point that stays on its surface, as corners and faces do.
static bool find_rim(const pc_flight *of, pc_vec point, pc_vec out, uint64_t feature, bool second,
                     rim *found)
{
  const pc_shape *shape = of->shape;
  if (shape->type != PC_COMPOUND)
    return find_on_piece(shape, &of->at, point, out, found);
  for (int i = pc_feature_child(feature, second); i < shape->compound.count;
       i += PC_FEATURE_CHILDREN) {
    const pc_child *child = &shape->compound.child[i];
    pc_pose pose = pc_pose_multiply(&of->at, &child->pose);
    if (find_on_piece(child->shape, &pose, point, out, found))
      return true;
  }
  return false;
}

// Where a point fixed to the body comes.
static pc_vec carry(const pc_flight *of, pc_vec point)
{
  pc_vec arm = pc_sub(point, pc_vec_of(of->centre));
  return pc_add(pc_vec_of(of->moved), pc_turn(of->turn, arm));
}

static pc_vec velocity_at(const pc_flight *of, pc_vec point)
{
  pc_vec arm = pc_sub(point, pc_vec_of(of->centre));
  return pc_add(pc_vec_of(of->velocity), pc_times(pc_vec_of(of->spin), arm));
}

// The same after the motion.
static pc_vec velocity_then(const pc_flight *of, pc_vec point)
{
  pc_vec arm = pc_sub(point, pc_vec_of(of->moved));
  return pc_add(pc_vec_of(of->velocity), pc_times(pc_vec_of(of->spun), arm));
}

// Farthest points of a rim along `out` before the motion and along `then` after it. False if they
// are far from each other, as the body has them.
static bool follow(const pc_flight *of, const rim *on, pc_vec out, pc_vec then, pc_vec *before,
                   pc_vec *after)
{
  const double near = 0.8; // cosine
  rim moved = *on;
  moved.centre = carry(of, on->centre);
  moved.axis = pc_turn(of->turn, on->axis);
  if (!find_farthest(on, out, before) || !find_farthest(&moved, then, after))
    return false;
  pc_vec arm = pc_sub(*before, pc_vec_of(of->centre));
  pc_vec other = pc_sub(*after, pc_vec_of(of->moved));
  return pc_dot(arm, other) >= near * pc_length(arm) * pc_length(other);
}

// Both are round: along the normal as it is, as between balls.
static bool bend_two(const pc_flight of[2], const rim on[2], const pc_vec out[2], double time,
                     double *gap, pc_vec *slip)
{
  *gap = 0;
  *slip = (pc_vec){0, 0, 0};
  for (int k = 0; k < 2; k++) {
    pc_vec before, after;
    if (!follow(&of[k], &on[k], out[k], out[k], &before, &after))
      return false;
    pc_vec speed = velocity_at(&of[k], before);
    *gap -= pc_dot(out[k], pc_along(pc_sub(after, before), -time, speed));
    *slip = pc_along(*slip, k == 0 ? 1 : -1, pc_sub(velocity_then(&of[k], after), speed));
  }
  return true;
}

// The plane that the rim touches goes along with the other body.
static bool bend_one(const pc_flight *of, const rim *on, pc_vec out, const pc_flight *other,
                     double time, double *gap, pc_vec *slip)
{
  pc_vec then = pc_turn(other->turn, out), before, after;
  if (!follow(of, on, out, then, &before, &after))
    return false;
  pc_vec way = pc_sub(carry(other, before), after);
  pc_vec speed = pc_sub(velocity_at(of, before), velocity_at(other, before));
  pc_vec later = pc_sub(velocity_then(of, after), velocity_then(other, after));
  *gap = pc_dot(then, way) + time * pc_dot(out, speed);
  *slip = pc_sub(pc_turn_back(other->turn, later), speed);
  return true;
}

bool pc_gap_bend(const pc_flight of[2], double time, const double point[3], const double normal[3],
                 uint64_t feature, pc_bend *bend)
{
  pc_vec n = pc_vec_of(normal), at = pc_vec_of(point), out[2] = {pc_scale(-1, n), n}, slip;
  rim on[2];
  bool first = find_rim(&of[0], at, out[0], feature, false, &on[0]);
  bool second = find_rim(&of[1], at, out[1], feature, true, &on[1]);
  if (!first && !second)
    return false;
  int k = first ? 0 : 1;
  bool any = first && second
                 ? bend_two(of, on, out, time, &bend->gap, &slip)
                 : bend_one(&of[k], &on[k], out[k], &of[1 - k], time, &bend->gap, &slip);
  if (!any)
    return false;
  slip = pc_along(slip, -pc_dot(slip, n), n);
  if (!isfinite(bend->gap) || !isfinite(pc_dot(slip, slip)))
    return false;
  pc_vec_store(pc_scale(first ? 1 : -1, slip), bend->slip);
  return true;
}
