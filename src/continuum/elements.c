#include "continuum/elements.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/elementary.h"

// Degrees of the mass: twice the order, and the Jacobian of a curved element (order - 1 per
// direction and factor: on triangles 2 (order - 1) in all, on quadrangles 2 order - 1 in each, on
// tetrahedra 3 (order - 1)). That of hexahedra is for straight edges, 2 in each direction.
static const pc_element_info INFO[PC_ELEMENTS] = {
    [PC_POINT1] = {"point", 0, 1, 1, 0, 0, 0, 0, PC_POINT1, PC_POINT1, {0}},
    [PC_LINE2] = {"line of 2 nodes", 1, 2, 2, 2, 1, 1, 2, PC_LINE2, PC_POINT1, {0}},
    [PC_LINE3] = {"line of 3 nodes", 1, 3, 2, 2, 1, 2, 5, PC_LINE2, PC_POINT1, {0}},
    [PC_TRIANGLE3] =
        {"triangle of 3 nodes", 2, 3, 3, 3, 3, 1, 2, PC_TRIANGLE3, PC_LINE2, {1. / 3, 1. / 3}},
    [PC_TRIANGLE6] =
        {"triangle of 6 nodes", 2, 6, 3, 3, 3, 2, 6, PC_TRIANGLE3, PC_LINE3, {1. / 3, 1. / 3}},
    [PC_QUAD4] = {"quadrangle of 4 nodes", 2, 4, 4, 4, 4, 1, 3, PC_QUAD4, PC_LINE2, {0}},
    [PC_QUAD8] = {"quadrangle of 8 nodes", 2, 8, 4, 4, 4, 2, 7, PC_QUAD4, PC_LINE3, {0}},
    [PC_QUAD9] = {"quadrangle of 9 nodes", 2, 9, 4, 4, 4, 2, 7, PC_QUAD4, PC_LINE3, {0}},
    [PC_TETRAHEDRON4] = {"tetrahedron of 4 nodes",
                         3,
                         4,
                         4,
                         4,
                         6,
                         1,
                         2,
                         PC_TETRAHEDRON4,
                         PC_TRIANGLE3,
                         {0.25, 0.25, 0.25}},
    [PC_TETRAHEDRON10] = {"tetrahedron of 10 nodes",
                          3,
                          10,
                          4,
                          4,
                          6,
                          2,
                          7,
                          PC_TETRAHEDRON4,
                          PC_TRIANGLE6,
                          {0.25, 0.25, 0.25}},
    [PC_HEXAHEDRON8] =
        {"hexahedron of 8 nodes", 3, 8, 8, 6, 12, 1, 4, PC_HEXAHEDRON8, PC_QUAD4, {0}},
    [PC_HEXAHEDRON20] =
        {"hexahedron of 20 nodes", 3, 20, 8, 6, 12, 2, 6, PC_HEXAHEDRON8, PC_QUAD8, {0}},
    [PC_HEXAHEDRON27] =
        {"hexahedron of 27 nodes", 3, 27, 8, 6, 12, 2, 6, PC_HEXAHEDRON8, PC_QUAD9, {0}},
};

const pc_element_info *pc_element_of(pc_element type)
{
  return &INFO[type];
}

// Corners, edges and faces of the shapes that elements have. The node in the middle of edge i comes
// i-th after the corners, the one of face i i-th after the edges.
typedef struct outline {
  double corner[8][3];
  int edge[12][2];
  int face[6][PC_SIDE_CORNERS_MAX]; // of solids: counter-clockwise from outside
} outline;
static const outline LINE = {{{-1}, {1}}, {{0, 1}}, {{0}}};
static const outline TRIANGLE = {{{0, 0}, {1, 0}, {0, 1}}, {{0, 1}, {1, 2}, {2, 0}}, {{0}}};
static const outline SQUARE = {
    {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {{0, 1, 2, 3}}};
static const outline TETRAHEDRON = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                    {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}},
                                    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
static const outline CUBE = {
    {{-1, -1, -1},
     {1, -1, -1},
     {1, 1, -1},
     {-1, 1, -1},
     {-1, -1, 1},
     {1, -1, 1},
     {1, 1, 1},
     {-1, 1, 1}},
    {{0, 1},
     {0, 3},
     {0, 4},
     {1, 2},
     {1, 5},
     {2, 3},
     {2, 6},
     {3, 7},
     {4, 5},
     {4, 7},
     {5, 6},
     {6, 7}},
    {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}}};

