// Elastic solids in a run: they move, and collide with the ground when they come to it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/csv.h"
#include "record/replace.h"
#include "run/continuum.h"
#include "run/inputs.h"
#include "run/measure.h"

static const char events_ending[] = "-collisions.csv";

typedef struct motion_run {
  pc_fe_motion *motion;
  pc_step_info info;
  double *row;          // room for a frame
  double *last, *pulse; // percussions of walls: before the step, and in it
  pc_node_series nodes;
  int *touch;
} motion_run;

// --- begin --------------------------------------------------------------------------------------

// What scenes are asked for after a run, and percussions in the step.
static void take_state(pc_moving *moving)
{
  motion_run *r = moving->own;
  pc_continuum *c = moving->scene->continuum;
  pc_fe_motion_state state = pc_fe_motion_look(r->motion);
  memcpy(c->state, state.wall, (size_t)c->def.contacts * sizeof *c->state);
  c->account = pc_fe_motion_balance(r->motion);
  for (int i = 0; i < c->def.contacts; i++)
    for (int k = 0; k < 2; k++) {
      double now = state.wall[i].percussion[k];
      r->pulse[2 * i + k] = now - r->last[2 * i + k];
      r->last[2 * i + k] = now;
    }
}

static pc_status begin(pc_moving *moving, pc_error *error)
{
  pc_continuum *c = moving->scene->continuum;
  motion_run *r = moving->own = calloc(1, sizeof *r);
  if (r == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  size_t walls = (size_t)c->def.contacts + 1;
  r->row = calloc(2 * (size_t)c->mesh.nodes + 1, sizeof *r->row);
  r->last = calloc(2 * walls, sizeof *r->last);
  r->pulse = calloc(2 * walls, sizeof *r->pulse);
  r->touch = calloc(walls, sizeof *r->touch);
  if (!r->row || !r->last || !r->pulse || !r->touch)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  r->motion = pc_fe_motion_create(&c->motion, error);
  if (r->motion == NULL)
    return error->status;
  pc_status status = pc_fe_motion_set(r->motion, NULL, c->velocity, error);
  if (status == PC_OK)
    take_state(moving);
  return status;
}

static void free_own(pc_moving *moving)
{
  motion_run *r = moving->own;
  if (r == NULL)
    return;
  pc_fe_motion_destroy(r->motion);
  free(r->row);
  free(r->last);
  free(r->pulse);
  free(r->touch);
  free(r);
}

static int files(const pc_moving *moving, const char *endings[PC_MOVING_FILES])
{
  if (!moving->scene->csv)
    return 0;
  endings[0] = events_ending;
  return 1;
}

// --- steps --------------------------------------------------------------------------------------

static const pc_step_info *info(const pc_moving *moving)
{
  return &((const motion_run *)moving->own)->info;
}

static pc_status step(pc_moving *moving, pc_error *error)
{
  motion_run *r = moving->own;
  const pc_fe_motion_account *a = &moving->scene->continuum->account;
  const pc_fe_motion_account before = *a;
  pc_status status = pc_fe_motion_advance(r->motion, error);
  if (status != PC_OK)
    return status;
  take_state(moving);
  pc_fe_motion_state state = pc_fe_motion_look(r->motion);
  double lost = a->volume + a->surface + a->reactions + a->rest;
  double lost_before = before.volume + before.surface + before.reactions + before.rest;
  double size = a->start.kinetic + a->start.elastic + fabs(a->now.gravity - a->start.gravity);
  double left = a->now.kinetic + a->now.elastic + a->now.gravity + lost - before.now.kinetic -
                before.now.elastic - before.now.gravity - lost_before;
  double audit = size > 0 ? fabs(left) / size : 0;
  int closed = 0;
  for (int i = 0; i < moving->scene->continuum->def.contacts; i++)
    closed += state.wall[i].closed;
  r->info = (pc_step_info){.step = moving->summary->steps + 1,
                           .time = state.time,
                           .kinetic_translation = a->now.kinetic,
                           .potential = a->now.gravity,
                           .stored = a->now.elastic,
                           .kinetic_start = a->start.kinetic,
                           .potential_start = a->start.gravity,
                           .stored_start = a->start.elastic,
                           .work_gravity = before.now.gravity - a->now.gravity,
                           .work_elements = before.now.elastic - a->now.elastic,
                           .dissipated = lost - lost_before,
                           .total_dissipated = lost,
                           .audit = audit,
                           .drift = a->identity,
                           .closed = audit <= 1e-9,
                           .contacts = closed,
                           .status = a->unsolved == before.unsolved ? PC_SOLVED : PC_INACCURATE};
  return isfinite(a->now.kinetic)
             ? PC_OK
             : pc_fail(error, PC_ERROR_NUMERIC, "at %g s: the velocities are no longer finite",
                       state.time);
}

// --- checkpoints --------------------------------------------------------------------------------

static const char *const parts[] = {"motion", NULL};

static size_t save(const pc_moving *moving, int part, void *buffer)
{
  const motion_run *r = moving->own;
  size_t size = pc_fe_motion_save(r->motion, NULL, 0);
  return buffer != NULL ? pc_fe_motion_save(r->motion, buffer, size) : size;
}

static pc_status load(pc_moving *moving, int part, const void *data, size_t size, pc_error *error)
{
  motion_run *r = moving->own;
  if (pc_fe_motion_load(r->motion, data, size, NULL) != PC_OK)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  take_state(moving);
  return PC_OK;
}

// --- the record ---------------------------------------------------------------------------------

static pc_status declare(pc_moving *moving)
{
  motion_run *r = moving->own;
  pc_nodes_declare(moving, &r->nodes);
  return pc_continuum_declare_touches(moving, r->touch);
}

static pc_status frame(pc_moving *moving)
{
  motion_run *r = moving->own;
  pc_fe_motion_state state = pc_fe_motion_look(r->motion);
  return pc_nodes_frame(moving, &r->nodes, state.velocity, state.displacement, r->row);
}

static pc_status row(pc_moving *moving)
{
  motion_run *r = moving->own;
  pc_status status = PC_OK;
  for (int i = 0; i < moving->scene->continuum->def.contacts; i++)
    status = pc_record_append(moving->record, r->touch[i], r->pulse + 2 * i);
  return status;
}

static int columns(const pc_moving *moving, pc_column *columns)
{
  static const char *const names[] = {"normal", "tangential"};
  const pc_continuum *c = moving->scene->continuum;
  for (int i = 0; i < c->def.contacts && columns != NULL; i++)
    for (int k = 0; k < 2; k++) {
      pc_column *to = &columns[2 * i + k];
      snprintf(to->name, sizeof to->name, "%.200s %s", c->contact_name[i], names[k]);
      to->unit = pc_continuum_units_of(c->mesh.dimension).percussion;
    }
  return 2 * c->def.contacts;
}

static void cells(const pc_moving *moving, double *cells)
{
  const motion_run *r = moving->own;
  memcpy(cells, r->pulse, 2 * (size_t)moving->scene->continuum->def.contacts * sizeof *cells);
}

static pc_status xdmf(const pc_moving *moving, long frames, const double *times, pc_error *error)
{
  static const pc_xdmf_array attributes[] = {
      {"velocity", "frames/velocity", PC_RECORD_DOUBLE, 2, false},
      {"displacement", "frames/displacement", PC_RECORD_DOUBLE, 2, false},
  };
  return pc_continuum_write_xdmf(moving, frames, times, 2, attributes, error);
}

// --- the end ------------------------------------------------------------------------------------

static void measure_touch(const pc_continuum *c, int i, pc_quantities *q)
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
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    pc_quantities_add(q, &all[k], PC_OF_TOUCH, c->contact_name[i]);
}

