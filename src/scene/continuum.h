// What a `kind: continuum` file says: a collision, ready for pc_fe_collision_create.
#ifndef PERCUSS_SCENE_CONTINUUM_H
#define PERCUSS_SCENE_CONTINUUM_H

#include <stddef.h>

#include "continuum/collision.h"
#include "core/memory.h"
#include "percuss/continuum.h"

struct pc_continuum {
  pc_fe_mesh mesh;
  pc_fe_collision_def def; // its arrays, and all that follows, are of `memory`
  const char **medium_name, **body_name, **contact_name;
  double *velocity; // before: as many numbers of each node as the mesh has dimensions
  double (*body_velocity)[3];
  pc_arena memory;
  pc_continuum_answer answer; // of a run; empty before it
};

#endif
