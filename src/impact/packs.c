// An island of contacts in packs: its memory, and passes over all of them.
#include "impact/packs.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/contact_side.h"
#include "impact/packing.h"

static const size_t far_numbers = 2048 * 1024; // sixteen

typedef struct pack_work {
  pc_packs *packs;
  bool warm;
  double *line, *to;
  double *r, *sums;
  const pc_sweep *sweep;
  const void *from_line, *from;
  pc_impact *answer;
  const pc_pack_run *run;
  int level;
} pack_work;

static int chunks_of(const pc_packs *packs)
{
  return (packs->packs + PC_PACK_CHUNK - 1) / PC_PACK_CHUNK;
}

static int chunk_end(const pc_packs *packs, int chunk)
{
  int end = (chunk + 1) * PC_PACK_CHUNK;
  return end < packs->packs ? end : packs->packs;
}

// Lines hold y, not velocities.
static bool is_whitened(const pc_packs *packs)
{
  return packs->shape == PC_FULL || packs->shape == PC_PLANE || packs->shape == PC_BLOCKS;
}

static void set_lines(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  if (is_whitened(packs)) {
    memset(work->line + packs->stride * (begin + 1L), 0,
           sizeof(double) * (size_t)packs->stride * (size_t)(end - begin));
    return;
  }
  for (int b = begin; b < end; b++) {
    const pc_body_data *body =
        &packs->problem->body.at[packs->islands->body[packs->island->body + b]];
    double *line = work->line + PC_LINE * (b + 1L);
    const double *x = body->turn->inverse;
    pc_body_motion(body, packs->islands->free_velocity, line, line + 4);
    line[3] = body->light;
    line[7] = x[5];
    if (packs->shape == PC_ARMS && work->to != NULL) {
      double columns[12] = {x[0], x[1], x[2], 0, x[1], x[3], x[4], 0, x[2], x[4], x[5], 0};
      memcpy(work->to + PC_INERTIA * (b + 1L), columns, sizeof columns);
    }
  }
}

// Contacts in their own order, where neighbours share bodies, each into its place.
static void pack_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int chunk = begin; chunk < end; chunk++)
    pc_pack_contacts(packs, work->warm, chunk * PC_CONTACT_CHUNK,
                     pc_contact_chunk_end(packs, chunk), packs->partial + 3 * chunk);
}

// The responses between the contacts of blocks, when all are packed.
static void set_blocks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  const long size = PC_BLOCK_FIELDS * PC_LANES;
  double *fields = packs->field;
  for (const pc_pack_run *run = packs->run + begin; run < packs->run + end; run++)
    for (int p = run->first; p < run->last; p++)
      for (int below = 0; below < (p - run->first) % run->storeys; below++)
        for (int l = 0; l < PC_LANES; l++) {
          double *field = fields + size * p + l, sum = 0;
          const double *other = fields + size * (p - (p - run->first) % run->storeys + below);
          for (int j = 0; j < 12; j++)
            sum += other[j * PC_LANES + l] * field[j * PC_LANES];
          field[(PC_BLOCK_BELOW + below) * PC_LANES] = sum;
        }
}

static void set_number(const pc_packs *packs, void *numbers, long i, double value)
{
  if (packs->single)
    ((float *)numbers)[i] = (float)value;
  else
    ((double *)numbers)[i] = value;
}

void pc_packs_leave_idle(const pc_packs *packs, int place)
{
  long p = place / PC_LANES;
  int l = place % PC_LANES, *pair = packs->pair + 2 * PC_LANES * p + l;
  pair[0] = pair[PC_LANES] = 0;
  for (int i = 0; i < packs->fields; i++)
    set_number(packs, packs->field, (packs->fields * p + i) * PC_LANES + l, 0);
  for (int i = 0; i < packs->tests; i++)
    set_number(packs, packs->test, (packs->tests * p + i) * PC_LANES + l, i == 0 ? 1 : 0);
  for (int i = 0; i < packs->numbers; i++)
    set_number(packs, packs->r, (packs->numbers * p + i) * PC_LANES + l, 0);
}

// Of all runs.
static int sweep_chunks(const pc_packs *packs)
{
  if (packs->runs == 0)
    return 0;
  const pc_pack_run *last = &packs->run[packs->runs - 1];
  return last->chunk + pc_run_chunks(last);
}

