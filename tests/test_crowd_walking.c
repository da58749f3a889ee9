// People who walk among others: measured speeds and flows, lanes, and what must not change.
#include <math.h>
#include <stdlib.h>

#include "crowd_support.h"
#include "percuss/crowd_measures.h"
#include "percuss/random.h"

static const double STEP = 0.01;

static pc_crowd_def following(void)
{
  pc_crowd_def def = pc_crowd_def_calibrated();
  return def;
}

static int add(pc_crowd *crowd, int goal, double x, double y, double radius, double speed)
{
  pc_person_def person = pc_person_def_default();
  person.goal = goal;
  person.position[0] = x;
  person.position[1] = y;
  person.radius = radius;
  person.speed = speed;
  int added = pc_crowd_add_person(crowd, &person);
  if (added < 0)
    fail_msg("%s", pc_crowd_error(crowd));
  return added;
}

// People of 1.34 m/s in staggered rows of a box, towards one of two goals at random.
static void fill_box_from(uint64_t seed, pc_crowd *crowd, const int goals[2], const double low[2],
                          const double high[2], int people, double largest)
{
  pc_random random;
  pc_random_seed(&random, seed);
  double size[2] = {high[0] - low[0], high[1] - low[1]}, best = 0;
  int rows = 1;
  for (int r = 1; r < 60; r++) { // as far apart as possible
    double along = size[0] / ceil((double)people / r), across = size[1] / r;
    double apart = fmin(fmin(along, 2 * across), hypot(0.5 * along, across));
    rows = apart > best ? r : rows;
    best = fmax(best, apart);
  }
  double along = size[0] / ceil((double)people / rows), across = size[1] / rows;
  for (int i = 0; i < people; i++) {
    int row = i % rows, column = i / rows;
    double shift = 0.25 + 0.5 * (row % 2) + 0.02 * pc_random_uniform(&random, 0, 1);
    double radius = largest - 0.05 * pc_random_uniform(&random, 0, 1);
    add(crowd, goals[pc_random_below(&random, 2)], low[0] + (column + shift) * along,
        low[1] + (row + 0.5) * across, radius, 1.34);
  }
}

static void fill_box(pc_crowd *crowd, const int goals[2], const double low[2], const double high[2],
                     int people, double largest)
{
  fill_box_from(1, crowd, goals, low, high, people, largest);
}

static void go_by(pc_crowd *crowd, double seconds, double step)
{
  for (int n = (int)round(seconds / step); n > 0; n--)
    ok(crowd, pc_crowd_step(crowd, step));
}

static void go(pc_crowd *crowd, double seconds)
{
  go_by(crowd, seconds, STEP);
}

// A corridor from 0 to `length`, open at both ends; goals: right, left.
static pc_crowd *make_corridor(pc_walking_model model, double length, double width, int goals[2])
{
  pc_crowd_def def = following();
  def.walking.model = model;
  pc_crowd *crowd = create_crowd(def);
  for (int i = 0; i < 2; i++) {
    point wall[] = {{-3, i * width}, {length + 3, i * width}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall)));
    double x = i == 0 ? length + 3 : -3;
    goals[i] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{x, 0}, {x, width}}});
  }
  ok(crowd, pc_crowd_finish(crowd));
  return crowd;
}

// The speed of a person alone is the desired one, to the last bit as without others.
static void test_alone(void **state)
{
  pc_person_state person[2];
  for (int model = 0; model < 2; model++) {
    int goals[2];
    pc_crowd *crowd = make_corridor((pc_walking_model)model, 30, 4, goals);
    add(crowd, goals[0], 1, 2, 0.225, 1.34);
    go(crowd, 15);
    person[model] = person_of(crowd, 0);
    pc_crowd_destroy(crowd);
  }
  assert_near(person[PC_WALK_FOLLOW].velocity[0], 1.34, 1e-9);
  assert_memory_equal(person[0].position, person[1].position, sizeof person->position);
  assert_memory_equal(person[0].velocity, person[1].velocity, sizeof person->velocity);
}

