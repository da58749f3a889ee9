// Frémond's book, 10.11: solids with shape memory that are struck. The book has figures and no
// numbers for them; U+ has a closed form, temperatures and fractions have a solver of their own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "continuum_trial.h"
#include "trial.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

// Nickel-titanium, 10.11; G in Pa s, k_v in Pa s2, c in J/m3, k and upsilon in J/m.
static const double DENSITY = 6500, LATENT = 80e6, CAPACITY = 5.4e6, CHANGE = 332.75,
                    BEFORE = 0.9 * 332.75, BLOW = 20e6, LENGTH = 10, RESIST = 0.05 * 80e6,
                    SPREAD = 5e6;

// A struck rod.

// Solves, and counts what no answer may have: fractions outside their simplex, a sum that changed,
// less entropy.
static void strike(pc_report *report, continuum_trial *t, int *violations)
{
  if (!continuum_solve(report, t)) {
    ++*violations;
    return;
  }
  *violations += t->answer.heat.produced < 0;
  for (int i = 0; i < t->answer.nodes; i++) {
    const double *b = t->answer.fraction[i], *before = t->nodes.fraction[i];
    double sum = b[0] + b[1] + b[2] - (before[0] + before[1] + before[2]);
    *violations += b[0] < 0 || b[1] < 0 || b[2] < 0 || fabs(sum) > 1e-12;
  }
}

static continuum_trial strike_rod(pc_report *report, int cells, double k_v, double density,
                                  double resist, double blow, int *violations)
{
  continuum_trial t;
  continuum_read(
      &t,
      "kind: continuum\n"
      "mesh: {lines: [{name: rod, from: 0, to: 10, cells: %d, left: clamp, right: end}]}\n"
      "media: {rod: {density: %.17g, viscosity: %.17g, heat: {capacity: 5.4e6, conductivity: 18, "
      "temperature: %.17g, phase: {kind: alloy, latent: 80e6, at: 332.75, resistance: %.17g, "
      "spread: 5e6, spread_change: 5e6}}}}\n"
      "hold: [{sides: clamp}]\n"
      "pushes: [{sides: end, percussion: [%.17g]}]\n",
      cells, density, k_v / 2, BEFORE, resist, -blow);
  strike(report, &t, violations);
  return t;
}

static double temperature_at(const continuum_trial *t, double x)
{
  return t->solved ? t->answer.temperature[continuum_node(t, x, 0)] : NAN;
}

static double austenite_at(const continuum_trial *t, double x)
{
  return t->solved ? t->answer.fraction[continuum_node(t, x, 0)][2] : NAN;
}

// The oracle.

// Temperature and austenite of the rod by finite volumes, without conduction (its layer is 1.3 mm).
// With b_1 = b_2 = (1 - b)/2, so |[b]|^2 = 3/2 b^2, and T+ = T- + (heat - L b + work)/C:
//
//     3/2 (c b - (k + v) b'') + L^2/(C T0) b = L/T0 (T- + (heat + work)/C - T0),  0 <= b <= 1
//
// heat = G^2/(2 k_v) cosh^2(x/l)/cosh^2(L/l); work = 3/2 ((k + v) b b'' + (k/2 + v) b'^2), small.
enum { CELLS = 4000 };

typedef struct exact {
  double *b, *work, *right, *diagonal, *left_over;
  double *heat;
  signed char *at;                    // 0: free, -1: b = 0, 1: b = 1
  double clamp, end, austenite, mean; // T(0), T(L), b(L), mean of b
} exact;

// One solution of the tridiagonal system of the free cells, by elimination.
static void eliminate(exact *e, double spread, double diagonal)
{
  for (int i = 0; i < CELLS; i++) {
    double d = diagonal + spread * ((i > 0) + (i + 1 < CELLS)), r = e->right[i];
    if (e->at[i] != 0)
      d = 1, r = e->at[i] > 0;
    else if (i > 0) {
      double factor = spread / e->diagonal[i - 1];
      d -= e->at[i - 1] == 0 ? factor * spread : 0;
      r += factor * e->b[i - 1];
    }
    e->diagonal[i] = d;
    e->b[i] = r;
  }
  for (int i = CELLS - 1; i >= 0; i--) {
    if (e->at[i] == 0 && i + 1 < CELLS)
      e->b[i] += spread * e->b[i + 1];
    e->b[i] /= e->diagonal[i];
  }
}

