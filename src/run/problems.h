// Impact problems of steps as FCLIB files: FOLDER/step-NUMBER.hdf5 on request, and RUN-step-
// NUMBER.hdf5 for a step that failed.
#ifndef PERCUSS_RUN_PROBLEMS_H
#define PERCUSS_RUN_PROBLEMS_H

#include "run/simulation.h"

// Creates the folder, if one is wanted.
pc_status pc_problems_begin(const pc_run_dump *dump, pc_error *error);
// Call it after a step: writes its problem if it is wanted. Problems that FCLIB cannot state or
// that exceed the limit are counted. Only a failed write is an error.
pc_status pc_problems_step(const pc_simulation *sim, pc_error *error);
// Call it after a step that failed. Gives the path, which the caller frees, or NULL if the problem
// was not written; then `reason` says why, unless nothing is recorded.
char *pc_problems_failed(const pc_simulation *sim, pc_error *reason);

#endif
