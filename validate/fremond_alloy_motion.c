// Frémond's book, 10.11.3: a struck alloy in time.
//
// The book does not give the smooth law's numbers. Those of set A were fixed before anything was
// compared: tau of the size of the stress that turns martensites of Ni-Ti (-5 MPa/K, T_c = 1.2 T0:
// 0.5 GPa at 300 K), fractions that turn in a millisecond under it (c = 2e4 J s/m3), the spread of
// the collision, 100 W/(m2 K) on the mantle of a rod of 0.1 m x 0.1 m. Set B, -10 MPa/K and 5e4 J
// s/m3, came after A had shown where the heat of the waves goes.
#include <math.h>
#include <stdio.h>

#include "continuum_trial.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

static const double T0 = 332.75, YOUNG = 47e9, DENSITY = 6500, LENGTH = 10;
static const double ROD_BLOW = 20e6, SQUARE_BLOW = 35e6; // Pa s

typedef struct law {
  double slope, resist; // 0: an elastic solid of one phase
  double critical;      // T_c / T0
  double conductivity;  // W/(m K)
  double convection;    // of that of the rod and the square, at their surfaces
} law;
static const law ELASTIC = {0}, SET_A = {-5e6, 2e4, 1.2, 18, 1}, SET_B = {-10e6, 5e4, 1.2, 18, 1};

// A solid that is struck, then vibrates.
typedef struct blow {
  continuum_trial trial;
  pc_continuum_motion *motion;
} blow;

// `shape` has the mesh, what is held and the blow; `spread` is k and upsilon of the collision.
static void strike(pc_report *report, blow *b, const char *shape, double viscosity, double spread,
                   double convection, const law *phases, double step)
{
  char phase[400] = "";
  if (phases->slope != 0)
    snprintf(phase, sizeof phase,
             ", phase: {kind: alloy, latent: 80e6, at: 332.75, resistance: 4e6, spread: %g, "
             "spread_change: %g}, later: {conductivity: %g, convection: %g, outside: %.17g, "
             "slope: %g, critical: %.17g, resistance: %g}",
             spread, spread, phases->conductivity, convection * phases->convection, 0.9 * T0,
             phases->slope, phases->critical * T0, phases->resist);
  bool good = continuum_read(&b->trial,
                             "kind: continuum\n"
                             "%s"
                             "media: {solid: {density: 6500, viscosity: %g, young: 47e9, "
                             "poisson: 0.3, heat: {capacity: 5.4e6, conductivity: 18, "
                             "temperature: %.17g%s}}}\n"
                             "duration: 1\n"
                             "step: %g\n",
                             shape, viscosity, 0.9 * T0, phase, step);
  b->motion = good ? pc_continuum_motion_create(b->trial.scene.continuum, NULL) : NULL;
  pc_report_count(report, b->motion != NULL);
}

static void strike_rod(pc_report *report, blow *b, int cells, const law *phases, double percussion,
                       double step)
{
  char shape[300];
  snprintf(shape, sizeof shape,
           "mesh: {lines: [{name: solid, from: 0, to: 10, cells: %d, left: clamp, right: end}]}\n"
           "hold: [{sides: clamp}]\n"
           "pushes: [{sides: end, percussion: [%.17g]}]\n",
           cells, -percussion);
  strike(report, b, shape, 4e5, 5e6, 100 * 4 / 0.1, phases, step);
}

// The book's convection is at the surface of the square; nothing of it reaches the inside in time.
static void strike_square(pc_report *report, blow *b, const law *phases, double percussion,
                          double step)
{
  char shape[500];
  snprintf(shape, sizeof shape,
           "mesh:\n"
           "  rectangles: [{name: solid, x: [0, 1], y: [0, 1], cells: [6, 6], "
           "sides: {bottom: clamp, top: top}}]\n"
           "  parts: [{of: top, name: blow, x: [%.17g, %.17g]}]\n"
           "hold: [{sides: clamp}]\n"
           "pushes: [{sides: blow, percussion: [%.17g, %.17g]}]\n",
           1.0 / 3, 2.0 / 3, percussion * sqrt(3) / 2, -percussion / 2);
  strike(report, b, shape, 5e5, 5e5, phases->convection > 1 ? 100 * 4 : 0, phases, step);
}

static void end_blow(blow *b)
{
  pc_continuum_motion_destroy(b->motion);
  continuum_end(&b->trial);
}

// What is seen of a point: the first maximum of its way in the direction of the blow, the largest
// way after `late`, mean fractions at the beginning and the end, the least of austenite.
typedef struct course {
  double first, first_time, late;
  double austenite[2], least;
  pc_continuum_balance balance;
  bool good;
} course;

