// Frémond's book, chapter 2: a point falls on a plane.
//
// The chapter writes P = k (U+ + U-), so its k is half of ours, and its k0 is ours. Here `k` is the
// chapter's; it is doubled where a law is made.
#include <math.h>

#include "percuss/convex.h"
#include "percuss/random.h"
#include "point.h"

// 2.8.1: linear law.

static void quadratic_bounce(pc_report *report)
{
  double m = 1, k = 3, v = 2;
  pc_point p = {.mass = m, .law = {.normal = pc_point_quadratic(k)}, .before = {0.7, -0.4, -v}};
  pc_bounce b = pc_point_collide(report, &p);
  const char *note = "printed formula at m = 1, k = 3 (the chapter's k), U_N- = -2";
  pc_report_published(report, "bounce.velocity", "U_N+ for m < k (2.87)", -(m - k) / (m + k) * v,
                      b.after[2], "m/s", 1e-12, note);
  pc_report_published(report, "bounce.reaction", "reaction for m < k (2.88)", 0, b.reaction, "N s",
                      1e-12, note);
  pc_report_published(report, "bounce.percussion", "P_N for m < k (2.82)",
                      k * (-(m - k) / (m + k) * v - v), b.percussion[2], "N s", 1e-12, note);
  pc_report_published(report, "bounce.dissipated", "dissipated energy for m < k (2.93)",
                      k / 2 * pow(2 * m / (m + k) * v, 2), b.dissipated, "J", 1e-12, note);
  pc_report_published(report, "bounce.tangential", "jump of the tangential velocity (2.85)", 0,
                      hypot(b.after[0] - 0.7, b.after[1] + 0.4), "m/s", 1e-14, note);
}

static void quadratic_stop(pc_report *report)
{
  double m = 3, k = 1, v = 2;
  pc_bounce b = pc_point_fall(report, m, pc_point_quadratic(k), v);
  const char *note = "printed formula at m = 3, k = 1 (the chapter's k), U_N- = -2";
  pc_report_published(report, "stop.velocity", "U_N+ for m > k (2.89)", 0, b.after[2], "m/s", 1e-12,
                      note);
  pc_report_published(report, "stop.reaction", "reaction for m > k (2.90)", -(m - k) * v,
                      b.reaction, "N s", 1e-11, note);
  pc_report_published(report, "stop.dissipative", "dissipative percussion for m > k (2.91)", -k * v,
                      b.percussion[2] - b.reaction, "N s", 1e-11, note);
  pc_report_published(report, "stop.dissipated", "dissipated energy for m > k (2.94)",
                      m / 2 * v * v, b.dissipated, "J", 1e-11, note);
  pc_report_published(report, "stop.dissipated_viscous", "part of the linear law (2.94)",
                      k / 2 * v * v, (b.percussion[2] - b.reaction) * b.mean, "J", 1e-11, note);
  pc_report_published(report, "stop.dissipated_reaction", "part of the reaction (2.94)",
                      (m - k) / 2 * v * v, b.reaction * b.mean, "J", 1e-11, note);

  b = pc_point_fall(report, 2, pc_point_quadratic(2), 2);
  note = "both branches give it: the reaction is weakly active";
  pc_report_published(report, "equal.velocity", "U_N+ for m = k (2.87, 2.89)", 0, b.after[2], "m/s",
                      1e-12, note);
  pc_report_published(report, "equal.reaction", "reaction for m = k (2.88, 2.90)", 0, b.reaction,
                      "N s", 1e-11, note);
}

