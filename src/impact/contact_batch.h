// Contacts gathered by fours, number by number, so that vectors hold one number of several
// contacts: for the audit and for packing. Some groups are filled before the first is read: a
// vector cannot be read at once where its parts have just been written one by one.
#ifndef PERCUSS_IMPACT_CONTACT_BATCH_H
#define PERCUSS_IMPACT_CONTACT_BATCH_H

#include "impact/problem.h"

enum { PC_BATCH_LANES = 4, PC_BATCH_GROUPS = 8, PC_BATCH = PC_BATCH_LANES * PC_BATCH_GROUPS };
// Numbers of a contact. Its velocity is rate + spin x arm of the first side - the same of the
// second, at each of two moments.
enum {
  PC_IN_NORMAL = 0,
  PC_IN_FORCE = 3,
  PC_IN_ARM = 6,
  PC_IN_RATE = 12,
  PC_IN_SPIN = 18, // both sides at the first moment, then at the second
  PC_IN_INVERSE = 30,
  PC_IN_LIGHT = 42, // of both sides together
  PC_IN_BOUND = 43,
  PC_IN_SIDES = 44, // if asked for: velocities of both sides at the first moment
  PC_IN_OWN = 50,   // more of whoever gathers
  PC_IN_ALL = 56
};
typedef double pc_batch_group[PC_IN_ALL][PC_BATCH_LANES];
typedef struct pc_batch {
  _Alignas(64) pc_batch_group group[PC_BATCH_GROUPS];
} pc_batch;

// The numbers of contact `lane`, PC_BATCH_LANES apart from each other.
static inline double *pc_batch_at(pc_batch *batch, int lane)
{
  return &batch->group[lane / PC_BATCH_LANES][0][lane % PC_BATCH_LANES];
}

static inline void pc_batch_put3(double *at, int i, const double *v)
{
  at[i * PC_BATCH_LANES] = v[0];
  at[(i + 1) * PC_BATCH_LANES] = v[1];
  at[(i + 2) * PC_BATCH_LANES] = v[2];
}

// Velocity and spin of a body; of one with two velocities if `points`, which is a constant.
static inline __attribute__((always_inline)) void
pc_batch_motion(bool points, const pc_body_data *body, const double *velocity, double *v, double *w)
{
  if (!points) {
    pc_body_motion(body, velocity, v, w);
    return;
  }
  v[0] = velocity[body->start];
  v[1] = velocity[body->start + 1];
}

// One side; its velocities are added to rate[2][3] with the sign of the side.
static inline __attribute__((always_inline)) void
pc_batch_side(bool points, const pc_body_data *body, const pc_interaction_data *data, int t,
              const double *first, const double *second, bool sides, double rate[2][3], double *at)
{
  double arm[3], u[3], spin[3];
  for (int m = 0; m < 2; m++) {
    pc_batch_motion(points, body, m == 0 ? first : second, u, spin);
    for (int i = 0; i < (points ? 2 : 3); i++)
      rate[m][i] = t == 0 ? rate[m][i] + u[i] : rate[m][i] - u[i];
    if (!points)
      pc_batch_put3(at, PC_IN_SPIN + 6 * m + 3 * t, spin);
    if (m == 0 && sides)
      pc_batch_put3(at, PC_IN_SIDES + 3 * t, u);
  }
  if (points)
    return;
  for (int i = 0; i < 3; i++)
    arm[i] = data->point[i] - body->position[i];
  pc_batch_put3(at, PC_IN_ARM + 3 * t, arm);
  pc_batch_put3(at, PC_IN_INVERSE + 6 * t, body->turn->inverse);
  pc_batch_put3(at, PC_IN_INVERSE + 6 * t + 3, body->turn->inverse + 3);
}

// A side where there is nothing.
static inline void pc_batch_no_side(int t, double *at)
{
  const double none[3] = {0};
  pc_batch_put3(at, PC_IN_ARM + 3 * t, none);
  pc_batch_put3(at, PC_IN_INVERSE + 6 * t, none);
  pc_batch_put3(at, PC_IN_INVERSE + 6 * t + 3, none);
  pc_batch_put3(at, PC_IN_SPIN + 3 * t, none);
  pc_batch_put3(at, PC_IN_SPIN + 6 + 3 * t, none);
  pc_batch_put3(at, PC_IN_SIDES + 3 * t, none);
}

// A contact with two vectors of velocities. `points` and `sides` are constants. With `points` all
// bodies have two velocities: what the z axis and turning would add stays as it is, and must have
// been cleared before.
static inline __attribute__((always_inline)) void
pc_batch_gather(bool points, const pc_impact *problem, const pc_interaction_data *data,
                const double *first, const double *second, bool sides, double *at)
{
  const double *force = problem->force + data->row, *w = data->given;
  double rate[2][3] = {{w[0], w[1], w[2]}, {w[0], w[1], w[2]}};
  const pc_body_data *body = &problem->body[data->body[0]];
  double light = body->light;
  pc_batch_side(points, body, data, 0, first, second, sides, rate, at);
  if (data->terms > 1) {
    body = &problem->body[data->body[1]];
    light += body->light;
    pc_batch_side(points, body, data, 1, first, second, sides, rate, at);
  } else if (!points) {
    pc_batch_no_side(1, at);
  }
  for (int i = 0; i < (points ? 2 : 3); i++) {
    at[(PC_IN_NORMAL + i) * PC_BATCH_LANES] = data->normal[i];
    at[(PC_IN_FORCE + i) * PC_BATCH_LANES] = points || i < data->rows ? force[i] : 0;
    at[(PC_IN_RATE + i) * PC_BATCH_LANES] = rate[0][i];
    at[(PC_IN_RATE + 3 + i) * PC_BATCH_LANES] = rate[1][i];
  }
  at[PC_IN_LIGHT * PC_BATCH_LANES] = light;
  at[PC_IN_BOUND * PC_BATCH_LANES] = data->bound;
}

#endif
