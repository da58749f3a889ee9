// ISO 20414:2020: verification tests of groups, choices, fire and lifts, tests 14 and 16 to 20.
// Test 15, social influence, needs what Percuss does not have.
#include <math.h>
#include <stdio.h>

#include "suite.h"

static void groups(pc_suite *suite)
{
  static const pc_edit alone = {", together: {kind: wait, size: 5}", ""};
  double spread[2];
  int inside = 0;
  for (int k = 0; k < 2; k++) {
    pc_tracks tracks = pc_suite_play(suite, "14-groups.yaml", 1, k, &alone);
    double first = INFINITY, last = pc_tracks_last(&tracks, 0, 5);
    for (int i = 0; i < 5 && i < tracks.people; i++)
      first = fmin(first, tracks.out[i]);
    spread[k] = last - first;
    inside += pc_tracks_inside(&tracks);
    pc_tracks_free(&tracks);
  }
  pc_suite_check_value(suite, "together", "time between the first and the last of the group",
                       spread[0], "s", -INFINITY, 10, true,
                       "10 s in NIST TN 1822; without the group %.1f s", spread[1]);
  pc_suite_check_value(suite, "inside", "people who do not leave", inside, "1", -INFINITY, 0, false,
                       "15 people, twice");
}

static void familiar(pc_suite *suite)
{
  static const pc_edit knows = {"knows: [one, two]", "knows: two"};
  double share[2];
  int inside = 0, seed = suite->seed, strangers = 0;
  for (int k = 0; k < 2; k++) {
    double people = 0, two = 0;
    for (int s = 0; s < 10; s++) {
      suite->seed = seed + 100 * s;
      pc_tracks tracks = pc_suite_play(suite, "16-familiar-exits.yaml", 1, k, &knows);
      people += tracks.people;
      two += pc_tracks_by_exit(&tracks, 1);
      inside += pc_tracks_inside(&tracks);
      strangers += k == 1 ? pc_tracks_by_exit(&tracks, 0) : 0;
      pc_tracks_free(&tracks);
    }
    share[k] = two / people;
  }
  suite->seed = seed;
  pc_suite_check_value(suite, "balanced", "share of exit 2 if both are known", share[0], "1", 0.4,
                       0.6, false, "200 people in ten rooms: half, within 2.8 standard deviations");
  pc_suite_check_value(suite, "familiar", "share of exit 2 if it is familiar, less that before",
                       share[1] - share[0], "1", 0.1, INFINITY, true, "%.2f and %.2f", share[1],
                       share[0]);
  pc_suite_check_value(suite, "strangers", "people who leave by the exit that they do not know",
                       strangers, "1", -INFINITY, 0, false, "nobody comes within 4 m of it");
  pc_suite_check_value(suite, "inside", "people who do not leave", inside, "1", -INFINITY, 0, false,
                       "400 people");
}

static void route_choice(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "17-route-choice.yaml", 2, 0, NULL);
  int by_stairs = 0;
  for (int p = 0; p < tracks.people; p++)
    by_stairs += isfinite(pc_tracks_enters(&tracks, p, 1));
  pc_suite_check_value(suite, "shorter", "people who do not take the shorter way",
                       tracks.made ? (double)(tracks.people - by_stairs) : NAN, "1", -INFINITY, 0,
                       true, "30 people");
  pc_tracks_free(&tracks);
}

static void smoke(pc_suite *suite)
{
  static const double extinction[] = {1e-6, 1, 3, 12};
  for (int k = 0; k < 4; k++) {
    char text[40], name[40];
    snprintf(text, sizeof text, "extinction: %g}", extinction[k]);
    const pc_edit edit = {"extinction: 1}", text};
    pc_tracks tracks = pc_suite_play(suite, "18-smoke.yaml", 1, 1, &edit);
    double time = tracks.made ? pc_tracks_passes(&tracks, 0, 0, 0, 100, false) -
                                    pc_tracks_passes(&tracks, 0, 0, 0, 0, false)
                              : NAN;
    double factor = 1 - 0.057 * extinction[k] / 0.706,
           hand = 100 / (1.25 * (factor > 0.1 ? factor : 0.1));
    snprintf(name, sizeof name, "extinction_%.0f", extinction[k]);
    pc_suite_check_value(suite, name, "time for 100 m in smoke", time, "s", 0.995 * hand,
                         1.005 * hand, false, "hand calculation, %.5g s; 0.5 %%", hand);
    pc_tracks_free(&tracks);
  }
}

