// The parts of reading a `kind: continuum` file.
#ifndef PERCUSS_SCENE_CONTINUUM_FILE_H
#define PERCUSS_SCENE_CONTINUUM_FILE_H

#include "percuss/scene.h"
#include "scene/continuum.h"
#include "scene/document.h"

// The mesh of its section; checked, and of the order that is asked for.
void pc_continuum_read_mesh(pc_node node, pc_fe_mesh *mesh);
// The group of elements or of sides (their dimension) that is named at this node. -1 after a
// complaint that lists those that there are.
int pc_continuum_find_group(const pc_fe_mesh *mesh, int dimension, pc_node name);
bool pc_continuum_has_group(const pc_fe_mesh *mesh, int dimension, const char *name);

// As many numbers as there are dimensions, or zeros.
void pc_continuum_read_components(int dimension, pc_node node, double vector[2]);
// continuum_heat.c: temperatures and phases of media that are read, their contacts and surfaces.
void pc_continuum_read_heat(pc_continuum *to, pc_node root);
// continuum_alloy.c: an alloy in time, when there are a duration and temperatures; without a
// duration, that nothing of it is there.
void pc_continuum_read_alloy(pc_scene *scene, pc_node root);
void pc_continuum_refuse_alloy(const pc_continuum *c, pc_node root);
// continuum_motion.c: with a duration, the rest of the motion; else that nothing of it is there.
void pc_continuum_read_motion(pc_scene *scene, pc_node root);

#endif
