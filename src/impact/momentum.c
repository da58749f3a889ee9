// The balance of momentum. Functions that take `dof` get body->dof, a constant where `simple` is
// true: then the body has a mass and an inertia, and no velocity is prescribed.
#include "impact/momentum.h"

#include <math.h>

#include "core/small.h"

#define INLINE static inline __attribute__((always_inline))

// The dof of a simple body, else 0.
static inline int simple_dof(const pc_body_data *body)
{
  return body->prescribed == 0 && !body->general ? body->dof : 0;
}

INLINE int space_of(int dof)
{
  return dof == 6 ? 3 : dof == 3 ? 2 : dof;
}

INLINE bool is_free(bool simple, const pc_body_data *body, int i)
{
  return simple || !pc_body_prescribes(body, i);
}

// Adds M u to g and gives |M| |u| in `size`. A simple body has nothing in g yet.
INLINE void add_momentum(int dof, bool simple, const pc_impact *problem, const pc_body_data *body,
                         const double *u, double *g, double *size)
{
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const double *inertia = body->turn->inertia;
  int space = body->general && !simple ? 0 : space_of(dof);
  for (int i = 0; i < dof; i++)
    size[i] = 0;
  for (int i = 0; i < space; i++)
    if (is_free(simple, body, i)) {
      double x = body->mass * u[i];
      g[i] = simple ? x : g[i] + x;
      size[i] = fabs(x);
    }
  if (dof == 3 && space > 0 && is_free(simple, body, 2)) {
    double x = inertia[5] * u[2];
    g[2] = simple ? x : g[2] + x;
    size[2] = fabs(x);
  }
  for (int i = 0; i < 3 && dof == 6 && space > 0; i++)
    for (int j = 0; j < 3; j++)
      if (is_free(simple, body, 3 + i) && is_free(simple, body, 3 + j)) {
        double x = inertia[at[i][j]] * u[3 + j];
        g[3 + i] = simple && j == 0 ? x : g[3 + i] + x;
        size[3 + i] = simple && j == 0 ? fabs(x) : size[3 + i] + fabs(x);
      }
  if (simple || !body->general)
    return;
  double mass[PC_MAX_DOF * PC_MAX_DOF];
  pc_body_mass(problem, body, mass);
  for (int i = 0; i < dof; i++)
    for (int j = 0; j < dof; j++)
      if (is_free(simple, body, i) && is_free(simple, body, j)) {
        g[i] += mass[i * dof + j] * u[j];
        size[i] += fabs(mass[i * dof + j] * u[j]);
      }
}

// |L^T f|^2
INLINE double whitened_square(int dof, bool simple, const pc_impact *problem,
                              const pc_body_data *body, const double *f)
{
  const double *l = body->turn->inverse_root;
  if (simple && dof == 6) {
    double x = l[0] * f[3], y = l[1] * f[3] + l[3] * f[4];
    double z = l[2] * f[3] + l[4] * f[4] + l[5] * f[5];
    return body->root * body->root * pc_dot3(f, f) + (x * x + y * y + z * z);
  }
  if (simple) {
    double x = body->root * f[0], y = body->root * f[1], z = dof == 3 ? l[5] * f[2] : 0;
    return x * x + y * y + z * z;
  }
  double y[PC_MAX_DOF], sum = 0;
  pc_body_whiten(problem, body, f, y);
  for (int i = 0; i < dof; i++)
    sum += y[i] * y[i];
  return sum;
}

// Kinetic energies, sizes of the external percussions p and their work.
INLINE void add_energies(int dof, bool simple, const pc_body_data *body, const double *before,
                         const double *after, const double *u, const double *v, const double *p,
                         pc_momentum_sums *sums)
{
  if (simple && dof == 6) {
    for (int i = 0; i < 6; i += 3) {
      sums->before += 0.5 * pc_dot3(before + i, u + i);
      sums->after += 0.5 * pc_dot3(after + i, v + i);
      sums->kick += fabs(p[i]) + fabs(p[i + 1]) + fabs(p[i + 2]);
      sums->work += 0.5 * (pc_dot3(p + i, u + i) + pc_dot3(p + i, v + i));
    }
    return;
  }
  for (int i = 0; i < dof; i++) {
    if (!is_free(simple, body, i))
      continue;
    sums->before += 0.5 * before[i] * u[i];
    sums->after += 0.5 * after[i] * v[i];
    sums->kick += fabs(p[i]);
    sums->work += p[i] * 0.5 * (u[i] + v[i]);
  }
}

