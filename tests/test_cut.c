// Cuts of shapes by planes against another way to find them: sections as plane hulls of all points
// where a segment between two vertices meets the plane, and integrals over the heights of these
// sections, which are polynomials between vertices. Then closed forms, derivatives, and planes
// through vertices, edges and faces.
#include <math.h>
#include <string.h>

#include "geometry/cut.h"
#include "support.h"

enum { MAX_VERTICES = 16, MAX_PIECES = 4, MAX_POINTS = MAX_VERTICES * MAX_VERTICES };

static const double PI = 3.14159265358979323846;

// A convex piece in world axes: a ball, or the hull of its vertices.
typedef struct piece {
  int count; // 0: a ball
  double vertex[MAX_VERTICES][3];
  double centre[3], radius;
} piece;

typedef struct solid {
  int dimension, pieces;
  piece piece[MAX_PIECES];
  pc_shape *shape;
  pc_pose pose;
  double size; // every point is within this of the pose's position
} solid;

// Integrals of 1, x, x x^T about the world's origin.
typedef struct integrals {
  double zero, first[3], second[9];
} integrals;

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(pc_random *random, int dimension, double v[3])
{
  double size = 0;
  while (size < 0.1) {
    for (int i = 0; i < 3; i++)
      v[i] = i < dimension ? pc_random_normal(random) : 0;
    size = sqrt(dot(v, v));
  }
  for (int i = 0; i < 3; i++)
    v[i] /= size;
}

static void random_turn(pc_random *random, int dimension, double q[4])
{
  double angle = pc_random_uniform(random, 0, PI);
  for (int i = 0; i < 4; i++)
    q[i] = dimension == 3 ? pc_random_normal(random) : 0;
  if (dimension == 2) {
    q[0] = cos(angle);
    q[3] = sin(angle);
  }
  pc_quaternion_normalise(q);
}

static pc_pose random_pose(pc_random *random, int dimension, double spread)
{
  double position[3] = {0}, q[4];
  for (int i = 0; i < dimension; i++)
    position[i] = spread * pc_random_normal(random);
  random_turn(random, dimension, q);
  return pc_pose_of(position, q);
}

// The vertices that a shape has kept: those that hardly stand out are dropped as it is made.
static void take_vertices(const pc_shape *shape, piece *out)
{
  memset(out->vertex, 0, sizeof out->vertex);
  out->count = shape->dimension == 3 ? shape->hull->vertices : shape->polygon.count;
  for (int i = 0; i < out->count; i++)
    if (shape->dimension == 3)
      memcpy(out->vertex[i], shape->hull->vertex[i], sizeof shape->hull->vertex[i]);
    else
      memcpy(out->vertex[i], shape->polygon.vertex[i], sizeof shape->polygon.vertex[i]);
}

// One shape in its own axes, and the same as a piece.
static pc_shape *random_convex(pc_random *random, int dimension, piece *out)
{
  pc_error error;
  pc_shape *shape;
  int kind = pc_random_below(random, dimension == 3 ? 4 : 3);
  double size[3];
  memset(out, 0, sizeof *out);
  for (int i = 0; i < 3; i++)
    size[i] = pc_random_uniform(random, 0.3, 2);
  if (kind == 0) {
    out->radius = size[0];
    shape = dimension == 3 ? pc_shape_sphere(size[0], &error) : pc_shape_disc(size[0], &error);
  } else if (kind == 1 && dimension == 3) {
    out->count = 8;
    for (int i = 0; i < 8; i++)
      for (int k = 0; k < 3; k++)
        out->vertex[i][k] = (i >> k & 1 ? 0.5 : -0.5) * size[k];
    shape = pc_shape_box(size, &error);
  } else {
    double flat[MAX_VERTICES][2];
    out->count = 4 + pc_random_below(random, 9);
    for (int i = 0; i < out->count; i++) {
      unit(random, dimension, out->vertex[i]);
      for (int k = 0; k < 3; k++)
        out->vertex[i][k] = size[k] * out->vertex[i][k] + (k < dimension ? 0.2 : 0);
      memcpy(flat[i], out->vertex[i], sizeof flat[i]);
    }
    shape = dimension == 3
                ? pc_shape_polyhedron(out->count, (const double(*)[3])out->vertex, false, &error)
                : pc_shape_polygon(out->count, (const double(*)[2])flat, false, &error);
  }
  if (shape == NULL)
    fail_msg("%s", error.text);
  if (shape->type == PC_POLYHEDRON || shape->type == PC_POLYGON)
    take_vertices(shape, out);
  return shape;
}

