// Divides bodies into tiles, a power of two of them, for packs.h and pairs.h.
//
// Contacts within one tile are swept first, then contacts that join tiles 0 and 1, 2 and 3 and so
// on, then those that join pairs of these: a binary tree. Different branches of the tree share no
// body, so each can be swept by a thread of its own while its lines stay in a near cache. Tiles do
// not depend on the number of threads.
#ifndef PERCUSS_IMPACT_TILES_H
#define PERCUSS_IMPACT_TILES_H

typedef struct pc_tiles {
  int lines;         // bodies + 1; line 0 is in no tile
  int count, levels; // count = 2^(levels - 1)
} pc_tiles;

static inline pc_tiles pc_tiles_of(int lines, int least)
{
  pc_tiles t = {lines, 1, 1};
  while (t.count < least) {
    t.count *= 2;
    t.levels++;
  }
  return t;
}

static inline int pc_tile_of(const pc_tiles *t, int line)
{
  return (int)((long long)(line - 1) * t->count / (t->lines - 1));
}

// The first line of a tile.
static inline int pc_tile_begin(const pc_tiles *t, int tile)
{
  return (int)(((long long)tile * (t->lines - 1) + t->count - 1) / t->count) + 1;
}

// The number of a node of the tree, counted level by level from the tiles up. (levels, 0) gives the
// number of nodes.
static inline int pc_tile_node(const pc_tiles *t, int level, int at)
{
  return 2 * t->count - (2 * t->count >> level) + at;
}

// The node that joins two lines, and its level. One line may be 0.
static inline int pc_tile_join(const pc_tiles *t, int a, int b, int *level)
{
  int one = pc_tile_of(t, a ? a : b), other = pc_tile_of(t, b ? b : a);
  for (*level = 0; one != other; ++*level) {
    one >>= 1;
    other >>= 1;
  }
  return pc_tile_node(t, *level, one);
}

// The level whose branches are distributed over the threads.
static inline int pc_tile_branches(const pc_tiles *t, int threads)
{
  int level = t->levels - 1;
  while (level > 0 && t->count >> level < threads)
    level--;
  return level;
}

#endif
