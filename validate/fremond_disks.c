// Frémond's book, chapter 4: disk 1 hits disks 2 and 3, which touch; with interactions at a
// distance.
#include <math.h>
#include <stdio.h>

#include "impact_trial.h"
#include "percuss/random.h"

enum { DISKS = 3, CONTACT_A = 0, CONTACT_B, DISTANCE, SPIN_12, SPIN_23, SPIN_31, INTERACTIONS };

typedef struct disks {
  double mass, inertia, radius, theta, k, nu, k_spin, nu_spin;
  double before[DISKS][3]; // Ux, Uy, spin
} disks;

typedef struct outcome {
  double after[DISKS][3];
  double normal[2][2]; // of the contacts A and B
  pc_interaction_answer answer[INTERACTIONS];
  pc_audit audit;
  double position[DISKS][2];
  double ba[2]; // from B to A
} outcome;

static outcome collide(pc_report *report, const disks *d)
{
  double r = d->radius, c = cos(d->theta), s = sin(d->theta);
  const double a[2] = {r, 0}, b[2] = {2 * r + r * c, r * s};
  outcome o = {.normal = {{-1, 0}, {-c, -s}},
               .position = {{0, 0}, {2 * r, 0}, {2 * r + 2 * r * c, 2 * r * s}},
               .ba = {a[0] - b[0], a[1] - b[1]}};
  const double(*u)[3] = d->before;
  char body[100], law[160];
  snprintf(body, sizeof body, "dof: 3, mass: %.17g, inertia: %.17g", d->mass, d->inertia);
  snprintf(law, sizeof law,
           "{normal: {kind: quadratic, k: %.17g}, tangential: {kind: viscous, k: %.17g}}", d->k,
           d->k);
  impact_trial t;
  impact_solve(report, &t,
               "kind: impact\n"
               "bodies:\n"
               "  - {id: a, %s, position: [0, 0], velocity: [%.17g, %.17g, %.17g]}\n"
               "  - {id: b, %s, position: [%.17g, 0], velocity: [%.17g, %.17g, %.17g]}\n"
               "  - {id: c, %s, position: [%.17g, %.17g], velocity: [%.17g, %.17g, %.17g]}\n"
               "interactions:\n"
               "  - {type: contact, bodies: [a, b], point: [%.17g, 0], normal: [-1, 0], law: %s}\n"
               "  - {type: contact, bodies: [b, c], point: [%.17g, %.17g], normal: [%.17g, %.17g], "
               "law: %s}\n"
               "  - {type: distance, bodies: [a, c], points: [[%.17g, 0], [%.17g, %.17g]], "
               "law: {kind: quadratic, k: %.17g}}\n"
               "  - {type: spin, bodies: [a, b], law: {kind: quadratic, k: %.17g}}\n"
               "  - {type: spin, bodies: [b, c], law: {kind: quadratic, k: %.17g}}\n"
               "  - {type: spin, bodies: [c, a], law: {kind: quadratic, k: %.17g}}\n",
               body, u[0][0], u[0][1], u[0][2], body, 2 * r, u[1][0], u[1][1], u[1][2], body,
               2 * r + 2 * r * c, 2 * r * s, u[2][0], u[2][1], u[2][2], a[0], law, b[0], b[1], -c,
               -s, law, a[0], b[0], b[1], d->nu, d->k_spin, d->k_spin, d->nu_spin);
  for (int i = 0; i < DISKS; i++)
    impact_velocity(&t, i, o.after[i], 3);
  for (int k = 0; k < INTERACTIONS; k++)
    o.answer[k] = impact_answer(&t, k);
  o.audit = t.info.audit;
  impact_end(&t);
  return o;
}

// Aligned disks that do not turn, disk 1 at 1 m/s.
static disks aligned(double mass, double k, double radius, double nu)
{
  return (disks){
      .mass = mass, .inertia = INFINITY, .radius = radius, .k = k, .nu = nu, .before = {{1, 0, 0}}};
}

