// Iso-lines: on the level, closed or ending at the border, one line for one component.
#include "support.h"

#include <stdbool.h>

#include "chain/isolines.h"

enum { MOST = 160 };

typedef double field(double x, double y);

typedef struct sheet {
  int nx, ny;
  double x[MOST], y[MOST], value[MOST * MOST];
} sheet;
static sheet sheet_;

static const sheet *sample(field *f, int n, double from, double to)
{
  sheet *s = &sheet_;
  s->nx = s->ny = n;
  for (int i = 0; i < n; i++)
    s->x[i] = s->y[i] = from + (to - from) * i / (n - 1);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      s->value[j * n + i] = f(s->x[i], s->y[j]);
  return s;
}

// Lines as points, where the value is linear along the edges.
typedef struct traced {
  int lines, *start;
  double (*point)[2];
} traced;
static pc_arena arena;

static traced trace(const sheet *s, double level)
{
  pc_isolines found;
  pc_arena_reset(&arena);
  assert_true(pc_isolines_trace(s->nx, s->ny, s->value, level, &arena, &found));
  traced t = {found.lines, found.start, NULL};
  int nodes = s->nx * s->ny, points = t.start[t.lines];
  t.point = pc_arena_take(&arena, (size_t)points + 1, sizeof *t.point);
  for (int k = 0; k < points; k++) {
    bool along_y = found.edge[k] >= nodes;
    int node = found.edge[k] % nodes, i = node % s->nx, j = node / s->nx;
    int next = node + (along_y ? s->nx : 1);
    double share = (level - s->value[node]) / (s->value[next] - s->value[node]);
    t.point[k][0] = along_y ? s->x[i] : s->x[i] + share * (s->x[i + 1] - s->x[i]);
    t.point[k][1] = along_y ? s->y[j] + share * (s->y[j + 1] - s->y[j]) : s->y[j];
  }
  return t;
}

static bool closed(const traced *c, int line)
{
  const double *a = c->point[c->start[line]], *b = c->point[c->start[line + 1] - 1];
  return a[0] == b[0] && a[1] == b[1];
}

static double square(double x, double y)
{
  return x * x + y * y;
}

static double product(double x, double y)
{
  return x * y;
}

static double slope(double x, double y)
{
  return 2 * x - 3 * y;
}

// Linear interpolation errs by h^2 / 8 of the second derivative: h^2 / 4 in r^2.
static void a_circle_is_one_closed_line_of_its_radius_and_length(void **state)
{
  double last = 0;
  for (int n = 20; n <= 80; n *= 2) {
    double h = 3. / (n - 1), length = 0, worst = 0;
    traced c = trace(sample(square, n, -1.5, 1.5), 1);
    assert_int_equal(c.lines, 1);
    assert_true(closed(&c, 0));
    for (int k = 0; k + 1 < c.start[1]; k++) {
      const double *p = c.point[k], *q = c.point[k + 1];
      worst = fmax(worst, fabs(square(p[0], p[1]) - 1));
      length += hypot(q[0] - p[0], q[1] - p[1]);
    }
    assert_true(worst <= h * h / 4 + 1e-14);
    double wrong = fabs(length - 2 * acos(-1));
    if (n > 20)
      assert_true(wrong < last / 2.5); // of second order
    last = wrong;
  }
}

static void the_level_of_a_linear_field_is_one_straight_line_from_border_to_border(void **state)
{
  traced c = trace(sample(slope, 11, -1, 1), 0.37);
  assert_int_equal(c.lines, 1);
  assert_false(closed(&c, 0));
  for (int k = 0; k < c.start[1]; k++)
    assert_near(slope(c.point[k][0], c.point[k][1]), 0.37, 1e-14);
  const double *a = c.point[0], *b = c.point[c.start[1] - 1];
  assert_near(fmax(fabs(a[0]), fabs(a[1])), 1, 1e-14);
  assert_near(fmax(fabs(b[0]), fabs(b[1])), 1, 1e-14);
}

