// sample_chain PATH BALLS: a made-up run of a chain for the tests of the viewer. Nobody computes
// contacts: the percussion of each is a given function of time, from which velocities follow by the
// balance of momentum, and places by integration, so that viewer/test/chain.mjs knows every number.
// With more than three balls there are walls at both ends; with two, frames and steps are not
// equally long.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "record/record.h"

enum { STEPS = 4 }; // of a frame

static const double speed = 0.8; // of the first ball

typedef struct chain {
  int balls, contacts, frames;
  bool walls;
  double every;      // s, from frame to frame
  double lag, rises; // s: between two contacts; of one percussion
  double *mass, *radius, *start, *gap;
} chain;

typedef struct series {
  int time, step, position, velocity, compression, force, percussion;
  int step_time, step_step, kinetic, ker, cke;
} series;

typedef struct state {
  double *position, *velocity, *displacement; // of balls
  double *compression, *force, *percussion;   // of contacts
} state;

static double *numbers(int count)
{
  double *a = calloc((size_t)count, sizeof *a);
  if (a == NULL)
    abort();
  return a;
}

static chain make_chain(int balls)
{
  chain c = {.balls = balls, .walls = balls > 3};
  c.contacts = balls - 1 + 2 * c.walls;
  c.frames = c.walls ? balls + 51 : 101;
  c.every = c.walls ? 2e-6 : 1e-6;
  c.lag = c.walls ? 2e-6 : 25e-6;
  c.rises = c.walls ? 10e-6 : 60e-6;
  c.mass = numbers(balls), c.radius = numbers(balls), c.start = numbers(balls);
  c.gap = numbers(c.contacts);
  if (balls > 2)
    c.gap[1 + c.walls] = 2e-6; // between the second and the third ball
  for (int i = 0; i < balls; i++) {
    c.mass[i] = (double[]){4e-3, 2e-3, 6e-3}[i % 3];
    c.radius[i] = 0.005 + 0.001 * (i % 3);
    if (i > 0)
      c.start[i] = c.start[i - 1] + c.radius[i - 1] + c.radius[i] + c.gap[i - 1 + c.walls];
  }
  return c;
}

// From 0 to 1, as x goes from 0 to 1; its slope; its integral.
static double rise(double x)
{
  return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x);
}
static double slope(double x)
{
  return x <= 0 || x >= 1 ? 0 : 6 * x * (1 - x);
}
static double area(double x)
{
  return x <= 0 ? 0 : x >= 1 ? x - 0.5 : x * x * x * (1 - x / 2);
}

// Contact k is at the right of ball k. A wall at the left is never touched.
static void find_state(const chain *c, double t, state *s)
{
  for (int i = 0; i < c->balls; i++)
    s->velocity[i] = i == 0 ? speed : 0, s->displacement[i] = i == 0 ? speed * t : 0;
  for (int k = 0; k < c->contacts - c->walls; k++) {
    double p = c->mass[0] * speed * (c->walls ? 0.95 * pow(0.998, k) : 1.1 - 0.1 * k);
    double x = (t - k * c->lag) / c->rises;
    int at = k + c->walls;
    s->percussion[at] = p * rise(x);
    s->force[at] = p / c->rises * slope(x);
    s->velocity[k] -= p * rise(x) / c->mass[k];
    s->displacement[k] -= p * c->rises * area(x) / c->mass[k];
    if (k + 1 < c->balls) {
      s->velocity[k + 1] += p * rise(x) / c->mass[k + 1];
      s->displacement[k + 1] += p * c->rises * area(x) / c->mass[k + 1];
    }
  }
  for (int i = 0; i < c->balls; i++)
    s->position[i] = c->start[i] + s->displacement[i];
  for (int j = 0; j < c->contacts; j++) {
    int left = j - c->walls;
    s->compression[j] = (left >= 0 ? s->displacement[left] : 0) -
                        (left + 1 < c->balls ? s->displacement[left + 1] : 0) - c->gap[j];
  }
}

