// Weak viscous friction beside blocks of contacts.
#include "impact/pairs.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/threads.h"
#include "impact/contact_side.h"

enum { SOME = 256 }; // contacts summed at a time

typedef struct pair_work {
  const pc_pairs *pairs;
  bool warm;
  double *line, *other;
  const double *from_line;
  pc_impact *answer;
} pair_work;

static bool take_memory(pc_pairs *pairs, pc_arena *arena)
{
  const pc_packs *packs = &pairs->packs;
  size_t lines = (size_t)packs->lines * PC_LINE, contacts = (size_t)packs->contacts;
  pairs->last = pc_arena_take_raw(arena, (size_t)packs->packs * PC_LANES, sizeof(double));
  pairs->before = pc_arena_take_raw(arena, lines, sizeof(double));
  if (pairs->before != NULL)
    memset(pairs->before, 0, sizeof(double) * PC_LINE); // at rest for ever
  if (!packs->island->viscous)
    return !arena->failed;
  pairs->drag = pc_arena_take_raw(arena, contacts, sizeof(pc_pair_drag));
  pairs->t = pc_arena_take_raw(arena, 3 * contacts, sizeof(double));
  pairs->change = pc_arena_take_raw(arena, 3 * contacts, sizeof(double));
  pairs->velocity = pc_arena_take(arena, lines, sizeof(double));
  pairs->push = pc_arena_take(arena, lines, sizeof(double));
  return !arena->failed;
}

// The viscous part of contact k, and its guess.
static void set_drag(const pc_pairs *pairs, int k, bool warm)
{
  const pc_packs *packs = &pairs->packs;
  const pc_impact *problem = packs->problem;
  const pc_interaction_data *data = pc_pack_contact(packs, k);
  const pc_law *law = pc_law_of(problem, data);
  const double *n = data->normal, *force = problem->force.at + data->row;
  int rows = pc_interaction_active(law, data), place = packs->place[k];
  pc_pair_drag *drag = &pairs->drag[k];
  *drag = (pc_pair_drag){.line = {pc_pack_line(packs, k, 0), pc_pack_line(packs, k, 1)}};
  double fixed[3], before[3], p[3] = {0}, trace = 0; // D+ of what is prescribed, D-
  const double *given = pc_interaction_given(problem, data);
  for (int i = 0; i < 3; i++)
    before[i] = fixed[i] = given[i];
  for (int t = 0; t < data->terms; t++) {
    pc_side side = {.body = &problem->body.at[data->body[t]], .sign = t == 0 ? 1 : -1};
    pc_side_arm(side.body, data->point, side.arm);
    pc_body_motion(side.body, problem->before.at, side.v, side.w);
    pc_side_velocity(&side, side.v, side.w, before);
    if (!side.body->movable) {
      pc_side_velocity(&side, side.v, side.w, fixed);
      continue;
    }
    memcpy(drag->arm[t], side.arm, sizeof side.arm);
    trace += pc_side_trace(&side, n, data->rows, rows);
  }
  double half = rows > 1 ? 0.5 * law->tangential.k : 0;
  drag->step = half / (1 + trace * half);
  drag->keep = trace * drag->step;
  drag->mass =
      ((const double *)
           packs->test)[(long)packs->tests * PC_LANES * (place / PC_LANES) + place % PC_LANES];
  drag->k = half / drag->mass;
  memcpy(drag->normal, n, sizeof drag->normal);
  for (int i = 0; i < data->rows && rows > 1 && warm; i++)
    p[i] = -force[i];
  for (int i = 0; i < 3; i++)
    fixed[i] += before[i];
  double along = pc_dot3(n, fixed), pressed = pc_dot3(n, p);
  for (int i = 0; i < 3; i++) {
    drag->shift[i] = fixed[i] - along * n[i];
    pairs->t[3 * k + i] = p[i] - pressed * n[i];
  }
}

static void set_drags(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  for (int k = begin; k < end; k++)
    set_drag(work->pairs, k, work->warm);
}

static void body_velocities(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (long b = begin; b < end; b++)
    pc_fold_velocity(&pairs->packs.fold, b, work->from_line + PC_LINE * (b + 1),
                     pairs->velocity + PC_LINE * (b + 1));
}

// y += L^T push
static void push_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (long b = begin; b < end; b++) {
    const double *root = pairs->packs.fold.root + 36 * b;
    double *push = pairs->push + PC_LINE * (b + 1);
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      int to = j < 3 ? j : j + 1;
      for (int i = 0; i < 6; i++)
        sum += root[6 * i + j] * push[i < 3 ? i : i + 1];
      work->line[PC_LINE * (b + 1) + to] += sum;
      if (work->other != NULL)
        work->other[PC_LINE * (b + 1) + to] += sum;
    }
    memset(push, 0, sizeof(double) * PC_LINE);
  }
}

