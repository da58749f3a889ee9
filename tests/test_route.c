// Routes: floor plans, and fast marching against geodesics that are known.
#include <string.h>

#include "crowd/field.h"
#include "support.h"

typedef double point[2];

static pc_layout finish(pc_layout plan)
{
  assert_int_equal(pc_layout_finish(&plan, NULL), PC_OK);
  return plan;
}

// A field to one point.
typedef struct route {
  pc_grid grid;
  pc_field field;
} route;

static void make_route(route *r, const pc_layout *plan, double spacing, double inset,
                       const point goal)
{
  pc_grid_def def = {.spacing = spacing, .inset = inset, .reluctance = 20, .margin = 1};
  point to[1] = {{goal[0], goal[1]}};
  assert_int_equal(pc_grid_make(&r->grid, plan, &def, NULL), PC_OK);
  assert_int_equal(pc_field_make(&r->field, &r->grid, NULL), PC_OK);
  pc_goal there = {.count = 1, .point = (const double(*)[2])to};
  assert_int_equal(pc_field_solve(&r->field, 1, &there, NULL), PC_OK);
}

static void free_route(route *r)
{
  pc_field_free(&r->field);
  pc_grid_free(&r->grid);
}

// The same questions, without squares and with other formulas.
static bool meet(const point a, const point b, const point c, const point d)
{
  // Solve a + s (b - a) = c + t (d - c).
  double e[2] = {b[0] - a[0], b[1] - a[1]}, f[2] = {d[0] - c[0], d[1] - c[1]};
  double det = e[1] * f[0] - e[0] * f[1];
  double s = ((c[1] - a[1]) * f[0] - (c[0] - a[0]) * f[1]) / det;
  double t = ((c[1] - a[1]) * e[0] - (c[0] - a[0]) * e[1]) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

static void test_plan(void **state)
{
  pc_random random = test_random("plan");
  for (int round = 0; round < test_count(50); round++) {
    enum { WALLS = 30, DISCS = 5 };
    double wall[WALLS][4], disc[DISCS][3];
    pc_layout plan = {0};
    double size = pow(10, pc_random_uniform(&random, -1, 1));
    for (int i = 0; i < WALLS; i++) {
      for (int k = 0; k < 2; k++) {
        wall[i][k] = pc_random_uniform(&random, 0, 10);
        wall[i][2 + k] = wall[i][k] + size * pc_random_uniform(&random, -1, 1);
      }
      assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 2, (const double(*)[2])wall[i], NULL),
                       PC_OK);
    }
    for (int i = 0; i < DISCS; i++) {
      for (int k = 0; k < 2; k++)
        disc[i][k] = pc_random_uniform(&random, 0, 10);
      disc[i][2] = pc_random_uniform(&random, 0.01, 1);
      assert_int_equal(pc_layout_add_disc(&plan, disc[i], disc[i][2], NULL), PC_OK);
    }
    plan = finish(plan);
    for (int i = 0; i < 400; i++) {
      point p, q;
      for (int k = 0; k < 2; k++) {
        p[k] = pc_random_uniform(&random, -2, 12);
        q[k] = p[k] + pc_random_uniform(&random, -2, 2);
      }
      bool barred = false;
      double nearest = 3;
      for (int w = 0; w < WALLS; w++) {
        barred = barred || meet(p, q, wall[w], wall[w] + 2);
        for (int step = 0; step <= 2000; step++) {
          double s = step / 2000.0;
          nearest = fmin(nearest, hypot(p[0] - wall[w][0] - s * (wall[w][2] - wall[w][0]),
                                        p[1] - wall[w][1] - s * (wall[w][3] - wall[w][1])));
        }
      }
      for (int d = 0; d < DISCS; d++) {
        double away = INFINITY;
        for (int step = 0; step <= 2000; step++) {
          double s = step / 2000.0;
          away = fmin(away, hypot(p[0] + s * (q[0] - p[0]) - disc[d][0],
                                  p[1] + s * (q[1] - p[1]) - disc[d][1]));
        }
        if (fabs(away - disc[d][2]) < 1e-5)
          continue; // sampling cannot tell
        barred = barred || away < disc[d][2];
        nearest = fmin(nearest, fmax(0, hypot(p[0] - disc[d][0], p[1] - disc[d][1]) - disc[d][2]));
      }
      assert_int_equal(pc_layout_bars(&plan, p, q), barred);
      assert_near(pc_layout_distance(&plan, p, 3), nearest, 1e-3 * size + 1e-9);
    }
    pc_layout_free(&plan);
  }
}

