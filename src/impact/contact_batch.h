// Contacts gathered by fours, number by number, for the audit and for packing: a vector holds one
// number of several contacts. Some groups are filled before the first is read: a vector cannot be
// read at once where its parts have just been written one by one.
#ifndef PERCUSS_IMPACT_CONTACT_BATCH_H
#define PERCUSS_IMPACT_CONTACT_BATCH_H

#include <string.h>

#include "impact/contact_side.h"

enum { PC_BATCH_LANES = 4, PC_BATCH_GROUPS = 8, PC_BATCH = PC_BATCH_LANES * PC_BATCH_GROUPS };
// Numbers of a contact. Its velocity is rate + spin x arm of the first side - the same of the
// second, at each of two moments.
enum {
  PC_IN_NORMAL = 0,
  PC_IN_FORCE = 3,
  PC_IN_ARM = 6,   // of both sides
  PC_IN_RATE = 12, // at the first moment, at the second
  PC_IN_SPIN = 18, // of both sides at the first moment, then at the second
  PC_IN_INVERSE = 30,
  PC_IN_LIGHT = 42,
  PC_IN_BOUND = 43,
  PC_IN_OWN = 44, // numbers of the audit or of packing
  PC_IN_ALL = 53
};
typedef struct pc_batch {
  _Alignas(64) double group[PC_BATCH_GROUPS][PC_IN_ALL][PC_BATCH_LANES];
} pc_batch;

// The numbers of contact `lane` in a batch, PC_BATCH_LANES apart.
static inline double *pc_batch_at(pc_batch *batch, int lane)
{
  return &batch->group[lane / PC_BATCH_LANES][0][lane % PC_BATCH_LANES];
}

static inline void pc_batch_put3(double *at, int i, const double *v)
{
  for (int j = 0; j < 3; j++)
    at[(i + j) * PC_BATCH_LANES] = v[j];
}

// One side of a contact; an obstacle has no body. `u` gets its velocities at both moments.
static inline void pc_batch_side(const pc_impact *problem, const pc_interaction_data *data, int t,
                                 const double *const velocity[2], double u[2][3], double *at)
{
  static const double nothing[6] = {0};
  const double *inverse = nothing;
  double arm[3] = {0}, spin[2][3] = {{0}};
  memset(u, 0, 2 * sizeof *u);
  if (t < data->terms) {
    const pc_body_data *body = &problem->body.at[data->body[t]];
    inverse = body->turn->inverse;
    pc_body_motion(body, velocity[0], u[0], spin[0]);
    pc_body_motion(body, velocity[1], u[1], spin[1]);
    pc_side_arm(body, data->point, arm);
  }
  pc_batch_put3(at, PC_IN_SPIN + 3 * t, spin[0]);
  pc_batch_put3(at, PC_IN_SPIN + 6 + 3 * t, spin[1]);
  pc_batch_put3(at, PC_IN_ARM + 3 * t, arm);
  pc_batch_put3(at, PC_IN_INVERSE + 6 * t, inverse);
  pc_batch_put3(at, PC_IN_INVERSE + 6 * t + 3, inverse + 3);
}

// All numbers but PC_IN_LIGHT and those from PC_IN_OWN on; `u`: velocities of the sides at both
// moments. Returns 1/mass of both sides together.
static inline double pc_batch_gather(const pc_impact *problem, const pc_interaction_data *data,
                                     const double *const velocity[2], double u[2][2][3], double *at)
{
  const double *force = problem->force.at + data->row;
  const double *given = pc_interaction_given(problem, data);
  double light = 0;
  for (int t = 0; t < 2; t++)
    pc_batch_side(problem, data, t, velocity, u[t], at);
  for (int t = 0; t < data->terms; t++)
    light += problem->body.at[data->body[t]].light;
  for (int i = 0; i < 3; i++) {
    at[(PC_IN_NORMAL + i) * PC_BATCH_LANES] = data->normal[i];
    at[(PC_IN_FORCE + i) * PC_BATCH_LANES] = i < data->rows ? force[i] : 0;
    for (int m = 0; m < 2; m++)
      at[(PC_IN_RATE + 3 * m + i) * PC_BATCH_LANES] = given[i] + u[0][m][i] - u[1][m][i];
  }
  at[PC_IN_BOUND * PC_BATCH_LANES] = data->bound;
  return light;
}

#endif
