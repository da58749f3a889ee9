// A world: making and stepping it, and everything a caller can read of it. edits.c has what changes
// it.
#include "rigid/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "rigid/step.h"

pc_world_def pc_world_def_default(void)
{
  return (pc_world_def){.dimension = 3,
                        .gravity = {0, 0, -9.81},
                        .treatment = PC_POSITION_LEVEL,
                        .push_out = 10,
                        .rest_speed = -1,
                        .sleep_speed = -1,
                        .solver = "auto",
                        .max_iterations = 1000};
}

pc_body_def pc_body_def_default(void)
{
  return (pc_body_def){.orientation = {1}, .guide = {0, 0, 1}, .motion.axis = {0, 0, 1}};
}

pc_heat_def pc_heat_def_default(void)
{
  return (pc_heat_def){
      .specific = 800, .temperature = 293.15, .outside = 293.15, .obstacle_temperature = 293.15};
}

pc_world *pc_world_create(const pc_world_def *def)
{
  if (def == NULL)
    return NULL;
  pc_world *world = calloc(1, sizeof *world);
  if (world == NULL)
    return NULL;
  world->def = *def;
  snprintf(world->solver, sizeof world->solver, "%s", def->solver == NULL ? "auto" : def->solver);
  world->def.solver = world->solver;
  pc_world_set_threads(world, def->threads);
  pc_materials_init(&world->materials);
  world->forces.numbers = def->dimension == 2 ? 3 : 6;
  world->pairs.broad = pc_broad_create();
  world->problem.impact = pc_impact_create();
  if (world->pairs.broad == NULL || world->problem.impact == NULL ||
      pc_world_add_material(world, 1000) < 0) {
    pc_world_destroy(world);
    return NULL;
  }
  return world;
}

void pc_world_destroy(pc_world *world)
{
  if (pc_world_admit(world) != PC_OK)
    return;
  pc_heat_store_free(world->heat);
  pc_sleep_free(&world->sleep);
  pc_array_free(&world->scratch.free);
  pc_array_free(&world->scratch.previous);
  pc_array_free(&world->scratch.struck);
  pc_array_free(&world->scratch.external);
  pc_array_free(&world->scratch.mean);
  pc_problem_free(&world->problem);
  pc_contact_set_free(&world->contacts);
  pc_pierced_free(&world->pierced);
  pc_systems_free(&world->systems);
  pc_body_pairs_free(&world->pairs);
  pc_outlines_free(&world->outlines);
  pc_elements_free(&world->elements);
  pc_forces_free(&world->forces);
  pc_bodies_free(&world->bodies);
  pc_materials_free(&world->materials);
  free(world);
}

const char *pc_world_error(const pc_world *world)
{
  if (world == NULL)
    return "the world must not be NULL";
  return world->error.text;
}

const pc_world_def *pc_world_definition(const pc_world *world)
{
  if (world == NULL)
    return NULL;
  return &world->def;
}

double pc_world_density(const pc_world *world, int material)
{
  return world != NULL ? pc_materials_density(&world->materials, material) : 0;
}

// What is wrong with the definition of a world, or NULL.
static const char *wrong_definition(const pc_world_def *def)
{
  if (def->dimension != 2 && def->dimension != 3)
    return "the dimension of a world must be 2 or 3";
  if (def->treatment != PC_VELOCITY_LEVEL && def->treatment != PC_POSITION_LEVEL &&
      def->treatment != PC_PENALTY)
    return "unknown treatment of contact";
  if (def->looks < PC_LOOK_AGAIN || def->looks > PC_LOOK_UNTIL_NONE_IS_MISSING)
    return "unknown value of 'looks'";
  if (def->treatment == PC_PENALTY && !(def->penalty > 0 && isfinite(def->penalty)))
    return "the penalty treatment needs a positive stiffness";
  if (!isfinite(pc_norm(3, def->gravity)))
    return "gravity must be finite";
  if (!(def->tolerance >= 0 && def->tolerance < 1))
    return "the tolerance must be between 0 and 1";
  if (!(def->accuracy >= 0 && isfinite(def->accuracy)))
    return "the accuracy must be 0 or a positive length";
  if (!(def->push_out >= 0) || isnan(def->rest_speed))
    return "push_out must be 0 or more, and rest_speed must be finite";
  if (!(def->sleep_after >= 0) || isnan(def->sleep_speed))
    return "sleep_after must be 0 or more, and sleep_speed must be finite";
  if (def->sleep_after > 0 && def->treatment == PC_PENALTY)
    return "sleeping cannot be combined with the penalty treatment, where overlaps store energy";
  return NULL;
}

