// The largest of the priced lower bounds, over two multipliers, by cutting planes.
//
// A priced y says bound(lambda, mu) <= sign F(y) + lambda (sum m y^2 - 1) + mu sum m y. The largest
// value t below all these planes, within a box of multipliers, is a linear program of three
// unknowns; its optimum is the next pair to price. Where the box stops it, the box grows.
// The weights of the planes that meet there make a mean of the priced y with both sums fulfilled.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain/bounds.h"

enum { MOST_ROWS = 160, BOX = 4, PRICINGS = 120 };

// t r[0] + lambda r[1] + mu r[2] <= r[3]; rows 0 to 3 are the box.
typedef struct row {
  double r[4];
} row;

struct pc_dual {
  int n, rows;
  pc_pricing *pricing;
  row row[MOST_ROWS];
  double *y; // of each row
  int basis[3];
  double weight[3];
};

pc_dual *pc_dual_create(int n)
{
  pc_dual *d = calloc(1, sizeof *d);
  if (d == NULL)
    return NULL;
  d->n = n;
  d->pricing = pc_pricing_create();
  d->y = malloc((size_t)MOST_ROWS * (size_t)n * sizeof *d->y);
  if (d->pricing == NULL || d->y == NULL) {
    pc_dual_destroy(d);
    return NULL;
  }
  return d;
}

void pc_dual_destroy(pc_dual *d)
{
  if (d == NULL)
    return;
  pc_pricing_destroy(d->pricing);
  free(d->y);
  free(d);
}

