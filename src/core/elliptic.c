// Carlson, Numerical computation of real or complex elliptic integrals (1995), for R_F and R_J by
// duplication. Jacobi's functions by Gauss's transformation along the arithmetic-geometric mean
// (Bulirsch 1965), in which every sum is of positive terms.
#include "core/elliptic.h"

#include <math.h>

#include "core/elementary.h"

static const double HALF_PI = 1.57079632679489661923;

double pc_elliptic_rf(double x, double y, double z)
{
  double a = (x + y + z) / 3, x0 = a - x, y0 = a - y;
  // The series at the end errs by the sixth power of this.
  double off = fmax(fmax(fabs(x0), fabs(y0)), fabs(a - z)) * 450, scale = 1;
  while (off > a) {
    double rx = sqrt(x), ry = sqrt(y), rz = sqrt(z), mean = rx * ry + rx * rz + ry * rz;
    x = (x + mean) / 4;
    y = (y + mean) / 4;
    z = (z + mean) / 4;
    a = (a + mean) / 4;
    off /= 4;
    scale /= 4;
  }
  double u = x0 * scale / a, v = y0 * scale / a, w = -u - v;
  double e2 = u * v - w * w, e3 = u * v * w;
  return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / sqrt(a);
}

// R_C(1, 1 + e) = atan(sqrt e) / sqrt e, also for negative e.
static double rc(double e)
{
  if (fabs(e) < 1e-3)
    return 1 - e * (1. / 3 - e * (1. / 5 - e * (1. / 7 - e * (1. / 9 - e / 11))));
  double root = sqrt(fabs(e));
  return (e > 0 ? pc_atan(root) : pc_atanh(root)) / root;
}

double pc_elliptic_rj(double x, double y, double z, double p)
{
  double a = (x + y + z + 2 * p) / 5, x0 = a - x, y0 = a - y, z0 = a - z;
  double off = fmax(fmax(fabs(x0), fabs(y0)), fmax(fabs(z0), fabs(a - p))) * 450;
  double delta = (p - x) * (p - y) * (p - z), scale = 1, sum = 0;
  while (off > a) {
    double rx = sqrt(x), ry = sqrt(y), rz = sqrt(z), rp = sqrt(p);
    double mean = rx * ry + rx * rz + ry * rz, d = (rp + rx) * (rp + ry) * (rp + rz);
    sum += scale / d * rc(delta * scale * scale * scale / (d * d));
    x = (x + mean) / 4;
    y = (y + mean) / 4;
    z = (z + mean) / 4;
    p = (p + mean) / 4;
    a = (a + mean) / 4;
    off /= 4;
    scale /= 4;
  }
  double u = x0 * scale / a, v = y0 * scale / a, w = z0 * scale / a, q = -(u + v + w) / 2;
  double uvw = u * v * w, e2 = u * v + u * w + v * w - 3 * q * q;
  double e3 = uvw + 2 * e2 * q + 4 * q * q * q, e4 = (2 * uvw + e2 * q + 3 * q * q * q) * q;
  double e5 = uvw * q * q;
  double series =
      1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
  return scale * series / (a * sqrt(a)) + 6 * sum;
}

pc_jacobi pc_jacobi_of(double complement)
{
  pc_jacobi j = {.quarter = INFINITY};
  if (!(complement > 1e-300))
    return j; // m = 1: no period
  double a = 1, b = sqrt(fmin(complement, 1));
  while (a - b > 0x1p-52 * a && j.steps < PC_JACOBI_STEPS) {
    j.a[j.steps] = a;
    j.b[j.steps++] = b;
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  j.a[j.steps] = a;
  j.quarter = HALF_PI / j.a[j.steps];
  return j;
}

// With c_n = a_n cn_n / sn_n, Gauss's transformation reads
//     c_n = c_(n+1) dn_(n+1),   dn_n = (b_n + q) / (a_n + q),   q = c_(n+1)^2 / a_(n+1),
// and at the last step the functions are those of a circle.
void pc_jacobi_at(const pc_jacobi *jacobi, double u, double *sn, double *cn, double *dn)
{
  if (isinf(jacobi->quarter)) {
    *sn = pc_tanh(u);
    *cn = *dn = 1 / pc_cosh(u);
    return;
  }
  // To |u| <= K/2 about the next multiple of K: close to one, what is small is then small exactly.
  double turns = nearbyint(u / jacobi->quarter), rest = fma(-turns, jacobi->quarter, u);
  int quarter = (int)(fmod(turns, 4) + 4) % 4;
  double mean = jacobi->a[jacobi->steps], s = pc_sin(mean * rest), k1 = 1, s0 = rest, c0 = 1,
         d0 = 1;
  if (jacobi->steps > 0)
    k1 = jacobi->b[0] / jacobi->a[0]; // k'
  if (fabs(s) > 1e-140) {
    double c = mean * pc_cos(mean * rest) / s;
    for (int n = jacobi->steps - 1; n >= 0; n--) {
      double q = c * c / jacobi->a[n + 1];
      c *= d0;
      d0 = (jacobi->b[n] + q) / (jacobi->a[n] + q);
    }
    s0 = copysign(1 / sqrt(1 + c * c), c);
    c0 = c * s0;
  }
  // sn(u + K) = cn / dn, cn(u + K) = -k' sn / dn, dn(u + K) = k' / dn.
  if (quarter % 2 == 1) {
    double s1 = c0 / d0;
    c0 = -k1 * s0 / d0;
    s0 = s1;
    d0 = k1 / d0;
  }
  *sn = quarter < 2 ? s0 : -s0;
  *cn = quarter < 2 ? c0 : -c0;
  *dn = d0;
}
