// Matrices of finite elements against closed forms and manufactured solutions.
#include "support.h"

#include "mesh_support.h"
#include "space_support.h"

#include <string.h>

#include "continuum/assembly.h"
#include "sparse/direct.h"

void dsygv_(const int *type, const char *jobz, const char *uplo, const int *n, double *a,
            const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
            int *info, size_t, size_t);

static const double PI = 3.14159265358979323846;

// The unit square with n elements a side; inner nodes move by a smooth field of this size.
static pc_fe_mesh square(int n, pc_element type, double bend)
{
  double x[65];
  pc_error error = {0};
  pc_fe_grade(0, 1, n, 1, x);
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_mesh_add_rectangle(&mesh, &(pc_fe_rectangle){n, n, x, x, pc_element_of(type)->linear,
                                                     "body", "bottom", "right", "top", "left"});
  if (pc_element_of(type)->order == 2)
    assert_ok(pc_fe_mesh_quadratic(&mesh, type == PC_QUAD9, &error), &error);
  for (int i = 0; i < mesh.nodes; i++) {
    double *p = mesh.node[i], move = bend * sin(PI * p[0]) * sin(PI * p[1]);
    p[0] += move, p[1] -= 0.7 * move;
  }
  assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
  return mesh;
}

static setup *make(int n, pc_element type, double bend, bool fluid)
{
  return make_setup(square(n, type, bend), fluid);
}

static void set(const setup *s, pc_fe_field *field, double *x)
{
  for (int i = 0; i < s->mesh.nodes; i++)
    field(NULL, s->mesh.node[i], x + s->space.start[i]);
}

static double product(const setup *s, const double *x, const double *y)
{
  double *z = vector(s), sum = 0;
  pc_block_matrix_multiply(&s->matrix, y, z);
  for (int i = 0; i < s->space.numbers; i++)
    sum += x[i] * z[i];
  free(z);
  return sum;
}

static void mark_outside(const setup *s, char *fixed)
{
  static const char *const side[] = {"bottom", "right", "top", "left"};
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < 2; c++)
      mark_component(&s->space, pc_fe_mesh_find_group(&s->mesh, side[i], 1), c, fixed);
}

static void solve(const setup *s, double *x)
{
  pc_error error = {0};
  double residual = 1;
  bool saddle = memchr(s->space.sign, -1, (size_t)s->space.numbers) != NULL;
  pc_direct *direct = pc_direct_analyze(&s->matrix, saddle ? s->space.sign : NULL, 0, &error);
  assert_non_null(direct);
  assert_ok(pc_direct_factor(direct, &s->matrix, &error), &error);
  assert_ok(pc_direct_solve(direct, x, &residual, &error), &error);
  assert_true(residual < 1e-14);
  pc_direct_destroy(direct);
}

static void rightwards(void *context, const double x[3], double *u)
{
  u[0] = 1, u[1] = 0;
}

static void places(void *context, const double x[3], double *u)
{
  u[0] = x[0], u[1] = x[1];
}

static void rigid(void *context, const double x[3], double *u)
{
  u[0] = 0.3 - 2 * x[1], u[1] = -0.1 + 2 * x[0];
}

static void linear(void *context, const double x[3], double *u)
{
  u[0] = 1 + 2 * x[0] - x[1], u[1] = 3 * x[1] + 0.5 * x[0];
}

// On the bent square too: its outside does not move.
static void mass_has_the_total_and_the_moments_of_the_body(void **state)
{
  for (pc_element type = PC_TRIANGLE3; type <= PC_QUAD9; type++) {
    setup *s = make(4, type, 0.05, false);
    pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.mass = 3}, &s->matrix);
    double *one = vector(s), *place = vector(s);
    set(s, rightwards, one);
    set(s, places, place);
    assert_near(product(s, one, one), 3, 1e-13);
    assert_near(product(s, one, place), 1.5, 1e-13);
    assert_near(product(s, place, place), 2, 1e-13); // 3 (1/3 + 1/3)
    free(one);
    free(place);
    drop(s);
  }
}

