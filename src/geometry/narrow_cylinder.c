// The widest gap or the shallowest overlap of a cylinder with another body.
//
// The separation along unit vectors is largest at a face normal, at an axis, straight from a vertex
// to the cylinder, or on the arc of normals of an edge. On an arc each pair of supporting points
// bounds it from above for all directions, so that arcs without a better one are left soon and the
// best of the others is found for certain. Between the rims of two cylinders it is smooth, and
// Newton's method goes from several directions.
#include "geometry/narrow_bound.h"
#include "geometry/narrow_core.h"

typedef struct search {
  const pc_core *cylinder, *other;
  double preference; // of flat faces before the rest, and of what is known before arcs
  double limit;      // apart by more is enough
  pc_vec normal;     // from the other to the cylinder
  double separation;
  bool flat;
} search;

static void take(search *s, pc_vec n, double separation, bool flat)
{
  if (separation <= s->separation + (s->flat && !flat ? s->preference : 0))
    return;
  s->normal = n, s->separation = separation;
  s->flat = flat;
}

// From the highest point of the other to the lowest of the cylinder, along n.
static pc_vec between(const search *s, pc_vec n)
{
  return pc_sub(pc_core_support(s->cylinder, pc_scale(-1, n)), pc_core_support(s->other, n));
}

static void offer(search *s, pc_vec n, bool flat)
{
  take(s, n, pc_dot(n, between(s, n)), flat);
}

// How a rim curves the separation: -r / rho along the circle about the axis.
static double rim_curve(const pc_core *c, pc_vec n, pc_vec *along)
{
  pc_vec t = pc_times(c->axis, n);
  double rho = pc_length(t);
  *along = pc_unit(t, pc_across(c->axis));
  return rho > 1e-9 ? c->radius / rho : INFINITY;
}

// A piece of an arc of normals: its ends, and what lies between the bodies along them.
typedef struct piece {
  pc_vec n[2], q[2];
} piece;

// No direction of the piece is better than this; *t says where on the chord that may be.
static double bound(const piece *p, double *t)
{
  double f[2] = {pc_dot(p->n[0], p->q[0]), pc_dot(p->n[1], p->q[1])};
  double g[2] = {pc_dot(p->n[1], p->q[0]), pc_dot(p->n[0], p->q[1])};
  return pc_arc_bound(f, g, pc_dot(p->n[0], p->n[1]), t);
}

// Normals from one to another about an axis: those of an edge, or of the side of a cylinder. Along
// them the other body reaches as far as the vertex, and `round` more.
typedef struct arc {
  piece whole;
  pc_vec axis, vertex;
  double round;
} arc;

static pc_vec between_on(const search *s, const arc *a, pc_vec n)
{
  return pc_sub(pc_core_support(s->cylinder, pc_scale(-1, n)), a->vertex);
}

static bool on_arc(const arc *a, pc_vec n)
{
  return pc_dot(pc_times(a->whole.n[0], n), a->axis) > 0 &&
         pc_dot(pc_times(n, a->whole.n[1]), a->axis) > 0;
}

// A direction of an arc, and what lies between the bodies on the one side of it and on the other.
typedef struct peak {
  pc_vec n, q[2];
} peak;

// Newton's method along an arc, as long as it climbs.
static peak climb_arc(const search *s, const arc *a, pc_vec n)
{
  enum { LIMIT = 8 };
  pc_vec q = between_on(s, a, n);
  double f = pc_dot(n, q), step = 1;
  for (int turn = 0; turn < LIMIT && fabs(step) > 1e-8; turn++) {
    pc_vec t = pc_times(a->axis, n), along;
    double bend = f, curve = rim_curve(s->cylinder, n, &along);
    bend += curve * pc_dot(along, t) * pc_dot(along, t);
    if (!isfinite(bend) || !(bend > 0))
      break;
    step = fmax(-0.5, fmin(0.5, pc_dot(t, q) / bend));
    pc_vec m = pc_unit(pc_along(n, step, t), n), r = between_on(s, a, m);
    if (!on_arc(a, m) || !(pc_dot(m, r) > f))
      break;
    n = m, q = r, f = pc_dot(m, r);
  }
  return (peak){n, {q, q}};
}

