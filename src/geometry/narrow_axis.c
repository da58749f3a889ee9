// The axis between two convex cores, and the contacts along it.
#include "geometry/narrow_core.h"

enum { STARTS = 3, RIM = 16 };

// The best few directions found, best first.
typedef struct search {
  const pc_core *a, *b;
  int count;
  pc_witness best[STARTS];
} search;

static void offer(search *s, pc_vec n)
{
  double separation = pc_core_separation(s->a, s->b, n);
  int place = s->count;
  while (place > 0 && separation > s->best[place - 1].separation)
    place--;
  if (place == STARTS)
    return;
  for (int i = 0; i < place; i++)
    if (pc_dot(n, s->best[i].normal) > 0.999)
      return;
  int last = s->count < STARTS ? s->count++ : STARTS - 1;
  for (int i = last; i > place; i--)
    s->best[i] = s->best[i - 1];
  s->best[place].normal = n;
  s->best[place].separation = separation;
}

static void offer_both(search *s, pc_vec n)
{
  offer(s, n);
  offer(s, pc_scale(-1, n));
}

// Normals of flat faces; `sign` is 1 for those of b, which point to a.
static void offer_faces(search *s, const pc_core *core, double sign)
{
  if (core->kind == PC_CORE_CYLINDER)
    offer_both(s, core->axis);
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
  return core->kind == PC_CORE_POINTS
             ? pc_turn(core->turn, pc_vec_of(core->hull->direction[i]))
             : core->axis;
}

static void offer_edges(search *s)
{
  for (int i = 0; i < edges_of(s->a); i++)
    for (int j = 0; j < edges_of(s->b); j++) {
      pc_vec n = pc_times(edge_of(s->a, i), edge_of(s->b, j));
      double size = pc_length(n);
      if (size > 1e-6)
        offer_both(s, pc_scale(1 / size, n));
    }
}

// The way between the centres, also at right angles to an axis: good starts for round sides.
static void offer_centres(search *s)
{
  pc_vec between = pc_sub(s->a->centre, s->b->centre);
  offer(s, pc_unit(between, (pc_vec){0, 0, 1}));
  const pc_core *both[2] = {s->a, s->b};
  for (int k = 0; k < 2; k++)
    if (both[k]->kind != PC_CORE_POINTS && both[k]->half > 0) {
      pc_vec z = both[k]->axis;
      offer(s, pc_unit(pc_along(between, -pc_dot(between, z), z), pc_across(z)));
    }
}

bool pc_core_axis(const pc_core *a, const pc_core *b, double size, double limit,
                  pc_witness *witness)
{
  search s = {.a = a, .b = b};
  offer_faces(&s, a, -1);
  offer_faces(&s, b, 1);
  if (s.count > 0 && s.best[0].separation > limit)
    return false;
  if (pc_core_distance(a, b, size, witness)) {
    // A face that does as well has the cleaner normal.
    if (s.count > 0 && s.best[0].separation >= witness->separation - 1e-9 * size)
      witness->normal = s.best[0].normal;
    return witness->separation <= limit;
  }
  offer_edges(&s);
  bool curved = a->kind == PC_CORE_CYLINDER || b->kind == PC_CORE_CYLINDER;
  if (curved || s.count == 0)
    offer_centres(&s);
  if (s.count == 0)
    offer(&s, pc_across(a->half > 0 ? a->axis : b->axis));
  for (int i = 0; i < s.count; i++) {
    pc_witness w = {.normal = s.best[i].normal};
    if (curved) {
      pc_core_push(a, b, size, &w);
    } else {
      w.separation = s.best[i].separation;
      w.on_a = pc_core_support(a, pc_scale(-1, w.normal));
      w.on_b = pc_core_support(b, w.normal);
    }
    if (i == 0 || w.separation > witness->separation + 1e-9 * size)
      *witness = w;
    if (!curved)
      break;
  }
  return witness->separation <= limit;
}

// The part of a core that lies before the other: a polygon, a segment or a point.
typedef struct feature {
  int count;
  pc_corner corner[PC_CORNERS];
  pc_vec normal; // of a polygon
} feature;

static void set_corner(feature *f, pc_vec at, int number, int edge)
{
  f->corner[f->count++] = (pc_corner){at, {number, -1}, edge};
}

static void hull_feature(const pc_core *core, pc_vec direction, feature *f)
{
  const pc_hull *hull = core->hull;
  pc_vec d = pc_turn_back(core->turn, direction);
  int face = 0;
  double most = -INFINITY;
  for (int i = 0; i < hull->faces; i++) {
    double along = pc_dot(d, pc_vec_of(hull->plane[i]));
    if (along > most + 1e-9)
      most = along, face = i;
  }
  int start = hull->face_start[face], count = hull->face_start[face + 1] - start;
  int stride = (count + PC_CORNERS / 2 - 1) / (PC_CORNERS / 2);
  for (int k = 0; k < count; k += stride) {
    int v = hull->face_vertex[start + k];
    pc_vec x = pc_turn(core->turn, pc_vec_of(hull->vertex[v]));
    set_corner(f, pc_add(core->centre, x), v, hull->face_edge[start + k]);
  }
  f->normal = pc_turn(core->turn, pc_vec_of(hull->plane[face]));
}

// The cap as a polygon with fixed corners, or the line on the side.
static void cylinder_feature(const pc_core *core, pc_vec direction, feature *f)
{
  double along = pc_dot(direction, core->axis), sign = along < 0 ? -1 : 1;
  if (fabs(along) > 0.7) {
    const double *m = core->turn;
    pc_vec x = {m[0], m[3], m[6]}, y = {m[1], m[4], m[7]};
    pc_vec base = pc_along(core->centre, sign * core->half, core->axis);
    f->normal = pc_scale(sign, core->axis);
    for (int k = 0; k < RIM; k++) {
      double angle = sign * 2 * acos(-1) * k / RIM;
      pc_vec p = pc_along(base, core->radius * cos(angle), x);
      set_corner(f, pc_along(p, core->radius * sin(angle), y), k, k);
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
  if (core->kind == PC_CORE_POINTS) {
    hull_feature(core, direction, f);
  } else if (core->kind == PC_CORE_CYLINDER) {
    cylinder_feature(core, direction, f);
  } else if (core->half > 0) {
    set_corner(f, pc_along(core->centre, -core->half, core->axis), 0, 0);
    set_corner(f, pc_along(core->centre, core->half, core->axis), 1, 0);
  } else {
    set_corner(f, core->centre, 0, 0);
  }
}

// Cuts what is before a polygon by its sides. A segment of two corners stays one.
static int cut_by_polygon(const feature *base, pc_vec n, int count, pc_corner *corner,
                          pc_corner *other, double slack, pc_corner **result)
{
  for (int k = 0; k < base->count && count > 0; k++) {
    pc_vec u = base->corner[k].at, v = base->corner[k + 1 < base->count ? k + 1 : 0].at;
    pc_vec side = pc_times(pc_sub(v, u), base->normal);
    side = pc_along(side, -pc_dot(side, n), n);
    double size = pc_length(side);
    if (size == 0)
      continue;
    side = pc_scale(1 / size, side);
    count = pc_cut(count, corner, other, side, pc_dot(side, u), PC_CUT + k, slack);
    // A cut segment comes back with its new end twice.
    if (count == 3)
      count = other[0].feature[1] >= 0 && other[2].feature[1] >= 0 ? 2 : count;
    pc_corner *t = corner;
    corner = other, other = t;
  }
  *result = corner;
  return count;
}