// The mean of the saddle's cell is 0: above a negative level, so that the ridge x = y is joined and
// the lines go round the other two corners; and the other way round.
static void a_saddle_is_joined_by_the_mean_of_its_corners(void **state)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    traced c = trace(sample(product, 2, -1, 1), 0.25 * sign);
    assert_int_equal(c.lines, 2);
    for (int line = 0; line < 2; line++) {
      const double *p = c.point[c.start[line]], *q = c.point[c.start[line] + 1];
      assert_int_equal(c.start[line + 1] - c.start[line], 2);
      // Both points are in the corner where the product has the sign of the level.
      assert_true((p[0] + q[0]) * (p[1] + q[1]) * sign > 0);
    }
  }
}

// Level 0 of a saddle passes through grid points: they count as above.
static void a_level_that_meets_grid_points_still_gives_whole_lines(void **state)
{
  traced c = trace(sample(product, 5, -1, 1), 0);
  assert_true(c.lines >= 1);
  for (int line = 0; line < c.lines; line++)
    for (int k = c.start[line]; k < c.start[line + 1]; k++)
      assert_near(product(c.point[k][0], c.point[k][1]), 0, 1e-15);
}

static void lines_end_where_values_are_no_numbers(void **state)
{
  sheet *s = (sheet *)sample(square, 41, -1.5, 1.5);
  for (int j = 0; j < s->ny; j++)
    for (int i = 0; i < s->nx; i++)
      if (s->x[i] > 0.51)
        s->value[j * s->nx + i] = NAN;
  traced c = trace(s, 1);
  assert_int_equal(c.lines, 1);
  assert_false(closed(&c, 0));
  for (int k = 0; k < c.start[1]; k++)
    assert_true(c.point[k][0] < 0.51);
}

// Random fields: every crossed edge of the grid is on one line, once, and ends are at the border.
static void every_crossing_of_a_random_field_is_on_one_line(void **state)
{
  pc_random random = test_random("contours");
  for (int t = test_count(200); t > 0; t--) {
    sheet *s = (sheet *)sample(slope, 12, 0, 1);
    int crossings = 0, points = 0;
    for (int k = 0; k < s->nx * s->ny; k++)
      s->value[k] = pc_random_uniform(&random, -1, 1);
    for (int j = 0; j < s->ny; j++)
      for (int i = 0; i < s->nx; i++) {
        const double *v = s->value + j * s->nx + i;
        crossings += i + 1 < s->nx && (v[0] < 0) != (v[1] < 0);
        crossings += j + 1 < s->ny && (v[0] < 0) != (v[s->nx] < 0);
      }
    traced c = trace(s, 0);
    for (int line = 0; line < c.lines; line++) {
      bool loop = closed(&c, line);
      points += c.start[line + 1] - c.start[line] - loop;
      for (int end = 0; end < 2 && !loop; end++) {
        const double *p = c.point[end == 0 ? c.start[line] : c.start[line + 1] - 1];
        assert_true(p[0] == 0 || p[0] == 1 || p[1] == 0 || p[1] == 1);
      }
    }
    assert_int_equal(points, crossings);
  }
}

static void a_grid_of_one_row_has_no_lines(void **state)
{
  const double value[] = {0, 1};
  pc_isolines lines;
  assert_true(pc_isolines_trace(2, 1, value, 0.5, &arena, &lines));
  assert_int_equal(lines.lines, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_circle_is_one_closed_line_of_its_radius_and_length),
      cmocka_unit_test(the_level_of_a_linear_field_is_one_straight_line_from_border_to_border),
      cmocka_unit_test(a_saddle_is_joined_by_the_mean_of_its_corners),
      cmocka_unit_test(a_level_that_meets_grid_points_still_gives_whole_lines),
      cmocka_unit_test(lines_end_where_values_are_no_numbers),
      cmocka_unit_test(every_crossing_of_a_random_field_is_on_one_line),
      cmocka_unit_test(a_grid_of_one_row_has_no_lines),
  };
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  pc_arena_free(&arena);
  return failures;
}
