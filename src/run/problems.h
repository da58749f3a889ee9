// The impact problems of steps, kept as FCLIB files step-NUMBER.hdf5.
#ifndef PERCUSS_RUN_PROBLEMS_H
#define PERCUSS_RUN_PROBLEMS_H

#include "percuss/run.h"

// Makes the folder, if one is wanted.
pc_status pc_problems_begin(const pc_run_dump *dump, pc_error *error);
// After a step, which may have failed: its problem is kept if it is wanted. What FCLIB cannot state
// and what is beyond the limit is counted; only a file that cannot be written is an error.
pc_status pc_problems_step(const pc_run_dump *dump, const pc_scene *scene, long step, bool failed,
                           pc_run_summary *summary, pc_error *error);

#endif
