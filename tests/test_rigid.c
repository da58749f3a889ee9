// Worlds of rigid bodies against closed forms and conservation laws.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/world.h"
#include "worlds.h"

static pc_world *make_world(int dimension, pc_treatment treatment, double gravity)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.treatment = treatment;
  def.penalty = 1e6;
  def.tolerance = 1e-9;
  memset(def.gravity, 0, sizeof def.gravity);
  def.gravity[dimension - 1] = -gravity;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  return world;
}

static pc_body add_sphere(pc_world *world, double radius, double x, double y, double z)
{
  pc_body_def def = pc_body_def_default();
  def.position[0] = x, def.position[1] = y, def.position[2] = z;
  return add(world, &def, pc_shape_sphere(radius, NULL));
}

static void set_law(pc_world *world, double e, double mu)
{
  pc_law law = {.normal = {.kind = e > 0 ? PC_NORMAL_RESTITUTION : PC_NORMAL_INELASTIC, .e = e},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {mu}, .on = PC_ON_AFTER}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
}

static void a_thrown_body_follows_the_parabola(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  pc_body_def def = pc_body_def_default();
  const double size[3] = {0.1, 0.2, 0.3};
  def.velocity[0] = 3, def.velocity[2] = 4;
  def.spin[0] = 1, def.spin[1] = 10, def.spin[2] = 2;
  pc_body box = add(world, &def, pc_shape_box(size, NULL));
  for (int i = 0; i < 1000; i++)
    step(world, 1e-3);
  pc_body_state at;
  pc_body_get(world, box, &at);
  assert_near(at.position[0], 3, 1e-12);
  assert_near(at.position[2], 4 - 0.5 * 9.81, 1e-11);
  assert_near(at.velocity[2], 4 - 9.81, 1e-11);
  assert_near(pc_world_info(world)->drift, 0, 1e-13);
  assert_near(pc_world_time(world), 1, 1e-15);
  pc_world_destroy(world);
}

// A cloud of bodies of all shapes without gravity: momentum is kept, energy never grows.
static void collisions_keep_momentum(void **state)
{
  pc_random random = test_random("collisions_keep_momentum");
  for (int trial = 0; trial < test_count(6); trial++) {
    pc_world *world = make_world(3, trial % 2 ? PC_POSITION_LEVEL : PC_VELOCITY_LEVEL, 0);
    set_law(world, trial % 3 == 0 ? 0.7 : 0, 0.4);
    for (int i = 0; i < 60; i++) {
      pc_body_def def = pc_body_def_default();
      for (int k = 0; k < 3; k++) {
        def.position[k] = 0.5 * (k == 0 ? i % 4 : k == 1 ? i / 4 % 4 : i / 16);
        def.velocity[k] = -def.position[k] + 0.75 + 0.3 * pc_random_normal(&random);
        def.spin[k] = 3 * pc_random_normal(&random);
      }
      for (int k = 0; k < 4; k++)
        def.orientation[k] = pc_random_normal(&random);
      double size[3] = {0.15, 0.25, 0.2};
      add(world, &def,
          i % 4 == 0   ? pc_shape_sphere(0.15, NULL)
          : i % 4 == 1 ? pc_shape_box(size, NULL)
          : i % 4 == 2 ? pc_shape_capsule(0.08, 0.15, NULL)
                       : pc_shape_cylinder(0.1, 0.2, NULL));
    }
    double before[6] = {0}, energy = 0;
    int contacts = 0;
    for (int n = 0; n < 400; n++) {
      double momentum[6] = {0};
      for (int i = 1; i <= 60; i++) {
        pc_body_state s;
        pc_body body = {i};
        pc_body_get(world, body, &s);
        double mass = pc_body_get_mass(world, body);
        for (int k = 0; k < 3; k++)
          momentum[k] += mass * s.velocity[k];
      }
      if (n == 0)
        memcpy(before, momentum, sizeof before);
      for (int k = 0; k < 3; k++)
        assert_near(momentum[k], before[k], 1e-9);
      step(world, 2e-3);
      const pc_step_info *info = pc_world_info(world);
      assert_true(info->closed);
      double now = info->kinetic_translation + info->kinetic_rotation;
      // Only position correction may add energy, and it is booked.
      if (n > 0)
        assert_true(now <= energy + info->correction + 1e-9 * energy);
      energy = now;
      contacts += info->contacts;
    }
    assert_true(contacts > 100);
    assert_near(pc_world_info(world)->drift, 0, 1e-10);
    pc_world_destroy(world);
  }
}

static void what_rests_stays(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  set_law(world, 0, 0.5);
  add_floor(world);
  const double size[3] = {1, 2, 0.5};
  pc_body_def def = pc_body_def_default();
  def.position[2] = 0.25;
  pc_body box = add(world, &def, pc_shape_box(size, NULL));
  def = pc_body_def_default();
  def.position[0] = 3;
  def.position[2] = 0.5;
  pc_body rod = add(world, &def, pc_shape_cylinder(0.3, 1, NULL));
  pc_body ball = add_sphere(world, 0.5, -3, 0, 0.5);
  for (int i = 0; i < 2000; i++)
    step(world, 5e-3);
  pc_body_state at;
  pc_body_get(world, box, &at);
  assert_near(at.position[0], 0, 1e-9);
  assert_near(at.position[2], 0.25, 1e-9);
  assert_near(at.orientation[0], 1, 1e-12);
  pc_body_get(world, rod, &at);
  assert_near(at.position[2], 0.5, 1e-9);
  pc_body_get(world, ball, &at);
  assert_near(at.position[2], 0.5, 1e-9);
  assert_near(at.position[0], -3, 1e-9);
  pc_world_destroy(world);
}

// Two boxes that are pressed together and sheared turn as one: a couple of 20 N m on an inertia of
// 2 (1/6 + 1/4) kg m2. Where nothing falls or moves, round-off must not pass for energy that
// contacts give, which would take their friction away.
static void friction_holds_without_gravity(void **state)
{
  const double size[3] = {1, 1, 1}, h = 0.01;
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  set_law(world, 0, 0.5);
  pc_body box[2];
  for (int i = 0; i < 2; i++) {
    pc_body_def def = pc_body_def_default();
    def.position[0] = i;
    def.mass = 1;
    box[i] = add(world, &def, pc_shape_box(size, NULL));
  }
  const double forces[2][6] = {{100, 0, 20}, {-100, 0, -20}};
  assert_int_equal(pc_world_set_forces(world, box[0], 2, forces), PC_OK);
  step(world, h);
  pc_body_state at[2];
  for (int i = 0; i < 2; i++)
    pc_body_get(world, box[i], &at[i]);
  assert_int_equal(pc_world_info(world)->calmed, 0);
  assert_near(at[0].velocity[2] - at[1].velocity[2], h * 20 / (2 * (1 / 6.0 + 0.25)), 1e-9);
  assert_near(at[0].spin[1], h * 20 / (2 * (1 / 6.0 + 0.25)), 1e-9);
  pc_world_destroy(world);
}

static const double unit_square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};

