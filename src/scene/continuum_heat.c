// Temperatures and phases of a `kind: continuum` file -> pc_fe_thermal_def and the state before.
#include <math.h>
#include <string.h>

#include "scene/continuum_file.h"

// What a medium is at all its nodes before the collision.
typedef struct start {
  bool heated;
  pc_fe_phases phases;
  double change, temperature, fraction[PC_FE_FRACTIONS];
  double diffuse;
} start;

typedef struct phase_file {
  pc_fe_thermal_medium medium;
  double fraction[PC_FE_FRACTIONS];
} phase_file;
static const pc_key change_keys[] = {
    {"latent", PC_INTO(phase_file, medium.latent), PC_A_NUMBER, true, .unit = "J/m³", PC_POSITIVE,
     .meaning = "latent heat L of melting, or of the change to austenite"},
    {"at", PC_INTO(phase_file, medium.change), PC_A_NUMBER, true, .unit = "K", PC_POSITIVE,
     .meaning = "T₀: temperature of the phase change"},
    {"resistance", PC_INTO(phase_file, medium.resist), PC_A_NUMBER, .unit = "J/m³", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "c of the term c [β]: makes the phase change dissipative and spreads it over a "
                "range of temperatures; 0: the change happens exactly at `at`"},
    {"spread", PC_INTO(phase_file, medium.spread), PC_A_NUMBER, .unit = "J/m", PC_NOT_NEGATIVE,
     .otherwise = "0", .meaning = "k of the energy ½ k (grad β)²"},
    {"spread_change", PC_INTO(phase_file, medium.spread_change), PC_A_NUMBER, .unit = "J/m",
     PC_NOT_NEGATIVE, .otherwise = "0", .meaning = "υ of the dissipation ½ υ (grad [β])²"},
    {0}};
static const pc_key liquid_keys[] = {
    PC_TAG("kind", "liquid", "kind of phase"),
    {"fraction", PC_INTO(phase_file, fraction[0]), PC_A_NUMBER, PC_FROM(0, 1), .otherwise = "0",
     .meaning = "liquid fraction β before the collision: 0 frozen, 1 molten"},
    {0}};
static const pc_mapping liquid = {"continuum_liquid", "a liquid phase",
                                  "A phase that melts and freezes.",
                                  .keys = {liquid_keys, change_keys}, .value = PC_FE_LIQUID};
static const pc_key alloy_keys[] = {
    PC_TAG("kind", "alloy", "kind of phase"),
    {"fractions", PC_INTO(phase_file, fraction), PC_NUMBERS, .count = {3, 3}, PC_FROM(0, 1),
     .otherwise = "[0.5, 0.5, 0]",
     .meaning = "fractions β of two martensites and of austenite before the collision; the "
                "remainder to 1 is voids"},
    {"void_diffusion", PC_INTO(phase_file, medium.diffuse), PC_A_NUMBER, .unit = "m²",
     PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k of [Σβ] = k Δ Σβ⁺ in a collision: voids spread over a distance of about √k, and "
                "the material that moves carries its heat and phases. 0: the sum of fractions does "
                "not change"},
    {0}};
static const pc_mapping alloy = {
    "continuum_alloy", "an alloy",
    "A shape-memory alloy: two martensites, stable when cold, and austenite.",
    .keys = {alloy_keys, change_keys}, .value = PC_FE_ALLOY};
static const pc_mapping *const phases[] = {&liquid, &alloy, NULL};

static void read_phase(pc_node node, phase_file *file)
{
  if (pc_bind_variant(&node, "a phase", "kind", file) < 0)
    return;
  file->medium.phases = (pc_fe_phases)node.mapping->value;
  double sum = file->fraction[0] + file->fraction[1] + file->fraction[2];
  if (!pc_failed(node) && file->medium.phases == PC_FE_ALLOY && !(sum > 0 && sum <= 1 + 1e-12))
    pc_complain(PC_NODE(node, phase_file, fraction),
                "the sum of the fractions must be positive and at most 1 (got %g)", sum);
}

