// The generator `fill`: as many bodies as fit in a volume, none outside, none in the ground or in
// another body, lowest first. Counts come from closed forms and from counting cells one by one.
#include "support.h"

#include <string.h>

#include "core/small.h"
#include "geometry/pose.h"
#include "percuss/scene.h"

#define HEAD "kind: rigid\nduration: 1\nstep: 1e-3\n"
#define GROUND HEAD "obstacles: [{name: ground, shape: {type: plane}}]\n"
#define CUBE "shape: {type: box, size: [1, 1, 1]}"
#define FILL(ground, text) ground "generators:\n  - {type: fill, name: b, " text "}\n"

static pc_scene read_good(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  if (pc_scene_parse("scene.yaml", text, &scene, &error) != PC_OK)
    fail_msg("%s\n%s", error.text, text);
  return scene;
}

static int count_of(const char *text)
{
  pc_scene scene = read_good(text);
  int count = 0;
  for (int i = 1; i <= scene.bodies; i++)
    count += pc_body_get_kind(scene.world, (pc_body){i}) == PC_FREE;
  pc_scene_free(&scene);
  return count;
}

static void boxes_are_filled(void **state)
{
  assert_int_equal(count_of(FILL(GROUND, CUBE ", inside: {box: [[0, 0, 0], [4, 3, 2]]}")), 24);
  // With a gap of 0.1 n bodies need 1.1 n - 0.1.
  assert_int_equal(
      count_of(FILL(GROUND, CUBE ", gap: 0.1, inside: {box: [[0, 0, 0.1], [4, 3.2, 2.2]]}")), 18);
  // No ground is needed, and what is below it does not count.
  assert_int_equal(count_of(FILL(HEAD, CUBE ", inside: {box: [[0, 0, -2], [4, 3, 2]]}")), 48);
  assert_int_equal(count_of(FILL(GROUND, CUBE ", inside: {box: [[0, 0, -2], [4, 3, 2]]}")), 24);
  // An origin moves the lattice: half a cell is lost on both sides.
  assert_int_equal(
      count_of(FILL(HEAD, CUBE ", origin: [0, 0, 0.5], inside: {box: [[0, 0, 0], [4, 3, 2]]}")),
      3 * 2 * 2);
  // Balls take a cell each; so do cylinders, in their own axes.
  assert_int_equal(count_of(FILL(HEAD, "shape: {type: sphere, radius: 0.5}, inside: {box: [[0, 0, "
                                       "0], [4, 3, 2]]}")),
                   24);
  assert_int_equal(
      count_of(FILL(HEAD,
                    "shape: {type: cylinder, radius: 0.5, length: 2}, orientation: {axis: [0, "
                    "1, 0], degrees: 90}, inside: {box: [[0, 0, 0], [4, 3, 2]]}")),
      2 * 3 * 2);
}

static void outlines_are_kept(void **state)
{
  // An L: 4 x 4 without a corner of 2 x 2, two layers.
  static const char ell[] =
      FILL(GROUND, CUBE ", inside: {outline: [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]], "
                        "height: 2.5}");
  assert_int_equal(count_of(ell), 24);
  // A notch that no corner of a body is in, but that cuts edges: 0.2 wide in the middle of a cell.
  static const char notch[] = FILL(
      GROUND, CUBE ", inside: {outline: [[0, 0], [3, 0], [3, 3], [1.6, 3], [1.5, 0.5], [1.4, 3], "
                   "[0, 3]], thickness: 1}");
  assert_int_equal(count_of(notch), 6);
}

// Terrain z = 0.3 x + 0.1 y on a grid, so that heights are known everywhere.
#define SLOPE                                                                                      \
  HEAD "obstacles: [{name: ground, shape: {type: heights, spacing: 10, origin: [-10, -10], "       \
       "heights: [[-4, -1, 2, 5], [-3, 0, 3, 6], [-2, 1, 4, 7]]}}]\n"

static double slope(double x, double y)
{
  return 0.3 * x + 0.1 * y;
}

// Cells of a lattice whose low corner is the low corner of x, y 0 .. 9 and of the lowest ground
// that the triangles there have; the bodies are upright cubes. `top`: 0 a height, 1 a thickness.
static int count_cells(double size, double height, bool thickness, double lowest)
{
  int count = 0;
  for (int k = 0; k < 100; k++)
    for (int j = 0; (j + 1) * size <= 9 + 1e-9; j++)
      for (int i = 0; (i + 1) * size <= 9 + 1e-9; i++) {
        double x = i * size, y = j * size, z = lowest + k * size;
        double above = z - slope(x + size, y + size);
        double top = z + size, room = thickness ? height + slope(x, y) : height;
        count += above > -1e-9 && top < room + 1e-9; // bodies may touch
      }
  return count;
}

