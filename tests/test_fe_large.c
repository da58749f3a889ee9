// Solids of large displacements: finite rotations without strain, what steps conserve, and motions
// against the rigid pendulum, the elastica, a spinning rod and the same motion turned.
#include "support.h"

#include <string.h>

#include "continuum/large.h"
#include "continuum/motion.h"
#include "geometry/pose.h"

static const double PI = 3.14159265358979323846;

// All kinds of elements.
typedef struct kind {
  pc_element type; // linear
  bool quadratic, centre;
} kind;
static const kind KINDS[] = {
    {PC_TRIANGLE3, false, false},   {PC_TRIANGLE3, true, false},    {PC_QUAD4, false, false},
    {PC_QUAD4, true, false},        {PC_QUAD4, true, true},         {PC_TETRAHEDRON4, false, false},
    {PC_TETRAHEDRON4, true, false}, {PC_HEXAHEDRON8, false, false}, {PC_HEXAHEDRON8, true, false},
    {PC_HEXAHEDRON8, true, true},
};
enum { KINDS_COUNT = sizeof KINDS / sizeof *KINDS, PLACES = 65 };

static int dimension_of(pc_element type)
{
  return pc_element_of(type)->dimension;
}

// A rectangle or box from the origin, with one group of sides around it and one at x = 0.
static pc_fe_mesh make_block(kind k, const double size[3], const int cells[3])
{
  pc_error error = {0};
  int d = dimension_of(k.type);
  pc_fe_mesh mesh = pc_fe_mesh_empty(d);
  double place[3][PLACES];
  for (int i = 0; i < d; i++)
    pc_fe_grade(0, size[i], cells[i], 1, place[i]);
  if (d == 2)
    pc_fe_mesh_add_rectangle(&mesh, &(pc_fe_rectangle){.columns = cells[0],
                                                       .rows = cells[1],
                                                       .x = place[0],
                                                       .y = place[1],
                                                       .type = k.type,
                                                       .name = "block",
                                                       .bottom = "skin",
                                                       .right = "skin",
                                                       .top = "skin",
                                                       .left = "end"});
  else
    pc_fe_mesh_add_box(&mesh, &(pc_fe_box){.cells = {cells[0], cells[1], cells[2]},
                                           .place = {place[0], place[1], place[2]},
                                           .type = k.type,
                                           .name = "block",
                                           .low = {"end", "skin", "skin"},
                                           .high = {"skin", "skin", "skin"}});
  if (k.quadratic)
    assert_ok(pc_fe_mesh_quadratic(&mesh, k.centre, &error), &error);
  assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
  return mesh;
}

// The rotation by an angle about an axis, in the plane about z.
static void turn_about(int d, const double axis[3], double angle, double turn[9])
{
  double vector[3] = {0, 0, angle}, q[4], length = pc_fe_length(axis);
  for (int i = 0; d == 3 && i < 3; i++)
    vector[i] = angle * axis[i] / length;
  pc_quaternion_exp(vector, q);
  pc_quaternion_matrix(q, turn);
}

static void multiply(const double a[9], const double x[3], double to[3])
{
  double y[3];
  for (int i = 0; i < 3; i++)
    y[i] = a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
  memcpy(to, y, sizeof y);
}

// u = F x - x
static void deform(const pc_fe_mesh *mesh, const double f[9], double *u)
{
  for (int i = 0; i < mesh->nodes; i++) {
    double x[3];
    multiply(f, mesh->node[i], x);
    for (int k = 0; k < mesh->dimension; k++)
      u[i * mesh->dimension + k] = x[k] - mesh->node[i][k];
  }
}

static double largest(int n, const double *x)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

// F = R (1 + e): the energy is that of e, which does not turn, and nodes inside are in equilibrium.
// Without e there is no stress at all.
static void finite_rotations_pass_the_patch_test(void **state)
{
  static const double axis[3] = {1, 2, -0.5}, size[3] = {1.5, 1, 0.8};
  static const double stretch[9] = {0.05, 0.02, -0.01, 0.02, -0.03, 0.015, -0.01, 0.015, 0.04};
  for (int k = 0; k < KINDS_COUNT; k++)
    for (int strained = 0; strained < 2; strained++) {
      pc_error error = {0};
      pc_fe_mesh mesh = make_block(KINDS[k], size, (int[]){2, 2, 2});
      int d = mesh.dimension, n = d * mesh.nodes;
      pc_fe_solid solid = {.group = 0, .density = 1, .young = 3, .poisson = 0.3};
      pc_fe_moduli m;
      pc_fe_solid_moduli(&solid, d, &m.strain, &m.volume);
      pc_fe_large large;
      assert_ok(pc_fe_large_create(&large, &mesh, 1, &solid, &error), &error);
      double turn[9], f[9] = {0}, trace = 0, square = 0, volume = 1;
      double *u = calloc((size_t)n, sizeof *u), *force = calloc((size_t)n, sizeof *force);
      double *none = calloc((size_t)n, sizeof *none), e[3][3] = {{0}}, grown[3][3] = {{0}};
      turn_about(d, axis, 2.5, turn);
      for (int i = 0; i < d; i++) {
        volume *= size[i];
        for (int j = 0; j < d; j++)
          grown[i][j] = (i == j) + (strained ? stretch[3 * i + j] : 0);
      }
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          for (int a = 0; a < d; a++)
            f[3 * i + j] += turn[3 * i + a] * grown[a][j];
      for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
          for (int a = 0; a < d; a++)
            e[i][j] += grown[a][i] * grown[a][j] / 2;
          e[i][j] -= i == j ? 0.5 : 0;
          square += e[i][j] * e[i][j];
          trace += i == j ? e[i][i] : 0;
        }
      deform(&mesh, f, u);
      assert_near(pc_fe_large_energy(&large, &m, u),
                  volume * (m.strain * square + m.volume / 2 * trace * trace), 1e-14);
      assert_true(pc_fe_large_force(&large, &m, u, none, force));
      for (int i = 0; i < mesh.nodes; i++) {
        bool inside = true;
        for (int c = 0; c < d; c++)
          inside = inside && mesh.node[i][c] > 1e-9 && mesh.node[i][c] < size[c] - 1e-9;
        for (int c = 0; c < d && (inside || !strained); c++)
          assert_near(force[i * d + c], 0, 1e-14);
      }
      assert_true(!strained || largest(n, force) > 1e-3);
      free(u);
      free(force);
      free(none);
      pc_fe_large_free(&large);
      pc_fe_mesh_free(&mesh);
    }
}

