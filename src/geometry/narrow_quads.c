// Pairs of four-sided polygons, two at a time, each in a lane of its own. The operations are those
// of polygons() in narrow_flat.c, in the same order, so contacts have the same bits. There is no
// branch in them: boxes at rest differ by noise, which no prediction can guess. What is rare is
// left to pc_collide.
#include "geometry/narrow_quads.h"

#include "geometry/narrow_pair.h"

// `same` tells that all polygons are one, as those of many equal bodies are; it is a constant.
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 2, SIDES = 4 };
typedef double lanes __attribute__((vector_size(16)));
typedef long long masks __attribute__((vector_size(16)));

static inline lanes choose(masks which, lanes a, lanes b)
{
  return (lanes)((which & (masks)a) | (~which & (masks)b));
}

static inline lanes size_of(lanes a)
{
  const masks sign = (masks)(lanes){-0.0, -0.0};
  return (lanes)((masks)a & ~sign);
}

static inline lanes all(double a)
{
  return (lanes){a, a};
}

typedef struct flat_lanes {
  lanes x, y;
} flat_lanes;

static inline lanes dot(flat_lanes a, flat_lanes b)
{
  return a.x * b.x + a.y * b.y;
}

static inline flat_lanes minus(flat_lanes a, flat_lanes b)
{
  return (flat_lanes){a.x - b.x, a.y - b.y};
}

static inline flat_lanes along(flat_lanes a, lanes s, flat_lanes b)
{
  return (flat_lanes){a.x + s * b.x, a.y + s * b.y};
}

static inline flat_lanes choose_flat(masks which, flat_lanes a, flat_lanes b)
{
  return (flat_lanes){choose(which, a.x, b.x), choose(which, a.y, b.y)};
}

static inline flat_lanes negative(flat_lanes a)
{
  return (flat_lanes){-a.x, -a.y};
}

// A vertex or a normal of the polygon of each lane.
static inline flat_lanes pick_vertex(const pc_shape *const *shape, masks i)
{
  const double *one = shape[0]->polygon.vertex[i[0]], *two = shape[1]->polygon.vertex[i[1]];
  return (flat_lanes){{one[0], two[0]}, {one[1], two[1]}};
}

// The vertex with the same number of all, which are one polygon if `same`.
INLINE flat_lanes vertex_of(bool same, const pc_shape *const *shape, int i)
{
  const double *one = shape[0]->polygon.vertex[i];
  const double *two = same ? one : shape[1]->polygon.vertex[i];
  return (flat_lanes){{one[0], two[0]}, {one[1], two[1]}};
}

static inline flat_lanes pick_normal(const pc_shape *const *shape, masks i)
{
  const double *one = shape[0]->polygon.normal[i[0]], *two = shape[1]->polygon.normal[i[1]];
  return (flat_lanes){{one[0], two[0]}, {one[1], two[1]}};
}

// The turn of a polygon: the upper left of its matrix.
typedef struct turn_lanes {
  lanes m[4];
} turn_lanes;

static inline turn_lanes turn_of(const pc_pose *const *pose)
{
  const double *a = pose[0]->rotation, *b = pose[1]->rotation;
  return (turn_lanes){{{a[0], b[0]}, {a[1], b[1]}, {a[3], b[3]}, {a[4], b[4]}}};
}

static inline flat_lanes turned(const turn_lanes *t, flat_lanes v)
{
  return (flat_lanes){t->m[0] * v.x + t->m[1] * v.y, t->m[2] * v.x + t->m[3] * v.y};
}

static inline flat_lanes turned_back(const turn_lanes *t, flat_lanes v)
{
  return (flat_lanes){t->m[0] * v.x + t->m[2] * v.y, t->m[1] * v.x + t->m[3] * v.y};
}

// Where the other polygon is, seen from the base.
typedef struct view_lanes {
  turn_lanes turn;
  flat_lanes move;
} view_lanes;

static inline view_lanes view_of(const turn_lanes *base, const turn_lanes *other, flat_lanes from)
{
  const lanes *b = base->m, *o = other->m;
  return (view_lanes){{{b[0] * o[0] + b[2] * o[2], b[0] * o[1] + b[2] * o[3],
                        b[1] * o[0] + b[3] * o[2], b[1] * o[1] + b[3] * o[3]}},
                      turned_back(base, from)};
}

static inline flat_lanes seen(const view_lanes *v, flat_lanes p)
{
  flat_lanes t = turned(&v->turn, p);
  return (flat_lanes){t.x + v->move.x, t.y + v->move.y};
}

typedef struct edge_lanes {
  lanes separation;
  masks i;
} edge_lanes;

