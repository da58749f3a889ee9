// Temperatures and phases on meshes, random problems: the laws of thermodynamics, the equations
// written out again, other solvers.
#include "thermal_problem.h"

// Energy, entropy, sets, the same answer from another start.
static void random_problems_obey_the_laws(void **state)
{
  pc_random random = test_random("random_problems_obey_the_laws");
  int count = test_count_long(1500, 20000), most = 0, rounds = 0;
  for (int i = 0; i < count; i++) {
    problem p = {0};
    random_problem(&p, &random, pc_random_below(&random, 2), true);
    solve(&p);
    check_laws(&p);
    most = p.answer.iterations > most ? p.answer.iterations : most;
    rounds = p.answer.rounds > rounds ? p.answer.rounds : rounds;
    // From temperatures and fractions that have nothing to do with the data.
    size_t n = (size_t)p.mesh.nodes;
    pc_fe_thermal_state start = {malloc(n * sizeof(double)), malloc(n * sizeof(double[3]))};
    pc_fe_thermal_state first = {malloc(n * sizeof(double)), malloc(n * sizeof(double[3]))};
    memcpy(first.temperature, p.answer.after.temperature, n * sizeof(double));
    memcpy(first.fraction, p.answer.after.fraction, n * sizeof(double[3]));
    for (size_t k = 0; k < n; k++) {
      int size = p.thermal->row[p.thermal->row_of[k]].size;
      start.temperature[k] = pc_random_uniform(&random, 100, 600);
      random_fractions(&random, size == 3 ? PC_FE_ALLOY : PC_FE_LIQUID, start.fraction[k]);
      double sum = start.fraction[k][0] + start.fraction[k][1] + start.fraction[k][2];
      const double *was = p.before.fraction[k];
      for (int c = 0; c < 3 && size == 3; c++)
        start.fraction[k][c] *= (was[0] + was[1] + was[2]) / sum;
    }
    pc_fe_thermal_start(p.thermal, &p.before, &start);
    solve(&p);
    check_laws(&p);
    for (size_t k = 0; k < n; k++) {
      int size = p.thermal->row[p.thermal->row_of[k]].size;
      assert_near(p.answer.after.temperature[k], first.temperature[k], 1e-7);
      if (size == 2)
        assert_near(p.answer.after.fraction[k][0], first.fraction[k][0], 1e-8);
      if (size == 3)
        assert_near(p.answer.after.fraction[k][2], first.fraction[k][2], 1e-8);
    }
    free(start.temperature);
    free(start.fraction);
    free(first.temperature);
    free(first.fraction);
    finish(&p);
  }
  printf("%d problems: at most %d linear solves, %d rounds\n", count, most, rounds);
}

// The interior point comes near to the answer, from the middle of all sets; Newton goes on from it.
static void interior_points_find_the_answer(void **state)
{
  pc_random random = test_random("interior_points_find_the_answer");
  for (int i = 0; i < test_count(300); i++) {
    problem p = {0};
    random_problem(&p, &random, pc_random_below(&random, 2), true);
    solve(&p);
    pc_error error = {0};
    int iterations = 0;
    double residual;
    assert_int_equal(pc_thermal_interior(p.thermal, &iterations, &error), PC_OK);
    if (pc_thermal_rest(p.thermal, p.thermal->jump) > 1e-2)
      fail_msg("%g after %d steps", pc_thermal_rest(p.thermal, p.thermal->jump), iterations);
    assert_int_equal(pc_thermal_newton(p.thermal, 1e-11, &iterations, &residual, &error), PC_OK);
    for (int k = 0; k < p.thermal->rows; k++) {
      double b[3], *want = p.answer.after.fraction[p.thermal->row[k].node];
      pc_thermal_fractions(p.thermal, k, p.thermal->jump, b);
      if (p.thermal->row[k].size == 2)
        assert_near(b[0], want[0], 1e-8);
      if (p.thermal->row[k].size == 3)
        assert_near(b[2], want[2], 1e-8);
    }
    finish(&p);
  }
}

