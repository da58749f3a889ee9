// Simulated time: base + count x step, so that equal steps gather no round-off.
#ifndef PERCUSS_RIGID_CLOCK_H
#define PERCUSS_RIGID_CLOCK_H

typedef struct pc_clock {
  long step, base_count;
  double time, base_time, last_h;
} pc_clock;

static inline void pc_clock_advance(pc_clock *clock, double h)
{
  if (h != clock->last_h) {
    clock->base_time = clock->time;
    clock->base_count = 0;
    clock->last_h = h;
  }
  clock->base_count++;
  clock->step++;
  clock->time = clock->base_time + (double)clock->base_count * h;
}

#endif