// The edge of the base that the other stays farthest above.
INLINE edge_lanes best_edge(bool same, const pc_shape *const *base, const pc_shape *const *other,
                            const view_lanes *v)
{
  const pc_edges *a = base[0]->polygon.edges, *b = same ? a : base[1]->polygon.edges;
  lanes lowest[SIDES];
  for (int k = 0; k < SIDES; k++) {
    flat_lanes p = seen(v, vertex_of(same, other, k));
    for (int e = 0; e < SIDES; e++) {
      lanes d = (lanes){a->x[e], b->x[e]} * p.x + (lanes){a->y[e], b->y[e]} * p.y;
      lowest[e] = k == 0 ? d : choose(d < lowest[e], d, lowest[e]);
    }
  }
  edge_lanes best = {lowest[0] - (lanes){a->height[0], b->height[0]}, {0}};
  for (int e = 1; e < SIDES; e++) {
    lanes above = lowest[e] - (lanes){a->height[e], b->height[e]};
    masks higher = above > best.separation;
    best.separation = choose(higher, above, best.separation);
    best.i = (higher & (masks){e, e}) | (~higher & best.i);
  }
  return best;
}

// The edge of a polygon that faces a normal most.
INLINE masks facing_edge(bool same, const pc_shape *const *shape, flat_lanes n)
{
  const pc_edges *a = shape[0]->polygon.edges, *b = same ? a : shape[1]->polygon.edges;
  lanes least = all(INFINITY);
  masks facing = {0};
  for (int e = 0; e < SIDES; e++) {
    lanes d = n.x * (lanes){a->x[e], b->x[e]} + n.y * (lanes){a->y[e], b->y[e]};
    masks less = d < least - 1e-9;
    least = choose(less, d, least);
    facing = (less & (masks){e, e}) | (~less & facing);
  }
  return facing;
}

// What the pairs of all lanes have in common with narrow_pair.h.
typedef struct quad_lanes {
  const pc_shape *const *a, *const *b;
  turn_lanes turn_a, turn_b;
  flat_lanes origin, centre;
  lanes margin, size, reach;
} quad_lanes;

static inline quad_lanes load(const pc_quad_pairs *pairs, int first)
{
  const pc_shape *const *a = pairs->shape[0] + first, *const *b = pairs->shape[1] + first;
  const pc_pose *const *at_a = pairs->pose[0] + first, *const *at_b = pairs->pose[1] + first;
  flat_lanes from = {{at_a[0]->position[0], at_a[1]->position[0]},
                     {at_a[0]->position[1], at_a[1]->position[1]}};
  flat_lanes origin = {{at_b[0]->position[0], at_b[1]->position[0]},
                       {at_b[0]->position[1], at_b[1]->position[1]}};
  lanes one = {a[0]->radius, a[1]->radius}, two = {b[0]->radius, b[1]->radius};
  lanes margin = {pairs->margin[first], pairs->margin[first + 1]};
  return (quad_lanes){.a = a,
                      .b = b,
                      .turn_a = turn_of(at_a),
                      .turn_b = turn_of(at_b),
                      .origin = origin,
                      .centre = minus(from, origin),
                      .margin = margin,
                      .size = choose(one < two, one, two),
                      .reach = one + two + margin};
}

// The edge that carries the contacts, on the first polygon or the second, and what faces it.
typedef struct face_lanes {
  const pc_shape *base[LANES], *other[LANES];
  masks apart, second;
  lanes separation;
  masks i, facing, next; // edge of the base; of the other, from vertex `facing` to `next`
  view_lanes view;       // of the other
  turn_lanes turn;       // of the base
  flat_lanes normal;     // of the edge, in its own axes
} face_lanes;

INLINE face_lanes find_face(bool same, const quad_lanes *q)
{
  const view_lanes from_a = view_of(&q->turn_a, &q->turn_b, negative(q->centre));
  const view_lanes from_b = view_of(&q->turn_b, &q->turn_a, q->centre);
  const edge_lanes on_a = best_edge(same, q->a, q->b, &from_a);
  const edge_lanes on_b = best_edge(same, q->b, q->a, &from_b);
  lanes preference = 1e-4 * q->size + 1e-3 * size_of(on_a.separation);
  masks second = on_b.separation > on_a.separation + preference;
  face_lanes face = {.second = second,
                     .separation = choose(second, on_b.separation, on_a.separation),
                     .i = (second & on_b.i) | (~second & on_a.i)};
  face.apart = (dot(q->centre, q->centre) > q->reach * q->reach) | (on_a.separation > q->margin) |
               (on_b.separation > q->margin);
  face.view.move = choose_flat(second, from_b.move, from_a.move);
  for (int k = 0; k < 4; k++) {
    face.view.turn.m[k] = choose(second, from_b.turn.m[k], from_a.turn.m[k]);
    face.turn.m[k] = choose(second, q->turn_b.m[k], q->turn_a.m[k]);
  }
  for (int l = 0; l < LANES; l++) {
    face.base[l] = second[l] ? q->b[l] : q->a[l];
    face.other[l] = second[l] ? q->a[l] : q->b[l];
  }
  face.normal = pick_normal(face.base, face.i);
  face.facing = facing_edge(same, face.other, turned_back(&face.view.turn, face.normal));
  face.next = (face.facing + 1) & (SIDES - 1);
  return face;
}

