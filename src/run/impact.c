// One collision as a run of one step, for sweeps. It has no record: `percuss solve` shows a single
// one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "run/simulation.h"

typedef struct impact_run {
  pc_step_info info;
} impact_run;

static pc_status begin(pc_simulation *sim, pc_error *error)
{
  if (sim->options->output != NULL)
    return pc_fail(
        error, PC_ERROR_ARGUMENT,
        "a single collision has no record; use 'percuss solve', or add 'sweep' to the file");
  sim->own = calloc(1, sizeof(impact_run));
  sim->summary->bodies = sim->scene->impact->bodies;
  return sim->own != NULL ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

static void free_own(pc_simulation *sim)
{
  free(sim->own);
}

// The balance of the collision in the terms of that of a step.
static pc_status step(pc_simulation *sim, pc_error *error)
{
  impact_run *r = sim->own;
  const pc_scene_impact *impact = sim->scene->impact;
  pc_solve_options options = pc_solve_options_default();
  options.quasi_static = impact->quasi_static;
  options.threads = sim->options->threads;
  pc_solve_info info;
  if (pc_impact_solve(impact->problem, &options, &info) != PC_OK)
    return pc_fail(error, PC_ERROR_NUMERIC, "%s", pc_impact_error(impact->problem));
  const pc_audit *a = &info.audit;
  r->info = (pc_step_info){.step = sim->summary->steps + 1,
                           .kinetic_translation = a->kinetic_after,
                           .kinetic_start = a->kinetic_before,
                           .work_forces = a->work_external,
                           .work_prescribed = a->work_prescribed,
                           .dissipated = a->dissipated,
                           .total_forces = a->work_external,
                           .total_prescribed = a->work_prescribed,
                           .total_dissipated = a->dissipated,
                           .audit = a->identity,
                           .drift = a->identity,
                           .closed = a->closed,
                           .contacts = pc_impact_interactions(impact->problem),
                           .iterations = info.iterations,
                           .residual = info.residual,
                           .status = info.status,
                           .solve_s = info.time_s,
                           .step_s = info.time_s};
  return PC_OK;
}

static const pc_step_info *info(const pc_simulation *sim)
{
  return &((const impact_run *)sim->own)->info;
}

static const char *const parts[] = {"velocities", NULL};

static size_t save(const pc_simulation *sim, int part, void *buffer)
{
  const pc_scene_impact *impact = sim->scene->impact;
  size_t size = 0;
  for (int i = 0; i < impact->bodies; i++) {
    double velocity[PC_MAX_DOF];
    size_t own = (size_t)pc_impact_dof(impact->problem, i) * sizeof *velocity;
    if (buffer != NULL) {
      pc_impact_velocity(impact->problem, i, velocity);
      memcpy((char *)buffer + size, velocity, own);
    }
    size += own;
  }
  return size;
}

static pc_status finish(pc_simulation *sim, bool fine, pc_error *error)
{
  return PC_OK;
}

static void add_body(pc_quantities *q, const pc_scene_impact *impact, int i)
{
  static const char *const names[PC_MAX_DOF + 1][PC_MAX_DOF] = {
      [1] = {"v"},
      [2] = {"vx", "vy"},
      [3] = {"vx", "vy", "spin"},
      [6] = {"vx", "vy", "vz", "wx", "wy", "wz"}};
  double velocity[PC_MAX_DOF];
  int dof = pc_impact_dof(impact->problem, i);
  pc_impact_velocity(impact->problem, i, velocity);
  for (int k = 0; k < dof; k++) {
    bool spin = dof == 3 ? k == 2 : k > 2;
    pc_quantity one = {.name = names[dof][k],
                       .unit = spin ? "rad/s" : "m/s",
                       .value = velocity[k],
                       .shown = PC_SHOW_MEAN};
    pc_quantities_add(q, &one, PC_OF_BODY, impact->body_ids[i]);
  }
}

// A contact by its normal and tangential parts. An impulse that pushes the bodies apart is
// positive.
static void add_contact(pc_quantities *q, const pc_scene_impact *impact, int k,
                        const pc_interaction_answer *answer)
{
  int size = answer->size > 3 ? 3 : answer->size;
  const double *n = impact->normal[k];
  double length = pc_norm(3, n), normal = 0, after = 0, tangential = 0;
  if (size == 3 && pc_impact_dof(impact->problem, impact->pairs[k][0]) < 6)
    size = 2; // the last one is the moment of rolling friction in the plane
  for (int c = 0; c < size; c++) {
    normal += answer->percussion[c] * n[c] / length;
    after += answer->after[c] * n[c] / length;
  }
  for (int c = 0; c < size; c++)
    tangential = pc_hypot(tangential, answer->percussion[c] - normal * n[c] / length);
  const pc_quantity all[] = {
      {.name = "impulse", .unit = "N s", .value = 0.0 - normal},
      {.name = "friction", .unit = "N s", .value = tangential},
      {.name = "separation", .unit = "m/s", .value = after},
      {.name = "dissipated", .unit = "J", .value = answer->dissipated},
  };
  pc_quantities_add_all(q, size > 1 ? 4 : 1, all, PC_OF_INTERACTION, impact->interaction_ids[k]);
  if (size == 1)
    pc_quantities_add_all(q, 2, all + 2, PC_OF_INTERACTION, impact->interaction_ids[k]);
}

static void add_interaction(pc_quantities *q, const pc_scene_impact *impact, int k)
{
  static const char *const spins[] = {"impulse_x", "impulse_y", "impulse_z"};
  pc_interaction_type type = pc_impact_interaction_type(impact->problem, k);
  pc_interaction_answer answer;
  pc_impact_answer(impact->problem, k, &answer);
  if (type == PC_CONTACT) {
    add_contact(q, impact, k, &answer);
    return;
  }
  for (int c = 0; c < answer.size && c < 3; c++) {
    pc_quantity one = {.name = answer.size == 1 ? "impulse" : spins[c],
                       .unit = type == PC_SPIN ? "N m s" : "kg/s",
                       .value = answer.percussion[c]};
    pc_quantities_add(q, &one, PC_OF_INTERACTION, impact->interaction_ids[k]);
  }
  pc_quantity dissipated = {.name = "dissipated", .unit = "J", .value = answer.dissipated};
  pc_quantities_add(q, &dissipated, PC_OF_INTERACTION, impact->interaction_ids[k]);
}

// The fastest velocity before, against which a contact is still closed.
static double speed_before(const pc_scene_impact *impact)
{
  double fastest = 0;
  for (int i = 0; i < impact->bodies; i++)
    for (int c = 0; c < PC_MAX_DOF; c++)
      fastest = fmax(fastest, fabs(impact->before[i][c]));
  return fastest;
}

// Which contacts are open after: the sum of 1 for the first contact of the file, 2 for the second,
// 4 for the third ...
static double find_pattern(const pc_quantities *q, double closed)
{
  double pattern = 0, bit = 1;
  for (int i = 0; i < q->list.count; i++)
    if (strcmp(q->list.at[i].name, "separation") == 0) {
      pattern += q->list.at[i].value > closed ? bit : 0;
      bit *= 2;
    }
  return bit <= 0x1p53 ? pattern : NAN; // more contacts than a number has digits
}

static pc_status add_temperatures(pc_quantities *q, const pc_scene_impact *impact, pc_error *error)
{
  pc_heat_info heat;
  pc_heat_result *after = calloc((size_t)impact->bodies + 1, sizeof *after);
  pc_status status = after != NULL ? pc_scene_impact_heat(impact, after, &heat, error)
                                   : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < impact->bodies && status == PC_OK; i++) {
    pc_quantity one = {.name = "temperature", .unit = "K", .value = after[i].temperature};
    pc_quantities_add(q, &one, PC_OF_BODY, impact->body_ids[i]);
  }
  free(after);
  return status;
}

