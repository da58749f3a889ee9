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

#include "core/small.h"

void pc_coulomb_clip(int n, double length, double *x)
{
  double norm = pc_norm(n, x);
  if (norm > length)
    for (int i = 0; i < n; i++)
      x[i] *= length / norm;
}

typedef struct slide {
  const pc_block_law *law;
  const double *a; // 3 x 3
  const double *c;
  double ct[2]; // c_T + shift
} slide;

typedef struct slide_point {
  bool valid; // a(t) > 0
  double normal, v[2], g, dg;
} slide_point;

static slide_point slide_at(const slide *s, double angle)
{
  const double *a = s->a;
  double mu = s->law->mu, t[2] = {cos(angle), sin(angle)}, slope;
  double normal_mass = a[0] - mu * (a[1] * t[0] + a[2] * t[1]);
  slide_point p = {0};
  if (!(normal_mass > 1e-12 * a[0]))
    return p;
  p.valid = true;
  p.normal = pc_row_solve(&s->law->row, normal_mass, s->c[0], &slope);
  if (p.normal < 0)
    p.normal = slope = 0;
  double column[2], across[2], u[2] = {-t[1], t[0]};
  for (int i = 0; i < 2; i++) {
    const double *row = a + 3 * (i + 1);
    column[i] = row[0] - mu * (row[1] * t[0] + row[2] * t[1]);
    across[i] = -mu * (row[1] * u[0] + row[2] * u[1]);
    p.v[i] = s->ct[i] + column[i] * p.normal;
  }
  // d r_N / d a = -slope r_N / (1 + a slope)
  double stiff = isinf(slope) ? 1 / normal_mass : slope / (1 + normal_mass * slope);
  double d_normal = stiff * p.normal * mu * (a[1] * u[0] + a[2] * u[1]);
  double dv[2];
  for (int i = 0; i < 2; i++)
    dv[i] = column[i] * d_normal + across[i] * p.normal;
  p.g = t[0] * p.v[1] - t[1] * p.v[0];
  p.dg = u[0] * p.v[1] - u[1] * p.v[0] + t[0] * dv[1] - t[1] * dv[0];
  return p;
}

static bool opposes(const slide *s, double angle, const slide_point *p)
{
  double along = cos(angle) * p->v[0] + sin(angle) * p->v[1];
  return p->valid && along >= -1e-13 * (fabs(s->ct[0]) + fabs(s->ct[1]));
}

static void slide_result(const slide *s, double angle, const slide_point *p, double *r)
{
  r[0] = p->normal;
  r[1] = -s->law->mu * p->normal * cos(angle);
  r[2] = -s->law->mu * p->normal * sin(angle);
}

static bool newton(const slide *s, double angle, double *r)
{
  double size = fabs(s->ct[0]) + fabs(s->ct[1]);
  for (int i = 0; i < 12; i++) {
    slide_point p = slide_at(s, angle);
    if (!p.valid || p.dg == 0)
      return false;
    double step = -p.g / p.dg;
    if (fabs(p.g) <= 4e-16 * size || fabs(step) <= 4e-16) {
      if (!opposes(s, angle, &p))
        return false;
      slide_result(s, angle, &p, r);
      return true;
    }
    if (fabs(step) > 0.7)
      step = copysign(0.7, step);
    angle += step;
  }
  return false;
}

enum { SAMPLES = 48 };

// All sign changes of g around the circle, bisected; the root nearest to `near` wins.
static bool scan(const slide *s, double near, double *r)
{
  double width = 2 * 3.14159265358979323846 / SAMPLES, best = INFINITY;
  slide_point left = slide_at(s, near);
  for (int i = 0; i < SAMPLES; i++) {
    double a = near + i * width, b = a + width;
    slide_point right = slide_at(s, b);
    if (left.valid && right.valid && (left.g <= 0) != (right.g <= 0)) {
      double low = a, high = b;
      bool rising = left.g <= 0;
      for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if ((slide_at(s, middle).g <= 0) == rising)
          low = middle;
        else
          high = middle;
      }
      double angle = 0.5 * (low + high);
      slide_point p = slide_at(s, angle);
      double distance = fabs(remainder(angle - near, SAMPLES * width));
      if (opposes(s, angle, &p) && distance < best) {
        best = distance;
        slide_result(s, angle, &p, r);
      }
    }
    left = right;
  }
  return best < INFINITY;
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

bool pc_coulomb_solve(const pc_block_law *law, const pc_block_local *local, const double *c,
                      double *r)
{
  int m = law->rows, t = m - 1;
  double slope;
  // Without friction: no push, no friction. (A law may pull: then there is no friction either.)
  double alone = pc_row_solve(&law->row, local->a[0], c[0], &slope);
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
    stick[0] = pc_row_solve(&law->row, local->schur, cn, &slope);
    for (int i = 0; i < t; i++) {
      stick[1 + i] = 0;
      for (int j = 0; j < t; j++)
        stick[1 + i] -= local->g[i * t + j] * (ct[j] + local->a[(1 + j) * m] * stick[0]);
    }
    if (stick[0] >= 0 && pc_norm(t, stick + 1) <= law->mu * stick[0]) {
      memcpy(r, stick, sizeof(double) * (size_t)m);
      return true;
    }
  }
  if (m == 2)
    return solve_plane(law, local, c, r);
  slide s = {law, local->a, c, {ct[0], ct[1]}};
  double previous = atan2(-r[2], -r[1]);
  bool moved = r[1] != 0 || r[2] != 0;
  double start = moved ? previous : atan2(ct[1], ct[0]);
  return newton(&s, start, r) || scan(&s, start, r);
}
