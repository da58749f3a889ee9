// Many discs at once, as dense crowds are: energy, threads, resuming, and islands that are solved
// together.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/crowd.h"
#include "percuss/impact.h"
#include "percuss/world.h"
#include "support.h"
#include "worlds.h"

// side x side discs without gravity in a box, thrown about, contacts as those of people: nearly
// elastic. One in `rare` is fast.
static pc_world *make_gas(int side, double apart, double speed, int rare, double fast)
{
  pc_world_def def = pc_world_def_default();
  pc_random random;
  pc_random_seed(&random, 5);
  def.dimension = 2;
  memset(def.gravity, 0, sizeof def.gravity);
  def.treatment = PC_VELOCITY_LEVEL;
  def.dissipative = true;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  pc_law law = {.normal = {.kind = PC_NORMAL_QUADRATIC, .k = 1e5}};
  assert_int_equal(pc_world_set_law(world, 0, 0, &law), PC_OK);
  for (int wall = 0; wall < 4; wall++) {
    pc_body_def fixed = pc_body_def_default();
    double normal[3] = {0};
    normal[wall / 2] = wall % 2 ? -1 : 1;
    fixed.kind = PC_FIXED;
    fixed.position[wall / 2] = wall % 2 ? side * apart : 0;
    add(world, &fixed, pc_shape_plane(2, normal, NULL));
  }
  for (int i = 0; i < side * side; i++) {
    pc_body_def body = pc_body_def_default();
    body.mass = 80;
    body.no_rotation = true;
    body.position[0] = apart * (i % side + 0.5);
    body.position[1] = apart * (i / side + 0.5);
    for (int k = 0; k < 2; k++)
      body.velocity[k] = (i % rare == rare / 2 ? fast : speed) * pc_random_normal(&random);
    add(world, &body, pc_shape_disc(pc_random_uniform(&random, 0.18, 0.22), NULL));
  }
  return world;
}

// Contacts take energy, they never give any: not in one step.
static void contacts_create_no_energy(void **state)
{
  pc_world *world = make_gas(20, 0.45, 1.4, 20, 1.4);
  double most = INFINITY, first = 0;
  for (int k = 0; k < 400; k++) {
    assert_int_equal(pc_world_step(world, 0.01), PC_OK);
    const pc_step_info *info = pc_world_info(world);
    first = k == 0 ? info->kinetic_translation : first;
    assert_int_equal(info->status, PC_SOLVED);
    assert_true(info->kinetic_translation <= most + 1e-6 * first);
    assert_true(info->deepest < 0.06); // some steps' way
    most = info->kinetic_translation;
  }
  assert_true(most > 0.1 * first); // they still move
  pc_world_destroy(world);
}

static void *save_world(pc_world *world, size_t *size)
{
  pc_step_info *info = (pc_step_info *)pc_world_info(world); // clocks differ
  info->detection_s = info->solve_s = info->step_s = info->stating_s = info->audit_s = 0;
  *size = pc_world_save(world, NULL, 0);
  void *bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(pc_world_save(world, bytes, *size), *size);
  return bytes;
}

// Nothing that a world keeps from step to step changes its motion: another one goes on in a new
// world after every step, and finds everything anew.
static void compare_with_new_ones(pc_world *make(void), int steps)
{
  pc_world *kept = make(), *anew = make();
  for (int k = 0; k < steps; k++) {
    size_t size, other;
    assert_int_equal(pc_world_step(kept, 0.01), PC_OK);
    assert_int_equal(pc_world_step(anew, 0.01), PC_OK);
    void *want = save_world(anew, &size), *got = save_world(kept, &other);
    assert_int_equal(other, size);
    assert_memory_equal(got, want, size);
    pc_world_destroy(anew);
    anew = make();
    assert_int_equal(pc_world_load(anew, want, size), PC_OK);
    free(want);
    free(got);
  }
  pc_world_destroy(kept);
  pc_world_destroy(anew);
}

// Pairs are kept, and those are followed that leave their boxes.
static pc_world *make_small_gas(void)
{
  return make_gas(16, 0.7, 0.1, 50, 6);
}

static void followed_pairs_are_those_found_anew(void **state)
{
  compare_with_new_ones(make_small_gas, 100);
}

// A pyramid of boxes at rest, which keeps its islands and the places of contacts until a box that
// falls beside it hits it.
static pc_world *make_pyramid(void)
{
  enum { BASE = 24 };
  pc_world_def def = pc_world_def_default();
  def.dimension = 2;
  def.gravity[1] = -9.81;
  def.gravity[2] = 0;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  add_floor(world);
  const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  for (int row = 0; row <= BASE; row++)
    for (int i = 0; i < BASE - row || (row == BASE && i == 0); i++) {
      pc_body_def box = pc_body_def_default();
      box.mass = 1;
      box.position[0] = row == BASE ? 6.3 : i - 0.5 * (BASE - row - 1);
      box.position[1] = row == BASE ? 14 : row + 0.5;
      add(world, &box, pc_shape_polygon(4, corner, true, NULL));
    }
  return world;
}

