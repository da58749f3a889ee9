// Pairs of bodies that may touch. They are found among boxes with room for several steps, and kept
// while every box stays inside its own wide box.
#ifndef PERCUSS_RIGID_PAIRS_H
#define PERCUSS_RIGID_PAIRS_H

#include "core/threads.h"
#include "geometry/broad.h"
#include "rigid/bodies.h"
#include "rigid/outlines.h"

typedef int pc_body_pair[2];

typedef struct pc_body_pairs {
  pc_broad *broad;
  PC_ARRAY(pc_bounds) box;       // the wide boxes
  PC_ARRAY(unsigned char) fixed; // PC_BOX_... at the time of the search
  PC_ARRAY(uint32_t) group;      // of the bodies, then
  const pc_body_pair *list;      // in order: of the search, or `own`
  int count;                     // of the list
  int bodies;                    // for which it was made
  int found; // pairs of the last search: all of the list, or none where nothing moves
  double ahead, typical_reach; // how much wider boxes are
  bool mostly_balls;
  pc_box_list left[PC_MOST_THREADS]; // per worker: bodies that have left their wide box
  bool left_more[PC_MOST_THREADS];   // and others for which there was no memory
  PC_ARRAY(int) stray;               // bodies with a new wide box since the search
  PC_ARRAY(pc_body_pair) own;        // the pairs with those of strays
  PC_ARRAY(pc_body_pair) more;       // pairs of strays, scratch
  pc_box_list around;
  long tests; // pairs of boxes looked at in the last search
} pc_body_pairs;

void pc_body_pairs_free(pc_body_pairs *pairs);

// Before outlines are made: nothing has left its wide box.
void pc_body_pairs_open(pc_body_pairs *pairs);
void pc_body_pairs_note_left(pc_body_pairs *pairs, int body, int worker);

static inline bool pc_box_holds_ball(const double box[6], const pc_place *at)
{
  typedef int64_t masks __attribute__((vector_size(16)));
  const double *p = at->position;
  double r = at->within;
  masks in = ((pc_two){box[0], box[1]} <= (pc_two){p[0], p[1]} - r) &
             ((pc_two){p[0], p[1]} + r <= (pc_two){box[3], box[4]}) &
             ((pc_two){box[2], p[2] + r} <= (pc_two){p[2] - r, box[5]});
  return in[0] & in[1] & 1;
}

// Pairs that a world of so many bodies may have: far more than bodies have that part each other.
// They take 16 bytes each.
static inline long pc_body_pairs_most(int bodies)
{
  return (1L << 24) + 256L * bodies;
}

// Finds the pairs, among which are all that may collide and whose boxes overlap. `part` is the part
// of a step's way that outlines reach; with `with_sleeping` sleeping bodies count as others do.
// PC_OK, PC_ERROR_MEMORY, or PC_ERROR_ARGUMENT if there are more than pc_body_pairs_most.
pc_status pc_body_pairs_find(pc_body_pairs *pairs, const pc_body_store *bodies,
                             pc_outlines *outlines, double part, bool with_sleeping, int threads);

// Lists of pairs, and of things that begin with their two bodies, are in this order.
static inline bool pc_pair_is_before(const int one[2], const int two[2])
{
  return one[0] < two[0] || (one[0] == two[0] && one[1] < two[1]);
}

// The first entry of such a list that is not before a pair.
static inline int pc_pair_find(const void *list, size_t size, int count, const int pair[2])
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pc_pair_is_before((const int *)((const char *)list + size * (size_t)middle), pair))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif
