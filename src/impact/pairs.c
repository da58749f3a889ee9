// Blocks of contacts of the same two bodies: which they are, their colours, their numbers; and
// passes over all of them.
#include "impact/pairs.h"

#include <math.h>
#include <string.h>

#include "core/threads.h"

enum { MOST_COLOURS = 64, CHUNK = 32 }; // packs that are swept in one go

// Contacts first .. first + size - 1 of the packs, at place 4 * pack + lane.
typedef struct block {
  int first, size, colour, place;
} block;

typedef struct pair_work {
  pc_pairs *pairs;
  const block *block;
  const pc_sweep *sweep;
  const double *line, *from;
  double *to, *r;
  int first; // run
} pair_work;

static int line_of(const pc_packs *packs, int k, int side)
{
  int place = packs->place[k];
  return packs->pair[2 * PC_LANES * (long)(place / PC_LANES) + side * PC_LANES + place % PC_LANES];
}

// Neighbours in the list with the same bodies. Obstacles are one body.
static int find_blocks(const pc_packs *packs, block *blocks)
{
  int count = 0;
  for (int k = 0; k < packs->contacts;) {
    int a = line_of(packs, k, 0), b = line_of(packs, k, 1), size = 1;
    while (size < PC_PAIR_MOST && k + size < packs->contacts && line_of(packs, k + size, 0) == a &&
           line_of(packs, k + size, 1) == b)
      size++;
    blocks[count++] = (block){.first = k, .size = size};
    k += size;
  }
  return count;
}

// Greedy colours; a block that finds none gets one of its own, behind the others.
static int find_colours(const pc_packs *packs, int count, block *blocks, unsigned long long *used)
{
  int more = 0;
  for (int i = 0; i < count; i++) {
    int a = line_of(packs, blocks[i].first, 0), b = line_of(packs, blocks[i].first, 1);
    unsigned long long taken = (a ? used[a] : 0) | (b ? used[b] : 0);
    if (~taken == 0) {
      blocks[i].colour = MOST_COLOURS + more++;
      continue;
    }
    int c = __builtin_ctzll(~taken);
    blocks[i].colour = c;
    used[a] |= 1ull << c;
    used[b] |= 1ull << c;
  }
  return MOST_COLOURS + more;
}

// Runs of one colour and size, larger blocks first, and the place of every block.
static void find_runs(pc_pairs *pairs, int count, block *blocks, int *members)
{
  for (int i = 0; i < count; i++)
    members[PC_PAIR_MOST * blocks[i].colour + PC_PAIR_MOST - blocks[i].size]++;
  for (int c = 0; c < pairs->colours; c++) {
    pairs->colour[c] = pairs->runs;
    for (int s = 0; s < PC_PAIR_MOST; s++) {
      int *member = &members[PC_PAIR_MOST * c + s], packs = (*member + PC_LANES - 1) / PC_LANES;
      if (packs > 0)
        pairs->run[pairs->runs++] =
            (pc_pair_run){pairs->packs, pairs->packs + packs, PC_PAIR_MOST - s, pairs->slots};
      *member = pairs->packs * PC_LANES; // the next place
      pairs->packs += packs;
      pairs->slots += packs * (PC_PAIR_MOST - s);
    }
  }
  pairs->colour[pairs->colours] = pairs->runs;
  for (int i = 0; i < count; i++)
    blocks[i].place = members[PC_PAIR_MOST * blocks[i].colour + PC_PAIR_MOST - blocks[i].size]++;
}

