#include "crowd/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"

void pc_layout_free(pc_layout *plan)
{
  pc_array_free(&plan->points);
  pc_array_free(&plan->outlines);
  pc_array_free(&plan->discs);
  free(plan->wall);
  free(plan->start);
  free(plan->item);
  *plan = (pc_layout){0};
}

static double turn(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool boxes_meet(const double a[4], const double b[4])
{
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

static void box_of_line(const double p[2], const double q[2], double box[4])
{
  for (int k = 0; k < 2; k++) {
    box[k] = p[k] < q[k] ? p[k] : q[k];
    box[2 + k] = p[k] < q[k] ? q[k] : p[k];
  }
}

static pc_status append(pc_layout *plan, pc_outline_kind kind, int count, const double (*points)[2],
                        pc_error *error)
{
  pc_layout_outline *own = pc_array_reserve(&plan->points, plan->points.count + count)
                               ? pc_array_add(&plan->outlines)
                               : NULL;
  if (own == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  *own = (pc_layout_outline){.kind = kind, .first = plan->points.count, .count = count};
  memcpy(plan->points.at + plan->points.count, points, (size_t)count * sizeof *points);
  plan->points.count += count;
  return PC_OK;
}

pc_status pc_layout_add_disc(pc_layout *plan, const double centre[2], double radius,
                             pc_error *error)
{
  if (!isfinite(centre[0]) || !isfinite(centre[1]) || !(radius > 0) || !isfinite(radius))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "a round obstacle needs a finite centre and a positive radius");
  pc_plan_disc *disc = pc_array_add(&plan->discs);
  if (disc == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  (*disc)[0] = centre[0], (*disc)[1] = centre[1], (*disc)[2] = radius;
  return PC_OK;
}

typedef struct span {
  int low[2], high[2];
} span;

static int square_of(const pc_layout *plan, double x, int axis)
{
  double place = (x - plan->low[axis]) / plan->square;
  int last = (axis == 0 ? plan->columns : plan->rows) - 1;
  return !(place > 0) ? 0 : place > last ? last : (int)place;
}

static span span_of(const pc_layout *plan, const double box[4])
{
  span s;
  for (int k = 0; k < 2; k++) {
    s.low[k] = square_of(plan, box[k], k);
    s.high[k] = square_of(plan, box[2 + k], k);
  }
  return s;
}

void pc_layout_box(const pc_layout *plan, int item, double box[4])
{
  if (item < plan->walls) {
    box_of_line(plan->wall[item], plan->wall[item] + 2, box);
    return;
  }
  const double *disc = plan->discs.at[item - plan->walls];
  for (int k = 0; k < 2; k++) {
    box[k] = disc[k] - disc[2];
    box[2 + k] = disc[k] + disc[2];
  }
}

static void list_walls(pc_layout *plan)
{
  for (int i = 0; i < plan->outlines.count; i++) {
    const pc_layout_outline *o = plan->outlines.at + i;
    int edges = o->edgeless ? 0 : o->kind == PC_LINE_WALL ? o->count - 1 : o->count;
    for (int e = 0; e < edges; e++) {
      double *wall = plan->wall[plan->walls++];
      memcpy(wall, plan->points.at[o->first + e], 2 * sizeof *wall);
      memcpy(wall + 2, plan->points.at[o->first + (e + 1) % o->count], 2 * sizeof *wall);
    }
  }
}

// Counts what is in each square, or, with `fill`, lists it.
static void sort_items(pc_layout *plan, bool fill)
{
  for (int i = plan->walls + plan->discs.count - 1; i >= 0; i--) {
    double box[4];
    pc_layout_box(plan, i, box);
    span s = span_of(plan, box);
    for (int row = s.low[1]; row <= s.high[1]; row++)
      for (int column = s.low[0]; column <= s.high[0]; column++) {
        int *start = plan->start + row * plan->columns + column;
        if (fill)
          plan->item[--start[0]] = i;
        else
          start[0]++;
      }
  }
}

pc_status pc_layout_finish(pc_layout *plan, pc_error *error)
{
  enum { MOST_ALONG = 512 };
  int items = plan->points.count + plan->discs.count;
  free(plan->wall); // of a time before
  free(plan->start);
  free(plan->item);
  plan->walls = 0;
  plan->start = plan->item = NULL;
  plan->wall = calloc((size_t)plan->points.count + 1, sizeof *plan->wall);
  if (plan->wall == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  list_walls(plan);
  plan->low[0] = plan->low[1] = items > 0 ? INFINITY : 0;
  plan->high[0] = plan->high[1] = items > 0 ? -INFINITY : 0;
  double length = 0;
  for (int i = 0; i < plan->walls + plan->discs.count; i++) {
    double box[4];
    pc_layout_box(plan, i, box);
    for (int k = 0; k < 2; k++) {
      plan->low[k] = fmin(plan->low[k], box[k]);
      plan->high[k] = fmax(plan->high[k], box[2 + k]);
    }
    length += pc_hypot(box[2] - box[0], box[3] - box[1]);
  }
  double size[2] = {plan->high[0] - plan->low[0], plan->high[1] - plan->low[1]};
  double longest = fmax(size[0], size[1]);
  // About as many squares as the walls are long, in units of their mean length.
  plan->square = fmax(longest / MOST_ALONG, length / (2.0 * (items + 1)));
  if (!(plan->square > 0))
    plan->square = 1;
  plan->columns = (int)(size[0] / plan->square) + 1;
  plan->rows = (int)(size[1] / plan->square) + 1;
  int squares = plan->columns * plan->rows;
  plan->start = calloc((size_t)squares + 1, sizeof *plan->start);
  if (plan->start == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  sort_items(plan, false);
  for (int i = 1; i <= squares; i++) // each becomes its end, which filling turns into its start
    plan->start[i] += plan->start[i - 1];
  plan->item = calloc((size_t)plan->start[squares] + 1, sizeof *plan->item);
  if (plan->item == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  sort_items(plan, true);
  return PC_OK;
}

void pc_layout_squares(const pc_layout *plan, const double box[4], double reach, int low[2],
                       int high[2])
{
  span s = span_of(
      plan, (const double[4]){box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach});
  memcpy(low, s.low, sizeof s.low);
  memcpy(high, s.high, sizeof s.high);
}

// Two edges cross, and where.
static bool cross(const double a[2], const double b[2], const double c[2], const double d[2],
                  double at[2])
{
  double box[4], other[4];
  box_of_line(a, b, box);
  box_of_line(c, d, other);
  if (!boxes_meet(box, other) || !(turn(a, b, c) * turn(a, b, d) < 0) ||
      !(turn(c, d, a) * turn(c, d, b) < 0))
    return false;
  double s = turn(c, d, a) / (turn(c, d, a) - turn(c, d, b));
  for (int k = 0; k < 2; k++)
    at[k] = a[k] + s * (b[k] - a[k]);
  return true;
}

// The first edge behind edge i that crosses it, from the squares that it is in; or -1.
static int find_crossing(const pc_layout *plan, int i, double at[2])
{
  const double *edge = plan->wall[i];
  double box[4], where[2];
  int low[2], high[2], first = -1;
  pc_layout_box(plan, i, box);
  pc_layout_squares(plan, box, 0, low, high);
  for (int row = low[1]; row <= high[1]; row++)
    for (int column = low[0]; column <= high[0]; column++) {
      const int *start = plan->start + row * plan->columns + column;
      for (int k = start[0]; k < start[1]; k++) {
        int j = plan->item[k];
        const double *other = plan->wall[j];
        if (j < i + 2 || (first >= 0 && j >= first) ||
            !cross(edge, edge + 2, other, other + 2, where))
          continue;
        first = j;
        memcpy(at, where, sizeof where);
      }
    }
  return first;
}

// Edges of an area may touch, and not cross: it would have two insides.
static pc_status check_crossings(int count, const double (*point)[2], pc_error *error)
{
  pc_layout edges = {.walls = 0};
  pc_status status = append(&edges, PC_AREA_SOLID, count, point, error);
  if (status == PC_OK)
    status = pc_layout_finish(&edges, error);
  for (int i = 0; i < count && status == PC_OK; i++) {
    double at[2];
    int j = find_crossing(&edges, i, at);
    if (j < 0)
      continue;
    const double *a = edges.wall[i], *c = edges.wall[j];
    status = pc_fail(error, PC_ERROR_ARGUMENT,
                     "the outline crosses itself at (%.4g, %.4g): its edge from (%g, %g) to (%g, "
                     "%g) and that from (%g, %g) to (%g, %g)",
                     at[0], at[1], a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3]);
  }
  pc_layout_free(&edges);
  return status;
}

pc_status pc_layout_add(pc_layout *plan, pc_outline_kind kind, int count, const double (*points)[2],
                        pc_error *error)
{
  int least = kind == PC_LINE_WALL ? 2 : 3;
  if (count < least)
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s needs at least %d points",
                   kind == PC_LINE_WALL ? "a wall" : "an area", least);
  for (int i = 0; i < count; i++) {
    const double *p = points[i];
    if (!isfinite(p[0]) || !isfinite(p[1]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "point %d is not finite", i + 1);
    const double *next = i + 1 < count ? points[i + 1] : kind == PC_LINE_WALL ? NULL : points[0];
    if (next != NULL && p[0] == next[0] && p[1] == next[1])
      return pc_fail(error, PC_ERROR_ARGUMENT, "points %d and %d are the same, at (%g, %g)", i + 1,
                     (i + 1) % count + 1, p[0], p[1]);
  }
  pc_status status = kind != PC_LINE_WALL ? check_crossings(count, points, error) : PC_OK;
  return status == PC_OK ? append(plan, kind, count, points, error) : status;
}

bool pc_lines_meet(const double p[2], const double q[2], const double wall[4])
{
  const double *a = wall, *b = wall + 2;
  double box[4], own[4], one = turn(a, b, p), two = turn(a, b, q);
  if ((one > 0 && two > 0) || (one < 0 && two < 0)) // as most are
    return false;
  box_of_line(p, q, box);
  box_of_line(a, b, own);
  if (!boxes_meet(box, own)) // of lines along each other nothing else tells
    return false;
  one = turn(p, q, a), two = turn(p, q, b);
  return !((one > 0 && two > 0) || (one < 0 && two < 0));
}

double pc_distance_to_line(const double p[2], const double a[2], const double b[2])
{
  double d[2] = {b[0] - a[0], b[1] - a[1]}, square = d[0] * d[0] + d[1] * d[1];
  double s = square > 0 ? ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / square : 0;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  return pc_hypot(p[0] - a[0] - s * d[0], p[1] - a[1] - s * d[1]);
}

void pc_nearest_on_line(const double p[2], const double a[2], const double b[2], double nearest[2])
{
  double d[2] = {b[0] - a[0], b[1] - a[1]}, square = d[0] * d[0] + d[1] * d[1];
  double s = square > 0 ? ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / square : 0;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  for (int k = 0; k < 2; k++)
    nearest[k] = a[k] + s * d[k];
}

bool pc_layout_item_bars(const pc_layout *plan, int item, const double p[2], const double q[2])
{
  if (item < plan->walls)
    return pc_lines_meet(p, q, plan->wall[item]);
  const double *disc = plan->discs.at[item - plan->walls];
  return pc_distance_to_line(disc, p, q) <= disc[2];
}

static bool item_bars(const pc_layout *plan, int item, const double p[2], const double q[2],
                      const double box[4])
{
  double own[4];
  pc_layout_box(plan, item, own);
  return boxes_meet(own, box) && pc_layout_item_bars(plan, item, p, q);
}

int pc_layout_items(const pc_layout *plan, const double box[4], int most, int *item)
{
  double all[4] = {plan->low[0], plan->low[1], plan->high[0], plan->high[1]}, own[4];
  int count = 0;
  if (plan->walls + plan->discs.count == 0 || !boxes_meet(box, all))
    return 0;
  span s = span_of(plan, box);
  for (int row = s.low[1]; row <= s.high[1]; row++)
    for (int column = s.low[0]; column <= s.high[0]; column++) {
      const int *start = plan->start + row * plan->columns + column;
      for (int i = start[0]; i < start[1]; i++) {
        int next = plan->item[i], k = 0;
        pc_layout_box(plan, next, own);
        if (!boxes_meet(own, box))
          continue;
        while (k < count && item[k] != next) // one may be in several squares
          k++;
        if (k < count)
          continue;
        if (count == most)
          return most + 1;
        item[count++] = next;
      }
    }
  return count;
}

bool pc_layout_bars(const pc_layout *plan, const double p[2], const double q[2])
{
  double box[4];
  box_of_line(p, q, box);
  double all[4] = {plan->low[0], plan->low[1], plan->high[0], plan->high[1]};
  if (plan->walls + plan->discs.count == 0 || !boxes_meet(box, all))
    return false;
  span s = span_of(plan, box);
  for (int row = s.low[1]; row <= s.high[1]; row++)
    for (int column = s.low[0]; column <= s.high[0]; column++) {
      const int *start = plan->start + row * plan->columns + column;
      for (int i = start[0]; i < start[1]; i++)
        if (item_bars(plan, plan->item[i], p, q, box))
          return true;
    }
  return false;
}

double pc_layout_item_distance(const pc_layout *plan, int item, const double p[2])
{
  if (item < plan->walls)
    return pc_distance_to_line(p, plan->wall[item], plan->wall[item] + 2);
  const double *disc = plan->discs.at[item - plan->walls];
  return fmax(0, pc_hypot(p[0] - disc[0], p[1] - disc[1]) - disc[2]);
}

double pc_layout_distance(const pc_layout *plan, const double p[2], double limit)
{
  double box[4] = {p[0] - limit, p[1] - limit, p[0] + limit, p[1] + limit}, nearest = limit;
  span s = span_of(plan, box);
  if (plan->walls + plan->discs.count == 0)
    return limit;
  for (int row = s.low[1]; row <= s.high[1]; row++)
    for (int column = s.low[0]; column <= s.high[0]; column++) {
      const int *start = plan->start + row * plan->columns + column;
      for (int i = start[0]; i < start[1]; i++)
        nearest = fmin(nearest, pc_layout_item_distance(plan, plan->item[i], p));
    }
  return nearest;
}

void pc_box_of_points(int count, const double (*point)[2], double low[2], double high[2])
{
  for (int k = 0; k < 2; k++) {
    low[k] = INFINITY;
    high[k] = -INFINITY;
    for (int i = 0; i < count; i++) {
      low[k] = fmin(low[k], point[i][k]);
      high[k] = fmax(high[k], point[i][k]);
    }
  }
}

bool pc_is_inside(int count, const double (*area)[2], const double p[2])
{
  bool inside = false;
  for (int i = 0; i < count; i++) {
    const double *a = area[i], *b = area[(i + 1) % count];
    if ((a[1] > p[1]) != (b[1] > p[1]) &&
        p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
      inside = !inside;
  }
  return inside;
}

bool pc_layout_bounds(const pc_layout *plan, const double p[2])
{
  bool bounded = false;
  for (int i = 0; i < plan->outlines.count; i++) {
    const pc_layout_outline *o = plan->outlines.at + i;
    if (o->kind != PC_AREA_WALKABLE)
      continue;
    bounded = true;
    if (pc_is_inside(o->count, (const double(*)[2])plan->points.at + o->first, p))
      return true;
  }
  return !bounded;
}

bool pc_layout_in_disc(const pc_layout *plan, const double p[2])
{
  if (plan->discs.count == 0)
    return false;
  span s = span_of(plan, (const double[4]){p[0], p[1], p[0], p[1]});
  const int *start = plan->start + s.low[1] * plan->columns + s.low[0];
  for (int i = start[0]; i < start[1]; i++) {
    if (plan->item[i] < plan->walls)
      continue;
    const double *disc = plan->discs.at[plan->item[i] - plan->walls];
    if (pc_hypot(p[0] - disc[0], p[1] - disc[1]) < disc[2])
      return true;
  }
  return false;
}

bool pc_layout_allows(const pc_layout *plan, const double p[2])
{
  for (int i = 0; i < plan->outlines.count; i++) {
    const pc_layout_outline *o = plan->outlines.at + i;
    if (o->kind == PC_AREA_SOLID &&
        pc_is_inside(o->count, (const double(*)[2])plan->points.at + o->first, p))
      return false;
  }
  return !pc_layout_in_disc(plan, p) && pc_layout_bounds(plan, p);
}