static void volumes_follow_the_terrain(void **state)
{
#define SQUARE "outline: [[0, 0], [9, 0], [9, 9], [0, 9]]"
#define PART "shape: {type: box, size: [0.7, 0.7, 0.7]}"
  // The triangles below the square reach from x, y = 0 to 10: heights 0 to 4.
  assert_int_equal(count_of(FILL(SLOPE, PART ", inside: {" SQUARE ", height: 6.03}")),
                   count_cells(0.7, 6.03, false, 0));
  assert_int_equal(count_of(FILL(SLOPE, PART ", inside: {" SQUARE ", thickness: 2.2}")),
                   count_cells(0.7, 2.2, true, 0));
  // The surface before the slide, as a second terrain that is 2.2 m higher: the same bodies.
  static const char between[] =
      FILL(SLOPE, PART ", inside: {" SQUARE ", surface: {type: heights, spacing: 10, origin: [-10, "
                       "-10], heights: [[-1.8, 1.2, 4.2, 7.2], [-0.8, 2.2, 5.2, 8.2], [0.2, 3.2, "
                       "6.2, 9.2]]}}");
  assert_int_equal(count_of(between), count_cells(0.7, 2.2, true, 0));
}

// Bodies turned with the slope lie flat on it, none overlaps another (the scene would be refused),
// and none is outside.
static void lattices_turn(void **state)
{
  static const char text[] = FILL(
      HEAD "obstacles: [{name: ground, shape: {type: plane, normal: [-0.6, 0, 0.8]}}]\n",
      "shape: {type: box, size: [2, 1, 0.5]}, orientation: {axis: [0, 1, 0], degrees: "
      "-36.86989764584402}, origin: [-0.15, 0, 0.2], inside: {outline: [[-10, -10], [10, -10], "
      "[10, 10], [-10, 10]], thickness: 1.2501}");
  pc_scene scene = read_good(text);
  int layers[2] = {0};
  for (int i = 2; i <= scene.bodies; i++) {
    pc_body_state body;
    pc_body_get(scene.world, (pc_body){i}, &body);
    double away = -0.6 * body.position[0] + 0.8 * body.position[2];
    int layer = away > 0.5;
    assert_near(away, layer == 0 ? 0.25 : 0.75, 1e-9); // 1.25 up is 1 across: two layers
    layers[layer]++;
  }
  // Along the slope 20 / 0.8 m, less what the corners reach beyond: 11 bodies; 19 across, whose
  // middles are at whole numbers.
  assert_int_equal(layers[0], 19 * 11);
  assert_int_equal(layers[0] + layers[1], scene.bodies - 1);
  assert_true(layers[1] >= 19 * 10);
  pc_scene_free(&scene);
}

static void what_is_there_stays_free(void **state)
{
  // A ball in the middle of 27 cells takes the middle one; a wall of 0.2 takes a layer of nine.
  assert_int_equal(
      count_of(FILL(HEAD "bodies: [{position: [1.5, 1.5, 1.5], shape: {type: sphere, radius: "
                         "0.4}}]\n",
                    CUBE ", inside: {box: [[0, 0, 0], [3, 3, 3]]}")),
      1 + 26);
  assert_int_equal(count_of(FILL(HEAD "obstacles: [{position: [0.5, 1.5, 1.5], shape: {type: box, "
                                      "size: [0.2, 9, 9]}}]\n",
                                 CUBE ", inside: {box: [[0, 0, 0], [3, 3, 3]]}")),
                   18);
}

static void heights_of(const char *text, int *count, double *lowest, double *highest)
{
  pc_scene scene = read_good(text);
  *count = scene.bodies - 1;
  *lowest = INFINITY;
  *highest = -INFINITY;
  for (int i = 2; i <= scene.bodies; i++) {
    pc_body_state body;
    pc_body_get(scene.world, (pc_body){i}, &body);
    *lowest = fmin(*lowest, body.position[2]);
    *highest = fmax(*highest, body.position[2]);
  }
  pc_scene_free(&scene);
}

static void counts_take_the_lowest(void **state)
{
  int count;
  double low, high;
#define TOWER CUBE ", inside: {box: [[0, 0, 0], [2, 2, 10]]}"
  heights_of(FILL(GROUND, TOWER ", count: 10"), &count, &low, &high);
  assert_int_equal(count, 10);
  assert_near(low, 0.5, 1e-12);
  assert_near(high, 2.5, 1e-12);
  heights_of(FILL(GROUND, TOWER ", count: 9, take: highest"), &count, &low, &high);
  assert_int_equal(count, 9);
  assert_near(low, 7.5, 1e-12);
  assert_near(high, 9.5, 1e-12);
}

