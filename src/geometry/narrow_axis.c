// The axis between two convex cores, and the contacts along it.
#include "geometry/narrow_core.h"

enum { RIM = 16 };

// The best direction found.
typedef struct search {
  const pc_core *a, *b;
  pc_vec normal;
  double separation;
} search;

static void offer(search *s, pc_vec n)
{
  double separation = pc_core_separation(s->a, s->b, n);
  if (separation > s->separation)
    s->normal = n, s->separation = separation;
}

// Normals of flat faces; `sign` is 1 for those of b, which point to a.
static void offer_faces(search *s, const pc_core *core, double sign)
{
  if (core->kind == PC_CORE_POINTS)
    for (int f = 0; f < core->hull->faces; f++)
      offer(s, pc_scale(sign, pc_turn(core->turn, pc_vec_of(core->hull->plane[f]))));
}

static int edges_of(const pc_core *core)
{
  return core->kind == PC_CORE_POINTS ? core->hull->edges : core->half > 0;
}

static pc_vec edge_of(const pc_core *core, int i)
{
  return core->kind == PC_CORE_POINTS ? pc_turn(core->turn, pc_vec_of(core->hull->direction[i]))
                                      : core->axis;
}

static void offer_edges(search *s)
{
  for (int i = 0; i < edges_of(s->a); i++)
    for (int j = 0; j < edges_of(s->b); j++) {
      pc_vec n = pc_times(edge_of(s->a, i), edge_of(s->b, j));
      double size = pc_length(n);
      if (size <= 1e-6)
        continue;
      offer(s, pc_scale(1 / size, n));
      offer(s, pc_scale(-1 / size, n));
    }
}

// The flat face that faces most along a direction; false where there is none.
static bool flat_face(const pc_core *core, pc_vec direction, pc_vec *normal)
{
  switch (core->kind) {
  case PC_CORE_CYLINDER:
    *normal = pc_dot(direction, core->axis) < 0 ? pc_scale(-1, core->axis) : core->axis;
    return true;
  case PC_CORE_ROD:
    return false;
  case PC_CORE_POINTS:
    break;
  }
  pc_vec d = pc_turn_back(core->turn, direction), best = {0, 0, 0};
  double most = -INFINITY;
  for (int f = 0; f < core->hull->faces; f++) {
    pc_vec n = pc_vec_of(core->hull->plane[f]);
    double along = pc_dot(d, n);
    if (along > most)
      most = along, best = n;
  }
  *normal = pc_turn(core->turn, best);
  return true;
}

// A face that does as well as the axis has the cleaner normal.
static bool prefer_face(const pc_core *a, const pc_core *b, double size, pc_witness *witness)
{
  pc_vec n;
  for (int k = 0; k < 2; k++) {
    bool has = k == 0 ? flat_face(a, pc_scale(-1, witness->normal), &n)
                      : flat_face(b, witness->normal, &n);
    if (!has)
      continue;
    n = k == 0 ? pc_scale(-1, n) : n;
    if (pc_dot(n, witness->normal) < 0.99 ||
        pc_core_separation(a, b, n) < witness->separation - 1e-9 * size)
      continue;
    witness->normal = n;
    return true;
  }
  return false;
}

// Two cylinders whose sides cross: their axes pass each other between the ends. There no direction
// nearby is better, and none at all where they are apart.
static bool crossing_sides(const pc_core *a, const pc_core *b, pc_witness *witness)
{
  pc_vec n = pc_times(a->axis, b->axis), d = pc_sub(a->centre, b->centre);
  double size = pc_length(n), cosine = pc_dot(a->axis, b->axis);
  if (size < 1e-3)
    return false;
  n = pc_scale(pc_dot(n, d) < 0 ? -1 / size : 1 / size, n);
  double along_a = pc_dot(d, a->axis), along_b = pc_dot(d, b->axis), square = size * size;
  double s = (cosine * along_b - along_a) / square, t = (along_b - cosine * along_a) / square;
  if (fabs(s) > a->half || fabs(t) > b->half)
    return false;
  *witness = (pc_witness){n, pc_dot(n, d) - a->radius - b->radius,
                          pc_along(pc_along(a->centre, s, a->axis), -a->radius, n),
                          pc_along(pc_along(b->centre, t, b->axis), b->radius, n), false};
  return true;
}

