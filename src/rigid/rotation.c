// Free rotation of a rigid body.
//
// The angular momentum L is constant in world axes, so in body axes it runs along the curve where
// the sphere of its length meets the ellipsoid of its energy, around the axis of the smallest or of
// the largest inertia. Let e be that axis, c the other of these two and 2 the one between them, and
// p_i = |I_j - I_k| / I_i. Then (Leon's thesis, 3.115 and 3.116, in one)
//     w_e = +-sqrt(g_e) dn u,  w_c = sqrt(g_c) cn u,  w_2 = +-sqrt(g_2) sn u,   u = u_0 + rate t,
//     g_e = w_e^2 + p_e/p_2 w_2^2,  g_c = w_c^2 + p_c/p_2 w_2^2,  g_2 = w_2^2 + p_2/p_c w_c^2,
//     rate^2 = p_2 p_c g_e,   1 - m = p_2 (p_c w_e^2 - p_e w_c^2) / rate^2.
// All but 1 - m are sums of positive terms. 1 - m vanishes on the separatrix.
//
// For the attitude let N(L) be the turn that takes L to the third axis and e x L to the first one.
// The attitude, seen from a frame whose third axis is L, is a turn by phi about L after N, with
//     phi' = |L| (I_2 w_2^2 + I_c w_c^2) / (L_2^2 + L_c^2)
//          = |L|/I_c + |L| (1/I_2 - 1/I_c) r sn^2 / (cn^2 + r sn^2),   r = I_2 |I_c - I_e| / (I_c
//          |I_2 - I_e|),
// and the integral of sn^2 / (cn^2 + r sn^2) over u is sn^3 R_J(cn^2, dn^2, 1, cn^2 + r sn^2) / 3.
//
// Steps of a simulation are short. The same solution is then summed as its Taylor series to
// round-off, which is faster and does not take differences of long integrals.
#include "rigid/rotation.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/elementary.h"
#include "core/elliptic.h"
#include "core/small.h"
#include "geometry/pose.h"

enum { MOST_TERMS = 24, MOST_PIECES = 32 };

// Turns in a step, times the largest factor of Euler's equations, below which the series is taken.
static const double SHORT = 0.2;
// Advance along the curve, in the argument of Jacobi's functions, that is little.
static const double SLOW = 0.3;

// A bound of how far anything turns, of the body and of its spin within the body.
static double reach(const double factor[3], const double w[3], double time)
{
  double most = 1;
  for (int i = 0; i < 3; i++)
    most = fabs(factor[i]) > most ? fabs(factor[i]) : most;
  return sqrt(pc_dot3(w, w)) * fabs(time) * most;
}

// Four numbers that are worked on at once, each by itself: the same bits whatever the processor.
typedef double four __attribute__((vector_size(32)));
typedef int64_t four_masks __attribute__((vector_size(32)));
#define INLINE static inline __attribute__((always_inline))

// Several bodies at once, each in its own lane of vectors: the same bits in any lane, whatever is
// in the others. No function returns a vector: not all processors have registers for them.
#define LANE_SIZE(x) ((four)((four_masks)(x)&INT64_MAX))
#define LANE_CHOOSE(which, a, b)                                                                   \
  ((four)(((which) & (four_masks)(a)) | (~(which) & (four_masks)(b))))
#define LANE_LARGER(a, b) LANE_CHOOSE((a) > (b), a, b)

INLINE bool any_lane(const four_masks *which)
{
  return ((*which)[0] | (*which)[1] | (*which)[2] | (*which)[3]) != 0;
}

