// Heat in worlds of rigid bodies: closed forms, the energy balance over long runs, and that nothing
// depends on threads or on stopping in between.
#include <string.h>

#include "percuss/heat.h"
#include "percuss/world_heat.h"
#include "worlds.h"

static const double PI = 3.14159265358979323846;

static void set_heat(pc_world *world, const pc_heat_def *heat)
{
  if (pc_world_set_heat(world, heat) != PC_OK)
    fail_msg("%s", pc_world_error(world));
}

static void set_law(pc_world *world, double e, double mu)
{
  pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = e, .p = 2},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {mu}, .on = PC_ON_AFTER}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
}

// Two balls in space that meet head on, inelastic, with capacities in J/K, so that W is lost.
static pc_world *two_balls(double w, const double capacity[2], const double temperature[2],
                           pc_body ball[2])
{
  pc_world_def def = pc_world_def_default();
  def.gravity[2] = 0;
  pc_world *world = pc_world_create(&def);
  pc_heat_def heat = pc_heat_def_default();
  set_heat(world, &heat);
  for (int b = 0; b < 2; b++) {
    pc_body_def body = pc_body_def_default();
    body.mass = 1;
    body.position[0] = b == 0 ? -1 : 1;
    body.velocity[0] = (b == 0 ? 1 : -1) * sqrt(w); // W = m v^2
    ball[b] = add(world, &body, pc_shape_sphere(1, NULL));
    assert_int_equal(pc_body_set_capacity(world, ball[b], capacity[b]), PC_OK);
    assert_int_equal(pc_body_set_temperature(world, ball[b], temperature[b]), PC_OK);
  }
  return world;
}

// Collisions Engineering (3.165), (3.166), lambda = 0. The numbers of the first three were found by
// nested bisection.
static void a_collision_shares_its_heat_as_the_theory_has_it(void **state)
{
  const double cases[][7] = {
      {300, 300, 1, 1, 10, 305, 305},
      {300, 310, 1, 1, 10, 304.918032787, 315.081967213},
      {310, 300, 1, 1, 10, 315.081967213, 304.918032787},
      {100, 900, 2, 2, 300, 0, 0},
      {100, 900, 0.5, 3, 3000, 0, 0},
  };
  for (int c = 0; c < 5; c++) {
    const double *k = cases[c];
    pc_body ball[2];
    pc_world *world = two_balls(k[4], k + 2, k, ball);
    for (int i = 0; i < 10; i++)
      step(world, 1e-3);
    double after[2], jump[2];
    for (int b = 0; b < 2; b++) {
      after[b] = pc_body_get_temperature(world, ball[b]);
      jump[b] = k[2 + b] * (after[b] - k[b]);
      if (k[5] > 0)
        assert_near(after[b], k[5 + b], 5e-10);
    }
    assert_near(jump[0] + jump[1], k[4], 1e-11 * k[4]);
    assert_near(jump[0] / (after[0] + k[0]), jump[1] / (after[1] + k[1]), 1e-12);
    const pc_step_info *info = pc_world_info(world);
    double entropy = k[2] * log(after[0] / k[0]) + k[3] * log(after[1] / k[1]);
    assert_near(info->entropy, entropy, 1e-12);
    assert_near(info->total_entropy_produced, entropy, 1e-12);
    assert_near(info->thermal, k[4], 1e-11 * k[4]);
    assert_true(info->drift < 1e-14);
    pc_world_destroy(world);
  }
}

// A block that slides to rest turns all its energy, mu m g d, to heat.
static void a_sliding_block_heats_by_friction_times_its_way(void **state)
{
  const double mu = 0.4, speed = 2, h = 1e-4;
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world_def def = pc_world_def_default();
    def.dimension = dimension;
    def.gravity[2] = 0;
    def.gravity[dimension - 1] = -9.81;
    def.tolerance = 1e-10;
    pc_world *world = pc_world_create(&def);
    pc_heat_def heat = pc_heat_def_default();
    heat.specific = 500;
    set_heat(world, &heat);
    set_law(world, 0, mu);
    add_floor(world);
    pc_body_def body = pc_body_def_default();
    body.position[dimension - 1] = 0.05;
    body.velocity[0] = speed;
    const double corner[][2] = {{-0.2, -0.05}, {0.2, -0.05}, {0.2, 0.05}, {-0.2, 0.05}};
    pc_body block = add(world, &body,
                        dimension == 2 ? pc_shape_polygon(4, corner, false, NULL)
                                       : pc_shape_box((const double[3]){0.4, 0.3, 0.1}, NULL));
    double mass = pc_body_get_mass(world, block);
    for (int i = 0; i < 6000; i++)
      step(world, h);
    pc_body_state end;
    pc_body_get(world, block, &end);
    double kelvin = pc_body_get_temperature(world, block) - 293.15;
    assert_near(mass * 500 * kelvin, 0.5 * mass * speed * speed, 1e-9 * mass);
    assert_near(mass * 500 * kelvin, mu * mass * 9.81 * end.position[0], 1e-3 * mass);
    assert_true(pc_world_info(world)->drift < 1e-13);
    pc_world_destroy(world);
  }
}