// Active sets until they stay.
static void find_austenite(exact *e, double spread, double diagonal)
{
  for (int round = 0, changes = 1; changes > 0 && round < CELLS; round++) {
    eliminate(e, spread, diagonal);
    changes = 0;
    for (int i = 0; i < CELLS; i++) {
      double last = i > 0 ? e->b[i - 1] : e->b[i], next = i + 1 < CELLS ? e->b[i + 1] : e->b[i];
      double left = e->right[i] - diagonal * e->b[i] + spread * (last - 2 * e->b[i] + next);
      double aim = e->b[i] + left / (diagonal + 2 * spread);
      int at = aim < 0 ? -1 : aim > 1 ? 1 : 0;
      changes += at != e->at[i];
      e->at[i] = (signed char)at;
    }
  }
}

static void find_work(exact *e, double h)
{
  for (int i = 0; i < CELLS; i++) {
    double last = i > 0 ? e->b[i - 1] : e->b[i], next = i + 1 < CELLS ? e->b[i + 1] : e->b[i];
    double bend = (last - 2 * e->b[i] + next) / (h * h);
    double back = (e->b[i] - last) / h, forth = (next - e->b[i]) / h;
    e->work[i] =
        1.5 * (2 * SPREAD * e->b[i] * bend + 1.5 * SPREAD * (back * back + forth * forth) / 2);
  }
}

// False when memory is out.
static bool solve_by_hand(exact *e, double k_v)
{
  double *room = calloc(5 * (size_t)CELLS, sizeof *room);
  *e = (exact){.b = room, .at = calloc(CELLS, 1)};
  if (room == NULL || e->at == NULL)
    return false;
  e->work = room + CELLS, e->right = room + 2 * CELLS, e->diagonal = room + 3 * CELLS;
  e->heat = room + 4 * CELLS;
  double h = LENGTH / CELLS, wave = sqrt(k_v / DENSITY);
  double spread = 1.5 * 2 * SPREAD / (h * h);
  double diagonal = 1.5 * RESIST + LATENT * LATENT / (CAPACITY * CHANGE);
  for (int i = 0; i < CELLS; i++) {
    double slope = cosh((i + 0.5) * h / wave) / cosh(LENGTH / wave);
    e->heat[i] = BLOW * BLOW / (2 * k_v) * slope * slope;
  }
  for (int round = 0; round < 8; round++) {
    for (int i = 0; i < CELLS; i++)
      e->right[i] = LATENT / CHANGE * (BEFORE + (e->heat[i] + e->work[i]) / CAPACITY - CHANGE);
    find_austenite(e, spread, diagonal);
    find_work(e, h);
  }
  double sum = 0;
  for (int i = 0; i < CELLS; i++)
    sum += e->b[i] / CELLS;
  int last = CELLS - 1;
  double deep = BLOW * BLOW / (2 * k_v) / pow(cosh(LENGTH / wave), 2),
         high = BLOW * BLOW / (2 * k_v);
  e->mean = sum;
  e->austenite = e->b[last];
  e->clamp = BEFORE + (deep + e->work[0] - LATENT * e->b[0]) / CAPACITY;
  e->end = BEFORE + (high + e->work[last] - LATENT * e->b[last]) / CAPACITY;
  return true;
}

static void free_by_hand(exact *e)
{
  free(e->b);
  free(e->at);
}