// About where an arc is best: where the cylinder touches with a line of its side if it goes down
// from there with both ends of the line, else where Newton's method comes to. The search does not
// rely on it.
static peak guess(const search *s, const arc *a)
{
  const pc_core *c = s->cylinder;
  const pc_vec *n = a->whole.n;
  double x;
  bound(&a->whole, &x);
  pc_vec start = pc_unit(pc_along(pc_scale(1 - x, n[0]), x, n[1]), n[0]);
  pc_vec side = pc_unit(pc_times(c->axis, a->axis), n[0]), t = pc_times(a->axis, side);
  if (pc_dot(side, pc_add(n[0], n[1])) < 0)
    side = pc_scale(-1, side), t = pc_scale(-1, t);
  if (!on_arc(a, side))
    return climb_arc(s, a, start);
  pc_vec q = pc_sub(pc_along(c->centre, -c->radius, side), a->vertex);
  double end = pc_dot(t, c->axis) < 0 ? -c->half : c->half, slope = pc_dot(t, q);
  if (fabs(slope) <= end * pc_dot(t, c->axis))
    return (peak){side, {pc_along(q, end, c->axis), pc_along(q, -end, c->axis)}};
  side = pc_unit(pc_along(side, slope < 0 ? -0.05 : 0.05, t), side);
  return climb_arc(s, a, on_arc(a, side) ? side : start);
}

// What another direction has to be better than.
static double goal(const search *s)
{
  return s->separation + s->preference;
}

static bool hopeless(const search *s, const arc *a, const piece *p, double *t)
{
  return bound(p, t) - a->round <= goal(s);
}

// Offers a direction of an arc, and where Newton's method comes to from it if it is better.
static void take_on(search *s, const arc *a, pc_vec n, pc_vec q)
{
  if (pc_dot(n, q) - a->round <= goal(s))
    return;
  peak top = climb_arc(s, a, n);
  take(s, top.n, pc_dot(top.n, top.q[0]) - a->round, false);
}

// The whole of the arc must have its q.
static void search_arc(search *s, const arc *a)
{
  enum { ROOM = 64, LIMIT = 600 };
  double t;
  if (hopeless(s, a, &a->whole, &t))
    return;
  piece stack[ROOM];
  int count = 0;
  const piece *w = &a->whole;
  peak top = guess(s, a);
  take(s, top.n, pc_dot(top.n, top.q[0]) - a->round, false);
  stack[count++] = (piece){{w->n[0], top.n}, {w->q[0], top.q[0]}};
  stack[count++] = (piece){{top.n, w->n[1]}, {top.q[1], w->q[1]}};
  for (int turn = 0; turn < LIMIT && count > 0; turn++) {
    piece p = stack[--count];
    if (hopeless(s, a, &p, &t) || count + 2 > ROOM)
      continue;
    t = t < 0.02 ? 0.02 : t > 0.98 ? 0.98 : t;
    pc_vec n = pc_unit(pc_along(pc_scale(1 - t, p.n[0]), t, p.n[1]), p.n[0]);
    pc_vec q = between_on(s, a, n);
    take_on(s, a, n, q);
    stack[count++] = (piece){{p.n[0], n}, {p.q[0], q}};
    stack[count++] = (piece){{n, p.n[1]}, {q, p.q[1]}};
  }
}

static void search_between(search *s, pc_vec from, pc_vec to, pc_vec axis, pc_vec vertex,
                           double round)
{
  // The arc goes from the one to the other about its axis.
  double sign = pc_dot(pc_times(from, to), axis) < 0 ? -1 : 1;
  arc a = {
      .whole = {.n = {from, to}}, .axis = pc_scale(sign, axis), .vertex = vertex, .round = round};
  for (int k = 0; k < 2; k++) {
    a.whole.q[k] = between_on(s, &a, a.whole.n[k]);
    take(s, a.whole.n[k], pc_dot(a.whole.n[k], a.whole.q[k]) - round, false);
  }
  search_arc(s, &a);
}

