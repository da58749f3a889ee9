// Exact local solution of Coulomb's law with any normal law: separated, sticking, or sliding along
// an angle found as the root of a scalar function.
//
// Sliding along t: r_T = -mu r_N t, so D_N+ = c_N + a(t) r_N with a(t) = A_NN - mu A_NT t, which
// gives r_N by the normal law, then v(t) = c_T + shift + (A_TN - mu A_TT t) r_N must be along t: g
// = t x v = 0 and t.v >= 0. If a(t) <= 0 for the t that would do, there may be no solution at all
// (Painleve); the caller keeps the percussion it had and the residual tells.
#include "impact/laws/coulomb.h"

#include <math.h>
#include <string.h>

// Shortens x (n numbers) to the given length.
static void clip(int n, double length, double *x)
{
  double square = 0;
  for (int i = 0; i < n; i++)
    square += x[i] * x[i];
  if (square > length * length) {
    double part = length / sqrt(square);
    for (int i = 0; i < n; i++)
      x[i] *= part;
  }
}

void pc_block_project(const pc_block_law *law, double *r)
{
  if (law->tangential != PC_TANGENTIAL_COULOMB)
    return;
  clip(law->rows - 1 - law->rolls, law->mu * fmax(r[0], 0), r + 1);
  if (law->rolls > 0)
    clip(law->rolls, law->mu_r * fmax(r[0], 0), r + law->rows - law->rolls);
}

// r_N where D_N+ = c + a r_N, and its compliance to a: d r_N / d a = -stiff r_N. The laws without a
// dissipative part are the common case, and known here.
static inline double solve_normal(const pc_row_law *law, double a, double c, double *stiff)
{
  if (law->ops == &pc_law_inelastic || law->ops == &pc_law_restitution) {
    *stiff = c < law->bound ? 1 / a : 0;
    return c < law->bound ? (law->bound - c) * *stiff : 0;
  }
  double slope, r = pc_row_solve(law, a, c, &slope);
  *stiff = isinf(slope) ? 1 / a : slope / (1 + a * slope);
  return r;
}

typedef struct slide {
  const pc_block_law *law;
  const double *a; // 3 x 3
  const double *c;
  double ct[2]; // c_T + shift
} slide;

// Sliding along the unit vector t; u is t turned by a quarter.
typedef struct slide_point {
  bool valid; // a(t) > 0
  double t[2], normal, v[2], g, dg;
} slide_point;

static inline slide_point slide_at(const slide *s, const double *t)
{
  const double *a = s->a;
  double mu = s->law->mu, u[2] = {-t[1], t[0]}, stiff;
  double normal_mass = a[0] - mu * (a[1] * t[0] + a[2] * t[1]);
  slide_point p = {.t = {t[0], t[1]}};
  if (!(normal_mass > 1e-12 * a[0]))
    return p;
  p.valid = true;
  p.normal = solve_normal(&s->law->row, normal_mass, s->c[0], &stiff);
  if (p.normal < 0)
    p.normal = stiff = 0;
  double d_normal = stiff * p.normal * mu * (a[1] * u[0] + a[2] * u[1]), dv[2];
  for (int i = 0; i < 2; i++) {
    const double *row = a + 3 * (i + 1);
    double column = row[0] - mu * (row[1] * t[0] + row[2] * t[1]);
    double across = -mu * (row[1] * u[0] + row[2] * u[1]);
    p.v[i] = s->ct[i] + column * p.normal;
    dv[i] = column * d_normal + across * p.normal;
  }
  p.g = t[0] * p.v[1] - t[1] * p.v[0];
  p.dg = u[0] * p.v[1] - u[1] * p.v[0] + t[0] * dv[1] - t[1] * dv[0];
  return p;
}

static inline bool opposes(const slide *s, const slide_point *p)
{
  double along = p->t[0] * p->v[0] + p->t[1] * p->v[1];
  return p->valid && along >= -1e-13 * (fabs(s->ct[0]) + fabs(s->ct[1]));
}

static inline void slide_result(const slide *s, const slide_point *p, double *r)
{
  r[0] = p->normal;
  r[1] = -s->law->mu * p->normal * p->t[0];
  r[2] = -s->law->mu * p->normal * p->t[1];
}

// Newton on the angle, but without angles: the step -g/dg turns t by 2 atan(step/2). Once a step is
// below 1e-8 the next point is exact.
static bool newton(const slide *s, const double *start, double *r)
{
  double noise = 4e-16 * (fabs(s->ct[0]) + fabs(s->ct[1])), t[2] = {start[0], start[1]};
  bool last = false;
  for (int i = 0; i < 12; i++) {
    slide_point p = slide_at(s, t);
    if (!p.valid || p.dg == 0)
      return false;
    if (last || fabs(p.g) <= noise) {
      if (!opposes(s, &p))
        return false;
      slide_result(s, &p, r);
      return true;
    }
    last = fabs(p.g) <= 1e-8 * fabs(p.dg);
    double most = 0.7 * fabs(p.dg), g = fabs(p.g) > most ? copysign(most, p.g) : p.g;
    double by = 1 / (4 * p.dg * p.dg + g * g);
    double cosine = (4 * p.dg * p.dg - g * g) * by, sine = -4 * g * p.dg * by;
    t[0] = cosine * p.t[0] - sine * p.t[1];
    t[1] = cosine * p.t[1] + sine * p.t[0];
  }
  return false;
}

