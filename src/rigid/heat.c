// Heat of bodies: the definition, capacities and temperatures.
#include "rigid/heat.h"

#include <math.h>
#include <stdlib.h>

#include "core/elementary.h"
#include "percuss/shape.h"

static bool is_zero_or_more(double x)
{
  return x >= 0 && isfinite(x);
}

const char *pc_heat_store_check(const pc_heat_def *def)
{
  if (!pc_is_above_zero(def->specific))
    return "a heat capacity must be positive and finite";
  if (!pc_is_above_zero(def->temperature) || !pc_is_above_zero(def->outside) ||
      !pc_is_above_zero(def->obstacle_temperature))
    return "temperatures must be positive and finite (unit: K)";
  if (!is_zero_or_more(def->conductance) || !is_zero_or_more(def->exchange))
    return "a conductance and an exchange of heat must be finite and not negative";
  return NULL;
}

pc_heat_store *pc_heat_store_create(const pc_heat_def *def)
{
  pc_heat_store *heat = calloc(1, sizeof *heat);
  if (heat != NULL)
    heat->def = *def;
  return heat;
}

void pc_heat_store_free(pc_heat_store *heat)
{
  if (heat == NULL)
    return;
  pc_array_free(&heat->specific);
  pc_array_free(&heat->body);
  pc_array_free(&heat->taken);
  free(heat);
}

// C ln(T / T_start): nothing else of the entropy changes.
double pc_body_entropy(const pc_body_heat *body)
{
  return body->inverse > 0 ? pc_log1p(body->heat * body->inverse / body->start) / body->inverse : 0;
}

// Capacity and exchange of a body, unless it has its own. Bodies without mass are obstacles.
static void describe(pc_heat_store *heat, const pc_body_store *bodies, int i)
{
  const pc_solid *solid = &bodies->solid.at[i];
  pc_body_heat *body = &heat->body.at[i];
  if (solid->mass == 0) {
    body->inverse = body->exchange = 0;
    return;
  }
  double specific = solid->material < heat->specific.count ? heat->specific.at[solid->material] : 0;
  if (!body->own_capacity)
    body->inverse = 1 / (solid->mass * (specific > 0 ? specific : heat->def.specific));
  if (!body->own_exchange)
    body->exchange = heat->def.exchange > 0 ? heat->def.exchange * pc_shape_area(solid->shape) : 0;
}

bool pc_heat_store_reserve(pc_heat_store *heat, const pc_body_store *bodies)
{
  if (!pc_array_reserve(&heat->body, bodies->count))
    return false;
  while (heat->body.count < bodies->count) {
    int i = heat->body.count++;
    heat->body.at[i] =
        (pc_body_heat){.start = bodies->solid.at[i].mass > 0 ? heat->def.temperature
                                                             : heat->def.obstacle_temperature};
    describe(heat, bodies, i);
  }
  return true;
}

bool pc_heat_store_set_specific(pc_heat_store *heat, const pc_body_store *bodies, int materials,
                                int material, double specific)
{
  if (!pc_array_reserve(&heat->specific, materials))
    return false;
  while (heat->specific.count < materials)
    heat->specific.at[heat->specific.count++] = 0;
  heat->specific.at[material] = specific;
  for (int i = 0; i < heat->body.count; i++)
    if (bodies->solid.at[i].material == material)
      describe(heat, bodies, i);
  return true;
}

double pc_body_heat_to(pc_body_heat *body, double temperature)
{
  double joule = (temperature - body->start) / body->inverse, more = joule - body->heat;
  body->heat = joule;
  return more;
}
