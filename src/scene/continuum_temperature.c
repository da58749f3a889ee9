// What the collision of a `kind: continuum` file makes of temperatures and phases: the energy that
// it dissipated is the heat of a thermal problem (book, 7.6.3 and 10.8).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/parts.h"
#include "core/error.h"
#include "scene/continuum_solve.h"

void pc_continuum_answer_free(pc_continuum_answer *answer)
{
  if (answer == NULL)
    return;
  if (answer->memory != NULL)
    pc_arena_free(answer->memory);
  free(answer->memory);
  *answer = (pc_continuum_answer){0};
}

// Heat at each node: in the volume, and on the sides of thermal contacts, one after the other. What
// is dissipated where there are no temperatures is left out.
static pc_status find_heat(const pc_continuum *c, const pc_fe_collision *collision,
                           const pc_fe_answer *solved, pc_arena *memory, double **volume,
                           double **surface, pc_error *error)
{
  size_t nodes = (size_t)c->mesh.nodes, contacts = (size_t)c->thermal.contacts;
  *volume = pc_arena_take(memory, nodes + 1, sizeof **volume);
  *surface = pc_arena_take(memory, contacts * nodes + 1, sizeof **surface);
  double *touch = pc_arena_take(memory, (size_t)solved->touches + 1, sizeof *touch);
  if (memory->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pc_fe_collision_heat(collision, *volume, touch, error);
  for (int i = 0; i < solved->touches && status == PC_OK; i++) {
    int contact = c->thermal_contact[solved->touch[i].contact];
    if (contact >= 0)
      (*surface)[(size_t)contact * nodes + (size_t)solved->touch[i].node] += touch[i];
  }
  for (size_t i = 0; i < nodes && status == PC_OK; i++)
    if (isnan(c->temperature[i]))
      (*volume)[i] = 0;
  return status;
}

// The volume of a medium that its nodes have in fields that are lumped.
static void share_volume(const pc_fe_mesh *mesh, int group, double *share)
{
  memset(share, 0, (size_t)mesh->nodes * sizeof *share);
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    if (cell->group != group)
      continue;
    const pc_fe_cut *cut = pc_fe_cut_of(cell->type);
    for (int p = 0; p < cut->parts; p++) {
      double slope[3][2], size = pc_fe_part_size(mesh, i, p, slope);
      for (int k = 0; k < cut->corners; k++)
        share[mesh->body.node[cell->first + cut->node[p][k]]] += size / cut->corners;
    }
  }
}

static const pc_fe_thermal_medium *thermal_of(const pc_continuum *c, int medium)
{
  for (int i = 0; i < c->thermal.media; i++)
    if (c->thermal.medium[i].group == c->def.medium[medium].group)
      return &c->thermal.medium[i];
  return NULL;
}

static void forget_heat(pc_continuum_medium *m)
{
  m->heated = false;
  m->fractions = 0;
  m->temperature_before = m->temperature_low = m->temperature_mean = m->temperature_high = NAN;
  for (int k = 0; k < PC_FE_FRACTIONS; k++)
    m->fraction_before[k] = m->fraction_low[k] = m->fraction_mean[k] = m->fraction_high[k] = NAN;
  m->changed = NAN;
}

// Means are over the volumes that a lumped field has at the nodes of the medium.
static void measure_medium(const pc_continuum *c, int number, const pc_fe_thermal_state *after,
                           double *share, pc_continuum_medium *m)
{
  const pc_fe_thermal_medium *def = thermal_of(c, number);
  forget_heat(m);
  if (def == NULL)
    return;
  m->heated = true;
  m->fractions = def->phases == PC_FE_ONE_PHASE ? 0 : def->phases == PC_FE_LIQUID ? 1 : 3;
  share_volume(&c->mesh, def->group, share);
  double volume = 0, temperature = 0, fraction[PC_FE_FRACTIONS] = {0}, changed = 0;
  int made = m->fractions == 3 ? 2 : 0; // liquid, or austenite
  for (int i = 0; i < c->mesh.nodes; i++) {
    if (!(share[i] > 0))
      continue;
    volume += share[i];
    temperature += share[i] * after->temperature[i];
    m->temperature_before = c->temperature[i];
    m->temperature_low = fmin(m->temperature_low, after->temperature[i]);
    m->temperature_high = fmax(m->temperature_high, after->temperature[i]);
    for (int k = 0; k < m->fractions; k++) {
      double b = after->fraction[i][k];
      fraction[k] += share[i] * b;
      m->fraction_before[k] = c->fraction[i][k];
      m->fraction_low[k] = fmin(m->fraction_low[k], b);
      m->fraction_high[k] = fmax(m->fraction_high[k], b);
    }
    changed += share[i] * (after->fraction[i][made] - c->fraction[i][made]);
  }
  m->temperature_mean = temperature / volume;
  for (int k = 0; k < m->fractions; k++)
    m->fraction_mean[k] = fraction[k] / volume;
  if (m->fractions > 0)
    m->changed = changed;
}

