// Heat of rigid bodies in motion: chapter 3 of the book with extended bodies, and closed forms.
#include <math.h>
#include <stdio.h>

#include "percuss/heat.h"
#include "percuss/random.h"
#include "percuss/world_heat.h"
#include "trial.h"

static const double g = 9.81;

static double temperature_of(const pc_trial *t, int body)
{
  return t->fine ? pc_body_get_temperature(t->scene.world, (pc_body){body}) : NAN;
}

// 3.7: a collision.

// Two spheres meet head on, inelastic, and lose W. Gives the largest difference to the temperatures
// of the lumped collision, relative to the larger rise.
static double share_error(pc_report *report, pc_heat *lumped, const double t[2], const double c[2],
                          double w)
{
  pc_trial world;
  pc_trial_read(&world,
                "kind: rigid\n"
                "duration: 1\n"
                "step: 1e-3\n"
                "gravity: [0, 0, 0]\n"
                "solver: {tolerance: 1e-12}\n"
                "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0}}\n"
                "bodies:\n"
                "  - {name: a, shape: {type: sphere, radius: 1}, mass: 1, position: [-1, 0, 0], "
                "velocity: [%.17g, 0, 0]}\n"
                "  - {name: b, shape: {type: sphere, radius: 1}, mass: 1, position: [1, 0, 0], "
                "velocity: [%.17g, 0, 0]}\n"
                "heat:\n"
                "  bodies:\n"
                "    - {bodies: a, temperature: %.17g, capacity: %.17g}\n"
                "    - {bodies: b, temperature: %.17g, capacity: %.17g}\n",
                sqrt(w), -sqrt(w), t[0], c[0], t[1], c[1]);
  pc_heat_body body[2] = {{.temperature = t[0], .capacity = c[0]},
                          {.temperature = t[1], .capacity = c[1]}};
  pc_heat_interaction hit = {.bodies = {0, 1}, .work = w};
  pc_heat_result after[2];
  pc_heat_info info;
  bool good =
      pc_trial_advance(report, &world, 3, 1e-3) &&
      pc_heat_solve(lumped, PC_HEAT_ADIABATIC, 2, body, 1, &hit, after, &info, NULL) == PC_OK &&
      info.solved;
  double error = good ? 0 : NAN, most = good ? fmax(after[0].jump, after[1].jump) : NAN;
  for (int b = 0; b < 2 && good; b++)
    error = fmax(error, fabs(temperature_of(&world, b + 1) - after[b].temperature) / most);
  pc_trial_end(&world, NULL);
  return error;
}

static void share(pc_report *report)
{
  pc_random random;
  pc_random_seed(&random, 3);
  pc_heat *lumped = pc_heat_create();
  double worst = lumped != NULL ? 0 : NAN;
  for (int i = 0; i < 200 && lumped != NULL; i++) {
    double t[2], c[2];
    for (int b = 0; b < 2; b++) {
      t[b] = exp(pc_random_uniform(&random, log(50), log(2000)));
      c[b] = exp(pc_random_uniform(&random, log(0.1), log(100)));
    }
    double w = fmin(c[0] * t[0], c[1] * t[1]) * exp(pc_random_uniform(&random, log(1e-3), 0));
    worst = pc_worst(worst, share_error(report, lumped, t, c, w));
  }
  pc_report_derived(report, "temperatures",
                    "temperatures of two spheres after 200 inelastic collisions, largest "
                    "difference over the rise",
                    0, worst, "1", 1e-11,
                    "(3.165), (3.166) with lambda = 0, solved for two points");
  pc_heat_destroy(lumped);
}

// 3.6: two balls on a string.

// Largest difference in positions (m) and temperatures (K) over what the string does in `until`
// seconds, at steps that are not in step with it.
typedef struct difference {
  double position, temperature, drift;
} difference;

