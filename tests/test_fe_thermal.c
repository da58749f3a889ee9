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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(homogeneous_bodies_melt),
      cmocka_unit_test(homogeneous_alloys_transform),
      cmocka_unit_test(a_heated_half_space_converges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
