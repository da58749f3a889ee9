// FCLIB files that are written here: what is in them obeys FCLIB's own equations, and read again
// they give the same velocities.
#include "support.h"

#include <errno.h>
#include <hdf5.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fclib_files.h"
#include "folder.h"
#include "percuss/run.h"

static char path[80], second[80];

static int name_files(void **state)
{
  int result = make_folder(state);
  strcpy(path, in_folder("a.hdf5"));
  strcpy(second, in_folder("b.hdf5"));
  return result;
}

// The file as it is, without the reader of the library.

static double *numbers(hid_t file, const char *name, int *count)
{
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0)
    fail_msg("no %s", name);
  hid_t space = H5Dget_space(set);
  *count = (int)H5Sget_simple_extent_npoints(space);
  double *values = calloc((size_t)*count + 1, sizeof *values);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

static double *vector(hid_t file, const char *group, const char *name, int wanted)
{
  char place[80];
  int count;
  snprintf(place, sizeof place, "%s/%s", group, name);
  double *values = numbers(file, place, &count);
  assert_int_equal(count, wanted);
  return values;
}

static bool has(hid_t file, const char *name)
{
  return H5Lexists(file, name, H5P_DEFAULT) > 0;
}

typedef struct dense {
  int rows, columns;
  double *value;
} dense;

// Compressed columns, as the library writes them.
static dense matrix(hid_t file, const char *group)
{
  const char *const names[] = {"m", "n", "nz", "p", "i", "x"};
  double *part[6];
  int count[6];
  for (int k = 0; k < 6; k++) {
    char place[80];
    snprintf(place, sizeof place, "%s/%s", group, names[k]);
    part[k] = numbers(file, place, &count[k]);
  }
  dense m = {(int)part[0][0], (int)part[1][0], NULL};
  assert_true(part[2][0] == -1);
  assert_int_equal(count[3], m.columns + 1);
  m.value = calloc((size_t)(m.rows * m.columns) + 1, sizeof *m.value);
  for (int c = 0; c < m.columns; c++)
    for (int k = (int)part[3][c]; k < (int)part[3][c + 1]; k++) {
      int row = (int)part[4][k];
      assert_true(row >= 0 && row < m.rows);
      assert_true(k == (int)part[3][c] || part[4][k] > part[4][k - 1]); // in order, each once
      m.value[row * m.columns + c] = part[5][k];
    }
  for (int k = 0; k < 6; k++)
    free(part[k]);
  return m;
}

// to += sign m x, or its transpose; `size` gets the size of the terms.
static void add_product(const dense *m, bool transposed, double sign, const double *x, double *to,
                        double *size)
{
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->columns; j++) {
      double term = m->value[i * m->columns + j] * x[transposed ? i : j];
      to[transposed ? j : i] += sign * term;
      *size = fmax(*size, fabs(term));
    }
}

static void assert_zero(const double *x, int count, double size)
{
  for (int i = 0; i < count; i++)
    assert_near(x[i], 0, 1e-10 * size);
}

// The problem of a file: its group, rows of a contact, and how many of them roll.
typedef struct layout {
  const char *group;
  int rows, rolls;
} layout;

static layout layout_of(hid_t file, bool global)
{
  const char *plain = global ? "/fclib_global" : "/fclib_local";
  const char *rolling = global ? "/fclib_global_rolling" : "/fclib_local_rolling";
  layout l = {has(file, rolling) ? rolling : plain, 0, 0};
  assert_true(has(file, plain) != has(file, rolling));
  double *rows = vector(file, l.group, "spacedim", 1);
  l.rows = (int)rows[0];
  l.rolls = l.group == rolling ? l.rows / 2 : 0;
  free(rows);
  assert_true(l.rolls == 0 ? l.rows == 2 || l.rows == 3 : l.rows == 3 || l.rows == 5);
  return l;
}

static double *part(hid_t file, const layout *l, const char *name, int wanted)
{
  char place[60];
  snprintf(place, sizeof place, "%s/vectors", l->group);
  return vector(file, place, name, wanted);
}

static dense matrix_of(hid_t file, const layout *l, const char *name)
{
  char place[60];
  snprintf(place, sizeof place, "%s/%s", l->group, name);
  return has(file, place) ? matrix(file, place) : (dense){0};
}

// |r| <= most, opposed to u.
static void check_disc(int n, const double *u, const double *r, double most, double speed,
                       double push)
{
  double slip = 0, hold = 0, along = 0;
  for (int i = 0; i < n; i++) {
    slip += u[i] * u[i];
    hold += r[i] * r[i];
    along += u[i] * r[i];
  }
  assert_true(sqrt(hold) <= most + 1e-7 * push);
  assert_near(along + most * sqrt(slip), 0, 1e-7 * speed * push);
}

// Signorini's conditions, Coulomb's law and rolling friction between u and r.
static void check_law(hid_t file, const layout *l, int contacts, const double *u, const double *r)
{
  double speed = 1e-3, push = 1e-3;
  double *mu = part(file, l, "mu", contacts);
  double *mu_r = l->rolls > 0 ? part(file, l, "mu_r", contacts) : NULL;
  for (int i = 0; i < contacts * l->rows; i++) {
    speed = fmax(speed, fabs(u[i]));
    push = fmax(push, fabs(r[i]));
  }
  for (int c = 0; c < contacts; c++, u += l->rows, r += l->rows) {
    int slides = l->rows - 1 - l->rolls;
    assert_true(u[0] >= -1e-7 * speed && r[0] >= -1e-7 * push);
    assert_near(u[0] * r[0], 0, 1e-7 * speed * push);
    check_disc(slides, u + 1, r + 1, mu[c] * r[0], speed, push);
    if (mu_r != NULL)
      check_disc(l->rolls, u + 1 + slides, r + 1 + slides, mu_r[c] * r[0], speed, push);
  }
  free(mu);
  free(mu_r);
}

