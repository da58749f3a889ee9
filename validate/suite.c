// Verification suites for models of evacuation: running a case in several ways.
#include "suite.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "percuss/crowd.h"

static const double EVERY = 0.1; // s between samples

// Turning the plan of a text: pairs of numbers within lists are points.

static bool is_point(const char *text, const char *at)
{
  while (at > text && (at[-1] == ' ' || at[-1] == '\n'))
    at--;
  return at > text && (at[-1] == '[' || at[-1] == ',');
}

static char *turn_plan(const char *text, double angle)
{
  double cosine = cos(angle), sine = sin(angle);
  size_t size = 3 * strlen(text) + 1000, used = 0;
  char *out = malloc(size);
  for (const char *at = text; out != NULL && *at != '\0';) {
    double x, y;
    int read = 0;
    if (*at == '#') { // to the end of the comment
      size_t rest = strcspn(at, "\n");
      memcpy(out + used, at, rest);
      used += rest;
      at += rest;
    } else if (*at == '[' && is_point(text, at) &&
               sscanf(at, "[%lf , %lf ]%n", &x, &y, &read) == 2 && read > 0) {
      used += (size_t)snprintf(out + used, size - used, "[%.12g, %.12g]", cosine * x - sine * y,
                               sine * x + cosine * y);
      at += read;
    } else {
      out[used++] = *at++;
    }
    if (used + 200 > size) {
      free(out);
      return NULL;
    }
  }
  if (out != NULL)
    out[used] = '\0';
  return out;
}

// Running.

// A text without the lines of the top-level keys that another text has.
static void leave_out(char *text, const char *other)
{
  char *to = text;
  for (const char *line = text, *next; *line != '\0'; line = next) {
    size_t size = strcspn(line, "\n"), key = strcspn(line, ":\n");
    next = line + size + (line[size] == '\n');
    bool there = false;
    for (const char *own = other; own != NULL && key < size && line[0] >= 'a' && line[0] <= 'z';) {
      there = there || strncmp(own, line, key + 1) == 0;
      own = strchr(own, '\n');
      own = own != NULL ? own + 1 : NULL;
    }
    if (!there) {
      memmove(to, line, (size_t)(next - line));
      to += next - line;
    }
  }
  *to = '\0';
}

// The text of a scene, joined with that of its `base`, so that edits and turns reach both.
static char *read_scene(const pc_suite *suite, const char *name, int edits, const pc_edit *edit,
                        char *path, size_t size)
{
  static const char key[] = "\nbase: ../";
  char *own = pc_trial_text(suite->folder, name, 0, NULL, path, size);
  char *at = own != NULL ? strstr(own, key) : NULL, folder[40], file[80];
  char *base = NULL, *both = own, *out = NULL;
  if (at != NULL && sscanf(at + strlen(key), "%39[^/]/%79s", folder, file) == 2) {
    memset(at + 1, '#', 1); // the key is a comment now
    base = pc_trial_text(folder, file, 0, NULL, path, size);
    both = base != NULL ? malloc(strlen(base) + strlen(own) + 2) : NULL;
    if (both != NULL) {
      leave_out(base, own);
      sprintf(both, "%s\n%s", own, base);
    }
  }
  out = pc_trial_edited(both, edits, edit);
  if (both != own)
    free(both);
  free(base);
  free(own);
  return out;
}

static bool make_scene(const pc_suite *suite, const char *name, int edits, const pc_edit *edit,
                       pc_scene *scene)
{
  char path[1200];
  char *text = read_scene(suite, name, edits, edit, path, sizeof path);
  char *turned = text != NULL ? turn_plan(text, suite->angle) : NULL;
  size_t size = turned != NULL ? strlen(turned) + 40 : 0;
  char *seeded = size > 0 ? malloc(size) : NULL;
  bool done = false;
  if (seeded != NULL) {
    snprintf(seeded, size, "seed: %d\n%s", suite->seed, turned);
    pc_error error = {.text = ""};
    done = pc_scene_parse(path, seeded, scene, &error) == PC_OK && scene->crowd != NULL;
    if (!done && getenv("PERCUSS_SUITE_DEBUG") != NULL)
      fprintf(stderr, "%s\n", error.text);
  }
  free(seeded);
  free(turned);
  free(text);
  return done;
}

static bool grow(pc_tracks *tracks, int capacity)
{
  size_t many = (size_t)capacity * (size_t)tracks->people;
  float(*at)[2] = realloc(tracks->at, many * sizeof *at + 1);
  if (at != NULL)
    tracks->at = at;
  signed char *floor = realloc(tracks->floor, many + 1);
  if (floor != NULL)
    tracks->floor = floor;
  return at != NULL && floor != NULL;
}

