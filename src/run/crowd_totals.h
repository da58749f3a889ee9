// What the record of a crowd says over its whole run: maps, levels of service, who was where.
#ifndef PERCUSS_RUN_CROWD_TOTALS_H
#define PERCUSS_RUN_CROWD_TOTALS_H

#include "crowd/maps.h"
#include "percuss/run.h"
#include "run/recorded_crowd.h"

enum { PC_TOTAL_FRAMES = 6 };

// The times at which somebody was on a floor or in an area, and how many.
typedef struct pc_place_total {
  int start, most;         // people in the first frame; the most of any frame
  double most_time, empty; // of that frame; of the first frame after which nobody was there
  double *count;           // per frame
} pc_place_total;

typedef struct pc_crowd_totals {
  pc_arena memory;
  // Per cell of the maps.
  double *density_largest, *around_largest, *pressure_largest;
  double level_time[PC_LEVELS]; // person-seconds
  pc_crowd_peak densest, pressed;
  double load, load_window; // N: the largest on a person; s. NAN: not recorded
  int frames;               // maps at some times, evenly over the time that most people need
  double frame_time[PC_TOTAL_FRAMES], *frame[PC_TOTAL_FRAMES]; // density around cells
  // Per floor and per goal.
  long times;
  double *time;
  pc_place_total *floor, *goal;
  // Per person.
  double *entered; // s: first frame in which the person is there; NAN: never
} pc_crowd_totals;

// Free them also after a failure.
pc_status pc_crowd_totals_read(pc_recorded_crowd *crowd, pc_crowd_totals *totals, pc_error *error);
void pc_crowd_totals_free(pc_crowd_totals *totals);

#endif
