// Temperatures and phases on meshes: closed forms, the claims of chapter 7, what is refused.
#include "thermal_problem.h"

// A homogeneous insulated body (T7.2, 10.10 examples 1 to 3): the same at every node of any mesh.
static void homogeneous_bodies_melt(void **state)
{
  static const pc_element type[] = {PC_TRIANGLE3, PC_QUAD4};
  const double t0 = 273.15, c = 2e6, l = 1e8, start = 263.15;
  for (int mesh = 0; mesh < 6; mesh++)
    for (int resists = 0; resists < 2; resists++)
      for (double y = 0; y < 2.5e8; y += 1.3e7) {
        problem p = {0};
        double resist = resists ? 2e7 : 0;
        if (mesh == 0)
          line_mesh(&p, 7, 2, 0, 3);
        else
          plane_mesh(&p, 4, 3, 2, 1, type[mesh % 2]);
        if (mesh > 2)
          assert_int_equal(pc_fe_mesh_quadratic(&p.mesh, mesh > 4, NULL), PC_OK);
        p.def.media = 1;
        p.medium[0] = (pc_fe_thermal_medium){.group = group(&p, "a", p.mesh.dimension),
                                             .capacity = c,
                                             .conduct = 10,
                                             .phases = PC_FE_LIQUID,
                                             .latent = l,
                                             .change = t0,
                                             .resist = resist,
                                             .spread = 1e5,
                                             .spread_change = 2e5};
        begin(&p);
        uniform(&p, start, 0, 0, 0);
        heat_evenly(&p, y);
        solve(&p);
        double spare = y - c * (t0 - start), b, t;
        if (resist > 0)
          b = fmin(1, fmax(0, l / (resist * t0) * spare / (c + l * l / (resist * t0))));
        else
          b = fmin(1, fmax(0, spare / l));
        t = start + (y - l * b) / c;
        for (int i = 0; i < p.mesh.nodes; i++) {
          assert_near(p.answer.after.temperature[i], t, 1e-9);
          assert_near(p.answer.after.fraction[i][0], b, 1e-11);
        }
        assert_true(p.answer.solved && p.answer.account.closed);
        finish(&p);
      }
}

static void homogeneous_alloys_transform(void **state)
{
  const double t0 = 332.75, c = 5.4e6, l = 80e6;
  for (int voids = 0; voids < 2; voids++)
    for (int resists = 0; resists < 3; resists++)
      for (double y = 0; y < 5e8; y += 2.1e7) {
        problem p = {0};
        double resist = resists == 0 ? 0 : resists == 1 ? 1e-3 * l : 0.05 * l;
        double sum = voids ? 0.5 : 1, start = 0.9 * t0;
        line_mesh(&p, 5, 1, 0, 1);
        p.def.media = 1;
        p.medium[0] = (pc_fe_thermal_medium){.group = group(&p, "a", 1),
                                             .capacity = c,
                                             .conduct = 18,
                                             .phases = PC_FE_ALLOY,
                                             .latent = l,
                                             .change = t0,
                                             .resist = resist,
                                             .spread = 5e6,
                                             .spread_change = 5e6};
        begin(&p);
        uniform(&p, start, sum / 2, sum / 2, 0);
        heat_evenly(&p, y);
        solve(&p);
        // S C [T] + l b = y; l (T - T0) / T0 = 3/2 c b between the ends.
        double spare = y - sum * c * (t0 - start);
        double b = spare / (l + sum * c * 1.5 * resist * t0 / l);
        b = fmin(sum, fmax(0, b));
        double t = start + (y - l * b) / (sum * c);
        for (int i = 0; i < p.mesh.nodes; i++) {
          assert_near(p.answer.after.temperature[i], t, 1e-8);
          assert_near(p.answer.after.fraction[i][2], b, 1e-10);
          assert_near(p.answer.after.fraction[i][0], (sum - b) / 2, 1e-10);
          assert_near(p.answer.after.fraction[i][1], (sum - b) / 2, 1e-10);
        }
        assert_true(p.answer.solved && p.answer.account.closed);
        finish(&p);
      }
}

