// Rolling friction: one contact against the law itself and against other ways to solve it, balls
// and discs against closed forms, many contacts against an independent residual.
#include <string.h>

#include "core/small.h"
#include "impact/laws/law.h"
#include "percuss/impact.h"
#include "percuss/scene.h"
#include "percuss/world.h"
#include "problems.h"
#include "support.h"

// How far (u, r) is from the law, written down from the law: u_N >= 0, r_N >= 0, u_N r_N = 0,
// |r_i| <= mu_i r_N and r_i . v_i = -mu_i r_N |v_i| for sliding and for rolling. All in one unit.
static double distance(int rows, int rolls, const double *u, const double *r, const double mu[2])
{
  double worst = fmax(fmax(-u[0], -r[0]), fabs(u[0] * r[0]));
  int slides = rows - 1 - rolls, first[2] = {1, 1 + slides}, size[2] = {slides, rolls};
  for (int k = 0; k < 2; k++) {
    double push = 0, slip = 0, power = 0;
    for (int i = first[k]; i < first[k] + size[k]; i++) {
      push += r[i] * r[i];
      slip += u[i] * u[i];
      power += r[i] * u[i];
    }
    worst = fmax(worst, sqrt(push) - mu[k] * r[0]);
    worst = fmax(worst, fabs(power + mu[k] * r[0] * sqrt(slip)));
  }
  return worst;
}

static void random_operator(pc_random *random, int n, double least, double *a)
{
  double root[36];
  for (int i = 0; i < n * n; i++)
    root[i] = pc_random_uniform(random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i == j ? least : 0;
      for (int k = 0; k < n; k++)
        a[i * n + j] += root[i * n + k] * root[j * n + k];
    }
}

static void multiply(int n, const double *a, const double *c, const double *r, double *u)
{
  for (int i = 0; i < n; i++) {
    u[i] = c[i];
    for (int j = 0; j < n; j++)
      u[i] += a[i * n + j] * r[j];
  }
}

// What pc_block_solve finds obeys the law, in space and in the plane, near singular operators too.
static void blocks_obey_the_law(void **state)
{
  pc_random random = test_random("blocks_obey_the_law");
  int none = 0, count = test_count(60000), stuck = 0, open = 0, slid = 0, rolled = 0;
  for (int i = 0; i < count; i++) {
    int rolls = 1 + pc_random_below(&random, 2), rows = 1 + 2 * rolls;
    pc_block_law law = {.rows = rows, .normal = 1, .rolls = rolls};
    law.row.ops = &pc_law_inelastic;
    law.tangential = PC_TANGENTIAL_COULOMB;
    law.mu = pc_random_below(&random, 8) == 0 ? 0 : pc_random_uniform(&random, 0, 1);
    law.mu_r = pc_random_below(&random, 8) == 0 ? 0 : pow(10, pc_random_uniform(&random, -4, 0.5));
    double a[25], c[5], r[5] = {0}, u[5], size = 1;
    random_operator(&random, rows, pow(10, pc_random_uniform(&random, -6, 0)), a);
    for (int k = 0; k < rows; k++) {
      c[k] = pc_random_uniform(&random, -2, 2);
      if (k > 0)
        law.shift[k - 1] = pc_random_uniform(&random, -1, 1);
      if (pc_random_below(&random, 2) == 0)
        r[k] = pc_random_uniform(&random, -1, 1);
    }
    pc_block_local local;
    pc_rolling_local wide = {0};
    pc_block_prepare(&law, a, &local, rows > 3 ? &wide : NULL);
    if (!pc_block_solve(&law, &local, c, r)) {
      none++;
      continue;
    }
    multiply(rows, a, c, r, u);
    for (int k = 0; k < rows; k++)
      size = fmax(size, fabs(r[k]));
    for (int k = 1; k < rows; k++)
      u[k] += law.shift[k - 1];
    double worst = distance(rows, rolls, u, r, (double[]){law.mu, law.mu_r});
    if (!(worst <= 1e-8 * size * size))
      fail_msg("case %d: %d rows, mu %g and %g: off by %g", i, rows, law.mu, law.mu_r, worst);
    bool slides = pc_norm(rolls, u + 1) > 1e-9, rolling = pc_norm(rolls, u + 1 + rolls) > 1e-9;
    open += r[0] == 0;
    stuck += r[0] > 0 && !slides && !rolling;
    slid += r[0] > 0 && slides;
    rolled += r[0] > 0 && rolling;
  }
  printf("%d of %d blocks without a solution; %d open, %d stuck, %d slide, %d roll\n", none, count,
         open, stuck, slid, rolled);
  assert_true(none < count / 20 && stuck > count / 200 && slid > count / 10 && rolled > count / 10);
}

