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
  three move = r->row[0] * r->move[0] + r->row[1] * r->move[1] + r->row[2] * r->move[2];
  for (int i = 0; i < 3; i++) {
    out->row[i] = (three){r->row[0][i], r->row[1][i], r->row[2][i], r->row[2][i]};
    out->move[i] = -move[i];
  }
}

// Separations along the axes of a, of b, and along a's axis i times those of b. The fourth numbers
// are not to be read.
typedef struct axes {
  three on_a, on_b, edges[3];
} axes;

// No functions: vectors that are returned must be in registers which not all processors have.
#define SIZE_OF(x) ((three)((three_masks)(x)&INT64_MAX))
#define CHOOSE(which, a, b) ((three)(((which) & (three_masks)(a)) | (~(which) & (three_masks)(b))))
#define LARGER(a, b) CHOOSE((a) > (b), a, b)

INLINE double most_of(const three *x)
{
  double most = (*x)[0] > (*x)[1] ? (*x)[0] : (*x)[1];
  return most > (*x)[2] ? most : (*x)[2];
}

// The first of three that is as large as the most.
INLINE int place_of(const three *x, double most)
{
  return (*x)[0] == most ? 0 : (*x)[1] == most ? 1 : 2;
}

// Edge i of a, between its axes p and q, with the three of b.
INLINE void edge_axes(const double g[3], const three h_next[2], const three size[3],
                      const relation *r, int i, int p, int q, three *out)
{
  const double *t = r->move;
  const three none = {0};
  three square = 1 - r->row[i] * r->row[i];
  three away = t[q] * r->row[p] - t[p] * r->row[q];
  three once = __builtin_shufflevector(size[i], size[i], 1, 2, 0, 3);
  three twice = __builtin_shufflevector(size[i], size[i], 2, 0, 1, 3);
  three reach = g[p] * size[q] + g[q] * size[p] + h_next[0] * twice + h_next[1] * once;
  three root = {sqrt(square[0]), sqrt(square[1]), sqrt(square[2]), sqrt(square[3])};
  three over = (SIZE_OF(away) - reach) / root;
  *out = CHOOSE(square < 1e-10, none - INFINITY, over);
}

// Fifteen axes, without vertices (S. Gottschalk, OBBTree, 1996), all of a kind at once: which of
// them is the best cannot be foretold. `back` is the relation seen from b. False if the boxes are
// farther apart than the margin.
INLINE bool find_axes(const double g[3], const double h[3], const relation *r, const relation *back,
                      double margin, axes *out)
{
  const double *t = r->move;
  three size[3], half_a = LOAD(g), half_b = LOAD(h), move = LOAD(t);
  for (int i = 0; i < 3; i++)
    size[i] = SIZE_OF(r->row[i]);
  out->on_a = SIZE_OF(move) - half_a - h[0] * SIZE_OF(back->row[0]) - h[1] * SIZE_OF(back->row[1]) -
              h[2] * SIZE_OF(back->row[2]);
  three away = r->row[0] * t[0] + r->row[1] * t[1] + r->row[2] * t[2];
  out->on_b = SIZE_OF(away) - half_b - g[0] * size[0] - g[1] * size[1] - g[2] * size[2];
  three faces = LARGER(out->on_a, out->on_b);
  if (most_of(&faces) > margin)
    return false;
  three next[2] = {{h[1], h[2], h[0], h[0]}, {h[2], h[0], h[1], h[1]}};
  edge_axes(g, next, size, r, 0, 1, 2, &out->edges[0]);
  edge_axes(g, next, size, r, 1, 2, 0, &out->edges[1]);
  edge_axes(g, next, size, r, 2, 0, 1, &out->edges[2]);
  return true;
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
static void add_edges(pc_pair *pair, const relation *r, const axes *all, double best)
{
  const double *g = pair->a->box.half, *h = pair->b->box.half;
  int i = 0, edge[2];
  while (i < 2 && most_of(&all->edges[i]) != best)
    i++;
  int j = place_of(&all->edges[i], best);
  pc_vec move = pc_vec_of(r->move), u = {i == 0, i == 1, i == 2};
  pc_vec v = {r->row[0][j], r->row[1][j], r->row[2][j]};
  pc_vec n = pc_unit(pc_times(u, v), u);
  n = pc_dot(n, move) < 0 ? pc_scale(-1, n) : n;
  pc_vec p = box_edge(g, i, n, &edge[0]);
  pc_vec q = box_edge(h, j, turn_back(r, pc_scale(-1, n)), &edge[1]);
  q = pc_add(turn(r, q), move);
  pc_add_edges(pair, edge, n, best, pc_along(p, -g[i], u), pc_scale(2 * g[i], u),
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
  axes all;
  relation_of(pair, &r);
  inverse(&r, &back);
  if (!find_axes(pair->a->box.half, pair->b->box.half, &r, &back, pair->margin, &all))
    return;
  three crossed = LARGER(all.edges[0], all.edges[1]);
  crossed = LARGER(crossed, all.edges[2]);
  double edges = most_of(&crossed), on_a = most_of(&all.on_a), on_b = most_of(&all.on_b);
  if (edges > pair->margin)
    return;
  bool second = on_b > on_a + pc_preference(pair, on_a);
  double face = second ? on_b : on_a;
  if (edges > face + pc_preference(pair, face)) {
    add_edges(pair, &r, &all, edges);
    return;
  }
  const pc_shape *base = second ? pair->b : pair->a, *other = second ? pair->a : pair->b;
  add_face(pair, base, second ? place_of(&all.on_b, on_b) : place_of(&all.on_a, on_a), face, other,
           second ? &back : &r, second ? &r : &back, !second);
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
