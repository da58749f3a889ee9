// Bodies that are put down (`on: ground`) and layers that are turned (`each_layer`). Where a body
// comes to lie is known in closed form for balls, discs and boxes on planes, on balls and on
// chains; elsewhere heights of columns, which are no part of the search for contacts, say how far a
// body is above what is below it.
#include "support.h"

#include <string.h>

#include "core/small.h"
#include "geometry/narrow.h"
#include "geometry/shape.h"
#include "percuss/scene.h"

#define HEAD "kind: rigid\nduration: 1\nstep: 1e-3\n"
// A body ends at most so far above what it touches, relative to its radius, and never below.
static const double GAP = 1e-6;
static const double ROUND_OFF = 1e-13, PI = 3.14159265358979323846;

static pc_scene read_good(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  if (pc_scene_parse("scene.yaml", text, &scene, &error) != PC_OK)
    fail_msg("%s\n%s", error.text, text);
  return scene;
}

static void refuse(const char *text, const char *expected)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_int_equal(pc_scene_parse("scene.yaml", text, &scene, &error), PC_ERROR_INPUT);
  if (strstr(error.text, expected) == NULL)
    fail_msg("'%s' does not say '%s'", error.text, expected);
}

static pc_body named(const pc_scene *scene, const char *name)
{
  for (int i = 0; i < scene->bodies; i++)
    if (strcmp(scene->names[i], name) == 0)
      return (pc_body){i + 1};
  fail_msg("there is no %s", name);
  return (pc_body){0};
}

static void place_of(const pc_scene *scene, pc_body body, pc_pose *pose)
{
  pc_body_state state;
  double arm[3];
  pc_body_get(scene->world, body, &state);
  pc_body_get_arm(scene->world, body, state.orientation, arm);
  *pose = pc_pose_of(state.position, state.orientation);
  for (int k = 0; k < 3; k++)
    pose->position[k] += arm[k];
}

static double coordinate(const pc_scene *scene, const char *name, int axis)
{
  pc_pose pose;
  place_of(scene, named(scene, name), &pose);
  return pose.position[axis];
}

static void assert_on(double got, double exact, double radius)
{
  if (!(got >= exact - ROUND_OFF * (1 + fabs(exact)) && got <= exact + 1.001 * GAP * radius))
    fail_msg("at %.17g, which should be %.17g and at most %g of %g more", got, exact, GAP, radius);
}

static void on_tilted_planes(void **state)
{
  pc_random random = test_random("planes");
  for (int n = 0; n < test_count(300); n++) {
    double normal[3], size[3], q[4], at[3];
    for (int k = 0; k < 3; k++) {
      normal[k] = pc_random_normal(&random);
      size[k] = pc_random_uniform(&random, 0.1, 2);
      at[k] = pc_random_uniform(&random, -20, 20);
    }
    normal[2] = fabs(normal[2]) + 0.2;
    double length = pc_norm(3, normal);
    for (int k = 0; k < 4; k++)
      q[k] = pc_random_normal(&random);
    pc_quaternion_normalise(q);
    char text[2000];
    snprintf(text, sizeof text,
             HEAD "obstacles: [{shape: {type: plane, normal: [%.17g, %.17g, %.17g]}}]\nbodies:\n"
                  "  - {name: ball, shape: {type: sphere, radius: %.17g}, position: [%.17g, %.17g, "
                  "%.17g], on: ground}\n"
                  "  - {name: box, shape: {type: box, size: [%.17g, %.17g, %.17g]}, orientation: "
                  "[%.17g, %.17g, %.17g, %.17g], position: [%.17g, %.17g, %.17g], on: ground}\n",
             normal[0], normal[1], normal[2], size[0], at[0], at[1], at[2], size[0], size[1],
             size[2], q[0], q[1], q[2], q[3], at[0] + 50, at[1], at[2]);
    pc_scene scene = read_good(text);
    // n . x = r for the middle of the ball; the sum of |n . edge| / 2 for that of the box.
    double slope = -(normal[0] * at[0] + normal[1] * at[1]) / normal[2];
    assert_on(coordinate(&scene, "ball", 2), slope + size[0] * length / normal[2], size[0]);
    pc_pose turned = pc_pose_of(at, q);
    double reach = 0, edge[3];
    for (int k = 0; k < 3; k++) {
      double axis[3] = {k == 0, k == 1, k == 2};
      pc_rotate(turned.rotation, axis, edge);
      reach += fabs(pc_dot3(edge, normal)) * size[k] / 2;
    }
    slope = -(normal[0] * (at[0] + 50) + normal[1] * at[1]) / normal[2];
    assert_on(coordinate(&scene, "box", 2), slope + reach / normal[2], pc_norm(3, size) / 2);
    pc_scene_free(&scene);
  }
}

