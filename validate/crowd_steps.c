// The flow does not depend on the time step: table 6.5 of Fremond's book, where flows at 1e-2, 1e-3
// and 1e-4 s differ by one or two people a minute of some two hundred.
#include <math.h>
#include <stdlib.h>

#include "crowd_trial.h"
#include "report.h"

// Runs of a pilot of 40 pairs with other seeds differ by 13 to 16 %: the 95 % interval of the mean
// of 80 is some 3 to 3.5 % wide to each side.
enum { RUNS = 80, STEPS = 3 };
static const double STEP[STEPS] = {1e-2, 1e-3, 1e-4};
static const double WIDEST = 4; // %

// Flow of each run; false if one failed.
static bool find_flows(pc_engine engine, double h, double flow[RUNS])
{
  pc_room_def room = pc_room_of_table_6_4(engine);
  pc_crowd_trial trial = {
      .make = pc_room_make, .context = &room, .runs = RUNS, .h = h, .longest = 20};
  pc_crowd_run *run = pc_crowd_trial_run(&trial);
  bool ok = run != NULL;
  for (int i = 0; i < RUNS && ok; i++) {
    pc_crowd_flow own;
    ok = pc_crowd_runs_flow(1, &run[i], &own);
    flow[i] = own.per_run;
  }
  pc_crowd_runs_free(RUNS, run);
  return ok;
}

static void independence(pc_report *report)
{
  static const char *const names[] = {"nsm2", "dem", "nsm1"};
  for (int e = 0; e < 3; e++) {
    double flow[STEPS][RUNS], difference[RUNS], mean = NAN;
    for (int s = 0; s < STEPS; s++) {
      bool ok = find_flows((pc_engine)e, STEP[s], flow[s]);
      if (s == 0) {
        mean = ok ? pc_mean_of(RUNS, flow[0]).mean : NAN;
        continue;
      }
      for (int i = 0; i < RUNS; i++)
        difference[i] = ok ? 100 * (flow[s][i] - flow[0][i]) / mean : NAN;
      trial_statistics all = pc_mean_of(RUNS, difference);
      bool narrow = all.interval < WIDEST;
      pc_report_derived(
          report, pc_report_name(report, "%s.h_%g", names[e], STEP[s]),
          "flow less that at h = 0.01 s, in % of the latter: mean of 80 pairs of equal seeds", 0,
          narrow ? all.mean : NAN, "%", narrow ? all.interval : 0,
          "the tolerance is half the width of the 95 % interval, which must hold 0 and be below "
          "4 %; slopes of runs");
    }
  }
}

const pc_case pc_cases_crowd_steps[] = {
    {"crowd.independence", "Fremond 2017, 6.8.2, table 6.5", true, independence}, {0}};