// A ball that has come to rest after bouncing has all of m g times its fall as heat, with any
// treatment that dissipates; what pushing out of overlaps moved apart.
static void a_bouncing_ball_ends_with_its_fall_as_heat(void **state)
{
  for (int treatment = PC_VELOCITY_LEVEL; treatment <= PC_POSITION_LEVEL; treatment++) {
    pc_world_def def = pc_world_def_default();
    def.treatment = treatment;
    pc_world *world = pc_world_create(&def);
    pc_heat_def heat = pc_heat_def_default();
    set_heat(world, &heat);
    set_law(world, 0.7, 0.3);
    add_floor(world);
    pc_body_def body = pc_body_def_default();
    body.position[2] = 1.5;
    pc_body ball = add(world, &body, pc_shape_sphere(0.1, NULL));
    for (int i = 0; i < 6000; i++)
      step(world, 1e-3);
    pc_body_state end;
    pc_body_get(world, ball, &end);
    const pc_step_info *info = pc_world_info(world);
    double fall = pc_body_get_mass(world, ball) * 9.81 * (1.5 - end.position[2]);
    assert_near(pc_body_get_heat(world, ball), fall + info->total_correction, 1e-11 * fall);
    assert_near(end.position[2], 0.1, 1e-3);
    pc_world_destroy(world);
  }
}

// Two boxes, one on the other, four contacts between them: one conductance all the same.
static void bodies_that_touch_even_out_at_the_rate_of_their_conductance(void **state)
{
  const double lengths[] = {1e-3, 1e-2, 1e-3};
  for (int k = 0; k < 3; k++) {
    pc_world_def def = pc_world_def_default();
    def.sleep_after = k == 2 ? 0.02 : 0; // and also asleep
    pc_world *world = pc_world_create(&def);
    pc_heat_def heat = pc_heat_def_default();
    heat.conductance = 3;
    set_heat(world, &heat);
    add_floor(world);
    pc_body box[2];
    for (int b = 0; b < 2; b++) {
      pc_body_def body = pc_body_def_default();
      body.position[2] = 0.1 + 0.2 * b;
      box[b] = add(world, &body, pc_shape_box((const double[3]){0.2, 0.2, 0.2}, NULL));
    }
    pc_body_set_capacity(world, box[0], 2);
    pc_body_set_capacity(world, box[1], 5);
    pc_body_set_temperature(world, box[0], 400);
    pc_body_set_temperature(world, box[1], 300);
    for (int i = 0; i < 0.5 / lengths[k]; i++)
      step(world, lengths[k]);
    double t[2], mean = (2 * 400 + 5 * 300) / 7.0, factor = exp(-3 * 0.5 * (1 / 2.0 + 1 / 5.0));
    for (int b = 0; b < 2; b++)
      t[b] = pc_body_get_temperature(world, box[b]);
    // What settling dissipates is below 1e-7 J.
    assert_near(t[0] - t[1], 100 * factor, 1e-7);
    assert_near((2 * t[0] + 5 * t[1]) / 7, mean, 1e-7);
    assert_true(pc_world_info(world)->total_entropy_produced > 0);
    assert_int_equal(pc_world_info(world)->asleep, k == 2 ? 2 : 0);
    pc_world_destroy(world);
  }
}

