// What a caller changes of a world: materials, bodies, forces, elements, heat. Each edit goes to
// its part, and the parts that depend on it are told: sleeping bodies wake, the balance starts
// again or counts the energy, heat gets entries for new bodies, the next step is computed.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/error.h"
#include "rigid/world.h"

// Whether the world may be changed. The next step is then no longer known to change nothing.
static bool begin_edit(pc_world *world)
{
  if (pc_world_admit(world) != PC_OK)
    return false;
  atomic_store_explicit(&world->unchanged_h, 0, memory_order_relaxed);
  return true;
}

static pc_status refuse(pc_world *world, const char *wrong)
{
  bool memory = wrong == pc_out_of_memory;
  return pc_fail(&world->error, memory ? PC_ERROR_MEMORY : PC_ERROR_ARGUMENT, "%s", wrong);
}

int pc_world_add_material(pc_world *world, double density)
{
  if (!begin_edit(world))
    return -1;
  return pc_materials_add(&world->materials, density, &world->error);
}

pc_status pc_world_set_law(pc_world *world, int material_a, int material_b, const pc_law *law)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (law == NULL)
    return pc_fail_null(&world->error, "the law");
  pc_sleep_rouse_all(&world->sleep, &world->bodies);
  return pc_materials_set_law(&world->materials, material_a, material_b, law, world->def.dimension,
                              &world->error);
}

pc_status pc_world_set_default_law(pc_world *world, const pc_law *law)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (law == NULL)
    return pc_fail_null(&world->error, "the law");
  pc_sleep_rouse_all(&world->sleep, &world->bodies);
  return pc_materials_set_default_law(&world->materials, law, world->def.dimension, &world->error);
}

void pc_world_set_threads(pc_world *world, int threads)
{
  if (!begin_edit(world))
    return;
  world->def.threads = threads > PC_MOST_THREADS ? PC_MOST_THREADS : threads;
}

void pc_world_set_effort(pc_world *world, double tolerance, int max_iterations)
{
  if (!begin_edit(world))
    return;
  world->def.tolerance = tolerance;
  world->def.max_iterations = max_iterations;
}

pc_body pc_body_create(pc_world *world, const pc_body_def *def)
{
  if (!begin_edit(world))
    return (pc_body){0};
  if (def == NULL)
    return pc_fail_null(&world->error, "the definition"), (pc_body){0};
  double density = pc_materials_density(&world->materials, def->material);
  pc_body body = pc_bodies_add(&world->bodies, def, world->def.dimension, density, &world->error);
  if (body.id == 0)
    return body;
  if (world->bodies.solid.at[body.id - 1].mass == 0) // it may touch bodies that sleep
    pc_sleep_rouse_all(&world->sleep, &world->bodies);
  world->sleep.potential_known = false;
  world->balance.begun = false;
  if (world->heat == NULL || pc_heat_store_reserve(world->heat, &world->bodies))
    return body;
  pc_world_out_of_memory(world);
  return (pc_body){0};
}

// What is wrong with a state for this world, or NULL.
static const char *check_state(const pc_world *world, const pc_body_state *state)
{
  bool plane = world->def.dimension == 2;
  return plane && !pc_state_lies_in_plane(state)
             ? "in the plane bodies can move in x and y and rotate about z only"
             : pc_bodies_check_state(state);
}

static pc_status set_state(pc_world *world, pc_body body, const pc_body_state *state)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (state == NULL)
    return pc_fail_null(&world->error, "the state");
  if (!pc_bodies_exist(&world->bodies, body, 1))
    return refuse(world, "unknown body");
  int i = pc_bodies_slot(&world->bodies, body);
  const char *wrong = check_state(world, state);
  if (wrong == NULL)
    wrong = pc_bodies_set_state(&world->bodies, i, state);
  if (wrong != NULL)
    return refuse(world, wrong);
  // Sleeping bodies may rest on an obstacle. A body that was awake touches no sleeping one.
  if (world->bodies.solid.at[i].mass == 0)
    pc_sleep_rouse_all(&world->sleep, &world->bodies);
  else
    pc_sleep_rouse(&world->sleep, &world->bodies, i);
  return PC_OK;
}

pc_status pc_body_set(pc_world *world, pc_body body, const pc_body_state *state)
{
  pc_status status = set_state(world, body, state);
  if (status == PC_OK)
    world->balance.begun = false;
  return status;
}

