// Systems of bodies in motion (Fremond, Collisions Engineering (2017), chapters 4 and 5): jumps
// against impact problems stated by hand and against closed forms, and Newton's cradle.
#include <stdlib.h>

#include "percuss/world_heat.h"
#include "worlds.h"

static const double RADIUS = 0.5;

typedef struct setting {
  int dimension;
  pc_treatment treatment;
  double gravity;
  double k, tangential; // of contacts of bodies
  double floor_k, floor_tangential;
  pc_system_laws laws;
  double mass, moment; // moment INFINITY: no rotation
} setting;

static pc_world *world_of(const setting *set)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = set->dimension;
  def.treatment = set->treatment;
  def.gravity[2] = 0;
  def.gravity[set->dimension - 1] = -set->gravity;
  def.tolerance = 1e-13;
  pc_world *world = pc_world_create(&def);
  pc_law law = {.normal = {.kind = PC_NORMAL_QUADRATIC, .k = set->k, .p = 2},
                .tangential = {.kind = PC_TANGENTIAL_VISCOUS, .k = set->tangential}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
  int floor = pc_world_add_material(world, 1000);
  law.normal.k = set->floor_k;
  law.tangential.k = set->floor_tangential;
  assert_int_equal(pc_world_set_law(world, 0, floor, &law), PC_OK);
  return world;
}

static pc_body add_body(pc_world *world, const setting *set, const double position[3],
                        const double velocity[3], const double spin[3])
{
  pc_body_def def = pc_body_def_default();
  def.mass = set->mass;
  def.no_rotation = isinf(set->moment);
  for (int k = 0; k < 9 && !def.no_rotation; k++)
    def.inertia[k] = k % 4 == 0 ? set->moment : 0;
  for (int k = 0; k < set->dimension; k++) {
    def.position[k] = position[k];
    def.velocity[k] = velocity[k];
  }
  for (int k = set->dimension == 2 ? 2 : 0; k < 3 && !def.no_rotation; k++)
    def.spin[k] = spin[k];
  return add(world, &def,
             set->dimension == 2 ? pc_shape_disc(RADIUS, NULL) : pc_shape_sphere(RADIUS, NULL));
}

static pc_body_state state_of(const pc_world *world, pc_body body)
{
  pc_body_state at;
  pc_body_get(world, body, &at);
  return at;
}

// The impact problem of the book for balls at these states: (4.20) to (4.22), and with a floor
// (5.2) and (5.3). `touch` lists contacts of pairs, in the order of the chain.
typedef struct by_hand {
  pc_impact *problem;
  int balls;
  double point[8][3]; // of contacts
} by_hand;

static by_hand state_by_hand(const setting *set, int balls, const pc_body_state *at, double h)
{
  by_hand own = {.problem = pc_impact_create(), .balls = balls};
  bool plane = set->dimension == 2;
  for (int i = 0; i < balls; i++) {
    pc_impact_body body = pc_impact_body_default();
    body.dof = !plane ? 6 : isinf(set->moment) ? 2 : 3;
    body.mass = set->mass;
    for (int k = 0; k < 9; k++)
      body.inertia[k] = plane ? (k == 0 ? set->moment : 0) : k % 4 == 0 ? set->moment : 0;
    memcpy(body.position, at[i].position, sizeof body.position);
    memcpy(body.velocity, at[i].velocity, (plane ? 2 : 3) * sizeof(double));
    if (plane && body.dof == 3)
      body.velocity[2] = at[i].spin[2];
    if (!plane)
      memcpy(body.velocity + 3, at[i].spin, sizeof at[i].spin);
    body.percussion[set->dimension - 1] = -set->gravity * h * set->mass;
    assert_int_equal(pc_impact_add_body(own.problem, &body), i);
  }
  return own;
}

static void add_by_hand(by_hand *own, const pc_interaction *entry)
{
  if (pc_impact_add_interaction(own->problem, entry) < 0)
    fail_msg("%s", pc_impact_error(own->problem));
}

static void add_contact(by_hand *own, const setting *set, const pc_body_state *at, int a, int b,
                        int number)
{
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.bodies[0] = a;
  contact.bodies[1] = b;
  for (int k = 0; k < 3; k++) {
    contact.normal[k] = at[a].position[k] - at[b].position[k];
    contact.point[k] = own->point[number][k] = 0.5 * (at[a].position[k] + at[b].position[k]);
  }
  contact.law = (pc_law){.normal = {.kind = PC_NORMAL_QUADRATIC, .k = set->k, .p = 2},
                         .tangential = {.kind = PC_TANGENTIAL_VISCOUS, .k = set->tangential}};
  add_by_hand(own, &contact);
}