// The Taylor series of the quaternion of q' = q w / 2, q(0) = 1, and unless `change` is NULL that
// of w(time) - w(0), with w_i' = factor_i w_j w_k. Each term is below `ratio` times the last one or
// its square times the last but one. Lanes that are not `wanted` do not count.
INLINE void lane_series(const four factor[3], const four before[3], double time, const four *ratio,
                        const four_masks *wanted, four turn[4], four change[3])
{
  four w[MOST_TERMS][3], q[MOST_TERMS][4], term[3] = {before[0], before[1], before[2]};
  const four none = {0};
  four scale = LANE_LARGER(LANE_SIZE(before[0]), LANE_SIZE(before[1]));
  scale = LANE_LARGER(scale, LANE_SIZE(before[2]));
  four small_w = 0x1p-57 * scale, small_q = small_w * fabs(time), last_w = scale, last_q = none + 1;
  four_masks open = *wanted;
  for (int i = 0; i < 4; i++)
    turn[i] = none;
  for (int i = 0; i < 3 && change != NULL; i++)
    change[i] = none;
  for (int n = 1; n < MOST_TERMS && any_lane(&open); n++) {
    four sum[3] = {none, none, none}, next[4] = {none, term[0], term[1], term[2]};
    double h = time / n;
    for (int i = 0; i < 3; i++)
      w[n - 1][i] = term[i];
    for (int k = 1; k < n; k++) {
      const four *x = q[k], *a = w[n - 1 - k];
      next[0] -= x[1] * a[0] + x[2] * a[1] + x[3] * a[2];
      next[1] += x[0] * a[0] - x[3] * a[1] + x[2] * a[2];
      next[2] += x[3] * a[0] + x[0] * a[1] - x[1] * a[2];
      next[3] += x[1] * a[1] - x[2] * a[0] + x[0] * a[2];
    }
    for (int k = 0; k < n; k++) {
      const four *x = w[k], *y = w[n - 1 - k];
      sum[0] += x[1] * y[2];
      sum[1] += x[2] * y[0];
      sum[2] += x[0] * y[1];
    }
    four most_w = none, most_q = none;
    for (int i = 0; i < 3; i++) {
      term[i] = h * factor[i] * sum[i];
      if (change != NULL)
        change[i] += (four)((four_masks)term[i] & open);
      most_w = LANE_LARGER(LANE_SIZE(term[i]), most_w);
    }
    for (int i = 0; i < 4; i++) {
      next[i] *= 0.5 * h;
      q[n][i] = next[i];
      turn[i] += (four)((four_masks)next[i] & open);
      most_q = LANE_LARGER(LANE_SIZE(next[i]), most_q);
    }
    last_w = LANE_LARGER(most_w, *ratio * last_w);
    last_q = LANE_LARGER(most_q, *ratio * last_q);
    open &= ~((*ratio * last_w <= small_w) & (*ratio * last_q <= small_q));
    last_w = most_w;
    last_q = most_q;
  }
  turn[0] += 1;
}

// One body, in all lanes.
static void short_rotation(const double factor[3], const double before[3], double time,
                           double ratio, double after[3], double turn[4])
{
  const four none = {0}, ratios = none + ratio;
  const four_masks all = none == none;
  four factors[3], start[3], turns[4], change[3];
  for (int i = 0; i < 3; i++) {
    factors[i] = none + factor[i];
    start[i] = none + before[i];
  }
  lane_series(factors, start, time, &ratios, &all, turns, change);
  for (int i = 0; i < 3; i++)
    after[i] = before[i] + change[i][0];
  for (int i = 0; i < 4 && turn != NULL; i++)
    turn[i] = turns[i][0];
}

// The axis other than the two equal inertias, or -1; 3 if all are equal.
static int symmetry_axis(const double inertia[3])
{
  bool first = inertia[1] == inertia[2], second = inertia[2] == inertia[0];
  if (first && second)
    return 3;
  return first ? 0 : second ? 1 : inertia[0] == inertia[1] ? 2 : -1;
}

// Two equal inertias I: the body turns about its momentum at |L| / I, and about its own axis.
static void symmetric_rotation(const double inertia[3], int axis, const double before[3],
                               double time, double after[3], double turn[4])
{
  int j = (axis + 1) % 3, k = (axis + 2) % 3;
  double own = before[axis] * (inertia[j] - inertia[axis]) / inertia[j], angle = own * time;
  double c = pc_cos(angle), s = pc_sin(angle), wj = before[j], wk = before[k];
  after[axis] = before[axis];
  after[j] = c * wj + s * wk;
  after[k] = c * wk - s * wj;
  if (turn == NULL)
    return;
  double about[3], second[4] = {pc_cos(0.5 * angle)};
  for (int i = 0; i < 3; i++)
    about[i] = time * (inertia[i] / inertia[j]) * before[i];
  pc_quaternion_exp(about, turn);
  second[1 + axis] = pc_sin(0.5 * angle);
  pc_quaternion_multiply(turn, second, turn);
}

// The curve of the momentum in the body.
typedef struct curve {
  int e, c, mid;
  double root_e, root_c, root_mid; // amplitudes with the signs that sn, cn, dn leave open
  double rate, r, complement;      // complement: 1 - m
  pc_jacobi jacobi;
  double u, sn, cn, dn; // where it is
} curve;

