// Broad phase: which boxes overlap.
#ifndef PERCUSS_GEOMETRY_BROAD_H
#define PERCUSS_GEOMETRY_BROAD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/array.h"
#include "percuss/status.h"

typedef struct pc_broad pc_broad;

pc_broad *pc_broad_create(void); // NULL when memory is out
void pc_broad_destroy(pc_broad *broad);

// Values of `fixed`: the box moves, is fixed, or is ignored.
enum { PC_BOX_MOVES, PC_BOX_FIXED, PC_BOX_ABSENT };

typedef struct pc_boxes {
  int count;
  const double (*box)[6];     // low x, y, z, high x, y, z; bounds may be infinite
  const unsigned char *fixed; // PC_BOX_...; NULL: all move
  const uint32_t *group;      // boxes of one group other than 0 are no pair; NULL: all are of 0
  long most;                  // pairs that are stored; 0: as many as an int counts
} pc_boxes;

// Finds all pairs i < j whose boxes overlap or touch, except those with fixed[i] and fixed[j] and
// those of one group. They are sorted by i, then j, for any number of threads. The array is valid
// until the next call. PC_OK, PC_ERROR_MEMORY, or PC_ERROR_ARGUMENT if there are more than `most`.
pc_status pc_broad_pairs(pc_broad *broad, int threads, const pc_boxes *boxes,
                         const int (**pairs)[2], int *pair_count);
// Number of pairs of boxes that the last pc_broad_pairs tested.
long pc_broad_tests(const pc_broad *broad);

// Gives the boxes that may overlap this one, of this group, by their numbers in the last
// pc_broad_pairs and as they were then, in no order; boxes of the same group, if that is not 0, may
// be left out. False if they were too few to be sorted, or memory is out.
typedef PC_ARRAY(int) pc_box_list;
bool pc_broad_around(const pc_broad *broad, const double box[6], uint32_t group,
                     pc_box_list *found);

// Whether two boxes overlap or touch.
static inline bool pc_boxes_overlap(const double a[6], const double b[6])
{
  return (a[0] <= b[3]) & (b[0] <= a[3]) & (a[1] <= b[4]) & (b[1] <= a[4]) & (a[2] <= b[5]) &
         (b[2] <= a[5]);
}

#endif