// A ball stopped by rolling friction, a guided box that falls on a floor, and balls that are in
// each other's way before the first step has come to its middle: all that they lose is heat.
static void what_a_body_loses_is_heat_whatever_stops_it(void **state)
{
  for (int which = 0; which < 3; which++) {
    pc_world_def def = pc_world_def_default();
    def.tolerance = 1e-10;
    pc_world *world = pc_world_create(&def);
    pc_heat_def heat = pc_heat_def_default();
    set_heat(world, &heat);
    set_law(world, 0, 0.5);
    add_floor(world);
    pc_body_def body = pc_body_def_default();
    body.mass = 2;
    double energy = 0;
    if (which == 0) {
      pc_law law = {.normal = {.kind = PC_NORMAL_INELASTIC, .p = 2},
                    .tangential = {.kind = PC_TANGENTIAL_COULOMB,
                                   .mu = {0.5},
                                   .on = PC_ON_AFTER,
                                   .rolls = true,
                                   .rolling = 0.01}};
      assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
      body.position[2] = 0.1;
      body.velocity[0] = 1;
      body.spin[1] = 10;
      add(world, &body, pc_shape_sphere(0.1, NULL));
      energy = 0.7 * 2;
    } else if (which == 1) {
      body.kind = PC_GUIDED;
      body.guide[2] = 1;
      body.position[2] = 0.5;
      add(world, &body, pc_shape_box((const double[3]){0.2, 0.2, 0.2}, NULL));
      energy = 2 * 9.81 * 0.4;
    } else {
      for (int side = -1; side <= 1; side += 2) {
        body.position[0] = side * 0.101;
        body.position[2] = 0.1;
        body.velocity[0] = -side * 10;
        add(world, &body, pc_shape_sphere(0.1, NULL));
      }
      energy = 2 * 100;
    }
    for (int i = 0; i < 3000; i++)
      step(world, 1e-3);
    const pc_step_info *info = pc_world_info(world);
    assert_true(info->kinetic_translation < 1e-6 * energy);
    double now =
        info->kinetic_translation + info->kinetic_rotation + info->thermal - info->total_correction;
    assert_near(now, energy, 1e-4 * energy); // where it ends is right to the way of a step
    assert_near(info->thermal, info->total_dissipated, 1e-12 * energy);
    assert_true(info->drift < 1e-13);
    pc_world_destroy(world);
  }
}

// A chain of bodies in a row: conduction is of second order in h, against the eigenvalues of the
// row: T = sum of cosines, each falling at its own rate.
static void conduction_through_a_row_is_of_second_order(void **state)
{
  enum { N = 6 };
  double error[3];
  for (int level = 0; level < 3; level++) {
    int steps = 16 << level;
    pc_world_def def = pc_world_def_default();
    pc_world *world = pc_world_create(&def);
    pc_heat_def heat = pc_heat_def_default();
    heat.conductance = 1e6;
    set_heat(world, &heat);
    add_floor(world);
    pc_body box[N];
    for (int b = 0; b < N; b++) {
      pc_body_def body = pc_body_def_default();
      body.position[2] = 0.05 + 0.1 * b;
      box[b] = add(world, &body, pc_shape_box((const double[3]){0.5, 0.5, 0.1}, NULL));
      pc_body_set_capacity(world, box[b], 1e6);
      pc_body_set_temperature(world, box[b], 300 + 100 * (b == 0));
    }
    for (int i = 0; i < steps; i++) {
      step(world, 1.0 / steps);
      assert_true(pc_world_info(world)->closed); // though next to nothing moves
    }
    assert_true(pc_world_info(world)->drift < 1e-13);
    error[level] = 0;
    for (int b = 0; b < N; b++) {
      double exact = 300 + 100.0 / N;
      for (int m = 1; m < N; m++) {
        double angle = PI * m / N, rate = 2 - 2 * cos(angle);
        exact += 200.0 / N * cos(0.5 * angle) * cos((b + 0.5) * angle) * exp(-rate);
      }
      error[level] = fmax(error[level], fabs(pc_body_get_temperature(world, box[b]) - exact));
    }
    pc_world_destroy(world);
  }
  assert_near(log2(error[0] / error[1]), 2, 0.25);
  assert_near(log2(error[1] / error[2]), 2, 0.25);
}

// Cooling by the surface: sphere, box, capsule, cylinder, compound; in the plane by the outline.
static void bodies_cool_exponentially_through_their_surface(void **state)
{
  const double side[3] = {0.2, 0.3, 0.5}, corner[][2] = {{0, 0}, {0.3, 0}, {0, 0.4}};
  for (int which = 0; which < 7; which++) {
    pc_world_def def = pc_world_def_default();
    def.dimension = which < 5 ? 3 : 2;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    pc_world *world = pc_world_create(&def);
    pc_heat_def heat = pc_heat_def_default();
    heat.exchange = 20;
    heat.outside = 250;
    set_heat(world, &heat);
    pc_shape *box = pc_shape_box(side, NULL);
    pc_shape_piece pieces[2] = {{box, {0}, {1, 0, 0, 0}}, {box, {0.2, 0, 0}, {1, 0, 0, 0}}};
    pc_shape *shapes[7] = {pc_shape_sphere(0.2, NULL),
                           pc_shape_box(side, NULL),
                           pc_shape_capsule(0.1, 0.4, NULL),
                           pc_shape_cylinder(0.1, 0.4, NULL),
                           pc_shape_compound(2, pieces, NULL),
                           pc_shape_disc(0.2, NULL),
                           pc_shape_polygon(3, corner, false, NULL)};
    const double area[7] = {4 * PI * 0.04, 0.62, 0.12 * PI, 0.1 * PI, 1.24, 0.4 * PI, 1.2};
    pc_body_def body = pc_body_def_default();
    body.velocity[0] = 1;
    pc_body one = add(world, &body, pc_shape_retain(shapes[which]));
    pc_body_set_capacity(world, one, 100);
    pc_body_set_temperature(world, one, 350);
    for (int i = 0; i < 50; i++)
      step(world, 0.1);
    double want = 250 + 100 * exp(-20 * area[which] * 5 / 100);
    assert_near(pc_body_get_temperature(world, one), want, 1e-10);
    const pc_step_info *info = pc_world_info(world);
    assert_near(info->total_heat_outside, 100 * (350 - want), 1e-8);
    double produced = 100 * log(want / 350) + 100 * (350 - want) / 250;
    assert_near(info->total_entropy_produced, produced, 1e-11);
    assert_true(info->drift < 1e-13);
    pc_world_destroy(world);
    pc_shape_release(box);
    for (int s = 0; s < 7; s++)
      pc_shape_release(shapes[s]);
  }
}

