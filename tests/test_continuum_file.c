// Continuum files: what they become, what is said of wrong ones, and their runs: recorded, resumed,
// swept.
#include <string.h>
#include <unistd.h>

#include "percuss/percuss.h"
#include "record/record.h"
#include "scene/continuum.h"
#include "support.h"
#include "trial.h"
#include "xml.h"

#define BAR                                                                                        \
  "kind: continuum\n"                                                                              \
  "mesh: {lines: [{name: bar, from: 0, to: 1, cells: 20, left: foot, right: head}]}\n"             \
  "media: {bar: {density: 1000, viscosity: 500, velocity: [-1]}}\n"
#define SQUARE                                                                                     \
  "{name: a, x: [0, 1], y: [0, 1], cells: [2, 2], sides: {bottom: low, top: high, left: west, "    \
  "right: east}}"
#define BLOCK "kind: continuum\nmesh: {rectangles: [" SQUARE "]}\n"
#define STEEL "media: {a: {density: 10, velocity: [0, -1]}}\n"
#define LANDS "contacts: [{sides: low}]\n"
#define SECOND "{name: b, x: [1, 2], y: [0, 1], cells: [2, 2], sides: {left: inner, right: outer}}"
#define POOL                                                                                       \
  "kind: continuum\n"                                                                              \
  "mesh:\n"                                                                                        \
  "  rectangles: [{name: water, x: [-1, 1], y: [-1, 0], cells: [8, 4],\n"                          \
  "                sides: {bottom: floor, left: west, right: east, top: surface}}]\n"              \
  "  parts: [{of: surface, name: plate, x: [-0.5, 0.5]}]\n"                                        \
  "media: {water: {fluid: true, density: 1000, viscosity: 0.25}}\n"                                \
  "bodies: [{name: diver, mass: 100, inertia: 8, centre: [0, 0.1], velocity: [0, -4]}]\n"          \
  "contacts:\n"                                                                                    \
  "  - {sides: plate, with: diver, normal: 1, tangential: 1}\n"                                    \
  "  - {sides: floor, normal: 1, tangential: 1}\n"                                                 \
  "  - {sides: west, normal: 1, tangential: 1}\n"                                                  \
  "  - {sides: east, normal: 1, tangential: 1}\n"

static int count_sides(const pc_continuum *c, const char *name)
{
  int group = pc_fe_mesh_find_group(&c->mesh, name, c->mesh.dimension - 1), count = 0;
  for (int i = 0; i < c->mesh.side.count; i++)
    count += c->mesh.side.cell[i].group == group;
  return count;
}

static void parts_take_the_sides_in_their_box(void **state)
{
  pc_scene scene = read_good(POOL);
  const pc_continuum *c = scene.continuum;
  assert_int_equal(c->mesh.body.count, 32);
  assert_int_equal(c->mesh.nodes, 17 * 9);
  assert_int_equal(c->mesh.body.cell[0].type, PC_QUAD9);
  assert_int_equal(count_sides(c, "plate"), 4);
  assert_int_equal(count_sides(c, "surface"), 4);
  assert_int_equal(c->def.contact[0].body, 0);
  assert_int_equal(c->def.contact[1].body, -1);
  assert_int_equal(c->def.contact[1].condition, PC_FE_UNILATERAL);
  assert_string_equal(c->contact_name[0], "plate");
  pc_scene_free(&scene);
}

static void joined_rectangles_share_their_nodes(void **state)
{
  pc_scene scene = read_good("kind: continuum\nmesh: {order: 1, rectangles: [" SQUARE ", " SECOND
                             "], join: [{sides: east, with: inner}]}\n"
                             "media: {a: {density: 1}, b: {density: 2}}\n"
                             "pushes: [{sides: outer, percussion: [-1, 0]}]\n");
  assert_int_equal(scene.continuum->mesh.nodes, 15);
  assert_int_equal(count_sides(scene.continuum, "east"), 0);
  pc_scene_free(&scene);
  scene = read_good("kind: continuum\nmesh: {order: 1, rectangles: [" SQUARE ", " SECOND "]}\n"
                    "media: {a: {density: 1, velocity: [1, 0]}, b: {density: 2}}\n"
                    "contacts: [{sides: east, with: inner}]\n");
  assert_int_equal(scene.continuum->mesh.nodes, 18);
  pc_scene_free(&scene);
}

