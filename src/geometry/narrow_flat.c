// Shapes of the plane: discs and convex polygons, with each other and with a half-plane.
#include "geometry/flat.h"
#include "geometry/narrow_pair.h"

// A turn of the plane is the upper left of the matrix.
static flat turned(const double *m, const double v[2])
{
  return (flat){m[0] * v[0] + m[1] * v[1], m[3] * v[0] + m[4] * v[1]};
}

static flat vertex_of(const pc_shape *shape, const pc_pose *at, flat move, int i)
{
  return along(move, 1, turned(at->rotation, shape->polygon.vertex[i]));
}

static flat normal_of(const pc_shape *shape, const pc_pose *at, int i)
{
  return turned(at->rotation, shape->polygon.normal[i]);
}

static void add(pc_pair *pair, flat point, flat normal, double gap, uint64_t feature)
{
  pc_vec p = lift(point);
  p.z = -pair->origin.z; // in the plane z = 0
  pc_pair_add(pair, p, lift(normal), gap, feature);
}

static void discs(pc_pair *pair)
{
  flat c = {pair->centre.x, pair->centre.y};
  double rb = pair->b->ball, distance = sqrt(dot(c, c)), gap = distance - pair->a->ball - rb;
  if (gap > pair->margin)
    return;
  flat n = {0, pair->swapped ? -1 : 1};
  if (distance > 1e-12 * pair->size)
    n = (flat){c.x / distance, c.y / distance};
  add(pair, along((flat){0, 0}, rb + 0.5 * gap, n), n, gap, 0);
}

// The distance of p from a polygon, negative inside, and the outward normal, in its own axes.
static double polygon_nearest(const pc_shape *shape, flat p, flat *normal)
{
  int count = shape->polygon.count, best = 0;
  double height = -INFINITY;
  for (int i = 0; i < count; i++) {
    flat u = {shape->polygon.vertex[i][0], shape->polygon.vertex[i][1]};
    flat n = {shape->polygon.normal[i][0], shape->polygon.normal[i][1]};
    double d = dot(n, minus(p, u));
    if (d > height)
      height = d, best = i;
  }
  *normal = (flat){shape->polygon.normal[best][0], shape->polygon.normal[best][1]};
  if (height <= 1e-12 * shape->radius)
    return height;
  // Outside: the nearest point is on the highest edge or at one of its ends, or beyond these on a
  // neighbour; all edges are tried.
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    int next = i + 1 < count ? i + 1 : 0;
    flat u = {shape->polygon.vertex[i][0], shape->polygon.vertex[i][1]};
    flat v = {shape->polygon.vertex[next][0], shape->polygon.vertex[next][1]};
    flat n = {shape->polygon.normal[i][0], shape->polygon.normal[i][1]};
    flat e = minus(v, u), d = minus(p, u);
    double t = dot(d, e) / dot(e, e), h = dot(d, n);
    if (t >= 0 && t <= 1) {
      if (h > 0 && h < least)
        least = h, *normal = n;
      continue;
    }
    flat to = minus(p, t < 0 ? u : v);
    double far = sqrt(dot(to, to));
    if (far < least)
      least = far, *normal = (flat){to.x / far, to.y / far};
  }
  return least;
}

static void disc_polygon(pc_pair *pair)
{
  const double *m = pair->at_b->rotation;
  flat c = {pair->centre.x, pair->centre.y}, n;
  flat local = {m[0] * c.x + m[3] * c.y, m[1] * c.x + m[4] * c.y};
  double gap = polygon_nearest(pair->b, local, &n) - pair->a->ball;
  if (gap > pair->margin)
    return;
  n = turned(m, (double[2]){n.x, n.y});
  add(pair, along(c, -pair->a->ball - 0.5 * gap, n), n, gap, 0);
}

typedef struct edge {
  double separation;
  int i;
} edge;

