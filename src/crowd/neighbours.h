// Who is near whom: the searches that Pecol's thesis (2.3) names, for comparison with the engine's
// own. All of them give the same pairs.
#ifndef PERCUSS_CROWD_NEIGHBOURS_H
#define PERCUSS_CROWD_NEIGHBOURS_H

#include "percuss/status.h"

typedef enum pc_search_kind {
  PC_SEARCH_ALL,      // every pair
  PC_SEARCH_DELAUNAY, // edges of the triangulation; exact for discs of like size that overlap
                      // little
  PC_SEARCH_CELLS,    // linked cells, Manhattan's boxes
  PC_SEARCH_VERLET,   // lists of all within a larger distance, kept until someone has moved too far
  PC_SEARCH_SWEEP,    // sweep and prune along one axis
  PC_SEARCH_ENGINE,   // the broad phase of bodies
  PC_SEARCHES
} pc_search_kind;
const char *pc_search_name(pc_search_kind kind);

typedef struct pc_search pc_search;
pc_search *pc_search_create(pc_search_kind kind); // NULL when memory is out
void pc_search_destroy(pc_search *search);

// All pairs i < j of discs that are nearer than `within`, in order, valid until the next call.
pc_status pc_search_pairs(pc_search *search, int count, const double (*centre)[2],
                          const double *radius, double within, const int (**pairs)[2],
                          int *pair_count, pc_error *error);

#endif
