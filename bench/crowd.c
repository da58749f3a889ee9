// percuss bench crowd: the cost of a step of a dense evacuation by its parts, what longer steps
// change in its results, and the time that searches for neighbours take (neighbours.h).
//
// People stand five to a square metre in a hall ten metres deep with a door of 1.2 m every five
// metres, and leave by the nearest door, walking as by default (PC_WALK_FOLLOW). Their numbers are
// at random places, as in scenes. After four seconds there is a jam at all doors; then steps with
// one thread, with two and with as many as there are processors alternate. Hall and doors grow with
// the number of people. The tolerance is such that no velocity is off by more than 1e-3 m/s, which
// is checked.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "measure.h"
#include "neighbours.h"
#include "percuss/crowd.h"
#include "percuss/random.h"

enum { ROWS = 22, ROUNDS = 15, CREWS = 3 };
static const double tolerance = 1e-5;
static const double settle = 4, advised_step = 0.025;                    // s
static const double apart = 0.447, depth = 10, between = 5, width = 1.2; // m

typedef enum part {
  ALL,
  WISHES,
  DETECTION,
  STATING,
  SOLVE,
  AUDIT,
  MOVE,
  OTHER,
  PROCESSOR,
  PARTS
} part;

static const char *const part_names[] = {"a step",
                                         "wishes and routes",
                                         "detection",
                                         "stating the problem",
                                         "solving it",
                                         "audit",
                                         "moving bodies, energies",
                                         "reading, pushes, exits",
                                         "processor time of a step"};

typedef struct measured {
  double step;
  int crews, threads[CREWS];
  double seconds[CREWS][PARTS][ROUNDS];
  double contacts, sweeps, passes, worst, speed;
  int missed, steps;
} measured;

// Builds the hall, with doors in the wall y = 0. Returns the goal, or -1.
static int build(pc_crowd *crowd, double length)
{
  int floor = pc_crowd_add_floor(crowd), doors = (int)fmax(1, floor >= 0 ? length / between : 0);
  int *exits = calloc((size_t)doors, sizeof *exits), goal = -1;
  double x = 0;
  bool good = exits != NULL;
  for (int d = 0; d < doors && good; d++) {
    double middle = (d + 0.5) * length / doors;
    double wall[2][2] = {{x, 0}, {middle - width / 2, 0}};
    pc_exit_def door = {.floor = floor, .line = {{middle - width / 2, 0}, {middle + width / 2, 0}}};
    x = middle + width / 2;
    good = pc_crowd_add_wall(crowd, floor, PC_WALL_LINE, 2, (const double(*)[2])wall) == PC_OK;
    exits[d] = pc_crowd_add_exit(crowd, &door);
    good = good && exits[d] >= 0;
  }
  double rest[5][2] = {{x, 0}, {length, 0}, {length, depth}, {0, depth}, {0, 0}};
  good =
      good && pc_crowd_add_wall(crowd, floor, PC_WALL_LINE, 5, (const double(*)[2])rest) == PC_OK;
  if (good)
    goal = doors == 1 ? exits[0] : pc_crowd_add_choice(crowd, doors, exits);
  free(exits);
  return goal >= 0 && pc_crowd_finish(crowd) == PC_OK ? goal : -1;
}

static pc_crowd *create(bench_context *context, int people)
{
  pc_crowd_def def = pc_crowd_def_calibrated();
  def.tolerance = tolerance;
  pc_crowd *crowd = pc_crowd_create(&def);
  pc_random random;
  pc_random_seed(&random, 1);
  int columns = (people + ROWS - 1) / ROWS, goal = -1;
  int *spot = malloc((size_t)people * sizeof *spot);
  if (crowd != NULL && spot != NULL)
    goal = build(crowd, columns * apart + 0.1);
  bool good = goal >= 0;
  for (int i = 0; i < people && good; i++) { // in random order
    int other = (int)pc_random_below(&random, (unsigned)i + 1);
    spot[i] = i;
    spot[i] = spot[other];
    spot[other] = i;
  }
  for (int i = 0; i < people && good; i++) {
    pc_person_def person = pc_person_def_default();
    person.goal = goal;
    person.radius = pc_random_uniform(&random, 0.18, 0.22);
    person.speed = pc_random_uniform(&random, 1.2, 1.6);
    person.position[0] = 0.05 + (spot[i] / ROWS + 0.5) * apart;
    person.position[1] = 0.05 + (spot[i] % ROWS + 0.5) * apart;
    good = pc_crowd_add_person(crowd, &person) >= 0;
  }
  free(spot);
  if (good)
    return crowd;
  bench_failed(context, crowd != NULL ? pc_crowd_error(crowd) : "out of memory");
  pc_crowd_destroy(crowd);
  return NULL;
}

