// Bounds of the dispersion: against a dense sweep for three balls, refined grids for four to six
// and many local searches for more; and the pricing that they are proven with against a grid.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "chain/bounds.h"
#include "percuss/chain_bounds.h"

enum { MOST = 24 };

static pc_chain_bounds bound(size_t n, const double *mass, const double *before, double ker,
                             double *v_min, double *v_max)
{
  pc_chain_bounds b;
  pc_error error;
  assert_ok(pc_chain_bound(n, mass, before, ker, NULL, &b, v_min, v_max, &error), &error);
  return b;
}

// Masses over two decades, struck by the first ball or moving at random.
static void random_chain(pc_random *random, size_t n, bool strike, double *mass, double *before)
{
  for (size_t i = 0; i < n; i++) {
    mass[i] = exp(pc_random_uniform(random, -2.3, 2.3));
    before[i] = strike ? i == 0 : pc_random_uniform(random, -1, 1);
  }
}

static double ker_min(size_t n, const double *mass, const double *before)
{
  double total = 0, momentum = 0, energy = 0;
  for (size_t i = 0; i < n; i++) {
    total += mass[i];
    momentum += mass[i] * before[i];
    energy += mass[i] * before[i] * before[i];
  }
  return momentum * momentum / total / energy;
}

static double random_ker(pc_random *random, size_t n, const double *mass, const double *before)
{
  return pc_random_uniform(random, ker_min(n, mass, before), 1);
}

// C_KE of (2.19), as it is printed.
static double dispersion(size_t n, const double *mass, const double *v)
{
  double mean = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    mean += mass[i] * v[i] * v[i] / 2 / (double)n;
  for (size_t i = 0; i < n; i++)
    sum += pow(mass[i] * v[i] * v[i] / 2 - mean, 2);
  return sqrt(sum / (double)n) / mean;
}

// Moves an ordered v to the momentum and energy that outcomes have, if it is not constant.
static bool restore(size_t n, const double *mass, const double *before, double ker, double *v)
{
  double total = 0, momentum = 0, energy = 0, mean = 0, spread = 0;
  for (size_t i = 0; i < n; i++) {
    total += mass[i];
    momentum += mass[i] * before[i];
    energy += ker * mass[i] * before[i] * before[i];
    mean += mass[i] * v[i];
  }
  mean /= total;
  for (size_t i = 0; i < n; i++)
    spread += mass[i] * (v[i] - mean) * (v[i] - mean);
  if (!(spread > 1e-20))
    return false;
  double scale = sqrt(fmax(energy - momentum * momentum / total, 0) / spread);
  for (size_t i = 0; i < n; i++)
    v[i] = momentum / total + scale * (v[i] - mean);
  return true;
}

// Three balls: outcomes are an arc, by the share t of the second gap in both.
static double of_share(const double *mass, const double *before, double ker, double t)
{
  double v[3] = {0, 1 - t, 1};
  assert_true(restore(3, mass, before, ker, v));
  return dispersion(3, mass, v);
}

static double sweep(const double *mass, const double *before, double ker, double sign)
{
  enum { POINTS = 4000 };
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i <= POINTS; i++) {
    double c = sign * of_share(mass, before, ker, i / (double)POINTS);
    if (c < least) {
      least = c;
      best = i;
    }
  }
  // Golden section between its neighbours.
  double low = fmax(best - 1, 0) / POINTS, high = fmin(best + 1, POINTS) / POINTS;
  const double golden = (sqrt(5) - 1) / 2;
  while (high - low > 1e-12) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (sign * of_share(mass, before, ker, a) < sign * of_share(mass, before, ker, b))
      high = b;
    else
      low = a;
  }
  return sign * fmin(least, sign * of_share(mass, before, ker, (low + high) / 2));
}

static void three_balls_have_the_extremes_of_a_dense_sweep(void **state)
{
  pc_random random = test_random("three");
  for (int trial = 0; trial < test_count(150); trial++) {
    double mass[3], before[3];
    random_chain(&random, 3, trial % 2 == 0, mass, before);
    double ker = trial % 5 == 0 ? 1 : random_ker(&random, 3, mass, before);
    pc_chain_bounds b = bound(3, mass, before, ker, NULL, NULL);
    assert_true(b.min.closed && b.max.closed);
    double least = sweep(mass, before, ker, 1), most = sweep(mass, before, ker, -1);
    assert_near(b.max.found, most, 1e-6);
    // Where all shares are alike C_KE grows as a root, and a sweep sees less.
    assert_near(b.min.found, least, least < 1e-3 ? 1e-4 : 1e-6);
    assert_true(b.min.proven <= least + 1e-12);
    assert_true(b.max.proven >= most - 1e-12);
  }
}

