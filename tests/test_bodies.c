// How bodies are made: masses, centres and axes from shapes and from what is given, and the limits
// of what can be.
#include "percuss/world.h"
#include "worlds.h"

static pc_world *empty_world(int dimension)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  memset(def.gravity, 0, sizeof def.gravity);
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  return world;
}

static void refused(pc_world *world, const pc_body_def *def, const char *words)
{
  int bodies = pc_world_bodies(world);
  assert_int_equal(pc_body_create(world, def).id, 0);
  assert_says(pc_world_error(world), words);
  assert_int_equal(pc_world_bodies(world), bodies);
}

static void accepted(pc_world *world, const pc_body_def *def)
{
  if (pc_body_create(world, def).id == 0)
    fail_msg("%s", pc_world_error(world));
}

static void masses_and_inertias_have_limits(void **state)
{
  pc_world *world = empty_world(3);
  pc_body_def ball = pc_body_def_default();
  ball.shape = pc_shape_sphere(1, NULL);
  const double mass[][2] = {{0.99e-100, 0}, {1e-100, 1}, {1e100, 1}, {1.01e100, 0}};
  for (int i = 0; i < 4; i++) {
    ball.mass = mass[i][0];
    if (mass[i][1] > 0)
      accepted(world, &ball);
    else
      refused(world, &ball, "mass must be between 1e-100 and 1e100");
  }
  const double wrong_mass[] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    ball.mass = wrong_mass[i];
    refused(world, &ball, "mass");
  }
  ball.mass = 1;
  const double moment[][2] = {{0.99e-120, 0}, {1e-120, 1}, {1e120, 1}, {1.01e120, 0}};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      for (int j = 0; j < 3; j++)
        ball.inertia[4 * j] = fmin(1e120, fmax(1e-120, moment[i][0]));
      ball.inertia[4 * k] = moment[i][0];
      if (moment[i][1] > 0)
        accepted(world, &ball);
      else
        refused(world, &ball, "between 1e-120 and 1e120");
    }
  pc_shape_release(ball.shape);
  pc_world_destroy(world);
}

// No moment exceeds the sum of the other two: equal to it is a plate.
static void an_inertia_is_that_of_some_body(void **state)
{
  pc_world *world = empty_world(3);
  pc_body_def ball = pc_body_def_default();
  ball.shape = pc_shape_sphere(1, NULL);
  for (int k = 0; k < 3; k++) {
    double *diagonal[3] = {&ball.inertia[4 * k], &ball.inertia[4 * ((k + 1) % 3)],
                           &ball.inertia[4 * ((k + 2) % 3)]};
    *diagonal[0] = 3, *diagonal[1] = 1, *diagonal[2] = 2;
    accepted(world, &ball);
    *diagonal[0] = 3.0001;
    refused(world, &ball, "one moment exceeds the sum");
    *diagonal[0] = 2;
    *diagonal[1] = 0;
    refused(world, &ball, "inertia must be positive");
    *diagonal[1] = -1;
    refused(world, &ball, "inertia must be positive");
    for (int j = 0; j < 3; j++)
      *diagonal[j] = 2;
    *diagonal[0] = NAN;
    refused(world, &ball, "finite");
    *diagonal[0] = 2;
  }
  pc_shape_release(ball.shape);
  pc_world_destroy(world);
}

static void states_have_limits(void **state)
{
  pc_world *world = empty_world(3);
  pc_body_def ball = pc_body_def_default();
  ball.shape = pc_shape_sphere(1, NULL);
  pc_body there = pc_body_create(world, &ball);
  pc_body_state at, good;
  pc_body_get(world, there, &good);
  const double value[] = {0.99e100, 1e100, -1.01e100, INFINITY, NAN};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 3; k++)
      for (int which = 0; which < 3; which++) {
        pc_body_def def = ball;
        at = good;
        (which == 0 ? def.position : which == 1 ? def.velocity : def.spin)[k] = value[i];
        (which == 0 ? at.position : which == 1 ? at.velocity : at.spin)[k] = value[i];
        pc_status status = pc_body_set(world, there, &at);
        if (i == 0) {
          accepted(world, &def);
          assert_int_equal(status, PC_OK);
        } else {
          const char *words = i < 3 ? "below 1e100" : "must be finite";
          assert_int_equal(status, PC_ERROR_ARGUMENT);
          assert_says(pc_world_error(world), words);
          refused(world, &def, words);
        }
      }
  for (int k = 0; k < 4; k++) {
    pc_body_def def = ball;
    def.orientation[0] = 0;
    refused(world, &def, "orientation not zero");
    def.orientation[k] = INFINITY;
    refused(world, &def, "must be finite");
  }
  pc_shape_release(ball.shape);
  pc_world_destroy(world);
}

