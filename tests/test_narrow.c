// Contacts of shapes against oracles of their own: supports and signed distances written here, and
// the best of many directions, refined.
//
// Where two convex bodies are apart a contact proves itself: its normal separates them by the gap
// (no distance is less), and its two points lie on them (no distance is more).
#include <string.h>

#include "geometry/narrow.h"
#include "geometry/narrow_bound.h"
#include "geometry/narrow_core.h"
#include "geometry/narrow_quads.h"
#include "geometry/shape.h"
#include "support.h"

typedef struct vec {
  double x, y, z;
} vec;

static vec sub(vec a, vec b)
{
  return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static vec axpy(vec a, double s, vec b)
{
  return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static double dot(vec a, vec b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static double norm(vec a)
{
  return sqrt(dot(a, a));
}
static vec cross(vec a, vec b)
{
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static vec neg(vec a)
{
  return (vec){-a.x, -a.y, -a.z};
}
static vec unit(vec a)
{
  double s = norm(a);
  return (vec){a.x / s, a.y / s, a.z / s};
}
static vec of(const double v[3])
{
  return (vec){v[0], v[1], v[2]};
}

static vec random_direction(pc_random *random)
{
  vec v;
  do
    v = (vec){pc_random_normal(random), pc_random_normal(random), pc_random_normal(random)};
  while (norm(v) < 1e-3);
  return unit(v);
}

static pc_pose random_pose(pc_random *random, double spread)
{
  double q[4], position[3];
  for (int i = 0; i < 4; i++)
    q[i] = pc_random_normal(random);
  for (int i = 0; i < 3; i++)
    position[i] = pc_random_uniform(random, -spread, spread);
  pc_quaternion_normalise(q);
  return pc_pose_of(position, q);
}

// A turn about z only.
static pc_pose random_flat_pose(pc_random *random, double spread)
{
  double turn = pc_random_uniform(random, -4, 4);
  double q[4] = {cos(0.5 * turn), 0, 0, sin(0.5 * turn)};
  double position[3] = {pc_random_uniform(random, -spread, spread),
                        pc_random_uniform(random, -spread, spread), 0};
  return pc_pose_of(position, q);
}

// A body of the test: the shape, and what it was made from.
typedef struct body {
  pc_shape *shape;
  pc_shape_type type;
  double radius, half;
  int count;
  double point[24][3]; // box, polyhedron, polygon
  double size;         // about its origin
} body;

static body scaled_body(pc_random *random, pc_shape_type type, double scale)
{
  body b = {.type = type};
  b.radius = scale * pc_random_uniform(random, 0.3, 1);
  b.half = scale * pc_random_uniform(random, 0.1, 1);
  b.size = b.radius;
  if (type == PC_SPHERE) {
    b.shape = pc_shape_sphere(b.radius, NULL);
  } else if (type == PC_DISC) {
    b.shape = pc_shape_disc(b.radius, NULL);
  } else if (type == PC_CAPSULE) {
    b.shape = pc_shape_capsule(b.radius, 2 * b.half, NULL);
    b.size = b.radius + b.half;
  } else if (type == PC_CYLINDER) {
    b.shape = pc_shape_cylinder(b.radius, 2 * b.half, NULL);
    b.size = hypot(b.radius, b.half);
  } else if (type == PC_BOX) {
    double edge[3];
    for (int i = 0; i < 3; i++)
      edge[i] = scale * pc_random_uniform(random, 0.3, 2);
    b.shape = pc_shape_box(edge, NULL);
    b.count = 8;
    for (int v = 0; v < 8; v++)
      for (int i = 0; i < 3; i++)
        b.point[v][i] = (v >> i & 1 ? 0.5 : -0.5) * edge[i];
  } else if (type == PC_POLYHEDRON) {
    b.count = 4 + pc_random_below(random, 21);
    for (int v = 0; v < b.count; v++) {
      vec d = random_direction(random);
      double r = scale * pc_random_uniform(random, 0.5, 1);
      b.point[v][0] = r * d.x, b.point[v][1] = r * d.y, b.point[v][2] = r * d.z;
    }
    b.shape = pc_shape_polyhedron(b.count, (const double(*)[3])b.point, false, NULL);
  } else {
    double flat[24][2];
    b.count = 3 + pc_random_below(random, 10);
    for (int v = 0; v < b.count; v++) {
      double angle = pc_random_uniform(random, -3.2, 3.2),
             r = scale * pc_random_uniform(random, 0.5, 1);
      flat[v][0] = b.point[v][0] = r * cos(angle);
      flat[v][1] = b.point[v][1] = r * sin(angle);
    }
    b.shape = pc_shape_polygon(b.count, (const double(*)[2])flat, false, NULL);
  }
  for (int v = 0; v < b.count; v++)
    b.size = fmax(v == 0 ? 0 : b.size, norm(of(b.point[v])));
  if (b.shape == NULL)
    fail_msg("no shape of type %d", type);
  return b;
}

static body make_body(pc_random *random, pc_shape_type type)
{
  return scaled_body(random, type, 1);
}

static vec place(const pc_pose *at, vec v)
{
  const double *m = at->rotation;
  return (vec){at->position[0] + m[0] * v.x + m[1] * v.y + m[2] * v.z,
               at->position[1] + m[3] * v.x + m[4] * v.y + m[5] * v.z,
               at->position[2] + m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

static vec local(const pc_pose *at, vec p)
{
  vec d = sub(p, of(at->position));
  const double *m = at->rotation;
  return (vec){m[0] * d.x + m[3] * d.y + m[6] * d.z, m[1] * d.x + m[4] * d.y + m[7] * d.z,
               m[2] * d.x + m[5] * d.y + m[8] * d.z};
}

// max n . x over the body.
static double height(const body *b, const pc_pose *at, vec n)
{
  vec m = local(at, axpy(of(at->position), 1, n));
  double base = dot(n, of(at->position)), most = -INFINITY;
  if (b->type == PC_SPHERE || b->type == PC_DISC)
    return base + b->radius;
  if (b->type == PC_CAPSULE)
    return base + b->radius + b->half * fabs(m.z);
  if (b->type == PC_CYLINDER)
    return base + b->half * fabs(m.z) + b->radius * hypot(m.x, m.y);
  for (int v = 0; v < b->count; v++)
    most = fmax(most, dot(m, of(b->point[v])));
  return base + most;
}

// How far a lies above b along n.
static double separation(const body *a, const pc_pose *at_a, const body *b, const pc_pose *at_b,
                         vec n)
{
  return -height(a, at_a, neg(n)) - height(b, at_b, n);
}

static double segment_distance(vec p, vec a, vec b)
{
  vec e = sub(b, a);
  double t = dot(sub(p, a), e) / dot(e, e);
  return norm(sub(p, axpy(a, fmin(1, fmax(0, t)), e)));
}

// Distance to a polyhedron by all its faces and edges, negative inside.
static double hull_distance(const pc_hull *hull, vec p)
{
  double inside = -INFINITY, least = INFINITY;
  for (int f = 0; f < hull->faces; f++) {
    vec n = of(hull->plane[f]);
    double d = dot(n, p) - hull->plane[f][3];
    inside = fmax(inside, d);
    bool over = d > 0;
    int start = hull->face_start[f], end = hull->face_start[f + 1];
    for (int k = start; k < end; k++) {
      vec u = of(hull->vertex[hull->face_vertex[k]]);
      vec v = of(hull->vertex[hull->face_vertex[k + 1 < end ? k + 1 : start]]);
      over = over && dot(cross(n, sub(v, u)), sub(p, u)) >= 0;
      least = fmin(least, segment_distance(p, u, v));
    }
    if (over)
      least = fmin(least, d);
  }
  return inside <= 0 ? inside : least;
}

static double polygon_distance(const body *b, vec p)
{
  const pc_shape *s = b->shape;
  double inside = -INFINITY, least = INFINITY;
  for (int i = 0; i < s->polygon.count; i++) {
    int j = (i + 1) % s->polygon.count;
    vec u = {s->polygon.vertex[i][0], s->polygon.vertex[i][1], 0};
    vec v = {s->polygon.vertex[j][0], s->polygon.vertex[j][1], 0}, e = unit(sub(v, u));
    inside = fmax(inside, dot(sub(p, u), (vec){e.y, -e.x, 0}));
    least = fmin(least, segment_distance(p, u, v));
  }
  return inside <= 0 ? inside : least;
}

// Signed distance of a point of the world from the surface.
static double surface(const body *b, const pc_pose *at, vec world)
{
  vec p = local(at, world);
  if (b->type == PC_SPHERE || b->type == PC_DISC)
    return norm(p) - b->radius;
  if (b->type == PC_CAPSULE)
    return segment_distance(p, (vec){0, 0, -b->half}, (vec){0, 0, b->half}) - b->radius;
  if (b->type == PC_CYLINDER) {
    double u = hypot(p.x, p.y) - b->radius, v = fabs(p.z) - b->half;
    return u > 0 && v > 0 ? hypot(u, v) : fmax(u, v);
  }
  if (b->type == PC_POLYGON)
    return polygon_distance(b, p);
  return hull_distance(b->shape->hull, p);
}

typedef struct scene {
  body a, b;
  pc_pose at_a, at_b;
  double size;
  bool flat;
} scene;

static double scene_separation(const scene *s, vec n)
{
  return separation(&s->a, &s->at_a, &s->b, &s->at_b, n);
}

// Climbs from a direction to a local maximum of the separation.
static double climb(const scene *s, pc_random *random, vec n)
{
  double best = scene_separation(s, n);
  for (double step = 0.05; step > 1e-10; step *= 0.75) {
    bool better = false;
    for (int k = 0; k < 12; k++) {
      vec d = random_direction(random);
      if (s->flat)
        d.z = 0;
      vec m = unit(axpy(n, step, d));
      double value = scene_separation(s, m);
      if (value > best)
        best = value, n = m, better = true;
    }
    if (better)
      step *= 1.5;
  }
  return best;
}

enum { STARTS = 6 };

typedef struct peaks {
  double value[STARTS];
  vec n[STARTS];
} peaks;

static void peaks_offer(peaks *p, const scene *s, vec n)
{
  double value = scene_separation(s, n);
  for (int i = 0; i < STARTS; i++) {
    if (value <= p->value[i])
      continue;
    memmove(&p->value[i + 1], &p->value[i], (size_t)(STARTS - 1 - i) * sizeof *p->value);
    memmove(&p->n[i + 1], &p->n[i], (size_t)(STARTS - 1 - i) * sizeof *p->n);
    p->value[i] = value, p->n[i] = n;
    return;
  }
}

static int edges(const body *b, const pc_pose *at, vec *out)
{
  if (b->type == PC_CAPSULE || b->type == PC_CYLINDER) {
    out[0] = sub(place(at, (vec){0, 0, 1}), of(at->position));
    return 1;
  }
  int count = 0;
  for (int e = 0; e < b->shape->hull->edges; e++) {
    const pc_hull *hull = b->shape->hull;
    vec u = of(hull->vertex[hull->edge[e][0]]), v = of(hull->vertex[hull->edge[e][1]]);
    out[count++] = unit(sub(place(at, v), place(at, u)));
  }
  return count;
}

static void offer_normals(peaks *p, const scene *s, const body *b, const pc_pose *at, double sign)
{
  for (int f = 0; f < b->shape->hull->faces; f++) {
    vec n = sub(place(at, of(b->shape->hull->plane[f])), of(at->position));
    peaks_offer(p, s, sign < 0 ? neg(n) : n);
  }
}

// The largest separation over all directions: the distance, or less the depth. Face normals and
// cross products of edges are all tried; for two polyhedra that overlap these are enough.
static double oracle(const scene *s, pc_random *random)
{
  peaks p;
  for (int i = 0; i < STARTS; i++)
    p.value[i] = -INFINITY;
  enum { SAMPLES = 1500, MOST = 128 };
  for (int i = 0; i < SAMPLES; i++) {
    double z = 1 - (2 * i + 1.0) / SAMPLES, turn = 2.399963229728653 * i;
    double r = s->flat ? 1 : sqrt(1 - z * z);
    peaks_offer(&p, s, (vec){r * cos(turn), r * sin(turn), s->flat ? 0 : z});
  }
  if (!s->flat) {
    static vec ea[MOST], eb[MOST];
    int na = edges(&s->a, &s->at_a, ea), nb = edges(&s->b, &s->at_b, eb);
    offer_normals(&p, s, &s->a, &s->at_a, -1);
    offer_normals(&p, s, &s->b, &s->at_b, 1);
    for (int i = 0; i < na; i++)
      for (int j = 0; j < nb; j++) {
        vec n = cross(ea[i], eb[j]);
        if (norm(n) < 1e-9)
          continue;
        peaks_offer(&p, s, unit(n));
        peaks_offer(&p, s, neg(unit(n)));
      }
  }
  double best = -INFINITY;
  for (int i = 0; i < STARTS; i++)
    best = fmax(best, climb(s, random, p.n[i]));
  return best;
}

// Two bodies, near each other along some direction.
static scene make_scene(pc_random *random, pc_shape_type type_a, pc_shape_type type_b)
{
  scene s = {.flat = type_a >= PC_DISC};
  s.a = make_body(random, type_a);
  s.b = make_body(random, type_b);
  s.size = fmin(s.a.size, s.b.size);
  s.at_a = s.flat ? random_flat_pose(random, 1) : random_pose(random, 1);
  s.at_b = s.flat ? random_flat_pose(random, 1) : random_pose(random, 1);
  // Along the best of some directions, so that many touch.
  vec n = {1, 0, 0};
  for (int i = 0; i < 200; i++) {
    vec m = random_direction(random);
    if (s.flat)
      m = unit((vec){m.x, m.y, 0});
    if (scene_separation(&s, m) > scene_separation(&s, n))
      n = m;
  }
  double deep = pc_random_below(random, 4) == 0 ? 1 : 0.1;
  double want = pc_random_uniform(random, -deep, 0.15);
  double move = want - scene_separation(&s, n);
  s.at_a.position[0] += move * n.x;
  s.at_a.position[1] += move * n.y;
  s.at_a.position[2] += move * n.z;
  return s;
}

static void scene_free(scene *s)
{
  pc_shape_release(s->a.shape);
  pc_shape_release(s->b.shape);
}

static pc_contact_list collide(const scene *s, double margin)
{
  pc_contact_list list = {0};
  assert_int_equal(pc_collide(s->a.shape, &s->at_a, s->b.shape, &s->at_b, margin, &list), PC_OK);
  return list;
}

static int deepest(const pc_contact_list *list)
{
  int best = 0;
  for (int i = 1; i < list->count; i++)
    if (list->at[i].gap < list->at[best].gap)
      best = i;
  return best;
}

// What holds for every list of contacts.
static void check_list(const pc_contact_list *list, double margin)
{
  for (int i = 0; i < list->count; i++) {
    const pc_contact_point *c = &list->at[i];
    assert_near(norm(of(c->normal)), 1, 1e-12);
    assert_true(c->gap <= margin);
    for (int k = 0; k < 3; k++)
      assert_true(isfinite(c->point[k]));
    for (int j = 0; j < i; j++)
      assert_true(c->feature != list->at[j].feature);
  }
}

typedef struct tally {
  int cases, touching, apart, missed;
} tally;

static bool polytopes(const scene *s)
{
  return (s->a.type == PC_BOX || s->a.type == PC_POLYHEDRON || s->a.type == PC_POLYGON) &&
         (s->b.type == PC_BOX || s->b.type == PC_POLYHEDRON || s->b.type == PC_POLYGON);
}

static bool has(const scene *s, pc_shape_type type)
{
  return s->a.type == type || s->b.type == type;
}

// The points lie on both surfaces, half the gap away. A rod that leans on a face has points that
// are a little inside it.
static void check_points(const scene *s, const pc_contact_list *list)
{
  double slack = has(s, PC_CAPSULE) ? 2e-3 : 5e-5;
  for (int i = 0; i < list->count; i++) {
    const pc_contact_point *k = &list->at[i];
    vec p = of(k->point), n = of(k->normal);
    double on_a = surface(&s->a, &s->at_a, axpy(p, 0.5 * k->gap, n));
    double on_b = surface(&s->b, &s->at_b, axpy(p, -0.5 * k->gap, n));
    if (!(fabs(on_a) <= slack) || !(fabs(on_b) <= slack))
      fail_msg("types %d and %d: points off by %g and %g at gap %g", s->a.type, s->b.type, on_a,
               on_b, k->gap);
  }
}

// The deepest contact against the best direction. No direction is better than the best, so that a
// gap that its own normal confirms is right when no better one is found.
static void check_scene(const scene *s, pc_random *random, double margin, tally *t)
{
  pc_contact_list list = collide(s, margin);
  check_list(&list, margin);
  double want = oracle(s, random);
  t->cases++;
  if (list.count == 0) {
    // The search may end below the best: a contact within more has a normal that proves how far the
    // two are apart.
    pc_contact_list more = collide(s, 2 * margin);
    if (more.count > 0)
      want = fmax(want, scene_separation(s, of(more.at[deepest(&more)].normal)));
    free(more.at);
    if (!(want > margin - 1e-6))
      fail_msg("types %d and %d have no contact at %g", s->a.type, s->b.type, want);
    free(list.at);
    return;
  }
  t->touching++;
  assert_true(list.count <= 4);
  const pc_contact_point *c = &list.at[deepest(&list)];
  want = fmax(want, climb(s, random, of(c->normal)));
  t->apart += want > 0;
  double over = c->gap - want, unsure = c->gap - scene_separation(s, of(c->normal));
  double prefer = 3e-4 * s->size + 1e-3 * fabs(want) + 0.03 * margin;
  double most = polytopes(s) ? prefer : 1e-7 * s->size, least = most;
  if (has(s, PC_CYLINDER) && want <= 0)
    least = 1e-6 * s->size;
  if (unsure > most || over > most + 2e-5)
    fail_msg("types %d and %d: gap %g, at most %g", s->a.type, s->b.type, c->gap, want);
  if (over < -least) {
    t->missed++;
    // Two ways out of a deep overlap may be almost as short; the longer is found at times.
    if (!has(s, PC_CYLINDER) || want > -0.1 * s->size || over < 0.3 * want)
      fail_msg("types %d and %d: gap %g, at least %g", s->a.type, s->b.type, c->gap, want);
  }
  check_points(s, &list);
  free(list.at);
}

static void check_pair(pc_random *random, pc_shape_type a, pc_shape_type b)
{
  tally t = {0};
  for (int k = 0; k < test_count(150); k++) {
    scene s = make_scene(random, a, b);
    check_scene(&s, random, 0.1, &t);
    scene_free(&s);
  }
  printf("%s and %s: %d touch, %d of them apart, %d not the shortest way\n", pc_shape_type_name(a),
         pc_shape_type_name(b), t.touching, t.apart, t.missed);
  assert_true(t.touching * (t.cases < 50 ? 6 : 3) > t.cases); // a small sample may have fewer
  assert_true(t.missed <= (t.cases + 25) / 50);
}

static const pc_shape_type spatial[] = {PC_SPHERE, PC_BOX, PC_POLYHEDRON, PC_CAPSULE, PC_CYLINDER};
static const pc_shape_type planar[] = {PC_DISC, PC_POLYGON};

static void pairs_agree_with_the_best_direction(void **state)
{
  pc_random random = test_random("pairs_agree_with_the_best_direction");
  for (int i = 0; i < 5; i++)
    for (int j = i; j < 5; j++)
      check_pair(&random, spatial[i], spatial[j]);
  for (int i = 0; i < 2; i++)
    for (int j = i; j < 2; j++)
      check_pair(&random, planar[i], planar[j]);
}

// The deepest contacts of two lists: the same gap and, turned by `turn`, the same normal.
static void check_same(const scene *s, const pc_contact_list *a, const pc_contact_list *b,
                       const pc_pose *turn, double sign)
{
  double slack = polytopes(s) ? 2e-3 * s->size : has(s, PC_CYLINDER) ? 1e-6 : 1e-9;
  if (a->count == 0 || b->count == 0) {
    const pc_contact_list *other = a->count == 0 ? b : a;
    for (int i = 0; i < other->count; i++)
      if (!(other->at[i].gap > 0.1 - 3e-3))
        fail_msg("types %d and %d: no contact, or one at %g", s->a.type, s->b.type,
                 other->at[i].gap);
    return;
  }
  const pc_contact_point *p = &a->at[deepest(a)], *q = &b->at[deepest(b)];
  if (!(fabs(p->gap - q->gap) <= slack))
    fail_msg("types %d and %d: gap %g or %g", s->a.type, s->b.type, p->gap, q->gap);
  if (!polytopes(s)) {
    vec n = sub(place(turn, of(p->normal)), of(turn->position));
    // A body deep inside may have two ways out that are equally short.
    if (p->gap > -0.2)
      assert_near(sign * dot(n, of(q->normal)), 1, 1e-6);
  }
}

// Swapped, and moved together, the bodies touch in the same way.
static void order_and_place_do_not_matter(void **state)
{
  pc_random random = test_random("order_and_place_do_not_matter");
  for (int i = 0; i < test_count(6000); i++) {
    bool flat = i % 6 == 5;
    pc_shape_type a = flat ? planar[pc_random_below(&random, 2)] : spatial[i % 5];
    pc_shape_type b = flat ? planar[pc_random_below(&random, 2)] : spatial[i / 7 % 5];
    scene s = make_scene(&random, a, b);
    pc_contact_list list = collide(&s, 0.1);
    static const pc_pose still = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    scene other = s;
    other.a = s.b, other.b = s.a, other.at_a = s.at_b, other.at_b = s.at_a;
    pc_contact_list swapped = collide(&other, 0.1);
    check_list(&swapped, 0.1);
    check_same(&s, &list, &swapped, &still, -1);
    pc_pose move = flat ? random_flat_pose(&random, 100) : random_pose(&random, 100);
    other = s;
    other.at_a = pc_pose_multiply(&move, &s.at_a);
    other.at_b = pc_pose_multiply(&move, &s.at_b);
    pc_contact_list moved = collide(&other, 0.1);
    check_same(&s, &list, &moved, &move, 1);
    free(list.at);
    free(swapped.at);
    free(moved.at);
    scene_free(&s);
  }
}

static pc_vec vec_of(vec a)
{
  return (pc_vec){a.x, a.y, a.z};
}

static void move(pc_pose *pose, double s, vec d)
{
  pose->position[0] += s * d.x, pose->position[1] += s * d.y, pose->position[2] += s * d.z;
}

// A direction along which lines or faces of the two may lie side by side, or nearly so.
static vec level_direction(pc_random *random, const pc_pose *a, const pc_pose *b)
{
  static const double tiny[] = {0, 1e-9, 1e-7, 1e-5, 1e-3};
  const double *m = pc_random_below(random, 2) == 0 ? a->rotation : b->rotation;
  vec axis = {m[2], m[5], m[8]}, n = random_direction(random);
  if (pc_random_below(random, 4) > 0)
    n = unit(axpy(n, -dot(n, axis), axis));
  return unit(axpy(n, tiny[pc_random_below(random, 5)], random_direction(random)));
}

// Bodies with a plane between them are apart, however thin the simplex that finds how far.
static void a_plane_between_is_never_missed(void **state)
{
  pc_random random = test_random("a_plane_between_is_never_missed");
  for (int i = 0; i < test_count(10000); i++) {
    pc_shape_type type = i % 2 ? PC_CYLINDER : spatial[1 + pc_random_below(&random, 4)];
    body a = make_body(&random, type), b = make_body(&random, PC_CYLINDER);
    pc_pose at_a = random_pose(&random, 1), at_b = random_pose(&random, 1);
    vec n = level_direction(&random, &at_a, &at_b);
    // The lowest point of a comes over the axis of b.
    pc_core core = pc_core_of(a.shape, &at_a, pc_vec_of(at_a.position));
    pc_vec low = pc_core_support(&core, vec_of(neg(n)));
    vec over = place(&at_b, (vec){0, 0, pc_random_uniform(&random, -b.half, b.half)});
    move(&at_a, 1, sub(over, (vec){low.x, low.y, low.z}));
    double want = 0.02 * b.size;
    move(&at_a, want - separation(&a, &at_a, &b, &at_b, n), n);
    core = pc_core_of(a.shape, &at_a, pc_vec_of(at_a.position));
    pc_core cylinder = pc_core_of(b.shape, &at_b, pc_vec_of(at_b.position));
    pc_witness w;
    assert_true(pc_core_distance(&core, &cylinder, b.size, 1e-10, INFINITY, vec_of(n), &w));
    if (!(w.separation >= want + core.round - 1e-9))
      fail_msg("types %d and %d: %g apart, at least %g", a.type, b.type, w.separation, want);
    assert_near(pc_distance(w.on_a, w.on_b), w.separation, 1e-9);
    pc_vec on_a = pc_along(w.on_a, -core.round, w.normal);
    assert_near(surface(&a, &at_a, (vec){on_a.x, on_a.y, on_a.z}), 0, 1e-6);
    assert_near(surface(&b, &at_b, (vec){w.on_b.x, w.on_b.y, w.on_b.z}), 0, 1e-6);
    pc_shape_release(a.shape);
    pc_shape_release(b.shape);
  }
}

// With a margin just above the gap there is a contact, the same one, and none just below: what is
// left out early because of the margin would not have counted.
static void the_margin_decides(void **state)
{
  pc_random random = test_random("the_margin_decides");
  int checked = 0, cases = test_count(4000);
  for (int i = 0; i < cases; i++) {
    scene s = make_scene(&random, spatial[pc_random_below(&random, 5)],
                         spatial[pc_random_below(&random, 5)]);
    pc_contact_list all = collide(&s, 0.2);
    double gap = all.count > 0 ? all.at[deepest(&all)].gap : -1;
    // Between polyhedra a corner or a face may stand for what is a little nearer or wider.
    double slack = polytopes(&s) ? 3e-4 * s.size + 1e-3 * gap + 0.03 * 0.2 : 1e-8 * s.size;
    if (gap > 2 * slack) {
      checked++;
      pc_contact_list near = collide(&s, gap + slack), none = collide(&s, gap - slack);
      if (near.count == 0 || none.count > 0)
        fail_msg("types %d and %d, gap %g: %d contacts above it, %d below", s.a.type, s.b.type, gap,
                 near.count, none.count);
      const pc_contact_point *p = &all.at[deepest(&all)], *q = &near.at[deepest(&near)];
      assert_near(q->gap, p->gap, slack);
      if (!polytopes(&s))
        assert_near(dot(of(p->normal), of(q->normal)), 1, 1e-9);
      free(near.at);
      free(none.at);
    }
    free(all.at);
    scene_free(&s);
  }
  assert_true(checked * 4 > cases);
}

// The bound of the lower of two n . q against many n of the arc: never less, and where they cross
// hardly more.
static void bounds_hold_on_arcs(void **state)
{
  pc_random random = test_random("bounds_hold_on_arcs");
  int met = 0, cases = test_count(5000);
  for (int i = 0; i < cases; i++) {
    enum { STEPS = 200 };
    vec n = random_direction(&random), t = unit(cross(n, random_direction(&random)));
    double angle = pc_random_uniform(&random, 1e-3, 3), shift = pc_random_uniform(&random, -2, 1);
    vec m = axpy((vec){cos(angle) * n.x, cos(angle) * n.y, cos(angle) * n.z}, sin(angle), t);
    vec q[2];
    for (int k = 0; k < 2; k++)
      q[k] = axpy(random_direction(&random), shift, axpy(n, 1, m));
    double f[2] = {dot(n, q[0]), dot(m, q[1])}, g[2] = {dot(m, q[0]), dot(n, q[1])}, where;
    double bound = pc_arc_bound(f, g, dot(n, m), &where), most = -INFINITY;
    for (int k = 0; k <= STEPS; k++) {
      double turn = angle * k / STEPS;
      vec x = axpy((vec){cos(turn) * n.x, cos(turn) * n.y, cos(turn) * n.z}, sin(turn), t);
      most = fmax(most, fmin(dot(x, q[0]), dot(x, q[1])));
    }
    if (!(bound >= most - 1e-12))
      fail_msg("the bound is %.15g, but %.15g is reached", bound, most);
    bool crossing = f[0] < g[1] && f[1] < g[0] && f[0] < g[0] && f[1] < g[1];
    met += crossing;
    if (crossing)
      assert_near(bound, most, 0.06);
    assert_true(where >= 0 && where <= 1);
  }
  assert_true(met * 20 > cases);
}

static pc_pose at(double x, double y, double z)
{
  return (pc_pose){{x, y, z}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

// With a half-space the least gap is the height of the lowest point, exactly.
static void planes_are_exact(void **state)
{
  pc_random random = test_random("planes_are_exact");
  for (int i = 0; i < test_count(5000); i++) {
    bool flat = i % 7 >= 5;
    body b = make_body(&random, flat ? planar[i % 7 - 5] : spatial[i % 7]);
    vec n = random_direction(&random);
    if (flat)
      n = unit((vec){n.x, n.y, 0});
    double normal[3] = {n.x, n.y, n.z};
    pc_shape *plane = pc_shape_plane(flat ? 2 : 3, normal, NULL);
    pc_pose ground = flat ? random_flat_pose(&random, 1) : random_pose(&random, 1);
    pc_pose pose = flat ? random_flat_pose(&random, 1) : random_pose(&random, 1);
    n = sub(place(&ground, n), of(ground.position));
    double want = -height(&b, &pose, neg(n)) - dot(n, of(ground.position));
    double lift = pc_random_uniform(&random, -0.3, 0.1) - want;
    for (int k = 0; k < 3; k++)
      pose.position[k] += lift * (k == 0 ? n.x : k == 1 ? n.y : n.z);
    want += lift;
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(b.shape, &pose, plane, &ground, 0.05, &list), PC_OK);
    check_list(&list, 0.05);
    assert_int_equal(list.count > 0, want <= 0.05);
    if (list.count > 0)
      assert_near(list.at[deepest(&list)].gap, want, 1e-12);
    for (int k = 0; k < list.count; k++) {
      vec p = of(list.at[k].point);
      double gap = list.at[k].gap;
      assert_near(dot(n, of(list.at[k].normal)), 1, 1e-12);
      assert_near(dot(n, sub(p, of(ground.position))), 0.5 * gap, 1e-12);
      double on = surface(&b, &pose, axpy(p, 0.5 * gap, n));
      assert_near(on, 0, b.type == PC_CAPSULE ? 2 * b.radius : 1e-12);
    }
    free(list.at);
    pc_shape_release(plane);
    pc_shape_release(b.shape);
  }
}

// Contacts at the four places (x, +-y) in the order of nothing; each once.
static void check_places(const pc_contact_list *list, int count, const double (*want)[3])
{
  assert_int_equal(list->count, count);
  for (int i = 0; i < count; i++) {
    int found = 0;
    for (int k = 0; k < count; k++)
      found += norm(sub(of(list->at[k].point), of(want[i]))) < 1e-9;
    assert_int_equal(found, 1);
  }
}

static void check_ids(const pc_contact_list *a, const pc_contact_list *b)
{
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    int found = 0;
    for (int k = 0; k < b->count; k++)
      found += a->at[i].feature == b->at[k].feature &&
               norm(sub(of(a->at[i].point), of(b->at[k].point))) < 1e-2;
    assert_int_equal(found, 1);
  }
}

// A body at rest, and the same a little moved and turned: as many points, with the same names.
static void check_rest(pc_random *random, const pc_shape *a, pc_pose at_a, const pc_shape *b,
                       int count, const double (*want)[3])
{
  pc_pose ground = at(0, 0, 0);
  pc_contact_list list = {0};
  assert_int_equal(pc_collide(a, &at_a, b, &ground, 0.01, &list), PC_OK);
  check_places(&list, count, want);
  for (int k = 0; k < 50; k++) {
    double v[3], q[4];
    for (int i = 0; i < 3; i++) {
      v[i] = pc_random_uniform(random, -1e-7, 1e-7);
      at_a.position[i] += pc_random_uniform(random, -1e-7, 1e-7);
    }
    pc_quaternion_exp(v, q);
    pc_pose turn = pc_pose_of((double[3]){0, 0, 0}, q), moved = at_a;
    pc_pose turned =
        pc_pose_multiply(&(pc_pose){{0},
                                    {at_a.rotation[0], at_a.rotation[1], at_a.rotation[2],
                                     at_a.rotation[3], at_a.rotation[4], at_a.rotation[5],
                                     at_a.rotation[6], at_a.rotation[7], at_a.rotation[8]}},
                         &turn);
    memcpy(moved.rotation, turned.rotation, sizeof moved.rotation);
    pc_contact_list other = {0};
    assert_int_equal(pc_collide(a, &moved, b, &ground, 0.01, &other), PC_OK);
    check_ids(&list, &other);
    free(other.at);
  }
  free(list.at);
}

static void bodies_rest_on_their_corners(void **state)
{
  pc_random random = test_random("bodies_rest_on_their_corners");
  double up[3] = {0, 0, 1}, small[3] = {1, 1, 1}, large[3] = {4, 4, 2};
  pc_shape *box = pc_shape_box(small, NULL), *table = pc_shape_box(large, NULL);
  pc_shape *plane = pc_shape_plane(3, up, NULL), *can = pc_shape_cylinder(0.5, 1, NULL);
  pc_shape *rod = pc_shape_capsule(0.25, 1, NULL);
  static const double square[4][3] = {{-.5, -.5, 0}, {.5, -.5, 0}, {.5, .5, 0}, {-.5, .5, 0}};
  static const double quarters[4][3] = {{-.5, 0, 0}, {.5, 0, 0}, {0, .5, 0}, {0, -.5, 0}};
  static const double line[2][3] = {{-.5, 0, 0}, {.5, 0, 0}};
  double shifted[4][3], edge[4][3];
  memcpy(shifted, square, sizeof square);
  memcpy(edge, square, sizeof square);
  for (int i = 0; i < 4; i++)
    shifted[i][2] = 1, edge[i][2] = 0.5;
  check_rest(&random, box, at(0, 0, 0.5), plane, 4, square);
  check_rest(&random, box, at(0, 0, 1.5), table, 4, (const double(*)[3])shifted);
  check_rest(&random, box, at(0, 0, 1), box, 4, (const double(*)[3])edge);
  check_rest(&random, can, at(0, 0, 0.5), plane, 4, quarters);
  pc_pose lying = {{0, 0, 0.5}, {0, 0, 1, 0, 1, 0, -1, 0, 0}};
  check_rest(&random, can, lying, plane, 2, line);
  lying.position[2] = 0.25;
  check_rest(&random, rod, lying, plane, 2, line);
  double on_table[2][3] = {{-.5, 0, 1}, {.5, 0, 1}};
  lying.position[2] = 1.25;
  check_rest(&random, rod, lying, table, 2, (const double(*)[3])on_table);
  lying.position[2] = 1.5;
  check_rest(&random, can, lying, table, 2, (const double(*)[3])on_table);
  pc_pose standing = at(0, 0, 1.5), ground = at(0, 0, 0);
  pc_contact_list list = {0};
  assert_int_equal(pc_collide(can, &standing, table, &ground, 0.01, &list), PC_OK);
  assert_int_equal(list.count, 4);
  for (int i = 0; i < 4; i++)
    assert_near(hypot(list.at[i].point[0], list.at[i].point[1]), 0.5, 1e-9);
  free(list.at);
  pc_shape *all[] = {box, table, plane, can, rod};
  for (int i = 0; i < 5; i++)
    pc_shape_release(all[i]);
}

// A cylinder that rolls on a plane, however turned about itself, is a cylinder and not a prism.
static void a_cylinder_rolls_smoothly(void **state)
{
  double up[3] = {0, 0, 1};
  pc_shape *plane = pc_shape_plane(3, up, NULL), *can = pc_shape_cylinder(0.5, 1, NULL);
  for (int i = 0; i < 1000; i++) {
    double v[3] = {0, acos(-1) / 2, 0}, w[3] = {0, 0, 0.01 * i}, q[4], p[4];
    pc_quaternion_exp(v, q);
    pc_quaternion_exp(w, p);
    pc_quaternion_multiply(q, p, q);
    pc_pose pose = pc_pose_of((double[3]){0, 0, 0.5}, q), ground = at(0, 0, 0);
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(can, &pose, plane, &ground, 0.01, &list), PC_OK);
    assert_int_equal(list.count, 2);
    for (int k = 0; k < 2; k++) {
      assert_near(list.at[k].gap, 0, 1e-15);
      assert_near(fabs(list.at[k].point[0]), 0.5, 1e-12);
      assert_near(list.at[k].point[1], 0, 1e-9);
    }
    free(list.at);
  }
  pc_shape_release(plane);
  pc_shape_release(can);
}

// Centres that coincide, faces in one plane, parallel edges: always numbers.
static void special_places_give_numbers(void **state)
{
  pc_random random = test_random("special_places_give_numbers");
  static const double steps[] = {0, 1e-13, 1e-7, 0.25, 0.5, 1, 1.0000001};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 7 * 7 * 4; k++) {
        double edge[3] = {1, 1, 1};
        body a = make_body(&random, spatial[i]), b = make_body(&random, spatial[j]);
        if (k % 2 == 0 && spatial[i] == PC_BOX) {
          pc_shape_release(a.shape);
          a.shape = pc_shape_box(edge, NULL);
        }
        if (k % 2 == 0 && spatial[j] == PC_BOX) {
          pc_shape_release(b.shape);
          b.shape = pc_shape_box(edge, NULL);
        }
        pc_pose at_a = at(0, steps[k % 7], steps[k / 7 % 7]), at_b = at(0, 0, 0);
        if (k / 49 % 2)
          memcpy(at_a.rotation, (double[9]){0, 0, 1, 0, 1, 0, -1, 0, 0}, sizeof at_a.rotation);
        pc_contact_list list = {0};
        assert_int_equal(pc_collide(a.shape, &at_a, b.shape, &at_b, 0.01, &list), PC_OK);
        check_list(&list, 0.01);
        // The origin is not inside of every polyhedron.
        if (k % 7 + k / 7 % 7 == 0 && surface(&a, &at_a, (vec){0, 0, 0}) <= 0 &&
            surface(&b, &at_b, (vec){0, 0, 0}) <= 0)
          assert_true(list.count > 0);
        free(list.at);
        pc_shape_release(a.shape);
        pc_shape_release(b.shape);
      }
}

static pc_shape *grid(int n, double spacing, double (*height_of)(double, double))
{
  double origin[2] = {-0.5 * spacing * (n - 1), -0.5 * spacing * (n - 1)};
  double *heights = malloc((size_t)(n * n) * sizeof *heights);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      heights[j * n + i] = height_of(origin[0] + i * spacing, origin[1] + j * spacing);
  pc_shape *shape = pc_shape_heights(n, n, spacing, origin, heights, NULL);
  free(heights);
  assert_non_null(shape);
  return shape;
}

static double level(double x, double y)
{
  (void)x, (void)y;
  return 0;
}

static double waves(double x, double y)
{
  return 0.2 * sin(1.7 * x + 0.3) * cos(1.3 * y);
}

// Over many triangles in one plane a body touches as on a plane: the same normal everywhere, the
// same least gap, and a box in the same points.
static void a_flat_mesh_is_a_plane(void **state)
{
  pc_random random = test_random("a_flat_mesh_is_a_plane");
  double up[3] = {0, 0, 1};
  pc_shape *mesh = grid(21, 0.37, level), *plane = pc_shape_plane(3, up, NULL);
  for (int i = 0; i < test_count(1500); i++) {
    body b = make_body(&random, spatial[i % 5]);
    pc_pose pose = random_pose(&random, 1), tilt = random_pose(&random, 3);
    if (i % 3 == 0)
      pose = at(pose.position[0], pose.position[1], 0);
    pose.position[2] = 0;
    double low = -height(&b, &pose, (vec){0, 0, -1});
    pose.position[2] = pc_random_uniform(&random, -0.1, 0.02) - low;
    pose = pc_pose_multiply(&tilt, &pose);
    pc_contact_list on_mesh = {0}, on_plane = {0};
    assert_int_equal(pc_collide(b.shape, &pose, mesh, &tilt, 0.01, &on_mesh), PC_OK);
    assert_int_equal(pc_collide(b.shape, &pose, plane, &tilt, 0.01, &on_plane), PC_OK);
    check_list(&on_mesh, 0.01);
    assert_int_equal(on_mesh.count > 0, on_plane.count > 0);
    for (int k = 0; k < on_mesh.count; k++)
      assert_near(norm(sub(of(on_mesh.at[k].normal), of(on_plane.at[0].normal))), 0, 1e-15);
    if (on_mesh.count > 0)
      assert_near(on_mesh.at[deepest(&on_mesh)].gap, on_plane.at[deepest(&on_plane)].gap,
                  b.type == PC_CYLINDER ? 1e-6 : 1e-12);
    if (b.type == PC_BOX || b.type == PC_SPHERE)
      for (int k = 0; k < on_plane.count; k++) {
        double nearest = INFINITY;
        for (int m = 0; m < on_mesh.count; m++)
          nearest = fmin(nearest, norm(sub(of(on_mesh.at[m].point), of(on_plane.at[k].point))));
        assert_near(nearest, 0, 1e-9);
      }
    free(on_mesh.at);
    free(on_plane.at);
    pc_shape_release(b.shape);
  }
  pc_shape_release(mesh);
  pc_shape_release(plane);
}

// The distance of a point from a triangle, by its plane and edges.
static double triangle_distance(vec p, const vec v[3])
{
  vec n = unit(cross(sub(v[1], v[0]), sub(v[2], v[0])));
  double least = INFINITY;
  bool over = true;
  for (int k = 0; k < 3; k++) {
    vec u = v[k], w = v[(k + 1) % 3];
    over = over && dot(cross(n, sub(w, u)), sub(p, u)) >= 0;
    least = fmin(least, segment_distance(p, u, w));
  }
  return over ? fabs(dot(n, sub(p, v[0]))) : least;
}

// A ball over waves: the deepest contact is with the nearest of all triangles, and its normal
// points from there.
static void a_ball_on_waves_finds_the_nearest_triangle(void **state)
{
  pc_random random = test_random("a_ball_on_waves_finds_the_nearest_triangle");
  pc_shape *mesh = grid(25, 0.25, waves);
  int touching = 0;
  for (int i = 0; i < test_count(1500); i++) {
    double r = pc_random_uniform(&random, 0.1, 0.8), margin = 0.05;
    pc_shape *ball = pc_shape_sphere(r, NULL);
    vec c = {pc_random_uniform(&random, -1.5, 1.5), pc_random_uniform(&random, -1.5, 1.5), 0};
    c.z = waves(c.x, c.y) + pc_random_uniform(&random, 0.5, 1.2) * r;
    double least = INFINITY;
    for (int t = 0; t < mesh->mesh->triangles; t++) {
      vec v[3];
      for (int k = 0; k < 3; k++)
        v[k] = of(mesh->mesh->vertex[mesh->mesh->triangle[t].vertex[k]]);
      least = fmin(least, triangle_distance(c, v));
    }
    pc_pose pose = at(c.x, c.y, c.z), ground = at(0, 0, 0);
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(ball, &pose, mesh, &ground, margin, &list), PC_OK);
    check_list(&list, margin);
    assert_true(list.count <= 16);
    if (fabs(least - r - margin) > 1e-9)
      assert_int_equal(list.count > 0, least - r <= margin);
    if (list.count > 0) {
      const pc_contact_point *p = &list.at[deepest(&list)];
      touching++;
      assert_near(p->gap, least - r, 1e-9);
      vec foot = axpy(c, -least, of(p->normal));
      assert_near(norm(sub(axpy(of(p->point), -0.5 * p->gap, of(p->normal)), foot)), 0, 1e-9);
    }
    free(list.at);
    pc_shape_release(ball);
  }
  assert_true(touching > test_count(1500) / 4);
  pc_shape_release(mesh);
}

// Boxes and the rest on waves: no point of contact is deeper than the deepest vertex lies below the
// surface, and a body that hangs into it is found.
static void bodies_on_waves_are_held(void **state)
{
  pc_random random = test_random("bodies_on_waves_are_held");
  pc_shape *mesh = grid(25, 0.25, waves);
  for (int i = 0; i < test_count(1000); i++) {
    body b = make_body(&random, spatial[1 + i % 4]);
    pc_pose pose = random_pose(&random, 1), ground = at(0, 0, 0);
    pose.position[2] = 0;
    double low = -height(&b, &pose, (vec){0, 0, -1});
    pose.position[2] = pc_random_uniform(&random, -0.25, 0.3) - low;
    // The least signed distance of mesh vertices from the body: negative means they overlap.
    double inside = INFINITY;
    for (int v = 0; v < mesh->mesh->vertices; v++)
      inside = fmin(inside, surface(&b, &pose, of(mesh->mesh->vertex[v])));
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(b.shape, &pose, mesh, &ground, 0.01, &list), PC_OK);
    check_list(&list, 0.01);
    assert_true(list.count <= 16);
    if (inside < -0.01)
      assert_true(list.count > 0);
    for (int k = 0; k < list.count; k++) {
      assert_true(list.at[k].gap > -2 * b.size);
      assert_true(list.at[k].normal[2] > 0);
    }
    free(list.at);
    pc_shape_release(b.shape);
  }
  pc_shape_release(mesh);
}

// Triangles of the test, and the mesh made of them.
typedef struct sheet {
  pc_shape *shape;
  int count;
  vec v[40][3];
} sheet;

static sheet make_sheet(int vertices, const double (*vertex)[3], int count, const int (*corner)[3])
{
  sheet s = {.count = count};
  s.shape = pc_shape_mesh(vertices, vertex, count, corner, NULL);
  assert_non_null(s.shape);
  for (int t = 0; t < count; t++)
    for (int k = 0; k < 3; k++)
      s.v[t][k] = of(vertex[corner[t][k]]);
  return s;
}

static vec normal_of(const vec v[3])
{
  return unit(cross(sub(v[1], v[0]), sub(v[2], v[0])));
}

static vec mix(vec a, vec b, double part)
{
  return axpy(a, part, sub(b, a));
}

static double on_line(const body *b, const pc_pose *at, vec u, vec w)
{
  const double golden = 0.6180339887498949;
  double low = 0, high = 1, x = 1 - golden, y = golden;
  double f = surface(b, at, mix(u, w, x)), g = surface(b, at, mix(u, w, y));
  double least = fmin(f, g);
  for (int turn = 0; turn < 26; turn++) {
    if (f < g) {
      high = y, y = x, g = f;
      x = high - golden * (high - low);
      f = surface(b, at, mix(u, w, x));
    } else {
      low = x, x = y, f = g;
      y = low + golden * (high - low);
      g = surface(b, at, mix(u, w, y));
    }
    least = fmin(least, fmin(f, g));
  }
  return fmin(least, fmin(surface(b, at, u), surface(b, at, w)));
}

// The least signed distance of a convex body from the points of a triangle, never less than it is.
// The signed distance is convex, so that a search along lines from a corner to the other side finds
// it. More than `enough` is not searched further.
static double triangle_gap(const body *b, const pc_pose *at, const vec v[3], double enough)
{
  const double golden = 0.6180339887498949;
  double around = fmax(norm(sub(v[1], v[0])), norm(sub(v[2], v[0])));
  double first = surface(b, at, v[0]);
  if (first - around > enough || triangle_distance(of(at->position), v) - b->size > enough)
    return first;
  // Lines parallel to the side from 1 to 2: what is least on them is convex too.
  double low = 0, high = 1, x = 1 - golden, y = golden;
  double f = on_line(b, at, mix(v[0], v[1], x), mix(v[0], v[2], x));
  double g = on_line(b, at, mix(v[0], v[1], y), mix(v[0], v[2], y));
  double least = fmin(first, fmin(f, g));
  for (int turn = 0; turn < 26; turn++) {
    if (f < g) {
      high = y, y = x, g = f;
      x = high - golden * (high - low);
      f = on_line(b, at, mix(v[0], v[1], x), mix(v[0], v[2], x));
    } else {
      low = x, x = y, f = g;
      y = low + golden * (high - low);
      g = on_line(b, at, mix(v[0], v[1], y), mix(v[0], v[2], y));
    }
    least = fmin(least, fmin(f, g));
  }
  return fmin(least, on_line(b, at, v[1], v[2]));
}

static vec middle_of(const body *b, const pc_pose *at)
{
  const pc_hull *hull = b->shape->hull;
  if (b->type != PC_BOX && b->type != PC_POLYHEDRON)
    return of(at->position);
  vec sum = {0, 0, 0};
  for (int v = 0; v < hull->vertices; v++)
    sum = axpy(sum, 1.0 / hull->vertices, of(hull->vertex[v]));
  return place(at, sum);
}

static bool same_place(vec a, vec b)
{
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool open_side(const sheet *s, int t, int k)
{
  vec u = s->v[t][k], w = s->v[t][(k + 1) % 3];
  int alike = 0, against = 0;
  for (int i = 0; i < s->count; i++)
    for (int j = 0; j < 3; j++) {
      vec p = s->v[i][j], q = s->v[i][(j + 1) % 3];
      alike += same_place(p, u) && same_place(q, w);
      against += same_place(p, w) && same_place(q, u);
    }
  return alike != 1 || against != 1;
}

// Whether the middle of the body is below the sheet: less deep than the body is large, and nearer
// to a triangle from behind than to where the sheet ends.
static bool is_sunk(const sheet *s, const body *b, const pc_pose *at)
{
  vec m = middle_of(b, at);
  double least = INFINITY, end = INFINITY;
  bool behind = false;
  for (int t = 0; t < s->count; t++) {
    double d = triangle_distance(m, s->v[t]);
    if (d < least)
      least = d, behind = dot(normal_of(s->v[t]), sub(m, s->v[t][0])) < 0;
    for (int k = 0; k < 3; k++)
      if (open_side(s, t, k))
        end = fmin(end, segment_distance(m, s->v[t][k], s->v[t][(k + 1) % 3]));
  }
  return behind && least < end && least <= b->size + norm(sub(m, of(at->position)));
}

typedef struct sheet_tally {
  int held, free, sunk;
} sheet_tally;

// No contact without a triangle near by; one where a body overlaps a triangle from its front.
static void check_sheet(const sheet *s, const body *b, const pc_pose *at, double margin,
                        sheet_tally *seen)
{
  pc_pose ground = pc_pose_of((double[3]){0, 0, 0}, (double[4]){1, 0, 0, 0});
  pc_contact_list list = {0};
  assert_int_equal(pc_collide(b->shape, at, s->shape, &ground, margin, &list), PC_OK);
  check_list(&list, margin);
  double least = INFINITY, front = INFINITY;
  vec m = middle_of(b, at);
  for (int t = 0; t < s->count; t++) {
    double gap = triangle_gap(b, at, s->v[t], margin);
    least = fmin(least, gap);
    if (dot(normal_of(s->v[t]), sub(m, s->v[t][0])) > 1e-9)
      front = fmin(front, gap);
  }
  bool below = is_sunk(s, b, at);
  if (list.count > 0 && least > margin + 1e-4 && !below)
    fail_msg("a %s touches at %g what is %g away", pc_shape_type_name(b->type),
             list.at[deepest(&list)].gap, least);
  if (list.count == 0 && front < -1e-6)
    fail_msg("a %s that overlaps by %g from the front is not held", pc_shape_type_name(b->type),
             -front);
  seen->held += front < -1e-6;
  seen->free += least > margin + 1e-4 && !below;
  seen->sunk += least > margin + 1e-4 && below && list.count > 0;
  free(list.at);
}

static void check_tally(const sheet_tally *seen, int count)
{
  assert_true(seen->held > count / 20);
  assert_true(seen->free > count / 20);
}

// A pose about a point of some triangle, near enough to touch.
static pc_pose pose_near(pc_random *random, const sheet *s, const body *b)
{
  pc_pose pose = random_pose(random, 1.3 * b->size);
  const vec *v = s->v[pc_random_below(random, s->count)];
  vec p = mix(mix(v[0], v[1], pc_random_uniform(random, -0.3, 1.3)), v[2],
              pc_random_uniform(random, -0.3, 1.3));
  pose.position[0] += p.x, pose.position[1] += p.y, pose.position[2] += p.z;
  return pose;
}

static void one_triangle_takes_only_what_is_near(void **state)
{
  pc_random random = test_random("one_triangle_takes_only_what_is_near");
  sheet_tally seen = {0};
  int count = test_count(2500);
  for (int i = 0; i < count; i++) {
    double vertex[3][3];
    do
      for (int k = 0; k < 9; k++)
        vertex[k / 3][k % 3] = pc_random_uniform(&random, -1.5, 1.5);
    while (norm(cross(sub(of(vertex[1]), of(vertex[0])), sub(of(vertex[2]), of(vertex[0])))) < 0.3);
    sheet s = make_sheet(3, (const double(*)[3])vertex, 1, (const int[][3]){{0, 1, 2}});
    body b = make_body(&random, spatial[i % 5]);
    pc_pose pose = pose_near(&random, &s, &b);
    check_sheet(&s, &b, &pose, 0.01, &seen);
    pc_shape_release(b.shape);
    pc_shape_release(s.shape);
  }
  check_tally(&seen, count);
}

// A crumpled square of triangles, a third of which are missing and a few turned over.
static sheet torn_sheet(pc_random *random)
{
  enum { N = 5 };
  double vertex[N * N][3];
  int corner[2 * N * N][3], count = 0;
  for (int i = 0; i < N * N; i++) {
    vertex[i][0] = 0.6 * (i % N) + pc_random_uniform(random, -0.15, 0.15);
    vertex[i][1] = 0.6 * (i / N) + pc_random_uniform(random, -0.15, 0.15);
    vertex[i][2] = pc_random_uniform(random, -0.3, 0.3);
  }
  for (int cell = 0; cell < 2 * (N - 1) * (N - 1); cell++) {
    int low = cell / 2 % (N - 1) + cell / 2 / (N - 1) * N, *c = corner[count];
    if (pc_random_below(random, 3) == 0)
      continue;
    c[0] = low, c[1] = cell % 2 ? low + N + 1 : low + 1, c[2] = cell % 2 ? low + N : low + N + 1;
    if (pc_random_below(random, 12) == 0) {
      int t = c[1];
      c[1] = c[2], c[2] = t;
    }
    count++;
  }
  return make_sheet(N * N, (const double(*)[3])vertex, count, (const int(*)[3])corner);
}

static void a_torn_sheet_takes_only_what_is_near(void **state)
{
  pc_random random = test_random("a_torn_sheet_takes_only_what_is_near");
  sheet_tally seen = {0};
  int count = test_count(1500);
  for (int i = 0; i < count; i++) {
    sheet s = torn_sheet(&random);
    // Half of them of a size to fit through the holes.
    body b = scaled_body(&random, spatial[i % 5], i / 5 % 2 ? 0.25 : 1);
    pc_pose pose = pose_near(&random, &s, &b);
    check_sheet(&s, &b, &pose, 0.01, &seen);
    pc_shape_release(b.shape);
    pc_shape_release(s.shape);
  }
  check_tally(&seen, count);
}

static int touches(const pc_shape *a, double x, double y, double z, const pc_shape *b)
{
  pc_pose pose = at(x, y, z), ground = at(0, 0, 0);
  pc_contact_list list = {0};
  assert_int_equal(pc_collide(a, &pose, b, &ground, 0.01, &list), PC_OK);
  check_list(&list, 0.01);
  free(list.at);
  return list.count;
}

// Small bodies of every kind, none larger than 0.1 about its centre.
static int small_bodies(pc_shape **shape)
{
  const double edge[3] = {0.1, 0.1, 0.1};
  const double point[4][3] = {
      {0.05, 0, -0.05}, {-0.05, 0.05, -0.05}, {-0.05, -0.05, -0.05}, {0, 0, 0.08}};
  shape[0] = pc_shape_sphere(0.1, NULL);
  shape[1] = pc_shape_capsule(0.05, 0.1, NULL);
  shape[2] = pc_shape_cylinder(0.05, 0.1, NULL);
  shape[3] = pc_shape_box(edge, NULL);
  shape[4] = pc_shape_polyhedron(4, point, true, NULL);
  pc_shape_piece piece[2] = {{shape[2], {0, 0, 0}, {1, 0, 0, 0}},
                             {shape[3], {0, 0, 0.01}, {1, 0, 0, 0}}};
  shape[5] = pc_shape_compound(2, piece, NULL);
  for (int i = 0; i < 6; i++)
    assert_non_null(shape[i]);
  return 6;
}

// Behind the plane of a triangle and inside its box, but not near it, there is nothing: beside a
// slanted edge, over a ramp, in a hole.
static void there_is_nothing_beside_a_triangle(void **state)
{
  const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double wedge[6][3] = {{0, 0, 0}, {2, 0, 0}, {2, 0, 1}, {0, 1, 0}, {2, 1, 0}, {2, 1, 1}};
  const int side[8][3] = {{0, 1, 2}, {3, 5, 4}, {0, 2, 5}, {0, 5, 3},
                          {1, 4, 5}, {1, 5, 2}, {0, 3, 4}, {0, 4, 1}};
  double heights[25] = {0};
  heights[12] = NAN;
  pc_shape *triangle = pc_shape_mesh(3, corner, 1, (const int[][3]){{0, 1, 2}}, NULL);
  pc_shape *ramp = pc_shape_mesh(6, wedge, 8, side, NULL);
  pc_shape *ground = pc_shape_heights(5, 5, 1, (const double[]){-2, -2}, heights, NULL);
  pc_shape *small[6];
  int bodies = small_bodies(small);
  for (int i = 0; i < bodies; i++) {
    for (double z = -0.3; z < 0.3; z += 0.01) {
      assert_int_equal(touches(small[i], 0.65, 0.65, z, triangle), 0);
      assert_int_equal(touches(small[i], 0, 0, z, ground), 0);
      assert_int_equal(touches(small[i], 0.3, -0.3, z, ground), 0);
      // The cells on the diagonal keep the half that the hole is no corner of.
      assert_int_equal(touches(small[i], 0.4, -0.1, z, ground), 0);
    }
    for (double y = -0.5; y < 1.5; y += 0.01)
      assert_int_equal(touches(small[i], 0.5, y, 0.6, ramp), 0);
    assert_true(touches(small[i], 0.3, 0.3, 0.04, triangle) > 0);
    assert_true(touches(small[i], 1.5, 0.5, 0.02, ground) > 0);
    assert_true(touches(small[i], 0.5, 0.5, 0.27, ramp) > 0);
  }
  while (bodies > 0)
    pc_shape_release(small[--bodies]);
  pc_shape_release(triangle);
  pc_shape_release(ramp);
  pc_shape_release(ground);
}

// A long body on a thin closed plate is behind the plate's other face, less deep than it is long.
// That face has no say.
static void a_thin_plate_pushes_to_the_near_side(void **state)
{
  double vertex[8][3];
  for (int v = 0; v < 8; v++) {
    vertex[v][0] = v & 1 ? 2 : -2;
    vertex[v][1] = v & 2 ? 2 : -2;
    vertex[v][2] = v & 4 ? 0 : -0.05;
  }
  const int face[12][3] = {{4, 5, 7}, {4, 7, 6}, {0, 3, 1}, {0, 2, 3}, {0, 1, 5}, {0, 5, 4},
                           {2, 7, 3}, {2, 6, 7}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  pc_shape *plate = pc_shape_mesh(8, (const double(*)[3])vertex, 12, face, NULL);
  pc_shape *rod = pc_shape_capsule(0.1, 1, NULL);
  assert_non_null(plate);
  for (double gap = -0.08; gap < 0.5; gap += 0.0013) {
    double turn[3] = {0, acos(-1) / 2, 0}, q[4];
    pc_quaternion_exp(turn, q);
    pc_pose pose = pc_pose_of((double[3]){0.1, 0.2, 0.1 + gap}, q), ground = at(0, 0, 0);
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(rod, &pose, plate, &ground, 0.01, &list), PC_OK);
    assert_int_equal(list.count > 0, gap <= 0.01);
    for (int k = 0; k < list.count; k++) {
      assert_near(list.at[k].normal[2], 1, 1e-12);
      assert_near(list.at[k].gap, gap, 1e-12);
    }
    free(list.at);
  }
  pc_shape_release(plate);
  pc_shape_release(rod);
}

// Segments in one line are a line: a disc or polygon that slides over them feels their common
// normal and nothing of their ends; from below the other side.
static void a_straight_chain_is_a_line(void **state)
{
  pc_random random = test_random("a_straight_chain_is_a_line");
  double vertex[41][2];
  for (int i = 0; i < 41; i++)
    vertex[i][0] = 0.25 * (i - 20), vertex[i][1] = 0;
  pc_shape *chain = pc_shape_chain(41, (const double(*)[2])vertex, false, NULL);
  for (int i = 0; i < test_count(3000); i++) {
    body b = make_body(&random, planar[i % 2]);
    double side = i / 2 % 2 ? 1 : -1;
    pc_pose pose = random_flat_pose(&random, 1), turn = random_flat_pose(&random, 2);
    pose.position[1] = 0;
    pose.position[1] = side * height(&b, &pose, (vec){0, -side, 0});
    // A segment pushes to the side of the centroid, which thin polygons have near their edges.
    double middle =
        b.type == PC_DISC ? b.radius : side * place(&pose, of(pc_shape_mass(b.shape).centroid)).y;
    double want = pc_random_uniform(&random, fmax(-0.05, -0.9 * middle), 0.02);
    pose.position[1] += side * want;
    pose = pc_pose_multiply(&turn, &pose);
    vec n = sub(place(&turn, (vec){0, side, 0}), of(turn.position));
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(b.shape, &pose, chain, &turn, 0.01, &list), PC_OK);
    check_list(&list, 0.01);
    assert_int_equal(list.count > 0, want <= 0.01);
    for (int k = 0; k < list.count; k++)
      assert_near(dot(n, of(list.at[k].normal)), 1, 1e-12);
    if (list.count > 0)
      assert_near(list.at[deepest(&list)].gap, want, 1e-12);
    if (b.type == PC_DISC)
      assert_true(list.count <= 1);
    free(list.at);
    pc_shape_release(b.shape);
  }
  pc_shape_release(chain);
}

// A disc over a crooked chain touches where it is nearest.
static void a_disc_finds_the_nearest_segment(void **state)
{
  pc_random random = test_random("a_disc_finds_the_nearest_segment");
  double vertex[13][2];
  for (int i = 0; i < 13; i++)
    vertex[i][0] = 0.4 * (i - 6), vertex[i][1] = 0.3 * sin(2.0 * i);
  pc_shape *chain = pc_shape_chain(13, (const double(*)[2])vertex, false, NULL);
  for (int i = 0; i < test_count(3000); i++) {
    body b = make_body(&random, PC_DISC);
    pc_pose pose = random_flat_pose(&random, 2), ground = at(0, 0, 0);
    pose.position[1] *= 0.7;
    double least = INFINITY;
    for (int k = 0; k < 12; k++)
      least = fmin(least, segment_distance(of(pose.position), (vec){vertex[k][0], vertex[k][1], 0},
                                           (vec){vertex[k + 1][0], vertex[k + 1][1], 0}));
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(b.shape, &pose, chain, &ground, 0.01, &list), PC_OK);
    check_list(&list, 0.01);
    assert_int_equal(list.count > 0, least - b.radius <= 0.01);
    if (list.count > 0)
      assert_near(list.at[deepest(&list)].gap, least - b.radius, 1e-12);
    free(list.at);
    pc_shape_release(b.shape);
  }
  pc_shape_release(chain);
}

// A polygon that a vertex of the chain is inside of touches it; one that is far from it does not.
static void polygons_on_a_crooked_chain_are_held(void **state)
{
  pc_random random = test_random("polygons_on_a_crooked_chain_are_held");
  double vertex[13][2];
  for (int i = 0; i < 13; i++)
    vertex[i][0] = 0.4 * (i - 6), vertex[i][1] = 0.3 * sin(2.0 * i);
  pc_shape *chain = pc_shape_chain(13, (const double(*)[2])vertex, false, NULL);
  for (int i = 0; i < test_count(3000); i++) {
    body b = make_body(&random, PC_POLYGON);
    pc_pose pose = random_flat_pose(&random, 2), ground = at(0, 0, 0);
    // Along every segment, finely: the least signed distance from the polygon.
    double least = INFINITY, inside = INFINITY;
    for (int k = 0; k < 12 * 50; k++) {
      double f = k % 50 / 50.0, *u = vertex[k / 50], *v = vertex[k / 50 + 1];
      vec p = {u[0] + f * (v[0] - u[0]), u[1] + f * (v[1] - u[1]), 0};
      double d = surface(&b, &pose, p);
      least = fmin(least, d);
      if (k % 50 == 0)
        inside = fmin(inside, d);
    }
    pc_contact_list list = {0};
    assert_int_equal(pc_collide(b.shape, &pose, chain, &ground, 0.01, &list), PC_OK);
    check_list(&list, 0.01);
    if (inside < -0.01)
      assert_true(list.count > 0);
    if (least > 0.03)
      assert_int_equal(list.count, 0);
    free(list.at);
    pc_shape_release(b.shape);
  }
  pc_shape_release(chain);
}

// A compound touches where its pieces do.
static void compounds_touch_with_their_pieces(void **state)
{
  pc_random random = test_random("compounds_touch_with_their_pieces");
  for (int i = 0; i < test_count(300); i++) {
    body part[2], other = make_body(&random, spatial[i % 5]);
    pc_pose place_of[2], at_other = random_pose(&random, 1);
    pc_shape_piece piece[2];
    for (int k = 0; k < 2; k++) {
      part[k] = make_body(&random, spatial[pc_random_below(&random, 5)]);
      place_of[k] = random_pose(&random, 1);
      piece[k].shape = part[k].shape;
      memcpy(piece[k].position, place_of[k].position, sizeof piece[k].position);
      pc_matrix_quaternion(place_of[k].rotation, piece[k].orientation);
    }
    pc_shape *compound = pc_shape_compound(2, piece, NULL);
    assert_non_null(compound);
    pc_pose pose = random_pose(&random, 1);
    pc_contact_list whole = {0}, parts = {0}, twice = {0};
    for (int swap = 0; swap < 2; swap++) {
      whole.count = parts.count = 0;
      assert_int_equal(swap ? pc_collide(other.shape, &at_other, compound, &pose, 0.1, &whole)
                            : pc_collide(compound, &pose, other.shape, &at_other, 0.1, &whole),
                       PC_OK);
      check_list(&whole, 0.1);
      for (int k = 0; k < 2; k++) {
        const pc_child *child = &compound->compound.child[k];
        pc_pose there = pc_pose_multiply(&pose, &child->pose);
        assert_int_equal(
            swap ? pc_collide(other.shape, &at_other, child->shape, &there, 0.1, &parts)
                 : pc_collide(child->shape, &there, other.shape, &at_other, 0.1, &parts),
            PC_OK);
      }
      assert_int_equal(whole.count, parts.count);
      for (int k = 0; k < whole.count; k++) {
        assert_near(whole.at[k].gap, parts.at[k].gap, 1e-12);
        assert_near(norm(sub(of(whole.at[k].normal), of(parts.at[k].normal))), 0, 1e-12);
      }
    }
    assert_int_equal(pc_collide(compound, &pose, compound, &at_other, 0.1, &twice), PC_OK);
    check_list(&twice, 0.1);
    free(whole.at);
    free(parts.at);
    free(twice.at);
    pc_shape_release(compound);
    for (int k = 0; k < 2; k++)
      pc_shape_release(part[k].shape);
    pc_shape_release(other.shape);
  }
}

static void obstacles_ignore_each_other(void **state)
{
  double up[3] = {0, 0, 1};
  pc_shape *mesh = grid(3, 1, level), *plane = pc_shape_plane(3, up, NULL);
  pc_pose pose = at(0, 0, 0);
  pc_contact_list list = {0};
  assert_int_equal(pc_collide(mesh, &pose, plane, &pose, 1, &list), PC_OK);
  assert_int_equal(pc_collide(plane, &pose, mesh, &pose, 1, &list), PC_OK);
  assert_int_equal(list.count, 0);
  pc_shape_release(mesh);
  pc_shape_release(plane);
}

// A box, or a slightly or very skew polygon of four sides.
static pc_shape *random_quad(pc_random *random)
{
  double x = pc_random_uniform(random, 0.2, 1), y = pc_random_uniform(random, 0.2, 1);
  double corner[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  double skew = pc_random_below(random, 3) * 0.09;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++)
      corner[i][k] += pc_random_uniform(random, -skew, skew);
  return pc_shape_polygon(4, (const double(*)[2])corner, true, NULL);
}

// Many pairs at once have the contacts that each has alone, to the last bit. Boxes also lie on each
// other nearly flat, with gaps and turns that are noise.
static void quads_are_polygons(void **state)
{
  pc_random random = test_random("quads");
  pc_contact_list list = {0};
  int rare = 0, touching = 0;
  for (int round = 0; round < 400; round++) {
    pc_quad_pairs pairs;
    pc_shape *shape[2][PC_QUADS];
    pc_pose pose[2][PC_QUADS];
    pairs.count = 1 + pc_random_below(&random, PC_QUADS);
    for (int i = 0; i < pairs.count; i++) {
      bool flat = pc_random_below(&random, 2) == 0;
      for (int s = 0; s < 2; s++) {
        shape[s][i] = random_quad(&random);
        assert_non_null(shape[s][i]);
        pose[s][i] = random_flat_pose(&random, 0.9);
        pairs.shape[s][i] = shape[s][i];
        pairs.pose[s][i] = &pose[s][i];
      }
      if (flat) {
        double turn = 1e-9 * pc_random_normal(&random), *m = pose[1][i].rotation;
        pose[1][i] = pose[0][i];
        m[0] = m[4] = cos(turn), m[1] = -sin(turn), m[3] = sin(turn);
        memcpy(pose[0][i].rotation, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof(double[9]));
        pose[1][i].position[0] += pc_random_uniform(&random, -1, 1);
        pose[1][i].position[1] += shape[0][i]->measures->high[1] - shape[1][i]->measures->low[1];
        pose[1][i].position[1] += 1e-9 * pc_random_normal(&random);
      }
      pairs.margin[i] = pc_random_below(&random, 2) * pc_random_uniform(&random, 0, 0.2);
    }
    pc_collide_quads(&pairs);
    for (int i = 0; i < pairs.count; i++) {
      list.count = 0;
      assert_int_equal(
          pc_collide(shape[0][i], &pose[0][i], shape[1][i], &pose[1][i], pairs.margin[i], &list),
          PC_OK);
      rare += pairs.made[i] < 0;
      touching += list.count > 0;
      if (pairs.made[i] >= 0) {
        assert_int_equal(pairs.made[i], list.count);
        for (int k = 0; k < list.count; k++) {
          const pc_contact_point *one = &list.at[k], *two = &pairs.touch[i][k];
          assert_true(one->gap == two->gap && one->feature == two->feature);
          for (int j = 0; j < 3; j++)
            assert_true(one->point[j] == two->point[j] && one->normal[j] == two->normal[j]);
        }
      }
      pc_shape_release(shape[0][i]);
      pc_shape_release(shape[1][i]);
    }
  }
  assert_true(touching > 1000 && rare > 0 && rare < touching / 4);
  pc_array_free(&list);
}

// Spheres at hand are found as spheres given as shapes are, bit for bit.
static void balls_are_spheres(void **state)
{
  pc_random random = test_random("balls");
  pc_contact_list list = {0};
  int found = 0, count = test_count(2000);
  for (int n = 0; n < count; n++) {
    double r[2], margin = pc_random_uniform(&random, 0, 0.3);
    pc_shape *ball[2];
    pc_pose pose[2];
    for (int i = 0; i < 2; i++) {
      r[i] = pc_random_uniform(&random, 0.1, 1);
      ball[i] = pc_shape_sphere(r[i], NULL);
      pose[i] = random_pose(&random, 1);
    }
    if (n % 50 == 0)
      memcpy(pose[1].position, pose[0].position, sizeof pose[0].position);
    pc_contact_point at;
    memset(&at, 0, sizeof at);
    list.count = 0;
    assert_int_equal(pc_collide(ball[0], &pose[0], ball[1], &pose[1], margin, &list), PC_OK);
    bool touch = pc_balls_touch(pose[0].position, r[0], pose[1].position, r[1], margin, 2, &at);
    assert_int_equal(touch, list.count);
    for (int k = 0; k < 3 && touch; k++)
      assert_true(at.point[k] == list.at[0].point[k] && at.normal[k] == list.at[0].normal[k]);
    assert_true(!touch || (at.gap == list.at[0].gap && at.feature == list.at[0].feature));
    found += touch;
    pc_shape_release(ball[0]);
    pc_shape_release(ball[1]);
  }
  assert_true(found > count / 20 && found < count);
  free(list.at);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_agree_with_the_best_direction),
      cmocka_unit_test(order_and_place_do_not_matter),
      cmocka_unit_test(a_plane_between_is_never_missed),
      cmocka_unit_test(the_margin_decides),
      cmocka_unit_test(bounds_hold_on_arcs),
      cmocka_unit_test(balls_are_spheres),
      cmocka_unit_test(quads_are_polygons),
      cmocka_unit_test(planes_are_exact),
      cmocka_unit_test(bodies_rest_on_their_corners),
      cmocka_unit_test(a_cylinder_rolls_smoothly),
      cmocka_unit_test(special_places_give_numbers),
      cmocka_unit_test(a_flat_mesh_is_a_plane),
      cmocka_unit_test(a_ball_on_waves_finds_the_nearest_triangle),
      cmocka_unit_test(bodies_on_waves_are_held),
      cmocka_unit_test(there_is_nothing_beside_a_triangle),
      cmocka_unit_test(a_thin_plate_pushes_to_the_near_side),
      cmocka_unit_test(one_triangle_takes_only_what_is_near),
      cmocka_unit_test(a_torn_sheet_takes_only_what_is_near),
      cmocka_unit_test(a_straight_chain_is_a_line),
      cmocka_unit_test(a_disc_finds_the_nearest_segment),
      cmocka_unit_test(polygons_on_a_crooked_chain_are_held),
      cmocka_unit_test(compounds_touch_with_their_pieces),
      cmocka_unit_test(obstacles_ignore_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