static course follow(pc_report *report, const blow *b, int number, double sign, double time,
                     double late)
{
  course c = {.good = b->motion != NULL, .least = INFINITY};
  double before = 0;
  bool found = false;
  while (c.good) {
    pc_continuum_state s = pc_continuum_motion_state(b->motion);
    double u = sign * s.displacement[number], austenite = s.fraction_mean[2];
    if (s.steps == 0)
      c.austenite[0] = austenite;
    c.austenite[1] = austenite;
    c.least = fmin(c.least, austenite);
    found = found || u < before; // it turns back
    if (!found) {
      c.first = u;
      c.first_time = s.time;
    }
    before = u;
    if (s.time >= late)
      c.late = fmax(c.late, fabs(u));
    if (s.time >= time)
      break;
    c.good = pc_continuum_motion_step(b->motion, NULL) == PC_OK;
  }
  if (b->motion != NULL)
    c.balance = pc_continuum_motion_balance(b->motion);
  c.good = c.good && c.balance.closed;
  pc_report_count(report, c.good);
  if (!c.good)
    c.first = c.first_time = c.late = c.least = c.austenite[1] = NAN;
  return c;
}

// The rod.

static void elastic(pc_report *report)
{
  blow b;
  strike_rod(report, &b, 100, &ELASTIC, ROD_BLOW, 1e-5);
  course c = follow(report, &b, continuum_node(&b.trial, LENGTH, 0), -1, 5e-3, 0);
  double wave = sqrt(YOUNG / DENSITY), l = sqrt(0.8e6 / DENSITY);
  const char *oracle = "u = (G / (rho c)) (1 - sech(L / l)) at L / c, by the modal series; k_v 0.8";
  pc_report_derived(report, "first", "first maximum of the displacement of the end",
                    20e6 / (DENSITY * wave) * (1 - 1 / cosh(LENGTH / l)), c.first, "m", 1e-4,
                    oracle);
  pc_report_derived(report, "time", "time of that maximum", LENGTH / wave, c.first_time, "s",
                    1.5e-5, oracle);
  end_blow(&b);
}

static void rod(pc_report *report)
{
  const double period = 4 * LENGTH / sqrt(YOUNG / DENSITY);
  enum { LAWS = 3 };
  const law *laws[LAWS] = {&ELASTIC, &SET_A, &SET_B};
  course c[LAWS];
  for (int i = 0; i < LAWS; i++) {
    blow b;
    strike_rod(report, &b, 30, laws[i], ROD_BLOW, 1e-4);
    c[i] = follow(report, &b, continuum_node(&b.trial, LENGTH, 0), -1, 4 * period, 3 * period);
    end_blow(&b);
  }
  int low = 0, free_ = 0, entropy = 0, open = 0;
  for (int i = 1; i < LAWS; i++) {
    low += !(c[i].first > c[0].first);
    free_ += !(c[i].late < 0.2 * c[0].late);
    entropy += !(c[i].balance.produced_least >= 0);
    open += !(c[i].balance.identity <= 1e-9);
  }
  pc_report_property(report, "larger",
                     "alloys whose first maximum is not larger than the elastic one", low,
                     "10.11.3, figure 10.5; sets A and B");
  pc_report_untestable(report, "first", "first maximum over the elastic one", NAN,
                       c[1].first / c[0].first, "1",
                       "'slightly larger'; the book gives neither the law's numbers nor the ratio; "
                       "set A");
  pc_report_property(
      report, "damped",
      "alloys that still reach a fifth of the elastic displacement in the fourth period", free_,
      "10.11.3, figure 10.5: strongly damped; sets A and B");
  pc_report_untestable(report, "late",
                       "largest displacement in the fourth period over the elastic one", NAN,
                       c[1].late / c[0].late, "1", "set A; the book gives no number");
  pc_report_property(report, "compressed", "austenite that compression leaves: half or more",
                     !(c[1].least < 0.5 * c[1].austenite[0]),
                     "10.11.3: austenite returns to martensite; set A, first half period");
  pc_report_missed(
      report, "austenite_a", "mean austenite after four periods over that of the blow", NAN, 0,
      c[1].austenite[1] / c[1].austenite[0], "1", 0.5,
      "the book says that it goes; half is ours, as in 'compressed'. Set A: it comes back, for the "
      "waves become 39 MJ/m3 of heat, 19 MJ/m3 more than T0 takes, and convection takes minutes: "
      "study.austenite");
  pc_report_property(report, "austenite_b", "mean austenite that does not fall",
                     !(c[2].austenite[1] < c[2].austenite[0]),
                     "10.11.3: austenite returns to martensite; set B, four periods");
  pc_report_property(report, "entropy", "alloys with a step of negative entropy production",
                     entropy, "second law, sets A and B");
  pc_report_property(report, "energy", "alloys whose energy is not conserved", open,
                     "kinetic, elastic, coupled and thermal, to 1e-9, sets A and B");
}

