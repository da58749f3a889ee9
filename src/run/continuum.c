// A continuum in a run. A collision is solved before the record begins, which lists the nodes that
// touch. It is the one step of a run without a duration, and the start of an alloy in time.
#include "run/continuum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/replace.h"
#include "run/files.h"
#include "run/inputs.h"
#include "scene/continuum_solve.h"

// What scenes are asked for after a run, and the percussions in the step.
static void take_state(pc_simulation *sim)
{
  pc_continuum_run *r = sim->own;
  pc_continuum *c = sim->scene->continuum;
  pc_fe_motion_state state = pc_fe_motion_look(r->motion);
  for (int i = 0; i < c->def.contacts; i++)
    c->state[i] = state.wall[c->motion_contact[i]];
  if (c->motion.bodies > 0)
    memcpy(c->body, state.body, (size_t)c->motion.bodies * sizeof *c->body);
  c->account = pc_fe_motion_balance(r->motion);
  for (int i = 0; i < c->def.contacts; i++)
    for (int k = 0; k < 2; k++) {
      double now = c->state[i].percussion[k];
      r->pulse[2 * i + k] = now - r->last[2 * i + k];
      r->last[2 * i + k] = now;
    }
  for (int i = 0; i < c->def.contacts; i++)
    r->force[i] = r->pulse[2 * i] / c->motion.step;
  c->end = (pc_fe_motion_state){.time = state.time,
                                .strain = state.strain,
                                .steps = state.steps,
                                .events = state.events,
                                .lowest = state.lowest,
                                .highest = state.highest};
  memcpy(c->end.mean, state.mean, sizeof c->end.mean);
}

static pc_status collide(pc_simulation *sim, pc_error *error)
{
  pc_continuum_run *r = sim->own;
  pc_continuum *c = sim->scene->continuum;
  pc_continuum_answer_free(&c->answer);
  pc_status status = pc_continuum_collide(c, 0, &c->answer, error);
  for (int i = 0; status == PC_OK && i < c->answer.touches; i++)
    memcpy(r->pulse + 2 * i, c->answer.touch[i].resultant, 2 * sizeof *r->pulse);
  return status;
}

static pc_status start_motion(pc_simulation *sim, pc_error *error)
{
  pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  pc_status status = pc_continuum_start_motion(c, &c->answer, &r->motion, error);
  if (status == PC_OK)
    take_state(sim);
  return status;
}