// Where friction pulls the bodies together by less than the normal percussion pushes them apart,
// mu |a_Nt| < a_NN, there is a solution: D_N grows without end with r_N, and it is continuous. It
// is found from any guess, for operators of any rank and rows of very different size.
static void blocks_without_jamming_have_a_solution(void **state)
{
  pc_random random = test_random("blocks_without_jamming_have_a_solution");
  int count = test_count(20000), missed = 0;
  for (int i = 0; i < count; i++) {
    int rolls = 1 + pc_random_below(&random, 2), rows = 1 + 2 * rolls;
    pc_block_law law = {.rows = rows, .normal = 1, .rolls = rolls};
    law.row.ops = &pc_law_inelastic;
    law.tangential = PC_TANGENTIAL_COULOMB;
    double a[25], c[5], r[5] = {0}, u[5], size = 1, unit[5];
    random_operator(&random, rows, pow(10, pc_random_uniform(&random, -9, 0)), a);
    for (int k = 0; k < rows; k++)
      unit[k] = random_decades(&random, 0.1, 10);
    for (int k = 0; k < rows * rows; k++)
      a[k] *= unit[k / rows] * unit[k % rows];
    double pull[2] = {pc_norm(rolls, a + 1), pc_norm(rolls, a + 1 + rolls)};
    law.mu = pc_random_uniform(&random, 0, 0.5) * fmin(a[0] / pull[0], 10);
    law.mu_r = pc_random_uniform(&random, 0, 0.49) * fmin(a[0] / pull[1], 10);
    for (int k = 0; k < rows; k++) {
      c[k] = unit[k] * pc_random_uniform(&random, -2, k == 0 ? 0 : 2);
      if (k > 0)
        law.shift[k - 1] = unit[k] * pc_random_uniform(&random, -1, 1);
      if (i % 2 == 0)
        r[k] = pc_random_uniform(&random, 0, 100);
    }
    pc_block_local local;
    pc_rolling_local wide = {0};
    pc_block_prepare(&law, a, &local, rows > 3 ? &wide : NULL);
    if (!pc_block_solve(&law, &local, c, r)) {
      missed++;
      continue;
    }
    multiply(rows, a, c, r, u);
    for (int k = 0; k < rows; k++)
      size = fmax(size, fmax(fabs(r[k]), fabs(u[k])));
    for (int k = 1; k < rows; k++)
      u[k] += law.shift[k - 1];
    double worst = distance(rows, rolls, u, r, (double[]){law.mu, law.mu_r});
    if (!(worst <= 1e-5 * size * size))
      fail_msg("case %d: %d rows, mu %g and %g: off by %g", i, rows, law.mu, law.mu_r, worst);
  }
  printf("%d of %d blocks not solved\n", missed, count);
  assert_int_equal(missed, 0);
}

// A way of its own, slow and plain: every percussion moves against its velocity by a small step and
// is put back on its disc, for as long as it takes.
static void creep(int rows, int rolls, const double *a, const double *c, const double mu[2],
                  double *r)
{
  double trace = 0, u[5], move = INFINITY;
  for (int i = 0; i < rows; i++)
    trace += a[i * rows + i];
  memset(r, 0, sizeof(double) * (size_t)rows);
  for (int step = 0; step < 2000000 && move > 1e-14; step++) {
    double last[5];
    memcpy(last, r, sizeof last);
    multiply(rows, a, c, r, u);
    for (int i = 0; i < rows; i++)
      r[i] -= u[i] / trace;
    r[0] = fmax(r[0], 0);
    for (int k = 0; k < 2; k++) {
      double *x = r + (k == 0 ? 1 : rows - rolls);
      double size = pc_norm(rolls, x), part = size > mu[k] * r[0] ? mu[k] * r[0] / size : 1;
      for (int i = 0; i < rolls; i++)
        x[i] *= part;
    }
    move = 0;
    for (int i = 0; i < rows; i++)
      move = fmax(move, fabs(r[i] - last[i]));
  }
}

static void blocks_agree_with_a_creeping_iteration(void **state)
{
  pc_random random = test_random("blocks_agree_with_a_creeping_iteration");
  for (int i = 0; i < test_count(2000); i++) {
    int rolls = 1 + pc_random_below(&random, 2), rows = 1 + 2 * rolls;
    pc_block_law law = {.rows = rows, .normal = 1, .rolls = rolls};
    law.row.ops = &pc_law_inelastic;
    law.tangential = PC_TANGENTIAL_COULOMB;
    law.mu = pc_random_uniform(&random, 0, 0.3);
    law.mu_r = pc_random_uniform(&random, 0, 0.3);
    double a[25], c[5], r[5] = {0}, other[5];
    random_operator(&random, rows, 0.5, a);
    for (int k = 0; k < rows; k++)
      c[k] = pc_random_uniform(&random, k == 0 ? -2 : -1, k == 0 ? 0.5 : 1);
    pc_block_local local;
    pc_rolling_local wide = {0};
    pc_block_prepare(&law, a, &local, rows > 3 ? &wide : NULL);
    assert_true(pc_block_solve(&law, &local, c, r));
    creep(rows, rolls, a, c, (double[]){law.mu, law.mu_r}, other);
    for (int k = 0; k < rows; k++)
      if (!(fabs(r[k] - other[k]) <= 1e-9))
        fail_msg("case %d, row %d of %d: %.12g, not %.12g", i, k, rows, r[k], other[k]);
  }
}

// One ball.

static const double radius = 0.1, g = 9.81;

// A solid ball (or a disc in the plane) of 1 kg that touches the plane z = 0 (y = 0), rolling along
// x with speed v; gravity of one step of 1 ms has been added.
static pc_impact *ball_on_plane(bool plane, double v, double mu, double rolling, pc_coulomb_on on)
{
  pc_impact *problem = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  int up = plane ? 1 : 2;
  body.dof = plane ? 3 : 6;
  memset(body.inertia, 0, sizeof body.inertia);
  body.inertia[0] = (plane ? 0.5 : 0.4) * radius * radius;
  if (!plane)
    body.inertia[4] = body.inertia[8] = body.inertia[0];
  body.position[up] = radius;
  body.velocity[0] = v;
  body.velocity[up] = -1e-3 * g;
  body.velocity[plane ? 2 : 4] = (plane ? -1 : 1) * v / radius;
  contact.normal[0] = 0;
  contact.normal[up] = 1;
  contact.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB,
                                               .mu = {mu, mu},
                                               .on = on,
                                               .rolls = rolling >= 0,
                                               .rolling = fmax(rolling, 0)};
  assert_int_equal(pc_impact_add_body(problem, &body), 0);
  assert_int_equal(pc_impact_add_interaction(problem, &contact), 0);
  return problem;
}