static void rigid_motions_have_no_strain(void **state)
{
  for (pc_element type = PC_TRIANGLE3; type <= PC_QUAD9; type++) {
    setup *s = make(3, type, 0.06, false);
    pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.strain = 5, .volume = 2}, &s->matrix);
    double *u = vector(s), *force = vector(s);
    set(s, rigid, u);
    pc_block_matrix_multiply(&s->matrix, u, force);
    for (int i = 0; i < s->space.numbers; i++)
      assert_near(force[i], 0, 1e-12);
    // and a linear field has D = (2, -1/4; -1/4, 3): 2 k D:D + k^ 25
    set(s, linear, u);
    assert_near(product(s, u, u), 2 * 5 * (4 + 9 + 2. / 16) + 2 * 25, 1e-10);
    free(u);
    free(force);
    drop(s);
  }
}

// The patch test: with a linear field on the outside, the inside is linear.
static void linear_fields_pass_the_patch_test(void **state)
{
  for (pc_element type = PC_TRIANGLE3; type <= PC_QUAD9; type++) {
    setup *s = make(4, type, 0.06, false);
    pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.strain = 1, .volume = 0.7}, &s->matrix);
    double *u = vector(s), *want = vector(s);
    char *fixed = calloc((size_t)s->space.numbers, 1);
    set(s, linear, want);
    mark_outside(s, fixed);
    pc_fe_fix(&s->space, fixed, want, &s->matrix, u);
    solve(s, u);
    for (int i = 0; i < s->space.numbers; i++)
      assert_near(u[i], want[i], 1e-12);
    free(u);
    free(want);
    free(fixed);
    drop(s);
  }
}

// u = (sin a cos b, cos a sin 2b) with a = pi x, b = pi y / 2: not zero on the outside, not
// divergence free. f = r u - div (2 k D + k^ div u), that is
// r u - k lap u - (k + k^) grad div u.
enum { REACTION = 3 };
static const double VISCOUS = 1.3, VOLUME = 0.8;

static void made(void *context, const double x[3], double *u)
{
  double a = PI * x[0], b = PI * x[1] / 2;
  u[0] = sin(a) * cos(b), u[1] = cos(a) * sin(2 * b);
}

static void made_slope(void *context, const double x[3], double *g)
{
  double a = PI * x[0], b = PI * x[1] / 2;
  g[0] = PI * cos(a) * cos(b), g[1] = -PI / 2 * sin(a) * sin(b);
  g[2] = -PI * sin(a) * sin(2 * b), g[3] = PI * cos(a) * cos(2 * b);
}

static void made_force(void *context, const double x[3], double *f)
{
  double a = PI * x[0], b = PI * x[1] / 2, u[2];
  made(NULL, x, u);
  // div u = pi cos a (cos b + cos 2b)
  double div_x = -PI * PI * sin(a) * (cos(b) + cos(2 * b));
  double div_y = -PI * PI * cos(a) * (sin(b) / 2 + sin(2 * b));
  double lap[2] = {-1.25 * PI * PI * u[0], -2 * PI * PI * u[1]};
  f[0] = REACTION * u[0] - VISCOUS * lap[0] - (VISCOUS + VOLUME) * div_x;
  f[1] = REACTION * u[1] - VISCOUS * lap[1] - (VISCOUS + VOLUME) * div_y;
}