// The equations of the global form. If a problem is given, in which nothing is prescribed, v are
// its velocities.
static void check_global(const char *name, const pc_impact *problem)
{
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  layout at_once = layout_of(file, true), *l_of = &at_once;
  dense m = matrix_of(file, l_of, "M"), h = matrix_of(file, l_of, "H");
  dense g = matrix_of(file, l_of, "G");
  int n = m.rows, rows = h.columns, contacts = rows / l_of->rows;
  double *f = part(file, l_of, "f", n), *w = part(file, l_of, "w", rows);
  double *v = vector(file, "/solution", "v", n), *u = vector(file, "/solution", "u", rows);
  double *r = vector(file, "/solution", "r", rows), size = 1e-3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      assert_near(m.value[i * n + j], m.value[j * n + i], 1e-12);
  check_law(file, l_of, contacts, u, r);
  if (g.columns > 0) {
    double *b = part(file, l_of, "b", g.columns);
    double *l = vector(file, "/solution", "l", g.columns), here = 1;
    add_product(&g, false, 1, l, f, &size);
    add_product(&g, true, 1, v, b, &here);
    for (int i = 0; i < g.columns; i++)
      assert_near(b[i], 0, 1e-7 * here);
    free(b);
    free(l);
  }
  add_product(&h, false, 1, r, f, &size); // f + H r + G l
  add_product(&m, false, -1, v, f, &size);
  assert_zero(f, n, size);
  size = 1e-3;
  add_product(&h, true, 1, v, w, &size);
  for (int i = 0; i < rows; i++)
    assert_near(w[i], u[i], 1e-10 * fmax(size, fabs(u[i])));
  for (int b = 0, at = 0; problem != NULL && b < pc_impact_bodies(problem); b++) {
    double velocity[PC_MAX_DOF];
    pc_impact_velocity(problem, b, velocity);
    for (int i = 0; i < pc_impact_dof(problem, b); i++)
      assert_true(v[at++] == velocity[i]);
  }
  H5Fclose(file);
  double *all[] = {m.value, h.value, g.value, f, w, v, u, r};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
}

static void check_local(const char *name)
{
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  layout at_once = layout_of(file, false), *l_of = &at_once;
  dense m = matrix_of(file, l_of, "W"), v = matrix_of(file, l_of, "V");
  dense q_of_l = matrix_of(file, l_of, "R");
  int rows = m.rows, contacts = rows / l_of->rows;
  double *q = part(file, l_of, "q", rows);
  double *u = vector(file, "/solution", "u", rows), *r = vector(file, "/solution", "r", rows);
  double size = 1e-3;
  check_law(file, l_of, contacts, u, r);
  add_product(&m, false, 1, r, q, &size);
  if (v.columns > 0) {
    double *s = part(file, l_of, "s", v.columns);
    double *l = vector(file, "/solution", "l", v.columns), here = 1;
    add_product(&v, false, 1, l, q, &size);
    add_product(&v, true, 1, r, s, &here);
    add_product(&q_of_l, false, 1, l, s, &here);
    for (int i = 0; i < v.columns; i++)
      assert_near(s[i], 0, 1e-7 * here);
    free(s);
    free(l);
  }
  for (int i = 0; i < rows; i++)
    assert_near(q[i], u[i], 1e-8 * fmax(size, fabs(u[i])));
  H5Fclose(file);
  double *all[] = {m.value, v.value, q_of_l.value, q, u, r};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
}

// Random problems.

static void add_random_body(pc_impact *problem, pc_random *random, int space, int kind)
{
  pc_impact_body body = pc_impact_body_default();
  body.dof = space == 3 ? 6 : 3;
  body.mass = pc_random_uniform(random, 0.5, 3);
  double a[9];
  random_vector(random, 9, 0.3, a);
  for (int i = 0; i < 9; i++) { // A A^T + 1
    body.inertia[i] = i % 4 == 0;
    for (int k = 0; k < 3; k++)
      body.inertia[i] += a[i / 3 * 3 + k] * a[i % 3 * 3 + k];
  }
  if (kind == 1)
    body.mass = INFINITY;
  if (kind <= 2) // 1: driven, 2: does not turn
    for (int i = 0; i < 9; i++)
      body.inertia[i] = kind == 0 ? body.inertia[i] : i % 4 == 0 ? INFINITY : 0;
  random_vector(random, 3, 1, body.position);
  random_vector(random, 6, 1, body.velocity);
  random_vector(random, 6, 0.5, body.percussion);
  assert_true(pc_impact_add_body(problem, &body) >= 0);
}

static pc_law random_law(pc_random *random, bool linear, bool rolling)
{
  pc_law law = {.normal.kind = PC_NORMAL_INELASTIC, .normal.p = 2};
  if (pc_random_below(random, 2) == 0) {
    law.normal.kind = PC_NORMAL_RESTITUTION;
    law.normal.e = pc_random_uniform(random, 0, 1);
  }
  law.tangential.kind = PC_TANGENTIAL_COULOMB;
  law.tangential.on =
      (pc_coulomb_on[]){PC_ON_MEAN, PC_ON_AFTER, PC_ON_MOREAU}[pc_random_below(random, 3)];
  law.tangential.mu[0] = pc_random_uniform(random, 0, 0.3);
  if (rolling && pc_random_below(random, 3) > 0) {
    law.tangential.rolls = true;
    law.tangential.rolling = pc_random_uniform(random, 0, 0.3);
  }
  if (pc_random_below(random, 4) == 0)
    law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_NONE};
  if (linear && pc_random_below(random, 3) == 0) {
    law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 2, .p = 2};
    law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS, .k = 0.7};
  }
  return law;
}

