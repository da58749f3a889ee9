// One and two people: rebounds, the relaxation time (Fremond's book, 6.6.3), and overlaps.
#include <math.h>

#include "crowd_trial.h"
#include "report.h"

static const double STIFFNESS = 1e5, MASS = 80;

// Somebody who just goes on.
static pc_person_def mover(int goal, double x, double y, double u, double v)
{
  pc_person_def person = pc_person_def_default();
  person.goal = goal;
  person.mass = MASS;
  person.relaxation = 1e12;
  person.position[0] = x, person.position[1] = y;
  person.velocity[0] = u, person.velocity[1] = v;
  return person;
}

static void rebound(pc_report *report)
{
  static const char *const names[] = {"pair", "wall"};
  for (int i = 0; i < 2; i++) {
    pc_crowd_def def = pc_crowd_def_default();
    int exits[2] = {0};
    pc_crowd *crowd = pc_hall_make(&def, 10, 4, exits);
    double computed = NAN;
    pc_person_def one = i == 0 ? mover(exits[0], 4, 2, 1, 0) : mover(exits[0], 5, 2, 0, 1);
    pc_person_def two = mover(exits[0], 6, 2, -1, 0);
    bool ok = crowd != NULL && pc_crowd_add_person(crowd, &one) == 0 &&
              (i == 1 || pc_crowd_add_person(crowd, &two) == 1);
    for (int s = 0; s < 300 && ok; s++)
      ok = pc_crowd_step(crowd, 0.01) == PC_OK;
    if (ok) {
      pc_person_state state;
      pc_crowd_person(crowd, 0, &state);
      computed = i == 0 ? -state.velocity[0] : -state.velocity[1];
    }
    double heavy = i == 0 ? MASS : 2 * MASS;
    pc_report_derived(report, names[i], "speed after an impact for that before, K_N = 1e5, 80 kg",
                      (STIFFNESS - heavy) / (STIFFNESS + heavy), computed, "1", 1e-9,
                      "(K - m) / (K + m) for a pair, (K - 2 m) / (K + 2 m) at a wall, from (6.30)");
    pc_crowd_destroy(crowd);
  }
}

// 6.6.3.

typedef struct meeting {
  double relaxation, offset; // tau, d_in
  int collisions;
  double distance, time; // d_fi; t_fi, from the impact to within a hundredth of the speed
} meeting;

static const double SPEED = 1.5, RADIUS = 0.25;

static bool meet(meeting *m)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.inset = 0;
  def.spacing = 0.5;
  int exits[2];
  const double length = 100, width = 20, h = 1e-3;
  pc_crowd *crowd = pc_hall_make(&def, length, width, exits);
  bool ok = crowd != NULL, was = false;
  for (int i = 0; i < 2 && ok; i++) {
    pc_person_def person = pc_person_def_default();
    person.goal = exits[1 - i];
    person.position[0] = 0.5 * length + (i == 0 ? -1 : 1);
    person.position[1] = 0.5 * width + (i == 0 ? -0.5 : 0.5) * m->offset;
    person.velocity[0] = i == 0 ? SPEED : -SPEED;
    person.speed = SPEED;
    person.radius = RADIUS;
    person.relaxation = m->relaxation;
    ok = pc_crowd_add_person(crowd, &person) == i;
  }
  double impact = 0;
  m->collisions = 0;
  m->time = NAN;
  pc_person_state state[2];
  for (long s = 0; s < lround(fmax(3, 12 * m->relaxation) / h) && ok; s++) {
    ok = pc_crowd_step(crowd, h) == PC_OK;
    for (int i = 0; i < 2; i++)
      pc_crowd_person(crowd, i, &state[i]);
    bool is = state[0].push > 0;
    double time = pc_world_time(pc_crowd_world(crowd));
    if (is && !was) {
      m->collisions++;
      impact = time - 0.5 * h;
      m->time = NAN;
    }
    was = is;
    if (m->collisions > 0 && isnan(m->time) &&
        hypot(state[0].velocity[0] - SPEED, state[0].velocity[1]) < 0.01 * SPEED)
      m->time = time - impact;
  }
  if (ok)
    m->distance = state[1].position[1] - state[0].position[1];
  pc_crowd_destroy(crowd);
  return ok;
}

