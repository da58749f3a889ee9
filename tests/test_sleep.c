// Islands that rest fall asleep and wake again: which, when, with what energy, and at what cost.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/world.h"
#include "worlds.h"

static const double h = 2e-3;

static pc_world_def definition(int dimension, double after, int threads)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.gravity[2] = 0;
  def.gravity[dimension - 1] = -9.81;
  def.sleep_after = after;
  def.threads = threads;
  return def;
}

static pc_world *make_world(int dimension, double after)
{
  pc_world_def def = definition(dimension, after, 1);
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  return world;
}

static pc_body add_box(pc_world *world, double x, double z)
{
  pc_body_def def = pc_body_def_default();
  def.position[0] = x, def.position[2] = z;
  return add(world, &def, pc_shape_box((double[3]){1, 1, 1}, NULL));
}

// Boxes one on the other; gives the lowest, the others follow.
static pc_body add_stack(pc_world *world, int count, double x)
{
  pc_body first = add_box(world, x, 0.5);
  for (int i = 1; i < count; i++)
    add_box(world, x, 0.5 + i);
  return first;
}

static pc_body add_ball(pc_world *world, double x, double y, double z)
{
  pc_body_def def = pc_body_def_default();
  def.position[0] = x, def.position[1] = y, def.position[2] = z;
  return add(world, &def, pc_shape_sphere(0.3, NULL));
}

// Steps until so many sleep, but not longer than `most` seconds.
static void step_until_asleep(pc_world *world, int count, double most)
{
  while (pc_world_info(world)->asleep < count && pc_world_time(world) < most)
    step(world, h);
  assert_int_equal(pc_world_info(world)->asleep, count);
}

static pc_body_state state_of(const pc_world *world, pc_body body)
{
  pc_body_state state;
  pc_body_get(world, body, &state);
  return state;
}

static void a_stack_sleeps_at_no_cost_and_wakes_when_it_is_struck(void **state)
{
  pc_world *world = make_world(3, 0.2), *awake = make_world(3, 0);
  pc_body top[2], other = {0}, ball[2];
  for (int w = 0; w < 2; w++) {
    pc_world *of = w == 0 ? world : awake;
    add_floor(of);
    top[w] = (pc_body){add_stack(of, 4, 0).id + 3};
    other = add_stack(of, 3, 10);
    ball[w] = add_ball(of, 0.05, 0.02, 6);
  }
  step_until_asleep(world, 7, 0.5);
  pc_body_state before = state_of(world, top[0]), apart = state_of(world, other);
  assert_near(before.velocity[2], 0, 0);
  while (pc_world_info(world)->asleep == 7) { // the ball falls
    assert_true(pc_world_time(world) < 2);
    const pc_step_info *info = step(world, h);
    if (info->asleep < 7)
      break;
    assert_int_equal(info->contacts, 0);
    assert_int_equal(info->islands, 0);
    assert_int_equal(info->iterations, 0);
    assert_true(info->pairs <= 2); // of the ball, with the floor and the highest box
    pc_body_state now = state_of(world, top[0]);
    assert_memory_equal(&now, &before, sizeof now);
  }
  // The stack that is struck wakes in the step of the impact, the other does not.
  assert_int_equal(pc_world_info(world)->asleep, 3);
  assert_true(pc_world_info(world)->contacts >= 16 + 1);
  while (pc_world_time(awake) < pc_world_time(world) - 0.5 * h)
    step(awake, h);
  for (int k = 0; k < 200; k++) {
    pc_body_state one = state_of(world, ball[0]), two = state_of(awake, ball[1]);
    assert_near(one.velocity[2], two.velocity[2], 1e-3);
    one = state_of(world, top[0]), two = state_of(awake, top[1]);
    assert_near(one.position[2], two.position[2], 1e-4);
    step(world, h);
    step(awake, h);
  }
  pc_body_state still = state_of(world, other);
  assert_memory_equal(&still, &apart, sizeof still);
  assert_true(pc_world_info(world)->drift < 1e-12);
  pc_world_destroy(world);
  pc_world_destroy(awake);
}