// Forces of a step work as much as the energy changes, push and turn nothing; and their derivative
// is the form.
static void forces_belong_to_the_energy(void **state)
{
  pc_random random = test_random("forces_belong_to_the_energy");
  static const double size[3] = {1, 1, 1};
  for (int k = 0; k < KINDS_COUNT; k++) {
    pc_error error = {0};
    pc_fe_mesh mesh = make_block(KINDS[k], size, (int[]){2, 1, 1});
    int d = mesh.dimension, n = d * mesh.nodes;
    size_t bytes = (size_t)n * sizeof(double);
    pc_fe_solid solid = {.group = 0, .density = 1, .young = 1, .poisson = 0.25};
    pc_fe_moduli m;
    pc_fe_solid_moduli(&solid, d, &m.strain, &m.volume);
    pc_fe_large large;
    pc_fe_space space;
    pc_block_matrix form;
    assert_ok(pc_fe_large_create(&large, &mesh, 1, &solid, &error), &error);
    assert_ok(pc_fe_space_create(&space, &mesh, d, NULL, 0, NULL, &error), &error);
    assert_ok(pc_fe_space_matrix(&space, &form, &error), &error);
    double *u = malloc(bytes), *u1 = malloc(bytes), *by = malloc(bytes), *force = malloc(bytes);
    double turn[9], work = 0, sum[3] = {0}, moment[3] = {0};
    turn_about(d, (double[]){1, 1, 1}, 1, turn);
    deform(&mesh, turn, u);
    for (int i = 0; i < n; i++) {
      u[i] += 0.01 * pc_random_normal(&random);
      by[i] = 0.02 * pc_random_normal(&random);
      u1[i] = u[i] + by[i];
    }
    memset(force, 0, bytes);
    assert_true(pc_fe_large_force(&large, &m, u, by, force));
    for (int i = 0; i < mesh.nodes; i++) {
      double x[3] = {0};
      for (int c = 0; c < d; c++) {
        x[c] = mesh.node[i][c] + u[i * d + c] + by[i * d + c] / 2;
        sum[c] += force[i * d + c];
        work += force[i * d + c] * by[i * d + c];
      }
      for (int c = 0; c < 3; c++) {
        int a = (c + 1) % 3, b = (c + 2) % 3;
        moment[c] += x[a] * (b < d ? force[i * d + b] : 0) - x[b] * (a < d ? force[i * d + a] : 0);
      }
    }
    double change = pc_fe_large_energy(&large, &m, u1) - pc_fe_large_energy(&large, &m, u);
    assert_near(change + work, 0, 1e-14);
    for (int c = 0; c < 3; c++) {
      assert_near(sum[c], 0, 1e-14);
      assert_near(moment[c], 0, 1e-14);
    }
    // f(u, t by) - f(u, -t by) is -t times the form of u, up to t^3.
    pc_fe_large_add_form(&large, &m, 1, u, u, u, &space, &form);
    double *product = malloc(bytes), *back = malloc(bytes), *small = malloc(bytes), off[2];
    pc_block_matrix_multiply(&form, by, product);
    for (int turns = 0; turns < 2; turns++) {
      double t = 1e-2 / (1 + turns);
      for (int sign = -1; sign <= 1; sign += 2) {
        double *to = sign < 0 ? back : force;
        for (int i = 0; i < n; i++)
          small[i] = sign * t * by[i];
        memset(to, 0, bytes);
        pc_fe_large_force(&large, &m, u, small, to);
      }
      for (int i = 0; i < n; i++)
        back[i] = (force[i] - back[i]) / t + product[i];
      off[turns] = largest(n, back) / largest(n, product);
    }
    assert_true(off[0] < 1e-4);
    assert_near(off[0] / off[1], 4, 0.05);
    free(u), free(u1), free(by), free(force), free(product), free(back), free(small);
    pc_block_matrix_free(&form);
    pc_fe_space_free(&space);
    pc_fe_large_free(&large);
    pc_fe_mesh_free(&mesh);
  }
}

static void an_element_inside_out_is_seen(void **state)
{
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[2], (double[]){1, 1, 1}, (int[]){1, 1, 1});
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 1};
  pc_fe_moduli m = {.strain = 0.5};
  pc_fe_large large;
  assert_ok(pc_fe_large_create(&large, &mesh, 1, &solid, &error), &error);
  double u[8] = {0}, by[8] = {0}, force[8] = {0};
  for (int i = 0; i < 4; i++)
    by[2 * i] = -2 * mesh.node[i][0];
  assert_false(pc_fe_large_force(&large, &m, u, by, force));
  pc_fe_large_free(&large);
  pc_fe_mesh_free(&mesh);
}

static pc_fe_motion_def large_def(const pc_fe_mesh *mesh, const pc_fe_solid *solid, double step)
{
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = mesh;
  def.solids = 1, def.solid = solid;
  def.step = step;
  def.large = true;
  return def;
}

static pc_fe_motion *make_motion(const pc_fe_motion_def *def)
{
  pc_error error = {0};
  pc_fe_motion *motion = pc_fe_motion_create(def, &error);
  if (motion == NULL)
    fail_msg("%s", error.text);
  return motion;
}

static void advance(pc_fe_motion *motion, int steps)
{
  pc_error error = {0};
  for (int i = 0; i < steps; i++)
    assert_ok(pc_fe_motion_advance(motion, &error), &error);
}

// v + spin x (x - centre) at all nodes of the mesh as it was made.
static void spin_nodes(const pc_fe_mesh *mesh, const double v[3], const double spin[3],
                       const double centre[3], double *velocity)
{
  for (int i = 0; i < mesh->nodes; i++) {
    double r[3];
    for (int k = 0; k < 3; k++)
      r[k] = mesh->node[i][k] - centre[k];
    double w[3] = {spin[1] * r[2] - spin[2] * r[1], spin[2] * r[0] - spin[0] * r[2],
                   spin[0] * r[1] - spin[1] * r[0]};
    for (int k = 0; k < mesh->dimension; k++)
      velocity[i * mesh->dimension + k] = v[k] + w[k];
  }
}

typedef struct totals {
  double momentum[3], moment[3]; // about the origin
} totals;