// boundaries 4.23.

typedef struct boundary {
  pc_report *report;
  double mass, k, radius;
  int contact;
} boundary;

// Positive where the contact opens, negative where a reaction keeps it.
static double opening(double nu, void *context)
{
  boundary *b = context;
  disks d = aligned(b->mass, b->k, b->radius, nu);
  outcome o = collide(b->report, &d);
  const pc_interaction_answer *answer = &o.answer[b->contact];
  return pc_setup_normal_after(answer, o.normal[b->contact]) +
         pc_setup_reaction(answer, o.normal[b->contact], b->k) / b->mass;
}

static double gamma_of(int which, double m, double k, double r)
{
  switch (which) {
  case 1:
    return (2 * m / 3 - k / 2) / (8 * r * r);
  case 2:
    return m / (24 * r * r);
  case 3:
    return (m * m / (3 * k) - k / 4) / (8 * r * r);
  default:
    return k / (16 * r * r);
  }
}

// For m < 3k/2 contact A opens at gamma1 and B at gamma4; for m > 3k/2 B at gamma2 and A at gamma3.
static double locate(pc_report *report, int which, double m, double k, double r)
{
  boundary b = {report, m, k, r, which == 1 || which == 3 ? CONTACT_A : CONTACT_B};
  return pc_bisect(opening, &b, 0, 4 * (m + k) * (1 + m / k) / (r * r));
}

static void regions(pc_report *report)
{
  const char *quantity[] = {"gamma1 at m = 2: contact A opens", "gamma2 at m = 4: contact B opens",
                            "gamma3 at m = 4: contact A opens too",
                            "gamma4 at m = 2: contact B opens too"};
  for (int which = 1; which <= 4; which++) {
    double m = which == 1 || which == 4 ? 2 : 4;
    pc_report_published(report, pc_report_name(report, "gamma%d", which), quantity[which - 1],
                        gamma_of(which, m, 2, 1), locate(report, which, m, 2, 1), "kg/m^2", 1e-9,
                        "figure 4.2: k = 2, R = 1, theta = 0; nu located by bisection");
  }
  pc_random random;
  pc_random_seed(&random, 423);
  double worst = 0;
  for (int i = 0; i < 10; i++) {
    double k = pc_random_uniform(&random, 0.5, 4), r = pc_random_uniform(&random, 0.7, 2);
    double light = pc_random_uniform(&random, 0.8, 1.45) * k;
    double heavy = pc_random_uniform(&random, 1.55, 4) * k;
    for (int which = 1; which <= 4; which++) {
      double m = which == 1 || which == 4 ? light : heavy;
      worst = pc_worst(worst, fabs(locate(report, which, m, k, r) - gamma_of(which, m, k, r)));
    }
  }
  pc_report_derived(report, NULL, "largest error of gamma1 to gamma4 for 10 random (m, k, R)", 0,
                    worst, "kg/m^2", 1e-9,
                    "the printed formulas 4.23; nu located by bisection; seed 423");

  double k = 2;
  const char *note = "the four curves of 4.23 meet at m = 3k/2, nu = k/(16 R^2)";
  disks d = aligned(1.5 * k, k, 1, k / 16);
  outcome o = collide(report, &d);
  int active = 0;
  for (int c = 0; c < 2; c++)
    active += !(fabs(pc_setup_normal_after(&o.answer[c], o.normal[c])) < 1e-12) ||
              !(fabs(pc_setup_reaction(&o.answer[c], o.normal[c], k)) < 1e-11);
  pc_report_property(report, "meeting", "contacts that open or react at the meeting point", active,
                     note);
}

// velocities.

