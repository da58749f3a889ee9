// Heat in a world: what bodies have of it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "rigid/warmth.h"

pc_heat_def pc_heat_def_default(void)
{
  return (pc_heat_def){
      .specific = 800, .temperature = 293.15, .outside = 293.15, .obstacle_temperature = 293.15};
}

static bool is_above_zero(double x)
{
  return x > 0 && isfinite(x);
}

static bool is_zero_or_more(double x)
{
  return x >= 0 && isfinite(x);
}

static const char *wrong_heat(const pc_heat_def *def)
{
  if (!is_above_zero(def->specific))
    return "a heat capacity must be positive and finite";
  if (!is_above_zero(def->temperature) || !is_above_zero(def->outside) ||
      !is_above_zero(def->obstacle_temperature))
    return "temperatures are in kelvin: positive and finite";
  if (!is_zero_or_more(def->conductance) || !is_zero_or_more(def->exchange))
    return "a conductance and an exchange of heat must be finite and not negative";
  return NULL;
}

void pc_warmth_free(pc_world *world)
{
  if (world->heat == NULL)
    return;
  free(world->heat->specific);
  free(world->heat->body);
  free(world->heat->taken);
  free(world->heat);
  world->heat = NULL;
}

// Capacity and exchange of a body, unless it has its own. Bodies without mass are obstacles.
static void describe(const pc_world *world, int i)
{
  const struct pc_warmth *heat = world->heat;
  const pc_solid *body = &world->bodies.solid.at[i];
  pc_warm *warm = &heat->body[i];
  if (body->mass == 0) {
    warm->inverse = warm->exchange = 0;
    return;
  }
  double specific = body->material < heat->specifics ? heat->specific[body->material] : 0;
  if (!warm->own_capacity)
    warm->inverse = 1 / (body->mass * (specific > 0 ? specific : heat->def.specific));
  if (!warm->own_exchange)
    warm->exchange = heat->def.exchange > 0 ? heat->def.exchange * pc_shape_area(body->shape) : 0;
}

// Bodies that are new are at the end of the lists.
pc_status pc_warmth_prepare(pc_world *world)
{
  struct pc_warmth *heat = world->heat;
  if (heat == NULL || heat->bodies == world->bodies.count)
    return PC_OK;
  if (!pc_grow(&heat->body, &heat->body_room, world->bodies.count, sizeof *heat->body))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (; heat->bodies < world->bodies.count; heat->bodies++) {
    int i = heat->bodies;
    memset(&heat->body[i], 0, sizeof *heat->body);
    heat->body[i].start =
        world->bodies.solid.at[i].mass > 0 ? heat->def.temperature : heat->def.obstacle_temperature;
    describe(world, i);
  }
  return PC_OK;
}

pc_status pc_world_set_heat(pc_world *world, const pc_heat_def *def)
{
  const char *wrong = def != NULL ? wrong_heat(def) : NULL;
  if (wrong != NULL)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "%s", wrong);
  pc_warmth_free(world);
  world->balance.accounted = false;
  world->info.thermal = world->info.entropy = world->info.hottest = world->info.coldest = 0;
  world->info.heat_outside = world->info.heat_obstacles = world->info.entropy_produced = 0;
  world->info.hottest_body = 0;
  if (def == NULL)
    return PC_OK;
  world->heat = calloc(1, sizeof *world->heat);
  if (world->heat == NULL)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->heat->def = *def;
  return pc_warmth_prepare(world);
}

const pc_heat_def *pc_world_heat(const pc_world *world)
{
  return world->heat != NULL ? &world->heat->def : NULL;
}

// Whether there is heat, and this body.
static pc_status check_body(pc_world *world, pc_body body)
{
  if (world->heat == NULL)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "this world has no heat");
  if (body.id < 1 || body.id > world->bodies.count)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "there is no body %d", body.id);
  return PC_OK;
}

