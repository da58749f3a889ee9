// Supports, distances (Gilbert, Johnson and Keerthi 1988) and depths of convex cores.
#include "geometry/narrow_core.h"

pc_core pc_core_of(const pc_shape *shape, const pc_pose *at, pc_vec centre)
{
  pc_core core = {.kind = PC_CORE_ROD, .centre = centre, .turn = at->rotation};
  const double *m = at->rotation;
  core.axis = (pc_vec){m[2], m[5], m[8]};
  switch (shape->type) {
  case PC_SPHERE:
    core.round = shape->ball;
    break;
  case PC_CAPSULE:
    core.round = shape->rod.radius;
    core.half = shape->rod.half;
    break;
  case PC_CYLINDER:
    core.kind = PC_CORE_CYLINDER;
    core.radius = shape->rod.radius;
    core.half = shape->rod.half;
    break;
  case PC_BOX:
    core.box = shape->box.half;
    // fall through
  case PC_POLYHEDRON:
    core.kind = PC_CORE_POINTS;
    core.hull = shape->hull;
    break;
  case PC_COMPOUND: // these have no core, and pc_collide does not ask for one
  case PC_PLANE:
  case PC_MESH:
  case PC_HEIGHTS:
  case PC_DISC:
  case PC_POLYGON:
  case PC_CHAIN:
  case PC_SHAPE_TYPES:
    break;
  }
  return core;
}

pc_vec pc_core_middle(const pc_core *core)
{
  if (core->kind != PC_CORE_POINTS)
    return core->centre;
  pc_vec sum = {0, 0, 0};
  for (int v = 0; v < core->hull->vertices; v++)
    sum = pc_add(sum, pc_vec_of(core->hull->vertex[v]));
  return pc_along(core->centre, 1.0 / core->hull->vertices, pc_turn(core->turn, sum));
}

// In the axes of the shape.
static pc_vec farthest(const pc_core *core, pc_vec d)
{
  if (core->box != NULL)
    return (pc_vec){d.x > 0 ? core->box[0] : -core->box[0], d.y > 0 ? core->box[1] : -core->box[1],
                    d.z > 0 ? core->box[2] : -core->box[2]};
  const pc_hull *hull = core->hull;
  int best = 0;
  double most = -INFINITY;
  for (int v = 0; v < hull->vertices; v++) {
    double s = pc_dot(d, pc_vec_of(hull->vertex[v]));
    if (s > most)
      most = s, best = v;
  }
  return pc_vec_of(hull->vertex[best]);
}

pc_vec pc_core_support(const pc_core *core, pc_vec direction)
{
  if (core->kind == PC_CORE_POINTS)
    return pc_add(core->centre,
                  pc_turn(core->turn, farthest(core, pc_turn_back(core->turn, direction))));
  double along = pc_dot(direction, core->axis);
  pc_vec p = pc_along(core->centre, along < 0 ? -core->half : core->half, core->axis);
  if (core->kind == PC_CORE_ROD)
    return p;
  pc_vec across = pc_along(direction, -along, core->axis);
  double square = pc_dot(across, across), whole = square + along * along;
  if (square <= 1e-18 * whole)
    return p;
  // A second time takes away what rounding left along the axis.
  if (square < 1e-3 * whole) {
    across = pc_along(across, -pc_dot(across, core->axis), core->axis);
    square = pc_dot(across, across);
  }
  return pc_along(p, core->radius / sqrt(square), across);
}

bool pc_core_inside(const pc_core *core, pc_vec p, double slack)
{
  pc_vec d = pc_sub(p, core->centre);
  if (core->kind == PC_CORE_POINTS) {
    pc_vec x = pc_turn_back(core->turn, d);
    for (int f = 0; f < core->hull->faces; f++)
      if (pc_dot(pc_vec_of(core->hull->plane[f]), x) > core->hull->plane[f][3] + slack)
        return false;
    return true;
  }
  double along = pc_dot(d, core->axis), end = fmax(-core->half, fmin(core->half, along));
  if (core->kind == PC_CORE_ROD)
    return pc_length(pc_along(d, -end, core->axis)) <= core->round + slack;
  return fabs(along - end) <= slack &&
         pc_length(pc_along(d, -along, core->axis)) <= core->radius + slack;
}

double pc_core_separation(const pc_core *a, const pc_core *b, pc_vec n)
{
  return pc_dot(n, pc_core_support(a, pc_scale(-1, n))) - pc_dot(n, pc_core_support(b, n));
}