// Root of the mean square, over nodes, of what separates the austenite from this.
static double distance(const continuum_trial *s, const exact *e)
{
  double sum = 0;
  for (int i = 0; s->solved && i < s->answer.nodes; i++) {
    double at = s->nodes.place[i][0] / LENGTH * CELLS - 0.5;
    int k = (int)fmax(0, fmin(CELLS - 2, floor(at)));
    double b = e->b[k] + fmax(0, fmin(1, at - k)) * (e->b[k + 1] - e->b[k]);
    sum += pow(s->answer.fraction[i][2] - b, 2) / s->answer.nodes;
  }
  return s->solved ? sqrt(sum) : NAN;
}

static void rod(pc_report *report)
{
  static const double k_v[] = {0.1e6, 0.8e6, 1e6, 1.5e6};
  static const char *const names[] = {"k_v_0_1", "k_v_0_8", "k_v_1", "k_v_1_5"};
  const char *closed = "closed form -(G l/k_v) tanh(L/l), l = sqrt(k_v/density)";
  const char *other = "another solver: finite volumes, 4000 cells, active sets, no conduction";
  const char *at_end = "the same; the temperature of an end node is that of half an element";
  int violations = 0;
  for (int i = 0; i < 4; i++) {
    double wave = sqrt(k_v[i] / DENSITY);
    exact e;
    double good = solve_by_hand(&e, k_v[i]) ? 0 : NAN;
    continuum_trial s = strike_rod(report, 1600, k_v[i], DENSITY, RESIST, BLOW, &violations);
    pc_report_derived(report, pc_report_name(report, "%s.velocity", names[i]), "U+ of the end",
                      -BLOW * wave / k_v[i] * tanh(LENGTH / wave),
                      continuum_velocity(&s, LENGTH, 0, 0), "m/s", 1e-6, closed);
    pc_report_derived(report, pc_report_name(report, "%s.clamp", names[i]), "T+/T0 at the clamp",
                      e.clamp / CHANGE + good, temperature_at(&s, 0) / CHANGE, "1", 1e-6, other);
    pc_report_derived(report, pc_report_name(report, "%s.end", names[i]), "T+/T0 at the end",
                      e.end / CHANGE + good, temperature_at(&s, LENGTH) / CHANGE, "1", 1e-3,
                      at_end);
    pc_report_derived(report, pc_report_name(report, "%s.austenite", names[i]),
                      "austenite at the end", e.austenite + good, austenite_at(&s, LENGTH), "1",
                      1e-6, other);
    pc_report_derived(report, pc_report_name(report, "%s.mean", names[i]), "mean austenite",
                      e.mean + good, s.solved ? s.answer.medium[0].fraction_mean[2] : NAN, "1",
                      1e-6, other);
    free_by_hand(&e);
    continuum_end(&s);
  }
  pc_report_property(report, "sets",
                     "fractions outside their set, sums that change, entropy that falls",
                     violations, "10.46, 10.8, theorem 10.1");
}

static void order(pc_report *report)
{
  double apart[3], end[3];
  int violations = 0;
  exact e;
  double good = solve_by_hand(&e, 0.8e6) ? 0 : NAN;
  for (int i = 0; i < 3; i++) {
    continuum_trial s = strike_rod(report, 50 << i, 0.8e6, DENSITY, RESIST, BLOW, &violations);
    apart[i] = distance(&s, &e) + good;
    end[i] = fabs(temperature_at(&s, LENGTH) - e.end) + good;
    continuum_end(&s);
  }
  free_by_hand(&e);
  for (int i = 0; i < 2; i++) {
    pc_report_derived(report, pc_report_name(report, "austenite_%d", 100 << i),
                      "order of convergence of the austenite", 2, log2(apart[i] / apart[i + 1]),
                      "1", 0.2, "fields are linear between nodes; k_v 0.8, finite volumes");
    pc_report_derived(report, pc_report_name(report, "end_%d", 100 << i),
                      "order of convergence of the temperature of the end", 1,
                      log2(end[i] / end[i + 1]), "1", 0.2,
                      "an end node has the mean of half an element");
  }
}

// Uniform: figure 10.3.

// A rod of almost no mass dissipates G^2/(2 k_v) everywhere.
typedef struct uniform {
  pc_report *report;
  double resist, wanted; // austenite
  int violations;
} uniform;