// A contact of each lane, in the axes of the base.
typedef struct touch_lanes {
  flat_lanes point;
  lanes gap;
  masks near, cut; // within the margin; not at a vertex
} touch_lanes;

// Contacts at both ends of the part of the facing edge that is before the edge; false where there
// is no such part.
static inline masks find_touches(const quad_lanes *q, const face_lanes *face, touch_lanes touch[2])
{
  const masks after = (face->i + 1) & (SIDES - 1);
  const flat_lanes n = face->normal, t = {-n.y, n.x};
  const flat_lanes u = pick_vertex(face->base, face->i), w = pick_vertex(face->base, after);
  const flat_lanes first = seen(&face->view, pick_vertex(face->other, face->facing));
  const flat_lanes last = seen(&face->view, pick_vertex(face->other, face->next));
  lanes low = dot(t, u), high = dot(t, w), from = dot(t, first), to = dot(t, last);
  lanes slack = 1e-5 * q->size, span = to - from;
  lanes start = choose(from > high + slack, (high - from) / span, all(0));
  lanes end = choose(to < low - slack, (low - from) / span, all(1));
  const lanes ends[2] = {start, end};
  const masks cut[2] = {start > 0, end < 1};
  for (int k = 0; k < 2; k++) {
    flat_lanes x = along(first, ends[k], minus(last, first));
    lanes gap = dot(n, minus(x, u));
    touch[k] = (touch_lanes){along(x, -0.5 * gap, n), gap, gap <= q->margin, cut[k]};
  }
  return (from >= low - slack) & (to <= high + slack) & (start <= 1) & (end >= 0);
}

static inline uint64_t feature_of(const face_lanes *face, bool cut, int k, int l)
{
  long long vertex = k == 0 ? face->facing[l] : face->next[l];
  return pc_feature((face->second[l] ? 3 : 1) + cut, (int)face->i[l],
                    (int)(cut ? face->facing[l] : vertex), cut ? k : 0);
}

INLINE void collide_lanes(bool same, pc_quad_pairs *pairs, int first)
{
  const quad_lanes q = load(pairs, first);
  const face_lanes face = find_face(same, &q);
  touch_lanes touch[2];
  masks faces = find_touches(&q, &face, touch), near[2];
  lanes least = all(INFINITY);
  for (int k = 0; k < 2; k++) {
    near[k] = faces & touch[k].near;
    least = choose(near[k] & (touch[k].gap < least), touch[k].gap, least);
  }
  // No contact at the edge, or polygons that are apart and nearer at vertices.
  masks rare =
      ~(near[0] | near[1]) | ((face.separation > 0) & (least > face.separation + 0.01 * q.margin));
  flat_lanes n = turned(&face.turn, face.normal), zero = {all(0), all(0)};
  flat_lanes out = choose_flat(face.second, n, negative(n));
  flat_lanes move = choose_flat(face.second, zero, q.centre), point[2];
  for (int k = 0; k < 2; k++) {
    flat_lanes from_b = along(move, all(1), turned(&face.turn, touch[k].point));
    point[k] = along(q.origin, all(1), from_b);
  }
  for (int l = 0; l < LANES; l++) {
    int made = 0;
    for (int k = 0; k < 2; k++) {
      pairs->touch[first + l][made] =
          (pc_contact_point){.point = {point[k].x[l], point[k].y[l], 0},
                             .normal = {out.x[l], out.y[l], 0},
                             .gap = touch[k].gap[l],
                             .feature = feature_of(&face, touch[k].cut[l] != 0, k, l)};
      made += near[k][l] != 0;
    }
    pairs->made[first + l] = face.apart[l] ? 0 : rare[l] ? -1 : made;
  }
}

void pc_collide_quads(pc_quad_pairs *pairs)
{
  for (int i = 0; i < 2 && pairs->count % LANES != 0; i++) { // the last one again, for its lane
    pairs->shape[i][pairs->count] = pairs->shape[i][pairs->count - 1];
    pairs->pose[i][pairs->count] = pairs->pose[i][pairs->count - 1];
    pairs->margin[pairs->count] = pairs->margin[pairs->count - 1];
  }
  for (int first = 0; first < pairs->count; first += LANES) {
    const pc_shape *const *a = pairs->shape[0] + first, *const *b = pairs->shape[1] + first;
    if (a[0] == a[1] && a[0] == b[0] && a[0] == b[1])
      collide_lanes(true, pairs, first);
    else
      collide_lanes(false, pairs, first);
  }
}
