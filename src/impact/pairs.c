// Blocks of contacts of the same two bodies: which they are, their tiles and colours, their
// numbers; and passes over all of them.
#include "impact/pairs.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/threads.h"
#include "impact/contact_side.h"

enum { MOST_COLOURS = 64, CHUNK = 64, MOST_TILES = 16, TILE_CONTACTS = 1000, SOME = 256 };

// Contacts first .. first + size - 1 of the island.
typedef struct block {
  int first, size, group, place; // group: tile and colour
  int slot;                      // of its first contact
  int line[2];
} block;

typedef struct pair_work {
  pc_pairs *pairs;
  const block *block;
  int blocks;
  bool warm;
  const pc_sweep *sweep;
  double *line, *other;
  const double *from, *from_line;
  pc_impact *answer;
  int first; // chunk
} pair_work;

static const pc_interaction_data *contact_of(const pc_pairs *pairs, int k)
{
  return &pairs->fold.problem->interaction[pairs->fold.contact[k]];
}

static int line_of(const pc_pairs *pairs, int k, int side)
{
  const pc_islands *islands = pairs->fold.islands;
  int body = islands->ends[pairs->fold.contact[k]].body[side];
  return body >= 0 ? islands->local_body[body] + 1 : 0;
}

// Neighbours in the list with the same bodies. Obstacles are one body.
static int find_blocks(const pc_pairs *pairs, block *blocks)
{
  int count = 0;
  for (int k = 0; k < pairs->contacts; k++) {
    int a = line_of(pairs, k, 0), b = line_of(pairs, k, 1);
    block *last = count > 0 ? &blocks[count - 1] : NULL;
    if (last != NULL && last->size < PC_PAIR_MOST && last->line[0] == a && last->line[1] == b)
      last->size++;
    else
      blocks[count++] = (block){.first = k, .size = 1, .line = {a, b}};
  }
  return count;
}

// Groups: nodes times colours. Colours are given out greedily, for each level apart; a block that
// finds none gets a group of its own, behind all others.
static int find_groups(const pc_pairs *pairs, int count, block *blocks, unsigned long long *used)
{
  int more = pc_tile_node(&pairs->tiles, pairs->tiles.levels, 0) * MOST_COLOURS;
  for (int i = 0; i < count; i++) {
    int a = blocks[i].line[0], b = blocks[i].line[1];
    int level, node = pc_tile_join(&pairs->tiles, a, b, &level);
    unsigned long long *mask = used + (long)level * pairs->lines;
    unsigned long long taken = (a ? mask[a] : 0) | (b ? mask[b] : 0);
    if (~taken == 0) {
      blocks[i].group = more++;
      continue;
    }
    int colour = __builtin_ctzll(~taken);
    blocks[i].group = node * MOST_COLOURS + colour;
    mask[a] |= 1ull << colour;
    mask[b] |= 1ull << colour;
  }
  return more;
}

static void add_run(pc_pairs *pairs, int packs, int size)
{
  pairs->run[pairs->runs] = (pc_pair_run){pairs->packs, pairs->packs + packs, size, pairs->slots};
  for (int p = 0; p < packs; p += CHUNK)
    pairs->chunk[pairs->chunks++] = (pc_pair_chunk){
        pairs->runs, pairs->packs + p, pairs->packs + (p + CHUNK < packs ? p + CHUNK : packs)};
  pairs->runs++;
  pairs->packs += packs;
  pairs->slots += packs * size;
}

