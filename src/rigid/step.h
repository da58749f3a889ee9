// One step of a world: the context that its phases share, and the phases.
//
//   begin          bodies move freely to the middle of the step; forces are taken there
//   find contacts  outlines, pairs, contacts
//   state          the impact problem: bodies, contacts with their laws, stiff elements, bonds
//   solve          every velocity jump of the step
//   take over      the new velocities; bodies are moved out of each other
//   move           bodies move freely to the end of the step
//   balance        energies, heat, sleep
#ifndef PERCUSS_RIGID_STEP_H
#define PERCUSS_RIGID_STEP_H

#include "rigid/detection.h"
#include "rigid/world.h"

// What contacts do instead of their laws when these have no answer.
enum { PC_CALM_INELASTIC = 1, PC_CALM_SLIPPERY = 2 };

typedef struct pc_step {
  pc_world *world;
  double h;
  int threads;
  bool acts;           // forces and elements act; not so on the way from a start to the middle
  bool has_loads;      // there are forces other than gravity
  bool given_loads;    // only forces set for many bodies, which are not written to `loaded`
  bool keeps_external; // P_ext is kept in `external`, because elements add to it
  int calm;            // PC_CALM_...
  pc_detection search; // for contacts
  pc_solve_info solve; // the answer of the impact problem
} pc_step;

// Percussions of the forces on a body, without gravity.
static inline const double *pc_step_loads(const pc_step *step, int i, double room[6])
{
  if (!step->given_loads)
    return step->world->forces.loaded.at[i];
  pc_forces_given_percussion(&step->world->forces, &step->world->bodies, i, step->h, room);
  return room;
}

// P_ext of a body from gravity and forces; into `external` where that is kept. The work of gravity
// is that of the potential energy, so gravity is no load.
static inline const double *pc_step_make_external(const pc_step *step, int i, double room[6])
{
  pc_world *world = step->world;
  double weight = step->h * world->bodies.solid.at[i].mass, own[6];
  double *external = step->keeps_external ? world->scratch.external.at[i] : room;
  for (int k = 0; k < 3; k++)
    external[k] = weight * world->def.gravity[k];
  for (int k = 3; k < 6; k++)
    external[k] = 0;
  if (!step->has_loads)
    return external;
  const double *loads = pc_step_loads(step, i, own);
  for (int k = 0; k < 6; k++)
    external[k] += loads[k];
  return external;
}

// The velocity of a body after the solve.
static inline void pc_step_velocity_after(const pc_detection *search, const pc_problem *problem,
                                          int i, double six[6])
{
  if (problem->index.at[i] < 0)
    memcpy(six, search->free[i], sizeof search->free[i]);
  else
    pc_problem_velocity(problem, search->bodies, i, six);
}

// step_begin.c: bodies to the middle of the step, forces, velocities without contacts. `placed`
// tells whether outlines are made as well.
pc_status pc_step_begin_bodies(pc_step *step, bool *placed);
pc_status pc_step_wake(const pc_step *step, bool *any); // the islands of marked bodies

// step_solve.c: contacts, their problem and its answer.
pc_status pc_step_find_contacts(pc_step *step, bool placed);
pc_status pc_step_solve_contacts(pc_step *step, bool placed);

// pierce.c: after that, which bodies have pierced others, and which have parted since they did.
pc_status pc_step_note_pierced(const pc_step *step);

// system_step.c: what bodies of systems do to each other in the collisions that the contacts of the
// problem are; these then act with their whole laws. False when memory is out.
bool pc_step_find_system_acts(const pc_step *step);
pc_status pc_step_state_system_acts(const pc_step *step); // as interactions of the problem
void pc_step_note_system_acts(const pc_step *step);       // the answer of the last problem

// step_end.c: what bodies add at the end of a step.
typedef struct pc_end_sums {
  double gravity, forces; // works
  double correction;      // work against gravity of moving bodies out of each other
  pc_energies energies;
} pc_end_sums;
// Takes the velocities over and moves the bodies to the end, with the corrections of positions if
// `corrected`. Gives a body whose motion is not finite, or -1.
int pc_step_end_bodies(const pc_step *step, bool corrected, pc_end_sums *sums);

// repeat.c: whether the step that was made changed nothing, so that those after it do not either;
// and such a step after it.
bool pc_step_repeats(const pc_step *step, bool placed, bool corrected);
void pc_step_repeat(pc_world *world, double h);

// problem.c: states the impact problem.
pc_status pc_problem_state(const pc_step *step);
// Whether the contacts found again, instead of `known` others, state the problem that was solved
// last; then those are taken back.
bool pc_problem_stands(const pc_step *step, int known);

// answer.c: reads the percussions of contacts from the answer and remembers them.
void pc_answer_keep(const pc_step *step);

// missed.c: whether velocities after the solve make contacts that were not searched or did not act.
// Marks the bodies as struck and writes `previous`. With `only_deep` a fifth of a radius is let
// pass.
bool pc_missed_any(const pc_detection *search, const pc_problem *problem, bool only_deep);

// order.c: puts the bodies of a large world in an order in space, if that is due; or in this one,
// told by their numbers from 0.
pc_status pc_order_bodies(pc_world *world);
pc_status pc_order_apply(pc_world *world, const int *id);

// step.c
pc_status pc_step_run(pc_world *world, double h);
// For the contacts of a step of length h.
pc_detection pc_step_detection(pc_world *world, pc_treatment treatment, double h);

#endif
