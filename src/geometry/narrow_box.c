// Two boxes: fifteen separating axes, then the sides of one face cut the facing one of the other.
//
// Faces are numbered -x, +x, -y, +y, -z, +z, and the side of a face is cut by the plane of the face
// behind that edge: one coordinate is compared.
#include "geometry/narrow_hull.h"

// Three numbers, worked on at once. The fourth is there for the registers.
typedef double three __attribute__((vector_size(32)));
typedef int64_t three_masks __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

// Where b is, seen from a: `row` i has the axis i of a in the axes of b.
typedef struct relation {
  three row[3];
  double move[3];
} relation;

#define LOAD(v) ((three){(v)[0], (v)[1], (v)[2], (v)[2]})

INLINE void relation_of(const pc_pair *pair, relation *r)
{
  const double *p = pair->at_a->rotation, *q = pair->at_b->rotation;
  three x = LOAD(q), y = LOAD(q + 3), z = LOAD(q + 6);
  for (int i = 0; i < 3; i++)
    r->row[i] = p[i] * x + p[3 + i] * y + p[6 + i] * z;
  pc_vec_store(pc_scale(-1, pc_turn_back(p, pair->centre)), r->move);
}

// The same seen from b.
INLINE void inverse(const relation *r, relation *out)
{
  for (int i = 0; i < 3; i++) {
    out->row[i] = (three){r->row[0][i], r->row[1][i], r->row[2][i], r->row[2][i]};
    out->move[i] =
        -(r->row[0][i] * r->move[0] + r->row[1][i] * r->move[1] + r->row[2][i] * r->move[2]);
  }
}

typedef struct axes {
  double on_a, on_b, edges; // best separations
  int face_a, face_b;       // their axes
  int edge_a, edge_b;
} axes;

// Edge i of a, between its axes p and q, with the three of b.
INLINE void try_edges(const double g[3], const three h_next[2], const three size[3],
                      const relation *r, int i, int p, int q, axes *best)
{
  const double *t = r->move;
  three square = 1 - r->row[i] * r->row[i];
  three away = t[q] * r->row[p] - t[p] * r->row[q];
  three once = __builtin_shufflevector(size[i], size[i], 1, 2, 0, 3);
  three twice = __builtin_shufflevector(size[i], size[i], 2, 0, 1, 3);
  three reach = g[p] * size[q] + g[q] * size[p] + h_next[0] * twice + h_next[1] * once;
  three over = (three)((three_masks)away & INT64_MAX) - reach;
  for (int j = 0; j < 3; j++) {
    double s = over[j], worst = best->edges;
    if (square[j] < 1e-10)
      continue;
    // Compared by squares first: most axes lose and need no root.
    if (s < 0 && worst < 0 && s * s > worst * worst * square[j])
      continue;
    s /= sqrt(square[j]);
    if (s > worst)
      best->edges = s, best->edge_a = i, best->edge_b = j;
  }
}

// Fifteen axes, without vertices (S. Gottschalk, OBBTree, 1996). False if the boxes are farther
// apart than the margin.
INLINE bool find_axes(const double g[3], const double h[3], const relation *r, double margin,
                      axes *best)
{
  const double *t = r->move;
  three size[3], half = LOAD(h);
  best->on_a = best->on_b = best->edges = -INFINITY;
  for (int i = 0; i < 3; i++) {
    size[i] = (three)((three_masks)r->row[i] & INT64_MAX);
    three part = half * size[i];
    double s = fabs(t[i]) - g[i] - part[0] - part[1] - part[2];
    if (s > best->on_a)
      best->on_a = s, best->face_a = i;
  }
  if (best->on_a > margin)
    return false;
  three away = r->row[0] * t[0] + r->row[1] * t[1] + r->row[2] * t[2];
  three over = (three)((three_masks)away & INT64_MAX) - half - g[0] * size[0] - g[1] * size[1] -
               g[2] * size[2];
  for (int j = 0; j < 3; j++)
    if (over[j] > best->on_b)
      best->on_b = over[j], best->face_b = j;
  if (best->on_b > margin)
    return false;
  three next[2] = {{h[1], h[2], h[0], h[0]}, {h[2], h[0], h[1], h[1]}};
  try_edges(g, next, size, r, 0, 1, 2, best);
  try_edges(g, next, size, r, 1, 2, 0, best);
  try_edges(g, next, size, r, 2, 0, 1, best);
  return best->edges <= margin;
}

// The middle of the edge of a box along axis i that is farthest along n, and a number for it.
static pc_vec box_edge(const double half[3], int i, pc_vec n, int *number)
{
  double at[3], along[3];
  pc_vec_store(n, along);
  *number = i;
  for (int k = 0; k < 3; k++) {
    at[k] = k == i ? 0 : along[k] < 0 ? -half[k] : half[k];
    *number = 2 * *number + (at[k] > 0);
  }
  return pc_vec_of(at);
}

static pc_vec turn_back(const relation *r, pc_vec v)
{
  three out = r->row[0] * v.x + r->row[1] * v.y + r->row[2] * v.z;
  return (pc_vec){out[0], out[1], out[2]};
}

static pc_vec turn(const relation *r, pc_vec v)
{
  double out[3];
  for (int i = 0; i < 3; i++)
    out[i] = r->row[i][0] * v.x + r->row[i][1] * v.y + r->row[i][2] * v.z;
  return pc_vec_of(out);
}

// r is where b is seen from a.
static void add_edges(pc_pair *pair, const relation *r, const axes *best)
{
  const double *g = pair->a->box.half, *h = pair->b->box.half;
  int i = best->edge_a, j = best->edge_b, edge[2];
  pc_vec move = pc_vec_of(r->move), u = {i == 0, i == 1, i == 2};
  pc_vec v = {r->row[0][j], r->row[1][j], r->row[2][j]};
  pc_vec n = pc_unit(pc_times(u, v), u);
  n = pc_dot(n, move) < 0 ? pc_scale(-1, n) : n;
  pc_vec p = box_edge(g, i, n, &edge[0]);
  pc_vec q = box_edge(h, j, turn_back(r, pc_scale(-1, n)), &edge[1]);
  q = pc_add(turn(r, q), move);
  pc_add_edges(pair, edge, n, best->edges, pc_along(p, -g[i], u), pc_scale(2 * g[i], u),
               pc_along(q, -h[j], v), pc_scale(2 * h[j], v));
}

enum { MOST = 8 }; // corners of a rectangle cut by another

// A corner as pc_corner has it.
typedef struct corner {
  three at;
  int feature[2], edge;
} corner;

// A polygon that is being cut, and room for what it becomes.
typedef struct polygon {
  corner room[2][MOST];
  int now, count;
} polygon;

// The face of a box that faces along the normal of another box's face, told by what that is in the
// axes of the box. Among as good as equal ones the first.
INLINE int facing(const double n[3])
{
  int best = 0;
  double least = INFINITY;
  for (int f = 0; f < 6; f++) {
    double d = f & 1 ? n[f / 2] : -n[f / 2];
    if (d < least - 1e-9)
      least = d, best = f;
  }
  return best;
}

// The face of a box; r is where the other box is seen from it.
INLINE void load_face(const pc_shape *shape, int face, const relation *r, const double move[3],
                      polygon *out)
{
  const pc_hull *hull = &shape->hull;
  const double *half = shape->box.half;
  const three to = LOAD(move);
  out->now = 0;
  out->count = 4;
  for (int k = 0; k < 4; k++) {
    int v = hull->face_vertex[4 * face + k];
    corner *at = &out->room[0][k];
    at->at = r->row[0] * (v & 1 ? half[0] : -half[0]) + r->row[1] * (v & 2 ? half[1] : -half[1]) +
             r->row[2] * (v & 4 ? half[2] : -half[2]) + to;
    at->feature[0] = v;
    at->feature[1] = -1;
    at->edge = hull->face_edge[4 * face + k];
  }
}

// Keeps what is below the plane of a face, of a box with these half edges. `edge` names it.
INLINE void cut(polygon *p, const double half[3], int face, int edge, double slack)
{
  double above[MOST + 1], sign = face & 1 ? 1 : -1;
  int axis = face / 2, made = 0, count = p->count;
  const corner *in = p->room[p->now];
  bool all = true;
  for (int i = 0; i < count; i++) {
    above[i] = sign * in[i].at[axis] - half[axis];
    all &= above[i] <= slack;
  }
  if (all)
    return;
  above[count] = above[0];
  p->now = !p->now;
  corner *out = p->room[p->now];
  for (int i = 0; i < count; i++) {
    double here = above[i], there = above[i + 1];
    bool keep = here <= slack, keep_next = there <= slack;
    if (keep && made < MOST)
      out[made++] = in[i];
    if (keep == keep_next || made == MOST)
      continue;
    const corner *next = &in[i + 1 < count ? i + 1 : 0];
    double t = here / (here - there);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    out[made].at = in[i].at + t * (next->at - in[i].at);
    out[made].feature[0] = in[i].edge;
    out[made].feature[1] = edge;
    out[made].edge = keep ? edge : in[i].edge;
    made++;
  }
  p->count = made;
}

