// Temperatures in `kind: impact` files, and what a solved problem makes of them.
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "scene/impact_file.h"

typedef struct heat_file {
  pc_heat_mode mode;
  double outside;
} heat_file;
static const pc_key heat_keys[] = {
    {PC_KEY(heat_file, mode), PC_A_WORD,
     .words = PC_WORDS({"closed", PC_HEAT_CLOSED}, {"adiabatic", PC_HEAT_ADIABATIC},
                       {"isentropic", PC_HEAT_ISENTROPIC}, {"linear", PC_HEAT_LINEAR},
                       {"small", PC_HEAT_SMALL}),
     .noun = "mode of heat", .otherwise = "closed",
     .meaning = "`closed`: nothing enters from outside; `adiabatic`: no heat enters; `isentropic`: "
                "no entropy enters; `linear`, `small`: for small changes (docs/heat.md)"},
    {PC_KEY(heat_file, outside), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "obstacles take no heat: bodies receive all of it",
     .meaning = "constant temperature of obstacles"},
    {0}};
const pc_mapping pc_table_impact_heat = {
    "impact_heat", "'heat'",
    "Temperatures of bodies. The energy that interactions dissipate heats the bodies.",
    .keys = {heat_keys}};

void pc_read_impact_heat(pc_node heat, int bodies, pc_scene_impact *out)
{
  heat_file file = {.outside = 0};
  if (!pc_is_present(heat)) {
    free(out->heat);
    free(out->exchange);
    out->heat = NULL;
    out->exchange = NULL;
    return;
  }
  if (!pc_bind(&heat, &pc_table_impact_heat, &file))
    return;
  out->heat_mode = file.mode;
  out->outside = file.outside > 0;
  if (out->outside) // after the bodies
    out->heat[bodies] = (pc_heat_body){.temperature = file.outside, .capacity = INFINITY};
}

void pc_read_impact_body_heat(pc_node body, const char *id, const pc_node given[2], int index,
                              pc_scene_impact *out)
{
  double value[2] = {0};
  for (int i = 0; i < 2; i++) {
    const char *name = given[i].key->name;
    if (pc_is_present(given[i]) && out->heat == NULL)
      pc_complain(given[i], "the %s of a body requires 'heat' in the file", name);
    else if (!pc_is_present(given[i]) && out->heat != NULL)
      pc_complain(body, "body '%s' needs the key '%s', because the file has 'heat'", id, name);
    else
      value[i] = pc_read_number(given[i]);
  }
  if (out->heat != NULL)
    out->heat[index] = (pc_heat_body){.temperature = value[0], .capacity = value[1]};
}

void pc_read_impact_exchange(pc_node exchange, int index, pc_scene_impact *out)
{
  double value = pc_read_number(exchange);
  if (value == 0)
    return;
  if (out->heat == NULL)
    pc_complain(exchange, "the 'exchange' of an interaction requires 'heat' in the file");
  else if (out->pairs[index][1] < 0 && !out->outside)
    pc_complain(
        exchange,
        "'exchange' with an obstacle requires 'outside', the temperature of obstacles, in 'heat'");
  else
    out->exchange[index] = value;
}

pc_status pc_scene_impact_heat(const pc_scene_impact *scene, pc_heat_result *after,
                               pc_heat_info *info, pc_error *error)
{
  if (scene == NULL || after == NULL)
    return pc_fail_null(error, "the problem and the result");
  if (scene->heat == NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the file has no 'heat'");
  int count = pc_impact_interactions(scene->problem);
  pc_heat *heat = pc_heat_create();
  pc_heat_interaction *interaction = calloc((size_t)count + 1, sizeof *interaction);
  pc_status status = PC_ERROR_MEMORY;
  if (heat == NULL || interaction == NULL) {
    pc_fail(error, status, "out of memory");
  } else {
    for (int k = 0; k < count; k++) {
      pc_interaction_answer answer;
      pc_impact_answer(scene->problem, k, &answer);
      int other = scene->pairs[k][1];
      if (other < 0)
        other = scene->outside ? scene->bodies : PC_HEAT_NOBODY;
      interaction[k] =
          (pc_heat_interaction){{scene->pairs[k][0], other}, answer.dissipated, scene->exchange[k]};
    }
    status = pc_heat_solve(heat, scene->heat_mode, scene->bodies + scene->outside, scene->heat,
                           count, interaction, after, info, error);
  }
  free(interaction);
  pc_heat_destroy(heat);
  return status;
}
