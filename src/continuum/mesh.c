#include "continuum/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/plain.h"

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
                   "invalid node, group or element after %d nodes and %d elements", mesh->nodes,
                   mesh->body.count);
  return PC_OK;
}

void pc_fe_mesh_reject(pc_fe_mesh *mesh)
{
  if (mesh->failed == PC_OK)
    mesh->failed = PC_ERROR_ARGUMENT;
}

int pc_fe_mesh_add_node(pc_fe_mesh *mesh, double x, double y, double z)
{
  if (!(isfinite(x) && isfinite(y) && isfinite(z)))
    pc_fe_mesh_reject(mesh);
  if (mesh->failed == PC_OK &&
      !pc_grow(&mesh->node, &mesh->node_room, mesh->nodes + 1, sizeof *mesh->node))
    mesh->failed = PC_ERROR_MEMORY;
  if (mesh->failed != PC_OK)
    return -1;
  mesh->node[mesh->nodes][0] = x;
  mesh->node[mesh->nodes][1] = y;
  mesh->node[mesh->nodes][2] = z;
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
                       double node[PC_ELEMENT_NODES_MAX][3])
{
  const int *number = cells->node + cells->cell[cell].first;
  int nodes = pc_element_of(cells->cell[cell].type)->nodes;
  for (int i = 0; i < nodes; i++)
    memcpy(node[i], mesh->node[number[i]], sizeof node[i]);
  return nodes;
}

pc_fe_text pc_fe_place_text(const pc_fe_mesh *mesh, const double place[3])
{
  pc_fe_text to;
  if (mesh->dimension == 3)
    pc_print(to.text, sizeof to.text, "(%g, %g, %g)", place[0], place[1], place[2]);
  else
    pc_print(to.text, sizeof to.text, "(%g, %g)", place[0], place[1]);
  return to;
}

pc_fe_text pc_fe_cell_text(const pc_fe_mesh *mesh, const pc_fe_cells *cells, int cell)
{
  pc_fe_text to;
  const pc_fe_cell *c = &cells->cell[cell];
  const double *at = mesh->node[cells->node[c->first]];
  snprintf(to.text, sizeof to.text, "%s %d (%s of \"%.80s\", near %.90s)",
           cells == &mesh->body ? "element" : "side", cell, pc_element_of(c->type)->name,
           mesh->group[c->group].name, pc_fe_place_text(mesh, at).text);
  return to;
}

double pc_fe_length(const double v[3])
{
  return pc_hypot(pc_hypot(v[0], v[1]), v[2]);
}

double pc_fe_mesh_size(const pc_fe_mesh *mesh)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < mesh->nodes; i++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], mesh->node[i][k]);
      high[k] = fmax(high[k], mesh->node[i][k]);
    }
  const double diagonal[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
  return mesh->nodes > 0 ? pc_fe_length(diagonal) : 0;
}

static int compare_corners(const pc_fe_facet *p, const pc_fe_facet *q)
{
  for (int i = 0; i < PC_SIDE_CORNERS_MAX; i++)
    if (p->corner[i] != q->corner[i])
      return p->corner[i] < q->corner[i] ? -1 : 1;
  return 0;
}

bool pc_fe_facet_same(const pc_fe_facet *a, const pc_fe_facet *b)
{
  return compare_corners(a, b) == 0;
}

static int compare_facets(const void *a, const void *b)
{
  const pc_fe_facet *p = a, *q = b;
  int corners = compare_corners(p, q);
  if (corners != 0)
    return corners;
  return p->cell != q->cell ? (p->cell < q->cell ? -1 : 1) : p->number - q->number;
}

static void sort_corners(int count, const int *corner, int to[PC_SIDE_CORNERS_MAX])
{
  for (int i = 0; i < PC_SIDE_CORNERS_MAX; i++)
    to[i] = -1;
  for (int i = 0; i < count; i++) {
    int at = i;
    for (; at > 0 && to[at - 1] > corner[i]; at--)
      to[at] = to[at - 1];
    to[at] = corner[i];
  }
}

// Sides, or with `edges` the edges, of all elements.
static pc_fe_facet *list_facets(const pc_fe_mesh *mesh, bool edges, int *count)
{
  int total = 0;
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_element_info *info = pc_element_of(mesh->body.cell[i].type);
    total += edges ? info->edges : info->sides;
  }
  pc_fe_facet *list = malloc(((size_t)total + 1) * sizeof *list);
  *count = 0;
  if (list == NULL)
    return NULL;
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    const pc_element_info *info = pc_element_of(cell->type);
    int corners = edges ? 2 : pc_element_of(info->side)->corners;
    for (int s = 0; s < (edges ? info->edges : info->sides); s++) {
      int end[PC_SIDE_NODES_MAX], corner[PC_SIDE_CORNERS_MAX];
      if (edges)
        pc_element_edge(cell->type, s, end);
      else
        pc_element_side(cell->type, s, end);
      for (int k = 0; k < corners; k++)
        corner[k] = mesh->body.node[cell->first + end[k]];
      pc_fe_facet *to = &list[(*count)++];
      *to = (pc_fe_facet){.cell = i, .number = s};
      sort_corners(corners, corner, to->corner);
    }
  }
  qsort(list, (size_t)*count, sizeof *list, compare_facets);
  return list;
}

