// Exits and areas of a `kind: crowd` file, and when people change their goal.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/crowd_file.h"

static const char *read_goal_name(pc_crowd_builder *builder, pc_node name)
{
  const char *text = pc_read_label(name);
  if (!pc_failed(name))
    pc_crowd_name_goal(builder, text, name);
  return text;
}

typedef struct exit_file {
  pc_node floor, name, line, reenters;
  pc_exit_def def;
  pc_door_def door;
} exit_file;
static const pc_key exit_keys[] = {
    {PC_KEY(exit_file, name), PC_A_NAME, true, .meaning = "name of the goal"},
    {PC_KEY(exit_file, line), PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "line `[from, to]`; people who cross it leave"},
    {PC_KEY(exit_file, reenters), PC_A_NAME, .left_out = "they leave",
     .meaning = "source where people who cross the line enter again"},
    {"counts", PC_INTO(exit_file, def.at_front), PC_A_WORD,
     .words = PC_WORDS({"front", true}, {"centre", false}), .noun = "counting rule",
     .otherwise = "centre",
     .meaning = "when a person counts as out: `front` when the body touches the line, `centre` "
                "when its centre crosses the line. People disappear when their centre crosses it"},
    {"opens", PC_INTO(exit_file, door.opens), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .otherwise = "0", .meaning = "opening time; before it, the line is a closed door"},
    {"closes", PC_INTO(exit_file, door.closes), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .left_out = "never",
     .meaning = "closing time; the exit closes later if somebody stands in it. Routes avoid closed "
                "exits: see `doors`"},
    {0}};
const pc_mapping pc_table_exit = {"exit", "an exit", "A line that people cross to leave.",
                                  .keys = {exit_keys, pc_on_floor_keys}};

void pc_crowd_read_exit(pc_crowd_builder *builder, pc_node node, int number)
{
  exit_file file = {.def = {.source = 0}};
  pc_exit_def *def = &file.def;
  if (!pc_bind(&node, &pc_table_exit, &file))
    return;
  pc_scene_goal goal = {.name = (char *)read_goal_name(builder, file.name), .kind = PC_GOAL_EXIT};
  goal.floor = def->floor = pc_crowd_read_floor(builder, node, file.floor);
  goal.point = pc_crowd_read_points(file.line, 2, &goal.count);
  if (!pc_failed(node) && goal.count != 2)
    pc_complain(file.line, "the line of an exit needs two points (got %d)", goal.count);
  def->reenters = pc_is_present(file.reenters);
  if (def->reenters)
    def->source = pc_crowd_find_source(builder, file.reenters);
  if (pc_failed(node)) {
    free(goal.point);
    return;
  }
  memcpy(def->line, goal.point, sizeof def->line);
  file.door.floor = goal.floor;
  file.door.count = 2;
  file.door.points = (const double(*)[2])def->line;
  bool closes = pc_crowd_check_times(PC_NODE(node, exit_file, door.closes), &file.door);
  if (!pc_failed(node) && (closes || file.door.opens > 0) &&
      pc_crowd_add_door(builder->crowd, &file.door) < 0)
    pc_crowd_complain(builder, node, "");
  pc_crowd_keep_goal(builder, node, pc_crowd_add_exit(builder->crowd, def), goal);
}

typedef struct area_file {
  pc_node floor, name, points;
} area_file;
static const pc_key area_keys[] = {
    {PC_KEY(area_file, name), PC_A_NAME, true, .meaning = "name of the goal"},
    {PC_KEY(area_file, points), PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "outline"},
    {0}};
const pc_mapping pc_table_area = {"area", "an area", "An area that people walk to and stay in.",
                                  .keys = {area_keys, pc_on_floor_keys}};

