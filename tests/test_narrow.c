// Contacts of shapes against oracles of their own: supports and signed distances written here, and
// the best of many directions, refined.
//
// Where two convex bodies are apart a contact proves itself: its normal separates them by the gap
// (no distance is less), and its two points lie on them (no distance is more).
#include <string.h>

#include "geometry/narrow.h"
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

static body make_body(pc_random *random, pc_shape_type type)
{
  body b = {.type = type};
  b.radius = pc_random_uniform(random, 0.3, 1);
  b.half = pc_random_uniform(random, 0.1, 1);
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
      edge[i] = pc_random_uniform(random, 0.3, 2);
    b.shape = pc_shape_box(edge, NULL);
    b.count = 8;
    for (int v = 0; v < 8; v++)
      for (int i = 0; i < 3; i++)
        b.point[v][i] = (v >> i & 1 ? 0.5 : -0.5) * edge[i];
  } else if (type == PC_POLYHEDRON) {
    b.count = 4 + pc_random_below(random, 21);
    for (int v = 0; v < b.count; v++) {
      vec d = random_direction(random);
      double r = pc_random_uniform(random, 0.5, 1);
      b.point[v][0] = r * d.x, b.point[v][1] = r * d.y, b.point[v][2] = r * d.z;
    }
    b.shape = pc_shape_polyhedron(b.count, (const double(*)[3])b.point, false, NULL);
  } else {
    double flat[24][2];
    b.count = 3 + pc_random_below(random, 10);
    for (int v = 0; v < b.count; v++) {
      double angle = pc_random_uniform(random, -3.2, 3.2), r = pc_random_uniform(random, 0.5, 1);
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
  return hull_distance(&b->shape->hull, p);
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
  for (int e = 0; e < b->shape->hull.edges; e++) {
    const pc_hull *hull = &b->shape->hull;
    vec u = of(hull->vertex[hull->edge[e][0]]), v = of(hull->vertex[hull->edge[e][1]]);
    out[count++] = unit(sub(place(at, v), place(at, u)));
  }
  return count;
}

static void offer_normals(peaks *p, const scene *s, const body *b, const pc_pose *at, double sign)
{
  for (int f = 0; f < b->shape->hull.faces; f++) {
    vec n = sub(place(at, of(b->shape->hull.plane[f])), of(at->position));
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
  enum { SAMPLES = 3000, MOST = 128 };
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
    if (list->point[i].gap < list->point[best].gap)
      best = i;
  return best;
}

// What holds for every list of contacts.
static void check_list(const pc_contact_list *list, double margin)
{
  for (int i = 0; i < list->count; i++) {
    const pc_contact_point *c = &list->point[i];
    assert_near(norm(of(c->normal)), 1, 1e-12);
    assert_true(c->gap <= margin);
    for (int k = 0; k < 3; k++)
      assert_true(isfinite(c->point[k]));
    for (int j = 0; j < i; j++)
      assert_true(c->feature != list->point[j].feature);
  }
}

typedef struct tolerance {
  double surface; // points on both surfaces
  double apart;   // gap against the distance
  double depth;   // gap against the depth
} tolerance;

typedef struct tally {
  int cases, touching, apart, points, asymmetric;
  double worst_surface, worst_over, worst_under, worst_depth, worst_move;
} tally;

static void check_scene(const scene *s, pc_random *random, double margin, tally *t)
{
  pc_contact_list list = collide(s, margin);
  check_list(&list, margin);
  double want = oracle(s, random);
  if (list.count > 0)
    want = fmax(want, climb(s, random, of(list.point[deepest(&list)].normal)));
  t->cases++;
  if (list.count == 0) {
    if (!(want > margin - 1e-6))
      fail_msg("no contact, but the separation is %g (case %d)", want, t->cases);
    free(list.point);
    return;
  }
  t->touching++;
  t->points += list.count;
  assert_true(list.count <= 4);
  const pc_contact_point *c = &list.point[deepest(&list)];
  double over = c->gap - want;
  if (want > 0) {
    t->apart++;
    if (over > t->worst_over)
      t->worst_over = over;
    if (-over > t->worst_under)
      t->worst_under = -over;
  } else {
    t->worst_depth = fmax(t->worst_depth, -over);
  }
  if (getenv("DEBUG") && over < -1e-6)
    printf("  case %d: %d-%d want %g: gap %g kind %llx\n", t->cases, s->a.type, s->b.type, want, c->gap, (unsigned long long)c->feature);
  // Moving a by the depth along the normal takes it off b.
  t->worst_move = fmax(t->worst_move, c->gap - scene_separation(s, of(c->normal)));
  for (int i = 0; i < list.count; i++) {
    const pc_contact_point *k = &list.point[i];
    vec p = of(k->point), n = of(k->normal);
    double on_a = fabs(surface(&s->a, &s->at_a, axpy(p, 0.5 * k->gap, n)));
    double on_b = fabs(surface(&s->b, &s->at_b, axpy(p, -0.5 * k->gap, n)));
    t->worst_surface = fmax(t->worst_surface, fmax(on_a, on_b));
    if (getenv("DEBUG") && fmax(on_a, on_b) > 1e-4)
      printf("  case %d: %d-%d want %g: point %d/%d gap %g kind %llx on %g %g tilt %g %g\n", t->cases, s->a.type, s->b.type, want, i, list.count, k->gap, (unsigned long long)k->feature, on_a, on_b, local(&s->at_a, axpy(of(s->at_a.position),1,n)).z, local(&s->at_b, axpy(of(s->at_b.position),1,n)).z);
  }
  free(list.point);
}

static void pairs_agree_with_the_oracle(void **state)
{
  (void)state;
  pc_random random = test_random("pairs_agree_with_the_oracle");
  static const pc_shape_type types[] = {PC_SPHERE, PC_BOX, PC_POLYHEDRON, PC_CAPSULE, PC_CYLINDER};
  for (int i = 0; i < 5; i++)
    for (int j = i; j < 5; j++) {
      tally t = {0};
      for (int k = 0; k < test_count(300); k++) {
        scene s = make_scene(&random, types[i], types[j]);
        check_scene(&s, &random, 0.1, &t);
        scene_free(&s);
      }
      printf("%d-%d: %d cases, %d touch, %d apart, %d points, surface %.1e over %.1e under %.1e "
             "depth %.1e "
             "move %.1e\n",
             types[i], types[j], t.cases, t.touching, t.apart, t.points, t.worst_surface,
             t.worst_over, t.worst_under, t.worst_depth, t.worst_move);
    }
  for (int i = 0; i < 3; i++) {
    tally t = {0};
    for (int k = 0; k < test_count(300); k++) {
      scene s = make_scene(&random, i == 2 ? PC_POLYGON : PC_DISC, i >= 1 ? PC_POLYGON : PC_DISC);
      check_scene(&s, &random, 0.1, &t);
      scene_free(&s);
    }
    printf("flat %d: %d cases, %d touch, %d apart, %d points, surface %.1e over %.1e under %.1e "
           "depth %.1e "
           "move %.1e\n",
           i, t.cases, t.touching, t.apart, t.points, t.worst_surface, t.worst_over, t.worst_under,
           t.worst_depth, t.worst_move);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_agree_with_the_oracle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
