// Rows about what many runs of a crowd have in the mean, and studies: a ready scene with parts of
// its text changed.
#ifndef PERCUSS_VALIDATE_CROWD_ROWS_H
#define PERCUSS_VALIDATE_CROWD_ROWS_H

#include "crowd_trial.h"
#include "report.h"

// Reports a mean time, NAN where a run has none. One that is off by more than a tenth is missed.
// One that is not is no pass, because the plans of these scenes are ours.
void pc_crowd_report_time(pc_report *report, const char *name, const char *quantity,
                          double published, bool is_missed, int runs, const double *value,
                          const char *why);

enum { PC_STUDY_EDITS = 12 };

typedef struct pc_crowd_variation {
  const char *name, *changed;
  pc_edit edit[PC_STUDY_EDITS]; // of one place each, up to the first empty one
  pc_edit everywhere;           // of every place, or empty
} pc_crowd_variation;

// Runs a scene of scenes/pecol with the edits of `base` and those of the variation; `trial` says
// how often and what is noted. NULL if memory is out or a text to change is not there.
pc_crowd_run *pc_crowd_vary(const char *scene, const pc_crowd_variation *base,
                            const pc_crowd_variation *variation, pc_crowd_trial trial);

// Reports the mean of one value of each run, NAN where it is missing; without `run` the row fails.
void pc_crowd_report_varied(pc_report *report, const pc_crowd_variation *variation,
                            const char *quantity, double published, const char *unit,
                            const pc_crowd_run *run, int runs, const double *value,
                            const char *note);

#endif
