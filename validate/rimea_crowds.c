// RiMEA 4.1.1, annex 1, A 4: qualitative tests of crowds; test 13 also as in 3.0.0.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void large_room(pc_suite *suite)
{
  static const pc_edit locked[] = {{"[5, 20]]}", "[5, 20]], opens: 10000}"},
                                   {"[26, 20]]}", "[26, 20]], opens: 10000}"}};
  double time[2];
  int inside = 0;
  for (int i = 0; i < 2; i++) {
    pc_tracks tracks = pc_suite_play(suite, "9-large-room.yaml", 1, i == 0 ? 0 : 2, locked);
    time[i] = pc_tracks_last(&tracks, 0, tracks.people);
    inside += pc_tracks_inside(&tracks);
    if (i == 1)
      inside += pc_tracks_by_exit(&tracks, 0) + pc_tracks_by_exit(&tracks, 1);
    pc_tracks_free(&tracks);
  }
  pc_suite_check_value(suite, "inside", "people who do not leave by an open door", inside, "1",
                       -INFINITY, 0, true, "1,000 people, twice");
  pc_suite_check_value(
      suite, "ratio", "time by two doors over that by four", time[1] / time[0], "1", 1.7, 2.3,
      false, "about 2 in the guideline, for the record; %.0f s and %.0f s", time[1], time[0]);
}

static void rooms(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "10-rooms.yaml", 1, 0, NULL);
  int wrong = tracks.people == 23 ? 0 : 1;
  for (int i = 0; i < tracks.people; i++)
    wrong += tracks.exit[i] != (i < 15 ? 0 : 1);
  pc_suite_check_value(suite, "exits", "people who do not leave by their exit", wrong, "1",
                       -INFINITY, 0, true, "23 people, last %.1f s",
                       pc_tracks_last(&tracks, 0, 23));
  pc_tracks_free(&tracks);
}

static void exit_choice(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "11-exit-choice.yaml", 1, 0, NULL);
  double people = tracks.people, near = pc_tracks_by_exit(&tracks, 0),
         far = pc_tracks_by_exit(&tracks, 1);
  pc_suite_check_value(suite, "inside", "people who do not leave", pc_tracks_inside(&tracks), "1",
                       -INFINITY, 0, true, "1,000 people, last %.0f s",
                       pc_tracks_last(&tracks, 0, tracks.people));
  pc_suite_check_value(suite, "near", "share that leaves by the nearer exit", near / people, "1",
                       0.5, 0.95, false,
                       "the guideline has: more by the nearer one, and some by the other");
  pc_suite_check_value(suite, "far", "share that leaves by the farther exit", far / people, "1",
                       0.05, 0.5, false, "at least one in twenty");
  pc_suite_check_value(suite, "queue", "density before the nearer exit",
                       pc_tracks_peak(&tracks, (pc_spot){0, {20.5, 18}, {22.5, 20}}, 10), "1/m2", 2,
                       INFINITY, false, "people queue there: Fruin's level F, above 2 people/m2");
  pc_tracks_free(&tracks);
}

// Bottlenecks.

// Time and flow of the people through the room of 150; the mean of three seeds.
static void bottleneck_runs(pc_suite *suite, int edits, const pc_edit *edit, double *time,
                            double *flow, int *inside)
{
  int seed = suite->seed;
  *time = *flow = 0;
  for (int s = 0; s < 3; s++) {
    suite->seed = seed + 100 * s;
    pc_tracks tracks = pc_suite_play(suite, "12-bottleneck.yaml", 1, edits, edit);
    *time += pc_tracks_last(&tracks, 0, tracks.people) / 3;
    *flow += pc_suite_flow(tracks.people, tracks.out, 0.1, 0.9) / 3;
    *inside += pc_tracks_inside(&tracks);
    pc_tracks_free(&tracks);
  }
  suite->seed = seed;
}

