// An island of contacts, packed by fours for fast sweeps.
//
// Only what large heaps are made of: contacts whose normal law is inelastic, restitution or
// quadratic, with Coulomb's friction (an isotropic cone), viscous friction or none, between bodies
// with a mass and an inertia. All in SI units and in space; in the plane z is zero. The tangential
// percussion is a vector across the normal, so there are no tangents.
//
// Linear laws on one body are folded into its mass (fold.h).
//
// Bodies are cut into tiles (tiles.h). In each node of their tree contacts of one colour share no
// body: they may be swept in any order and by any number of threads, four at a time, and give the
// same numbers. The contacts of a pair of bodies, up to four, have one colour and stand one above
// the other in a stack of packs, whose velocities are read and written once. With friction they are
// solved one after the other. Normal percussions with convex laws can be solved as a block.
#ifndef PERCUSS_IMPACT_PACKS_H
#define PERCUSS_IMPACT_PACKS_H

#include "impact/fold.h"
#include "impact/tiles.h"

enum {
  PC_LANES = 4,
  PC_LINE = 8,
  PC_FLAT_LINE = 4,
  PC_INERTIA = 12,
  PC_PACK_CHUNK = 128,
  PC_CONTACT_CHUNK = 256
};
enum { PC_SWEEP_CHUNK = 64 }; // packs of one colour that are swept in one go
enum { PC_STOREYS = 4 };      // the most

// What the contacts of an island are like.
// - Arms: any bodies with a mass and an inertia.
// - Central: both arms are along the normal and the inertias are those of spheres.
// - Full: some bodies have a folded mass, and lines hold the y of fold.h; contacts keep 3 x 6 rows
//   instead of arms.
// - Plane: nothing leaves the plane; lines hold four numbers, the y of U = U_free + L y, contacts
//   their whitened rows and one tangential percussion.
// - Blocks: the normal percussions of a pair of bodies are solved together. What the contacts of
//   one pair do to each other is what sweeps over single contacts take longest to find out. Lines
//   hold the y of fold.h, contacts their normal rows. There is no friction (pairs.h adds it).
// Arms would do for Central and Plane too, at a cost. Instructions of a whole run (valgrind
// --tool=callgrind, one thread):
//
//   run                                   own shape   as Arms
//   1500 spheres fall, 100 steps            1,840 M   2,011 M
//   leon/landslide-1225, 60 steps           2,993 M   3,844 M
//   leon/landslide-300, 40 steps              519 M     535 M
enum { PC_ARMS, PC_CENTRAL, PC_FULL, PC_PLANE, PC_BLOCKS, PC_SHAPES };
enum { PC_SLIPS, PC_RUBS, PC_DRAGS, PC_FRICTIONS }; // no friction, Coulomb's, viscous
// Numbers of a contact that a sweep reads, each PC_LANES times.
enum {
  PC_AT_NORMAL = 0,
  PC_AT_INVERSE = 3, // 1 / W_NN
  PC_AT_BOUND = 4,   // bound / W_NN
  PC_AT_STEP = 5,    // of the tangential percussion: 1 / (largest eigenvalue of W_TT + 2 / k)
  PC_AT_MU = 6,
  PC_AT_KEEP = 6, // viscous: the part of the tangential percussion that is kept in a step
  PC_AT_ARMS = 7, // central: two lengths; arms: two vectors; full: rows. Then, not central, W_TN
};
#define PC_ARM_NUMBERS(shape) ((shape) == PC_CENTRAL ? 2 : (shape) == PC_FULL ? 39 : 9)
// The same in the plane. Rows of the second body have their sign.
enum {
  PC_FLAT_NORMAL = 0,
  PC_FLAT_INVERSE = 2,
  PC_FLAT_BOUND = 3,
  PC_FLAT_ROOT = 4, // of 1 / mass, twice
  PC_FLAT_TURN = 6, // normal row: twice
  PC_FLAT_SLIPS = 8,
  PC_FLAT_STEP = 8,
  PC_FLAT_MU = 9,
  PC_FLAT_KEEP = 9,
  PC_FLAT_CROSS = 10, // W_TN
  PC_FLAT_SPIN = 11,  // tangential row: twice
  PC_FLAT_SHIFT = 13, // the tangential velocity that is added
  PC_FLAT_RUBS = 14
};
// The same of a block. Rows of both lines, 1 / W_NN, bound / W_NN, H and K of the quadratic law,
// W_NN, and the responses to the contacts below in the stack.
enum {
  PC_BLOCK_INVERSE = 12,
  PC_BLOCK_BOUND,
  PC_BLOCK_H,
  PC_BLOCK_K,
  PC_BLOCK_OWN,
  PC_BLOCK_BELOW,
  PC_BLOCK_FIELDS = PC_BLOCK_BELOW + PC_STOREYS - 1
};
#define PC_FIELDS(shape, friction)                                                                 \
  ((shape) == PC_BLOCKS  ? PC_BLOCK_FIELDS                                                         \
   : (shape) != PC_PLANE ? PC_AT_ARMS + PC_ARM_NUMBERS(shape)                                      \
   : (friction)          ? PC_FLAT_RUBS                                                            \
                         : PC_FLAT_SLIPS)
