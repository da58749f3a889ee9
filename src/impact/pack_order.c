// Chooses the place of each contact of an island: tiles, colours and stacks.
//
// Contacts are coloured greedily in their order: each gets the first colour that neither of its
// bodies has yet. Contacts within a tile are coloured independently of those in other tiles and of
// those that join tiles, so the colours are the same for any number of threads.
#include <stdlib.h>
#include <string.h>

#include "core/threads.h"
#include "impact/packs.h"

enum { MOST_COLOURS = 64, MOST_TILES = 1024, TILE_CONTACTS = 1250, MASKS = 3, BRANCHES = 8 };
enum { MOST_BLOCK_TILES = 16, BLOCK_TILE_CONTACTS = 1000 };
enum { PLACE_GRAIN = 1000 };
const size_t pc_near_numbers = 64 * 1024; // half a megabyte

// Tiles are small enough for a near cache, and large islands have several for each thread. Blocks
// have few: each cut makes pairs that join tiles, and packs that are not full.
static int least_tiles(const pc_packs *packs, bool central)
{
  if (packs->shape == PC_BLOCKS) {
    int tiles = 1;
    while (tiles < MOST_BLOCK_TILES && tiles * tiles * BLOCK_TILE_CONTACTS <= packs->contacts)
      tiles *= 2;
    return tiles;
  }
  int numbers = packs->stride + (central || packs->shape != PC_ARMS ? 0 : PC_INERTIA), tiles = 1;
  size_t all = (size_t)packs->lines * (size_t)numbers;
  while (tiles < MOST_TILES &&
         (all / (size_t)tiles > pc_near_numbers ||
          (tiles == 1 && packs->contacts >= TILE_CONTACTS) ||
          (tiles < 8 && tiles * tiles * TILE_CONTACTS * 4 <= packs->contacts)))
    tiles *= 2;
  return tiles;
}

// How many contacts from k on have the same two lines, up to `most`.
static int mates_of(const pc_packs *packs, int k, int a, int b, int most)
{
  int count = 1;
  while (count < most && k + count < packs->contacts && pc_pack_line(packs, k + count, 0) == a &&
         pc_pack_line(packs, k + count, 1) == b)
    count++;
  return count;
}

// Groups of contacts: nodes times colours times storeys.
typedef struct group_work {
  pc_packs *packs;
  int storeys, none;        // none: the group of contacts without a colour
  unsigned long long *used; // colours, per line; nodes above the second level share one set
  int *group;               // of a contact; -1 behind the first one of a pair
  int *count;               // pairs of a group, then its first place
  int branches;
  unsigned char *branch;       // of a contact, where several threads look for colours
  unsigned *met;               // branches of a chunk of contacts, in bits
  bool any_none[BRANCHES + 1]; // per branch
} group_work;

// Gives a contact, and the next contacts of the same pair, the first colour that is free on both
// lines, and its rank in its group. Returns the number of these contacts.
static int give_colour(const group_work *work, int k, int node, int level, bool *any_none)
{
  const pc_packs *packs = work->packs;
  int a = pc_pack_line(packs, k, 0), b = pc_pack_line(packs, k, 1);
  unsigned long long *mask = work->used + (level < MASKS ? level : MASKS - 1) * (long)packs->lines;
  unsigned long long taken = (a ? mask[a] : 0) | (b ? mask[b] : 0);
  if (~taken == 0) {
    work->group[k] = work->none;
    *any_none = true;
    return 1;
  }
  int colour = __builtin_ctzll(~taken), mates = mates_of(packs, k, a, b, work->storeys);
  int group = (node * MOST_COLOURS + colour) * work->storeys + mates - 1;
  work->group[k] = group;
  packs->place[k] = work->count[group]++;
  for (int j = 1; j < mates; j++)
    work->group[k + j] = -1;
  if (a)
    mask[a] |= 1ull << colour;
  if (b)
    mask[b] |= 1ull << colour;
  return mates;
}

static int node_of(const pc_packs *packs, int k, int *level)
{
  return pc_tile_join(&packs->tiles, pc_pack_line(packs, k, 0), pc_pack_line(packs, k, 1), level);
}

