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

// Where the other polygon is, seen from the base: in its axes, from its origin.
typedef struct view {
  double m[4];
  flat move;
} view;

static view view_of(const double *base, const double *other, flat from_base)
{
  return (view){{base[0] * other[0] + base[3] * other[3], base[0] * other[1] + base[3] * other[4],
                 base[1] * other[0] + base[4] * other[3], base[1] * other[1] + base[4] * other[4]},
                {base[0] * from_base.x + base[3] * from_base.y,
                 base[1] * from_base.x + base[4] * from_base.y}};
}

static inline flat seen(const view *v, const double point[2])
{
  return (flat){v->m[0] * point[0] + v->m[1] * point[1] + v->move.x,
                v->m[2] * point[0] + v->m[3] * point[1] + v->move.y};
}

// Numbers of two edges side by side.
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long two_masks __attribute__((vector_size(16)));

static inline two choose(two_masks which, two a, two b)
{
  return (two)((which & (two_masks)a) | (~which & (two_masks)b));
}

static inline two lower_of(two a, two b)
{
  return choose(a < b, a, b);
}

static inline two dot_edges(const pc_edges *edges, int i, double x, double y)
{
  return *(const two *)(edges->x + i) * x + *(const two *)(edges->y + i) * y;
}

// The first of the highest of four. Without branches: bodies at rest differ by noise, which no
// prediction can guess.
static inline edge highest_of(two low, two high, int first)
{
  two_masks above = high > low;
  two most = choose(above, high, low);
  long long even = 2 & above[0], odd = 1 + (2 & above[1]);
  long long is_odd = -(long long)((most[1] > most[0]) | ((most[1] == most[0]) & (odd < even)));
  two_masks both = {is_odd, is_odd};
  two other = __builtin_shufflevector(most, most, 1, 0);
  return (edge){choose(both, other, most)[0], first + (int)(even ^ ((even ^ odd) & is_odd))};
}