static void in_the_plane_nothing_leaves_it(void **state)
{
  pc_world *world = empty_world(2);
  pc_body_def disc = pc_body_def_default();
  disc.shape = pc_shape_disc(1, NULL);
  for (int which = 0; which < 6; which++) {
    pc_body_def def = disc;
    double *out[] = {&def.position[2], &def.velocity[2],    &def.spin[0],
                     &def.spin[1],     &def.orientation[1], &def.orientation[2]};
    *out[which] = 0.1;
    refused(world, &def, "in the plane bodies");
  }
  disc.kind = PC_GUIDED;
  disc.guide[0] = 1;
  refused(world, &disc, "in the plane the axis");
  disc.guide[2] = 0;
  accepted(world, &disc);
  disc.guide[0] = 0;
  refused(world, &disc, "axis");
  disc.kind = (pc_body_kind)(PC_GUIDED + 1);
  refused(world, &disc, "kind");
  disc.kind = (pc_body_kind)-1;
  refused(world, &disc, "kind");
  disc.kind = PC_FREE;
  const double inertia[][2] = {{-1, 0}, {0.99e-120, 0}, {1e-120, 1}, {1e120, 1}, {1.01e120, 0}};
  for (int i = 0; i < 5; i++) {
    disc.inertia[8] = inertia[i][0];
    if (inertia[i][1] > 0)
      accepted(world, &disc);
    else
      refused(world, &disc, "inertia must be");
  }
  pc_shape_release(disc.shape);
  pc_world_destroy(world);
}

static void bodies_without_volume_are_obstacles(void **state)
{
  pc_world *world = empty_world(3);
  pc_body_def def = pc_body_def_default();
  def.shape = pc_shape_plane(3, (const double[3]){0, 0, 1}, NULL);
  refused(world, &def, "without volume");
  def.mass = 1;
  refused(world, &def, "obstacles");
  def.kind = PC_GUIDED;
  accepted(world, &def);
  def.mass = 0;
  refused(world, &def, "needs a mass");
  def.kind = PC_FIXED;
  accepted(world, &def);
  pc_shape_release(def.shape);
  pc_world_destroy(world);
}

// A right triangle with legs of 3: its centre is at (1, 1), its moment m (9 + 9) / 18.
static void a_body_turns_about_its_centre_of_mass(void **state)
{
  const double corner[3][2] = {{0, 0}, {3, 0}, {0, 3}};
  for (int given = 0; given < 3; given++) { // nothing, the mass, the inertia too
    pc_world *world = empty_world(2);
    pc_body_def def = pc_body_def_default();
    def.position[0] = 5, def.position[1] = 7;
    def.orientation[0] = def.orientation[3] = 3; // a quarter of a turn, of any length
    def.velocity[0] = 2;
    def.spin[2] = 0.5;
    def.mass = given > 0 ? 9 : 0;
    def.inertia[8] = given > 1 ? 4 : 0;
    pc_body body = add(world, &def, pc_shape_polygon(3, corner, false, NULL));
    double mass = given > 0 ? 9 : 1000 * 4.5, moment = given > 1 ? 4 : mass, arm[3], offset[3];
    pc_body_state at;
    pc_body_get(world, body, &at);
    pc_body_get_offset(world, body, offset);
    pc_body_get_arm(world, body, at.orientation, arm);
    assert_near(pc_body_get_mass(world, body), mass, 1e-11 * mass);
    const double want[2][3] = {{4, 8, 0}, {1, -1, 0}};
    for (int k = 0; k < 3; k++) {
      assert_near(at.position[k], want[0][k], 1e-14);
      assert_near(arm[k], want[1][k], 1e-14);
      assert_near(offset[k], k < 2 ? -1 : 0, 1e-14);
    }
    assert_near(at.orientation[0], sqrt(0.5), 1e-15);
    step(world, 0.1);
    assert_near(pc_world_info(world)->kinetic_rotation / (0.5 * moment * 0.25), 1, 1e-13);
    assert_near(pc_world_info(world)->kinetic_translation / (0.5 * mass * 4), 1, 1e-13);
    pc_body_get(world, body, &at);
    assert_near(at.position[0], 4.2, 1e-14);
    double angle, spin;
    pc_world_read_turns(world, body, 1, &angle, &spin);
    assert_near(angle, acos(-1) / 2 + 0.05, 1e-14);
    assert_near(spin, 0.5, 0);
    pc_world_destroy(world);
  }
}