// The room with a bottleneck of a width and length, and an exit line that spans the floor behind
// it, or its end.
static void bottleneck(pc_suite *suite, double width, double length, double behind, double *time,
                       double *flow, int *inside)
{
  char plan[400], line[120];
  double low = 5 - width / 2, high = 5 + width / 2, mouth = 10 + length, end = mouth + 10;
  snprintf(
      plan, sizeof plan,
      "outline: [[0, 0], [10, 0], [10, %g], [%g, %g], [%g, 0], [%g, 0], [%g, 10], [%g, 10], [%g, "
      "%g], [10, %g], [10, 10], [0, 10]]}",
      low, mouth, low, mouth, end, end, mouth, mouth, high, high);
  if (behind > 0)
    snprintf(line, sizeof line, "line: [[%g, 0], [%g, 10]]", mouth + behind, mouth + behind);
  else
    snprintf(line, sizeof line, "line: [[%g, %g], [%g, %g]]", mouth, low, mouth, high);
  pc_edit edit[] = {{"outline: [[0, 0], [10, 0], [10, 4.5], [15, 4.5], [15, 0], [25, 0], [25, 10], "
                     "[15, 10], [15, "
                     "5.5], [10, 5.5], [10, 10], [0, 10]]}",
                     plan},
                    {"line: [[25, 4.5], [25, 5.5]]", line}};
  bottleneck_runs(suite, 2, edit, time, flow, inside);
}

static void bottlenecks(pc_suite *suite)
{
  static const double distance[] = {0, 1, 2, 5, 10}, width[] = {0.8, 1, 1.2};
  double time[5], flow[5], short_time, short_flow, long_time, long_flow;
  int inside = 0, falls = 0;
  char list[120] = "";
  suite->varied = "one flow of 12a in one of the four ways rises by more than 3 %, which is within "
                  "the scatter of means of three seeds";
  for (int i = 0; i < 5; i++) {
    bottleneck(suite, 1, 0.2, distance[i], &time[i], &flow[i], &inside);
    // People who are taken out later have farther to go; beyond that the flow must not rise.
    falls += i > 0 && flow[i] > 1.03 * flow[i - 1];
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%.1f", i > 0 ? ", " : "", time[i]);
  }
  pc_suite_check_value(suite, "goal", "distances from which on the flow rises by more than 3 %",
                       falls, "1", -INFINITY, 0, false,
                       "12a: taken out 0, 1, 2, 5, 10 m behind the bottleneck: %s s, three seeds",
                       list);
  pc_suite_check_value(suite, "goal_time", "time with the farthest goal over that with the nearest",
                       time[4] / time[0], "1", 1, INFINITY, true, "12a");
  pc_suite_check_value(suite, "goal_levels", "flow with a goal 5 m behind over that 10 m behind",
                       flow[3] / flow[4], "1", 0.95, 1.05, false,
                       "12a: it does not change any more");
  bottleneck(suite, 1, 0.2, 5, &short_time, &short_flow, &inside);
  bottleneck(suite, 1, 5, 5, &long_time, &long_flow, &inside);
  double detour = 4.8 / 1.34;
  pc_suite_check_value(suite, "length", "time by a bottleneck of 5 m over that by one of 0.2 m",
                       long_time / short_time, "1", 1, INFINITY, true,
                       "12b; %.1f and %.1f s, of which the longer way takes %.1f s", long_time,
                       short_time, detour);
  for (int i = 0; i < 3; i++)
    bottleneck(suite, width[i], 5, 5, &time[i], &flow[i], &inside);
  for (int i = 1; i < 3; i++) {
    char name[40];
    snprintf(name, sizeof name, "width_%.0f", 100 * width[i]);
    pc_suite_check_value(suite, name, "flow over that of the next narrower bottleneck",
                         flow[i] / flow[i - 1], "1", 1, INFINITY, true,
                         "12d: %g m, %.3g people per second", width[i], flow[i]);
  }
  pc_suite_check_value(suite, "inside", "people who do not leave", inside, "1", -INFINITY, 0, false,
                       "150 people, all runs");
}

