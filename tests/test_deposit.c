// Deposits: heights of columns against the narrow phase, and area, thickness, outline and runout of
// bodies whose places are known.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "geometry/narrow.h"
#include "geometry/shape.h"
#include "percuss/run.h"

static char base[80], map[90], outline[90];

static int name_files(void **state)
{
  int result = make_folder(state);
  strcpy(base, in_folder("a.h5"));
  strcpy(map, in_folder("a-deposit.asc"));
  strcpy(outline, in_folder("a-outline.csv"));
  return result;
}

static pc_pose random_pose(pc_random *random)
{
  double at[3], q[4];
  for (int k = 0; k < 3; k++)
    at[k] = pc_random_uniform(random, -1, 1);
  for (int k = 0; k < 4; k++)
    q[k] = pc_random_normal(random);
  pc_quaternion_normalise(q);
  return pc_pose_of(at, q);
}

static pc_shape *random_shape(pc_random *random, int kind)
{
  double size[3], points[12][3];
  for (int k = 0; k < 3; k++)
    size[k] = pc_random_uniform(random, 0.5, 2);
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < 3; k++)
      points[i][k] = pc_random_normal(random);
  switch (kind) {
  case 0:
    return pc_shape_sphere(size[0], NULL);
  case 1:
    return pc_shape_box(size, NULL);
  case 2:
    return pc_shape_polyhedron(12, (const double(*)[3])points, false, NULL);
  case 3:
    return pc_shape_capsule(size[0], size[1], NULL);
  case 4:
    return pc_shape_cylinder(size[0], size[1], NULL);
  default:
    return pc_shape_plane(3, points[0], NULL);
  }
}

// Whether a small ball at a point touches the shape.
static bool touches(const pc_shape *shape, const pc_pose *pose, double x, double y, double z,
                    double radius)
{
  pc_shape *ball = pc_shape_sphere(radius, NULL);
  double at[3] = {x, y, z}, upright[4] = {1};
  pc_pose there = pc_pose_of(at, upright);
  pc_contact_list list = {0};
  assert_int_equal(pc_collide(ball, &there, shape, pose, 0, &list), PC_OK);
  bool touch = list.count > 0;
  free(list.at);
  pc_shape_release(ball);
  return touch;
}

static void columns_end_at_surfaces(void **state)
{
  pc_random random = test_random("columns");
  const double radius = 1e-4;
  int met = 0;
  for (int n = 0; n < test_count(3000); n++) {
    pc_shape *shape = random_shape(&random, n % 6);
    pc_pose pose = random_pose(&random);
    double x = pc_random_uniform(&random, -2, 2), y = pc_random_uniform(&random, -2, 2);
    double low = 0, high = 0;
    bool hit = pc_shape_column(shape, &pose, x, y, &low, &high);
    double z = pc_random_uniform(&random, -4, 4);
    if (hit && z > fmax(low, -4) && z < high)
      assert_true(touches(shape, &pose, x, y, z, radius));
    // The surface is there, and ends there: just above it is nothing.
    if (hit && high - fmax(low, -9) > 0.5 && high < 9) {
      met++;
      assert_true(touches(shape, &pose, x, y, high, radius));
      assert_false(touches(shape, &pose, x, y, high + 1e-4, 1e-8));
      if (isfinite(low)) {
        assert_true(touches(shape, &pose, x, y, low, radius));
        assert_false(touches(shape, &pose, x, y, low - 1e-4, 1e-8));
      }
    }
    if (!hit && n % 6 < 5)
      assert_false(touches(shape, &pose, x, y, z, 1e-8));
    pc_shape_release(shape);
  }
  assert_true(met > test_count(3000) / 10);
}