// Places, numbers and sizes, for contacts that are all central or not. *central becomes false if
// one is not.
static pc_status pack(pc_packs *packs, bool warm, bool *central, pc_arena *arena, pc_error *error)
{
  pack_work work = {.packs = packs, .warm = warm};
  if (!is_whitened(packs))
    packs->shape = *central ? PC_CENTRAL : PC_ARMS;
  packs->kernels = pc_pack_kernels_of(packs->shape, packs->friction, packs->extra, false);
  packs->fields =
      PC_FIELDS(packs->shape, packs->friction) + (packs->extra ? PC_EXTRA(packs->shape) : 0);
  size_t lanes = (size_t)packs->packs * PC_LANES, lines = (size_t)packs->lines;
  packs->field = pc_arena_take_raw(arena, lanes * (size_t)packs->fields, sizeof(double));
  packs->inertia =
      pc_arena_take_raw(arena, packs->shape == PC_ARMS ? lines * PC_INERTIA : 1, sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  int numbers = packs->stride + (packs->shape == PC_ARMS ? PC_INERTIA : 0);
  packs->spread = lines * (size_t)numbers > pc_near_numbers;
  packs->far = lanes * (size_t)(packs->fields + packs->numbers) > far_numbers;
  work.line = packs->line;
  work.to = packs->inertia;
  memset(packs->line, 0, sizeof(double) * (size_t)packs->stride);
  if (packs->shape == PC_ARMS)
    memset(packs->inertia, 0, sizeof(double) * PC_INERTIA);
  if (packs->shape == PC_ARMS || !warm) // else pc_packs_move sets them
    pc_parallel(packs->threads, packs->island->bodies, 300, set_lines, &work);
  for (int r = 0; r < packs->runs; r++)
    for (int p = packs->run[r].last - packs->run[r].storeys; p < packs->run[r].last; p++)
      for (int l = PC_LANES - packs->run[r].idle; l < PC_LANES; l++)
        pc_packs_leave_idle(packs, p * PC_LANES + l);
  for (int i = packs->rest * PC_LANES; i < packs->packs * PC_LANES; i++)
    if (i % PC_LANES != 0)
      pc_packs_leave_idle(packs, i);
  pc_parallel(packs->threads, pc_contact_chunks(packs), 1, pack_chunks, &work);
  if (packs->shape == PC_BLOCKS)
    pc_parallel(packs->threads, packs->runs, 8, set_blocks, &work);
  double size = packs->fold.sizes[0], speed = packs->fold.sizes[1];
  for (int i = 0; i < pc_contact_chunks(packs); i++) {
    size += packs->partial[3 * i];
    speed += packs->partial[3 * i + 1];
    *central = *central && packs->partial[3 * i + 2] == 0;
  }
  if (!isfinite(size) || (speed > 0 && !(size > 1e-280)))
    return pc_fail(error, PC_ERROR_NUMERIC, "%s", pc_out_of_range);
  packs->scale = sqrt(size);
  packs->speed = sqrt(speed);
  return PC_OK;
}

static pc_status create(pc_packs *packs, bool blocks, const pc_impact *problem,
                        const pc_islands *islands, int island, bool warm, int threads,
                        pc_arena *arena, pc_error *error)
{
  const pc_island *from = &islands->island[island];
  *packs = (pc_packs){.problem = problem,
                      .islands = islands,
                      .island = from,
                      .lines = from->bodies + 1,
                      .stride = PC_LINE,
                      .contacts = from->interactions - from->folded,
                      .friction = blocks           ? PC_SLIPS
                                  : from->viscous  ? PC_DRAGS
                                  : from->friction ? PC_RUBS
                                                   : PC_SLIPS,
                      .extra = blocks || from->extra || from->folded > 0,
                      .convex = from->convex,
                      .threads = threads};
  if (!pc_fold_list(&packs->fold, problem, islands, island, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  bool folded = packs->fold.elements > 0, plane = !blocks && !folded && from->plane;
  bool central = !blocks && !folded && !plane && pc_fold_central(&packs->fold);
  bool tried = central;
  packs->shape = blocks ? PC_BLOCKS : folded ? PC_FULL : plane ? PC_PLANE : PC_ARMS;
  if (plane)
    packs->stride = PC_FLAT_LINE;
  packs->tests = packs->friction == PC_DRAGS ? PC_TEST_VISCOUS
                 : packs->extra              ? PC_TEST_EXTRA
                                             : PC_TEST;
  packs->numbers = !packs->friction ? 1 : plane ? 2 : 4;
  if ((blocks || folded) && !pc_fold_bodies(&packs->fold, threads, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (!pc_packs_arrange(packs, central, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  size_t lanes = (size_t)packs->packs * PC_LANES, lines = (size_t)packs->lines;
  packs->pair = pc_arena_take_raw(arena, 2 * lanes, sizeof(int));
  packs->test = pc_arena_take_raw(arena, lanes * (size_t)packs->tests, sizeof(double));
  packs->r = pc_arena_take_raw(arena, lanes * (size_t)packs->numbers, sizeof(double));
  packs->line = pc_arena_take_raw(arena, lines * (size_t)packs->stride, sizeof(double));
  packs->partial = pc_arena_take_raw(arena,
                                     3 * (size_t)(chunks_of(packs) + pc_contact_chunks(packs)) +
                                         2 * (size_t)sweep_chunks(packs),
                                     sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pack(packs, warm, &central, arena, error);
  if (status == PC_OK && tried && !central)
    status = pack(packs, warm, &central, arena, error);
  return status;
}

pc_status pc_packs_create(pc_packs *packs, const pc_impact *problem, const pc_islands *islands,
                          int island, bool warm, int threads, pc_arena *arena, pc_error *error)
{
  return create(packs, false, problem, islands, island, warm, threads, arena, error);
}

pc_status pc_packs_create_blocks(pc_packs *packs, const pc_impact *problem,
                                 const pc_islands *islands, int island, bool warm, int threads,
                                 pc_arena *arena, pc_error *error)
{
  return create(packs, true, problem, islands, island, warm, threads, arena, error);
}

void pc_packs_again(pc_packs *packs, const pc_islands *islands, int island)
{
  packs->islands = islands;
  packs->island = &islands->island[island];
  pc_fold_again(&packs->fold, islands, island);
}

// Chunks of one run, so that sums do not depend on the thread: a sweep, or without one a move.
static void do_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  const pc_pack_run *run = work->run;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = run->first + chunk * pc_run_chunk(run), to = from + pc_run_chunk(run);
    double *sums = packs->partial + 2 * (run->chunk + chunk);
    to = to < run->last ? to : run->last;
    if (work->sweep == NULL)
      packs->kernels->move(packs, work->line, work->from, run->storeys, from, to);
    else
      packs->kernels->sweep(packs, work->sweep, run->storeys, from, to, sums);
  }
}

static void do_node(const pack_work *all, int node, int threads)
{
  pack_work work = *all;
  for (int r = work.packs->node[node]; r < work.packs->node[node + 1]; r++) {
    work.run = &work.packs->run[r];
    int chunks = pc_run_chunks(work.run);
    if (threads == 1 || chunks == 1)
      do_chunks(&work, 0, chunks, 0);
    else
      pc_parallel(threads, chunks, 1, do_chunks, &work);
  }
}

// The momentum of the lines of a tile.
static void push_tile(const pc_packs *packs, const pc_sweep *s, int tile)
{
  packs->kernels->push(packs, s, packs->stride * (long)pc_tile_begin(&packs->tiles, tile),
                       packs->stride * (long)pc_tile_begin(&packs->tiles, tile + 1));
}

// A branch: its halves, then what joins them.
static void do_branch(const pack_work *work, int level, int at)
{
  if (level == 0 && work->sweep != NULL && work->sweep->before != NULL)
    push_tile(work->packs, work->sweep, at);
  if (level > 0) {
    do_branch(work, level - 1, 2 * at);
    do_branch(work, level - 1, 2 * at + 1);
  }
  do_node(work, pc_tile_node(&work->packs->tiles, level, at), 1);
}

static void do_branches(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  for (int at = begin; at < end; at++)
    do_branch(work, work->level, at);
}

// Branches by threads, then what is above them, colour by colour.
static void do_all(pack_work *work)
{
  const pc_packs *packs = work->packs;
  const pc_tiles *tiles = &packs->tiles;
  if (packs->threads == 1 || tiles->count == 1) {
    do_branch(work, tiles->levels - 1, 0);
    return;
  }
  work->level = pc_tile_branches(tiles, packs->threads);
  pc_parallel(packs->threads, tiles->count >> work->level, 1, do_branches, work);
  for (int node = pc_tile_node(tiles, work->level + 1, 0);
       node < pc_tile_node(tiles, tiles->levels, 0); node++)
    do_node(work, node, packs->threads);
}

void pc_packs_move(const pc_packs *packs, double *line, const double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .line = line, .from = r};
  memset(line, 0, sizeof(double) * (size_t)packs->stride);
  pc_parallel(packs->threads, packs->island->bodies, 300, set_lines, &work);
  do_all(&work);
  packs->kernels->move(packs, line, r, 1, packs->rest, packs->packs);
}

// Node after node, then those without a colour.
void pc_packs_sweep(const pc_packs *packs, const pc_sweep *sweep, double sums[2])
{
  pack_work work = {.packs = (pc_packs *)packs, .sweep = sweep};
  do_all(&work);
  sums[0] = sums[1] = 0;
  for (int i = 0; i < sweep_chunks(packs); i++) {
    sums[0] += packs->partial[2 * i];
    sums[1] += packs->partial[2 * i + 1];
  }
  for (int p = packs->rest; p < packs->packs; p++) {
    double own[2];
    packs->kernels->sweep(packs, sweep, 1, p, p + 1, own);
    sums[0] += own[0];
    sums[1] += own[1];
  }
}

static pc_map_size *map_sizes(const pc_packs *packs)
{
  return (pc_map_size *)packs->partial;
}

static void residual_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int chunk = begin; chunk < end; chunk++)
    packs->kernels->residual(packs, work->from_line, work->from, chunk * PC_PACK_CHUNK,
                             chunk_end(packs, chunk), map_sizes(packs) + chunk);
}

pc_map_size pc_packs_map(const pc_packs *packs, const void *line, const void *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .from_line = line, .from = r};
  pc_map_size size = {0};
  pc_parallel(packs->threads, chunks_of(packs), 1, residual_part, &work);
  for (int i = 0; i < chunks_of(packs); i++)
    pc_map_size_add(&size, map_sizes(packs) + i);
  return size;
}

double pc_packs_relative(const pc_packs *packs, const pc_map_size *size)
{
  double by_energy = packs->scale > 0 ? sqrt(size->energy) / packs->scale : 0;
  double by_speed = packs->speed > 0 ? sqrt(size->speed) / packs->speed : 0;
  return by_energy > by_speed || isnan(by_energy) ? by_energy : by_speed;
}

double pc_packs_residual(const pc_packs *packs, const double *line, const double *r)
{
  pc_map_size size = pc_packs_map(packs, line, r);
  return pc_packs_relative(packs, &size);
}

static void project_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  int mu = packs->shape == PC_PLANE ? PC_FLAT_MU : PC_AT_MU;
  for (int p = begin; p < end; p++)
    for (int l = 0; l < PC_LANES; l++) {
      double *r = work->r + (long)packs->numbers * PC_LANES * p + l;
      const double *field = (const double *)packs->field + (long)packs->fields * PC_LANES * p + l;
      if (!packs->extra && r[0] < 0)
        r[0] = 0;
      if (packs->friction == PC_DRAGS)
        continue;
      double square = 0, reach = field[mu * PC_LANES] * (r[0] > 0 ? r[0] : 0);
      for (int i = 1; i < packs->numbers; i++)
        square += r[i * PC_LANES] * r[i * PC_LANES];
      if (square > reach * reach) {
        double part = reach / sqrt(square);
        for (int i = 1; i < packs->numbers; i++)
          r[i * PC_LANES] *= part;
      }
    }
}

void pc_packs_project(const pc_packs *packs, double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .r = r};
  pc_parallel(packs->threads, packs->packs, 64, project_part, &work);
}

