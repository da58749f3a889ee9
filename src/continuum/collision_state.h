// The internals of a collision (collision.h), shared by its files.
#ifndef PERCUSS_CONTINUUM_COLLISION_STATE_H
#define PERCUSS_CONTINUUM_COLLISION_STATE_H

#include <stddef.h>

#include "continuum/assembly.h"
#include "continuum/collision.h"
#include "core/array.h"
#include "core/memory.h"
#include "percuss/impact.h"
#include "sparse/direct.h"

// The places of the two velocities that a touching node compares: w = U - U_other.
typedef struct pc_fe_bond {
  int row, at;             // block row of the node, and its place in a vector; -1: it is a point
  int other_row, other_at; // of the node or the body opposite; -1: the ground
  bool rigid;              // it is a body
  double turn[3][3];       // velocity of the body at the node for each of its spins
  double least;            // of D, where the contact gives one
  double sense;            // of the shares: 1, or -1 where the contact pulls
  int shares;              // if there are any, they are N . U of the node
  const pc_fe_share *share;
} pc_fe_bond;

// A block row of a condition: where its numbers are in a vector, and their coefficients.
typedef struct pc_fe_row_part {
  int row, at, size;
  double value[PC_FE_BODY];
} pc_fe_row_part;

// A side of a contact, and which touch each of its nodes is.
typedef struct pc_fe_contact_side {
  int side, contact;
  int touch[PC_SIDE_NODES_MAX];
} pc_fe_contact_side;

struct pc_fe_collision {
  pc_arena arena;          // of all arrays but the response
  pc_fe_collision_def def; // with its own lists
  pc_fe_space space;
  int components, numbers;
  int spins;              // of a body: 0, 1 or 3
  pc_block_matrix matrix; // M + K with the velocities that are given: what is factored
  pc_block_matrix mass;   // M, with the pattern of the matrix
  pc_block_matrix volume; // K of volumes and incompressibility
  pc_direct *direct;
  bool saddle; // there are pressures
  bool factored;
  bool replaced; // the matrix of volumes is the caller's
  bool stiff;    // viscosities are large beside masses
  double assembly_s, analyze_s, factor_s;
  char *fixed;    // per number: 0 free, 1 is zero, 2 stays as it was
  double *push;   // external percussions, `push` of the definition
  double *pushed; // these and the load
  double *about;  // that of the definition, in the order of vectors; NULL

  int touches, sides;
  pc_fe_touch *touch;
  pc_fe_bond *bond;
  pc_fe_contact_side *side;
  char *on, *factored_on, *stated_on; // touches now, in the factor, in the response

  // Conditions: D = -w_N >= 0 or = 0.
  int conditions;
  int *condition;                // its touch
  int *first;                    // of its parts, conditions + 1
  PC_ARRAY(pc_fe_row_part) part; // the rows of D without what is given
  PC_ARRAY(pc_block_part) block; // the same, for the response
  bool stated;
  bool meets;             // a contact has something that moves between solves
  double *response;       // conditions x conditions
  long response_room;     // numbers there is memory for
  double *opening, *free; // D now, and D as if the percussions were none
  double *trial, *best;   // percussions
  double speed;           // of what was before, and of what the conditions stop
  double energy;          // likewise
  bool rough;             // the last linear solve did not reach its residual
  pc_impact *impact;

  // Vectors.
  double *before, *after, *right, *sum, *scratch, *other;
  double (*force)[3]; // per touch
  double *velocity, *pressure;
  double (*body)[PC_FE_BODY];
};

// collision_def.c
pc_status pc_fe_collision_check(const pc_fe_collision_def *def, pc_error *error);

// collision_volume.c
// What the viscosities of volumes act on when velocities are u: without the rigid part, which they
// only map to zero up to round-off.
void pc_fe_volume_bend(const pc_fe_collision *c, const double *u, double *to);
// The same for u = U+ + U-, less what they act about.
void pc_fe_volume_bend_sum(const pc_fe_collision *c, const double *sum, double *to);

// collision_surface.c
pc_status pc_fe_surface_create(pc_fe_collision *c, pc_error *error);
// Takes over how nodes meet what moves between solves.
void pc_fe_surface_meet(pc_fe_collision *c);
// w of a touch, in x, y and z.
void pc_fe_surface_relative(const pc_fe_collision *c, int touch, const double *u, double w[3]);
// Splits w into its parts along N and both T; those that the dimension does not have are 0.
void pc_fe_surface_split(const pc_fe_collision *c, int touch, const double w[3], double part[3]);
// Adds a percussion on the node and its opposite on the other side.
void pc_fe_surface_spread(const pc_fe_collision *c, int touch, const double force[3],
                          double *vector);
// K of surfaces: added to a matrix, and multiplied with u. `force`, if not NULL, gets the share of
// each touch.
void pc_fe_surface_add(const pc_fe_collision *c, pc_block_matrix *matrix);
void pc_fe_surface_multiply(const pc_fe_collision *c, const double *u, double *vector,
                            double (*force)[3]);

// collision_contact.c
pc_status pc_fe_contact_create(pc_fe_collision *c, pc_error *error);
// Computes `after` from the right hand side and the conditions, and the reactions of the touches.
pc_status pc_fe_contact_solve(pc_fe_collision *c, pc_fe_answer *answer, pc_error *error);

// collision_account.c
void pc_fe_account_make(pc_fe_collision *c, pc_fe_account *account);

#endif