// Without gravity, viscous friction takes the same part of a velocity at every step (Leon's thesis,
// (2.62) for one contact): u+ = u (2m - k) / (2m + k), here a third, until it is too small to
// count.
static void a_sliding_body_fades_to_rest(void **state)
{
  pc_world *world = make_world(2, PC_POSITION_LEVEL, 0);
  add_floor(world);
  pc_body_def def = pc_body_def_default();
  def.position[1] = 0.5;
  def.velocity[0] = 1;
  def.no_rotation = true;
  pc_body box = add(world, &def, pc_shape_polygon(4, unit_square, true, NULL));
  double mass = pc_body_get_mass(world, box);
  pc_law law = {.normal = {.kind = PC_NORMAL_INELASTIC},
                .tangential = {.kind = PC_TANGENTIAL_VISCOUS, .k = 0.5 * mass}}; // two corners
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
  double expected = 1;
  for (int i = 0; i < 800; i++) {
    pc_body_state at;
    step(world, 1e-3);
    pc_body_get(world, box, &at);
    expected /= 3;
    assert_true(pc_world_info(world)->closed);
    if (expected > 1e-99)
      assert_near(at.velocity[0] / expected, 1, 1e-6);
    else if (expected < 1e-101)
      assert_true(at.velocity[0] == 0);
  }
  pc_world_destroy(world);
}

// A block of blocks against a floor, next to rest: they go on to be at rest, however slow they are.
// Small groups and packed ones.
static void leave_at_rest(int dimension, int side, double speed)
{
  pc_world *world = make_world(dimension, PC_VELOCITY_LEVEL, 0);
  set_law(world, 0, 0.4);
  add_floor(world);
  const double size[3] = {1, 1, 1};
  int count = dimension == 3 ? side * side * side : side * side;
  for (int i = 0; i < count; i++) {
    int place[3] = {i % side, i / side % side, i / (side * side)};
    pc_body_def def = pc_body_def_default();
    for (int a = 0; a < dimension; a++) {
      def.position[a] = 0.49 + 0.999 * place[a];
      def.velocity[a] = speed * sin(1 + 3 * i + a);
    }
    def.spin[2] = speed * cos(i);
    add(world, &def,
        dimension == 3 ? pc_shape_box(size, NULL) : pc_shape_polygon(4, unit_square, true, NULL));
  }
  for (int i = 0; i < 10; i++) {
    step(world, 1e-2);
    assert_true(pc_world_info(world)->closed);
    assert_true(pc_world_contacts(world) > 0);
    for (int b = 1; b <= pc_world_bodies(world); b++) {
      pc_body_state at;
      pc_body_get(world, (pc_body){b}, &at);
      for (int a = 0; a < 3; a++)
        assert_near(fmax(fabs(at.velocity[a]), fabs(at.spin[a])), 0, 10 * speed);
    }
  }
  pc_world_destroy(world);
}

static void what_has_come_to_rest_goes_on(void **state)
{
  const double speed[] = {1e-90, 1e-100, 1e-139, 1e-145, 1e-160, 1e-300, 4e-324};
  for (int i = 0; i < 7; i++) {
    leave_at_rest(2, 2, speed[i]);
    leave_at_rest(2, 10, speed[i]);
    leave_at_rest(3, 2, speed[i]);
    leave_at_rest(3, 4, speed[i]);
  }
}

// A piston under a load: closed form while free, equilibrium with a stop.
static void a_guided_wall_moves_along_its_axis(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  set_law(world, 0, 0.3);
  pc_body_def def = pc_body_def_default();
  const double normal[3] = {-1, 0, 0}, axis[3] = {1, 0, 0};
  def.kind = PC_GUIDED;
  def.mass = 2;
  def.load = -4;
  memcpy(def.guide, axis, sizeof axis);
  def.position[0] = 10;
  pc_body wall = add(world, &def, pc_shape_plane(3, normal, NULL));
  pc_body_def fixed = pc_body_def_default();
  const double right[3] = {1, 0, 0};
  fixed.kind = PC_FIXED;
  add(world, &fixed, pc_shape_plane(3, right, NULL));
  for (int i = 0; i < 1000; i++)
    step(world, 1e-3);
  pc_body_state at;
  pc_body_get(world, wall, &at);
  assert_near(at.position[0], 10 - 0.5 * 2 * 1 * 1, 1e-9);
  assert_near(at.velocity[0], -2, 1e-9);
  // A ball between the two walls ends up squeezed by the load.
  add_sphere(world, 0.5, 0.6, 0, 0);
  for (int i = 0; i < 5000; i++)
    step(world, 1e-3);
  pc_body_get(world, wall, &at);
  assert_near(at.position[0], 1, 1e-4);
  double force = 0;
  for (int c = 0; c < pc_world_contacts(world); c++) {
    pc_contact contact;
    pc_world_contact(world, c, &contact);
    if (contact.bodies[0].id == wall.id)
      force += contact.percussion[0] / 1e-3;
    else if (contact.bodies[1].id == wall.id)
      force -= contact.percussion[0] / 1e-3;
  }
  assert_near(force, 4, 1e-4);
  pc_world_destroy(world);
}

static void a_ball_follows_a_shaken_floor(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  set_law(world, 0, 0.5);
  pc_body_def def = pc_body_def_default();
  const double size[3] = {4, 4, 1};
  def.kind = PC_DRIVEN;
  def.position[2] = -0.5;
  def.motion.translation[2] =
      (pc_signal){.kind = PC_SIGNAL_SINE, .amplitude = 0.02, .frequency = 2};
  add(world, &def, pc_shape_box(size, NULL));
  pc_body ball = add_sphere(world, 0.2, 0, 0, 0.2);
  double work = 0, turn = 6.283185307179586;
  for (int i = 0; i < 1000; i++) {
    step(world, 1e-3);
    pc_body_state at;
    pc_body_get(world, ball, &at);
    // Peak acceleration is 3.2 m/s^2: it never leaves.
    assert_near(at.position[2], 0.2 + 0.02 * sin(turn * 2 * pc_world_time(world)), 2e-4);
    work += pc_world_info(world)->work_prescribed;
    assert_true(pc_world_info(world)->closed);
  }
  const pc_step_info *info = pc_world_info(world);
  assert_near(info->drift, 0, 1e-11);
  assert_near(work, info->total_prescribed, 1e-9);
  pc_world_destroy(world);
}

// A turning drum wall carries a stuck body: the point velocity is that of the turn.
static void a_turntable_carries_a_box(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  set_law(world, 0, 0.8);
  pc_body_def def = pc_body_def_default();
  const double size[3] = {4, 4, 1}, small[3] = {0.2, 0.2, 0.1};
  def.kind = PC_DRIVEN;
  def.position[2] = -0.5;
  def.motion.rotation = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 1.5};
  add(world, &def, pc_shape_box(size, NULL));
  def = pc_body_def_default();
  def.position[0] = 1;
  def.position[2] = 0.05;
  def.velocity[1] = 1.5;
  def.spin[2] = 1.5;
  pc_body box = add(world, &def, pc_shape_box(small, NULL));
  for (int i = 0; i < 2000; i++)
    step(world, 1e-3);
  pc_body_state at;
  pc_body_get(world, box, &at);
  assert_near(at.position[0], cos(3), 1e-5);
  assert_near(at.position[1], sin(3), 1e-5);
  pc_world_destroy(world);
}

