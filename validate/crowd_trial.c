// Many runs of a crowd.
#include "crowd_trial.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "percuss/random.h"

// Running.

typedef struct job {
  const pc_crowd_trial *trial;
  pc_crowd_run *run;
  atomic_int next; // the first run that nobody has taken
} job;

static void note_people(const pc_crowd *crowd, pc_crowd_run *out)
{
  out->people = pc_crowd_people(crowd);
  out->inside = pc_crowd_inside(crowd);
  out->time = calloc((size_t)out->people + 1, sizeof *out->time);
  out->exit = calloc((size_t)out->people + 1, sizeof *out->exit);
  if (out->time == NULL || out->exit == NULL) {
    out->failed++;
    out->people = 0;
  }
  for (int i = 0; i < out->people; i++) {
    pc_person_state person;
    pc_crowd_person(crowd, i, &person);
    out->time[i] = person.exit_time;
    out->exit[i] = person.exit;
  }
}

static void run_once(const pc_crowd_trial *trial, int number, pc_crowd_run *out)
{
  pc_scene scene = {0};
  if (!trial->make(trial, number, &scene)) {
    out->failed = 1;
    pc_scene_free(&scene);
    return;
  }
  double h = trial->h > 0 ? trial->h : scene.step;
  long steps = lround((trial->longest > 0 ? trial->longest : scene.duration) / h);
  bool goes_on = scene.path != NULL && !scene.people.until_empty; // a scene that says so
  for (long s = 0; s < steps && (goes_on || pc_crowd_inside(scene.crowd) > 0); s++) {
    if (pc_crowd_step(scene.crowd, h) != PC_OK) {
      out->failed++;
      break;
    }
    const pc_step_info *info = pc_world_info(pc_crowd_world(scene.crowd));
    out->failed += info->status != PC_SOLVED || !info->closed;
    out->overlap = fmax(out->overlap, info->deepest);
    if (trial->watch != NULL)
      trial->watch(trial, number, scene.crowd);
  }
  note_people(scene.crowd, out);
  pc_scene_free(&scene);
}

static void *take_runs(void *context)
{
  job *own = context;
  for (int i; (i = atomic_fetch_add(&own->next, 1)) < own->trial->runs;)
    run_once(own->trial, i, &own->run[i]);
  return NULL;
}

pc_crowd_run *pc_crowd_trial_run(const pc_crowd_trial *trial)
{
  enum { MOST = 64 };
  job own = {.trial = trial, .run = calloc((size_t)trial->runs, sizeof *own.run)};
  if (own.run == NULL)
    return NULL;
  pthread_t helper[MOST];
  long helpers = 0, wanted = sysconf(_SC_NPROCESSORS_ONLN) - 1;
  while (helpers < wanted && helpers < MOST && helpers + 1 < trial->runs &&
         pthread_create(&helper[helpers], NULL, take_runs, &own) == 0)
    helpers++;
  take_runs(&own);
  for (long i = 0; i < helpers; i++)
    pthread_join(helper[i], NULL);
  return own.run;
}

void pc_crowd_runs_free(int runs, pc_crowd_run *run)
{
  for (int i = 0; i < runs && run != NULL; i++) {
    free(run[i].time);
    free(run[i].exit);
  }
  free(run);
}

long pc_crowd_runs_failed(int runs, const pc_crowd_run *run)
{
  long failed = run == NULL;
  for (int i = 0; i < runs && run != NULL; i++)
    failed += run[i].failed;
  return failed;
}

// What they have in the mean.

pc_crowd_leaving pc_crowd_run_leaving(const pc_crowd_run *run, int exit)
{
  pc_crowd_leaving out = {0};
  double sum = 0;
  for (int p = 0; p < run->people; p++)
    if (run->exit[p] >= 0 && (exit < 0 || run->exit[p] == exit)) {
      out.last = fmax(out.last, run->time[p]);
      sum += run->time[p];
      out.people++;
    }
  bool whole = run->inside == 0 && out.people > 0;
  out.mean = whole ? sum / out.people : NAN;
  out.last = whole ? out.last : NAN;
  return out;
}

