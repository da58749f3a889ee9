// `curves` of a scene: pictures of what its sweep gives, or of its run over time.
#ifndef PERCUSS_SCENE_CURVES_H
#define PERCUSS_SCENE_CURVES_H

#include "percuss/scene.h"
#include "scene/document.h"

// An entry of the list.
extern const pc_mapping pc_table_curve;
// Reads the list into the plan, whose sweeps are known; absent: no pictures. What takes time has
// curves against time.
void pc_read_curves(pc_scene_plan *plan, pc_node list, bool takes_time);

#endif
