// Forces and moments on bodies: constant, by signals, set, and from callbacks. Each gives its own
// body the momentum that its time integral is, wherever the body lies in memory.
#include "percuss/world.h"
#include "worlds.h"

static const double TURN = 6.283185307179586, RADIUS = 0.1;

typedef struct expected {
  double mass, push[6]; // N s, N m s
} expected;

static pc_world *empty_world(int dimension)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  memset(def.gravity, 0, sizeof def.gravity);
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  return world;
}

// A force on every third body, that grows with time; nothing else is asked for twice.
static void by_number(void *context, double time, pc_body body, const pc_body_state *state,
                      double force[6])
{
  ++*(int *)context;
  if (body.id % 3 == 0) {
    force[0] = 0.01 * body.id * time;
    force[5] = 2e-4 * body.id * time;
  }
}

// A moment of this size in space is of its own direction; in the plane about z.
static void make_force(int dimension, double size, double force[6])
{
  const double space[6] = {1, -2, 3, 0.01, 0.02, -0.03}, plane[6] = {1, -2, 0, 0, 0, -0.03};
  for (int k = 0; k < 6; k++)
    force[k] = size * (dimension == 3 ? space : plane)[k];
}

static void load(pc_world *world, int id, double size, const pc_signal *signal, double integral,
                 expected *of)
{
  double force[6];
  make_force(pc_world_definition(world)->dimension, size, force);
  assert_int_equal(pc_world_add_load(world, (pc_body){id}, force, signal), PC_OK);
  for (int k = 0; k < 6; k++)
    of[id].push[k] += integral * force[k];
}

static void set(pc_world *world, int first, int count, double time, expected *of)
{
  double(*force)[6] = calloc((size_t)count, sizeof *force);
  for (int i = 0; i < count; i++) {
    make_force(pc_world_definition(world)->dimension, 0.1 * (first + i), force[i]);
    for (int k = 0; k < 6; k++)
      of[first + i].push[k] += time * force[i][k];
  }
  assert_int_equal(pc_world_set_forces(world, (pc_body){first}, count, (const double(*)[6])force),
                   PC_OK);
  free(force);
}

static void expect_momenta(const pc_world *world, int count, const expected *of)
{
  double moment = (pc_world_definition(world)->dimension == 3 ? 0.4 : 0.5) * RADIUS * RADIUS;
  double kinetic = 0;
  for (int id = 1; id <= count; id++) {
    pc_body_state at;
    pc_body_get(world, (pc_body){id}, &at);
    for (int k = 0; k < 3; k++) {
      double m = of[id].mass;
      assert_near(at.velocity[k], of[id].push[k] / m, 1e-12);
      assert_near(at.spin[k], of[id].push[3 + k] / (m * moment), 1e-10);
      kinetic += 0.5 * m * (pow(at.velocity[k], 2) + moment * pow(at.spin[k], 2));
    }
  }
  assert_near(pc_world_info(world)->total_forces / kinetic, 1, 1e-11);
}

