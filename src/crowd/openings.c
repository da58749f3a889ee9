// Gaps in walls where lines of exits and doors lie on them. An area with a gap in its edge stays
// the same area; its edges become separate walls.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/layout.h"

static const double BESIDE = 5e-3; // m from a wall at which a line is on it
static const double LEAST = 1e-6;  // m that is worth cutting

// The part of an edge from c to d that the line covers, as distances from c.
static bool covers(const double line[2][2], const double c[2], const double d[2], double part[2])
{
  double length = pc_hypot(d[0] - c[0], d[1] - c[1]), along[2];
  double u[2] = {(d[0] - c[0]) / length, (d[1] - c[1]) / length};
  for (int i = 0; i < 2; i++) {
    double x = line[i][0] - c[0], y = line[i][1] - c[1];
    along[i] = u[0] * x + u[1] * y;
    if (fabs(u[0] * y - u[1] * x) > BESIDE)
      return false;
  }
  part[0] = fmax(0, fmin(along[0], along[1]));
  part[1] = fmin(length, fmax(along[0], along[1]));
  return part[1] - part[0] > LEAST;
}

static void point_at(const double c[2], const double d[2], double distance, double p[2])
{
  double length = pc_hypot(d[0] - c[0], d[1] - c[1]);
  for (int k = 0; k < 2; k++)
    p[k] = distance <= LEAST            ? c[k]
           : distance >= length - LEAST ? d[k]
                                        : c[k] + distance / length * (d[k] - c[k]);
}

static bool same(const double p[2], const double q[2])
{
  return p[0] == q[0] && p[1] == q[1];
}

// A line from q over the points after edge e to p before it, of a closed outline. Of an open one:
// from q to its end; the rest, up to p, stays.
static pc_status split(pc_layout *plan, int number, int e, const double p[2], const double q[2],
                       pc_error *error)
{
  pc_layout_outline *own = &plan->outlines.at[number];
  double(*piece)[2] = calloc((size_t)own->count + 2, sizeof *piece);
  if (piece == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  bool closed = own->kind != PC_LINE_WALL;
  int rest = closed ? own->count : own->count - 1 - e, count = 0;
  const double(*point)[2] = (const double(*)[2])plan->points.at + own->first;
  if (!same(q, point[(e + 1) % own->count]))
    memcpy(piece[count++], q, sizeof *piece);
  for (int i = 0; i < rest; i++)
    memcpy(piece[count++], point[(e + 1 + i) % own->count], sizeof *piece);
  if (closed && !same(p, point[e]))
    memcpy(piece[count++], p, sizeof *piece);
  if (closed) {
    own->edgeless = true;
  } else {
    own->count = e + 1;
    if (!same(p, point[e]))
      memcpy(plan->points.at[own->first + own->count++], p, sizeof *piece);
    if (own->count < 2)
      own->edgeless = true;
  }
  pc_status status =
      count < 2 ? PC_OK
                : pc_layout_add(plan, PC_LINE_WALL, count, (const double(*)[2])piece, error);
  free(piece);
  return status;
}

// Cuts the first edge of an outline that the line covers a part of.
static pc_status cut_outline(pc_layout *plan, int number, double line[2][2], bool *cut,
                             pc_error *error)
{
  const pc_layout_outline *own = &plan->outlines.at[number];
  int edges = own->kind == PC_LINE_WALL ? own->count - 1 : own->count;
  *cut = false;
  for (int e = 0; e < edges && !own->edgeless; e++) {
    double c[2], d[2], part[2], p[2], q[2];
    memcpy(c, plan->points.at[own->first + e], sizeof c);
    memcpy(d, plan->points.at[own->first + (e + 1) % own->count], sizeof d);
    if (!covers((const double(*)[2])line, c, d, part))
      continue;
    *cut = true;
    point_at(c, d, part[0], p);
    point_at(c, d, part[1], q);
    for (int i = 0; i < 2; i++) // ends of the line come to those of the gap
      if (pc_hypot(line[i][0] - p[0], line[i][1] - p[1]) <= 2 * BESIDE)
        memcpy(line[i], p, sizeof p);
      else if (pc_hypot(line[i][0] - q[0], line[i][1] - q[1]) <= 2 * BESIDE)
        memcpy(line[i], q, sizeof q);
    return split(plan, number, e, p, q, error);
  }
  return PC_OK;
}

// What is cut off comes to the end of the list, and is looked at there.
pc_status pc_layout_cut(pc_layout *plan, double line[2][2], pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < plan->outlines.count && status == PC_OK; i++) {
    bool cut = true;
    while (cut && status == PC_OK)
      status = cut_outline(plan, i, line, &cut, error);
  }
  return status;
}