// A mesh that is turned has the heights of the same points turned.
static void meshes_have_heights(void **state)
{
  pc_random random = test_random("meshes");
  double height[20];
  for (int i = 0; i < 20; i++)
    height[i] = pc_random_uniform(&random, 0, 3);
  const double origin[2] = {0, 0}, up[4] = {1};
  pc_shape *shape = pc_shape_heights(5, 4, 1, origin, height, NULL);
  const double zero[3] = {0};
  pc_pose here = pc_pose_of(zero, up);
  double low, high;
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 5; i++) { // also at the border
      assert_true(pc_shape_column(shape, &here, i, j, &low, &high));
      assert_near(high, height[5 * j + i], 1e-12);
    }
  for (int n = 0; n < test_count(2000); n++) {
    double x = pc_random_uniform(&random, 0, 4), y = pc_random_uniform(&random, 0, 3);
    int i = (int)x, j = (int)y;
    double u = x - i, v = y - j, a = height[5 * j + i], b = height[5 * j + i + 1];
    double c = height[5 * j + 5 + i], d = height[5 * j + 5 + i + 1];
    // Cells are cut from their low to their high corner.
    double want = u > v ? a + u * (b - a) + v * (d - b) : a + v * (c - a) + u * (d - c);
    assert_true(pc_shape_column(shape, &here, x, y, &low, &high));
    assert_near(high, want, 1e-12);
    assert_true(low == -INFINITY);
    assert_false(pc_shape_column(shape, &here, x + 4.001, y, &low, &high));
    // The same point of a mesh that is turned: the line through it meets it, there or above.
    pc_pose pose = random_pose(&random);
    double point[3] = {x, y, want}, there[3];
    pc_to_world(&pose, point, there);
    if (fabs(pose.rotation[8]) > 0.2) {
      assert_true(pc_shape_column(shape, &pose, there[0], there[1], &low, &high));
      assert_true(high > there[2] - 1e-9);
    }
  }
  pc_shape_release(shape);
}

#define SCENE(step, more)                                                                          \
  "kind: rigid\nduration: 2\nstep: " step "\noutput: {deposit: {spacing: 0.5}}\n" more
#define GROUND "obstacles: [{name: ground, shape: {type: plane}}]\n"

static pc_run_summary run_all(const char *text, const char *output)
{
  pc_scene scene;
  pc_run_summary summary;
  pc_error error = {.text = ""};
  if (pc_scene_parse("scene.yaml", text, &scene, &error) != PC_OK)
    fail_msg("%s\n%s", error.text, text);
  pc_run_options options = {.output = output};
  assert_ok(pc_run_scene(&scene, &options, &summary, &error), &error);
  pc_scene_free(&scene);
  assert_true(summary.deposit.measured);
  return summary;
}

static pc_deposit run(const char *text, const char *output)
{
  return run_all(text, output).deposit;
}

// Area of every outline, to the left positive; how many there are.
static int outline_areas(double *area, int most)
{
  FILE *file = fopen(outline, "r");
  char line[200];
  int count = 0, number;
  double x, y, first[2] = {0}, last[2] = {0};
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  assert_string_equal(line, "outline,x,y\n");
  while (fgets(line, sizeof line, file) != NULL) {
    assert_int_equal(sscanf(line, "%d,%lf,%lf", &number, &x, &y), 3);
    if (number > count) { // outlines are closed
      assert_true(last[0] == first[0] && last[1] == first[1]);
      assert_true(count < most);
      area[count++] = 0;
      first[0] = x, first[1] = y;
    } else {
      area[count - 1] += 0.5 * (last[0] * y - last[1] * x);
    }
    last[0] = x, last[1] = y;
  }
  assert_true(last[0] == first[0] && last[1] == first[1]);
  fclose(file);
  return count;
}

// Thickness at the cell that holds a point, from the written map.
static double map_at(double x, double y)
{
  pc_error error = {.text = ""};
  pc_shape *shape = pc_shape_heights_file(map, &error);
  double low, high = -1, zero[3] = {0}, upright[4] = {1};
  if (shape == NULL)
    fail_msg("%s", error.text);
  pc_pose here = pc_pose_of(zero, upright);
  assert_true(pc_shape_column(shape, &here, x, y, &low, &high));
  pc_shape_release(shape);
  return high;
}

static void a_box_at_rest(void **state)
{
  static const char text[] = SCENE(
      "0.01", GROUND "bodies: [{position: [1, 2, 0.5], shape: {type: box, size: [4, 2, 1]}}]\n");
  pc_deposit d = run(text, base);
  double area[4], s = 0.5;
  assert_near(d.area, 8, 1e-9);
  assert_near(d.thickest, 1, 1e-6);
  assert_near(d.bulk, 8, 1e-5);
  assert_near(d.volume, 8, 1e-12);
  assert_near(d.longest, 0, 1e-6);
  assert_near(d.centre_drop, 0, 1e-6);
  // From one corner above to the opposite one below.
  assert_near(d.runout, hypot(4, 2), 1e-6);
  assert_near(d.drop, 1, 1e-6);
  assert_near(d.reach_angle, atan(1 / hypot(4, 2)) * 180 / acos(-1), 1e-4);
  assert_int_equal(d.bodies, 1);
  assert_int_equal(d.moving, 0);
  assert_int_equal(d.astray, 0);
  // Marching squares cut a triangle with sides s / 2 from each of the four corners.
  assert_int_equal(outline_areas(area, 4), 1);
  assert_near(area[0], 8 - 4 * s * s / 8, 1e-6);
  assert_near(map_at(-0.75, 1.25), 1, 1e-6); // the first cell of the box, and the one before it
  assert_near(map_at(-1.25, 1.25), 0, 1e-12);
}

