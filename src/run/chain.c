// A granular chain in time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/elementary.h"
#include "core/error.h"
#include "run/inputs.h"
#include "run/simulation.h"

typedef struct chain_run {
  pc_chain_motion *motion;
  pc_step_info info;
  double start, error; // J: energy at the start, and how far the balance was from closed
  double kinetic_start, stored_start;
  double *line;    // of a frame: centres, as x, y, z
  double *centre;  // of balls at the start, m
  double ker, cke; // now
} chain_run;

static const pc_chain *chain_of(const pc_scene *scene)
{
  return &scene->chain->chain;
}

// Radii that are not given are of equal density, a centimetre for the heaviest.
static void place_balls(const pc_scene *scene, double *radius, double *centre)
{
  const pc_chain *chain = chain_of(scene);
  double heaviest = 0, at = 0;
  for (int i = 0; i < chain->balls; i++)
    heaviest = fmax(heaviest, chain->mass[i]);
  for (int i = 0; i < chain->balls; i++)
    radius[i] = scene->chain->radius != NULL ? scene->chain->radius[i]
                                             : 0.01 * pc_cbrt(chain->mass[i] / heaviest);
  for (int i = 0; i < chain->balls; i++) {
    if (i > 0)
      at += radius[i - 1] + radius[i] + chain->contact[i - 1 + chain->wall_left].gap;
    centre[i] = at;
  }
}

static void measure_now(const pc_scene *scene, chain_run *c)
{
  const pc_chain *chain = chain_of(scene);
  pc_chain_measures m;
  pc_chain_sample sample = pc_chain_motion_sample(c->motion);
  pc_status status = pc_chain_measure((size_t)chain->balls, chain->mass, chain->velocity,
                                      sample.velocity, NULL, 1e-9, &m, NULL);
  c->ker = status == PC_OK ? m.ker : NAN;
  c->cke = status == PC_OK ? m.cke : NAN;
}

