// Well-known text: POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION.
#ifndef PERCUSS_SCENE_WKT_H
#define PERCUSS_SCENE_WKT_H

#include "scene/polygons.h"

// The polygons as they are written: see pc_polygons_join.
pc_status pc_wkt_read(pc_polygons *polygons, const char *text, pc_error *error);

#endif