static void places_sizes_and_grades_say_where_elements_end(void **state)
{
  pc_scene scene =
      read_good("kind: continuum\nmesh: {order: 1, rectangles: [{name: a, y: [0, 3], size: [1, 1], "
                "grade: [1, 4], places: {x: [0, 0.1, 2]}, sides: {left: low}}]}\n" STEEL LANDS);
  const pc_fe_mesh *mesh = &scene.continuum->mesh;
  assert_int_equal(mesh->body.count, 6);
  assert_near(mesh->node[1][0], 0.1, 0);
  // Three rows of sizes 1, 2, 4 over 3 m.
  assert_near(mesh->node[3][1], 3. / 7, 1e-15);
  assert_near(mesh->node[6][1], 9. / 7, 1e-15);
  pc_scene_free(&scene);
}

static void velocities_before_follow_their_profile(void **state)
{
  static const struct {
    const char *velocity;
    double at_quarter, at_top;
  } cases[] = {{"{profile: uniform, speed: 2}", 2, 2},
               {"{profile: linear, speed: 2}", 0.5, 2},
               {"{profile: parabolic, speed: 2}", 2 * 0.25 * 1.75, 2},
               {"{profile: parabolic, speed: -2, from: 0, to: 2}", -2 * 0.125 * 1.875, -1.5}};
  for (int k = 0; k < 4; k++) {
    char text[500];
    snprintf(text, sizeof text, BLOCK "media: {a: {fluid: true, density: 1, velocity: %s}}\n" LANDS,
             cases[k].velocity);
    pc_scene scene = read_good(text);
    const pc_continuum *c = scene.continuum;
    for (int i = 0; i < c->mesh.nodes; i++) {
      double y = c->mesh.node[i][1];
      if (y == 0.25)
        assert_near(c->velocity[2 * i], cases[k].at_quarter, 1e-15);
      if (y == 1)
        assert_near(c->velocity[2 * i], cases[k].at_top, 1e-15);
      assert_near(c->velocity[2 * i + 1], 0, 0);
    }
    pc_scene_free(&scene);
  }
}

static void a_spin_is_about_the_centre_of_mass(void **state)
{
  pc_scene scene = read_good(BLOCK "media: {a: {density: 1, velocity: [1, -1], spin: 2}}\n" LANDS);
  const pc_continuum *c = scene.continuum;
  for (int i = 0; i < c->mesh.nodes; i++) {
    assert_near(c->velocity[2 * i], 1 - 2 * (c->mesh.node[i][1] - 0.5), 1e-14);
    assert_near(c->velocity[2 * i + 1], -1 + 2 * (c->mesh.node[i][0] - 0.5), 1e-14);
  }
  pc_scene_free(&scene);
}

