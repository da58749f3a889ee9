// Corners of walls that shortest paths touch.
#include "crowd/corners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/sort.h"

static const double PI = 3.14159265358979323846;

static bool same_place(const double a[2], const double b[2])
{
  return fabs(a[0] - b[0]) <= 1e-9 && fabs(a[1] - b[1]) <= 1e-9;
}

// What blocks paths: walls, and additional lines.
typedef struct bars {
  const pc_layout *plan;
  int lines;
  const double (*line)[4];
} bars;

enum { MOST_AT = 64 }; // directions, and so walls, that are looked at in one point

static bool touches(const double line[4], const double p[2])
{
  return same_place(line, p) || same_place(line + 2, p) ||
         pc_distance_to_line(p, line, line + 2) <= 1e-9;
}

// Adds a number to a list that ascends, once; of a full list the last is dropped.
static int insert(int *list, int count, int number)
{
  int at = count;
  while (at > 0 && list[at - 1] > number)
    at--;
  if (at == MOST_AT || (at > 0 && list[at - 1] == number))
    return count;
  int moved = (count < MOST_AT ? count : MOST_AT - 1) - at;
  memmove(list + at + 1, list + at, (size_t)moved * sizeof *list);
  list[at] = number;
  return count < MOST_AT ? count + 1 : count;
}

// The first walls that touch a point, in their order.
static int walls_at(const pc_layout *plan, const double p[2], int wall[MOST_AT])
{
  const double reach = 1e-6; // more than what touches, whatever is rounded
  int low[2], high[2], count = 0;
  pc_layout_squares(plan, (const double[4]){p[0], p[1], p[0], p[1]}, reach, low, high);
  for (int row = low[1]; row <= high[1]; row++)
    for (int column = low[0]; column <= high[0]; column++) {
      const int *start = plan->start + row * plan->columns + column;
      for (int k = start[0]; k < start[1]; k++)
        if (plan->item[k] < plan->walls && touches(plan->wall[plan->item[k]], p))
          count = insert(wall, count, plan->item[k]);
    }
  return count;
}

// The directions in which a line leaves a point that it touches: two in the middle of it.
static int add_directions(const double line[4], const double p[2], double *angle, int count)
{
  for (int end = 0; end < 2; end++)
    if (!same_place(line + 2 * end, p))
      angle[count++] = pc_atan2(line[2 * end + 1] - p[1], line[2 * end] - p[0]);
  return count;
}

static int directions(const bars *all, const double p[2], double angle[MOST_AT])
{
  int wall[MOST_AT], walls = walls_at(all->plan, p, wall), count = 0;
  for (int i = 0; i < walls && count + 2 <= MOST_AT; i++)
    count = add_directions(all->plan->wall[wall[i]], p, angle, count);
  for (int i = 0; i < all->lines && count + 2 <= MOST_AT; i++)
    if (touches(all->line[i], p))
      count = add_directions(all->line[i], p, angle, count);
  return count;
}

// The widest angle between walls at a point, and its middle. Paths bend around the point only if
// the angle is larger than 180 degrees.
static bool find_opening(const bars *all, const double p[2], pc_corner *corner)
{
  double angle[MOST_AT], widest = 0, middle = 0;
  int count = directions(all, p, angle);
  if (count == 0)
    return false;
  qsort(angle, (size_t)count, sizeof *angle, pc_compare_doubles);
  for (int i = 0; i < count; i++) {
    double next = i + 1 < count ? angle[i + 1] : angle[0] + 2 * PI;
    if (next - angle[i] > widest) {
      widest = next - angle[i];
      middle = 0.5 * (angle[i] + next);
    }
  }
  *corner = (pc_corner){.place = {p[0], p[1]},
                        .middle = {pc_cos(middle), pc_sin(middle)},
                        .opening = widest >= 2 * PI ? -2 : pc_cos(0.5 * widest + 1e-9),
                        .ring = {-1, -1}};
  return widest > PI + 1e-6;
}

// Points around a disc, from one to the next along its edge.
static void add_ring(pc_corners *corners, const double disc[3], int count)
{
  int first = corners->count;
  for (int i = 0; i < count; i++) {
    double angle = 2 * PI * i / count, out[2] = {pc_cos(angle), pc_sin(angle)};
    corners->at[corners->count++] =
        (pc_corner){.place = {disc[0] + disc[2] * out[0], disc[1] + disc[2] * out[1]},
                    .middle = {out[0], out[1]},
                    .opening = -1e-9,
                    .ring = {first + (i + 1) % count, first + (i + count - 1) % count},
                    .arc = 2 * PI * disc[2] / count};
  }
}

pc_status pc_corners_list(pc_corners *corners, const pc_layout *plan, int lines,
                          const double (*line)[4], double spacing, pc_arena *arena, pc_error *error)
{
  enum { LEAST = 12, MOST = 100000 };
  *corners = (pc_corners){0};
  bars all = {plan, lines, line};
  int need = plan->points.count;
  for (int i = 0; i < plan->discs.count; i++)
    need += (int)fmin(MOST, LEAST + 2 * PI * plan->discs.at[i][2] / spacing);
  corners->at = pc_arena_take(arena, (size_t)need + 1, sizeof *corners->at);
  if (corners->at == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int o = 0; o < plan->outlines.count; o++)
    for (int i = 0; i < plan->outlines.at[o].count && !plan->outlines.at[o].edgeless; i++)
      if (find_opening(&all, plan->points.at[plan->outlines.at[o].first + i],
                       &corners->at[corners->count]))
        corners->count++;
  for (int i = 0; i < plan->discs.count; i++)
    add_ring(corners, plan->discs.at[i],
             (int)fmin(MOST, LEAST + 2 * PI * plan->discs.at[i][2] / spacing));
  return PC_OK;
}

bool pc_corner_faces(const pc_corner *corner, const double p[2])
{
  double d[2] = {p[0] - corner->place[0], p[1] - corner->place[1]};
  double along = d[0] * corner->middle[0] + d[1] * corner->middle[1];
  return along >= corner->opening * pc_hypot(d[0], d[1]);
}