static void a_body_that_never_turns_keeps_its_attitude(void **state)
{
  pc_world *world = empty_world(3);
  pc_body_def def = pc_body_def_default();
  def.no_rotation = true;
  def.spin[1] = 3;
  pc_body body = add(world, &def, pc_shape_box((const double[3]){1, 2, 3}, NULL));
  const double push[6] = {0, 0, 0, 1, 2, 3};
  assert_int_equal(pc_world_add_load(world, body, push, NULL), PC_OK);
  pc_body_state at;
  for (int i = 0; i < 2; i++) {
    step(world, 0.1);
    pc_body_get(world, body, &at);
    for (int k = 0; k < 3; k++) {
      assert_near(at.spin[k], 0, 0);
      assert_near(at.orientation[1 + k], 0, 0);
    }
    assert_near(pc_world_info(world)->kinetic_rotation, 0, 0);
    at.spin[0] = 2;
    assert_int_equal(pc_body_set(world, body, &at), PC_OK);
  }
  pc_world_destroy(world);
}

// The same body described in other axes: Q D Q' and the attitude R Q' for D and R.
static void the_axes_of_an_inertia_do_not_matter(void **state)
{
  pc_random random = test_random("the_axes_of_an_inertia_do_not_matter");
  for (int n = 0; n < 40; n++) {
    double diagonal[3], q[4], m[9], size = 0;
    for (int i = 0; i < 3; i++)
      diagonal[i] = pc_random_uniform(&random, 1, 1.9);
    if (n % 4 == 0)
      diagonal[1] = diagonal[0];
    for (int i = 0; i < 4; i++) {
      q[i] = pc_random_normal(&random);
      size += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
      q[i] /= sqrt(size);
    for (int j = 0; j < 3; j++) // v + 2 w (u x v) + 2 u x (u x v), of the unit vectors
      for (int i = 0; i < 3; i++) {
        int k = 3 - i - j;
        double even = (j - i + 3) % 3 == 2 ? 1 : -1;
        m[3 * i + j] = i == j
                           ? 1 - 2 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - q[1 + i] * q[1 + i])
                           : 2 * (q[1 + i] * q[1 + j] + even * q[0] * q[1 + k]);
      }
    pc_world *world = empty_world(3);
    pc_body body[2];
    for (int b = 0; b < 2; b++) {
      pc_body_def def = pc_body_def_default();
      def.mass = 1;
      def.position[0] = 100 * b;
      for (int i = 0; i < 9; i++)
        def.inertia[i] = 0;
      for (int i = 0; i < 3; i++) {
        def.spin[i] = 1 + i;
        for (int j = 0; j < 3; j++)
          for (int k = 0; k < 3; k++)
            def.inertia[3 * i + j] += b == 0 ? diagonal[k] * (i == k) * (j == k)
                                             : m[3 * i + k] * diagonal[k] * m[3 * j + k];
      }
      for (int i = 0; i < 4; i++)
        def.orientation[i] = b == 0 ? i == 0 : i == 0 ? q[0] : -q[i];
      body[b] = add(world, &def, pc_shape_sphere(1, NULL));
    }
    double kinetic = 0;
    for (int i = 0; i < 3; i++)
      kinetic += diagonal[i] * (1 + i) * (1 + i); // of two bodies, halved
    for (int i = 0; i < 20; i++) {
      step(world, 0.05);
      assert_near(pc_world_info(world)->kinetic_rotation / kinetic, 1, 1e-13);
    }
    pc_body_state at[2];
    for (int b = 0; b < 2; b++)
      pc_body_get(world, body[b], &at[b]);
    for (int i = 0; i < 3; i++)
      assert_near(at[0].spin[i], at[1].spin[i], 1e-12);
    // The first, by Q' on the right, is the second.
    const double *a = at[0].orientation, c[4] = {q[0], -q[1], -q[2], -q[3]};
    double turned[4] = {a[0] * c[0] - a[1] * c[1] - a[2] * c[2] - a[3] * c[3],
                        a[0] * c[1] + a[1] * c[0] + a[2] * c[3] - a[3] * c[2],
                        a[0] * c[2] - a[1] * c[3] + a[2] * c[0] + a[3] * c[1],
                        a[0] * c[3] + a[1] * c[2] - a[2] * c[1] + a[3] * c[0]};
    double same = 0;
    for (int i = 0; i < 4; i++)
      same += turned[i] * at[1].orientation[i];
    assert_near(fabs(same), 1, 1e-13);
    for (int i = 0; i < 4; i++)
      assert_near(turned[i], copysign(1, same) * at[1].orientation[i], 1e-12);
    pc_world_destroy(world);
  }
}