// Also grazing: the ball passes by the other, or just does not.
static void balls_on_balls(void **state)
{
  pc_random random = test_random("balls");
  for (int n = 0; n < test_count(1000); n++) {
    double r = pc_random_uniform(&random, 0.1, 2), s = pc_random_uniform(&random, 0.1, 2);
    double part = n % 3 == 0 ? 1 + pc_random_uniform(&random, -1e-4, 1e-4)
                             : pc_random_uniform(&random, 0, 1.2);
    double away = part * (r + s);
    char text[700];
    snprintf(text, sizeof text,
             HEAD "obstacles:\n  - {shape: {type: plane}, position: [0, 0, -5]}\n"
                  "  - {shape: {type: sphere, radius: %.17g}}\nbodies: [{name: ball, shape: "
                  "{type: sphere, radius: %.17g}, position: [0, %.17g, 10], on: ground}]\n",
             r, s, away);
    pc_scene scene = read_good(text);
    double exact = s - 5;
    // Sides that overlap by less than a millionth pass.
    if (away < (r + s) * (1 - 2e-6))
      exact = fmax(exact, sqrt((r + s + away) * (r + s - away)));
    else if (away < r + s)
      exact = NAN;
    if (!isnan(exact))
      assert_on(coordinate(&scene, "ball", 2), exact, s);
    pc_scene_free(&scene);
  }
}

static void on_chains_and_planes_of_the_plane(void **state)
{
  pc_random random = test_random("chains");
  for (int n = 0; n < test_count(300); n++) {
    // A valley with its lowest point at the origin; a disc touches a side of it, or both.
    double left = pc_random_uniform(&random, 0.2, 3), right = pc_random_uniform(&random, 0.2, 3);
    double r = pc_random_uniform(&random, 0.1, 1), x = pc_random_uniform(&random, -2, 2);
    char text[900];
    snprintf(text, sizeof text,
             HEAD
             "dimension: 2\nobstacles:\n  - {shape: {type: chain, vertices: [[-50, %.17g], "
             "[0, 0], [50, %.17g]]}}\n  - {shape: {type: plane, normal: [0.6, 0.8]}, position: "
             "[0, -1000]}\nbodies:\n"
             "  - {name: disc, shape: {type: disc, radius: %.17g}, position: [%.17g, 40], on: "
             "ground}\n"
             "  - {name: far, shape: {type: disc, radius: %.17g}, position: [90, 0], on: "
             "ground}\n",
             50 * left, 50 * right, r, x, r);
    pc_scene scene = read_good(text);
    double exact =
        fmax(-left * x + r * sqrt(1 + left * left), right * x + r * sqrt(1 + right * right));
    assert_on(coordinate(&scene, "disc", 1), exact, r);
    assert_on(coordinate(&scene, "far", 1), -1000 - 0.75 * 90 + r / 0.8, r);
    pc_scene_free(&scene);
  }
}

// Heights of random terrain, in one row of text.
static void write_terrain(pc_random *random, char *text, size_t size, double rough)
{
  int n = snprintf(text, size,
                   "obstacles: [{name: ground, shape: {type: heights, spacing: 0.7, "
                   "origin: [-3.5, -3.5], heights: [");
  for (int j = 0; j < 11; j++)
    for (int i = 0; i < 11; i++)
      n += snprintf(text + n, size - (size_t)n, "%s%.4f%s", i == 0 ? "[" : "",
                    pc_random_uniform(random, 0, rough),
                    i < 10   ? ", "
                    : j < 10 ? "], "
                             : "]]}}]\n");
}