static int compare(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

bool pc_crowd_runs_flow(int runs, const pc_crowd_run *run, pc_crowd_flow *flow)
{
  int people = 0, count = 0;
  *flow = (pc_crowd_flow){0};
  if (pc_crowd_runs_failed(runs, run) > 0)
    return false;
  for (int i = 0; i < runs; i++)
    people += run[i].people;
  double *time = calloc((size_t)people + 1, sizeof *time);
  int *start = calloc((size_t)runs + 1, sizeof *start),
      *inside = calloc((size_t)runs + 1, sizeof *inside);
  bool done = time != NULL && start != NULL && inside != NULL;
  for (int i = 0; i < runs && done; i++) {
    for (int p = 0; p < run[i].people; p++)
      if (run[i].exit[p] >= 0)
        time[count++] = run[i].time[p];
    qsort(time + start[i], (size_t)(count - start[i]), sizeof *time, compare);
    start[i + 1] = count;
    inside[i] = run[i].inside;
  }
  done = done && pc_crowd_measure_flow(runs, start, time, inside, flow, NULL) == PC_OK;
  free(time);
  free(start);
  free(inside);
  return done;
}

// Quantile of Student's t at 0.975, by Cornish and Fisher's series.
static double student(int freedom)
{
  const double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z, f = freedom;
  return z + ((z3 + z) / (4 * f) + (5 * z5 + 16 * z3 + 3 * z) / (96 * f * f));
}

trial_statistics pc_mean_of(int count, const double *value)
{
  trial_statistics s = {.mean = NAN, .interval = NAN, .least = NAN, .most = NAN};
  double *sorted = calloc((size_t)count + 1, sizeof *sorted), sum = 0, squares = 0;
  for (int i = 0; i < count && sorted != NULL; i++)
    if (!isnan(value[i]))
      sorted[s.count++] = value[i];
  if (s.count > 0) {
    qsort(sorted, (size_t)s.count, sizeof *sorted, compare);
    for (int i = 0; i < s.count; i++)
      sum += sorted[i];
    s.mean = sum / s.count;
    s.least = sorted[0];
    s.most = sorted[s.count - 1];
    for (int i = 0; i < s.count; i++)
      squares += (sorted[i] - s.mean) * (sorted[i] - s.mean);
  }
  if (s.count >= 10)
    s.interval = student(s.count - 1) * sqrt(squares / (s.count - 1)) / sqrt(s.count);
  free(sorted);
  return s;
}

// A room.

pc_crowd_def pc_engine_def(pc_engine engine)
{
  pc_crowd_def def = pc_crowd_def_default();
  static const pc_treatment treatment[PC_ENGINES] = {PC_VELOCITY_LEVEL, PC_PENALTY,
                                                     PC_POSITION_LEVEL, PC_POSITION_LEVEL};
  def.treatment = treatment[engine];
  def.first_order = engine == PC_NSM1_FIRST;
  if (def.treatment == PC_POSITION_LEVEL)
    def.law.normal = def.wall_law.normal = (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
  return def;
}

pc_room_def pc_room_of_table_6_4(pc_engine engine)
{
  return (pc_room_def){.engine = engine,
                       .side = 5,
                       .door = 0.82,
                       .people = 20,
                       .speed = {1.5, 2},
                       .relaxation = {0.1, 0.5},
                       .radius = {0.2, 0.25},
                       .mass = {60, 100},
                       .seed = 1};
}

static double draw(pc_random *random, trial_range r)
{
  return pc_random_uniform(random, r.low, r.high);
}

static bool fill_room(pc_crowd *crowd, const pc_room_def *r, int door, uint64_t seed)
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

bool pc_room_make(const pc_crowd_trial *trial, int run, pc_scene *scene)
{
  const pc_room_def *r = trial->context;
  pc_crowd_def def = pc_engine_def(r->engine);
  def.inset = 0; // straight ways need none
  if (r->strength > 0)
    def.social = (pc_social){.strength = r->strength, .range = 0.08, .sideways = true};
  if (r->friction > 0)
    def.law.tangential = def.wall_law.tangential =
        (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {r->friction}, .on = PC_ON_AFTER};
  if (r->tolerance > 0) {
    def.tolerance = r->tolerance;
    def.max_iterations = 100000;
  }
  pc_crowd *crowd = scene->crowd = pc_crowd_create(&def);
  if (crowd == NULL)
    return false;
  double low = 0.5 * (r->side - r->door), high = 0.5 * (r->side + r->door), s = r->side;
  double wall[6][2] = {{s, high}, {s, s}, {0, s}, {0, 0}, {s, 0}, {s, low}};
  pc_exit_def exit = {.line = {{s, low}, {s, high}}, .at_front = true};
  pc_crowd_add_floor(crowd);
  pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, (const double(*)[2])wall);
  int door = pc_crowd_add_exit(crowd, &exit);
  return pc_crowd_finish(crowd) == PC_OK && fill_room(crowd, r, door, r->seed + (uint64_t)run);
}

// A hall.

pc_crowd *pc_hall_make(const pc_crowd_def *def, double length, double width, int exits[2])
{
  pc_crowd *crowd = pc_crowd_create(def);
  if (crowd == NULL)
    return NULL;
  double wall[2][2][2] = {{{0, 0}, {length, 0}}, {{length, width}, {0, width}}};
  pc_crowd_add_floor(crowd);
  for (int i = 0; i < 2; i++) {
    pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, (const double(*)[2])wall[i]);
    pc_exit_def exit = {.line = {{i * length, 0}, {i * length, width}}};
    exits[i] = pc_crowd_add_exit(crowd, &exit);
  }
  if (pc_crowd_finish(crowd) == PC_OK)
    return crowd;
  pc_crowd_destroy(crowd);
  return NULL;
}

// A ready scene.

bool pc_crowd_scene_load(const char *name, int edits, const pc_edit *edit, pc_crowd_scene *scene)
{
  scene->text = pc_trial_text("pecol", name, edits, edit, scene->path, sizeof scene->path);
  return scene->text != NULL;
}

void pc_crowd_scene_free(pc_crowd_scene *scene)
{
  free(scene->text);
  scene->text = NULL;
}

bool pc_crowd_scene_make(const pc_crowd_trial *trial, int run, pc_scene *scene)
{
  const pc_crowd_scene *own = trial->context;
  size_t size = own->text != NULL ? strlen(own->text) + 40 : 0;
  char *text = size > 0 ? malloc(size) : NULL;
  if (text == NULL)
    return false;
  snprintf(text, size, "seed: %d\n%s", run + 1, own->text);
  bool done = pc_scene_parse(own->path, text, scene, NULL) == PC_OK && scene->crowd != NULL;
  free(text);
  return done;
}