// A simplex of the difference a - b and the weights of its point nearest to the origin.
typedef struct simplex {
  int count;
  pc_vec w[4], a[4], b[4];
  double weight[4];
} simplex;

// The part of a simplex that holds its point nearest to the origin.
typedef struct nearest {
  int count, index[3];
  double weight[3];
  pc_vec at;
  double square;
} nearest;

static pc_vec simplex_point(const simplex *s, const pc_vec *of)
{
  pc_vec p = {0, 0, 0};
  for (int i = 0; i < s->count; i++)
    p = pc_along(p, s->weight[i], of[i]);
  return p;
}

static void offer_edge(const simplex *s, int i, int j, nearest *best)
{
  pc_vec e = pc_sub(s->w[j], s->w[i]);
  double size = pc_dot(e, e), t = size > 0 ? -pc_dot(s->w[i], e) / size : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  pc_vec at = t < 1 ? pc_along(s->w[i], t, e) : s->w[j];
  double square = pc_dot(at, at);
  if (!(square < best->square))
    return;
  *best = (nearest){2, {i, j}, {1 - t, t}, at, square};
  if (t == 0 || t == 1)
    best->count = 1, best->index[0] = t == 0 ? i : j, best->weight[0] = 1;
}

static void offer_triangle(const simplex *s, int i, int j, int k, nearest *best)
{
  pc_vec a = s->w[i], b = s->w[j], c = s->w[k];
  pc_vec n = pc_times(pc_sub(b, a), pc_sub(c, a));
  double size = pc_dot(n, n), u = 0, v = 0, w = 0;
  if (size > 0) {
    u = pc_dot(n, pc_times(b, c)), v = pc_dot(n, pc_times(c, a)), w = pc_dot(n, pc_times(a, b));
    if (u > 0 && v > 0 && w > 0) {
      double sum = u + v + w;
      u /= sum, v /= sum, w /= sum;
      pc_vec at = pc_along(pc_along(pc_scale(u, a), v, b), w, c);
      double square = pc_dot(at, at);
      if (square < best->square)
        *best = (nearest){3, {i, j, k}, {u, v, w}, at, square};
      return;
    }
  }
  // The nearest point is on a side that sees the origin.
  if (!(u > 0))
    offer_edge(s, j, k, best);
  if (!(v > 0))
    offer_edge(s, k, i, best);
  if (!(w > 0))
    offer_edge(s, i, j, best);
}

// False when the origin is inside a tetrahedron. `apart`: it is known not to be. Between vertices
// that almost coincide rounding may turn a side, and then all sides are asked.
static bool offer_tetrahedron(const simplex *s, bool apart, nearest *best)
{
  static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  pc_vec e = pc_sub(s->w[1], s->w[0]), f = pc_sub(s->w[2], s->w[0]), g = pc_sub(s->w[3], s->w[0]);
  double volume = pc_dot(g, pc_times(e, f));
  bool thin = volume * volume <= 1e-20 * pc_dot(e, e) * pc_dot(f, f) * pc_dot(g, g);
  bool outside = false;
  for (int i = 0; i < 4; i++) {
    const int *v = face[i];
    pc_vec n = pc_times(pc_sub(s->w[v[1]], s->w[v[0]]), pc_sub(s->w[v[2]], s->w[v[0]]));
    double side = -pc_dot(n, s->w[v[0]]), inner = pc_dot(n, pc_sub(s->w[v[3]], s->w[v[0]]));
    if (inner * side > 0 && !thin)
      continue;
    outside = true;
    offer_triangle(s, v[0], v[1], v[2], best);
  }
  if (outside || !apart)
    return outside;
  for (int i = 0; i < 4; i++)
    offer_triangle(s, face[i][0], face[i][1], face[i][2], best);
  return true;
}

static bool find_nearest(const simplex *s, bool apart, nearest *best)
{
  best->square = INFINITY;
  if (s->count == 4)
    return offer_tetrahedron(s, apart, best);
  if (s->count == 3)
    offer_triangle(s, 0, 1, 2, best);
  else
    offer_edge(s, 0, 1, best);
  return true;
}

static void keep_nearest(simplex *s, const nearest *best)
{
  pc_vec w[3], a[3], b[3];
  for (int k = 0; k < best->count; k++) {
    int i = best->index[k];
    w[k] = s->w[i], a[k] = s->a[i], b[k] = s->b[i];
  }
  s->count = best->count;
  for (int k = 0; k < best->count; k++)
    s->w[k] = w[k], s->a[k] = a[k], s->b[k] = b[k], s->weight[k] = best->weight[k];
}