static bool has_begun(const pc_world *world)
{
  return world->clock.step > 0 || world->balance.accounted;
}

pc_status pc_world_set_specific_heat(pc_world *world, int material, double specific)
{
  struct pc_warmth *heat = world->heat;
  if (heat == NULL)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "this world has no heat");
  if (material < 0 || material >= world->materials.density.count)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "no such material");
  if (!is_above_zero(specific) || has_begun(world))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT,
                   "a specific heat is positive and finite and set before the first step");
  if (!pc_grow(&heat->specific, &heat->specific_room, world->materials.density.count,
               sizeof(double)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (; heat->specifics < world->materials.density.count; heat->specifics++)
    heat->specific[heat->specifics] = 0;
  heat->specific[material] = specific;
  for (int i = 0; i < heat->bodies; i++)
    if (world->bodies.solid.at[i].material == material)
      describe(world, i);
  return PC_OK;
}

pc_status pc_body_set_capacity(pc_world *world, pc_body body, double capacity)
{
  pc_status status = check_body(world, body);
  if (status != PC_OK)
    return status;
  int i = pc_body_slot(world, body);
  if (!is_above_zero(capacity) || world->bodies.solid.at[i].mass == 0 ||
      world->heat->body[i].heat != 0)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT,
                   "a heat capacity is positive and finite, of a body that is no obstacle, and set "
                   "before the first step");
  world->heat->body[i].own_capacity = true;
  world->heat->body[i].inverse = 1 / capacity;
  return PC_OK;
}

pc_status pc_body_set_exchange(pc_world *world, pc_body body, double exchange)
{
  pc_status status = check_body(world, body);
  if (status != PC_OK)
    return status;
  int i = pc_body_slot(world, body);
  if (!is_zero_or_more(exchange) || world->bodies.solid.at[i].mass == 0)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT,
                   "an exchange of heat is finite and not negative, of a body that is no obstacle");
  world->heat->body[i].own_exchange = true;
  world->heat->body[i].exchange = exchange;
  return PC_OK;
}

pc_status pc_body_set_temperature(pc_world *world, pc_body body, double temperature)
{
  pc_status status = check_body(world, body);
  if (status != PC_OK)
    return status;
  if (!is_above_zero(temperature))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT,
                   "temperatures are in kelvin: positive and finite");
  int i = pc_body_slot(world, body);
  pc_warm *warm = &world->heat->body[i];
  if (!has_begun(world) || warm->inverse == 0) {
    warm->start = temperature;
    return PC_OK;
  }
  double heat = (temperature - warm->start) / warm->inverse, more = heat - warm->heat;
  if (!world->bodies.solid.at[i].absent) {
    world->balance.given += more;
    world->info.entropy -= pc_warmth_entropy(warm);
  }
  warm->heat = heat;
  if (!world->bodies.solid.at[i].absent)
    world->info.entropy += pc_warmth_entropy(warm);
  return PC_OK;
}

static const pc_warm *find(const pc_world *world, pc_body body)
{
  return world->heat != NULL ? &world->heat->body[pc_body_slot(world, body)] : NULL;
}

double pc_body_get_temperature(const pc_world *world, pc_body body)
{
  const pc_warm *warm = find(world, body);
  return warm != NULL ? pc_warm_temperature(warm) : NAN;
}

double pc_body_get_capacity(const pc_world *world, pc_body body)
{
  const pc_warm *warm = find(world, body);
  return warm == NULL ? NAN : warm->inverse > 0 ? 1 / warm->inverse : INFINITY;
}

double pc_body_get_heat(const pc_world *world, pc_body body)
{
  const pc_warm *warm = find(world, body);
  return warm != NULL ? warm->heat : NAN;
}

void pc_world_read_temperatures(const pc_world *world, pc_body first, int count,
                                double *temperature)
{
  for (int k = 0; k < count; k++)
    temperature[k] = pc_body_get_temperature(world, (pc_body){first.id + k});
}
