// Final positions of bodies, as a table that another scene can start from.
#ifndef PERCUSS_RUN_END_TABLE_H
#define PERCUSS_RUN_END_TABLE_H

#include "percuss/scene.h"

pc_status pc_end_table_write(const char *path, const pc_scene *scene, pc_error *error);

#endif
