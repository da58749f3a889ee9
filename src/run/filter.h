// A low-pass filter of a signal that comes value by value.
#ifndef PERCUSS_RUN_FILTER_H
#define PERCUSS_RUN_FILTER_H

// Butterworth's of second order, causal, by the bilinear transform with the cut-off in its place:
// there the amplitude is 1/sqrt 2. It starts from a signal that was zero.
typedef struct pc_butterworth {
  double b0, b1, b2, a1, a2;
} pc_butterworth;

// The cut-off (Hz) must be below half of the sampling frequency, 1 / (2 step).
pc_butterworth pc_butterworth_design(double cutoff, double step);
// The filtered value; `memory` are two numbers, zero at the start.
double pc_butterworth_next(const pc_butterworth *filter, double memory[2], double value);

#endif
