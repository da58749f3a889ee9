// The energy balance of a run.
#ifndef PERCUSS_RIGID_BALANCE_H
#define PERCUSS_RIGID_BALANCE_H

#include <stdbool.h>

typedef struct pc_energy_balance {
  double given, given_stored; // J, by changes of states since the last step; the stored part of it
  double energy_start;        // mechanical energy when the balance began
  double energy_turnover;     // sum of the sizes of all terms, the scale of the drift
  bool accounted;             // the balance has begun
  bool changed;               // states were changed since the last step
} pc_energy_balance;

#endif