// A heavy ball drives a light one against a thin wall, all within one step: the light one is not
// driven through.
static void a_struck_body_does_not_tunnel(void **state)
{
  for (int speed = 1; speed <= 30; speed++) {
    pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
    set_law(world, speed % 2 ? 1 : 0.3, 0);
    pc_body_def def = pc_body_def_default();
    const double size[3] = {0.01, 1, 1};
    def.kind = PC_FIXED;
    def.position[0] = 0.016;
    add(world, &def, pc_shape_box(size, NULL));
    def = pc_body_def_default();
    def.mass = 10;
    def.position[0] = -0.1;
    def.velocity[0] = speed;
    add(world, &def, pc_shape_sphere(0.01, NULL));
    def = pc_body_def_default();
    def.mass = 0.1;
    pc_body light = add(world, &def, pc_shape_sphere(0.01, NULL));
    for (int i = 0; i < 300; i++) {
      step(world, 1e-3);
      pc_body_state at;
      pc_body_get(world, light, &at);
      assert_true(at.position[0] < 0.0011); // it touches at 0.001
    }
    pc_world_destroy(world);
  }
}

// A ball that a slope turns downwards comes out no faster than it went in. The ground is near, but
// as things looked before the blow it was not on the way.
static void a_deflected_body_does_not_tunnel(void **state)
{
  for (int i = 0; i < 40; i++) {
    pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
    set_law(world, 1, 0);
    pc_body_def def = pc_body_def_default();
    const double against[3] = {-sqrt(0.5), 0, -sqrt(0.5)}, up[3] = {0, 0, 1};
    def.kind = PC_FIXED;
    def.position[0] = 0.02;
    add(world, &def, pc_shape_plane(3, against, NULL));
    def.position[2] = -0.0105 - 1e-4 * i;
    add(world, &def, pc_shape_plane(3, up, NULL));
    def = pc_body_def_default();
    def.position[0] = -0.05 + 1e-4 * i;
    def.velocity[0] = 10;
    pc_body ball = add(world, &def, pc_shape_sphere(0.01, NULL));
    for (int n = 0; n < 50; n++) {
      step(world, 1e-3);
      assert_true(pc_world_overlap(world, NULL, NULL) < 2e-4);
    }
    pc_body_state at;
    pc_body_get(world, ball, &at);
    assert_true(hypot(at.velocity[0], at.velocity[2]) < 10 + 1e-9);
    pc_world_destroy(world);
  }
}

static pc_world *balls_in_one_place(int count, uint32_t group)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  pc_error error = {.text = ""};
  pc_shape *ball = pc_shape_sphere(0.1, &error);
  assert_non_null(ball);
  for (int i = 0; i < count; i++) {
    pc_body_def def = pc_body_def_default();
    def.shape = ball;
    def.mass = 1;
    def.group = group;
    assert_true(pc_body_create(world, &def).id > 0);
  }
  pc_shape_release(ball);
  return world;
}

// Bodies of one group that are all in one place have no pairs, and looking for some takes work that
// grows as their number does. Of bodies that may collide too many in one place are refused before
// their pairs fill the memory.
static void crowds_in_one_place_are_bounded(void **state)
{
  long tests[2];
  for (int k = 0; k < 2; k++) {
    pc_world *world = balls_in_one_place(4000 << k, 7);
    step(world, 1e-3);
    tests[k] = pc_world_info(world)->box_tests;
    assert_int_equal(pc_world_info(world)->pairs, 0);
    pc_world_destroy(world);
  }
  assert_true(tests[1] <= 2 * tests[0]);
  pc_world *world = balls_in_one_place(8000, 0);
  assert_true(isnan(pc_world_overlap(world, NULL, NULL)));
  assert_says(pc_world_error(world), "contacts are allowed; move the bodies apart, or put");
  assert_int_equal(pc_world_step(world, 1e-3), PC_ERROR_MEMORY);
  assert_says(pc_world_error(world), "contacts are allowed; move the bodies apart, or put");
  pc_world_destroy(world);
}

// Heaps of balls of any size around one place, so many pairs that they are looked at in parts: the
// deepest pair and the number of those that touch are what trying all of them gives, and a step
// after the question is the step without it.
static void overlaps_are_those_of_all_pairs(void **state)
{
  enum { BALLS = 620 };
  pc_random random = test_random("overlaps");
  for (int n = test_count(1); n > 0; n--) {
    pc_world *world[2];
    double at[BALLS][3], radius[BALLS], depth = 0;
    pc_body body[BALLS], deepest[2], pair[2] = {{0}};
    int touching, count = 0;
    for (int w = 0; w < 2; w++) {
      world[w] = make_world(3, PC_PENALTY, 9.81);
      for (int i = 0; i < BALLS; i++) {
        for (int k = 0; k < 3 && w == 0; k++)
          at[i][k] = pc_random_uniform(&random, -0.5, 0.5);
        radius[i] = w == 0 ? pc_random_uniform(&random, 0.1, 0.7) : radius[i];
        body[i] = add_sphere(world[w], radius[i], at[i][0], at[i][1], at[i][2]);
      }
    }
    for (int i = 0; i < BALLS; i++)
      for (int j = 0; j < i; j++) {
        double x = at[i][0] - at[j][0], y = at[i][1] - at[j][1], z = at[i][2] - at[j][2];
        double overlap = radius[i] + radius[j] - sqrt(x * x + y * y + z * z);
        count += overlap >= 0;
        if (overlap > depth)
          depth = overlap, pair[0] = body[j], pair[1] = body[i];
      }
    assert_near(pc_world_overlap(world[0], deepest, &touching), depth, 1e-12);
    assert_true(count > 105000); // more than one part
    assert_int_equal(touching, count);
    bool turned = deepest[0].id == pair[1].id;
    assert_int_equal(deepest[turned].id, pair[0].id);
    assert_int_equal(deepest[!turned].id, pair[1].id);
    for (int w = 0; w < 2; w++)
      step(world[w], 1e-3);
    for (int i = 0; i < BALLS; i++) {
      pc_body_state one, two;
      pc_body_get(world[0], body[i], &one);
      pc_body_get(world[1], body[i], &two);
      assert_memory_equal(one.position, two.position, sizeof one.position);
      assert_memory_equal(one.velocity, two.velocity, sizeof one.velocity);
    }
    for (int w = 0; w < 2; w++)
      pc_world_destroy(world[w]);
  }
}

// Four balls on the ground, each too deep in the next: all overlaps are to lose a tenth in a step,
// for which the highest has to rise four times as far as the lowest. Nothing gets a velocity.
static void overlaps_of_a_column_shrink_as_fast_as_asked(void **state)
{
  enum { BALLS = 4, STEPS = 22 };
  const double up[3] = {0, 0, 1}, depth = 0.02;
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  pc_body_def def = pc_body_def_default();
  pc_body ball[BALLS];
  def.kind = PC_FIXED;
  add(world, &def, pc_shape_plane(3, up, NULL));
  for (int i = 0; i < BALLS; i++)
    ball[i] = add_sphere(world, 1, 0, 0, 1 + 2 * i - (i + 1) * depth);
  for (int i = 0; i < STEPS; i++)
    step(world, 0.01);
  for (int i = 0; i < BALLS; i++) {
    pc_body_state at;
    pc_body_get(world, ball[i], &at);
    double missing = (1 + 2 * i - at.position[2]) / ((i + 1) * depth);
    assert_near(missing, pow(0.9, STEPS), 0.025);
    assert_near(at.velocity[2], 0, 1e-12);
  }
  pc_world_destroy(world);
}

