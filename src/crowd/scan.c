#include "crowd/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pc_scan_add(pc_scan *scan, bool solid, int count, const double (*point)[2])
{
  int area = scan->solid.count;
  if (!pc_array_reserve(&scan->edges, scan->edges.count + count) ||
      !pc_array_reserve(&scan->solid, area + 1) || !pc_array_reserve(&scan->inside, area + 1))
    return false;
  for (int i = 0; i < count; i++) {
    const double *a = point[i], *b = point[(i + 1) % count];
    if (a[1] == b[1]) // no line crosses it
      continue;
    scan->edges.at[scan->edges.count++] =
        (pc_scan_edge){{a[0], a[1]}, {b[0], b[1]}, fmin(a[1], b[1]), fmax(a[1], b[1]), area};
  }
  scan->solid.at[scan->solid.count++] = solid;
  scan->inside.at[scan->inside.count++] = 0;
  scan->walkable += !solid;
  return true;
}

bool pc_scan_add_layout(pc_scan *scan, const pc_layout *plan)
{
  bool room = true;
  for (int i = 0; i < plan->outlines.count && room; i++) {
    const pc_layout_outline *o = &plan->outlines.at[i];
    if (o->kind != PC_LINE_WALL)
      room = pc_scan_add(scan, o->kind == PC_AREA_SOLID, o->count,
                         (const double(*)[2])plan->points.at + o->first);
  }
  return room;
}

static int compare_edges(const void *a, const void *b)
{
  const pc_scan_edge *p = a, *q = b;
  return (p->low > q->low) - (p->low < q->low);
}

void pc_scan_begin(pc_scan *scan)
{
  if (scan->edges.count > 0)
    qsort(scan->edges.at, (size_t)scan->edges.count, sizeof *scan->edges.at, compare_edges);
  scan->active.count = scan->next = 0;
}

// Takes in the edges that start up to `high` and drops those that end below `low`.
static bool choose_edges(pc_scan *scan, double low, double high)
{
  int kept = 0;
  for (int i = 0; i < scan->active.count; i++)
    if (scan->edges.at[scan->active.at[i]].high >= low)
      scan->active.at[kept++] = scan->active.at[i];
  scan->work += scan->active.count;
  scan->active.count = kept;
  for (; scan->next < scan->edges.count && scan->edges.at[scan->next].low <= high; scan->next++) {
    if (scan->edges.at[scan->next].high < low)
      continue;
    int *place = pc_array_add(&scan->active);
    if (place == NULL)
      return false;
    *place = scan->next;
  }
  return true;
}

static int compare_cuts(const void *a, const void *b)
{
  const pc_scan_cut *p = a, *q = b;
  return (p->x < q->x) - (p->x > q->x);
}

// What is free between the cuts of a line, from the right, where nothing is inside of anything.
static void mark_free(pc_scan *scan, pc_scan_cut *cut, int count)
{
  int solid = 0, walkable = 0;
  for (int i = 0; i < count; i++) {
    unsigned char *inside = &scan->inside.at[cut[i].area];
    *inside = !*inside;
    int change = *inside ? 1 : -1;
    if (scan->solid.at[cut[i].area])
      solid += change;
    else
      walkable += change;
    cut[i].free = solid == 0 && (scan->walkable == 0 || walkable > 0);
  }
  for (int i = 0; i < count; i++)
    scan->inside.at[cut[i].area] = 0;
}

static bool cut_line(pc_scan *scan, double y)
{
  int first = scan->cuts.count;
  for (int i = 0; i < scan->active.count; i++) {
    const pc_scan_edge *e = &scan->edges.at[scan->active.at[i]];
    if ((e->a[1] > y) == (e->b[1] > y))
      continue;
    pc_scan_cut *cut = pc_array_add(&scan->cuts);
    if (cut == NULL)
      return false;
    cut->x = e->a[0] + (y - e->a[1]) / (e->b[1] - e->a[1]) * (e->b[0] - e->a[0]);
    cut->area = e->area;
  }
  scan->work += scan->active.count;
  int count = scan->cuts.count - first;
  if (count > 0) {
    qsort(scan->cuts.at + first, (size_t)count, sizeof *scan->cuts.at, compare_cuts);
    mark_free(scan, scan->cuts.at + first, count);
  }
  return true;
}

bool pc_scan_lines(pc_scan *scan, int lines, const double *y)
{
  double low = y[0], high = y[0];
  for (int i = 1; i < lines; i++) {
    low = fmin(low, y[i]);
    high = fmax(high, y[i]);
  }
  scan->cuts.count = 0;
  if (!pc_array_reserve(&scan->first, lines + 1) || !choose_edges(scan, low, high))
    return false;
  for (int i = 0; i < lines; i++) {
    scan->first.at[i] = scan->cuts.count;
    if (!cut_line(scan, y[i]))
      return false;
  }
  scan->first.at[lines] = scan->cuts.count;
  return true;
}

bool pc_scan_allows(const pc_scan *scan, int line, double x)
{
  int low = scan->first.at[line], high = scan->first.at[line + 1], first = low;
  while (low < high) { // cuts to the right of the point
    int middle = low + (high - low) / 2;
    if (x < scan->cuts.at[middle].x)
      low = middle + 1;
    else
      high = middle;
  }
  return low > first ? scan->cuts.at[low - 1].free : scan->walkable == 0;
}

void pc_scan_free(pc_scan *scan)
{
  pc_array_free(&scan->edges);
  pc_array_free(&scan->active);
  pc_array_free(&scan->solid);
  pc_array_free(&scan->inside);
  pc_array_free(&scan->cuts);
  pc_array_free(&scan->first);
}
