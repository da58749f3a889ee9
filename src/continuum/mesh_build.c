// Structured meshes, blocks joined along their sides, and quadratic elements from linear ones.
#include "continuum/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

void pc_fe_grade(double from, double to, int cells, double ratio, double *place)
{
  // Sizes are q^i, with q^(cells - 1) = ratio; sums of a geometric series, or plain for q = 1.
  double q = cells > 1 ? pow(ratio, 1. / (cells - 1)) : 1, sum = 0, total = 0, size = 1;
  for (int i = 0; i < cells; i++, size *= q)
    total += size;
  size = 1;
  for (int i = 0; i < cells; i++, size *= q) {
    place[i] = from + (to - from) * (sum / total);
    sum += size;
  }
  place[cells] = to;
}

static bool increasing(int cells, const double *place)
{
  bool good = cells >= 1;
  for (int i = 0; good && i < cells; i++)
    good = place[i] < place[i + 1];
  return good;
}

void pc_fe_mesh_add_side(pc_fe_mesh *mesh, const char *name, int a, int b)
{
  if (name != NULL)
    pc_fe_mesh_add(mesh, PC_LINE2, (int[]){a, b}, pc_fe_mesh_add_group(mesh, name, 1));
}

void pc_fe_mesh_add_rectangle(pc_fe_mesh *mesh, const pc_fe_rectangle *r)
{
  bool triangles = r->type == PC_TRIANGLE3;
  if (mesh->dimension != 2 || (!triangles && r->type != PC_QUAD4) ||
      !increasing(r->columns, r->x) || !increasing(r->rows, r->y)) {
    pc_fe_mesh_reject(mesh);
    return;
  }
  int group = pc_fe_mesh_add_group(mesh, r->name, 2), first = mesh->nodes, wide = r->columns + 1;
  for (int j = 0; j <= r->rows; j++)
    for (int i = 0; i <= r->columns; i++)
      pc_fe_mesh_add_node(mesh, r->x[i], r->y[j]);
  for (int j = 0; j < r->rows; j++)
    for (int i = 0; i < r->columns; i++) {
      int a = first + j * wide + i, b = a + 1, c = b + wide, d = a + wide;
      if (triangles) {
        pc_fe_mesh_add(mesh, r->type, (int[]){a, b, c}, group);
        pc_fe_mesh_add(mesh, r->type, (int[]){a, c, d}, group);
      } else
        pc_fe_mesh_add(mesh, r->type, (int[]){a, b, c, d}, group);
    }
  int top = first + r->rows * wide;
  for (int i = 0; i < r->columns; i++)
    pc_fe_mesh_add_side(mesh, r->bottom, first + i, first + i + 1);
  for (int j = 0; j < r->rows; j++)
    pc_fe_mesh_add_side(mesh, r->right, first + j * wide + r->columns,
                        first + (j + 1) * wide + r->columns);
  for (int i = r->columns; i > 0; i--)
    pc_fe_mesh_add_side(mesh, r->top, top + i, top + i - 1);
  for (int j = r->rows; j > 0; j--)
    pc_fe_mesh_add_side(mesh, r->left, first + j * wide, first + (j - 1) * wide);
}

void pc_fe_mesh_add_line(pc_fe_mesh *mesh, int cells, const double *x, const char *name,
                         const char *left, const char *right)
{
  if (mesh->dimension != 1 || !increasing(cells, x)) {
    pc_fe_mesh_reject(mesh);
    return;
  }
  int group = pc_fe_mesh_add_group(mesh, name, 1), first = mesh->nodes;
  for (int i = 0; i <= cells; i++)
    pc_fe_mesh_add_node(mesh, x[i], 0);
  for (int i = 0; i < cells; i++)
    pc_fe_mesh_add(mesh, PC_LINE2, (int[]){first + i, first + i + 1}, group);
  if (left != NULL)
    pc_fe_mesh_add(mesh, PC_POINT1, (int[]){first}, pc_fe_mesh_add_group(mesh, left, 0));
  if (right != NULL)
    pc_fe_mesh_add(mesh, PC_POINT1, (int[]){first + cells}, pc_fe_mesh_add_group(mesh, right, 0));
}

typedef struct placed {
  double x, y;
  int node;
} placed;

static int compare_places(const void *a, const void *b)
{
  const placed *p = a, *q = b;
  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  if (p->y != q->y)
    return p->y < q->y ? -1 : 1;
  return p->node - q->node;
}

