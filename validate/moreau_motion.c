// The experiments of Jean and Moreau (1992) in motion, from the scenes that `percuss run` runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

static const double pi = 3.14159265358979323846;

// A scene in motion.

static pc_trial start(const char *name, const char *from, const char *to)
{
  return pc_trial_start("moreau", name, from, to);
}

// `share`: of steps that may end above the solver's tolerance.
static void report_steps(pc_report *report, const pc_trial *all, double share)
{
  char quantity[96];
  snprintf(quantity, sizeof quantity,
           "steps, of %ld, that fail or whose energy balance does not close", all->steps);
  pc_report_own_steps(report, "account", quantity, (int)(all->open + !all->fine),
                      "energy, momentum and the sign of every dissipation that has one");
  pc_report_self_check(report, "accuracy", "share of steps that end above the scene's tolerance", 0,
                       pc_trial_value(all, (double)all->inaccurate / (double)all->steps), "1",
                       share, "none expected; the number of sweeps is limited");
}

static bool is_free(const pc_trial *m, int body)
{
  return pc_body_get_kind(m->scene.world, (pc_body){body}) == PC_FREE;
}

// The body of this name, 0 if there is none.
static int named(const pc_trial *m, const char *name)
{
  for (int i = 0; m->fine && i < m->scene.bodies; i++)
    if (strcmp(m->scene.names[i], name) == 0)
      return i + 1;
  return 0;
}

// Force of the contacts on an obstacle in the last step.
static double force_on(const pc_trial *m, int body, const double axis[3])
{
  double sum = 0;
  for (int c = 0; m->fine && c < pc_world_contacts(m->scene.world); c++) {
    pc_contact contact;
    pc_world_contact(m->scene.world, c, &contact);
    double sign = (contact.bodies[0].id == body) - (contact.bodies[1].id == body);
    for (int i = 0; i < 3; i++)
      sum += sign * axis[i] * contact.percussion[i];
  }
  return sum / m->scene.step;
}

// Rocking.

// The block of rocking.yaml.
static const double width = 0.4, height = 2, concave = 0.002;

// Spin after over before, turning over to the other corner without slip: the moment about it is
// kept. The block is a rectangle less the triangle below it.
static double rocking_ratio(double notch)
{
  double b = width / 2, whole = width * height, less = width * notch / 2;
  double area = whole - less, y = (whole * height / 2 - less * notch / 3) / area;
  double inertia = whole * ((width * width + height * height) / 12 + pow(height / 2 - y, 2)) -
                   less * (notch * notch / 18 + width * width / 24 + pow(notch / 3 - y, 2));
  return 1 - 2 * area * b * b / (inertia + area * (b * b + y * y));
}

static void rocking_impact(pc_report *report)
{
  double b = width / 2, h = height / 2, alpha = atan(width / height);
  const double position[2] = {0, h}, velocity[3] = {-h, -b, 1}, up[2] = {0, 1};
  const double corner[2][2] = {{b, 0}, {-b, 0}};
  pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {0.8}, .on = PC_ON_AFTER}};
  pc_impact *problem = pc_report_problem(report);
  pc_setup_body(problem, 3, 1, (b * b + h * h) / 3, position, velocity);
  for (int c = 0; c < 2; c++)
    pc_setup_contact(problem, 0, PC_OBSTACLE, corner[c], up, &law);
  double after[3] = {NAN, NAN, NAN};
  if (pc_report_solve(report, problem))
    pc_impact_velocity(problem, 0, after);
  pc_report_derived(report, "impact", "spin after over before, both corners touch",
                    1 - 1.5 * pow(sin(alpha), 2), after[2], "1", 1e-6,
                    "Housner: 1 - 3/2 sin^2(alpha), tan(alpha) = width/height; no slip");
  pc_report_derived(report, "impact.slip", "speed of the corner it turns to", 0,
                    hypot(after[0] + h * after[2], after[1] - b * after[2]), "m/s", 1e-6,
                    "it sticks");
  pc_impact_destroy(problem);
}

typedef struct rocking_run {
  double worst;  // error of the ratios of spin
  int crossings; // of the vertical
  int turns;     // to another corner
  int due;       // steps until the spin is compared
} rocking_run;

