#include "run/heat_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "percuss/world_heat.h"

// The fields of a step for HDF5 and CSV.
#define FIELD(field, unit, text) {"steps/" #field, offsetof(pc_step_info, field), unit, text},
static const struct heat_field {
  const char *name;
  size_t offset;
  const char *unit, *description;
} fields[PC_HEAT_FIELDS] = {PC_BALANCE_HEAT(FIELD)};
enum { BEFORE = sizeof "steps/" - 1 };

static const double *place_of(const struct heat_field *field, const pc_scene *scene)
{
  return (const double *)((const char *)pc_world_info(scene->world) + field->offset);
}

pc_status pc_heat_recorder_begin(pc_heat_recorder *heat, const pc_scene *scene)
{
  heat->on = pc_world_heat(scene->world) != NULL;
  if (heat->on)
    heat->kelvin = calloc((size_t)scene->bodies + 1, sizeof *heat->kelvin);
  return heat->on && heat->kelvin == NULL ? PC_ERROR_MEMORY : PC_OK;
}

void pc_heat_recorder_free(pc_heat_recorder *heat)
{
  free(heat->kelvin);
}

void pc_heat_recorder_declare(const pc_heat_recorder *heat, pc_record *record,
                              const pc_scene *scene)
{
  if (!heat->on)
    return;
  const pc_record_item frame = {"frames/temperature",
                                PC_RECORD_DOUBLE,
                                scene->bodies,
                                1,
                                heat->kelvin,
                                "temperatures of bodies and obstacles",
                                "K"};
  pc_record_declare(record, PC_RECORD_FRAMES, 1, &frame);
  for (const struct heat_field *one = fields; one < fields + PC_HEAT_FIELDS; one++) {
    const pc_record_item step = {one->name,        PC_RECORD_DOUBLE, 1, 1, place_of(one, scene),
                                 one->description, one->unit};
    pc_record_declare(record, PC_RECORD_STEPS, 1, &step);
  }
}

void pc_heat_recorder_frame(const pc_heat_recorder *heat, const pc_scene *scene)
{
  if (heat->on)
    pc_world_read_temperatures(scene->world, (pc_body){1}, scene->bodies, heat->kelvin);
}

void pc_heat_columns(const pc_heat_recorder *heat, const pc_scene *scene, pc_columns *columns)
{
  for (int i = 0; i < PC_HEAT_FIELDS && heat->on; i++)
    pc_columns_add(columns, PC_RECORD_DOUBLE, place_of(&fields[i], scene), fields[i].unit, "%s",
                   fields[i].name + BEFORE);
}

void pc_heat_start(const pc_scene *scene, pc_run_heat *heat)
{
  for (int i = 1; pc_world_heat(scene->world) != NULL && i <= pc_world_bodies(scene->world); i++) {
    pc_body body = {i};
    double temperature = pc_body_get_temperature(scene->world, body);
    if (isfinite(pc_body_get_capacity(scene->world, body)) && temperature > heat->hottest) {
      heat->hottest = temperature;
      heat->hottest_body = body;
    }
  }
}

void pc_heat_sum(const pc_scene *scene, pc_run_heat *heat)
{
  const pc_step_info *info = pc_world_info(scene->world);
  if (pc_world_heat(scene->world) == NULL)
    return;
  heat->on = true;
  heat->thermal = info->thermal;
  heat->outside = info->total_heat_outside;
  heat->obstacles = info->total_heat_obstacles;
  heat->entropy_produced = info->total_entropy_produced;
  heat->hottest_end = info->hottest;
  heat->coldest_end = info->coldest;
  heat->hottest_end_body = (pc_body){info->hottest_body};
  if (info->hottest > heat->hottest) {
    heat->hottest = info->hottest;
    heat->hottest_time = info->time;
    heat->hottest_body = (pc_body){info->hottest_body};
  }
}