typedef struct heat_file {
  double capacity, conductivity, temperature;
  pc_node phase, later;
} heat_file;
static const pc_key heat_keys[] = {
    {PC_KEY(heat_file, capacity), PC_A_NUMBER, true, .unit = "J/(m³ K)", PC_POSITIVE,
     .meaning = "heat capacity C"},
    {PC_KEY(heat_file, conductivity), PC_A_NUMBER, .unit = "J/(m K)", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning =
         "λ: the heat flux in the collision is − λ grad of the mean of T⁻ and T⁺. λ of chapter 10, "
         "2 k of chapter 7; roughly W/(m K) times the duration of the collision"},
    {PC_KEY(heat_file, temperature), PC_A_NUMBER, true, .unit = "K", PC_POSITIVE,
     .meaning = "temperature T⁻ before the collision"},
    {PC_KEY(heat_file, phase), PC_A_MAPPING, .variants = phases, .left_out = "no phase change",
     .meaning = "phase change"},
    {PC_KEY(heat_file, later), PC_A_MAPPING, .mapping = &pc_table_continuum_later,
     .otherwise = "{}", .meaning = "properties after the collision, with a `duration`"},
    {0}};
const pc_mapping pc_table_continuum_heat = {
    "continuum_heat", "'heat' of a medium",
    "Temperature of a medium, raised by the energy that the collision dissipates. Media that touch "
    "must all have 'heat' or none.",
    .keys = {heat_keys}};

static start read_medium(pc_node node, pc_fe_thermal_medium *medium, pc_node *later)
{
  heat_file file;
  start s = {.heated = true};
  if (!pc_bind(&node, &pc_table_continuum_heat, &file))
    return s;
  phase_file phase = {.medium = *medium};
  phase.medium.capacity = file.capacity;
  phase.medium.conduct = file.conductivity;
  if (pc_is_present(file.phase))
    read_phase(file.phase, &phase);
  *medium = phase.medium;
  *later = file.later;
  s.temperature = file.temperature;
  s.phases = medium->phases;
  s.change = medium->change;
  memcpy(s.fraction, phase.fraction, sizeof s.fraction);
  s.diffuse = medium->diffuse;
  return s;
}

// Nodes that two media share have one temperature and one set of fractions; where voids spread in
// both, the mean of theirs.
static const char *difference(const start *a, const start *b)
{
  if (a->heated != b->heated)
    return "only one of them has 'heat'";
  if (a->temperature != b->temperature)
    return "their temperatures differ there";
  if (a->phases != b->phases && a->phases != PC_FE_ONE_PHASE && b->phases != PC_FE_ONE_PHASE)
    return "their kinds of phases differ there";
  if (a->phases == b->phases && a->change != b->change)
    return "their phase-change temperatures differ";
  bool spreads = a->diffuse > 0 && b->diffuse > 0;
  if (a->phases == b->phases && !spreads &&
      memcmp(a->fraction, b->fraction, sizeof a->fraction) != 0)
    return "their fractions differ there";
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
      const start *other = known < 0 || s[known].phases == PC_FE_ONE_PHASE ? &s[number] : &s[known];
      for (int k = 0; k < PC_FE_FRACTIONS && s[number].phases != PC_FE_ONE_PHASE; k++)
        to->fraction[at][k] = (other->fraction[k] + s[number].fraction[k]) / 2;
    }
  }
}

// What flows with voids takes its energy along, which is the same in all alloys.
static void check_voids(const pc_continuum *to, pc_node list)
{
  const pc_fe_thermal_medium *first = NULL;
  bool spread = false;
  for (int i = 0; i < to->thermal.media; i++)
    spread = spread || to->thermal.medium[i].diffuse > 0;
  for (int i = 0; i < to->thermal.media && spread && !pc_failed(list); i++) {
    const pc_fe_thermal_medium *m = &to->thermal.medium[i];
    if (m->phases != PC_FE_ALLOY)
      continue;
    first = first != NULL ? first : m;
    if (m->capacity != first->capacity || m->latent != first->latent)
      pc_complain(
          list,
          "where voids spread, all alloys must have the same capacity and the same latent heat");
  }
}