// Which corners have a percussion: 1 the left one, 2 the right one.
static int corners_pressed(const pc_trial *m)
{
  int pressed = 0;
  double middle = pc_trial_state(m, named(m, "block")).position[0];
  for (int c = 0; m->fine && c < pc_world_contacts(m->scene.world); c++) {
    pc_contact contact;
    pc_world_contact(m->scene.world, c, &contact);
    if (fabs(contact.percussion[1]) > 0)
      pressed |= contact.point[0] < middle ? 1 : 2;
  }
  return pressed;
}

// Runs the block. The first `count` times that it turns over, its spin a step after the old corner
// was left is compared with that before the new one was met: contact at position level brings a
// corner down in two steps.
static rocking_run rock(pc_trial *m, double h, double duration, int count, double ratio)
{
  rocking_run r = {.worst = 0};
  int block = named(m, "block"), carrier = 0, last = 0;
  double before = 0, tilt = 0;
  while (m->fine && pc_world_time(m->scene.world) < duration - 1e-9) {
    double spin = pc_trial_state(m, block).spin[2];
    pc_trial_step(m, h);
    pc_body_state state = pc_trial_state(m, block);
    int pressed = corners_pressed(m);
    double now = 2 * atan2(state.orientation[3], state.orientation[0]);
    r.crossings += now * tilt < 0;
    tilt = now;
    if (pressed != carrier && last == carrier)
      before = spin;
    last = pressed;
    if (pressed == 3 - carrier && r.turns++ < count)
      r.due = 1;
    else if (r.due > 0 && --r.due == 0)
      r.worst = pc_worst(r.worst, fabs(state.spin[2] / before - ratio));
    if (pressed == 1 || pressed == 2)
      carrier = pressed;
  }
  return r;
}

static void rocking(pc_report *report)
{
  rocking_impact(report);
  static const double steps[] = {2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4};
  double ratio = rocking_ratio(concave), error[5];
  pc_trial all = {.fine = true};
  int rising = 0;
  for (int i = 0; i < 5; i++) {
    pc_trial m = start("rocking.yaml", NULL, NULL);
    rocking_run r = rock(&m, steps[i], 2.5, 4, ratio);
    error[i] = pc_trial_value(&m, r.worst);
    rising += i > 0 && !(error[i] < error[i - 1]);
    pc_report_derived(report, pc_report_name(report, "run.h_%d", 1 << i),
                      "largest error of spin after over before, first 4 times, in motion", 0,
                      error[i], "1", 10 * steps[i],
                      "moment about the new corner; h = 2e-3 s over the number in the name");
    pc_trial_end(&m, &all);
  }
  pc_report_property(report, "run.falls", "halvings of h that do not lessen that error", rising,
                     "h from 2e-3 to 1.25e-4");
  pc_trial m = start("rocking.yaml", NULL, NULL);
  rocking_run r = rock(&m, m.scene.step, m.scene.duration, 1000, ratio);
  pc_report_property(report, "crosses", "the block does not cross the vertical, or once only",
                     !(m.fine && r.crossings > 1),
                     "section 6: \"this allows the block to rock!\"; zero restitution");
  pc_trial_end(&m, &all);
  report_steps(report, &all, 0);
}

// The wall.

enum { MAX_BLOCKS = 200 };

typedef struct wall {
  pc_trial motion;
  int up; // the axis that points up
  int blocks, body[MAX_BLOCKS];
  double start[MAX_BLOCKS][3];
} wall;

// The wall of a scene, at rest or under the earthquake; NULL when memory is out.
static wall *build_wall(const char *scene, bool quaking)
{
  wall *w = calloc(1, sizeof *w);
  if (w == NULL)
    return NULL;
  pc_trial *m = &w->motion;
  *m = start(scene, quaking ? NULL : "amplitude: 0.125", "amplitude: 0");
  w->up = m->fine ? pc_world_definition(m->scene.world)->dimension - 1 : 1;
  for (int i = 1; m->fine && i <= m->scene.bodies; i++)
    if (is_free(m, i) && w->blocks < MAX_BLOCKS) {
      pc_body_state state = pc_trial_state(m, i);
      memcpy(w->start[w->blocks], state.position, sizeof state.position);
      w->body[w->blocks++] = i;
    }
  return w;
}

static void end_wall(wall *w, pc_trial *all)
{
  pc_trial_end(&w->motion, all);
  free(w);
}

// How far a block is from where it was, along an axis.
static double moved(const wall *w, int block, int axis)
{
  return pc_trial_state(&w->motion, w->body[block]).position[axis] - w->start[block][axis];
}

