// Frémond's book, 7.3 to 7.6: what collisions warm and melt, on meshes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/thermal.h"
#include "fe_trial.h"
#include "percuss/random.h"

#define BOOK "Fremond, Collisions Engineering (2017), "

// --- a thermal problem in a few lines -----------------------------------------------------------

typedef struct warmth {
  pc_fe_thermal_medium medium[2];
  pc_fe_thermal_side side[1];
  pc_fe_thermal_contact contact[1];
  pc_fe_thermal_def def;
  pc_fe_thermal_state before;
  double *heat, *surface;
  pc_fe_thermal *thermal;
  pc_fe_thermal_answer answer;
  bool solved;
} warmth;

static bool warm_begin(warmth *w, const pc_fe_mesh *mesh)
{
  size_t n = (size_t)mesh->nodes + 1;
  w->def.mesh = mesh;
  w->def.medium = w->medium;
  w->def.side = w->side;
  w->def.contact = w->contact;
  w->def.weight = 0.5;
  w->before.temperature = calloc(n, sizeof(double));
  w->before.fraction = calloc(n, sizeof *w->before.fraction);
  w->heat = calloc(n, sizeof(double));
  w->surface = calloc(n, sizeof(double));
  w->thermal = pc_fe_thermal_create(&w->def, NULL);
  return w->before.temperature && w->before.fraction && w->heat && w->surface && w->thermal;
}

static bool warm_solve(pc_report *report, warmth *w)
{
  pc_fe_thermal_data data = {.heat = w->heat, .surface = w->surface};
  w->solved = w->thermal != NULL &&
              pc_fe_thermal_solve(w->thermal, &w->before, &data, &w->answer, NULL) == PC_OK &&
              w->answer.solved && w->answer.account.closed;
  pc_report_count(report, w->solved);
  return w->solved;
}

static void warm_end(warmth *w)
{
  pc_fe_thermal_destroy(w->thermal);
  free(w->before.temperature);
  free(w->before.fraction);
  free(w->heat);
  free(w->surface);
  memset(w, 0, sizeof *w);
}

// --- T7.3 ---------------------------------------------------------------------------------------

// A half-space that its surface warms: [T] = Y e^(-x/d) / (C_s + k/d), d = sqrt(k/C).
static double half_space(pc_report *report, int cells, double *surface)
{
  const double c = 2e6, k = 5e4, skin = 3e5, y = 4e6, d = sqrt(k / c), top = y / (skin + k / d);
  double x[1025], worst = 0;
  pc_fe_mesh mesh = pc_fe_mesh_empty(1);
  pc_fe_grade(0, 25 * d, cells, 1, x);
  pc_fe_mesh_add_line(&mesh, cells, x, "ground", "surface", NULL);
  warmth w = {.def = {.media = 1, .surfaces = 1}};
  w.medium[0] = (pc_fe_thermal_medium){
      .group = pc_fe_mesh_find_group(&mesh, "ground", 1), .capacity = c, .conduct = 2 * k};
  w.side[0] =
      (pc_fe_thermal_side){.sides = pc_fe_mesh_find_group(&mesh, "surface", 0), .capacity = skin};
  if (warm_begin(&w, &mesh)) {
    for (int i = 0; i < mesh.nodes; i++)
      w.before.temperature[i] = 280;
    w.heat[0] = y;
    warm_solve(report, &w);
  }
  *surface = w.solved ? w.answer.after.temperature[0] - 280 : NAN;
  for (int i = 0; w.solved && i < mesh.nodes; i++)
    worst = fmax(worst, fabs(w.answer.after.temperature[i] - 280 - top * exp(-x[i] / d)));
  bool solved = w.solved;
  warm_end(&w);
  pc_fe_mesh_free(&mesh);
  return solved ? worst / top : NAN;
}

static void run_half_space(pc_report *report)
{
  const double d = sqrt(5e4 / 2e6);
  double error[3], surface;
  for (int i = 0; i < 3; i++)
    error[i] = half_space(report, 128 << i, &surface);
  const char *oracle =
      "[T] = Y e^(-x/d) / (C_s + k/d), d = sqrt(k/C); C 2e6, k 5e4, C_s 3e5, Y 4e6, 512 cells";
  pc_report_derived(report, "surface", "[T] of the surface", 4e6 / (3e5 + 5e4 / d), surface, "K",
                    5e-3, oracle);
  pc_report_derived(report, "field", "largest error of [T], relative", 0, error[2], "1", 1e-3,
                    oracle);
  for (int i = 0; i < 2; i++)
    pc_report_derived(report, pc_report_name(report, "order_%d", 256 << i),
                      "order of convergence of [T]", 2, log2(error[i] / error[i + 1]), "1", 0.05,
                      oracle);
}

// --- T7.5 ---------------------------------------------------------------------------------------

