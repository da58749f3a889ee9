// Collisions of continua against closed forms, rigid bodies, dense algebra and enumeration.
#include "support.h"

#include <string.h>

#include "continuum/assembly.h"
#include "continuum/collision.h"
#include "percuss/impact.h"

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);

enum { MOST = 8 };

typedef struct model {
  pc_fe_mesh mesh;
  pc_fe_medium medium[MOST];
  pc_fe_body body[MOST];
  pc_fe_contact contact[MOST];
  pc_fe_hold hold[MOST];
  pc_fe_push push[MOST];
  pc_fe_collision_def def;
  double *velocity;
  double body_velocity[MOST][PC_FE_BODY];
} model;

static int sides_of(const model *m, const char *name)
{
  int group = pc_fe_mesh_find_group(&m->mesh, name, m->mesh.dimension - 1);
  assert_true(group >= 0);
  return group;
}

static void add_medium(model *m, const char *name, bool fluid, double density, double strain,
                       double volume)
{
  int group = pc_fe_mesh_find_group(&m->mesh, name, m->mesh.dimension);
  assert_true(group >= 0);
  m->medium[m->def.media++] = (pc_fe_medium){
      .group = group, .fluid = fluid, .density = density, .strain = strain, .volume = volume};
}

static pc_fe_contact *add_contact(model *m, const char *name, double normal, double tangential,
                                  pc_fe_condition condition)
{
  pc_fe_contact *c = &m->contact[m->def.contacts++];
  *c = (pc_fe_contact){.sides = sides_of(m, name),
                       .other = -1,
                       .body = -1,
                       .normal = normal,
                       .tangential = tangential,
                       .condition = condition};
  return c;
}

static void add_hold(model *m, const char *name, bool x, bool y, bool kept)
{
  m->hold[m->def.holds++] = (pc_fe_hold){.sides = sides_of(m, name), .x = x, .y = y, .kept = kept};
}

static model *new_model(int dimension)
{
  model *m = calloc(1, sizeof *m);
  assert_non_null(m);
  m->mesh = pc_fe_mesh_empty(dimension);
  return m;
}

// After the last change of the mesh.
static void close_model(model *m)
{
  m->velocity = calloc(2 * (size_t)m->mesh.nodes + 1, sizeof *m->velocity);
  assert_non_null(m->velocity);
  m->def.mesh = &m->mesh;
  m->def.medium = m->medium;
  m->def.body = m->body;
  m->def.contact = m->contact;
  m->def.hold = m->hold;
  m->def.push = m->push;
}

static void drop_model(model *m)
{
  pc_fe_mesh_free(&m->mesh);
  free(m->velocity);
  free(m);
}

static void add_box(model *m, const char *name, double x0, double x1, double y0, double y1,
                    int columns, int rows, pc_element type, const char *bottom, const char *right,
                    const char *top, const char *left)
{
  double x[129], y[129];
  assert_true(columns <= 128 && rows <= 128);
  pc_fe_grade(x0, x1, columns, 1, x);
  pc_fe_grade(y0, y1, rows, 1, y);
  pc_fe_mesh_add_rectangle(&m->mesh,
                           &(pc_fe_rectangle){columns, rows, x, y, pc_element_of(type)->linear,
                                              name, bottom, right, top, left});
}

static void make_quadratic(model *m, pc_element type)
{
  pc_error error = {0};
  if (pc_element_of(type)->order == 2)
    assert_ok(pc_fe_mesh_quadratic(&m->mesh, type == PC_QUAD9, &error), &error);
  assert_ok(pc_fe_mesh_check(&m->mesh, &error), &error);
}

// One box with names "body", "bottom", "right", "top", "left".
static model *box(double width, double height, int columns, int rows, pc_element type)
{
  model *m = new_model(2);
  add_box(m, "body", 0, width, 0, height, columns, rows, type, "bottom", "right", "top", "left");
  make_quadratic(m, type);
  close_model(m);
  return m;
}

static void set_velocity(model *m, double x, double y)
{
  int d = m->mesh.dimension;
  for (int i = 0; i < m->mesh.nodes; i++) {
    m->velocity[d * i] = x;
    if (d == 2)
      m->velocity[d * i + 1] = y;
  }
}

static pc_fe_collision *create(const model *m)
{
  pc_error error = {0};
  pc_fe_collision *c = pc_fe_collision_create(&m->def, &error);
  if (c == NULL)
    fail_msg("%s", error.text);
  return c;
}

// Heat at nodes is what the energy balance says that volumes and surfaces dissipate; volumes only
// warm.
static void check_heat(const pc_fe_collision *c, const model *m, const pc_fe_answer *answer)
{
  pc_error error = {0};
  const pc_fe_account *a = &answer->account;
  double *volume = malloc(((size_t)m->mesh.nodes + 1) * sizeof *volume);
  double *touch = malloc(((size_t)answer->touches + 1) * sizeof *touch);
  double inside = 0, outside = 0, size = fabs(a->reactions) + a->surface;
  assert_ok(pc_fe_collision_heat(c, volume, touch, &error), &error);
  for (int i = 0; i < m->mesh.nodes; i++) {
    assert_true(volume[i] >= 0);
    inside += volume[i];
  }
  for (int k = 0; k < answer->touches; k++) {
    outside += touch[k];
    size += fabs(touch[k]);
  }
  double whole = a->kinetic_before + a->kinetic_after + a->volume + fabs(a->work_pushes);
  assert_near(inside, a->volume, 1e-10 * whole);
  assert_near(outside, a->surface + a->reactions, 1e-12 * size + 1e-13 * whole);
  free(volume);
  free(touch);
}

static pc_fe_answer solve(pc_fe_collision *c, const model *m)
{
  pc_error error = {0};
  pc_fe_answer answer;
  assert_ok(pc_fe_collision_solve(c, m->velocity, (const double(*)[PC_FE_BODY])m->body_velocity,
                                  &answer, &error),
            &error);
  const pc_fe_account *a = &answer.account;
  if (!answer.solved || !a->closed)
    fail_msg("residual %.1e, identity %.1e, momentum %.1e, divergence %.1e, complementarity %.1e, "
             "penetration %.1e",
             answer.residual, a->identity, a->momentum, a->divergence, a->complementarity,
             a->penetration);
  check_heat(c, m, &answer);
  return answer;
}

// Moves a group of sides within a box to a new group.
static void rename_sides(model *m, const char *from, const char *to, double low, double high)
{
  int old = sides_of(m, from), new = pc_fe_mesh_add_group(&m->mesh, to, m->mesh.dimension - 1);
  for (int s = 0; s < m->mesh.side.count; s++) {
    pc_fe_cell *side = &m->mesh.side.cell[s];
    const int *node = m->mesh.side.node + side->first;
    double x = (m->mesh.node[node[0]][0] + m->mesh.node[node[1]][0]) / 2;
    if (side->group == old && x > low && x < high)
      side->group = new;
  }
}

// The same for those above a height.
static void rename_sides_above(model *m, const char *from, const char *to, double height)
{
  int old = sides_of(m, from), new = pc_fe_mesh_add_group(&m->mesh, to, 1);
  for (int s = 0; s < m->mesh.side.count; s++) {
    pc_fe_cell *side = &m->mesh.side.cell[s];
    const int *node = m->mesh.side.node + side->first;
    if (side->group == old && m->mesh.node[node[0]][1] + m->mesh.node[node[1]][1] > 2 * height)
      side->group = new;
  }
}

static model *bar(int cells, double k)
{
  double x[129];
  pc_error error = {0};
  pc_fe_grade(0, 1, cells, 1, x);
  model *m = new_model(1);
  pc_fe_mesh_add_line(&m->mesh, cells, x, "bar", "foot", "head");
  assert_ok(pc_fe_mesh_quadratic(&m->mesh, true, &error), &error);
  close_model(m);
  add_medium(m, "bar", false, 1000, 500, 0);
  add_contact(m, "foot", k, 0, PC_FE_UNILATERAL);
  set_velocity(m, -1, 0);
  return m;
}