static bool two_cylinders(const pc_core *a, const pc_core *b, double size, double limit,
                          pc_vec start, pc_witness *witness)
{
  pc_witness sides = {.separation = -INFINITY};
  bool cross = crossing_sides(a, b, &sides);
  *witness = sides;
  if (cross && sides.separation > 0)
    return sides.separation <= limit;
  bool apart = !cross && pc_core_distance(a, b, size, 1e-3, limit, start, witness);
  if (apart && witness->separation > limit && pc_core_separation(a, b, witness->normal) > limit)
    return false;
  pc_vec hint = witness->normal, n;
  double separation = pc_cylinder_axis(a, b, size, limit, apart ? &hint : NULL, &n);
  if (separation > limit)
    return false;
  if (cross && separation <= sides.separation + 1e-9 * size) {
    *witness = sides;
    return true;
  }
  *witness = (pc_witness){.normal = n, .separation = separation, .beside = true};
  if (!pc_cylinders_face(a, b, size, witness) && !apart) {
    pc_core_push(a, b, size, witness);
    prefer_face(a, b, size, witness);
  }
  return witness->separation <= limit;
}

static bool cylinder_axis(const pc_core *a, const pc_core *b, double size, double limit,
                          pc_witness *witness)
{
  bool first = a->kind == PC_CORE_CYLINDER;
  pc_vec n;
  double separation = pc_cylinder_axis(first ? a : b, first ? b : a, size, limit, NULL, &n);
  if (separation > limit)
    return false;
  n = first ? n : pc_scale(-1, n);
  *witness = (pc_witness){.normal = n, .separation = separation, .beside = true};
  return true;
}

bool pc_core_axis(const pc_core *a, const pc_core *b, double size, double limit,
                  pc_witness *witness)
{
  pc_vec up = {0, 0, 1}, start = pc_unit(pc_sub(pc_core_middle(a), pc_core_middle(b)), up);
  if (a->kind == PC_CORE_CYLINDER && b->kind == PC_CORE_CYLINDER)
    return two_cylinders(a, b, size, limit, start, witness);
  if (a->kind == PC_CORE_CYLINDER || b->kind == PC_CORE_CYLINDER)
    return cylinder_axis(a, b, size, limit, witness);
  if (pc_core_distance(a, b, size, PC_CORE_EXACT, limit, start, witness)) {
    if (witness->separation <= limit)
      prefer_face(a, b, size, witness);
    return witness->separation <= limit;
  }
  search s = {.a = a, .b = b, .separation = -INFINITY};
  offer_faces(&s, a, -1);
  offer_faces(&s, b, 1);
  offer_edges(&s);
  if (s.separation == -INFINITY)
    offer(&s, start);
  if (s.separation == -INFINITY)
    offer(&s, pc_across(a->half > 0 ? a->axis : b->axis));
  witness->normal = s.normal;
  pc_core_push(a, b, size, witness);
  return witness->separation <= limit;
}

// The part of a core that lies before the other: a polygon, a segment or a point.
typedef struct feature {
  int count;
  pc_cut_corner corner[PC_CORNERS];
  pc_vec normal; // of a polygon
  bool leans;    // a segment: only its ends count
} feature;

static void set_corner(feature *f, pc_vec at, int number, int edge)
{
  f->corner[f->count++] = (pc_cut_corner){at, {number, -1}, edge};
}

