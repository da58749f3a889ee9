// People of a `kind: crowd` file. Every draw comes from the seed of the file, in the order of the
// file: radius, mass, speeds and times of a person, then places until one is free.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "crowd/layout.h"
#include "scene/crowd_file.h"
#include "scene/tables.h"

// --- numbers that may be drawn ------------------------------------------------------------------

typedef struct drawn {
  enum { DRAWN_NOT, DRAWN_UNIFORM, DRAWN_NORMAL } how;
  double a, b;      // the value; least and most; mean and deviation
  double low, high; // what is outside is drawn again
  bool above;       // low itself is outside
  pc_node node;
} drawn;

static bool may_be(const drawn *d, double value)
{
  return value >= d->low && value <= d->high && !(d->above && value == d->low);
}

static void read_between(pc_node node, drawn *d)
{
  double limit[2];
  if (!pc_is_present(node))
    return;
  if (d->how != DRAWN_NORMAL)
    pc_complain(node, "'between' goes with 'normal'");
  pc_read_vector(node, 2, 2, limit);
  if (!pc_failed(node) && !(limit[0] <= limit[1]))
    pc_complain(node, "'between' ends before it starts");
  if (limit[0] > d->low) {
    d->low = limit[0];
    d->above = false;
  }
  d->high = limit[1];
}

static void read_drawn(pc_node group, const char *key, double otherwise, drawn *d)
{
  pc_node node = pc_get(group, key);
  *d = (drawn){.a = otherwise, .low = -INFINITY, .high = INFINITY, .node = node};
  if (!pc_is_present(node))
    return;
  if (node.key->range.kind != PC_ANY_FINITE)
    d->low = node.key->range.low;
  d->above = node.key->range.kind == PC_ABOVE;
  if (!pc_is_mapping(node)) {
    d->a = pc_read_number(node);
    return;
  }
  if (!pc_read_keys(&node, &pc_table_draw))
    return;
  pc_node uniform = pc_get(node, "uniform"), normal = pc_get(node, "normal");
  double two[2];
  if (pc_is_present(uniform) == pc_is_present(normal)) {
    pc_complain(node, "a number that is drawn is either 'uniform' or 'normal'");
    return;
  }
  d->how = pc_is_present(uniform) ? DRAWN_UNIFORM : DRAWN_NORMAL;
  pc_read_vector(d->how == DRAWN_UNIFORM ? uniform : normal, 2, 2, two);
  d->a = two[0], d->b = two[1];
  if (pc_failed(node))
    return;
  if (d->how == DRAWN_UNIFORM && !(d->a <= d->b))
    pc_complain(uniform, "'uniform' ends before it starts");
  else if (d->how == DRAWN_UNIFORM && !may_be(d, d->a))
    pc_complain(uniform, "'%s' cannot be %g", key, d->a);
  else if (d->how == DRAWN_NORMAL && d->b < 0)
    pc_complain(normal, "a deviation is not negative");
  read_between(pc_get(node, "between"), d);
}

static double draw(pc_random *random, const drawn *d)
{
  if (d->how == DRAWN_NOT)
    return d->a;
  if (d->how == DRAWN_UNIFORM)
    return pc_random_uniform(random, d->a, d->b);
  for (int i = 0; i < 10000; i++) {
    double value = d->a + d->b * pc_random_normal(random);
    if (may_be(d, value))
      return value;
  }
  pc_complain(d->node, "hardly any number that is drawn is between its limits");
  return d->a;
}

// --- where --------------------------------------------------------------------------------------

typedef struct place {
  double low[2], high[2];
  int count; // corners of a polygon; 0: a box
  double (*corner)[2];
} place;

static void read_place(pc_crowd_builder *builder, pc_node node, int floor, place *where)
{
  *where = (place){.count = 0};
  memcpy(where->low, builder->bounds[floor], sizeof where->low);
  memcpy(where->high, builder->bounds[floor] + 2, sizeof where->high);
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_place))
    return;
  pc_node box = pc_get(node, "box"), polygon = pc_get(node, "polygon");
  if (pc_is_present(box) == pc_is_present(polygon)) {
    pc_complain(node, "'inside' is either a 'box' or a 'polygon'");
    return;
  }
  bool is_box = pc_is_present(box);
  int count;
  double(*point)[2] = pc_crowd_read_points(is_box ? box : polygon, is_box ? 2 : 3, &count);
  if (point == NULL)
    return;
  if (is_box && count != 2)
    pc_complain(box, "a box is [low corner, high corner]");
  for (int k = 0; k < 2; k++) {
    where->low[k] = where->high[k] = point[0][k];
    for (int i = 1; i < count; i++) {
      where->low[k] = fmin(where->low[k], point[i][k]);
      where->high[k] = fmax(where->high[k], point[i][k]);
    }
    if (is_box && point[1][k] < point[0][k])
      pc_complain(box, "the box ends before it starts");
  }
  where->count = is_box ? 0 : count;
  where->corner = is_box ? NULL : point;
  if (is_box)
    free(point);
}

