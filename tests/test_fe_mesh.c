// Meshes of finite elements: structured ones, joined ones, quadratic ones, and what checks refuse.
#include "support.h"

#include "mesh_support.h"

#include <string.h>

#include "continuum/mesh.h"

static double area_of(const pc_fe_mesh *mesh)
{
  double area = 0;
  for (int i = 0; i < mesh->body.count; i++) {
    pc_element type = mesh->body.cell[i].type;
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_fe_mesh_corners(mesh, &mesh->body, i, node);
    pc_quadrature rule;
    assert_true(pc_quadrature_make(&rule, type, pc_element_of(type)->mass_degree));
    for (int k = 0; k < rule.points; k++) {
      pc_element_point point;
      pc_element_map(type, (const double(*)[3])node, rule.at[k], &point);
      area += rule.weight[k] * point.determinant;
    }
  }
  return area;
}

// x n_x along the sides of all groups; the area where they go all round it.
static double area_inside_sides(const pc_fe_mesh *mesh)
{
  double area = 0;
  for (int i = 0; i < mesh->side.count; i++) {
    pc_element type = mesh->side.cell[i].type;
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_fe_mesh_corners(mesh, &mesh->side, i, node);
    pc_quadrature rule;
    assert_true(pc_quadrature_make(&rule, type, 5));
    for (int k = 0; k < rule.points; k++) {
      pc_element_point point;
      pc_element_map(type, (const double(*)[3])node, rule.at[k], &point);
      area += rule.weight[k] * point.determinant * point.x[0] * point.tangent[1];
    }
  }
  return area;
}

static void check_good(const pc_fe_mesh *mesh)
{
  pc_error error = {0};
  if (pc_fe_mesh_check(mesh, &error) != PC_OK ||
      pc_fe_mesh_check_conforming(mesh, 0, NULL, &error) != PC_OK)
    fail_msg("%s", error.text);
}

#define assert_refused(call, words)                                                                \
  do {                                                                                             \
    pc_error error_ = {0};                                                                         \
    assert_int_not_equal(call, PC_OK);                                                             \
    if (strstr(error_.text, words) == NULL)                                                        \
      fail_msg("\"%s\" does not say \"%s\"", error_.text, words);                                  \
  } while (0)

static pc_fe_mesh rectangle(double x0, double x1, double y0, double y1, int columns, int rows,
                            pc_element type)
{
  double x[64], y[64];
  pc_fe_grade(x0, x1, columns, 2, x);
  pc_fe_grade(y0, y1, rows, 0.5, y);
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_mesh_add_rectangle(&mesh, &(pc_fe_rectangle){columns, rows, x, y, type, "block", "bottom",
                                                     "right", "top", "left"});
  return mesh;
}

static void grading_has_the_ratio_asked_for(void **state)
{
  double x[11];
  pc_fe_grade(1, 4, 10, 5, x);
  assert_near(x[0], 1, 0);
  assert_near(x[10], 4, 0);
  assert_near((x[10] - x[9]) / (x[1] - x[0]), 5, 1e-12);
  for (int i = 1; i < 9; i++)
    assert_near((x[i + 2] - x[i + 1]) / (x[i + 1] - x[i]), pow(5, 1. / 9), 1e-12);
}

static void rectangles_have_their_area_and_euler_number(void **state)
{
  const pc_element type[2] = {PC_QUAD4, PC_TRIANGLE3};
  for (int t = 0; t < 2; t++)
    for (int order = 1; order <= 3; order++) {
      pc_fe_mesh mesh = rectangle(-1, 2, 3, 5, 7, 5, type[t]);
      pc_error error = {0};
      if (order > 1)
        assert_int_equal(pc_fe_mesh_quadratic(&mesh, order == 3, &error), PC_OK);
      check_good(&mesh);
      assert_int_equal(count_duplicates(&mesh), 0);
      assert_near(area_of(&mesh), 6, 1e-13);
      assert_near(area_inside_sides(&mesh), 6, 1e-13);
      assert_int_equal(mesh.side.count, 24);
      int cells = t == 0 ? 35 : 70, corners = 48;
      int edges = corners + cells - 1; // Euler: corners - edges + cells = 1
      int nodes = order == 1 ? corners : corners + edges + (order == 3 && t == 0 ? cells : 0);
      assert_int_equal(mesh.body.count, cells);
      assert_int_equal(mesh.nodes, nodes);
      pc_fe_mesh_free(&mesh);
    }
}