// The way from the start to the middle of the first step is looked at too.
static void the_first_half_step_is_not_blind(void **state)
{
  for (int i = 1; i < 20; i++) {
    pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
    set_law(world, 0, 0);
    const double size[3] = {0.001, 5, 5};
    pc_body_def def = pc_body_def_default();
    def.kind = PC_FIXED;
    add(world, &def, pc_shape_box(size, NULL));
    def = pc_body_def_default();
    def.mass = 2;
    def.position[0] = -0.01 * i;
    def.velocity[0] = 100;
    pc_body ball = add(world, &def, pc_shape_sphere(0.005, NULL));
    for (int n = 0; n < 5; n++)
      step(world, 1e-3);
    pc_body_state at;
    pc_body_get(world, ball, &at);
    assert_near(at.position[0], -0.0055, 1e-9);
    assert_near(at.velocity[0], 0, 1e-9);
    assert_near(pc_world_info(world)->total_dissipated, 10000, 1e-6);
    pc_world_destroy(world);
  }
}

// And what acts there is told: the contacts of every step explain the change of momentum, from the
// start on and after somebody has moved or thrown the ball.
static void contacts_explain_the_momentum_of_every_step(void **state)
{
  const double h = 1e-3, mass = 3, gravity = 10;
  for (int i = 0; i <= 40; i++) {
    pc_world *world = make_world(3, i % 2 ? PC_POSITION_LEVEL : PC_VELOCITY_LEVEL, gravity);
    set_law(world, 0.3, 0.2);
    pc_body_def def = pc_body_def_default();
    def.kind = PC_FIXED;
    add(world, &def, pc_shape_plane(3, (double[3]){0, 0, 1}, NULL));
    def = pc_body_def_default();
    def.mass = mass;
    def.position[2] = 0.1 + 2.5e-4 * i; // it falls 8 mm in a step
    def.velocity[0] = 2;
    def.velocity[2] = -8;
    pc_body ball = add(world, &def, pc_shape_sphere(0.1, NULL));
    int touched = 0;
    for (int n = 0; n < 20; n++) {
      pc_body_state before, after;
      pc_body_get(world, ball, &before);
      if (n == 10) {
        memcpy(before.position, def.position, sizeof before.position);
        memcpy(before.velocity, def.velocity, sizeof before.velocity);
        pc_body_set(world, ball, &before);
      }
      step(world, h);
      pc_body_get(world, ball, &after);
      double sum[3] = {0, 0, -mass * gravity * h}, dissipated = 0;
      for (int c = 0; c < pc_world_contacts(world); c++) {
        pc_contact contact;
        pc_world_contact(world, c, &contact);
        double sign = contact.bodies[0].id == ball.id ? 1 : -1;
        for (int k = 0; k < 3; k++)
          sum[k] += sign * contact.percussion[k];
        dissipated += contact.dissipated;
      }
      touched += pc_world_info(world)->contacts;
      for (int k = 0; k < 3; k++)
        assert_near(mass * (after.velocity[k] - before.velocity[k]), sum[k], 1e-9);
      assert_near(dissipated, pc_world_info(world)->dissipated, 1e-9);
    }
    assert_true(touched >= 2);
    pc_world_destroy(world);
  }
}

// A struck ball flies into a corner: the second look finds one wall, the third the other one, and
// must not forget the first.
static void a_contact_once_found_stays(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  set_law(world, 1, 0);
  const double flat[3] = {2.02, 2.02, 0.01}, upright[3] = {0.01, 2.02, 2.02};
  const double place[2][3] = {{-0.2952834676999624, 0.448273201895544, 0.14541140570125452},
                              {-0.7904627695908351, 0.7089706527363272, 0.7511078740850207}};
  const double speed[2][3] = {{-60.46856274230811, 57.94000762629824, 299.5014014508415},
                              {59.711762381607755, -82.70880223194779, 64.35102280350429}};
  pc_body_def def = pc_body_def_default();
  def.kind = PC_FIXED;
  def.position[2] = 1.005;
  add(world, &def, pc_shape_box(flat, NULL));
  def = pc_body_def_default();
  def.kind = PC_FIXED;
  def.position[0] = -1.005;
  add(world, &def, pc_shape_box(upright, NULL));
  pc_body ball[2];
  for (int i = 0; i < 2; i++) {
    def = pc_body_def_default();
    def.mass = 1;
    memcpy(def.position, place[i], sizeof place[i]);
    memcpy(def.velocity, speed[i], sizeof speed[i]);
    ball[i] = add(world, &def, pc_shape_sphere(0.08, NULL));
  }
  for (int n = 0; n < 3; n++) {
    step(world, 1e-3);
    for (int i = 0; i < 2; i++) {
      pc_body_state at;
      pc_body_get(world, ball[i], &at);
      assert_true(at.position[0] > -0.921 && at.position[2] < 0.921);
    }
  }
  pc_world_destroy(world);
}

// One end of a fast capsule hits a thin wall and throws the other end at it within the same step.
static void a_thrown_capsule_does_not_tunnel(void **state)
{
  pc_random random = test_random("capsules");
  for (int n = 0; n < test_count(60); n++) {
    pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
    set_law(world, 0, 0.3);
    const double size[3] = {0.001, 5, 5};
    pc_body_def def = pc_body_def_default();
    def.kind = PC_FIXED;
    add(world, &def, pc_shape_box(size, NULL));
    def = pc_body_def_default();
    def.mass = 1;
    def.position[0] = -pc_random_uniform(&random, 0.5, 1);
    def.velocity[0] = 100;
    def.velocity[1] = pc_random_uniform(&random, -5, 5);
    for (int k = 0; k < 4; k++)
      def.orientation[k] = pc_random_normal(&random);
    pc_body capsule = add(world, &def, pc_shape_capsule(0.03, 0.1, NULL));
    for (int i = 0; i < 40; i++) {
      step(world, 1e-3);
      pc_body_state at;
      pc_body_get(world, capsule, &at);
      assert_true(at.position[0] < 0);
    }
    pc_world_destroy(world);
  }
}

// Sticking: spin (5/7) v / r, whatever the way of a step.
static void spin_of_a_blow_does_not_depend_on_the_step(void **state)
{
  for (double h = 1e-3; h > 5e-6; h /= 10) {
    pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
    const double up[3] = {0, 0, 1};
    set_law(world, 0.5, 0.2);
    pc_body_def def = pc_body_def_default();
    def.kind = PC_FIXED;
    add(world, &def, pc_shape_plane(3, up, NULL));
    def = pc_body_def_default();
    def.mass = 1;
    def.position[2] = 0.62;
    def.velocity[0] = 100;
    def.velocity[2] = -100;
    pc_body ball = add(world, &def, pc_shape_sphere(0.1, NULL));
    for (int i = 0; i * h < 0.01; i++)
      step(world, h);
    pc_body_state at;
    pc_body_get(world, ball, &at);
    assert_near(at.velocity[0], 500.0 / 7, 1e-6);
    assert_near(at.spin[1], 5000.0 / 7, 1e-5);
    pc_world_destroy(world);
  }
}

