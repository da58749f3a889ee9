// Pecol's thesis (2011), section 2.6: one particle and the ground by the three treatments of
// contact.
#include <math.h>

#include "trial.h"

enum { STEPS = 80 };

typedef struct flight {
  bool solved;
  double y[STEPS + 1], vy[STEPS + 1]; // at t_n
} flight;

// Radius 0.22 m, from (0.5, 0.5) at (1, -1)/sqrt(2) m/s, ground y <= 0, h = 0.01 s, no force.
static flight fly(pc_report *report, const char *treatment, double k_normal)
{
  pc_trial t;
  pc_trial_read(&t,
                "kind: rigid\n"
                "dimension: 2\n"
                "duration: 1\n"
                "step: 0.01\n"
                "gravity: [0, 0]\n"
                "contact: {treatment: %s}\n"
                "solver: {tolerance: 1e-12}\n"
                "default_law: {normal: {kind: quadratic, k: %.17g}, tangential: {kind: none}}\n"
                "obstacles: [{shape: {type: plane}}]\n"
                "bodies: [{shape: {type: disc, radius: 0.22}, mass: 75, no_rotation: true, "
                "position: [0.5, 0.5], velocity: [%.17g, %.17g]}]\n",
                treatment, k_normal, sqrt(0.5), -sqrt(0.5));
  flight f = {.solved = t.fine};
  for (int n = 0; n <= STEPS && t.fine; n++) {
    pc_body_state state = pc_trial_state(&t, 2);
    f.y[n] = state.position[1];
    f.vy[n] = state.velocity[1];
    if (n < STEPS)
      f.solved = pc_report_step(report, t.scene.world, 0.01) && f.solved;
  }
  pc_trial_end(&t, NULL);
  return f;
}

static void particle(pc_report *report)
{
  const double r = 0.22, v = sqrt(0.5);
  flight velocity = fly(report, "velocity", 0);
  // The jump is at the middle of [t39, t40], where the centre is at 0.5 - 0.395 v.
  pc_report_derived(report, "velocity.jump", "velocity along y at t40 at velocity level, K_N = 0",
                    0, velocity.solved ? velocity.vy[40] : NAN, "m/s", 1e-12,
                    "2.33: the collision of [t39, t40] acts at its middle");
  pc_report_derived(report, "velocity.height", "height of the centre from t40 on (figure 2.11b)",
                    0.5 - 0.395 * v, velocity.solved ? velocity.y[STEPS] : NAN, "m", 1e-12,
                    "2.33: the particle is stopped a little above the ground");
  int before = 0;
  for (int n = 0; n < 40; n++)
    before += fabs(velocity.vy[n] + v) > 1e-12;
  pc_report_property(report, "velocity.before", "velocities changed before t40", before,
                     "the collision lies in [t39, t40]");

  flight position = fly(report, "position", 0);
  pc_report_published(report, "position.height",
                      "height of the centre at the end at position level (figure 2.11b)", r,
                      position.solved ? position.y[STEPS] : NAN, "m", 1e-12,
                      "the particle stays exactly on the ground");
  int between = 0, off = 0;
  for (int n = 39; n <= STEPS; n++) {
    between += position.vy[n] < -1e-6 && position.vy[n] > -v + 1e-6;
    off += n > 41 && fabs(position.y[n] - r) > 1e-12;
  }
  pc_report_property(report, "position.between", "intermediate velocities, less the one expected",
                     between - 1, "figure 2.11d: one value without physical meaning");
  pc_report_property(report, "position.off", "heights off the ground after t41", off,
                     "here the constraint holds from middle to middle of the steps, half a step "
                     "after the thesis");

  flight elastic = fly(report, "velocity", 1e4);
  int inside = 0;
  for (int n = 0; n <= STEPS; n++)
    inside += elastic.y[n] < r - 1e-12;
  pc_report_property(report, "rebound.inside", "times at which the particle is in the ground",
                     inside, "figure 2.12b: never, K_N = 1e4 kg");
  pc_report_derived(report, "rebound.speed", "velocity along y after the rebound",
                    v * (1e4 - 150) / (1e4 + 150), elastic.solved ? elastic.vy[STEPS] : NAN, "m/s",
                    1e-10, "e = (K_N - 2m)/(K_N + 2m), m = 75 kg");

  flight spring = fly(report, "penalty, stiffness: 1.2e5", 0);
  int first = -1, last = -1;
  for (int n = 0; n <= STEPS; n++)
    if (spring.y[n] < r) {
      first = first < 0 ? n : first;
      last = n;
    }
  pc_report_published(report, "penalty.first", "first t_n in the ground with a spring (2.6.2)", 40,
                      spring.solved ? (double)first : NAN, "-", 0,
                      "the collision is in [t39, t40]");
  pc_report_published(report, "penalty.last", "last t_n in the ground with a spring (2.6.2)", 47,
                      spring.solved ? (double)last : NAN, "-", 0,
                      "free again in [t47, t48]; k = 1.2e5 kg/s^2, m = 75 kg");
  pc_report_derived(report, "penalty.speed", "velocity along y after the rebound", v,
                    spring.solved ? spring.vy[STEPS] : NAN, "m/s", 0.05,
                    "elastic; switching on and off within a step costs some");
}

const pc_case pc_cases_pecol[] = {
    {"pecol.particle", "Pecol's thesis, 2.6, figures 2.11 and 2.12", false, particle},
    {0},
};
