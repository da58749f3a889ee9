// Reference elements: shape functions, quadrature and maps, against closed forms.
#include "support.h"

#include "continuum/elements.h"

static void nodes_of(pc_element type, double node[PC_ELEMENT_NODES_MAX][3])
{
  for (int i = 0; i < pc_element_of(type)->nodes; i++)
    pc_element_place(type, i, node[i]);
}

static void shape_functions_are_one_at_their_node_and_sum_to_one(void **state)
{
  pc_random random = test_random(__func__);
  for (pc_element type = PC_POINT1; type <= PC_HEXAHEDRON27; type++) {
    int n = pc_element_of(type)->nodes;
    double value[PC_ELEMENT_NODES_MAX], gradient[PC_ELEMENT_NODES_MAX][3], xi[3];
    for (int i = 0; i < n; i++) {
      pc_element_place(type, i, xi);
      pc_element_shape(type, xi, value, NULL);
      for (int j = 0; j < n; j++)
        assert_near(value[j], i == j, 1e-15);
    }
    for (int turn = 0; turn < test_count(20); turn++) {
      for (int k = 0; k < 3; k++)
        xi[k] = pc_random_uniform(&random, -1, 1);
      pc_element_shape(type, xi, value, gradient);
      double sum = 0, slope[3] = {0};
      for (int i = 0; i < n; i++) {
        sum += value[i];
        for (int k = 0; k < 3; k++)
          slope[k] += gradient[i][k];
      }
      assert_near(sum, 1, 2e-14);
      for (int k = 0; k < 3; k++)
        assert_near(slope[k], 0, 2e-14);
    }
  }
}

static void gradients_are_the_differences_of_values(void **state)
{
  pc_random random = test_random(__func__);
  const double h = 1e-6;
  for (pc_element type = PC_LINE2; type <= PC_HEXAHEDRON27; type++) {
    const pc_element_info *info = pc_element_of(type);
    double gradient[PC_ELEMENT_NODES_MAX][3], low[PC_ELEMENT_NODES_MAX];
    double xi[3], high[PC_ELEMENT_NODES_MAX];
    for (int k = 0; k < 3; k++)
      xi[k] = pc_random_uniform(&random, 0, 1);
    pc_element_shape(type, xi, NULL, gradient);
    for (int k = 0; k < info->dimension; k++) {
      double before[3] = {xi[0], xi[1], xi[2]}, after[3] = {xi[0], xi[1], xi[2]};
      before[k] -= h, after[k] += h;
      pc_element_shape(type, before, low, NULL);
      pc_element_shape(type, after, high, NULL);
      for (int i = 0; i < info->nodes; i++)
        assert_near(gradient[i][k], (high[i] - low[i]) / (2 * h), 1e-9);
    }
  }
}

// x^a y^b z^c is reproduced when a + b + c <= order (each on its own for products of lines).
static void elements_reproduce_polynomials_of_their_order(void **state)
{
  for (pc_element type = PC_LINE2; type <= PC_HEXAHEDRON27; type++) {
    const pc_element_info *info = pc_element_of(type);
    double node[PC_ELEMENT_NODES_MAX][3], value[PC_ELEMENT_NODES_MAX];
    nodes_of(type, node);
    const double xi[3] = {0.31, info->dimension == 1 ? 0 : 0.17, info->dimension < 3 ? 0 : 0.23};
    pc_element_shape(type, xi, value, NULL);
    bool product =
        type == PC_QUAD4 || type == PC_QUAD9 || type == PC_HEXAHEDRON8 || type == PC_HEXAHEDRON27;
    for (int a = 0; a <= info->order; a++)
      for (int b = 0; b <= info->order; b++)
        for (int c = 0; c <= info->order; c++) {
          if (!product && a + b + c > info->order)
            continue;
          double sum = 0;
          for (int i = 0; i < info->nodes; i++)
            sum += value[i] * pow(node[i][0], a) * pow(node[i][1], b) * pow(node[i][2], c);
          assert_near(sum, pow(xi[0], a) * pow(xi[1], b) * pow(xi[2], c), 1e-15);
        }
  }
}

static double factorial(int n)
{
  return n < 2 ? 1 : n * factorial(n - 1);
}

static double line_integral(int a)
{
  return a % 2 ? 0 : 2. / (a + 1);
}