// Least squares.
static double slope_of(int count, const double *x, const double *y)
{
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (int i = 0; i < count; i++) {
    mx += x[i] / count;
    my += y[i] / count;
  }
  for (int i = 0; i < count; i++) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
  }
  return xy / xx;
}

// Largest distance from the line of least squares, over the range of y.
static double off_line(int count, const double *x, const double *y)
{
  double slope = slope_of(count, x, y), mx = 0, my = 0, most = 0, low = y[0], high = y[0];
  for (int i = 0; i < count; i++) {
    mx += x[i] / count;
    my += y[i] / count;
    low = fmin(low, y[i]);
    high = fmax(high, y[i]);
  }
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(y[i] - my - slope * (x[i] - mx)));
  return most / (high - low);
}

static void relaxation_study(pc_report *report)
{
  enum { TIMES = 6 };
  const double offset = 0.2;
  double tau[TIMES], distance[TIMES], time[TIMES];
  int wrong = 0;
  for (int i = 0; i < TIMES; i++) {
    meeting m = {.relaxation = 0.6 + 0.3 * i, .offset = offset};
    bool ok = meet(&m);
    wrong += !ok || m.collisions != 1;
    tau[i] = m.relaxation;
    distance[i] = ok ? m.distance : NAN;
    time[i] = ok ? m.time : NAN;
  }
  pc_report_property(report, "one_collision", "tau from 0.6 to 2.1 s: not exactly one collision",
                     wrong, NULL);
  // Each gets (1 + e) u cos a along the normal, and what it gets decays with tau.
  double e = (STIFFNESS - MASS) / (STIFFNESS + MASS), sine = offset / (2 * RADIUS);
  double jump = (1 + e) * SPEED * sqrt(1 - sine * sine);
  pc_report_derived(report, "distance_slope", "d_fi against tau", 2 * jump * sine,
                    slope_of(TIMES, tau, distance), "m/s", 0.01 * 2 * jump * sine,
                    "one elastic impact, then exponential return: d_fi = d_in + 2 v tau");
  pc_report_derived(report, "time_slope", "t_fi (to 1 % of the speed) against tau",
                    log(jump / (0.01 * SPEED)), slope_of(TIMES, tau, time), "1",
                    0.01 * log(jump / (0.01 * SPEED)),
                    "one elastic impact, then exponential return: t_fi = tau log(100 jump / u)");
  pc_report_derived(report, "distance_linear",
                    "d_fi: largest distance from a line in tau, of its range", 0,
                    off_line(TIMES, tau, distance), "1", 0.01, "the book: it grows linearly");
  pc_report_derived(report, "time_linear",
                    "t_fi: largest distance from a line in tau, of its range", 0,
                    off_line(TIMES, tau, time), "1", 0.01, "the book: it grows linearly");
  meeting fast = {.relaxation = 0.1, .offset = 0.02};
  bool ok = meet(&fast);
  pc_report_property(report, "several_collisions", "tau = 0.1 s, d_in = 0.02 m: one collision only",
                     !(ok && fast.collisions > 1), NULL);
}

// Overlap.

// The deepest overlap of two people at the end of a step, run by run.
static void note_overlap(const pc_crowd_trial *trial, int run, pc_crowd *crowd)
{
  double *deepest = (double *)trial->notes + run;
  pc_person_state state[20];
  int people = pc_crowd_people(crowd);
  for (int i = 0; i < people; i++) {
    pc_crowd_person(crowd, i, &state[i]);
    for (int j = 0; j < i && state[i].present; j++)
      if (state[j].present)
        *deepest = fmax(*deepest, state[i].radius + state[j].radius -
                                      hypot(state[i].position[0] - state[j].position[0],
                                            state[i].position[1] - state[j].position[1]));
  }
}