static pc_solve_info solve_with(pc_impact *problem, const char *solver, double tolerance)
{
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = strcmp(solver, "nsgs") == 0 ? 3000 : 0;
  if (pc_impact_solve(problem, &options, &info) != PC_OK)
    fail_msg("%s: %s", solver, pc_impact_error(problem));
  return info;
}

static const char *const solvers[] = {"auto", "ipm", "nsgs", "uzawa"};

// While it rolls on, the moment is rolling m g h and the speed falls by g h rolling / R over
// 1 + I / (m R^2); what is dissipated is the moment times the turn.
static void a_rolling_ball_is_slowed(void **state)
{
  for (int plane = 0; plane < 2; plane++)
    for (int s = 0; s < 4; s++) {
      double rolling = 0.02, share = 1 / (1 + (plane ? 0.5 : 0.4)), after[6];
      pc_impact *problem = ball_on_plane(plane, 1, 0.5, rolling, PC_ON_AFTER);
      pc_solve_info info = solve_with(problem, solvers[s], 1e-10);
      pc_interaction_answer answer;
      pc_impact_answer(problem, 0, &answer);
      pc_impact_velocity(problem, 0, after);
      double v = 1 - share * 1e-3 * g * rolling / radius;
      assert_int_equal(info.status, PC_SOLVED);
      assert_true(info.audit.closed);
      assert_near(after[0], v, 1e-10);
      assert_near(after[plane ? 2 : 4], (plane ? -1 : 1) * v / radius, 1e-9);
      assert_int_equal(answer.size, plane ? 3 : 6);
      double moment = answer.percussion[plane ? 2 : 4];
      assert_near(moment, (plane ? -1 : 1) * rolling * 1e-3 * g, 1e-11);
      assert_near(info.audit.dissipated_friction, rolling * 1e-3 * g * 0.5 * (1 + v) / radius,
                  1e-10);
      double also[3];
      pc_impact_moment(problem, 0, also);
      assert_near(also[plane ? 2 : 1], moment, 0);
      assert_near(also[0], 0, 1e-15);
      pc_impact_destroy(problem);
    }
}

// Slower than the moment can take away in one step: it stops, in sliding and in rolling.
static void a_slow_ball_stops(void **state)
{
  for (int plane = 0; plane < 2; plane++)
    for (int s = 0; s < 4; s++) {
      double after[6];
      pc_impact *problem = ball_on_plane(plane, 1e-3, 0.5, 0.05, PC_ON_AFTER);
      solve_with(problem, solvers[s], 1e-10);
      pc_impact_velocity(problem, 0, after);
      for (int i = 0; i < (plane ? 3 : 6); i++)
        assert_near(after[i], 0, 1e-11);
      pc_impact_destroy(problem);
    }
}

// The motion after: a limit of the law, against the same without it or with a tie.
static void limits_are_coulomb_and_no_rolling(void **state)
{
  for (int plane = 0; plane < 2; plane++) {
    int dof = plane ? 3 : 6;
    double plain[6], none[6], small[6], large[6], tied[6];
    pc_impact *problem = ball_on_plane(plane, 1, 0.01, -1, PC_ON_AFTER);
    pc_impact_body spun = pc_impact_body_default(); // slides, and spins about all axes
    spun.dof = dof;
    for (int i = 0; i < dof; i++)
      spun.velocity[i] = 0.3 * (i + 1);
    spun.velocity[plane ? 1 : 2] = -1e-2;
    double *answers[] = {plain, none, small, large};
    const double rolling[] = {-1, 0, 1e-13, 1e6};
    for (int i = 0; i < 4; i++) {
      pc_impact_destroy(problem);
      problem = ball_on_plane(plane, 1, 0.01, rolling[i], PC_ON_AFTER);
      assert_int_equal(pc_impact_set_velocity(problem, 0, spun.velocity), PC_OK);
      solve_with(problem, "auto", 1e-12);
      pc_impact_velocity(problem, 0, answers[i]);
    }
    pc_impact_destroy(problem);
    // No rolling: spins about the tangents held by rows of their own.
    problem = ball_on_plane(plane, 1, 0.01, -1, PC_ON_AFTER);
    assert_int_equal(pc_impact_set_velocity(problem, 0, spun.velocity), PC_OK);
    pc_interaction tie = pc_interaction_default(PC_ROWS);
    double rows[12] = {0};
    pc_row_term term = {0, rows};
    rows[plane ? 2 : 3] = 1;
    if (!plane)
      rows[6 + 4] = 1;
    tie.rows = plane ? 1 : 2;
    tie.terms = 1;
    tie.term = &term;
    tie.law.tangential.kind = PC_TANGENTIAL_BILATERAL;
    assert_int_equal(pc_impact_add_interaction(problem, &tie), 1);
    solve_with(problem, "auto", 1e-12);
    pc_impact_velocity(problem, 0, tied);
    for (int i = 0; i < dof; i++) {
      assert_near(none[i], plain[i], 1e-12);
      assert_near(small[i], plain[i], 1e-12);
      assert_near(large[i], tied[i], 1e-9);
    }
    assert_near(large[plane ? 2 : 3], 0, 1e-10);
    if (!plane)
      assert_near(large[5], spun.velocity[5], 1e-12); // drilling is free
    pc_impact_destroy(problem);
  }
}