static void test_plan_areas(void **state)
{
  pc_layout plan = {0};
  point room[] = {{0, 0}, {10, 0}, {10, 4}, {4, 4}, {4, 10}, {0, 10}}; // an L
  point desk[] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
  assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 6, (const double(*)[2])room, NULL),
                   PC_OK);
  assert_int_equal(pc_layout_add(&plan, PC_AREA_SOLID, 4, (const double(*)[2])desk, NULL), PC_OK);
  assert_int_equal(pc_layout_add_disc(&plan, (point){8, 2}, 0.5, NULL), PC_OK);
  plan = finish(plan);
  assert_true(pc_layout_allows(&plan, (point){3, 9}));
  assert_true(pc_layout_allows(&plan, (point){9, 3}));
  assert_false(pc_layout_allows(&plan, (point){5, 5}));
  assert_false(pc_layout_allows(&plan, (point){1.5, 1.5}));
  assert_false(pc_layout_allows(&plan, (point){8.3, 2.2}));
  assert_false(pc_layout_allows(&plan, (point){-1, 1}));
  pc_layout_free(&plan);
  pc_error error;
  assert_int_equal(pc_layout_add(&plan, PC_AREA_SOLID, 2, (const double(*)[2])desk, &error),
                   PC_ERROR_ARGUMENT);
  point twice[] = {{0, 0}, {1, 0}, {1, 0}};
  assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 3, (const double(*)[2])twice, &error),
                   PC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "points 2 and 3 are the same, at (1, 0)");
  pc_layout_free(&plan);
}

// Largest error of a field at random places, against a geodesic that is known.
typedef double known_way(const point p);

static double worst(const route *r, const double box[4], known_way *known, const pc_layout *plan,
                    pc_random random)
{
  double largest = 0;
  for (int i = 0; i < 500; i++) {
    point p = {pc_random_uniform(&random, box[0], box[2]),
               pc_random_uniform(&random, box[1], box[3])};
    if (pc_layout_distance(plan, p, 0.02) < 0.02)
      continue;
    largest = fmax(largest, fabs(pc_field_time(&r->field, p) - known(p)));
  }
  return largest;
}

static const double RADIUS = 1;
static const point DISC_GOAL = {3, 0.3};

// Around the disc at the origin: straight if nothing is in the way, else two tangents and an arc.
static double around_disc(const point p)
{
  const double *g = DISC_GOAL;
  double d[2] = {g[0] - p[0], g[1] - p[1]}, length = hypot(d[0], d[1]);
  double s = -(p[0] * d[0] + p[1] * d[1]) / (length * length);
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  if (hypot(p[0] + s * d[0], p[1] + s * d[1]) >= RADIUS)
    return length;
  double a = hypot(p[0], p[1]), b = hypot(g[0], g[1]);
  double angle = acos((p[0] * g[0] + p[1] * g[1]) / (a * b));
  return sqrt(a * a - RADIUS * RADIUS) + sqrt(b * b - RADIUS * RADIUS) +
         RADIUS * (angle - acos(RADIUS / a) - acos(RADIUS / b));
}

// Halving the spacing halves the error, or better.
static void assert_first_order(const char *name, const double *error, int count)
{
  for (int i = 0; i < count; i++)
    printf("%s: %g m\n", name, error[i]);
  double order = log(error[0] / error[count - 1]) / log(2) / (count - 1);
  printf("%s: order %.2f\n", name, order);
  if (order < 0.9)
    fail_msg("%s: order %g", name, order);
}

