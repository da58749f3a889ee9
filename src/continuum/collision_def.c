// Checks what the reader of a file cannot see: the mesh, and media and contacts together. Groups
// exist and numbers are in their ranges.
#include <stdlib.h>

#include "continuum/collision_state.h"
#include "core/error.h"

static pc_status check_media(const pc_fe_collision_def *def, pc_error *error)
{
  for (int i = 0; i < def->media; i++)
    for (int k = 0; k < i; k++)
      if (def->medium[i].group == def->medium[k].group)
        return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" has two media",
                       def->mesh->group[def->medium[i].group].name);
  return PC_OK;
}

static bool is_touching(const pc_fe_collision_def *def, int group)
{
  for (int i = 0; i < def->contacts; i++)
    if (def->contact[i].sides == group || def->contact[i].other == group)
      return true;
  return false;
}

// Sides of contacts have one element, on the left: their normals point outwards.
static pc_status check_normals(const pc_fe_collision_def *def, pc_error *error)
{
  const pc_fe_mesh *mesh = def->mesh;
  if (mesh->dimension != 2 || def->contacts == 0)
    return PC_OK;
  int count;
  pc_fe_edge *edge = pc_fe_mesh_edges(mesh, &count);
  if (edge == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the edges of a mesh");
  pc_status status = PC_OK;
  for (int s = 0; s < mesh->side.count && status == PC_OK; s++) {
    const pc_fe_cell *side = &mesh->side.cell[s];
    if (!is_touching(def, side->group))
      continue;
    const int *node = mesh->side.node + side->first;
    const char *name = mesh->group[side->group].name;
    const double *x = mesh->node[node[0]];
    int at = pc_fe_edge_find(edge, count, node[0], node[1]), end[3];
    if (at < 0) {
      status = pc_fail(error, PC_ERROR_ARGUMENT, "a side of \"%s\", at (%g, %g), has no element",
                       name, x[0], x[1]);
      break;
    }
    const pc_fe_cell *cell = &mesh->body.cell[edge[at].cell];
    pc_element_side(cell->type, edge[at].side, end);
    if (at + 1 < count && edge[at + 1].low == edge[at].low && edge[at + 1].high == edge[at].high)
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "\"%s\" has elements on both sides at (%g, %g): nothing can touch there",
                       name, x[0], x[1]);
    else if (mesh->body.node[cell->first + end[0]] != node[0])
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "\"%s\" has its element on the right at (%g, %g): its normal points inwards",
                       name, x[0], x[1]);
  }
  free(edge);
  return status;
}

pc_status pc_fe_collision_check(const pc_fe_collision_def *def, pc_error *error)
{
  if (!(def->tolerance >= 0 && def->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "a tolerance of %g is not 0 or more and below 1",
                   def->tolerance);
  pc_status status = pc_fe_mesh_done(def->mesh, error);
  if (status == PC_OK)
    status = check_media(def, error);
  return status == PC_OK ? check_normals(def, error) : status;
}
