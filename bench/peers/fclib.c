// One FCLIB problem with Percuss and with three solvers of Siconos, in turns, in one process.
//
// The file is read here once more, apart from Percuss; both errors of every answer are computed
// here from the response operator W, which Siconos is handed in the storage each solver likes.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "percuss/percuss.h"

enum { RUNS = 7, LARGEST_PART = 3000 };
static const double tolerance = 1e-8, enough = 2; // s after which a solver is not run again

static _Noreturn void stop(const char *path, const char *why)
{
  fprintf(stderr, "%s: %s\n", path, why);
  exit(3);
}

static void *room(size_t count, size_t size)
{
  void *memory = calloc(count + 1, size);
  if (memory == NULL)
    stop("fclib", "out of memory");
  return memory;
}

// Entries of a sparse matrix, in any order.
typedef struct entries {
  int rows, columns, count;
  int *i, *j;
  double *x;
} entries;

static int length(hid_t file, const char *name)
{
  hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
  hsize_t size = 0;
  H5Sget_simple_extent_dims(space, &size, NULL);
  H5Sclose(space);
  H5Dclose(data);
  return (int)size;
}

static void read_into(hid_t file, const char *name, hid_t type, void *to)
{
  hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  if (data < 0 || H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
    stop(name, "cannot be read");
  H5Dclose(data);
}

static int whole(hid_t file, const char *group, const char *name)
{
  char path[200];
  int value;
  snprintf(path, sizeof path, "%s/%s", group, name);
  read_into(file, path, H5T_NATIVE_INT, &value);
  return value;
}

static double *vector(hid_t file, const char *group, const char *name, int *size)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", group, name);
  *size = length(file, path);
  double *x = room((size_t)*size, sizeof *x);
  read_into(file, path, H5T_NATIVE_DOUBLE, x);
  return x;
}

// FCLIB keeps triplets (nz >= 0), columns (nz = -1) or rows (nz = -2).
static entries read_matrix(hid_t file, const char *group)
{
  char path[200];
  int nz = whole(file, group, "nz"), count;
  entries a = {.rows = whole(file, group, "m"), .columns = whole(file, group, "n")};
  a.x = vector(file, group, "x", &count);
  a.count = nz >= 0 ? nz : count;
  int *i = room((size_t)count, sizeof *i), *j = room((size_t)count, sizeof *j);
  snprintf(path, sizeof path, "%s/i", group);
  read_into(file, path, H5T_NATIVE_INT, i);
  snprintf(path, sizeof path, "%s/p", group);
  int pointers = length(file, path), *p = room((size_t)pointers, sizeof *p);
  read_into(file, path, H5T_NATIVE_INT, p);
  for (int c = 0; nz < 0 && c + 1 < pointers; c++)
    for (int k = p[c]; k < p[c + 1]; k++)
      j[k] = c;
  a.i = nz == -2 ? j : i;
  a.j = nz == -2 ? i : nz >= 0 ? p : j;
  if (nz < 0)
    a.count = p[pointers - 1];
  return a;
}

// Some files have one triangle of a symmetric matrix only.
static void mirror(entries *a)
{
  bool above = false, below = false;
  for (int k = 0; k < a->count; k++) {
    above = above || a->i[k] < a->j[k];
    below = below || a->i[k] > a->j[k];
  }
  if (above == below)
    return;
  int count = a->count;
  size_t most = 2 * (size_t)count;
  a->i = realloc(a->i, most * sizeof *a->i);
  a->j = realloc(a->j, most * sizeof *a->j);
  a->x = realloc(a->x, most * sizeof *a->x);
  if (a->i == NULL || a->j == NULL || a->x == NULL)
    stop("fclib", "out of memory");
  for (int k = 0; k < count; k++)
    if (a->i[k] != a->j[k]) {
      a->i[a->count] = a->j[k];
      a->j[a->count] = a->i[k];
      a->x[a->count++] = a->x[k];
    }
}

typedef struct problem {
  int contacts, rows;
  entries w;
  double *q, *mu, *mean; // mean: of the diagonal of each contact's block
  double size;           // |q|
} problem;

