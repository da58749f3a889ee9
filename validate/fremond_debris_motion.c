// Frémond's book, 9.4: the collision of a debris flow with a wall in the smooth theory, in time.
#include <math.h>
#include <stdio.h>

#include "continuum_trial.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

static const double PI = 3.14159265358979323846;
static const double DENSITY = 1000, SPEED = 15, HEIGHT = 1; // of the flow
static const double SOUND = 1500;                           // m/s; not printed

// A flow 3 m long strikes an elastic wall, or without `young` a rigid one that it is tied to.
typedef struct strike {
  double young;
  int cells;   // along the height of the flow
  double step; // s
  double until;
} strike;

// What the wall gets until the contact first ends, and until stated times.
enum { TIMES = 4 };
typedef struct blow {
  double impulse, end; // N s/m, s
  double highest;      // force, N/m
  double at[TIMES];    // impulses at `time`
  double balance;
} blow;

static bool read_strike(continuum_trial *t, const strike *s)
{
  int n = s->cells;
  double gap = SPEED * s->step / 2; // half a step before the wall
  char mesh[200] = "", medium[100] = "";
  const char *contact = "bodies: [{name: rock, mass: 1, size: [1, 4], centre: [3.5, 0], held: [x, "
                        "y, spin]}]\n"
                        "contacts: [{sides: front, with: rock, condition: bilateral}]\n"
                        "hold: [{sides: bed, components: [y]}]\n";
  if (s->young > 0) {
    snprintf(mesh, sizeof mesh,
             ", {name: wall, x: [3, 3.8], y: [0, 1.5], cells: [%d, %d], "
             "sides: {bottom: soil, left: face}}",
             n * 7 / 12, n * 3 / 2);
    snprintf(medium, sizeof medium, ", wall: {density: 2500, young: %.17g, poisson: 0.2}",
             s->young);
    contact = "contacts: [{sides: front, with: face}]\n"
              "hold: [{sides: bed, components: [y]}, {sides: soil}]\n";
  }
  return continuum_read(
      t,
      "kind: continuum\n"
      "mesh: {order: 1, rectangles: [{name: flow, x: [%.17g, %.17g], y: [0, %g], cells: [%d, %d], "
      "grade: [0.3, 1], sides: {bottom: bed, right: front}}%s]}\n"
      "media: {flow: {density: %g, bulk: %.17g, velocity: [%g, 0]}%s}\n"
      "%s"
      "duration: %.17g\nstep: %.17g\n",
      -gap, 3 - gap, HEIGHT, n * 3 / 2, n, mesh, DENSITY, DENSITY * SOUND * SOUND, SPEED, medium,
      contact, s->until, s->step);
}

static blow let_strike(const strike *s, const double time[TIMES])
{
  continuum_trial t;
  bool read = read_strike(&t, s);
  pc_continuum_motion *motion =
      read ? pc_continuum_motion_create(t.scene.continuum, NULL) : (pc_continuum_motion *)NULL;
  bool good = motion != NULL, over = false;
  blow found = {0};
  double last = 0;
  for (int i = 1; i <= lround(s->until / s->step) && good; i++) {
    good = pc_continuum_motion_step(motion, NULL) == PC_OK;
    double now = pc_continuum_motion_contact(motion, 0).percussion[0];
    pc_continuum_balance balance = pc_continuum_motion_balance(motion);
    good = good && balance.closed;
    found.balance = fmax(found.balance, balance.identity);
    found.highest = fmax(found.highest, (now - last) / s->step);
    over = over || (last > 0 && now <= last);
    if (!over) {
      found.impulse = now;
      found.end = i * s->step;
    }
    for (int k = 0; k < TIMES && time != NULL; k++)
      if (i == lround(time[k] / s->step))
        found.at[k] = now;
    last = now;
  }
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  if (!good)
    found = (blow){NAN, NAN, NAN, {NAN, NAN, NAN, NAN}, NAN};
  return found;
}

static double bessel(double x)
{
  enum { POINTS = 200 };
  double sum = 0;
  for (int i = 0; i < POINTS; i++)
    sum += cos(x * sin(PI * (i + 0.5) / POINTS));
  return sum / POINTS;
}