// Mean speed and density in a part of a long corridor, once the crowd has spread.
static void measure(double density, double step, double *seen, double *speed)
{
  const double width = 3, length = density < 1.5 ? 50 : 30;
  int goals[2];
  pc_crowd *crowd = make_corridor(PC_WALK_FOLLOW, length, width, goals);
  int one_way[2] = {goals[0], goals[0]};
  fill_box(crowd, one_way, (double[]){0, 0.24}, (double[]){length, width - 0.24},
           (int)round(density * width * length), 0.225);
  double free = 1.34 * (1 - exp(-1.913 * (1 / density - 1 / 5.4)));
  double end = 0.45 * length + 6 * free, start = end - 8; // has no wave from the ends yet
  int steps = 0;
  *seen = *speed = 0;
  go_by(crowd, 8, step);
  for (; steps < 24; steps++) {
    go_by(crowd, 0.25, step);
    for (int i = 0; i < pc_crowd_people(crowd); i++) {
      pc_person_state person = person_of(crowd, i);
      bool in = person.present && person.position[0] > start && person.position[0] < end;
      *seen += in ? 1 : 0;
      *speed += in ? person.velocity[0] : 0;
    }
  }
  *speed /= *seen;
  *seen /= steps * (end - start) * width;
  pc_crowd_destroy(crowd);
}

static void test_diagram(void **state)
{
  const double densities[] = {0.5, 1, 2, 3, 3.9};
  for (int i = 0; i < 5; i++) {
    double density, speed;
    measure(densities[i], STEP, &density, &speed);
    // Weidmann 1993, of the density that is there
    double measured = 1.34 * (1 - exp(-1.913 * (1 / density - 1 / 5.4)));
    if (fabs(speed / measured - 1) > 0.15)
      fail_msg("%g people/m2 walk at %g m/s, measured %g", density, speed, measured);
  }
}

static int by_time(const void *a, const void *b)
{
  const double *one = a, *two = b;
  return (*one > *two) - (*one < *two);
}

// People per second and metre through a door of a room, or through a passage behind it.
static double flow_of(uint64_t seed, double width, double length, int people, double step)
{
  double depth = people / 20. + 3, half = 0.5 * width;
  pc_crowd *crowd = create_crowd(following());
  point room[] = {{length, half}, {0, half}, {0, 5},     {-depth, 5},
                  {-depth, -5},   {0, -5},   {0, -half}, {length, -half}};
  int first = length > 0 ? 0 : 1;
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 8 - 2 * first, POINTS(room + first)));
  int exit = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{length, -half}, {length, half}}});
  ok(crowd, pc_crowd_finish(crowd));
  fill_box_from(seed, crowd, (int[]){exit, exit}, (double[]){-people / 20. - 0.3, -4},
                (double[]){-0.3, 4}, people, 0.25);
  double *times = malloc((size_t)people * sizeof *times);
  for (int n = 0; n < 20000 && pc_crowd_inside(crowd) > 0; n++)
    ok(crowd, pc_crowd_step(crowd, step));
  assert_int_equal(pc_crowd_inside(crowd), 0); // nobody is stuck
  for (int i = 0; i < people; i++)
    times[i] = person_of(crowd, i).exit_time;
  qsort(times, (size_t)people, sizeof *times, by_time);
  int start[2] = {0, people};
  pc_crowd_flow flow;
  pc_error error;
  assert_int_equal(pc_crowd_measure_flow(1, start, times, NULL, &flow, &error), PC_OK);
  free(times);
  pc_crowd_destroy(crowd);
  return flow.robust / 60 / width;
}

// The mean of four crowds: a single flow scatters by 3 %.
static double flow_through(double width, double length, int people, double step)
{
  double sum = 0;
  for (uint64_t seed = 1; seed <= 4; seed++)
    sum += flow_of(seed, width, length, people, step);
  return sum / 4;
}

