// Stairs, doors and sources of a `kind: crowd` file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "scene/crowd_file.h"

typedef struct end_file {
  pc_node floor, line;
} end_file;
static const pc_key end_keys[] = {
    {PC_KEY(end_file, line), PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "line `[left, right]`, as seen when walking from `from` to `to`; the half metre "
                "behind it must be free of walls"},
    {0}};
static const pc_mapping end_table = {"stairs_end", "an end of stairs", "One end of stairs.",
                                     .keys = {end_keys, pc_on_floor_keys}};

static void read_end(pc_crowd_builder *builder, pc_node node, int *floor, double line[2][2])
{
  int count;
  end_file file;
  if (!pc_bind(&node, &end_table, &file))
    return;
  double(*points)[2] = pc_crowd_read_points(file.line, 2, &count);
  if (points == NULL)
    return;
  if (count != 2)
    pc_complain(file.line, "the line of stairs needs two points (got %d)", count);
  memcpy(line, points, 2 * sizeof *points);
  *floor = pc_crowd_read_floor(builder, node, file.floor);
  free(points);
}

typedef struct stairs_file {
  const char *name;
  pc_node from, to;
  pc_stairs_def def;
} stairs_file;
static const pc_key stairs_keys[] = {
    {PC_KEY(stairs_file, name), PC_A_NAME, .left_out = "`stairs-N`, from 1",
     .meaning = "name of the floor formed by stairs that have a length"},
    {PC_KEY(stairs_file, from), PC_A_MAPPING, true, .mapping = &end_table, .meaning = "first end"},
    {PC_KEY(stairs_file, to), PC_A_MAPPING, true, .mapping = &end_table,
     .meaning = "second end, of the same width (within 10 mm)"},
    {"length", PC_INTO(stairs_file, def.length), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "length; stairs with a length form a separate floor. 0: people step directly from "
                "line to line"},
    {"rise", PC_INTO(stairs_file, def.rise), PC_A_NUMBER, .unit = "m", .with = "length",
     .otherwise = "0",
     .meaning = "height of `to` above `from`, below 0 if `to` is lower. The `length` is then "
                "horizontal, and the free speed of a person follows slope and direction (Weidmann, "
                "SFPE) unless the person has a `stairs_speed`"},
    {"speed", PC_INTO(stairs_file, def.speed), PC_A_NUMBER, .unit = "m/s", PC_POSITIVE,
     .left_out = "the `stairs_speed` of each person", .meaning = "speed limit"},
    {"opens", PC_INTO(stairs_file, def.opens), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "opening time; before it, the lines where people enter are doors"},
    {"closes", PC_INTO(stairs_file, def.closes), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .left_out = "never", .meaning = "closing time; people on the stairs go on"},
    {"ramp", PC_INTO(stairs_file, def.ramp), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: a ramp, which people with `stairs: false` take too"},
    {"both_ways", PC_INTO(stairs_file, def.both_ways), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: people also walk from `to` to `from`"},
    {0}};
const pc_mapping pc_table_stairs = {"stairs", "stairs",
                                    "Stairs from a line on one floor to a line on another.",
                                    .keys = {stairs_keys}};

// Called when all floors of the file exist: floors that stairs form are numbered after them.
void pc_crowd_read_stairs(pc_crowd_builder *builder, pc_node node, int number)
{
  stairs_file file = {.name = NULL};
  if (!pc_bind(&node, &pc_table_stairs, &file))
    return;
  pc_stairs_def *def = &file.def;
  pc_node closes = PC_NODE(node, stairs_file, def.closes);
  if (pc_is_present(closes) && !(def->closes > def->opens))
    pc_complain(closes, "the closing time must be later than the opening time, %g s", def->opens);
  read_end(builder, file.from, &def->floor[0], def->line[0]);
  read_end(builder, file.to, &def->floor[1], def->line[1]);
  if (def->length > 0)
    pc_crowd_name_floor(builder, pc_at(PC_NODE(node, stairs_file, name), node), file.name, "stairs",
                        number + 1);
  if (pc_failed(node))
    return;
  if (pc_crowd_add_stairs(builder->crowd, def) < 0)
    pc_crowd_complain(builder, node, "");
  else if (def->length > 0) {
    double *bounds = builder->bounds.at[builder->floors.count - 1];
    bounds[0] = bounds[1] = 0;
    bounds[2] = def->length;
    bounds[3] =
        pc_hypot(def->line[0][1][0] - def->line[0][0][0], def->line[0][1][1] - def->line[0][0][1]);
  }
}

typedef struct door_file {
  pc_node floor, points;
  pc_door_def def;
} door_file;
static const pc_key door_keys[] = {
    {PC_KEY(door_file, points), PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "corners, at least two"},
    {"opens", PC_INTO(door_file, def.opens), PC_A_NUMBER, true, .unit = "s", PC_NOT_NEGATIVE,
     .meaning = "opening time"},
    {"closes", PC_INTO(door_file, def.closes), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .left_out = "never",
     .meaning = "closing time; the door closes later if somebody stands in it"},
    {"awaited", PC_INTO(door_file, def.awaited), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: routes lead through the door even while it is closed"},
    {0}};
const pc_mapping pc_table_door = {
    "door", "a door",
    "A wall that can open. While it is closed, people take another way if there is one.",
    .keys = {door_keys, pc_on_floor_keys}};

bool pc_crowd_check_times(pc_node closes, const pc_door_def *def)
{
  bool present = pc_is_present(closes);
  if (present && !(def->closes > def->opens))
    pc_complain(closes, "the closing time must be later than the opening time, %g s", def->opens);
  return present;
}

void pc_crowd_read_door(pc_crowd_builder *builder, pc_node node, int number)
{
  door_file file = {.def = {.closes = 0}};
  pc_door_def *def = &file.def;
  if (!pc_bind(&node, &pc_table_door, &file))
    return;
  def->floor = pc_crowd_read_floor(builder, node, file.floor);
  pc_crowd_check_times(PC_NODE(node, door_file, def.closes), def);
  double(*points)[2] = pc_crowd_read_points(file.points, 2, &def->count);
  def->points = (const double(*)[2])points;
  if (!pc_failed(node) && pc_crowd_add_door(builder->crowd, def) < 0)
    pc_crowd_complain(builder, node, "");
  if (points != NULL)
    pc_crowd_keep_door(builder, node, (pc_scene_wall){def->floor, number, def->count, points});
}

typedef struct source_file {
  pc_node floor, points;
  const char *name;
  pc_source_def def;
} source_file;
static const pc_key source_keys[] = {
    {PC_KEY(source_file, name), PC_A_NAME, true, .meaning = "name of the source"},
    {PC_KEY(source_file, points), PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning =
         "where people enter: one point, a line (two points), or an area (three or more points)"},
    {"rate", PC_INTO(source_file, def.rate), PC_A_NUMBER, .unit = "1/s", PC_POSITIVE,
     .left_out = "no limit", .meaning = "maximum number of people per second"},
    {0}};
const pc_mapping pc_table_source = {"source", "a source",
                                    "A place where people enter as soon as there is room.",
                                    .keys = {source_keys, pc_on_floor_keys}};

void pc_crowd_read_source(pc_crowd_builder *builder, pc_node node, int number)
{
  source_file file = {.def = {.rate = 0}};
  pc_source_def *def = &file.def;
  if (!pc_bind(&node, &pc_table_source, &file))
    return;
  pc_names_add_at(&builder->sources, file.name, PC_NODE(node, source_file, name), "sources");
  def->floor = pc_crowd_read_floor(builder, node, file.floor);
  double(*points)[2] = pc_crowd_read_points(file.points, 1, &def->count);
  def->points = (const double(*)[2])points;
  if (!pc_failed(node) && pc_crowd_add_source(builder->crowd, def) < 0)
    pc_crowd_complain(builder, node, "");
  free(points);
}

int pc_crowd_find_source(pc_crowd_builder *builder, pc_node name)
{
  int found = pc_names_find(&builder->sources, pc_read_name(name));
  if (!pc_failed(name) && found < 0)
    pc_complain(name, "unknown source '%s'", pc_node_text(name).text);
  return found;
}
