// Temperatures and phases of a `kind: continuum` file -> pc_fe_thermal_def and the state before.
// tables_continuum_heat.c has the keys.
#include <math.h>
#include <string.h>

#include "scene/continuum_file.h"
#include "scene/scene_file.h"
#include "scene/tables.h"

static void *take(pc_continuum *to, pc_node node, int count, size_t size)
{
  void *room = pc_arena_take(&to->memory, (size_t)count + 1, size);
  if (room == NULL)
    pc_complain(node, "out of memory");
  return room;
}

// --- media --------------------------------------------------------------------------------------

// What a medium is at all its nodes before the collision.
typedef struct start {
  bool heated;
  pc_fe_phases phases;
  double change, temperature, fraction[PC_FE_FRACTIONS];
} start;

static void read_phase(pc_node node, pc_fe_thermal_medium *medium, start *s)
{
  int variant = pc_read_variant(&node, "a phase", "kind");
  if (variant < 0)
    return;
  medium->phases = (pc_fe_phases)pc_table_continuum_phases[variant]->value;
  medium->latent = pc_read_number(pc_get(node, "latent"));
  medium->change = pc_read_number(pc_get(node, "at"));
  medium->resist = pc_read_number_or(pc_get(node, "resistance"), 0);
  medium->spread = pc_read_number_or(pc_get(node, "spread"), 0);
  medium->spread_change = pc_read_number_or(pc_get(node, "spread_change"), 0);
  if (medium->phases == PC_FE_LIQUID) {
    s->fraction[0] = pc_read_number_or(pc_get(node, "fraction"), 0);
    return;
  }
  pc_node fractions = pc_get(node, "fractions");
  s->fraction[0] = s->fraction[1] = 0.5;
  if (pc_is_present(fractions))
    pc_read_vector(fractions, PC_FE_FRACTIONS, PC_FE_FRACTIONS, s->fraction);
  double sum = s->fraction[0] + s->fraction[1] + s->fraction[2];
  if (!pc_failed(node) && !(sum > 0 && sum <= 1 + 1e-12))
    pc_complain(fractions, "the fractions make %g together: more than 0 and at most 1 are there",
                sum);
}

static start read_medium(pc_node node, pc_fe_thermal_medium *medium)
{
  start s = {.heated = true};
  if (!pc_read_keys(&node, &pc_table_continuum_heat))
    return s;
  pc_node phase = pc_get(node, "phase");
  medium->capacity = pc_read_number(pc_get(node, "capacity"));
  medium->conduct = pc_read_number_or(pc_get(node, "conductivity"), 0);
  s.temperature = pc_read_number(pc_get(node, "temperature"));
  if (pc_is_present(phase))
    read_phase(phase, medium, &s);
  s.phases = medium->phases;
  s.change = medium->change;
  return s;
}

// Nodes that two media share have one temperature and one set of fractions.
static const char *difference(const start *a, const start *b)
{
  if (a->heated != b->heated)
    return "only one has 'heat'";
  if (a->temperature != b->temperature)
    return "have different temperatures there";
  if (a->phases != b->phases && a->phases != PC_FE_ONE_PHASE && b->phases != PC_FE_ONE_PHASE)
    return "have different kinds of phases there";
  if (a->phases == b->phases && a->change != b->change)
    return "change phase at different temperatures";
  if (a->phases == b->phases && memcmp(a->fraction, b->fraction, sizeof a->fraction) != 0)
    return "have different fractions there";
  return NULL;
}

static void set_nodes(pc_continuum *to, pc_node node, int number, const start *s, int *medium_of)
{
  const pc_fe_mesh *mesh = &to->mesh;
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    if (cell->group != to->def.medium[number].group)
      continue;
    for (int n = 0; n < pc_element_of(cell->type)->nodes; n++) {
      int at = mesh->body.node[cell->first + n], known = medium_of[at];
      const char *differ = known < 0 ? NULL : difference(&s[known], &s[number]);
      if (differ != NULL) {
        pc_complain(node, "'%s' and '%s' are joined at (%g, %g) and %s", to->medium_name[known],
                    to->medium_name[number], mesh->node[at][0], mesh->node[at][1], differ);
        return;
      }
      if (known < 0 || s[known].phases == PC_FE_ONE_PHASE)
        medium_of[at] = number;
      if (s[number].heated)
        to->temperature[at] = s[number].temperature;
      if (s[number].phases != PC_FE_ONE_PHASE)
        memcpy(to->fraction[at], s[number].fraction, sizeof to->fraction[at]);
    }
  }
}

static void read_media(pc_continuum *to, pc_node list)
{
  pc_fe_thermal_medium *medium = take(to, list, to->def.media, sizeof *medium);
  start *s = take(to, list, to->def.media, sizeof *s);
  int *medium_of = take(to, list, to->mesh.nodes, sizeof *medium_of);
  to->temperature = take(to, list, to->mesh.nodes, sizeof *to->temperature);
  to->fraction = take(to, list, to->mesh.nodes, sizeof *to->fraction);
  to->thermal.medium = medium;
  for (int i = 0; i < to->def.media && !pc_failed(list); i++) {
    pc_node node = pc_pair_value(list, i);
    pc_read_keys(&node, &pc_table_continuum_medium);
    pc_node heat = pc_get(node, "heat");
    if (!pc_is_present(heat))
      continue;
    pc_fe_thermal_medium *m = &medium[to->thermal.media++];
    m->group = to->def.medium[i].group;
    s[i] = read_medium(heat, m);
  }
  for (int i = 0; i < to->mesh.nodes && !pc_failed(list); i++) {
    to->temperature[i] = NAN;
    medium_of[i] = -1;
  }
  for (int i = 0; i < to->def.media && !pc_failed(list); i++)
    set_nodes(to, pc_pair_value(list, i), i, s, medium_of);
}

