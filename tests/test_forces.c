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
  int calls = 0, loaded[] = {count / 2, 1, 2, count};
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

// Two balls that turn, and a point beside each, less than 1 m apart.
typedef struct couple {
  pc_world *world;
  pc_body body[2];
  double point[2][3], speed[2][3], arm[2][3], moment[2]; // of the points
  pc_body_state before[2];
} couple;

static void cross(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static couple make_couple(const double mass[2]) // 0: fixed
{
  couple of = {.world = empty_world(3)};
  const double at[2][3] = {{1, 2, -1}, {1.4, 2.3, -0.7}},
               arm[2][3] = {{0.3, -0.1, 0.2}, {-0.2, 0.4, 0.1}};
  const double velocity[2][3] = {{1, -2, 0.5}, {3, 1, 2}}, spin[2][3] = {{2, 1, -3}, {-1, 2, 4}};
  for (int b = 0; b < 2; b++) {
    pc_body_def def = pc_body_def_default();
    def.kind = mass[b] > 0 ? PC_FREE : PC_FIXED;
    def.mass = mass[b];
    def.group = 1; // they do not collide
    memcpy(def.position, at[b], sizeof at[b]);
    memcpy(def.velocity, velocity[b], sizeof velocity[b]);
    memcpy(def.spin, spin[b], sizeof spin[b]);
    of.body[b] = add(of.world, &def, pc_shape_sphere(0.5, NULL));
    of.moment[b] = 0.4 * mass[b] * 0.25;
    pc_body_get(of.world, of.body[b], &of.before[b]);
    memcpy(of.arm[b], arm[b], sizeof arm[b]);
    cross(of.before[b].spin, arm[b], of.speed[b]);
    for (int k = 0; k < 3; k++) {
      of.point[b][k] = at[b][k] + arm[b][k];
      of.speed[b][k] += of.before[b].velocity[k];
    }
  }
  return of;
}

// Body b got this impulse at its point.
static void expect_push(const couple *of, int b, const double mass[2], const double push[3],
                        double tolerance)
{
  pc_body_state now;
  double turned[3], size = sqrt(dot(push, push));
  pc_body_get(of->world, of->body[b], &now);
  cross(of->arm[b], push, turned);
  for (int k = 0; k < 3; k++) {
    assert_near(mass[b] * (now.velocity[k] - of->before[b].velocity[k]), push[k], tolerance * size);
    assert_near(of->moment[b] * (now.spin[k] - of->before[b].spin[k]), turned[k], tolerance * size);
  }
}

static void a_spring_pushes_at_its_point_by_its_depth(void **state)
{
  const double mass[2] = {2, 0}, normal[3] = {2. / 7, -3. / 7, 6. / 7}, h = 1e-6;
  for (int pressed = 0; pressed < 2; pressed++) {
    couple of = make_couple(mass);
    const double half[3] = {1. / 7, -1.5 / 7, 3. / 7};
    int spring = pc_world_add_spring(of.world, of.body[0], of.point[0], half, 1000);
    assert_int_equal(spring, 0);
    pc_body_state *start = &of.before[0];
    for (int k = 0; k < 3; k++) {
      start->position[k] +=
          (pressed ? -0.02 : 0.02) * normal[k] + 0.1 * normal[(k + 1) % 3] -
          0.1 * normal[k] * dot(normal, (double[]){normal[1], normal[2], normal[0]});
      start->velocity[k] = start->spin[k] = 0;
    }
    assert_int_equal(pc_body_set(of.world, of.body[0], start), PC_OK);
    step(of.world, h);
    double push[3], force[3], energy, depth = pressed ? 0.02 : 0;
    pc_world_element_force(of.world, spring, force, &energy);
    for (int k = 0; k < 3; k++) {
      push[k] = h * 1000 * depth * normal[k];
      assert_near(force[k], 1000 * depth * normal[k], 1e-6);
    }
    assert_near(energy, 0.5 * 1000 * depth * depth, 1e-8);
    expect_push(&of, 0, mass, push, 2e-4); // the differences of speeds have so many digits
    pc_world_destroy(of.world);
  }
}

static void a_spring_on_an_obstacle_does_nothing(void **state)
{
  const double mass[2] = {0, 3}, up[3] = {0, 0, 1};
  couple of = make_couple(mass);
  assert_int_equal(pc_world_add_spring(of.world, of.body[0], of.point[0], up, 1000), 0);
  of.before[0].position[2] -= 0.1;
  assert_int_equal(pc_body_set(of.world, of.body[0], &of.before[0]), PC_OK);
  step(of.world, 0.01);
  expect_push(&of, 1, mass, (const double[3]){0}, 0);
  assert_true(pc_world_info(of.world)->closed);
  pc_world_destroy(of.world);
}

// stiffness x (distance - length) + damping x its rate, along the string; slack: nothing.
static void a_string_pulls_at_its_points(void **state)
{
  const double masses[3][2] = {{2, 3}, {0, 3}, {2, 0}}, h = 1e-6;
  for (int which = 0; which < 6; which++) {
    const double *mass = masses[which % 3];
    couple of = make_couple(mass);
    double apart[3], along[3], length = which < 3 ? 0.3 : 100, rate = 0, force[3], energy, push[3];
    for (int k = 0; k < 3; k++)
      apart[k] = of.point[0][k] - of.point[1][k];
    double distance = sqrt(dot(apart, apart));
    for (int k = 0; k < 3; k++) {
      along[k] = apart[k] / distance;
      rate += along[k] * ((mass[0] > 0) * of.speed[0][k] - (mass[1] > 0) * of.speed[1][k]);
    }
    int string =
        pc_world_add_string(of.world, of.body, (const double(*)[3])of.point, length, 1000, 30);
    assert_int_equal(string, 0);
    step(of.world, h);
    double pull = which < 3 ? 1000 * (distance - length) + 30 * rate : 0;
    pc_world_element_force(of.world, string, force, &energy);
    for (int b = 0; b < 2; b++)
      if (mass[b] > 0) {
        for (int k = 0; k < 3; k++)
          push[k] = h * (b == 0 ? -pull : pull) * along[k];
        expect_push(&of, b, mass, push, 2e-4);
        for (int k = 0; k < 3 && (b == 0 || mass[0] == 0); k++)
          assert_near(force[k], push[k] / h, 0.05);
      }
    assert_near(energy, which < 3 ? 500 * pow(distance - length, 2) : 0, 0.01);
    pc_world_destroy(of.world);
  }
}

// P = K (D- - P G / 2) with D = 2 (V(A) - V(B)) . BA, and G what P changes of it.
static void a_bond_takes_what_its_law_says(void **state)
{
  const double mass[2] = {2, 3}, stiffness = 0.05, h = 1e-7;
  couple of = make_couple(mass);
  double apart[3], rate = 0, gain = 0, push[3], turned[3];
  for (int k = 0; k < 3; k++) {
    apart[k] = 2 * (of.point[0][k] - of.point[1][k]);
    rate += apart[k] * (of.speed[0][k] - of.speed[1][k]);
  }
  for (int b = 0; b < 2; b++) {
    cross(of.arm[b], apart, turned);
    gain += dot(apart, apart) / mass[b] + dot(turned, turned) / of.moment[b];
  }
  assert_int_equal(pc_world_add_bond(of.world, of.body, (const double(*)[3])of.point, stiffness),
                   0);
  step(of.world, h);
  double p = stiffness * rate / (1 + 0.5 * stiffness * gain);
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < 3; k++)
      push[k] = (b == 0 ? -p : p) * apart[k];
    expect_push(&of, b, mass, push, 1e-5);
  }
  assert_near(pc_world_info(of.world)->dissipated / (p * p / stiffness), 1, 1e-5);
  // Released it does nothing.
  assert_int_equal(pc_world_set_bond(of.world, 0, 0), PC_OK);
  for (int b = 0; b < 2; b++)
    pc_body_get(of.world, of.body[b], &of.before[b]);
  step(of.world, h);
  for (int b = 0; b < 2; b++)
    expect_push(&of, b, mass, (const double[3]){0}, 1);
  pc_world_destroy(of.world);
}