// A bar on a support (chapter 7, one dimension): it leaves where k is above m*, else its foot
// stays.
static void bars_on_a_support_follow_the_closed_form(void **state)
{
  static const double given[2] = {2000, 500};
  const double density = 1000, k_volume = 500, length = sqrt(2 * k_volume / density);
  const double least = sqrt(2 * k_volume * density) * tanh(1 / length);
  for (int i = 0; i < 2; i++) {
    double k = given[i];
    model *m = bar(128, k);
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    double leaves = 2 * k / (k * cosh(1 / length) + 2 * k_volume / length * sinh(1 / length));
    double b = k > least ? leaves : 1 / cosh(1 / length);
    for (int n = 0; n < m->mesh.nodes; n++)
      assert_near(a.velocity[n], -1 + b * cosh((1 - m->mesh.node[n][0]) / length), 1e-9);
    double reaction = k > least ? 0 : least - k;
    assert_int_equal(a.touches, 1);
    assert_near(a.touch[0].reaction, reaction, 1e-6);
    assert_near(a.touch[0].normal[0], -1, 0);
    double foot = b * cosh(1 / length) - 2; // U+ + U-
    double volume = k_volume * b * b / length / length * (length / 4 * sinh(2 / length) - 0.5);
    assert_near(a.account.volume, volume, 1e-6);
    assert_near(a.account.surface, k * foot * foot / 2, 1e-6);
    assert_near(a.account.reactions, -reaction * foot / 2, 1e-6);
    assert_near(a.touch[0].percussion[0], reaction - k * foot, 1e-6);
    double loss = a.account.kinetic_before - a.account.kinetic_after;
    assert_near(loss, i == 0 ? 483.3972 : 466.2020, 1e-4);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
}

// Two equal bars that meet are two bars on a support with twice the viscosity.
static void equal_bars_that_meet_mirror_each_other(void **state)
{
  double x[33], y[33];
  pc_error error = {0};
  for (int turn = 0; turn < 2; turn++) {
    double k = turn == 0 ? 1000 : 250;
    pc_fe_grade(-1, 0, 32, 1, y);
    pc_fe_grade(0, 1, 32, 1, x);
    model *m = new_model(1);
    pc_fe_mesh_add_line(&m->mesh, 32, x, "right", "right foot", "right head");
    pc_fe_mesh_add_line(&m->mesh, 32, y, "left", "left head", "left foot");
    assert_ok(pc_fe_mesh_quadratic(&m->mesh, true, &error), &error);
    close_model(m);
    add_medium(m, "right", false, 1000, 500, 0);
    add_medium(m, "left", false, 1000, 500, 0);
    add_contact(m, "left foot", k, 0, PC_FE_UNILATERAL)->other = sides_of(m, "right foot");
    for (int i = 0; i < m->mesh.nodes; i++)
      m->velocity[i] = m->mesh.node[i][0] > 0 ? -1 : 1;
    // Both feet are at 0; the one of the right bar goes left.
    int foot = m->mesh.side.node[0];
    m->velocity[foot] = -1;
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    model *alone = bar(32, 2 * k);
    pc_fe_collision *one = create(alone);
    pc_fe_answer b = solve(one, alone);
    for (int i = 0; i < m->mesh.nodes; i++)
      for (int j = 0; j < alone->mesh.nodes; j++) {
        bool right = m->mesh.node[i][0] > 0 || i == foot;
        if (fabs(fabs(m->mesh.node[i][0]) - alone->mesh.node[j][0]) < 1e-9)
          assert_near(a.velocity[i], right ? b.velocity[j] : -b.velocity[j], 1e-10);
      }
    assert_near(a.touch[0].percussion[0], b.touch[0].percussion[0], 1e-7);
    pc_fe_collision_destroy(c);
    pc_fe_collision_destroy(one);
    drop_model(m);
    drop_model(alone);
  }
}

// A column of water in a tube (8.66): a droplet bounces, a long column does not.
static void columns_of_water_follow_the_closed_form(void **state)
{
  static const pc_element types[3] = {PC_QUAD9, PC_QUAD8, PC_TRIANGLE6};
  const double length = 2, density = 1000, speed = 3;
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 3; i++) {
      double k = i == 0 ? 5000 : i == 1 ? 700 : 0;
      model *m = box(0.3, length, 2, 5, types[t]);
      add_medium(m, "body", true, density, 0.4, 0);
      add_contact(m, "bottom", k, 3, PC_FE_UNILATERAL);
      add_hold(m, "left", true, false, false);
      add_hold(m, "right", true, false, false);
      set_velocity(m, 0, -speed);
      pc_fe_collision *c = create(m);
      pc_fe_answer a = solve(c, m);
      double mass = density * length;
      double after = k > mass ? (k - mass) / (k + mass) * speed : 0;
      double(*stress)[PC_FE_STRESS] = calloc((size_t)m->mesh.nodes, sizeof *stress);
      pc_error error = {0};
      assert_ok(pc_fe_collision_stress(c, 0, stress, &error), &error);
      for (int n = 0; n < m->mesh.nodes; n++) {
        double pressure = density * (after + speed) * (length - m->mesh.node[n][1]);
        assert_near(a.velocity[2 * n], 0, 1e-9);
        assert_near(a.velocity[2 * n + 1], after, 1e-9);
        assert_near(a.pressure[n], pressure, 1e-6);
        assert_near(stress[n][1], -pressure, 1e-6);
        assert_near(stress[n][2], 0, 1e-6);
      }
      double all = 0, reaction = 0, weight = 0;
      for (int n = 0; n < a.touches; n++) {
        all += a.touch[n].percussion[0];
        reaction += a.touch[n].reaction;
        weight += a.touch[n].weight;
        assert_near(a.touch[n].percussion[1], 0, 1e-7);
      }
      assert_near(weight, 0.3, 1e-12);
      assert_near(all, 0.3 * mass * (after + speed), 1e-6);
      assert_near(reaction, k > mass ? 0 : 0.3 * (mass - k) * speed, 1e-6);
      free(stress);
      pc_fe_collision_destroy(c);
      drop_model(m);
    }
}

