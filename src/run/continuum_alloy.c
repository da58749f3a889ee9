// An alloy in a run: a blow at time 0, then it vibrates, changes phase and cools.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "run/continuum.h"
#include "run/inputs.h"
#include "run/measure.h"
#include "scene/continuum_solve.h"

typedef struct alloy_run {
  pc_fe_alloy *alloy;
  pc_step_info info;
  double *row; // room for a frame
  pc_node_series nodes;
  int temperature, fraction, mean;
} alloy_run;

static const char *const phase_name[PC_FE_FRACTIONS] = {"martensite1", "martensite2", "austenite"};

// --- begin --------------------------------------------------------------------------------------

static void take_state(pc_moving *moving)
{
  const alloy_run *r = moving->own;
  pc_continuum *c = moving->scene->continuum;
  c->alloy_account = pc_fe_alloy_balance(r->alloy);
  c->alloy_end = pc_fe_alloy_look(r->alloy);
  c->alloy_end.displacement = c->alloy_end.velocity = c->alloy_end.temperature = NULL;
  c->alloy_end.fraction = NULL;
}

// The collision, whose answer is the start.
static pc_status strike(pc_moving *moving, pc_error *error)
{
  alloy_run *r = moving->own;
  pc_continuum *c = moving->scene->continuum;
  pc_continuum_answer_free(&c->answer);
  pc_status status = pc_continuum_collide(c, 0, &c->answer, error);
  if (status != PC_OK)
    return status;
  if (!c->answer.solved || !c->answer.closed)
    return pc_fail(error, PC_ERROR_NUMERIC, "the collision is not solved: residuals %.1e, %.1e",
                   c->answer.residual, c->answer.heat.residual);
  size_t nodes = (size_t)c->mesh.nodes;
  double *temperature = malloc(nodes * sizeof *temperature);
  double(*fraction)[PC_FE_FRACTIONS] = malloc(nodes * sizeof *fraction);
  if (temperature == NULL || fraction == NULL) {
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  } else {
    memcpy(temperature, c->answer.temperature, nodes * sizeof *temperature);
    memcpy(fraction, c->answer.fraction, nodes * sizeof *fraction);
    status = pc_fe_alloy_set(r->alloy, NULL, c->answer.velocity,
                             &(pc_fe_thermal_state){temperature, fraction}, error);
  }
  free(temperature);
  free(fraction);
  return status;
}

static pc_status begin(pc_moving *moving, pc_error *error)
{
  pc_continuum *c = moving->scene->continuum;
  alloy_run *r = moving->own = calloc(1, sizeof *r);
  if (r == NULL || (r->row = calloc(2 * (size_t)c->mesh.nodes + 1, sizeof *r->row)) == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  r->alloy = pc_fe_alloy_create(&c->alloy, error);
  if (r->alloy == NULL)
    return error->status;
  pc_status status = strike(moving, error);
  if (status == PC_OK)
    take_state(moving);
  return status;
}

static void free_own(pc_moving *moving)
{
  alloy_run *r = moving->own;
  if (r == NULL)
    return;
  pc_fe_alloy_destroy(r->alloy);
  free(r->row);
  free(r);
}

static int files(const pc_moving *moving, const char *endings[PC_MOVING_FILES])
{
  return 0;
}

// --- steps --------------------------------------------------------------------------------------

static const pc_step_info *info(const pc_moving *moving)
{
  return &((const alloy_run *)moving->own)->info;
}

// The account in the words of that of bodies: what waves lose is heat.
static pc_status step(pc_moving *moving, pc_error *error)
{
  alloy_run *r = moving->own;
  const pc_fe_alloy_account *a = &moving->scene->continuum->alloy_account;
  const pc_fe_alloy_account before = *a;
  pc_status status = pc_fe_alloy_advance(r->alloy, error);
  if (status != PC_OK)
    return status;
  take_state(moving);
  double stored = a->now.elastic + a->now.coupled;
  double stored_before = before.now.elastic + before.now.coupled;
  double warmed = a->now.heat - before.now.heat - (a->received - before.received);
  double left = a->now.kinetic - before.now.kinetic + stored - stored_before + warmed;
  double size = a->start.kinetic + a->start.elastic + fabs(warmed);
  double audit = size > 0 ? fabs(left) / size : 0;
  r->info = (pc_step_info){.step = moving->summary->steps + 1,
                           .time = moving->scene->continuum->alloy_end.time,
                           .kinetic_translation = a->now.kinetic,
                           .stored = stored,
                           .kinetic_start = a->start.kinetic,
                           .stored_start = a->start.elastic + a->start.coupled,
                           .work_elements = stored_before - stored,
                           .dissipated = warmed,
                           .total_dissipated = a->now.heat - a->start.heat - a->received,
                           .audit = audit,
                           .drift = a->identity,
                           .closed = a->closed,
                           .iterations = a->iterations,
                           .status = a->unsolved == before.unsolved ? PC_SOLVED : PC_INACCURATE};
  return isfinite(a->now.kinetic)
             ? PC_OK
             : pc_fail(error, PC_ERROR_NUMERIC, "at %g s: the velocities are no longer finite",
                       r->info.time);
}

// --- checkpoints --------------------------------------------------------------------------------

static const char *const parts[] = {"alloy", NULL};

static size_t save(const pc_moving *moving, int part, void *buffer)
{
  const alloy_run *r = moving->own;
  size_t size = pc_fe_alloy_save(r->alloy, NULL, 0);
  return buffer != NULL ? pc_fe_alloy_save(r->alloy, buffer, size) : size;
}

static pc_status load(pc_moving *moving, int part, const void *data, size_t size, pc_error *error)
{
  alloy_run *r = moving->own;
  if (pc_fe_alloy_load(r->alloy, data, size, NULL) != PC_OK)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  take_state(moving);
  return PC_OK;
}

// --- the record ---------------------------------------------------------------------------------

static pc_status declare(pc_moving *moving)
{
  alloy_run *r = moving->own;
  pc_nodes_declare(moving, &r->nodes);
  pc_continuum_declare_heat(moving, &r->temperature, &r->fraction);
  r->mean = pc_record_add(moving->record, "steps/fractions", PC_RECORD_DOUBLE, 1, PC_FE_FRACTIONS,
                          "means over the alloys: two martensites, austenite", "");
  return PC_OK;
}

static pc_status frame(pc_moving *moving)
{
  alloy_run *r = moving->own;
  pc_fe_alloy_state state = pc_fe_alloy_look(r->alloy);
  pc_nodes_frame(moving, &r->nodes, state.velocity, state.displacement, r->row);
  pc_record_append(moving->record, r->temperature, state.temperature);
  return pc_record_append(moving->record, r->fraction, state.fraction);
}

static pc_status row(pc_moving *moving)
{
  const alloy_run *r = moving->own;
  return pc_record_append(moving->record, r->mean, moving->scene->continuum->alloy_end.mean);
}

// Mean fractions, temperatures, and how far what was pushed has moved.
static int columns(const pc_moving *moving, pc_column *columns)
{
  const pc_continuum *c = moving->scene->continuum;
  int count = 0;
  for (int k = 0; k < PC_FE_FRACTIONS + 2; k++, count++)
    if (columns != NULL) {
      snprintf(columns[count].name, sizeof columns->name, "%s",
               k < PC_FE_FRACTIONS    ? phase_name[k]
               : k == PC_FE_FRACTIONS ? "lowest temperature"
                                      : "highest temperature");
      columns[count].unit = k < PC_FE_FRACTIONS ? NULL : "K";
    }
  for (int i = 0; i < c->def.pushes; i++)
    for (int k = 0; k < c->mesh.dimension; k++, count++)
      if (columns != NULL) {
        snprintf(columns[count].name, sizeof columns->name, "%.200s u%c",
                 c->mesh.group[c->def.push[i].sides].name, "xy"[k]);
        columns[count].unit = "m";
      }
  return count;
}

// The mean over the nodes of sides.
static double mean_moved(const pc_fe_mesh *mesh, int sides, const double *displacement, int k)
{
  double sum = 0;
  int count = 0;
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    for (int n = 0; side->group == sides && n < pc_element_of(side->type)->nodes; n++, count++)
      sum += displacement[mesh->side.node[side->first + n] * mesh->dimension + k];
  }
  return sum / count;
}

