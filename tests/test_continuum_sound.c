// Compressible fluids in time: plane waves, modes, flows without stiffness, viscosity, and solids
// or fluids that are tied to what they meet.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "continuum_support.h"
#include "percuss/percuss.h"
#include "support.h"
#include "trial.h"

static const double PI = 3.14159265358979323846;

static void advance(pc_continuum_motion *motion)
{
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_motion_step(motion, &error), &error);
  pc_continuum_balance balance = pc_continuum_motion_balance(motion);
  assert_true(balance.closed && balance.identity < 1e-11);
}

// Fluid of density 1 and c = 1 between walls, against a rigid one: rho c U per area, until the wave
// from its free end is back after 2 lengths over c; the whole momentum is turned round.
static void a_column_strikes_with_rho_c_u(void **state)
{
  static const struct {
    const char *mesh, *velocity, *body, *held;
  } columns[] = {
      {"rectangles: [{name: a, x: [-1, 0], y: [0, 0.2], cells: [60, 2], sides: {bottom: low, top: "
       "high, right: nose}}]",
       "[1e-3, 0]", "size: [1, 4], centre: [0.50001, 0], held: [x, y, spin]", ""},
      {"boxes: [{name: a, x: [-1, 0], y: [0, 0.2], z: [0, 1], cells: [60, 1, 2], sides: {front: "
       "low, back: high, bottom: under, top: over, right: nose}}]",
       "[1e-3, 0, 0]", "size: [1, 4, 4], centre: [0.50001, 0, 0], held: [x, y, z, spin]",
       ", {sides: under, components: [z]}, {sides: over, components: [z]}"}};
  for (int i = 0; i < 2; i++) {
    pc_scene scene = read_scene(
        "kind: continuum\nmesh: {order: 1, %s}\nmedia: {a: {density: 1, bulk: 1, velocity: %s}}\n"
        "bodies: [{name: rock, mass: 1, %s}]\ncontacts: [{sides: nose, with: rock}]\n"
        "hold: [{sides: low, components: [y]}, {sides: high, components: [y]}%s]\n"
        "duration: 3\nstep: 0.02\n",
        columns[i].mesh, columns[i].velocity, columns[i].body, columns[i].held);
    pc_continuum_motion *motion = start(&scene);
    double at[2] = {0};
    for (int n = 1; n <= 150; n++) {
      advance(motion);
      double impulse = pc_continuum_motion_contact(motion, 0).percussion[0];
      if (n == 20 || n == 80)
        at[n == 80] = impulse;
    }
    assert_near((at[1] - at[0]) / (60 * 0.02) / (0.2 * 1e-3), 1, 0.01);
    assert_near(pc_continuum_motion_contact(motion, 0).percussion[0] / (0.2 * 1e-3), 2, 0.03);
    assert_int_equal(pc_continuum_motion_contact(motion, 0).closed, 0);
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
}

// A mode of a box, u = grad cos(2 pi x) cos(pi y / 0.8), has the pulsation c |k| on every element;
// half a period later all velocities have turned round.
static void modes_of_a_box_keep_their_time(void **state)
{
  static const int cells[] = {16, 32};
  double error[2];
  for (int i = 0; i < 2; i++) {
    double k = 2 * PI, l = PI / 0.8, half = PI / hypot(k, l);
    pc_scene scene = read_scene(
        "kind: continuum\nmesh: {order: 1, rectangles: [{name: a, x: [0, 1], y: [0, 0.8], cells: "
        "[%d, %d], "
        "sides: {bottom: b, top: t, left: l, right: r}}]}\n"
        "media: {a: {density: 2, bulk: 2}}\n"
        "hold: [{sides: b, components: [y]}, {sides: t, components: [y]}, {sides: l, components: "
        "[x]}, {sides: r, components: [x]}]\n"
        "contacts: [{sides: b, ground: {offset: -9}}]\n"
        "duration: 1\nstep: %.17g\n",
        cells[i], cells[i], half / 200);
    pc_continuum_nodes nodes = pc_continuum_before(scene.continuum);
    double start_energy = 0;
    for (int n = 0; n < nodes.count; n++) {
      double x = nodes.place[n][0], y = nodes.place[n][1];
      nodes.velocity[2 * n] = -1e-3 * k * sin(k * x) * cos(l * y);
      nodes.velocity[2 * n + 1] = -1e-3 * l * cos(k * x) * sin(l * y);
      for (int c = 0; c < 2; c++)
        start_energy += nodes.velocity[2 * n + c] * nodes.velocity[2 * n + c];
    }
    pc_continuum_motion *motion = start(&scene);
    for (int n = 0; n < 200; n++)
      advance(motion);
    const double *now = pc_continuum_motion_state(motion).velocity;
    error[i] = 0;
    for (int n = 0; n < 2 * nodes.count; n++)
      error[i] += (now[n] + nodes.velocity[n]) * (now[n] + nodes.velocity[n]);
    error[i] = sqrt(error[i] / start_energy);
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
  assert_true(error[1] < 0.003);
  assert_near(error[0] / error[1], 4, 0.2);
}

// A shear flow has no divergence: nothing changes it but a viscosity. cos(pi y) between two free
// surfaces then decays with nu pi^2, and the balance has what is lost.
static void shear_is_opposed_by_viscosity_alone(void **state)
{
  for (int viscous = 0; viscous < 2; viscous++) {
    pc_scene scene = read_scene("kind: continuum\nmesh: {order: 1, rectangles: [{name: a, x: [0, "
                                "1], y: [0, 1], cells: [2, 32], "
                                "sides: {left: l, right: r, bottom: b}}]}\n"
                                "media: {a: {density: 1, bulk: 100, dynamic_viscosity: %g}}\n"
                                "hold: [{sides: l, components: [y]}, {sides: r, components: [y]}]\n"
                                "contacts: [{sides: b, ground: {offset: -9}}]\n"
                                "duration: 1\nstep: 0.01\n",
                                viscous * 0.02);
    pc_continuum_nodes nodes = pc_continuum_before(scene.continuum);
    for (int n = 0; n < nodes.count; n++)
      nodes.velocity[2 * n] = 1e-2 * cos(PI * nodes.place[n][1]);
    pc_continuum_motion *motion = start(&scene);
    double kinetic = pc_continuum_motion_balance(motion).kinetic;
    for (int n = 0; n < 100; n++)
      advance(motion);
    double left = pc_continuum_motion_balance(motion).kinetic / kinetic;
    assert_near(left, exp(-2 * viscous * 0.02 * PI * PI), viscous ? 2e-3 : 1e-12);
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
}

// Two equal bars, the first under way: free, they exchange their velocities and part after 2 L / c;
// tied, the wave that opens them goes on, and after 4 L / c all is as it was at the start.
static void tied_bars_are_one(void **state)
{
  for (int tied = 0; tied < 2; tied++) {
    pc_scene scene = read_scene(
        "kind: continuum\nmesh: {order: 1, rectangles: [{name: a, x: [-1, 0], y: [0, 0.1], cells: "
        "[60, 2], sides: {right: nose}}, {name: b, x: [0.000005, 1.000005], y: [0, 0.1], cells: "
        "[60, 3], sides: {left: face}}]}\n"
        "media: {a: {density: 1, young: 1, velocity: [1e-3, 0]}, b: {density: 1, young: 1}}\n"
        "contacts: [{sides: nose, with: face, condition: %s}]\n"
        "duration: 5\nstep: 0.01\n",
        tied ? "bilateral" : "unilateral");
    pc_continuum_motion *motion = start(&scene);
    for (int n = 0; n < 300; n++)
      advance(motion);
    double third = pc_continuum_motion_contact(motion, 0).percussion[0] / 1e-4;
    for (int n = 300; n < 400; n++)
      advance(motion);
    double fourth = pc_continuum_motion_contact(motion, 0).percussion[0] / 1e-4;
    assert_near(third, tied ? 0.5 : 1, 0.02);
    assert_near(fourth, tied ? 0 : 1, 0.03);
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_column_strikes_with_rho_c_u),
      cmocka_unit_test(modes_of_a_box_keep_their_time),
      cmocka_unit_test(shear_is_opposed_by_viscosity_alone),
      cmocka_unit_test(tied_bars_are_one),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