// Water 1 m high and 6 m long meets a rigid wall (inviscid, slip bottom): the wall receives
// 14 zeta(3) / pi^3 and at its foot 8 G / pi^2 of density x speed x height (x height).
static void a_rigid_wall_receives_what_the_series_says(void **state)
{
  for (int i = 0; i < 2; i++) {
    double x[41], y[25];
    pc_error error = {0};
    pc_fe_grade(0, 6, 30, 0.05, x);
    pc_fe_grade(0, 1, 24, 0.2, y);
    model *m = new_model(2);
    pc_fe_mesh_add_rectangle(&m->mesh, &(pc_fe_rectangle){30, 24, x, y, PC_QUAD4, "body", "bottom",
                                                          "right", "top", "left"});
    assert_ok(pc_fe_mesh_quadratic(&m->mesh, true, &error), &error);
    close_model(m);
    add_medium(m, "body", true, 1000, 1e-4, 0);
    pc_fe_condition condition = i == 0 ? PC_FE_BILATERAL : PC_FE_UNILATERAL;
    add_contact(m, "right", 0, 0, condition);
    add_contact(m, "bottom", 0, 0, condition);
    add_hold(m, "left", true, true, true);
    set_velocity(m, 2, 0);
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    double all = 0, foot = 0;
    for (int n = 0; n < a.touches; n++)
      if (a.touch[n].contact == 0) {
        all += a.touch[n].percussion[0];
        if (m->mesh.node[a.touch[n].node][1] == 0)
          foot = a.pressure[a.touch[n].node];
      }
    assert_near(all / 2000, 0.542755, 1e-5);
    assert_near(foot / 2000, 0.742454, 1e-3);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
}

// A flow of 5 m x 2 m, at 2 m/s at its surface, on a wall of 1 m x 3 m (chapter 9): what the wall
// receives and how fast it yields, against a study by another code.
static void a_debris_flow_loads_a_wall_as_studied(void **state)
{
  static const struct {
    double density, wall, tangential, percussion, yields;
  } known[] = {{1000, 100, 0, 1141, 0.820},
               {4500, 100, 0, 1828, 1.416},
               {1000, 1e3, 0, 1808, 0.443},
               {1000, 1e6, 0, 2519, 0.012},
               {1000, 100, 1e3, 1162, 0.835}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    model *m = new_model(2);
    add_box(m, "flow", 0, 5, 0, 2, 30, 20, PC_QUAD4, "bottom", "front", NULL, "inlet");
    add_box(m, "wall", 5, 6, 0, 3, 10, 30, PC_QUAD4, "soil", NULL, NULL, "back");
    rename_sides_above(m, "back", "free", 2);
    make_quadratic(m, PC_QUAD9);
    close_model(m);
    add_medium(m, "flow", true, known[i].density, 1, 0);
    add_medium(m, "wall", false, 2500, known[i].wall, known[i].wall);
    pc_fe_contact *front = add_contact(m, "front", 0, known[i].tangential, PC_FE_UNILATERAL);
    front->other = sides_of(m, "back");
    add_hold(m, "bottom", true, true, false);
    add_hold(m, "soil", true, true, false);
    add_hold(m, "inlet", true, true, true);
    for (int e = 0; e < 30 * 20; e++)
      for (int k = 0; k < 9; k++) {
        int node = m->mesh.body.node[m->mesh.body.cell[e].first + k];
        double y = m->mesh.node[node][1] / 2;
        m->velocity[2 * node] = 2 * y * (2 - y);
      }
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    double all = 0, yields = 0, corner = NAN, beside = NAN;
    for (int n = 0; n < a.touches; n++) {
      // The study has no percussion at the corner, which the bed holds.
      double y = m->mesh.node[a.touch[n].node][1],
             stress = a.touch[n].percussion[0] / a.touch[n].weight;
      if (y > 0)
        all += a.touch[n].percussion[0];
      else
        corner = stress;
      if (fabs(y - 0.05) < 1e-9)
        beside = stress;
      yields = fmax(yields, a.velocity[2 * a.touch[n].other]);
      assert_true(a.touch[n].reaction >= 0);
    }
    assert_near(all, known[i].percussion, 5e-3 * known[i].percussion);
    assert_near(corner, beside, 0.1 * beside);
    assert_near(yields, known[i].yields, 5e-3 * known[i].yields + 5e-4);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
}

// A plank that touches with two nodes of its lower side, stiff: the rigid body of `impact`, whose k
// is twice that of this chapter.
static void stiff_solids_collide_like_rigid_bodies(void **state)
{
  pc_random random = test_random(__func__);
  for (int turn = 0; turn < test_count(10); turn++) {
    const double width = 1, height = 0.25, density = 40;
    model *m = box(width, height, 6, 2, PC_QUAD9);
    char *touching = calloc((size_t)m->mesh.nodes, 1);
    double k = pow(10, pc_random_uniform(&random, 1, 3)), v[3];
    add_medium(m, "body", false, density, 1e8, 3e7);
    pc_fe_contact *contact = add_contact(m, "bottom", k, 0.3 * k, PC_FE_UNILATERAL);
    contact->lumped = true;
    contact->touching = touching;
    for (int i = 0; i < 3; i++)
      v[i] = pc_random_uniform(&random, -1, 1);
    v[1] -= 1;
    for (int i = 0; i < m->mesh.nodes; i++) {
      const double *p = m->mesh.node[i];
      m->velocity[2 * i] = v[0] - v[2] * (p[1] - height / 2);
      m->velocity[2 * i + 1] = v[1] + v[2] * (p[0] - width / 2);
      if (p[1] == 0 && (fabs(p[0] - 1. / 6) < 1e-9 || fabs(p[0] - 5. / 6) < 1e-9))
        touching[i] = 1;
    }
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);

    pc_impact *impact = pc_impact_create();
    pc_impact_body body = pc_impact_body_default();
    body.dof = 3;
    body.mass = density * width * height;
    body.inertia[0] = body.mass * (width * width + height * height) / 12;
    body.position[0] = width / 2, body.position[1] = height / 2;
    memcpy(body.velocity, v, sizeof v);
    pc_impact_add_body(impact, &body);
    for (int i = 0; i < a.touches; i++)
      if (touching[a.touch[i].node]) {
        pc_interaction x = pc_interaction_default(PC_CONTACT);
        x.bodies[1] = PC_OBSTACLE;
        x.normal[0] = 0, x.normal[1] = 1;
        memcpy(x.point, m->mesh.node[a.touch[i].node], 2 * sizeof *x.point);
        x.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 2 * k * a.touch[i].weight};
        x.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS,
                                               .k = 2 * 0.3 * k * a.touch[i].weight};
        assert_true(pc_impact_add_interaction(impact, &x) >= 0);
      }
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(impact, NULL, &info), PC_OK);
    assert_int_equal(info.status, PC_SOLVED);
    double u[3];
    pc_impact_velocity(impact, 0, u);
    for (int i = 0; i < m->mesh.nodes; i++) {
      const double *p = m->mesh.node[i];
      assert_near(a.velocity[2 * i], u[0] - u[2] * (p[1] - height / 2), 1e-4);
      assert_near(a.velocity[2 * i + 1], u[1] + u[2] * (p[0] - width / 2), 1e-4);
    }
    pc_impact_destroy(impact);
    pc_fe_collision_destroy(c);
    free(touching);
    drop_model(m);
  }
}

// A body that is held, or so heavy that nothing moves it, is the ground: on a line and in the
// plane.
static void a_body_that_does_not_move_is_the_ground(void **state)
{
  for (int turn = 0; turn < 8; turn++) {
    model *m = turn % 2 ? box(1, 0.4, 5, 2, PC_QUAD8) : bar(16, 700);
    if (turn % 2) {
      add_medium(m, "body", turn / 4, 30, 2, turn / 4 ? 0 : 1);
      add_contact(m, "bottom", 20, 5, PC_FE_UNILATERAL);
      for (int i = 0; i < m->mesh.nodes; i++) {
        m->velocity[2 * i] = 1 - m->mesh.node[i][1];
        m->velocity[2 * i + 1] = 0.4 - m->mesh.node[i][0];
      }
    }
    size_t numbers = (size_t)m->mesh.dimension * (size_t)m->mesh.nodes;
    double *ground = malloc(numbers * sizeof *ground);
    assert_non_null(ground);
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    memcpy(ground, a.velocity, numbers * sizeof *ground);
    pc_fe_collision_destroy(c);
    bool held = turn / 2 % 2;
    m->body[m->def.bodies++] = (pc_fe_body){.mass = held ? 1 : 1e14,
                                            .inertia = held ? 1 : 1e14,
                                            .centre = {0.2, -1},
                                            .held = {held, held, held}};
    m->contact[0].body = 0;
    c = create(m);
    a = solve(c, m);
    for (size_t i = 0; i < numbers; i++)
      assert_near(a.velocity[i], ground[i], 1e-9);
    for (int i = 0; i < 3; i++)
      assert_near(a.body[0][i], 0, held ? 0 : 1e-11);
    pc_fe_collision_destroy(c);
    free(ground);
    drop_model(m);
  }
}

// A pool of 2 m x 1 m with a flat diver of 1 m (8.5): K = 1 at the diver and at the walls.
static model *diver(int columns, int rows, bool shuffled, pc_random *random)
{
  model *m = new_model(2);
  add_box(m, "water", -1, 1, -1, 0, columns, rows, PC_QUAD9, "floor", "right", "surface", "left");
  make_quadratic(m, PC_QUAD9);
  rename_sides(m, "surface", "diver", -0.5, 0.5);
  if (shuffled) { // other numbers for nodes and elements
    pc_fe_mesh *mesh = &m->mesh;
    for (int i = mesh->nodes - 1; i > 0; i--) {
      int j = pc_random_below(random, i + 1);
      double p[2];
      memcpy(p, mesh->node[i], sizeof p);
      memcpy(mesh->node[i], mesh->node[j], sizeof p);
      memcpy(mesh->node[j], p, sizeof p);
      pc_fe_cells *cells[2] = {&mesh->body, &mesh->side};
      for (int k = 0; k < 2; k++)
        for (int n = 0; n < cells[k]->listed; n++)
          cells[k]->node[n] = cells[k]->node[n] == i   ? j
                              : cells[k]->node[n] == j ? i
                                                       : cells[k]->node[n];
    }
    for (int i = mesh->body.count - 1; i > 0; i--) {
      int j = pc_random_below(random, i + 1);
      pc_fe_cell cell = mesh->body.cell[i];
      mesh->body.cell[i] = mesh->body.cell[j];
      mesh->body.cell[j] = cell;
    }
  }
  close_model(m);
  add_medium(m, "water", true, 1000, 0.25, 0);
  m->body[m->def.bodies++] = (pc_fe_body){.mass = 100, .inertia = 8, .centre = {0, 0.1}};
  m->body_velocity[0][1] = -4.47;
  add_contact(m, "diver", 1, 1, PC_FE_UNILATERAL)->body = 0;
  add_contact(m, "floor", 1, 1, PC_FE_UNILATERAL);
  add_contact(m, "left", 1, 1, PC_FE_UNILATERAL);
  add_contact(m, "right", 1, 1, PC_FE_UNILATERAL);
  return m;
}

