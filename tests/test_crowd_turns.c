// People who turn and people who hold hands: book 6.39 to 6.43.
#include "crowd_support.h"

static pc_crowd *create(pc_crowd_def def, int *door)
{
  pc_crowd *crowd = create_crowd(def);
  point wall[] = {{20, 0}, {0, 0}, {0, 10}, {20, 10}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, (const double(*)[2])wall));
  pc_exit_def exit = {.line = {{20, 0}, {20, 10}}};
  *door = pc_crowd_add_exit(crowd, &exit);
  ok(crowd, pc_crowd_finish(crowd));
  return crowd;
}

// The largest distance from (6.40) and the largest angle, of somebody who stands and was struck.
static void turn(double h, double zeta, double duration, double *error, double *largest, double *at)
{
  const double k = 10, struck = 2;
  pc_crowd_def def = pc_crowd_def_default();
  def.turns = true;
  def.turning = (pc_turning){k, zeta};
  int door;
  pc_crowd *crowd = create(def, &door);
  pc_person_def person = pc_person_def_default();
  person.goal = door;
  person.speed = 0;
  person.spin = struck;
  person.position[0] = person.position[1] = 5;
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  double omega = sqrt(k / (0.5 * person.mass * person.radius * person.radius));
  *error = *largest = *at = 0;
  for (long s = 0; s < lround(duration / h); s++) {
    ok(crowd, pc_crowd_step(crowd, h));
    pc_person_state state;
    pc_crowd_person(crowd, 0, &state);
    double t = pc_world_time(pc_crowd_world(crowd));
    *error = fmax(*error, fabs(state.orientation - struck * t * exp(-omega * t)));
    if (state.orientation > *largest) {
      *largest = state.orientation;
      *at = t;
    }
  }
  pc_crowd_destroy(crowd);
}

static void test_orientation(void **state)
{
  double error[2], largest, at, unused;
  double omega = sqrt(10 / (0.5 * 80 * 0.225 * 0.225));
  for (int i = 0; i < 2; i++)
    turn(i == 0 ? 2e-3 : 1e-3, 1, 6, &error[i], &largest, &at);
  assert_true(error[1] < 1e-6);
  assert_true(error[0] / error[1] > 3.8 && error[0] / error[1] < 4.2); // second order in h
  assert_near(largest, 2 / (omega * exp(1)), 2e-3);                    // (6.41)
  assert_near(at, 1 / omega, 0.01);
  // Without damping it goes on: amplitude theta'_0 / omega.
  turn(1e-3, 0, 10, &unused, &largest, &at);
  assert_near(largest, 2 / omega, 1e-5 * 2 / omega);
  // Overdamped: below the critical one.
  turn(1e-3, 2, 6, &unused, &largest, &at);
  assert_true(largest < 2 / (omega * exp(1)));
}

// However stiff the torque and long the step, turning gives no energy: not in one step.
static void test_stiff_turning(void **state)
{
  for (int round = 0; round < 24; round++) {
    double k = pow(10, round / 2), h = 0.02;
    pc_crowd_def def = pc_crowd_def_default();
    def.turns = true;
    def.turning = (pc_turning){k, round % 2};
    int door;
    pc_crowd *crowd = create(def, &door);
    pc_person_def person = pc_person_def_default();
    person.goal = door;
    person.speed = 0;
    person.spin = 2;
    person.position[0] = person.position[1] = 5;
    assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
    double inertia = 0.5 * person.mass * person.radius * person.radius;
    double start = 0.5 * inertia * person.spin * person.spin, energy = start;
    for (int s = 0; s < 1000; s++) {
      ok(crowd, pc_crowd_step(crowd, h));
      pc_person_state at;
      pc_crowd_person(crowd, 0, &at);
      double before = energy;
      energy = 0.5 * inertia * at.spin * at.spin + 0.5 * k * at.orientation * at.orientation;
      assert_true(energy <= before + 1e-10 * start);
      if (round % 2 == 0)
        assert_near(energy, start, 1e-9 * start);
    }
    if (round % 2 == 1) // where the torque is stiff, steps see less of its damping
      assert_true(energy < (k <= 1e6 ? 1e-9 : 0.9) * start);
    pc_crowd_destroy(crowd);
  }
}