static void quadratic_limits(pc_report *report)
{
  double m = 1, v = 2, k = 1e6;
  pc_bounce b = pc_point_fall(report, m, pc_point_quadratic(k), v);
  pc_report_published(report, "stiff.velocity", "U_N+ for k = 1e6, m = 1, U_N- = -2 (2.87)",
                      (k - m) / (m + k) * v, b.after[2], "m/s", 1e-11, NULL);
  b = pc_point_fall(report, m, pc_point_quadratic(1e12), v);
  pc_report_published(report, "rigid.velocity", "U_N+ + U_N- as k -> infinity", 0, b.after[2] - v,
                      "m/s", 1e-10, "k = 1e12; the pseudo-potential tends to I_0");
  pc_report_published(report, "rigid.dissipated", "dissipated energy as k -> infinity", 0,
                      b.dissipated, "J", 1e-10, "k = 1e12; a rigid system dissipates nothing");

  // The text after 2.94: the reaction dissipates most at k = 0, and nothing from k = m on.
  int violations = 0;
  double last = INFINITY;
  for (int i = 0; i <= 40; i++) {
    b = pc_point_fall(report, 2, pc_point_quadratic(0.05 * i), 3);
    double part = b.reaction * b.mean;
    violations += !(part <= last + 1e-12);
    last = part;
  }
  violations += !(fabs(last) < 1e-11);
  pc_report_property(report, "reaction_share",
                     "energy of the reaction decreases to 0 as k goes from 0 to m", violations,
                     "text after 2.94; 41 values of k");
}

static void quadratic_kicks(pc_report *report)
{
  pc_point p = {.mass = 2, .law = {.normal = pc_point_quadratic(3)}, .kick = {0, 0, -5}};
  pc_bounce b = pc_point_collide(report, &p);
  pc_report_published(report, "kick.velocity", "U+ of a resting ball kicked downwards", 0,
                      b.after[2], "m/s", 1e-12, "remark 2.5");
  pc_report_published(report, "kick.percussion", "P_int of a resting ball kicked downwards", -5,
                      b.percussion[2], "N s", 1e-11, "remark 2.5: P_int = P_ext = -5");

  const char *oracle = "2.41 with 2.82: max(0, ((m - k) U- + P_ext)/(m + k))";
  p = (pc_point){1, {.normal = pc_point_quadratic(3)}, {0, 0, -2}, {0, 0, 1}, false};
  b = pc_point_collide(report, &p);
  pc_report_derived(report, "kick_and_bounce.velocity", "kick and collision together, m < k",
                    pc_pp(((1 - 3) * -2.0 + 1) / 4), b.after[2], "m/s", 1e-12, oracle);
  p = (pc_point){3, {.normal = pc_point_quadratic(1)}, {0, 0, -2}, {0, 0, 7}, false};
  b = pc_point_collide(report, &p);
  pc_report_derived(report, "kick_and_lift.velocity", "a kick lifts a ball that would stop",
                    pc_pp(((3 - 1) * -2.0 + 7) / 4), b.after[2], "m/s", 1e-12, oracle);
  p = (pc_point){1, {.normal = pc_point_quadratic(3)}, {0, 0, -2}, {0, 0, -6}, false};
  b = pc_point_collide(report, &p);
  pc_report_derived(report, "kick_and_stop.velocity", "a kick stops a ball that would bounce",
                    pc_pp(((1 - 3) * -2.0 - 6) / 4), b.after[2], "m/s", 1e-12, oracle);
}

static void quadratic(pc_report *report)
{
  quadratic_bounce(report);
  quadratic_stop(report);
  quadratic_limits(report);
  quadratic_kicks(report);

  pc_random random;
  pc_random_seed(&random, 2087);
  int violations = 0;
  for (int i = 0; i < 300; i++) {
    double m = exp(pc_random_uniform(&random, -3, 3)), k = exp(pc_random_uniform(&random, -3, 3));
    double v = exp(pc_random_uniform(&random, -4, 4));
    pc_bounce b = pc_point_fall(report, m, pc_point_quadratic(k), v);
    double energy = m < k ? k / 2 * pow(2 * m / (m + k) * v, 2) : m / 2 * v * v;
    violations += !(fabs(b.after[2] - pc_pp((k - m) / (m + k)) * v) <= 1e-12 * v) ||
                  !(fabs(b.dissipated - energy) <= 1e-11 * m * v * v);
  }
  pc_report_property(report, "all", "300 random m, k, U_N-: velocity and energy of 2.87 to 2.94",
                     violations, "seed 2087");
}

// 2.8.2: threshold law, cars on speed bumps.

typedef struct bump {
  double m, k, k0, u_lim;
} bump;