static void the_diver_is_slowed_as_published(void **state)
{
  model *m = diver(40, 20, false, NULL);
  pc_fe_collision *c = create(m);
  pc_fe_answer a = solve(c, m);
  double under = 0, pressure = 0, spin = 0;
  for (int i = 0; i < a.touches; i++) {
    const pc_fe_touch *t = &a.touch[i];
    assert_true(t->reaction > 0);
    assert_near(t->after[0], 0, 1e-9);
    if (t->contact == 0) {
      under += t->percussion[0];
      pressure += t->weight * a.pressure[t->node];
      spin += t->percussion[0] * m->mesh.node[t->node][0];
    }
  }
  assert_near(a.body[0][1], -0.7474, 1e-3);
  assert_near(100 * (a.body[0][1] + 4.47), under, 1e-8 * under);
  assert_near(under, 372.3, 0.2);
  assert_near(pressure, 370.2, 4); // the ends of the plate are singular
  assert_near(a.body[0][0], 0, 1e-9);
  assert_near(a.body[0][2], 0, 1e-9);
  assert_near(spin, 0, 1e-6);
  // Symmetric data, a symmetric answer.
  for (int i = 0; i < m->mesh.nodes; i++)
    for (int j = 0; j < m->mesh.nodes; j++)
      if (fabs(m->mesh.node[i][0] + m->mesh.node[j][0]) < 1e-9 &&
          fabs(m->mesh.node[i][1] - m->mesh.node[j][1]) < 1e-9) {
        assert_near(a.velocity[2 * i], -a.velocity[2 * j], 1e-9);
        assert_near(a.velocity[2 * i + 1], a.velocity[2 * j + 1], 1e-9);
      }
  pc_fe_collision_destroy(c);
  drop_model(m);
}

// A flat stone of 17 cm on a pool of 4 m x 1 m, its centre of mass above the water (8.6): straight
// down it stays, at a flat angle its rear leaves the water and it rebounds. Numbers of another
// study.
static void a_stone_skips_as_studied(void **state)
{
  static const struct {
    double arm, before[2], after[3];
  } known[] = {{0, {0, -5}, {0, -0.0692, 0}},
               {0, {5, -1}, {2.493, -0.0138, 0.155}},
               {0.025, {5, -1}, {2.496, 0.008, -0.668}},
               {0.035, {5, -1}, {2.514, 0.119, -2.51}}};
  enum { SIDE = 14, UNDER = 16, ROWS = 18 };
  double x[2 * SIDE + UNDER + 1], y[ROWS + 1];
  pc_fe_grade(-2, -0.085, SIDE, 0.02, x);
  pc_fe_grade(-0.085, 0.085, UNDER, 1, x + SIDE);
  pc_fe_grade(0.085, 2, SIDE, 50, x + SIDE + UNDER);
  pc_fe_grade(-1, 0, ROWS, 0.03, y);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    model *m = new_model(2);
    pc_fe_mesh_add_rectangle(&m->mesh,
                             &(pc_fe_rectangle){2 * SIDE + UNDER, ROWS, x, y, PC_QUAD4, "water",
                                                "pool", "pool", "surface", "pool"});
    make_quadratic(m, PC_QUAD9);
    rename_sides(m, "surface", "stone", -0.085, 0.085);
    close_model(m);
    add_medium(m, "water", true, 1000, 1.8, 0);
    m->body[m->def.bodies++] =
        (pc_fe_body){.mass = 0.5, .inertia = 0.5 * 0.17 * 0.17 / 12, .centre = {0, known[i].arm}};
    add_contact(m, "stone", 0.25, 1, PC_FE_UNILATERAL)->body = 0;
    add_contact(m, "pool", 0.25, 1, PC_FE_UNILATERAL);
    memcpy(m->body_velocity[0], known[i].before, sizeof known[i].before);
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    int leave = 0;
    for (int n = 0; n < a.touches; n++)
      leave += a.touch[n].contact == 0 && a.touch[n].after[0] < -1e-9;
    for (int k = 0; k < 3; k++)
      assert_near(a.body[0][k], known[i].after[k], 0.01 * fabs(known[i].after[k]) + 5e-4);
    assert_int_equal(leave > 0, known[i].arm > 0);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
}

static void answers_do_not_depend_on_numbers_of_nodes(void **state)
{
  pc_random random = test_random(__func__);
  model *one = diver(12, 6, false, NULL), *two = diver(12, 6, true, &random);
  one->body_velocity[0][0] = two->body_velocity[0][0] = 5;
  one->body_velocity[0][2] = two->body_velocity[0][2] = 0.7;
  pc_fe_collision *c = create(one), *d = create(two);
  pc_fe_answer a = solve(c, one), b = solve(d, two);
  for (int i = 0; i < 3; i++)
    assert_near(a.body[0][i], b.body[0][i], 1e-10);
  for (int i = 0; i < one->mesh.nodes; i++)
    for (int j = 0; j < two->mesh.nodes; j++)
      if (hypot(one->mesh.node[i][0] - two->mesh.node[j][0],
                one->mesh.node[i][1] - two->mesh.node[j][1]) < 1e-9)
        for (int k = 0; k < 2; k++)
          assert_near(a.velocity[2 * i + k], b.velocity[2 * j + k], 1e-9);
  // The same twice: the same bits.
  double *first = malloc(2 * (size_t)one->mesh.nodes * sizeof *first);
  assert_non_null(first);
  memcpy(first, a.velocity, 2 * (size_t)one->mesh.nodes * sizeof *first);
  pc_fe_collision *again = create(one);
  b = solve(again, one);
  assert_memory_equal(first, b.velocity, 2 * (size_t)one->mesh.nodes * sizeof *first);
  free(first);
  pc_fe_collision_destroy(c);
  pc_fe_collision_destroy(d);
  pc_fe_collision_destroy(again);
  drop_model(one);
  drop_model(two);
}

// The problem once more, with dense matrices of the test: velocities of nodes, pressures, bodies.
typedef struct dense {
  const model *m;
  int n, pressures, bodies; // numbers, first pressure, first body
  int *pressure;            // of each node, or -1
  double *mass, *k;         // K with - q div u
  int rows, touch[64];
  double *b[64]; // rows of D
} dense;

static void put_entry(void *context, int r, int c, long at)
{
  void **to = context;
  const int *place = to[0];
  double *a = to[1];
  const double *value = to[2];
  int n = *(int *)to[3], i = place[r], j = place[c];
  a[i * n + j] += value[at];
  if (i != j)
    a[j * n + i] += value[at];
}

// Relative velocity at a place of a side, as a row of coefficients.
static void relative_row(const dense *d, int contact, int side, const double *shape, int component,
                         const double x[2], double *row)
{
  const pc_fe_mesh *mesh = &d->m->mesh;
  const pc_fe_contact *c = &d->m->contact[contact];
  const pc_fe_cell *cell = &mesh->side.cell[side];
  memset(row, 0, (size_t)d->n * sizeof *row);
  for (int a = 0; a < pc_element_of(cell->type)->nodes; a++)
    row[2 * mesh->side.node[cell->first + a] + component] += shape[a];
  if (c->body >= 0) {
    int at = d->bodies + 3 * c->body;
    const double *g = d->m->body[c->body].centre;
    row[at + component] -= 1;
    row[at + 2] -= component == 0 ? -(x[1] - g[1]) : x[0] - g[0];
  }
}