static double farthest(const wall *w)
{
  double most = 0;
  for (int i = 0; i < w->blocks; i++) {
    double way = 0;
    for (int c = 0; c < 3; c++)
      way += pow(moved(w, i, c), 2);
    most = pc_worst(most, sqrt(way));
  }
  return most;
}

// Blocks that came down by more than half a course.
static int fallen(const wall *w)
{
  int count = 0;
  for (int i = 0; i < w->blocks; i++)
    count += moved(w, i, w->up) < -0.2;
  return count;
}

// Blocks that left their place among the others by more than 10 cm.
static int displaced(const wall *w)
{
  int count = 0;
  double mean = 0;
  for (int i = 0; i < w->blocks; i++)
    mean += moved(w, i, 0) / w->blocks;
  for (int i = 0; i < w->blocks; i++)
    count += fabs(moved(w, i, 0) - mean) > 0.1 || fabs(moved(w, i, w->up)) > 0.1;
  return count;
}

static void wall_size(pc_report *report, const wall *w, double thickness)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < w->blocks; i++) {
    double mass = pc_body_get_mass(w->motion.scene.world, (pc_body){w->body[i]});
    double density = pc_world_density(
        w->motion.scene.world, pc_body_get_material(w->motion.scene.world, (pc_body){w->body[i]}));
    double half[3] = {mass / density / thickness / 0.4 / 2, 0, 0};
    half[w->up] = 0.2;
    for (int c = 0; c < 3; c++) {
      low[c] = fmin(low[c], w->start[i][c] - half[c]);
      high[c] = fmax(high[c], w->start[i][c] + half[c]);
    }
  }
  const char *printed = "printed with example 1";
  pc_report_input(report, "blocks", "number of blocks", 176, w->blocks, "1", 0, printed);
  pc_report_input(report, "height", "initial height", 6.4, high[w->up] - low[w->up], "m", 1e-9,
                  printed);
  pc_report_input(report, "width", "initial width", 6.3, high[0] - low[0], "m", 1e-9, printed);
}

static void wall_still(pc_report *report, const char *scene, const char *name, double time,
                       pc_trial *all)
{
  wall *w = build_wall(scene, false);
  if (w == NULL)
    return;
  pc_trial_run(&w->motion, time);
  pc_report_derived(report, name, "largest displacement of a block in 10 s without an earthquake",
                    0, pc_trial_value(&w->motion, farthest(w)), "m", 1e-3, "it stands");
  end_wall(w, all);
}

// Runs the quaking wall to `time`, and keeps the largest error of the ground's displacement.
static void quake(wall *w, double time, double *error)
{
  pc_trial *m = &w->motion;
  int ground = named(m, "ground");
  while (pc_trial_next(m, time)) {
    double now = pc_world_time(m->scene.world);
    *error = pc_worst(*error,
                      fabs(pc_trial_state(m, ground).position[0] - 0.125 * sin(2 * pi * 2 * now)));
  }
}

// The wall stands without the earthquake, and with it falls to ruin in the time of the scene.
static void run_wall(pc_report *report, const char *scene, double thickness)
{
  pc_trial all = {.fine = true};
  wall_still(report, scene, "still", 10, &all);
  wall *w = build_wall(scene, true);
  if (w == NULL)
    return;
  wall_size(report, w, thickness);
  double error = 0, duration = w->motion.scene.duration;
  int fell[4], left[4], back = 0;
  for (int i = 0; i < 4; i++) {
    quake(w, duration * (i + 1) / 4, &error);
    fell[i] = fallen(w);
    left[i] = displaced(w);
    back += i > 0 && fell[i] < fell[i - 1];
  }
  pc_report_input(report, "ground", "largest error of the displacement of the ground", 0,
                  pc_trial_value(&w->motion, error), "m", 1e-12, "12.5 cm sin(2 pi 2 Hz t)");
  char note[200];
  snprintf(note, sizeof note,
           "more than 10 cm out of place after each quarter: %d, %d, %d, %d blocks; came down by "
           "more than half a course: %d, %d, %d, %d",
           left[0], left[1], left[2], left[3], fell[0], fell[1], fell[2], fell[3]);
  pc_report_property(report, "progressive",
                     "quarters after which fewer blocks are down than before",
                     back + !w->motion.fine, note);
  pc_report_property(report, "spreads", "the wall has no block out of place after a quarter",
                     !(w->motion.fine && left[0] > 0), "it opens long before it falls");
  pc_report_property(report, "ruin", "less than a tenth of the blocks are down at the end",
                     !(w->motion.fine && 10 * fell[3] >= w->blocks), "ruin of the wall");
  end_wall(w, &all);
  report_steps(report, &all, 0.02);
}

