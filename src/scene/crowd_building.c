// Floors, exits and areas of a `kind: crowd` file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "scene/crowd_file.h"
#include "scene/rigid_file.h"
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
  if (of_file && pc_rigid_find_file(node, path, sizeof path)) {
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

static bool add_floor(pc_crowd_builder *builder, pc_node node, int i)
{
  pc_node given = pc_get(node, "name");
  char own[32];
  snprintf(own, sizeof own, "floor-%d", i + 1);
  int added = pc_names_add(&builder->floors, pc_is_present(given) ? pc_read_name(given) : own);
  if (!pc_failed(node) && added < 0)
    pc_complain(pc_is_present(given) ? given : node,
                added == -1 ? "two floors are called '%s'" : "out of memory at '%s'",
                pc_is_present(given) ? pc_node_text(given).text : own);
  if (!pc_failed(node) && pc_crowd_add_floor(builder->crowd) < 0)
    pc_crowd_complain(builder, node, "");
  double *bounds = builder->bounds[i];
  bounds[0] = bounds[1] = INFINITY;
  bounds[2] = bounds[3] = -INFINITY;
  return !pc_failed(node);
}

void pc_crowd_read_floors(pc_crowd_builder *builder, pc_node list)
{
  int floors = pc_read_list(list, "'floors'");
  builder->bounds = calloc((size_t)floors + 1, sizeof *builder->bounds);
  if (builder->bounds == NULL)
    pc_complain(list, "out of memory");
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
  const char *text = pc_read_name(name);
  if (pc_failed(node))
    return text;
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
                       .at_front = pc_is_present(counts) && pc_read_word(counts) == 0};
    if (pc_failed(node)) {
      free(goal.point);
      return;
    }
    memcpy(def.line, goal.point, sizeof def.line);
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
