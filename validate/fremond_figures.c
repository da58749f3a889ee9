// Figures of Frémond's book, as the scenes that draw them give them: scenes/fremond/figure-*.yaml,
// swept as `percuss run` does.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/runs.h"
#include "trial.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

typedef struct figure {
  pc_scene scene;
  pc_runs *runs;
  bool read, fine;
} figure;

static void sweep(pc_report *report, figure *f, const char *name)
{
  char path[1024];
  pc_runs_options options = {.threads = 2};
  *f = (figure){.fine = false};
  char *text = pc_trial_text("fremond", name, 0, NULL, path, sizeof path);
  f->read = text != NULL && pc_scene_parse(path, text, &f->scene, NULL) == PC_OK;
  free(text);
  f->runs = f->read ? pc_runs_create(&f->scene, NULL) : NULL;
  f->fine = f->runs != NULL && pc_runs_run(f->runs, &options, NULL) == PC_OK;
  for (int i = 0; f->read && i < f->scene.plan.members; i++)
    pc_report_count(report, f->fine && pc_runs_member(f->runs, i).state == PC_MEMBER_FINISHED);
}

static void end(figure *f)
{
  pc_runs_destroy(f->runs);
  if (f->read)
    pc_scene_free(&f->scene);
}

// A quantity of a combination; NAN after a failure.
static double look(const figure *f, const char *quantity, int combination)
{
  for (int c = 0; f->fine && c < pc_runs_columns(f->runs); c++)
    if (strcmp(pc_runs_column_of(f->runs, c).name, quantity) == 0)
      return pc_runs_value(f->runs, combination, c);
  return NAN;
}

// The number that a key of the sweep has in a combination.
static double number(const figure *f, int combination, int key)
{
  const pc_scene_plan *plan = &f->scene.plan;
  return pc_scene_sweep_number(&plan->sweep[key], pc_scene_plan_value(plan, combination, key));
}

static int members(const figure *f)
{
  return f->fine ? f->scene.plan.members : 0;
}

// A velocity that is not round-off.
static const double moves = 1e-9;

static void figure_2_1(pc_report *report)
{
  figure f;
  sweep(report, &f, "figure-2-1.yaml");
  // The chapter's k, half of ours.
  const double m = 2, k = 1, k0 = 4, u_lim = 0.25, step = 0.025;
  double first = NAN, last = NAN, top = NAN, most = 0, before = 0;
  int turns = 0, rising = 1;
  for (int i = 0; i < members(&f); i++) {
    double v = number(&f, i, 0), after = look(&f, "bump/separation", i);
    if (after > moves && isnan(first))
      first = v;
    if (after > moves)
      last = v;
    if (after > most)
      most = after, top = v;
    if (rising != (after > before - moves) && fabs(after - before) > moves) {
      turns++;
      rising = !rising;
    }
    before = after;
  }
  const char *note = "on the curve, to one of its steps; m = 2, k = 1 (the chapter's k), k0 = 4, "
                     "U_lim = 0.25";
  pc_report_published(report, "rises", "velocity from which it bounces (2.103)", 2 * u_lim,
                      first - step / 2, "m/s", step / 2 + 1e-9, note);
  pc_report_published(report, "top", "velocity of the highest rebound (2.104)",
                      u_lim + k0 / (2 * m), top, "m/s", step / 2, note);
  pc_report_published(report, "rebound", "highest rebound (2.104)", k0 / (2 * m) - u_lim, most,
                      "m/s", 1e-9, note);
  pc_report_published(report, "ends", "velocity from which it does not bounce (2.106)",
                      (k0 - 2 * k * u_lim) / (m - k), last + step / 2, "m/s", step / 2 + 1e-9,
                      note);
  pc_report_property(report, "medium", "turns of the curve besides the one at its top",
                     f.fine ? abs(turns - 1) : 201,
                     "the caption: it bounces only at medium velocities");
  end(&f);
}

