// A growing list of measured quantities of a run.
#ifndef PERCUSS_RUN_QUANTITIES_H
#define PERCUSS_RUN_QUANTITIES_H

#include "core/array.h"
#include "percuss/run.h"

typedef struct pc_quantities {
  PC_ARRAY(pc_quantity) list;
  bool failed; // memory was out
} pc_quantities;
void pc_quantities_add(pc_quantities *quantities, const pc_quantity *one, pc_quantity_of of,
                       const char *group);
void pc_quantities_add_all(pc_quantities *quantities, int count, const pc_quantity *list,
                           pc_quantity_of of, const char *group);
// Shows the mean of this quantity of the run among the first results of many runs.
void pc_quantities_show(pc_quantities *quantities, const char *name);

#endif
