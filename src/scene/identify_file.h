// What an identification file says besides the least-squares problem.
#ifndef PERCUSS_SCENE_IDENTIFY_FILE_H
#define PERCUSS_SCENE_IDENTIFY_FILE_H

#include "percuss/scene.h"

// Root of the mean squared change, measured after minus before, of the measured velocities.
double pc_identification_change(const pc_scene_identification *scene);

#endif