static void move_piece(const pc_pose *pose, piece *p)
{
  double x[3];
  for (int i = 0; i < p->count; i++) {
    pc_to_world(pose, p->vertex[i], x);
    memcpy(p->vertex[i], x, sizeof x);
  }
  pc_to_world(pose, p->centre, x);
  memcpy(p->centre, x, sizeof x);
}

static solid random_solid(pc_random *random)
{
  solid s = {.dimension = pc_random_below(random, 3) == 0 ? 2 : 3, .pieces = 1};
  if (pc_random_below(random, 4) > 0) {
    s.shape = random_convex(random, s.dimension, &s.piece[0]);
  } else {
    pc_shape_piece part[MAX_PIECES] = {0};
    pc_error error;
    s.pieces = 1 + pc_random_below(random, MAX_PIECES);
    for (int i = 0; i < s.pieces; i++) {
      part[i].shape = random_convex(random, s.dimension, &s.piece[i]);
      part[i].position[0] = 5 * i; // pieces do not overlap
      random_turn(random, s.dimension, part[i].orientation);
      pc_pose place = pc_pose_of(part[i].position, part[i].orientation);
      move_piece(&place, &s.piece[i]);
    }
    s.shape = pc_shape_compound(s.pieces, part, &error);
    if (s.shape == NULL)
      fail_msg("%s", error.text);
    for (int i = 0; i < s.pieces; i++)
      pc_shape_release(part[i].shape);
  }
  s.size = pc_shape_radius(s.shape);
  s.pose = random_pose(random, s.dimension, 2);
  for (int i = 0; i < s.pieces; i++)
    move_piece(&s.pose, &s.piece[i]);
  return s;
}

// Two unit vectors across a third; in the plane the first of them is in the plane.
static void across(const double n[3], double u[3], double v[3])
{
  int k = n[2] == 0 ? 2 : fabs(n[0]) < 0.7 ? 0 : 1;
  double axis[3] = {k == 0, k == 1, k == 2}, size;
  for (int i = 0; i < 3; i++)
    u[i] = n[(i + 1) % 3] * axis[(i + 2) % 3] - n[(i + 2) % 3] * axis[(i + 1) % 3];
  size = sqrt(dot(u, u));
  for (int i = 0; i < 3; i++)
    u[i] /= size;
  for (int i = 0; i < 3; i++)
    v[i] = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
}