// Those who walk turn to where they walk.
static void test_facing(void **state)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.turns = true;
  def.turning.stiffness = 10;
  int door;
  pc_crowd *crowd = create(def, &door);
  pc_person_def person = pc_person_def_default();
  person.goal = door;
  person.position[0] = person.position[1] = 5;
  person.orientation = 2.5; // and not the long way round
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  for (int s = 0; s < 600; s++)
    ok(crowd, pc_crowd_step(crowd, 0.01));
  pc_person_state end;
  pc_crowd_person(crowd, 0, &end);
  assert_near(end.orientation, 0, 1e-2);
  pc_crowd_destroy(crowd);
}

static pc_world *two_discs(bool turn, const pc_body_state *start, const double *mass)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = 2;
  def.gravity[2] = 0;
  def.tolerance = 1e-12;
  pc_world *world = pc_world_create(&def);
  for (int i = 0; i < 2; i++) {
    pc_body_def body = pc_body_def_default();
    body.shape = pc_shape_disc(0.25, NULL);
    body.mass = mass[i];
    body.no_rotation = !turn;
    memcpy(body.position, start[i].position, sizeof body.position);
    memcpy(body.velocity, start[i].velocity, sizeof body.velocity);
    body.spin[2] = turn ? start[i].spin[2] : 0;
    assert_int_equal(pc_body_create(world, &body).id, i + 1);
    pc_shape_release(body.shape);
  }
  return world;
}

// Discs that cannot turn, bound at their centres: the relative velocity along the bond becomes
// (1 - a) / (1 + a) times what it was, a = 2 K d^2 (1/m1 + 1/m2), across it stays.
static void test_bond(void **state)
{
  pc_random random = test_random("bond");
  for (int round = 0; round < test_count(200); round++) {
    double mass[2] = {pc_random_uniform(&random, 50, 100), pc_random_uniform(&random, 50, 100)};
    double stiffness = exp(pc_random_uniform(&random, 0, 10)), h = 0.01;
    pc_body_state start[2] = {0};
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < 2; k++) {
        start[i].position[k] = pc_random_uniform(&random, -1, 1) + 3 * i;
        start[i].velocity[k] = pc_random_uniform(&random, -2, 2);
      }
    pc_world *world = two_discs(false, start, mass);
    double points[2][3];
    for (int i = 0; i < 2; i++)
      memcpy(points[i], start[i].position, sizeof points[i]);
    assert_int_equal(
        pc_world_add_bond(world, (pc_body[]){{1}, {2}}, (const double(*)[3])points, stiffness), 0);
    assert_int_equal(pc_world_step(world, h), PC_OK);
    pc_body_state end[2];
    double d[2], before[2], after[2], momentum[2];
    for (int i = 0; i < 2; i++)
      pc_body_get(world, (pc_body){i + 1}, &end[i]);
    for (int k = 0; k < 2; k++) {
      before[k] = start[0].velocity[k] - start[1].velocity[k];
      after[k] = end[0].velocity[k] - end[1].velocity[k];
      d[k] = start[0].position[k] - start[1].position[k] + 0.5 * h * before[k];
      momentum[k] = mass[0] * (end[0].velocity[k] - start[0].velocity[k]) +
                    mass[1] * (end[1].velocity[k] - start[1].velocity[k]);
      assert_near(momentum[k], 0, 1e-9);
    }
    double square = d[0] * d[0] + d[1] * d[1];
    double a = 2 * stiffness * square * (1 / mass[0] + 1 / mass[1]);
    double along = before[0] * d[0] + before[1] * d[1];
    assert_near(after[0] * d[0] + after[1] * d[1], along * (1 - a) / (1 + a), 1e-7);
    assert_near(after[0] * d[1] - after[1] * d[0], before[0] * d[1] - before[1] * d[0], 1e-9);
    const pc_step_info *info = pc_world_info(world);
    assert_true(info->closed && info->drift < 1e-12 && info->dissipated >= -1e-9);
    pc_world_destroy(world);
  }
}