static void a_spring_carries_and_swings(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  pc_body ball = add_sphere(world, 0.1, 0, 0, 0);
  double mass = pc_body_get_mass(world, ball), k = 5000, point[3] = {0}, up[3] = {0, 0, 1};
  assert_true(pc_world_add_spring(world, ball, point, up, k) >= 0);
  // From no load under its weight it swings between 0 and twice the static depth.
  double omega = sqrt(k / mass), depth = mass * 9.81 / k, lowest = 0, h = 1e-4;
  for (int i = 0; i * h < 0.9 * 6.283185307179586 / omega; i++) {
    step(world, h);
    pc_body_state at;
    pc_body_get(world, ball, &at);
    lowest = fmin(lowest, at.position[2]);
    assert_near(at.position[2], -depth * (1 - cos(omega * pc_world_time(world))), 1e-4 * depth);
  }
  assert_near(lowest, -2 * depth, 1e-4 * depth);
  assert_near(pc_world_info(world)->total_stored_error, 0, 1e-6 * mass * 9.81 * depth);
  pc_world_destroy(world);
}

// Of many short steps none leaves anything over, whatever the tolerance for contacts is.
static void springs_and_nets_alone_keep_the_energy(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  const double low[3] = {-0.5, -0.5, -0.5}, high[3] = {0.5, 0.5, 0.5};
  pc_body_def def = pc_body_def_default();
  def.velocity[0] = 3;
  pc_body ball = add(world, &def, pc_shape_sphere(0.1, NULL));
  assert_true(pc_world_add_net(world, low, high, 1e4, false, 1, &ball) >= 0);
  for (int i = 0; i < 20000; i++)
    step(world, 1e-4);
  const pc_step_info *info = pc_world_info(world);
  double start = 0.5 * pc_body_get_mass(world, ball) * 9;
  assert_near(info->total_dissipated, 0, 1e-9 * start);
  assert_near(info->kinetic_translation + info->stored - info->total_stored_error, start,
              1e-9 * start);
  assert_near(info->total_stored_error, 0, 1e-4 * start);
  pc_world_destroy(world);
}

// Stiff as in the seed, with steps far above what an explicit force could bear.
static void a_net_holds_and_is_stable(void **state)
{
  for (int shape = 0; shape < 2; shape++) {
    pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
    pc_body_def def = pc_body_def_default();
    const double size[3] = {0.08, 0.06, 0.05}, low[3] = {-0.25, -0.25, -0.25},
                 high[3] = {0.25, 0.25, 0.25};
    def.velocity[0] = 2, def.velocity[1] = 1.3, def.velocity[2] = 0.7;
    def.spin[0] = 3;
    pc_body body = add(world, &def, shape ? pc_shape_box(size, NULL) : pc_shape_sphere(0.04, NULL));
    assert_true(pc_world_add_net(world, low, high, 1e11, false, 1, &body) >= 0);
    double start = 0;
    for (int i = 0; i < 2000; i++) {
      step(world, 1e-3);
      const pc_step_info *info = pc_world_info(world);
      if (i == 0)
        start = info->kinetic_translation + info->kinetic_rotation;
      assert_true(info->closed);
      double energy = info->kinetic_translation + info->kinetic_rotation;
      assert_true(energy < 1.6 * start);
      pc_body_state at;
      pc_body_get(world, body, &at);
      for (int k = 0; k < 3; k++)
        assert_true(fabs(at.position[k]) < 0.25);
    }
    pc_world_destroy(world);
  }
}

// A net that moves keeps its bodies together and holds them nowhere: their momentum stays, and so
// does their energy with a step that is short for the net.
static void a_net_that_moves_keeps_the_momentum(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  const double low[3] = {-0.25, -0.25, -0.25}, high[3] = {0.25, 0.25, 0.25};
  const double place[3][3] = {{-0.15, 0, 0.01}, {0.15, 0.1, 0}, {0, -0.12, 0.1}};
  const double speed[3][3] = {{-1, 0.3, 5}, {2, -0.2, 5.5}, {0.5, 1, 4}};
  pc_body ball[3];
  double momentum[3] = {0}, mass = 0, kinetic = 0;
  for (int i = 0; i < 3; i++) {
    pc_body_def def = pc_body_def_default();
    memcpy(def.position, place[i], sizeof place[i]);
    memcpy(def.velocity, speed[i], sizeof speed[i]);
    ball[i] = add(world, &def, pc_shape_sphere(0.03 + 0.01 * i, NULL));
    double m = pc_body_get_mass(world, ball[i]);
    mass += m;
    for (int k = 0; k < 3; k++) {
      momentum[k] += m * speed[i][k];
      kinetic += 0.5 * m * speed[i][k] * speed[i][k];
    }
  }
  assert_true(pc_world_add_net(world, low, high, 1e8, true, 3, ball) >= 0);
  int quiet = 0, looked = 0, loaded = 0;
  for (int n = 0; n < 20000; n++) {
    step(world, 1e-4);
    const pc_step_info *info = pc_world_info(world);
    assert_true(info->closed && info->drift < 1e-12);
    quiet = info->stored != 0 ? 0 : quiet + 1;
    loaded += info->stored != 0;
    if (quiet < 3)
      continue;
    double now[3] = {0}, centre[3] = {0};
    pc_body_state at[3];
    for (int i = 0; i < 3; i++) {
      double m = pc_body_get_mass(world, ball[i]);
      pc_body_get(world, ball[i], at + i);
      for (int k = 0; k < 3; k++) {
        now[k] += m * at[i].velocity[k];
        centre[k] += m * at[i].position[k] / mass;
      }
    }
    looked++;
    for (int k = 0; k < 3; k++)
      assert_near(now[k], momentum[k], 1e-12 * mass * 10);
    for (int i = 0; i < 3; i++) // the net started around the origin, the centre not quite
      for (int k = 0; k < 3; k++)
        assert_true(fabs(at[i].position[k] - centre[k]) < 0.3);
  }
  assert_true(looked > 1000 && loaded > 100);
  const pc_step_info *info = pc_world_info(world);
  assert_true(fabs(info->total_stored_error) < 0.05 * kinetic);
  pc_world_destroy(world);
}

