// Records what bodies of systems do to each other: the few steps in which they collide, all of
// them, because frames would miss most.
#ifndef PERCUSS_RUN_SYSTEM_RECORD_H
#define PERCUSS_RUN_SYSTEM_RECORD_H

#include "core/memory.h"
#include "percuss/scene.h"
#include "record/record.h"

enum { PC_SYSTEM_COLUMNS = 5 };

typedef struct pc_system_recorder {
  int rows;                        // handle; -1: the scene has no systems
  void *column[PC_SYSTEM_COLUMNS]; // of a step
  int capacity;
  pc_arena memory;
} pc_system_recorder;

void pc_system_recorder_declare(pc_system_recorder *r, pc_record *record, const pc_scene *scene);
pc_status pc_system_recorder_step(pc_system_recorder *r, pc_record *record, const pc_scene *scene);
void pc_system_recorder_free(pc_system_recorder *r);

#endif
