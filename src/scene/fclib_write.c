// Writing an impact problem as an FCLIB file (fclib.c has the equations).
//
// FCLIB knows one law: u_N >= 0, r_N >= 0, u_N r_N = 0 and Coulomb's |r_T| <= mu r_N against u_T.
// More can be said exactly by what u and M mean:
//   - bound and Moreau's restitution: u_N = D_N+ - b + e D_N^-, so w_N gets e D_N^- - b, as users
//     of FCLIB do it;
//   - Coulomb's law on the mean or on Moreau's velocity: u_T = D_T+ + D_T^- or D_T+ + e D_T^-. Only
//     its direction counts;
//   - velocities that are prescribed: their part of D goes to w;
//   - linear laws, P = k (D+ + D^-) / 2: M gets k/2 B^T B, f the rest;
//   - bilateral laws are equalities.
// Where a contact has rolling friction all of them get its rows, those without it mu_r = 0.
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "core/array.h"
#include "core/error.h"
#include "core/small.h"
#include "impact/problem.h"
#include "percuss/scene.h"
#include "record/replace.h"
#include "record/store.h"
#include "scene/text.h"
#include "sparse/cholesky.h"

typedef struct entry {
  int row, column;
  double value;
} entry;

typedef PC_ARRAY(entry) matrix;

typedef enum role { CONTACT, EQUALITY, LINEAR } role;

// A problem in the words of FCLIB. Rows of contacts come first, then those of equalities.
typedef struct statement {
  const pc_impact *problem;
  bool by_response, rolling;
  int space, contacts, equalities, dofs; // space: rows of a contact
  int *dof;                              // place in v of every degree of freedom; -1: prescribed
  role *role;                            // of every interaction
  int *row;                              // its first row
  double *still, *free;                  // velocities: the prescribed ones alone; U- + M^-1 P_ext
  matrix mass, rows;                     // M; H and G side by side
  matrix response;                       // W, V and R in one
  double *f, *w, *mu, *mu_r;
  double *v, *u, *r; // the answer
  pc_arena arena;
  bool failed; // no memory for the entries of a matrix
} statement;

static void add_entry(statement *s, matrix *to, int row, int column, double value)
{
  entry *added = value != 0 ? pc_array_add(to) : NULL;
  if (added != NULL)
    *added = (entry){row, column, value};
  else if (value != 0)
    s->failed = true;
}

// Sorts by row or column and leaves the order as it is among equals. `start` gets the end of every
// line.
static void sort_entries(const entry *from, int count, bool by_column, int lines, int *start,
                         entry *to)
{
  memset(start, 0, sizeof *start * ((size_t)lines + 1));
  for (int k = 0; k < count; k++)
    start[(by_column ? from[k].column : from[k].row) + 1]++;
  for (int i = 0; i < lines; i++)
    start[i + 1] += start[i];
  for (int k = 0; k < count; k++)
    to[start[by_column ? from[k].column : from[k].row]++] = from[k];
}

// What FCLIB cannot say about a law, or NULL.
static const char *find_role(const pc_impact *problem, const pc_interaction_data *data, role *found)
{
  const pc_law *law = pc_law_of(problem, data);
  pc_normal_kind normal = law->normal.kind;
  pc_tangential_kind tangential = law->tangential.kind;
  bool linear = normal == PC_NORMAL_QUADRATIC && law->normal.k > 0;
  if (normal == PC_NORMAL_BILATERAL ||
      (normal == PC_NORMAL_NONE && tangential == PC_TANGENTIAL_BILATERAL)) {
    *found = EQUALITY;
    return tangential == PC_TANGENTIAL_NONE || tangential == PC_TANGENTIAL_BILATERAL
               ? NULL
               : "a bilateral law with tangential viscosity";
  }
  switch (normal) { // the laws that it can say; a new one is rejected until it is listed here
  case PC_NORMAL_NONE:
  case PC_NORMAL_INELASTIC:
  case PC_NORMAL_QUADRATIC:
  case PC_NORMAL_RESTITUTION:
    break;
  case PC_NORMAL_POWER:
    return "a power law";
  case PC_NORMAL_THRESHOLD:
    return "a threshold law";
  case PC_NORMAL_PENETRABLE:
    return "a penetrable law";
  default:
    return "a normal law of this kind";
  }
  if (tangential == PC_TANGENTIAL_BILATERAL)
    return "a bilateral tangential law";
  *found = data->unilateral && normal != PC_NORMAL_NONE ? CONTACT : LINEAR;
  if (tangential != PC_TANGENTIAL_COULOMB)
    return NULL;
  if (*found == LINEAR || linear)
    return "Coulomb's law with a quadratic normal law";
  if (law->tangential.anisotropic && law->tangential.mu[0] != law->tangential.mu[1])
    return "an elliptic cone of friction";
  return NULL;
}

