// Elastic solids in time: meshes of bars and discs, frequencies, energy, collisions with walls.
#include "support.h"

#include "mesh_support.h"

#include <string.h>

#include "continuum/mesh_shapes.h"
#include "continuum/motion.h"

void dsygv_(const int *type, const char *jobz, const char *uplo, const int *n, double *a,
            const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
            int *info, size_t, size_t);

static const double PI = 3.14159265358979323846;
static const double NO_GRAVITY[3] = {0, 0, 0};

static pc_fe_mesh bar_mesh(int along, int across, double angle, bool quadratic)
{
  pc_error error = {0};
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_bar bar = {0.6,   0.012,  angle,  {0.1, 0}, along,  across,
                   "bar", "foot", "head", "left",   "right"};
  pc_fe_mesh_add_bar(&mesh, &bar);
  assert_ok(pc_fe_mesh_done(&mesh, &error), &error);
  if (quadratic) {
    double foot[2], head[2];
    assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
    pc_fe_bar_ends(&bar, foot, head);
    pc_fe_mesh_round(&mesh, foot, bar.width / 2);
    pc_fe_mesh_round(&mesh, head, bar.width / 2);
  }
  return mesh;
}

static pc_fe_mesh disc_mesh(int core, int rings, bool quadratic)
{
  pc_error error = {0};
  pc_fe_mesh mesh = pc_fe_mesh_empty(2);
  pc_fe_disc disc = {{0.3, 1}, 1, core, rings, "disc", "rim"};
  pc_fe_mesh_add_disc(&mesh, &disc);
  assert_ok(pc_fe_mesh_done(&mesh, &error), &error);
  if (quadratic) {
    assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
    pc_fe_mesh_round(&mesh, disc.centre, disc.radius);
  }
  return mesh;
}

static void check_mesh(const pc_fe_mesh *mesh)
{
  pc_error error = {0};
  assert_ok(pc_fe_mesh_check(mesh, &error), &error);
  assert_ok(pc_fe_mesh_check_conforming(mesh, 0, NULL, &error), &error);
  assert_int_equal(count_duplicates(mesh), 0);
}

static double area(const pc_fe_mesh *mesh)
{
  double sum = 0;
  for (int e = 0; e < mesh->body.count; e++) {
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_element type = mesh->body.cell[e].type;
    pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    pc_quadrature rule;
    pc_quadrature_make(&rule, type, 4);
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      pc_element_map(type, (const double(*)[3])node, rule.at[k], &p);
      sum += rule.weight[k] * p.determinant;
    }
  }
  return sum;
}

// Sides with names go round the whole outline, with the solid on their left.
static double outlined(const pc_fe_mesh *mesh)
{
  double sum = 0;
  for (int s = 0; s < mesh->side.count; s++) {
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_element type = mesh->side.cell[s].type;
    pc_fe_mesh_corners(mesh, &mesh->side, s, node);
    pc_quadrature rule;
    pc_quadrature_make(&rule, type, 5);
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      pc_element_map(type, (const double(*)[3])node, rule.at[k], &p);
      sum += rule.weight[k] * p.determinant * (p.x[0] * p.tangent[1] - p.x[1] * p.tangent[0]) / 2;
    }
  }
  return sum;
}

static void bars_and_discs_are_sound_meshes(void **state)
{
  double bar_area = 0.588 * 0.012 + PI * 0.006 * 0.006, last[2] = {0};
  for (int q = 1; q <= 4; q++)
    for (int quadratic = 0; quadratic < 2; quadratic++) {
      pc_fe_mesh bar = bar_mesh(10 * q, 4 * q, 54 * PI / 180, quadratic);
      pc_fe_mesh disc = disc_mesh(q, 1 + q / 2, quadratic);
      check_mesh(&bar);
      check_mesh(&disc);
      assert_near(outlined(&bar), area(&bar), 1e-15);
      assert_near(outlined(&disc), area(&disc), 1e-12);
      double off = fmax((bar_area - area(&bar)) / (PI * 0.006 * 0.006), (PI - area(&disc)) / PI);
      // polygons of 8 q and 4 q sides; parabolas are better by two orders
      assert_true(off > 0 && off < (quadratic ? 0.02 / pow(q, 4) : 0.42 / (q * q)));
      if (q > 1)
        assert_true(off < last[quadratic]);
      last[quadratic] = off;
      double lowest = 1;
      for (int i = 0; i < bar.nodes; i++)
        lowest = fmin(lowest, hypot(bar.node[i][0] - 0.1, bar.node[i][1]));
      assert_near(lowest, 0, 1e-15);
      int foot = pc_fe_mesh_find_group(&bar, "foot", 1);
      for (int s = 0; s < bar.side.count; s++)
        for (int k = 0; k < 2 + quadratic && bar.side.cell[s].group == foot; k++) {
          const double *x = bar.node[bar.side.node[bar.side.cell[s].first + k]];
          assert_near(hypot(x[0] - 0.1, x[1] - 0.006), 0.006, 1e-15);
        }
      pc_fe_mesh_free(&bar);
      pc_fe_mesh_free(&disc);
    }
}