// The edge of the base that the other stays farthest above. Edges are taken four at a time, so that
// each vertex of the other is placed once for four of them.
static edge best_edge(const pc_shape *base, const pc_shape *other, const view *v)
{
  const two far = {INFINITY, INFINITY};
  edge best = {.separation = -INFINITY};
  for (int first = 0; first < base->polygon.count; first += PC_EDGES) {
    const pc_edges *edges = &base->polygon.edges[first / PC_EDGES];
    two lowest[2] = {far, far};
    for (int k = 0; k < other->polygon.count; k++) {
      flat p = seen(v, other->polygon.vertex[k]);
      lowest[0] = lower_of(dot_edges(edges, 0, p.x, p.y), lowest[0]);
      lowest[1] = lower_of(dot_edges(edges, 2, p.x, p.y), lowest[1]);
    }
    edge highest = highest_of(lowest[0] - *(const two *)edges->height,
                              lowest[1] - *(const two *)(edges->height + 2), first);
    if (highest.separation > best.separation)
      best = highest;
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

// The edge of a polygon that faces a normal most.
static int facing_edge(const pc_shape *shape, flat n)
{
  int facing = 0;
  double least = INFINITY;
  for (int first = 0; first < shape->polygon.count; first += PC_EDGES) {
    const pc_edges *edges = &shape->polygon.edges[first / PC_EDGES];
    int some = shape->polygon.count - first;
    double d[PC_EDGES];
    *(two *)d = dot_edges(edges, 0, n.x, n.y);
    *(two *)(d + 2) = dot_edges(edges, 2, n.x, n.y);
    for (int e = 0; e < PC_EDGES && e < some; e++)
      if (d[e] < least - 1e-9)
        least = d[e], facing = first + e;
  }
  return facing;
}

// Contacts of the edge i of the base, in its axes: the part of the facing edge of the other that is
// before it. Gives how many there are, two at most.
static int face_points(const pc_pair *pair, const pc_shape *base, int i, const pc_shape *other,
                       const view *v, bool second, pc_candidate touch[2])
{
  flat n = {base->polygon.normal[i][0], base->polygon.normal[i][1]}, t = {-n.y, n.x};
  flat back = {v->m[0] * n.x + v->m[2] * n.y, v->m[1] * n.x + v->m[3] * n.y};
  int facing = facing_edge(other, back), sides = base->polygon.count;
  int next = facing + 1 < other->polygon.count ? facing + 1 : 0, after = i + 1 < sides ? i + 1 : 0;
  flat p = seen(v, other->polygon.vertex[facing]), q = seen(v, other->polygon.vertex[next]);
  flat u = {base->polygon.vertex[i][0], base->polygon.vertex[i][1]};
  flat w = {base->polygon.vertex[after][0], base->polygon.vertex[after][1]};
  // t runs from u to w, and against it from p to q.
  double low = dot(t, u), high = dot(t, w), from = dot(t, p), to = dot(t, q);
  double slack = 1e-5 * pair->size, span = to - from;
  double start = from > high + slack ? (high - from) / span : 0;
  double end = to < low - slack ? (low - from) / span : 1;
  int made = 0;
  if (!(from >= low - slack && to <= high + slack && start <= 1 && end >= 0))
    return 0;
  double ends[2] = {start, end};
  for (int k = 0; k < 2; k++) {
    flat x = along(p, ends[k], minus(q, p));
    double gap = dot(n, minus(x, u));
    bool cut = k == 0 ? start > 0 : end < 1;
    int vertex = k == 0 ? facing : next;
    if (gap <= pair->margin)
      touch[made++] =
          (pc_candidate){lift(along(x, -0.5 * gap, n)), gap,
                         pc_feature((second ? 3 : 1) + cut, i, cut ? facing : vertex, cut ? k : 0)};
  }
  return made;
}

// Thin polygons deep in each other: the deepest vertex is not on the facing edge.
static pc_candidate deepest_point(const pc_shape *base, int i, double separation,
                                  const pc_shape *other, const view *v, bool second)
{
  flat n = {base->polygon.normal[i][0], base->polygon.normal[i][1]}, deep = {0, 0};
  int deepest = 0;
  double least = INFINITY;
  for (int k = 0; k < other->polygon.count; k++) {
    flat x = seen(v, other->polygon.vertex[k]);
    if (dot(n, x) < least)
      least = dot(n, x), deepest = k, deep = x;
  }
  return (pc_candidate){lift(along(deep, -0.5 * separation, n)), separation,
                        pc_feature(9, i, deepest, second)};
}

static void polygons(pc_pair *pair)
{
  flat zero = {0, 0}, centre = {pair->centre.x, pair->centre.y}, away = {-centre.x, -centre.y};
  const double *turn_a = pair->at_a->rotation, *turn_b = pair->at_b->rotation;
  view from_a = view_of(turn_a, turn_b, away);
  edge on_a = best_edge(pair->a, pair->b, &from_a);
  if (on_a.separation > pair->margin)
    return;
  view from_b = view_of(turn_b, turn_a, centre);
  edge on_b = best_edge(pair->b, pair->a, &from_b);
  if (on_b.separation > pair->margin)
    return;
  double preference = 1e-4 * pair->size + 1e-3 * fabs(on_a.separation);
  bool second = on_b.separation > on_a.separation + preference;
  const pc_shape *base = second ? pair->b : pair->a, *other = second ? pair->a : pair->b;
  const view *v = second ? &from_b : &from_a;
  int i = second ? on_b.i : on_a.i;
  double separation = second ? on_b.separation : on_a.separation;
  pc_candidate touch[2];
  int made = face_points(pair, base, i, other, v, second, touch);
  if (made == 0 && separation <= 0)
    touch[made++] = deepest_point(base, i, separation, other, v, second);
  double least = INFINITY;
  for (int k = 0; k < made; k++)
    least = touch[k].gap < least ? touch[k].gap : least;
  // Apart, and the nearest vertex is not before the edge.
  int room = 2;
  if (separation > 0 && least > separation + 0.01 * pair->margin &&
      add_vertices(pair, centre, least - 0.01 * pair->margin))
    room--;
  if (room == 1 && made == 2 && touch[1].gap < touch[0].gap)
    touch[0] = touch[1];
  const double *turn = second ? turn_b : turn_a;
  flat move = second ? zero : centre, n = turned(turn, base->polygon.normal[i]);
  flat out = second ? n : (flat){-n.x, -n.y};
  for (int k = 0; k < made && k < room; k++) {
    flat point = along(move, 1, turned(turn, (double[2]){touch[k].point.x, touch[k].point.y}));
    add(pair, point, out, touch[k].gap, touch[k].feature);
  }
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
