// Bodies that roll on a rim: their steady motions in closed form, and one that nods against an
// equation integrated here. Errors are of second order in the step, and nothing is pushed out.
#include "worlds.h"

static const double g = 9.81;

// A body of 1 kg with moments C about its axis and A across. Its contact is at z below its centre
// and y ahead of it, in the vertical plane of the axis, which is tilted by alpha from the vertical.
// The plane turns at the rate Omega about the vertical, the centre on a circle of radius X, the
// body in it at the rate s about its axis. Without slip, with N = g and F = -Omega^2 X:
//   Omega X = -(Omega + s cos alpha) y - s sin alpha z,
//   Omega sin alpha (C (Omega cos alpha + s) - A Omega cos alpha) = -(z F + y N).
typedef struct gait {
  const char *name;
  bool capsule;
  double radius, half, alpha, circle, mu;
  double span; // s: after that some of them tip over
} gait;

static const gait gaits[] = {
    {"flat disc on the spot", false, 0.1, 0.002, 0.3, 0, 1, 2},
    {"flat disc without friction", false, 0.1, 0.002, 0.3, 0, 0, 2},
    {"steep disc on the spot", false, 0.1, 0.005, 0.9, 0, 2, 1},
    {"coin, nearly upright, on a wide circle", false, 0.1, 0.01, 1.3, 0.5, 1, 4},
    {"cylinder on a narrow circle", false, 0.1, 0.03, 1, 0.1, 1, 2},
    {"capsule on the spot", true, 0.1, 0.1, 1, 0, 2, 0.5},
};

typedef struct motion {
  double rate, spin, height; // Omega, s, z
  double across, along;      // A, C
} motion;

static motion motion_of(const gait *of)
{
  double c = cos(of->alpha), s = sin(of->alpha), r = of->radius, l = of->half;
  motion m = {.across = r * r / 4 + l * l / 3, .along = r * r / 2};
  m.height = of->capsule ? l * c + r : r * s + l * c;
  double y = of->capsule ? -l * s : r * c - l * s;
  double ratio = -(of->circle + y) / (y * c + m.height * s);
  m.rate = sqrt(g * y / (of->circle * m.height + s * (m.across * c - m.along * (c + ratio))));
  m.spin = ratio * m.rate;
  return m;
}

static pc_world *make_world(pc_treatment treatment, double mu, double e)
{
  pc_world_def def = pc_world_def_default();
  def.treatment = treatment;
  def.tolerance = 1e-12;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = e, .p = 2}};
  law.tangential.kind = mu > 0 ? PC_TANGENTIAL_COULOMB : PC_TANGENTIAL_NONE;
  law.tangential.mu[0] = law.tangential.mu[1] = mu;
  law.tangential.on = PC_ON_AFTER;
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
  return world;
}

// The axis lies in the plane of x and z, tilted towards x.
static pc_body add_tilted(pc_world *world, pc_shape *shape, double alpha, const motion *m,
                          double circle)
{
  pc_body_def def = pc_body_def_default();
  def.mass = 1;
  def.inertia[0] = def.inertia[4] = m->across;
  def.inertia[8] = m->along;
  def.orientation[0] = cos(alpha / 2);
  def.orientation[2] = sin(alpha / 2);
  def.position[0] = circle;
  def.position[2] = m->height;
  def.velocity[1] = m->rate * circle;
  def.spin[0] = m->spin * sin(alpha);
  def.spin[2] = m->rate + m->spin * cos(alpha);
  return add(world, &def, shape);
}