// A hot plate: an obstacle keeps its temperature and books what it gives.
static void an_obstacle_is_a_reservoir(void **state)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  pc_heat_def heat = pc_heat_def_default();
  heat.conductance = 2;
  heat.obstacles = true;
  set_heat(world, &heat);
  pc_body floor = add_floor(world);
  assert_int_equal(pc_body_set_temperature(world, floor, 500), PC_OK);
  pc_body_def body = pc_body_def_default();
  body.position[2] = 0.1;
  pc_body ball = add(world, &body, pc_shape_sphere(0.1, NULL));
  pc_body_set_capacity(world, ball, 4);
  for (int i = 0; i < 200; i++)
    step(world, 0.01);
  double want = 500 - (500 - 293.15) * exp(-2 * 2.0 / 4);
  assert_near(pc_body_get_temperature(world, ball), want, 1e-9);
  assert_near(pc_body_get_temperature(world, floor), 500, 0);
  const pc_step_info *info = pc_world_info(world);
  assert_near(info->total_heat_obstacles, -4 * (want - 293.15), 1e-8);
  assert_near(pc_body_get_heat(world, floor), info->total_heat_obstacles, 1e-10);
  assert_true(info->total_entropy_produced > 0);
  pc_world_destroy(world);
}

// Balls and blocks in a box that is shaken and turns, with friction and rebound.
static pc_world *shaken_box(int dimension, int count, int threads, pc_treatment treatment,
                            bool warm)
{
  pc_random random;
  pc_random_seed(&random, 7);
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.threads = threads;
  def.treatment = treatment;
  def.penalty = 1e6;
  def.tolerance = treatment == PC_PENALTY ? 1e-10 : 1e-4; // springs dissipate what it leaves
  def.gravity[2] = 0;
  def.gravity[dimension - 1] = -9.81;
  pc_world *world = pc_world_create(&def);
  set_law(world, 0.5, 0.4);
  if (warm) {
    pc_heat_def heat = pc_heat_def_default();
    heat.specific = 1; // they get hot
    heat.conductance = 0.5;
    heat.exchange = 1;
    heat.outside = 280;
    heat.obstacles = true;
    set_heat(world, &heat);
  }
  pc_motion motion = {.axis = {0, 0, 1}};
  motion.axis[1] = dimension == 3;
  motion.axis[2] = dimension == 2;
  motion.translation[0] = (pc_signal){.kind = PC_SIGNAL_SINE, .amplitude = 0.02, .frequency = 5};
  motion.rotation = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 1.5};
  for (int axis = 0; axis < dimension; axis++)
    for (int side = -1; side <= 1; side += 2) {
      pc_body_def wall = pc_body_def_default();
      double normal[3] = {0};
      normal[axis] = -side;
      wall.position[axis] = 0.5 * side;
      wall.kind = PC_DRIVEN;
      wall.motion = motion;
      add(world, &wall, pc_shape_plane(dimension, normal, NULL));
    }
  for (int i = 0; i < count; i++) {
    pc_body_def body = pc_body_def_default();
    for (int k = 0; k < dimension; k++)
      body.position[k] = pc_random_uniform(&random, -0.4, 0.4);
    double r = pc_random_uniform(&random, 0.03, 0.05);
    const double corner[][2] = {{-r, -r}, {r, -r}, {r, r}, {-r, r}};
    const double edges[3] = {r, 1.5 * r, 2 * r};
    bool round = i % 2 == 0 || treatment == PC_PENALTY;
    add(world, &body,
        dimension == 2 ? round ? pc_shape_disc(r, NULL) : pc_shape_polygon(4, corner, false, NULL)
        : round ? pc_shape_sphere(r, NULL)
                       : pc_shape_box(edges, NULL));
  }
  return world;
}

