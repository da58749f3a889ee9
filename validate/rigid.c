// Rigid bodies in motion against closed forms: stacks, slopes, bounces, rolling.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "setup.h"

static const double g = 9.81;
static const double up[3] = {0, 0, 1};

static pc_law frictional(double e, double mu)
{
  pc_law law = {.normal = {.kind = e > 0 ? PC_NORMAL_RESTITUTION : PC_NORMAL_INELASTIC, .e = e},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {mu}, .on = PC_ON_AFTER}};
  return law;
}

// A world with a floor through the origin.
static pc_world *ground(pc_report *report, const double normal[3], const pc_law *law,
                        double tolerance)
{
  pc_world_def def = pc_world_def_default();
  def.tolerance = tolerance;
  pc_world *world = pc_report_world(report, &def);
  if (world == NULL)
    return NULL;
  pc_body_def floor = pc_body_def_default();
  floor.shape = pc_shape_plane(3, normal, NULL);
  floor.kind = PC_FIXED;
  pc_world_set_default_law(world, law);
  pc_body_create(world, &floor);
  pc_shape_release(floor.shape);
  return world;
}

// Takes the shape.
static pc_body put(pc_world *world, pc_shape *shape, double mass, double x, double z,
                   const double *orientation)
{
  pc_body_def def = pc_body_def_default();
  def.shape = shape;
  def.mass = mass;
  def.position[0] = x;
  def.position[2] = z;
  if (orientation != NULL)
    memcpy(def.orientation, orientation, sizeof def.orientation);
  pc_body body = pc_body_create(world, &def);
  pc_shape_release(shape);
  return body;
}

static pc_body unit_box(pc_world *world, double mass, double z)
{
  static const double size[3] = {1, 1, 1};
  return put(world, pc_shape_box(size, NULL), mass, 0, z, NULL);
}

static bool run(pc_report *report, pc_world *world, int steps, double h)
{
  bool solved = world != NULL;
  for (int i = 0; i < steps && world != NULL; i++)
    solved = pc_report_step(report, world, h) && solved;
  return solved;
}

static void stack_of_ten(pc_report *report)
{
  pc_law law = frictional(0, 0.5);
  pc_world *world = ground(report, up, &law, 1e-4);
  if (world == NULL)
    return;
  for (int i = 0; i < 10; i++)
    unit_box(world, 1000, 0.5 + i);
  bool solved = run(report, world, 6000, 0.01);
  double top = NAN, aside = 0;
  for (int i = 0; i < 10 && solved; i++) {
    pc_body_state state;
    pc_body_get(world, (pc_body){i + 2}, &state);
    top = state.position[2];
    aside = fmax(aside, hypot(state.position[0], state.position[1]));
  }
  const pc_step_info *info = pc_world_info(world);
  pc_report_derived(report, "ten.height", "height of the top of ten unit boxes after 60 s", 10,
                    top + 0.5, "m", 1e-4, "at rest");
  pc_report_derived(report, "ten.drift", "largest way sideways", 0, solved ? aside : NAN, "m", 1e-4,
                    "at rest");
  pc_report_derived(report, "ten.kinetic", "kinetic energy after 60 s, of 450 kJ potential", 0,
                    info->kinetic_translation + info->kinetic_rotation, "J", 1e-6, "at rest");
  pc_world_destroy(world);
}

static void stack_heavy(pc_report *report)
{
  static const double ratios[] = {1000, 10000};
  for (int r = 0; r < 2; r++) {
    pc_law law = frictional(0, 0.5);
    pc_world *world = ground(report, up, &law, 1e-4);
    if (world == NULL)
      return;
    pc_body light = unit_box(world, 1, 0.5), heavy = unit_box(world, ratios[r], 1.5);
    bool solved = run(report, world, 500, 0.01);
    pc_body_state a, b;
    pc_body_get(world, light, &a);
    pc_body_get(world, heavy, &b);
    const char *note = "at rest; Bullet sinks to 0.5, Box3D to 1.16 at 1000:1";
    pc_report_derived(report, pc_report_name(report, "heavy_%g.height", ratios[r]),
                      "height of the upper box, heavier by this ratio, after 5 s", 1.5,
                      solved ? b.position[2] : NAN, "m", 1e-3, note);
    pc_report_derived(report, pc_report_name(report, "heavy_%g.light", ratios[r]),
                      "height of the light box below it", 0.5, solved ? a.position[2] : NAN, "m",
                      1e-3, "at rest");
    pc_world_destroy(world);
  }
}

