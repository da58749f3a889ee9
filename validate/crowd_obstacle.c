// An obstacle before a door: Fremond's book, 6.8.3, tables 6.10 and 6.11. People take the shortest
// route around it. Our reading of the figure: p1 is from a post of the door to the middle of the
// obstacle, along the wall; p2 from its front to the door; lengths are along the wall.
#include <math.h>
#include <stdio.h>

#include "crowd_rows.h"
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

enum { TEXT = 200 };

static void write_obstacle(const shape *s, const place *p, char text[TEXT])
{
  const double door = 5, post = 2.09, width = 0.45;
  double y = post + p->p1, x = door - p->p2, half = 0.5 * s->size;
  if (s->is_round)
    snprintf(text, TEXT, "obstacles: [{centre: [%g, %g], radius: %g}]", x - half, y, half);
  else
    snprintf(text, TEXT, "obstacles: [{points: [[%g, %g], [%g, %g], [%g, %g], [%g, %g]]}]",
             x - width, y - half, x, y - half, x, y + half, x - width, y + half);
}

static void measure(const char *obstacle, double relaxation, const pc_crowd_variation *variation,
                    measured *out)
{
  char tau[40];
  snprintf(tau, sizeof tau, "relaxation: %g", relaxation);
  pc_crowd_variation base = {.edit = {{"obstacles: [{points: [[3.85, 2.275], [4.3, 2.275], [4.3, "
                                       "2.725], [3.85, 2.725]]}]",
                                       obstacle},
                                      {"relaxation: 0.5", tau}}};
  pc_crowd_run *run =
      pc_crowd_vary("obstacle.yaml", &base, variation, (pc_crowd_trial){.runs = RUNS});
  *out = (measured){.ok = run != NULL};
  for (int i = 0; i < RUNS && out->ok; i++) {
    pc_crowd_flow flow;
    out->ok = pc_crowd_runs_flow(1, &run[i], &flow);
    out->flow[i] = run[i].inside == 0 ? flow.between : NAN;
  }
  out->all =
      out->ok ? pc_mean_of(RUNS, out->flow) : (trial_statistics){.mean = NAN, .interval = NAN};
  pc_crowd_runs_free(RUNS, run);
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
           "the plan is our reading (study.obstacle); ours less the printed one: %+.0f %%; 95 %% "
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
                     "crowd.tau has it with the aim of table 6.5; study.obstacle";
  pc_report_missed(report, "fast.none", "people per minute without an obstacle, tau = 0.1 s", 230,
                   230, fast->all.mean, "1/min", fast->all.interval, note);
  pc_report_fitted(report, "slow.none", "people per minute without an obstacle, tau = 0.5 s", 116,
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
    measure("obstacles: []", relaxation[t], NULL, none);
    for (int p = 0; p < PLACES; p++)
      for (int s = 1; s < SHAPES; s++) {
        char text[TEXT];
        write_obstacle(&SHAPE[s], &PLACE[p], text);
        measure(text, relaxation[t], NULL, &all[t][p][s]);
        report_flow(report, name[t], PUBLISHED[t][s][p], MISSED[t][s][p], SHAPE[s].name,
                    PLACE[p].name, &all[t][p][s]);
      }
    report_trends(report, t, name[t], (const measured(*)[SHAPES])all[t]);
  }
  report_whole(report, &all[0][0][0], (const measured(*)[SHAPES])all[1]);
}

const pc_case pc_cases_crowd_obstacle[] = {
    {"crowd.obstacle", "Fremond 2017, 6.8.3, tables 6.10 and 6.11", true, obstacle}, {0}};

// The study: flows without an obstacle, and with a rectangle of 1 m and the larger disc before the
// middle of the door.

#define CONTACT(text)                                                                              \
  {                                                                                                \
    {                                                                                              \
      "step: 0.01", "step: 0.01\ncontact: " text                                                   \
    }                                                                                              \
  }
#define ROUTES(text)                                                                               \
  {                                                                                                \
    {                                                                                              \
      "step: 0.01", "step: 0.01\nroutes: " text                                                    \
    }                                                                                              \
  }

static const pc_crowd_variation variations[] = {
    {"base", "nothing", .edit = {{0}}},
    {"k_1e3", "K_N = 1e3 kg", .edit = CONTACT("{law: {normal: {kind: quadratic, k: 1.0e3}}}")},
    {"k_0", "K_N = 0", .edit = CONTACT("{law: {normal: {kind: inelastic}}}")},
    {"k_0_walls", "K_N = 0 at walls", .edit = CONTACT("{wall_law: {normal: {kind: inelastic}}}")},
    {"dem", "DEM: overlaps act as springs", .edit = CONTACT("{treatment: dem}")},
    {"looks", "contacts searched for again in a step", .edit = CONTACT("{looks: again}")},
    {"step", "time step 0.005 s", .edit = {{"step: 0.01", "step: 0.005"}}},
    {"inset_0", "routes may touch walls", .edit = ROUTES("{inset: 0}")},
    {"inset_20", "routes keep 0.2 m from walls", .edit = ROUTES("{inset: 0.2}")},
    {"moving", "people walk to the door at 1.6 m/s at the start",
     .edit = {{"to: door", "to: door\n    velocity: [1.6, 0]"}}},
    {"counts_centre", "people count when their centre is over the line",
     .edit = {{"counts: front", "counts: centre"}}},
};

static void report_varied(pc_report *report, const pc_crowd_variation *v, const char *name,
                          const char *quantity, double published, const measured *m)
{
  char note[40];
  snprintf(note, sizeof note, "%d of %d runs", m->all.count, RUNS);
  pc_report_varied(report, pc_report_name(report, "%s.%s", v->name, name), v->changed, quantity,
                   published, m->all.mean, "1/min", m->all.interval, note);
}