static void wall_2d(pc_report *report)
{
  run_wall(report, "wall-2d.yaml", 1);
}

static void wall_3d(pc_report *report)
{
  run_wall(report, "wall-3d.yaml", 0.4);
}

// Pins under a lid.

typedef struct biaxial_sum {
  double horizontal, vertical, lid; // stresses; force on the lid
  double inside[2][2];              // stress of the contacts
  int count;
} biaxial_sum;

// Adds the mean stress in an area, from the forces on every pin and where they act (Love, Weber).
static void add_stress(const pc_trial *m, double area, double sum[2][2])
{
  for (int c = 0; m->fine && c < pc_world_contacts(m->scene.world); c++) {
    pc_contact contact;
    pc_world_contact(m->scene.world, c, &contact);
    for (int s = 0; s < 2; s++) {
      if (!is_free(m, contact.bodies[s].id))
        continue;
      pc_body_state pin = pc_trial_state(m, contact.bodies[s].id);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          sum[i][j] -= (s == 0 ? 1 : -1) * contact.percussion[i] / m->scene.step *
                       (contact.point[j] - pin.position[j]) / area;
    }
  }
}

static double friction_angle(double major, double minor)
{
  return asin((major - minor) / (major + minor)) * 180 / pi;
}

// The same from a stress tensor.
static double friction_angle_of(double stress[2][2])
{
  double mean = (stress[0][0] + stress[1][1]) / 2,
         radius = hypot((stress[0][0] - stress[1][1]) / 2, (stress[0][1] + stress[1][0]) / 2);
  return friction_angle(mean + radius, mean - radius);
}

static void biaxial(pc_report *report)
{
  pc_trial m = start("biaxial.yaml", NULL, NULL), all = {.fine = true};
  const double right[3] = {1, 0, 0}, up[3] = {0, 1, 0}, load = 230;
  int wall_body = named(&m, "right wall"), lid = named(&m, "lid");
  pc_trial_run(&m, 0.4);
  double width_0 = pc_trial_state(&m, wall_body).position[0],
         height_0 = pc_trial_state(&m, lid).position[1];
  double speed = 0, smallest = 1, strain = 0, volume = 0, worst = 0;
  biaxial_sum late = {0}, whole = {0}, window = {0};
  while (pc_trial_next(&m, m.scene.duration)) {
    double wide = pc_trial_state(&m, wall_body).position[0],
           high = pc_trial_state(&m, lid).position[1];
    double push = force_on(&m, wall_body, right), lift = force_on(&m, lid, up);
    strain = 1 - wide / width_0;
    volume = wide * high / (width_0 * height_0) - 1;
    smallest = fmin(smallest, volume);
    if (pc_world_time(m.scene.world) > 0.41) // it starts within a step
      speed = pc_worst(speed, fabs(pc_trial_state(&m, wall_body).velocity[0] + 0.04));
    whole.lid += lift;
    whole.count++;
    window.lid += lift;
    if (++window.count == 100) {
      worst = pc_worst(worst, fabs(window.lid / window.count / load - 1));
      window = (biaxial_sum){0};
    }
    if (strain > 0.06) {
      late.horizontal += push / high;
      late.vertical += lift / wide;
      add_stress(&m, wide * high, late.inside);
      late.count++;
    }
  }
  double s1 = late.horizontal / late.count, s2 = late.vertical / late.count;
  pc_report_derived(report, "load", "mean force of the pins on the lid over its load", 1,
                    pc_trial_value(&m, whole.lid / whole.count / load), "1", 0.02,
                    "the lid is free");
  pc_report_derived(report, "load.windows", "largest error of that over 0.2 s", 0,
                    pc_trial_value(&m, worst), "1", 0.02, "the lid is free; its mass is 5 kg");
  pc_report_input(report, "right", "largest error of the velocity of the right wall", 0,
                  pc_trial_value(&m, speed), "m/s", 1e-12, "constant velocity; 4 cm/s is chosen");
  pc_report_self_check(
      report, "angle", "mobilised friction angle, mean from 6 % strain on",
      friction_angle_of(late.inside), pc_trial_value(&m, friction_angle(s1, s2)), "degree", 0.5,
      "sin = (s1 - s2)/(s1 + s2) of the forces on the walls; expected is that of the "
      "stress which the contacts make inside. The paper prints no angle");
  char note[160];
  snprintf(
      note, sizeof note,
      "rigid pins: some per cent; it shrinks by %.3f %% at first, and horizontal strain ends at "
      "%.1f %%",
      -100 * smallest, 100 * strain);
  pc_report_derived(report, "volume", "relative change of volume at the end", 0,
                    pc_trial_value(&m, volume), "1", 0.05, note);
  pc_trial_end(&m, &all);
  report_steps(report, &all, 0.1);
}