// The cap as a polygon with fixed corners, or the line on the side.
static void cylinder_feature(const pc_core *core, pc_vec direction, feature *f)
{
  // Cosines of the corners.
  static const double turn[RIM] = {
      1,  0.9238795325112867,   0.7071067811865476,  0.38268343236508984,
      0,  -0.38268343236508984, -0.7071067811865476, -0.9238795325112867,
      -1, -0.9238795325112867,  -0.7071067811865476, -0.38268343236508984,
      0,  0.38268343236508984,  0.7071067811865476,  0.9238795325112867};
  double along = pc_dot(direction, core->axis), sign = along < 0 ? -1 : 1;
  if (fabs(along) > 0.7) {
    const double *m = core->turn;
    pc_vec x = {m[0], m[3], m[6]}, y = {m[1], m[4], m[7]};
    pc_vec base = pc_along(core->centre, sign * core->half, core->axis);
    f->normal = pc_scale(sign, core->axis);
    for (int k = 0; k < RIM; k++) {
      pc_vec p = pc_along(base, core->radius * turn[k], x);
      set_corner(f, pc_along(p, sign * core->radius * turn[(k + 3 * RIM / 4) % RIM], y), k, k);
    }
    return;
  }
  pc_vec across = pc_along(direction, -along, core->axis);
  across = pc_scale(core->radius / pc_length(across), across);
  for (int k = 0; k < 2; k++) {
    pc_vec p = pc_along(core->centre, k == 0 ? -core->half : core->half, core->axis);
    set_corner(f, pc_add(p, across), k, 0);
  }
}

static void feature_of(const pc_core *core, pc_vec direction, feature *f)
{
  f->count = 0;
  f->leans = false;
  switch (core->kind) {
  case PC_CORE_POINTS: {
    int face = pc_facing(core->hull, core->turn, pc_scale(-1, direction));
    f->count = pc_load_face(core->hull, face, core->turn, core->centre, f->corner);
    f->normal = pc_turn(core->turn, pc_vec_of(core->hull->plane[face]));
    break;
  }
  case PC_CORE_CYLINDER:
    cylinder_feature(core, direction, f);
    break;
  case PC_CORE_ROD:
    f->leans = core->half > 0 && fabs(pc_dot(direction, core->axis)) >= 0.05;
    set_corner(f, pc_along(core->centre, -core->half, core->axis), 0, 0);
    if (core->half > 0)
      set_corner(f, pc_along(core->centre, core->half, core->axis), 1, 0);
    break;
  }
}

// The plane through a side of a polygon and along n, looking outwards.
static bool side_plane(const feature *base, int k, pc_vec n, pc_vec *side, double *offset)
{
  pc_vec u = base->corner[k].at, v = base->corner[k + 1 < base->count ? k + 1 : 0].at;
  pc_vec out = pc_times(pc_sub(v, u), pc_dot(base->normal, n) < 0 ? pc_scale(-1, n) : n);
  double size = pc_length(out);
  if (size == 0)
    return false;
  *side = pc_scale(1 / size, out);
  *offset = pc_dot(*side, u);
  return true;
}

// What of a segment lies below a plane; false when nothing.
static bool cut_segment(pc_cut_corner corner[2], pc_vec normal, double offset, int edge,
                        double slack)
{
  double d[2] = {pc_dot(normal, corner[0].at) - offset, pc_dot(normal, corner[1].at) - offset};
  if (d[0] > slack && d[1] > slack)
    return false;
  for (int k = 0; k < 2; k++)
    if (d[k] > slack) {
      double t = fmin(1, d[k] / (d[k] - d[1 - k]));
      corner[k].at = pc_along(corner[k].at, t, pc_sub(corner[1 - k].at, corner[k].at));
      corner[k].feature[0] = k;
      corner[k].feature[1] = edge;
      break;
    }
  return true;
}

