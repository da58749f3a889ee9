// Outlines: what the search for contacts reads of bodies, in small arrays.
#ifndef PERCUSS_RIGID_OUTLINES_H
#define PERCUSS_RIGID_OUTLINES_H

#include "core/array.h"
#include "geometry/narrow.h"

typedef double pc_bounds[6]; // a box: low corner, high corner

// The shape's position at the middle of the step, and the radius around it within which a ball can
// touch anything; infinite for other shapes.
typedef struct pc_place {
  double position[3], within;
} pc_place;

// What is read of a body per contact.
typedef struct pc_outline {
  double ball;  // radius of a ball; 0 for other shapes
  double reach; // how far it may come in the step
  uint32_t group;
  int material;
  unsigned char kind, dof; // pc_body_kind
  bool heavy;              // has a mass
  bool has_rims;           // of its shape
} pc_outline;

// The velocity of a body at the start of the step and the one it would have without contacts, side
// by side.
typedef double pc_two __attribute__((vector_size(16)));
typedef struct pc_velocity_pair {
  pc_two velocity[3];
} pc_velocity_pair;

typedef struct pc_outlines {
  PC_ARRAY(pc_pose) pose;  // of shapes other than balls, at the middle of the step
  PC_ARRAY(pc_bounds) box; // of the same
  PC_ARRAY(pc_place) place;
  PC_ARRAY(pc_outline) body;
  PC_ARRAY(pc_velocity_pair) velocity;
  PC_ARRAY(unsigned char) fixed; // PC_BOX_...
  double sleepers_h;             // the step for which sleeping bodies have outlines; 0: none
} pc_outlines;

bool pc_outlines_reserve(pc_outlines *outlines, int bodies);
void pc_outlines_free(pc_outlines *outlines);

// The box of a body. That of a ball follows from its outline.
static inline const double *pc_outlines_box(const pc_outlines *outlines, int i, double room[6])
{
  const pc_outline *outline = &outlines->body.at[i];
  const double *position = outlines->place.at[i].position;
  if (!(outline->ball > 0))
    return outlines->box.at[i];
  for (int k = 0; k < 3; k++) {
    room[k] = position[k] - outline->ball - outline->reach;
    room[3 + k] = position[k] + outline->ball + outline->reach;
  }
  return room;
}

#endif