static void materials_and_laws_are_those_of_their_numbers(void **state)
{
  pc_world *world = empty_world(3);
  pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = 0.5}};
  pc_law other = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = 0.25}};
  assert_int_equal(pc_world_add_material(world, 10), 1);
  assert_int_equal(pc_world_add_material(world, 20), 2);
  assert_int_equal(pc_world_add_material(world, 0.3), 3);
  const double wrong[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++)
    assert_int_equal(pc_world_add_material(world, wrong[i]), -1);
  assert_near(pc_world_density(world, 0), 1000, 0);
  assert_near(pc_world_density(world, 3), 0.3, 0);
  assert_near(pc_world_density(world, 4), 0, 0);
  assert_near(pc_world_density(world, -1), 0, 0);
  for (int k = 0; k < 4; k++) {
    assert_int_equal(pc_world_set_law(world, k, 4, &law), PC_ERROR_ARGUMENT);
    assert_says(pc_world_error(world), "material");
    assert_int_equal(pc_world_set_law(world, 4, k, &law), PC_ERROR_ARGUMENT);
    assert_int_equal(pc_world_set_law(world, -1, k, &law), PC_ERROR_ARGUMENT);
  }
  // Two laws of pairs that share a material, one set twice; balls that meet tell which acts.
  assert_int_equal(pc_world_set_law(world, 2, 2, &law), PC_OK);
  assert_int_equal(pc_world_set_law(world, 3, 1, &other), PC_OK);
  assert_int_equal(pc_world_set_law(world, 1, 3, &law), PC_OK);
  assert_int_equal(pc_world_set_law(world, 1, 2, &other), PC_OK);
  assert_int_equal(pc_world_set_law(world, 3, 3, &other), PC_OK);
  const struct {
    int material[2];
    double e;
  } pair[] = {{{1, 3}, 0.5}, {{3, 1}, 0.5}, {{2, 1}, 0.25}, {{3, 3}, 0.25},
              {{2, 3}, 0},   {{1, 1}, 0},   {{0, 3}, 0},    {{2, 2}, 0.5}};
  pc_body_state at[2];
  for (int p = 0; p < 8; p++)
    for (int b = 0; b < 2; b++) {
      pc_body_def def = pc_body_def_default();
      def.material = pair[p].material[b];
      def.mass = 1;
      def.position[0] = 2.001 * b;
      def.position[1] = 10 * p;
      def.velocity[0] = b == 0 ? 4 : 0;
      pc_body body = add(world, &def, pc_shape_sphere(1, NULL));
      assert_int_equal(pc_body_get_material(world, body), pair[p].material[b]);
    }
  for (int i = 0; i < 3; i++)
    step(world, 1e-3);
  for (int p = 0; p < 8; p++) {
    for (int b = 0; b < 2; b++)
      pc_body_get(world, (pc_body){2 * p + b + 1}, &at[b]);
    assert_near(at[1].velocity[0] - at[0].velocity[0], 4 * pair[p].e, 1e-12);
    assert_near(at[1].velocity[0] + at[0].velocity[0], 4, 1e-12);
  }
  pc_body_def def = pc_body_def_default();
  def.shape = pc_shape_sphere(1, NULL);
  def.material = 4;
  refused(world, &def, "material");
  def.material = -1;
  refused(world, &def, "material");
  pc_shape_release(def.shape);
  pc_world_destroy(world);
}

