// GeoJSON (RFC 7946): the polygons of a plan, in metres.
#ifndef PERCUSS_SCENE_GEOJSON_H
#define PERCUSS_SCENE_GEOJSON_H

#include <stddef.h>

#include "scene/polygons.h"

typedef struct pc_geojson {
  const char *property, *value; // only features with this value of this property; NULL: all
  int others;                   // geometries that are no polygons and were left out
} pc_geojson;

// The polygons as they are written: see pc_polygons_join. `name` is what messages call the file.
// Coordinates in degrees are rejected where that can be seen: a plan of less than a centimetre, or
// a coordinate reference system that is in degrees.
pc_status pc_geojson_read(pc_polygons *polygons, pc_geojson *from, const char *name,
                          const char *text, size_t size, pc_error *error);

#endif
