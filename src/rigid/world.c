// A world: what is in it.
#include "rigid/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"

pc_world_def pc_world_def_default(void)
{
  return (pc_world_def){.dimension = 3,
                        .gravity = {0, 0, -9.81},
                        .treatment = PC_POSITION_LEVEL,
                        .push_out = 10,
                        .rest_speed = -1,
                        .sleep_speed = -1,
                        .solver = "auto",
                        .tolerance = 1e-4,
                        .max_iterations = 1000};
}

void pc_world_set_threads(pc_world *world, int threads)
{
  world->def.threads = threads > 64 ? 64 : threads;
}

static void pc_materials_free(pc_materials *materials)
{
  pc_array_free(&materials->density);
  pc_array_free(&materials->pair);
}

static void pc_scratch_free(pc_scratch *scratch)
{
  pc_array_free(&scratch->external);
  pc_array_free(&scratch->free);
  pc_array_free(&scratch->previous);
  pc_array_free(&scratch->struck);
}

pc_world *pc_world_create(const pc_world_def *def)
{
  pc_world *world = calloc(1, sizeof *world);
  if (world == NULL)
    return NULL;
  world->def = *def;
  snprintf(world->solver, sizeof world->solver, "%s", def->solver == NULL ? "auto" : def->solver);
  world->def.solver = world->solver;
  pc_world_set_threads(world, def->threads);
  world->materials.default_law.normal.kind = PC_NORMAL_INELASTIC;
  world->materials.default_law.normal.p = 2;
  world->materials.default_law.tangential.kind = PC_TANGENTIAL_COULOMB;
  world->materials.default_law.tangential.mu[0] = 0.5;
  world->materials.default_law.tangential.on = PC_ON_AFTER;
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
  if (world == NULL)
    return;
  pc_warmth_free(world);
  pc_sleep_free(&world->sleep);
  pc_push_out_free(&world->push_out);
  pc_scratch_free(&world->scratch);
  pc_problem_free(&world->problem);
  pc_contact_set_free(&world->contacts);
  pc_pairs_free(&world->pairs);
  pc_outlines_free(&world->outlines);
  pc_elements_free(&world->elements);
  pc_forces_free(&world->forces);
  pc_bodies_free(&world->bodies);
  pc_materials_free(&world->materials);
  free(world);
}

void pc_world_set_effort(pc_world *world, double tolerance, int max_iterations)
{
  world->def.tolerance = tolerance;
  world->def.max_iterations = max_iterations;
}

const char *pc_world_error(const pc_world *world)
{
  return world->error.text;
}

const pc_world_def *pc_world_definition(const pc_world *world)
{
  return &world->def;
}

int pc_world_add_material(pc_world *world, double density)
{
  if (!(density > 0) || !isfinite(density)) {
    pc_fail(&world->error, PC_ERROR_ARGUMENT, "a density must be positive and finite");
    return -1;
  }
  if (!pc_array_reserve(&world->materials.density, world->materials.density.count + 1)) {
    pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  world->materials.density.at[world->materials.density.count] = density;
  return world->materials.density.count++;
}

double pc_world_density(const pc_world *world, int material)
{
  return world->materials.density.at[material];
}

// A law is tried on a small problem of its own, so that the impact problem's checks say what is
// wrong with it before the first step.
static pc_status check_law(pc_world *world, const pc_law *law)
{
  pc_status status = PC_OK;
  pc_impact *probe = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  body.dof = world->def.dimension == 3 ? 6 : 3;
  contact.law = *law;
  contact.law.tangential.anisotropic = false; // its axis may suit other normals
  if (probe == NULL)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  if (pc_impact_add_body(probe, &body) < 0 || pc_impact_add_interaction(probe, &contact) < 0) {
    const char *why = pc_impact_error(probe);
    bool memory = strcmp(why, "out of memory") == 0;
    status = pc_fail(&world->error, memory ? PC_ERROR_MEMORY : PC_ERROR_ARGUMENT, "%s", why);
  }
  pc_impact_destroy(probe);
  return status;
}

pc_status pc_world_set_law(pc_world *world, int material_a, int material_b, const pc_law *law)
{
  pc_sleep_rouse_all(world);
  int a = material_a < material_b ? material_a : material_b;
  int b = material_a < material_b ? material_b : material_a;
  if (a < 0 || b >= world->materials.density.count)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "no such material");
  pc_status status = check_law(world, law);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < world->materials.pair.count; i++)
    if (world->materials.pair.at[i].a == a && world->materials.pair.at[i].b == b) {
      world->materials.pair.at[i].law = *law;
      return PC_OK;
    }
  if (!pc_array_reserve(&world->materials.pair, world->materials.pair.count + 1))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->materials.pair.at[world->materials.pair.count++] = (pc_material_pair){a, b, *law};
  return PC_OK;
}

