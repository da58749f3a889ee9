// Supports, distances (Gilbert, Johnson and Keerthi 1988) and depths of convex cores.
#include "geometry/narrow_core.h"

pc_core pc_core_of(const pc_shape *shape, const pc_pose *at, pc_vec centre)
{
  pc_core core = {.kind = PC_CORE_ROD, .centre = centre, .turn = at->rotation, .scale = 1};
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
  default:
    core.kind = PC_CORE_POINTS;
    core.hull = &shape->hull;
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
  return pc_along(core->centre, core->scale / core->hull->vertices, pc_turn(core->turn, sum));
}

pc_core pc_core_shrunk(const pc_core *core, double scale)
{
  pc_core out = *core;
  pc_vec middle = pc_core_middle(core);
  out.scale *= scale, out.half *= scale, out.radius *= scale;
  out.centre = pc_along(middle, scale, pc_sub(core->centre, middle));
  return out;
}

pc_vec pc_core_support(const pc_core *core, pc_vec direction)
{
  if (core->kind == PC_CORE_POINTS) {
    const pc_hull *hull = core->hull;
    pc_vec d = pc_turn_back(core->turn, direction);
    int best = 0;
    double most = -INFINITY;
    for (int v = 0; v < hull->vertices; v++) {
      double s = pc_dot(d, pc_vec_of(hull->vertex[v]));
      if (s > most)
        most = s, best = v;
    }
    return pc_along(core->centre, core->scale, pc_turn(core->turn, pc_vec_of(hull->vertex[best])));
  }
  double along = pc_dot(direction, core->axis);
  pc_vec p = pc_along(core->centre, along < 0 ? -core->half : core->half, core->axis);
  if (core->kind == PC_CORE_ROD)
    return p;
  pc_vec across = pc_along(direction, -along, core->axis);
  double size = pc_length(across);
  // A second time takes away what rounding left along the axis.
  if (size > 1e-9 * pc_length(direction)) {
    across = pc_along(across, -pc_dot(across, core->axis), core->axis);
    return pc_along(p, core->radius / pc_length(across), across);
  }
  return p;
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

static pc_vec simplex_point(const simplex *s, const pc_vec *of)
{
  pc_vec p = {0, 0, 0};
  for (int i = 0; i < s->count; i++)
    p = pc_along(p, s->weight[i], of[i]);
  return p;
}

static simplex part(const simplex *s, int count, const int *index, const double *weight)
{
  simplex out = {.count = 0};
  for (int k = 0; k < count; k++) {
    if (weight[k] <= 0)
      continue;
    out.w[out.count] = s->w[index[k]];
    out.a[out.count] = s->a[index[k]];
    out.b[out.count] = s->b[index[k]];
    out.weight[out.count++] = weight[k];
  }
  return out;
}

static simplex nearest_on_edge(const simplex *s, int i, int j)
{
  pc_vec e = pc_sub(s->w[j], s->w[i]);
  double size = pc_dot(e, e), t = size > 0 ? -pc_dot(s->w[i], e) / size : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return part(s, 2, (int[2]){i, j}, (double[2]){1 - t, t});
}

static void take_nearer(simplex *best, double *least, const simplex *other)
{
  pc_vec v = simplex_point(other, other->w);
  double d = pc_dot(v, v);
  if (d < *least)
    *least = d, *best = *other;
}

static simplex nearest_on_triangle(const simplex *s, int i, int j, int k)
{
  pc_vec a = s->w[i], b = s->w[j], c = s->w[k];
  pc_vec n = pc_times(pc_sub(b, a), pc_sub(c, a));
  double size = pc_dot(n, n);
  if (size > 0) {
    double u = pc_dot(n, pc_times(b, c)) / size, v = pc_dot(n, pc_times(c, a)) / size;
    double w = pc_dot(n, pc_times(a, b)) / size;
    if (u > 0 && v > 0 && w > 0) {
      double sum = u + v + w;
      return part(s, 3, (int[3]){i, j, k}, (double[3]){u / sum, v / sum, w / sum});
    }
  }
  simplex best = nearest_on_edge(s, i, j);
  pc_vec p = simplex_point(&best, best.w);
  double least = pc_dot(p, p);
  simplex other = nearest_on_edge(s, j, k);
  take_nearer(&best, &least, &other);
  other = nearest_on_edge(s, k, i);
  take_nearer(&best, &least, &other);
  return best;
}

// The part of the simplex that holds its nearest point; four points left mean the origin is inside.
static simplex nearest_on(const simplex *s)
{
  if (s->count == 1)
    return part(s, 1, (int[1]){0}, (double[1]){1});
  if (s->count == 2)
    return nearest_on_edge(s, 0, 1);
  if (s->count == 3)
    return nearest_on_triangle(s, 0, 1, 2);
  static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  pc_vec e = pc_sub(s->w[1], s->w[0]), f = pc_sub(s->w[2], s->w[0]), g = pc_sub(s->w[3], s->w[0]);
  double box = pc_length(e) * pc_length(f) * pc_length(g);
  bool thin = fabs(pc_dot(e, pc_times(f, g))) <= 1e-10 * box;
  simplex best = *s;
  double least = INFINITY;
  bool outside = false;
  for (int i = 0; i < 4; i++) {
    const int *v = face[i];
    pc_vec n = pc_times(pc_sub(s->w[v[1]], s->w[v[0]]), pc_sub(s->w[v[2]], s->w[v[0]]));
    double volume = pc_dot(n, pc_sub(s->w[v[3]], s->w[v[0]])), side = -pc_dot(n, s->w[v[0]]);
    if (volume * side > 0 && !thin)
      continue;
    outside = true;
    simplex other = nearest_on_triangle(s, v[0], v[1], v[2]);
    take_nearer(&best, &least, &other);
  }
  if (!outside)
    best.count = 4;
  return best;
}

bool pc_core_distance(const pc_core *a, const pc_core *b, double size, double tolerance,
                      pc_witness *witness)
{
  enum { LIMIT = 100 };
  simplex s = {.count = 1, .weight = {1}};
  pc_vec v = pc_sub(pc_core_middle(a), pc_core_middle(b));
  if (pc_dot(v, v) == 0)
    v = (pc_vec){0, 0, 1};
  s.a[0] = pc_core_support(a, pc_scale(-1, v));
  s.b[0] = pc_core_support(b, v);
  s.w[0] = v = pc_sub(s.a[0], s.b[0]);
  double square = pc_dot(v, v), touching = 1e-10 * size;
  for (int turn = 0; turn < LIMIT; turn++) {
    if (square <= touching * touching)
      return false;
    int k = s.count;
    s.a[k] = pc_core_support(a, pc_scale(-1, v));
    s.b[k] = pc_core_support(b, v);
    s.w[k] = pc_sub(s.a[k], s.b[k]);
    // The lower bound of the distance has come up to the upper one.
    if (square - pc_dot(v, s.w[k]) <= tolerance * square)
      break;
    simplex next = s;
    next.count++;
    next = nearest_on(&next);
    if (next.count == 4)
      return false;
    pc_vec p = simplex_point(&next, next.w);
    double d = pc_dot(p, p);
    if (d >= square)
      break;
    s = next, v = p, square = d;
  }
  double distance = sqrt(square);
  witness->normal = pc_scale(1 / distance, v);
  witness->separation = distance;
  witness->on_a = simplex_point(&s, s.a);
  witness->on_b = simplex_point(&s, s.b);
  return true;
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
  *witness = (pc_witness){n, best, pc_core_support(a, pc_scale(-1, n)), pc_core_support(b, n)};
  for (int turn = 0; turn < LIMIT; turn++) {
    pc_core moved = *a;
    pc_vec move = pc_scale(0.05 * size - best, n);
    moved.centre = pc_add(a->centre, move);
    pc_witness next;
    if (!pc_core_distance(&moved, b, size, 1e-10, &next))
      return;
    double separation = pc_core_separation(a, b, next.normal);
    if (separation < best) {
      // No better, but the points face each other.
      witness->on_a = pc_sub(next.on_a, move), witness->on_b = next.on_b;
      return;
    }
    bool done = separation - best <= 1e-10 * size;
    n = next.normal, best = separation;
    *witness = (pc_witness){n, best, pc_sub(next.on_a, move), next.on_b};
    if (done)
      return;
  }
}