// An L of three squares, each meshed alone.
static void joined_blocks_are_one_mesh(void **state)
{
  const double a[] = {0, 0.3, 1}, b[] = {1, 1.5, 2};
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_mesh_add_rectangle(
      &mesh, &(pc_fe_rectangle){2, 2, a, a, PC_QUAD4, "one", "out", "1r", "1t", "out"});
  pc_fe_mesh_add_rectangle(
      &mesh, &(pc_fe_rectangle){2, 2, b, a, PC_TRIANGLE3, "two", "out", "out", "out", "2l"});
  pc_fe_mesh_add_rectangle(
      &mesh, &(pc_fe_rectangle){2, 2, a, b, PC_QUAD4, "three", "3b", "out", "out", "out"});
  pc_error error = {0};
  assert_true(count_duplicates(&mesh) > 0);
  assert_int_equal(pc_fe_mesh_join(&mesh, "1r", "2l", &error), PC_OK);
  assert_int_equal(pc_fe_mesh_join(&mesh, "3b", "1t", &error), PC_OK);
  assert_int_equal(count_duplicates(&mesh), 0);
  assert_int_equal(mesh.nodes, 21);
  assert_int_equal(pc_fe_mesh_quadratic(&mesh, true, &error), PC_OK);
  check_good(&mesh);
  assert_near(area_of(&mesh), 3, 1e-14);
  assert_near(area_inside_sides(&mesh), 3, 1e-14); // only the outside has sides left
  pc_fe_mesh_free(&mesh);
}

static void blocks_that_do_not_match_are_refused(void **state)
{
  const double a[] = {0, 0.3, 1}, b[] = {1, 2}, c[] = {0, 0.4, 1};
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_mesh_add_rectangle(&mesh,
                           &(pc_fe_rectangle){2, 2, a, a, PC_QUAD4, "one", NULL, "r", NULL, NULL});
  pc_fe_mesh_add_rectangle(&mesh,
                           &(pc_fe_rectangle){1, 2, b, c, PC_QUAD4, "two", NULL, NULL, NULL, "l"});
  assert_refused(pc_fe_mesh_join(&mesh, "r", "l", &error_), "node 5 of \"r\"");
  assert_refused(pc_fe_mesh_join(&mesh, "r", "nothing", &error_), "\"nothing\"");
  assert_refused(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error_), "is not one of its nodes");
  // Sides that meet may; others may not.
  pc_error error = {0};
  int r = pc_fe_mesh_find_group(&mesh, "r", 1), l = pc_fe_mesh_find_group(&mesh, "l", 1);
  assert_ok(pc_fe_mesh_check_conforming(&mesh, 1, (const int[][2]){{l, r}}, &error), &error);
  assert_refused(pc_fe_mesh_check_conforming(&mesh, 1, (const int[][2]){{r, r}}, &error_),
                 "is not one of its nodes");
  pc_fe_mesh_free(&mesh);
  // One above the other, and with a node on a slope.
  mesh = pc_fe_mesh_empty(2);
  pc_fe_mesh_add_rectangle(&mesh,
                           &(pc_fe_rectangle){2, 2, a, a, PC_QUAD4, "one", NULL, NULL, NULL, NULL});
  pc_fe_mesh_add_rectangle(&mesh,
                           &(pc_fe_rectangle){2, 1, c, b, PC_QUAD4, "two", NULL, NULL, NULL, NULL});
  assert_refused(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error_), "is not one of its nodes");
  for (int i = 0; i < mesh.nodes; i++)
    mesh.node[i][1] += 3 * mesh.node[i][0];
  assert_refused(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error_), "is not one of its nodes");
  pc_fe_mesh_free(&mesh);
}

static pc_fe_mesh one_element(pc_element type, const double (*node)[3])
{
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  int number[PC_ELEMENT_NODES_MAX], n = pc_element_of(type)->nodes;
  for (int i = 0; i < n; i++)
    number[i] = pc_fe_mesh_add_node(&mesh, node[i][0], node[i][1], 0);
  pc_fe_mesh_add(&mesh, type, number, pc_fe_mesh_add_group(&mesh, "plate", 2));
  return mesh;
}

