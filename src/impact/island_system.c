// Makes a system of an island: rows whitened and scaled, laws, coupled masses and responses; and
// writes its answer back.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "impact/islands.h"

const char pc_out_of_range[] =
    "masses or velocities are outside the range of numbers; use other units";

static bool couples(const pc_system *system, const int *local_body, const pc_coupling *coupling)
{
  int i = local_body[coupling->i], j = local_body[coupling->j];
  return i >= 0 && j >= 0 && i < system->bodies && system->body_of[i] == coupling->i;
}

// Diagonal couplings between bodies: M^ = L^T M L, identity on the diagonal.
static pc_status couple(pc_system *system, const pc_impact *problem, const int *local_body,
                        double stiffness, double *velocity, pc_error *error)
{
  int count = 0;
  for (int c = 0; c < problem->mass.count; c++)
    count += couples(system, local_body, &problem->mass.at[c]);
  if (count == 0)
    return PC_OK;
  int(*pairs)[2] = pc_arena_take(system->arena, (size_t)count, sizeof *pairs);
  if (pairs == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  int *which = pc_arena_take(system->arena, (size_t)count, sizeof(int));
  if (which == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  count = 0;
  for (int c = 0; c < problem->mass.count; c++) {
    if (!couples(system, local_body, &problem->mass.at[c]))
      continue;
    pairs[count][0] = local_body[problem->mass.at[c].i];
    pairs[count][1] = local_body[problem->mass.at[c].j];
    which[count++] = c;
  }
  pc_status status =
      pc_block_matrix_create(&system->mass, system->bodies, system->dof, pairs, count, error);
  if (status != PC_OK)
    return status;
  system->coupled = true;
  pc_block_matrix *m = &system->mass;
  for (int b = 0; b < system->bodies; b++) {
    double *block = m->value + m->offset[pc_block_matrix_find(m, b, b)];
    for (int i = 0; i < system->dof[b]; i++)
      block[i * system->dof[b] + i] = 1;
  }
  for (int k = 0; k < count; k++) {
    const pc_coupling *coupling = &problem->mass.at[which[k]];
    const pc_body_data *bi = &problem->body.at[coupling->i], *bj = &problem->body.at[coupling->j];
    int i = pairs[k][0], j = pairs[k][1], ni = bi->dof, nj = bj->dof;
    double white[36] = {0}, root_i[36], root_j[36];
    pc_body_root(problem, bi, root_i);
    pc_body_root(problem, bj, root_j);
    for (int a = 0; a < ni; a++)
      for (int b = 0; b < nj; b++)
        for (int p = 0; p < ni; p++)
          for (int q = 0; q < nj; q++)
            white[a * nj + b] += root_i[p * ni + a] * problem->block.at[coupling->at + p * nj + q] *
                                 root_j[q * nj + b];
    double *block = m->value + m->offset[pc_block_matrix_find(m, i > j ? i : j, i > j ? j : i)];
    for (int a = 0; a < ni; a++)
      for (int b = 0; b < nj; b++)
        block[i > j ? a * nj + b : b * ni + a] += white[a * nj + b];
  }
  system->mass_factor = pc_cholesky_analyze(m, 0, error);
  if (system->mass_factor == NULL)
    return error->status;
  if (pc_cholesky_factor(system->mass_factor, m) != PC_OK)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the mass matrix is not positive definite");
  // The free velocity of these bodies, again.
  double *y = pc_arena_take(system->arena, (size_t)system->dofs, sizeof(double));
  if (y == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < system->bodies; b++) {
    const pc_body_data *body = &problem->body.at[system->body_of[b]];
    double *white = y + system->start[b];
    pc_body_whiten(problem, body, problem->percussion.at + body->start, white);
    for (int i = 0; i < body->dof; i++)
      white[i] *= stiffness;
  }
  pc_cholesky_solve(system->mass_factor, y);
  for (int b = 0; b < system->bodies; b++) {
    const pc_body_data *body = &problem->body.at[system->body_of[b]];
    memcpy(velocity + body->start, problem->before.at + body->start,
           sizeof(double) * (size_t)body->dof);
    pc_body_move(problem, body, y + system->start[b], velocity + body->start);
  }
  return PC_OK;
}

// The law of one interaction for rows multiplied by row_scale, with coefficients times stiffness.
static void scale_law(const pc_law *source, const pc_interaction_data *from,
                      const double *row_scale, const double *before, double stiffness,
                      pc_block_law *law)
{
  *law = (pc_block_law){0};
  const pc_normal_law *normal = &source->normal;
  const pc_tangential_law *tangential = &source->tangential;
  double s = row_scale[0];
  law->rows = pc_interaction_active(source, from);
  law->normal = from->type != PC_SPIN && normal->kind != PC_NORMAL_NONE;
  if (law->normal) {
    pc_row_law *row = &law->row;
    row->ops = pc_row_ops_of(normal->kind);
    row->ops->scale(row, normal, stiffness, s);
    row->before = s * before[0];
    row->equality = normal->kind == PC_NORMAL_BILATERAL;
    row->bound = row->equality || from->unilateral ? s * from->bound : -INFINITY;
    if (normal->kind == PC_NORMAL_RESTITUTION)
      row->bound -= normal->e * row->before;
    law->tangential = tangential->kind;
  } else if (from->type == PC_SPIN) {
    bool tied = normal->kind == PC_NORMAL_BILATERAL;
    law->tangential = tied ? PC_TANGENTIAL_BILATERAL : PC_TANGENTIAL_VISCOUS;
    law->k = normal->k * stiffness / (s * s);
    law->shift[0] = tied ? -s * from->bound : 0;
  } else {
    law->tangential = tangential->kind;
  }
  int first = law->normal;
  if (from->type != PC_SPIN)
    law->k = tangential->k * stiffness / (s * s);
  if (law->tangential == PC_TANGENTIAL_VISCOUS) {
    for (int i = first; i < law->rows; i++)
      law->shift[i - first] = row_scale[i] * before[i];
  } else if (law->tangential == PC_TANGENTIAL_COULOMB) {
    // An elliptic cone has its axes in the row scales.
    law->mu = tangential->anisotropic ? 1 : tangential->mu[0];
    law->rolls = pc_rolling_rows(source, from);
    if (law->rolls > 0)
      law->mu_r = tangential->rolling * s / row_scale[law->rows - 1];
    double share = pc_tangential_share(source);
    for (int i = first; i < law->rows; i++)
      law->shift[i - first] = share * row_scale[i] * before[i];
  }
}

// Rows of one interaction, whitened; gives the trace of the local operator, and its diagonal.
static double whiten(const pc_impact *problem, const pc_interaction_data *from,
                     const pc_rows *rows_of, int rows, const double *weight, const int *local_body,
                     pc_system *system, int k, long *used, double *diagonal)
{
  double trace = 0;
  for (int t = 0; t < from->terms; t++) {
    int b = pc_term_body(problem, from, t);
    const pc_body_data *body = &problem->body.at[b];
    if (local_body[b] < 0)
      continue;
    int slot = system->term[k + 1]++, n = body->dof;
    system->term_body[slot] = local_body[b];
    system->term_at[slot] = *used;
    const double *row = pc_term_rows(problem, from, rows_of, t);
    double *out = system->jacobian + *used;
    *used += (long)rows * n;
    for (int r = 0; r < rows; r++) {
      pc_body_whiten(problem, body, row + r * n, out + r * n);
      for (int i = 0; i < n; i++) {
        out[r * n + i] *= weight[r];
        trace += out[r * n + i] * out[r * n + i];
        diagonal[r] += out[r * n + i] * out[r * n + i];
      }
    }
  }
  return trace;
}

// Rolling rows are spins: a length makes them velocities, one for which they respond as much as the
// other rows do.
static double rolling_length(int rows, int rolls, const double *diagonal)
{
  double sliding = 0, rolling = 0;
  for (int i = 0; i < rows; i++)
    *(i < rows - rolls ? &sliding : &rolling) += diagonal[i];
  double square = sliding / (rows - rolls) / (rolling / rolls);
  return square > 0 && isfinite(square) ? sqrt(square) : 1;
}

// Multiplies the rolling rows of one interaction, and what belongs to them, by a length; gives the
// new trace.
static double weigh_rolling(pc_system *s, int k, int rows, int rolls, double *diagonal,
                            double *weight)
{
  double length = rolling_length(rows, rolls, diagonal), trace = 0;
  for (int i = rows - rolls; i < rows; i++) {
    diagonal[i] *= length * length;
    weight[i] = length;
  }
  for (int i = 0; i < rows; i++)
    trace += diagonal[i];
  for (int t = s->term[k]; t < s->term[k + 1]; t++) {
    int n = s->dof[s->term_body[t]];
    double *row = s->jacobian + s->term_at[t] + (rows - rolls) * n;
    for (int i = 0; i < rolls * n; i++)
      row[i] *= length;
  }
  return trace;
}

// Response blocks of this island, scaled, sorted by row.
static bool build_response(const pc_impact *problem, pc_system *system,
                           const int *local_interaction)
{
  int n = system->interactions;
  pc_response *w = pc_arena_take(system->arena, 1, sizeof *w);
  if (w == NULL)
    return false;
  system->response = w;
  w->row = pc_arena_take(system->arena, (size_t)n + 2, sizeof(int));
  if (w->row == NULL)
    return false;
  int blocks = 0;
  for (int c = 0; c < problem->response.count; c++) {
    int k = local_interaction[problem->response.at[c].i];
    if (k < 0 || k >= n || system->interaction_of[k] != problem->response.at[c].i)
      continue;
    w->row[k + 1]++;
    blocks++;
  }
  for (int k = 0; k < n; k++)
    w->row[k + 1] += w->row[k];
  w->column = pc_arena_take(system->arena, (size_t)blocks, sizeof(int));
  w->at = pc_arena_take(system->arena, (size_t)blocks, sizeof(long));
  long most = 1;
  for (int k = 0; k < n; k++)
    most = system->law[k].rows > most ? system->law[k].rows : most;
  long size = most * most;
  w->value = pc_arena_take(system->arena, (size_t)blocks * (size_t)size, sizeof(double));
  int *next = pc_arena_take(system->arena, (size_t)n, sizeof(int));
  if (system->arena->failed)
    return false;
  for (int k = 0; k < n; k++)
    next[k] = w->row[k];
  for (int c = 0; c < problem->response.count; c++) {
    const pc_coupling *coupling = &problem->response.at[c];
    int k = local_interaction[coupling->i];
    if (k < 0 || k >= n || system->interaction_of[k] != coupling->i)
      continue;
    int l = local_interaction[coupling->j], slot = next[k]++;
    int mk = system->law[k].rows, ml = system->law[l].rows,
        stride = problem->interaction.at[coupling->j].rows;
    w->column[slot] = l;
    w->at[slot] = size * slot;
    for (int i = 0; i < mk; i++)
      for (int j = 0; j < ml; j++)
        w->value[size * slot + i * ml + j] = problem->block.at[coupling->at + i * stride + j] *
                                             system->row_scale[system->row[k] + i] *
                                             system->row_scale[system->row[l] + j];
  }
  return true;
}

static bool allocate(pc_system *s, int terms, long numbers)
{
  pc_arena *arena = s->arena;
  size_t k = (size_t)s->interactions, rows = (size_t)s->rows, n = (size_t)s->dofs;
  s->row = pc_arena_take(arena, k + 1, sizeof(int));
  s->term = pc_arena_take(arena, k + 1, sizeof(int));
  s->term_body = pc_arena_take(arena, (size_t)terms, sizeof(int));
  s->term_at = pc_arena_take(arena, (size_t)terms, sizeof(long));
  s->jacobian = pc_arena_take(arena, (size_t)numbers, sizeof(double));
  s->law = pc_arena_take(arena, k, sizeof(pc_block_law));
  s->free = pc_arena_take(arena, rows, sizeof(double));
  s->r = pc_arena_take(arena, rows, sizeof(double));
  s->y = pc_arena_take(arena, n, sizeof(double));
  s->row_scale = pc_arena_take(arena, rows, sizeof(double));
  s->to_speed = pc_arena_take(arena, k, sizeof(double));
  return !arena->failed;
}

static void common_sizes(pc_system *s)
{
  s->same_rows = s->interactions > 0 ? s->law[0].rows : 0;
  s->same_dof = s->bodies > 0 ? s->dof[0] : 0;
  for (int k = 1; k < s->interactions; k++)
    if (s->law[k].rows != s->same_rows)
      s->same_rows = 0;
  for (int b = 1; b < s->bodies; b++)
    if (s->dof[b] != s->same_dof)
      s->same_dof = 0;
}

// Sizes of the data of an island: of its free relative velocities, scaled and in m/s.
typedef struct data_sizes {
  double size, speed;
  bool any; // something moves
} data_sizes;

// Of the rows after the first one, all together: the largest of the squares, whatever the axes.
static double size_across(int rows, const double *free, const double *before, const double *noise,
                          const double *scale)
{
  double square[3] = {0};
  for (int i = 1; i < rows; i++) {
    double s = scale[i] * scale[i];
    square[0] += s * free[i] * free[i];
    square[1] += s * before[i] * before[i];
    square[2] += s * 1e-6 * noise[i] * noise[i];
  }
  return fmax(square[0], fmax(square[1], square[2]));
}

// An elliptic cone has its axes in the weights of its rows.
static void weigh_rows(const pc_law *law, int sliding, double *weight)
{
  const pc_tangential_law *tangential = &law->tangential;
  for (int i = 0; i < PC_MAX_ROWS; i++)
    weight[i] = 1;
  if (tangential->kind == PC_TANGENTIAL_COULOMB && tangential->anisotropic)
    for (int i = 1; i < sliding; i++)
      weight[i] = tangential->mu[i - 1];
}

// The diagonal of W where bodies are coupled by mass: a node of a stiff mesh moves with its
// neighbours, and its own block of the mass says little of how it responds.
static pc_status coupled_diagonal(const pc_impact *problem, const pc_islands *islands, pc_system *s,
                                  int terms, double **diagonal, pc_error *error)
{
  long used = 0;
  int *first = pc_arena_take(s->arena, (size_t)s->rows + 1, sizeof(int)), parts = 0, at = 0;
  pc_block_part *part = pc_arena_take(s->arena, (size_t)terms * PC_MAX_ROWS, sizeof(pc_block_part));
  *diagonal = pc_arena_take(s->arena, (size_t)s->rows, sizeof(double));
  if (s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++) {
    const pc_interaction_data *from = &problem->interaction.at[s->interaction_of[k]];
    const pc_law *law = pc_law_of(problem, from);
    int rows = pc_interaction_active(law, from);
    double weight[PC_MAX_ROWS], own[PC_MAX_ROWS] = {0};
    pc_rows rows_of;
    pc_impact_rows(problem, from, &rows_of);
    weigh_rows(law, rows - pc_rolling_rows(law, from), weight);
    s->term[k + 1] = s->term[k];
    whiten(problem, from, &rows_of, rows, weight, islands->local_body, s, k, &used, own);
    for (int r = 0; r < rows; r++) {
      for (int t = s->term[k]; t < s->term[k + 1]; t++) {
        int b = s->term_body[t];
        part[parts++] = (pc_block_part){b, s->jacobian + s->term_at[t] + r * s->dof[b]};
      }
      first[++at] = parts;
    }
  }
  return pc_cholesky_energies(s->mass_factor, s->rows, first, part, *diagonal, error);
}

// One interaction of an island: its rows, scaled, its law and its free velocity. `own_diagonal` is
// that of W, if bodies are coupled by mass.
static void build_interaction(const pc_impact *problem, const pc_islands *islands, double stiffness,
                              bool warm, const double *own_diagonal, pc_system *s, int k,
                              long *used, data_sizes *sizes)
{
  const pc_interaction_data *from = &problem->interaction.at[s->interaction_of[k]];
  const pc_law *law = pc_law_of(problem, from);
  pc_rows rows_of;
  pc_impact_rows(problem, from, &rows_of);
  int rows = pc_interaction_active(law, from), rolls = pc_rolling_rows(law, from);
  double weight[PC_MAX_ROWS], unit[PC_MAX_ROWS] = {1, 1, 1, 1, 1, 1};
  double diagonal[PC_MAX_ROWS] = {0};
  weigh_rows(law, rows - rolls, weight);
  s->row[k + 1] = s->row[k] + rows;
  s->term[k + 1] = s->term[k];
  long first = *used;
  double trace =
      whiten(problem, from, &rows_of, rows, weight, islands->local_body, s, k, used, diagonal);
  if (own_diagonal != NULL) {
    trace = 0;
    for (int i = 0; i < rows; i++)
      trace += diagonal[i] = own_diagonal[s->row[k] + i];
  }
  for (int i = 0; i < rows && islands->own != NULL; i++) {
    double own = weight[i] * weight[i] * islands->own[from->row + i];
    trace += own;
    diagonal[i] += own;
  }
  if (rolls > 0) {
    trace = weigh_rolling(s, k, rows, rolls, diagonal, weight);
    for (int i = rows - rolls; i < rows; i++)
      unit[i] = weight[i];
  }
  double scale = trace > 0 ? 1 / sqrt(trace / rows) : 1;
  if (!isfinite(trace) || !(scale > 0))
    sizes->size = INFINITY;
  for (long i = first; i < *used; i++)
    s->jacobian[i] *= scale;
  s->to_speed[k] = from->type == PC_CONTACT || from->type == PC_ROWS ? 1 / scale : 0;
  double before[PC_MAX_ROWS], free[PC_MAX_ROWS], *row_scale = s->row_scale + s->row[k];
  for (int i = 0; i < rows; i++)
    row_scale[i] = scale * weight[i];
  pc_impact_deformation(problem, from, &rows_of, problem->before.at, before);
  pc_impact_deformation(problem, from, &rows_of, islands->free_velocity, free);
  scale_law(law, from, row_scale, before, stiffness, &s->law[k]);
  s->convex = s->convex && pc_block_convex(&s->law[k]);
  // The size of the data: relative velocities, but no less than a thousandth of the velocities
  // that they are differences of, whose round-off they carry.
  double noise[PC_MAX_ROWS] = {0};
  for (int t = 0; t < from->terms; t++) {
    const pc_body_data *body = &problem->body.at[pc_term_body(problem, from, t)];
    const double *row = pc_term_rows(problem, from, &rows_of, t);
    for (int r = 0; r < rows; r++)
      for (int i = 0; i < body->dof; i++)
        noise[r] += fabs(row[r * body->dof + i] * problem->before.at[body->start + i]);
  }
  double x = fmax(fabs(free[0]), fmax(fabs(before[0]), 1e-3 * noise[0]));
  if (isfinite(from->bound))
    x = fmax(x, from->bound);
  double square = x * x + size_across(rows, free, before, noise, unit);
  sizes->any = sizes->any || square > 0;
  sizes->size +=
      row_scale[0] * row_scale[0] * x * x + size_across(rows, free, before, noise, row_scale);
  sizes->speed += s->to_speed[k] > 0 ? square : 0;
  const double *guess = problem->force.at + from->row;
  for (int i = 0; i < rows; i++) {
    s->free[s->row[k] + i] = row_scale[i] * free[i];
    double p = 0;
    for (int j = 0; j < pc_interaction_numbers(from) && warm; j++)
      p += pc_row_axis(from, &rows_of, i, j) * guess[j];
    s->r[s->row[k] + i] = row_scale[i] > 0 ? -p * stiffness / row_scale[i] : 0;
  }
}

pc_status pc_island_system(const pc_impact *problem, const pc_islands *islands, int island,
                           double stiffness, bool warm, pc_arena *arena, pc_system *s,
                           pc_error *error)
{
  const pc_island *from_island = &islands->island[island];
  *s = (pc_system){.arena = arena,
                   .bodies = from_island->bodies,
                   .interactions = from_island->interactions,
                   .body_of = islands->body + from_island->body,
                   .interaction_of = islands->interaction + from_island->interaction};
  int terms = 0;
  long numbers = 0, used = 0;
  s->start = pc_arena_take(s->arena, (size_t)s->bodies + 1, sizeof(int));
  s->dof = pc_arena_take(s->arena, (size_t)s->bodies, sizeof(int));
  if (s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < s->bodies; b++) {
    s->dof[b] = problem->body.at[s->body_of[b]].dof;
    s->start[b + 1] = s->start[b] + s->dof[b];
  }
  s->dofs = s->start[s->bodies];
  s->rows = from_island->rows;
  for (int k = 0; k < s->interactions; k++) {
    const pc_interaction_data *from = &problem->interaction.at[s->interaction_of[k]];
    int rows = pc_interaction_active(pc_law_of(problem, from), from);
    s->rolls = s->rolls || pc_rolling_rows(pc_law_of(problem, from), from) > 0;
    terms += from->terms;
    for (int t = 0; t < from->terms; t++)
      numbers += rows * problem->body.at[pc_term_body(problem, from, t)].dof;
  }
  if (!allocate(s, terms, numbers))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status =
      couple(s, problem, islands->local_body, stiffness, islands->free_velocity, error);
  if (status != PC_OK)
    return status;

  double *diagonal = NULL;
  if (s->coupled && s->rows > 0)
    status = coupled_diagonal(problem, islands, s, terms, &diagonal, error);
  if (status != PC_OK)
    return status;

  s->convex = true;
  data_sizes sizes = {0};
  for (int k = 0; k < s->interactions; k++)
    build_interaction(problem, islands, stiffness, warm, diagonal, s, k, &used, &sizes);
  if (!isfinite(sizes.size) || (sizes.any && !(sizes.size > 1e-280)))
    return pc_fail(error, PC_ERROR_NUMERIC, "%s", pc_out_of_range);
  s->scale = sqrt(sizes.size);
  s->speed = sqrt(sizes.speed);
  s->motion = s->scale;
  for (int b = 0; b < s->bodies; b++) {
    const pc_body_data *body = &problem->body.at[s->body_of[b]];
    double mass[PC_MAX_DOF * PC_MAX_DOF];
    pc_body_mass(problem, body, mass);
    for (int i = 0; i < body->dof; i++)
      if (!pc_body_prescribes(body, i)) {
        double u = fmax(fabs(problem->before.at[body->start + i]),
                        fabs(islands->free_velocity[body->start + i]));
        s->motion = fmax(s->motion, sqrt(mass[i * body->dof + i]) * u);
      }
  }
  common_sizes(s);
  if (problem->response.count > 0 && s->bodies == 0 &&
      !build_response(problem, s, islands->local_interaction))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return PC_OK;
}

void pc_island_free(pc_system *system)
{
  pc_cholesky_destroy(system->mass_factor);
  pc_block_matrix_free(&system->mass);
}

void pc_system_scatter(const pc_system *s, pc_impact *problem)
{
  for (int b = 0; b < s->bodies; b++) {
    const pc_body_data *body = &problem->body.at[s->body_of[b]];
    pc_body_move(problem, body, s->y + s->start[b], problem->after.at + body->start);
  }
  for (int k = 0; k < s->interactions; k++) {
    const pc_interaction_data *data = &problem->interaction.at[s->interaction_of[k]];
    double *p = problem->force.at + data->row;
    int rows = s->row[k + 1] - s->row[k];
    pc_rows of;
    pc_impact_rows(problem, data, &of);
    int numbers = pc_interaction_numbers(data);
    for (int i = 0; i < numbers; i++)
      p[i] = 0;
    for (int r = 0; r < rows; r++) {
      double x = -s->row_scale[s->row[k] + r] * s->r[s->row[k] + r];
      for (int i = 0; i < numbers; i++)
        p[i] += pc_row_axis(data, &of, r, i) * x;
    }
  }
}
