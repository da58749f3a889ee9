#include "run/peaks.h"

#include <math.h>
#include <string.h>

#include "core/saved.h"

enum { MOST_KEPT = 1000, PARTS = sizeof(pc_peak) / sizeof(double) };

bool pc_peaks_begin(pc_peaks *peaks, pc_arena *arena, int count, double h)
{
  *peaks = (pc_peaks){.count = count, .h = h, .every = 1};
  if (count == 0)
    return true;
  double steps = PC_PEAK_WINDOW / h; // a step may be far too short for an integer
  if (steps > MOST_KEPT)
    peaks->every = (long)fmin(ceil(steps / MOST_KEPT), PC_SAVED_MOST);
  peaks->room = (int)fmin(steps / (double)peaks->every, MOST_KEPT) + 2;
  size_t numbers = 1 + (size_t)count * (PARTS + 3 * (size_t)peaks->room);
  peaks->steps = pc_arena_take(arena, numbers, sizeof *peaks->steps);
  if (peaks->steps == NULL)
    return false;
  peaks->peak = (pc_peak *)(peaks->steps + 1);
  peaks->kept = (double(*)[3])(peaks->steps + 1 + (size_t)count * PARTS);
  peaks->bytes = numbers * sizeof *peaks->steps;
  return true;
}

void pc_peaks_step(pc_peaks *peaks)
{
  if (peaks->count > 0)
    ++*peaks->steps;
}

// The integral up to the time when number `index` was kept. Before the start there was nothing.
static const double *kept_at(const pc_peaks *peaks, int sensor, long index)
{
  static const double none[3];
  return index <= 0 ? none : peaks->kept[sensor * peaks->room + index % peaks->room];
}

// Between two kept integrals the value is taken as constant, so windows need not be whole steps.
static double mean_size(const pc_peaks *peaks, int sensor, long index)
{
  double windows = PC_PEAK_WINDOW / (peaks->h * (double)peaks->every);
  long whole = (long)fmin(windows, peaks->room - 2);
  double part = fmin(windows - (double)whole, 1), square = 0;
  const double *late = kept_at(peaks, sensor, index - whole);
  const double *early = kept_at(peaks, sensor, index - whole - 1);
  for (int i = 0; i < 3; i++) {
    double before = late[i] + part * (early[i] - late[i]);
    double mean = (peaks->peak[sensor].sum[i] - before) / PC_PEAK_WINDOW;
    square += mean * mean;
  }
  return sqrt(square);
}

void pc_peaks_add(pc_peaks *peaks, int sensor, const double *value, int width)
{
  pc_peak *peak = &peaks->peak[sensor];
  double square = 0;
  long steps = (long)*peaks->steps, index = steps / peaks->every;
  for (int i = 0; i < width; i++) {
    peak->sum[i] += value[i] * peaks->h;
    square += value[i] * value[i];
  }
  peak->step = fmax(peak->step, sqrt(square));
  if (steps % peaks->every != 0)
    return;
  memcpy(peaks->kept[sensor * peaks->room + index % peaks->room], peak->sum, sizeof peak->sum);
  peak->mean = fmax(peak->mean, mean_size(peaks, sensor, index));
}

bool pc_peaks_are_sound(const pc_peaks *peaks, const void *data, size_t size)
{
  static const pc_saved_field steps = {PC_SAVED_DOUBLE, 0, 1, 0, PC_SAVED_MOST};
  return size == peaks->bytes &&
         (size == 0 ||
          (pc_saved_is_sound(data, 1, sizeof(double), &steps, 1) &&
           pc_saved_is_sound(data, size / sizeof(double), sizeof(double), &pc_saved_finite, 1)));
}
