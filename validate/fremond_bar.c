// Frémond's book, chapter 7: deformable solids that fall on a support.
#include <math.h>
#include <stdio.h>

#include "continuum_trial.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

static const double DENSITY = 1000, LENGTH = 1, SPEED = 1;

// A bar of 1 m and 1000 kg/m3 falls at 1 m/s on a support at x = 0 with viscosity k_ls.
static bool fall(pc_report *report, continuum_trial *t, int cells, double k_volume,
                 double k_support)
{
  continuum_read(t,
                 "kind: continuum\n"
                 "mesh: {lines: [{name: bar, from: 0, to: 1, cells: %d, left: foot}]}\n"
                 "media: {bar: {density: 1000, viscosity: %.17g, velocity: [-1]}}\n"
                 "contacts: [{sides: foot, normal: %.17g}]\n",
                 cells, k_volume, k_support);
  return continuum_solve(report, t);
}

// T7.1: U+ = -V + B cosh((L - x) / l), l = sqrt(2 k_M / rho), m* = sqrt(2 k_M rho) tanh(L / l).
typedef struct exact {
  double wave, b, foot, reaction, loss_volume, loss_surface;
} exact;

static exact solve_by_hand(double k_volume, double k_support)
{
  exact e = {.wave = sqrt(2 * k_volume / DENSITY)};
  double m = sqrt(2 * k_volume * DENSITY) * tanh(LENGTH / e.wave), slope = 2 * k_volume / e.wave;
  bool bounces = k_support > m;
  e.b = bounces ? 2 * SPEED * k_support /
                      (k_support * cosh(LENGTH / e.wave) + slope * sinh(LENGTH / e.wave))
                : SPEED / cosh(LENGTH / e.wave);
  e.foot = bounces ? SPEED * (k_support - m) / (k_support + m) : 0;
  e.reaction = bounces ? 0 : SPEED * (m - k_support);
  // k_M W'^2 over the length, W = U+ + U- = -2 V + B cosh((L - x) / l)
  double s = 2 * LENGTH / e.wave;
  e.loss_volume = k_volume * e.b * e.b / e.wave * (sinh(s) / 4 - s / 4);
  double w = e.foot - SPEED;
  e.loss_surface = (k_support * w - e.reaction) * w / 2;
  return e;
}

static void line(pc_report *report)
{
  static const double support[2] = {2000, 500};
  static const char *const name[2] = {"bounces", "stays"};
  for (int i = 0; i < 2; i++) {
    continuum_trial t;
    fall(report, &t, 64, 500, support[i]);
    exact e = solve_by_hand(500, support[i]);
    const pc_continuum_account *a = &t.answer.account;
    double worst = t.solved ? 0 : NAN;
    for (int n = 0; n < t.answer.nodes; n++)
      worst = pc_worst(worst, fabs(t.answer.velocity[n] + SPEED -
                                   e.b * cosh((LENGTH - t.nodes.place[n][0]) / e.wave)));
    const char *oracle = "closed form of the bar on a rigid support, rho 1000, L 1, k_M 500, V 1";
    pc_report_derived(report, pc_report_name(report, "%s.foot", name[i]), "U+ at the support",
                      e.foot, continuum_velocity(&t, 0, 0, 0), "m/s", 1e-8, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.head", name[i]), "U+ at the free end",
                      e.b - SPEED, continuum_velocity(&t, LENGTH, 0, 0), "m/s", 1e-8, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.field", name[i]),
                      "largest error of U+ at a node", 0, worst, "m/s", 1e-8, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.reaction", name[i]),
                      "percussion of non-penetration", e.reaction, continuum_reaction(&t, 0),
                      "Pa s", 1e-5, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.volume", name[i]), "dissipated in the bar",
                      e.loss_volume, a->volume, "J/m2", 1e-6, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.surface", name[i]),
                      "dissipated at the support", e.loss_surface, a->surface + a->reactions,
                      "J/m2", 1e-5, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.loss", name[i]), "kinetic energy lost",
                      e.loss_volume + e.loss_surface, a->kinetic_before - a->kinetic_after, "J/m2",
                      1e-5, oracle);
    continuum_end(&t);
  }
}

static void give_truth(const void *context, const double x[2], double *value)
{
  const exact *e = context;
  value[0] = -SPEED + e->b * cosh((LENGTH - x[0]) / e->wave);
  value[1] = 0;
}