// k of a row whose law has a linear part.
static double stiffness(const pc_impact *problem, const pc_interaction_data *data, int row)
{
  const pc_law *law = pc_law_of(problem, data);
  bool normal = law->normal.kind != PC_NORMAL_NONE && data->type != PC_SPIN;
  if (data->type == PC_SPIN || (normal && row == 0))
    return law->normal.kind == PC_NORMAL_QUADRATIC ? law->normal.k : 0;
  return law->tangential.kind == PC_TANGENTIAL_VISCOUS ? law->tangential.k : 0;
}

// u - D+ of the rows, given D-.
static void find_shift(const pc_impact *problem, const pc_interaction_data *data,
                       const double *before, double *shift)
{
  const pc_law *law = pc_law_of(problem, data);
  double e = law->normal.kind == PC_NORMAL_RESTITUTION ? law->normal.e : 0;
  double share = 0;
  if (law->tangential.kind == PC_TANGENTIAL_COULOMB)
    share = law->tangential.on == PC_ON_MEAN ? 1 : law->tangential.on == PC_ON_MOREAU ? e : 0;
  shift[0] = e * before[0] - data->bound;
  for (int r = 1; r < pc_interaction_rows(data); r++)
    shift[r] = share * before[r];
}

static int rows_of(const statement *s, int k)
{
  const pc_interaction_data *data = &s->problem->interaction.at[k];
  if (s->role[k] == CONTACT)
    return s->space; // also those without friction
  return pc_interaction_active(pc_law_of(s->problem, data), data);
}

// Of those, the rows that the problem has; the others are zeros.
static int present_rows(const statement *s, int k)
{
  int rows = pc_interaction_rows(&s->problem->interaction.at[k]), all = rows_of(s, k);
  return rows < all ? rows : all;
}

static pc_status find_roles(statement *s, pc_error *error)
{
  const pc_impact *problem = s->problem;
  for (int k = 0; k < problem->interaction.count; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    const char *why = find_role(problem, data, &s->role[k]);
    if (why != NULL)
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "interaction %d has %s, which FCLIB cannot represent", k, why);
    if (s->role[k] != CONTACT)
      continue;
    if (!isfinite(data->bound))
      return pc_fail(error, PC_ERROR_ARGUMENT, "interaction %d has an infinite bound", k);
    int rolls = pc_rolling_rows(pc_law_of(problem, data), data);
    int space = data->type == PC_CONTACT ? data->rows : data->rows - rolls;
    s->rolling = s->rolling || rolls > 0;
    if (s->contacts++ == 0)
      s->space = space;
    if (space != s->space || s->space < 2)
      return pc_fail(
          error, PC_ERROR_ARGUMENT,
          "interaction %d has %d row%s, but FCLIB contacts must all have 2 or all have 3 rows", k,
          space, space == 1 ? "" : "s");
  }
  s->space = s->rolling ? 2 * s->space - 1 : s->space;
  if (s->contacts == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the problem has no contacts");
  int next[] = {0, s->contacts * s->space, 0};
  for (int k = 0; k < problem->interaction.count; k++) {
    s->row[k] = next[s->role[k]];
    next[s->role[k]] += rows_of(s, k);
  }
  s->equalities = next[EQUALITY] - s->contacts * s->space;
  return PC_OK;
}

