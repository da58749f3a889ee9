// Closed surfaces of polygons: the intermediate form between qhull's facets and the faces of a
// hull.
#ifndef PERCUSS_GEOMETRY_SURFACE_H
#define PERCUSS_GEOMETRY_SURFACE_H

#include "core/memory.h"

// Corner h is also the half edge from vertex[h] to the next of its loop.
typedef struct pc_surface {
  int faces, corners;
  int *start;  // faces + 1
  int *vertex; // of a corner
  int *next, *twin, *face;
} pc_surface;

// Twice the area of a loop, as a vector along its normal.
void pc_loop_area(int count, const int *loop, const double (*point)[3], double area[3]);

// Fills next, twin and face from start and vertex; false if the surface is not closed or memory is
// out (the arena says so).
bool pc_surface_link(pc_surface *surface, pc_arena *arena);

// Which vertices stand out from the hull of the others by more than the tolerance. Of those that do
// not, neighbours are never dropped together, because each may stand out without the other. Gives
// the number of those dropped; keep[i] is also false for points that are no vertex.
int pc_surface_flat(const pc_surface *surface, int points, const double (*point)[3],
                    double tolerance, bool *keep, pc_arena *arena);

// Facets in one plane, to the tolerance, become one face; vertices where fewer than three faces
// meet are left out. `out` has start and vertex, from `arena`; normal[face] has room for all
// facets. False if a face is no disc or too thin, or memory is out.
bool pc_surface_merge(const pc_surface *surface, int points, const double (*point)[3],
                      double tolerance, pc_surface *out, double (*normal)[3], pc_arena *arena,
                      pc_arena *scratch);

#endif
