// The patch test of solids that meet: a uniform stress passes through a surface of contact whose
// meshes do not match, and nothing moves.
#include <math.h>
#include <stdio.h>

#include "continuum_trial.h"

static const double STRAIN = 0.01, POISSON = 0.3, STEP = 0.05;
enum { STEPS = 20 };

// Two blocks of sides 1 on each other, between walls. Density and Young's modulus are 1.
typedef struct stack {
  int dimension, order;
  int cells[2];
  bool simplex[2]; // triangles or tetrahedra instead of rectangles or bricks
} stack;

typedef struct found {
  double velocity, impulse; // errors, relative
} found;

static void write_block(char *text, size_t size, const stack *s, int block)
{
  static const char *const name[] = {"low", "high"}, *const foot[] = {"foot", "under"};
  static const char *const top[] = {"over", "head"};
  int n = s->cells[block];
  double grade = block == 0 ? 1.7 : 0.8;
  const char *simplex = s->simplex[block] ? "true" : "false";
  if (s->dimension == 2)
    snprintf(text, size,
             "{name: %s, x: [0, 1], y: [%d, %d], cells: [%d, %d], grade: [%g, %g], triangles: %s, "
             "sides: {bottom: %s, top: %s, left: x_walls, right: x_walls}}",
             name[block], block, block + 1, n, n, grade, grade, simplex, foot[block], top[block]);
  else
    snprintf(text, size,
             "{name: %s, x: [0, 1], y: [0, 1], z: [%d, %d], cells: [%d, %d, %d], grade: [%g, %g, "
             "%g], tetrahedra: %s, sides: {bottom: %s, top: %s, left: x_walls, right: x_walls, "
             "front: y_walls, back: y_walls}}",
             name[block], block, block + 1, n, n, n, grade, grade, grade, simplex, foot[block],
             top[block]);
}

static bool read_stack(continuum_trial *t, const stack *s)
{
  char block[2][400], medium[120];
  bool plane = s->dimension == 2;
  for (int i = 0; i < 2; i++)
    write_block(block[i], sizeof block[i], s, i);
  snprintf(medium, sizeof medium, "{density: 1, young: 1, poisson: %g, stretch: [%s%g]}", POISSON,
           plane ? "0, " : "0, 0, ", -STRAIN);
  const char *up = plane ? "y" : "z";
  return continuum_read(t,
                        "kind: continuum\n"
                        "mesh: {order: %d, %s: [%s, %s]}\n"
                        "media: {low: %s, high: %s}\n"
                        "contacts: [{sides: over, with: under}]\n"
                        "hold: [{sides: foot, components: [%s]}, {sides: head, components: [%s]}, "
                        "{sides: x_walls, components: [x]}%s]\n"
                        "duration: %.17g\nstep: %.17g\n",
                        s->order, plane ? "rectangles" : "boxes", block[0], block[1], medium,
                        medium, up, up, plane ? "" : ", {sides: y_walls, components: [y]}",
                        STEPS * STEP, STEP);
}

static found press(const stack *s)
{
  continuum_trial t;
  bool good = read_stack(&t, s);
  pc_continuum_motion *motion =
      good ? pc_continuum_motion_create(t.scene.continuum, NULL) : (pc_continuum_motion *)NULL;
  good = motion != NULL;
  found error = {0};
  // The modulus of a solid that cannot widen.
  double stress = STRAIN * (1 - POISSON) / ((1 + POISSON) * (1 - 2 * POISSON));
  for (int i = 0; i < STEPS && good; i++) {
    good = pc_continuum_motion_step(motion, NULL) == PC_OK &&
           pc_continuum_motion_balance(motion).closed;
    const double *velocity = pc_continuum_motion_state(motion).velocity;
    for (int k = 0; k < s->dimension * t.nodes.count; k++)
      error.velocity = fmax(error.velocity, fabs(velocity[k]) / STRAIN);
  }
  if (good)
    error.impulse =
        fabs(pc_continuum_motion_contact(motion, 0).percussion[0] / (stress * STEPS * STEP) - 1);
  pc_continuum_motion_destroy(motion);
  continuum_end(&t);
  return good ? error : (found){NAN, NAN};
}

static void report_all(pc_report *report, int count, const stack *list, const char *note)
{
  found worst = {0};
  for (int i = 0; i < count; i++) {
    found one = press(&list[i]);
    worst.velocity = one.velocity <= worst.velocity ? worst.velocity : one.velocity; // keeps NAN
    worst.impulse = one.impulse <= worst.impulse ? worst.impulse : one.impulse;
  }
  pc_report_derived(report, "velocity",
                    "largest velocity of a node in 20 steps, over strain times c", 0,
                    worst.velocity, "1", 1e-10, note);
  pc_report_derived(report, "impulse", "relative error of the impulse of the contact", 0,
                    worst.impulse, "1", 1e-10, "stress times area times time; every mesh");
}

static void plane(pc_report *report)
{
  static const stack list[] = {
      {2, 1, {3, 4}, {false, false}}, {2, 1, {5, 3}, {true, false}}, {2, 2, {2, 5}, {false, true}}};
  report_all(report, 3, list, "quadrangles and triangles, linear and quadratic; plane strain");
}

static void space(pc_report *report)
{
  static const stack list[] = {
      {3, 1, {2, 3}, {false, false}}, {3, 1, {3, 2}, {true, false}}, {3, 2, {1, 2}, {false, true}}};
  report_all(report, 3, list, "hexahedra and tetrahedra, linear and quadratic");
}

const pc_case pc_cases_continuum_patch[] = {
    {"continuum.patch.plane", "patch test of meshes that do not match, in the plane", false, plane},
    {"continuum.patch.space", "patch test of meshes that do not match, in space", false, space},
    {0},
};