// T7.3: [T] = Y e^(-x/d) / (C_s + k/d), d = sqrt(k/C), -k lap [T] with k half of `conduct`. A line
// long beside d; the error falls with the square of the cells.
static double half_space_error(int cells)
{
  const double c = 2e6, k = 5e4, capacity = 3e5, y = 4e6, d = sqrt(k / c);
  problem p = {0};
  line_mesh(&p, cells, 25 * d, 0, 1);
  p.def.media = p.def.surfaces = 1;
  p.medium[0] = (pc_fe_thermal_medium){.group = group(&p, "a", 1), .capacity = c, .conduct = 2 * k};
  p.side[0] = (pc_fe_thermal_side){.sides = group(&p, "left", 0), .capacity = capacity};
  begin(&p);
  uniform(&p, 280, 0, 0, 0);
  p.heat[0] = y;
  solve(&p);
  double worst = 0;
  for (int i = 0; i < p.mesh.nodes; i++) {
    double want = y * exp(-p.mesh.node[i][0] / d) / (capacity + k / d);
    worst = fmax(worst, fabs(p.answer.after.temperature[i] - 280 - want));
  }
  assert_true(p.answer.solved && p.answer.account.closed);
  finish(&p);
  return worst / (y / (capacity + k / d));
}

static void a_heated_half_space_converges(void **state)
{
  double e[3];
  for (int i = 0; i < 3; i++)
    e[i] = half_space_error(64 << i);
  printf("half space: relative errors %.2g, %.2g, %.2g\n", e[0], e[1], e[2]);
  assert_near(log2(e[1] / e[2]), 2, 0.1);
  assert_true(e[2] < 2e-3);
}

// Two bodies that touch (T7.5): for small jumps they exchange what chapter 3 says, with
// lambda = 4 k / T, where the contact's `exchange` is 2 k; work is shared as temperatures are.
static void touching_bodies_exchange_as_lumped_ones(void **state)
{
  const double c = 2e6, exchange = 1e2, length = 0.1, work = 30;
  for (int hot = 0; hot < 2; hot++) {
    problem p = {0};
    double ta = hot ? 310 : 300, tb = hot ? 300 : 310, mean = 305;
    line_mesh(&p, 4, length, 4, 1);
    p.def.media = 2;
    p.medium[0] = (pc_fe_thermal_medium){.group = group(&p, "a", 1), .capacity = c, .conduct = 1e9};
    p.medium[1] = (pc_fe_thermal_medium){.group = group(&p, "b", 1), .capacity = c, .conduct = 1e9};
    p.def.contacts = 1;
    p.contact[0] =
        (pc_fe_thermal_contact){group(&p, "right", 0), group(&p, "left of b", 0), exchange};
    begin(&p);
    for (int i = 0; i < p.mesh.nodes; i++)
      p.before.temperature[i] = i < 5 ? ta : tb;
    p.surface[4] = work;
    solve(&p);
    // (3.175), (3.176) with C = c length and lambda = 2 exchange / T.
    double lambda = 2 * exchange / mean, whole = c * length;
    double a = ta / (ta + tb) * (work + lambda * tb * (tb - ta)) / whole;
    double b = tb / (ta + tb) * (work - lambda * ta * (tb - ta)) / whole;
    double got[2] = {0};
    for (int i = 0; i < p.mesh.nodes; i++) {
      double part = (i % 5 == 0 || i % 5 == 4) ? 0.125 : 0.25;
      got[i / 5] += part * (p.answer.after.temperature[i] - p.before.temperature[i]);
    }
    assert_near(got[0], a, 1e-3 * fabs(a));
    assert_near(got[1], b, 1e-3 * fabs(b));
    assert_near(whole * (got[0] + got[1]), work, 1e-6 * work);
    check_laws(&p);
    finish(&p);
  }
}

