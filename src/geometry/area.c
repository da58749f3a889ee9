// Areas of surfaces, and lengths of outlines in the plane.
#include <math.h>

#include "core/small.h"
#include "geometry/shape.h"
#include "geometry/surface.h"

static const double PI = 3.14159265358979323846;

static double hull_area(const pc_hull *hull)
{
  double sum = 0, twice[3];
  for (int f = 0; f < hull->faces; f++) {
    int first = hull->face_start[f];
    pc_loop_area(hull->face_start[f + 1] - first, hull->face_vertex + first,
                 (const double(*)[3])hull->vertex, twice);
    sum += 0.5 * pc_norm(3, twice);
  }
  return sum;
}

static double polygon_length(const pc_shape *shape)
{
  double sum = 0;
  for (int i = 0, n = shape->polygon.count; i < n; i++) {
    const double *a = shape->polygon.vertex[i], *b = shape->polygon.vertex[(i + 1) % n];
    sum += hypot(b[0] - a[0], b[1] - a[1]);
  }
  return sum;
}

double pc_shape_area(const pc_shape *shape)
{
  double sum = 0, r = shape->rod.radius, length = 2 * shape->rod.half;
  switch (shape->type) {
  case PC_SPHERE:
    return 4 * PI * shape->ball * shape->ball;
  case PC_BOX:
  case PC_POLYHEDRON:
    return hull_area(&shape->hull);
  case PC_CAPSULE:
    return 2 * PI * r * (2 * r + length);
  case PC_CYLINDER:
    return 2 * PI * r * (r + length);
  case PC_COMPOUND:
    for (int i = 0; i < shape->compound.count; i++)
      sum += pc_shape_area(shape->compound.child[i].shape);
    return sum;
  case PC_DISC:
    return 2 * PI * shape->ball;
  case PC_POLYGON:
    return polygon_length(shape);
  default:
    return 0;
  }
}
