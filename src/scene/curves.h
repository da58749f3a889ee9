// `curves` of a scene: pictures of what its sweep gives.
#ifndef PERCUSS_SCENE_CURVES_H
#define PERCUSS_SCENE_CURVES_H

#include "percuss/scene.h"
#include "scene/document.h"

// An entry of the list.
extern const pc_mapping pc_table_curve;
// Reads the list into the plan, whose sweeps are known; absent: no pictures.
void pc_read_curves(pc_scene_plan *plan, pc_node list);

#endif
