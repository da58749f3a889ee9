// Signals, and obstacles that move by them: against integrals and rotations done by hand.
#include "percuss/world.h"
#include "worlds.h"

static const double TURN = 6.283185307179586;

static pc_world *empty_world(int dimension)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.tolerance = 1e-10;
  memset(def.gravity, 0, sizeof def.gravity);
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  pc_law smooth = {.normal = {.kind = PC_NORMAL_INELASTIC}};
  assert_int_equal(pc_world_set_default_law(world, &smooth), PC_OK);
  return world;
}

static void a_table_is_straight_between_its_points(void **state)
{
  const double times[3] = {0.1, 0.3, 0.7}, values[3] = {1, 3, -1};
  pc_signal table = {.kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = values};
  const double expected[][2] = {{-1, 1},  {0.1, 1}, {0.15, 1.5}, {0.25, 2.5}, {0.3, 3},
                                {0.4, 2}, {0.6, 0}, {0.7, -1},   {5, -1}};
  for (int i = 0; i < 9; i++)
    assert_near(pc_signal_value(&table, expected[i][0]), expected[i][1], 1e-14);
}

static void a_table_of_speed_is_integrated_from_time_zero(void **state)
{
  const double times[3] = {0.1, 0.3, 0.7}, values[3] = {1, 3, -1};
  pc_signal table = {
      .kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = values, .of_speed = true};
  // Areas of trapezia.
  const double expected[][2] = {{-0.5, -0.5}, {0, 0},     {0.05, 0.05}, {0.1, 0.1}, {0.2, 0.25},
                                {0.3, 0.5},   {0.5, 0.9}, {0.6, 0.95},  {0.7, 0.9}, {1.7, -0.1}};
  for (int i = 0; i < 10; i++)
    assert_near(pc_signal_value(&table, expected[i][0]), expected[i][1], 1e-14);
  // Time 0 inside the table: speed 1 + t, and 2 after t = 1.
  const double from[2] = {-1, 1}, speed[2] = {0, 2};
  pc_signal ramp = {
      .kind = PC_SIGNAL_TABLE, .count = 2, .times = from, .values = speed, .of_speed = true};
  const double way[][2] = {{-2, -0.5}, {-0.5, -0.375}, {0, 0}, {0.5, 0.625}, {1, 1.5}, {2, 3.5}};
  for (int i = 0; i < 6; i++)
    assert_near(pc_signal_value(&ramp, way[i][0]), way[i][1], 1e-14);
}

static void other_signals_are_their_formulas(void **state)
{
  pc_signal rate = {.kind = PC_SIGNAL_RATE, .rate = -3};
  pc_signal sine = {.kind = PC_SIGNAL_SINE, .amplitude = 2, .frequency = 0.25, .phase = 0.4};
  assert_near(pc_signal_value(&rate, 0.5), -1.5, 0);
  assert_near(pc_signal_value(&sine, 0), 0, 0);
  assert_near(pc_signal_value(&sine, 1.5), 2 * (sin(TURN * 0.375 + 0.4) - sin(0.4)), 1e-14);
  pc_signal none = {.kind = PC_SIGNAL_NONE}, empty = {.kind = PC_SIGNAL_TABLE};
  assert_near(pc_signal_value(&none, 2), 0, 0);
  assert_near(pc_signal_value(&empty, 2), 0, 0);
  assert_near(pc_signal_value(NULL, 2), 0, 0);
  const double time = 1, value = 5;
  pc_signal point = {.kind = PC_SIGNAL_TABLE, .count = 1, .times = &time, .values = &value};
  assert_near(pc_signal_value(&point, 2), 5, 0);
  point.of_speed = true;
  assert_near(pc_signal_value(&point, 2), 10, 0);
  point.values = NULL;
  assert_near(pc_signal_value(&point, 2), 0, 0);
  point.values = &value, point.times = NULL;
  assert_near(pc_signal_value(&point, 2), 0, 0);
  point.times = &time, point.count = 0;
  assert_near(pc_signal_value(&point, 2), 0, 0);
}

