// Continuum files in space: slices that must do what the plane does, bodies that move, and records.
#include <string.h>

#include "percuss/percuss.h"
#include "record/record.h"
#include "scene/continuum.h"
#include "support.h"
#include "trial.h"

// A slice of 0.5 m of water and a solid layer under it, with one element across, whose front and
// back move in the plane; x and z are the x and y of the plane.
#define DEPTH 0.5
#define WATER "water: {fluid: true, density: 1000, viscosity: 0.25}"
#define SAND "sand: {density: 1500, viscosity: 4, volume_viscosity: 2}"
#define PLANE                                                                                      \
  "kind: continuum\nmesh:\n  rectangles:\n"                                                        \
  "    - {name: water, x: [-1, 1], y: [-1, 0], cells: [8, 4], grade: [1, 0.5], "                   \
  "sides: {bottom: deep, left: west, right: east, top: surface}}\n"                                \
  "    - {name: sand, x: [-1, 1], y: [-1.5, -1], cells: [8, 2], sides: {bottom: rock, top: "       \
  "bed}}\n"                                                                                        \
  "  parts: [{of: surface, name: flat, x: [-0.5, 0.5]}]\n"                                         \
  "media: {" WATER ", " SAND "}\n"                                                                 \
  "bodies: [{name: diver, mass: 100, inertia: 8, centre: [0.1, 0.1], velocity: [1, -4.47], "       \
  "spin: 0.5}]\n"                                                                                  \
  "hold: [{sides: west, components: [x]}, {sides: east, components: [x]}, {sides: rock}]\n"
#define SLICE                                                                                      \
  "kind: continuum\nmesh:\n  boxes:\n"                                                             \
  "    - {name: water, x: [-1, 1], y: [0, 0.5], z: [-1, 0], cells: [8, 1, 4], "                    \
  "grade: [1, 1, 0.5], sides: {bottom: deep, left: west, right: east, top: surface, front: side, " \
  "back: side}}\n"                                                                                 \
  "    - {name: sand, x: [-1, 1], y: [0, 0.5], z: [-1.5, -1], cells: [8, 1, 2], sides: {bottom: "  \
  "rock, top: bed, front: side, back: side}}\n"                                                    \
  "  parts: [{of: surface, name: flat, x: [-0.5, 0.5]}]\n"                                         \
  "media: {" WATER ", " SAND "}\n"                                                                 \
  "bodies: [{name: diver, mass: 50, inertia: [1, 4, 1], centre: [0.1, 0.25, 0.1], velocity: [1, "  \
  "0, -4.47], spin: [0, -0.5, 0]}]\n"                                                              \
  "hold: [{sides: west, components: [x]}, {sides: east, components: [x]}, {sides: rock}, {sides: " \
  "side, components: [y]}]\n"
#define CONTACTS                                                                                   \
  "contacts:\n"                                                                                    \
  "  - {sides: flat, with: diver, normal: 20, tangential: 7}\n"                                    \
  "  - {sides: deep, with: bed, normal: 3, tangential: 30}\n"

static int node_at(const pc_continuum *c, double x, double y, double z)
{
  for (int i = 0; i < c->mesh.nodes; i++) {
    const double *p = c->mesh.node[i];
    if (fabs(p[0] - x) + fabs(p[1] - y) + fabs(p[2] - z) < 1e-9)
      return i;
  }
  return -1;
}

