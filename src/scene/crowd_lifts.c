// Lifts of a `kind: crowd` file.
#include <stdlib.h>
#include <string.h>

#include "scene/crowd_file.h"

typedef struct stop_file {
  pc_node floor, line;
  pc_landing_def def;
} stop_file;
static const pc_key stop_keys[] = {
    {PC_KEY(stop_file, floor), PC_A_NAME, true, .meaning = "name of the floor"},
    {PC_KEY(stop_file, line), PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "doors of the lift on this floor, `[left, right]`, as seen by those who get in; a "
                "line before a wall or on it"},
    {"height", PC_INTO(stop_file, def.height), PC_A_NUMBER, true, .unit = "m",
     .meaning = "height of the floor"},
    {0}};
static const pc_mapping stop_table = {"lift_stop", "a stop of a lift",
                                      "A floor where a lift stops.", .keys = {stop_keys}};

static void read_stop(pc_crowd_builder *builder, pc_node node, pc_landing_def *stop)
{
  int count;
  stop_file file = {.def = {.floor = 0}};
  if (!pc_bind(&node, &stop_table, &file))
    return;
  double(*points)[2] = pc_crowd_read_points(file.line, 2, &count);
  if (points == NULL)
    return;
  if (count != 2)
    pc_complain(file.line, "the doors of a lift need two points (got %d)", count);
  *stop = file.def;
  memcpy(stop->line, points, sizeof stop->line);
  stop->floor = pc_crowd_read_floor(builder, node, file.floor);
  free(points);
}

typedef struct lift_file {
  pc_node stops, starts;
  pc_lift_def def;
} lift_file;
static const pc_key lift_keys[] = {
    {PC_KEY(lift_file, stops), PC_A_LIST, true, .mapping = &stop_table,
     .meaning = "two floors or more where the lift stops"},
    {"capacity", PC_INTO(lift_file, def.capacity), PC_AN_INTEGER, PC_FROM(1, 1000),
     .otherwise = "8", .meaning = "people who fit in"},
    {"speed", PC_INTO(lift_file, def.speed), PC_A_NUMBER, .unit = "m/s", PC_POSITIVE,
     .otherwise = "1", .meaning = "speed"},
    {"acceleration", PC_INTO(lift_file, def.acceleration), PC_A_NUMBER, .unit = "m/s²", PC_POSITIVE,
     .left_out = "not limited", .meaning = "acceleration, and deceleration"},
    {"doors", PC_INTO(lift_file, def.doors), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .otherwise = "3", .meaning = "time that the doors need to open, and to close"},
    {"transfer", PC_INTO(lift_file, def.transfer), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .otherwise = "1", .meaning = "time for each person who gets in or out"},
    {"dwell", PC_INTO(lift_file, def.dwell), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .otherwise = "3", .meaning = "time that the doors stay open after the last person"},
    {"wait", PC_INTO(lift_file, def.wait), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .left_out = "half of a round trip",
     .meaning = "time that people expect to wait when they choose between stairs and the lift"},
    {PC_KEY(lift_file, starts), PC_A_NAME, .left_out = "the first of `stops`",
     .meaning = "floor where the car is at first"},
    {"first", PC_INTO(lift_file, def.highest), PC_A_WORD,
     .words = PC_WORDS({"nearest", false}, {"highest", true}), .noun = "call",
     .otherwise = "nearest",
     .meaning = "the call that an empty car goes to; `highest` is usual for evacuation"},
    {0}};
const pc_mapping pc_table_lift = {"lift", "a lift", "A lift, for people with `lifts: true`.",
                                  .keys = {lift_keys}};

static void find_start(pc_crowd_builder *builder, pc_node starts, pc_lift_def *def)
{
  int floor = pc_names_find(&builder->floors, pc_read_name(starts)), found = -1;
  for (int i = 0; i < def->landings; i++)
    if (def->landing[i].floor == floor && floor >= 0)
      found = i;
  if (!pc_failed(starts) && found < 0)
    pc_complain(starts, "the lift does not stop on a floor '%s'", pc_node_text(starts).text);
  def->start = found > 0 ? found : 0;
}

void pc_crowd_read_lift(pc_crowd_builder *builder, pc_node node, int number)
{
  lift_file file = {.def = pc_lift_def_default()};
  pc_lift_def *def = &file.def;
  if (!pc_bind(&node, &pc_table_lift, &file))
    return;
  pc_entries e = pc_entries_of(file.stops);
  pc_landing_def *stops = pc_allocate(node, e.count, sizeof *stops);
  def->landings = e.count;
  def->landing = stops;
  while (pc_next(&e))
    read_stop(builder, e.node, &stops[e.index]);
  if (!pc_failed(node) && pc_is_present(file.starts))
    find_start(builder, file.starts, def);
  if (!pc_failed(node) && pc_crowd_add_lift(builder->crowd, def) < 0)
    pc_crowd_complain(builder, node, "");
  free(stops);
}
