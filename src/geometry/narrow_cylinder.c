// The widest gap or the shallowest overlap of a cylinder with another body.
//
// The separation along unit vectors is largest at a face normal, at an axis, straight from a vertex
// to the cylinder, or on the arc of normals of an edge. On an arc each pair of supporting points
// bounds it from above for all directions, so that arcs without a better one are left soon and the
// best of the others is found for certain. Between the rims of two cylinders it is smooth, and
// Newton's method goes from several directions.
#include "geometry/narrow_core.h"

typedef struct search {
  const pc_core *cylinder, *other;
  double tolerance, preference; // of arcs; of flat faces before the rest
  double limit;                 // apart by more is enough
  pc_vec normal;                // from the other to the cylinder
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

// A piece of the arc of normals of an edge: its ends, and what lies between the bodies along them.
typedef struct piece {
  pc_vec n[2], q[2];
} piece;

// No direction of the piece is better than this; *t says where on the chord that may be.
static double bound(const piece *p, double *t)
{
  double f0 = pc_dot(p->n[0], p->q[0]), f1 = pc_dot(p->n[1], p->q[1]);
  double up = pc_dot(p->n[1], p->q[0]) - f0, down = pc_dot(p->n[0], p->q[1]) - f1, most;
  if (up <= 0) {
    *t = 0, most = f0;
  } else if (down <= 0) {
    *t = 1, most = f1;
  } else {
    *t = (f1 + down - f0) / (up + down);
    most = f0 + *t * up;
  }
  if (most <= 0)
    return most;
  // The chord is shorter than the unit vectors of the arc.
  *t = 0.5;
  return most / sqrt(fmax(0.01, 0.5 * (1 + pc_dot(p->n[0], p->n[1]))));
}

// `vertex`: a point of the edge where the other body is a polyhedron.
static pc_vec between_at(const search *s, const pc_vec *vertex, pc_vec n)
{
  if (vertex == NULL)
    return between(s, n);
  return pc_sub(pc_core_support(s->cylinder, pc_scale(-1, n)), *vertex);
}

static void search_arc(search *s, const pc_vec *vertex, pc_vec from, pc_vec to)
{
  enum { ROOM = 64, LIMIT = 600 };
  piece stack[ROOM];
  int count = 1;
  stack[0] = (piece){{from, to}, {between_at(s, vertex, from), between_at(s, vertex, to)}};
  for (int turn = 0; turn < LIMIT && count > 0; turn++) {
    piece p = stack[--count];
    double t;
    if (bound(&p, &t) <= s->separation + s->tolerance || count + 2 > ROOM)
      continue;
    t = t < 0.02 ? 0.02 : t > 0.98 ? 0.98 : t;
    pc_vec n = pc_unit(pc_along(pc_scale(1 - t, p.n[0]), t, p.n[1]), p.n[0]);
    pc_vec q = between_at(s, vertex, n);
    take(s, n, pc_dot(n, q), false);
    stack[count++] = (piece){{p.n[0], n}, {p.q[0], q}};
    stack[count++] = (piece){{n, p.n[1]}, {q, p.q[1]}};
  }
}

static void search_circle(search *s, pc_vec axis)
{
  pc_vec x = pc_across(axis), y = pc_times(axis, x);
  pc_vec corner[5] = {x, y, pc_scale(-1, x), pc_scale(-1, y), x};
  for (int k = 0; k < 4; k++)
    search_arc(s, NULL, corner[k], corner[k + 1]);
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
// axis.
static double vertex_distance(const pc_core *c, pc_vec p)
{
  pc_vec d = pc_sub(p, c->centre);
  double along = pc_dot(d, c->axis), up = fabs(along) - c->half;
  double square = fmax(0, pc_dot(d, d) - along * along);
  double out = sqrt(square) - c->radius;
  if (up <= 0)
    return out > 0 ? out * out : out;
  return up * up + (out > 0 ? out * out : 0);
}

enum { FACES = 128 };

static void search_edge(search *s, int e, const pc_vec *lowest)
{
  const pc_hull *hull = s->other->hull;
  pc_vec vertex = pc_vec_of(hull->vertex[hull->edge[e][0]]);
  int f = hull->edge_face[e][0], g = hull->edge_face[e][1];
  pc_vec from = pc_vec_of(hull->plane[f]), to = pc_vec_of(hull->plane[g]);
  if (hull->faces == 1) {
    pc_vec side = pc_times(pc_vec_of(hull->direction[e]), from);
    search_arc(s, &vertex, from, side);
    search_arc(s, &vertex, side, pc_scale(-1, from));
    return;
  }
  if (f < FACES && g < FACES) {
    piece p = {{from, to}, {pc_sub(lowest[f], vertex), pc_sub(lowest[g], vertex)}};
    double t;
    if (bound(&p, &t) <= s->separation + s->tolerance)
      return;
  }
  search_arc(s, &vertex, from, to);
}

// Everything in the axes of the hull.
static void search_hull(search *s)
{
  const pc_hull *hull = s->other->hull;
  const pc_core *c = s->cylinder;
  pc_vec lowest[FACES];
  for (int f = 0; f < hull->faces; f++) {
    pc_vec n = pc_vec_of(hull->plane[f]), x = pc_core_support(c, pc_scale(-1, n));
    if (f < FACES)
      lowest[f] = x;
    take(s, n, pc_dot(n, x) - hull->plane[f][3], true);
  }
  if (hull->faces == 1)
    offer(s, pc_scale(-1, pc_vec_of(hull->plane[0])), true);
  if (s->separation > s->limit)
    return;
  // Of all vertices the nearest may touch the rim, the nearest to the axis the side.
  double least[2] = {INFINITY, INFINITY};
  int nearest[2] = {0, 0};
  for (int v = 0; v < hull->vertices; v++) {
    pc_vec x = pc_vec_of(hull->vertex[v]), d = pc_sub(x, c->centre);
    double along = pc_dot(d, c->axis), off = pc_dot(d, d) - along * along;
    double far = vertex_distance(c, x);
    if (far < least[0])
      least[0] = far, nearest[0] = v;
    if (off < least[1])
      least[1] = off, nearest[1] = v;
  }
  for (int k = 0; k < 2; k++)
    offer_vertex(s, pc_vec_of(hull->vertex[nearest[k]]));
  for (int e = 0; e < hull->edges && s->separation <= s->limit; e++)
    search_edge(s, e, lowest);
}

static void search_rod(search *s)
{
  const pc_core *rod = s->other;
  if (rod->half > 0)
    search_circle(s, rod->axis);
  offer_vertex(s, pc_along(rod->centre, -rod->half, rod->axis));
  offer_vertex(s, pc_along(rod->centre, rod->half, rod->axis));
}

// How a rim curves the separation: -r / rho along the circle about the axis.
static double rim_curve(const pc_core *c, pc_vec n, pc_vec *along)
{
  pc_vec t = pc_times(c->axis, n);
  double rho = pc_length(t);
  *along = pc_unit(t, pc_across(c->axis));
  return rho > 1e-9 ? c->radius / rho : INFINITY;
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
  // A start much deeper than what is found leads nowhere better.
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

static void search_rims(search *s, double size, const pc_vec *hint)
{
  const pc_core *c = s->cylinder, *o = s->other;
  // Apart there is one maximum only.
  if (hint != NULL && climb(s, size, *hint))
    return;
  offer(s, o->axis, true);
  offer(s, pc_scale(-1, o->axis), true);
  search_circle(s, c->axis);
  search_circle(s, o->axis);
  if (hint != NULL) {
    pc_witness w = {.normal = s->normal};
    if (s->separation < 0.02 * size ||
        !pc_core_distance(c, o, size, PC_CORE_EXACT, INFINITY, *hint, &w))
      pc_core_push(c, o, size, &w);
    take(s, w.normal, pc_core_separation(c, o, w.normal), false);
    return;
  }
  pc_vec x = pc_unit(pc_times(c->axis, o->axis), pc_across(c->axis));
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
  search s = {&local,
              &rest,
              .tolerance = 1e-12 * size,
              .preference = 1e-9 * size,
              .limit = limit,
              .separation = -INFINITY};
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
  if (points)
    search_hull(&s);
  else if (other->kind == PC_CORE_ROD)
    search_rod(&s);
  else
    search_rims(&s, size, hint);
  *normal = points ? pc_turn(other->turn, s.normal) : s.normal;
  return s.separation;
}
