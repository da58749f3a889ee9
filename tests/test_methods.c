// The methods themselves, below the problems that they solve: what their equations say, and how few
// iterations theory allows them. A solver with a wrong term in it often still ends at the right
// answer, and only takes longer.
#include "bench/hard_problems.h"
#include "core/small.h"
#include "impact/islands.h"
#include "impact/solvers/anderson.h"
#include "impact/solvers/friction.h"
#include "problems.h"
#include "support.h"

// The first island of a problem, as solvers see it.
typedef struct opened {
  pc_impact *problem;
  pc_islands islands;
  pc_arena arena;
  pc_system system;
} opened;

static void open_island(opened *o, pc_impact *problem)
{
  pc_error error = {0};
  *o = (opened){.problem = problem};
  assert_int_equal(pc_islands_build(problem, 1, 0, false, 1, &o->islands), PC_OK);
  assert_ok(pc_island_system(problem, &o->islands, 0, 1, false, &o->arena, &o->system, &error),
            &error);
}

static void close_island(opened *o)
{
  pc_island_free(&o->system);
  pc_arena_free(&o->arena);
  pc_impact_destroy(o->problem);
}

// A stack whose highest cube is pushed, an arch, a packing, a rolling ball between two planes.
enum { FRICTION_PROBLEMS = 4 };
static pc_impact *friction_problem(int which, pc_random *random)
{
  pc_law law = {.normal.kind = PC_NORMAL_INELASTIC,
                .tangential = {.kind = PC_TANGENTIAL_COULOMB,
                               .mu = {0.4, 0.4},
                               .on = PC_ON_AFTER,
                               .rolls = true,
                               .rolling = 0.1}};
  hard_problem m = which == 0   ? hard_stack(6, 0.3, 0.1, 0.01)
                   : which == 1 ? hard_arch(9, 0.25, 0.7)
                                : hard_packing(3, 2, 0.4, 1.08, random);
  m.body[m.bodies - 1].velocity[0] = 0.5;
  pc_impact *problem = hard_build(&m, which == 3 ? &law : NULL);
  assert_non_null(problem);
  hard_free(&m);
  return problem;
}

// The interior point with friction.

static void cone_percussion(const pc_friction *f, const pc_cone *c, double *x)
{
  x[0] = c->mu * c->rho;
  for (int i = 1; i < c->size; i++)
    x[i] = f->r[c->base + i];
}

static double cone_room_left(int n, const double *x)
{
  return x[0] - pc_norm(n - 1, x + 1);
}

// Of all cones and pieces at this part of the direction; below 0: outside.
static double least_room(const pc_friction *f, double step)
{
  double least = INFINITY;
  for (int j = 0; j < f->cones; j++) {
    const pc_cone *c = &f->cone[j];
    double x[3], z[3];
    cone_percussion(f, c, x);
    for (int i = 0; i < c->size; i++) {
      x[i] += step * c->dx[i];
      z[i] = c->z[i] + step * c->dz[i];
    }
    least = fmin(least, fmin(cone_room_left(c->size, x), cone_room_left(c->size, z)));
  }
  for (int j = 0; j < f->working; j++)
    for (int i = 0; i < f->piece[j].sides; i++) {
      const pc_piece_side *s = &f->piece[j].side[i];
      least = fmin(least, fmin(s->x + step * s->dx, s->l + step * s->dl));
    }
  return least;
}

// The Jordan product of the cones.
static void product(int n, const double *a, const double *b, double *out)
{
  out[0] = pc_dot(n, a, b);
  for (int i = 1; i < n; i++)
    out[i] = a[0] * b[i] + b[0] * a[i];
}