// Squared distance between a vector and a field, by the elements' quadrature raised by four
// degrees: of velocities, and of their gradients (row i: those of u_i, 2 numbers each) where
// `slope` is not NULL.
static double distance2(const pc_fe_space *space, const double *vector, pc_fe_field *field,
                        pc_fe_field *slope, void *context)
{
  const pc_fe_cells *cells = &space->mesh->body;
  double sum = 0;
  for (int e = 0; e < cells->count; e++) {
    const pc_fe_cell *cell = &cells->cell[e];
    const pc_element_info *info = pc_element_of(cell->type);
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_fe_mesh_corners(space->mesh, cells, e, node);
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, info->mass_degree + 4);
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      double want[2] = {0}, want_slope[4] = {0}, off = 0;
      pc_element_map(cell->type, (const double(*)[3])node, rule.at[k], &p);
      field(context, p.x, want);
      if (slope != NULL)
        slope(context, p.x, want_slope);
      for (int i = 0; i < space->components; i++) {
        double got = 0, got_slope[2] = {0};
        for (int a = 0; a < info->nodes; a++) {
          double u = vector[space->start[cells->node[cell->first + a]] + i];
          got += p.value[a] * u;
          got_slope[0] += p.gradient[a][0] * u;
          got_slope[1] += p.gradient[a][1] * u;
        }
        off += (got - want[i]) * (got - want[i]);
        for (int c = 0; slope != NULL && c < 2; c++)
          off += (got_slope[c] - want_slope[2 * i + c]) * (got_slope[c] - want_slope[2 * i + c]);
      }
      sum += rule.weight[k] * p.determinant * off;
    }
  }
  return sum;
}

static void viscous_solutions_converge_with_the_order_of_the_element(void **state)
{
  for (pc_element type = PC_TRIANGLE3; type <= PC_QUAD9; type++) {
    double off[2], slope[2];
    for (int level = 0; level < 2; level++) {
      setup *s = make(level ? 16 : 8, type, 0.04, false);
      pc_fe_add_terms(&s->space, -1,
                      &(pc_fe_terms){.mass = REACTION, .strain = VISCOUS, .volume = VOLUME},
                      &s->matrix);
      double *u = vector(s), *want = vector(s);
      char *fixed = calloc((size_t)s->space.numbers, 1);
      pc_fe_add_load(&s->space, &s->mesh.body, -1, made_force, NULL, u);
      set(s, made, want);
      mark_outside(s, fixed);
      pc_fe_fix(&s->space, fixed, want, &s->matrix, u);
      solve(s, u);
      off[level] = sqrt(distance2(&s->space, u, made, NULL, NULL));
      slope[level] = sqrt(distance2(&s->space, u, made, made_slope, NULL));
      free(u);
      free(want);
      free(fixed);
      drop(s);
    }
    int order = pc_element_of(type)->order;
    printf("%s: %.2e %.2e, orders %.2f %.2f\n", pc_element_of(type)->name, off[1], slope[1],
           log2(off[0] / off[1]), log2(slope[0] / slope[1]));
    assert_near(log2(off[0] / off[1]), order + 1, 0.2);
    assert_near(log2(slope[0] / slope[1]), order, 0.2);
  }
}

// Stokes in a closed box: u = curl of sin^2(pi x) sin^2(pi y), p = cos(pi x) + cos(pi y) y, less
// its mean; f = - lap u + grad p.
static void swirl(void *context, const double x[3], double *u)
{
  double sx = sin(PI * x[0]), sy = sin(PI * x[1]);
  u[0] = PI * sx * sx * sin(2 * PI * x[1]), u[1] = -PI * sin(2 * PI * x[0]) * sy * sy;
}

static double swirl_pressure(const double x[2])
{
  // the mean of y cos(pi y) is -2 / pi^2
  return cos(PI * x[0]) + x[1] * cos(PI * x[1]) + 2 / (PI * PI);
}

static void swirl_force(void *context, const double x[3], double *f)
{
  double a = PI * x[0], b = PI * x[1], p3 = 2 * PI * PI * PI;
  // lap (sin^2 a sin 2b) = 2 pi^2 sin 2b (cos 2a - 2 sin^2 a)
  f[0] = -p3 * sin(2 * b) * (cos(2 * a) - 2 * sin(a) * sin(a)) - PI * sin(a);
  f[1] = p3 * sin(2 * a) * (cos(2 * b) - 2 * sin(b) * sin(b)) + cos(b) - b * sin(b);
}