static totals totals_of(const pc_fe_motion *motion)
{
  const pc_fe_elastic *e = pc_fe_motion_elastic(motion);
  pc_fe_motion_state s = pc_fe_motion_look(motion);
  const pc_fe_mesh *mesh = e->space.mesh;
  int d = mesh->dimension;
  totals t = {{0}, {0}};
  pc_block_matrix_multiply(&e->mass, s.velocity, e->scratch);
  for (int i = 0; i < mesh->nodes; i++) {
    double x[3] = {0}, p[3] = {0};
    for (int k = 0; k < d; k++) {
      x[k] = mesh->node[i][k] + s.displacement[i * d + k];
      p[k] = e->scratch[i * d + k];
    }
    for (int k = 0; k < 3; k++) {
      t.momentum[k] += p[k];
      t.moment[k] += x[(k + 1) % 3] * p[(k + 2) % 3] - x[(k + 2) % 3] * p[(k + 1) % 3];
    }
  }
  return t;
}

// With all elements, many turns, in steps of 0.05 to 0.6 rad, of soft and stiff solids.
static void a_free_solid_keeps_what_it_has(void **state)
{
  static const double steps[] = {0.05, 0.2, 0.6}, young[] = {30, 1e4};
  for (int k = 0; k < KINDS_COUNT; k++)
    for (int i = 0; i < 3; i++) {
      bool fine = KINDS[k].quadratic;
      pc_fe_mesh mesh = make_block(KINDS[k], (double[]){1.2, 1, 0.9}, (int[]){fine ? 1 : 2, 1, 1});
      pc_fe_solid solid = {.group = 0, .density = 1, .young = young[i % 2], .poisson = 0.3};
      pc_fe_motion_def def = large_def(&mesh, &solid, steps[i]);
      pc_fe_motion *motion = make_motion(&def);
      double *v = calloc((size_t)(3 * mesh.nodes), sizeof *v);
      pc_error error = {0};
      bool space = mesh.dimension == 3;
      spin_nodes(&mesh, (double[]){0.3, -0.2, 0.1},
                 (double[]){space ? 0.5 : 0, space ? -0.3 : 0, 0.8}, (double[]){0.6, 0.5, 0.45}, v);
      assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
      totals before = totals_of(motion);
      int count = test_count((int)(10 * 2 * PI / steps[i]) / (fine && space ? 12 : 3));
      double worst = 0;
      for (int step = 0; step < count; step++) {
        advance(motion, 1);
        worst = fmax(worst, pc_fe_motion_balance(motion).identity);
      }
      totals after = totals_of(motion);
      assert_near(worst, 0, 1e-12);
      for (int c = 0; c < 3; c++) {
        assert_near(after.momentum[c], before.momentum[c], 1e-12);
        assert_near(after.moment[c], before.moment[c], 1e-12);
      }
      pc_fe_motion_account a = pc_fe_motion_balance(motion);
      assert_true(a.closed);
      assert_true(a.now.elastic > 0);
      free(v);
      pc_fe_motion_destroy(motion);
      pc_fe_mesh_free(&mesh);
    }
}

// A block that vibrates freely, with this amplitude, in steps that are many for it: where its nodes
// are at the end.
static void vibrate(bool large, double size, double step, int steps, double *u)
{
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[4], (double[]){1, 0.5, 0}, (int[]){2, 1, 0});
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 1, .poisson = 0.3};
  pc_fe_motion_def def = large_def(&mesh, &solid, step);
  def.large = large;
  pc_fe_motion *motion = make_motion(&def);
  double *v = calloc((size_t)(2 * mesh.nodes), sizeof *v);
  for (int i = 0; i < mesh.nodes; i++) { // stretches, bends and turns
    const double *x = mesh.node[i];
    v[2 * i] = size * (cos(PI * x[0]) - x[1]);
    v[2 * i + 1] = size * (x[0] * x[0] + 0.5 * x[0] + 0.3 * x[1]);
  }
  assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
  advance(motion, steps);
  assert_true(pc_fe_motion_balance(motion).closed);
  memcpy(u, pc_fe_motion_look(motion).displacement, (size_t)(2 * mesh.nodes) * sizeof *u);
  free(v);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
}

enum { VIBRATING = 2 * 15 };

static void small_motions_are_those_of_small_displacements(void **state)
{
  double off[3];
  for (int i = 0; i < 3; i++) {
    double size = 4e-3 / (1 << i), a[VIBRATING], b[VIBRATING];
    vibrate(false, size, 0.05, 40, a);
    vibrate(true, size, 0.05, 40, b);
    for (int k = 0; k < VIBRATING; k++)
      b[k] -= a[k];
    off[i] = largest(VIBRATING, b) / largest(VIBRATING, a);
  }
  assert_true(off[2] < 2e-3);
  for (int i = 1; i < 3; i++)
    assert_near(off[i - 1] / off[i], 2, 0.05); // of a displacement, so of the second order
}

static void steps_are_of_order_two(void **state)
{
  double exact[VIBRATING], off[3];
  vibrate(true, 0.3, 1. / 640, 640, exact);
  for (int i = 0; i < 3; i++) {
    double u[VIBRATING];
    vibrate(true, 0.3, 0.05 / (1 << i), 20 << i, u);
    for (int k = 0; k < VIBRATING; k++)
      u[k] -= exact[k];
    off[i] = largest(VIBRATING, u);
  }
  assert_true(off[2] < 1e-3);
  assert_near(off[0] / off[1], 4, 0.4);
  assert_near(off[1] / off[2], 4, 0.4);
}

// A block bent to a half circle about the point (0, -1/c): E is diag(c y + c^2 y^2 / 2, 0) in its
// own axes, so its energy is known. That of elements comes near with the square of their size, of
// quadratic ones with the fourth power.
static void a_bent_block_has_its_energy(void **state)
{
  const double bend = PI / 2, length = 2, thick = 0.4; // curvature times length: pi
  for (int k = 0; k < KINDS_COUNT && dimension_of(KINDS[k].type) == 2; k++) {
    double off[3];
    for (int fine = 0; fine < 3; fine++) {
      pc_error error = {0};
      pc_fe_mesh mesh =
          make_block(KINDS[k], (double[]){length, thick, 0}, (int[]){8 << fine, 2 << fine, 0});
      pc_fe_solid solid = {.group = 0, .density = 1, .young = 5, .poisson = 0.3};
      pc_fe_moduli m;
      pc_fe_solid_moduli(&solid, 2, &m.strain, &m.volume);
      pc_fe_large large;
      assert_ok(pc_fe_large_create(&large, &mesh, 1, &solid, &error), &error);
      double *u = calloc((size_t)(2 * mesh.nodes), sizeof *u);
      for (int i = 0; i < mesh.nodes; i++) {
        double x = mesh.node[i][0], y = mesh.node[i][1], r = 1 / bend + y;
        u[2 * i] = r * sin(bend * x) - x;
        u[2 * i + 1] = r * cos(bend * x) - 1 / bend - y;
      }
      // int (c y + c^2 y^2 / 2)^2 over the thickness
      double c = bend, t = thick;
      double square =
          c * c * pow(t, 3) / 3 + pow(c, 3) * pow(t, 4) / 4 + pow(c, 4) * pow(t, 5) / 20;
      double exact = length * (m.strain + m.volume / 2) * square;
      off[fine] = fabs(pc_fe_large_energy(&large, &m, u) / exact - 1);
      free(u);
      pc_fe_large_free(&large);
      pc_fe_mesh_free(&mesh);
    }
    double order[2] = {log2(off[0] / off[1]), log2(off[1] / off[2])};
    for (int i = 0; i < 2; i++)
      assert_near(order[i], KINDS[k].quadratic ? 4 : 2, 0.2);
  }
}