// Rodrigues' rotation of v about a unit axis.
static void turned(const double axis[3], double angle, const double v[3], double out[3])
{
  double c = cos(angle), s = sin(angle);
  double along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = c * v[i] + s * (axis[j] * v[k] - axis[k] * v[j]) + (1 - c) * along * axis[i];
  }
}

static void by_quaternion(const double q[4], const double v[3], double out[3])
{
  double size = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), axis[3] = {1, 0, 0};
  for (int i = 0; i < 3 && size > 0; i++)
    axis[i] = q[1 + i] / size;
  turned(axis, 2 * atan2(size, q[0]), v, out);
}

typedef struct course {
  pc_motion motion;
  double start[3], orientation[4];
} course;

static void where(const course *of, double time, double position[3], double *angle)
{
  double arm[3], after[3], axis[3] = {1. / 3, 2. / 3, -2. / 3};
  *angle = pc_signal_value(&of->motion.rotation, time);
  for (int i = 0; i < 3; i++)
    arm[i] = of->start[i] - of->motion.centre[i];
  turned(axis, *angle, arm, after);
  for (int i = 0; i < 3; i++)
    position[i] =
        of->motion.centre[i] + after[i] + pc_signal_value(&of->motion.translation[i], time);
}

// First a rotation about a skew axis, then a translation; velocity and spin are means of the step.
static void an_obstacle_goes_where_its_signals_say(void **state)
{
  const double times[3] = {0.02, 0.05, 0.11}, values[3] = {1, 3, -4}, h = 7e-3;
  course of = {.start = {1, 0.2, -0.3}, .orientation = {0.8, 0, 0.6, 0}};
  of.motion.translation[0] =
      (pc_signal){.kind = PC_SIGNAL_SINE, .amplitude = 0.3, .frequency = 2, .phase = 1};
  of.motion.translation[1] = (pc_signal){
      .kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = values, .of_speed = true};
  of.motion.translation[2] = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = -2};
  of.motion.rotation =
      (pc_signal){.kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = values};
  for (int i = 0; i < 3; i++) {
    of.motion.axis[i] = (double[]){0.5, 1, -1}[i]; // of any length
    of.motion.centre[i] = (double[]){0.3, -0.4, 0.5}[i];
  }
  pc_world *world = empty_world(3);
  pc_body_def def = pc_body_def_default();
  def.kind = PC_DRIVEN;
  def.motion = of.motion;
  memcpy(def.position, of.start, sizeof of.start);
  memcpy(def.orientation, of.orientation, sizeof of.orientation);
  pc_body body = add(world, &def, pc_shape_box((const double[3]){0.1, 0.2, 0.3}, NULL));
  for (int i = 1; i <= 20; i++) {
    double here[3], before[3], angle, angle_before;
    where(&of, i * h, here, &angle);
    where(&of, (i - 1) * h, before, &angle_before);
    step(world, h);
    pc_body_state at;
    pc_body_get(world, body, &at);
    for (int k = 0; k < 3; k++) {
      double axis[3] = {1. / 3, 2. / 3, -2. / 3}, edge[3] = {k == 0, k == 1, k == 2};
      double at_start[3], want[3], got[3];
      assert_near(at.position[k], here[k], 1e-13);
      assert_near(at.velocity[k], (here[k] - before[k]) / h, 1e-11);
      assert_near(at.spin[k], (angle - angle_before) / h * axis[k], 1e-11);
      by_quaternion(of.orientation, edge, at_start);
      turned(axis, angle, at_start, want);
      by_quaternion(at.orientation, edge, got);
      for (int j = 0; j < 3; j++)
        assert_near(got[j], want[j], 1e-13);
    }
  }
  pc_world_destroy(world);
}