static void read_media(pc_continuum *to, pc_continuum_file *file)
{
  pc_node list = file->media;
  int media = to->def.media, nodes = to->mesh.nodes;
  pc_fe_thermal_medium *medium = pc_continuum_take(to, list, media, sizeof *medium);
  start *s = pc_continuum_take(to, list, media, sizeof *s);
  int *medium_of = pc_continuum_take(to, list, nodes, sizeof *medium_of);
  to->temperature = pc_continuum_take(to, list, nodes, sizeof *to->temperature);
  to->fraction = pc_continuum_take(to, list, nodes, sizeof *to->fraction);
  file->later = pc_continuum_take(to, list, media, sizeof *file->later);
  to->thermal.medium = medium;
  for (int i = 0; i < media && !pc_failed(list); i++) {
    if (!pc_is_present(file->heat[i]))
      continue;
    if (to->mesh.dimension == 3)
      pc_complain(file->heat[i], "'heat' requires a mesh in one dimension or in the plane");
    pc_fe_thermal_medium *m = &medium[to->thermal.media++];
    m->group = to->def.medium[i].group;
    s[i] = read_medium(file->heat[i], m, &file->later[i]);
  }
  for (int i = 0; i < nodes && !pc_failed(list); i++) {
    to->temperature[i] = NAN;
    medium_of[i] = -1;
  }
  for (int i = 0; i < media && !pc_failed(list); i++)
    set_nodes(to, pc_pair_value(list, i), i, s, medium_of);
  check_voids(to, list);
}

pc_continuum_heated pc_continuum_is_heated(const pc_continuum *c, const pc_fe_cells *cells,
                                           int group)
{
  bool with = false, without = false;
  for (int i = 0; i < cells->count; i++)
    if (cells->cell[i].group == group) {
      bool has = !isnan(c->temperature[cells->node[cells->cell[i].first]]);
      with = with || has;
      without = without || !has;
    }
  return with && without ? PC_PARTLY_HEATED : with ? PC_HEATED : PC_NOT_HEATED;
}

static pc_continuum_heated are_heated(const pc_continuum *c, int sides)
{
  return pc_continuum_is_heated(c, &c->mesh.side, sides);
}

static const pc_key contact_heat_keys[] = {
    {PC_KEY(pc_fe_thermal_contact, exchange), PC_A_NUMBER, .unit = "J/(m² K)", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "heat exchanged per kelvin of difference of the mean temperatures; 2 k in (7.64)"},
    {0}};
const pc_mapping pc_table_continuum_contact_heat = {"continuum_contact_heat", "'heat' of a contact",
                                                    "Heat exchange between two media in contact.",
                                                    .keys = {contact_heat_keys}};

static void read_contact(pc_continuum *to, pc_node node, pc_node heat, const pc_fe_contact *contact,
                         pc_fe_thermal_contact *thermal)
{
  pc_fe_thermal_contact file = {.sides = contact->sides, .other = contact->other};
  pc_continuum_heated side = are_heated(to, contact->sides);
  pc_continuum_heated other = contact->other >= 0 ? are_heated(to, contact->other) : side;
  bool present = pc_is_present(heat);
  if (!pc_bind(&heat, &pc_table_continuum_contact_heat, &file) && present)
    return;
  if (side == PC_PARTLY_HEATED || other == PC_PARTLY_HEATED)
    pc_complain(node, "some of these sides belong to media with 'heat' and some do not");
  else if (other != side)
    pc_complain(node, "only one side of this contact has 'heat'; give it to both");
  else if (present && side == PC_NOT_HEATED)
    pc_complain(heat, "these sides do not belong to a medium with 'heat'");
  else if (present && contact->other < 0)
    pc_complain(heat, "bodies and the ground have no temperature; use 'surfaces' for heat exchange "
                      "with the outside");
  if (pc_failed(node) || side == PC_NOT_HEATED)
    return;
  *thermal = file;
  to->thermal.contacts++;
}