// Ties and, if `linear`, springs between bodies 0 and 1.
static void add_others(pc_impact *problem, pc_random *random, int space, bool linear)
{
  double rows[2][18];
  pc_row_term term[2] = {{0, rows[0]}, {1, rows[1]}};
  pc_interaction tie = pc_interaction_default(PC_ROWS);
  random_vector(random, 36, 1, rows[0]);
  tie.terms = 2;
  tie.term = term;
  tie.given[0] = 0.3;
  tie.bound = 0.1;
  tie.law.normal.kind = PC_NORMAL_BILATERAL;
  assert_true(pc_impact_add_interaction(problem, &tie) >= 0);
  if (!linear)
    return;
  pc_interaction spring = pc_interaction_default(PC_ROWS);
  spring.terms = 2;
  spring.term = term;
  spring.rows = space;
  spring.given[1] = 0.5;
  spring.law.normal.kind = PC_NORMAL_QUADRATIC;
  spring.law.normal.k = 1.5;
  spring.law.tangential.kind = PC_TANGENTIAL_VISCOUS;
  spring.law.tangential.k = 0.8;
  assert_true(pc_impact_add_interaction(problem, &spring) >= 0);
  pc_interaction spin = pc_interaction_default(PC_SPIN);
  spin.bodies[1] = 1;
  spin.law.normal.k = 0.4;
  assert_true(pc_impact_add_interaction(problem, &spin) >= 0);
}

// A chain of bodies, each touching the one before, the first an obstacle that moves.
static pc_impact *random_chain(pc_random *random, int space, bool others, bool linear, bool rolling)
{
  pc_impact *problem = pc_impact_create();
  assert_non_null(problem);
  int bodies = 3 + pc_random_below(random, 4);
  for (int i = 0; i < bodies; i++)
    add_random_body(problem, random, space, i == 3 ? pc_random_below(random, 4) : 0);
  for (int i = 0; i < bodies; i++) {
    if (i == 1 && others)
      add_others(problem, random, space, linear);
    pc_interaction contact = pc_interaction_default(PC_CONTACT);
    contact.bodies[0] = i;
    contact.bodies[1] = i == 0 ? PC_OBSTACLE : i - 1;
    random_vector(random, 3, 1, contact.point);
    random_vector(random, 3, 1, contact.normal);
    random_vector(random, rolling ? 6 : 3, 0.3, contact.given);
    contact.law = random_law(random, linear, rolling);
    contact.bound = pc_random_uniform(random, -0.3, 0.3);
    assert_true(pc_impact_add_interaction(problem, &contact) >= 0);
  }
  return problem;
}

static void solve(pc_impact *problem)
{
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = 1e-12;
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
  if (info.status != PC_SOLVED)
    fail_msg("residual %g", info.residual);
}

static void write_problem(const pc_impact *problem, pc_fclib_form form, const char *name)
{
  pc_error error = {.text = ""};
  assert_ok(pc_fclib_write(problem, form, "a problem", name, &error), &error);
}

static void assert_refused(const pc_impact *problem, pc_fclib_form form, const char *word)
{
  pc_error error = {.text = ""};
  unlink(path);
  assert_int_equal(pc_fclib_write(problem, form, NULL, path, &error), PC_ERROR_ARGUMENT);
  assert_says(error.text, word);
  assert_int_not_equal(access(path, F_OK), 0);
}

// Reads and solves; the velocities have to be those of the file's solution.
static pc_scene_impact read_and_solve(const char *name, double tolerance)
{
  pc_scene_impact scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_read_impact(name, &scene, &error), &error);
  assert_non_null(scene.solution);
  solve(scene.problem);
  for (int k = 0, row = 0; k < scene.contacts; k++) {
    pc_interaction_answer answer;
    pc_impact_answer(scene.problem, k, &answer);
    for (int i = 0; i < answer.size; i++, row++)
      assert_near(answer.after[i], scene.solution[row], tolerance);
  }
  return scene;
}

static void written_problems_obey_the_equations_of_fclib(void **state)
{
  pc_random random = test_random("fclib");
  for (int n = test_count(180); n > 0; n--) {
    int space = 2 + n % 2;
    bool others = n % 3 == 0, linear = n % 4 == 0;
    pc_impact *problem = random_chain(&random, space, others, linear, n % 7 < 3);
    double block[36];
    random_vector(&random, 36, 0.03, block);
    if (n % 5 == 0)
      assert_int_equal(pc_impact_couple_mass(problem, 0, 2, block), PC_OK);
    solve(problem);
    write_problem(problem, PC_FCLIB_GLOBAL, path);
    check_global(path, NULL);
    pc_scene_impact scene = read_and_solve(path, 1e-7);
    assert_true(scene.fclib);
    pc_scene_impact_free(&scene);
    write_problem(problem, PC_FCLIB_LOCAL, path);
    check_local(path);
    scene = read_and_solve(path, 1e-7);
    // A problem without bodies is written as it was read.
    write_problem(scene.problem, PC_FCLIB_LOCAL, second);
    assert_refused(scene.problem, PC_FCLIB_GLOBAL, "write the local form");
    check_local(second);
    pc_scene_impact_free(&scene);
    scene = read_and_solve(second, 1e-7);
    pc_scene_impact_free(&scene);
    pc_impact_destroy(problem);
  }
}

