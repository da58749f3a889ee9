// What is common to all laws: the table of families, and blocks with a linear tangential law.
// Coulomb's law is in coulomb.c, rolling friction in rolling.c.
#include "impact/laws/law.h"

#include <math.h>
#include <string.h>

#include "core/small.h"
#include "impact/laws/coulomb.h"
#include "impact/laws/rolling.h"

static const pc_row_ops *const families[PC_NORMAL_KINDS] = {
    [PC_NORMAL_INELASTIC] = &pc_law_inelastic,   [PC_NORMAL_QUADRATIC] = &pc_law_quadratic,
    [PC_NORMAL_POWER] = &pc_law_power,           [PC_NORMAL_THRESHOLD] = &pc_law_threshold,
    [PC_NORMAL_PENETRABLE] = &pc_law_penetrable, [PC_NORMAL_RESTITUTION] = &pc_law_restitution,
    [PC_NORMAL_BILATERAL] = &pc_law_bilateral,
};

const pc_row_ops *pc_row_ops_of(pc_normal_kind kind)
{
  return (unsigned)kind < PC_NORMAL_KINDS ? families[kind] : NULL;
}

pc_law pc_law_default(void)
{
  return (pc_law){.normal = {.kind = PC_NORMAL_INELASTIC, .p = 2},
                  .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {0.5}, .on = PC_ON_AFTER}};
}

const char *pc_normal_kind_name(pc_normal_kind kind)
{
  const pc_row_ops *ops = pc_row_ops_of(kind);
  return ops == NULL ? "none" : ops->name;
}

const char *pc_tangential_kind_name(pc_tangential_kind kind)
{
  static const char *const names[PC_TANGENTIAL_KINDS] = {"none", "viscous", "coulomb", "bilateral"};
  return (unsigned)kind < PC_TANGENTIAL_KINDS ? names[kind] : "unknown";
}

pc_row_form pc_row_pieces(const pc_row_law *law)
{
  pc_row_form form = {0};
  law->ops->form(law, &form);
  if (!law->equality && isfinite(law->bound))
    form.piece[form.pieces++] = (pc_piece){.alpha = law->bound, .beta = 1};
  return form;
}

bool pc_block_convex(const pc_block_law *law)
{
  return law->tangential != PC_TANGENTIAL_COULOMB;
}

void pc_block_prepare(const pc_block_law *law, const double *a, pc_block_local *local,
                      pc_rolling_local *wide)
{
  int m = law->rows, n = law->normal, t = m - n;
  memset(local, 0, sizeof *local);
  local->wide = wide;
  double *own = wide != NULL ? wide->a : local->a, *g = wide != NULL ? wide->g : local->g;
  double *ng = wide != NULL ? wide->ng : local->ng;
  memcpy(own, a, sizeof(double) * (size_t)(m * m));
  if (t > 0) {
    // Viscous: r_T = -(k/2)(D_T+ + D_T-) gives G = (k/2) (1 + (k/2) A_TT)^-1. Tied or sticking:
    // G = A_TT^-1, where a direction that cannot move gets no percussion.
    double att[16], trace = 0;
    for (int i = 0; i < t; i++)
      for (int j = 0; j < t; j++)
        att[i * t + j] = a[(i + n) * m + j + n];
    for (int i = 0; i < t; i++)
      trace += att[i * t + i];
    if (law->tangential == PC_TANGENTIAL_VISCOUS) {
      for (int i = 0; i < t * t; i++)
        att[i] *= 0.5 * law->k;
      for (int i = 0; i < t; i++)
        att[i * t + i] += 1;
      pc_small_inverse(t, att, g);
      for (int i = 0; i < t * t; i++)
        g[i] *= 0.5 * law->k;
    } else if (trace > 0) {
      for (int i = 0; i < t; i++)
        att[i * t + i] += 1e-15 * trace;
      pc_small_inverse(t, att, g);
    }
  }
  if (n == 1) {
    double schur = a[0];
    for (int i = 0; i < t; i++) {
      for (int j = 0; j < t; j++)
        ng[i] += a[1 + j] * g[j * t + i];
      schur -= ng[i] * a[(1 + i) * m];
    }
    *(wide != NULL ? &wide->schur : &local->schur) = schur;
  }
}