static void kept_islands_are_those_found_anew(void **state)
{
  compare_with_new_ones(make_pyramid, 60);
}

// A hall with doors, dense from the start. Where people are `polite` they keep their distance, and
// turn to where they walk.
static pc_crowd *make_hall(int people, int threads, bool polite)
{
  enum { ROWS = 12 };
  const double apart = 0.447, width = 1.2;
  double length = (people / ROWS + 1) * apart + 0.1, depth = ROWS * apart + 0.1, x = 0;
  int doors = (int)(length / 5), exits[32];
  pc_crowd_def def = pc_crowd_def_default();
  def.threads = threads;
  def.spacing = 0.15;
  def.social.strength = polite ? 300 : 0;
  def.social.anisotropy = 0.3;
  def.turns = polite;
  def.turning = (pc_turning){.stiffness = polite ? 50 : 0, .damping = 0.5};
  pc_crowd *crowd = pc_crowd_create(&def);
  assert_non_null(crowd);
  assert_in_range(doors, 2, 32);
  int floor = pc_crowd_add_floor(crowd);
  for (int d = 0; d < doors; d++) {
    double middle = (d + 0.5) * length / doors;
    double wall[2][2] = {{x, 0}, {middle - width / 2, 0}};
    pc_exit_def door = {.floor = floor, .line = {{middle - width / 2, 0}, {middle + width / 2, 0}}};
    x = middle + width / 2;
    assert_int_equal(pc_crowd_add_wall(crowd, floor, PC_WALL_LINE, 2, (const double(*)[2])wall),
                     PC_OK);
    exits[d] = pc_crowd_add_exit(crowd, &door);
  }
  double rest[5][2] = {{x, 0}, {length, 0}, {length, depth}, {0, depth}, {0, 0}};
  pc_crowd_add_wall(crowd, floor, PC_WALL_LINE, 5, (const double(*)[2])rest);
  int goal = pc_crowd_add_choice(crowd, doors, exits);
  if (pc_crowd_finish(crowd) != PC_OK)
    fail_msg("%s", pc_crowd_error(crowd));
  pc_random random;
  pc_random_seed(&random, 3);
  for (int i = 0; i < people; i++) {
    pc_person_def person = pc_person_def_default();
    person.goal = goal;
    person.radius = pc_random_uniform(&random, 0.18, 0.22);
    person.speed = pc_random_uniform(&random, 1.2, 1.6);
    person.relaxation = 0.1;
    person.position[0] = 0.05 + (i / ROWS + 0.5) * apart;
    person.position[1] = 0.05 + (i % ROWS + 0.5) * apart;
    if (pc_crowd_add_person(crowd, &person) < 0)
      fail_msg("%s", pc_crowd_error(crowd));
  }
  return crowd;
}

enum { NUMBERS = 14 };

// What is known of all.
static double *read_all(const pc_crowd *crowd)
{
  int people = pc_crowd_people(crowd);
  double *all = calloc(NUMBERS * (size_t)people, sizeof *all);
  assert_non_null(all);
  for (int i = 0; i < people; i++) {
    pc_person_state s;
    pc_crowd_person(crowd, i, &s);
    const double own[NUMBERS] = {s.position[0], s.position[1],  s.velocity[0], s.velocity[1],
                                 s.wish[0],     s.wish[1],      s.orientation, s.spin,
                                 s.push,        s.push_largest, s.push_sum,    s.exit_time,
                                 s.load,        s.load_largest};
    memcpy(all + (ptrdiff_t)NUMBERS * i, own, sizeof own);
  }
  return all;
}

// Enough people that each loop over them is shared by two threads at least; `pressed` of them have
// contacts enough for this too.
static void compare_threads(int people, int steps, bool polite, bool pressed)
{
  enum { SHARED = 2048 };
  assert_true(people >= SHARED);
  double *whole = NULL;
  for (int threads = 1; threads <= 4; threads++) {
    pc_crowd *crowd = make_hall(people, threads, polite);
    int islands = 0, contacts = 0;
    for (int k = 0; k < steps; k++) {
      if (threads == 3 && k == steps / 2) {
        size_t size = pc_crowd_save(crowd, NULL, 0);
        void *bytes = malloc(size);
        assert_int_equal(pc_crowd_save(crowd, bytes, size), size);
        pc_crowd_destroy(crowd);
        crowd = make_hall(people, threads, polite);
        assert_int_equal(pc_crowd_load(crowd, bytes, size), PC_OK);
        free(bytes);
      }
      if (pc_crowd_step(crowd, 0.01) != PC_OK)
        fail_msg("%s", pc_crowd_error(crowd));
      const pc_step_info *info = pc_world_info(pc_crowd_world(crowd));
      islands = info->islands > islands ? info->islands : islands;
      int now = pc_world_contacts(pc_crowd_world(crowd));
      contacts = now > contacts ? now : contacts;
      assert_int_equal(info->status, PC_SOLVED);
    }
    assert_true(islands > 64 && (!pressed || contacts >= SHARED)); // what this is for has happened
    assert_true(pc_crowd_inside(crowd) < people);
    double *all = read_all(crowd);
    if (threads == 1)
      whole = all;
    else
      assert_memory_equal(all, whole, NUMBERS * (size_t)people * sizeof *all);
    if (threads > 1)
      free(all);
    pc_crowd_destroy(crowd);
  }
  free(whole);
}

