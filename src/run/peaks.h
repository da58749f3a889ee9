// The largest size of a sensor's value in one step, and of its mean over 20 ms. The force of an
// impact in one step is its impulse divided by the step, so it depends on the step; a mean over a
// fixed time does not.
#ifndef PERCUSS_RUN_PEAKS_H
#define PERCUSS_RUN_PEAKS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/memory.h"

#define PC_PEAK_WINDOW 0.02 // s

typedef struct pc_peak {
  double sum[3];     // integral over time since the start
  double step, mean; // the largest so far
} pc_peak;

typedef struct pc_peaks {
  int count;
  double h;
  long every; // steps between two integrals that are kept
  int room;   // kept integrals of a sensor
  double *steps;
  pc_peak *peak;
  double (*kept)[3]; // [count * room]
  size_t bytes;      // of the state, which begins at `steps`
} pc_peaks;

// For `count` sensors and steps of length h. False when memory is out.
bool pc_peaks_begin(pc_peaks *peaks, pc_arena *arena, int count, double h);
void pc_peaks_step(pc_peaks *peaks); // before the values of every step
void pc_peaks_add(pc_peaks *peaks, int sensor, const double *value, int width);
// The part of a checkpoint: `bytes` from `steps` on. Whether bytes can be one.
bool pc_peaks_are_sound(const pc_peaks *peaks, const void *data, size_t size);

#endif