// Discs that turn, bound at their rims: percussion K (D+ + D-) / 2 along the bond, and its moment.
static void test_bond_turning(void **state)
{
  pc_random random = test_random("bond that turns");
  for (int round = 0; round < test_count(200); round++) {
    double mass[2] = {pc_random_uniform(&random, 50, 100), pc_random_uniform(&random, 50, 100)};
    double stiffness = exp(pc_random_uniform(&random, 0, 8)), h = 1e-3;
    pc_body_state start[2] = {0}, end[2];
    double points[2][3] = {{0}}, arm[2][2];
    for (int i = 0; i < 2; i++) {
      for (int k = 0; k < 2; k++) {
        start[i].position[k] = pc_random_uniform(&random, -1, 1) + 3 * i;
        start[i].velocity[k] = pc_random_uniform(&random, -2, 2);
        arm[i][k] = pc_random_uniform(&random, -0.2, 0.2);
        points[i][k] = start[i].position[k] + arm[i][k];
      }
      start[i].spin[2] = pc_random_uniform(&random, -3, 3);
    }
    pc_world *world = two_discs(true, start, mass);
    assert_int_equal(
        pc_world_add_bond(world, (pc_body[]){{1}, {2}}, (const double(*)[3])points, stiffness), 0);
    assert_int_equal(pc_world_step(world, h), PC_OK);
    double at[2][2], lever[2][2], rate[2] = {0, 0}, ba[2];
    for (int i = 0; i < 2; i++) {
      pc_body_get(world, (pc_body){i + 1}, &end[i]);
      double c = cos(0.5 * h * start[i].spin[2]), s = sin(0.5 * h * start[i].spin[2]);
      lever[i][0] = c * arm[i][0] - s * arm[i][1];
      lever[i][1] = s * arm[i][0] + c * arm[i][1];
      for (int k = 0; k < 2; k++)
        at[i][k] = start[i].position[k] + 0.5 * h * start[i].velocity[k] + lever[i][k];
    }
    for (int k = 0; k < 2; k++)
      ba[k] = at[0][k] - at[1][k];
    for (int i = 0; i < 2; i++)
      for (int t = 0; t < 2; t++) {
        const pc_body_state *s = t == 0 ? &start[i] : &end[i];
        double v[2] = {s->velocity[0] - s->spin[2] * lever[i][1],
                       s->velocity[1] + s->spin[2] * lever[i][0]};
        rate[t] += (i == 0 ? 2 : -2) * (v[0] * ba[0] + v[1] * ba[1]);
      }
    double percussion = 0.5 * stiffness * (rate[0] + rate[1]);
    for (int i = 0; i < 2; i++) {
      double sign = i == 0 ? -2 : 2, inertia = 0.5 * mass[i] * 0.25 * 0.25;
      for (int k = 0; k < 2; k++)
        assert_near(mass[i] * (end[i].velocity[k] - start[i].velocity[k]),
                    sign * percussion * ba[k], 1e-6);
      assert_near(inertia * (end[i].spin[2] - start[i].spin[2]),
                  sign * percussion * (lever[i][0] * ba[1] - lever[i][1] * ba[0]), 1e-6);
    }
    const pc_step_info *info = pc_world_info(world);
    assert_true(info->closed && info->drift < 1e-12 && info->dissipated >= -1e-9);
    // Let go, and with somebody gone, they are free.
    assert_int_equal(round % 2 == 0 ? pc_world_set_bond(world, 0, 0)
                                    : pc_world_set_present(world, (pc_body){2}, false),
                     PC_OK);
    assert_int_equal(pc_world_step(world, h), PC_OK);
    pc_body_state free;
    pc_body_get(world, (pc_body){1}, &free);
    assert_near(free.velocity[0], end[0].velocity[0], 1e-12);
    pc_world_destroy(world);
  }
}