static void bars_are_sound_at_any_angle(void **state)
{
  pc_error error = {0};
  for (int across = 4; across <= 12; across += 4)
    for (int degrees = -10; degrees <= 190; degrees++) {
      pc_fe_mesh mesh = bar_mesh(6, across, degrees * PI / 180, true);
      if (pc_fe_mesh_check(&mesh, &error) != PC_OK)
        fail_msg("%d across, %d degrees: %s", across, degrees, error.text);
      pc_fe_mesh_free(&mesh);
    }
}

static void shapes_refuse_what_they_cannot_be(void **state)
{
  pc_fe_bar bad[] = {{0.6, 0.012, 0, {0, 0}, 10, 6, "bar", NULL, NULL, NULL, NULL},
                     {0.6, 0.7, 0, {0, 0}, 10, 4, "bar", NULL, NULL, NULL, NULL},
                     {0.6, 0.012, NAN, {0, 0}, 10, 4, "bar", NULL, NULL, NULL, NULL},
                     {0.6, 0.012, 0, {0, 0}, 0, 4, "bar", NULL, NULL, NULL, NULL}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pc_fe_mesh mesh = pc_fe_mesh_empty(2);
    pc_error error = {0};
    pc_fe_mesh_add_bar(&mesh, &bad[i]);
    assert_int_equal(pc_fe_mesh_done(&mesh, &error), PC_ERROR_ARGUMENT);
    pc_fe_mesh_free(&mesh);
  }
}

typedef struct dense {
  int n;
  double *a;
} dense;

typedef struct filling {
  dense *to;
  const double *value;
  const int *place; // of each number, -1: fixed
} filling;

static void fill_entry(void *context, int r, int c, long at)
{
  filling *f = context;
  int i = f->place[r], j = f->place[c];
  if (i >= 0 && j >= 0)
    f->to->a[i * f->to->n + j] = f->to->a[j * f->to->n + i] = f->value[at];
}

// The lowest angular frequency of what is not fixed.
static double lowest_frequency(const pc_fe_elastic *e, const char *fixed)
{
  int n = 0, info, one = 1, *place = malloc((size_t)e->space.numbers * sizeof *place);
  for (int i = 0; i < e->space.numbers; i++)
    place[i] = fixed[i] ? -1 : n++;
  size_t numbers = (size_t)n * (size_t)n;
  dense k = {n, calloc(numbers, sizeof(double))}, m = {n, calloc(numbers, sizeof(double))};
  filling to_k = {&k, e->stiffness.value, place}, to_m = {&m, e->mass.value, place};
  pc_block_matrix_each(&e->stiffness, fill_entry, &to_k);
  pc_block_matrix_each(&e->mass, fill_entry, &to_m);
  int room = 34 * n;
  double *w = malloc((size_t)n * sizeof *w), *work = malloc((size_t)room * sizeof *work);
  dsygv_(&one, "N", "U", &n, k.a, &n, m.a, &n, w, work, &room, &info, 1, 1);
  assert_int_equal(info, 0);
  double lowest = sqrt(w[0]);
  free(place);
  free(k.a);
  free(m.a);
  free(w);
  free(work);
  return lowest;
}

static pc_fe_mesh rod_mesh(int cells, double length, bool quadratic)
{
  double x[257];
  pc_error error = {0};
  pc_fe_mesh mesh = pc_fe_mesh_empty(1);
  pc_fe_grade(0, length, cells, 1, x);
  pc_fe_mesh_add_line(&mesh, cells, x, "rod", "foot", "head");
  if (quadratic)
    assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
  return mesh;
}

// A quarter wave, pi c / (2 L), with c^2 = E / rho on a line and in a thin plate, E / (1 - nu^2)
// rho in plane strain. The plates are the upper half of slender ones; the inertia of their
// narrowing slows them by (nu' k)^2 w^2 / 6, some 1e-5 (Rayleigh).
static void rods_and_plates_have_the_frequency_of_their_quarter_wave(void **state)
{
  enum { LINE, THIN, STRAIN };
  for (int kind = LINE; kind <= STRAIN; kind++) {
    pc_error error = {0};
    double x[25], y[2] = {0, 0.02}, young = 7, nu = 0.3, density = 3;
    pc_fe_mesh mesh = rod_mesh(24, 2, true);
    if (kind != LINE) {
      pc_fe_mesh_free(&mesh);
      pc_fe_grade(0, 2, 24, 1, x);
      mesh = pc_fe_mesh_empty(2);
      pc_fe_mesh_add_rectangle(
          &mesh, &(pc_fe_rectangle){24, 1, x, y, PC_QUAD4, "rod", "bottom", NULL, NULL, "foot"});
      assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
    }
    pc_fe_solid solid = {.group = pc_fe_mesh_find_group(&mesh, "rod", kind == LINE ? 1 : 2),
                         .density = density,
                         .young = young,
                         .poisson = nu,
                         .thin = kind == THIN};
    pc_fe_elastic elastic;
    assert_ok(pc_fe_elastic_create(&elastic, &mesh, 1, &solid, NO_GRAVITY, &error), &error);
    char *fixed = calloc((size_t)elastic.space.numbers, 1);
    mark_component(&elastic.space, pc_fe_mesh_find_group(&mesh, "foot", mesh.dimension - 1), 0,
                   fixed);
    if (kind != LINE)
      mark_component(&elastic.space, pc_fe_mesh_find_group(&mesh, "bottom", 1), 1, fixed);
    double modulus = kind == STRAIN ? young / (1 - nu * nu) : young;
    double k = PI / 4, slow = kind == LINE ? 0 : kind == THIN ? nu : nu / (1 - nu);
    double want = k * sqrt(modulus / density) * (1 - slow * slow * k * k * 0.02 * 0.02 / 6);
    double got = lowest_frequency(&elastic, fixed);
    assert_near(got / want, 1, 1e-6);
    free(fixed);
    pc_fe_elastic_free(&elastic);
    pc_fe_mesh_free(&mesh);
  }
}

