// The memory of this process.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench.h"

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

double bench_most_memory(void)
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
