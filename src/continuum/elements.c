#include "continuum/elements.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Degrees of the mass: twice the order, and the Jacobian of a curved element (order - 1 per
// direction and factor: on triangles 2 (order - 1) in all, on quadrangles 2 order - 1 in each).
static const pc_element_info INFO[PC_ELEMENTS] = {
    [PC_POINT1] = {"point", 0, 1, 1, 0, 0, 0, PC_POINT1, PC_POINT1, {0, 0}},
    [PC_LINE2] = {"line of 2 nodes", 1, 2, 2, 2, 1, 2, PC_LINE2, PC_POINT1, {0, 0}},
    [PC_LINE3] = {"line of 3 nodes", 1, 3, 2, 2, 2, 5, PC_LINE2, PC_POINT1, {0, 0}},
    [PC_TRIANGLE3] =
        {"triangle of 3 nodes", 2, 3, 3, 3, 1, 2, PC_TRIANGLE3, PC_LINE2, {1. / 3, 1. / 3}},
    [PC_TRIANGLE6] =
        {"triangle of 6 nodes", 2, 6, 3, 3, 2, 6, PC_TRIANGLE3, PC_LINE3, {1. / 3, 1. / 3}},
    [PC_QUAD4] = {"quadrangle of 4 nodes", 2, 4, 4, 4, 1, 3, PC_QUAD4, PC_LINE2, {0, 0}},
    [PC_QUAD8] = {"quadrangle of 8 nodes", 2, 8, 4, 4, 2, 7, PC_QUAD4, PC_LINE3, {0, 0}},
    [PC_QUAD9] = {"quadrangle of 9 nodes", 2, 9, 4, 4, 2, 7, PC_QUAD4, PC_LINE3, {0, 0}},
};

const pc_element_info *pc_element_of(pc_element type)
{
  return &INFO[type];
}

void pc_element_side(pc_element type, int side, int node[3])
{
  const pc_element_info *info = &INFO[type];
  node[0] = side;
  node[1] = info->dimension == 1 ? side : (side + 1) % info->corners;
  node[2] = info->order == 2 && info->dimension == 2 ? info->corners + side : -1;
}

