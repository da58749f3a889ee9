// Files about people beside a record.
#ifndef PERCUSS_RUN_CROWD_FILES_H
#define PERCUSS_RUN_CROWD_FILES_H

#include "percuss/scene.h"

// Who left where and when, in the order of time, and where they started.
pc_status pc_exits_write(const char *path, const pc_scene *scene, pc_error *error);
// Who was where in each frame of a record that is still open: a frame every so many seconds.
pc_status pc_trajectories_write(const char *path, const char *record, const pc_scene *scene,
                                double every, pc_error *error);

#endif
