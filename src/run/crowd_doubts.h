// Results of a crowd that are outside what is measured on people.
#ifndef PERCUSS_RUN_CROWD_DOUBTS_H
#define PERCUSS_RUN_CROWD_DOUBTS_H

#include "percuss/run.h"

typedef struct pc_crowd_doubt {
  char text[400];
} pc_crowd_doubt;

// The doubts about a run, which the caller frees: too high a flow through an exit, density,
// pressure.
pc_status pc_crowd_doubts(const pc_scene *scene, const pc_crowd_summary *summary,
                          pc_crowd_doubt **list, int *count, pc_error *error);

#endif
