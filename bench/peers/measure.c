// Runs one scene with the engine that is linked in and prints one line of numbers.
//
//     measure-ENGINE SCENE default|accurate
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "overlap.h"
#include "scene.h"

enum { SAMPLE = 5 }; // steps between two samples

typedef struct result {
  double all_s, step_ms, cpu_ms, largest, mean, sideways, sank, rise, kinetic, scale;
} result;

static double now(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// In space the inertia is taken in the body's axes: R^T spin.
static double kinetic_of(const scene *s, const scene_body *b, const body_state *q)
{
  double kinetic = 0;
  for (int i = 0; i < 3; i++)
    kinetic += 0.5 * b->mass * q->velocity[i] * q->velocity[i];
  if (s->dimension == 2)
    return kinetic + 0.5 * b->inertia[2] * q->spin[2] * q->spin[2];
  double w = q->orientation[0];
  const double *v = &q->orientation[1], *spin = q->spin;
  double across[3], local[3];
  for (int i = 0; i < 3; i++)
    across[i] = spin[(i + 1) % 3] * v[(i + 2) % 3] - spin[(i + 2) % 3] * v[(i + 1) % 3];
  for (int i = 0; i < 3; i++) {
    double twice = across[(i + 1) % 3] * v[(i + 2) % 3] - across[(i + 2) % 3] * v[(i + 1) % 3];
    local[i] = spin[i] + 2 * w * across[i] + 2 * twice;
    kinetic += 0.5 * b->inertia[i] * local[i] * local[i];
  }
  return kinetic;
}

static double energy(const scene *s, const body_state *q, double *kinetic)
{
  double potential = 0;
  *kinetic = 0;
  for (int i = 0; i < s->measured; i++) {
    potential += s->body[i].mass * s->gravity * q[i].position[s->dimension - 1];
    *kinetic += kinetic_of(s, &s->body[i], &q[i]);
  }
  return potential + *kinetic;
}

static void read_states(const scene *s, void *peer, body_state *q)
{
  for (int i = 0; i < s->bodies; i++)
    peer_get(peer, i, &q[i]);
}

static void drift(const scene *s, const body_state *q, result *r)
{
  for (int i = 0; i < s->measured; i++) {
    double aside = 0, down = 0;
    for (int k = 0; k < s->dimension; k++) {
      double d = q[i].position[k] - s->body[i].position[k];
      if (k == s->dimension - 1)
        down = -d;
      else
        aside += d * d;
    }
    r->sideways = fmax(r->sideways, sqrt(aside));
    if (fabs(down) > fabs(r->sank))
      r->sank = down;
  }
}

static bool run(const scene *s, void *peer, body_state *q, double *times, result *r)
{
  int timed = 0, begin = s->steps - s->steps / 4;
  double kinetic, before, overlaps = 0, cpu = 0;
  long pairs = 0;
  read_states(s, peer, q);
  before = energy(s, q, &kinetic);
  r->scale = before;
  for (int step = 1; step <= s->steps; step++) {
    double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
    peer_step(peer, s->step);
    double spent = now(CLOCK_MONOTONIC) - start;
    r->all_s += spent;
    if (step > begin) {
      times[timed++] = 1e3 * spent;
      cpu += 1e3 * (now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start);
    }
    if (step % SAMPLE != 0 && step != s->steps)
      continue;
    read_states(s, peer, q);
    double total = energy(s, q, &kinetic);
    r->rise = fmax(r->rise, total - before);
    before = total;
    if (step > begin) {
      overlap o;
      if (!overlap_measure(s, q, &o))
        return false;
      r->largest = fmax(r->largest, o.largest);
      overlaps += o.sum;
      pairs += o.pairs;
    }
  }
  qsort(times, (size_t)timed, sizeof *times, compare);
  r->step_ms = times[timed / 2];
  r->cpu_ms = cpu > 30 ? cpu / timed : NAN; // the clock may be too coarse for less
  r->mean = pairs > 0 ? overlaps / (double)pairs : 0;
  r->kinetic = kinetic;
  if (s->at_rest)
    drift(s, q, r);
  return true;
}

static void number(double value)
{
  if (isnan(value))
    printf(",");
  else
    printf(",%.3g", value);
}

static int measure(const scene *s, bool accurate)
{
  body_state *q = calloc((size_t)s->bodies, sizeof *q);
  double *times = malloc(sizeof *times * (size_t)s->steps);
  void *peer = peer_create(s, accurate);
  result r = {0};
  if (q == NULL || times == NULL || peer == NULL || !run(s, peer, q, times, &r)) {
    fprintf(stderr, "%s: %s failed\n", peer_name(), s->name);
    return 1;
  }
  printf("%s,%d,%d,%g,%s,%s,\"%s\",%s", s->name, s->measured, s->steps, s->step, peer_name(),
         accurate ? "accurate" : "default", peer_setting(accurate), peer_precision());
  printf(",%.4g,%.4g", r.all_s, r.step_ms);
  number(r.cpu_ms);
  printf(",%d", peer_contacts(peer));
  number(r.largest);
  number(r.mean);
  number(s->at_rest ? r.sideways : NAN);
  number(s->at_rest ? r.sank : NAN);
  number(r.rise);
  number(r.rise / r.scale);
  number(r.kinetic);
  peer_error error = peer_errors(peer);
  number(error.residual);
  number(error.length);
  if (error.missed >= 0)
    printf(",%d", error.missed);
  else
    printf(",");
  printf("\n");
  free(q);
  free(times);
  return 0; // the engine's memory goes with the process
}

int main(int argc, char **argv)
{
  scene s;
  if (argc != 3 || (strcmp(argv[2], "default") != 0 && strcmp(argv[2], "accurate") != 0)) {
    fprintf(stderr, "usage: %s SCENE default|accurate\n", argv[0]);
    return 2;
  }
  if (!scene_create(&s, argv[1])) {
    fprintf(stderr, "%s: no scene %s\n", argv[0], argv[1]);
    return 2;
  }
  int status = peer_can(&s) ? measure(&s, strcmp(argv[2], "accurate") == 0) : 0;
  scene_free(&s);
  return status;
}
