// Gases of elastic bodies keep their energy: no step gives or takes any, also where a rebound
// throws bodies at others within the same step.
#include "worlds.h"

typedef struct gas {
  const char *name;
  int dimension, bodies;
  bool boxes;
  pc_treatment treatment;
  double way; // speed x step over the radius of a body
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

// Bodies on the cells of a grid, so that none overlap.
static pc_world *make_gas(const gas *of, pc_random *random, double *step_length)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = of->dimension;
  memset(def.gravity, 0, sizeof def.gravity);
  def.treatment = of->treatment;
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
    double sizes[3] = {1.1 * radius, 0.9 * radius, 0.7 * radius};
    add(world, &body,
        of->boxes            ? pc_shape_box(sizes, NULL)
        : of->dimension == 2 ? pc_shape_disc(radius, NULL)
                             : pc_shape_sphere(radius, NULL));
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
    {"discs", 2, 25, false, PC_POSITION_LEVEL, 0.05},
    {"discs in long steps", 2, 25, false, PC_POSITION_LEVEL, 0.4},
    {"discs at velocity level", 2, 25, false, PC_VELOCITY_LEVEL, 0.05},
    {"discs at velocity level in long steps", 2, 25, false, PC_VELOCITY_LEVEL, 0.2},
    {"balls", 3, 27, false, PC_POSITION_LEVEL, 0.1},
    {"balls at velocity level", 3, 27, false, PC_VELOCITY_LEVEL, 0.1},
    {"boxes", 3, 27, true, PC_POSITION_LEVEL, 0.05},
};

static void elastic_gases_keep_their_energy(void **state)
{
  const double round_off = 1e-15; // of a step with several contacts
  long steps = test_count_long(10000, 200000);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastic_gases_keep_their_energy),
      cmocka_unit_test(a_gas_keeps_its_energy_for_ten_million_collisions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