// False if the spin does not change.
static bool find_curve(const double inertia[3], const double factor[3], const double w[3], curve *o)
{
  int low = 0, high = 0;
  for (int i = 1; i < 3; i++) {
    low = inertia[i] < inertia[low] ? i : low;
    high = inertia[i] >= inertia[high] ? i : high;
  }
  if (low == high) // moments that are no numbers: any axis will do
    high = (low + 1) % 3;
  o->mid = 3 - low - high;
  double p[3] = {fabs(factor[0]), fabs(factor[1]), fabs(factor[2])};
  bool around_low = p[high] * w[low] * w[low] > p[low] * w[high] * w[high];
  o->e = around_low ? low : high;
  o->c = around_low ? high : low;
  int e = o->e, c = o->c, mid = o->mid;
  if ((w[e] == 0 && w[c] == 0) || (w[c] == 0 && w[mid] == 0))
    return false;
  double we = w[e] * w[e], wc = w[c] * w[c], wm = w[mid] * w[mid];
  double square = p[c] * (p[mid] * we + p[e] * wm);
  o->rate = sqrt(square);
  if (!(o->rate > 0))
    return false;
  double sign_e = w[e] < 0 ? -1 : 1, sign_c = w[c] < 0 ? -1 : 1;
  double sign_mid = sign_e * sign_c * (factor[mid] < 0 ? -1 : 1);
  o->root_e = sign_e * sqrt(we + p[e] / p[mid] * wm);
  o->root_c = sign_c * sqrt(wc + p[c] / p[mid] * wm);
  o->root_mid = sign_mid * sqrt(wm + p[mid] / p[c] * wc);
  o->complement = p[mid] * (p[c] * we - p[e] * wc) / square;
  o->jacobi = pc_jacobi_of(o->complement);
  o->r =
      inertia[mid] * fabs(inertia[c] - inertia[e]) / (inertia[c] * fabs(inertia[mid] - inertia[e]));
  o->sn = w[mid] / o->root_mid;
  o->cn = w[c] / o->root_c;
  o->dn = w[e] / o->root_e;
  o->u = o->sn * pc_elliptic_rf(o->cn * o->cn, o->dn * o->dn, 1); // in -K .. K
  return true;
}

// Integral of sn^2 / (cn^2 + r sn^2) from 0 to u: that of whole half turns, 2 K each, and the rest.
static double precession(const curve *o)
{
  double turns = isinf(o->jacobi.quarter) ? 0 : nearbyint(o->u / (2 * o->jacobi.quarter));
  double s = fmod(turns, 2) == 0 ? o->sn : -o->sn, ss = s * s, cc = o->cn * o->cn;
  double sum = s * ss * pc_elliptic_rj(cc, o->dn * o->dn, 1, cc + o->r * ss);
  if (turns != 0)
    sum += 2 * turns * pc_elliptic_rj(0, o->complement, 1, o->r);
  return sum / 3;
}

// N(L), row by row.
static void momentum_frame(const double momentum[3], int e, double n[9])
{
  double size = sqrt(pc_dot3(momentum, momentum)), axis[3] = {0};
  axis[e] = 1;
  for (int i = 0; i < 3; i++)
    n[6 + i] = momentum[i] / size;
  pc_cross(axis, n + 6, n);
  double across = sqrt(pc_dot3(n, n));
  for (int i = 0; i < 3; i++)
    n[i] /= across;
  pc_cross(n + 6, n, n + 3);
}

// Bodies that turn far while their spin hardly moves along its curve: the integral over the curve
// would be a small difference, the sum over some short steps is not.
static void piecewise_rotation(const double factor[3], const double before[3], double time,
                               int pieces, double after[3], double turn[4])
{
  double w[3] = {before[0], before[1], before[2]}, ratio = reach(factor, before, time) / pieces;
  turn[0] = 1, turn[1] = turn[2] = turn[3] = 0;
  for (int i = 0; i < pieces; i++) {
    double next[4];
    short_rotation(factor, w, time / pieces, ratio, after, next);
    pc_quaternion_multiply(turn, next, turn);
    for (int k = 0; k < 3; k++)
      w[k] = after[k];
  }
}

