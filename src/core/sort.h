// Orders for qsort.
#ifndef PERCUSS_CORE_SORT_H
#define PERCUSS_CORE_SORT_H

static inline int pc_compare_ints(const void *a, const void *b)
{
  int one = *(const int *)a, two = *(const int *)b;
  return (one > two) - (one < two);
}

static inline int pc_compare_doubles(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

// Points with their numbers, by x, y and z; of equal ones by number.
typedef struct pc_numbered_point {
  double at[3];
  int index;
} pc_numbered_point;

static inline int pc_compare_points(const void *a, const void *b)
{
  const pc_numbered_point *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p->at[k] != q->at[k])
      return p->at[k] < q->at[k] ? -1 : 1;
  return (p->index > q->index) - (p->index < q->index);
}

#endif