// What is left of the whole balance after very many steps, and the second law in every one.
static void a_long_run_keeps_its_energy_and_entropy_never_falls(void **state)
{
  const struct {
    int dimension, count, steps;
    pc_treatment treatment;
  } runs[] = {{2, 30, 12000, PC_POSITION_LEVEL},
              {2, 30, 12000, PC_VELOCITY_LEVEL},
              {3, 40, 10000, PC_POSITION_LEVEL},
              {3, 40, 2000, PC_PENALTY}};
  for (int r = 0; r < 4; r++) {
    pc_world *world = shaken_box(runs[r].dimension, runs[r].count, 1, runs[r].treatment, true);
    double entropy = 0, hottest = 0, start = 0;
    for (int i = 1; i <= pc_world_bodies(world); i++) {
      pc_body_state at;
      pc_body_get(world, (pc_body){i}, &at);
      start += 9.81 * pc_body_get_mass(world, (pc_body){i}) * at.position[runs[r].dimension - 1];
    }
    int steps = test_count_long(runs[r].steps, 10 * runs[r].steps);
    for (int i = 0; i < steps; i++) {
      step(world, 1e-3);
      const pc_step_info *info = pc_world_info(world);
      double allowed = fmax(0, -info->unsigned_part) / info->coldest;
      if (runs[r].treatment == PC_PENALTY)
        allowed = fmax(0, -info->dissipated) / info->coldest;
      double noise = 1e-13 * (fabs(info->entropy) + fabs(info->thermal) / info->coldest);
      if (!(info->entropy_produced >= -allowed - noise))
        fail_msg("entropy falls by %g in step %d", -info->entropy_produced, i);
      assert_true(info->coldest > 0);
      entropy += info->entropy_produced;
      hottest = fmax(hottest, info->hottest);
    }
    const pc_step_info *info = pc_world_info(world);
    double energy = info->kinetic_translation + info->kinetic_rotation + info->potential +
                    info->stored + info->thermal + info->total_heat_outside +
                    info->total_heat_obstacles;
    printf("run %d: drift %.3g, thermal %.3g J, to outside %.3g J, to obstacles %.3g J, hottest "
           "%.5g K\n",
           r, info->drift, info->thermal, info->total_heat_outside, info->total_heat_obstacles,
           hottest);
    double sources = info->total_prescribed + info->total_correction + info->total_stored_error;
    double turned = fabs(info->total_prescribed) + fabs(info->total_stored_error) + fabs(start);
    assert_near(energy, start + sources, 1e-12 * turned);
    assert_true(info->drift < 1e-12);
    assert_near(entropy, info->total_entropy_produced, 1e-12 * fabs(entropy));
    assert_true(entropy > 0);
    if (runs[r].treatment != PC_PENALTY && steps >= 1000)
      assert_true(turned > 10 && hottest > 293.5 && info->total_heat_obstacles > 0);
    pc_world_destroy(world);
  }
}

static void heat_does_not_change_the_motion(void **state)
{
  pc_world *cold = shaken_box(3, 40, 1, PC_POSITION_LEVEL, false);
  pc_world *warm = shaken_box(3, 40, 1, PC_POSITION_LEVEL, true);
  for (int i = 0; i < 200; i++) {
    step(cold, 1e-3);
    step(warm, 1e-3);
  }
  for (int i = 1; i <= pc_world_bodies(cold); i++) {
    pc_body_state a, b;
    pc_body_get(cold, (pc_body){i}, &a);
    pc_body_get(warm, (pc_body){i}, &b);
    assert_memory_equal(&a, &b, sizeof a);
  }
  assert_near(pc_world_info(warm)->total_dissipated, pc_world_info(cold)->total_dissipated, 0);
  assert_true(isnan(pc_body_get_temperature(cold, (pc_body){7})));
  assert_near(pc_world_info(cold)->thermal, 0, 0);
  pc_world_destroy(cold);
  pc_world_destroy(warm);
}

// Times differ from run to run; nothing else may.
static char *saved(const pc_world *world, size_t *size)
{
  *size = pc_world_save(world, NULL, 0);
  char *bytes = malloc(*size);
  assert_int_equal(pc_world_save(world, bytes, *size), *size);
  return bytes;
}