// Vibrated beds.

static double mean_height(const pc_trial *m, int up)
{
  double sum = 0;
  int count = 0;
  for (int i = 1; m->fine && i <= m->scene.bodies; i++)
    if (is_free(m, i)) {
      sum += pc_trial_state(m, i).position[up];
      count++;
    }
  return sum / count;
}

typedef struct bed {
  double mean, lift; // of the grains' mean height above the floor: mean, and range
} bed;

// From `from` to `to`, at a largest acceleration of gamma g.
static bed shake(const char *scene, double gamma, double from, double to, pc_trial *all)
{
  char amplitude[40];
  double w = 2 * pi * 10, sum = 0, low = INFINITY, high = -INFINITY;
  snprintf(amplitude, sizeof amplitude, "amplitude: %.6e", gamma * 9.81 / (w * w));
  pc_trial m = start(scene, "amplitude: 7.45e-3", amplitude);
  int floor_body = named(&m, "floor"), count = 0;
  int up = m.fine ? pc_world_definition(m.scene.world)->dimension - 1 : 1;
  pc_trial_run(&m, from);
  while (pc_trial_next(&m, to)) {
    double above = mean_height(&m, up) - pc_trial_state(&m, floor_body).position[up];
    sum += above;
    low = fmin(low, above);
    high = fmax(high, above);
    count++;
  }
  bed result = {pc_trial_value(&m, sum / count), pc_trial_value(&m, high - low)};
  pc_trial_end(&m, all);
  return result;
}

// How high a block without restitution rises above the floor: it leaves where the floor's
// acceleration is -g, sin(start) = 1/gamma, and falls freely.
static double block_lift(double gamma)
{
  double w = 2 * pi * 10, a = gamma * 9.81 / (w * w), begin = asin(1 / gamma), most = 0;
  for (double t = 0; t < 0.1; t += 1e-6) {
    double fly = a * sin(begin) + a * w * cos(begin) * t - 9.81 * t * t / 2;
    most = fmax(most, fly - a * sin(begin + w * t));
  }
  return most;
}

static void vibration(pc_report *report, const char *scene, int count, const double *gammas,
                      double from, double to)
{
  pc_trial all = {.fine = true};
  bed rest = shake(scene, 0, from, to, &all);
  char note[400] = "rise of the mean height over that at rest, mm (grains are 10 mm):";
  int low = 0, high = 0;
  for (int i = 0; i < count; i++) {
    bed b = shake(scene, gammas[i], from, to, &all);
    size_t used = strlen(note);
    snprintf(note + used, sizeof note - used, " %.2f at %g g,", 1e3 * (b.mean - rest.mean),
             gammas[i]);
    low += gammas[i] < 1 && !(b.lift < 5e-5);
    high += gammas[i] > 1 && !(b.lift > 5e-5);
    if (gammas[i] > 1 && gammas[i] < 2)
      pc_report_derived(report, pc_report_name(report, "lift.%g", gammas[i]),
                        "how far the bed leaves the floor, at this acceleration over g",
                        block_lift(gammas[i]), b.lift, "m", 0.05 * block_lift(gammas[i]),
                        "free flight of one block without restitution");
    if (gammas[i] == 3)
      pc_report_property(report, "fluid", "at 3 g the bed is not a tenth of a grain higher",
                         !(b.mean - rest.mean > 1e-3), note);
  }
  pc_report_property(report, "below", "accelerations below g at which the bed leaves the floor",
                     low, "by more than 0.05 mm");
  pc_report_property(report, "above", "accelerations above g at which it does not", high,
                     "by more than 0.05 mm");
  report_steps(report, &all, 0.05);
}

