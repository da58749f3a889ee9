// The energy balance of a run.
#ifndef PERCUSS_RIGID_BALANCE_H
#define PERCUSS_RIGID_BALANCE_H

#include "rigid/bodies.h"

typedef struct pc_energy_balance {
  double given, given_stored; // J, by changes of states since the last step; the stored part of it
  double energy_start;        // mechanical energy when the balance began
  double energy_turnover;     // sum of the sizes of all terms, the scale of the drift
  bool begun;                 // the balance has begun
  bool changed;               // states were changed since the last step
} pc_energy_balance;

// Begins with the first step, and again when the caller sets a state.
void pc_balance_begin(pc_world *world);
// Around a change of states in the middle of a run: counts the energy that it gave.
double pc_balance_energy(pc_world *world);
void pc_balance_add_change(pc_world *world, double before);
// Closes the balance of a step. `first` is the audit of what happened before the way to the middle,
// `gravity` and `forces` are works in the step, `energies` those at its end. Heat of the step is
// made here too: it fails only with heat.
pc_status pc_balance_close(pc_world *world, double h, const pc_solve_info *solve,
                           const pc_audit *first, double gravity, double forces,
                           const pc_energies *energies);
// After that: adds the kinetic energy of bodies that fell asleep.
void pc_balance_add_frozen(pc_world *world);
bool pc_balance_is_finite(const pc_world *world);

#endif
