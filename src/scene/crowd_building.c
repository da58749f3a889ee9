// Floors, exits and areas of a `kind: crowd` file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "scene/crowd_file.h"
#include "scene/paths.h"
#include "scene/tables.h"

// --- walls --------------------------------------------------------------------------------------

static void add_wall(pc_crowd_builder *builder, int floor, pc_node node, pc_wall_kind kind,
                     int count, const double (*points)[2])
{
  if (pc_failed(node) || points == NULL)
    return;
  double *bounds = builder->bounds[floor];
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) {
      bounds[k] = fmin(bounds[k], points[i][k]);
      bounds[2 + k] = fmax(bounds[2 + k], points[i][k]);
    }
  if (pc_crowd_add_wall(builder->crowd, floor, kind, count, points) != PC_OK)
    pc_crowd_complain(builder, node, "");
}

static void read_walls(pc_crowd_builder *builder, int floor, pc_node list)
{
  int walls = pc_is_present(list) ? pc_read_list(list, "'walls'") : 0;
  for (int i = 0; i < walls && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_wall))
      return;
    pc_node given = pc_get(node, "closed");
    bool closed = pc_is_present(given) && pc_read_boolean(given);
    int count;
    double(*points)[2] = pc_crowd_read_points(pc_get(node, "points"), closed ? 3 : 2, &count);
    if (points != NULL && closed)
      memcpy(points[count++], points[0], sizeof *points);
    add_wall(builder, floor, node, PC_WALL_LINE, count, (const double(*)[2])points);
    free(points);
  }
}

static void read_disc(pc_crowd_builder *builder, int floor, pc_node node)
{
  double centre[2];
  pc_read_vector(pc_get(node, "centre"), 2, 2, centre);
  double radius = pc_read_number(pc_get(node, "radius"));
  if (!pc_failed(node) && pc_crowd_add_pillar(builder->crowd, floor, centre, radius) != PC_OK)
    pc_crowd_complain(builder, node, "");
}

static void read_obstacles(pc_crowd_builder *builder, int floor, pc_node list)
{
  int obstacles = pc_is_present(list) ? pc_read_list(list, "'obstacles'") : 0;
  for (int i = 0; i < obstacles && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_pillar))
      return;
    bool points = pc_is_present(pc_get(node, "points"));
    bool centre = pc_is_present(pc_get(node, "centre"));
    bool radius = pc_is_present(pc_get(node, "radius"));
    if (centre != radius || points == centre) {
      pc_complain(node, "an obstacle has either 'points', or 'centre' and 'radius'");
      return;
    }
    int count;
    double(*outline)[2] = points ? pc_crowd_read_points(pc_get(node, "points"), 3, &count) : NULL;
    if (points)
      add_wall(builder, floor, node, PC_WALL_OBSTACLE, count, (const double(*)[2])outline);
    else
      read_disc(builder, floor, node);
    free(outline);
  }
}

static void read_outline(pc_crowd_builder *builder, int floor, pc_node node)
{
  int count;
  if (!pc_is_present(node))
    return;
  double(*points)[2] = pc_crowd_read_points(node, 3, &count);
  add_wall(builder, floor, node, PC_WALL_OUTLINE, count, (const double(*)[2])points);
  free(points);
}

// A well-known text begins with a word and a bracket; the name of a file does not.
static bool is_text(const char *text)
{
  static const char *const words[] = {"POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"};
  text += strspn(text, " \t\r\n");
  for (int i = 0; i < 3; i++)
    if (strncasecmp(text, words[i], strlen(words[i])) == 0)
      return true;
  return strchr(text, '(') != NULL;
}

