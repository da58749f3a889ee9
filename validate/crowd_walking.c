// People who walk among others (walking: follow) against what is measured on people. The numbers of
// the model were fitted to the same curves, in corridors of 2.4 and 4 m and doors of 0.8 to 2 m.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "percuss/crowd.h"
#include "percuss/crowd_measures.h"
#include "percuss/random.h"
#include "report.h"

static const double STEP = 0.01;

static pc_crowd *make(void)
{
  pc_crowd_def def = pc_crowd_def_calibrated();
  pc_crowd *crowd = pc_crowd_create(&def);
  if (crowd != NULL)
    pc_crowd_add_floor(crowd);
  return crowd;
}

// People of 1.34 m/s in staggered rows of a box, as far apart as possible.
static bool fill(pc_crowd *crowd, int goal, const double low[2], const double high[2], int people,
                 double largest)
{
  pc_random random;
  pc_random_seed(&random, 1);
  double size[2] = {high[0] - low[0], high[1] - low[1]}, best = 0;
  int rows = 1;
  for (int r = 1; r < 60; r++) {
    double along = size[0] / ceil((double)people / r), across = size[1] / r;
    double apart = fmin(fmin(along, 2 * across), hypot(0.5 * along, across));
    rows = apart > best ? r : rows;
    best = fmax(best, apart);
  }
  bool all = true;
  double along = size[0] / ceil((double)people / rows), across = size[1] / rows;
  for (int i = 0; i < people && all; i++) {
    int row = i % rows, column = i / rows;
    pc_person_def person = pc_person_def_default();
    double shift = 0.25 + 0.5 * (row % 2) + 0.02 * pc_random_uniform(&random, 0, 1);
    person.goal = goal;
    person.radius = largest - 0.05 * pc_random_uniform(&random, 0, 1);
    person.position[0] = low[0] + (column + shift) * along;
    person.position[1] = low[1] + (row + 0.5) * across;
    all = pc_crowd_add_person(crowd, &person) >= 0;
  }
  return all;
}

static bool go(pc_crowd *crowd, double seconds)
{
  bool good = true;
  for (int n = (int)round(seconds / STEP); n > 0 && good; n--)
    good = pc_crowd_step(crowd, STEP) == PC_OK;
  return good;
}

// Mean speed and density in a part of a long corridor that has no wave from its ends yet.
static void measure(double width, double wanted, double *density, double *speed)
{
  const double length = wanted < 1.5 ? 60 : 40;
  double free = 1.34 * (1 - exp(-1.913 * (1 / wanted - 1 / 5.4)));
  double end = 0.45 * length + 6 * free, start = end - 10;
  pc_crowd *crowd = make();
  *density = *speed = NAN;
  if (crowd == NULL)
    return;
  double wall[2][2][2] = {{{-3, 0}, {length + 3, 0}}, {{-3, width}, {length + 3, width}}};
  for (int i = 0; i < 2; i++)
    pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, (const double(*)[2])wall[i]);
  pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{-3, width}, {-3, 0}}});
  int goal =
      pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{length + 3, 0}, {length + 3, width}}});
  double seen = 0, sum = 0;
  int looks = 0;
  bool good = pc_crowd_finish(crowd) == PC_OK &&
              fill(crowd, goal, (double[]){0, 0.24}, (double[]){length, width - 0.24},
                   (int)round(wanted * width * length), 0.225) &&
              go(crowd, 10);
  for (; looks < 48 && good; looks++) {
    good = go(crowd, 0.25);
    for (int i = 0; i < pc_crowd_people(crowd); i++) {
      pc_person_state person;
      pc_crowd_person(crowd, i, &person);
      bool in = person.present && person.position[0] > start && person.position[0] < end;
      seen += in ? 1 : 0;
      sum += in ? person.velocity[0] : 0;
    }
  }
  pc_crowd_destroy(crowd);
  if (!good)
    return;
  *speed = sum / seen;
  *density = seen / (looks * (end - start) * width);
}

