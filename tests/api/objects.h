// The objects that the contract suite has made for the present call.
#ifndef PERCUSS_TESTS_API_OBJECTS_H
#define PERCUSS_TESTS_API_OBJECTS_H

#include "api/fixture.h"

typedef struct fixture_objects {
  pc_world *world, *new_world;
  pc_crowd *crowd, *building;
  pc_impact *impact, *response;
  pc_shape *shape, *mesh;
  pc_heat *heat;
  pc_chain_motion *chain_motion;
  pc_continuum_motion *continuum_motion;
  pc_continuum_answer *answer, *own_answer;
  pc_scene *rigid, *crowd_scene, *many, *collision, *motion, *warm;
  pc_scene_impact *scene_impact;
  pc_scene_identification *identification;
  pc_runs *runs, *fresh_runs;
  pc_view *view;
} fixture_objects;
extern fixture_objects fixture_own;

#endif
