// Text files about people, next to a record.
#ifndef PERCUSS_RUN_CROWD_FILES_H
#define PERCUSS_RUN_CROWD_FILES_H

#include "percuss/scene.h"

// Exits and exit times of people in order of time, and their starting points.
pc_status pc_exits_write(const char *path, const pc_scene *scene, pc_error *error);
// Positions of people in each frame of an open record, every `every` seconds.
pc_status pc_trajectories_write(const char *path, const char *record, const pc_scene *scene,
                                double every, pc_error *error);
// What can be walked on, a line of well-known text for each floor (geometry.c).
pc_status pc_geometry_write(const char *path, const pc_scene *scene, pc_error *error);

#endif
