// Contacts of the same two bodies, solved together: for islands whose laws are convex.
//
// Bodies with faces touch at several points, and what the points of one pair do to each other is
// what sweeps over single contacts take longest to find out. Here the normal percussions of up to
// four contacts of a pair are one block, solved to within what matters. A block reads two lines
// and writes them once, so it costs little more than a contact.
//
// Built from packs of shape PC_FULL: lines hold y, and a contact is a row of twelve numbers.
// Viscous percussions are left as they are; the packs take care of them.
#ifndef PERCUSS_IMPACT_PAIRS_H
#define PERCUSS_IMPACT_PAIRS_H

#include "impact/packs.h"

enum { PC_PAIR_MOST = 4 }; // contacts of a block

// Numbers of a contact: its rows on both lines, 1 / W_NN, bound / W_NN, H and K of packs.h, W_NN.
enum { PC_PAIR_INVERSE = 12, PC_PAIR_BOUND, PC_PAIR_H, PC_PAIR_K, PC_PAIR_OWN, PC_PAIR_FIELDS };
// Those of a block: responses between its contacts, 0-1, 0-2, 1-2, 0-3, 1-3, 2-3.
enum { PC_PAIR_BETWEEN = 6 };

// Blocks of one size and colour, four in a pack. Contact i of pack p, counted from the first of the
// run, is at place slot + size (p - first) + i.
typedef struct pc_pair_run {
  int first, last, size, slot;
} pc_pair_run;

typedef struct pc_pairs {
  const pc_packs *from;
  int packs, slots, runs, colours;
  int threads; // of sweeps
  bool plain;  // the kernels for narrow vectors
  pc_pair_run *run;
  int *colour; // first run of each, + 1
  int *pair;   // per pack: 4 lines of first bodies, 4 of second ones
  int *place;  // of each contact: 4 times its slot, plus its lane
  double *field, *between, *test;
  double *partial;
} pc_pairs;

typedef struct pc_pair_kernels {
  // Packs begin .. end of a run. `sums` as in pc_pack_kernels.
  void (*sweep)(const pc_pairs *pairs, const pc_pair_run *run, const pc_sweep *sweep, int begin,
                int end, double *sums);
  void (*residual)(const pc_pairs *pairs, const pc_pair_run *run, const double *line,
                   const double *g, int begin, int end, double *sums);
} pc_pair_kernels;
const pc_pair_kernels *pc_pair_kernels_of(bool plain);

bool pc_pairs_create(pc_pairs *pairs, const pc_packs *packs, int threads, pc_arena *arena);
// One sweep over the normal percussions g, a number per slot and lane.
void pc_pairs_sweep(const pc_pairs *pairs, const pc_sweep *sweep, double sums[2]);
// That of packs, of the normal laws alone.
double pc_pairs_residual(const pc_pairs *pairs, const double *line, const double *g);
// Normal percussions from packs and back.
void pc_pairs_read(const pc_pairs *pairs, const double *r, double *g);
void pc_pairs_write(const pc_pairs *pairs, const double *g, double *r);

#endif