pc_status pc_world_change(pc_world *world, int count, const pc_body *bodies,
                          const pc_body_state *states)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (count < 0 || (count > 0 && (bodies == NULL || states == NULL)))
    return refuse(world, "the bodies and their states must not be NULL");
  for (int i = 0; i < count; i++) { // all of them, before the first one is changed
    const char *wrong = pc_bodies_exist(&world->bodies, bodies[i], 1)
                            ? check_state(world, states + i)
                            : "unknown body";
    if (wrong != NULL)
      return refuse(world, wrong);
  }
  pc_status status = PC_OK;
  if (!world->balance.begun) { // there is no balance to go on with
    for (int i = 0; i < count && status == PC_OK; i++)
      status = pc_body_set(world, bodies[i], states + i);
    return status;
  }
  for (int i = 0; i < count; i++)
    if (world->bodies.solid.at[pc_bodies_slot(&world->bodies, bodies[i])].mass == 0)
      return refuse(world, "only free and guided bodies can be changed");
  const pc_energy_parts parts = pc_world_energy_parts(world);
  double before = pc_balance_energy(&parts);
  for (int i = 0; i < count && status == PC_OK; i++)
    status = set_state(world, bodies[i], states + i);
  pc_balance_add_change(&world->balance, &parts, before);
  return status;
}

// The energy that a body takes with it when it leaves, or brings when it comes, is energy given.
pc_status pc_world_set_present(pc_world *world, pc_body body, bool present)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (!pc_bodies_exist(&world->bodies, body, 1))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "unknown body %d", body.id);
  int i = pc_bodies_slot(&world->bodies, body);
  pc_solid *solid = &world->bodies.solid.at[i];
  if (solid->absent == !present)
    return PC_OK;
  if (pc_elements_hold(&world->elements, i))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT,
                   "body %d cannot be removed: a spring, a string or a net holds it", body.id);
  pc_sleep_rouse_all(&world->sleep, &world->bodies);
  pc_energies energies = {0};
  solid->absent = false;
  if (solid->mass > 0)
    pc_bodies_add_energies(&world->bodies, i, world->def.gravity, &energies);
  double energy = energies.translation + energies.rotation + energies.potential;
  solid->absent = !present;
  world->balance.given += present ? energy : -energy;
  if (world->heat != NULL && world->heat->body.at[i].inverse > 0) {
    const pc_body_heat *heat = &world->heat->body.at[i];
    double sign = present ? 1 : -1;
    world->balance.given += sign * heat->heat;
    world->info.entropy += sign * pc_body_entropy(heat);
  }
  world->balance.changed = world->balance.changed || present; // the body may be in the way
  return PC_OK;
}

pc_status pc_world_add_force(pc_world *world, pc_force *force, void *context)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (force == NULL)
    return pc_fail_null(&world->error, "the force");
  return pc_forces_add_callback(&world->forces, force, context, &world->error);
}

pc_status pc_world_add_load(pc_world *world, pc_body body, const double force[6],
                            const pc_signal *signal)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (force == NULL)
    return pc_fail_null(&world->error, "the force");
  if (!pc_bodies_exist(&world->bodies, body, 1))
    return refuse(world, "unknown body");
  return pc_forces_add_load(&world->forces, pc_bodies_slot(&world->bodies, body), force, signal,
                            &world->error);
}

pc_status pc_world_set_forces(pc_world *world, pc_body first, int count, const double (*forces)[6])
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (forces == NULL && count > 0)
    return pc_fail_null(&world->error, "the forces");
  if (!pc_bodies_exist(&world->bodies, first, count))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "there are no %d bodies starting from %d",
                   count, first.id);
  if (world->forces.given_bodies < world->bodies.count &&
      !pc_forces_reserve_given(&world->forces, world->bodies.count))
    return pc_world_out_of_memory(world);
  pc_forces_set_given(&world->forces, &world->bodies, first, count, forces);
  return PC_OK;
}