// The least height of a body above what is below it, in columns of a grid.
static double least_height(const pc_scene *scene, int number, int columns)
{
  const pc_shape *shape = pc_body_get_shape(scene->world, (pc_body){number});
  pc_pose pose;
  place_of(scene, (pc_body){number}, &pose);
  double box[6], least = INFINITY;
  pc_shape_bounds(shape, &pose, box);
  for (int o = 1; o < number; o++) { // bodies after it came later
    const pc_shape *other = pc_body_get_shape(scene->world, (pc_body){o});
    pc_pose there;
    double its[6];
    place_of(scene, (pc_body){o}, &there);
    pc_shape_bounds(other, &there, its);
    if (box[0] > its[3] || its[0] > box[3] || box[1] > its[4] || its[1] > box[4])
      continue;
    for (int j = 0; j <= columns; j++)
      for (int i = 0; i <= columns; i++) {
        double x = box[0] + (box[3] - box[0]) * i / columns;
        double y = box[1] + (box[4] - box[1]) * j / columns, low, high, own_low, own_high;
        if (pc_shape_column(shape, &pose, x, y, &own_low, &own_high) &&
            pc_shape_column(other, &there, x, y, &low, &high))
          least = fmin(least, own_low - high);
      }
  }
  return least;
}

// The least gap of a body, moved up, to those before it.
static double least_gap(const pc_scene *scene, int number, double up)
{
  pc_contact_list list = {0};
  pc_pose pose, there;
  place_of(scene, (pc_body){number}, &pose);
  pose.position[2] += up;
  for (int o = 1; o < number; o++) {
    place_of(scene, (pc_body){o}, &there);
    assert_int_equal(pc_collide(pc_body_get_shape(scene->world, (pc_body){number}), &pose,
                                pc_body_get_shape(scene->world, (pc_body){o}), &there, 1e-3, &list),
                     PC_OK);
  }
  double least = INFINITY;
  for (int c = 0; c < list.count; c++)
    least = fmin(least, list.at[c].gap);
  free(list.at);
  return least;
}

static const char all_shapes[] =
    "shapes: [{shape: {type: polyhedron, random: 10, radius: {min: 0.2, max: 0.5}}}, {shape: "
    "{type: "
    "cylinder, radius: 0.2, length: 0.6}}, {shape: {type: sphere, radius: 0.3}}, {shape: {type: "
    "capsule, radius: 0.1, length: 0.5}}, {shape: {type: box, size: [0.5, 0.3, 0.2]}}, {shape: "
    "{type: compound, pieces: [{shape: {type: box, size: [0.6, 0.1, 0.1]}}, {shape: {type: sphere, "
    "radius: 0.15}, position: [0.3, 0, 0.2]}]}}]";

// Nothing overlaps, and what goes a millionth farther down does. By columns, which know nothing of
// contacts: none of a body begins below the end of one that is under it, and in one it begins
// there, unless what it touches is so steep that no column goes through it.
static void all_shapes_on_random_terrain(void **state)
{
  pc_random random = test_random("terrain");
  for (int n = 0; n < test_count(6); n++) {
    static char text[20000];
    int length = snprintf(text, sizeof text, HEAD "seed: %d\n", n + 1);
    write_terrain(&random, text + length, sizeof text - (size_t)length, n % 2 == 0 ? 0.3 : 1);
    length = (int)strlen(text);
    snprintf(text + length, sizeof text - (size_t)length,
             "generators: [{type: random, name: b, count: 30, on: ground, orientations: random, "
             "inside: {box: [[-3, -3, 6], [3, 3, 7]]}, %s}]\n",
             all_shapes);
    pc_scene scene = read_good(text);
    assert_int_equal(scene.bodies, 31);
    int seen = 0;
    for (int i = 2; i <= scene.bodies; i++) {
      double radius = pc_shape_radius(pc_body_get_shape(scene.world, (pc_body){i}));
      double fine = least_height(&scene, i, 120);
      assert_true(least_gap(&scene, i, 0) >= 0);
      assert_true(least_gap(&scene, i, -1.01 * GAP * radius) < 0);
      // Contacts with a mesh leave out edges that stick out by less than a millionth.
      assert_true(fine > -2e-6);
      seen += fine < 0.01;
    }
    assert_true(seen >= 26);
    pc_scene_free(&scene);
  }
}