static void add_support(simplex *s, const pc_core *a, const pc_core *b, pc_vec direction)
{
  int k = s->count;
  s->a[k] = pc_core_support(a, pc_scale(-1, direction));
  s->b[k] = pc_core_support(b, direction);
  s->w[k] = pc_sub(s->a[k], s->b[k]);
}

bool pc_core_distance(const pc_core *a, const pc_core *b, double size, double tolerance,
                      double limit, pc_vec start, pc_witness *witness)
{
  enum { LIMIT = 100 };
  simplex s;
  s.count = 0;
  add_support(&s, a, b, start);
  s.count = 1, s.weight[0] = 1;
  pc_vec v = s.w[0];
  double square = pc_dot(v, v), touching = 1e-10 * size;
  for (int turn = 0; turn < LIMIT; turn++) {
    if (square <= touching * touching)
      return false;
    add_support(&s, a, b, v);
    double along = pc_dot(v, s.w[s.count]);
    if (along > 0 && along * along > limit * limit * square) {
      double distance = sqrt(square);
      *witness = (pc_witness){pc_scale(1 / distance, v), along / distance, s.a[0], s.b[0], false};
      return true;
    }
    // The lower bound of the distance has come up to the upper one.
    if (square - along <= tolerance * square)
      break;
    nearest best;
    s.count++;
    bool apart = along > 0 && along * along > touching * touching * square;
    if (!find_nearest(&s, apart, &best))
      return false;
    if (best.square >= square) {
      s.count--;
      break;
    }
    keep_nearest(&s, &best);
    v = best.at, square = best.square;
  }
  double distance = sqrt(square);
  *witness = (pc_witness){pc_scale(1 / distance, v), distance, simplex_point(&s, s.a),
                          simplex_point(&s, s.b), false};
  return true;
}

// Whether one point alone is farthest along n, and not just so.
static bool one_point(const pc_core *core, pc_vec n)
{
  double along = fabs(pc_dot(n, core->axis));
  if (core->kind == PC_CORE_ROD)
    return core->half == 0 || along > 1e-3;
  return core->kind == PC_CORE_CYLINDER && along > 1e-3 && along < 1 - 1e-5;
}

void pc_core_face(const pc_core *a, const pc_core *b, double size, pc_witness *witness)
{
  pc_vec n = witness->normal, x = pc_core_support(a, pc_scale(-1, n)), y = pc_core_support(b, n);
  double separation = pc_dot(n, x) - pc_dot(n, y);
  *witness = (pc_witness){n, separation, x, y, false};
  if (one_point(a, n)) {
    witness->on_b = pc_along(x, -separation, n);
  } else if (one_point(b, n)) {
    witness->on_a = pc_along(y, separation, n);
  } else {
    pc_core moved = *a;
    pc_vec move = pc_scale(0.02 * size - separation, n);
    moved.centre = pc_add(a->centre, move);
    pc_witness near;
    if (pc_core_distance(&moved, b, size, 1e-8, INFINITY, n, &near))
      witness->on_a = pc_sub(near.on_a, move), witness->on_b = near.on_b;
  }
}

// Where the boundary of the difference is nearest to the origin, its normal points there. From a
// normal, a is moved out along it until the two are apart; the normal of their distance then is a
// better one. The depth never grows, and the normals converge as long as the boundary is less
// curved than a sphere about the origin: at every local minimum.
void pc_core_push(const pc_core *a, const pc_core *b, double size, pc_witness *witness)
{
  enum { LIMIT = 100 };
  pc_vec n = witness->normal;
  double best = pc_core_separation(a, b, n);
  *witness =
      (pc_witness){n, best, pc_core_support(a, pc_scale(-1, n)), pc_core_support(b, n), false};
  for (int turn = 0; turn < LIMIT; turn++) {
    pc_core moved = *a;
    pc_vec move = pc_scale(0.02 * size - best, n);
    moved.centre = pc_add(a->centre, move);
    pc_witness next;
    if (!pc_core_distance(&moved, b, size, 1e-10, INFINITY, n, &next))
      return;
    double separation = pc_core_separation(a, b, next.normal);
    if (separation < best) {
      // No better, but the points face each other.
      witness->on_a = pc_sub(next.on_a, move), witness->on_b = next.on_b;
      return;
    }
    bool done = separation - best <= 1e-10 * size;
    n = next.normal, best = separation;
    *witness = (pc_witness){n, best, pc_sub(next.on_a, move), next.on_b, false};
    if (done)
      return;
  }
}