static inline double *balance_of(const pc_momentum *momentum, int b)
{
  return momentum->balance + 2L * momentum->width * b;
}

INLINE void begin_body(int dof, bool simple, const pc_momentum *momentum, int b,
                       pc_momentum_sums *sums)
{
  const pc_impact *problem = momentum->problem;
  const pc_body_data *body = &problem->body.at[b];
  const double *u = problem->before.at + body->start, *v = problem->after.at + body->start;
  const double *p = problem->percussion.at + body->start, inertia = problem->quasi_static ? 0 : 1;
  double before[PC_MAX_DOF], after[PC_MAX_DOF], size[PC_MAX_DOF];
  double *missing = balance_of(momentum, b), *sizes = missing + momentum->width;
  for (int i = 0; i < dof && !simple; i++) {
    before[i] = momentum->before != NULL ? momentum->before[body->start + i] : 0;
    after[i] = momentum->after != NULL ? momentum->after[body->start + i] : 0;
  }
  add_momentum(dof, simple, problem, body, v, after, size);
  add_momentum(dof, simple, problem, body, u, before, size);
  add_energies(dof, simple, body, before, after, u, v, p, sums);
  for (int i = 0; i < dof; i++)
    size[i] += fabs(p[i]);
  sums->energy += 0.5 * whitened_square(dof, simple, problem, body, size);
  for (int i = 0; i < dof; i++) {
    bool free = is_free(simple, body, i);
    double push = p[i];
    missing[i] = free ? inertia * (after[i] - before[i]) - push : 0;
    sizes[i] = free ? inertia * fabs(after[i]) + fabs(before[i]) + fabs(push) : 0;
  }
}

void pc_momentum_begin(const pc_momentum *momentum, int begin, int end, pc_momentum_sums *sums)
{
  const pc_impact *problem = momentum->problem;
  bool coupled = momentum->before != NULL;
  pc_momentum_sums own = *sums;
  for (int b = begin; b < end; b++) {
    const pc_body_data *body = &problem->body.at[b];
    pc_prefetch(problem->body.at, b + PC_FAR, sizeof *problem->body.at);
    if (momentum->width > 2)
      pc_prefetch(problem->turn.at, b + PC_FAR, sizeof *problem->turn.at);
    own.mass += body->light > 0 ? body->mass : 0;
    switch (coupled ? 0 : simple_dof(body)) {
    case 2:
      begin_body(2, true, momentum, b, &own);
      break;
    case 3:
      begin_body(3, true, momentum, b, &own);
      break;
    case 6:
      begin_body(6, true, momentum, b, &own);
      break;
    default:
      begin_body(body->dof, false, momentum, b, &own);
    }
  }
  *sums = own;
}

// P of a contact on one of its bodies, and its moment.
INLINE void push_body(int dof, const pc_momentum *momentum, const pc_interaction_data *data,
                      const pc_body_data *body, double sign, double *missing)
{
  const double *p = momentum->problem->force.at + data->row;
  const int space = space_of(dof), turning = dof == 3 ? 2 : 3, first = dof == 3 ? 2 : 0;
  double *sizes = missing + (dof == 2 ? momentum->width : PC_MAX_DOF), part[PC_MAX_DOF],
         size[PC_MAX_DOF], arm[3];
  for (int i = 0; i < data->spins && dof > 2; i++) { // the moment of rolling friction
    double moment = sign * p[data->rows + i];
    missing[turning + i] += moment;
    sizes[turning + i] += fabs(moment);
  }
  for (int i = 0; i < space; i++) {
    part[i] = sign * p[i];
    size[i] = fabs(part[i]);
    arm[i] = data->point[i] - body->position[i];
  }
  for (int i = first; i < 3 && dof > 2; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3, to = turning + i - first;
    double plus = arm[j] * part[k], minus = arm[k] * part[j];
    part[to] = plus - minus;
    size[to] = fabs(plus) + fabs(minus);
  }
  for (int i = 0; i < dof; i++)
    missing[i] += part[i];
  for (int i = 0; i < dof; i++)
    sizes[i] += size[i];
}

