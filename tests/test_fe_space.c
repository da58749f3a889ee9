// Finite elements in space: patch tests on distorted meshes, manufactured solutions, and slices
// that must do what the plane does.
#include "support.h"

#include "mesh_support.h"
#include "space_support.h"

#include <string.h>

#include "continuum/assembly.h"
#include "continuum/collision.h"
#include "continuum/motion.h"
#include "sparse/direct.h"

static const double PI = 3.14159265358979323846;
static const pc_element TYPES[] = {PC_TETRAHEDRON4, PC_TETRAHEDRON10, PC_HEXAHEDRON8,
                                   PC_HEXAHEDRON20, PC_HEXAHEDRON27};
enum { KINDS = 5 };

static bool is_outside(const double *x)
{
  for (int k = 0; k < 3; k++)
    if (x[k] < 1e-12 || x[k] > 1 - 1e-12)
      return true;
  return false;
}

// The unit cube with n bricks a side. Inner nodes move by `bend`, at random or smoothly.
static pc_fe_mesh cube(int n, pc_element type, double bend, pc_random *random)
{
  double x[33];
  pc_error error = {0};
  pc_fe_grade(0, 1, n, 1, x);
  pc_fe_mesh mesh = pc_fe_mesh_empty(3);
  pc_fe_box box = {.cells = {n, n, n},
                   .place = {x, x, x},
                   .type = pc_element_of(type)->linear,
                   .name = "body",
                   .low = {"out", "out", "bottom"},
                   .high = {"out", "out", "out"}};
  pc_fe_mesh_add_box(&mesh, &box);
  if (pc_element_of(type)->order == 2)
    assert_ok(pc_fe_mesh_quadratic(&mesh, type == PC_HEXAHEDRON27, &error), &error);
  for (int i = 0; i < mesh.nodes; i++) {
    double *p = mesh.node[i];
    double move = bend * sin(PI * p[0]) * sin(PI * p[1]) * sin(PI * p[2]);
    for (int k = 0; k < 3 && !is_outside(p) && random != NULL; k++)
      p[k] += pc_random_uniform(random, -bend / n, bend / n);
    if (random == NULL)
      p[0] += move, p[1] -= 0.7 * move, p[2] += 0.4 * move;
  }
  assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
  assert_ok(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error), &error);
  return mesh;
}

static void boxes_have_their_volume_sides_and_nodes(void **state)
{
  const double x[] = {0, 0.3, 1}, y[] = {0, 2}, z[] = {-1, 0, 0.5, 3};
  for (int t = 0; t < KINDS; t++) {
    pc_error error = {0};
    pc_fe_mesh mesh = pc_fe_mesh_empty(3);
    pc_fe_box box = {.cells = {2, 1, 3},
                     .place = {x, y, z},
                     .type = pc_element_of(TYPES[t])->linear,
                     .name = "body",
                     .low = {"left", "front", "bottom"},
                     .high = {"right", "back", "top"}};
    pc_fe_mesh_add_box(&mesh, &box);
    if (pc_element_of(TYPES[t])->order == 2)
      assert_ok(pc_fe_mesh_quadratic(&mesh, TYPES[t] == PC_HEXAHEDRON27, &error), &error);
    assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
    assert_ok(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error), &error);
    assert_int_equal(count_duplicates(&mesh), 0);
    // Corners, middles of edges (tetrahedra also cut faces and bricks), faces and bricks.
    int corners = 3 * 2 * 4, bricks = 2 * 3, edges = 2 * 2 * 4 + 3 * 1 * 4 + 3 * 2 * 3;
    int faces = 3 * 3 + 2 * 2 * 3 + 2 * 4;
    const int nodes[] = {corners, corners + edges + faces + bricks, corners, corners + edges,
                         corners + edges + faces + bricks};
    assert_int_equal(mesh.nodes, nodes[t]);
    pc_fe_space space;
    pc_block_matrix matrix;
    assert_ok(pc_fe_space_create(&space, &mesh, 3, NULL, 0, NULL, &error), &error);
    assert_ok(pc_fe_space_matrix(&space, &matrix, &error), &error);
    double *load = calloc((size_t)space.numbers, sizeof *load);
    static const char *const side[] = {"left", "right", "front", "back", "bottom", "top"};
    const double area[] = {8, 8, 4, 4, 2, 2};
    for (int s = 0; s < 6; s++) {
      double one[3] = {1, 0, 0}, sum = 0;
      memset(load, 0, (size_t)space.numbers * sizeof *load);
      pc_fe_add_load(&space, &mesh.side, pc_fe_mesh_find_group(&mesh, side[s], 2), pc_fe_uniform,
                     one, load);
      for (int i = 0; i < space.numbers; i++)
        sum += load[i];
      assert_near(sum, area[s], 1e-13);
    }
    free(load);
    pc_block_matrix_free(&matrix);
    pc_fe_space_free(&space);
    pc_fe_mesh_free(&mesh);
  }
}

