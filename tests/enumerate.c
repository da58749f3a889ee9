#include "enumerate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 80, MAX_STATUSES = 4, MAX_ROWS_ALL = 40 };

// One status of a row: either P = slope D+ + constant, or D+ = constant with P free; valid when
// D+ and P lie in the given ranges.
typedef struct option {
  bool fixed;
  double slope, constant;
  double d_low, d_high, p_low, p_high;
} option;

typedef struct row {
  double b[MAX_N]; // on the velocities that are free
  double offset;   // D = b U + offset
  double before;
  option option[MAX_STATUSES];
  int options;
} row;

typedef struct dense {
  int n, rows;
  double mass[MAX_N][MAX_N], momentum[MAX_N]; // M, M U- + P_ext
  row row[MAX_ROWS_ALL];
  int start[40];
  bool fixed[40][6];
} dense;

static option linear(double slope, double constant, double d_low, double d_high)
{
  return (option){false, slope, constant, d_low, d_high, -INFINITY, INFINITY};
}

static option held(double d, double p_low, double p_high)
{
  return (option){true, 0, d, -INFINITY, INFINITY, p_low, p_high};
}

static void normal_options(row *r, const pc_normal_law *law, bool unilateral, double bound)
{
  double m = r->before, k = law->k, low = unilateral ? bound : -INFINITY;
  option *o = r->option;
  switch (law->kind) {
  case PC_NORMAL_INELASTIC:
    o[r->options++] = linear(0, 0, low, INFINITY);
    if (unilateral)
      o[r->options++] = held(bound, -INFINITY, 0);
    break;
  case PC_NORMAL_RESTITUTION:
    o[r->options++] = linear(0, 0, bound - law->e * m, INFINITY);
    o[r->options++] = held(bound - law->e * m, -INFINITY, 0);
    break;
  case PC_NORMAL_QUADRATIC:
    o[r->options++] = linear(k / 2, k / 2 * m, low, INFINITY);
    if (unilateral)
      o[r->options++] = held(bound, -INFINITY, k / 2 * (bound + m));
    break;
  case PC_NORMAL_THRESHOLD: {
    double kink = -m - 2 * law->u_lim;
    o[r->options++] = linear(0, 0, fmax(low, kink), INFINITY);
    if (kink >= low)
      o[r->options++] = held(kink, -law->k0, 0);
    o[r->options++] = linear(k / 2, -law->k0 - k / 2 * kink, low, kink);
    if (unilateral)
      o[r->options++] =
          held(bound, -INFINITY, bound >= kink ? 0 : -law->k0 + k / 2 * (bound - kink));
    break;
  }
  case PC_NORMAL_PENETRABLE:
    o[r->options++] = linear(k / 2, k / 2 * m, 0, INFINITY);
    o[r->options++] = held(0, k / 2 * m - law->k0, k / 2 * m);
    o[r->options++] = linear(k / 2, k / 2 * m - law->k0, -INFINITY, 0);
    break;
  case PC_NORMAL_BILATERAL:
    o[r->options++] = held(bound, -INFINITY, INFINITY);
    break;
  default:
    abort();
  }
}

// D of one row as a function of all velocities: direction . velocity at a point, a spin, or rows.
static row *new_row(dense *s, const random_problem *p, const double (*coefficient)[6],
                    const int *bodies, int count, double given)
{
  row *r = &s->row[s->rows++];
  memset(r, 0, sizeof *r);
  r->offset = r->before = given;
  for (int t = 0; t < count; t++) {
    const pc_impact_body *body = &p->body[bodies[t]];
    int at = s->start[bodies[t]];
    for (int i = 0; i < body->dof; i++) {
      r->before += coefficient[t][i] * body->velocity[i];
      if (s->fixed[bodies[t]][i])
        r->offset += coefficient[t][i] * body->velocity[i];
      else
        r->b[at++] += coefficient[t][i];
    }
  }
  return r;
}

static void point_velocity(const pc_impact_body *body, const double *point, const double *e,
                           double sign, double *out)
{
  double x = point[0] - body->position[0], y = point[1] - body->position[1],
         z = point[2] - body->position[2];
  memset(out, 0, 6 * sizeof(double));
  int space = body->dof == 6 ? 3 : body->dof == 3 ? 2 : body->dof;
  for (int i = 0; i < space; i++)
    out[i] = sign * e[i];
  if (body->dof == 3)
    out[2] = sign * (x * e[1] - y * e[0]);
  if (body->dof == 6) {
    out[3] = sign * (y * e[2] - z * e[1]);
    out[4] = sign * (z * e[0] - x * e[2]);
    out[5] = sign * (x * e[1] - y * e[0]);
  }
}

