// Heat of rigid bodies in motion: chapter 3 of the book with bodies that are more than points, and
// closed forms.
#include <math.h>
#include <string.h>

#include "percuss/heat.h"
#include "percuss/random.h"
#include "percuss/world_heat.h"
#include "setup.h"

static const double g = 9.81;

static pc_world *world_of(pc_report *report, double gravity, double tolerance,
                          const pc_heat_def *heat)
{
  pc_world_def def = pc_world_def_default();
  def.gravity[2] = -gravity;
  def.tolerance = tolerance;
  pc_world *world = pc_report_world(report, &def);
  if (world != NULL && pc_world_set_heat(world, heat) != PC_OK) {
    pc_world_destroy(world);
    return NULL;
  }
  return world;
}

static void set_law(pc_world *world, double e, double mu)
{
  pc_law law = {.normal = {.kind = e > 0 ? PC_NORMAL_RESTITUTION : PC_NORMAL_INELASTIC, .e = e},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {mu}, .on = PC_ON_AFTER}};
  pc_world_set_default_law(world, &law);
}

// Takes the shape; mass 0: from the density.
static pc_body put(pc_world *world, pc_shape *shape, double mass, double x, double z, double speed)
{
  pc_body_def def = pc_body_def_default();
  def.shape = shape;
  def.mass = mass;
  def.position[0] = x;
  def.position[2] = z;
  def.velocity[0] = speed;
  pc_body body = pc_body_create(world, &def);
  pc_shape_release(shape);
  return body;
}

static pc_body put_floor(pc_world *world)
{
  pc_body_def def = pc_body_def_default();
  def.shape = pc_shape_plane(3, (const double[3]){0, 0, 1}, NULL);
  def.kind = PC_FIXED;
  pc_body body = pc_body_create(world, &def);
  pc_shape_release(def.shape);
  return body;
}

static bool run(pc_report *report, pc_world *world, int steps, double h)
{
  bool solved = true;
  for (int i = 0; i < steps; i++)
    solved = pc_report_step(report, world, h) && solved;
  return solved;
}

// --- 3.7: a collision ---------------------------------------------------------------------------

