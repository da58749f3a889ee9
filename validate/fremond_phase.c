// Frémond's book, 7.3 to 7.6: heat and melting by collisions, on meshes.
#include <math.h>
#include <stdlib.h>

#include "continuum_trial.h"
#include "percuss/random.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

// Puts heat into the nodes of a scene, and into its first contact at `touching`. Counts as a solve.
static bool warm(pc_report *report, continuum_trial *t, const double *heat, int touching,
                 double work)
{
  double *contact = calloc((size_t)t->nodes.count + 1, sizeof *contact);
  if (contact != NULL && touching >= 0)
    contact[touching] = work;
  t->solved = contact != NULL && t->nodes.count > 0 &&
              pc_continuum_warm(t->scene.continuum, heat, touching >= 0 ? contact : NULL,
                                &t->answer, NULL) == PC_OK &&
              t->answer.solved && t->answer.closed;
  free(contact);
  pc_report_count(report, t->solved);
  return t->solved;
}

// T7.3: a half-space that its surface warms: [T] = Y e^(-x/d) / (C_s + k/d), d = sqrt(k/C).
static double half_space(pc_report *report, int cells, double *surface)
{
  const double c = 2e6, k = 5e4, skin = 3e5, y = 4e6, d = sqrt(k / c), top = y / (skin + k / d);
  double heat[1025] = {y}, worst = 0;
  continuum_trial t;
  continuum_read(&t,
                 "kind: continuum\n"
                 "mesh: {order: 1, lines: [{name: ground, from: 0, to: %.17g, cells: %d, "
                 "left: surface}]}\n"
                 "media: {ground: {density: 1, heat: {capacity: 2e6, conductivity: 1e5, "
                 "temperature: 280}}}\n"
                 "surfaces: [{sides: surface, capacity: 3e5}]\n"
                 "pushes: [{sides: surface, percussion: [0]}]\n",
                 25 * d, cells);
  bool solved = warm(report, &t, heat, -1, 0);
  *surface = solved ? t.answer.temperature[0] - 280 : NAN;
  for (int i = 0; solved && i < t.answer.nodes; i++)
    worst = fmax(worst, fabs(t.answer.temperature[i] - 280 - top * exp(-t.nodes.place[i][0] / d)));
  continuum_end(&t);
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

// 7.6.3 and 7.6.4 with fields that are uniform: a line of ice that gets the same heat everywhere,
// so that the equations of its nodes and their coupling must give what one point has.

// The range of the nodes, before and after.
typedef struct molten {
  double temperature[2], liquid[2]; // low and high
} molten;

static molten melt_line(pc_report *report, double resistance, double temperature, double liquid,
                        double heat)
{
  enum { CELLS = 4 };
  double share[CELLS + 1];
  molten m = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  continuum_trial t;
  continuum_read(&t,
                 "kind: continuum\n"
                 "mesh: {order: 1, lines: [{name: ice, from: 0, to: 1, cells: %d, left: end}]}\n"
                 "media: {ice: {density: 1, heat: {capacity: 1.9e6, conductivity: 1e5, "
                 "temperature: %.17g, phase: {kind: liquid, latent: 306e6, at: 273.15, "
                 "resistance: %.17g}}}}\n"
                 "pushes: [{sides: end, percussion: [0]}]\n",
                 CELLS, temperature, resistance);
  for (int i = 0; i < t.nodes.count && i <= CELLS; i++) {
    share[i] = heat / CELLS * (i == 0 || i == CELLS ? 0.5 : 1);
    t.nodes.fraction[i][0] = liquid;
  }
  bool solved = warm(report, &t, share, -1, 0);
  for (int i = 0; i < t.answer.nodes && solved; i++) {
    m.temperature[0] = fmin(m.temperature[0], t.answer.temperature[i]);
    m.temperature[1] = fmax(m.temperature[1], t.answer.temperature[i]);
    m.liquid[0] = fmin(m.liquid[0], t.answer.fraction[i][0]);
    m.liquid[1] = fmax(m.liquid[1], t.answer.fraction[i][0]);
  }
  continuum_end(&t);
  return m;
}

// The end of a range that is farther from what is expected.
static double farther(const double range[2], double expected)
{
  return fabs(range[0] - expected) > fabs(range[1] - expected) ? range[0] : range[1];
}

static void run_homogeneous(pc_report *report)
{
  const double c = 1.9e6, latent = 306e6, t0 = 273.15, cold = 253.15, resistance = 30.6e6,
               onset = c * (t0 - cold), above = 150e6 / (c + latent * latent / (resistance * t0));
  const struct {
    const char *name;
    double resistance, liquid_before, heat, temperature, liquid;
    const char *oracle;
  } rows[] = {{"below", 0, 0, onset / 2, cold + 10, 0, "[T] = Y/C, since Y < C (T0 - T)"},
              {"plateau", 0, 0, onset + 0.3 * latent, t0, 0.3, "T0; (Y - C (T0 - T))/L"},
              {"above", 0, 0, onset + latent + 19e6, t0 + 10, 1, "T + (Y - L)/C; all of it"},
              {"resists", resistance, 0, onset + 150e6, t0 + above,
               latent * above / (resistance * t0),
               "(C + L^2/(c T0)) (T+ - T0) = Y - C (T0 - T); L (T+ - T0)/(c T0)"},
              {"undercooled", 0, 1, 0, t0, 1 - onset / latent,
               "a drop that freezes by itself warms to T0: C (T0 - T)/L freezes"}};
  for (int i = 0; i < 5; i++) {
    molten m = melt_line(report, rows[i].resistance, cold, rows[i].liquid_before, rows[i].heat);
    pc_report_derived(report, pc_report_name(report, "%s.temperature", rows[i].name),
                      "temperature after, of the node farthest from what is expected",
                      rows[i].temperature, farther(m.temperature, rows[i].temperature), "K", 1e-9,
                      rows[i].oracle);
    pc_report_derived(report, pc_report_name(report, "%s.liquid", rows[i].name),
                      "fraction of liquid after, of the node farthest from what is expected",
                      rows[i].liquid, farther(m.liquid, rows[i].liquid), "1", 1e-11,
                      rows[i].oracle);
  }
}

// T7.5: two lines that conduct well and touch, beside two balls of chapter 3 (small jumps, 3.175,
// 3.176).
static void run_exchange(pc_report *report)
{
  const double c = 2e6, length = 0.1, k = 50, work = 30, t[2] = {300, 310};
  double got[2] = {0, 0};
  continuum_trial lines;
  continuum_read(&lines,
                 "kind: continuum\n"
                 "mesh: {order: 1, lines: [{name: a, from: 0, to: 0.1, cells: 4, right: end}, "
                 "{name: b, from: 0.1, to: 0.2, cells: 4, left: begin}]}\n"
                 "media:\n"
                 "  a: {density: 1, heat: {capacity: 2e6, conductivity: 1e9, temperature: 300}}\n"
                 "  b: {density: 1, heat: {capacity: 2e6, conductivity: 1e9, temperature: 310}}\n"
                 "contacts: [{sides: end, with: begin, heat: {exchange: 100}}]\n");
  bool solved = warm(report, &lines, NULL, 4, work);
  for (int i = 0; i < 10; i++)
    got[i / 5] += solved ? (i % 5 == 0 || i % 5 == 4 ? 0.125 : 0.25) *
                               (lines.answer.temperature[i] - t[i / 5])
                         : NAN;
  continuum_end(&lines);
  double lambda = 4 * k / ((t[0] + t[1]) / 2), whole = c * length * (t[0] + t[1]);
  double want[2] = {t[0] * (work + lambda * t[1] * (t[1] - t[0])) / whole,
                    t[1] * (work - lambda * t[0] * (t[1] - t[0])) / whole};
  const char *oracle = "two balls with lambda = 4 k_ps^d / T (remark 7.4), small jumps";
  for (int i = 0; i < 2; i++)
    pc_report_derived(report, i ? "warm" : "cold",
                      i ? "[T] of the warmer body" : "[T] of the colder body", want[i], got[i], "K",
                      1e-3 * fabs(want[i]), oracle);
  pc_report_derived(report, "energy", "heat gained by both bodies", work,
                    c * length * (got[0] + got[1]), "J/m2", 1e-6, "work of the surface");
}

// T7.1, warm: the bar of 7.6 on a support is warmed by what it loses.
static void run_bar(pc_report *report)
{
  static const double support[2] = {2000, 500}, loss[2] = {483.3972, 466.2020};
  for (int i = 0; i < 2; i++) {
    continuum_trial t;
    continuum_read(&t,
                   "kind: continuum\n"
                   "mesh: {lines: [{name: bar, from: 0, to: 1, cells: 64, left: foot}]}\n"
                   "media: {bar: {density: 1000, viscosity: 500, velocity: [-1], "
                   "heat: {capacity: 4e6, conductivity: 50, temperature: 293}}}\n"
                   "contacts: [{sides: foot, normal: %.17g}]\n",
                   support[i]);
    continuum_solve(report, &t);
    const pc_continuum_heat *heat = &t.answer.heat;
    pc_report_derived(report, i ? "stays" : "bounces", "heat gained by the bar", loss[i],
                      t.solved ? heat->energy_after - heat->energy_before : NAN, "J/m2", 1e-4,
                      "kinetic energy lost by the closed form; rho 1000, L 1, k_M 500, V 1");
    continuum_end(&t);
  }
}

// 7.6.4 and the second law.

enum { PROBLEMS = 400 };

// A block of a random liquid or alloy, warmed at random.
static bool random_block(pc_report *report, pc_random *random, bool theorem, continuum_trial *t)
{
  double c = 2e6, t0 = 273.15, size = pc_random_uniform(random, 0.05, 1);
  int cells = 2 + pc_random_below(random, 5);
  double grade = pc_random_uniform(random, 0.5, 2);
  bool quadrangles = pc_random_below(random, 2);
  bool alloy = !theorem && pc_random_below(random, 2);
  double conduct = c * size * size * pow(10, -1 - 4 * pc_random_uniform(random, 0, 1));
  double resist = pc_random_below(random, 2) * 1e7;
  continuum_read(t,
                 "kind: continuum\n"
                 "mesh: {order: 1, rectangles: [{name: a, x: [0, %.17g], y: [0, %.17g], "
                 "cells: [%d, %d], grade: [%.17g, 1], triangles: %s, sides: {top: top}}]}\n"
                 "media: {a: {density: 1, heat: {capacity: 2e6, conductivity: %.17g, "
                 "temperature: 273.15, phase: {kind: %s, latent: 1e8, at: 273.15, "
                 "resistance: %.17g, spread: %.17g}}}}\n"
                 "pushes: [{sides: top, percussion: [0, 0]}]\n",
                 size, size, cells, cells, grade, quadrangles ? "false" : "true", conduct,
                 alloy ? "alloy" : "liquid", resist, theorem ? 0 : 1e5 * size * size);
  double heat[49] = {0}, before = t0 - pc_random_uniform(random, 0, 20);
  for (int i = 0; i < t->nodes.count; i++) {
    double *fraction = t->nodes.fraction[i];
    t->nodes.temperature[i] = theorem ? before : before + pc_random_uniform(random, 0, 30);
    fraction[0] = theorem ? 0 : pc_random_uniform(random, 0, 1);
    if (alloy) {
      fraction[1] = pc_random_uniform(random, 0, 1 - fraction[0]);
      fraction[2] = 1 - fraction[0] - fraction[1];
    }
    if (pc_random_below(random, 3) == 0)
      heat[i] = pc_random_uniform(random, 0, 2e8) * size * size / (cells * cells);
  }
  return warm(report, t, heat, -1, 0);
}

// How far fractions are outside their set: negative, or with a sum above 1.
static double outside_set(const continuum_trial *t)
{
  double most = 0;
  for (int i = 0; i < t->answer.nodes; i++) {
    const double *b = t->answer.fraction[i];
    most = fmax(most, fmax(b[0] + b[1] + b[2] - 1, -fmin(b[0], fmin(b[1], b[2]))));
  }
  return most;
}

static void run_claims(pc_report *report)
{
  pc_random random;
  pc_random_seed(&random, 20170764);
  int cooled = 0, cold_melts = 0, outside = 0, entropy = 0, energy = 0;
  for (int k = 0; k < 2 * PROBLEMS; k++) {
    continuum_trial t;
    bool theorem = k < PROBLEMS, solved = random_block(report, &random, theorem, &t);
    for (int i = 0; solved && theorem && i < t.answer.nodes; i++) {
      double after = t.answer.temperature[i], before = t.nodes.temperature[i];
      cooled += after < before * (1 - 1e-12);
      cold_melts += t.answer.fraction[i][0] > 1e-9 && after < 273.15 * (1 - 1e-12);
    }
    outside += !solved || outside_set(&t) > 1e-12;
    energy += !solved || t.answer.heat.identity > 1e-12;
    entropy += !solved || t.answer.heat.produced < 0;
    continuum_end(&t);
  }
  pc_report_property(report, "cools", "nodes that a collision cools", cooled,
                     "7.6.4: T- uniform below T0, solid, insulated, H_p = 0; 400 random blocks");
  pc_report_property(report, "melts", "nodes that melt below T0", cold_melts,
                     "7.6.4: [b] > 0 only where T+ >= T0; 400 random blocks");
  pc_report_property(report, "set", "problems with fractions outside their set", outside,
                     "800 random blocks of liquids and alloys, to 1e-12");
  pc_report_property(report, "energy", "problems whose energy is not conserved", energy,
                     "[C T + L b + k/2 |grad b|^2] = heat, to 1e-12");
  pc_report_property(report, "entropy", "problems with negative entropy production", entropy,
                     "theorem 7.1 and 10.1: the second law");
}

const pc_case pc_cases_fremond_phase[] = {
    {"fremond.phase.homogeneous", BOOK "7.6.3 and 7.6.4, uniform fields", false, run_homogeneous},
    {"fremond.phase.half_space", BOOK "7.62", false, run_half_space},
    {"fremond.phase.exchange", BOOK "7.64, 7.65, remark 7.4", false, run_exchange},
    {"fremond.phase.bar", BOOK "7.6.1 and 7.6.3, in one dimension", false, run_bar},
    {"fremond.phase.claims", BOOK "7.6.4, theorems 7.1 and 10.1", false, run_claims},
    {0},
};