// Bodies that differ: given a spacing, those that would overlap are left out, and all is the same
// the next time.
static void rocks_differ(void **state)
{
  static const char text[] = FILL(
      GROUND, "shape: {type: polyhedron, random: 12, radius: {min: 0.3, max: 0.6}}, "
              "orientations: random, spacing: 1, gap: 0.01, seed: 5, inside: {box: [[0, 0, 0], "
              "[6, 6, 6]]}");
  pc_scene a = read_good(text), b = read_good(text);
  assert_true(a.bodies > 100 &&
              a.bodies < 1 + 216); // some are too large for the cells at the border
  assert_int_equal(a.bodies, b.bodies);
  for (int i = 2; i <= a.bodies; i++) {
    pc_body_state p, q;
    pc_body_get(a.world, (pc_body){i}, &p);
    pc_body_get(b.world, (pc_body){i}, &q);
    assert_memory_equal(&p, &q, sizeof p);
  }
  pc_scene_free(&a);
  pc_scene_free(&b);
}

static void bad_volumes_are_refused(void **state)
{
  static const struct {
    const char *text, *message;
  } bad[] = {
      {FILL(GROUND, TOWER ", count: 41"), "scene.yaml:6: only 40 of 41 bodies fit"},
      {FILL(GROUND, CUBE ", inside: {box: [[0, 0, 0], [0.9, 9, 9]]}"),
       "no body fits: make the volume larger or the body smaller"},
      {FILL(GROUND, CUBE ", inside: {box: [[0, 0, 0], [9, 9, 0]]}"),
       "the low corner of the box must be below"},
      {FILL(GROUND, CUBE ", inside: {height: 3}"), "an 'outline'"},
      {FILL(GROUND, CUBE ", inside: {" SQUARE "}"),
       "the volume needs one of 'box', 'height', 'thickness'"},
      {FILL(GROUND, CUBE ", inside: {" SQUARE ", height: 3, thickness: 1}"),
       "the volume needs one of 'box', 'height', 'thickness'"},
      {FILL(GROUND, CUBE ", inside: {" SQUARE ", height: -3}"), "below the ground"},
      {FILL(GROUND, CUBE ", inside: {outline: [[0, 0], [1, 1]], height: 3}"), "3 to"},
      {FILL(GROUND, CUBE ", inside: {" SQUARE ", surface: {type: sphere, radius: 1}}"),
       "a mesh, heights or a plane"},
      {FILL(GROUND, CUBE ", inside: {surface: {type: plane}}"), "an 'outline'"},
      {FILL(HEAD, CUBE ", inside: {" SQUARE ", height: 3}"), "no ground below"},
      {FILL(SLOPE, CUBE ", inside: {outline: [[90, 90], [99, 90], [99, 99]], height: 9}"),
       "no ground below"},
      {FILL(GROUND, CUBE ", orientations: random, inside: {" SQUARE ", height: 3}"), "'spacing'"},
      {FILL(GROUND, CUBE ", size_spread: 0.1, inside: {" SQUARE ", height: 3}"), "'spacing'"},
      {FILL(GROUND,
            "shape: {type: box, size: [1e-4, 1e-4, 1e-4]}, inside: {" SQUARE ", height: 3}"),
       "too many"},
      {FILL(HEAD "dimension: 2\n",
            "shape: {type: disc, radius: 1}, inside: {box: [[0, 0], [1, 1]]}"),
       "filled volumes require a scene in space, not in the plane"},
      {FILL(GROUND, TOWER ", take: nearest"), "lowest, highest"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    if (pc_scene_parse("scene.yaml", bad[i].text, &scene, &error) == PC_OK)
      fail_msg("was read:\n%s", bad[i].text);
    assert_says(error.text, bad[i].message);
  }
}

// A spacing far below the size of the bodies: every place is kept until the lowest are known.
static void places_are_bounded(void **state)
{
  if (getenv("PERCUSS_TEST_LONG") == NULL)
    skip();
  pc_scene scene;
  pc_error error = {.text = ""};
  int status = pc_scene_parse(
      "scene.yaml",
      FILL(HEAD, "shape: {type: box, size: [0.5, 0.5, 0.5]}, count: 5, spacing: [0.002, "
                 "0.002, 0.002], inside: {box: [[0, 0, 0], [1, 1, 1]]}"),
      &scene, &error);
  assert_int_not_equal(status, PC_OK);
  assert_says(error.text, "bodies fit in more than 10000000 places");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_are_bounded),      cmocka_unit_test(boxes_are_filled),
      cmocka_unit_test(outlines_are_kept),       cmocka_unit_test(volumes_follow_the_terrain),
      cmocka_unit_test(lattices_turn),           cmocka_unit_test(what_is_there_stays_free),
      cmocka_unit_test(counts_take_the_lowest),  cmocka_unit_test(rocks_differ),
      cmocka_unit_test(bad_volumes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