static void vibration_2d(pc_report *report)
{
  const double gammas[] = {0.5, 0.9, 1.2, 1.5, 2, 3};
  vibration(report, "vibrated-bed-2d.yaml", 6, gammas, 1, 2);
}

static void vibration_3d(pc_report *report)
{
  const double gammas[] = {0.9, 1.3, 3};
  vibration(report, "vibrated-bed-3d.yaml", 3, gammas, 1, 1.5);
}

// Slow shear.

enum { BINS = 4 };

typedef struct shear_profile {
  double inner, outer; // radii
  double sum[BINS];    // of speeds around the middle
  long count[BINS];
} shear_profile;

static void add_speeds(const pc_trial *m, shear_profile *p)
{
  for (int i = 1; m->fine && i <= m->scene.bodies; i++) {
    if (!is_free(m, i))
      continue;
    pc_body_state s = pc_trial_state(m, i);
    double r = hypot(s.position[0], s.position[1]);
    int bin = (int)floor((r - p->inner) / (p->outer - p->inner) * BINS);
    if (bin < 0 || bin >= BINS)
      continue;
    p->sum[bin] += (s.position[0] * s.velocity[1] - s.position[1] * s.velocity[0]) / r;
    p->count[bin]++;
  }
}

// Moment about the middle of what the grains do to an obstacle.
static double torque_on(const pc_trial *m, int body)
{
  double sum = 0;
  for (int c = 0; m->fine && c < pc_world_contacts(m->scene.world); c++) {
    pc_contact k;
    pc_world_contact(m->scene.world, c, &k);
    double sign = (k.bodies[0].id == body) - (k.bodies[1].id == body);
    sum += sign * (k.point[0] * k.percussion[1] - k.point[1] * k.percussion[0]);
  }
  return sum / m->scene.step;
}

static void shear(pc_report *report, const char *scene, const char *turning, shear_profile p,
                  double bound)
{
  pc_trial m = start(scene, NULL, NULL), all = {.fine = true};
  int body = named(&m, turning), count[2] = {0};
  double duration = m.scene.duration, torque[2] = {0};
  pc_trial_run(&m, duration / 2);
  while (pc_trial_next(&m, duration)) {
    int half = pc_world_time(m.scene.world) > 0.75 * duration;
    torque[half] -= torque_on(&m, body);
    count[half]++;
    add_speeds(&m, &p);
  }
  int rising = 0;
  double last = INFINITY, first = torque[0] / count[0], second = torque[1] / count[1];
  char note[200] = "four rings, mean over the second half of the run; m/s from inside:";
  for (int i = 0; i < BINS; i++) {
    double speed = p.sum[i] / (double)p.count[i];
    size_t used = strlen(note);
    snprintf(note + used, sizeof note - used, " %.4f", speed);
    rising += !(speed < last && speed > 0);
    last = speed;
  }
  pc_report_property(report, "profile", "rings that are not slower than the one inside",
                     rising + !m.fine, note);
  snprintf(note, sizeof note, "a steady state; %.3g N m on average", (first + second) / 2);
  pc_report_self_check(report, "steady", "torque in the last quarter over that in the one before",
                       1, pc_trial_value(&m, second / first), "1", bound, note);
  pc_trial_end(&m, &all);
  report_steps(report, &all, 0.05);
}

static void shear_2d(pc_report *report)
{
  shear(report, "shear-2d.yaml", "wheel", (shear_profile){.inner = 0.064, .outer = 0.152}, 0.25);
}

static void shear_3d(pc_report *report)
{
  shear(report, "shear-3d.yaml", "cylinder", (shear_profile){.inner = 0.04, .outer = 0.12}, 0.25);
}

#define PAPER "Jean and Moreau, Unilaterality and dry friction (1992), "

const pc_case pc_cases_moreau_motion[] = {
    {"moreau.rocking", PAPER "section 6", false, rocking},
    {"moreau.wall.plane", PAPER "example 1", true, wall_2d},
    {"moreau.wall.space", PAPER "example 1", true, wall_3d},
    {"moreau.biaxial", PAPER "example 2", true, biaxial},
    {"moreau.vibration.plane", PAPER "section 1", true, vibration_2d},
    {"moreau.vibration.space", PAPER "section 1", true, vibration_3d},
    {"moreau.shear.plane", PAPER "section 1", true, shear_2d},
    {"moreau.shear.space", PAPER "section 1", true, shear_3d},
    {0},
};