// A face of a box that turns pushes a ball along its guide: (w + r) / cos + a tan of the angle.
static void a_turning_paddle_pushes_what_is_guided(void **state)
{
  const double rate = 0.5, arm = 0.7, h = 1e-3;
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int order = 0; order < 2; order++) {
      pc_world *world = empty_world(dimension);
      pc_body_def paddle = pc_body_def_default(), ball = pc_body_def_default();
      paddle.kind = PC_DRIVEN;
      paddle.motion.axis[2] = 1;
      paddle.motion.rotation = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = rate};
      ball.kind = PC_GUIDED;
      ball.mass = 2;
      ball.guide[1] = 3;
      ball.guide[2] = 0;
      ball.load = -4; // holds it on
      ball.position[0] = arm;
      ball.position[1] = 0.3;
      const double corner[4][2] = {{-2, -0.1}, {2, -0.1}, {2, 0.1}, {-2, 0.1}};
      pc_body moved = {0};
      for (int k = 0; k < 2; k++)
        if (k == order)
          moved = add(world, &ball,
                      dimension == 3 ? pc_shape_sphere(0.2, NULL) : pc_shape_disc(0.2, NULL));
        else
          add(world, &paddle,
              dimension == 3 ? pc_shape_box((const double[3]){4, 0.2, 1}, NULL)
                             : pc_shape_polygon(4, corner, false, NULL));
      pc_body_state at;
      for (int i = 0; i < 400; i++)
        step(world, h);
      pc_body_get(world, moved, &at);
      double angle = rate * 400 * h, want = 0.3 / cos(angle) + arm * tan(angle);
      assert_near(at.position[1], want, 1e-5);
      assert_near(at.position[0], arm, 0);
      assert_near(at.velocity[1], rate * (0.3 * sin(angle) + arm) / pow(cos(angle), 2), 1e-3);
      assert_true(pc_world_info(world)->drift < 1e-12);
      pc_world_destroy(world);
    }
}

// A ball that slides on a plate with a guide rolls in the end: J = v / (1/m + r^2/I + 1/M).
static void a_sliding_ball_drags_a_guided_plate(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int order = 0; order < 2; order++) {
      pc_world_def set = pc_world_def_default();
      set.dimension = dimension;
      set.tolerance = 1e-10;
      memset(set.gravity, 0, sizeof set.gravity);
      set.gravity[dimension - 1] = -9.81;
      pc_world *world = pc_world_create(&set);
      pc_body_def plate = pc_body_def_default(), ball = pc_body_def_default();
      plate.kind = PC_GUIDED;
      plate.mass = 3;
      plate.guide[0] = 1;
      plate.guide[2] = 0;
      ball.mass = 2;
      ball.position[dimension - 1] = 0.1;
      ball.velocity[0] = 1.5;
      const double up[3] = {0, dimension == 2, dimension == 3};
      pc_body body[2];
      for (int k = 0; k < 2; k++)
        if (k == order)
          body[0] = add(world, &ball,
                        dimension == 3 ? pc_shape_sphere(0.1, NULL) : pc_shape_disc(0.1, NULL));
        else
          body[1] = add(world, &plate, pc_shape_plane(dimension, up, NULL));
      for (int i = 0; i < 500; i++)
        step(world, 1e-3);
      double push = 1.5 / ((dimension == 3 ? 3.5 : 3) / 2. + 1 / 3.);
      pc_body_state at[2];
      pc_body_get(world, body[0], &at[0]);
      pc_body_get(world, body[1], &at[1]);
      assert_near(at[0].velocity[0], 1.5 - push / 2, 1e-7);
      assert_near(at[1].velocity[0], push / 3, 1e-7);
      double slip = dimension == 3 ? -0.1 * at[0].spin[1] : 0.1 * at[0].spin[2];
      assert_near(at[0].velocity[0] + slip, push / 3, 1e-7);
      pc_world_destroy(world);
    }
}

static void refused(pc_world *world, const pc_body_def *def, const char *words)
{
  assert_int_equal(pc_body_create(world, def).id, 0);
  assert_says(pc_world_error(world), words);
}

