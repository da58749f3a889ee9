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
                     "element %d, a %s, is too stiff for a fluid; use quadratic elements", e,
                     info->name);
    for (int k = 0; k < info->corners; k++)
      space->size[mesh->body.node[cell->first + k]] = space->components + 1;
  }
  return PC_OK;
}

// Vectors have their numbers in the order of the block rows. `node`: scratch, which node or body
// has a row.
static void number_rows(pc_fe_space *space, int *node)
{
  int rows = space->mesh->nodes + space->bodies;
  for (int i = 0; i < rows; i++)
    node[space->row[i]] = i;
  space->numbers = 0;
  for (int r = 0; r < rows; r++) {
    int i = node[r];
    space->start[i] = space->numbers;
    for (int k = 0; k < space->size[i]; k++)
      space->sign[space->numbers++] = i >= space->mesh->nodes || k < space->components ? 1 : -1;
  }
}

static int first_of(int *part, int i)
{
  while (part[i] != i)
    i = part[i] = part[part[i]];
  return i;
}

// The connected parts of the mesh, by union-find over the nodes of elements, then numbered.
static void find_parts(pc_fe_space *space)
{
  const pc_fe_mesh *mesh = space->mesh;
  int *part = space->part;
  for (int i = 0; i < mesh->nodes; i++)
    part[i] = i;
  for (int e = 0; e < mesh->body.count; e++) {
    const int *node = mesh->body.node + mesh->body.cell[e].first;
    for (int k = 1; k < pc_element_of(mesh->body.cell[e].type)->nodes; k++) {
      int a = first_of(part, node[0]), b = first_of(part, node[k]);
      part[a > b ? a : b] = a > b ? b : a;
    }
  }
  // The first node of a part has the smallest number in it, so it is met, and marked, first.
  for (int i = 0; i < mesh->nodes; i++)
    part[i] = part[i] == i ? -1 - space->parts++ : part[part[i]];
  for (int i = 0; i < mesh->nodes; i++)
    part[i] = -1 - part[i];
}

static pc_status create(pc_fe_space *space, const bool *fluid, const int (*pair)[2],
                        pc_error *error)
{
  const pc_fe_mesh *mesh = space->mesh;
  pc_arena *arena = &space->arena;
  size_t nodes = (size_t)mesh->nodes, interfaces = (size_t)space->interfaces;
  space->row = pc_arena_take(arena, nodes, sizeof *space->row);
  space->size = pc_arena_take(arena, nodes, sizeof *space->size);
  space->start = pc_arena_take(arena, nodes, sizeof *space->start);
  space->sign = pc_arena_take(arena, 4 * nodes, 1);
  space->partner = pc_arena_take(arena, interfaces, sizeof *space->partner);
  space->pair = pc_arena_take(arena, interfaces, sizeof *space->pair);
  space->part = pc_arena_take(arena, nodes, sizeof *space->part);
  int *node = pc_arena_take(arena, nodes, sizeof *node);
  if (arena->failed)
    return out_of_memory(error);
  find_parts(space);
  space->motion = pc_arena_take(arena, (size_t)space->parts, sizeof *space->motion);
  if (space->motion == NULL)
    return out_of_memory(error);
  pc_status status = find_sizes(space, fluid, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < mesh->nodes; i++)
    space->row[i] = i;
  number_rows(space, node);
  for (int i = 0; i < space->interfaces; i++) {
    memcpy(space->pair[i], pair[i], sizeof pair[i]);
    space->partner[i] = pc_arena_take(arena, nodes, sizeof **space->partner);
    if (space->partner[i] == NULL)
      return out_of_memory(error);
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
  *space = (pc_fe_space){.mesh = mesh,
                         .components = components,
                         .body_size = components == 3 ? 6 : 3,
                         .interfaces = interfaces};
  pc_status status = create(space, fluid, pair, error);
  if (status != PC_OK)
    pc_fe_space_free(space);
  return status;
}

pc_status pc_fe_space_arrange(pc_fe_space *space, const char *last, int bodies, int links,
                              const int (*link)[2], pc_error *error)
{
  int nodes = space->mesh->nodes;
  size_t rows = (size_t)nodes + (size_t)bodies;
  pc_arena *arena = &space->arena;
  int *size = pc_arena_take(arena, rows, sizeof *size);
  int *node = pc_arena_take(arena, rows, sizeof *node);
  space->row = pc_arena_take(arena, rows, sizeof *space->row);
  space->start = pc_arena_take(arena, rows, sizeof *space->start);
  space->sign = pc_arena_take(arena, 6 * rows, 1);
  space->link = pc_arena_copy(arena, link, links, sizeof *link);
  if (arena->failed)
    return out_of_memory(error);
  space->size = memcpy(size, space->size, (size_t)nodes * sizeof *size);
  int row = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < nodes; i++)
      if ((last[i] != 0) == pass)
        space->row[i] = row++;
  for (int b = 0; b < bodies; b++) {
    space->row[nodes + b] = row++;
    space->size[nodes + b] = space->body_size;
  }
  space->bodies = bodies;
  space->links = links;
  number_rows(space, node);
  return PC_OK;
}

