// Sleep: islands of bodies at rest leave the step until something touches them or a force on them
// changes. Which bodies sleep is told by pc_body_store.
#ifndef PERCUSS_RIGID_SLEEP_H
#define PERCUSS_RIGID_SLEEP_H

#include "rigid/bodies.h"
#include "rigid/contact_set.h"
#include "rigid/elements.h"
#include "rigid/pieces.h"
#include "rigid/pierced.h"

typedef struct pc_sleep {
  int known;                      // bodies that have entries in these arrays
  PC_ARRAY(double) quiet;         // s, how long a body has been slow
  PC_ARRAY(pc_six) held;          // N, the force on it since then
  PC_ARRAY(unsigned char) roused; // it shall wake
  PC_ARRAY(unsigned char) woken;  // it did, in the last call of pc_sleep_wake
  PC_ARRAY(int) root;             // first body of its island, while islands are looked for
  PC_ARRAY(unsigned char) trait;  // of islands, at their first body, at the same time
  pc_contact_data_list contacts;  // of sleeping bodies
  bool fresh;                     // some bodies fell asleep in the last step
  bool potential_known;
  double potential[PC_PIECES]; // J, of sleeping bodies
} pc_sleep;

void pc_sleep_free(pc_sleep *sleep);
bool pc_sleep_reserve(pc_sleep *sleep, pc_body_store *bodies); // entries for new bodies
void pc_sleep_reorder(pc_sleep *sleep, int bodies, const int *from, char *room);

// At the start of a step: contacts of sleeping bodies are no part of its problem.
void pc_sleep_begin(pc_sleep *sleep);
// The potential energies of sleeping bodies, unless they are known.
void pc_sleep_count(pc_sleep *sleep, const pc_body_store *bodies, const double gravity[3]);

// Marks a body that shall wake, if it sleeps, or all.
void pc_sleep_rouse(pc_sleep *sleep, const pc_body_store *bodies, int i);
void pc_sleep_rouse_all(pc_sleep *sleep, const pc_body_store *bodies);
// Marks bodies on which the force is not what it was.
void pc_sleep_compare_forces(pc_sleep *sleep, const pc_body_store *bodies, const pc_six *loaded,
                             double h);
// Wakes the islands of marked bodies; `any` tells whether there were some, and `woken` which. False
// when memory is out.
bool pc_sleep_wake(pc_sleep *sleep, pc_body_store *bodies, pc_contact_set *contacts, bool *any);

// At the end of a step: how long a body has been slower than `speed`.
void pc_sleep_watch(pc_sleep *sleep, const pc_body_store *bodies, int i, double h, double speed);
// Chooses the islands that fall asleep; false if none does. Without `pull`, gravity or a force,
// nothing needs to hold them.
bool pc_sleep_choose(pc_sleep *sleep, const pc_body_store *bodies, const pc_contact_set *contacts,
                     const pc_elements *elements, const pc_pierced *pierced, double after,
                     bool pull);
bool pc_sleep_is_chosen(const pc_sleep *sleep, const pc_body_store *bodies, int i);
// Puts them to sleep and their contacts aside. False when memory is out.
bool pc_sleep_fall(pc_sleep *sleep, pc_body_store *bodies, pc_contact_set *contacts);

#endif
