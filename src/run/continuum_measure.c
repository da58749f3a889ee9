// What is measured of a continuum whose run is over.
#include <math.h>

#include "run/continuum.h"

const char *const pc_phase_name[PC_FE_FRACTIONS] = {"martensite1", "martensite2", "austenite"};

static void measure_touch(const pc_continuum_touch *t, bool shown, bool space, const char *total,
                          pc_quantities *q)
{
  pc_quantity_shown first = shown ? PC_SHOW_MEAN : PC_SHOW_NOT;
  const pc_quantity all[] = {
      {.name = "resultant", .unit = total, .value = t->resultant[0], .shown = first},
      {.name = "friction", .unit = total, .value = t->resultant[1]},
      {.name = "force_x", .unit = total, .value = t->force[0]},
      {.name = "force_y", .unit = total, .value = t->force[1]},
      {.name = "mean", .unit = "Pa s", .value = t->mean},
      {.name = "peak", .unit = "Pa s", .value = t->peak, .shown = first},
      {.name = "peak_friction", .unit = "Pa s", .value = t->peak_friction},
      {.name = "pressure", .unit = "Pa s", .value = t->pressure},
      {.name = "wn_low", .unit = "m/s", .value = t->slip_low[0]},
      {.name = "wn_high", .unit = "m/s", .value = t->slip_high[0]},
      {.name = "wt_low", .unit = "m/s", .value = t->slip_low[1]},
      {.name = "wt_high", .unit = "m/s", .value = t->slip_high[1]},
      {.name = "sides_vx_low", .unit = "m/s", .value = t->velocity_low[0]},
      {.name = "sides_vx_high", .unit = "m/s", .value = t->velocity_high[0], .shown = first},
      {.name = "sides_vy_low", .unit = "m/s", .value = t->velocity_low[1]},
      {.name = "sides_vy_high", .unit = "m/s", .value = t->velocity_high[1], .shown = first},
      {.name = "nodes", .value = t->nodes, .whole = true},
      {.name = "staying", .value = t->staying, .whole = true},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_TOUCH, t->name);
  const pc_quantity in_space[] = {
      {.name = "force_z", .unit = total, .value = t->force[2]},
      {.name = "sides_vz_low", .unit = "m/s", .value = t->velocity_low[2]},
      {.name = "sides_vz_high", .unit = "m/s", .value = t->velocity_high[2], .shown = first},
  };
  if (space)
    pc_quantities_add_all(q, PC_COUNT(in_space), in_space, PC_OF_TOUCH, t->name);
}

static void measure_heat(const pc_continuum_medium *m, bool plane, pc_quantities *q)
{
  static const struct {
    const char *mean, *high;
  } liquid = {"liquid_mean", "liquid_high"},
    alloy[PC_FE_FRACTIONS] = {{"martensite1_mean", "martensite1_high"},
                              {"martensite2_mean", "martensite2_high"},
                              {"austenite_mean", "austenite_high"}};
  pc_quantity all[4 + 2 * PC_FE_FRACTIONS] = {
      {.name = "temperature_low", .unit = "K", .value = m->temperature_low},
      {.name = "temperature_mean", .unit = "K", .value = m->temperature_mean},
      {.name = "temperature_high",
       .unit = "K",
       .value = m->temperature_high,
       .shown = PC_SHOW_MEAN},
      {.name = "changed", .unit = plane ? "m2" : "m", .value = m->changed}};
  int count = m->heated ? 3 + (m->fractions > 0) : 0;
  for (int k = 0; k < m->fractions; k++) {
    pc_quantity_shown shown = k == m->fractions - 1 ? PC_SHOW_MEAN : PC_SHOW_NOT;
    all[count++] = (pc_quantity){.name = m->fractions == 1 ? liquid.mean : alloy[k].mean,
                                 .value = m->fraction_mean[k],
                                 .shown = shown};
    all[count++] = (pc_quantity){.name = m->fractions == 1 ? liquid.high : alloy[k].high,
                                 .value = m->fraction_high[k]};
  }
  pc_quantities_add_all(q, count, all, PC_OF_MEDIUM, m->name);
}