static int list_group(const pc_fe_mesh *mesh, int group, placed *list)
{
  int count = 0;
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    for (int k = 0; side->group == group && k < pc_element_of(side->type)->nodes; k++) {
      int node = mesh->side.node[side->first + k];
      list[count++] = (placed){mesh->node[node][0], mesh->node[node][1], node};
    }
  }
  return count;
}

// Removes merged nodes; the others keep their order.
static void drop_nodes(pc_fe_mesh *mesh, int *becomes)
{
  int kept = 0;
  for (int i = 0; i < mesh->nodes; i++)
    if (becomes[i] == i) {
      memmove(mesh->node[kept], mesh->node[i], sizeof mesh->node[i]);
      becomes[i] = -1 - kept++; // the new number, marked
    }
  for (int i = 0; i < mesh->nodes; i++)
    if (becomes[i] >= 0)
      becomes[i] = becomes[becomes[i]];
  mesh->nodes = kept;
  for (int k = 0; k < mesh->body.listed; k++)
    mesh->body.node[k] = -1 - becomes[mesh->body.node[k]];
  for (int k = 0; k < mesh->side.listed; k++)
    mesh->side.node[k] = -1 - becomes[mesh->side.node[k]];
}

static void drop_sides(pc_fe_mesh *mesh, int first, int second)
{
  pc_fe_cells *side = &mesh->side;
  int kept = 0, listed = 0;
  for (int i = 0; i < side->count; i++) {
    pc_fe_cell cell = side->cell[i];
    if (cell.group == first || cell.group == second)
      continue;
    int nodes = pc_element_of(cell.type)->nodes;
    memmove(side->node + listed, side->node + cell.first, (size_t)nodes * sizeof *side->node);
    cell.first = listed;
    listed += nodes;
    side->cell[kept++] = cell;
  }
  side->count = kept;
  side->listed = listed;
}

// The nearest listed place within the tolerance; -1 if there is none.
static int nearest(const placed *list, int count, const placed *from, double tolerance)
{
  int low = 0, high = count, best = -1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (list[middle].x < from->x - tolerance)
      low = middle + 1;
    else
      high = middle;
  }
  double least = tolerance;
  for (int i = low; i < count && list[i].x <= from->x + tolerance; i++) {
    double distance = hypot(list[i].x - from->x, list[i].y - from->y);
    if (distance <= least && (best < 0 || distance < least))
      best = i, least = distance;
  }
  return best;
}

pc_status pc_fe_mesh_match(const pc_fe_mesh *mesh, int first, int second, int *partner,
                           pc_error *error)
{
  size_t room = (size_t)mesh->side.listed + 1;
  placed *from = malloc(room * sizeof *from), *to = malloc(room * sizeof *to);
  pc_status status = PC_OK;
  if (from == NULL || to == NULL) {
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory to match sides");
    goto done;
  }
  int from_count = list_group(mesh, first, from), to_count = list_group(mesh, second, to);
  qsort(to, (size_t)to_count, sizeof *to, compare_places);
  double tolerance = 1e-9 * pc_fe_mesh_size(mesh);
  for (int i = 0; i < mesh->nodes; i++)
    partner[i] = -1;
  for (int i = 0; i < from_count; i++) {
    int at = nearest(to, to_count, &from[i], tolerance);
    if (at < 0) {
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "node %d of \"%s\", at (%g, %g), has no partner on \"%s\"", from[i].node,
                       mesh->group[first].name, from[i].x, from[i].y, mesh->group[second].name);
      break;
    }
    partner[from[i].node] = to[at].node;
  }

done:
  free(from);
  free(to);
  return status;
}