// On a line, with one medium, from the formulas of thermal.h: balance of heat at each node, and
// the inclusion as an inequality for every corner of the set.
static void check_line(const problem *p)
{
  const pc_fe_thermal_medium *m = &p->medium[0];
  int n = p->mesh.nodes, kinds = m->phases == PC_FE_ALLOY ? 3 : 1, last = kinds - 1;
  const double *t1 = p->answer.after.temperature, *t0 = p->before.temperature;
  double(*b1)[3] = p->answer.after.fraction, (*b0)[3] = p->before.fraction, w = p->def.weight;
  double left = 0, whole = 0, side = 0;
  for (int i = 0; i < n; i++) {
    double v = 0, flow = 0, work = 0, heat = p->heat[i], pull[3] = {0}, sum = 0;
    for (int k = 0; k < kinds; k++)
      sum += m->phases == PC_FE_ALLOY ? b0[i][k] : 1;
    double capacity = m->capacity * (m->phases == PC_FE_ONE_PHASE ? 1 : sum);
    for (int j = i - 1; j <= i + 1; j += 2) {
      if (j < 0 || j >= n)
        continue;
      double h = fabs(p->mesh.node[j][0] - p->mesh.node[i][0]);
      v += h / 2;
      flow += m->conduct * (w * (t1[j] - t1[i]) + (1 - w) * (t0[j] - t0[i])) / h;
      for (int k = 0; k < kinds; k++) {
        double change = (b1[j][k] - b0[j][k]) - (b1[i][k] - b0[i][k]);
        pull[k] += (m->spread * (b1[j][k] - b1[i][k]) + m->spread_change * change) / h;
        work += (m->spread / 2 + m->spread_change) * change * change / h / 2;
      }
    }
    capacity *= v;
    if (m->exchange > 0)
      flow += m->exchange * v * (m->outside - w * t1[i] - (1 - w) * t0[i]);
    if (i == 0 && p->def.surfaces == 1) {
      capacity += p->side[0].capacity;
      flow += p->side[0].exchange * (p->side[0].outside - w * t1[i] - (1 - w) * t0[i]);
    }
    double force[3] = {0}, least = 0, size = 0;
    for (int k = 0; k < kinds && m->phases != PC_FE_ONE_PHASE; k++) {
      double change = b1[i][k] - b0[i][k];
      work += change * (pull[k] + v * p->drive[i][k]);
      force[k] = v * m->resist * change - pull[k] - v * p->drive[i][k];
      if (k == last)
        force[k] -= v * m->latent / m->change * (t1[i] - m->change);
      size += fabs(force[k]) + v * m->latent / m->change;
    }
    // Corners of the set: 0 and 1, or all of one kind.
    for (int corner = 0; corner < (kinds == 3 ? 3 : 2) && m->phases != PC_FE_ONE_PHASE; corner++) {
      double product = 0;
      for (int k = 0; k < kinds; k++) {
        double there = kinds == 3 ? (k == corner ? sum : 0) : corner;
        product += force[k] * (there - b1[i][k]);
      }
      least = fmin(least, product);
    }
    side = fmax(side, size > 0 ? -least / size : 0);
    double melt = m->phases == PC_FE_ONE_PHASE ? 0 : v * m->latent * (b1[i][last] - b0[i][last]);
    double rest = capacity * (t1[i] - t0[i]) + melt - flow - heat - work;
    bool given = i == 0 && p->def.surfaces == 1 && p->side[0].given;
    if (given)
      assert_near(t1[i], p->side[0].outside, 1e-12 * t1[i]);
    else
      left = fmax(left, fabs(rest) / v);
    whole = fmax(whole, (m->capacity * fabs(t1[i] - t0[i]) + fabs(melt) + fabs(heat)) / v);
  }
  if (left > 1e-8 * (whole + 1e-6 * m->capacity * t0[0]) || side > 1e-8)
    fail_msg("heat %g of %g, inequality %g", left, whole, side);
}

static void answers_satisfy_the_equations_written_out_again(void **state)
{
  pc_random random = test_random("answers_satisfy_the_equations_written_out_again");
  int checked = 0;
  while (checked < test_count_long(1000, 20000)) {
    problem p = {0};
    random_problem(&p, &random, true, true);
    if (p.def.contacts == 0) {
      solve(&p);
      check_line(&p);
      checked++;
    }
    finish(&p);
  }
}

enum { SMALL = 8 };

