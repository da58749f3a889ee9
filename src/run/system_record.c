#include "run/system_record.h"

#include <string.h>

static const pc_record_item columns[PC_SYSTEM_COLUMNS] = {
    {"bodies", PC_RECORD_INT, 1, 2, NULL, "the two bodies, counted from 0", NULL},
    {"points", PC_RECORD_DOUBLE, 1, 6, NULL,
     "where it acts on the first and on the second; of spins their centres of mass", "m"},
    {"impulse", PC_RECORD_FLOAT, 1, 3, NULL, "on the first body; of spins 0", "N s"},
    {"moment", PC_RECORD_FLOAT, 1, 3, NULL, "on the first body; at a distance 0", "N m s"},
    {"dissipated", PC_RECORD_FLOAT, 1, 1, NULL, "energy it took", "J"},
};

void pc_system_recorder_declare(pc_system_recorder *r, pc_record *record, const pc_scene *scene)
{
  r->rows = -1;
  if (pc_world_systems(scene->world) == 0)
    return;
  r->rows = pc_record_ragged(record, "systems", PC_SYSTEM_COLUMNS, columns);
  if (r->rows >= 0)
    pc_record_describe(record, "systems/offset", "first row of each step", NULL);
}

// Numbers are int32_t or double.
static bool grow(pc_system_recorder *r, int need)
{
  if (need <= r->capacity)
    return true;
  r->capacity = 0;
  pc_arena_free(&r->memory);
  int capacity = need + need / 2 + 16;
  for (int c = 0; c < PC_SYSTEM_COLUMNS; c++)
    r->column[c] = pc_arena_take_raw(&r->memory, (size_t)capacity * (size_t)columns[c].columns,
                                     sizeof(double));
  if (!r->memory.failed)
    r->capacity = capacity;
  return !r->memory.failed;
}

pc_status pc_system_recorder_step(pc_system_recorder *r, pc_record *record, const pc_scene *scene)
{
  if (r->rows < 0)
    return PC_OK;
  int count = pc_world_system_actions(scene->world);
  if (!grow(r, count))
    return PC_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    pc_system_action action;
    pc_world_system_action(scene->world, i, &action);
    int32_t *body = (int32_t *)r->column[0] + 2 * i;
    body[0] = action.bodies[0].id - 1;
    body[1] = action.bodies[1].id - 1;
    memcpy((double *)r->column[1] + 6 * i, action.points, sizeof action.points);
    memcpy((double *)r->column[2] + 3 * i, action.impulse, sizeof action.impulse);
    memcpy((double *)r->column[3] + 3 * i, action.moment, sizeof action.moment);
    ((double *)r->column[4])[i] = action.dissipated;
  }
  return pc_record_append_ragged(record, r->rows, count, (const void *const *)r->column);
}

void pc_system_recorder_free(pc_system_recorder *r)
{
  pc_arena_free(&r->memory);
}
