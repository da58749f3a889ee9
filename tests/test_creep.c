// What rests, stays: at default settings a structure at rest moves by less than 1e-9 of a body's
// size per second, however long it is stepped. An error that has the same sign in every step would
// add up: boxes would slide down a slope that friction holds, and walls would open.
#include <math.h>
#include <string.h>

#include "worlds.h"

// Bodies have edges of about 1 m, so what gravity gives in a step is a tenth of a size per second.
static const double h = 0.01;
static const double allowed = 1e-9; // sizes per second
enum { MANY = 100000, SOME = 20000, FEW = 10000 };
// Structures start where they should stay. Small ones are solved at once; sweeps over large ones
// take some hundred steps to get to round-off, and a heap has to fall first.
static const double settling = 0.5, settling_large = 2, settling_heap = 20;

static pc_world *make_world(int dimension, double slope)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  memset(def.gravity, 0, sizeof def.gravity);
  def.gravity[0] = 9.81 * sin(slope);
  def.gravity[dimension - 1] = -9.81 * cos(slope);
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  return world;
}

static void set_friction(pc_world *world, double mu)
{
  pc_law law = {.normal = {.kind = PC_NORMAL_INELASTIC},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {mu}, .on = PC_ON_AFTER}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
}

static void add_box(pc_world *world, const double at[3], const double size[3], double mass)
{
  pc_body_def def = pc_body_def_default();
  memcpy(def.position, at, sizeof def.position);
  def.mass = mass;
  if (pc_world_definition(world)->dimension == 3) {
    add(world, &def, pc_shape_box(size, NULL));
    return;
  }
  double x = 0.5 * size[0], y = 0.5 * size[1];
  const double corner[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  add(world, &def, pc_shape_polygon(4, corner, true, NULL));
}

// A cube, or a square, with its lower face at a height.
static void add_cube(pc_world *world, double x, double bottom, double mass)
{
  int up = pc_world_definition(world)->dimension - 1;
  double at[3] = {x};
  at[up] = bottom + 0.5;
  add_box(world, at, (const double[3]){1, 1, 1}, mass);
}

static void add_plane(pc_world *world, const double at[3], const double normal[3])
{
  pc_body_def def = pc_body_def_default();
  def.kind = PC_FIXED;
  memcpy(def.position, at, sizeof def.position);
  add(world, &def, pc_shape_plane(pc_world_definition(world)->dimension, normal, NULL));
}

typedef struct place {
  double position[3], orientation[4];
} place;

static void note_places(const pc_world *world, place *places)
{
  for (int i = 0; i < pc_world_bodies(world); i++) {
    pc_body_state state;
    pc_body_get(world, (pc_body){i + 1}, &state);
    memcpy(places[i].position, state.position, sizeof places[i].position);
    memcpy(places[i].orientation, state.orientation, sizeof places[i].orientation);
  }
}

// The farthest that a point of a body went: its centre's way, and its turn times half its size.
static double farthest(const place *from, const place *to, int count)
{
  double most = 0;
  for (int i = 0; i < count; i++) {
    double way = 0, turn = 0;
    for (int k = 0; k < 3; k++)
      way += pow(to[i].position[k] - from[i].position[k], 2);
    for (int k = 0; k < 4; k++)
      turn += pow(to[i].orientation[k] - from[i].orientation[k], 2);
    most = fmax(most, sqrt(way) + sqrt(turn));
  }
  return most;
}

// Steps a world and checks how fast its bodies creep after the time to settle.
static void check_rest(const char *name, pc_world *world, double settle, int steps)
{
  int count = pc_world_bodies(world), before = (int)lround(settle / h);
  double residual = 0, sweeps = 0;
  place *from = calloc((size_t)count, sizeof *from), *to = calloc((size_t)count, sizeof *to);
  assert_non_null(from);
  assert_non_null(to);
  for (int i = 0; i < steps; i++) {
    if (i == before)
      note_places(world, from);
    const pc_step_info *info = step(world, h);
    if (i < before)
      continue;
    assert_int_equal(info->status, PC_SOLVED);
    residual = fmax(residual, info->residual);
    sweeps += info->iterations;
  }
  note_places(world, to);
  double creep = farthest(from, to, count) / ((steps - before) * h);
  printf("%-26s %5d contacts, %6d steps: creep %.1e /s, residual %.1e, sweeps %.1f\n", name,
         pc_world_contacts(world), steps, creep, residual, sweeps / (steps - before));
  if (!(creep < allowed))
    fail_msg("%s creeps by %.1e sizes per second", name, creep);
  free(from);
  free(to);
  pc_world_destroy(world);
}

static const double mu = 0.5, part_of_angle = 0.95;

static void boxes_on_a_slope(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world *world = make_world(dimension, part_of_angle * atan(mu));
    add_floor(world);
    add_cube(world, 0, 0, 1);
    check_rest(dimension == 2 ? "box on a slope, plane" : "box on a slope, space", world, settling,
               MANY);
  }
}