// Three hand in hand meet a fourth: the larger K_V, the less far apart their hands come.
static void test_hands(void **state)
{
  double most[4];
  for (int round = 0; round < 4; round++) {
    static const double stiffness[] = {0, 10, 100, 1000};
    pc_crowd_def def = pc_crowd_def_default();
    def.turns = true;
    def.turning.stiffness = 10;
    int door, bond[2];
    pc_crowd *crowd = create(def, &door);
    for (int i = 0; i < 4; i++) {
      pc_person_def person = pc_person_def_default();
      person.goal = door;
      person.position[0] = i < 3 ? 3 : 6, person.position[1] = i < 3 ? 4 + 0.55 * i : 4.4;
      person.velocity[0] = i < 3 ? person.speed : -person.speed;
      person.relaxation = i < 3 ? 0.5 : 1e9; // the fourth just comes
      assert_int_equal(pc_crowd_add_person(crowd, &person), i);
    }
    for (int i = 0; i < 2; i++)
      bond[i] = pc_crowd_add_hands(crowd, i, i + 1, stiffness[round]);
    assert_true(bond[0] == 0 && bond[1] == 1);
    most[round] = 0;
    for (int s = 0; s < 400; s++) {
      ok(crowd, pc_crowd_step(crowd, 0.01));
      const pc_step_info *info = pc_world_info(pc_crowd_world(crowd));
      assert_true(info->closed && info->drift < 1e-12);
      for (int i = 0; i < 2; i++) {
        double p[2][3];
        pc_world_bond(pc_crowd_world(crowd), bond[i], p);
        most[round] = fmax(most[round], hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]));
      }
    }
    pc_crowd_destroy(crowd);
  }
  printf("hands apart by %.3f, %.3f, %.3f, %.3f m\n", most[0], most[1], most[2], most[3]);
  for (int i = 1; i < 4; i++)
    assert_true(most[i] < most[i - 1]);
}

// Groups by forces: those who start apart come together, and Singh's go to the leader's sides.
static void test_groups(void **state)
{
  for (int kind = 0; kind < 2; kind++) {
    int door, people[3];
    pc_crowd *crowd = create(pc_crowd_def_default(), &door);
    for (int i = 0; i < 3; i++) {
      pc_person_def person = pc_person_def_default();
      person.goal = door;
      person.position[0] = 2, person.position[1] = 3 + 2 * i;
      person.speed = person.velocity[0] = 0.5;
      people[i] = pc_crowd_add_person(crowd, &person);
    }
    pc_group_def def = pc_group_def_default((pc_group_kind)kind);
    def.count = 3;
    def.people = people;
    int order[] = {1, 2, 0}; // the middle one leads
    if (kind == PC_GROUP_SINGH)
      def.people = order;
    assert_int_equal(pc_crowd_add_group(crowd, &def), 0);
    assert_int_equal(pc_crowd_add_group(crowd, &def), -1);
    for (int s = 0; s < 3000; s++)
      ok(crowd, pc_crowd_step(crowd, 0.01));
    pc_person_state end[3];
    for (int i = 0; i < 3; i++)
      pc_crowd_person(crowd, i, &end[i]);
    double apart = end[2].position[1] - end[0].position[1];
    if (kind == PC_GROUP_SINGH) // y - 0.7 decays with 0.15 1/s, 1.3 m at the begin
      assert_near(apart, 2 * (0.7 + 1.3 * exp(-0.15 * 30)), 0.03);
    else // 1 m from the middle of the two others
      assert_true(apart > 0.8 && apart < 1.7);
    pc_crowd_destroy(crowd);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orientation),  cmocka_unit_test(test_stiff_turning),
      cmocka_unit_test(test_facing),       cmocka_unit_test(test_bond),
      cmocka_unit_test(test_bond_turning), cmocka_unit_test(test_hands),
      cmocka_unit_test(test_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