// The edge of the base that the other stays farthest above. Edges are taken four at a time, so that
// each vertex of the other is placed once for four of them.
static edge best_edge(const pc_shape *base, const pc_pose *at, flat move, const pc_shape *other,
                      const pc_pose *at_other, flat move_other)
{
  enum { BLOCK = 4 };
  edge best = {.separation = -INFINITY};
  for (int first = 0; first < base->polygon.count; first += BLOCK) {
    double nx[BLOCK], ny[BLOCK], ux[BLOCK], uy[BLOCK], above[BLOCK];
    for (int e = 0; e < BLOCK; e++) {
      int i = first + e < base->polygon.count ? first + e : first;
      flat n = normal_of(base, at, i), u = vertex_of(base, at, move, i);
      nx[e] = n.x, ny[e] = n.y, ux[e] = u.x, uy[e] = u.y;
      above[e] = INFINITY;
    }
    for (int k = 0; k < other->polygon.count; k++) {
      flat v = vertex_of(other, at_other, move_other, k);
      for (int e = 0; e < BLOCK; e++) {
        double d = nx[e] * (v.x - ux[e]) + ny[e] * (v.y - uy[e]);
        above[e] = d < above[e] ? d : above[e];
      }
    }
    for (int e = 0; e < BLOCK; e++)
      if (above[e] > best.separation)
        best.separation = above[e], best.i = first + e;
  }
  return best;
}

// The nearest vertices of two polygons that are apart, if they are nearer than `limit`.
static bool add_vertices(pc_pair *pair, flat move, double limit)
{
  double least = INFINITY;
  flat p = {0, 0}, q = {0, 0};
  int first = 0, second = 0;
  for (int i = 0; i < pair->a->polygon.count; i++)
    for (int k = 0; k < pair->b->polygon.count; k++) {
      flat x = vertex_of(pair->a, pair->at_a, move, i);
      flat y = vertex_of(pair->b, pair->at_b, (flat){0, 0}, k), d = minus(x, y);
      if (dot(d, d) < least)
        least = dot(d, d), p = x, q = y, first = i, second = k;
    }
  double gap = sqrt(least);
  if (!(gap > 0) || gap > limit || gap > pair->margin)
    return false;
  flat n = minus(p, q), half = along(q, 0.5, n);
  add(pair, half, (flat){n.x / gap, n.y / gap}, gap, pc_feature(9, first, second, 0));
  return true;
}

