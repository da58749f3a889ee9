// The parts of a flow that do not change.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/elementary.h"
#include "core/error.h"

pc_fe_flow_def pc_fe_flow_def_default(void)
{
  return (pc_fe_flow_def){.halvings = 6};
}

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a flow");
}

static void copy_def(pc_fe_flow *f, const pc_fe_flow_def *def)
{
  pc_arena *arena = &f->arena;
  f->def = *def;
  f->def.body = pc_arena_copy(arena, def->body, def->bodies, sizeof *def->body);
  f->def.contact = pc_arena_copy(arena, def->contact, def->contacts, sizeof *def->contact);
  f->def.hold = pc_arena_copy(arena, def->hold, def->holds, sizeof *def->hold);
  f->body = pc_arena_copy(arena, def->body, def->bodies, sizeof *def->body);
  double g = pc_hypot(def->gravity[0], def->gravity[1]);
  f->weight = def->density * g;
  for (int k = 0; k < 2; k++)
    f->up[k] = g > 0 ? -def->gravity[k] / g : k;
}

// The mesh without its sides, and a group for those that are free.
static pc_status copy_mesh(pc_fe_flow *f, pc_error *error)
{
  const pc_fe_mesh *from = f->def.mesh;
  f->mesh = pc_fe_mesh_empty(2);
  for (int i = 0; i < from->nodes; i++)
    pc_fe_mesh_add_node(&f->mesh, from->node[i][0], from->node[i][1], 0);
  for (int i = 0; i < from->groups; i++)
    pc_fe_mesh_add_group(&f->mesh, from->group[i].name, from->group[i].dimension);
  f->free_group = pc_fe_mesh_add_group(&f->mesh, "the free surface", 1);
  for (int i = 0; i < from->body.count; i++) {
    const pc_fe_cell *cell = &from->body.cell[i];
    if (pc_element_of(cell->type)->order != 2)
      return pc_fail(error, PC_ERROR_ARGUMENT, "a fluid needs quadratic elements");
    pc_fe_mesh_add(&f->mesh, cell->type, from->body.node + cell->first, cell->group);
  }
  f->numbers = 2 * from->nodes;
  f->size = pc_fe_mesh_size(from);
  f->medium = (pc_fe_medium){.group = from->body.count > 0 ? from->body.cell[0].group : 0,
                             .fluid = true,
                             .density = f->def.density};
  return pc_fe_mesh_done(&f->mesh, error);
}

static pc_status allocate(pc_fe_flow *f, pc_error *error)
{
  pc_arena *arena = &f->arena;
  size_t nodes = (size_t)f->mesh.nodes, contacts = (size_t)f->def.contacts;
  size_t bodies = (size_t)f->def.bodies, marks = contacts * nodes, spines = (size_t)f->spines;
  double **vector[] = {&f->now.u,  &f->next.u, &f->rate,   &f->mean,
                       &f->change, &f->load,   &f->forced, &f->displacement};
  for (int i = 0; i < PC_COUNT(vector); i++)
    *vector[i] = pc_arena_take(arena, 2 * nodes, sizeof(double));
  double(**mesh[])[3] = {&f->x0, &f->x1, &f->x, &f->w};
  for (int i = 0; i < PC_COUNT(mesh); i++)
    *mesh[i] = pc_arena_take(arena, nodes, sizeof **mesh[i]);
  double **heights[] = {&f->now.height, &f->next.height, &f->climb, &f->gradient, &f->slope};
  for (int i = 0; i < PC_COUNT(heights); i++)
    *heights[i] = pc_arena_take(arena, spines, sizeof(double));
  double(**places[])[3] = {&f->now.place, &f->next.place, &f->middle};
  double(**velocities[])[PC_FE_BODY] = {&f->now.body, &f->next.body, &f->body_load};
  for (int i = 0; i < 3; i++) {
    *places[i] = pc_arena_take(arena, bodies, sizeof **places[i]);
    *velocities[i] = pc_arena_take(arena, bodies, sizeof **velocities[i]);
  }
  char **marked[] = {&f->closed, &f->struck, &f->hits, &f->lasts};
  for (int i = 0; i < PC_COUNT(marked); i++)
    *marked[i] = pc_arena_take(arena, marks, 1);
  f->carry = pc_arena_take(arena, spines + 6 * (size_t)f->sides, sizeof *f->carry);
  f->pressure = pc_arena_take(arena, nodes, sizeof *f->pressure);
  f->touch = pc_arena_take(arena, contacts, sizeof *f->touch);
  f->facing = pc_arena_take(arena, contacts, sizeof *f->facing);
  f->contact = pc_arena_take(arena, 2 * contacts + 1, sizeof *f->contact);
  f->contact_of = pc_arena_take(arena, 2 * contacts + 1, sizeof *f->contact_of);
  f->hold = pc_arena_take(arena, (size_t)f->def.holds + contacts, sizeof *f->hold);
  return arena->failed ? out_of_memory(error) : PC_OK;
}

// Walls along an axis are holds of one component.
static void list_holds(pc_fe_flow *f)
{
  for (int i = 0; i < f->def.holds; i++)
    f->hold[f->holds++] = f->def.hold[i];
  for (int i = 0; i < f->def.contacts; i++)
    if (f->def.contact[i].body < 0 && f->wall[i].hold >= 0)
      f->hold[f->holds++] = (pc_fe_hold){
          .sides = f->def.contact[i].sides, .x = f->wall[i].hold == 0, .y = f->wall[i].hold == 1};
}

// Faces of bodies look at the fluid: against the spines.
static void turn_faces(pc_fe_flow *f)
{
  double out[2] = {0};
  for (int i = 0; i < f->spines; i++)
    for (int k = 0; k < 2; k++)
      out[k] += f->spine[i].direction[k];
  for (int i = 0; i < f->def.contacts; i++) {
    const pc_fe_flow_contact *c = &f->def.contact[i];
    if (c->body < 0)
      continue;
    double normal[2] = {c->end[0][1] - c->end[1][1], c->end[1][0] - c->end[0][0]};
    double along = normal[0] * out[0] + normal[1] * out[1];
    f->facing[i] = along < 0 ? 1 : along > 0 ? -1 : 0;
  }
}

pc_status pc_flow_make(pc_fe_flow *f, const pc_fe_flow_def *def, pc_error *error)
{
  if (def->mesh->dimension != 2)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a fluid in motion needs a mesh in the plane");
  copy_def(f, def);
  if (f->arena.failed)
    return out_of_memory(error);
  pc_status status = copy_mesh(f, error);
  if (status != PC_OK)
    return status;
  f->start = pc_arena_copy(&f->arena, f->mesh.node, f->mesh.nodes, sizeof *f->mesh.node);
  if (f->start == NULL)
    return out_of_memory(error);
  status = pc_flow_find_boundary(f, error);
  if (status == PC_OK)
    status = allocate(f, error);
  if (status != PC_OK)
    return status;
  turn_faces(f);
  list_holds(f);
  return pc_flow_grid_create(f, error);
}

void pc_flow_free(pc_fe_flow *f)
{
  pc_fe_collision_destroy(f->collision);
  pc_flow_grid_free(&f->grid);
  pc_fe_mesh_free(&f->mesh);
  pc_array_free(&f->events);
  pc_arena_free(&f->arena);
}
