// People of a `kind: crowd` file. Every draw comes from the seed of the file, in the order of the
// file: radius, mass, speeds and times of a person, then places until one is free.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plain.h"
#include "scene/crowd_file.h"
#include "scene/draws.h"

// Numbers of a person that may be drawn, in the order of the draws.
enum {
  RADIUS,
  MASS,
  SPEED,
  STAIRS_SPEED,
  RELAXATION,
  RESPONSE,
  ARRIVAL,
  ORIENTATION,
  AGE,
  NUMBERS
};

// What the file says of a group.
typedef struct group_file {
  pc_node floor;
  const char *name;
  int count;
  double familiar;
  bool stairs;
  pc_age_speeds speeds;
  pc_aid aid;
  pc_node inside, positions, to, stages, source, hands, together, knows, drawn[NUMBERS];
  pc_person_def person;
} group_file;

typedef struct group {
  pc_crowd_builder *builder;
  pc_node node;
  const char *name;
  int number;
  pc_person_def person;
  double age;
  pc_drawn value[NUMBERS];
  bool aged; // `age` gives the speed
  pc_age_speeds speeds;
} group;

// Normal within one deviation, or even between the limits.
static double draw_speed(const group *g)
{
  pc_speed_range range = pc_speed_of_age(g->speeds, g->age);
  bool normal = range.deviation > 0;
  pc_drawn speed = {.how = normal ? PC_DRAWN_NORMAL : PC_DRAWN_UNIFORM,
                    .a = normal ? range.mean : range.low,
                    .b = normal ? range.deviation : range.high,
                    .low = range.low,
                    .high = range.high,
                    .node = g->node};
  return pc_draw(&g->builder->random, &speed);
}

static void draw_person(group *g)
{
  pc_person_def *p = &g->person;
  double *const to[NUMBERS] = {[RADIUS] = &p->radius,
                               [MASS] = &p->mass,
                               [SPEED] = &p->speed,
                               [STAIRS_SPEED] = &p->stairs_speed,
                               [RELAXATION] = &p->relaxation,
                               [RESPONSE] = &p->response,
                               [ARRIVAL] = &p->arrival,
                               [ORIENTATION] = &p->orientation,
                               [AGE] = &g->age};
  for (int i = 0; i < NUMBERS; i++)
    *to[i] = pc_draw(&g->builder->random, &g->value[i]);
  if (g->aged)
    p->speed = draw_speed(g);
}

// Adds a person; negative if the crowd rejects the position.
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

static const pc_person_def *draw_next(void *of)
{
  group *g = of;
  draw_person(g);
  return &g->person;
}

static bool add_next(void *of, const pc_person_def *person)
{
  group *g = of;
  g->person = *person;
  return add_person(g) >= 0;
}

// People who enter at a source later have no position yet.
static void queue(group *g, pc_node node, int count)
{
  for (int i = 0; i < count && !pc_failed(node); i++) {
    draw_person(g);
    if (!pc_failed(node) && add_person(g) < 0)
      pc_crowd_complain(g->builder, node, pc_text_path(g->name).text);
  }
}