// In the room of table 6.4, in the mean of some runs. NAN: a step failed.
static double overlap_in_room(pc_engine engine, double tolerance, double h, int runs)
{
  enum { MOST = 20 };
  double deepest[MOST] = {0};
  pc_room_def room = pc_room_of_table_6_4(engine);
  room.tolerance = tolerance;
  room.seed = 100;
  pc_crowd_trial trial = {.make = pc_room_make,
                          .watch = note_overlap,
                          .context = &room,
                          .notes = deepest,
                          .runs = runs < MOST ? runs : MOST,
                          .h = h,
                          .longest = 8};
  pc_crowd_run *run = pc_crowd_trial_run(&trial);
  bool ok = pc_crowd_runs_failed(trial.runs, run) == 0;
  pc_crowd_runs_free(trial.runs, run);
  return ok ? pc_mean_of(trial.runs, deepest).mean : NAN;
}

// The deepest overlap of two people who meet at 2 m/s, whenever in a step they do.
static double deepest_impact(double h)
{
  enum { STARTS = 50 };
  double deepest = 0;
  for (int start = 0; start < STARTS; start++) {
    pc_crowd_def def = pc_crowd_def_default();
    int exits[2] = {0};
    def.spacing = 0.5;
    pc_crowd *crowd = pc_hall_make(&def, 10, 4, exits);
    pc_person_def one = mover(exits[0], 4.7 - 2 * h * start / STARTS, 2, 1, 0);
    pc_person_def two = mover(exits[0], 5.3, 2, -1, 0);
    bool ok = crowd != NULL && pc_crowd_add_person(crowd, &one) == 0 &&
              pc_crowd_add_person(crowd, &two) == 1;
    for (int s = 0; s < lround(0.3 / h) && ok; s++) {
      pc_person_state state[2];
      ok = pc_crowd_step(crowd, h) == PC_OK;
      for (int i = 0; i < 2; i++)
        pc_crowd_person(crowd, i, &state[i]);
      deepest = fmax(deepest, 0.45 - fabs(state[0].position[0] - state[1].position[0]));
    }
    pc_crowd_destroy(crowd);
    if (!ok)
      return NAN;
  }
  return deepest;
}

static void overlap(pc_report *report)
{
  pc_report_derived(report, "nsm1_first_order", "deepest overlap, tolerance 1e-12", 0,
                    overlap_in_room(PC_NSM1_FIRST, 1e-12, 0.01, 5), "m", 1e-9,
                    "gaps are convex: D + h G . U >= 0 keeps people apart (6.23)");
  pc_report_derived(report, "nsm1_second_order", "deepest overlap, tolerance 1e-12", 0,
                    overlap_in_room(PC_NSM1_SECOND, 1e-12, 0.01, 5), "m", 1e-9,
                    "gaps are convex: D + h G . U >= 0 keeps people apart (6.23)");
  double depth[3], size[3];
  for (int i = 0; i < 3; i++) {
    size[i] = log(1e-2 / (1 << i));
    depth[i] = log(deepest_impact(1e-2 / (1 << i)));
  }
  pc_report_derived(report, "nsm2_order",
                    "order in h of the deepest overlap in an impact of two, of 50 starts", 1,
                    slope_of(3, size, depth), "1", 0.1,
                    "non-penetration of velocities: an impact leaves part of a step's way");
  pc_report_untestable(report, "nsm2_room", "deepest overlap in the room, h = 0.01 s", NAN,
                       overlap_in_room(PC_NSM2, 1e-4, 1e-2, 20), "m",
                       "mean of 20 runs; impacts of a crowd add up, so this falls slower than h");
  pc_report_untestable(report, "nsm2_room_fine", "deepest overlap in the room, h = 0.0025 s", NAN,
                       overlap_in_room(PC_NSM2, 1e-4, 2.5e-3, 20), "m",
                       "mean of 20 runs; impacts of a crowd add up, so this falls slower than h");
}

const pc_case pc_cases_crowd_pairs[] = {
    {"crowd.rebound", "Fremond 2017, 6.5, (6.30)", false, rebound},
    {"crowd.relaxation", "Fremond 2017, 6.6.3", true, relaxation_study},
    {"crowd.overlap", "Fremond 2017, 6.4, (6.23) and (6.34)", true, overlap},
    {0}};
