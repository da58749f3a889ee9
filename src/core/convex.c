// Convex functions of one number as small values, and projections in closed form.
#include "percuss/convex.h"

#include <math.h>
#include <stddef.h>

#include "core/elementary.h"
#include "core/small.h"

bool pc_interval_is_empty(pc_interval interval)
{
  return !(interval.low <= interval.high);
}

bool pc_interval_contains(pc_interval interval, double x)
{
  return interval.low <= x && x <= interval.high;
}

double pc_interval_project(pc_interval interval, double x)
{
  if (pc_interval_is_empty(interval))
    return NAN;
  return x < interval.low ? interval.low : x > interval.high ? interval.high : x;
}

static const pc_interval empty = {INFINITY, -INFINITY};

pc_convex pc_convex_indicator(double low, double high)
{
  return (pc_convex){.kind = PC_CONVEX_INDICATOR, .interval = {low, high}};
}

pc_convex pc_convex_support(double low, double high)
{
  return (pc_convex){.kind = PC_CONVEX_SUPPORT, .interval = {low, high}};
}

// The limits k = 0, k = infinity and p = 1 have kinks or walls, and are of the other kinds.
pc_convex pc_convex_power(double k, double p)
{
  if (isinf(k))
    return pc_convex_indicator(0, 0);
  if (k == 0 || p == 1)
    return pc_convex_support(-k, k);
  return (pc_convex){.kind = PC_CONVEX_POWER, .scale = pc_pow(k, 1 / p), .p = p};
}

double pc_convex_value(pc_convex f, double x)
{
  switch (f.kind) {
  case PC_CONVEX_INDICATOR:
    return pc_interval_contains(f.interval, x) ? 0 : INFINITY;
  case PC_CONVEX_SUPPORT:
    return x > 0 ? f.interval.high * x : x < 0 ? f.interval.low * x : 0;
  case PC_CONVEX_POWER:
    return pc_pow(fabs(f.scale * x), f.p) / f.p;
  }
  return NAN;
}

pc_interval pc_convex_subdifferential(pc_convex f, double x)
{
  double low = f.interval.low, high = f.interval.high;
  switch (f.kind) {
  case PC_CONVEX_INDICATOR:
    if (!pc_interval_contains(f.interval, x))
      return empty;
    return (pc_interval){x == low ? -INFINITY : 0, x == high ? INFINITY : 0};
  case PC_CONVEX_SUPPORT:
    if (x == 0)
      return f.interval;
    double slope = x > 0 ? high : low;
    return isinf(slope) ? empty : (pc_interval){slope, slope};
  case PC_CONVEX_POWER: {
    double y = copysign(f.scale * pc_pow(fabs(f.scale * x), f.p - 1), x);
    return (pc_interval){y, y};
  }
  }
  return empty;
}

pc_convex pc_convex_conjugate(pc_convex f)
{
  switch (f.kind) {
  case PC_CONVEX_INDICATOR:
    f.kind = PC_CONVEX_SUPPORT;
    break;
  case PC_CONVEX_SUPPORT:
    f.kind = PC_CONVEX_INDICATOR;
    break;
  case PC_CONVEX_POWER:
    f.scale = 1 / f.scale;
    f.p = f.p / (f.p - 1);
    break;
  }
  return f;
}

// The root w >= 0 of a w + b w^r = c, r >= 1. The left side is convex and increasing, so Newton's
// iterates go down to the root from any upper bound; the bound here keeps both terms below c, so
// nothing overflows and the first value is at most 2 c.
static double solve_power(double a, double b, double r, double c)
{
  double w = fmin(c / a, pc_pow(c / b, 1 / r));
  for (int i = 0; i < 100 && w > 0; i++) {
    double power = b * pc_pow(w, r);
    double next = w - (a * w + power - c) / (a + r * power / w);
    if (!(next < w)) // round-off
      break;
    w = next;
  }
  return fmax(w, 0);
}

// z + step scale (scale z)^(p-1) = x for x > 0. The unknown is u = scale z or, where u^(p-1) is not
// convex, w = u^(p-1).
static double prox_power(double scale, double p, double step, double x)
{
  if (p == 2)
    return x / (1 + step * scale * scale);
  if (p > 2)
    return solve_power(1 / scale, step * scale, p - 1, x) / scale;
  double r = 1 / (p - 1);
  double w = solve_power(step * scale, 1 / scale, r, x);
  double power = pc_pow(w, r) / scale;
  return r * power < x ? power : x - step * scale * w; // the one with less round-off
}

double pc_convex_prox(pc_convex f, double step, double x)
{
  switch (f.kind) {
  case PC_CONVEX_INDICATOR:
    return pc_interval_project(f.interval, x);
  case PC_CONVEX_SUPPORT: // Moreau: what the projection onto step * interval leaves
    return x - pc_interval_project((pc_interval){step * f.interval.low, step * f.interval.high}, x);
  case PC_CONVEX_POWER: {
    pc_interval towards_zero = {0, fabs(x)}; // also after round-off
    double z = prox_power(f.scale, f.p, step, fabs(x));
    return copysign(pc_interval_project(towards_zero, z), x);
  }
  }
  return NAN;
}

// Euclidean norm, scaled against overflow and underflow.
static double norm(int n, const double *x)
{
  double largest = 0, sum = 0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(x[i]));
  if (largest == 0 || isinf(largest))
    return largest;
  for (int i = 0; i < n; i++)
    sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}

void pc_project_half_space(int n, const double *normal, double offset, double *x)
{
  if (normal == NULL || x == NULL)
    return;
  double excess = pc_dot(n, normal, x) - offset;
  if (excess <= 0)
    return;
  double factor = excess / pc_dot(n, normal, normal);
  for (int i = 0; i < n; i++)
    x[i] -= factor * normal[i];
}

