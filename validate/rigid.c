// Rigid bodies in motion against closed forms: stacks, slopes, bounces, rolling.
#include <math.h>
#include <stdio.h>

#include "trial.h"

static const double g = 9.81;
static const double up[3] = {0, 0, 1};

// Bodies on a floor through the origin.
static void read_world(pc_trial *t, double e, double mu, const double normal[3], double tolerance,
                       const char *bodies)
{
  char law[60] = "inelastic";
  if (e > 0)
    snprintf(law, sizeof law, "restitution, e: %g", e);
  pc_trial_read(t,
                "kind: rigid\n"
                "duration: 1\n"
                "step: 1e-3\n"
                "solver: {tolerance: %.17g}\n"
                "default_law: {normal: {kind: %s}, tangential: {kind: coulomb, mu: %.17g}}\n"
                "obstacles: [{shape: {type: plane, normal: [%.17g, %.17g, %.17g]}}]\n"
                "bodies: [%s]\n",
                tolerance, law, mu, normal[0], normal[1], normal[2], bodies);
}

static void stack_of_ten(pc_report *report)
{
  pc_trial t;
  char bodies[2000];
  int length = 0;
  for (int i = 0; i < 10; i++)
    length += snprintf(bodies + length, sizeof bodies - (size_t)length,
                       "{shape: {type: box, size: [1, 1, 1]}, mass: 1000, position: [0, 0, %g]}, ",
                       0.5 + i);
  read_world(&t, 0, 0.5, up, 1e-4, bodies);
  bool solved = pc_trial_advance(report, &t, 6000, 0.01);
  double top = NAN, aside = 0;
  for (int i = 0; i < 10 && solved; i++) {
    pc_body_state state = pc_trial_state(&t, i + 2);
    top = state.position[2];
    aside = fmax(aside, hypot(state.position[0], state.position[1]));
  }
  pc_report_derived(report, "ten.height", "height of the top of ten unit boxes after 60 s", 10,
                    top + 0.5, "m", 1e-4, "at rest");
  pc_report_derived(report, "ten.drift", "largest sideways displacement", 0, solved ? aside : NAN,
                    "m", 1e-4, "at rest");
  const pc_step_info *info = t.fine ? pc_world_info(t.scene.world) : NULL;
  pc_report_derived(report, "ten.kinetic", "kinetic energy after 60 s, of 450 kJ potential", 0,
                    info != NULL ? info->kinetic_translation + info->kinetic_rotation : NAN, "J",
                    1e-6, "at rest");
  pc_trial_end(&t, NULL);
}

static void stack_heavy(pc_report *report)
{
  static const double ratios[] = {1000, 10000};
  for (int r = 0; r < 2; r++) {
    pc_trial t;
    char bodies[300];
    snprintf(bodies, sizeof bodies,
             "{shape: {type: box, size: [1, 1, 1]}, mass: 1, position: [0, 0, 0.5]}, "
             "{shape: {type: box, size: [1, 1, 1]}, mass: %g, position: [0, 0, 1.5]}",
             ratios[r]);
    read_world(&t, 0, 0.5, up, 1e-4, bodies);
    bool solved = pc_trial_advance(report, &t, 500, 0.01);
    pc_report_derived(report, pc_report_name(report, "heavy_%g.height", ratios[r]),
                      "height of the upper box, heavier by this ratio, after 5 s", 1.5,
                      solved ? pc_trial_state(&t, 3).position[2] : NAN, "m", 1e-3,
                      "at rest; Bullet sinks to 0.5, Box3D to 1.16 at 1000:1");
    pc_report_derived(report, pc_report_name(report, "heavy_%g.light", ratios[r]),
                      "height of the light box below it", 0.5,
                      solved ? pc_trial_state(&t, 2).position[2] : NAN, "m", 1e-3, "at rest");
    pc_trial_end(&t, NULL);
  }
}

static void stack(pc_report *report)
{
  stack_of_ten(report);
  stack_heavy(report);
}