// The square.

static void square(pc_report *report)
{
  const law *laws[2] = {&ELASTIC, &SET_A};
  course c[2];
  for (int i = 0; i < 2; i++) {
    blow b;
    strike_square(report, &b, laws[i], SQUARE_BLOW, 2e-5);
    int top = 2 * continuum_node(&b.trial, 0.5, 1);
    c[i] = follow(report, &b, top, 1, 14e-3, 10.5e-3);
    end_blow(&b);
  }
  pc_report_untestable(report, "first", "first maximum over the elastic one", NAN,
                       c[1].first / c[0].first, "1", "set A; the book shows pictures only");
  pc_report_untestable(report, "late",
                       "largest displacement in the fourth period over the elastic one", NAN,
                       c[1].late / c[0].late, "1", "set A; the book shows pictures only");
  pc_report_missed(report, "austenite", "mean austenite after four periods over that of the blow",
                   NAN, 0, c[1].austenite[1] / c[1].austenite[0], "1", 0.5,
                   "the book says that it goes. The blow leaves 356 MJ/m3 on average, more than "
                   "martensite can hold (180): austenite grows, study.austenite");
  pc_report_property(report, "damped", "the alloy swings as far as the elastic solid",
                     !(c[1].late < c[0].late), "10.11.3, the square, 35 MPa s; set A");
  pc_report_property(report, "energy", "the energy is not conserved",
                     !(c[1].balance.identity <= 1e-9),
                     "to 1e-9; temperatures on both sides of T_c");
  pc_report_property(report, "entropy", "the entropy production is negative",
                     !(c[1].balance.produced >= 0), "second law");
}

const pc_case pc_cases_fremond_alloy_motion[] = {
    {"fremond.alloy.motion_elastic", BOOK "10.11.3", false, elastic},
    {"fremond.alloy.motion_rod", BOOK "10.11.3", false, rod},
    {"fremond.alloy.motion_square", BOOK "10.11.3", true, square},
    {0},
};

// Why austenite stays.

typedef struct alloy_change {
  const char *name, *changed;
  law phases;
  double percussion; // Pa s
  int cells;
  double step, periods;
} alloy_change;

