// Temperatures and phases on meshes: closed forms, the equations written out again, other solvers,
// the laws of thermodynamics.
#include <string.h>

#include "continuum/thermal.h"
#include "continuum/thermal_state.h"
#include "support.h"

// --- problems -----------------------------------------------------------------------------------

typedef struct problem {
  pc_fe_mesh mesh;
  pc_fe_thermal_medium medium[2];
  pc_fe_thermal_side side[2];
  pc_fe_thermal_contact contact[1];
  pc_fe_thermal_def def;
  pc_fe_thermal_state before;
  double *heat, *surface, (*drive)[3];
  pc_fe_thermal_data data;
  pc_fe_thermal *thermal;
  pc_fe_thermal_answer answer;
} problem;

static int group(const problem *p, const char *name, int dimension)
{
  return pc_fe_mesh_find_group(&p->mesh, name, dimension);
}

// A line from 0 to `length`; the second one, if it has cells, begins where it ends, with a node of
// its own.
static void line_mesh(problem *p, int cells, double length, int more, double ratio)
{
  double x[257];
  p->mesh = pc_fe_mesh_empty(1);
  pc_fe_grade(0, length, cells, ratio, x);
  pc_fe_mesh_add_line(&p->mesh, cells, x, "a", "left", "right");
  if (more > 0) {
    pc_fe_grade(length, 2 * length, more, 1, x);
    pc_fe_mesh_add_line(&p->mesh, more, x, "b", "left of b", "right of b");
  }
}

static void plane_mesh(problem *p, int columns, int rows, double width, double height,
                       pc_element type)
{
  double x[33], y[33];
  p->mesh = pc_fe_mesh_empty(2);
  pc_fe_grade(0, width, columns, 1, x);
  pc_fe_grade(0, height, rows, 1, y);
  pc_fe_rectangle r = {columns, rows, x, y, type, "a", "bottom", "right", "top", "left"};
  pc_fe_mesh_add_rectangle(&p->mesh, &r);
}

static void begin(problem *p)
{
  size_t n = (size_t)p->mesh.nodes;
  assert_int_equal(pc_fe_mesh_done(&p->mesh, NULL), PC_OK);
  p->def.mesh = &p->mesh;
  p->def.medium = p->medium;
  p->def.side = p->side;
  p->def.contact = p->contact;
  if (p->def.weight == 0)
    p->def.weight = 0.5;
  p->before.temperature = calloc(n, sizeof(double));
  p->before.fraction = calloc(n, sizeof *p->before.fraction);
  p->heat = calloc(n, sizeof(double));
  p->surface = calloc(n, sizeof(double));
  p->drive = calloc(n, sizeof *p->drive);
  p->data = (pc_fe_thermal_data){p->heat, p->surface, (const double(*)[3])p->drive};
  pc_error error = {0};
  p->thermal = pc_fe_thermal_create(&p->def, &error);
  if (p->thermal == NULL)
    fail_msg("%s", error.text);
}

static void uniform(problem *p, double temperature, double b1, double b2, double b3)
{
  for (int i = 0; i < p->mesh.nodes; i++) {
    p->before.temperature[i] = temperature;
    p->before.fraction[i][0] = b1;
    p->before.fraction[i][1] = b2;
    p->before.fraction[i][2] = b3;
  }
}

static void solve(problem *p)
{
  pc_error error = {0};
  if (pc_fe_thermal_solve(p->thermal, &p->before, &p->data, &p->answer, &error) != PC_OK)
    fail_msg("%s", error.text);
}

static void finish(problem *p)
{
  pc_fe_thermal_destroy(p->thermal);
  pc_fe_mesh_free(&p->mesh);
  free(p->before.temperature);
  free(p->before.fraction);
  free(p->heat);
  free(p->surface);
  free(p->drive);
  memset(p, 0, sizeof *p);
}

// Length or area that is each node's.
static double volume_of(const problem *p, int node)
{
  double sum = 0;
  for (int k = 0; k < p->thermal->parts; k++)
    for (int c = 0; c < p->thermal->corners; c++)
      if (p->thermal->row[p->thermal->part[k].row[c]].node == node)
        sum += p->thermal->part[k].volume / p->thermal->corners;
  return sum;
}