static const char GMSH[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                           "$PhysicalNames\n2\n1 1 \"low\"\n2 2 \"a\"\n$EndPhysicalNames\n"
                           "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                           "$Elements\n3\n1 1 2 1 1 1 2\n2 2 2 2 2 1 2 3\n3 2 2 2 2 1 3 4\n"
                           "$EndElements\n";

static void files_of_gmsh_become_quadratic(void **state)
{
  write_file("square.msh", GMSH);
  pc_scene scene = read_good("kind: continuum\nmesh: {file: square.msh}\n" STEEL LANDS);
  const pc_fe_mesh *mesh = &scene.continuum->mesh;
  assert_int_equal(mesh->body.count, 2);
  assert_int_equal(mesh->body.cell[0].type, PC_TRIANGLE6);
  assert_int_equal(mesh->nodes, 9);
  assert_int_equal(scene.input_count, 1);
  pc_scene_free(&scene);
  scene = read_good("kind: continuum\nmesh: {file: square.msh, order: 1}\n" STEEL LANDS);
  assert_int_equal(scene.continuum->mesh.nodes, 4);
  pc_scene_free(&scene);
}

static void mistakes_are_named_with_their_line(void **state)
{
  write_file("old.msh", "$MeshFormat\n1.0 0 8\n$EndMeshFormat\n");
  write_file("flat.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                         "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0.9 0.05 0\n$EndNodes\n"
                         "$Elements\n1\n1 3 2 1 1 1 4 3 2\n$EndElements\n");
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {BLOCK "media: {a: {density: -10}}\n" LANDS, "scene.yaml:3: 'density'"},
      {BLOCK "media: {a: {density: 10, young: 1e6, poisson: 0.3,\n  stretch: [-1.2, 0]}}\n" LANDS
             "duration: 1\nstep: 0.1\n",
       "scene.yaml:4: 'stretch' must be greater than -1 (got -1.2)"},
      {BLOCK "media: {b: {density: 10}}\n" LANDS,
       "scene.yaml:3: no elements are named 'b' (known: a)"},
      {BLOCK STEEL "contacts:\n  - {sides: lower}\n",
       "scene.yaml:5: no sides are named 'lower' (known: low, east, high, west)"},
      {BLOCK STEEL "contacts:\n  - {sides: low, with: floor}\n",
       "scene.yaml:5: unknown 'floor': expected the name of a body, the name"},
      {BLOCK STEEL "contacts:\n  - {sides: low, with: low}\n",
       "' cannot be in contact with itself"},
      {BLOCK STEEL "contacts:\n  - {sides: low, with: west}\n", ", has no matching node on \""},
      {BLOCK STEEL LANDS "hold: [{sides: nowhere}]\n", "scene.yaml:5: no sides are named"},
      {BLOCK STEEL LANDS "hold: [{sides: high, components: [z]}]\n", "unknown component 'z'"},
      {BLOCK STEEL LANDS "pushes: [{sides: high, percussion: [1]}]\n",
       "1 number, but the mesh has 2 dimensions"},
      {BLOCK STEEL, "nothing collides"},
      {BLOCK "media: {a: {fluid: true, density: 1, volume_viscosity: 1}}\n" LANDS,
       "a fluid is incompressible: remove 'volume_viscosity'"},
      {"kind: continuum\nmesh: {order: 1, rectangles: [" SQUARE "]}\n"
       "media: {a: {fluid: true, density: 1}}\n" LANDS,
       "scene.yaml:3: a fluid needs quadratic elements"},
      {"kind: continuum\nmesh: {rectangles: [" SQUARE ", " SECOND "]}\n" STEEL LANDS,
       "the elements 'b' have no medium"},
      {"kind: continuum\nmesh: {rectangles: [" SQUARE ", " SECOND
       "], join: [{sides: east, with: inner}]}\n"
       "media: {a: {density: 1, velocity: [1, 0]}, b: {density: 2}}\n" LANDS,
       "different velocities"},
      {"kind: continuum\nmesh: {rectangles: [" SQUARE ", " SECOND
       "], join: [{sides: east, with: outer}]}\n" STEEL LANDS,
       ", has no matching node on \""},
      {"kind: continuum\nmesh: {rectangles: [" SQUARE "],\n parts: [{of: high, name: plate, x: [2, "
       "3]}]}\n" STEEL LANDS,
       "scene.yaml:3: no side of 'high' lies in this range; they extend from (0, 1) to (1, 1) m"},
      {"kind: continuum\nmesh: {rectangles: [" SQUARE "],\n parts: [{of: high, name: plate, x: [0, "
       "0.7]}]}\n" STEEL LANDS,
       "scene.yaml:3: 'plate' ends inside a side of 'high'"},
      {"kind: continuum\nmesh: {rectangles: [" SQUARE
       "],\n parts: [{of: high, name: plate, x: [-3, "
       "3]}]}\n" STEEL LANDS,
       "scene.yaml:3: 'plate' reaches from -3 to 3 m in x, 'high' only from 0 to 1 m"},
      {"kind: continuum\nmesh: {rectangles: [" SQUARE "]}\n" STEEL LANDS
       "hold:\n  - {sides: high}\n  - {sides: high, velocity: kept, components: [x]}\n",
       "the sides 'high' are in two entries of 'hold'"},
      {"kind: continuum\nmesh: {}\n" STEEL LANDS,
       "a mesh must be given by one of: 'rectangles', 'bars'"},
      {"kind: continuum\nmesh: {rectangles: [{name: a, x: [1, 0], y: [0, 1], cells: [2, "
       "2]}]}\n" STEEL LANDS,
       "m is empty: the second number must be larger"},
      {"kind: continuum\nmesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1]}]}\n" STEEL LANDS,
       "'cells'"},
      {"kind: continuum\nmesh: {rectangles: [{name: a, y: [0, 1], cells: [1, 1]}]}\n" STEEL LANDS,
       "'x'"},
      {"kind: continuum\nmesh: {file: old.msh}\n" STEEL LANDS, "old.msh:2:"},
      {"kind: continuum\nmesh: {file: none.msh}\n" STEEL LANDS, "none.msh"},
      {"kind: continuum\nmesh: {file: flat.msh}\n" STEEL LANDS, "scene.yaml:2:"},
      {BLOCK STEEL LANDS "bodies: [{name: b, mass: 1}]\n", "'inertia'"},
      {BLOCK STEEL LANDS "bodies: [{name: b, mass: 1, held: [spin, turn]}]\n",
       "unknown motion of a body 'turn'"},
      {BAR "contacts: [{sides: foot}]\nbodies: [{name: b, mass: 1, velocity: [0, 1]}]\n",
       "the mesh has 1 dimension"},
      {"kind: continuum\nmesh: {lines: [{name: a, from: 0, to: 1, cells: 2}]}\n"
       "media: {a: {density: 1, velocity: {profile: linear, speed: 1}}}\n",
       "a profile needs a mesh in the plane or in space"},
      {BLOCK STEEL "contacts: [{sides: low}, {sides: low}]\n", "two contacts are named 'low'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error;
    pc_status status = read_text(cases[i].text, &scene, &error);
    if (status != PC_ERROR_INPUT || strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
  }
}

// Closed form: u(x) = -V + B cosh((L - x)/l), l = sqrt(2 k/rho) = 1 m.
static void a_bar_leaves_its_support_by_the_closed_form(void **state)
{
  pc_scene scene = read_good(BAR "contacts: [{sides: foot, normal: 2000}]\n");
  pc_continuum_answer answer;
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &error), &error);
  double b = 2 * 2000 / (2000 * cosh(1) + 1000 * sinh(1)), dissipated = 0;
  assert_true(answer.solved && answer.closed);
  for (int i = 0; i < answer.nodes; i++)
    assert_near(answer.velocity[i], -1 + b * cosh(1 - scene.continuum->mesh.node[i][0]), 1e-5);
  dissipated = answer.account.volume + answer.account.surface + answer.account.reactions;
  assert_near(dissipated, 483.3972, 1e-3);
  assert_int_equal(answer.touches, 1);
  // The bar's momentum is turned by the support alone.
  assert_near(answer.touch[0].resultant[0], 2000 * (1 - answer.velocity[0]), 1e-9);
  assert_near(answer.touch[0].force[0], -answer.touch[0].resultant[0], 1e-9);
  assert_int_equal(answer.touch[0].staying, 0);
  assert_near(answer.medium[0].mass, 1000, 1e-9);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

// What the diver loses the plate has: M [X] = integral of R.
static void a_body_receives_what_its_contact_gives(void **state)
{
  pc_scene scene = read_good(POOL);
  pc_continuum_answer answer;
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &error), &error);
  const pc_continuum_touch *plate = &answer.touch[0];
  const pc_continuum_body *diver = &answer.body[0];
  assert_true(answer.solved && diver->after[1] > -4 && diver->after[1] < 0);
  assert_near(plate->length, 1, 1e-12);
  assert_near(plate->force[0], diver->percussion[0], 1e-7);
  assert_near(plate->force[1], diver->percussion[1], 1e-7);
  assert_near(plate->mean, plate->resultant[0], 1e-9);
  assert_int_equal(plate->nodes, 9);
  assert_int_equal(plate->staying, 9);
  assert_near(plate->velocity_low[1], diver->after[1], 1e-8);
  assert_true(plate->pressure > 0 && plate->pressure < plate->peak);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

