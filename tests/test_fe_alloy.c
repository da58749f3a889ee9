// Alloys in time: elastic solids without a law of phases, an equation of one number with one,
// balances of energy and entropy, convergence.
#include <string.h>

#include "continuum/motion.h"
#include "support.h"

static const double T0 = 332.75, LATENT = 80e6, CAPACITY = 5.4e6, SLOPE = -5e6, RESIST = 2e4;

typedef struct trial {
  pc_fe_mesh mesh;
  pc_fe_solid solid;
  pc_fe_alloy_medium medium;
  pc_fe_thermal_side side;
  pc_fe_hold hold[2];
  pc_fe_alloy_def alloy;
  pc_fe_motion_def def;
  pc_fe_motion *motion;
  double *u, *v;
  pc_fe_thermal_state state;
} trial;

static void make_nitinol(trial *t, int group)
{
  t->solid = (pc_fe_solid){.group = group, .density = 6500, .young = 47e9, .poisson = 0.3};
  t->medium = (pc_fe_alloy_medium){.heat = {.group = group,
                                            .capacity = CAPACITY,
                                            .conduct = 18,
                                            .phases = PC_FE_ALLOY,
                                            .latent = LATENT,
                                            .change = T0,
                                            .resist = RESIST,
                                            .spread = 5e4},
                                   .slope = SLOPE,
                                   .critical = 1.2 * T0};
}

static void begin(trial *t, double step)
{
  pc_error error = {0};
  size_t n = (size_t)t->mesh.nodes;
  t->alloy.media = 1;
  t->alloy.medium = &t->medium;
  t->alloy.side = &t->side;
  t->def.mesh = &t->mesh;
  t->def.solids = 1;
  t->def.solid = &t->solid;
  t->def.hold = t->hold;
  t->def.step = step;
  t->def.alloy = &t->alloy;
  t->motion = pc_fe_motion_create(&t->def, &error);
  if (t->motion == NULL)
    fail_msg("%s", error.text);
  t->u = calloc(2 * n, sizeof(double));
  t->v = calloc(2 * n, sizeof(double));
  t->state.temperature = calloc(n, sizeof(double));
  t->state.fraction = calloc(n, sizeof *t->state.fraction);
  for (size_t i = 0; i < n; i++) {
    t->state.temperature[i] = 0.97 * T0;
    t->state.fraction[i][0] = t->state.fraction[i][1] = 0.45;
    t->state.fraction[i][2] = 0.1;
  }
}

static void set(trial *t)
{
  pc_error error = {0};
  assert_ok(pc_fe_motion_set(t->motion, t->u, t->v, &t->state, &error), &error);
}

static void run(trial *t, int steps)
{
  pc_error error = {0};
  for (int i = 0; i < steps; i++)
    assert_ok(pc_fe_motion_advance(t->motion, &error), &error);
}

static void finish(trial *t)
{
  pc_fe_motion_destroy(t->motion);
  pc_fe_mesh_free(&t->mesh);
  free(t->u);
  free(t->v);
  free(t->state.temperature);
  free(t->state.fraction);
  memset(t, 0, sizeof *t);
}

// A rod of 10 m, clamped at 0, quadratic elements.
static void make_rod(trial *t, int cells)
{
  double x[257];
  pc_error error = {0};
  t->mesh = pc_fe_mesh_empty(1);
  pc_fe_grade(0, 10, cells, 1, x);
  pc_fe_mesh_add_line(&t->mesh, cells, x, "rod", "clamp", "end");
  assert_ok(pc_fe_mesh_quadratic(&t->mesh, true, &error), &error);
  make_nitinol(t, pc_fe_mesh_find_group(&t->mesh, "rod", 1));
  t->def.holds = 1;
  t->hold[0] = (pc_fe_hold){.sides = pc_fe_mesh_find_group(&t->mesh, "clamp", 0), .x = true};
}

