// Checks of the nodes, elements and sides of a mesh one by one, reported with the element.
#include <stdlib.h>

#include "continuum/mesh.h"
#include "core/error.h"

static pc_status check_cells(const pc_fe_mesh *mesh, const pc_fe_cells *cells, char *used,
                             pc_error *error)
{
  for (int i = 0; i < cells->count; i++) {
    const pc_fe_cell *cell = &cells->cell[i];
    const int *node = cells->node + cell->first;
    for (int k = 0; k < pc_element_of(cell->type)->nodes; k++) {
      if (node[k] < 0 || node[k] >= mesh->nodes)
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "%s %d refers to node %d, but the mesh has %d nodes",
                       cells == &mesh->body ? "element" : "side", i, node[k], mesh->nodes);
      for (int l = 0; l < k; l++)
        if (node[l] == node[k])
          return pc_fail(error, PC_ERROR_ARGUMENT, "%s lists node %d twice",
                         pc_fe_cell_text(mesh, cells, i).text, node[k]);
      if (cells == &mesh->body)
        used[node[k]] = 1;
    }
  }
  return PC_OK;
}

// Sides of an element, with the same nodes.
static pc_status check_sides(const pc_fe_mesh *mesh, const pc_fe_facet *list, int count,
                             pc_error *error)
{
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    const int *node = mesh->side.node + side->first;
    int at = pc_fe_facet_find_side(list, count, mesh, i);
    if (at < 0)
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s is not a side of an element",
                     pc_fe_cell_text(mesh, &mesh->side, i).text);
    const pc_fe_cell *cell = &mesh->body.cell[list[at].cell];
    int end[PC_SIDE_NODES_MAX], nodes = pc_element_of(side->type)->nodes;
    pc_element_side(cell->type, list[at].number, end);
    bool same = pc_element_of(cell->type)->side == side->type;
    for (int k = 0; k < nodes && same; k++) {
      same = false;
      for (int l = 0; l < nodes; l++)
        same = same || mesh->body.node[cell->first + end[l]] == node[k];
    }
    if (!same)
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s has different nodes than element %d",
                     pc_fe_cell_text(mesh, &mesh->side, i).text, list[at].cell);
  }
  return PC_OK;
}

typedef struct named_side {
  int group, at, side; // `at`: the first of the sides of elements that it is
} named_side;

static int compare_named(const void *a, const void *b)
{
  const named_side *p = a, *q = b;
  if (p->group != q->group)
    return p->group < q->group ? -1 : 1;
  return p->at != q->at ? (p->at < q->at ? -1 : 1) : p->side - q->side;
}

// A side listed twice in its group would count twice. All are sides of elements.
static pc_status check_double_sides(const pc_fe_mesh *mesh, const pc_fe_facet *list, int count,
                                    pc_error *error)
{
  size_t sides = (size_t)mesh->side.count;
  named_side *named = malloc((sides + 1) * sizeof *named);
  if (named == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < mesh->side.count; i++)
    named[i] =
        (named_side){mesh->side.cell[i].group, pc_fe_facet_find_side(list, count, mesh, i), i};
  qsort(named, sides, sizeof *named, compare_named);
  pc_status status = PC_OK;
  for (size_t i = 1; i < sides && status == PC_OK; i++)
    if (named[i].group == named[i - 1].group && named[i].at == named[i - 1].at)
      status = pc_fail(error, PC_ERROR_ARGUMENT, "%s is listed twice",
                       pc_fe_cell_text(mesh, &mesh->side, named[i].side).text);
  free(named);
  return status;
}

pc_status pc_fe_mesh_check(const pc_fe_mesh *mesh, pc_error *error)
{
  pc_status status = pc_fe_mesh_done(mesh, error);
  if (status != PC_OK)
    return status;
  if (mesh->body.count == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the mesh has no elements");
  char *used = calloc((size_t)mesh->nodes + 1, 1);
  int count = 0;
  pc_fe_facet *list = NULL;
  if (used == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  if (status == PC_OK)
    status = check_cells(mesh, &mesh->body, used, error);
  if (status == PC_OK)
    status = check_cells(mesh, &mesh->side, used, error);
  for (int i = 0; status == PC_OK && i < mesh->nodes; i++)
    if (!used[i])
      status = pc_fail(error, PC_ERROR_ARGUMENT, "node %d, at %s, belongs to no element", i,
                       pc_fe_place_text(mesh, mesh->node[i]).text);
  for (int i = 0; status == PC_OK && i < mesh->body.count; i++)
    status = pc_fe_mesh_check_map(mesh, i, error);
  if (status == PC_OK) {
    list = pc_fe_mesh_sides(mesh, &count);
    status = list != NULL ? check_sides(mesh, list, count, error)
                          : pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  }
  if (status == PC_OK)
    status = check_double_sides(mesh, list, count, error);
  free(used);
  free(list);
  return status;
}