// Adds an element that was made, and wakes its bodies; unless something is wrong with it.
static int add_element(pc_world *world, const pc_force_element *element, const char *wrong)
{
  if (wrong != NULL) {
    refuse(world, wrong);
    return -1;
  }
  if (element->kind == PC_ELEMENT_SPRING)
    pc_sleep_rouse(&world->sleep, &world->bodies, element->body);
  for (int i = 0; i < element->count; i++)
    pc_sleep_rouse(&world->sleep, &world->bodies, element->bodies[i]);
  int number = pc_elements_add(&world->elements, element, &world->error);
  if (number < 0)
    free(element->bodies);
  return number;
}

int pc_world_add_spring(pc_world *world, pc_body body, const double point[3],
                        const double normal[3], double stiffness)
{
  if (!begin_edit(world))
    return -1;
  if (point == NULL || normal == NULL)
    return add_element(world, NULL, "the point and the normal of a spring must not be NULL");
  pc_force_element spring;
  const char *wrong = pc_spring_make(&world->bodies, body, point, normal, stiffness, &spring);
  return add_element(world, &spring, wrong);
}

int pc_world_add_net(pc_world *world, const double low[3], const double high[3], double stiffness,
                     bool moves, int count, const pc_body *bodies)
{
  if (!begin_edit(world))
    return -1;
  if (low == NULL || high == NULL || bodies == NULL)
    return add_element(world, NULL, "the corners and the bodies of a net must not be NULL");
  pc_force_element net;
  const char *wrong = pc_net_make(&world->bodies, world->def.dimension, low, high, stiffness, moves,
                                  count, bodies, &net);
  return add_element(world, &net, wrong);
}

int pc_world_add_string(pc_world *world, const pc_body bodies[2], const double points[2][3],
                        double length, double stiffness, double damping)
{
  if (!begin_edit(world))
    return -1;
  if (bodies == NULL || points == NULL)
    return add_element(world, NULL, "the bodies and the points of a string must not be NULL");
  pc_force_element string;
  const char *wrong =
      pc_string_make(&world->bodies, bodies, points, length, stiffness, damping, &string);
  return add_element(world, &string, wrong);
}

pc_status pc_world_set_string_exchange(pc_world *world, int element, double lambda)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  pc_elements *elements = &world->elements;
  if (element < 0 || element >= elements->list.count ||
      elements->list.at[element].kind != PC_ELEMENT_STRING)
    return refuse(world, "unknown string");
  if (!(lambda >= 0 && isfinite(lambda)))
    return refuse(world, "the exchange of heat of a string must be finite and not negative");
  elements->list.at[element].exchange = lambda;
  return PC_OK;
}

int pc_world_add_bond(pc_world *world, const pc_body bodies[2], const double points[2][3],
                      double stiffness)
{
  if (!begin_edit(world))
    return -1;
  if (bodies == NULL || points == NULL)
    return refuse(world, "the bodies and the points of a bond must not be NULL"), -1;
  pc_bond bond;
  const char *wrong = pc_bond_make(&world->bodies, bodies, points, stiffness, &bond);
  pc_bond *own = wrong == NULL ? pc_array_add(&world->elements.bond) : NULL;
  if (own == NULL) {
    refuse(world, wrong != NULL ? wrong : pc_out_of_memory);
    return -1;
  }
  *own = bond;
  for (int b = 0; b < 2; b++)
    pc_sleep_rouse(&world->sleep, &world->bodies, pc_bodies_slot(&world->bodies, bodies[b]));
  return world->elements.bond.count - 1;
}

pc_status pc_world_set_bond(pc_world *world, int bond, double stiffness)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (bond < 0 || bond >= world->elements.bond.count || !(stiffness >= 0) || !isfinite(stiffness))
    return refuse(world, "unknown bond, or invalid stiffness");
  world->elements.bond.at[bond].stiffness = stiffness;
  return PC_OK;
}

int pc_world_add_system(pc_world *world, int count, const pc_body *bodies,
                        const pc_system_laws *laws)
{
  if (!begin_edit(world))
    return -1;
  if (bodies == NULL || laws == NULL)
    return refuse(world, "the bodies and the laws of a system must not be NULL"), -1;
  const char *wrong = "a system needs collisions, which the treatment 'penalty' does not have; use "
                      "'velocity' or 'position'";
  if (world->def.treatment != PC_PENALTY)
    wrong = pc_systems_add(&world->systems, &world->bodies, count, bodies, laws);
  if (wrong == NULL)
    return world->systems.list.count - 1;
  refuse(world, wrong);
  return -1;
}

