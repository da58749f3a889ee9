// Convex polyhedra with each other: separating axes, then clipping of the two faces.
//
// Axes are the face normals of both and the cross products of their edges. Where the deepest (or,
// when they are apart, the widest) axis is a face normal, the facing polygon of the other is
// clipped by the sides of that face; where it comes from two edges, these touch in one point.
#include "geometry/narrow_bound.h"
#include "geometry/narrow_core.h"

enum { EDGE_ROOM = 1024 };

typedef struct axis {
  double separation;
  int i, j;      // the face, or both edges
  pc_vec normal; // in the axes of a, from a to b; for edges only
} axis;

// Where b is, seen from a.
typedef struct relation {
  double turn[9]; // axes of b -> axes of a
  pc_vec move;
} relation;

static relation relation_of(const pc_pair *pair)
{
  relation r;
  const double *p = pair->at_a->rotation, *q = pair->at_b->rotation;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r.turn[3 * i + j] = p[i] * q[j] + p[3 + i] * q[3 + j] + p[6 + i] * q[6 + j];
  r.move = pc_scale(-1, pc_turn_back(p, pair->centre));
  return r;
}

static relation inverse(const relation *r)
{
  relation out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out.turn[3 * i + j] = r->turn[3 * j + i];
  out.move = pc_scale(-1, pc_turn_back(r->turn, r->move));
  return out;
}

int pc_cut(int count, const pc_cut_corner *in, pc_cut_corner *out, pc_vec normal, double offset,
           int edge, double slack)
{
  int made = 0;
  if (count == 0)
    return 0;
  double first = pc_dot(normal, in[0].at) - offset, here = first;
  for (int i = 0; i < count; i++) {
    int next = i + 1 < count ? i + 1 : 0;
    double there = next == 0 ? first : pc_dot(normal, in[next].at) - offset;
    bool keep = here <= slack, keep_next = there <= slack;
    if (keep && made < PC_CORNERS)
      out[made++] = in[i];
    if (keep != keep_next && made < PC_CORNERS) {
      double t = here / (here - there);
      t = t < 0 ? 0 : t > 1 ? 1 : t;
      pc_vec at = pc_along(in[i].at, t, pc_sub(in[next].at, in[i].at));
      out[made++] = (pc_cut_corner){at, {in[i].edge, edge}, keep ? edge : in[i].edge};
    }
    here = there;
  }
  return made;
}

int pc_load_face(const pc_hull *hull, int face, const double turn[9], pc_vec move,
                 pc_cut_corner *corner)
{
  int start = hull->face_start[face], count = hull->face_start[face + 1] - start;
  int stride = (count + PC_CORNERS / 2 - 1) / (PC_CORNERS / 2), made = 0;
  for (int k = 0; k < count; k += stride) {
    int v = hull->face_vertex[start + k];
    pc_vec at = pc_add(pc_turn(turn, pc_vec_of(hull->vertex[v])), move);
    corner[made++] = (pc_cut_corner){at, {v, -1}, hull->face_edge[start + k]};
  }
  return made;
}

// Cuts the corners by the sides of a face; `other` is room for as many. Returns the count, and in
// which of the two arrays they are.
static int cut_by_face(const pc_hull *hull, int face, int count, pc_cut_corner *corner,
                       pc_cut_corner *other, double slack, pc_cut_corner **result)
{
  pc_vec n = pc_vec_of(hull->plane[face]);
  int start = hull->face_start[face], sides = hull->face_start[face + 1] - start;
  int stride = (sides + PC_CORNERS / 2 - 1) / (PC_CORNERS / 2);
  for (int k = 0; k < sides && count > 0; k += stride) {
    pc_vec u = pc_vec_of(hull->vertex[hull->face_vertex[start + k]]);
    int next = k + stride < sides ? k + stride : 0;
    pc_vec v = pc_vec_of(hull->vertex[hull->face_vertex[start + next]]);
    pc_vec out = pc_times(pc_sub(v, u), n);
    out = pc_scale(1 / pc_length(out), out);
    count = pc_cut(count, corner, other, out, pc_dot(out, u), PC_CUT + k, slack);
    pc_cut_corner *t = corner;
    corner = other, other = t;
  }
  *result = corner;
  return count;
}