// Without gravity a body goes where its velocity takes it; what is below it counts as thickness.
static void a_box_that_flew(void **state)
{
  static const char text[] =
      SCENE("0.01", "gravity: [0, 0, 0]\n" GROUND
                    "bodies: [{position: [0, 0, 5], velocity: [3, 0, -1], shape: {type: box, size: "
                    "[1, 1, 1]}}]\n");
  pc_deposit d = run(text, NULL);
  assert_near(d.longest, 6, 1e-9);
  assert_near(d.centre_travel, 6, 1e-9);
  assert_near(d.centre_drop, 2, 1e-9);
  assert_near(d.runout, hypot(7, 1), 1e-9);
  assert_near(d.drop, 5.5, 1e-9);
  assert_near(d.thickest, 3.5, 1e-9);
  assert_near(d.area, 1, 1e-9);
  assert_int_equal(d.moving, 1);
}

// Friction stops a box after v^2 / (2 mu g).
static void a_box_that_slid(void **state)
{
  static const char text[] = SCENE(
      "1e-3", GROUND "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: "
                     "0.5}}\nbodies: [{position: [0, 0, 0.5], velocity: [4, 3, 0], shape: "
                     "{type: box, size: [2, 2, 1]}}]\n");
  pc_deposit d = run(text, NULL);
  double way = 25 / (2 * 0.5 * 9.81);
  assert_near(d.longest, way, 5 * 1e-3); // a step at full speed
  assert_near(d.centre_travel, d.longest, 1e-9);
  assert_int_equal(d.moving, 0);
}

// Eight cubes around a hole: two outlines, the second the other way round.
static void a_ring_has_a_hole(void **state)
{
  char text[1200] = SCENE("0.01", "gravity: [0, 0, 0]\n" GROUND "bodies:\n");
  for (int i = 0; i < 9; i++)
    if (i != 4) {
      char one[100];
      snprintf(one, sizeof one,
               "  - {position: [%d.5, %d.5, 0.5], shape: {type: box, size: [1, 1, 1]}}\n", i % 3,
               i / 3);
      strcat(text, one);
    }
  double area[4], s = 0.5;
  pc_deposit d = run(text, base);
  assert_near(d.area, 8, 1e-9);
  assert_int_equal(d.bodies, 8);
  assert_int_equal(outline_areas(area, 4), 2);
  assert_near(area[0], 9 - s * s / 2, 1e-9);
  assert_near(area[1], -(1 - s * s / 2), 1e-9);
}

// A ball: 5/3 pi r^3 is below its upper half.
static void a_ball(void **state)
{
  static const char text[] =
      "kind: rigid\nduration: 0.1\nstep: 0.01\noutput: {deposit: {spacing: 0.02}}\n" GROUND
      "bodies: [{position: [3, 4, 1], shape: {type: sphere, radius: 1}}]\n";
  pc_deposit d = run(text, NULL);
  assert_near(d.thickest, 2, 1e-3);
  assert_near(d.area, acos(-1), 0.01);
  assert_near(d.bulk, 5.0 / 3 * acos(-1), 0.02);
  assert_near(d.runout, 1, 1e-9); // to its edge, also right below where it began
  assert_near(hypot(d.toe[0] - d.source[0], d.toe[1] - d.source[1]), d.runout, 1e-9);
  assert_near(d.drop, 2, 1e-6);
}

// Obstacles with a volume are ground, terrain ends, and what is below it is astray.
static void ground_is_what_is_there(void **state)
{
  static const char text[] =
      SCENE("0.01", "gravity: [0, 0, 0]\noverlaps: allowed\n"
                    "obstacles:\n"
                    "  - {shape: {type: heights, spacing: 10, heights: [[0, 0], [0, 0]]}}\n"
                    "  - {position: [2.5, 2.5, 0.5], shape: {type: box, size: [2, 2, 1]}}\n"
                    "shapes: [{name: cube, type: box, size: [1, 1, 1]}]\n"
                    "bodies:\n"
                    "  - {shape: cube, position: [2.5, 2.5, 1.5]}\n"
                    "  - {shape: cube, position: [7.5, 7.5, 0.5]}\n"
                    "  - {shape: cube, position: [5.5, 5.5, -3]}\n"
                    "  - {shape: cube, position: [50, 5, 1]}\n");
  pc_deposit d = run(text, base);
  assert_int_equal(d.bodies, 2);
  assert_int_equal(d.astray, 2);
  assert_int_equal(d.below, 1);
  assert_near(d.volume, 2, 1e-12);
  assert_near(d.area, 2, 1e-9);
  assert_near(d.bulk, 2, 1e-6);
  assert_near(d.thickest, 1, 1e-6);
  assert_near(map_at(2.25, 2.25), 1, 1e-6);
  assert_near(map_at(5.25, 5.25), 0, 1e-6);
}

