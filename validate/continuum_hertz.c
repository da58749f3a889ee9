// A rigid ball that falls on an elastic block, against Hertz's contact of a half-space.
#include <math.h>
#include <stdio.h>

#include "continuum_trial.h"

// A quarter of the block, of 80 times the contact's radius; cells of a quarter of that radius where
// the ball touches, growing outwards.
#define PLACES                                                                                     \
  "0, 2.5e-4, 5e-4, 7.5e-4, 1e-3, 1.25e-3, 1.63e-3, 2.2e-3, 3.05e-3, 4.3e-3, 6.2e-3, 9.1e-3, "     \
  "1.34e-2, 1.99e-2, 2.96e-2, 4.4e-2, 6.6e-2, 8e-2"
#define DEPTHS                                                                                     \
  "-8e-2, -6.6e-2, -4.4e-2, -2.96e-2, -1.99e-2, -1.34e-2, -9.1e-3, -6.2e-3, -4.3e-3, -3.05e-3, "   \
  "-2.2e-3, -1.63e-3, -1.25e-3, -1e-3, -7.5e-4, -5e-4, -2.5e-4, 0"
static const double YOUNG = 1e9, POISSON = 0.3, RADIUS = 0.1, STEP = 5e-5;
enum { STEPS = 120 };

// Mass and speed such that the contact has a radius of 1 mm at most and lasts 5 ms.
static const double MASS = 3.38289, SPEED = 5.8864e-3;

typedef struct contact {
  double time, force, rebound, balance;
} contact;

static contact drop_ball(void)
{
  continuum_trial t;
  bool read = continuum_read(
      &t,
      "kind: continuum\n"
      "mesh: {order: 1, boxes: [{name: block, places: {x: [" PLACES "], y: [" PLACES
      "], z: [" DEPTHS
      "]}, sides: {left: left, front: front, bottom: foot, top: top}}], parts: [{of: top, name: "
      "near, x: [0, 1.25e-3], y: [0, 1.25e-3]}]}\n"
      "media: {block: {density: 1000, young: %.17g, poisson: %.17g}}\n"
      "bodies: [{name: ball, radius: %.17g, mass: %.17g, centre: [0, 0, %.17g], velocity: [0, 0, "
      "%.17g], held: [x, y, spin]}]\n"
      "contacts: [{sides: near, with: ball}]\n"
      "hold: [{sides: left, components: [x]}, {sides: front, components: [y]}, {sides: foot, "
      "components: [z]}]\n"
      "duration: 1\nstep: %.17g\n",
      YOUNG, POISSON, RADIUS, MASS / 4, RADIUS, -SPEED, STEP);
  pc_continuum_motion *motion =
      read ? pc_continuum_motion_create(t.scene.continuum, NULL) : (pc_continuum_motion *)NULL;
  bool good = motion != NULL;
  double total = 0;
  int touching = 0;
  contact found = {0};
  for (int i = 0; i < STEPS && good; i++) {
    good = pc_continuum_motion_step(motion, NULL) == PC_OK;
    double now = pc_continuum_motion_contact(motion, 0).percussion[0];
    found.force = fmax(found.force, 4 * (now - total) / STEP);
    touching += now > total;
    total = now;
    pc_continuum_balance balance = pc_continuum_motion_balance(motion);
    good = good && balance.closed;
    found.balance = fmax(found.balance, balance.identity);
  }
  if (good) {
    found.time = touching * STEP;
    found.rebound = pc_continuum_motion_body(motion, 0).velocity[2] / SPEED;
  } else
    found = (contact){NAN, NAN, NAN, NAN};
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  return found;
}

static void hertz(pc_report *report)
{
  const char *oracle = "Hertz's theory; block of 80 mm, contact of 1 mm, E 1 GPa, nu 0.3, R 0.1 m";
  double reduced = YOUNG / (1 - POISSON * POISSON);
  // All kinetic energy is in the contact at the turning point.
  double depth = pow(15. / 16 * MASS * SPEED * SPEED / (reduced * sqrt(RADIUS)), 0.4);
  double force = 4. / 3 * reduced * sqrt(RADIUS) * pow(depth, 1.5);
  double time = 2.868 * pow(MASS * MASS / (RADIUS * reduced * reduced * SPEED), 0.2);
  contact found = drop_ball();
  pc_report_derived(report, "time", "duration of the contact", time, found.time, "s", 0.02 * time,
                    oracle);
  pc_report_derived(report, "force", "largest force", force, found.force, "N", 0.02 * force,
                    oracle);
  pc_report_derived(report, "rebound", "speed after over speed before, elastic", 1, found.rebound,
                    "1", 0.005, oracle);
  pc_report_self_check(report, "balance", "largest error of the energy balance of a step", 0,
                       found.balance, "1", 1e-9, "energy of block and ball, relative");
}

const pc_case pc_cases_continuum_hertz[] = {
    {"continuum.hertz", "Hertz (1882), contact of a ball and a half-space", true, hertz},
    {0},
};