static void take_sample(pc_tracks *tracks, const pc_crowd *crowd, int floors, double angle)
{
  double cosine = cos(angle), sine = sin(angle);
  size_t first = (size_t)tracks->samples * (size_t)tracks->people;
  for (int i = 0; i < tracks->people; i++) {
    pc_person_state state;
    pc_crowd_person(crowd, i, &state);
    if (isnan(tracks->down[i]) && state.dose >= 1)
      tracks->down[i] = tracks->samples * tracks->every;
    bool plain = state.floor < floors;
    double x = state.position[0], y = state.position[1];
    tracks->at[first + (size_t)i][0] = (float)(plain ? cosine * x + sine * y : x);
    tracks->at[first + (size_t)i][1] = (float)(plain ? -sine * x + cosine * y : y);
    tracks->floor[first + (size_t)i] = (signed char)(state.present ? state.floor : -1);
  }
  tracks->samples++;
}

static bool prepare(pc_tracks *tracks, const pc_crowd *crowd)
{
  tracks->people = pc_crowd_people(crowd);
  size_t many = (size_t)tracks->people + 1;
  tracks->response = calloc(many, sizeof *tracks->response);
  tracks->speed = calloc(many, sizeof *tracks->speed);
  tracks->radius = calloc(many, sizeof *tracks->radius);
  tracks->out = calloc(many, sizeof *tracks->out);
  tracks->exit = calloc(many, sizeof *tracks->exit);
  tracks->down = calloc(many, sizeof *tracks->down);
  if (tracks->response == NULL || tracks->speed == NULL || tracks->radius == NULL ||
      tracks->out == NULL || tracks->exit == NULL || tracks->down == NULL)
    return false;
  for (int i = 0; i < tracks->people; i++) {
    pc_person_def person = pc_crowd_person_def(crowd, i);
    tracks->response[i] = person.response;
    tracks->speed[i] = person.speed;
    tracks->radius[i] = person.radius;
    tracks->down[i] = NAN;
  }
  return true;
}

pc_tracks pc_suite_play(pc_suite *suite, const char *name, int floors, int edits,
                        const pc_edit *edit)
{
  pc_tracks tracks = {.every = EVERY};
  pc_scene scene = {0};
  bool good = make_scene(suite, name, edits, edit, &scene) && prepare(&tracks, scene.crowd);
  double step = suite->step > 0 ? suite->step : scene.step;
  long steps = good ? lround(scene.duration / step) : 0, sample = lround(EVERY / step);
  int capacity = 0;
  for (long n = 0; n <= steps && good; n++) {
    if (n % sample == 0) {
      if (tracks.samples == capacity) {
        capacity = 2 * capacity + 64;
        good = grow(&tracks, capacity);
      }
      if (good)
        take_sample(&tracks, scene.crowd, floors, suite->angle);
    }
    if (!good || n == steps || (pc_crowd_inside(scene.crowd) == 0 && scene.people.until_empty))
      break;
    good = pc_crowd_step(scene.crowd, step) == PC_OK;
    if (good) {
      const pc_step_info *info = pc_world_info(pc_crowd_world(scene.crowd));
      tracks.bad += info->status != PC_SOLVED || !info->closed;
    }
  }
  for (int i = 0; i < tracks.people && good; i++) {
    pc_person_state state;
    pc_crowd_person(scene.crowd, i, &state);
    tracks.exit[i] = state.exit;
    tracks.out[i] = state.exit >= 0 ? state.exit_time : NAN;
  }
  tracks.made = good;
  suite->bad += tracks.bad + (good ? 0 : 1);
  pc_scene_free(&scene);
  return tracks;
}

void pc_tracks_free(pc_tracks *tracks)
{
  free(tracks->at);
  free(tracks->floor);
  free(tracks->response);
  free(tracks->speed);
  free(tracks->radius);
  free(tracks->out);
  free(tracks->down);
  free(tracks->exit);
  *tracks = (pc_tracks){0};
}

// Checks.

void pc_suite_check_value(pc_suite *suite, const char *name, const char *quantity, double value,
                          const char *unit, double low, double high, bool printed,
                          const char *format, ...)
{
  if (suite->count == PC_SUITE_CHECKS)
    return;
  pc_suite_check *check = &suite->check[suite->count++];
  *check =
      (pc_suite_check){.unit = unit, .value = value, .low = low, .high = high, .printed = printed};
  snprintf(check->name, sizeof check->name, "%s", name);
  snprintf(check->quantity, sizeof check->quantity, "%s", quantity);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->note, sizeof check->note, format, arguments);
  va_end(arguments);
}