// Parts of M that do not touch each other, each dense: x = M^-1 b for the rows of one part.
static void solve_dense(int n, const double *a, const double *b, double *x)
{
  double *l = room((size_t)n * (size_t)n, sizeof *l);
  memcpy(l, a, sizeof(double) * (size_t)n * (size_t)n);
  memcpy(x, b, sizeof(double) * (size_t)n);
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(l[i * n + k]) > fabs(l[pivot * n + k]))
        pivot = i;
    for (int j = 0; j < n && pivot != k; j++) {
      double swap = l[k * n + j];
      l[k * n + j] = l[pivot * n + j];
      l[pivot * n + j] = swap;
    }
    double swap = x[k];
    x[k] = x[pivot];
    x[pivot] = swap;
    for (int i = k + 1; i < n; i++) {
      double f = l[i * n + k] / l[k * n + k];
      if (f == 0)
        continue;
      for (int j = k; j < n; j++)
        l[i * n + j] -= f * l[k * n + j];
      x[i] -= f * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= l[i * n + j] * x[j];
    x[i] /= l[i * n + i];
  }
  free(l);
}

static int root(int *above, int i)
{
  while (above[i] != i)
    i = above[i] = above[above[i]];
  return i;
}

// W = H^T M^-1 H and q = H^T M^-1 f + w.
static void condense(problem *p, const entries *m, const entries *h, const double *f,
                     const double *w, const char *path)
{
  int n = m->rows, *above = room((size_t)n, sizeof *above), *at = room((size_t)n, sizeof *at),
      *size = room((size_t)n, sizeof *size);
  for (int i = 0; i < n; i++)
    above[i] = i;
  for (int k = 0; k < m->count; k++)
    above[root(above, m->i[k])] = root(above, m->j[k]);
  for (int i = 0; i < n; i++)
    at[i] = size[root(above, i)]++;
  size_t most = (size_t)p->rows * (size_t)p->rows;
  double *full = room(most, sizeof *full);
  memcpy(p->q, w, sizeof(double) * (size_t)p->rows);
  for (int part = 0; part < n; part++) {
    int s = size[part];
    if (s == 0)
      continue;
    if (s > LARGEST_PART)
      stop(path, "its mass matrix does not fall into small parts");
    double *a = room((size_t)s * (size_t)s, sizeof *a), *b = room((size_t)s, sizeof *b);
    double *x = room((size_t)s, sizeof *x), *rows = NULL;
    int *column = room((size_t)p->rows, sizeof *column), columns = 0;
    for (int k = 0; k < m->count; k++)
      if (root(above, m->i[k]) == part)
        a[at[m->i[k]] * s + at[m->j[k]]] += m->x[k];
    for (int i = 0; i < n; i++)
      if (root(above, i) == part)
        b[at[i]] = f[i];
    solve_dense(s, a, b, x);
    int *slot = room((size_t)p->rows, sizeof *slot);
    for (int k = 0; k < h->count; k++)
      if (root(above, h->i[k]) == part) {
        p->q[h->j[k]] += h->x[k] * x[at[h->i[k]]];
        if (slot[h->j[k]] == 0) {
          column[columns++] = h->j[k];
          slot[h->j[k]] = columns;
        }
      }
    rows = room((size_t)columns * (size_t)s, sizeof *rows);
    for (int k = 0; k < h->count; k++)
      if (root(above, h->i[k]) == part)
        rows[(slot[h->j[k]] - 1) * s + at[h->i[k]]] += h->x[k];
    for (int c = 0; c < columns; c++) {
      solve_dense(s, a, rows + c * s, x);
      for (int d = 0; d < columns; d++)
        for (int i = 0; i < s; i++)
          full[(size_t)column[d] * (size_t)p->rows + (size_t)column[c]] += rows[d * s + i] * x[i];
    }
    free(a), free(b), free(x), free(rows), free(column), free(slot);
  }
  int count = 0;
  for (size_t k = 0; k < most; k++)
    count += full[k] != 0;
  p->w = (entries){.rows = p->rows, .columns = p->rows};
  p->w.i = room((size_t)count, sizeof(int));
  p->w.j = room((size_t)count, sizeof(int));
  p->w.x = room((size_t)count, sizeof(double));
  for (size_t k = 0; k < most; k++)
    if (full[k] != 0) {
      p->w.i[p->w.count] = (int)(k / (size_t)p->rows);
      p->w.j[p->w.count] = (int)(k % (size_t)p->rows);
      p->w.x[p->w.count++] = full[k];
    }
  free(full), free(above), free(at), free(size);
}