static void long_rotation(const double inertia[3], const double factor[3], const double before[3],
                          double time, double after[3], double turn[4])
{
  curve o;
  if (!find_curve(inertia, factor, before, &o)) {
    double about[3];
    for (int i = 0; i < 3; i++) {
      after[i] = before[i];
      about[i] = time * before[i];
    }
    if (turn != NULL)
      pc_quaternion_exp(about, turn);
    return;
  }
  double ratio = reach(factor, before, time);
  if (turn != NULL && ratio < MOST_PIECES * SHORT && o.rate * fabs(time) < SLOW) {
    piecewise_rotation(factor, before, time, (int)ceil(ratio / SHORT), after, turn);
    return;
  }
  double start = turn != NULL ? precession(&o) : 0;
  o.u += o.rate * time;
  pc_jacobi_at(&o.jacobi, o.u, &o.sn, &o.cn, &o.dn);
  after[o.e] = o.root_e * o.dn;
  after[o.c] = o.root_c * o.cn;
  after[o.mid] = o.root_mid * o.sn;
  if (turn == NULL)
    return;
  double first[3], last[3], n0[9], n1[9], m[9];
  for (int i = 0; i < 3; i++) {
    first[i] = inertia[i] * before[i];
    last[i] = inertia[i] * after[i];
  }
  double size = sqrt(pc_dot3(first, first));
  double phi = size * time / inertia[o.c] + size * (1 / inertia[o.mid] - 1 / inertia[o.c]) * o.r /
                                                o.rate * (precession(&o) - start);
  momentum_frame(first, o.e, n0);
  momentum_frame(last, o.e, n1);
  double c = pc_cos(phi), s = pc_sin(phi);
  for (int j = 0; j < 3; j++) {
    double x = c * n1[j] - s * n1[3 + j], y = s * n1[j] + c * n1[3 + j];
    for (int i = 0; i < 3; i++)
      m[3 * i + j] = n0[i] * x + n0[3 + i] * y + n0[6 + i] * n1[6 + j];
  }
  pc_matrix_quaternion(m, turn);
}

// Spin after, and the turn of the body in its axes before, or NULL.
static void rotate(const double inertia[3], const double before[3], double time, double after[3],
                   double turn[4])
{
  int axis = symmetry_axis(inertia);
  if (axis >= 0) {
    symmetric_rotation(inertia, axis % 3, before, time, after, turn);
    return;
  }
  double factor[3]; // w_i' = factor_i w_j w_k
  for (int i = 0; i < 3; i++)
    factor[i] = (inertia[(i + 1) % 3] - inertia[(i + 2) % 3]) / inertia[i];
  double ratio = reach(factor, before, time);
  if (ratio < SHORT)
    short_rotation(factor, before, time, ratio, after, turn);
  else
    long_rotation(inertia, factor, before, time, after, turn);
}

void pc_rotation_spin(const double inertia[3], const double before[3], double time, double after[3])
{
  if (inertia == NULL || before == NULL || after == NULL)
    return;
  double out[3];
  rotate(inertia, before, time, out, NULL);
  for (int i = 0; i < 3; i++)
    after[i] = out[i];
}

INLINE void lane_matrix(const four q[4], four m[9])
{
  four w = q[0], x = q[1], y = q[2], z = q[3];
  m[0] = 1 - 2 * (y * y + z * z);
  m[1] = 2 * (x * y - w * z);
  m[2] = 2 * (x * z + w * y);
  m[3] = 2 * (x * y + w * z);
  m[4] = 1 - 2 * (x * x + z * z);
  m[5] = 2 * (y * z - w * x);
  m[6] = 2 * (x * z - w * y);
  m[7] = 2 * (y * z + w * x);
  m[8] = 1 - 2 * (x * x + y * y);
}

INLINE void lane_rotate(const four m[9], const four v[3], four out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

INLINE void lane_rotate_back(const four m[9], const four v[3], four out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
}

// Attitude times turn.
INLINE void lane_turn(four a[4], const four b[4])
{
  four w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  four x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  four y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  four z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  a[0] = w, a[1] = x, a[2] = y, a[3] = z;
}

#define LANE_ROOT(x) ((four){sqrt((x)[0]), sqrt((x)[1]), sqrt((x)[2]), sqrt((x)[3])})

// Length 1 without bias. Numbers are denser below 1 than above, so that what is divided by a
// rounded length stays a little long in the mean, and the momentum would grow by that at every
// step. Here the excess of the square over 1 is found without rounding it near 1.
INLINE void lane_normalise(four q[4])
{
  const four none = {0};
  four square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], apart = square - 1;
  four_masks far = LANE_SIZE(apart) > 1e-9;
  if (any_lane(&far)) {
    four size = LANE_ROOT(square);
    for (int i = 0; i < 4; i++)
      q[i] = LANE_CHOOSE(far, q[i] / size, q[i]);
  }
  four largest = LANE_SIZE(q[0]), excess = none;
  for (int i = 1; i < 4; i++)
    largest = LANE_LARGER(LANE_SIZE(q[i]), largest);
  four_masks found = {0};
  for (int i = 0; i < 4; i++) { // the first that is as large
    four_masks is = (LANE_SIZE(q[i]) == largest) & ~found;
    excess += LANE_CHOOSE(is, none, q[i] * q[i]);
    found |= is;
  }
  excess += (largest - 1) * (largest + 1);
  for (int i = 0; i < 4; i++)
    q[i] -= 0.5 * excess * q[i];
}

