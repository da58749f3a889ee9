// Local minima for the bounds: projected gradients, then Newton's method on the blocks of equal
// velocities that result.
#include <math.h>
#include <string.h>

#include "chain/bounds.h"

double pc_spread_value(const pc_spread *p, const double *y)
{
  double sum = 0, a = p->a;
  for (int i = 0; i < p->n; i++) {
    double x = p->s * y[i], m = p->mass[i];
    sum += m * m * x * (4 * a * a * a + x * (6 * a * a + x * (4 * a + x)));
  }
  return p->sign * sum;
}

bool pc_spread_restore(const pc_spread *p, double *y)
{
  double mean = 0, squares = 0;
  for (int turn = 0; turn < 2; turn++) {
    mean = squares = 0;
    for (int i = 0; i < p->n; i++)
      mean += p->mass[i] * y[i];
    for (int i = 0; i < p->n; i++) {
      y[i] -= mean;
      squares += p->mass[i] * y[i] * y[i];
    }
    if (!(squares > 1e-20 * mean * mean))
      return false;
    double scale = 1 / sqrt(squares);
    for (int i = 0; i < p->n; i++)
      y[i] *= scale;
  }
  return true;
}

// The nearest ordered y in the metric of mass: neighbours out of order are pooled. `work` has room
// for 3 n numbers.
static void order(const pc_spread *p, double *y, double *work)
{
  double *mass = work, *level = work + p->n, *size = work + 2 * p->n;
  int blocks = 0;
  for (int i = 0; i < p->n; i++) {
    mass[blocks] = p->mass[i];
    level[blocks] = y[i];
    size[blocks++] = 1;
    for (; blocks > 1 && level[blocks - 2] >= level[blocks - 1]; blocks--) {
      int k = blocks - 2;
      mass[k] += mass[k + 1];
      level[k] += mass[k + 1] / mass[k] * (level[k + 1] - level[k]);
      size[k] += size[k + 1];
    }
  }
  for (int i = p->n, k = blocks - 1; k >= 0; k--)
    for (int j = 0; j < (int)size[k]; j++)
      y[--i] = level[k];
}

// The gradient in the metric of mass, without its part normal to the two sums.
static void gradient(const pc_spread *p, const double *y, double *g)
{
  double mean = 0, along = 0;
  for (int i = 0; i < p->n; i++) {
    double v = p->a + p->s * y[i];
    g[i] = p->sign * 4 * p->s * p->mass[i] * v * v * v;
    mean += p->mass[i] * g[i];
    along += p->mass[i] * g[i] * y[i];
  }
  for (int i = 0; i < p->n; i++)
    g[i] -= mean + along * y[i];
}

// Newton on the levels of the blocks and the two multipliers,
//
//     4 sign s Q (a + s w)^3 + M (2 lambda w + mu) = 0,   sum M w = 0,   sum M w^2 = 1,
//
// with Q = sum m^2 and M = sum m of a block. False if it does not come to an ordered y.
static bool newton(const pc_spread *p, double *y)
{
  double lambda = 0, mu = 0;
  for (int i = 0; i < p->n; i++) {
    double v = p->a + p->s * y[i], t = p->sign * 4 * p->s * p->mass[i] * v * v * v;
    lambda -= p->mass[i] * t * y[i] / 2;
    mu -= p->mass[i] * t;
  }
  for (int turn = 0; turn < 12; turn++) {
    // dw = -(r + M (2 w dlambda + dmu)) / h, and both sums corrected to first order.
    double a00 = 0, a01 = 0, a11 = 0, b0 = -1, b1 = 0;
    for (int pass = 0; pass < 2; pass++) {
      double dl = 0, dm = 0;
      if (pass == 1) {
        double det = a00 * a11 - a01 * a01;
        if (!(fabs(det) > 0))
          return false;
        dl = (a11 * b0 - a01 * b1) / det;
        dm = (a00 * b1 - a01 * b0) / det;
      }
      for (int i = 0, end; i < p->n; i = end) {
        double mass = 0, square = 0, w = y[i], v = p->a + p->s * w;
        for (end = i; end < p->n && y[end] == w; end++) {
          mass += p->mass[end];
          square += p->mass[end] * p->mass[end];
        }
        double r = 4 * p->sign * p->s * square * v * v * v + mass * (2 * lambda * w + mu);
        double h = 12 * p->sign * p->s * p->s * square * v * v + 2 * mass * lambda;
        if (!(fabs(h) > 0))
          return false;
        if (pass == 0) {
          b0 += mass * w * w - 2 * mass * w * r / h;
          b1 += mass * w - mass * r / h;
          a00 += 4 * mass * mass * w * w / h;
          a01 += 2 * mass * mass * w / h;
          a11 += mass * mass / h;
        } else {
          double next = w - (r + mass * (2 * w * dl + dm)) / h;
          for (int k = i; k < end; k++)
            y[k] = next;
        }
      }
      lambda += dl;
      mu += dm;
    }
    for (int i = 0; i + 1 < p->n; i++)
      if (!(y[i] <= y[i + 1]))
        return false;
  }
  return pc_spread_restore(p, y);
}

double pc_spread_descend(const pc_spread *p, double *y, double *work)
{
  double *trial = work + 3 * p->n, *g = work + 4 * p->n;
  size_t bytes = (size_t)p->n * sizeof *y;
  double here = pc_spread_value(p, y), step = 1;
  for (int turn = 0; turn < 300 && step > 1e-12; turn++) {
    gradient(p, y, g);
    bool lower = false;
    while (!lower && step > 1e-12) {
      for (int i = 0; i < p->n; i++)
        trial[i] = y[i] - step * g[i];
      order(p, trial, work);
      double there = pc_spread_restore(p, trial) ? pc_spread_value(p, trial) : INFINITY;
      lower = there < here - 1e-16;
      if (lower) {
        memcpy(y, trial, bytes);
        here = there;
      }
      step *= lower ? 2 : 0.5;
    }
  }
  memcpy(trial, y, bytes);
  if (newton(p, trial)) {
    double there = pc_spread_value(p, trial);
    if (there <= here) {
      memcpy(y, trial, bytes);
      here = there;
    }
  }
  return here;
}