// One of two balls falls past the edge. Kept, it falls to the end; removed, it takes along the
// energy that it started with, m g z, and the other moves as before, to the bit.
static void lost_bodies_leave(void **state)
{
  static const char text[] =
      "kind: rigid\nduration: 2\nstep: 1e-3\n"
      "output: {deposit: {spacing: 0.5}, bounds: [[-9, -9, -2], [20, 20, 9]]%s}\n"
      "materials: [{name: m, density: 1000}]\n"
      "default_law: {normal: {kind: restitution, e: 0.5}}\n"
      "obstacles: [{shape: {type: heights, spacing: 10, heights: [[0, 0], [0, 0]]}}]\n"
      "bodies:\n"
      "  - {shape: {type: sphere, radius: 0.1}, material: m, position: [5, 5, 0.5]}\n"
      "  - {shape: {type: sphere, radius: 0.1}, material: m, position: [15, 5, 1]}\n";
  char scene[1000];
  snprintf(scene, sizeof scene, text, "");
  pc_run_summary kept = run_all(scene, base);
  snprintf(scene, sizeof scene, text, ", lost: removed");
  pc_run_summary removed = run_all(scene, base);
  double mass = 1000 * 4 / 3.0 * 3.14159265358979323846 * 1e-3, energy = 9.81 * mass;
  assert_int_equal(kept.lost, 1);
  assert_int_equal(removed.lost, 1);
  assert_int_equal(kept.deposit.astray, 1);
  assert_int_equal(kept.deposit.below, 0);
  assert_int_equal(removed.deposit.astray, 0);
  assert_int_equal(removed.deposit.bodies, 1);
  assert_near(kept.given_by_events, 0, 0);
  assert_near(removed.given_by_events, -energy, 1e-9 * energy);
  assert_near(kept.kinetic - removed.kinetic, 0.5 * mass * 9.81 * 9.81 * 4, 1e-9);
  assert_near(kept.dissipated, removed.dissipated, 1e-12);
  assert_true(removed.drift < 1e-12);
}

// Every column of a table of a run is refused as the name of a sensor: it would be there twice.
static void columns_are_no_names_of_sensors(void **state)
{
  static const char text[] =
      SCENE("0.1", "heat: {specific_heat: 2, exchange: 1, outside: 280}\n" GROUND
                   "bodies: [{name: a, shape: {type: sphere, radius: 1}, position: [0, 0, 2]}]\n");
  char table[6000], scene[1000], *rest = NULL;
  run(text, base);
  FILE *file = fopen(in_folder("a.csv"), "r");
  assert_non_null(file);
  assert_non_null(fgets(table, sizeof table, file));
  fclose(file);
  int count = 0;
  for (char *name = strtok_r(table, ",\n", &rest); name != NULL;
       name = strtok_r(NULL, ",\n", &rest), count++) {
    pc_scene read;
    pc_error error = {.text = ""};
    snprintf(scene, sizeof scene,
             "%ssensors: [{name: %s, kind: velocity, bodies: a, axis: [0, 0, 1]}]\n", text, name);
    if (pc_scene_parse("scene.yaml", scene, &read, &error) == PC_OK)
      fail_msg("a sensor may be called %s", name);
    assert_non_null(strstr(error.text, "is a column of the table"));
  }
  assert_true(count > 40);
}

static void read_all(const char *path, char *text, size_t size)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  text[fread(text, 1, size - 1, file)] = 0;
  fclose(file);
}

static bool stop_in_the_middle(void *context, const pc_run_progress *progress)
{
  return progress->step < 50;
}