// Cuts what is before a polygon by its sides; `other` is room for it. Returns how many corners are
// left, and where they are.
static int cut_by_polygon(const feature *base, pc_vec n, feature *before, pc_cut_corner *other,
                          pc_cut_corner **result, double slack)
{
  pc_cut_corner *corner = before->corner;
  int count = before->count;
  for (int k = 0; k < base->count && count > 0; k++) {
    pc_vec side;
    double offset;
    if (!side_plane(base, k, n, &side, &offset))
      continue;
    if (before->count == 2) {
      count = cut_segment(corner, side, offset, PC_CUT + k, slack) ? 2 : 0;
    } else {
      count = pc_cut(count, corner, other, side, offset, PC_CUT + k, slack);
      pc_cut_corner *t = corner;
      corner = other, other = t;
    }
  }
  *result = corner;
  return count;
}

typedef struct contact {
  const pc_core *a, *b;
  pc_vec normal;
  double margin;
  int count;
  pc_candidate *touch;
} contact;

// x is on the core of b, the core of a is `distance` above it.
static void add_touch(contact *c, pc_vec x, double distance, uint64_t name)
{
  double gap = distance - c->a->round - c->b->round;
  if (gap <= c->margin)
    c->touch[c->count++] =
        (pc_candidate){pc_along(x, c->b->round + 0.5 * gap, c->normal), gap, name};
}

// The end of a capsule that leans: before the polygon, and as far from it as its side is there. Far
// ends count in wide margins, where a fast turn may bring them down within a step.
static void touch_end(contact *c, const feature *base, pc_vec end, bool on_b, double tilt,
                      double slack, uint64_t name)
{
  const pc_core *core = on_b ? c->a : c->b, *other = on_b ? c->b : c->a;
  pc_vec to = on_b ? pc_scale(-1, c->normal) : c->normal;
  bool low = pc_dot(to, pc_sub(end, core->centre)) > 0;
  pc_vec m = low ? to : pc_along(to, -pc_dot(to, core->axis), core->axis);
  double size = pc_length(m);
  if (size < 1e-6)
    return;
  pc_vec x = pc_along(end, core->round / size, m);
  for (int k = 0; k < base->count; k++) {
    pc_vec side;
    double offset;
    if (side_plane(base, k, c->normal, &side, &offset) && pc_dot(side, x) > offset + slack)
      return;
  }
  double along = pc_dot(base->normal, pc_sub(x, base->corner[0].at)) / tilt;
  double gap = (on_b ? along : -along) - other->round;
  if (gap <= c->margin)
    c->touch[c->count++] = (pc_candidate){pc_along(x, 0.5 * gap, to), gap, name};
}

static void touch_polygon(contact *c, const feature *base, feature *before, bool on_b, double slack)
{
  double tilt = pc_dot(base->normal, c->normal);
  pc_cut_corner other[PC_CORNERS], *corners;
  for (int k = 0; k < 2 && before->leans; k++)
    touch_end(c, base, before->corner[k].at, on_b, tilt, slack, pc_feature(10, k, 0, on_b));
  if (before->leans)
    return;
  int count = cut_by_polygon(base, c->normal, before, other, &corners, slack);
  for (int i = 0; i < count; i++) {
    pc_cut_corner *corner = &corners[i];
    double along = pc_dot(base->normal, pc_sub(corner->at, base->corner[0].at)) / tilt;
    double distance = on_b ? along : -along;
    pc_vec x = on_b ? pc_along(corner->at, -distance, c->normal) : corner->at;
    int first = corner->feature[0], second = corner->feature[1] + 1;
    add_touch(c, x, distance, pc_feature(10 + (first >= PC_CUT), first, second, on_b));
  }
}

static double lean(const feature *f, pc_vec normal)
{
  pc_vec d = pc_sub(f->corner[1].at, f->corner[0].at);
  return fabs(pc_dot(d, normal)) / pc_length(d);
}