static pc_status begin(pc_simulation *sim, pc_error *error)
{
  const pc_scene *scene = sim->scene;
  size_t balls = (size_t)chain_of(scene)->balls;
  chain_run *c = sim->own = calloc(1, sizeof *c);
  if (c != NULL) {
    c->line = calloc(3 * balls, sizeof *c->line);
    c->centre = calloc(2 * balls, sizeof *c->centre); // and radii
  }
  if (c == NULL || c->line == NULL || c->centre == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  place_balls(scene, c->centre + balls, c->centre);
  sim->summary->bodies = (int)balls;
  c->motion = pc_chain_motion_create(chain_of(scene), &scene->chain->law, NULL, error);
  if (c->motion == NULL)
    return error->status;
  pc_chain_account account = pc_chain_motion_account(c->motion);
  c->kinetic_start = account.kinetic;
  c->stored_start = account.stored;
  c->start = account.kinetic + account.stored;
  measure_now(scene, c);
  return PC_OK;
}

static void free_own(pc_simulation *sim)
{
  chain_run *c = sim->own;
  if (c == NULL)
    return;
  pc_chain_motion_destroy(c->motion);
  free(c->line);
  free(c->centre);
  free(c);
}

static const pc_step_info *info(const pc_simulation *sim)
{
  return &((const chain_run *)sim->own)->info;
}

// The balance of a chain in the terms of that of bodies: contacts are those that push, or impacts.
static void update_info(pc_simulation *sim, const pc_chain_account *before, long step)
{
  chain_run *c = sim->own;
  pc_chain_account now = pc_chain_motion_account(c->motion);
  pc_chain_sample sample = pc_chain_motion_sample(c->motion);
  double deepest = 0;
  for (int i = 0; i < pc_chain_contacts(chain_of(sim->scene)); i++)
    deepest = fmax(deepest, sample.compression[i]);
  double audit = fabs(now.error - c->error) / c->start;
  bool closed = audit < 1e-7;
  bool missed = now.inaccurate > before->inaccurate;
  c->error = now.error;
  c->info = (pc_step_info){.time = sample.time,
                           .step = step,
                           .kinetic_translation = now.kinetic,
                           .stored = now.stored,
                           .kinetic_start = c->kinetic_start,
                           .stored_start = c->stored_start,
                           .work_forces = now.work - before->work,
                           .work_elements = before->stored - now.stored,
                           .dissipated = now.dissipated - before->dissipated,
                           .total_dissipated = now.dissipated,
                           .total_forces = now.work,
                           .audit = audit,
                           .drift = fabs(now.error) / c->start,
                           .closed = closed,
                           .contacts = now.compressed + (int)(now.impacts - before->impacts),
                           .iterations = (int)(now.steps - before->steps),
                           .residual = now.residual,
                           .status = missed ? PC_INACCURATE : PC_SOLVED,
                           .deepest = deepest};
}

static pc_status step(pc_simulation *sim, pc_error *error)
{
  chain_run *c = sim->own;
  long number = sim->summary->steps + 1;
  double time = (double)number * sim->scene->step;
  pc_chain_account before = pc_chain_motion_account(c->motion);
  pc_error reason = {.status = PC_OK};
  pc_status status = pc_chain_motion_advance(c->motion, time, &reason);
  if (status != PC_OK)
    return pc_fail(error, status == PC_ERROR_MEMORY ? status : PC_ERROR_NUMERIC, "before %g s: %s",
                   time, reason.text);
  update_info(sim, &before, number);
  measure_now(sim->scene, c);
  return isfinite(c->info.kinetic_translation)
             ? PC_OK
             : pc_fail(error, PC_ERROR_NUMERIC,
                       "at %g s: the velocities are not finite; try a shorter step", time);
}

static const char *const parts[] = {"chain", NULL};

static size_t save(const pc_simulation *sim, int part, void *buffer)
{
  const chain_run *c = sim->own;
  size_t size = sizeof c->error;
  if (buffer != NULL)
    memcpy(buffer, &c->error, size);
  return size + pc_chain_motion_save(c->motion, buffer != NULL ? (char *)buffer + size : NULL);
}

static pc_status load(pc_simulation *sim, int part, const void *data, size_t size, pc_error *error)
{
  chain_run *c = sim->own;
  if (size < sizeof c->error)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  memcpy(&c->error, data, sizeof c->error);
  return pc_chain_motion_load(c->motion, (const char *)data + sizeof c->error,
                              size - sizeof c->error, error);
}

static pc_status describe(pc_record *record, const pc_scene *scene)
{
  const pc_chain *chain = chain_of(scene);
  int n = chain->balls, contacts = pc_chain_contacts(chain);
  int32_t walls[2] = {chain->wall_left, chain->wall_right};
  pc_arena memory = {0};
  double *radius = pc_arena_take(&memory, (size_t)n, sizeof *radius);
  double *centre = pc_arena_take(&memory, (size_t)n, sizeof *centre);
  double *stiffness = pc_arena_take(&memory, (size_t)contacts, sizeof *stiffness);
  double *restitution = pc_arena_take(&memory, (size_t)contacts, sizeof *restitution);
  double *gap = pc_arena_take(&memory, (size_t)contacts, sizeof *gap);
  int32_t *index = pc_arena_take(&memory, (size_t)n, sizeof *index);
  const pc_record_item items[] = {
      {"chain/walls", PC_RECORD_INT, 2, 1, walls, "1: a wall at the left, at the right", NULL},
      {"chain/exponent", PC_RECORD_DOUBLE, 1, 1, &chain->exponent, "eta of the force K delta^eta",
       NULL},
      {"balls/mass", PC_RECORD_DOUBLE, n, 1, chain->mass, "masses", "kg"},
      {"balls/radius", PC_RECORD_DOUBLE, n, 1, radius,
       scene->chain->radius != NULL
           ? "radii"
           : "radii for drawing, since none were given: equal density, 1 cm for the heaviest ball",
       "m"},
      {"balls/start", PC_RECORD_DOUBLE, n, 1, centre, "centres at the start", "m"},
      {"balls/index", PC_RECORD_INT, n, 1, index, "0, 1, ...", NULL},
      {"links/stiffness", PC_RECORD_DOUBLE, contacts, 1, stiffness,
       "K of the contacts, walls included, from the left", "N/m^eta"},
      {"links/restitution", PC_RECORD_DOUBLE, contacts, 1, restitution,
       "restitution of the contacts", NULL},
      {"links/gap", PC_RECORD_DOUBLE, contacts, 1, gap, "gaps at the start", "m"},
  };
  pc_status status = PC_ERROR_MEMORY;
  if (!memory.failed) {
    place_balls(scene, radius, centre);
    for (int i = 0; i < n; i++)
      index[i] = i;
    for (int i = 0; i < contacts; i++) {
      stiffness[i] = chain->contact[i].stiffness;
      restitution[i] = chain->contact[i].restitution;
      gap[i] = chain->contact[i].gap;
    }
    status = pc_record_text(record, "chain/law", pc_chain_law_name(scene->chain->law.kind));
  }
  if (status == PC_OK)
    status = pc_record_put_all(record, PC_COUNT(items), items);
  pc_arena_free(&memory);
  return status;
}

// The sample's arrays stay where they are.
static pc_status declare(pc_simulation *sim)
{
  chain_run *c = sim->own;
  int n = chain_of(sim->scene)->balls, contacts = pc_chain_contacts(chain_of(sim->scene));
  pc_chain_sample now = pc_chain_motion_sample(c->motion);
  const pc_record_item frames[] = {
      {"frames/position", PC_RECORD_DOUBLE, n, 3, c->line, "of the centres", "m"},
      {"frames/velocity", PC_RECORD_DOUBLE, n, 1, now.velocity, "along the chain", "m/s"},
      {"frames/compression", PC_RECORD_DOUBLE, contacts, 1, now.compression,
       "of the contacts; negative: a gap", "m"},
      {"frames/force", PC_RECORD_DOUBLE, contacts, 1, now.force,
       "of the contacts; 0 with laws that act in an instant", "N"},
      {"frames/percussion", PC_RECORD_DOUBLE, contacts, 1, now.percussion,
       "of the contacts since the start", "N s"},
  };
  const pc_record_item steps[] = {
      {"steps/ker", PC_RECORD_DOUBLE, 1, 1, &c->ker, "kinetic energy over that at the start", NULL},
      {"steps/cke", PC_RECORD_DOUBLE, 1, 1, &c->cke, "dispersion C_KE of the kinetic energy", NULL},
  };
  pc_record_declare(sim->record, PC_RECORD_FRAMES, PC_COUNT(frames), frames);
  return pc_record_declare(sim->record, PC_RECORD_STEPS, PC_COUNT(steps), steps);
}

static pc_status frame(pc_simulation *sim)
{
  chain_run *c = sim->own;
  pc_chain_sample sample = pc_chain_motion_sample(c->motion); // updates the other arrays too
  for (int i = 0; i < chain_of(sim->scene)->balls; i++)
    c->line[3 * i] = c->centre[i] + sample.position[i];
  return PC_OK;
}

static void columns(const pc_simulation *sim, pc_columns *columns)
{
  const chain_run *c = sim->own;
  pc_columns_add(columns, PC_RECORD_DOUBLE, &c->ker, NULL, "ker");
  pc_columns_add(columns, PC_RECORD_DOUBLE, &c->cke, NULL, "cke");
}

static void describe_xdmf(const pc_simulation *sim, pc_xdmf *xdmf)
{
  xdmf->points = chain_of(sim->scene)->balls;
  xdmf->position = (pc_xdmf_array){"position", "frames/position", PC_RECORD_DOUBLE, 3, false};
  xdmf->index = "balls/index";
  xdmf->attribute_count = 3;
  xdmf->attributes[0] = (pc_xdmf_array){"velocity", "frames/velocity", PC_RECORD_DOUBLE, 1, false};
  xdmf->attributes[1] = (pc_xdmf_array){"mass", "balls/mass", PC_RECORD_DOUBLE, 1, true};
  xdmf->attributes[2] = (pc_xdmf_array){"radius", "balls/radius", PC_RECORD_DOUBLE, 1, true};
}

static pc_status finish(pc_simulation *sim, bool fine, pc_error *error)
{
  chain_run *c = sim->own;
  const pc_scene *scene = sim->scene;
  const pc_chain *chain = chain_of(scene);
  pc_chain_summary *s = &sim->summary->chain;
  if (!fine)
    return PC_OK;
  pc_chain_sample sample = pc_chain_motion_sample(c->motion);
  size_t n = (size_t)chain->balls;
  s->impacts = pc_chain_motion_account(c->motion).impacts;
  pc_status status = pc_chain_measure_outcome(chain, sample.velocity, sample.percussion,
                                              sample.compression, 1e-7, &s->measures, error);
  if (status != PC_OK || !scene->chain->bounds || !pc_chain_has_bounds(chain))
    return status;
  double ker = fmax(s->measures.ker, s->measures.ker_min);
  status =
      pc_chain_bound(n, chain->mass, chain->velocity, ker, NULL, &s->bounds, NULL, NULL, error);
  s->bounded = status == PC_OK;
  return status;
}

static pc_status measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantities *q,
                         pc_error *error)
{
  const pc_chain_summary *s = &summary->chain;
  const pc_chain_measures *m = &s->measures;
  const pc_quantity all[] = {
      {.name = "ker", .value = m->ker, .shown = PC_SHOW_MEAN},
      {.name = "ker_min", .value = m->ker_min},
      {.name = "cke", .value = m->cke, .shown = PC_SHOW_MEAN},
      {.name = "momentum_before", .unit = "N s", .value = m->momentum_before},
      {.name = "momentum_after", .unit = "N s", .value = m->momentum_after},
      {.name = "pattern", .value = m->pattern, .whole = true},
      {.name = "rebounds", .value = m->rebounds, .whole = true},
      {.name = "impacts", .value = (double)s->impacts, .whole = true},
      {.name = "kinematic", .value = m->kinematic, .whole = true},
      {.name = "kinetic_consistency", .value = m->kinetic, .whole = true},
      {.name = "energetic", .value = m->energetic, .whole = true},
  };
  const pc_quantity bounds[] = {
      {.name = "cke_min", .value = s->bounds.min.found, .shown = PC_SHOW_MEAN},
      {.name = "cke_max", .value = s->bounds.max.found, .shown = PC_SHOW_MEAN},
      {.name = "cke_min_gap", .value = s->bounds.min.gap},
      {.name = "cke_max_gap", .value = s->bounds.max.gap},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
  if (s->bounded)
    pc_quantities_add_all(q, PC_COUNT(bounds), bounds, PC_OF_RUN, "");
  return PC_OK;
}

const pc_simulation_kind pc_chain_simulation = {
    .name = "chain",
    .parts = parts,
    .begin = begin,
    .free = free_own,
    .step = step,
    .info = info,
    .save = save,
    .load = load,
    .describe = describe,
    .declare = declare,
    .frame = frame,
    .columns = columns,
    .xdmf = describe_xdmf,
    .finish = finish,
    .measure = measure,
};
