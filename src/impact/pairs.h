// An island of contacts with convex laws, by pairs of bodies.
//
// Bodies with faces touch at several points, and what the points of one pair do to each other is
// what sweeps over single contacts take longest to find out. Here the normal percussions of up to
// four contacts of a pair are one block, solved to within what matters. A block reads two lines
// and writes them once, so it costs little more than a contact.
//
// Laws as in packs.h, but without Coulomb's. Viscous percussions must be weak against the masses:
// sweeps leave them as they are, and now and then all of them are set from the velocities.
// Bodies and elements as in fold.h. A line holds y: three numbers, a zero, three numbers, a zero.
//
// The bodies of the island are cut into tiles (tiles.h). In each node of their tree blocks of one
// colour share no body and are swept four at a time. Nodes and colours do not depend on the number
// of threads.
#ifndef PERCUSS_IMPACT_PAIRS_H
#define PERCUSS_IMPACT_PAIRS_H

#include "impact/packs.h"
#include "impact/tiles.h"

enum { PC_PAIR_MOST = 4 }; // contacts of a block

// Numbers of a contact: its rows on both lines, 1 / W_NN, bound / W_NN, H and K of packs.h, W_NN.
enum { PC_PAIR_INVERSE = 12, PC_PAIR_BOUND, PC_PAIR_H, PC_PAIR_K, PC_PAIR_OWN, PC_PAIR_FIELDS };
// Those of a block: responses between its contacts, 0-1, 0-2, 1-2, 0-3, 1-3, 2-3.
enum { PC_PAIR_BETWEEN = 6 };

// Blocks of one node, colour and size, four in a pack. Contact i of pack p is at place
// slot + size (p - first) + i.
typedef struct pc_pair_run {
  int first, last, size, slot;
} pc_pair_run;

// A piece of a run, swept in one go.
typedef struct pc_pair_chunk {
  int run, begin, end; // packs
} pc_pair_chunk;

// The viscous side of a contact: P_T = k D_T(mean).
typedef struct pc_pair_drag {
  int line[2];
  double normal[3], arm[2][3], shift[3]; // shift: tangential velocity that is added to D+
  double step, keep, k, mass;            // as in packs.h; k/2 over the mass, mass
} pc_pair_drag;

typedef struct pc_pairs {
  pc_fold fold;
  int lines, contacts, packs, slots, runs, chunks;
  pc_tiles tiles;
  pc_pair_run *run;
  pc_pair_chunk *chunk;
  int *node;   // first chunk of each, level by level from the tiles up; what follows has no colour
  int *pair;   // per pack: 4 lines of first bodies, 4 of second ones
  int *member; // per pack: 4 blocks, -1 where there is none
  int *place;  // of each contact: 4 times its slot, plus its lane
  double *field, *between, *test;
  double *g, *line;        // normal percussions, per slot and lane; lines
  double *last, *before;   // room for those before
  pc_pair_drag *drag;      // per contact, NULL if nothing is viscous
  double *t, *change;      // tangential percussions, three per contact; what they are to change by
  double *velocity, *push; // per line, in its layout
  double most_drag;        // the largest `keep`, 0 to 1
  double scale, speed;
  double *partial;
  int threads;
  bool plain; // kernels for narrow vectors
} pc_pairs;

typedef struct pc_pair_kernels {
  // Packs begin .. end of a run. `sums` as in pc_pack_kernels.
  void (*sweep)(const pc_pairs *pairs, const pc_pair_run *run, const pc_sweep *sweep, int begin,
                int end, double *sums);
  // line += rows^T g
  void (*move)(const pc_pairs *pairs, const pc_pair_run *run, double *line, const double *g,
               int begin, int end);
  void (*residual)(const pc_pairs *pairs, const pc_pair_run *run, const double *line,
                   const double *g, int begin, int end, double *sums);
} pc_pair_kernels;
const pc_pair_kernels *pc_pair_kernels_of(bool plain);

// With the guesses in problem->force or zeros as first percussions, and the lines that go with
// them.
pc_status pc_pairs_create(pc_pairs *pairs, const pc_impact *problem, const pc_islands *islands,
                          int island, bool warm, int threads, pc_arena *arena, pc_error *error);
// One sweep over the normal percussions.
void pc_pairs_sweep(const pc_pairs *pairs, const pc_sweep *sweep, double sums[2]);
// Adds the squares of the natural map, by energy and by speed: of the normal laws, and of the
// viscous ones. The latter also finds by what the viscous percussions are to change.
void pc_pairs_normal_map(const pc_pairs *pairs, const double *line, const double *g,
                         double sums[2]);
void pc_pairs_viscous_map(const pc_pairs *pairs, const double *line, double sums[2]);
double pc_pairs_residual(const pc_pairs *pairs, const double sums[2]);
// Changes the viscous percussions, and two sets of lines with them.
void pc_pairs_drag(const pc_pairs *pairs, double *line, double *lines_before);
// Writes velocities and percussions into the problem.
void pc_pairs_scatter(const pc_pairs *pairs, pc_impact *problem, const double *line,
                      const double *g);

#endif
