// The box, and the cell of each point, are found on all threads. What remains on one is to count
// the points of each cell and to list them.
#include "crowd/cells.h"

#include <math.h>
#include <string.h>

#include "core/threads.h"

void pc_cells_free(pc_cells *cells)
{
  pc_array_free(&cells->start);
  pc_array_free(&cells->point);
  pc_array_free(&cells->cell);
}

enum { GRAIN = 4096 };

typedef struct box {
  int points;
  double low[2], high[2];
} box;

typedef struct sorting {
  pc_cells *cells;
  const double (*place)[2];
  const unsigned char *there;
  box box[PC_MOST_THREADS]; // of the points of a worker
} sorting;

static inline void add_box(box *to, int points, const double low[2], const double high[2])
{
  to->points += points;
  for (int k = 0; k < 2; k++) {
    to->low[k] = low[k] < to->low[k] ? low[k] : to->low[k];
    to->high[k] = high[k] > to->high[k] ? high[k] : to->high[k];
  }
}

static void find_box(void *context, int begin, int end, int worker)
{
  sorting *job = context;
  box own = job->box[worker];
  for (int i = begin; i < end; i++)
    if (job->there == NULL || job->there[i])
      add_box(&own, 1, job->place[i], job->place[i]);
  job->box[worker] = own;
}

static void find_cells(void *context, int begin, int end, int worker)
{
  const sorting *job = context;
  const pc_cells *cells = job->cells;
  for (int i = begin; i < end; i++) {
    const double *p = job->place[i];
    bool is_there = job->there == NULL || job->there[i];
    cells->cell.at[i] = !is_there ? -1
                                  : pc_cells_along(cells, p[1], 1) * cells->columns +
                                        pc_cells_along(cells, p[0], 0);
  }
}

// Of this size, or of a larger one if there would be far more cells than points.
static void set_cells(pc_cells *cells, const box *all, double size)
{
  double wide = all->points > 0 ? all->high[0] - all->low[0] : 0;
  double deep = all->points > 0 ? all->high[1] - all->low[1] : 0;
  size = fmax(size, sqrt(wide * deep / (8.0 * all->points + 64)));
  size = fmax(size, fmax(wide, deep) / (8.0 * all->points + 64));
  if (!(size > 0))
    size = 1; // all in one place
  for (int k = 0; k < 2; k++)
    cells->low[k] = all->points > 0 ? all->low[k] : 0;
  cells->size = size;
  cells->per = 1 / size;
  cells->columns = (int)(wide / size) + 1;
  cells->rows = (int)(deep / size) + 1;
}

bool pc_cells_sort(pc_cells *cells, int threads, int count, const double (*place)[2],
                   const unsigned char *there, double size)
{
  const box none = {0, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  sorting job = {.cells = cells, .place = place, .there = there};
  for (int w = 0; w < PC_MOST_THREADS; w++)
    job.box[w] = none;
  pc_parallel(threads, count, GRAIN, find_box, &job);
  box all = none;
  for (int w = 0; w < PC_MOST_THREADS; w++)
    add_box(&all, job.box[w].points, job.box[w].low, job.box[w].high);
  set_cells(cells, &all, size);
  int squares = cells->columns * cells->rows;
  if (!pc_array_reserve(&cells->start, squares + 1) ||
      !pc_array_reserve(&cells->point, all.points + 1) ||
      !pc_array_reserve(&cells->cell, count + 1))
    return false;
  pc_parallel(threads, count, GRAIN, find_cells, &job);
  int *start = cells->start.at;
  const int *cell = cells->cell.at;
  memset(start, 0, ((size_t)squares + 1) * sizeof *start);
  for (int i = 0; i < count; i++)
    if (cell[i] >= 0)
      start[cell[i]]++;
  for (int i = 1; i <= squares; i++)
    start[i] += start[i - 1];
  for (int i = count - 1; i >= 0; i--) // ends become starts, points stay in their order
    if (cell[i] >= 0)
      cells->point.at[--start[cell[i]]] = i;
  return true;
}