static void figure_2_2(pc_report *report)
{
  figure f;
  sweep(report, &f, "figure-2-2.yaml");
  const double m = 3, k0 = 4, step = 0.05;
  int wrong = 0, each = f.fine ? f.scene.plan.sweep[1].count : 0;
  for (int curve = 0; curve < 3 && f.fine; curve++) {
    double k = number(&f, curve * each, 0) / 2, held = NAN; // the chapter's k
    for (int i = curve * each; i < (curve + 1) * each; i++) {
      double v = number(&f, i, 1), after = look(&f, "paper/separation", i);
      bool stopped = fabs(after) < moves;
      if (stopped)
        held = v;
      wrong += !stopped && !(after < 0 && -after < v);
    }
    char quantity[80];
    snprintf(quantity, sizeof quantity, "largest velocity that the sheet holds, k = %g", k);
    pc_report_published(
        report, pc_report_name(report, "held_%d", curve + 1), quantity, k0 / (m - k),
        held + step / 2, "m/s", step / 2 + 1e-9,
        "k0 / (m - k) of the caption, at m = 3, k0 = 4; on the curve, to one of its "
        "steps");
  }
  pc_report_property(report, "through", "balls that go through and do not fall on, slower",
                     f.fine ? wrong : 363, "the text below 2.117");
  end(&f);
}

// 4.23, for k = 2 and R = 1: 1 if contact A is open after the collision, and 2 if B is.
static int status_of(double m, double nu)
{
  double k = 2, g1 = (2 * m / 3 - k / 2) / 8, g2 = m / 24, g3 = (m * m / (3 * k) - k / 4) / 8,
         g4 = k / 16;
  if (m < 3 * k / 2)
    return nu < g1 ? 0 : nu < g4 ? 1 : 3;
  return nu < g2 ? 0 : nu < g3 ? 2 : 3;
}

// Whether all points around have the same status: none is on a line.
static bool is_inside(double m, double nu)
{
  const double d = 1e-6;
  int here = status_of(m, nu);
  return here == status_of(m - d, nu) && here == status_of(m + d, nu) &&
         here == status_of(m, nu - d) && here == status_of(m, nu + d);
}

static void figure_4_2(pc_report *report)
{
  figure f;
  sweep(report, &f, "figure-4-2.yaml");
  int wrong = 0, parted = 0, seen[4] = {0};
  for (int i = 0; i < members(&f); i++) {
    double m = number(&f, i, 0), nu = number(&f, i, 1), pattern = look(&f, "pattern", i);
    int status = pattern >= 0 && pattern < 4 ? (int)pattern : 0;
    seen[status] = 1;
    wrong += is_inside(m, nu) && pattern != status_of(m, nu);
    parted += nu == 0 && pattern >= 2;
  }
  pc_report_published(report, "regions", "regions of the map", 4,
                      f.fine ? (double)(seen[0] + seen[1] + seen[2] + seen[3]) : NAN, "1", 0, NULL);
  pc_report_property(report, "status", "points of the map that are not in the region of 4.23",
                     f.fine ? wrong : 5246, "86 masses and 61 values of nu; k = 2, R = 1");
  pc_report_property(report, "without", "masses for which disks 2 and 3 part although nu = 0",
                     f.fine ? parted : 86, "the text: this cannot be reproduced with nu = 0");
  end(&f);
}

static const char *const inertia =
    "The inertia, 1 where m R^2 = 0.1 is the most, was chosen so that the printed outcomes hold";

static void figure_5_2(pc_report *report)
{
  figure f;
  sweep(report, &f, "figure-5-2.yaml");
  int wrong = 0;
  for (int i = 0; i < members(&f); i++) {
    bool jumps = look(&f, "ball1/vz", i) > moves;
    wrong += jumps != (number(&f, i, 0) > 0);
  }
  pc_report_fitted(report, "jumps",
                   "values of k_T, of 81, for which ball 1 jumps without friction or stays with it",
                   NAN, 0, f.fine ? (double)wrong : NAN, "violations", 0, inertia);
  end(&f);
}

// Balls that jump, or stay, against the text in a combination. Jumps: 1 for ball 1, 2 for ball 2, 4
// for ball 3.
static int wrong_jumps(const figure *f, int combination, int jumps)
{
  int wrong = 0;
  for (int ball = 0; ball < 3; ball++) {
    char name[20];
    snprintf(name, sizeof name, "ball%d/vz", ball + 1);
    wrong += (look(f, name, combination) > moves) != ((jumps >> ball & 1) != 0);
  }
  return wrong;
}