static problem read_problem(const char *path)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    stop(path, "not an HDF5 file");
  problem p = {0};
  int size;
  bool local = H5Lexists(file, "fclib_local", H5P_DEFAULT) > 0;
  if (!local && H5Lexists(file, "fclib_global", H5P_DEFAULT) <= 0)
    stop(path, "no fclib_local and no fclib_global");
  const char *group = local ? "fclib_local" : "fclib_global";
  if (whole(file, group, "spacedim") != 3)
    stop(path, "only three rows a contact");
  if (H5Lexists(file, local ? "fclib_local/V" : "fclib_global/G", H5P_DEFAULT) > 0)
    stop(path, "no equalities");
  p.mu = vector(file, group, "vectors/mu", &p.contacts);
  p.rows = 3 * p.contacts;
  if (local) {
    p.w = read_matrix(file, "fclib_local/W");
    p.q = vector(file, group, "vectors/q", &size);
  } else {
    entries m = read_matrix(file, "fclib_global/M"), h = read_matrix(file, "fclib_global/H");
    double *f = vector(file, group, "vectors/f", &size),
           *w = vector(file, group, "vectors/w", &size);
    p.q = room((size_t)p.rows, sizeof *p.q);
    mirror(&m);
    condense(&p, &m, &h, f, w, path);
  }
  H5Fclose(file);
  p.mean = room((size_t)p.contacts, sizeof *p.mean);
  for (int k = 0; k < p.w.count; k++)
    if (p.w.i[k] == p.w.j[k])
      p.mean[p.w.i[k] / 3] += p.w.x[k] / 3;
  for (int i = 0; i < p.rows; i++)
    p.size += p.q[i] * p.q[i];
  p.size = sqrt(p.size);
  return p;
}

// Onto the cone |x_T| <= mu x_N.
static void project(double mu, double *x)
{
  double t = hypot(x[1], x[2]);
  if (t <= mu * x[0])
    return;
  double a = mu * t <= -x[0] ? 0 : (x[0] + mu * t) / (1 + mu * mu);
  x[0] = a;
  x[1] = t > 0 ? mu * a * x[1] / t : 0;
  x[2] = t > 0 ? mu * a * x[2] / t : 0;
}

typedef struct errors {
  double scaled;  // as a velocity, over |q|
  double siconos; // Siconos' own
} errors;

static errors measure(const problem *p, const double *r)
{
  double *u = room((size_t)p->rows, sizeof *u), sum = 0, plain = 0, ru = 0, rr = 0;
  memcpy(u, p->q, sizeof(double) * (size_t)p->rows);
  for (int k = 0; k < p->w.count; k++)
    u[p->w.i[k]] += p->w.x[k] * r[p->w.j[k]];
  for (int c = 0; c < p->contacts; c++) {
    const double *rc = r + 3 * c, *uc = u + 3 * c;
    double slip = hypot(uc[1], uc[2]), v[3] = {uc[0] + p->mu[c] * slip, uc[1], uc[2]};
    double x[3], y[3], w = p->mean[c] > 0 ? p->mean[c] : 1;
    for (int i = 0; i < 3; i++) {
      x[i] = rc[i] - v[i] / w;
      y[i] = rc[i] - v[i];
      ru += uc[i] * uc[i];
      rr += rc[i] * rc[i];
    }
    project(p->mu[c], x);
    project(p->mu[c], y);
    for (int i = 0; i < 3; i++) {
      sum += w * w * (rc[i] - x[i]) * (rc[i] - x[i]);
      plain += (rc[i] - y[i]) * (rc[i] - y[i]);
    }
  }
  free(u);
  return (errors){sqrt(sum) / p->size, sqrt(plain) / fmax(p->size, sqrt(fmax(ru, rr)))};
}

typedef struct outcome {
  double seconds[RUNS], spent;
  int runs;
  bool solved; // as it says itself
  errors errors;
} outcome;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add(outcome *o, double seconds)
{
  o->seconds[o->runs++] = seconds;
  o->spent += seconds;
}

