// A `kind: continuum` file with a duration and temperatures: a blow, and an alloy that vibrates and
// cools after it.
#include "scene/continuum_file.h"
#include "scene/scene_file.h"
#include "scene/tables.h"

static pc_node heat_of(pc_node media, int i)
{
  pc_node medium = pc_pair_value(media, i);
  pc_read_keys(&medium, &pc_table_continuum_medium);
  pc_node heat = pc_get(medium, "heat");
  if (pc_is_present(heat))
    pc_read_keys(&heat, &pc_table_continuum_heat);
  return heat;
}

static pc_node surface_of(pc_node surfaces, int i)
{
  pc_node surface = pc_item(surfaces, i);
  pc_read_keys(&surface, &pc_table_continuum_surface);
  return surface;
}

void pc_continuum_refuse_alloy(const pc_continuum *c, pc_node root)
{
  pc_node media = pc_get(root, "media"), surfaces = pc_get(root, "surfaces");
  for (int i = 0; i < c->def.media && !pc_failed(root); i++) {
    pc_node heat = heat_of(media, i);
    if (pc_is_present(heat) && pc_is_present(pc_get(heat, "later")))
      pc_complain(pc_get(heat, "later"), "'later' is of a motion, but there is no 'duration'");
  }
  for (int i = 0; i < c->thermal.surfaces && !pc_failed(root); i++) {
    pc_node convection = pc_get(surface_of(surfaces, i), "convection");
    if (pc_is_present(convection))
      pc_complain(convection, "'convection' is of a motion, but there is no 'duration'");
  }
}

static void check(const pc_continuum *c, pc_node root)
{
  static const char *const none[] = {"contacts", "bodies", "gravity", "rest", "reach"};
  for (int i = 0; i < 5 && !pc_failed(root); i++) {
    pc_node node = pc_get(root, none[i]);
    if (pc_is_present(node) && !(pc_is_sequence(node) && pc_read_list(node, none[i]) == 0))
      pc_complain(node, "with a 'duration' and 'heat' there is no '%s'", none[i]);
  }
  for (int i = 0; i < c->def.media && !pc_failed(root); i++) {
    pc_node medium = pc_pair_value(pc_get(root, "media"), i);
    if (c->def.medium[i].fluid)
      pc_complain(medium, "with a 'duration' there are no fluids");
    else if (!(c->motion.solid[i].young > 0))
      pc_complain(medium, "with a 'duration' a medium needs the key 'young'");
    else if (!pc_is_present(heat_of(pc_get(root, "media"), i)))
      pc_complain(medium, "with a 'duration' all media have 'heat', or none has");
  }
  for (int i = 0; i < c->def.holds && !pc_failed(root); i++)
    if (c->def.hold[i].kept)
      pc_complain(pc_item(pc_get(root, "hold"), i), "with a 'duration' what is held rests");
}

static void read_medium(pc_node heat, pc_fe_alloy_medium *m)
{
  pc_node later = pc_get(heat, "later");
  m->heat.conduct = m->heat.resist = m->heat.spread_change = 0;
  if (!pc_is_present(later) || !pc_read_keys(&later, &pc_table_continuum_later))
    return;
  pc_node outside = pc_get(later, "outside"), critical = pc_get(later, "critical");
  pc_node slope = pc_get(later, "slope");
  m->heat.conduct = pc_read_number_or(pc_get(later, "conductivity"), 0);
  m->heat.exchange = pc_read_number_or(pc_get(later, "convection"), 0);
  m->heat.outside = pc_read_number_or(outside, 0);
  m->heat.resist = pc_read_number_or(pc_get(later, "resistance"), 0);
  m->heat.spread_change = pc_read_number_or(pc_get(later, "spread_change"), 0);
  m->slope = pc_read_number_or(slope, 0);
  m->critical = pc_read_number_or(critical, 0);
  if (pc_failed(later))
    return;
  if (m->heat.exchange > 0 && !pc_is_present(outside))
    pc_complain(later, "'convection' needs the key 'outside'");
  else if (m->slope < 0 && m->heat.phases != PC_FE_ALLOY)
    pc_complain(slope, "a 'slope' is of an alloy");
  else if (m->slope < 0 && !(m->critical > m->heat.change))
    pc_complain(pc_is_present(critical) ? critical : later,
                "a 'slope' needs a 'critical' temperature above %g K, where the phase changes",
                m->heat.change);
}

void pc_continuum_read_alloy(pc_scene *scene, pc_node root)
{
  pc_continuum *c = scene->continuum;
  pc_node media = pc_get(root, "media"), surfaces = pc_get(root, "surfaces");
  check(c, root);
  if (pc_failed(root))
    return;
  pc_fe_alloy_medium *medium = pc_arena_take(&c->memory, (size_t)c->def.media + 1, sizeof *medium);
  pc_fe_thermal_side *side =
      pc_arena_take(&c->memory, (size_t)c->thermal.surfaces + 1, sizeof *side);
  if (c->memory.failed) {
    pc_complain(root, "out of memory");
    return;
  }
  for (int i = 0; i < c->def.media && !pc_failed(root); i++) {
    medium[i] = (pc_fe_alloy_medium){.heat = c->thermal.medium[i]};
    read_medium(heat_of(media, i), &medium[i]);
  }
  for (int i = 0; i < c->thermal.surfaces && !pc_failed(root); i++) {
    side[i] = c->thermal.side[i];
    side[i].exchange = pc_read_number_or(pc_get(surface_of(surfaces, i), "convection"), 0);
  }
  c->alloys = true;
  c->alloy = (pc_fe_alloy_def){
      .media = c->def.media, .surfaces = c->thermal.surfaces, .medium = medium, .side = side};
}
