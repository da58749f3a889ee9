// The impact problems of steps, kept as FCLIB files: FOLDER/step-NUMBER.hdf5 where they are asked
// for, and RUN-step-NUMBER.hdf5 of a step that failed.
#ifndef PERCUSS_RUN_PROBLEMS_H
#define PERCUSS_RUN_PROBLEMS_H

#include "run/simulation.h"

// Makes the folder, if one is wanted.
pc_status pc_problems_begin(const pc_run_dump *dump, pc_error *error);
// After a step: its problem is kept if it is wanted. What FCLIB cannot state and what is beyond the
// limit is counted; only a file that cannot be written is an error.
pc_status pc_problems_step(const pc_simulation *sim, pc_error *error);
// After a step that failed. Gives the path, to be freed, or NULL: it could not be kept,
// and `reason` says why unless nothing is recorded.
char *pc_problems_failed(const pc_simulation *sim, pc_error *reason);

#endif
