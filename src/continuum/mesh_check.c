// Checks that make a mesh unusable, reported with the element.
#include "continuum/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

// A determinant counts as zero below this part of the square of the element's size.
static const double FLAT = 1e-12;
enum { DEEPEST = 10 }; // subdivisions before a determinant that nears zero is taken for zero

static const char *describe(const pc_fe_mesh *mesh, const pc_fe_cells *cells, int cell,
                            char text[256])
{
  const pc_fe_cell *c = &cells->cell[cell];
  const double *at = mesh->node[cells->node[c->first]];
  snprintf(text, 256, "%s %d (%s of \"%.80s\", near (%g, %g))",
           cells == &mesh->body ? "element" : "side", cell, pc_element_of(c->type)->name,
           mesh->group[c->group].name, at[0], at[1]);
  return text;
}

typedef struct sign_count {
  pc_element type;
  double node[PC_ELEMENT_NODES_MAX][2];
  double flat;
  int positive, negative, zero; // of the samples
} sign_count;

static double determinant(sign_count *s, double x, double y)
{
  double gradient[PC_ELEMENT_NODES_MAX][2], j[2][2] = {{0}};
  pc_element_shape(s->type, (double[]){x, y}, NULL, gradient);
  for (int i = 0; i < pc_element_of(s->type)->nodes; i++)
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 2; c++)
        j[r][c] += s->node[i][r] * gradient[i][c];
  double d = j[0][0] * j[1][1] - j[0][1] * j[1][0];
  *(d > s->flat ? &s->positive : d < -s->flat ? &s->negative : &s->zero) += 1;
  return d;
}

// Bernstein coefficients bound a polynomial. On the square the determinant is cubic in each
// direction, and its coefficients follow from samples at thirds.
static void cubic(double *f, int stride)
{
  double a = f[0], b = f[stride], c = f[2 * stride], d = f[3 * stride];
  f[stride] = (-5 * a + 18 * b - 9 * c + 2 * d) / 6;
  f[2 * stride] = (2 * a - 9 * b + 18 * c - 5 * d) / 6;
}

static bool positive_on_square(sign_count *s, double x, double y, double size, int depth)
{
  double f[16];
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++)
      f[4 * j + i] = determinant(s, x + size * i / 3, y + size * j / 3);
  if (s->negative + s->zero > 0)
    return false;
  for (int i = 0; i < 4; i++)
    cubic(f + 4 * i, 1);
  for (int i = 0; i < 4; i++)
    cubic(f + i, 4);
  double least = f[0];
  for (int i = 1; i < 16; i++)
    least = fmin(least, f[i]);
  if (least > 0)
    return true;
  double half = size / 2;
  return depth < DEEPEST && positive_on_square(s, x, y, half, depth + 1) &&
         positive_on_square(s, x + half, y, half, depth + 1) &&
         positive_on_square(s, x, y + half, half, depth + 1) &&
         positive_on_square(s, x + half, y + half, half, depth + 1);
}

// The determinant of a triangle is quadratic; its values at corners and side middles determine it.
static bool positive_on_triangle(sign_count *s, const double corner[3][2], int depth)
{
  double middle[3][2], f[3], least;
  for (int i = 0; i < 3; i++) {
    f[i] = determinant(s, corner[i][0], corner[i][1]);
    for (int k = 0; k < 2; k++)
      middle[i][k] = (corner[i][k] + corner[(i + 1) % 3][k]) / 2;
  }
  least = fmin(f[0], fmin(f[1], f[2]));
  for (int i = 0; i < 3; i++) {
    double value = determinant(s, middle[i][0], middle[i][1]);
    least = fmin(least, 2 * value - (f[i] + f[(i + 1) % 3]) / 2);
  }
  if (s->negative + s->zero > 0)
    return false;
  if (least > 0)
    return true;
  if (depth >= DEEPEST)
    return false;
  for (int i = 0; i < 3; i++) {
    const double part[3][2] = {{corner[i][0], corner[i][1]},
                               {middle[i][0], middle[i][1]},
                               {middle[(i + 2) % 3][0], middle[(i + 2) % 3][1]}};
    if (!positive_on_triangle(s, part, depth + 1))
      return false;
  }
  return positive_on_triangle(s, (const double(*)[2])middle, depth + 1);
}