static void add_distance(by_hand *own, double nu, int a, int b, int first, int last)
{
  pc_interaction entry = pc_interaction_default(PC_DISTANCE);
  entry.bodies[0] = a;
  entry.bodies[1] = b;
  memcpy(entry.points[0], own->point[first], sizeof entry.points[0]);
  memcpy(entry.points[1], own->point[last], sizeof entry.points[1]);
  entry.law.normal.k = nu;
  add_by_hand(own, &entry);
}

static void add_spin(by_hand *own, const setting *set, double k, int a, int b)
{
  pc_interaction entry = pc_interaction_default(PC_SPIN);
  entry.bodies[0] = a;
  entry.bodies[1] = b;
  entry.law.normal.k = k;
  if (set->dimension == 3 || isfinite(set->moment))
    add_by_hand(own, &entry);
}

static void add_floor_contact(by_hand *own, const setting *set, const pc_body_state *at, int a)
{
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.bodies[0] = a;
  contact.normal[0] = 0;
  contact.normal[set->dimension - 1] = 1;
  memcpy(contact.point, at[a].position, sizeof contact.point);
  contact.point[set->dimension - 1] -= RADIUS;
  contact.law = (pc_law){.normal = {.kind = PC_NORMAL_QUADRATIC, .k = set->floor_k, .p = 2},
                         .tangential = {.kind = PC_TANGENTIAL_VISCOUS, .k = set->floor_tangential}};
  add_by_hand(own, &contact);
}

// The velocities after, as in bodies of a world. Gives what was dissipated.
static double solve_by_hand(by_hand *own, const setting *set, pc_body_state *after)
{
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.tolerance = 1e-13;
  assert_int_equal(pc_impact_solve(own->problem, &options, &info), PC_OK);
  assert_int_equal(info.status, PC_SOLVED);
  for (int i = 0; i < own->balls; i++) {
    double u[6] = {0};
    pc_impact_velocity(own->problem, i, u);
    after[i] = (pc_body_state){.position = {0}};
    memcpy(after[i].velocity, u, (size_t)set->dimension * sizeof(double));
    if (set->dimension == 3)
      memcpy(after[i].spin, u + 3, sizeof after[i].spin);
    else
      after[i].spin[2] = isfinite(set->moment) ? u[2] : 0;
  }
  pc_impact_destroy(own->problem);
  return info.audit.dissipated;
}

static void assert_same_velocities(const pc_world *world, const pc_body *body, int count,
                                   const pc_body_state *want, double tolerance)
{
  for (int i = 0; i < count; i++) {
    pc_body_state got = state_of(world, body[i]);
    for (int k = 0; k < 3; k++) {
      assert_near(got.velocity[k], want[i].velocity[k], tolerance);
      assert_near(got.spin[k], want[i].spin[k], tolerance);
    }
  }
}

// Where bodies are at the middle of the step, as they move freely to there.
static void move_half(pc_body_state *at, double h)
{
  for (int k = 0; k < 3; k++)
    at->position[k] += 0.5 * h * at->velocity[k];
}

static setting random_setting(pc_random *random, int level)
{
  setting set = {.dimension = 2 + pc_random_below(random, 2),
                 .treatment = level == 0 ? PC_VELOCITY_LEVEL : PC_POSITION_LEVEL,
                 .k = random_decades(random, 0.05, 20),
                 .tangential = random_decades(random, 0.05, 20),
                 .laws = {random_decades(random, 0.01, 100), random_decades(random, 0.01, 10),
                          random_decades(random, 0.01, 10)},
                 .mass = random_decades(random, 0.1, 10)};
  set.moment =
      pc_random_below(random, 4) == 0 ? INFINITY : set.mass * random_decades(random, 0.05, 0.25);
  return set;
}

