// Folds elements into the masses of their bodies, and lists the contacts that are left.
#include "impact/fold.h"

#include <math.h>
#include <string.h>

#include "core/small.h"
#include "core/threads.h"
#include "impact/contact_side.h"

// Contacts and elements of the island apart; without elements its own list will do.
bool pc_fold_list(pc_fold *fold, const pc_impact *problem, const pc_islands *islands, int island,
                  pc_arena *arena)
{
  const pc_island *from = &islands->island[island];
  const int *all = islands->interaction + from->interaction;
  *fold = (pc_fold){.problem = problem,
                    .islands = islands,
                    .island = from,
                    .contacts = from->interactions - from->folded,
                    .elements = from->folded,
                    .contact = all};
  if (fold->elements == 0)
    return true;
  int *contact = pc_arena_take_raw(arena, (size_t)fold->contacts + 1, sizeof(int));
  int *element = pc_arena_take_raw(arena, (size_t)fold->elements, sizeof(int));
  if (arena->failed)
    return false;
  fold->contact = contact;
  fold->element = element;
  for (int k = 0; k < from->interactions; k++)
    if (islands->ends[all[k]].kind & PC_ENDS_FOLDED)
      *element++ = all[k];
    else
      *contact++ = all[k];
  return true;
}

void pc_fold_again(pc_fold *fold, const pc_islands *islands, int island)
{
  fold->islands = islands;
  fold->island = &islands->island[island];
  if (fold->elements == 0)
    fold->contact = islands->interaction + fold->island->interaction;
}

// k/2 of row i.
static double element_half(const pc_law *law, int i)
{
  return 0.5 * (i == 0 ? law->normal.k : law->tangential.k);
}

// Adds L^T B^T (k/2) B L of an element to the matrix of its body, L^T B^T (k/2) (D_free + D-) to
// its push, and its sizes to those of the island, as islands.c does.
static void add_element(pc_fold *fold, const pc_interaction_data *data, double *matrix,
                        double *push)
{
  const pc_impact *problem = fold->problem;
  const pc_law *law = pc_law_of(problem, data);
  int rows = pc_interaction_active(law, data), n = 0;
  double before[PC_MAX_ROWS], free[PC_MAX_ROWS], noise[3] = {0}, trace = 0;
  pc_impact_deformation(problem, data, NULL, problem->before.at, before);
  pc_impact_deformation(problem, data, NULL, fold->islands->free_velocity, free);
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[problem->term.at[data->term + t].body];
    const double *row = pc_term_rows(problem, data, NULL, t);
    n = body->dof;
    for (int r = 0; r < rows; r++, row += n) {
      double white[PC_MAX_DOF], half = element_half(law, r);
      for (int i = 0; i < n; i++)
        noise[r] += fabs(row[i] * problem->before.at[body->start + i]);
      if (!body->movable)
        continue;
      pc_body_whiten(problem, body, row, white);
      for (int i = 0; i < n; i++) {
        trace += white[i] * white[i];
        push[i] += white[i] * half * (before[r] + free[r]);
        for (int j = 0; j <= i; j++)
          matrix[i * n + j] += white[i] * half * white[j];
      }
    }
  }
  double mass = trace > 0 ? rows / trace : 1, across[3] = {0};
  double along = pc_larger(fabs(free[0]), pc_larger(fabs(before[0]), 1e-3 * noise[0]));
  for (int i = 1; i < rows; i++) {
    across[0] += free[i] * free[i];
    across[1] += before[i] * before[i];
    across[2] += 1e-6 * noise[i] * noise[i];
  }
  double square = along * along + pc_larger(across[0], pc_larger(across[1], across[2]));
  fold->sizes[0] += mass * square;
  fold->sizes[1] += square;
  if (!isfinite(trace) || !(mass > 0))
    fold->sizes[0] = INFINITY;
}

// The six velocities in space of one with n, and the places of those n among them.
static const int *places_of(int dof)
{
  static const int plane[] = {0, 1, 5}, space[] = {0, 1, 2, 3, 4, 5};
  return dof == 3 ? plane : space;
}

// L = L0 C^-T with L0 L0^T = M^-1 and C C^T = 1 + L0^T K L0; the free velocity with the elements.
static bool fold_body(const pc_fold *fold, const pc_body_data *body, bool held, double *matrix,
                      const double *push, double *base, double *root)
{
  const int n = body->dof, *place = places_of(n);
  double c[36], inverse[36] = {0}, l[36], own[36], y[6] = {0};
  pc_body_root(fold->problem, body, own);
  pc_body_motion(body, fold->islands->free_velocity, base, base + 3);
  memset(root, 0, sizeof(double) * 36);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      root[6 * place[i] + j] = own[i * n + j];
    matrix[i * n + i] += 1;
    for (int j = 0; j < i; j++)
      matrix[j * n + i] = matrix[i * n + j];
  }
  if (!held)
    return true;
  if (!pc_small_cholesky(n, matrix, c))
    return false;
  for (int j = 0; j < n; j++) // C^-1, lower
    for (int i = j; i < n; i++) {
      double sum = i == j ? 1 : 0;
      for (int k = j; k < i; k++)
        sum -= c[i * n + k] * inverse[k * n + j];
      inverse[i * n + j] = sum / c[i * n + i];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      l[i * n + j] = 0;
      for (int k = 0; k <= j; k++)
        l[i * n + j] += own[i * n + k] * inverse[j * n + k];
    }
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++)
      y[i] += inverse[i * n + k] * push[k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      root[6 * place[i] + j] = l[i * n + j];
      base[place[i]] -= l[i * n + j] * y[j];
    }
  return true;
}