static void copy_balance(const pc_fe_thermal_answer *solved, pc_continuum_heat *heat)
{
  const pc_fe_thermal_account *a = &solved->account;
  *heat = (pc_continuum_heat){.energy_before = a->energy_before,
                              .energy_after = a->energy_after,
                              .volume = a->heat,
                              .surface = a->surface,
                              .work = a->drive,
                              .received = a->received,
                              .entropy_before = a->entropy_before,
                              .entropy_after = a->entropy_after,
                              .entropy_received = a->entropy_received,
                              .entropy_adiabatic = a->entropy_adiabatic,
                              .produced = a->produced,
                              .identity = a->energy_error,
                              .iterations = solved->iterations,
                              .residual = solved->residual,
                              .solved = solved->solved,
                              .closed = a->closed};
}

static pc_status keep_answer(const pc_continuum *c, const pc_fe_thermal_answer *solved,
                             pc_continuum_medium *medium, pc_arena *memory,
                             pc_continuum_answer *answer, pc_error *error)
{
  size_t nodes = (size_t)c->mesh.nodes + 1;
  double *temperature = pc_arena_take(memory, nodes, sizeof *temperature);
  double(*fraction)[PC_FE_FRACTIONS] = pc_arena_take(memory, nodes, sizeof *fraction);
  double *share = pc_arena_take(memory, nodes, sizeof *share);
  if (memory->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < c->mesh.nodes; i++) {
    temperature[i] = isnan(c->temperature[i]) ? NAN : solved->after.temperature[i];
    memcpy(fraction[i], solved->after.fraction[i], sizeof fraction[i]);
  }
  for (int i = 0; i < c->def.media; i++)
    measure_medium(c, i, &solved->after, share, &medium[i]);
  answer->heated = true;
  answer->temperature = temperature;
  answer->fraction = (const double(*)[PC_FE_FRACTIONS])fraction;
  copy_balance(solved, &answer->heat);
  answer->solved = answer->solved && solved->solved;
  answer->closed = answer->closed && solved->account.closed;
  return PC_OK;
}

static pc_status solve_thermal(const pc_continuum *c, const pc_fe_thermal_data *data,
                               pc_continuum_medium *medium, pc_arena *memory,
                               pc_continuum_answer *answer, pc_error *error)
{
  pc_fe_thermal *thermal = pc_fe_thermal_create(&c->thermal, error);
  if (thermal == NULL)
    return error->status;
  pc_fe_thermal_state before = {c->temperature, c->fraction};
  pc_fe_thermal_answer warmed;
  pc_status status = pc_fe_thermal_solve(thermal, &before, data, &warmed, error);
  if (status == PC_OK)
    status = keep_answer(c, &warmed, medium, memory, answer, error);
  pc_fe_thermal_destroy(thermal);
  return status;
}

pc_status pc_continuum_solve_heat(const pc_continuum *c, const pc_fe_collision *collision,
                                  const pc_fe_answer *solved, pc_continuum_medium *medium,
                                  pc_arena *memory, pc_continuum_answer *answer, pc_error *error)
{
  double *volume, *surface;
  if (c->thermal.media == 0) {
    for (int i = 0; i < c->def.media; i++)
      forget_heat(&medium[i]);
    return PC_OK;
  }
  pc_status status = find_heat(c, collision, solved, memory, &volume, &surface, error);
  if (status != PC_OK)
    return status;
  pc_fe_thermal_data data = {.heat = volume, .surface = surface};
  return solve_thermal(c, &data, medium, memory, answer, error);
}

// Heat of the contacts of the file, by the numbers of the thermal contacts.
static double *sort_contacts(const pc_continuum *c, const double *heat, pc_arena *memory)
{
  size_t nodes = (size_t)c->mesh.nodes;
  double *sorted = pc_arena_take(memory, (size_t)c->thermal.contacts * nodes + 1, sizeof *sorted);
  for (int i = 0; i < c->def.contacts && sorted != NULL; i++)
    if (c->thermal_contact[i] >= 0)
      memcpy(sorted + (size_t)c->thermal_contact[i] * nodes, heat + (size_t)i * nodes,
             nodes * sizeof *sorted);
  return sorted;
}

pc_status pc_continuum_warm(const pc_continuum *continuum, const double *heat,
                            const double *contact_heat, pc_continuum_answer *answer,
                            pc_error *error)
{
  if (continuum == NULL || answer == NULL)
    return pc_fail_null(error, "the continuum and the answer");
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  *answer = (pc_continuum_answer){0};
  if (continuum->thermal.media == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "no medium has temperatures");
  pc_arena *memory = calloc(1, sizeof *memory);
  if (memory == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_continuum_medium *medium =
      pc_arena_take(memory, (size_t)continuum->def.media + 1, sizeof *medium);
  pc_fe_thermal_data data = {.heat = heat};
  if (contact_heat != NULL)
    data.surface = sort_contacts(continuum, contact_heat, memory);
  *answer = (pc_continuum_answer){.dimension = continuum->mesh.dimension,
                                  .nodes = continuum->mesh.nodes,
                                  .media = continuum->def.media,
                                  .medium = medium,
                                  .solved = true,
                                  .closed = true,
                                  .memory = memory};
  pc_status status = memory->failed
                         ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                         : solve_thermal(continuum, &data, medium, memory, answer, error);
  for (int i = 0; status == PC_OK && i < continuum->def.media; i++)
    medium[i].name = continuum->medium_name[i];
  if (status != PC_OK)
    pc_continuum_answer_free(answer);
  return status;
}