// A mass of 1 falls with 2 m/s onto the ground and carries one of 3 kg, tied to it, which is pushed
// down by 4 N s. With restitution e both leave with 2 e, r = 4 (2 + 2 e) + 4 and the tie has
// l = 2 + 2 e - r.
static void a_tied_mass_has_its_closed_form(void **state)
{
  for (int form = 0; form < 2; form++)
    for (double e = 0; e <= 1; e += 0.5) {
      pc_impact *problem = pc_impact_create();
      for (int i = 0; i < 2; i++) {
        pc_impact_body body = pc_impact_body_default();
        body.dof = 2;
        body.mass = 1 + 2 * i;
        body.velocity[1] = -2;
        body.percussion[1] = -4 * i;
        assert_true(pc_impact_add_body(problem, &body) >= 0);
      }
      const double up[2] = {0, 1}, down[2] = {0, -1};
      const pc_row_term term[2] = {{0, up}, {1, down}};
      pc_interaction tie = pc_interaction_default(PC_ROWS);
      tie.terms = 2;
      tie.term = term;
      tie.law.normal.kind = PC_NORMAL_BILATERAL;
      assert_true(pc_impact_add_interaction(problem, &tie) >= 0);
      pc_interaction contact = pc_interaction_default(PC_CONTACT);
      contact.normal[0] = 0;
      contact.normal[1] = 1;
      contact.law.normal.kind = PC_NORMAL_RESTITUTION;
      contact.law.normal.e = e;
      assert_true(pc_impact_add_interaction(problem, &contact) >= 0);
      write_problem(problem, form == 0 ? PC_FCLIB_GLOBAL : PC_FCLIB_LOCAL, path);
      pc_impact_destroy(problem);

      pc_scene_impact scene;
      assert_int_equal(pc_scene_read_impact(path, &scene, NULL), PC_OK);
      assert_null(scene.solution); // it was not solved yet
      assert_int_equal(scene.contacts, 1);
      assert_int_equal(pc_impact_interactions(scene.problem), 2);
      solve(scene.problem);
      double r = 4 * (2 + 2 * e) + 4;
      pc_interaction_answer answer;
      pc_impact_answer(scene.problem, 0, &answer);
      assert_near(answer.after[0], 0, 1e-9); // v+ - 2 e
      assert_near(-answer.percussion[0], r, 1e-9);
      pc_impact_answer(scene.problem, 1, &answer);
      assert_near(-answer.percussion[0], 2 + 2 * e - r, 1e-9);
      pc_scene_impact_free(&scene);
    }
}

// Springs of 1 to 1e31 in many directions: what they add to M cancels in some entries to the
// round-off of the largest. The matrix is symmetric in every bit, and can be read.
static void stiff_springs_leave_the_mass_symmetric(void **state)
{
  pc_random random;
  pc_random_seed(&random, 11);
  pc_impact *problem = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  body.velocity[2] = -1;
  assert_true(pc_impact_add_body(problem, &body) >= 0);
  for (int k = 0; k < 40; k++) {
    double row[6];
    random_vector(&random, 6, 1, row);
    const pc_row_term term = {0, row};
    pc_interaction spring = pc_interaction_default(PC_ROWS);
    spring.terms = 1;
    spring.term = &term;
    spring.law.normal.kind = PC_NORMAL_QUADRATIC;
    spring.law.normal.k = pow(10, k % 32);
    assert_true(pc_impact_add_interaction(problem, &spring) >= 0);
  }
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.law.normal.kind = PC_NORMAL_INELASTIC;
  assert_true(pc_impact_add_interaction(problem, &contact) >= 0);
  write_problem(problem, PC_FCLIB_GLOBAL, path);
  pc_impact_destroy(problem);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  dense m = matrix(file, "fclib_global/M");
  H5Fclose(file);
  assert_int_equal(m.rows, 6);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      assert_true(m.value[6 * i + j] == m.value[6 * j + i]);
  free(m.value);
  pc_scene_impact scene;
  assert_int_equal(pc_scene_read_impact(path, &scene, NULL), PC_OK);
  pc_scene_impact_free(&scene);
}

// Entries next to 0 between large masses may differ from their mirrors by the masses' round-off; by
// more they may not.
static void symmetry_of_a_mass_is_judged_by_its_diagonal(void **state)
{
  for (int wrong = 0; wrong < 2; wrong++) {
    pc_impact *problem = pc_impact_create();
    pc_impact_body body = pc_impact_body_default();
    const double matrix_of[9] = {1.6e31, -7e-10, 0, wrong ? -1e20 : -4.7e-10, 3e12, 0, 0, 0, 1};
    body.dof = 3;
    body.matrix = matrix_of;
    assert_int_equal(pc_impact_add_body(problem, &body) >= 0, !wrong);
    pc_impact_destroy(problem);
  }
}

// Refusals.