// Nesterov and Todd's point, V z = V^-1 x, and the linear equations for products of `target`: a
// direction obeys them to round-off, whatever matrix it was found with. With `correct` the products
// of the changes before it are taken off.
static void check_cone(const pc_friction *f, const pc_cone *c, double target, bool correct)
{
  const pc_system *s = f->s;
  double x[3], vz[3], vx[3], dvz[3], dvx[3], changes[3], sum[3], half[3], size = 0;
  cone_percussion(f, c, x);
  pc_cone_scaled(c, 1, c->z, vz);
  pc_cone_scaled(c, -1, x, vx);
  pc_cone_scaled(c, 1, c->dz, dvz);
  pc_cone_scaled(c, -1, c->dx, dvx);
  for (int i = 0; i < c->size; i++) {
    assert_near(vx[i], vz[i], 1e-9 * vz[0]);
    sum[i] = dvx[i] + dvz[i];
    size += fabs(dvx[i]) + fabs(dvz[i]) + fabs(vz[i]);
  }
  product(c->size, vz, sum, changes);
  product(c->size, vz, vz, half);
  double quadratic[3] = {0};
  if (correct)
    product(c->size, c->affine_x, c->affine_z, quadratic);
  for (int i = 0; i < c->size; i++)
    assert_near(changes[i] + half[i] + quadratic[i], i == 0 ? target : 0, 1e-7 * vz[0] * size);
  assert_near(c->drho, f->dr[c->row], 1e-14 * s->scale); // an inelastic law
  assert_near(c->dx[0], c->mu * c->drho, 1e-14 * s->scale);
  for (int i = 1; i < c->size; i++) { // z is the tangential velocity at the end of the step
    int row = c->base + i;
    double v = f->d[row] + s->law[c->interaction].shift[row - c->row - 1] + f->dd[row];
    assert_near(c->z[i] + c->dz[i], v, 1e-10 * s->scale);
  }
}

// d = alpha + beta (p - n), r = -(a (d - d0) + nu) and the products p lp, n ln, all of them linear.
static void check_piece(const pc_friction *f, const pc_piece_state *q, double target)
{
  int i = q->row;
  double d = f->d[i] + f->dd[i], p = q->side[0].x + q->side[0].dx;
  double n = q->sides > 1 ? q->side[1].x + q->side[1].dx : 0;
  double size = fabs(f->d[i]) + fabs(f->dd[i]) + fabs(p) + fabs(n);
  assert_near(d, q->piece.alpha + q->piece.beta * (p - n), 1e-8 * size);
  double r = f->r[i] + f->dr[i], nu = q->nu + q->dnu;
  assert_near(r, -f->a[i] * (d - f->d0[i]) - nu,
              1e-7 * (fabs(f->r[i]) + fabs(f->dr[i]) + fabs(nu)));
  for (int k = 0; k < q->sides; k++) {
    const pc_piece_side *s = &q->side[k];
    double terms[] = {s->x * s->l, s->x * s->dl, s->l * s->dx};
    assert_near(terms[0] + terms[1] + terms[2], target,
                1e-9 * (fabs(terms[0]) + fabs(terms[1]) + fabs(terms[2]) + target));
  }
}

static void steps_of_the_interior_point_obey_their_equations(void **state)
{
  pc_random random = test_random("steps_of_the_interior_point_obey_their_equations");
  for (int k = 0; k < FRICTION_PROBLEMS; k++) {
    pc_friction f;
    pc_error error = {0};
    opened o;
    open_island(&o, friction_problem(k, &random));
    assert_ok(pc_friction_open(&f, &o.system, &error), &error);
    assert_int_equal(pc_friction_interior_begin(&f), PC_OK);
    for (int step = 0; step < 5; step++) {
      assert_int_equal(pc_friction_interior(&f, 0, 1), PC_OK);
      assert_false(f.stuck);
      assert_true(least_room(&f, 0) > 0);
      assert_true(pc_friction_scale(&f));
      pc_friction_eliminate(&f, 0, false);
      assert_int_equal(pc_steps_factor(&f.steps), PC_OK);
      pc_friction_direction(&f);
      for (int j = 0; j < f.cones; j++)
        check_cone(&f, &f.cone[j], 0, false);
      for (int j = 0; j < f.working; j++)
        check_piece(&f, &f.piece[j], 0);
      pc_friction_keep_affine(&f);
      pc_friction_eliminate(&f, 1e-3, true);
      pc_friction_direction(&f);
      for (int j = 0; j < f.cones; j++)
        check_cone(&f, &f.cone[j], 1e-3, true);
      double room = pc_friction_room(&f, 1e3);
      assert_true(least_room(&f, 0.999999 * room) > -1e-12);
      assert_true(room >= 1e3 || least_room(&f, 1.000001 * room) < 1e-12);
    }
    pc_friction_free(&f);
    close_island(&o);
  }
}

