// Solids of large rotations, against rigid bodies and beams in closed form.
#include <math.h>

#include "continuum_trial.h"
#include "percuss/rotation.h"

static const double PI = 3.14159265358979323846;

// The motion of a scene whose text is in the trial; NULL if it cannot be.
static pc_continuum_motion *begin(const continuum_trial *t, bool read)
{
  return read ? pc_continuum_motion_create(t->scene.continuum, NULL) : (pc_continuum_motion *)NULL;
}

static bool is_finite_step(pc_continuum_motion *motion, double *balance)
{
  if (motion == NULL || pc_continuum_motion_step(motion, NULL) != PC_OK)
    return false;
  *balance = fmax(*balance, pc_continuum_motion_balance(motion).identity);
  return true;
}

// The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
static double elliptic(double modulus)
{
  double a = 1, b = sqrt(1 - modulus * modulus);
  for (int i = 0; i < 30; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return PI / (2 * a);
}

// A stiff bar of 1 m x 0.1 m on a hinge at its corner, let go at rest at an angle from where it
// hangs: when it rests on the other side.
static double half_period(double angle)
{
  const double g = 9.81, step = 5e-3, lean = atan2(0.1, 1);
  continuum_trial t;
  bool read =
      continuum_read(&t,
                     "kind: continuum\n"
                     "mesh: {rectangles: [{name: bar, x: [0, 1], y: [0, 0.1], cells: [4, 1]}]}\n"
                     "media: {bar: {density: 1000, young: 1e12, poisson: 0.3}}\n"
                     "hold: [{point: [0, 0]}]\ndeformation: large\n"
                     "gravity: [%.17g, %.17g]\nduration: 10\nstep: %.17g\n",
                     g * cos(lean - angle), g * sin(lean - angle), step);
  pc_continuum_motion *motion = begin(&t, read);
  double last = 0, now = 0, time = NAN, balance = 0;
  for (int i = 1; i < 2000 && is_finite_step(motion, &balance); i++) {
    last = now;
    now = pc_continuum_motion_balance(motion).rigid[2]; // the spin
    if (last * now < 0) {
      time = step * (i - fabs(now) / (fabs(now) + fabs(last)));
      break;
    }
  }
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  return time;
}

static void pendulum(pc_report *report)
{
  for (int i = 0; i < 3; i++) {
    static const int degrees[] = {20, 90, 150};
    double angle = degrees[i] * PI / 180, arm = hypot(1, 0.1) / 2, inertia = 1.01 / 3;
    double exact = 2 * sqrt(inertia / (9.81 * arm)) * elliptic(sin(angle / 2));
    pc_report_derived(report, pc_report_name(report, "%d", degrees[i]), "half of the period", exact,
                      half_period(angle), "s", 2e-4 * exact,
                      "rigid compound pendulum, elliptic integral");
  }
}

// A stiff slab in space that spins freely about an axis that is none of its own: its spin after a
// time, and the largest error of the balance.
static double spin_freely(double time, double spin[3])
{
  const double step = 0.02;
  continuum_trial t;
  bool read = continuum_read(
      &t,
      "kind: continuum\n"
      "mesh: {order: 1, boxes: [{name: slab, x: [-0.6, 0.6], y: [-0.4, 0.4], z: [-0.1, 0.1], "
      "cells: [3, 2, 1]}]}\n"
      "media: {slab: {density: 1, young: 1e6, poisson: 0.3, spin: [0.2, 0.9, 0.3]}}\n"
      "deformation: large\nduration: 30\nstep: %.17g\n",
      step);
  pc_continuum_motion *motion = begin(&t, read);
  double balance = 0;
  bool good = motion != NULL;
  for (int i = 0; i < (int)round(time / step) && good; i++)
    good = is_finite_step(motion, &balance);
  for (int k = 0; k < 3; k++)
    spin[k] = good ? pc_continuum_motion_balance(motion).rigid[3 + k] : NAN;
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  return good ? balance : NAN;
}

static void tumble(pc_report *report)
{
  static const char axis[] = "xyz";
  const double time = 20, size[3] = {1.2, 0.8, 0.2}, mass = size[0] * size[1] * size[2];
  double moments[3], attitude[4] = {1, 0, 0, 0}, exact[3] = {0.2, 0.9, 0.3}, found[3];
  for (int k = 0; k < 3; k++) {
    double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
    moments[k] = mass * (a * a + b * b) / 12;
  }
  pc_rotation_advance(moments, attitude, exact, time);
  double balance = spin_freely(time, found);
  for (int k = 0; k < 3; k++)
    pc_report_derived(report, pc_report_name(report, "spin_%c", axis[k]),
                      "spin of a free slab after 20 s, about its middle axis at the start",
                      exact[k], found[k], "rad/s", 2e-3,
                      "free rotation of the rigid slab, in closed form");
  pc_report_self_check(report, "balance", "largest error of the energy balance", 0, balance, "1",
                       1e-9, "energy, relative");
}

// A rod that spins about its middle: the stretch of its half, in the mean over ten periods of the
// vibration with which it starts.
static double mean_stretch(double spin, double young)
{
  const double step = 2e-3;
  continuum_trial t;
  bool read = continuum_read(
      &t,
      "kind: continuum\n"
      "mesh: {rectangles: [{name: rod, x: [-1, 1], y: [-0.025, 0.025], cells: [16, 1]}]}\n"
      "media: {rod: {density: 1, young: %.17g, poisson: 0, spin: %.17g}}\n"
      "deformation: large\nduration: 10\nstep: %.17g\n",
      young, spin, step);
  pc_continuum_motion *motion = begin(&t, read);
  int ends[2] = {continuum_node(&t, -1, 0), continuum_node(&t, 1, 0)};
  int count = (int)round(10 * 4 / sqrt(young) / step);
  double sum = 0, balance = 0;
  bool good = motion != NULL && ends[0] >= 0 && ends[1] >= 0;
  for (int i = 0; i < count && good; i++) {
    good = is_finite_step(motion, &balance);
    const double *u = pc_continuum_motion_state(motion).displacement;
    double x = 2 + u[2 * ends[1]] - u[2 * ends[0]];
    double y = u[2 * ends[1] + 1] - u[2 * ends[0] + 1];
    sum += hypot(x, y) / 2 - 1;
  }
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  return good ? sum / count : NAN;
}

static void rod(pc_report *report)
{
  const double spin = 0.5, young = 1000, exact = spin * spin / (3 * young);
  pc_report_derived(report, "stretch", "stretch of a spinning rod over its length", exact,
                    mean_stretch(spin, young), "1", 5e-3 * exact, "rho w^2 L^2 / (3 E)");
}

const pc_case pc_cases_continuum_large[] = {
    {"continuum.pendulum", "a stiff bar on a hinge", true, pendulum},
    {"continuum.tumble", "a stiff slab that spins freely", true, tumble},
    {"continuum.rod", "a rod that spins", true, rod},
    {0},
};
