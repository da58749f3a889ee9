// A continuum in a run: one collision, at time 0. It is solved before the record begins, which
// lists the nodes that touch; the step takes the answer.
#include "run/continuum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "run/inputs.h"
#include "run/measure.h"

static const char profile_ending[] = "-profile.csv";

// --- begin --------------------------------------------------------------------------------------

static pc_status begin(pc_moving *moving, pc_error *error)
{
  pc_continuum *c = moving->scene->continuum;
  pc_continuum_run *r = moving->own = calloc(1, sizeof *r);
  if (r == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_continuum_answer_free(&c->answer);
  pc_status status = pc_continuum_solve(c, 0, &c->answer, error);
  if (status != PC_OK)
    return status;
  size_t widest = (size_t)c->mesh.nodes + (size_t)c->def.bodies + (size_t)c->answer.points;
  r->row = calloc(6 * widest + 1, sizeof *r->row);
  r->touch = calloc((size_t)c->def.contacts + 1, sizeof *r->touch);
  if (r->row == NULL || r->touch == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  moving->summary->bodies = c->def.bodies;
  return PC_OK;
}

static void free_own(pc_moving *moving)
{
  pc_continuum_run *r = moving->own;
  if (r == NULL)
    return;
  free(r->row);
  free(r->touch);
  free(r);
}

// A file of a mesh may have changed.
uint64_t pc_continuum_hash(const pc_moving *moving, uint64_t hash)
{
  const pc_fe_mesh *mesh = &moving->scene->continuum->mesh;
  hash = pc_hash_bytes(hash, mesh->node, (size_t)mesh->nodes * sizeof *mesh->node);
  return pc_hash_bytes(hash, mesh->body.node, (size_t)mesh->body.listed * sizeof *mesh->body.node);
}

static int files(const pc_moving *moving, const char *endings[PC_MOVING_FILES])
{
  if (!moving->scene->csv || moving->scene->continuum->def.contacts == 0)
    return 0;
  endings[0] = profile_ending;
  return 1;
}

// --- the step -----------------------------------------------------------------------------------

static const pc_step_info *info(const pc_moving *moving)
{
  return &((const pc_continuum_run *)moving->own)->info;
}

const char *pc_continuum_energy_unit(const pc_scene *scene)
{
  return pc_continuum_units_of(scene->continuum->mesh.dimension).energy;
}

// The account of the collision in the words of that of bodies.
static pc_status step(pc_moving *moving, pc_error *error)
{
  pc_continuum_run *r = moving->own;
  const pc_continuum_answer *answer = &moving->scene->continuum->answer;
  const pc_continuum_account *a = &answer->account;
  double dissipated = a->volume + a->surface + a->reactions;
  r->done = true;
  r->info = (pc_step_info){.step = moving->summary->steps + 1,
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
    return pc_fail(error, PC_ERROR_NUMERIC, "the velocities after are not finite");
  if (answer->heated && !(answer->heat.solved && answer->heat.closed))
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "the temperatures are not solved: residual %.1e, account %.1e",
                   answer->heat.residual, answer->heat.identity);
  if (!answer->solved)
    return pc_fail(error, PC_ERROR_NUMERIC, "the collision is not solved: residual %.1e",
                   answer->residual);
  if (!answer->closed)
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "the account of the collision is not closed: energy %.1e, momentum %.1e, "
                   "divergence %.1e, complementarity %.1e",
                   a->identity, a->momentum, a->divergence, a->complementarity);
  return PC_OK;
}

static bool over(const pc_moving *moving)
{
  return ((const pc_continuum_run *)moving->own)->done;
}

// --- checkpoints --------------------------------------------------------------------------------

// What comes of the collision is solved again, to the same bits.
static const char *const parts[] = {"continuum", NULL};

typedef struct kept {
  uint64_t velocities; // hash
  uint64_t done;
} kept;

static kept keep(const pc_moving *moving)
{
  const pc_continuum_run *r = moving->own;
  const pc_continuum_answer *answer = &moving->scene->continuum->answer;
  size_t bytes = (size_t)answer->nodes * (size_t)answer->dimension * sizeof *answer->velocity;
  return (kept){pc_hash_bytes(PC_HASH_START, answer->velocity, bytes), r->done};
}

static size_t save(const pc_moving *moving, int part, void *buffer)
{
  kept now = keep(moving);
  if (buffer != NULL)
    memcpy(buffer, &now, sizeof now);
  return sizeof now;
}

static pc_status load(pc_moving *moving, int part, const void *data, size_t size, pc_error *error)
{
  pc_continuum_run *r = moving->own;
  kept then, now = keep(moving);
  if (size != sizeof then)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  memcpy(&then, data, sizeof then);
  if (then.velocities != now.velocities)
    return pc_fail(error, PC_ERROR_INPUT,
                   "the collision, solved again, is not the one that was recorded: another build, "
                   "or another machine");
  r->done = then.done != 0;
  return PC_OK;
}

// --- the record ---------------------------------------------------------------------------------

static pc_status row(pc_moving *moving)
{
  const pc_continuum_run *r = moving->own;
  const pc_continuum_answer *answer = &moving->scene->continuum->answer;
  pc_status status = PC_OK;
  for (int i = 0; i < answer->touches; i++)
    status = pc_record_append(moving->record, r->touch[i], answer->touch[i].resultant);
  return status;
}

static int columns(const pc_moving *moving, pc_column *columns)
{
  static const char *const of_touch[] = {"normal", "tangential"};
  static const char *const of_body[] = {"vx", "vy", "spin"};
  const pc_continuum *c = moving->scene->continuum;
  int count = 0;
  for (int i = 0; i < c->def.contacts; i++)
    for (int k = 0; k < 2; k++, count++)
      if (columns != NULL) {
        snprintf(columns[count].name, sizeof columns->name, "%.200s %s", c->contact_name[i],
                 of_touch[k]);
        columns[count].unit = pc_continuum_units_of(c->mesh.dimension).percussion;
      }
  for (int i = 0; i < c->def.bodies; i++)
    for (int k = 0; k < 3; k++, count++)
      if (columns != NULL) {
        snprintf(columns[count].name, sizeof columns->name, "%.200s %s", c->body_name[i],
                 of_body[k]);
        columns[count].unit = k < 2 ? "m/s" : "rad/s";
      }
  return count;
}

static void cells(const pc_moving *moving, double *cells)
{
  const pc_continuum_answer *answer = &moving->scene->continuum->answer;
  for (int i = 0; i < answer->touches; i++)
    for (int k = 0; k < 2; k++)
      *cells++ = answer->touch[i].resultant[k];
  for (int i = 0; i < answer->bodies; i++)
    for (int k = 0; k < 3; k++)
      *cells++ = answer->body[i].after[k];
}

// --- the end ------------------------------------------------------------------------------------

static pc_status finish(pc_moving *moving, bool fine, pc_error *error)
{
  const pc_continuum *c = moving->scene->continuum;
  const pc_continuum_run *r = moving->own;
  const char *path = pc_run_file(&moving->files, profile_ending);
  moving->summary->overlap_end = moving->summary->overlap_relative = NAN;
  if (!fine || !r->done || path == NULL)
    return PC_OK;
  return pc_continuum_write_profile(c, &c->answer, path, error);
}

static void measure_touch(const pc_continuum_touch *t, bool shown, const char *total,
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
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pc_quantities_add(q, &all[i], PC_OF_TOUCH, t->name);
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
  for (int i = 0; i < count; i++)
    pc_quantities_add(q, &all[i], PC_OF_MEDIUM, m->name);
}

static void measure_medium(const pc_continuum_medium *m, bool shown, pc_quantities *q)
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
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pc_quantities_add(q, &all[i], PC_OF_MEDIUM, m->name);
}

