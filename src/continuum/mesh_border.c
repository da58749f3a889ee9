// Whether elements fit side to side: shared sides, and nodes that hang on a side.
#include <math.h>
#include <stdlib.h>

#include "continuum/mesh.h"
#include "core/elementary.h"
#include "core/error.h"

// Nodes sorted along one of two directions that are oblique to most borders: along or across a
// border many nodes would have the same position.
typedef struct sorted_node {
  double at;
  int node;
} sorted_node;

static double along(const double point[2], int direction)
{
  static const double c = 0.54030230586813972, s = 0.84147098480789651; // of an angle of 1
  return direction == 0 ? c * point[0] + s * point[1] : c * point[1] - s * point[0];
}

static int compare_nodes(const void *a, const void *b)
{
  const sorted_node *p = a, *q = b;
  return p->at != q->at ? (p->at < q->at ? -1 : 1) : p->node - q->node;
}

static int first_from(const sorted_node *list, int count, double at)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (list[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Largest difference of positions of nodes within the tolerance of each other.
static double with_roundoff(const pc_fe_mesh *mesh, double tolerance)
{
  double most = 0;
  for (int i = 0; i < mesh->nodes; i++)
    most = fmax(most, fabs(mesh->node[i][0]) + fabs(mesh->node[i][1]));
  return 1.001 * tolerance + 1e-15 * most;
}

static bool is_alone(const pc_fe_facet *list, int count, int i)
{
  bool before = i > 0 && pc_fe_facet_same(&list[i - 1], &list[i]);
  return !before && (i + 1 == count || !pc_fe_facet_same(&list[i + 1], &list[i]));
}

// The first corner of a side of an element that is its lowest node, and the one that follows: two
// elements on either side of it go on to different ones.
static int next_corner(const pc_fe_mesh *mesh, const pc_fe_facet *facet)
{
  const pc_fe_cell *cell = &mesh->body.cell[facet->cell];
  int end[PC_SIDE_NODES_MAX], at = 0;
  int corners = pc_element_of(pc_element_of(cell->type)->side)->corners;
  pc_element_side(cell->type, facet->number, end);
  if (corners == 2)
    return mesh->body.node[cell->first + end[0]];
  while (mesh->body.node[cell->first + end[at]] != facet->corner[0])
    at++;
  return mesh->body.node[cell->first + end[(at + 1) % corners]];
}

static pc_status check_sharing(const pc_fe_mesh *mesh, const pc_fe_facet *list, int count,
                               pc_error *error)
{
  for (int i = 0; i + 1 < count; i++) {
    if (!pc_fe_facet_same(&list[i], &list[i + 1]))
      continue;
    if (i + 2 < count && pc_fe_facet_same(&list[i], &list[i + 2]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s and elements %d and %d share one side",
                     pc_fe_cell_text(mesh, &mesh->body, list[i].cell).text, list[i + 1].cell,
                     list[i + 2].cell);
    if (next_corner(mesh, &list[i]) == next_corner(mesh, &list[i + 1]))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     mesh->dimension == 3
                         ? "%s overlaps element %d: both are on the same side of a shared side"
                         : "%s overlaps element %d: both are to the left of a shared side",
                     pc_fe_cell_text(mesh, &mesh->body, list[i].cell).text, list[i + 1].cell);
  }
  return PC_OK;
}

// Whether p is on the segment ab, away from both ends by more than the tolerance.
static bool between(const double p[2], const double a[2], const double b[2], double tolerance)
{
  double x = b[0] - a[0], y = b[1] - a[1], length = pc_hypot(x, y);
  double along = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / length;
  double off = ((p[0] - a[0]) * y - (p[1] - a[1]) * x) / length;
  return fabs(off) <= tolerance && along > tolerance && along < length - tolerance;
}

// The nodes of sides with one element, sorted along a direction.
static int sort_border(const pc_fe_mesh *mesh, const pc_fe_facet *edge, int edges, int direction,
                       sorted_node *list)
{
  int count = 0;
  for (int e = 0; e < edges; e++)
    if (is_alone(edge, edges, e)) {
      const pc_fe_cell *cell = &mesh->body.cell[edge[e].cell];
      int end[PC_SIDE_NODES_MAX];
      pc_element_side(cell->type, edge[e].number, end);
      for (int k = 0; k < 3; k++)
        if (k != 1 && end[k] >= 0) {
          int node = mesh->body.node[cell->first + end[k]];
          list[count++] = (sorted_node){along(mesh->node[node], direction), node};
        }
    }
  qsort(list, (size_t)count, sizeof *list, compare_nodes);
  return count;
}

// A node and a group of sides that it is on.
typedef struct member {
  int node, group;
} member;

static int compare_members(const void *a, const void *b)
{
  const member *p = a, *q = b;
  return p->node != q->node ? (p->node < q->node ? -1 : 1) : p->group - q->group;
}

// Which nodes are on which sides, sorted; what may touch without matching.
typedef struct touching {
  member *list;
  size_t count;
  int pairs;
  const int (*pair)[2];
} touching;

static pc_status list_members(const pc_fe_mesh *mesh, touching *t, pc_error *error)
{
  if (t->pairs == 0)
    return PC_OK;
  t->list = malloc(((size_t)mesh->side.count * PC_SIDE_NODES_MAX + 1) * sizeof *t->list);
  if (t->list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    for (int k = 0; k < pc_element_of(side->type)->nodes; k++)
      t->list[t->count++] = (member){mesh->side.node[side->first + k], side->group};
  }
  qsort(t->list, t->count, sizeof *t->list, compare_members);
  return PC_OK;
}

static bool is_member(const touching *t, int node, int group)
{
  member wanted = {node, group};
  return bsearch(&wanted, t->list, t->count, sizeof wanted, compare_members) != NULL;
}

// Whether a node may lie on the side ab: they belong to sides that meet.
static bool may_touch(const touching *t, int node, int a, int b)
{
  for (int k = 0; k < t->pairs; k++)
    for (int i = 0; i < 2; i++) {
      int own = t->pair[k][i], other = t->pair[k][1 - i];
      if (is_member(t, node, own) && is_member(t, a, other) && is_member(t, b, other))
        return true;
    }
  return false;
}

// `list` has the border nodes sorted along both directions: a side is compared with the nodes
// beside it in the direction that has fewer.
static pc_status check_hanging(const pc_fe_mesh *mesh, const pc_fe_facet *edge, int edges,
                               const touching *t, sorted_node *const list[2], pc_error *error)
{
  double tolerance = 1e-9 * pc_fe_mesh_size(mesh), apart = with_roundoff(mesh, tolerance);
  int count = sort_border(mesh, edge, edges, 0, list[0]);
  sort_border(mesh, edge, edges, 1, list[1]);
  for (int e = 0; e < edges; e++) {
    if (!is_alone(edge, edges, e))
      continue;
    const pc_fe_cell *cell = &mesh->body.cell[edge[e].cell];
    int end[PC_SIDE_NODES_MAX], from[2], to[2];
    pc_element_side(cell->type, edge[e].number, end);
    const int *own = mesh->body.node + cell->first;
    const double *a = mesh->node[own[end[0]]], *b = mesh->node[own[end[1]]];
    const double *m = end[2] >= 0 ? mesh->node[own[end[2]]] : b;
    for (int d = 0; d < 2; d++) {
      double at[3] = {along(a, d), along(b, d), along(m, d)};
      from[d] = first_from(list[d], count, fmin(at[0], fmin(at[1], at[2])) - apart);
      to[d] = first_from(list[d], count, fmax(at[0], fmax(at[1], at[2])) + apart);
    }
    int fewer = to[1] - from[1] < to[0] - from[0];
    for (int k = from[fewer]; k < to[fewer]; k++) {
      int node = list[fewer][k].node;
      const double *p = mesh->node[node];
      if ((between(p, a, m, tolerance) || (m != b && between(p, m, b, tolerance))) &&
          !may_touch(t, node, own[end[0]], own[end[1]]))
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "node %d, at (%g, %g), lies on a side of %s but is not one of its nodes; "
                       "parts that touch must share their nodes, and other parts must not overlap",
                       node, p[0], p[1], pc_fe_cell_text(mesh, &mesh->body, edge[e].cell).text);
    }
  }
  return PC_OK;
}

static pc_status check_border(const pc_fe_mesh *mesh, const pc_fe_facet *edge, int edges, int pairs,
                              const int (*pair)[2], pc_error *error)
{
  touching t = {.pairs = pairs, .pair = pair};
  size_t most = 2 * (size_t)edges + 1; // nodes of the border
  sorted_node *nodes = malloc(2 * most * sizeof *nodes);
  if (nodes == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  sorted_node *list[2] = {nodes, nodes + most};
  pc_status status = list_members(mesh, &t, error);
  if (status == PC_OK)
    status = check_hanging(mesh, edge, edges, &t, list, error);
  free(t.list);
  free(nodes);
  return status;
}

pc_status pc_fe_mesh_check_conforming(const pc_fe_mesh *mesh, int pairs, const int (*pair)[2],
                                      pc_error *error)
{
  if (mesh->dimension == 1)
    return PC_OK;
  int count;
  pc_fe_facet *list = pc_fe_mesh_sides(mesh, &count);
  if (list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  pc_status status = check_sharing(mesh, list, count, error);
  if (status == PC_OK && mesh->dimension == 2)
    status = check_border(mesh, list, count, pairs, pair, error);
  free(list);
  return status;
}