static pc_status check_map(const pc_fe_mesh *mesh, int cell, pc_error *error)
{
  sign_count s = {.type = mesh->body.cell[cell].type};
  const pc_element_info *info = pc_element_of(s.type);
  int nodes = pc_fe_mesh_corners(mesh, &mesh->body, cell, s.node);
  double size = 0;
  for (int i = 1; i < nodes; i++)
    size = fmax(size, hypot(s.node[i][0] - s.node[0][0], s.node[i][1] - s.node[0][1]));
  s.flat = FLAT * size * size;
  bool good;
  if (info->dimension == 1) {
    // The slope is linear along the element: its ends are its extremes.
    good = size > 0;
    for (int end = -1; good && end <= 1; end += 2) {
      double gradient[PC_ELEMENT_NODES_MAX][2], slope = 0;
      pc_element_shape(s.type, (double[]){end, 0}, NULL, gradient);
      for (int i = 0; i < nodes; i++)
        slope += gradient[i][0] * s.node[i][0];
      *(slope > FLAT * size ? &s.positive : slope < -FLAT * size ? &s.negative : &s.zero) += 1;
    }
    good = good && s.positive == 2;
  } else if (info->corners == 3) {
    static const double whole[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    good = positive_on_triangle(&s, whole, 0);
  } else
    good = positive_on_square(&s, -1, -1, 2, 0);
  if (good)
    return PC_OK;
  char text[256];
  const char *why = s.positive == 0 && s.zero == 0 && s.negative > 0
                        ? (mesh->dimension == 1 ? "runs to the left; exchange its ends"
                                                : "runs clockwise; list its nodes the other way")
                    : s.positive == 0 && s.negative == 0
                        ? (mesh->dimension == 1 ? "has no length" : "has no area")
                        : "is folded over itself";
  return pc_fail(error, PC_ERROR_ARGUMENT, "%s %s", describe(mesh, &mesh->body, cell, text), why);
}

static pc_status check_cells(const pc_fe_mesh *mesh, const pc_fe_cells *cells, char *used,
                             pc_error *error)
{
  char text[256];
  for (int i = 0; i < cells->count; i++) {
    const pc_fe_cell *cell = &cells->cell[i];
    const int *node = cells->node + cell->first;
    for (int k = 0; k < pc_element_of(cell->type)->nodes; k++) {
      if (node[k] < 0 || node[k] >= mesh->nodes)
        return pc_fail(error, PC_ERROR_ARGUMENT, "%s %d names node %d of %d",
                       cells == &mesh->body ? "element" : "side", i, node[k], mesh->nodes);
      for (int l = 0; l < k; l++)
        if (node[l] == node[k])
          return pc_fail(error, PC_ERROR_ARGUMENT, "%s has node %d twice",
                         describe(mesh, cells, i, text), node[k]);
      if (cells == &mesh->body)
        used[node[k]] = 1;
    }
  }
  return PC_OK;
}

// Sides of an element, with the same node in the middle.
static pc_status check_sides(const pc_fe_mesh *mesh, const pc_fe_edge *edge, int edges,
                             pc_error *error)
{
  char text[256];
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    const int *node = mesh->side.node + side->first;
    int at = pc_fe_edge_find(edge, edges, node[0], node[side->type == PC_POINT1 ? 0 : 1]);
    if (at < 0)
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s is no side of an element",
                     describe(mesh, &mesh->side, i, text));
    const pc_fe_cell *cell = &mesh->body.cell[edge[at].cell];
    int end[3];
    pc_element_side(cell->type, edge[at].side, end);
    bool same = pc_element_of(cell->type)->side == side->type &&
                (side->type != PC_LINE3 || mesh->body.node[cell->first + end[2]] == node[2]);
    if (!same)
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s has other nodes than element %d",
                     describe(mesh, &mesh->side, i, text), edge[at].cell);
  }
  return PC_OK;
}