static void congestion(pc_suite *suite)
{
  double first = 0, second = 0, brings = 0, leaves = 0;
  int seed = suite->seed;
  for (int s = 0; s < 3; s++) {
    suite->seed = seed + 100 * s;
    pc_tracks tracks = pc_suite_play(suite, "12-bottleneck.yaml", 1, 0, NULL);
    first += pc_tracks_peak(&tracks, (pc_spot){0, {8, 3.5}, {10, 6.5}}, 5) / 3;
    second += pc_tracks_peak(&tracks, (pc_spot){0, {23, 3.5}, {25, 6.5}}, 5) / 3;
    double *in = calloc((size_t)tracks.people + 1, sizeof *in);
    for (int i = 0; i < tracks.people && in != NULL; i++)
      in[i] = pc_tracks_passes(&tracks, i, 0, 0, 15, false);
    brings += in != NULL ? pc_suite_flow(tracks.people, in, 0.1, 0.9) / 3 : NAN;
    leaves += pc_suite_flow(tracks.people, tracks.out, 0.1, 0.9) / 3;
    free(in);
    pc_tracks_free(&tracks);
  }
  suite->seed = seed;
  pc_suite_check_value(
      suite, "first", "density before the first bottleneck", first, "1/m2", 2, INFINITY, false,
      "a jam: Fruin's level F is above 2 people/m2; mean of 5 s on 2 m x 3 m, three seeds");
  pc_suite_check_value(suite, "second", "density before the last opening", second, "1/m2",
                       -INFINITY, 1.1, false, "no jam: below Fruin's level E, 1.1 people/m2");
  pc_suite_check_value(suite, "flow", "flow out of the last opening over that of the first",
                       leaves / brings, "1", 0.95, 1.05, false, "%.3g people per second", brings);
}

// Stairs.

static void stairs_jam(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "13-stairs-after-corridor.yaml", 2, 0, NULL);
  double door = pc_tracks_peak(&tracks, (pc_spot){0, {-1.5, 0}, {0, 2}}, 5);
  // In the corridor until the jam from the stairs is there; at the foot of the stairs afterwards.
  double *at_door = calloc((size_t)tracks.people + 1, sizeof *at_door),
         *at_foot = calloc((size_t)tracks.people + 1, sizeof *at_foot);
  for (int i = 0; i < tracks.people && at_door != NULL && at_foot != NULL; i++) {
    at_door[i] = pc_tracks_passes(&tracks, i, 0, 0, 0, false);
    at_foot[i] = pc_tracks_enters(&tracks, i, 2);
  }
  double brings = at_door != NULL ? pc_suite_flow(tracks.people, at_door, 0.02, 0.25) : NAN,
         takes = at_foot != NULL ? pc_suite_flow(tracks.people, at_foot, 0.2, 0.8) : NAN;
  double foot = pc_tracks_density(&tracks, (pc_spot){0, {10, 0}, {12, 2}}, 12, 30),
         middle = pc_tracks_density(&tracks, (pc_spot){0, {4, 0}, {8, 2}}, 4, 12);
  pc_suite_check_value(suite, "door", "density before the door of the room", door, "1/m2", 2,
                       INFINITY, false, "a jam: Fruin's level F is above 2 people/m2");
  pc_suite_check_value(suite, "foot", "density at the foot of the stairs over that in the corridor",
                       foot / middle, "1", 1.1, INFINITY, false,
                       "%.2g people/m2 from 12 to 30 s at the foot, %.2g in the corridor from 4 to "
                       "12 s: people before "
                       "stairs do not see those on them, and jam on the first steps",
                       foot, middle);
  pc_suite_missed(suite);
  pc_suite_check_value(suite, "flow", "flow up the stairs over that into the corridor",
                       takes / brings, "1", -INFINITY, 0.95, false,
                       "%.3g and %.3g people per second", takes, brings);
  pc_suite_check_value(suite, "inside", "people who do not leave", pc_tracks_inside(&tracks), "1",
                       -INFINITY, 0, false, "150 people");
  free(at_door);
  free(at_foot);
  pc_tracks_free(&tracks);
}