static void figure_5_3(pc_report *report)
{
  figure f;
  sweep(report, &f, "figure-5-3.yaml");
  int wrong = wrong_jumps(&f, 0, 2 + 4) + wrong_jumps(&f, members(&f) - 1, 1 + 4);
  pc_report_fitted(report, "ends",
                   "balls that jump against the text, at both ends of the curves, -10 and 10 rad/s",
                   NAN, 0, f.fine ? (double)wrong : NAN, "violations", 0, inertia);
  end(&f);
}

// The combination whose first key is nearest to a value.
static int find_value(const figure *f, double value)
{
  int best = 0;
  for (int i = 1; i < members(f); i++)
    if (fabs(number(f, i, 0) - value) < fabs(number(f, best, 0) - value))
      best = i;
  return best;
}

// A figure that is a point of a sweep over the spin of ball 1.
static void jumps_at(pc_report *report, const char *scene, double spin, int jumps)
{
  figure f;
  char quantity[80];
  sweep(report, &f, scene);
  snprintf(quantity, sizeof quantity, "balls that jump or stay against the text, at %g rad/s",
           spin);
  int at = find_value(&f, spin);
  bool there = f.fine && fabs(number(&f, at, 0) - spin) < moves;
  pc_report_fitted(report, "jumps", quantity, NAN, 0,
                   there ? (double)wrong_jumps(&f, at, jumps) : NAN, "violations", 0, inertia);
  end(&f);
}

static void figure_5_4ab(pc_report *report)
{
  jumps_at(report, "figure-5-4ab.yaml", -10, 2 + 4);
}

static void figure_5_4cd(pc_report *report)
{
  jumps_at(report, "figure-5-4cd.yaml", -10, 2 + 4);
}

static void figure_5_5(pc_report *report)
{
  static const char *const across[] = {"ball2/vy", "ball3/vy", "ball2/wz", "ball3/wz"};
  figure f;
  sweep(report, &f, "figure-5-5.yaml");
  int wrong = 0, printed = find_value(&f, sqrt(2)), last = members(&f) - 1;
  for (int k = 0; k < 4 && f.fine; k++)
    wrong += !(fabs(look(&f, across[k], printed)) > moves);
  pc_report_fitted(report, "pushed",
                   "of balls 2 and 3, those that are not pushed aside or do not turn", NAN, 0,
                   f.fine ? (double)wrong : NAN, "violations", 0, inertia);
  double off = 0, largest = 0;
  for (int i = 0; i <= last; i++)
    for (int k = 0; k < 4; k++) {
      double end_value = look(&f, across[k], last);
      off = fmax(off,
                 fabs(look(&f, across[k], i) - end_value * number(&f, i, 0) / number(&f, last, 0)));
      largest = fmax(largest, fabs(end_value));
    }
  pc_report_derived(report, "linear",
                    "largest deviation of a curve from a straight line, over the largest value", 0,
                    f.fine ? off / largest : NAN, "1", 1e-9,
                    "no contact opens or closes across the row, so the equations are linear");
  end(&f);
}

static void figure_5_9(pc_report *report)
{
  jumps_at(report, "figure-5-9.yaml", 8, 1 + 4);
}

static void figure_5_10(pc_report *report)
{
  jumps_at(report, "figure-5-10.yaml", -3, 2 + 4);
}

const pc_case pc_cases_fremond_figures[] = {
    {"fremond.figure_2_1", BOOK "2.8.2, figure 2.1", false, figure_2_1},
    {"fremond.figure_2_2", BOOK "2.8.3, figure 2.2", false, figure_2_2},
    {"fremond.figure_4_2", BOOK "4.8.1, figure 4.2", false, figure_4_2},
    {"fremond.figure_5_2", BOOK "5.2.1, figure 5.2", false, figure_5_2},
    {"fremond.figure_5_3", BOOK "5.2.1, figure 5.3", false, figure_5_3},
    {"fremond.figure_5_4ab", BOOK "5.2.1.2, figure 5.4ab", false, figure_5_4ab},
    {"fremond.figure_5_4cd", BOOK "5.2.1.2, figure 5.4cd", false, figure_5_4cd},
    {"fremond.figure_5_5", BOOK "5.2.1.3, figure 5.5", false, figure_5_5},
    {"fremond.figure_5_9", BOOK "5.3.1, figure 5.9", false, figure_5_9},
    {"fremond.figure_5_10", BOOK "5.3.1, figure 5.10", false, figure_5_10},
    {0},
};