static void report_variation(pc_report *report, const pc_crowd_variation *v)
{
  char rectangle[TEXT], disc[TEXT];
  write_obstacle(&SHAPE[4], &PLACE[0], rectangle);
  write_obstacle(&SHAPE[6], &PLACE[0], disc);
  measured m;
  measure("obstacles: []", 0.1, v, &m);
  report_varied(report, v, "fast", "no obstacle, tau = 0.1 s", 230, &m);
  measure("obstacles: []", 0.5, v, &m);
  report_varied(report, v, "slow", "no obstacle, tau = 0.5 s", 116, &m);
  measure(rectangle, 0.1, v, &m);
  report_varied(report, v, "rect_100", "rectangle of 1 m, tau = 0.1 s", 264, &m);
  measure(disc, 0.1, v, &m);
  report_varied(report, v, "disc_64", "disc of 0.636 m, tau = 0.1 s", 238, &m);
}

// Where the disc is: what p2 = 0.7 m may be measured to.
static void report_places(pc_report *report)
{
  static const pc_crowd_variation nearer[] = {
      {"disc_60", "the disc begins 0.6 m from the door", .edit = {{0}}},
      {"disc_50", "the disc begins 0.5 m from the door", .edit = {{0}}},
      {"disc_38", "the centre of the disc is 0.7 m from the door", .edit = {{0}}}};
  static const double from_door[] = {0.6, 0.5, 0.382};
  for (int i = 0; i < 3; i++) {
    char disc[TEXT];
    measured m;
    write_obstacle(&SHAPE[6], &(place){NULL, 0.41, from_door[i]}, disc);
    measure(disc, 0.1, NULL, &m);
    report_varied(report, &nearer[i], "fast", "disc of 0.636 m, tau = 0.1 s", 238, &m);
    measure(disc, 0.5, NULL, &m);
    report_varied(report, &nearer[i], "slow", "disc of 0.636 m, tau = 0.5 s", 122, &m);
  }
}

// The room of crowd.tau, whose people aim at the middle of the door, by several estimators.
static void report_estimators(pc_report *report)
{
  static const pc_crowd_variation aim = {"aim", "people aim at the middle of the door",
                                         .edit = {{0}}};
  pc_room_def room = pc_room_of_table_6_4(PC_NSM2);
  room.speed = (trial_range){1.2, 2};
  room.relaxation = (trial_range){0.1, 0.1};
  pc_crowd_trial trial = {
      .make = pc_room_make, .context = &room, .runs = 4 * RUNS, .h = 1e-2, .longest = 30};
  pc_crowd_run *run = pc_crowd_trial_run(&trial);
  pc_crowd_flow flow;
  if (!pc_crowd_runs_flow(trial.runs, run, &flow))
    flow.between = flow.origin = flow.per_run = flow.robust = NAN;
  const struct {
    const char *name, *quantity;
    double value;
  } by[] = {{"between", "(N - 1) / (t_N - t_1), tau = 0.1 s", flow.between},
            {"origin", "slope through the origin, tau = 0.1 s", flow.origin},
            {"per_run", "mean of the slopes of runs, tau = 0.1 s", flow.per_run},
            {"robust", "median slopes of pairs of exits, tau = 0.1 s", flow.robust}};
  for (int i = 0; i < 4; i++)
    pc_report_varied(report, pc_report_name(report, "%s.%s", aim.name, by[i].name), aim.changed,
                     by[i].quantity, 230, by[i].value, "1/min", 0,
                     "200 runs of crowd.tau, also those that are not empty");
  pc_crowd_runs_free(trial.runs, run);
}

static void study(pc_report *report)
{
  for (size_t v = 0; v < sizeof variations / sizeof *variations; v++)
    report_variation(report, &variations[v]);
  report_places(report);
  report_estimators(report);
}

const pc_study pc_study_obstacle = {
    {"study.obstacle", "Fremond 2017, 6.8.3, tables 6.10 and 6.11", true, study},
    "Contact decides the level, and no law of contact gives all of table 6.11. K_N = 0 has "
    "the printed flow without an obstacle at tau = 0.1 s (231 for 230) and then too much at "
    "0.5 s (141 for 116). DEM has the printed flows with obstacles (265 for 264, 231 for 238) "
    "and too much without (253 and 132). The printed K_N = 1e5 kg has that at 0.5 s. The "
    "distance of routes from walls, the time step, the search for contacts, moving at the "
    "start and where people count change 212 by 7 at most. Routes that pass 0.1 m from the "
    "posts or through the middle of the door, tried once and not in the table, give 199 and "
    "198: the choice that is nearest to print was the default. The disc: where ours begins "
    "0.7 m from the door, it is worse than the empty room by every law. Where it begins 0.5 m "
    "from it, it helps as the book says, 220 for 212; with its centre at 0.7 m some runs jam. "
    "So p2 may not be what we take it for; the figure gives no more. Of the 49 that the disc "
    "lacks, its place accounts for 31 and the level of the empty room for 18. The rectangle "
    "of 1 m, 226 for 264, would have 245 if the empty room had 230. With the aim of table 6.5 "
    "the estimator matters: the line through the origin gives 182 and (N - 1) / (t_N - t_1) "
    "197 from the same runs, because it weighs stragglers. What remains is 8 % of the flow at "
    "tau = 0.1 s for a converged NSM2 with the printed K_N, and about 20 of the effect of the "
    "rectangle."};