// Runs and chunks, group by group, larger blocks first, and the place of every block. `members`
// counts by group and size, `runs` is room for as many.
static void find_runs(pc_pairs *pairs, int groups, int count, block *blocks, int *members,
                      int *runs)
{
  int nodes = pc_tile_node(&pairs->tiles, pairs->tiles.levels, 0);
  for (int i = 0; i < count; i++)
    members[PC_PAIR_MOST * blocks[i].group + PC_PAIR_MOST - blocks[i].size]++;
  for (int g = 0; g < groups; g++) {
    if (g % MOST_COLOURS == 0 && g / MOST_COLOURS < nodes)
      pairs->node[g / MOST_COLOURS] = pairs->chunks;
    if (g == nodes * MOST_COLOURS) // those without a colour
      pairs->node[nodes] = pairs->chunks;
    for (int s = 0; s < PC_PAIR_MOST; s++) {
      int *member = &members[PC_PAIR_MOST * g + s], packs = (*member + PC_LANES - 1) / PC_LANES;
      *member = pairs->packs * PC_LANES; // the next place
      runs[PC_PAIR_MOST * g + s] = pairs->runs;
      if (packs > 0)
        add_run(pairs, packs, PC_PAIR_MOST - s);
    }
  }
  if (groups == nodes * MOST_COLOURS)
    pairs->node[nodes] = pairs->chunks;
  for (int i = 0; i < count; i++) {
    int kind = PC_PAIR_MOST * blocks[i].group + PC_PAIR_MOST - blocks[i].size;
    const pc_pair_run *run = &pairs->run[runs[kind]];
    blocks[i].place = members[kind]++;
    blocks[i].slot = run->slot + run->size * (blocks[i].place / PC_LANES - run->first);
  }
}

static bool arrange(pc_pairs *pairs, block **blocks, int *block_count, pc_arena *arena)
{
  size_t contacts = (size_t)pairs->contacts + 1;
  *blocks = pc_arena_take_raw(arena, contacts, sizeof(block));
  size_t masks = (size_t)pairs->tiles.levels * (size_t)pairs->lines;
  unsigned long long *used = pc_arena_take(arena, masks, sizeof *used);
  if (arena->failed)
    return false;
  int count = find_blocks(pairs, *blocks), groups = find_groups(pairs, count, *blocks, used);
  size_t runs = (size_t)groups * PC_PAIR_MOST;
  int *members = pc_arena_take(arena, runs, sizeof(int));
  int *run_of = pc_arena_take_raw(arena, runs, sizeof(int));
  pairs->run = pc_arena_take_raw(arena, runs, sizeof(pc_pair_run));
  pairs->chunk = pc_arena_take_raw(arena, runs + contacts / CHUNK + 1, sizeof(pc_pair_chunk));
  pairs->node = pc_arena_take_raw(arena, 2 * (size_t)pairs->tiles.count, sizeof(int));
  if (arena->failed)
    return false;
  find_runs(pairs, groups, count, *blocks, members, run_of);
  size_t packs = (size_t)pairs->packs * PC_LANES;
  pairs->member = pc_arena_take_raw(arena, packs, sizeof(int));
  if (arena->failed)
    return false;
  memset(pairs->member, 0xff, packs * sizeof(int));
  for (int i = 0; i < count; i++)
    pairs->member[(*blocks)[i].place] = i;
  *block_count = count;
  return true;
}

static bool take_memory(pc_pairs *pairs, pc_arena *arena)
{
  size_t packs = (size_t)pairs->packs * PC_LANES, slots = (size_t)pairs->slots * PC_LANES;
  size_t lines = (size_t)pairs->lines * PC_LINE, contacts = (size_t)pairs->contacts;
  pairs->pair = pc_arena_take_raw(arena, 2 * packs, sizeof(int));
  pairs->place = pc_arena_take_raw(arena, contacts, sizeof(int));
  pairs->field = pc_arena_take_raw(arena, slots * PC_PAIR_FIELDS, sizeof(double));
  pairs->between = pc_arena_take_raw(arena, packs * PC_PAIR_BETWEEN, sizeof(double));
  pairs->test = pc_arena_take_raw(arena, slots * PC_TEST_EXTRA, sizeof(double));
  pairs->g = pc_arena_take_raw(arena, slots, sizeof(double));
  pairs->last = pc_arena_take_raw(arena, slots, sizeof(double));
  pairs->line = pc_arena_take(arena, lines, sizeof(double));
  pairs->before = pc_arena_take_raw(arena, lines, sizeof(double));
  if (pairs->before != NULL)
    memset(pairs->before, 0, sizeof(double) * PC_LINE); // at rest for ever
  pairs->partial =
      pc_arena_take_raw(arena, 3 * ((size_t)pairs->chunks + contacts / SOME + 1), sizeof(double));
  if (!pairs->fold.island->viscous)
    return !arena->failed;
  pairs->drag = pc_arena_take_raw(arena, contacts, sizeof(pc_pair_drag));
  pairs->t = pc_arena_take_raw(arena, 3 * contacts, sizeof(double));
  pairs->change = pc_arena_take_raw(arena, 3 * contacts, sizeof(double));
  pairs->velocity = pc_arena_take(arena, lines, sizeof(double));
  pairs->push = pc_arena_take(arena, lines, sizeof(double));
  return !arena->failed;
}

