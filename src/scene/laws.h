// Laws of interactions, as every kind of file writes them.
#ifndef PERCUSS_SCENE_LAWS_H
#define PERCUSS_SCENE_LAWS_H

#include "percuss/law.h"
#include "scene/bind.h"

// Variants that end with NULL; their `value` is of the enumerations of law.h.
extern const pc_mapping *const pc_table_distance_laws[], *const pc_table_spin_laws[];
// The law of a contact: the keys `normal` and `tangential`.
extern const pc_mapping pc_table_contact_law;
// The same keys in scenes, where nothing is bilateral, and Coulomb's law by default opposes the
// velocity after.
extern const pc_key pc_scene_law_keys[];
typedef struct pc_law_file { // that both fill
  pc_node normal, tangential;
} pc_law_file;

// A normal law of one of the kinds that the schema allows; `what` names it in messages.
void pc_read_normal_law(pc_node node, const char *what, pc_normal_law *law);
// The law of a contact of bodies in a space of 1, 2 or 3 coordinates.
void pc_read_contact_law(const pc_law_file *file, int space, pc_law *law);

#endif