// Large worlds put their bodies into another order in memory, here that of their places.
static void forces_of_all_kinds_add_up(int dimension, int count)
{
  enum { STEPS = 20 };
  const double h = 0.01;
  pc_world *world = empty_world(dimension);
  expected *of = calloc((size_t)count + 1, sizeof *of);
  int calls = 0, loaded[] = {1, 2, count / 2, count};
  for (int i = 0; i < count; i++) {
    pc_body_def def = pc_body_def_default();
    def.position[0] = 50. * (i * 3 % count);
    of[i + 1].mass = def.mass = 1 + i % 5;
    add(world, &def, dimension == 3 ? pc_shape_sphere(RADIUS, NULL) : pc_shape_disc(RADIUS, NULL));
  }
  double middles = 0, sines = 0;
  for (int i = 0; i < STEPS; i++) {
    middles += h * (i + 0.5) * h;
    sines += h * 3 * (sin(TURN * 2 * (i + 0.5) * h + 1) - sin(1));
  }
  pc_signal sine = {.kind = PC_SIGNAL_SINE, .amplitude = 3, .frequency = 2, .phase = 1};
  for (int i = 0; i < 4; i++) {
    load(world, loaded[i], 1 + i, NULL, STEPS * h, of);
    load(world, loaded[i], 2 - i, &sine, sines, of);
  }
  set(world, 2, count - 2, STEPS * h, of);
  assert_int_equal(pc_world_add_force(world, by_number, &calls), PC_OK);
  for (int id = 3; id <= count; id += 3) {
    of[id].push[0] += 0.01 * id * middles;
    of[id].push[5] += 2e-4 * id * middles;
  }
  for (int i = 0; i < STEPS; i++)
    step(world, h);
  expect_momenta(world, count, of);
  assert_int_equal(calls, STEPS * count);
  // What is said after bodies were moved is of the same bodies.
  double none[6] = {0};
  for (int id = 2; id < count; id++)
    assert_int_equal(pc_world_set_forces(world, (pc_body){id}, 1, (const double(*)[6]) & none),
                     PC_OK);
  for (int i = 0; i < 4; i++) {
    load(world, loaded[i], 5, NULL, h, of); // and the other two go on
    double force[6];
    make_force(dimension, 1 + i, force);
    double now = 3 * (sin(TURN * 2 * (STEPS + 0.5) * h + 1) - sin(1)), other[6];
    make_force(dimension, 2 - i, other);
    for (int k = 0; k < 6; k++)
      of[loaded[i]].push[k] += h * (force[k] + now * other[k]);
  }
  set(world, count / 2, 1, h, of);
  for (int id = 3; id <= count; id += 3) {
    of[id].push[0] += 0.01 * id * (STEPS + 0.5) * h * h;
    of[id].push[5] += 2e-4 * id * (STEPS + 0.5) * h * h;
  }
  step(world, h);
  expect_momenta(world, count, of);
  free(of);
  pc_world_destroy(world);
}

static void every_body_gets_its_own_forces(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    forces_of_all_kinds_add_up(dimension, 7);
    forces_of_all_kinds_add_up(dimension, 400);
  }
}

// Along the guide act its load, gravity and other forces; across it nothing, and it never turns.
static void a_guided_body_moves_by_what_acts_along_its_guide(void **state)
{
  pc_world_def set_up = pc_world_def_default();
  for (int k = 0; k < 3; k++)
    set_up.gravity[k] = (double[]){1, -2, -9}[k];
  pc_world *world = pc_world_create(&set_up);
  pc_body_def def = pc_body_def_default();
  const double along[3] = {2. / 3, -1. / 3, 2. / 3}, force[6] = {5, 7, -3, 1, 2, 3}, h = 0.01;
  def.kind = PC_GUIDED;
  def.mass = 2;
  def.load = 1.5;
  for (int k = 0; k < 3; k++)
    def.guide[k] = 6 * along[k];
  def.velocity[0] = 3; // of which 2 m/s are along it
  def.spin[2] = 4;
  pc_body body = add(world, &def, pc_shape_sphere(RADIUS, NULL));
  assert_int_equal(pc_world_add_load(world, body, force, NULL), PC_OK);
  double fallen = 0;
  for (int i = 0; i < 50; i++)
    fallen += step(world, h)->work_gravity;
  double push = (10 - 7 - 6) / 3., weight = 2 * (2 + 2 - 18) / 3., rate = (1.5 + push + weight) / 2;
  pc_body_state at;
  pc_body_get(world, body, &at);
  for (int k = 0; k < 3; k++) {
    assert_near(at.velocity[k], (2 + 0.5 * rate) * along[k], 1e-12);
    assert_near(at.position[k], (0.5 * 2 + 0.5 * 0.25 * rate) * along[k], 1e-12);
    assert_near(at.spin[k], 0, 0);
  }
  const pc_step_info *info = pc_world_info(world);
  double way = 0.5 * 2 + 0.5 * 0.25 * rate;
  assert_near(fallen, weight * way, 1e-12);
  assert_near(info->total_forces, (1.5 + push) * way, 1e-12);
  assert_true(info->drift < 1e-13);
  pc_world_destroy(world);
}