static double pressure_distance(const setup *s, const double *vector)
{
  double mean = 0, area = 0, sum = 0;
  for (int turn = 0; turn < 2; turn++)
    for (int e = 0; e < s->mesh.body.count; e++) {
      const pc_fe_cell *cell = &s->mesh.body.cell[e];
      const pc_element_info *info = pc_element_of(cell->type);
      double node[PC_ELEMENT_NODES_MAX][3], value[PC_ELEMENT_NODES_MAX];
      pc_fe_mesh_corners(&s->mesh, &s->mesh.body, e, node);
      pc_quadrature rule;
      assert_true(pc_quadrature_make(&rule, cell->type, 8));
      for (int k = 0; k < rule.points; k++) {
        pc_element_point p;
        pc_element_map(cell->type, (const double(*)[3])node, rule.at[k], &p);
        pc_element_shape(info->linear, rule.at[k], value, NULL);
        double got = 0, weight = rule.weight[k] * p.determinant;
        for (int i = 0; i < info->corners; i++)
          got += value[i] *
                 vector[pc_fe_space_pressure(&s->space, s->mesh.body.node[cell->first + i])];
        if (turn == 0)
          mean += weight * got, area += weight;
        else
          sum += weight * pow(got - mean / area - swirl_pressure(p.x), 2);
      }
    }
  return sqrt(sum);
}

static void stokes_converges_with_third_order_velocities(void **state)
{
  const pc_element types[] = {PC_TRIANGLE6, PC_QUAD8, PC_QUAD9};
  for (int t = 0; t < 3; t++) {
    double off[2], pressure[2];
    for (int level = 0; level < 2; level++) {
      setup *s = make(level ? 16 : 8, types[t], 0.03, true);
      pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.strain = 1, .incompressible = true},
                      &s->matrix);
      double *u = vector(s);
      char *fixed = calloc((size_t)s->space.numbers, 1);
      pc_fe_add_load(&s->space, &s->mesh.body, -1, swirl_force, NULL, u);
      mark_outside(s, fixed);
      pc_fe_fix(&s->space, fixed, NULL, &s->matrix, u);
      solve(s, u);
      off[level] = sqrt(distance2(&s->space, u, swirl, NULL, NULL));
      pressure[level] = pressure_distance(s, u);
      free(u);
      free(fixed);
      drop(s);
    }
    printf("%s: u %.2e, p %.2e, orders %.2f %.2f\n", pc_element_of(types[t])->name, off[1],
           pressure[1], log2(off[0] / off[1]), log2(pressure[0] / pressure[1]));
    assert_true(log2(off[0] / off[1]) > 2.8);
    assert_true(log2(pressure[0] / pressure[1]) > 1.8);
  }
}

