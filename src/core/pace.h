// The present speed of work whose parts cost more and more, or less and less: a mean over the last
// PC_PACE_SECONDS or so, in which older times count less.
#ifndef PERCUSS_CORE_PACE_H
#define PERCUSS_CORE_PACE_H

#include <stdbool.h>

enum { PC_PACE_SECONDS = 20 };

// All zero at the start.
typedef struct pc_pace {
  bool begun;
  double work, seconds; // what counts of the work so far, and of the time
  double done, time;    // at the last look that saw anything done
} pc_pace;

// At this time, in s, so much is done. The first look is the beginning.
void pc_pace_look(pc_pace *pace, double time, double done);
double pc_pace_speed(const pc_pace *pace); // work per second; 0: not known yet

#endif