// All ways to share `left` steps among the gaps from `gap` on; the best is refined by ever smaller
// exchanges between two gaps. Nothing of the library is used.
typedef struct grid {
  size_t n;
  const double *mass, *before;
  double ker, sign, best;
  double gaps[MOST], kept[MOST];
} grid;

static double of_gaps(const grid *g, const double *gaps)
{
  double v[MOST] = {0};
  for (size_t i = 1; i < g->n; i++)
    v[i] = v[i - 1] + gaps[i - 1];
  return restore(g->n, g->mass, g->before, g->ker, v) ? g->sign * dispersion(g->n, g->mass, v)
                                                      : INFINITY;
}

static void share_out(grid *g, size_t gap, int left)
{
  if (gap + 2 == g->n) {
    g->gaps[gap] = left;
    double c = of_gaps(g, g->gaps);
    if (c < g->best) {
      g->best = c;
      memcpy(g->kept, g->gaps, sizeof g->kept);
    }
    return;
  }
  for (int some = 0; some <= left; some++) {
    g->gaps[gap] = some;
    share_out(g, gap + 1, left - some);
  }
}

static double grid_extreme(grid *g, double sign, int steps)
{
  g->sign = sign;
  g->best = INFINITY;
  share_out(g, 0, steps);
  for (double step = 1; step > 1e-10;) {
    bool better = false;
    for (size_t i = 0; i + 1 < g->n; i++)
      for (size_t j = 0; j + 1 < g->n; j++) {
        double moved = fmin(step, g->kept[i]), trial[MOST];
        memcpy(trial, g->kept, sizeof trial);
        trial[i] -= moved;
        trial[j] += moved;
        double c = i != j ? of_gaps(g, trial) : INFINITY;
        if (c < g->best) {
          g->best = c;
          memcpy(g->kept, trial, sizeof trial);
          better = true;
        }
      }
    step *= better ? 1 : 0.5;
  }
  return sign * g->best;
}

static void four_to_six_balls_have_the_extremes_of_a_refined_grid(void **state)
{
  pc_random random = test_random("grid");
  static const int steps[] = {60, 24, 16};
  for (int trial = 0; trial < test_count(30); trial++) {
    size_t n = (size_t)(4 + trial % 3);
    double mass[6], before[6];
    random_chain(&random, n, trial % 2 == 0, mass, before);
    double ker = random_ker(&random, n, mass, before);
    pc_chain_bounds b = bound(n, mass, before, ker, NULL, NULL);
    grid g = {.n = n, .mass = mass, .before = before, .ker = ker};
    double least = grid_extreme(&g, 1, steps[n - 4]), most = grid_extreme(&g, -1, steps[n - 4]);
    assert_true(least >= b.min.proven - 1e-9 && most <= b.max.proven + 1e-9);
    assert_near(most, b.max.found, 1e-5);
    assert_near(least, b.min.found, 1e-4);
  }
}

static void extremes_are_outcomes(void **state)
{
  pc_random random = test_random("outcomes");
  for (int trial = 0; trial < test_count(200); trial++) {
    size_t n = (size_t)(2 + pc_random_below(&random, 19));
    double mass[MOST], before[MOST], v[2][MOST];
    bool strike = trial % 2 == 0;
    random_chain(&random, n, strike, mass, before);
    double ker = random_ker(&random, n, mass, before);
    pc_chain_bounds b = bound(n, mass, before, ker, v[0], v[1]);
    assert_near(b.ker_min, ker_min(n, mass, before), 1e-12);
    for (int k = 0; k < 2; k++) {
      const pc_chain_extreme *x = k == 0 ? &b.min : &b.max;
      pc_chain_measures m;
      assert_int_equal(pc_chain_measure(n, mass, before, v[k], NULL, 1e-9, &m, NULL), PC_OK);
      assert_near(m.ker, ker, 1e-9);
      assert_true(m.kinematic && m.momentum_kept && m.energetic && (m.kinetic || !strike));
      assert_near(m.cke, x->found, 1e-12);
      assert_near(dispersion(n, mass, v[k]), x->found, 1e-9);
      assert_true(x->closed);
      assert_true(x->gap <= 1e-6);
      assert_near(fabs(x->found - x->proven), x->gap, 1e-15);
    }
    assert_true(b.min.proven <= b.min.found && b.max.proven >= b.max.found);
  }
}