// R I R' times the spin is the angular momentum given, in the body's axes and with others.
static void a_moment_turns_a_body_by_its_inertia(void **state)
{
  const double skew[9] = {3, 0.4, -0.3, 0.4, 2.5, 0.2, -0.3, 0.2, 2}, h = 1e-5;
  const double straight[9] = {3, 0, 0, 0, 2.5, 0, 0, 0, 2}, moment[6] = {0, 0, 0, 3, -5, 7};
  for (int which = 0; which < 2; which++) {
    pc_world *world = empty_world(3);
    const double *inertia = which == 0 ? skew : straight;
    pc_body_def def = pc_body_def_default();
    def.mass = 1;
    memcpy(def.inertia, inertia, sizeof def.inertia);
    // A third of a turn about (1, 1, 1): x -> y -> z -> x.
    for (int k = 0; k < 4; k++)
      def.orientation[k] = 0.5;
    pc_body body = add(world, &def, pc_shape_sphere(RADIUS, NULL));
    assert_int_equal(pc_world_add_load(world, body, moment, NULL), PC_OK);
    step(world, h);
    pc_body_state at;
    pc_body_get(world, body, &at);
    for (int i = 0; i < 3; i++) {
      double momentum = 0;
      for (int j = 0; j < 3; j++)
        momentum += inertia[3 * ((i + 2) % 3) + (j + 2) % 3] * at.spin[j];
      assert_near(momentum / (h * moment[3 + i]), 1, 1e-8);
    }
    pc_world_destroy(world);
  }
}

static void push_hard(void *context, double time, pc_body body, const pc_body_state *state,
                      double force[6])
{
  ++*(int *)context;
  force[4] = 1e300;
}

// Of what is there and moves, each body once a step.
static void obstacles_and_absent_bodies_are_not_asked_for(void **state)
{
  pc_world *world = empty_world(3);
  int calls = 0;
  for (int i = 0; i < 5; i++) {
    pc_body_def def = pc_body_def_default();
    def.position[0] = i;
    def.kind = i < 2 ? PC_FIXED : PC_FREE;
    add(world, &def, pc_shape_sphere(RADIUS, NULL));
  }
  assert_int_equal(pc_world_set_present(world, (pc_body){4}, false), PC_OK);
  assert_int_equal(pc_world_add_force(world, push_hard, &calls), PC_OK);
  step(world, 1e-300);
  assert_int_equal(calls, 2);
  pc_world_destroy(world);
}

static void forces_that_overflow_end_the_run(void **state)
{
  const double large[6] = {0, 0, 1e300, 0, 0, 0};
  const pc_signal grows = {.kind = PC_SIGNAL_RATE, .rate = 1e20};
  for (int which = 0; which < 2; which++) {
    pc_world *world = empty_world(3);
    pc_body_def def = pc_body_def_default();
    int calls = 0;
    add(world, &def, pc_shape_sphere(RADIUS, NULL));
    def.position[0] = 1;
    pc_body body = add(world, &def, pc_shape_sphere(RADIUS, NULL));
    if (which == 0)
      assert_int_equal(pc_world_add_load(world, body, large, &grows), PC_OK);
    else
      assert_int_equal(pc_world_add_force(world, push_hard, &calls), PC_OK);
    assert_int_equal(pc_world_step(world, which == 0 ? 1 : 1e10), PC_ERROR_NUMERIC);
    assert_says(pc_world_error(world),
                which == 0 ? "the force on body 2 is not finite" : "the force on body 1");
    pc_world_destroy(world);
  }
}

static void wrong_forces_are_refused(void **state)
{
  pc_world *world = empty_world(3);
  pc_body_def def = pc_body_def_default();
  pc_body body = add(world, &def, pc_shape_sphere(RADIUS, NULL));
  double some[2][6] = {{1}};
  for (int k = 0; k < 6; k++) {
    double force[6] = {0};
    force[k] = INFINITY;
    assert_int_equal(pc_world_add_load(world, body, force, NULL), PC_ERROR_ARGUMENT);
    assert_says(pc_world_error(world), "finite");
  }
  for (int id = 0; id < 3; id += 2) {
    pc_body no = {id};
    assert_int_equal(pc_world_add_load(world, no, some[0], NULL), PC_ERROR_ARGUMENT);
    assert_int_equal(pc_world_set_forces(world, no, 1, (const double(*)[6])some),
                     PC_ERROR_ARGUMENT);
  }
  assert_int_equal(pc_world_set_forces(world, body, 2, (const double(*)[6])some),
                   PC_ERROR_ARGUMENT);
  step(world, 0.1);
  pc_body_state at;
  pc_body_get(world, body, &at);
  assert_near(at.velocity[0], 0, 0);
  pc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_body_gets_its_own_forces),
      cmocka_unit_test(a_guided_body_moves_by_what_acts_along_its_guide),
      cmocka_unit_test(a_moment_turns_a_body_by_its_inertia),
      cmocka_unit_test(obstacles_and_absent_bodies_are_not_asked_for),
      cmocka_unit_test(forces_that_overflow_end_the_run),
      cmocka_unit_test(wrong_forces_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