// Normals of the side of the other, in quarters about the direction to the cylinder.
static void search_circle(search *s)
{
  const pc_core *o = s->other;
  pc_vec d = pc_sub(s->cylinder->centre, o->centre), axis = o->axis;
  pc_vec x = pc_unit(pc_along(d, -pc_dot(d, axis), axis), pc_across(axis)), y = pc_times(axis, x);
  double half = sqrt(0.5);
  pc_vec u = pc_scale(half, pc_add(x, y)), v = pc_scale(half, pc_sub(x, y));
  pc_vec corner[5] = {v, u, pc_scale(-1, v), pc_scale(-1, u), v};
  for (int k = 0; k < 4; k++)
    search_between(s, corner[k], corner[k + 1], axis, o->centre, o->radius);
}

// From a point to the nearest of the cylinder; from inside to its side.
static void offer_vertex(search *s, pc_vec p)
{
  const pc_core *c = s->cylinder;
  pc_vec d = pc_sub(c->centre, p);
  double along = pc_dot(d, c->axis);
  pc_vec across = pc_along(d, -along, c->axis), z = along < 0 ? pc_scale(-1, c->axis) : c->axis;
  double out = pc_length(across), up = fabs(along) - c->half;
  across = pc_unit(across, pc_across(c->axis));
  offer(s, across, false);
  if (out > c->radius && up > 0)
    offer(s, pc_unit(pc_along(pc_scale(up, z), out - c->radius, across), z), false);
}

// The square of how far outside the cylinder a point is, less than 0 inside it: then how near its
// axis. `square`: of its distance from the axis.
static double outside(const pc_core *c, double along, double square)
{
  double up = fabs(along) - c->half, out = sqrt(square) - c->radius;
  if (up <= 0)
    return out > 0 ? out * out : out;
  return up * up + (out > 0 ? out * out : 0);
}

static void search_edge(search *s, int e)
{
  const pc_hull *hull = s->other->hull;
  pc_vec vertex = pc_vec_of(hull->vertex[hull->edge[e][0]]);
  const int *f = hull->edge_face[e];
  search_between(s, pc_vec_of(hull->plane[f[0]]), pc_vec_of(hull->plane[f[1]]),
                 pc_vec_of(hull->direction[e]), vertex, 0);
}

// A triangle alone has normals all around its edges.
static void search_triangle(search *s)
{
  const pc_hull *hull = s->other->hull;
  pc_vec up = pc_vec_of(hull->plane[0]);
  for (int e = 0; e < hull->edges && s->separation <= s->limit; e++) {
    pc_vec vertex = pc_vec_of(hull->vertex[hull->edge[e][0]]);
    pc_vec axis = pc_vec_of(hull->direction[e]), side = pc_times(axis, up);
    search_between(s, up, side, axis, vertex, 0);
    search_between(s, side, pc_scale(-1, up), axis, vertex, 0);
  }
}

// The edge that may be best comes first; then few others remain to be searched.
static void search_edges(search *s, const pc_over *over)
{
  enum { ROOM = 64 };
  const pc_hull *hull = s->other->hull;
  int list[ROOM], count = 0, first = 0;
  double most[ROOM], least = goal(s), low = least < 0 ? least : 0;
  for (int e = 0; e < hull->edges; e++) {
    if (pc_edge_low(over, hull, e, low))
      continue;
    double b = pc_edge_bound(over, hull, e);
    if (b <= least)
      continue;
    if (count == ROOM) {
      search_edge(s, e);
      continue;
    }
    if (count > 0 && b > most[first])
      first = count;
    list[count] = e, most[count++] = b;
  }
  for (int k = count > 0 ? -1 : 0; k < count && s->separation <= s->limit; k++)
    if (k != first && most[k < 0 ? first : k] > goal(s))
      search_edge(s, list[k < 0 ? first : k]);
}

static void offer_face(search *s, int face, pc_over *over)
{
  const pc_hull *hull = s->other->hull;
  pc_vec n = pc_vec_of(hull->plane[face]), x = pc_core_support(s->cylinder, pc_scale(-1, n));
  double separation = pc_face_height(hull, face, x);
  pc_over_set(over, face, x, separation);
  take(s, n, separation, true);
}