// Contacts within a tile belong to a branch of the tree, all others to the last one. Branches are
// coloured independently.
static void find_branches(void *context, int begin, int end, int worker)
{
  (void)worker;
  const group_work *work = context;
  const pc_packs *packs = work->packs;
  for (int chunk = begin; chunk < end; chunk++) {
    unsigned met = 0;
    for (int k = chunk * PC_CONTACT_CHUNK; k < pc_contact_chunk_end(packs, chunk); k++) {
      int level, node = node_of(packs, k, &level);
      int branch = level > 0 ? work->branches : node * work->branches / packs->tiles.count;
      work->branch[k] = (unsigned char)branch;
      work->group[k] = node * MASKS + (level < MASKS ? level : MASKS - 1);
      met |= 1u << branch;
    }
    work->met[chunk] = met;
  }
}

static void colour_branches(void *context, int begin, int end, int worker)
{
  (void)worker;
  group_work *work = context;
  const pc_packs *packs = work->packs;
  for (int branch = begin; branch < end; branch++) {
    bool any_none = false;
    for (int chunk = 0, k = 0; chunk < pc_contact_chunks(packs); chunk++) {
      if (!(work->met[chunk] >> branch & 1))
        continue;
      k = k > chunk * PC_CONTACT_CHUNK ? k : chunk * PC_CONTACT_CHUNK;
      while (k < pc_contact_chunk_end(packs, chunk)) {
        if (work->branch[k] != branch) {
          k++;
          continue;
        }
        int node = work->group[k];
        k += give_colour(work, k, node / MASKS, node % MASKS, &any_none);
      }
    }
    work->any_none[branch] = any_none;
  }
}

// Colours node by node. Contacts that find no colour are placed one by one after all others.
static void find_groups(group_work *work)
{
  const pc_packs *packs = work->packs;
  bool any_none = false;
  if (packs->threads > 1 && packs->tiles.count > 1) {
    pc_parallel(packs->threads, pc_contact_chunks(packs), 1, find_branches, work);
    pc_parallel(packs->threads, work->branches + 1, 1, colour_branches, work);
    for (int i = 0; i <= work->branches; i++)
      any_none = any_none || work->any_none[i];
  } else {
    for (int k = 0; k < packs->contacts;) {
      int level, node = node_of(packs, k, &level);
      k += give_colour(work, k, node, level, &any_none);
    }
  }
  for (int k = 0; k < packs->contacts && any_none; k++)
    if (work->group[k] == work->none)
      packs->place[k] = work->count[work->none]++;
}

// Runs, node by node and colour by colour; `count` of each group becomes its first place.
static void find_runs(pc_packs *packs, int storeys, int *count)
{
  int nodes = pc_tile_node(&packs->tiles, packs->tiles.levels, 0), pack = 0, chunk = 0;
  int groups = MOST_COLOURS * storeys;
  for (int node = 0; node < nodes; node++) {
    packs->node[node] = packs->runs;
    for (int g = node * groups; g < (node + 1) * groups; g++) {
      int members = count[g], high = g % storeys + 1;
      int stacks = (members + PC_LANES - 1) / PC_LANES;
      count[g] = pack * PC_LANES;
      if (members == 0)
        continue;
      pc_pack_run *run = &packs->run[packs->runs++];
      *run = (pc_pack_run){pack, pack + high * stacks, chunk, high, PC_LANES * stacks - members};
      pack = run->last;
      chunk += pc_run_chunks(run);
    }
  }
  packs->node[nodes] = packs->runs;
  packs->rest = pack;
  packs->packs = pack + count[nodes * groups];
  count[nodes * groups] = pack * PC_LANES;
}

// Places pairs four by four, with the contacts of a pair in the same lane of the storeys.
static void set_places(void *context, int begin, int end, int worker)
{
  (void)worker;
  const group_work *work = context;
  int *place = work->packs->place;
  for (int k = begin; k < end; k++) {
    int group = work->group[k];
    if (group < 0)
      continue;
    int rank = place[k];
    if (group == work->none) {
      place[k] = work->count[group] + PC_LANES * rank;
      continue;
    }
    int high = group % work->storeys + 1, stack = rank / PC_LANES;
    for (int j = 0; j < high; j++)
      place[k + j] = work->count[group] + PC_LANES * (high * stack + j) + rank % PC_LANES;
  }
}