// A determinant that a fine grid sees negative is never accepted, and refused elements come near to
// zero.
static void the_check_of_curved_solids_agrees_with_sampling(void **state)
{
  pc_random random = test_random(__func__);
  int passed = 0, refused = 0, turns = test_count(60);
  for (int turn = 0; turn < turns; turn++) {
    pc_element type = turn % 3 == 0   ? PC_TETRAHEDRON10
                      : turn % 3 == 1 ? PC_HEXAHEDRON20
                                      : PC_HEXAHEDRON27;
    bool folded = type == PC_TETRAHEDRON10;
    double least = INFINITY;
    pc_fe_mesh mesh = pc_fe_mesh_empty(3);
    int number[PC_ELEMENT_NODES_MAX], fine = 16;
    for (int i = 0; i < pc_element_of(type)->nodes; i++) {
      double p[3], part = folded ? 0.1 : 0.25;
      pc_element_place(type, i, p);
      for (int k = 0; k < 3; k++)
        p[k] += pc_random_uniform(&random, -part, part);
      number[i] = pc_fe_mesh_add_node(&mesh, p[0], p[1], p[2]);
    }
    pc_fe_mesh_add(&mesh, type, number, pc_fe_mesh_add_group(&mesh, "body", 3));
    for (int i = 0; i <= fine; i++)
      for (int j = 0; j <= (folded ? fine - i : fine); j++)
        for (int k = 0; k <= (folded ? fine - i - j : fine); k++) {
          double xi[3] = {(double)i / fine, (double)j / fine, (double)k / fine};
          for (int a = 0; a < 3 && !folded; a++)
            xi[a] = 2 * xi[a] - 1;
          pc_element_point point;
          pc_element_map(type, (const double(*)[3])mesh.node, xi, &point);
          least = fmin(least, point.determinant);
        }
    bool good = pc_fe_mesh_check(&mesh, NULL) == PC_OK;
    assert_true(good ? least > 0 : least < 0.12);
    passed += good;
    refused += !good;
    pc_fe_mesh_free(&mesh);
  }
  assert_true(passed > turns / 12 && refused > turns / 12);
}

static void mirrored_elements_and_sides_are_turned(void **state)
{
  for (int t = 0; t < KINDS; t++) {
    pc_error error = {0};
    pc_fe_mesh mesh = cube(2, TYPES[t], 0, NULL);
    for (int i = 0; i < mesh.nodes; i++)
      mesh.node[i][0] = 1 - mesh.node[i][0];
    assert_int_equal(pc_fe_mesh_check(&mesh, &error), PC_ERROR_ARGUMENT);
    assert_says(error.text, "mirrored");
    assert_ok(pc_fe_mesh_orient(&mesh, &error), &error);
    assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
    assert_ok(pc_fe_mesh_check_conforming(&mesh, 0, NULL, &error), &error);
    int count;
    pc_fe_facet *list = pc_fe_mesh_sides(&mesh, &count);
    for (int s = 0; s < mesh.side.count; s++)
      assert_true(
          pc_fe_facet_runs_along(&mesh, &list[pc_fe_facet_find_side(list, count, &mesh, s)], s));
    free(list);
    pc_fe_mesh_free(&mesh);
  }
}

static setup *make(int n, pc_element type, double bend, pc_random *random, bool fluid)
{
  return make_setup(cube(n, type, bend, random), fluid);
}

// Solves with the field given on the outside; `u` comes with the load.
static void solve(const setup *s, pc_fe_field *field, double *u)
{
  pc_error error = {0};
  double *want = vector(s);
  char *fixed = calloc((size_t)s->space.numbers, 1);
  for (int i = 0; i < s->mesh.nodes; i++)
    if (is_outside(s->mesh.node[i])) {
      field(NULL, s->mesh.node[i], want + s->space.start[i]);
      for (int k = 0; k < 3; k++)
        fixed[s->space.start[i] + k] = 1;
    }
  pc_fe_fix(&s->space, fixed, want, (pc_block_matrix *)&s->matrix, u);
  pc_direct *direct = pc_direct_analyze(&s->matrix, s->fluid ? s->space.sign : NULL, 0, &error);
  assert_non_null(direct);
  assert_ok(pc_direct_factor(direct, &s->matrix, &error), &error);
  assert_ok(pc_direct_solve(direct, u, NULL, &error), &error);
  pc_direct_destroy(direct);
  free(want);
  free(fixed);
}