static pc_normal_law threshold_law(const bump *p)
{
  return (pc_normal_law){
      .kind = PC_NORMAL_THRESHOLD, .k = 2 * p->k, .k0 = p->k0, .u_lim = p->u_lim};
}

// 2.102 to 2.106, and for m < k the third branch without end.
static double bump_formula(const bump *p, double v)
{
  double rise = (p->k0 - (p->m - p->k) * v - 2 * p->k * p->u_lim) / (p->m + p->k);
  if (v <= 2 * p->u_lim)
    return 0;
  if (v <= p->u_lim + p->k0 / (2 * p->m))
    return v - 2 * p->u_lim;
  return pc_pp(rise);
}

typedef struct bump_search {
  pc_report *report;
  bump p;
  double speed;
} bump_search;

// Each break is a change of sign: what is zero on one side and positive on the other, less what is
// positive on the one and zero on the other. Z = U+ + U- + 2 U_lim.
static double first_break(double v, void *context)
{
  bump_search *s = context;
  pc_bounce b = pc_point_fall(s->report, s->p.m, threshold_law(&s->p), v);
  return b.after[2] - 2 * (b.mean + s->p.u_lim);
}

static double second_break(double v, void *context)
{
  bump_search *s = context;
  pc_bounce b = pc_point_fall(s->report, s->p.m, threshold_law(&s->p), v);
  return -2 * (b.mean + s->p.u_lim) - (s->p.k0 + b.percussion[2]) / s->p.m;
}

static double third_break(double v, void *context)
{
  bump_search *s = context;
  pc_bounce b = pc_point_fall(s->report, s->p.m, threshold_law(&s->p), v);
  return b.after[2] + b.reaction / s->p.m;
}

static double last_bounce(double u_lim, void *context)
{
  bump_search *s = context;
  bump p = s->p;
  p.u_lim = u_lim;
  pc_bounce b = pc_point_fall(s->report, p.m, threshold_law(&p), s->speed);
  return b.after[2] + b.reaction / p.m;
}