static void order(pc_report *report)
{
  exact e = solve_by_hand(20, 2000);
  double error[3];
  for (int i = 0; i < 3; i++) {
    continuum_trial t;
    fall(report, &t, 8 << i, 20, 2000);
    double distance[2];
    continuum_distance(&t, give_truth, &e, distance);
    error[i] = distance[0];
    continuum_end(&t);
  }
  for (int i = 0; i < 2; i++)
    pc_report_derived(report, pc_report_name(report, "order_%d", 16 << i),
                      "order of convergence of U+ in the mean square", 3,
                      log2(error[i] / error[i + 1]), "1", 0.15,
                      "quadratic elements, closed form with k_M 20");
}

// With growing k_M the bar becomes a rigid body of mass rho L: how far it is from it falls as 1 /
// k_M.
static void rigid(pc_report *report)
{
  static const double support[3] = {500, 1500, 4000};
  for (int i = 0; i < 3; i++) {
    double m = DENSITY * LENGTH, e = fmax(0, (support[i] - m) / (support[i] + m)), off[2];
    for (int k = 0; k < 2; k++) {
      continuum_trial t;
      fall(report, &t, 16, k == 0 ? 1e6 : 1e7, support[i]);
      double head = continuum_velocity(&t, LENGTH, 0, 0);
      off[k] = fabs(head - e);
      if (k == 1)
        pc_report_derived(report, pc_report_name(report, "k%g", support[i]), "U+ of the free end",
                          e, head, "m/s", 2e-4,
                          "a point of mass rho L: max(0, (k - m) / (k + m)); k_M 1e7");
      continuum_end(&t);
    }
    pc_report_derived(report, pc_report_name(report, "k%g.order", support[i]),
                      "order in 1 / k_M of the distance from it", 1, log10(off[0] / off[1]), "1",
                      0.01, "k_M 1e6 and 1e7");
  }
}

// 7.6.2: an inclined bar and its small rebounds.

// A bar with the data of the book falls on its rounded foot.
typedef struct fall_data {
  int along;      // cells
  double step;    // s
  double k_ls;    // kg/m2, on the length of the node that touches
  double along_k; // the same along the ground
  double k_M;     // kg/m
  double gravity; // m/s2
  bool is_thin;   // plane stress
} fall_data;

static const fall_data PRINTED = {.along = 32, .step = 2e-5, .k_ls = 8e6, .k_M = 1e5};

typedef struct inclined {
  continuum_trial trial;
  pc_continuum_motion *motion;
  bool good;
} inclined;

static void drop(pc_report *report, inclined *bar, const fall_data *d, double until)
{
  char gravity[60] = "";
  if (d->gravity > 0)
    snprintf(gravity, sizeof gravity, "gravity: [0, %.17g]\n", -d->gravity);
  bar->good = continuum_read(
      &bar->trial,
      "kind: continuum\n"
      "mesh: {bars: [{name: bar, length: 0.6, width: 0.012, angle: 54, cells: [%d, 4], "
      "sides: {foot: foot}}]}\n"
      "media: {bar: {density: 7877, viscosity: %.17g, young: 2.5e10, poisson: 0.3, thin: %s, "
      "velocity: [0, -1]}}\n"
      "contacts: [{sides: foot, normal: %.17g, tangential: %.17g}]\n"
      "duration: 1\n"
      "step: %.17g\n"
      "%s",
      d->along, d->k_M, d->is_thin ? "true" : "false", d->k_ls, d->along_k, d->step, gravity);
  bar->motion = bar->good ? pc_continuum_motion_create(bar->trial.scene.continuum, NULL) : NULL;
  bar->good = bar->motion != NULL;
  while (bar->good && pc_continuum_motion_state(bar->motion).time < until * (1 - 1e-9))
    bar->good = pc_continuum_motion_step(bar->motion, NULL) == PC_OK;
  pc_report_count(report, bar->good && pc_continuum_motion_balance(bar->motion).closed);
}

static void lift(inclined *bar)
{
  pc_continuum_motion_destroy(bar->motion);
  continuum_end(&bar->trial);
}

// Gained since it fell at 1 m/s. The nearest rigid motion has the same momentum.
static double momentum_of(const inclined *bar)
{
  const double pi = acos(-1), mass = 7877 * (0.588 * 0.012 + pi * 0.006 * 0.006);
  const double centre = 0.588 * cos(54 * pi / 180) / 2; // x of the centre of mass
  pc_continuum_balance balance = pc_continuum_motion_balance(bar->motion);
  return mass * (1 + balance.rigid[1] + balance.rigid[2] * centre);
}

