// How wide people are: routes and gaps, exits that are too narrow, who does not fit.
#include <math.h>
#include <stdlib.h>

#include "crowd_support.h"
#include "percuss/random.h"

enum { COLUMNS = 240, ROWS = 160 };
static const double CELL = 0.025; // 6 m x 4 m

// Whether a disc can be moved from a place to the right end, by trying all places of a fine grid.
static bool can_pass(const pc_layout *plan, double width, const double from[2])
{
  static unsigned char state[ROWS][COLUMNS]; // 1: free; 2: reached
  static int next[ROWS * COLUMNS];
  int count = 0;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++) {
      double p[2] = {(c + 0.5) * CELL, (r + 0.5) * CELL};
      state[r][c] = pc_layout_distance(plan, p, width) >= 0.5 * width;
    }
  int start = (int)(from[1] / CELL) * COLUMNS + (int)(from[0] / CELL);
  if (state[start / COLUMNS][start % COLUMNS] == 0)
    return false;
  state[start / COLUMNS][start % COLUMNS] = 2;
  next[count++] = start;
  while (count > 0) {
    int i = next[--count], r = i / COLUMNS, c = i % COLUMNS;
    if ((c + 0.5) * CELL > 5.5)
      return true;
    for (int k = 0; k < 4; k++) {
      int row = r + (k == 0) - (k == 1), column = c + (k == 2) - (k == 3);
      if (row < 0 || column < 0 || row >= ROWS || column >= COLUMNS || state[row][column] != 1)
        continue;
      state[row][column] = 2;
      next[count++] = row * COLUMNS + column;
    }
  }
  return false;
}

// Obstacles across a hall: walls and discs at random in a band.
static void add_clutter(pc_crowd *crowd, pc_random *random)
{
  for (int i = 0; i < 30; i++) {
    double x = pc_random_uniform(random, 2, 4), y = pc_random_uniform(random, 0, 4);
    double angle = pc_random_uniform(random, 0, 6.283), half = pc_random_uniform(random, 0.05, 0.4);
    double centre[2] = {x, y};
    point wall[] = {{x - half * cos(angle), fmin(4, fmax(0, y - half * sin(angle)))},
                    {x + half * cos(angle), fmin(4, fmax(0, y + half * sin(angle)))}};
    ok(crowd, i % 2 == 0 ? pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall))
                         : pc_crowd_add_pillar(crowd, 0, centre, 0.5 * half));
  }
}

// Routes lead where a disc as wide as the narrowest body can be moved, and nowhere else. Cases that
// the fine grid cannot tell are left out: those in which 3 cm decide.
static void routes_lead_where_the_narrowest_body_fits(void **state)
{
  int told = 0, barred = 0;
  print_message("clutter: seeds from 20170101\n");
  for (int trial = 0; trial < 60; trial++) {
    pc_crowd_def def = pc_crowd_def_default();
    def.spacing = 0.05;
    pc_crowd *crowd = create_crowd(def);
    pc_random random;
    pc_random_seed(&random, 20170101 + (uint64_t)trial);
    point hall[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}};
    double from[2] = {0.7, 2}, width = pc_random_uniform(&random, 0.25, 0.6);
    pc_exit_def exit = {.line = {{6, 0}, {6, 4}}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, POINTS(hall)));
    add_clutter(crowd, &random);
    int door = pc_crowd_add_exit(crowd, &exit);
    ok(crowd, pc_crowd_set_narrowest(crowd, width));
    ok(crowd, pc_crowd_finish(crowd));
    const pc_layout *plan = &crowd->floors.at[0].plan;
    bool wider = can_pass(plan, width + 0.03, from), narrower = can_pass(plan, width - 0.03, from);
    bool route = isfinite(pc_crowd_route(crowd, door, 0, from));
    if (wider == narrower) {
      told++;
      barred += !wider;
      if (route != wider)
        fail_msg("trial %d, width %g: a route %d, a disc passes %d", trial, width, route, wider);
    }
    pc_crowd_destroy(crowd);
  }
  print_message("%d told, %d of them barred\n", told, barred);
  assert_true(told > 40 && barred > 10 && told - barred > 10);
}