static void read_wkt(pc_crowd_builder *builder, int floor, pc_node node)
{
  if (!pc_is_present(node))
    return;
  const char *text = pc_read_string(node);
  char path[1024], *from_file = NULL;
  pc_error reason = {.text = ""};
  pc_wkt wkt = {0};
  bool of_file = !pc_failed(node) && !is_text(text);
  if (of_file && pc_scene_find_file(node, path, sizeof path)) {
    size_t size;
    text = from_file = pc_document_text(path, &size, &reason);
    if (from_file == NULL)
      pc_complain(node, "%s", reason.text);
  }
  if (!pc_failed(node) && pc_wkt_read(&wkt, text, &reason) != PC_OK)
    pc_complain(node, "'wkt'%s%s: %s", of_file ? " of " : "",
                of_file ? pc_text_path(path).text : "", reason.text);
  for (int i = 0; i < wkt.rings && !pc_failed(node); i++)
    add_wall(builder, floor, node, wkt.ring[i].hole ? PC_WALL_OBSTACLE : PC_WALL_OUTLINE,
             wkt.ring[i].count, (const double(*)[2])wkt.point + wkt.ring[i].first);
  pc_wkt_free(&wkt);
  free(from_file);
}

static void read_slow(pc_crowd_builder *builder, int floor, pc_node list)
{
  int zones = pc_is_present(list) ? pc_read_list(list, "'slow'") : 0;
  for (int i = 0; i < zones && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_slow))
      return;
    pc_node given = pc_get(node, "speed");
    double speed = pc_is_present(given) ? pc_read_number(given) : 0;
    int count;
    double(*points)[2] = pc_crowd_read_points(pc_get(node, "points"), 3, &count);
    if (!pc_failed(node) && pc_crowd_add_slow_zone(builder->crowd, floor, count,
                                                   (const double(*)[2])points, speed) != PC_OK)
      pc_crowd_complain(builder, node, "");
    free(points);
  }
}

// --- floors -------------------------------------------------------------------------------------

// The name of one more floor, which is `what`-`number` unless it is given.
static void name_floor(pc_crowd_builder *builder, pc_node node, const char *what, int number)
{
  pc_node given = pc_get(node, "name");
  char own[32];
  snprintf(own, sizeof own, "%s-%d", what, number);
  int floor = builder->floors.count;
  const char *name = pc_is_present(given) ? pc_read_name(given) : own;
  int added = pc_failed(node) ? 0 : pc_names_add(&builder->floors, name);
  if (added < 0)
    pc_complain(pc_is_present(given) ? given : node,
                added == -1 ? "two floors are called '%s'" : "out of memory at '%s'",
                pc_text_path(name).text);
  if (!pc_grow(&builder->bounds, &builder->bounds_capacity, floor + 1, sizeof *builder->bounds)) {
    pc_complain(node, "out of memory");
    return;
  }
  double *bounds = builder->bounds[floor];
  bounds[0] = bounds[1] = INFINITY;
  bounds[2] = bounds[3] = -INFINITY;
}

static bool add_floor(pc_crowd_builder *builder, pc_node node, int i)
{
  name_floor(builder, node, "floor", i + 1);
  if (!pc_failed(node) && pc_crowd_add_floor(builder->crowd) < 0)
    pc_crowd_complain(builder, node, "");
  return !pc_failed(node);
}

void pc_crowd_read_floors(pc_crowd_builder *builder, pc_node list)
{
  int floors = pc_read_list(list, "'floors'");
  if (!pc_failed(list) && floors == 0)
    pc_complain(list, "a crowd needs a floor");
  for (int i = 0; i < floors && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_floor) || !add_floor(builder, node, i))
      return;
    read_outline(builder, i, pc_get(node, "outline"));
    read_walls(builder, i, pc_get(node, "walls"));
    read_obstacles(builder, i, pc_get(node, "obstacles"));
    read_wkt(builder, i, pc_get(node, "wkt"));
    read_slow(builder, i, pc_get(node, "slow"));
    if (!pc_failed(node) && !(builder->bounds[i][0] < builder->bounds[i][2]))
      pc_complain(node, "floor '%s' has no walls: it needs 'outline', 'walls' or 'wkt'",
                  pc_text_path(builder->floors.names[i]).text);
  }
}

int pc_crowd_read_floor(pc_crowd_builder *builder, pc_node on)
{
  pc_node given = pc_get(on, "floor");
  if (pc_is_present(given)) {
    int found = pc_names_find(&builder->floors, pc_read_name(given));
    if (!pc_failed(given) && found < 0)
      pc_complain(given, "there is no floor '%s'", pc_node_text(given).text);
    return found > 0 ? found : 0;
  }
  if (!pc_failed(on) && builder->floors.count > 1)
    pc_complain(on, "there are several floors: this needs 'floor'");
  return 0;
}

