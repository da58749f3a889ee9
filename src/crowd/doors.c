// Doors of a crowd: walls that are present for some time only. Routes avoid them while they are
// closed. A door does not close on somebody, but from the time at which it shall close routes avoid
// it: else those who follow each other closely would keep it open.
#include <math.h>

#include "core/error.h"
#include "crowd/crowd.h"

static const double SHUT =
    1e4; // s that a route through a closed door takes longer: rather any other way

int pc_crowd_add_door(pc_crowd *crowd, const pc_door_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL || def->points == NULL)
    return pc_crowd_reject(crowd, "the points of a door must not be NULL");
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  if (def->count < 2 || !isfinite(def->opens) || !isfinite(def->closes))
    return pc_crowd_reject(crowd, "a door needs at least 2 points, and valid times");
  double(*point)[2] = pc_arena_copy(&crowd->arena, def->points, def->count, sizeof *point);
  pc_door *door = point != NULL ? pc_array_add(&crowd->doors) : NULL;
  if (door == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *door = (pc_door){.floor = def->floor,
                    .count = def->count,
                    .point = point,
                    .opens = def->opens,
                    .closes = def->closes,
                    .awaited = def->awaited};
  return crowd->doors.count - 1;
}

int pc_crowd_doors(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->doors.count;
}

static bool is_open(const pc_crowd *crowd, const pc_door *door)
{
  return door->bodies > 0 && !pc_body_is_present(crowd->world, (pc_body){door->first + 1});
}

pc_door_state pc_crowd_door(const pc_crowd *crowd, int number)
{
  if (crowd == NULL || number < 0 || number >= crowd->doors.count)
    return (pc_door_state){0};
  const pc_door *door = &crowd->doors.at[number];
  return (pc_door_state){.floor = door->floor,
                         .first = door->first,
                         .bodies = door->bodies,
                         .opens = door->opens,
                         .closes = door->closes,
                         .is_open = is_open(crowd, door)};
}

static double door_distance(const pc_door *door, const double p[2])
{
  double least = INFINITY;
  for (int i = 0; i + 1 < door->count; i++)
    least = fmin(least, pc_distance_to_line(p, door->point[i], door->point[i + 1]));
  return least;
}

double pc_doors_distance(const pc_crowd *crowd, int floor, const double p[2])
{
  double least = INFINITY;
  for (int i = 0; i < crowd->doors.count; i++)
    if (crowd->doors.at[i].floor == floor && !crowd->doors.at[i].is_open)
      least = fmin(least, door_distance(&crowd->doors.at[i], p));
  return least;
}

static pc_status set_door(pc_crowd *crowd, pc_door *door, bool opens)
{
  for (int b = 0; b < door->bodies; b++) {
    pc_status status = pc_world_set_present(crowd->world, (pc_body){door->first + b + 1}, !opens);
    if (status != PC_OK)
      return pc_crowd_check(crowd, status);
  }
  door->is_open = opens;
  return PC_OK;
}

static bool is_time(const pc_door *door, double time)
{
  return time >= door->opens && !(door->closes > door->opens && time >= door->closes);
}

pc_status pc_doors_build(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->doors.count && status == PC_OK; i++) {
    pc_door *door = &crowd->doors.at[i];
    door->first = crowd->walls;
    status = pc_build_wall(crowd, crowd->floors.at[door->floor].offset, door->count,
                           (const double(*)[2])door->point, false);
    door->bodies = crowd->walls - door->first;
    if (status == PC_OK && is_time(door, 0))
      status = set_door(crowd, door, true);
    door->leads = door->is_open;
  }
  return status;
}

static bool is_in_doorway(const pc_crowd *crowd, const pc_door *door)
{
  for (int i = 0; i < crowd->people; i++) {
    const pc_person *person = &crowd->person[i];
    double p[2] = {crowd->place[i][0] - crowd->floors.at[door->floor].offset, crowd->place[i][1]};
    if (crowd->there[i] && person->floor == door->floor &&
        door_distance(door, p) < person->def.radius)
      return true;
  }
  return false;
}

pc_status pc_doors_move(pc_crowd *crowd, double time, bool *moved)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->doors.count && status == PC_OK; i++) {
    pc_door *door = &crowd->doors.at[i];
    bool shall = is_time(door, time);
    bool led = door->leads; // a caller may have loaded another state of the world
    door->is_open = is_open(crowd, door);
    if (shall != door->is_open && (shall || !is_in_doorway(crowd, door)))
      status = set_door(crowd, door, shall);
    door->leads = shall && door->is_open;
    *moved |= door->leads != led && !door->awaited;
  }
  return status;
}

void pc_doors_note(pc_crowd *crowd)
{
  for (int i = 0; i < crowd->doors.count; i++) {
    pc_door *door = &crowd->doors.at[i];
    door->is_open = is_open(crowd, door);
    door->leads = door->is_open && is_time(door, pc_world_time(crowd->world));
  }
}

// A closed door delays those who cross it: the nodes beside it are slow. Within two spacings people
// would walk straight to a goal, so the nodes next to those are slow too.
static void slow_nodes(pc_grid *grid, const pc_door *door)
{
  double reach = 2.5 * grid->spacing, factor = SHUT / (2 * reach), low[2], high[2];
  int first[2], last[2], most[2] = {grid->columns - 1, grid->rows - 1};
  pc_box_of_points(door->count, (const double(*)[2])door->point, low, high);
  for (int k = 0; k < 2; k++) {
    double from = ceil((low[k] - reach - grid->low[k]) / grid->spacing);
    double to = floor((high[k] + reach - grid->low[k]) / grid->spacing);
    first[k] = from > 0 ? (int)fmin(from, most[k]) : 0;
    last[k] = to < most[k] ? (int)fmax(to, -1) : most[k];
  }
  for (int row = first[1]; row <= last[1]; row++)
    for (int column = first[0]; column <= last[0]; column++) {
      double p[2];
      pc_grid_place(grid, column, row, p);
      if (door_distance(door, p) < reach)
        grid->slowness[(size_t)row * grid->columns + column] += factor;
    }
}

void pc_doors_delay(pc_crowd *crowd)
{
  for (int i = 0; i < crowd->doors.count; i++) {
    const pc_door *door = &crowd->doors.at[i];
    if (door->leads || door->awaited)
      continue;
    slow_nodes(&crowd->floors.at[door->floor].grid, door);
    crowd->floors.at[door->floor].grid.even = false;
  }
}
