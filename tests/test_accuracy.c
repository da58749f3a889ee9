// The accuracy of a step: a length, checked against the velocities that bodies have.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/small.h"
#include "worlds.h"

static const double h = 0.01, mu = 0.5, radius = 0.5;
enum { SIDE = 9, LAYERS = 8, STEPS = 90 };

// Balls that fall into a box of planes, about 2000 contacts when they are down.
static pc_world *make_heap(const pc_world_def *def)
{
  pc_world *world = pc_world_create(def);
  assert_non_null(world);
  pc_random random;
  pc_random_seed(&random, 7);
  add_floor(world);
  for (int wall = 0; wall < 4; wall++) {
    pc_body_def side = pc_body_def_default();
    double normal[3] = {0}, far = wall % 2 == 0 ? 0 : SIDE * 1.1;
    normal[wall / 2] = wall % 2 == 0 ? 1 : -1;
    side.kind = PC_FIXED;
    side.position[wall / 2] = far;
    add(world, &side, pc_shape_plane(3, normal, NULL));
  }
  for (int i = 0; i < SIDE * SIDE * LAYERS; i++) {
    pc_body_def ball = pc_body_def_default();
    ball.position[0] = 0.55 + 1.1 * (i % SIDE);
    ball.position[1] = 0.55 + 1.1 * (i / SIDE % SIDE);
    ball.position[2] = 0.6 + 1.1 * (i / SIDE / SIDE);
    for (int k = 0; k < 3; k++) {
      ball.position[k] += pc_random_uniform(&random, -0.025, 0.025);
      ball.velocity[k] = pc_random_uniform(&random, -0.5, 0.5);
    }
    add(world, &ball, pc_shape_sphere(radius, NULL));
  }
  return world;
}

static void velocity_at(const pc_world *world, pc_body body, const double point[3], double v[3])
{
  pc_body_state at;
  double arm[3], turn[3];
  pc_body_get(world, body, &at);
  for (int k = 0; k < 3; k++) // contacts are those of the middle of the step
    arm[k] = point[k] - (at.position[k] - 0.5 * h * at.velocity[k]);
  pc_cross(at.spin, arm, turn);
  for (int k = 0; k < 3; k++)
    v[k] = at.velocity[k] + turn[k];
}

// By how much the contacts of the last step are off, from what callers see: overlap at the next
// middle, and slip of contacts that stick.
static double worst_contact(const pc_world *world)
{
  double worst = 0;
  for (int i = 0; i < pc_world_contacts(world); i++) {
    pc_contact c;
    double a[3], b[3], v[3], along, push, across = 0, slip = 0;
    pc_world_contact(world, i, &c);
    velocity_at(world, c.bodies[0], c.point, a);
    velocity_at(world, c.bodies[1], c.point, b);
    for (int k = 0; k < 3; k++)
      v[k] = a[k] - b[k];
    along = pc_dot3(v, c.normal);
    push = pc_dot3(c.percussion, c.normal);
    for (int k = 0; k < 3; k++) {
      across += pow(c.percussion[k] - push * c.normal[k], 2);
      slip += pow(v[k] - along * c.normal[k], 2);
    }
    worst = fmax(worst, -h * along - fmax(c.gap, 0));
    if (sqrt(across) < 0.9 * mu * push)
      worst = fmax(worst, h * sqrt(slip));
  }
  return worst;
}

static void a_moving_heap_is_exact_to_the_length(void **state)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = make_heap(&def);
  double largest = 0;
  long sweeps = 0, contacts = 0;
  for (int k = 0; k < STEPS; k++) {
    const pc_step_info *info = step(world, h);
    assert_near(info->accuracy, 2e-4 * 2 * radius, 1e-15);
    assert_int_equal(info->status, PC_SOLVED);
    // Overlaps that are pushed out move bodies a little after the solve.
    assert_true(worst_contact(world) <= info->contact_error + 5e-3 * info->accuracy);
    assert_true(info->contact_error <= info->accuracy);
    largest = fmax(largest, info->contact_error);
    sweeps += info->iterations;
    contacts = info->contacts;
  }
  assert_true(contacts > 1000);
  assert_true(largest > 0.5 * 2e-4); // what moves is not solved much better than that
  assert_true(sweeps < 100 * STEPS);
  pc_world_destroy(world);
}

static void a_finer_length_is_reached_or_missed_in_so_many_words(void **state)
{
  pc_world_def def = pc_world_def_default();
  def.accuracy = 1e-6;
  pc_world *world = make_heap(&def);
  int missed = 0;
  for (int k = 0; k < STEPS; k++) {
    const pc_step_info *info = step(world, h);
    assert_true(info->accuracy == 1e-6);
    missed += info->status != PC_SOLVED;
    assert_true(info->status != PC_SOLVED || info->contact_error <= 1e-6 || info->residual <= 1e-4);
  }
  assert_true(missed < STEPS / 4);
  pc_world_destroy(world);
}