// Fluid, solid, rigid body, two surfaces with viscosities and conditions.
static void a_slice_collides_as_the_plane_does(void **state)
{
  pc_scene plane = read_good(PLANE CONTACTS), slice = read_good(SLICE CONTACTS);
  const pc_continuum *p = plane.continuum, *s = slice.continuum;
  pc_continuum_answer a, b;
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_solve(p, 0, &a, &error), &error);
  assert_ok(pc_continuum_solve(s, 0, &b, &error), &error);
  assert_true(a.closed && b.closed && a.solved && b.solved);
  double worst = 0, pressure = 0;
  for (int i = 0; i < p->mesh.nodes; i++)
    for (int across = 0; across < 3; across++) {
      const double *at = p->mesh.node[i];
      int j = node_at(s, at[0], DEPTH * across / 2, at[1]);
      assert_true(j >= 0);
      // Nodes of both surfaces of contact are at one place: compare the first of each.
      if (node_at(p, at[0], at[1], 0) != i)
        continue;
      worst = fmax(worst, fabs(a.velocity[2 * i] - b.velocity[3 * j]));
      worst = fmax(worst, fabs(a.velocity[2 * i + 1] - b.velocity[3 * j + 2]));
      worst = fmax(worst, fabs(b.velocity[3 * j + 1]));
      pressure = fmax(pressure, fabs(a.pressure[i] - b.pressure[j]));
    }
  printf("slice: velocities %.1e m/s, pressures %.1e Pa s off\n", worst, pressure);
  assert_true(worst < 1e-7);
  assert_true(pressure < 1e-3);
  assert_near(a.body[0].after[0], b.body[0].after[0], 1e-8);
  assert_near(a.body[0].after[1], b.body[0].after[2], 1e-8);
  assert_near(a.body[0].after[2], -b.body[0].after[4], 1e-8);
  for (int t = 0; t < 2; t++) {
    assert_near(b.touch[t].resultant[0], DEPTH * a.touch[t].resultant[0], 1e-5);
    assert_near(b.touch[t].length, DEPTH * a.touch[t].length, 1e-12);
    assert_near(b.touch[t].force[0], DEPTH * a.touch[t].force[0], 1e-5);
    assert_near(b.touch[t].force[2], DEPTH * a.touch[t].force[1], 1e-5);
  }
  assert_near(b.account.volume, DEPTH * a.account.volume, 1e-6);
  assert_near(b.account.surface, DEPTH * a.account.surface, 1e-6);
  pc_continuum_answer_free(&a);
  pc_continuum_answer_free(&b);
  pc_scene_free(&plane);
  pc_scene_free(&slice);
}

#define BLOCK_PLANE                                                                                \
  "kind: continuum\nmesh: {rectangles: [{name: a, x: [0, 1], y: [0.02, 0.4], cells: [4, 2], "      \
  "sides: {bottom: low, top: high}}]}\n"                                                           \
  "media: {a: {density: 1000, young: 1e7, poisson: 0.3, viscosity: 3, velocity: [0.3, -1], spin: " \
  "0.2}}\n"
#define BLOCK_SLICE                                                                                \
  "kind: continuum\nmesh: {boxes: [{name: a, x: [0, 1], y: [0, 0.5], z: [0.02, 0.4], cells: [4, "  \
  "1, 2], sides: {bottom: low, top: high, front: side, back: side}}]}\n"                           \
  "media: {a: {density: 1000, young: 1e7, poisson: 0.3, viscosity: 3, velocity: [0.3, 0, -1], "    \
  "spin: [0, -0.2, 0]}}\nhold: [{sides: side, components: [y]}]\n"
#define LANDS "contacts: [{sides: low, normal: 300, tangential: 50}]\nduration: 0.1\nstep: 1e-3\n"