static void stack(pc_report *report)
{
  stack_of_ten(report);
  stack_heavy(report);
}

// A slab on a slope: how far it slid and how fast it is after `time`.
static bool slide(pc_report *report, double angle, double mu, double time, double *way,
                  double *speed)
{
  double normal[3] = {sin(angle), 0, cos(angle)}, size[3] = {1, 1, 0.2};
  double orientation[4] = {cos(0.5 * angle), 0, sin(0.5 * angle), 0}, h = 1e-3;
  pc_law law = frictional(0, mu);
  pc_world *world = ground(report, normal, &law, 1e-9);
  if (world == NULL)
    return false;
  pc_body_def def = pc_body_def_default();
  def.shape = pc_shape_box(size, NULL);
  for (int i = 0; i < 3; i++)
    def.position[i] = 0.1 * normal[i];
  memcpy(def.orientation, orientation, sizeof orientation);
  pc_body slab = pc_body_create(world, &def);
  pc_shape_release(def.shape);
  bool solved = run(report, world, (int)lround(time / h), h);
  pc_body_state state;
  pc_body_get(world, slab, &state);
  double down[3] = {cos(angle), 0, -sin(angle)};
  *way = *speed = 0;
  for (int i = 0; i < 3; i++) {
    *way += down[i] * (state.position[i] - def.position[i]);
    *speed += down[i] * state.velocity[i];
  }
  pc_world_destroy(world);
  return solved;
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
      bool solved = slide(report, atan(below[i] * mus[m]), mus[m], 0.5, &way, &speed);
      wrong += !solved || !(fabs(way) < 1e-6) || !(fabs(speed) < 1e-6);
      double angle = atan(above[i] * mus[m]);
      double expected = g * (sin(angle) - mus[m] * cos(angle));
      solved = slide(report, angle, mus[m], 0.5, &way, &speed);
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
  pc_law law = frictional(e, 0.5);
  pc_world *world = ground(report, up, &law, 1e-12);
  if (world == NULL)
    return false;
  const double radius = 0.1;
  pc_body ball = put(world, pc_shape_sphere(radius, NULL), 1, 0, radius + height, NULL);
  bool solved = true;
  double last = 0, top = 0;
  int seen = -1; // the first fall is not a bounce
  *energy_error = 0;
  for (long i = 0; i < 4000000 && seen < bounces; i++) {
    solved = pc_report_step(report, world, h) && solved;
    pc_body_state state;
    pc_body_get(world, ball, &state);
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
  pc_world_destroy(world);
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
  pc_law law = frictional(0, 0.5);
  pc_world *world = ground(report, up, &law, 1e-9);
  if (world == NULL)
    return;
  pc_body ball = put(world, pc_shape_sphere(0.1, NULL), 1, 0, 1.1, NULL);
  double highest = 0;
  solved = true;
  bool landed = false;
  for (int i = 0; i < 10000; i++) {
    solved = pc_report_step(report, world, h) && solved;
    pc_body_state state;
    pc_body_get(world, ball, &state);
    landed = landed || state.position[2] < 0.1 + 1e-6;
    if (landed)
      highest = fmax(highest, fabs(state.position[2] - 0.1));
  }
  pc_report_derived(report, "dead.top", "farthest from the floor after landing, e = 0", 0,
                    solved && landed ? highest : NAN, "m", 1e-6, "it stays down");
  pc_world_destroy(world);
  solved = bounce(report, 1, 0.1, 1e-3, 1001, NULL, &error);
  pc_report_derived(report, "elastic.energy",
                    "largest relative change of energy in 1000 bounces, e = 1", 0,
                    solved ? error : NAN, "-", 1e-9, "kept");
}

static void roll_one(pc_report *report, const char *name, const char *quantity, pc_shape *shape,
                     double angle, double expected)
{
  double normal[3] = {sin(angle), 0, cos(angle)}, h = 1e-3, time = 1;
  pc_law law = frictional(0, 0.6);
  pc_world *world = ground(report, normal, &law, 1e-9);
  if (world == NULL)
    return;
  // A cylinder lies across the slope.
  const double across[4] = {sqrt(0.5), sqrt(0.5), 0, 0};
  pc_body_def def = pc_body_def_default();
  def.shape = shape;
  for (int i = 0; i < 3; i++)
    def.position[i] = 0.1 * normal[i];
  memcpy(def.orientation, across, sizeof across);
  pc_body body = pc_body_create(world, &def);
  pc_shape_release(shape);
  bool solved = run(report, world, (int)lround(time / h), h);
  pc_body_state state;
  pc_body_get(world, body, &state);
  double speed = state.velocity[0] * cos(angle) - state.velocity[2] * sin(angle);
  double way = 0;
  for (int i = 0; i < 3; i++)
    way += (state.position[i] - def.position[i]) * (i == 0 ? cos(angle) : i == 2 ? -sin(angle) : 0);
  pc_report_derived(report, name, quantity, expected,
                    solved ? speed / (time * g * sin(angle)) : NAN, "-", 1e-3,
                    "1 / (1 + I/(m r^2)), rolling without sliding");
  pc_report_derived(report, pc_report_name(report, "%s.way", name), "the same from the way made",
                    expected, solved ? 2 * way / (time * time * g * sin(angle)) : NAN, "-", 1e-3,
                    "1 / (1 + I/(m r^2)), rolling without sliding");
  pc_world_destroy(world);
}

static void roll(pc_report *report)
{
  roll_one(report, "sphere", "acceleration of a sphere over g sin(angle)",
           pc_shape_sphere(0.1, NULL), 0.3, 5.0 / 7);
  roll_one(report, "cylinder", "acceleration of a cylinder over g sin(angle)",
           pc_shape_cylinder(0.1, 0.3, NULL), 0.3, 2.0 / 3);
}

// --- rolling friction ---------------------------------------------------------------------------

// A ball in space or a disc in the plane, of 1 kg and radius 0.1 m, that touches a slope.
typedef struct roller {
  pc_world *world;
  pc_body body;
  bool plane;
  double down[3], start[3]; // down the slope; where it began
} roller;

static const double roller_radius = 0.1;

static roller put_roller(pc_report *report, bool plane, double angle, double mu, double rolling,
                         double speed)
{
  roller r = {.plane = plane};
  int up_axis = plane ? 1 : 2;
  double normal[3] = {sin(angle), 0, 0};
  normal[up_axis] = cos(angle);
  r.down[0] = cos(angle);
  r.down[up_axis] = -sin(angle);
  pc_law law = frictional(0, mu);
  law.tangential.rolls = true;
  law.tangential.rolling = rolling;
  pc_world_def world = pc_world_def_default();
  world.tolerance = 1e-9;
  world.dimension = plane ? 2 : 3;
  world.gravity[0] = world.gravity[1] = world.gravity[2] = 0;
  world.gravity[up_axis] = -g;
  r.world = pc_report_world(report, &world);
  if (r.world == NULL)
    return r;
  pc_world_set_default_law(r.world, &law);
  pc_body_def def = pc_body_def_default();
  def.kind = PC_FIXED;
  def.shape = pc_shape_plane(plane ? 2 : 3, normal, NULL);
  pc_body_create(r.world, &def);
  pc_shape_release(def.shape);
  def = pc_body_def_default();
  def.shape = plane ? pc_shape_disc(roller_radius, NULL) : pc_shape_sphere(roller_radius, NULL);
  def.mass = 1;
  for (int i = 0; i < 3; i++) {
    def.position[i] = r.start[i] = roller_radius * normal[i];
    def.velocity[i] = speed * r.down[i];
  }
  def.spin[plane ? 2 : 1] = (plane ? -1 : 1) * speed / roller_radius;
  r.body = pc_body_create(r.world, &def);
  pc_shape_release(def.shape);
  return r;
}

// Runs it; gives the speed down the slope and the way made.
static bool run_roller(pc_report *report, const roller *r, double time, double *speed, double *way)
{
  const double h = 1e-3;
  bool solved = run(report, r->world, (int)lround(time / h), h);
  pc_body_state state = {0};
  if (r->world != NULL)
    pc_body_get(r->world, r->body, &state);
  *speed = *way = 0;
  for (int i = 0; i < 3; i++) {
    *speed += state.velocity[i] * r->down[i];
    *way += (state.position[i] - r->start[i]) * r->down[i];
  }
  return solved && r->world != NULL;
}

static void rolling_friction(pc_report *report)
{
  static const char *const names[] = {"ball", "disc"};
  double speed, way, turn = 0;
  for (int plane = 0; plane < 2; plane++) {
    const char *name = names[plane];
    double share = 1 / (1 + (plane ? 0.5 : 0.4)), rolling = 0.02, angle = 0.3;
    const char *note = "(g sin - rolling/R g cos) / (1 + I/(m R^2)) while it does not slide";
    roller r = put_roller(report, plane, angle, 0.6, rolling, 0);
    bool solved = run_roller(report, &r, 1, &speed, &way);
    pc_report_derived(report, pc_report_name(report, "%s.slope", name),
                      "acceleration down a slope of 0.3 rad, rolling/R = 0.2",
                      share * g * (sin(angle) - rolling / roller_radius * cos(angle)),
                      solved ? speed : NAN, "m/s^2", 1e-6, note);
    pc_world_destroy(r.world);

    // On either side of tan(angle) = rolling / R.
    const double slopes[] = {0.199, 0.201};
    for (int i = 0; i < 2; i++) {
      r = put_roller(report, plane, atan(slopes[i]), 0.6, rolling, 0);
      solved = run_roller(report, &r, 1, &speed, &way);
      double s = atan(slopes[i]), full = g * (sin(s) - rolling / roller_radius * cos(s));
      pc_report_derived(report, pc_report_name(report, "%s.%s", name, i == 0 ? "rests" : "starts"),
                        i == 0 ? "speed after 1 s where tan(angle) = 0.199 < rolling/R"
                               : "speed after 1 s where tan(angle) = 0.201 > rolling/R",
                        i == 0 ? 0 : share * full, solved ? speed : NAN, "m/s", 1e-6,
                        i == 0 ? "at rest" : note);
      pc_world_destroy(r.world);
    }

    // On the level it stops, and its energy has gone into moment times turn.
    r = put_roller(report, plane, 0, 0.6, rolling, 1);
    solved = run_roller(report, &r, 1.5, &speed, &way);
    double slowing = share * g * rolling / roller_radius;
    pc_report_derived(report, pc_report_name(report, "%s.way", name),
                      "way until it stops on the level, from 1 m/s", 1 / (2 * slowing),
                      solved ? way : NAN, "m", 1e-5, "v^2/2 over g rolling/R / (1 + I/(m R^2))");
    pc_report_derived(report, pc_report_name(report, "%s.stops", name), "its speed then", 0,
                      solved ? speed : NAN, "m/s", 1e-6, "at rest");
    turn = way / roller_radius;
    double lost = r.world != NULL ? pc_world_info(r.world)->total_dissipated : NAN;
    pc_report_derived(report, pc_report_name(report, "%s.dissipated", name),
                      "energy dissipated over rolling m g times the turn", 1,
                      solved ? lost / (rolling * g * turn) : NAN, "-", 1e-5, "moment times turn");
    pc_world_destroy(r.world);
  }
}

const pc_case pc_cases_rigid[] = {
    {"rigid.stack", "closed form: bodies at rest", true, stack},
    {"rigid.slope", "closed form: Coulomb's block", false, slope},
    {"rigid.bounce", "closed form: Newton's ball", false, bounces},
    {"rigid.roll", "closed form: rolling without sliding", false, roll},
    {"rigid.rolling", "closed form: rolling friction", false, rolling_friction},
    {NULL, NULL, false, NULL},
};