typedef struct side_end {
  int group, low, high, side;
} side_end;

static int compare_ends(const void *a, const void *b)
{
  const int *p = a, *q = b;
  for (int i = 0; i < 4; i++)
    if (p[i] != q[i])
      return p[i] < q[i] ? -1 : 1;
  return 0;
}

// A side listed twice in its group would count twice.
static pc_status check_double_sides(const pc_fe_mesh *mesh, pc_error *error)
{
  char text[256];
  size_t count = (size_t)mesh->side.count;
  side_end *end = malloc((count + 1) * sizeof *end);
  if (end == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    const int *node = mesh->side.node + side->first;
    int a = node[0], b = node[side->type == PC_POINT1 ? 0 : 1];
    end[i] = (side_end){side->group, a < b ? a : b, a < b ? b : a, (int)i};
  }
  qsort(end, count, sizeof *end, compare_ends);
  pc_status status = PC_OK;
  for (size_t i = 1; i < count && status == PC_OK; i++)
    if (end[i].group == end[i - 1].group && end[i].low == end[i - 1].low &&
        end[i].high == end[i - 1].high)
      status = pc_fail(error, PC_ERROR_ARGUMENT, "%s is there twice",
                       describe(mesh, &mesh->side, end[i].side, text));
  free(end);
  return status;
}