// A light body strikes a fluid that is heavy and slow. What the ground holds must be exact by its
// work too: velocities alone would be compared with that of the body.
static void what_is_heavy_and_slow_closes_its_account(void **state)
{
  pc_scene scene = read_good(
      "kind: continuum\nmesh: {rectangles: [{name: b, x: [0, 40], y: [0, 1], cells: [4, 4], sides: "
      "{bottom: foot, top: top}}]}\nmedia: {b: {fluid: true, density: 6000, viscosity: 4e-4, "
      "velocity: [0, -0.002]}}\ncontacts: [{sides: foot}, {sides: top, with: B, normal: 1}]\n"
      "bodies: [{name: B, mass: 0.1, inertia: 30000, velocity: [0, -13]}]\n");
  pc_continuum_answer answer;
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &error), &error);
  assert_true(answer.solved && answer.closed);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

// A rod so viscous that it jumps as a rigid one: m (U+ - U-) + k (U+ + U-) = 0. Where digits do not
// suffice for that, the energy balance says so.
static void viscous_rods_are_rigid_or_not_closed(void **state)
{
  for (int round = 0; round < 16; round++) {
    double viscosity = pow(10, round / 2), k = 0.2, m = 16 * 0.006;
    bool fluid = round % 2 == 1;
    char text[400];
    snprintf(
        text, sizeof text,
        "kind: continuum\nmesh: {lines: [{name: b, from: 0, to: 0.006, cells: 20, grade: 0.01, "
        "left: foot}]}\nmedia: {b: {fluid: %s, density: 16, viscosity: %g, velocity: [-67]}}\n"
        "contacts: [{sides: foot, normal: %g}]\n",
        fluid ? "true" : "false", viscosity * 1e2, k);
    pc_scene scene = read_good(text);
    pc_continuum_answer answer;
    pc_error error = {.text = ""};
    assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &error), &error);
    double want = 2 * m * k * 67 / (m + k), got = answer.touch[0].resultant[0];
    if (answer.closed)
      assert_near(got, want, 1e-4 * want);
    assert_true(answer.closed || viscosity >= 1e7);
    pc_continuum_answer_free(&answer);
    pc_scene_free(&scene);
  }
}

