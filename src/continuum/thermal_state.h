// The internals of a thermal problem (thermal.h), shared by its files.
//
// Nodes with a temperature are block rows of a matrix: first T+ - T-, then, where phases change, y:
// b+ - b- of a liquid, or the two coordinates of b+ - b- of an alloy in the plane sum = const,
// along (-1, -1, 2)/sqrt(6) and (1, -1, 0)/sqrt(2). The second equation is multiplied by T0, which
// makes the matrix symmetric; its rows have the sign -1.
#ifndef PERCUSS_CONTINUUM_THERMAL_STATE_H
#define PERCUSS_CONTINUUM_THERMAL_STATE_H

#include "continuum/thermal.h"
#include "core/memory.h"
#include "sparse/direct.h"

// A line of two nodes or a triangle, with its medium's numbers. `volume` counts half where a
// quadrangle is cut both ways.
typedef struct pc_thermal_part {
  int medium;
  int row[3];
  double volume, slope[3][2]; // gradients of the three functions that are linear on it
} pc_thermal_part;

// A node of a contact.
typedef struct pc_thermal_touch {
  int contact, node;
  int row, other; // other: -1, without temperature
  double weight;  // length, m
} pc_thermal_touch;

// What pushes give to a row.
typedef struct pc_thermal_push {
  double heat, entropy, work[PC_FE_FRACTIONS];
  double own, shared, latent; // of the capacities below, and of L: where the entropy is given
} pc_thermal_push;

// At each row.
typedef struct pc_thermal_row {
  int node, size;         // in the mesh; numbers of the row
  double own, shared;     // capacities: as they are, and times the sum of fractions
  double volume;          // of media with phases
  double latent, change;  // L times volume; T0
  double resist;          // c times volume
  double leak, leak_heat; // sums over what is outside: exchange, exchange times its temperature,
  double leak_over;       // exchange over it
  bool given;             // T+ is `at`
  double at;
  pc_thermal_push push;
} pc_thermal_row;

// State of a row in a solve.
typedef struct pc_thermal_point {
  double capacity;          // own + sum shared
  double before, sum;       // T-, sum of fractions
  double fraction[3];       // b-
  double place[2];          // b- as y has it
  double heat;              // received, with the share of contacts and the work of [b]
  double pull[2];           // T0 volume drive, as y has it
  double floor;             // least resistance, for what the equations leave free
  double stiff, side, soft; // diagonals: of T, of y, of y with T eliminated from its row
  int face, factored;       // of the set: which fractions may move, a bit each
  double extra[3];          // added to the matrix of y, for an interior point: 11, 12, 22
} pc_thermal_point;

struct pc_fe_thermal {
  pc_arena arena;        // of all arrays
  pc_fe_thermal_def def; // with its own lists
  int corners;           // of parts
  int parts, rows, touches;
  pc_thermal_part *part;
  pc_thermal_touch *touch;
  pc_thermal_row *row;
  pc_thermal_point *point;
  int *row_of;    // of each node, or -1
  double *length; // scratch: of each node, of sides

  // One number for each block of the matrix beside the diagonal: how two nodes act on each other,
  // <= 0 where angles are not obtuse.
  double *conduct, *spread, *spread_change;
  pc_block_matrix matrix;
  signed char *sign;
  pc_direct *direct;
  bool factored;
  bool couples; // something makes heat depend on the answer: contacts, gradients, drive

  // Vectors over the matrix: the jumps, what is left of the equations, a step, work.
  double *jump, *rest, *step, *scratch, *best;
  double *source;                 // of each row: heat that depends on the answer
  double *work;                   // scratch of each row
  struct pc_thermal_sides *sides; // of an interior point, when it is first needed
  bool started;                   // the next solve begins at `jump`
  double released, mixed;         // by voids that spread: energy of gradients, entropy
  pc_fe_thermal_state after;
};

// Numbers of a row in a vector.
static inline int pc_thermal_at(const pc_fe_thermal *t, int row)
{
  return t->matrix.start[row];
}

