// Checks that make a mesh unusable, reported with the element.
#include "continuum/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

// A determinant counts as zero below this part of the element's size to the power of its dimension.
static const double FLAT = 1e-12;
// Subdivisions before a determinant that nears zero is taken for zero.
enum { DEEPEST = 10, DEEPEST_IN_SPACE = 5 };

static const char *describe(const pc_fe_mesh *mesh, const pc_fe_cells *cells, int cell,
                            char text[256])
{
  const pc_fe_cell *c = &cells->cell[cell];
  const double *at = mesh->node[cells->node[c->first]];
  snprintf(text, 256, "%s %d (%s of \"%.80s\", near %s)", cells == &mesh->body ? "element" : "side",
           cell, pc_element_of(c->type)->name, mesh->group[c->group].name,
           pc_fe_place_text(mesh, at).text);
  return text;
}

typedef struct sign_count {
  pc_element type;
  double node[PC_ELEMENT_NODES_MAX][3];
  double flat;
  int positive, negative, zero; // of the samples
} sign_count;

static double determinant(sign_count *s, const double xi[3])
{
  double gradient[PC_ELEMENT_NODES_MAX][3], j[3][3] = {{0}};
  pc_element_shape(s->type, xi, NULL, gradient);
  for (int i = 0; i < pc_element_of(s->type)->nodes; i++)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        j[r][c] += s->node[i][r] * gradient[i][c];
  double d = j[0][0] * j[1][1] - j[0][1] * j[1][0];
  if (pc_element_of(s->type)->dimension == 3)
    d = d * j[2][2] + (j[1][0] * j[2][1] - j[1][1] * j[2][0]) * j[0][2] +
        (j[0][1] * j[2][0] - j[0][0] * j[2][1]) * j[1][2];
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
      f[4 * j + i] = determinant(s, (double[3]){x + size * i / 3, y + size * j / 3});
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
    f[i] = determinant(s, (double[3]){corner[i][0], corner[i][1]});
    for (int k = 0; k < 2; k++)
      middle[i][k] = (corner[i][k] + corner[(i + 1) % 3][k]) / 2;
  }
  least = fmin(f[0], fmin(f[1], f[2]));
  for (int i = 0; i < 3; i++) {
    double value = determinant(s, (double[3]){middle[i][0], middle[i][1]});
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

enum { MOST_DEGREE = 5 };

// Replaces samples at k / degree, k = 0 .. degree, by Bernstein coefficients: solves with the
// matrix of the Bernstein polynomials at these places.
static void to_bernstein(int degree, double *f, int stride)
{
  double a[MOST_DEGREE + 1][MOST_DEGREE + 2];
  int n = degree + 1;
  for (int i = 0; i < n; i++) {
    double t = (double)i / degree, choose = 1;
    for (int k = 0; k < n; k++) {
      a[i][k] = choose * pow(t, k) * pow(1 - t, degree - k);
      choose = choose * (degree - k) / (k + 1);
    }
    a[i][n] = f[i * stride];
  }
  // The first and last rows are unit rows; the matrix is totally positive, so no exchanges.
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      double factor = i != k ? a[i][k] / a[k][k] : 0;
      for (int c = k; factor != 0 && c <= n; c++)
        a[i][c] -= factor * a[k][c];
    }
  for (int i = 0; i < n; i++)
    f[i * stride] = a[i][n] / a[i][i];
}

// A part of the unit cube as the determinant sees it: that of hexahedra in its place, that of
// tetrahedra folded, (a, b, c) -> (a, b (1 - a), c (1 - a) (1 - b)).
static void sample_place(pc_element type, const double at[3], double xi[3])
{
  bool folded = pc_element_of(type)->corners == 4;
  for (int k = 0; k < 3; k++)
    xi[k] = folded ? at[k] : 2 * at[k] - 1;
  if (folded) {
    xi[1] *= 1 - at[0];
    xi[2] *= (1 - at[0]) * (1 - at[1]);
  }
}

