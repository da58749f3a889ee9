// The narrow phase: chooses the function for a pair of shapes.
#include "geometry/narrow_pair.h"

// No default: the compiler names a type of shape that is missing here, in narrow_plane.c,
// narrow_core.c or cut.c.
static void collide_convex(pc_pair *pair)
{
  switch (pair->b->type) {
  case PC_SPHERE:
    pc_collide_balls(pair);
    break;
  case PC_BOX:
  case PC_POLYHEDRON:
    if (pair->a->type == PC_SPHERE)
      pc_collide_ball_hull(pair);
    else if (pair->a->type == PC_BOX && pair->b->type == PC_BOX)
      pc_collide_boxes(pair);
    else
      pc_collide_hulls(pair);
    break;
  case PC_CAPSULE:
  case PC_CYLINDER:
    if (pair->a->type == PC_SPHERE)
      pc_collide_ball_rod(pair);
    else
      pc_collide_cores(pair);
    break;
  case PC_PLANE:
    pc_collide_plane(pair);
    break;
  case PC_MESH:
  case PC_HEIGHTS:
    pc_collide_mesh(pair);
    break;
  case PC_CHAIN:
    pc_collide_chain(pair);
    break;
  case PC_DISC:
  case PC_POLYGON:
    if (pair->a->type == PC_PLANE)
      pc_collide_flat_plane(pair);
    else
      pc_collide_flat(pair);
    break;
  case PC_COMPOUND: // piece by piece
  case PC_SHAPE_TYPES:
    break;
  }
}

static void collide(pc_pair *pair, const pc_shape *a, const pc_pose *at_a, const pc_shape *b,
                    const pc_pose *at_b);

// Every child of a with b. The children of the second compound come in the next turn.
static void collide_children(pc_pair *pair, const pc_shape *a, const pc_pose *at_a,
                             const pc_shape *b, const pc_pose *at_b)
{
  pc_pair saved = *pair;
  bool first = a->type == PC_COMPOUND;
  const pc_shape *compound = first ? a : b;
  for (int i = 0; i < compound->compound.count && !pair->failed; i++) {
    const pc_child *child = &compound->compound.child[i];
    pc_pose pose = pc_pose_multiply(first ? at_a : at_b, &child->pose);
    // With two compounds the caller's first child takes the upper half of the key.
    bool upper = first != saved.swapped;
    pair->key = saved.key | (uint64_t)(i & (PC_FEATURE_CHILDREN - 1)) << (upper ? 12 : 0);
    pair->swapped = saved.swapped;
    if (first)
      collide(pair, child->shape, &pose, b, at_b);
    else
      collide(pair, a, at_a, child->shape, &pose);
  }
  pair->key = saved.key;
  // NOLINTNEXTLINE(clang-analyzer-core.StackAddressEscape): a pose is set before it is read
  pair->swapped = saved.swapped;
}

static void collide(pc_pair *pair, const pc_shape *a, const pc_pose *at_a, const pc_shape *b,
                    const pc_pose *at_b)
{
  if (a->ops->is_obstacle && b->ops->is_obstacle)
    return;
  double reach = a->radius + b->radius + pair->margin;
  pc_vec centre = pc_sub(pc_vec_of(at_a->position), pc_vec_of(at_b->position));
  if (pc_dot(centre, centre) > reach * reach)
    return;
  if (a->type == PC_COMPOUND || b->type == PC_COMPOUND) {
    collide_children(pair, a, at_a, b, at_b);
    return;
  }
  if (a->type > b->type) {
    const pc_shape *shape = a;
    const pc_pose *pose = at_a;
    a = b, b = shape;
    at_a = at_b, at_b = pose;
    centre = pc_scale(-1, centre);
    pair->swapped = !pair->swapped;
  }
  pair->a = a, pair->at_a = at_a;
  pair->b = b, pair->at_b = at_b;
  pair->origin = pc_vec_of(at_b->position);
  pair->centre = centre;
  pair->size = a->radius < b->radius ? a->radius : b->radius;
  if (a->ops->is_obstacle || b->ops->is_obstacle)
    pair->size = a->ops->is_obstacle ? b->radius : a->radius;
  collide_convex(pair);
}

pc_status pc_collide(const pc_shape *a, const pc_pose *at_a, const pc_shape *b, const pc_pose *at_b,
                     double margin, pc_contact_list *list)
{
  pc_pair pair = {.margin = margin, .list = list};
  collide(&pair, a, at_a, b, at_b);
  return pair.failed ? PC_ERROR_MEMORY : PC_OK;
}