static int by_place(const void *a, const void *b)
{
  const double *x = a, *y = b;
  if (x[0] != y[0])
    return x[0] < y[0] ? -1 : 1;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

static double turn(const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Andrew's monotone chain; the hull turns counter-clockwise.
static int plane_hull(int count, double (*point)[2], double (*hull)[2])
{
  int size = 0;
  qsort(point, (size_t)count, sizeof *point, by_place);
  for (int side = 0; side < 2; side++) {
    int least = size + 1;
    for (int k = 0; k < count; k++) {
      const double *p = point[side == 0 ? k : count - 1 - k];
      while (size > least && turn(hull[size - 2], hull[size - 1], p) <= 0)
        size--;
      memcpy(hull[size++], p, sizeof *hull);
    }
    size--; // the other side starts with it
  }
  return size;
}

static void add_point(double weight, const double x[3], integrals *sum)
{
  sum->zero += weight;
  for (int i = 0; i < 3; i++) {
    sum->first[i] += weight * x[i];
    for (int j = 0; j < 3; j++)
      sum->second[3 * i + j] += weight * x[i] * x[j];
  }
}

// A triangle's quadratic integrals are exact with the middles of its edges.
static void add_triangle(const double a[3], const double b[3], const double c[3], double area,
                         integrals *sum)
{
  const double *corner[3] = {a, b, c};
  for (int k = 0; k < 3; k++) {
    double x[3];
    for (int i = 0; i < 3; i++)
      x[i] = 0.5 * (corner[k][i] + corner[(k + 1) % 3][i]);
    add_point(area / 3, x, sum);
  }
}

static void ball_section(const piece *p, int dimension, const double n[3], double offset,
                         integrals *sum)
{
  double d = offset - dot(n, p->centre), square = p->radius * p->radius - d * d, u[3], v[3], x[3];
  if (square <= 0)
    return;
  across(n, u, v);
  // Both rules are exact for polynomials of degree 2 and 3: the circle of half the square for a
  // disc, Gauss's two points for a chord.
  int points = dimension == 3 ? 8 : 2;
  double reach = sqrt(square) * (dimension == 3 ? sqrt(0.5) : sqrt(1.0 / 3));
  double whole = dimension == 3 ? PI * square : 2 * sqrt(square);
  for (int k = 0; k < points; k++) {
    double angle = 2 * PI * k / points;
    for (int i = 0; i < 3; i++)
      x[i] = p->centre[i] + d * n[i] + reach * (cos(angle) * u[i] + sin(angle) * v[i]);
    add_point(whole / points, x, sum);
  }
}

static void hull_section(const piece *p, int dimension, const double n[3], double offset,
                         integrals *sum)
{
  double u[3], v[3], point[MAX_POINTS][2], hull[2 * MAX_POINTS][2], space[MAX_POINTS][3];
  int count = 0;
  across(n, u, v);
  for (int a = 0; a < p->count; a++)
    for (int b = 0; b < p->count; b++) {
      double da = dot(n, p->vertex[a]) - offset, db = dot(n, p->vertex[b]) - offset, x[3];
      if (!(da < 0 && db > 0))
        continue;
      for (int i = 0; i < 3; i++)
        x[i] = (db * p->vertex[a][i] - da * p->vertex[b][i]) / (db - da);
      point[count][0] = dot(u, x);
      point[count++][1] = dimension == 3 ? dot(v, x) : 0;
    }
  if (count < 2)
    return;
  if (dimension == 2) {
    qsort(point, (size_t)count, sizeof *point, by_place);
    double length = point[count - 1][0] - point[0][0], middle = point[0][0] + 0.5 * length, x[3];
    for (int k = -1; k <= 1; k += 2) {
      for (int i = 0; i < 3; i++)
        x[i] = offset * n[i] + (middle + k * 0.5 * length * sqrt(1.0 / 3)) * u[i];
      add_point(0.5 * length, x, sum);
    }
    return;
  }
  count = plane_hull(count, point, hull);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      space[k][i] = offset * n[i] + hull[k][0] * u[i] + hull[k][1] * v[i];
  for (int k = 1; k + 1 < count; k++)
    add_triangle(space[0], space[k], space[k + 1], 0.5 * turn(hull[0], hull[k], hull[k + 1]), sum);
}

static void section_of(const solid *s, const piece *p, const double n[3], double offset,
                       integrals *sum)
{
  if (p->count == 0)
    ball_section(p, s->dimension, n, offset, sum);
  else
    hull_section(p, s->dimension, n, offset, sum);
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Heights between which the section of a piece is smooth.
static int levels(const piece *p, const double n[3], double level[MAX_VERTICES])
{
  for (int i = 0; i < p->count; i++)
    level[i] = dot(n, p->vertex[i]);
  if (p->count == 0) {
    level[0] = dot(n, p->centre) - p->radius;
    level[1] = dot(n, p->centre) + p->radius;
    return 2;
  }
  qsort(level, (size_t)p->count, sizeof *level, by_size);
  return p->count;
}

// Gauss's five points between two heights. For a disc, whose chord is a square root of the height,
// the heights are angles: it is cut at its centre minus radius times cosine.
static void integrate(const solid *s, const piece *p, const double n[3], double offset,
                      const double range[2], bool angles, pc_cut *cut)
{
  const double node[5] = {0, -0.5384693101056831, 0.5384693101056831, -0.9061798459386640,
                          0.9061798459386640};
  const double weight[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                            0.2369268850561891, 0.2369268850561891};
  for (int k = 0; k < 5; k++) {
    double t = 0.5 * (range[0] + range[1] + node[k] * (range[1] - range[0]));
    double w = weight[k] * 0.5 * (range[1] - range[0]);
    if (angles) {
      w *= p->radius * sin(t);
      t = dot(n, p->centre) - p->radius * cos(t);
    }
    integrals part = {0};
    section_of(s, p, n, t, &part);
    cut->volume += w * part.zero;
    cut->depth += w * (t - offset) * part.zero;
    for (int i = 0; i < 3; i++)
      cut->moment[i] += w * part.first[i];
  }
}

static void add_piece(const solid *s, const piece *p, const double n[3], double offset, pc_cut *cut)
{
  enum { PARTS = 32 };
  double level[MAX_VERTICES];
  int count = levels(p, n, level);
  if (p->count == 0 && s->dimension == 2) {
    double start = acos(fmax(fmin((dot(n, p->centre) - offset) / p->radius, 1), -1));
    for (int k = 0; k < PARTS; k++) {
      double range[2] = {start + (PI - start) * k / PARTS, start + (PI - start) * (k + 1) / PARTS};
      integrate(s, p, n, offset, range, true, cut);
    }
    return;
  }
  for (int k = 0; k + 1 < count; k++) {
    double range[2] = {fmax(level[k], offset), level[k + 1]};
    if (range[1] > range[0])
      integrate(s, p, n, offset, range, false, cut);
  }
}

static pc_cut oracle(const solid *s, const double n[3], double offset)
{
  pc_cut cut = {0};
  integrals section = {0};
  for (int i = 0; i < s->pieces; i++) {
    add_piece(s, &s->piece[i], n, offset, &cut);
    section_of(s, &s->piece[i], n, offset, &section);
  }
  cut.area = section.zero;
  memcpy(cut.area_moment, section.first, sizeof cut.area_moment);
  memcpy(cut.area_second, section.second, sizeof cut.area_second);
  for (int i = 0; i < 3 && section.zero > 0; i++)
    for (int j = 0; j < 3; j++)
      cut.area_second[3 * i + j] -= section.first[i] * section.first[j] / section.zero;
  return cut;
}

static pc_cut cut_of(const solid *s, const double n[3], double offset)
{
  pc_cut cut;
  assert_true(pc_shape_cut(s->shape, &s->pose, n, offset, &cut));
  return cut;
}

// An offset between the lowest and the highest point of the solid; `part` from 0 to 1.
static double offset_at(const solid *s, const double n[3], double part)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < s->pieces; i++) {
    double level[MAX_VERTICES];
    int count = levels(&s->piece[i], n, level);
    low = fmin(low, level[0]);
    high = fmax(high, level[count - 1]);
  }
  return low + part * (high - low);
}

static void check_volume(const solid *s, const pc_cut *got, const pc_cut *want, double tolerance)
{
  double far = s->size + sqrt(dot(s->pose.position, s->pose.position));
  double unit_volume = pow(s->size, s->dimension) * tolerance;
  assert_near(got->volume, want->volume, unit_volume);
  assert_near(got->depth, want->depth, unit_volume * s->size);
  for (int i = 0; i < 3; i++)
    assert_near(got->moment[i], want->moment[i], unit_volume * far);
}

static void check_section(const solid *s, const pc_cut *got, const pc_cut *want, double tolerance)
{
  double far = s->size + sqrt(dot(s->pose.position, s->pose.position));
  double unit_area = pow(s->size, s->dimension - 1) * tolerance;
  assert_near(got->area, want->area, unit_area);
  for (int i = 0; i < 3; i++)
    assert_near(got->area_moment[i], want->area_moment[i], unit_area * far);
  for (int i = 0; i < 9; i++)
    assert_near(got->area_second[i], want->area_second[i], unit_area * far * far);
}

static void test_sections_and_integrals(void **state)
{
  pc_random random = test_random("sections and integrals");
  for (int count = test_count(4000); count > 0; count--) {
    solid s = random_solid(&random);
    double n[3];
    unit(&random, s.dimension, n);
    double offset = offset_at(&s, n, pc_random_uniform(&random, -0.05, 1.05));
    pc_cut got = cut_of(&s, n, offset), want = oracle(&s, n, offset);
    check_volume(&s, &got, &want, 1e-12);
    check_section(&s, &got, &want, 1e-12);
    assert_near(got.depth, dot(n, got.moment) - offset * got.volume,
                1e-13 * (1 + s.size + fabs(offset)) * pow(s.size, s.dimension));
    pc_shape_release(s.shape);
  }
}

// Whether no vertex is within `step` of the plane, and no end of a disc near it: there the
// derivative of the area is not bounded, and differences say little.
static bool is_smooth(const solid *s, const double n[3], double offset, double step)
{
  for (int i = 0; i < s->pieces; i++) {
    const piece *p = &s->piece[i];
    double level[MAX_VERTICES], gap = p->count == 0 && s->dimension == 2 ? 0.05 : step;
    int count = levels(p, n, level);
    for (int k = 0; k < count; k++)
      if (fabs(level[k] - offset) <= gap)
        return false;
  }
  return true;
}

// d volume / d offset = -area and d depth / d offset = -volume, by differences that are exact for
// what is between vertices, polynomials of degree 4.
static void test_derivatives(void **state)
{
  pc_random random = test_random("derivatives");
  double h = 1e-4;
  int checked = 0, tried = test_count(5000);
  for (int count = tried; count > 0; count--) {
    solid s = random_solid(&random);
    double n[3];
    unit(&random, s.dimension, n);
    double offset = offset_at(&s, n, pc_random_uniform(&random, 0, 1));
    if (is_smooth(&s, n, offset, 2 * h)) {
      pc_cut here = cut_of(&s, n, offset);
      double volume = 0, depth = 0;
      const double weight[5] = {1, -8, 0, 8, -1};
      for (int k = -2; k <= 2; k++) {
        pc_cut cut = cut_of(&s, n, offset + k * h);
        volume += weight[k + 2] / (12 * h) * cut.volume;
        depth += weight[k + 2] / (12 * h) * cut.depth;
      }
      assert_near(-volume, here.area, 1e-6 * here.area + 1e-10);
      assert_near(-depth, here.volume, 1e-6 * here.volume + 1e-9);
      checked++;
    }
    pc_shape_release(s.shape);
  }
  assert_true(checked > tried / 2);
}

// What is beyond a plane and what is beyond it from the other side make the whole.
static void test_two_sides(void **state)
{
  pc_random random = test_random("two sides");
  for (int count = test_count(3000); count > 0; count--) {
    solid s = random_solid(&random);
    pc_mass_properties mass = pc_shape_mass(s.shape);
    double n[3], back[3], centroid[3];
    unit(&random, s.dimension, n);
    for (int i = 0; i < 3; i++)
      back[i] = -n[i];
    double offset = offset_at(&s, n, pc_random_uniform(&random, -0.1, 1.1));
    pc_cut one = cut_of(&s, n, offset), other = cut_of(&s, back, -offset), sum = one, want = {0};
    pc_to_world(&s.pose, mass.centroid, centroid);
    sum.volume += other.volume;
    sum.depth -= other.depth;
    want.volume = mass.volume;
    want.depth = mass.volume * (dot(n, centroid) - offset);
    for (int i = 0; i < 3; i++) {
      sum.moment[i] += other.moment[i];
      want.moment[i] = mass.volume * centroid[i];
    }
    check_volume(&s, &sum, &want, 1e-12);
    check_section(&s, &one, &other, 1e-12);
    pc_shape_release(s.shape);
  }
}

// Planes through three vertices, often those of a face, at poses that round them to either side.
// At a face the area jumps: it is then anything between the two sides.
static void test_through_vertices(void **state)
{
  pc_random random = test_random("through vertices");
  for (int count = test_count(4000); count > 0; count--) {
    solid s = random_solid(&random);
    const piece *p = &s.piece[pc_random_below(&random, s.pieces)];
    double n[3] = {0}, size = 0;
    if (p->count > 0) {
      const double *v[3];
      for (int k = 0; k < 3; k++)
        v[k] = p->vertex[pc_random_below(&random, p->count)];
      double a[3], b[3] = {0, 0, 1};
      for (int i = 0; i < 3; i++) {
        a[i] = v[1][i] - v[0][i];
        b[i] = s.dimension == 3 ? v[2][i] - v[0][i] : b[i];
      }
      for (int i = 0; i < 3; i++)
        n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
      size = sqrt(dot(n, n));
      for (int i = 0; i < 3 && size > 1e-3; i++)
        n[i] /= size;
      if (size > 1e-3) {
        double offset = dot(n, v[0]), step = 1e-11 * s.size;
        pc_cut got = cut_of(&s, n, offset), want = oracle(&s, n, offset);
        pc_cut before = oracle(&s, n, offset - step), after = oracle(&s, n, offset + step);
        double slack = 1e-7 * pow(s.size, s.dimension - 1);
        check_volume(&s, &got, &want, 1e-11);
        assert_true(got.area >= fmin(before.area, after.area) - slack);
        assert_true(got.area <= fmax(before.area, after.area) + slack);
        for (int i = 0; i < 9; i++)
          assert_true(fabs(got.area_second[i]) <= 4 * s.size * s.size * (got.area + slack));
      }
    }
    pc_shape_release(s.shape);
  }
}

static const pc_pose HERE = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void check_cube(const pc_shape *cube, const double direction[3], double offset,
                       double volume, double area)
{
  double size = sqrt(dot(direction, direction)), n[3];
  for (int i = 0; i < 3; i++)
    n[i] = direction[i] / size;
  pc_cut cut;
  assert_true(pc_shape_cut(cube, &HERE, n, offset / size, &cut));
  assert_near(cut.volume, volume, 1e-14);
  assert_near(cut.area, area, 1e-14);
}

// The cube of edge 1.
static void test_cube(void **state)
{
  pc_error error;
  pc_shape *cube = pc_shape_box((double[3]){1, 1, 1}, &error);
  const double x[3] = {1, 0, 0}, xy[3] = {1, 1, 0}, xyz[3] = {1, 1, 1};
  check_cube(cube, x, 0.25, 0.25, 1);
  check_cube(cube, x, -0.5, 1, 1);                  // on a face, the cube beyond
  check_cube(cube, x, 0.5, 0, 0);                   // on a face, nothing beyond
  check_cube(cube, x, -0.75, 1, 0);                 // wholly beyond
  check_cube(cube, xy, 0, 0.5, sqrt(2));            // through two edges
  check_cube(cube, xy, 1, 0, 0);                    // through one edge
  check_cube(cube, xyz, 0, 0.5, 0.75 * sqrt(3));    // a hexagon
  check_cube(cube, xyz, 0.5, 1.0 / 6, sqrt(3) / 2); // through three vertices
  check_cube(cube, xyz, -0.5, 5.0 / 6, sqrt(3) / 2);
  check_cube(cube, xyz, 1.5, 0, 0); // through one vertex

  // All of it, next to a corner, small parts with their digits: edges e give e^3 / 6.
  for (double e = 1; e > 1e-5; e /= 4) {
    double n[3] = {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)}, part = 1e-14 / e;
    pc_cut cut;
    assert_true(pc_shape_cut(cube, &HERE, n, (1.5 - e) / sqrt(3), &cut));
    double volume = e * e * e / 6, area = sqrt(3) / 2 * e * e;
    assert_near(cut.volume / volume, 1, part);
    assert_near(cut.depth / (volume * e / (4 * sqrt(3))), 1, part);
    assert_near(cut.area / area, 1, part);
    for (int i = 0; i < 3; i++) {
      assert_near(cut.moment[i] / volume, 0.5 - e / 4, part);
      assert_near(cut.area_moment[i] / area, 0.5 - e / 3, part);
      // A triangle with corners e apart, about its centroid: area (sum of squares) / 12.
      assert_near(cut.area_second[4 * i] / (area * e * e / 18), 1, part);
      assert_near(cut.area_second[3 * i + (i + 1) % 3] / (area * e * e / 36), -1, part);
    }
  }
  pc_shape_release(cube);
}