int pc_facing(const pc_hull *hull, const double turn[9], pc_vec normal)
{
  pc_vec n = pc_turn_back(turn, normal);
  int best = 0;
  double least = INFINITY;
  for (int f = 0; f < hull->faces; f++) {
    double d = pc_dot(pc_vec_of(hull->plane[f]), n);
    if (d < least - 1e-9)
      least = d, best = f;
  }
  return best;
}

// Adds the nearest points of two bodies, or the deepest ones along the normal, if they are nearer
// than `limit`.
static bool add_nearest(pc_pair *pair, pc_vec normal, double separation, double limit)
{
  pc_core a = pc_core_of(pair->a, pair->at_a, pair->centre);
  pc_core b = pc_core_of(pair->b, pair->at_b, (pc_vec){0, 0, 0});
  pc_witness near = {.normal = normal};
  if (separation <= 0 ||
      !pc_core_distance(&a, &b, pair->size, PC_CORE_EXACT, INFINITY, normal, &near))
    pc_core_push(&a, &b, pair->size, &near);
  if (near.separation > pair->margin || near.separation > limit)
    return false;
  pc_vec half = pc_scale(0.5, pc_add(near.on_a, near.on_b));
  pc_pair_add(pair, half, near.normal, near.separation, pc_feature(15, 0, 0, 0));
  return true;
}

void pc_add_face_points(pc_pair *pair, int count, pc_candidate *point, double least, pc_vec normal,
                        double separation)
{
  count = pc_reduce_candidates(count, point, normal, pair->size);
  // When the nearest corner is not before the face, the nearest points come first.
  int room_left = PC_PAIR_POINTS;
  double slack = 0.01 * pair->margin + 2e-4 * pair->size;
  if (least > separation + slack && add_nearest(pair, normal, separation, least - slack))
    room_left--;
  for (int i = 0; i < count && i < room_left; i++)
    pc_pair_add(pair, point[i].point, normal, point[i].gap, point[i].feature);
}

// The face of `base` against the facing polygon of the other; r is where the other is seen from
// base.
static void add_face(pc_pair *pair, const pc_hull *base, int face, double separation,
                     const pc_hull *other, const relation *r, bool on_a)
{
  pc_cut_corner room[2][PC_CORNERS], *corner;
  pc_candidate touch[PC_CORNERS];
  pc_vec n = pc_vec_of(base->plane[face]);
  double offset = base->plane[face][3], least = INFINITY;
  int count = pc_load_face(other, pc_facing(other, r->turn, n), r->turn, r->move, room[0]);
  count = cut_by_face(base, face, count, room[0], room[1], 1e-5 * pair->size, &corner);
  const pc_pose *pose = on_a ? pair->at_a : pair->at_b;
  pc_vec move = on_a ? pair->centre : (pc_vec){0, 0, 0};
  int made = 0;
  for (int i = 0; i < count; i++) {
    double gap = pc_dot(n, corner[i].at) - offset;
    if (gap > pair->margin)
      continue;
    least = fmin(least, gap);
    pc_vec half = pc_along(corner[i].at, -0.5 * gap, n);
    const int *feature = corner[i].feature, kind = feature[0] >= PC_CUT ? 3
                                                   : feature[1] >= 0    ? 2
                                                                        : 1;
    touch[made++] = (pc_candidate){pc_add(pc_turn(pose->rotation, half), move), gap,
                                   pc_feature(kind + 4 * !on_a, face, feature[0], feature[1] + 1)};
  }
  pc_vec normal = pc_turn(pose->rotation, pc_scale(on_a ? -1 : 1, n));
  pc_add_face_points(pair, made, touch, least, normal, separation);
}

