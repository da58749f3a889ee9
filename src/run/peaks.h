// The largest size of a sensor's value in one step, and of its mean over a window of time. The
// force of an impact in one step is its impulse divided by the step, so it depends on the step; a
// mean over a fixed time does not.
#ifndef PERCUSS_RUN_PEAKS_H
#define PERCUSS_RUN_PEAKS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/memory.h"

typedef struct pc_peak {
  double sum[3];     // integral over time since the start
  double step, mean; // the largest so far
} pc_peak;

// The integrals of a sensor that are kept.
typedef struct pc_peak_window {
  double window; // s
  long every;    // steps between two of them
  int room;      // how many
  double (*kept)[3];
} pc_peak_window;

typedef struct pc_peaks {
  int count;
  double h;
  pc_peak_window *window;
  double *steps;
  pc_peak *peak;
  size_t bytes; // of the state, which begins at `steps`
} pc_peaks;

// For `count` sensors with these windows and steps of length h. False when memory is out.
bool pc_peaks_begin(pc_peaks *peaks, pc_arena *arena, int count, const double *windows, double h);
void pc_peaks_step(pc_peaks *peaks); // before the values of every step
void pc_peaks_add(pc_peaks *peaks, int sensor, const double *value, int width);
// The mean over the last window, with 0 before the start.
void pc_peaks_moving_mean(const pc_peaks *peaks, int sensor, double mean[3]);
// The smallest and the largest value of a step in the last window, along an axis or, with NULL, the
// size. Means over some steps if the window has very many.
void pc_peaks_last_range(const pc_peaks *peaks, int sensor, const double *axis, double range[2]);
// The part of a checkpoint: `bytes` from `steps` on. Whether bytes can be one.
bool pc_peaks_are_sound(const pc_peaks *peaks, const void *data, size_t size);

#endif