pc_fe_facet *pc_fe_mesh_sides(const pc_fe_mesh *mesh, int *count)
{
  return list_facets(mesh, false, count);
}

pc_fe_facet *pc_fe_mesh_edges(const pc_fe_mesh *mesh, int *count)
{
  return list_facets(mesh, true, count);
}

int pc_fe_facet_find(const pc_fe_facet *list, int count, int corners, const int *corner)
{
  pc_fe_facet want = {.cell = -1};
  sort_corners(corners, corner, want.corner);
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare_facets(&list[middle], &want) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && pc_fe_facet_same(&list[low], &want) ? low : -1;
}

int pc_fe_facet_find_side(const pc_fe_facet *list, int count, const pc_fe_mesh *mesh, int side)
{
  const pc_fe_cell *cell = &mesh->side.cell[side];
  return pc_fe_facet_find(list, count, pc_element_of(cell->type)->corners,
                          mesh->side.node + cell->first);
}

bool pc_fe_facet_runs_along(const pc_fe_mesh *mesh, const pc_fe_facet *facet, int side)
{
  const pc_fe_cell *cell = &mesh->body.cell[facet->cell], *own = &mesh->side.cell[side];
  const int *node = mesh->side.node + own->first, corners = pc_element_of(own->type)->corners;
  int end[PC_SIDE_NODES_MAX], at = 0;
  pc_element_side(cell->type, facet->number, end);
  const int *of = mesh->body.node + cell->first;
  if (corners == 2)
    return of[end[0]] == node[0];
  while (at < corners && of[end[at]] != node[0])
    at++;
  return at < corners && of[end[(at + 1) % corners]] == node[1];
}

// The mirror image of an element, which has the other orientation: a line reversed, all else with
// x and y of the reference element exchanged.
static void turn_round(pc_element type, int *node)
{
  const pc_element_info *info = pc_element_of(type);
  int old[PC_ELEMENT_NODES_MAX];
  memcpy(old, node, (size_t)info->nodes * sizeof *node);
  for (int i = 0; i < info->nodes; i++) {
    double at[3], other[3];
    pc_element_place(type, i, at);
    double x = at[0];
    at[0] = info->dimension == 1 ? -x : at[1];
    at[1] = info->dimension == 1 ? 0 : x;
    for (int j = 0; j < info->nodes; j++) {
      pc_element_place(type, j, other);
      if (at[0] == other[0] && at[1] == other[1] && at[2] == other[2])
        node[i] = old[j];
    }
  }
}

// Whether the linear element with the same corners runs the wrong way round, at its centre.
static bool is_mirrored(const pc_fe_mesh *mesh, int cell)
{
  pc_element linear = pc_element_of(mesh->body.cell[cell].type)->linear;
  double corner[PC_ELEMENT_NODES_MAX][3];
  pc_element_point point;
  pc_fe_mesh_corners(mesh, &mesh->body, cell, corner);
  pc_element_map(linear, (const double(*)[3])corner, pc_element_of(linear)->centre, &point);
  return point.determinant < 0;
}

pc_status pc_fe_mesh_orient(pc_fe_mesh *mesh, pc_error *error)
{
  if (mesh->dimension == 1)
    return PC_OK;
  for (int i = 0; i < mesh->body.count; i++)
    if (is_mirrored(mesh, i))
      turn_round(mesh->body.cell[i].type, mesh->body.node + mesh->body.cell[i].first);
  int count;
  pc_fe_facet *list = pc_fe_mesh_sides(mesh, &count);
  if (list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the sides of a mesh");
  for (int i = 0; i < mesh->side.count; i++) {
    int at = pc_fe_facet_find_side(list, count, mesh, i);
    bool alone = at >= 0 && (at + 1 == count || !pc_fe_facet_same(&list[at], &list[at + 1]));
    if (alone && !pc_fe_facet_runs_along(mesh, &list[at], i))
      turn_round(mesh->side.cell[i].type, mesh->side.node + mesh->side.cell[i].first);
  }
  free(list);
  return PC_OK;
}

double pc_fe_mesh_end_normal(const pc_fe_mesh *mesh, int node)
{
  double normal = 0;
  int elements = 0;
  for (int e = 0; e < mesh->body.count; e++) {
    const int *n = mesh->body.node + mesh->body.cell[e].first;
    int nodes = pc_element_of(mesh->body.cell[e].type)->nodes;
    double middle = (mesh->node[n[0]][0] + mesh->node[n[1]][0]) / 2;
    for (int i = 0; i < nodes; i++)
      if (n[i] == node) {
        elements++;
        normal = i > 1 ? 0 : mesh->node[node][0] > middle ? 1 : -1;
      }
  }
  return elements == 1 ? normal : 0;
}