static void cells(const pc_moving *moving, double *cells)
{
  const alloy_run *r = moving->own;
  const pc_continuum *c = moving->scene->continuum;
  pc_fe_alloy_state state = pc_fe_alloy_look(r->alloy);
  memcpy(cells, state.mean, sizeof state.mean);
  cells += PC_FE_FRACTIONS;
  *cells++ = state.lowest;
  *cells++ = state.highest;
  for (int i = 0; i < c->def.pushes; i++)
    for (int k = 0; k < c->mesh.dimension; k++)
      *cells++ = mean_moved(&c->mesh, c->def.push[i].sides, state.displacement, k);
}

static pc_status xdmf(const pc_moving *moving, long frames, const double *times, pc_error *error)
{
  static const pc_xdmf_array attributes[] = {
      {"velocity", "frames/velocity", PC_RECORD_DOUBLE, 2, false},
      {"displacement", "frames/displacement", PC_RECORD_DOUBLE, 2, false},
      {"temperature", "frames/temperature", PC_RECORD_DOUBLE, 1, false},
      {"fractions of phases", "frames/fraction", PC_RECORD_DOUBLE, PC_FE_FRACTIONS, false},
  };
  return pc_continuum_write_xdmf(moving, frames, times, 4, attributes, error);
}

// --- the end ------------------------------------------------------------------------------------

static pc_status measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantities *q,
                         pc_error *error)
{
  const pc_continuum *c = scene->continuum;
  const pc_fe_alloy_account *a = &c->alloy_account;
  const pc_fe_alloy_state *end = &c->alloy_end;
  const pc_continuum_units unit = pc_continuum_units_of(c->mesh.dimension);
  const pc_quantity all[] = {
      {.name = "nodes", .value = c->mesh.nodes, .whole = true},
      {.name = "elements", .value = c->mesh.body.count, .whole = true},
      {.name = "elastic", .unit = unit.energy, .value = a->now.elastic, .shown = PC_SHOW_MEAN},
      {.name = "heat_received", .unit = unit.energy, .value = a->received},
      {.name = "entropy_produced", .unit = unit.entropy, .value = a->produced},
      {.name = "temperature_low", .unit = "K", .value = end->lowest},
      {.name = "temperature_high", .unit = "K", .value = end->highest, .shown = PC_SHOW_MEAN},
      {.name = phase_name[0], .value = end->mean[0]},
      {.name = phase_name[1], .value = end->mean[1]},
      {.name = phase_name[2], .value = end->mean[2], .shown = PC_SHOW_MEAN},
      {.name = "austenite_start", .value = c->answer.medium[0].fraction_mean[2]},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pc_quantities_add(q, &all[i], PC_OF_RUN, "");
  return PC_OK;
}

static pc_status finish(pc_moving *moving, bool fine, pc_error *error)
{
  moving->summary->overlap_end = moving->summary->overlap_relative = NAN;
  return PC_OK;
}

const pc_moving_kind pc_alloy_moving = {
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