// Of a block that has turned, the form of the strain rates maps its rigid motions to zero, and no
// other motion dissipates less than nothing.
static void viscosities_do_not_resist_rotations(void **state)
{
  pc_random random = test_random("viscosities_do_not_resist_rotations");
  for (int k = 0; k < KINDS_COUNT; k++) {
    pc_error error = {0};
    pc_fe_mesh mesh = make_block(KINDS[k], (double[]){1, 1, 1}, (int[]){1, 1, 1});
    int d = mesh.dimension, n = d * mesh.nodes;
    pc_fe_solid solid = {.group = 0, .density = 1, .young = 1};
    pc_fe_moduli viscosity = {.strain = 2, .volume = 1};
    pc_fe_large large;
    pc_fe_space space;
    pc_block_matrix form;
    assert_ok(pc_fe_large_create(&large, &mesh, 1, &solid, &error), &error);
    assert_ok(pc_fe_space_create(&space, &mesh, d, NULL, 0, NULL, &error), &error);
    assert_ok(pc_fe_space_matrix(&space, &form, &error), &error);
    double turn[9], spin[3] = {d == 3 ? 0.3 : 0, d == 3 ? -0.7 : 0, 1};
    double *u = calloc((size_t)n, sizeof *u), *v = calloc((size_t)n, sizeof *v);
    double *product = calloc((size_t)n, sizeof *product);
    turn_about(d, (double[]){1, 0.5, -1}, 1.9, turn);
    deform(&mesh, turn, u);
    pc_fe_large_add_form(&large, &viscosity, 1, u, NULL, NULL, &space, &form);
    for (int i = 0; i < mesh.nodes; i++) {
      double x[3] = {0};
      for (int c = 0; c < d; c++)
        x[c] = mesh.node[i][c] + u[i * d + c];
      double w[3] = {spin[1] * x[2] - spin[2] * x[1], spin[2] * x[0] - spin[0] * x[2],
                     spin[0] * x[1] - spin[1] * x[0]};
      for (int c = 0; c < d; c++)
        v[i * d + c] = w[c] + 0.2 * (c + 1);
    }
    pc_block_matrix_multiply(&form, v, product);
    assert_near(largest(n, product), 0, 1e-13);
    for (int i = 0; i < n; i++)
      v[i] += 0.1 * pc_random_normal(&random);
    pc_block_matrix_multiply(&form, v, product);
    double loss = 0;
    for (int i = 0; i < n; i++)
      loss += v[i] * product[i];
    assert_true(loss > 1e-6);
    free(u);
    free(v);
    free(product);
    pc_block_matrix_free(&form);
    pc_fe_space_free(&space);
    pc_fe_large_free(&large);
    pc_fe_mesh_free(&mesh);
  }
}

// The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
static double elliptic(double modulus)
{
  double a = 1, b = sqrt(1 - modulus * modulus);
  for (int i = 0; i < 30; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return PI / (2 * a);
}

// A stiff bar that hangs on a corner and starts at rest, out of its equilibrium by `amplitude`:
// when it comes to rest on the other side, half the period of the compound pendulum has passed.
static double half_period(double amplitude, double step, double *exact)
{
  const double length = 1, width = 0.1, g = 9.81;
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[4], (double[]){length, width, 0}, (int[]){4, 1, 0});
  pc_fe_solid solid = {.group = 0, .density = 1000, .young = 1e10, .poisson = 0.3};
  pc_fe_motion_def def = large_def(&mesh, &solid, step);
  int corner = -1;
  for (int i = 0; i < mesh.nodes; i++)
    if (pc_fe_length(mesh.node[i]) < 1e-12)
      corner = i;
  pc_fe_hold hold = {.sides = -1, .node = corner, .x = true, .y = true};
  def.holds = 1, def.hold = &hold;
  double lean = atan2(width, length); // of the centre, as the mesh was made
  def.gravity[0] = g * cos(lean - amplitude), def.gravity[1] = g * sin(lean - amplitude);
  pc_fe_motion *motion = make_motion(&def);
  assert_ok(pc_fe_motion_set(motion, NULL, NULL, NULL, &error), &error);
  double last = 0, now = 0, time = 0, fastest = 0;
  for (int i = 0; i < 100000; i++) { // until the spin changes its sign
    advance(motion, 1);
    fastest = fmax(fastest, pc_fe_motion_balance(motion).now.kinetic);
    last = now;
    now = totals_of(motion).moment[2];
    time = pc_fe_motion_look(motion).time;
    if (last * now < 0)
      break;
  }
  pc_fe_motion_energy end = pc_fe_motion_balance(motion).now; // it had none at the start
  assert_near((end.kinetic + end.elastic + end.gravity) / fastest, 0, 1e-12);
  double arm = hypot(length, width) / 2;
  double inertia = (length * length + width * width) / 3;
  *exact = 2 * sqrt(inertia / (g * arm)) * elliptic(sin(amplitude / 2));
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
  return time - step * fabs(now) / (fabs(now) + fabs(last));
}

static void a_stiff_bar_is_a_compound_pendulum(void **state)
{
  for (int i = 0; i < 3; i++) {
    static const double amplitude[] = {0.3, 1.5, 2.5};
    double exact, time = half_period(amplitude[i], 5e-3, &exact);
    assert_near(time / exact, 1, 1e-4);
  }
}

