// The sides of a contact: arms, velocities, and the sizes that residuals are relative to.
#ifndef PERCUSS_IMPACT_CONTACT_SIDE_H
#define PERCUSS_IMPACT_CONTACT_SIDE_H

#include <math.h>

#include "core/small.h"
#include "impact/problem.h"

static inline double pc_larger(double a, double b)
{
  return a > b ? a : b;
}

// One side of a contact, as its response needs it.
typedef struct pc_side {
  const pc_body_data *body;
  double sign, arm[3];
  double v[3], w[3]; // before
} pc_side;

static inline void pc_times_inertia(const double *x, const double *v, double *out)
{
  out[0] = x[0] * v[0] + x[1] * v[1] + x[2] * v[2];
  out[1] = x[1] * v[0] + x[3] * v[1] + x[4] * v[2];
  out[2] = x[2] * v[0] + x[4] * v[1] + x[5] * v[2];
}

// A line of packs or pairs (velocity, a number, spin) as the velocities of a body.
static inline void pc_line_to_body(const pc_body_data *body, const double *line, double *u)
{
  int n = body->dof, space = n == 6 ? 3 : n == 3 ? 2 : n;
  for (int i = 0; i < space; i++)
    u[i] = line[i];
  if (n == 3)
    u[2] = line[6];
  for (int i = 3; i < n; i++)
    u[i] = line[1 + i];
}

static inline void pc_side_arm(const pc_body_data *body, const double *point, double *arm)
{
  for (int i = 0; i < 3; i++)
    arm[i] = point[i] - body->position[i];
}

// Adds the velocity of the point to u, with the sign of the side.
static inline void pc_side_velocity(const pc_side *side, const double *v, const double *w,
                                    double *u)
{
  double turn[3];
  pc_cross(w, side->arm, turn);
  for (int i = 0; i < 3; i++)
    u[i] += side->sign * (v[i] + turn[i]);
}

// The trace of the response of one side over all axes, or its normal part.
static inline double pc_side_trace(const pc_side *side, const double *normal, int space, int rows)
{
  const double *x = side->body->turn->inverse, *r = side->arm;
  double turned[3], axis[3];
  if (rows > 1) {
    pc_times_inertia(x, r, turned);
    return space * side->body->light + pc_dot3(r, r) * (x[0] + x[3] + x[5]) - pc_dot3(r, turned);
  }
  pc_cross(r, normal, axis);
  pc_times_inertia(x, axis, turned);
  return side->body->light + pc_dot3(axis, turned);
}

static inline double pc_size1(const double *v)
{
  return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

// Velocities that a relative one is the difference of, along e.
static inline double pc_noise_along(int terms, const pc_side *side, const double *e)
{
  double noise = 0, turn[3];
  for (int t = 0; t < terms; t++) {
    pc_cross(side[t].arm, e, turn);
    for (int i = 0; i < 3; i++)
      noise += fabs(e[i] * side[t].v[i]) + fabs(turn[i] * side[t].w[i]);
  }
  return noise;
}

// Sizes of the free and former velocities, as in islands.c. The noise is seldom the largest, and is
// left out where it cannot be.
static inline void pc_contact_sizes(const pc_interaction_data *data, const pc_side *side, int rows,
                                    double mass, const double *before, const double *free,
                                    double *sums)
{
  const double *n = data->normal;
  double most = 0, normal_free = pc_dot3(n, free), normal_before = pc_dot3(n, before);
  double across_free = pc_dot3(free, free) - normal_free * normal_free;
  double across_before = pc_dot3(before, before) - normal_before * normal_before;
  double along = pc_larger(fabs(normal_free), fabs(normal_before));
  double across = rows > 1 ? pc_larger(pc_larger(across_free, across_before), 0) : 0; // rounded
  for (int t = 0; t < data->terms; t++)
    most += pc_size1(side[t].v) + pc_size1(side[t].w) * pc_size1(side[t].arm);
  if (!(1.01e-3 * most <= along) || (rows > 1 && !(1.1e-6 * most * most <= across))) {
    double frame[9], noise = 1e-3 * pc_noise_along(data->terms, side, n), noise_across = 0;
    pc_contact_axes(n, data->rows < 3, frame);
    along = pc_larger(along, noise);
    for (int i = 1; i < rows; i++) {
      noise = 1e-3 * pc_noise_along(data->terms, side, frame + 3 * i);
      noise_across += noise * noise;
    }
    across = pc_larger(across, noise_across);
  }
  if (data->bound > along)
    along = data->bound;
  sums[0] += mass * (along * along + across);
  sums[1] += along * along + across;
}

#endif