// An obstacle that turns by itself is the same as a body of infinite mass that does.
static void a_given_spin_is_that_of_the_obstacle(void **state)
{
  for (int plane = 0; plane < 2; plane++) {
    double after[2][6];
    for (int by_body = 0; by_body < 2; by_body++) {
      pc_impact *problem = pc_impact_create();
      pc_impact_body ball = pc_impact_body_default(), drum = pc_impact_body_default();
      pc_interaction contact = pc_interaction_default(PC_CONTACT);
      int up = plane ? 1 : 2;
      ball.dof = drum.dof = plane ? 3 : 6;
      ball.position[up] = radius;
      ball.velocity[up] = -1;
      drum.mass = INFINITY;
      for (int i = 0; i < 9; i++)
        drum.inertia[i] = i % 4 == 0 ? INFINITY : 0;
      drum.velocity[plane ? 2 : 3] = 3;
      if (!plane)
        drum.velocity[4] = -2;
      contact.normal[0] = 0;
      contact.normal[up] = 1;
      contact.law.tangential = (pc_tangential_law){
          .kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.3}, .rolls = true, .rolling = 0.05};
      assert_int_equal(pc_impact_add_body(problem, &ball), 0);
      if (by_body) {
        assert_int_equal(pc_impact_add_body(problem, &drum), 1);
        contact.bodies[1] = 1;
      } else {
        for (int i = 0; i < (plane ? 1 : 3); i++)
          contact.given[(plane ? 2 : 3) + i] = -drum.velocity[(plane ? 2 : 3) + i];
      }
      assert_int_equal(pc_impact_add_interaction(problem, &contact), 0);
      pc_solve_info info = solve_with(problem, "auto", 1e-12);
      assert_true(info.audit.closed);
      assert_true(fabs(info.audit.work_prescribed) > 1e-3);
      pc_impact_velocity(problem, 0, after[by_body]);
      pc_impact_destroy(problem);
    }
    assert_true(fabs(after[0][plane ? 2 : 3]) > 1e-3);
    for (int i = 0; i < (plane ? 3 : 6); i++)
      assert_near(after[0][i], after[1][i], 1e-12);
  }
}

static void wrong_rolling_is_refused(void **state)
{
  pc_impact *problem = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  assert_int_equal(pc_impact_add_body(problem, &body), 0);
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .rolls = true};
  const double wrong[] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    contact.law.tangential.rolling = wrong[i];
    assert_int_equal(pc_impact_add_interaction(problem, &contact), -1);
    assert_non_null(strstr(pc_impact_error(problem), "rolling friction"));
  }
  contact.law.tangential.rolling = 1;
  contact.given[5] = NAN;
  assert_int_equal(pc_impact_add_interaction(problem, &contact), -1);
  contact.given[5] = 0;
  assert_int_equal(pc_impact_add_interaction(problem, &contact), 0);
  pc_interaction rows = pc_interaction_default(PC_ROWS);
  rows.law = contact.law;
  for (int i = 1; i < 7; i++) {
    rows.rows = i;
    assert_true((pc_impact_add_interaction(problem, &rows) >= 0) == (i == 3 || i == 5));
  }
  rows.law.tangential.rolls = false;
  rows.rows = 5;
  assert_int_equal(pc_impact_add_interaction(problem, &rows), -1);
  pc_impact_destroy(problem);
  problem = pc_impact_create();
  body.dof = 1;
  assert_int_equal(pc_impact_add_body(problem, &body), 0);
  assert_int_equal(pc_impact_add_interaction(problem, &contact), -1);
  assert_non_null(strstr(pc_impact_error(problem), "plane or in space"));
  pc_impact_destroy(problem);
}

// Many contacts.

// How far the tangential part of an answer is from its law, over the sizes of P and D.
static double tangential_distance(const pc_interaction *from, const pc_interaction_answer *a,
                                  int space, double push_size, double speed_size)
{
  const pc_tangential_law *law = &from->law.tangential;
  double share = law->on == PC_ON_MEAN ? 1
                 : law->on == PC_ON_MOREAU && from->law.normal.kind == PC_NORMAL_RESTITUTION
                     ? from->law.normal.e
                     : 0;
  double n[3] = {0}, worst = 0, push = 0;
  for (int i = 0; i < space; i++)
    n[i] = from->normal[i] / pc_norm(space, from->normal);
  for (int i = 0; i < space; i++)
    push -= n[i] * a->percussion[i];
  for (int part = 0; part < 2; part++) {
    int first = part == 0 ? 0 : space, size = part == 0 || space == 3 ? space : 1;
    double p[3], v[3], into_p = 0, into_v = 0, most = fmax(push, 0), power = 0;
    most *= part == 0 ? law->mu[0] : law->rolling;
    if (part == 0 && law->anisotropic && space == 3)
      continue;
    for (int i = 0; i < size; i++) {
      double before = 2 * a->deformation[first + i] - a->after[first + i];
      p[i] = a->percussion[first + i];
      v[i] = a->after[first + i] + share * before;
      into_p += size == space ? n[i] * p[i] : 0;
      into_v += size == space ? n[i] * v[i] : 0;
    }
    if (part == 1)
      worst = fmax(worst, fabs(into_p) / push_size);
    for (int i = 0; i < size && size == space; i++) {
      p[i] -= into_p * n[i];
      v[i] -= into_v * n[i];
    }
    for (int i = 0; i < size; i++)
      power += p[i] * v[i];
    worst = fmax(worst, (pc_norm(size, p) - most) / push_size);
    worst = fmax(worst, fabs(power - most * pc_norm(size, v)) / (push_size * speed_size));
  }
  return worst;
}