// The slope is turned, not gravity: contacts are at coordinates with round-off.
static void boxes_on_a_turned_slope(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    double angle = part_of_angle * atan(mu), normal[3] = {-sin(angle)};
    normal[dimension - 1] = cos(angle);
    pc_world *world = make_world(dimension, 0);
    add_plane(world, (const double[3]){0}, normal);
    for (int i = 0; i < 3; i++) {
      pc_body_def def = pc_body_def_default();
      double along = 3.0 * i;
      def.position[0] = along * cos(angle) + 0.5 * normal[0];
      def.position[dimension - 1] = along * sin(angle) + 0.5 * normal[dimension - 1];
      def.orientation[0] = cos(0.5 * angle);
      def.orientation[dimension == 2 ? 3 : 2] = (dimension == 2 ? 1 : -1) * sin(0.5 * angle);
      const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
      add(world, &def,
          dimension == 2 ? pc_shape_polygon(4, corner, true, NULL)
                         : pc_shape_box((const double[3]){1, 1, 1}, NULL));
    }
    check_rest(dimension == 2 ? "boxes, turned slope, plane" : "boxes, turned slope, space", world,
               settling, MANY);
  }
}

// Three boxes on each other on the slope; friction must be mobilised in every joint.
static void stacks_on_a_slope(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world *world = make_world(dimension, part_of_angle * atan(0.3));
    set_friction(world, 0.3);
    add_floor(world);
    for (int i = 0; i < 3; i++)
      add_cube(world, 0, i, 1);
    check_rest(dimension == 2 ? "stack on a slope, plane" : "stack on a slope, space", world,
               settling, MANY);
  }
}

static void stacks(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int heavy = 0; heavy < 2; heavy++) {
      pc_world *world = make_world(dimension, 0);
      add_floor(world);
      for (int i = 0; i < 10; i++)
        add_cube(world, 0, i, heavy && i == 9 ? 100 : 1);
      check_rest(heavy ? dimension == 2 ? "stack, 100 on 1, plane" : "stack, 100 on 1, space"
                 : dimension == 2 ? "stack of ten, plane"
                                  : "stack of ten, space",
                 world, settling, heavy ? SOME : MANY);
    }
}

// A half circle of wedges between two fixed ones, thick enough to stand (t/R = 0.25; it falls below
// 0.107).
static void arches(void **state)
{
  enum { STONES = 9 };
  const double mid = 3, half = 0.375, wide = 0.5;
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world *world = make_world(dimension, 0);
    set_friction(world, 0.7);
    for (int i = -1; i <= STONES; i++) {
      pc_body_def def = pc_body_def_default();
      double flat[4][2], deep[8][3];
      for (int c = 0; c < 4; c++) {
        double angle = acos(-1) * (i + (c == 1 || c == 2)) / STONES,
               radius = mid + (c < 2 ? -half : half);
        flat[3 - c][0] = radius * cos(angle), flat[3 - c][1] = radius * sin(angle);
        for (int side = 0; side < 2; side++) {
          double *at = deep[4 * side + c];
          at[0] = flat[3 - c][0], at[1] = side ? wide : -wide, at[2] = flat[3 - c][1];
        }
      }
      def.kind = i < 0 || i == STONES ? PC_FIXED : PC_FREE;
      add(world, &def,
          dimension == 2 ? pc_shape_polygon(4, (const double(*)[2])flat, true, NULL)
                         : pc_shape_polyhedron(8, (const double(*)[3])deep, true, NULL));
    }
    check_rest(dimension == 2 ? "arch, plane" : "arch, space", world, settling, SOME);
  }
}