// On the tetrahedron the integral of x^a y^b z^c is a! b! c! / (a + b + c + 3)!, on the cube the
// product of those on [-1, 1].
static void quadrature_in_space_is_exact_to_its_degree(void **state)
{
  const pc_element types[] = {PC_TETRAHEDRON4, PC_HEXAHEDRON8};
  for (int t = 0; t < 2; t++) {
    int most = t == 0 ? 9 : 11;
    pc_quadrature rule;
    assert_false(pc_quadrature_make(&rule, types[t], most + 1));
    for (int degree = 0; degree <= most; degree++) {
      assert_true(pc_quadrature_make(&rule, types[t], degree));
      for (int k = 0; k < rule.points; k++)
        assert_true(rule.weight[k] > 0);
      for (int a = 0; a <= degree; a++)
        for (int b = 0; b <= (t == 0 ? degree - a : degree); b++)
          for (int c = 0; c <= (t == 0 ? degree - a - b : degree); c++) {
            double sum = 0;
            for (int k = 0; k < rule.points; k++)
              sum += rule.weight[k] * pow(rule.at[k][0], a) * pow(rule.at[k][1], b) *
                     pow(rule.at[k][2], c);
            double want =
                t == 0 ? factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3)
                       : line_integral(a) * line_integral(b) * line_integral(c);
            assert_near(sum, want, 2e-14);
          }
    }
  }
}

// On the triangle the integral of x^a y^b is a! b! / (a + b + 2)!, on [-1, 1] 2 / (a + 1) or 0.
static void quadrature_is_exact_to_its_degree(void **state)
{
  for (pc_element type = PC_LINE2; type <= PC_QUAD9; type++) {
    const pc_element_info *info = pc_element_of(type);
    bool triangle = info->corners == 3;
    pc_quadrature rule;
    assert_false(pc_quadrature_make(&rule, type, triangle ? 14 : 16));
    for (int degree = 0; degree <= (triangle ? 13 : 15); degree++) {
      assert_true(pc_quadrature_make(&rule, type, degree));
      for (int k = 0; k < rule.points; k++)
        assert_true(rule.weight[k] > 0);
      for (int a = 0; a <= degree; a++)
        for (int b = 0; b <= (info->dimension == 1 ? 0 : triangle ? degree - a : degree); b++) {
          double sum = 0;
          for (int k = 0; k < rule.points; k++)
            sum += rule.weight[k] * pow(rule.at[k][0], a) * pow(rule.at[k][1], b);
          double x = a % 2 ? 0 : 2. / (a + 1), y = b % 2 ? 0 : 2. / (b + 1);
          double want = triangle               ? factorial(a) * factorial(b) / factorial(a + b + 2)
                        : info->dimension == 1 ? x
                                               : x * y;
          assert_near(sum, want, 2e-14);
        }
    }
  }
}

// The curved side y = 1 + 4 c x (1 - x) of a unit square adds 2 c / 3 to the area, and the moments
// of the region are polynomials in c; mass_degree integrates products of two shape functions.
static void curved_elements_have_exact_area_and_moments(void **state)
{
  const double c = 0.2;
  for (int nine = 0; nine < 2; nine++) {
    pc_element type = nine ? PC_QUAD9 : PC_QUAD8;
    double node[PC_ELEMENT_NODES_MAX][3];
    nodes_of(type, node);
    for (int i = 0; i < pc_element_of(type)->nodes; i++)
      for (int k = 0; k < 2; k++)
        node[i][k] = (1 + node[i][k]) / 2;
    node[6][1] += c;
    if (nine)
      node[8][1] += c / 2;
    pc_quadrature rule;
    assert_true(pc_quadrature_make(&rule, type, pc_element_of(type)->mass_degree));
    double area = 0, first = 0;
    for (int k = 0; k < rule.points; k++) {
      pc_element_point point;
      pc_element_map(type, (const double(*)[3])node, rule.at[k], &point);
      area += rule.weight[k] * point.determinant;
      first += rule.weight[k] * point.determinant * point.x[1];
    }
    // half the integral of (1 + 4 c x (1 - x))^2
    assert_near(area, 1 + 2 * c / 3, 1e-14);
    assert_near(first, (1 + 4 * c / 3 + 16 * c * c / 30) / 2, 1e-14);
  }
  double tri[6][3] = {{0, 0}, {1, 0}, {0, 1}, {0.5, -c}, {0.5, 0.5}, {0, 0.5}};
  pc_quadrature rule;
  assert_true(pc_quadrature_make(&rule, PC_TRIANGLE6, pc_element_of(PC_TRIANGLE6)->mass_degree));
  double area = 0;
  for (int k = 0; k < rule.points; k++) {
    pc_element_point point;
    pc_element_map(PC_TRIANGLE6, (const double(*)[3])tri, rule.at[k], &point);
    area += rule.weight[k] * point.determinant;
  }
  assert_near(area, 0.5 + 2 * c / 3, 1e-14);
}