void pc_fe_space_free(pc_fe_space *space)
{
  pc_arena_free(&space->arena);
  *space = (pc_fe_space){0};
}

int pc_fe_space_pressure(const pc_fe_space *space, int node)
{
  bool has = space->size[node] > space->components;
  return has ? space->start[node] + space->components : -1;
}

// Collects pairs of block rows; without a list they are only counted.
typedef struct pair_list {
  const int *row; // of nodes and bodies
  int (*pair)[2];
  long count;
} pair_list;

static void list_pair(pair_list *list, int a, int b)
{
  if (list->pair != NULL) {
    list->pair[list->count][0] = list->row[a];
    list->pair[list->count][1] = list->row[b];
  }
  list->count++;
}

// Pairs in one element, in one side and its partners, and in one side and a body.
static void list_pairs(const pc_fe_space *space, pair_list *list)
{
  const pc_fe_mesh *mesh = space->mesh;
  for (int e = 0; e < mesh->body.count; e++) {
    const int *node = mesh->body.node + mesh->body.cell[e].first;
    int nodes = pc_element_of(mesh->body.cell[e].type)->nodes;
    for (int i = 0; i < nodes; i++)
      for (int j = 0; j < i; j++)
        list_pair(list, node[i], node[j]);
  }
  for (int f = 0; f < space->interfaces; f++)
    for (int s = 0; s < mesh->side.count; s++) {
      if (mesh->side.cell[s].group != space->pair[f][0])
        continue;
      const int *node = mesh->side.node + mesh->side.cell[s].first;
      int nodes = pc_element_of(mesh->side.cell[s].type)->nodes;
      // Also the partners among themselves: their elements may differ.
      for (int i = 0; i < nodes; i++)
        for (int j = 0; j < nodes; j++) {
          list_pair(list, node[i], space->partner[f][node[j]]);
          list_pair(list, space->partner[f][node[i]], space->partner[f][node[j]]);
        }
    }
  for (int l = 0; l < space->links; l++)
    for (int s = 0; s < mesh->side.count; s++) {
      const pc_fe_cell *side = &mesh->side.cell[s];
      for (int i = 0; side->group == space->link[l][0] && i < pc_element_of(side->type)->nodes; i++)
        list_pair(list, mesh->side.node[side->first + i], mesh->nodes + space->link[l][1]);
    }
}

pc_status pc_fe_space_matrix(const pc_fe_space *space, pc_block_matrix *matrix, pc_error *error)
{
  *matrix = (pc_block_matrix){0};
  int rows = space->mesh->nodes + space->bodies;
  pair_list list = {.row = space->row};
  list_pairs(space, &list);
  list.pair = malloc(((size_t)list.count + 1) * sizeof *list.pair);
  int *size = malloc(((size_t)rows + 1) * sizeof *size);
  pc_status status = PC_OK;
  if (list.pair == NULL || size == NULL) {
    status = out_of_memory(error);
  } else {
    for (int i = 0; i < rows; i++)
      size[space->row[i]] = space->size[i];
    list.count = 0;
    list_pairs(space, &list);
    status =
        pc_block_matrix_create(matrix, rows, size, (const int(*)[2])list.pair, list.count, error);
  }
  free(list.pair);
  free(size);
  return status;
}