static void by_percuss(const char *path, const problem *p, outcome *o)
{
  pc_scene_impact scene;
  pc_error error = {0};
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.tolerance = tolerance;
  if (pc_scene_read_impact(path, &scene, &error) != PC_OK)
    stop(path, error.text);
  if (pc_impact_solve(scene.problem, &options, &info) != PC_OK)
    stop(path, pc_impact_error(scene.problem));
  add(o, info.time_s);
  o->solved = info.status == PC_SOLVED;
  double *r = room((size_t)p->rows, sizeof *r);
  for (int k = 0; k < p->contacts; k++) {
    pc_interaction_answer answer;
    pc_impact_answer(scene.problem, k, &answer);
    for (int i = 0; i < 3; i++) // friction-free contacts have one row
      r[3 * k + i] = i < answer.size ? -answer.percussion[i] : 0;
  }
  o->errors = measure(p, r);
  free(r);
  pc_scene_impact_free(&scene);
}

static NumericsMatrix *as_triplets(const entries *w)
{
  NumericsMatrix *m = NM_create(NM_SPARSE, w->rows, w->rows);
  NM_triplet_alloc(m, w->count);
  for (int k = 0; k < w->count; k++)
    NM_entry(m, w->i[k], w->j[k], w->x[k]);
  return m;
}

// Gauss-Seidel goes over blocks of three, the others over sparse columns.
static NumericsMatrix *as_blocks(const entries *w)
{
  NumericsMatrix *sparse = as_triplets(w), *m = NM_create(NM_SPARSE_BLOCK, w->rows, w->rows);
  SBM_from_csparse(3, NM_csc(sparse), m->matrix1);
  NM_clear(sparse);
  free(sparse);
  return m;
}

static void by_siconos(int id, int most, const problem *p, outcome *o)
{
  size_t bytes = sizeof(double) * (size_t)p->rows;
  FrictionContactProblem *f = frictionContactProblem_new();
  f->dimension = 3;
  f->numberOfContacts = p->contacts;
  f->M = id == SICONOS_FRICTION_3D_NSGS ? as_blocks(&p->w) : as_triplets(&p->w);
  f->q = memcpy(room((size_t)p->rows, sizeof(double)), p->q, bytes);
  f->mu = memcpy(room((size_t)p->contacts, sizeof(double)), p->mu,
                 sizeof(double) * (size_t)p->contacts);
  SolverOptions *options = solver_options_create(id);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = most;
  double *r = room((size_t)p->rows, sizeof *r), *u = room((size_t)p->rows, sizeof *u);
  double begun = now();
  int info = fc3d_driver(f, r, u, options);
  add(o, now() - begun);
  o->solved = info == 0;
  o->errors = measure(p, r);
  solver_options_delete(options);
  frictionContactProblem_free(f);
  free(r);
  free(u);
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    int id, most;
  } peers[] = {{"Percuss", 0, 0},
               {"Siconos NSGS", SICONOS_FRICTION_3D_NSGS, 20000},
               {"Siconos NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 500},
               {"Siconos ADMM", SICONOS_FRICTION_3D_ADMM, 20000}};
  enum { PEERS = sizeof peers / sizeof *peers };
  if (argc != 2) {
    fprintf(stderr, "usage: %s PROBLEM.hdf5\n", argv[0]);
    return 2;
  }
  const char *slash = strrchr(argv[1], '/'), *name = slash != NULL ? slash + 1 : argv[1];
  problem p = read_problem(argv[1]);
  outcome all[PEERS] = {0};
  for (int run = 0; run < RUNS; run++)
    for (int k = 0; k < PEERS; k++) {
      if (all[k].spent > enough)
        continue;
      if (k == 0)
        by_percuss(argv[1], &p, &all[k]);
      else
        by_siconos(peers[k].id, peers[k].most, &p, &all[k]);
    }
  for (int k = 0; k < PEERS; k++) {
    outcome *o = &all[k];
    qsort(o->seconds, (size_t)o->runs, sizeof *o->seconds, by_size);
    printf("row,%.*s,%d,%s,%.4g,%s,%.3g,%.3g,%d\n", (int)strcspn(name, "."), name, p.contacts,
           peers[k].name, 1e3 * o->seconds[o->runs / 2], o->solved ? "yes" : "no", o->errors.scaled,
           o->errors.siconos, o->runs);
  }
  return 0;
}