// A square of 1 m on a clamped base.
static void make_square(trial *t, int cells)
{
  double x[65];
  pc_error error = {0};
  t->mesh = pc_fe_mesh_empty(2);
  pc_fe_grade(0, 1, cells, 1, x);
  pc_fe_rectangle r = {cells, cells, x, x, PC_QUAD4, "square", "base", "side", "top", "side"};
  pc_fe_mesh_add_rectangle(&t->mesh, &r);
  assert_ok(pc_fe_mesh_quadratic(&t->mesh, true, &error), &error);
  make_nitinol(t, pc_fe_mesh_find_group(&t->mesh, "square", 2));
  t->def.holds = 1;
  t->hold[0] =
      (pc_fe_hold){.sides = pc_fe_mesh_find_group(&t->mesh, "base", 1), .x = true, .y = true};
}

// Without phases it is pc_fe_motion.
static void without_phases_it_is_an_elastic_solid(void **state)
{
  for (int plane = 0; plane < 2; plane++) {
    trial t = {0};
    if (plane)
      make_square(&t, 4);
    else
      make_rod(&t, 20);
    t.medium.slope = 0;
    t.medium.heat.phases = PC_FE_ONE_PHASE;
    double h = plane ? 1e-5 : 1e-4;
    begin(&t, h);
    int d = t.mesh.dimension;
    for (int i = 0; i < t.mesh.nodes; i++)
      t.v[d * i + d - 1] = -20 * t.mesh.node[i][d - 1];
    set(&t);
    pc_fe_motion_def def = pc_fe_motion_def_default();
    def.mesh = &t.mesh;
    def.solids = def.holds = 1;
    def.solid = &t.solid;
    def.hold = t.hold;
    def.step = h;
    pc_error error = {0};
    pc_fe_motion *motion = pc_fe_motion_create(&def, &error);
    assert_non_null(motion);
    assert_ok(pc_fe_motion_set(motion, NULL, t.v, NULL, &error), &error);
    run(&t, 100);
    for (int i = 0; i < 100; i++)
      assert_ok(pc_fe_motion_advance(motion, &error), &error);
    const double *u = pc_fe_motion_look(t.motion).displacement;
    const double *want = pc_fe_motion_look(motion).displacement;
    for (int i = 0; i < d * t.mesh.nodes; i++)
      assert_near(u[i], want[i], 1e-13);
    pc_fe_motion_account account = pc_fe_motion_balance(t.motion);
    assert_true(account.closed);
    assert_near(account.now.kinetic + account.now.elastic, account.start.kinetic,
                1e-10 * account.start.kinetic);
    pc_fe_motion_destroy(motion);
    finish(&t);
  }
}

// dT/dt and db/dt where strain is uniform and stays: c db/dt is the drive in the plane of
// fractions, and T ds/dt = c |db/dt|^2.
static void rates(double strain, const double y[4], double rate[4])
{
  double tau = (y[0] - 1.2 * T0) * SLOPE;
  double f[3] = {tau * strain, -tau * strain, LATENT / T0 * (y[0] - T0)};
  double mean = (f[0] + f[1] + f[2]) / 3, square = 0;
  for (int k = 0; k < 3; k++) {
    rate[1 + k] = (f[k] - mean) / RESIST;
    square += rate[1 + k] * rate[1 + k];
  }
  rate[0] = (RESIST * square - y[0] * LATENT / T0 * rate[3] -
             y[0] * SLOPE * strain * (rate[1] - rate[2])) /
            CAPACITY;
}

