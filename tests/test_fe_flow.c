// Fluids in time: manufactured solutions, an exact drop, waves, floating and falling bodies.
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/flow.h"
#include "continuum/mesh_shapes.h"

static const double PI = 3.14159265358979323846;

enum { WALLS = 4 };

// A tank from (0, 0) with walls at the bottom, right and left, and with a lid at the top too.
typedef struct tank {
  pc_fe_mesh mesh;
  pc_fe_flow_contact contact[WALLS + 1];
  pc_fe_flow_def def;
} tank;

static tank make_tank(double width, double depth, int columns, int rows, pc_element type, bool lid)
{
  static const char *const name[WALLS] = {"bottom", "right", "left", "top"};
  pc_error error = {0};
  double x[65], y[65];
  tank t = {.mesh = pc_fe_mesh_empty(2), .def = pc_fe_flow_def_default()};
  pc_fe_grade(0, width, columns, 1, x);
  pc_fe_grade(0, depth, rows, 1, y);
  pc_fe_mesh_add_rectangle(&t.mesh, &(pc_fe_rectangle){columns, rows, x, y, type, "water", "bottom",
                                                       "right", "top", "left"});
  assert_ok(pc_fe_mesh_quadratic(&t.mesh, true, &error), &error);
  t.def.contacts = lid ? WALLS : WALLS - 1;
  for (int i = 0; i < t.def.contacts; i++)
    t.contact[i] =
        (pc_fe_flow_contact){.sides = pc_fe_mesh_find_group(&t.mesh, name[i], 1), .body = -1};
  return t;
}

static pc_fe_flow *start(tank *t)
{
  pc_error error = {0};
  t->def.mesh = &t->mesh;
  t->def.contact = t->contact;
  pc_fe_flow *flow = pc_fe_flow_create(&t->def, &error);
  if (flow == NULL)
    fail_msg("%s", error.text);
  return flow;
}

static void advance(pc_fe_flow *flow, int steps)
{
  pc_error error = {0};
  for (int i = 0; i < steps; i++)
    assert_ok(pc_fe_flow_advance(flow, &error), &error);
}

// A field that slips along the walls of a square of side pi, with stress across none of them:
// psi = f sin x sin y + g sin 2x sin 3y, whose convection is no gradient.
typedef struct vortices {
  double f, g, df, dg;
} vortices;

static vortices vortices_at(double t)
{
  return (vortices){cos(t), 0.5 * sin(2 * t) + 0.3, -sin(t), cos(2 * t)};
}

static void velocity_at(vortices v, const double x[2], double u[2])
{
  u[0] = v.f * sin(x[0]) * cos(x[1]) + 3 * v.g * sin(2 * x[0]) * cos(3 * x[1]);
  u[1] = -v.f * cos(x[0]) * sin(x[1]) - 2 * v.g * cos(2 * x[0]) * sin(3 * x[1]);
}

static const double NU = 0.05;

// What must act on the field: du/dt + u.grad u - nu laplace u, at density 1.
static void vortex_force(void *context, const double x[2], double time, double force[2])
{
  (void)context;
  vortices v = vortices_at(time);
  double u[2], change[2], damped[2];
  velocity_at(v, x, u);
  velocity_at((vortices){v.df, v.dg, 0, 0}, x, change);
  velocity_at((vortices){2 * v.f, 13 * v.g, 0, 0}, x, damped);
  double along = v.f * cos(x[0]) * cos(x[1]) + 6 * v.g * cos(2 * x[0]) * cos(3 * x[1]);
  double both = sin(x[0]) * sin(x[1]), fast = sin(2 * x[0]) * sin(3 * x[1]);
  double slope[2][2] = {{along, -v.f * both - 9 * v.g * fast},
                        {v.f * both + 4 * v.g * fast, -along}};
  for (int i = 0; i < 2; i++)
    force[i] = change[i] + u[0] * slope[i][0] + u[1] * slope[i][1] + NU * damped[i];
}

// Velocities after `steps` to `time`; free them.
static double *run_vortices(int cells, pc_element type, double time, int steps, double *error)
{
  tank t = make_tank(PI, PI, cells, cells, type, true);
  t.def.density = 1;
  t.def.viscosity = NU;
  t.def.step = time / steps;
  t.def.force = vortex_force;
  pc_fe_flow *flow = start(&t);
  size_t numbers = 2 * (size_t)t.mesh.nodes;
  double *u = malloc(numbers * sizeof *u), off = 0, size = 0;
  for (int i = 0; i < t.mesh.nodes; i++)
    velocity_at(vortices_at(0), t.mesh.node[i], u + 2 * i);
  pc_error reason = {0};
  assert_ok(pc_fe_flow_set(flow, u, NULL, NULL, &reason), &reason);
  advance(flow, steps);
  pc_fe_flow_account a = pc_fe_flow_balance(flow);
  assert_true(a.closed && a.identity < 1e-12);
  assert_near(a.mesh, 0, 0); // it does not move
  memcpy(u, pc_fe_flow_look(flow).velocity, numbers * sizeof *u);
  for (int i = 0; i < t.mesh.nodes; i++) {
    double want[2];
    velocity_at(vortices_at(time), t.mesh.node[i], want);
    for (int k = 0; k < 2; k++) {
      off += (u[2 * i + k] - want[k]) * (u[2 * i + k] - want[k]);
      size += want[k] * want[k];
    }
  }
  *error = sqrt(off / size);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
  return u;
}