static dense *make_dense(const model *m, const pc_fe_answer *answer)
{
  const pc_fe_mesh *mesh = &m->mesh;
  dense *d = calloc(1, sizeof *d);
  assert_non_null(d);
  d->m = m;
  bool fluid[32] = {0};
  for (int i = 0; i < m->def.media; i++)
    fluid[m->medium[i].group] = m->medium[i].fluid;
  pc_fe_space space;
  pc_block_matrix mass, k;
  pc_error error = {0};
  assert_ok(pc_fe_space_create(&space, mesh, 2, fluid, 0, NULL, &error), &error);
  assert_ok(pc_fe_space_matrix(&space, &mass, &error), &error);
  assert_ok(pc_fe_space_matrix(&space, &k, &error), &error);
  int *place = calloc((size_t)space.numbers + 1, sizeof *place);
  d->pressure = calloc((size_t)mesh->nodes + 1, sizeof *d->pressure);
  d->pressures = d->n = 2 * mesh->nodes;
  for (int i = 0; i < mesh->nodes; i++) {
    place[space.start[i]] = 2 * i;
    place[space.start[i] + 1] = 2 * i + 1;
    int at = pc_fe_space_pressure(&space, i);
    d->pressure[i] = at < 0 ? -1 : d->n;
    if (at >= 0)
      place[at] = d->n++;
  }
  d->bodies = d->n;
  d->n += 3 * m->def.bodies;
  size_t n = (size_t)d->n;
  d->mass = calloc(n * n, sizeof *d->mass);
  d->k = calloc(n * n, sizeof *d->k);
  double *row = calloc(n, sizeof *row), *t = calloc(n, sizeof *t);
  assert_true(d->mass && d->k && row && t);
  for (int i = 0; i < m->def.media; i++) {
    const pc_fe_medium *x = &m->medium[i];
    pc_fe_add_terms(&space, x->group, &(pc_fe_terms){.mass = x->density}, &mass);
    pc_fe_add_terms(
        &space, x->group,
        &(pc_fe_terms){.strain = x->strain, .volume = x->volume, .incompressible = x->fluid}, &k);
  }
  pc_block_matrix_each(&mass, put_entry, (void *[]){place, d->mass, mass.value, &d->n});
  pc_block_matrix_each(&k, put_entry, (void *[]){place, d->k, k.value, &d->n});
  for (int b = 0; b < m->def.bodies; b++)
    for (int i = 0; i < 3; i++) {
      size_t at = (size_t)(d->bodies + 3 * b + i);
      d->mass[at * n + at] = i < 2 ? m->body[b].mass : m->body[b].inertia;
    }
  // Viscosities of straight sides, and Simpson's weights, by a rule of the test.
  for (int c = 0; c < m->def.contacts; c++)
    for (int s = 0; s < mesh->side.count; s++) {
      const pc_fe_cell *cell = &mesh->side.cell[s];
      if (cell->group != m->contact[c].sides)
        continue;
      const double *p = mesh->node[mesh->side.node[cell->first]];
      const double *q = mesh->node[mesh->side.node[cell->first + 1]];
      double length = hypot(q[0] - p[0], q[1] - p[1]);
      double tangent[2] = {(q[0] - p[0]) / length, (q[1] - p[1]) / length};
      double normal[2] = {tangent[1], -tangent[0]};
      static const double gauss[3] = {-0.77459666924148338, 0, 0.77459666924148338};
      for (int g = 0; g < 3; g++) {
        double z = gauss[g], weight = length / 2 * (g == 1 ? 8. / 9 : 5. / 9);
        double shape[3] = {z * (z - 1) / 2, z * (z + 1) / 2, 1 - z * z};
        if (pc_element_of(cell->type)->nodes == 2)
          shape[0] = (1 - z) / 2, shape[1] = (1 + z) / 2;
        double x[2] = {p[0] + (1 + z) / 2 * (q[0] - p[0]), p[1] + (1 + z) / 2 * (q[1] - p[1])};
        for (int part = 0; part < 2; part++) {
          const double *e = part == 0 ? normal : tangent;
          double factor = weight * (part == 0 ? m->contact[c].normal : m->contact[c].tangential);
          relative_row(d, c, s, shape, 0, x, row);
          relative_row(d, c, s, shape, 1, x, t);
          for (size_t i = 0; i < n; i++)
            row[i] = e[0] * row[i] + e[1] * t[i];
          for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
              d->k[i * n + j] += factor * row[i] * row[j];
        }
      }
    }
  // Rows of D = -w_N of the touches with a condition.
  for (int i = 0; i < answer->touches; i++) {
    const pc_fe_touch *touch = &answer->touch[i];
    const pc_fe_contact *c = &m->contact[touch->contact];
    if (c->condition == PC_FE_LOOSE)
      continue;
    assert_true(d->rows < 64);
    double *to = d->b[d->rows] = calloc(n, sizeof *to);
    const double *x = touch->normal, *p = mesh->node[touch->node];
    for (int k2 = 0; k2 < 2; k2++) {
      to[2 * touch->node + k2] = -x[k2];
      if (c->body >= 0)
        to[d->bodies + 3 * c->body + k2] = x[k2];
    }
    if (c->body >= 0) {
      const double *g = m->body[c->body].centre;
      to[d->bodies + 3 * c->body + 2] = x[1] * (p[0] - g[0]) - x[0] * (p[1] - g[1]);
    }
    d->touch[d->rows++] = i;
  }
  free(row);
  free(t);
  free(place);
  pc_block_matrix_free(&mass);
  pc_block_matrix_free(&k);
  pc_fe_space_free(&space);
  return d;
}

static void drop_dense(dense *d)
{
  for (int i = 0; i < d->rows; i++)
    free(d->b[i]);
  free(d->pressure);
  free(d->mass);
  free(d->k);
  free(d);
}

static double *before_of(const dense *d)
{
  double *u = calloc((size_t)d->n, sizeof *u);
  assert_non_null(u);
  memcpy(u, d->m->velocity, 2 * (size_t)d->m->mesh.nodes * sizeof *u);
  for (int b = 0; b < d->m->def.bodies; b++)
    memcpy(u + d->bodies + 3 * b, d->m->body_velocity[b], 3 * sizeof *u);
  return u;
}

static double *after_of(const dense *d, const pc_fe_answer *a)
{
  double *u = calloc((size_t)d->n, sizeof *u);
  assert_non_null(u);
  memcpy(u, a->velocity, 2 * (size_t)d->m->mesh.nodes * sizeof *u);
  for (int i = 0; i < d->m->mesh.nodes; i++)
    if (d->pressure[i] >= 0)
      u[d->pressure[i]] = a->pressure[i];
  memcpy(u + d->bodies, a->body, 3 * (size_t)d->m->def.bodies * sizeof *u);
  return u;
}