// --- a group ------------------------------------------------------------------------------------

typedef struct group {
  pc_crowd_builder *builder;
  pc_node node;
  const char *name;
  int number;
  pc_person_def person;
  drawn radius, mass, speed, stairs_speed, relaxation, response, arrival, orientation;
} group;

static void draw_person(group *g)
{
  pc_random *random = &g->builder->random;
  g->person.radius = draw(random, &g->radius);
  g->person.mass = draw(random, &g->mass);
  g->person.speed = draw(random, &g->speed);
  g->person.stairs_speed = draw(random, &g->stairs_speed);
  g->person.relaxation = draw(random, &g->relaxation);
  g->person.response = draw(random, &g->response);
  g->person.arrival = draw(random, &g->arrival);
  g->person.orientation = draw(random, &g->orientation);
}

// Somebody more; below 0 if the crowd refuses.
static int add_person(group *g)
{
  pc_crowd_builder *builder = g->builder;
  int **of = &builder->scene->people.group;
  if (!pc_grow(of, &builder->group_capacity, builder->people + 1, sizeof **of)) {
    pc_complain(g->node, "out of memory");
    return -1;
  }
  int added = pc_crowd_add_person(builder->crowd, &g->person);
  if (added >= 0)
    (*of)[builder->people++] = g->number;
  return added;
}

static void place_given(group *g, pc_node list)
{
  int count;
  double(*position)[2] = pc_crowd_read_points(list, 1, &count);
  for (int i = 0; i < count && position != NULL && !pc_failed(list); i++) {
    draw_person(g);
    memcpy(g->person.position, position[i], sizeof *position);
    char who[100];
    snprintf(who, sizeof who, "'%.60s-%d'", pc_text_path(g->name).text, i + 1);
    if (!pc_failed(list) && add_person(g) < 0)
      pc_crowd_complain(g->builder, pc_item(list, i), who);
  }
  free(position);
}

// Tries so often; where nobody was placed yet it is the place that is wrong, not the crowd in it.
enum { TRIES = 10000, FIRST_TRIES = 1000 };

// A place beyond the walls is only passed over; but if nobody finds another, walls are missing.
static bool place_one(group *g, const place *where, bool first)
{
  double open[2] = {0, 0};
  bool opened = false;
  for (int tries = 0; tries < (first ? FIRST_TRIES : TRIES) && !pc_failed(g->node); tries++) {
    double *p = g->person.position;
    for (int k = 0; k < 2; k++)
      p[k] = pc_random_uniform(&g->builder->random, where->low[k], where->high[k]);
    if (where->count > 0 && !pc_is_inside(where->count, (const double(*)[2])where->corner, p))
      continue;
    int added = add_person(g);
    if (added >= 0)
      return true;
    if (strcmp(pc_crowd_error(g->builder->crowd), "out of memory") == 0) // elsewhere is no help
      pc_complain(g->node, "out of memory");
    if (added == PC_NO_WAY) { // a part of the floor is shut off: people elsewhere would hide it
      char who[200];
      snprintf(who, sizeof who,
               "'%.60s' start at random where a part is shut off ('inside' says where they start)",
               pc_text_path(g->name).text);
      pc_crowd_complain(g->builder, g->node, who);
    }
    if (added == PC_OPEN_WALLS && !opened) {
      opened = true;
      memcpy(open, p, sizeof open);
    }
  }
  if (!opened || !first || pc_failed(g->node))
    return false;
  memcpy(g->person.position, open, sizeof open);
  if (add_person(g) == PC_OPEN_WALLS) // for its words
    pc_crowd_complain(g->builder, g->node, "");
  return false;
}