static void compare_motions(const char *in_plane, const char *in_space)
{
  pc_scene plane = read_good(in_plane), slice = read_good(in_space);
  pc_error error = {.text = ""};
  pc_continuum_motion *a = pc_continuum_motion_create(plane.continuum, &error);
  pc_continuum_motion *b = pc_continuum_motion_create(slice.continuum, &error);
  assert_non_null(a);
  assert_non_null(b);
  double worst = 0;
  for (int i = 0; i < 100; i++) {
    assert_ok(pc_continuum_motion_step(a, &error), &error);
    assert_ok(pc_continuum_motion_step(b, &error), &error);
    pc_continuum_balance own = pc_continuum_motion_balance(b);
    assert_true(own.closed);
    pc_continuum_state p = pc_continuum_motion_state(a), s = pc_continuum_motion_state(b);
    for (int n = 0; n < plane.continuum->mesh.nodes; n++) {
      const double *at = plane.continuum->mesh.node[n];
      int m = node_at(slice.continuum, at[0], 0.25, at[1]);
      worst = fmax(worst, fabs(p.velocity[2 * n] - s.velocity[3 * m]));
      worst = fmax(worst, fabs(p.velocity[2 * n + 1] - s.velocity[3 * m + 2]));
    }
    int contacts = plane.continuum->def.contacts;
    for (int k = 0; k < contacts; k++)
      assert_near(pc_continuum_motion_contact(b, k).percussion[0],
                  DEPTH * pc_continuum_motion_contact(a, k).percussion[0], 1e-6);
  }
  assert_true(pc_continuum_motion_contact(a, 0).collisions > 0);
  printf("slice in motion: velocities %.1e m/s off\n", worst);
  assert_true(worst < 1e-7);
  pc_continuum_motion_destroy(a);
  pc_continuum_motion_destroy(b);
  pc_scene_free(&plane);
  pc_scene_free(&slice);
}

static void a_slice_moves_as_the_plane_does(void **state)
{
  compare_motions(BLOCK_PLANE LANDS, BLOCK_SLICE LANDS);
}

// A box that is longer than the slice is deep is a rectangle in the plane, which has no corners
// over it: those of the box are beside the slice.
static void a_box_falls_on_a_slice_as_in_the_plane(void **state)
{
  skip_when_reduced();
#define BOXED(mass, inertia, centre, velocity, size)                                               \
  "bodies: [{name: b, size: " size ", mass: " mass ", inertia: " inertia ", centre: " centre       \
  ", velocity: " velocity                                                                          \
  "}]\ncontacts: [{sides: low, normal: 300, tangential: 50}, {name: press, "                       \
  "sides: high, with: b}]\nduration: 0.1\nstep: 1e-3\n"
  compare_motions(
      BLOCK_PLANE BOXED("100", "2", "[0.45, 0.55]", "[0, -2]", "[1.4, 0.2]"),
      BLOCK_SLICE BOXED("50", "[1, 1, 1]", "[0.45, 0.25, 0.55]", "[0, 0, -2]", "[1.4, 1, 0.2]"));
}

// A ball, a box that turns: momentum of all and the energy of every step.
static void bodies_keep_momentum_and_energy(void **state)
{
  static const char *const bodies[] = {
      "bodies: [{name: b, radius: 0.2, mass: 60, centre: [0.4, 0.3, 0.7], velocity: [0.5, 0.2, "
      "-3], spin: [1, 2, 3]}]\n",
      "bodies: [{name: b, size: [0.3, 0.2, 0.4], mass: 60, centre: [0.4, 0.3, 0.85], velocity: [0, "
      "0, -3], spin: [2, -4, 1]}]\n"};
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "kind: continuum\nmesh: {order: 1, boxes: [{name: a, x: [0, 1], y: [0, 1], z: [0, "
             "0.4], cells: [6, 6, 3], sides: {top: high}}]}\n"
             "media: {a: {density: 1000, young: 2e6, poisson: 0.3}}\n%s"
             "contacts: [{sides: high, with: b}]\nduration: 0.1\nstep: 5e-4\n",
             bodies[i]);
    pc_scene scene = read_good(text);
    pc_error error = {.text = ""};
    pc_continuum_motion *motion = pc_continuum_motion_create(scene.continuum, &error);
    assert_non_null(motion);
    const pc_fe_mesh *mesh = &scene.continuum->mesh;
    pc_fe_elastic elastic;
    assert_ok(pc_fe_elastic_create(&elastic, mesh, 1, scene.continuum->motion.solid, (double[3]){0},
                                   &error),
              &error);
    double start[3] = {0}, *force = calloc(3 * (size_t)mesh->nodes, sizeof *force);
    double worst = 0, pulse = 0;
    for (int n = 0; n < 200; n++) {
      assert_ok(pc_continuum_motion_step(motion, &error), &error);
      pc_continuum_balance balance = pc_continuum_motion_balance(motion);
      assert_true(balance.closed);
      worst = fmax(worst, balance.identity);
      pc_block_matrix_multiply(&elastic.mass, pc_continuum_motion_state(motion).velocity, force);
      pc_continuum_mover b = pc_continuum_motion_body(motion, 0);
      for (int k = 0; k < 3; k++) {
        double sum = 60 * b.velocity[k];
        for (int j = 0; j < mesh->nodes; j++)
          sum += force[3 * j + k];
        if (n == 0)
          start[k] = sum;
        assert_near(sum, start[k], 1e-9);
      }
      pulse = pc_continuum_motion_contact(motion, 0).percussion[0];
    }
    printf("body %d: impulse %.3f N s, balance %.1e\n", i, pulse, worst);
    assert_true(pulse > 60); // it came to rest on the block at least
    assert_true(worst < 1e-9);
    free(force);
    pc_fe_elastic_free(&elastic);
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
}

