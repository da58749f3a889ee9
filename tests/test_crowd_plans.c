// Floor plans: doors that are cut into walls, outlines that cross themselves, gaps that are named.
#include <math.h>

#include "crowd_support.h"
#include "percuss/random.h"

static const double PI = 3.14159265358979323846;

static double length_of_walls(const pc_layout *plan)
{
  double sum = 0;
  for (int i = 0; i < plan->walls; i++)
    sum += hypot(plan->wall[i][2] - plan->wall[i][0], plan->wall[i][3] - plan->wall[i][1]);
  return sum;
}

// A polygon around (0, 0), its corners at random distances.
static int draw_star(pc_random *random, point *corner)
{
  int count = 3 + (int)pc_random_below(random, 9);
  for (int i = 0; i < count; i++) {
    double angle = 2 * PI * (i + 0.4 * pc_random_uniform(random, 0, 1)) / count;
    double away = pc_random_uniform(random, 3, 9);
    corner[i][0] = away * cos(angle);
    corner[i][1] = away * sin(angle);
  }
  return count;
}

// Whatever the outline and however doors follow each other on its edges: walls are shorter by just
// what was cut, a door is free, and what is inside stays inside.
static void a_door_takes_its_width_from_the_walls(void **state)
{
  static const pc_outline_kind kind[] = {PC_AREA_WALKABLE, PC_AREA_SOLID, PC_LINE_WALL};
  pc_random random;
  pc_random_seed(&random, 20170101);
  print_message("doors: seed 20170101\n");
  for (int trial = 0; trial < 300; trial++) {
    point corner[13];
    int count = draw_star(&random, corner);
    pc_layout whole = {0}, cut = {0};
    bool is_line = kind[trial % 3] == PC_LINE_WALL;
    memcpy(corner[count], corner[0], sizeof *corner);
    for (int k = 0; k < 2; k++)
      assert_int_equal(pc_layout_add(k == 0 ? &whole : &cut, kind[trial % 3], count + is_line,
                                     POINTS(corner), NULL),
                       PC_OK);
    double gone = 0, middle[24][2], half[24];
    int doors = 0;
    for (int e = 0; e < count; e++)
      for (int k = 0; k < 2; k++) { // two on an edge: in the first and in the second half of it
        const double *c = corner[e], *d = corner[e + 1];
        double from = 0.5 * k + pc_random_uniform(&random, 0.02, 0.2);
        double to = 0.5 * k + pc_random_uniform(&random, 0.25, 0.48), line[2][2];
        if (k == 0 && trial % 4 == 0)
          from = 0; // from the corner on
        for (int x = 0; x < 2; x++) {
          line[k][x] = c[x] + from * (d[x] - c[x]);
          line[1 - k][x] = c[x] + to * (d[x] - c[x]);
          middle[doors][x] = 0.5 * (line[0][x] + line[1][x]);
        }
        half[doors] = 0.5 * (to - from) * hypot(d[0] - c[0], d[1] - c[1]);
        gone += 2 * half[doors++];
        assert_int_equal(pc_layout_cut(&cut, line, NULL), PC_OK);
      }
    assert_int_equal(pc_layout_finish(&whole, NULL), PC_OK);
    assert_int_equal(pc_layout_finish(&cut, NULL), PC_OK);
    assert_near(length_of_walls(&whole) - length_of_walls(&cut), gone, 1e-9 * gone);
    for (int i = 0; i < doors; i++) {
      assert_true(pc_layout_distance(&whole, middle[i], 1) < 1e-9);
      double room = pc_layout_distance(&cut, middle[i], half[i]);
      assert_true(room <= half[i] + 1e-9 && room > 1e-3);
    }
    for (int i = 0; i < 50; i++) {
      double p[2] = {pc_random_uniform(&random, -9, 9), pc_random_uniform(&random, -9, 9)};
      assert_int_equal(pc_layout_allows(&whole, p), pc_layout_allows(&cut, p));
    }
    pc_layout_free(&whole);
    pc_layout_free(&cut);
  }
}

// A line that only touches or crosses a wall takes nothing away.
static void a_line_across_a_wall_cuts_nothing(void **state)
{
  point room[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}};
  double line[][2][2] = {{{5, 0}, {5, 4}}, {{6, -1}, {6, 0}}, {{5, 1}, {7, 1}}, {{5.9, 1}, {6, 2}}};
  for (int i = 0; i < 4; i++) {
    pc_layout plan = {0};
    assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 4, POINTS(room), NULL), PC_OK);
    assert_int_equal(pc_layout_cut(&plan, line[i], NULL), PC_OK);
    assert_int_equal(pc_layout_finish(&plan, NULL), PC_OK);
    assert_near(length_of_walls(&plan), 20, 1e-12);
    pc_layout_free(&plan);
  }
}