// --- stairs, doors and sources ------------------------------------------------------------------

static void read_end(pc_crowd_builder *builder, pc_node node, int *floor, double line[2][2])
{
  int count;
  if (!pc_read_keys(&node, &pc_table_stairs_end))
    return;
  pc_node given = pc_get(node, "line");
  double(*points)[2] = pc_crowd_read_points(given, 2, &count);
  if (points == NULL)
    return;
  if (count != 2)
    pc_complain(given, "the line of stairs has two points, %d are given", count);
  memcpy(line, points, 2 * sizeof *points);
  *floor = pc_crowd_read_floor(builder, node);
  free(points);
}

// The floors of the file are all there: those of stairs come after them.
void pc_crowd_read_stairs(pc_crowd_builder *builder, pc_node list)
{
  int stairs = pc_is_present(list) ? pc_read_list(list, "'stairs'") : 0;
  for (int i = 0; i < stairs && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_stairs))
      return;
    pc_stairs_def def = {.length = 0};
    pc_node length = pc_get(node, "length"), speed = pc_get(node, "speed");
    pc_node both = pc_get(node, "both_ways");
    read_end(builder, pc_get(node, "from"), &def.floor[0], def.line[0]);
    read_end(builder, pc_get(node, "to"), &def.floor[1], def.line[1]);
    def.length = pc_is_present(length) ? pc_read_number(length) : 0;
    def.speed = pc_is_present(speed) ? pc_read_number(speed) : 0;
    def.both_ways = pc_is_present(both) && pc_read_boolean(both);
    if (def.length > 0)
      name_floor(builder, node, "stairs", i + 1);
    else if (pc_is_present(pc_get(node, "name")))
      pc_read_name(pc_get(node, "name"));
    if (pc_failed(node))
      return;
    if (pc_crowd_add_stairs(builder->crowd, &def) < 0)
      pc_crowd_complain(builder, node, "");
    else if (def.length > 0) {
      double *bounds = builder->bounds[builder->floors.count - 1];
      bounds[0] = bounds[1] = 0;
      bounds[2] = def.length;
      bounds[3] =
          hypot(def.line[0][1][0] - def.line[0][0][0], def.line[0][1][1] - def.line[0][0][1]);
    }
  }
}

void pc_crowd_read_doors(pc_crowd_builder *builder, pc_node list)
{
  int doors = pc_is_present(list) ? pc_read_list(list, "'doors'") : 0;
  for (int i = 0; i < doors && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_door))
      return;
    pc_node closes = pc_get(node, "closes");
    pc_door_def def = {.floor = pc_crowd_read_floor(builder, node),
                       .opens = pc_read_number(pc_get(node, "opens"))};
    def.closes = pc_is_present(closes) ? pc_read_number(closes) : 0;
    if (!pc_failed(node) && pc_is_present(closes) && !(def.closes > def.opens))
      pc_complain(closes, "a door closes after it opens");
    double(*points)[2] = pc_crowd_read_points(pc_get(node, "points"), 2, &def.count);
    def.points = (const double(*)[2])points;
    if (!pc_failed(node) && pc_crowd_add_door(builder->crowd, &def) < 0)
      pc_crowd_complain(builder, node, "");
    free(points);
  }
}

void pc_crowd_read_sources(pc_crowd_builder *builder, pc_node list)
{
  int sources = pc_is_present(list) ? pc_read_list(list, "'sources'") : 0;
  for (int i = 0; i < sources && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_source))
      return;
    pc_node name = pc_get(node, "name"), rate = pc_get(node, "rate");
    const char *text = pc_read_name(name);
    int added = pc_failed(node) ? 0 : pc_names_add(&builder->sources, text);
    if (added < 0)
      pc_complain(name, added == -1 ? "two sources are called '%s'" : "out of memory at '%s'",
                  pc_node_text(name).text);
    pc_source_def def = {.floor = pc_crowd_read_floor(builder, node),
                         .rate = pc_is_present(rate) ? pc_read_number(rate) : 0};
    double(*points)[2] = pc_crowd_read_points(pc_get(node, "points"), 1, &def.count);
    def.points = (const double(*)[2])points;
    if (!pc_failed(node) && pc_crowd_add_source(builder->crowd, &def) < 0)
      pc_crowd_complain(builder, node, "");
    free(points);
  }
}