static void add_interaction(dense *s, const random_problem *p, const pc_interaction *c)
{
  int count = c->bodies[1] < 0 ? 1 : 2;
  const pc_impact_body *first = &p->body[c->bodies[0]];
  double coefficient[2][6] = {{0}};
  if (c->type == PC_ROWS) {
    int bodies[2] = {0};
    for (int r = 0; r < c->rows; r++) {
      for (int t = 0; t < c->terms; t++) {
        bodies[t] = c->term[t].body;
        int n = p->body[bodies[t]].dof;
        memcpy(coefficient[t], c->term[t].coefficients + r * n, sizeof(double) * (size_t)n);
      }
      bool acts = r == 0 || c->law.tangential.kind == PC_TANGENTIAL_VISCOUS;
      if (!acts)
        continue;
      row *x = new_row(s, p, (const double(*)[6])coefficient, bodies, c->terms, 0);
      if (r == 0)
        normal_options(x, &c->law.normal,
                       c->unilateral || c->law.normal.kind == PC_NORMAL_INELASTIC, c->bound);
      else
        x->option[x->options++] = linear(c->law.tangential.k / 2,
                                         c->law.tangential.k / 2 * x->before, -INFINITY, INFINITY);
    }
    return;
  }
  int space = first->dof == 6 ? 3 : first->dof == 3 ? 2 : first->dof;
  if (c->type == PC_SPIN) {
    for (int r = 0; r < (space == 3 ? 3 : 1); r++) {
      memset(coefficient, 0, sizeof coefficient);
      for (int t = 0; t < count; t++)
        coefficient[t][space == 3 ? 3 + r : 2] = t == 0 ? 1 : -1;
      row *x = new_row(s, p, (const double(*)[6])coefficient, c->bodies, count, 0);
      normal_options(x, &c->law.normal, false, c->bound);
    }
    return;
  }
  if (c->type == PC_DISTANCE) {
    double e[3];
    for (int i = 0; i < 3; i++)
      e[i] = 2 * (c->points[0][i] - c->points[1][i]);
    for (int t = 0; t < count; t++)
      point_velocity(&p->body[c->bodies[t]], c->points[t], e, t == 0 ? 1 : -1, coefficient[t]);
    row *x = new_row(s, p, (const double(*)[6])coefficient, c->bodies, count, 0);
    normal_options(x, &c->law.normal, false, c->bound);
    return;
  }
  // Contact: the normal, then for a viscous law two directions across it, by Gram-Schmidt.
  double frame[3][3] = {{0}}, size = 0;
  for (int i = 0; i < space; i++)
    size += c->normal[i] * c->normal[i];
  for (int i = 0; i < space; i++)
    frame[0][i] = c->normal[i] / sqrt(size);
  int across = 0;
  for (int axis = 0; axis < space && across < space - 1; axis++) {
    double e[3] = {0}, norm = 0;
    e[axis] = 1;
    for (int f = 0; f <= across; f++) {
      double dot = 0;
      for (int i = 0; i < 3; i++)
        dot += e[i] * frame[f][i];
      for (int i = 0; i < 3; i++)
        e[i] -= dot * frame[f][i];
    }
    for (int i = 0; i < 3; i++)
      norm += e[i] * e[i];
    if (norm < 1e-3 * 1e-3)
      continue;
    across++;
    for (int i = 0; i < 3; i++)
      frame[across][i] = e[i] / sqrt(norm);
  }
  int rows = c->law.tangential.kind == PC_TANGENTIAL_VISCOUS ? space : 1;
  for (int r = 0; r < rows; r++) {
    double given = 0;
    for (int i = 0; i < space; i++)
      given += frame[r][i] * c->given[i];
    for (int t = 0; t < count; t++)
      point_velocity(&p->body[c->bodies[t]], c->point, frame[r], t == 0 ? 1 : -1, coefficient[t]);
    row *x = new_row(s, p, (const double(*)[6])coefficient, c->bodies, count, given);
    if (r == 0)
      normal_options(x, &c->law.normal, c->law.normal.kind != PC_NORMAL_PENETRABLE, c->bound);
    else
      x->option[x->options++] =
          linear(c->law.tangential.k / 2, c->law.tangential.k / 2 * x->before, -INFINITY, INFINITY);
  }
}