// The trace of the response of one side over all axes, or its normal part.
static inline double side_trace(const pc_side *side, const double *normal, int space, int rows)
{
  const double *x = side->body->turn->inverse, *r = side->arm;
  double turned[3], axis[3];
  if (rows > 1) {
    pc_times_inertia(x, r, turned);
    return space * side->body->light + pc_dot3(r, r) * (x[0] + x[3] + x[5]) - pc_dot3(r, turned);
  }
  pc_cross(r, normal, axis);
  pc_times_inertia(x, axis, turned);
  return side->body->light + pc_dot3(axis, turned);
}

// The viscous part of contact k, and its guess.
static void set_drag(pc_pairs *pairs, int k, int rows, bool warm, double trace, double mass,
                     const double *shift, const double arm[2][3])
{
  const pc_interaction_data *data = contact_of(pairs, k);
  const double *n = data->normal, *force = pairs->fold.problem->force + data->row;
  double half = rows > 1 ? 0.5 * pc_law_of(pairs->fold.problem, data)->tangential.k : 0;
  double step = half / (1 + trace * half), p[3] = {0};
  pc_pair_drag *drag = &pairs->drag[k];
  *drag = (pc_pair_drag){.line = {line_of(pairs, k, 0), line_of(pairs, k, 1)},
                         .step = step,
                         .keep = trace * step,
                         .k = half / mass,
                         .mass = mass};
  memcpy(drag->normal, n, sizeof drag->normal);
  memcpy(drag->arm, arm, sizeof drag->arm);
  for (int i = 0; i < data->rows && rows > 1 && warm; i++)
    p[i] = -force[i];
  double along = pc_dot3(n, shift), pressed = pc_dot3(n, p);
  for (int i = 0; i < 3; i++) {
    drag->shift[i] = shift[i] - along * n[i];
    pairs->t[3 * k + i] = p[i] - pressed * n[i];
  }
}

// The rows of one side, L^T (n, arm x n), and the velocity of its point with all percussions zero.
static inline void side_rows(const pc_pairs *pairs, int line, const pc_side *side,
                             const double *normal, double *rows, double *still)
{
  const double *base = pairs->fold.base + 6 * (line - 1L);
  const double *root = pairs->fold.root + 36 * (line - 1L);
  double axis[3];
  pc_cross(side->arm, normal, axis);
  pc_side_velocity(side, base, base + 3, still);
  for (int j = 0; j < 6; j++)
    rows[j] = normal[0] * root[j] + normal[1] * root[6 + j] + normal[2] * root[12 + j] +
              axis[0] * root[18 + j] + axis[1] * root[24 + j] + axis[2] * root[30 + j];
}

