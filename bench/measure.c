#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double read_clock(clockid_t clock)
{
  struct timespec now;
  if (clock_gettime(clock, &now) != 0)
    return NAN;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_seconds(void)
{
  return read_clock(CLOCK_MONOTONIC);
}

double bench_processor_seconds(void)
{
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static int compare_numbers(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(int count, double *values)
{
  qsort(values, (size_t)count, sizeof *values, compare_numbers);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

int bench_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

double bench_memory(void)
{
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL)
    return NAN;
  if (fscanf(file, "%ld %ld", &all, &pages) != 2)
    pages = 0;
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

double bench_peak_memory(void)
{
  char line[128];
  double kilobytes = NAN;
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "VmHWM:", 6) == 0)
      kilobytes = strtod(line + 6, NULL);
  if (file != NULL)
    fclose(file);
  return 1024 * kilobytes;
}