// The lowest node of 32 or 64 cells, 4 across, has 1.714 mm. k_ls on a length in micrometres:
#define K_ON(UM) (8e6 * (UM)*1e-6 / 1.714e-3)

static const double END = 0.02; // s
static const char REBOUNDS[] = "collisions after the first, in 20 ms";

static double count_rebounds(const inclined *bar)
{
  return bar->good ? pc_continuum_motion_contact(bar->motion, 0).fresh - 1. : NAN;
}

static void incline(pc_report *report)
{
  inclined bar;
  drop(report, &bar, &PRINTED, 1e-4);
  double share = NAN; // of the kinetic energy, that is in no rigid motion
  if (bar.good) {
    pc_continuum_balance balance = pc_continuum_motion_balance(bar.motion);
    share = balance.deforming / balance.kinetic;
  }
  char note[160];
  snprintf(note, sizeof note,
           "figure 7.1; %.1f %% of the kinetic energy is in no rigid motion, 0.1 ms after",
           100 * share);
  pc_report_property(report, "first.contact",
                     "nodes that stay on the ground after the first collision",
                     bar.good ? pc_continuum_motion_contact(bar.motion, 0).closed : -1,
                     "\"contact is not maintained\"");
  pc_report_property(report, "first.rigid", "rigid velocities after the first collision",
                     !(share > 0.001), note);
  lift(&bar);

  // Small rebounds: the book says six and does not say on which length its k_ls acts.
  static const struct {
    const char *name;
    int along;
    double step, k_ls;
  } rows[] = {{"4um", 32, 2e-5, K_ON(4)},
              {"4um.step", 32, 1e-5, K_ON(4)},
              {"4um.mesh", 64, 2e-5, K_ON(4)},
              {"node", 32, 2e-5, 8e6}};
  for (int i = 0; i < 4; i++) {
    fall_data d = PRINTED;
    d.along = rows[i].along;
    d.step = rows[i].step;
    d.k_ls = rows[i].k_ls;
    drop(report, &bar, &d, END);
    const char *name = pc_report_name(report, "rebounds_%s", rows[i].name);
    double rebounds = count_rebounds(&bar);
    if (i < 3)
      pc_report_fitted(report, name, REBOUNDS, 6, 6, rebounds, "1", 0,
                       "k_ls acts on 4 micrometres, chosen since it gives six; 3.9 give nine, 5 "
                       "one");
    else
      pc_report_missed(report, name, REBOUNDS, 6, 6, rebounds, "1", 0,
                       "k_ls acts on the length of the node that touches, 1.7 mm: study.bar");
    if (i == 0)
      pc_report_derived(report, "momentum", "percussion of the ground",
                        bar.good ? pc_continuum_motion_contact(bar.motion, 0).percussion[0] : NAN,
                        bar.good ? momentum_of(&bar) : NAN, "N s/m", 2e-3,
                        "momentum that a bar of the exact shape gained");
    lift(&bar);
  }
}

const pc_case pc_cases_fremond_bar[] = {
    {"fremond.bar.line", BOOK "7.6.1, in one dimension", false, line},
    {"fremond.bar.order", BOOK "7.6.1, in one dimension", false, order},
    {"fremond.bar.rigid", BOOK "7.6.1 and 2.8.1", false, rigid},
    {"fremond.bar.inclined", BOOK "7.6.2", false, incline},
    {0},
};

// Why six rebounds do not follow from the printed numbers. 0: as in PRINTED.
typedef struct fall_change {
  const char *name, *changed;
  double length; // that k_ls acts on, micrometres
  double k_M, step, gravity;
  int along;
  bool is_thin, holds_along; // k_ls acts along the ground too
} fall_change;

