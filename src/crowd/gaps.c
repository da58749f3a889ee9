// Walls and round obstacles are convex. A disc of diameter w cannot pass between two of them that
// are nearer than w, and what keeps it from somewhere is a chain of such pairs: grown by w/2 they
// overlap, and two convex sets that overlap have a union without holes, in which the shortest line
// between the pair lies. So the lines of all pairs that are nearer than w, taken as walls, part a
// floor just as it is parted for the disc. A line that meets a third wall on its way can be left
// out: the third is nearer to both than they are to each other, so their lines to it do the same.
#include "crowd/gaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"

static const double TOUCHING = 1e-6; // m

static void note_nearer(pc_gap *gap, const double p[2], const double q[2])
{
  double away = pc_hypot(p[0] - q[0], p[1] - q[1]);
  if (away < gap->width)
    *gap = (pc_gap){{p[0], p[1], q[0], q[1]}, away};
}

static pc_gap between_walls(const double one[4], const double other[4])
{
  pc_gap gap = {.width = INFINITY};
  double q[2];
  if (pc_lines_meet(one, one + 2, other))
    return (pc_gap){.width = 0};
  for (int k = 0; k < 2; k++) {
    pc_nearest_on_line(one + 2 * k, other, other + 2, q);
    note_nearer(&gap, one + 2 * k, q);
    pc_nearest_on_line(other + 2 * k, one, one + 2, q);
    note_nearer(&gap, other + 2 * k, q);
  }
  return gap;
}

// From a point to the edge of a disc; 0 inside.
static pc_gap to_disc(const double p[2], const double disc[3])
{
  double away = pc_hypot(p[0] - disc[0], p[1] - disc[1]);
  pc_gap gap = {{p[0], p[1], 0, 0}, fmax(0, away - disc[2])};
  for (int k = 0; k < 2 && away > 0; k++)
    gap.line[2 + k] = disc[k] + disc[2] / away * (p[k] - disc[k]);
  return gap;
}

static pc_gap between(const pc_layout *plan, int one, int other) // one < other: walls come first
{
  if (other < plan->walls)
    return between_walls(plan->wall[one], plan->wall[other]);
  const double *disc = plan->discs.at[other - plan->walls];
  if (one < plan->walls) {
    double p[2];
    pc_nearest_on_line(disc, plan->wall[one], plan->wall[one] + 2, p);
    return to_disc(p, disc);
  }
  const double *first = plan->discs.at[one - plan->walls];
  double away = pc_hypot(disc[0] - first[0], disc[1] - first[1]), p[2];
  if (!(away > first[2] + disc[2]))
    return (pc_gap){.width = 0};
  for (int k = 0; k < 2; k++)
    p[k] = first[k] + first[2] / away * (disc[k] - first[k]);
  return to_disc(p, disc);
}

// Whether something is on the line, away from its ends.
static bool is_crossed(const pc_layout *plan, const pc_gap *gap)
{
  double p[2], q[2], end = 1e-3;
  for (int k = 0; k < 2; k++) {
    p[k] = gap->line[k] + end * (gap->line[2 + k] - gap->line[k]);
    q[k] = gap->line[2 + k] - end * (gap->line[2 + k] - gap->line[k]);
  }
  return pc_layout_bars(plan, p, q);
}

pc_status pc_gaps_find(const pc_layout *plan, double width, pc_gap_list *gaps, pc_error *error)
{
  int items = plan->walls + plan->discs.count;
  int *seen = calloc((size_t)items + 1, sizeof *seen); // the item that met it last, from 1
  bool enough = seen != NULL;
  gaps->count = 0;
  for (int i = 0; i < items && enough; i++) {
    int low[2], high[2];
    double box[4];
    pc_layout_box(plan, i, box);
    pc_layout_squares(plan, box, width, low, high);
    for (int square = 0; square < (high[0] - low[0] + 1) * (high[1] - low[1] + 1); square++) {
      int column = low[0] + square % (high[0] - low[0] + 1);
      int row = low[1] + square / (high[0] - low[0] + 1);
      const int *start = plan->start + row * plan->columns + column;
      for (int k = start[0]; k < start[1] && enough; k++) {
        int j = plan->item[k];
        if (j <= i || seen[j] == i + 1)
          continue;
        seen[j] = i + 1;
        pc_gap gap = between(plan, i, j);
        if (!(gap.width > TOUCHING) || !(gap.width < width) || is_crossed(plan, &gap))
          continue;
        pc_gap *own = pc_array_add(gaps);
        enough = own != NULL;
        if (enough)
          *own = gap;
      }
    }
  }
  free(seen);
  return enough ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

// Takes the place s of the line if it has more room than the best so far.
static void offer_place(const pc_layout *plan, const double a[2], const double b[2], double s,
                        double *best, double *most)
{
  double p[2] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])};
  double room = pc_layout_distance(plan, p, pc_hypot(b[0] - a[0], b[1] - a[1]));
  if (room > *most)
    *most = room, *best = s;
}

double pc_gap_of_line(const pc_layout *plan, const double a[2], const double b[2], double at[2])
{
  enum { PLACES = 64, ROUNDS = 40 };
  double best = 0, most = -1, reach = 1.0 / PLACES;
  for (int i = -PLACES / 2; i <= PLACES / 2; i++)
    offer_place(plan, a, b, 0.5 + (double)i / PLACES, &best, &most);
  for (int round = 0; round < ROUNDS; round++, reach *= 0.5) // nearer to it, from both sides
    for (int side = -1; side <= 1; side += 2)
      offer_place(plan, a, b, fmin(1, fmax(0, best + side * reach)), &best, &most);
  for (int k = 0; k < 2; k++)
    at[k] = a[k] + best * (b[k] - a[k]);
  return 2 * most;
}

pc_status pc_gaps_close(const pc_layout *plan, const pc_gap_list *gaps, pc_layout *closed,
                        pc_error *error)
{
  pc_status status = PC_OK;
  *closed = (pc_layout){0};
  for (int i = 0; i < plan->outlines.count && status == PC_OK; i++) {
    const pc_layout_outline *o = &plan->outlines.at[i];
    if (!o->edgeless)
      status = pc_layout_add(closed, o->kind, o->count,
                             (const double(*)[2])plan->points.at + o->first, error);
  }
  for (int i = 0; i < plan->discs.count && status == PC_OK; i++)
    status = pc_layout_add_disc(closed, plan->discs.at[i], plan->discs.at[i][2], error);
  for (int i = 0; i < gaps->count && status == PC_OK; i++) {
    double line[2][2];
    memcpy(line, gaps->at[i].line, sizeof line);
    status = pc_layout_add(closed, PC_LINE_WALL, 2, (const double(*)[2])line, error);
  }
  return status == PC_OK ? pc_layout_finish(closed, error) : status;
}