// The smallest eigenvalue but the zero of the constant pressure of B K^-1 B' p = b^2 Q p, with K
// of the gradients and Q the mass of pressures, stays away from zero as the mesh gets finer.
static double inf_sup(int n, pc_element type)
{
  setup *s = make(n, type, 0, true);
  pc_fe_mesh coarse = square(n, pc_element_of(type)->linear, 0);
  pc_error error = {0};
  pc_block_matrix divergence, mass;
  assert_ok(pc_fe_space_matrix(&s->space, &divergence, &error), &error);
  // Of fields that vanish outside, 2 D:D - div div is grad : grad.
  pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.strain = 1, .volume = -1}, &s->matrix);
  pc_fe_add_terms(&s->space, -1, &(pc_fe_terms){.incompressible = true}, &divergence);
  pc_fe_space scalar;
  assert_ok(pc_fe_space_create(&scalar, &coarse, 1, NULL, 0, NULL, &error), &error);
  assert_ok(pc_fe_space_matrix(&scalar, &mass, &error), &error);
  pc_fe_add_terms(&scalar, -1, &(pc_fe_terms){.mass = 1}, &mass);
  int pressures = coarse.nodes, total = s->space.numbers;
  double *u = vector(s), *none = vector(s), *schur = calloc((size_t)(pressures * pressures), 8),
         *dense = calloc((size_t)(pressures * pressures), 8);
  char *fixed = calloc((size_t)total, 1);
  mark_outside(s, fixed);
  for (int i = 0; i < pressures; i++) // K is definite alone: pressures are fixed too
    fixed[pc_fe_space_pressure(&s->space, i)] = 1;
  pc_fe_fix(&s->space, fixed, NULL, &s->matrix, none);
  for (int j = 0; j < pressures; j++) {
    double *unit = vector(s);
    unit[pc_fe_space_pressure(&s->space, j)] = 1;
    pc_block_matrix_multiply(&divergence, unit, u);
    for (int i = 0; i < total; i++)
      u[i] = fixed[i] ? 0 : u[i];
    solve(s, u);
    pc_block_matrix_multiply(&divergence, u, unit);
    for (int i = 0; i < pressures; i++)
      schur[j * pressures + i] = unit[pc_fe_space_pressure(&s->space, i)];
    double *e = calloc((size_t)pressures, 8), *column = calloc((size_t)pressures, 8);
    e[j] = 1;
    pc_block_matrix_multiply(&mass, e, column);
    memcpy(dense + j * pressures, column, (size_t)pressures * 8);
    free(e);
    free(column);
    free(unit);
  }
  int one = 1, work_size = 64 * pressures, info;
  double *w = calloc((size_t)pressures, 8), *work = calloc((size_t)work_size, 8);
  dsygv_(&one, "N", "L", &pressures, schur, &pressures, dense, &pressures, w, work, &work_size,
         &info, 1, 1);
  assert_int_equal(info, 0);
  assert_near(w[0], 0, 1e-12); // the constant
  double beta = sqrt(w[1]);
  assert_true(w[pressures - 1] <= 1 + 1e-12); // |div u| <= |grad u| without a normal velocity
  free(w);
  free(work);
  free(u);
  free(none);
  free(schur);
  free(dense);
  free(fixed);
  pc_block_matrix_free(&divergence);
  pc_block_matrix_free(&mass);
  pc_fe_space_free(&scalar);
  pc_fe_mesh_free(&coarse);
  drop(s);
  return beta;
}

static void pressures_are_stable(void **state)
{
  const pc_element types[] = {PC_TRIANGLE6, PC_QUAD8, PC_QUAD9};
  for (int t = 0; t < 3; t++) {
    double coarse = inf_sup(4, types[t]), fine = inf_sup(8, types[t]);
    printf("%s: inf-sup %.3f, %.3f\n", pc_element_of(types[t])->name, coarse, fine);
    assert_true(coarse > 0.1); // an element that locks or has a checkerboard gives round-off
    assert_true(fine > 0.95 * coarse);
  }
}

// w' F w over the sides of a group, w = u or, across an interface, its jump.
static double side_energy(const setup *s, int group, const int *partner, double normal,
                          double tangential, const double *u)
{
  const pc_fe_cells *sides = &s->mesh.side;
  double sum = 0;
  for (int i = 0; i < sides->count; i++) {
    double form[PC_FE_SIDE][PC_FE_SIDE], w[PC_FE_SIDE] = {0};
    if (sides->cell[i].group != group)
      continue;
    pc_fe_side_form(&s->space, i, normal, tangential, form);
    for (int k = 0; k < pc_element_of(sides->cell[i].type)->nodes; k++)
      for (int c = 0; c < 2; c++) {
        int node = sides->node[sides->cell[i].first + k];
        w[3 * k + c] = u[s->space.start[node] + c];
        if (partner != NULL)
          w[3 * k + c] -= u[s->space.start[partner[node]] + c];
      }
    for (int r = 0; r < PC_FE_SIDE; r++)
      for (int c = 0; c < PC_FE_SIDE; c++)
        sum += w[r] * form[r][c] * w[c];
  }
  return sum;
}

static void up(void *context, const double x[3], double *f)
{
  f[0] = x[1], f[1] = 2;
}

