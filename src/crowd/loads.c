// The load on a person: what presses them from one side, as a mean over a time. The impulse of one
// step divided by the step is no load: two people who run into each other exchange the same impulse
// in a step of any length. What people bear is a force that lasts.
//
// A contact on each side with the force F is a load of F, as is a wall that somebody leans against
// with F. So it is the largest sum, over all directions, of the forces that press that way. Sixteen
// directions are looked at: the largest sum of all directions is at most 2 % above theirs.
#include <math.h>
#include <string.h>

#include "crowd/crowd.h"

// Cosine and sine of multiples of 22.5 degrees.
#define C1 0.92387953251128674
#define C2 0.70710678118654752
#define C3 0.38268343236508977
_Static_assert(PC_LOAD_WAYS == 16, "a table of 16 directions");
static const double way[PC_LOAD_WAYS / 2][2] = {{1, 0}, {C1, C3},  {C2, C2},  {C3, C1},
                                                {0, 1}, {-C3, C1}, {-C2, C2}, {-C1, C3}};

void pc_pressing_add(pc_pressing *pressing, double x, double y)
{
  for (int k = 0; k < PC_LOAD_WAYS / 2; k++) {
    double along = x * way[k][0] + y * way[k][1];
    pressing->sum[along > 0 ? k : k + PC_LOAD_WAYS / 2] += fabs(along);
  }
}

void pc_pressing_end(pc_pressing *pressing, double span)
{
  double most = 0;
  for (int k = 0; k < PC_LOAD_WAYS; k++)
    most = fmax(most, pressing->sum[k]);
  pressing->last = most / span;
  pressing->largest = fmax(pressing->largest, pressing->last);
  memset(pressing->sum, 0, sizeof pressing->sum);
}

double pc_crowd_load_window(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->def.load_window;
}