static void diagram(pc_report *report)
{
  static const double widths[] = {2.4, 4}, densities[] = {0.5, 1, 2, 3, 3.9};
  for (int w = 0; w < 2; w++)
    for (int d = 0; d < 5; d++) {
      double density, speed;
      char name[40], note[160];
      measure(widths[w], densities[d], &density, &speed);
      double measured = 1.34 * (1 - exp(-1.913 * (1 / density - 1 / 5.4)));
      snprintf(name, sizeof name, "width_%.0f.density_%.0f", 100 * widths[w], 10 * densities[d]);
      snprintf(note, sizeof note,
               "%.3g people/m2 in the middle of a corridor of %g m; %+.0f %%; 15 %% is the "
               "scatter of the measurements",
               density, widths[w], 100 * (speed / measured - 1));
      pc_report_fitted(report, name, "speed at a density", measured, measured, speed, "m/s",
                       0.15 * measured, note);
    }
}

static int by_time(const void *a, const void *b)
{
  const double *one = a, *two = b;
  return (*one > *two) - (*one < *two);
}

// People per second through a door of a room, or a passage of a length behind it, with the people
// as dense as three per square metre in front of it; NAN if somebody stays.
static double flow_through(double width, double length)
{
  int people = (int)fmin(300, 120 + 60 * width);
  double half = 0.5 * width, deep = people / 24. + 0.3, side = fmax(5, width + 2);
  pc_crowd *crowd = make();
  if (crowd == NULL)
    return NAN;
  double room[8][2] = {{length, half},     {0, half},  {0, side},  {-deep - 3, side},
                       {-deep - 3, -side}, {0, -side}, {0, -half}, {length, -half}};
  int first = length > 0 ? 0 : 1;
  pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 8 - 2 * first, (const double(*)[2])(room + first));
  int exit = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{length, -half}, {length, half}}});
  bool good = pc_crowd_finish(crowd) == PC_OK &&
              fill(crowd, exit, (double[]){-deep, -4}, (double[]){-0.3, 4}, people, 0.25);
  for (int n = 0; n < 20000 && good && pc_crowd_inside(crowd) > 0; n++)
    good = pc_crowd_step(crowd, STEP) == PC_OK;
  double *times = calloc((size_t)people, sizeof *times);
  good = good && times != NULL && pc_crowd_inside(crowd) == 0;
  for (int i = 0; i < people && good; i++) {
    pc_person_state person;
    pc_crowd_person(crowd, i, &person);
    times[i] = person.exit_time;
  }
  pc_crowd_flow flow = {0};
  pc_error error;
  if (good) {
    qsort(times, (size_t)people, sizeof *times, by_time);
    int start[2] = {0, people};
    good = pc_crowd_measure_flow(1, start, times, NULL, &flow, &error) == PC_OK;
  }
  free(times);
  pc_crowd_destroy(crowd);
  return good ? flow.robust / 60 : NAN;
}

static void widths(pc_report *report)
{
  static const double width[] = {0.8, 1, 1.2, 1.6, 2, 2.5}, length[] = {0, 2, 4};
  static const char *const what[] = {"door", "passage_2", "passage_4"};
  for (int l = 0; l < 3; l++)
    for (int w = 0; w < 6; w++) {
      char name[40], note[200];
      double flow = flow_through(width[w], length[l]), expected = 1.9 * width[w];
      // 0.8 m is less than two of these people; Weidmann's curve, which rules a passage, has at
      // most 1.22 per second and metre: what is long is slower.
      bool misses = width[w] < 0.9 || length[l] > 3;
      snprintf(name, sizeof name, "%s.width_%.0f", what[l], 100 * width[w]);
      snprintf(note, sizeof note, "%.3g per second and metre, measured 1.9; %+.0f %%%s",
               flow / width[w], 100 * (flow / expected - 1),
               misses ? "; discs of 0.4 to 0.5 m, or a passage that is not short" : "");
      pc_report_fitted(report, name, "people per second through a bottleneck", expected, expected,
                       flow, "1/s", (misses ? 0.2 : 0.1) * expected, note);
    }
}

const pc_case pc_cases_crowd_walking[] = {
    {"crowd.diagram", "Weidmann 1993: speeds in corridors", true, diagram},
    {"crowd.bottleneck.widths", "Seyfried et al. 2009; Kretz et al. 2006; Liddle et al. 2009", true,
     widths},
    {0}};