// The same file gives the same bodies, and another seed others.
static void seeds_decide(void **state)
{
  pc_random random = test_random("seeds");
  static char terrain[8000], text[3][12000];
  write_terrain(&random, terrain, sizeof terrain, 1);
  pc_scene scene[3];
  for (int n = 0; n < 3; n++) {
    snprintf(text[n], sizeof text[n],
             HEAD "seed: %d\n%sgenerators: [{type: random, name: b, count: 40, on: ground, "
                  "orientations: random, inside: {box: [[-3, -3, 0], [3, 3, 1]]}, %s}]\n",
             n < 2 ? 1 : 2, terrain, all_shapes);
    scene[n] = read_good(text[n]);
  }
  for (int i = 2; i <= 41; i++) {
    pc_body_state a, b, c;
    pc_body_get(scene[0].world, (pc_body){i}, &a);
    pc_body_get(scene[1].world, (pc_body){i}, &b);
    pc_body_get(scene[2].world, (pc_body){i}, &c);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_memory_equal(a.orientation, b.orientation, sizeof a.orientation);
    assert_true(a.position[2] != c.position[2]);
  }
  for (int n = 0; n < 3; n++)
    pc_scene_free(&scene[n]);
}

// From its place, if that is free and has ground below; otherwise from above everything.
static void where_they_come_from(void **state)
{
  pc_scene scene = read_good(
      HEAD
      "obstacles:\n  - {shape: {type: plane}}\n  - {shape: {type: box, size: [4, 4, 1]}, "
      "position: [0, 0, 5]}\n  - {shape: {type: box, size: [1, 1, 1]}, position: [9, 0, 7]}\n"
      "  - {shape: {type: plane, normal: [-1, 0, 0]}, position: [12, 0, 0]}\nbodies:\n"
      "  - {name: below, shape: {type: sphere, radius: 0.5}, position: [0, 0, 3], on: ground}\n"
      "  - {name: above, shape: {type: sphere, radius: 0.5}, position: [0, 0, 9], on: ground}\n"
      "  - {name: inside, shape: {type: sphere, radius: 0.5}, position: [1.5, 0, 5], on: "
      "ground}\n"
      "  - {name: sunk, shape: {type: sphere, radius: 0.5}, position: [-20, 0, -40], on: ground, "
      "group: 3}\n"
      "  - {name: friend, shape: {type: sphere, radius: 0.5}, position: [-20, 0, 4], on: ground, "
      "group: 3}\n"
      "  - {name: second, shape: {type: sphere, radius: 0.25}, position: [0, 0, 3], on: ground}\n");
  assert_on(coordinate(&scene, "below", 2), 0.5, 0.5);
  assert_on(coordinate(&scene, "above", 2), 6, 0.5);
  assert_on(coordinate(&scene, "inside", 2), 6, 0.5);
  assert_on(coordinate(&scene, "second", 2), 1.25, 1); // on the first, below the roof
  // Bodies of a group do not meet. What is in the ground comes up.
  assert_on(coordinate(&scene, "sunk", 2), 0.5, 0.5);
  assert_on(coordinate(&scene, "friend", 2), 0.5, 0.5);
  pc_scene_free(&scene);
}

// Bodies side by side, as near as numbers allow, do not hold each other.
static void sides_hold_nothing(void **state)
{
  for (int turn = 0; turn < 90; turn += 15) {
    char text[900];
    snprintf(text, sizeof text,
             HEAD "obstacles: [{shape: {type: plane}}]\ngenerators: [{type: grid, name: b, counts: "
                  "[7, 1, 3], spacing: 0.3, origin: [0.1, 0, 2], on: ground, shape: {type: box, "
                  "size: [0.3, 0.3, 0.3]}},\n  {type: layers, name: w, size: [0.7, 0.3, 0.2], "
                  "layers: 4, per_layer: 5.5, origin: [0, 5, 1], on: ground, each_layer: {turn: "
                  "%d, repeat: 1}}]\n",
             turn);
    pc_scene scene = read_good(text);
    for (int i = 0; i < 21; i++) {
      char name[20];
      snprintf(name, sizeof name, "b-%d", i + 1);
      assert_on(coordinate(&scene, name, 2), 0.15 + 0.3 * (i / 7), 3 * 0.3);
    }
    int wall = named(&scene, "w-1").id;
    for (int i = wall; i <= scene.bodies; i++) {
      pc_pose pose;
      place_of(&scene, (pc_body){i}, &pose);
      int layer = (int)floor(pose.position[2] / 0.2);
      assert_on(pose.position[2], 0.1 + 0.2 * layer, 4 * 0.5);
    }
    pc_scene_free(&scene);
  }
}

