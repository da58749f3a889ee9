// Discs in the plane that do not turn are gone over in one go (rigid/discs.h). A force of nothing
// that a function gives makes the world go over its bodies one by one:
// that must be the same motion and the same energy balance, bit for bit.
#include <string.h>

#include "percuss/random.h"
#include "worlds.h"

enum { SIDE = 40, DISCS = SIDE * SIDE, STEPS = 60 };

static void push_nothing(void *context, double time, pc_body body, const pc_body_state *state,
                         double force[6])
{
  memset(force, 0, 6 * sizeof *force);
}

// Discs thrown into a corner, some of which are not there.
static pc_world *make(pc_treatment treatment, int looks, bool gravity, bool one_by_one)
{
  pc_random random;
  pc_world_def def = pc_world_def_default();
  def.dimension = 2;
  def.treatment = treatment;
  def.looks = looks;
  def.penalty = 1e5;
  def.threads = 2;
  memset(def.gravity, 0, sizeof def.gravity);
  def.gravity[1] = gravity ? -9.81 : 0;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  pc_random_seed(&random, 7);
  for (int axis = 0; axis < 2; axis++) {
    pc_body_def wall = pc_body_def_default();
    double normal[3] = {axis == 0, axis == 1, 0};
    wall.kind = PC_FIXED;
    add(world, &wall, pc_shape_plane(2, normal, NULL));
  }
  for (int i = 0; i < DISCS; i++) {
    pc_body_def disc = pc_body_def_default();
    disc.no_rotation = true;
    disc.mass = pc_random_uniform(&random, 50, 90);
    disc.position[0] = 0.3 + 0.45 * (i % SIDE) + pc_random_uniform(&random, -0.02, 0.02);
    disc.position[1] = 0.3 + 0.45 * (i / SIDE) + pc_random_uniform(&random, -0.02, 0.02);
    for (int k = 0; k < 2; k++)
      disc.velocity[k] = pc_random_uniform(&random, -2, 1);
    pc_body body = add(world, &disc, pc_shape_disc(pc_random_uniform(&random, 0.15, 0.2), NULL));
    if (i % 17 == 3)
      assert_int_equal(pc_world_set_present(world, body, false), PC_OK);
  }
  if (one_by_one)
    assert_int_equal(pc_world_add_force(world, push_nothing, NULL), PC_OK);
  return world;
}

static void set_forces(pc_world *world, int step)
{
  double force[DISCS][6] = {{0}};
  for (int i = 0; i < DISCS; i++) {
    force[i][0] = (i * 31 + step * 7) % 100 - 70;
    force[i][1] = (i * 17 + step * 3) % 100 - 60;
    force[i][5] = i % 3;
  }
  assert_int_equal(pc_world_set_forces(world, (pc_body){3}, DISCS, (const double(*)[6])force),
                   PC_OK);
}

static void compare(const pc_world *a, const pc_world *b, int step)
{
  for (int i = 1; i <= DISCS + 2; i++) {
    pc_body_state one, two;
    pc_body_get(a, (pc_body){i}, &one);
    pc_body_get(b, (pc_body){i}, &two);
    if (memcmp(one.position, two.position, sizeof one.position) != 0 ||
        memcmp(one.velocity, two.velocity, sizeof one.velocity) != 0)
      fail_msg("step %d: body %d is elsewhere", step, i);
  }
  const pc_step_info *one = pc_world_info(a), *two = pc_world_info(b);
  assert_int_equal(one->contacts, two->contacts);
  assert_true(one->kinetic_translation == two->kinetic_translation);
  assert_true(one->potential == two->potential);
  assert_true(one->work_gravity == two->work_gravity);
  assert_true(one->work_forces == two->work_forces);
}

static void discs_move_as_one_by_one(void **state)
{
  const pc_treatment treatments[] = {PC_VELOCITY_LEVEL, PC_POSITION_LEVEL, PC_PENALTY};
  const int looks[] = {PC_LOOK_ONCE, PC_LOOK_AGAIN};
  for (int k = 0; k < 12; k++) {
    pc_treatment treatment = treatments[k % 3];
    bool forces = k >= 6;
    pc_world *at_once = make(treatment, looks[k / 3 % 2], !forces, false);
    pc_world *one_by_one = make(treatment, looks[k / 3 % 2], !forces, true);
    int most = 0;
    for (int step = 0; step < STEPS; step++) {
      if (forces) {
        set_forces(at_once, step);
        set_forces(one_by_one, step);
      }
      assert_int_equal(pc_world_step(at_once, 0.01), PC_OK);
      assert_int_equal(pc_world_step(one_by_one, 0.01), PC_OK);
      compare(at_once, one_by_one, step);
      most = pc_world_info(at_once)->contacts > most ? pc_world_info(at_once)->contacts : most;
    }
    assert_true(most > 100); // they do collide
    pc_world_destroy(at_once);
    pc_world_destroy(one_by_one);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(discs_move_as_one_by_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