// Three balls: the second and third touch at rest, the first arrives (figure 4.1), in the plane or
// in space, with a gap that closes in the step.
static void three_balls_jump_as_in_an_impact_problem(void **state)
{
  pc_random random = test_random("three balls");
  const double h = 1e-3;
  for (int i = 0; i < test_count(400); i++) {
    setting set = random_setting(&random, i % 2);
    // At velocity level bodies touch that overlap, however little.
    double apart = 2 * RADIUS * (set.treatment == PC_VELOCITY_LEVEL ? 1 - 1e-13 : 1);
    double theta = pc_random_uniform(&random, -1.5, 1.5), speed = pc_random_uniform(&random, 1, 10);
    double side = pc_random_uniform(&random, -0.5, 0.5);
    double way = pc_random_uniform(&random, 0.55, 0.95) * h * speed; // of the first to the second
    pc_body_state at[3] = {{.position = {0}}};
    at[0].position[0] = -2 * RADIUS - way;
    at[0].velocity[0] = speed;
    at[0].velocity[1] = side * speed;
    at[0].spin[2] = isfinite(set.moment) ? pc_random_uniform(&random, -5, 5) : 0;
    if (set.dimension == 3 && isfinite(set.moment))
      at[0].spin[1] = pc_random_uniform(&random, -5, 5);
    at[2].position[0] = apart * cos(theta);
    at[2].position[1] = apart * sin(theta);
    pc_world *world = world_of(&set);
    pc_body body[3];
    for (int b = 0; b < 3; b++)
      body[b] = add_body(world, &set, at[b].position, at[b].velocity, at[b].spin);
    assert_int_equal(pc_world_add_system(world, 3, body, &set.laws), 0);
    assert_int_equal(pc_world_systems(world), 1);
    for (int b = 0; b < 3; b++)
      move_half(&at[b], h);
    by_hand own = state_by_hand(&set, 3, at, h);
    add_contact(&own, &set, at, 0, 1, 0);
    add_contact(&own, &set, at, 1, 2, 1);
    add_distance(&own, set.laws.distance, 0, 2, 0, 1);
    add_spin(&own, &set, set.laws.spin, 0, 1);
    add_spin(&own, &set, set.laws.spin, 1, 2);
    add_spin(&own, &set, set.laws.spin_distance, 0, 2);
    pc_body_state after[3];
    double dissipated = solve_by_hand(&own, &set, after);
    const pc_step_info *info = step(world, h);
    assert_true(info->closed);
    assert_near(info->dissipated, dissipated, 1e-10 * set.mass * speed * speed);
    assert_same_velocities(world, body, 3, after, 1e-10 * speed);
    // What is said of it adds up.
    double sum = 0;
    int actions = pc_world_system_actions(world);
    assert_int_equal(actions, 4); // one at a distance, three of spins
    for (int a = 0; a < actions; a++) {
      pc_system_action action;
      pc_world_system_action(world, a, &action);
      assert_true(action.dissipated >= -1e-15);
      sum += action.dissipated;
      double along = 0, across = 0;
      for (int k = 0; k < 3; k++) {
        double line = action.points[0][k] - action.points[1][k];
        along += line * action.impulse[k];
        across += line * action.moment[k];
      }
      assert_true(action.impulse[0] == 0 || fabs(along) > 0);
      assert_true(isfinite(across));
    }
    assert_near(info->at_distance, sum, 1e-12 * set.mass * speed * speed);
    // Nothing of the system acts in the next step: all contacts open or rest.
    assert_near(step(world, h)->at_distance, 0, 0);
    pc_world_destroy(world);
  }
}

// A random tree of balls that touch, as far as positions are accurate, hit by one of its ends.
enum { MOST = 6 };
typedef struct tree {
  int count, parent[MOST];
  pc_body_state at[MOST];
} tree;

static bool is_free_place(const tree *of, const double *place, int parent, double apart)
{
  for (int b = 0; b < of->count; b++) {
    double d[3], sum = 0;
    for (int k = 0; k < 3; k++) {
      d[k] = place[k] - of->at[b].position[k];
      sum += d[k] * d[k];
    }
    if (b != parent && sqrt(sum) < apart)
      return false;
  }
  return true;
}

static void random_direction(pc_random *random, int dimension, double out[3])
{
  double sum = 0;
  out[2] = 0;
  for (int k = 0; k < dimension; k++) {
    out[k] = pc_random_normal(random);
    sum += out[k] * out[k];
  }
  for (int k = 0; k < dimension; k++)
    out[k] /= sqrt(sum);
}

static tree grow_tree(pc_random *random, const setting *set, double h, double speed)
{
  tree one = {.count = 1, .parent = {-1}};
  int count = 3 + pc_random_below(random, MOST - 2);
  while (one.count < count) {
    // The last ball to come in is the one that hits.
    bool hits = one.count == count - 1;
    int parent = pc_random_below(random, one.count);
    double gap = hits ? pc_random_uniform(random, 0.55, 0.95) * h * speed
                      : pc_random_uniform(random, -1e-13, 1) * 1e-5;
    double way[3], place[3];
    random_direction(random, set->dimension, way);
    for (int k = 0; k < 3; k++)
      place[k] = one.at[parent].position[k] + (2 * RADIUS + gap) * way[k];
    if (!is_free_place(&one, place, parent, 2.1 * RADIUS))
      continue;
    pc_body_state *ball = &one.at[one.count];
    memcpy(ball->position, place, sizeof place);
    for (int k = 0; k < set->dimension && hits; k++)
      ball->velocity[k] = -speed * way[k];
    for (int k = set->dimension == 2 ? 2 : 0; k < 3 && hits && isfinite(set->moment); k++)
      ball->spin[k] = pc_random_uniform(random, -5, 5);
    one.parent[one.count++] = parent;
  }
  return one;
}

