// Rigid bodies that are small beside the sides of a solid: balls, and corners of boxes, that come
// down between its nodes.
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/motion.h"

enum { CELLS = 6, DEEP = 2 };
static const double SIDE = 0.1, HALF = 0.3; // of an element; of the plate

// A free plate whose upper side is at 0, and a body above it.
typedef struct drop {
  int dimension;
  bool triangles, quadratic, large, box;
  double size; // radius, or edge of the box
  double mass, place[3], attitude[4], velocity[3], spin[3], step;
  unsigned seed; // of the inner nodes' places
} drop;

static pc_fe_mesh make_plate(const drop *d)
{
  pc_error error = {0};
  double along[CELLS + 1], deep[DEEP + 1];
  pc_fe_mesh mesh = pc_fe_mesh_empty(d->dimension);
  pc_fe_grade(-HALF, HALF, CELLS, 1, along);
  pc_fe_grade(-DEEP * SIDE, 0, DEEP, 1, deep);
  if (d->dimension == 2)
    pc_fe_mesh_add_rectangle(&mesh,
                             &(pc_fe_rectangle){.columns = CELLS,
                                                .rows = DEEP,
                                                .x = along,
                                                .y = deep,
                                                .type = d->triangles ? PC_TRIANGLE3 : PC_QUAD4,
                                                .name = "plate",
                                                .top = "top",
                                                .left = "top",
                                                .right = "top"});
  else
    pc_fe_mesh_add_box(&mesh, &(pc_fe_box){.cells = {CELLS, CELLS, DEEP},
                                           .place = {along, along, deep},
                                           .type = d->triangles ? PC_TETRAHEDRON4 : PC_HEXAHEDRON8,
                                           .name = "plate",
                                           .high = {NULL, NULL, "top"}});
  pc_random random;
  pc_random_seed(&random, d->seed);
  for (int i = 0; i < mesh.nodes; i++) {
    double *x = mesh.node[i];
    for (int k = 0; k < d->dimension - 1; k++) // those of the upper side too
      if (fabs(x[k]) < HALF - SIDE / 2)
        x[k] += SIDE * pc_random_uniform(&random, -0.2, 0.2);
  }
  if (d->quadratic)
    assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
  assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
  return mesh;
}

static pc_shape *make_shape(const drop *d, pc_error *error)
{
  double a = d->size / 2, flat[4][2] = {{-a, -a}, {a, -a}, {a, a}, {-a, a}};
  if (d->dimension == 2)
    return d->box ? pc_shape_polygon(4, (const double(*)[2])flat, true, error)
                  : pc_shape_disc(d->size, error);
  return d->box ? pc_shape_box((double[]){d->size, d->size, d->size}, error)
                : pc_shape_sphere(d->size, error);
}

static pc_fe_motion *make_drop(const drop *d, const pc_fe_mesh *mesh, pc_error *error)
{
  double inertia = d->mass * d->size * d->size * (d->box ? 1 / 6. : d->dimension == 2 ? 0.5 : 0.4);
  pc_fe_mover mover = {.body = {.mass = d->mass, .inertia = inertia},
                       .shape = make_shape(d, error)};
  for (int k = 0; k < 3; k++) {
    mover.body.moments[k] = inertia;
    mover.body.centre[k] = d->place[k];
    mover.velocity[k] = d->velocity[k];
    mover.spin[k] = d->spin[k];
  }
  memcpy(mover.attitude, d->attitude, sizeof mover.attitude);
  pc_fe_solid solid = {.group = pc_fe_mesh_find_group(mesh, "plate", d->dimension),
                       .density = 1000,
                       .young = 1e7,
                       .poisson = 0.3};
  pc_fe_meet meet = {.sides = pc_fe_mesh_find_group(mesh, "top", d->dimension - 1)};
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = mesh;
  def.solids = def.bodies = def.meets = 1;
  def.solid = &solid;
  def.body = &mover;
  def.meet = &meet;
  def.large = d->large;
  def.step = d->step;
  pc_fe_motion *motion = pc_fe_motion_create(&def, error);
  pc_shape_release(mover.shape);
  return motion;
}

