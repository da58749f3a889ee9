// What is kept of a `kind: crowd` file: goals with their names, walls as they are written.
#include <stdlib.h>
#include <string.h>

#include "scene/crowd_file.h"

void pc_crowd_keep_goal(pc_crowd_builder *builder, pc_node node, int number, pc_scene_goal goal)
{
  pc_scene_people *people = &builder->scene->people;
  goal.name = strdup(goal.name);
  if (number < 0 || goal.name == NULL ||
      !pc_grow(&people->goal, &builder->goal_capacity, number + 1, sizeof *people->goal) ||
      !pc_array_reserve(&builder->goal_node, number + 1)) {
    if (number < 0)
      pc_crowd_complain(builder, node, "");
    else
      pc_complain(node, "out of memory");
    free(goal.name);
    free(goal.point);
    return;
  }
  builder->goal_node.at[number] = node;
  people->goal[number] = goal;
  people->goals = number + 1;
}

static void keep(pc_scene_wall **list, int *count, int *capacity, pc_node node, pc_scene_wall wall)
{
  if (!pc_grow(list, capacity, *count + 1, sizeof **list)) {
    pc_complain(node, "out of memory");
    free(wall.point);
    return;
  }
  (*list)[(*count)++] = wall;
}

void pc_crowd_keep_wall(pc_crowd_builder *builder, pc_node node, pc_scene_wall wall)
{
  pc_scene_people *people = &builder->scene->people;
  keep(&people->wall, &people->walls, &builder->wall_capacity, node, wall);
}

void pc_crowd_keep_door(pc_crowd_builder *builder, pc_node node, pc_scene_wall door)
{
  pc_scene_people *people = &builder->scene->people;
  keep(&people->door, &people->doors, &builder->door_capacity, node, door);
}

void pc_crowd_name_goal(pc_crowd_builder *builder, const char *name, pc_node node)
{
  if (strcmp(name, "all exits") == 0)
    pc_complain(node, "the name 'all exits' is reserved for the sum of all exits");
  pc_names_add_at(&builder->goals, name, node, "exits or areas");
}

void pc_crowd_add_exit_line(pc_crowd_builder *builder, pc_node node, int floor, const char *name,
                            const double line[2][2])
{
  pc_exit_def def = {.floor = floor};
  pc_scene_goal goal = {
      .name = (char *)name, .kind = PC_GOAL_EXIT, .floor = floor, .count = 2, .entry = -1};
  pc_crowd_name_goal(builder, name, node);
  goal.point = pc_allocate(node, 2, sizeof *goal.point);
  if (pc_failed(node)) {
    free(goal.point);
    return;
  }
  memcpy(def.line, line, sizeof def.line);
  memcpy(goal.point, line, sizeof def.line);
  pc_crowd_keep_goal(builder, node, pc_crowd_add_exit(builder->crowd, &def), goal);
}