static double austenite_above(double heat, void *context)
{
  uniform *u = context;
  continuum_trial s =
      strike_rod(u->report, 2, 1e6, 1e-9, u->resist, sqrt(2e6 * heat), &u->violations);
  double b = austenite_at(&s, LENGTH);
  continuum_end(&s);
  return u->wanted < 1 ? (b > u->wanted ? 1 : -1) : (b >= 1 - 1e-12 ? 1 : -1);
}

static void plateau(pc_report *report)
{
  static const struct {
    const char *name;
    double resist;
  } cases[] = {{"c_0", 0}, {"c_0_001", 1e-3}, {"c_0_05", 5e-2}};
  double onset = CAPACITY * (CHANGE - BEFORE);
  uniform u = {.report = report};
  for (int i = 0; i < 3; i++) {
    double c = cases[i].resist * LATENT;
    // Example 3 of 10.10: b = 2 L (T+ - T0) / (3 c T0), and C (T+ - T0) + L b = heat - onset.
    double full = 1.5 * c * CHANGE / LATENT, complete = onset + CAPACITY * full + LATENT;
    u.resist = c;
    u.wanted = 1e-9;
    pc_report_derived(report, pc_report_name(report, "%s.onset", cases[i].name),
                      "dissipated work at which austenite appears", onset / 1e6,
                      pc_bisect(austenite_above, &u, 100e6, 500e6) / 1e6, "MJ/m3", 1e-5,
                      "C (T0 - T-)");
    u.wanted = 1;
    pc_report_derived(report, pc_report_name(report, "%s.complete", cases[i].name),
                      "dissipated work at which all is austenite", complete / 1e6,
                      pc_bisect(austenite_above, &u, 100e6, 500e6) / 1e6, "MJ/m3", 1e-5,
                      "10.10, example 3; the bound of the book is printed upside down");
    continuum_trial s =
        strike_rod(report, 2, 1e6, 1e-9, c, sqrt(2e6 * (onset + complete) / 2), &u.violations);
    pc_report_derived(report, pc_report_name(report, "%s.half", cases[i].name),
                      "T+/T0 when half of it is austenite", 1 + full / 2 / CHANGE,
                      temperature_at(&s, LENGTH) / CHANGE, "1", 1e-9,
                      "\"constant and equal to T0 for small values of c\"");
    continuum_end(&s);
  }
  pc_report_property(report, "sets",
                     "fractions outside their set, sums that change, entropy that falls",
                     u.violations, "10.46, 10.8, theorem 10.1");
}

// The elastic rod of figure 10.5.

// u(L, t) = sum V_n/w_n sin(w_n t) sin(q_n L), q_n = (n - 1/2) pi/L, w_n = c q_n,
// V_n = -(2 G/(L k_v)) (-1)^(n + 1) / (1/l^2 + q_n^2).
static double displacement_of_end(double k_v, double young, double time)
{
  double sum = 0, wave2 = k_v / DENSITY, speed = sqrt(young / DENSITY), pi = acos(-1);
  for (int n = 1; n <= 20000; n++) {
    double q = (n - 0.5) * pi / LENGTH, sign = n % 2 == 1 ? 1 : -1; // sin(q L) too
    sum -= 2 * BLOW / (LENGTH * k_v) / (1 / wave2 + q * q) * sign * sign * sin(speed * q * time) /
           (speed * q);
  }
  return sum;
}