// After them, if anything moves by itself or a law needs it: H, K of the quadratic law and, in
// space, the tangential velocity that is added. Blocks always have H and K.
#define PC_EXTRA(shape) ((shape) == PC_BLOCKS ? 0 : (shape) == PC_PLANE ? 2 : 5)
#define PC_EXTRA_AT(shape, friction)                                                               \
  ((shape) == PC_BLOCKS ? PC_BLOCK_H : PC_FIELDS(shape, friction))
// Where each shape has 1 / W_NN, with the bound behind it, and the tangential step, with mu.
#define PC_INVERSE_AT(shape)                                                                       \
  ((shape) == PC_BLOCKS ? PC_BLOCK_INVERSE : (shape) == PC_PLANE ? PC_FLAT_INVERSE : PC_AT_INVERSE)
#define PC_STEP_AT(shape) ((shape) == PC_PLANE ? PC_FLAT_STEP : PC_AT_STEP)
// Where it has W_TN (not central), and the tangential velocity that is added (with extras in
// space).
#define PC_CROSS_AT(shape, friction)                                                               \
  ((shape) == PC_PLANE ? PC_FLAT_CROSS : PC_FIELDS(shape, friction) - 3)
#define PC_SHIFT_AT(shape, friction)                                                               \
  ((shape) == PC_PLANE ? PC_FLAT_SHIFT : PC_FIELDS(shape, friction) + 2)
// What the residual reads besides: unit mass, bound, with extras k/2 over the mass, D- + w, and
// last the viscous k/2 over the mass.
enum { PC_TEST = 2, PC_TEST_EXTRA = 4, PC_TEST_VISCOUS = 5 };

// Packs of one node, colour and number of storeys, and their place among the chunks that are swept
// in one go.
typedef struct pc_pack_run {
  int first, last, chunk;
  int storeys;
  int idle; // lanes of the last stack without contacts
} pc_pack_run;

// Packs that are swept in one go, whole stacks.
static inline int pc_run_chunk(const pc_pack_run *run)
{
  return PC_SWEEP_CHUNK - PC_SWEEP_CHUNK % run->storeys;
}

static inline int pc_run_chunks(const pc_pack_run *run)
{
  return (run->last - run->first + pc_run_chunk(run) - 1) / pc_run_chunk(run);
}

// All numbers are doubles, or all floats (pack_single.h).
typedef struct pc_packs {
  bool single;
  int lines, stride; // bodies + 1, numbers in each; line 0 is at rest for ever
  bool spread;       // over more than a near cache: lines are asked for ahead
  bool far;          // a sweep reads more than the caches hold: contacts are too
  // Per line: velocity, 1/mass, spin, 1/inertia. With arms, the three columns of the inverse
  // inertia too, four numbers each. Full, plane: y in a line.
  void *line, *inertia;
  void *line_room; // for as many lines; NULL: there is none
  int shape, friction;
  bool extra, convex;
  int fields, tests, numbers; // per contact, of `field`, `test` and `r`
  int contacts, packs;
  pc_tiles tiles;
  int runs, *node;  // of all nodes, in their order; the first of each node, + 1
  pc_pack_run *run; // one for each colour and number of storeys of a node
  int rest;         // first pack of those without a colour, one contact in each
  int *pair;        // per pack: 4 lines of first bodies, 4 of second ones
  int *place;       // of each contact: 4 times its pack, plus its lane
  void *field, *test;
  void *r; // percussions: normal, then the tangential vector, one number in the plane
  double scale, speed;
  int threads;
  double *partial; // sums of chunks
  const struct pc_pack_kernels *kernels;
  pc_fold fold;
  const pc_impact *problem;
  const pc_islands *islands;
  const pc_island *island;
} pc_packs;

static inline int pc_contact_chunks(const pc_packs *packs)
{
  return (packs->contacts + PC_CONTACT_CHUNK - 1) / PC_CONTACT_CHUNK;
}

static inline int pc_contact_chunk_end(const pc_packs *packs, int chunk)
{
  int end = (chunk + 1) * PC_CONTACT_CHUNK;
  return end < packs->contacts ? end : packs->contacts;
}