// Runs a body that starts on a slope of this angle, 0.1 m from it; `form` has its shape and
// orientation. Gives the distance down the slope and the speed.
static bool descend(pc_report *report, double angle, double mu, double time, const char *form,
                    double *way, double *speed)
{
  const double normal[3] = {sin(angle), 0, cos(angle)}, down[3] = {cos(angle), 0, -sin(angle)};
  pc_trial t;
  char body[400];
  snprintf(body, sizeof body, "{%s, position: [%.17g, 0, %.17g]}", form, 0.1 * normal[0],
           0.1 * normal[2]);
  read_world(&t, 0, mu, normal, 1e-9, body);
  bool solved = pc_trial_advance(report, &t, (int)lround(time / 1e-3), 1e-3);
  pc_body_state state = pc_trial_state(&t, 2);
  *way = *speed = 0;
  for (int i = 0; i < 3; i++) {
    *way += down[i] * (state.position[i] - 0.1 * normal[i]);
    *speed += down[i] * state.velocity[i];
  }
  pc_trial_end(&t, NULL);
  return solved;
}

static bool slide(pc_report *report, double angle, double mu, double *way, double *speed)
{
  char slab[200];
  snprintf(slab, sizeof slab,
           "shape: {type: box, size: [1, 1, 0.2]}, orientation: [%.17g, 0, %.17g, 0]",
           cos(0.5 * angle), sin(0.5 * angle));
  return descend(report, angle, mu, 0.5, slab, way, speed);
}

static void slope(pc_report *report)
{
  static const double mus[] = {0.2, 0.5, 1.0};
  static const double below[] = {0.5, 0.9, 0.99, 0.999}, above[] = {1.001, 1.01, 1.1, 1.5};
  int wrong = 0;
  double worst = 0;
  for (int m = 0; m < 3; m++)
    for (int i = 0; i < 4; i++) {
      double way, speed;
      bool solved = slide(report, atan(below[i] * mus[m]), mus[m], &way, &speed);
      wrong += !solved || !(fabs(way) < 1e-6) || !(fabs(speed) < 1e-6);
      double angle = atan(above[i] * mus[m]);
      double expected = g * (sin(angle) - mus[m] * cos(angle));
      solved = slide(report, angle, mus[m], &way, &speed);
      worst = pc_worst(worst, solved ? fabs(speed / 0.5 - expected) : NAN);
      wrong += !solved || !(way > 0.5 * 0.5 * 0.25 * expected);
    }
  pc_report_property(report, "sticks",
                     "slabs that slide below tan(angle) = mu or stick above it, of 24", wrong,
                     "mu 0.2, 0.5, 1; tan(angle)/mu from 0.5 to 0.999 and 1.001 to 1.5");
  pc_report_derived(report, "acceleration",
                    "largest error of the acceleration of those that slide, over 0.5 s", 0, worst,
                    "m/s^2", 1e-3, "g (sin - mu cos)");
}

// A ball dropped from `height` above the floor: heights of the tops after each bounce.
static bool bounce(pc_report *report, double e, double height, double h, int bounces, double *tops,
                   double *energy_error)
{
  const double radius = 0.1;
  pc_trial t;
  char ball[200];
  snprintf(ball, sizeof ball,
           "{shape: {type: sphere, radius: 0.1}, mass: 1, position: [0, 0, %.17g]}",
           radius + height);
  read_world(&t, e, 0.5, up, 1e-12, ball);
  bool solved = t.fine;
  double last = 0, top = 0;
  int seen = -1; // the first fall is not a bounce
  *energy_error = 0;
  for (long i = 0; i < 4000000 && seen < bounces && t.fine; i++) {
    solved = pc_report_step(report, t.scene.world, h) && solved;
    pc_body_state state = pc_trial_state(&t, 2);
    double z = state.position[2] - radius, v = state.velocity[2];
    double energy = 0.5 * v * v + g * z;
    *energy_error = fmax(*energy_error, fabs(energy / (g * height) - 1));
    if (v > 0 && last <= 0) {
      if (seen >= 0 && tops != NULL)
        tops[seen] = top;
      seen++;
      top = 0;
    }
    if (seen >= 0)
      top = fmax(top, z);
    last = v;
    if (v == 0 && i > 100 && fabs(z) < 1e-3)
      break; // at rest
  }
  pc_trial_end(&t, NULL);
  return solved;
}

