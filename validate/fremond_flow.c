// Fluids in motion: Fremond's book, 8.2, whose equations it does not solve. Oracles are linear
// waves and weights.
#include <math.h>

#include "continuum_trial.h"
#include "report.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

// A tank of 1 m x 0.5 m under a gravity that is turned by `turn`, in steps of 20 ms.
typedef struct tank {
  continuum_trial trial;
  pc_continuum_motion *motion;
} tank;

static bool fill(tank *t, int columns, double turn)
{
  bool read =
      continuum_read(&t->trial,
                     "kind: continuum\n"
                     "mesh: {rectangles: [{name: water, x: [0, 1], y: [0, 0.5], cells: [%d, "
                     "%d], sides: {bottom: floor, left: west, right: east}}]}\n"
                     "media: {water: {fluid: true, density: 1000}}\n"
                     "contacts: [{sides: floor}, {sides: west}, {sides: east}]\n"
                     "gravity: [%.17g, -9.81]\n"
                     "duration: 2\n"
                     "step: 0.02\n",
                     columns, columns / 2, 9.81 * turn);
  t->motion = read ? pc_continuum_motion_create(t->trial.scene.continuum, NULL) : NULL;
  return t->motion != NULL;
}

static void empty(tank *t)
{
  pc_continuum_motion_destroy(t->motion);
  continuum_end(&t->trial);
}

// The part of the first mode, cos(pi x), in the level of the surface; with `slope` of a level that
// rises by it. All by Simpson's rule over the elements of the surface.
static double first_mode(const tank *t, int columns, double slope)
{
  const double pi = acos(-1);
  pc_continuum_state state = pc_continuum_motion_state(t->motion);
  double sum = 0;
  for (int i = 0; i <= 2 * columns; i++) {
    double x = i / (2. * columns), weight = i == 0 || i == 2 * columns ? 1 : i % 2 == 1 ? 4 : 2;
    int node = continuum_node(&t->trial, x, 0.5);
    double level = slope != 0 ? slope * (x - 0.5) : state.displacement[2 * node + 1];
    sum += weight / (6 * columns) * 2 * cos(pi * x) * level;
  }
  return sum;
}

// Gravity turns by 0.001: the surface swings about its new level, a (1 - cos omega t) in each mode.
static void wave(pc_report *report)
{
  enum { COLUMNS = 8 };
  const double pi = acos(-1), turn = 1e-3;
  const double omega = sqrt(9.81 * pi * tanh(pi / 2));
  tank t;
  double crossing[4], last = -1, most = NAN, period = NAN;
  int crossings = 0;
  bool good = fill(&t, COLUMNS, turn);
  if (good)
    most = 0;
  double rest = good ? first_mode(&t, COLUMNS, turn) : NAN;
  for (int i = 1; good && crossings < 3 && i < 100; i++) {
    good = pc_continuum_motion_step(t.motion, NULL) == PC_OK;
    double now = good ? first_mode(&t, COLUMNS, 0) / rest - 1 : NAN;
    if (last * now < 0)
      crossing[crossings++] = 0.02 * (i - 1 + last / (last - now));
    most = fmax(most, now);
    last = now;
  }
  if (crossings == 3)
    period = crossing[2] - crossing[0];
  pc_report_count(report, good && pc_continuum_motion_balance(t.motion).closed);
  pc_report_derived(report, "frequency", "first mode of a tank of 1 m x 0.5 m", omega,
                    2 * pi / period, "1/s", 0.01 * omega,
                    "linear waves: sqrt(g k tanh(k H)), k = pi / L; 8 x 4 elements");
  pc_report_derived(report, "swing", "how far it goes beyond its level of rest, over that", 1, most,
                    "1", 0.01, "linear waves without viscosity");
  empty(&t);
}

static void weight(pc_report *report)
{
  tank t;
  bool good = fill(&t, 4, 0);
  for (int i = 0; good && i < 5; i++)
    good = pc_continuum_motion_step(t.motion, NULL) == PC_OK;
  double fastest = NAN, floor = NAN, wall = NAN;
  if (good) {
    pc_continuum_state state = pc_continuum_motion_state(t.motion);
    fastest = 0;
    for (int i = 0; i < 2 * t.trial.nodes.count; i++)
      fastest = fmax(fastest, fabs(state.velocity[i]));
    floor = pc_continuum_motion_contact(t.motion, 0).percussion[0];
    wall = pc_continuum_motion_contact(t.motion, 1).percussion[0];
  }
  pc_report_count(report, good && pc_continuum_motion_balance(t.motion).closed);
  pc_report_derived(report, "floor", "impulse of still water on the floor in 0.1 s", 490.5, floor,
                    "N s/m", 1e-6, "its weight");
  pc_report_derived(report, "wall", "on a wall", 0.1 * 9810 * 0.125, wall, "N s/m", 1e-6,
                    "rho g H^2 / 2");
  pc_report_derived(report, "rest", "largest velocity", 0, fastest, "m/s", 1e-12,
                    "still water stays still");
  empty(&t);
}

// The belly flop of 8.5 on a coarse mesh, then 0.1 s of the pool.
static void dive(pc_report *report)
{
  tank t;
  bool good = continuum_read(
      &t.trial, "kind: continuum\n"
                "mesh: {rectangles: [{name: water, x: [-1, 1], y: [-1, 0], cells: [16, 6], grade: "
                "[1, 0.4], sides: {bottom: floor, left: west, right: east, top: surface}}], parts: "
                "[{of: surface, name: diver, x: [-0.5, 0.5]}]}\n"
                "media: {water: {fluid: true, density: 1000, viscosity: 0.25, dynamic_viscosity: "
                "0.5}}\n"
                "bodies: [{name: diver, mass: 100, inertia: 8.333, velocity: [0, -4.47]}]\n"
                "contacts: [{sides: diver, with: diver, normal: 1, tangential: 1}, {sides: floor, "
                "tangential: 1}, {sides: west, tangential: 1}, {sides: east, tangential: 1}]\n"
                "gravity: [0, -10]\nduration: 1\nstep: 1e-6\nrest: 0.3\n");
  t.motion = good ? pc_continuum_motion_create(t.trial.scene.continuum, NULL) : NULL;
  good = t.motion != NULL && pc_continuum_motion_step(t.motion, NULL) == PC_OK;
  double velocity = good ? pc_continuum_motion_body(t.motion, 0).velocity[1] : NAN;
  pc_report_count(report, good && pc_continuum_motion_balance(t.motion).closed);
  pc_report_derived(report, "diver", "velocity of the diver a microsecond after the blow", -0.7474,
                    velocity, "m/s", 5e-3,
                    "independent finite elements, of the collision alone; cells of 0.125 m here");
  empty(&t);
}

const pc_case pc_cases_fremond_flow[] = {
    {"fremond.flow.wave", BOOK "8.2, (8.18) to (8.22) and 8.3.3", false, wave},
    {"fremond.flow.weight", BOOK "8.2, (8.18) to (8.22)", false, weight},
    {"fremond.flow.diver", BOOK "8.5, in time", false, dive},
    {0},
};
