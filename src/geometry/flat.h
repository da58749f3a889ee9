// Vectors of the plane by value; beside vector.h, for shapes of the plane.
#ifndef PERCUSS_GEOMETRY_FLAT_H
#define PERCUSS_GEOMETRY_FLAT_H

#include "geometry/vector.h"

typedef struct flat {
  double x, y;
} flat;

static inline double dot(flat a, flat b)
{
  return a.x * b.x + a.y * b.y;
}
static inline flat minus(flat a, flat b)
{
  return (flat){a.x - b.x, a.y - b.y};
}
static inline flat along(flat a, double s, flat b)
{
  return (flat){a.x + s * b.x, a.y + s * b.y};
}
static inline pc_vec lift(flat a)
{
  return (pc_vec){a.x, a.y, 0};
}

#endif