static void elastic(pc_report *report)
{
  static const double k_v[] = {0.8e6, 1e6}, times[] = {1, 1.5, 2.5, 4};
  static const char *const names[] = {"k_v_0_8", "k_v_1"}, *const when[] = {"1", "1_5", "2_5", "4"};
  const double young = 47e9, quarter = LENGTH / sqrt(young / DENSITY);
  for (int i = 0; i < 2; i++) {
    continuum_trial s;
    bool good = continuum_read(
        &s,
        "kind: continuum\n"
        "mesh: {lines: [{name: rod, from: 0, to: 10, cells: 200, left: clamp, right: end}]}\n"
        "media: {rod: {density: 6500, viscosity: %.17g, young: 47e9, "
        "heat: {capacity: 5.4e6, temperature: 300}}}\n"
        "hold: [{sides: clamp}]\n"
        "pushes: [{sides: end, percussion: [-20e6]}]\n"
        "duration: 1\n"
        "step: %.17g\n",
        k_v[i] / 2, quarter / 800);
    pc_continuum_motion *motion = good ? pc_continuum_motion_create(s.scene.continuum, NULL) : NULL;
    good = motion != NULL;
    for (int t = 0; t < 4; t++) {
      while (good && pc_continuum_motion_state(motion).time < (times[t] - 1. / 1600) * quarter)
        good = pc_continuum_motion_step(motion, NULL) == PC_OK;
      int end = continuum_node(&s, LENGTH, 0);
      pc_report_derived(report, pc_report_name(report, "%s.time_%s", names[i], when[t]),
                        "displacement of the end, in times L/c after the blow",
                        displacement_of_end(k_v[i], young, times[t] * quarter),
                        good ? pc_continuum_motion_state(motion).displacement[end] : NAN, "m", 2e-4,
                        "modes of vibration; E 47 GPa, the line that figure 10.5 compares with");
    }
    pc_report_count(report, good && pc_continuum_motion_balance(motion).closed);
    pc_continuum_motion_destroy(motion);
    continuum_end(&s);
  }
}

// The square of figure 10.4.

typedef struct box {
  double x[2], y[2];
} box;

// The largest temperature and austenite in a box.
static void look(const continuum_trial *s, box where, double most[2])
{
  most[0] = most[1] = s->solved ? 0 : NAN;
  for (int i = 0; s->solved && i < s->answer.nodes; i++) {
    const double *x = s->nodes.place[i];
    if (x[0] < where.x[0] || x[0] > where.x[1] || x[1] < where.y[0] || x[1] > where.y[1])
      continue;
    most[0] = fmax(most[0], s->answer.temperature[i]);
    most[1] = fmax(most[1], s->answer.fraction[i][2]);
  }
}

static continuum_trial strike_square(pc_report *report, bool mirrored, int *violations)
{
  static const pc_edit edits[] = {{"[48, 48], triangles: true", "[24, 24]"},
                                  {"[17320508.0756888,", "[-17320508.0756888,"}};
  char path[500], *text = pc_trial_text("continuum", "alloy-square.yaml", mirrored ? 2 : 1, edits,
                                        path, sizeof path);
  continuum_trial s;
  continuum_read(&s, "%s", text != NULL ? text : "");
  strike(report, &s, violations);
  free(text);
  return s;
}

static void square(pc_report *report)
{
  static const box blow = {{1. / 3, 2. / 3}, {0.95, 1}}, clamp = {{0, 1}, {0, 0.05}},
                   middle = {{0.1, 0.5}, {0.4, 0.8}};
  int violations = 0;
  continuum_trial s = strike_square(report, false, &violations);
  double at_blow[2], at_clamp[2], between[2], mean[2] = {NAN, NAN};
  look(&s, blow, at_blow);
  look(&s, clamp, at_clamp);
  look(&s, middle, between);
  const char *words = "\"temperature increases in the collision region but also near the fixed "
                      "boundary. Phase transformation follows the same behavior\"";
  pc_report_property(report, "hot_blow", "no warmer under the blow than inside",
                     !(at_blow[0] > between[0] + 10), words);
  pc_report_property(report, "hot_clamp", "no warmer at the clamp than inside",
                     !(at_clamp[0] > between[0] + 10), words);
  pc_report_property(report, "austenite_blow", "no austenite under the blow",
                     !(at_blow[1] > 0.01 && between[1] == 0), words);
  pc_report_property(report, "austenite_clamp", "no austenite at the clamp",
                     !(at_clamp[1] > 0.01 && between[1] == 0), words);
  if (s.solved)
    mean[0] = s.answer.medium[0].fraction_mean[2];
  double heat =
      s.solved ? CAPACITY * (s.answer.medium[0].temperature_mean - BEFORE) + LATENT * mean[0] : NAN;
  double lost = s.solved ? s.answer.account.work_pushes - s.answer.account.kinetic_after : NAN;
  // The energy of the gradients of fractions is left out: it is small.
  pc_report_derived(report, "energy", "C [T] + L b on average, over what the blow left", 1,
                    heat / lost, "1", 1e-2, "work of the blow less kinetic energy");
  continuum_end(&s);
  s = strike_square(report, true, &violations);
  if (s.solved)
    mean[1] = s.answer.medium[0].fraction_mean[2];
  pc_report_derived(report, "mirror", "mean austenite of the mirror image", mean[0], mean[1], "1",
                    1e-9, "the same blow from the other side");
  continuum_end(&s);
  pc_report_property(report, "sets",
                     "fractions outside their set, sums that change, entropy that falls",
                     violations, "10.46, 10.8, theorem 10.1");
}

