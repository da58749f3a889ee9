// The audit of contacts of the plane, one after the other. Two thirds of what contact_batch.h holds
// of a contact are zeros there, and gathering it takes longer than the work itself.
#ifndef PERCUSS_IMPACT_AUDIT_FLAT_H
#define PERCUSS_IMPACT_AUDIT_FLAT_H

#include <math.h>

#include "impact/audit_kernels.h"

// What it reads of a body, side by side.
typedef struct pc_flat_body {
  double x, y, light, inverse; // place, 1/mass, 1/inertia
  double before[3], after[3];  // velocities: x, y, spin
  bool prescribed;             // a velocity is
  bool movable;
} pc_flat_body;

// Whether all interactions are contacts of the plane without rolling friction.
static inline bool pc_audit_is_flat(const pc_impact *problem)
{
  return problem->numbers == 2 && problem->even == problem->interaction.count;
}

static inline void pc_audit_flat_body(const pc_impact *problem, int b, pc_flat_body *to)
{
  const pc_body_data *body = &problem->body.at[b];
  double v[2][3], w[2][3];
  pc_body_motion(body, problem->before.at, v[0], w[0]);
  pc_body_motion(body, problem->after.at, v[1], w[1]);
  *to = (pc_flat_body){.x = body->position[0],
                       .y = body->position[1],
                       .light = body->light,
                       .inverse = body->turn->inverse[5],
                       .before = {v[0][0], v[0][1], w[0][2]},
                       .after = {v[1][0], v[1][1], w[1][2]},
                       .prescribed = body->prescribed != 0,
                       .movable = body->movable};
}

// D at one of two moments.
typedef struct pc_flat_velocity {
  double x, y;
} pc_flat_velocity;
static inline pc_flat_velocity pc_flat_difference(const double *given, const double *one,
                                                  const double *two, const double arm[2][2])
{
  return (pc_flat_velocity){given[0] + one[0] - two[0] + (two[2] * arm[1][1] - one[2] * arm[0][1]),
                            given[1] + one[1] - two[1] + (one[2] * arm[0][0] - two[2] * arm[1][0])};
}

static inline void pc_audit_raise(double *most, double a)
{
  *most = a > *most ? a : *most;
}

// A contact in its lane, with the numbers that KERNEL(audit_measure) gives. The second body is one
// without mass and velocity where there is an obstacle.
static inline void pc_audit_flat_measure(const pc_impact *problem, const pc_interaction_data *data,
                                         const pc_flat_body *a, const pc_flat_body *b, int k,
                                         const pc_audit_numbers *to, pc_audit_first *sums)
{
  const double *law = problem->law.at[data->law].balance; // from PC_IN_E on
  const double *p = problem->force.at + data->row, *n = data->normal, *at = data->point;
  const double tangential = law[PC_IN_TANGENTIAL - PC_IN_E],
               with_sign = law[PC_IN_SIGNED - PC_IN_E];
  const double friction = law[PC_IN_FRICTION - PC_IN_E],
               restitution = law[PC_IN_RESTITUTION - PC_IN_E];
  const double stiff = law[PC_IN_K - PC_IN_E], e = law[0];
  double arm[2][2] = {{at[0] - a->x, at[1] - a->y}, {at[0] - b->x, at[1] - b->y}};
  const double *given = pc_interaction_given(problem, data);
  pc_flat_velocity u = pc_flat_difference(given, a->before, b->before, arm);
  pc_flat_velocity v = pc_flat_difference(given, a->after, b->after, arm);
  double px = p[0], py = p[1], x = px * (0.5 * (u.x + v.x)), y = py * (0.5 * (u.y + v.y));
  double before = n[0] * u.x + n[1] * u.y, after = n[0] * v.x + n[1] * v.y;
  double np = n[0] * px + n[1] * py, along = np * (0.5 * (before + after));
  double across = tangential * (x + y - along);
  double bound = data->bound - e * before, size = fabs(data->bound);
  double far_a = arm[0][0] * arm[0][0] + arm[0][1] * arm[0][1];
  double far_b = arm[1][0] * arm[1][0] + arm[1][1] * arm[1][1];
  double trace = 2 * (a->light + b->light) + far_a * a->inverse + far_b * b->inverse;
  int lane = k % PC_BATCH_LANES;
  to->before[k] = before;
  to->after[k] = after;
  to->percussion[k] = np;
  to->bound[k] = bound;
  to->k[k] = stiff;
  to->across[k] = with_sign * across;
  to->square[k] = px * px + py * py;
  to->trace[k] = trace;
  sums->dissipated[lane] += along + across;
  sums->friction[lane] += friction * across;
  sums->restitution[lane] += restitution * across;
  sums->terms[lane] += fabs(x) + fabs(y);
  pc_audit_raise(&sums->penetration[lane], bound - after);
  pc_audit_raise(&sums->speed[lane], fabs(before));
  pc_audit_raise(&sums->speed[lane], size < INFINITY ? size : 0);
}

// A contact that is not measured here: nothing acts at it.
static inline void pc_audit_flat_leave_out(int k, const pc_audit_numbers *to)
{
  to->before[k] = to->after[k] = to->percussion[k] = to->k[k] = 0;
  to->across[k] = to->square[k] = to->trace[k] = 0;
  to->bound[k] = -INFINITY;
}

#endif
