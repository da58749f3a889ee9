// Vectors of space by value, for the geometry of contacts.
#ifndef PERCUSS_GEOMETRY_VECTOR_H
#define PERCUSS_GEOMETRY_VECTOR_H

#include <math.h>

#include "geometry/pose.h"

typedef struct pc_vec {
  double x, y, z;
} pc_vec;

static inline pc_vec pc_vec_of(const double v[3])
{
  return (pc_vec){v[0], v[1], v[2]};
}

static inline void pc_vec_store(pc_vec a, double out[3])
{
  out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

static inline pc_vec pc_add(pc_vec a, pc_vec b)
{
  return (pc_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline pc_vec pc_sub(pc_vec a, pc_vec b)
{
  return (pc_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline pc_vec pc_scale(double s, pc_vec a)
{
  return (pc_vec){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline pc_vec pc_along(pc_vec a, double s, pc_vec b)
{
  return (pc_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double pc_dot(pc_vec a, pc_vec b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline pc_vec pc_times(pc_vec a, pc_vec b)
{
  return (pc_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double pc_length(pc_vec a)
{
  return sqrt(pc_dot(a, a));
}

static inline double pc_distance(pc_vec a, pc_vec b)
{
  return pc_length(pc_sub(a, b));
}

// A unit vector along a, or `otherwise` where a has no direction.
static inline pc_vec pc_unit(pc_vec a, pc_vec otherwise)
{
  double size = pc_length(a);
  return size > 1e-150 ? pc_scale(1 / size, a) : otherwise;
}

// A unit vector at right angles to the unit vector a.
static inline pc_vec pc_across(pc_vec a)
{
  pc_vec other = fabs(a.x) < 0.6 ? (pc_vec){1, 0, 0} : (pc_vec){0, 1, 0};
  return pc_unit(pc_times(a, other), (pc_vec){0, 0, 1});
}

static inline pc_vec pc_turn(const double m[9], pc_vec v)
{
  return (pc_vec){m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                  m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

static inline pc_vec pc_turn_back(const double m[9], pc_vec v)
{
  return (pc_vec){m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                  m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

#endif