static void wrong_springs_and_bonds_are_refused(void **state)
{
  const double mass[2] = {2, 3};
  couple of = make_couple(mass);
  const double odd[] = {NAN, INFINITY};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) {
      double point[3] = {0}, normal[3] = {0, 0, 1}, points[2][3] = {{0}};
      point[k] = odd[i];
      assert_int_equal(pc_world_add_spring(of.world, of.body[0], point, normal, 1), -1);
      normal[k] = odd[i];
      point[k] = 0;
      assert_int_equal(pc_world_add_spring(of.world, of.body[0], point, normal, 1), -1);
      for (int b = 0; b < 2; b++) {
        points[b][k] = odd[i];
        assert_int_equal(pc_world_add_bond(of.world, of.body, (const double(*)[3])points, 1), -1);
        points[b][k] = 0;
      }
    }
  const double up[3] = {0, 0, 1}, none[3] = {0}, stiffness[] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(pc_world_add_spring(of.world, of.body[0], none, up, stiffness[i]), -1);
    assert_int_equal(
        pc_world_add_bond(of.world, of.body, (const double(*)[3])of.point, stiffness[i]), -1);
  }
  assert_int_equal(pc_world_add_spring(of.world, of.body[0], none, up, 0), -1);
  assert_int_equal(pc_world_add_spring(of.world, of.body[0], none, none, 1), -1);
  for (int id = 0; id < 4; id += 3) {
    const pc_body pairs[3][2] = {{{id}, {1}}, {{1}, {id}}, {{2}, {2}}};
    assert_int_equal(pc_world_add_spring(of.world, (pc_body){id}, none, up, 1), -1);
    assert_says(pc_world_error(of.world), "a spring needs a body");
    for (int p = 0; p < 3; p++) {
      assert_int_equal(pc_world_add_bond(of.world, pairs[p], (const double(*)[3])of.point, 1), -1);
      assert_says(pc_world_error(of.world), "two different bodies");
    }
  }
  // A bond may be made without stiffness and get it later.
  assert_int_equal(pc_world_add_bond(of.world, of.body, (const double(*)[3])of.point, 0), 0);
  step(of.world, 1e-7);
  assert_near(pc_world_info(of.world)->dissipated, 0, 0);
  assert_int_equal(pc_world_set_bond(of.world, 0, 1), PC_OK);
  step(of.world, 1e-7);
  assert_true(pc_world_info(of.world)->dissipated > 0);
  pc_world_destroy(of.world);
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
      cmocka_unit_test(a_spring_pushes_at_its_point_by_its_depth),
      cmocka_unit_test(a_spring_on_an_obstacle_does_nothing),
      cmocka_unit_test(a_string_pulls_at_its_points),
      cmocka_unit_test(a_bond_takes_what_its_law_says),
      cmocka_unit_test(wrong_springs_and_bonds_are_refused),
      cmocka_unit_test(obstacles_and_absent_bodies_are_not_asked_for),
      cmocka_unit_test(forces_that_overflow_end_the_run),
      cmocka_unit_test(wrong_forces_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