// Two spheres meet head on, inelastic, and lose W. Gives the largest difference to the temperatures
// of the lumped collision, relative to the larger rise.
static double share_error(pc_report *report, pc_heat *lumped, const double t[2], const double c[2],
                          double w)
{
  pc_heat_def heat = pc_heat_def_default();
  pc_world *world = world_of(report, 0, 1e-12, &heat);
  if (world == NULL)
    return NAN;
  set_law(world, 0, 0);
  pc_body ball[2];
  pc_heat_body body[2] = {{.temperature = t[0], .capacity = c[0]},
                          {.temperature = t[1], .capacity = c[1]}};
  pc_heat_interaction hit = {.bodies = {0, 1}, .work = w};
  pc_heat_result after[2];
  pc_heat_info info;
  for (int b = 0; b < 2; b++) {
    double sign = b == 0 ? -1 : 1;
    ball[b] = put(world, pc_shape_sphere(1, NULL), 1, sign, 0, -sign * sqrt(w));
    pc_body_set_capacity(world, ball[b], c[b]);
    pc_body_set_temperature(world, ball[b], t[b]);
  }
  bool good =
      run(report, world, 3, 1e-3) &&
      pc_heat_solve(lumped, PC_HEAT_ADIABATIC, 2, body, 1, &hit, after, &info, NULL) == PC_OK &&
      info.solved;
  double error = good ? 0 : NAN, most = fmax(after[0].jump, after[1].jump);
  for (int b = 0; b < 2 && good; b++)
    error =
        fmax(error, fabs(pc_body_get_temperature(world, ball[b]) - after[b].temperature) / most);
  pc_world_destroy(world);
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

// --- 3.6: two balls on a string -----------------------------------------------------------------

// Largest difference in positions (m) and temperatures (K) over what the string does in `until`
// seconds, at steps that are not in step with it.
typedef struct difference {
  double position, temperature, drift;
} difference;

static difference string_difference(pc_report *report, int steps, double until)
{
  static const double mass[2] = {1, 2}, capacity[2] = {0.3, 0.5}, start[2] = {300, 400};
  static const double x[2] = {0, 0.83}, v[2] = {-2.2, 1.1};
  difference bad = {NAN, NAN, NAN}, all = {0};
  pc_heat_def heat = pc_heat_def_default();
  pc_world *world = world_of(report, 0, 1e-13, &heat);
  if (world == NULL)
    return bad;
  pc_heat_string string = {.length = 1, .stiffness = 150, .viscosity = 2};
  pc_heat_string_state state = {0};
  pc_body ball[2];
  double points[2][3] = {{0}};
  for (int b = 0; b < 2; b++) {
    ball[b] = put(world, pc_shape_sphere(0.01, NULL), mass[b], x[b], 0, v[b]);
    pc_body_set_capacity(world, ball[b], capacity[b]);
    pc_body_set_temperature(world, ball[b], start[b]);
    points[b][0] = x[b];
    string.ball[b] = (pc_heat_ball){.mass = mass[b], .capacity = capacity[b]};
    state.position[b] = x[b];
    state.velocity[b] = v[b];
    state.temperature[b] = start[b];
  }
  bool good = pc_world_add_string(world, ball, (const double(*)[3])points, string.length,
                                  string.stiffness, string.viscosity) >= 0;
  for (int k = 1; k <= steps && good; k++) {
    good = pc_report_step(report, world, until / steps) &&
           pc_heat_string_run(&string, &state, until * k / steps, NULL) == PC_OK;
    for (int b = 0; b < 2; b++) {
      pc_body_state at;
      pc_body_get(world, ball[b], &at);
      all.position = fmax(all.position, fabs(at.position[0] - state.position[b]));
      all.temperature = fmax(all.temperature,
                             fabs(pc_body_get_temperature(world, ball[b]) - state.temperature[b]));
    }
  }
  all.drift = pc_world_info(world)->drift;
  good = good && state.turns == 2; // taut, and slack again
  pc_world_destroy(world);
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
  pc_report_derived(report, "energy", "energy that the account leaves open, relative", 0,
                    fmax(d[0].drift, d[2].drift), "1", 1e-13, "kept");
}

// --- closed forms -------------------------------------------------------------------------------

static void slide(pc_report *report)
{
  const double mu = 0.35, speed = 3, specific = 460;
  pc_heat_def heat = pc_heat_def_default();
  heat.specific = specific;
  pc_world *world = world_of(report, g, 1e-10, &heat);
  if (world == NULL)
    return;
  set_law(world, 0, mu);
  put_floor(world);
  pc_body block =
      put(world, pc_shape_box((const double[3]){0.4, 0.3, 0.1}, NULL), 0, 0, 0.05, speed);
  bool solved = run(report, world, 2000, 5e-4);
  pc_body_state at;
  pc_body_get(world, block, &at);
  double rise = pc_body_get_temperature(world, block) - heat.temperature;
  pc_report_derived(report, "rise", "temperature of a block after it slid to rest",
                    0.5 * speed * speed / specific, solved ? rise : NAN, "K", 1e-10, "v^2 / (2 c)");
  pc_report_derived(report, "way", "the same over its way", mu * g / specific,
                    solved ? rise / at.position[0] : NAN, "K/m", 1e-3 * mu * g / specific,
                    "mu g / c; the way is right to v h");
  pc_world_destroy(world);
}

static void bounce(pc_report *report)
{
  const double height = 2, radius = 0.1;
  pc_heat_def heat = pc_heat_def_default();
  pc_world *world = world_of(report, g, 1e-10, &heat);
  if (world == NULL)
    return;
  set_law(world, 0.8, 0);
  put_floor(world);
  pc_body ball = put(world, pc_shape_sphere(radius, NULL), 3, 0, height, 0);
  bool solved = run(report, world, 8000, 1e-3);
  pc_body_state at;
  pc_body_get(world, ball, &at);
  double lost = 3 * g * (height - at.position[2]) + pc_world_info(world)->total_correction;
  pc_report_derived(report, "heat", "heat of a ball that bounced to rest, over m g times its fall",
                    1, solved ? pc_body_get_heat(world, ball) / lost : NAN, "1", 1e-12,
                    "energy is kept");
  pc_world_destroy(world);
}

// Two boxes, one on the other, and the air.
static void rest(pc_report *report)
{
  pc_heat_def heat = pc_heat_def_default();
  heat.conductance = 4;
  pc_world *world = world_of(report, g, 1e-10, &heat);
  if (world == NULL)
    return;
  set_law(world, 0, 0.5);
  put_floor(world);
  pc_body box[2];
  for (int b = 0; b < 2; b++) {
    box[b] =
        put(world, pc_shape_box((const double[3]){0.2, 0.2, 0.2}, NULL), 0, 0, 0.1 + 0.2 * b, 0);
    pc_body_set_capacity(world, box[b], 3 + 4 * b);
    pc_body_set_temperature(world, box[b], 300 + 200 * b);
  }
  bool solved = run(report, world, 100, 5e-3);
  double apart = pc_body_get_temperature(world, box[1]) - pc_body_get_temperature(world, box[0]);
  pc_report_derived(report, "conduction", "difference of two boxes, 200 K, after 0.5 s",
                    200 * exp(-4 * 0.5 * (1 / 3.0 + 1 / 7.0)), solved ? apart : NAN, "K", 1e-6,
                    "exp(-G t (1 / C_1 + 1 / C_2))");
  pc_world_destroy(world);
  heat = pc_heat_def_default();
  heat.exchange = 25;
  heat.outside = 280;
  world = world_of(report, 0, 1e-10, &heat);
  if (world == NULL)
    return;
  pc_body ball = put(world, pc_shape_sphere(0.1, NULL), 0, 0, 0, 1);
  pc_body_set_capacity(world, ball, 5);
  pc_body_set_temperature(world, ball, 380);
  solved = run(report, world, 20, 0.5);
  double area = 4 * 3.14159265358979323846 * 0.01;
  pc_report_derived(report, "cooling", "a ball of 380 K in air of 280 K after 10 s",
                    280 + 100 * exp(-25 * area * 10 / 5),
                    solved ? pc_body_get_temperature(world, ball) : NAN, "K", 1e-10,
                    "exp(-k A t / C)");
  pc_world_destroy(world);
}

// --- many bodies --------------------------------------------------------------------------------

// Balls and blocks in a box that is shaken: driven obstacles, friction, rebound, all ways of heat.
static pc_world *shaken(pc_report *report)
{
  pc_random random;
  pc_random_seed(&random, 11);
  pc_heat_def heat = pc_heat_def_default();
  heat.specific = 1;
  heat.conductance = 0.5;
  heat.exchange = 1;
  heat.outside = 280;
  heat.obstacles = true;
  pc_world *world = world_of(report, g, 1e-4, &heat);
  if (world == NULL)
    return NULL;
  set_law(world, 0.5, 0.4);
  pc_motion motion = {
      .axis = {0, 1, 0},
      .rotation = {.kind = PC_SIGNAL_RATE, .rate = 1},
      .translation[0] = {.kind = PC_SIGNAL_SINE, .amplitude = 0.02, .frequency = 5}};
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side <= 1; side += 2) {
      pc_body_def wall = pc_body_def_default();
      double normal[3] = {0};
      normal[axis] = -side;
      wall.position[axis] = 0.4 * side;
      wall.kind = PC_DRIVEN;
      wall.motion = motion;
      wall.shape = pc_shape_plane(3, normal, NULL);
      pc_body_create(world, &wall);
      pc_shape_release(wall.shape);
    }
  for (int i = 0; i < 40; i++) {
    double r = pc_random_uniform(&random, 0.03, 0.05);
    pc_body_def def = pc_body_def_default();
    for (int k = 0; k < 3; k++)
      def.position[k] = pc_random_uniform(&random, -0.3, 0.3);
    def.shape = i % 2 == 0 ? pc_shape_sphere(r, NULL)
                           : pc_shape_box((const double[3]){r, 1.5 * r, 2 * r}, NULL);
    pc_body_create(world, &def);
    pc_shape_release(def.shape);
  }
  return world;
}