// Fills one lane of a slot and adds to the sizes of the island and to the largest drag.
static void set_contact(pc_pairs *pairs, int k, long slot, int lane, bool warm, double *sums)
{
  const pc_impact *problem = pairs->fold.problem;
  const pc_interaction_data *data = contact_of(pairs, k);
  const pc_law *law = pc_law_of(problem, data);
  int rows = pc_interaction_active(law, data);
  const double *n = data->normal;
  double before[3], free[3], still[3], fixed[3], arm[2][3] = {{0}}, row[12] = {0};
  double trace = 0, own = 0;
  pc_side side[2];
  for (int i = 0; i < 3; i++)
    before[i] = free[i] = still[i] = fixed[i] = data->given[i];
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[data->body[t]];
    pc_side *s = &side[t];
    double v[3], spin[3];
    s->body = body;
    s->sign = t == 0 ? 1 : -1;
    pc_side_arm(body, data->point, s->arm);
    pc_body_motion(body, problem->before, s->v, s->w);
    pc_body_motion(body, pairs->fold.islands->free_velocity, v, spin);
    pc_side_velocity(s, s->v, s->w, before);
    pc_side_velocity(s, v, spin, free);
    if (!body->movable) {
      pc_side_velocity(s, s->v, s->w, still);
      pc_side_velocity(s, s->v, s->w, fixed);
      continue;
    }
    memcpy(arm[t], s->arm, sizeof arm[t]);
    side_rows(pairs, line_of(pairs, k, t), s, n, row + 6 * t, still);
    trace += side_trace(s, n, data->rows, rows);
  }
  for (int j = 0; j < 12; j++)
    own += row[j] * row[j];
  double mass = trace > 0 ? rows / trace : 1, inverse = own > 0 ? 1 / own : 0;
  double normal_before = pc_dot3(n, before), normal_still = pc_dot3(n, still);
  double bound = data->bound - normal_still;
  if (law->normal.kind == PC_NORMAL_RESTITUTION)
    bound -= law->normal.e * normal_before;
  double half = law->normal.kind == PC_NORMAL_QUADRATIC ? 0.5 * law->normal.k : 0;
  double h = half / (1 + half * own), *field = pairs->field + slot * PC_PAIR_FIELDS * PC_LANES;
  double numbers[PC_PAIR_FIELDS] = {[PC_PAIR_INVERSE] = inverse,
                                    [PC_PAIR_BOUND] = inverse > 0 ? bound * inverse : 0,
                                    [PC_PAIR_H] = h * own,
                                    [PC_PAIR_K] = h * (normal_still + normal_before),
                                    [PC_PAIR_OWN] = own};
  double tests[PC_TEST_EXTRA] = {mass, bound, half / mass, normal_still + normal_before};
  memcpy(numbers, row, sizeof row);
  for (int i = 0; i < PC_PAIR_FIELDS; i++)
    field[i * PC_LANES + lane] = numbers[i];
  for (int i = 0; i < PC_TEST_EXTRA; i++)
    pairs->test[(slot * PC_TEST_EXTRA + i) * PC_LANES + lane] = tests[i];
  double pressed = 0;
  for (int i = 0; i < data->rows && warm; i++)
    pressed -= n[i] * problem->force[data->row + i];
  if (law->normal.kind != PC_NORMAL_QUADRATIC)
    pressed = pc_larger(pressed, 0);
  pairs->g[slot * PC_LANES + lane] = pressed;
  pairs->place[k] = (int)(slot * PC_LANES + lane);
  if (pairs->drag != NULL) {
    for (int i = 0; i < 3; i++) // D- of both sides, D+ of what is prescribed
      fixed[i] += before[i];
    set_drag(pairs, k, rows, warm, trace, mass, fixed, (const double(*)[3])arm);
    sums[2] = pc_larger(sums[2], pairs->drag[k].keep);
  }
  if (!isfinite(trace) || !isfinite(own) || !(mass > 0))
    sums[0] = INFINITY;
  pc_contact_sizes(data, side, rows, mass, before, free, sums);
}

// A lane without a block: nothing, between the line at rest and itself.
static void set_nothing(const pc_pairs *pairs, int size, long slot, int lane)
{
  for (int i = 0; i < size; i++, slot++) {
    for (int j = 0; j < PC_PAIR_FIELDS; j++)
      pairs->field[(slot * PC_PAIR_FIELDS + j) * PC_LANES + lane] = 0;
    for (int j = 0; j < PC_TEST_EXTRA; j++)
      pairs->test[(slot * PC_TEST_EXTRA + j) * PC_LANES + lane] = j == 0;
    pairs->g[slot * PC_LANES + lane] = 0;
  }
}