static pc_status measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantities *q,
                         pc_error *error)
{
  const pc_scene_impact *impact = scene->impact;
  const pc_quantity all[] = {
      {.name = "kinetic_start", .unit = "J", .value = summary->kinetic_start},
      {.name = "work_forces", .unit = "J", .value = summary->work_forces},
      {.name = "work_prescribed", .unit = "J", .value = summary->work_prescribed},
      {.name = "dissipated", .unit = "J", .value = summary->dissipated, .shown = PC_SHOW_MEAN},
      {.name = "kinetic", .unit = "J", .value = summary->kinetic},
      {.name = "residual_largest", .value = summary->residual_largest},
      {.name = "audit_largest", .value = summary->audit_largest},
      {.name = "steps_inaccurate", .value = (double)summary->steps_inaccurate, .whole = true},
      {.name = "steps_open", .value = (double)summary->steps_open, .whole = true},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
  for (int i = 0; i < impact->bodies; i++)
    add_body(q, impact, i);
  for (int k = 0; k < impact->interactions; k++)
    add_interaction(q, impact, k);
  pc_quantity pattern = {
      .name = "pattern", .value = find_pattern(q, 1e-9 * speed_before(impact)), .whole = true};
  pc_quantities_add(q, &pattern, PC_OF_RUN, "");
  return impact->heat != NULL ? add_temperatures(q, impact, error) : PC_OK;
}

const pc_simulation_kind pc_impact_simulation = {
    .name = "impact",
    .parts = parts,
    .instant = true,
    .begin = begin,
    .free = free_own,
    .step = step,
    .info = info,
    .save = save,
    .finish = finish,
    .measure = measure,
};