// The face that has the middle of the cylinder highest above it comes first. Faces above which it
// is too low can be no better.
static void offer_faces(search *s, pc_over *over)
{
  const pc_hull *hull = s->other->hull;
  int first = pc_over_init(over, hull, s->cylinder->centre);
  offer_face(s, first, over);
  for (int f = 0; f < hull->faces; f++)
    if (f != first && pc_over_height(over, hull, f) > s->separation)
      offer_face(s, f, over);
}

// Of all vertices the nearest may touch the rim, the nearest to the axis the side.
static void offer_vertices(search *s)
{
  const pc_hull *hull = s->other->hull;
  const pc_core *c = s->cylinder;
  double least[2] = {INFINITY, INFINITY};
  int nearest[2] = {0, 0};
  for (int v = 0; v < hull->vertices; v++) {
    pc_vec d = pc_sub(pc_vec_of(hull->vertex[v]), c->centre);
    double along = pc_dot(d, c->axis), square = pc_dot(d, d) - along * along;
    square = square > 0 ? square : 0;
    double far = outside(c, along, square);
    if (far < least[0])
      least[0] = far, nearest[0] = v;
    if (square < least[1])
      least[1] = square, nearest[1] = v;
  }
  offer_vertex(s, pc_vec_of(hull->vertex[nearest[0]]));
  if (nearest[1] != nearest[0])
    offer_vertex(s, pc_vec_of(hull->vertex[nearest[1]]));
}

// Everything in the axes of the hull.
static void search_hull(search *s)
{
  const pc_hull *hull = s->other->hull;
  pc_over over;
  offer_faces(s, &over);
  if (hull->faces == 1)
    offer(s, pc_scale(-1, pc_vec_of(hull->plane[0])), true);
  if (s->separation > s->limit)
    return;
  offer_vertices(s);
  if (s->separation > s->limit)
    return;
  if (hull->faces == 1)
    search_triangle(s);
  else
    search_edges(s, &over);
}

static void search_rod(search *s)
{
  const pc_core *rod = s->other;
  offer_vertex(s, pc_along(rod->centre, -rod->half, rod->axis));
  offer_vertex(s, pc_along(rod->centre, rod->half, rod->axis));
  if (rod->half > 0 && s->separation <= s->limit)
    search_circle(s);
}

// Newton's method on the sphere from a direction between the rims. Steps that do not climb are
// made shorter; where the surface is not bent enough the step goes along the slope. True when it
// came to a maximum.
static bool climb(search *s, double extent, pc_vec n)
{
  enum { LIMIT = 14, FAILURES = 4 };
  pc_vec q = between(s, n);
  double f = pc_dot(n, q), room = 0.4;
  int failures = 0;
  // A start much deeper than the best so far leads to nothing better.
  if (f < 3 * s->separation - 0.2 * extent)
    return false;
  bool level = false;
  for (int turn = 0; turn < LIMIT && !level; turn++) {
    pc_vec x = pc_across(n), y = pc_times(n, x), t[2];
    double c[2] = {rim_curve(s->cylinder, n, &t[0]), rim_curve(s->other, n, &t[1])};
    double gx = pc_dot(x, q), gy = pc_dot(y, q), xx = f, xy = 0, yy = f;
    if (!isfinite(c[0]) || !isfinite(c[1]))
      break;
    for (int k = 0; k < 2; k++) {
      double u = pc_dot(t[k], x), v = pc_dot(t[k], y);
      xx += c[k] * u * u, xy += c[k] * u * v, yy += c[k] * v * v;
    }
    double det = xx * yy - xy * xy, slope = sqrt(gx * gx + gy * gy), sx, sy;
    bool bent = xx > 0 && det > 1e-6 * xx * xx;
    sx = bent ? (yy * gx - xy * gy) / det : room * gx / slope;
    sy = bent ? (xx * gy - xy * gx) / det : room * gy / slope;
    double size = sqrt(sx * sx + sy * sy);
    level = bent && size < 1e-7;
    if (size > room)
      sx *= room / size, sy *= room / size, size = room;
    pc_vec m = pc_unit(pc_along(pc_along(n, sx, x), sy, y), n), p = between(s, m);
    if (pc_dot(m, p) <= f) {
      room = 0.3 * size;
      if (++failures > FAILURES || room < 1e-8)
        break;
      continue;
    }
    n = m, q = p, f = pc_dot(m, p);
  }
  take(s, n, f, false);
  return level;
}