static void a_strain_that_stays_turns_martensites(void **state)
{
  const double strain = -0.003, time = 5e-3;
  double y[4] = {0.999 * T0, 0.4, 0.4, 0.2};
  const int fine = 20000;
  for (int i = 0; i < fine; i++) { // the classical method of fourth order
    double k[4][4], z[4], h = time / fine;
    for (int s = 0; s < 4; s++) {
      for (int n = 0; n < 4; n++)
        z[n] = y[n] + (s == 0 ? 0 : s == 3 ? h : h / 2) * (s == 0 ? 0 : k[s - 1][n]);
      rates(strain, z, k[s]);
    }
    for (int n = 0; n < 4; n++)
      y[n] += h / 6 * (k[0][n] + 2 * k[1][n] + 2 * k[2][n] + k[3][n]);
  }
  assert_true(y[1] > 0.02 && y[2] > 0.02 && y[3] > 0.02); // inside the set
  double error[3];
  for (int level = 0; level < 3; level++) {
    int steps = 50 << level;
    trial t = {0};
    make_rod(&t, 3);
    t.def.holds = 2;
    t.hold[1] = (pc_fe_hold){.sides = pc_fe_mesh_find_group(&t.mesh, "end", 0), .x = true};
    begin(&t, time / steps);
    for (int i = 0; i < t.mesh.nodes; i++) {
      t.u[i] = strain * t.mesh.node[i][0];
      t.state.temperature[i] = 0.999 * T0;
      t.state.fraction[i][0] = t.state.fraction[i][1] = 0.4;
      t.state.fraction[i][2] = 0.2;
    }
    set(&t);
    run(&t, steps);
    pc_fe_motion_state s = pc_fe_motion_look(t.motion);
    error[level] = 0;
    for (int i = 0; i < t.mesh.nodes; i++) {
      error[level] = fmax(error[level], fabs(s.temperature[i] - y[0]) / T0);
      for (int k = 0; k < 3; k++)
        error[level] = fmax(error[level], fabs(s.fraction[i][k] - y[1 + k]));
      assert_near(s.displacement[i], t.u[i], 1e-12);
    }
    finish(&t);
  }
  printf("a strain that stays: T/T0 = %.5f, b = %.4f %.4f %.4f; errors %.2g, %.2g, %.2g\n",
         y[0] / T0, y[1], y[2], y[3], error[0], error[1], error[2]);
  assert_true(error[2] < 2e-3);
  assert_near(log2(error[0] / error[1]), 1, 0.15);
  assert_near(log2(error[1] / error[2]), 1, 0.1);
}

// Random velocities, temperatures and fractions, through all corners of the set.
static void energy_is_kept_and_entropy_grows(void **state)
{
  pc_random random = test_random("energy_is_kept_and_entropy_grows");
  double worst = 0;
  for (int i = 0; i < test_count_long(24, 400); i++) {
    trial t = {0};
    bool plane = pc_random_below(&random, 2);
    if (plane)
      make_square(&t, 3);
    else
      make_rod(&t, 12);
    int d = t.mesh.dimension;
    double speed = pc_random_uniform(&random, 10, 200);
    t.medium.slope *= pc_random_uniform(&random, 0.2, 2);
    t.medium.heat.resist *= exp(pc_random_uniform(&random, -1, 2));
    t.medium.heat.spread_change = pc_random_below(&random, 2) * 1e2;
    if (pc_random_below(&random, 2)) {
      t.medium.heat.exchange = 4e6;
      t.medium.heat.outside = 0.9 * T0;
    }
    if (plane && pc_random_below(&random, 2)) {
      t.alloy.surfaces = 1;
      t.side = (pc_fe_thermal_side){
          .sides = pc_fe_mesh_find_group(&t.mesh, "side", 1), .exchange = 1e5, .outside = 1.1 * T0};
    }
    begin(&t, plane ? 1e-5 : 1e-4);
    double phase = pc_random_uniform(&random, 0, 6);
    for (int k = 0; k < t.mesh.nodes; k++) {
      double height = t.mesh.node[k][d - 1], x = t.mesh.node[k][0];
      for (int n = 0; n < d; n++)
        t.v[d * k + n] = speed * height * sin(phase + n + 2 * x) / (plane ? 1 : 10);
      t.state.temperature[k] = T0 * pc_random_uniform(&random, 0.9, 1.15);
      double a = pc_random_uniform(&random, 0, 1), b = pc_random_uniform(&random, 0, 1 - a);
      t.state.fraction[k][0] = a;
      t.state.fraction[k][1] = b;
      t.state.fraction[k][2] = 1 - a - b;
    }
    set(&t);
    run(&t, 60);
    pc_fe_motion_account account = pc_fe_motion_balance(t.motion);
    worst = fmax(worst, account.identity);
    if (!account.closed)
      fail_msg("identity %.2g, %d steps unsolved", account.identity, account.unsolved);
    pc_fe_motion_state s = pc_fe_motion_look(t.motion);
    assert_near(s.mean[0] + s.mean[1] + s.mean[2], 1, 1e-12);
    assert_true(account.alloy.produced > 0);
    finish(&t);
  }
  printf("largest error of the energy: %.1e\n", worst);
  assert_true(worst <= 1e-9);
}