static bool go(bench_context *context, pc_crowd *crowd, double step)
{
  if (pc_crowd_step(crowd, step) == PC_OK)
    return true;
  bench_failed(context, pc_crowd_error(crowd));
  return false;
}

static bool measure_step(bench_context *context, pc_crowd *crowd, int crew, int round, measured *m)
{
  double now[PARTS];
  pc_crowd_set_threads(crowd, m->threads[crew]);
  now[PROCESSOR] = bench_processor_seconds();
  double begun = bench_seconds();
  if (!go(context, crowd, m->step))
    return false;
  now[ALL] = bench_seconds() - begun;
  now[PROCESSOR] = bench_processor_seconds() - now[PROCESSOR];
  const pc_step_info *info = pc_world_info(pc_crowd_world(crowd));
  now[WISHES] = pc_crowd_wishes_seconds(crowd);
  now[DETECTION] = info->detection_s;
  now[STATING] = info->stating_s;
  now[SOLVE] = info->solve_s - info->stating_s - info->audit_s;
  now[AUDIT] = info->audit_s;
  now[MOVE] = info->step_s - info->detection_s - info->solve_s;
  now[OTHER] = now[ALL] - now[WISHES] - info->step_s;
  for (int p = 0; p < PARTS; p++)
    m->seconds[crew][p][round] = now[p];
  double share = 1. / (m->crews * ROUNDS);
  m->contacts += share * info->contacts;
  m->sweeps += share * info->iterations;
  m->passes += share * info->passes;
  m->missed += info->status != PC_SOLVED;
  m->steps++;
  return true;
}

// The largest change of a velocity when the step is solved to 1e-8 instead.
static double check_step(bench_context *context, pc_crowd *crowd, double step)
{
  int people = pc_crowd_people(crowd);
  size_t size = pc_crowd_save(crowd, NULL, 0);
  void *state = malloc(size);
  double(*velocity)[2] = malloc(sizeof *velocity * (size_t)people), worst = NAN;
  if (state != NULL && velocity != NULL && pc_crowd_save(crowd, state, size) == size &&
      go(context, crowd, step)) {
    pc_person_state person;
    for (int i = 0; i < people; i++) {
      pc_crowd_person(crowd, i, &person);
      memcpy(velocity[i], person.velocity, sizeof *velocity);
    }
    pc_world_set_effort(pc_crowd_world(crowd), 1e-8, 0);
    if (pc_crowd_load(crowd, state, size) == PC_OK && go(context, crowd, step)) {
      worst = 0;
      for (int i = 0; i < people; i++) {
        pc_crowd_person(crowd, i, &person);
        worst = fmax(
            worst, hypot(person.velocity[0] - velocity[i][0], person.velocity[1] - velocity[i][1]));
      }
    }
    pc_world_set_effort(pc_crowd_world(crowd), tolerance, 0);
  }
  free(state);
  free(velocity);
  return worst;
}

// Fills `of` with what the rows of a crew begin with.
static void name_crew(const measured *m, int crew, char *of, size_t size)
{
  static const char *const few[] = {"", "one thread", "two threads"};
  int threads = m->threads[crew];
  char step[40] = "";
  if (m->step != advised_step)
    snprintf(step, sizeof step, " with steps of %g s", m->step);
  if (threads <= 2)
    snprintf(of, size, "hall%s, %s", step, few[threads]);
  else
    snprintf(of, size, "hall%s, %d threads", step, threads);
}