static pc_status measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantities *q,
                         pc_error *error)
{
  const pc_continuum *c = scene->continuum;
  const pc_fe_motion_account *a = &c->account;
  const char *unit = pc_continuum_energy_unit(scene);
  const pc_quantity all[] = {
      {.name = "nodes", .value = c->mesh.nodes, .whole = true},
      {.name = "elements", .value = c->mesh.body.count, .whole = true},
      {.name = "kinetic_before", .unit = unit, .value = a->start.kinetic},
      {.name = "elastic", .unit = unit, .value = a->now.elastic},
      {.name = "dissipated_volume", .unit = unit, .value = a->volume},
      {.name = "dissipated_surface", .unit = unit, .value = a->surface},
      {.name = "dissipated_reactions", .unit = unit, .value = a->reactions},
      {.name = "dissipated_rest", .unit = unit, .value = a->rest},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pc_quantities_add(q, &all[i], PC_OF_RUN, "");
  for (int i = 0; i < c->def.contacts; i++)
    measure_touch(c, i, q);
  return PC_OK;
}

// Every collision, and every coming to rest, in the order of time.
static pc_status finish(pc_moving *moving, bool fine, pc_error *error)
{
  const pc_continuum *c = moving->scene->continuum;
  const motion_run *r = moving->own;
  const char *path = pc_run_file(&moving->files, events_ending);
  moving->summary->overlap_end = moving->summary->overlap_relative = NAN;
  if (!fine || path == NULL)
    return PC_OK;
  pc_replace *file = pc_replace_begin(path, error);
  if (file == NULL)
    return error->status;
  const pc_continuum_units unit = pc_continuum_units_of(c->mesh.dimension);
  pc_replace_print(file,
                   "time [s],speed [m/s],percussion_N [%s],percussion_T [%s],lost [%s],nodes,"
                   "collision,fresh,contact\n",
                   unit.percussion, unit.percussion, unit.energy);
  pc_fe_motion_state state = pc_fe_motion_look(r->motion);
  for (int i = 0; i < state.events; i++) {
    const pc_fe_event *e = &state.event[i];
    const double number[] = {e->time, e->speed, e->percussion[0], e->percussion[1],
                             e->lost, e->nodes, e->collision,     e->fresh};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
      char text[PC_CSV_NUMBER];
      pc_csv_number(number[k], text);
      pc_replace_print(file, "%s,", text);
    }
    pc_replace_print(file, "%s\n", c->contact_name[e->wall]);
  }
  return pc_replace_end(file, error);
}

const pc_moving_kind pc_motion_moving = {
    .name = "continuum",
    .parts = parts,
    .begin = begin,
    .free = free_own,
    .hash = pc_continuum_hash,
    .files = files,
    .step = step,
    .info = info,
    .energy_unit = pc_continuum_energy_unit,
    .save = save,
    .load = load,
    .describe = pc_continuum_describe,
    .declare = declare,
    .frame = frame,
    .row = row,
    .columns = columns,
    .cells = cells,
    .xdmf = xdmf,
    .finish = finish,
    .measure = measure,
};
