// The Delaunay triangulation of points in the plane, by qhull.
#ifndef PERCUSS_BENCH_DELAUNAY_H
#define PERCUSS_BENCH_DELAUNAY_H

#include "pair_list.h"

// Adds the edges to the list, sorted, each once. Three points, fewer, or points on one line have
// the edges from each to the next along the line, and three points all three. False: out of memory.
bool delaunay_edges(int count, const double (*point)[2], pair_list *edges);

#endif
