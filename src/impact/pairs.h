// Blocks of contacts (packs.h) with weak viscous friction: an island with convex laws.
//
// Viscous percussions must be weak against the masses: sweeps over the blocks leave them as they
// are, and now and then all of them are set from the velocities.
#ifndef PERCUSS_IMPACT_PAIRS_H
#define PERCUSS_IMPACT_PAIRS_H

#include "impact/packs.h"

// The viscous side of a contact: P_T = k D_T(mean).
typedef struct pc_pair_drag {
  int line[2];
  double normal[3], arm[2][3], shift[3]; // shift: tangential velocity that is added to D+
  double step, keep, k, mass;            // as in packs.h; k/2 over the mass, mass
} pc_pair_drag;

typedef struct pc_pairs {
  pc_packs packs;          // normal percussions
  double *last, *before;   // room for the percussions and lines before
  pc_pair_drag *drag;      // per contact, NULL if nothing is viscous
  double *t, *change;      // tangential percussions, three per contact; what they are to change by
  double *velocity, *push; // per line, in its layout
  double most_drag;        // the largest `keep`, 0 to 1
} pc_pairs;

// With the guesses in problem->force or zeros as first percussions, and the lines that go with
// them.
pc_status pc_pairs_create(pc_pairs *pairs, const pc_impact *problem, const pc_islands *islands,
                          int island, bool warm, int threads, pc_arena *arena, pc_error *error);
// Adds the natural map of the viscous laws to the size that pc_packs_map gave, and finds by what
// the viscous percussions are to change.
void pc_pairs_viscous_map(const pc_pairs *pairs, const double *line, pc_map_size *size);
// Changes the viscous percussions, and two sets of lines with them.
void pc_pairs_drag(const pc_pairs *pairs, double *line, double *lines_before);
// Writes velocities and percussions into the problem.
void pc_pairs_scatter(const pc_pairs *pairs, pc_impact *problem, const double *line,
                      const double *g);

#endif
