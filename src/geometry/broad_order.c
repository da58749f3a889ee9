// Broad phase: sorts the pairs. They are distributed by i, then each row is sorted by j.
#include <stdlib.h>
#include <string.h>

#include "geometry/broad_grid.h"

static int compare_second(const void *a, const void *b)
{
  int x = ((const int *)a)[1], y = ((const int *)b)[1];
  return (x > y) - (x < y);
}

static void sort_rows(void *context, int begin, int end, int worker)
{
  enum { SHORT = 32 };
  pc_broad *broad = context;
  for (int i = begin; i < end; i++) {
    int(*pair)[2] = broad->pairs.at + broad->row.at[i];
    int n = broad->row.at[i + 1] - broad->row.at[i], sorted = 1;
    while (sorted < n && pair[sorted - 1][1] < pair[sorted][1])
      sorted++;
    if (sorted >= n)
      continue;
    if (n > SHORT) {
      qsort(pair, (size_t)n, sizeof *pair, compare_second);
      continue;
    }
    for (int k = sorted; k < n; k++) {
      int j = pair[k][1], at = k;
      for (; at > 0 && pair[at - 1][1] > j; at--)
        pair[at][1] = pair[at - 1][1];
      pair[at][1] = j;
    }
  }
}

// Each dealer distributes the lists of some workers, to places of its own.
enum { DEALERS = 8 };

typedef struct deal {
  pc_broad *broad;
  int workers, dealers;
} deal;

static void count_pairs(void *context, int begin, int end, int worker)
{
  const deal *d = context;
  for (int i = begin; i < end; i++) {
    int *next = d->broad->next.at + (size_t)d->broad->count * (size_t)i;
    memset(next, 0, (size_t)d->broad->count * sizeof *next);
    for (int w = d->workers * i / d->dealers; w < d->workers * (i + 1) / d->dealers; w++)
      for (int p = 0; p < d->broad->found.at[w].count; p++)
        next[d->broad->found.at[w].at[p][0]]++;
  }
}

static void deal_pairs(void *context, int begin, int end, int worker)
{
  const deal *d = context;
  for (int i = begin; i < end; i++) {
    int *next = d->broad->next.at + (size_t)d->broad->count * (size_t)i;
    for (int w = d->workers * i / d->dealers; w < d->workers * (i + 1) / d->dealers; w++)
      for (int p = 0; p < d->broad->found.at[w].count; p++) {
        const int *pair = d->broad->found.at[w].at[p];
        memcpy(d->broad->pairs.at[next[pair[0]]++], pair, sizeof *d->broad->pairs.at);
      }
  }
}

pc_status pc_broad_collect(pc_broad *broad, int most, const int (**pairs)[2], int *pair_count)
{
  int threads = broad->threads;
  int64_t total = 0;
  bool failed = false;
  for (int w = 0; w < threads; w++) {
    total += broad->found.at[w].count;
    failed = failed || broad->found.at[w].failed;
  }
  if (failed || total > most) // a list ends above `most`
    return total > most ? PC_ERROR_ARGUMENT : PC_ERROR_MEMORY;
  deal d = {broad, threads, threads < DEALERS ? threads : DEALERS};
  if (total >= INT32_MAX || broad->count >= (INT32_MAX - 2) / DEALERS ||
      !pc_array_reserve(&broad->pairs, (int)total + 1) ||
      !pc_array_reserve(&broad->row, broad->count + 1) ||
      !pc_array_reserve(&broad->next, broad->count * d.dealers))
    return PC_ERROR_MEMORY;
  int grain = broad->count < PC_BROAD_GRAIN ? d.dealers : 1;
  pc_parallel(threads, d.dealers, grain, count_pairs, &d);
  int at = 0;
  for (int i = 0; i < broad->count; i++) {
    broad->row.at[i] = at;
    for (int k = 0; k < d.dealers; k++) {
      int *next = &broad->next.at[(size_t)broad->count * (size_t)k + (size_t)i], found = *next;
      *next = at;
      at += found;
    }
  }
  broad->row.at[broad->count] = at;
  pc_parallel(threads, d.dealers, grain, deal_pairs, &d);
  pc_parallel(threads, broad->count, PC_BROAD_GRAIN, sort_rows, broad);
  *pairs = (const int(*)[2])broad->pairs.at;
  *pair_count = (int)total;
  return PC_OK;
}
