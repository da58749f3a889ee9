// Polygons with holes: what can be walked on, as plans of any format give it.
#ifndef PERCUSS_SCENE_POLYGONS_H
#define PERCUSS_SCENE_POLYGONS_H

#include <stdbool.h>

#include "core/array.h"
#include "percuss/status.h"

typedef struct pc_ring {
  int first, count; // points, without the last one, which is the first again
  int polygon;      // from 0
  bool hole;
} pc_ring;
typedef double pc_ring_point[2];
typedef struct pc_polygons {
  PC_ARRAY(pc_ring) rings;
  PC_ARRAY(pc_ring_point) points;
  int count; // polygons
} pc_polygons;

// Makes a ring of the next polygon from the last points: those from number `first` on. The last of
// these must be the first again.
pc_status pc_polygons_add_ring(pc_polygons *polygons, int first, bool hole, pc_error *error);
// Polygons that touch or overlap are joined. Fails if there are none.
pc_status pc_polygons_join(pc_polygons *polygons, pc_error *error); // polygons_join.c
// The same also of one polygon, whose holes may touch or overlap each other and its outline.
pc_status pc_polygons_cut(pc_polygons *polygons, pc_error *error); // polygons_join.c
// Makes corners and edges that are within `reach` of each other meet exactly, by moving and adding
// corners. If all do so within `exact`, nothing is changed. `low` is near the points.
pc_status pc_polygons_snap(pc_polygons *polygons, double reach, double exact, const double low[2],
                           pc_error *error); // polygons_snap.c
void pc_polygons_free(pc_polygons *polygons);

#endif
