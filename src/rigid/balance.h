// The energy balance of a run.
#ifndef PERCUSS_RIGID_BALANCE_H
#define PERCUSS_RIGID_BALANCE_H

#include "rigid/heat.h"

typedef struct pc_energy_balance {
  double given, given_stored; // J, by changes of states since the last step; the stored part of it
  double energy_start;        // mechanical energy when the balance began
  double energy_turnover;     // sum of the sizes of all terms, the scale of the drift
  bool begun;                 // the balance has begun
  bool changed;               // states were changed since the last step
  double opened, moving;      // before the step: what was left open, and the kinetic energy
  double entropy;             // before its heat
} pc_energy_balance;

// The parts that have energy, and the report that the balance fills.
typedef struct pc_energy_parts {
  const pc_body_store *bodies;
  pc_elements *elements;
  pc_heat_store *heat; // NULL: there is none
  pc_step_info *info;
  const double *gravity;
  int dimension, threads;
} pc_energy_parts;

// Begins with the first step, and again when the caller sets a state.
void pc_balance_begin(pc_energy_balance *balance, const pc_energy_parts *parts);
// Around a change of states in the middle of a run: counts the energy that it gave.
double pc_balance_energy(const pc_energy_parts *parts);
void pc_balance_add_change(pc_energy_balance *balance, const pc_energy_parts *parts, double before);

// What the phases of a step have found.
typedef struct pc_step_energies {
  const pc_solve_info *solve;
  const pc_audit *first;    // of what happened before the way to the middle
  double gravity, forces;   // works
  double elements, counted; // work of elements; the part that the problem counts as dissipated
  double pierced;           // taken by contacts that were pierced
  double at_distance;       // taken by systems and bonds
  double overlaps;          // energy of the springs of overlaps at the end
  const pc_energies *at_end;
} pc_step_energies;
// Adds the lines of a step, before its heat is made.
void pc_balance_add_step(pc_energy_balance *balance, const pc_energy_parts *parts,
                         const pc_step_energies *step);
// After that: adds the heat of the step, and compares the energies with what explains them.
void pc_balance_close(pc_energy_balance *balance, const pc_energy_parts *parts);
// After that: adds the kinetic energy of bodies that fell asleep.
void pc_balance_add_frozen(pc_energy_balance *balance, const pc_energy_parts *parts);
bool pc_balance_is_finite(const pc_energy_balance *balance, const pc_energy_parts *parts);

#endif