// The bodies on the way from one to another, both included.
static int find_way(const tree *of, int from, int to, int *way)
{
  int up[2][MOST], depth[2] = {0}, count = 0;
  for (int e = 0; e < 2; e++)
    for (int b = e == 0 ? from : to; b >= 0; b = of->parent[b])
      up[e][depth[e]++] = b;
  while (depth[0] > 1 && depth[1] > 1 && up[0][depth[0] - 2] == up[1][depth[1] - 2]) {
    depth[0]--;
    depth[1]--;
  }
  for (int i = 0; i < depth[0]; i++)
    way[count++] = up[0][i];
  for (int i = depth[1] - 2; i >= 0; i--)
    way[count++] = up[1][i];
  return count;
}

// The contact of two neighbours has the number of the child.
static int contact_between(const tree *of, int a, int b)
{
  return of->parent[a] == b ? a : b;
}

static void clusters_jump_as_in_an_impact_problem(void **state)
{
  pc_random random = test_random("clusters");
  const double h = 1e-3;
  for (int i = 0; i < test_count(400); i++) {
    setting set = random_setting(&random, i % 2);
    double speed = pc_random_uniform(&random, 1, 10);
    tree one = grow_tree(&random, &set, h, speed);
    pc_world *world = world_of(&set);
    pc_body body[MOST];
    for (int b = 0; b < one.count; b++) {
      body[b] = add_body(world, &set, one.at[b].position, one.at[b].velocity, one.at[b].spin);
      move_half(&one.at[b], h);
    }
    assert_int_equal(pc_world_add_system(world, one.count, body, &set.laws), 0);
    by_hand own = state_by_hand(&set, one.count, one.at, h);
    for (int b = 1; b < one.count; b++)
      add_contact(&own, &set, one.at, b, one.parent[b], b);
    for (int a = 0; a < one.count; a++)
      for (int b = a + 1; b < one.count; b++) {
        int way[MOST], steps = find_way(&one, a, b, way);
        if (steps > 2)
          add_distance(&own, set.laws.distance, a, b, contact_between(&one, way[0], way[1]),
                       contact_between(&one, way[steps - 2], way[steps - 1]));
        add_spin(&own, &set, steps > 2 ? set.laws.spin_distance : set.laws.spin, a, b);
      }
    pc_body_state after[MOST];
    double dissipated = solve_by_hand(&own, &set, after);
    const pc_step_info *info = step(world, h);
    assert_true(info->closed);
    assert_near(info->dissipated, dissipated, 1e-9 * set.mass * speed * speed);
    assert_same_velocities(world, body, one.count, after, 1e-9 * speed);
    pc_world_destroy(world);
  }
}

// Three disks in a line that do not turn, 4.8.1: the closed form of all four statuses, with
// d12 = u1 - u2 and d23 = u2 - u3 after; u1 = 1 before.
static void line_of_three(double m, double k, double nu, double u[3])
{
  double kappa = 16 * RADIUS * RADIUS * nu, d12, d23;
  double s = (m - 0.5 * k - kappa) / (m + 0.5 * k + kappa), a = (m - 1.5 * k) / (m + 1.5 * k);
  d12 = 0.5 * (s + a);
  d23 = 0.5 * (s - a);
  if (d12 > 0 || d23 > 0) {
    d23 = 0; // the second contact is kept
    d12 = (4 * m / 3 - k - kappa) / (4 * m / 3 + k + kappa);
    if (d12 > 0 || m > 1.5 * k) {
      double u3 = (k + 3 * kappa) / (4 * m + 3 * k + 3 * kappa);
      d12 = 0;
      d23 = 0.5 * (1 - 3 * u3);
      if (d23 > 0)
        d23 = 0;
    }
  }
  u[0] = (1 + 2 * d12 + d23) / 3;
  u[1] = (1 - d12 + d23) / 3;
  u[2] = (1 - d12 - 2 * d23) / 3;
}