static void loads_and_sides_have_their_totals(void **state)
{
  for (pc_element type = PC_TRIANGLE3; type <= PC_QUAD9; type++) {
    setup *s = make(3, type, 0.05, false);
    double *load = vector(s), *u = vector(s), sum[2] = {0};
    pc_fe_add_load(&s->space, &s->mesh.body, -1, up, NULL, load); // (1/2, 2)
    pc_fe_add_load(&s->space, &s->mesh.side, pc_fe_mesh_find_group(&s->mesh, "top", 1), up, NULL,
                   load); // (1, 2)
    for (int i = 0; i < s->mesh.nodes; i++)
      for (int c = 0; c < 2; c++)
        sum[c] += load[s->space.start[i] + c];
    assert_near(sum[0], 1.5, 1e-13);
    assert_near(sum[1], 4, 1e-13);
    // u = (x, y) on the right side: x = 1 across it, y along it
    int right = pc_fe_mesh_find_group(&s->mesh, "right", 1);
    set(s, places, u);
    assert_near(side_energy(s, right, NULL, 5, 0, u), 5, 1e-13);
    assert_near(side_energy(s, right, NULL, 0, 6, u), 6. / 3, 1e-13);
    free(load);
    free(u);
    drop(s);
  }
}

// Two squares that touch: the form of the jump is zero for one field and the length for two.
static void interfaces_see_the_jump_alone(void **state)
{
  const double a[] = {0, 0.4, 1}, b[] = {1, 1.3, 2};
  pc_error error = {0};
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_mesh_add_rectangle(
      &mesh, &(pc_fe_rectangle){2, 2, a, a, PC_QUAD4, "one", NULL, "right", NULL, NULL});
  pc_fe_mesh_add_rectangle(
      &mesh, &(pc_fe_rectangle){2, 2, b, a, PC_TRIANGLE3, "two", NULL, NULL, NULL, "left"});
  assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
  const int pair[1][2] = {
      {pc_fe_mesh_find_group(&mesh, "right", 1), pc_fe_mesh_find_group(&mesh, "left", 1)}};
  setup s = {.mesh = mesh};
  assert_ok(pc_fe_space_create(&s.space, &s.mesh, 2, NULL, 1, pair, &error), &error);
  assert_ok(pc_fe_space_matrix(&s.space, &s.matrix, &error), &error);
  double *u = vector(&s);
  set(&s, linear, u);
  assert_near(side_energy(&s, pair[0][0], s.space.partner[0], 3, 4, u), 0, 1e-13);
  int two = pc_fe_mesh_find_group(&mesh, "two", 2);
  for (int e = 0; e < mesh.body.count; e++)
    for (int k = 0; mesh.body.cell[e].group == two && k < 6; k++) {
      int node = mesh.body.node[mesh.body.cell[e].first + k];
      double x[2];
      linear(NULL, mesh.node[node], x);
      u[s.space.start[node]] = x[0] + 0.5; // a jump of (1/2, 2 y)
      u[s.space.start[node] + 1] = x[1] + 2 * mesh.node[node][1];
    }
  assert_near(side_energy(&s, pair[0][0], s.space.partner[0], 3, 4, u), 3 * 0.25 + 4 * 4. / 3,
              1e-12);
  free(u);
  pc_block_matrix_free(&s.matrix);
  pc_fe_space_free(&s.space);
  pc_fe_mesh_free(&s.mesh);
}