int pc_crowd_find_source(pc_crowd_builder *builder, pc_node name)
{
  int found = pc_names_find(&builder->sources, pc_read_name(name));
  if (!pc_failed(name) && found < 0)
    pc_complain(name, "there is no source '%s'", pc_node_text(name).text);
  return found;
}

// --- goals --------------------------------------------------------------------------------------

// The goal that the crowd has just got, under its number. Takes the points, and copies the name.
static void keep_goal(pc_crowd_builder *builder, pc_node node, int number, pc_scene_goal goal)
{
  pc_scene_people *people = &builder->scene->people;
  goal.name = strdup(goal.name);
  if (number < 0 || goal.name == NULL ||
      !pc_grow(&people->goal, &builder->goal_capacity, number + 1, sizeof *people->goal) ||
      !pc_grow(&builder->goal_node, &builder->node_capacity, number + 1,
               sizeof *builder->goal_node)) {
    if (number < 0)
      pc_crowd_complain(builder, node, "");
    else
      pc_complain(node, "out of memory");
    free(goal.name);
    free(goal.point);
    return;
  }
  builder->goal_node[number] = node;
  people->goal[number] = goal;
  people->goals = number + 1;
}

// Exits and areas share their names.
static const char *read_goal_name(pc_crowd_builder *builder, pc_node node)
{
  pc_node name = pc_get(node, "name");
  const char *text = pc_read_label(name);
  if (pc_failed(node))
    return text;
  if (strcmp(text, "all exits") == 0)
    pc_complain(name, "'all exits' is what tables call all of them together");
  int added = pc_names_add(&builder->goals, text);
  if (added < 0)
    pc_complain(name, added == -1 ? "two exits or areas are called '%s'" : "out of memory at '%s'",
                pc_node_text(name).text);
  return text;
}

void pc_crowd_read_exits(pc_crowd_builder *builder, pc_node list)
{
  int exits = pc_is_present(list) ? pc_read_list(list, "'exits'") : 0;
  for (int i = 0; i < exits && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_exit))
      return;
    pc_node counts = pc_get(node, "counts"), line = pc_get(node, "line");
    pc_scene_goal goal = {.name = (char *)read_goal_name(builder, node), .kind = PC_GOAL_EXIT};
    goal.floor = pc_crowd_read_floor(builder, node);
    goal.point = pc_crowd_read_points(line, 2, &goal.count);
    if (!pc_failed(node) && goal.count != 2)
      pc_complain(line, "the line of an exit has two points, %d are given", goal.count);
    pc_exit_def def = {.floor = goal.floor,
                       .at_front = pc_is_present(counts) && pc_read_word(counts) == 1};
    if (pc_failed(node)) {
      free(goal.point);
      return;
    }
    memcpy(def.line, goal.point, sizeof def.line);
    pc_node reenters = pc_get(node, "reenters");
    def.reenters = pc_is_present(reenters);
    def.source = def.reenters ? pc_crowd_find_source(builder, reenters) : 0;
    if (pc_failed(node)) {
      free(goal.point);
      return;
    }
    keep_goal(builder, node, pc_crowd_add_exit(builder->crowd, &def), goal);
  }
}

void pc_crowd_read_areas(pc_crowd_builder *builder, pc_node list)
{
  int areas = pc_is_present(list) ? pc_read_list(list, "'areas'") : 0;
  for (int i = 0; i < areas && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_area))
      return;
    pc_scene_goal goal = {.name = (char *)read_goal_name(builder, node), .kind = PC_GOAL_AREA};
    goal.floor = pc_crowd_read_floor(builder, node);
    goal.point = pc_crowd_read_points(pc_get(node, "points"), 3, &goal.count);
    if (pc_failed(node)) {
      free(goal.point);
      return;
    }
    int number =
        pc_crowd_add_area(builder->crowd, goal.floor, goal.count, (const double(*)[2])goal.point);
    keep_goal(builder, node, number, goal);
  }
}

static int find_goal(pc_crowd_builder *builder, pc_node name)
{
  int found = pc_names_find(&builder->goals, pc_read_name(name));
  if (!pc_failed(name) && found < 0)
    pc_complain(name, "there is no exit or area '%s'", pc_node_text(name).text);
  return found;
}

