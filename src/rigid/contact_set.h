// The contacts of a step, and what is remembered of them for the next.
#ifndef PERCUSS_RIGID_CONTACT_SET_H
#define PERCUSS_RIGID_CONTACT_SET_H

#include "core/array.h"
#include "geometry/narrow.h"
#include "percuss/world.h"

// A contact of the step. Lists of these and of memories are in the order of their bodies, which
// come first in both.
typedef struct pc_contact_data {
  int body[2];
  uint64_t feature;
  double point[3], normal[3], gap;
  double before, free;  // D_N^-, and D_N+ if there were no contacts
  double percussion[3]; // P of the impact problem, world axes
  double bound;
  int law;         // variant (contact_law.h); -1: does not act
  int interaction; // in the impact problem; below 0: none
} pc_contact_data;
// Not yet in the problem, but it was in the one that the step solved before, just as it is.
enum { PC_SETTLED = -2 };

static inline bool pc_contact_is_pressed(const pc_contact_data *contact)
{
  return contact->percussion[0] != 0 || contact->percussion[1] != 0 || contact->percussion[2] != 0;
}

// A contact that acted before the step proper: on the way from a start to the middle.
typedef struct pc_first_contact {
  pc_contact_data contact;
  double dissipated; // J
} pc_first_contact;

typedef PC_ARRAY(pc_contact_data) pc_contact_data_list;

// A contact within reach that does not act, judged before the solve.
typedef struct pc_near {
  int body[2];
  double point[3], normal[3], gap;
} pc_near;
// The same of two balls, which is found again from their places: in a bed there are more of these
// than contacts.
typedef struct pc_near_balls {
  int body[2];
} pc_near_balls;

// What one worker finds.
typedef struct pc_finding {
  pc_contact_list list;          // contacts of a pair
  pc_contact_data_list contacts; // what acts
  bool lent;                     // they are in the spare memory of the search
  PC_ARRAY(pc_near) near;
  PC_ARRAY(pc_near_balls) near_balls;
  int passed;   // contacts that do not act
  int most;     // contacts that may be found, those that do not act included
  bool crowded; // there are more
} pc_finding;

// What is carried from step to step to start the solver from.
typedef struct pc_memory {
  int body[2];
  uint64_t feature;
  double percussion[3];
} pc_memory;

static inline pc_memory pc_memory_of(const pc_contact_data *contact)
{
  return (pc_memory){
      .body = {contact->body[0], contact->body[1]},
      .feature = contact->feature,
      .percussion = {contact->percussion[0], contact->percussion[1], contact->percussion[2]}};
}

// The contact of a step, although its list may be rebuilt.
typedef struct pc_contact_key {
  int body[2];
  uint64_t feature;
} pc_contact_key;

// The same for the moment of rolling friction.
typedef struct pc_moment {
  int body[2];
  uint64_t feature;
  double moment[3];
} pc_moment;

typedef struct pc_contact_set {
  pc_contact_data_list list;
  // Those of the look before, while contacts are looked for again; in the spare memory of the
  // search.
  pc_contact_data *before;
  int before_count;
  double deepest;               // overlap
  bool kept;                    // percussions are those that the solve started from
  int looked;                   // at so many pairs in the first search of the step
  PC_ARRAY(pc_finding) finding; // per worker
  // What is remembered is in the list once the problem is solved. It is put into `memory` when
  // other contacts take its place, and until these have read it.
  bool answered;
  PC_ARRAY(pc_memory) memory;
  bool memory_lent;                 // it is in the spare memory of the search
  PC_ARRAY(pc_moment) moment;       // in a world with rolling friction, in the order of bodies
  PC_ARRAY(pc_first_contact) first; // of the last step, if it began after a start
  PC_ARRAY(pc_contact_key) joining; // those that join the impacts of the step (joining.c), in order
} pc_contact_set;

// Contacts that a world of so many bodies may have, those that do not act included: far more than
// bodies have that part each other. They take some hundred bytes each here, and again in the impact
// problem.
static inline int pc_contacts_most(int bodies)
{
  const int least = 1 << 22, each = 64;
  return bodies < (INT32_MAX - least) / each ? least + each * bodies : INT32_MAX;
}

void pc_contact_set_free(pc_contact_set *contacts);

// remember.c: percussions of the step before, as a start for the solver, for contacts begin .. end.
// With `settles` a contact that is remembered is the same as in the solve before.
void pc_contacts_remember(pc_contact_set *contacts, int begin, int end, bool settles);
void pc_contacts_forget(pc_contact_set *contacts); // the next problem starts from no percussions
// Before the list is overwritten: what is remembered goes to an arena that is reset; false when
// memory is out.
bool pc_contacts_memorise(pc_contact_set *contacts, pc_arena *arena, int threads);
// The same to memory of its own, which may grow.
bool pc_contacts_own_memory(pc_contact_set *contacts);
// When it is read, or holds no longer.
void pc_contacts_drop_memory(pc_contact_set *contacts);

#endif