// Corners of the square; the middle of side i is between corners i and i + 1.
static const double SQUARE[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const double TRIANGLE[3][2] = {{0, 0}, {1, 0}, {0, 1}};

void pc_element_place(pc_element type, int i, double xi[2])
{
  const pc_element_info *info = &INFO[type];
  xi[0] = info->centre[0], xi[1] = info->centre[1];
  if (info->dimension == 0)
    return;
  if (info->dimension == 1) {
    xi[0] = i == 0 ? -1 : i == 1 ? 1 : 0;
    return;
  }
  const double(*corner)[2] = info->corners == 3 ? TRIANGLE : SQUARE;
  int n = info->corners;
  if (i < n)
    xi[0] = corner[i][0], xi[1] = corner[i][1];
  else if (i < 2 * n)
    for (int k = 0; k < 2; k++)
      xi[k] = (corner[i - n][k] + corner[(i - n + 1) % n][k]) / 2;
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

static void triangle_shape(int order, const double xi[2], double *value, double (*gradient)[2])
{
  double l[3] = {1 - xi[0] - xi[1], xi[0], xi[1]};
  static const double g[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  for (int i = 0; i < 3; i++) {
    value[i] = order == 1 ? l[i] : l[i] * (2 * l[i] - 1);
    for (int k = 0; k < 2; k++)
      gradient[i][k] = order == 1 ? g[i][k] : (4 * l[i] - 1) * g[i][k];
  }
  if (order == 1)
    return;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    value[3 + i] = 4 * l[i] * l[j];
    for (int k = 0; k < 2; k++)
      gradient[3 + i][k] = 4 * (l[i] * g[j][k] + l[j] * g[i][k]);
  }
}

// Which polynomial of a line each node of the square takes, in x and in y.
static const unsigned char TENSOR[9][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0},
                                           {1, 2}, {2, 1}, {0, 2}, {2, 2}};

static void quad_shape(int nodes, const double xi[2], double *value, double (*gradient)[2])
{
  int order = nodes == 4 ? 1 : 2;
  double x[3], dx[3], y[3], dy[3];
  line_shape(order, xi[0], x, dx);
  line_shape(order, xi[1], y, dy);
  double value9[9], gradient9[9][2];
  for (int i = 0; i < (nodes == 4 ? 4 : 9); i++) {
    int a = TENSOR[i][0], b = TENSOR[i][1];
    value9[i] = x[a] * y[b];
    gradient9[i][0] = dx[a] * y[b];
    gradient9[i][1] = x[a] * dy[b];
  }
  // Eight nodes: what nine have, with the centre interpolated from the others by weights -1/4 of
  // the corners and 1/2 of the sides: exact for all but x^2 y^2.
  for (int i = 0; i < nodes; i++) {
    double part = nodes != 8 ? 0 : i < 4 ? -0.25 : 0.5;
    value[i] = value9[i] + (part != 0 ? part * value9[8] : 0);
    for (int k = 0; k < 2; k++)
      gradient[i][k] = gradient9[i][k] + (part != 0 ? part * gradient9[8][k] : 0);
  }
}

void pc_element_shape(pc_element type, const double xi[2], double *value, double (*gradient)[2])
{
  const pc_element_info *info = &INFO[type];
  double values[PC_ELEMENT_NODES_MAX] = {1}, gradients[PC_ELEMENT_NODES_MAX][2] = {{0}};
  if (info->dimension == 1) {
    double slope[3];
    line_shape(info->order, xi[0], values, slope);
    for (int i = 0; i < info->nodes; i++)
      gradients[i][0] = slope[i];
  } else if (info->dimension == 2 && info->corners == 3)
    triangle_shape(info->order, xi, values, gradients);
  else if (info->dimension == 2)
    quad_shape(info->nodes, xi, values, gradients);
  if (value != NULL)
    memcpy(value, values, (size_t)info->nodes * sizeof *value);
  if (gradient != NULL)
    memcpy(gradient, gradients, (size_t)info->nodes * sizeof *gradient);
}

// Gauss and Legendre on [-1, 1]: roots of P_n by Newton's method, weights 2 / ((1 - x^2) P_n'^2).
static void gauss(int n, double *x, double *w)
{
  for (int i = 0; i < (n + 1) / 2; i++) {
    double z = cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 1;
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

static void add_point(pc_quadrature *rule, double x, double y, double weight)
{
  rule->at[rule->points][0] = x;
  rule->at[rule->points][1] = y;
  rule->weight[rule->points++] = weight;
}

// Radon's seven points, degree 5, and what is exact for less; above, products of Gauss rules on the
// square that is folded to a triangle, (a, b) -> (a, b (1 - a)): not symmetric, but exact.
static void triangle_rule(pc_quadrature *rule, int degree)
{
  if (degree <= 1) {
    add_point(rule, 1. / 3, 1. / 3, 0.5);
  } else if (degree == 2) {
    for (int i = 0; i < 3; i++)
      add_point(rule, i == 1 ? 2. / 3 : 1. / 6, i == 2 ? 2. / 3 : 1. / 6, 1. / 6);
  } else if (degree <= 5) {
    add_point(rule, 1. / 3, 1. / 3, 9. / 80);
    for (int sign = -1; sign <= 1; sign += 2) {
      double a = (6 + sign * sqrt(15)) / 21, weight = (155 + sign * sqrt(15)) / 2400;
      add_point(rule, a, a, weight);
      add_point(rule, 1 - 2 * a, a, weight);
      add_point(rule, a, 1 - 2 * a, weight);
    }
  } else {
    int n = degree / 2 + 1, m = (degree + 1) / 2 + 1;
    double x[8], wx[8], y[8], wy[8];
    gauss(m, x, wx);
    gauss(n, y, wy);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double a = (1 + x[i]) / 2, b = (1 + y[j]) / 2;
        add_point(rule, a, b * (1 - a), wx[i] * wy[j] * (1 - a) / 4);
      }
  }
}

bool pc_quadrature_make(pc_quadrature *rule, pc_element type, int degree)
{
  const pc_element_info *info = &INFO[type];
  rule->points = 0;
  bool triangle = info->dimension == 2 && info->corners == 3;
  if (degree < 0 || degree > (triangle ? 13 : 15))
    return false;
  if (info->dimension == 0) {
    add_point(rule, 0, 0, 1);
    return true;
  }
  if (triangle) {
    triangle_rule(rule, degree);
    return true;
  }
  double x[8], w[8];
  int n = degree / 2 + 1;
  gauss(n, x, w);
  for (int j = 0; j < (info->dimension == 1 ? 1 : n); j++)
    for (int i = 0; i < n; i++)
      if (info->dimension == 1)
        add_point(rule, x[i], 0, w[i]);
      else
        add_point(rule, x[i], x[j], w[i] * w[j]);
  return true;
}

void pc_element_map(pc_element type, const double (*node)[2], const double xi[2],
                    pc_element_point *point)
{
  const pc_element_info *info = &INFO[type];
  double gradient[PC_ELEMENT_NODES_MAX][2], jacobian[2][2] = {{0}}; // d x_r / d xi_c
  pc_element_shape(type, xi, point->value, gradient);
  point->x[0] = point->x[1] = 0;
  point->tangent[0] = point->tangent[1] = 0;
  for (int i = 0; i < info->nodes; i++)
    for (int r = 0; r < 2; r++) {
      point->x[r] += point->value[i] * node[i][r];
      for (int c = 0; c < 2; c++)
        jacobian[r][c] += gradient[i][c] * node[i][r];
    }
  if (info->dimension == 0) {
    point->determinant = 1;
    point->gradient[0][0] = point->gradient[0][1] = 0;
  } else if (info->dimension == 1) {
    double length = hypot(jacobian[0][0], jacobian[1][0]);
    point->determinant = length;
    for (int r = 0; r < 2; r++)
      point->tangent[r] = jacobian[r][0] / length;
    for (int i = 0; i < info->nodes; i++)
      for (int r = 0; r < 2; r++)
        point->gradient[i][r] = gradient[i][0] / length * point->tangent[r];
  } else {
    double d = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
    point->determinant = d;
    for (int i = 0; i < info->nodes; i++) {
      double a = gradient[i][0], b = gradient[i][1];
      point->gradient[i][0] = (jacobian[1][1] * a - jacobian[1][0] * b) / d;
      point->gradient[i][1] = (jacobian[0][0] * b - jacobian[0][1] * a) / d;
    }
  }
}