// 1.9 per second and metre: Seyfried et al. 2009, Kretz et al. 2006, Liddle et al. 2009.
static void test_bottleneck(void **state)
{
  // Width, length behind the door, and what is allowed: a door of 0.8 m is less than two discs
  // wide.
  const double cases[][3] = {{0.8, 0, 0.2}, {1, 0, 0.1},   {1.2, 0, 0.1},
                             {2, 0, 0.1},   {1.2, 2, 0.1}, {2, 2, 0.1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double flow = flow_through(cases[i][0], cases[i][1], 120, STEP);
    if (fabs(flow / 1.9 - 1) > cases[i][2])
      fail_msg("%g people/(m s) through %g m, %g m long", flow, cases[i][0], cases[i][1]);
  }
}

// The step that docs/crowds.md advises gives the same speeds and flows.
static void test_steps(void **state)
{
  const double advised = 0.025, densities[] = {0.5, 2, 3.9}, widths[] = {1, 1.2, 2};
  for (int i = 0; i < 3; i++) {
    double density[2], speed[2];
    measure(densities[i], STEP, &density[0], &speed[0]);
    measure(densities[i], advised, &density[1], &speed[1]);
    assert_near(speed[1], speed[0], 0.02 * speed[0]);
    assert_near(density[1], density[0], 0.02 * density[0]);
  }
  double mean = 0;
  for (int i = 0; i < 3; i++)
    mean += flow_through(widths[i], 0, 200, advised) / flow_through(widths[i], 0, 200, STEP) / 3;
  assert_near(mean, 1, 0.04);
}

// A crowd that walks both ways, and comes in again at random places, sorts itself into lanes.
static void test_lanes(void **state)
{
  const double length = 20, width = 4;
  int goals[2], sources[2];
  pc_crowd *crowd = create_crowd(following());
  for (int i = 0; i < 2; i++) {
    double x = i == 0 ? 0.5 : length - 0.5;
    point wall[] = {{-1, i * width}, {length + 1, i * width}}, way_in[] = {{x, 0.3}, {x, 3.7}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall)));
    sources[i] = pc_crowd_add_source(crowd, &(pc_source_def){.count = 2, .points = POINTS(way_in)});
  }
  for (int i = 0; i < 2; i++) {
    double x = i == 0 ? length : 0;
    goals[i] = pc_crowd_add_exit(
        crowd,
        &(pc_exit_def){.line = {{x, 0}, {x, width}}, .reenters = true, .source = sources[i]});
  }
  ok(crowd, pc_crowd_finish(crowd));
  fill_box(crowd, goals, (double[]){0.5, 0.26}, (double[]){19.5, 3.74}, 80, 0.25);
  go(crowd, 0.1);
  double before = pc_crowd_lanes(crowd, 0, 0.5), after = 0;
  go(crowd, 30);
  for (int n = 0; n < 20; n++) {
    go(crowd, 1);
    after += pc_crowd_lanes(crowd, 0, 0.5) / 20;
  }
  if (!(before < 0.4 && after > 0.6))
    fail_msg("the order of lanes is %g, then %g", before, after);
  int laps = 0;
  for (int i = 0; i < pc_crowd_people(crowd); i++)
    laps += person_of(crowd, i).laps;
  assert_true(laps > 80); // 0.5 m/s at least
  pc_crowd_destroy(crowd);
}

// Two crowds that fill a corridor from both ends pass each other: to the right, and without waiting
// for those who come. 50 people who follow each other in a lane need 50 / (1.9 * 0.75 m) = 35 s,
// and 22 s for the way; with the turmoil where they meet not more than twice as long.
static void test_dense_counterflow(void **state)
{
  const double sizes[][2] = {{1.5, 0.225}, {2.5, 0.25}};
  for (int n = 0; n < 2; n++) {
    double width = sizes[n][0], largest = sizes[n][1];
    int goals[2], each = (int)(50 * width / 1.5);
    pc_crowd *crowd = make_corridor(PC_WALK_FOLLOW, 30, width, goals);
    for (int i = 0; i < 2; i++)
      fill_box(crowd, (int[]){goals[i], goals[i]}, (double[]){16.0 * i, largest + 0.01},
               (double[]){14 + 16.0 * i, width - largest - 0.01}, each, largest);
    go_by(crowd, 115, 0.02);
    int inside = pc_crowd_inside(crowd);
    pc_crowd_destroy(crowd);
    if (inside > 0)
      fail_msg("%d of %d people are still in a corridor of %g m", inside, 2 * each, width);
  }
}