INLINE void advance_lanes(const double (*inertia)[3], double (*attitude)[4], double (*spin)[3],
                          double time)
{
  four moment[3], factor[3], q[4], turn[4], m[9], w[3], momentum[3], world[3], given[3];
  for (int i = 0; i < 3; i++) {
    moment[i] = (four){inertia[0][i], inertia[1][i], inertia[2][i], inertia[3][i]};
    given[i] = (four){spin[0][i], spin[1][i], spin[2][i], spin[3][i]};
  }
  for (int i = 0; i < 4; i++)
    q[i] = (four){attitude[0][i], attitude[1][i], attitude[2][i], attitude[3][i]};
  lane_matrix(q, m);
  lane_rotate_back(m, given, w);
  four most = {1, 1, 1, 1}, square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; i++) {
    momentum[i] = moment[i] * w[i];
    factor[i] = (moment[(i + 1) % 3] - moment[(i + 2) % 3]) / moment[i];
    most = LANE_LARGER(LANE_SIZE(factor[i]), most);
  }
  lane_rotate(m, momentum, world);
  four ratio = LANE_ROOT(square) * fabs(time) * most;
  // Those with equal moments, and those that turn far, one by one.
  four_masks alike = (moment[0] == moment[1]) | (moment[1] == moment[2]) | (moment[2] == moment[0]);
  four_masks is_short = (ratio < SHORT) & ~alike;
  lane_series(factor, w, time, &ratio, &is_short, turn, NULL);
  for (int l = 0; l < 4; l++)
    if (!is_short[l]) {
      double before[3] = {w[0][l], w[1][l], w[2][l]}, after[3], own[4];
      rotate(inertia[l], before, time, after, own);
      for (int i = 0; i < 4; i++)
        turn[i][l] = own[i];
    }
  lane_turn(q, turn);
  lane_normalise(q);
  // The spin is what the momentum, which is kept, makes of the new attitude.
  lane_matrix(q, m);
  lane_rotate_back(m, world, momentum);
  for (int i = 0; i < 3; i++)
    w[i] = momentum[i] / moment[i];
  lane_rotate(m, w, given);
  for (int l = 0; l < 4; l++) {
    for (int i = 0; i < 4; i++)
      attitude[l][i] = q[i][l];
    for (int i = 0; i < 3; i++)
      spin[l][i] = given[i][l];
  }
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void advance_lanes_avx2(const double (*inertia)[3],
                                                               double (*attitude)[4],
                                                               double (*spin)[3], double time)
{
  advance_lanes(inertia, attitude, spin, time);
}
#endif

void pc_rotation_advance_four(const double (*inertia)[3], double (*attitude)[4], double (*spin)[3],
                              double time)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) {
    advance_lanes_avx2(inertia, attitude, spin, time);
    return;
  }
#endif
  advance_lanes(inertia, attitude, spin, time);
}

void pc_rotation_advance(const double inertia[3], double attitude[4], double spin[3], double time)
{
  if (inertia == NULL || attitude == NULL || spin == NULL)
    return;
  double moments[4][3], q[4][4], w[4][3];
  if (symmetry_axis(inertia) == 3) { // the spin stays, in the world and in the body
    double about[3] = {time * spin[0], time * spin[1], time * spin[2]}, turn[4];
    four lanes[4];
    pc_quaternion_exp(about, turn);
    pc_quaternion_multiply(turn, attitude, attitude);
    for (int i = 0; i < 4; i++)
      lanes[i] = (four){attitude[i], attitude[i], attitude[i], attitude[i]};
    lane_normalise(lanes);
    for (int i = 0; i < 4; i++)
      attitude[i] = lanes[i][0];
    return;
  }
  for (int l = 0; l < 4; l++) {
    memcpy(moments[l], inertia, sizeof moments[l]);
    memcpy(q[l], attitude, sizeof q[l]);
    memcpy(w[l], spin, sizeof w[l]);
  }
  pc_rotation_advance_four((const double(*)[3])moments, q, w, time);
  memcpy(attitude, q[0], sizeof q[0]);
  memcpy(spin, w[0], sizeof w[0]);
}