static void threshold(pc_report *report)
{
  const bump p = {.m = 2, .k = 1, .k0 = 4, .u_lim = 0.25};
  const char *parameters = "printed formula at m = 2, k = 1 (the chapter's k), k0 = 4, U_lim = 1/4";
  static const struct {
    double speed;
    const char *name, *quantity;
  } speeds[] = {{0.25, "slow", "U_N+ at 0.25 m/s, no bounce (2.102)"},
                {0.75, "rising_1", "U_N+ at 0.75 m/s (2.103)"},
                {1, "rising_2", "U_N+ at 1 m/s (2.103)"},
                {1.25, "top", "U_N+ at 1.25 m/s, the largest (2.103, 2.104)"},
                {2, "falling_1", "U_N+ at 2 m/s (2.104)"},
                {3, "falling_2", "U_N+ at 3 m/s (2.104)"},
                {3.5, "end", "U_N+ at 3.5 m/s (2.104, 2.106)"},
                {4, "fast", "U_N+ at 4 m/s, no bounce (2.106)"}};
  for (int i = 0; i < (int)(sizeof speeds / sizeof *speeds); i++)
    pc_report_published(report, pc_report_name(report, "velocity.%s", speeds[i].name),
                        speeds[i].quantity, bump_formula(&p, speeds[i].speed),
                        pc_point_fall(report, p.m, threshold_law(&p), speeds[i].speed).after[2],
                        "m/s", 1e-12, parameters);

  bump_search search = {report, p, 0};
  const char *located = "located by bisection on computed velocities and percussions";
  pc_report_published(report, "break.first", "2 U_lim, where bouncing begins (2.102)", 2 * p.u_lim,
                      pc_bisect(first_break, &search, 0.1, 1), "m/s", 1e-11, located);
  pc_report_published(report, "break.second", "U_lim + k0/(2m), the largest bounce (2.103)",
                      p.u_lim + p.k0 / (2 * p.m), pc_bisect(second_break, &search, 0.7, 2.5), "m/s",
                      1e-11, located);
  pc_report_published(report, "break.third", "(k0 - 2 k U_lim)/(m - k), the last bounce (2.105)",
                      (p.k0 - 2 * p.k * p.u_lim) / (p.m - p.k),
                      pc_bisect(third_break, &search, 2, 6), "m/s", 1e-11, located);

  const bump light = {.m = 1, .k = 2, .k0 = 4, .u_lim = 0.25};
  static const struct {
    double speed;
    const char *name, *quantity;
  } light_speeds[] = {{0.3, "light.slow", "U_N+ at 0.3 m/s for m < k"},
                      {1, "light.rising", "U_N+ at 1 m/s for m < k"},
                      {3, "light.fast", "U_N+ at 3 m/s for m < k"},
                      {30, "light.very_fast", "U_N+ at 30 m/s for m < k: no upper end"}};
  for (int i = 0; i < 4; i++)
    pc_report_derived(
        report, light_speeds[i].name, light_speeds[i].quantity,
        bump_formula(&light, light_speeds[i].speed),
        pc_point_fall(report, light.m, threshold_law(&light), light_speeds[i].speed).after[2],
        "m/s", 1e-11,
        "2.101 solved for m < k, where 2.104 holds for every larger speed; m = 1, "
        "k = 2, k0 = 4, U_lim = 1/4");

  pc_random random;
  pc_random_seed(&random, 2101);
  int violations = 0;
  for (int i = 0; i < 300; i++) {
    bump q = {exp(pc_random_uniform(&random, -1, 1)), exp(pc_random_uniform(&random, -1, 1)),
              exp(pc_random_uniform(&random, -1, 2)), 0};
    q.u_lim = pc_random_uniform(&random, 0, q.k0 / (2 * q.m));
    double v = pc_random_uniform(&random, 0, 3 * q.k0 / q.m);
    double found = pc_point_fall(report, q.m, threshold_law(&q), v).after[2];
    violations += !(fabs(found - bump_formula(&q, v)) <= 1e-11 * (v + 1));
  }
  pc_report_property(report, "all", "300 random parameters and speeds: velocity of 2.102 to 2.106",
                     violations, "seed 2101");

  // The printed hypothesis k0/m >= U_lim would allow U_lim up to twice what 2.103 and 2.105 need.
  search.speed = p.k0 / p.m;
  pc_report_published(
      report, "erratum.limit", "largest U_lim that lets a heavy point bounce, k0/(2m)",
      p.k0 / (2 * p.m), pc_bisect(last_bounce, &search, 0.1, 1.9), "m/s", 1e-11,
      "two hypotheses are printed: k0/m >= U_lim after 2.96, U_lim <= k0/(2m) before 2.102; the "
      "second is right. Bisected at the speed k0/m, where both branches end");
  violations = 0;
  bump beyond = p;
  beyond.u_lim = 0.75 * p.k0 / p.m;
  for (int i = 1; i <= 400; i++)
    violations += !(pc_point_fall(report, p.m, threshold_law(&beyond), 0.02 * i).after[2] <= 1e-12);
  pc_report_property(report, "erratum.no_bounce",
                     "no bounce at any speed with U_lim between k0/(2m) and k0/m, m > k",
                     violations, "why k0/m >= U_lim cannot be the hypothesis; 400 speeds to 8 m/s");
}

// 2.8.3: a sheet of paper.

static pc_normal_law paper_law(double k, double k0)
{
  return (pc_normal_law){.kind = PC_NORMAL_PENETRABLE, .k = 2 * k, .k0 = k0};
}

typedef struct paper_search {
  pc_report *report;
  double m, k, k0;
} paper_search;

// Through: U+ < 0 and the sheet gives all of k0. Stopped: U+ = 0 and it gives less.
static double tears(double v, void *context)
{
  paper_search *s = context;
  pc_bounce b = pc_point_fall(s->report, s->m, paper_law(s->k, s->k0), v);
  double sheet = -b.percussion[2] + 2 * s->k * b.mean;
  return -b.after[2] - (s->k0 - sheet) / s->m;
}

