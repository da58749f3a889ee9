// The balance of momentum of an answer, body by body: M (U+ - U-) - P_ext + sum of B^T P, which is
// zero where the answer is right, beside the sizes of what it is the sum of.
//
// One source serves bodies of any kind. Bodies with 2, 3 or 6 free velocities, a mass and an
// inertia are instances of it for a constant number of velocities.
#ifndef PERCUSS_IMPACT_MOMENTUM_H
#define PERCUSS_IMPACT_MOMENTUM_H

#include <math.h>

#include "impact/problem.h"

typedef struct pc_momentum {
  const pc_impact *problem;
  int width;              // the most velocities of a body
  double *balance;        // per body: what is missing, then the sizes, `width` numbers each
  double *before, *after; // momenta of bodies through the masses that couple them
} pc_momentum;

// Sums over bodies.
typedef struct pc_momentum_sums {
  double energy;        // kinetic, of the free motion at most
  double before, after; // kinetic
  double mass;          // of those that can move
  double kick, work;    // of external percussions
  double defect, size;  // squares of the balance and of its parts, by energy
} pc_momentum_sums;

// Makes room; false if memory is out.
bool pc_momentum_create(pc_momentum *momentum, const pc_impact *problem, pc_arena *arena);
// What bodies begin .. end have and get without interactions.
void pc_momentum_begin(const pc_momentum *momentum, int begin, int end, pc_momentum_sums *sums);
// Adds the percussions of interactions begin .. end to bodies first .. last.
void pc_momentum_push(const pc_momentum *momentum, int begin, int end, int first, int last);
// Adds a percussion (x, y) with this arm to body b of the plane, where some bodies turn: what
// pc_momentum_push adds for a contact.
static inline void pc_momentum_push_flat(const pc_momentum *momentum, int b, double x, double y,
                                         double arm_x, double arm_y)
{
  double *missing = momentum->balance + 2L * PC_MAX_DOF * b, *sizes = missing + PC_MAX_DOF;
  double plus = arm_x * y, minus = arm_y * x;
  missing[0] += x;
  missing[1] += y;
  missing[2] += plus - minus;
  sizes[0] += fabs(x);
  sizes[1] += fabs(y);
  sizes[2] += fabs(plus) + fabs(minus);
}
// Adds up what is missing of bodies begin .. end.
void pc_momentum_end(const pc_momentum *momentum, int begin, int end, pc_momentum_sums *sums);

#endif
