// What a run was asked to do, as its checkpoint keeps it: a resumed run must be asked the same.
#ifndef PERCUSS_RUN_MEANING_H
#define PERCUSS_RUN_MEANING_H

#include <stdint.h>

#include "percuss/scene.h"

// How much of it.
typedef enum pc_meaning_of {
  PC_MEANING_OF_SCENE, // the file without comments, title and views, and the files that it reads
  PC_MEANING_OF_RUN,   // also its step, its interval of frames, and its values of a sweep
  PC_MEANING_OF_RUNS   // also how long each run is
} pc_meaning_of;

// Lines as those of scene/meaning.h. The caller frees it; NULL when memory is out.
char *pc_run_meaning(const pc_scene *scene, pc_meaning_of of);
uint64_t pc_hash_meaning(const char *meaning); // whatever the lines of the files are
uint64_t pc_hash_scene(const pc_scene *scene); // of PC_MEANING_OF_SCENE; 0 when memory is out

// Fails with the first difference between what the runs of a checkpoint were started with, its blob
// of this name, and what is asked now.
#define PC_MEANING_BLOB "meaning"
pc_status pc_meaning_refuse(const pc_scene *scene, const char *checkpoint, const char *now,
                            pc_error *error);

#endif
