// A `kind: continuum` file with a duration and temperatures: a blow, and an alloy that vibrates and
// cools after it.
#include "scene/continuum_file.h"

void pc_continuum_refuse_alloy(const pc_continuum *c, const pc_continuum_file *file)
{
  for (int i = 0; i < c->def.media && !pc_failed(file->root); i++)
    if (pc_is_present(file->later[i]))
      pc_complain(file->later[i], "'later' requires a 'duration'");
  for (int i = 0; i < c->thermal.surfaces && !pc_failed(file->root); i++)
    if (file->convection[i] > 0)
      pc_complain(pc_get(pc_item(file->surfaces, i), "convection"),
                  "'convection' requires a 'duration'");
}

static void check(const pc_continuum *c, const pc_continuum_file *file)
{
  pc_node root = file->root;
  const pc_node none[] = {file->contacts,
                          file->bodies,
                          file->gravity,
                          PC_NODE(root, pc_continuum_file, rest),
                          PC_NODE(root, pc_continuum_file, reach),
                          PC_NODE(root, pc_continuum_file, large)};
  for (int i = 0; i < 6 && !pc_failed(root); i++)
    if (pc_is_present(none[i]) && !(pc_is_sequence(none[i]) && pc_read_list(none[i], "") == 0))
      pc_complain(none[i], "'%s' cannot be combined with 'duration' and 'heat'", none[i].key->name);
  for (int i = 0; i < c->def.media && !pc_failed(root); i++) {
    pc_node medium = pc_pair_value(file->media, i);
    if (c->def.medium[i].fluid)
      pc_complain(medium, "fluids cannot be combined with 'heat' and a 'duration'");
    else if (!(c->motion.solid[i].young > 0))
      pc_complain(medium, "with a 'duration' a medium needs a positive 'young'");
    else if (c->motion.solid[i].viscosity > 0)
      pc_complain(medium, "'dynamic_viscosity' cannot be combined with 'duration' and 'heat'");
    else if (!pc_is_present(file->heat[i]))
      pc_complain(medium, "with a 'duration' either all media or none must have 'heat'");
  }
  for (int i = 0; i < c->def.holds && !pc_failed(root); i++)
    if (c->def.hold[i].kept)
      pc_complain(pc_item(file->hold, i),
                  "with a 'duration' held nodes must be at rest: use 'velocity: 0'");
}

static const pc_key later_keys[] = {
    {"conductivity", PC_INTO(pc_fe_alloy_medium, heat.conduct), PC_A_NUMBER, .unit = "W/(m K)",
     PC_NOT_NEGATIVE, .otherwise = "0", .meaning = "thermal conductivity"},
    {"convection", PC_INTO(pc_fe_alloy_medium, heat.exchange), PC_A_NUMBER, .unit = "W/(m³ K)",
     PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat exchange with the surroundings; for a rod, the heat transfer coefficient in "
                "W/(m² K) times perimeter divided by cross-section"},
    {"outside", PC_INTO(pc_fe_alloy_medium, heat.outside), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "required with `convection`", .meaning = "temperature of the surroundings"},
    {"resistance", PC_INTO(pc_fe_alloy_medium, heat.resist), PC_A_NUMBER, .unit = "J s/m³",
     PC_NOT_NEGATIVE, .otherwise = "0", .meaning = "c of the term c dβ/dt"},
    {"spread_change", PC_INTO(pc_fe_alloy_medium, heat.spread_change), PC_A_NUMBER, .unit = "J s/m",
     PC_NOT_NEGATIVE, .otherwise = "0", .meaning = "υ of the dissipation ½ υ (grad dβ/dt)²"},
    {PC_KEY(pc_fe_alloy_medium, slope), PC_A_NUMBER, .unit = "Pa/K", PC_FROM(-1e9, 0),
     .otherwise = "0",
     .meaning = "for an alloy: below `critical` the stress has the term − (β₁ − β₂) slope (T − "
                "critical) 1; must not be positive"},
    {PC_KEY(pc_fe_alloy_medium, critical), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "required with `slope`", .meaning = "T_c; above `at` of the phase"},
    {0}};
const pc_mapping pc_table_continuum_later = {
    "continuum_later", "'later' of heat",
    "Properties of a medium after the collision, with a `duration`.", .keys = {later_keys}};

static void read_medium(pc_node later, pc_fe_alloy_medium *m)
{
  if (!pc_bind(&later, &pc_table_continuum_later, m))
    return;
  if (m->heat.exchange > 0 && !PC_GIVEN(later, pc_fe_alloy_medium, heat.outside))
    pc_complain(later, "'convection' requires 'outside'");
  else if (m->slope < 0 && m->heat.phases != PC_FE_ALLOY)
    pc_complain(PC_NODE(later, pc_fe_alloy_medium, slope), "'slope' requires an alloy");
  else if (m->slope < 0 && !(m->critical > m->heat.change))
    pc_complain(
        pc_at(PC_NODE(later, pc_fe_alloy_medium, critical), later),
        "'slope' requires a 'critical' temperature above %g K, the temperature of the phase change",
        m->heat.change);
}

void pc_continuum_read_alloy(pc_scene *scene, const pc_continuum_file *file)
{
  pc_continuum *c = scene->continuum;
  pc_node root = file->root;
  check(c, file);
  if (pc_failed(root))
    return;
  pc_fe_alloy_medium *medium = pc_continuum_take(c, root, c->def.media, sizeof *medium);
  pc_fe_thermal_side *side = pc_continuum_take(c, root, c->thermal.surfaces, sizeof *side);
  for (int i = 0; i < c->def.media && !pc_failed(root); i++) {
    medium[i] = (pc_fe_alloy_medium){.heat = c->thermal.medium[i]};
    read_medium(file->later[i], &medium[i]);
  }
  for (int i = 0; i < c->thermal.surfaces && !pc_failed(root); i++) {
    side[i] = c->thermal.side[i];
    side[i].exchange = file->convection[i];
  }
  c->alloys = true;
  c->alloy = (pc_fe_alloy_def){
      .media = c->def.media, .surfaces = c->thermal.surfaces, .medium = medium, .side = side};
}