// 7.6.4: below the change, solid, no exchange, no spread: nothing cools, and what melts is warm.
static void nothing_cools_and_only_what_is_warm_melts(void **state)
{
  pc_random random = test_random("nothing_cools_and_only_what_is_warm_melts");
  for (int k = 0; k < test_count(500); k++) {
    problem p = {0};
    random_problem(&p, &random, pc_random_below(&random, 2), false);
    p.def.surfaces = 0;
    p.contact[0].exchange = 0;
    for (int m = 0; m < p.def.media; m++) {
      p.medium[m].exchange = 0;
      p.medium[m].phases = PC_FE_LIQUID;
      p.medium[m].change = p.medium[0].change;
    }
    pc_fe_thermal_destroy(p.thermal);
    pc_error error = {0};
    p.thermal = pc_fe_thermal_create(&p.def, &error);
    assert_non_null(p.thermal);
    uniform(&p, p.medium[0].change * pc_random_uniform(&random, 0.9, 1), 0, 0, 0);
    memset(p.drive, 0, (size_t)p.mesh.nodes * sizeof *p.drive);
    solve(&p);
    check_laws(&p);
    for (int i = 0; i < p.mesh.nodes; i++) {
      assert_true(p.answer.after.temperature[i] >= p.before.temperature[i] * (1 - 1e-12));
      if (p.answer.after.fraction[i][0] > 1e-9)
        assert_true(p.answer.after.temperature[i] >= p.medium[0].change * (1 - 1e-12));
    }
    finish(&p);
  }
}

static void refuse(const problem *p, const char *text)
{
  pc_error error = {0};
  pc_fe_thermal *thermal = pc_fe_thermal_create(&p->def, &error);
  assert_null(thermal);
  assert_int_equal(error.status, PC_ERROR_ARGUMENT);
  assert_says(error.text, text);
}

static void refuse_state(problem *p, const char *text)
{
  pc_error error = {0};
  assert_int_equal(pc_fe_thermal_solve(p->thermal, &p->before, &p->data, &p->answer, &error),
                   PC_ERROR_ARGUMENT);
  assert_says(error.text, text);
}

static void what_makes_no_sense_is_refused(void **state)
{
  problem p = {0};
  line_mesh(&p, 3, 1, 0, 1);
  p.def.media = 1;
  p.medium[0] = (pc_fe_thermal_medium){.group = group(&p, "a", 1),
                                       .capacity = 1e6,
                                       .phases = PC_FE_ALLOY,
                                       .latent = 1e8,
                                       .change = 300};
  begin(&p);
  uniform(&p, 290, 0.5, 0.5, 0);
  solve(&p);
  p.before.temperature[2] = 0;
  refuse_state(&p, "node 2");
  p.before.temperature[2] = 290;
  p.before.fraction[1][2] = 0.1;
  refuse_state(&p, "node 1");
  p.before.fraction[1][2] = 0;
  p.before.fraction[0][0] = p.before.fraction[0][1] = 0;
  refuse_state(&p, "; each must be from 0 to 1, and their sum must be");
  p.before.fraction[0][0] = NAN;
  refuse_state(&p, "fractions");
  p.before.fraction[0][0] = 0.5;
  p.heat[1] = INFINITY;
  refuse_state(&p, "is not finite");

  p.def.surfaces = 2; // two temperatures at one node
  p.side[0] = (pc_fe_thermal_side){.sides = group(&p, "left", 0), .given = true, .outside = 300};
  p.side[1] = p.side[0];
  p.side[1].outside = 310;
  refuse(&p, "\" has two prescribed temperatures,");
  finish(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(homogeneous_bodies_melt),
      cmocka_unit_test(homogeneous_alloys_transform),
      cmocka_unit_test(a_heated_half_space_converges),
      cmocka_unit_test(touching_bodies_exchange_as_lumped_ones),
      cmocka_unit_test(nothing_cools_and_only_what_is_warm_melts),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
