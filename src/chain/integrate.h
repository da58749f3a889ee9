// The state of a chain whose contacts are compressed, and the laws of one contact.
#ifndef PERCUSS_CHAIN_INTEGRATE_H
#define PERCUSS_CHAIN_INTEGRATE_H

#include <math.h>

#include "chain/chain.h"
#include "core/dormand.h"
#include "core/elementary.h"

enum { STAGES = PC_DORMAND_STAGES };

// State of every contact: percussion; compression (virtual for LZB, true for Hertz); work of the
// force; integral of the percussion, which moves the balls.
enum { PC_P, PC_X, PC_W, PC_Q, PC_STATES };

typedef enum pc_contact_model { PC_LZB_BI, PC_LZB_MONO, PC_HERTZ } pc_contact_model;
typedef enum pc_force_shape { PC_SHAPE_HERTZ, PC_SHAPE_LINEAR, PC_SHAPE_POWER } pc_force_shape;

typedef struct pc_run {
  int from, to; // contacts, the last one excluded
} pc_run;

typedef struct pc_chain_state {
  pc_chain_system *s;
  pc_contact_model model;
  pc_force_shape shape;
  bool remembers; // forces depend on more than the compression now
  double tolerance, time, next_step;
  double opened; // when the last contact opened
  double corner; // depth of a contact that opens, over the typical one, that a step may jump over
  double still;  // compressions that hold nothing, over the typical one
  long shown;    // samples given

  double *state[PC_STATES], *stage_state[PC_STATES], *next[PC_STATES];
  double *slope[PC_STATES][STAGES];
  double *stage_velocity; // of bodies
  double *next_approach;  // of contacts, after the step
  double *stiffness;      // K; 0: takes no part
  double *back;           // x' / c where the contact separates
  double *start;          // compressions before the last step
  double *share;          // e^2
  double *stored;         // at the start, J
  double *peak;           // Hertz: the largest compression; mono-stiffness: where loading started
  double *typical;        // compression of a collision at full speed
  double *lightness;      // turns an error of the percussion into one of velocities over `speed`
  double *since;          // time of the state of contacts that are left alone
  double *shown_force, *shown_velocity;
  bool *closed, *loading;
  pc_run *run, *spare;
  int runs;
} pc_chain_state;

// x of the force K x^eta, from the compression; negative where the contact is open.
static inline double pc_contact_depth(const pc_chain_state *m, int i, double x)
{
  if (m->model != PC_HERTZ || x >= m->peak[i])
    return x;
  // Unloading from the peak and loading up to it: a steeper branch that ends at (1 - e^2) peak.
  return (x - (1 - m->share[i]) * m->peak[i]) / m->share[i];
}

static inline double pc_contact_force(const pc_chain_state *m, int i, double x)
{
  double depth = pc_contact_depth(m, i, x);
  if (depth <= 0)
    return 0;
  switch (m->shape) {
  case PC_SHAPE_HERTZ:
    return m->stiffness[i] * depth * sqrt(depth);
  case PC_SHAPE_LINEAR:
    return m->stiffness[i] * depth;
  default:
    return m->stiffness[i] * pc_pow(depth, m->s->chain->exponent);
  }
}

// Takes memory from the arena of m->s and sets the state at time 0; false when memory is out.
bool pc_chain_state_begin(pc_chain_state *m);
// Advances to time `end`, or until nothing collides any more; false when max_steps is reached.
bool pc_chain_state_go(pc_chain_state *m, double end, long *steps);
// Brings all contacts to the present time.
void pc_chain_state_catch_up(pc_chain_state *m);

// Energy that the contact would give back.
double pc_contact_stored(const pc_chain_state *m, int i);
// How far the bodies have moved, with all contacts at the present time.
void pc_chain_state_positions(const pc_chain_state *m, double *position);
// Passes samples of the last step, of length h, or of the start, to the watcher; false: stop.
bool pc_chain_state_show(pc_chain_state *m, double h);

#endif