static void laws_that_fclib_has_not_are_refused(void **state)
{
  const pc_tangential_law coulomb = {.kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.3}};
  const pc_tangential_law ellipse = {
      .kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.5}, .anisotropic = true, .axis = {1, 0, 0}};
  const struct {
    pc_law law;
    const char *word;
  } wrong[] = {
      {{{.kind = PC_NORMAL_POWER, .k = 1, .p = 3}, {0}}, "a power law"},
      {{{.kind = PC_NORMAL_THRESHOLD, .k = 1, .k0 = 1}, {0}}, "a threshold law"},
      {{{.kind = PC_NORMAL_PENETRABLE, .k = 1, .k0 = 1}, {0}}, "a penetrable law"},
      {{{.kind = PC_NORMAL_QUADRATIC, .k = 1}, coulomb}, "with a quadratic normal law"},
      {{{.kind = PC_NORMAL_INELASTIC}, ellipse}, "an elliptic cone"},
      {{{.kind = PC_NORMAL_INELASTIC}, {.kind = PC_TANGENTIAL_BILATERAL}}, "bilateral tangential"},
  };
  pc_impact *problem = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.normal[0] = 0;
  contact.normal[2] = 1;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    pc_impact_clear(problem);
    contact.law = wrong[i].law;
    assert_int_equal(pc_impact_add_body(problem, &body), 0);
    assert_int_equal(pc_impact_add_interaction(problem, &contact), 0);
    assert_refused(problem, PC_FCLIB_GLOBAL, wrong[i].word);
    assert_refused(problem, PC_FCLIB_LOCAL, wrong[i].word);
  }
  pc_impact_clear(problem);
  assert_int_equal(pc_impact_add_body(problem, &body), 0);
  assert_refused(problem, PC_FCLIB_GLOBAL, "no contacts");
  contact.law = (pc_law){{.kind = PC_NORMAL_QUADRATIC, .k = 1, .p = 2}, {0}};
  assert_int_equal(pc_impact_add_interaction(problem, &contact), 0);
  write_problem(problem, PC_FCLIB_GLOBAL, path);
  pc_error error = {.text = ""};
  assert_int_equal(pc_fclib_write(problem, PC_FCLIB_GLOBAL, NULL, "/nowhere/a.hdf5", &error),
                   PC_ERROR_IO);
  pc_impact_clear(problem);
  body.dof = 1; // one row is no contact of FCLIB
  assert_int_equal(pc_impact_add_body(problem, &body), 0);
  contact.normal[0] = 1;
  assert_int_equal(pc_impact_add_interaction(problem, &contact), 0);
  assert_refused(problem, PC_FCLIB_GLOBAL, "1 row");
  pc_impact_destroy(problem);
}

// The layout of fclib_write_global_rolling of FCLIB: a ball of 2 kg, radius 0.1 m and inertia
// 0.008 kg m^2 that rolls along x with 1 m/s on the plane z = 0; rows: z; x, y; spins about x, y.
// Its weight presses it down with 0.2 N s. Rolling on, it loses 0.2 mu_r/R / (m + I/R^2).
static void write_rolling_ball(double mu_r)
{
  static const char *const group = "/fclib_global_rolling";
  const int rows = 5, diagonal[6] = {0, 1, 2, 3, 4, 5};
  const double mass[6] = {2, 2, 2, 0.008, 0.008, 0.008}, mu = 0.4, w[5] = {0};
  // v = (vx, vy, vz, wx, wy, wz), seen at (0, 0, -R) from the centre.
  const int i[7] = {2, 0, 4, 1, 3, 3, 4}, p[7] = {0, 1, 1, 2, 2, 3, 4};
  const double x[7] = {1, 1, -0.1, 1, 0.1, 1, 1}, f[6] = {2, 0, -0.2, 0, 0.08, 0};
  char place[80];
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  snprintf(place, sizeof place, "%s/spacedim", group);
  put_numbers(file, place, H5T_NATIVE_INT, 1, &rows);
  put_triplets(file, "/fclib_global_rolling/M", 6, 6, 6, diagonal, diagonal, mass);
  put_triplets(file, "/fclib_global_rolling/H", 6, 5, 7, i, p, x);
  put_numbers(file, "/fclib_global_rolling/vectors/f", H5T_NATIVE_DOUBLE, 6, f);
  put_numbers(file, "/fclib_global_rolling/vectors/w", H5T_NATIVE_DOUBLE, 5, w);
  put_numbers(file, "/fclib_global_rolling/vectors/mu", H5T_NATIVE_DOUBLE, 1, &mu);
  put_numbers(file, "/fclib_global_rolling/vectors/mu_r", H5T_NATIVE_DOUBLE, 1, &mu_r);
  H5Fclose(file);
}

static void a_file_with_rolling_friction_is_read(void **state)
{
  for (double mu_r = 0; mu_r < 0.05; mu_r += 0.02) {
    write_rolling_ball(mu_r);
    pc_scene_impact scene;
    pc_error error = {.text = ""};
    assert_ok(pc_scene_read_impact(path, &scene, &error), &error);
    assert_int_equal(scene.contacts, 1);
    assert_int_equal(pc_impact_bodies(scene.problem), 1);
    solve(scene.problem);
    pc_interaction_answer answer;
    double v[6], speed = 1 - 0.2 * mu_r / 0.1 / (2 + 0.008 / 0.01);
    pc_impact_answer(scene.problem, 0, &answer);
    pc_impact_velocity(scene.problem, 0, v);
    assert_int_equal(answer.size, 5);
    assert_near(v[0], speed, 1e-12);
    assert_near(v[4], speed / 0.1, 1e-11);
    assert_near(answer.percussion[0], -0.2, 1e-12);
    assert_near(answer.percussion[4], 0.2 * mu_r, 1e-12);
    pc_scene_impact_free(&scene);
  }
}