static double det3(const double *a, const double *b, const double *c)
{
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Solves x[0] A + x[1] B + x[2] C = target, where A, B, C are the rows of the basis; false if they
// are dependent.
static bool combine(const pc_dual *d, const double *target, double *x)
{
  const double *a = d->row[d->basis[0]].r, *b = d->row[d->basis[1]].r, *c = d->row[d->basis[2]].r;
  double all = det3(a, b, c);
  if (!(fabs(all) > 0))
    return false;
  x[0] = det3(target, b, c) / all;
  x[1] = det3(a, target, c) / all;
  x[2] = det3(a, b, target) / all;
  return true;
}

// The point where the rows of the basis meet.
static bool meet(const pc_dual *d, double *z)
{
  double a[3][4];
  for (int i = 0; i < 3; i++)
    memcpy(a[i], d->row[d->basis[i]].r, sizeof a[i]);
  for (int k = 0; k < 3; k++) {
    int p = k;
    for (int i = k + 1; i < 3; i++)
      p = fabs(a[i][k]) > fabs(a[p][k]) ? i : p;
    if (!(fabs(a[p][k]) > 0))
      return false;
    for (int j = 0; j < 4; j++) {
      double t = a[k][j];
      a[k][j] = a[p][j];
      a[p][j] = t;
    }
    for (int i = 0; i < 3; i++)
      if (i != k) {
        double f = a[i][k] / a[k][k];
        for (int j = k; j < 4; j++)
          a[i][j] -= f * a[k][j];
      }
  }
  for (int k = 0; k < 3; k++)
    z[k] = a[k][3] / a[k][k];
  return true;
}

// Dual simplex from the basis as it is, whose weights are not negative. False if it breaks down.
static bool climb(pc_dual *d, double *z)
{
  static const double up[3] = {1, 0, 0};
  for (int turn = 0; turn < 200; turn++) {
    if (!meet(d, z))
      return false;
    int worst = -1;
    double most = 0;
    for (int k = 0; k < d->rows; k++) {
      const double *r = d->row[k].r;
      double size = fabs(r[3]) + fabs(r[0] * z[0]) + fabs(r[1] * z[1]) + fabs(r[2] * z[2]);
      double over = r[0] * z[0] + r[1] * z[1] + r[2] * z[2] - r[3] - 8 * DBL_EPSILON * size;
      if (over > most && k != d->basis[0] && k != d->basis[1] && k != d->basis[2]) {
        most = over;
        worst = k;
      }
    }
    if (!combine(d, up, d->weight))
      return false;
    if (worst < 0)
      return true;
    double share[3], ratio = INFINITY;
    if (!combine(d, d->row[worst].r, share))
      return false;
    int leaves = -1;
    for (int i = 0; i < 3; i++)
      if (share[i] > 0 && fmax(d->weight[i], 0) / share[i] < ratio) {
        ratio = fmax(d->weight[i], 0) / share[i];
        leaves = i;
      }
    if (leaves < 0)
      return false;
    d->basis[leaves] = worst;
  }
  return false;
}

static double *add_row(pc_dual *d, const pc_spread *p, const double *y)
{
  double sum = 0, squares = -1;
  for (int i = 0; i < d->n; i++) {
    sum += p->mass[i] * y[i];
    squares += p->mass[i] * y[i] * y[i];
  }
  d->row[d->rows] = (row){{1, -squares, -sum, pc_spread_value(p, y)}};
  double *kept = d->y + (size_t)d->rows * (size_t)d->n;
  memmove(kept, y, (size_t)d->n * sizeof *y);
  d->rows++;
  return kept;
}

static void set_box(pc_dual *d, const double *centre, double size)
{
  for (int k = 0; k < 2; k++)
    for (int side = 0; side < 2; side++) {
      double *r = d->row[2 * k + side].r, sense = side == 0 ? 1 : -1;
      memset(r, 0, 4 * sizeof *r);
      r[1 + k] = sense;
      r[3] = sense * centre[k] + size;
    }
}

static bool within(int n, const double *y, const double *low, const double *high)
{
  for (int i = 0; i < n; i++)
    if (y[i] < low[i] || y[i] > high[i])
      return false;
  return true;
}

static void answer_weights(const pc_dual *d, pc_dual_answer *answer)
{
  answer->count = 0;
  double sum = 0;
  for (int i = 0; i < 3; i++)
    if (d->basis[i] >= BOX && d->weight[i] > 0) {
      answer->weight[answer->count] = d->weight[i];
      answer->y[answer->count++] = d->y + (size_t)d->basis[i] * (size_t)d->n;
      sum += d->weight[i];
    }
  for (int i = 0; i < answer->count; i++)
    answer->weight[i] /= sum;
}

pc_status pc_dual_solve(pc_dual *d, const pc_spread *p, const double *low, const double *high,
                        double target, const double multiplier[2], const double *hints, int count,
                        pc_dual_answer *answer)
{
  double box = 4 * fmin(1, p->s), z[3] = {0, multiplier[0], multiplier[1]};
  *answer = (pc_dual_answer){.bound = -INFINITY};
  d->rows = BOX;
  set_box(d, multiplier, box);
  for (int i = 0; i < count; i++)
    if (within(d->n, hints + i * d->n, low, high))
      add_row(d, p, hints + i * d->n);
  bool based = false;
  for (int turn = 0; turn < PRICINGS && d->rows < MOST_ROWS; turn++) {
    double *y = d->y + (size_t)d->rows * (size_t)d->n;
    double bound = pc_pricing_least(d->pricing, p, low, high, z[1], z[2], y);
    if (bound == -INFINITY)
      return PC_ERROR_MEMORY;
    if (bound > answer->bound) {
      answer->bound = bound;
      answer->multiplier[0] = z[1];
      answer->multiplier[1] = z[2];
    }
    add_row(d, p, y);
    if (!based) {
      // One plane and the sides of the box that it rises to.
      const double *r = d->row[d->rows - 1].r;
      d->basis[0] = d->rows - 1;
      d->basis[1] = r[1] < 0 ? 0 : 1;
      d->basis[2] = r[2] < 0 ? 2 : 3;
      based = true;
    }
    if (answer->bound >= target)
      break;
    if (!climb(d, z))
      break;
    double left = z[0] - answer->bound, wanted = target - answer->bound;
    if (left <= fmax(0.02 * wanted, 4 * DBL_EPSILON)) {
      bool stopped = false;
      for (int i = 0; i < 3; i++)
        stopped = stopped || (d->basis[i] < BOX && d->weight[i] > 1e-12);
      if (!stopped || box > 1e9)
        break;
      box *= 8;
      set_box(d, multiplier, box);
      if (!climb(d, z))
        break;
    }
  }
  answer_weights(d, answer);
  return PC_OK;
}
