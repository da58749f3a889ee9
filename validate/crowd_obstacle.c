// An obstacle before a door: Fremond's book, 6.8.3, tables 6.10 and 6.11. People take the shortest
// route around it. Our reading of the figure: p1 is from a post of the door to the middle of the
// obstacle, along the wall; p2 from its front to the door; lengths are along the wall.
#include <math.h>
#include <stdio.h>

#include "crowd_trial.h"
#include "setup.h"

enum { RUNS = 50, SHAPES = 7, PLACES = 3, LENGTHS = 4 };
typedef struct shape {
  const char *name;
  bool is_round;
  double size; // L_o or D_o; 0: none
} shape;
static const shape SHAPE[SHAPES] = {
    {"none", false, 0},       {"rect_45", false, 0.45}, {"rect_64", false, 0.636},
    {"rect_80", false, 0.8},  {"rect_100", false, 1},   {"disc_45", true, 0.45},
    {"disc_64", true, 0.636},
};
typedef struct place {
  const char *name;
  double p1, p2;
} place;
static const place PLACE[PLACES] = {
    {"central_near", 0.41, 0.7}, {"central_far", 0.41, 0.9}, {"side_near", 0, 0.7}};

// people per minute, by shape and place, at tau = 0.1 s and 0.5 s.
static const double PUBLISHED[2][SHAPES][PLACES] = {{{230, 230, 230},
                                                     {231, 213, 212},
                                                     {247, 217, 206},
                                                     {251, 223, 203},
                                                     {264, 222, 200},
                                                     {202, 222, 222},
                                                     {238, 207, 208}},
                                                    {{116, 116, 116},
                                                     {115, 115, 111},
                                                     {109, 116, 107},
                                                     {102, 116, 106},
                                                     {101, 112, 106},
                                                     {112, 114, 110},
                                                     {122, 107, 112}}};

// Where ours is off by more than a tenth.
static const bool MISSED[2][SHAPES][PLACES] = {{{false, false, false},
                                                {true, false, false},
                                                {true, false, false},
                                                {true, false, true},
                                                {true, false, true},
                                                {false, false, false},
                                                {true, false, false}},
                                               {[6] = {true, false, false}}};

// Flows of the runs with an obstacle.
typedef struct measured {
  bool ok;
  double flow[RUNS]; // NAN: somebody is left
  trial_statistics all;
} measured;

static void write_obstacle(const shape *s, const place *p, char *text, size_t size)
{
  const double door = 5, post = 2.09, width = 0.45;
  double y = post + p->p1, x = door - p->p2, half = 0.5 * s->size;
  if (s->size == 0)
    snprintf(text, size, "obstacles: []");
  else if (s->is_round)
    snprintf(text, size, "obstacles: [{centre: [%g, %g], radius: %g}]", x - half, y, half);
  else
    snprintf(text, size, "obstacles: [{points: [[%g, %g], [%g, %g], [%g, %g], [%g, %g]]}]",
             x - width, y - half, x, y - half, x, y + half, x - width, y + half);
}

static void measure(const shape *s, const place *p, double relaxation, measured *out)
{
  char obstacle[200], tau[40];
  write_obstacle(s, p, obstacle, sizeof obstacle);
  snprintf(tau, sizeof tau, "relaxation: %g", relaxation);
  pc_edit edit[] = {{"obstacles: [{points: [[3.85, 2.275], [4.3, 2.275], [4.3, 2.725], [3.85, "
                     "2.725]]}]",
                     obstacle},
                    {"relaxation: 0.5", tau}};
  pc_crowd_scene scene;
  *out = (measured){.ok = pc_crowd_scene_load("obstacle.yaml", 2, edit, &scene)};
  pc_crowd_trial trial = {.make = pc_crowd_scene_make, .context = &scene, .runs = RUNS};
  pc_crowd_run *run = pc_crowd_trial_run(&trial);
  out->ok = out->ok && run != NULL;
  for (int i = 0; i < RUNS && out->ok; i++) {
    pc_crowd_flow flow;
    out->ok = pc_crowd_runs_flow(1, &run[i], &flow);
    out->flow[i] = run[i].inside == 0 ? flow.between : NAN;
  }
  out->all =
      out->ok ? pc_mean_of(RUNS, out->flow) : (trial_statistics){.mean = NAN, .interval = NAN};
  pc_crowd_runs_free(RUNS, run);
  pc_crowd_scene_free(&scene);
}

// Least squares against the lengths of rectangles.
static double slope_by_length(const double flow[LENGTHS])
{
  double middle = 0, sum = 0, slope = 0;
  for (int i = 0; i < LENGTHS; i++)
    middle += SHAPE[i + 1].size / LENGTHS;
  for (int i = 0; i < LENGTHS; i++) {
    double off = SHAPE[i + 1].size - middle;
    sum += off * off;
    slope += off * flow[i];
  }
  return slope / sum;
}

// Mean over the seeds, each of which has a flow for every length.
static trial_statistics mean_slope(const measured m[SHAPES])
{
  double slope[RUNS];
  for (int i = 0; i < RUNS; i++) {
    double flow[LENGTHS];
    for (int k = 0; k < LENGTHS; k++)
      flow[k] = m[k + 1].ok ? m[k + 1].flow[i] : NAN;
    slope[i] = slope_by_length(flow);
  }
  return pc_mean_of(RUNS, slope);
}