static void wrong_files_with_rolling_friction_are_refused(void **state)
{
  const struct {
    const char *place, *word;
    double value;
  } wrong[] = {
      {"/fclib_global_rolling/vectors/mu_r", "missing", NAN},
      {"/fclib_global_rolling/vectors/mu_r", "must not be negative", -1},
      {"/fclib_global_rolling/vectors/mu_r", "not finite", INFINITY},
      {"/fclib_global_rolling/spacedim", "the dimension must be 5, or 3 in the plane", 4},
      {"/fclib_global_rolling/spacedim", "do not match", 3},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    write_rolling_ball(0.1);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, wrong[k].place, H5P_DEFAULT) >= 0);
    int whole = isfinite(wrong[k].value) ? (int)wrong[k].value : 0;
    if (strstr(wrong[k].place, "spacedim") != NULL)
      put_numbers(file, wrong[k].place, H5T_NATIVE_INT, 1, &whole);
    else if (!isnan(wrong[k].value))
      put_numbers(file, wrong[k].place, H5T_NATIVE_DOUBLE, 1, &wrong[k].value);
    H5Fclose(file);
    pc_scene_impact scene;
    pc_error error = {.text = ""};
    assert_int_equal(pc_scene_read_impact(path, &scene, &error), PC_ERROR_INPUT);
    assert_says(error.text, wrong[k].word);
  }
}

// Local problems of `contacts` contacts; W is the identity on the first one and zero on the others,
// which nothing can move.
static void write_unmoved(bool global, int contacts, const double *normal)
{
  const char *group = global ? "/fclib_global" : "/fclib_local";
  const int rows = 3, place_of[3] = {0, 1, 2}, n = 3 * contacts, entries = contacts > 0 ? 3 : 0;
  const double one[3] = {1, 1, 1}, zero[3] = {0}, mu[4] = {0.5, 0.5, 0.5, 0.5};
  double free_velocity[12] = {0};
  char place[80], matrix[80];
  for (int k = 0; k < contacts; k++)
    free_velocity[3 * k] = normal[k];
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  snprintf(place, sizeof place, "%s/spacedim", group);
  put_numbers(file, place, H5T_NATIVE_INT, 1, &rows);
  snprintf(matrix, sizeof matrix, "%s/%s", group, global ? "H" : "W");
  put_triplets(file, matrix, global ? 3 : n, n, entries, place_of, place_of, one);
  snprintf(place, sizeof place, "%s/vectors/%s", group, global ? "w" : "q");
  put_numbers(file, place, H5T_NATIVE_DOUBLE, n, free_velocity);
  snprintf(place, sizeof place, "%s/vectors/mu", group);
  put_numbers(file, place, H5T_NATIVE_DOUBLE, contacts, mu);
  if (global) {
    put_triplets(file, "/fclib_global/M", 3, 3, 3, place_of, place_of, one);
    put_numbers(file, "/fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 3, zero);
  }
  H5Fclose(file);
}

// A contact that nothing can move and that closes has no solution; what is round-off may close.
static void contacts_that_nothing_moves_are_judged(void **state)
{
  const struct {
    int contacts;
    double normal[4];
    bool solvable;
  } cases[] = {
      {0, {0}, true},          {1, {-1}, true},
      {2, {-1, 1}, true},      {2, {-1, 0}, true},
      {2, {-1, -1e-14}, true}, {2, {-1, -0.5}, false},
      {2, {0, -1e-3}, false},  {3, {-1, 2, -1e-6}, false},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int global = 0; global < 2; global++) {
      write_unmoved(global, cases[k].contacts, cases[k].normal);
      pc_scene_impact scene;
      pc_error error = {.text = ""};
      if (pc_scene_read_impact(path, &scene, &error) != PC_OK)
        fail_msg("case %zu: %s", k, error.text);
      pc_solve_info info;
      assert_int_equal(pc_impact_solve(scene.problem, NULL, &info), PC_OK);
      if ((info.status == PC_SOLVED) != cases[k].solvable)
        fail_msg("case %zu: %s", k, pc_solve_status_name(info.status));
      pc_scene_impact_free(&scene);
    }
}

// An equality that nothing answers to.
static void equalities_on_nothing_are_judged(void **state)
{
  for (int k = 0; k < 3; k++)
    for (int global = 0; global < 2; global++) {
      const double closing = -1, rate = k == 0 ? 0 : k == 1 ? 1e-14 : 0.1;
      write_unmoved(global, 1, &closing);
      hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
      put_triplets(file, global ? "/fclib_global/G" : "/fclib_local/V", 3, 1, 0, NULL, NULL, NULL);
      if (!global)
        put_triplets(file, "/fclib_local/R", 1, 1, 0, NULL, NULL, NULL);
      put_numbers(file, global ? "/fclib_global/vectors/b" : "/fclib_local/vectors/s",
                  H5T_NATIVE_DOUBLE, 1, &rate);
      H5Fclose(file);
      pc_scene_impact scene;
      pc_error error = {.text = ""};
      assert_ok(pc_scene_read_impact(path, &scene, &error), &error);
      pc_solve_info info;
      assert_int_equal(pc_impact_solve(scene.problem, NULL, &info), PC_OK);
      assert_int_equal(info.status, k < 2 ? PC_SOLVED : PC_INACCURATE);
      pc_scene_impact_free(&scene);
    }
}

// A problem with equalities from which a part is missing, or has a wrong size.
static void incomplete_equalities_are_refused(void **state)
{
  static const char *const parts[2][5] = {
      {"/fclib_global/G/x", "/fclib_global/G/p", "/fclib_global/vectors/b", NULL, NULL},
      {"/fclib_local/V/i", "/fclib_local/R", "/fclib_local/R/m", "/fclib_local/vectors/s", NULL}};
  pc_random random = test_random("equalities");
  pc_impact *problem = random_chain(&random, 3, true, false, false);
  solve(problem);
  for (int form = 0; form < 2; form++)
    for (int k = 0; k < 10; k++) {
      const char *name = k < 5 ? parts[form][k] : k == 5 ? "/solution/u" : NULL;
      if (name == NULL)
        continue;
      write_problem(problem, form == 0 ? PC_FCLIB_GLOBAL : PC_FCLIB_LOCAL, path);
      hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
      assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
      if (k == 5) { // a solution may be missing, but not be of another problem
        hid_t space = H5Screate(H5S_SCALAR);
        H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT));
        H5Sclose(space);
      }
      H5Fclose(file);
      pc_scene_impact scene;
      pc_error error = {.text = ""};
      assert_int_equal(pc_scene_read_impact(path, &scene, &error), PC_ERROR_INPUT);
      assert_says(error.text, name);
      assert_null(scene.problem);
      assert_null(scene.solution);
    }
  pc_impact_destroy(problem);
}