enum { BINS = 8 };
static const double bin_width = 0.2; // people/m2

typedef struct stairs_result {
  double speed[BINS];
  int count[BINS], in_band, in_domain, inside;
} stairs_result;

static void measure_stairs(pc_suite *suite, bool goes_up, stairs_result *out)
{
  // Figure 16 of the guideline, read off: density, slowest, fastest.
  static const double band[2][6][3] = {{{0.6, 0.66, 1.12},
                                        {0.8, 0.6, 1},
                                        {1, 0.55, 0.89},
                                        {1.2, 0.5, 0.81},
                                        {1.4, 0.48, 0.76},
                                        {1.5, 0.48, 0.73}},
                                       {{0.6, 0.48, 1.02},
                                        {0.8, 0.46, 0.93},
                                        {1, 0.46, 0.86},
                                        {1.2, 0.46, 0.8},
                                        {1.4, 0.46, 0.76},
                                        {1.5, 0.46, 0.74}}};
  pc_edit turned = {"rise: 2.931", "rise: -2.931"};
  pc_tracks tracks =
      pc_suite_play(suite, "13-stairs-diagram.yaml", 2, goes_up ? 0 : 1, goes_up ? NULL : &turned);
  out->inside += pc_tracks_inside(&tracks);
  pc_spot flight = {2, {-1, -1}, {6, 3}};
  double last = pc_tracks_last(&tracks, 0, tracks.people);
  for (double t = 0; t + 1 <= last; t += 1) {
    double speed = pc_tracks_speed(&tracks, flight, t, t + 0.99),
           density = pc_tracks_density(&tracks, flight, t, t + 0.99) * (7 * 4) / (5 * 2);
    int bin = (int)floor(density / bin_width);
    if (!isfinite(speed) || bin >= BINS)
      continue;
    out->speed[bin] += speed;
    out->count[bin]++;
    for (int i = 0; i < 5; i++) {
      const double *a = band[goes_up][i], *b = band[goes_up][i + 1];
      if (!(density >= a[0] && density < b[0]))
        continue;
      double share = (density - a[0]) / (b[0] - a[0]);
      out->in_domain++;
      out->in_band +=
          speed >= a[1] + share * (b[1] - a[1]) && speed <= a[2] + share * (b[2] - a[2]);
    }
  }
  pc_tracks_free(&tracks);
}

static void stairs_diagram(pc_suite *suite)
{
  stairs_result result[2] = {{.inside = 0}};
  int seed = suite->seed;
  for (int i = 0; i < 2; i++) {
    for (int s = 0; s < 3; s++) {
      suite->seed = seed + 100 * s;
      measure_stairs(suite, i == 1, &result[i]);
    }
    suite->seed = seed;
    pc_suite_check_value(
        suite, i == 1 ? "up" : "down", "share of the seconds in the band of figure 16",
        (double)result[i].in_band / result[i].in_domain, "1", 0.5, 1, false,
        "%d seconds with 0.6 to 1.5 people/m2 on the stairs, three seeds", result[i].in_domain);
  }
  double more = 0, weight = 0; // at the same density, by the seconds that both have
  for (int b = 0; b < BINS; b++) {
    int common = result[0].count[b] < result[1].count[b] ? result[0].count[b] : result[1].count[b];
    if (common > 0)
      more += common *
              (result[0].speed[b] / result[0].count[b] - result[1].speed[b] / result[1].count[b]);
    weight += common;
  }
  pc_suite_check_value(suite, "faster", "speed down less that up, at the same density",
                       more / weight, "m/s", 0, INFINITY, true,
                       "people are faster down; in steps of 0.2 people/m2, %.0f seconds", weight);
  pc_suite_check_value(suite, "inside", "people who do not leave",
                       result[0].inside + result[1].inside, "1", -INFINITY, 0, false,
                       "100 people, twice");
}

