// Two boxes: fifteen separating axes, then what two facing faces share, or where two edges cross.
//
// Faces are numbered -x, +x, -y, +y, -z, +z, corners by a bit for each axis along which they are
// high.
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

// Macros, not functions: returned vectors must be in registers that not all processors have.
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
// them is the best cannot be predicted. `back` is the relation seen from b. False if the boxes are
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
INLINE pc_vec box_edge(const double half[3], int i, pc_vec n, int *number)
{
  double at[3] = {copysign(half[0], n.x), copysign(half[1], n.y), copysign(half[2], n.z)};
  at[i] = 0;
  *number = 8 * i + 4 * (at[0] > 0) + 2 * (at[1] > 0) + (at[2] > 0);
  return pc_vec_of(at);
}

INLINE pc_vec turn_back(const relation *r, pc_vec v)
{
  three out = r->row[0] * v.x + r->row[1] * v.y + r->row[2] * v.z;
  return (pc_vec){out[0], out[1], out[2]};
}

INLINE pc_vec turn(const relation *r, pc_vec v)
{
  double out[3];
  for (int i = 0; i < 3; i++)
    out[i] = r->row[i][0] * v.x + r->row[i][1] * v.y + r->row[i][2] * v.z;
  return pc_vec_of(out);
}

// r is where b is seen from a.
INLINE void add_edges(pc_pair *pair, const relation *r, const axes *all, double best)
{
  const double *g = pair->a->box.half, *h = pair->b->box.half;
  int i = most_of(&all->edges[0]) == best ? 0 : most_of(&all->edges[1]) == best ? 1 : 2, edge[2];
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

// The face of a box that faces along the normal of another box's face, told by what that is in the
// axes of the box. Among as good as equal ones the first.
INLINE int facing(const double n[3])
{
  double size[3] = {fabs(n[0]), fabs(n[1]), fabs(n[2])};
  int best = size[1] > size[0] + 1e-9;
  best = size[2] > size[best] + 1e-9 ? 2 : best;
  return 2 * best + (n[best] < 0);
}

// Where corners of what two faces share may be, by fours: corners of the other face; its edges
// where they pass the low and high sides of this one along x, then along y; corners of this face.
enum { PLACES = 24 };

// For each face as the other one: the sides of its corners along the axes, in their order around
// it, and names of the places. An edge between two corners is named by its axis and what they have
// in common.
#define SIDE(v, k) ((v) >> (k)&1 ? 1. : -1.)
#define SIDES(a, b, c, d, k)                                                                       \
  {                                                                                                \
    SIDE(a, k), SIDE(b, k), SIDE(c, k), SIDE(d, k)                                                 \
  }
#define NAME(kind, i, j) ((uint64_t)(kind) << 36 | (uint64_t)(i) << 12 | (uint64_t)(j))
#define EDGE(v, w, j) NAME(2, 8 * ((v) ^ (w)) + ((v) & (w)), j)
#define EDGES(a, b, c, d, j) EDGE(a, b, j), EDGE(b, c, j), EDGE(c, d, j), EDGE(d, a, j)
#define FACE(a, b, c, d)                                                                           \
  {                                                                                                \
    {SIDES(a, b, c, d, 0), SIDES(a, b, c, d, 1), SIDES(a, b, c, d, 2)},                            \
    {                                                                                              \
      NAME(1, a, 0), NAME(1, b, 0), NAME(1, c, 0), NAME(1, d, 0), EDGES(a, b, c, d, 1),            \
          EDGES(a, b, c, d, 2), EDGES(a, b, c, d, 3), EDGES(a, b, c, d, 4), NAME(3, 0, 0),         \
          NAME(3, 1, 0), NAME(3, 2, 0), NAME(3, 3, 0)                                              \
    }                                                                                              \
  }
static const struct {
  three side[3];
  uint64_t name[PLACES];
} face_of[6] = {FACE(0, 4, 6, 2), FACE(1, 3, 7, 5), FACE(0, 1, 5, 4),
                FACE(2, 6, 7, 3), FACE(0, 2, 3, 1), FACE(4, 5, 7, 6)};

typedef struct places {
  three x[6], y[6], gap[6]; // along the axes of this face, and above it
  unsigned there;           // a bit for each of them
} places;

#define NEXT(v) __builtin_shufflevector(v, v, 1, 2, 3, 0)
#define NOTE(mask, group) ((mask) & ((three_masks){1, 2, 4, 8} << (4 * (group))))

// Edges from one corner to the next where they pass x = -half and x = half between the other two
// sides, with a little slack there. `inside`: which corners are on the inner side of each.
INLINE void pass_sides(const three *x, const three *y, const three *gap,
                       const three_masks inside[2], double half, double end, three *at_x,
                       three *at_y, three *at_gap, three_masks there[2])
{
  three next_x = NEXT(*x), dy = NEXT(*y) - *y, rise = NEXT(*gap) - *gap, per = 1 / (*x - next_x);
  const three none = {0};
  for (int k = 0; k < 2; k++) {
    double side = k == 0 ? -half : half;
    three t = (*x - side) * per;
    t = CHOOSE(t > none, t, none);
    t = CHOOSE(t < none + 1, t, none + 1);
    at_x[k] = none + side;
    at_y[k] = *y + t * dy;
    at_gap[k] = *gap + t * rise;
    there[k] = (inside[k] ^ NEXT(inside[k])) & (at_y[k] >= -end) & (at_y[k] <= end);
  }
}

// What of a face lies before another, all corners at once: which there are cannot be predicted. x,
// y and gap are those of the other face's corners, half the half edges of this face.
INLINE void find_places(const three *x, const three *y, const three *gap, const double half[2],
                        double slack, double margin, places *out)
{
  double end[2] = {half[0] + slack, half[1] + slack};
  three_masks in_x[2] = {*x >= -end[0], *x <= end[0]}, in_y[2] = {*y >= -end[1], *y <= end[1]};
  three_masks there[6];
  out->x[0] = *x, out->y[0] = *y, out->gap[0] = *gap;
  there[0] = in_x[0] & in_x[1] & in_y[0] & in_y[1];
  pass_sides(x, y, gap, in_x, half[0], end[1], out->x + 1, out->y + 1, out->gap + 1, there + 1);
  pass_sides(y, x, gap, in_y, half[1], end[0], out->y + 3, out->x + 3, out->gap + 3, there + 3);
  // A corner of this face is first + u along + v across: inside, and by so much that no edge of the
  // other passes there within the slack.
  double along[3] = {(*x)[1] - (*x)[0], (*y)[1] - (*y)[0], (*gap)[1] - (*gap)[0]};
  double across[3] = {(*x)[3] - (*x)[0], (*y)[3] - (*y)[0], (*gap)[3] - (*gap)[0]};
  double one = 1 / (along[0] * across[1] - along[1] * across[0]);
  double room[2] = {0.5 * slack * fabs(one) * (fabs(across[0]) + fabs(across[1])),
                    0.5 * slack * fabs(one) * (fabs(along[0]) + fabs(along[1]))};
  out->x[5] = (three){-half[0], half[0], half[0], -half[0]};
  out->y[5] = (three){-half[1], -half[1], half[1], half[1]};
  three dx = out->x[5] - (*x)[0], dy = out->y[5] - (*y)[0];
  three u = (dx * across[1] - dy * across[0]) * one, v = (dy * along[0] - dx * along[1]) * one;
  out->gap[5] = u * along[2] + v * across[2] + (*gap)[0];
  there[5] = (u > room[0]) & (u < 1 - room[0]) & (v > room[1]) & (v < 1 - room[1]);
  three_masks all = {0};
  for (int k = 0; k < 6; k++)
    all |= NOTE(there[k] & (out->gap[k] <= margin), k);
  out->there = (unsigned)(all[0] | all[1] | all[2] | all[3]);
}

// The face of `base` along an axis against the facing one of the other; r is where the other is
// seen from base.
INLINE void add_face(pc_pair *pair, const pc_shape *base, int axis, double separation,
                     const pc_shape *other, const relation *r, bool on_a)
{
  const double *g = base->box.half, *h = other->box.half;
  int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1, made = 0;
  double sign = r->move[axis] >= 0 ? 1 : -1, least = INFINITY;
  double seen[3] = {sign * r->row[axis][0], sign * r->row[axis][1], sign * r->row[axis][2]};
  int face = 2 * axis + (sign > 0), opposite = facing(seen);
  three side[3], at[3];
  for (int k = 0; k < 3; k++)
    side[k] = h[k] * face_of[opposite].side[k];
  for (int k = 0; k < 3; k++)
    at[k] = r->row[k][0] * side[0] + r->row[k][1] * side[1] + r->row[k][2] * side[2] + r->move[k];
  places p;
  three gap = sign * at[axis] - g[axis];
  find_places(&at[x], &at[y], &gap, (double[2]){g[x], g[y]}, 1e-5 * pair->size, pair->margin, &p);
  const double *m = (on_a ? pair->at_a : pair->at_b)->rotation;
  const pc_vec from = on_a ? pair->centre : (pc_vec){0, 0, 0};
  pc_vec out = {sign * m[axis], sign * m[3 + axis], sign * m[6 + axis]};
  pc_vec to_x = {m[x], m[3 + x], m[6 + x]}, to_y = {m[y], m[3 + y], m[6 + y]};
  const uint64_t name = pc_feature(4 * !on_a, face, 0, 0);
  pc_candidate touch[PLACES];
  for (unsigned left = p.there; left != 0; left &= left - 1, made++) {
    int place = __builtin_ctz(left), group = place / 4, lane = place & 3;
    double above = p.gap[group][lane];
    pc_vec point = pc_along(from, g[axis] + 0.5 * above, out);
    point = pc_along(point, p.x[group][lane], to_x);
    touch[made].point = pc_along(point, p.y[group][lane], to_y);
    touch[made].gap = above;
    touch[made].feature = name | face_of[opposite].name[place];
    least = above < least ? above : least;
  }
  pc_vec normal = on_a ? pc_scale(-1, out) : out;
  pc_add_face_points(pair, made, touch, least, normal, separation);
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
           second ? &back : &r, !second);
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