// A flow that is off by more than a tenth is missed. One that is not is no pass, because the plan
// is ours.
static void report_flow(pc_report *report, const char *tau, double published, bool is_missed,
                        const char *name, const char *where, const measured *m)
{
  static const char quantity[] = "people per minute, mean of (N - 1) / (t_N - t_1) of 50 runs";
  char note[300];
  snprintf(note, sizeof note,
           "the plan is our reading; ours less the printed one: %+.0f %%; 95 %% "
           "interval +-%.0f; %d of 50 runs: others, not empty after 60 s, "
           "are left out since a first comparison",
           100 * (m->all.mean / published - 1), m->all.interval, m->all.count);
  const char *id = pc_report_name(report, "%s.%s.%s", tau, name, where);
  if (is_missed)
    pc_report_missed(report, id, quantity, published, published, m->all.mean, "1/min",
                     0.1 * published, note);
  else
    pc_report_untestable(report, id, quantity, published, m->all.mean, "1/min", note);
}

// What the book says of lengths: with tau = 0.1 s more flow the longer a central obstacle near the
// door is; with either less the longer one beside it is; with tau = 0.5 s a central one near the
// door does not help, and far from it it does not matter.
static void report_trends(pc_report *report, int tau, const char *name,
                          const measured (*all)[SHAPES])
{
  static const int sign[2][PLACES] = {{1, 0, -1}, {-1, 0, -1}};
  for (int p = 0; p < PLACES; p++) {
    char note[200];
    double printed[LENGTHS];
    trial_statistics slope = mean_slope(all[p]);
    for (int k = 0; k < LENGTHS; k++)
      printed[k] = PUBLISHED[tau][k + 1][p];
    snprintf(note, sizeof note, "no tolerance; 95 %% interval +-%.0f; 4 lengths, %d of 50 seeds",
             slope.interval, slope.count);
    pc_report_untestable(report, pc_report_name(report, "%s.%s.by_length", name, PLACE[p].name),
                         "slope of the flow against the length of rectangles",
                         slope_by_length(printed), slope.mean, "1/(min m)", note);
    if (sign[tau][p] != 0)
      pc_report_property(report, pc_report_name(report, "%s.%s.trend", name, PLACE[p].name),
                         sign[tau][p] > 0 ? "the flow does not grow with the length"
                                          : "the flow does not fall with the length",
                         !(sign[tau][p] * slope.mean > 0), "the sign of the slope alone");
  }
}

// What is said of the whole table.
static void report_whole(pc_report *report, const measured *fast, const measured (*all)[SHAPES])
{
  const measured *slow = &all[0][0];
  const char *note = "within the 95 % interval of 50 runs, by the shortest way, as with obstacles; "
                     "crowd.tau has it with the aim of table 6.5";
  pc_report_missed(report, "fast.none", "people per minute without an obstacle, tau = 0.1 s", 230,
                   230, fast->all.mean, "1/min", fast->all.interval, note);
  pc_report_published(report, "slow.none", "people per minute without an obstacle, tau = 0.5 s",
                      116, slow->all.mean, "1/min", slow->all.interval, note);
  double changed = 0;
  for (int k = 0; k < LENGTHS; k++)
    changed = pc_worst(changed, fabs(all[1][k + 1].all.mean / slow->all.mean - 1));
  pc_report_missed(report, "far", "largest change by a central rectangle 0.9 m off, tau = 0.5 s",
                   NAN, 0, 100 * changed, "%", 100 * (1 - 112 / 116.),
                   "the book: practically the same with and without; the tolerance is the largest "
                   "change that it prints, of 116 to 112");
  double ratio = fast->all.mean / slow->all.mean;
  pc_report_published(
      report, "doubles", "flow at tau = 0.1 s for that at 0.5 s, no obstacle", 230 / 116., ratio,
      "1", ratio * hypot(fast->all.interval / fast->all.mean, slow->all.interval / slow->all.mean),
      "within the 95 % interval of the quotient of two means of 50 runs");
}

static void obstacle(pc_report *report)
{
  static const double relaxation[] = {0.1, 0.5};
  static const char *const name[] = {"fast", "slow"};
  measured all[2][PLACES][SHAPES];
  for (int t = 0; t < 2; t++) {
    measured *none = &all[t][0][0];
    measure(&SHAPE[0], &PLACE[0], relaxation[t], none);
    for (int p = 0; p < PLACES; p++)
      for (int s = 1; s < SHAPES; s++) {
        measure(&SHAPE[s], &PLACE[p], relaxation[t], &all[t][p][s]);
        report_flow(report, name[t], PUBLISHED[t][s][p], MISSED[t][s][p], SHAPE[s].name,
                    PLACE[p].name, &all[t][p][s]);
      }
    report_trends(report, t, name[t], (const measured(*)[SHAPES])all[t]);
  }
  report_whole(report, &all[0][0][0], (const measured(*)[SHAPES])all[1]);
}

const pc_case pc_cases_crowd_obstacle[] = {
    {"crowd.obstacle", "Fremond 2017, 6.8.3, tables 6.10 and 6.11", true, obstacle}, {0}};