// Closed form of the four statuses for aligned disks without rotation, in terms of d12 = u1 - u2
// and d23 = u2 - u3 after.
static void aligned_oracle(const disks *d, double u[3])
{
  double m = d->mass, k = d->k, r = d->radius, nu = d->nu, far = 16 * r * r * nu, d12 = 0, d23 = 0;
  bool light = m <= 1.5 * k;
  bool a_opens = nu > gamma_of(light ? 1 : 3, m, k, r);
  bool b_opens = nu > gamma_of(light ? 4 : 2, m, k, r);
  if (a_opens && b_opens) {
    double sum = (m - k / 2 - far) / (m + k / 2 + far), gap = (m - 1.5 * k) / (m + 1.5 * k);
    d12 = (sum + gap) / 2;
    d23 = (sum - gap) / 2;
  } else if (a_opens) {
    d12 = (4 * m / 3 - k - far) / (4 * m / 3 + k + far);
  } else if (b_opens) {
    d23 = (1 - 3 * (k + 3 * far) / (4 * m + 3 * k + 3 * far)) / 2;
  }
  u[0] = (1 + 2 * d12 + d23) / 3;
  u[1] = (1 - d12 + d23) / 3;
  u[2] = (1 - d12 - 2 * d23) / 3;
}

static void velocity(pc_report *report)
{
  static const struct {
    const char *name;
    double m, nu;
  } rows[] = {{"a_opens", 1, 0.05},       {"both_open", 1, 0.2},       {"both_open_far", 1, 1},
              {"both_kept", 2, 0.02},     {"both_kept_heavy", 4, 0.1}, {"b_opens", 4, 0.2},
              {"both_open_heavy", 4, 0.4}};
  const char *quantity[] = {"U1+ along e1", "U2+ along e1", "U3+ along e1"};
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
    disks d = aligned(rows[i].m, 2, 1, rows[i].nu);
    outcome o = collide(report, &d);
    double u[3];
    aligned_oracle(&d, u);
    for (int b = 0; b < DISKS; b++)
      pc_report_derived(report, pc_report_name(report, "%s.u%d", rows[i].name, b + 1), quantity[b],
                        u[b], o.after[b][0], "m/s", 1e-12,
                        "closed form of the status that 4.23 gives; k = 2, R = 1, theta = 0");
  }
  pc_random random;
  pc_random_seed(&random, 42);
  int violations = 0;
  for (int i = 0; i < 400; i++) {
    double k = pc_random_uniform(&random, 0.2, 4), r = pc_random_uniform(&random, 0.5, 2);
    double m = pc_random_uniform(&random, 0.2, 4) * k;
    disks d = aligned(m, k, r, pc_random_uniform(&random, 0, 0.6) * m / (r * r));
    outcome o = collide(report, &d);
    double u[3];
    aligned_oracle(&d, u);
    for (int b = 0; b < DISKS; b++)
      violations += !(fabs(o.after[b][0] - u[b]) <= 1e-11) || !(fabs(o.after[b][1]) <= 1e-13);
  }
  pc_report_property(report, "all", "400 random (m, k, R, nu): velocities of the closed form",
                     violations, "seed 42");
}