static void assert_same_heat(const pc_world *a, const pc_world *b)
{
  const pc_step_info *one = pc_world_info(a), *two = pc_world_info(b);
  for (int i = 1; i <= pc_world_bodies(a); i++) {
    assert_near(pc_body_get_temperature(a, (pc_body){i}), pc_body_get_temperature(b, (pc_body){i}),
                0);
    assert_near(pc_body_get_heat(a, (pc_body){i}), pc_body_get_heat(b, (pc_body){i}), 0);
  }
  assert_near(one->thermal, two->thermal, 0);
  assert_near(one->total_heat_outside, two->total_heat_outside, 0);
  assert_near(one->total_heat_obstacles, two->total_heat_obstacles, 0);
  assert_near(one->total_entropy_produced, two->total_entropy_produced, 0);
  assert_near(one->drift, two->drift, 0);
  assert_int_equal(one->hottest_body, two->hottest_body);
}

static void threads_do_not_change_temperatures(void **state)
{
  pc_world *one = shaken_box(3, 1300, 1, PC_POSITION_LEVEL, true); // enough for several pieces
  for (int i = 0; i < 20; i++)
    step(one, 1e-3);
  for (int threads = 2; threads <= 4; threads++) {
    pc_world *more = shaken_box(3, 1300, threads, PC_POSITION_LEVEL, true);
    for (int i = 0; i < 20; i++)
      step(more, 1e-3);
    assert_same_heat(one, more);
    pc_world_destroy(more);
  }
  pc_world_destroy(one);
}

static void a_saved_world_goes_on_with_the_same_temperatures(void **state)
{
  for (int count = 60; count <= 1200; count += 1140) { // the larger one is put in order
    pc_world *whole = shaken_box(3, count, 1, PC_POSITION_LEVEL, true);
    pc_world *later = shaken_box(3, count, 1, PC_POSITION_LEVEL, true);
    for (int i = 0; i < 15; i++)
      step(whole, 1e-3);
    size_t size;
    char *bytes = saved(whole, &size);
    assert_int_equal(pc_world_load(later, bytes, size), PC_OK);
    assert_same_heat(whole, later);
    for (int i = 0; i < 15; i++) {
      step(whole, 1e-3);
      step(later, 1e-3);
    }
    assert_same_heat(whole, later);
    pc_world *cold = shaken_box(3, count, 1, PC_POSITION_LEVEL, false);
    assert_int_equal(pc_world_load(cold, bytes, size), PC_ERROR_INPUT);
    free(bytes);
    pc_world_destroy(whole);
    pc_world_destroy(later);
    pc_world_destroy(cold);
  }
}

// What falling asleep takes becomes heat of the sleeping body; sleeping bodies still cool.
static void bodies_asleep_keep_their_account(void **state)
{
  pc_world_def def = pc_world_def_default();
  def.sleep_after = 0.05;
  def.sleep_speed = 0.5; // it still slides when it falls asleep
  pc_world *world = pc_world_create(&def);
  pc_heat_def heat = pc_heat_def_default();
  heat.exchange = 50;
  heat.specific = 1;
  set_heat(world, &heat);
  set_law(world, 0, 0.1);
  add_floor(world);
  pc_body_def body = pc_body_def_default();
  body.position[2] = 0.1;
  body.velocity[0] = 0.3;
  pc_body block = add(world, &body, pc_shape_box((const double[3]){0.3, 0.3, 0.2}, NULL));
  double frozen = 0, before = 0;
  for (int i = 0; i < 2000; i++) {
    before = pc_body_get_temperature(world, block);
    step(world, 1e-3);
    frozen = pc_world_info(world)->total_frozen;
    if (pc_world_info(world)->asleep > 0 && frozen > 0 && i > 1000)
      break;
  }
  const pc_step_info *info = pc_world_info(world);
  assert_int_equal(info->asleep, 1);
  assert_true(frozen > 0.1);
  assert_near(pc_body_get_temperature(world, block) - 293.15,
              (before - 293.15) * exp(-50 * 0.42 * 1e-3 / 18), 1e-12);
  assert_near(info->thermal + info->total_heat_outside, info->total_dissipated,
              1e-13 * info->total_dissipated);
  step(world, 1e-3);
  assert_true(pc_world_info(world)->drift < 1e-13);
  pc_world_destroy(world);
}

