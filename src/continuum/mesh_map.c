// Whether the map of an element is one to one: the sign of its determinant, by Bernstein
// coefficients.
#include <math.h>
#include <string.h>

#include "continuum/mesh.h"
#include "core/elementary.h"
#include "core/error.h"

// A determinant counts as zero below this part of the element's size to the power of its dimension.
static const double FLAT = 1e-12;
// Subdivisions before a determinant that nears zero is taken for zero.
enum { DEEPEST = 10, DEEPEST_IN_SPACE = 5 };

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
      a[i][k] = choose * pc_pow(t, k) * pc_pow(1 - t, degree - k);
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
  static const char *const mirrored[] = {"points to the left; exchange its ends",
                                         "has clockwise nodes; reverse their order",
                                         "is mirrored; reverse the order of its nodes"};
  static const char *const flat[] = {"has zero length", "has zero area", "has zero volume"};
  if (s->positive == 0 && s->zero == 0 && s->negative > 0)
    return mirrored[dimension - 1];
  return s->positive == 0 && s->negative == 0 ? flat[dimension - 1] : "is folded";
}

pc_status pc_fe_mesh_check_map(const pc_fe_mesh *mesh, int cell, pc_error *error)
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
  return pc_fail(error, PC_ERROR_ARGUMENT, "%s %s", pc_fe_cell_text(mesh, &mesh->body, cell).text,
                 why_bad(&s, mesh->dimension));
}