static void show_crew(bench_context *context, int people, measured *m, int crew)
{
  char of[64];
  name_crew(m, crew, of, sizeof of);
  for (int p = 0; p < PARTS; p++)
    if (m->step == advised_step || p == ALL || p == PROCESSOR)
      bench_row_named(context, people, 1e3 * bench_median(ROUNDS, m->seconds[crew][p]), "ms",
                      "%s: %s", of, part_names[p]);
  double all = bench_median(ROUNDS, m->seconds[crew][ALL]), used = 0;
  for (int r = 0; r < ROUNDS; r++) // steps in which many look around cost more than others
    used += m->seconds[crew][PROCESSOR][r] / ROUNDS;
  bench_row_named(context, people, people / all, "1/s", "%s: pedestrian-steps per second", of);
  bench_row_named(context, people, m->step / all, "", "%s: simulated over real time", of);
  bench_row_named(context, people, m->step / used, "", "%s: simulated over processor time", of);
}

static void show(bench_context *context, int people, measured *m)
{
  for (int crew = 0; crew < m->crews; crew++)
    show_crew(context, people, m, crew);
  if (m->step != advised_step)
    return;
  bench_row(context, "hall: contacts", people, m->contacts, "");
  bench_row(context, "hall: sweeps of a step", people, m->sweeps, "");
  bench_row(context, "hall: contacts looked for, times a step", people, m->passes, "");
  bench_row_named(context, people, m->missed, "", "hall: steps above the tolerance, of %d",
                  m->steps);
  bench_row(context, "hall: largest change of a velocity, solved to 1e-8", people, m->worst, "m/s");
  bench_row(context, "hall: root mean square of speeds", people, m->speed, "m/s");
}

static double mean_speed(const pc_crowd *crowd)
{
  double sum = 0;
  int count = 0;
  for (int i = 0; i < pc_crowd_people(crowd); i++) {
    pc_person_state person;
    pc_crowd_person(crowd, i, &person);
    if (!person.present)
      continue;
    sum += person.velocity[0] * person.velocity[0] + person.velocity[1] * person.velocity[1];
    count++;
  }
  return count > 0 ? sqrt(sum / count) : NAN;
}

static bool settle_down(bench_context *context, pc_crowd *crowd, measured *m)
{
  bool good = true;
  for (int i = (int)round(settle / m->step); i > 0 && good; i--) {
    good = go(context, crowd, m->step);
    m->missed += pc_world_info(pc_crowd_world(crowd))->status != PC_SOLVED;
    m->steps++;
  }
  return good;
}

static void hall(bench_context *context, int people, double step)
{
  pc_crowd *crowd = create(context, people);
  int processors = bench_processors();
  measured m = {.step = step, .crews = processors > 2 ? 3 : 2, .threads = {1, 2, processors}};
  if (crowd == NULL)
    return;
  pc_crowd_set_threads(crowd, processors);
  bool good = settle_down(context, crowd, &m);
  for (int i = 0; i < m.crews * ROUNDS && good; i++)
    good = measure_step(context, crowd, i % m.crews, i / m.crews, &m);
  if (good && step == advised_step)
    m.worst = check_step(context, crowd, step);
  m.speed = mean_speed(crowd);
  if (good)
    show(context, people, &m);
  pc_crowd_destroy(crowd);
}

// How deep the people inside overlap: the deepest, m.
static double deepest(const pc_crowd *crowd)
{
  int people = pc_crowd_people(crowd), inside = 0, count = 0;
  double(*centre)[2] = malloc(sizeof *centre * (size_t)people), most = 0;
  double *radius = malloc(sizeof *radius * (size_t)people);
  search *own = search_create(SEARCH_CELLS);
  const int(*pairs)[2];
  for (int i = 0; i < people && centre != NULL && radius != NULL; i++) {
    pc_person_state person;
    pc_crowd_person(crowd, i, &person);
    memcpy(centre[inside], person.position, sizeof *centre);
    radius[inside] = person.radius;
    inside += person.present;
  }
  bool good = own != NULL &&
              search_pairs(own, inside, (const double(*)[2])centre, radius, 0, &pairs, &count);
  for (int n = 0; n < count && good; n++) {
    const double *p = centre[pairs[n][0]], *q = centre[pairs[n][1]];
    most = fmax(most, radius[pairs[n][0]] + radius[pairs[n][1]] - hypot(p[0] - q[0], p[1] - q[1]));
  }
  search_destroy(own);
  free(centre);
  free(radius);
  return good ? most : NAN;
}