static void add_masses(statement *s)
{
  const pc_impact *problem = s->problem;
  for (int b = 0; b < problem->body.count; b++) {
    const pc_body_data *body = &problem->body.at[b];
    double mass[PC_MAX_DOF * PC_MAX_DOF];
    pc_body_mass(problem, body, mass);
    for (int i = 0; i < body->dof; i++)
      for (int j = 0; j < body->dof; j++)
        if (s->dof[body->start + i] >= 0 && s->dof[body->start + j] >= 0)
          add_entry(s, &s->mass, s->dof[body->start + i], s->dof[body->start + j],
                    mass[i < j ? i * body->dof + j : j * body->dof + i]);
  }
  for (int c = 0; c < problem->mass.count; c++) {
    const pc_coupling *coupling = &problem->mass.at[c];
    const pc_body_data *a = &problem->body.at[coupling->i], *b = &problem->body.at[coupling->j];
    for (int i = 0; i < a->dof; i++)
      for (int j = 0; j < b->dof; j++) {
        int row = s->dof[a->start + i], column = s->dof[b->start + j];
        double value = problem->block.at[coupling->at + i * b->dof + j];
        if (row >= 0 && column >= 0) {
          add_entry(s, &s->mass, row, column, value);
          add_entry(s, &s->mass, column, row, value);
        }
      }
  }
}

// f = M U- + P_ext, before linear laws are added to M.
static void find_forces(statement *s)
{
  const pc_impact *problem = s->problem;
  double *before = pc_arena_take(&s->arena, (size_t)s->dofs, sizeof(double));
  if (before == NULL)
    return;
  for (int i = 0; i < problem->dofs; i++)
    if (s->dof[i] >= 0) {
      before[s->dof[i]] = problem->before.at[i];
      s->f[s->dof[i]] = problem->percussion.at[i];
    }
  for (int k = 0; k < s->mass.count; k++)
    s->f[s->mass.at[k].row] += s->mass.at[k].value * before[s->mass.at[k].column];
}

// The linear part of one row: M += k/2 B^T B, symmetric in every bit, f -= k/2 B^T (w + D-).
static void fold_row(statement *s, const pc_interaction_data *data, const pc_rows *rows, int r,
                     double k, double constant)
{
  const pc_impact *problem = s->problem;
  for (int a = 0; a < data->terms; a++) {
    const pc_body_data *first = &problem->body.at[pc_term_body(problem, data, a)];
    const double *x = pc_term_rows(problem, data, rows, a) + r * first->dof;
    for (int i = 0; i < first->dof; i++) {
      int row = s->dof[first->start + i];
      if (row < 0 || x[i] == 0)
        continue;
      s->f[row] -= 0.5 * k * x[i] * constant;
      for (int b = 0; b < data->terms; b++) {
        const pc_body_data *second = &problem->body.at[pc_term_body(problem, data, b)];
        const double *y = pc_term_rows(problem, data, rows, b) + r * second->dof;
        for (int j = 0; j < second->dof; j++)
          if (s->dof[second->start + j] >= 0)
            add_entry(s, &s->mass, row, s->dof[second->start + j], 0.5 * k * (x[i] * y[j]));
      }
    }
  }
}

static void add_row_terms(statement *s, const pc_interaction_data *data, const pc_rows *rows,
                          int count, int first)
{
  const pc_impact *problem = s->problem;
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[pc_term_body(problem, data, t)];
    const double *x = pc_term_rows(problem, data, rows, t);
    for (int r = 0; r < count; r++, x += body->dof)
      for (int i = 0; i < body->dof; i++)
        if (s->dof[body->start + i] >= 0)
          add_entry(s, &s->rows, s->dof[body->start + i], first + r, x[i]);
  }
}

