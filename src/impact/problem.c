// An impact problem: its memory, and what is stated of it besides bodies and interactions.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "impact/bulk.h"
#include "impact/stating.h"

pc_impact *pc_impact_create(void)
{
  return calloc(1, sizeof(pc_impact));
}

void pc_graph_forget(pc_graph *graph)
{
  for (int i = 0; i < graph->slots; i++)
    free(graph->arranged[i]);
  graph->slots = graph->ends.count = 0;
  pc_arena_reset(&graph->lists);
}

void pc_impact_destroy(pc_impact *problem)
{
  if (problem == NULL)
    return;
  pc_array_free(&problem->body);
  pc_array_free(&problem->turn);
  pc_array_free(&problem->matrix);
  pc_array_free(&problem->law);
  pc_array_free(&problem->interaction);
  pc_array_free(&problem->ends);
  pc_array_free(&problem->term);
  pc_array_free(&problem->coefficient);
  pc_array_free(&problem->mass);
  pc_array_free(&problem->response);
  pc_array_free(&problem->block);
  pc_array_free(&problem->given);
  pc_array_free(&problem->before);
  pc_array_free(&problem->percussion);
  pc_array_free(&problem->after);
  pc_array_free(&problem->force);
  pc_array_free(&problem->shaped);
  for (int i = 0; i < problem->worker.count; i++)
    pc_arena_free(&problem->worker.at[i]);
  pc_array_free(&problem->worker);
  pc_graph_forget(&problem->graph);
  pc_array_free(&problem->graph.ends);
  pc_arena_free(&problem->graph.lists);
  pc_arena_free(&problem->work);
  pc_arena_free(&problem->packed);
  free(problem);
}

void pc_impact_clear(pc_impact *problem)
{
  if (problem == NULL)
    return;
  problem->body.count = problem->interaction.count = problem->term.count =
      problem->coefficient.count = 0;
  problem->mass.count = problem->response.count = problem->block.count = problem->dofs =
      problem->rows = 0;
  problem->matrix.count = problem->law.count = problem->even = problem->opened = 0;
  problem->answered = problem->others = false;
  problem->error = (pc_error){0};
}

pc_arena *pc_impact_spare_memory(pc_impact *problem)
{
  return problem->worker.count > 0 ? &problem->worker.at[0] : &problem->work;
}

const char *pc_impact_error(const pc_impact *problem)
{
  if (problem == NULL)
    return "the impact problem must not be NULL";
  return problem->error.text;
}

pc_status pc_impact_failure(const pc_impact *problem)
{
  return problem->error.status;
}

int pc_impact_refuse(pc_impact *problem, const char *why)
{
  pc_fail(&problem->error, PC_ERROR_ARGUMENT, "%s", why);
  return -1;
}

int pc_impact_no_memory(pc_impact *problem)
{
  pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  return -1;
}

int pc_impact_bodies(const pc_impact *problem)
{
  if (problem == NULL)
    return 0;
  return problem->body.count;
}
int pc_impact_interactions(const pc_impact *problem)
{
  if (problem == NULL)
    return 0;
  return problem->interaction.count;
}
int pc_impact_dof(const pc_impact *problem, int body)
{
  if (problem == NULL || body < 0 || body >= problem->body.count)
    return 0;
  return problem->body.at[body].dof;
}

pc_interaction_type pc_impact_interaction_type(const pc_impact *problem, int interaction)
{
  if (!pc_impact_has(problem, interaction))
    return PC_CONTACT;
  return problem->interaction.at[interaction].type;
}

static pc_status set_numbers(pc_impact *problem, double *vector, int body, const double *values)
{
  if (body < 0 || body >= problem->body.count)
    return pc_impact_refuse(problem, "unknown body"), PC_ERROR_ARGUMENT;
  if (values == NULL)
    return pc_fail_null(&problem->error, "velocity and percussion");
  const pc_body_data *data = &problem->body.at[body];
  if (!pc_all_finite(data->dof, values))
    return pc_impact_refuse(problem, "velocity and percussion (external impulse) must be finite"),
           PC_ERROR_ARGUMENT;
  memcpy(vector + data->start, values, sizeof(double) * (size_t)data->dof);
  problem->paired = 0;
  return PC_OK;
}

pc_status pc_impact_set_velocity(pc_impact *problem, int body, const double *velocity)
{
  if (problem == NULL)
    return PC_ERROR_ARGUMENT;
  return set_numbers(problem, problem->before.at, body, velocity);
}

pc_status pc_impact_set_percussion(pc_impact *problem, int body, const double *percussion)
{
  if (problem == NULL)
    return PC_ERROR_ARGUMENT;
  return set_numbers(problem, problem->percussion.at, body, percussion);
}

static pc_status add_coupling(pc_impact *problem, pc_coupling_array *list, int i, int j,
                              int numbers, const double *block)
{
  if (block == NULL)
    return pc_fail_null(&problem->error, "the coupling block");
  if (!pc_all_finite(numbers, block))
    return pc_impact_refuse(problem, "a coupling block must be finite"), PC_ERROR_ARGUMENT;
  int at = problem->block.count;
  if (numbers > INT_MAX - at || !pc_array_reserve(&problem->block, at + numbers) ||
      !pc_array_reserve(list, list->count + 1))
    return pc_impact_no_memory(problem), PC_ERROR_MEMORY;
  list->at[list->count++] = (pc_coupling){i, j, at};
  memcpy(problem->block.at + at, block, sizeof(double) * (size_t)numbers);
  problem->block.count += numbers;
  problem->answered = false;
  return PC_OK;
}

pc_status pc_impact_couple_mass(pc_impact *problem, int i, int j, const double *block)
{
  if (problem == NULL)
    return PC_ERROR_ARGUMENT;
  if (i < 0 || j < 0 || i >= problem->body.count || j >= problem->body.count || i == j)
    return pc_impact_refuse(problem, "a coupling block needs two different bodies"),
           PC_ERROR_ARGUMENT;
  return add_coupling(problem, &problem->mass, i, j,
                      problem->body.at[i].dof * problem->body.at[j].dof, block);
}

pc_status pc_impact_couple_response(pc_impact *problem, int k, int l, const double *block)
{
  if (problem == NULL)
    return PC_ERROR_ARGUMENT;
  if (k < 0 || l < 0 || k >= problem->interaction.count || l >= problem->interaction.count)
    return pc_impact_refuse(problem, "unknown interaction"), PC_ERROR_ARGUMENT;
  pc_interaction_data *a = &problem->interaction.at[k], *b = &problem->interaction.at[l];
  if (a->terms > 0 || b->terms > 0)
    return pc_impact_refuse(problem, "a response needs interactions without bodies"),
           PC_ERROR_ARGUMENT;
  return add_coupling(problem, &problem->response, k, l, a->rows * b->rows, block);
}