static bool positive_on_cube(sign_count *s, int degree, const double from[3], double size,
                             int depth)
{
  enum { SIDE = MOST_DEGREE + 1 };
  double f[SIDE * SIDE * SIDE];
  int n = degree + 1;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        double xi[3], at[3] = {from[0] + size * i / degree, from[1] + size * j / degree,
                               from[2] + size * k / degree};
        sample_place(s->type, at, xi);
        f[(k * n + j) * n + i] = determinant(s, xi);
      }
  if (s->negative + s->zero > 0)
    return false;
  for (int i = 0; i < n * n; i++) {
    to_bernstein(degree, f + i * n, 1);
  }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      to_bernstein(degree, f + k * n * n + i, n);
  for (int i = 0; i < n * n; i++)
    to_bernstein(degree, f + i, n * n);
  double least = f[0];
  for (int i = 1; i < n * n * n; i++)
    least = fmin(least, f[i]);
  if (least > 0)
    return true;
  for (int part = 0; part < 8; part++) {
    double half = size / 2, to[3];
    for (int k = 0; k < 3; k++)
      to[k] = from[k] + (part >> k & 1) * half;
    if (depth >= DEEPEST_IN_SPACE || !positive_on_cube(s, degree, to, half, depth + 1))
      return false;
  }
  return true;
}

// Whether the middle nodes are where the linear element has them.
static bool is_straight(const sign_count *s, double size)
{
  const pc_element_info *info = pc_element_of(s->type);
  for (int i = info->corners; i < info->nodes; i++) {
    double xi[3], off[3], value[PC_ELEMENT_NODES_MAX];
    pc_element_place(s->type, i, xi);
    pc_element_shape(info->linear, xi, value, NULL);
    memcpy(off, s->node[i], sizeof off);
    for (int c = 0; c < info->corners; c++)
      for (int k = 0; k < 3; k++)
        off[k] -= value[c] * s->node[c][k];
    if (pc_fe_length(off) > FLAT * size)
      return false;
  }
  return true;
}

// Straight elements are checked by their corners alone. The determinant of a straight tetrahedron
// is constant, of a curved one cubic; of hexahedra quadratic or of degree 5 in each direction.
static bool positive_in_space(sign_count *s, double size)
{
  static const double origin[3] = {0};
  bool straight = is_straight(s, size), folded = pc_element_of(s->type)->corners == 4;
  if (straight)
    s->type = pc_element_of(s->type)->linear;
  if (folded && straight)
    return determinant(s, origin) > s->flat;
  return positive_on_cube(s, folded ? 3 : straight ? 2 : 5, origin, 1, 0);
}

// The slope of a line is linear along it: its ends are its extremes.
static bool positive_on_line(sign_count *s, double size)
{
  for (int end = -1; end <= 1; end += 2) {
    double gradient[PC_ELEMENT_NODES_MAX][3], slope = 0;
    pc_element_shape(s->type, (double[3]){end}, NULL, gradient);
    for (int i = 0; i < pc_element_of(s->type)->nodes; i++)
      slope += gradient[i][0] * s->node[i][0];
    *(slope > FLAT * size ? &s->positive : slope < -FLAT * size ? &s->negative : &s->zero) += 1;
  }
  return s->positive == 2;
}

static const char *why_bad(const sign_count *s, int dimension)
{
  static const char *const mirrored[] = {"runs to the left; exchange its ends",
                                         "runs clockwise; list its nodes the other way",
                                         "is mirrored; list its nodes the other way"};
  static const char *const flat[] = {"has no length", "has no area", "has no volume"};
  if (s->positive == 0 && s->zero == 0 && s->negative > 0)
    return mirrored[dimension - 1];
  return s->positive == 0 && s->negative == 0 ? flat[dimension - 1] : "is folded over itself";
}

