// Frémond's book, 2.9: Coulomb's law for collisions, which looks at the mean velocity. k is the
// chapter's, half of ours.
#include <math.h>
#include <string.h>

#include "percuss/convex.h"
#include "percuss/random.h"
#include "point.h"

static pc_law coulomb_law(double k, double mu)
{
  return (pc_law){.normal = pc_point_quadratic(k),
                  .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {mu}, .on = PC_ON_MEAN}};
}

// The mean tangential velocity is U_T- shortened by mu |P_N| / (2m).
static double shortened(double speed, double shift)
{
  return pc_pp(1 - shift / speed);
}

static void coulomb_branches(pc_report *report)
{
  const double before[3][2] = {{3, 4}, {0.3, 0.4}, {0.03, 0.04}};
  const char *name[] = {"sliding", "reversing", "sticking"};
  const char *oracle =
      "2.140, 2.141: the mean U_T is U_T- shortened by mu |P_N|/(2m); m = 1, k = 3, mu = 0.2, "
      "U_N- = -2, so P_N = -3";
  for (int i = 0; i < 3; i++) {
    pc_point p = {1, coulomb_law(3, 0.2), {before[i][0], before[i][1], -2}, {0, 0, 0}, false};
    pc_bounce b = pc_point_collide(report, &p);
    double factor = 2 * shortened(hypot(before[i][0], before[i][1]), 0.3) - 1;
    for (int axis = 0; axis < 2; axis++) {
      pc_report_derived(report, pc_report_name(report, "%s.velocity_%c", name[i], "xy"[axis]),
                        "U_T+", factor * before[i][axis], b.after[axis], "m/s", 1e-12, oracle);
      pc_report_derived(report, pc_report_name(report, "%s.percussion_%c", name[i], "xy"[axis]),
                        "P_T", (1 - factor) * before[i][axis], b.percussion[axis], "N s", 1e-12,
                        oracle);
    }
    if (i == 2) {
      pc_report_published(report, "sticking.mean", "U_T+ + U_T- when |P_T| < mu |P_N| (2.141)", 0,
                          hypot(b.after[0] + before[i][0], b.after[1] + before[i][1]), "m/s", 1e-13,
                          "sticking on the mean velocity reverses the tangential velocity");
      pc_report_derived(report, "sticking.dissipated", "energy lost to friction in sticking", 0,
                        b.dissipated - b.percussion[2] * b.mean, "J", 1e-13,
                        "P_T . (U_T+ + U_T-)/2 is zero by 2.141");
    } else {
      double ratio = hypot(b.percussion[0], b.percussion[1]) / -b.percussion[2];
      pc_report_published(report, pc_report_name(report, "%s.ratio", name[i]),
                          "|P_T| / |P_N| (2.140)", 0.2, ratio, "1", 1e-12, "the cone's mu = 0.2");
    }
  }
}

// Bounces from the apex with vertical speed v at the plane; gives the mean deceleration over g.
static double bouncing(pc_report *report, double k, double mu, double v, int bounces, bool from_top)
{
  const double g = 9.81, start = (bounces + 10) * v;
  double along = start, time = from_top ? v / g : 0;
  for (int i = 0; i < bounces; i++) {
    pc_point p = {1, coulomb_law(k, mu), {along, 0, -v}, {0, 0, 0}, false};
    pc_bounce b = pc_point_collide(report, &p);
    along = b.after[0];
    v = b.after[2];
    time += 2 * v / g;
  }
  return (start - along) / (time * g);
}

static void coulomb_bouncing(pc_report *report)
{
  const double speed[] = {1, 0.1, 0.01};
  const char *name[] = {"bouncing.fast", "bouncing.medium", "bouncing.slow"};
  for (int i = 0; i < 3; i++)
    pc_report_published(report, name[i],
                        i == 0   ? "mean deceleration over g, bounces of 1 m/s"
                        : i == 1 ? "mean deceleration over g, bounces of 0.1 m/s"
                                 : "mean deceleration over g, bounces of 0.01 m/s",
                        0.2, bouncing(report, 1e13, 0.2, speed[i], 100, false), "1", 1e-9,
                        "2.9.4: smooth sliding with the same mu is the limit of small jumps; here "
                        "100 elastic jumps (k = 1e13), and the mean does not depend on their size");
  pc_report_derived(report, "bouncing.to_rest", "mean deceleration over g until a ball rests", 0.2,
                    bouncing(report, 3, 0.2, 1, 60, true), "1", 1e-12,
                    "from an apex to rest the plane's percussions sum to m g t, so friction takes "
                    "mu m g t; e = 1/2, 60 bounces");
}