static void soak(pc_report *report)
{
  pc_world *world = shaken(report);
  if (world == NULL)
    return;
  int falls = 0, cold = 0;
  bool good = true;
  for (int i = 0; i < 10000 && good; i++) {
    good = pc_world_step(world, 1e-3) == PC_OK && pc_world_info(world)->closed;
    const pc_step_info *info = pc_world_info(world);
    double noise = 1e-13 * (fabs(info->entropy) + fabs(info->thermal) / info->coldest);
    falls += info->entropy_produced < -fmax(0, -info->unsigned_part) / info->coldest - noise;
    cold += !(info->coldest > 0);
  }
  pc_report_count(report, good);
  const pc_step_info *info = pc_world_info(world);
  pc_report_derived(report, "energy",
                    "total energy after 10,000 steps of a shaken box, what is left open, relative",
                    0, good ? info->drift : NAN, "1", 1e-10, "kept");
  pc_report_derived(report, "heat", "heat got and given over what was dissipated", 1,
                    (info->thermal + info->total_heat_outside + info->total_heat_obstacles) /
                        info->total_dissipated,
                    "1", 1e-10, "all of it becomes heat");
  pc_report_property(report, "entropy",
                     "steps in which entropy falls by more than laws without a sign explain", falls,
                     "Clausius and Duhem");
  pc_report_property(report, "positive", "steps with a temperature that is not positive", cold,
                     NULL);
  pc_world_destroy(world);
}

const pc_case pc_cases_heat_rigid[] = {
    {"fremond.heat.rigid_share", "Frémond, Collisions Engineering (2017), 3.7", false, share},
    {"fremond.heat.rigid_string", "Frémond, Collisions Engineering (2017), 3.6", false, string},
    {"fremond.heat.rigid_slide", "closed form", false, slide},
    {"fremond.heat.rigid_bounce", "closed form", false, bounce},
    {"fremond.heat.rigid_rest", "closed form", false, rest},
    {"fremond.heat.rigid_soak", "conservation of energy, growth of entropy", false, soak},
    {0}};
