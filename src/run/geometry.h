// What can be walked on, as well-known text.
#ifndef PERCUSS_RUN_GEOMETRY_H
#define PERCUSS_RUN_GEOMETRY_H

#include "crowd/crowd.h"
#include "scene/polygons.h"

// The polygons of a floor: its outlines, or of walls without outlines what they enclose from
// outside, with exits, doors and stairs as if they were closed. Obstacles are holes.
pc_status pc_geometry_of_floor(const pc_crowd *crowd, int floor, pc_polygons *polygons,
                               pc_error *error);

#endif