// The heavy cantilever: EI t'' = - q (L - s) cos t, t(0) = 0, t'(L) = 0, by shooting; where its end
// is, per length.
static void solve_elastica(double load, double end[2])
{
  enum { PARTS = 2000 };
  double low = -4 * load, high = 0;
  for (int turn = 0; turn < 200; turn++) {
    double bend = (low + high) / 2, y[4] = {0, bend, 0, 0}, h = 1. / PARTS; // t, t', x, y
    for (int i = 0; i < PARTS; i++) {
      double k[4][4], z[4];
      for (int stage = 0; stage < 4; stage++) {
        double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
        for (int c = 0; c < 4; c++)
          z[c] = y[c] + (stage > 0 ? part * k[stage - 1][c] : 0);
        k[stage][0] = z[1];
        k[stage][1] = load * (1 - (i * h + part)) * cos(z[0]);
        k[stage][2] = cos(z[0]);
        k[stage][3] = sin(z[0]);
      }
      for (int c = 0; c < 4; c++)
        y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
    *(y[1] < 0 ? &low : &high) = bend;
    end[0] = y[2];
    end[1] = y[3];
  }
}

// A slender cantilever under its own weight, brought to rest by taking away its velocity whenever
// its kinetic energy falls.
static void a_cantilever_is_the_elastica(void **state)
{
  const double thick = 0.02, load = 6; // q L^3 / EI: the end sinks by 0.6 of the length
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[4], (double[]){1, thick, 0}, (int[]){16, 1, 0});
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 12 / (thick * thick), .thin = true};
  pc_fe_motion_def def = large_def(&mesh, &solid, 0.1);
  pc_fe_hold hold = {.sides = pc_fe_mesh_find_group(&mesh, "end", 1), .x = true, .y = true};
  def.holds = 1, def.hold = &hold;
  def.gravity[1] = -load; // EI / L^3 per weight: E t^3 / 12 / (rho t) = 1
  pc_fe_motion *motion = make_motion(&def);
  double *u = calloc((size_t)(2 * mesh.nodes), sizeof *u), kinetic = 0;
  for (int i = 0; i < test_count(600); i++) {
    advance(motion, 1);
    double now = pc_fe_motion_balance(motion).now.kinetic;
    if (now < kinetic) {
      memcpy(u, pc_fe_motion_look(motion).displacement, (size_t)(2 * mesh.nodes) * sizeof *u);
      assert_ok(pc_fe_motion_set(motion, u, NULL, NULL, &error), &error);
      now = 0;
    }
    kinetic = now;
  }
  double sunk[2] = {0}, exact[2];
  pc_fe_motion_state s = pc_fe_motion_look(motion);
  for (int i = 0; i < mesh.nodes; i++) {
    const double *x = mesh.node[i];
    if (x[0] > 1 - 1e-9 && fabs(x[1] - thick / 2) < 1e-9) {
      sunk[0] = x[0] + s.displacement[2 * i];
      sunk[1] = s.displacement[2 * i + 1];
    }
  }
  solve_elastica(load, exact);
  print_message("cantilever: %.5f %.5f, elastica %.5f %.5f\n", sunk[0], sunk[1], exact[0],
                exact[1]);
  assert_true(exact[1] < -0.5);
  assert_near(sunk[0], exact[0], 3e-3);
  assert_near(sunk[1], exact[1], 3e-3);
  free(u);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
}

// Things that collide, turned as a whole by an angle about an axis.
typedef struct encounter {
  kind k;
  bool wall, body, solid; // what a block meets
  double viscosity;       // in collisions
} encounter;

typedef struct outcome {
  int nodes, events;
  double *place; // of the nodes, turned back
  double percussion, lost, kinetic;
  totals before, after; // turned back
} outcome;

static void turn_back(const double turn[9], double x[3])
{
  double y[3];
  for (int i = 0; i < 3; i++)
    y[i] = turn[i] * x[0] + turn[3 + i] * x[1] + turn[6 + i] * x[2];
  memcpy(x, y, sizeof y);
}

static totals turned_totals(const pc_fe_motion *motion, const double turn[9])
{
  totals t = totals_of(motion);
  turn_back(turn, t.momentum);
  turn_back(turn, t.moment);
  return t;
}

// A second block above the first, with cells of another size.
static void add_other(pc_fe_mesh *mesh, kind k)
{
  double place[3][PLACES];
  int cells[3] = {5, 2, 2}, d = mesh->dimension;
  double low[3] = {-0.4, -0.2, -0.2}, high[3] = {0.5, 0.25, 0.25};
  low[d - 1] = 0.75, high[d - 1] = 1.15;
  for (int i = 0; i < 3; i++)
    pc_fe_grade(low[i], high[i], cells[i], 1.2, place[i]);
  if (d == 2)
    pc_fe_mesh_add_rectangle(mesh, &(pc_fe_rectangle){.columns = cells[0],
                                                      .rows = cells[1],
                                                      .x = place[0],
                                                      .y = place[1],
                                                      .type = k.type,
                                                      .name = "other",
                                                      .bottom = "under"});
  else
    pc_fe_mesh_add_box(mesh, &(pc_fe_box){.cells = {cells[0], cells[1], cells[2]},
                                          .place = {place[0], place[1], place[2]},
                                          .type = k.type,
                                          .name = "other",
                                          .low = {NULL, NULL, "under"}});
}

