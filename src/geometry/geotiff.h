// GeoTIFF files, which GDAL's program gdal_translate turns into text.
#ifndef PERCUSS_GEOMETRY_GEOTIFF_H
#define PERCUSS_GEOMETRY_GEOTIFF_H

#include "core/input_file.h"

bool pc_geotiff_is_name(const char *path);
// Opens the file as an ESRI grid, with its projection as the last line if it has one. Where the
// program is not installed the message says which command converts the file.
pc_status pc_geotiff_open(pc_input_file *file, const char *path, pc_error *error);
// That the cells of such a grid are not square, and the command that makes them so.
pc_status pc_geotiff_fail_cells(pc_input_file *file);

#endif