static const fall_change changes[] = {
    {.name = "base", .changed = "nothing: k_ls on 1714 micrometres"},
    {.name = "length_100", .changed = "k_ls on 100 micrometres", .length = 100},
    {.name = "length_10", .changed = "k_ls on 10 micrometres", .length = 10},
    {.name = "length_5", .changed = "k_ls on 5 micrometres", .length = 5},
    {.name = "length_4_2", .changed = "k_ls on 4.2 micrometres", .length = 4.2},
    {.name = "length_4", .changed = "k_ls on 4 micrometres", .length = 4},
    {.name = "length_3_9", .changed = "k_ls on 3.9 micrometres", .length = 3.9},
    {.name = "length_3_5", .changed = "k_ls on 3.5 micrometres", .length = 3.5},
    {.name = "along", .changed = "k_ls also along the ground", .holds_along = true},
    {.name = "gravity", .changed = "gravity", .gravity = 9.81},
    {.name = "thin", .changed = "plane stress", .is_thin = true},
    {.name = "length_4_along",
     .changed = "4 micrometres, k_ls also along the ground",
     .length = 4,
     .holds_along = true},
    {.name = "length_4_gravity", .changed = "4 micrometres, gravity", .length = 4, .gravity = 9.81},
    {.name = "length_4_thin",
     .changed = "4 micrometres, plane stress",
     .length = 4,
     .is_thin = true},
    {.name = "volume_1e4", .changed = "k_M = 1e4 kg/m", .k_M = 1e4},
    {.name = "volume_2500", .changed = "k_M = 2500 kg/m", .k_M = 2500},
    {.name = "volume_2000", .changed = "k_M = 2000 kg/m", .k_M = 2000},
    {.name = "volume_1800", .changed = "k_M = 1800 kg/m", .k_M = 1800},
    {.name = "volume_1500", .changed = "k_M = 1500 kg/m", .k_M = 1500},
    {.name = "volume_1300", .changed = "k_M = 1300 kg/m", .k_M = 1300},
    {.name = "volume_1000", .changed = "k_M = 1000 kg/m", .k_M = 1000},
    {.name = "volume_2000_step",
     .changed = "k_M = 2000 kg/m, half the step",
     .k_M = 2000,
     .step = 1e-5},
    {.name = "volume_2000_mesh",
     .changed = "k_M = 2000 kg/m, half the elements' length",
     .k_M = 2000,
     .along = 64},
    {.name = "volume_2000_length",
     .changed = "k_M = 2000 kg/m, k_ls on 100 micrometres",
     .k_M = 2000,
     .length = 100},
    {.name = "volume_2000_gravity",
     .changed = "k_M = 2000 kg/m, gravity",
     .k_M = 2000,
     .gravity = 9.81},
    {.name = "volume_300_along",
     .changed = "k_M = 300 kg/m, k_ls also along the ground",
     .k_M = 300,
     .holds_along = true},
};

static void study(pc_report *report)
{
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    const fall_change *c = &changes[i];
    fall_data d = PRINTED;
    d.k_ls = c->length > 0 ? K_ON(c->length) : d.k_ls;
    d.along_k = c->holds_along ? d.k_ls : 0;
    d.k_M = c->k_M > 0 ? c->k_M : d.k_M;
    d.step = c->step > 0 ? c->step : d.step;
    d.along = c->along > 0 ? c->along : d.along;
    d.gravity = c->gravity;
    d.is_thin = c->is_thin;
    inclined bar;
    drop(report, &bar, &d, END);
    pc_report_varied(report, c->name, c->changed, REBOUNDS, 6, count_rebounds(&bar), "1", 0, NULL);
    lift(&bar);
  }
}

const pc_study pc_study_bar = {
    {"study.bar", BOOK "7.6.2", true, study},
    "The printed k_M accounts for it, more than the length that k_ls acts on. With k_M = 1e5 kg/m "
    "the collision spreads over 5 m, eight times the bar: it leaves nearly rigid velocities and no "
    "vibration that could bring the tip back. Then only a rebound that is slow itself gives small "
    "rebounds, and six of them need k_ls on 4.0 micrometres, within 0.1: the effective mass of the "
    "tip, 27.9 kg/m, is k_ls on 3.5 micrometres. With k_M fifty times smaller the velocities after "
    "the first collision are far from rigid ones, as figure 7.1 draws them, the bar vibrates, and "
    "the tip comes back 4 to 8 times for every k_M from 1300 to 2500 kg/m, with k_ls on the length "
    "of a node or on a seventeenth of it, with and without gravity; half the step or half the "
    "elements change nothing. The formula has k_ls on the tangential velocity too; it then takes "
    "k_M of about 300 kg/m. So the six rebounds are a property of the theory, but not of "
    "the printed k_M. Which k_M the figure has is not known; rows and scene keep the printed one."};