static void where_all_sleep_nothing_is_looked_at(void **state)
{
  pc_world *world = make_world(3, 0.1);
  add_floor(world);
  add_stack(world, 3, 0);
  add_stack(world, 2, 1.001); // boxes overlap, bodies do not
  step_until_asleep(world, 5, 1);
  const pc_step_info *info = step(world, h);
  assert_int_equal(info->pairs + info->contacts + info->islands + info->iterations, 0);
  assert_int_equal(info->box_tests, 0);
  assert_int_equal(info->asleep, 5);
  assert_near(info->kinetic_translation + info->kinetic_rotation, 0, 0);
  // Their contacts are still there, and carry them.
  double weight = 0;
  for (int c = 0; c < pc_world_contacts(world); c++) {
    pc_contact contact;
    pc_world_contact(world, c, &contact);
    assert_near(contact.dissipated, 0, 0);
    if (contact.bodies[0].id == 1)
      weight += contact.percussion[2];
    if (contact.bodies[1].id == 1)
      weight -= contact.percussion[2];
  }
  assert_near(fabs(weight), 5 * 1000 * 9.81 * h, 1e-3 * 5 * 1000 * 9.81 * h);
  int touching;
  assert_true(pc_world_overlap(world, NULL, &touching) < 1e-3);
  step(world, h);
  assert_int_equal(pc_world_info(world)->asleep, 5);
  pc_world_destroy(world);
}

// A plate that stands still until `start` and then moves at `speed` along z.
static pc_body add_plate(pc_world *world, double start, double speed)
{
  pc_body_def def = pc_body_def_default();
  double times[3] = {0, start, start + 10}, values[3] = {0, 0, 10 * speed};
  def.kind = PC_DRIVEN;
  def.position[2] = -0.5;
  def.motion.translation[2] =
      (pc_signal){.kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = values};
  return add(world, &def, pc_shape_box((double[3]){4, 4, 1}, NULL));
}

static void who_sleeps_wakes_when_the_support_moves(void **state)
{
  static const double speeds[] = {-3, -1e-3, 1e-3, 0.5};
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    pc_world *world = make_world(3, 0.1);
    double speed = speeds[i], start = 1;
    add_plate(world, start, speed);
    pc_body low = add_stack(world, 3, 0);
    step_until_asleep(world, 3, start - 2 * h);
    double from = state_of(world, low).position[2];
    while (pc_world_time(world) < start - 1.5 * h) // contacts feel it from the middle of the last
      assert_int_equal(step(world, h)->asleep, 3);
    for (double until = start + 0.2; pc_world_time(world) < until - 0.5 * h;)
      assert_int_equal(step(world, h)->asleep, 0);
    // Faster than free fall nothing holds it; slower ones it follows.
    double fall = 0.5 * 9.81 * 0.04, way = speed * 0.2 < -fall ? -fall : speed * 0.2;
    assert_near(state_of(world, low).position[2] - from, way, 9.81 * h * 0.2 + 1e-4);
    assert_true(pc_world_info(world)->drift < 1e-10);
    pc_world_destroy(world);
  }
}

static void who_sleeps_wakes_when_an_obstacle_comes(void **state)
{
  pc_world *world = make_world(3, 0.1);
  add_floor(world);
  pc_body_def def = pc_body_def_default();
  def.kind = PC_DRIVEN;
  def.position[0] = -3, def.position[2] = 0.5;
  def.motion.translation[0] = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 1};
  add(world, &def, pc_shape_box((double[3]){1, 1, 0.9}, NULL));
  pc_body low = add_stack(world, 2, 0);
  step_until_asleep(world, 2, 1); // it arrives after 2 s
  while (pc_world_time(world) < 2 - 2 * h)
    assert_int_equal(step(world, h)->asleep, 2);
  while (pc_world_time(world) < 3)
    step(world, h);
  assert_int_equal(pc_world_info(world)->asleep, 0);
  assert_near(state_of(world, low).position[0], 1, 1e-2);
  pc_world_destroy(world);
}