// --- contacts and the outside -------------------------------------------------------------------

// Whether the nodes of sides have temperatures: they are all of media that do, or none is.
static bool are_heated(const pc_continuum *c, int sides)
{
  const pc_fe_cells *side = &c->mesh.side;
  for (int i = 0; i < side->count; i++)
    if (side->cell[i].group == sides)
      return !isnan(c->temperature[side->node[side->cell[i].first]]);
  return false;
}

// Sides of one name may be of several media that are apart.
static bool are_mixed(const pc_continuum *c, int sides)
{
  const pc_fe_cells *side = &c->mesh.side;
  bool heated = are_heated(c, sides);
  for (int i = 0; i < side->count; i++)
    if (side->cell[i].group == sides &&
        isnan(c->temperature[side->node[side->cell[i].first]]) == heated)
      return true;
  return false;
}

static void read_contact(pc_continuum *to, pc_node node, const pc_fe_contact *contact,
                         pc_fe_thermal_contact *thermal)
{
  pc_read_keys(&node, &pc_table_continuum_contact);
  pc_node heat = pc_get(node, "heat");
  bool present = pc_is_present(heat), heated = are_heated(to, contact->sides);
  if (present && !pc_read_keys(&heat, &pc_table_continuum_contact_heat))
    return;
  if (are_mixed(to, contact->sides) || (contact->other >= 0 && are_mixed(to, contact->other)))
    pc_complain(node, "some of these sides are of media with 'heat', others are not");
  else if (contact->other >= 0 && are_heated(to, contact->other) != heated)
    pc_complain(node, "one side of this contact has 'heat', the other must have it too");
  else if (present && !heated)
    pc_complain(heat, "these sides are of no medium with 'heat'");
  else if (present && contact->other < 0)
    pc_complain(heat, "a body and the ground have no temperature: heat passes between media, or to "
                      "the outside in 'surfaces'");
  if (pc_failed(node) || !heated)
    return;
  *thermal = (pc_fe_thermal_contact){.sides = contact->sides, .other = contact->other};
  if (present)
    thermal->exchange = pc_read_number_or(pc_get(heat, "exchange"), 0);
  to->thermal.contacts++;
}

static void read_surface(pc_continuum *to, pc_node node, pc_fe_thermal_side *side)
{
  if (!pc_read_keys(&node, &pc_table_continuum_surface))
    return;
  pc_node sides = pc_get(node, "sides"), outside = pc_get(node, "outside");
  side->sides = pc_continuum_find_group(&to->mesh, to->mesh.dimension - 1, sides);
  side->capacity = pc_read_number_or(pc_get(node, "capacity"), 0);
  side->exchange = pc_read_number_or(pc_get(node, "exchange"), 0);
  side->outside = pc_read_number_or(outside, 0);
  side->given = pc_read_boolean_or(pc_get(node, "given"), false);
  double convection = pc_read_number_or(pc_get(node, "convection"), 0);
  if (pc_failed(node))
    return;
  if (!are_heated(to, side->sides) || are_mixed(to, side->sides))
    pc_complain(sides, "the sides '%s' are not of media with 'heat'", pc_node_text(sides).text);
  else if (!pc_is_present(outside) && (side->given || side->exchange > 0 || convection > 0))
    pc_complain(node, "what is 'given' or in exchange needs the key 'outside'");
  else if (!side->given && side->exchange == 0 && side->capacity == 0 && convection == 0)
    pc_complain(node, "nothing is at this surface: it needs 'capacity', 'exchange', 'convection' "
                      "or 'given'");
  for (int i = 0; i < to->thermal.surfaces && !pc_failed(node); i++)
    if (to->thermal.side[i].sides == side->sides)
      pc_complain(sides, "the sides '%s' are there twice", pc_node_text(sides).text);
  to->thermal.surfaces++;
}

void pc_continuum_read_heat(pc_continuum *to, pc_node root)
{
  if (pc_failed(root))
    return;
  pc_node contacts = pc_get(root, "contacts"), surfaces = pc_get(root, "surfaces");
  read_media(to, pc_get(root, "media"));
  int count = pc_is_present(surfaces) ? pc_read_list(surfaces, "'surfaces'") : 0;
  pc_fe_thermal_contact *contact = take(to, root, to->def.contacts, sizeof *contact);
  pc_fe_thermal_side *side = take(to, root, count, sizeof *side);
  to->thermal.contact = contact;
  to->thermal.side = side;
  to->thermal_contact = take(to, root, to->def.contacts, sizeof *to->thermal_contact);
  for (int i = 0; i < to->def.contacts && !pc_failed(root); i++) {
    int number = to->thermal.contacts;
    read_contact(to, pc_item(contacts, i), &to->def.contact[i], &contact[number]);
    to->thermal_contact[i] = to->thermal.contacts > number ? number : -1;
  }
  for (int i = 0; i < count && !pc_failed(root); i++)
    read_surface(to, pc_item(surfaces, i), &side[i]);
  to->thermal.mesh = &to->mesh;
  to->thermal.weight = 0.5; // of a collision: (7.58), (10.92)
}