// All laws, mixed; every contact with Coulomb's law has rolling friction too.
static void rolling_problem(random_problem *problem, pc_random *random, bool on_mean)
{
  problem_kind kind = {.max_bodies = 8,
                       .max_interactions = 20,
                       .mass_decades = 2,
                       .coulomb = true,
                       .friction_on_mean = on_mean};
  random_problem_create(problem, random, &kind);
  for (int k = 0; k < problem->interactions; k++) {
    pc_interaction *c = &problem->interaction[k];
    int dof = c->type == PC_CONTACT ? problem->body[c->bodies[0]].dof : 1;
    if (c->law.tangential.kind == PC_TANGENTIAL_COULOMB && dof > 1) {
      c->law.tangential.rolls = true;
      c->law.tangential.rolling = pow(10, pc_random_uniform(random, -3, 0));
    }
  }
}

// The answers obey the law, and where it sees the mean velocity none of them gives energy.
static void random_problems_obey_the_law(void **state)
{
  pc_random random = test_random("random_problems_obey_the_law");
  int count = test_count(300), solved[3] = {0}, contacts = 0, rolled = 0;
  double worst = 0;
  for (int i = 0; i < count; i++) {
    random_problem problem;
    rolling_problem(&problem, &random, i % 2 == 0);
    for (int s = 0; s < 3; s++) {
      pc_impact *impact = random_problem_build(&problem, NULL, NULL, 1);
      pc_solve_info info = solve_with(impact, solvers[s], 1e-10);
      solved[s] += info.status == PC_SOLVED;
      if (info.status == PC_SOLVED && !info.audit.closed)
        fail_msg("problem %d: the audit is open: %g %g, %d wrong signs", i, info.audit.identity,
                 info.audit.momentum, info.audit.wrong_signs);
      double push = 1e-6, speed = 1e-6;
      for (int k = 0; k < problem.interactions; k++) {
        pc_interaction_answer a;
        pc_impact_answer(impact, k, &a);
        push = fmax(push, pc_norm(a.size, a.percussion));
        speed = fmax(speed, pc_norm(a.size, a.after) + pc_norm(a.size, a.deformation));
      }
      for (int k = 0; k < problem.interactions && info.status == PC_SOLVED; k++) {
        const pc_interaction *c = &problem.interaction[k];
        if (!c->law.tangential.rolls)
          continue;
        int space = problem.body[c->bodies[0]].dof == 6 ? 3 : 2;
        pc_interaction_answer a;
        pc_impact_answer(impact, k, &a);
        double off = tangential_distance(c, &a, space, push, speed);
        worst = fmax(worst, off);
        if (!(off <= 1e-7))
          fail_msg("problem %d, contact %d: off the law by %g", i, k, off);
        if (a.signed_law && a.dissipated < -1e-9 * push * speed)
          fail_msg("problem %d, contact %d gives energy: %g", i, k, a.dissipated);
        contacts++;
        rolled += pc_norm(a.size - space, a.percussion + space) > 1e-6 * push;
      }
      pc_impact_destroy(impact);
    }
    random_problem_free(&problem);
  }
  printf("auto %d, ipm %d, nsgs %d of %d; %d contacts, %d with a moment; off the law by %.1e\n",
         solved[0], solved[1], solved[2], count, contacts, rolled, worst);
  // Some have no solution, with rolling friction or without.
  for (int s = 0; s < 3; s++)
    assert_true(solved[s] >= (s < 2 ? 0.97 : 0.93) * count - 2);
  assert_true(rolled > contacts / 10);
}

// With as many sweeps as a step has, `auto` solves whatever one of its parts solves alone: what is
// left of the sweeps is used when the interior point ends elsewhere, and the other way round.
static void few_sweeps_are_used_well(void **state)
{
  pc_random random = test_random("few_sweeps_are_used_well");
  int count = test_count(400), solved[3] = {0};
  for (int i = 0; i < count; i++) {
    random_problem problem;
    rolling_problem(&problem, &random, i % 2 == 0);
    bool done[3];
    double residual = 0;
    for (int s = 2; s >= 0; s--) {
      pc_impact *impact = random_problem_build(&problem, NULL, NULL, 1);
      pc_solve_options options = pc_solve_options_default();
      pc_solve_info info;
      options.solver = solvers[s];
      options.tolerance = 1e-6;
      options.max_iterations = 1000;
      options.warm_start = options.gives_up = true;
      assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
      done[s] = info.status == PC_SOLVED;
      solved[s] += done[s];
      residual = info.residual;
      pc_impact_destroy(impact);
    }
    if (!done[0] && (done[1] || done[2]))
      fail_msg("problem %d: %s solves it, auto ends at %g", i, solvers[done[1] ? 1 : 2], residual);
    random_problem_free(&problem);
  }
  printf("1000 sweeps: auto %d, ipm %d, nsgs %d of %d\n", solved[0], solved[1], solved[2], count);
  assert_true(solved[0] >= 0.97 * count);
}

// Hardly any friction.

static const double next_to_nothing[] = {0, 1e-12, 1e-6};