static pc_status check_map(const pc_fe_mesh *mesh, int cell, pc_error *error)
{
  sign_count s = {.type = mesh->body.cell[cell].type};
  const pc_element_info *info = pc_element_of(s.type);
  int nodes = pc_fe_mesh_corners(mesh, &mesh->body, cell, s.node);
  double size = 0;
  for (int i = 1; i < nodes; i++)
    size =
        fmax(size, pc_fe_length((double[]){s.node[i][0] - s.node[0][0], s.node[i][1] - s.node[0][1],
                                           s.node[i][2] - s.node[0][2]}));
  s.flat = FLAT * (info->dimension == 3 ? size * size * size : size * size);
  bool good;
  if (info->dimension == 1) {
    good = size > 0 && positive_on_line(&s, size);
  } else if (info->dimension == 3) {
    good = positive_in_space(&s, size);
  } else if (info->corners == 3) {
    static const double whole[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    good = positive_on_triangle(&s, whole, 0);
  } else
    good = positive_on_square(&s, -1, -1, 2, 0);
  if (good)
    return PC_OK;
  char text[256];
  return pc_fail(error, PC_ERROR_ARGUMENT, "%s %s", describe(mesh, &mesh->body, cell, text),
                 why_bad(&s, mesh->dimension));
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

// Sides of an element, with the same nodes.
static pc_status check_sides(const pc_fe_mesh *mesh, const pc_fe_facet *list, int count,
                             pc_error *error)
{
  char text[256];
  for (int i = 0; i < mesh->side.count; i++) {
    const pc_fe_cell *side = &mesh->side.cell[i];
    const int *node = mesh->side.node + side->first;
    int at = pc_fe_facet_find_side(list, count, mesh, i);
    if (at < 0)
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s is no side of an element",
                     describe(mesh, &mesh->side, i, text));
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
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s has other nodes than element %d",
                     describe(mesh, &mesh->side, i, text), list[at].cell);
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
  char text[256];
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
      status = pc_fail(error, PC_ERROR_ARGUMENT, "%s is there twice",
                       describe(mesh, &mesh->side, named[i].side, text));
  free(named);
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
      status = pc_fail(error, PC_ERROR_ARGUMENT, "node %d, at %s, is in no element", i,
                       pc_fe_place_text(mesh, mesh->node[i]).text);
  for (int i = 0; status == PC_OK && i < mesh->body.count; i++)
    status = check_map(mesh, i, error);
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
  char text[256];
  for (int i = 0; i + 1 < count; i++) {
    if (!pc_fe_facet_same(&list[i], &list[i + 1]))
      continue;
    if (i + 2 < count && pc_fe_facet_same(&list[i], &list[i + 2]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s and elements %d and %d share one side",
                     describe(mesh, &mesh->body, list[i].cell, text), list[i + 1].cell,
                     list[i + 2].cell);
    if (next_corner(mesh, &list[i]) == next_corner(mesh, &list[i + 1]))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     mesh->dimension == 3 ? "%s overlaps element %d: a side faces both the same way"
                                          : "%s overlaps element %d: both are left of a side",
                     describe(mesh, &mesh->body, list[i].cell, text), list[i + 1].cell);
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

// `list` has the border nodes sorted along both directions: a side is compared with the nodes
// beside it in the direction that has fewer.
static pc_status check_hanging(const pc_fe_mesh *mesh, const pc_fe_facet *edge, int edges,
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
    int end[PC_SIDE_NODES_MAX], from[2], to[2];
    pc_element_side(cell->type, edge[e].number, end);
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

static pc_status check_border(const pc_fe_mesh *mesh, const pc_fe_facet *edge, int edges,
                              pc_error *error)
{
  size_t most = 2 * (size_t)edges + 1; // nodes of the border
  sorted_node *nodes = malloc(2 * most * sizeof *nodes);
  if (nodes == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  sorted_node *list[2] = {nodes, nodes + most};
  pc_status status = check_hanging(mesh, edge, edges, list, error);
  free(nodes);
  return status;
}

pc_status pc_fe_mesh_check_conforming(const pc_fe_mesh *mesh, pc_error *error)
{
  if (mesh->dimension == 1)
    return PC_OK;
  int count;
  pc_fe_facet *list = pc_fe_mesh_sides(mesh, &count);
  if (list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to check a mesh");
  pc_status status = check_sharing(mesh, list, count, error);
  if (status == PC_OK && mesh->dimension == 2)
    status = check_border(mesh, list, count, error);
  free(list);
  return status;
}