static void with_a_tolerance_the_residual_decides(void **state)
{
  pc_world_def def = pc_world_def_default();
  def.tolerance = 1e-3;
  pc_world *world = make_heap(&def);
  for (int k = 0; k < STEPS; k++) {
    const pc_step_info *info = step(world, h);
    assert_true(info->accuracy == 0);
    assert_int_equal(info->status == PC_SOLVED, info->residual <= 1e-3);
  }
  pc_world_destroy(world);
}

// However short a step is, it carries weights: the length is no more than a part of what gravity
// does in it.
static void short_steps_are_exact_to_what_forces_do(void **state)
{
  const double length = 1e-3;
  pc_world_def def = pc_world_def_default();
  pc_world *world = make_heap(&def);
  for (int k = 0; k < STEPS; k++)
    step(world, h);
  for (int k = 0; k < 30; k++) {
    const pc_step_info *info = step(world, length);
    assert_true(info->contact_error < 0.5 * 9.81 * length * length);
  }
  pc_world_destroy(world);
}

static pc_body add_box(pc_world *world, double x, double y, double z, double a, double b, double c)
{
  pc_body_def def = pc_body_def_default();
  def.position[0] = x, def.position[1] = y, def.position[2] = z;
  return add(world, &def, pc_shape_box((double[3]){a, b, c}, NULL));
}

// A step in which a body moves by less than the length is no reason to let it pass.
static void what_is_slow_does_not_pass_into_others(void **state)
{
  pc_world_def def = pc_world_def_default();
  def.gravity[2] = 0;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  for (int i = 0; i < 64; i++)
    add_box(world, 0.2 * (i % 4), 0.2 * (i / 4 % 4), 0.2 * (i / 16), 0.2, 0.2, 0.2);
  pc_body_def ball = pc_body_def_default();
  pc_body_state at;
  ball.position[0] = -0.201, ball.position[1] = ball.position[2] = 0.35;
  ball.velocity[0] = 0.1;
  pc_body body = add(world, &ball, pc_shape_sphere(0.1, NULL));
  for (int k = 0; k < 400; k++)
    assert_true(step(world, 1e-4)->deepest < 1e-5);
  pc_body_get(world, body, &at);
  assert_true(at.velocity[0] < 0.02); // it would be 0.1
  pc_world_destroy(world);
}

// A wall stays where it is while a ball rolls along its top: one island, most of which is at rest.
static void what_rests_below_what_moves_does_not_creep(void **state)
{
  enum { LONG = 6, HIGH = 8, STONES = LONG * HIGH };
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  pc_body stone[STONES];
  double start[STONES][3];
  pc_body_state at;
  add_floor(world);
  for (int i = 0; i < STONES; i++) {
    int row = i / LONG;
    double x = 0.2 + 0.4 * (i % LONG) + 0.2 * (row % 2);
    stone[i] = add_box(world, x, 0, 0.1 + 0.2 * row, 0.4, 0.2, 0.2);
  }
  pc_body_def ball = pc_body_def_default();
  ball.position[0] = 0.5, ball.position[2] = 0.2 * HIGH + 0.1;
  ball.velocity[0] = 0.5, ball.spin[1] = 5;
  add(world, &ball, pc_shape_sphere(0.1, NULL));
  for (int k = 0; k < 2000; k++) {
    assert_int_equal(step(world, 1e-3)->status, PC_SOLVED);
    for (int i = 0; i < STONES && k == 500; i++) {
      pc_body_get(world, stone[i], &at);
      memcpy(start[i], at.position, sizeof start[i]);
    }
  }
  assert_true(pc_world_info(world)->contacts > 300);
  for (int i = 0; i < STONES; i++) {
    pc_body_get(world, stone[i], &at);
    for (int k = 0; k < 3; k++)
      assert_near(at.position[k], start[i][k], 3e-6);
  }
  pc_world_destroy(world);
}

static void threads_do_not_change_the_answer(void **state)
{
  double end[3][3] = {{0}};
  for (int threads = 1; threads <= 3; threads++) {
    pc_world_def def = pc_world_def_default();
    def.threads = threads;
    pc_world *world = make_heap(&def);
    for (int k = 0; k < STEPS; k++)
      step(world, h);
    for (int i = 0; i < pc_world_bodies(world); i++) {
      pc_body_state at;
      pc_body_get(world, (pc_body){i + 1}, &at);
      for (int k = 0; k < 3; k++)
        end[threads - 1][k] += at.position[k] * (1 + i % 7);
    }
    pc_world_destroy(world);
  }
  assert_memory_equal(end[0], end[1], sizeof end[0]);
  assert_memory_equal(end[0], end[2], sizeof end[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moving_heap_is_exact_to_the_length),
      cmocka_unit_test(a_finer_length_is_reached_or_missed_in_so_many_words),
      cmocka_unit_test(with_a_tolerance_the_residual_decides),
      cmocka_unit_test(short_steps_are_exact_to_what_forces_do),
      cmocka_unit_test(what_is_slow_does_not_pass_into_others),
      cmocka_unit_test(what_rests_below_what_moves_does_not_creep),
      cmocka_unit_test(threads_do_not_change_the_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
