#include "crowd/cells.h"

#include <math.h>
#include <string.h>

void pc_cells_free(pc_cells *cells)
{
  pc_array_free(&cells->start);
  pc_array_free(&cells->point);
}

static int cell_of(const pc_cells *cells, const double p[2])
{
  return pc_cells_along(cells, p[1], 1) * cells->columns + pc_cells_along(cells, p[0], 0);
}

bool pc_cells_sort(pc_cells *cells, int count, const double (*place)[2], const unsigned char *there,
                   double size)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  int points = 0;
  for (int i = 0; i < count; i++) {
    if (there != NULL && !there[i])
      continue;
    points++;
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], place[i][k]);
      high[k] = fmax(high[k], place[i][k]);
    }
  }
  if (points == 0)
    low[0] = low[1] = high[0] = high[1] = 0;
  double area = (high[0] - low[0]) * (high[1] - low[1]);
  double longest = fmax(high[0] - low[0], high[1] - low[1]);
  size = fmax(size, sqrt(area / (8.0 * points + 64)));
  size = fmax(size, longest / (8.0 * points + 64));
  if (!(size > 0))
    size = 1; // all in one place
  memcpy(cells->low, low, sizeof low);
  cells->size = size;
  cells->per = 1 / size;
  cells->columns = (int)((high[0] - low[0]) / size) + 1;
  cells->rows = (int)((high[1] - low[1]) / size) + 1;
  int all = cells->columns * cells->rows;
  if (!pc_array_reserve(&cells->start, all + 1) || !pc_array_reserve(&cells->point, points + 1))
    return false;
  int *start = cells->start.at;
  memset(start, 0, ((size_t)all + 1) * sizeof *start);
  for (int i = 0; i < count; i++)
    if (there == NULL || there[i])
      start[cell_of(cells, place[i])]++;
  for (int i = 1; i <= all; i++)
    start[i] += start[i - 1];
  for (int i = count - 1; i >= 0; i--) // ends become starts, points stay in their order
    if (there == NULL || there[i])
      cells->point.at[--start[cell_of(cells, place[i])]] = i;
  return true;
}