static void test_disc(void **state)
{
  enum { LEVELS = 4 };
  double error[LEVELS];
  pc_layout plan = {0};
  assert_int_equal(pc_layout_add_disc(&plan, (point){0, 0}, RADIUS, NULL), PC_OK);
  point box[] = {{-4, -4}, {4, -4}, {4, 4}, {-4, 4}};
  assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 4, (const double(*)[2])box, NULL), PC_OK);
  plan = finish(plan);
  pc_random random = test_random("disc");
  for (int i = 0; i < LEVELS; i++) {
    route r;
    make_route(&r, &plan, 0.2 / (1 << i), 0, DISC_GOAL);
    error[i] = worst(&r, (double[]){-3.9, -3.9, 3.9, 3.9}, around_disc, &plan, random);
    free_route(&r);
  }
  pc_layout_free(&plan);
  assert_first_order("disc", error, LEVELS);
}

// A corridor that does not lie on the grid: it is convex, so ways are straight to the nearest point
// of the goal. Next to walls too, or everybody would drift to the middle of long corridors.
static void test_turned_corridor(void **state)
{
  const double length = 60, width = 4, clear = 0.25;
  pc_random random = test_random("turned corridor");
  for (int round = 0; round < 12; round++) {
    double angle = round == 0 ? 0 : 0.5236 * round + pc_random_uniform(&random, -0.2, 0.2);
    double spacing = round % 2 ? 0.1 : 0.2, c = cos(angle), d = sin(angle), worst_time = 0,
           inward = 0;
    point corner[4] = {{0, 0}, {length, 0}, {length, width}, {0, width}};
    point line[2] = {{length - 1, clear}, {length - 1, width - clear}};
    for (int i = 0; i < 6; i++) {
      double *p = i < 4 ? corner[i] : line[i - 4], x = p[0], y = p[1];
      p[0] = c * x - d * y;
      p[1] = d * x + c * y;
    }
    pc_layout plan = {0};
    assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 4, (const double(*)[2])corner, NULL),
                     PC_OK);
    plan = finish(plan);
    route r;
    pc_grid_def def = {.spacing = spacing, .margin = 1};
    assert_int_equal(pc_grid_make(&r.grid, &plan, &def, NULL), PC_OK);
    assert_int_equal(pc_field_make(&r.field, &r.grid, NULL), PC_OK);
    pc_goal there = {.count = 2, .point = (const double(*)[2])line};
    assert_int_equal(pc_field_solve(&r.field, 1, &there, NULL), PC_OK);
    enum { POINTS = 4000 };
    for (int i = 0; i < POINTS; i++) {
      // The narrow strips at the walls as often as the rest.
      double x = pc_random_uniform(&random, 1, length - 3), side = i % 2;
      double y = i % 4 < 2 ? pc_random_uniform(&random, 0.15, 0.35)
                           : pc_random_uniform(&random, 0.35, width / 2);
      y = side > 0 ? width - y : y;
      double to = fmin(fmax(y, clear), width - clear) - y;
      double exact = hypot(length - 1 - x, to), way[2];
      point p = {c * x - d * y, d * x + c * y};
      assert_true(pc_field_way(&r.field, p, way));
      double aside = c * way[1] - d * way[0];
      worst_time = fmax(worst_time, fabs(pc_field_time(&r.field, p) - exact));
      inward += (side > 0 ? -1 : 1) * (aside - to / exact) / POINTS;
    }
    // To the middle; without regard to walls the mean is 0.02 to 0.07.
    if (worst_time > 0.12 * spacing || inward > 0.01)
      fail_msg("turned by %g rad: times are %g s off, ways lead inwards by %g", angle, worst_time,
               inward);
    free_route(&r);
    pc_layout_free(&plan);
  }
}

// A maze: walls from alternate sides, and the way through it corner by corner.
static const point MAZE_GOAL = {0.5, 0.5};
static const point MAZE[][2] = { // from the outer wall inwards
    {{1, 0}, {1, 3}},
    {{2.1, 4}, {2.1, 1}},
    {{3, 0}, {3, 2.5}},
    {{5, 4}, {4.2, 1.7}}};
enum { MAZE_WALLS = sizeof MAZE / sizeof *MAZE };
static const point MAZE_ROOM[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}};