// Liquids on a line without gradients, T eliminated with a dense inverse G of c + w H: the convex
//     min 1/2 b' (T0 R) b - ... + 1/2 |q - L b|^2_G
// by projected gradients with momentum: nothing of the solver's.
static void projected_gradients_find_the_same(void **state)
{
  pc_random random = test_random("projected_gradients_find_the_same");
  int done = 0;
  while (done < test_count(200)) {
    problem p = {0};
    random_problem(&p, &random, true, false);
    const pc_fe_thermal_medium *m = &p.medium[0];
    int n = p.mesh.nodes;
    if (n > SMALL || m->phases != PC_FE_LIQUID || p.def.contacts + p.def.surfaces > 0) {
      finish(&p);
      continue;
    }
    solve(&p);
    double g[SMALL][SMALL] = {{0}}, a[SMALL][2 * SMALL] = {{0}}, q[SMALL], v[SMALL] = {0};
    for (int i = 0; i + 1 < n; i++) {
      double h = fabs(p.mesh.node[i + 1][0] - p.mesh.node[i][0]), k = m->conduct / h;
      v[i] += h / 2, v[i + 1] += h / 2;
      a[i][i] += k, a[i + 1][i + 1] += k, a[i][i + 1] -= k, a[i + 1][i] -= k;
    }
    for (int i = 0; i < n; i++) {
      a[i][i] += m->exchange * v[i];
      q[i] = p.heat[i] + m->exchange * v[i] * m->outside;
      for (int j = 0; j < n; j++) {
        q[i] -= (1 - p.def.weight) * a[i][j] * p.before.temperature[j];
        a[i][j] *= p.def.weight;
      }
      a[i][i] += m->capacity * v[i];
      q[i] +=
          m->capacity * v[i] * p.before.temperature[i] + m->latent * v[i] * p.before.fraction[i][0];
      a[i][n + i] = 1;
    }
    for (int i = 0; i < n; i++) // Gauss and Jordan
      for (int j = 0; j < n; j++) {
        double f = j == i ? 1 / a[i][i] : a[j][i] / a[i][i];
        if (j != i)
          for (int k = 0; k < 2 * n; k++)
            a[j][k] -= f * a[i][k];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        g[i][j] = a[i][n + j] / a[i][i];
    // Gradient of b at node i: T0 R (b - b-) - L v (T(b) - T0), T = G (q - L v b).
    double b[SMALL] = {0}, y[SMALL] = {0}, t[SMALL], speed = 1, bound = 0;
    for (int i = 0; i < n; i++)
      bound = fmax(bound, m->change * m->resist * v[i] +
                              m->latent * m->latent * v[i] / m->capacity * 1.0000001);
    for (int turn = 0; turn < 200000; turn++) {
      double last[SMALL], move = 0;
      memcpy(last, b, sizeof last);
      for (int i = 0; i < n; i++) {
        t[i] = 0;
        for (int j = 0; j < n; j++)
          t[i] += g[i][j] * (q[j] - m->latent * v[j] * y[j]);
      }
      double faster = (1 + sqrt(1 + 4 * speed * speed)) / 2, against = 0;
      for (int i = 0; i < n; i++) {
        double slope = m->change * m->resist * v[i] * (y[i] - p.before.fraction[i][0]) -
                       m->latent * v[i] * (t[i] - m->change);
        b[i] = fmin(1, fmax(0, y[i] - slope / bound));
        move = fmax(move, fabs(b[i] - y[i]));
        against += (y[i] - b[i]) * (b[i] - last[i]);
      }
      if (against > 0)
        faster = 1, speed = 1;
      for (int i = 0; i < n; i++)
        y[i] = b[i] + (speed - 1) / faster * (b[i] - last[i]);
      speed = faster;
      if (move < 1e-14)
        break;
    }
    for (int i = 0; i < n; i++) {
      assert_near(p.answer.after.fraction[i][0], b[i], 1e-7);
      assert_near(p.answer.after.temperature[i], t[i], 1e-6 * t[i]);
    }
    done++;
    finish(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_problems_obey_the_laws),
      cmocka_unit_test(interior_points_find_the_answer),
      cmocka_unit_test(answers_satisfy_the_equations_written_out_again),
      cmocka_unit_test(projected_gradients_find_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