static const outline *outline_of(const pc_element_info *info)
{
  if (info->dimension == 3)
    return info->corners == 4 ? &TETRAHEDRON : &CUBE;
  return info->dimension == 1 ? &LINE : info->corners == 3 ? &TRIANGLE : &SQUARE;
}

static int find_edge(const pc_element_info *info, int a, int b)
{
  const outline *o = outline_of(info);
  int e = 0;
  while ((o->edge[e][0] != a || o->edge[e][1] != b) && (o->edge[e][0] != b || o->edge[e][1] != a))
    e++;
  return e;
}

void pc_element_edge(pc_element type, int edge, int node[3])
{
  const pc_element_info *info = &INFO[type];
  for (int i = 0; i < 2; i++)
    node[i] = outline_of(info)->edge[edge][i];
  node[2] = info->order == 2 ? info->corners + edge : -1;
}

void pc_element_side(pc_element type, int side, int node[PC_SIDE_NODES_MAX])
{
  const pc_element_info *info = &INFO[type];
  for (int i = 0; i < PC_SIDE_NODES_MAX; i++)
    node[i] = -1;
  if (info->dimension == 1) {
    node[0] = node[1] = side;
    return;
  }
  if (info->dimension == 2) {
    pc_element_edge(type, side, node);
    return;
  }
  int corners = INFO[info->side].corners, nodes = INFO[info->side].nodes;
  const int *corner = outline_of(info)->face[side];
  for (int i = 0; i < corners; i++) {
    node[i] = corner[i];
    if (info->order == 2)
      node[corners + i] = info->corners + find_edge(info, corner[i], corner[(i + 1) % corners]);
  }
  if (nodes == 9)
    node[8] = info->corners + info->edges + side;
}

void pc_element_place(pc_element type, int i, double xi[3])
{
  const pc_element_info *info = &INFO[type];
  const outline *o = outline_of(info);
  memcpy(xi, info->centre, sizeof info->centre);
  if (info->dimension == 0)
    return;
  int edge = i - info->corners, face = edge - info->edges;
  for (int k = 0; k < 3; k++)
    if (edge < 0)
      xi[k] = o->corner[i][k];
    else if (face < 0)
      xi[k] = (o->corner[o->edge[edge][0]][k] + o->corner[o->edge[edge][1]][k]) / 2;
    else if (info->dimension == 3 && face < info->sides)
      xi[k] = (o->corner[o->face[face][0]][k] + o->corner[o->face[face][2]][k]) / 2;
}

// Lagrange polynomials of a line: node -1, node 1, middle.
static void line_shape(int order, double x, double *value, double *slope)
{
  if (order == 1) {
    value[0] = (1 - x) / 2, value[1] = (1 + x) / 2;
    slope[0] = -0.5, slope[1] = 0.5;
  } else {
    value[0] = x * (x - 1) / 2, value[1] = x * (x + 1) / 2, value[2] = 1 - x * x;
    slope[0] = x - 0.5, slope[1] = x + 0.5, slope[2] = -2 * x;
  }
}

// Lines, squares and cubes: products of the polynomials of lines. Node i takes the polynomial of
// the end or the middle where it is.
static void product_shape(pc_element type, const double xi[3], double *value, double (*gradient)[3])
{
  const pc_element_info *info = &INFO[type];
  double f[3][3], slope[3][3];
  for (int k = 0; k < info->dimension; k++)
    line_shape(info->order, xi[k], f[k], slope[k]);
  for (int i = 0; i < info->nodes; i++) {
    double place[3];
    int of[3];
    pc_element_place(type, i, place);
    for (int k = 0; k < info->dimension; k++)
      of[k] = place[k] < 0 ? 0 : place[k] > 0 ? 1 : 2;
    value[i] = 1;
    for (int k = 0; k < info->dimension; k++) {
      value[i] *= f[k][of[k]];
      gradient[i][k] = 1;
      for (int l = 0; l < info->dimension; l++)
        gradient[i][k] *= k == l ? slope[l][of[l]] : f[l][of[l]];
    }
  }
}

// Adds a part of function `from` to function i.
static void add_part(int i, double part, int from, double *value, double (*gradient)[3],
                     const double *value_from, const double (*gradient_from)[3])
{
  value[i] += part * value_from[from];
  for (int k = 0; k < 3; k++)
    gradient[i][k] += part * gradient_from[from][k];
}

