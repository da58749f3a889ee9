// Which numbers a node has, and which nodes act on each other: the pattern of the matrices.
#include "continuum/assembly.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the unknowns of a mesh");
}

// A pressure for every corner of an element of a fluid.
static pc_status find_sizes(pc_fe_space *space, const bool *fluid, pc_error *error)
{
  const pc_fe_mesh *mesh = space->mesh;
  for (int i = 0; i < mesh->nodes; i++)
    space->size[i] = space->components;
  for (int e = 0; fluid != NULL && e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    const pc_element_info *info = pc_element_of(cell->type);
    if (!fluid[cell->group])
      continue;
    if (info->order != 2)
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "element %d, a %s, is too stiff for a fluid: pressures need quadratic "
                     "elements",
                     e, info->name);
    for (int k = 0; k < info->corners; k++)
      space->size[mesh->body.node[cell->first + k]] = space->components + 1;
  }
  space->start[0] = 0;
  for (int i = 0; i < mesh->nodes; i++)
    space->start[i + 1] = space->start[i] + space->size[i];
  space->numbers = space->start[mesh->nodes];
  return PC_OK;
}

static pc_status create(pc_fe_space *space, const bool *fluid, const int (*pair)[2],
                        pc_error *error)
{
  const pc_fe_mesh *mesh = space->mesh;
  size_t nodes = (size_t)mesh->nodes, interfaces = (size_t)space->interfaces;
  space->size = malloc((nodes + 1) * sizeof *space->size);
  space->start = malloc((nodes + 1) * sizeof *space->start);
  space->sign = malloc(3 * nodes + 1);
  space->partner = calloc(interfaces + 1, sizeof *space->partner);
  space->pair = malloc((interfaces + 1) * sizeof *space->pair);
  if (!space->size || !space->start || !space->sign || !space->partner || !space->pair)
    return out_of_memory(error);
  pc_status status = find_sizes(space, fluid, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < mesh->nodes; i++)
    for (int k = 0; k < space->size[i]; k++)
      space->sign[space->start[i] + k] = k < space->components ? 1 : -1;
  for (int i = 0; i < space->interfaces; i++) {
    memcpy(space->pair[i], pair[i], sizeof pair[i]);
    space->partner[i] = malloc((nodes + 1) * sizeof **space->partner);
    if (space->partner[i] == NULL)
      return out_of_memory(error);
    for (int k = 0; k < 2; k++)
      if (pair[i][k] < 0 || pair[i][k] >= mesh->groups)
        return pc_fail(error, PC_ERROR_ARGUMENT, "interface %d has no group %d", i, pair[i][k]);
    status = pc_fe_mesh_match(mesh, pair[i][0], pair[i][1], space->partner[i], error);
    if (status != PC_OK)
      return status;
  }
  return PC_OK;
}

pc_status pc_fe_space_create(pc_fe_space *space, const pc_fe_mesh *mesh, int components,
                             const bool *fluid, int interfaces, const int (*pair)[2],
                             pc_error *error)
{
  *space = (pc_fe_space){.mesh = mesh, .components = components, .interfaces = interfaces};
  pc_status status = components < 1 || components > 2 || interfaces < 0
                         ? pc_fail(error, PC_ERROR_ARGUMENT, "velocities have 1 or 2 components")
                         : create(space, fluid, pair, error);
  if (status != PC_OK)
    pc_fe_space_free(space);
  return status;
}

void pc_fe_space_free(pc_fe_space *space)
{
  free(space->size);
  free(space->start);
  free(space->sign);
  for (int i = 0; space->partner != NULL && i < space->interfaces; i++)
    free(space->partner[i]);
  free(space->partner);
  free(space->pair);
  *space = (pc_fe_space){0};
}

int pc_fe_space_pressure(const pc_fe_space *space, int node)
{
  bool has = space->size[node] > space->components;
  return has ? space->start[node] + space->components : -1;
}

// Pairs of nodes in one element, or in one side and its partners. Counts them where `pair` is NULL.
static long list_pairs(const pc_fe_space *space, int (*pair)[2])
{
  const pc_fe_mesh *mesh = space->mesh;
  long count = 0;
  for (int e = 0; e < mesh->body.count; e++) {
    const int *node = mesh->body.node + mesh->body.cell[e].first;
    int nodes = pc_element_of(mesh->body.cell[e].type)->nodes;
    for (int i = 0; i < nodes; i++)
      for (int j = 0; j < i; j++, count++)
        if (pair != NULL)
          pair[count][0] = node[i], pair[count][1] = node[j];
  }
  for (int f = 0; f < space->interfaces; f++)
    for (int s = 0; s < mesh->side.count; s++) {
      if (mesh->side.cell[s].group != space->pair[f][0])
        continue;
      const int *node = mesh->side.node + mesh->side.cell[s].first;
      int nodes = pc_element_of(mesh->side.cell[s].type)->nodes;
      // The partners among themselves too: their elements need not be the same.
      for (int i = 0; i < nodes; i++)
        for (int j = 0; j < nodes; j++)
          for (int k = 0; k < 2; k++, count++)
            if (pair != NULL) {
              pair[count][0] = k == 0 ? node[i] : space->partner[f][node[i]];
              pair[count][1] = space->partner[f][node[j]];
            }
    }
  return count;
}

pc_status pc_fe_space_matrix(const pc_fe_space *space, pc_block_matrix *matrix, pc_error *error)
{
  *matrix = (pc_block_matrix){0};
  long count = list_pairs(space, NULL);
  int(*pair)[2] = malloc(((size_t)count + 1) * sizeof *pair);
  if (pair == NULL)
    return out_of_memory(error);
  list_pairs(space, pair);
  pc_status status = pc_block_matrix_create(matrix, space->mesh->nodes, space->size,
                                            (const int(*)[2])pair, count, error);
  free(pair);
  return status;
}