static void polygons(pc_pair *pair)
{
  flat zero = {0, 0}, centre = {pair->centre.x, pair->centre.y};
  edge on_a = best_edge(pair->a, pair->at_a, centre, pair->b, pair->at_b, zero);
  if (on_a.separation > pair->margin)
    return;
  edge on_b = best_edge(pair->b, pair->at_b, zero, pair->a, pair->at_a, centre);
  if (on_b.separation > pair->margin)
    return;
  double preference = 1e-4 * pair->size + 1e-3 * fabs(on_a.separation);
  bool second = on_b.separation > on_a.separation + preference;
  const pc_shape *base = second ? pair->b : pair->a, *other = second ? pair->a : pair->b;
  const pc_pose *at = second ? pair->at_b : pair->at_a,
                *at_other = second ? pair->at_a : pair->at_b;
  flat move = second ? zero : centre, move_other = second ? centre : zero;
  int i = second ? on_b.i : on_a.i, facing = 0, sides = base->polygon.count;
  flat n = normal_of(base, at, i);
  double least = INFINITY;
  for (int k = 0; k < other->polygon.count; k++) {
    double d = dot(n, normal_of(other, at_other, k));
    if (d < least - 1e-9)
      least = d, facing = k;
  }
  int next = facing + 1 < other->polygon.count ? facing + 1 : 0;
  flat p = vertex_of(other, at_other, move_other, facing);
  flat q = vertex_of(other, at_other, move_other, next);
  flat u = vertex_of(base, at, move, i), v = vertex_of(base, at, move, (i + 1) % sides);
  flat t = {-n.y, n.x};
  // The part of the facing edge before the edge: t runs from u to v, and against it from p to q.
  double low = dot(t, u), high = dot(t, v), from = dot(t, p), to = dot(t, q);
  double slack = 1e-5 * pair->size, span = to - from;
  double start = from > high + slack ? (high - from) / span : 0;
  double end = to < low - slack ? (low - from) / span : 1;
  flat out = second ? n : (flat){-n.x, -n.y};
  pc_touch touch[2];
  int made = 0;
  if (from >= low - slack && to <= high + slack && start <= 1 && end >= 0) {
    double ends[2] = {start, end};
    for (int k = 0; k < 2; k++) {
      flat x = along(p, ends[k], minus(q, p));
      double gap = dot(n, minus(x, u));
      bool cut = k == 0 ? start > 0 : end < 1;
      int vertex = k == 0 ? facing : next;
      if (gap <= pair->margin)
        touch[made++] =
            (pc_touch){lift(along(x, -0.5 * gap, n)), gap,
                       pc_feature((second ? 3 : 1) + cut, i, cut ? facing : vertex, cut ? k : 0)};
    }
  }
  double separation = second ? on_b.separation : on_a.separation;
  // Thin polygons deep in each other: the deepest vertex is not on the facing edge.
  if (made == 0 && separation <= 0) {
    int deepest = 0;
    for (int k = 0; k < other->polygon.count; k++)
      if (dot(n, vertex_of(other, at_other, move_other, k)) <
          dot(n, vertex_of(other, at_other, move_other, deepest)))
        deepest = k;
    flat x = vertex_of(other, at_other, move_other, deepest);
    touch[made++] = (pc_touch){lift(along(x, -0.5 * separation, n)), separation,
                               pc_feature(9, i, deepest, second)};
  }
  least = made == 0 ? INFINITY : made == 1 ? touch[0].gap : fmin(touch[0].gap, touch[1].gap);
  // Apart, and the nearest vertex is not before the edge.
  int room = 2;
  if (separation > 0 && least > separation + 0.01 * pair->margin &&
      add_vertices(pair, centre, least - 0.01 * pair->margin))
    room--;
  if (room == 1 && made == 2 && touch[1].gap < touch[0].gap)
    touch[0] = touch[1];
  for (int k = 0; k < made && k < room; k++)
    add(pair, (flat){touch[k].point.x, touch[k].point.y}, out, touch[k].gap, touch[k].feature);
}

void pc_collide_flat(pc_pair *pair)
{
  if (pair->b->type == PC_DISC)
    discs(pair);
  else if (pair->a->type == PC_DISC)
    disc_polygon(pair);
  else
    polygons(pair);
}

// The half-plane comes first here: `n` points out of it, from a to b.
void pc_collide_flat_plane(pc_pair *pair)
{
  flat n = turned(pair->at_a->rotation, pair->a->plane.normal), centre = {0, 0};
  flat back = {-n.x, -n.y}, base = {pair->centre.x, pair->centre.y};
  if (pair->b->type == PC_DISC) {
    double gap = -dot(n, base) - pair->b->ball;
    add(pair, along(centre, -pair->b->ball - 0.5 * gap, n), back, gap, 0);
    return;
  }
  // The deepest vertex, and the deeper of its two neighbours if that is near too.
  int count = pair->b->polygon.count, best = 0;
  double least = INFINITY;
  for (int k = 0; k < count; k++) {
    double gap = dot(n, minus(vertex_of(pair->b, pair->at_b, centre, k), base));
    if (gap < least)
      least = gap, best = k;
  }
  if (least > pair->margin)
    return;
  int sides[2] = {best > 0 ? best - 1 : count - 1, best + 1 < count ? best + 1 : 0};
  double gaps[2];
  for (int k = 0; k < 2; k++)
    gaps[k] = dot(n, minus(vertex_of(pair->b, pair->at_b, centre, sides[k]), base));
  int next = gaps[0] < gaps[1] ? sides[0] : sides[1];
  int both[2] = {best < next ? best : next, best < next ? next : best};
  for (int k = 0; k < 2; k++) {
    flat x = vertex_of(pair->b, pair->at_b, centre, both[k]);
    double gap = dot(n, minus(x, base));
    add(pair, along(x, -0.5 * gap, n), back, gap, pc_feature(1, both[k], 0, 0));
  }
}
