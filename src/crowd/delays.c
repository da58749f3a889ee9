// What makes ways slower during a run: crowds, smoke, closed doors. Routes are computed again when
// it changes.
#include <string.h>

#include "core/error.h"
#include "crowd/crowd.h"

static size_t nodes_of(const pc_grid *grid)
{
  return (size_t)grid->columns * grid->rows;
}

static bool is_needed(const pc_crowd *crowd)
{
  bool needed = crowd->def.congestion > 0 || crowd->hazards.count > 0;
  for (int i = 0; i < crowd->doors.count; i++)
    needed |= !crowd->doors.at[i].awaited;
  return needed;
}

// Slowness of all nodes: free, and what delays there now.
static void set_slowness(pc_crowd *crowd)
{
  for (int f = 0; f < crowd->floors.count; f++) {
    pc_floor *floor = &crowd->floors.at[f];
    memcpy(floor->grid.slowness, floor->free_slowness, nodes_of(&floor->grid) * sizeof(double));
    floor->grid.even = floor->free_even;
  }
  if (crowd->def.congestion > 0)
    pc_congestion_delay(crowd);
  pc_hazards_delay(crowd);
  pc_doors_delay(crowd);
}

pc_status pc_delays_make(pc_crowd *crowd)
{
  if (!is_needed(crowd))
    return PC_OK;
  for (int f = 0; f < crowd->floors.count; f++) {
    pc_floor *floor = &crowd->floors.at[f];
    size_t nodes = nodes_of(&floor->grid);
    floor->free_even = floor->grid.even;
    floor->free_slowness = pc_arena_take(&crowd->arena, nodes, sizeof(double));
    if (floor->free_slowness == NULL)
      return pc_crowd_out_of_memory(crowd);
    memcpy(floor->free_slowness, floor->grid.slowness, nodes * sizeof(double));
  }
  set_slowness(crowd);
  return PC_OK;
}

pc_status pc_delays_renew(pc_crowd *crowd)
{
  if (!is_needed(crowd))
    return PC_OK;
  set_slowness(crowd);
  return pc_routes_renew(crowd);
}