// Anderson's method on a linear contraction is GMRES (Walker and Ni, 2011): it ends after as many
// steps as the map has eigenvalues, however many numbers there are.
static void anderson_ends_after_as_many_steps_as_there_are_eigenvalues(void **state)
{
  static const double eigenvalue[] = {0.9, 0.7, 0.5, 0.3, 0.1, -0.2};
  static const int sizes[] = {6, 7, 6000}; // less and more than a chunk of its sums
  pc_random random = test_random("anderson");
  for (int i = 0; i < 3; i++)
    for (int values = 1; values <= 6; values++) {
      int n = sizes[i];
      pc_arena arena = {0};
      pc_anderson anderson;
      assert_true(pc_anderson_create(&anderson, n, &arena));
      double *r = pc_arena_take(&arena, (size_t)n, sizeof(double));
      double *g = pc_arena_take(&arena, (size_t)n, sizeof(double)), error = 0, size = 0;
      for (int k = 0; k < n; k++)
        size = fmax(size, fabs(r[k] = pc_random_uniform(&random, -1, 1)));
      // The first call only remembers, each of the others takes a direction off.
      for (int step = 0; step < values + 2; step++) {
        for (int k = 0; k < n; k++)
          g[k] = 1 + eigenvalue[k % values] * (r[k] - 1);
        bool moved = pc_anderson_step(&anderson, r, g, 1);
        assert_true(moved == (step > 0));
        for (int k = 0; k < n && !moved; k++)
          r[k] = g[k];
      }
      for (int k = 0; k < n; k++)
        error = fmax(error, fabs(r[k] - 1));
      if (!(error <= 1e-6 * size))
        fail_msg("%d numbers, %d eigenvalues: off by %g", n, values, error);
      pc_arena_free(&arena);
    }
}

// A step that goes well leaves a tenth of the products, for no more than nine tenths of the way to
// the boundary are taken, and from 1 to 1e-8 that is eight steps. Half of the steps may be lost.
static void the_interior_point_takes_few_factorisations(void **state)
{
  pc_random random = test_random("the_interior_point_takes_few_factorisations");
  for (int k = 0; k < FRICTION_PROBLEMS; k++) {
    pc_friction f;
    pc_error error = {0};
    opened o;
    open_island(&o, friction_problem(k, &random));
    assert_ok(pc_friction_open(&f, &o.system, &error), &error);
    assert_int_equal(pc_friction_interior_begin(&f), PC_OK);
    assert_int_equal(pc_friction_interior(&f, 1e-8, 60), PC_OK);
    assert_true(f.best.residual <= 1e-8 && f.steps.factorisations <= 20);
    // From there Newton is quadratic: a step or two to round-off.
    int before = f.steps.factorisations;
    assert_int_equal(pc_friction_newton(&f, 1e-13, 25), PC_OK);
    assert_true(f.best.residual <= 1e-13 && f.steps.factorisations <= before + 3);
    pc_friction_free(&f);
    close_island(&o);
  }
}

// What linear laws ask is affine, so Newton ends at round-off after its first step and what the
// regularisation of its matrix leaves for two more.
static void linear_laws_take_few_steps_of_newton(void **state)
{
  pc_random random = test_random("linear_laws_take_few_steps_of_newton");
  for (int tied = 0; tied < 2; tied++) {
    pc_impact *problem = pc_impact_create();
    for (int b = 0; b < 3; b++) {
      pc_impact_body body = pc_impact_body_default();
      body.dof = 6;
      body.mass = 1 + b;
      memset(body.inertia, 0, sizeof body.inertia);
      body.inertia[0] = body.inertia[4] = body.inertia[8] = 0.4;
      for (int i = 0; i < 6; i++)
        body.velocity[i] = pc_random_uniform(&random, -1, 1);
      assert_int_equal(pc_impact_add_body(problem, &body), b);
    }
    for (int k = 0; k < 3; k++) {
      pc_interaction tie = pc_interaction_default(PC_SPIN);
      tie.bodies[0] = k;
      tie.bodies[1] = k < 2 ? k + 1 : PC_OBSTACLE;
      tie.law.normal = (pc_normal_law){.kind = tied ? PC_NORMAL_BILATERAL : PC_NORMAL_QUADRATIC,
                                       .k = 0.3 * (1 + k)};
      assert_int_equal(pc_impact_add_interaction(problem, &tie), k);
    }
    pc_friction f;
    pc_error error = {0};
    opened o;
    open_island(&o, problem);
    assert_ok(pc_friction_open(&f, &o.system, &error), &error);
    assert_int_equal(pc_friction_newton(&f, 1e-13, 25), PC_OK);
    assert_true(f.best.residual <= 1e-13);
    assert_true(f.steps.factorisations <= 3);
    pc_friction_free(&f);
    close_island(&o);
  }
}