static void measure_body(const pc_continuum_body *b, pc_quantities *q)
{
  const pc_quantity all[] = {
      {.name = "vx", .unit = "m/s", .value = b->after[0], .shown = PC_SHOW_MEAN},
      {.name = "vy", .unit = "m/s", .value = b->after[1], .shown = PC_SHOW_MEAN},
      {.name = "spin", .unit = "rad/s", .value = b->after[2], .shown = PC_SHOW_MEAN},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pc_quantities_add(q, &all[i], PC_OF_RIGID, b->name);
}

static pc_status measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantities *q,
                         pc_error *error)
{
  const pc_continuum *c = scene->continuum;
  const pc_continuum_answer *answer = &c->answer;
  const pc_continuum_account *a = &answer->account;
  const pc_continuum_units unit = pc_continuum_units_of(c->mesh.dimension);
  const pc_quantity all[] = {
      {.name = "nodes", .value = c->mesh.nodes, .whole = true},
      {.name = "elements", .value = c->mesh.body.count, .whole = true},
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
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pc_quantities_add(q, &all[i], PC_OF_RUN, "");
  for (size_t i = 0; answer->heated && i < sizeof heat / sizeof *heat; i++)
    pc_quantities_add(q, &heat[i], PC_OF_RUN, "");
  // First those between things that move.
  int between = 0;
  for (int i = 0; i < c->def.contacts; i++)
    between += c->def.contact[i].body >= 0 || c->def.contact[i].other >= 0;
  for (int i = 0; i < answer->touches; i++)
    measure_touch(&answer->touch[i],
                  between == 0 || c->def.contact[i].body >= 0 || c->def.contact[i].other >= 0,
                  unit.percussion, q);
  for (int i = 0; i < answer->media; i++) {
    // Velocities, where nothing touches.
    measure_medium(&answer->medium[i], answer->touches + answer->bodies == 0, q);
    measure_heat(&answer->medium[i], c->mesh.dimension == 2, q);
  }
  for (int i = 0; i < answer->bodies; i++)
    measure_body(&answer->body[i], q);
  return PC_OK;
}

const pc_moving_kind pc_continuum_moving = {
    .name = "continuum",
    .parts = parts,
    .begin = begin,
    .free = free_own,
    .hash = pc_continuum_hash,
    .files = files,
    .step = step,
    .info = info,
    .energy_unit = pc_continuum_energy_unit,
    .over = over,
    .save = save,
    .load = load,
    .describe = pc_continuum_describe,
    .declare = pc_continuum_declare,
    .frame = pc_continuum_frame,
    .row = row,
    .columns = columns,
    .cells = cells,
    .xdmf = pc_continuum_xdmf,
    .finish = finish,
    .measure = measure,
};
