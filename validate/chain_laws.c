// Nguyen and Brogliato 2014, chapter 2: the outcomes of impact laws on a chain.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain_trial.h"
#include "setup.h"

#define CHAPTER "Nguyen and Brogliato, Multiple Impacts in Granular Chains (2014), "

static void row_velocities(pc_report *report, const pc_chain_trial *t, const char *name,
                           const double *published, int balls, double tolerance, const char *note)
{
  for (int i = 0; i < balls; i++)
    pc_report_published(report, pc_report_name(report, "%s.v%d", name, i + 1),
                        "velocity after, over V_s", published[i], t->after[i], "1", tolerance,
                        note);
}

// The three particular points of figure 2.6.
static void points(pc_report *report)
{
  static const double a[3] = {0, 0, 1}, b[3] = {-1.0 / 3, 2.0 / 3, 2.0 / 3};
  static const double o[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  pc_chain_trial *t = pc_chain_trial_create();
  if (t == NULL)
    return;
  pc_chain_trial_set(t, 3, PC_CHAIN_SEQUENTIAL, 1);
  pc_chain_trial_solve(t);
  row_velocities(report, t, "a.sequential", a, 3, 1e-12, "point A: collisions one after the other");
  static const pc_chain_law_kind at_once[] = {PC_CHAIN_NEWTON, PC_CHAIN_MOREAU, PC_CHAIN_POISSON};
  for (int k = 0; k < 3; k++) {
    const char *law = pc_chain_law_name(at_once[k]);
    char name[40];
    pc_chain_trial_set(t, 3, at_once[k], 1);
    pc_chain_trial_solve(t);
    snprintf(name, sizeof name, "b.%s", law);
    row_velocities(report, t, name, b, 3, 1e-9, "point B: simultaneous collisions, e = 1");
    pc_chain_trial_set(t, 3, at_once[k], 0);
    pc_chain_trial_solve(t);
    snprintf(name, sizeof name, "o.%s", law);
    row_velocities(report, t, name, o, 3, 1e-9, "point O: e = 0");
  }
  // Between B and O the laws of simultaneous collisions follow a line: (1 + e) O - e V-.
  pc_chain_trial_set(t, 3, PC_CHAIN_MOREAU, 0.4);
  pc_chain_trial_solve(t);
  for (int i = 0; i < 3; i++)
    pc_report_derived(report, pc_report_name(report, "line.moreau.v%d", i + 1),
                      "velocity after with e = 0.4, over V_s", 1.4 / 3 - (i == 0 ? 0.4 : 0),
                      t->after[i], "1", 1e-9, "projection onto velocities that do not approach");
  // e = 1/2: (1, 0, 0) -> (1/4, 3/4, 0) -> (1/4, 3/16, 9/16) -> (13/64, 15/64, 9/16).
  static const double by_hand[3] = {13.0 / 64, 15.0 / 64, 9.0 / 16};
  pc_chain_trial_set(t, 3, PC_CHAIN_SEQUENTIAL, 0.5);
  pc_chain_trial_solve(t);
  for (int i = 0; i < 3; i++)
    pc_report_derived(report, pc_report_name(report, "line.sequential.v%d", i + 1),
                      "velocity after with e = 1/2, over V_s", by_hand[i], t->after[i], "1", 1e-12,
                      "three collisions of two balls, by hand");
  free(t);
}

// Waves.

// Equal balls and Hertz's contacts in time: Verlet's scheme with displacements. Its error is of the
// order of h^2.
static void verlet(int n, double h, double *v)
{
  double depth[16] = {0}, force[17] = {0};
  bool moves = true;
  for (long step = 0; moves; step++) {
    moves = step < 100;
    for (int half = 0; half < 2; half++) {
      for (int i = 0; i + 1 < n; i++) {
        depth[i] += h / 2 * (v[i] - v[i + 1]);
        force[i + 1] = depth[i] > 0 ? depth[i] * sqrt(depth[i]) : 0;
        moves = moves || depth[i] > 0 || v[i] > v[i + 1] + 1e-9;
      }
      for (int i = 0; i < n && half == 0; i++)
        v[i] += h * (force[i] - force[i + 1]);
    }
  }
}

static void elastic(pc_report *report)
{
  pc_chain_trial *t = pc_chain_trial_create();
  for (int n = 3; n <= 10 && t != NULL; n += 7) {
    double reference[10] = {1};
    verlet(n, 1e-4, reference);
    pc_chain_trial_set(t, n, PC_CHAIN_HERTZ, 1);
    pc_chain_trial_solve(t);
    double worst = 0;
    for (int i = 0; i < n; i++)
      worst = pc_worst(worst, fabs(t->after[i] - reference[i]));
    const char *oracle = "displacements by Verlet's scheme with steps of 1e-4";
    pc_report_derived(report, pc_report_name(report, "n%d.hertz", n),
                      "largest difference of a velocity from the reference, over V_s", 0, worst,
                      "1", 1e-6, oracle);
    pc_chain_trial_set(t, n, PC_CHAIN_LZB, 1);
    pc_chain_trial_solve(t);
    for (int i = 0; i < n; i++)
      pc_report_derived(report, pc_report_name(report, "n%d.v%d", n, i + 1),
                        "velocity after by LZB, over V_s", reference[i], t->after[i], "1", 1e-6,
                        oracle);
    pc_report_published(report, pc_report_name(report, "n%d.share", n),
                        "share of the energy that the last ball takes", 0.98,
                        t->after[n - 1] * t->after[n - 1], "1", 0.01, "\"about 98%\"");
  }
  if (t != NULL) {
    pc_chain_trial_set(t, 3, PC_CHAIN_LZB, 1);
    pc_chain_trial_solve(t);
    pc_report_published(report, "experiment_1.cke", "C_KE of elastic balls", 1.38,
                        t->answer.measures.cke, "1", 0.015,
                        "measured on steel balls; LZB knows only that they are alike");
  }
  free(t);
}

// Grease: as e goes to 0 the balls go on together.
static void grease(pc_report *report)
{
  pc_chain_trial *t = pc_chain_trial_create();
  if (t == NULL)
    return;
  static const double together[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  int rises = 0;
  for (int mono = 0; mono < 2; mono++) {
    double last = 1;
    for (int n = 0; n <= 20; n++) {
      pc_chain_trial_set(t, 3, PC_CHAIN_LZB, 1 - n / 20.0);
      t->law.compliance = mono ? PC_CHAIN_MONO_STIFFNESS : PC_CHAIN_BI_STIFFNESS;
      pc_chain_trial_solve(t);
      rises += !(t->answer.measures.ker <= last + 1e-8);
      last = t->answer.measures.ker;
    }
    row_velocities(report, t, mono ? "mono" : "bi", together, 3, 1e-4,
                   "experiment 2, with e = 0 at both contacts");
  }
  pc_report_property(report, "ker", "steps of e, from 1 down to 0, in which KER rises", rises,
                     "three balls, both compliances, 21 values of e each");
  free(t);
}

// When each contact has its largest force, and the largest velocity of a ball.
typedef struct passage {
  double force[PC_TRIAL_BALLS], time[PC_TRIAL_BALLS], speed;
} passage;

static bool pass(const pc_chain_sample *sample, void *context)
{
  passage *p = context;
  for (int i = 100; i < 300; i++)
    if (sample->force[i] > p->force[i]) {
      p->force[i] = sample->force[i];
      p->time[i] = sample->time;
    }
  p->speed = fmax(p->speed, sample->velocity[200]);
  return true;
}

static void wave(pc_report *report)
{
  pc_chain_trial *t = pc_chain_trial_create();
  passage *p = calloc(1, sizeof *p);
  if (t != NULL && p != NULL) {
    pc_chain_trial_set(t, 400, PC_CHAIN_LZB, 1);
    t->options =
        (pc_chain_options){.tolerance = 1e-9, .sample_every = 0.005, .watch = pass, .context = p};
    pc_chain_trial_solve(t);
    double speed = 199 / (p->time[299] - p->time[100]);
    pc_report_derived(report, "speed", "speed of the wave in 400 equal balls, over Nesterenko's", 1,
                      speed / pc_chain_wave_speed(1, 1, 1, p->speed), "1", 0.015,
                      "Nesterenko's long-wave formula, (16/25)^(1/5) c^(4/5) v^(1/5), which is an "
                      "approximation for a wave five balls long");
    pc_report_derived(report, "shape", "largest force at contact 300 over that at contact 101", 1,
                      p->force[299] / p->force[100], "1", 1e-5, "a solitary wave keeps its shape");
    pc_report_derived(report, "energy", "energy after over before", 1, t->answer.measures.ker, "1",
                      1e-6, "nothing is lost");
  }
  free(p);
  free(t);
}

// Consistencies.

static void consistency(pc_report *report)
{
  enum { CHAINS = 1000 };
  pc_chain_trial *t = pc_chain_trial_create();
  if (t == NULL)
    return;
  int momentum = 0, unsolved = 0;
  for (int kind = 0; kind < PC_CHAIN_LAWS; kind++)
    for (int crowd = 0; crowd < 2; crowd++) {
      pc_chain_law_kind law = (pc_chain_law_kind)kind;
      bool always = law == PC_CHAIN_SEQUENTIAL || law == PC_CHAIN_LZB || law == PC_CHAIN_HERTZ;
      bool struck = law == PC_CHAIN_NEWTON || law == PC_CHAIN_MOREAU || law == PC_CHAIN_POISSON;
      pc_chain_census c = pc_chain_take_census(t, law, (pc_chain_crowd)crowd, CHAINS);
      momentum += c.momentum;
      unsolved += c.unsolved;
      if (always || (struck && crowd == PC_CHAINS_STRUCK))
        pc_report_property(
            report,
            pc_report_name(report, "%s.%s", pc_chain_law_name(law), crowd == 0 ? "struck" : "any"),
            "outcomes, of 1000 random chains, that break one of the three consistencies", c.any,
            crowd == 0 ? "the first ball strikes balls at rest, one e for all contacts"
                       : "any velocities, an e for every contact");
    }
  pc_report_property(report, "momentum", "outcomes, of 16,000, that change the momentum", momentum,
                     "every law on 2,000 random chains");
  pc_report_property(report, "solved", "chains, of 16,000, that are not solved", unsolved,
                     "every law on 2,000 random chains");
  free(t);
}

static void matrices(pc_report *report)
{
  enum { CHAINS = 1000 };
  pc_chain_trial *t = pc_chain_trial_create();
  if (t == NULL)
    return;
  pc_random random;
  pc_random_seed(&random, 214);
  int wrong = 0, beyond = 0, gaining = 0;
  for (int n = 0; n < CHAINS; n++) {
    pc_chain_trial_random(t, &random, PC_CHAIN_MATRIX, PC_CHAINS_ANY);
    wrong += !pc_chain_trial_solve(t);
    // (2.14) by itself: T+ - T- of relative motion, from the velocities of the answer.
    double before = 0, after = 0, mean = 0, total = 0;
    for (int i = 0; i < t->chain.balls; i++) {
      mean += t->mass[i] * t->before[i];
      total += t->mass[i];
    }
    for (int i = 0; i < t->chain.balls; i++) {
      before += t->mass[i] * pow(t->before[i] - mean / total, 2) / 2;
      after += t->mass[i] * pow(t->after[i] - mean / total, 2) / 2;
    }
    double gain = t->answer.matrix_gain;
    bool gains = after > before * (1 + 1e-9);
    gaining += gains;
    wrong += gains == t->answer.measures.energetic && fabs(after - before) > 1e-6 * before;
    beyond += !(after <= before * gain * (1 + 1e-9));
  }
  pc_report_property(report, "caught", "outcomes that gain energy without being reported",
                     wrong + (gaining < 10), "1000 random restitution matrices");
  pc_report_property(report, "bounded", "outcomes beyond the largest gain of their matrix", beyond,
                     "the largest eigenvalue of E^T A^-1 E against A^-1");
  free(t);
}

const pc_case pc_cases_chain_laws[] = {
    {"chain.laws.points", CHAPTER "2.2.1 and figure 2.6", false, points},
    {"chain.laws.elastic", CHAPTER "2.2.1 and 2.2.2", false, elastic},
    {"chain.laws.grease", CHAPTER "2.2.1, experiment 2", false, grease},
    {"chain.laws.wave", CHAPTER "2.2.1; Nesterenko, Dynamics of Heterogeneous Materials (2001)",
     false, wave},
    {"chain.laws.consistency", CHAPTER "2.1.2, (2.9) to (2.11)", false, consistency},
    {"chain.laws.matrix", CHAPTER "2.1.2, (2.14)", false, matrices},
    {0},
};