// The force on a rigid wall that the flow does not leave, a sum over the modes of a layer whose
// surface is free: rho c U h sum 8 / (pi m)^2 J_0(pi m c t / 2 h), m = 1, 3, 5, ... Until c t = 2 h
// it is rho c U (h - 2 c t / pi).
static double force_at(double time)
{
  double sum = 0;
  for (int m = 1; m < 80; m += 2)
    sum += 8 / (PI * PI * m * m) * bessel(PI / 2 * m * SOUND * time / HEIGHT);
  return DENSITY * SOUND * SPEED * HEIGHT * sum;
}

static double impulse_at(double time)
{
  enum { POINTS = 100 };
  double sum = 0;
  for (int i = 0; i < POINTS; i++)
    sum += force_at(time * (i + 0.5) / POINTS);
  return sum / POINTS * time;
}

static void rigid(pc_report *report)
{
  static const char *const name[TIMES] = {"half", "one", "end", "three"};
  static const char *const when[TIMES] = {"c t = h / 2", "c t = h", "c t = pi h / 2", "c t = 3 h"};
  double passed[TIMES] = {0.5, 1, PI / 2, 3}, time[TIMES];
  for (int k = 0; k < TIMES; k++)
    time[k] = passed[k] * HEIGHT / SOUND;
  strike s = {.cells = 24, .step = time[2] / 60, .until = 2.1e-3};
  for (int k = 0; k < TIMES; k++) // at the ends of steps
    time[k] = round(time[k] / s.step) * s.step;
  blow found = let_strike(&s, time);
  for (int k = 0; k < TIMES; k++) {
    double expected = impulse_at(time[k] - s.step / 2); // since they met
    pc_report_derived(
        report, name[k], pc_report_name(report, "impulse on a rigid wall until %s", when[k]),
        expected, found.at[k], "N s/m", 0.01 * expected, "modes of a layer of fluid, J_0 in time");
  }
  pc_report_derived(report, "duration", "time until the force on a rigid wall vanishes",
                    1e3 * PI * HEIGHT / (2 * SOUND), 1e3 * (found.end - s.step / 2), "ms", 0.04,
                    "pi h / 2 c: until c t = 2 h the force is rho c U (h - 2 c t / pi)");
  pc_report_self_check(report, "balance", "largest error of the energy balance", 0, found.balance,
                       "1", 1e-9, "kinetic and elastic energy, relative");
}

// Printed: 8.5 and 7.5 MPa m ms. Which datum accounts for the difference: docs/continuum.md.
static void walls(pc_report *report)
{
  static const double young[3] = {2e11, 2e10, 2e9}, book[3] = {8500, 0, 7500};
  static const char *const name[3] = {"wall_2e11", "wall_2e10", "wall_2e9"};
  const char *note = "half a unit of the printed digit; the end of the collision is when the flow "
                     "has left the wall. The bulk modulus (2.25 GPa) and Poisson's ratio (0.2) are "
                     "not printed, nor is the time until which the force is summed";
  strike s = {.cells = 24, .step = 20e-6, .until = 2e-3};
  blow found[3];
  double balance = 0;
  for (int i = 0; i < 3; i++) {
    s.young = young[i];
    found[i] = let_strike(&s, NULL);
    balance = fmax(balance, found[i].balance);
    if (book[i] > 0)
      pc_report_missed(report, pc_report_name(report, "%s.book", name[i]),
                       "impulse of the smooth theory", book[i], book[i], found[i].impulse, "N s/m",
                       50, note);
  }
  strike fine = {.young = 2e11, .cells = 36, .step = 40e-6 / 3, .until = 1.6e-3};
  pc_report_self_check(report, "refined", "impulse for 2e11 Pa, 36 cells along the height",
                       found[0].impulse, let_strike(&fine, NULL).impulse, "N s/m",
                       0.01 * found[0].impulse, "24 cells and longer steps");
  pc_report_property(report, "trend", "steps to a softer wall that do not lower the highest force",
                     !(found[0].highest > found[1].highest) +
                         !(found[1].highest > found[2].highest),
                     "figure 9.25: three moduli; 2e10 Pa is ours");
  pc_report_property(report, "softer", "walls of 2e9 Pa that do not get less than those of 2e11",
                     !(found[2].impulse < found[0].impulse), "(9.45)");
  pc_report_self_check(report, "balance", "largest error of the energy balance", 0, balance, "1",
                       1e-9, "kinetic and elastic energy, relative");
}

const pc_case pc_cases_fremond_debris_motion[] = {
    {"fremond.debris.smooth.rigid", BOOK "9.4, figure 9.25", false, rigid},
    {"fremond.debris.smooth", BOOK "9.4, figure 9.25", true, walls},
    {0},
};