// Convex laws are solved from zero to 1e-3, where Newton takes over, in a few steps more than the
// three that go well; some problems need a second attempt.
static void convex_laws_take_few_factorisations(void **state)
{
  pc_random random = test_random("convex_laws_take_few_factorisations");
  problem_kind kind = {.max_bodies = 8, .max_interactions = 20, .mass_decades = 1};
  int sum = 0, count = 40;
  for (int i = 0; i < count; i++) {
    random_problem p;
    random_problem_create(&p, &random, &kind);
    pc_impact *problem = random_problem_build(&p, NULL, NULL, 1);
    pc_solve_options options = pc_solve_options_default();
    pc_solve_info info;
    options.solver = "ipm";
    options.tolerance = 1e-6;
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    assert_int_equal(info.status, PC_SOLVED);
    assert_true(info.iterations <= 45);
    sum += info.iterations;
    pc_impact_destroy(problem);
    random_problem_free(&p);
  }
  printf("%.1f factorisations each\n", (double)sum / count);
  assert_true(sum <= 12 * count);
}

// A ball that lands on a plane and slides on. A local solution is exact, so sweeps are done when
// they are looked at first, after five. The slip that makes the cone of projected gradients right
// follows the velocity: at every step with little friction, every ten steps with more, and in the
// second slice, of 750 steps behind 600, with much.
static void a_sliding_ball_takes_few_iterations(void **state)
{
  static const char *const names[] = {"apgd", "uzawa", "nsgs", "ipm"};
  static const double mus[] = {0.2, 0.5, 0.8};
  static const int most[][3] = {{150, 600, 1350}, {150, 150, 150}, {5, 5, 5}, {20, 20, 20}};
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < 3; k++) {
      pc_impact *problem = pc_impact_create();
      pc_impact_body body = pc_impact_body_default();
      pc_interaction contact = pc_interaction_default(PC_CONTACT);
      double after[6];
      body.dof = 6;
      memset(body.inertia, 0, sizeof body.inertia);
      body.inertia[0] = body.inertia[4] = body.inertia[8] = 0.4;
      body.velocity[0] = 5;
      body.velocity[2] = -1;
      contact.point[2] = -1;
      contact.normal[0] = 0;
      contact.normal[2] = 1;
      contact.law.tangential = (pc_tangential_law){
          .kind = PC_TANGENTIAL_COULOMB, .mu = {mus[k], mus[k]}, .on = PC_ON_AFTER};
      assert_int_equal(pc_impact_add_body(problem, &body), 0);
      assert_int_equal(pc_impact_add_interaction(problem, &contact), 0);
      pc_solve_options options = pc_solve_options_default();
      pc_solve_info info;
      options.solver = names[s];
      options.tolerance = 1e-10;
      assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
      assert_int_equal(info.status, PC_SOLVED);
      pc_impact_velocity(problem, 0, after);
      assert_near(after[0], 5 - mus[k], 1e-8); // the normal percussion is 1
      assert_near(after[4], mus[k] / 0.4, 1e-8);
      assert_near(after[2], 0, 1e-8);
      if (info.iterations > most[s][k])
        fail_msg("%s, mu %g: %d iterations", names[s], mus[k], info.iterations);
      pc_impact_destroy(problem);
    }
}