static void test_box(void **state)
{
  pc_error error;
  pc_shape *box = pc_shape_box((double[3]){2, 3, 4}, &error);
  pc_pose pose = HERE;
  pose.position[0] = 10, pose.position[1] = 20, pose.position[2] = 30;
  pc_cut cut;
  assert_true(pc_shape_cut(box, &pose, (double[3]){0, 0, 1}, 31.5, &cut));
  const double moment[3] = {30, 60, 95.25}, first[3] = {60, 120, 189};
  assert_near(cut.volume, 3, 1e-13);
  assert_near(cut.depth, 0.75, 1e-13);
  assert_near(cut.area, 6, 1e-13);
  const double second[9] = {6 * 4.0 / 12, 0, 0, 0, 6 * 9.0 / 12};
  for (int i = 0; i < 3; i++) {
    assert_near(cut.moment[i], moment[i], 1e-12);
    assert_near(cut.area_moment[i], first[i], 1e-12);
  }
  for (int i = 0; i < 9; i++)
    assert_near(cut.area_second[i], second[i], 1e-13);
  pc_shape_release(box);
}

// Half balls, and thin caps by the first terms of their series.
static void test_balls(void **state)
{
  pc_error error;
  double r = 2;
  pc_shape *sphere = pc_shape_sphere(r, &error), *disc = pc_shape_disc(r, &error);
  const double n[3] = {0.6, 0.8, 0};
  pc_cut cut;
  assert_true(pc_shape_cut(sphere, &HERE, n, 0, &cut));
  assert_near(cut.volume, 2 * PI * r * r * r / 3, 1e-13);
  assert_near(cut.depth, cut.volume * 3 * r / 8, 1e-13);
  assert_near(cut.area, PI * r * r, 1e-13);
  assert_near(cut.area_second[8], PI * pow(r, 4) / 4, 1e-13);
  assert_near(cut.area_second[0], PI * pow(r, 4) / 4 * 0.64, 1e-13);
  assert_true(pc_shape_cut(disc, &HERE, n, 0, &cut));
  assert_near(cut.volume, PI * r * r / 2, 1e-13);
  assert_near(cut.depth, cut.volume * 4 * r / (3 * PI), 1e-13);
  assert_near(cut.area, 2 * r, 1e-13);
  assert_near(cut.area_second[0], 2 * r * r * r / 3 * 0.64, 1e-13);
  assert_near(cut.area_second[1], -2 * r * r * r / 3 * 0.48, 1e-13);
  for (double h = 1e-3; h > 1e-12; h /= 8) {
    double x = r - (r - h), part = 10 * x * x + 1e-14; // h as the offset has it
    assert_true(pc_shape_cut(sphere, &HERE, n, r - h, &cut));
    assert_near(cut.volume / (PI * r * x * x), 1 - x / (3 * r), part);
    assert_near(cut.depth / (PI * r * x * x * x / 3), 1 - x / (4 * r), part);
    assert_true(pc_shape_cut(disc, &HERE, n, r - h, &cut));
    assert_near(cut.volume / (4.0 / 3 * x * sqrt(2 * r * x)), 1 - 3 * x / (20 * r), part);
    assert_near(cut.depth / (8.0 / 15 * x * x * sqrt(2 * r * x)), 1 - 3 * x / (28 * r), part);
    assert_near(cut.area / (2 * sqrt(2 * r * x)), 1 - x / (4 * r), part);
  }
  pc_shape_release(sphere);
  pc_shape_release(disc);
}