static void three_disks_in_a_line_follow_the_closed_form(void **state)
{
  pc_random random = test_random("line");
  for (int i = 0; i < test_count(400); i++) {
    setting set = {.dimension = 2,
                   .treatment = PC_POSITION_LEVEL,
                   .k = random_decades(&random, 0.1, 10),
                   .laws.distance = random_decades(&random, 0.001, 10),
                   .mass = random_decades(&random, 0.1, 10),
                   .moment = INFINITY};
    pc_world *world = world_of(&set);
    pc_body body[3];
    for (int b = 0; b < 3; b++)
      body[b] =
          add_body(world, &set, (const double[3]){2 * RADIUS * b - (b == 0 ? 0.8e-3 : 0), 0, 0},
                   (const double[3]){b == 0, 0, 0}, (const double[3]){0, 0, 0});
    pc_world_add_system(world, 3, body, &set.laws);
    double u[3];
    line_of_three(set.mass, set.k, set.laws.distance, u);
    // The interaction is between contact points, which are closer by half the gap that is left.
    assert_true(step(world, 1e-3)->closed);
    for (int b = 0; b < 3; b++)
      assert_near(state_of(world, body[b]).velocity[0], u[b], 2e-3);
    pc_world_destroy(world);
  }
}

// Chapter 5: the balls lie on a plane, under gravity, and the first one rolls, slides or spins into
// the others. The contacts with the plane act as the book has it, with k and reaction, although
// they were at rest.
static void balls_on_a_plane_jump_as_in_an_impact_problem(void **state)
{
  pc_random random = test_random("plane");
  const double h = 1e-4;
  for (int i = 0; i < test_count(200); i++) {
    setting set = random_setting(&random, 1);
    set.dimension = 3;
    set.gravity = 9.81;
    set.floor_k = random_decades(&random, 0.05, 20);
    set.floor_tangential = random_decades(&random, 0.05, 20);
    if (isinf(set.moment))
      set.moment = 0.1 * set.mass;
    double theta = pc_random_uniform(&random, -1.5, 1.5), speed = pc_random_uniform(&random, 1, 10);
    pc_body_state at[3] = {{.position = {0}}};
    at[0].position[0] = -2 * RADIUS - 0.8 * h * speed;
    at[0].velocity[0] = speed;
    at[0].spin[1] = pc_random_uniform(&random, -2, 2) * speed / RADIUS;
    at[2].position[0] = 2 * RADIUS * cos(theta);
    at[2].position[1] = 2 * RADIUS * sin(theta);
    pc_world *world = world_of(&set);
    pc_body_def floor = pc_body_def_default();
    floor.kind = PC_FIXED;
    floor.material = 1;
    add(world, &floor, pc_shape_plane(3, (const double[3]){0, 0, 1}, NULL));
    pc_body body[3];
    for (int b = 0; b < 3; b++) {
      at[b].position[2] = RADIUS;
      body[b] = add_body(world, &set, at[b].position, at[b].velocity, at[b].spin);
      move_half(&at[b], h);
    }
    pc_world_add_system(world, 3, body, &set.laws);
    by_hand own = state_by_hand(&set, 3, at, h);
    add_contact(&own, &set, at, 0, 1, 0);
    add_contact(&own, &set, at, 1, 2, 1);
    for (int b = 0; b < 3; b++)
      add_floor_contact(&own, &set, at, b);
    add_distance(&own, set.laws.distance, 0, 2, 0, 1);
    add_spin(&own, &set, set.laws.spin, 0, 1);
    add_spin(&own, &set, set.laws.spin, 1, 2);
    add_spin(&own, &set, set.laws.spin_distance, 0, 2);
    pc_body_state after[3];
    solve_by_hand(&own, &set, after);
    assert_true(step(world, h)->closed);
    assert_same_velocities(world, body, 3, after, 1e-9 * speed);
    pc_world_destroy(world);
  }
}

// A ball of no system hits a system: its bodies act on each other, the ball on none at a distance.
// Coefficients of a pair take the place of those of the system, and the order of bodies in the
// list does not matter.
static void a_system_acts_whatever_hits_it(void **state)
{
  const double h = 1e-3;
  setting set = {.dimension = 2,
                 .treatment = PC_POSITION_LEVEL,
                 .k = 0.3,
                 .tangential = 0.2,
                 .laws = {0.1, 0, 0},
                 .mass = 1,
                 .moment = 0.1};
  const pc_system_laws strong = {3, 0, 0};
  for (int turned = 0; turned < 2; turned++) {
    pc_body_state at[5] = {{.position = {0}}};
    at[0].position[0] = -2 * RADIUS - 0.7e-3;
    at[0].velocity[0] = 1;
    for (int b = 2; b < 5; b++) {
      at[b].position[0] = at[b - 1].position[0] + 2 * RADIUS * cos(0.4 * b);
      at[b].position[1] = at[b - 1].position[1] + 2 * RADIUS * sin(0.4 * b);
    }
    pc_world *world = world_of(&set);
    pc_body body[5], members[4];
    for (int b = 0; b < 5; b++)
      body[b] = add_body(world, &set, at[b].position, at[b].velocity, at[b].spin);
    for (int b = 0; b < 4; b++)
      members[b] = body[turned ? 4 - b : 1 + b];
    assert_int_equal(pc_world_add_system(world, 4, members, &set.laws), 0);
    const pc_body ends[2] = {body[1], body[4]};
    assert_int_equal(pc_world_set_system_pair(world, 0, ends, &strong), PC_OK);
    for (int b = 0; b < 5; b++)
      move_half(&at[b], h);
    by_hand own = state_by_hand(&set, 5, at, h);
    for (int b = 0; b < 4; b++)
      add_contact(&own, &set, at, b, b + 1, b);
    add_distance(&own, set.laws.distance, 1, 3, 1, 2);
    add_distance(&own, set.laws.distance, 2, 4, 2, 3);
    add_distance(&own, strong.distance, 1, 4, 1, 3);
    pc_body_state after[5];
    solve_by_hand(&own, &set, after);
    assert_true(step(world, h)->closed);
    assert_same_velocities(world, body, 5, after, 1e-10);
    pc_world_destroy(world);
  }
}