static void motions_that_cannot_be_are_refused(void **state)
{
  pc_world *world = empty_world(3);
  pc_body_def def = pc_body_def_default();
  add(world, &def, pc_shape_sphere(0.1, NULL));
  def.kind = PC_DRIVEN;
  def.shape = pc_shape_sphere(0.1, NULL);
  const double times[3] = {0, 1, 2}, back[3] = {0, 1, 1}, lost[3] = {0, 1, NAN};
  const double early[3] = {0, 0, 1}, none[3] = {NAN, 1, 2};
  const pc_signal wrong[] = {
      {.kind = (pc_signal_kind)-1},
      {.kind = PC_SIGNAL_TABLE + 1},
      {.kind = PC_SIGNAL_RATE, .rate = INFINITY},
      {.kind = PC_SIGNAL_SINE, .amplitude = NAN, .frequency = 1},
      {.kind = PC_SIGNAL_SINE, .amplitude = 1, .frequency = NAN},
      {.kind = PC_SIGNAL_SINE, .amplitude = 1, .frequency = 1, .phase = NAN},
      {.kind = PC_SIGNAL_TABLE, .count = 3, .times = times},
      {.kind = PC_SIGNAL_TABLE, .count = 3, .values = times},
      {.kind = PC_SIGNAL_TABLE, .count = 3, .times = back, .values = times},
      {.kind = PC_SIGNAL_TABLE, .count = 3, .times = lost, .values = times},
      {.kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = lost},
      {.kind = PC_SIGNAL_TABLE, .count = 3, .times = early, .values = times},
      {.kind = PC_SIGNAL_TABLE, .count = 3, .times = times, .values = none},
      {.kind = PC_SIGNAL_TABLE, .count = 1, .times = times},
  };
  const char *words[] = {"kind",  "kind",        "rate must",   "sine",       "sine",
                         "sine",  "needs times", "needs times", "table",      "table",
                         "table", "table",       "table",       "needs times"};
  for (int w = 0; w < 14; w++)
    for (int k = 0; k < 4; k++) {
      memset(&def.motion, 0, sizeof def.motion);
      def.motion.axis[2] = 1;
      *(k == 3 ? &def.motion.rotation : &def.motion.translation[k]) = wrong[w];
      refused(world, &def, words[w]);
      const double force[6] = {1};
      assert_int_equal(pc_world_add_load(world, (pc_body){1}, force, &wrong[w]), PC_ERROR_ARGUMENT);
      assert_says(pc_world_error(world), words[w]);
    }
  memset(&def.motion, 0, sizeof def.motion);
  def.motion.rotation = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 1};
  refused(world, &def, "axis");
  def.motion.axis[0] = INFINITY;
  refused(world, &def, "axis");
  def.motion.axis[0] = 1e-3;
  assert_int_equal(pc_body_create(world, &def).id, 2);
  pc_shape_release(def.shape);
  pc_world_destroy(world);
}

// The tables of the caller may go once the body is made, whichever direction they are of.
static void tables_are_copied(void **state)
{
  for (int count = 1; count <= 3; count++)
    for (int which = 0; which < 4; which++) {
      double times[3] = {0, 1, 2}, values[3] = {1, 2, 4};
      pc_world *world = empty_world(3);
      pc_body_def def = pc_body_def_default();
      def.kind = PC_DRIVEN;
      def.motion.axis[0] = 2, def.motion.axis[2] = 0;
      *(which == 3 ? &def.motion.rotation : &def.motion.translation[which]) =
          (pc_signal){.kind = PC_SIGNAL_TABLE, .count = count, .times = times, .values = values};
      pc_body body = add(world, &def, pc_shape_sphere(0.1, NULL));
      memset(times, 0, sizeof times);
      memset(values, 0, sizeof values);
      for (int i = 0; i < 3; i++)
        step(world, 0.5);
      double want = count == 1 ? 1 : count == 2 ? 2 : 3;
      pc_body_state at;
      pc_body_get(world, body, &at);
      for (int k = 0; k < 3; k++)
        assert_near(at.position[k], k == which ? want : 0, 1e-15);
      assert_near(at.orientation[1], which == 3 ? sin(want / 2) : 0, 1e-15);
      pc_world_destroy(world);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_table_is_straight_between_its_points),
      cmocka_unit_test(a_table_of_speed_is_integrated_from_time_zero),
      cmocka_unit_test(other_signals_are_their_formulas),
      cmocka_unit_test(an_obstacle_goes_where_its_signals_say),
      cmocka_unit_test(a_turning_paddle_pushes_what_is_guided),
      cmocka_unit_test(a_sliding_ball_drags_a_guided_plate),
      cmocka_unit_test(tables_are_copied),
      cmocka_unit_test(motions_that_cannot_be_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