// Two lines that conduct well and touch, beside two balls of chapter 3 (small jumps, 3.175, 3.176).
static void run_exchange(pc_report *report)
{
  const double c = 2e6, length = 0.1, k = 50, work = 30, t[2] = {300, 310};
  double x[5];
  pc_fe_mesh mesh = pc_fe_mesh_empty(1);
  pc_fe_grade(0, length, 4, 1, x);
  pc_fe_mesh_add_line(&mesh, 4, x, "a", NULL, "end");
  pc_fe_grade(length, 2 * length, 4, 1, x);
  pc_fe_mesh_add_line(&mesh, 4, x, "b", "begin", NULL);
  warmth w = {.def = {.media = 2, .contacts = 1}};
  for (int i = 0; i < 2; i++)
    w.medium[i] = (pc_fe_thermal_medium){
        .group = pc_fe_mesh_find_group(&mesh, i ? "b" : "a", 1), .capacity = c, .conduct = 1e9};
  w.contact[0] = (pc_fe_thermal_contact){pc_fe_mesh_find_group(&mesh, "end", 0),
                                         pc_fe_mesh_find_group(&mesh, "begin", 0), 2 * k};
  double got[2] = {0, 0};
  if (warm_begin(&w, &mesh)) {
    for (int i = 0; i < mesh.nodes; i++)
      w.before.temperature[i] = t[i / 5];
    w.surface[4] = work;
    warm_solve(report, &w);
  }
  for (int i = 0; i < mesh.nodes; i++)
    got[i / 5] += w.solved ? (i % 5 == 0 || i % 5 == 4 ? 0.125 : 0.25) *
                                 (w.answer.after.temperature[i] - t[i / 5])
                           : NAN;
  double lambda = 4 * k / ((t[0] + t[1]) / 2), whole = c * length * (t[0] + t[1]);
  double want[2] = {t[0] * (work + lambda * t[1] * (t[1] - t[0])) / whole,
                    t[1] * (work - lambda * t[0] * (t[1] - t[0])) / whole};
  const char *oracle = "two balls with lambda = 4 k_ps^d / T (remark 7.4), small jumps";
  for (int i = 0; i < 2; i++)
    pc_report_derived(report, i ? "warm" : "cold",
                      i ? "[T] of the warmer body" : "[T] of the colder body", want[i], got[i], "K",
                      1e-3 * fabs(want[i]), oracle);
  pc_report_derived(report, "energy", "heat that both have more", work,
                    c * length * (got[0] + got[1]), "J/m2", 1e-6, "work of the surface");
  warm_end(&w);
  pc_fe_mesh_free(&mesh);
}

// --- T7.1, warm ---------------------------------------------------------------------------------

// The bar of 7.6 on a support: what it loses is what warms it.
static void run_bar(pc_report *report)
{
  static const double support[2] = {2000, 500}, loss[2] = {483.3972, 466.2020};
  for (int i = 0; i < 2; i++) {
    pc_fe_trial t;
    pc_fe_trial_begin(&t, 1);
    pc_fe_trial_block(&t, "bar", (pc_fe_places){2, {0, 1}, {64}}, (pc_fe_places){0}, NULL, NULL,
                      NULL, "foot");
    pc_fe_trial_medium(&t, "bar", false, 1000, 500, 0);
    pc_fe_trial_contact(&t, "foot", NULL, -1, support[i], 0, PC_FE_UNILATERAL);
    bool good = pc_fe_trial_ready(&t);
    for (int n = 0; good && n < t.mesh.nodes; n++)
      t.before[n] = -1;
    good = pc_fe_trial_solve(report, &t) && good;
    warmth w = {.def = {.media = 1, .contacts = 1}};
    w.medium[0] = (pc_fe_thermal_medium){
        .group = pc_fe_mesh_find_group(&t.mesh, "bar", 1), .capacity = 4e6, .conduct = 50};
    w.contact[0] = (pc_fe_thermal_contact){pc_fe_mesh_find_group(&t.mesh, "foot", 0), -1, 0};
    double touch[1] = {0}, stored = NAN;
    good = good && warm_begin(&w, &t.mesh) &&
           pc_fe_collision_heat(t.collision, w.heat, touch, NULL) == PC_OK;
    if (good) {
      for (int n = 0; n < t.mesh.nodes; n++)
        w.before.temperature[n] = 293;
      w.surface[t.answer.touch[0].node] = touch[0];
      if (warm_solve(report, &w))
        stored = w.answer.account.energy_after - w.answer.account.energy_before;
    }
    pc_report_derived(report, i ? "stays" : "bounces", "heat that the bar has more", loss[i],
                      stored, "J/m2", 1e-4,
                      "kinetic energy lost by the closed form; rho 1000, L 1, k_M 500, V 1");
    warm_end(&w);
    pc_fe_trial_end(&t);
  }
}

