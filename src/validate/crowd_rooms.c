// Crowds in rooms with a door: Fremond's book, 6.8. The book leaves open where people start, where
// they aim, when they count as out and how the flow is estimated. These were chosen once, before
// the comparison: people start at rest anywhere, aim at the middle of the door, count when they
// touch its line, leave the room when their centre is over it; the flow is the slope of a line
// through the origin for the exits of all runs. The slope of each run is reported beside it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/threads.h"
#include "crowd/flow.h"
#include "percuss/crowd.h"
#include "validate/registry.h"

// How contact is treated.
typedef enum engine { NSM2, DEM, NSM1_FIRST, NSM1_SECOND, ENGINES } engine;

typedef struct range {
  double low, high;
} range;

typedef struct room {
  engine engine;
  double h, side, door;
  int people, runs;
  range speed, relaxation, radius, mass;
  double longest; // s
  int instants;   // when people inside are counted
  double instant[2];
  uint64_t seed;
} room;

// Of one run.
typedef struct outcome {
  double *time; // of exits, in order
  int out, inside;
  int left[2]; // inside at the instants
  int failed;  // steps that were not solved, or did not close
  double overlap;
} outcome;

static pc_crowd_def definition(engine own)
{
  pc_crowd_def def = pc_crowd_def_default();
  static const pc_treatment treatment[ENGINES] = {PC_VELOCITY_LEVEL, PC_PENALTY, PC_POSITION_LEVEL,
                                                  PC_POSITION_LEVEL};
  def.treatment = treatment[own];
  def.first_order = own == NSM1_FIRST;
  def.inset = 0; // straight ways need none
  if (def.treatment == PC_POSITION_LEVEL)
    def.law.normal = def.wall_law.normal = (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
  return def;
}

static double draw(pc_random *random, range r)
{
  return pc_random_uniform(random, r.low, r.high);
}

// A square room with its door in the middle of the right wall; NULL if it cannot be made.
static pc_crowd *make_room(const room *r, int *door)
{
  pc_crowd_def def = definition(r->engine);
  pc_crowd *crowd = pc_crowd_create(&def);
  if (crowd == NULL)
    return NULL;
  double low = 0.5 * (r->side - r->door), high = 0.5 * (r->side + r->door), s = r->side;
  double wall[6][2] = {{s, high}, {s, s}, {0, s}, {0, 0}, {s, 0}, {s, low}};
  pc_exit_def exit = {.line = {{s, low}, {s, high}}, .at_front = true};
  pc_crowd_add_floor(crowd);
  pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, (const double(*)[2])wall);
  *door = pc_crowd_add_exit(crowd, &exit);
  if (pc_crowd_finish(crowd) == PC_OK)
    return crowd;
  pc_crowd_destroy(crowd);
  return NULL;
}

static bool fill_room(pc_crowd *crowd, const room *r, int door, uint64_t seed)
{
  pc_random random;
  pc_random_seed(&random, seed);
  for (int i = 0; i < r->people; i++) {
    pc_person_def person = pc_person_def_default();
    person.goal = door;
    person.straight = true;
    person.radius = draw(&random, r->radius);
    person.mass = draw(&random, r->mass);
    person.speed = draw(&random, r->speed);
    person.relaxation = draw(&random, r->relaxation);
    bool placed = false;
    for (int tries = 0; tries < 10000 && !placed; tries++) {
      for (int k = 0; k < 2; k++)
        person.position[k] = pc_random_uniform(&random, 0, r->side);
      placed = pc_crowd_add_person(crowd, &person) >= 0;
    }
    if (!placed)
      return false;
  }
  return true;
}