// Without nodes in faces and in the centre: what the full element has, with those nodes
// interpolated from the others. The centre of a face gets -1/4 of its corners and 1/2 of its edges,
// the centre of a cube -1/4 and 1/4: exact for all that the smaller element has.
static void serendipity_shape(pc_element type, const double xi[3], double *value,
                              double (*gradient)[3])
{
  const pc_element_info *info = &INFO[type];
  double whole[PC_ELEMENT_NODES_MAX], slope[PC_ELEMENT_NODES_MAX][3] = {{0}};
  bool cube = info->dimension == 3;
  product_shape(cube ? PC_HEXAHEDRON27 : PC_QUAD9, xi, whole, slope);
  const double(*slopes)[3] = (const double(*)[3])slope;
  int rest = info->nodes;
  for (int i = 0; i < rest; i++) {
    value[i] = whole[i];
    memcpy(gradient[i], slope[i], sizeof slope[i]);
  }
  for (int s = 0; cube && s < info->sides; s++) {
    int node[PC_SIDE_NODES_MAX];
    pc_element_side(type, s, node);
    for (int i = 0; i < 8; i++)
      add_part(node[i], i < 4 ? -0.25 : 0.5, rest + s, value, gradient, whole, slopes);
  }
  for (int i = 0; i < rest; i++)
    add_part(i,
             i < info->corners ? -0.25
             : cube            ? 0.25
                               : 0.5,
             rest + (cube ? info->sides : 0), value, gradient, whole, slopes);
}

// Triangles and tetrahedra, from the linear functions of their corners.
static void simplex_shape(pc_element type, const double xi[3], double *value, double (*gradient)[3])
{
  const pc_element_info *info = &INFO[type];
  int corners = info->corners;
  double l[4] = {corners == 3 ? 1 - xi[0] - xi[1] : 1 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
  static const double g[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < corners; i++) {
    value[i] = info->order == 1 ? l[i] : l[i] * (2 * l[i] - 1);
    for (int k = 0; k < info->dimension; k++)
      gradient[i][k] = info->order == 1 ? g[i][k] : (4 * l[i] - 1) * g[i][k];
  }
  for (int e = 0; info->order == 2 && e < info->edges; e++) {
    int node[3];
    pc_element_edge(type, e, node);
    int i = node[0], j = node[1];
    value[node[2]] = 4 * l[i] * l[j];
    for (int k = 0; k < info->dimension; k++)
      gradient[node[2]][k] = 4 * (l[i] * g[j][k] + l[j] * g[i][k]);
  }
}

void pc_element_shape(pc_element type, const double xi[3], double *value, double (*gradient)[3])
{
  const pc_element_info *info = &INFO[type];
  double values[PC_ELEMENT_NODES_MAX] = {1}, gradients[PC_ELEMENT_NODES_MAX][3] = {{0}};
  if (info->dimension > 1 && info->corners == info->dimension + 1)
    simplex_shape(type, xi, values, gradients);
  else if (type == PC_QUAD8 || type == PC_HEXAHEDRON20)
    serendipity_shape(type, xi, values, gradients);
  else if (info->dimension > 0)
    product_shape(type, xi, values, gradients);
  if (value != NULL)
    memcpy(value, values, (size_t)info->nodes * sizeof *value);
  if (gradient != NULL)
    memcpy(gradient, gradients, (size_t)info->nodes * sizeof *gradient);
}

// Gauss and Legendre on [-1, 1]: roots of P_n by Newton's method, weights 2 / ((1 - x^2) P_n'^2).
static void gauss(int n, double *x, double *w)
{
  for (int i = 0; i < (n + 1) / 2; i++) {
    double z = pc_cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int turn = 0; turn < 20; turn++) {
      double p = 1, last = 0;
      for (int k = 1; k <= n; k++) {
        double next = ((2 * k - 1) * z * p - (k - 1) * last) / k;
        last = p, p = next;
      }
      slope = n * (z * p - last) / (z * z - 1);
      double step = p / slope;
      z -= step;
      if (fabs(step) < 1e-16)
        break;
    }
    if (2 * i + 1 == n)
      z = 0;
    x[i] = -z, x[n - 1 - i] = z;
    w[i] = w[n - 1 - i] = 2 / ((1 - z * z) * slope * slope);
  }
}

static void add_point(pc_quadrature *rule, double x, double y, double z, double weight)
{
  double *at = rule->at[rule->points];
  at[0] = x, at[1] = y, at[2] = z;
  rule->weight[rule->points++] = weight;
}

