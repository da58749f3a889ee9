// The inside of reading an impact problem, for files that hold several of them.
#ifndef PERCUSS_SCENE_IMPACT_FILE_H
#define PERCUSS_SCENE_IMPACT_FILE_H

#include "percuss/scene.h"
#include "scene/bind.h"
#include "scene/kind.h"

// The tables of a file, of a problem of an experiment, and of temperatures.
extern const pc_mapping pc_table_impact, pc_table_problem, pc_table_impact_heat;
// Builds the problem of an impact file, or of an experiment, which have their own tables. On
// failure the document has the complaint, and `out` is empty.
void pc_read_impact_problem(pc_node node, const pc_mapping *mapping, pc_scene_impact *out);

// `heat`, before the bodies are read; `out` has room for them. If it is absent, no body has a
// temperature.
void pc_read_impact_heat(pc_node heat, int bodies, pc_scene_impact *out);
// The temperature and the capacity of a body, and the exchange of an interaction.
void pc_read_impact_body_heat(pc_node body, const char *id, const pc_node given[2], int index,
                              pc_scene_impact *out);
void pc_read_impact_exchange(pc_node exchange, int index, pc_scene_impact *out);

// FCLIB files, known by the signature of HDF5.
bool pc_fclib_is_file(const char *path);
pc_status pc_fclib_read(const char *path, pc_scene_impact *out, pc_error *error);

#endif