// A bar of length 1, density 1000, k_M = 500, falls at 1 m/s on a support with k_ls = 2000 > m*:
// (M + K) U+ = (M - K) U-. With l = sqrt(2 k_M / rho) = 1 and m* = sqrt(2 k_M rho) tanh 1,
// U+(x) = -1 + B cosh(1 - x), B = 2 k_ls / (k_ls cosh 1 + 1000 sinh 1).
static void a_bar_bounces_as_its_closed_form(void **state)
{
  double off[2];
  for (int level = 0; level < 2; level++) {
    int cells = level ? 16 : 8;
    double x[17];
    pc_error error = {0};
    setup s = {.mesh = pc_fe_mesh_empty(1)};
    pc_fe_grade(0, 1, cells, 1, x);
    pc_fe_mesh_add_line(&s.mesh, cells, x, "bar", "foot", NULL);
    assert_ok(pc_fe_mesh_quadratic(&s.mesh, true, &error), &error);
    assert_ok(pc_fe_space_create(&s.space, &s.mesh, 1, NULL, 0, NULL, &error), &error);
    assert_ok(pc_fe_space_matrix(&s.space, &s.matrix, &error), &error);
    double *foot = s.matrix.value + s.matrix.offset[0]; // the block of node 0
    double *u = vector(&s), *before = vector(&s);
    for (int i = 0; i < s.space.numbers; i++)
      before[i] = -1;
    pc_fe_add_terms(&s.space, -1, &(pc_fe_terms){.mass = 1000, .strain = -500}, &s.matrix);
    *foot -= 2000;
    pc_block_matrix_multiply(&s.matrix, before, u);
    pc_block_matrix_clear(&s.matrix);
    pc_fe_add_terms(&s.space, -1, &(pc_fe_terms){.mass = 1000, .strain = 500}, &s.matrix);
    *foot += 2000;
    solve(&s, u);
    double b = 4000 / (2000 * cosh(1) + 1000 * sinh(1));
    assert_near(u[0], 0.448439, 1e-6);
    assert_near(u[cells], -0.061333, 1e-6);
    off[level] = 0;
    for (int i = 0; i < s.mesh.nodes; i++)
      off[level] = fmax(off[level], fabs(u[i] + 1 - b * cosh(1 - s.mesh.node[i][0])));
    free(u);
    free(before);
    pc_block_matrix_free(&s.matrix);
    pc_fe_space_free(&s.space);
    pc_fe_mesh_free(&s.mesh);
  }
  assert_true(off[1] < off[0] / 12); // nodes are better than the elements: fourth order
}

// A long flow of height and speed 1 meets a rigid wall, with hardly any viscosity and a bottom that
// slips: the percussion on the wall is 14 zeta(3) / pi^3 = 0.542755 rho U h^2, and its pressure at
// the bottom 8 G / pi^2 = 0.742454 rho U h (G: Catalan).
static void a_flow_stopped_by_a_wall_has_the_closed_form_percussion(void **state)
{
  enum { COLUMNS = 30, ROWS = 24 };
  double x[COLUMNS + 1], y[ROWS + 1];
  pc_error error = {0};
  setup s = {.mesh = pc_fe_mesh_empty(2)};
  pc_fe_grade(0, 5, COLUMNS, 0.05, x);
  pc_fe_grade(0, 1, ROWS, 0.3, y);
  pc_fe_mesh_add_rectangle(&s.mesh, &(pc_fe_rectangle){COLUMNS, ROWS, x, y, PC_QUAD4, "flow",
                                                       "bottom", "wall", NULL, "inlet"});
  assert_ok(pc_fe_mesh_quadratic(&s.mesh, true, &error), &error);
  bool fluid[8] = {true, true, true, true};
  assert_ok(pc_fe_space_create(&s.space, &s.mesh, 2, fluid, 0, NULL, &error), &error);
  assert_ok(pc_fe_space_matrix(&s.space, &s.matrix, &error), &error);
  double *u = vector(&s), *before = vector(&s), *right = vector(&s), *given = vector(&s),
         *left = vector(&s);
  char *fixed = calloc((size_t)s.space.numbers, 1), *wall = calloc((size_t)s.space.numbers, 1);
  set(&s, rightwards, before); // no strain: (M - K) U- = M U-
  for (int i = 0; i < s.mesh.nodes; i++)
    given[s.space.start[i]] = s.mesh.node[i][0] < 1e-9;
  pc_fe_add_terms(&s.space, -1, &(pc_fe_terms){.mass = 1000}, &s.matrix);
  pc_block_matrix_multiply(&s.matrix, before, right);
  pc_fe_terms terms = {.strain = 1e-4, .incompressible = true};
  pc_fe_add_terms(&s.space, -1, &terms, &s.matrix);
  mark_component(&s.space, pc_fe_mesh_find_group(&s.mesh, "bottom", 1), 1, fixed);
  mark_component(&s.space, pc_fe_mesh_find_group(&s.mesh, "inlet", 1), 0, fixed);
  mark_component(&s.space, pc_fe_mesh_find_group(&s.mesh, "inlet", 1), 1, fixed);
  mark_component(&s.space, pc_fe_mesh_find_group(&s.mesh, "wall", 1), 0, wall);
  for (int i = 0; i < s.space.numbers; i++)
    fixed[i] |= wall[i];
  memcpy(u, right, (size_t)s.space.numbers * sizeof *u);
  pc_fe_fix(&s.space, fixed, given, &s.matrix, u);
  solve(&s, u);
  pc_block_matrix_clear(&s.matrix); // as it was, for what the wall gives
  terms.mass = 1000;
  pc_fe_add_terms(&s.space, -1, &terms, &s.matrix);
  pc_block_matrix_multiply(&s.matrix, u, left);
  double percussion = 0, bottom = 0;
  for (int i = 0; i < s.space.numbers; i++)
    percussion += wall[i] ? right[i] - left[i] : 0;
  for (int i = 0; i < s.mesh.nodes; i++)
    if (s.mesh.node[i][0] == 5 && s.mesh.node[i][1] == 0)
      bottom = u[pc_fe_space_pressure(&s.space, i)];
  printf("percussion %.6f, pressure %.6f\n", percussion / 1000, bottom / 1000);
  assert_near(percussion / 1000, 0.542755, 0.0005);
  assert_near(bottom / 1000, 0.742454, 0.001);
  double *all[] = {u, before, right, given, left};
  for (int i = 0; i < 5; i++)
    free(all[i]);
  free(fixed);
  free(wall);
  pc_block_matrix_free(&s.matrix);
  pc_fe_space_free(&s.space);
  pc_fe_mesh_free(&s.mesh);
}