static void who_sleeps_wakes_when_a_force_changes(void **state)
{
  pc_world *world = make_world(3, 0.1);
  double start = 0.6, times[3] = {0, start, start + 1e-9}, values[3] = {0, 0, 1}, end = start + 0.2;
  add_floor(world);
  pc_body box = add_box(world, 0, 0.5), other = add_box(world, 5, 0.5);
  double force[6] = {8000}; // mass 1000, friction 0.5
  pc_signal signal = {.kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = values};
  assert_int_equal(pc_world_add_load(world, box, force, &signal), PC_OK);
  step_until_asleep(world, 2, start);
  while (pc_world_time(world) < end - 0.5 * h)
    step(world, h);
  assert_int_equal(pc_world_info(world)->asleep, 1); // the other one
  assert_near(state_of(world, box).velocity[0], (8 - 0.5 * 9.81) * 0.2, 0.02);
  assert_near(state_of(world, other).velocity[0], 0, 0);
  pc_world_destroy(world);
}

static void who_is_changed_wakes_with_its_neighbours(void **state)
{
  pc_world *world = make_world(3, 0.1);
  pc_body floor = add_floor(world), low = add_stack(world, 3, 0);
  add_stack(world, 2, 4);
  step_until_asleep(world, 5, 1);
  pc_body middle = {low.id + 1};
  pc_body_state place = state_of(world, middle);
  place.position[1] += 3; // taken out: the highest falls
  assert_int_equal(pc_world_change(world, 1, &middle, &place), PC_OK);
  double high = state_of(world, (pc_body){low.id + 2}).position[2];
  assert_int_equal(step(world, h)->asleep, 2);
  for (int k = 0; k < 100; k++)
    step(world, h);
  assert_near(state_of(world, (pc_body){low.id + 2}).position[2] - high, -0.5 * 9.81 * 0.04, 5e-3);
  assert_true(pc_world_info(world)->drift < 1e-10);
  step_until_asleep(world, 5, 10);
  place = state_of(world, floor);
  place.position[2] = -1; // what was given as fixed is put elsewhere
  assert_int_equal(pc_body_set(world, floor, &place), PC_OK);
  assert_int_equal(step(world, h)->asleep, 0);
  pc_world_destroy(world);
}

// Random bodies that fall in a heap, with a ball that comes down later.
static pc_world *make_heap(int dimension, double after, int threads)
{
  pc_world_def def = definition(dimension, after, threads);
  pc_world *world = pc_world_create(&def);
  pc_random random;
  pc_random_seed(&random, 7);
  add_floor(world);
  for (int i = 0; i < 60; i++) {
    pc_body_def body = pc_body_def_default();
    double a = pc_random_uniform(&random, 0.2, 0.3), b = pc_random_uniform(&random, 0.2, 0.3);
    body.position[0] = 0.4 * (i % 4), body.position[1] = 0.4 * (i / 4 % 3);
    if (dimension == 2)
      body.position[1] = 0.3 + 0.4 * (i / 4);
    else
      body.position[2] = 0.3 + 0.4 * (i / 12);
    double corner[4][2] = {{-a, -b}, {a, -b}, {a, b}, {-a, b}};
    for (int k = 0; k < 4; k++)
      corner[k][0] *= 0.5, corner[k][1] *= 0.5;
    pc_shape *shape = dimension == 2 ? pc_shape_polygon(4, (const double(*)[2])corner, true, NULL)
                      : i % 3 == 0   ? pc_shape_sphere(0.5 * a, NULL)
                                     : pc_shape_box((double[3]){a, b, 0.2}, NULL);
    add(world, &body, shape);
  }
  return world;
}

static void the_account_closes_when_islands_fall_asleep(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world *world = make_heap(dimension, 0.1, 1);
    double start = NAN, dissipated = 0, prescribed = 0, correction = 0, frozen = 0;
    bool slept = false;
    for (int k = 0; k < 2500; k++) {
      double kinetic =
          pc_world_info(world)->kinetic_translation + pc_world_info(world)->kinetic_rotation;
      const pc_step_info *info = step(world, h);
      double now = info->kinetic_translation + info->kinetic_rotation;
      if (k > 0)
        assert_near(now - kinetic, info->work_gravity - info->dissipated,
                    1e-10 * (1 + fabs(info->work_gravity) + kinetic));
      if (k == 0)
        start = now + info->potential;
      else
        dissipated += info->dissipated, prescribed += info->work_prescribed,
            correction += info->correction;
      frozen += info->frozen;
      slept = slept || info->frozen > 0;
      assert_true(info->frozen >= 0);
      assert_near(now + info->potential - start, correction + prescribed - dissipated,
                  1e-9 * fabs(start));
      assert_true(info->drift < 1e-10);
    }
    assert_true(slept && pc_world_info(world)->asleep > 30);
    assert_near(pc_world_info(world)->total_frozen, frozen, 1e-12 * frozen);
    assert_true(frozen < 1e-3 * dissipated);
    pc_world_destroy(world);
  }
}