static int compare(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

static void run_once(const room *r, int number, outcome *out)
{
  int door;
  pc_crowd *crowd = make_room(r, &door);
  out->failed = crowd == NULL || !fill_room(crowd, r, door, r->seed + (uint64_t)number);
  long steps = lround(r->longest / r->h);
  for (long s = 0; s < steps && out->failed == 0 && pc_crowd_inside(crowd) > 0; s++) {
    if (pc_crowd_step(crowd, r->h) != PC_OK) {
      out->failed++;
      break;
    }
    const pc_step_info *info = pc_world_info(pc_crowd_world(crowd));
    out->failed += info->status != PC_SOLVED || !info->closed;
    out->overlap = fmax(out->overlap, info->deepest);
    for (int i = 0; i < r->instants; i++)
      if (s + 1 == lround(r->instant[i] / r->h))
        out->left[i] = pc_crowd_inside(crowd);
  }
  for (int i = 0; crowd != NULL && i < pc_crowd_people(crowd); i++) {
    pc_person_state person;
    pc_crowd_person(crowd, i, &person);
    if (person.exit >= 0)
      out->time[out->out++] = person.exit_time;
  }
  qsort(out->time, (size_t)out->out, sizeof *out->time, compare);
  out->inside = crowd != NULL ? pc_crowd_inside(crowd) : r->people;
  pc_crowd_destroy(crowd);
}

typedef struct many {
  const room *room;
  outcome *out;
} many;

static void run_some(void *context, int begin, int end, int worker)
{
  many *job = context;
  for (int i = begin; i < end; i++)
    run_once(job->room, i, &job->out[i]);
}

// All runs of a room.
typedef struct result {
  pc_flow flow;
  int failed;
  double left[2], overlap;
} result;

static bool run_many(const room *r, result *all)
{
  int runs = r->runs;
  many job = {r, calloc((size_t)runs, sizeof *job.out)};
  double *time = calloc((size_t)runs * (size_t)r->people, sizeof *time);
  int *start = calloc((size_t)runs + 1, sizeof *start), *inside = calloc((size_t)runs, sizeof(int));
  *all = (result){0};
  bool done = job.out != NULL && time != NULL && start != NULL && inside != NULL;
  if (done) {
    for (int i = 0; i < runs; i++)
      job.out[i].time = time + (size_t)i * (size_t)r->people;
    pc_parallel(pc_processors(), runs, 1, run_some, &job);
    int count = 0;
    for (int i = 0; i < runs; i++) {
      const outcome *out = &job.out[i];
      memmove(time + count, out->time, (size_t)out->out * sizeof *time);
      count += out->out;
      start[i + 1] = count;
      inside[i] = out->inside;
      all->failed += out->failed;
      all->overlap = fmax(all->overlap, out->overlap);
      for (int k = 0; k < 2; k++)
        all->left[k] += (double)out->left[k] / runs;
    }
    done = pc_flow_measure(runs, start, time, inside, &all->flow, NULL) == PC_OK;
  }
  free(job.out);
  free(time);
  free(start);
  free(inside);
  return done && all->failed == 0;
}

static const char *const names[ENGINES] = {"nsm2", "dem", "nsm1", "nsm1_second_order"};

// Table 6.4.
static room table_6_4(engine own)
{
  return (room){.engine = own,
                .h = 1e-2,
                .side = 5,
                .door = 0.82,
                .people = 20,
                .runs = 200,
                .speed = {1.5, 2},
                .relaxation = {0.1, 0.5},
                .radius = {0.2, 0.25},
                .mass = {60, 100},
                .longest = 30,
                .seed = 1};
}

static void report_flow(pc_report *report, const char *name, double published, bool ok,
                        const result *got)
{
  double computed = ok ? got->flow.origin : NAN;
  pc_report_published(report, pc_report_name(report, "%s.flow", name),
                      "people per minute, through-origin slope of 200 runs", published, computed,
                      "1/min", 0.1 * published, NULL);
}

static void table_6_5(pc_report *report)
{
  static const double published[] = {155, 182, 278};
  result got[ENGINES];
  bool ok[ENGINES];
  for (int e = 0; e < ENGINES; e++) {
    room r = table_6_4((engine)e);
    ok[e] = run_many(&r, &got[e]);
    if (e == NSM1_SECOND)
      pc_report_derived(report, pc_report_name(report, "%s.flow", names[e]),
                        "people per minute, through-origin slope of 200 runs", 169,
                        ok[e] ? got[e].flow.origin : NAN, "1/min", 17,
                        "an independent program, 1000 runs; the scheme that the book prints (6.24) "
                        "did not make its figure of 278, the first order scheme does");
    else
      report_flow(report, names[e], published[e], ok[e], &got[e]);
  }
  bool ordered = got[NSM1_FIRST].flow.per_run > got[DEM].flow.per_run &&
                 got[DEM].flow.per_run > got[NSM2].flow.per_run;
  pc_report_property(report, "order", "flow of NSM1 above DEM above NSM2",
                     !(ok[NSM2] && ok[DEM] && ok[NSM1_FIRST] && ordered), NULL);
}

// Table 6.11 without an obstacle.
static void table_6_11(pc_report *report)
{
  static const double relaxation[] = {0.5, 0.1}, published[] = {116, 230};
  for (int i = 0; i < 2; i++) {
    room r = table_6_4(NSM2);
    result got;
    r.speed = (range){1.2, 2};
    r.relaxation = (range){relaxation[i], relaxation[i]};
    bool ok = run_many(&r, &got);
    if (i == 0)
      report_flow(report, "slow", published[i], ok, &got);
    else
      pc_report_untestable(report, "fast.flow", "people per minute at tau = 0.1 s", published[i],
                           ok ? got.flow.origin : NAN, "1/min",
                           "no converged run gives it together with 116 at tau = 0.5 s; one sweep "
                           "of an unconverged solver does");
  }
}

// Figure of the arch: 200 people, of Helbing's values because the book prints none.
static void arch(pc_report *report)
{
  room r = {.engine = NSM2,
            .h = 1e-2,
            .side = 20,
            .door = 1,
            .people = 200,
            .runs = 8,
            .speed = {1.34, 1.34},
            .relaxation = {0.5, 0.5},
            .radius = {0.225, 0.225},
            .mass = {80, 80},
            .longest = 12,
            .instants = 2,
            .instant = {6, 12},
            .seed = 1};
  result got;
  bool ok = run_many(&r, &got);
  static const double published[] = {187, 166};
  for (int i = 0; i < 2; i++)
    pc_report_published(report, pc_report_name(report, "left_at_%g_s", r.instant[i]),
                        "people of 200 who are still inside, mean of 8 runs", published[i],
                        ok ? got.left[i] : NAN, "1", 10,
                        "the book prints no parameters: U_d 1.34 m/s, tau 0.5 s, r 0.225 m, 80 kg");
}

const pc_case pc_cases_crowd_rooms[] = {
    {"crowd.room", "Fremond 2017, 6.8.1, tables 6.4 and 6.5", true, table_6_5},
    {"crowd.tau", "Fremond 2017, 6.8.3, table 6.11", true, table_6_11},
    {"crowd.arch", "Fremond 2017, 6.7.2", true, arch},
    {0}};