// Energy that a caller gives by setting a temperature or taking a body away is on its line.
static void what_the_caller_changes_is_given(void **state)
{
  const double capacity[2] = {2, 3}, temperature[2] = {300, 400};
  pc_body ball[2];
  pc_world *world = two_balls(1e-6, capacity, temperature, ball);
  step(world, 1e-3); // now they are at rest
  double warm = pc_body_get_heat(world, ball[0]), other = pc_body_get_heat(world, ball[1]);
  double produced = pc_world_info(world)->total_entropy_produced;
  assert_near(warm + other, 1e-6, 1e-15);
  assert_int_equal(pc_body_set_temperature(world, ball[0], 350), PC_OK);
  step(world, 1e-3);
  assert_near(pc_world_info(world)->given, 2 * 50 - warm, 1e-12);
  assert_near(pc_world_info(world)->total_entropy_produced, produced, 1e-14);
  assert_int_equal(pc_world_set_present(world, ball[0], false), PC_OK);
  step(world, 1e-3);
  assert_near(pc_world_info(world)->thermal, other, 1e-15);
  assert_near(pc_world_info(world)->entropy, other / 400, 1e-12);
  assert_near(pc_world_info(world)->total_given, -warm, 1e-12);
  assert_int_equal(pc_world_set_present(world, ball[0], true), PC_OK);
  step(world, 1e-3);
  assert_near(pc_world_info(world)->thermal, 100 + other, 1e-12);
  assert_near(pc_world_info(world)->total_entropy_produced, produced, 1e-14);
  assert_true(pc_world_info(world)->drift < 1e-13 && pc_world_info(world)->closed);
  pc_world_destroy(world);
}

// A bond between two bodies that fly apart only dissipates: heat of both, half each.
static void what_a_bond_takes_heats_its_two_bodies(void **state)
{
  const double capacity[2] = {2, 2}, temperature[2] = {300, 300};
  pc_body ball[2];
  pc_world *world = two_balls(1, capacity, temperature, ball);
  pc_body_state at;
  double points[2][3];
  for (int b = 0; b < 2; b++) {
    pc_body_get(world, ball[b], &at);
    at.velocity[0] *= -1;
    pc_body_set(world, ball[b], &at);
    memcpy(points[b], at.position, sizeof points[b]);
  }
  assert_true(pc_world_add_bond(world, ball, (const double(*)[3])points, 0.1) >= 0);
  for (int i = 0; i < 100; i++)
    step(world, 1e-3);
  const pc_step_info *info = pc_world_info(world);
  double lost = 1 - info->kinetic_translation;
  assert_true(lost > 0.5);
  for (int b = 0; b < 2; b++)
    assert_near(pc_body_get_heat(world, ball[b]), 0.5 * lost, 1e-12);
  pc_world_destroy(world);
}

// A ball hits a row whose balls drift apart while they overlap a little. Contacts that were opening
// are closed, and give energy (P_N times the mean of D_N > 0): here 1.5 J and 0.5 J, out of the
// heat of balls that have next to none. The step says so, whether a ball is left below 0 K or has
// no temperature at all (the second case, where what two balls share has no root).
static void contacts_that_give_more_than_there_is_heat_are_named(void **state)
{
  const double capacity[][4] = {
      {1, 1, 1e-5, 1e-5}, {1, 1, 1 / 650., 1 / 1500.}, {1, 1, 1e-5, 1}, {1, 1, 1, 1}};
  for (int c = 0; c < 4; c++) {
    pc_world_def def = pc_world_def_default();
    def.gravity[2] = 0;
    pc_world *world = pc_world_create(&def);
    pc_heat_def heat = pc_heat_def_default();
    set_heat(world, &heat);
    set_law(world, 0, 0);
    pc_body ball[4];
    for (int b = 0; b < 4; b++) {
      pc_body_def body = pc_body_def_default();
      body.mass = 1;
      body.position[0] = 1.999 * b;
      body.velocity[0] = b == 0 ? 10 : b;
      ball[b] = add(world, &body, pc_shape_sphere(1, NULL));
      assert_int_equal(pc_body_set_capacity(world, ball[b], capacity[c][b]), PC_OK);
    }
    pc_status status = pc_world_step(world, 1e-6);
    if (c < 3) {
      assert_int_equal(status, PC_ERROR_NUMERIC);
      assert_non_null(
          strstr(pc_world_error(world), ": contacts gave more energy than the bodies have heat,"));
    } else {
      assert_int_equal(status, PC_OK); // with heat enough there is nothing wrong with it
      assert_true(pc_body_get_heat(world, ball[3]) < 0);
    }
    pc_world_destroy(world);
  }
}