static void *save(const pc_world *world, size_t *size)
{
  *size = pc_world_save(world, NULL, 0);
  char *buffer = malloc(*size);
  assert_non_null(buffer);
  assert_int_equal(pc_world_save(world, buffer, *size), *size);
  return buffer;
}

static void strike(pc_world *world)
{
  pc_body body = {pc_world_bodies(world)};
  pc_body_state place = state_of(world, body);
  place.position[0] = 0.4, place.position[1] = 0.4;
  place.position[pc_world_definition(world)->dimension - 1] = 5;
  assert_int_equal(pc_world_change(world, 1, &body, &place), PC_OK);
}

// Clock times are not part of the answer.
static void forget_times(pc_world *world)
{
  pc_step_info *info = (pc_step_info *)pc_world_info(world);
  info->detection_s = info->solve_s = info->step_s = info->stating_s = info->audit_s = 0;
}

static void threads_and_resuming_change_nothing(void **state)
{
  enum { STEPS = 1600, STRIKE = 1000 };
  for (int dimension = 2; dimension <= 3; dimension++) {
    void *whole = NULL;
    size_t size = 0;
    for (int threads = 1; threads <= 4; threads++) {
      pc_world *world = make_heap(dimension, 0.1, threads);
      int most = 0;
      bool woken = false;
      for (int k = 0; k < STEPS; k++) {
        if (k == STRIKE)
          strike(world);
        // The last of them goes on in a new world every now and then.
        if (threads == 4 && k % 137 == 136) {
          forget_times(world);
          size_t bytes;
          void *saved = save(world, &bytes);
          pc_world_destroy(world);
          world = make_heap(dimension, 0.1, 2);
          assert_int_equal(pc_world_load(world, saved, bytes), PC_OK);
          assert_true(pc_world_overlap(world, NULL, NULL) < 0.1); // changes nothing
          free(saved);
        }
        int before = pc_world_info(world)->asleep, now = step(world, h)->asleep;
        most = now > most ? now : most;
        woken = woken || (k > STRIKE + 1 && now < before);
      }
      assert_true(most >= 40 && woken);
      forget_times(world);
      size_t bytes;
      void *answer = save(world, &bytes);
      if (threads == 1) {
        whole = answer;
        size = bytes;
      } else {
        assert_int_equal(bytes, size);
        assert_memory_equal(answer, whole, size);
        free(answer);
      }
      pc_world_destroy(world);
    }
    free(whole);
  }
}

static void who_wakes_goes_on_from_its_percussions(void **state)
{
  int sweeps[2];
  for (int warm = 0; warm < 2; warm++) {
    pc_world *world = make_world(3, 0.1), *from = world;
    add_floor(world);
    add_stack(world, 12, 0);
    step_until_asleep(world, 12, 2);
    if (!warm) { // the same bodies in a world that knows nothing
      world = make_world(3, 0.1);
      add_floor(world);
      add_stack(world, 12, 0);
    }
    for (int i = 2; i <= 13; i++) {
      pc_body_state place = state_of(from, (pc_body){i});
      assert_int_equal(pc_body_set(world, (pc_body){i}, &place), PC_OK);
    }
    const pc_step_info *info = step(world, h);
    assert_int_equal(info->asleep, 0);
    sweeps[warm] = info->iterations;
    assert_true(info->residual <= 1e-4);
    if (world != from)
      pc_world_destroy(from);
    pc_world_destroy(world);
  }
  assert_true(sweeps[1] <= sweeps[0] && sweeps[1] < 5);
}