static void bounces(pc_report *report)
{
  double tops[4] = {0}, error, h = 1e-4;
  bool solved = bounce(report, 0.5, 1, h, 4, tops, &error);
  for (int i = 0; i < 3; i++)
    pc_report_derived(report, pc_report_name(report, "half.top_%d", i + 1),
                      "height of the top after this bounce, e = 0.5, from 1 m", pow(0.25, i + 1),
                      solved ? tops[i] : NAN, "m", 5e-4,
                      "e^(2n); the instant of an impact is known to a step of 1e-4 s, 4.4e-4 m");
  pc_trial t;
  read_world(&t, 0, 0.5, up, 1e-9,
             "{shape: {type: sphere, radius: 0.1}, mass: 1, position: [0, 0, 1.1]}");
  double highest = 0;
  solved = t.fine;
  bool landed = false;
  for (int i = 0; i < 10000 && t.fine; i++) {
    solved = pc_report_step(report, t.scene.world, h) && solved;
    pc_body_state state = pc_trial_state(&t, 2);
    landed = landed || state.position[2] < 0.1 + 1e-6;
    if (landed)
      highest = fmax(highest, fabs(state.position[2] - 0.1));
  }
  pc_report_derived(report, "dead.top", "farthest from the floor after landing, e = 0", 0,
                    solved && landed ? highest : NAN, "m", 1e-6, "it stays down");
  pc_trial_end(&t, NULL);
  solved = bounce(report, 1, 0.1, 1e-3, 1001, NULL, &error);
  pc_report_derived(report, "elastic.energy",
                    "largest relative change of energy in 1000 bounces, e = 1", 0,
                    solved ? error : NAN, "-", 1e-9, "kept");
}

static void roll(pc_report *report)
{
  // A cylinder lies across the slope.
  static const struct {
    const char *name, *quantity, *shape;
    double expected;
  } rows[] = {{"sphere", "acceleration of a sphere over g sin(angle)",
               "{type: sphere, radius: 0.1}", 5.0 / 7},
              {"cylinder", "acceleration of a cylinder over g sin(angle)",
               "{type: cylinder, radius: 0.1, length: 0.3}", 2.0 / 3}};
  const char *oracle = "1 / (1 + I/(m r^2)), rolling without sliding";
  const double angle = 0.3;
  for (int i = 0; i < 2; i++) {
    double way, speed;
    char form[200];
    snprintf(form, sizeof form, "shape: %s, orientation: [%.17g, %.17g, 0, 0]", rows[i].shape,
             sqrt(0.5), sqrt(0.5));
    bool solved = descend(report, angle, 0.6, 1, form, &way, &speed);
    pc_report_derived(report, rows[i].name, rows[i].quantity, rows[i].expected,
                      solved ? speed / (g * sin(angle)) : NAN, "-", 1e-3, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.way", rows[i].name),
                      "the same from the distance travelled", rows[i].expected,
                      solved ? 2 * way / (g * sin(angle)) : NAN, "-", 1e-3, oracle);
  }
}

// Rolling friction.

// Runs a ball in space, or a disc in the plane, of 1 kg and radius 0.1 m on a slope, with a rolling
// friction of 0.02 m. Gives the speed down the slope, the distance and what was dissipated.
typedef struct rolled {
  double speed, way, dissipated;
} rolled;

