// Convex bodies by their support functions: distance, depth and contacts of any two of them.
//
// A core is a polyhedron, a triangle, a segment, a point or a cylinder; `round` is the radius of
// the ball that is rolled over it (sphere, capsule). Lengths are from the origin of the second
// pose.
#ifndef PERCUSS_GEOMETRY_NARROW_CORE_H
#define PERCUSS_GEOMETRY_NARROW_CORE_H

#include "geometry/narrow_hull.h"

typedef enum pc_core_kind { PC_CORE_POINTS, PC_CORE_ROD, PC_CORE_CYLINDER } pc_core_kind;

typedef struct pc_core {
  pc_core_kind kind;
  pc_vec centre;
  const double *turn;  // own axes -> world
  const pc_hull *hull; // points: a polyhedron or a triangle
  const double *box;   // half the edges where the polyhedron is a box
  double half, radius; // rod, cylinder (a ball is a rod without length)
  pc_vec axis;         // of a rod or cylinder, in world axes
  double round;
} pc_core;

// The relation of two cores along a unit normal from b to a.
typedef struct pc_witness {
  pc_vec normal;
  double separation; // of the cores; negative: they overlap
  pc_vec on_a, on_b; // nearest or deepest points of the cores
  bool beside;       // the points do not face each other yet: pc_core_face
} pc_witness;

pc_core pc_core_of(const pc_shape *shape, const pc_pose *at, pc_vec centre);
// A point inside.
pc_vec pc_core_middle(const pc_core *core);
pc_vec pc_core_support(const pc_core *core, pc_vec direction);
// Whether a point is in the body, rounding and all, or no more than `slack` away.
bool pc_core_inside(const pc_core *core, pc_vec p, double slack);
// How far a lies above b along a unit vector, without the rounding.
double pc_core_separation(const pc_core *a, const pc_core *b, pc_vec normal);
// The distance of two cores within a relative tolerance, searched from a direction; false when they
// touch or overlap. When it is more than `limit`, something above the limit will do.
bool pc_core_distance(const pc_core *a, const pc_core *b, double size, double tolerance,
                      double limit, pc_vec start, pc_witness *witness);
#define PC_CORE_EXACT 1e-11
// Points of the cores that face each other along the normal of `witness`, and their separation.
void pc_core_face(const pc_core *a, const pc_core *b, double size, pc_witness *witness);
// The shallowest way out near the direction in `witness`.
void pc_core_push(const pc_core *a, const pc_core *b, double size, pc_witness *witness);
// Whether the lowest point of one of two cylinders along the normal of the witness lies before the
// other; sets the points then. No direction nearby is better, and where they are apart none at all.
bool pc_cylinders_face(const pc_core *a, const pc_core *b, double size, pc_witness *witness);
// The direction from `other` to a cylinder along which the two are widest apart or overlap least,
// and how far. When that is more than `limit`, something above the limit will do. `hint`: about
// that direction where two cylinders are apart, else NULL.
double pc_cylinder_axis(const pc_core *cylinder, const pc_core *other, double size, double limit,
                        const pc_vec *hint, pc_vec *normal);
// The axis along which two cores are widest apart or overlap least; false when they are more than
// `limit` apart.
bool pc_core_axis(const pc_core *a, const pc_core *b, double size, double limit,
                  pc_witness *witness);
// Contacts along the axis of the witness. Returns how many, at most PC_CORNERS.
int pc_core_touches(const pc_core *a, const pc_core *b, const pc_witness *witness, double margin,
                    double size, pc_candidate *touch);

#endif