// At the top of its way a ball is slow; nothing holds it.
static void nothing_sleeps_in_the_air(void **state)
{
  pc_world_def def = definition(3, 0.01, 1);
  def.sleep_speed = 0.1;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  add_floor(world);
  pc_body ball = add_ball(world, 0, 0, 5);
  pc_body_state state_of_ball = state_of(world, ball);
  state_of_ball.velocity[2] = 0.5;
  assert_int_equal(pc_body_set(world, ball, &state_of_ball), PC_OK);
  while (pc_world_time(world) < 0.2)
    assert_int_equal(step(world, h)->asleep, 0);
  assert_near(state_of(world, ball).velocity[2], 0.5 - 9.81 * pc_world_time(world), 1e-9);
  pc_world_destroy(world);
}

static void a_push_on_a_sleeper_is_booked(void **state)
{
  pc_world *world = make_world(3, 0.1);
  add_floor(world);
  pc_body box = add_stack(world, 1, 0);
  step_until_asleep(world, 1, 1);
  pc_body_state pushed = state_of(world, box);
  double mass = pc_body_get_mass(world, box);
  pushed.velocity[2] = 0.3;
  assert_int_equal(pc_world_change(world, 1, &box, &pushed), PC_OK);
  for (int i = 0; i < 20; i++)
    step(world, h);
  assert_near(pc_world_info(world)->total_given, 0.5 * mass * 0.09, 1e-9 * mass);
  assert_true(pc_world_info(world)->drift < 1e-12);
  pc_world_destroy(world);
}

static void nothing_sleeps_that_must_not(void **state)
{
  pc_world_def def = definition(3, 0.1, 1);
  def.treatment = PC_PENALTY;
  def.penalty = 1e6;
  pc_world *world = pc_world_create(&def);
  assert_int_equal(pc_world_step(world, h), PC_ERROR_ARGUMENT);
  pc_world_destroy(world);
  def = definition(3, -1, 1);
  world = pc_world_create(&def);
  assert_int_equal(pc_world_step(world, h), PC_ERROR_ARGUMENT);
  pc_world_destroy(world);

  // A box that slides down a slope, slowly at first; one on a spring; both for some seconds.
  world = make_world(3, 0.1);
  pc_body_def slope = pc_body_def_default();
  slope.kind = PC_FIXED;
  add(world, &slope, pc_shape_plane(3, (double[3]){0.52, 0, 1}, NULL));
  pc_body_def turned = pc_body_def_default();
  double angle = atan(0.52);
  turned.orientation[0] = cos(0.5 * angle), turned.orientation[2] = sin(0.5 * angle);
  turned.position[0] = 0.5 * sin(angle), turned.position[2] = 0.5 * cos(angle);
  pc_body box = add(world, &turned, pc_shape_box((double[3]){1, 1, 1}, NULL));
  for (int k = 0; k < 500; k++)
    assert_int_equal(step(world, h)->asleep, 0);
  double a = 9.81 * (sin(angle) - 0.5 * cos(angle));
  pc_body_state at = state_of(world, box);
  assert_near(hypot(at.velocity[0], at.velocity[2]), a, 0.02 * a); // after 1 s
  pc_world_destroy(world);
  world = make_world(3, 0.1);
  add_floor(world);
  box = add_box(world, 0, 0.5);
  assert_true(pc_world_add_spring(world, box, (double[3]){0, 0, 1}, (double[3]){0, 0, -1}, 1e4) >=
              0);
  for (int k = 0; k < 500; k++)
    assert_int_equal(step(world, h)->asleep, 0);
  pc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stack_sleeps_at_no_cost_and_wakes_when_it_is_struck),
      cmocka_unit_test(where_all_sleep_nothing_is_looked_at),
      cmocka_unit_test(who_sleeps_wakes_when_the_support_moves),
      cmocka_unit_test(who_sleeps_wakes_when_an_obstacle_comes),
      cmocka_unit_test(who_sleeps_wakes_when_a_force_changes),
      cmocka_unit_test(who_is_changed_wakes_with_its_neighbours),
      cmocka_unit_test(the_account_closes_when_islands_fall_asleep),
      cmocka_unit_test(threads_and_resuming_change_nothing),
      cmocka_unit_test(who_wakes_goes_on_from_its_percussions),
      cmocka_unit_test(nothing_sleeps_in_the_air),
      cmocka_unit_test(a_push_on_a_sleeper_is_booked),
      cmocka_unit_test(nothing_sleeps_that_must_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
