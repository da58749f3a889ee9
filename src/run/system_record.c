#include "run/system_record.h"

#include <string.h>

static const pc_record_item columns[] = {
    {"bodies", PC_RECORD_INT, 1, 2, NULL, "the two bodies, counted from 0", NULL},
    {"points", PC_RECORD_DOUBLE, 1, 6, NULL,
     "points of action on the first and the second body; for spins, the centres of mass", "m"},
    {"impulse", PC_RECORD_FLOAT, 1, 3, NULL, "impulse on the first body; 0 for spins", "N s"},
    {"moment", PC_RECORD_FLOAT, 1, 3, NULL, "angular impulse on the first body; 0 at a distance",
     "N m s"},
    {"dissipated", PC_RECORD_FLOAT, 1, 1, NULL, "dissipated energy", "J"},
};

void pc_systems_declare(pc_rows *rows, pc_record *record, const pc_scene *scene)
{
  if (pc_world_systems(scene->world) > 0)
    pc_rows_declare(rows, record, "systems", PC_COUNT(columns), columns, "first row of each step");
}

pc_status pc_systems_step(pc_rows *rows, pc_record *record, const pc_scene *scene)
{
  if (rows->columns == 0)
    return PC_OK;
  int count = pc_world_system_actions(scene->world);
  if (!pc_rows_reserve(rows, count))
    return PC_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    pc_system_action action;
    pc_world_system_action(scene->world, i, &action);
    const int32_t bodies[] = {action.bodies[0].id - 1, action.bodies[1].id - 1};
    memcpy(pc_rows_at(rows, 0, i), bodies, sizeof bodies);
    memcpy(pc_rows_at(rows, 1, i), action.points, sizeof action.points);
    memcpy(pc_rows_at(rows, 2, i), action.impulse, sizeof action.impulse);
    memcpy(pc_rows_at(rows, 3, i), action.moment, sizeof action.moment);
    memcpy(pc_rows_at(rows, 4, i), &action.dissipated, sizeof action.dissipated);
  }
  return pc_rows_append(rows, record, count);
}