// A turned row of boxes that touch: their boxes along the axes overlap, they do not.
static void turned_sides_hold_nothing(void **state)
{
  for (int degrees = 5; degrees < 90; degrees += 5) {
    char text[1500];
    double angle = degrees * PI / 180;
    int n = snprintf(text, sizeof text, HEAD "obstacles: [{shape: {type: plane}}]\nbodies:\n");
    for (int i = 0; i < 5; i++)
      n +=
          snprintf(text + n, sizeof text - (size_t)n,
                   "  - {name: b%d, shape: {type: box, size: [0.3, 0.4, 0.2]}, orientation: {axis: "
                   "[0, 0, 1], degrees: %d}, position: [%.17g, %.17g, 3], on: ground}\n",
                   i, degrees, 0.3 * i * cos(angle), 0.3 * i * sin(angle));
    pc_scene scene = read_good(text);
    for (int i = 0; i < 5; i++) {
      char name[8];
      snprintf(name, sizeof name, "b%d", i);
      assert_on(coordinate(&scene, name, 2), 0.1, 0.3);
    }
    pc_scene_free(&scene);
  }
}

static void clearance_keeps_bodies_apart(void **state)
{
  pc_scene scene = read_good(
      HEAD
      "obstacles: [{shape: {type: plane, normal: [0, -0.3, 1]}}]\ngenerators: [{type: random, "
      "name: b, count: 20, clearance: 0.4, inside: {box: [[0, 0, 0], [5, 5, 0.1]]}, on: ground, "
      "shape: {type: sphere, radius: 0.2}}]\n");
  for (int i = 2; i <= scene.bodies; i++) {
    pc_pose a, b;
    place_of(&scene, (pc_body){i}, &a);
    assert_on(a.position[2], 0.3 * a.position[1] + 0.2 * sqrt(1.09), 0.2);
    for (int j = 2; j < i; j++) {
      place_of(&scene, (pc_body){j}, &b);
      double d[3] = {a.position[0] - b.position[0], a.position[1] - b.position[1],
                     a.position[2] - b.position[2]};
      assert_true(pc_norm(3, d) >= 0.8);
    }
  }
  pc_scene_free(&scene);
}

// Layer k: x -> c + R(k t) (x + k s - c), and the bodies turn with it.
static void layers_turn_and_shift(void **state)
{
  pc_scene scene =
      read_good(HEAD "generators: [{type: grid, name: g, counts: [2, 3, 5], spacing: [2, 1, 1.5], "
                     "origin: [1, 2, 3], shape: {type: box, size: [0.5, 0.2, 0.2]}, each_layer: "
                     "{turn: 25, shift: [0.1, 0.2, 0.05], repeat: 4}}]\n");
  for (int i = 0; i < scene.bodies; i++) {
    int index[3] = {i % 2, i / 2 % 3, i / 6}, k = index[2] % 4;
    double angle = 25 * k * PI / 180, c = cos(angle), s = sin(angle);
    double x = 2 * index[0] - 1 + 0.1 * k, y = index[1] - 1 + 0.2 * k;
    pc_body_state body;
    pc_body_get(scene.world, (pc_body){i + 1}, &body);
    assert_near(body.position[0], 2 + c * x - s * y, 1e-14);
    assert_near(body.position[1], 3 + s * x + c * y, 1e-14);
    assert_near(body.position[2], 3 + 1.5 * index[2] + 0.05 * k, 1e-14);
    assert_near(body.orientation[0], cos(angle / 2), 1e-14);
    assert_near(body.orientation[3], sin(angle / 2), 1e-14);
  }
  pc_scene_free(&scene);
  // A wall of bricks turns about its middle: every second layer crosses the one below.
  scene = read_good(HEAD "generators: [{type: layers, name: w, size: [1, 0.5, 0.5], layers: 4, "
                         "per_layer: 3, bond: stack, joint: 0.1, origin: [-1.6, -0.25, 0], "
                         "each_layer: {turn: 90, repeat: 2}}]\n");
  for (int i = 0; i < 12; i++) {
    pc_body_state body;
    pc_body_get(scene.world, (pc_body){i + 1}, &body);
    double along = 1.1 * (i % 3 - 1);
    assert_near(body.position[0], i / 3 % 2 == 0 ? along : 0, 1e-14);
    assert_near(body.position[1], i / 3 % 2 == 0 ? 0 : along, 1e-14);
  }
  pc_scene_free(&scene);
  scene =
      read_good(HEAD "dimension: 2\ngenerators: [{type: grid, name: g, counts: [3, 4], spacing: "
                     "1, shape: {type: disc, radius: 0.2}, each_layer: {shift: [0.5, 0], "
                     "repeat: 2}}]\n");
  for (int i = 0; i < 12; i++)
    assert_near(coordinate(&scene, scene.names[i], 0), i % 3 + 0.5 * (i / 3 % 2), 1e-14);
  pc_scene_free(&scene);
}

