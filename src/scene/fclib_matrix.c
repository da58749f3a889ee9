// Matrices of FCLIB files: sorted, completed, judged, cut into pieces and blocks.
#include "scene/fclib_matrix.h"

#include <math.h>
#include <stdlib.h>

#include "percuss/impact.h"

static int compare_entries(const void *a, const void *b)
{
  const pc_fclib_entry *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

void pc_fclib_sort(pc_fclib_matrix *m)
{
  qsort(m->entries, (size_t)m->count, sizeof *m->entries, compare_entries);
  long count = 0;
  for (long k = 0; k < m->count; k++)
    if (count > 0 && compare_entries(&m->entries[count - 1], &m->entries[k]) == 0)
      m->entries[count - 1].value += m->entries[k].value;
    else
      m->entries[count++] = m->entries[k];
  m->count = count;
}

void pc_fclib_transpose(pc_fclib_matrix *m)
{
  *m = (pc_fclib_matrix){m->columns, m->rows, m->count, m->entries};
  for (long k = 0; k < m->count; k++)
    m->entries[k] =
        (pc_fclib_entry){m->entries[k].column, m->entries[k].row, 0, m->entries[k].value};
}

bool pc_fclib_complete_triangle(pc_arena *arena, pc_fclib_matrix *m)
{
  long lower = 0, upper = 0, count = 0;
  for (long k = 0; k < m->count; k++) {
    lower += m->entries[k].row > m->entries[k].column;
    upper += m->entries[k].row < m->entries[k].column;
  }
  if ((lower == 0) == (upper == 0))
    return false;
  pc_fclib_entry *both = pc_arena_take(arena, (size_t)(m->count + lower + upper), sizeof *both);
  for (long k = 0; k < m->count && both != NULL; k++) {
    pc_fclib_entry e = m->entries[k];
    both[count++] = e;
    if (e.row != e.column)
      both[count++] = (pc_fclib_entry){e.column, e.row, 0, e.value};
  }
  m->entries = both;
  m->count = count;
  return true;
}

bool pc_fclib_is_symmetric(pc_arena *arena, const pc_fclib_matrix *m)
{
  static const double round_off = 1e-13;
  double *root = pc_arena_take(arena, (size_t)m->rows + 1, sizeof *root);
  for (long k = 0; k < m->count && root != NULL; k++)
    if (m->entries[k].row == m->entries[k].column)
      root[m->entries[k].row] = sqrt(fabs(m->entries[k].value));
  for (long k = 0; k < m->count && root != NULL; k++) {
    pc_fclib_entry e = m->entries[k], mirror = {.row = e.column, .column = e.row};
    const pc_fclib_entry *other =
        bsearch(&mirror, m->entries, (size_t)m->count, sizeof *m->entries, compare_entries);
    double difference = fabs(e.value - (other != NULL ? other->value : 0));
    if (difference > round_off * root[e.row] * root[e.column])
      return false;
  }
  return true;
}

pc_fclib_partition pc_fclib_partition_allocate(pc_arena *arena, int n)
{
  size_t room = (size_t)n + 1;
  return (pc_fclib_partition){.group = pc_arena_take(arena, room, sizeof(int)),
                              .place = pc_arena_take(arena, room, sizeof(int)),
                              .size = pc_arena_take(arena, room, sizeof(int))};
}

pc_fclib_partition pc_fclib_cut_consecutive(pc_arena *arena, int n, int size, int several)
{
  pc_fclib_partition p = pc_fclib_partition_allocate(arena, n);
  for (int i = 0, last = -1; i < n && !arena->failed; i++) {
    bool wide = i / size < several;
    if (!wide || i % size == 0)
      last++;
    p.group[i] = last;
    p.place[i] = wide ? i % size : 0;
    p.size[last] = p.place[i] + 1;
    p.groups = last + 1;
  }
  return p;
}

static bool is_block_diagonal(const pc_fclib_matrix *m, int size)
{
  for (long k = 0; k < m->count; k++)
    if (m->entries[k].row / size != m->entries[k].column / size)
      return false;
  return m->rows % size == 0;
}

static int root_of(int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

pc_fclib_partition pc_fclib_cut_pieces(pc_arena *arena, const pc_fclib_matrix *m)
{
  pc_fclib_partition p = pc_fclib_partition_allocate(arena, m->rows);
  int *parent = pc_arena_take(arena, (size_t)m->rows, sizeof *parent);
  int *number = pc_arena_take(arena, (size_t)m->rows, sizeof *number);
  if (arena->failed)
    return p;
  for (int i = 0; i < m->rows; i++) {
    parent[i] = i;
    number[i] = -1;
  }
  for (long k = 0; k < m->count; k++)
    parent[root_of(parent, m->entries[k].row)] = root_of(parent, m->entries[k].column);
  for (int i = 0; i < m->rows; i++) {
    int root = root_of(parent, i);
    if (number[root] < 0)
      number[root] = p.groups++;
    p.group[i] = number[root];
    p.place[i] = p.size[number[root]]++;
  }
  return p;
}

pc_fclib_partition pc_fclib_cut_bodies(pc_arena *arena, const pc_fclib_matrix *mass, int space)
{
  int likely = space == 3 ? 6 : 3, groups = mass->rows; // as many as there can be
  if (is_block_diagonal(mass, likely))
    return pc_fclib_cut_consecutive(arena, mass->rows, likely, groups);
  if (is_block_diagonal(mass, 9 - likely))
    return pc_fclib_cut_consecutive(arena, mass->rows, 9 - likely, groups);
  pc_fclib_partition pieces = pc_fclib_cut_pieces(arena, mass);
  int largest = 0;
  for (int g = 0; g < pieces.groups && !arena->failed; g++)
    largest = pieces.size[g] > largest ? pieces.size[g] : largest;
  if (largest <= PC_MAX_DOF)
    return pieces;
  return pc_fclib_cut_consecutive(arena, mass->rows, mass->rows % 3 == 0 ? 3 : 6, groups);
}

pc_fclib_block *pc_fclib_cut_blocks(pc_arena *arena, const pc_fclib_matrix *m,
                                    const pc_fclib_partition *rows,
                                    const pc_fclib_partition *columns, long *count)
{
  *count = 0;
  pc_fclib_entry *placed = pc_arena_take(arena, (size_t)m->count + 1, sizeof *placed);
  if (arena->failed)
    return NULL;
  for (long k = 0; k < m->count; k++) {
    pc_fclib_entry e = m->entries[k];
    int i = rows->group[e.row], j = columns->group[e.column];
    int at = rows->place[e.row] * columns->size[j] + columns->place[e.column];
    placed[k] = (pc_fclib_entry){i, j, at, e.value};
  }
  qsort(placed, (size_t)m->count, sizeof *placed, compare_entries);
  long blocks = 0;
  for (long k = 0; k < m->count; k++)
    blocks += k == 0 || compare_entries(&placed[k - 1], &placed[k]) != 0;
  pc_fclib_block *list = pc_arena_take(arena, (size_t)blocks + 1, sizeof *list);
  for (long k = 0; k < m->count && list != NULL; k++) {
    if (k == 0 || compare_entries(&placed[k - 1], &placed[k]) != 0)
      list[(*count)++] = (pc_fclib_block){.i = placed[k].row, .j = placed[k].column};
    list[*count - 1].value[placed[k].at] += placed[k].value;
  }
  return list;
}