// P of a contact on those of its bodies that are among first .. last. With `points` all bodies have
// two velocities.
INLINE void push_contact(bool points, const pc_momentum *momentum, const pc_interaction_data *data,
                         int first, int last)
{
  for (int t = 0; t < data->terms; t++) {
    int b = data->body[t];
    const pc_body_data *body = &momentum->problem->body.at[b];
    double *missing = momentum->balance + 2L * (points ? 2 : PC_MAX_DOF) * b;
    double sign = t == 0 ? 1 : -1;
    if (b < first || b >= last || !body->movable)
      continue;
    if (points || body->dof == 2)
      push_body(2, momentum, data, body, sign, missing);
    else if (body->dof == 6)
      push_body(6, momentum, data, body, sign, missing);
    else if (body->dof == 3)
      push_body(3, momentum, data, body, sign, missing);
    else
      push_body(1, momentum, data, body, sign, missing);
  }
}

static void push_rows(const pc_momentum *momentum, const pc_interaction_data *data, int first,
                      int last)
{
  const double *p = momentum->problem->force.at + data->row;
  for (int t = 0; t < data->terms; t++) {
    int b = pc_term_body(momentum->problem, data, t);
    const pc_body_data *body = &momentum->problem->body.at[b];
    const double *row = pc_term_rows(momentum->problem, data, NULL, t);
    double *missing = balance_of(momentum, b);
    if (b < first || b >= last || !body->movable)
      continue;
    for (int r = 0; r < data->rows; r++, row += body->dof)
      for (int i = 0; i < body->dof; i++) {
        missing[i] += row[i] * p[r];
        missing[momentum->width + i] += fabs(row[i] * p[r]);
      }
  }
}

void pc_momentum_push(const pc_momentum *momentum, int begin, int end, int first, int last)
{
  const pc_impact *problem = momentum->problem;
  bool spread = pc_spread(problem), points = momentum->width == 2;
  for (int k = begin; k < end; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    if (spread && k + PC_FAR < end)
      pc_prefetch_bodies(problem, data + PC_FAR);
    if (data->type != PC_CONTACT)
      push_rows(momentum, data, first, last);
    else if (points)
      push_contact(true, momentum, data, first, last);
    else
      push_contact(false, momentum, data, first, last);
  }
}

INLINE void end_body(int dof, bool simple, const pc_momentum *momentum, int b,
                     pc_momentum_sums *sums)
{
  const pc_impact *problem = momentum->problem;
  const pc_body_data *body = &problem->body.at[b];
  const double *missing = balance_of(momentum, b);
  sums->defect += whitened_square(dof, simple, problem, body, missing);
  sums->size += whitened_square(dof, simple, problem, body, missing + momentum->width);
}

void pc_momentum_end(const pc_momentum *momentum, int begin, int end, pc_momentum_sums *sums)
{
  pc_momentum_sums own = *sums;
  for (int b = begin; b < end; b++) {
    const pc_body_data *body = &momentum->problem->body.at[b];
    __builtin_prefetch(body + PC_FAR);
    switch (simple_dof(body)) {
    case 2:
      end_body(2, true, momentum, b, &own);
      break;
    case 3:
      end_body(3, true, momentum, b, &own);
      break;
    case 6:
      end_body(6, true, momentum, b, &own);
      break;
    default:
      end_body(body->dof, false, momentum, b, &own);
    }
  }
  *sums = own;
}

// Adds the momenta through the masses that couple bodies.
static void couple(const pc_impact *problem, const double *u, double *g)
{
  for (int c = 0; c < problem->mass.count; c++) {
    const pc_coupling *coupling = &problem->mass.at[c];
    const pc_body_data *a = &problem->body.at[coupling->i], *b = &problem->body.at[coupling->j];
    for (int i = 0; i < a->dof; i++)
      for (int j = 0; j < b->dof; j++) {
        if (pc_body_prescribes(a, i) || pc_body_prescribes(b, j))
          continue;
        double m = problem->block.at[coupling->at + i * b->dof + j];
        g[a->start + i] += m * u[b->start + j];
        g[b->start + j] += m * u[a->start + i];
      }
  }
}

bool pc_momentum_create(pc_momentum *momentum, const pc_impact *problem, pc_arena *arena)
{
  size_t numbers = (size_t)problem->body.count + 1, dofs = (size_t)problem->dofs;
  *momentum = (pc_momentum){.problem = problem, .width = problem->others ? PC_MAX_DOF : 2};
  momentum->balance =
      pc_arena_take_raw(arena, 2 * (size_t)momentum->width * numbers, sizeof(double));
  if (problem->mass.count > 0) {
    momentum->before = pc_arena_take(arena, dofs, sizeof(double));
    momentum->after = pc_arena_take(arena, dofs, sizeof(double));
  }
  if (arena->failed)
    return false;
  couple(problem, problem->before.at, momentum->before);
  couple(problem, problem->after.at, momentum->after);
  return true;
}