// Normal row and linear tangential rows: eliminate the tangential ones, solve the normal one.
static inline void solve_linear(int m, int n, const pc_block_law *law, const pc_block_local *local,
                                const double *c, double *r)
{
  int t = m - n;
  double ct[3];
  for (int i = 0; i < t; i++)
    ct[i] = c[n + i] + law->shift[i];
  if (n == 1) {
    double cn = c[0], slope;
    for (int i = 0; i < t; i++)
      cn -= local->ng[i] * ct[i];
    r[0] = pc_row_solve(&law->row, local->schur, cn, &slope);
    for (int i = 0; i < t; i++)
      ct[i] += local->a[(1 + i) * m] * r[0];
  }
  for (int i = 0; i < t; i++) {
    r[n + i] = 0;
    for (int j = 0; j < t; j++)
      r[n + i] -= local->g[i * t + j] * ct[j];
  }
}

bool pc_block_solve(const pc_block_law *law, const pc_block_local *local, const double *c,
                    double *r)
{
  if (law->rolls > 0)
    return pc_rolling_solve(law, local, c, r);
  if (law->tangential == PC_TANGENTIAL_COULOMB)
    return pc_coulomb_solve(law, local, c, r);
  if (law->rows == 3 && law->normal == 1)
    solve_linear(3, 1, law, local, c, r);
  else if (law->rows == 1 && law->normal == 1)
    solve_linear(1, 1, law, local, c, r);
  else
    solve_linear(law->rows, law->normal, law, local, c, r);
  return true;
}

void pc_block_prox(const pc_block_law *law, double a, const double *c, double *r)
{
  double slope;
  int n = law->normal;
  if (n == 1)
    r[0] = pc_row_solve(&law->row, a, c[0], &slope);
  switch (law->tangential) {
  case PC_TANGENTIAL_VISCOUS:
    for (int i = n; i < law->rows; i++)
      r[i] = -0.5 * law->k * (c[i] + law->shift[i - n]) / (1 + 0.5 * a * law->k);
    break;
  case PC_TANGENTIAL_COULOMB:
    for (int i = n; i < law->rows; i++)
      r[i] = -(c[i] + law->shift[i - n]) / a;
    pc_block_project(law, r);
    break;
  default:
    for (int i = n; i < law->rows; i++)
      r[i] = -(c[i] + law->shift[i - n]) / a;
  }
}

void pc_block_residual(const pc_block_law *law, const double *d, const double *r, double *residual)
{
  int n = law->normal, t = law->rows - n;
  if (law->rolls > 0) {
    pc_rolling_residual(law, d, r, residual);
    return;
  }
  double v[3], x[3];
  if (n == 1)
    residual[0] = pc_row_map(&law->row, d[0], r[0]);
  for (int i = 0; i < t; i++) {
    v[i] = d[n + i] + law->shift[i];
    x[i] = r[n + i] - v[i];
  }
  double most = 0, size = pc_norm(t, x);
  if (law->tangential == PC_TANGENTIAL_COULOMB)
    most = law->mu * fmax(r[0] - residual[0], 0);
  for (int i = 0; i < t; i++) {
    if (law->tangential == PC_TANGENTIAL_VISCOUS)
      residual[n + i] = (r[n + i] + 0.5 * law->k * v[i]) / (1 + 0.5 * law->k);
    else if (law->tangential == PC_TANGENTIAL_COULOMB && size > most)
      residual[n + i] = r[n + i] - x[i] * (most / size);
    else
      residual[n + i] = v[i];
  }
}