static void no_outcome_passes_what_is_proven(void **state)
{
  pc_random random = test_random("no outcome");
  for (int trial = 0; trial < test_count(40); trial++) {
    size_t n = (size_t)(3 + pc_random_below(&random, 18));
    double mass[MOST], before[MOST];
    random_chain(&random, n, trial % 2 == 0, mass, before);
    double ker = random_ker(&random, n, mass, before);
    pc_chain_bounds b = bound(n, mass, before, ker, NULL, NULL);
    for (int k = 0; k < 3000; k++) {
      // Gaps of all sizes, and many that are closed.
      double v[MOST] = {0}, power = pc_random_uniform(&random, 1, 12),
             closed = pc_random_uniform(&random, 0, 1);
      for (size_t i = 1; i < n; i++) {
        bool gap = pc_random_uniform(&random, 0, 1) > closed;
        v[i] = v[i - 1] + (gap ? pow(pc_random_uniform(&random, 0, 1), power) : 0);
      }
      if (!restore(n, mass, before, ker, v))
        continue;
      double c = dispersion(n, mass, v);
      if (c < b.min.proven - 1e-9 || c > b.max.proven + 1e-9)
        fail_msg("%zu balls: C_KE %.12g is not between %.12g and %.12g", n, c, b.min.proven,
                 b.max.proven);
    }
  }
}

// Many local searches, by the part of the library that proves nothing, find nothing better and do
// find the extreme. Where it is hidden, they are very many.
static void local_searches_from_everywhere_end_at_the_extremes(void **state)
{
  enum { MANY = 300, VERY_MANY = 30000 };
  pc_random random = test_random("local");
  for (int trial = 0; trial < test_count(12); trial++) {
    int n = 4 + pc_random_below(&random, 9);
    double mass[MOST], before[MOST], scaled[MOST], work[5 * MOST], total = 0, momentum = 0;
    random_chain(&random, (size_t)n, true, mass, before);
    double ker = random_ker(&random, (size_t)n, mass, before);
    for (int i = 0; i < n; i++)
      total += mass[i];
    momentum = mass[0];
    for (int i = 0; i < n; i++)
      scaled[i] = mass[i] / total;
    double a = momentum / total / sqrt(ker * mass[0] / total);
    pc_chain_bounds b = bound((size_t)n, mass, before, ker, NULL, NULL);
    for (int sign = -1; sign <= 1; sign += 2) {
      pc_spread p = {.n = n, .mass = scaled, .a = a, .s = sqrt(1 - a * a), .sign = sign};
      double proven = sign > 0 ? b.min.proven : -b.max.proven;
      double found = sign > 0 ? b.min.found : -b.max.found, best = INFINITY;
      for (int start = 0; start < (best > found + 1e-6 ? VERY_MANY : MANY); start++) {
        double y[MOST] = {0}, v[MOST], power = pc_random_uniform(&random, 1, 12);
        for (int i = 1; i < n; i++)
          y[i] = y[i - 1] + pow(pc_random_uniform(&random, 0, 1), power);
        if (!pc_spread_restore(&p, y))
          continue;
        pc_spread_descend(&p, y, work);
        for (int i = 0; i < n; i++)
          v[i] = p.a + p.s * y[i];
        best = fmin(best, sign * dispersion((size_t)n, mass, v));
      }
      assert_true(best >= proven - 1e-9);
      assert_near(best, found, 1e-6);
    }
  }
}