pc_status pc_world_set_system_pair(pc_world *world, int system, const pc_body bodies[2],
                                   const pc_system_laws *laws)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (bodies == NULL || laws == NULL)
    return pc_fail_null(&world->error, "the bodies and their laws");
  const char *wrong = pc_systems_set_pair(&world->systems, system, bodies, laws);
  return wrong == NULL ? PC_OK : refuse(world, wrong);
}

pc_status pc_world_set_heat(pc_world *world, const pc_heat_def *def)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  const char *wrong = def != NULL ? pc_heat_store_check(def) : NULL;
  pc_step_info *info = &world->info;
  if (wrong != NULL)
    return refuse(world, wrong);
  pc_heat_store_free(world->heat);
  world->heat = NULL;
  world->balance.begun = false;
  info->thermal = info->entropy = info->hottest = info->coldest = 0;
  info->heat_outside = info->heat_obstacles = info->entropy_produced = 0;
  info->hottest_body = 0;
  if (def == NULL)
    return PC_OK;
  world->heat = pc_heat_store_create(def);
  if (world->heat == NULL || !pc_heat_store_reserve(world->heat, &world->bodies))
    return pc_world_out_of_memory(world);
  return PC_OK;
}

// The heat of a body, or NULL with the reason.
static pc_body_heat *find_heat(pc_world *world, pc_body body)
{
  if (world->heat == NULL)
    refuse(world, "heat is not enabled in this world");
  else if (!pc_bodies_exist(&world->bodies, body, 1))
    pc_fail(&world->error, PC_ERROR_ARGUMENT, "unknown body %d", body.id);
  else
    return &world->heat->body.at[pc_bodies_slot(&world->bodies, body)];
  return NULL;
}

static bool has_begun(const pc_world *world)
{
  return world->clock.step > 0 || world->balance.begun;
}

pc_status pc_world_set_specific_heat(pc_world *world, int material, double specific)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  if (world->heat == NULL)
    return refuse(world, "heat is not enabled in this world");
  if (material < 0 || material >= world->materials.density.count)
    return refuse(world, "unknown material");
  if (!pc_is_above_zero(specific) || has_begun(world))
    return refuse(
        world,
        "a specific heat must be positive and finite, and must be set before the first step");
  if (!pc_heat_store_set_specific(world->heat, &world->bodies, world->materials.density.count,
                                  material, specific))
    return pc_world_out_of_memory(world);
  return PC_OK;
}

pc_status pc_body_set_capacity(pc_world *world, pc_body body, double capacity)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  pc_body_heat *heat = find_heat(world, body);
  if (heat == NULL)
    return PC_ERROR_ARGUMENT;
  if (!pc_is_above_zero(capacity) || heat->inverse == 0 || heat->heat != 0)
    return refuse(world, "a heat capacity must be positive and finite, and must be set before the "
                         "first step for a body that is not an obstacle");
  heat->own_capacity = true;
  heat->inverse = 1 / capacity;
  return PC_OK;
}

pc_status pc_body_set_exchange(pc_world *world, pc_body body, double exchange)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  pc_body_heat *heat = find_heat(world, body);
  if (heat == NULL)
    return PC_ERROR_ARGUMENT;
  if (!(exchange >= 0) || !isfinite(exchange) || heat->inverse == 0)
    return refuse(
        world,
        "a heat exchange must be finite and not negative, for a body that is not an obstacle");
  heat->own_exchange = true;
  heat->exchange = exchange;
  return PC_OK;
}

pc_status pc_body_set_temperature(pc_world *world, pc_body body, double temperature)
{
  if (!begin_edit(world))
    return PC_ERROR_ARGUMENT;
  pc_body_heat *heat = find_heat(world, body);
  if (heat == NULL)
    return PC_ERROR_ARGUMENT;
  if (!pc_is_above_zero(temperature))
    return refuse(world, "temperatures must be positive and finite (unit: K)");
  if (!has_begun(world) || heat->inverse == 0) {
    heat->start = temperature;
    return PC_OK;
  }
  double before = pc_body_entropy(heat), given = pc_body_heat_to(heat, temperature);
  if (!world->bodies.solid.at[pc_bodies_slot(&world->bodies, body)].absent) {
    world->balance.given += given;
    world->info.entropy -= before;
    world->info.entropy += pc_body_entropy(heat);
  }
  return PC_OK;
}
