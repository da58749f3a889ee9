// Gases of elastic bodies keep their energy: no step gives or takes any, also where a rebound
// throws bodies at others within the same step.
#include "worlds.h"

typedef enum kind { ROUND, BOXES, ROCKS, MIXED } kind; // mixed: of all kinds and sizes

typedef struct gas {
  const char *name;
  int dimension, bodies;
  kind of;
  pc_treatment treatment;
  double way; // speed x step over the radius of a body
  pc_looks looks;
} gas;

static const double room = 1, speed = 1;

static void add_walls(pc_world *world, int dimension)
{
  for (int side = 0; side < 2 * dimension; side++) {
    pc_body_def def = pc_body_def_default();
    double normal[3] = {0};
    def.kind = PC_FIXED;
    def.position[side / 2] = side % 2 == 0 ? 0 : room;
    normal[side / 2] = side % 2 == 0 ? 1 : -1;
    add(world, &def, pc_shape_plane(dimension, normal, NULL));
  }
}

// A hull of random points on a sphere.
static pc_shape *make_rock(double radius, pc_random *random)
{
  double vertex[12][3];
  for (int i = 0; i < 12; i++) {
    random_vector(random, 3, 1, vertex[i]);
    double size = sqrt(vertex[i][0] * vertex[i][0] + vertex[i][1] * vertex[i][1] +
                       vertex[i][2] * vertex[i][2]);
    for (int k = 0; k < 3; k++)
      vertex[i][k] *= radius / size;
  }
  return pc_shape_polyhedron(12, (const double(*)[3])vertex, false, NULL);
}

static pc_shape *make_shape(const gas *of, int i, double radius, pc_random *random)
{
  static const kind all[] = {ROUND, BOXES, ROCKS};
  kind what = of->of == MIXED ? all[i % 3] : of->of;
  if (of->of == MIXED)
    radius *= pc_random_uniform(random, 0.3, 1);
  double sizes[3] = {1.1 * radius, 0.9 * radius, 0.7 * radius};
  if (what == ROCKS && of->dimension == 3)
    return make_rock(radius, random);
  if (what == ROUND)
    return of->dimension == 2 ? pc_shape_disc(radius, NULL) : pc_shape_sphere(radius, NULL);
  double corner[4][2] = {{-0.6, -0.5}, {0.6, -0.5}, {0.6, 0.5}, {-0.6, 0.5}};
  for (int k = 0; k < 8; k++)
    corner[k / 2][k % 2] *= radius;
  return of->dimension == 2 ? pc_shape_polygon(4, (const double(*)[2])corner, false, NULL)
                            : pc_shape_box(sizes, NULL);
}

// Bodies on the cells of a grid, so that none overlap.
static pc_world *make_gas(const gas *of, pc_random *random, double *step_length)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = of->dimension;
  memset(def.gravity, 0, sizeof def.gravity);
  def.treatment = of->treatment;
  def.looks = of->looks;
  def.tolerance = 1e-14;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = 1, .p = 2}};
  assert_int_equal(pc_world_set_law(world, 0, 0, &law), PC_OK);
  add_walls(world, of->dimension);
  int side = (int)ceil(pow(of->bodies, 1.0 / of->dimension) - 1e-9);
  double cell = room / side, radius = 0.3 * cell;
  for (int i = 0; i < of->bodies; i++) {
    pc_body_def body = pc_body_def_default();
    for (int k = 0, at = i; k < of->dimension; k++, at /= side) {
      body.position[k] = (at % side + 0.5) * cell;
      body.velocity[k] = speed * pc_random_normal(random);
    }
    add(world, &body, make_shape(of, i, radius, random));
  }
  *step_length = of->way * radius / speed;
  return world;
}

static double energy_of(const pc_step_info *info)
{
  return info->kinetic_translation + info->kinetic_rotation;
}

