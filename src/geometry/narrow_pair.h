// The pair of shapes being collided, and its list of contacts.
//
// Lengths are relative to the origin of the second shape's pose, in world axes, so that contacts
// far from the origin of the world keep their precision.
#ifndef PERCUSS_GEOMETRY_NARROW_PAIR_H
#define PERCUSS_GEOMETRY_NARROW_PAIR_H

#include "geometry/narrow.h"
#include "geometry/vector.h"

#define PC_PAIR_POINTS 4

typedef struct pc_pair {
  const pc_shape *a, *b;
  const pc_pose *at_a, *at_b;
  pc_vec origin; // of b's pose
  pc_vec centre; // of a's pose, from there
  double margin;
  double size;  // of the smaller shape; lengths are compared with it
  bool swapped; // the caller has them in the other order
  uint64_t key; // which children of compounds
  pc_contact_list *list;
  bool failed; // memory is out
} pc_pair;

// A candidate contact of a convex pair.
typedef struct pc_candidate {
  pc_vec point; // halfway
  double gap;
  uint64_t feature;
} pc_candidate;

// Local features have 40 bits: kind (4), then three indices of 12 bits each.
static inline uint64_t pc_feature(int kind, int i, int j, int k)
{
  return (uint64_t)(kind & 15) << 36 | (uint64_t)(i & 4095) << 24 | (uint64_t)(j & 4095) << 12 |
         (uint64_t)(k & 4095);
}

// Above them is which children of compounds touch, 12 bits for each: of the caller's second shape,
// then of the first.
enum { PC_FEATURE_CHILDREN = 4096 };
static inline int pc_feature_child(uint64_t feature, bool second)
{
  return (int)(feature >> (second ? 40 : 52)) & (PC_FEATURE_CHILDREN - 1);
}

// Adds a contact if its gap is within the margin. `normal` goes from b to a.
void pc_pair_add(pc_pair *pair, pc_vec point, pc_vec normal, double gap, uint64_t feature);
// Adds at most four of these: the deepest, then those that spread widest. The order is changed.
void pc_pair_add_spread(pc_pair *pair, int count, pc_candidate *touch, pc_vec normal);
// Moves the best four to the front; returns their number.
int pc_reduce_candidates(int count, pc_candidate *touch, pc_vec normal, double size);

// One function per pair of types, with the type of a before that of b.
void pc_collide_balls(pc_pair *pair);      // sphere, sphere
void pc_collide_ball_hull(pc_pair *pair);  // sphere; box, polyhedron
void pc_collide_boxes(pc_pair *pair);      // box, box
void pc_collide_hulls(pc_pair *pair);      // box, polyhedron; polyhedron
void pc_collide_ball_rod(pc_pair *pair);   // sphere; capsule, cylinder
void pc_collide_cores(pc_pair *pair);      // any two convex of space
void pc_collide_plane(pc_pair *pair);      // any of space, plane
void pc_collide_mesh(pc_pair *pair);       // any convex of space; mesh, heights
void pc_collide_flat(pc_pair *pair);       // disc, polygon
void pc_collide_flat_plane(pc_pair *pair); // plane; disc, polygon
void pc_collide_chain(pc_pair *pair);      // disc, polygon; chain

#endif