// A block of 1 x 0.4 (x 0.4) about the origin flies up with a spin, against a wall, a box, or
// another block.
static outcome meet(const encounter *e, double angle, int steps)
{
  pc_error error = {0};
  int d = dimension_of(e->k.type), up = d - 1;
  static const double axis[3] = {1, -0.4, 0.7};
  double turn[9], size[3] = {1, 0.4, 0.4}, way[3] = {0}, spin[3] = {0, 0, d == 2 ? 1.5 : 0};
  turn_about(d, axis, angle, turn);
  kind linear = {e->k.type, false, false};
  pc_fe_mesh mesh = make_block(linear, size, (int[]){4, 2, 1});
  for (int i = 0; i < mesh.nodes; i++)
    for (int k = 0; k < d; k++)
      mesh.node[i][k] -= size[k] / 2;
  if (e->solid)
    add_other(&mesh, e->k);
  if (e->k.quadratic)
    assert_ok(pc_fe_mesh_quadratic(&mesh, e->k.centre, &error), &error);
  pc_fe_solid solid[2];
  for (int i = 0; i < 1 + (int)e->solid; i++)
    solid[i] = (pc_fe_solid){.group = pc_fe_mesh_find_group(&mesh, i == 0 ? "block" : "other", d),
                             .density = 1,
                             .young = 1000,
                             .poisson = 0.3,
                             .strain = e->viscosity};
  pc_fe_motion_def def = large_def(&mesh, solid, 0.01);
  def.solids = 1 + (int)e->solid;
  int skin = pc_fe_mesh_find_group(&mesh, "skin", d - 1);
  way[up] = 1;
  if (d == 3)
    spin[1] = 1.5;
  double normal[3] = {-way[0], -way[1], -way[2]}, pull[3] = {0.1, 0, 0};
  multiply(turn, normal, normal);
  multiply(turn, pull, def.gravity);
  pc_fe_wall wall = {
      .sides = skin, .offset = -0.65, .normal = 2 * e->viscosity, .tangential = e->viscosity};
  memcpy(wall.direction, normal, sizeof normal);
  pc_fe_meet one = {.sides = skin, .body = -1};
  pc_fe_mover mover = {.body = {.mass = 0.5, .inertia = 0.02, .moments = {0.02, 0.03, 0.025}}};
  double place[3] = {0.1 * way[0] + 0.15, 0, 0};
  place[up] = 0.95;
  multiply(turn, place, mover.body.centre);
  double vector[3] = {0, 0, angle};
  for (int i = 0; d == 3 && i < 3; i++)
    vector[i] = angle * axis[i] / pc_fe_length(axis);
  pc_quaternion_exp(vector, mover.attitude);
  if (e->wall)
    def.walls = 1, def.wall = &wall;
  if (e->body) {
    mover.shape = d == 2 ? pc_shape_disc(0.25, &error) : pc_shape_sphere(0.25, &error);
    def.bodies = 1, def.body = &mover;
    one.body = 0;
  }
  if (e->solid)
    one.other = pc_fe_mesh_find_group(&mesh, "under", d - 1);
  if (e->body || e->solid)
    def.meets = 1, def.meet = &one;
  pc_fe_motion *motion = make_motion(&def);
  size_t n = (size_t)(d * mesh.nodes);
  double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v);
  deform(&mesh, turn, u);
  spin_nodes(&mesh, way, spin, (double[]){0, 0, 0}, v);
  for (int i = 0; i < mesh.nodes; i++) {
    double w[3] = {0};
    bool other = mesh.node[i][up] > 0.7;
    for (int k = 0; k < d; k++)
      w[k] = other ? 0 : v[i * d + k];
    multiply(turn, w, w);
    memcpy(v + (size_t)i * (size_t)d, w, (size_t)d * sizeof *v);
  }
  assert_ok(pc_fe_motion_set(motion, u, v, NULL, &error), &error);
  outcome o = {.nodes = mesh.nodes, .place = calloc(3 * (size_t)mesh.nodes, sizeof(double))};
  o.before = turned_totals(motion, turn);
  double worst = 0;
  for (int i = 0; i < steps; i++) {
    advance(motion, 1);
    worst = fmax(worst, pc_fe_motion_balance(motion).identity);
  }
  assert_near(worst, 0, 1e-12);
  pc_fe_motion_account a = pc_fe_motion_balance(motion);
  assert_true(a.closed);
  o.after = turned_totals(motion, turn);
  pc_fe_motion_state s = pc_fe_motion_look(motion);
  o.events = s.events;
  o.percussion = s.wall[0].percussion[0];
  o.lost = a.volume + a.surface + a.reactions + a.rest;
  o.kinetic = a.now.kinetic;
  for (int i = 0; i < mesh.nodes; i++) {
    for (int k = 0; k < d; k++)
      o.place[3 * i + k] = mesh.node[i][k] + s.displacement[i * d + k];
    turn_back(turn, o.place + 3 * (size_t)i);
  }
  free(u);
  free(v);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
  pc_shape_release(mover.shape);
  return o;
}

// Where it happens in the world does not matter: turned by any angle, everything is the same.
static void collisions_do_not_depend_on_the_direction(void **state)
{
  static const encounter all[] = {
      {.k = {PC_QUAD4, true, true}, .wall = true},
      {.k = {PC_QUAD4, false, false}, .wall = true, .viscosity = 0.1},
      {.k = {PC_TRIANGLE3, true, false}, .body = true},
      {.k = {PC_QUAD4, false, false}, .solid = true},
      {.k = {PC_HEXAHEDRON8, false, false}, .wall = true, .viscosity = 0.1},
      {.k = {PC_TETRAHEDRON4, false, false}, .body = true},
      {.k = {PC_HEXAHEDRON8, false, false}, .solid = true},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    outcome a = meet(&all[i], 0, 55), b = meet(&all[i], 2.2, 55);
    double off = 0;
    for (int k = 0; k < 3 * a.nodes; k++)
      off = fmax(off, fabs(a.place[k] - b.place[k]));
    // The impulse is what both sides get along the normal; there is no friction.
    int d = dimension_of(all[i].k.type);
    double weight = 0.1 * 0.55 * (all[i].solid ? 0 : d == 2 ? 0.4 : 0.16);
    for (int c = 0; c < 3 && !all[i].body && all[i].viscosity == 0 && !all[i].solid; c++)
      assert_near(a.after.momentum[c] - a.before.momentum[c],
                  c == d - 1 ? -a.percussion
                  : c == 0   ? weight
                             : 0,
                  1e-12);
    assert_true(a.events > 0);
    assert_int_equal(a.events, b.events);
    assert_near(off, 0, 1e-8);
    assert_near(a.percussion, b.percussion, 1e-8);
    assert_near(a.lost, b.lost, 1e-8);
    assert_near(a.kinetic, b.kinetic, 1e-8);
    free(a.place);
    free(b.place);
  }
}