static void rigid_fields_are_found_and_others_are_not_rigid(void **state)
{
  pc_error error = {0};
  pc_fe_mesh mesh = bar_mesh(8, 4, 1, true);
  pc_fe_solid solid = {.group = 0, .density = 7, .young = 1, .poisson = 0.3};
  pc_fe_elastic elastic;
  assert_ok(pc_fe_elastic_create(&elastic, &mesh, 1, &solid, NO_GRAVITY, &error), &error);
  double *v = calloc((size_t)elastic.space.numbers, sizeof *v), rigid[6];
  for (int i = 0; i < mesh.nodes; i++) {
    v[2 * i] = 0.3 - 2 * mesh.node[i][1];
    v[2 * i + 1] = -1 + 2 * mesh.node[i][0];
  }
  assert_near(pc_fe_elastic_rigid(&elastic, NULL, v, rigid), 0, 1e-12);
  assert_near(rigid[0], 0.3, 1e-11);
  assert_near(rigid[1], -1, 1e-11);
  assert_near(rigid[2], 2, 1e-11);
  for (int i = 0; i < mesh.nodes; i++) { // a stretch about the middle of the true bar
    v[2 * i] = mesh.node[i][0] - 0.1 - 0.294 * cos(1);
    v[2 * i + 1] = mesh.node[i][1] - 0.006 - 0.294 * sin(1);
  }
  assert_near(pc_fe_elastic_rigid(&elastic, NULL, v, rigid), 1, 1e-9);
  free(v);
  pc_fe_elastic_free(&elastic);
  pc_fe_mesh_free(&mesh);
}

typedef struct rod {
  pc_fe_mesh mesh;
  pc_fe_solid solid;
  pc_fe_wall wall;
  pc_fe_hold hold;
  pc_fe_motion *motion;
} rod;

// A rod of length 1 with c = 1 above a wall at -gap.
static rod *drop_rod(int cells, bool quadratic, double gap, double speed, pc_fe_motion_def def,
                     pc_fe_solid solid, pc_fe_wall wall)
{
  rod *r = calloc(1, sizeof *r);
  pc_error error = {0};
  r->mesh = rod_mesh(cells, 1, quadratic);
  r->solid = solid;
  r->solid.group = pc_fe_mesh_find_group(&r->mesh, "rod", 1);
  r->wall = wall;
  r->wall.sides = pc_fe_mesh_find_group(&r->mesh, "foot", 0);
  r->wall.direction[0] = 2;
  r->wall.offset = -gap;
  def.mesh = &r->mesh;
  def.solids = def.walls = 1;
  def.solid = &r->solid;
  def.wall = &r->wall;
  r->motion = pc_fe_motion_create(&def, &error);
  if (r->motion == NULL)
    fail_msg("%s", error.text);
  double *v = malloc((size_t)r->mesh.nodes * sizeof *v);
  for (int i = 0; i < r->mesh.nodes; i++)
    v[i] = -speed;
  assert_ok(pc_fe_motion_set(r->motion, NULL, v, NULL, &error), &error);
  free(v);
  return r;
}

static void lift_rod(rod *r)
{
  pc_fe_motion_destroy(r->motion);
  pc_fe_mesh_free(&r->mesh);
  free(r);
}

static void advance(pc_fe_motion *motion, int steps)
{
  pc_error error = {0};
  for (int i = 0; i < steps; i++)
    assert_ok(pc_fe_motion_advance(motion, &error), &error);
}

// A quarter wave of a held rod, to time 1; what the tip then has.
static double vibrate(int steps, int times, double *energy)
{
  pc_error error = {0};
  pc_fe_mesh mesh = rod_mesh(8, 1, true);
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 1};
  pc_fe_hold hold = {.sides = pc_fe_mesh_find_group(&mesh, "foot", 0), .x = true};
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = &mesh;
  def.solids = def.holds = 1;
  def.solid = &solid;
  def.hold = &hold;
  def.step = 1. / steps;
  pc_fe_motion *motion = pc_fe_motion_create(&def, &error);
  if (motion == NULL)
    fail_msg("%s", error.text);
  double u[17];
  for (int i = 0; i < mesh.nodes; i++)
    u[i] = sin(PI / 2 * mesh.node[i][0]);
  assert_ok(pc_fe_motion_set(motion, u, NULL, NULL, &error), &error);
  advance(motion, steps * times);
  pc_fe_motion_account account = pc_fe_motion_balance(motion);
  assert_true(account.closed);
  *energy = (account.now.kinetic + account.now.elastic) / account.start.elastic;
  double tip = pc_fe_motion_look(motion).displacement[mesh.side.node[mesh.side.cell[1].first]];
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
  return tip;
}