static void crowds_do_not_mind_threads_nor_resuming(void **state)
{
  compare_threads(4200, 100, false, true);
}

static void polite_crowds_do_not_mind_threads_nor_resuming(void **state)
{
  compare_threads(2160, 40, true, false);
}

// Rings and rows of discs, each an island, that press and hit each other.
static void state_islands(pc_impact *problem, int islands, double mu, pc_random *random)
{
  for (int n = 0; n < islands; n++) {
    int members = 2 + pc_random_below(random, 9), first = pc_impact_bodies(problem);
    bool held = pc_random_below(random, 2) == 0;
    for (int b = 0; b < members; b++) {
      pc_impact_body body = pc_impact_body_default();
      body.dof = 2;
      body.mass = pc_random_uniform(random, 50, 100);
      body.position[0] = b;
      for (int k = 0; k < 2; k++) {
        body.velocity[k] = pc_random_normal(random);
        body.percussion[k] = pc_random_normal(random);
      }
      assert_true(pc_impact_add_body(problem, &body) >= 0);
    }
    for (int b = 0; b + 1 < members + held; b++) {
      pc_interaction contact = pc_interaction_default(PC_CONTACT);
      if (pc_random_below(random, 3) > 0)
        contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 1e5};
      if (mu > 0)
        contact.law.tangential =
            (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {mu, mu}, .on = PC_ON_AFTER};
      double turn = pc_random_uniform(random, -1, 1);
      contact.bodies[0] = first + b;
      contact.bodies[1] = b + 1 < members ? first + b + 1 : PC_OBSTACLE;
      contact.normal[0] = -cos(turn);
      contact.normal[1] = sin(turn);
      contact.point[0] = b + 0.5;
      contact.bound = pc_random_uniform(random, -1, 0);
      assert_true(pc_impact_add_interaction(problem, &contact) >= 0);
    }
  }
}

// Solved together by sweeps, against the interior point on each alone. With friction they are put
// together where sweeps are limited.
static void check_together(const char *name, double mu, int sweeps)
{
  enum { ISLANDS = 500 };
  pc_random random = test_random(name);
  for (int n = test_count(5); n > 0; n--) {
    pc_random same = random;
    pc_impact *problem[2];
    pc_solve_info info[2];
    for (int i = 0; i < 2; i++) {
      problem[i] = pc_impact_create();
      random = same;
      state_islands(problem[i], ISLANDS, mu, &random);
      pc_solve_options options = pc_solve_options_default();
      options.solver = i == 0 ? "auto" : "ipm";
      options.warm_start = i == 0; // as in steps
      options.tolerance = i == 0 ? 1e-6 : 1e-11;
      options.max_iterations = i == 0 ? sweeps : 0;
      options.threads = 1 + i;
      assert_int_equal(pc_impact_solve(problem[i], &options, &info[i]), PC_OK);
      assert_int_equal(info[i].status, PC_SOLVED);
      assert_int_equal(info[i].islands, ISLANDS);
      assert_true(info[i].audit.closed);
    }
    assert_string_equal(info[0].solver, "nsgs");
    double worst = 0;
    for (int b = 0; b < pc_impact_bodies(problem[0]); b++) {
      double one[6], other[6];
      pc_impact_velocity(problem[0], b, one);
      pc_impact_velocity(problem[1], b, other);
      worst = fmax(worst, hypot(one[0] - other[0], one[1] - other[1]));
    }
    assert_true(worst < 1e-4);
    for (int i = 0; i < 2; i++)
      pc_impact_destroy(problem[i]);
  }
}

static void islands_together_are_as_alone(void **state)
{
  check_together("together", 0, 0);
  check_together("together, with friction", 0.3, 199);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_create_no_energy),
      cmocka_unit_test(followed_pairs_are_those_found_anew),
      cmocka_unit_test(kept_islands_are_those_found_anew),
      cmocka_unit_test(crowds_do_not_mind_threads_nor_resuming),
      cmocka_unit_test(polite_crowds_do_not_mind_threads_nor_resuming),
      cmocka_unit_test(islands_together_are_as_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