static rolled roll_down(pc_report *report, bool plane, double angle, double start, double time)
{
  const double radius = 0.1, normal[2] = {sin(angle), cos(angle)},
               down[2] = {cos(angle), -sin(angle)};
  const char *zero = plane ? "" : "0, "; // y in space
  pc_trial t;
  pc_trial_read(&t,
                "kind: rigid\n"
                "dimension: %d\n"
                "duration: 1\n"
                "step: 1e-3\n"
                "solver: {tolerance: 1e-9}\n"
                "default_law: {normal: {kind: inelastic}, "
                "tangential: {kind: coulomb, mu: 0.6, rolling: 0.02}}\n"
                "obstacles: [{shape: {type: plane, normal: [%.17g, %s%.17g]}}]\n"
                "bodies: [{shape: {type: %s, radius: 0.1}, mass: 1, position: [%.17g, %s%.17g], "
                "velocity: [%.17g, %s%.17g], spin: %s%.17g%s}]\n",
                plane ? 2 : 3, normal[0], zero, normal[1], plane ? "disc" : "sphere",
                radius * normal[0], zero, radius * normal[1], start * down[0], zero,
                start * down[1], plane ? "-" : "[0, ", start / radius, plane ? "" : ", 0]");
  rolled r = {NAN, NAN, NAN};
  if (pc_trial_advance(report, &t, (int)lround(time / 1e-3), 1e-3)) {
    pc_body_state state = pc_trial_state(&t, 2);
    int second = plane ? 1 : 2;
    r.speed = state.velocity[0] * down[0] + state.velocity[second] * down[1];
    r.way = (state.position[0] - radius * normal[0]) * down[0] +
            (state.position[second] - radius * normal[1]) * down[1];
    r.dissipated = pc_world_info(t.scene.world)->total_dissipated;
  }
  pc_trial_end(&t, NULL);
  return r;
}

static void rolling_friction(pc_report *report)
{
  static const char *const names[] = {"ball", "disc"};
  const char *note = "(g sin - rolling/R g cos) / (1 + I/(m R^2)) while it does not slide";
  for (int plane = 0; plane < 2; plane++) {
    const char *name = names[plane];
    double share = 1 / (1 + (plane ? 0.5 : 0.4)), angle = 0.3;
    pc_report_derived(report, pc_report_name(report, "%s.slope", name),
                      "acceleration down a slope of 0.3 rad, rolling/R = 0.2",
                      share * g * (sin(angle) - 0.02 / 0.1 * cos(angle)),
                      roll_down(report, plane, angle, 0, 1).speed, "m/s^2", 1e-6, note);
    // On either side of tan(angle) = rolling / R.
    pc_report_derived(report, pc_report_name(report, "%s.rests", name),
                      "speed after 1 s where tan(angle) = 0.199 < rolling/R", 0,
                      roll_down(report, plane, atan(0.199), 0, 1).speed, "m/s", 1e-6, "at rest");
    angle = atan(0.201);
    pc_report_derived(report, pc_report_name(report, "%s.starts", name),
                      "speed after 1 s where tan(angle) = 0.201 > rolling/R",
                      share * (g * (sin(angle) - 0.02 / 0.1 * cos(angle))),
                      roll_down(report, plane, angle, 0, 1).speed, "m/s", 1e-6, note);

    // On the level it stops, and its energy has gone into moment times turn.
    rolled level = roll_down(report, plane, 0, 1, 1.5);
    pc_report_derived(report, pc_report_name(report, "%s.way", name),
                      "distance until it stops on the level, from 1 m/s",
                      1 / (2 * (share * g * 0.02 / 0.1)), level.way, "m", 1e-5,
                      "v^2/2 over g rolling/R / (1 + I/(m R^2))");
    pc_report_derived(report, pc_report_name(report, "%s.stops", name), "its speed then", 0,
                      level.speed, "m/s", 1e-6, "at rest");
    pc_report_derived(report, pc_report_name(report, "%s.dissipated", name),
                      "energy dissipated over rolling m g times the turn", 1,
                      level.dissipated / (0.02 * g * (level.way / 0.1)), "-", 1e-5,
                      "moment times turn");
  }
}

const pc_case pc_cases_rigid[] = {
    {"rigid.stack", "closed form: bodies at rest", true, stack},
    {"rigid.slope", "closed form: Coulomb's block", false, slope},
    {"rigid.bounce", "closed form: Newton's ball", false, bounces},
    {"rigid.roll", "closed form: rolling without sliding", false, roll},
    {"rigid.rolling", "closed form: rolling friction", false, rolling_friction},
    {0},
};