// With coefficients next to nothing the velocities are those without friction, for all solvers.
static void tiny_coefficients_are_no_friction(void **state)
{
  pc_random random = test_random("tiny_coefficients_are_no_friction");
  for (int i = 0; i < test_count(60); i++) {
    problem_kind kind = {.max_bodies = 6, .max_interactions = 12, .coulomb = true};
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    for (int s = 0; s < 4; s++)
      for (int t = 0; t < 3; t++) {
        double mu = next_to_nothing[t];
        random_problem same = problem;
        same.interaction = calloc((size_t)problem.interactions, sizeof *same.interaction);
        pc_impact *impact[2];
        pc_solve_info info[2];
        for (int with = 0; with < 2; with++) {
          memcpy(same.interaction, problem.interaction,
                 sizeof *same.interaction * (size_t)problem.interactions);
          for (int k = 0; k < problem.interactions; k++) {
            pc_interaction *c = &same.interaction[k];
            pc_tangential_law *law = &c->law.tangential;
            bool space = c->type == PC_CONTACT && problem.body[c->bodies[0]].dof > 1;
            if (law->kind != PC_TANGENTIAL_COULOMB)
              continue;
            if (!with)
              *law = (pc_tangential_law){.kind = PC_TANGENTIAL_NONE};
            law->mu[0] = law->mu[1] = mu;
            law->anisotropic = law->anisotropic && mu > 0;
            law->rolls = with && space && i % 2 == 0;
            law->rolling = mu;
          }
          impact[with] = random_problem_build(&same, NULL, NULL, 1);
          info[with] = solve_with(impact[with], solvers[s], 1e-10);
        }
        double off = random_problem_distance(&problem, impact[0], impact[1]);
        bool both = info[0].status == PC_SOLVED && info[1].status == PC_SOLVED;
        if (s < 2 && info[0].status == PC_SOLVED && !both)
          fail_msg("problem %d with mu %g is not solved by %s: %g", i, mu, solvers[s],
                   info[1].residual);
        if (both && !(off <= 1e-7 + 30 * mu))
          fail_msg("problem %d with mu %g, %s: off by %g", i, mu, solvers[s], off);
        pc_impact_destroy(impact[0]);
        pc_impact_destroy(impact[1]);
        free(same.interaction);
      }
    random_problem_free(&problem);
  }
}

// The same in files: a body that slides on the ground keeps its speed, or loses mu g t.
static void tiny_coefficients_are_read(void **state)
{
  static const char *const shapes[] = {"box, size: [0.2, 0.2, 0.2]", "sphere, radius: 0.1"};
  for (int t = 0; t < 3; t++)
    for (int k = 0; k < 4; k++) {
      char text[800];
      snprintf(text, sizeof text,
               "kind: rigid\nduration: 0.1\nstep: 1e-3\n"
               "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: %g%s}}\n"
               "bodies:\n"
               "  - {name: a, shape: {type: %s}, position: [0, 0, 0.1], velocity: [1, 0.5, 0]}\n"
               "obstacles:\n  - {name: ground, shape: {type: plane}}\n",
               next_to_nothing[t],
               k < 2    ? ""
               : t == 0 ? ", rolling: 0"
                        : ", rolling: 1e-12",
               shapes[k % 2]);
      pc_scene scene;
      pc_error error = {.text = ""};
      assert_ok(pc_scene_parse("scene.yaml", text, &scene, &error), &error);
      for (int i = 0; i < 100; i++)
        assert_int_equal(pc_world_step(scene.world, 1e-3), PC_OK);
      pc_body_state now;
      pc_body_get(scene.world, (pc_body){2}, &now);
      double speed = hypot(1, 0.5), lost = next_to_nothing[t] * g * 0.1;
      assert_near(hypot(now.velocity[0], now.velocity[1]), speed - lost, 1e-3 * lost + 1e-12);
      assert_near(now.velocity[2], 0, 1e-9);
      pc_scene_free(&scene);
    }
}

static void wrong_rolling_in_files_is_refused(void **state)
{
  static const char *const wrong[][2] = {
      {"{kind: coulomb, mu: 0.1, rolling: -1}", "rolling"},
      {"{kind: coulomb, mu: 0.1, rolling: much}", "rolling"},
      {"{kind: coulomb, mu: 0.1, rolling: inf}", "rolling"},
      {"{kind: viscous, k: 1, rolling: 1}", "rolling"},
      {"{kind: coulomb, rolling: 1}", "mu"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "kind: rigid\nduration: 1\nstep: 1e-3\n"
             "default_law: {normal: {kind: inelastic}, tangential: %s}\n",
             wrong[i][0]);
    pc_scene scene;
    pc_error error = {.text = ""};
    assert_int_equal(pc_scene_parse("scene.yaml", text, &scene, &error), PC_ERROR_INPUT);
    if (strstr(error.text, wrong[i][1]) == NULL || strstr(error.text, "scene.yaml:4") == NULL)
      fail_msg("'%s' should name '%s' on line 4", error.text, wrong[i][1]);
  }
}

// Worlds.

static pc_body add_to(pc_world *world, pc_body_def *def, pc_shape *shape)
{
  def->shape = shape;
  pc_body body = pc_body_create(world, def);
  assert_true(body.id > 0);
  pc_shape_release(shape);
  return body;
}

static pc_world *rolling_world(int dimension, double mu, double rolling, int threads)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.tolerance = 1e-9;
  def.threads = threads;
  def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
  def.gravity[dimension - 1] = -g;
  pc_world *world = pc_world_create(&def);
  pc_law law = {.normal.kind = PC_NORMAL_INELASTIC,
                .tangential = {.kind = PC_TANGENTIAL_COULOMB,
                               .mu = {mu, mu},
                               .on = PC_ON_AFTER,
                               .rolls = true,
                               .rolling = rolling}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
  return world;
}

// A disc without sliding friction on one that is driven to turn: the moment turns it too, the same
// way round, with rolling m g over its inertia; and no faster than the driven one.
static void a_driven_disc_turns_what_is_on_it(void **state)
{
  const double rolling = 0.001, wanted = 3;
  pc_world *world = rolling_world(2, 0, rolling, 1);
  pc_body_def below = pc_body_def_default(), above = pc_body_def_default();
  below.kind = PC_DRIVEN;
  below.motion.rotation = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = wanted};
  below.motion.axis[2] = 1;
  add_to(world, &below, pc_shape_disc(1, NULL));
  above.mass = 1;
  above.position[1] = 1 + radius;
  pc_body body = add_to(world, &above, pc_shape_disc(radius, NULL));
  double faster = rolling * g / (0.5 * radius * radius), h = 1e-3;
  pc_body_state now;
  for (int i = 1; i <= 2000; i++) {
    assert_int_equal(pc_world_step(world, h), PC_OK);
    pc_body_get(world, body, &now);
    assert_near(now.spin[2], fmin(faster * h * i, wanted), 1e-6 + faster * h);
  }
  assert_near(now.spin[2], wanted, 1e-9);
  assert_near(now.position[0], 0, 1e-9);
  pc_world_destroy(world);
}