void pc_project_ball(int n, const double *centre, double radius, double *x)
{
  if (x == NULL)
    return;
  if (centre != NULL)
    for (int i = 0; i < n; i++)
      x[i] -= centre[i];
  double length = norm(n, x);
  if (length > radius)
    for (int i = 0; i < n; i++)
      x[i] *= radius / length;
  if (centre != NULL)
    for (int i = 0; i < n; i++)
      x[i] += centre[i];
}

// Restores the max-heap below `i`.
static void sift_down(int n, double *heap, int i)
{
  double value = heap[i];
  for (int child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && heap[child + 1] > heap[child])
      child++;
    if (heap[child] <= value)
      break;
    heap[i] = heap[child];
  }
  heap[i] = value;
}

// The answer is pp(x - t) with t such that the sum is right. The numbers come off a heap, largest
// first, and t is final when the next one is not above it. Taking the largest off every x first
// keeps t exact when x is far from the simplex.
void pc_project_simplex(int n, double total, double *x, double *scratch)
{
  if (n < 1 || x == NULL || scratch == NULL)
    return;
  double largest = x[0];
  for (int i = 1; i < n; i++)
    largest = fmax(largest, x[i]);
  for (int i = 0; i < n; i++)
    scratch[i] = x[i] -= largest;
  for (int i = n / 2 - 1; i >= 0; i--)
    sift_down(n, scratch, i);
  double sum = 0, threshold = -total;
  for (int left = n, taken = 1; left > 0 && (taken == 1 || scratch[0] > threshold); taken++) {
    sum += scratch[0];
    threshold = (sum - total) / taken;
    scratch[0] = scratch[--left];
    sift_down(left, scratch, 0);
  }
  for (int i = 0; i < n; i++)
    x[i] = pc_pp(x[i] - threshold);
}

void pc_project_triangle(double x[2])
{
  if (x == NULL)
    return;
  double clipped[2] = {pc_pp(x[0]), pc_pp(x[1])};
  if (clipped[0] + clipped[1] > 1) { // nearest point of the side AB
    clipped[0] = pc_interval_project((pc_interval){0, 1}, (1 + x[0] - x[1]) / 2);
    clipped[1] = 1 - clipped[0];
  }
  x[0] = clipped[0];
  x[1] = clipped[1];
}

// The cone a |x_T| <= b x_N, a and b >= 0, not both zero.
static void project_general_cone(int n, double a, double b, double *x)
{
  double normal = x[0], tangential = norm(n - 1, x + 1);
  if (a * tangential <= b * normal && normal >= 0)
    return;
  double factor = 0; // on the tangential part
  x[0] = 0;
  if (a * normal + b * tangential > 0) { // else in the polar cone
    double along = (a * normal + b * tangential) / (a * a + b * b);
    x[0] = a * along;
    factor = tangential > 0 ? b * along / tangential : 0;
  }
  for (int i = 1; i < n; i++)
    x[i] *= factor;
}

void pc_project_cone(int n, double mu, double *x)
{
  if (n < 1 || x == NULL)
    return;
  project_general_cone(n, 1, mu, x);
}

void pc_project_dual_cone(int n, double mu, double *x)
{
  if (n < 1 || x == NULL)
    return;
  project_general_cone(n, mu, 1, x);
}

void pc_project_polar_cone(int n, double mu, double *x)
{
  if (n < 1 || x == NULL)
    return;
  for (int i = 0; i < n; i++)
    x[i] = -x[i];
  pc_project_dual_cone(n, mu, x);
  for (int i = 0; i < n; i++)
    x[i] = -x[i];
}

void pc_prox_norm(int n, double step, double *x)
{
  if (x == NULL)
    return;
  double length = norm(n, x);
  double factor = length > step ? (length - step) / length : 0;
  for (int i = 0; i < n; i++)
    x[i] *= factor;
}

pc_normal_cone pc_triangle_normal_cone(const double x[2], double tolerance)
{
  if (x == NULL)
    return (pc_normal_cone){.rays = -1};
  const double half = sqrt(0.5);
  const double outward[3][2] = {{-1, 0}, {0, -1}, {half, half}};
  const double offset[3] = {0, 0, half};
  pc_normal_cone cone = {0};
  for (int side = 0; side < 3; side++) {
    double beyond = pc_dot(2, outward[side], x) - offset[side];
    if (beyond > tolerance)
      return (pc_normal_cone){.rays = -1};
    if (beyond >= -tolerance && cone.rays < 2) {
      cone.ray[cone.rays][0] = outward[side][0];
      cone.ray[cone.rays][1] = outward[side][1];
      cone.rays++;
    }
  }
  return cone;
}

// The distance from b to the cone is at most `tolerance`.
bool pc_normal_cone_contains(const pc_normal_cone *cone, const double b[2], double tolerance)
{
  if (cone == NULL || b == NULL || cone->rays < 0 || cone->rays > 2)
    return false;
  double distance = norm(2, b);
  for (int i = 0; i < cone->rays; i++) {
    const double *ray = cone->ray[i];
    double along = pc_pp(pc_dot(2, ray, b));
    distance = fmin(distance, pc_hypot(b[0] - along * ray[0], b[1] - along * ray[1]));
  }
  if (cone->rays == 2) { // inside: b = s ray0 + t ray1 with s, t >= 0
    const double *u = cone->ray[0], *v = cone->ray[1];
    double area = u[0] * v[1] - u[1] * v[0];
    double s = (b[0] * v[1] - b[1] * v[0]) / area, t = (u[0] * b[1] - u[1] * b[0]) / area;
    if (s >= 0 && t >= 0)
      distance = 0;
  }
  return distance <= tolerance;
}