typedef struct ellipse {
  double u[2], mu[2], push; // along and across the axis; |P_N|/(2m)
} ellipse;

// P_i = |P_N| mu_i^2 w_i / n with n = sqrt(sum mu_i^2 w_i^2), hence w_i = u_i n / (n + push
// mu_i^2).
static double ellipse_balance(double n, void *context)
{
  ellipse *e = context;
  double sum = 0;
  for (int i = 0; i < 2; i++)
    sum += pow(e->mu[i] * e->u[i] / (n + e->push * e->mu[i] * e->mu[i]), 2);
  return 1 - sum;
}

static void coulomb_ellipse(pc_report *report)
{
  const double axis[2] = {0.6, 0.8}, before[2] = {2, -1};
  pc_law law = coulomb_law(3, 0);
  law.tangential.anisotropic = true;
  law.tangential.mu[0] = 0.1;
  law.tangential.mu[1] = 0.4;
  memcpy(law.tangential.axis, axis, sizeof axis);
  pc_point p = {1, law, {before[0], before[1], -2}, {0, 0, 0}, false};
  pc_bounce b = pc_point_collide(report, &p);
  ellipse e = {
      {axis[0] * before[0] + axis[1] * before[1], axis[0] * before[1] - axis[1] * before[0]},
      {0.1, 0.4},
      1.5};
  double n = pc_bisect(ellipse_balance, &e, 1e-6, 10);
  double along = axis[0] * b.after[0] + axis[1] * b.after[1];
  double across = axis[0] * b.after[1] - axis[1] * b.after[0];
  double found[2] = {along, across};
  for (int i = 0; i < 2; i++)
    pc_report_derived(report, i == 0 ? "ellipse.along" : "ellipse.across",
                      i == 0 ? "U_T+ along the axis, mu = (0.1, 0.4)"
                             : "U_T+ across the axis, mu = (0.1, 0.4)",
                      e.u[i] * (2 * n / (n + e.push * e.mu[i] * e.mu[i]) - 1), found[i], "m/s",
                      1e-11, "maximum dissipation in the ellipse, bisected");

  // No percussion of the elliptic cone would dissipate more against the mean velocity found.
  int violations = 0;
  pc_random random;
  pc_random_seed(&random, 2140);
  for (int i = 0; i < 100; i++) {
    for (int j = 0; j < 2; j++) {
      p.law.tangential.mu[j] = pc_random_uniform(&random, 0.05, 1);
      p.law.tangential.axis[j] = pc_random_normal(&random);
      p.before[j] = pc_random_normal(&random) * 2;
    }
    b = pc_point_collide(report, &p);
    double size = hypot(p.law.tangential.axis[0], p.law.tangential.axis[1]), mean[2], best = 0;
    double c = p.law.tangential.axis[0] / size, s = p.law.tangential.axis[1] / size;
    for (int j = 0; j < 2; j++)
      mean[j] = (b.after[j] + p.before[j]) / 2;
    for (int j = 0; j < 720; j++) {
      double angle = j * 3.14159265358979323846 / 360;
      double x = p.law.tangential.mu[0] * cos(angle), y = p.law.tangential.mu[1] * sin(angle);
      best = fmax(best, -b.percussion[2] * ((x * c - y * s) * mean[0] + (x * s + y * c) * mean[1]));
    }
    double x = (c * b.percussion[0] + s * b.percussion[1]) / p.law.tangential.mu[0];
    double y = (c * b.percussion[1] - s * b.percussion[0]) / p.law.tangential.mu[1];
    double work = b.percussion[0] * mean[0] + b.percussion[1] * mean[1];
    violations += !(work >= best - 1e-10) || !(hypot(x, y) <= -b.percussion[2] * (1 + 1e-10));
  }
  pc_report_property(report, "ellipse.dissipation",
                     "percussions of an elliptic cone that dissipate more than the one found, or "
                     "answers outside the cone",
                     violations,
                     "100 random cones and velocities, 720 percussions each, seed 2140");
}

static void coulomb(pc_report *report)
{
  coulomb_branches(report);
  coulomb_bouncing(report);
  coulomb_ellipse(report);
}

const pc_case pc_cases_fremond_coulomb[] = {
    {"fremond.point.coulomb", "Frémond, Collisions Engineering (2017), 2.9", false, coulomb},
    {0},
};