// The answer of a row of a contact or an equality; linear parts of the law are in M.
static void take_answer(statement *s, int k, const pc_rows *rows, const double *before,
                        const double *shift)
{
  const pc_impact *problem = s->problem;
  const pc_interaction_data *data = &problem->interaction.at[k];
  const double *force = problem->force.at + data->row;
  double after[PC_MAX_ROWS];
  if (!problem->answered)
    return;
  if (s->by_response)
    memcpy(after, problem->shaped.at + data->row, sizeof(double) * (size_t)data->rows);
  else
    pc_impact_deformation(problem, data, rows, problem->after.at, after);
  for (int r = 0; r < present_rows(s, k); r++) {
    double p = 0;
    for (int i = 0; i < pc_interaction_numbers(data); i++) // a contact is in world axes
      p += pc_row_axis(data, rows, r, i) * force[i];
    s->u[s->row[k] + r] = after[r] + shift[r];
    s->r[s->row[k] + r] = 0.5 * stiffness(problem, data, r) * (before[r] + after[r]) - p;
  }
}

// One interaction. `velocity` is what w (or q) is taken at.
static void add_interaction(statement *s, int k, const double *velocity)
{
  const pc_impact *problem = s->problem;
  const pc_interaction_data *data = &problem->interaction.at[k];
  pc_rows rows;
  double before[PC_MAX_ROWS], constant[PC_MAX_ROWS], shift[PC_MAX_ROWS] = {0};
  pc_impact_rows(problem, data, &rows);
  pc_impact_deformation(problem, data, &rows, problem->before.at, before);
  pc_impact_deformation(problem, data, &rows, velocity, constant);
  int active = pc_interaction_active(pc_law_of(problem, data), data);
  for (int r = 0; r < active; r++) {
    double stiff = stiffness(problem, data, r);
    if (stiff > 0)
      fold_row(s, data, &rows, r, stiff, constant[r] + before[r]);
  }
  if (s->role[k] == LINEAR)
    return;
  find_shift(problem, data, before, shift);
  add_row_terms(s, data, &rows, present_rows(s, k), s->row[k]);
  for (int r = 0; r < present_rows(s, k); r++)
    s->w[s->row[k] + r] = constant[r] + shift[r];
  if (s->role[k] == CONTACT) {
    const pc_tangential_law *law = &pc_law_of(problem, data)->tangential;
    bool rolls = pc_rolling_rows(pc_law_of(problem, data), data) > 0;
    s->mu[s->row[k] / s->space] = law->kind == PC_TANGENTIAL_COULOMB ? law->mu[0] : 0;
    s->mu_r[s->row[k] / s->space] = rolls ? law->rolling : 0;
  }
  take_answer(s, k, &rows, before, shift);
}

static void find_velocities(statement *s)
{
  const pc_impact *problem = s->problem;
  for (int b = 0; b < problem->body.count; b++) {
    const pc_body_data *body = &problem->body.at[b];
    double y[PC_MAX_DOF] = {0}, *free_velocity = s->free + body->start;
    pc_body_whiten(problem, body, problem->percussion.at + body->start, y);
    for (int i = 0; i < body->dof; i++) {
      int at = body->start + i;
      bool prescribed = pc_body_prescribes(body, i);
      s->dof[at] = prescribed ? -1 : s->dofs++;
      free_velocity[i] = problem->before.at[at];
      s->still[at] = prescribed ? problem->before.at[at] : 0;
      if (!prescribed && problem->answered)
        s->v[s->dof[at]] = problem->after.at[at];
    }
    pc_body_move(problem, body, y, free_velocity);
  }
}

static void state_global(statement *s)
{
  add_masses(s);
  find_forces(s);
  for (int k = 0; k < s->problem->interaction.count; k++)
    add_interaction(s, k, s->still);
}

// B L of one row of a term, in the list of its body.
typedef struct whitened {
  int row, next; // of the list
  double value[PC_MAX_DOF];
} whitened;