// The least over ordered points of a fine grid is near the priced one and never below it.
static void pricing_is_the_least_over_a_grid(void **state)
{
  enum { GRID = 2401 };
  pc_random random = test_random("pricing");
  pc_pricing *pricing = pc_pricing_create();
  for (int trial = 0; trial < test_count(300); trial++) {
    int n = 1 + pc_random_below(&random, 12);
    double mass[MOST], low[MOST], high[MOST], y[MOST], total = 0;
    for (int i = 0; i < n; i++)
      total += mass[i] = exp(pc_random_uniform(&random, -2, 2));
    for (int i = 0; i < n; i++)
      mass[i] /= total;
    // All points of the grid, some of them out of reach, in order.
    for (int i = 0; i < n; i++) {
      low[i] = fmax(i > 0 ? low[i - 1] : -3, -3 + 0.01 * pc_random_below(&random, 250));
      high[i] = fmax(low[i], i > 0 ? high[i - 1] : -3) + 0.01 * pc_random_below(&random, 200);
      high[i] = fmin(high[i], 3);
    }
    double a = pc_random_uniform(&random, -1, 1), lambda = pc_random_uniform(&random, -1, 1),
           mu = pc_random_uniform(&random, -1, 1);
    pc_spread p = {.n = n, .mass = mass, .a = a, .s = sqrt(1 - a * a), .sign = trial % 2 ? 1 : -1};
    double least = pc_pricing_least(pricing, &p, low, high, lambda, mu, y);
    // What it returns is in bounds and order, and has that value.
    double value = pc_spread_value(&p, y) - lambda;
    for (int i = 0; i < n; i++) {
      assert_true(y[i] >= low[i] && y[i] <= high[i] && (i == 0 || y[i] >= y[i - 1]));
      value += mass[i] * y[i] * (lambda * y[i] + mu);
    }
    assert_near(least, value, 1e-12);
    assert_true(least <= value);
    static double reach[GRID];
    for (int k = 0; k < GRID; k++)
      reach[k] = 0;
    for (int i = 0; i < n; i++) {
      double best = INFINITY;
      for (int k = 0; k < GRID; k++) {
        double x = -3 + 6. * k / (GRID - 1), v = p.a + p.s * x;
        best = fmin(best, reach[k]);
        bool in = x >= low[i] - 1e-9 && x <= high[i] + 1e-9;
        double term = p.sign * mass[i] * mass[i] * (pow(v, 4) - pow(p.a, 4)) +
                      mass[i] * x * (lambda * x + mu);
        reach[k] = in ? best + term : INFINITY;
      }
    }
    double lowest = INFINITY;
    for (int k = 0; k < GRID; k++)
      lowest = fmin(lowest, reach[k]);
    lowest -= lambda;
    assert_true(least <= lowest + 1e-9);
    // Half a step of 0.0025 off a point without slope costs 1.6e-4 at a curvature of 200, the most.
    assert_near(least, lowest, 2e-4);
  }
  pc_pricing_destroy(pricing);
}

static void bounds_know_no_units_and_no_ends(void **state)
{
  pc_random random = test_random("units");
  for (int trial = 0; trial < test_count(50); trial++) {
    size_t n = (size_t)(2 + pc_random_below(&random, 15));
    double mass[MOST], before[MOST], other[2][MOST];
    random_chain(&random, n, trial % 2 == 0, mass, before);
    double ker = random_ker(&random, n, mass, before);
    for (size_t i = 0; i < n; i++) {
      other[0][i] = 3e4 * mass[n - 1 - i];
      other[1][i] = -2e-3 * before[n - 1 - i];
    }
    pc_chain_bounds b = bound(n, mass, before, ker, NULL, NULL);
    pc_chain_bounds c = bound(n, other[0], other[1], ker, NULL, NULL);
    assert_near(c.min.found, b.min.found, 1e-6);
    assert_near(c.max.found, b.max.found, 1e-6);
  }
}

static void two_balls_have_one_outcome(void **state)
{
  pc_random random = test_random("two");
  for (int trial = 0; trial < test_count(100); trial++) {
    double mass[2], before[2] = {1, 0};
    random_chain(&random, 2, true, mass, before);
    // Newton's law with e: KER = (m1 + e^2 m2) / (m1 + m2).
    double e = pc_random_uniform(&random, 0, 1), total = mass[0] + mass[1], v[2][2];
    double ker = (mass[0] + e * e * mass[1]) / total;
    pc_chain_bounds b = bound(2, mass, before, ker, v[0], v[1]);
    for (int k = 0; k < 2; k++) {
      assert_near(v[k][0], (mass[0] - e * mass[1]) / total, 1e-7);
      assert_near(v[k][1], (1 + e) * mass[0] / total, 1e-7);
    }
    assert_near(b.min.found, b.max.found, 1e-9);
  }
}