// A bar thrown with a spin on the ground: every collision of one node gives an impulse through that
// node, and nothing else changes the moment of momentum but the weight.
static void impulses_of_the_ground_turn_a_bar(void **state)
{
  const double g = 5;
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[4], (double[]){1, 0.2, 0}, (int[]){6, 1, 0});
  for (int i = 0; i < mesh.nodes; i++)
    mesh.node[i][1] += 1;
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 2000, .poisson = 0.3, .strain = 1e-3};
  pc_fe_motion_def def = large_def(&mesh, &solid, 0.005);
  pc_fe_wall wall = {.sides = pc_fe_mesh_find_group(&mesh, "skin", 1), .direction = {0, 1}};
  def.walls = 1, def.wall = &wall;
  def.gravity[1] = -g;
  pc_fe_motion *motion = make_motion(&def);
  double *v = calloc((size_t)(2 * mesh.nodes), sizeof *v);
  spin_nodes(&mesh, (double[]){0.5, -1, 0}, (double[]){0, 0, -4}, (double[]){0.5, 1.1, 0}, v);
  assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
  totals start = totals_of(motion), last = start;
  int struck = 0;
  double percussion = 0, mass = 0.2, drop = 0, x = 0.5;
  for (int i = 0; i < 160; i++) {
    double before = percussion;
    advance(motion, 1);
    pc_fe_motion_state s = pc_fe_motion_look(motion);
    totals now = totals_of(motion);
    percussion = s.wall[0].percussion[0];
    double middle = x + def.step * start.momentum[0] / mass / 2; // of the centre of mass
    x += def.step * start.momentum[0] / mass;
    assert_near(now.momentum[0], start.momentum[0], 1e-12);
    assert_near(now.momentum[1], start.momentum[1] - mass * g * s.time + percussion, 1e-11);
    // What is left of the change of the moment, over the impulse, is where the ground pushes.
    double moment = now.moment[2] - last.moment[2] + mass * g * def.step * middle;
    double push = percussion - before;
    if (push == 0)
      assert_near(moment, 0, 1e-12);
    if (push > 1e-6) {
      double least = 1;
      for (int k = 0; k < mesh.nodes; k++) {
        double height = mesh.node[k][1] + s.displacement[2 * k + 1];
        double at = mesh.node[k][0] + s.displacement[2 * k];
        if (height < 0.02)
          least = fmin(least, fabs(at - moment / push));
      }
      assert_true(least < 0.2); // between nodes at the ground
      struck++;
    }
    last = now;
    pc_fe_motion_account a = pc_fe_motion_balance(motion);
    drop = fmax(drop, a.identity);
    assert_true(a.closed); // above all, the ground gives no energy
  }
  assert_true(struck > 3);
  assert_near(drop, 0, 1e-12);
  pc_fe_motion_account a = pc_fe_motion_balance(motion);
  assert_true(a.volume > 0 && a.reactions >= 0);
  free(v);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
}

// The first mode of a free rod, u = cos(pi x), with the stress E e + 2 eta de/dt: its amplitude
// falls as exp(-eta pi^2 t / rho). Small and large deformations agree.
static void vibrations_die_as_their_viscosity_says(void **state)
{
  const double eta = 0.02, size = 1e-4, time = 2, step = 0.01;
  for (int large = 0; large < 2; large++) {
    pc_error error = {0};
    pc_fe_mesh mesh = pc_fe_mesh_empty(1);
    double x[17];
    pc_fe_grade(0, 1, 16, 1, x);
    pc_fe_mesh_add_line(&mesh, 16, x, "rod", "left", "right");
    assert_ok(pc_fe_mesh_quadratic(&mesh, false, &error), &error);
    pc_fe_solid solid = {.group = 0, .density = 1, .young = 1, .viscosity = eta};
    pc_fe_motion_def def = large_def(&mesh, &solid, step);
    def.large = large;
    pc_fe_motion *motion = make_motion(&def);
    double *v = calloc((size_t)mesh.nodes, sizeof *v);
    for (int i = 0; i < mesh.nodes; i++)
      v[i] = size * cos(PI * mesh.node[i][0]);
    assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
    double rate = eta * PI * PI, w = sqrt(PI * PI - rate * rate), last = 0, worst = 0;
    for (int i = 0; i < (int)round(time / step); i++) {
      advance(motion, 1);
      pc_fe_motion_account a = pc_fe_motion_balance(motion);
      assert_true(a.viscous > last);
      last = a.viscous;
      worst = fmax(worst, a.identity);
    }
    assert_near(worst, 0, 1e-12);
    double exact = size / w * exp(-rate * time) * sin(w * time);
    const double *u = pc_fe_motion_look(motion).displacement;
    for (int i = 0; i < mesh.nodes; i++)
      if (mesh.node[i][0] < 1e-9)
        assert_near(u[i] / size, exact / size, 2e-4);
    free(v);
    pc_fe_motion_destroy(motion);
    pc_fe_mesh_free(&mesh);
  }
}

// A viscous rod that is thrown with a spin ends in a steady spin: momentum and its moment stay, and
// the stretch is rho w^2 L^2 / (3 E), with the spin that is left.
static void a_viscous_rod_spins_on(void **state)
{
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[4], (double[]){2, 0.1, 0}, (int[]){8, 1, 0});
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 1000, .thin = true, .viscosity = 5};
  pc_fe_motion_def def = large_def(&mesh, &solid, 0.02);
  pc_fe_motion *motion = make_motion(&def);
  double *v = calloc((size_t)(2 * mesh.nodes), sizeof *v), rigid[6];
  spin_nodes(&mesh, (double[]){0.1, 0.2, 0}, (double[]){0, 0, 2}, (double[]){1, 0.05, 0}, v);
  assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
  totals before = totals_of(motion);
  double worst = 0, late = 0;
  for (int i = 0; i < 400; i++) {
    advance(motion, 1);
    pc_fe_motion_account a = pc_fe_motion_balance(motion);
    worst = fmax(worst, a.identity);
    if (i == 300)
      late = a.viscous;
  }
  totals after = totals_of(motion);
  assert_near(worst, 0, 1e-12);
  for (int c = 0; c < 3; c++) {
    assert_near(after.momentum[c], before.momentum[c], 1e-12);
    assert_near(after.moment[c], before.moment[c], 1e-12);
  }
  pc_fe_motion_account a = pc_fe_motion_balance(motion);
  assert_true(late > 0);
  assert_near(a.viscous / late, 1, 1e-6); // four turns of a rigid spin take nothing
  pc_fe_motion_state s = pc_fe_motion_look(motion);
  pc_fe_elastic_rigid(pc_fe_motion_elastic(motion), s.displacement, s.velocity, rigid);
  // S = rho w^2 (1 - x^2) / 2 along the rod, energy S^2 / 2E over its volume.
  double w = rigid[2], energy = 0.1 * w * w * w * w / 4 / (2 * 1000) * (16. / 15);
  assert_near(a.now.elastic / energy, 1, 0.02);
  free(v);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
}