static void bad_elements_are_named(void **state)
{
  static const double clockwise[4][3] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  static const double flat[4][3] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  static const double bow[4][3] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  static const double concave[4][3] = {{0, 0}, {1, 0}, {0.2, 0.2}, {0, 1}};
  struct {
    const double (*node)[3];
    const char *says;
  } quad[] = {{clockwise, "clockwise"}, {flat, "zero area"}, {bow, "folded"}, {concave, "folded"}};
  for (int i = 0; i < 4; i++) {
    pc_fe_mesh mesh = one_element(PC_QUAD4, quad[i].node);
    assert_refused(pc_fe_mesh_check(&mesh, &error_), quad[i].says);
    assert_refused(pc_fe_mesh_check(&mesh, &error_),
                   "element 0 (quadrangle of 4 nodes of \"plate\"");
    pc_fe_mesh_free(&mesh);
  }
  pc_fe_mesh mesh = one_element(PC_QUAD4, clockwise);
  assert_int_equal(pc_fe_mesh_orient(&mesh, NULL), PC_OK);
  check_good(&mesh);
  pc_fe_mesh_free(&mesh);
}

// The middle node of a straight side of length 1 moves along it to s. The slope of the side's map
// is 4 s - 1 at one end and 3 - 4 s at the other, so the element folds outside 1/4 < s < 3/4.
static void middle_nodes_beyond_a_quarter_fold_the_element(void **state)
{
  for (int i = 0; i < 4; i++) {
    const double place[4] = {0.251, 0.249, 0.749, 0.751};
    const double node[6][3] = {{0, 0}, {1, 0}, {0, 1}, {place[i], 0}, {0.5, 0.5}, {0, 0.5}};
    pc_fe_mesh mesh = one_element(PC_TRIANGLE6, node);
    assert_int_equal(pc_fe_mesh_check(&mesh, NULL) == PC_OK, i == 0 || i == 2);
    pc_fe_mesh_free(&mesh);
  }
}

// Against dense sampling: an element that passes has a positive determinant on a fine grid; one
// that is refused has a determinant that comes near to zero or below on it.
static void the_check_of_curved_elements_agrees_with_sampling(void **state)
{
  pc_random random = test_random(__func__);
  int passed = 0, refused = 0;
  for (int turn = 0; turn < test_count(300); turn++) {
    pc_element type = turn % 3 == 0 ? PC_TRIANGLE6 : turn % 3 == 1 ? PC_QUAD8 : PC_QUAD9;
    double node[PC_ELEMENT_NODES_MAX][3], least = INFINITY;
    for (int i = 0; i < pc_element_of(type)->nodes; i++) {
      pc_element_place(type, i, node[i]);
      double part = type == PC_TRIANGLE6 ? 0.12 : 0.35;
      for (int k = 0; k < 2; k++)
        node[i][k] += pc_random_uniform(&random, -part, part);
    }
    const int fine = 60;
    for (int j = 0; j <= fine; j++)
      for (int i = 0; i <= (type == PC_TRIANGLE6 ? fine - j : fine); i++) {
        double xi[3] = {(double)i / fine, (double)j / fine};
        if (type != PC_TRIANGLE6)
          xi[0] = 2 * xi[0] - 1, xi[1] = 2 * xi[1] - 1;
        pc_element_point point;
        pc_element_map(type, (const double(*)[3])node, xi, &point);
        least = fmin(least, point.determinant);
      }
    pc_fe_mesh mesh = one_element(type, (const double(*)[3])node);
    bool good = pc_fe_mesh_check(&mesh, NULL) == PC_OK;
    if (good)
      assert_true(least > 0);
    else
      assert_true(least < 0.01);
    passed += good, refused += !good;
    pc_fe_mesh_free(&mesh);
  }
  assert_true(passed > 0 && refused > 0); // it says something of both
}