static void heat_evenly(problem *p, double density)
{
  for (int i = 0; i < p->mesh.nodes; i++)
    p->heat[i] = density * volume_of(p, i);
}

// --- closed forms -------------------------------------------------------------------------------

// A homogeneous insulated body (T7.2, 10.10 examples 1 to 3): the same at every node of any mesh.
static void homogeneous_bodies_melt(void **state)
{
  (void)state;
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
  (void)state;
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
  (void)state;
  double e[3];
  for (int i = 0; i < 3; i++)
    e[i] = half_space_error(64 << i);
  printf("half space: relative errors %.2g, %.2g, %.2g\n", e[0], e[1], e[2]);
  assert_near(log2(e[1] / e[2]), 2, 0.1);
  assert_true(e[2] < 2e-3);
}

// --- random problems ----------------------------------------------------------------------------

static double log_uniform(pc_random *random, double low, double high)
{
  return exp(pc_random_uniform(random, log(low), log(high)));
}

static pc_fe_thermal_medium random_medium(pc_random *random, int group, double size)
{
  static const pc_fe_phases kinds[] = {PC_FE_ONE_PHASE, PC_FE_LIQUID, PC_FE_ALLOY, PC_FE_LIQUID,
                                       PC_FE_ALLOY};
  double capacity = log_uniform(random, 1e6, 5e6), change = pc_random_uniform(random, 250, 400);
  double latent = capacity * log_uniform(random, 1, 150);
  pc_fe_thermal_medium m = {.group = group,
                            .capacity = capacity,
                            .phases = kinds[pc_random_below(random, 5)],
                            .latent = latent,
                            .change = change};
  if (pc_random_below(random, 2))
    m.conduct = capacity * size * size * log_uniform(random, 1e-5, 1e-1);
  if (pc_random_below(random, 2))
    m.resist = latent * log_uniform(random, 1e-4, 0.3);
  if (pc_random_below(random, 2))
    m.spread = latent * size * size * log_uniform(random, 1e-6, 1e-2);
  if (pc_random_below(random, 2))
    m.spread_change = latent * size * size * log_uniform(random, 1e-6, 1e-2);
  if (pc_random_below(random, 4) == 0) {
    m.exchange = capacity * log_uniform(random, 1e-4, 0.3);
    m.outside = change * pc_random_uniform(random, 0.9, 1.1);
  }
  return m;
}

static void random_fractions(pc_random *random, int kind, double b[3])
{
  double sum = pc_random_below(random, 2) ? 1 : pc_random_uniform(random, 0.1, 1);
  b[0] = b[1] = b[2] = 0;
  if (kind == PC_FE_LIQUID) {
    int how = pc_random_below(random, 4);
    b[0] = how < 2 ? how : pc_random_uniform(random, 0, 1);
  } else if (kind == PC_FE_ALLOY) {
    int corner = pc_random_below(random, 5);
    double x = pc_random_uniform(random, 0, 1), y = pc_random_uniform(random, 0, 1 - x);
    double free[3] = {x, y, 1 - x - y};
    for (int k = 0; k < 3; k++)
      b[k] = sum * (corner < 3 ? corner == k : free[k]);
  }
}