static pc_status begin(pc_simulation *sim, pc_error *error)
{
  pc_continuum *c = sim->scene->continuum;
  pc_continuum_run *r = sim->own = calloc(1, sizeof *r);
  if (r == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  size_t contacts = (size_t)c->def.contacts + 1;
  r->last = pc_arena_take(&r->memory, 2 * contacts, sizeof *r->last);
  r->pulse = pc_arena_take(&r->memory, 2 * contacts, sizeof *r->pulse);
  r->force = pc_arena_take(&r->memory, contacts, sizeof *r->force);
  r->moved = pc_arena_take(&r->memory, (size_t)c->def.pushes + (size_t)c->motion.pushes + 1,
                           sizeof *r->moved);
  pc_status status = PC_OK;
  if (r->memory.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (c->alloys || !c->moves)
    status = collide(sim, error);
  if (status == PC_OK && c->moves)
    status = start_motion(sim, error);
  if (status != PC_OK)
    return status;
  size_t widest = (size_t)c->mesh.nodes + (size_t)c->def.bodies + (size_t)c->answer.points;
  r->row = pc_arena_take(&r->memory, PC_SERIES_WIDEST * widest + 1, sizeof *r->row);
  if (r->row == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  sim->summary->bodies = c->def.bodies;
  return PC_OK;
}

void pc_continuum_free_own(pc_simulation *sim)
{
  pc_continuum_run *r = sim->own;
  if (r == NULL)
    return;
  pc_fe_motion_destroy(r->motion);
  pc_fe_flow_destroy(r->flow);
  pc_arena_free(&r->memory);
  free(r);
}

// A file of a mesh may have changed.
uint64_t pc_continuum_hash(const pc_simulation *sim, uint64_t hash)
{
  const pc_fe_mesh *mesh = &sim->scene->continuum->mesh;
  hash = pc_hash_bytes(hash, mesh->node, (size_t)mesh->nodes * sizeof *mesh->node);
  return pc_hash_bytes(hash, mesh->body.node, (size_t)mesh->body.listed * sizeof *mesh->body.node);
}

int pc_continuum_files(const pc_simulation *sim, const pc_run_other *kinds[PC_KIND_FILES])
{
  const pc_continuum *c = sim->scene->continuum;
  if (!sim->scene->csv || c->alloys || (c->def.contacts == 0 && (c->flows || !c->moves)))
    return 0;
  kinds[0] = c->moves ? &pc_run_collisions : &pc_run_profile;
  return 1;
}

const pc_step_info *pc_continuum_info(const pc_simulation *sim)
{
  return &((const pc_continuum_run *)sim->own)->info;
}

const char *pc_continuum_energy_unit(const pc_scene *scene)
{
  return pc_continuum_units_of(scene->continuum->mesh.dimension).energy;
}

// The balance of the collision in the terms of that of bodies.
static pc_status take_collision(pc_simulation *sim, pc_error *error)
{
  pc_continuum_run *r = sim->own;
  const pc_continuum_answer *answer = &sim->scene->continuum->answer;
  const pc_continuum_account *a = &answer->account;
  double dissipated = a->volume + a->surface + a->reactions;
  r->done = true;
  r->info = (pc_step_info){.step = sim->summary->steps + 1,
                           .kinetic_translation = a->kinetic_after,
                           .kinetic_start = a->kinetic_before,
                           .work_forces = a->work_pushes,
                           .work_prescribed = a->work_holds,
                           .dissipated = dissipated,
                           .total_dissipated = dissipated,
                           .total_prescribed = a->work_holds,
                           .total_forces = a->work_pushes,
                           .audit = a->identity,
                           .drift = a->identity,
                           .closed = answer->closed,
                           .contacts = answer->points,
                           .iterations = answer->iterations,
                           .residual = answer->residual,
                           .status = answer->solved ? PC_SOLVED : PC_INACCURATE,
                           .solve_s = answer->time_s,
                           .step_s = answer->time_s};
  if (!isfinite(a->kinetic_after))
    return pc_fail(error, PC_ERROR_NUMERIC, "the velocities after the collision are not finite");
  if (answer->heated && !(answer->heat.solved && answer->heat.closed))
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "the temperatures were not solved: residual %.1e, energy balance error %.1e",
                   answer->heat.residual, answer->heat.identity);
  if (!answer->solved)
    return pc_fail(error, PC_ERROR_NUMERIC, "the collision was not solved: residual %.1e",
                   answer->residual);
  if (!answer->closed)
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "the energy balance of the collision is not closed; relative errors: energy "
                   "%.1e, momentum %.1e, divergence %.1e, complementarity %.1e",
                   a->identity, a->momentum, a->divergence, a->complementarity);
  return PC_OK;
}

// The balance of a step of the motion, likewise. What waves lose to an alloy's phases is heat.
static pc_status advance_motion(pc_simulation *sim, pc_error *error)
{
  pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  const pc_fe_motion_account *a = &c->account, before = *a;
  const pc_fe_motion_energy *now = &a->now, *start = &a->start;
  pc_status status = pc_fe_motion_advance(r->motion, error);
  if (status != PC_OK)
    return status;
  take_state(sim);
  double stored = now->elastic + now->coupled;
  double stored_before = before.now.elastic + before.now.coupled;
  double lost = a->volume + a->surface + a->reactions + a->rest + a->viscous;
  double lost_before =
      before.volume + before.surface + before.reactions + before.rest + before.viscous;
  double warmed = now->heat - before.now.heat - (a->alloy.received - before.alloy.received);
  double pushed = a->pushes - before.pushes;
  double left = now->kinetic + stored + now->gravity + lost - before.now.kinetic - stored_before -
                before.now.gravity - lost_before + warmed - pushed;
  double size = start->kinetic + start->elastic + fabs(now->gravity - start->gravity) +
                fabs(warmed) + fabs(a->pushes);
  double audit = size > 0 ? fabs(left) / size : 0;
  int closed = 0;
  for (int i = 0; i < c->def.contacts; i++)
    closed += c->state[i].closed;
  r->info = (pc_step_info){.step = sim->summary->steps + 1,
                           .time = c->end.time,
                           .kinetic_translation = now->kinetic,
                           .potential = now->gravity,
                           .stored = stored,
                           .kinetic_start = start->kinetic,
                           .potential_start = start->gravity,
                           .stored_start = start->elastic + start->coupled,
                           .work_gravity = before.now.gravity - now->gravity,
                           .work_elements = stored_before - stored,
                           .work_forces = pushed,
                           .total_forces = a->pushes,
                           .dissipated = lost - lost_before + warmed,
                           .total_dissipated = lost + (now->heat - start->heat - a->alloy.received),
                           .audit = audit,
                           .drift = a->identity,
                           .closed = c->alloys ? a->closed : audit <= 1e-9,
                           .contacts = closed,
                           .iterations = a->alloy.iterations,
                           .status = a->unsolved == before.unsolved ? PC_SOLVED : PC_INACCURATE};
  return isfinite(now->kinetic)
             ? PC_OK
             : pc_fail(error, PC_ERROR_NUMERIC,
                       "at %g s: the velocities are not finite; try a shorter step", r->info.time);
}

static pc_status step(pc_simulation *sim, pc_error *error)
{
  const pc_continuum_run *r = sim->own;
  return r->motion != NULL ? advance_motion(sim, error) : take_collision(sim, error);
}

static bool over(const pc_simulation *sim)
{
  return ((const pc_continuum_run *)sim->own)->done;
}

// A checkpoint keeps the motion. The collision is solved again, to the same bits.
static const char *const parts[] = {"continuum", NULL};

typedef struct kept {
  uint64_t velocities; // hash
  uint64_t done;
} kept;

static kept keep(const pc_simulation *sim)
{
  const pc_continuum_run *r = sim->own;
  const pc_continuum_answer *answer = &sim->scene->continuum->answer;
  size_t bytes = (size_t)answer->nodes * (size_t)answer->dimension * sizeof *answer->velocity;
  return (kept){pc_hash_bytes(PC_HASH_START, answer->velocity, bytes), r->done};
}

static size_t save(const pc_simulation *sim, int part, void *buffer)
{
  const pc_continuum_run *r = sim->own;
  if (r->motion != NULL)
    return pc_fe_motion_save(r->motion, buffer, buffer != NULL ? SIZE_MAX : 0);
  kept now = keep(sim);
  if (buffer != NULL)
    memcpy(buffer, &now, sizeof now);
  return sizeof now;
}

static pc_status load(pc_simulation *sim, int part, const void *data, size_t size, pc_error *error)
{
  pc_continuum_run *r = sim->own;
  kept then;
  if (r->motion != NULL ? pc_fe_motion_load(r->motion, data, size, NULL) != PC_OK
                        : size != sizeof then)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  if (r->motion != NULL) {
    take_state(sim);
    return PC_OK;
  }
  memcpy(&then, data, sizeof then);
  if (then.velocities != keep(sim).velocities)
    return pc_fail(error, PC_ERROR_INPUT,
                   "the recomputed collision differs from the recorded one, which was computed by "
                   "another build or on another machine");
  r->done = then.done != 0;
  return PC_OK;
}

pc_status pc_continuum_write_events(const pc_simulation *sim, int events, const pc_fe_event *event,
                                    pc_error *error)
{
  const pc_continuum *c = sim->scene->continuum;
  const char *path = pc_run_file(&sim->files, &pc_run_collisions);
  pc_replace *file = path != NULL ? pc_replace_begin(path, pc_run_collisions.own, error) : NULL;
  if (file == NULL)
    return path != NULL ? error->status : PC_OK;
  pc_run_write_head(file, &pc_run_collisions, sim->scene);
  for (int i = 0; i < events; i++) {
    const pc_fe_event *e = &event[i];
    const double number[] = {e->time, e->speed, e->percussion[0], e->percussion[1],
                             e->lost, e->nodes, e->collision,     e->fresh};
    int contact = c->flows ? e->contact : c->contact_of[e->contact];
    for (int k = 0; k < PC_COUNT(number); k++)
      pc_replace_number(file, number[k], ',');
    pc_replace_text(file, c->contact_name[contact]);
    pc_replace_print(file, "\n");
  }
  return pc_replace_end(file, error);
}

static pc_status finish(pc_simulation *sim, bool fine, pc_error *error)
{
  const pc_continuum *c = sim->scene->continuum;
  const pc_continuum_run *r = sim->own;
  const char *profile = pc_run_file(&sim->files, &pc_run_profile);
  if (fine && r->done && profile != NULL)
    return pc_continuum_write_profile(c, &c->answer, profile, error);
  if (!fine || r->motion == NULL)
    return PC_OK;
  pc_fe_motion_state state = pc_fe_motion_look(r->motion);
  return pc_continuum_write_events(sim, state.events, state.event, error);
}

const pc_simulation_kind pc_continuum_simulation = {
    .name = "continuum",
    .parts = parts,
    .begin = begin,
    .free = pc_continuum_free_own,
    .hash = pc_continuum_hash,
    .files = pc_continuum_files,
    .step = step,
    .info = pc_continuum_info,
    .energy_unit = pc_continuum_energy_unit,
    .over = over,
    .save = save,
    .load = load,
    .describe = pc_continuum_describe,
    .declare = pc_continuum_declare,
    .frame = pc_continuum_frame,
    .row = pc_continuum_row,
    .columns = pc_continuum_columns,
    .xdmf = pc_continuum_xdmf,
    .finish = finish,
    .measure = pc_continuum_measure,
};