static void place_random(group *g, pc_node node, const place *where, int count)
{
  const pc_crowd_builder *builder = g->builder;
  int placed = 0;
  for (; placed < count && !pc_failed(node); placed++) {
    draw_person(g);
    if (!place_one(g, where, placed == 0))
      break;
  }
  if (pc_failed(node) || placed == count)
    return;
  char what[300], on[100] = "";
  if (builder->floors.count > 1)
    snprintf(on, sizeof on, " on floor '%.60s'", builder->floors.names[g->person.floor]);
  snprintf(what, sizeof what,
           "%d of %d people of '%.60s' found room between (%g, %g) and (%g, %g)%s", placed, count,
           pc_text_path(g->name).text, where->low[0], where->low[1], where->high[0], where->high[1],
           on);
  if (placed > 0)
    pc_complain(node, "%s; the others do not fit", what);
  else
    pc_crowd_complain(g->builder, node, what);
}

// Those who come in later have no place yet.
static void queue(group *g, pc_node node, int count)
{
  for (int i = 0; i < count && !pc_failed(node); i++) {
    draw_person(g);
    if (!pc_failed(node) && add_person(g) < 0)
      pc_crowd_complain(g->builder, node, pc_text_path(g->name).text);
  }
}

// Neighbours in rows of so many.
static void hold_hands(group *g, pc_node node, int first)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_hands))
    return;
  pc_node given = pc_get(node, "size");
  int size = pc_is_present(given) ? pc_read_integer(given) : 2;
  double stiffness = pc_read_number(pc_get(node, "stiffness"));
  for (int i = first + 1; i < g->builder->people && !pc_failed(node); i++)
    if ((i - first) % size != 0 && pc_crowd_add_hands(g->builder->crowd, i - 1, i, stiffness) < 0)
      pc_crowd_complain(g->builder, node, pc_text_path(g->name).text);
}

// Those who stay together are as many as wanted, but for the last ones.
static void stay_together(group *g, pc_node node, int first)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_together))
    return;
  static const pc_group_kind kinds[] = {PC_GROUP_MOUSSAID, PC_GROUP_SINGH};
  static const char *const keys[2][4] = {{"gaze", "attraction", "repulsion", "spacing"},
                                         {"distance", "rate"}};
  int kind = pc_read_word(pc_get(node, "kind")), all = g->builder->people - first;
  if (pc_failed(node))
    return;
  pc_group_def def = pc_group_def_default(kinds[kind]);
  double *const numbers[2][4] = {{&def.gaze, &def.attraction, &def.repulsion, &def.spacing},
                                 {&def.distance, &def.rate}};
  for (int k = 0; k < 4; k++) {
    const char *own = keys[kind][k], *other = keys[1 - kind][k];
    if (own != NULL)
      *numbers[kind][k] = pc_read_number_or(pc_get(node, own), *numbers[kind][k]);
    if (other != NULL && pc_is_present(pc_get(node, other)))
      pc_complain(pc_get(node, other), "'%s' goes with '%s'", other,
                  kind == 0 ? "singh" : "moussaid");
  }
  pc_node given = pc_get(node, "size");
  int size = pc_is_present(given) ? pc_read_integer(given) : 2;
  int *people = calloc((size_t)all + 1, sizeof *people);
  if (people == NULL)
    pc_complain(node, "out of memory");
  for (int i = 0; i < all && !pc_failed(node); i++)
    people[i] = first + i;
  for (int i = 0; i + 1 < all && !pc_failed(node); i += size) {
    def.people = people + i;
    def.count = all - i < size ? all - i : size;
    if (pc_crowd_add_group(g->builder->crowd, &def) < 0)
      pc_crowd_complain(g->builder, node, pc_text_path(g->name).text);
  }
  free(people);
}

static void read_numbers(group *g, pc_node node)
{
  pc_person_def usual = pc_person_def_default();
  pc_node velocity = pc_get(node, "velocity");
  read_drawn(node, "radius", usual.radius, &g->radius);
  read_drawn(node, "mass", usual.mass, &g->mass);
  read_drawn(node, "speed", usual.speed, &g->speed);
  read_drawn(node, "stairs_speed", usual.stairs_speed, &g->stairs_speed);
  read_drawn(node, "relaxation", usual.relaxation, &g->relaxation);
  read_drawn(node, "response", usual.response, &g->response);
  read_drawn(node, "arrival", usual.arrival, &g->arrival);
  read_drawn(node, "orientation", usual.orientation, &g->orientation);
  if (pc_is_present(velocity))
    pc_read_vector(velocity, 2, 2, g->person.velocity);
}