// What was stopped writes nothing; what goes on from there writes the same.
static void resumed_runs_agree(void **state)
{
  static const char text[] =
      SCENE("0.01", GROUND "bodies: [{position: [0, 0, 2], velocity: [4, 3, 0], spin: [1, 2, 3], "
                           "shape: {type: box, size: [2, 1, 1]}}]\n");
  static char first[2][40000], second[2][40000];
  pc_deposit whole = run(text, base);
  read_all(map, first[0], sizeof first[0]);
  read_all(outline, first[1], sizeof first[1]);
  unlink(map);
  pc_scene scene;
  pc_run_summary summary;
  pc_run_options options = {.output = base, .listener = stop_in_the_middle};
  assert_int_equal(pc_scene_parse("scene.yaml", text, &scene, NULL), PC_OK);
  assert_int_equal(pc_run_scene(&scene, &options, &summary, NULL), PC_OK);
  assert_false(summary.finished || summary.deposit.measured);
  assert_int_not_equal(access(map, R_OK), 0);
  pc_scene_free(&scene);
  options = (pc_run_options){.output = base, .resume = true};
  assert_int_equal(pc_scene_parse("scene.yaml", text, &scene, NULL), PC_OK);
  assert_int_equal(pc_run_scene(&scene, &options, &summary, NULL), PC_OK);
  pc_scene_free(&scene);
  assert_true(summary.finished);
  assert_memory_equal(&summary.deposit, &whole, sizeof whole);
  read_all(map, second[0], sizeof second[0]);
  read_all(outline, second[1], sizeof second[1]);
  assert_string_equal(first[0], second[0]);
  assert_string_equal(first[1], second[1]);
}

static void bad_deposits_are_refused(void **state)
{
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"deposit: {}", "'spacing'"},
      {"deposit: {spacing: 0}", "must be positive"},
      {"deposit: {spacing: 1, thinnest: -1}", "must be positive"},
      {"deposit: {spacing: 1, colour: red}", "unknown key 'colour'"},
      {"deposit: {spacing: 1, bodies: rock}", "no body, obstacle or generator is named 'rock'"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[400];
    pc_scene scene;
    pc_error error = {.text = ""};
    snprintf(text, sizeof text,
             "kind: rigid\nduration: 1\nstep: 0.1\noutput: {%s}\nbodies: [{position: [0, 0, 1], "
             "shape: {type: sphere, radius: 1}}]\n",
             bad[i].text);
    assert_int_not_equal(pc_scene_parse("scene.yaml", text, &scene, &error), PC_OK);
    if (strstr(error.text, bad[i].message) == NULL || strstr(error.text, "scene.yaml:4:") == NULL)
      fail_msg("'%s' does not say '%s'", error.text, bad[i].message);
  }
}

// Two boxes on the ground, of which one counts: what is measured is of that one alone.
static void named_bodies_alone_count(void **state)
{
  static const char text[] =
      "kind: rigid\nduration: 0.01\nstep: 0.01\nobstacles: [{name: ground, shape: {type: plane}}]\n"
      "output: {deposit: {spacing: 0.25, bodies: %s}}\nbodies:\n"
      "  - {name: low, shape: {type: box, size: [2, 1, 1]}, position: [0, 0, 0.5]}\n"
      "  - {name: high, shape: {type: box, size: [1, 1, 3]}, position: [5, 0, 1.5]}\n"
      "  - {name: fast, shape: {type: sphere, radius: 0.5}, position: [0, 9, 0.5], velocity: [4, "
      "0, "
      "0]}\n";
  static const struct {
    const char *bodies;
    int count, moving;
    double volume, thickest;
  } wanted[] = {{"low", 1, 0, 2, 1},
                {"high", 1, 0, 3, 3},
                {"[low, high]", 2, 0, 5, 3},
                {"'*'", 3, 1, 5 + 0.5235987755982988, 3}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    char scene[1000];
    snprintf(scene, sizeof scene, text, wanted[i].bodies);
    pc_deposit d = run(scene, base);
    assert_int_equal(d.bodies, wanted[i].count);
    assert_int_equal(d.moving, wanted[i].moving);
    assert_int_equal(d.astray, 0);
    assert_near(d.volume, wanted[i].volume, 1e-12);
    assert_near(d.thickest, wanted[i].thickest, 1e-3);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_end_at_surfaces),
      cmocka_unit_test(meshes_have_heights),
      cmocka_unit_test(a_box_at_rest),
      cmocka_unit_test(a_box_that_flew),
      cmocka_unit_test(a_box_that_slid),
      cmocka_unit_test(a_ring_has_a_hole),
      cmocka_unit_test(a_ball),
      cmocka_unit_test(ground_is_what_is_there),
      cmocka_unit_test(lost_bodies_leave),
      cmocka_unit_test(columns_are_no_names_of_sensors),
      cmocka_unit_test(named_bodies_alone_count),
      cmocka_unit_test(resumed_runs_agree),
      cmocka_unit_test(bad_deposits_are_refused),
  };
  return cmocka_run_group_tests(tests, name_files, remove_folder);
}