// Purser's dose for each minute, as ISO 13571 and FDS+Evac have it.
static double dose_of(double co_ppm, double co2_percent, double o2_percent)
{
  double faster = co2_percent > 0 ? exp(0.1903 * co2_percent + 2.0004) / 7.1 : 1;
  double little = o2_percent < 20 ? exp(0.54 * (20.9 - o2_percent) - 8.13) : 0;
  return 2.764e-5 * pow(co_ppm, 1.036) * faster + little;
}

static void incapacitation(pc_suite *suite)
{
  static const struct {
    const char *name, *gases;
    double co, co2, o2;
  } air[] = {{"all", "co: 5000e-6, co2: 0.02, o2: 0.18}", 5000, 2, 18},
             {"co", "co: 5000e-6}", 5000, 0, 20.9},
             {"co_co2", "co: 2000e-6, co2: 0.05}", 2000, 5, 20.9},
             {"o2", "o2: 0.10}", 0, 0, 10}};
  for (int k = 0; k < 4; k++) {
    const pc_edit edit = {"co: 5000e-6, co2: 0.02, o2: 0.18}", air[k].gases};
    pc_tracks tracks = pc_suite_play(suite, "19-incapacitation.yaml", 1, 1, &edit);
    double hand = 60 / dose_of(air[k].co, air[k].co2, air[k].o2);
    pc_suite_check_value(
        suite, air[k].name, "time at which the dose is 1", tracks.made ? tracks.down[0] : NAN, "s",
        0.99 * hand - 0.3, 1.01 * hand + 0.3, false,
        "hand calculation, %.5g s; 1 %%, and 0.3 s between breaths and samples", hand);
    pc_tracks_free(&tracks);
  }
}

static void lift(pc_suite *suite)
{
  pc_tracks tracks = pc_suite_play(suite, "20-lift.yaml", 2, 0, NULL);
  double gone = tracks.made ? pc_tracks_quits(&tracks, 0, 0) : NAN,
         back = tracks.made ? pc_tracks_enters(&tracks, 0, 1) : NAN;
  // In: 1 s; 3 s until the doors close, 3 s for them; 10 m at 2 m/s; doors 3 s.
  pc_suite_check_value(suite, "ride", "time in the lift", back - gone, "s", 14.7, 15.3, false,
                       "hand calculation: 1 + 3 + 3 + 5 + 3 = 15 s");
  // Walks 7.65 m to the doors; the car, called at the begin or on arrival, needs 5 + 3 s.
  pc_suite_check_value(
      suite, "in", "time until the person is in", gone, "s", 7.65, 7.65 + 8 + 2.5, false,
      "hand calculation: 7.65 s on foot, and 8 s for the car, some of it meanwhile; 2.5 s "
      "for starting, stopping and getting in");
  pc_suite_check_value(suite, "out", "time from the lift to the exit",
                       pc_tracks_last(&tracks, 0, 1) - back, "s", 9, 11.5, false,
                       "hand calculation: 9.65 s on foot, and 1 s for starting");
  pc_tracks_free(&tracks);
}

#define CASES(X)                                                                                   \
  X(groups)                                                                                        \
  X(familiar)                                                                                      \
  X(route_choice)                                                                                  \
  X(smoke)                                                                                         \
  X(incapacitation)                                                                                \
  X(lift)

#define RUN(name)                                                                                  \
  static void run_##name(pc_report *report)                                                        \
  {                                                                                                \
    pc_suite_report(report, "iso20414", name);                                                     \
  }
CASES(RUN)

const pc_case pc_cases_iso20414_choice[] = {
    {"iso20414.14", "ISO 20414:2020, test 14 (Verif.2.9): group behaviours", false, run_groups},
    {"iso20414.16", "ISO 20414:2020, test 16 (Verif.3.3): affiliation to familiar exits", true,
     run_familiar},
    {"iso20414.17", "ISO 20414:2020, test 17: route choice by the layout", false, run_route_choice},
    {"iso20414.18", "ISO 20414:2020, test 18 (Verif.2.5): reduced visibility", true, run_smoke},
    {"iso20414.19", "ISO 20414:2020, test 19 (Verif.2.6): incapacitation", true,
     run_incapacitation},
    {"iso20414.20", "ISO 20414:2020, test 20 (Verif.2.7): lifts", false, run_lift},
    {0}};
