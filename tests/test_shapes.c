// Shapes against closed forms, other ways of computing the same, and brute force.
#include <string.h>

#include "core/small.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "geometry/shape.h"
#include "geometry/tree.h"
#include "support.h"

// --- help ---------------------------------------------------------------------------------------

static pc_error error;

// The shape was made; says why if not.
static pc_shape *made(pc_shape *shape)
{
  if (shape == NULL)
    fail_msg("%s", error.text);
  return shape;
}

static void refused(pc_shape *shape, pc_status status, const char *words)
{
  assert_null(shape);
  assert_int_equal(error.status, status);
  if (strstr(error.text, words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void random_turn(pc_random *random, double q[4])
{
  for (int k = 0; k < 4; k++)
    q[k] = pc_random_normal(random);
  pc_quaternion_normalise(q);
}

static pc_pose random_pose(pc_random *random)
{
  double q[4], position[3];
  random_turn(random, q);
  for (int k = 0; k < 3; k++)
    position[k] = 3 * pc_random_normal(random);
  return pc_pose_of(position, q);
}

// --- hulls --------------------------------------------------------------------------------------

// Everything that must hold of a hull, to `tolerance` of its size.
static void check_hull(const pc_hull *hull, double tolerance)
{
  double size = 0;
  for (int i = 0; i < hull->vertices; i++)
    for (int k = 0; k < 3; k++)
      size = fmax(size, fabs(hull->vertex[i][k] - hull->vertex[0][k]));
  assert_int_equal(hull->vertices - hull->edges + hull->faces, 2);
  assert_int_equal(hull->face_start[0], 0);
  assert_int_equal(hull->face_start[hull->faces], 2 * hull->edges);
  for (int f = 0; f < hull->faces; f++) {
    const double *n = hull->plane[f];
    assert_near(pc_norm(3, n), 1, 1e-14);
    for (int i = 0; i < hull->vertices; i++)
      assert_true(pc_dot3(n, hull->vertex[i]) <= n[3] + tolerance * size);
    int start = hull->face_start[f], count = hull->face_start[f + 1] - start;
    assert_true(count >= 3);
    for (int i = 0; i < count; i++) {
      int a = hull->face_vertex[start + i], b = hull->face_vertex[start + (i + 1) % count];
      int c = hull->face_vertex[start + (i + 2) % count], e = hull->face_edge[start + i];
      assert_near(pc_dot3(n, hull->vertex[a]), n[3], tolerance * size);
      bool forward = hull->edge[e][0] == a && hull->edge[e][1] == b;
      bool back = hull->edge[e][0] == b && hull->edge[e][1] == a;
      assert_true(forward || back);
      assert_int_equal(hull->edge_face[e][forward ? 0 : 1], f);
      // Counter-clockwise seen from outside, with a true corner at b.
      double p[3], q[3], cross[3];
      for (int k = 0; k < 3; k++) {
        p[k] = hull->vertex[b][k] - hull->vertex[a][k];
        q[k] = hull->vertex[c][k] - hull->vertex[b][k];
      }
      pc_cross(p, q, cross);
      assert_true(pc_dot3(cross, n) > 0);
    }
  }
  for (int e = 0; e < hull->edges; e++) {
    double along[3];
    for (int k = 0; k < 3; k++)
      along[k] = hull->vertex[hull->edge[e][1]][k] - hull->vertex[hull->edge[e][0]][k];
    assert_near(pc_norm(3, hull->direction[e]), 1, 1e-14);
    assert_near(pc_dot3(along, hull->direction[e]), pc_norm(3, along), 1e-14 * size);
    assert_int_not_equal(hull->edge_face[e][0], hull->edge_face[e][1]);
  }
}

static void test_box_hull(void **state)
{
  pc_shape *box = made(pc_shape_box((double[3]){2, 4, 6}, &error));
  check_hull(&box->hull, 1e-15);
  assert_int_equal(box->hull.faces, 6);
  assert_int_equal(box->hull.edges, 12);
  for (int f = 0; f < 6; f++)
    for (int k = 0; k < 3; k++)
      assert_true(box->hull.plane[f][k] == (f / 2 == k ? (f % 2 == 0 ? -1 : 1) : 0));
  double corners[8][3];
  memcpy(corners, box->hull.vertex, sizeof corners);
  pc_shape *same = made(pc_shape_polyhedron(8, (const double(*)[3])corners, true, &error));
  check_hull(&same->hull, 1e-15);
  assert_int_equal(same->hull.faces, 6);
  assert_int_equal(same->hull.edges, 12);
  assert_near(same->mass.volume, 48, 1e-12);
  for (int k = 0; k < 9; k++)
    assert_near(same->mass.inertia[k], box->mass.inertia[k], 1e-11);
  pc_shape_release(box);
  pc_shape_release(same);
}

// Points of every kind: in a ball, on a sphere, on a lattice (many in one plane), on a lattice
// turned, and with round-off of all sizes.
static int random_points(pc_random *random, double (*point)[3], int most)
{
  int kind = pc_random_below(random, 5), count = 4 + pc_random_below(random, most - 3);
  int side = 2 + pc_random_below(random, 3);
  double q[4], turn[9], noise = pow(10, pc_random_uniform(random, -17, -6));
  random_turn(random, q);
  pc_quaternion_matrix(q, turn);
  for (int i = 0; i < count; i++) {
    double p[3];
    for (int k = 0; k < 3; k++)
      p[k] = kind < 2 ? pc_random_normal(random) : pc_random_below(random, side);
    double size = kind == 1 ? pc_norm(3, p) : 1;
    for (int k = 0; k < 3; k++)
      p[k] = p[k] / size + (kind == 4 ? noise * pc_random_normal(random) : 0);
    if (kind >= 3)
      pc_rotate(turn, p, point[i]);
    else
      memcpy(point[i], p, sizeof p);
  }
  return count;
}

static void test_random_hulls(void **state)
{
  pc_random random = test_random("random hulls");
  int kinds[2] = {0};
  for (int n = test_count(5000); n > 0; n--) {
    double point[60][3];
    int count = random_points(&random, point, 60);
    pc_shape *shape = pc_shape_polyhedron(count, (const double(*)[3])point, false, &error);
    kinds[shape != NULL]++;
    if (shape == NULL) {
      if (error.status != PC_ERROR_ARGUMENT)
        fail_msg("%s", error.text);
      continue;
    }
    check_hull(&shape->hull, 2e-8);
    pc_shape_release(shape);
  }
  printf("%d hulls, %d flat\n", kinds[1], kinds[0]);
}

static void test_refusals(void **state)
{
  refused(pc_shape_sphere(0, &error), PC_ERROR_ARGUMENT, "radius");
  refused(pc_shape_sphere(NAN, &error), PC_ERROR_ARGUMENT, "radius");
  refused(pc_shape_polyhedron(4, (const double[4][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                              false, &error),
          PC_ERROR_ARGUMENT, "one plane");
}

static void test_bounds(void **state)
{
  pc_random random = test_random("bounds");
  pc_pose pose = random_pose(&random);
  pc_shape *ball = made(pc_shape_sphere(2, &error));
  double box[6];
  pc_shape_bounds(ball, &pose, box);
  for (int k = 0; k < 3; k++)
    assert_near(box[3 + k] - box[k], 4, 1e-14);
  pc_shape_release(ball);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box_hull),
      cmocka_unit_test(test_random_hulls),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
