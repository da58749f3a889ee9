// A fluid in a run.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/replace.h"
#include "run/continuum.h"
#include "scene/continuum_solve.h"

// What scenes are asked for after a run, and the percussions in the step.
static void take_state(pc_simulation *sim)
{
  pc_continuum_run *r = sim->own;
  pc_continuum *c = sim->scene->continuum;
  pc_fe_flow_state state = pc_fe_flow_look(r->flow);
  for (int i = 0; i < c->def.contacts; i++) {
    const pc_fe_flow_touch *t = &state.touch[i];
    c->state[i] = (pc_fe_wall_state){.closed = t->closed,
                                     .collisions = t->collisions,
                                     .fresh = t->fresh,
                                     .percussion = {t->percussion[0], t->percussion[1]},
                                     .left = t->left};
    for (int k = 0; k < 2; k++) {
      r->pulse[2 * i + k] = t->percussion[k] - r->last[2 * i + k];
      r->last[2 * i + k] = t->percussion[k];
    }
  }
  c->flow_account = pc_fe_flow_balance(r->flow);
  c->flow_end = state;
  c->flow_end.displacement = c->flow_end.velocity = c->flow_end.pressure = NULL;
  c->flow_end.place = NULL;
  c->flow_end.body = NULL;
  c->flow_end.touch = NULL;
  c->flow_end.event = NULL;
}

static pc_status begin(pc_simulation *sim, pc_error *error)
{
  pc_continuum *c = sim->scene->continuum;
  pc_continuum_run *r = sim->own = calloc(1, sizeof *r);
  if (r == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  size_t contacts = (size_t)c->def.contacts + 1;
  size_t widest = (size_t)c->mesh.nodes + (size_t)c->def.bodies;
  r->last = pc_arena_take(&r->memory, 2 * contacts, sizeof *r->last);
  r->pulse = pc_arena_take(&r->memory, 2 * contacts, sizeof *r->pulse);
  r->row = pc_arena_take(&r->memory, PC_SERIES_WIDEST * widest + 1, sizeof *r->row);
  if (r->memory.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pc_continuum_start_flow(c, &r->flow, error);
  if (status != PC_OK)
    return status;
  take_state(sim);
  sim->summary->bodies = c->def.bodies;
  return PC_OK;
}

static double lost_in(const pc_fe_flow_account *a)
{
  return a->viscous + a->drag + a->volume + a->surface + a->reactions + a->rest;
}

// The balance of a step. No forces act from outside: what the moving mesh gives is in their line.
static pc_status step(pc_simulation *sim, pc_error *error)
{
  pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  const pc_fe_flow_account *a = &c->flow_account, before = *a;
  const pc_fe_flow_energy *now = &a->now, *start = &a->start, *then = &before.now;
  pc_status status = pc_fe_flow_advance(r->flow, error);
  if (status != PC_OK)
    return status;
  take_state(sim);
  double lost = lost_in(a), held = a->holds - before.holds, mesh = a->mesh - before.mesh;
  double left = now->fluid + now->bodies + now->gravity - then->fluid - then->bodies -
                then->gravity + lost - lost_in(&before) - held - mesh;
  int closed = 0;
  for (int i = 0; i < c->def.contacts; i++)
    closed += c->state[i].closed;
  r->info = (pc_step_info){.step = sim->summary->steps + 1,
                           .time = c->flow_end.time,
                           .kinetic_translation = now->fluid + now->bodies,
                           .potential = now->gravity,
                           .kinetic_start = start->fluid + start->bodies,
                           .potential_start = start->gravity,
                           .work_gravity = then->gravity - now->gravity,
                           .work_prescribed = held,
                           .total_prescribed = a->holds,
                           .dissipated = lost - lost_in(&before),
                           .total_dissipated = lost,
                           .work_forces = mesh,
                           .total_forces = a->mesh,
                           .audit = a->size > 0 ? fabs(left) / a->size : 0,
                           .drift = a->identity,
                           .closed = a->closed,
                           .contacts = closed,
                           .iterations = c->flow_end.iterations,
                           .status = a->unsolved == before.unsolved ? PC_SOLVED : PC_INACCURATE};
  return isfinite(now->fluid)
             ? PC_OK
             : pc_fail(error, PC_ERROR_NUMERIC,
                       "at %g s: the velocities are not finite; try a shorter step", r->info.time);
}

static const char *const parts[] = {"continuum", NULL};

static size_t save(const pc_simulation *sim, int part, void *buffer)
{
  const pc_continuum_run *r = sim->own;
  (void)part;
  return pc_fe_flow_save(r->flow, buffer, buffer != NULL ? SIZE_MAX : 0);
}

static pc_status load(pc_simulation *sim, int part, const void *data, size_t size, pc_error *error)
{
  pc_continuum_run *r = sim->own;
  (void)part;
  if (pc_fe_flow_load(r->flow, data, size, NULL) != PC_OK)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  take_state(sim);
  return PC_OK;
}

static pc_status finish(pc_simulation *sim, bool fine, pc_error *error)
{
  const pc_continuum_run *r = sim->own;
  pc_fe_flow_state state = pc_fe_flow_look(r->flow);
  return fine ? pc_continuum_write_events(sim, state.events, state.event, error) : PC_OK;
}

static void columns(const pc_simulation *sim, pc_columns *to)
{
  static const char *const of_touch[] = {"normal", "tangential"};
  static const struct {
    const char *name, *unit;
  } of_body[] = {{"x", "m"},    {"y", "m"},    {"angle", "rad"},
                 {"vx", "m/s"}, {"vy", "m/s"}, {"spin", "rad/s"}};
  const pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  pc_fe_flow_state state = pc_fe_flow_look(r->flow); // its bodies stay in place
  for (int i = 0; i < c->def.contacts; i++)
    for (int k = 0; k < 2; k++)
      pc_columns_add(to, PC_RECORD_DOUBLE, r->pulse + 2 * i + k, "N s/m", "%.200s %s",
                     c->contact_name[i], of_touch[k]);
  for (int i = 0; i < c->def.bodies; i++)
    for (int k = 0; k < 6; k++)
      pc_columns_add(to, PC_RECORD_DOUBLE, k < 3 ? &state.place[i][k] : &state.body[i][k - 3],
                     of_body[k].unit, "%.200s %s", c->body_name[i], of_body[k].name);
  pc_columns_add(to, PC_RECORD_DOUBLE, &c->flow_account.mesh, "J/m", "from the moving mesh");
  if (c->flow_end.surface) {
    pc_columns_add(to, PC_RECORD_DOUBLE, &c->flow_end.low, "m", "lowest surface");
    pc_columns_add(to, PC_RECORD_DOUBLE, &c->flow_end.high, "m", "highest surface");
  }
}

const pc_simulation_kind pc_flow_simulation = {
    .name = "continuum",
    .parts = parts,
    .begin = begin,
    .free = pc_continuum_free_own,
    .hash = pc_continuum_hash,
    .files = pc_continuum_files,
    .step = step,
    .info = pc_continuum_info,
    .energy_unit = pc_continuum_energy_unit,
    .save = save,
    .load = load,
    .describe = pc_continuum_describe,
    .declare = pc_continuum_declare,
    .frame = pc_continuum_frame,
    .columns = columns,
    .xdmf = pc_continuum_xdmf,
    .finish = finish,
    .measure = pc_continuum_measure,
};