static void route_choice(pc_suite *suite)
{
  // The stairs as they are, and ones that take longer than the way around: 2 x 5 m at 0.2 m/s.
  static const pc_edit slow[] = {{"rise: -2.931}", "speed: 0.2}"}, {"rise: 2.931}", "speed: 0.2}"}};
  for (int i = 0; i < 2; i++) {
    pc_tracks tracks = pc_suite_play(suite, "14-route-choice.yaml", 2, 2 * i, i == 0 ? NULL : slow);
    int by_stairs = 0;
    for (int p = 0; p < tracks.people; p++)
      by_stairs += isfinite(pc_tracks_enters(&tracks, p, 1));
    // Around: from (2.5, 2) by the corners (5, 15) and (25, 15) to (27, 0).
    double around = (hypot(2.5, 13) + 20 + hypot(2, 15)) / 1.34;
    double short_way =
        i == 0 ? (3 + 10 + 4.5) / 1.34 + 5 / 0.61 + 5 / 0.69 : (3 + 10 + 4.5) / 1.34 + 50;
    pc_suite_check_value(suite, i == 0 ? "faster" : "configured", "people who take the slower way",
                         tracks.made ? (double)(i == 0 ? tracks.people - by_stairs : by_stairs)
                                     : NAN,
                         "1", -INFINITY, 0, false,
                         "30 people; by hand %.0f s by the stairs, %.0f s around, without others",
                         short_way, around);
    pc_suite_check_value(suite, i == 0 ? "inside" : "configured_inside", "people who do not leave",
                         pc_tracks_inside(&tracks), "1", -INFINITY, 0, false, "30 people");
    pc_tracks_free(&tracks);
  }
}

static void large_corner(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "15-large-corner.yaml", 3, 0, NULL);
  double far = pc_tracks_last(&tracks, 0, 500), around = pc_tracks_last(&tracks, 500, 500),
         near = pc_tracks_last(&tracks, 1000, 500);
  pc_suite_check_value(
      suite, "time", "time around the corner", around, "s", near, far, false,
      "between %.1f s for 44 m and %.1f s for 75.4 m straight on; everybody takes the "
      "shortest way along the inner corner and queues there, instead of using the width",
      near, far);
  pc_suite_missed(suite);
  pc_suite_check_value(suite, "inside", "people who do not leave", pc_tracks_inside(&tracks), "1",
                       -INFINITY, 0, false, "3 x 500 people");
  pc_tracks_free(&tracks);
}

#define CASES(X)                                                                                   \
  X(large_room)                                                                                    \
  X(rooms)                                                                                         \
  X(exit_choice)                                                                                   \
  X(bottlenecks)                                                                                   \
  X(congestion)                                                                                    \
  X(stairs_jam)                                                                                    \
  X(stairs_diagram)                                                                                \
  X(route_choice)                                                                                  \
  X(large_corner)

#define RUN(name)                                                                                  \
  static void run_##name(pc_report *report)                                                        \
  {                                                                                                \
    pc_suite_report(report, "rimea", name);                                                        \
  }
CASES(RUN)

const pc_case pc_cases_rimea_crowds[] = {
    {"rimea.9", "RiMEA 4.1.1, test 9: a large room", true, run_large_room},
    {"rimea.10", "RiMEA 4.1.1, test 10: allocation of escape routes", false, run_rooms},
    {"rimea.11", "RiMEA 4.1.1, test 11: choice of an exit", true, run_exit_choice},
    {"rimea.12.shape", "RiMEA 4.1.1, tests 12a, 12b, 12d: shapes of bottlenecks", true,
     run_bottlenecks},
    {"rimea.12.congestion", "RiMEA 4.1.1, test 12c: two bottlenecks", true, run_congestion},
    {"rimea.13.jam", "RiMEA 3.0.0, test 13: stairs after a corridor", true, run_stairs_jam},
    {"rimea.13.diagram", "RiMEA 4.1.1, test 13: fundamental diagram on stairs", true,
     run_stairs_diagram},
    {"rimea.14", "RiMEA 4.1.1, test 14: choice of a route", true, run_route_choice},
    {"rimea.15", "RiMEA 4.1.1, test 15: a large crowd around a corner", true, run_large_corner},
    {0}};