static const alloy_change rod_changes[] = {
    {"base", "nothing: rod, set A", {-5e6, 2e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"mesh", "half the elements and half the steps", {-5e6, 2e4, 1.2, 18, 1}, 20e6, 60, 5e-5, 4},
    {"half", "after half a period", {-5e6, 2e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 0.5},
    {"long", "after twelve periods", {-5e6, 2e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 12},
    {"slope_10", "-10 MPa/K", {-10e6, 2e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"slope_10_long",
     "-10 MPa/K, after twelve periods",
     {-10e6, 2e4, 1.2, 18, 1},
     20e6,
     30,
     1e-4,
     12},
    {"slope_7", "-7 MPa/K", {-7e6, 2e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"slope_20", "-20 MPa/K", {-20e6, 2e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"fast", "c = 5e3 J s/m3", {-5e6, 5e3, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"slow", "c = 5e4 J s/m3", {-5e6, 5e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"slower", "c = 2e5 J s/m3", {-5e6, 2e5, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"set_b", "set B: -10 MPa/K, c = 5e4 J s/m3", {-10e6, 5e4, 1.2, 18, 1}, 20e6, 30, 1e-4, 4},
    {"critical", "T_c = 1.4 T0", {-5e6, 2e4, 1.4, 18, 1}, 20e6, 30, 1e-4, 4},
    {"conducts", "heat that spreads over the rod", {-5e6, 2e4, 1.2, 1e11, 1}, 20e6, 30, 1e-4, 4},
    {"cools_1e3", "1000 times the convection", {-5e6, 2e4, 1.2, 18, 1e3}, 20e6, 30, 1e-4, 4},
    {"cools_1e4", "1e4 times the convection", {-5e6, 2e4, 1.2, 18, 1e4}, 20e6, 30, 1e-4, 4},
    {"cools_1e5", "1e5 times the convection", {-5e6, 2e4, 1.2, 18, 1e5}, 20e6, 30, 1e-4, 4},
};
static const alloy_change square_changes[] = {
    {"square", "square, set A", {-5e6, 2e4, 1.2, 18, 1}, 35e6, 0, 2e-5, 4},
    {"square_set_b", "square, set B", {-10e6, 5e4, 1.2, 18, 1}, 35e6, 0, 2e-5, 4},
    {"square_slope_10", "square, -10 MPa/K", {-10e6, 2e4, 1.2, 18, 1}, 35e6, 0, 2e-5, 4},
    {"square_slope_20", "square, -20 MPa/K", {-20e6, 2e4, 1.2, 18, 1}, 35e6, 0, 2e-5, 4},
    {"square_slope_20_critical",
     "square, -20 MPa/K, T_c = 1.4 T0",
     {-20e6, 2e4, 1.4, 18, 1},
     35e6,
     0,
     2e-5,
     4},
    {"square_slope_20_critical_fast",
     "square, -20 MPa/K, T_c = 1.4 T0, c = 5e3 J s/m3",
     {-20e6, 5e3, 1.4, 18, 1},
     35e6,
     0,
     2e-5,
     4},
    {"square_20", "square, 20 MPa s", {-5e6, 2e4, 1.2, 18, 1}, 20e6, 0, 2e-5, 4},
    {"square_cools_1e7",
     "square, 1e7 times the convection",
     {-5e6, 2e4, 1.2, 18, 1e7},
     35e6,
     0,
     2e-5,
     4},
};

static void report_change(pc_report *report, const alloy_change *c, const course *way)
{
  char note[140];
  snprintf(
      note, sizeof note,
      "%.4f after the blow, at least %.4f, %.4f at the end; displacement to %.2f m in the last "
      "period",
      way->austenite[0], way->least, way->austenite[1], way->late);
  pc_report_varied(report, c->name, c->changed,
                   "mean austenite at the end over that of the blow; criterion: 0.5", NAN,
                   way->austenite[1] / way->austenite[0], "1", 0, note);
}

static void study(pc_report *report)
{
  blow b;
  const double period = 4 * LENGTH / sqrt(YOUNG / DENSITY);
  for (size_t i = 0; i < sizeof rod_changes / sizeof *rod_changes; i++) {
    const alloy_change *c = &rod_changes[i];
    strike_rod(report, &b, c->cells, &c->phases, c->percussion, c->step);
    course way = follow(report, &b, continuum_node(&b.trial, LENGTH, 0), -1, c->periods * period,
                        (c->periods - 1) * period);
    end_blow(&b);
    report_change(report, c, &way);
  }
  for (size_t i = 0; i < sizeof square_changes / sizeof *square_changes; i++) {
    const alloy_change *c = &square_changes[i];
    strike_square(report, &b, &c->phases, c->percussion, c->step);
    course way = follow(report, &b, 2 * continuum_node(&b.trial, 0.5, 1), 1, c->periods * 3.5e-3,
                        (c->periods - 1) * 3.5e-3);
    end_blow(&b);
    report_change(report, c, &way);
  }
}

const pc_study pc_study_austenite = {
    {"study.austenite", BOOK "10.11.3", true, study},
    "The numbers of the smooth law, which the book leaves to its references, account for it in the "
    "rod. What decides is up to which temperature martensite that is oriented by the stress is "
    "stable: it gains tau(T)^2 / (2 E) by its own strain, which raises the temperature of the "
    "change "
    "by 5 K for -5 MPa/K and by 20 K for -10 MPa/K. The blow leaves the struck end 10 K above T0, "
    "and the waves, when they have died, warm the rod by 7 K more. So the austenite of set A comes "
    "back, and with -10 MPa/K it goes within four periods to a ten-thousandth of that of the blow "
    "and "
    "stays away. But this rod keeps its martensite oriented: its end stays 0.2 m from its place, "
    "which figure 10.5 is not said to show. With -20 MPa/K some has come back after four periods. "
    "How fast fractions turn (c), T_c, mesh and time matter less, and heat that spreads along the "
    "rod "
    "does not help, because all of it is above T0 in the end. The convection of the book takes it "
    "away within ten minutes: 1e4 times the convection in four periods. In the square the blow "
    "leaves 356 MJ/m3 on average, twice what martensite holds below T0. With -20 MPa/K and T_c = "
    "1.4 "
    "T0 austenite falls to 0.29 of that of the blow, not to nothing; cooling, for a day, takes "
    "all. So "
    "the rod is a matter of numbers that are not printed, and that austenite of the square goes "
    "back "
    "to nothing while it vibrates remains unexplained. The rows keep set A, which was fixed before "
    "anything was compared."};