static void limits(pc_report *report)
{
  static const struct {
    const char *name;
    double k, nu, u[3];
    const char *oracle;
  } rows[] = {
      {"cradle", 1e-10, 1e10, {0, 0, 1}, "Newton's cradle: closed form as k -> 0, nu -> infinity"},
      {"stiff", 1e10, 0.3, {-1 / 3., 2 / 3., 2 / 3.}, "closed form as k -> infinity"},
      {"soft", 1e-10, 0, {1 / 3., 1 / 3., 1 / 3.}, "closed form as k -> 0, nu -> 0"}};
  const char *quantity[] = {"U1+ along e1", "U2+ along e1", "U3+ along e1"};
  for (int i = 0; i < 3; i++) {
    disks d = aligned(1, rows[i].k, 1, rows[i].nu);
    outcome o = collide(report, &d);
    for (int b = 0; b < DISKS; b++)
      pc_report_derived(report, pc_report_name(report, "%s.u%d", rows[i].name, b + 1), quantity[b],
                        rows[i].u[b], o.after[b][0], "m/s", 1e-8, rows[i].oracle);
  }
  pc_random random;
  pc_random_seed(&random, 48);
  int apart = 0, together = 0;
  for (int i = 0; i < 200; i++) {
    double k = exp(pc_random_uniform(&random, -3, 3)), m = exp(pc_random_uniform(&random, -3, 3));
    disks d = aligned(m, k, exp(pc_random_uniform(&random, -1, 1)), 0);
    outcome o = collide(report, &d);
    apart += !(fabs(o.after[2][0] - o.after[1][0]) <= 1e-12);
    d.nu = 2 * fmax(gamma_of(2, m, k, d.radius), gamma_of(4, m, k, d.radius));
    o = collide(report, &d);
    together += !(o.after[2][0] - o.after[1][0] > 1e-9);
  }
  pc_report_property(report, "without_distance",
                     "nu = 0: disks 2 and 3, aligned and at rest, stay together", apart,
                     "4.8.1, irrespective of the other parameters: 200 random (m, k, R), seed 48");
  pc_report_property(report, "with_distance", "nu large enough: disks 2 and 3 part", together,
                     "4.8.1; the same 200, with nu twice gamma2 and gamma4");

  // 4.8.1: a small k keeps contacts very often, a large one in few situations. True of A; B opens
  // above gamma4, which grows with k.
  const double ks[] = {0.02, 0.2, 2, 20, 200};
  int last = 1000000, violations = 0;
  for (int i = 0; i < 5; i++) {
    int kept = 0;
    for (int a = 1; a <= 12; a++)
      for (int b = 0; b < 12; b++) {
        disks d = aligned(0.5 * a, ks[i], 1, 0.05 * b);
        outcome o = collide(report, &d);
        kept += pc_setup_normal_after(&o.answer[CONTACT_A], o.normal[CONTACT_A]) < 1e-10;
      }
    violations += !(kept <= last);
    last = kept;
  }
  violations += last != 0;
  pc_report_property(report, "contacts_kept", "contact A is kept less often as k grows, then never",
                     violations,
                     "4.8.1; 144 pairs (m, nu) for each of k = 0.02, 0.2, 2, 20, 200. Of contact B "
                     "it is not true: by 4.23 it is kept for every nu < k/(16 R^2) when m < 3k/2");
}

// figure 4.3.

