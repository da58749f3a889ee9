// Two elastic bars that meet end to end with meshes that do not match, against the theory of waves.
#include <math.h>

#include "continuum_trial.h"

static const double SPEED = 1e-3, START = 0.05; // s before they meet
enum { ALONG = 96 };

typedef struct exchange {
  double impulse, time, balance;
} exchange;

// Length, section, density and wave speed of the first bar are 1; the second has the same wave
// speed and `impedance` times the density.
static exchange let_meet(double impedance)
{
  continuum_trial t;
  double step = 0.5 / ALONG, gap = START * SPEED;
  bool read = continuum_read(
      &t,
      "kind: continuum\n"
      "mesh: {order: 1, rectangles: [{name: first, x: [-1, 0], y: [0, 1], cells: [%d, 3], sides: "
      "{right: nose}}, {name: second, x: [%.17g, %.17g], y: [0, 1], cells: [%d, 4], sides: {left: "
      "face}}]}\n"
      "media: {first: {density: 1, young: 1, poisson: 0, velocity: [%.17g, 0]}, second: {density: "
      "%.17g, young: %.17g, poisson: 0}}\n"
      "contacts: [{sides: nose, with: face}]\n"
      "duration: 3\nstep: %.17g\n",
      ALONG, gap, 1 + gap, ALONG + 15, SPEED, impedance, impedance, step);
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

static void bars(pc_report *report)
{
  const char *oracle = "waves in bars: the first leaves with (1 - Z)/(1 + Z) of its speed after 2 "
                       "lengths over c";
  double balance = 0;
  for (int z = 1; z <= 3; z++) {
    exchange found = let_meet(z);
    double impulse = 2. * z / (1 + z);
    pc_report_derived(report, pc_report_name(report, "z%d.impulse", z),
                      "impulse over the momentum before", impulse, found.impulse, "",
                      0.01 * impulse, oracle);
    pc_report_derived(report, pc_report_name(report, "z%d.time", z), "duration of the contact", 2,
                      found.time, "s", 0.04, oracle);
    balance = fmax(balance, found.balance);
  }
  pc_report_derived(report, "balance", "largest error of the energy balance of a step", 0, balance,
                    "", 1e-9, "energy of both bars, relative");
}

const pc_case pc_cases_continuum_bars[] = {
    {"continuum.bars", "waves of two bars that meet", true, bars},
    {0},
};
