// Room for a person who enters or changes floors.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

pc_status pc_room_sort(pc_crowd *crowd, double size)
{
  for (int i = 0; i < crowd->people; i++)
    memcpy(crowd->ground[i], crowd->place[i], sizeof *crowd->ground);
  crowd->moves = 0;
  if (!pc_cells_sort(&crowd->cells, crowd->def.threads, crowd->people,
                     (const double(*)[2])crowd->ground, crowd->there, size))
    return pc_crowd_out_of_memory(crowd);
  return PC_OK;
}

// Whether a person is in the way of a disc; places of the world.
static bool is_in_way(const pc_crowd *crowd, int i, const double p[2], double radius)
{
  const double *q = crowd->place[i];
  return crowd->there[i] &&
         pc_hypot(q[0] - p[0], q[1] - p[1]) < radius + crowd->person[i].def.radius;
}

bool pc_room_has(const pc_crowd *crowd, int floor, const double p[2], double radius, int except)
{
  const pc_cells *cells = &crowd->cells;
  double at[2] = {p[0] + crowd->floors.at[floor].offset, p[1]}, reach = radius + crowd->largest;
  int low[2], high[2];
  for (int k = 0; k < 2; k++) {
    low[k] = pc_cells_along(cells, at[k] - reach, k);
    high[k] = pc_cells_along(cells, at[k] + reach, k);
  }
  for (int row = low[1]; row <= high[1]; row++)
    for (int column = low[0]; column <= high[0]; column++) {
      const int *start = cells->start.at + row * cells->columns + column;
      for (int n = start[0]; n < start[1]; n++)
        if (cells->point.at[n] != except && is_in_way(crowd, cells->point.at[n], at, radius))
          return false;
    }
  for (int m = 0; m < crowd->moves; m++)
    if (crowd->moved[m] != except && is_in_way(crowd, crowd->moved[m], at, radius))
      return false;
  return true;
}

pc_status pc_room_move(pc_crowd *crowd, int person, int floor, const double p[2],
                       const double velocity[2], double turn)
{
  pc_body body = pc_crowd_body(crowd, person);
  pc_body_state state;
  pc_body_get(crowd->world, body, &state);
  state.position[0] = p[0] + crowd->floors.at[floor].offset;
  state.position[1] = p[1];
  memcpy(state.velocity, velocity, 2 * sizeof *velocity);
  double half = pc_atan2(state.orientation[3], state.orientation[0]) + 0.5 * turn;
  state.orientation[0] = pc_cos(half);
  state.orientation[3] = pc_sin(half);
  pc_status status = pc_world_change(crowd->world, 1, &body, &state);
  if (status != PC_OK)
    return pc_crowd_check(crowd, status);
  crowd->person[person].floor = floor;
  pc_walker_set(crowd, person);
  for (int k = 0; k < 2; k++) {
    crowd->place[person][k] = state.position[k];
    crowd->velocity[person][k] = velocity[k];
  }
  crowd->moved[crowd->moves++] = person; // at most once in a step each
  return PC_OK;
}
