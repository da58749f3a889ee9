// The toolbox of convex analysis (Fremond, appendix A): convex functions of one number with their
// subdifferentials, conjugates and proximal maps, and projections onto the convex sets of this
// field. Pure functions, no memory of their own.
#ifndef PERCUSS_CONVEX_H
#define PERCUSS_CONVEX_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// pp(x) = max(x, 0) and np(x) = max(-x, 0): x = pp(x) - np(x), |x| = pp(x) + np(x).
static inline double pc_pp(double x)
{
  return x > 0 ? x : 0;
}

static inline double pc_np(double x)
{
  return x < 0 ? -x : 0;
}

// The numbers from low to high, both included. The ends may be infinite; empty if low > high.
typedef struct pc_interval {
  double low, high;
} pc_interval;

bool pc_interval_is_empty(pc_interval interval);
bool pc_interval_contains(pc_interval interval, double x);
double pc_interval_project(pc_interval interval, double x); // the nearest number; NAN if empty

// A closed convex function of one number, with values in ]-inf, +inf]. The three kinds are closed
// under conjugation, f*(y) = sup_x xy - f(x):
//
//     f                                     f*
//     indicator of [low, high]              support function of [low, high]
//     |scale x|^p / p                       |y / scale|^q / q,   1/p + 1/q = 1
//
// The functions of the book are among them: I_+ = indicator(0, INFINITY), I_- =
// indicator(-INFINITY, 0), I_0 = indicator(0, 0), pp = support(0, 1), np = support(-1, 0), |x| =
// support(-1, 1), k x^2 / 2 = power(k, 2).
typedef enum pc_convex_kind {
  PC_CONVEX_INDICATOR, // 0 on the interval, +inf elsewhere
  PC_CONVEX_SUPPORT,   // sup of xy for y in the interval
  PC_CONVEX_POWER,     // |scale x|^p / p, p > 1
} pc_convex_kind;

typedef struct pc_convex {
  pc_convex_kind kind;
  pc_interval interval; // not empty; indicator and support
  double scale, p;      // power
} pc_convex;

pc_convex pc_convex_indicator(double low, double high);
pc_convex pc_convex_support(double low, double high);
pc_convex pc_convex_power(double k, double p); // (k/p) |x|^p, k >= 0 (INFINITY: I_0), p >= 1 finite

double pc_convex_value(pc_convex f, double x);
// All y with f(z) >= f(x) + y (z - x) for every z; empty where f is infinite (theorem A.2).
pc_interval pc_convex_subdifferential(pc_convex f, double x);
pc_convex pc_convex_conjugate(pc_convex f);
// The z that minimises step f(z) + (z - x)^2 / 2, step > 0: the resolvent of the subdifferential.
double pc_convex_prox(pc_convex f, double step, double x);

// Projections change x, a vector of n numbers, into the nearest point of the set.
// Half-space normal.x <= offset, normal not zero.
void pc_project_half_space(int n, const double *normal, double offset, double *x);
void pc_project_ball(int n, const double *centre, double radius, double *x); // centre NULL: origin
// x >= 0, sum x = total >= 0. `scratch` has room for n numbers. O(n + m log n), m = nonzeros.
void pc_project_simplex(int n, double total, double *x, double *scratch);
void pc_project_triangle(double x[2]); // the triangle OAB: x >= 0, y >= 0, x + y <= 1

// Second-order (friction) cone |x_T| <= mu x_N, with x_N = x[0] and x_T the n - 1 others. Its dual
// is mu |y_T| <= y_N, its polar the opposite of the dual; x = P_cone(x) + P_polar(x).
void pc_project_cone(int n, double mu, double *x);
void pc_project_dual_cone(int n, double mu, double *x);
void pc_project_polar_cone(int n, double mu, double *x);

// The x that minimises step |x| + |x - x0|^2 / 2, Euclidean norm: x0 shortened by `step`.
void pc_prox_norm(int n, double step, double *x);

// Normal cone of the triangle OAB at x, the subdifferential of its indicator: the sums of
// nonnegative multiples of `rays` unit vectors. 0 rays: the zero vector alone (inside); -1: empty
// (outside). A side counts as touched within `tolerance`.
typedef struct pc_normal_cone {
  int rays;
  double ray[2][2];
} pc_normal_cone;

pc_normal_cone pc_triangle_normal_cone(const double x[2], double tolerance);
bool pc_normal_cone_contains(const pc_normal_cone *cone, const double b[2], double tolerance);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
