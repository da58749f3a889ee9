// The same world elsewhere and in other axes: nothing that joins or moves bodies knows where the
// origin is, or which axis is which.
#include "percuss/world.h"
#include "worlds.h"

enum { BODIES = 11 };

typedef struct place {
  double shift[3];
  int turn; // x is called y and so on, so often
} place;

static void vector(const place *of, double x, double y, double z, double out[3])
{
  const double v[3] = {x, y, z};
  for (int i = 0; i < 3; i++)
    out[(i + of->turn) % 3] = v[i];
}

static void point(const place *of, double x, double y, double z, double out[3])
{
  vector(of, x, y, z, out);
  for (int i = 0; i < 3; i++)
    out[i] += of->shift[i];
}

static pc_body_def at(const place *of, double x, double y, double z)
{
  pc_body_def def = pc_body_def_default();
  point(of, x, y, z, def.position);
  return def;
}

// Boxes are called by the same axes, so their attitudes change with the world's.
static pc_body add_box(pc_world *world, const place *of, pc_body_def *def, double x, double y,
                       double z)
{
  double size[3], about[3];
  vector(of, x, y, z, size);
  vector(of, 0.1, 0.2, -0.3, about);
  def->orientation[0] = 1;
  memcpy(def->orientation + 1, about, sizeof about);
  return add(world, def, pc_shape_box(size, NULL));
}

// Balls in a net that stays and in one that moves, a box on a spring, two boxes on a string and two
// on a bond, a box with a load, one on a plate that is driven, and a wall with a guide that is hit.
static void run(const place *of, double h, int steps, double (*result)[13])
{
  pc_world_def set = pc_world_def_default();
  set.tolerance = 1e-11;
  vector(of, 0.3, -0.5, -9, set.gravity);
  pc_world *world = pc_world_create(&set);
  pc_body body[BODIES];
  double low[3], high[3], ends[2][3], normal[3], force[6];
  int n = 0;
  for (int b = 0; b < 2; b++) { // nets, 10 m apart
    pc_body_def ball = at(of, 0.1, 10 * b, 0.2);
    vector(of, 3, 1, -2, ball.velocity);
    body[n++] = add(world, &ball, pc_shape_sphere(0.3, NULL));
    ball = at(of, 0.5, 10 * b + 0.9, 1);
    vector(of, -1, 2, 1, ball.velocity);
    body[n++] = add_box(world, of, &ball, 0.3, 0.4, 0.5);
    point(of, -0.5, 10 * b - 0.6, -0.4, low);
    point(of, 0.8, 10 * b + 1.3, 1.6, high);
    assert_true(pc_world_add_net(world, low, high, 3e5, b == 1, 2, body + n - 2) >= 0);
  }
  pc_body_def def = at(of, 0, 20, 0);
  vector(of, 1, 2, -3, def.velocity);
  vector(of, 0.3, -0.7, 0.9, def.spin);
  body[n++] = add_box(world, of, &def, 0.3, 0.4, 0.5);
  point(of, 0.2, 20.1, -0.3, ends[0]);
  vector(of, -0.2, 0.5, 1, normal);
  assert_true(pc_world_add_spring(world, body[n - 1], ends[0], normal, 4e4) >= 0);
  for (int pair = 0; pair < 2; pair++) {
    for (int b = 0; b < 2; b++) {
      def = at(of, b, 30 + 10 * pair, 0.3 * b);
      vector(of, 2 * b, 1 - 2 * b, 3 * b, def.velocity);
      vector(of, -b, 1, 2 + b, def.spin);
      body[n++] = add_box(world, of, &def, 0.3, 0.4, 0.5);
      point(of, b + 0.1, 30.1 + 10 * pair, 0.3 * b - 0.15, ends[b]);
    }
    int joint = pair == 0 ? pc_world_add_string(world, body + n - 2, (const double(*)[3])ends, 0.9,
                                                3e5, 200)
                          : pc_world_add_bond(world, body + n - 2, (const double(*)[3])ends, 300);
    assert_true(joint >= 0);
  }
  def = at(of, 0, 50, 0.25);
  body[n++] = add_box(world, of, &def, 0.3, 0.4, 0.5);
  vector(of, 30, -20, 10, force);
  vector(of, 3, 2, -4, force + 3);
  pc_signal sine = {.kind = PC_SIGNAL_SINE, .amplitude = 2, .frequency = 7};
  assert_int_equal(pc_world_add_load(world, body[n - 1], force, &sine), PC_OK);
  def = at(of, 0, 50, -0.5); // under it: turns about a skew axis, moves and shakes
  def.kind = PC_DRIVEN;
  vector(of, 0.1, 0.2, 1, def.motion.axis);
  point(of, 1, 51, 0, def.motion.centre);
  def.motion.rotation = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 0.7};
  def.motion.translation[of->turn] = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 0.4};
  def.motion.translation[(2 + of->turn) % 3] =
      (pc_signal){.kind = PC_SIGNAL_SINE, .amplitude = 0.02, .frequency = 5};
  double size[3];
  vector(of, 6, 7, 0.5, size);
  add(world, &def, pc_shape_box(size, NULL));
  def = at(of, 0, 70, 0);
  def.kind = PC_GUIDED;
  def.mass = 5;
  def.load = 4;
  vector(of, 1, 0.5, 0.25, def.guide);
  body[n++] = add(world, &def, pc_shape_sphere(0.4, NULL));
  assert_int_equal(n, BODIES);
  for (int i = 0; i < steps; i++)
    step(world, h);
  for (int b = 0; b < BODIES; b++) {
    pc_body_state now;
    pc_body_get(world, body[b], &now);
    for (int i = 0; i < 3; i++) {
      int k = (i + of->turn) % 3;
      result[b][i] = now.position[k] - of->shift[k];
      result[b][3 + i] = now.velocity[k];
      result[b][6 + i] = now.spin[k];
      result[b][9 + i] = now.orientation[1 + k];
    }
    result[b][12] = now.orientation[0];
  }
  assert_true(pc_world_info(world)->closed);
  pc_world_destroy(world);
}

static void worlds_elsewhere_and_in_other_axes_move_alike(void **state)
{
  const place places[] = {{{0, 0, 0}, 0}, {{7, 0, 0}, 0}, {{0, -5, 0}, 0},
                          {{0, 0, 3}, 0}, {{0, 0, 0}, 1}, {{0, 0, 0}, 2}};
  double one[BODIES][13], other[BODIES][13];
  run(&places[0], 2e-3, 100, one);
  for (int p = 1; p < 6; p++) {
    run(&places[p], 2e-3, 100, other);
    for (int b = 0; b < BODIES; b++)
      for (int k = 0; k < 13; k++)
        if (fabs(other[b][k] - one[b][k]) > 1e-7)
          fail_msg("place %d, body %d, number %d: %.12g, not %.12g", p, b, k, other[b][k],
                   one[b][k]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(worlds_elsewhere_and_in_other_axes_move_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
