// What people see ahead, against a sum over all people and all walls by the formulas of
// docs/crowds.md, one person at a time.
#include <stdlib.h>

#include "crowd/outlook.h"
#include "percuss/random.h"
#include "support.h"

enum { VIEWERS = 40 };

typedef struct scene {
  int people;
  double (*at)[2], (*velocity)[2], (*heads)[2], *radius;
  pc_layout plan;
  pc_cells cells;
  pc_outlook outlook;
  pc_random random;
} scene;

static scene make(int people, double side, int walls, int discs, double cell)
{
  scene s = {.people = people};
  s.at = malloc(sizeof *s.at * (size_t)people);
  s.velocity = malloc(sizeof *s.velocity * (size_t)people);
  s.heads = malloc(sizeof *s.heads * (size_t)people);
  s.radius = malloc(sizeof *s.radius * (size_t)people);
  pc_random_seed(&s.random, 7);
  for (int i = 0; i < people; i++) {
    s.radius[i] = pc_random_uniform(&s.random, 0.15, 0.3);
    for (int k = 0; k < 2; k++) {
      s.at[i][k] = pc_random_uniform(&s.random, 0, side);
      s.velocity[i][k] = pc_random_uniform(&s.random, -1.5, 1.5) * (i % 3 > 0);
    }
    double angle = pc_random_uniform(&s.random, 0, 6.28);
    s.heads[i][0] = i % 5 > 0 ? cos(angle) : 0; // some want to go nowhere
    s.heads[i][1] = i % 5 > 0 ? sin(angle) : 0;
  }
  for (int i = 0; i < walls; i++) {
    double line[2][2];
    for (int k = 0; k < 2; k++) {
      line[0][k] = pc_random_uniform(&s.random, 0, side);
      line[1][k] = line[0][k] + pc_random_uniform(&s.random, -1, 1);
    }
    assert_int_equal(pc_layout_add(&s.plan, PC_LINE_WALL, 2, (const double(*)[2])line, NULL),
                     PC_OK);
  }
  for (int i = 0; i < discs; i++) {
    double centre[2] = {pc_random_uniform(&s.random, 0, side),
                        pc_random_uniform(&s.random, 0, side)};
    assert_int_equal(pc_layout_add_disc(&s.plan, centre, 0.1, NULL), PC_OK);
  }
  assert_int_equal(pc_layout_finish(&s.plan, NULL), PC_OK);
  assert_true(pc_cells_sort(&s.cells, 1, people, (const double(*)[2])s.at, NULL, cell));
  assert_true(pc_outlook_reserve(&s.outlook, people));
  for (int n = 0; n < people; n++) {
    int i = s.cells.point.at[n];
    s.outlook.x.at[n] = s.at[i][0];
    s.outlook.y.at[n] = s.at[i][1];
    s.outlook.u.at[n] = s.velocity[i][0];
    s.outlook.v.at[n] = s.velocity[i][1];
    s.outlook.heads_x.at[n] = s.heads[i][0];
    s.outlook.heads_y.at[n] = s.heads[i][1];
    s.outlook.radius.at[n] = s.radius[i];
  }
  return s;
}

static void release(scene *s)
{
  free(s->at);
  free(s->velocity);
  free(s->heads);
  free(s->radius);
  pc_layout_free(&s->plan);
  pc_cells_free(&s->cells);
  pc_outlook_free(&s->outlook);
}

// Whether any wall or disc is on the straight line, each tried.
static bool is_hidden(const scene *s, const double p[2], const double q[2])
{
  bool hidden = false;
  for (int i = 0; i < s->plan.walls; i++)
    hidden = hidden || pc_lines_meet(p, q, s->plan.wall[i]);
  for (int i = 0; i < s->plan.discs.count; i++)
    hidden = hidden || pc_distance_to_line(s->plan.discs.at[i], p, q) <= s->plan.discs.at[i][2];
  return hidden;
}

