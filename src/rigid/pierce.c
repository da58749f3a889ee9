// What the answer of a step pierces, and which passages end.
//
// A penetrable contact holds up to its threshold k0 (book 2.8.3). It is pierced if it has given all
// of that and the bodies still approach; in numbers, if what is left of the approach is more than
// what is left of the threshold could stop.
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

// Whether a contact is pierced, and what it took.
static bool is_pierced(const pc_step *step, const pc_contact_data *contact, double *taken)
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
  double after = normal_part(step, contact, answer.after);
  *taken = answer.dissipated;
  double used = law.normal.k * normal_part(step, contact, answer.deformation) -
                normal_part(step, contact, answer.percussion);
  double response = world->bodies.solid.at[contact->body[0]].inverse_mass +
                    world->bodies.solid.at[contact->body[1]].inverse_mass;
  return after < 0 && -after > response * (law.normal.k0 - used);
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

// Whether two bodies are still on their way through each other: they overlap, or were pierced
// before they touched and have not parted since. Not their speed decides: a body that turns may
// take its nearest point back for a moment.
static pc_status look_whether_inside(const pc_step *step, pc_pierced_pair *passage, bool overlaps,
                                     bool *inside)
{
  const pc_world *world = step->world;
  const pc_solid *solid = world->bodies.solid.at;
  int a = passage->body[0], b = passage->body[1];
  *inside = false;
  if (solid[a].absent || solid[b].absent)
    return PC_OK;
  *inside = overlaps || is_at_rest(&world->bodies, passage);
  if (overlaps)
    passage->width = 0;
  if (*inside || passage->width == 0)
    return PC_OK;
  double gap;
  pc_status status = pc_detection_gap(&step->search, a, b, passage->width, &gap);
  *inside = gap <= passage->width;
  return status;
}

static pc_status end_passages(const pc_step *step)
{
  pc_pierced *pierced = &step->world->pierced;
  int kept = 0, before = pierced->list.count;
  pc_status status = PC_OK;
  for (int i = 0; i < before && status == PC_OK; i++) {
    bool inside;
    status = look_whether_inside(step, &pierced->list.at[i], pierced->overlaps.at[i], &inside);
    if (inside)
      pierced->list.at[kept++] = pierced->list.at[i];
  }
  pierced->list.count = kept;
  pierced->changed = pierced->changed || kept < before;
  return status;
}

pc_status pc_step_note_pierced(const pc_step *step)
{
  pc_world *world = step->world;
  pc_pierced *pierced = &world->pierced;
  if (end_passages(step) != PC_OK)
    return pc_world_out_of_memory(world);
  if (!has_penetrable_law(&world->materials))
    return PC_OK;
  for (int t = 0; t < world->contacts.list.count; t++) {
    const pc_contact_data *contact = &world->contacts.list.at[t];
    double taken;
    if (!is_pierced(step, contact, &taken))
      continue;
    if (!pc_pierced_add(pierced, contact->body, contact->gap))
      return pc_world_out_of_memory(world);
    pierced->taken += taken;
    pierced->changed = true;
  }
  return PC_OK;
}
