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

// Sides of contacts have one element, on their inner side: their normals point outwards.
static pc_status check_normal(const pc_fe_mesh *mesh, const pc_fe_facet *list, int count, int side,
                              pc_error *error)
{
  const pc_fe_cell *own = &mesh->side.cell[side];
  const char *name = mesh->group[own->group].name;
  pc_fe_text where = pc_fe_place_text(mesh, mesh->node[mesh->side.node[own->first]]);
  int at = pc_fe_facet_find_side(list, count, mesh, side);
  if (at < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a side of \"%s\", at %s, belongs to no element", name,
                   where.text);
  if (at + 1 < count && pc_fe_facet_same(&list[at], &list[at + 1]))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "\"%s\" has elements on both sides at %s, so nothing can touch it there", name,
                   where.text);
  if (!pc_fe_facet_runs_along(mesh, &list[at], side))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the normal of \"%s\" points inwards: its element is %s at %s", name,
                   mesh->dimension == 3 ? "outside" : "on the right", where.text);
  return PC_OK;
}

static pc_status check_normals(const pc_fe_collision_def *def, pc_error *error)
{
  const pc_fe_mesh *mesh = def->mesh;
  if (mesh->dimension == 1 || def->contacts == 0)
    return PC_OK;
  int count;
  pc_fe_facet *list = pc_fe_mesh_sides(mesh, &count);
  if (list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the sides of a mesh");
  pc_status status = PC_OK;
  for (int s = 0; s < mesh->side.count && status == PC_OK; s++)
    if (is_touching(def, mesh->side.cell[s].group))
      status = check_normal(mesh, list, count, s, error);
  free(list);
  return status;
}

pc_status pc_fe_collision_check(const pc_fe_collision_def *def, pc_error *error)
{
  if (!(def->tolerance >= 0 && def->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the tolerance must be at least 0 and less than 1 (got %g)", def->tolerance);
  pc_status status = pc_fe_mesh_done(def->mesh, error);
  if (status == PC_OK)
    status = check_media(def, error);
  return status == PC_OK ? check_normals(def, error) : status;
}