static void steps_keep_energy_and_are_of_order_two(void **state)
{
  double energy, fine = vibrate(640, 1, &energy), off[3];
  for (int i = 0; i < 3; i++) {
    off[i] = vibrate(20 << i, 1, &energy) - fine;
    assert_near(energy, 1, 1e-12);
  }
  assert_near(off[0] / off[1], 4, 0.1);
  assert_near(off[1] / off[2], 4, 0.1);
  assert_near(fine, cos(PI / 2), 1e-4);
  vibrate(100, 100, &energy);
  assert_near(energy, 1, 1e-11);
}

// The midpoint rule is exact there: a parabola, down to the first contact, found to the shortest
// step.
static void free_fall_is_exact(void **state)
{
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.gravity[0] = -9.81;
  def.step = 0.01;
  rod *r = drop_rod(4, true, 1, 0, def, (pc_fe_solid){.density = 2, .young = 1e4}, (pc_fe_wall){0});
  advance(r->motion, 40);
  pc_fe_motion_state s = pc_fe_motion_look(r->motion);
  for (int i = 0; i < r->mesh.nodes; i++)
    assert_near(s.displacement[i], -9.81 * 0.16 / 2, 1e-11);
  advance(r->motion, 6);
  s = pc_fe_motion_look(r->motion);
  assert_true(s.events >= 1);
  assert_true(s.event[0].collision && s.event[0].fresh);
  double hit = sqrt(2 / 9.81);
  assert_true(s.event[0].time <= hit + 1e-12 && s.event[0].time > hit - 0.01 / 1024);
  assert_near(s.event[0].speed, 9.81 * s.event[0].time, 1e-9);
  assert_true(pc_fe_motion_balance(r->motion).closed);
  lift_rod(r);
}

// Without viscosities the end stops, a wave runs up and down the rod and lifts it after 2 L / c
// with the speed it had. The end's own inertia is lost: linear elements answer a percussion at
// their end with (M^-1)_00 = 2 sqrt(3) / (rho dx).
static void a_rod_bounces_after_its_wave(void **state)
{
  double off_time[3], off_speed[3];
  for (int i = 0; i < 3; i++) {
    int cells = 32 << i;
    pc_fe_motion_def def = pc_fe_motion_def_default();
    def.step = 0.25 / cells;
    rod *r = drop_rod(cells, false, 0.1, 1, def, (pc_fe_solid){.density = 1, .young = 1},
                      (pc_fe_wall){0});
    advance(r->motion, (int)(2.6 / def.step));
    pc_fe_motion_state s = pc_fe_motion_look(r->motion);
    pc_fe_motion_account a = pc_fe_motion_balance(r->motion);
    assert_true(a.closed);
    assert_near(s.event[0].lost, 0.5 / (2 * sqrt(3) * cells), 1e-9);
    assert_int_equal(s.wall[0].closed, 0);
    double rigid[6];
    pc_fe_elastic_rigid(pc_fe_motion_elastic(r->motion), NULL, s.velocity, rigid);
    assert_near(s.wall[0].percussion[0], 1 + rigid[0], 1e-10);
    off_time[i] = fabs(s.wall[0].left - 0.1 - 2);
    off_speed[i] = fabs(rigid[0] - 1);
    lift_rod(r);
  }
  for (int i = 1; i < 3; i++) {
    assert_true(off_time[i] < off_time[i - 1]);
    assert_near(off_speed[i - 1] / off_speed[i], pow(2, 2. / 3), 0.05);
  }
  assert_true(off_time[2] < 0.01);
  assert_true(off_speed[2] < 0.011);
}

// The collision of 7.6.1 in one dimension, as the first event of a motion.
static void a_viscous_rod_loses_what_the_closed_form_says(void **state)
{
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.step = 0.01;
  rod *r =
      drop_rod(32, true, 0.05, 1, def, (pc_fe_solid){.density = 1000, .young = 1000, .strain = 500},
               (pc_fe_wall){.normal = 2000});
  advance(r->motion, 20);
  pc_fe_motion_state s = pc_fe_motion_look(r->motion);
  assert_true(s.events >= 1);
  assert_near(s.event[0].lost, 483.3972, 2e-4);
  assert_near(s.event[0].time, 0.05, 0.01 / 1024);
  assert_true(pc_fe_motion_balance(r->motion).closed);
  lift_rod(r);
}