static void check_gas(const gas *of, long steps, double tolerance)
{
  pc_random random = test_random(of->name);
  double h, most = 0;
  pc_world *world = make_gas(of, &random, &h);
  const pc_step_info *info = step(world, h);
  double before = energy_of(info);
  long contacts = 0, joined = 0;
  for (long i = 0; i < steps; i++) {
    info = step(world, h);
    contacts += info->contacts;
    joined += info->contacts > 1;
    most = fmax(most, fabs(energy_of(info) / before - 1));
  }
  printf("%s: %ld contacts in %ld steps, %ld steps with several; energy off by %.1e\n", of->name,
         contacts, steps, joined, most);
  assert_true(contacts > steps / 200);
  if (!(most <= tolerance))
    fail_msg("the energy has changed by %g of itself", most);
  pc_world_destroy(world);
}

static const gas gases[] = {
    {"discs", 2, 25, ROUND, PC_POSITION_LEVEL, 0.05, PC_LOOK_AGAIN},
    {"discs in long steps", 2, 25, ROUND, PC_POSITION_LEVEL, 0.4, PC_LOOK_AGAIN},
    {"discs at velocity level", 2, 25, ROUND, PC_VELOCITY_LEVEL, 0.05, PC_LOOK_AGAIN},
    {"discs at velocity level in long steps", 2, 25, ROUND, PC_VELOCITY_LEVEL, 0.2, PC_LOOK_AGAIN},
    {"balls", 3, 27, ROUND, PC_POSITION_LEVEL, 0.1, PC_LOOK_AGAIN},
    {"balls at velocity level", 3, 27, ROUND, PC_VELOCITY_LEVEL, 0.1, PC_LOOK_AGAIN},
    {"boxes", 3, 27, BOXES, PC_POSITION_LEVEL, 0.05, PC_LOOK_AGAIN},
    {"discs, looked at once", 2, 25, ROUND, PC_POSITION_LEVEL, 0.4, PC_LOOK_ONCE},
    {"eight balls", 3, 8, ROUND, PC_POSITION_LEVEL, 0.1, PC_LOOK_AGAIN},
    {"rocks", 3, 27, ROCKS, PC_POSITION_LEVEL, 0.05, PC_LOOK_AGAIN},
    {"rocks at velocity level", 3, 27, ROCKS, PC_VELOCITY_LEVEL, 0.05, PC_LOOK_AGAIN},
    {"a mixture", 3, 27, MIXED, PC_POSITION_LEVEL, 0.05, PC_LOOK_UNTIL_NONE_IS_MISSING},
    {"a mixture in the plane", 2, 25, MIXED, PC_VELOCITY_LEVEL, 0.1, PC_LOOK_AGAIN},
};

static void elastic_gases_keep_their_energy(void **state)
{
  const double round_off = 1e-15; // of a step with several contacts
  long steps = test_count_long(4000, 200000);
  for (size_t i = 0; i < sizeof gases / sizeof *gases; i++)
    check_gas(&gases[i], steps, round_off * (double)(steps + 1000));
}

// Ten million contacts.
static void a_gas_keeps_its_energy_for_ten_million_collisions(void **state)
{
  if (getenv("PERCUSS_TEST_LONG") == NULL)
    skip();
  check_gas(&gases[1], 1000000, 1e-9);
}

// A rock that turns freely: what round-off does to its energy has no preferred sign.
static void a_free_rock_keeps_its_energy(void **state)
{
  pc_random random = test_random("a_free_rock_keeps_its_energy");
  long steps = test_count_long(20000, 10000000);
  double most = 0;
  for (int i = 0; i < 4; i++) {
    pc_world_def def = pc_world_def_default();
    memset(def.gravity, 0, sizeof def.gravity);
    pc_world *world = pc_world_create(&def);
    pc_body_def body = pc_body_def_default();
    random_vector(&random, 3, 1, body.spin);
    add(world, &body, make_rock(1, &random));
    const pc_step_info *info = NULL;
    for (long k = 0; k < steps; k++)
      info = step(world, 0.01);
    most = fmax(most, fabs(info->kinetic_rotation / info->kinetic_start - 1));
    pc_world_destroy(world);
  }
  printf("energy off by %.1e in %ld steps\n", most, steps);
  assert_true(most <= 2e-14 * sqrt((double)steps));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_free_rock_keeps_its_energy),
      cmocka_unit_test(elastic_gases_keep_their_energy),
      cmocka_unit_test(a_gas_keeps_its_energy_for_ten_million_collisions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