// Contacts in their own order, where neighbours share bodies, each into its place.
static void set_blocks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  for (int part = begin; part < end; part++) {
    int last = (part + 1) * SOME < work->blocks ? (part + 1) * SOME : work->blocks;
    double *sums = work->pairs->partial + 3 * part;
    sums[0] = sums[1] = sums[2] = 0;
    for (int i = part * SOME; i < last; i++) {
      const block *b = &work->block[i];
      for (int k = 0; k < b->size; k++)
        set_contact(work->pairs, b->first + k, b->slot + k, b->place % PC_LANES, work->warm, sums);
    }
  }
}

// Then what belongs to packs.
static void set_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  pc_pairs *pairs = work->pairs;
  for (int c = begin; c < end; c++) {
    const pc_pair_chunk *chunk = &pairs->chunk[c];
    const pc_pair_run *run = &pairs->run[chunk->run];
    for (long p = chunk->begin; p < chunk->end; p++)
      for (int l = 0; l < PC_LANES; l++) {
        long slot = run->slot + run->size * (p - run->first);
        int member = pairs->member[PC_LANES * p + l], *pair = pairs->pair + 2 * PC_LANES * p + l;
        double *between = pairs->between + p * PC_PAIR_BETWEEN * PC_LANES + l;
        const double *field = pairs->field + slot * PC_PAIR_FIELDS * PC_LANES + l;
        pair[0] = pair[PC_LANES] = 0;
        if (member < 0) {
          set_nothing(pairs, run->size, slot, l);
        } else {
          pair[0] = work->block[member].line[0];
          pair[PC_LANES] = work->block[member].line[1];
        }
        for (int k = 1; k < run->size; k++)
          for (int i = 0; i < k; i++, between += PC_LANES) {
            *between = 0;
            for (int j = 0; j < 12; j++)
              *between += field[(i * PC_PAIR_FIELDS + j) * PC_LANES] *
                          field[(k * PC_PAIR_FIELDS + j) * PC_LANES];
          }
      }
  }
}

static void move_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  const pc_pair_kernels *kernels = pc_pair_kernels_of(pairs->plain);
  for (int c = begin; c < end; c++) {
    const pc_pair_chunk *chunk = &pairs->chunk[c];
    kernels->move(pairs, &pairs->run[chunk->run], work->line, work->from, chunk->begin, chunk->end);
  }
}

static void body_velocities(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (long b = begin; b < end; b++)
    pc_fold_velocity(&pairs->fold, b, work->from_line + PC_LINE * (b + 1),
                     pairs->velocity + PC_LINE * (b + 1));
}