static pc_world *random_pile(int dimension, int threads, pc_treatment treatment)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.treatment = treatment;
  def.penalty = 1e5;
  def.threads = threads;
  if (dimension == 2)
    def.gravity[1] = -9.81, def.gravity[2] = 0;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  add_floor(world);
  pc_random random;
  pc_random_seed(&random, 7);
  for (int i = 0; i < 120; i++) {
    pc_body_def body = pc_body_def_default();
    double *x = body.position;
    x[0] = 0.3 * (i % 5) + 0.05 * pc_random_uniform(&random, -1, 1);
    if (dimension == 3)
      x[1] = 0.3 * (i / 5 % 5);
    x[dimension - 1] = 0.2 + 0.35 * (dimension == 3 ? i / 25 : i / 5);
    if (dimension == 2) {
      const double corner[4][2] = {{-0.1, -0.07}, {0.1, -0.07}, {0.12, 0.07}, {-0.1, 0.08}};
      body.orientation[3] = 0.3 * pc_random_normal(&random);
      add(world, &body,
          i % 2 ? pc_shape_disc(0.12, NULL) : pc_shape_polygon(4, corner, true, NULL));
    } else {
      const double size[3] = {0.2, 0.15, 0.12};
      for (int k = 1; k < 4; k++)
        body.orientation[k] = 0.3 * pc_random_normal(&random);
      add(world, &body,
          i % 3 == 0   ? pc_shape_sphere(0.12, NULL)
          : i % 3 == 1 ? pc_shape_box(size, NULL)
                       : pc_shape_capsule(0.07, 0.1, NULL));
    }
  }
  return world;
}

static void *save(pc_world *world, size_t *size)
{
  *size = pc_world_save(world, NULL, 0);
  void *buffer = malloc(*size);
  assert_non_null(buffer);
  assert_int_equal(pc_world_save(world, buffer, *size), *size);
  return buffer;
}

static void expect_same_states(pc_world *a, pc_world *b)
{
  for (int i = 1; i <= pc_world_bodies(a); i++) {
    pc_body_state x, y;
    pc_body_get(a, (pc_body){i}, &x);
    pc_body_get(b, (pc_body){i}, &y);
    assert_memory_equal(&x, &y, sizeof x);
  }
}

static void a_saved_world_goes_on_bit_for_bit(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world *straight = random_pile(dimension, 1, PC_POSITION_LEVEL);
    pc_world *other = random_pile(dimension, 1, PC_POSITION_LEVEL);
    for (int i = 0; i < 150; i++)
      step(straight, 4e-3);
    size_t size;
    void *buffer = save(straight, &size);
    assert_int_equal(pc_world_load(other, buffer, size), PC_OK);
    for (int i = 0; i < 100; i++) {
      step(straight, 4e-3);
      step(other, 4e-3);
    }
    expect_same_states(straight, other);
    assert_true(pc_world_info(straight)->total_dissipated ==
                pc_world_info(other)->total_dissipated);
    assert_int_equal(pc_world_load(other, buffer, size - 1), PC_ERROR_INPUT);
    free(buffer);
    pc_world_destroy(straight);
    pc_world_destroy(other);
  }
}

// Pairs are kept while bodies stay near: a world that is made anew before every step has none.
static void pairs_that_are_kept_change_nothing(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world *straight = random_pile(dimension, 1, PC_POSITION_LEVEL);
    size_t size;
    for (int i = 0; i < test_count(150); i++) {
      pc_world *other = random_pile(dimension, 1, PC_POSITION_LEVEL);
      void *buffer = save(straight, &size);
      assert_int_equal(pc_world_load(other, buffer, size), PC_OK);
      step(straight, 4e-3);
      step(other, 4e-3);
      assert_int_equal(pc_world_contacts(straight), pc_world_contacts(other));
      assert_int_equal(pc_world_info(straight)->pairs, pc_world_info(other)->pairs);
      expect_same_states(straight, other);
      free(buffer);
      pc_world_destroy(other);
    }
    pc_world_destroy(straight);
  }
}

// Of a large world bodies are moved in memory: callers must not see it.
static pc_world *make_shuffled(void)
{
  enum { SIDE = 12 };
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
    int at = i * 1117 % (SIDE * SIDE * SIDE); // prime to it: each place once
    pc_body_def body = pc_body_def_default();
    body.position[0] = 0.25 * (at % SIDE), body.position[1] = 0.25 * (at / SIDE % SIDE);
    body.position[2] = 0.11 + 0.201 * (at / (SIDE * SIDE));
    body.mass = 1 + i;
    add(world, &body, pc_shape_sphere(0.1, NULL));
    if (i == 700)
      add_floor(world);
  }
  double push[6] = {0, 3, 0};
  assert_int_equal(pc_world_add_load(world, (pc_body){5}, push, NULL), PC_OK);
  return world;
}

static void count_calls(void *context, double time, pc_body body, const pc_body_state *state,
                        double force[6])
{
  int *last = context;
  assert_true(body.id > *last);
  *last = body.id;
  force[0] = body.id == 9 ? 1 : 0;
}

static const double LANDED = 0.08; // s: the columns are on the floor

// Contacts name bodies that touch: neighbours in a column, or the lowest of one and the floor.
static void expect_touching(const pc_world *world)
{
  enum { FLOOR = 702 };
  int contacts = pc_world_contacts(world), on_floor = 0;
  assert_true(contacts > 400);
  for (int c = 0; c < contacts; c++) {
    pc_contact contact;
    pc_world_contact(world, c, &contact);
    pc_body_state one, two;
    pc_body_get(world, contact.bodies[0], &one);
    pc_body_get(world, contact.bodies[1], &two);
    if (contact.bodies[0].id == FLOOR || contact.bodies[1].id == FLOOR) {
      assert_near(contact.bodies[0].id == FLOOR ? two.position[2] : one.position[2], 0.1, 5e-3);
      on_floor++;
      continue;
    }
    double far = hypot(hypot(one.position[0] - two.position[0], one.position[1] - two.position[1]),
                       one.position[2] - two.position[2]);
    assert_near(far, 0.2, 5e-3);
  }
  assert_true(on_floor > 100 && on_floor < contacts);
}

static void large_worlds_keep_their_numbers(void **state)
{
  pc_world *world = make_shuffled(), *other = make_shuffled();
  int bodies = pc_world_bodies(world), last = 0;
  pc_body_state *before = calloc((size_t)bodies + 1, sizeof *before);
  for (int i = 1; i <= bodies; i++)
    pc_body_get(world, (pc_body){i}, &before[i]);
  assert_int_equal(pc_world_add_force(world, count_calls, &last), PC_OK);
  for (int k = 0; k < 20; k++) {
    last = 0;
    step(world, 1e-3);
  }
  assert_int_equal(last, bodies);
  for (int i = 1; i <= bodies; i++) {
    pc_body_state now;
    pc_body_get(world, (pc_body){i}, &now);
    if (i == 702) {
      assert_int_equal(pc_body_get_kind(world, (pc_body){i}), PC_FIXED);
      continue;
    }
    double mass = i < 702 ? i : i - 1;
    assert_near(pc_body_get_mass(world, (pc_body){i}), mass, 0);
    for (int k = 0; k < 3; k++)
      assert_near(now.position[k], before[i].position[k], 5e-3);
    assert_near(now.velocity[0], i == 9 ? 0.02 / mass : 0, 1e-6);
    assert_near(now.velocity[1], i == 5 ? 3 * 0.02 / mass : 0, 1e-6);
  }
  while (pc_world_time(world) < LANDED) {
    last = 0;
    step(world, 1e-3);
  }
  expect_touching(world);
  pc_world_destroy(world);

  // Saved and loaded, into a world that is new and into one that has an order already.
  world = make_shuffled();
  while (pc_world_time(world) < LANDED)
    step(world, 1e-3);
  expect_touching(world);
  size_t size;
  void *buffer = save(world, &size);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(pc_world_load(other, buffer, size), PC_OK);
    for (int i = 0; i < 10; i++)
      step(other, 1e-3);
  }
  for (int k = 0; k < 10; k++)
    step(world, 1e-3);
  expect_touching(other);
  expect_same_states(world, other);
  free(buffer);
  free(before);
  pc_world_destroy(world);
  pc_world_destroy(other);
}