static double dot(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

// (M + sign K) u at one row; rows of pressures have - q div u.
static double row_of(const dense *d, int i, double sign, const double *u)
{
  double sum = 0;
  for (int j = 0; j < d->n; j++)
    sum += (d->mass[i * d->n + j] + sign * d->k[i * d->n + j]) * u[j];
  return sum;
}

static double right_of(const dense *d, int i, const double *before)
{
  bool pressure = i >= d->pressures && i < d->bodies;
  return pressure ? 0 : row_of(d, i, -1, before);
}

// Stationarity, conditions and complementarity of an answer, from nothing but the dense matrices.
static void check_optimality(const dense *d, const pc_fe_answer *a)
{
  double *before = before_of(d), *after = after_of(d, a), size = 0, speed = 0;
  for (int i = 0; i < d->n; i++) {
    size = fmax(size, fabs(right_of(d, i, before)));
    speed = fmax(speed, i < d->pressures ? fabs(before[i]) : 0);
  }
  for (int i = 0; i < d->n; i++) {
    double rest = row_of(d, i, 1, after) - right_of(d, i, before);
    for (int k = 0; k < d->rows; k++)
      rest -= d->b[k][i] * a->touch[d->touch[k]].reaction;
    assert_near(rest, 0, 1e-9 * size);
  }
  for (int k = 0; k < d->rows; k++) {
    const pc_fe_touch *t = &a->touch[d->touch[k]];
    double opens = dot(d->b[k], after, d->n);
    assert_near(opens, -t->after[0], 1e-12 * (1 + speed));
    if (d->m->contact[t->contact].condition == PC_FE_BILATERAL) {
      assert_near(opens, 0, 1e-9 * speed);
    } else {
      assert_true(opens >= -1e-9 * speed && t->reaction >= 0);
      assert_near(opens * t->reaction, 0, 1e-8 * size * speed);
    }
  }
  free(before);
  free(after);
}

// All statuses of the conditions: the one that is consistent must be the answer.
static void check_by_enumeration(const dense *d, const pc_fe_answer *a)
{
  int n = d->n, most = n + d->rows, found = 0, one = 1, info;
  double *before = before_of(d), *after = after_of(d, a), speed = 0;
  double *matrix = malloc((size_t)(most * most) * sizeof *matrix);
  double *x = malloc((size_t)most * sizeof *x);
  int *pivot = malloc((size_t)most * sizeof *pivot);
  assert_true(matrix && x && pivot);
  for (int i = 0; i < d->pressures; i++)
    speed = fmax(speed, fabs(before[i]));
  for (int status = 0; status < 1 << d->rows; status++) {
    int active[16], count = 0;
    for (int k = 0; k < d->rows; k++)
      if (status >> k & 1)
        active[count++] = k;
    int all = n + count;
    memset(matrix, 0, (size_t)(all * all) * sizeof *matrix);
    for (int i = 0; i < n; i++) {
      x[i] = right_of(d, i, before);
      for (int j = 0; j < n; j++)
        matrix[i * all + j] = d->mass[i * n + j] + d->k[i * n + j];
    }
    for (int k = 0; k < count; k++) {
      x[n + k] = 0;
      for (int i = 0; i < n; i++)
        matrix[i * all + n + k] = matrix[(n + k) * all + i] = -d->b[active[k]][i];
    }
    dgesv_(&all, &one, matrix, &all, pivot, x, &all, &info);
    if (info != 0)
      continue;
    bool good = true;
    for (int k = 0; k < d->rows; k++)
      good = good && dot(d->b[k], x, n) >= -1e-9 * speed;
    for (int k = 0; k < count; k++)
      good = good && x[n + k] >= -1e-9 * speed;
    if (!good)
      continue;
    found++;
    for (int i = 0; i < d->pressures; i++)
      assert_near(after[i], x[i], 1e-8 * speed);
    for (int i = d->bodies; i < n; i++)
      assert_near(after[i], x[i], 1e-8 * speed);
  }
  assert_true(found > 0);
  free(before);
  free(after);
  free(matrix);
  free(x);
  free(pivot);
}

// A small solid or fluid in a bent box that touches the ground below and a body above.
static model *random_model(pc_random *random, bool fluid, bool body, int columns)
{
  pc_element types[4] = {PC_QUAD9, PC_TRIANGLE6, PC_QUAD4, PC_TRIANGLE3};
  pc_element type = types[pc_random_below(random, fluid ? 2 : 4)];
  model *m = box(1, 0.7, columns, 1, type);
  for (int i = 0; i < m->mesh.nodes; i++) { // sides stay straight
    double *p = m->mesh.node[i];
    p[1] += 0.3 * p[0] * (1 - p[1]);
  }
  add_medium(m, "body", fluid, pow(10, pc_random_uniform(random, 0, 3)),
             pow(10, pc_random_uniform(random, -3, 3)),
             fluid ? 0 : pow(10, pc_random_uniform(random, -3, 3)));
  double k = pow(10, pc_random_uniform(random, -1, 4));
  add_contact(m, "bottom", k, pc_random_uniform(random, 0, k), PC_FE_UNILATERAL);
  if (body) {
    m->body[m->def.bodies++] = (pc_fe_body){.mass = pow(10, pc_random_uniform(random, 0, 3)),
                                            .inertia = pow(10, pc_random_uniform(random, 0, 2)),
                                            .centre = {0.3, 1.5}};
    add_contact(m, "top", k, 2 * k, PC_FE_UNILATERAL)->body = 0;
    for (int i = 0; i < 3; i++)
      m->body_velocity[0][i] = pc_random_uniform(random, -2, 1);
  }
  for (int i = 0; i < 2 * m->mesh.nodes; i++)
    m->velocity[i] = pc_random_uniform(random, -1, 1) - (i % 2 == 1 ? 0.5 : 0);
  return m;
}

static void small_collisions_agree_with_enumeration(void **state)
{
  pc_random random = test_random(__func__);
  int open = 0, closed = 0;
  for (int turn = 0; turn < test_count(60); turn++) {
    bool body = turn % 2;
    model *m = random_model(&random, turn / 2 % 2, body, body ? 1 : 2);
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    dense *d = make_dense(m, &a);
    assert_true(d->rows <= 8);
    check_optimality(d, &a);
    check_by_enumeration(d, &a);
    for (int i = 0; i < a.touches; i++)
      *(a.touch[i].reaction > 0 ? &closed : &open) += 1;
    drop_dense(d);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
  printf("%d nodes stay in contact, %d leave\n", closed, open);
  assert_true(open > test_count(20) && closed > test_count(20));
}

static void random_collisions_are_optimal(void **state)
{
  pc_random random = test_random(__func__);
  double worst = 0;
  for (int turn = 0; turn < test_count(30); turn++) {
    model *m = random_model(&random, turn % 2, turn / 2 % 2, 4 + turn % 5);
    if (turn % 3 == 0)
      m->contact[0].condition = PC_FE_BILATERAL;
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    worst = fmax(worst, a.account.identity);
    dense *d = make_dense(m, &a);
    check_optimality(d, &a);
    drop_dense(d);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
  printf("largest error of the account %.1e\n", worst);
  assert_true(worst < 1e-11);
}

// |U1+ - U2+| <= |U1- - U2-| in the norm of M + K, and U+ of 3 U- is 3 U+.
static void collisions_are_contractions_and_homogeneous(void **state)
{
  pc_random random = test_random(__func__);
  double largest = 0;
  for (int turn = 0; turn < test_count(20); turn++) {
    model *m = random_model(&random, false, turn % 2, 3);
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    dense *d = make_dense(m, &a);
    double *before = before_of(d), *after = after_of(d, &a);
    for (int i = 0; i < 2 * m->mesh.nodes; i++)
      m->velocity[i] += pow(10, -turn % 4) * pc_random_uniform(&random, -1, 1);
    for (int i = 0; i < 3 * m->def.bodies; i++)
      m->body_velocity[0][i] += 0.1 * pc_random_uniform(&random, -1, 1);
    a = solve(c, m);
    double *other_before = before_of(d), *other_after = after_of(d, &a), size[2] = {0};
    for (int i = 0; i < d->n; i++) {
      before[i] -= other_before[i];
      after[i] -= other_after[i];
    }
    for (int i = 0; i < d->n; i++) {
      size[0] += before[i] * row_of(d, i, 1, before);
      size[1] += after[i] * row_of(d, i, 1, after);
    }
    assert_true(size[1] <= size[0] * (1 + 1e-9));
    largest = fmax(largest, sqrt(size[1] / size[0]));
    for (int i = 0; i < 2 * m->mesh.nodes; i++)
      m->velocity[i] *= 3;
    for (int i = 0; i < 3 * m->def.bodies; i++)
      m->body_velocity[0][i] *= 3;
    double loss = a.account.kinetic_before - a.account.kinetic_after;
    a = solve(c, m);
    for (int i = 0; i < 2 * m->mesh.nodes; i++)
      assert_near(a.velocity[i], 3 * other_after[i], 1e-8);
    assert_near(a.account.kinetic_before - a.account.kinetic_after, 9 * loss,
                1e-8 * a.account.kinetic_before);
    free(before);
    free(after);
    free(other_before);
    free(other_after);
    drop_dense(d);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
  printf("largest ratio of distances %.3f\n", largest);
  assert_true(largest > 0.3);
}

// A percussion on a free solid: all of it becomes momentum, and its work is in the energy balance.
static void percussions_become_momentum(void **state)
{
  model *m = box(1, 0.5, 4, 2, PC_QUAD9);
  add_medium(m, "body", false, 20, 3, 1);
  m->push[m->def.pushes++] = (pc_fe_push){.group = sides_of(m, "top"), .percussion = {3, -2}};
  m->push[m->def.pushes++] = (pc_fe_push){.group = sides_of(m, "left"), .percussion = {1, 0}};
  pc_fe_collision *c = create(m);
  pc_fe_answer a = solve(c, m);
  dense *d = make_dense(m, &a);
  double *u = after_of(d, &a), momentum[2] = {0};
  for (int i = 0; i < d->n; i++)
    momentum[i % 2] += dot(d->mass + i * d->n, u, d->n);
  assert_near(momentum[0], 3 + 0.5, 1e-11);
  assert_near(momentum[1], -2, 1e-11);
  assert_true(a.account.work_pushes > 0 && a.account.kinetic_after > 0);
  assert_near(a.account.work_pushes, a.account.kinetic_after + a.account.volume, 1e-11);
  free(u);
  drop_dense(d);
  pc_fe_collision_destroy(c);
  drop_model(m);
}

// Two solids that meet keep their momentum and do not go through each other.
static void solids_that_meet_keep_their_momentum(void **state)
{
  pc_random random = test_random(__func__);
  for (int turn = 0; turn < test_count(6); turn++) {
    model *m = new_model(2);
    add_box(m, "lower", 0, 1, 0, 0.5, 5, 2, PC_QUAD4, NULL, NULL, "lower side", NULL);
    add_box(m, "upper", 0, 1, 0.5, 1, 5, 2, PC_QUAD4, "upper side", NULL, NULL, NULL);
    make_quadratic(m, PC_QUAD9);
    close_model(m);
    add_medium(m, "lower", false, 10, 2, 1);
    add_medium(m, "upper", turn % 2, 7, 1, 0);
    double k = turn < 2 ? 0 : pow(10, pc_random_uniform(&random, -1, 2));
    pc_fe_contact *contact = add_contact(m, "upper side", k, k / 2, PC_FE_UNILATERAL);
    contact->other = sides_of(m, "lower side");
    contact->lumped = turn == 4;
    for (int i = 0; i < m->mesh.nodes; i++)
      m->velocity[2 * i + 1] = m->mesh.node[i][0] - 0.3;
    for (int i = 0; i < m->mesh.body.count; i++)
      for (int j = 0; j < 9 && i >= m->mesh.body.count / 2; j++) {
        int node = m->mesh.body.node[m->mesh.body.cell[i].first + j];
        m->velocity[2 * node] = 0.5;
        m->velocity[2 * node + 1] = -1;
      }
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    bool stays = false, leaves = false;
    for (int i = 0; i < a.touches; i++) {
      stays = stays || a.touch[i].reaction > 0;
      leaves = leaves || a.touch[i].after[0] < -1e-6;
      assert_true(a.touch[i].other >= 0 && a.touch[i].other != a.touch[i].node);
    }
    assert_true(k > 0 || stays);
    m->def.contacts = 0;
    dense *d = make_dense(m, &(pc_fe_answer){0});
    double *u = after_of(d, &a), *v = before_of(d), momentum[2] = {0};
    for (int i = 0; i < d->pressures; i++)
      momentum[i % 2] +=
          dot(d->mass + i * d->n, u, d->pressures) - dot(d->mass + i * d->n, v, d->pressures);
    assert_near(momentum[0], 0, 1e-10);
    assert_near(momentum[1], 0, 1e-10);
    assert_true(a.account.kinetic_after < a.account.kinetic_before);
    free(u);
    free(v);
    drop_dense(d);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
}

static void set_vortex(model *m)
{
  for (int i = 0; i < m->mesh.nodes; i++) {
    const double *p = m->mesh.node[i];
    m->velocity[2 * i] = 0.5 + p[1] - 0.5;
    m->velocity[2 * i + 1] = -(p[0] - 0.5);
  }
}

// Fluid that fills a box, with straight or curved walls: they hold it, whatever pressure it has,
// and as it keeps its volume it leaves none of them.
static void fluids_fill_a_closed_box(void **state)
{
  static const char *const names[4] = {"bottom", "right", "top", "left"};
  for (int i = 0; i < 8; i++) {
    int turn = i / 2;
    model *m = box(1, 1, 4, 4, PC_QUAD9);
    for (int n = 0; n < m->mesh.nodes && i % 2; n++) {
      double *p = m->mesh.node[n], x = p[0], y = p[1];
      p[0] += 0.2 * sin(3 * y) * (1 - x * x);
      p[1] -= 0.15 * cos(2 * x) * (1.5 - y * y);
    }
    add_medium(m, "body", true, 1000, 0.5, 0);
    for (int w = 0; w < 4; w++)
      if (turn == 3)
        add_hold(m, names[w], true, true, false);
      else
        add_contact(m, names[w], turn == 1 ? 5 : 0, 1,
                    turn == 2 ? PC_FE_BILATERAL : PC_FE_UNILATERAL);
    set_vortex(m);
    pc_fe_collision *c = create(m);
    pc_fe_answer a = solve(c, m);
    double moves = 0;
    for (int n = 0; n < m->mesh.nodes; n++)
      moves = fmax(moves, fabs(a.velocity[2 * n]));
    for (int n = 0; n < a.touches; n++)
      assert_near(a.touch[n].after[0], 0, 1e-9);
    assert_true(moves > 0.05 && a.account.kinetic_after < a.account.kinetic_before);
    pc_fe_collision_destroy(c);
    drop_model(m);
  }
}

static void redundant_conditions_are_solved(void **state)
{
  for (int turn = 0; turn < 2; turn++) {
    pc_fe_condition condition = turn == 0 ? PC_FE_BILATERAL : PC_FE_UNILATERAL;
    model *one = box(1, 0.5, 4, 2, PC_QUAD9), *two = box(1, 0.5, 4, 2, PC_QUAD9);
    model *both[2] = {one, two};
    pc_fe_collision *c[2];
    pc_fe_answer a[2];
    for (int i = 0; i < 2; i++) {
      add_medium(both[i], "body", false, 10, 1, 2);
      add_contact(both[i], "bottom", 3, 1, condition);
      add_contact(both[i], "left", 0, 0, condition);
      if (i == 1)
        add_contact(both[i], "bottom", 0, 0, condition); // once more
      for (int n = 0; n < both[i]->mesh.nodes; n++) {
        both[i]->velocity[2 * n] = both[i]->mesh.node[n][1] - 0.3;
        both[i]->velocity[2 * n + 1] = 0.3 - both[i]->mesh.node[n][0];
      }
      c[i] = create(both[i]);
      a[i] = solve(c[i], both[i]);
    }
    for (int i = 0; i < 2 * one->mesh.nodes; i++)
      assert_near(a[0].velocity[i], a[1].velocity[i], 1e-8);
    pc_fe_collision_destroy(c[0]);
    pc_fe_collision_destroy(c[1]);
    drop_model(one);
    drop_model(two);
  }
}

// One group around a corner holds the node of the corner in both directions.
static void corners_are_held_in_both_directions(void **state)
{
  model *m = box(1, 1, 2, 2, PC_QUAD9);
  int left = sides_of(m, "left"), bottom = sides_of(m, "bottom");
  for (int s = 0; s < m->mesh.side.count; s++)
    if (m->mesh.side.cell[s].group == left)
      m->mesh.side.cell[s].group = bottom;
  add_medium(m, "body", false, 10, 1, 2);
  add_contact(m, "bottom", 0, 0, PC_FE_UNILATERAL);
  set_velocity(m, -1, -2);
  pc_fe_collision *c = create(m);
  pc_fe_answer a = solve(c, m);
  assert_int_equal(a.touches, 10);
  int corner = 0;
  double weight = 0;
  for (int i = 0; i < a.touches; i++) {
    corner += hypot(m->mesh.node[a.touch[i].node][0], m->mesh.node[a.touch[i].node][1]) < 1e-9;
    weight += a.touch[i].weight;
    assert_near(fmax(fabs(a.touch[i].normal[0]), fabs(a.touch[i].normal[1])), 1, 1e-12);
    assert_near(a.touch[i].after[0], 0, 1e-9);
  }
  assert_int_equal(corner, 2);
  assert_near(weight, 2, 1e-12);
  pc_fe_collision_destroy(c);
  drop_model(m);
}

static void held_nodes_need_no_condition_and_may_not_contradict_one(void **state)
{
  model *m = box(1, 1, 3, 3, PC_QUAD9);
  add_medium(m, "body", false, 10, 1, 2);
  add_contact(m, "bottom", 2, 1, PC_FE_UNILATERAL);
  add_hold(m, "left", true, true, true);
  set_velocity(m, 0.5, 0);
  pc_fe_collision *c = create(m);
  pc_fe_answer a = solve(c, m);
  for (int i = 0; i < m->mesh.nodes; i++)
    if (m->mesh.node[i][0] == 0)
      assert_near(a.velocity[2 * i], 0.5, 0);
  set_velocity(m, 0.5, -1);
  pc_error error = {0};
  assert_int_equal(pc_fe_collision_solve(c, m->velocity, NULL, &a, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "bottom"));
  pc_fe_collision_destroy(c);
  drop_model(m);

  // A fluid that is pressed from all sides has nowhere to go.
  m = box(1, 1, 3, 3, PC_QUAD9);
  add_medium(m, "body", true, 10, 1, 0);
  add_hold(m, "left", true, true, true);
  add_hold(m, "right", true, true, false);
  add_hold(m, "top", true, true, false);
  add_hold(m, "bottom", true, true, false);
  set_velocity(m, 1, 0);
  c = create(m);
  assert_int_equal(pc_fe_collision_solve(c, m->velocity, NULL, &a, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "volume"));
  pc_fe_collision_destroy(c);
  drop_model(m);
}

// What touches may change from one solve to the next.
static void touching_nodes_may_change(void **state)
{
  pc_random random = test_random(__func__);
  model *m = box(1, 0.3, 6, 2, PC_QUAD9);
  char *touching = calloc((size_t)m->mesh.nodes, 1);
  add_medium(m, "body", false, 10, 50, 20);
  pc_fe_contact *contact = add_contact(m, "bottom", 4, 1, PC_FE_UNILATERAL);
  contact->lumped = true;
  contact->touching = touching;
  set_velocity(m, 0.2, -1);
  pc_fe_collision *kept = create(m);
  for (int turn = 0; turn < 6; turn++) {
    for (int i = 0; i < m->mesh.nodes; i++)
      touching[i] = turn == 0 ? 0 : turn == 5 ? 1 : (char)pc_random_below(&random, 2);
    pc_fe_answer a = solve(kept, m);
    double *velocity = malloc(2 * (size_t)m->mesh.nodes * sizeof *velocity);
    assert_non_null(velocity);
    memcpy(velocity, a.velocity, 2 * (size_t)m->mesh.nodes * sizeof *velocity);
    for (int i = 0; i < a.touches; i++)
      if (!touching[a.touch[i].node])
        assert_near(fabs(a.touch[i].percussion[0]) + fabs(a.touch[i].percussion[1]), 0, 0);
    for (int i = 0; turn == 0 && i < m->mesh.nodes; i++)
      assert_near(a.velocity[2 * i + 1], -1, 1e-10);
    if (turn == 5)
      contact->touching = NULL;
    pc_fe_collision *fresh = create(m);
    pc_fe_answer b = solve(fresh, m);
    for (int i = 0; i < 2 * m->mesh.nodes; i++)
      assert_near(velocity[i], b.velocity[i], 1e-10);
    pc_fe_collision_destroy(fresh);
    free(velocity);
  }
  pc_fe_collision_destroy(kept);
  free(touching);
  drop_model(m);
}

static void assert_as_new(pc_fe_collision *kept, const model *m)
{
  pc_error error = {0};
  assert_ok(pc_fe_collision_renew(kept, &m->def, &error), &error);
  pc_fe_collision *fresh = create(m);
  pc_fe_answer a = solve(kept, m), b = solve(fresh, m);
  size_t numbers = (size_t)(m->mesh.dimension * m->mesh.nodes);
  assert_memory_equal(a.velocity, b.velocity, numbers * sizeof *a.velocity);
  assert_memory_equal(a.pressure, b.pressure, (size_t)m->mesh.nodes * sizeof *a.pressure);
  assert_int_equal(a.touches, b.touches);
  assert_true(a.account.identity == b.account.identity);
  pc_fe_collision_destroy(fresh);
}

// One that is used again, for other places, coefficients and contacts, is as a new one to the last
// bit; also after a definition that is refused.
static void a_renewed_collision_is_as_a_new_one(void **state)
{
  pc_error error = {0};
  pc_random random = test_random(__func__);
  for (int turn = 0; turn < 12; turn++) {
    model *m = random_model(&random, turn % 2 == 0, turn % 3 == 0, 4);
    pc_fe_collision *kept = create(m);
    m->medium[0].strain *= 1.5;
    for (int i = 0; i < m->mesh.nodes; i++)
      m->mesh.node[i][0] += 0.05 * m->mesh.node[i][1];
    assert_as_new(kept, m);
    pc_fe_contact first = m->contact[0];
    m->contact[0].condition = PC_FE_LOOSE; // other nodes are eliminated last
    assert_as_new(kept, m);
    m->contact[0] = first;
    m->def.tolerance = -1;
    assert_int_not_equal(pc_fe_collision_renew(kept, &m->def, &error), PC_OK);
    m->def.tolerance = 0;
    assert_as_new(kept, m);
    pc_fe_collision_destroy(kept);
    drop_model(m);
  }
}

static void refuse(const model *m, const char *text)
{
  pc_error error = {0};
  pc_fe_collision *c = pc_fe_collision_create(&m->def, &error);
  assert_null(c);
  assert_int_equal(error.status, PC_ERROR_ARGUMENT);
  assert_says(error.text, text);
}

static void what_makes_no_sense_is_refused(void **state)
{
  model *m = box(1, 1, 2, 2, PC_QUAD4);
  add_medium(m, "body", false, 1, 1, 0);
  add_medium(m, "body", false, 1, 1, 0);
  refuse(m, "\"body\" has two media");
  m->def.media = 1;
  m->medium[0].fluid = true;
  refuse(m, "quadratic");
  m->medium[0].fluid = false;
  pc_fe_contact *c = add_contact(m, "left", 1, 0, PC_FE_UNILATERAL);
  c->other = sides_of(m, "right");
  refuse(m, ", has no matching node on \"");
  c->other = -1;
  for (int turn = 0; turn < 2; turn++) { // a side turned round, and back
    for (int s = 0; s < m->mesh.side.count; s++)
      if (m->mesh.side.cell[s].group == c->sides) {
        int *node = m->mesh.side.node + m->mesh.side.cell[s].first, first = node[0];
        node[0] = node[1];
        node[1] = first;
      }
    if (turn == 0)
      refuse(m, "points inwards");
  }
  int inner[2] = {1, 4}; // between the first two elements
  int group = pc_fe_mesh_add_group(&m->mesh, "inner", 1);
  pc_fe_mesh_add(&m->mesh, PC_LINE2, inner, group);
  c->sides = group;
  refuse(m, "elements on both sides");
  c->sides = sides_of(m, "left");
  m->def.tolerance = NAN;
  refuse(m, "tolerance");
  m->def.tolerance = 0;
  pc_fe_collision *good = create(m);
  m->velocity[3] = INFINITY;
  pc_error error = {0};
  pc_fe_answer a;
  assert_int_equal(pc_fe_collision_solve(good, m->velocity, NULL, &a, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "node 1"));
  pc_fe_collision_destroy(good);
  drop_model(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_on_a_support_follow_the_closed_form),
      cmocka_unit_test(equal_bars_that_meet_mirror_each_other),
      cmocka_unit_test(columns_of_water_follow_the_closed_form),
      cmocka_unit_test(a_rigid_wall_receives_what_the_series_says),
      cmocka_unit_test(a_debris_flow_loads_a_wall_as_studied),
      cmocka_unit_test(stiff_solids_collide_like_rigid_bodies),
      cmocka_unit_test(a_body_that_does_not_move_is_the_ground),
      cmocka_unit_test(the_diver_is_slowed_as_published),
      cmocka_unit_test(a_stone_skips_as_studied),
      cmocka_unit_test(answers_do_not_depend_on_numbers_of_nodes),
      cmocka_unit_test(small_collisions_agree_with_enumeration),
      cmocka_unit_test(random_collisions_are_optimal),
      cmocka_unit_test(collisions_are_contractions_and_homogeneous),
      cmocka_unit_test(percussions_become_momentum),
      cmocka_unit_test(solids_that_meet_keep_their_momentum),
      cmocka_unit_test(fluids_fill_a_closed_box),
      cmocka_unit_test(redundant_conditions_are_solved),
      cmocka_unit_test(corners_are_held_in_both_directions),
      cmocka_unit_test(held_nodes_need_no_condition_and_may_not_contradict_one),
      cmocka_unit_test(touching_nodes_may_change),
      cmocka_unit_test(a_renewed_collision_is_as_a_new_one),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