void pc_suite_missed(pc_suite *suite)
{
  suite->check[suite->count - 1].missed = true;
}

static bool holds(const pc_suite_check *check)
{
  return isfinite(check->value) && check->value >= check->low && check->value <= check->high;
}

static void report_check(pc_report *report, const pc_suite_check *check)
{
  // A count has 0 as its bound; a missed one-sided bound is shown with a width of its own size.
  double low = isfinite(check->low) ? check->low : 0,
         high = isfinite(check->high) ? check->high : 2 * low;
  double middle = 0.5 * (check->low + check->high), half = 0.5 * (check->high - check->low);
  if (check->missed)
    pc_report_missed(report, check->name, check->quantity, NAN, 0.5 * (low + high), check->value,
                     check->unit, fmax(0.5 * (high - low), 1e-9), check->note);
  else if (isfinite(middle) && check->printed)
    pc_report_published(report, check->name, check->quantity, middle, check->value, check->unit,
                        half, check->note);
  else if (isfinite(middle))
    pc_report_derived(report, check->name, check->quantity, middle, check->value, check->unit, half,
                      check->note);
  else {
    char note[400];
    bool least = isfinite(check->low);
    snprintf(note, sizeof note, "%.4g %s, at %s %.4g; %s", check->value,
             strcmp(check->unit, "1") == 0 ? "" : check->unit, least ? "least" : "most",
             least ? check->low : check->high, check->note);
    pc_report_property(report, check->name, check->quantity, holds(check) ? 0 : 1, note);
  }
}

// All ways of a case, side by side on all processors.

static const pc_suite ways[] = {
    {.name = "as it is", .seed = 1},
    {.name = "seed 2", .seed = 2},
    {.name = "seed 3, turned by 30 degrees", .seed = 3, .angle = 0.5235987755982988},
    {.name = "steps of 0.05 s", .seed = 1, .step = 0.05},
    {.name = "seed 4, steps of 0.02 s, turned by 200 degrees",
     .seed = 4,
     .step = 0.02,
     .angle = 3.490658503988659}};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct job {
  pc_suite way[WAYS];
  void (*measure)(pc_suite *suite);
  atomic_int next;
} job;

static void *take_ways(void *context)
{
  job *own = context;
  for (int i; (i = atomic_fetch_add(&own->next, 1)) < WAYS;)
    own->measure(&own->way[i]);
  return NULL;
}

static void measure_all(job *own)
{
  pthread_t helper[WAYS];
  long helpers = 0, wanted = sysconf(_SC_NPROCESSORS_ONLN) - 1;
  while (helpers < wanted && helpers + 1 < WAYS &&
         pthread_create(&helper[helpers], NULL, take_ways, own) == 0)
    helpers++;
  take_ways(own);
  for (long i = 0; i < helpers; i++)
    pthread_join(helper[i], NULL);
}

void pc_suite_report(pc_report *report, const char *folder, void (*measure)(pc_suite *suite))
{
  job *own = calloc(1, sizeof *own);
  if (own == NULL)
    return;
  own->measure = measure;
  long bad = 0;
  for (int i = 0; i < WAYS; i++) {
    own->way[i] = ways[i];
    own->way[i].folder = folder;
  }
  measure_all(own);
  for (int i = 0; i < own->way[0].count; i++)
    report_check(report, &own->way[0].check[i]);
  int failed = 0;
  char note[400] = "other seeds, steps of 0.02 and 0.05 s, the plan turned by 30 and 200 degrees";
  for (int w = 0; w < WAYS; w++) {
    const pc_suite *way = &own->way[w];
    bad += way->bad;
    if (w > 0 && way->count != own->way[0].count)
      failed++;
    for (int i = 0; i < way->count && w > 0; i++)
      if (!way->check[i].missed && !holds(&way->check[i])) {
        failed++;
        size_t used = strlen(note);
        snprintf(note + used, sizeof note - used, "; %s: %s is %.4g", way->name, way->check[i].name,
                 way->check[i].value);
      }
  }
  static const char quantity[] = "criteria that fail when the case is run in four other ways";
  if (own->way[0].varied == NULL)
    pc_report_property(report, "varied", quantity, failed, note);
  else {
    char why[600];
    snprintf(why, sizeof why, "%s; %s", own->way[0].varied, note);
    pc_report_missed(report, "varied", quantity, NAN, 0, failed, "violations", 0, why);
  }
  pc_report_own_steps(report, "audit",
                      "steps that are not solved or whose energy balance does not close", (int)bad,
                      NULL);
  free(own);
}