// Unless a tolerance is given: 2e-4 of its diameter.
static void the_smallest_body_that_moves_sets_the_accuracy(void **state)
{
  const double radius[] = {3, 0.5, 2, 0.7, 0.001};
  const pc_body_kind kind[] = {PC_FREE, PC_FREE, PC_GUIDED, PC_FREE, PC_FIXED};
  for (int first = 0; first < 5; first++) {
    pc_world *world = empty_world(3);
    for (int i = 0; i < 5; i++) {
      pc_body_def def = pc_body_def_default();
      int which = (first + i) % 5;
      def.kind = kind[which];
      def.position[0] = 10 * i;
      add(world, &def, pc_shape_sphere(radius[which], NULL));
    }
    step(world, 1e-3);
    assert_near(pc_world_info(world)->accuracy, 2e-4 * 2 * 0.5, 1e-18);
    pc_world_destroy(world);
  }
}

// A ball that starts so near to an obstacle that it would be beyond the surface before the middle
// of its first step: at the start of the world, or put in when the world is under way. It rebounds
// before it moves, and is not pushed out afterwards.
static void what_bars_the_way_at_a_start_is_met_there(void **state)
{
  const double radius = 0.1, speed = 10, h = 0.01, gaps[] = {1e-3, 0.02, 0.045};
  for (int late = 0; late < 2; late++)
    for (int g = 0; g < 3; g++) {
      pc_world *world = empty_world(3);
      pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = 1, .p = 2}};
      assert_int_equal(pc_world_set_law(world, 0, 0, &law), PC_OK);
      add_floor(world);
      pc_body_def far = pc_body_def_default(), near = pc_body_def_default();
      far.position[2] = 50;
      add(world, &far, pc_shape_sphere(radius, NULL));
      if (late)
        step(world, h);
      near.position[2] = radius + gaps[g];
      near.velocity[2] = -speed;
      pc_body ball = add(world, &near, pc_shape_sphere(radius, NULL));
      step(world, h);
      pc_body_state after;
      pc_body_get(world, ball, &after);
      assert_near(after.velocity[2], speed, 1e-9);
      assert_near(after.position[2], radius + gaps[g] + speed * h, 1e-9);
      pc_world_destroy(world);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_and_inertias_have_limits),
      cmocka_unit_test(an_inertia_is_that_of_some_body),
      cmocka_unit_test(states_have_limits),
      cmocka_unit_test(in_the_plane_nothing_leaves_it),
      cmocka_unit_test(bodies_without_volume_are_obstacles),
      cmocka_unit_test(a_body_turns_about_its_centre_of_mass),
      cmocka_unit_test(a_body_that_never_turns_keeps_its_attitude),
      cmocka_unit_test(the_axes_of_an_inertia_do_not_matter),
      cmocka_unit_test(what_bars_the_way_at_a_start_is_met_there),
      cmocka_unit_test(the_smallest_body_that_moves_sets_the_accuracy),
      cmocka_unit_test(materials_and_laws_are_those_of_their_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