static void matrices_repeat_bit_for_bit(void **state)
{
  setup *a = make(5, PC_QUAD9, 0.05, true), *b = make(5, PC_QUAD9, 0.05, true);
  pc_fe_terms terms = {.mass = 1.1, .strain = 0.3, .volume = 0.7, .incompressible = true};
  pc_fe_add_terms(&a->space, -1, &terms, &a->matrix);
  pc_fe_add_terms(&b->space, -1, &terms, &b->matrix);
  size_t bytes = (size_t)a->matrix.offset[a->matrix.row[a->matrix.rows]] * sizeof(double);
  assert_memory_equal(a->matrix.value, b->matrix.value, bytes);
  drop(a);
  drop(b);
}

static void fluids_need_quadratic_elements(void **state)
{
  pc_fe_mesh mesh = square(2, PC_QUAD4, 0);
  bool fluid[8] = {true, true, true, true, true};
  pc_fe_space space;
  pc_error error = {0};
  assert_int_equal(pc_fe_space_create(&space, &mesh, 2, fluid, 0, NULL, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "element 0"));
  pc_fe_mesh_free(&mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_has_the_total_and_the_moments_of_the_body),
      cmocka_unit_test(rigid_motions_have_no_strain),
      cmocka_unit_test(linear_fields_pass_the_patch_test),
      cmocka_unit_test(viscous_solutions_converge_with_the_order_of_the_element),
      cmocka_unit_test(stokes_converges_with_third_order_velocities),
      cmocka_unit_test(pressures_are_stable),
      cmocka_unit_test(loads_and_sides_have_their_totals),
      cmocka_unit_test(interfaces_see_the_jump_alone),
      cmocka_unit_test(a_bar_bounces_as_its_closed_form),
      cmocka_unit_test(a_flow_stopped_by_a_wall_has_the_closed_form_percussion),
      cmocka_unit_test(matrices_repeat_bit_for_bit),
      cmocka_unit_test(fluids_need_quadratic_elements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