static double product(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

// W = B M^-1 B^T over the bodies: rows that share one respond to each other.
static void condense(statement *s)
{
  const pc_impact *problem = s->problem;
  size_t most = 0;
  for (int k = 0; k < problem->interaction.count; k++)
    most += (size_t)(problem->interaction.at[k].terms *
                     pc_interaction_rows(&problem->interaction.at[k]));
  whitened *list = pc_arena_take(&s->arena, most, sizeof *list);
  int *first = pc_arena_take(&s->arena, (size_t)problem->body.count, sizeof *first), count = 0;
  if (s->arena.failed)
    return;
  for (int b = 0; b < problem->body.count; b++)
    first[b] = -1;
  for (int k = 0; k < problem->interaction.count; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    pc_rows rows;
    pc_impact_rows(problem, data, &rows);
    for (int t = 0; t < data->terms; t++) {
      int b = pc_term_body(problem, data, t);
      const pc_body_data *body = &problem->body.at[b];
      const double *x = pc_term_rows(problem, data, &rows, t);
      for (int r = 0; r < present_rows(s, k) && body->movable; r++, x += body->dof) {
        whitened *to = &list[count];
        *to = (whitened){.row = s->row[k] + r, .next = first[b]};
        pc_body_whiten(problem, body, x, to->value);
        first[b] = count++;
      }
    }
  }
  for (int b = 0; b < problem->body.count; b++)
    for (int i = first[b]; i >= 0; i = list[i].next)
      for (int j = first[b]; j >= 0; j = list[j].next)
        add_entry(s, &s->response, list[i].row, list[j].row,
                  product(problem->body.at[b].dof, list[i].value, list[j].value));
}

// M as the factorisation takes it, one row per block.
static pc_status factor_mass(statement *s, pc_block_matrix *m, pc_cholesky **factor,
                             pc_error *error)
{
  int count = s->mass.count;
  int(*pairs)[2] = pc_arena_take(&s->arena, (size_t)count, sizeof *pairs);
  int *size = pc_arena_take(&s->arena, (size_t)s->dofs, sizeof *size);
  if (s->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < s->dofs; i++)
    size[i] = 1;
  for (int k = 0; k < count; k++) {
    pairs[k][0] = s->mass.at[k].row;
    pairs[k][1] = s->mass.at[k].column;
  }
  pc_status status = pc_block_matrix_create(m, s->dofs, size, (const int(*)[2])pairs, count, error);
  if (status != PC_OK)
    return status;
  for (int k = 0; k < count; k++) {
    const entry *e = &s->mass.at[k];
    if (e->row >= e->column)
      m->value[m->offset[pc_block_matrix_find(m, e->row, e->column)]] += e->value;
  }
  pc_error reason = {.status = PC_OK};
  *factor = pc_cholesky_analyze(m, 0, &reason);
  if (*factor == NULL)
    return pc_fail(error, reason.status, "%s", reason.text);
  if (pc_cholesky_factor(*factor, m) != PC_OK)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the mass matrix is not positive definite");
  return PC_OK;
}

// The same from the global form, for a mass matrix that couples bodies: q = H^T M^-1 f + w and
// W = H^T M^-1 H, row by row.
static pc_status condense_coupled(statement *s, pc_error *error)
{
  int rows = s->contacts * s->space + s->equalities, count = s->rows.count;
  entry *sorted = pc_arena_take(&s->arena, (size_t)count, sizeof *sorted);
  int *start = pc_arena_take(&s->arena, (size_t)rows + 1, sizeof *start);
  double *x = pc_arena_take(&s->arena, (size_t)s->dofs, sizeof *x);
  double *w = pc_arena_take(&s->arena, (size_t)rows, sizeof *w);
  if (s->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_block_matrix m = {0};
  pc_cholesky *factor = NULL;
  pc_status status = factor_mass(s, &m, &factor, error);
  if (status == PC_OK) {
    sort_entries(s->rows.at, count, true, rows, start, sorted);
    pc_cholesky_solve(factor, s->f);
  }
  for (int k = 0; status == PC_OK && k < count; k++)
    s->w[sorted[k].column] += sorted[k].value * s->f[sorted[k].row];
  for (int c = 0, begin = 0; status == PC_OK && c < rows; c++) {
    int end = start[c]; // sorting left the ends there
    memset(x, 0, sizeof *x * (size_t)s->dofs);
    memset(w, 0, sizeof *w * (size_t)rows);
    for (int k = begin; k < end; k++)
      x[sorted[k].row] += sorted[k].value;
    pc_cholesky_solve(factor, x);
    for (int k = begin; k < count; k++)
      w[sorted[k].column] += sorted[k].value * x[sorted[k].row];
    for (int d = c; d < rows; d++) {
      add_entry(s, &s->response, d, c, w[d]);
      if (d > c)
        add_entry(s, &s->response, c, d, w[d]);
    }
    begin = end;
  }
  pc_cholesky_destroy(factor);
  pc_block_matrix_free(&m);
  return status;
}

static bool couples(const statement *s)
{
  const pc_impact *problem = s->problem;
  for (int k = 0; k < problem->interaction.count; k++)
    for (int r = 0; r < present_rows(s, k); r++)
      if (stiffness(problem, &problem->interaction.at[k], r) > 0)
        return true;
  return problem->mass.count > 0;
}

static pc_status state_local(statement *s, pc_error *error)
{
  const pc_impact *problem = s->problem;
  if (couples(s)) {
    state_global(s);
    return condense_coupled(s, error);
  }
  for (int k = 0; k < problem->interaction.count; k++)
    add_interaction(s, k, s->free);
  if (!s->by_response) {
    condense(s);
    return PC_OK;
  }
  for (int c = 0; c < problem->response.count; c++) {
    const pc_coupling *coupling = &problem->response.at[c];
    int k = coupling->i, l = coupling->j, width = problem->interaction.at[l].rows;
    for (int i = 0; i < present_rows(s, k); i++)
      for (int j = 0; j < present_rows(s, l); j++)
        add_entry(s, &s->response, s->row[k] + i, s->row[l] + j,
                  problem->block.at[coupling->at + i * width + j]);
  }
  return PC_OK;
}

// The first failure is kept, later writes do nothing.
typedef struct writer {
  hid_t file;
  pc_arena arena;
  bool failed; // memory is out
} writer;

static void put(writer *to, const char *group, const char *name, hid_t type, int count,
                const void *values)
{
  char path[80];
  hsize_t size = (hsize_t)count;
  snprintf(path, sizeof path, "%s/%s", group, name);
  if (to->failed)
    return;
  hid_t links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_obj_track_times(creation, false); // equal problems give equal files
  hid_t space = count > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(to->file, path, type, space, links, creation, H5P_DEFAULT);
  to->failed = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
  to->failed = (set >= 0 && H5Dclose(set) < 0) || to->failed;
  H5Sclose(space);
  H5Pclose(links);
  H5Pclose(creation);
}

static void put_integer(writer *to, const char *group, const char *name, int value)
{
  put(to, group, name, H5T_NATIVE_INT, 1, &value);
}

static void put_vector(writer *to, const char *group, const char *name, int count, const double *x)
{
  put(to, group, name, H5T_NATIVE_DOUBLE, count, x);
}

static void put_text(writer *to, const char *group, const char *name, const char *text)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  put(to, group, name, type, 0, text);
  H5Tclose(type);
}

// A part of a matrix, rows and columns from `row` and `column` on, in compressed columns.
static void put_part(writer *to, const char *group, const char *name, const matrix *from, int row,
                     int rows, int column, int columns)
{
  size_t size = (size_t)from->count + 1, most = (size_t)(rows > columns ? rows : columns) + 1;
  entry *part = pc_arena_take(&to->arena, size, sizeof *part);
  entry *sorted = pc_arena_take(&to->arena, size, sizeof *sorted);
  int *start = pc_arena_take(&to->arena, most, sizeof *start);
  int *p = pc_arena_take(&to->arena, most, sizeof *p);
  int *i = pc_arena_take(&to->arena, size, sizeof *i), count = 0, places = 0;
  double *x = pc_arena_take(&to->arena, size, sizeof *x);
  char place[60];
  snprintf(place, sizeof place, "%s/%s", group, name);
  to->failed = to->failed || to->arena.failed;
  if (to->failed)
    return;
  for (int k = 0; k < from->count; k++) {
    entry e = {from->at[k].row - row, from->at[k].column - column, from->at[k].value};
    if (e.row >= 0 && e.row < rows && e.column >= 0 && e.column < columns)
      part[count++] = e;
  }
  sort_entries(part, count, false, rows, start, sorted);
  sort_entries(sorted, count, true, columns, start, part);
  for (int k = 0; k < count; k++)
    if (k > 0 && part[k].row == part[k - 1].row && part[k].column == part[k - 1].column) {
      x[places - 1] += part[k].value;
    } else {
      i[places] = part[k].row;
      x[places++] = part[k].value;
      p[part[k].column + 1]++;
    }
  for (int c = 0; c < columns; c++)
    p[c + 1] += p[c];
  put_integer(to, place, "nzmax", places);
  put_integer(to, place, "m", rows);
  put_integer(to, place, "n", columns);
  put_integer(to, place, "nz", -1);
  put(to, place, "p", H5T_NATIVE_INT, columns + 1, p);
  int stored = places > 0 ? places : 1; // an empty dataset is not read everywhere
  put(to, place, "i", H5T_NATIVE_INT, stored, i);
  put(to, place, "x", H5T_NATIVE_DOUBLE, stored, x);
  pc_arena_reset(&to->arena);
}

static void put_statement(writer *to, const statement *s, pc_fclib_form form, const char *title)
{
  int n = s->contacts * s->space, m = s->equalities;
  bool global = form == PC_FCLIB_GLOBAL;
  const char *group = s->rolling ? (global ? "/fclib_global_rolling" : "/fclib_local_rolling")
                      : global   ? "/fclib_global"
                                 : "/fclib_local";
  char inner[60];
  put_integer(to, group, "spacedim", s->space);
  if (global) {
    put_part(to, group, "M", &s->mass, 0, s->dofs, 0, s->dofs);
    put_part(to, group, "H", &s->rows, 0, s->dofs, 0, n);
    if (m > 0)
      put_part(to, group, "G", &s->rows, 0, s->dofs, n, m);
  } else {
    put_part(to, group, "W", &s->response, 0, n, 0, n);
    if (m > 0) {
      put_part(to, group, "V", &s->response, 0, n, n, m);
      put_part(to, group, "R", &s->response, n, m, n, m);
    }
  }
  snprintf(inner, sizeof inner, "%s/vectors", group);
  if (global)
    put_vector(to, inner, "f", s->dofs, s->f);
  put_vector(to, inner, global ? "w" : "q", n, s->w);
  put_vector(to, inner, "mu", s->contacts, s->mu);
  if (s->rolling)
    put_vector(to, inner, "mu_r", s->contacts, s->mu_r);
  if (m > 0)
    put_vector(to, inner, global ? "b" : "s", m, s->w + n);
  snprintf(inner, sizeof inner, "%s/info", group);
  put_text(to, inner, "title", title != NULL ? title : "");
  put_text(to, inner, "description", "an impact problem of Percuss");
  put_text(to, inner, "math_info", "");
  if (!s->problem->answered)
    return;
  if (global)
    put_vector(to, "/solution", "v", s->dofs, s->v);
  put_vector(to, "/solution", "u", n, s->u);
  put_vector(to, "/solution", "r", n, s->r);
  if (m > 0)
    put_vector(to, "/solution", "l", m, s->r + n);
}

// The file as bytes: made in memory, because HDF5 does not give back all it took where a disk
// fails it.
static unsigned char *make_image(const statement *s, pc_fclib_form form, const char *title,
                                 ssize_t *size)
{
  unsigned char *image = NULL;
  char name[40]; // no other file has it, here or on the disk
  snprintf(name, sizeof name, "/dev/null/%p", (void *)&image);
  pc_quiet quiet = pc_quiet_begin();
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, false);
  writer to = {.file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access)};
  to.failed = to.file < 0;
  put_statement(&to, s, form, title);
  to.failed = to.failed || H5Fflush(to.file, H5F_SCOPE_GLOBAL) < 0;
  *size = to.failed ? -1 : H5Fget_file_image(to.file, NULL, 0);
  if (*size > 0)
    image = malloc((size_t)*size);
  if (image != NULL && H5Fget_file_image(to.file, image, (size_t)*size) != *size) {
    free(image);
    image = NULL;
  }
  if (to.file >= 0)
    H5Fclose(to.file);
  pc_arena_free(&to.arena);
  H5Pclose(access);
  pc_quiet_end(quiet);
  return image;
}