// Radon's seven points, degree 5, and what is exact for less; above, products of Gauss rules on the
// square that is folded to a triangle, (a, b) -> (a, b (1 - a)): not symmetric, but exact.
static void triangle_rule(pc_quadrature *rule, int degree)
{
  if (degree <= 1) {
    add_point(rule, 1. / 3, 1. / 3, 0, 0.5);
  } else if (degree == 2) {
    for (int i = 0; i < 3; i++)
      add_point(rule, i == 1 ? 2. / 3 : 1. / 6, i == 2 ? 2. / 3 : 1. / 6, 0, 1. / 6);
  } else if (degree <= 5) {
    add_point(rule, 1. / 3, 1. / 3, 0, 9. / 80);
    for (int sign = -1; sign <= 1; sign += 2) {
      double a = (6 + sign * sqrt(15)) / 21, weight = (155 + sign * sqrt(15)) / 2400;
      add_point(rule, a, a, 0, weight);
      add_point(rule, 1 - 2 * a, a, 0, weight);
      add_point(rule, a, 1 - 2 * a, 0, weight);
    }
  } else {
    int n = degree / 2 + 1, m = (degree + 1) / 2 + 1;
    double x[8], wx[8], y[8], wy[8];
    gauss(m, x, wx);
    gauss(n, y, wy);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double a = (1 + x[i]) / 2, b = (1 + y[j]) / 2;
        add_point(rule, a, b * (1 - a), 0, wx[i] * wy[j] * (1 - a) / 4);
      }
  }
}

// Four points for degree 2; above, the cube folded to a tetrahedron,
// (a, b, c) -> (a, b (1 - a), c (1 - a) (1 - b)).
static void tetrahedron_rule(pc_quadrature *rule, int degree)
{
  if (degree <= 1) {
    add_point(rule, 0.25, 0.25, 0.25, 1. / 6);
    return;
  }
  if (degree == 2) {
    double near = (5 + 3 * sqrt(5)) / 20, far = (5 - sqrt(5)) / 20;
    for (int i = 0; i < 4; i++)
      add_point(rule, i == 1 ? near : far, i == 2 ? near : far, i == 3 ? near : far, 1. / 24);
    return;
  }
  double x[3][8], w[3][8];
  int n[3];
  for (int k = 0; k < 3; k++) {
    n[k] = (degree + 2 - k) / 2 + 1;
    gauss(n[k], x[k], w[k]);
  }
  for (int i = 0; i < n[0]; i++)
    for (int j = 0; j < n[1]; j++)
      for (int k = 0; k < n[2]; k++) {
        double a = (1 + x[0][i]) / 2, b = (1 + x[1][j]) / 2, c = (1 + x[2][k]) / 2;
        double weight = w[0][i] * w[1][j] * w[2][k] * (1 - a) * (1 - a) * (1 - b) / 8;
        add_point(rule, a, b * (1 - a), c * (1 - a) * (1 - b), weight);
      }
}

static void product_rule(pc_quadrature *rule, int dimension, int degree)
{
  double x[8], w[8];
  int n = degree / 2 + 1;
  gauss(n, x, w);
  for (int k = 0; k < (dimension == 3 ? n : 1); k++)
    for (int j = 0; j < (dimension >= 2 ? n : 1); j++)
      for (int i = 0; i < n; i++)
        if (dimension == 1)
          add_point(rule, x[i], 0, 0, w[i]);
        else if (dimension == 2)
          add_point(rule, x[i], x[j], 0, w[i] * w[j]);
        else
          add_point(rule, x[i], x[j], x[k], w[i] * w[j] * w[k]);
}

bool pc_quadrature_make(pc_quadrature *rule, pc_element type, int degree)
{
  const pc_element_info *info = &INFO[type];
  rule->points = 0;
  bool simplex = info->dimension > 1 && info->corners == info->dimension + 1;
  int most = info->dimension == 3 ? (simplex ? 9 : 11) : simplex ? 13 : 15;
  if (degree < 0 || degree > most)
    return false;
  if (info->dimension == 0)
    add_point(rule, 0, 0, 0, 1);
  else if (!simplex)
    product_rule(rule, info->dimension, degree);
  else if (info->dimension == 2)
    triangle_rule(rule, degree);
  else
    tetrahedron_rule(rule, degree);
  return true;
}

// The place of a point, and the columns d x / d xi_c of its Jacobian.
static void place_point(int nodes, const double (*node)[3], const double *value,
                        const double (*gradient)[3], double x[3], double jacobian[3][3])
{
  memset(x, 0, 3 * sizeof *x);
  memset(jacobian, 0, 3 * sizeof *jacobian);
  for (int i = 0; i < nodes; i++)
    for (int r = 0; r < 3; r++) {
      x[r] += value[i] * node[i][r];
      for (int c = 0; c < 3; c++)
        jacobian[c][r] += gradient[i][c] * node[i][r];
    }
}