static int run_room(pc_crowd *crowd, int door, double time[20])
{
  pc_random random;
  pc_random_seed(&random, 7);
  ok(crowd, pc_crowd_finish(crowd));
  for (int i = 0; i < 20;) {
    pc_person_def person = pc_person_def_default();
    person.goal = door;
    person.position[0] = pc_random_uniform(&random, 0, 6);
    person.position[1] = pc_random_uniform(&random, 0, 4);
    i += pc_crowd_add_person(crowd, &person) >= 0;
  }
  for (int s = 0; s < 3000 && pc_crowd_inside(crowd) > 0; s++)
    ok(crowd, pc_crowd_step(crowd, 0.01));
  for (int i = 0; i < 20; i++)
    time[i] = person_of(crowd, i).exit_time;
  return pc_crowd_inside(crowd);
}

// An exit on an outline, one on a closed wall, and one in a gap between walls are the same room.
static void an_exit_on_an_outline_is_a_door(void **state)
{
  point room[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}, {0, 0}};
  point walls[] = {{6, 2}, {6, 4}, {0, 4}, {0, 0}, {6, 0}, {6, 1}};
  double time[3][20];
  for (int i = 0; i < 3; i++) {
    pc_crowd *crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
    pc_exit_def exit = {.line = {{6, 1}, {6, 2}}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, i == 0 ? PC_WALL_OUTLINE : PC_WALL_LINE,
                                i == 0   ? 4
                                : i == 1 ? 5
                                         : 6,
                                i < 2 ? POINTS(room) : POINTS(walls)));
    assert_int_equal(run_room(crowd, pc_crowd_add_exit(crowd, &exit), time[i]), 0);
    pc_crowd_destroy(crowd);
  }
  // Walls are cut into the same pieces, in another order: until bodies touch all is the same.
  double first = INFINITY;
  for (int i = 0; i < 20; i++)
    first = fmin(first, time[2][i]);
  for (int i = 0; i < 20; i++)
    for (int k = 0; k < 2; k++)
      assert_true(time[k][i] > 0 && (time[2][i] > first || fabs(time[k][i] - first) < 1e-9));
}

// A bow tie is refused with its edges and where they cross; corners that touch edges are not.
static void an_outline_does_not_cross_itself(void **state)
{
  pc_layout plan = {0};
  pc_error error = {.text = ""};
  point tie[] = {{0, 0}, {6, 4}, {6, 0}, {0, 4}};
  assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 4, POINTS(tie), &error),
                   PC_ERROR_ARGUMENT);
  assert_says(error.text,
              "crosses itself at (3, 2): its edge from (0, 0) to (6, 4) and that from (6, 0) to "
              "(0, 4)");
  assert_int_equal(pc_layout_add(&plan, PC_AREA_SOLID, 4, POINTS(tie), NULL), PC_ERROR_ARGUMENT);
  point pinched[] = {{0, 0}, {6, 0}, {3, 2}, {6, 4}, {0, 4}, {3, 2}};
  assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 6, POINTS(pinched), NULL), PC_OK);
  assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 4, POINTS(tie), NULL), PC_OK);
  pc_layout_free(&plan);
  // Stars do not cross.
  pc_random random;
  pc_random_seed(&random, 20170101);
  for (int i = 0; i < 300; i++) {
    point corner[13];
    int count = draw_star(&random, corner);
    assert_int_equal(pc_layout_add(&plan, PC_AREA_SOLID, count, POINTS(corner), NULL), PC_OK);
  }
  pc_layout_free(&plan);
}

// The place that is named is the gap in the outer walls, not the door of the room one is in.
static void a_gap_in_the_walls_is_named(void **state)
{
  pc_crowd *crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  point outer[] = {{0, 1}, {0, 0}, {6, 0}, {6, 4}, {0, 4}, {0, 3}};
  point inner[][2] = {{{3, 0}, {3, 1}}, {{3, 4}, {3, 2}}};
  pc_exit_def exit = {.line = {{6, 1}, {6, 2}}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, POINTS(outer)));
  for (int i = 0; i < 2; i++)
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(inner[i])));
  pc_person_def person = pc_person_def_default();
  person.goal = pc_crowd_add_exit(crowd, &exit);
  person.position[0] = person.position[1] = 3.5;
  ok(crowd, pc_crowd_finish(crowd));
  assert_int_equal(pc_crowd_add_person(crowd, &person), PC_OPEN_WALLS);
  assert_says(crowd->error.text, "one can walk out at about (0.00, 2.00), where there is no exit");
  pc_crowd_destroy(crowd);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_door_takes_its_width_from_the_walls),
      cmocka_unit_test(a_line_across_a_wall_cuts_nothing),
      cmocka_unit_test(an_exit_on_an_outline_is_a_door),
      cmocka_unit_test(an_outline_does_not_cross_itself),
      cmocka_unit_test(a_gap_in_the_walls_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
