// Upper bounds of the separation of a body from a polyhedron, along the normals of its edges.
//
// Along a unit vector n no separation is more than n . q, with q from a point of the one body to a
// point of the other that is farthest along n or farther: any two points that bound it at the ends
// of an arc of normals bound it between them.
#ifndef PERCUSS_GEOMETRY_NARROW_BOUND_H
#define PERCUSS_GEOMETRY_NARROW_BOUND_H

#include "geometry/shape.h"
#include "geometry/vector.h"

// The most n . q can be on an arc of unit vectors less than half a turn long, where two q hold: f
// is n . q with the n and the q of an end, g with the q of that end and the n of the other,
// `cosine` of the two n. *t says where on the chord that may be.
double pc_arc_bound(const double f[2], const double g[2], double cosine, double *t);

static inline double pc_face_height(const pc_hull *hull, int face, pc_vec x)
{
  return pc_dot(pc_vec_of(hull->plane[face]), x) - hull->plane[face][3];
}

// What is known of a body over the faces of a polyhedron: for each face a point of the body, the
// lowest or one that is low enough to tell that the face is not the best.
enum { PC_OVER_FACES = 128 };
typedef struct pc_over {
  pc_vec middle; // a point of the body, for faces beyond the room
  pc_vec point[PC_OVER_FACES];
  double height[PC_OVER_FACES];
} pc_over;

static inline void pc_over_set(pc_over *over, int face, pc_vec point, double height)
{
  if (face < PC_OVER_FACES)
    over->point[face] = point, over->height[face] = height;
}

// Sets the middle for all faces; returns the face that it is highest above.
int pc_over_init(pc_over *over, const pc_hull *hull, pc_vec middle);

// How high the point known is above a face.
static inline double pc_over_height(const pc_over *over, const pc_hull *hull, int face)
{
  return face < PC_OVER_FACES ? over->height[face] : pc_face_height(hull, face, over->middle);
}

// The most that the separation may be along the normals of an edge.
double pc_edge_bound(const pc_over *over, const pc_hull *hull, int edge);

// Whether one of the points tells by itself that the separation is at most `least` along all
// normals of an edge; `least` is at most 0.
static inline bool pc_edge_low(const pc_over *over, const pc_hull *hull, int edge, double least)
{
  int i = hull->edge_face[edge][0], j = hull->edge_face[edge][1];
  if (i >= PC_OVER_FACES || j >= PC_OVER_FACES)
    return false;
  return (over->height[i] <= least && pc_face_height(hull, j, over->point[i]) <= least) ||
         (over->height[j] <= least && pc_face_height(hull, i, over->point[j]) <= least);
}

#endif