// Contacts of guided bodies are stated by rows: a ball that rolls across a plank, which can only
// move along the other axis, is slowed as on the ground.
static void a_ball_rolls_on_a_guided_plank(void **state)
{
  const double rolling = 0.02;
  pc_world *world = rolling_world(3, 0.5, rolling, 1);
  pc_body_def plank = pc_body_def_default(), ball = pc_body_def_default();
  plank.kind = PC_GUIDED;
  plank.guide[0] = plank.guide[2] = 0;
  plank.guide[1] = 1;
  plank.mass = 10;
  plank.position[2] = -0.5;
  add_to(world, &plank, pc_shape_box((const double[3]){4, 1, 1}, NULL));
  ball.mass = 1;
  ball.position[2] = radius;
  ball.velocity[0] = 1;
  ball.spin[1] = 1 / radius;
  pc_body body = add_to(world, &ball, pc_shape_sphere(radius, NULL));
  for (int i = 0; i < 200; i++)
    assert_int_equal(pc_world_step(world, 1e-3), PC_OK);
  pc_body_state now;
  pc_body_get(world, body, &now);
  double speed = 1 - 0.2 * g * rolling / radius / 1.4;
  assert_near(now.velocity[0], speed, 1e-6);
  assert_near(now.spin[1], speed / radius, 1e-5);
  pc_world_destroy(world);
}

// A wall with a guide presses a ball that is driven to spin about two of its tangents: sliding and
// rolling friction take F w (mu r + rolling), and the wall does not move.
static void a_spinning_ball_rubs_on_what_is_guided(void **state)
{
  const double mu = 0.3, rolling = 0.02, spin = 5, force = 7, h = 1e-3;
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int order = 0; order < 2; order++) {
      pc_world *world = rolling_world(dimension, mu, rolling, 1);
      pc_body_def wall = pc_body_def_default(), ball = pc_body_def_default();
      const double across[2][3] = {{0.6, 0.8, 0}, {0, 0.6, 0.8}};
      const double axis[2][3] = {{0, 0, 1}, {0.64, -0.6, 0.45}};
      double normal[3], about[3];
      for (int k = 0; k < 3; k++) {
        normal[k] = across[dimension - 2][k];
        about[k] = axis[dimension - 2][k];
      }
      wall.kind = PC_GUIDED;
      wall.mass = 2;
      wall.load = -force + wall.mass * g * normal[dimension - 1]; // and its weight
      memcpy(wall.guide, normal, sizeof normal);
      for (int k = 0; k < 3; k++)
        wall.position[k] = radius * normal[k];
      ball.kind = PC_DRIVEN;
      ball.motion.rotation = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = spin};
      memcpy(ball.motion.axis, about, sizeof about);
      pc_body moves = {0};
      for (int k = 0; k < 2; k++)
        if (k == order)
          add_to(world, &ball,
                 dimension == 3 ? pc_shape_sphere(radius, NULL) : pc_shape_disc(radius, NULL));
        else {
          for (int i = 0; i < 3; i++)
            normal[i] = -across[dimension - 2][i];
          moves = add_to(world, &wall, pc_shape_plane(dimension, normal, NULL));
        }
      for (int i = 0; i < 10; i++)
        assert_int_equal(pc_world_step(world, h), PC_OK);
      const pc_step_info *info = pc_world_info(world);
      assert_near(info->dissipated / (h * force * spin * (mu * radius + rolling)), 1, 1e-6);
      assert_near(info->work_prescribed, info->dissipated, 1e-6 * info->dissipated);
      assert_true(info->closed);
      pc_body_state now;
      pc_body_get(world, moves, &now);
      for (int k = 0; k < 3; k++)
        assert_near(now.velocity[k], 0, 1e-9);
      pc_world_destroy(world);
    }
}

// A column on a slope, which without rolling friction would roll away: a step like the last one
// starts from its percussions and moments, and is solved as it starts.
static void a_pile_starts_from_the_moments_it_had(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int order = 0; order < 2; order++) {
      pc_world *world = rolling_world(dimension, 0.9, 0.05, 1);
      pc_body_def floor = pc_body_def_default();
      const double normal[2][3] = {{-0.1, 1, 0}, {-0.1, 0.05, 1}};
      for (int i = -order; i < 4; i++) {
        pc_body_def ball = pc_body_def_default();
        if (i == (order == 0 ? 0 : 3)) {
          floor.kind = PC_DRIVEN; // at rest
          add_to(world, &floor, pc_shape_plane(dimension, normal[dimension - 2], NULL));
        }
        if (i < 0)
          continue;
        double size = sqrt(1.01 + (dimension == 3) * 0.0025);
        for (int k = 0; k < 3; k++)
          ball.position[k] = (2 * i + 1) * radius * normal[dimension - 2][k] / size;
        add_to(world, &ball,
               dimension == 3 ? pc_shape_sphere(radius, NULL) : pc_shape_disc(radius, NULL));
      }
      for (int i = 0; i < 400; i++)
        assert_int_equal(pc_world_step(world, 1e-3), PC_OK);
      const pc_step_info *info = pc_world_info(world);
      assert_int_equal(info->iterations, 0);
      assert_true(info->contacts == 4 && info->kinetic_translation < 1e-20);
      pc_world_destroy(world);
    }
}