// In coordinates of a national grid, to what these can tell.
static void far_from_the_origin(void **state)
{
  pc_scene scene = read_good(
      HEAD
      "obstacles: [{shape: {type: heights, spacing: 10, origin: [2600000, 1200000], heights: "
      "[[500, 507.5, 515], [500, 507.5, 515], [500, 507.5, 515]]}}]\ngenerators: [{type: grid, "
      "name: b, counts: [2, 2, 1], spacing: 6, origin: [2600004, 1200004, 600], shape: {type: "
      "sphere, radius: 0.5}, on: ground}]\n");
  for (int i = 2; i <= 5; i++) {
    pc_pose pose;
    place_of(&scene, (pc_body){i}, &pose);
    double exact = 500 + 0.75 * (pose.position[0] - 2600000) + 0.5 * 1.25;
    assert_true(pose.position[2] >= exact - 1e-9 && pose.position[2] <= exact + 1e-6);
  }
  pc_scene_free(&scene);
}

static void what_cannot_be_put_down_is_refused(void **state)
{
#define PUT(keys) HEAD "generators:\n  - {type: grid, name: b, " keys "}\n"
  refuse(PUT("counts: [1, 1, 1], spacing: 1, on: ground, shape: {type: sphere, radius: 1}"),
         "scene.yaml:5: 'on: ground' finds no ground below x = 0, y = 0");
  refuse(HEAD "dimension: 2\nbodies: [{shape: {type: disc, radius: 1}, position: [4, 0], on: "
              "ground}]\n",
         "finds no ground below x = 4:");
  refuse(PUT("counts: [1, 1, 1], spacing: 1, on: water, shape: {type: sphere, radius: 1}"),
         "nothing, ground");
  refuse(HEAD "obstacles: [{shape: {type: box, size: [1, 1, 1]}}]\ngenerators:\n  - {type: random, "
              "name: b, count: 9, clearance: 1, on: ground, inside: {box: [[0, 0, 0], [2, 2, 2]]}, "
              "shape: {type: sphere, radius: 0.5}}\n",
         "bodies find ground and room");
  refuse(HEAD
         "obstacles:\n  - {shape: {type: plane}}\n  - {shape: {type: plane, normal: [1, 0, 0]}}\n"
         "bodies:\n  - {name: b, shape: {type: sphere, radius: 1}, position: [0.5, 2, 4], on: "
         "ground}\n",
         "scene.yaml:8: 'on: ground' finds no room at x = 0.5, y = 2: a wall is in the way");
  refuse(HEAD "dimension: 2\ngenerators: [{type: grid, name: b, counts: [1, 2], spacing: 1, shape: "
              "{type: disc, radius: 0.1}, each_layer: {turn: 5}}]\n",
         "turn");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_tilted_planes),
      cmocka_unit_test(balls_on_balls),
      cmocka_unit_test(on_chains_and_planes_of_the_plane),
      cmocka_unit_test(all_shapes_on_random_terrain),
      cmocka_unit_test(seeds_decide),
      cmocka_unit_test(where_they_come_from),
      cmocka_unit_test(sides_hold_nothing),
      cmocka_unit_test(turned_sides_hold_nothing),
      cmocka_unit_test(clearance_keeps_bodies_apart),
      cmocka_unit_test(layers_turn_and_shift),
      cmocka_unit_test(far_from_the_origin),
      cmocka_unit_test(what_cannot_be_put_down_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