static void penetrable(pc_report *report)
{
  double m = 3, k = 1, k0 = 4;
  const char *note = "printed formula at m = 3, k = 1 (the chapter's k), k0 = 4";
  const double speed[] = {1, 2, 3, 6};
  const char *name[] = {"stopped", "critical", "pierced", "pierced_fast"};
  const char *quantity[] = {"U_N+ at 1 m/s (2.116)", "U_N+ at 2 m/s (2.116, 2.118)",
                            "U_N+ at 3 m/s (2.118)", "U_N+ at 6 m/s (2.118)"};
  for (int i = 0; i < 4; i++)
    pc_report_published(report, pc_report_name(report, "%s.velocity", name[i]), quantity[i],
                        speed[i] <= k0 / (m - k) ? 0 : (k0 - (m - k) * speed[i]) / (m + k),
                        pc_point_fall(report, m, paper_law(k, k0), speed[i]).after[2], "m/s", 1e-12,
                        note);
  paper_search search = {report, m, k, k0};
  pc_report_published(report, "critical.speed", "k0/(m - k), above which the ball goes through",
                      k0 / (m - k), pc_bisect(tears, &search, 0.5, 5), "m/s", 1e-11,
                      "2.115, 2.117; located by bisection on computed velocity and percussion");
  pc_bounce b = pc_point_fall(report, 1, paper_law(3, 4), 2);
  pc_report_published(report, "bounce.velocity", "U_N+ for m <= k (2.114)", 1, b.after[2], "m/s",
                      1e-12, "printed formula at m = 1, k = 3, k0 = 4, U_N- = -2");

  pc_random random;
  pc_random_seed(&random, 2114);
  int wrong = 0, outside = 0;
  for (int i = 0; i < 300; i++) {
    m = exp(pc_random_uniform(&random, -1, 1));
    k = exp(pc_random_uniform(&random, -1, 1));
    k0 = exp(pc_random_uniform(&random, -1, 1));
    double v = pc_random_uniform(&random, 0.01, 6);
    double found = pc_point_fall(report, m, paper_law(k, k0), v).after[2];
    double expected = m <= k              ? (k - m) / (m + k) * v
                      : v <= k0 / (m - k) ? 0
                                          : (k0 - (m - k) * v) / (m + k);
    wrong += !(fabs(found - expected) <= 1e-11 * (v + 1));
    outside += m > k && !(-v < found && found <= 1e-12);
  }
  pc_report_property(report, "all", "300 random parameters and speeds: velocity of 2.114 to 2.118",
                     wrong, "seed 2114");
  pc_report_property(report, "slowed", "U_N- < U_N+ <= 0 for m > k (2.119)", outside,
                     "the same 300 draws");
}

// The power law (Cholet; Pécol, figure 2.8).

static pc_normal_law power_law(double k, double p)
{
  return (pc_normal_law){.kind = PC_NORMAL_POWER, .k = k, .p = p};
}

typedef struct power_search {
  pc_report *report;
  double m, k, p, v;
} power_search;

// m (U+ - U-) + P = 0 in terms of X = (U+ + U-)/2, growing in X.
static double power_balance(double x, void *context)
{
  power_search *s = context;
  return 2 * s->m * (x + s->v) - s->k * pow(fabs(x), s->p - 1);
}

static double power_oracle(power_search *s, double v)
{
  s->v = v;
  return pc_pp(2 * pc_bisect(power_balance, s, -v, 0) + v);
}

static double power_break(double v, void *context)
{
  power_search *s = context;
  pc_bounce b = pc_point_fall(s->report, s->m, power_law(s->k, s->p), v);
  return b.after[2] + b.reaction / s->m;
}