// A hall that a wall with a gap parts, and an exit at its end.
static pc_crowd *make_parted(double gap, double exit_width, double narrowest, int *door)
{
  pc_crowd *crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  point hall[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}};
  point wall[][2] = {{{3, 0}, {3, 2 - gap / 2}}, {{3, 2 + gap / 2}, {3, 4}}};
  pc_exit_def exit = {.line = {{6, 1}, {6, 1 + exit_width}}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, POINTS(hall)));
  for (int i = 0; i < 2; i++)
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall[i])));
  *door = pc_crowd_add_exit(crowd, &exit);
  ok(crowd, pc_crowd_set_narrowest(crowd, narrowest));
  return crowd;
}

static void what_nobody_fits_through_is_named_with_its_width(void **state)
{
  pc_person_def person = pc_person_def_default();
  pc_crowd *crowd = make_parted(0.4, 1, 0.45, &person.goal);
  person.position[0] = 1, person.position[1] = 1;
  ok(crowd, pc_crowd_finish(crowd));
  assert_int_equal(pc_crowd_add_person(crowd, &person), PC_NO_WAY);
  assert_says(pc_crowd_error(crowd),
              "no way from (1, 1) on floor 0 to goal 0 has room for anybody, 0.45 m wide: the "
              "widest gap is 0.4 m, between (3, 2.2) and (3, 1.8)");
  person.position[0] = 4; // on the other side
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  pc_crowd_destroy(crowd);

  crowd = make_parted(1, 0.3, 0.45, &person.goal);
  assert_int_equal(pc_crowd_finish(crowd), PC_ERROR_ARGUMENT);
  assert_says(pc_crowd_error(crowd),
              "goal 0: the exit from (6, 1) to (6, 1.3) on floor 0 is only 0.3 m wide at (6, "
              "1.15), but the narrowest person is 0.45 m wide");
  pc_crowd_destroy(crowd);
}

// The gap on the way is found, and the exit if it is narrower; whoever fits is not held up.
static void the_tightest_place_of_a_way_is_found(void **state)
{
  double from[2] = {1, 1}, beyond[2] = {4, 1};
  int door;
  pc_crowd *crowd = make_parted(0.5, 0.6, 0.4, &door);
  ok(crowd, pc_crowd_finish(crowd));
  pc_tight gap = pc_crowd_tightest(crowd, door, 0, from, 0.55, 0.7);
  assert_near(gap.width, 0.5, 1e-9);
  assert_near(gap.place[0], 3, 1e-9);
  assert_near(gap.place[1], 2, 1e-9);
  assert_true(isinf(pc_crowd_tightest(crowd, door, 0, from, 0.49, 0.7).width));
  assert_true(isinf(pc_crowd_tightest(crowd, door, 0, beyond, 0.59, 0.7).width));
  gap = pc_crowd_tightest(crowd, door, 0, beyond, 0.65, 0.7);
  assert_near(gap.width, 0.6, 1e-9);
  assert_near(gap.place[1], 1.3, 1e-9);
  pc_crowd_destroy(crowd);
}

// Routes go around a gap that nobody fits through, if there is a way around it.
static void a_way_around_is_taken(void **state)
{
  pc_crowd *crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  point hall[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}};
  point wall[][2] = {{{3, 0}, {3, 0.8}}, {{3, 1.2}, {3, 3}}};
  pc_exit_def exit = {.line = {{6, 0.5}, {6, 1.5}}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, POINTS(hall)));
  for (int i = 0; i < 2; i++)
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall[i])));
  pc_person_def person = pc_person_def_default();
  person.goal = pc_crowd_add_exit(crowd, &exit);
  person.position[0] = person.position[1] = 1;
  ok(crowd, pc_crowd_set_narrowest(crowd, 0.45));
  ok(crowd, pc_crowd_finish(crowd));
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  double least = hypot(2, 2) + hypot(3, 1.75); // around (3, 3), to the nearest part of the exit
  assert_true(pc_crowd_route(crowd, person.goal, 0, person.position) > least);
  for (int s = 0; s < 1000 && pc_crowd_inside(crowd) > 0; s++)
    ok(crowd, pc_crowd_step(crowd, 0.01));
  assert_int_equal(pc_crowd_inside(crowd), 0);
  pc_crowd_destroy(crowd);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_lead_where_the_narrowest_body_fits),
      cmocka_unit_test(what_nobody_fits_through_is_named_with_its_width),
      cmocka_unit_test(the_tightest_place_of_a_way_is_found),
      cmocka_unit_test(a_way_around_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