// A rod that spins about its middle stretches, in the mean over its vibration, by
// rho w^2 L^3 / (3 E) at each end.
static void a_spinning_rod_is_stretched(void **state)
{
  const double half = 1, young = 1000, w = 0.5, step = 2e-3;
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[4], (double[]){2 * half, 0.05, 0}, (int[]){16, 1, 0});
  pc_fe_solid solid = {.group = 0, .density = 1, .young = young, .thin = true};
  pc_fe_motion_def def = large_def(&mesh, &solid, step);
  pc_fe_motion *motion = make_motion(&def);
  double *v = calloc((size_t)(2 * mesh.nodes), sizeof *v);
  spin_nodes(&mesh, (double[]){0, 0, 0}, (double[]){0, 0, w}, (double[]){half, 0.025, 0}, v);
  assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
  int ends[2] = {0};
  for (int i = 0; i < mesh.nodes; i++)
    for (int k = 0; k < 2; k++)
      if (fabs(mesh.node[i][0] - 2 * half * k) < 1e-9 && fabs(mesh.node[i][1] - 0.025) < 1e-9)
        ends[k] = i;
  double period = 4 * half / sqrt(young), sum = 0;
  int count = (int)round(10 * period / step);
  for (int i = 0; i < count; i++) {
    advance(motion, 1);
    const double *u = pc_fe_motion_look(motion).displacement;
    double x[2];
    for (int k = 0; k < 2; k++)
      x[k] = (k == 0 ? 2 * half : 0) + u[2 * ends[1] + k] - u[2 * ends[0] + k];
    sum += hypot(x[0], x[1]) / (2 * half) - 1;
  }
  assert_near(sum / count / (w * w * half * half / (3 * young)), 1, 0.005);
  free(v);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
}

// On the ground, in the middle of its tumble.
static void a_large_motion_goes_on_from_its_bytes(void **state)
{
  pc_error error = {0};
  pc_fe_mesh mesh = make_block(KINDS[2], (double[]){0.5, 0.2, 0}, (int[]){4, 2, 0});
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 500, .poisson = 0.3, .strain = 0.01};
  pc_fe_motion_def def = large_def(&mesh, &solid, 0.01);
  pc_fe_wall wall = {
      .sides = pc_fe_mesh_find_group(&mesh, "skin", 1), .direction = {0, 1}, .offset = -0.3};
  def.walls = 1, def.wall = &wall;
  def.gravity[1] = -5;
  pc_fe_motion *motion[2];
  double *v = calloc((size_t)(2 * mesh.nodes), sizeof *v);
  spin_nodes(&mesh, (double[]){0, 0, 0}, (double[]){0, 0, 3}, (double[]){0.25, 0.1, 0}, v);
  for (int i = 0; i < 2; i++) {
    motion[i] = make_motion(&def);
    assert_ok(pc_fe_motion_set(motion[i], NULL, v, NULL, &error), &error);
  }
  char *bytes[2];
  advance(motion[0], 40);
  size_t size = pc_fe_motion_save(motion[0], NULL, 0);
  bytes[0] = malloc(size);
  pc_fe_motion_save(motion[0], bytes[0], size);
  assert_ok(pc_fe_motion_load(motion[1], bytes[0], size, &error), &error);
  free(bytes[0]);
  for (int i = 0; i < 2; i++) {
    advance(motion[i], 40);
    size = pc_fe_motion_save(motion[i], NULL, 0);
    bytes[i] = malloc(size);
    pc_fe_motion_save(motion[i], bytes[i], size);
  }
  assert_true(pc_fe_motion_look(motion[0]).events > 0);
  assert_memory_equal(bytes[0], bytes[1], size);
  for (int i = 0; i < 2; i++) {
    free(bytes[i]);
    pc_fe_motion_destroy(motion[i]);
  }
  free(v);
  pc_fe_mesh_free(&mesh);
}

// A block that is crushed has no equilibrium at some time: an error that says so. A step of several
// radians converges in parts.
static void steps_that_do_not_converge_are_cut_or_reported(void **state)
{
  for (int crushed = 0; crushed < 2; crushed++) {
    pc_error error = {0};
    pc_fe_mesh mesh = make_block(KINDS[2], (double[]){1, 1, 0}, (int[]){2, 2, 0});
    pc_fe_solid solid = {.group = 0, .density = 1, .young = crushed ? 1 : 1000, .poisson = 0.3};
    pc_fe_motion_def def = large_def(&mesh, &solid, crushed ? 0.05 : 2);
    pc_fe_wall wall = {.sides = pc_fe_mesh_find_group(&mesh, "skin", 1), .direction = {0, 1}};
    if (crushed)
      def.walls = 1, def.wall = &wall;
    pc_fe_motion *motion = make_motion(&def);
    double *v = calloc((size_t)(2 * mesh.nodes), sizeof *v);
    spin_nodes(&mesh, (double[]){0, crushed ? -3 : 0, 0}, (double[]){0, 0, crushed ? 0 : 2},
               (double[]){0.5, 0.5, 0}, v);
    assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
    pc_status status = PC_OK;
    for (int i = 0; i < 20 && status == PC_OK; i++)
      status = pc_fe_motion_advance(motion, &error);
    if (crushed) {
      assert_int_equal(status, PC_ERROR_NUMERIC);
      assert_non_null(strstr(error.text, "; the material may be compressed or stretched too far:"));
    } else {
      assert_ok(status, &error);
      assert_near(pc_fe_motion_balance(motion).identity, 0, 1e-11);
      assert_near(totals_of(motion).moment[2], 2. / 6, 1e-11);
    }
    free(v);
    pc_fe_motion_destroy(motion);
    pc_fe_mesh_free(&mesh);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finite_rotations_pass_the_patch_test),
      cmocka_unit_test(forces_belong_to_the_energy),
      cmocka_unit_test(an_element_inside_out_is_seen),
      cmocka_unit_test(a_free_solid_keeps_what_it_has),
      cmocka_unit_test(small_motions_are_those_of_small_displacements),
      cmocka_unit_test(steps_are_of_order_two),
      cmocka_unit_test(a_bent_block_has_its_energy),
      cmocka_unit_test(viscosities_do_not_resist_rotations),
      cmocka_unit_test(a_stiff_bar_is_a_compound_pendulum),
      cmocka_unit_test(a_cantilever_is_the_elastica),
      cmocka_unit_test(a_spinning_rod_is_stretched),
      cmocka_unit_test(vibrations_die_as_their_viscosity_says),
      cmocka_unit_test(a_viscous_rod_spins_on),
      cmocka_unit_test(collisions_do_not_depend_on_the_direction),
      cmocka_unit_test(impulses_of_the_ground_turn_a_bar),
      cmocka_unit_test(a_large_motion_goes_on_from_its_bytes),
      cmocka_unit_test(steps_that_do_not_converge_are_cut_or_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