static difference string_difference(pc_report *report, int steps, double until)
{
  difference bad = {NAN, NAN, NAN}, all = {0};
  pc_heat_string string = {.length = 1,
                           .stiffness = 150,
                           .viscosity = 2,
                           .ball = {{.mass = 1, .capacity = 0.3}, {.mass = 2, .capacity = 0.5}}};
  pc_heat_string_state state = {
      .position = {0, 0.83}, .velocity = {-2.2, 1.1}, .temperature = {300, 400}};
  pc_trial t;
  bool good = pc_trial_read(
      &t, "kind: rigid\n"
          "duration: 1\n"
          "step: 1e-3\n"
          "gravity: [0, 0, 0]\n"
          "solver: {tolerance: 1e-13}\n"
          "bodies:\n"
          "  - {name: a, shape: {type: sphere, radius: 0.01}, mass: 1, position: [0, 0, 0], "
          "velocity: [-2.2, 0, 0]}\n"
          "  - {name: b, shape: {type: sphere, radius: 0.01}, mass: 2, position: [0.83, 0, 0], "
          "velocity: [1.1, 0, 0]}\n"
          "strings: [{bodies: [a, b], length: 1, stiffness: 150, damping: 2}]\n"
          "heat:\n"
          "  bodies:\n"
          "    - {bodies: a, temperature: 300, capacity: 0.3}\n"
          "    - {bodies: b, temperature: 400, capacity: 0.5}\n");
  for (int k = 1; k <= steps && good; k++) {
    good = pc_report_step(report, t.scene.world, until / steps) &&
           pc_heat_string_run(&string, &state, until * k / steps, NULL) == PC_OK;
    for (int b = 0; b < 2; b++) {
      double x = pc_trial_state(&t, b + 1).position[0];
      all.position = fmax(all.position, fabs(x - state.position[b]));
      all.temperature =
          fmax(all.temperature, fabs(temperature_of(&t, b + 1) - state.temperature[b]));
    }
  }
  all.drift = t.fine ? pc_world_info(t.scene.world)->drift : NAN;
  good = good && state.turns == 2; // taut, and slack again
  pc_trial_end(&t, NULL);
  return good ? all : bad;
}

static void string(pc_report *report)
{
  static const int steps[3] = {211, 844, 3376};
  difference d[3];
  for (int i = 0; i < 3; i++)
    d[i] = string_difference(report, steps[i], 0.5);
  const char *oracle = "(3.60), (3.61), (3.82) to (3.84), corrected, integrated to 1e-12";
  pc_report_derived(report, "position", "largest difference in place over 0.5 s, 3376 steps", 0,
                    d[2].position, "m", 1e-6, oracle);
  pc_report_derived(report, "temperature", "largest difference of temperatures, of a rise of 2 K",
                    0, d[2].temperature, "K", 1e-5, oracle);
  pc_report_derived(report, "order.position", "order in the step of places, 211 to 3376 steps", 2,
                    0.25 * log2(d[0].position / d[2].position), "1", 0.3, oracle);
  pc_report_derived(report, "order.temperature", "order in the step of temperatures", 2,
                    0.25 * log2(d[0].temperature / d[2].temperature), "1", 0.3, oracle);
  pc_report_self_check(report, "energy", "error of the energy balance, relative", 0,
                       fmax(d[0].drift, d[2].drift), "1", 1e-13, "kept");
}

// Closed forms.

static void slide(pc_report *report)
{
  const double mu = 0.35, speed = 3, specific = 460;
  pc_trial t;
  pc_trial_read(&t, "kind: rigid\n"
                    "duration: 1\n"
                    "step: 5e-4\n"
                    "solver: {tolerance: 1e-10}\n"
                    "default_law: {normal: {kind: inelastic}, "
                    "tangential: {kind: coulomb, mu: 0.35}}\n"
                    "obstacles: [{shape: {type: plane}}]\n"
                    "bodies: [{shape: {type: box, size: [0.4, 0.3, 0.1]}, "
                    "position: [0, 0, 0.05], velocity: [3, 0, 0]}]\n"
                    "heat: {specific_heat: 460}\n");
  bool solved = pc_trial_advance(report, &t, 2000, 5e-4);
  double rise = solved ? temperature_of(&t, 2) - 293.15 : NAN;
  pc_report_derived(report, "rise", "temperature of a block after it slid to rest",
                    0.5 * speed * speed / specific, rise, "K", 1e-10, "v^2 / (2 c)");
  pc_report_derived(report, "way", "the same over the distance it slid", mu * g / specific,
                    rise / pc_trial_state(&t, 2).position[0], "K/m", 1e-3 * mu * g / specific,
                    "mu g / c; the distance is right to v h");
  pc_trial_end(&t, NULL);
}

