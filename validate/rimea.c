// RiMEA, guideline for microscopic evacuation analysis, 4.1.1 (11 September 2025), annex 1: tests
// of components (A 2) and the functional test (A 3). Tests 7 and 13 of 3.0.0 are here as well. Each
// scene in scenes/rimea says what the guideline has, its criterion, and what it leaves open.
#include <math.h>
#include <stdio.h>

#include "suite.h"

static const double free_speed = 1.34;

// Weidmann's fundamental diagram (1993).
static double weidmann(double density)
{
  return free_speed * (1 - exp(-1.913 * (1 / density - 1 / 5.4)));
}

static void corridor(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "1-corridor.yaml", 1, 0, NULL);
  double time = pc_tracks_last(&tracks, 0, 1);
  pc_suite_check_value(suite, "time", "time for 40 m at 1.33 m/s", time, "s", 26, 34, true,
                       "bounds of the guideline");
  pc_tracks_free(&tracks);
}

// A person on stairs: floor 2 is the flight.
static void climb(pc_suite *suite, const char *scene, double speed)
{
  pc_tracks tracks = pc_suite_play(suite, scene, 2, 0, NULL);
  double time = pc_tracks_quits(&tracks, 0, 2) - pc_tracks_enters(&tracks, 0, 2);
  double share = 29 / hypot(17, 29), length = 10 * share, along = speed / share;
  pc_suite_check_value(
      suite, "time", "time for 10 m along the slope", time, "s", (10 - 0.4) / (1.05 * along),
      (10 + 0.4) / (0.95 * along) + 1, false,
      "hand calculation with the uncertainties that test 1 names: 0.4 m, 1 s, 5 %%");
  pc_suite_check_value(suite, "speed", "horizontal speed", length / time, "m/s", 0.6, 0.8, false,
                       "0.6 to 0.8 m/s are planners' values; Weidmann (1993) has %g m/s", speed);
  pc_tracks_free(&tracks);
}

static void up(pc_suite *suite)
{
  climb(suite, "2-stairs-up.yaml", 0.61);
}

static void down(pc_suite *suite)
{
  climb(suite, "3-stairs-down.yaml", 0.69);
}

static void diagram(pc_suite *suite)
{
  static const double wanted[] = {0.5, 1, 2, 3, 4};
  double last = INFINITY;
  int rising = 0;
  suite->varied =
      "on a plan that is turned against the grid of routes, the routes of long corridors "
      "lead a little to their middle, where it gets denser";
  for (int d = 0; d < 5; d++) {
    char count[40], name[40];
    snprintf(count, sizeof count, "count: %.0f", 1000 * wanted[d]);
    pc_tracks tracks =
        pc_suite_play(suite, "4-fundamental-diagram.yaml", 1, 1, &(pc_edit){"count: 1000", count});
    pc_spot middle = {0, {95, 0}, {105, 5}};
    double density = pc_tracks_density(&tracks, middle, 10, 70),
           speed = pc_tracks_speed(&tracks, middle, 10, 70), expected = weidmann(density);
    snprintf(name, sizeof name, "density_%.0f", 10 * wanted[d]);
    pc_suite_check_value(
        suite, name, "speed in a corridor", speed, "m/s", 0.85 * expected, 1.15 * expected, false,
        "Weidmann (1993) at the measured density, %.3g people/m2; %+.0f %%%s", density,
        100 * (speed / expected - 1),
        d == 4 ? "; at 4 people/m2 discs of 0.35 m touch, and the wider the corridor, "
                 "the less they get on"
               : "");
    if (d == 4)
      pc_suite_missed(suite);
    rising += !(speed < last);
    last = speed;
    pc_tracks_free(&tracks);
  }
  pc_suite_check_value(suite, "falls", "densities at which the speed does not fall", rising, "1",
                       -INFINITY, 0, true, "the speed falls as the density rises");
}

static void premovement(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "5-premovement.yaml", 1, 0, NULL);
  double most = tracks.made ? 0 : NAN, least = INFINITY, last = 0;
  for (int i = 0; i < tracks.people; i++) {
    // A person who starts has gone 1 m after 1.2 s: v = v0 (1 - exp(-t / 0.5 s)). One who waits may
    // be pushed aside in passing, and gives way less than that.
    double starts = pc_tracks_starts(&tracks, i, 1) - 1.2;
    most = isnan(starts) ? NAN : fmax(most, fabs(starts - tracks.response[i]));
    least = fmin(least, starts);
    last = fmax(last, starts);
  }
  pc_suite_check_value(suite, "starts", "largest difference between a start and its time", most,
                       "s", -INFINITY, 0.5, false, "no tolerance is given; ten people");
  pc_suite_check_value(suite, "first", "first start", least, "s", 9.5, 100.5, true,
                       "10 to 100 s, within half a second");
  pc_suite_check_value(suite, "last", "last start", last, "s", 9.5, 100.5, true,
                       "10 to 100 s, within half a second");
  pc_suite_check_value(suite, "inside", "people who do not leave", pc_tracks_inside(&tracks), "1",
                       -INFINITY, 0, false, "ten people");
  pc_tracks_free(&tracks);
}

static void corner(pc_suite *suite)
{
  pc_suite_corner(suite, "6-corner.yaml");
}

// Ages.

typedef struct range {
  double low, high;
} range;

static double uniform_law(double x, const void *of)
{
  const range *r = of;
  return fmin(1, fmax(0, (x - r->low) / (r->high - r->low)));
}