// Bodies that lie against each other, or touch slowly, do not collide.
static void a_system_at_rest_does_nothing(void **state)
{
  setting set = {.dimension = 3,
                 .treatment = PC_POSITION_LEVEL,
                 .gravity = 9.81,
                 .k = 1,
                 .tangential = 1,
                 .floor_k = 1,
                 .floor_tangential = 1,
                 .laws = {10, 1, 1},
                 .mass = 1,
                 .moment = 0.1};
  pc_world *world = world_of(&set);
  add_floor(world);
  pc_body body[3];
  for (int b = 0; b < 3; b++)
    body[b] = add_body(world, &set, (const double[3]){2 * RADIUS * b, 0, RADIUS},
                       (const double[3]){0.01, 0, 0}, (const double[3]){0, 0.02, 0});
  pc_world_add_system(world, 3, body, &set.laws);
  for (int i = 0; i < 200; i++) {
    assert_near(step(world, 1e-3)->at_distance, 0, 0);
    assert_int_equal(pc_world_system_actions(world), 0);
  }
  pc_world_destroy(world);
}

// Newton's cradle: balls of 0.1 kg on strings of 1 m, `raised` of them at 30 degrees. Its pairs are
// the first and the last ball, the second and the last but one, and so on. Strings are damped:
// balls that fly together would lose each other by the vibrations of their strings. Where the
// number of balls is even, the two in the middle touch, and their contact gives all back.
enum { MOST_BALLS = 7 };
typedef struct cradle_def {
  int balls, raised;
  double nu;
  pc_treatment treatment;
  bool heat;
} cradle_def;

typedef struct cradle {
  pc_world *world;
  int balls, raised;
  pc_body ball[MOST_BALLS];
} cradle;

static cradle make_cradle(const cradle_def *from)
{
  const double radius = 0.05, length = 1, angle = 3.14159265358979323846 / 6;
  pc_world_def def = pc_world_def_default();
  def.dimension = 2;
  def.treatment = from->treatment;
  def.gravity[1] = -9.81;
  def.gravity[2] = 0;
  cradle c = {.world = pc_world_create(&def), .balls = from->balls, .raised = from->raised};
  pc_law law = {.normal = {.kind = PC_NORMAL_INELASTIC}};
  assert_int_equal(pc_world_set_default_law(c.world, &law), PC_OK);
  int right = pc_world_add_material(c.world, 1000);
  law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 1e6, .p = 2};
  if (c.balls % 2 == 0)
    assert_int_equal(pc_world_set_law(c.world, 0, right, &law), PC_OK);
  for (int i = 0; i < c.balls; i++) {
    pc_body_def hook = pc_body_def_default(), ball = pc_body_def_default();
    hook.kind = PC_FIXED;
    hook.position[0] = 2 * radius * i;
    pc_body fixed = add(c.world, &hook, pc_shape_disc(0.1 * radius, NULL));
    double turn = i < c.raised ? angle : 0;
    ball.mass = 0.1;
    ball.no_rotation = true; // as on two strings
    ball.material = 2 * i < c.balls ? 0 : right;
    ball.position[0] = 2 * radius * i - length * sin(turn);
    ball.position[1] = -length * cos(turn);
    c.ball[i] = add(c.world, &ball, pc_shape_disc(radius, NULL));
    tie(c.world, c.ball[i], fixed, length, 1e8, 1e3);
  }
  if (from->heat) {
    pc_heat_def warm = pc_heat_def_default();
    assert_int_equal(pc_world_set_heat(c.world, &warm), PC_OK);
  }
  const pc_system_laws none = {0}, strong = {from->nu, 0, 0};
  assert_int_equal(pc_world_add_system(c.world, c.balls, c.ball, &none), 0);
  for (int i = 0; i < c.balls / 2; i++) {
    const pc_body pair[2] = {c.ball[i], c.ball[c.balls - 1 - i]};
    assert_int_equal(pc_world_set_system_pair(c.world, 0, pair, &strong), PC_OK);
  }
  return c;
}