typedef struct fold_work {
  pc_fold *fold;
  bool *held; // by an element
  double *matrix, *push;
} fold_work;

static void fold_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const fold_work *work = context;
  pc_fold *fold = work->fold;
  for (long b = begin; b < end; b++) {
    const pc_body_data *body = &fold->problem->body.at[fold->islands->body[fold->island->body + b]];
    bool sound = fold_body(fold, body, work->held[b], work->matrix + 36 * b, work->push + 6 * b,
                           fold->base + 6 * b, fold->root + 36 * b);
    if (!sound)
      fold->root[36 * b] = NAN; // found when contacts are packed
  }
}

bool pc_fold_bodies(pc_fold *fold, int threads, pc_arena *arena)
{
  size_t bodies = (size_t)fold->island->bodies;
  fold_work work = {fold, pc_arena_take(arena, bodies, sizeof(bool)),
                    pc_arena_take(arena, 36 * bodies, sizeof(double)),
                    pc_arena_take(arena, 6 * bodies, sizeof(double))};
  fold->base = pc_arena_take_raw(arena, 6 * bodies, sizeof(double));
  fold->root = pc_arena_take_raw(arena, 36 * bodies, sizeof(double));
  if (arena->failed)
    return false;
  for (int e = 0; e < fold->elements; e++) {
    int k = fold->element[e];
    long at = fold->islands->local_body[fold->islands->ends[k].body[0]];
    work.held[at] = true;
    add_element(fold, &fold->problem->interaction.at[k], work.matrix + 36 * at, work.push + 6 * at);
  }
  pc_parallel(threads, fold->island->bodies, 200, fold_bodies, &work);
  return true;
}

void pc_fold_velocity(const pc_fold *fold, long b, const double *line, double *out)
{
  const double *base = fold->base + 6 * b, *root = fold->root + 36 * b;
  for (int i = 0; i < 6; i++) {
    double sum = base[i];
    for (int j = 0; j < 6; j++)
      sum += root[6 * i + j] * line[j < 3 ? j : j + 1];
    out[i < 3 ? i : i + 1] = sum;
  }
}

typedef struct answer_work {
  const pc_fold *fold;
  pc_impact *answer;
} answer_work;

static void answer_elements(void *context, int begin, int end, int worker)
{
  (void)worker;
  const answer_work *work = context;
  const pc_impact *problem = work->fold->problem;
  for (int e = begin; e < end; e++) {
    const pc_interaction_data *data = &problem->interaction.at[work->fold->element[e]];
    const pc_law *law = pc_law_of(problem, data);
    double before[PC_MAX_ROWS], after[PC_MAX_ROWS], *force = work->answer->force.at + data->row;
    int rows = pc_interaction_active(law, data);
    pc_impact_deformation(problem, data, NULL, problem->before.at, before);
    pc_impact_deformation(problem, data, NULL, work->answer->after.at, after);
    for (int i = 0; i < data->rows; i++)
      force[i] = i < rows ? element_half(law, i) * (before[i] + after[i]) : 0;
  }
}

void pc_fold_answer(const pc_fold *fold, pc_impact *problem, int threads)
{
  answer_work work = {fold, problem};
  pc_parallel(threads, fold->elements, 1000, answer_elements, &work);
}

static bool round_body(const pc_body_data *body)
{
  const double *x = body->turn->inverse;
  double mean = (x[0] + x[3] + x[5]) / 3, most = 1e-13 * mean;
  if (body->dof != 6) // in the plane there is only one inertia
    return true;
  return fabs(x[0] - mean) <= most && fabs(x[3] - mean) <= most && fabs(x[5] - mean) <= most &&
         fabs(x[1]) <= most && fabs(x[2]) <= most && fabs(x[4]) <= most;
}

// The arm of one side is along the normal, and its body turns like a sphere. Round-off of the
// positions must not decide: a point this near to the line of centres moves the answer by less than
// the audit sees.
bool pc_side_central(const pc_body_data *body, const double *normal, const double *arm)
{
  if (body->dof != 6 && body->dof != 3)
    return true;
  double along = pc_dot3(arm, normal), off = 0;
  for (int i = 0; i < 3; i++) {
    double x = arm[i] - along * normal[i];
    off += x * x;
  }
  return off <= 1e-24 * along * along && round_body(body);
}

enum { SAMPLES = 16 };

bool pc_fold_central(const pc_fold *fold)
{
  for (int i = 0; i < SAMPLES && fold->contacts > 0; i++) {
    int k = fold->contact[(long long)fold->contacts * i / SAMPLES];
    const pc_interaction_data *data = &fold->problem->interaction.at[k];
    for (int t = 0; t < data->terms; t++) {
      const pc_body_data *body = &fold->problem->body.at[data->body[t]];
      double arm[3];
      pc_side_arm(body, data->point, arm);
      if (body->movable && !pc_side_central(body, data->normal, arm))
        return false;
    }
  }
  return true;
}