// --- 7.6.4 and the second law -------------------------------------------------------------------

enum { PROBLEMS = 400 };

// A block of a random liquid or alloy, warmed at random.
static bool random_block(pc_report *report, pc_random *random, bool theorem, pc_fe_mesh *mesh,
                         warmth *w)
{
  double x[9], y[9], c = 2e6, t0 = 273.15, size = pc_random_uniform(random, 0.05, 1);
  int cells = 2 + pc_random_below(random, 5);
  pc_fe_grade(0, size, cells, pc_random_uniform(random, 0.5, 2), x);
  pc_fe_grade(0, size, cells, 1, y);
  *mesh = pc_fe_mesh_empty(2);
  pc_fe_rectangle r = {
      cells, cells,    x,       y,     pc_random_below(random, 2) ? PC_QUAD4 : PC_TRIANGLE3,
      "a",   "bottom", "right", "top", "left"};
  pc_fe_mesh_add_rectangle(mesh, &r);
  bool alloy = !theorem && pc_random_below(random, 2);
  *w = (warmth){.def = {.media = 1}};
  w->medium[0] = (pc_fe_thermal_medium){
      .group = pc_fe_mesh_find_group(mesh, "a", 2),
      .capacity = c,
      .conduct = c * size * size * pow(10, -1 - 4 * pc_random_uniform(random, 0, 1)),
      .phases = alloy ? PC_FE_ALLOY : PC_FE_LIQUID,
      .latent = 1e8,
      .change = t0,
      .resist = pc_random_below(random, 2) * 1e7,
      .spread = theorem ? 0 : 1e5 * size * size};
  if (!warm_begin(w, mesh))
    return false;
  double before = t0 - pc_random_uniform(random, 0, 20);
  for (int i = 0; i < mesh->nodes; i++) {
    w->before.temperature[i] = theorem ? before : before + pc_random_uniform(random, 0, 30);
    double a = theorem ? 0 : pc_random_uniform(random, 0, 1);
    w->before.fraction[i][0] = a;
    if (alloy) {
      w->before.fraction[i][1] = pc_random_uniform(random, 0, 1 - a);
      w->before.fraction[i][2] = 1 - a - w->before.fraction[i][1];
    }
    if (pc_random_below(random, 3) == 0)
      w->heat[i] = pc_random_uniform(random, 0, 2e8) * size * size / (cells * cells);
  }
  return warm_solve(report, w);
}

static void run_claims(pc_report *report)
{
  pc_random random;
  pc_random_seed(&random, 20170764);
  int cooled = 0, cold_melts = 0, outside = 0, entropy = 0, energy = 0;
  for (int k = 0; k < 2 * PROBLEMS; k++) {
    pc_fe_mesh mesh;
    warmth w;
    bool theorem = k < PROBLEMS, solved = random_block(report, &random, theorem, &mesh, &w);
    const pc_fe_thermal_account *a = &w.answer.account;
    for (int i = 0; solved && theorem && i < mesh.nodes; i++) {
      double after = w.answer.after.temperature[i], before = w.before.temperature[i];
      cooled += after < before * (1 - 1e-12);
      cold_melts += w.answer.after.fraction[i][0] > 1e-9 && after < 273.15 * (1 - 1e-12);
    }
    outside += !solved || a->outside_set > 1e-12;
    energy += !solved || a->energy_error > 1e-12;
    entropy += !solved || a->produced < 0;
    warm_end(&w);
    pc_fe_mesh_free(&mesh);
  }
  pc_report_property(report, "cools", "nodes that a collision cools", cooled,
                     "7.6.4: T- uniform below T0, solid, insulated, H_p = 0; 400 random blocks");
  pc_report_property(report, "melts", "nodes that melt below T0", cold_melts,
                     "7.6.4: [b] > 0 only where T+ >= T0; 400 random blocks");
  pc_report_property(report, "set", "problems with fractions outside their set", outside,
                     "800 random blocks of liquids and alloys, to 1e-12");
  pc_report_property(report, "energy", "problems whose energy is not kept", energy,
                     "[C T + L b + k/2 |grad b|^2] = heat, to 1e-12");
  pc_report_property(report, "entropy", "problems that produce less entropy than none", entropy,
                     "theorem 7.1 and 10.1: the second law");
}

const pc_case pc_cases_fremond_phase[] = {
    {"fremond.phase.half_space", BOOK "7.62", false, run_half_space},
    {"fremond.phase.exchange", BOOK "7.64, 7.65, remark 7.4", false, run_exchange},
    {"fremond.phase.bar", BOOK "7.6.1 and 7.6.3, in one dimension", false, run_bar},
    {"fremond.phase.claims", BOOK "7.6.4, theorems 7.1 and 10.1", false, run_claims},
    {0},
};