// Set down without speed on a wall: no collision, and the wall gives back the weight.
static void a_rod_set_down_rests(void **state)
{
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.gravity[0] = -9.81;
  def.step = 0.01;
  rod *r = drop_rod(8, true, 0, 0, def, (pc_fe_solid){.density = 2, .young = 100, .strain = 3},
                    (pc_fe_wall){.normal = 5});
  advance(r->motion, 1000);
  pc_fe_motion_state s = pc_fe_motion_look(r->motion);
  assert_int_equal(s.wall[0].collisions, 0);
  double rigid[6];
  pc_fe_elastic_rigid(pc_fe_motion_elastic(r->motion), NULL, s.velocity, rigid);
  assert_near(s.wall[0].percussion[0], 2 * (9.81 * s.time + rigid[0]), 1e-8);
  pc_fe_motion_account a = pc_fe_motion_balance(r->motion);
  assert_true(a.closed);
  assert_near(a.rest, 0, 1e-6);
  lift_rod(r);
}

// A rod that moves although its foot is held: the hold stops the foot at time 0, in a collision,
// and what that takes depends on the mesh alone. With linear elements it is v^2 / 2 over the
// element of the inverse mass matrix, whose inverse follows from node to node.
static void a_hold_stops_what_moves_at_the_start(void **state)
{
  enum { CELLS = 8 };
  double h = 1. / CELLS, mass = h / 3;
  for (int i = 1; i <= CELLS; i++)
    mass = (i < CELLS ? 2 : 1) * h / 3 - h * h / 36 / mass;
  for (int k = 0; k < 3; k++) {
    pc_fe_motion_def def = pc_fe_motion_def_default();
    pc_fe_hold hold = {.sides = -1, .node = 0, .x = true};
    def.step = 0.3 / (1 << (3 * k));
    def.holds = 1;
    def.hold = &hold;
    def.large = k == 1;
    rod *r = drop_rod(CELLS, false, 100, 0.1, def, (pc_fe_solid){.density = 2, .young = 2},
                      (pc_fe_wall){0});
    assert_near(r->mesh.node[0][0], 0, 0);
    advance(r->motion, 4);
    pc_fe_motion_account a = pc_fe_motion_balance(r->motion);
    assert_true(a.closed);
    assert_near(a.reactions, 2 * mass * 0.01 / 2, 1e-14);
    assert_near(a.rest, 0, 1e-14);
    lift_rod(r);
  }
}

typedef struct fall {
  pc_fe_mesh mesh;
  pc_fe_motion *motion;
} fall;

// The bar of 7.6.2 on the ground, with these viscosities of contact.
static fall *drop_bar(int along, int across, double step, double normal, double tangential)
{
  fall *f = calloc(1, sizeof *f);
  pc_error error = {0};
  f->mesh = bar_mesh(along, across, 54 * PI / 180, true);
  pc_fe_solid solid = {.group = pc_fe_mesh_find_group(&f->mesh, "bar", 2),
                       .density = 7877,
                       .young = 2.5e10,
                       .poisson = 0.3,
                       .strain = 1e5};
  pc_fe_wall wall = {.sides = pc_fe_mesh_find_group(&f->mesh, "foot", 1),
                     .direction = {0, 1},
                     .normal = normal,
                     .tangential = tangential};
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = &f->mesh;
  def.solids = def.walls = 1;
  def.solid = &solid;
  def.wall = &wall;
  def.step = step;
  f->motion = pc_fe_motion_create(&def, &error);
  if (f->motion == NULL)
    fail_msg("%s", error.text);
  double *v = calloc(2 * (size_t)f->mesh.nodes, sizeof *v);
  for (int i = 0; i < f->mesh.nodes; i++)
    v[2 * i + 1] = -1;
  assert_ok(pc_fe_motion_set(f->motion, NULL, v, NULL, &error), &error);
  free(v);
  return f;
}

static void lift_bar(fall *f)
{
  pc_fe_motion_destroy(f->motion);
  pc_fe_mesh_free(&f->mesh);
  free(f);
}

static void momentum(const pc_fe_elastic *e, const double *velocity, double *to)
{
  int size = e->space.mesh->dimension;
  pc_block_matrix_multiply(&e->mass, velocity, e->scratch);
  memset(to, 0, (size_t)size * sizeof *to);
  for (int i = 0; i < e->space.numbers; i++)
    to[i % size] += e->scratch[i];
}

// k_ls of the book, on all the length of the node that touches: the tip turns round.
static void an_inclined_bar_strikes_and_is_no_rigid_body_then(void **state)
{
  fall *f = drop_bar(24, 4, 2e-5, 8e6, 8e6);
  advance(f->motion, 8);
  pc_fe_motion_state s = pc_fe_motion_look(f->motion);
  assert_int_equal(s.events, 1);
  assert_int_equal(s.wall[0].closed, 0); // contact is not maintained
  double rigid[6], gained[2], before[2] = {0};
  const pc_fe_elastic *e = pc_fe_motion_elastic(f->motion);
  assert_true(pc_fe_elastic_rigid(e, NULL, s.velocity, rigid) > 0.02);
  momentum(e, s.velocity, gained);
  before[1] = -7877 * area(&f->mesh);
  assert_near(s.wall[0].percussion[0], gained[1] - before[1], 1e-8);
  // T is N turned counter-clockwise, to the right here; the percussion acts against slip.
  assert_near(s.wall[0].percussion[1], -gained[0], 1e-8);
  pc_fe_motion_account a = pc_fe_motion_balance(f->motion);
  assert_true(a.closed);
  assert_true(a.volume > 0 && a.surface > 0);
  lift_bar(f);
}