static void test_out_of_reach(void **state)
{
  pc_random random = test_random("out of reach");
  const pc_cut nothing = {0};
  for (int count = test_count(500); count > 0; count--) {
    solid s = random_solid(&random);
    pc_mass_properties mass = pc_shape_mass(s.shape);
    double n[3];
    unit(&random, s.dimension, n);
    pc_cut cut = cut_of(&s, n, offset_at(&s, n, 1 + pc_random_uniform(&random, 1e-12, 1)));
    assert_memory_equal(&cut, &nothing, sizeof cut);
    cut = cut_of(&s, n, offset_at(&s, n, -pc_random_uniform(&random, 1e-12, 1)));
    assert_near(cut.volume, mass.volume, 1e-13 * mass.volume);
    assert_true(cut.area == 0);
    pc_shape_release(s.shape);
  }
}

static void test_other_shapes(void **state)
{
  pc_error error;
  pc_shape *ball = pc_shape_sphere(1, &error), *rod = pc_shape_capsule(1, 2, &error);
  pc_shape_piece pieces[2] = {{ball, {0}, {1, 0, 0, 0}}, {rod, {0, 5, 0}, {1, 0, 0, 0}}};
  pc_shape *shape[4] = {rod, pc_shape_compound(2, pieces, &error),
                        pc_shape_plane(3, (double[3]){0, 0, 1}, &error),
                        pc_shape_cylinder(1, 2, &error)};
  for (int i = 0; i < 4; i++) {
    pc_cut cut;
    assert_non_null(shape[i]);
    for (int k = -1; k <= 1; k++) // whether it is cut or not
      assert_false(pc_shape_cut(shape[i], &HERE, (double[3]){0, 0, 1}, 10 * k, &cut));
    pc_shape_release(shape[i]);
  }
  pc_shape_release(ball);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cube),
      cmocka_unit_test(test_box),
      cmocka_unit_test(test_balls),
      cmocka_unit_test(test_sections_and_integrals),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_two_sides),
      cmocka_unit_test(test_through_vertices),
      cmocka_unit_test(test_out_of_reach),
      cmocka_unit_test(test_other_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
