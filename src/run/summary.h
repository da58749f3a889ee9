// The summary of a run, step by step.
#ifndef PERCUSS_RUN_SUMMARY_H
#define PERCUSS_RUN_SUMMARY_H

#include "percuss/run.h"

// Adds a step: its counts, its extremes, the energy balance and the time spent on it.
void pc_summary_add(pc_run_summary *summary, const pc_step_info *info);

#endif
