// Well-known text: POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION.
#ifndef PERCUSS_SCENE_WKT_H
#define PERCUSS_SCENE_WKT_H

#include <stdbool.h>

#include "core/array.h"
#include "percuss/status.h"

typedef struct pc_wkt_ring {
  int first, count; // points, without the last one, which is the first again
  int polygon;      // from 0
  bool hole;
} pc_wkt_ring;
typedef double pc_wkt_point[2];
typedef struct pc_wkt {
  PC_ARRAY(pc_wkt_ring) rings;
  PC_ARRAY(pc_wkt_point) points;
  int polygons;
} pc_wkt;
// Polygons that touch or overlap are joined.
pc_status pc_wkt_read(pc_wkt *wkt, const char *text, pc_error *error);
pc_status pc_wkt_join(pc_wkt *wkt, pc_error *error); // wkt_join.c
void pc_wkt_free(pc_wkt *wkt);

#endif