INLINE void cut_by_face(const pc_shape *base, int face, double slack, polygon *p)
{
  const pc_hull *hull = &base->hull;
  for (int k = 0; k < 4 && p->count > 0; k++) {
    const int *sides = hull->edge_face[hull->face_edge[4 * face + k]];
    cut(p, base->box.half, sides[0] == face ? sides[1] : sides[0], PC_CUT + k, slack);
  }
}

INLINE uint64_t feature_of(const corner *at, int face, bool on_a)
{
  int kind = at->feature[0] >= PC_CUT ? 3 : at->feature[1] >= 0 ? 2 : 1;
  return pc_feature(kind + 4 * !on_a, face, at->feature[0], at->feature[1] + 1);
}

// The face of `base` along an axis against the facing one of the other; r is where the other is
// seen from base, `back` the other way round.
INLINE void add_face(pc_pair *pair, const pc_shape *base, int axis, double separation,
                     const pc_shape *other, const relation *r, const relation *back, bool on_a)
{
  polygon p;
  pc_touch touch[MOST];
  bool up = r->move[axis] >= 0;
  int face = 2 * axis + up, made = 0;
  double sign = up ? 1 : -1, half = base->box.half[axis], least = INFINITY;
  double seen[3] = {sign * r->row[axis][0], sign * r->row[axis][1], sign * r->row[axis][2]};
  load_face(other, facing(seen), back, r->move, &p);
  cut_by_face(base, face, 1e-5 * pair->size, &p);
  const pc_pose *pose = on_a ? pair->at_a : pair->at_b;
  const pc_vec move = on_a ? pair->centre : (pc_vec){0, 0, 0};
  for (int i = 0; i < p.count; i++) {
    const corner *c = &p.room[p.now][i];
    double at[3] = {c->at[0], c->at[1], c->at[2]}, gap = sign * at[axis] - half;
    if (gap > pair->margin)
      continue;
    least = gap < least ? gap : least;
    at[axis] += -0.5 * gap * sign;
    touch[made].point = pc_add(pc_turn(pose->rotation, pc_vec_of(at)), move);
    touch[made].gap = gap;
    touch[made++].feature = feature_of(c, face, on_a);
  }
  const double *m = pose->rotation + axis;
  double way = on_a ? -sign : sign;
  pc_vec normal = {way * m[0], way * m[3], way * m[6]};
  made = pc_touch_reduce(made, touch, normal, pair->size);
  // When the nearest corner is not before the face, the nearest points come first.
  int room_left = PC_PAIR_POINTS;
  double slack = 0.01 * pair->margin + 2e-4 * pair->size;
  if (least > separation + slack && pc_add_nearest(pair, normal, separation, least - slack))
    room_left--;
  for (int i = 0; i < made && i < room_left; i++)
    pc_pair_add(pair, touch[i].point, normal, touch[i].gap, touch[i].feature);
}

INLINE void collide(pc_pair *pair)
{
  relation r, back;
  axes best;
  relation_of(pair, &r);
  if (!find_axes(pair->a->box.half, pair->b->box.half, &r, pair->margin, &best))
    return;
  bool second = best.on_b > best.on_a + pc_preference(pair, best.on_a);
  double face = second ? best.on_b : best.on_a;
  if (best.edges > face + pc_preference(pair, face)) {
    add_edges(pair, &r, &best);
    return;
  }
  inverse(&r, &back);
  const pc_shape *base = second ? pair->b : pair->a, *other = second ? pair->a : pair->b;
  add_face(pair, base, second ? best.face_b : best.face_a, face, other, second ? &back : &r,
           second ? &r : &back, !second);
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void collide_avx2(pc_pair *pair)
{
  collide(pair);
}
#endif

// The same bits either way: nothing is fused.
void pc_collide_boxes(pc_pair *pair)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) {
    collide_avx2(pair);
    return;
  }
#endif
  collide(pair);
}