// Remark 10.1: voids that spread in a collision. A rod of 0.4 m, dense on the left and with 40 % of
// voids on the right.
static void voids(pc_report *report)
{
  static const double K = 1e-3, HALF = 0.2;
  static const double place[3] = {0.1, 0.2, 0.23};
  static const char *const name[3] = {"dense", "middle", "porous"};
  continuum_trial t;
  continuum_read(&t,
                 "kind: continuum\n"
                 "mesh: {lines: [{name: dense, from: 0, to: 0.2, cells: 40, left: wall, right: "
                 "seam}, {name: porous, from: 0.2, to: 0.4, cells: 40, left: other, right: end}], "
                 "join: [{sides: seam, with: other}]}\n"
                 "media:\n"
                 "  dense: {density: 6500, viscosity: 4e5, heat: {capacity: 5.4e6, conductivity: "
                 "18, temperature: 299.475, phase: {kind: alloy, latent: 80e6, at: 332.75, "
                 "resistance: 4e6, fractions: [0.5, 0.5, 0], void_diffusion: %g}}}\n"
                 "  porous: {density: 6500, viscosity: 4e5, heat: {capacity: 5.4e6, conductivity: "
                 "18, temperature: 299.475, phase: {kind: alloy, latent: 80e6, at: 332.75, "
                 "resistance: 4e6, fractions: [0.3, 0.3, 0], void_diffusion: %g}}}\n"
                 "hold: [{sides: wall}]\npushes: [{sides: end, percussion: [-5e6]}]\n",
                 K, K);
  continuum_solve(report, &t);
  for (int i = 0; i < 3; i++) {
    double x = place[i] - HALF, l = sqrt(K);
    double part = 0.2 * (1 - cosh((HALF - fabs(x)) / l) / cosh(HALF / l));
    int node = t.solved ? continuum_node(&t, place[i], 0) : -1;
    const double *b = node >= 0 ? t.answer.fraction[node] : NULL;
    pc_report_derived(
        report, name[i], pc_report_name(report, "fractions together after, at x = %g m", place[i]),
        0.8 - (x < 0 ? -part : part), b != NULL ? b[0] + b[1] + b[2] : NAN, "1", 1e-4,
        "closed form of [S] = k S+'' without flux at the ends; the printed equation has [S] = 0");
  }
  pc_report_property(report, "entropy", "collisions that lower the entropy",
                     !(t.solved && t.answer.heat.produced >= 0), "material that flows mixes");
  continuum_end(&t);
}

const pc_case pc_cases_fremond_alloy[] = {
    {"fremond.alloy.rod", BOOK "10.11.1", false, rod},
    {"fremond.alloy.order", BOOK "10.11.1", false, order},
    {"fremond.alloy.uniform", BOOK "10.10 and 10.11.1", false, plateau},
    {"fremond.alloy.elastic", BOOK "10.11.3", false, elastic},
    {"fremond.alloy.square", BOOK "10.11.2", false, square},
    {"fremond.alloy.voids", BOOK "remark 10.1", false, voids},
    {0},
};