bool pc_cylinders_face(const pc_core *a, const pc_core *b, double size, pc_witness *witness)
{
  pc_vec n = witness->normal, x = pc_core_support(a, pc_scale(-1, n)), y = pc_core_support(b, n);
  double separation = pc_dot(n, pc_sub(x, y));
  pc_vec before_a = pc_along(y, separation, n), before_b = pc_along(x, -separation, n);
  bool on_b = pc_core_inside(b, before_b, 1e-9 * size);
  if (!on_b && !pc_core_inside(a, before_a, 1e-9 * size))
    return false;
  *witness = on_b ? (pc_witness){n, separation, x, before_b, false}
                  : (pc_witness){n, separation, before_a, y, false};
  return true;
}

static void search_rims(search *s, double size, const pc_vec *hint)
{
  const pc_core *c = s->cylinder, *o = s->other;
  // Apart there is one maximum only.
  if (hint != NULL && climb(s, size, *hint))
    return;
  offer(s, o->axis, true);
  offer(s, pc_scale(-1, o->axis), true);
  // Both sides at once.
  pc_vec x = pc_unit(pc_times(c->axis, o->axis), pc_across(c->axis));
  offer(s, pc_dot(x, pc_sub(c->centre, o->centre)) < 0 ? pc_scale(-1, x) : x, false);
  search_circle(s);
  search back = *s;
  back.cylinder = o, back.other = c;
  back.normal = pc_scale(-1, s->normal);
  search_circle(&back);
  take(s, pc_scale(-1, back.normal), back.separation, false);
  if (hint != NULL) {
    pc_witness w = {.normal = s->normal};
    if (pc_cylinders_face(c, o, size, &w))
      return;
    if (s->separation < 0.02 * size ||
        !pc_core_distance(c, o, size, PC_CORE_EXACT, INFINITY, *hint, &w))
      pc_core_push(c, o, size, &w);
    take(s, w.normal, pc_core_separation(c, o, w.normal), false);
    return;
  }
  climb(s, size, pc_unit(pc_sub(c->centre, o->centre), x));
  for (int k = 0; k < 8; k++) {
    pc_vec n = pc_add(pc_scale(k & 1 ? 1 : -1, c->axis), pc_scale(k & 2 ? 1 : -1, o->axis));
    n = pc_along(n, k & 4 ? 1 : -1, x);
    climb(s, size, pc_unit(n, x));
  }
}

double pc_cylinder_axis(const pc_core *cylinder, const pc_core *other, double size, double limit,
                        const pc_vec *hint, pc_vec *normal)
{
  pc_core local = *cylinder, rest = *other;
  search s = {&local, &rest, .preference = 1e-9 * size, .limit = limit, .separation = -INFINITY};
  bool points = other->kind == PC_CORE_POINTS;
  if (points) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    local.centre = pc_turn_back(other->turn, pc_sub(cylinder->centre, other->centre));
    local.axis = pc_turn_back(other->turn, cylinder->axis);
    rest.centre = (pc_vec){0, 0, 0};
    rest.turn = identity;
  }
  offer(&s, local.axis, true);
  offer(&s, pc_scale(-1, local.axis), true);
  if (s.separation > limit)
    return s.separation;
  switch (other->kind) {
  case PC_CORE_POINTS:
    search_hull(&s);
    break;
  case PC_CORE_ROD:
    search_rod(&s);
    break;
  case PC_CORE_CYLINDER:
    search_rims(&s, size, hint);
    break;
  }
  *normal = points ? pc_turn(other->turn, s.normal) : s.normal;
  return s.separation;
}