// Lines after a change of the tangential percussions. `push` is zero before and after.
static void push_tangential(const pc_pairs *pairs, const double *change, double *line,
                            double *other)
{
  for (int k = 0; k < pairs->packs.contacts; k++, change += 3) {
    const pc_pair_drag *drag = &pairs->drag[k];
    for (int side = 0; side < 2; side++) {
      double *push = pairs->push + PC_LINE * (long)drag->line[side], turn[3];
      double sign = side == 0 ? 1 : -1;
      pc_cross(drag->arm[side], change, turn);
      for (int i = 0; i < 3 && drag->line[side] > 0; i++) {
        push[i] += sign * change[i];
        push[4 + i] += sign * turn[i];
      }
    }
  }
  pair_work work = {.pairs = pairs, .line = line, .other = other};
  pc_parallel(pairs->packs.threads, pairs->packs.lines - 1, 300, push_bodies, &work);
}

pc_status pc_pairs_create(pc_pairs *pairs, const pc_impact *problem, const pc_islands *islands,
                          int island, bool warm, int threads, pc_arena *arena, pc_error *error)
{
  *pairs = (pc_pairs){0};
  pc_packs *packs = &pairs->packs;
  pc_status status =
      pc_packs_create_blocks(packs, problem, islands, island, warm, threads, arena, error);
  if (status != PC_OK)
    return status;
  if (!take_memory(pairs, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (warm)
    pc_packs_move(packs, packs->line, packs->r);
  if (pairs->drag == NULL)
    return PC_OK;
  pair_work work = {.pairs = pairs, .warm = warm};
  pc_parallel(threads, packs->contacts, 2 * SOME, set_drags, &work);
  for (int k = 0; k < packs->contacts; k++)
    pairs->most_drag = pc_larger(pairs->most_drag, pairs->drag[k].keep);
  if (warm)
    push_tangential(pairs, pairs->t, packs->line, NULL);
  return PC_OK;
}

// r_T -> keep r_T - step (D_T+ + shift), which leaves r_T = -(k/2)(D_T+ + D_T-) as it is.
static void map_drags(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (int part = begin; part < end; part++) {
    int last =
        (part + 1) * SOME < pairs->packs.contacts ? (part + 1) * SOME : pairs->packs.contacts;
    pc_map_size *size = (pc_map_size *)pairs->packs.partial + part;
    *size = (pc_map_size){0};
    for (int k = part * SOME; k < last; k++) {
      const pc_pair_drag *drag = &pairs->drag[k];
      const double *a = pairs->velocity + PC_LINE * (long)drag->line[0], *n = drag->normal;
      const double *b = pairs->velocity + PC_LINE * (long)drag->line[1], *t = pairs->t + 3 * k;
      double turn[2][3], v[3], square = 0;
      pc_cross(a + 4, drag->arm[0], turn[0]);
      pc_cross(b + 4, drag->arm[1], turn[1]);
      for (int i = 0; i < 3; i++)
        v[i] = (a[i] + turn[0][i]) - (b[i] + turn[1][i]);
      double along = pc_dot3(n, v), one = 1 / drag->mass, part_of = 1 / (1 + drag->k);
      for (int i = 0; i < 3; i++) {
        v[i] += drag->shift[i] - along * n[i];
        double map = (t[i] * one + drag->k * v[i]) * part_of;
        square += map * map;
        pairs->change[3 * k + i] = (drag->keep - 1) * t[i] - drag->step * v[i];
      }
      if (drag->k == 0) // no drag: nothing to change, whatever the round-off
        square = pairs->change[3 * k] = pairs->change[3 * k + 1] = pairs->change[3 * k + 2] = 0;
      pc_map_size_add(size, &(pc_map_size){drag->mass * square, square, square});
    }
  }
}

void pc_pairs_viscous_map(const pc_pairs *pairs, const double *line, pc_map_size *size)
{
  pair_work work = {.pairs = pairs, .from_line = line};
  int parts = (pairs->packs.contacts + SOME - 1) / SOME;
  if (pairs->drag == NULL)
    return;
  pc_parallel(pairs->packs.threads, pairs->packs.lines - 1, 300, body_velocities, &work);
  pc_parallel(pairs->packs.threads, parts, 4, map_drags, &work);
  double normal = size->largest;
  size->largest = 0;
  for (int i = 0; i < parts; i++)
    pc_map_size_add(size, (pc_map_size *)pairs->packs.partial + i);
  size->largest += normal; // at most, where both are those of one contact
}

void pc_pairs_drag(const pc_pairs *pairs, double *line, double *lines_before)
{
  for (int i = 0; i < 3 * pairs->packs.contacts; i++)
    pairs->t[i] += pairs->change[i];
  push_tangential(pairs, pairs->change, line, lines_before);
}

static void scatter_drags(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  for (int k = begin; k < end; k++) {
    const pc_interaction_data *data = pc_pack_contact(&work->pairs->packs, k);
    for (int i = 0; i < data->rows; i++)
      work->answer->force.at[data->row + i] -= work->pairs->t[3 * k + i];
  }
}

void pc_pairs_scatter(const pc_pairs *pairs, pc_impact *problem, const double *line,
                      const double *g)
{
  pair_work work = {.pairs = pairs, .answer = problem};
  pc_packs_scatter(&pairs->packs, problem, line, g);
  if (pairs->drag != NULL)
    pc_parallel(pairs->packs.threads, pairs->packs.contacts, 1000, scatter_drags, &work);
}