static const pc_own own = {"an FCLIB file", {{PC_OWN_HDF5, "fclib_"}}};

static pc_status write_file(const statement *s, pc_fclib_form form, const char *title,
                            const char *path, pc_error *error)
{
  ssize_t size = 0;
  unsigned char *image = make_image(s, form, title, &size);
  if (image == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", pc_text_path(path).text);
  pc_replace *file = pc_replace_begin(path, &own, error);
  if (file != NULL)
    pc_replace_write(file, image, (size_t)size);
  free(image);
  return file != NULL ? pc_replace_end(file, error) : error != NULL ? error->status : PC_ERROR_IO;
}

static bool make_room(statement *s)
{
  size_t dofs = (size_t)s->problem->dofs, count = (size_t)s->problem->interaction.count,
         rows = (size_t)s->problem->rows + PC_MAX_ROWS * count;
  s->dof = pc_arena_take(&s->arena, dofs, sizeof(int));
  s->role = pc_arena_take(&s->arena, count, sizeof(role));
  s->row = pc_arena_take(&s->arena, count, sizeof(int));
  double **vectors[] = {&s->still, &s->free, &s->f, &s->v}, **lines[] = {&s->w, &s->u, &s->r};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = pc_arena_take(&s->arena, dofs, sizeof(double));
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    *lines[i] = pc_arena_take(&s->arena, rows, sizeof(double));
  s->mu = pc_arena_take(&s->arena, count, sizeof(double));
  s->mu_r = pc_arena_take(&s->arena, count, sizeof(double));
  return !s->arena.failed;
}

static pc_status state_problem(statement *s, pc_fclib_form form, pc_error *error)
{
  if (!make_room(s))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (s->by_response && form == PC_FCLIB_GLOBAL)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the problem has no bodies, only a Delassus operator; write the local form");
  pc_status status = find_roles(s, error);
  if (status != PC_OK)
    return status;
  find_velocities(s);
  if (!s->by_response && s->dofs == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the problem has no body that can move");
  if (form == PC_FCLIB_GLOBAL)
    state_global(s);
  else
    status = state_local(s, error);
  if (s->arena.failed || s->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return status;
}

pc_status pc_fclib_write(const pc_impact *problem, pc_fclib_form form, const char *title,
                         const char *path, pc_error *error)
{
  if (problem == NULL || path == NULL)
    return pc_fail_null(error, "the problem and the path");
  if (form != PC_FCLIB_GLOBAL && form != PC_FCLIB_LOCAL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "unknown form of an FCLIB file");
  statement s = {.problem = problem, .by_response = problem->response.count > 0};
  pc_status status = state_problem(&s, form, error);
  if (status == PC_OK)
    status = write_file(&s, form, title, path, error);
  pc_array_free(&s.mass);
  pc_array_free(&s.rows);
  pc_array_free(&s.response);
  pc_arena_free(&s.arena);
  return status;
}
