// León, thesis (2016), 2.2: a landslide on a skid (figures 2.4 and 2.5), in the plane.
//
// Printed are the numbers of bodies, kN = kT = 78 kg/m and the law (2.62), Phi = kT (D.T)^2 + kN
// (D.N)^2, which has no 1/2: in P = k D these are k = 156. scenes/leon/landslide-*.yaml say what is
// chosen.
#include <math.h>
#include <stdio.h>

#include "trial.h"

static const double kappa = 78;    // the printed one
static const double degrees = 35;  // of the slope
static const double ground = -0.1; // m: half the radius of a small body

// From m (u+ - u-) = -2 kappa (u+ + u-)/2 across the normal.
static void sliding(pc_report *report)
{
  double error = 0;
  for (int i = 1; i <= 5; i++) {
    double mass = 40 * i, after[3] = {0};
    const double origin[2] = {0}, up[2] = {0, 1}, before[2] = {3, 0};
    pc_law linear = pc_setup_linear(2 * kappa, 2 * kappa);
    pc_impact *problem = pc_report_problem(report);
    int body = pc_setup_body(problem, 2, mass, 0, origin, before);
    pc_setup_contact(problem, body, PC_OBSTACLE, origin, up, &linear);
    bool solved = pc_report_solve(report, problem);
    if (solved)
      pc_impact_velocity(problem, body, after);
    error = pc_worst(error, solved ? fabs(after[0] - 3 * (mass - kappa) / (mass + kappa)) : NAN);
    pc_impact_destroy(problem);
  }
  pc_report_derived(report, "sliding", "largest error of the sliding velocity after one collision",
                    0, error, "m/s", 1e-12,
                    "u+ = u- (m - k)/(m + k) of (2.62) with the printed k = 78, m = 40 to 200 kg");
}

// A square on the slope alone: its two corners feel 2 kappa u each in every step, and it slides on
// when that is the percussion of its weight along the slope.
static void creep(pc_report *report)
{
  const double side = 0.2, h = 0.02, density = 2000, pi = 3.14159265358979323846;
  const double sine = sin(degrees * pi / 180), cosine = cos(degrees * pi / 180);
  pc_trial t;
  pc_trial_read(&t,
                "kind: rigid\n"
                "dimension: 2\n"
                "duration: 1\n"
                "step: 0.02\n"
                "materials: [{name: rock, density: 2000}]\n"
                "default_law: {normal: {kind: quadratic, k: %.17g}, "
                "tangential: {kind: viscous, k: %.17g}}\n"
                "obstacles: [{shape: {type: plane, normal: [%.17g, %.17g]}}]\n"
                "bodies: [{shape: {type: polygon, "
                "vertices: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}, "
                "position: [%.17g, %.17g], orientation: [%.17g, 0, 0, %.17g]}]\n",
                2 * kappa, 2 * kappa, sine, cosine, side / 2 * sine, side / 2 * cosine,
                cos(degrees * pi / 360), -sin(degrees * pi / 360));
  bool done = pc_trial_advance(report, &t, 200, h);
  pc_body_state state = pc_trial_state(&t, 2);
  double speed = state.velocity[0] * cosine - state.velocity[1] * sine;
  double mass = density * side * side;
  pc_report_derived(report, "creep", "speed of one square on the slope after 4 s",
                    mass * 9.81 * sine * h / (4 * kappa), done ? speed : NAN, "m/s", 1e-6,
                    "m g sin(slope) step / (4 k): it grows with the step");
  pc_trial_end(&t, NULL);
}

static void law(pc_report *report)
{
  sliding(report);
  creep(report);
}

// The mean over the bodies of the speed of their centres; *sunk counts those below the ground.
static double mean_speed(const pc_trial *m, int *sunk)
{
  double sum = 0;
  int count = 0;
  *sunk = 0;
  for (int i = 1; m->fine && i <= pc_world_bodies(m->scene.world); i++) {
    pc_body_state s;
    if (pc_body_get_kind(m->scene.world, (pc_body){i}) != PC_FREE)
      continue;
    pc_body_get(m->scene.world, (pc_body){i}, &s);
    sum += hypot(s.velocity[0], s.velocity[1]);
    *sunk += !(s.position[1] > ground);
    count++;
  }
  return pc_trial_value(m, sum / count);
}

// Viscous friction has no threshold: what is not held by its shape creeps, slower and slower, until
// the pile locks. When it does is chance: of six slides of 300 bodies whose gravity differs by 1e-6
// four are faster than 3 mm/s, a hundredth of a body in a second, after one minute (at most 18
// mm/s), none after two (at most 0.8 mm/s). Of 1225 bodies one slide had 5 mm/s after 90 s. So rest
// is looked for after `duration`.
static void slide(pc_report *report, const char *scene, const char *from, const char *duration)
{
  char note[160];
  pc_trial m = pc_trial_start("leon", scene, from, duration);
  pc_trial_step(&m, m.scene.step);
  double start = m.fine ? pc_world_info(m.scene.world)->potential : NAN, largest = 0, rest = 0;
  int sunk = 0, watched = 0;
  while (pc_trial_next(&m, m.scene.duration)) {
    double speed = mean_speed(&m, &sunk);
    largest = pc_worst(largest, speed);
    if (pc_world_time(m.scene.world) > m.scene.duration - 10) {
      rest += speed;
      watched++;
    }
  }
  double released = NAN, kinetic = NAN, drift = NAN;
  if (m.fine) {
    const pc_step_info *info = pc_world_info(m.scene.world);
    released = start - info->potential;
    kinetic = info->kinetic_translation + info->kinetic_rotation;
    drift = info->drift;
  }
  snprintf(note, sizeof note, "at rest; it was %.2g m/s at most", largest);
  pc_report_derived(report, "speed", "mean speed of the bodies in the last 10 s", 0,
                    pc_trial_value(&m, rest / watched), "m/s", 0.003, note);
  snprintf(note, sizeof note, "rest; %.3g MJ of potential energy are released", released / 1e6);
  pc_report_derived(report, "kinetic", "kinetic energy at the end over potential energy released",
                    0, kinetic / released, "-", 1e-5, note);
  pc_report_property(report, "sunk", "bodies with their centre below the ground", sunk + !m.fine,
                     NULL);
  snprintf(note, sizeof note, "%ld of %ld steps ended above the tolerance of 1e-4", m.inaccurate,
           m.steps);
  pc_report_own_steps(report, "open", "steps that fail or whose energy balance does not close",
                      (int)m.open + !m.fine, note);
  pc_report_self_check(report, "drift", "error of the energy balance over the run, relative", 0,
                       drift, "-", 1e-9, "closed");
  pc_trial_end(&m, NULL);
}

static void slide_300(pc_report *report)
{
  slide(report, "landslide-300.yaml", "duration: 60", "duration: 120");
}

static void slide_1225(pc_report *report)
{
  slide(report, "landslide-1225.yaml", "duration: 90", "duration: 180");
}

const pc_case pc_cases_leon_landslide[] = {
    {"leon.landslide.law", "León, thesis (2016), (2.62)", false, law},
    {"leon.landslide.300", "León, thesis (2016), figure 2.4", true, slide_300},
    {"leon.landslide.1225", "León, thesis (2016), figure 2.5", true, slide_1225},
    {0},
};