static void figure(pc_report *report)
{
  static const struct {
    const char *name;
    double theta, inertia;
    double after[DISKS][3], energy;
  } rows[] = {{"aligned_half",
               0,
               0.5,
               {{-1 / 7., -0.253968254, 0.4920634921},
                {0.4, 0.2857142857, -0.4444444444},
                {26 / 35., -0.0317460317, 0.0634920635}},
               0.5506147644},
              {"square_half",
               1.5707963267948966,
               0.5,
               {{0.1712408195, -0.5040587553, -0.0081175106},
                {0.478546579, 0.1368380363, -0.3076923077},
                {0.3502126015, 0.367220719, 0.7004252029}},
               0.5406490019},
              {"aligned_one",
               0,
               1,
               {{-1 / 7., -1 / 3., 2 / 3.}, {0.4, 1 / 3., -1 / 3.}, {26 / 35., 0, 0}},
               0.7550113379},
              {"square_one",
               1.5707963267948966,
               1,
               {{0.0839002268, -0.6893424036, 0.3106575964},
                {0.4489795918, 0.2176870748, -0.2222222222},
                {0.4671201814, 0.4716553288, 0.4671201814}},
               0.7679773345}};
  const char *part[] = {"ux", "uy", "spin"}, *unit[] = {"m/s", "m/s", "rad/s"};
  const char *quantity[] = {"U+ along e1", "U+ along e2", "angular velocity after"};
  outcome o[4];
  for (int i = 0; i < 4; i++) {
    disks d = {.mass = 1,
               .inertia = rows[i].inertia,
               .radius = 1,
               .theta = rows[i].theta,
               .k = 1,
               .nu = 1,
               .before = {{1, 0, 1}}};
    o[i] = collide(report, &d);
    for (int b = 0; b < DISKS; b++)
      for (int j = 0; j < 3; j++)
        pc_report_derived(report,
                          pc_report_name(report, "%s.disk%d_%s", rows[i].name, b + 1, part[j]),
                          quantity[j], rows[i].after[b][j], o[i].after[b][j], unit[j], 1e-9,
                          "enumeration of contact statuses; I is not printed, the name says which");
    pc_report_derived(report, pc_report_name(report, "%s.energy", rows[i].name),
                      "kinetic energy after", rows[i].energy, o[i].audit.kinetic_after, "J", 1e-9,
                      "enumeration of contact statuses; I is not printed, the name says which");
  }

  // 4.8.2, the claims.
  int still = 0;
  for (int b = 1; b < DISKS; b++)
    still += !(fabs(o[0].after[b][1]) > 1e-6) + !(fabs(o[0].after[b][2]) > 1e-6);
  pc_report_property(report, "claim.transverse",
                     "theta = 0: disks 2 and 3 get a velocity along e2 and an angular velocity",
                     still, "4.8.2, with I = m R^2/2, for which it holds");
  pc_report_derived(report, "claim.inertia", "disk 3, theta = 0, I = m R^2: |U_y| + R |Omega|", 0,
                    fabs(o[2].after[2][1]) + fabs(o[2].after[2][2]), "m/s", 1e-12,
                    "disk 2 rolls between 1 and 3 when I = m R^2, so the claim of 4.8.2 needs "
                    "another I; it is not printed");
  int open = 0, narrow = 0;
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < 2; c++)
      open += !(pc_setup_normal_after(&o[i].answer[c], o[i].normal[c]) > 1e-9);
  pc_report_property(report, "claim.apart", "contacts that do not open in figure 4.3", open,
                     "both theta, I = m R^2/2 and m R^2");
  for (int i = 0; i < 4; i += 2) {
    double spread[2] = {0};
    for (int b = 0; b < DISKS; b++)
      for (int j = 0; j < 2; j++)
        spread[j] += fabs(o[i + j].after[b][1]);
    narrow += !(spread[1] > spread[0]);
  }
  pc_report_property(report, "claim.dispersion",
                     "theta = pi/2 scatters more along e2 than theta = 0", narrow,
                     "4.8.2; sum of |U_y+|, I = m R^2/2 and m R^2");
}

// identities and conservation.