#define DENTED                                                                                     \
  "kind: continuum\nmesh: {order: 1, boxes: [{name: a, x: [0, 1], y: [0, 1], z: [0, 0.4], cells: " \
  "[4, 4, 2], sides: {top: high, bottom: low}}]}\n"                                                \
  "media: {a: {density: 1000, young: 2e6, poisson: 0.3}}\n"                                        \
  "bodies: [{name: b, radius: 0.2, mass: 60, centre: [0.4, 0.3, 0.61], velocity: [0.5, 0.2, -3], " \
  "spin: [1, 2, 3]}]\nhold: [{sides: low}]\ncontacts: [{sides: high, with: b}]\n"                  \
  "duration: 0.05\nstep: 5e-4\n"

static bool stop_in_the_middle(void *context, const pc_run_progress *progress)
{
  return progress->step < 30;
}

static void a_stopped_run_goes_on_as_if_it_had_not(void **state)
{
  static const char *const endings[] = {".csv", "-collisions.csv"};
  pc_run_summary whole = stop_and_go(DENTED, stop_in_the_middle, 2, endings);
  assert_int_equal(whole.steps, 100);
  assert_int_equal(whole.steps_open, 0);
}

static void mistakes_are_named(void **state)
{
  static const struct {
    const char *from, *to, *complaint;
  } cases[] = {
      {"radius: 0.2, ", "", "a body needs a shape ('radius' or 'size') or the key 'inertia'"},
      {"radius: 0.2, ", "inertia: 1, ", "with a 'duration' a body needs 'radius' or 'size'"},
      {"radius: 0.2", "radius: 0.2, size: [1, 1, 1]", "'radius' and 'size' cannot be combined"},
      {"radius: 0.2", "size: [1, 1]", "2 numbers, but the mesh has 3 dimensions"},
      {"spin: [1, 2, 3]", "spin: 2", "in space a spin must have three numbers"},
      {"spin: [1, 2, 3]", "held: [x]", "must have zero velocity"},
      {"with: b}", "with: b, normal: 3}", "with a 'duration' contacts with a body or other sides"},
      {"young: 2e6", "young: 2e6, heat: {capacity: 1, temperature: 300}",
       "'heat' requires a mesh in one dimension or in the plane"},
      {"cells: [4, 4, 2]", "cells: [4, 4]", "cells"},
      {"z: [0, 0.4], ", "", "a box needs the key 'z'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    char text[2048];
    const char *at = strstr(DENTED, cases[i].from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - DENTED), DENTED, cases[i].to,
             at + strlen(cases[i].from));
    pc_status status = pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error);
    if (status != PC_ERROR_INPUT || strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slice_collides_as_the_plane_does),
      cmocka_unit_test(a_slice_moves_as_the_plane_does),
      cmocka_unit_test(a_box_falls_on_a_slice_as_in_the_plane),
      cmocka_unit_test(bodies_keep_momentum_and_energy),
      cmocka_unit_test(a_stopped_run_goes_on_as_if_it_had_not),
      cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
