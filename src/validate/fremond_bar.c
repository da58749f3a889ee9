// Frémond's book, chapter 7: deformable solids that fall on a support.
#include <math.h>

#include "validate/fe_trial.h"

#define BOOK "Fremond, Collisions Engineering (2017), "

static const double DENSITY = 1000, LENGTH = 1, SPEED = 1;

// A line of cells falls on a support at x = 0 with viscosity k_ls.
static bool fall(pc_report *report, pc_fe_trial *t, int cells, double k_volume, double k_support)
{
  pc_fe_trial_begin(t, 1);
  pc_fe_trial_block(t, "bar", (pc_fe_places){2, {0, LENGTH}, {cells}}, (pc_fe_places){0}, NULL,
                    NULL, NULL, "foot");
  pc_fe_trial_medium(t, "bar", false, DENSITY, k_volume, 0);
  pc_fe_trial_contact(t, "foot", NULL, -1, k_support, 0, PC_FE_UNILATERAL);
  bool good = pc_fe_trial_ready(t);
  for (int i = 0; good && i < t->mesh.nodes; i++)
    t->before[i] = -SPEED;
  return pc_fe_trial_solve(report, t) && good;
}

// T7.1: U+ = -V + B cosh((L - x) / l), l = sqrt(2 k_M / rho), m* = sqrt(2 k_M rho) tanh(L / l).
typedef struct exact {
  double wave, b, foot, reaction, loss_volume, loss_surface;
} exact;

static exact solve_by_hand(double k_volume, double k_support)
{
  exact e = {.wave = sqrt(2 * k_volume / DENSITY)};
  double m = sqrt(2 * k_volume * DENSITY) * tanh(LENGTH / e.wave), slope = 2 * k_volume / e.wave;
  bool bounces = k_support > m;
  e.b = bounces ? 2 * SPEED * k_support /
                      (k_support * cosh(LENGTH / e.wave) + slope * sinh(LENGTH / e.wave))
                : SPEED / cosh(LENGTH / e.wave);
  e.foot = bounces ? SPEED * (k_support - m) / (k_support + m) : 0;
  e.reaction = bounces ? 0 : SPEED * (m - k_support);
  // k_M W'^2 over the length, W = U+ + U- = -2 V + B cosh((L - x) / l)
  double s = 2 * LENGTH / e.wave;
  e.loss_volume = k_volume * e.b * e.b / e.wave * (sinh(s) / 4 - s / 4);
  double w = e.foot - SPEED;
  e.loss_surface = (k_support * w - e.reaction) * w / 2;
  return e;
}

static void line(pc_report *report)
{
  static const double support[2] = {2000, 500};
  static const char *const name[2] = {"bounces", "stays"};
  for (int i = 0; i < 2; i++) {
    pc_fe_trial t;
    fall(report, &t, 64, 500, support[i]);
    exact e = solve_by_hand(500, support[i]);
    const pc_fe_account *a = &t.answer.account;
    double reaction = t.solved ? t.answer.touch[0].reaction : NAN, worst = 0;
    for (int n = 0; t.solved && n < t.mesh.nodes; n++)
      worst = pc_worst(worst, fabs(t.answer.velocity[n] + SPEED -
                                   e.b * cosh((LENGTH - t.mesh.node[n][0]) / e.wave)));
    const char *oracle = "closed form of the bar on a rigid support, rho 1000, L 1, k_M 500, V 1";
    pc_report_derived(report, pc_report_name(report, "%s.foot", name[i]), "U+ at the support",
                      e.foot, pc_fe_trial_velocity(&t, 0, 0, 0), "m/s", 1e-8, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.head", name[i]), "U+ at the free end",
                      e.b - SPEED, pc_fe_trial_velocity(&t, LENGTH, 0, 0), "m/s", 1e-8, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.field", name[i]),
                      "largest error of U+ at a node", 0, t.solved ? worst : NAN, "m/s", 1e-8,
                      oracle);
    pc_report_derived(report, pc_report_name(report, "%s.reaction", name[i]),
                      "percussion of non-penetration", e.reaction, reaction, "Pa s", 1e-5, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.volume", name[i]), "dissipated in the bar",
                      e.loss_volume, a->volume, "J/m2", 1e-6, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.surface", name[i]),
                      "dissipated at the support", e.loss_surface, a->surface + a->reactions,
                      "J/m2", 1e-5, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.loss", name[i]), "kinetic energy lost",
                      e.loss_volume + e.loss_surface, a->kinetic_before - a->kinetic_after, "J/m2",
                      1e-5, oracle);
    pc_fe_trial_end(&t);
  }
}

static void give_truth(const void *context, const double x[2], double *value)
{
  const exact *e = context;
  value[0] = -SPEED + e->b * cosh((LENGTH - x[0]) / e->wave);
  value[1] = 0;
}

static void order(pc_report *report)
{
  exact e = solve_by_hand(20, 2000);
  double error[3];
  for (int i = 0; i < 3; i++) {
    pc_fe_trial t;
    fall(report, &t, 8 << i, 20, 2000);
    double distance[2];
    pc_fe_trial_distance(&t, give_truth, &e, distance);
    error[i] = distance[0];
    pc_fe_trial_end(&t);
  }
  for (int i = 0; i < 2; i++)
    pc_report_derived(report, pc_report_name(report, "order_%d", 16 << i),
                      "order of convergence of U+ in the mean square", 3,
                      log2(error[i] / error[i + 1]), "1", 0.15,
                      "quadratic elements, closed form with k_M 20");
}

// With growing k_M the bar becomes a rigid body of mass rho L: how far it is from it falls as 1 /
// k_M.
static void rigid(pc_report *report)
{
  static const double support[3] = {500, 1500, 4000};
  for (int i = 0; i < 3; i++) {
    double m = DENSITY * LENGTH, e = fmax(0, (support[i] - m) / (support[i] + m)), off[2];
    for (int k = 0; k < 2; k++) {
      pc_fe_trial t;
      fall(report, &t, 16, k == 0 ? 1e6 : 1e7, support[i]);
      double head = pc_fe_trial_velocity(&t, LENGTH, 0, 0);
      off[k] = fabs(head - e);
      if (k == 1)
        pc_report_derived(report, pc_report_name(report, "k%g", support[i]), "U+ of the free end",
                          e, head, "m/s", 2e-4,
                          "a point of mass rho L: max(0, (k - m) / (k + m)); k_M 1e7");
      pc_fe_trial_end(&t);
    }
    pc_report_derived(report, pc_report_name(report, "k%g.order", support[i]),
                      "order in 1 / k_M of the distance from it", 1, log10(off[0] / off[1]), "1",
                      0.01, "k_M 1e6 and 1e7");
  }
}

const pc_case pc_cases_fremond_bar[] = {
    {"fremond.bar.line", BOOK "7.6.1, in one dimension", false, line},
    {"fremond.bar.order", BOOK "7.6.1, in one dimension", false, order},
    {"fremond.bar.rigid", BOOK "7.6.1 and 2.8.1", false, rigid},
    {0},
};