typedef struct surface_file {
  pc_node sides;
  pc_fe_thermal_side side;
  double convection;
} surface_file;
static const pc_key surface_keys[] = {
    {PC_KEY(surface_file, sides), PC_A_NAME, true,
     .meaning = "a group of sides of media with `heat`"},
    {"capacity", PC_INTO(surface_file, side.capacity), PC_A_NUMBER, .unit = "J/(m² K)",
     PC_NOT_NEGATIVE, .otherwise = "0", .meaning = "heat capacity of the surface itself"},
    {"exchange", PC_INTO(surface_file, side.exchange), PC_A_NUMBER, .unit = "J/(m² K)",
     PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat received per kelvin of difference between the outside temperature and the "
                "mean surface temperature"},
    {"outside", PC_INTO(surface_file, side.outside), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "required with `exchange`, `convection` or `given`",
     .meaning = "outside temperature"},
    {"given", PC_INTO(surface_file, side.given), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: after the collision the surface has the outside temperature"},
    {PC_KEY(surface_file, convection), PC_A_NUMBER, .unit = "W/(m² K)", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "heat transfer coefficient after the collision, with a `duration`"},
    {0}};
const pc_mapping pc_table_continuum_surface = {
    "continuum_surface", "an entry of 'surfaces'",
    "Heat exchange with the outside. Sides without an entry are insulated.",
    .keys = {surface_keys}};

static void read_surface(pc_continuum *to, pc_node node, pc_fe_thermal_side *to_side,
                         double *to_convection)
{
  surface_file file = {.side = {.outside = 0}};
  if (!pc_bind(&node, &pc_table_continuum_surface, &file))
    return;
  pc_fe_thermal_side *side = &file.side;
  pc_node sides = file.sides;
  double convection = file.convection;
  side->sides = pc_continuum_find_group(&to->mesh, to->mesh.dimension - 1, sides);
  if (pc_failed(node))
    return;
  if (are_heated(to, side->sides) != PC_HEATED)
    pc_complain(sides, "the sides '%s' do not belong to media with 'heat'",
                pc_node_text(sides).text);
  else if (!PC_GIVEN(node, surface_file, side.outside) &&
           (side->given || side->exchange > 0 || convection > 0))
    pc_complain(node, "'given', 'exchange' and 'convection' require 'outside'");
  else if (!side->given && side->exchange == 0 && side->capacity == 0 && convection == 0)
    pc_complain(node,
                "an entry of 'surfaces' needs 'capacity', 'exchange', 'convection' or 'given'");
  for (int i = 0; i < to->thermal.surfaces && !pc_failed(node); i++)
    if (to->thermal.side[i].sides == side->sides)
      pc_complain(sides, "the sides '%s' are in two entries of 'surfaces'",
                  pc_node_text(sides).text);
  *to_side = *side;
  *to_convection = convection;
  to->thermal.surfaces++;
}

void pc_continuum_read_heat(pc_continuum *to, pc_continuum_file *file)
{
  pc_node root = file->root;
  if (pc_failed(root))
    return;
  read_media(to, file);
  pc_entries e = pc_entries_of(file->surfaces);
  pc_fe_thermal_contact *contact = pc_continuum_take(to, root, to->def.contacts, sizeof *contact);
  pc_fe_thermal_side *side = pc_continuum_take(to, root, e.count, sizeof *side);
  file->convection = pc_continuum_take(to, root, e.count, sizeof *file->convection);
  to->thermal.contact = contact;
  to->thermal.side = side;
  to->thermal_contact = pc_continuum_take(to, root, to->def.contacts, sizeof *to->thermal_contact);
  for (int i = 0; i < to->def.contacts && !pc_failed(root); i++) {
    int number = to->thermal.contacts;
    read_contact(to, pc_item(file->contacts, i), file->contact_heat[i], &to->def.contact[i],
                 &contact[number]);
    to->thermal_contact[i] = to->thermal.contacts > number ? number : -1;
  }
  while (!pc_failed(root) && pc_next(&e))
    read_surface(to, e.node, &side[e.index], &file->convection[e.index]);
  to->thermal.mesh = &to->mesh;
  to->thermal.weight = 0.5; // of a collision: (7.58), (10.92)
}
