// Two elastic bars that meet end to end with meshes that do not match, against the theory of waves.
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
                      "impulse over the momentum before", impulse, found.impulse, "",
                      0.01 * impulse, oracle);
    pc_report_derived(report, pc_report_name(report, "z%d.time", z), "duration of the contact", 2,
                      found.time, "L/c", 0.04, oracle);
    balance = found.balance <= balance ? balance : found.balance; // keeps NAN
  }
  pc_report_derived(report, "balance", "largest error of the energy balance of a step", 0, balance,
                    "", 1e-9, "energy of both bars, relative");
}

static void rectangles(pc_report *report)
{
  report_bars(report, false);
}

static void lines(pc_report *report)
{
  report_bars(report, true);
}

const pc_case pc_cases_continuum_bars[] = {
    {"continuum.bars", "waves of two bars that meet", true, rectangles},
    {"continuum.bars_1d", "waves of two bars that meet, on a line", false, lines},
    {0},
};
