// Strings between bodies, against closed forms.
#include <string.h>

#include "percuss/world_heat.h"
#include "worlds.h"

static const double PI = 3.14159265358979323846;

static pc_world *space(int dimension, double gravity)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.gravity[2] = 0;
  def.gravity[dimension - 1] = -gravity;
  def.tolerance = 1e-13;
  return pc_world_create(&def);
}

static pc_body add_ball(pc_world *world, double mass, double x, double speed)
{
  pc_body_def body = pc_body_def_default();
  body.mass = mass;
  body.position[0] = x;
  body.velocity[0] = speed;
  bool plane = pc_world_definition(world)->dimension == 2;
  return add(world, &body, plane ? pc_shape_disc(0.1, NULL) : pc_shape_sphere(0.1, NULL));
}

// Two balls fly apart, are caught by their string and thrown back. While it is taut their distance
// is a damped oscillator, so they come back at v exp(-pi beta / omega) after pi / omega. The start
// is not on the grid of steps. Both ends get the same heat, or shares like their temperatures.
static double caught_and_thrown(int dimension, double damping, double h, double temperature)
{
  const double m[2] = {1, 3}, mu = 0.75, k = 200, length = 1.7, v = 2, slack = 0.123;
  pc_world *world = space(dimension, 0);
  pc_heat_def heat = pc_heat_def_default();
  assert_int_equal(pc_world_set_heat(world, &heat), PC_OK);
  pc_body ball[2] = {add_ball(world, m[0], 0, -0.75 * v),
                     add_ball(world, m[1], length - slack, 0.25 * v)};
  pc_body_set_capacity(world, ball[0], 50);
  pc_body_set_capacity(world, ball[1], 50);
  pc_body_set_temperature(world, ball[1], temperature);
  tie(world, ball[0], ball[1], length, k, damping);
  double beta = 0.5 * damping / mu, omega = sqrt(k / mu - beta * beta);
  double after = slack / v + PI / omega, fall = exp(-beta * PI / omega), speed[2];
  int steps = (int)ceil((after + 0.05) / h);
  for (int i = 0; i < steps; i++)
    step(world, h);
  double end[2];
  for (int b = 0; b < 2; b++) {
    pc_body_state at;
    pc_body_get(world, ball[b], &at);
    speed[b] = at.velocity[0];
    end[b] = at.position[0];
  }
  const pc_step_info *info = pc_world_info(world);
  assert_near(m[0] * speed[0] + m[1] * speed[1], 0, 1e-12); // momentum
  double lost = 0.5 * mu * v * v - info->kinetic_translation - info->stored;
  assert_near(info->thermal, lost + info->total_stored_error, 1e-12);
  assert_near(pc_body_get_heat(world, ball[0]) * temperature,
              pc_body_get_heat(world, ball[1]) * 293.15,
              1e-3 * temperature * (fabs(info->thermal) + 1e-12));
  assert_true(info->drift < 1e-13);
  double distance = length - v * fall * (steps * h - after);
  double error = fmax(fabs(speed[1] - speed[0] + v * fall), fabs(end[1] - end[0] - distance));
  pc_world_destroy(world);
  return error;
}

static void a_string_catches_and_throws_back_to_second_order(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++)
    for (double damping = 0; damping <= 8; damping += 4) {
      double error[3];
      for (int level = 0; level < 3; level++) {
        error[level] = 0;
        // Where in a step the string gets taut changes the error: the worst of some.
        for (int shift = 0; shift < 8; shift++)
          error[level] =
              fmax(error[level], caught_and_thrown(dimension, damping,
                                                   (4e-3 + 1.1e-4 * shift) / (1 << level), 400));
      }
      printf("damping %g: errors %.3g %.3g %.3g\n", damping, error[0], error[1], error[2]);
      assert_true(log2(error[0] / error[2]) > 2 * 1.8);
      assert_true(error[2] < 2e-3);
    }
}

// Hung from a fixed point, a weight stretches its string by m g / k, however stiff it is, and
// swings about that with all its energy where nothing dissipates.
static void a_weight_hangs_and_any_stiffness_is_stable(void **state)
{
  for (double k = 1e2; k < 1e14; k *= 1e3) {
    pc_world *world = space(3, 9.81);
    pc_body_def post = pc_body_def_default();
    post.kind = PC_FIXED;
    pc_body hook = add(world, &post, pc_shape_sphere(0.01, NULL));
    pc_body_def body = pc_body_def_default();
    body.mass = 2;
    body.position[2] = -1 - 2 * 9.81 / k;
    pc_body weight = add(world, &body, pc_shape_sphere(0.1, NULL));
    int string = tie(world, hook, weight, 1, k, 0.01 * sqrt(2 * k));
    for (int i = 0; i < 300; i++)
      step(world, 1e-2);
    pc_body_state at;
    double force[3], energy;
    pc_body_get(world, weight, &at);
    pc_world_element_force(world, string, force, &energy);
    assert_near(at.position[2], -1 - 2 * 9.81 / k, 1e-9);
    assert_near(force[2], 2 * 9.81, 1e-6 * 9.81);
    assert_near(energy, 0.5 * 2 * 2 * 9.81 * 9.81 / k, 1e-6 / k + 1e-12);
    pc_world_destroy(world);
  }
}

