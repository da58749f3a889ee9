// Forces on bodies: callbacks, loads, loads of guided bodies, and forces set for many bodies.
#ifndef PERCUSS_RIGID_FORCES_H
#define PERCUSS_RIGID_FORCES_H

#include "core/prefetch.h"
#include "rigid/bodies.h"

typedef struct pc_force_entry {
  pc_force *force;
  void *context;
} pc_force_entry;

typedef struct pc_load {
  int body;
  double force[6];
  pc_signal signal; // PC_SIGNAL_NONE: constant
} pc_load;

typedef struct pc_forces {
  PC_ARRAY(pc_force_entry) callback;
  PC_ARRAY(pc_load) load;
  PC_ARRAY(double) given; // N, N m: set by the caller, `numbers` of each body
  int given_bodies;
  int numbers;             // 6, or in the plane 3: x, y and the moment about z
  PC_ARRAY(pc_six) loaded; // N s: percussions of all these in the step, where they are kept
} pc_forces;

void pc_forces_free(pc_forces *forces);
pc_status pc_forces_add_callback(pc_forces *forces, pc_force *force, void *context,
                                 pc_error *error);
// `body` is a slot.
pc_status pc_forces_add_load(pc_forces *forces, int body, const double force[6],
                             const pc_signal *signal, pc_error *error);
bool pc_forces_reserve_given(pc_forces *forces, int bodies); // zeros for new bodies
void pc_forces_set_given(pc_forces *forces, const pc_body_store *bodies, pc_body first, int count,
                         const double (*given)[6]);

// Before the bodies are put in another order: room for all of them. Then `from` gives old slots and
// `to` new ones.
bool pc_forces_reserve_order(pc_forces *forces, int bodies);
void pc_forces_reorder(pc_forces *forces, int bodies, const int *from, const int *to, char *room);

static inline bool pc_forces_act(const pc_forces *forces, const pc_body_store *bodies)
{
  return forces->callback.count > 0 || forces->load.count > 0 || bodies->guided > 0 ||
         forces->given_bodies > 0;
}

// Whether the forces that act are those that were set for many bodies and no others.
static inline bool pc_forces_are_given(const pc_forces *forces, const pc_body_store *bodies)
{
  return forces->callback.count == 0 && forces->load.count == 0 && bodies->guided == 0 &&
         forces->given_bodies > 0;
}

// h F of a body, of the forces that were set for many bodies.
static inline void pc_forces_given_percussion(const pc_forces *forces, const pc_body_store *bodies,
                                              int i, double h, double six[6])
{
  enum { AHEAD = 16 };
  const int numbers = forces->numbers;
  pc_prefetch(forces->given.at, i + AHEAD, sizeof(double) * (size_t)numbers);
  memset(six, 0, 6 * sizeof *six);
  if (i >= forces->given_bodies || bodies->solid.at[i].mass == 0)
    return;
  const double *force = forces->given.at + (size_t)numbers * (size_t)i;
  for (int k = 0; k < 2; k++)
    six[k] = 0 + h * force[k]; // no -0
  if (numbers == 3)
    six[5] = 0 + h * force[2];
  for (int k = 2; k < numbers && numbers == 6; k++)
    six[k] = 0 + h * force[k];
}

// Percussions of all forces over a step of length h from `time` on, into `loaded`, with the bodies
// at the middle of the step. Fails if one is not finite.
pc_status pc_forces_load(pc_forces *forces, const pc_body_store *bodies, double time, double h,
                         int threads, pc_error *error);
pc_status pc_forces_report_infinite(const pc_body_store *bodies, int i, pc_error *error);

#endif