// (2.27): where all relative motion is lost one outcome is left.
static void bounds_meet_where_all_relative_motion_is_lost(void **state)
{
  pc_random random = test_random("limit");
  for (int trial = 0; trial < test_count(30); trial++) {
    double m[3], before[3];
    random_chain(&random, 3, true, m, before);
    double total = m[0] + m[1] + m[2], least = m[0] / total;
    double limit = sqrt(2 * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - m[0] * m[1] - m[0] * m[2] -
                             m[1] * m[2])) /
                   total;
    for (double over = 1e-2; over > 1e-13; over /= 100) {
      pc_chain_bounds b = bound(3, m, before, least + over * (1 - least), NULL, NULL);
      assert_true(b.min.closed && b.max.closed);
      // The outcomes are within a root of what is left.
      assert_true(fabs(b.max.found - limit) < 20 * sqrt(over));
      assert_true(fabs(b.min.found - limit) < 20 * sqrt(over));
    }
    pc_chain_bounds b = bound(3, m, before, least, NULL, NULL);
    assert_near(b.min.found, limit, 1e-6);
    assert_near(b.max.found, limit, 1e-6);
  }
}

static void a_search_that_is_cut_short_still_proves_something(void **state)
{
  pc_random random = test_random("short");
  int open = 0;
  for (int trial = 0; trial < test_count(100); trial++) {
    double mass[MOST], before[MOST];
    random_chain(&random, 10, true, mass, before);
    double ker = random_ker(&random, 10, mass, before);
    pc_chain_bounds_options options = pc_chain_bounds_options_default();
    options.max_work = 1;
    pc_chain_bounds brief, whole = bound(10, mass, before, ker, NULL, NULL);
    assert_int_equal(pc_chain_bound(10, mass, before, ker, &options, &brief, NULL, NULL, NULL),
                     PC_OK);
    assert_true(brief.min.work == 1 && brief.max.work == 1);
    assert_true(brief.min.proven <= whole.min.found + 1e-9);
    assert_true(brief.max.proven >= whole.max.found - 1e-9);
    open += !brief.min.closed || !brief.max.closed;
  }
  assert_true(open > 0);
}

static void finer_gaps_are_reached_for_twenty_balls(void **state)
{
  pc_random random = test_random("twenty");
  for (int trial = 0; trial < test_count_long(10, 300); trial++) {
    double mass[20], before[20];
    random_chain(&random, 20, true, mass, before);
    double ker = random_ker(&random, 20, mass, before);
    pc_chain_bounds_options options = pc_chain_bounds_options_default();
    options.gap = 1e-9;
    pc_chain_bounds b;
    assert_int_equal(pc_chain_bound(20, mass, before, ker, &options, &b, NULL, NULL, NULL), PC_OK);
    assert_true(b.max.gap <= 1e-9);
    assert_true(b.min.gap <= (b.min.found > 1e-2 ? 1e-9 : 1e-6));
  }
}

static void questions_without_sense_are_refused(void **state)
{
  pc_chain_bounds b;
  pc_error error;
  const double mass[] = {1, 1, 1}, before[] = {1, 0, 0}, rest[] = {0, 0, 0}, none[] = {1, -1, 1};
  assert_int_equal(pc_chain_bound(3, mass, before, 0.3, NULL, &b, NULL, NULL, &error),
                   PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "0.333"));
  assert_int_equal(pc_chain_bound(3, mass, before, NAN, NULL, &b, NULL, NULL, &error),
                   PC_ERROR_ARGUMENT);
  assert_int_equal(pc_chain_bound(3, mass, rest, 1, NULL, &b, NULL, NULL, &error),
                   PC_ERROR_ARGUMENT);
  assert_int_equal(pc_chain_bound(3, none, before, 1, NULL, &b, NULL, NULL, &error),
                   PC_ERROR_ARGUMENT);
  assert_int_equal(pc_chain_bound(2, mass, (double[]){1, -1}, 0, NULL, &b, NULL, NULL, &error),
                   PC_ERROR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_balls_have_the_extremes_of_a_dense_sweep),
      cmocka_unit_test(four_to_six_balls_have_the_extremes_of_a_refined_grid),
      cmocka_unit_test(extremes_are_outcomes),
      cmocka_unit_test(no_outcome_passes_what_is_proven),
      cmocka_unit_test(local_searches_from_everywhere_end_at_the_extremes),
      cmocka_unit_test(pricing_is_the_least_over_a_grid),
      cmocka_unit_test(bounds_know_no_units_and_no_ends),
      cmocka_unit_test(two_balls_have_one_outcome),
      cmocka_unit_test(bounds_meet_where_all_relative_motion_is_lost),
      cmocka_unit_test(a_search_that_is_cut_short_still_proves_something),
      cmocka_unit_test(finer_gaps_are_reached_for_twenty_balls),
      cmocka_unit_test(questions_without_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
