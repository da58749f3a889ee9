// Local solution of Coulomb's law with rolling friction and any normal law.
//
// Sliding and rolling are each a disc (law.h) whose radius grows with r_N. With r_N given they are
// one convex problem,
//     min x.A x/2 + (c + shift + A_N r_N).x,    |x_i| <= mu_i r_N,
// so what is left is a scalar equation for r_N: its normal law. Newton on the natural map of all
// rows, from the percussion so far, is the short way; it finds nearly all solutions. Where it does
// not, the scalar equation is bisected, and the convex problem solved disc by disc; Newton is tried
// again from every point on the way, first along a way that is rough and short.
#include "impact/laws/rolling.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 5, NEWTON_STEPS = 25, HALVINGS = 6, ROUNDS = 200 };
static const double exact = 1e-14, finest = 1e-15; // of the size of the numbers
static const double settled = 1e-13;               // Newton has the last word
static const double good = 1e-5; // near enough for a sweep, which comes back to it

typedef struct problem {
  const pc_block_law *law;
  int m, discs;
  pc_disc disc[2];
  const double *a; // m x m
  const double *c;
  double size; // of the velocities that come in
} problem;

static inline double length(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

static inline void residual_on(int discs, const pc_disc *disc, const pc_block_law *law,
                               const double *d, const double *r, double *residual)
{
  residual[0] = pc_row_map(&law->row, d[0], r[0]);
  double push = fmax(r[0] - residual[0], 0);
  for (int k = 0; k < discs; k++) {
    int at = disc[k].row;
    double v[2], x[2], most = disc[k].mu * push;
    for (int i = 0; i < disc[k].size; i++) {
      v[i] = d[at + i] + law->shift[at + i - 1];
      x[i] = r[at + i] - v[i];
    }
    double size = length(disc[k].size, x);
    for (int i = 0; i < disc[k].size; i++)
      residual[at + i] = size > most ? r[at + i] - x[i] * (most / size) : v[i];
  }
}

void pc_rolling_residual(const pc_block_law *law, const double *d, const double *r,
                         double *residual)
{
  pc_disc disc[2];
  int discs = pc_block_discs(law, disc);
  residual_on(discs, disc, law, d, r, residual);
}

// What follows is compiled for 5 and for 3 rows: m is a constant where it is called.

static inline void velocity(int m, const problem *p, const double *r, double *d)
{
  for (int i = 0; i < m; i++) {
    d[i] = p->c[i];
    for (int j = 0; j < m; j++)
      d[i] += p->a[i * m + j] * r[j];
  }
}

static inline double map_at(int m, const problem *p, const double *r, double *d, double *map)
{
  velocity(m, p, r, d);
  residual_on(p->discs, p->disc, p->law, d, r, map);
  return length(m, map);
}

// The derivative of the map by r, with d = c + A r. The radius of a disc follows r_N - map_N, whose
// derivative is `close` (dr_N - dd_N).
static inline void derivative(int m, const problem *p, const double *r, const double *d,
                              const double *map, double *out)
{
  const double *a = p->a;
  double slope;
  pc_row_solve(&p->law->row, 1, d[0] - r[0], &slope);
  double close = isinf(slope) ? 1 : slope / (1 + slope), push = r[0] - map[0];
  for (int j = 0; j < m; j++)
    out[j] = close * a[j] + (j == 0 ? 1 - close : 0);
  for (int k = 0; k < p->discs; k++) {
    int at = p->disc[k].row, n = p->disc[k].size;
    double x[2] = {0}, most = p->disc[k].mu * fmax(push, 0);
    for (int i = 0; i < n; i++)
      x[i] = r[at + i] - d[at + i] - p->law->shift[at + i - 1];
    double size = length(n, x);
    bool sticks = size <= most;
    double part = sticks ? 1 : most / size, pull = push > 0 ? p->disc[k].mu * close : 0;
    for (int i = 0; i < n; i++) {
      double along = sticks ? 0 : x[i] / size, *row = out + (at + i) * m;
      for (int j = 0; j < m; j++)
        row[j] = along * pull * a[j];
      row[0] -= along * pull;
      for (int l = 0; l < n; l++) {
        double keep = part * ((i == l) - (sticks ? 0 : along * x[l] / size));
        for (int j = 0; j < m; j++)
          row[j] += keep * a[(at + l) * m + j];
        row[at + l] += (i == l) - keep;
      }
    }
  }
}

// x <- A^-1 x with pivots; false if A is singular.
static inline bool solve_dense(int n, double *a, double *x)
{
  for (int i = 0; i < n; i++) {
    int pivot = i;
    for (int j = i + 1; j < n; j++)
      if (fabs(a[j * n + i]) > fabs(a[pivot * n + i]))
        pivot = j;
    if (!(fabs(a[pivot * n + i]) > 1e-14))
      return false;
    for (int j = 0; j < n && pivot != i; j++) {
      double swap = a[i * n + j];
      a[i * n + j] = a[pivot * n + j];
      a[pivot * n + j] = swap;
    }
    double swap = x[i];
    x[i] = x[pivot];
    x[pivot] = swap;
    double inverse = 1 / a[i * n + i];
    for (int j = i + 1; j < n; j++) {
      double part = a[j * n + i] * inverse;
      for (int l = i + 1; l < n; l++)
        a[j * n + l] -= part * a[i * n + l];
      x[j] -= part * x[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
  return true;
}

static inline bool newton_sized(int m, const problem *p, double *r)
{
  double d[MOST_ROWS] = {0}, map[MOST_ROWS] = {0}, now = map_at(m, p, r, d, map);
  for (int step = 0; step < NEWTON_STEPS; step++) {
    double noise = exact * (p->size + length(m, r)), slope[MOST_ROWS * MOST_ROWS];
    if (now <= noise)
      return true;
    double move[MOST_ROWS], next[MOST_ROWS], next_d[MOST_ROWS] = {0}, next_map[MOST_ROWS] = {0};
    derivative(m, p, r, d, map, slope);
    memcpy(move, map, sizeof(double) * (size_t)m);
    if (!solve_dense(m, slope, move))
      return false;
    double part = 1, reached = INFINITY;
    for (int i = 0; i <= HALVINGS; i++, part *= 0.5) {
      for (int j = 0; j < m; j++)
        next[j] = r[j] - part * move[j];
      reached = map_at(m, p, next, next_d, next_map);
      if (reached < (1 - 0.1 * part) * now)
        break;
    }
    if (!(reached < now))
      return now <= 10 * noise;
    memcpy(r, next, sizeof(double) * (size_t)m);
    memcpy(d, next_d, sizeof(double) * (size_t)m);
    memcpy(map, next_map, sizeof(double) * (size_t)m);
    now = reached;
  }
  return false;
}

// From r, which is left at the best point. True if that is a solution.
static bool newton(const problem *p, double *r)
{
  return p->m == 5 ? newton_sized(5, p, r) : newton_sized(3, p, r);
}

// min x.A x/2 + b.x on |x| <= most, for one or two numbers, A = (a, off; off, c).
static void solve_disc(int n, double a, double off, double c, const double *b, double most,
                       double *x)
{
  if (n == 1) {
    double free = a > 0 ? -b[0] / a : b[0] > 0 ? -INFINITY : b[0] < 0 ? INFINITY : 0;
    x[0] = fmax(-most, fmin(most, free));
    return;
  }
  // In the axes of A, where it has the values high and low.
  double half = 0.5 * (a - c), spread = sqrt(half * half + off * off);
  double high = 0.5 * (a + c) + spread, low = fmax(0.5 * (a + c) - spread, 0);
  double axis[2] = {1, 0};
  if (spread > 0) {
    double large = sqrt(0.5 * (1 + fabs(half) / spread)),
           small = 0.5 * fabs(off) / (spread * large);
    axis[0] = half >= 0 ? large : small;
    axis[1] = copysign(half >= 0 ? small : large, off);
  }
  double along = axis[0] * b[0] + axis[1] * b[1], across = axis[0] * b[1] - axis[1] * b[0];
  double size = sqrt(along * along + across * across);
  if (size == 0 || most == 0) {
    x[0] = x[1] = 0;
    return;
  }
  // |x| falls with the multiplier; 1/|x| is nearly a straight line.
  double more = fmax(0, size / most - high), u = 0, v = 0;
  if (!(low > 1e-14 * high))
    more = fmax(more, 1e-14 * high);
  for (int i = 0; i < 50; i++) {
    u = along / (high + more);
    v = across / (low + more);
    double far = sqrt(u * u + v * v);
    if (far <= most * (1 + 4e-15))
      break;
    double fall = (u * u / (high + more) + v * v / (low + more)) / far;
    more += (far / most - 1) * far / fall;
  }
  x[0] = -(axis[0] * u - axis[1] * v);
  x[1] = -(axis[1] * u + axis[0] * v);
}

// The convex problem with r_N = push, from the x in r on: one disc after the other.
static void solve_discs(const problem *p, double push, int rounds, double *r)
{
  int m = p->m;
  for (int i = 1; i < m && r[0] > 0; i++)
    r[i] *= push / r[0];
  r[0] = push;
  for (int round = 0; round < rounds; round++) {
    double change = 0, size = 0;
    for (int k = 0; k < p->discs; k++) {
      int at = p->disc[k].row, n = p->disc[k].size;
      double b[2], x[2];
      for (int i = 0; i < n; i++) {
        b[i] = p->c[at + i] + p->law->shift[at + i - 1];
        for (int j = 0; j < m; j++)
          if (j < at || j >= at + n)
            b[i] += p->a[(at + i) * m + j] * r[j];
      }
      const double *a = p->a + at * m + at;
      solve_disc(n, a[0], n > 1 ? a[1] : 0, n > 1 ? a[m + 1] : 0, b, p->disc[k].mu * push, x);
      for (int i = 0; i < n; i++) {
        change += fabs(x[i] - r[at + i]);
        size += fabs(x[i]);
        r[at + i] = x[i];
      }
    }
    if (change <= settled * size)
      break;
  }
}

// The map of the normal law at r_N = push.
static double normal_map(const problem *p, double push, int rounds, double *r)
{
  double d[MOST_ROWS] = {0};
  solve_discs(p, push, rounds, r);
  velocity(p->m, p, r, d);
  return pc_row_map(&p->law->row, d[0], push);
}

// What became of a search: none if the normal law asks for more and more, then there may be no
// solution (Painleve); poor if the effort was too little to tell which side is which.
typedef enum found { NONE, POOR, GOOD } found;

// Rounds for the discs, and how often the bracket is narrowed.
typedef struct effort {
  int rounds, narrowings;
} effort;
static const effort efforts[] = {{2, 10}, {25, 100}, {ROUNDS, 100}};
enum { EFFORTS = sizeof efforts / sizeof *efforts };

// Newton from x, which stays; true if r is a solution then.
static bool finish(const problem *p, const double *x, double *r)
{
  double y[MOST_ROWS];
  memcpy(y, x, sizeof y);
  if (!newton(p, y) || !(y[0] >= 0))
    return false;
  memcpy(r, y, sizeof(double) * (size_t)p->m);
  return true;
}

static found bisect(const problem *p, double push, effort most, double *r)
{
  double low = 0, high = push, x[MOST_ROWS] = {0}, at_low = NAN, at_high;
  int side = 0;
  memcpy(x, r, sizeof(double) * (size_t)p->m);
  while (!((at_high = normal_map(p, high, most.rounds, x)) >= 0)) {
    low = high;
    at_low = at_high;
    high *= high < 1e3 * push ? 2 : 16; // far away only the direction counts
    if (!(high < 1e9 * push))
      return NONE;
  }
  if (finish(p, x, r))
    return GOOD;
  // Regula falsi with halved values where an end stays (Illinois); every third time the middle.
  for (int i = 0; i < most.narrowings && high - low > finest * high; i++) {
    bool straight = i % 3 != 2 && isfinite(at_low) && isfinite(at_high) && at_high > at_low;
    double part = straight ? -at_low / (at_high - at_low) : 0.5;
    double middle = low + fmin(fmax(part, 1e-3), 1 - 1e-3) * (high - low);
    double value = normal_map(p, middle, most.rounds, x);
    if (finish(p, x, r))
      return GOOD;
    if (value >= 0) {
      at_low *= side > 0 ? 0.5 : 1;
      high = middle;
      at_high = value;
    } else {
      at_high *= side < 0 ? 0.5 : 1;
      low = middle;
      at_low = value;
    }
    side = value >= 0 ? 1 : -1;
  }
  if (high - low > good * high)
    return POOR;
  solve_discs(p, high, ROUNDS, x);
  double d[MOST_ROWS] = {0}, map[MOST_ROWS], polished[MOST_ROWS];
  memcpy(polished, x, sizeof polished);
  bool better =
      newton(p, polished) || map_at(p->m, p, polished, d, map) < map_at(p->m, p, x, d, map);
  memcpy(r, better ? polished : x, sizeof(double) * (size_t)p->m);
  return map_at(p->m, p, r, d, map) <= good * (p->size + length(p->m, r)) ? GOOD : POOR;
}

// Neither sliding nor rolling.
static bool stick(const problem *p, const pc_block_local *local, double *r)
{
  int m = p->m, t = m - 1;
  const double *g = local->wide != NULL ? local->wide->g : local->g;
  const double *ng = local->wide != NULL ? local->wide->ng : local->ng;
  double schur = local->wide != NULL ? local->wide->schur : local->schur;
  double ct[MOST_ROWS - 1], cn = p->c[0], x[MOST_ROWS], slope;
  if (!(schur > 0))
    return false;
  for (int i = 0; i < t; i++) {
    ct[i] = p->c[1 + i] + p->law->shift[i];
    cn -= ng[i] * ct[i];
  }
  x[0] = pc_row_solve(&p->law->row, schur, cn, &slope);
  for (int i = 0; i < t; i++) {
    x[1 + i] = 0;
    for (int j = 0; j < t; j++)
      x[1 + i] -= g[i * t + j] * (ct[j] + p->a[(1 + j) * m] * x[0]);
  }
  for (int k = 0; k < p->discs; k++)
    if (!(length(p->disc[k].size, x + p->disc[k].row) <= p->disc[k].mu * x[0]))
      return false;
  memcpy(r, x, sizeof(double) * (size_t)m);
  return x[0] >= 0;
}

bool pc_rolling_solve(const pc_block_law *law, const pc_block_local *local, const double *c,
                      double *r)
{
  problem p = {.law = law, .m = law->rows, .c = c};
  p.a = local->wide != NULL ? local->wide->a : local->a;
  p.discs = pc_block_discs(law, p.disc);
  double slope, alone = pc_row_solve(&law->row, p.a[0], c[0], &slope), x[MOST_ROWS];
  // Without friction: no push, no friction. (A law may pull: then there is no friction either.)
  if (alone <= 0 || (law->mu == 0 && law->mu_r == 0)) {
    memset(r, 0, sizeof(double) * (size_t)p.m);
    r[0] = alone;
    return true;
  }
  if (stick(&p, local, r))
    return true;
  for (int i = 0; i < p.m; i++)
    p.size += fabs(c[i]) + (i > 0 ? fabs(law->shift[i - 1]) : 0);
  memcpy(x, r, sizeof(double) * (size_t)p.m);
  if (!(x[0] > 0)) {
    memset(x, 0, sizeof x);
    solve_discs(&p, alone, ROUNDS, x);
  }
  found it = newton(&p, x) && x[0] >= 0 ? GOOD : POOR;
  // The first, rough way may miss that there is an end to what is asked for.
  for (int i = 0; i < EFFORTS && (it == POOR || (it == NONE && i == 1)); i++) {
    memcpy(x, r, sizeof(double) * (size_t)p.m);
    pc_block_project(law, x);
    it = bisect(&p, alone, efforts[i], x);
  }
  if (it == GOOD)
    memcpy(r, x, sizeof(double) * (size_t)p.m);
  return it == GOOD;
}