// The length of surface that the lowest node has.
static double lowest_weight(const pc_fe_mesh *mesh)
{
  double sum = 0;
  for (int s = 0; s < mesh->side.count; s++) {
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_fe_mesh_corners(mesh, &mesh->side, s, node);
    pc_quadrature rule;
    pc_quadrature_make(&rule, PC_LINE3, 6);
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      pc_element_map(PC_LINE3, (const double(*)[3])node, rule.at[k], &p);
      for (int a = 0; a < 3; a++)
        if (fabs(node[a][1]) < 1e-12)
          sum += rule.weight[k] * p.determinant * p.value[a];
    }
  }
  return sum;
}

// The book says that the bar collides six times more before it leaves, but not on what length. It
// does with 4 micrometres: k_ls times that is 32 kg/m.
static fall *drop_on_short_contact(int along, double step)
{
  pc_fe_mesh mesh = bar_mesh(along, 4, 54 * PI / 180, true);
  double weight = lowest_weight(&mesh);
  pc_fe_mesh_free(&mesh);
  return drop_bar(along, 4, step, 8e6 * 4e-6 / weight, 0);
}

static void an_inclined_bar_leaves_in_small_rebounds(void **state)
{
  fall *f = drop_on_short_contact(24, 2e-5);
  advance(f->motion, 1100);
  pc_fe_motion_state s = pc_fe_motion_look(f->motion);
  assert_int_equal(s.wall[0].fresh, 1 + 6);
  assert_int_equal(s.wall[0].collisions, s.wall[0].fresh);
  assert_int_equal(s.wall[0].closed, 0);
  for (int i = 1; i < s.events; i++)
    assert_true(s.event[i].speed < 0.25);
  double gained[2];
  momentum(pc_fe_motion_elastic(f->motion), s.velocity, gained);
  assert_near(s.wall[0].percussion[0], gained[1] + 7877 * area(&f->mesh), 1e-7);
  assert_near(gained[0], 0, 1e-7);
  assert_true(pc_fe_motion_balance(f->motion).closed);
  lift_bar(f);
}

// A stiff bar in steps that are long beside its waves: nodes that leave the ground come back within
// the shortest step. What walls take never falls.
static void walls_give_no_energy(void **state)
{
  for (int trial = 0; trial < 8; trial++) {
    pc_error error = {0};
    pc_fe_mesh mesh = pc_fe_mesh_empty(2);
    double along[13], across[3];
    pc_fe_grade(0, 0.4, 12, 1, along);
    pc_fe_grade(0.001, 0.061, 2, 1, across);
    pc_fe_mesh_add_rectangle(&mesh, &(pc_fe_rectangle){.columns = 12,
                                                       .rows = 2,
                                                       .x = along,
                                                       .y = across,
                                                       .type = PC_QUAD4,
                                                       .name = "bar",
                                                       .bottom = "foot"});
    assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
    pc_fe_solid solid = {.group = pc_fe_mesh_find_group(&mesh, "bar", 2),
                         .density = 7800,
                         .young = 2.1e11,
                         .poisson = 0.3};
    pc_fe_wall wall = {.sides = pc_fe_mesh_find_group(&mesh, "foot", 1), .direction = {0, 1}};
    pc_fe_motion_def def = pc_fe_motion_def_default();
    def.mesh = &mesh;
    def.solids = def.walls = 1;
    def.solid = &solid;
    def.wall = &wall;
    def.large = true;
    def.gravity[1] = -9.81;
    def.step = 1e-3;
    pc_fe_motion *motion = pc_fe_motion_create(&def, &error);
    assert_non_null(motion);
    double *v = calloc(2 * (size_t)mesh.nodes, sizeof *v), rest = 0, spin = trial - 3.5,
           deepest = 0;
    for (int i = 0; i < mesh.nodes; i++) {
      v[2 * i] = 0.5 - spin * mesh.node[i][1];
      v[2 * i + 1] = -1 + spin * mesh.node[i][0];
    }
    assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
    for (int step = 0; step < 60; step++) {
      advance(motion, 1);
      pc_fe_motion_account a = pc_fe_motion_balance(motion);
      if (!(a.closed && a.rest >= rest - 1e-11 * (a.start.kinetic + a.start.gravity)))
        fail_msg("trial %d, step %d: %g J/m after %g", trial, step, a.rest, rest);
      rest = a.rest;
      const double *u = pc_fe_motion_look(motion).displacement;
      for (int i = 0; i < mesh.nodes; i++)
        deepest = fmin(deepest, mesh.node[i][1] + u[2 * i + 1]);
    }
    assert_true(deepest > -1e-6 && pc_fe_motion_look(motion).wall[0].fresh > 0);
    free(v);
    pc_fe_motion_destroy(motion);
    pc_fe_mesh_free(&mesh);
  }
}

