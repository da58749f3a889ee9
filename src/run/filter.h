// A low-pass filter for a signal that arrives value by value.
#ifndef PERCUSS_RUN_FILTER_H
#define PERCUSS_RUN_FILTER_H

// A causal Butterworth filter of second order, by the bilinear transform with a prewarped cut-off:
// there the amplitude is 1/sqrt 2. The signal is zero before the start.
typedef struct pc_butterworth {
  double b0, b1, b2, a1, a2;
} pc_butterworth;

// The cut-off (Hz) must be below half of the sampling frequency, 1 / (2 step).
pc_butterworth pc_butterworth_design(double cutoff, double step);
// Returns the filtered value; `memory` is two numbers, zero at the start.
double pc_butterworth_next(const pc_butterworth *filter, double memory[2], double value);

#endif
