// The boundary of a flow: which sides are walls and which are free, the spines of the free surface,
// and how the nodes of walls follow it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/elementary.h"
#include "core/error.h"

static const double STRAIGHT = 1e-9; // of the mesh: how far a node of a wall may be off its line
static const double AXIS = 1e-12;    // the smaller component of a normal along an axis
static const double STEEP = 0.05;    // cosine between a spine and its normal, at least

static bool is_wall(const pc_fe_flow_def *def, int group)
{
  for (int i = 0; i < def->contacts; i++)
    if (def->contact[i].body < 0 && def->contact[i].sides == group)
      return true;
  for (int i = 0; i < def->holds; i++)
    if (def->hold[i].sides == group)
      return true;
  return false;
}

// The group of a side of the mesh, if it is a wall or held.
static int find_wall(const pc_fe_flow_def *def, int a, int b)
{
  const pc_fe_cells *side = &def->mesh->side;
  for (int s = 0; s < side->count; s++) {
    const int *node = side->node + side->cell[s].first;
    if (((node[0] == a && node[1] == b) || (node[0] == b && node[1] == a)) &&
        is_wall(def, side->cell[s].group))
      return side->cell[s].group;
  }
  return -1;
}

// The sides that have one element, in the order of their nodes.
static pc_status list_sides(pc_fe_flow *f, pc_error *error)
{
  pc_fe_mesh *mesh = &f->mesh;
  int count;
  pc_fe_facet *facet = pc_fe_mesh_sides(mesh, &count);
  if (facet == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the sides of a mesh");
  f->side = pc_arena_take(&f->arena, (size_t)count, sizeof *f->side);
  for (int i = 0; f->side != NULL && i < count; i++) {
    bool paired = (i > 0 && pc_fe_facet_same(&facet[i - 1], &facet[i])) ||
                  (i + 1 < count && pc_fe_facet_same(&facet[i + 1], &facet[i]));
    if (paired)
      continue;
    const pc_fe_cell *cell = &mesh->body.cell[facet[i].cell];
    int local[PC_SIDE_NODES_MAX], wall;
    pc_flow_side *side = &f->side[f->sides++];
    pc_element_side(cell->type, facet[i].number, local);
    for (int k = 0; k < 3; k++)
      side->node[k] = mesh->body.node[cell->first + local[k]];
    wall = find_wall(&f->def, side->node[0], side->node[1]);
    side->free = wall < 0;
    pc_fe_mesh_add(mesh, PC_LINE3, side->node, wall < 0 ? f->free_group : wall);
  }
  free(facet);
  if (f->side == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the boundary of a fluid");
  return pc_fe_mesh_done(mesh, error);
}

// The straight line of a wall: its normal, and where its nodes are along it.
static pc_status measure_wall(pc_fe_flow *f, int contact, double origin[2], pc_error *error)
{
  const pc_fe_cells *side = &f->mesh.side;
  pc_flow_wall *wall = &f->wall[contact];
  const char *name = f->mesh.group[f->def.contact[contact].sides].name;
  bool found = false;
  for (int s = 0; s < side->count; s++) {
    if (side->cell[s].group != f->def.contact[contact].sides)
      continue;
    const int *node = side->node + side->cell[s].first;
    if (!found) {
      const double *a = f->start[node[0]], *b = f->start[node[1]];
      double t[2] = {b[0] - a[0], b[1] - a[1]}, length = pc_hypot(t[0], t[1]);
      memcpy(origin, a, 2 * sizeof *a);
      wall->normal[0] = t[1] / length;
      wall->normal[1] = -t[0] / length;
      found = true;
    }
    for (int k = 0; k < 3; k++) {
      const double *x = f->start[node[k]];
      double off = (x[0] - origin[0]) * wall->normal[0] + (x[1] - origin[1]) * wall->normal[1];
      if (fabs(off) > STRAIGHT * f->size)
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "the wall \"%s\" is not straight at (%g, %g); give each straight piece its "
                       "own name and contact",
                       name, x[0], x[1]);
    }
  }
  if (!found)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "\"%s\" is not a wall: it has no sides on the boundary", name);
  for (int k = 0; k < 2; k++)
    if (fabs(wall->normal[1 - k]) <= AXIS) {
      wall->normal[k] = wall->normal[k] > 0 ? 1 : -1;
      wall->normal[1 - k] = 0;
    }
  wall->hold = wall->normal[1] == 0 ? 0 : wall->normal[0] == 0 ? 1 : -1;
  return PC_OK;
}

