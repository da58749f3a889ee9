// Convex polyhedra: nearest points, separating axes, clipping of faces.
#ifndef PERCUSS_GEOMETRY_NARROW_HULL_H
#define PERCUSS_GEOMETRY_NARROW_HULL_H

#include "geometry/narrow_pair.h"

// The distance of p from a polyhedron, negative inside, and the outward normal there. When it is
// more than `limit`, something above the limit will do.
double pc_hull_nearest(const pc_hull *hull, pc_vec p, double limit, pc_vec *normal);

// A corner of a polygon that is being cut: `feature` says what made it, `edge` what lies between it
// and the next (edges of the cutting face count from PC_CUT on).
typedef struct pc_cut_corner {
  pc_vec at;
  int feature[2], edge;
} pc_cut_corner;

#define PC_CUT 4096
#define PC_CORNERS 128 // most corners of a polygon after cutting

// Keeps what lies below the plane normal . x <= offset; `edge` names the plane. Returns the count.
int pc_cut(int count, const pc_cut_corner *in, pc_cut_corner *out, pc_vec normal, double offset,
           int edge, double slack);

// The face that faces a normal most, of those as good as equal the first; `turn` is of the hull.
int pc_facing(const pc_hull *hull, const double turn[9], pc_vec normal);
// The polygon of a face, turned and moved; of a face with many corners only some. Returns the
// count.
int pc_load_face(const pc_hull *hull, int face, const double turn[9], pc_vec move,
                 pc_cut_corner *corner);

// Another axis must be better by this much than a face of the first body, so that the choice does
// not change from step to step between bodies that rest on each other.
static inline double pc_preference(const pc_pair *pair, double separation)
{
  return 1e-4 * pair->size + 1e-3 * fabs(separation);
}

// Adds the best points of two facing faces, of which `least` is the smallest gap.
void pc_add_face_points(pc_pair *pair, int count, pc_candidate *point, double least, pc_vec normal,
                        double separation);
// One point where the edges p + u and q + v cross; all of it, and the normal from a to b, in the
// axes of a.
void pc_add_edges(pc_pair *pair, const int edge[2], pc_vec normal, double separation, pc_vec p,
                  pc_vec u, pc_vec q, pc_vec v);

#endif