static void bounce(pc_report *report)
{
  pc_trial t;
  pc_trial_read(&t, "kind: rigid\n"
                    "duration: 1\n"
                    "step: 1e-3\n"
                    "solver: {tolerance: 1e-10}\n"
                    "default_law: {normal: {kind: restitution, e: 0.8}, "
                    "tangential: {kind: coulomb, mu: 0}}\n"
                    "obstacles: [{shape: {type: plane}}]\n"
                    "bodies: [{shape: {type: sphere, radius: 0.1}, mass: 3, "
                    "position: [0, 0, 2]}]\n"
                    "heat: {}\n");
  double share = NAN;
  if (pc_trial_advance(report, &t, 8000, 1e-3)) {
    double lost = 3 * g * (2 - pc_trial_state(&t, 2).position[2]) +
                  pc_world_info(t.scene.world)->total_correction;
    share = pc_body_get_heat(t.scene.world, (pc_body){2}) / lost;
  }
  pc_report_derived(report, "heat", "heat of a ball that bounced to rest, over m g times its fall",
                    1, share, "1", 1e-12, "energy is conserved");
  pc_trial_end(&t, NULL);
}

// Two boxes, one on the other, and a ball in air.
static void rest(pc_report *report)
{
  pc_trial t;
  pc_trial_read(&t,
                "kind: rigid\n"
                "duration: 1\n"
                "step: 5e-3\n"
                "solver: {tolerance: 1e-10}\n"
                "default_law: {normal: {kind: inelastic}, "
                "tangential: {kind: coulomb, mu: 0.5}}\n"
                "obstacles: [{shape: {type: plane}}]\n"
                "bodies:\n"
                "  - {name: low, shape: {type: box, size: [0.2, 0.2, 0.2]}, "
                "position: [0, 0, 0.1]}\n"
                "  - {name: high, shape: {type: box, size: [0.2, 0.2, 0.2]}, "
                "position: [0, 0, %.17g]}\n"
                "heat:\n"
                "  conductance: 4\n"
                "  bodies:\n"
                "    - {bodies: low, temperature: 300, capacity: 3}\n"
                "    - {bodies: high, temperature: 500, capacity: 7}\n",
                0.1 + 0.2);
  bool solved = pc_trial_advance(report, &t, 100, 5e-3);
  pc_report_derived(report, "conduction", "difference of two boxes, 200 K, after 0.5 s",
                    200 * exp(-4 * 0.5 * (1 / 3.0 + 1 / 7.0)),
                    solved ? temperature_of(&t, 3) - temperature_of(&t, 2) : NAN, "K", 1e-6,
                    "exp(-G t (1 / C_1 + 1 / C_2))");
  pc_trial_end(&t, NULL);
  pc_trial_read(&t, "kind: rigid\n"
                    "duration: 1\n"
                    "step: 0.5\n"
                    "gravity: [0, 0, 0]\n"
                    "solver: {tolerance: 1e-10}\n"
                    "bodies: [{name: ball, shape: {type: sphere, radius: 0.1}, "
                    "position: [0, 0, 0], velocity: [1, 0, 0]}]\n"
                    "heat: {exchange: 25, outside: 280, "
                    "bodies: [{bodies: ball, temperature: 380, capacity: 5}]}\n");
  solved = pc_trial_advance(report, &t, 20, 0.5);
  double area = 4 * 3.14159265358979323846 * 0.01;
  pc_report_derived(report, "cooling", "a ball of 380 K in air of 280 K after 10 s",
                    280 + 100 * exp(-25 * area * 10 / 5), solved ? temperature_of(&t, 1) : NAN, "K",
                    1e-10, "exp(-k A t / C)");
  pc_trial_end(&t, NULL);
}

// Many bodies.