pc_status pc_world_set_default_law(pc_world *world, const pc_law *law)
{
  pc_sleep_rouse_all(world);
  pc_status status = check_law(world, law);
  if (status == PC_OK)
    world->materials.default_law = *law;
  return status;
}

double pc_world_rest_speed(const pc_world *world, double h)
{
  return world->def.rest_speed >= 0 ? world->def.rest_speed
                                    : 2 * pc_norm(3, world->def.gravity) * h;
}

int pc_contacts_law(const pc_world *world, int material_a, int material_b)
{
  int a = material_a < material_b ? material_a : material_b;
  int b = material_a < material_b ? material_b : material_a;
  for (int i = 0; i < world->materials.pair.count; i++)
    if (world->materials.pair.at[i].a == a && world->materials.pair.at[i].b == b)
      return i;
  return world->materials.pair.count;
}

const pc_step_info *pc_world_info(const pc_world *world)
{
  return &world->info;
}

const pc_impact *pc_world_problem(const pc_world *world)
{
  return world->problem.impact;
}

double pc_world_time(const pc_world *world)
{
  return world->clock.time;
}

int pc_world_contacts(const pc_world *world)
{
  return world->contacts.list.count + world->sleep.contacts.count + world->contacts.first.count;
}

static const pc_touch *touch_of(const pc_world *world, int contact)
{
  int rest = contact - world->contacts.list.count, first = rest - world->sleep.contacts.count;
  return rest < 0    ? &world->contacts.list.at[contact]
         : first < 0 ? &world->sleep.contacts.at[rest]
                     : &world->contacts.first.at[first].touch;
}

void pc_world_contact_push(const pc_world *world, int contact, pc_body bodies[2],
                           double percussion[3])
{
  const pc_touch *touch = touch_of(world, contact);
  for (int b = 0; b < 2; b++)
    bodies[b] = pc_body_number(world, touch->body[b]);
  for (int k = 0; k < 3; k++)
    percussion[k] = touch->percussion[k] == 0 ? 0 : -touch->percussion[k];
  if (world->def.treatment != PC_PENALTY || touch->gap >= 0)
    return;
  for (int k = 0; k < 3; k++) // the spring's force in the middle of the step
    percussion[k] = -world->def.penalty * touch->gap * world->clock.last_h * touch->normal[k];
}

void pc_world_contact_point(const pc_world *world, int contact, double point[3])
{
  memcpy(point, touch_of(world, contact)->point, 3 * sizeof *point);
}

void pc_world_contact(const pc_world *world, int contact, pc_contact *out)
{
  const pc_touch *touch = touch_of(world, contact);
  *out = (pc_contact){.gap = touch->gap};
  pc_world_contact_push(world, contact, out->bodies, out->percussion);
  int first = contact - world->contacts.list.count - world->sleep.contacts.count;
  if (first >= 0) {
    out->dissipated = world->contacts.first.at[first].dissipated;
  } else if (touch->interaction >= 0) {
    pc_interaction_answer answer;
    pc_impact_answer(world->problem.impact, touch->interaction, &answer);
    out->dissipated = answer.dissipated;
  }
  for (int k = 0; k < 3; k++) {
    out->point[k] = touch->point[k];
    out->normal[k] = touch->normal[k];
  }
}

double pc_world_overlap(pc_world *world, pc_body deepest[2], int *touching)
{
  pc_overlaps overlaps = {0};
  pc_treatment treatment = world->def.treatment;
  world->def.treatment = PC_VELOCITY_LEVEL;
  world->everybody = true;
  for (int i = 0; i < world->bodies.count; i++)
    if (world->bodies.solid.at[i].kind == PC_DRIVEN)
      pc_course_place(world->bodies.solid.at[i].form->course, world->clock.time,
                      &world->bodies.state.at[i]);
  pc_status status = PC_ERROR_MEMORY;
  if (pc_array_reserve(&world->scratch.free, world->bodies.count)) {
    memset(world->scratch.free.at, 0, sizeof *world->scratch.free.at * (size_t)world->bodies.count);
    status = pc_contacts_overlaps(world, &overlaps);
  }
  world->def.treatment = treatment;
  world->everybody = false;
  world->sleep.placed_h = 0;
  for (int b = 0; b < 2 && deepest != NULL && overlaps.depth > 0; b++)
    deepest[b] = pc_body_number(world, overlaps.deepest[b]);
  if (touching != NULL)
    *touching = overlaps.pairs;
  return status == PC_OK ? overlaps.depth : NAN;
}