double pc_crowd_least_radius(pc_node node)
{
  drawn radius;
  if (!pc_read_keys(&node, &pc_table_group))
    return 0;
  read_drawn(node, "radius", pc_person_def_default().radius, &radius);
  return radius.how == DRAWN_NORMAL ? fmax(0, radius.low) : radius.a;
}

static const char *read_name(group *g, char *own, size_t size)
{
  pc_node name = pc_get(g->node, "name");
  snprintf(own, size, "group-%d", g->number + 1);
  const char *text = pc_is_present(name) ? pc_read_name(name) : own;
  int added = pc_failed(g->node) ? 0 : pc_names_add(&g->builder->groups, text);
  if (added < 0)
    pc_complain(pc_is_present(name) ? name : g->node,
                added == -1 ? "two groups are called '%s'" : "out of memory at '%s'",
                pc_text_path(text).text);
  return text;
}

static void place_group(group *g, pc_node node)
{
  pc_node positions = pc_get(node, "positions"), count = pc_get(node, "count");
  place where;
  if (pc_is_present(positions)) {
    place_given(g, positions);
    return;
  }
  int wanted = pc_read_integer(count);
  if (g->person.source >= 0) {
    queue(g, count, wanted);
    return;
  }
  read_place(g->builder, pc_get(node, "inside"), g->person.floor, &where);
  if (!pc_failed(node))
    place_random(g, count, &where, wanted);
  free(where.corner);
}

static void read_group(pc_crowd_builder *builder, pc_node node, int number, const int goal[2])
{
  if (!pc_read_keys(&node, &pc_table_group))
    return;
  char own[32];
  pc_scene_people *people = &builder->scene->people;
  group g = {.builder = builder, .node = node, .number = number};
  pc_node count = pc_get(node, "count"), positions = pc_get(node, "positions");
  pc_node aim = pc_get(node, "aim"), inside = pc_get(node, "inside");
  pc_node source = pc_get(node, "source"), arrival = pc_get(node, "arrival");
  int first = builder->people;
  g.name = read_name(&g, own, sizeof own);
  g.person = pc_person_def_default();
  if (!pc_is_present(source)) // which has a floor
    g.person.floor = pc_crowd_read_floor(builder, node);
  else if (pc_is_present(pc_get(node, "floor")))
    pc_complain(source, "who comes in at a source has no other place");
  g.person.goal = goal[0];
  g.person.plan = goal[1];
  g.person.straight = pc_is_present(aim) && pc_read_word(aim) == 1;
  if (g.person.straight && !pc_failed(node) && goal[1] < 0 &&
      people->goal[goal[0]].kind == PC_GOAL_CHOICE)
    pc_complain(aim, "'aim: middle' goes with one goal, not with the nearest of several");
  read_numbers(&g, node);
  if (!pc_failed(node) && pc_is_present(count) == pc_is_present(positions))
    pc_complain(node, "a group has either 'count' or 'positions'");
  if (pc_is_present(inside) && pc_is_present(positions))
    pc_complain(inside, "'inside' goes with 'count'");
  if (pc_is_present(source) && (pc_is_present(inside) || pc_is_present(positions)))
    pc_complain(source, "who comes in at a source has no other place");
  if (pc_is_present(arrival) && !pc_is_present(source))
    pc_complain(arrival, "'arrival' goes with 'source'");
  if (pc_is_present(source))
    g.person.source = pc_crowd_find_source(builder, source);
  if (!pc_failed(node))
    place_group(&g, node);
  hold_hands(&g, pc_get(node, "hands"), first);
  stay_together(&g, pc_get(node, "together"), first);
}

// Who walks half their radius in a step may be through a wall before it is seen.
static void check_step(pc_crowd_builder *builder, pc_node step)
{
  double h = builder->scene->step;
  for (int i = 0; i < builder->people && !pc_failed(step); i++) {
    pc_person_def p = pc_crowd_person_def(builder->crowd, i);
    if (h * p.speed > 0.5 * p.radius)
      pc_complain(step,
                  "in a step of %g s somebody of radius %g m walks %.3g m: people need steps of at "
                  "most %.2g s",
                  h, p.radius, h * p.speed, 0.5 * p.radius / p.speed);
  }
}

void pc_crowd_read_people(pc_crowd_builder *builder, pc_node list, const int (*goals)[2],
                          pc_node step)
{
  int groups = pc_read_list(list, "'people'");
  for (int i = 0; i < groups && !pc_failed(list); i++)
    read_group(builder, pc_item(list, i), i, goals[i]);
  if (!pc_failed(list))
    check_step(builder, step);
}