// Guesses.

// The solution as a guess: nothing is left to do.
static void a_guess_is_started_from(void **state)
{
  pc_random random = test_random("guess");
  pc_impact *problem = random_chain(&random, 3, false, false, false);
  solve(problem);
  write_problem(problem, PC_FCLIB_GLOBAL, path);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Gclose(H5Gcreate2(file, "/guesses", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0);
  assert_true(H5Lcreate_hard(file, "/solution", file, "/guesses/1", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  int sweeps[2];
  for (int warm = 0; warm < 2; warm++) {
    pc_scene_impact scene;
    assert_int_equal(pc_scene_read_impact(path, &scene, NULL), PC_OK);
    assert_true(scene.guessed);
    pc_solve_options options = pc_solve_options_default();
    options.solver = "uzawa";
    options.warm_start = warm == 1;
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(scene.problem, &options, &info), PC_OK);
    sweeps[warm] = info.iterations;
    pc_scene_impact_free(&scene);
  }
  assert_true(sweeps[1] < sweeps[0]);
  pc_impact_destroy(problem);
}

// Steps of runs.

static void keep_steps(bool rolling)
{
  pc_world_def def = pc_world_def_default();
  def.tolerance = 1e-11;
  pc_world *world = pc_world_create(&def);
  pc_law law = {
      .normal = {.kind = PC_NORMAL_RESTITUTION, .e = 0.3},
      .tangential = {
          .kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.3}, .rolls = rolling, .rolling = 0.01}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
  pc_body_def ground = pc_body_def_default();
  ground.kind = PC_FIXED;
  ground.shape = pc_shape_plane(3, (const double[3]){0, 0, 1}, NULL);
  assert_true(pc_body_create(world, &ground).id > 0);
  pc_shape_release(ground.shape);
  pc_random random = test_random("world");
  for (int i = 0; i < 12; i++) {
    pc_body_def ball = pc_body_def_default();
    ball.shape = pc_shape_sphere(0.1, NULL);
    for (int k = 0; k < 3; k++)
      ball.position[k] = (k == 2 ? 0.11 + 0.2 * (i / 4) : 0.19 * (k == 0 ? i % 2 : i / 2 % 2)) +
                         pc_random_uniform(&random, 0, 0.02);
    ball.velocity[0] = pc_random_uniform(&random, -1, 1);
    assert_true(pc_body_create(world, &ball).id > 0);
    pc_shape_release(ball.shape);
  }
  int kept = 0;
  for (int step = 0; step < 100; step++) {
    assert_int_equal(pc_world_step(world, 2e-3), PC_OK);
    const pc_impact *problem = pc_world_problem(world);
    if (step % 10 != 9 || pc_impact_interactions(problem) == 0)
      continue;
    write_problem(problem, PC_FCLIB_GLOBAL, path);
    check_global(path, problem);
    pc_scene_impact scene = read_and_solve(path, 1e-7);
    assert_int_equal(scene.contacts, pc_impact_interactions(problem));
    pc_scene_impact_free(&scene);
    write_problem(problem, PC_FCLIB_LOCAL, path);
    check_local(path);
    scene = read_and_solve(path, 1e-7);
    pc_scene_impact_free(&scene);
    kept++;
  }
  assert_true(kept >= 5);
  pc_world_destroy(world);
}

static void steps_of_a_world_can_be_kept(void **state)
{
  keep_steps(false);
  keep_steps(true);
}

static const char scene_text[] =
    "kind: rigid\n"
    "duration: 0.1\n"
    "step: 1e-3\n"
    "solver: {tolerance: 1e-12, name: uzawa, max_iterations: 1}\n"
    "bodies:\n"
    "  - {name: a, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1]}\n"
    "  - {name: b, shape: {type: sphere, radius: 0.1}, position: [0.01, 0, 0.3]}\n"
    "obstacles:\n"
    "  - {name: ground, shape: {type: plane}}\n";

static pc_run_summary run_scene(pc_run_dump dump)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_parse("scene.yaml", scene_text, &scene, &error), &error);
  pc_run_options options = {.dump = dump};
  pc_run_summary summary;
  assert_ok(pc_run_scene(&scene, &options, &summary, &error), &error);
  pc_scene_free(&scene);
  return summary;
}

// Removes the files of steps; gives how many there were.
static int take_away(const char *from)
{
  int count = 0;
  for (int step = 1; step <= 100; step++) {
    char name[160];
    snprintf(name, sizeof name, "%s/step-%08d.hdf5", from, step);
    count += unlink(name) == 0;
  }
  assert_int_equal(rmdir(from), 0);
  return count;
}