// The direct solver has no velocities to compare the divergence of these with.
static void columns_of_fluid_come_to_rest(void **state)
{
  static const double columns[][5] = {{0.542224, 18, 391.852, 29.0502, -53.2298},
                                      {0.605, 16, 77.98, 0.971, -0.649}};
  for (int i = 0; i < 2; i++) {
    const double *c = columns[i];
    char text[400];
    snprintf(text, sizeof text,
             "kind: continuum\nmesh: {lines: [{name: b, from: 0, to: %g, cells: %g, left: foot}]}\n"
             "media: {b: {fluid: true, density: %g, viscosity: %g, velocity: [%g]}}\n"
             "contacts: [{sides: foot}]\n",
             c[0], c[1], c[2], c[3], c[4]);
    pc_scene scene = read_good(text);
    pc_continuum_answer answer;
    pc_error error = {.text = ""};
    assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &error), &error);
    double want = -c[0] * c[2] * c[4];
    assert_true(answer.solved && answer.closed);
    assert_near(answer.touch[0].resultant[0], want, 1e-9 * want);
    pc_continuum_answer_free(&answer);
    pc_scene_free(&scene);
  }
}

static bool stop_at_once(void *context, const pc_run_progress *progress)
{
  return false;
}

static void a_record_has_the_mesh_and_both_frames(void **state)
{
  const char *path = in_folder("pool.h5");
  pc_run_summary summary = run_text(POOL, path, false, NULL);
  assert_true(summary.finished && summary.steps == 1 && summary.time == 0);
  pc_scene scene = read_good(POOL);
  const pc_continuum *c = scene.continuum;
  pc_continuum_answer answer;
  assert_int_equal(pc_continuum_solve(c, 0, &answer, NULL), PC_OK);
  size_t n = (size_t)answer.nodes, points = (size_t)answer.points;
  pc_reading *reading = pc_reading_open(path, NULL);
  assert_non_null(reading);
  assert_int_equal(pc_reading_frames(reading, "frames"), 2);
  double *numbers = calloc(16 * n, sizeof *numbers);
  read_array(reading, "frames/time", 2, numbers);
  assert_true(numbers[0] == 0 && numbers[1] == 0);
  read_array(reading, "mesh/node", (long)n, numbers);
  for (size_t i = 0; i < n; i++)
    assert_memory_equal(numbers + 2 * i, c->mesh.node[i], 2 * sizeof *numbers);
  read_array(reading, "mesh/cell_node", 32 * 9, numbers);
  for (int i = 0; i < 32 * 9; i++)
    assert_true(numbers[i] == c->mesh.body.node[i]);
  read_array(reading, "mesh/cell_type", 32, numbers);
  assert_true(numbers[0] == 6);
  read_array(reading, "frames/velocity", 2, numbers);
  assert_memory_equal(numbers, c->velocity, 2 * n * sizeof *numbers);
  assert_memory_equal(numbers + 2 * n, answer.velocity, 2 * n * sizeof *numbers);
  read_array(reading, "frames/pressure", 2, numbers);
  assert_true(numbers[0] == 0);
  assert_memory_equal(numbers + n, answer.pressure, n * sizeof *numbers);
  read_array(reading, "frames/stress", 2, numbers);
  for (size_t i = 0; i < n; i++)
    assert_memory_equal(numbers + 3 * (n + i), answer.stress[i], 3 * sizeof *numbers);
  read_array(reading, "frames/body", 2, numbers);
  const double *body = answer.body[0].after;
  const double both[12] = {0, 0.1, 0, 0, -4, 0, 0, 0.1, 0, body[0], body[1], body[2]};
  assert_memory_equal(numbers, both, sizeof both);
  read_array(reading, "frames/percussion", 2, numbers);
  read_array(reading, "frames/slip", 2, numbers + 4 * points);
  for (size_t i = 0; i < points; i++)
    for (int k = 0; k < 2; k++) {
      assert_true(numbers[2 * i + k] == 0);
      assert_true(numbers[2 * points + 2 * i + k] == answer.point[i].percussion[k]);
      assert_true(numbers[4 * points + 2 * i + k] == answer.point[i].before[k]);
      assert_true(numbers[6 * points + 2 * i + k] == answer.point[i].after[k]);
    }
  read_array(reading, "bodies/outline", 4, numbers);
  double low = 1, high = -1;
  for (int i = 0; i < 4; i++) {
    low = fmin(low, fmin(numbers[4 * i], numbers[4 * i + 2]));
    high = fmax(high, fmax(numbers[4 * i], numbers[4 * i + 2]));
  }
  assert_true(low == -0.5 && high == 0.5);
  free(numbers);
  pc_reading_close(reading);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void a_stopped_run_goes_on_as_if_it_had_not(void **state)
{
  static const char *const endings[] = {".csv", "-profile.csv"};
  assert_int_equal(stop_and_go(POOL, stop_at_once, 2, endings).steps, 1);
}

// A line for each node of each contact; the percussions times the weights are the resultant.
static void the_profile_has_every_node_of_every_contact(void **state)
{
  run_text(POOL, in_folder("profile.h5"), false, NULL);
  char *text = text_of(in_folder("profile-profile.csv"));
  pc_scene scene = read_good(POOL);
  pc_continuum_answer answer;
  assert_int_equal(pc_continuum_solve(scene.continuum, 0, &answer, NULL), PC_OK);
  double sum = 0;
  int lines = 0;
  for (char *line = strchr(text, '\n') + 1; *line != 0; line = strchr(line, '\n') + 1) {
    double x, y, weight, slip[2], percussion[2];
    char contact[40];
    assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%39s", &x, &y, &weight, slip,
                            slip + 1, percussion, percussion + 1, contact),
                     8);
    lines++;
    if (strcmp(contact, "plate") == 0)
      sum += weight * percussion[0];
  }
  assert_int_equal(lines, answer.points);
  assert_near(sum, answer.touch[0].resultant[0], 1e-9 * sum);
  free(text);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void paraview_finds_elements_of_every_kind(void **state)
{
  static const struct {
    const char *text;
    int cells, numbers, code;
  } cases[] = {
      {POOL, 32, 32 * 10, 35},
      {BAR "contacts: [{sides: foot}]\n", 20, 20 * 4, 34},
      {"kind: continuum\nmesh: {lines: [{name: a, from: 0, to: 1, cells: 3, left: low}], "
       "order: 1}\nmedia: {a: {density: 1, velocity: [-1]}}\n" LANDS,
       3, 3 * 4, 2},
      {"kind: continuum\nmesh: {order: 1, rectangles: [" SQUARE "]}\n" STEEL LANDS, 4, 4 * 5, 5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_text(cases[i].text, in_folder("mesh.h5"), false, NULL);
    xml *x = xml_read(in_folder("mesh.xdmf"));
    int topologies = 0;
    for (int k = 0; k < x->count; k++)
      if (strcmp(x->element[k].tag, "Topology") == 0) {
        assert_near(xml_number(&x->element[k], "NumberOfElements"), cases[i].cells, 0);
        assert_near(xml_number(&x->element[k + 1], "Dimensions"), cases[i].numbers, 0);
        topologies++;
      }
    assert_int_equal(topologies, 2);
    xml_free(x);
    pc_reading *reading = pc_reading_open(in_folder("mesh.h5"), NULL);
    double code;
    read_array(reading, "mesh/topology", 1, &code);
    assert_true(code == cases[i].code);
    pc_reading_close(reading);
  }
}

// The closed form for both sides of k_N = m* = 761.5942.
static void coefficients_are_swept(void **state)
{
  pc_scene scene = read_good(BAR "contacts: [{name: support, sides: foot, normal: 0}]\n"
                                 "sweep: [{key: contacts.support.normal, values: [500, 2000]}]\n");
  pc_error error = {.text = ""};
  pc_runs *runs = pc_runs_create(&scene, &error);
  assert_non_null(runs);
  assert_int_equal(pc_runs_run(runs, &(pc_runs_options){.threads = 2}, &error), PC_OK);
  assert_int_equal(pc_runs_count(runs, PC_MEMBER_FINISHED), 2);
  double m = 1000 * tanh(1);
  assert_near(value_of(runs, 0, "support/resultant"), m, 1e-3);
  assert_near(value_of(runs, 1, "support/sides_vx_high"), (2000 - m) / (2000 + m), 1e-5);
  assert_near(value_of(runs, 0, "support/staying"), 1, 0);
  assert_near(value_of(runs, 1, "support/staying"), 0, 0);
  assert_near(value_of(runs, 0, "bar/vx_low"), -0.351946, 1e-5);
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_take_the_sides_in_their_box),
      cmocka_unit_test(joined_rectangles_share_their_nodes),
      cmocka_unit_test(places_sizes_and_grades_say_where_elements_end),
      cmocka_unit_test(velocities_before_follow_their_profile),
      cmocka_unit_test(a_spin_is_about_the_centre_of_mass),
      cmocka_unit_test(files_of_gmsh_become_quadratic),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(a_bar_leaves_its_support_by_the_closed_form),
      cmocka_unit_test(a_body_receives_what_its_contact_gives),
      cmocka_unit_test(what_is_heavy_and_slow_closes_its_account),
      cmocka_unit_test(viscous_rods_are_rigid_or_not_closed),
      cmocka_unit_test(columns_of_fluid_come_to_rest),
      cmocka_unit_test(a_record_has_the_mesh_and_both_frames),
      cmocka_unit_test(a_stopped_run_goes_on_as_if_it_had_not),
      cmocka_unit_test(the_profile_has_every_node_of_every_contact),
      cmocka_unit_test(paraview_finds_elements_of_every_kind),
      cmocka_unit_test(coefficients_are_swept),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
