// Structured meshes, blocks joined along their sides, and quadratic elements from linear ones.
#include "continuum/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"

void pc_fe_grade(double from, double to, int cells, double ratio, double *place)
{
  // Sizes are q^i, with q^(cells - 1) = ratio; sums of a geometric series, or plain for q = 1.
  double q = cells > 1 ? pc_pow(ratio, 1. / (cells - 1)) : 1, sum = 0, total = 0, size = 1;
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
      pc_fe_mesh_add_node(mesh, r->x[i], r->y[j], 0);
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

// Number of the node at these places of a box whose first node is `first`.
static int box_node(const pc_fe_box *b, int first, const int at[3])
{
  return first + (at[2] * (b->cells[1] + 1) + at[1]) * (b->cells[0] + 1) + at[0];
}

// Corners of the brick at a place: those of a hexahedron.
static void brick_corners(const pc_fe_box *b, int first, const int at[3], int corner[8])
{
  static const int step[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int i = 0; i < 8; i++)
    corner[i] =
        box_node(b, first, (int[]){at[0] + step[i][0], at[1] + step[i][1], at[2] + step[i][2]});
}

// Sixths of a brick: all around its diagonal from corner 0 to corner 6, so that neighbours fit.
static const int SIXTH[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

static void add_bricks(pc_fe_mesh *mesh, const pc_fe_box *b, int first, int group)
{
  int at[3], corner[8];
  for (at[2] = 0; at[2] < b->cells[2]; at[2]++)
    for (at[1] = 0; at[1] < b->cells[1]; at[1]++)
      for (at[0] = 0; at[0] < b->cells[0]; at[0]++) {
        brick_corners(b, first, at, corner);
        if (b->type == PC_HEXAHEDRON8)
          pc_fe_mesh_add(mesh, b->type, corner, group);
        for (int t = 0; b->type == PC_TETRAHEDRON4 && t < 6; t++) {
          const int *c = SIXTH[t];
          pc_fe_mesh_add(mesh, b->type,
                         (int[]){corner[c[0]], corner[c[1]], corner[c[2]], corner[c[3]]}, group);
        }
      }
}

// The side of a brick towards an end of an axis, in the order of the faces of a hexahedron.
static void add_brick_side(pc_fe_mesh *mesh, const pc_fe_box *b, const int corner[8], int face,
                           int group)
{
  int end[PC_SIDE_NODES_MAX], node[4];
  pc_element_side(PC_HEXAHEDRON8, face, end);
  for (int i = 0; i < 4; i++)
    node[i] = corner[end[i]];
  if (b->type == PC_HEXAHEDRON8) {
    pc_fe_mesh_add(mesh, PC_QUAD4, node, group);
    return;
  }
  // The sixths cut a face along the diagonal that has corner 0 or corner 6.
  int from = 0;
  while (end[from] != 0 && end[from] != 6)
    from++;
  for (int half = 0; half < 2; half++)
    pc_fe_mesh_add(mesh, PC_TRIANGLE3,
                   (int[]){node[from], node[(from + 1 + half) % 4], node[(from + 2 + half) % 4]},
                   group);
}

static void add_box_sides(pc_fe_mesh *mesh, const pc_fe_box *b, int first)
{
  static const int face_of[2][3] = {{2, 1, 0}, {3, 4, 5}}; // low and high end of each axis
  for (int axis = 0; axis < 3; axis++)
    for (int high = 0; high < 2; high++) {
      const char *name = high ? b->high[axis] : b->low[axis];
      int group = name != NULL ? pc_fe_mesh_add_group(mesh, name, 2) : -1;
      int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2, at[3], corner[8];
      at[axis] = high ? b->cells[axis] - 1 : 0;
      for (at[v] = 0; name != NULL && at[v] < b->cells[v]; at[v]++)
        for (at[u] = 0; at[u] < b->cells[u]; at[u]++) {
          brick_corners(b, first, at, corner);
          add_brick_side(mesh, b, corner, face_of[high][axis], group);
        }
    }
}

void pc_fe_mesh_add_box(pc_fe_mesh *mesh, const pc_fe_box *b)
{
  bool good = mesh->dimension == 3 && (b->type == PC_HEXAHEDRON8 || b->type == PC_TETRAHEDRON4);
  for (int k = 0; k < 3; k++)
    good = good && increasing(b->cells[k], b->place[k]);
  if (!good) {
    pc_fe_mesh_reject(mesh);
    return;
  }
  int group = pc_fe_mesh_add_group(mesh, b->name, 3), first = mesh->nodes;
  for (int k = 0; k <= b->cells[2]; k++)
    for (int j = 0; j <= b->cells[1]; j++)
      for (int i = 0; i <= b->cells[0]; i++)
        pc_fe_mesh_add_node(mesh, b->place[0][i], b->place[1][j], b->place[2][k]);
  add_bricks(mesh, b, first, group);
  add_box_sides(mesh, b, first);
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
    pc_fe_mesh_add_node(mesh, x[i], 0, 0);
  for (int i = 0; i < cells; i++)
    pc_fe_mesh_add(mesh, PC_LINE2, (int[]){first + i, first + i + 1}, group);
  if (left != NULL)
    pc_fe_mesh_add(mesh, PC_POINT1, (int[]){first}, pc_fe_mesh_add_group(mesh, left, 0));
  if (right != NULL)
    pc_fe_mesh_add(mesh, PC_POINT1, (int[]){first + cells}, pc_fe_mesh_add_group(mesh, right, 0));
}

typedef struct placed {
  double at[3];
  int node;
} placed;

static int compare_places(const void *a, const void *b)
{
  const placed *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p->at[k] != q->at[k])
      return p->at[k] < q->at[k] ? -1 : 1;
  return p->node - q->node;
}

static int list_group(const pc_fe_mesh *mesh, int group, placed *list)
{
  int count = 0;
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    for (int k = 0; side->group == group && k < pc_element_of(side->type)->nodes; k++) {
      int node = mesh->side.node[side->first + k];
      const double *x = mesh->node[node];
      list[count++] = (placed){{x[0], x[1], x[2]}, node};
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
    if (list[middle].at[0] < from->at[0] - tolerance)
      low = middle + 1;
    else
      high = middle;
  }
  double least = tolerance;
  for (int i = low; i < count && list[i].at[0] <= from->at[0] + tolerance; i++) {
    const double *p = list[i].at, *q = from->at;
    double distance = pc_fe_length((double[]){p[0] - q[0], p[1] - q[1], p[2] - q[2]});
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
                       "node %d of \"%s\", at %s, has no matching node on \"%s\"", from[i].node,
                       mesh->group[first].name, pc_fe_place_text(mesh, from[i].at).text,
                       mesh->group[second].name);
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
    return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" is not a group of sides and cannot be joined",
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

// The new nodes of a mesh that becomes quadratic, shared by the elements that meet there.
typedef struct middles {
  pc_fe_facet *edge, *side; // sides: of hexahedra with centres
  int edges, sides;
  int *of_edge, *of_side;
} middles;

static int add_centre(pc_fe_mesh *to, const pc_fe_mesh *from, int count, const int *corner)
{
  double x[3] = {0};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      x[k] += from->node[corner[i]][k] / count;
  return pc_fe_mesh_add_node(to, x[0], x[1], x[2]);
}

static int add_middle(pc_fe_mesh *to, const pc_fe_mesh *from, int a, int b)
{
  const double *p = from->node[a], *q = from->node[b];
  return pc_fe_mesh_add_node(to, (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
}

// One node for all facets with the same corners, of those that have so many.
static void add_middles(pc_fe_mesh *to, const pc_fe_mesh *from, const pc_fe_facet *list, int count,
                        int corners, int *middle)
{
  for (int i = 0; to->failed == PC_OK && i < count; i++)
    if (i > 0 && pc_fe_facet_same(&list[i], &list[i - 1]))
      middle[i] = middle[i - 1];
    else if (list[i].corner[corners - 1] < 0)
      middle[i] = -1;
    else if (corners == 2)
      middle[i] = add_middle(to, from, list[i].corner[0], list[i].corner[1]);
    else
      middle[i] = add_centre(to, from, corners, list[i].corner);
}

static int middle_of(const middles *m, int a, int b)
{
  return m->of_edge[pc_fe_facet_find(m->edge, m->edges, 2, (int[]){a, b})];
}

static pc_element quadratic_type(pc_element linear, bool centre)
{
  switch (linear) {
  case PC_LINE2:
    return PC_LINE3;
  case PC_TRIANGLE3:
    return PC_TRIANGLE6;
  case PC_QUAD4:
    return centre ? PC_QUAD9 : PC_QUAD8;
  case PC_TETRAHEDRON4:
    return PC_TETRAHEDRON10;
  case PC_HEXAHEDRON8:
    return centre ? PC_HEXAHEDRON27 : PC_HEXAHEDRON20;
  default:
    return linear;
  }
}

// The centre of a face: shared in space, of its element alone in the plane.
static int face_centre(const middles *m, const int corner[4])
{
  return m->of_side[pc_fe_facet_find(m->side, m->sides, 4, corner)];
}

static void add_quadratic(pc_fe_mesh *to, const pc_fe_mesh *from, int cell, const middles *m,
                          bool centre)
{
  const pc_fe_cell *old = &from->body.cell[cell];
  const int *corner = from->body.node + old->first;
  pc_element type = quadratic_type(old->type, centre);
  const pc_element_info *info = pc_element_of(type);
  int node[PC_ELEMENT_NODES_MAX];
  memcpy(node, corner, (size_t)info->corners * sizeof *node);
  for (int e = 0; e < info->edges; e++) {
    int end[3];
    pc_element_edge(type, e, end);
    node[end[2]] = info->dimension == 1 ? add_middle(to, from, corner[0], corner[1])
                                        : middle_of(m, corner[end[0]], corner[end[1]]);
  }
  for (int s = 0; type == PC_HEXAHEDRON27 && s < info->sides; s++) {
    int end[PC_SIDE_NODES_MAX];
    pc_element_side(type, s, end);
    node[end[8]] =
        face_centre(m, (int[]){corner[end[0]], corner[end[1]], corner[end[2]], corner[end[3]]});
  }
  if (type == PC_QUAD9 || type == PC_HEXAHEDRON27)
    node[info->nodes - 1] = add_centre(to, from, info->corners, corner);
  pc_fe_mesh_add(to, type, node, old->group);
}

static pc_status add_quadratic_side(pc_fe_mesh *to, const pc_fe_mesh *from, int side,
                                    const middles *m, bool centre, pc_error *error)
{
  const pc_fe_cell *old = &from->side.cell[side];
  const int *corner = from->side.node + old->first;
  pc_element type = quadratic_type(old->type, centre);
  const pc_element_info *info = pc_element_of(type);
  int node[PC_SIDE_NODES_MAX];
  memcpy(node, corner, (size_t)info->corners * sizeof *node);
  bool found = true;
  for (int e = 0; e < info->edges && found; e++) {
    int end[3];
    pc_element_edge(type, e, end);
    int at = pc_fe_facet_find(m->edge, m->edges, 2, (int[]){corner[end[0]], corner[end[1]]});
    found = at >= 0;
    node[end[2]] = found ? m->of_edge[at] : -1;
  }
  if (found && type == PC_QUAD9) {
    int at = pc_fe_facet_find(m->side, m->sides, 4, corner);
    found = at >= 0;
    node[8] = found ? m->of_side[at] : -1;
  }
  if (!found)
    return pc_fail(error, PC_ERROR_ARGUMENT, "side %d is not a side of an element", side);
  pc_fe_mesh_add(to, type, node, old->group);
  return PC_OK;
}

static bool has_hexahedra(const pc_fe_mesh *mesh)
{
  for (int i = 0; i < mesh->body.count; i++)
    if (mesh->body.cell[i].type == PC_HEXAHEDRON8)
      return true;
  return false;
}

pc_status pc_fe_mesh_quadratic(pc_fe_mesh *mesh, bool centre, pc_error *error)
{
  pc_status status = pc_fe_mesh_done(mesh, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < mesh->body.count; i++)
    if (pc_element_of(mesh->body.cell[i].type)->order != 1)
      return pc_fail(error, PC_ERROR_ARGUMENT, "element %d is quadratic already", i);
  middles m = {0};
  m.edge = pc_fe_mesh_edges(mesh, &m.edges);
  m.side = pc_fe_mesh_sides(mesh, &m.sides);
  m.of_edge = malloc(((size_t)m.edges + 1) * sizeof *m.of_edge);
  m.of_side = malloc(((size_t)m.sides + 1) * sizeof *m.of_side);
  pc_fe_mesh to = pc_fe_mesh_empty(mesh->dimension);
  if (m.edge == NULL || m.side == NULL || m.of_edge == NULL || m.of_side == NULL)
    to.failed = PC_ERROR_MEMORY;
  for (int i = 0; i < mesh->nodes; i++)
    pc_fe_mesh_add_node(&to, mesh->node[i][0], mesh->node[i][1], mesh->node[i][2]);
  for (int i = 0; i < mesh->groups; i++)
    pc_fe_mesh_add_group(&to, mesh->group[i].name, mesh->group[i].dimension);
  if (to.failed == PC_OK && mesh->dimension > 1)
    add_middles(&to, mesh, m.edge, m.edges, 2, m.of_edge);
  if (to.failed == PC_OK && centre && has_hexahedra(mesh))
    add_middles(&to, mesh, m.side, m.sides, 4, m.of_side);
  for (int i = 0; to.failed == PC_OK && i < mesh->body.count; i++)
    add_quadratic(&to, mesh, i, &m, centre);
  for (int i = 0; to.failed == PC_OK && status == PC_OK && i < mesh->side.count; i++)
    status = add_quadratic_side(&to, mesh, i, &m, centre, error);
  free(m.edge);
  free(m.side);
  free(m.of_edge);
  free(m.of_side);
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