void pc_crowd_read_area(pc_crowd_builder *builder, pc_node node, int number)
{
  area_file file;
  if (!pc_bind(&node, &pc_table_area, &file))
    return;
  pc_scene_goal goal = {.name = (char *)read_goal_name(builder, file.name), .kind = PC_GOAL_AREA};
  goal.floor = pc_crowd_read_floor(builder, node, file.floor);
  goal.point = pc_crowd_read_points(file.points, 3, &goal.count);
  if (pc_failed(node)) {
    free(goal.point);
    return;
  }
  int added =
      pc_crowd_add_area(builder->crowd, goal.floor, goal.count, (const double(*)[2])goal.point);
  pc_crowd_keep_goal(builder, node, added, goal);
}

int pc_crowd_find_goal(pc_crowd_builder *builder, pc_node name)
{
  int found = pc_names_find(&builder->goals, pc_read_name(name));
  if (!pc_failed(name) && found < 0)
    pc_complain(name, "unknown exit or area '%s'", pc_node_text(name).text);
  return found;
}

int pc_crowd_read_goal(pc_crowd_builder *builder, pc_node to)
{
  const pc_scene_people *people = &builder->scene->people;
  if (!pc_is_sequence(to))
    return pc_crowd_find_goal(builder, to);
  enum { MOST = 1000 };
  int count = pc_read_list(to, "'to'"), member[MOST];
  char name[400] = "";
  if (!pc_failed(to) && (count < 1 || count > MOST))
    pc_complain(to, "'to' must be an exit or an area, or a list of 1 to %d of them", MOST);
  for (int i = 0; i < count && !pc_failed(to); i++) {
    size_t used = strlen(name);
    member[i] = pc_crowd_find_goal(builder, pc_item(to, i));
    for (int k = 0; k < i && !pc_failed(to); k++)
      if (member[k] == member[i])
        pc_complain(pc_item(to, i), "'%s' is listed twice", pc_node_text(pc_item(to, i)).text);
    if (!pc_failed(to))
      snprintf(name + used, sizeof name - used, "%s%s", i > 0 ? " or " : "",
               people->goal[member[i]].name);
  }
  if (pc_failed(to) || count == 1)
    return pc_failed(to) ? 0 : member[0];
  for (int i = builder->goals.count; i < people->goals; i++)
    if (strcmp(people->goal[i].name, name) == 0)
      return i;
  pc_scene_goal goal = {.name = name, .kind = PC_GOAL_CHOICE, .floor = -1};
  int number = pc_crowd_add_choice(builder->crowd, count, member);
  pc_crowd_keep_goal(builder, to, number, goal);
  return number;
}

typedef struct detour_file {
  pc_node floor, zone, where, from, to;
  pc_detour_def def;
} detour_file;
static const pc_key detour_keys[] = {
    {PC_KEY(detour_file, zone), PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "outline of the zone"},
    {"least", PC_INTO(detour_file, def.least), PC_AN_INTEGER, true, PC_FROM(1, 1e6),
     .meaning = "minimum number of people in the zone for the detour to apply"},
    {PC_KEY(detour_file, from), PC_A_NAME, true,
     .meaning = "goal of the people who take the detour; people already in the zone keep it"},
    {PC_KEY(detour_file, to), PC_A_NAME, true, .meaning = "new goal"},
    {PC_KEY(detour_file, where), PC_POINTS, .unit = "m", .count = {2, 2}, .left_out = "everywhere",
     .meaning = "outline of the area where people change their goal"},
    {"holds", PC_INTO(detour_file, def.holds), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: they keep the new goal; false: they return to `from` when fewer people are "
                "in the zone, as long as they are still in `where`"},
    {0}};
const pc_mapping pc_table_detour = {"detour", "a detour", "A change of goal when a zone is full.",
                                    .keys = {detour_keys, pc_on_floor_keys}};

void pc_crowd_read_detour(pc_crowd_builder *builder, pc_node node, int number)
{
  detour_file file = {.def = {.where_count = 0}};
  pc_detour_def *def = &file.def;
  if (!pc_bind(&node, &pc_table_detour, &file))
    return;
  def->floor = pc_crowd_read_floor(builder, node, file.floor);
  def->from = pc_crowd_find_goal(builder, file.from);
  def->to = pc_crowd_find_goal(builder, file.to);
  double(*zone)[2] = pc_crowd_read_points(file.zone, 3, &def->count);
  double(*part)[2] =
      pc_is_present(file.where) ? pc_crowd_read_points(file.where, 3, &def->where_count) : NULL;
  def->points = (const double(*)[2])zone;
  def->where = (const double(*)[2])part;
  if (!pc_failed(node) && pc_crowd_add_detour(builder->crowd, def) < 0)
    pc_crowd_complain(builder, node, "");
  free(zone);
  free(part);
}