// The distance of a vector from a field, by quadrature.
static double distance(const setup *s, const double *u, pc_fe_field *field)
{
  const pc_fe_cells *cells = &s->mesh.body;
  double sum = 0;
  for (int e = 0; e < cells->count; e++) {
    const pc_fe_cell *cell = &cells->cell[e];
    double node[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(&s->mesh, cells, e, node);
    pc_quadrature rule;
    assert_true(pc_quadrature_make(&rule, cell->type, 7));
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      double want[3];
      pc_element_map(cell->type, (const double(*)[3])node, rule.at[k], &p);
      field(NULL, p.x, want);
      for (int i = 0; i < 3; i++) {
        for (int a = 0; a < nodes; a++)
          want[i] -= p.value[a] * u[s->space.start[cells->node[cell->first + a]] + i];
        sum += rule.weight[k] * p.determinant * want[i] * want[i];
      }
    }
  }
  return sqrt(sum);
}

static void linear(void *context, const double x[3], double *u)
{
  u[0] = 1 + 2 * x[0] - x[1] + 0.3 * x[2];
  u[1] = 3 * x[1] + 0.5 * x[0] - x[2];
  u[2] = x[0] - 2 * x[1] + 0.7 * x[2];
}

// On meshes whose inner nodes lie anywhere, so that edges and faces are curved and warped.
static void linear_fields_pass_the_patch_test(void **state)
{
  pc_random random = test_random(__func__);
  for (int turn = 0; turn < test_count(3); turn++)
    for (int t = 0; t < KINDS; t++) {
      // Middle nodes halve the distance: quadratic elements bend by half as much.
      double bend = pc_element_of(TYPES[t])->order == 2 ? 0.06 : 0.15;
      setup *s = make(3, TYPES[t], bend, &random, false);
      pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.strain = 1, .volume = 0.7}, &s->matrix);
      double *u = vector(s), worst = 0;
      solve(s, linear, u);
      for (int i = 0; i < s->mesh.nodes; i++) {
        double want[3];
        linear(NULL, s->mesh.node[i], want);
        for (int k = 0; k < 3; k++)
          worst = fmax(worst, fabs(u[s->space.start[i] + k] - want[k]));
      }
      assert_true(worst < 1e-12);
      free(u);
      drop(s);
    }
}

// u = A sin(q.x): f = r u + k |q|^2 u + (k + k^) q (A.q) sin.
static const double Q[3] = {2.1, -1.4, 1.8}, A[3] = {1, 0.6, -0.5};
static const double REACTION = 3, VISCOUS = 1.3, VOLUME = 0.8;

static double phase(const double x[3])
{
  return Q[0] * x[0] + Q[1] * x[1] + Q[2] * x[2] + 0.3;
}

static void made(void *context, const double x[3], double *u)
{
  for (int k = 0; k < 3; k++)
    u[k] = A[k] * sin(phase(x));
}

static void made_force(void *context, const double x[3], double *f)
{
  double square = Q[0] * Q[0] + Q[1] * Q[1] + Q[2] * Q[2];
  double along = A[0] * Q[0] + A[1] * Q[1] + A[2] * Q[2];
  for (int k = 0; k < 3; k++)
    f[k] =
        ((REACTION + VISCOUS * square) * A[k] + (VISCOUS + VOLUME) * along * Q[k]) * sin(phase(x));
}

static void viscous_solutions_converge_with_the_order_of_the_element(void **state)
{
  skip_when_reduced();
  for (int t = 0; t < KINDS; t++) {
    double off[2];
    int order = pc_element_of(TYPES[t])->order;
    for (int level = 0; level < 2; level++) {
      setup *s = make((order == 1 ? 5 : 4) << level, TYPES[t], 0.04, NULL, false);
      pc_fe_add_terms(&s->space, -1,
                      &(pc_fe_terms){.mass = REACTION, .strain = VISCOUS, .volume = VOLUME},
                      &s->matrix);
      double *u = vector(s);
      pc_fe_add_load(&s->space, &s->mesh.body, -1, made_force, NULL, u);
      solve(s, made, u);
      off[level] = distance(s, u, made);
      free(u);
      drop(s);
    }
    printf("%s: %.2e, order %.2f\n", pc_element_of(TYPES[t])->name, off[1], log2(off[0] / off[1]));
    assert_near(log2(off[0] / off[1]), order + 1, 0.25);
  }
}

// Stokes in a closed box: u is the curl of s(x) s(y) s(z) along z with s = sin^2(pi x), and p =
// cos(r.x): f = - lap u + grad p for a viscosity of 1.
static const double R[3] = {1.2, 0.7, -1.6};

static double hump(int derivative, double x)
{
  const double value[] = {sin(PI * x) * sin(PI * x), PI * sin(2 * PI * x),
                          2 * PI * PI * cos(2 * PI * x), -4 * PI * PI * PI * sin(2 * PI * x)};
  return value[derivative];
}

static double humps(int a, int b, int c, const double x[3])
{
  return hump(a, x[0]) * hump(b, x[1]) * hump(c, x[2]);
}

