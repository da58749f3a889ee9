// Files -> problems. Every message names file, line and key.
#ifndef PERCUSS_SCENE_H
#define PERCUSS_SCENE_H

#include "percuss/impact.h"

// A problem read from a file, with the names that the file gives to its bodies.
typedef struct pc_scene_impact {
  pc_impact *problem;
  int bodies;
  char **body_ids;
  bool fclib; // from an FCLIB file: the answer is arrays in the file's own order and sign
} pc_scene_impact;

// Reads a `kind: impact` YAML or JSON file, or an FCLIB HDF5 file.
pc_status pc_scene_read_impact(const char *path, pc_scene_impact *out, pc_error *error);
void pc_scene_impact_free(pc_scene_impact *scene);

#endif
