// Searches for pairs of neighbouring discs that Pécol's thesis (2.3) names, to compare them with
// each other and with the contact detection of a run. All of them find the same pairs.
#ifndef PERCUSS_BENCH_NEIGHBOURS_H
#define PERCUSS_BENCH_NEIGHBOURS_H

#include <stdbool.h>

typedef enum search_kind {
  SEARCH_ALL,      // every pair
  SEARCH_DELAUNAY, // edges of the triangulation; exact for discs of similar size that overlap
                   // little
  SEARCH_CELLS,    // linked cells
  SEARCH_VERLET,   // lists within a larger distance, kept until a disc has moved too far
  SEARCH_SWEEP,    // sweep and prune along one axis
  SEARCHES
} search_kind;

typedef struct search search;

const char *search_name(search_kind kind);
search *search_create(search_kind kind); // NULL: out of memory
void search_destroy(search *search);

// All pairs i < j of discs closer than `within`, sorted, valid until the next call. False: out of
// memory.
bool search_pairs(search *search, int count, const double (*centre)[2], const double *radius,
                  double within, const int (**pairs)[2], int *pair_count);

#endif