// People who meet one to one hardly leave their way: keeping to the right is for crowds.
static void test_meeting(void **state)
{
  int goals[2];
  pc_crowd *crowd = make_corridor(PC_WALK_FOLLOW, 20, 4, goals);
  int one = add(crowd, goals[0], 1, 1.6, 0.2, 1.34),
      other = add(crowd, goals[1], 19, 2.4, 0.2, 1.34);
  double aside = 0;
  for (int n = 0; n < 1200; n++) {
    ok(crowd, pc_crowd_step(crowd, STEP));
    aside = fmax(aside, fabs(person_of(crowd, one).position[1] - 1.6));
    aside = fmax(aside, fabs(person_of(crowd, other).position[1] - 2.4));
  }
  if (aside > 0.15) // they are 0.4 m apart as it is
    fail_msg("two people who pass each other anyhow go %g m aside", aside);
  pc_crowd_destroy(crowd);
}

// Others walk around people who stand, and push nobody.
static void test_standing(void **state)
{
  int goals[2];
  pc_crowd *crowd = make_corridor(PC_WALK_FOLLOW, 20, 6, goals);
  int walker = add(crowd, goals[0], 1, 3, 0.225, 1.34);
  for (int i = 0; i < 2; i++) {
    pc_person_def person = pc_person_def_default();
    person.goal = goals[0];
    person.response = INFINITY;
    person.position[0] = 8 + 3 * i;
    person.position[1] = 3 + 0.1 * i;
    assert_int_equal(pc_crowd_add_person(crowd, &person), 1 + i);
  }
  for (int n = 0; n < 2500 && pc_crowd_inside(crowd) > 2; n++) {
    ok(crowd, pc_crowd_step(crowd, STEP));
    assert_near(person_of(crowd, walker).push, 0, 0);
  }
  assert_int_equal(pc_crowd_inside(crowd), 2);
  for (int i = 0; i < 2; i++) {
    pc_person_state person = person_of(crowd, 1 + i);
    assert_near(person.position[0], 8 + 3 * i, 0);
    assert_near(person.velocity[0], 0, 0);
  }
  // Round two people of 0.45 m is hardly farther: not a second is lost.
  assert_true(person_of(crowd, walker).exit_time < 22 / 1.34 + 0.5 + 1);
  pc_crowd_destroy(crowd);
}

// A room whose door is 1 m wide, with a dense crowd before it.
static pc_crowd *make_room(int threads)
{
  pc_crowd_def def = following();
  def.threads = threads;
  pc_crowd *crowd = create_crowd(def);
  point room[] = {{0, 0.5}, {0, 5}, {-8, 5}, {-8, -5}, {0, -5}, {0, -0.5}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, POINTS(room)));
  int exit = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{0, -0.5}, {0, 0.5}}});
  ok(crowd, pc_crowd_finish(crowd));
  fill_box(crowd, (int[]){exit, exit}, (double[]){-5, -4}, (double[]){-0.3, 4}, 100, 0.25);
  return crowd;
}

static void assert_same(const pc_crowd *one, const pc_crowd *two)
{
  for (int i = 0; i < pc_crowd_people(one); i++) {
    pc_person_state a = person_of(one, i), b = person_of(two, i);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
  }
}

static void test_threads(void **state)
{
  pc_crowd *one = make_room(1), *three = make_room(3);
  go(one, 5);
  go(three, 5);
  assert_true(pc_crowd_inside(one) < 96); // also people who left a moment ago
  assert_same(one, three);
  pc_crowd_destroy(one);
  pc_crowd_destroy(three);
}

static void test_continued(void **state)
{
  pc_crowd *one = make_room(1), *other = make_room(1);
  go(one, 4);
  size_t size = pc_crowd_save(one, NULL, 0);
  void *saved = malloc(size);
  assert_int_equal(pc_crowd_save(one, saved, size), size);
  ok(other, pc_crowd_load(other, saved, size));
  free(saved);
  go(one, 3);
  go(other, 3);
  assert_same(one, other);
  pc_crowd_destroy(one);
  pc_crowd_destroy(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alone),      cmocka_unit_test(test_diagram),
      cmocka_unit_test(test_bottleneck), cmocka_unit_test(test_steps),
      cmocka_unit_test(test_lanes),      cmocka_unit_test(test_standing),
      cmocka_unit_test(test_meeting),    cmocka_unit_test(test_dense_counterflow),
      cmocka_unit_test(test_threads),    cmocka_unit_test(test_continued),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
