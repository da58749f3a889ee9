// Elastic bars against the theory of waves: two that meet end to end with meshes that do not match,
// and one that is struck at given times.
#include <math.h>
#include <stdio.h>

#include "continuum_trial.h"

static const double SPEED = 1e-3, START = 0.05; // s before they meet
enum { ALONG = 96 };

typedef struct exchange {
  double impulse, time, balance;
} exchange;

// The bars as lines, or as rectangles with other cells across.
static void write_meshes(char *text, size_t size, bool lines, double gap)
{
  if (lines)
    snprintf(text, size,
             "lines: [{name: first, from: -1, to: 0, cells: %d, right: nose}, {name: "
             "second, from: %.17g, to: %.17g, cells: %d, left: face}]",
             ALONG, gap, 1 + gap, ALONG + 15);
  else
    snprintf(text, size,
             "rectangles: [{name: first, x: [-1, 0], y: [0, 1], cells: [%d, 3], sides: {right: "
             "nose}}, {name: second, x: [%.17g, %.17g], y: [0, 1], cells: [%d, 4], sides: {left: "
             "face}}]",
             ALONG, gap, 1 + gap, ALONG + 15);
}

// Length, section, density and wave speed of the first bar are 1; the second has the same wave
// speed and `impedance` times the density.
static exchange let_meet(bool lines, double impedance)
{
  continuum_trial t;
  char meshes[400];
  double step = 0.5 / ALONG;
  write_meshes(meshes, sizeof meshes, lines, START * SPEED);
  bool read = continuum_read(
      &t,
      "kind: continuum\n"
      "mesh: {order: 1, %s}\n"
      "media: {first: {density: 1, young: 1, poisson: 0, velocity: [%.17g%s]}, second: {density: "
      "%.17g, young: %.17g, poisson: 0}}\n"
      "contacts: [{sides: nose, with: face}]\n"
      "duration: 3\nstep: %.17g\n",
      meshes, SPEED, lines ? "" : ", 0", impedance, impedance, step);
  pc_continuum_motion *motion =
      read ? pc_continuum_motion_create(t.scene.continuum, NULL) : (pc_continuum_motion *)NULL;
  bool good = motion != NULL;
  exchange found = {0};
  for (int i = 0; i < 3 / step && good; i++) {
    good = pc_continuum_motion_step(motion, NULL) == PC_OK;
    pc_continuum_ground now = pc_continuum_motion_contact(motion, 0);
    found.time += now.closed > 0 ? step : 0;
    found.impulse = now.percussion[0] / SPEED;
    pc_continuum_balance balance = pc_continuum_motion_balance(motion);
    good = good && balance.closed;
    found.balance = fmax(found.balance, balance.identity);
  }
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  return good ? found : (exchange){NAN, NAN, NAN};
}

static void report_bars(pc_report *report, bool lines)
{
  const char *oracle = "waves in bars: the first leaves with (1 - Z)/(1 + Z) of its speed after 2 "
                       "lengths over c";
  double balance = 0;
  for (int z = 1; z <= 3; z++) {
    exchange found = let_meet(lines, z);
    double impulse = 2. * z / (1 + z);
    pc_report_derived(report, pc_report_name(report, "z%d.impulse", z),
                      "impulse over the momentum before", impulse, found.impulse, "1",
                      0.01 * impulse, oracle);
    pc_report_derived(report, pc_report_name(report, "z%d.time", z), "duration of the contact", 2,
                      found.time, "L/c", 0.04, oracle);
    balance = found.balance <= balance ? balance : found.balance; // keeps NAN
  }
  pc_report_self_check(report, "balance", "largest error of the energy balance of a step", 0,
                       balance, "1", 1e-9, "energy of both bars, relative");
}

static void rectangles(pc_report *report)
{
  report_bars(report, false);
}

static void lines(pc_report *report)
{
  report_bars(report, true);
}

// A held bar of steel that is struck at its end at 0.1 ms and again when the wave is back: the mean
// place of the end between the blows and after them, mm.
static void strike_twice(double place[2])
{
  continuum_trial t;
  bool read = continuum_read(
      &t, "kind: continuum\n"
          "mesh: {order: 1, lines: [{name: bar, from: 0, to: 1, cells: 200, left: foot, right: "
          "end}]}\n"
          "media: {bar: {density: 7850, young: 200e9, viscosity: 2}}\n"
          "hold: [{sides: foot}]\n"
          "pushes: [{at: 0.1e-3, sides: end, percussion: [20e3]}, {at: 0.49623e-3, sides: end, "
          "percussion: [20e3]}]\n"
          "duration: 1e-3\nstep: 1e-6\n");
  pc_continuum_motion *motion =
      read ? pc_continuum_motion_create(t.scene.continuum, NULL) : (pc_continuum_motion *)NULL;
  bool good = motion != NULL;
  int end = read ? continuum_node(&t, 1, 0) : 0;
  double sum[2] = {0};
  int count[2] = {0};
  for (int i = 1; i <= 900 && good; i++) {
    good = pc_continuum_motion_step(motion, NULL) == PC_OK &&
           pc_continuum_motion_balance(motion).closed;
    int part = i >= 150 && i < 450 ? 0 : i >= 550 && i < 850 ? 1 : -1;
    if (part >= 0) {
      sum[part] += pc_continuum_motion_state(motion).displacement[end];
      count[part]++;
    }
  }
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  for (int k = 0; k < 2; k++)
    place[k] = good ? 1e3 * sum[k] / count[k] : NAN;
}

static void struck(pc_report *report)
{
  double place[2], moved = 20 / sqrt(7850 * 200e9) * 1e6;
  strike_twice(place);
  pc_report_derived(report, "first", "place of the end after the first blow", moved, place[0], "mm",
                    0.002 * moved, "P / rho c");
  pc_report_derived(report, "second", "place of the end after the second blow", 0, place[1], "mm",
                    0.01 * moved, "the second blow is the opposite of the wave that comes back");
}

const pc_case pc_cases_continuum_bars[] = {
    {"continuum.bars", "waves of two bars that meet", true, rectangles},
    {"continuum.bars_1d", "waves of two bars that meet, on a line", false, lines},
    {"continuum.struck", "waves of a bar that is struck", false, struck},
    {0},
};