static void expect_unwritten(const pc_impact *problem, int reason)
{
  pc_error error = {.text = ""};
  assert_int_equal(pc_fclib_write(problem, PC_FCLIB_LOCAL, "x", path, &error), PC_ERROR_IO);
  if (strstr(error.text, path) == NULL || strstr(error.text, strerror(reason)) == NULL)
    fail_msg("'%s' says nothing of '%s'", error.text, strerror(reason));
}

static void what_cannot_be_written_is_told_with_its_reason(void **state)
{
  struct rlimit limit;
  char beside[100];
  snprintf(beside, sizeof beside, "%s.tmp", path);
  struct stat before, after;
  pc_random random = test_random("unwritten");
  pc_impact *problem = random_chain(&random, 3, false, false, false);
  write_problem(problem, PC_FCLIB_LOCAL, path);
  assert_int_equal(stat(path, &before), 0);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, SIG_IGN);
  for (rlim_t bytes = 1; bytes < 4000; bytes += 500) {
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, limit.rlim_max}), 0);
    expect_unwritten(problem, EFBIG);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_not_equal(access(beside, F_OK), 0);
  }
  assert_int_equal(mkdir(beside, 0777), 0);
  expect_unwritten(problem, EISDIR);
  assert_int_equal(rmdir(beside), 0);
  assert_int_equal(stat(path, &after), 0);
  assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size); // the old one
  pc_impact_destroy(problem);
}

static void a_run_keeps_the_problems_that_are_asked_for(void **state)
{
  char inside[80];
  snprintf(inside, sizeof inside, "%s/steps", folder);
  pc_run_summary s = run_scene((pc_run_dump){.folder = inside, .from = 7, .to = 9});
  assert_int_equal(s.problems_kept + s.problems_refused, 3);
  assert_int_equal(take_away(inside), s.problems_kept);
  // Those that miss their tolerance, no more than the limit; the others are counted.
  s = run_scene((pc_run_dump){.folder = inside, .most = 4});
  assert_true(s.steps_inaccurate > 4);
  assert_int_equal(s.problems_kept, 4);
  assert_int_equal(s.problems_kept + s.problems_over, s.steps_inaccurate);
  assert_int_equal(take_away(inside), 4);
  s = run_scene((pc_run_dump){.folder = NULL});
  assert_int_equal(s.problems_kept + s.problems_over + s.problems_refused, 0);
}

// A body of its own mass and speed for each thread.
typedef struct written {
  char path[120];
  double mass, speed;
  int failed;
} written;

static void *write_often(void *context)
{
  written *own = context;
  pc_impact *problem = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  body.mass = own->mass;
  body.velocity[2] = -own->speed;
  contact.bodies[0] = pc_impact_add_body(problem, &body);
  contact.bodies[1] = PC_OBSTACLE;
  own->failed += pc_impact_add_interaction(problem, &contact) < 0;
  for (int i = 0; i < 100; i++)
    own->failed += pc_fclib_write(problem, PC_FCLIB_LOCAL, NULL, own->path, NULL) != PC_OK;
  pc_impact_destroy(problem);
  return NULL;
}

// The body touches at its centre: W is one over its mass, and nothing but the speed is free.
static void check_written(const written *own)
{
  hid_t file = H5Fopen(own->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  layout l = layout_of(file, false);
  dense w = matrix_of(file, &l, "W");
  assert_true(w.rows == 3 && w.columns == 3);
  double *q = part(file, &l, "q", 3), sum = 0;
  for (int i = 0; i < 9; i++)
    assert_near(w.value[i], i % 4 == 0 ? 1 / own->mass : 0, 1e-12);
  for (int i = 0; i < 3; i++)
    sum += q[i] * q[i];
  assert_near(sqrt(sum), own->speed, 1e-12);
  free(w.value);
  free(q);
  H5Fclose(file);
}

static void problems_are_written_by_threads_at_once(void **state)
{
  written all[3] = {0};
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) {
    snprintf(all[i].path, sizeof all[i].path, "%.90s%d", in_folder("thread"), i);
    all[i].mass = i + 2;
    all[i].speed = i + 7;
    assert_int_equal(pthread_create(&thread[i], NULL, write_often, &all[i]), 0);
  }
  for (int i = 0; i < 3; i++)
    pthread_join(thread[i], NULL);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(all[i].failed, 0);
    check_written(&all[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_problems_obey_the_equations_of_fclib),
      cmocka_unit_test(a_tied_mass_has_its_closed_form),
      cmocka_unit_test(stiff_springs_leave_the_mass_symmetric),
      cmocka_unit_test(symmetry_of_a_mass_is_judged_by_its_diagonal),
      cmocka_unit_test(laws_that_fclib_has_not_are_refused),
      cmocka_unit_test(a_file_with_rolling_friction_is_read),
      cmocka_unit_test(wrong_files_with_rolling_friction_are_refused),
      cmocka_unit_test(incomplete_equalities_are_refused),
      cmocka_unit_test(a_guess_is_started_from),
      cmocka_unit_test(contacts_that_nothing_moves_are_judged),
      cmocka_unit_test(equalities_on_nothing_are_judged),
      cmocka_unit_test(steps_of_a_world_can_be_kept),
      cmocka_unit_test(what_cannot_be_written_is_told_with_its_reason),
      cmocka_unit_test(problems_are_written_by_threads_at_once),
      cmocka_unit_test(a_run_keeps_the_problems_that_are_asked_for),
  };
  return cmocka_run_group_tests(tests, name_files, remove_folder);
}