#define DRAWN(low) PC_A_NUMBER | PC_A_MAPPING, .mapping = &pc_table_draw, .range = {.kind = low}
static const pc_key group_keys[] = {
    {PC_KEY(group_file, name), PC_A_NAME, .left_out = "`group-N`, from 1",
     .meaning = "name of the group; its people are NAME-1, NAME-2, …"},
    {PC_KEY(group_file, count), PC_AN_INTEGER, PC_FROM(0, 1e7),
     .left_out = "required without `positions`", .meaning = "number of people; 0: nobody"},
    {PC_KEY(group_file, inside), PC_A_MAPPING, .with = "count", .mapping = &pc_table_place,
     .left_out = "anywhere on the floor",
     .meaning = "region of random starting positions, for the centres"},
    {PC_KEY(group_file, positions), PC_POINTS, .unit = "m", .count = {2, 2},
     .meaning = "starting position of each person"},
    {PC_KEY(group_file, to), PC_A_NAME | PC_NAMES, .count = {1, 1000},
     .left_out = "required without `stages`",
     .meaning =
         "goal: an exit or an area; of a list, the one by which they expect to be out first, "
         "or the nearest (`choose` of `routes`)"},
    {PC_KEY(group_file, knows), PC_A_NAME | PC_NAMES, .with = "to", .count = {1, 64},
     .left_out = "all of `to`",
     .meaning =
         "the goals of `to` that people know; others are taken once they, or a sign to them, "
         "come into sight"},
    {PC_KEY(group_file, familiar), PC_A_NUMBER, .with = "knows", PC_FROM(0, 1), .otherwise = "0",
     .meaning = "share of the people who know all goals of `to` all the same, drawn for each"},
    {PC_KEY(group_file, stages), PC_A_LIST, .mapping = &pc_table_stage,
     .left_out = "one goal, `to`", .meaning = "successive goals"},
    {PC_KEY(group_file, source), PC_A_NAME, .left_out = "present from the start",
     .meaning = "source where the people enter, with `count`"},
    {"arrival", PC_INTO(group_file, drawn[ARRIVAL]), DRAWN(PC_AT_LEAST), .with = "source",
     .unit = "s", .otherwise = "0", .meaning = "with `source`: earliest time of entry"},
    {"orientation", PC_INTO(group_file, drawn[ORIENTATION]), DRAWN(PC_ANY_FINITE), .unit = "rad",
     .otherwise = "0", .meaning = "initial orientation, with `turning`"},
    {PC_KEY(group_file, hands), PC_A_MAPPING, .mapping = &pc_table_hands, .left_out = "none",
     .meaning = "people who hold hands"},
    {PC_KEY(group_file, together), PC_A_MAPPING, .mapping = &pc_table_together, .left_out = "none",
     .meaning = "people who stay together by forces"},
    {PC_KEY(group_file, stairs), PC_A_BOOLEAN, .left_out = "true, but for wheelchairs",
     .meaning = "false: they take no stairs, but ramps"},
    {"lifts", PC_INTO(group_file, person.lifts), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: they may take lifts"},
    {"aim", PC_INTO(group_file, person.straight), PC_A_WORD,
     .words = PC_WORDS({"route", false}, {"middle", true}), .noun = "aim", .otherwise = "route",
     .meaning =
         "`route`: follow the fastest route; `middle`: walk straight to the middle of the goal"},
    {"radius", PC_INTO(group_file, drawn[RADIUS]), DRAWN(PC_ABOVE), .unit = "m",
     .left_out = "0.225, or that of `aid`", .meaning = "radius of a person"},
    {"age", PC_INTO(group_file, drawn[AGE]), DRAWN(PC_AT_LEAST), .left_out = "no part",
     .meaning = "age in years, which gives the `speed` of each person"},
    {PC_KEY(group_file, speeds), PC_A_WORD, .with = "age",
     .words = PC_WORDS({"weidmann", PC_SPEEDS_WEIDMANN}, {"imo_women", PC_SPEEDS_IMO_WOMEN},
                       {"imo_men", PC_SPEEDS_IMO_MEN}),
     .noun = "table of speeds", .otherwise = "weidmann",
     .meaning = "speeds by age: Weidmann's with their deviation, or those of IMO MSC.1/Circ.1533"},
    {PC_KEY(group_file, aid), PC_A_WORD,
     .words = PC_WORDS({"none", PC_AID_NONE}, {"cane", PC_AID_CANE}, {"crutches", PC_AID_CRUTCHES},
                       {"frame", PC_AID_FRAME}, {"wheelchair", PC_AID_WHEELCHAIR},
                       {"attended_wheelchair", PC_AID_ATTENDED_WHEELCHAIR},
                       {"electric_wheelchair", PC_AID_ELECTRIC_WHEELCHAIR}),
     .noun = "aid", .otherwise = "none",
     .meaning = "gives the defaults of `speed`, `radius`, `mass`, `stairs_speed` and `stairs` "
                "(Boyce et al. 1999)"},
    {"mass", PC_INTO(group_file, drawn[MASS]), DRAWN(PC_ABOVE), .unit = "kg",
     .left_out = "80, or that of `aid`", .meaning = "mass of a person"},
    {"speed", PC_INTO(group_file, drawn[SPEED]), DRAWN(PC_AT_LEAST), .unit = "m/s",
     .left_out = "1.34, or that of `age` or `aid`", .meaning = "desired speed"},
    {"stairs_speed", PC_INTO(group_file, drawn[STAIRS_SPEED]), DRAWN(PC_AT_LEAST), .unit = "m/s",
     .left_out = "0.5, or that of `aid`",
     .meaning = "desired speed in slow zones without a speed, and on stairs; if it is left out, "
                "speeds on stairs with a `rise` follow their slope"},
    {"relaxation", PC_INTO(group_file, drawn[RELAXATION]), DRAWN(PC_ABOVE), .unit = "s",
     .otherwise = "0.5", .meaning = "relaxation time to the desired velocity"},
    {"response", PC_INTO(group_file, drawn[RESPONSE]), DRAWN(PC_AT_LEAST), .unit = "s",
     .otherwise = "0", .meaning = "time before people start to walk"},
    {"velocity", PC_INTO(group_file, person.velocity), PC_NUMBERS, .unit = "m/s", .count = {2, 2},
     .otherwise = "[0, 0]", .meaning = "initial velocity"},
    {0}};
const pc_mapping pc_table_group = {"group", "a group of people",
                                   "People with the same goal: `count` people at random positions, "
                                   "or people at given `positions`.",
                                   .keys = {group_keys, pc_on_floor_keys}};

// What is not given follows from the aid.
static void read_value(const group_file *file, int number, pc_drawn *to)
{
  pc_aid_values of = pc_aid_of(file->aid);
  const double own[NUMBERS] = {
      [RADIUS] = of.radius, [MASS] = of.mass, [SPEED] = of.speed, [STAIRS_SPEED] = of.stairs_speed};
  bool is_own = number == RADIUS || number == MASS || number == SPEED || number == STAIRS_SPEED;
  if (pc_is_present(file->drawn[number]) || !(is_own || number == AGE)) {
    pc_read_drawn(file->drawn[number], to);
    return;
  }
  *to = (pc_drawn){.a = own[number], .node = file->drawn[number]};
  if (number != SPEED || file->aid == PC_AID_NONE || !(of.deviation > 0))
    return;
  to->how = PC_DRAWN_NORMAL;
  to->b = of.deviation;
  to->low = of.speed - of.deviation;
  to->high = of.speed + of.deviation;
}

double pc_crowd_least_radius(pc_node node)
{
  pc_drawn radius;
  group_file file;
  if (!pc_bind(&node, &pc_table_group, &file))
    return 0;
  read_value(&file, RADIUS, &radius);
  return radius.how == PC_DRAWN_NORMAL ? fmax(0, radius.low) : radius.a;
}

void pc_crowd_read_group_goal(pc_crowd_builder *builder, pc_node node, int goal[2])
{
  group_file file;
  if (!pc_bind(&node, &pc_table_group, &file))
    return;
  if (pc_is_present(file.to) == pc_is_present(file.stages))
    pc_complain(node, "a group needs either 'to' or 'stages'");
  goal[0] = pc_is_present(file.to) ? pc_crowd_read_goal(builder, file.to) : 0;
  goal[1] = pc_is_present(file.stages) ? pc_crowd_read_plan(builder, file.stages) : -1;
}

static void place_group(group *g, const group_file *file)
{
  pc_node count = PC_NODE(g->node, group_file, count);
  if (pc_is_present(file->positions)) {
    place_given(g, file->positions);
    return;
  }
  if (g->person.source >= 0) {
    queue(g, count, file->count);
    return;
  }
  const pc_places places = {.builder = g->builder,
                            .group = g->node,
                            .node = count,
                            .inside = file->inside,
                            .name = g->name,
                            .floor = g->person.floor,
                            .count = file->count,
                            .draw = draw_next,
                            .add = add_next,
                            .of = g};
  pc_crowd_place_at_random(&places);
}

static void read_group(pc_crowd_builder *builder, pc_node node, int number, const int goal[2])
{
  group_file file = {.person = pc_person_def_default()};
  if (!pc_bind(&node, &pc_table_group, &file))
    return;
  char own[32];
  pc_scene_people *people = &builder->scene->people;
  group g = {.builder = builder, .node = node, .number = number, .person = file.person};
  bool sourced = pc_is_present(file.source), placed = pc_is_present(file.positions);
  int first = builder->people;
  snprintf(own, sizeof own, "group-%d", number + 1);
  g.name = file.name != NULL ? file.name : own;
  pc_names_add_at(&builder->groups, g.name, pc_at(PC_NODE(node, group_file, name), node), "groups");
  if (!sourced) // which has a floor
    g.person.floor = pc_crowd_read_floor(builder, node, file.floor);
  else if (pc_is_present(file.floor))
    pc_complain(file.source, "people who enter at a source cannot have 'inside' or 'positions'");
  g.person.goal = goal[0];
  g.person.plan = goal[1];
  if (g.person.straight && !pc_failed(node) && goal[1] < 0 &&
      people->goal[goal[0]].kind == PC_GOAL_CHOICE)
    pc_complain(PC_NODE(node, group_file, person.straight), "'aim: middle' requires a single goal");
  for (int i = 0; i < NUMBERS; i++)
    read_value(&file, i, &g.value[i]);
  g.person.no_stairs =
      PC_GIVEN(node, group_file, stairs) ? !file.stairs : pc_aid_of(file.aid).no_stairs;
  g.person.own_stairs = PC_GIVEN(node, group_file, drawn[STAIRS_SPEED]) || file.aid != PC_AID_NONE;
  g.aged = PC_GIVEN(node, group_file, drawn[AGE]);
  g.speeds = file.speeds;
  if (g.aged && PC_GIVEN(node, group_file, drawn[SPEED]))
    pc_complain(PC_NODE(node, group_file, drawn[SPEED]), "'age' gives the speed: remove 'speed'");
  if (!pc_failed(node) && PC_GIVEN(node, group_file, count) == placed)
    pc_complain(node, "a group needs either 'count' or 'positions'");
  if (sourced && (pc_is_present(file.inside) || placed))
    pc_complain(file.source, "people who enter at a source cannot have 'inside' or 'positions'");
  if (sourced)
    g.person.source = pc_crowd_find_source(builder, file.source);
  if (!pc_failed(node))
    place_group(&g, &file);
  pc_company company = {builder, g.name, first, goal[0]};
  pc_crowd_hold_hands(&company, file.hands);
  pc_crowd_stay_together(&company, file.together);
  pc_crowd_know(&company, file.knows, file.familiar);
}

// A person who walks more than half the radius in a step could pass through a wall undetected.
static void check_step(pc_crowd_builder *builder, pc_node step)
{
  double h = builder->scene->step;
  for (int i = 0; i < builder->people && !pc_failed(step); i++) {
    pc_person_def p = pc_crowd_person_def(builder->crowd, i);
    if (h * p.speed > 0.5 * p.radius)
      pc_complain(step,
                  "the step of %g s is too long: a person of radius %g m walks %.3g m in it; use a "
                  "step of at most %.2g s",
                  h, p.radius, h * p.speed, 0.5 * p.radius / p.speed);
  }
}

void pc_crowd_read_people(pc_crowd_builder *builder, pc_node list, const int (*goals)[2],
                          pc_node step)
{
  int groups = pc_read_list(list, "'people'");
  for (int i = 0; i < groups && !pc_failed(list); i++)
    read_group(builder, pc_item(list, i), i, goals[i]);
  if (!pc_failed(list) && builder->people == 0)
    pc_complain(list, "the crowd has no people: every 'count' is 0");
  if (!pc_failed(list))
    check_step(builder, step);
}
