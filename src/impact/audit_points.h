// The audit of a problem whose bodies are all in the plane and do not turn, with contacts alone: a
// crowd. The same sums as for other bodies, in the same order; the balance of momentum of a body is
// four numbers instead of sixteen.
#ifndef PERCUSS_IMPACT_AUDIT_POINTS_H
#define PERCUSS_IMPACT_AUDIT_POINTS_H

#include <math.h>

#include "impact/problem.h"

enum { PC_POINT_BALANCE = 4, PC_POINT_SIZE = 2 };

// What bodies add to the account; see body_account in audit.c.
typedef struct pc_point_sums {
  double energy, before, after, kick, work;
} pc_point_sums;

static inline bool pc_audit_is_of_points(const pc_impact *problem)
{
  return !problem->others && problem->opened == problem->interactions && problem->masses == 0 &&
         problem->responses == 0;
}

static inline double pc_point_size2(const pc_body_data *body, const double *f)
{
  double x = body->root * f[0], y = body->root * f[1];
  return x * x + y * y;
}

// What a body has and gets, without contacts.
static inline void pc_point_begin(const pc_impact *problem, int b, double *all, pc_point_sums *sums)
{
  const pc_body_data *body = &problem->body[b];
  const double *u = problem->before + body->start, *v = problem->after + body->start;
  const double *p = problem->percussion + body->start, mass = body->mass;
  double inertia = problem->quasi_static ? 0 : 1, size[2];
  double *balance = all + (long)PC_POINT_BALANCE * b;
  for (int i = 0; i < 2; i++) {
    double before = mass * u[i], after = mass * v[i];
    size[i] = fabs(p[i]) + fabs(before);
    balance[i] = inertia * (after - before) - p[i];
    balance[PC_POINT_SIZE + i] = inertia * fabs(after) + fabs(before) + fabs(p[i]);
    sums->before += 0.5 * before * u[i];
    sums->after += 0.5 * after * v[i];
    sums->kick += fabs(p[i]);
    sums->work += p[i] * 0.5 * (u[i] + v[i]);
  }
  sums->energy += 0.5 * pc_point_size2(body, size);
}

// P of contacts begin .. end, to bodies first .. last.
static inline void pc_point_push(const pc_impact *problem, int begin, int end, int first, int last,
                                 double *all)
{
  for (int k = begin; k < end; k++) {
    const pc_interaction_data *data = &problem->interaction[k];
    const double *p = problem->force + data->row;
    for (int t = 0; t < data->terms; t++) {
      int b = data->body[t];
      if (b < first || b >= last)
        continue;
      double x = t == 0 ? p[0] : -p[0], y = t == 0 ? p[1] : -p[1];
      double *balance = all + (long)PC_POINT_BALANCE * b;
      balance[0] += x;
      balance[1] += y;
      balance[PC_POINT_SIZE] += fabs(x);
      balance[PC_POINT_SIZE + 1] += fabs(y);
    }
  }
}

#endif
