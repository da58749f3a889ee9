// Values that the contract suite passes by value, and arrays and files behind them.
#include <stdio.h>
#include <string.h>

#include "api/fixture.h"

const char *fixture_long_text(void)
{
  static char text[5001];
  memset(text, 'x', sizeof text - 1);
  return text;
}

const char *fixture_rigid_text(void)
{
  return "kind: rigid\n"
         "duration: 0.004\n"
         "step: 1e-3\n"
         "obstacles: [{name: floor, shape: {type: plane}}]\n"
         "bodies: [{name: a, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1]},\n"
         "         {name: b, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.3]}]\n";
}

const char *fixture_impact_text(void)
{
  return "kind: impact\n"
         "heat: {mode: adiabatic}\n"
         "bodies: [{id: a, dof: 1, mass: 1, velocity: [1], temperature: 300, capacity: 1},\n"
         "         {id: b, dof: 1, mass: 1, velocity: [0], temperature: 310, capacity: 1}]\n"
         "interactions: [{type: contact, bodies: [a, b], normal: [-1],\n"
         "                law: {normal: {kind: quadratic, k: 4}}}]\n";
}

double *fixture_room(void)
{
  static double room[64];
  return room;
}

const double *fixture_numbers(void)
{
  static double numbers[4];
  for (int i = 0; i < 4; i++)
    numbers[i] = i;
  return numbers;
}

void fixture_put(const double *at, double value)
{
  if (at != NULL)
    ((double *)at)[0] = value;
}

const pc_landing_def *fixture_landings(void)
{
  static pc_landing_def stops[2];
  for (int i = 0; i < 2; i++)
    stops[i] = (pc_landing_def){i, {{0.3, 0.3}, {0.3, 0.6}}, 3.0 * i};
  return stops;
}

const double (*fixture_segment(void))[2]
{
  static double points[2][2];
  memcpy(points, (double[2][2]){{0.3, 0.3}, {0.3, 0.6}}, sizeof points);
  return (const double(*)[2])points;
}

const double (*fixture_square(void))[2]
{
  static double points[4][2];
  memcpy(points, (double[4][2]){{0.2, 0.2}, {0.6, 0.2}, {0.6, 0.6}, {0.2, 0.6}}, sizeof points);
  return (const double(*)[2])points;
}

pc_chain fixture_chain(void)
{
  static double mass[3], velocity[3];
  static pc_chain_contact contact[4]; // also of walls
  memcpy(mass, (double[]){1, 1, 1}, sizeof mass);
  memcpy(velocity, (double[]){1, 0, 0}, sizeof velocity);
  for (int i = 0; i < 4; i++)
    contact[i] = (pc_chain_contact){1000, 0.5, 0};
  return (pc_chain){3, mass, velocity, .contact = contact, .exponent = 1.5};
}

pc_chain_sweep fixture_chain_sweep(void)
{
  pc_chain chain = fixture_chain();
  pc_chain_sweep sweep = pc_chain_sweep_default(&chain, PC_CHAIN_BY_TAPER);
  sweep.points = 3;
  return sweep;
}

pc_person_def fixture_person(void)
{
  pc_person_def person = pc_person_def_default();
  person.position[0] = 1.3;
  person.position[1] = 1.15;
  person.radius = 0.2;
  return person;
}

pc_group_def fixture_group(void)
{
  static int people[2];
  people[0] = 0;
  people[1] = 1;
  pc_group_def group = pc_group_def_default(PC_GROUP_MOUSSAID);
  group.count = 2;
  group.people = people;
  return group;
}

pc_heat_string fixture_string(void)
{
  pc_heat_ball ball = {.mass = 1, .capacity = 1, .outside = 300};
  return (pc_heat_string){.ball = {ball, ball}, .length = 1, .stiffness = 100, .viscosity = 1};
}

pc_heat_string_state fixture_string_state(void)
{
  return (pc_heat_string_state){
      .position = {0, 1.1}, .velocity = {0, 1}, .temperature = {300, 310}};
}

static pc_status predict(void *context, const double *coefficients, double *predicted,
                         pc_error *error)
{
  predicted[0] = coefficients[0];
  predicted[1] = 2 * coefficients[0];
  return PC_OK;
}

pc_identification fixture_measurements(void)
{
  static pc_unknown unknown;
  static double measured[2];
  unknown = (pc_unknown){"k", 1, 0.1, 10};
  measured[0] = 2;
  measured[1] = 4.1;
  return (pc_identification){1, &unknown, 2, measured, 0.1, predict, NULL};
}

pc_interaction fixture_interaction(void)
{
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.bodies[0] = 0;
  contact.bodies[1] = PC_OBSTACLE;
  contact.normal[2] = 1;
  return contact;
}

pc_law fixture_law(void)
{
  return (pc_law){.normal = {.kind = PC_NORMAL_RESTITUTION, .k = 1, .p = 2, .e = 0.5},
                  .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.3}, .axis = {1}}};
}

pc_body_state fixture_state(void)
{
  return (pc_body_state){.position = {0, 0, 5}, .orientation = {1}, .velocity = {1}};
}

pc_random fixture_random(void)
{
  pc_random random;
  pc_random_seed(&random, 1);
  return random;
}

pc_scene_sweep fixture_sweep(void)
{
  static char one[] = "1", two[] = "2", key[] = "key";
  static char *values[] = {one, two};
  return (pc_scene_sweep){.key = key, .label = key, .count = 2, .values = values};
}

pc_scene_plan fixture_plan(void)
{
  static pc_scene_sweep sweep;
  sweep = fixture_sweep();
  return (pc_scene_plan){.runs = 1, .sweeps = 1, .combinations = 2, .members = 2, .sweep = &sweep};
}

void fixture_force(void *context, double time, pc_body body, const pc_body_state *state,
                   double force[6])
{
}

void fixture_visit(void *context, const double place[3], double weight, const double velocity[3],
                   double pressure)
{
}

void fixture_name(void *context, pc_crowd_object object, int number, char *name, size_t size)
{
  snprintf(name, size, "object %d", number);
}

void fixture_hear(void *context, pc_told what, const char *text) {}

void fixture_row(const pc_validation *row, void *context) {}