// A ball that goes round on a string: the pull is what the turn asks for, and the angle is right to
// second order.
static void a_ball_goes_round_on_its_string(void **state)
{
  double error[2];
  for (int dimension = 2; dimension <= 3; dimension++) {
    for (int level = 0; level < 2; level++) {
      const double k = 500, length = 1, radius = 1.2, mass = 2;
      double omega = sqrt(k * (radius - length) / (mass * radius)), h = 0.01 / (1 << level);
      pc_world *world = space(dimension, 0);
      pc_body_def post = pc_body_def_default();
      post.kind = PC_FIXED;
      pc_body hub = add(world, &post,
                        dimension == 2 ? pc_shape_disc(0.01, NULL) : pc_shape_sphere(0.01, NULL));
      pc_body ball = add_ball(world, mass, radius, 0);
      pc_body_state at;
      pc_body_get(world, ball, &at);
      at.velocity[1] = omega * radius;
      pc_body_set(world, ball, &at);
      tie(world, ball, hub, length, k, 3);
      int steps = 100 << level;
      for (int i = 0; i < steps; i++)
        step(world, h);
      pc_body_get(world, ball, &at);
      double angle = omega * steps * h;
      error[level] =
          hypot(at.position[0] - radius * cos(angle), at.position[1] - radius * sin(angle));
      pc_world_destroy(world);
    }
    printf("errors %.3g %.3g\n", error[0], error[1]);
    assert_true(error[1] < 0.02);
    assert_near(log2(error[0] / error[1]), 2, 0.2);
  }
}

// Tied off its centre, a box is turned; linear and angular momentum of the two stay.
static void momentum_stays_where_strings_turn_bodies(void **state)
{
  pc_world *world = space(3, 0);
  pc_body body[2];
  double points[2][3] = {{0.05, 0.1, 0.15}, {0.95, -0.1, 0.05}};
  double moment[3] = {0}, before[3];
  for (int b = 0; b < 2; b++) {
    pc_body_def def = pc_body_def_default();
    def.position[0] = b;
    def.velocity[0] = b == 0 ? -1 : 1;
    def.velocity[1] = 0.3 * b;
    body[b] = add(world, &def, pc_shape_box((const double[3]){0.2, 0.3, 0.4}, NULL));
  }
  assert_true(pc_world_add_string(world, body, (const double(*)[3])points, 1, 1e5, 20) >= 0);
  for (int pass = 0; pass < 2; pass++) {
    double linear[3] = {0};
    memset(moment, 0, sizeof moment);
    for (int b = 0; b < 2; b++) {
      pc_body_state at;
      pc_body_get(world, body[b], &at);
      double m = pc_body_get_mass(world, body[b]), w[3] = {0}, r[9];
      const double *q = at.orientation;
      double x = q[1], y = q[2], z = q[3], s = q[0];
      const double rows[9] = {
          1 - 2 * (y * y + z * z), 2 * (x * y - s * z),     2 * (x * z + s * y),
          2 * (x * y + s * z),     1 - 2 * (x * x + z * z), 2 * (y * z - s * x),
          2 * (x * z - s * y),     2 * (y * z + s * x),     1 - 2 * (x * x + y * y)};
      memcpy(r, rows, sizeof r);
      const double inertia[3] = {m / 12 * 0.25, m / 12 * 0.2, m / 12 * 0.13};
      for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
          w[k] += r[3 * j + k] * at.spin[j] * inertia[k];
      for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, c = (k + 2) % 3;
        linear[k] += m * at.velocity[k];
        moment[k] += m * (at.position[a] * at.velocity[c] - at.position[c] * at.velocity[a]);
        for (int j = 0; j < 3; j++)
          moment[k] += r[3 * k + j] * w[j];
      }
    }
    if (pass == 0) {
      memcpy(before, moment, sizeof before);
      for (int i = 0; i < 200; i++)
        step(world, 1e-3);
      pc_body_state at;
      pc_body_get(world, body[0], &at);
      assert_true(hypot(at.spin[0], hypot(at.spin[1], at.spin[2])) > 0.5);
      continue;
    }
    for (int k = 0; k < 3; k++)
      assert_near(moment[k], before[k], 1e-9);
    assert_near(linear[1], 24 * 0.3, 1e-11);
  }
  assert_true(pc_world_info(world)->drift < 1e-12);
  pc_world_destroy(world);
}

static void wrong_strings_are_refused(void **state)
{
  pc_world *world = space(3, 0);
  pc_body floor = add_floor(world), other = add_floor(world);
  pc_body a = add_ball(world, 1, 0, 0), b = add_ball(world, 1, 1, 0);
  const double points[2][3] = {{0}, {1, 0, 0}}, lost[2][3] = {{NAN}, {0}};
  const struct {
    pc_body bodies[2];
    double length, stiffness, damping;
    const char *why;
  } cases[] = {{{a, a}, 1, 1, 0, "two different"},
               {{a, {9}}, 1, 1, 0, "two different"},
               {{floor, other}, 1, 1, 0, "a body that can move"},
               {{a, b}, -1, 1, 0, "length"},
               {{a, b}, 1, 0, 0, "stiffness"},
               {{a, b}, 1, 1, NAN, "damping"}};
  for (int i = 0; i < 6; i++) {
    assert_int_equal(pc_world_add_string(world, cases[i].bodies, points, cases[i].length,
                                         cases[i].stiffness, cases[i].damping),
                     -1);
    assert_non_null(strstr(pc_world_error(world), cases[i].why));
  }
  assert_int_equal(pc_world_add_string(world, (pc_body[2]){a, b}, lost, 1, 1, 0), -1);
  assert_int_equal(pc_world_add_string(world, (pc_body[2]){a, b}, points, 1, 1, 0), 0);
  assert_int_equal(pc_world_set_present(world, a, false), PC_ERROR_ARGUMENT);
  pc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_string_catches_and_throws_back_to_second_order),
      cmocka_unit_test(a_weight_hangs_and_any_stiffness_is_stable),
      cmocka_unit_test(a_ball_goes_round_on_its_string),
      cmocka_unit_test(momentum_stays_where_strings_turn_bodies),
      cmocka_unit_test(wrong_strings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