typedef struct stage_file {
  pc_node to;
  pc_stage stage;
} stage_file;
static const pc_key stage_keys[] = {
    {PC_KEY(stage_file, to), PC_A_NAME | PC_NAMES, .count = {1, 1000},
     .left_out = "people stand still", .meaning = "an exit or an area, or the nearest of several"},
    {"until", PC_INTO(stage_file, stage.until), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "ends on arrival, or never", .meaning = "earliest end of the stage"},
    {"arrived", PC_INTO(stage_file, stage.arrived), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: the stage also lasts until the person is in the area"},
    {"pause", PC_INTO(stage_file, stage.pause), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .otherwise = "0", .meaning = "reaction time at the end of the stage"},
    {0}};
const pc_mapping pc_table_stage = {"stage", "a stage", "A stage of a person's plan.",
                                   .keys = {stage_keys}};

static void read_stage(pc_crowd_builder *builder, pc_node node, pc_stage *stage)
{
  stage_file file = {.stage = {.until = 0}};
  if (!pc_bind(&node, &pc_table_stage, &file))
    return;
  *stage = file.stage;
  stage->goal = pc_is_present(file.to) ? pc_crowd_read_goal(builder, file.to) : -1;
  if (!pc_failed(node) && stage->arrived &&
      (stage->goal < 0 || builder->scene->people.goal[stage->goal].kind != PC_GOAL_AREA))
    pc_complain(PC_NODE(node, stage_file, stage.arrived), "'arrive' requires an area in 'to'");
}

typedef struct sign_file {
  pc_node floor, exit;
  double place[2];
  bool lit;
} sign_file;
static const pc_key sign_keys[] = {
    {PC_KEY(sign_file, place), PC_NUMBERS, true, .unit = "m", .count = {2, 2},
     .meaning = "where the sign is"},
    {PC_KEY(sign_file, exit), PC_A_NAME, true, .meaning = "the exit or area that it leads to"},
    {PC_KEY(sign_file, lit), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: it is lit from inside, and seen through more smoke"},
    {0}};
const pc_mapping pc_table_sign = {
    "sign", "a sign", "People who see it know the exit from then on: see `knows` of people.",
    .keys = {sign_keys, pc_on_floor_keys}};

void pc_crowd_read_sign(pc_crowd_builder *builder, pc_node node, int number)
{
  sign_file file;
  if (!pc_bind(&node, &pc_table_sign, &file))
    return;
  pc_sign_def def = {.floor = pc_crowd_read_floor(builder, node, file.floor),
                     .goal = pc_crowd_find_goal(builder, file.exit),
                     .place = {file.place[0], file.place[1]},
                     .lit = file.lit};
  if (!pc_failed(node) && pc_crowd_add_sign(builder->crowd, &def) < 0)
    pc_crowd_complain(builder, node, "");
}

int pc_crowd_read_plan(pc_crowd_builder *builder, pc_node list)
{
  int plan = -1;
  bool walks = false;
  pc_entries e = pc_entries_of(list);
  pc_stage *stages = pc_allocate(list, e.count, sizeof *stages);
  while (pc_next(&e)) {
    read_stage(builder, e.node, &stages[e.index]);
    walks = walks || stages[e.index].goal >= 0;
  }
  if (!pc_failed(list) && !walks)
    pc_complain(list, "at least one stage needs 'to'");
  if (!pc_failed(list) && (plan = pc_crowd_add_plan(builder->crowd, e.count, stages)) < 0)
    pc_crowd_complain(builder, list, "");
  free(stages);
  return plan;
}