// The numbers of one contact, from those of the packs.
static void set_contact(const pc_pairs *pairs, int k, long place)
{
  const pc_packs *packs = pairs->from;
  long p = packs->place[k] / PC_LANES, slot = place / PC_LANES;
  int l = packs->place[k] % PC_LANES, to = (int)(place % PC_LANES);
  const double *from = packs->field + packs->fields * PC_LANES * p + l;
  const double *rows = from + PC_AT_ARMS * PC_LANES;
  const double *more = rows + PC_ARM_NUMBERS(PC_FULL) * PC_LANES;
  const double *test = packs->test + packs->tests * PC_LANES * p + l;
  double *field = pairs->field + slot * PC_PAIR_FIELDS * PC_LANES + to;
  double inverse = from[PC_AT_INVERSE * PC_LANES];
  for (int side = 0; side < 2; side++, rows += 18 * PC_LANES)
    for (int j = 0; j < 6; j++)
      field[(6 * side + j) * PC_LANES] = from[0] * rows[j * PC_LANES] +
                                         from[PC_LANES] * rows[(6 + j) * PC_LANES] +
                                         from[2 * PC_LANES] * rows[(12 + j) * PC_LANES];
  field[PC_PAIR_INVERSE * PC_LANES] = inverse;
  field[PC_PAIR_BOUND * PC_LANES] = from[PC_AT_BOUND * PC_LANES];
  field[PC_PAIR_H * PC_LANES] = more[0];
  field[PC_PAIR_K * PC_LANES] = more[PC_LANES];
  field[PC_PAIR_OWN * PC_LANES] = inverse > 0 ? 1 / inverse : 0;
  for (int i = 0; i < PC_TEST_EXTRA; i++)
    pairs->test[(slot * PC_TEST_EXTRA + i) * PC_LANES + to] = test[i * PC_LANES];
}

static void set_blocks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (int n = begin; n < end; n++) {
    const block *b = &work->block[n];
    long p = b->place / PC_LANES;
    int l = b->place % PC_LANES;
    const pc_pair_run *run = pairs->run;
    int low = 0, high = pairs->runs;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (run[middle].first <= p)
        low = middle;
      else
        high = middle;
    }
    long slot = run[low].slot + (long)b->size * (p - run[low].first);
    for (int side = 0; side < 2; side++)
      pairs->pair[2 * PC_LANES * p + side * PC_LANES + l] = line_of(pairs->from, b->first, side);
    for (int i = 0; i < b->size; i++) {
      pairs->place[b->first + i] = (int)((slot + i) * PC_LANES + l);
      set_contact(pairs, b->first + i, (slot + i) * PC_LANES + l);
    }
    double *between = pairs->between + p * PC_PAIR_BETWEEN * PC_LANES + l;
    const double *field = pairs->field + slot * PC_PAIR_FIELDS * PC_LANES + l;
    for (int k = 1; k < b->size; k++)
      for (int i = 0; i < k; i++, between += PC_LANES) {
        double sum = 0;
        for (int j = 0; j < 12; j++)
          sum += field[(i * PC_PAIR_FIELDS + j) * PC_LANES] *
                 field[(k * PC_PAIR_FIELDS + j) * PC_LANES];
        *between = sum;
      }
  }
}

bool pc_pairs_create(pc_pairs *pairs, const pc_packs *packs, int threads, pc_arena *arena)
{
  *pairs = (pc_pairs){.from = packs, .threads = threads};
  size_t contacts = (size_t)packs->contacts + 1;
  block *blocks = pc_arena_take_raw(arena, contacts, sizeof(block));
  unsigned long long *used = pc_arena_take(arena, (size_t)packs->lines, sizeof *used);
  if (arena->failed)
    return false;
  int count = find_blocks(packs, blocks);
  pairs->colours = find_colours(packs, count, blocks, used);
  size_t colours = (size_t)pairs->colours;
  int *members = pc_arena_take(arena, colours * PC_PAIR_MOST, sizeof(int));
  pairs->run = pc_arena_take(arena, colours * PC_PAIR_MOST, sizeof(pc_pair_run));
  pairs->colour = pc_arena_take(arena, colours + 1, sizeof(int));
  pairs->place = pc_arena_take_raw(arena, contacts, sizeof(int));
  if (arena->failed)
    return false;
  find_runs(pairs, count, blocks, members);
  size_t blocks_packed = (size_t)pairs->packs, slots = (size_t)pairs->slots * PC_LANES;
  pairs->pair = pc_arena_take(arena, blocks_packed * 2 * PC_LANES, sizeof(int));
  pairs->field = pc_arena_take(arena, slots * PC_PAIR_FIELDS, sizeof(double));
  pairs->between = pc_arena_take(arena, blocks_packed * PC_PAIR_BETWEEN * PC_LANES, sizeof(double));
  pairs->test = pc_arena_take(arena, slots * PC_TEST_EXTRA, sizeof(double));
  pairs->partial =
      pc_arena_take(arena, 2 * (blocks_packed / CHUNK + (size_t)pairs->runs + 1), sizeof(double));
  if (arena->failed)
    return false;
  for (long i = 0; i < pairs->slots; i++) // places without a contact
    for (int l = 0; l < PC_LANES; l++)
      pairs->test[i * PC_TEST_EXTRA * PC_LANES + l] = 1;
  pair_work work = {.pairs = pairs, .block = blocks};
  pc_parallel(packs->threads, count, 500, set_blocks, &work);
  return true;
}