static void add_person(const scene *s, const pc_viewer *of, int j, pc_view *sum, int *seen)
{
  double d[2] = {s->at[j][0] - of->from[0], s->at[j][1] - of->from[1]};
  double ahead = d[0] * of->way[0] + d[1] * of->way[1];
  double aside = d[1] * of->way[0] - d[0] * of->way[1];
  if (j == of->person || ahead <= 0 || ahead >= 2.5 || fabs(aside) >= 0.9 ||
      is_hidden(s, of->from, s->at[j]))
    return;
  double speed = s->velocity[j][0] * of->way[0] + s->velocity[j][1] * of->way[1];
  double both = of->radius + s->radius[j], away = hypot(d[0], d[1]);
  double x = fmax(0.05, ahead + of->walking->anticipation * (speed - of->along));
  double f = x >= 2.5 ? 0 : x < 0.3 ? x / 0.3 : (2.5 - x) / (2.5 - 0.3);
  double against = fmax(0, -s->heads[j][0] * of->way[0] - s->heads[j][1] * of->way[1]);
  sum->density += (1 - against) * 2 * f * (1 - fabs(aside) / 0.9) / (0.82 * 2.5 * 0.9);
  sum->coming += against * (1 - ahead / 2.5) * (1 - fabs(aside) / 0.9);
  double y = aside + 0.02, closing = of->along - speed;
  if (away < both + 0.5) { // make room
    double near = 1 - fmax(0, away - both) / 0.5;
    sum->aside -= 0.13 * near * near * y * ahead / ((fabs(y) + 0.05) * away);
  }
  double wide = both + (speed < 0 ? 0.4 : 0.2), meets = (ahead - both) / closing; // in s
  if (closing > 0 && meets < 2.5 && fabs(y) < wide) {
    double size = 3 * fmin(1, 1 - meets / 2.5) * (1 - fabs(y) / wide) * fmin(1, closing);
    sum->aside -= y > 0 ? size : -size;
  }
  if (fabs(aside) < 0.3 * both) {
    double gap = ahead - sqrt(both * both - aside * aside / 0.09);
    sum->speed = fmin(sum->speed, fmax(0, gap) / of->walking->headway);
  }
  sum->yields = sum->yields || (j < of->person && fabs(of->along) < 0.05 && fabs(speed) < 0.05 &&
                                away < both + 0.02);
  ++*seen;
}

// Gives the largest number of people that one viewer sees.
static int compare(scene *s)
{
  const pc_walking walking = pc_walking_default();
  int most = 0, yield = 0;
  for (int n = 0; n < VIEWERS; n++) {
    int person = n * (s->people / VIEWERS), seen = 0;
    // Also along the axes, where edges of what can be seen are parallel to rows of cells.
    double turn = n % 4 == 0 ? n / 4 * acos(0) : pc_random_uniform(&s->random, 0, 6.28);
    pc_viewer of = {.walking = &walking,
                    .cells = &s->cells,
                    .outlook = &s->outlook,
                    .plan = &s->plan,
                    .person = person,
                    .from = {s->at[person][0], s->at[person][1]},
                    .radius = s->radius[person],
                    .way = {cos(turn), sin(turn)},
                    .along = n % 3 == 0 ? 0 : pc_random_uniform(&s->random, 0, 1.5)};
    pc_view sum = {.speed = INFINITY}, view = pc_look_ahead(&of);
    for (int j = 0; j < s->people; j++)
      add_person(s, &of, j, &sum, &seen);
    sum.aside -= 4 * sum.coming * sum.coming / (sum.coming + 0.5); // to the right
    assert_near(view.coming, sum.coming, 1e-12 * (1 + seen));
    assert_near(view.density, sum.density, 1e-12 * (1 + seen));
    assert_near(view.aside, sum.aside, 1e-12 * (1 + seen));
    assert_true(view.speed == sum.speed || fabs(view.speed - sum.speed) < 1e-9);
    assert_int_equal(view.yields, sum.yields);
    most = seen > most ? seen : most;
    yield += view.yields;
  }
  assert_true(yield > 0 || s->people == VIEWERS || s->plan.walls > 0);
  return most;
}

static void test_open(void **state)
{
  scene s = make(1500, 15, 0, 0, 0.8);
  assert_true(compare(&s) > 20);
  release(&s);
}

