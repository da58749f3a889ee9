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
  assert_near(r, -f->a[i] * (d - f->d0[i]) - nu, 1e-7 * (fabs(f->r[i]) + fabs(f->dr[i]) + fabs(nu)));
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_the_interior_point_obey_their_equations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
