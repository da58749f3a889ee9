// Delaunay's triangulation of points in the plane, by qhull.
#ifndef PERCUSS_GEOMETRY_DELAUNAY_H
#define PERCUSS_GEOMETRY_DELAUNAY_H

#include "percuss/status.h"

// Its edges, i < j, in order, each once; to be freed by the caller. Fewer than three points, or
// points on one line, have the edges from each to the next along the line.
pc_status pc_delaunay_edges(int count, const double (*point)[2], int (**edges)[2], int *edge_count,
                            pc_error *error);

#endif
