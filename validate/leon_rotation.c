// León's thesis, section 3.2: rotation without torque. The thesis prints formulas, inputs and
// curves but no numbers: what is expected here is integrated by another method (extrapolated
// midpoint rule in long double), follows from first integrals and complete elliptic integrals, or
// was worked out from the formulas, with both branches, by an independent program.
#include <math.h>
#include <string.h>

#include "percuss/rotation.h"
#include "setup.h"
#include "top.h"

static void quaternion_matrix(const double q[4], double m[3][3])
{
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double out[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(m, out, sizeof out);
}

// K(m), the complete elliptic integral of the first kind, by the arithmetic-geometric mean.
static double complete_elliptic(double m)
{
  double a = 1, b = sqrt(1 - m);
  while (fabs(a - b) > 1e-15 * a) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return acos(-1) / (a + b);
}

typedef struct oracle {
  long double inertia[3], y[7]; // y: spin in the body, quaternion
} oracle;

static oracle integrate(const double inertia[3], const double spin[3], double time, double step)
{
  oracle o = {.y = {spin[0], spin[1], spin[2], 1}};
  for (int i = 0; i < 3; i++)
    o.inertia[i] = inertia[i];
  int steps = (int)ceil(fabs(time) / step);
  for (int s = 0; s < steps; s++)
    pc_top_step(o.inertia, o.y, (long double)time / steps);
  return o;
}

// Largest distance of the images of the axes, in radians as it is small.
static double attitude_error(const double q[4], const long double want[4])
{
  double a[3][3], b[3][3], p[4], worst = 0, square = 0;
  for (int i = 0; i < 4; i++) {
    p[i] = (double)want[i];
    square += p[i] * p[i];
  }
  for (int i = 0; i < 4; i++)
    p[i] /= sqrt(square);
  quaternion_matrix(q, a);
  quaternion_matrix(p, b);
  for (int i = 0; i < 9; i++)
    worst = pc_worst(worst, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
  return worst;
}

static const double box[3] = {5, 10, 12};

// E1: eight cases of signs, table 3.4.

static void signs(pc_report *report)
{
  // Of cases A and B; the others by symmetry.
  static const double golden[2][5][3] = {{{-6.077236573, -6.092420895, 6.436614370},
                                          {5.017387968, -7.595734425, 5.401984784},
                                          {-0.506501512, 10.064842194, 1.795986202},
                                          {-2.878929321, -9.340534805, 3.404689480},
                                          {7.594804567, -0.898972351, 7.939947550}},
                                         {{2.117228334, -9.690477404, -2.761841139},
                                          {-7.495860387, 1.849631002, -7.841391441},
                                          {3.177126989, 9.169801643, -3.670566473},
                                          {0.343687174, -10.076868982, -1.755384833},
                                          {-4.646278966, 7.998197334, -5.044376843}}};
  static const struct {
    char name;
    int family;
    double sign[3], change[3]; // of w(0), of the golden values
  } cases[] = {{'a', 0, {1, 1, 1}, {1, 1, 1}},     {'b', 1, {1, 1, -1}, {1, 1, 1}},
               {'c', 1, {1, -1, 1}, {1, -1, -1}},  {'d', 1, {-1, 1, 1}, {-1, 1, -1}},
               {'e', 0, {1, -1, -1}, {1, -1, -1}}, {'f', 0, {-1, 1, -1}, {-1, 1, -1}},
               {'g', 0, {-1, -1, 1}, {-1, -1, 1}}, {'h', 1, {-1, -1, -1}, {-1, -1, 1}}};
  for (int n = 0; n < 8; n++) {
    const double spin[3] = {cases[n].sign[0], 10 * cases[n].sign[1], 2 * cases[n].sign[2]};
    double worst = 0;
    for (int t = 1; t <= 5; t++) {
      double after[3];
      pc_rotation_spin(box, spin, t, after);
      oracle o = integrate(box, spin, t, 0.01);
      for (int i = 0; i < 3; i++) {
        worst = pc_worst(worst, fabs(after[i] - (double)o.y[i]));
        pc_report_derived(
            report, pc_report_name(report, "case_%c.t%d.w%d", cases[n].name, t, i + 1),
            "spin about a principal axis, I = (5, 10, 12), |w(0)| = (1, 10, 2)",
            cases[n].change[i] * golden[cases[n].family][t - 1][i], after[i], "rad/s", 1e-9,
            "(3.115) with the branch of c1 <= 0, by an independent program; signs by "
            "symmetry; signs of w(0) as in table 3.4; thesis prints curves");
      }
    }
    pc_report_derived(report, pc_report_name(report, "case_%c.integrated", cases[n].name),
                      "largest difference of the spin at t = 1 .. 5", 0, worst, "rad/s", 1e-12,
                      "extrapolated midpoint rule of order 18 in long double");
  }
}

// What the formulas have inside, found from the curves alone: half the time between two rises of
// w_2 through zero is 2 K eta.

static double component(double time, void *context)
{
  const double(*top)[3] = context; // inertia, spin
  double after[3];
  pc_rotation_spin(top[0], top[1], time, after);
  return after[1];
}

static double rise(const double top[2][3], double from)
{
  double step = 0.02, t = from;
  while (!(component(t, (void *)top) < 0 && component(t + step, (void *)top) >= 0))
    t += step;
  return pc_bisect(component, (void *)top, t, t + step);
}

static void periods(pc_report *report)
{
  static const struct {
    const char *name;
    double top[2][3], period, t0;
  } rows[] = {
      {"branch_b", {{5, 10, 12}, {1, 10, 2}}, 2.7908891284, 0.5605917838},
      {"van_zon", {{10, 20, 26}, {1, 15, 1}}, 2.3471129929, 0.4343891606},
      {"branch_a", {{5, 10, 12}, {3, 4, 1}}, 3.3133753821, NAN},
  };
  for (int n = 0; n < 3; n++) {
    const double(*top)[3] = rows[n].top;
    const double *in = top[0], *w = top[1];
    double first = rise(top, 0), second = rise(top, first + 0.1);
    pc_report_derived(report, pc_report_name(report, "%s.period", rows[n].name),
                      "time between two rises of w_2 through zero", rows[n].period, second - first,
                      "s", 2e-10, "4 K(k^2) eta, section 3.2.3, by an independent program");
    // k^2 and eta from first integrals, with energy and momentum as Leon has them.
    double p = 2 * (in[1] - in[2]) / in[0], q = 2 * (in[2] - in[0]) / in[1],
           r = 2 * (in[0] - in[1]) / in[2];
    double ad = (q * w[0] * w[0] - p * w[1] * w[1]) / 2 * -r / 2;
    double bc = -p / 2 * (-r * w[1] * w[1] + q * w[2] * w[2]) / 2;
    double k2 = fmin(ad, bc) / fmax(ad, bc), eta = 1 / sqrt(fmax(ad, bc));
    pc_report_derived(report, pc_report_name(report, "%s.period_k", rows[n].name),
                      "time between two rises of w_2 through zero", 4 * eta * complete_elliptic(k2),
                      second - first, "s", 1e-11, "4 K(k^2) eta by the arithmetic-geometric mean");
    if (!isnan(rows[n].t0))
      pc_report_derived(report, pc_report_name(report, "%s.rise", rows[n].name),
                        "time since w_2 rose through zero", rows[n].t0, second - first - first, "s",
                        2e-10, "t0 of (3.118), by an independent program; after one period");
  }
}

// E2, E3, E3b.

static void report_spin(pc_report *report, const char *name, const double inertia[3],
                        const double spin[3], double time, const double want[3], double tolerance,
                        const char *oracle_note)
{
  double after[3];
  pc_rotation_spin(inertia, spin, time, after);
  for (int i = 0; i < 3; i++)
    pc_report_derived(report, pc_report_name(report, "%s.t%g.w%d", name, time, i + 1),
                      "spin about a principal axis", want[i], after[i], "rad/s", tolerance,
                      oracle_note);
}

static void other_tops(pc_report *report)
{
  static const double van_zon[3] = {10, 20, 26}, fast[3] = {1, 15, 1}, slow[3] = {3, 4, 1};
  static const struct {
    double time, spin[3];
  } golden[] = {{0.5, {-4.451701002, 14.138946599, 3.614220650}},
                {1, {-3.828166746, -14.380317074, 3.122997885}},
                {2, {10.799664172, 8.415640500, 8.667384569}},
                {5, {-1.008988133, 14.999197443, 1.005770865}},
                {10, {-8.932978148, 10.951523572, 7.177158328}}},
    branch_a[] = {{1, {4.254153537, 0.280732867, -3.236803709}},
                  {5, {2.955364641, -4.057731474, -0.850355418}}};
  for (int n = 0; n < 5; n++)
    report_spin(report, "van_zon", van_zon, fast, golden[n].time, golden[n].spin, 1e-9,
                "I = (10, 20, 26), w(0) = (1, 15, 1), figures 3.7 and 3.8; by an independent "
                "program");
  for (int n = 0; n < 2; n++)
    report_spin(report, "branch_a", box, slow, branch_a[n].time, branch_a[n].spin, 1e-9,
                "I = (5, 10, 12), w(0) = (3, 4, 1), where c1 > 0; by an independent program");

  // Two equal inertias: trigonometric, (3.121).
  static const double flat[3] = {5, 10, 10}, slender[3] = {5, 5, 12}, spin[3] = {1, 10, 2};
  for (int t = 1; t <= 5; t += 4) {
    double a = 0.5 * t, b = 1.4 * 2 * t; // (I33 - I11)/I22 w1; (I33 - I11)/I11 w3
    report_spin(report, "equal_23", flat, spin, t,
                (const double[]){1, 10 * cos(a) + 2 * sin(a), 2 * cos(a) - 10 * sin(a)}, 1e-13,
                "I = (5, 10, 10): w2 + i w3 turns at 1/2 rad/s, so eta = 2 s");
    report_spin(report, "equal_12", slender, spin, t,
                (const double[]){cos(b) - 10 * sin(b), 10 * cos(b) + sin(b), 2}, 1e-13,
                "I = (5, 5, 12): w1 + i w2 turns at 2.8 rad/s, so eta = 0.357142857 s");
  }
}

// The separatrix: 2 E I_22 = |H|^2, which page 95 takes for impossible. k^2 = 1, (3.122).

static void separatrix(pc_report *report)
{
  double w3 = sqrt(5 / 4.8), gamma1 = 1 + 0.8 / 1.4 * 100, gamma3 = w3 * w3 + 5 / 8.4 * 100;
  double gamma2 = 100 + 1.4 / 0.8, eta = 1 / sqrt(0.4 * (5 / 6. * 100 + 1.4 * w3 * w3) / 2);
  double t0 = eta * atanh(10 / sqrt(gamma2));
  const double spin[3] = {1, 10, w3};
  static const double times[] = {0.25, 1, 2, -0.5, -1, -2};
  // Rounding of w3 lets the body leave the axis it comes to rest on, like exp(t / eta).
  for (int n = 0; n < 6; n++) {
    double u = (times[n] + t0) / eta, sech = 1 / cosh(u), after[3], worst = 0;
    const double want[3] = {sqrt(gamma1) * sech, sqrt(gamma2) * tanh(u), sqrt(gamma3) * sech};
    pc_rotation_spin(box, spin, times[n], after);
    for (int i = 0; i < 3; i++)
      worst = pc_worst(worst, fabs(after[i] - want[i]));
    pc_report_derived(report,
                      pc_report_name(report, "separatrix.%s_%gs", times[n] < 0 ? "before" : "after",
                                     fabs(times[n])),
                      "largest error of the spin on the separatrix", 0, worst, "rad/s", 1e-10,
                      "tanh and sech, (3.122); p. 95 calls k^2 = 1 impossible");
  }
  const double rest[3] = {0, 10, 0};
  double after[3];
  pc_rotation_spin(box, rest, 1000, after);
  pc_report_derived(
      report, "separatrix.axis", "change of a spin about the middle axis after 1000 s", 0,
      fabs(after[0]) + fabs(after[1] - 10) + fabs(after[2]), "rad/s", 0, "w' = 0 there");
}

// The comparison of the thesis: forward Euler with steps of 1e-3 s, algorithm 5 with its indices
// put right.

static void forward_euler(pc_report *report)
{
  static const double expected[2][3] = {{0.1097, 0.2160, 0.0988}, {0.1205, 0.2188, 0.1105}};
  for (int family = 0; family < 2; family++) {
    const double start[3] = {1, 10, family == 0 ? 2 : -2};
    double w[3] = {start[0], start[1], start[2]}, worst[3] = {0}, h = 1e-3;
    double energy[2], momentum[2];
    for (int n = 0; n <= 5000; n++) {
      double exact[3];
      pc_rotation_spin(box, start, n * h, exact);
      for (int i = 0; i < 3; i++)
        worst[i] = pc_worst(worst[i], fabs(w[i] - exact[i]));
      if (n == 0 || n == 5000) {
        energy[n > 0] = momentum[n > 0] = 0;
        for (int i = 0; i < 3; i++) {
          energy[n > 0] += box[i] * w[i] * w[i] / 2;
          momentum[n > 0] += pow(box[i] * w[i], 2);
        }
      }
      double next[3];
      for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        next[i] = w[i] + h * (box[j] - box[k]) / box[i] * w[j] * w[k];
      }
      memcpy(w, next, sizeof w);
    }
    const char *name = family == 0 ? "euler.a" : "euler.b";
    for (int i = 0; i < 3; i++)
      pc_report_derived(report, pc_report_name(report, "%s.w%d", name, i + 1),
                        "largest error of forward Euler over 5 s, h = 1e-3 s", expected[family][i],
                        worst[i], "rad/s", 5.1e-5,
                        "forward Euler less Runge-Kutta of order 4, by an independent program to 4 "
                        "decimals; in figures 3.3 and 3.4 the curves coincide");
    if (family == 0) {
      pc_report_derived(report, "euler.energy", "energy gained by forward Euler over 5 s", 2.85,
                        100 * (energy[1] / energy[0] - 1), "%", 5.1e-3,
                        "by an independent program; E = 526.5 J at the start");
      pc_report_derived(report, "euler.momentum", "|H| gained by forward Euler over 5 s", 1.39,
                        100 * (sqrt(momentum[1] / momentum[0]) - 1), "%", 5.1e-3,
                        "by an independent program; |H| = 102.961158 at the start");
    }
  }
}

// Attitude, which the thesis leaves to a routine it does not print.

static void attitude(pc_report *report)
{
  static const struct {
    const char *name;
    double inertia[3], spin[3];
    int end;
  } tops[] = {{"branch_b", {5, 10, 12}, {1, 10, 2}, 5},
              {"branch_a", {5, 10, 12}, {3, 4, 1}, 5},
              {"van_zon", {10, 20, 26}, {1, 15, 1}, 5},
              {"odd_order", {10, 5, 12}, {10, -1, 2}, 5},
              // Round-off leaves the unstable axis like exp(t / 0.24 s): later nobody knows.
              {"separatrix", {5, 10, 12}, {1, 10, 1.0206207261596576}, 1},
              {"equal_23", {5, 10, 10}, {1, 10, 2}, 5},
              {"nearly_equal", {5, 10, 10.000001}, {1, 10, 2}, 5}};
  for (int n = 0; n < 7; n++) {
    double worst = 0, many = 0;
    for (int t = 1; t <= tops[n].end; t++) {
      double q[4] = {1, 0, 0, 0}, spin[3], q_steps[4] = {1, 0, 0, 0}, spin_steps[3];
      memcpy(spin, tops[n].spin, sizeof spin);
      memcpy(spin_steps, spin, sizeof spin);
      oracle o = integrate(tops[n].inertia, spin, t, 0.01);
      pc_rotation_advance(tops[n].inertia, q, spin, t);
      for (int s = 0; s < 1000 * t; s++)
        pc_rotation_advance(tops[n].inertia, q_steps, spin_steps, 1e-3);
      worst = pc_worst(worst, attitude_error(q, o.y + 3));
      many = pc_worst(many, attitude_error(q_steps, o.y + 3));
    }
    pc_report_derived(report, pc_report_name(report, "attitude.%s", tops[n].name),
                      "largest error of the attitude at t = 1 .. 5 s (separatrix: 1 s), one step",
                      0, worst, "rad", 1e-12,
                      "extrapolated midpoint rule of order 18 in long double");
    pc_report_derived(report, pc_report_name(report, "attitude.%s.steps", tops[n].name),
                      "largest error of the attitude at t = 1 .. 5 s, steps of 1e-3 s", 0, many,
                      "rad", 2e-11,
                      "extrapolated midpoint rule of order 18 in long double; 5000 rounded steps");
  }
}

// 1e5 periods. Over a period T the spin in the body returns and the attitude turns about H by one
// angle, so that 2^17 periods come from one by squaring. Digits lost are those of the phase:
// round-off times the number of radians.
static void long_time(pc_report *report)
{
  enum { DOUBLINGS = 17 };
  const double start[3] = {1, 10, 2}, r = 5 / 6.;
  double eta2 = 1 / (0.4 * (r * 100 + 1.4 * 4) / 2), ad = (1.4 + 0.8 * 100) / 2 * r / 2;
  double period = 4 * sqrt(eta2) * complete_elliptic(ad * eta2), turns = 1 << DOUBLINGS;
  oracle o = integrate(box, start, period, 0.01);
  long double q[4] = {o.y[3], o.y[4], o.y[5], o.y[6]};
  for (int n = 0; n < DOUBLINGS; n++) {
    long double w = q[0];
    for (int i = 1; i < 4; i++)
      q[i] *= 2 * w;
    q[0] = 2 * w * w - 1;
    long double size = sqrtl(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
      q[i] /= size;
  }
  double attitude_now[4] = {1, 0, 0, 0}, spin[3], after[3], worst = 0;
  memcpy(spin, start, sizeof spin);
  pc_rotation_spin(box, start, period * turns, after);
  pc_rotation_advance(box, attitude_now, spin, period * turns);
  for (int i = 0; i < 3; i++)
    worst = pc_worst(worst, fabs(after[i] - start[i]));
  pc_report_derived(report, "long.spin", "change of the spin after 131072 periods", 0, worst,
                    "rad/s", 2e-9, "4 K eta; 4e6 rad of phase at 1e-15 each, |w'| = 30 rad/s^2");
  pc_report_derived(report, "long.attitude", "error of the attitude after 131072 periods", 0,
                    attitude_error(attitude_now, q), "rad", 2e-9,
                    "the attitude of one period, integrated in long double, squared 17 times; "
                    "4e6 rad at 1e-15 each");
}

// E4: a box in free flight. Its centre does not know how it turns; its corners do.

// The corner `which` of a box of 1 x 2 x 3 m about `centre`, turned by a matrix.
static void corner_of(const double m[3][3], const double centre[3], int which, double out[3])
{
  const double half[3] = {which & 1 ? 0.5 : -0.5, which & 2 ? 1 : -1, which & 4 ? 1.5 : -1.5};
  for (int i = 0; i < 3; i++)
    out[i] = centre[i] + m[i][0] * half[0] + m[i][1] * half[1] + m[i][2] * half[2];
}

static void flight(pc_report *report)
{
  const double inertia[3] = {13 / 12., 10 / 12., 5 / 12.}, start[3] = {0.5, 3, 0.2}, h = 1e-2;
  const double size = sqrt(start[0] * start[0] + start[1] * start[1] + start[2] * start[2]);
  double q[4] = {1, 0, 0, 0}, spin[3];
  double centre[3] = {0}, velocity[3] = {2, 0, 5}, apart = 0, off = 0, change = 0;
  memcpy(spin, start, sizeof spin);
  for (int n = 0; n < 300; n++) {
    pc_rotation_advance(inertia, q, spin, h);
    for (int i = 0; i < 3; i++)
      centre[i] += h * velocity[i];
    velocity[2] -= 9.81 * h;
    double half = (n + 1) * h * size / 2, m[3][3], constant[3][3], mean[3] = {0};
    quaternion_matrix(q, m);
    quaternion_matrix((const double[]){cos(half), sin(half) * start[0] / size,
                                       sin(half) * start[1] / size, sin(half) * start[2] / size},
                      constant);
    for (int which = 0; which < 8; which++) {
      double a[3], b[3];
      corner_of(m, centre, which, a);
      corner_of(constant, centre, which, b);
      for (int i = 0; i < 3; i++) {
        mean[i] += (a[i] - b[i]) / 8;
        apart = fmax(apart, fabs(a[i] - b[i]));
      }
    }
    double w[3]; // angular momentum, in the axes of the body
    for (int i = 0; i < 3; i++)
      w[i] = inertia[i] * (m[0][i] * spin[0] + m[1][i] * spin[1] + m[2][i] * spin[2]);
    for (int i = 0; i < 3; i++) {
      double momentum = m[i][0] * w[0] + m[i][1] * w[1] + m[i][2] * w[2];
      off = pc_worst(off, fabs(mean[i]));
      change = pc_worst(change, fabs(momentum - inertia[i] * start[i]));
    }
  }
  const char *note =
      "figures 3.5 and 3.6 give no sizes; box of 1 x 2 x 3 m, w = (0.5, 3, 0.2), 3 s";
  pc_report_derived(report, "flight.centre", "distance of the centres, exact and constant spin", 0,
                    off, "m", 1e-13, note);
  pc_report_property(report, "flight.corner", "corners keep the path of a constant spin to 0.5 m",
                     !(apart > 0.5), note);
  pc_report_derived(report, "flight.momentum", "change of the angular momentum over 300 steps", 0,
                    change, "kg m^2/s", 1e-13, "no torque");
}

static void rotation(pc_report *report)
{
  signs(report);
  periods(report);
  other_tops(report);
  separatrix(report);
  forward_euler(report);
  attitude(report);
  long_time(report);
  flight(report);
}

const pc_case pc_cases_leon_rotation[] = {
    {"leon.rotation", "León, thesis (2016), section 3.2", false, rotation},
    {0},
};