// Wedged bodies. The softness falls from 3 to 1e-12 by tenths, so a state of stress takes 13
// factorisations and a few for steps that are cut; a slice of a path has 600. From a state of
// stress sweeps are soon done, where they need many thousands from zero or from a wrong one.
static void wedged_bodies_are_solved_from_a_state_of_stress_and_by_paths(void **state)
{
  pc_random random;
  pc_random_seed(&random, 3);
  for (int k = 0; k < 4; k++) {
    bool arch = k >= 2;
    hard_problem m = arch ? hard_arch(9, 0.2, k == 2 ? 0.5 : 0.9)
                          : hard_packing(3, 3, k == 0 ? 0.3 : 0.6, 1.05, &random);
    opened o;
    open_island(&o, hard_build(&m, NULL));
    for (int path = 0; path < 2; path++) {
      pc_friction f;
      pc_error error = {0};
      memset(o.system.r, 0, sizeof(double) * (size_t)o.system.rows);
      assert_ok(pc_friction_open(&f, &o.system, &error), &error);
      pc_friction_allow(&f, 0);
      pc_friction_begin(&f);
      if (path)
        assert_ok(pc_friction_path(&f, 1e-8, 2000, &error), &error);
      else
        assert_ok(pc_friction_stress(&f, 1e-8, &error), &error);
      printf("%s %d: residual %.1e, %d sweeps, %d factorisations\n", path ? "path" : "stress", k,
             f.reached, f.sweeps, f.steps.factorisations);
      assert_true(f.reached <= 1e-8);
      assert_true(f.steps.factorisations <= (path ? 200 : arch ? 20 : 60));
      assert_true(f.sweeps <= (arch ? 200 : 2500));
      pc_friction_free(&f);
    }
    close_island(&o);
    hard_free(&m);
  }
}

// A disc between a floor and a lid, v >= b_0 and -v >= b_1. Rest obeys bounds below 0; walls that
// open leave a motion but no rest; walls that close contradict each other, by b_0 + b_1 on both
// together.
static void contacts_can_rest_unless_a_wall_pushes(void **state)
{
  static const double bounds[][2] = {{-1, -1}, {0, 0}, {0, -2}, {1, -2}, {1, -1}, {1, 1}, {1, 0}};
  for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
    pc_impact *problem = pc_impact_create();
    pc_impact_body body = pc_impact_body_default();
    body.dof = 3;
    body.velocity[0] = body.velocity[1] = 0.5;
    assert_int_equal(pc_impact_add_body(problem, &body), 0);
    for (int i = 0; i < 2; i++) {
      pc_interaction contact = pc_interaction_default(PC_CONTACT);
      contact.normal[0] = 0;
      contact.normal[1] = contact.point[1] = i == 0 ? 1 : -1;
      contact.point[1] *= -1;
      contact.bound = bounds[k][i];
      contact.law.tangential =
          (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.3}, .on = PC_ON_AFTER};
      assert_int_equal(pc_impact_add_interaction(problem, &contact), i);
    }
    opened o;
    open_island(&o, problem);
    pc_friction f;
    pc_error error = {0};
    bool rests;
    assert_ok(pc_friction_open(&f, &o.system, &error), &error);
    assert_ok(pc_friction_conflict(&f, 1e-8, &rests, &error), &error);
    double low = fmax(bounds[k][0], 0), high = -fmax(bounds[k][1], 0);
    assert_true(rests == (low == high));
    assert_true((f.least > 1e-8) == (bounds[k][0] + bounds[k][1] > 0));
    // The function is quadratic in four pieces: a step in each, for each of six softnesses at most.
    assert_true(f.steps.factorisations <= (rests ? 1 : 24));
    pc_friction_free(&f);
    close_island(&o);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_the_interior_point_obey_their_equations),
      cmocka_unit_test(anderson_ends_after_as_many_steps_as_there_are_eigenvalues),
      cmocka_unit_test(the_interior_point_takes_few_factorisations),
      cmocka_unit_test(linear_laws_take_few_steps_of_newton),
      cmocka_unit_test(convex_laws_take_few_factorisations),
      cmocka_unit_test(a_sliding_ball_takes_few_iterations),
      cmocka_unit_test(wedged_bodies_are_solved_from_a_state_of_stress_and_by_paths),
      cmocka_unit_test(contacts_can_rest_unless_a_wall_pushes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