// Momentum of plate and body.
static void find_momentum(const drop *d, const pc_fe_motion *motion, double p[3])
{
  const pc_fe_elastic *elastic = pc_fe_motion_elastic(motion);
  pc_fe_motion_state s = pc_fe_motion_look(motion);
  int n = d->dimension, nodes = elastic->space.mesh->nodes;
  double *mv = calloc((size_t)(nodes * n), sizeof *mv);
  pc_block_matrix_multiply(&elastic->mass, s.velocity, mv);
  for (int k = 0; k < 3; k++)
    p[k] = d->mass * s.body[0].velocity[k];
  for (int i = 0; i < nodes * n; i++)
    p[i % n] += mv[i];
  free(mv);
}

// The vector v turned by a quaternion.
static void turn(const double q[4], const double v[3], double to[3])
{
  double t[3];
  for (int k = 0; k < 3; k++)
    t[k] = 2 * (q[1 + (k + 1) % 3] * v[(k + 2) % 3] - q[1 + (k + 2) % 3] * v[(k + 1) % 3]);
  for (int k = 0; k < 3; k++)
    to[k] = v[k] + q[0] * t[k] + q[1 + (k + 1) % 3] * t[(k + 2) % 3] -
            q[1 + (k + 2) % 3] * t[(k + 1) % 3];
}

// Corner c of the body, or the lowest point of the ball, from its centre.
static void find_corner(const drop *d, int c, const double attitude[4], double to[3])
{
  double own[3] = {0};
  for (int k = 0; k < d->dimension; k++)
    own[k] = d->size / 2 * (c >> k & 1 ? 1 : -1);
  turn(attitude, own, to);
  for (int k = 0; k < 3 && !d->box; k++)
    to[k] = k == d->dimension - 1 ? -d->size : 0;
}

static int corners_of(const drop *d)
{
  return !d->box ? 1 : 1 << d->dimension;
}

static double find_lowest(const drop *d, const double attitude[4])
{
  double low = 0, corner[3];
  for (int c = 0; c < corners_of(d); c++) {
    find_corner(d, c, attitude, corner);
    low = fmin(low, corner[d->dimension - 1]);
  }
  return low;
}

// How deep the body is below what is lowest of the upper side near it.
static double find_depth(const drop *d, const pc_fe_mesh *mesh, const pc_fe_motion *motion)
{
  pc_fe_motion_state s = pc_fe_motion_look(motion);
  int up = d->dimension - 1;
  double depth = -INFINITY;
  for (int c = 0; c < corners_of(d); c++) {
    double x[3], low = 0;
    find_corner(d, c, s.body[0].attitude, x);
    for (int k = 0; k < 3; k++)
      x[k] += s.body[0].place[k];
    if (fabs(x[0]) > HALF || (d->dimension == 3 && fabs(x[1]) > HALF))
      continue;
    for (int i = 0; i < mesh->nodes; i++)
      if (mesh->node[i][up] == 0 && fabs(mesh->node[i][0] - x[0]) < 1.5 * SIDE &&
          (d->dimension == 2 || fabs(mesh->node[i][1] - x[1]) < 1.5 * SIDE))
        low = fmin(low, s.displacement[i * d->dimension + up]);
    depth = fmax(depth, low - x[up]);
  }
  return depth;
}

static drop draw(pc_random *random, int dimension)
{
  drop d = {.dimension = dimension,
            .triangles = pc_random_uniform(random, 0, 1) < 0.5,
            .quadratic = dimension == 2 && pc_random_uniform(random, 0, 1) < 0.3,
            .large = pc_random_uniform(random, 0, 1) < 0.2,
            .box = pc_random_uniform(random, 0, 1) < 0.5,
            .size = random_decades(random, 0.004, 0.08),
            .mass = random_decades(random, 0.02, 5),
            .step = random_decades(random, 5e-5, 4e-4),
            .seed = (unsigned)pc_random_uniform(random, 0, 1e9)};
  int up = dimension - 1;
  double q[4] = {1}, length = 0;
  for (int k = 0; k < up; k++) {
    d.place[k] = pc_random_uniform(random, -0.2, 0.2);
    d.velocity[k] = pc_random_uniform(random, -1, 1);
  }
  d.velocity[up] = -random_decades(random, 0.3, 6);
  for (int k = dimension == 2 ? 3 : 0; k < 4; k++)
    q[k] = pc_random_normal(random);
  for (int k = 0; k < 4; k++)
    length += q[k] * q[k];
  for (int k = 0; k < 4; k++)
    d.attitude[k] = q[k] / sqrt(length);
  for (int k = dimension == 2 ? 2 : 0; k < 3; k++)
    d.spin[k] = 10 * pc_random_normal(random);
  d.place[up] = random_decades(random, 1e-5, 1e-3) - find_lowest(&d, d.attitude);
  return d;
}