// A line, sometimes two with a contact, or a rectangle.
static void random_problem(problem *p, pc_random *random, bool line, bool work)
{
  static const pc_element type[] = {PC_TRIANGLE3, PC_QUAD4};
  double size = log_uniform(random, 1e-2, 10);
  int two = 0;
  if (line) {
    two = pc_random_below(random, 3) == 0;
    line_mesh(p, 1 + pc_random_below(random, 8), size, two ? 1 + pc_random_below(random, 5) : 0,
              pc_random_uniform(random, 0.3, 3));
  } else {
    plane_mesh(p, 1 + pc_random_below(random, 4), 1 + pc_random_below(random, 4), size,
               size * pc_random_uniform(random, 0.5, 2), type[pc_random_below(random, 2)]);
    if (pc_random_below(random, 2))
      assert_int_equal(pc_fe_mesh_quadratic(&p->mesh, pc_random_below(random, 2), NULL), PC_OK);
  }
  int d = p->mesh.dimension;
  p->def.media = 1 + two;
  p->medium[0] = random_medium(random, group(p, "a", d), size);
  if (two) {
    p->medium[1] = random_medium(random, group(p, "b", d), size);
    p->def.contacts = 1;
    p->contact[0] =
        (pc_fe_thermal_contact){group(p, "right", 0), group(p, "left of b", 0),
                                p->medium[0].capacity * size * log_uniform(random, 1e-4, 1e-1)};
  }
  for (int k = 0; k < p->def.media && !work; k++)
    p->medium[k].spread = p->medium[k].spread_change = 0;
  if (pc_random_below(random, 3) == 0) {
    p->def.surfaces = 1;
    p->side[0] = (pc_fe_thermal_side){
        .sides = group(p, "left", d - 1),
        .capacity = p->medium[0].capacity * size * pc_random_uniform(random, 0, 0.2),
        .exchange = p->medium[0].capacity * size * pc_random_uniform(random, 0, 0.2),
        .outside = p->medium[0].change * pc_random_uniform(random, 0.9, 1.1),
        .given = pc_random_below(random, 2)};
  }
  p->def.weight = pc_random_below(random, 2) ? 0.5 : 1;
  begin(p);
  bool even = pc_random_below(random, 3) == 0, driven = work && pc_random_below(random, 3) == 0;
  double warm = pc_random_uniform(random, 0.95, 1.05);
  for (int i = 0; i < p->mesh.nodes; i++) {
    int row = p->thermal->row_of[i];
    const pc_fe_thermal_medium *m = &p->medium[0];
    for (int k = 0; k < p->thermal->parts; k++)
      for (int c = 0; c < p->thermal->corners; c++)
        if (p->thermal->part[k].row[c] == row)
          m = &p->medium[p->thermal->part[k].medium];
    p->before.temperature[i] = m->change * (even ? warm : pc_random_uniform(random, 0.95, 1.05));
    random_fractions(random, m->phases, p->before.fraction[i]);
    if (pc_random_below(random, 2))
      p->heat[i] =
          volume_of(p, i) * (m->latent + 20 * m->capacity) * pc_random_uniform(random, 0, 1.2);
    p->surface[i] = volume_of(p, i) * m->latent * pc_random_uniform(random, 0, 1);
    for (int k = 0; k < 3 && driven; k++)
      p->drive[i][k] = 0.03 * m->latent * pc_random_normal(random);
  }
}

// `solve` and its account.
static void check_laws(const problem *p)
{
  const pc_fe_thermal_account *a = &p->answer.account;
  if (!p->answer.solved || !a->closed)
    fail_msg("residual %.2g, %d rounds, %d iterations, energy %.2g, outside %.2g",
             p->answer.residual, p->answer.rounds, p->answer.iterations, a->energy_error,
             a->outside_set);
  assert_true(p->answer.residual <= 1e-11);
  assert_true(a->energy_error <= 1e-10);
  assert_true(a->lowest > 0);
  double entropy = fabs(a->entropy_after - a->entropy_before) + fabs(a->entropy_received);
  // What the tolerance leaves of the balance of heat, over T.
  double heat = 0, largest = 0;
  for (int i = 0; i < p->thermal->rows; i++) {
    int node = p->thermal->row[i].node;
    double was = p->before.temperature[node];
    heat += p->thermal->point[i].stiff;
    largest = fmax(largest, fabs(p->answer.after.temperature[node] - was) + 1e-6 * was);
  }
  if (!(a->produced >= -1e-11 * heat * largest / a->lowest))
    fail_msg("entropy produced: %g of %g, jump %g", a->produced, a->entropy_after, entropy);
  assert_near(a->entropy_after - a->entropy_before,
              a->produced + a->entropy_received + a->entropy_adiabatic,
              1e-12 * fabs(a->entropy_after));
  if (p->def.weight == 1)
    assert_true(fabs(a->entropy_adiabatic) <= 1e-13 * fabs(a->entropy_after));
  for (int i = 0; i < p->mesh.nodes; i++) {
    const double *b = p->answer.after.fraction[i], *was = p->before.fraction[i];
    for (int k = 0; k < 3; k++)
      assert_true(b[k] >= -1e-12 && b[k] <= 1 + 1e-12);
    if (p->thermal->row[p->thermal->row_of[i]].size == 3)
      assert_near(b[0] + b[1] + b[2], was[0] + was[1] + was[2], 1e-12);
  }
}