static int chunks_of(const pc_pair_run *run)
{
  return (run->last - run->first + CHUNK - 1) / CHUNK;
}

// The run and the packs of chunk `chunk`, counted from the first run of the work.
static const pc_pair_run *chunk_run(const pair_work *work, int chunk, int *begin, int *end)
{
  const pc_pair_run *run = work->pairs->run + work->first;
  while (chunk >= chunks_of(run))
    chunk -= chunks_of(run++);
  *begin = run->first + chunk * CHUNK;
  *end = *begin + CHUNK < run->last ? *begin + CHUNK : run->last;
  return run;
}

static int count_chunks(const pc_pairs *pairs, int first, int last)
{
  int count = 0;
  for (int i = first; i < last; i++)
    count += chunks_of(&pairs->run[i]);
  return count;
}

static void sweep_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pair_kernels *kernels = pc_pair_kernels_of(work->pairs->plain);
  for (int chunk = begin; chunk < end; chunk++) {
    int from, to;
    const pc_pair_run *run = chunk_run(work, chunk, &from, &to);
    kernels->sweep(work->pairs, run, work->sweep, from, to, work->pairs->partial + 2 * chunk);
  }
}

void pc_pairs_sweep(const pc_pairs *pairs, const pc_sweep *sweep, double sums[2])
{
  pair_work work = {.pairs = (pc_pairs *)pairs, .sweep = sweep};
  sums[0] = sums[1] = 0;
  for (int c = 0; c < pairs->colours; c++) {
    work.first = pairs->colour[c];
    int chunks = count_chunks(pairs, work.first, pairs->colour[c + 1]);
    pc_parallel(pairs->threads, chunks, 1, sweep_chunks, &work);
    for (int i = 0; i < 2 * chunks; i++)
      sums[i % 2] += pairs->partial[i];
  }
}

static void residual_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pair_kernels *kernels = pc_pair_kernels_of(work->pairs->plain);
  for (int chunk = begin; chunk < end; chunk++) {
    int from, to;
    const pc_pair_run *run = chunk_run(work, chunk, &from, &to);
    kernels->residual(work->pairs, run, work->line, work->from, from, to,
                      work->pairs->partial + 2 * chunk);
  }
}

double pc_pairs_residual(const pc_pairs *pairs, const double *line, const double *g)
{
  pair_work work = {.pairs = (pc_pairs *)pairs, .line = line, .from = g};
  int chunks = count_chunks(pairs, 0, pairs->runs);
  double energy = 0, speed = 0;
  pc_parallel(pairs->threads, chunks, 8, residual_chunks, &work);
  for (int i = 0; i < chunks; i++) {
    energy += pairs->partial[2 * i];
    speed += pairs->partial[2 * i + 1];
  }
  return pc_packs_relative(pairs->from, energy, speed);
}

void pc_pairs_read(const pc_pairs *pairs, const double *r, double *g)
{
  const pc_packs *packs = pairs->from;
  memset(g, 0, sizeof(double) * PC_LANES * (size_t)pairs->slots);
  for (int k = 0; k < packs->contacts; k++) {
    long p = packs->place[k] / PC_LANES;
    g[pairs->place[k]] = r[packs->numbers * PC_LANES * p + packs->place[k] % PC_LANES];
  }
}

void pc_pairs_write(const pc_pairs *pairs, const double *g, double *r)
{
  const pc_packs *packs = pairs->from;
  for (int k = 0; k < packs->contacts; k++) {
    long p = packs->place[k] / PC_LANES;
    r[packs->numbers * PC_LANES * p + packs->place[k] % PC_LANES] = g[pairs->place[k]];
  }
}
