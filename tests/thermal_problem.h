// Thermal problems for tests: small meshes, random ones, and the laws that all answers obey.
#ifndef PERCUSS_TESTS_THERMAL_PROBLEM_H
#define PERCUSS_TESTS_THERMAL_PROBLEM_H

#include "support.h"

#include <string.h>

#include "continuum/thermal.h"
#include "continuum/thermal_state.h"

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

static inline int group(const problem *p, const char *name, int dimension)
{
  return pc_fe_mesh_find_group(&p->mesh, name, dimension);
}

// A line from 0 to `length`; the second one, if it has cells, begins where it ends, with a node of
// its own.
static inline void line_mesh(problem *p, int cells, double length, int more, double ratio)
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

static inline void plane_mesh(problem *p, int columns, int rows, double width, double height,
                              pc_element type)
{
  double x[33], y[33];
  p->mesh = pc_fe_mesh_empty(2);
  pc_fe_grade(0, width, columns, 1, x);
  pc_fe_grade(0, height, rows, 1, y);
  pc_fe_rectangle r = {columns, rows, x, y, type, "a", "bottom", "right", "top", "left"};
  pc_fe_mesh_add_rectangle(&p->mesh, &r);
}

static inline void begin(problem *p)
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

static inline void uniform(problem *p, double temperature, double b1, double b2, double b3)
{
  for (int i = 0; i < p->mesh.nodes; i++) {
    p->before.temperature[i] = temperature;
    p->before.fraction[i][0] = b1;
    p->before.fraction[i][1] = b2;
    p->before.fraction[i][2] = b3;
  }
}

static inline void solve(problem *p)
{
  pc_error error = {0};
  assert_ok(pc_fe_thermal_solve(p->thermal, &p->before, &p->data, &p->answer, &error), &error);
}

static inline void finish(problem *p)
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
static inline double volume_of(const problem *p, int node)
{
  double sum = 0;
  for (int k = 0; k < p->thermal->parts; k++)
    for (int c = 0; c < p->thermal->corners; c++)
      if (p->thermal->row[p->thermal->part[k].row[c]].node == node)
        sum += p->thermal->part[k].volume / p->thermal->corners;
  return sum;
}

static inline void heat_evenly(problem *p, double density)
{
  for (int i = 0; i < p->mesh.nodes; i++)
    p->heat[i] = density * volume_of(p, i);
}

static inline double log_uniform(pc_random *random, double low, double high)
{
  return exp(pc_random_uniform(random, log(low), log(high)));
}

static inline pc_fe_thermal_medium random_medium(pc_random *random, int group, double size)
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

static inline void random_fractions(pc_random *random, int kind, double b[3])
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

// A medium of a node, one with phases if there is one.
static inline const pc_fe_thermal_medium *medium_at(const problem *p, int node)
{
  const pc_fe_thermal_medium *found = NULL;
  for (int k = 0; k < p->thermal->parts; k++)
    for (int c = 0; c < p->thermal->corners; c++) {
      const pc_fe_thermal_medium *m = &p->medium[p->thermal->part[k].medium];
      if (p->thermal->part[k].row[c] == p->thermal->row_of[node] &&
          (found == NULL || found->phases == PC_FE_ONE_PHASE))
        found = m;
    }
  return found;
}

// Every second element is of another group.
static inline void split_mesh(problem *p)
{
  int other = pc_fe_mesh_add_group(&p->mesh, "b", 2);
  for (int e = 1; e < p->mesh.body.count; e += 2)
    p->mesh.body.cell[e].group = other;
}

// A line, sometimes two with a contact, or a rectangle, sometimes of two media.
static inline void random_problem(problem *p, pc_random *random, bool line, bool work)
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
  bool layers = !line && pc_random_below(random, 3) == 0;
  if (layers)
    split_mesh(p);
  p->def.media = 1 + (two || layers);
  p->medium[0] = random_medium(random, group(p, "a", d), size);
  if (two) {
    p->medium[1] = random_medium(random, group(p, "b", d), size);
    p->def.contacts = 1;
    p->contact[0] =
        (pc_fe_thermal_contact){group(p, "right", 0), group(p, "left of b", 0),
                                p->medium[0].capacity * size * log_uniform(random, 1e-4, 1e-1)};
  }
  if (layers) { // they share nodes
    p->medium[1] = random_medium(random, group(p, "b", d), size);
    p->medium[1].change = p->medium[0].change;
    if (p->medium[0].phases != PC_FE_ONE_PHASE && p->medium[1].phases != PC_FE_ONE_PHASE)
      p->medium[1].phases = p->medium[0].phases;
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
    const pc_fe_thermal_medium *m = medium_at(p, i);
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

// `solve` and its energy balance.
static inline void check_laws(const problem *p)
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
  // What the tolerance leaves of the balance of heat, over T; and round-off.
  double heat = 0, largest = 0;
  for (int i = 0; i < p->thermal->rows; i++) {
    int node = p->thermal->row[i].node;
    double was = p->before.temperature[node];
    heat += p->thermal->point[i].stiff;
    largest = fmax(largest, fabs(p->answer.after.temperature[node] - was) + 1e-6 * was);
  }
  if (!(a->produced >= -1e-11 * heat * largest / a->lowest - 1e-16 * fabs(a->entropy_after)))
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

#endif
