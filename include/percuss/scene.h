// Files -> problems. Every message names file, line and key.
#ifndef PERCUSS_SCENE_H
#define PERCUSS_SCENE_H

#include "percuss/identify.h"
#include "percuss/impact.h"

// A problem read from a file, with the names that the file gives to its bodies.
typedef struct pc_scene_impact {
  pc_impact *problem;
  char *title; // NULL if the file has none
  int bodies;
  char **body_ids;
  double (*before)[6]; // U-
  int (*pairs)[2];     // of every interaction; the second may be PC_OBSTACLE
  bool quasi_static;   // what the file asks of the solver
  bool fclib;          // from an FCLIB file: the answer is arrays in the file's own order and sign
} pc_scene_impact;

// Reads a `kind: impact` YAML or JSON file, or an FCLIB HDF5 file.
pc_status pc_scene_read_impact(const char *path, pc_scene_impact *out, pc_error *error);
void pc_scene_impact_free(pc_scene_impact *scene);

// A `kind: identification` file: measured collisions and the coefficients to find from them. The
// predictions of `problem` solve the collisions of the file.
typedef struct pc_scene_identification {
  pc_identification problem;
  char *title; // NULL if the file has none
  int experiments;
  struct pc_identification_file *file; // what the predictions read
} pc_scene_identification;

pc_status pc_scene_read_identification(const char *path, pc_scene_identification *out,
                                       pc_error *error);
void pc_scene_identification_free(pc_scene_identification *scene);

#endif
