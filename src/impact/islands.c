// A problem becomes islands: who acts on whom, whitening, scaling, free velocities.
#include "impact/islands.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"

static int find(int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static void join(int *parent, int i, int j)
{
  int a = find(parent, i), b = find(parent, j);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

static bool movable(const pc_body_data *body)
{
  for (int i = 0; i < body->dof; i++)
    if (!body->prescribed[i])
      return true;
  return false;
}

// U_free = U- + M^-1 P_ext for uncoupled bodies.
static void free_motion(const pc_impact *problem, double stiffness, double *velocity)
{
  for (int b = 0; b < problem->bodies; b++) {
    const pc_body_data *body = &problem->body[b];
    int n = body->dof;
    const double *p = problem->percussion + body->start, *l = body->root;
    double *u = velocity + body->start, white[PC_MAX_DOF] = {0};
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        white[i] += l[j * n + i] * p[j];
    for (int i = 0; i < n; i++) {
      u[i] = problem->before[body->start + i];
      for (int j = 0; j < n; j++)
        u[i] += l[i * n + j] * white[j] * stiffness;
    }
  }
}

// Diagonal couplings between bodies: M^ = L^T M L, identity on the diagonal.
static pc_status couple(pc_system *system, const pc_impact *problem, const int *local_body,
                        double stiffness, double *velocity, pc_error *error)
{
  int count = 0;
  for (int c = 0; c < problem->masses; c++)
    count += local_body[problem->mass[c].i] >= 0 && local_body[problem->mass[c].j] >= 0 &&
             system->body_of[local_body[problem->mass[c].i]] == problem->mass[c].i;
  if (count == 0)
    return PC_OK;
  int(*pairs)[2] = pc_arena_take(system->arena, (size_t)count, sizeof *pairs);
  if (pairs == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  int *which = pc_arena_take(system->arena, (size_t)count, sizeof(int));
  if (which == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  count = 0;
  for (int c = 0; c < problem->masses; c++) {
    int i = local_body[problem->mass[c].i], j = local_body[problem->mass[c].j];
    if (i < 0 || j < 0 || system->body_of[i] != problem->mass[c].i)
      continue;
    pairs[count][0] = i;
    pairs[count][1] = j;
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
    const pc_coupling *coupling = &problem->mass[which[k]];
    const pc_body_data *bi = &problem->body[coupling->i], *bj = &problem->body[coupling->j];
    int i = pairs[k][0], j = pairs[k][1], ni = bi->dof, nj = bj->dof;
    double white[36] = {0};
    for (int a = 0; a < ni; a++)
      for (int b = 0; b < nj; b++)
        for (int p = 0; p < ni; p++)
          for (int q = 0; q < nj; q++)
            white[a * nj + b] +=
                bi->root[p * ni + a] * coupling->block[p * nj + q] * bj->root[q * nj + b];
    double *block = m->value + m->offset[pc_block_matrix_find(m, i > j ? i : j, i > j ? j : i)];
    for (int a = 0; a < ni; a++)
      for (int b = 0; b < nj; b++)
        block[i > j ? a * nj + b : b * ni + a] += white[a * nj + b];
  }
  system->mass_factor = pc_cholesky_analyze(m, error);
  if (system->mass_factor == NULL)
    return error->status;
  if (pc_cholesky_factor(system->mass_factor, m) != PC_OK)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the mass matrix is not positive definite");
  // The free velocity of these bodies, again.
  double *y = pc_arena_take(system->arena, (size_t)system->dofs, sizeof(double));
  if (y == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < system->bodies; b++) {
    const pc_body_data *body = &problem->body[system->body_of[b]];
    for (int i = 0; i < body->dof; i++)
      for (int j = 0; j < body->dof; j++)
        y[system->start[b] + i] +=
            body->root[j * body->dof + i] * problem->percussion[body->start + j] * stiffness;
  }
  pc_cholesky_solve(system->mass_factor, y);
  for (int b = 0; b < system->bodies; b++) {
    const pc_body_data *body = &problem->body[system->body_of[b]];
    for (int i = 0; i < body->dof; i++) {
      double *u = velocity + body->start + i;
      *u = problem->before[body->start + i];
      for (int j = 0; j < body->dof; j++)
        *u += body->root[i * body->dof + j] * y[system->start[b] + j];
    }
  }
  return PC_OK;
}

// The law of one interaction, in scaled units.
void pc_block_law_scaled(const pc_interaction_data *from, const double *row_scale,
                         const double *before, double stiffness, pc_block_law *law)
{
  *law = (pc_block_law){0};
  pc_normal_law normal = from->law.normal;
  const pc_tangential_law *tangential = &from->law.tangential;
  // A power law above 2 is softer near rest: more is needed to the same end.
  normal.k *=
      normal.kind == PC_NORMAL_POWER && normal.p > 2 ? pow(stiffness, normal.p - 1) : stiffness;
  normal.k0 *= stiffness;
  double s = row_scale[0];
  law->rows = pc_interaction_active(from);
  law->normal = from->type != PC_SPIN && normal.kind != PC_NORMAL_NONE;
  if (law->normal) {
    pc_row_law *row = &law->row;
    row->ops = pc_row_ops_of(normal.kind);
    row->ops->scale(row, &normal, s);
    row->before = s * before[0];
    row->equality = normal.kind == PC_NORMAL_BILATERAL;
    row->bound = row->equality || from->unilateral ? s * from->bound : -INFINITY;
    if (normal.kind == PC_NORMAL_RESTITUTION)
      row->bound -= normal.e * row->before;
    law->tangential = tangential->kind;
  } else if (from->type == PC_SPIN) {
    bool tied = normal.kind == PC_NORMAL_BILATERAL;
    law->tangential = tied ? PC_TANGENTIAL_BILATERAL : PC_TANGENTIAL_VISCOUS;
    law->k = normal.k / (s * s);
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
    double share = tangential->on == PC_ON_MEAN ? 1
                   : tangential->on == PC_ON_MOREAU && normal.kind == PC_NORMAL_RESTITUTION
                       ? normal.e
                       : 0;
    for (int i = first; i < law->rows; i++)
      law->shift[i - first] = share * row_scale[i] * before[i];
  }
}

// Rows of one interaction, whitened; gives the trace of the local operator.
static double whiten(const pc_impact *problem, const pc_interaction_data *from, int rows,
                     const double *weight, const int *local_body, pc_system *system, int k,
                     long *used)
{
  double trace = 0;
  for (int t = from->term; t < from->term + from->terms; t++) {
    int b = problem->term[t].body;
    const pc_body_data *body = &problem->body[b];
    if (local_body[b] < 0)
      continue;
    int slot = system->term[k + 1]++, n = body->dof;
    system->term_body[slot] = local_body[b];
    system->term_at[slot] = *used;
    const double *row = problem->coefficient + problem->term[t].at;
    double *out = system->jacobian + *used;
    *used += (long)rows * n;
    for (int r = 0; r < rows; r++)
      for (int i = 0; i < n; i++) {
        double x = 0;
        for (int j = 0; j < n; j++)
          x += row[r * n + j] * body->root[j * n + i];
        x *= weight[r];
        out[r * n + i] = x;
        trace += x * x;
      }
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
  for (int c = 0; c < problem->responses; c++) {
    int k = local_interaction[problem->response[c].i];
    if (k < 0 || system->interaction_of[k] != problem->response[c].i)
      continue;
    w->row[k + 1]++;
    blocks++;
  }
  for (int k = 0; k < n; k++)
    w->row[k + 1] += w->row[k];
  w->column = pc_arena_take(system->arena, (size_t)blocks, sizeof(int));
  w->at = pc_arena_take(system->arena, (size_t)blocks, sizeof(long));
  w->value = pc_arena_take(system->arena, (size_t)blocks * 9, sizeof(double));
  int *next = pc_arena_take(system->arena, (size_t)n, sizeof(int));
  if (system->arena->failed)
    return false;
  for (int k = 0; k < n; k++)
    next[k] = w->row[k];
  for (int c = 0; c < problem->responses; c++) {
    const pc_coupling *coupling = &problem->response[c];
    int k = local_interaction[coupling->i];
    if (k < 0 || system->interaction_of[k] != coupling->i)
      continue;
    int l = local_interaction[coupling->j], slot = next[k]++;
    int mk = system->law[k].rows, ml = system->law[l].rows,
        stride = problem->interaction[coupling->j].rows;
    w->column[slot] = l;
    w->at[slot] = 9L * slot;
    for (int i = 0; i < mk; i++)
      for (int j = 0; j < ml; j++)
        w->value[9L * slot + i * ml + j] = coupling->block[i * stride + j] *
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

// One island, given its bodies and interactions in order.
static pc_status build_system(pc_impact *problem, double stiffness, bool warm, pc_islands *islands,
                              pc_system *s, const int *local_body, const int *local_interaction)
{
  pc_error *error = &problem->error;
  int terms = 0;
  long numbers = 0, used = 0;
  s->start = pc_arena_take(s->arena, (size_t)s->bodies + 1, sizeof(int));
  s->dof = pc_arena_take(s->arena, (size_t)s->bodies, sizeof(int));
  if (s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < s->bodies; b++) {
    s->dof[b] = problem->body[s->body_of[b]].dof;
    s->start[b + 1] = s->start[b] + s->dof[b];
  }
  s->dofs = s->start[s->bodies];
  for (int k = 0; k < s->interactions; k++) {
    const pc_interaction_data *from = &problem->interaction[s->interaction_of[k]];
    int rows = pc_interaction_active(from);
    s->rows += rows;
    terms += from->terms;
    for (int t = from->term; t < from->term + from->terms; t++)
      numbers += rows * problem->body[problem->term[t].body].dof;
  }
  if (!allocate(s, terms, numbers))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = couple(s, problem, local_body, stiffness, islands->free_velocity, error);
  if (status != PC_OK)
    return status;

  s->convex = true;
  double size = 0, speed = 0;
  bool any = false; // something moves
  for (int k = 0; k < s->interactions; k++) {
    int global = s->interaction_of[k];
    const pc_interaction_data *from = &problem->interaction[global];
    const pc_tangential_law *tangential = &from->law.tangential;
    int rows = pc_interaction_active(from);
    double weight[3] = {1, 1, 1};
    if (tangential->kind == PC_TANGENTIAL_COULOMB && tangential->anisotropic)
      for (int i = 1; i < rows; i++)
        weight[i] = tangential->mu[i - 1];
    s->row[k + 1] = s->row[k] + rows;
    s->term[k + 1] = s->term[k];
    long first = used;
    double trace = whiten(problem, from, rows, weight, local_body, s, k, &used);
    for (int i = 0; i < rows; i++)
      trace += weight[i] * weight[i] * from->own[i];
    double scale = trace > 0 ? 1 / sqrt(trace / rows) : 1;
    if (!isfinite(trace) || !(scale > 0))
      size = INFINITY;
    for (long i = first; i < used; i++)
      s->jacobian[i] *= scale;
    s->to_speed[k] = from->type == PC_CONTACT || from->type == PC_ROWS ? 1 / scale : 0;
    double before[3], free[3], *row_scale = s->row_scale + s->row[k];
    for (int i = 0; i < rows; i++)
      row_scale[i] = scale * weight[i];
    pc_impact_deformation(problem, global, problem->before, before);
    pc_impact_deformation(problem, global, islands->free_velocity, free);
    pc_block_law_scaled(from, row_scale, before, stiffness, &s->law[k]);
    s->convex = s->convex && pc_block_convex(&s->law[k]);
    // The size of the data: relative velocities, but no less than a thousandth of the velocities
    // that they are differences of, whose round-off they carry.
    double noise[3] = {0};
    for (int t = from->term; t < from->term + from->terms; t++) {
      const pc_body_data *body = &problem->body[problem->term[t].body];
      const double *row = problem->coefficient + problem->term[t].at;
      for (int r = 0; r < rows; r++)
        for (int i = 0; i < body->dof; i++)
          noise[r] += fabs(row[r * body->dof + i] * problem->before[body->start + i]);
    }
    for (int i = 0; i < rows; i++) {
      s->free[s->row[k] + i] = row_scale[i] * free[i];
      double x = fmax(fabs(free[i]), fmax(fabs(before[i]), 1e-3 * noise[i]));
      if (i == 0 && isfinite(from->bound))
        x = fmax(x, from->bound);
      any = any || x > 0;
      size += row_scale[i] * row_scale[i] * x * x;
      speed += s->to_speed[k] > 0 ? x * x : 0;
      if (warm)
        s->r[s->row[k] + i] =
            row_scale[i] > 0 ? -problem->force[from->row + i] * stiffness / row_scale[i] : 0;
    }
  }
  if (!isfinite(size) || (any && !(size > 1e-280)))
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "masses or velocities are too small or too large: choose other units");
  s->scale = sqrt(size);
  s->speed = sqrt(speed);
  s->motion = s->scale;
  for (int b = 0; b < s->bodies; b++) {
    const pc_body_data *body = &problem->body[s->body_of[b]];
    for (int i = 0; i < body->dof; i++)
      if (!body->prescribed[i]) {
        double u = fmax(fabs(problem->before[body->start + i]),
                        fabs(islands->free_velocity[body->start + i]));
        s->motion = fmax(s->motion, sqrt(body->mass[i * body->dof + i]) * u);
      }
  }
  common_sizes(s);
  if (problem->responses > 0 && s->bodies == 0 && !build_response(problem, s, local_interaction))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return PC_OK;
}

// Numbers the members of each class that has an interaction, in the order of the problem.
pc_status pc_islands_build(pc_impact *problem, double stiffness, bool warm, pc_islands *islands)
{
  int bodies = problem->bodies, interactions = problem->interactions, nodes = bodies + interactions;
  *islands = (pc_islands){0};
  pc_arena *arena = &islands->arena;
  int *parent = pc_arena_take(arena, (size_t)nodes + 1, sizeof(int));
  int *island_of = pc_arena_take(arena, (size_t)nodes + 1, sizeof(int));
  int *local_body = pc_arena_take(arena, (size_t)bodies + 1, sizeof(int));
  int *local_interaction = pc_arena_take(arena, (size_t)interactions + 1, sizeof(int));
  bool *acts = pc_arena_take(arena, (size_t)interactions + 1, sizeof(bool));
  islands->free_velocity = pc_arena_take(arena, (size_t)problem->dofs + 1, sizeof(double));
  if (arena->failed)
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  free_motion(problem, stiffness, islands->free_velocity);

  for (int i = 0; i < nodes; i++) {
    parent[i] = i;
    island_of[i] = -1;
  }
  for (int k = 0; k < interactions; k++) {
    const pc_interaction_data *from = &problem->interaction[k];
    for (int t = from->term; t < from->term + from->terms; t++)
      if (movable(&problem->body[problem->term[t].body])) {
        acts[k] = true;
        join(parent, problem->term[t].body, bodies + k);
      }
  }
  for (int k = 0; k < interactions; k++) {
    const pc_interaction_data *from = &problem->interaction[k];
    double d[3], bound = from->bound;
    if (acts[k] || !from->unilateral || from->terms == 0)
      continue;
    pc_impact_deformation(problem, k, problem->before, d);
    if (from->law.normal.kind == PC_NORMAL_RESTITUTION)
      bound -= from->law.normal.e * d[0];
    double size = fabs(from->given[0]) + fabs(bound);
    for (int t = from->term; t < from->term + from->terms; t++) {
      const pc_body_data *body = &problem->body[problem->term[t].body];
      for (int i = 0; i < body->dof; i++)
        size +=
            fabs(problem->coefficient[problem->term[t].at + i] * problem->before[body->start + i]);
    }
    islands->blocked += d[0] < bound - 1e-12 * size;
  }
  for (int c = 0; c < problem->masses; c++)
    if (movable(&problem->body[problem->mass[c].i]) && movable(&problem->body[problem->mass[c].j]))
      join(parent, problem->mass[c].i, problem->mass[c].j);
  for (int c = 0; c < problem->responses; c++) {
    acts[problem->response[c].i] = true;
    join(parent, bodies + problem->response[c].i, bodies + problem->response[c].j);
  }

  // Islands in the order of their first interaction; bodies coupled by mass alone form one too.
  for (int k = 0; k < interactions; k++) {
    int root = find(parent, bodies + k);
    if (acts[k] && island_of[root] < 0)
      island_of[root] = islands->count++;
  }
  for (int c = 0; c < problem->masses; c++) {
    int root = find(parent, problem->mass[c].i);
    if (movable(&problem->body[problem->mass[c].i]) && island_of[root] < 0)
      island_of[root] = islands->count++;
  }
  islands->system = pc_arena_take(arena, (size_t)islands->count + 1, sizeof(pc_system));
  if (arena->failed)
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < nodes; i++) {
    int island = i >= bodies && !acts[i - bodies] ? -1 : island_of[find(parent, i)];
    bool body = i < bodies && movable(&problem->body[i]);
    if (i < bodies)
      local_body[i] = -1;
    else
      local_interaction[i - bodies] = -1;
    if (island < 0 || (i < bodies && !body))
      continue;
    pc_system *s = &islands->system[island];
    if (body)
      local_body[i] = s->bodies++;
    else
      local_interaction[i - bodies] = s->interactions++;
  }
  for (int i = 0; i < islands->count; i++) {
    pc_system *s = &islands->system[i];
    s->arena = arena;
    s->body_of = pc_arena_take(arena, (size_t)s->bodies, sizeof(int));
    s->interaction_of = pc_arena_take(arena, (size_t)s->interactions, sizeof(int));
  }
  if (arena->failed)
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < bodies; b++)
    if (local_body[b] >= 0)
      islands->system[island_of[find(parent, b)]].body_of[local_body[b]] = b;
  for (int k = 0; k < interactions; k++)
    if (local_interaction[k] >= 0)
      islands->system[island_of[find(parent, bodies + k)]].interaction_of[local_interaction[k]] = k;
  for (int i = 0; i < islands->count; i++) {
    pc_status status = build_system(problem, stiffness, warm, islands, &islands->system[i],
                                    local_body, local_interaction);
    if (status != PC_OK)
      return status;
  }
  return PC_OK;
}

void pc_islands_free(pc_islands *islands)
{
  for (int i = 0; i < islands->count && islands->system != NULL; i++) {
    pc_cholesky_destroy(islands->system[i].mass_factor);
    pc_block_matrix_free(&islands->system[i].mass);
  }
  pc_arena_free(&islands->arena);
  *islands = (pc_islands){0};
}

void pc_system_scatter(const pc_system *s, pc_impact *problem)
{
  for (int b = 0; b < s->bodies; b++) {
    const pc_body_data *body = &problem->body[s->body_of[b]];
    double *u = problem->after + body->start;
    const double *y = s->y + s->start[b];
    for (int i = 0; i < body->dof; i++)
      for (int j = 0; j < body->dof; j++)
        u[i] += body->root[i * body->dof + j] * y[j];
  }
  for (int k = 0; k < s->interactions; k++) {
    double *p = problem->force + problem->interaction[s->interaction_of[k]].row;
    for (int i = s->row[k]; i < s->row[k + 1]; i++)
      p[i - s->row[k]] = -s->row_scale[i] * s->r[i];
  }
}