static void measure_medium(const pc_continuum_medium *m, bool shown, bool space, pc_quantities *q)
{
  pc_quantity_shown first = shown ? PC_SHOW_MEAN : PC_SHOW_NOT;
  const pc_quantity all[] = {
      {.name = "vx_low", .unit = "m/s", .value = m->velocity_low[0], .shown = first},
      {.name = "vx_high", .unit = "m/s", .value = m->velocity_high[0], .shown = first},
      {.name = "vy_low", .unit = "m/s", .value = m->velocity_low[1]},
      {.name = "vy_high", .unit = "m/s", .value = m->velocity_high[1]},
      {.name = "pressure_mean", .unit = "Pa s", .value = m->pressure_mean},
      {.name = "pressure_low", .unit = "Pa s", .value = m->pressure_low},
      {.name = "pressure_high", .unit = "Pa s", .value = m->pressure_high},
      {.name = "stress_xx_low", .unit = "Pa s", .value = m->stress_low[0]},
      {.name = "stress_xx_high", .unit = "Pa s", .value = m->stress_high[0]},
      {.name = "stress_yy_low", .unit = "Pa s", .value = m->stress_low[1]},
      {.name = "stress_yy_high", .unit = "Pa s", .value = m->stress_high[1]},
      {.name = "stress_xy_low", .unit = "Pa s", .value = m->stress_low[2]},
      {.name = "stress_xy_high", .unit = "Pa s", .value = m->stress_high[2]},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_MEDIUM, m->name);
  const pc_quantity in_space[] = {
      {.name = "vz_low", .unit = "m/s", .value = m->velocity_low[2], .shown = first},
      {.name = "vz_high", .unit = "m/s", .value = m->velocity_high[2], .shown = first},
      {.name = "stress_zz_low", .unit = "Pa s", .value = m->stress_low[3]},
      {.name = "stress_zz_high", .unit = "Pa s", .value = m->stress_high[3]},
      {.name = "stress_yz_low", .unit = "Pa s", .value = m->stress_low[4]},
      {.name = "stress_yz_high", .unit = "Pa s", .value = m->stress_high[4]},
      {.name = "stress_zx_low", .unit = "Pa s", .value = m->stress_low[5]},
      {.name = "stress_zx_high", .unit = "Pa s", .value = m->stress_high[5]},
  };
  if (space)
    pc_quantities_add_all(q, PC_COUNT(in_space), in_space, PC_OF_MEDIUM, m->name);
}

static void measure_body_in_space(const pc_continuum_body *b, pc_quantities *q)
{
  const pc_quantity all[] = {
      {.name = "vx", .unit = "m/s", .value = b->after[0], .shown = PC_SHOW_MEAN},
      {.name = "vy", .unit = "m/s", .value = b->after[1], .shown = PC_SHOW_MEAN},
      {.name = "vz", .unit = "m/s", .value = b->after[2], .shown = PC_SHOW_MEAN},
      {.name = "spin_x", .unit = "rad/s", .value = b->after[3]},
      {.name = "spin_y", .unit = "rad/s", .value = b->after[4]},
      {.name = "spin_z", .unit = "rad/s", .value = b->after[5]},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RIGID, b->name);
}

static void measure_body(const pc_continuum_body *b, pc_quantities *q)
{
  const pc_quantity all[] = {
      {.name = "vx", .unit = "m/s", .value = b->after[0], .shown = PC_SHOW_MEAN},
      {.name = "vy", .unit = "m/s", .value = b->after[1], .shown = PC_SHOW_MEAN},
      {.name = "spin", .unit = "rad/s", .value = b->after[2], .shown = PC_SHOW_MEAN},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RIGID, b->name);
}