// Layers of 5 x 5 balls, each in the hollows of the one below.
static pc_world *heap(int threads)
{
  pc_world *world = rolling_world(3, 0.4, 0.01, threads);
  pc_world_set_effort(world, 1e-6, 0);
  pc_body_def ground = pc_body_def_default();
  ground.kind = PC_FIXED;
  add_to(world, &ground, pc_shape_plane(3, (const double[3]){0, 0, 1}, NULL));
  pc_random random;
  pc_random_seed(&random, 5);
  for (int i = 0; i < 75; i++) {
    pc_body_def ball = pc_body_def_default();
    int layer = i / 25;
    ball.position[0] = 0.105 * (i % 5) + 0.05 * layer + pc_random_uniform(&random, 0, 0.002);
    ball.position[1] = 0.105 * (i / 5 % 5) + 0.05 * layer + pc_random_uniform(&random, 0, 0.002);
    ball.position[2] = 0.05 + 0.075 * layer;
    ball.velocity[0] = pc_random_uniform(&random, -0.1, 0.1);
    add_to(world, &ball, pc_shape_sphere(0.05, NULL));
  }
  return world;
}

// The contacts of a heap, one large island, are not left to packs, which know no rolling: all of
// them obey their law.
static void the_contacts_of_a_heap_obey_the_law(void **state)
{
  pc_world *world = heap(1);
  int moments = 0, most = 0;
  for (int step = 0; step < 50; step++) {
    assert_int_equal(pc_world_step(world, 2e-3), PC_OK);
    if (step % 5 != 4)
      continue;
    const pc_impact *problem = pc_world_problem(world);
    int count = pc_impact_interactions(problem);
    double push = 1e-6, speed = 1e-3;
    most = count > most ? count : most;
    for (int k = 0; k < count; k++) {
      pc_interaction_answer a;
      pc_impact_answer(problem, k, &a);
      push = fmax(push, pc_norm(a.size, a.percussion));
      speed = fmax(speed, pc_norm(a.size, a.after));
    }
    for (int k = 0; k < count; k++) {
      pc_contact touch;
      pc_world_contact(world, k, &touch);
      pc_interaction_answer a;
      pc_impact_answer(problem, k, &a);
      pc_interaction as = pc_interaction_default(PC_CONTACT);
      memcpy(as.normal, touch.normal, sizeof as.normal);
      as.law.tangential = (pc_tangential_law){
          .kind = PC_TANGENTIAL_COULOMB, .mu = {0.4, 0.4}, .on = PC_ON_AFTER, .rolling = 0.01};
      // The normal of a contact with the ground may point either way; P tells which.
      double along = pc_dot3(as.normal, a.percussion);
      for (int i = 0; i < 3 && along > 0; i++)
        as.normal[i] = -as.normal[i];
      assert_int_equal(a.size, 6);
      assert_true(tangential_distance(&as, &a, 3, push, speed) <= 1e-5);
      moments += pc_norm(3, a.percussion + 3) > 1e-4 * push;
    }
  }
  printf("%d contacts at most, %d moments\n", most, moments);
  assert_true(5 * most > 400 && moments > 300);
  pc_world_destroy(world);
}

// A heap goes on from a saved state as if nothing had been, with any number of threads.
static void a_heap_goes_on_from_a_saved_state(void **state)
{
  pc_world *world = heap(1), *other = heap(2);
  for (int i = 0; i < 40; i++) {
    assert_int_equal(pc_world_step(world, 2e-3), PC_OK);
    assert_true(pc_world_info(world)->closed);
  }
  size_t size = pc_world_save(world, NULL, 0);
  char *saved = malloc(size);
  assert_int_equal(pc_world_save(world, saved, size), size);
  assert_int_equal(pc_world_load(other, saved, size), PC_OK);
  for (int i = 0; i < 20; i++) {
    assert_int_equal(pc_world_step(world, 2e-3), PC_OK);
    assert_int_equal(pc_world_step(other, 2e-3), PC_OK);
  }
  for (int i = 0; i < pc_world_bodies(world); i++) {
    pc_body_state a, b;
    pc_body_get(world, (pc_body){i + 1}, &a);
    pc_body_get(other, (pc_body){i + 1}, &b);
    assert_memory_equal(&a, &b, sizeof a);
  }
  free(saved);
  pc_world_destroy(world);
  pc_world_destroy(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_obey_the_law),
      cmocka_unit_test(blocks_without_jamming_have_a_solution),
      cmocka_unit_test(blocks_agree_with_a_creeping_iteration),
      cmocka_unit_test(a_rolling_ball_is_slowed),
      cmocka_unit_test(a_slow_ball_stops),
      cmocka_unit_test(limits_are_coulomb_and_no_rolling),
      cmocka_unit_test(a_given_spin_is_that_of_the_obstacle),
      cmocka_unit_test(wrong_rolling_is_refused),
      cmocka_unit_test(random_problems_obey_the_law),
      cmocka_unit_test(few_sweeps_are_used_well),
      cmocka_unit_test(tiny_coefficients_are_no_friction),
      cmocka_unit_test(tiny_coefficients_are_read),
      cmocka_unit_test(wrong_rolling_in_files_is_refused),
      cmocka_unit_test(a_driven_disc_turns_what_is_on_it),
      cmocka_unit_test(a_ball_rolls_on_a_guided_plank),
      cmocka_unit_test(a_spinning_ball_rubs_on_what_is_guided),
      cmocka_unit_test(a_pile_starts_from_the_moments_it_had),
      cmocka_unit_test(the_contacts_of_a_heap_obey_the_law),
      cmocka_unit_test(a_heap_goes_on_from_a_saved_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