static void threads_do_not_change_the_answer(void **state)
{
  pc_world *one = random_pile(3, 1, PC_POSITION_LEVEL), *two = random_pile(3, 2, PC_POSITION_LEVEL),
           *three = random_pile(3, 3, PC_POSITION_LEVEL);
  for (int i = 0; i < 150; i++) {
    step(one, 4e-3);
    step(two, 4e-3);
    step(three, 4e-3);
  }
  expect_same_states(one, two);
  expect_same_states(one, three);
  pc_world_destroy(one);
  pc_world_destroy(two);
  pc_world_destroy(three);
}

static pc_world *flat_pyramid(int base)
{
  pc_world_def def = pc_world_def_default();
  const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  def.dimension = 2;
  def.gravity[2] = 0;
  def.gravity[1] = -9.81;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  add_floor(world);
  for (int row = 0; row < base; row++)
    for (int i = 0; i < base - row; i++) {
      pc_body_def box = pc_body_def_default();
      box.position[0] = i - 0.5 * (base - row - 1);
      box.position[1] = row + 0.5;
      add(world, &box, pc_shape_polygon(4, corner, true, NULL));
    }
  return world;
}

static void what_rests_stays_to_the_last_bit(void **state)
{
  pc_world *before = flat_pyramid(30), *after = flat_pyramid(30);
  for (int i = 0; i < 20; i++) {
    const pc_step_info *info = step(after, 0.01);
    assert_true(info->closed);
    assert_int_equal(info->iterations, 0);
    assert_true(info->residual < 1e-12);
  }
  expect_same_states(before, after);
  pc_world_destroy(before);
  pc_world_destroy(after);
}

static void *saved(const pc_world *world, size_t *size)
{
  *size = pc_world_save(world, NULL, 0);
  void *bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(pc_world_save(world, bytes, *size), *size);
  return bytes;
}

typedef void edit(pc_world *world);

// A step after an edit is the same in a world that was loaded, which knows of no step before.
static void expect_step_of_loaded(pc_world *world, pc_world *loaded, edit *change)
{
  size_t size, other;
  void *bytes = saved(world, &size);
  assert_int_equal(pc_world_load(loaded, bytes, size), PC_OK);
  free(bytes);
  if (change != NULL) {
    change(world);
    change(loaded);
  }
  step(world, 0.01);
  step(loaded, 0.01);
  bytes = saved(world, &size);
  void *others = saved(loaded, &other);
  assert_int_equal(size, other);
  assert_memory_equal(bytes, others, size);
  free(bytes);
  free(others);
}

static void make_slippery(pc_world *world)
{
  pc_law law = {.normal = {.kind = PC_NORMAL_INELASTIC},
                .tangential = {.kind = PC_TANGENTIAL_NONE}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
}

static void push_one(pc_world *world)
{
  const double force[1][6] = {{0.5}};
  assert_int_equal(pc_world_set_forces(world, (pc_body){40}, 1, force), PC_OK);
}

static void kick_one(pc_world *world)
{
  pc_body_state state;
  pc_body_get(world, (pc_body){50}, &state);
  state.velocity[0] = 0.1;
  assert_int_equal(pc_world_change(world, 1, &(pc_body){50}, &state), PC_OK);
}

static void add_one(pc_world *world)
{
  pc_body_def def = pc_body_def_default();
  def.position[0] = 40;
  def.position[1] = 1;
  add(world, &def, pc_shape_disc(0.5, NULL));
}

// Steps that change nothing are not computed; a caller sees no difference.
static void steps_that_change_nothing_are_as_if_computed(void **state)
{
  edit *const edits[] = {NULL, push_one, make_slippery, kick_one};
  for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
    pc_world *world = flat_pyramid(10), *loaded = flat_pyramid(10);
    for (int i = 0; i < 5; i++)
      expect_step_of_loaded(world, loaded, NULL);
    for (int i = 0; i < 5; i++)
      step(world, 0.01);
    expect_step_of_loaded(world, loaded, edits[e]);
    for (int i = 0; i < 3; i++)
      expect_step_of_loaded(world, loaded, NULL);
    assert_near(pc_world_time(world), 0.14, 1e-15);
    pc_world_destroy(world);
    pc_world_destroy(loaded);
  }
  pc_world *world = flat_pyramid(10);
  for (int i = 0; i < 5; i++)
    step(world, 0.01);
  add_one(world); // it falls
  step(world, 0.01);
  assert_true(pc_world_info(world)->kinetic_translation > 0);
  pc_world_destroy(world);
}

static void the_account_closes_in_every_treatment(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int treatment = 0; treatment < 3; treatment++) {
      pc_world *world = random_pile(dimension, 1, (pc_treatment)treatment);
      for (int i = 0; i < 200; i++) {
        step(world, 2e-3);
        assert_true(pc_world_info(world)->closed);
      }
      assert_near(pc_world_info(world)->drift, 0, 1e-11);
      pc_world_destroy(world);
    }
}

static double falling(void *context, double time)
{
  return *(double *)context * time;
}

static void push_up(void *context, double time, pc_body body, const pc_body_state *state,
                    double force[6])
{
  force[2] = falling(context, time); // grows with time
  force[5] = -0.1 * state->spin[2];
}

static void forces_come_from_callbacks_and_loads(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  pc_body ball = add_sphere(world, 0.1, 0, 0, 0);
  double mass = pc_body_get_mass(world, ball), rate = 2;
  assert_int_equal(pc_world_add_force(world, push_up, &rate), PC_OK);
  const double load[6] = {3, 0, 0, 0, 0, 0};
  assert_int_equal(pc_world_add_load(world, ball, load, NULL), PC_OK);
  for (int i = 0; i < 1000; i++)
    step(world, 1e-3);
  pc_body_state at;
  pc_body_get(world, ball, &at);
  assert_near(at.velocity[2], 0.5 * rate / mass, 1e-12);
  assert_near(at.velocity[0], 3 / mass, 1e-12);
  assert_near(at.position[0], 1.5 / mass, 1e-12);
  const pc_step_info *info = pc_world_info(world);
  assert_near(info->total_forces, info->kinetic_translation, 1e-10);
  pc_world_destroy(world);
}