static void declare(pc_record *r, const chain *c, series *s)
{
  const long two = 2, one = 1, balls = c->balls, contacts = c->contacts;
  const int32_t walls[] = {c->walls, c->walls};
  const double exponent = 1.5;
  double *stiffness = numbers(c->contacts), *restitution = numbers(c->contacts);
  for (int j = 0; j < c->contacts; j++)
    stiffness[j] = 1e9, restitution[j] = 0.9;
  pc_record_text(r, "kind", "chain");
  pc_record_text(r, "chain/law", "hertz");
  pc_record_array(r, "chain/walls", PC_RECORD_INT, 1, &two, walls);
  pc_record_array(r, "chain/exponent", PC_RECORD_DOUBLE, 1, &one, &exponent);
  pc_record_array(r, "balls/mass", PC_RECORD_DOUBLE, 1, &balls, c->mass);
  pc_record_array(r, "balls/radius", PC_RECORD_DOUBLE, 1, &balls, c->radius);
  pc_record_array(r, "balls/start", PC_RECORD_DOUBLE, 1, &balls, c->start);
  pc_record_array(r, "links/stiffness", PC_RECORD_DOUBLE, 1, &contacts, stiffness);
  pc_record_array(r, "links/restitution", PC_RECORD_DOUBLE, 1, &contacts, restitution);
  pc_record_array(r, "links/gap", PC_RECORD_DOUBLE, 1, &contacts, c->gap);
  s->time = pc_record_add(r, "frames/time", PC_RECORD_DOUBLE, 1, 1, "time", "s");
  s->step = pc_record_series(r, "frames/step", PC_RECORD_LONG, 1, 1);
  s->position = pc_record_series(r, "frames/position", PC_RECORD_DOUBLE, c->balls, 1);
  s->velocity = pc_record_series(r, "frames/velocity", PC_RECORD_DOUBLE, c->balls, 1);
  s->compression = pc_record_series(r, "frames/compression", PC_RECORD_DOUBLE, c->contacts, 1);
  s->force = pc_record_series(r, "frames/force", PC_RECORD_DOUBLE, c->contacts, 1);
  s->percussion = pc_record_series(r, "frames/percussion", PC_RECORD_DOUBLE, c->contacts, 1);
  s->step_time = pc_record_add(r, "steps/time", PC_RECORD_DOUBLE, 1, 1, "time", "s");
  s->step_step = pc_record_series(r, "steps/step", PC_RECORD_LONG, 1, 1);
  s->kinetic =
      pc_record_add(r, "steps/kinetic_translation", PC_RECORD_DOUBLE, 1, 1, "kinetic energy", "J");
  s->ker = pc_record_series(r, "steps/ker", PC_RECORD_DOUBLE, 1, 1);
  s->cke = pc_record_series(r, "steps/cke", PC_RECORD_DOUBLE, 1, 1);
  free(stiffness), free(restitution);
}

static double frame_time(const chain *c, int frame)
{
  double part = (double)frame / (c->frames - 1);
  return c->every * (c->balls == 2 ? part * part * (c->frames - 1) : frame);
}

static void write_frame(pc_record *r, const series *h, const chain *c, state *s, int frame)
{
  double t = frame_time(c, frame);
  int64_t step = STEPS * (int64_t)frame;
  find_state(c, t, s);
  pc_record_append(r, h->time, &t);
  pc_record_append(r, h->step, &step);
  pc_record_append(r, h->position, s->position);
  pc_record_append(r, h->velocity, s->velocity);
  pc_record_append(r, h->compression, s->compression);
  pc_record_append(r, h->force, s->force);
  pc_record_append(r, h->percussion, s->percussion);
}

// Energy, its ratio to that of the start, and its dispersion (2.19).
static void write_step(pc_record *r, const series *h, const chain *c, state *s, int64_t step)
{
  int before = (int)((step - 1) / STEPS);
  double from = frame_time(c, before), part = (double)(step - STEPS * before) / STEPS;
  double t = from + part * (frame_time(c, before + 1) - from), sum = 0, off = 0;
  find_state(c, t, s);
  for (int i = 0; i < c->balls; i++)
    sum += 0.5 * c->mass[i] * s->velocity[i] * s->velocity[i];
  double mean = sum / c->balls, ratio = sum / (0.5 * c->mass[0] * speed * speed);
  for (int i = 0; i < c->balls; i++)
    off += pow(0.5 * c->mass[i] * s->velocity[i] * s->velocity[i] - mean, 2) / c->balls;
  double dispersion = sqrt(off) / mean;
  pc_record_append(r, h->step_time, &t);
  pc_record_append(r, h->step_step, &step);
  pc_record_append(r, h->kinetic, &sum);
  pc_record_append(r, h->ker, &ratio);
  pc_record_append(r, h->cke, &dispersion);
}

int main(int argc, char **argv)
{
  pc_error error = {.status = PC_OK};
  int balls = argc == 3 ? atoi(argv[2]) : 0;
  if (balls < 2) {
    fprintf(stderr, "usage: sample_chain PATH BALLS\n");
    return 2;
  }
  chain c = make_chain(balls);
  state s = {.position = numbers(balls),
             .velocity = numbers(balls),
             .displacement = numbers(balls),
             .compression = numbers(c.contacts),
             .force = numbers(c.contacts),
             .percussion = numbers(c.contacts)};
  pc_record *r = pc_record_create(argv[1], &error);
  if (r != NULL) {
    series h;
    declare(r, &c, &h);
    pc_record_start(r);
    write_frame(r, &h, &c, &s, 0);
    for (int k = 1; k < c.frames; k++) {
      for (int i = 1; i <= STEPS; i++)
        write_step(r, &h, &c, &s, (k - 1) * STEPS + i);
      write_frame(r, &h, &c, &s, k);
    }
    pc_record_close(r, 1, &error);
  }
  double *all[] = {c.mass,     c.radius,       c.start,       c.gap,   s.position,
                   s.velocity, s.displacement, s.compression, s.force, s.percussion};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
  if (error.status != PC_OK)
    fprintf(stderr, "%s\n", error.text);
  return error.status != PC_OK;
}