// The points of two segments p + s u, q + t v (s, t in 0 .. 1) nearest to each other. Returns
// whether both are inside.
static bool segments_nearest(pc_vec p, pc_vec u, pc_vec q, pc_vec v, pc_vec *on_p, pc_vec *on_q)
{
  double a = pc_dot(u, u), b = pc_dot(u, v), c = pc_dot(v, v);
  pc_vec w = pc_sub(q, p);
  double e = pc_dot(w, u), f = pc_dot(w, v), det = a * c - b * b;
  double s = det > 1e-14 * a * c ? (e * c - f * b) / det : 0.5, t;
  bool inside = s >= 0 && s <= 1;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  t = (b * s - f) / c;
  if (t < 0 || t > 1) {
    inside = false;
    t = t < 0 ? 0 : 1;
    s = (b * t + e) / a;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
  }
  *on_p = pc_along(p, s, u);
  *on_q = pc_along(q, t, v);
  return inside;
}

void pc_add_edges(pc_pair *pair, const int edge[2], pc_vec n, double separation, pc_vec p, pc_vec u,
                  pc_vec q, pc_vec v)
{
  pc_vec x, y;
  bool inside = segments_nearest(p, u, q, v, &x, &y);
  pc_vec half = pc_scale(0.5, pc_add(x, y));
  pc_vec point = pc_add(pc_turn(pair->at_a->rotation, half), pair->centre);
  pc_vec normal = pc_turn(pair->at_a->rotation, pc_scale(-1, n));
  if (!inside)
    add_nearest(pair, normal, separation, INFINITY);
  else
    pc_pair_add(pair, point, normal, separation, pc_feature(9, edge[0], edge[1], 0));
}

// How far another shape stays above a face, and its lowest point.
static double face_above(const pc_hull *base, int face, const pc_shape *other, const relation *r,
                         pc_vec *lowest)
{
  pc_vec n = pc_vec_of(base->plane[face]), m = pc_turn_back(r->turn, n), low;
  if (other->type == PC_BOX) {
    const double *half = other->box.half;
    low = (pc_vec){m.x > 0 ? -half[0] : half[0], m.y > 0 ? -half[1] : half[1],
                   m.z > 0 ? -half[2] : half[2]};
  } else {
    double least = INFINITY;
    int best = 0;
    for (int v = 0; v < other->hull->vertices; v++) {
      double d = pc_dot(m, pc_vec_of(other->hull->vertex[v]));
      if (d < least)
        least = d, best = v;
    }
    low = pc_vec_of(other->hull->vertex[best]);
  }
  *lowest = pc_add(pc_turn(r->turn, low), r->move);
  return pc_dot(m, low) + (pc_dot(n, r->move) - base->plane[face][3]);
}

// How far the other hull stays above each face of `base`. The face with the middle highest above it
// comes first; a face can be no better if the middle or the vertex found last is too low above it.
static axis best_face(const pc_hull *base, const pc_shape *other, const relation *r, double limit,
                      pc_over *over)
{
  pc_vec middle = pc_add(pc_turn(r->turn, pc_vec_of(other->measures->mass.centroid)), r->move),
         low = middle;
  axis best = {.separation = -INFINITY, .i = pc_over_init(over, base, middle)};
  for (int k = -1, first = best.i; k < base->faces && best.separation <= limit; k++) {
    int f = k < 0 ? first : k;
    if (k == first || pc_over_height(over, base, f) < best.separation)
      continue;
    double above = pc_face_height(base, f, low);
    if (above >= best.separation)
      above = face_above(base, f, other, r, &low);
    pc_over_set(over, f, low, above);
    if (above > best.separation || (above == best.separation && f < best.i))
      best.separation = above, best.i = f;
  }
  return best;
}

// The edges along whose normals the other hull may be more than `least` above.
static int good_edges(const pc_hull *hull, const pc_over *over, double least, int *list)
{
  int count = 0;
  double low = least < 0 ? least : 0;
  for (int e = 0; e < hull->edges && count < EDGE_ROOM; e++)
    if (!pc_edge_low(over, hull, e, low) && pc_edge_bound(over, hull, e) > least)
      list[count++] = e;
  return count;
}

