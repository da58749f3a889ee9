// Elementary functions from additions, multiplications, divisions and square roots alone. Those of
// the C library differ in their last bits between processors and versions; these do not, so that a
// run ends in the same bits everywhere. Nothing in src/ calls the others (test `structure`).
#ifndef PERCUSS_CORE_ELEMENTARY_H
#define PERCUSS_CORE_ELEMENTARY_H

#include <math.h>

// Within 1.5 units in the last place, with the special cases of the C library. pc_log, pc_log2,
// pc_log10, pc_pow and pc_cbrt are exact where the answer is a number of the computer.
double pc_exp(double x);
double pc_expm1(double x);
double pc_log(double x);
double pc_log2(double x);
double pc_log10(double x);
double pc_log1p(double x);
double pc_pow(double x, double y);
double pc_cbrt(double x);
double pc_sin(double x);
double pc_cos(double x);
double pc_atan(double x);
double pc_atan2(double y, double x);

// Within 2.5 units in the last place.
double pc_tan(double x);
double pc_asin(double x);
double pc_acos(double x);
double pc_cosh(double x);
double pc_tanh(double x);
double pc_atanh(double x);

// Called for sums of squares that are too large or too small.
double pc_hypot_scaled(double x, double y);

// The root of x^2 + y^2, within 1.1 units in the last place.
static inline double pc_hypot(double x, double y)
{
  double square = x * x + y * y;
  return square > 0x1p-960 && square < 0x1p960 ? sqrt(square) : pc_hypot_scaled(x, y);
}

#endif