int pc_crowd_read_goal(pc_crowd_builder *builder, pc_node to)
{
  const pc_scene_people *people = &builder->scene->people;
  if (!pc_is_sequence(to))
    return find_goal(builder, to);
  enum { MOST = 1000 };
  int count = pc_read_list(to, "'to'"), member[MOST];
  char name[400] = "";
  if (!pc_failed(to) && (count < 1 || count > MOST))
    pc_complain(to, "'to' is an exit or an area, or a list of 1 to %d of them", MOST);
  for (int i = 0; i < count && !pc_failed(to); i++) {
    size_t used = strlen(name);
    member[i] = find_goal(builder, pc_item(to, i));
    for (int k = 0; k < i && !pc_failed(to); k++)
      if (member[k] == member[i])
        pc_complain(pc_item(to, i), "'%s' is there twice", pc_node_text(pc_item(to, i)).text);
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
  keep_goal(builder, to, number, goal);
  return number;
}

// --- changes of mind ----------------------------------------------------------------------------

static void read_detour(pc_crowd_builder *builder, pc_node node)
{
  pc_node where = pc_get(node, "where");
  pc_detour_def def = {.floor = pc_crowd_read_floor(builder, node),
                       .least = pc_read_integer(pc_get(node, "least")),
                       .from = find_goal(builder, pc_get(node, "from")),
                       .to = find_goal(builder, pc_get(node, "to")),
                       .holds = pc_read_boolean_or(pc_get(node, "holds"), false)};
  double(*zone)[2] = pc_crowd_read_points(pc_get(node, "zone"), 3, &def.count);
  double(*part)[2] = pc_is_present(where) ? pc_crowd_read_points(where, 3, &def.where_count) : NULL;
  def.points = (const double(*)[2])zone;
  def.where = (const double(*)[2])part;
  if (!pc_failed(node) && pc_crowd_add_detour(builder->crowd, &def) < 0)
    pc_crowd_complain(builder, node, "");
  free(zone);
  free(part);
}

void pc_crowd_read_detours(pc_crowd_builder *builder, pc_node list)
{
  int detours = pc_is_present(list) ? pc_read_list(list, "'detours'") : 0;
  for (int i = 0; i < detours && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (pc_read_keys(&node, &pc_table_detour))
      read_detour(builder, node);
  }
}

static void read_stage(pc_crowd_builder *builder, pc_node node, pc_stage *stage)
{
  if (!pc_read_keys(&node, &pc_table_stage))
    return;
  pc_node to = pc_get(node, "to"), until = pc_get(node, "until"), pause = pc_get(node, "pause");
  pc_node arrived = pc_get(node, "arrived");
  *stage = (pc_stage){.goal = pc_is_present(to) ? pc_crowd_read_goal(builder, to) : -1,
                      .until = pc_is_present(until) ? pc_read_number(until) : 0,
                      .arrived = pc_is_present(arrived) && pc_read_boolean(arrived),
                      .pause = pc_is_present(pause) ? pc_read_number(pause) : 0};
  if (!pc_failed(node) && stage->arrived &&
      (stage->goal < 0 || builder->scene->people.goal[stage->goal].kind != PC_GOAL_AREA))
    pc_complain(arrived, "one arrives at an area, which is in 'to'");
}

int pc_crowd_read_plan(pc_crowd_builder *builder, pc_node list)
{
  int count = pc_read_list(list, "'stages'"), plan = -1;
  bool walks = false;
  pc_stage *stages = calloc((size_t)count + 1, sizeof *stages);
  if (stages == NULL)
    pc_complain(list, "out of memory");
  for (int i = 0; i < count && !pc_failed(list); i++) {
    read_stage(builder, pc_item(list, i), &stages[i]);
    walks = walks || stages[i].goal >= 0;
  }
  if (!pc_failed(list) && !walks)
    pc_complain(list, "nobody walks in these stages: one of them needs 'to'");
  if (!pc_failed(list) && (plan = pc_crowd_add_plan(builder->crowd, count, stages)) < 0)
    pc_crowd_complain(builder, list, "");
  free(stages);
  return plan;
}