// Balls and blocks in a box that is shaken: driven obstacles, friction, rebound, all ways of heat.
static bool read_shaken(pc_trial *t)
{
#define SHAKEN                                                                                     \
  "motion: {translation: {x: {sine: {amplitude: 0.02, frequency: 5}}}, "                           \
  "rotation: {axis: [0, 1, 0], rate: 1}}}\n"
  pc_random random;
  pc_random_seed(&random, 11);
  char bodies[8000];
  int length = 0;
  for (int i = 0; i < 40; i++) {
    double r = pc_random_uniform(&random, 0.03, 0.05), x[3];
    for (int k = 0; k < 3; k++)
      x[k] = pc_random_uniform(&random, -0.3, 0.3);
    size_t room = sizeof bodies - (size_t)length;
    length += i % 2 == 0 ? snprintf(bodies + length, room,
                                    "  - {shape: {type: sphere, radius: %.17g}, "
                                    "position: [%.17g, %.17g, %.17g]}\n",
                                    r, x[0], x[1], x[2])
                         : snprintf(bodies + length, room,
                                    "  - {shape: {type: box, size: [%.17g, %.17g, %.17g]}, "
                                    "position: [%.17g, %.17g, %.17g]}\n",
                                    r, 1.5 * r, 2 * r, x[0], x[1], x[2]);
  }
  return pc_trial_read(
      t,
      "kind: rigid\n"
      "duration: 10\n"
      "step: 1e-3\n"
      "overlaps: allowed\n"
      "default_law: {normal: {kind: restitution, e: 0.5}, tangential: {kind: coulomb, mu: 0.4}}\n"
      "heat: {specific_heat: 1, conductance: 0.5, exchange: 1, outside: 280, obstacles: 293.15}\n"
      "obstacles:\n"
      "  - {shape: {type: plane, normal: [1, 0, 0]}, position: [-0.4, 0, 0], " SHAKEN
      "  - {shape: {type: plane, normal: [-1, 0, 0]}, position: [0.4, 0, 0], " SHAKEN
      "  - {shape: {type: plane, normal: [0, 1, 0]}, position: [0, -0.4, 0], " SHAKEN
      "  - {shape: {type: plane, normal: [0, -1, 0]}, position: [0, 0.4, 0], " SHAKEN
      "  - {shape: {type: plane, normal: [0, 0, 1]}, position: [0, 0, -0.4], " SHAKEN
      "  - {shape: {type: plane, normal: [0, 0, -1]}, position: [0, 0, 0.4], " SHAKEN "bodies:\n"
      "%s",
      bodies);
}

static void soak(pc_report *report)
{
  pc_trial t;
  int falls = 0, cold = 0;
  bool good = read_shaken(&t);
  pc_world *world = t.scene.world;
  for (int i = 0; i < 10000 && good; i++) {
    good = pc_world_step(world, 1e-3) == PC_OK && pc_world_info(world)->closed;
    const pc_step_info *info = pc_world_info(world);
    double noise = 1e-13 * (fabs(info->entropy) + fabs(info->thermal) / info->coldest);
    falls += info->entropy_produced < -fmax(0, -info->unsigned_part) / info->coldest - noise;
    cold += !(info->coldest > 0);
  }
  pc_report_count(report, good);
  static const pc_step_info none = {.drift = NAN};
  const pc_step_info *info = t.fine ? pc_world_info(world) : &none;
  pc_report_self_check(
      report, "energy",
      "total energy after 10,000 steps of a shaken box, error of the balance, relative", 0,
      good ? info->drift : NAN, "1", 1e-10, "kept");
  pc_report_derived(report, "heat", "heat received and given over the energy dissipated", 1,
                    (info->thermal + info->total_heat_outside + info->total_heat_obstacles) /
                        info->total_dissipated,
                    "1", 1e-10, "all of it becomes heat");
  pc_report_property(report, "entropy",
                     "steps in which entropy falls by more than laws without a sign explain", falls,
                     "Clausius and Duhem");
  pc_report_property(report, "positive", "steps with a temperature that is not positive", cold,
                     NULL);
  pc_trial_end(&t, NULL);
}

const pc_case pc_cases_heat_rigid[] = {
    {"fremond.heat.rigid_share", "Frémond, Collisions Engineering (2017), 3.7", false, share},
    {"fremond.heat.rigid_string", "Frémond, Collisions Engineering (2017), 3.6", false, string},
    {"fremond.heat.rigid_slide", "closed form", false, slide},
    {"fremond.heat.rigid_bounce", "closed form", false, bounce},
    {"fremond.heat.rigid_rest", "closed form", false, rest},
    {"fremond.heat.rigid_soak", "conservation of energy, growth of entropy", false, soak},
    {0}};