// Two edges make a face of the Minkowski difference when their arcs on the sphere of normals cross
// (D. Gregorius, The Separating Axis Test between Convex Polyhedra, GDC 2013).
static axis best_edges(const pc_pair *pair, const relation *r, const pc_over *over_a,
                       const pc_over *over_b, double least)
{
  const pc_hull *a = pair->a->hull, *b = pair->b->hull;
  axis best = {.separation = -INFINITY};
  int of_a[EDGE_ROOM], of_b[EDGE_ROOM];
  int count_a = good_edges(a, over_a, least, of_a);
  int count_b = count_a > 0 ? good_edges(b, over_b, least, of_b) : 0;
  for (int y = 0; y < count_b; y++) {
    int j = of_b[y];
    pc_vec c = pc_scale(-1, pc_turn(r->turn, pc_vec_of(b->plane[b->edge_face[j][0]])));
    pc_vec d = pc_scale(-1, pc_turn(r->turn, pc_vec_of(b->plane[b->edge_face[j][1]])));
    pc_vec dc = pc_times(d, c), q = pc_turn(r->turn, pc_vec_of(b->vertex[b->edge[j][0]]));
    pc_vec v = pc_turn(r->turn, pc_vec_of(b->direction[j]));
    q = pc_add(q, r->move);
    for (int x = 0; x < count_a; x++) {
      int i = of_a[x];
      pc_vec p0 = pc_vec_of(a->plane[a->edge_face[i][0]]);
      pc_vec p1 = pc_vec_of(a->plane[a->edge_face[i][1]]);
      double adc = pc_dot(p0, dc), bdc = pc_dot(p1, dc);
      if (adc * bdc >= 0)
        continue;
      pc_vec ba = pc_times(p1, p0);
      double cba = pc_dot(c, ba), dba = pc_dot(d, ba);
      if (cba * dba >= 0 || cba * bdc <= 0)
        continue;
      pc_vec n = pc_times(pc_vec_of(a->direction[i]), v);
      double size = pc_length(n);
      if (size < 1e-6)
        continue;
      n = pc_scale(pc_dot(n, pc_add(p0, p1)) < 0 ? -1 / size : 1 / size, n);
      double s = pc_dot(n, pc_sub(q, pc_vec_of(a->vertex[a->edge[i][0]])));
      if (s > best.separation) {
        best.separation = s, best.i = i, best.j = j, best.normal = n;
        if (s > pair->margin)
          return best;
      }
    }
  }
  return best;
}

void pc_collide_hulls(pc_pair *pair)
{
  const pc_hull *a = pair->a->hull, *b = pair->b->hull;
  relation r = relation_of(pair), back = inverse(&r);
  pc_over over_a, over_b;
  axis on_a = best_face(a, pair->b, &r, pair->margin, &over_a);
  if (on_a.separation > pair->margin)
    return;
  axis on_b = best_face(b, pair->a, &back, pair->margin, &over_b);
  if (on_b.separation > pair->margin)
    return;
  bool second = on_b.separation > on_a.separation + pc_preference(pair, on_a.separation);
  double face = second ? on_b.separation : on_a.separation;
  double least = fmin(pair->margin, face + pc_preference(pair, face));
  axis edges = best_edges(pair, &r, &over_a, &over_b, least);
  if (edges.separation > pair->margin)
    return;
  if (edges.separation > face + pc_preference(pair, face)) {
    const int *e = a->edge[edges.i], *f = b->edge[edges.j];
    pc_vec p = pc_vec_of(a->vertex[e[0]]), u = pc_sub(pc_vec_of(a->vertex[e[1]]), p);
    pc_vec q = pc_vec_of(b->vertex[f[0]]), v = pc_sub(pc_vec_of(b->vertex[f[1]]), q);
    q = pc_add(pc_turn(r.turn, q), r.move);
    pc_add_edges(pair, (int[2]){edges.i, edges.j}, edges.normal, edges.separation, p, u, q,
                 pc_turn(r.turn, v));
    return;
  }
  if (second)
    add_face(pair, b, on_b.i, on_b.separation, a, &back, false);
  else
    add_face(pair, a, on_a.i, on_a.separation, b, &r, true);
}