// What the length of a step changes: when half of the people of a hall, and nine tenths of them,
// have left; and how deep people overlap.
static void refine(bench_context *context, int people)
{
  static const double steps[] = {0.01, 0.025, 0.05};
  for (int s = 0; s < 3; s++) {
    pc_crowd *crowd = create(context, people);
    double half = NAN, most = NAN, deep = 0, time = 0;
    bool good = crowd != NULL;
    if (good)
      pc_crowd_set_threads(crowd, bench_processors());
    for (int n = 0; good && isnan(most) && time < 600; n++) {
      good = go(context, crowd, steps[s]);
      time = (n + 1) * steps[s];
      if (isnan(half) && pc_crowd_inside(crowd) <= people / 2)
        half = time;
      if (pc_crowd_inside(crowd) <= people / 10)
        most = time;
      if (n % 100 == 99)
        deep = fmax(deep, deepest(crowd));
    }
    pc_crowd_destroy(crowd);
    bench_row_named(context, people, half, "s", "steps of %g s: half have left", steps[s]);
    bench_row_named(context, people, most, "s", "steps of %g s: nine tenths have left", steps[s]);
    bench_row_named(context, people, 1e3 * deep, "mm", "steps of %g s: deepest overlap", steps[s]);
  }
}

typedef struct people_discs {
  double (*centre)[2], *radius;
} people_discs;

// Moves everybody by about the distance of a step.
static void walk(int people, people_discs *d, pc_random *random)
{
  for (int i = 0; i < people; i++)
    for (int k = 0; k < 2; k++)
      d->centre[i][k] += pc_random_uniform(random, -1.4, 1.4) * 0.01;
}

static void time_search(bench_context *context, search_kind kind, int people, people_discs *d)
{
  enum { TIMES = 3 };
  const double within = 0.03;
  double seconds[TIMES];
  pc_random random;
  search *own = search_create(kind);
  const int(*pairs)[2];
  int count = 0;
  pc_random_seed(&random, 2);
  for (int k = 0; k < TIMES; k++) {
    walk(people, d, &random);
    double begun = bench_seconds();
    if (own == NULL || !search_pairs(own, people, (const double(*)[2])d->centre, d->radius, within,
                                     &pairs, &count)) {
      bench_failed(context, "out of memory");
      search_destroy(own);
      return;
    }
    seconds[k] = bench_seconds() - begun;
  }
  search_destroy(own);
  bench_row_named(context, people, 1e3 * bench_median(TIMES, seconds), "ms", "neighbours, %s",
                  search_name(kind));
}

static void searches(bench_context *context, int people)
{
  enum { MOST_ALL = 10000 }; // for searches that try every pair
  people_discs d = {malloc(sizeof *d.centre * (size_t)people),
                    malloc(sizeof *d.radius * (size_t)people)};
  pc_random random;
  int side = (int)ceil(sqrt(people));
  for (search_kind kind = 0; kind < SEARCHES && d.centre != NULL && d.radius != NULL; kind++) {
    if ((kind == SEARCH_ALL || kind == SEARCH_VERLET) && people > MOST_ALL)
      continue;
    pc_random_seed(&random, 1);
    for (int i = 0; i < people; i++) {
      d.centre[i][0] = apart * (i % side) + pc_random_uniform(&random, -0.05, 0.05);
      d.centre[i][1] = apart * (i / side) + pc_random_uniform(&random, -0.05, 0.05);
      d.radius[i] = pc_random_uniform(&random, 0.18, 0.22);
    }
    time_search(context, kind, people, &d);
  }
  free(d.centre);
  free(d.radius);
}

void bench_crowd(bench_context *context)
{
  static const int people[] = {1000, 10000, 100000, 200000};
  const double steps[] = {advised_step, 0.01, 0.05};
  int sizes = context->quick ? 2 : 4;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < sizes; i++)
      hall(context, people[i], steps[k]);
  if (!context->quick)
    refine(context, 2000);
  for (int i = 0; i < sizes; i++)
    searches(context, people[i]);
}