static void overlaps_and_loose_parts_are_refused(void **state)
{
  pc_fe_mesh mesh = rectangle(0, 1, 0, 1, 2, 2, PC_QUAD4);
  pc_fe_mesh_add_node(&mesh, 0.1, 0.2, 0);
  assert_refused(pc_fe_mesh_check(&mesh, &error_), "node 9");
  mesh.nodes--;
  int group = pc_fe_mesh_find_group(&mesh, "block", 2);
  pc_fe_mesh_add(&mesh, PC_TRIANGLE3, (int[]){0, 1, 4}, group);
  assert_refused(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error_), "overlaps");
  pc_fe_mesh_add(&mesh, PC_TRIANGLE3, (int[]){0, 1, 7}, group);
  assert_refused(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error_), "share one side");
  mesh.body.count -= 2;
  pc_fe_mesh_add(&mesh, PC_LINE2, (int[]){0, 4}, pc_fe_mesh_find_group(&mesh, "left", 1));
  assert_refused(pc_fe_mesh_check(&mesh, &error_), "side 8 (line of 2 nodes of \"left\"");
  mesh.side.count--;
  pc_fe_mesh_add(&mesh, PC_QUAD4, (int[]){0, 1, 1, 4}, group);
  assert_refused(pc_fe_mesh_check(&mesh, &error_), "node 1 twice");
  pc_fe_mesh_free(&mesh);
}

static void senseless_additions_are_told_once(void **state)
{
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  assert_int_equal(pc_fe_mesh_add_node(&mesh, NAN, 0, 0), -1);
  assert_int_equal(pc_fe_mesh_add_node(&mesh, 0, 0, 0), -1);
  assert_refused(pc_fe_mesh_done(&mesh, &error_), "invalid node, group or element after");
  pc_fe_mesh_free(&mesh);
  const double wrong[] = {0, 2, 1}, right[] = {0, 1};
  mesh = pc_fe_mesh_empty(2);
  pc_fe_mesh_add_rectangle(
      &mesh, &(pc_fe_rectangle){2, 1, wrong, right, PC_QUAD4, "a", NULL, NULL, NULL, NULL});
  assert_refused(pc_fe_mesh_check(&mesh, &error_), "invalid node, group or element after");
  pc_fe_mesh_free(&mesh);
}

static void lines_have_ends_and_a_length(void **state)
{
  double x[6];
  pc_fe_grade(0, 2, 5, 3, x);
  pc_fe_mesh mesh = pc_fe_mesh_empty(1);
  pc_fe_mesh_add_line(&mesh, 5, x, "bar", "foot", "top");
  assert_int_equal(pc_fe_mesh_quadratic(&mesh, true, NULL), PC_OK);
  check_good(&mesh);
  assert_int_equal(mesh.nodes, 11);
  assert_near(area_of(&mesh), 2, 1e-14);
  assert_int_equal(mesh.side.count, 2);
  mesh.node[mesh.body.node[2]][0] = 0.9 * x[1];
  assert_refused(pc_fe_mesh_check(&mesh, &error_), "folded");
  pc_fe_mesh_free(&mesh);
}

// Sides and elements listed the wrong way are put right, whatever the type.
static void orientation_is_repaired(void **state)
{
  for (int t = 0; t < 2; t++) {
    pc_fe_mesh mesh = rectangle(0, 3, 0, 2, 3, 2, t ? PC_TRIANGLE3 : PC_QUAD4);
    assert_int_equal(pc_fe_mesh_quadratic(&mesh, true, NULL), PC_OK);
    for (int i = 0; i < mesh.nodes; i++) // a mirror turns everything round
      mesh.node[i][0] = -mesh.node[i][0];
    assert_near(area_of(&mesh), -6, 1e-13);
    assert_refused(pc_fe_mesh_check(&mesh, &error_), "clockwise");
    assert_int_equal(pc_fe_mesh_orient(&mesh, NULL), PC_OK);
    check_good(&mesh);
    assert_near(area_of(&mesh), 6, 1e-13);
    assert_near(area_inside_sides(&mesh), 6, 1e-13);
    pc_fe_mesh_free(&mesh);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grading_has_the_ratio_asked_for),
      cmocka_unit_test(rectangles_have_their_area_and_euler_number),
      cmocka_unit_test(joined_blocks_are_one_mesh),
      cmocka_unit_test(blocks_that_do_not_match_are_refused),
      cmocka_unit_test(bad_elements_are_named),
      cmocka_unit_test(middle_nodes_beyond_a_quarter_fold_the_element),
      cmocka_unit_test(the_check_of_curved_elements_agrees_with_sampling),
      cmocka_unit_test(overlaps_and_loose_parts_are_refused),
      cmocka_unit_test(senseless_additions_are_told_once),
      cmocka_unit_test(lines_have_ends_and_a_length),
      cmocka_unit_test(orientation_is_repaired),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