static bool sees(const point p, const point q)
{
  for (int w = 0; w < MAZE_WALLS; w++) {
    point a, b; // inner ends belong to ways: a little is cut off
    for (int k = 0; k < 2; k++) {
      a[k] = MAZE[w][0][k];
      b[k] = MAZE[w][1][k] + 1e-9 * (MAZE[w][0][k] - MAZE[w][1][k]);
    }
    if (meet(p, q, a, b))
      return false;
  }
  return true;
}

// Shortest way over the ends of walls: Bellman's iteration over all of them.
static double through_maze(const point p)
{
  enum { PLACES = MAZE_WALLS };
  double time[PLACES], best = INFINITY;
  for (int i = 0; i < PLACES; i++) {
    const double *c = MAZE[i][1];
    time[i] = sees(c, MAZE_GOAL) ? hypot(c[0] - MAZE_GOAL[0], c[1] - MAZE_GOAL[1]) : INFINITY;
  }
  for (int round = 0; round < PLACES; round++)
    for (int i = 0; i < PLACES; i++)
      for (int j = 0; j < PLACES; j++) {
        const double *a = MAZE[i][1], *b = MAZE[j][1];
        if (i != j && sees(a, b))
          time[i] = fmin(time[i], time[j] + hypot(a[0] - b[0], a[1] - b[1]));
      }
  if (sees(p, MAZE_GOAL))
    best = hypot(p[0] - MAZE_GOAL[0], p[1] - MAZE_GOAL[1]);
  for (int i = 0; i < PLACES; i++) {
    const double *c = MAZE[i][1];
    if (sees(p, c))
      best = fmin(best, time[i] + hypot(p[0] - c[0], p[1] - c[1]));
  }
  return best;
}

static pc_layout make_maze(void)
{
  pc_layout plan = {0};
  assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 4, MAZE_ROOM, NULL), PC_OK);
  for (int w = 0; w < MAZE_WALLS; w++)
    assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 2, MAZE[w], NULL), PC_OK);
  return finish(plan);
}

static void test_maze(void **state)
{
  enum { LEVELS = 4 };
  double error[LEVELS];
  pc_layout plan = make_maze();
  pc_random random = test_random("maze");
  for (int i = 0; i < LEVELS; i++) {
    route r;
    make_route(&r, &plan, 0.16 / (1 << i), 0, MAZE_GOAL);
    error[i] = worst(&r, (double[]){0.05, 0.05, 5.95, 3.95}, through_maze, &plan, random);
    free_route(&r);
  }
  pc_layout_free(&plan);
  assert_first_order("maze", error, LEVELS);
}

// Who follows ways that keep off walls comes to the goal, in the time that the field says.
static void test_walk(void **state)
{
  const double inset = 0.1, step = 0.01;
  pc_layout plan = make_maze();
  pc_random random = test_random("walk");
  route r;
  make_route(&r, &plan, 0.04, inset, MAZE_GOAL);
  for (int i = 0; i < test_count(100); i++) {
    point p = {pc_random_uniform(&random, 0.2, 5.8), pc_random_uniform(&random, 0.2, 3.8)};
    double left = pc_field_time(&r.field, p), walked = 0;
    if (pc_layout_distance(&plan, p, 0.2) < 0.2)
      continue;
    while (hypot(p[0] - MAZE_GOAL[0], p[1] - MAZE_GOAL[1]) > 0.06 && walked < 2 * left) {
      double way[2];
      assert_true(pc_field_way(&r.field, p, way));
      point next = {p[0] + step * way[0], p[1] + step * way[1]};
      assert_false(pc_layout_bars(&plan, p, next));
      memcpy(p, next, sizeof next);
      walked += step;
    }
    assert_near(walked + 0.06, left, 0.02 + 0.03 * left);
  }
  free_route(&r);
  pc_layout_free(&plan);
}