static void properties(pc_report *report)
{
  pc_random random;
  pc_random_seed(&random, 415);
  double spins = 0, distance = 0, momentum = 0, turning = 0, scaling = 0;
  int negative = 0, books = 0;
  for (int n = 0; n < 200; n++) {
    disks d = {.mass = exp(pc_random_uniform(&random, -1, 1)),
               .radius = exp(pc_random_uniform(&random, -1, 1)),
               .theta = pc_random_uniform(&random, -2, 2),
               .k = exp(pc_random_uniform(&random, -2, 2)),
               .nu = exp(pc_random_uniform(&random, -2, 2)),
               .k_spin = pc_random_uniform(&random, 0, 2),
               .nu_spin = pc_random_uniform(&random, 0, 2)};
    d.inertia = d.mass * d.radius * d.radius * pc_random_uniform(&random, 0.3, 1);
    double c = cos(d.theta), s = sin(d.theta);
    do { // both contacts approach, as the second law asks
      for (int b = 0; b < DISKS; b++)
        for (int j = 0; j < 3; j++)
          d.before[b][j] = pc_random_normal(&random);
    } while (d.before[0][0] < d.before[1][0] ||
             (d.before[1][0] - d.before[2][0]) * c + (d.before[1][1] - d.before[2][1]) * s < 0);
    outcome o = collide(report, &d);
    const pc_interaction_answer *a = o.answer;
    double sum = a[SPIN_12].deformation[0] + a[SPIN_23].deformation[0] + a[SPIN_31].deformation[0];
    spins = pc_worst(spins, fabs(sum));
    double far = a[DISTANCE].deformation[0], size = 0;
    for (int j = 0; j < 2; j++) {
      double term = 2 * (a[CONTACT_A].deformation[j] + a[CONTACT_B].deformation[j]) * o.ba[j];
      far -= term;
      size += fabs(term);
    }
    distance = pc_worst(distance, fabs(far) / (1 + size));
    double p[3] = {0}, scale = 0, total = 0, before = 0, after = 0;
    for (int b = 0; b < DISKS; b++) {
      double jump[3];
      for (int j = 0; j < 3; j++) {
        double m = j == 2 ? d.inertia : d.mass;
        jump[j] = m * (o.after[b][j] - d.before[b][j]);
        before += m * d.before[b][j] * d.before[b][j] / 2;
        after += m * o.after[b][j] * o.after[b][j] / 2;
      }
      p[0] += jump[0];
      p[1] += jump[1];
      p[2] += jump[2] + o.position[b][0] * jump[1] - o.position[b][1] * jump[0];
      scale += fabs(jump[0]) + fabs(jump[1]) + fabs(jump[2]);
    }
    momentum = pc_worst(momentum, hypot(p[0], p[1]) / scale);
    turning = pc_worst(turning, fabs(p[2]) / (scale * (1 + 4 * d.radius)));
    for (int k = 0; k < INTERACTIONS; k++) {
      negative += !(a[k].dissipated >= -1e-13 * before);
      total += a[k].dissipated;
    }
    books += !(fabs(before - after - total) <= 1e-11 * before);
    disks twice = d;
    for (int b = 0; b < DISKS; b++)
      for (int j = 0; j < 3; j++)
        twice.before[b][j] *= 2;
    outcome o2 = collide(report, &twice);
    for (int b = 0; b < DISKS; b++)
      for (int j = 0; j < 3; j++)
        scaling = pc_worst(scaling, fabs(o2.after[b][j] - 2 * o.after[b][j]));
  }
  const char *note = "200 random collisions with every interaction, seed 415";
  pc_report_published(report, "spins", "largest |D12 + D23 + D31| of the spins (4.14)", 0, spins,
                      "rad/s", 1e-12, note);
  pc_report_published(report, "distance", "largest |D13 - 2 (D12 + D23).BA|, relative (4.15)", 0,
                      distance, "1", 1e-12, note);
  pc_report_published(report, "momentum", "change of momentum, relative (4.20)", 0, momentum, "1",
                      1e-12, note);
  pc_report_published(report, "angular_momentum", "change of angular momentum, relative (4.20)", 0,
                      turning, "1", 1e-12, note);
  pc_report_property(report, "dissipation", "interactions that return energy", negative,
                     "each P.D, M D13 and C D is >= 0 when the contacts approach; same collisions");
  pc_report_property(report, "energy", "collisions whose lost energy is not the sum of those terms",
                     books, "4.18 with I/2 for the printed I; same collisions");
  pc_report_derived(report, "homogeneous", "largest |U+(2 U-) - 2 U+(U-)|", 0, scaling, "m/s",
                    1e-11, "linear laws and a cone are positively homogeneous; same collisions");
}

#define BOOK "Frémond, Collisions Engineering (2017), "

const pc_case pc_cases_fremond_disks[] = {
    {"fremond.disks.regions", BOOK "4.8.1, eq. 4.23 and figure 4.2", false, regions},
    {"fremond.disks.velocity", BOOK "4.8.1", false, velocity},
    {"fremond.disks.limits", BOOK "4.8.1", false, limits},
    {"fremond.disks.figure_4_3", BOOK "4.8.2, figure 4.3", false, figure},
    {"fremond.disks.identities", BOOK "4.3 to 4.7", false, properties},
    {0},
};
