// Pictures of the findings of an inspection.
#ifndef PERCUSS_RUN_INSPECTION_PICTURE_H
#define PERCUSS_RUN_INSPECTION_PICTURE_H

#include "crowd/inspection.h"
#include "percuss/scene.h"

// Draws a floor with its walls, exits and stairs, and its findings with their numbers (from 1).
// Replaces a picture, but no other file.
pc_status pc_inspection_draw(const pc_scene *scene, const pc_inspection *inspection, int floor,
                             const char *path, pc_error *error);

#endif
