#include "run/peaks.h"

#include <math.h>
#include <string.h>

#include "core/saved.h"
#include "core/small.h"

enum { MOST_KEPT = 1000, PARTS = sizeof(pc_peak) / sizeof(double) };

static pc_peak_window plan_window(double window, double h)
{
  pc_peak_window w = {.window = window, .every = 1};
  double steps = window / h; // a step may be far too short for an integer
  if (steps > MOST_KEPT)
    w.every = (long)fmin(ceil(steps / MOST_KEPT), PC_SAVED_MOST);
  w.room = (int)fmin(steps / (double)w.every, MOST_KEPT) + 2;
  return w;
}

bool pc_peaks_begin(pc_peaks *peaks, pc_arena *arena, int count, const double *windows, double h)
{
  *peaks = (pc_peaks){.count = count, .h = h};
  if (count == 0)
    return true;
  peaks->window = pc_arena_take(arena, (size_t)count, sizeof *peaks->window);
  if (peaks->window == NULL)
    return false;
  size_t kept = 1 + (size_t)count * PARTS, numbers = kept;
  for (int k = 0; k < count; k++) {
    peaks->window[k] = plan_window(windows[k], h);
    numbers += 3 * (size_t)peaks->window[k].room;
  }
  peaks->steps = pc_arena_take(arena, numbers, sizeof *peaks->steps);
  if (peaks->steps == NULL)
    return false;
  peaks->peak = (pc_peak *)(peaks->steps + 1);
  for (int k = 0; k < count; k++) {
    peaks->window[k].kept = (double(*)[3])(peaks->steps + kept);
    kept += 3 * (size_t)peaks->window[k].room;
  }
  peaks->bytes = numbers * sizeof *peaks->steps;
  return true;
}

void pc_peaks_step(pc_peaks *peaks)
{
  if (peaks->count > 0)
    ++*peaks->steps;
}

// The integral up to the time when number `index` was kept. Before the start there was nothing.
static const double *kept_at(const pc_peak_window *window, long index)
{
  static const double none[3];
  return index <= 0 ? none : window->kept[index % window->room];
}

// Between two kept integrals the value is taken as constant, so windows need not be whole steps.
static double mean_size(const pc_peaks *peaks, int sensor, long index)
{
  const pc_peak_window *window = &peaks->window[sensor];
  double windows = window->window / (peaks->h * (double)window->every);
  long whole = (long)fmin(windows, window->room - 2);
  double part = fmin(windows - (double)whole, 1), square = 0;
  const double *late = kept_at(window, index - whole);
  const double *early = kept_at(window, index - whole - 1);
  for (int i = 0; i < 3; i++) {
    double before = late[i] + part * (early[i] - late[i]);
    double mean = (peaks->peak[sensor].sum[i] - before) / window->window;
    square += mean * mean;
  }
  return sqrt(square);
}

void pc_peaks_add(pc_peaks *peaks, int sensor, const double *value, int width)
{
  pc_peak *peak = &peaks->peak[sensor];
  const pc_peak_window *window = &peaks->window[sensor];
  double square = 0;
  long steps = (long)*peaks->steps, index = steps / window->every;
  for (int i = 0; i < width; i++) {
    peak->sum[i] += value[i] * peaks->h;
    square += value[i] * value[i];
  }
  peak->step = fmax(peak->step, sqrt(square));
  if (steps % window->every != 0)
    return;
  memcpy(window->kept[index % window->room], peak->sum, sizeof peak->sum);
  peak->mean = fmax(peak->mean, mean_size(peaks, sensor, index));
}

void pc_peaks_moving_mean(const pc_peaks *peaks, int sensor, double mean[3])
{
  const pc_peak_window *window = &peaks->window[sensor];
  double steps = *peaks->steps;
  double from = fmax(0, (steps - window->window / peaks->h) / (double)window->every);
  long last = (long)(steps / (double)window->every);
  long index = (long)fmax(fmin(floor(from), (double)last - 1), (double)(last - window->room + 1));
  double part = fmin(fmax(from - (double)index, 0), 1);
  const double *early = kept_at(window, index), *late = kept_at(window, index + 1);
  for (int i = 0; i < 3; i++) {
    double before = early[i] + part * (late[i] - early[i]);
    mean[i] = (peaks->peak[sensor].sum[i] - before) / window->window;
  }
}

void pc_peaks_last_range(const pc_peaks *peaks, int sensor, const double *axis, double range[2])
{
  const pc_peak_window *window = &peaks->window[sensor];
  double length = peaks->h * (double)window->every;
  long last = (long)(*peaks->steps / (double)window->every);
  long first = (long)fmax(0, (double)(last - window->room + 1));
  range[0] = range[1] = 0;
  for (long index = first + 1; index <= last; index++) {
    const double *begin = kept_at(window, index - 1), *end = kept_at(window, index);
    double force[3];
    for (int i = 0; i < 3; i++)
      force[i] = (end[i] - begin[i]) / length;
    double value = axis != NULL ? pc_dot3(force, axis) : sqrt(pc_dot3(force, force));
    range[0] = index == first + 1 ? value : fmin(range[0], value);
    range[1] = index == first + 1 ? value : fmax(range[1], value);
  }
}

bool pc_peaks_are_sound(const pc_peaks *peaks, const void *data, size_t size)
{
  static const pc_saved_field steps = {PC_SAVED_DOUBLE, 0, 1, 0, PC_SAVED_MOST};
  return size == peaks->bytes &&
         (size == 0 ||
          (pc_saved_is_sound(data, 1, sizeof(double), &steps, 1) &&
           pc_saved_is_sound(data, size / sizeof(double), sizeof(double), &pc_saved_finite, 1)));
}