// Below T_c every step produces entropy.
static void every_step_below_the_critical_temperature_produces_entropy(void **state)
{
  trial t = {0};
  make_rod(&t, 20);
  begin(&t, 1e-4);
  for (int i = 0; i < t.mesh.nodes; i++)
    t.v[i] = -15 * t.mesh.node[i][0];
  set(&t);
  run(&t, 400);
  pc_fe_motion_account account = pc_fe_motion_balance(t.motion);
  assert_true(account.closed);
  assert_true(pc_fe_motion_look(t.motion).highest < 1.2 * T0);
  assert_true(account.alloy.least >= 0);
  // Phases damp: most of the energy of the waves is heat.
  assert_true(account.now.kinetic + account.now.elastic <
              0.5 * (account.start.kinetic + account.start.elastic));
  finish(&t);
}

// Of the end of a rod, in time: shorter steps change it less and less.
static void shorter_steps_converge(void **state)
{
  double u[4];
  for (int level = 0; level < 4; level++) {
    trial t = {0};
    make_rod(&t, 10);
    begin(&t, 1e-4 / (1 << level));
    for (int i = 0; i < t.mesh.nodes; i++)
      t.v[i] = -10 * sin(0.15707963267948966 * t.mesh.node[i][0]);
    set(&t);
    run(&t, 80 << level);
    u[level] = pc_fe_motion_look(t.motion).displacement[10];
    assert_near(t.mesh.node[10][0], 10, 1e-12);
    finish(&t);
  }
  double a = fabs(u[1] - u[0]), b = fabs(u[2] - u[1]), c = fabs(u[3] - u[2]);
  printf("end of the rod after 8 ms: %.6f %.6f %.6f %.6f m\n", u[0], u[1], u[2], u[3]);
  assert_true(b < 0.7 * a && c < 0.7 * b && c < 1e-3);
}

static void saved_alloys_go_on_with_the_same_bits(void **state)
{
  pc_error error = {0};
  trial t = {0};
  make_rod(&t, 8);
  begin(&t, 1e-4);
  for (int i = 0; i < t.mesh.nodes; i++)
    t.v[i] = -10 * t.mesh.node[i][0];
  set(&t);
  run(&t, 20);
  size_t size = pc_fe_motion_save(t.motion, NULL, 0);
  char *bytes = malloc(size), *first = malloc(size), *second = malloc(size);
  assert_int_equal(pc_fe_motion_save(t.motion, bytes, size), size);
  run(&t, 20);
  pc_fe_motion_save(t.motion, first, size);
  pc_fe_motion *other = pc_fe_motion_create(&t.def, &error);
  assert_ok(pc_fe_motion_load(other, bytes, size, &error), &error);
  for (int i = 0; i < 20; i++)
    assert_ok(pc_fe_motion_advance(other, &error), &error);
  pc_fe_motion_save(other, second, size);
  assert_memory_equal(first, second, size);
  assert_int_equal(pc_fe_motion_load(other, bytes, size - 1, &error), PC_ERROR_ARGUMENT);
  bytes[0] = 'x';
  assert_int_equal(pc_fe_motion_load(other, bytes, size, &error), PC_ERROR_ARGUMENT);
  pc_fe_motion_destroy(other);
  free(bytes);
  free(first);
  free(second);
  finish(&t);
}

static void refuse(const trial *t, const char *text)
{
  pc_error error = {0};
  assert_null(pc_fe_motion_create(&t->def, &error));
  assert_int_equal(error.status, PC_ERROR_ARGUMENT);
  assert_says(error.text, text);
}

static void what_makes_no_sense_is_refused(void **state)
{
  trial t = {0};
  make_rod(&t, 3);
  begin(&t, 1e-4);
  pc_fe_alloy_medium two[2] = {t.medium, t.medium};
  two[1].slope /= 2;
  pc_fe_alloy_def alloys = *t.def.alloy;
  alloys.medium = two;
  alloys.media = 2;
  t.def.alloy = &alloys;
  refuse(&t, "all alloys of a motion must have the same tau, but");
  finish(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_phases_it_is_an_elastic_solid),
      cmocka_unit_test(a_strain_that_stays_turns_martensites),
      cmocka_unit_test(energy_is_kept_and_entropy_grows),
      cmocka_unit_test(every_step_below_the_critical_temperature_produces_entropy),
      cmocka_unit_test(shorter_steps_converge),
      cmocka_unit_test(saved_alloys_go_on_with_the_same_bits),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