// A block on two sides that meet in a corner, both on the same ground: the corner is of the first.
static void a_node_of_two_grounds_counts_once(void **state)
{
  double impulse[2];
  for (int walls = 1; walls <= 2; walls++) {
    pc_error error = {0};
    pc_fe_mesh mesh = pc_fe_mesh_empty(2);
    double along[5];
    pc_fe_grade(0.001, 0.2, 4, 1, along);
    pc_fe_mesh_add_rectangle(&mesh, &(pc_fe_rectangle){.columns = 4,
                                                       .rows = 4,
                                                       .x = along,
                                                       .y = along,
                                                       .type = PC_QUAD4,
                                                       .name = "block",
                                                       .bottom = "foot",
                                                       .right = "flank"});
    assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
    pc_fe_solid solid = {.group = pc_fe_mesh_find_group(&mesh, "block", 2),
                         .density = 1000,
                         .young = 1e6,
                         .poisson = 0.3};
    pc_fe_wall wall[] = {{.sides = pc_fe_mesh_find_group(&mesh, "foot", 1), .direction = {0, 1}},
                         {.sides = pc_fe_mesh_find_group(&mesh, "flank", 1), .direction = {0, 2}}};
    pc_fe_motion_def def = pc_fe_motion_def_default();
    def.mesh = &mesh;
    def.solids = 1;
    def.walls = walls;
    def.solid = &solid;
    def.wall = wall;
    def.step = 1e-3;
    pc_fe_motion *motion = pc_fe_motion_create(&def, &error);
    assert_non_null(motion);
    double *v = calloc(2 * (size_t)mesh.nodes, sizeof *v);
    for (int i = 0; i < mesh.nodes; i++)
      v[2 * i + 1] = -1;
    assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
    advance(motion, 20);
    pc_fe_motion_state s = pc_fe_motion_look(motion);
    impulse[walls - 1] = s.wall[0].percussion[0];
    assert_true(s.wall[0].fresh > 0 && pc_fe_motion_balance(motion).closed);
    if (walls == 2)
      assert_int_equal(s.wall[1].collisions, 0);
    free(v);
    pc_fe_motion_destroy(motion);
    pc_fe_mesh_free(&mesh);
  }
  assert_near(impulse[0], impulse[1], 1e-10);
}

// The corners of the 6-node triangles of its sides have no area, so the surface gives them no
// normal; the ground has one.
static void a_cube_of_tetrahedra_with_ten_nodes_falls_on_the_ground(void **state)
{
  pc_error error = {0};
  pc_fe_mesh mesh = pc_fe_mesh_empty(3);
  double along[3], up[3];
  pc_fe_grade(0, 0.1, 2, 1, along);
  pc_fe_grade(0.001, 0.101, 2, 1, up);
  pc_fe_mesh_add_box(&mesh, &(pc_fe_box){.cells = {2, 2, 2},
                                         .place = {along, along, up},
                                         .type = PC_TETRAHEDRON4,
                                         .name = "cube",
                                         .low = {NULL, NULL, "foot"}});
  assert_ok(pc_fe_mesh_quadratic(&mesh, true, &error), &error);
  assert_ok(pc_fe_mesh_check(&mesh, &error), &error);
  pc_fe_solid solid = {.group = pc_fe_mesh_find_group(&mesh, "cube", 3),
                       .density = 1100,
                       .young = 4e5,
                       .poisson = 0.4};
  pc_fe_wall wall = {.sides = pc_fe_mesh_find_group(&mesh, "foot", 2), .direction = {0, 0, 1}};
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = &mesh;
  def.solids = def.walls = 1;
  def.solid = &solid;
  def.wall = &wall;
  def.step = 5e-4;
  pc_fe_motion *motion = pc_fe_motion_create(&def, &error);
  if (motion == NULL)
    fail_msg("%s", error.text);
  double *v = calloc(3 * (size_t)mesh.nodes, sizeof *v), gained[3];
  for (int i = 0; i < mesh.nodes; i++)
    v[3 * i + 2] = -1;
  assert_ok(pc_fe_motion_set(motion, NULL, v, NULL, &error), &error);
  advance(motion, 40);
  pc_fe_motion_state s = pc_fe_motion_look(motion);
  for (int i = 0; i < mesh.nodes; i++)
    assert_true(mesh.node[i][2] + s.displacement[3 * i + 2] > -1e-9);
  momentum(pc_fe_motion_elastic(motion), s.velocity, gained);
  assert_near(s.wall[0].percussion[0], 1.1 + gained[2], 1e-9);
  assert_true(gained[2] > 0.5 && pc_fe_motion_balance(motion).closed);
  free(v);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
}