static void flow(void *context, const double x[3], double *u)
{
  u[0] = humps(0, 1, 0, x);
  u[1] = -humps(1, 0, 0, x);
  u[2] = 0;
}

static void flow_force(void *context, const double x[3], double *f)
{
  double slope = -sin(R[0] * x[0] + R[1] * x[1] + R[2] * x[2]);
  f[0] = R[0] * slope - humps(2, 1, 0, x) - humps(0, 3, 0, x) - humps(0, 1, 2, x);
  f[1] = R[1] * slope + humps(3, 0, 0, x) + humps(1, 2, 0, x) + humps(1, 0, 2, x);
  f[2] = R[2] * slope;
}

static void incompressible_flows_converge_with_the_third_order(void **state)
{
  skip_when_reduced();
  const pc_element types[] = {PC_TETRAHEDRON10, PC_HEXAHEDRON27};
  for (int t = 0; t < 2; t++) {
    double off[2];
    for (int level = 0; level < 2; level++) {
      setup *s = make(4 << level, types[t], 0.03, NULL, true);
      pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.strain = 1, .incompressible = true},
                      &s->matrix);
      double *u = vector(s);
      pc_fe_add_load(&s->space, &s->mesh.body, -1, flow_force, NULL, u);
      solve(s, flow, u);
      off[level] = distance(s, u, flow);
      free(u);
      drop(s);
    }
    printf("Stokes, %s: %.2e, order %.2f\n", pc_element_of(types[t])->name, off[1],
           log2(off[0] / off[1]));
    assert_near(log2(off[0] / off[1]), 3, 0.3);
  }
}

// A cube falls flat on the ground. Each node of its foot has one condition, along the normal of the
// surface, whatever its shape function has for an integral; together they take the momentum.
static void a_cube_comes_down_on_every_element(void **state)
{
  enum { CELLS = 3 };
  for (int t = 0; t < KINDS; t++) {
    pc_error error = {0};
    pc_fe_mesh mesh = cube(CELLS, TYPES[t], 0, NULL);
    pc_fe_medium medium = {.group = pc_fe_mesh_find_group(&mesh, "body", 3),
                           .density = 1000,
                           .strain = 1e6,
                           .volume = 1e6};
    pc_fe_contact contact = {.sides = pc_fe_mesh_find_group(&mesh, "bottom", 2),
                             .other = -1,
                             .body = -1,
                             .condition = PC_FE_UNILATERAL};
    pc_fe_collision_def def = {
        .mesh = &mesh, .media = 1, .medium = &medium, .contacts = 1, .contact = &contact};
    pc_fe_collision *collision = pc_fe_collision_create(&def, &error);
    assert_non_null(collision);
    double *before = calloc((size_t)(3 * mesh.nodes), sizeof *before);
    char *met = calloc((size_t)mesh.nodes, 1);
    for (int i = 0; i < mesh.nodes; i++)
      before[3 * i + 2] = -1;
    pc_fe_answer answer;
    assert_ok(pc_fe_collision_solve(collision, before, NULL, &answer, &error), &error);
    assert_true(answer.solved && answer.account.closed);
    double impulse = 0, area = 0, least = 0, most = 0;
    for (int i = 0; i < answer.touches; i++) {
      const pc_fe_touch *touch = &answer.touch[i];
      assert_true(met[touch->node]++ == 0);
      assert_near(touch->normal[2], -1, 1e-12);
      assert_true(touch->weight >= 0 && touch->percussion[0] >= 0);
      assert_true(touch->after[0] < 1e-9);
      impulse += touch->percussion[0];
      area += touch->weight;
    }
    for (int i = 0; i < mesh.nodes; i++) {
      assert_true(mesh.node[i][2] > 1e-9 || met[i]);
      least = fmin(least, answer.velocity[3 * i + 2]);
      most = fmax(most, answer.velocity[3 * i + 2]);
    }
    printf("%s: impulse %.6g N s, velocities %.2e to %.2e m/s\n", pc_element_of(TYPES[t])->name,
           impulse, least, most);
    assert_near(area, 1, 1e-12);
    assert_near(impulse, 1000, 0.2); // the rest still moves
    assert_true(least > -5e-4 && most < 1e-4);
    pc_fe_collision_destroy(collision);
    free(before);
    free(met);
    pc_fe_mesh_free(&mesh);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_have_their_volume_sides_and_nodes),
      cmocka_unit_test(the_check_of_curved_solids_agrees_with_sampling),
      cmocka_unit_test(mirrored_elements_and_sides_are_turned),
      cmocka_unit_test(linear_fields_pass_the_patch_test),
      cmocka_unit_test(viscous_solutions_converge_with_the_order_of_the_element),
      cmocka_unit_test(incompressible_flows_converge_with_the_third_order),
      cmocka_unit_test(a_cube_comes_down_on_every_element),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
