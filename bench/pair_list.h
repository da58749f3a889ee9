// A growing list of pairs of numbers, the smaller one first.
#ifndef PERCUSS_BENCH_PAIR_LIST_H
#define PERCUSS_BENCH_PAIR_LIST_H

#include <stdbool.h>

typedef struct pair_list {
  int (*at)[2];
  int count, room;
} pair_list;

bool pair_list_add(pair_list *list, int a, int b); // false: out of memory
void pair_list_sort(pair_list *list);
void pair_list_free(pair_list *list);

#endif