static void cross(const double a[3], const double b[3], double to[3])
{
  to[0] = a[1] * b[2] - a[2] * b[1];
  to[1] = a[2] * b[0] - a[0] * b[2];
  to[2] = a[0] * b[1] - a[1] * b[0];
}

// The map where the shape functions have the values of `point` and these gradients in the reference
// element.
static void map_point(const pc_element_info *info, const double (*node)[3],
                      const double (*gradient)[3], pc_element_point *point)
{
  double j[3][3];
  place_point(info->nodes, node, point->value, gradient, point->x, j);
  memset(point->tangent, 0, sizeof point->tangent);
  memset(point->gradient, 0, (size_t)info->nodes * sizeof *point->gradient);
  if (info->dimension == 0) {
    point->determinant = 1;
  } else if (info->dimension == 1) {
    double length = pc_hypot(j[0][0], j[0][1]);
    point->determinant = length;
    for (int r = 0; r < 2; r++)
      point->tangent[r] = j[0][r] / length;
    for (int i = 0; i < info->nodes; i++)
      for (int r = 0; r < 2; r++)
        point->gradient[i][r] = gradient[i][0] / length * point->tangent[r];
  } else if (info->dimension == 2) {
    double d = j[0][0] * j[1][1] - j[1][0] * j[0][1];
    point->determinant = d;
    for (int i = 0; i < info->nodes; i++) {
      double a = gradient[i][0], b = gradient[i][1];
      point->gradient[i][0] = (j[1][1] * a - j[0][1] * b) / d;
      point->gradient[i][1] = (j[0][0] * b - j[1][0] * a) / d;
    }
  } else {
    double dual[3][3]; // of the columns, times the determinant
    for (int c = 0; c < 3; c++)
      cross(j[(c + 1) % 3], j[(c + 2) % 3], dual[c]);
    double d = j[0][0] * dual[0][0] + j[0][1] * dual[0][1] + j[0][2] * dual[0][2];
    point->determinant = d;
    for (int i = 0; i < info->nodes; i++)
      for (int r = 0; r < 3; r++)
        point->gradient[i][r] = (gradient[i][0] * dual[0][r] + gradient[i][1] * dual[1][r] +
                                 gradient[i][2] * dual[2][r]) /
                                d;
  }
}

void pc_side_map(pc_element type, const double (*node)[3], const double xi[3], pc_side_point *point)
{
  const pc_element_info *info = &INFO[type];
  double gradient[PC_SIDE_NODES_MAX][3], j[3][3];
  pc_element_shape(type, xi, point->value, gradient);
  place_point(info->nodes, node, point->value, (const double(*)[3])gradient, point->x, j);
  memset(point->normal, 0, sizeof point->normal);
  point->size = 1;
  if (info->dimension == 1) { // the tangent turned clockwise
    point->size = pc_hypot(j[0][0], j[0][1]);
    point->normal[0] = j[0][1] / point->size;
    point->normal[1] = -(j[0][0] / point->size);
  } else if (info->dimension == 2) {
    double area[3];
    cross(j[0], j[1], area);
    point->size = pc_hypot(pc_hypot(area[0], area[1]), area[2]);
    for (int k = 0; k < 3; k++)
      point->normal[k] = area[k] / point->size;
  }
}

void pc_element_map(pc_element type, const double (*node)[3], const double xi[3],
                    pc_element_point *point)
{
  double gradient[PC_ELEMENT_NODES_MAX][3];
  pc_element_shape(type, xi, point->value, gradient);
  map_point(&INFO[type], node, (const double(*)[3])gradient, point);
}

bool pc_element_rule_make(pc_element_rule *rule, pc_element type, int degree)
{
  rule->type = type;
  if (!pc_quadrature_make(&rule->quadrature, type, degree))
    return false;
  for (int k = 0; k < rule->quadrature.points; k++) {
    pc_element_shape(type, rule->quadrature.at[k], rule->value[k], rule->gradient[k]);
    pc_element_shape(INFO[type].linear, rule->quadrature.at[k], rule->linear[k], NULL);
  }
  return true;
}

void pc_element_rule_map(const pc_element_rule *rule, int point, const double (*node)[3],
                         pc_element_point *to)
{
  const pc_element_info *info = &INFO[rule->type];
  memcpy(to->value, rule->value[point], (size_t)info->nodes * sizeof *to->value);
  map_point(info, node, rule->gradient[point], to);
}