static bool gauss(int n, double (*a)[MAX_N + MAX_ROWS_ALL + 1])
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k]))
        pivot = i;
    if (!(fabs(a[pivot][k]) > 1e-11))
      return false;
    for (int j = 0; j <= n && pivot != k; j++) {
      double x = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = x;
    }
    for (int i = 0; i < n; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j <= n && i != k && f != 0; j++)
        a[i][j] -= f * a[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    a[i][n] /= a[i][i];
  return true;
}

static bool attempt(const dense *s, const int *choice, double *u)
{
  static double a[MAX_N + MAX_ROWS_ALL][MAX_N + MAX_ROWS_ALL + 1];
  int n = s->n, held_rows = 0, held_row[MAX_ROWS_ALL];
  for (int r = 0; r < s->rows; r++)
    if (s->row[r].option[choice[r]].fixed)
      held_row[held_rows++] = r;
  int total = n + held_rows;
  for (int i = 0; i < total; i++)
    memset(a[i], 0, sizeof(double) * (size_t)(total + 1));
  for (int i = 0; i < n; i++) {
    memcpy(a[i], s->mass[i], sizeof(double) * (size_t)n);
    a[i][total] = s->momentum[i];
  }
  for (int r = 0; r < s->rows; r++) {
    const row *x = &s->row[r];
    const option *o = &x->option[choice[r]];
    if (o->fixed)
      continue;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        a[i][j] += x->b[i] * o->slope * x->b[j];
      a[i][total] -= x->b[i] * (o->slope * x->offset + o->constant);
    }
  }
  for (int h = 0; h < held_rows; h++) {
    const row *x = &s->row[held_row[h]];
    for (int i = 0; i < n; i++)
      a[i][n + h] = a[n + h][i] = x->b[i];
    a[n + h][total] = x->option[choice[held_row[h]]].constant - x->offset;
  }
  if (!gauss(total, a))
    return false;
  for (int i = 0; i < n; i++)
    u[i] = a[i][total];
  for (int r = 0, h = 0; r < s->rows; r++) {
    const row *x = &s->row[r];
    const option *o = &x->option[choice[r]];
    double d = x->offset, p = o->fixed ? a[n + h++][total] : 0;
    for (int i = 0; i < n; i++)
      d += x->b[i] * u[i];
    double slack = 1e-9 * (1 + fabs(d)), push = 1e-9 * (1 + fabs(p));
    if (d < o->d_low - slack || d > o->d_high + slack)
      return false;
    if (o->fixed && (p < o->p_low - push || p > o->p_high + push))
      return false;
  }
  return true;
}

bool enumerate(const random_problem *p, long most, int *found, double (*after)[6])
{
  static dense s;
  memset(&s, 0, sizeof s);
  for (int b = 0; b < p->bodies; b++) {
    const pc_impact_body *body = &p->body[b];
    int linear_dofs = body->dof == 6 ? 3 : body->dof == 3 ? 2 : body->dof;
    s.start[b] = s.n;
    for (int i = 0; i < body->dof; i++)
      s.fixed[b][i] = isinf(i < linear_dofs ? body->mass : body->inertia[0]);
    int index[6];
    for (int i = 0; i < body->dof; i++)
      index[i] = s.fixed[b][i] ? -1 : s.n++;
    for (int i = 0; i < body->dof; i++) {
      if (index[i] < 0)
        continue;
      s.momentum[index[i]] = body->percussion[i];
      for (int j = 0; j < body->dof; j++) {
        if (index[j] < 0)
          continue;
        double m = i == j && i < linear_dofs ? body->mass : 0;
        if (i >= linear_dofs && j >= linear_dofs)
          m = body->dof == 3 ? body->inertia[0] : body->inertia[3 * (i - 3) + j - 3];
        s.mass[index[i]][index[j]] = m;
        s.momentum[index[i]] += m * body->velocity[j];
      }
    }
  }
  for (int k = 0; k < p->interactions; k++)
    add_interaction(&s, p, &p->interaction[k]);
  double combinations = 1;
  for (int r = 0; r < s.rows; r++)
    combinations *= s.row[r].options;
  if (combinations > (double)most)
    return false;
  int choice[MAX_ROWS_ALL] = {0};
  double u[MAX_N];
  *found = 0;
  for (;;) {
    if (attempt(&s, choice, u)) {
      *found = 1;
      for (int b = 0; b < p->bodies; b++)
        for (int i = 0, at = s.start[b]; i < p->body[b].dof; i++)
          after[b][i] = s.fixed[b][i] ? p->body[b].velocity[i] : u[at++];
      return true;
    }
    int r = 0;
    while (r < s.rows && ++choice[r] == s.row[r].options)
      choice[r++] = 0;
    if (r == s.rows)
      return true;
  }
}