// Energy, entropy, sets, the same answer from another start.
static void random_problems_obey_the_laws(void **state)
{
  (void)state;
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
  (void)state;
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

// --- the equations again ------------------------------------------------------------------------

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
  (void)state;
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

// --- another solver -----------------------------------------------------------------------------

enum { SMALL = 8 };

// Liquids on a line without gradients, T eliminated with a dense inverse G of c + w H: the convex
//     min 1/2 b' (T0 R) b - ... + 1/2 |q - L b|^2_G
// by projected gradients with momentum: nothing of the solver's.
static void projected_gradients_find_the_same(void **state)
{
  (void)state;
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

// --- chapter 7 ----------------------------------------------------------------------------------

// Two bodies that touch (T7.5): for small jumps they exchange what chapter 3 says, with
// lambda = 4 k / T, where the contact's `exchange` is 2 k; work is shared as temperatures are.
static void touching_bodies_exchange_as_lumped_ones(void **state)
{
  (void)state;
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
  (void)state;
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

// --- what is refused ----------------------------------------------------------------------------

static void refuse(const problem *p, const char *text)
{
  pc_error error = {0};
  pc_fe_thermal *thermal = pc_fe_thermal_create(&p->def, &error);
  assert_null(thermal);
  assert_int_equal(error.status, PC_ERROR_ARGUMENT);
  if (strstr(error.text, text) == NULL)
    fail_msg("\"%s\" has no \"%s\"", error.text, text);
}

static void refuse_state(problem *p, const char *text)
{
  pc_error error = {0};
  assert_int_equal(pc_fe_thermal_solve(p->thermal, &p->before, &p->data, &p->answer, &error),
                   PC_ERROR_ARGUMENT);
  if (strstr(error.text, text) == NULL)
    fail_msg("\"%s\" has no \"%s\"", error.text, text);
}

static void what_makes_no_sense_is_refused(void **state)
{
  (void)state;
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
  refuse_state(&p, "their sum in ]0, 1]");
  p.before.fraction[0][0] = NAN;
  refuse_state(&p, "fractions");
  p.before.fraction[0][0] = 0.5;
  p.heat[1] = INFINITY;
  refuse_state(&p, "no number");

  pc_fe_thermal_medium good = p.medium[0];
  p.medium[0].capacity = 0;
  refuse(&p, "the capacity of \"a\" is 0, not > 0");
  p.medium[0] = good;
  p.medium[0].latent = -1;
  refuse(&p, "latent");
  p.medium[0] = good;
  p.medium[0].change = 0;
  refuse(&p, "temperature of phase change");
  p.medium[0] = good;
  p.medium[0].resist = -1;
  refuse(&p, "resistance");
  p.medium[0] = good;
  p.medium[0].conduct = NAN;
  refuse(&p, "conductivity");
  p.medium[0] = good;
  p.medium[0].group = 99;
  refuse(&p, "medium 0 has group 99");
  p.medium[0] = good;
  p.def.surfaces = 1;
  p.side[0] = (pc_fe_thermal_side){.sides = group(&p, "left", 0), .given = true};
  refuse(&p, "temperature outside");
  p.side[0] = (pc_fe_thermal_side){.sides = group(&p, "a", 1)};
  refuse(&p, "surface 0");
  p.def.surfaces = 0;
  p.def.contacts = 1;
  p.contact[0] = (pc_fe_thermal_contact){group(&p, "left", 0), -1, 5};
  refuse(&p, "no temperature");
  p.def.contacts = 0;
  p.def.weight = 0.7;
  refuse(&p, "weight");
  finish(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(homogeneous_bodies_melt),
      cmocka_unit_test(homogeneous_alloys_transform),
      cmocka_unit_test(a_heated_half_space_converges),
      cmocka_unit_test(random_problems_obey_the_laws),
      cmocka_unit_test(interior_points_find_the_answer),
      cmocka_unit_test(answers_satisfy_the_equations_written_out_again),
      cmocka_unit_test(projected_gradients_find_the_same),
      cmocka_unit_test(touching_bodies_exchange_as_lumped_ones),
      cmocka_unit_test(nothing_cools_and_only_what_is_warm_melts),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
