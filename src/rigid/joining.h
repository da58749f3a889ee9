// Contacts that join the impacts of a step.
//
// All impacts of a step are one collision. A body that rebounds at one contact may be pushed at
// another that did not approach, or would not have closed yet. If that one only held it, the energy
// of its rebound would be lost: at e = 1 a gas would cool down. So it takes part with Moreau's law,
// D+ >= -e D-, like the contacts that approached, and the collision is solved again. Where all e
// are equal, the sum over the contacts has a sign then, and at e = 1 without friction it is zero.
// Since D+ >= -D-, its gap at the end of the step is not less than at the beginning.
#ifndef PERCUSS_RIGID_JOINING_H
#define PERCUSS_RIGID_JOINING_H

#include "rigid/contact_set.h"

void pc_joining_clear(pc_contact_set *contacts); // at the beginning of a step
bool pc_contact_joins(const pc_contact_set *contacts, const pc_contact_data *contact);
// Adds one; false when memory is out. In order again after pc_joining_sort.
bool pc_joining_add(pc_contact_set *contacts, const pc_contact_data *contact);
void pc_joining_sort(pc_contact_set *contacts);

#endif
