// Points of a `kind: crowd` file, and complaints of the crowd in the words of the file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/crowd_file.h"

double (*pc_crowd_read_points(pc_node list, int least, int *count))[2]
{
  *count = pc_read_list(list, "a list of points");
  if (pc_failed(list))
    return NULL;
  if (*count < least) {
    pc_complain(list, "got %d point%s, expected at least %d", *count, *count == 1 ? "" : "s",
                least);
    return NULL;
  }
  double(*points)[2] = pc_allocate(list, *count, sizeof *points); // room to close a wall
  for (int i = 0; i < *count && !pc_failed(list); i++)
    pc_read_vector(pc_item(list, i), 2, 2, points[i]);
  if (!pc_failed(list))
    return points;
  free(points);
  return NULL;
}

// The name of the person of this number, as the scene calls them.
static void write_person(const pc_crowd_builder *b, int person, char *text, size_t size)
{
  const int *group = b->scene->people.group;
  int number = 1;
  for (int i = 0; i < person; i++)
    number += group[i] == group[person];
  snprintf(text, size, "'%.60s-%d'", b->groups.names[group[person]], number);
}

// What the file calls a part of the crowd. The only floor needs no name.
static void write_name(void *context, pc_crowd_object object, int number, char *text, size_t size)
{
  const pc_crowd_builder *b = context;
  const pc_scene_people *people = &b->scene->people;
  if (object == PC_CROWD_FLOOR && number < b->floors.count && b->floors.count == 1)
    text[0] = 0;
  else if (object == PC_CROWD_FLOOR && number < b->floors.count)
    snprintf(text, size, "floor '%.60s'", b->floors.names[number]);
  else if (object == PC_CROWD_GOAL && number < people->goals)
    snprintf(text, size, "'%.60s'", people->goal[number].name);
  else if (object == PC_CROWD_PERSON && number < b->people)
    write_person(b, number, text, size);
}

void pc_crowd_complain(pc_crowd_builder *builder, pc_node node, const char *what)
{
  char text[512];
  pc_crowd_explain(builder->crowd, write_name, builder, text, sizeof text);
  pc_complain(node, "%s%s%s", what, *what ? ": " : "", text);
}

void pc_crowd_build_wall(pc_crowd_builder *builder, int floor, pc_node node, pc_wall_kind kind,
                         int count, const double (*points)[2])
{
  if (pc_failed(node) || points == NULL)
    return;
  double *bounds = builder->bounds.at[floor];
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) {
      bounds[k] = fmin(bounds[k], points[i][k]);
      bounds[2 + k] = fmax(bounds[2 + k], points[i][k]);
    }
  if (pc_crowd_add_wall(builder->crowd, floor, kind, count, points) != PC_OK)
    pc_crowd_complain(builder, node, "");
}
