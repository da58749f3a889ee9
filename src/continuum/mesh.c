#include "continuum/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

pc_fe_mesh pc_fe_mesh_empty(int dimension)
{
  return (pc_fe_mesh){.dimension = dimension};
}

void pc_fe_mesh_free(pc_fe_mesh *mesh)
{
  free(mesh->node);
  free(mesh->body.cell);
  free(mesh->body.node);
  free(mesh->side.cell);
  free(mesh->side.node);
  free(mesh->group);
  *mesh = (pc_fe_mesh){0};
}

pc_status pc_fe_mesh_done(const pc_fe_mesh *mesh, pc_error *error)
{
  if (mesh->failed == PC_ERROR_MEMORY)
    return pc_fail(error, mesh->failed, "not enough memory for a mesh of %d nodes", mesh->nodes);
  if (mesh->failed != PC_OK)
    return pc_fail(error, mesh->failed,
                   "a mesh was given a node, group or element that makes no sense, after %d nodes "
                   "and %d elements",
                   mesh->nodes, mesh->body.count);
  return PC_OK;
}

void pc_fe_mesh_reject(pc_fe_mesh *mesh)
{
  if (mesh->failed == PC_OK)
    mesh->failed = PC_ERROR_ARGUMENT;
}

int pc_fe_mesh_add_node(pc_fe_mesh *mesh, double x, double y)
{
  if (!(isfinite(x) && isfinite(y)))
    pc_fe_mesh_reject(mesh);
  if (mesh->failed == PC_OK &&
      !pc_grow(&mesh->node, &mesh->node_room, mesh->nodes + 1, sizeof *mesh->node))
    mesh->failed = PC_ERROR_MEMORY;
  if (mesh->failed != PC_OK)
    return -1;
  mesh->node[mesh->nodes][0] = x;
  mesh->node[mesh->nodes][1] = y;
  return mesh->nodes++;
}

int pc_fe_mesh_find_group(const pc_fe_mesh *mesh, const char *name, int dimension)
{
  for (int i = 0; i < mesh->groups; i++)
    if (mesh->group[i].dimension == dimension && strcmp(mesh->group[i].name, name) == 0)
      return i;
  return -1;
}

int pc_fe_mesh_add_group(pc_fe_mesh *mesh, const char *name, int dimension)
{
  int found = pc_fe_mesh_find_group(mesh, name, dimension);
  if (found >= 0)
    return found;
  if (strlen(name) >= sizeof mesh->group->name || dimension < 0 ||
      dimension < mesh->dimension - 1 || dimension > mesh->dimension)
    pc_fe_mesh_reject(mesh);
  if (mesh->failed == PC_OK &&
      !pc_grow(&mesh->group, &mesh->group_room, mesh->groups + 1, sizeof *mesh->group))
    mesh->failed = PC_ERROR_MEMORY;
  if (mesh->failed != PC_OK)
    return -1;
  pc_fe_group *group = &mesh->group[mesh->groups];
  *group = (pc_fe_group){.dimension = dimension};
  memcpy(group->name, name, strlen(name) + 1);
  return mesh->groups++;
}

void pc_fe_mesh_add(pc_fe_mesh *mesh, pc_element type, const int *node, int group)
{
  const pc_element_info *info = pc_element_of(type);
  if (mesh->failed != PC_OK)
    return;
  bool sense =
      group >= 0 && group < mesh->groups && mesh->group[group].dimension == info->dimension;
  for (int i = 0; i < info->nodes; i++)
    sense = sense && node[i] >= 0 && node[i] < mesh->nodes;
  if (!sense) {
    pc_fe_mesh_reject(mesh);
    return;
  }
  pc_fe_cells *cells = info->dimension == mesh->dimension ? &mesh->body : &mesh->side;
  if (!pc_grow(&cells->cell, &cells->room, cells->count + 1, sizeof *cells->cell) ||
      !pc_grow(&cells->node, &cells->list_room, cells->listed + info->nodes, sizeof *cells->node)) {
    mesh->failed = PC_ERROR_MEMORY;
    return;
  }
  cells->cell[cells->count++] = (pc_fe_cell){type, cells->listed, group};
  memcpy(cells->node + cells->listed, node, (size_t)info->nodes * sizeof *node);
  cells->listed += info->nodes;
}

