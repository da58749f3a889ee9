// Jean and Moreau (1992): shocks with a dissipation index, and frictional catastrophes.
//
// Their contact law holds between the percussion S = -P and the weighted mean velocity U^a = (1 -
// delta)/2 U- + (1 + delta)/2 U+ (6.1). Where S is not zero that means U_N+ = -e U_N- with e = (1 -
// delta)/(1 + delta).
#include <math.h>
#include <string.h>

#include "percuss/random.h"
#include "setup.h"

static pc_law restitution(double e)
{
  return (pc_law){.normal = {.kind = PC_NORMAL_RESTITUTION, .e = e}};
}

static double restitution_of(double delta)
{
  return (1 - delta) / (1 + delta);
}

// remark 1 of section 6: standard inelastic shocks are projections.

enum { MAX_ROWS = 7 };

typedef struct shock {
  int bodies, rows;
  double mass[MAX_ROWS], before[MAX_ROWS];
  double row[MAX_ROWS][MAX_ROWS];
} shock;

// Solves a x = b by elimination with pivots; false if a is singular. n <= MAX_ROWS.
static bool eliminate(int n, double a[][MAX_ROWS], double *b)
{
  for (int i = 0; i < n; i++) {
    int pivot = i;
    for (int j = i + 1; j < n; j++)
      if (fabs(a[j][i]) > fabs(a[pivot][i]))
        pivot = j;
    if (!(fabs(a[pivot][i]) > 1e-11))
      return false;
    for (int j = 0; j < n; j++) {
      double swap = a[i][j];
      a[i][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    double swap = b[i];
    b[i] = b[pivot];
    b[pivot] = swap;
    for (int j = i + 1; j < n; j++) {
      double factor = a[j][i] / a[i][i];
      for (int k = i; k < n; k++)
        a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return true;
}

// The u nearest to u- in the metric of the mass with G u >= -e G u-: tries every set of active
// rows. False if none fits.
static bool project(const shock *s, double e, double *after)
{
  for (unsigned set = 0; set < 1u << s->rows; set++) {
    int active[MAX_ROWS], n = 0;
    for (int r = 0; r < s->rows; r++)
      if (set & 1u << r)
        active[n++] = r;
    double a[MAX_ROWS][MAX_ROWS], force[MAX_ROWS];
    for (int i = 0; i < n; i++) {
      force[i] = 0;
      for (int b = 0; b < s->bodies; b++)
        force[i] -= (1 + e) * s->row[active[i]][b] * s->before[b];
      for (int j = 0; j < n; j++) {
        a[i][j] = 0;
        for (int b = 0; b < s->bodies; b++)
          a[i][j] += s->row[active[i]][b] * s->row[active[j]][b] / s->mass[b];
      }
    }
    if (!eliminate(n, a, force))
      continue;
    bool fits = true;
    for (int i = 0; i < n; i++)
      fits = fits && force[i] >= -1e-11;
    memcpy(after, s->before, sizeof s->before);
    for (int i = 0; i < n; i++)
      for (int b = 0; b < s->bodies; b++)
        after[b] += s->row[active[i]][b] * force[i] / s->mass[b];
    for (int r = 0; r < s->rows; r++) {
      double speed = 0;
      for (int b = 0; b < s->bodies; b++)
        speed += s->row[r][b] * (after[b] + e * s->before[b]);
      fits = fits && speed >= -1e-11;
    }
    if (fits)
      return true;
  }
  return false;
}

static void solve_shock(pc_report *report, const shock *s, const pc_law *law, double *after)
{
  const double origin[1] = {0};
  pc_impact *problem = pc_report_problem(report);
  for (int b = 0; b < s->bodies; b++)
    pc_setup_body(problem, 1, s->mass[b], 1, origin, s->before + b);
  for (int r = 0; r < s->rows; r++)
    pc_setup_row(problem, s->bodies, s->row[r], law);
  bool ok = pc_report_solve(report, problem);
  for (int b = 0; b < s->bodies; b++) {
    after[b] = NAN;
    if (ok)
      pc_impact_velocity(problem, b, after + b);
  }
  pc_impact_destroy(problem);
}

static shock random_shock(pc_random *random)
{
  shock s = {.bodies = 2 + pc_random_below(random, MAX_ROWS - 1)};
  s.rows = 1 + pc_random_below(random, MAX_ROWS);
  for (int b = 0; b < s.bodies; b++) {
    s.mass[b] = exp(pc_random_uniform(random, -2, 2));
    s.before[b] = pc_random_normal(random);
  }
  for (int r = 0; r < s.rows; r++)
    for (int b = 0; b < s.bodies; b++)
      s.row[r][b] = pc_random_uniform(random, 0, 1) < 0.3 ? 0 : pc_random_normal(random);
  return s;
}

static void inelastic(pc_report *report)
{
  pc_random random;
  pc_random_seed(&random, 25);
  pc_law plain = {.normal = {.kind = PC_NORMAL_INELASTIC}}, index_one = restitution(0);
  double worst[2] = {0}, worst_e = 0;
  int compared = 0;
  for (int n = 0; n < 200; n++) {
    shock s = random_shock(&random);
    double expected[MAX_ROWS], after[MAX_ROWS], e = pc_random_uniform(&random, 0, 1);
    for (int law = 0; law < 2; law++) {
      if (!project(&s, 0, expected))
        continue;
      compared++;
      solve_shock(report, &s, law == 0 ? &plain : &index_one, after);
      for (int b = 0; b < s.bodies; b++)
        worst[law] = pc_worst(worst[law], fabs(after[b] - expected[b]));
    }
    if (project(&s, e, expected)) {
      pc_law law = restitution(e);
      solve_shock(report, &s, &law, after);
      for (int b = 0; b < s.bodies; b++)
        worst_e = pc_worst(worst_e, fabs(after[b] - expected[b]));
    }
  }
  const char *oracle =
      "projection of U- on the admissible velocities, in the metric of the kinetic "
      "energy, by enumeration of active contacts; 200 random systems, seed 25";
  pc_report_derived(report, "inelastic.projection", "largest error of U+, inelastic law", 0,
                    worst[0], "m/s", 1e-10, oracle);
  pc_report_derived(report, "inelastic.index_one", "largest error of U+, dissipation index 1", 0,
                    worst[1], "m/s", 1e-10, oracle);
  pc_report_derived(report, "index.projection", "largest error of U+, random dissipation index", 0,
                    worst_e, "m/s", 1e-10,
                    "projection of -e U- + (1 + e) U- onto D_N+ >= -e D_N-, by enumeration");
  pc_report_property(report, "inelastic.compared",
                     "systems for which the enumeration found no solution", 400 - compared,
                     "all systems are compared");
}

static void index_cases(pc_report *report)
{
  static const struct {
    const char *name;
    double delta;
  } rows[] = {{"delta_0", 0}, {"delta_1_4", 0.25}, {"delta_1_2", 0.5}, {"delta_1", 1}};
  for (int i = 0; i < 4; i++) {
    shock ball = {.bodies = 1, .rows = 1, .mass = {2}, .before = {-3}, .row = {{1}}};
    double delta = rows[i].delta, e = restitution_of(delta), after[MAX_ROWS];
    pc_law law = restitution(e);
    solve_shock(report, &ball, &law, after);
    pc_report_published(report, pc_report_name(report, "restitution.%s", rows[i].name),
                        "-U_N+/U_N- of one contact", (1 - delta) / (1 + delta), after[0] / 3, "1",
                        1e-12, "(1 - delta)/(1 + delta), section 6; delta in the name");
    pc_report_published(report, pc_report_name(report, "dissipated.%s", rows[i].name),
                        "lost kinetic energy, delta/2 m [U]^2 (6.2)", delta * pow(3 * (1 + e), 2),
                        9 - after[0] * after[0], "J", 1e-12,
                        "one frictionless contact, m = 2, U_N- = -3; delta in the name");
  }
  shock three = {.bodies = 3,
                 .rows = 2,
                 .mass = {1, 1, 1},
                 .before = {1, 0, 0},
                 .row = {{-1, 1, 0}, {0, -1, 1}}};
  pc_law elastic = restitution(1);
  double after[MAX_ROWS];
  const double expected[] = {-1 / 3., 2 / 3., 2 / 3.};
  solve_shock(report, &three, &elastic, after);
  for (int b = 0; b < 3; b++)
    pc_report_derived(report, pc_report_name(report, "three_balls.u%d", b + 1),
                      "velocity after, three touching balls, delta = 0", expected[b], after[b],
                      "m/s", 1e-12, "both contacts react: u2 - u1 = 1, u3 = u2, momentum 1");
}

// section 6: the rocking block.

typedef enum corner_law { NEWTON_BOTH, UNILATERAL, UNILATERAL_ROUGH } corner_law;

typedef struct block_outcome {
  double spin;    // after, of a block that turned at 1 rad/s about its right corner
  double opening; // of the right corner: D_N+ less its percussion over the mass
} block_outcome;

// Half width 1 and half height `slender`, mass 1; the left corner comes down.
static block_outcome rock(pc_report *report, double slender, corner_law kind)
{
  const double position[2] = {0, slender}, velocity[3] = {-slender, -1, 1}, up[2] = {0, 1};
  const double right[2] = {1, 0}, left[2] = {-1, 0};
  pc_law law = restitution(0);
  if (kind == NEWTON_BOTH)
    law.normal.kind = PC_NORMAL_BILATERAL;
  if (kind == UNILATERAL_ROUGH)
    law.tangential =
        (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {1}, .on = PC_ON_MOREAU};
  block_outcome o = {NAN, NAN};
  pc_impact *problem = pc_report_problem(report);
  pc_setup_body(problem, 3, 1, (1 + slender * slender) / 3, position, velocity);
  pc_setup_contact(problem, 0, PC_OBSTACLE, right, up, &law);
  pc_setup_contact(problem, 0, PC_OBSTACLE, left, up, &law);
  if (pc_report_solve(report, problem)) {
    double after[3];
    pc_interaction_answer answer;
    pc_impact_velocity(problem, 0, after);
    pc_impact_answer(problem, 0, &answer);
    o.spin = after[2];
    o.opening = answer.after[1] + answer.percussion[1];
  }
  pc_impact_destroy(problem);
  return o;
}

static double opens(double slender, void *context)
{
  return rock(context, slender, UNILATERAL).opening;
}

static double opens_rough(double slender, void *context)
{
  return rock(context, slender, UNILATERAL_ROUGH).opening;
}

static void rocking(pc_report *report)
{
  double h = 4;
  pc_report_published(report, "rocking.newton", "spin after, zero restitution at both corners", 0,
                      rock(report, h, NEWTON_BOTH).spin, "rad/s", 1e-13,
                      "section 6: applied to both corners, no rocking is found");
  block_outcome o = rock(report, h, UNILATERAL);
  pc_report_property(report, "rocking.rocks", "the block does not rock under the unilateral law",
                     !(o.spin > 0.1 && o.opening > 0.1),
                     "section 6: \"this allows the block to rock!\"; delta = 1");
  pc_report_derived(report, "rocking.spin", "spin after over before, no friction",
                    (h * h - 2) / (h * h + 4), o.spin, "1", 1e-12,
                    "momentum and moment about the left corner: (h^2 - 2 b^2)/(h^2 + 4 b^2) for "
                    "half sides b, h = 1, 4");
  pc_report_derived(report, "rocking.spin_rough", "spin after over before, corners that stick",
                    1 - 1.5 / (1 + h * h), rock(report, h, UNILATERAL_ROUGH).spin, "1", 1e-12,
                    "Housner: 1 - 3/2 sin^2(angle of the diagonal); mu = 1");
  pc_report_derived(report, "rocking.slenderness", "h/b above which the block rocks, no friction",
                    sqrt(2), pc_bisect(opens, report, 1, 3), "1", 1e-10, "sqrt 2: the ratio above");
  pc_report_derived(report, "rocking.slenderness_rough", "h/b above which it rocks, sticking",
                    1 / sqrt(2), pc_bisect(opens_rough, report, 0.3, 1), "1", 1e-9,
                    "1/sqrt 2: Housner's ratio is positive; mu = 1");
}

// formula 6.2.

static void energy(pc_report *report)
{
  enum { BODIES = 3, CONTACTS = 4 };
  pc_random random;
  pc_random_seed(&random, 62);
  double worst = 0;
  int wrong = 0, gains = 0;
  for (int n = 0; n < 200; n++) {
    double delta = pc_random_uniform(&random, 0, 1), e = restitution_of(delta);
    double mass[BODIES], velocity[BODIES][6], position[BODIES][3], normal[CONTACTS][3];
    pc_impact *problem = pc_report_problem(report);
    if (problem == NULL)
      return;
    for (int b = 0; b < BODIES; b++) {
      mass[b] = exp(pc_random_uniform(&random, -1, 1));
      for (int i = 0; i < 6; i++)
        velocity[b][i] = pc_random_normal(&random);
      for (int i = 0; i < 3; i++)
        position[b][i] = pc_random_uniform(&random, -1, 1);
      pc_setup_body(problem, 6, mass[b], 0.4 * mass[b], position[b], velocity[b]);
    }
    for (int c = 0; c < CONTACTS; c++) {
      // On spheres of radius 1: the arm of the first body is along the normal.
      int first = c % BODIES;
      double where[3], size = 0;
      for (int i = 0; i < 3; i++) {
        normal[c][i] = pc_random_normal(&random);
        size += normal[c][i] * normal[c][i];
      }
      for (int i = 0; i < 3; i++) {
        normal[c][i] /= sqrt(size);
        where[i] = position[first][i] - normal[c][i];
      }
      pc_law law = restitution(e);
      law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB,
                                           .mu = {pc_random_uniform(&random, 0, 0.4)},
                                           .on = PC_ON_MOREAU};
      pc_setup_contact(problem, first, c == 0 ? PC_OBSTACLE : (first + 1) % BODIES, where,
                       normal[c], &law);
    }
    double lost = 0, jumps = 0, works = 0, size = 0;
    if (!pc_report_solve(report, problem))
      worst = NAN;
    for (int b = 0; b < BODIES; b++) {
      double after[6];
      pc_impact_velocity(problem, b, after);
      for (int i = 0; i < 6; i++) {
        double m = (i < 3 ? 1 : 0.4) * mass[b], before = velocity[b][i];
        lost += m * (before * before - after[i] * after[i]) / 2;
        jumps += m * pow(after[i] - before, 2) / 2;
        size += m * before * before / 2;
      }
    }
    for (int c = 0; c < CONTACTS; c++) {
      pc_interaction_answer a;
      pc_impact_answer(problem, c, &a);
      double work = 0;
      for (int i = 0; i < 3; i++) {
        double before = 2 * a.deformation[i] - a.after[i];
        work -= ((1 - delta) / 2 * before + (1 + delta) / 2 * a.after[i]) * a.percussion[i];
      }
      works += work;
      wrong += !(work <= 1e-10 * size);
    }
    worst = pc_worst(worst, fabs(lost - delta * jumps + works) / size);
    gains += !(lost >= -1e-11 * size);
    pc_impact_destroy(problem);
  }
  const char *note = "200 random shocks of 3 bodies with 4 rough contacts of equal delta, seed 62";
  pc_report_published(report, "energy.formula", "largest error of formula 6.2, relative", 0, worst,
                      "1", 1e-11, note);
  pc_report_property(report, "energy.sign", "contacts with U^a . S > 0 (6.2)", wrong, note);
  pc_report_property(report, "energy.loss", "shocks that gain kinetic energy", gains, note);
}

static void shocks(pc_report *report)
{
  inelastic(report);
  index_cases(report);
  rocking(report);
  energy(report);
}

// sections 5 and 6: frictional catastrophes.
//
// A rod of length 2, mass 1, leans at angle a; its lower end slides at 1 m/s to the side away from
// the rod, D_N^- = 0. A percussion (T, N) at the end changes its velocity by W (T, N):
//     W_NN = 1 + 3 cos^2 a,   W_TT = 1 + 3 sin^2 a,   W_NT = -3 sin a cos a.
// Sliding asks (W_NN + mu W_NT) N = g h, which has no solution N >= 0 when mu > W_NN/|W_NT|.

typedef struct rod {
  pc_report *report;
  double angle, step, slide; // step: g h
} rod;

typedef struct rod_outcome {
  double end[2]; // velocity of the lower end after
  double jump;   // largest component of the change of the rod's velocity
  double push;   // N
} rod_outcome;

static rod_outcome slide_rod(const rod *r, double mu)
{
  const double position[2] = {cos(r->angle), sin(r->angle)}, velocity[3] = {r->slide, 0, 0};
  const double origin[2] = {0}, up[2] = {0, 1}, weight[3] = {0, -r->step, 0};
  pc_law law = {.normal = {.kind = PC_NORMAL_INELASTIC},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {mu}, .on = PC_ON_AFTER}};
  rod_outcome o = {{NAN, NAN}, NAN, NAN};
  pc_impact *problem = pc_report_problem(r->report);
  if (pc_setup_body(problem, 3, 1, 1 / 3., position, velocity) == 0 &&
      pc_setup_contact(problem, 0, PC_OBSTACLE, origin, up, &law) == 0)
    pc_impact_set_percussion(problem, 0, weight);
  if (pc_report_solve(r->report, problem)) {
    double after[3];
    pc_interaction_answer answer;
    pc_impact_velocity(problem, 0, after);
    pc_impact_answer(problem, 0, &answer);
    o.end[0] = answer.after[0];
    o.end[1] = answer.after[1];
    o.push = -answer.percussion[1];
    o.jump = 0;
    for (int i = 0; i < 3; i++)
      o.jump = fmax(o.jump, fabs(after[i] - velocity[i]));
  }
  pc_impact_destroy(problem);
  return o;
}

static double locks(double mu, void *context)
{
  return 0.5 - fabs(slide_rod(context, mu).end[0]);
}

static void catastrophe(pc_report *report)
{
  double a = atan(2), c = cos(a), s = sin(a);
  double w_nn = 1 + 3 * c * c, w_tt = 1 + 3 * s * s, w_nt = -3 * s * c;
  double critical = w_nn / -w_nt, push = -w_nt / (w_nn * w_tt - w_nt * w_nt);
  rod r = {report, a, 1e-10, -1};

  rod_outcome o = slide_rod(&r, 1.2 * critical);
  pc_report_derived(
      report, NULL, "velocity of the end of a sliding rod after h -> 0, mu > mu_c", 0,
      hypot(o.end[0], o.end[1]), "m/s", 1e-9,
      "no percussion lets it slide on, so it stops: a jump without collision. It slid "
      "at 1 m/s with D_N- = 0; mu = 1.2 mu_c, g h = 1e-10 m/s");
  pc_report_derived(report, "percussion", "normal percussion of the catastrophe as h -> 0", push,
                    o.push, "N s", 1e-9,
                    "sticking: W (T, N) = (1, 0) gives N = -W_NT/det W, for any small h");
  pc_report_derived(report, "jump", "largest jump of the rod's velocities as h -> 0",
                    fmax(fmax(push, w_nn / (w_nn * w_tt - w_nt * w_nt)),
                         fabs(3 * (s * w_nn - c * -w_nt) / (w_nn * w_tt - w_nt * w_nt))),
                    o.jump, "m/s", 1e-9,
                    "the percussion of sticking on the rod's mass and inertia");

  o = slide_rod(&r, 0.8 * critical);
  pc_report_derived(report, "below.jump", "largest jump of the rod's velocities, mu < mu_c, h -> 0",
                    0, o.jump, "m/s", 1e-8, "sliding: N = g h/(W_NN + mu W_NT) vanishes with h");
  pc_report_derived(report, "below.push", "normal percussion over g h, mu = 0.8 mu_c",
                    1 / (0.2 * w_nn), o.push / r.step, "kg", 1e-5,
                    "1/(W_NN + mu W_NT) for a rod of 1 kg");
  // tan a = 2 asks the least friction.
  const double angle[] = {atan(2), 0.78539816339744831, 1.3};
  const char *name[] = {"critical_mu.least", "critical_mu.half_right", "critical_mu.steep"};
  const char *quantity[] = {"mu above which a sliding rod locks, tan a = 2",
                            "mu above which a sliding rod locks, tan a = 1",
                            "mu above which a sliding rod locks, a = 1.3 rad"};
  for (int i = 0; i < 3; i++) {
    r.angle = angle[i];
    c = cos(angle[i]);
    s = sin(angle[i]);
    pc_report_derived(report, name[i], quantity[i], (1 + 3 * c * c) / (3 * s * c),
                      pc_bisect(locks, &r, 0.5, 6), "1", 1e-8,
                      "mu_c = (1 + 3 cos^2 a)/(3 sin a cos a), from the vertical acceleration of "
                      "the end; located by bisection");
  }
  // Pulled the other way the rod never locks.
  int violations = 0;
  r = (rod){report, atan(2), 1e-10, 1};
  for (int i = 1; i <= 40; i++)
    violations += !(slide_rod(&r, 0.25 * i).jump < 1e-8);
  pc_report_property(report, "other_way", "jumps of a rod that slides towards its upper end",
                     violations, "W_NN - mu W_NT > 0 for every mu; 40 values to mu = 10");
}

#define PAPER "Jean and Moreau, Unilaterality and dry friction (1992), "

const pc_case pc_cases_moreau[] = {
    {"moreau.shock", PAPER "section 6", false, shocks},
    {"moreau.catastrophe", PAPER "sections 5 and 6", false, catastrophe},
    {0},
};