static void scatter_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int b = begin; b < end; b++) {
    const pc_body_data *body =
        &packs->problem->body.at[packs->islands->body[packs->island->body + b]];
    const double *line = (const double *)work->from_line + packs->stride * (b + 1L);
    double six[PC_LINE];
    if (packs->shape == PC_PLANE) {
      const double *base = packs->islands->free_velocity + body->start;
      double *u = work->answer->after.at + body->start;
      for (int i = 0; i < body->dof; i++)
        u[i] = base[i] + (i < 2 ? body->root : body->turn->inverse_root[5]) * line[i];
      continue;
    }
    if (is_whitened(packs)) {
      pc_fold_velocity(&packs->fold, b, line, six);
      line = six;
    }
    pc_line_to_body(body, line, work->answer->after.at + body->start);
  }
}

static inline const double *percussions_of(const pc_packs *packs, const double *r, int k)
{
  long p = packs->place[k] / PC_LANES;
  return r + packs->numbers * PC_LANES * p + packs->place[k] % PC_LANES;
}

static void scatter_contacts(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  size_t bytes = sizeof(double) * (size_t)(packs->numbers * PC_LANES - PC_LANES + 1);
  for (int k = begin; k < end; k++) {
    if (packs->far && k + PC_FAR < end) {
      pc_prefetch(percussions_of(packs, work->from, k + PC_FAR), 0, bytes);
      pc_prefetch(pc_pack_contact(packs, k + PC_FAR), 0, sizeof(pc_interaction_data));
    }
    const pc_interaction_data *data = pc_pack_contact(packs, k);
    const double *r = percussions_of(packs, work->from, k);
    double *force = work->answer->force.at + data->row;
    if (packs->shape == PC_PLANE) {
      double across = packs->friction ? r[PC_LANES] : 0;
      force[0] = -(data->normal[0] * r[0] - data->normal[1] * across);
      if (data->rows > 1)
        force[1] = -(data->normal[1] * r[0] + data->normal[0] * across);
      continue;
    }
    for (int i = 0; i < data->rows; i++)
      force[i] = -(data->normal[i] * r[0] + (packs->friction ? r[(1 + i) * PC_LANES] : 0));
  }
}

void pc_packs_scatter(const pc_packs *packs, pc_impact *problem, const double *line,
                      const double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .answer = problem, .from_line = line, .from = r};
  pc_parallel(packs->threads, packs->island->bodies, 300, scatter_bodies, &work);
  pc_parallel(packs->threads, packs->contacts, 300, scatter_contacts, &work);
  pc_fold_answer(&packs->fold, problem, packs->threads);
}