int pc_fe_mesh_corners(const pc_fe_mesh *mesh, const pc_fe_cells *cells, int cell,
                       double node[PC_ELEMENT_NODES_MAX][2])
{
  const int *number = cells->node + cells->cell[cell].first;
  int nodes = pc_element_of(cells->cell[cell].type)->nodes;
  for (int i = 0; i < nodes; i++)
    memcpy(node[i], mesh->node[number[i]], sizeof node[i]);
  return nodes;
}

double pc_fe_mesh_size(const pc_fe_mesh *mesh)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < mesh->nodes; i++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], mesh->node[i][k]);
      high[k] = fmax(high[k], mesh->node[i][k]);
    }
  return mesh->nodes > 0 ? hypot(high[0] - low[0], high[1] - low[1]) : 0;
}

static int compare_edges(const void *a, const void *b)
{
  const pc_fe_edge *p = a, *q = b;
  if (p->low != q->low)
    return p->low < q->low ? -1 : 1;
  if (p->high != q->high)
    return p->high < q->high ? -1 : 1;
  if (p->cell != q->cell)
    return p->cell < q->cell ? -1 : 1;
  return p->side - q->side;
}

pc_fe_edge *pc_fe_mesh_edges(const pc_fe_mesh *mesh, int *count)
{
  int total = 0;
  for (int i = 0; i < mesh->body.count; i++)
    total += pc_element_of(mesh->body.cell[i].type)->sides;
  pc_fe_edge *edge = malloc(((size_t)total + 1) * sizeof *edge);
  *count = 0;
  if (edge == NULL)
    return NULL;
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    for (int s = 0; s < pc_element_of(cell->type)->sides; s++) {
      int end[3];
      pc_element_side(cell->type, s, end);
      int a = mesh->body.node[cell->first + end[0]], b = mesh->body.node[cell->first + end[1]];
      edge[(*count)++] = (pc_fe_edge){a < b ? a : b, a < b ? b : a, i, s};
    }
  }
  qsort(edge, (size_t)*count, sizeof *edge, compare_edges);
  return edge;
}

int pc_fe_edge_find(const pc_fe_edge *edge, int count, int a, int b)
{
  pc_fe_edge want = {a < b ? a : b, a < b ? b : a, -1, 0};
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare_edges(&edge[middle], &want) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && edge[low].low == want.low && edge[low].high == want.high ? low : -1;
}

// The same element walked the other way from its first corner.
static void turn_round(pc_element type, int *node)
{
  const pc_element_info *info = pc_element_of(type);
  int old[PC_ELEMENT_NODES_MAX], n = info->corners;
  memcpy(old, node, (size_t)info->nodes * sizeof *node);
  if (info->dimension == 1) {
    node[0] = old[1], node[1] = old[0];
    return;
  }
  for (int i = 0; i < n; i++) {
    node[i] = old[(n - i) % n];
    if (info->order == 2)
      node[n + i] = old[n + n - 1 - i];
  }
}

static double corner_area(const pc_fe_mesh *mesh, const pc_fe_cell *cell)
{
  int n = pc_element_of(cell->type)->corners;
  const int *node = mesh->body.node + cell->first;
  const double *origin = mesh->node[node[0]];
  double area = 0;
  for (int i = 1; i + 1 < n; i++) {
    const double *a = mesh->node[node[i]], *b = mesh->node[node[i + 1]];
    area += (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0]);
  }
  return area / 2;
}

pc_status pc_fe_mesh_orient(pc_fe_mesh *mesh, pc_error *error)
{
  if (mesh->dimension != 2)
    return PC_OK;
  for (int i = 0; i < mesh->body.count; i++)
    if (corner_area(mesh, &mesh->body.cell[i]) < 0)
      turn_round(mesh->body.cell[i].type, mesh->body.node + mesh->body.cell[i].first);
  int count;
  pc_fe_edge *edge = pc_fe_mesh_edges(mesh, &count);
  if (edge == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the edges of a mesh");
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    int *node = mesh->side.node + side->first;
    int at = pc_fe_edge_find(edge, count, node[0], node[1]);
    bool alone = at >= 0 && (at + 1 == count || edge[at + 1].low != edge[at].low ||
                             edge[at + 1].high != edge[at].high);
    if (!alone)
      continue;
    int end[3];
    const pc_fe_cell *cell = &mesh->body.cell[edge[at].cell];
    pc_element_side(cell->type, edge[at].side, end);
    if (mesh->body.node[cell->first + end[0]] != node[0])
      turn_round(side->type, node);
  }
  free(edge);
  return PC_OK;
}