// What y_1 is in b_n: [b_n] = pc_thermal_share(...) y_1.
static inline double pc_thermal_share(int size)
{
  return size == 3 ? 0.81649658092772603 : size == 2 ? 1 : 0; // sqrt(2/3)
}

// thermal_assembly.c: rows, parts, touches, and the numbers of the matrices.
pc_status pc_thermal_make(pc_fe_thermal *t, pc_error *error);
// The length of the sides of a group that belongs to each node, in `length`.
void pc_thermal_measure_sides(pc_fe_thermal *t, int group);

// thermal_pushes.c: what pushes give to rows that are made.
void pc_thermal_add_pushes(pc_fe_thermal *t);
bool pc_thermal_has_entropy(const pc_thermal_row *row);
// Entropy that the exterior would give without heat, [T] S / T_mean, where a push gives the entropy
// instead; and the heat of that push.
double pc_thermal_entropy_shift(const pc_fe_thermal *t, int row, const double *jump);
double pc_thermal_entropy_heat(const pc_fe_thermal *t, int row, const double *jump);

// thermal_voids.c: the points of a solve after voids have spread, with the heat of it.
pc_status pc_thermal_spread_voids(pc_fe_thermal *t, pc_error *error);

// thermal_sets.c: y of three fractions (b- with sum 0 or not), and back.
void pc_thermal_to_plane(int size, const double fraction[3], double y[2]);
void pc_thermal_from_plane(int size, const double y[2], double fraction[3]);
// The nearest fractions in the set, `sum` of an alloy; which of them may move: bits 0 to 2 of an
// alloy, of a liquid 1 where it is between its ends.
int pc_thermal_project(int size, double sum, double fraction[3]);
// The projector onto a face in the coordinates y: 11, 12, 22.
void pc_thermal_face(int size, int face, double projector[3]);
// Distance of fractions from their set.
double pc_thermal_outside(int size, double sum, const double fraction[3]);
// b+ of a row for a vector of jumps.
void pc_thermal_fractions(const pc_fe_thermal *t, int row, const double *jump, double fraction[3]);

// thermal_equations.c: `rest` of the equations for a vector of jumps. Gives the largest of the
// natural map: of T in T's size, of b as it is.
double pc_thermal_rest(pc_fe_thermal *t, const double *jump);
// The nearest place in the set to b+ - f_b / soft of a row, for this `rest`, and which face it is
// on.
int pc_thermal_aim(const pc_fe_thermal *t, int row, const double *jump, double fraction[3]);
// Heat that depends on the answer: shares of contacts, work of [b].
void pc_thermal_sources(const pc_fe_thermal *t, const pc_fe_thermal_data *data, const double *jump,
                        double *source);
// Fills and factors the matrix for the present faces.
pc_status pc_thermal_factor(pc_fe_thermal *t, bool interior, pc_error *error);
// x <- the matrix^-1 x.
pc_status pc_thermal_apply(pc_fe_thermal *t, double *x, pc_error *error);

// thermal_solve.c: the solution for heat that is given, from `jump`.
pc_status pc_thermal_newton(pc_fe_thermal *t, double tolerance, int *iterations, double *residual,
                            pc_error *error);
// One more step if the factors are those of the answer; kept if it is an improvement.
void pc_thermal_polish(pc_fe_thermal *t, double *residual);
// thermal_interior.c: a point near the solution, from the middle of all sets.
pc_status pc_thermal_interior(pc_fe_thermal *t, int *iterations, pc_error *error);

// thermal_account.c
void pc_thermal_account_make(pc_fe_thermal *t, const pc_fe_thermal_data *data,
                             pc_fe_thermal_account *account);

// The next solve starts at the jumps of the last one, for nearly the same data.
static inline void pc_thermal_again(pc_fe_thermal *t)
{
  t->started = true;
}
// For tests: the next solve starts at these temperatures and fractions.
void pc_fe_thermal_start(pc_fe_thermal *thermal, const pc_fe_thermal_state *before,
                         const pc_fe_thermal_state *at);

#endif