// Runs the cradle for so many collisions. Gives the part of the energy at the start that the
// outgoing balls have in the step after the last.
static double swing(const cradle *c, double h, int collisions)
{
  const double g = 9.81, m = 0.1;
  double start = 0, share = 0;
  for (int i = 0; i < 100000 && collisions > 0; i++) {
    const pc_step_info *info = step(c->world, h);
    assert_true(info->closed);
    if (i == 0)
      start = info->potential_start;
    if (info->at_distance == 0)
      continue;
    collisions--;
    bool right = state_of(c->world, c->ball[c->balls - 1]).velocity[0] > 0.5;
    double energy = 0;
    for (int b = 0; b < c->raised; b++) {
      pc_body_state at = state_of(c->world, c->ball[right ? c->balls - 1 - b : b]);
      energy += 0.5 * m * (at.velocity[0] * at.velocity[0] + at.velocity[1] * at.velocity[1]) +
                m * g * (at.position[1] + 1);
    }
    share = energy / (start + c->balls * m * g);
  }
  assert_int_equal(collisions, 0);
  return share;
}

static void the_cradle_swings_for_ten_periods(void **state)
{
  const double steps[] = {4e-3, 2e-3, 1e-3, 7.3e-4, 5e-4};
  for (int s = 0; s < 5; s++)
    for (int level = 0; level < 2; level++) {
      cradle c = make_cradle(
          &(cradle_def){.balls = 5,
                        .raised = 1,
                        .nu = 1e4,
                        .treatment = level == 0 ? PC_VELOCITY_LEVEL : PC_POSITION_LEVEL});
      double share = swing(&c, steps[s], 20);
      printf("h = %g, level %d: %.5f of the energy after 20 collisions, at %.4g s\n", steps[s],
             level, share, pc_world_time(c.world));
      assert_true(share > 0.995 && share < 1.0005);
      pc_world_destroy(c.world);
    }
}

// As many balls leave as arrive, with balls in the middle that go through, for even numbers too.
static void as_many_balls_leave_as_arrive(void **state)
{
  const int cradles[][2] = {{3, 2}, {4, 2}, {4, 3}, {5, 2}, {5, 3}, {5, 4}, {7, 3}};
  const double steps[] = {4e-3, 2e-3};
  for (int i = 0; i < (int)(sizeof cradles / sizeof *cradles); i++)
    for (int run = 0; run < 4; run++) {
      cradle c = make_cradle(
          &(cradle_def){.balls = cradles[i][0],
                        .raised = cradles[i][1],
                        .nu = 1e4,
                        .treatment = run % 2 == 0 ? PC_VELOCITY_LEVEL : PC_POSITION_LEVEL});
      double share = swing(&c, steps[run / 2], 20);
      printf("%d of %d balls, h = %g, level %d: %.5f\n", c.raised, c.balls, steps[run / 2], run % 2,
             share);
      assert_true(share > 0.985 && share < 1.0005);
      pc_world_destroy(c.world);
    }
}

// Without the interaction at a distance these contacts keep all balls together.
static void contacts_alone_do_not_make_a_cradle(void **state)
{
  cradle c = make_cradle(&(cradle_def){.balls = 5, .raised = 1, .treatment = PC_POSITION_LEVEL});
  double most = 0;
  for (int i = 0; i < 1000; i++) {
    step(c.world, 1e-3);
    pc_body_state at = state_of(c.world, c.ball[c.balls - 1]);
    most = fmax(most, at.velocity[0]);
  }
  assert_true(most < 0.25 * 1.62); // a fifth of the speed
  pc_world_destroy(c.world);
}

// What a soft interaction takes warms the two bodies, and the run balance holds.
static void what_systems_take_is_heat(void **state)
{
  cradle c = make_cradle(&(cradle_def){
      .balls = 5, .raised = 1, .nu = 0.05, .treatment = PC_POSITION_LEVEL, .heat = true});
  for (int i = 0; i < 1500; i++)
    assert_true(step(c.world, 1e-3)->closed);
  const pc_step_info *info = pc_world_info(c.world);
  assert_true(info->total_at_distance > 1e-3);
  assert_near(info->thermal, info->total_dissipated, 1e-12);
  assert_true(info->drift < 1e-12);
  assert_true(pc_body_get_heat(c.world, c.ball[0]) > 0.4 * info->total_at_distance);
  pc_world_destroy(c.world);
}