// A linear function keeps its gradient through any map, as the map is of the same family.
static void gradients_of_linear_functions_are_exact_on_distorted_elements(void **state)
{
  pc_random random = test_random(__func__);
  for (int turn = 0; turn < test_count(50); turn++)
    for (pc_element type = PC_TRIANGLE3; type <= PC_HEXAHEDRON27; type++) {
      double node[PC_ELEMENT_NODES_MAX][3];
      nodes_of(type, node);
      for (int i = 0; i < pc_element_of(type)->nodes; i++)
        for (int k = 0; k < pc_element_of(type)->dimension; k++)
          node[i][k] += pc_random_uniform(&random, -0.08, 0.08);
      bool space = pc_element_of(type)->dimension == 3;
      const double xi[3] = {0.2, 0.3, space ? 0.1 : 0};
      pc_element_point point;
      pc_element_map(type, (const double(*)[3])node, xi, &point);
      double slope[3] = {0};
      for (int i = 0; i < pc_element_of(type)->nodes; i++)
        for (int k = 0; k < 3; k++)
          slope[k] += point.gradient[i][k] * (3 * node[i][0] - 2 * node[i][1] + 5 * node[i][2] + 1);
      assert_near(slope[0], 3, 1e-12);
      assert_near(slope[1], -2, 1e-12);
      assert_near(slope[2], space ? 5 : 0, 1e-12);
    }
}

// The sides surround the element: the integral of x_k n_k over them is its size (divergence
// theorem), for distorted and curved elements too, which also fixes their direction and order.
static void sides_surround_their_element(void **state)
{
  pc_random random = test_random(__func__);
  for (int turn = 0; turn < test_count(20); turn++)
    for (pc_element type = PC_TRIANGLE3; type <= PC_HEXAHEDRON27; type++) {
      const pc_element_info *info = pc_element_of(type);
      double node[PC_ELEMENT_NODES_MAX][3], size = 0, around[3] = {0};
      nodes_of(type, node);
      for (int i = 0; i < info->nodes && turn > 0; i++)
        for (int k = 0; k < info->dimension; k++)
          node[i][k] += pc_random_uniform(&random, -0.08, 0.08);
      pc_quadrature rule;
      assert_true(pc_quadrature_make(&rule, type, 7));
      for (int k = 0; k < rule.points; k++) {
        pc_element_point point;
        pc_element_map(type, (const double(*)[3])node, rule.at[k], &point);
        size += rule.weight[k] * point.determinant;
      }
      for (int s = 0; s < info->sides; s++) {
        int number[PC_SIDE_NODES_MAX];
        double side[PC_SIDE_NODES_MAX][3];
        pc_element_side(type, s, number);
        for (int i = 0; i < pc_element_of(info->side)->nodes; i++)
          memcpy(side[i], node[number[i]], sizeof side[i]);
        assert_true(pc_quadrature_make(&rule, info->side, 7));
        for (int k = 0; k < rule.points; k++) {
          pc_side_point point;
          pc_side_map(info->side, (const double(*)[3])side, rule.at[k], &point);
          for (int a = 0; a < 3; a++)
            around[a] += rule.weight[k] * point.size * point.x[a] * point.normal[a];
        }
      }
      for (int k = 0; k < info->dimension; k++)
        assert_near(around[k], size, 1e-13);
      double whole[] = {0.5, 4, 1. / 6, 8};
      bool simplex = info->corners == info->dimension + 1;
      if (turn == 0)
        assert_near(size, whole[2 * (info->dimension - 2) + !simplex], 1e-14);
    }
}

// Interpolating sin on ever smaller elements: the error falls as h^(order + 1).
static void interpolation_has_the_order_of_the_element(void **state)
{
  for (pc_element type = PC_TRIANGLE3; type <= PC_HEXAHEDRON27; type++) {
    double worst[2] = {0};
    for (int level = 0; level < 2; level++) {
      double h = level == 0 ? 0.1 : 0.05, node[PC_ELEMENT_NODES_MAX][3],
             value[PC_ELEMENT_NODES_MAX];
      nodes_of(type, node);
      for (int k = 0; k < 100; k++) {
        bool space = pc_element_of(type)->dimension == 3;
        const double xi[3] = {0.05 * (k % 10), 0.05 * (k / 10), space ? 0.03 * (k % 7) : 0};
        pc_element_shape(type, xi, value, NULL);
        double sum = 0;
        for (int i = 0; i < pc_element_of(type)->nodes; i++)
          sum += value[i] * sin(1 + h * (node[i][0] + 2 * node[i][1] - 0.4 * node[i][2]));
        double want = sin(1 + h * (xi[0] + 2 * xi[1] - 0.4 * xi[2]));
        worst[level] = fmax(worst[level], fabs(sum - want));
      }
    }
    double order = log2(worst[0] / worst[1]);
    assert_near(order, pc_element_of(type)->order + 1, 0.2);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shape_functions_are_one_at_their_node_and_sum_to_one),
      cmocka_unit_test(gradients_are_the_differences_of_values),
      cmocka_unit_test(elements_reproduce_polynomials_of_their_order),
      cmocka_unit_test(quadrature_is_exact_to_its_degree),
      cmocka_unit_test(quadrature_in_space_is_exact_to_its_degree),
      cmocka_unit_test(curved_elements_have_exact_area_and_moments),
      cmocka_unit_test(gradients_of_linear_functions_are_exact_on_distorted_elements),
      cmocka_unit_test(sides_surround_their_element),
      cmocka_unit_test(interpolation_has_the_order_of_the_element),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