static void power(pc_report *report)
{
  const double exponent[] = {1.5, 2, 3};
  const char *name[] = {"p1_5", "p2", "p3"};
  const double shown[] = {0.5, 2, 9};
  const char *speed_name[] = {"slow", "medium", "fast"};
  for (int i = 0; i < 3; i++) {
    power_search s = {report, 75, 300, exponent[i], 0};
    double worst = 0;
    for (int n = 1; n <= 60; n++) {
      double v = 0.2 * n;
      worst = pc_worst(worst, fabs(pc_point_fall(report, s.m, power_law(s.k, s.p), v).after[2] -
                                   power_oracle(&s, v)));
    }
    pc_report_derived(report, pc_report_name(report, "%s.error", name[i]),
                      "largest error of U_N+ over 60 speeds to 12 m/s, m = 75, K_N = 4m", 0, worst,
                      "m/s", 1e-11, "bisection of the balance m (U+ - U-) + K X |X|^(p-2) = 0");
    for (int n = 0; n < 3; n++)
      pc_report_derived(report, pc_report_name(report, "%s.velocity_%s", name[i], speed_name[n]),
                        n == 0   ? "U_N+ at 0.5 m/s"
                        : n == 1 ? "U_N+ at 2 m/s"
                                 : "U_N+ at 9 m/s",
                        power_oracle(&s, shown[n]),
                        pc_point_fall(report, s.m, power_law(s.k, s.p), shown[n]).after[2], "m/s",
                        1e-11, "bisection, as above; the curves of the figure are not in the text");
    if (exponent[i] == 2)
      continue;
    pc_report_derived(report, pc_report_name(report, "%s.critical_speed", name[i]),
                      exponent[i] < 2 ? "speed above which the contact is kept (crushing)"
                                      : "speed below which the contact is kept (adhesion)",
                      pow(2, (3 - s.p) / (2 - s.p)), pc_bisect(power_break, &s, 0.3, 20), "m/s",
                      1e-9, "m v = K (v/2)^(p-1) with K = 4m gives v = 2^((3-p)/(2-p))");
  }
  power_search quadratic_one = {report, 75, 300, 2, 0};
  pc_report_published(report, "p2.restitution", "p = 2 reproduces Newton's restitution",
                      (300 - 150) / (300 + 150.0),
                      pc_point_fall(report, 75, power_law(quadratic_one.k, 2), 3).after[2] / 3, "1",
                      1e-12, "e = (K - 2m)/(K + 2m), whatever the speed");
  int crushing = 0, adhesion = 0;
  for (int n = 1; n <= 80; n++) {
    double v = 0.2 * n - 0.1;
    bool rebound = pc_point_fall(report, 75, power_law(300, 1.5), v).after[2] > 1e-9;
    crushing += rebound != (v < 8);
    rebound = pc_point_fall(report, 75, power_law(300, 3), v).after[2] > 1e-9;
    adhesion += rebound != (v > 1);
  }
  pc_report_property(report, "crushing", "p < 2: rebound at small speed, contact kept at large",
                     crushing, "p = 1.5, 80 speeds to 16 m/s");
  pc_report_property(report, "adhesion", "p > 2: contact kept at small speed, rebound at large",
                     adhesion, "p = 3, 80 speeds to 16 m/s");
}

// Remark 2.11: inertia neglected.

static void quasi_static(pc_report *report)
{
  const char *note = "m = 2, inertia neglected";
  pc_point p = {2, {.normal = pc_point_quadratic(0.3)}, {0.5, 0, -3}, {0, 0, 0}, true};
  pc_bounce b = pc_point_collide(report, &p);
  pc_report_published(report, "linear.velocity", "U_N+ + U_N- with a linear law (2.122)", 0,
                      b.after[2] - 3, "m/s", 1e-8, note);
  pc_report_published(report, "linear.tangential", "jump of U_T: continuity is chosen", 0,
                      b.after[0] - 0.5, "m/s", 1e-12, note);
  p.law.normal = power_law(4, 1.5);
  b = pc_point_collide(report, &p);
  pc_report_published(report, "power.velocity", "U_N+ + U_N- with the power law, p = 1.5 (2.122)",
                      0, b.after[2] - 3, "m/s", 1e-8, note);
}

#define BOOK "Frémond, Collisions Engineering (2017), "

const pc_case pc_cases_fremond_point[] = {
    {"fremond.point.quadratic", BOOK "2.8.1", false, quadratic},
    {"fremond.point.threshold", BOOK "2.8.2", false, threshold},
    {"fremond.point.penetrable", BOOK "2.8.3", false, penetrable},
    {"fremond.point.power", "Pécol, thesis, chapter 2, eq. 2.17 and figure 2.8", false, power},
    {"fremond.point.quasi_static", BOOK "remark 2.11", false, quasi_static},
    {0},
};
