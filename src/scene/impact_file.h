// The inside of reading an impact problem, for files that hold several of them.
#ifndef PERCUSS_SCENE_IMPACT_FILE_H
#define PERCUSS_SCENE_IMPACT_FILE_H

#include "percuss/scene.h"
#include "scene/document.h"

// Complains unless the file is of the wanted kind, and names the command for one of another kind.
// In the order of pc_schema_kinds.
typedef enum pc_kind {
  PC_KIND_IMPACT,
  PC_KIND_IDENTIFICATION,
  PC_KIND_CHAIN,
  PC_KIND_CONTINUUM,
  PC_KIND_RIGID,
  PC_KIND_CROWD
} pc_kind;
void pc_read_kind(pc_node root, pc_kind wanted);
// Of the root: `source`, the document that a scene comes from, is text if it is there.
void pc_read_source(pc_node root);

// Builds the problem of an impact file, or of an experiment, which have their own tables. On
// failure the document has the complaint, and `out` is empty.
void pc_read_impact_problem(pc_node node, const pc_mapping *mapping, pc_scene_impact *out);

// Temperatures of bodies, exchanges of interactions, and `heat`: whether any body has one is said
// by the first. `out` has room for the bodies.
void pc_read_impact_body_heat(pc_node node, int index, pc_scene_impact *out);
void pc_read_impact_exchange(pc_node node, int index, pc_scene_impact *out);
void pc_read_impact_heat(pc_node root, pc_scene_impact *out);

// FCLIB files, known by the signature of HDF5.
bool pc_fclib_is_file(const char *path);
pc_status pc_fclib_read(const char *path, pc_scene_impact *out, pc_error *error);

#endif