// Two segments touch at both ends of what they share if they run side by side.
static void touch_segments(contact *c, const feature *a, const feature *b, double size)
{
  pc_vec p = b->corner[0].at, u = pc_sub(b->corner[1].at, p);
  u = pc_along(u, -pc_dot(u, c->normal), c->normal);
  double length = pc_length(u);
  if (length < 1e-6 * size)
    return;
  u = pc_scale(1 / length, u);
  pc_vec side = pc_times(c->normal, u);
  pc_cut_corner corner[2] = {a->corner[0], a->corner[1]};
  if (!cut_segment(corner, pc_scale(-1, u), -pc_dot(u, p), PC_CUT, 1e-9 * size) ||
      !cut_segment(corner, u, pc_dot(u, p) + length, PC_CUT + 1, 1e-9 * size))
    return;
  if (pc_dot(u, pc_sub(corner[1].at, corner[0].at)) == 0)
    return;
  for (int k = 0; k < 2; k++)
    if (fabs(pc_dot(side, pc_sub(corner[k].at, p))) > 1e-3 * size)
      return;
  // The points are on the one that leans: across the normal the other is level.
  double lean_a = lean(a, c->normal), lean_b = lean(b, c->normal);
  for (int k = 0; k < 2; k++) {
    double t = pc_dot(u, pc_sub(corner[k].at, p)) / length;
    pc_vec x = pc_along(p, t, pc_sub(b->corner[1].at, p));
    double distance = pc_dot(c->normal, pc_sub(corner[k].at, x));
    x = lean_a > lean_b ? pc_along(corner[k].at, -distance, c->normal) : x;
    add_touch(c, x, distance, pc_feature(12, corner[k].feature[0], corner[k].feature[1] + 1, 0));
  }
}

int pc_core_touches(const pc_core *a, const pc_core *b, const pc_witness *witness, double margin,
                    double size, pc_candidate *touch)
{
  contact c = {a, b, witness->normal, margin, 0, touch};
  feature on_a, on_b;
  feature_of(a, pc_scale(-1, c.normal), &on_a);
  feature_of(b, c.normal, &on_b);
  double tilt_a = on_a.count > 2 ? -pc_dot(on_a.normal, c.normal) : 0;
  double tilt_b = on_b.count > 2 ? pc_dot(on_b.normal, c.normal) : 0;
  if (on_a.count > 1 && on_b.count > 1) {
    if (tilt_b > 0.3 && tilt_b >= tilt_a - 1e-3)
      touch_polygon(&c, &on_b, &on_a, true, 1e-5 * size);
    else if (tilt_a > 0.3)
      touch_polygon(&c, &on_a, &on_b, false, 1e-5 * size);
    else if (on_a.count == 2 && on_b.count == 2 && !on_a.leans && !on_b.leans)
      touch_segments(&c, &on_a, &on_b, size);
  }
  // The nearest points count where nothing else is as near.
  double gap = witness->separation - a->round - b->round;
  bool found = false;
  for (int i = 0; i < c.count; i++)
    if (touch[i].gap <= gap + 1e-6 * size)
      touch[i].gap = gap, found = true;
  if (found)
    return c.count;
  if (c.count == PC_CORNERS)
    c.count--;
  if (gap > margin)
    return c.count;
  pc_witness w = *witness;
  if (w.beside)
    pc_core_face(a, b, size, &w);
  pc_vec half = pc_scale(
      0.5, pc_add(pc_along(w.on_a, -a->round, c.normal), pc_along(w.on_b, b->round, c.normal)));
  touch[c.count++] = (pc_candidate){half, gap, pc_feature(15, 0, 0, 0)};
  return c.count;
}

void pc_collide_cores(pc_pair *pair)
{
  pc_core a = pc_core_of(pair->a, pair->at_a, pair->centre);
  pc_core b = pc_core_of(pair->b, pair->at_b, (pc_vec){0, 0, 0});
  pc_witness witness;
  if (!pc_core_axis(&a, &b, pair->size, pair->margin + a.round + b.round, &witness))
    return;
  pc_candidate touch[PC_CORNERS];
  int count = pc_core_touches(&a, &b, &witness, pair->margin, pair->size, touch);
  pc_pair_add_spread(pair, count, touch, witness.normal);
}
