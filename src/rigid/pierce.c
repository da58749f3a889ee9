// What the answer of a step pierces, and which passages end.
//
// A penetrable contact holds up to its threshold k0 (book 2.8.3). It is pierced if it has given all
// of that and the bodies still approach; in numbers, if what is left of the approach is more than
// what is left of the threshold could stop.
#include <math.h>

#include "core/small.h"
#include "rigid/contact_law.h"

static bool has_penetrable_law(const pc_materials *materials)
{
  bool any = materials->default_law.normal.kind == PC_NORMAL_PENETRABLE;
  for (int i = 0; i < materials->pair.count; i++)
    any = any || materials->pair.at[i].law.normal.kind == PC_NORMAL_PENETRABLE;
  return any;
}

// The normal part of a vector in the answer of a contact: world axes, or rows for a guided body.
static double normal_part(const pc_step *step, const pc_contact_data *contact, const double *vector)
{
  if (pc_contact_is_guided(&step->search, contact))
    return vector[0];
  double sign = step->world->problem.index.at[contact->body[0]] >= 0 ? 1 : -1;
  int dimension = step->world->def.dimension;
  double sum = 0;
  for (int k = 0; k < dimension; k++)
    sum += vector[k] * contact->normal[k];
  return sign * sum;
}

// Whether a contact is pierced; its approach after the step, and what it took.
static bool is_pierced(const pc_step *step, const pc_contact_data *contact, double *after,
                       double *taken)
{
  const pc_world *world = step->world;
  if (contact->law < 0 || contact->interaction < 0)
    return false;
  pc_law law;
  pc_contact_law_variant(&world->materials, contact->law, &law);
  if (law.normal.kind != PC_NORMAL_PENETRABLE)
    return false;
  pc_interaction_answer answer;
  pc_impact_answer(world->problem.impact, contact->interaction, &answer);
  *after = normal_part(step, contact, answer.after);
  *taken = answer.dissipated;
  double used = law.normal.k * normal_part(step, contact, answer.deformation) -
                normal_part(step, contact, answer.percussion);
  double response = world->bodies.solid.at[contact->body[0]].inverse_mass +
                    world->bodies.solid.at[contact->body[1]].inverse_mass;
  return *after < 0 && -*after > response * (law.normal.k0 - used);
}

// Both bodies stay where they are: nothing looks at the pair.
static bool is_at_rest(const pc_body_store *bodies, const pc_pierced_pair *passage)
{
  int resting = 0;
  for (int b = 0; b < 2; b++)
    resting += bodies->solid.at[passage->body[b]].mass == 0 ||
               pc_bodies_is_asleep(bodies, passage->body[b]);
  return resting == 2;
}

// Whether two bodies are still on their way through each other. Those that have overlapped are
// until they no longer do. Those that have not yet are while they approach, and the way that was
// left has not been made.
static bool goes_on(const pc_step *step, pc_pierced_pair *passage, bool overlaps)
{
  const pc_world *world = step->world;
  const pc_solid *solid = world->bodies.solid.at;
  const double little = 0.01; // of the smaller radius
  int a = passage->body[0], b = passage->body[1];
  if (solid[a].absent || solid[b].absent)
    return false;
  if (overlaps)
    passage->ahead = -INFINITY;
  if (overlaps || is_at_rest(&world->bodies, passage))
    return true;
  double first[6], second[6];
  pc_step_velocity_after(&step->search, &world->problem, a, first);
  pc_step_velocity_after(&step->search, &world->problem, b, second);
  double speed =
      pc_separation_speed(&step->search, a, b, first, second, passage->point, passage->normal);
  if (passage->ahead < -little * fmin(solid[a].radius, solid[b].radius) || speed > 0)
    return false;
  passage->ahead += step->h * speed;
  return true;
}

static bool end_passages(const pc_step *step)
{
  pc_pierced *pierced = &step->world->pierced;
  int kept = 0, before = pierced->list.count;
  for (int i = 0; i < before; i++)
    if (goes_on(step, &pierced->list.at[i], pierced->overlaps.at[i]))
      pierced->list.at[kept++] = pierced->list.at[i];
  pierced->list.count = kept;
  return kept < before;
}

pc_status pc_step_note_pierced(const pc_step *step)
{
  pc_world *world = step->world;
  pc_pierced *pierced = &world->pierced;
  bool ended = end_passages(step);
  pierced->changed = pierced->changed || ended;
  if (!has_penetrable_law(&world->materials))
    return PC_OK;
  for (int t = 0; t < world->contacts.list.count; t++) {
    const pc_contact_data *contact = &world->contacts.list.at[t];
    double after, taken;
    if (!is_pierced(step, contact, &after, &taken))
      continue;
    // Where the two are at the middle of the next step.
    pc_pierced_pair passage = {.body = {contact->body[0], contact->body[1]},
                               .ahead =
                                   contact->gap <= 0 ? -INFINITY : contact->gap + step->h * after};
    memcpy(passage.point, contact->point, sizeof passage.point);
    memcpy(passage.normal, contact->normal, sizeof passage.normal);
    if (!pc_pierced_add(pierced, &passage))
      return pc_world_out_of_memory(world);
    pierced->taken += taken;
    pierced->changed = true;
  }
  return PC_OK;
}