// With driven obstacles bodies are placed before forces are asked for.
static void forces_that_are_set_act_beside_driven_obstacles(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 0);
  pc_body ball = add_sphere(world, 0.1, 0, 0, 0);
  pc_body_def def = pc_body_def_default();
  def.kind = PC_DRIVEN;
  def.position[0] = 9;
  def.motion.translation[0] = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 1};
  add(world, &def, pc_shape_sphere(0.1, NULL));
  const double force[1][6] = {{3}}, none[1][6] = {{NAN}};
  double mass = pc_body_get_mass(world, ball);
  assert_int_equal(pc_world_set_forces(world, ball, 1, force), PC_OK);
  for (int i = 0; i < 10; i++)
    step(world, 1e-3);
  pc_body_state at;
  pc_body_get(world, ball, &at);
  assert_near(at.velocity[0], 3 * 0.01 / mass, 1e-13);
  assert_int_equal(pc_world_set_forces(world, ball, 1, none), PC_OK);
  assert_int_equal(pc_world_step(world, 1e-3), PC_ERROR_NUMERIC);
  assert_non_null(strstr(pc_world_error(world), "force on body 1"));
  pc_world_destroy(world);
}

static void a_state_of_space_is_refused_in_the_plane(void **state)
{
  pc_world *space = make_world(3, PC_POSITION_LEVEL, 9.81);
  pc_world *plane = make_world(2, PC_POSITION_LEVEL, 9.81);
  add_sphere(space, 0.1, 0, 0, 0);
  pc_body_def def = pc_body_def_default();
  pc_body disc = add(plane, &def, pc_shape_disc(0.1, NULL));
  char bytes[20000];
  step(space, 1e-3);
  size_t size = pc_world_save(space, bytes, sizeof bytes);
  assert_true(size < sizeof bytes);
  assert_int_equal(pc_world_load(plane, bytes, size), PC_ERROR_INPUT);
  assert_non_null(strstr(pc_world_error(plane), "in the plane"));
  pc_body_state at;
  pc_body_get(plane, disc, &at);
  at.velocity[2] = 1;
  assert_int_equal(pc_body_set(plane, disc, &at), PC_ERROR_ARGUMENT);
  size = pc_world_save(plane, bytes, sizeof bytes);
  assert_int_equal(pc_world_load(plane, bytes, size), PC_OK);
  pc_world_destroy(space);
  pc_world_destroy(plane);
}

static void no_force(void *context, double time, pc_body body, const pc_body_state *state,
                     double force[6])
{
  force[0] = NAN;
}

static void a_force_that_is_no_number_is_refused(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  add_sphere(world, 0.1, 0, 0, 0);
  assert_int_equal(pc_world_add_force(world, no_force, NULL), PC_OK);
  assert_int_equal(pc_world_step(world, 1e-3), PC_ERROR_NUMERIC);
  assert_non_null(strstr(pc_world_error(world), "force on body 1"));
  pc_world_destroy(world);
}

// A velocity may be finite whose energy is not: no energy balance leaves such a step.
static void energies_beyond_all_numbers_stop_the_world(void **state)
{
  pc_world_def def = pc_world_def_default();
  def.gravity[2] = -1e140;
  pc_world *world = pc_world_create(&def);
  pc_body_def body = pc_body_def_default();
  body.mass = 1;
  add(world, &body, pc_shape_sphere(1, NULL));
  assert_int_equal(pc_world_step(world, 1e-3), PC_OK);
  body.mass = 1e90;
  add(world, &body, pc_shape_sphere(1, NULL));
  assert_int_equal(pc_world_step(world, 1e-3), PC_ERROR_NUMERIC);
  assert_non_null(
      strstr(pc_world_error(world), ": the energies are not finite; try a shorter step"));
  pc_world_destroy(world);
}

static void wrong_bodies_are_refused(void **state)
{
  pc_world *world = make_world(3, PC_POSITION_LEVEL, 9.81);
  pc_body_def def = pc_body_def_default();
  assert_int_equal(pc_body_create(world, &def).id, 0);
  def.shape = pc_shape_disc(1, NULL);
  assert_int_equal(pc_body_create(world, &def).id, 0);
  assert_non_null(strstr(pc_world_error(world), "dimension 3"));
  pc_shape_release(def.shape);
  const double up[3] = {0, 0, 1};
  def.shape = pc_shape_plane(3, up, NULL);
  assert_int_equal(pc_body_create(world, &def).id, 0);
  pc_shape_release(def.shape);
  def.shape = pc_shape_sphere(1, NULL);
  def.material = 5;
  assert_int_equal(pc_body_create(world, &def).id, 0);
  def.material = 0;
  def.velocity[0] = NAN;
  assert_int_equal(pc_body_create(world, &def).id, 0);
  def.velocity[0] = 0;
  def.inertia[0] = 1, def.inertia[4] = 1, def.inertia[8] = 3;
  assert_int_equal(pc_body_create(world, &def).id, 0);
  memset(def.inertia, 0, sizeof def.inertia);
  assert_int_not_equal(pc_body_create(world, &def).id, 0);
  assert_int_equal(pc_world_step(world, 0), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_world_step(world, NAN), PC_ERROR_ARGUMENT);
  pc_shape_release(def.shape);
  pc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thrown_body_follows_the_parabola),
      cmocka_unit_test(collisions_keep_momentum),
      cmocka_unit_test(what_rests_stays),
      cmocka_unit_test(friction_holds_without_gravity),
      cmocka_unit_test(a_sliding_body_fades_to_rest),
      cmocka_unit_test(what_has_come_to_rest_goes_on),
      cmocka_unit_test(a_guided_wall_moves_along_its_axis),
      cmocka_unit_test(a_ball_follows_a_shaken_floor),
      cmocka_unit_test(a_turntable_carries_a_box),
      cmocka_unit_test(a_struck_body_does_not_tunnel),
      cmocka_unit_test(a_deflected_body_does_not_tunnel),
      cmocka_unit_test(the_first_half_step_is_not_blind),
      cmocka_unit_test(contacts_explain_the_momentum_of_every_step),
      cmocka_unit_test(a_contact_once_found_stays),
      cmocka_unit_test(a_thrown_capsule_does_not_tunnel),
      cmocka_unit_test(spin_of_a_blow_does_not_depend_on_the_step),
      cmocka_unit_test(a_force_that_is_no_number_is_refused),
      cmocka_unit_test(a_spring_carries_and_swings),
      cmocka_unit_test(springs_and_nets_alone_keep_the_energy),
      cmocka_unit_test(a_net_holds_and_is_stable),
      cmocka_unit_test(a_net_that_moves_keeps_the_momentum),
      cmocka_unit_test(a_saved_world_goes_on_bit_for_bit),
      cmocka_unit_test(pairs_that_are_kept_change_nothing),
      cmocka_unit_test(overlaps_are_those_of_all_pairs),
      cmocka_unit_test(crowds_in_one_place_are_bounded),
      cmocka_unit_test(overlaps_of_a_column_shrink_as_fast_as_asked),
      cmocka_unit_test(large_worlds_keep_their_numbers),
      cmocka_unit_test(threads_do_not_change_the_answer),
      cmocka_unit_test(what_rests_stays_to_the_last_bit),
      cmocka_unit_test(steps_that_change_nothing_are_as_if_computed),
      cmocka_unit_test(the_account_closes_in_every_treatment),
      cmocka_unit_test(forces_come_from_callbacks_and_loads),
      cmocka_unit_test(forces_that_are_set_act_beside_driven_obstacles),
      cmocka_unit_test(a_state_of_space_is_refused_in_the_plane),
      cmocka_unit_test(energies_beyond_all_numbers_stop_the_world),
      cmocka_unit_test(wrong_bodies_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
