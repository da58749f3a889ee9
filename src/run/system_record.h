// Records what bodies of systems do to each other: the few steps in which they collide, all of
// them, because frames would miss most.
#ifndef PERCUSS_RUN_SYSTEM_RECORD_H
#define PERCUSS_RUN_SYSTEM_RECORD_H

#include "percuss/scene.h"
#include "run/rows.h"

// Without systems in the scene nothing is recorded.
void pc_systems_declare(pc_rows *rows, pc_record *record, const pc_scene *scene);
pc_status pc_systems_step(pc_rows *rows, pc_record *record, const pc_scene *scene);

#endif