static bool arrange(pc_packs *packs, bool central, pc_arena *arena)
{
  packs->tiles = pc_tiles_of(packs->lines, least_tiles(packs, central));
  size_t contacts = (size_t)packs->contacts + 1, lines = (size_t)packs->lines;
  int nodes = pc_tile_node(&packs->tiles, packs->tiles.levels, 0);
  bool arms = !central && packs->shape == PC_ARMS;
  bool stacks = packs->shape == PC_BLOCKS || (arms && packs->friction == PC_RUBS && !packs->extra);
  int storeys = stacks ? PC_STOREYS : 1;
  group_work work = {.packs = packs,
                     .storeys = storeys,
                     .none = nodes * MOST_COLOURS * storeys,
                     .branches = packs->tiles.count < BRANCHES ? packs->tiles.count : BRANCHES};
  size_t groups = (size_t)work.none + 1, chunks = (size_t)pc_contact_chunks(packs) + 1;
  size_t masks = (size_t)(packs->tiles.levels < MASKS ? packs->tiles.levels : MASKS);
  packs->place = pc_arena_take_raw(arena, contacts, sizeof(int));
  packs->node = pc_arena_take_raw(arena, (size_t)nodes + 1, sizeof(int));
  packs->run = pc_arena_take_raw(arena, contacts < groups ? contacts : groups, sizeof *packs->run);
  pc_arena_mark mark = pc_arena_mark_here(arena);
  work.used = pc_arena_take(arena, masks * lines, sizeof *work.used);
  work.group = pc_arena_take_raw(arena, contacts, sizeof(int));
  work.count = pc_arena_take(arena, groups, sizeof(int));
  work.branch = pc_arena_take_raw(arena, packs->threads > 1 ? contacts : 1, 1);
  work.met = pc_arena_take_raw(arena, packs->threads > 1 ? chunks : 1, sizeof *work.met);
  if (arena->failed)
    return false;
  find_groups(&work);
  find_runs(packs, storeys, work.count);
  pc_parallel(packs->threads, packs->contacts, PLACE_GRAIN, set_places, &work);
  pc_arena_take_back(arena, mark);
  return true;
}

// An arrangement that is kept while the graph of contacts stays the same. What it depends on comes
// first; runs, nodes and places follow it in one piece of memory.
struct pc_arrangement {
  int lines, contacts, shape, friction;
  bool extra, central;
  pc_tiles tiles;
  int runs, nodes, rest, packs;
  pc_pack_run run[];
};

static bool fits(const pc_arrangement *kept, const pc_packs *packs, bool central)
{
  return kept->lines == packs->lines && kept->contacts == packs->contacts &&
         kept->shape == packs->shape && kept->friction == packs->friction &&
         kept->extra == packs->extra && kept->central == central;
}

static void take_kept(pc_arrangement *kept, pc_packs *packs)
{
  packs->tiles = kept->tiles;
  packs->runs = kept->runs;
  packs->rest = kept->rest;
  packs->packs = kept->packs;
  packs->run = kept->run;
  packs->node = (int *)(kept->run + kept->runs);
  packs->place = packs->node + kept->nodes;
}

// Nothing is kept where there is no memory.
static void keep(const pc_packs *packs, bool central, pc_arrangement **slot)
{
  int nodes = pc_tile_node(&packs->tiles, packs->tiles.levels, 0) + 1;
  size_t runs = sizeof(pc_pack_run) * (size_t)packs->runs, node = sizeof(int) * (size_t)nodes;
  size_t place = sizeof(int) * (size_t)packs->contacts;
  pc_arrangement *to = malloc(sizeof *to + runs + node + place);
  free(*slot);
  *slot = to;
  if (to == NULL)
    return;
  *to = (pc_arrangement){.lines = packs->lines,
                         .contacts = packs->contacts,
                         .shape = packs->shape,
                         .friction = packs->friction,
                         .extra = packs->extra,
                         .central = central,
                         .tiles = packs->tiles,
                         .runs = packs->runs,
                         .nodes = nodes,
                         .rest = packs->rest,
                         .packs = packs->packs};
  memcpy(to->run, packs->run, runs);
  memcpy(to->run + to->runs, packs->node, node);
  memcpy((int *)(to->run + to->runs) + nodes, packs->place, place);
}

bool pc_packs_arrange(pc_packs *packs, bool central, pc_arena *arena)
{
  enum { LEAST = 256 }; // contacts that are worth memory of their own
  pc_arrangement **kept = packs->islands->arranged;
  if (kept == NULL || packs->contacts < LEAST)
    return arrange(packs, central, arena);
  kept += packs->island - packs->islands->island;
  if (*kept != NULL && fits(*kept, packs, central)) {
    take_kept(*kept, packs);
    return true;
  }
  if (!arrange(packs, central, arena))
    return false;
  keep(packs, central, kept);
  return true;
}
