// Routes of people: fast marching against known geodesics, and random walks in which nobody may be
// lost. Seeds and places were fixed before the first run.
#include <math.h>
#include <stdio.h>

#include "crowd_trial.h"
#include "percuss/random.h"
#include "report.h"

// Geodesics.

enum { SPACINGS = 3, PLACES = 400 };
static const double SPACING[SPACINGS] = {0.1, 0.05, 0.025}; // m

typedef struct floor_plan {
  bool (*build)(pc_crowd *crowd);
  double (*distance)(const double p[2]);
  double low[2], high[2]; // where places are
} floor_plan;

static bool add_hall(pc_crowd *crowd, double x, double y, double width, double height)
{
  double wall[4][2] = {{x + width, y}, {x, y}, {x, y + height}, {x + width, y + height}};
  pc_exit_def exit = {.line = {{x + width, y}, {x + width, y + height}}};
  pc_crowd_add_floor(crowd);
  return pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, (const double(*)[2])wall) == PC_OK &&
         pc_crowd_add_exit(crowd, &exit) == 0;
}

// A disc of radius 1 m at the origin; the exit is 3 m behind it.
static bool build_disc(pc_crowd *crowd)
{
  const double centre[2] = {0, 0};
  return add_hall(crowd, -4, -3, 7, 6) && pc_crowd_add_pillar(crowd, 0, centre, 1) == PC_OK;
}

// Straight on, or along a tangent, along the disc to its top or bottom, and straight on from there.
static double around_disc(const double p[2])
{
  double r = hypot(p[0], p[1]), least = INFINITY;
  if (p[0] > 0 || fabs(p[1]) >= 1)
    return 3 - p[0];
  for (int side = -1; side <= 1; side += 2) {
    double angle = acos(side * p[1] / r); // from the top, or the bottom
    least = fmin(least, sqrt(r * r - 1) + (angle - acos(1 / r)) + 3);
  }
  return least;
}

// Three walls from alternate sides; ways bend at their ends.
static bool build_maze(pc_crowd *crowd)
{
  double wall[3][2][2] = {{{1.5, 0}, {1.5, 3}}, {{3, 4}, {3, 1}}, {{4.5, 0}, {4.5, 3}}};
  bool ok = add_hall(crowd, 0, 0, 6, 4);
  for (int i = 0; i < 3 && ok; i++)
    ok = pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, (const double(*)[2])wall[i]) == PC_OK;
  return ok;
}

static double through_maze(const double p[2])
{
  return hypot(1.5 - p[0], 3 - p[1]) + 2.5 + 2.5 + 1.5;
}

// The largest error of the time to the exit at 1 m/s, m; NAN: there is no way.
static double largest_error(const floor_plan *plan, double spacing)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.inset = 0;
  def.spacing = spacing;
  pc_crowd *crowd = pc_crowd_create(&def);
  bool ok = crowd != NULL && plan->build(crowd) && pc_crowd_finish(crowd) == PC_OK;
  double largest = ok ? 0 : NAN;
  pc_random random;
  pc_random_seed(&random, 1);
  for (int i = 0; i < PLACES && ok; i++) {
    double p[2];
    for (int k = 0; k < 2; k++)
      p[k] = pc_random_uniform(&random, plan->low[k], plan->high[k]);
    double error = fabs(pc_crowd_route(crowd, 0, 0, p) - plan->distance(p));
    largest = isfinite(error) ? fmax(largest, error) : NAN;
    ok = isfinite(error);
  }
  pc_crowd_destroy(crowd);
  return largest;
}