static void a_saved_cradle_goes_on_bit_for_bit(void **state)
{
  const double h = 1e-3;
  const cradle_def def = {.balls = 5, .raised = 1, .nu = 1e4, .treatment = PC_POSITION_LEVEL};
  cradle one = make_cradle(&def);
  for (int i = 0; i < 505; i++)
    step(one.world, h);
  cradle two = make_cradle(&def);
  size_t size = pc_world_save(one.world, NULL, 0);
  char *bytes = malloc(size), *more = malloc(size);
  pc_world_save(one.world, bytes, size);
  assert_int_equal(pc_world_load(two.world, bytes, size), PC_OK);
  pc_world_set_threads(two.world, 2);
  for (int i = 0; i < 100; i++) {
    step(one.world, h);
    step(two.world, h);
  }
  assert_int_equal(pc_world_save(one.world, NULL, 0), pc_world_save(two.world, NULL, 0));
  size = pc_world_save(one.world, NULL, 0);
  bytes = realloc(bytes, size);
  more = realloc(more, size);
  pc_world_save(one.world, bytes, size);
  pc_world_save(two.world, more, size);
  assert_memory_equal(bytes, more, size);
  free(bytes);
  free(more);
  pc_world_destroy(one.world);
  pc_world_destroy(two.world);
}

static void impossible_systems_are_rejected(void **state)
{
  setting set = {.dimension = 2, .treatment = PC_POSITION_LEVEL, .k = 1, .mass = 1, .moment = 1};
  pc_world *world = world_of(&set);
  pc_body floor = add_floor(world);
  const double rest[3] = {0};
  pc_body a = add_body(world, &set, (const double[3]){0, 5, 0}, rest, rest);
  pc_body b = add_body(world, &set, (const double[3]){2, 5, 0}, rest, rest);
  pc_body c = add_body(world, &set, (const double[3]){4, 5, 0}, rest, rest);
  const pc_system_laws laws = {1, 0, 0}, negative = {-1, 0, 0}, infinite = {0, INFINITY, 0};
  assert_int_equal(pc_world_add_system(world, 1, &a, &laws), -1);
  assert_says(pc_world_error(world), "a system needs at least two bodies");
  assert_int_equal(pc_world_add_system(world, 2, (const pc_body[2]){a, floor}, &laws), -1);
  assert_says(pc_world_error(world), "must be free");
  assert_int_equal(pc_world_add_system(world, 2, (const pc_body[2]){a, a}, &laws), -1);
  assert_says(pc_world_error(world), "twice");
  assert_int_equal(pc_world_add_system(world, 2, (const pc_body[2]){a, b}, &negative), -1);
  assert_int_equal(pc_world_add_system(world, 2, (const pc_body[2]){a, b}, &infinite), -1);
  assert_says(pc_world_error(world), "finite");
  assert_int_equal(pc_world_add_system(world, 2, (const pc_body[2]){a, b}, &laws), 0);
  assert_int_not_equal(pc_world_set_system_pair(world, 0, (const pc_body[2]){a, c}, &laws), PC_OK);
  assert_says(pc_world_error(world), "a pair of a system must have two different bodies of");
  assert_int_not_equal(pc_world_set_system_pair(world, 1, (const pc_body[2]){a, b}, &laws), PC_OK);
  assert_says(pc_world_error(world), "unknown system");
  assert_int_equal(pc_world_set_system_pair(world, 0, (const pc_body[2]){b, a}, &laws), PC_OK);
  pc_world_destroy(world);
  set.treatment = PC_PENALTY;
  world = world_of(&set);
  const pc_body two[2] = {add_body(world, &set, (const double[3]){0, 5, 0}, rest, rest),
                          add_body(world, &set, (const double[3]){2, 5, 0}, rest, rest)};
  assert_int_equal(pc_world_add_system(world, 2, two, &laws), -1);
  assert_says(pc_world_error(world), "'penalty'");
  pc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_balls_jump_as_in_an_impact_problem),
      cmocka_unit_test(clusters_jump_as_in_an_impact_problem),
      cmocka_unit_test(three_disks_in_a_line_follow_the_closed_form),
      cmocka_unit_test(balls_on_a_plane_jump_as_in_an_impact_problem),
      cmocka_unit_test(a_system_acts_whatever_hits_it),
      cmocka_unit_test(a_system_at_rest_does_nothing),
      cmocka_unit_test(the_cradle_swings_for_ten_periods),
      cmocka_unit_test(as_many_balls_leave_as_arrive),
      cmocka_unit_test(contacts_alone_do_not_make_a_cradle),
      cmocka_unit_test(what_systems_take_is_heat),
      cmocka_unit_test(a_saved_cradle_goes_on_bit_for_bit),
      cmocka_unit_test(impossible_systems_are_rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