pc_status pc_fe_mesh_join(pc_fe_mesh *mesh, const char *first, const char *second, pc_error *error)
{
  pc_status status = pc_fe_mesh_done(mesh, error);
  if (status != PC_OK)
    return status;
  int a = pc_fe_mesh_find_group(mesh, first, mesh->dimension - 1);
  int b = pc_fe_mesh_find_group(mesh, second, mesh->dimension - 1);
  if (a < 0 || b < 0 || a == b)
    return pc_fail(error, PC_ERROR_ARGUMENT, "joining needs two groups of sides, \"%s\" is none",
                   a < 0 ? first : second);
  int *becomes = malloc(((size_t)mesh->nodes + 1) * sizeof *becomes);
  if (becomes == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to join sides");
  status = pc_fe_mesh_match(mesh, a, b, becomes, error);
  if (status == PC_OK) {
    for (int i = 0; i < mesh->side.count; i++) { // a node of both groups stays what it is
      const pc_fe_cell *side = &mesh->side.cell[i];
      for (int k = 0; side->group == b && k < pc_element_of(side->type)->nodes; k++)
        becomes[mesh->side.node[side->first + k]] = -1;
    }
    for (int i = 0; i < mesh->nodes; i++)
      becomes[i] = becomes[i] < 0 ? i : becomes[i];
    drop_sides(mesh, a, b);
    drop_nodes(mesh, becomes);
  }
  free(becomes);
  return status;
}

static int middle_node(pc_fe_mesh *to, const pc_fe_mesh *from, int a, int b)
{
  const double *p = from->node[a], *q = from->node[b];
  return pc_fe_mesh_add_node(to, (p[0] + q[0]) / 2, (p[1] + q[1]) / 2);
}

// `middle[e]` is the node in the middle of edge e, the same for all elements that share it.
static void add_quadratic(pc_fe_mesh *to, const pc_fe_mesh *from, int cell, const pc_fe_edge *edge,
                          int edges, const int *middle, bool centre)
{
  const pc_fe_cell *old = &from->body.cell[cell];
  const int *corner = from->body.node + old->first;
  const pc_element_info *info = pc_element_of(old->type);
  int node[PC_ELEMENT_NODES_MAX], n = info->corners;
  memcpy(node, corner, (size_t)n * sizeof *node);
  pc_element type = PC_TRIANGLE6;
  if (info->dimension == 1) {
    type = PC_LINE3;
    node[2] = middle_node(to, from, corner[0], corner[1]);
  } else
    for (int i = 0; i < n; i++)
      node[n + i] = middle[pc_fe_edge_find(edge, edges, corner[i], corner[(i + 1) % n])];
  if (n == 4) {
    type = centre ? PC_QUAD9 : PC_QUAD8;
    double x[2] = {0};
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 2; k++)
        x[k] += from->node[corner[i]][k] / 4;
    if (centre)
      node[8] = pc_fe_mesh_add_node(to, x[0], x[1]);
  }
  pc_fe_mesh_add(to, type, node, old->group);
}

pc_status pc_fe_mesh_quadratic(pc_fe_mesh *mesh, bool centre, pc_error *error)
{
  pc_status status = pc_fe_mesh_done(mesh, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < mesh->body.count; i++)
    if (pc_element_of(mesh->body.cell[i].type)->order != 1)
      return pc_fail(error, PC_ERROR_ARGUMENT, "element %d is quadratic already", i);
  int edges;
  pc_fe_edge *edge = pc_fe_mesh_edges(mesh, &edges);
  int *middle = malloc(((size_t)edges + 1) * sizeof *middle);
  pc_fe_mesh to = pc_fe_mesh_empty(mesh->dimension);
  if (edge == NULL || middle == NULL)
    to.failed = PC_ERROR_MEMORY;
  for (int i = 0; i < mesh->nodes; i++)
    pc_fe_mesh_add_node(&to, mesh->node[i][0], mesh->node[i][1]);
  for (int i = 0; i < mesh->groups; i++)
    pc_fe_mesh_add_group(&to, mesh->group[i].name, mesh->group[i].dimension);
  for (int e = 0; to.failed == PC_OK && mesh->dimension == 2 && e < edges; e++) {
    bool first = e == 0 || edge[e].low != edge[e - 1].low || edge[e].high != edge[e - 1].high;
    middle[e] = first ? middle_node(&to, mesh, edge[e].low, edge[e].high) : middle[e - 1];
  }
  for (int i = 0; to.failed == PC_OK && i < mesh->body.count; i++)
    add_quadratic(&to, mesh, i, edge, edges, middle, centre);
  for (int i = 0; to.failed == PC_OK && i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    int node[3] = {mesh->side.node[side->first]};
    if (side->type == PC_LINE2) {
      node[1] = mesh->side.node[side->first + 1];
      int at = pc_fe_edge_find(edge, edges, node[0], node[1]);
      if (at < 0) {
        status = pc_fail(error, PC_ERROR_ARGUMENT, "side %d is no side of an element", i);
        break;
      }
      node[2] = middle[at];
    }
    pc_fe_mesh_add(&to, side->type == PC_LINE2 ? PC_LINE3 : side->type, node, side->group);
  }
  free(edge);
  free(middle);
  if (status == PC_OK)
    status = pc_fe_mesh_done(&to, error);
  if (status != PC_OK) {
    pc_fe_mesh_free(&to);
    return status;
  }
  pc_fe_mesh_free(mesh);
  *mesh = to;
  return PC_OK;
}