static void report_plan(pc_report *report, const char *name, const floor_plan *plan)
{
  double error[SPACINGS];
  int slow = 0;
  for (int i = 0; i < SPACINGS; i++) {
    error[i] = largest_error(plan, SPACING[i]);
    slow += i > 0 && !(error[i] < 0.6 * error[i - 1] || error[i] < 1e-9);
  }
  char note[160];
  snprintf(note, sizeof note, "errors %.2g, %.2g and %.2g m with 0.1, 0.05 and 0.025 m", error[0],
           error[1], error[2]);
  pc_report_property(report, pc_report_name(report, "%s.order", name),
                     "halvings of the spacing, of 2, that leave more than 0.6 of the error", slow,
                     note);
  pc_report_derived(report, pc_report_name(report, "%s.error", name),
                    "largest error of a route at 400 places, spacing 0.025 m", 0, error[2], "m",
                    0.025, "tangents, arcs and straight lines, by hand; a spacing is ours");
}

static void geodesics(pc_report *report)
{
  static const floor_plan disc = {build_disc, around_disc, {-3.8, -2.8}, {-1.1, 2.8}};
  static const floor_plan maze = {build_maze, through_maze, {0.1, 0.1}, {1.4, 2.9}};
  report_plan(report, "disc", &disc);
  report_plan(report, "maze", &maze);
}

// Walks at random.

// What may not be, over all steps of all runs.
typedef struct watched {
  double steps; // of people
  int lost, wild;
} watched;

static void note_walk(const pc_crowd_trial *trial, int run, pc_crowd *crowd)
{
  watched *own = (watched *)trial->notes + run;
  own->steps += pc_crowd_inside(crowd);
  own->lost += pc_crowd_lost(crowd);
  for (int i = 0; i < pc_crowd_people(crowd); i++) {
    pc_person_state p;
    pc_crowd_person(crowd, i, &p);
    own->wild += !(hypot(p.velocity[0], p.velocity[1]) < 20);
  }
}

// Rooms of sizes, doors and people at random.
static bool draw_room(const pc_crowd_trial *trial, int run, pc_scene *scene)
{
  pc_random random;
  pc_random_seed(&random, 5000 + (uint64_t)run);
  pc_room_def room = pc_room_of_table_6_4(*(const pc_engine *)trial->context);
  room.side = pc_random_uniform(&random, 4, 9);
  room.door = pc_random_uniform(&random, 0.6, 2);
  room.people = (int)(pc_random_uniform(&random, 0.2, 2) * room.side * room.side);
  room.speed = (trial_range){0.8, 3};
  room.mass = (trial_range){20, 150};
  room.radius = (trial_range){0.12, 0.28};
  room.seed = 5000 + (uint64_t)run;
  pc_crowd_trial own = {.context = &room};
  return pc_room_make(&own, 0, scene);
}

static void walks(pc_report *report)
{
  enum { RUNS = 16 };
  watched all = {0};
  long failed = 0;
  for (pc_engine engine = PC_NSM2; engine < PC_ENGINES; engine++) {
    watched notes[RUNS] = {{0}};
    pc_crowd_trial trial = {.make = draw_room,
                            .watch = note_walk,
                            .context = &engine,
                            .notes = notes,
                            .runs = RUNS,
                            .h = 0.01,
                            .longest = 15};
    pc_crowd_run *run = pc_crowd_trial_run(&trial);
    failed += pc_crowd_runs_failed(RUNS, run);
    for (int i = 0; i < RUNS; i++) {
      all.steps += notes[i].steps;
      all.lost += notes[i].lost;
      all.wild += notes[i].wild;
    }
    pc_crowd_runs_free(RUNS, run);
  }
  char note[160];
  snprintf(note, sizeof note, "%.3g steps of people in 64 rooms, with all treatments", all.steps);
  pc_report_property(report, "lost", "people beyond walls or in obstacles, or fewer than 1e6 steps",
                     all.lost + !(all.steps >= 1e6), note);
  pc_report_property(report, "wild",
                     "people faster than 20 m/s, or with a velocity that is not finite", all.wild,
                     note);
  pc_report_own_steps(report, "audit",
                      "steps that are not solved or whose energy balance does not close",
                      (int)failed, note);
}

const pc_case pc_cases_crowd_routes[] = {
    {"crowd.routes", "Fremond 2017, 6.6.1: shortest ways", false, geodesics},
    {"crowd.walks", "properties of all treatments", true, walks},
    {0}};