static void wrong_values_are_refused(void **state)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  pc_body floor = add_floor(world);
  pc_body_def body = pc_body_def_default();
  pc_body ball = add(world, &body, pc_shape_sphere(0.1, NULL));
  assert_int_equal(pc_body_set_temperature(world, ball, 300), PC_ERROR_ARGUMENT); // no heat
  for (int which = 0; which < 6; which++) {
    pc_heat_def heat = pc_heat_def_default();
    double *value[6] = {&heat.specific, &heat.temperature,          &heat.outside,
                        &heat.exchange, &heat.obstacle_temperature, &heat.conductance};
    const double wrong[6] = {0, -1, NAN, -1, 0, INFINITY};
    *value[which] = wrong[which];
    assert_int_equal(pc_world_set_heat(world, &heat), PC_ERROR_ARGUMENT);
    assert_true(strlen(pc_world_error(world)) > 0);
  }
  pc_heat_def heat = pc_heat_def_default();
  set_heat(world, &heat);
  assert_int_equal(pc_body_set_temperature(world, ball, 0), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_body_set_temperature(world, (pc_body){3}, 300), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_body_set_capacity(world, ball, 0), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_body_set_capacity(world, floor, 10), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_body_set_exchange(world, ball, -1), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_world_set_specific_heat(world, 1, 10), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_world_set_specific_heat(world, 0, 10), PC_OK);
  assert_near(pc_body_get_capacity(world, ball), 10 * pc_body_get_mass(world, ball), 1e-12);
  assert_true(isinf(pc_body_get_capacity(world, floor)));
  pc_world_destroy(world);
}

// The string of 3.6 against its own equations, slack, so that only heat moves: the error is of
// second order in the step, and energy stays.
static double conducting_string_error(int steps)
{
  const double lambda = 2e-4, capacity[2] = {0.02, 0.05}, start[2] = {250, 450}, until = 0.5;
  pc_body ball[2];
  pc_world *world = two_balls(0, capacity, start, ball);
  const double points[2][3] = {{-1, 0, 0}, {1, 0, 0}};
  int string = pc_world_add_string(world, ball, points, 10, 1, 0);
  assert_true(string >= 0);
  assert_int_equal(pc_world_set_string_exchange(world, string, -1), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_world_set_string_exchange(world, string + 1, 1), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_world_set_string_exchange(world, string, lambda), PC_OK);
  for (int i = 0; i < steps; i++)
    step(world, until / steps);
  pc_heat_string exact = {
      .ball = {{.mass = 1, .capacity = capacity[0]}, {.mass = 1, .capacity = capacity[1]}},
      .length = 10,
      .exchange = lambda};
  pc_heat_string_state s = {.position = {-1, 1}, .temperature = {start[0], start[1]}};
  pc_error error = {.text = ""};
  assert_ok(pc_heat_string_run(&exact, &s, until, &error), &error);
  double worst = 0, energy = 0;
  for (int b = 0; b < 2; b++) {
    double temperature = pc_body_get_temperature(world, ball[b]);
    worst = fmax(worst, fabs(temperature - s.temperature[b]));
    energy += capacity[b] * (temperature - start[b]);
  }
  assert_near(energy, 0, 1e-12);
  assert_true(s.temperature[0] > 300 && s.temperature[1] < 440); // much has passed
  pc_world_destroy(world);
  return worst;
}

static void a_string_conducts_to_second_order(void **state)
{
  double e[3];
  for (int i = 0; i < 3; i++)
    e[i] = conducting_string_error(10 << i);
  assert_near(log2(e[1] / e[2]), 2, 0.1);
  assert_true(e[2] < 0.01 && e[2] > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_string_conducts_to_second_order),
      cmocka_unit_test(a_collision_shares_its_heat_as_the_theory_has_it),
      cmocka_unit_test(a_sliding_block_heats_by_friction_times_its_way),
      cmocka_unit_test(a_bouncing_ball_ends_with_its_fall_as_heat),
      cmocka_unit_test(bodies_that_touch_even_out_at_the_rate_of_their_conductance),
      cmocka_unit_test(what_a_body_loses_is_heat_whatever_stops_it),
      cmocka_unit_test(conduction_through_a_row_is_of_second_order),
      cmocka_unit_test(bodies_cool_exponentially_through_their_surface),
      cmocka_unit_test(an_obstacle_is_a_reservoir),
      cmocka_unit_test(a_long_run_keeps_its_energy_and_entropy_never_falls),
      cmocka_unit_test(heat_does_not_change_the_motion),
      cmocka_unit_test(threads_do_not_change_temperatures),
      cmocka_unit_test(a_saved_world_goes_on_with_the_same_temperatures),
      cmocka_unit_test(bodies_asleep_keep_their_account),
      cmocka_unit_test(what_the_caller_changes_is_given),
      cmocka_unit_test(what_a_bond_takes_heats_its_two_bodies),
      cmocka_unit_test(contacts_that_give_more_than_there_is_heat_are_named),
      cmocka_unit_test(wrong_values_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
