// Laws of interactions, as every kind of file writes them.
#ifndef PERCUSS_SCENE_LAWS_H
#define PERCUSS_SCENE_LAWS_H

#include "percuss/law.h"
#include "scene/document.h"

// A normal law of one of the kinds that the schema allows; `what` names it in messages.
void pc_read_normal_law(pc_node node, const char *what, pc_normal_law *law);
// The keys `normal` and `tangential` of a mapping, for bodies in a space of 1, 2 or 3 coordinates.
// Coulomb's law looks at the velocity `otherwise` unless the file says which.
void pc_read_contact_law(pc_node node, int space, pc_coulomb_on otherwise, pc_law *law);

#endif