// The line of one side of contact k: 0 for obstacles and bodies that nothing moves.
static inline int pc_pack_line(const pc_packs *packs, int k, int side)
{
  const pc_islands *islands = packs->islands;
  int body = islands->ends[packs->fold.contact[k]].body[side];
  return body >= 0 ? islands->local_body[body] + 1 : 0;
}

// Bytes of a number.
static inline size_t pc_pack_number(const pc_packs *packs)
{
  return packs->single ? sizeof(float) : sizeof(double);
}

static inline const pc_interaction_data *pc_pack_contact(const pc_packs *packs, int k)
{
  return &packs->problem->interaction.at[packs->fold.contact[k]];
}

// pack_contacts.c: fills the places of contacts begin .. end, with their guesses as first
// percussions if `warm`. `sums` gets the sizes of their velocities by energy and by speed, and more
// than 0 if one is not central where it should be.
void pc_pack_contacts(const pc_packs *packs, bool warm, int begin, int end, double sums[3]);

// pack_order.c: tiles, runs and the places of contacts, those of an island that may be central;
// false if memory is out. Numbers in all lines above which they do not fit a near cache.
bool pc_packs_arrange(pc_packs *packs, bool central, pc_arena *arena);
extern const size_t pc_near_numbers;

// A sweep from percussions g to `next`, which may be g or `last`; with `last`, the ones before,
// from g + beta (g - last), where the velocities must be then. These become in `line_next`. With
// `before`, the velocities before, they are taken there too, from `line`; `line_next` may be
// `before`. So what was g is `last` in the next sweep, and nothing is written but what is new.
typedef struct pc_sweep {
  const void *g, *last;
  void *next;
  const void *line, *before;
  void *line_next;
  double beta;
} pc_sweep;

// The size of the natural map, as squares: its sums by energy and by speed, and the largest of a
// contact, (m/s)^2.
typedef struct pc_map_size {
  double energy, speed, largest;
} pc_map_size;

// `begin` and `end` are packs; those that are swept and moved are whole stacks of so many storeys.
typedef struct pc_pack_kernels {
  // `sums` gets start - g times g - last, and the square of start - g.
  void (*sweep)(const pc_packs *packs, const pc_sweep *sweep, int storeys, int begin, int end,
                double *sums);
  void (*move)(const pc_packs *packs, void *line, const void *r, int storeys, int begin, int end);
  void (*residual)(const pc_packs *packs, const void *line, const void *r, int begin, int end,
                   pc_map_size *size);
  // The momentum of numbers begin .. end of the lines; there are as many as whole vectors.
  void (*push)(const pc_packs *packs, const pc_sweep *sweep, long begin, long end);
} pc_pack_kernels;
const pc_pack_kernels *pc_pack_kernels_of(int shape, int friction, bool extra, bool plain);
// In single precision; NULL if there are none.
const pc_pack_kernels *pc_pack_kernels_single(int shape, int friction, bool extra);

// Packs an island, with the guesses in problem->force or zeros as first percussions.
pc_status pc_packs_create(pc_packs *packs, const pc_impact *problem, const pc_islands *islands,
                          int island, bool warm, int threads, pc_arena *arena, pc_error *error);
// The same as blocks, without viscous friction.
pc_status pc_packs_create_blocks(pc_packs *packs, const pc_impact *problem,
                                 const pc_islands *islands, int island, bool warm, int threads,
                                 pc_arena *arena, pc_error *error);
// The same island, found again in a problem that has not changed.
void pc_packs_again(pc_packs *packs, const pc_islands *islands, int island);
// Velocities: free ones, with the percussions r.
void pc_packs_move(const pc_packs *packs, double *line, const double *r);
void pc_packs_sweep(const pc_packs *packs, const pc_sweep *sweep, double sums[2]);
// The size of the natural map; and the residual that it makes.
pc_map_size pc_packs_map(const pc_packs *packs, const void *line, const void *r);
double pc_packs_relative(const pc_packs *packs, const pc_map_size *size);
double pc_packs_residual(const pc_packs *packs, const double *line, const double *r);
// Adds what a part of the contacts has.
static inline void pc_map_size_add(pc_map_size *to, const pc_map_size *part)
{
  to->energy += part->energy;
  to->speed += part->speed;
  to->largest = part->largest > to->largest ? part->largest : to->largest;
}
// A place without a contact: nothing, between the line at rest and itself.
void pc_packs_leave_idle(const pc_packs *packs, int place);
// Back into the cones.
void pc_packs_project(const pc_packs *packs, double *r);
// Writes velocities and percussions into the problem.
void pc_packs_scatter(const pc_packs *packs, pc_impact *problem, const double *line,
                      const double *r);

#endif