// Bricks in running bond, half a brick from course to course; joints in a course are open.
static void walls(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    int courses = dimension == 2 ? 10 : 6, across = dimension == 2 ? 6 : 4;
    pc_world *world = make_world(dimension, 0);
    add_floor(world);
    for (int j = 0; j < courses; j++)
      for (int i = 0; i < across + j % 2; i++) {
        bool short_one = j % 2 && (i == 0 || i == across);
        double at[3] = {i - (j % 2 ? 0.5 : 0) + (short_one ? i == 0 ? 0.25 : -0.25 : 0)};
        double size[3] = {short_one ? 0.49 : 0.99, 0.5, 0.3};
        size[dimension - 1] = 0.3;
        at[dimension - 1] = 0.3 * j + 0.15;
        add_box(world, at, size, 0);
      }
    check_rest(dimension == 2 ? "wall, plane" : "wall, space", world, settling_large, FEW);
  }
}

static void pyramids(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    int base = dimension == 2 ? 12 : 6;
    pc_world *world = make_world(dimension, 0);
    add_floor(world);
    for (int row = 0; row < base; row++)
      for (int i = 0; i < base - row; i++)
        add_cube(world, i - 0.5 * (base - row - 1), row, 1);
    check_rest(dimension == 2 ? "pyramid, plane" : "pyramid, space", world, settling_large, FEW);
  }
}

static void add_pit(pc_world *world, double width)
{
  add_floor(world);
  for (int i = 0; i < 4; i++) {
    double at[3] = {0}, normal[3] = {0};
    at[i / 2] = i % 2 ? width : 0;
    normal[i / 2] = i % 2 ? -1 : 1;
    add_plane(world, at, normal);
  }
}

static void add_ball(pc_world *world, double x, double y, double z)
{
  pc_body_def def = pc_body_def_default();
  def.position[0] = x, def.position[1] = y, def.position[2] = z;
  add(world, &def, pc_shape_sphere(0.5, NULL));
}

// Layers of balls as cannon balls are piled, in a pit that holds the lowest.
static void piles_of_balls(void **state)
{
  enum { BASE = 6 };
  pc_world *world = make_world(3, 0);
  add_pit(world, BASE);
  for (int layer = 0; layer < BASE; layer++)
    for (int i = 0; i < BASE - layer; i++)
      for (int j = 0; j < BASE - layer; j++)
        add_ball(world, 0.5 * (layer + 1) + i, 0.5 * (layer + 1) + j, 0.5 + layer * sqrt(0.5));
  check_rest("cannon balls", world, settling_large, FEW);
}

// Boxes that have fallen into a pit, turned at random. (Balls do not come to rest: some roll.)
static void heaps(void **state)
{
  pc_random random = test_random("heaps");
  const double size[3] = {1.2, 1, 0.9};
  pc_world *world = make_world(3, 0);
  add_pit(world, 3.6);
  for (int i = 0; i < 2 * 2 * 7; i++) {
    pc_body_def def = pc_body_def_default();
    def.position[0] = 0.9 + 1.8 * (i % 2);
    def.position[1] = 0.9 + 1.8 * (i / 2 % 2);
    def.position[2] = 0.95 + 1.85 * (i / 4);
    random_vector(&random, 4, 1, def.orientation);
    add(world, &def, pc_shape_box(size, NULL));
  }
  check_rest("heap of boxes", world, settling_heap, FEW);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_on_a_slope),
                                     cmocka_unit_test(boxes_on_a_turned_slope),
                                     cmocka_unit_test(stacks_on_a_slope),
                                     cmocka_unit_test(stacks),
                                     cmocka_unit_test(arches),
                                     cmocka_unit_test(walls),
                                     cmocka_unit_test(pyramids),
                                     cmocka_unit_test(piles_of_balls),
                                     cmocka_unit_test(heaps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
