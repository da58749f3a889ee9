#include "scene/polygons.h"

#include "core/error.h"

void pc_polygons_free(pc_polygons *polygons)
{
  pc_array_free(&polygons->rings);
  pc_array_free(&polygons->points);
}

pc_status pc_polygons_add_ring(pc_polygons *polygons, int first, bool hole, pc_error *error)
{
  pc_ring ring = {.first = first, .polygon = polygons->count, .hole = hole};
  ring.count = polygons->points.count - first - 1;
  if (ring.count < 0)
    return pc_fail(error, PC_ERROR_INPUT, "a ring has no points");
  const double *a = polygons->points.at[first], *b = polygons->points.at[first + ring.count];
  if (a[0] != b[0] || a[1] != b[1])
    return pc_fail(error, PC_ERROR_INPUT,
                   "the ring that starts at (%.9g, %.9g) is not closed: it ends at (%.9g, %.9g)",
                   a[0], a[1], b[0], b[1]);
  if (ring.count < 3)
    return pc_fail(error, PC_ERROR_INPUT,
                   "the ring that starts at (%.9g, %.9g) has fewer than three corners", a[0], a[1]);
  pc_ring *added = pc_array_add(&polygons->rings);
  if (added == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  *added = ring;
  return PC_OK;
}