// Turns the spines at the ends of a wall along it, and lists its other nodes.
static pc_status bind_wall(pc_fe_flow *f, int contact, pc_error *error)
{
  const pc_fe_cells *side = &f->mesh.side;
  double origin[2], low = INFINITY, high = -INFINITY;
  int end[2] = {-1, -1};
  pc_status status = measure_wall(f, contact, origin, error);
  if (status != PC_OK)
    return status;
  const double *n = f->wall[contact].normal, t[2] = {-n[1], n[0]};
  for (int pass = 0; pass < 2; pass++)
    for (int s = 0; s < side->count; s++) {
      const int *node = side->node + side->cell[s].first;
      for (int k = 0; side->cell[s].group == f->def.contact[contact].sides && k < 3; k++) {
        const double *x = f->start[node[k]];
        double at = (x[0] - origin[0]) * t[0] + (x[1] - origin[1]) * t[1];
        if (pass == 0 && at < low)
          low = at, end[0] = node[k];
        if (pass == 0 && at > high)
          high = at, end[1] = node[k];
        if (pass == 1 && f->spine_of[node[k]] < 0)
          f->slide[f->slides++] = (pc_flow_slide){
              node[k], {f->spine_of[end[0]], f->spine_of[end[1]]}, (at - low) / (high - low)};
      }
    }
  for (int i = 0; i < 2; i++)
    if (f->spine_of[end[i]] >= 0)
      for (int k = 0; k < 2; k++)
        f->spine[f->spine_of[end[i]]].direction[k] = i == 0 ? -t[k] : t[k];
  return PC_OK;
}

static void list_spines(pc_fe_flow *f)
{
  for (int i = 0; i < f->mesh.nodes; i++)
    f->spine_of[i] = -1;
  for (int s = 0; s < f->sides; s++)
    for (int k = 0; f->side[s].free && k < 3; k++)
      if (f->spine_of[f->side[s].node[k]] < 0) {
        f->spine_of[f->side[s].node[k]] = f->spines;
        f->spine[f->spines++].node = f->side[s].node[k];
      }
  double level = 0;
  for (int i = 0; i < f->spines; i++)
    level += pc_flow_altitude(f, f->start[f->spine[i].node]) / f->spines; // above 0 as yet
  f->level = level;
  pc_flow_normals(f, (const double(*)[3])f->start, f->normal);
  for (int i = 0; i < f->spines; i++) {
    double length = pc_hypot(f->normal[i][0], f->normal[i][1]);
    for (int k = 0; k < 2; k++)
      f->spine[i].direction[k] = f->weight > 0 ? f->up[k] : f->normal[i][k] / length;
  }
}

pc_status pc_flow_find_boundary(pc_fe_flow *f, pc_error *error)
{
  pc_status status = list_sides(f, error);
  if (status != PC_OK)
    return status;
  size_t room = 3 * (size_t)f->sides;
  f->spine = pc_arena_take(&f->arena, room, sizeof *f->spine);
  f->slide = pc_arena_take(&f->arena, room, sizeof *f->slide);
  f->normal = pc_arena_take(&f->arena, room, sizeof *f->normal);
  f->spine_of = pc_arena_take(&f->arena, (size_t)f->mesh.nodes, sizeof *f->spine_of);
  f->wall = pc_arena_take(&f->arena, (size_t)f->def.contacts, sizeof *f->wall);
  if (f->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the boundary of a fluid");
  list_spines(f);
  for (int i = 0; i < f->def.contacts && status == PC_OK; i++)
    if (f->def.contact[i].body < 0)
      status = bind_wall(f, i, error);
  for (int i = 0; i < f->spines && status == PC_OK; i++) {
    const double *n = f->normal[i], *d = f->spine[i].direction, *x = f->start[f->spine[i].node];
    if (!(n[0] * d[0] + n[1] * d[1] > STEEP * pc_hypot(n[0], n[1])))
      status = pc_fail(
          error, PC_ERROR_ARGUMENT,
          "the boundary at (%g, %g) must be a wall, be held, or face upwards as a free surface",
          x[0], x[1]);
  }
  return status;
}