// In rebounds, and while the foot rests on the ground.
static void a_motion_goes_on_from_its_bytes(void **state)
{
  for (int rests = 0; rests < 2; rests++) {
    fall *one = rests ? drop_bar(16, 4, 4e-5, 0, 0) : drop_on_short_contact(16, 4e-5);
    fall *two = rests ? drop_bar(16, 4, 4e-5, 0, 0) : drop_on_short_contact(16, 4e-5);
    pc_error error = {0};
    advance(one->motion, 60);
    assert_int_equal(pc_fe_motion_look(one->motion).wall[0].closed, rests);
    size_t size = pc_fe_motion_save(one->motion, NULL, 0);
    char *bytes = malloc(size);
    assert_int_equal(pc_fe_motion_save(one->motion, bytes, size), size);
    assert_ok(pc_fe_motion_load(two->motion, bytes, size, &error), &error);
    assert_int_equal(pc_fe_motion_load(two->motion, bytes, size - 1, &error), PC_ERROR_ARGUMENT);
    advance(one->motion, 200);
    advance(two->motion, 200);
    size_t later = pc_fe_motion_save(one->motion, NULL, 0);
    assert_int_equal(pc_fe_motion_save(two->motion, NULL, 0), later);
    char *a = malloc(later), *b = malloc(later);
    pc_fe_motion_save(one->motion, a, later);
    pc_fe_motion_save(two->motion, b, later);
    assert_memory_equal(a, b, later);
    assert_true(rests || pc_fe_motion_look(one->motion).events > 2);
    free(bytes);
    free(a);
    free(b);
    lift_bar(one);
    lift_bar(two);
  }
}

// A uniform strain is measured, and what has no volume left ends the motion.
static void strains_that_are_not_small_are_seen(void **state)
{
  pc_error error = {0};
  pc_fe_mesh mesh = disc_mesh(2, 2, true);
  pc_fe_solid solid = {.group = mesh.body.cell[0].group, .density = 1, .young = 1, .poisson = 0.2};
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = &mesh;
  def.solids = 1, def.solid = &solid;
  def.step = 1e-6;
  pc_fe_motion *motion = pc_fe_motion_create(&def, &error);
  assert_non_null(motion);
  double *u = calloc(2 * (size_t)mesh.nodes, sizeof *u);
  for (int i = 0; i < mesh.nodes; i++) { // stretch along x, shear, and a rotation that is no strain
    const double *x = mesh.node[i];
    u[2 * i] = 0.3 * x[0] + 0.05 * x[1] - 0.1 * x[1];
    u[2 * i + 1] = 0.05 * x[0] + 0.1 * x[0];
  }
  assert_ok(pc_fe_motion_set(motion, u, NULL, NULL, &error), &error);
  assert_ok(pc_fe_motion_advance(motion, &error), &error);
  assert_near(pc_fe_motion_look(motion).strain, sqrt(0.09 + 2 * 0.0025), 1e-6);
  for (int i = 0; i < mesh.nodes; i++) {
    u[2 * i] = -1.01 * mesh.node[i][0];
    u[2 * i + 1] = 0;
  }
  assert_ok(pc_fe_motion_set(motion, u, NULL, NULL, &error), &error);
  assert_int_equal(pc_fe_motion_advance(motion, &error), PC_ERROR_NUMERIC);
  assert_says(error.text, "is compressed to zero volume, but small deformations");
  free(u);
  pc_fe_motion_destroy(motion);
  pc_fe_mesh_free(&mesh);
}

static void motions_say_what_is_wrong(void **state)
{
  pc_fe_mesh mesh = rod_mesh(4, 1, false);
  pc_error error = {0};
  pc_fe_solid solid = {.group = 0, .density = 1, .young = 1};
  pc_fe_wall wall = {.sides = pc_fe_mesh_find_group(&mesh, "foot", 0), .direction = {1, 0}};
  pc_fe_motion_def good = pc_fe_motion_def_default();
  good.mesh = &mesh;
  good.solids = good.walls = 1;
  good.solid = &solid;
  good.wall = &wall;
  good.step = 0.1;
  wall.offset = 0.5; // the foot is inside
  assert_null(pc_fe_motion_create(&good, &error));
  assert_int_equal(error.status, PC_ERROR_ARGUMENT);
  pc_fe_mesh_free(&mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_and_discs_are_sound_meshes),
      cmocka_unit_test(bars_are_sound_at_any_angle),
      cmocka_unit_test(shapes_refuse_what_they_cannot_be),
      cmocka_unit_test(rods_and_plates_have_the_frequency_of_their_quarter_wave),
      cmocka_unit_test(rigid_fields_are_found_and_others_are_not_rigid),
      cmocka_unit_test(steps_keep_energy_and_are_of_order_two),
      cmocka_unit_test(free_fall_is_exact),
      cmocka_unit_test(a_rod_bounces_after_its_wave),
      cmocka_unit_test(a_viscous_rod_loses_what_the_closed_form_says),
      cmocka_unit_test(a_rod_set_down_rests),
      cmocka_unit_test(an_inclined_bar_strikes_and_is_no_rigid_body_then),
      cmocka_unit_test(an_inclined_bar_leaves_in_small_rebounds),
      cmocka_unit_test(a_hold_stops_what_moves_at_the_start),
      cmocka_unit_test(walls_give_no_energy),
      cmocka_unit_test(a_node_of_two_grounds_counts_once),
      cmocka_unit_test(a_cube_of_tetrahedra_with_ten_nodes_falls_on_the_ground),
      cmocka_unit_test(a_motion_goes_on_from_its_bytes),
      cmocka_unit_test(strains_that_are_not_small_are_seen),
      cmocka_unit_test(motions_say_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
