// Which law acts at a contact in a step.
#ifndef PERCUSS_RIGID_CONTACT_LAW_H
#define PERCUSS_RIGID_CONTACT_LAW_H

#include "rigid/bend.h"
#include "rigid/step.h"

// Each law of the materials has variants in a step: as it is, inelastic, without its tangential
// part, and both. A variant is PC_LAW_VARIANTS x law + PC_CALM_... bits.
enum { PC_LAW_VARIANTS = 4 };
void pc_contact_law_variant(const pc_materials *materials, int variant, pc_law *law);

// A contact that closes in this step, faster than what counts as rest.
bool pc_contact_is_impact(const pc_step *step, const pc_contact_data *contact);

// Whether a contact bends as it rolls on (bend.h) in this step. After an impact bodies do not go on
// as they moved.
bool pc_contact_rolls(const pc_step *step, const pc_contact_data *contact, pc_bend *bend);

// Whether friction at a contact in the problem looks ahead: as the contact rolls on, its velocity
// changes within the step.
bool pc_contact_looks_ahead(const pc_step *step, const pc_contact_data *contact, pc_bend *bend);

// Whether Moreau's law would let it rebound, though it is no impact: it approaches or parts faster
// than what counts as rest.
bool pc_contact_could_join(const pc_step *step, const pc_contact_data *contact);

// The variant that acts at a contact in this step, or -1; and the bound of the normal velocity.
int pc_contact_law(const pc_step *step, const pc_contact_data *contact, double *bound);

#endif