static void forced_vortices_converge_with_the_mesh(void **state)
{
  static const pc_element type[] = {PC_QUAD4, PC_TRIANGLE3};
  for (int k = 0; k < 2; k++) {
    double coarse, fine;
    free(run_vortices(8, type[k], 0.05, 4, &coarse));
    free(run_vortices(16, type[k], 0.05, 4, &fine));
    if (!(log2(coarse / fine) > 2.8 && fine < 1e-3))
      fail_msg("%d: %g, then %g", k, coarse, fine);
  }
}

static double distance(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static void forced_vortices_converge_with_the_step(void **state)
{
  skip_when_reduced();
  double *u[4], error;
  for (int k = 0; k < 4; k++)
    u[k] = run_vortices(6, PC_QUAD4, 0.8, k < 3 ? 8 << k : 128, &error);
  int n = 2 * 13 * 13;
  double coarse = distance(u[0], u[3], n), middle = distance(u[1], u[3], n),
         fine = distance(u[2], u[3], n);
  if (!(log2(coarse / middle) > 1.9 && log2(middle / fine) > 1.9 && log2(middle / fine) < 2.2))
    fail_msg("%g, %g, %g", coarse, middle, fine);
  for (int k = 0; k < 4; k++)
    free(u[k]);
}

// Without viscosity and forces nothing is lost, whatever the Courant number.
static void vortices_keep_their_energy(void **state)
{
  tank t = make_tank(PI, PI, 5, 5, PC_TRIANGLE3, true);
  t.def.density = 2;
  t.def.step = 0.1;
  pc_fe_flow *flow = start(&t);
  double *u = malloc(2 * (size_t)t.mesh.nodes * sizeof *u);
  for (int i = 0; i < t.mesh.nodes; i++)
    velocity_at(vortices_at(0.5), t.mesh.node[i], u + 2 * i);
  pc_error error = {0};
  assert_ok(pc_fe_flow_set(flow, u, NULL, NULL, &error), &error);
  advance(flow, 20);
  pc_fe_flow_account a = pc_fe_flow_balance(flow);
  assert_near(a.now.fluid, a.start.fluid - a.reactions, 1e-11 * a.start.fluid);
  // Only the divergence of the interpolated velocity is taken off.
  assert_true(a.reactions >= 0 && a.reactions < 1e-2 * a.start.fluid);
  assert_true(distance(u, pc_fe_flow_look(flow).velocity, 2 * t.mesh.nodes) > 0.1); // it flowed
  free(u);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

// An ellipse that stretches, u = (a x, -a y), is an exact motion of a drop without gravity:
// A' = a A, B' = -a B, a' = a^2 (B^2 - A^2) / (A^2 + B^2).
typedef struct ellipse {
  double a, A, B;
} ellipse;

static ellipse ellipse_rate(ellipse e)
{
  double p = e.A * e.A, q = e.B * e.B;
  return (ellipse){e.a * e.a * (q - p) / (p + q), e.a * e.A, -e.a * e.B};
}

static ellipse ellipse_at(double time)
{
  ellipse e = {1, 1, 1};
  const int steps = 2000;
  double h = time / steps;
  for (int i = 0; i < steps; i++) { // the midpoint rule; 1e-8
    ellipse r = ellipse_rate(e);
    ellipse m = {e.a + h / 2 * r.a, e.A + h / 2 * r.A, e.B + h / 2 * r.B};
    r = ellipse_rate(m);
    e = (ellipse){e.a + h * r.a, e.A + h * r.A, e.B + h * r.B};
  }
  return e;
}

typedef struct drop {
  double velocity, surface; // errors
  double stretch;           // the largest velocity
  double mesh, identity, volume;
} drop;

static drop run_drop(int cells, int steps)
{
  const double time = 0.2;
  pc_error error = {0};
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_disc disc = {{0}, 1, cells, cells / 2, "water", "rim"};
  pc_fe_mesh_add_disc(&mesh, &disc);
  assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
  pc_fe_mesh_round(&mesh, disc.centre, disc.radius);
  pc_fe_flow_def def = pc_fe_flow_def_default();
  def.mesh = &mesh;
  def.density = 1;
  def.step = time / steps;
  pc_fe_flow *flow = pc_fe_flow_create(&def, &error);
  assert_non_null(flow);
  double *u = malloc(2 * (size_t)mesh.nodes * sizeof *u);
  for (int i = 0; i < mesh.nodes; i++) {
    u[2 * i] = mesh.node[i][0];
    u[2 * i + 1] = -mesh.node[i][1];
  }
  assert_ok(pc_fe_flow_set(flow, u, NULL, NULL, &error), &error);
  double before = pc_fe_flow_look(flow).volume;
  advance(flow, steps);
  pc_fe_flow_state s = pc_fe_flow_look(flow);
  pc_fe_flow_account a = pc_fe_flow_balance(flow);
  ellipse e = ellipse_at(time);
  drop d = {.mesh = a.mesh, .identity = a.identity, .volume = s.volume / before - 1};
  for (int i = 0; i < mesh.nodes; i++) {
    double x = mesh.node[i][0] + s.displacement[2 * i];
    double y = mesh.node[i][1] + s.displacement[2 * i + 1];
    const double *v = s.velocity + 2 * i;
    d.velocity = fmax(d.velocity, hypot(v[0] - e.a * x, v[1] + e.a * y));
    d.stretch = fmax(d.stretch, hypot(v[0], v[1]));
    if (fabs(hypot(mesh.node[i][0], mesh.node[i][1]) - 1) < 1e-9)
      d.surface = fmax(d.surface, fabs(x * x / (e.A * e.A) + y * y / (e.B * e.B) - 1));
  }
  free(u);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&mesh);
  return d;
}

static void a_drop_stretches_as_an_ellipse(void **state)
{
  drop coarse = run_drop(2, 8), fine = run_drop(4, 8),
       quick[3] = {run_drop(2, 2), run_drop(2, 4), run_drop(2, 16)};
  // In space, and in time against the finest step on one mesh.
  if (!(coarse.velocity / fine.velocity > 2 && coarse.surface / fine.surface > 2 &&
        fine.surface < 0.01))
    fail_msg("velocity %g, %g; surface %g, %g", coarse.velocity, fine.velocity, coarse.surface,
             fine.surface);
  double order =
      log2(fabs(quick[0].stretch - quick[2].stretch) / fabs(quick[1].stretch - quick[2].stretch));
  if (!(order > 1.7 && order < 2.4))
    fail_msg("order %g in time", order);
  // What the mesh gives is of third order in a step, so of second order in sum.
  order = log2(quick[0].mesh / coarse.mesh) / 2;
  if (!(order > 1.7 && order < 2.3))
    fail_msg("the mesh gives %g, then %g", quick[0].mesh, coarse.mesh);
  assert_true(fmax(coarse.identity, fine.identity) < 1e-12);
  assert_near(fine.volume, 0, 1e-12);
}

typedef struct wave {
  double rate; // radians per second, from the level at the left wall
  double part; // of the energy that viscosity took
  double time;
} wave;

// The first mode of a tank of 1 m x 0.5 m, for two periods.
static wave run_wave(int columns, int rows, double step, double viscosity)
{
  const double height = 0.002, k = PI, omega = sqrt(9.81 * k * tanh(k * 0.5));
  tank t = make_tank(1, 0.5, columns, rows, PC_QUAD4, false);
  t.def.density = 1000;
  t.def.viscosity = 1000 * viscosity;
  t.def.gravity[1] = -9.81;
  t.def.step = step;
  pc_fe_flow *flow = start(&t);
  double *high = malloc((size_t)t.mesh.nodes * sizeof *high), crossing[8], last = height;
  int left = -1, crossings = 0;
  for (int i = 0; i < t.mesh.nodes; i++) {
    high[i] = height * cos(k * t.mesh.node[i][0]);
    if (t.mesh.node[i][0] == 0 && t.mesh.node[i][1] == 0.5)
      left = i;
  }
  pc_error error = {0};
  assert_ok(pc_fe_flow_set(flow, NULL, high, NULL, &error), &error);
  double before = pc_fe_flow_look(flow).volume, rest = 0;
  int steps = (int)ceil(4.2 * PI / omega / step);
  for (int i = 1; i <= steps; i++) {
    advance(flow, 1);
    double now = pc_fe_flow_look(flow).displacement[2 * left + 1];
    if (now * last < 0)
      crossing[crossings++] = step * (i - 1 + last / (last - now));
    last = now;
  }
  assert_int_equal(crossings, 4);
  pc_fe_flow_account a = pc_fe_flow_balance(flow);
  pc_fe_flow_state s = pc_fe_flow_look(flow);
  assert_true(a.closed);
  assert_near(s.volume, before, 1e-12 * before);
  // Potential energy of the mode alone: rho g h^2 L / 4.
  rest = 1000 * 9.81 * height * height / 4;
  wave w = {3 * PI / (crossing[3] - crossing[0]), a.viscous / rest, s.time};
  free(high);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
  return w;
}

static void a_tank_sloshes_with_its_frequency(void **state)
{
  double exact = sqrt(9.81 * PI * tanh(PI * 0.5));
  double coarse = run_wave(8, 4, 0.04, 1e-6).rate / exact - 1;
  double fine = run_wave(8, 4, 0.02, 1e-6).rate / exact - 1;
  if (!(fabs(fine) < 2e-3 && fabs(coarse) < 1e-2 && coarse / fine > 2))
    fail_msg("%g, then %g", coarse, fine);
}

// Lamb: amplitudes decay with 2 nu k^2, as long as the vorticity below the surface is thin.
static void waves_decay_as_lamb_says(void **state)
{
  skip_when_reduced();
  const double nu = 2e-4;
  wave w = run_wave(12, 6, 0.04, nu);
  double want = 1 - exp(-4 * nu * PI * PI * w.time);
  assert_near(w.part, want, 0.03 * want);
}

// A flat plate of 0.5 m on a tank of 1 m x 0.5 m.
static void add_plate(tank *t, pc_fe_body *body, double mass, double height)
{
  *body = (pc_fe_body){.mass = mass, .inertia = mass / 12, .centre = {0.5, 0.5 + height}};
  t->contact[t->def.contacts++] =
      (pc_fe_flow_contact){.sides = -1,
                           .body = 0,
                           .end = {{0.25, 0.5 + height}, {0.75, 0.5 + height}},
                           .normal = 2,
                           .tangential = 1};
  t->def.body = body;
  t->def.bodies = 1;
  t->def.density = 1000;
  t->def.strain = 0.5;
  t->def.viscosity = 1;
  t->def.gravity[1] = -9.81;
}

static void still_water_stays_still_and_presses_with_its_weight(void **state)
{
  tank t = make_tank(1, 0.5, 4, 2, PC_TRIANGLE3, false);
  t.def.density = 1000;
  t.def.gravity[1] = -9.81;
  t.def.step = 0.05;
  pc_fe_flow *flow = start(&t);
  advance(flow, 10);
  pc_fe_flow_state s = pc_fe_flow_look(flow);
  for (int i = 0; i < 2 * t.mesh.nodes; i++)
    assert_near(s.velocity[i], 0, 1e-13);
  assert_near(s.touch[0].percussion[0], 0.5 * 9810 * 0.5, 1e-8);
  assert_near(s.touch[1].percussion[0], 0.5 * 9810 * 0.5 * 0.5 / 2, 1e-8);
  for (int i = 0; i < t.mesh.nodes; i++)
    assert_near(s.pressure[i], 9810 * (0.5 - t.mesh.node[i][1]), 1e-8);
  assert_true(pc_fe_flow_balance(flow).closed);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

// A basin whose right wall leans by 45 degrees: the contact line moves along it.
static void a_leaning_wall_holds_the_water(void **state)
{
  tank t = make_tank(1, 0.5, 6, 3, PC_QUAD4, false);
  for (int i = 0; i < t.mesh.nodes; i++)
    t.mesh.node[i][0] *= 1 + t.mesh.node[i][1];
  t.def.density = 1000;
  t.def.gravity[1] = -9.81;
  t.def.step = 0.02;
  pc_fe_flow *flow = start(&t);
  advance(flow, 3);
  pc_fe_flow_state s = pc_fe_flow_look(flow);
  for (int i = 0; i < 2 * t.mesh.nodes; i++)
    assert_near(s.velocity[i], 0, 1e-11);
  assert_near(s.touch[0].percussion[0], 0.06 * 9810 * 0.5, 1e-6);
  double high[200] = {0};
  for (int i = 0; i < t.mesh.nodes; i++)
    high[i] = 0.01 * cos(PI * t.mesh.node[i][0] / 1.5);
  pc_error error = {0};
  assert_ok(pc_fe_flow_set(flow, NULL, high, NULL, &error), &error);
  double before = pc_fe_flow_look(flow).volume;
  advance(flow, 20);
  s = pc_fe_flow_look(flow);
  pc_fe_flow_account a = pc_fe_flow_balance(flow);
  assert_true(a.closed && a.now.fluid > 1e-3);
  assert_near(s.volume, before, 1e-13);
  double slid = 0;
  for (int i = 0; i < t.mesh.nodes; i++) {
    const double *x = t.mesh.node[i], *u = s.displacement + 2 * i, *v = s.velocity + 2 * i;
    if (fabs(x[0] - 1 - x[1]) > 1e-12)
      continue;
    assert_near(u[0], u[1], 1e-14); // along the wall
    assert_near(v[0], v[1], 1e-9);
    slid = fmax(slid, fabs(u[0]));
  }
  assert_true(slid > 1e-3);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

// Before the blow it falls freely; the blow is that of the collision alone; afterwards it floats.
static void a_plate_falls_on_water_and_floats(void **state)
{
  tank t = make_tank(1, 0.5, 8, 4, PC_QUAD4, false);
  pc_fe_body body;
  add_plate(&t, &body, 5, 0.02);
  t.def.step = 0.01;
  t.def.rest = 0.02;
  pc_fe_flow *flow = start(&t);
  double v[1][PC_FE_BODY] = {{0, -0.5, 0}};
  pc_error error = {0};
  assert_ok(pc_fe_flow_set(flow, NULL, NULL, (const double(*)[PC_FE_BODY])v, &error), &error);
  advance(flow, 1);
  pc_fe_flow_state s = pc_fe_flow_look(flow);
  assert_near(s.place[0][0], 0.5, 0);
  assert_near(s.place[0][1], 0.52 - 0.005 - 9.81e-4 / 2, 1e-13);
  while (pc_fe_flow_look(flow).events == 0)
    advance(flow, 1);
  const pc_fe_event *e = pc_fe_flow_look(flow).event;
  // 0.5 t + g t^2 / 2 = 0.02, early by a step of 10 ms / 64 at most.
  double hit = (sqrt(0.25 + 2 * 9.81 * 0.02) - 0.5) / 9.81;
  assert_true(e->time <= hit && e->time > hit - 0.01 / 64 - 1e-12);
  assert_near(e->speed, 0.5 + 9.81 * e->time, 1e-12);
  assert_true(e->collision && e->fresh && e->nodes == 9);

  // The same collision by itself.
  pc_fe_collision_def def = {.mesh = &t.mesh, .media = 1, .bodies = 1, .contacts = 1, .holds = 3};
  char *touching = calloc((size_t)t.mesh.nodes, 1);
  for (int i = 0; i < t.mesh.nodes; i++)
    touching[i] = t.mesh.node[i][1] == 0.5 && fabs(t.mesh.node[i][0] - 0.5) <= 0.25;
  pc_fe_medium medium = {.fluid = true,
                         .density = 1000,
                         .strain = 0.5,
                         .group = pc_fe_mesh_find_group(&t.mesh, "water", 2)};
  pc_fe_contact contact = {.sides = pc_fe_mesh_find_group(&t.mesh, "top", 1),
                           .other = -1,
                           .normal = 2,
                           .tangential = 1,
                           .condition = PC_FE_UNILATERAL,
                           .lumped = true,
                           .touching = touching};
  pc_fe_hold hold[3] = {{.sides = t.contact[0].sides, .y = true},
                        {.sides = t.contact[1].sides, .x = true},
                        {.sides = t.contact[2].sides, .x = true}};
  def.medium = &medium;
  def.body = &body;
  def.contact = &contact;
  def.hold = hold;
  pc_fe_collision *alone = pc_fe_collision_create(&def, &error);
  assert_non_null(alone);
  double *still = calloc(2 * (size_t)t.mesh.nodes, sizeof *still);
  double before[1][PC_FE_BODY] = {{0, -e->speed, 0}};
  pc_fe_answer answer;
  assert_ok(
      pc_fe_collision_solve(alone, still, (const double(*)[PC_FE_BODY])before, &answer, &error),
      &error);
  assert_near(e->percussion[0], 5 * (answer.body[0][1] + e->speed), 1e-7);
  assert_near(e->lost, answer.account.volume + answer.account.surface + answer.account.reactions,
              1e-7);
  pc_fe_collision_destroy(alone);
  free(still);
  free(touching);

  advance(flow, 40);
  pc_fe_flow_account a = pc_fe_flow_balance(flow);
  s = pc_fe_flow_look(flow);
  assert_true(a.closed);
  assert_true(s.touch[3].closed > 0);
  assert_true(s.place[0][1] < 0.51 && s.place[0][1] > 0.47); // 1 cm below the water at rest
  for (int i = 0; i < t.mesh.nodes; i++)                     // which stays below it
    if (t.mesh.node[i][1] == 0.5 && fabs(t.mesh.node[i][0] - 0.5) <= 0.25)
      assert_true(0.5 + s.displacement[2 * i + 1] <= s.place[0][1] + 1e-6);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

// A level face without friction is pushed along its normal alone, by what the balance of the body
// says, though the surface beside it slopes; and no water is lost at its edges. The plate is off
// the middle and heels over, so that the water flows to one side.
static void a_face_is_pushed_along_its_normal_alone(void **state)
{
  for (int cells = 8; cells <= 16; cells *= 2) {
    tank t = make_tank(1, 0.5, cells, 2, PC_QUAD4, false);
    pc_fe_body body;
    add_plate(&t, &body, 20, 0);
    body.centre[0] = 0.375;
    body.held[2] = true;
    t.contact[3].end[0][0] = 0.125;
    t.contact[3].end[1][0] = 0.625;
    t.contact[3].tangential = 0;
    t.def.step = 0.02;
    t.def.rest = 0.5;
    pc_fe_flow *flow = start(&t);
    double volume = pc_fe_flow_look(flow).volume;
    advance(flow, 20);
    pc_fe_flow_state s = pc_fe_flow_look(flow);
    assert_true(pc_fe_flow_balance(flow).closed);
    assert_true(s.touch[3].closed == cells + 1 && s.high - s.low > 0.01);
    assert_near(s.body[0][0], 0, 1e-12);
    assert_near(s.touch[3].percussion[0], 20 * (s.body[0][1] + 9.81 * s.time), 1e-9);
    assert_near(s.volume, volume, 1e-13);
    for (int i = 0; i < t.mesh.nodes; i++) { // the surface stays on the face
      const double *x = t.mesh.node[i];
      if (x[1] == 0.5 && fabs(x[0] - 0.375) <= 0.25)
        assert_near(0.5 + s.displacement[2 * i + 1], s.place[0][1], 1e-6);
    }
    pc_fe_flow_destroy(flow);
    pc_fe_mesh_free(&t.mesh);
  }
}

// A face that leans pushes along its own normal too: impulses of body and water are opposite.
static void a_leaning_face_is_pushed_along_its_normal(void **state)
{
  tank t = make_tank(1, 0.5, 8, 4, PC_QUAD4, false);
  pc_fe_body body;
  add_plate(&t, &body, 20, 0.02);
  body.held[2] = true;
  t.contact[3].end[0][1] = 0.51;
  t.contact[3].end[1][1] = 0.56;
  t.contact[3].normal = t.contact[3].tangential = 0;
  t.def.step = 0.01;
  pc_fe_flow *flow = start(&t);
  double v[1][PC_FE_BODY] = {{0.5, -1, 0}};
  pc_error error = {0};
  assert_ok(pc_fe_flow_set(flow, NULL, NULL, (const double(*)[PC_FE_BODY])v, &error), &error);
  advance(flow, 8);
  pc_fe_flow_state s = pc_fe_flow_look(flow);
  double up[2] = {-0.1 / hypot(1, 0.1), 1 / hypot(1, 0.1)}, p = s.touch[3].percussion[0];
  assert_true(p > 1 && pc_fe_flow_balance(flow).closed);
  assert_near(20 * (s.body[0][0] - 0.5), p * up[0], 1e-9);
  assert_near(20 * (s.body[0][1] + 1 + 9.81 * s.time), p * up[1], 1e-9);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

typedef struct tilted {
  double rest, lost, spin; // the least that contact at rest took in a step, all of it
  int closed;              // steps in which the face lay on the water
} tilted;

// A plate off the middle of a tank heels over as it lies on the water that it has struck.
static tilted tilt(double step, double off, double drag)
{
  tank t = make_tank(1, 0.5, 12, 4, PC_QUAD4, false);
  pc_fe_body body;
  add_plate(&t, &body, 20, 0.01);
  body.centre[0] += off;
  t.contact[3].drag = drag;
  t.def.step = step;
  t.def.rest = 0.1;
  t.def.reach = 0.01;
  pc_fe_flow *flow = start(&t);
  double v[1][PC_FE_BODY] = {{0.3, -1, 0}};
  pc_error error = {0};
  assert_ok(pc_fe_flow_set(flow, NULL, NULL, (const double(*)[PC_FE_BODY])v, &error), &error);
  tilted got = {0};
  while (pc_fe_flow_look(flow).time < 0.12 - 1e-9) {
    double before = pc_fe_flow_balance(flow).rest;
    advance(flow, 1);
    pc_fe_flow_state s = pc_fe_flow_look(flow);
    pc_fe_flow_account a = pc_fe_flow_balance(flow);
    assert_true(a.closed);
    got.rest = fmin(got.rest, a.rest - before); // no step gives energy
    got.lost = a.rest;
    got.spin = s.body[0][2];
    got.closed += s.touch[3].closed > 0;
  }
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
  return got;
}

// The normal of a face that turns is another one in every step. Contact that lasts does no work all
// the same: what rests on it only loses what arrives, and the motion is of second order.
static void a_tilting_face_does_no_work_at_rest(void **state)
{
  const double off[] = {0.18, -0.07};
  for (int i = 0; i < 2; i++) {
    tilted at[3];
    for (int k = 0; k < 3; k++) {
      at[k] = tilt(ldexp(0.01, -k), off[i], 5 * i);
      printf("step %g: contact at rest %.2e J/m, least %.1e, spin %.6f rad/s, %d steps\n",
             ldexp(0.01, -k), at[k].lost, at[k].rest, at[k].spin, at[k].closed);
      assert_true(fabs(at[k].spin) > 0.1 && at[k].closed > 6);
      assert_true(at[k].rest > -1e-9 && at[k].lost < 1e-3);
    }
  }
}

// Water that starts with a velocity through its walls collides with them at time 0, as a collision
// by itself says: for a column that falls on its floor 1000 x 0.5 N s/m, and all of its energy, of
// which the viscosity of the floor takes 10 x 1 / 2 J/m.
static void water_collides_with_its_walls_at_the_start(void **state)
{
  tank t = make_tank(1, 0.5, 4, 4, PC_QUAD4, false);
  t.def.density = 1000;
  t.def.gravity[1] = -9.81;
  t.def.step = 0.01;
  t.def.strain = 3; // it does not deform
  t.contact[0].normal = 10;
  pc_fe_flow *flow = start(&t);
  double *u = calloc(2 * (size_t)t.mesh.nodes, sizeof *u);
  for (int i = 0; i < t.mesh.nodes; i++)
    u[2 * i + 1] = -1;
  pc_error error = {0};
  assert_ok(pc_fe_flow_set(flow, u, NULL, NULL, &error), &error);
  advance(flow, 5);
  pc_fe_flow_state s = pc_fe_flow_look(flow);
  pc_fe_flow_account a = pc_fe_flow_balance(flow);
  assert_true(a.closed);
  assert_near(a.start.fluid, 250, 1e-9);
  assert_near(a.reactions, 245, 1e-9);
  assert_near(a.surface, 5, 1e-9);
  assert_near(a.holds, 0, 0);
  assert_int_equal(s.events, 1);
  const pc_fe_event *e = s.event;
  assert_true(e->time == 0 && e->contact == 0 && e->collision && e->nodes == 9);
  assert_near(e->speed, 1, 0);
  assert_near(e->percussion[0], 500, 1e-9);
  assert_near(e->lost, 250, 1e-9);
  assert_near(s.touch[0].percussion[0], 500 + 0.05 * 9810 * 0.5, 1e-8);
  assert_int_equal(s.touch[0].collisions, 1);
  assert_int_equal(s.touch[1].collisions, 0);
  free(u);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

static void faces_below_the_surface_are_refused(void **state)
{
  tank t = make_tank(1, 0.5, 4, 4, PC_QUAD4, false);
  pc_fe_body body;
  add_plate(&t, &body, 5, -0.02);
  t.def.step = 0.01;
  pc_fe_flow *flow = start(&t);
  double depth, at[2];
  assert_int_equal(pc_fe_flow_find_sunk(flow, &depth, at), 3);
  assert_near(depth, 0.02, 1e-15);
  pc_error error = {0};
  assert_int_equal(pc_fe_flow_advance(flow, &error), PC_ERROR_ARGUMENT);
  assert_says(error.text, "below the surface");
  pc_fe_flow_destroy(flow);
  // Between two nodes too; beside the water it is none.
  t.contact[3].end[0][0] = 0.52;
  t.contact[3].end[1][0] = 0.55;
  flow = start(&t);
  assert_int_equal(pc_fe_flow_find_sunk(flow, &depth, at), 3);
  pc_fe_flow_destroy(flow);
  t.contact[3].end[0][0] = 1.1;
  t.contact[3].end[1][0] = 1.2;
  flow = start(&t);
  assert_int_equal(pc_fe_flow_find_sunk(flow, &depth, at), -1);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

// Nodes of the surface are 0.125 m apart. A narrower face would find none below it; one that is as
// wide as this meets a node wherever it falls.
static void faces_that_fit_between_nodes_are_refused(void **state)
{
  tank t = make_tank(1, 0.5, 4, 4, PC_QUAD4, false);
  pc_fe_body body;
  add_plate(&t, &body, 5, 0.01);
  t.def.step = 0.01;
  pc_error error = {0};
  double width, spacing, down[1][PC_FE_BODY] = {{0, -0.5, 0}};
  t.contact[3].end[0][0] = 0.52;
  t.contact[3].end[1][0] = 0.64;
  pc_fe_flow *flow = start(&t);
  assert_int_equal(pc_fe_flow_find_narrow(flow, &width, &spacing), 3);
  assert_near(width, 0.12, 1e-15);
  assert_near(spacing, 0.125, 1e-15);
  assert_int_equal(pc_fe_flow_advance(flow, &error), PC_ERROR_ARGUMENT);
  assert_says(error.text, "m can pass between nodes of the surface, which are");
  pc_fe_flow_destroy(flow);
  for (int i = 0; i < 6; i++) {
    t.contact[3].end[0][0] = 0.3 + 0.025 * i;
    t.contact[3].end[1][0] = t.contact[3].end[0][0] + 0.126;
    flow = start(&t);
    assert_ok(pc_fe_flow_set(flow, NULL, NULL, (const double(*)[PC_FE_BODY])down, &error), &error);
    assert_int_equal(pc_fe_flow_find_narrow(flow, &width, &spacing), -1);
    advance(flow, 4);
    assert_true(pc_fe_flow_look(flow).touch[3].collisions > 0);
    pc_fe_flow_destroy(flow);
  }
  pc_fe_mesh_free(&t.mesh);

  // Elements become wider to the right: a face that stays needs those below it, one that goes there
  // all.
  t = make_tank(1, 0.5, 4, 4, PC_QUAD4, false);
  for (int i = 0; i < t.mesh.nodes; i++)
    t.mesh.node[i][0] = 0.4 * t.mesh.node[i][0] * (1 + 1.5 * t.mesh.node[i][0]);
  add_plate(&t, &body, 5, 0.01);
  t.def.step = 0.01;
  t.contact[3].end[0][0] = 0.05;
  t.contact[3].end[1][0] = 0.17;
  flow = start(&t);
  assert_int_equal(pc_fe_flow_find_narrow(flow, &width, &spacing), -1);
  down[0][0] = 1;
  assert_ok(pc_fe_flow_set(flow, NULL, NULL, (const double(*)[PC_FE_BODY])down, &error), &error);
  assert_int_equal(pc_fe_flow_find_narrow(flow, &width, &spacing), 3);
  assert_near(spacing, 0.4 * (0.125 + 1.5 * (1 - 0.875 * 0.875)), 1e-12);
  pc_fe_flow_destroy(flow);
  pc_fe_mesh_free(&t.mesh);
}

static void a_flow_goes_on_from_its_bytes(void **state)
{
  tank t = make_tank(1, 0.5, 4, 2, PC_QUAD4, false);
  pc_fe_body body;
  add_plate(&t, &body, 5, 0);
  t.def.step = 0.01;
  pc_error error = {0};
  pc_fe_flow *one = start(&t), *other = start(&t);
  double v[1][PC_FE_BODY] = {{0.1, -0.3, 0.1}};
  assert_ok(pc_fe_flow_set(one, NULL, NULL, (const double(*)[PC_FE_BODY])v, &error), &error);
  advance(one, 6);
  size_t size = pc_fe_flow_save(one, NULL, 0);
  void *bytes = malloc(size), *again = malloc(size);
  assert_int_equal(pc_fe_flow_save(one, bytes, size), size);
  assert_ok(pc_fe_flow_load(other, bytes, size, &error), &error);
  advance(one, 6);
  advance(other, 6);
  size_t ends = pc_fe_flow_save(one, NULL, 0);
  bytes = realloc(bytes, ends);
  again = realloc(again, ends);
  assert_int_equal(pc_fe_flow_save(one, bytes, ends), ends);
  assert_int_equal(pc_fe_flow_save(other, again, ends), ends);
  assert_memory_equal(bytes, again, ends);
  assert_int_equal(pc_fe_flow_load(other, bytes, ends - 1, &error), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_fe_flow_load(other, bytes, 3, &error), PC_ERROR_ARGUMENT);
  free(bytes);
  free(again);
  pc_fe_flow_destroy(one);
  pc_fe_flow_destroy(other);
  pc_fe_mesh_free(&t.mesh);
}

static void flows_say_what_is_wrong(void **state)
{
  pc_error error = {0};
  tank t = make_tank(1, 0.5, 4, 2, PC_QUAD4, false);
  t.def.mesh = &t.mesh;
  t.def.contact = t.contact;
  t.def.density = 1000;
  t.def.step = 0.01;
  t.def.gravity[1] = -9.81;
  t.def.contacts = 2; // the left side is neither a wall nor held
  assert_null(pc_fe_flow_create(&t.def, &error));
  assert_says(error.text, ") must be a wall, be held, or face upwards as a free surface");

  // A surface that comes to the ground.
  t.def.contacts = 3;
  pc_fe_flow *flow = pc_fe_flow_create(&t.def, &error);
  double *high = calloc((size_t)t.mesh.nodes, sizeof *high);
  for (int i = 0; i < t.mesh.nodes; i++)
    high[i] = -0.6 * cos(PI * t.mesh.node[i][0]);
  assert_int_equal(pc_fe_flow_set(flow, NULL, high, NULL, &error), PC_ERROR_NUMERIC);
  assert_says(error.text, "the mesh folds");
  free(high);
  pc_fe_flow_destroy(flow);
  t.mesh.node[0][1] = -0.1; // the end of the floor
  assert_null(pc_fe_flow_create(&t.def, &error));
  assert_says(error.text, "is not straight");
  pc_fe_mesh_free(&t.mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forced_vortices_converge_with_the_mesh),
      cmocka_unit_test(forced_vortices_converge_with_the_step),
      cmocka_unit_test(vortices_keep_their_energy),
      cmocka_unit_test(a_drop_stretches_as_an_ellipse),
      cmocka_unit_test(a_tank_sloshes_with_its_frequency),
      cmocka_unit_test(waves_decay_as_lamb_says),
      cmocka_unit_test(still_water_stays_still_and_presses_with_its_weight),
      cmocka_unit_test(a_leaning_wall_holds_the_water),
      cmocka_unit_test(a_plate_falls_on_water_and_floats),
      cmocka_unit_test(a_face_is_pushed_along_its_normal_alone),
      cmocka_unit_test(a_leaning_face_is_pushed_along_its_normal),
      cmocka_unit_test(a_tilting_face_does_no_work_at_rest),
      cmocka_unit_test(water_collides_with_its_walls_at_the_start),
      cmocka_unit_test(faces_below_the_surface_are_refused),
      cmocka_unit_test(faces_that_fit_between_nodes_are_refused),
      cmocka_unit_test(a_flow_goes_on_from_its_bytes),
      cmocka_unit_test(flows_say_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
