// A chain as its laws see it: walls are bodies that cannot move, so every contact has two bodies.
#ifndef PERCUSS_CHAIN_CHAIN_H
#define PERCUSS_CHAIN_CHAIN_H

#include "core/memory.h"
#include "percuss/chain.h"

typedef struct pc_chain_system {
  const pc_chain *chain;
  const pc_chain_law *law;
  pc_chain_options options;
  pc_arena arena;                  // of everything here
  int bodies, contacts;            // contact i is between bodies i and i + 1
  int first;                       // the body that is ball 0: 1 behind a wall
  double *inverse_mass;            // of bodies; 0 of a wall
  double *before, *velocity;       // of bodies; the laws change the second
  double *percussion, *dissipated; // of contacts, 0 at first
  double *position;                // of bodies: moved since the start
  double speed; // the largest velocity or approach: what is small is small beside it
  double quiet; // contacts that approach no faster do not approach
} pc_chain_system;

// Checks the arguments and takes memory from the arena, which the caller frees in any case. Chain
// and law are not copied and must outlive the system.
pc_status pc_chain_system_open(pc_chain_system *s, const pc_chain *chain, const pc_chain_law *law,
                               const pc_chain_options *options, pc_error *error);

// Approach of contact i, -gamma_i.
static inline double pc_chain_approach(const pc_chain_system *s, int i)
{
  return s->velocity[i] - s->velocity[i + 1];
}

static inline bool pc_chain_touches(const pc_chain_system *s, int i)
{
  return s->chain->contact[i].gap == 0;
}

// mu of contact i, the mass of its relative motion.
static inline double pc_chain_reduced_mass(const pc_chain_system *s, int i)
{
  return 1 / (s->inverse_mass[i] + s->inverse_mass[i + 1]);
}

// Applies the percussion p at contact i to its two bodies.
static inline void pc_chain_push(pc_chain_system *s, int i, double p)
{
  s->percussion[i] += p;
  s->velocity[i] -= p * s->inverse_mass[i];
  s->velocity[i + 1] += p * s->inverse_mass[i + 1];
}

// Seconds until the first gap closes, and of which contact; INFINITY: none does.
double pc_chain_next_touch(const pc_chain_system *s, const pc_chain_contact *contact, int *which);
// Moves all bodies freely and updates the gaps of their contacts.
void pc_chain_fly(pc_chain_system *s, pc_chain_contact *contact, double time);

double pc_chain_kinetic(const pc_chain_system *s); // of the velocities now
// Sets the work that percussions took at every contact, -p (gamma+ + gamma-)/2, for laws that act
// in an instant.
void pc_chain_book_work(pc_chain_system *s);

// The laws, one file each. Each sets velocities, percussions and work of the system, and status,
// steps, residual and whatever else it knows of the answer.
pc_status pc_chain_solve_matrix(pc_chain_system *s, pc_chain_answer *answer, pc_error *error);
pc_status pc_chain_solve_sequential(pc_chain_system *s, pc_chain_answer *answer, pc_error *error);
pc_status pc_chain_solve_impact(pc_chain_system *s, pc_chain_answer *answer, pc_error *error);
pc_status pc_chain_integrate(pc_chain_system *s, pc_chain_answer *answer, pc_error *error);

#endif