static void demographics(pc_suite *suite)
{
  static const range ages[] = {{0.58, 1.61}, {1.41, 1.54}, {0.68, 1.41}, {0.46, 0.76}};
  static const int count[] = {15, 15, 15, 5};
  static const char *const names[] = {"below_30", "30_to_50", "above_50", "impaired"};
  pc_tracks tracks = pc_suite_play(suite, "7-demographics.yaml", 1, 0, NULL);
  int outside = tracks.made ? 0 : 1;
  for (int g = 0, person = 0; g < 4; g++) {
    double speed[15];
    for (int i = 0; i < count[g]; i++, person++) {
      speed[i] = tracks.made ? 10 / (pc_tracks_passes(&tracks, person, 0, 0, 15, false) -
                                     pc_tracks_passes(&tracks, person, 0, 0, 5, false))
                             : NAN;
      // From times that are a tenth of a second apart, with places between them.
      outside += !(speed[i] > ages[g].low - 0.005 && speed[i] < ages[g].high + 0.005);
    }
    pc_suite_check_value(
        suite, names[g], "Kolmogorov's distance to a uniform distribution",
        pc_suite_kolmogorov(count[g], speed, uniform_law, &ages[g]), "1", -INFINITY, 1.63, false,
        "%g to %g m/s, %d people; 1.63 in one sample of 100", ages[g].low, ages[g].high, count[g]);
  }
  pc_suite_check_value(suite, "ranges", "measured speeds outside their range", outside, "1",
                       -INFINITY, 0, true, "fifty people over 10 m");
  pc_tracks_free(&tracks);
}

static void by_age(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "7-ages.yaml", 1, 0, NULL);
  double sum = 0;
  int outside = 0;
  for (int i = 0; i < 100; i++) {
    double speed = tracks.made ? 10 / (pc_tracks_passes(&tracks, i, 0, 0, 15, false) -
                                       pc_tracks_passes(&tracks, i, 0, 0, 5, false))
                               : NAN;
    sum += speed;
    outside += !(speed > 0.95 * (1.52 - 0.32) && speed < 1.05 * (1.52 + 0.32));
  }
  pc_suite_check_value(suite, "mean", "mean speed of 100 people of 30 years", sum / 100, "m/s",
                       0.95 * 1.52, 1.05 * 1.52, false, "figure 3 read off: 1.52 m/s; 5 %%");
  pc_suite_check_value(suite, "deviation", "speeds outside the deviation", outside, "1", -INFINITY,
                       0, false, "figure 3 read off: 0.32 m/s, 5 %% more");
  pc_tracks_free(&tracks);
}

static void parameters(pc_suite *suite)
{
  static const char *const speed[] = {"speed: 0.5", "speed: 0.75", "speed: 1"};
  double time[3];
  int inside = 0;
  for (int s = 0; s < 3; s++) {
    pc_edit edit[12];
    for (int i = 0; i < 12; i++)
      edit[i] = (pc_edit){"speed: 1}", speed[s]};
    char closed[3][20];
    snprintf(closed[s], sizeof closed[s], "%s }", speed[s]);
    for (int i = 0; i < 12; i++)
      edit[i].to = closed[s];
    pc_tracks tracks = pc_suite_play(suite, "8-parameters.yaml", 3, 12, edit);
    time[s] = pc_tracks_last(&tracks, 0, tracks.people);
    inside += pc_tracks_inside(&tracks);
    pc_tracks_free(&tracks);
  }
  pc_suite_check_value(suite, "inside", "people who do not leave", inside, "1", -INFINITY, 0, true,
                       "448 people at 0.5, 0.75 and 1 m/s");
  pc_suite_check_value(
      suite, "time_50_75", "time at 0.5 m/s over that at 0.75 m/s", time[0] / time[1], "1", 1, 1.5,
      false,
      "%.1f s and %.1f s; faster people are not slower, nor gain more than the ratio "
      "of the speeds",
      time[0], time[1]);
  pc_suite_check_value(suite, "time_75_100", "time at 0.75 m/s over that at 1 m/s",
                       time[1] / time[2], "1", 1, 4. / 3, false, "%.1f s and %.1f s", time[1],
                       time[2]);
}

#define CASES(X)                                                                                   \
  X(corridor)                                                                                      \
  X(up)                                                                                            \
  X(down)                                                                                          \
  X(diagram)                                                                                       \
  X(premovement)                                                                                   \
  X(corner)                                                                                        \
  X(demographics)                                                                                  \
  X(by_age)                                                                                        \
  X(parameters)

#define RUN(name)                                                                                  \
  static void run_##name(pc_report *report)                                                        \
  {                                                                                                \
    pc_suite_report(report, "rimea", name);                                                        \
  }
CASES(RUN)

const pc_case pc_cases_rimea[] = {
    {"rimea.1", "RiMEA 4.1.1, test 1: speed in a corridor", false, run_corridor},
    {"rimea.2", "RiMEA 4.1.1, test 2: speed up stairs", false, run_up},
    {"rimea.3", "RiMEA 4.1.1, test 3: speed down stairs", false, run_down},
    {"rimea.4", "RiMEA 4.1.1, test 4: fundamental diagram", true, run_diagram},
    {"rimea.5", "RiMEA 4.1.1, test 5: premovement time", false, run_premovement},
    {"rimea.6", "RiMEA 4.1.1, test 6: around a corner", false, run_corner},
    {"rimea.7.ranges", "RiMEA 3.0.0, test 7: demographic parameters", false, run_demographics},
    {"rimea.7.age", "RiMEA 4.1.1, test 7: demographic parameters", false, run_by_age},
    {"rimea.8", "RiMEA 4.1.1, test 8: parameter study", true, run_parameters},
    {0}};