enum { SAMPLES = 48, HALVINGS = 60 };
// cos and sin of a turn over SAMPLES
static const double sample_turn[2] = {0.99144486137381038, 0.13052619222005157};

// The direction half way between two that are less than half a turn apart.
static void between(const double *a, const double *b, double *middle)
{
  double x = a[0] + b[0], y = a[1] + b[1], size = sqrt(x * x + y * y);
  middle[0] = x / size;
  middle[1] = y / size;
}

// The root of g between two directions where it has different signs.
static slide_point bisect(const slide *s, const slide_point *left, const slide_point *right)
{
  double low[2] = {left->t[0], left->t[1]}, high[2] = {right->t[0], right->t[1]}, middle[2];
  bool rising = left->g <= 0;
  slide_point p = *left;
  for (int k = 0; k < HALVINGS; k++) {
    between(low, high, middle);
    p = slide_at(s, middle);
    if (p.g == 0)
      break;
    memcpy((p.g <= 0) == rising ? low : high, middle, sizeof middle);
  }
  return p;
}

// All sign changes of g around the circle; the root nearest to `start` wins.
static bool scan(const slide *s, const double *start, double *r)
{
  double nearest = -INFINITY;
  slide_point left = slide_at(s, start);
  for (int i = 0; i < SAMPLES; i++) {
    double c = sample_turn[0], n = sample_turn[1];
    slide_point right =
        slide_at(s, (double[]){c * left.t[0] - n * left.t[1], c * left.t[1] + n * left.t[0]});
    if (left.valid && right.valid && (left.g <= 0) != (right.g <= 0)) {
      slide_point p = bisect(s, &left, &right);
      double near = p.t[0] * start[0] + p.t[1] * start[1];
      if (opposes(s, &p) && near > nearest) {
        nearest = near;
        slide_result(s, &p, r);
      }
    }
    left = right;
  }
  return nearest > -INFINITY;
}

static bool solve_plane(const pc_block_law *law, const pc_block_local *local, const double *c,
                        double *r)
{
  const double *a = local->a; // 2 x 2
  double ct = c[1] + law->shift[0], slope;
  double first = r[1] > 0 || (r[1] == 0 && ct < 0) ? -1 : 1;
  for (int i = 0; i < 2; i++) {
    double t = i == 0 ? first : -first, mass = a[0] - law->mu * a[1] * t;
    if (!(mass > 1e-12 * a[0]))
      continue;
    double normal = fmax(0, pc_row_solve(&law->row, mass, c[0], &slope));
    double v = ct + (a[2] - law->mu * a[3] * t) * normal;
    if (v * t >= -1e-13 * fabs(ct)) {
      r[0] = normal;
      r[1] = -law->mu * normal * t;
      return true;
    }
  }
  return false;
}

static inline bool solve_sized(int m, const pc_block_law *law, const pc_block_local *local,
                               const double *c, double *r)
{
  int t = m - 1;
  double stiff;
  // Without friction: no push, no friction. (A law may pull: then there is no friction either.)
  double alone = solve_normal(&law->row, local->a[0], c[0], &stiff);
  if (alone <= 0 || law->mu == 0 || t == 0) {
    memset(r, 0, sizeof(double) * (size_t)m);
    r[0] = alone;
    return true;
  }
  // Sticking: v = 0.
  double ct[2] = {0}, cn = c[0], stick[3];
  for (int i = 0; i < t; i++)
    ct[i] = c[1 + i] + law->shift[i];
  for (int i = 0; i < t; i++)
    cn -= local->ng[i] * ct[i];
  if (local->schur > 0) {
    stick[0] = solve_normal(&law->row, local->schur, cn, &stiff);
    double reach = law->mu * stick[0], length = 0;
    for (int i = 0; i < t; i++) {
      stick[1 + i] = 0;
      for (int j = 0; j < t; j++)
        stick[1 + i] -= local->g[i * t + j] * (ct[j] + local->a[(1 + j) * m] * stick[0]);
      length += stick[1 + i] * stick[1 + i];
    }
    if (stick[0] >= 0 && length <= reach * reach) {
      memcpy(r, stick, sizeof(double) * (size_t)m);
      return true;
    }
  }
  if (m == 2)
    return solve_plane(law, local, c, r);
  // Sliding: Newton starts from the direction of the percussion so far.
  slide s = {law, local->a, c, {ct[0], ct[1]}};
  bool moved = r[1] != 0 || r[2] != 0;
  double start[2] = {moved ? -r[1] : ct[0], moved ? -r[2] : ct[1]};
  double norm = sqrt(start[0] * start[0] + start[1] * start[1]);
  start[0] = norm > 0 ? start[0] / norm : 1;
  start[1] = norm > 0 ? start[1] / norm : 0;
  return newton(&s, start, r) || scan(&s, start, r);
}

bool pc_coulomb_solve(const pc_block_law *law, const pc_block_local *local, const double *c,
                      double *r)
{
  switch (law->rows) {
  case 3:
    return solve_sized(3, law, local, c, r);
  case 2:
    return solve_sized(2, law, local, c, r);
  default:
    return solve_sized(1, law, local, c, r);
  }
}