static void axis_of(const pc_body_state *state, double axis[3])
{
  const double *q = state->orientation;
  axis[0] = 2 * (q[1] * q[3] + q[0] * q[2]);
  axis[1] = 2 * (q[2] * q[3] - q[0] * q[1]);
  axis[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

// How far something is from what it should be, at most.
typedef struct misfit {
  double turn, tilt;    // of the angle gone, relative; rad
  double sunk, risen;   // of the lowest point, over the radius
  double given, energy; // by pushing out and in all, over the kinetic energy
} misfit;

static double lowest_of(bool capsule, double radius, double half, const pc_body_state *state)
{
  double a[3];
  axis_of(state, a);
  return state->position[2] - half * fabs(a[2]) -
         radius * (capsule ? 1 : sqrt(a[0] * a[0] + a[1] * a[1]));
}

static misfit follow(const gait *of, double h, pc_treatment treatment, double e)
{
  const double pi = acos(-1);
  motion m = motion_of(of);
  pc_world *world = make_world(treatment, of->mu, e);
  add_floor(world);
  pc_body body = add_tilted(world,
                            of->capsule ? pc_shape_capsule(of->radius, 2 * of->half, NULL)
                                        : pc_shape_cylinder(of->radius, 2 * of->half, NULL),
                            of->alpha, &m, of->circle);
  misfit off = {0};
  double gone = 0, last = 0;
  long steps = lround(of->span / h);
  const pc_step_info *info = NULL;
  for (long i = 0; i < steps; i++) {
    pc_body_state state;
    double a[3];
    info = step(world, h);
    assert_true(info->closed);
    pc_body_get(world, body, &state);
    axis_of(&state, a);
    double angle = atan2(a[1], a[0]), more = remainder(angle - last, 2 * pi);
    double low = lowest_of(of->capsule, of->radius, of->half, &state) / of->radius;
    gone += more, last = angle;
    off.tilt = fmax(off.tilt, fabs(acos(a[2]) - of->alpha));
    off.sunk = fmax(off.sunk, -low);
    off.risen = fmax(off.risen, low);
  }
  double kinetic = info->kinetic_start;
  off.turn = fabs(gone / (m.rate * h * (double)steps) - 1);
  off.given = fabs(info->total_correction) / kinetic;
  off.energy = fabs(info->kinetic_translation + info->kinetic_rotation + info->potential - kinetic -
                    info->potential_start) /
               kinetic;
  pc_world_destroy(world);
  return off;
}

// Turning in a step, which errors go with.
static double angle_of_step(const gait *of, double h)
{
  motion m = motion_of(of);
  return h * fmax(fabs(m.rate), fabs(m.spin));
}

static void steady_rolling_is_of_second_order(void **state)
{
  const double steps[] = {4e-3, 2e-3, 1e-3, 5e-4};
  for (size_t i = 0; i < sizeof gaits / sizeof *gaits; i++)
    for (int level = 0; level < 2; level++) {
      misfit last = {0};
      for (int k = 0; k < 4; k++) {
        const gait *of = &gaits[i];
        double small = angle_of_step(of, steps[k]), square = small * small;
        pc_treatment treatment = level == 0 ? PC_POSITION_LEVEL : PC_VELOCITY_LEVEL;
        misfit off = follow(of, steps[k], treatment, 0);
        printf("%s, %s, %g ms: turn %.1e, tilt %.1e, sunk %.1e, risen %.1e, given %.1e, energy "
               "%.1e\n",
               of->name, level == 0 ? "position" : "velocity", 1e3 * steps[k], off.turn, off.tilt,
               off.sunk, off.risen, off.given, off.energy);
        assert_true(off.turn <= 5 * square && off.tilt <= 5 * square);
        // At velocity level nothing brings back what it sinks, which is of third order a second.
        assert_true(off.sunk <= (level == 0 ? 0.01 * square : 100 * square * small * of->span));
        assert_true(off.risen <= square);
        assert_true(off.energy <= (level == 0 ? 0.1 * square : 100 * square * small * of->span));
        if (steps[k] <= 2e-3)
          assert_true(off.given == 0);
        // A quarter, where it is more than the tolerance leaves.
        if (k > 0 && last.turn > 1e-6)
          assert_true(off.turn < last.turn / 3);
        last = off;
      }
    }
}

// A coin goes round and round: what friction gives or takes grows with the time, its height does
// not change.
static void a_coin_rolls_on(void **state)
{
  const double h = 1e-3;
  gait coin = gaits[3];
  coin.span = h * test_count_long(10000, 1000000);
  misfit off = follow(&coin, h, PC_POSITION_LEVEL, 0);
  printf("%g s: turn %.1e, tilt %.1e, sunk %.1e, risen %.1e, energy %.1e\n", coin.span, off.turn,
         off.tilt, off.sunk, off.risen, off.energy);
  assert_true(off.given == 0 && off.sunk < 1e-9 && off.risen < 1e-9);
  assert_true(off.energy < 3e-7 * coin.span && off.tilt < 1e-4 + 1e-6 * coin.span);
}

// A rim that rolls is no impact, whatever the speed of its points: with e = 1 it does the same.
static void rolling_does_not_rebound(void **state)
{
  for (size_t i = 0; i < sizeof gaits / sizeof *gaits; i++) {
    misfit with = follow(&gaits[i], 1e-3, PC_POSITION_LEVEL, 1);
    misfit without = follow(&gaits[i], 1e-3, PC_POSITION_LEVEL, 0);
    assert_near(with.turn, without.turn, 1e-9);
    assert_near(with.risen, without.risen, 1e-9);
  }
}

// A disc that nods without friction: its tilt alpha obeys one equation, by the momenta L about the
// vertical and M about the axis, which stay.
typedef struct nod {
  double radius, half, across, along, vertical, axial;
} nod;

static double nod_acceleration(const nod *of, double alpha, double rate)
{
  double c = cos(alpha), s = sin(alpha), rest = of->vertical - of->axial * c;
  double z = of->radius * s + of->half * c, slope = of->radius * c - of->half * s;
  double turning = rest * of->axial / (of->across * s) - rest * rest * c / (of->across * s * s * s);
  return (slope * z * rate * rate - turning - g * slope) / (of->across + slope * slope);
}

static double tilt_of_nod(const nod *of, double alpha, double time)
{
  const int count = 100000;
  double h = time / count, x[2] = {alpha, 0};
  for (int i = 0; i < count; i++) {
    double k[4][2], sum[2] = {0};
    for (int j = 0; j < 4; j++) {
      const double part = j == 0 ? 0 : j == 3 ? h : 0.5 * h, weight = j % 3 == 0 ? 1 : 2;
      double a = x[0] + part * (j > 0 ? k[j - 1][0] : 0),
             v = x[1] + part * (j > 0 ? k[j - 1][1] : 0);
      k[j][0] = v;
      k[j][1] = nod_acceleration(of, a, v);
      for (int l = 0; l < 2; l++)
        sum[l] += weight * k[j][l];
    }
    for (int l = 0; l < 2; l++)
      x[l] += h / 6 * sum[l];
  }
  return x[0];
}

static void a_nodding_disc_follows_its_equation(void **state)
{
  const double alpha = 0.8, time = 1;
  nod of = {.radius = 0.1, .half = 0.005};
  of.across = of.radius * of.radius / 4 + of.half * of.half / 3;
  of.along = of.radius * of.radius / 2;
  motion m = {.rate = 22, .spin = -14, .across = of.across, .along = of.along};
  m.height = of.radius * sin(alpha) + of.half * cos(alpha);
  of.axial = of.along * (m.rate * cos(alpha) + m.spin);
  of.vertical = of.across * m.rate * sin(alpha) * sin(alpha) + of.axial * cos(alpha);
  double want = tilt_of_nod(&of, alpha, time), last = 0;
  for (int k = 0; k < 3; k++) {
    double h = 2e-3 / (1 << k), a[3], low = 0;
    pc_world *world = make_world(PC_POSITION_LEVEL, 0, 0);
    add_floor(world);
    pc_body body = add_tilted(world, pc_shape_cylinder(of.radius, 2 * of.half, NULL), alpha, &m, 0);
    pc_body_state at;
    const pc_step_info *info = NULL;
    for (long i = 0; i < lround(time / h); i++) {
      info = step(world, h);
      pc_body_get(world, body, &at);
      low = fmax(low, fabs(lowest_of(false, of.radius, of.half, &at)) / of.radius);
    }
    axis_of(&at, a);
    double off = fabs(acos(a[2]) - want);
    double energy = fabs(info->total_dissipated) / info->kinetic_start;
    printf("%g ms: tilt %.5f off by %.1e, height %.1e, energy %.1e\n", 1e3 * h, want, off, low,
           energy);
    assert_true(off < 400 * h * h / (0.1 * 0.1) && low < 1e-3 && energy < 1e-6);
    assert_true(info->total_correction == 0);
    if (k > 0)
      assert_true(off < last / 3);
    last = off;
    pc_world_destroy(world);
  }
}

// Two rims on one axis roll as a cone does, about its tip.
static void two_rims_roll_as_a_cone(void **state)
{
  const double beta = 0.3, rate = 3, wide = 0.02, place[2] = {0.1, 0.2}, time = 2;
  const double half_turn = 0.5 * (acos(0) - beta);
  for (int k = 0; k < 3; k++) {
    double h = 4e-3 / (1 << k), weight = 0, moment = 0, gone = 0, last = 0, low = 0;
    pc_shape_piece piece[2];
    memset(piece, 0, sizeof piece);
    for (int i = 0; i < 2; i++) {
      double r = place[i] * tan(beta);
      piece[i].shape = pc_shape_cylinder(r, wide, NULL);
      piece[i].orientation[0] = 1;
      piece[i].position[2] = place[i] + 0.5 * wide;
      weight += r * r, moment += r * r * piece[i].position[2];
    }
    pc_world *world = make_world(PC_POSITION_LEVEL, 1, 0);
    add_floor(world);
    pc_body_def def = pc_body_def_default();
    def.orientation[0] = cos(half_turn);
    def.orientation[2] = sin(half_turn);
    def.velocity[1] = rate * cos(beta) * moment / weight;
    def.spin[0] = -rate / tan(beta);
    pc_body body = add(world, &def, pc_shape_compound(2, piece, NULL));
    for (int i = 0; i < 2; i++)
      pc_shape_release(piece[i].shape);
    const pc_step_info *info = NULL;
    for (long i = 0; i < lround(time / h); i++) {
      pc_body_state at;
      double a[3];
      info = step(world, h);
      pc_body_get(world, body, &at);
      axis_of(&at, a);
      gone += remainder(atan2(a[1], a[0]) - last, 4 * acos(0));
      last = atan2(a[1], a[0]);
      for (int j = 0; j < 2; j++) {
        double z = at.position[2] + (place[j] - moment / weight) * a[2] -
                   place[j] * tan(beta) * sqrt(1 - a[2] * a[2]);
        low = fmax(low, fabs(z));
      }
    }
    double off = fabs(gone / (rate * time) - 1);
    printf("%g ms: turn off by %.1e, rims by %.1e m; given %.1e of %.1e J\n", 1e3 * h, off, low,
           info->total_correction, info->kinetic_start);
    assert_true(off < 100 * h * h * rate * rate && low < 1e-5);
    assert_true(info->total_correction == 0);
    pc_world_destroy(world);
  }
}

// On its side it goes straight on: each of its two contacts is a circle that rolls.
static void a_cylinder_rolls_straight_on(void **state)
{
  const double radius = 0.1, speed = 2, h = 1e-3;
  for (int level = 0; level < 2; level++) {
    pc_world *world = make_world(level == 0 ? PC_POSITION_LEVEL : PC_VELOCITY_LEVEL, 0.5, 0.5);
    add_floor(world);
    pc_body_def def = pc_body_def_default();
    def.orientation[0] = def.orientation[1] = sqrt(0.5);
    def.position[2] = radius;
    def.velocity[0] = speed;
    def.spin[1] = speed / radius;
    pc_body body = add(world, &def, pc_shape_cylinder(radius, 0.3, NULL));
    const pc_step_info *info = NULL;
    int steps = test_count(10000);
    for (int i = 0; i < steps; i++)
      info = step(world, h);
    pc_body_state at;
    pc_body_get(world, body, &at);
    // At velocity level it falls for one step before it touches: by g h^2.
    double fall = level == 0 ? 1e-10 : 1.01 * g * h * h, part = fall / radius;
    assert_near(at.position[0], speed * h * steps, part * speed * h * steps);
    assert_near(at.position[1], 0, 1e-9);
    assert_near(at.position[2], radius, fall);
    assert_near(at.spin[1], speed / radius, part * speed / radius);
    assert_true(info->total_correction == 0);
    pc_world_destroy(world);
  }
}

// Cylinders that wobble and fall over with friction: their energy does not grow. Pushing out gives
// some where they fall flat.
static void wobbling_cylinders_get_no_energy(void **state)
{
  pc_random random = test_random("wobbling_cylinders_get_no_energy");
  const double radius = 0.1, h = 1e-3;
  double given = 0, deepest = 0, grown = 0;
  int count = test_count(20);
  for (int i = 0; i < count; i++) {
    pc_world *world = make_world(PC_POSITION_LEVEL, 0.3, 0);
    add_floor(world);
    double half = pc_random_uniform(&random, 0.1, 1) * radius;
    double alpha = pc_random_uniform(&random, 0.2, 1.2);
    motion m = {.rate = pc_random_uniform(&random, -15, 15),
                .spin = pc_random_uniform(&random, -15, 15)};
    m.across = radius * radius / 4 + half * half / 3;
    m.along = radius * radius / 2;
    m.height = radius * sin(alpha) + half * cos(alpha);
    add_tilted(world, pc_shape_cylinder(radius, 2 * half, NULL), alpha, &m, 0);
    for (int k = 0; k < 2000; k++) {
      const pc_step_info *info = step(world, h);
      double start = info->kinetic_start + info->potential_start;
      double now = info->kinetic_translation + info->kinetic_rotation + info->potential;
      grown = fmax(grown, now / start - 1);
      given = fmax(given, info->total_correction / start);
      deepest = fmax(deepest, info->deepest / radius);
      assert_true(info->closed);
    }
    pc_world_destroy(world);
  }
  printf("energy grown by %.1e, given by pushing out %.1e, sunk by %.1e radii\n", grown, given,
         deepest);
  assert_true(grown < 1e-5 && given < 1e-2 && deepest < 1e-2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steady_rolling_is_of_second_order),
      cmocka_unit_test(a_coin_rolls_on),
      cmocka_unit_test(rolling_does_not_rebound),
      cmocka_unit_test(a_nodding_disc_follows_its_equation),
      cmocka_unit_test(two_rims_roll_as_a_cone),
      cmocka_unit_test(a_cylinder_rolls_straight_on),
      cmocka_unit_test(wobbling_cylinders_get_no_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