// Cells of other sizes hold the same people.
static void test_cells(void **state)
{
  const double sizes[] = {0.2, 3, 40};
  for (int i = 0; i < 3; i++) {
    scene s = make(1500, 15, 0, 0, sizes[i]);
    assert_true(compare(&s) > 20);
    release(&s);
  }
}

// More people in view than are looked at at a time.
static void test_packed(void **state)
{
  scene s = make(6000, 10, 0, 0, 0.8);
  assert_true(compare(&s) > 256);
  release(&s);
}

static void test_walls(void **state)
{
  const int walls[] = {40, 3000}; // a few near each; more than are listed
  for (int i = 0; i < 2; i++) {
    scene s = make(1500, 15, walls[i], 30, 0.8);
    assert_true(compare(&s) > (i == 0 ? 10 : 0));
    release(&s);
  }
}

static void test_alone(void **state)
{
  scene s = make(VIEWERS, 500, 0, 0, 0.8);
  assert_int_equal(compare(&s), 0);
  release(&s);
}

// A wall and a disc are found from wherever they reach, once.
static void test_items(void **state)
{
  scene s = make(VIEWERS, 15, 200, 50, 0.8);
  int items = s.plan.walls + s.plan.discs.count;
  for (int n = 0; n < 200; n++) {
    double low[2], size = n % 2 ? 1 : 4;
    for (int k = 0; k < 2; k++)
      low[k] = pc_random_uniform(&s.random, -3, 18);
    double box[4] = {low[0], low[1], low[0] + size, low[1] + size}, own[4];
    int item[260], found = pc_layout_items(&s.plan, box, 260, item), expected = 0;
    for (int i = 0; i < items; i++) {
      pc_layout_box(&s.plan, i, own);
      bool meets = own[0] <= box[2] && box[0] <= own[2] && own[1] <= box[3] && box[1] <= own[3];
      int times = 0;
      for (int k = 0; k < found; k++)
        times += item[k] == i;
      assert_int_equal(times, meets);
      expected += meets;
    }
    assert_int_equal(found, expected);
    if (expected > 3)
      assert_int_equal(pc_layout_items(&s.plan, box, 3, item), 4);
  }
  release(&s);
}

// Every point is in the cell of its place, in the order of the points, on any number of threads.
static void test_sorted(void **state)
{
  enum { POINTS = 20000 };
  double(*at)[2] = malloc(POINTS * sizeof *at);
  unsigned char *there = malloc(POINTS);
  pc_random random;
  pc_random_seed(&random, 3);
  int points = 0;
  for (int i = 0; i < POINTS; i++) {
    there[i] = i % 7 > 0;
    points += there[i];
    for (int k = 0; k < 2; k++)
      at[i][k] = there[i] ? pc_random_uniform(&random, -20, 30) : 1e6;
  }
  for (int threads = 1; threads <= 4; threads += 3) {
    pc_cells cells = {0};
    assert_true(pc_cells_sort(&cells, threads, POINTS, (const double(*)[2])at, there, 0.8));
    assert_int_equal(pc_cells_points(&cells), points);
    assert_true(cells.columns > 60 && cells.rows > 60);
    int where = 0;
    for (int c = 0; c < cells.columns * cells.rows; c++)
      for (int n = cells.start.at[c]; n < cells.start.at[c + 1]; n++, where++) {
        int i = cells.point.at[n];
        assert_true(there[i] && n == where);
        assert_true(n == cells.start.at[c] || cells.point.at[n - 1] < i);
        for (int k = 0; k < 2; k++) {
          double low = cells.low[k] + (k == 0 ? c % cells.columns : c / cells.columns) * cells.size;
          assert_true(at[i][k] > low - 1e-9 && at[i][k] < low + cells.size + 1e-9);
        }
      }
    assert_int_equal(where, points);
    pc_cells_free(&cells);
  }
  free(at);
  free(there);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_open),   cmocka_unit_test(test_cells), cmocka_unit_test(test_packed),
      cmocka_unit_test(test_walls),  cmocka_unit_test(test_alone), cmocka_unit_test(test_items),
      cmocka_unit_test(test_sorted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