pc_status pc_world_step(pc_world *world, double h)
{
  if (pc_world_admit(world) != PC_OK)
    return PC_ERROR_ARGUMENT;
  world->error = (pc_error){0};
  const char *wrong = wrong_definition(&world->def);
  if (wrong != NULL)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "%s", wrong);
  if (!(h > 0) || !isfinite(h))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "the step must be positive and finite");
  world->stepping = true;
  pc_status status = pc_step_run(world, h);
  world->stepping = false;
  return status;
}

const pc_step_info *pc_world_info(const pc_world *world)
{
  if (world == NULL)
    return NULL;
  return &world->info;
}

const pc_impact *pc_world_problem(const pc_world *world)
{
  if (world == NULL)
    return NULL;
  return world->problem.impact;
}

pc_status pc_world_certify(pc_world *world, pc_certificate *certificate)
{
  if (pc_world_admit(world) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (certificate == NULL)
    return pc_fail_null(&world->error, "the certificate");
  pc_solve_options options = pc_solve_options_default();
  options.max_iterations = world->def.max_iterations;
  options.threads = world->def.threads;
  pc_status status = pc_impact_certify(world->problem.impact, &options, certificate);
  return status == PC_OK ? PC_OK : pc_world_out_of_memory(world);
}

double pc_world_time(const pc_world *world)
{
  if (world == NULL)
    return 0;
  return world->clock.time;
}

int pc_world_contacts(const pc_world *world)
{
  if (world == NULL)
    return 0;
  return world->contacts.list.count + world->sleep.contacts.count + world->contacts.first.count;
}

// NULL: unknown contact.
static const pc_contact_data *contact_data(const pc_world *world, int contact)
{
  if (contact < 0 || contact >= pc_world_contacts(world))
    return NULL;
  int rest = contact - world->contacts.list.count, first = rest - world->sleep.contacts.count;
  return rest < 0    ? &world->contacts.list.at[contact]
         : first < 0 ? &world->sleep.contacts.at[rest]
                     : &world->contacts.first.at[first].contact;
}

void pc_world_contact_push(const pc_world *world, int contact, pc_body bodies[2],
                           double percussion[3])
{
  const pc_contact_data *data = contact_data(world, contact);
  if (bodies != NULL)
    memset(bodies, 0, 2 * sizeof *bodies);
  if (percussion != NULL)
    memset(percussion, 0, 3 * sizeof *percussion);
  if (data == NULL || bodies == NULL || percussion == NULL)
    return;
  for (int b = 0; b < 2; b++)
    bodies[b] = pc_bodies_number(&world->bodies, data->body[b]);
  for (int k = 0; k < 3; k++)
    percussion[k] = data->percussion[k] == 0 ? 0 : -data->percussion[k];
  if (world->def.treatment != PC_PENALTY || data->gap >= 0)
    return;
  for (int k = 0; k < 3; k++) // the spring's force in the middle of the step
    percussion[k] = -world->def.penalty * data->gap * world->clock.last_h * data->normal[k];
}

void pc_world_contact_point(const pc_world *world, int contact, double point[3])
{
  const pc_contact_data *data = contact_data(world, contact);
  if (point == NULL)
    return;
  if (data != NULL)
    memcpy(point, data->point, 3 * sizeof *point);
  else
    memset(point, 0, 3 * sizeof *point);
}

void pc_world_contact(const pc_world *world, int contact, pc_contact *out)
{
  const pc_contact_data *data = contact_data(world, contact);
  if (out == NULL)
    return;
  *out = (pc_contact){0};
  if (data == NULL)
    return;
  out->gap = data->gap;
  out->approach = 0 - data->before;
  pc_world_contact_push(world, contact, out->bodies, out->percussion);
  int first = contact - world->contacts.list.count - world->sleep.contacts.count;
  if (first >= 0) {
    out->dissipated = world->contacts.first.at[first].dissipated;
  } else if (data->interaction >= 0) {
    pc_interaction_answer answer;
    pc_impact_answer(world->problem.impact, data->interaction, &answer);
    out->dissipated = answer.dissipated;
  }
  for (int k = 0; k < 3; k++) {
    out->point[k] = data->point[k];
    out->normal[k] = data->normal[k];
  }
}

int pc_world_systems(const pc_world *world)
{
  if (world == NULL)
    return 0;
  return world->systems.list.count;
}

int pc_world_system_actions(const pc_world *world)
{
  if (world == NULL)
    return 0;
  return world->systems.act.count;
}

void pc_world_system_action(const pc_world *world, int action, pc_system_action *out)
{
  if (out == NULL)
    return;
  *out = (pc_system_action){0};
  if (world == NULL || action < 0 || action >= world->systems.act.count)
    return;
  const pc_system_act *act = &world->systems.act.at[action];
  *out = (pc_system_action){.dissipated = act->dissipated};
  for (int b = 0; b < 2; b++)
    out->bodies[b] = pc_bodies_number(&world->bodies, act->body[b]);
  memcpy(out->points, act->points, sizeof out->points);
  memcpy(act->spins ? out->moment : out->impulse, act->push, sizeof act->push);
}

double pc_world_overlap(pc_world *world, pc_body deepest[2], int *touching)
{
  if (pc_world_admit(world) != PC_OK)
    return NAN;
  pc_body_store *bodies = &world->bodies;
  pc_overlaps overlaps = {0};
  pc_status status =
      pc_array_reserve(&world->scratch.free, bodies->count) ? PC_OK : PC_ERROR_MEMORY;
  for (int i = 0; i < bodies->count; i++)
    if (bodies->solid.at[i].kind == PC_DRIVEN)
      pc_course_place(bodies->solid.at[i].form->course, world->clock.time, &bodies->state.at[i]);
  if (status == PC_OK) {
    memset(world->scratch.free.at, 0, sizeof *world->scratch.free.at * (size_t)bodies->count);
    pc_detection search = pc_step_detection(world, PC_VELOCITY_LEVEL, 0);
    search.with_sleeping = true;
    status = pc_detection_overlaps(&search, &overlaps);
  }
  if (status != PC_OK)
    pc_detection_fail(status, bodies->count, &world->error);
  world->outlines.sleepers_h = 0;
  for (int b = 0; b < 2 && deepest != NULL && overlaps.depth > 0; b++)
    deepest[b] = pc_bodies_number(bodies, overlaps.deepest[b]);
  if (touching != NULL)
    *touching = overlaps.pairs;
  return status == PC_OK ? overlaps.depth : NAN;
}

int pc_world_bodies(const pc_world *world)
{
  if (world == NULL)
    return 0;
  return world->bodies.count;
}

// What a caller gets of a body that does not exist: zeros, at rest at the origin.
static const pc_form no_form;
static const pc_solid no_solid = {.form = &no_form, .kind = PC_FIXED, .absent = true};
static const pc_body_state no_state;

static bool has(const pc_world *world, pc_body first, int count)
{
  return world != NULL && pc_bodies_exist(&world->bodies, first, count);
}

static const pc_solid *solid_of(const pc_world *world, pc_body body)
{
  if (!has(world, body, 1))
    return &no_solid;
  return &world->bodies.solid.at[pc_bodies_slot(&world->bodies, body)];
}

static const pc_body_state *state_of(const pc_world *world, int id)
{
  return &world->bodies.state.at[pc_bodies_slot(&world->bodies, (pc_body){id})];
}

void pc_body_get(const pc_world *world, pc_body body, pc_body_state *state)
{
  if (state != NULL)
    *state = has(world, body, 1) ? *state_of(world, body.id) : no_state;
}

pc_body_kind pc_body_get_kind(const pc_world *world, pc_body body)
{
  return solid_of(world, body)->kind;
}

int pc_body_get_material(const pc_world *world, pc_body body)
{
  return solid_of(world, body)->material;
}

const pc_shape *pc_body_get_shape(const pc_world *world, pc_body body)
{
  return solid_of(world, body)->shape;
}

double pc_body_get_mass(const pc_world *world, pc_body body)
{
  return solid_of(world, body)->mass;
}

double pc_body_get_kinetic(const pc_world *world, pc_body body)
{
  static const double no_gravity[3];
  pc_energies sum = {0};
  if (has(world, body, 1))
    pc_bodies_add_energies(&world->bodies, pc_bodies_slot(&world->bodies, body), no_gravity, &sum);
  return sum.translation + sum.rotation;
}

void pc_body_get_offset(const pc_world *world, pc_body body, double offset[3])
{
  if (offset != NULL)
    memcpy(offset, solid_of(world, body)->form->offset, 3 * sizeof(double));
}

void pc_body_get_arm(const pc_world *world, pc_body body, const double orientation[4],
                     double arm[3])
{
  if (arm == NULL)
    return;
  memset(arm, 0, 3 * sizeof *arm);
  if (orientation == NULL)
    return;
  double matrix[9];
  pc_quaternion_matrix(orientation, matrix);
  pc_rotate(matrix, solid_of(world, body)->form->offset, arm);
}

bool pc_body_is_present(const pc_world *world, pc_body body)
{
  return !solid_of(world, body)->absent;
}

bool pc_world_is_changed(const pc_world *world)
{
  if (world == NULL)
    return false;
  return world->balance.changed || !world->balance.begun;
}

void pc_world_read(const pc_world *world, pc_body first, int count, double (*position)[3],
                   double (*velocity)[3])
{
  if (!has(world, first, count) || position == NULL || velocity == NULL)
    return;
  for (int k = 0; k < count; k++) {
    const pc_body_state *state = state_of(world, first.id + k);
    memcpy(position[k], state->position, sizeof *position);
    memcpy(velocity[k], state->velocity, sizeof *velocity);
  }
}

void pc_world_read_turns(const pc_world *world, pc_body first, int count, double *angle,
                         double *spin)
{
  if (!has(world, first, count) || angle == NULL || spin == NULL)
    return;
  for (int k = 0; k < count; k++) {
    const pc_body_state *state = state_of(world, first.id + k);
    angle[k] = 2 * pc_atan2(state->orientation[3], state->orientation[0]);
    spin[k] = state->spin[2];
  }
}

const pc_heat_def *pc_world_heat(const pc_world *world)
{
  if (world == NULL)
    return NULL;
  return world->heat != NULL ? &world->heat->def : NULL;
}

static const pc_body_heat *heat_of(const pc_world *world, pc_body body)
{
  if (!has(world, body, 1) || world->heat == NULL)
    return NULL;
  return &world->heat->body.at[pc_bodies_slot(&world->bodies, body)];
}

double pc_body_get_temperature(const pc_world *world, pc_body body)
{
  const pc_body_heat *heat = heat_of(world, body);
  return heat != NULL ? pc_body_temperature(heat) : NAN;
}

double pc_body_get_capacity(const pc_world *world, pc_body body)
{
  const pc_body_heat *heat = heat_of(world, body);
  return heat == NULL ? NAN : heat->inverse > 0 ? 1 / heat->inverse : INFINITY;
}

double pc_body_get_heat(const pc_world *world, pc_body body)
{
  const pc_body_heat *heat = heat_of(world, body);
  return heat != NULL ? heat->heat : NAN;
}

void pc_world_read_temperatures(const pc_world *world, pc_body first, int count,
                                double *temperature)
{
  if (!has(world, first, count) || temperature == NULL)
    return;
  for (int k = 0; k < count; k++)
    temperature[k] = pc_body_get_temperature(world, (pc_body){first.id + k});
}

void pc_world_element_force(const pc_world *world, int element, double force[3], double *energy)
{
  bool known = world != NULL && element >= 0 && element < world->elements.list.count;
  const pc_force_element *own = known ? &world->elements.list.at[element] : NULL;
  for (int k = 0; k < 3 && force != NULL; k++)
    force[k] = known ? own->force[k] : 0;
  if (energy != NULL)
    *energy = known ? own->energy : 0;
}

void pc_world_string(const pc_world *world, int element, double ends[2][3])
{
  if (ends == NULL)
    return;
  memset(ends, 0, 2 * sizeof *ends);
  if (world != NULL && element >= 0 && element < world->elements.list.count &&
      world->elements.list.at[element].kind == PC_ELEMENT_STRING)
    pc_string_ends(&world->bodies, &world->elements.list.at[element], ends);
}

void pc_world_bond(const pc_world *world, int bond, double points[2][3])
{
  if (points == NULL)
    return;
  memset(points, 0, 2 * sizeof *points);
  if (world == NULL || bond < 0 || bond >= world->elements.bond.count)
    return;
  pc_bond_points(&world->bodies, &world->elements.bond.at[bond], points);
}