// Nothing falls through, whatever is below it; momentum is kept, no step gives energy.
// False if it turns so fast that it has not come down.
static bool let_fall(const drop *d, int number, double *deepest)
{
  pc_error error = {0};
  pc_fe_mesh mesh = make_plate(d);
  pc_fe_motion *motion = make_drop(d, &mesh, &error);
  if (motion == NULL)
    fail_msg("drop %d: %s", number, error.text);
  double before[3], p[3], rest = 0, end = 0.01;
  int up = d->dimension - 1;
  end += (d->place[up] + find_lowest(d, d->attitude)) / -d->velocity[up];
  find_momentum(d, motion, before);
  while (pc_fe_motion_look(motion).time < end) {
    pc_status status = pc_fe_motion_advance(motion, &error);
    if (status != PC_OK)
      fail_msg("drop %d: %s", number, error.text);
    pc_fe_motion_account a = pc_fe_motion_balance(motion);
    find_momentum(d, motion, p);
    double off = 0, whole = d->mass * pc_fe_length(d->velocity);
    for (int k = 0; k < 3; k++)
      off = fmax(off, fabs(p[k] - before[k]));
    if (a.identity > 1e-12 || a.unsolved > 0 || rest - a.rest > 1e-12 * a.start.kinetic ||
        off > 1e-10 * whole)
      fail_msg("drop %d at %g s: identity %.1e, %d unsolved, took %.2e of %.2e J, momentum off by "
               "%.1e",
               number, pc_fe_motion_look(motion).time, a.identity, a.unsolved, a.rest - rest,
               a.start.kinetic, off / whole);
    rest = a.rest;
    double depth = find_depth(d, &mesh, motion) / d->size;
    *deepest = fmax(*deepest, depth);
    if (depth > 0.5)
      fail_msg("drop %d, %s of %g m in %dD: %.3g of its size below the side at %g s", number,
               d->box ? "box" : "ball", d->size, d->dimension, depth,
               pc_fe_motion_look(motion).time);
  }
  bool met = pc_fe_motion_look(motion).wall[0].collisions > 0;
  if (!met && find_depth(d, &mesh, motion) > 0)
    fail_msg(
        "drop %d, %s of %g m in %dD, triangles %d, quadratic %d, large %d, step %g, velocity %g "
        "never met the plate, depth %g",
        number, d->box ? "box" : "ball", d->size, d->dimension, d->triangles, d->quadratic,
        d->large, d->step, d->velocity[up], find_depth(d, &mesh, motion));
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
  return met;
}

static void small_bodies_do_not_fall_between_nodes(void **state)
{
  pc_random random = test_random("small bodies");
  for (int dimension = 2; dimension <= 3; dimension++) {
    int count = test_count_long(dimension == 2 ? 60 : 12, dimension == 2 ? 2000 : 200);
    double deepest = 0;
    int met = 0;
    for (int i = 0; i < count; i++) {
      drop d = draw(&random, dimension);
      met += let_fall(&d, i, &deepest);
    }
    assert_true(met > 0.9 * count);
    printf("%dD: %d drops, %.3g of their size below the upper side at most\n", dimension, count,
           deepest);
  }
}

// Between nodes too: at a side, or deep in the plate. On the side it may begin.
static void none_begins_inside_a_solid(void **state)
{
  static const struct {
    double height;
    const char *says;
  } start[] = {{0, NULL}, {-1e-3, " starts inside "}, {-0.15, " starts inside the solid of "}};
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int box = 0; box < 2; box++)
      for (int i = 0; i < 3; i++) {
        pc_error error = {0};
        drop d = {.dimension = dimension,
                  .box = box,
                  .size = 0.02,
                  .mass = 1,
                  .place = {0.05, dimension == 2 ? 0 : 0.03},
                  .attitude = {1},
                  .step = 1e-4};
        d.place[dimension - 1] = start[i].height - find_lowest(&d, d.attitude);
        pc_fe_mesh mesh = make_plate(&d);
        pc_fe_motion *motion = make_drop(&d, &mesh, &error);
        assert_true((motion != NULL) == (start[i].says == NULL));
        if (start[i].says != NULL)
          assert_says(error.text, start[i].says);
        pc_fe_motion_destroy(motion);
        pc_fe_mesh_free(&mesh);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_bodies_do_not_fall_between_nodes),
      cmocka_unit_test(none_begins_inside_a_solid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
