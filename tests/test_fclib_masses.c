// FCLIB problems whose mass matrix is not symmetric, or has blocks of very different sizes: what is
// called solved obeys the equations of the file, which are evaluated here from its matrices.
#include "support.h"

#include <hdf5.h>
#include <string.h>

#include "fclib_files.h"
#include "folder.h"
#include "percuss/scene.h"

enum { MOST = 72, DOF = 6, SPACE = 3 };

// A problem in the global form, dense.
typedef struct problem {
  int bodies, contacts, ties, n, rows;
  double m[MOST][MOST], h[MOST][MOST], g[MOST][4];
  double f[MOST], w[MOST], b[4], mu[MOST];
} problem;

// Gaussian elimination with pivots; `a` and `x` are overwritten. Extended precision, so that the
// check is better than what it checks.
static void solve_dense(int n, long double a[MOST][MOST], long double *x)
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(a[i][k]) > fabsl(a[pivot][k]))
        pivot = i;
    for (int j = 0; j < n; j++) {
      long double swap = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    long double swap = x[k];
    x[k] = x[pivot];
    x[pivot] = swap;
    assert_true(a[k][k] != 0);
    for (int i = k + 1; i < n; i++) {
      long double part = a[i][k] / a[k][k];
      for (int j = k; j < n; j++)
        a[i][j] -= part * a[k][j];
      x[i] -= part * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}

static void put_dense(hid_t file, const char *place, int rows, int columns, int stride,
                      const double *value)
{
  int i[MOST * MOST], p[MOST * MOST], count = 0;
  double x[MOST * MOST];
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      if (value[r * stride + c] != 0) {
        i[count] = r;
        p[count] = c;
        x[count++] = value[r * stride + c];
      }
  put_triplets(file, place, rows, columns, count, i, p, x);
}

static const char *write_global(const problem *p)
{
  const char *path = in_folder("problem.hdf5");
  const int space = SPACE;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_numbers(file, "/fclib_global/spacedim", H5T_NATIVE_INT, 1, &space);
  put_dense(file, "/fclib_global/M", p->n, p->n, MOST, &p->m[0][0]);
  put_dense(file, "/fclib_global/H", p->n, p->rows, MOST, &p->h[0][0]);
  put_numbers(file, "/fclib_global/vectors/f", H5T_NATIVE_DOUBLE, p->n, p->f);
  put_numbers(file, "/fclib_global/vectors/w", H5T_NATIVE_DOUBLE, p->rows, p->w);
  put_numbers(file, "/fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, p->contacts, p->mu);
  if (p->ties > 0) {
    put_dense(file, "/fclib_global/G", p->n, p->ties, 4, &p->g[0][0]);
    put_numbers(file, "/fclib_global/vectors/b", H5T_NATIVE_DOUBLE, p->ties, p->b);
  }
  H5Fclose(file);
  return path;
}

// Bodies in a chain, the first also on the ground. A body's block is positive definite, `decades`
// of sizes apart from the others, with a part that is not symmetric of `skew` times its size, as
// the implicit gyroscopic term h (w x J - (J w) x) is. `links`: some bodies are coupled by M.
static void draw(pc_random *random, double skew, double decades, bool links, problem *p)
{
  memset(p, 0, sizeof *p);
  p->bodies = 2 + pc_random_below(random, 5);
  p->n = DOF * p->bodies;
  p->contacts = p->bodies + pc_random_below(random, p->bodies);
  p->rows = SPACE * p->contacts;
  p->ties = links ? pc_random_below(random, 3) : 0;
  double size[MOST / DOF];
  for (int body = 0; body < p->bodies; body++) {
    double a[DOF][DOF];
    size[body] = pow(10, pc_random_uniform(random, -decades / 2, decades / 2));
    for (int i = 0; i < DOF; i++)
      random_vector(random, DOF, 0.4, a[i]);
    for (int i = 0; i < DOF; i++)
      for (int j = 0; j < DOF; j++) {
        double sum = i == j;
        for (int k = 0; k < DOF; k++)
          sum += a[i][k] * a[j][k];
        p->m[DOF * body + i][DOF * body + j] = size[body] * sum;
      }
    double s[3];
    random_vector(random, 3, skew * size[body], s);
    double(*m)[MOST] = &p->m[DOF * body + 3];
    double *row[3] = {&m[0][DOF * body + 3], &m[1][DOF * body + 3], &m[2][DOF * body + 3]};
    row[0][1] -= s[2], row[1][0] += s[2];
    row[0][2] += s[1], row[2][0] -= s[1];
    row[1][2] -= s[0], row[2][1] += s[0];
    for (int i = 0; i < DOF; i++)
      p->f[DOF * body + i] = size[body] * pc_random_normal(random);
    if (links && body > 0)
      for (int i = 0; i < DOF; i++) {
        double both = 0.2 * sqrt(size[body] * size[body - 1]) * pc_random_normal(random);
        p->m[DOF * body + i][DOF * (body - 1) + i] += both;
        p->m[DOF * (body - 1) + i][DOF * body + i] += both * (1 + skew);
      }
  }
  for (int c = 0; c < p->contacts; c++) {
    int one = c < p->bodies ? c : pc_random_below(random, p->bodies), other = one - 1;
    for (int row = SPACE * c; row < SPACE * (c + 1); row++) {
      p->w[row] = 0.3 * pc_random_normal(random);
      for (int i = 0; i < DOF; i++) {
        p->h[DOF * one + i][row] = pc_random_normal(random);
        if (other >= 0)
          p->h[DOF * other + i][row] = -pc_random_normal(random);
      }
    }
    p->mu[c] = pc_random_uniform(random, 0, 0.4);
  }
  for (int t = 0; t < p->ties; t++) {
    p->b[t] = 0.2 * pc_random_normal(random);
    for (int i = 0; i < DOF; i++)
      p->g[DOF * t + i][t] = pc_random_normal(random);
  }
}

// How far u and r are from M v = f + H r + G l, u = H^T v + w, G^T v + b = 0 and from Coulomb's
// law: in velocities, relative to the largest there is, after or without contacts.
static double wrong_by(const problem *p, const double *u, const double *r, const double *l)
{
  static long double a[MOST][MOST];
  long double v[MOST];
  double speed = 0, worst = 0, push = 0;
  for (int i = 0; i < p->n; i++) {
    v[i] = p->f[i];
    for (int j = 0; j < p->n; j++)
      a[i][j] = p->m[i][j];
  }
  solve_dense(p->n, a, v);
  for (int k = 0; k < p->rows; k++) {
    long double sum = p->w[k];
    for (int i = 0; i < p->n; i++)
      sum += p->h[i][k] * v[i];
    speed = fmax(speed, fmax((double)fabsl(sum), fabs(u[k])));
  }
  for (int i = 0; i < p->n; i++) {
    v[i] = p->f[i];
    for (int j = 0; j < p->n; j++)
      a[i][j] = p->m[i][j];
    for (int k = 0; k < p->rows; k++)
      v[i] += (long double)p->h[i][k] * r[k];
    for (int t = 0; t < p->ties; t++)
      v[i] += (long double)p->g[i][t] * l[t];
  }
  solve_dense(p->n, a, v);
  for (int k = 0; k < p->rows; k++) {
    long double sum = p->w[k];
    for (int i = 0; i < p->n; i++)
      sum += p->h[i][k] * v[i];
    worst = fmax(worst, (double)fabsl(sum - u[k]));
  }
  for (int t = 0; t < p->ties; t++) {
    long double sum = p->b[t];
    for (int i = 0; i < p->n; i++)
      sum += p->g[i][t] * v[i];
    worst = fmax(worst, (double)fabsl(sum));
  }
  for (int k = 0; k < p->rows; k++)
    push = fmax(push, fabs(r[k]));
  for (int c = 0; c < p->contacts; c++) {
    const double *uc = u + SPACE * c, *rc = r + SPACE * c;
    double slip = hypot(uc[1], uc[2]), hold = hypot(rc[1], rc[2]), most = p->mu[c] * rc[0];
    assert_true(rc[0] >= 0 && hold <= most * (1 + 1e-9));
    worst = fmax(worst, -uc[0]);
    if (rc[0] <= 1e-15 * push)
      continue; // round-off of what separates
    worst = fmax(worst, uc[0]);
    if (hold < most * (1 - 1e-6))
      worst = fmax(worst, slip);         // it sticks
    if (slip > 1e-6 * speed && hold > 0) // it slides against the friction
      worst = fmax(worst, slip + (uc[1] * rc[1] + uc[2] * rc[2]) / hold);
  }
  return worst / speed;
}

// Reads, solves and evaluates; a problem that is not solved must say so.
static bool check(const problem *p)
{
  pc_scene_impact scene;
  pc_error error = {.text = ""};
  pc_solve_info info;
  pc_solve_options options = pc_solve_options_default();
  double u[MOST], r[MOST], l[4];
  assert_ok(pc_scene_read_impact(write_global(p), &scene, &error), &error);
  assert_int_equal(pc_impact_solve(scene.problem, &options, &info), PC_OK);
  for (int k = 0; k < p->contacts + p->ties; k++) {
    pc_interaction_answer answer;
    pc_impact_answer(scene.problem, k, &answer);
    if (k >= p->contacts)
      l[k - p->contacts] = -answer.percussion[0];
    for (int i = 0; i < SPACE && k < p->contacts; i++) {
      u[SPACE * k + i] = answer.after[i];
      r[SPACE * k + i] = -answer.percussion[i];
    }
  }
  pc_scene_impact_free(&scene);
  if (info.status != PC_SOLVED)
    return false;
  double wrong = wrong_by(p, u, r, l);
  if (!(wrong < 1e-7))
    fail_msg("called solved with residual %g, but the equations are wrong by %g", info.residual,
             wrong);
  return true;
}

static void random_masses(const char *name, double skew, double decades, bool links, int count)
{
  pc_random random = test_random(name);
  static problem p;
  int cases = test_count(count), solved = 0;
  for (int i = 0; i < cases; i++) {
    draw(&random, skew, decades, links, &p);
    solved += check(&p);
  }
  printf("%s: %d of %d solved\n", name, solved, cases);
  assert_true(solved >= 0.98 * cases);
}

static void masses_that_are_not_symmetric_are_solved(void **state)
{
  random_masses("skew", 0.3, 0, false, 200);
}

static void a_little_skewness_counts_beside_large_masses(void **state)
{
  random_masses("small and large", 1e-3, 8, false, 200);
}

static void coupled_masses_need_not_be_symmetric(void **state)
{
  random_masses("coupled", 0.3, 0, true, 200);
}

static void symmetric_masses_of_any_size_are_solved(void **state)
{
  random_masses("symmetric", 0, 8, false, 200);
}

// One body of an implicit gyroscopic step, which nothing touches but the ground under its middle:
// W = 1/m, and the spins answer f by J + h S.
static void a_spinning_body_has_its_closed_form(void **state)
{
  static problem p;
  memset(&p, 0, sizeof p);
  p.bodies = p.contacts = 1;
  p.n = DOF;
  p.rows = SPACE;
  for (int i = 0; i < DOF; i++)
    p.m[i][i] = 2;
  p.m[3][4] = -1;
  p.m[4][3] = 1;
  p.h[2][0] = p.h[0][1] = p.h[1][2] = 1; // N = z
  p.h[3][2] = 0.5;                       // the second tangent feels the spin about x
  p.f[2] = -4;
  p.f[4] = 5;
  p.mu[0] = 0;
  const double path_u[3] = {0, 0, 0.5 * 1}; // w_x = 5 * 1 / (2 * 2 + 1 * 1)
  pc_scene_impact scene;
  pc_error error = {.text = ""};
  pc_solve_info info;
  assert_ok(pc_scene_read_impact(write_global(&p), &scene, &error), &error);
  assert_int_equal(pc_impact_solve(scene.problem, NULL, &info), PC_OK);
  pc_interaction_answer answer;
  pc_impact_answer(scene.problem, 0, &answer);
  for (int i = 0; i < 3; i++)
    assert_near(answer.after[i], path_u[i], 1e-12);
  assert_near(answer.percussion[0], -4, 1e-12);
  pc_scene_impact_free(&scene);
  p.m[3][3] = p.m[4][4] = 0; // still regular, but for the next line
  p.m[3][4] = 0;
  assert_int_equal(pc_scene_read_impact(write_global(&p), &scene, &error), PC_ERROR_INPUT);
  assert_says(error.text, "fclib_global/M: ");
}

static void one_triangle_is_read_as_symmetric_and_said(void **state)
{
  pc_random random = test_random("triangle");
  static problem p;
  for (int upper = 0; upper < 3; upper++) {
    draw(&random, 0, 0, false, &p);
    static problem half;
    half = p;
    for (int i = 0; i < p.n; i++)
      for (int j = 0; j < i && upper < 2; j++)
        *(upper == 0 ? &half.m[j][i] : &half.m[i][j]) = 0;
    pc_scene_impact scene;
    pc_error error = {.text = ""};
    assert_ok(pc_scene_read_impact(write_global(&half), &scene, &error), &error);
    assert_int_equal(scene.mirrored, upper < 2);
    pc_scene_impact_free(&scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_that_are_not_symmetric_are_solved),
      cmocka_unit_test(a_little_skewness_counts_beside_large_masses),
      cmocka_unit_test(coupled_masses_need_not_be_symmetric),
      cmocka_unit_test(symmetric_masses_of_any_size_are_solved),
      cmocka_unit_test(a_spinning_body_has_its_closed_form),
      cmocka_unit_test(one_triangle_is_read_as_symmetric_and_said),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