// Slow areas bend ways like glass bends light: Snell's law through a layer.
static void test_slow(void **state)
{
  const double slow = 2, from = 1, to = 2;
  point goal = {0, 0}, start = {3, 2};
  pc_layout plan = {0};
  point box[] = {{-1, -2}, {4, -2}, {4, 4}, {-1, 4}};
  assert_int_equal(pc_layout_add(&plan, PC_AREA_WALKABLE, 4, (const double(*)[2])box, NULL), PC_OK);
  plan = finish(plan);
  point layer[] = {{from, -3}, {to, -3}, {to, 5}, {from, 5}};
  double best = INFINITY; // over the two heights at which the layer is entered and left
  for (int i = 0; i <= 2000; i++)
    for (int j = 0; j <= 200; j++) {
      double a = i / 1000.0, b = a + j / 200.0;
      best = fmin(best, hypot(from, a) + slow * hypot(to - from, b - a) + hypot(3 - to, 2 - b));
    }
  double error[3];
  for (int i = 0; i < 3; i++) {
    route r;
    pc_grid_def def = {.spacing = 0.1 / (1 << i), .margin = 1};
    assert_int_equal(pc_grid_make(&r.grid, &plan, &def, NULL), PC_OK);
    pc_grid_slow(&r.grid, 4, (const double(*)[2])layer, slow, NULL, 0);
    assert_int_equal(pc_field_make(&r.field, &r.grid, NULL), PC_OK);
    pc_goal there = {.count = 1, .point = (const double(*)[2]){&goal}};
    assert_int_equal(pc_field_solve(&r.field, 1, &there, NULL), PC_OK);
    error[i] = fabs(pc_field_time(&r.field, start) - best);
    printf("layer: %g s of %g\n", error[i], best);
    free_route(&r);
  }
  assert_true(error[2] < 0.02 * best);
  pc_layout_free(&plan);
}

// A closed room has no way out, and a line that is an exit is where ways end.
static void test_reach(void **state)
{
  pc_layout plan = {0};
  point room[] = {{0, 0}, {5, 0}, {5, 5}, {0, 5}}, cell[] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
  assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 3, (const double(*)[2])room, NULL), PC_OK);
  point rest[] = {{5, 5}, {0, 5}, {0, 3}}, foot[] = {{0, 2}, {0, 0}};
  assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 3, (const double(*)[2])rest, NULL), PC_OK);
  assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 2, (const double(*)[2])foot, NULL), PC_OK);
  assert_int_equal(pc_layout_add(&plan, PC_AREA_SOLID, 4, (const double(*)[2])cell, NULL), PC_OK);
  plan = finish(plan);
  double exit[1][4] = {{0, 2, 0, 3}};
  pc_grid grid;
  pc_field field;
  pc_grid_def def = {.spacing = 0.1, .margin = 1, .lines = 1, .line = (const double(*)[4])exit};
  assert_int_equal(pc_grid_make(&grid, &plan, &def, NULL), PC_OK);
  assert_int_equal(pc_field_make(&field, &grid, NULL), PC_OK);
  pc_goal goal = {.count = 2, .point = (const double(*)[2])exit};
  assert_int_equal(pc_field_solve(&field, 1, &goal, NULL), PC_OK);
  assert_near(pc_field_time(&field, (point){4, 2.5}), 4, 0.02);
  assert_near(pc_field_time(&field, (point){4, 4}), hypot(4, 1), 0.05);
  assert_true(isinf(pc_field_time(&field, (point){1.5, 1.5})));
  assert_true(isinf(pc_field_time(&field, (point){-0.8, 2.5})) == 0); // before the door, outside
  double way[2];
  assert_false(pc_field_way(&field, (point){1.5, 1.5}, way));
  assert_true(pc_field_way(&field, (point){4, 2.5}, way));
  assert_near(way[0], -1, 0.02);
  pc_field_free(&field);
  pc_grid_free(&grid);
  pc_layout_free(&plan);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plan), cmocka_unit_test(test_plan_areas),
      cmocka_unit_test(test_disc), cmocka_unit_test(test_turned_corridor),
      cmocka_unit_test(test_maze), cmocka_unit_test(test_walk),
      cmocka_unit_test(test_slow), cmocka_unit_test(test_reach),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