static void measure_collision(const pc_continuum *c, pc_quantities *q)
{
  const pc_continuum_answer *answer = &c->answer;
  const pc_continuum_account *a = &answer->account;
  const pc_continuum_units unit = pc_continuum_units_of(c->mesh.dimension);
  const pc_quantity all[] = {
      {.name = "kinetic_before", .unit = unit.energy, .value = a->kinetic_before},
      {.name = "work_pushes", .unit = unit.energy, .value = a->work_pushes},
      {.name = "work_holds", .unit = unit.energy, .value = a->work_holds},
      {.name = "dissipated_volume", .unit = unit.energy, .value = a->volume},
      {.name = "dissipated_surface", .unit = unit.energy, .value = a->surface},
      {.name = "dissipated_reactions", .unit = unit.energy, .value = a->reactions},
      {.name = "divergence", .value = a->divergence},
      {.name = "momentum", .value = a->momentum},
  };
  const pc_quantity heat[] = {
      {.name = "heat", .unit = unit.energy, .value = answer->heat.volume + answer->heat.surface},
      {.name = "heat_received", .unit = unit.energy, .value = answer->heat.received},
      {.name = "entropy_produced", .unit = unit.entropy, .value = answer->heat.produced},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
  if (answer->heated)
    pc_quantities_add_all(q, PC_COUNT(heat), heat, PC_OF_RUN, "");
  // Contacts between things that move are shown first.
  bool space = c->mesh.dimension == 3;
  int between = 0;
  for (int i = 0; i < c->def.contacts; i++)
    between += c->def.contact[i].body >= 0 || c->def.contact[i].other >= 0;
  for (int i = 0; i < answer->touches; i++)
    measure_touch(&answer->touch[i],
                  between == 0 || c->def.contact[i].body >= 0 || c->def.contact[i].other >= 0,
                  space, unit.percussion, q);
  for (int i = 0; i < answer->media; i++) {
    // Velocities are shown where nothing touches.
    measure_medium(&answer->medium[i], answer->touches + answer->bodies == 0, space, q);
    measure_heat(&answer->medium[i], c->mesh.dimension == 2, q);
  }
  for (int i = 0; i < answer->bodies; i++)
    if (space)
      measure_body_in_space(&answer->body[i], q);
    else
      measure_body(&answer->body[i], q);
}

static void measure_wall(const pc_continuum *c, int i, pc_quantities *q)
{
  const pc_fe_wall_state *s = &c->state[i];
  const char *total = pc_continuum_units_of(c->mesh.dimension).percussion;
  const pc_quantity all[] = {
      {.name = "collisions", .value = s->collisions, .whole = true, .shown = PC_SHOW_MEAN},
      {.name = "fresh", .value = s->fresh, .whole = true},
      {.name = "staying", .value = s->closed, .whole = true},
      {.name = "resultant", .unit = total, .value = s->percussion[0], .shown = PC_SHOW_MEAN},
      {.name = "friction", .unit = total, .value = s->percussion[1]},
      {.name = "left", .unit = "s", .value = s->left},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_TOUCH, c->contact_name[i]);
}

static void measure_mover(const pc_continuum *c, int i, pc_quantities *q)
{
  const pc_fe_body_state *s = &c->body[i];
  const pc_quantity all[] = {
      {.name = "x", .unit = "m", .value = s->place[0]},
      {.name = "y", .unit = "m", .value = s->place[1]},
      {.name = "vx", .unit = "m/s", .value = s->velocity[0]},
      {.name = "vy", .unit = "m/s", .value = s->velocity[1], .shown = PC_SHOW_MEAN},
  };
  const pc_quantity plane[] = {{.name = "spin", .unit = "rad/s", .value = s->spin[2]}};
  const pc_quantity space[] = {
      {.name = "z", .unit = "m", .value = s->place[2]},
      {.name = "vz", .unit = "m/s", .value = s->velocity[2], .shown = PC_SHOW_MEAN},
      {.name = "spin_x", .unit = "rad/s", .value = s->spin[0]},
      {.name = "spin_y", .unit = "rad/s", .value = s->spin[1]},
      {.name = "spin_z", .unit = "rad/s", .value = s->spin[2]},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RIGID, c->body_name[i]);
  if (c->mesh.dimension == 3)
    pc_quantities_add_all(q, PC_COUNT(space), space, PC_OF_RIGID, c->body_name[i]);
  else
    pc_quantities_add_all(q, PC_COUNT(plane), plane, PC_OF_RIGID, c->body_name[i]);
}

static void measure_motion(const pc_continuum *c, pc_quantities *q)
{
  const pc_fe_motion_account *a = &c->account;
  const char *unit = pc_continuum_units_of(c->mesh.dimension).energy;
  const pc_quantity all[] = {
      {.name = "kinetic_before", .unit = unit, .value = a->start.kinetic},
      {.name = "elastic", .unit = unit, .value = a->now.elastic},
      {.name = "dissipated_volume", .unit = unit, .value = a->volume},
      {.name = "dissipated_surface", .unit = unit, .value = a->surface},
      {.name = "dissipated_reactions", .unit = unit, .value = a->reactions},
      {.name = "dissipated_rest", .unit = unit, .value = a->rest},
      {.name = "dissipated_viscous", .unit = unit, .value = a->viscous},
      {.name = "work_pushes", .unit = unit, .value = a->pushes},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
  for (int i = 0; i < c->def.contacts; i++)
    measure_wall(c, i, q);
  for (int i = 0; i < c->motion.bodies; i++)
    measure_mover(c, i, q);
}

static void measure_flow(const pc_continuum *c, pc_quantities *q)
{
  const pc_fe_flow_account *a = &c->flow_account;
  const pc_fe_flow_state *end = &c->flow_end;
  const pc_quantity all[] = {
      {.name = "kinetic_before", .unit = "J/m", .value = a->start.fluid + a->start.bodies},
      {.name = "kinetic_fluid", .unit = "J/m", .value = a->now.fluid},
      {.name = "dissipated_viscous", .unit = "J/m", .value = a->viscous},
      {.name = "dissipated_drag", .unit = "J/m", .value = a->drag},
      {.name = "dissipated_volume", .unit = "J/m", .value = a->volume},
      {.name = "dissipated_surface", .unit = "J/m", .value = a->surface},
      {.name = "dissipated_reactions", .unit = "J/m", .value = a->reactions},
      {.name = "dissipated_rest", .unit = "J/m", .value = a->rest},
      {.name = "mesh_energy", .unit = "J/m", .value = a->mesh},
      {.name = "volume", .unit = "m2", .value = end->volume},
      {.name = "surface_low", .unit = "m", .value = end->low, .shown = PC_SHOW_MEAN},
      {.name = "surface_high", .unit = "m", .value = end->high, .shown = PC_SHOW_MEAN},
      {.name = "courant", .value = end->courant},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
  for (int i = 0; i < c->def.contacts; i++)
    measure_wall(c, i, q);
}

// A run that failed before its collision was solved has no media yet.
static void measure_alloy(const pc_continuum *c, pc_quantities *q)
{
  const pc_fe_motion_account *a = &c->account;
  const pc_fe_motion_state *end = &c->end;
  double start = c->answer.media > 0 ? c->answer.medium[0].fraction_mean[2] : NAN;
  const pc_continuum_units unit = pc_continuum_units_of(c->mesh.dimension);
  const pc_quantity all[] = {
      {.name = "elastic", .unit = unit.energy, .value = a->now.elastic, .shown = PC_SHOW_MEAN},
      {.name = "heat_received", .unit = unit.energy, .value = a->alloy.received},
      {.name = "entropy_produced", .unit = unit.entropy, .value = a->alloy.produced},
      {.name = "temperature_low", .unit = "K", .value = end->lowest},
      {.name = "temperature_high", .unit = "K", .value = end->highest, .shown = PC_SHOW_MEAN},
      {.name = pc_phase_name[0], .value = end->mean[0]},
      {.name = pc_phase_name[1], .value = end->mean[1]},
      {.name = pc_phase_name[2], .value = end->mean[2], .shown = PC_SHOW_MEAN},
      {.name = "austenite_start", .value = start},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
}

pc_status pc_continuum_measure(const pc_scene *scene, const pc_run_summary *summary,
                               pc_quantities *q, pc_error *error)
{
  const pc_continuum *c = scene->continuum;
  const pc_quantity all[] = {
      {.name = "nodes", .value = c->mesh.nodes, .whole = true},
      {.name = "elements", .value = c->mesh.body.count, .whole = true},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
  if (c->flows)
    measure_flow(c, q);
  else if (c->alloys)
    measure_alloy(c, q);
  else if (c->moves)
    measure_motion(c, q);
  else
    measure_collision(c, q);
  return PC_OK;
}