pc_status pc_fe_mesh_check(const pc_fe_mesh *mesh, pc_error *error)
{
  pc_status status = pc_fe_mesh_done(mesh, error);
  if (status != PC_OK)
    return status;
  if (mesh->body.count == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a mesh has no elements");
  char *used = calloc((size_t)mesh->nodes + 1, 1);
  int edges = 0;
  pc_fe_edge *edge = NULL;
  if (used == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  if (status == PC_OK)
    status = check_cells(mesh, &mesh->body, used, error);
  if (status == PC_OK)
    status = check_cells(mesh, &mesh->side, used, error);
  for (int i = 0; status == PC_OK && i < mesh->nodes; i++)
    if (!used[i])
      status = pc_fail(error, PC_ERROR_ARGUMENT, "node %d, at (%g, %g), is in no element", i,
                       mesh->node[i][0], mesh->node[i][1]);
  for (int i = 0; status == PC_OK && i < mesh->body.count; i++)
    status = check_map(mesh, i, error);
  if (status == PC_OK) {
    edge = pc_fe_mesh_edges(mesh, &edges);
    status = edge != NULL ? check_sides(mesh, edge, edges, error)
                          : pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  }
  if (status == PC_OK)
    status = check_double_sides(mesh, error);
  free(used);
  free(edge);
  return status;
}

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

static bool is_alone(const pc_fe_edge *edge, int edges, int e)
{
  bool before = e > 0 && edge[e - 1].low == edge[e].low && edge[e - 1].high == edge[e].high;
  bool after = e + 1 < edges && edge[e + 1].low == edge[e].low && edge[e + 1].high == edge[e].high;
  return !before && !after;
}

static int edge_start(const pc_fe_mesh *mesh, const pc_fe_edge *edge)
{
  const pc_fe_cell *cell = &mesh->body.cell[edge->cell];
  int end[3];
  pc_element_side(cell->type, edge->side, end);
  return mesh->body.node[cell->first + end[0]];
}

static pc_status check_sharing(const pc_fe_mesh *mesh, const pc_fe_edge *edge, int edges,
                               pc_error *error)
{
  char text[256];
  for (int e = 0; e + 1 < edges; e++) {
    if (edge[e].low != edge[e + 1].low || edge[e].high != edge[e + 1].high)
      continue;
    bool three =
        e + 2 < edges && edge[e].low == edge[e + 2].low && edge[e].high == edge[e + 2].high;
    if (three)
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s and elements %d and %d share one side",
                     describe(mesh, &mesh->body, edge[e].cell, text), edge[e + 1].cell,
                     edge[e + 2].cell);
    if (edge_start(mesh, &edge[e]) == edge_start(mesh, &edge[e + 1]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s overlaps element %d: both are left of a side",
                     describe(mesh, &mesh->body, edge[e].cell, text), edge[e + 1].cell);
  }
  return PC_OK;
}

// Whether p is on the segment ab, away from both ends by more than the tolerance.
static bool between(const double p[2], const double a[2], const double b[2], double tolerance)
{
  double x = b[0] - a[0], y = b[1] - a[1], length = hypot(x, y);
  double along = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / length;
  double off = ((p[0] - a[0]) * y - (p[1] - a[1]) * x) / length;
  return fabs(off) <= tolerance && along > tolerance && along < length - tolerance;
}

// The nodes of sides with one element, sorted along a direction.
static int sort_border(const pc_fe_mesh *mesh, const pc_fe_edge *edge, int edges, int direction,
                       sorted_node *list)
{
  int count = 0;
  for (int e = 0; e < edges; e++)
    if (is_alone(edge, edges, e)) {
      const pc_fe_cell *cell = &mesh->body.cell[edge[e].cell];
      int end[3];
      pc_element_side(cell->type, edge[e].side, end);
      for (int k = 0; k < 3; k++)
        if (k != 1 && end[k] >= 0) {
          int node = mesh->body.node[cell->first + end[k]];
          list[count++] = (sorted_node){along(mesh->node[node], direction), node};
        }
    }
  qsort(list, (size_t)count, sizeof *list, compare_nodes);
  return count;
}

// `list` has the border nodes sorted along both directions: a side is compared with the nodes
// beside it in the direction that has fewer.
static pc_status check_hanging(const pc_fe_mesh *mesh, const pc_fe_edge *edge, int edges,
                               sorted_node *const list[2], pc_error *error)
{
  double tolerance = 1e-9 * pc_fe_mesh_size(mesh), apart = with_roundoff(mesh, tolerance);
  int count = sort_border(mesh, edge, edges, 0, list[0]);
  sort_border(mesh, edge, edges, 1, list[1]);
  char text[256];
  for (int e = 0; e < edges; e++) {
    if (!is_alone(edge, edges, e))
      continue;
    const pc_fe_cell *cell = &mesh->body.cell[edge[e].cell];
    int end[3], from[2], to[2];
    pc_element_side(cell->type, edge[e].side, end);
    const double *a = mesh->node[mesh->body.node[cell->first + end[0]]];
    const double *b = mesh->node[mesh->body.node[cell->first + end[1]]];
    const double *m = end[2] >= 0 ? mesh->node[mesh->body.node[cell->first + end[2]]] : b;
    for (int d = 0; d < 2; d++) {
      double at[3] = {along(a, d), along(b, d), along(m, d)};
      from[d] = first_from(list[d], count, fmin(at[0], fmin(at[1], at[2])) - apart);
      to[d] = first_from(list[d], count, fmax(at[0], fmax(at[1], at[2])) + apart);
    }
    int fewer = to[1] - from[1] < to[0] - from[0];
    for (int k = from[fewer]; k < to[fewer]; k++) {
      int node = list[fewer][k].node;
      const double *p = mesh->node[node];
      if (between(p, a, m, tolerance) || (m != b && between(p, m, b, tolerance)))
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "node %d, at (%g, %g), hangs on a side of %s without being its node", node,
                       p[0], p[1], describe(mesh, &mesh->body, edge[e].cell, text));
    }
  }
  return PC_OK;
}

pc_status pc_fe_mesh_check_conforming(const pc_fe_mesh *mesh, pc_error *error)
{
  if (mesh->dimension != 2)
    return PC_OK;
  int edges;
  pc_fe_edge *edge = pc_fe_mesh_edges(mesh, &edges);
  size_t most = 2 * (size_t)edges + 1; // nodes of the border
  sorted_node *nodes = malloc(2 * most * sizeof *nodes);
  sorted_node *list[2] = {nodes, nodes != NULL ? nodes + most : NULL};
  pc_status status = edge == NULL || nodes == NULL
                         ? pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh")
                         : check_sharing(mesh, edge, edges, error);
  if (status == PC_OK)
    status = check_hanging(mesh, edge, edges, list, error);
  free(edge);
  free(nodes);
  return status;
}