// y += L^T push
static void push_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (long b = begin; b < end; b++) {
    const double *root = pairs->fold.root + 36 * b;
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
  for (int k = 0; k < pairs->contacts; k++, change += 3) {
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
  pair_work work = {.pairs = (pc_pairs *)pairs, .line = line, .other = other};
  pc_parallel(pairs->threads, pairs->lines - 1, 300, push_bodies, &work);
}

pc_status pc_pairs_create(pc_pairs *pairs, const pc_impact *problem, const pc_islands *islands,
                          int island, bool warm, int threads, pc_arena *arena, pc_error *error)
{
  block *blocks = NULL;
  int count = 0;
  *pairs = (pc_pairs){.lines = islands->island[island].bodies + 1, .threads = threads};
  if (!pc_fold_list(&pairs->fold, problem, islands, island, arena) ||
      !pc_fold_bodies(&pairs->fold, threads, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pairs->contacts = pairs->fold.contacts;
  // Few of them: each cut makes blocks that join tiles, and packs that are not full.
  int tiles = 1;
  while (tiles < MOST_TILES && tiles * tiles * TILE_CONTACTS <= pairs->contacts)
    tiles *= 2;
  pairs->tiles = pc_tiles_of(pairs->lines, tiles);
  if (!arrange(pairs, &blocks, &count, arena) || !take_memory(pairs, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pair_work work = {.pairs = pairs, .block = blocks, .blocks = count, .warm = warm};
  int parts = (count + SOME - 1) / SOME;
  work.line = pairs->line;
  work.from = pairs->g;
  pc_parallel(threads, parts, 2, set_blocks, &work);
  pc_parallel(threads, pairs->chunks, 8, set_chunks, &work);
  double size = pairs->fold.sizes[0], speed = pairs->fold.sizes[1];
  for (int i = 0; i < parts; i++) {
    size += pairs->partial[3 * i];
    speed += pairs->partial[3 * i + 1];
    pairs->most_drag = pc_larger(pairs->most_drag, pairs->partial[3 * i + 2]);
  }
  if (!isfinite(size) || (speed > 0 && !(size > 1e-280)))
    return pc_fail(error, PC_ERROR_NUMERIC, "%s", pc_out_of_range);
  pairs->scale = sqrt(size);
  pairs->speed = sqrt(speed);
  if (warm)
    move_chunks(&work, 0, pairs->chunks, 0);
  if (warm && pairs->drag != NULL)
    push_tangential(pairs, pairs->t, pairs->line, NULL);
  return PC_OK;
}

static void sweep_chunk(const pair_work *work, int c)
{
  const pc_pairs *pairs = work->pairs;
  const pc_pair_chunk *chunk = &pairs->chunk[c];
  pc_pair_kernels_of(pairs->plain)
      ->sweep(pairs, &pairs->run[chunk->run], work->sweep, chunk->begin, chunk->end,
              pairs->partial + 2 * c);
}

static void sweep_node(const pair_work *work, int level, int at)
{
  int node = pc_tile_node(&work->pairs->tiles, level, at);
  for (int c = work->pairs->node[node]; c < work->pairs->node[node + 1]; c++)
    sweep_chunk(work, c);
}

// The momentum of the lines of some tiles.
static void push_lines(const pc_pairs *pairs, const pc_sweep *s, int begin, int end)
{
  long last = PC_LINE * (long)pc_tile_begin(&pairs->tiles, end);
  for (long i = PC_LINE * (long)pc_tile_begin(&pairs->tiles, begin); i < last; i++) {
    double x = s->line[i];
    s->line_next[i] = x + s->beta * (x - s->before[i]);
  }
}

// Branches of the tree below level `first`: their tiles, then what joins them.
static void sweep_branches(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  for (int branch = begin; branch < end; branch++) {
    if (work->sweep->before != NULL)
      push_lines(work->pairs, work->sweep, branch << work->first, (branch + 1) << work->first);
    for (int level = 0; level <= work->first; level++)
      for (int i = 0; i < 1 << (work->first - level); i++)
        sweep_node(work, level, (branch << (work->first - level)) + i);
  }
}

static void sweep_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  for (int c = begin; c < end; c++)
    sweep_chunk(work, work->first + c);
}

// Branches by threads, as large as there are enough of them; then what is above, by colours.
void pc_pairs_sweep(const pc_pairs *pairs, const pc_sweep *sweep, double sums[2])
{
  pair_work work = {.pairs = (pc_pairs *)pairs, .sweep = sweep};
  int level = pc_tile_branches(&pairs->tiles, pairs->threads);
  work.first = level;
  pc_parallel(pairs->threads, pairs->tiles.count >> level, 1, sweep_branches, &work);
  for (int c = pairs->node[pc_tile_node(&pairs->tiles, level + 1, 0)]; c < pairs->chunks;) {
    int last = c + 1;
    while (last < pairs->chunks && pairs->chunk[last].run == pairs->chunk[c].run)
      last++;
    work.first = c;
    pc_parallel(pairs->threads, last - c, 8, sweep_chunks, &work);
    c = last;
  }
  sums[0] = sums[1] = 0;
  for (int i = 0; i < 2 * pairs->chunks; i++)
    sums[i % 2] += pairs->partial[i];
}

static void residual_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  const pc_pair_kernels *kernels = pc_pair_kernels_of(pairs->plain);
  for (int c = begin; c < end; c++) {
    const pc_pair_chunk *chunk = &pairs->chunk[c];
    kernels->residual(pairs, &pairs->run[chunk->run], work->from_line, work->from, chunk->begin,
                      chunk->end, pairs->partial + 2 * c);
  }
}

void pc_pairs_normal_map(const pc_pairs *pairs, const double *line, const double *g, double sums[2])
{
  pair_work work = {.pairs = (pc_pairs *)pairs, .from_line = line, .from = g};
  pc_parallel(pairs->threads, pairs->chunks, 32, residual_chunks, &work);
  for (int i = 0; i < 2 * pairs->chunks; i++)
    sums[i % 2] += pairs->partial[i];
}

// r_T -> keep r_T - step (D_T+ + shift), which leaves r_T = -(k/2)(D_T+ + D_T-) as it is.
static void drag_some(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (int part = begin; part < end; part++) {
    int last = (part + 1) * SOME < pairs->contacts ? (part + 1) * SOME : pairs->contacts;
    double *sums = pairs->partial + 2 * part;
    sums[0] = sums[1] = 0;
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
      sums[0] += drag->mass * square;
      sums[1] += square;
    }
  }
}

void pc_pairs_viscous_map(const pc_pairs *pairs, const double *line, double sums[2])
{
  pair_work work = {.pairs = (pc_pairs *)pairs, .from_line = line};
  int parts = (pairs->contacts + SOME - 1) / SOME;
  if (pairs->drag == NULL)
    return;
  pc_parallel(pairs->threads, pairs->lines - 1, 300, body_velocities, &work);
  pc_parallel(pairs->threads, parts, 4, drag_some, &work);
  for (int i = 0; i < 2 * parts; i++)
    sums[i % 2] += pairs->partial[i];
}

double pc_pairs_residual(const pc_pairs *pairs, const double sums[2])
{
  double by_energy = pairs->scale > 0 ? sqrt(sums[0]) / pairs->scale : 0;
  double by_speed = pairs->speed > 0 ? sqrt(sums[1]) / pairs->speed : 0;
  return by_energy > by_speed || isnan(by_energy) ? by_energy : by_speed;
}

void pc_pairs_drag(const pc_pairs *pairs, double *line, double *lines_before)
{
  for (int i = 0; i < 3 * pairs->contacts; i++)
    pairs->t[i] += pairs->change[i];
  push_tangential(pairs, pairs->change, line, lines_before);
}

static void scatter_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_fold *fold = &work->pairs->fold;
  for (long b = begin; b < end; b++) {
    const pc_body_data *body = &fold->problem->body[fold->islands->body[fold->island->body + b]];
    double line[PC_LINE];
    pc_fold_velocity(fold, b, work->from_line + PC_LINE * (b + 1), line);
    pc_line_to_body(body, line, work->answer->after + body->start);
  }
}

static void scatter_contacts(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pair_work *work = context;
  const pc_pairs *pairs = work->pairs;
  for (int k = begin; k < end; k++) {
    const pc_interaction_data *data = contact_of(pairs, k);
    double *force = work->answer->force + data->row;
    for (int i = 0; i < data->rows; i++)
      force[i] = -(data->normal[i] * work->from[pairs->place[k]] +
                   (pairs->drag != NULL ? pairs->t[3 * k + i] : 0));
  }
}

void pc_pairs_scatter(const pc_pairs *pairs, pc_impact *problem, const double *line,
                      const double *g)
{
  pair_work work = {.pairs = (pc_pairs *)pairs, .answer = problem, .from_line = line, .from = g};
  pc_parallel(pairs->threads, pairs->lines - 1, 500, scatter_bodies, &work);
  pc_parallel(pairs->threads, pairs->contacts, 1000, scatter_contacts, &work);
  pc_fold_answer(&pairs->fold, problem, pairs->threads);
}
