// Looks at the people ahead of a person. Most of the time of a crowd is spent here, so the work is
// cut into passes over short arrays, without branches, that compilers turn into vector
// instructions. Sums are made in the order of the cells: the instruction set does not change a bit.
#include "crowd/sight.h"

#include <math.h>

// A call of a function with other vector instructions costs more than it does.
#define INLINE static inline __attribute__((always_inline))

static const double PEAK = 0.3;     // m: where people count most
static const double FILLED = 0.82;  // of what is seen ahead people can fill: nobody is in a person
static const double BODY = 0.3;     // of the breadth of two people, in which one is in the way
static const double LATER = 2.5;    // s: meetings after that count for nothing
static const double MARGIN = 0.2;   // m from people who are overtaken,
static const double ONCOMING = 0.4; // and from those who come the other way
static const double BIAS = 0.02;    // m: who would meet head-on pass on the right
static const double EVADE = 3;      // how strongly people evade each other before they meet,
static const double SPACE = 0.13;   // and make room when they are side by side
static const double RANGE = 0.5;    // m, of that
static const double TOUCH = 0.02;   // m
static const double STILL = 0.05;   // m/s
static const double SLACK = 1e-6;   // m: far above round-off
enum { MOST = 128, PAD = 4, MOST_WALLS = 24 }; // people of a batch, and of a vector

// Some people near what can be seen, in the order of the cells; then those in view. `place` is in
// that order.
typedef struct batch {
  int near, place_near[MOST + PAD];
  double x[MOST + PAD], y[MOST + PAD];
  unsigned char in_view[MOST + PAD];
  int count, place[MOST + PAD];
  double ahead[MOST + PAD], aside[MOST + PAD], both[MOST + PAD], speed[MOST + PAD];
  double density[MOST + PAD], turn[MOST + PAD], limit[MOST + PAD];
} batch;

// Walls and obstacles that may hide people; more than MOST_WALLS are not listed.
typedef struct hiding {
  int count;
  bool all; // are listed
  int item[MOST_WALLS];
  double clear; // squared distance to the nearest: nobody nearer is behind one
} hiding;

bool pc_sights_reserve(pc_sights *sights, int people)
{
  return pc_array_reserve(&sights->x, people) && pc_array_reserve(&sights->y, people) &&
         pc_array_reserve(&sights->u, people) && pc_array_reserve(&sights->v, people) &&
         pc_array_reserve(&sights->radius, people);
}

void pc_sights_free(pc_sights *sights)
{
  pc_array_free(&sights->x);
  pc_array_free(&sights->y);
  pc_array_free(&sights->u);
  pc_array_free(&sights->v);
  pc_array_free(&sights->radius);
}

INLINE double least(double a, double b)
{
  return a < b ? a : b;
}

INLINE double most(double a, double b)
{
  return a > b ? a : b;
}

// The box of all that can be seen, in the world.
INLINE void box_of_view(const pc_viewer *of, double box[4])
{
  for (int k = 0; k < 2; k++) {
    double end = of->from[k] + PC_SIGHT_REACH * of->way[k];
    double side = PC_SIGHT_ASIDE * fabs(of->way[1 - k]);
    box[k] = least(of->from[k], end) - side;
    box[2 + k] = most(of->from[k], end) + side;
  }
}

// Whether a wall from a to b reaches into what can be seen.
INLINE bool is_in_view(const pc_viewer *of, const double p[2], const double wall[4])
{
  double ahead[2], aside[2];
  for (int k = 0; k < 2; k++) {
    double dx = wall[2 * k] - p[0], dy = wall[2 * k + 1] - p[1];
    ahead[k] = dx * of->way[0] + dy * of->way[1];
    aside[k] = dy * of->way[0] - dx * of->way[1];
  }
  return most(ahead[0], ahead[1]) > -SLACK && least(ahead[0], ahead[1]) < PC_SIGHT_REACH + SLACK &&
         most(aside[0], aside[1]) > -PC_SIGHT_ASIDE - SLACK &&
         least(aside[0], aside[1]) < PC_SIGHT_ASIDE + SLACK;
}

// `box` in the world.
INLINE void find_hiding(const pc_viewer *of, const double box[4], hiding *found)
{
  const pc_layout *plan = of->plan;
  double p[2] = {of->from[0] - of->offset, of->from[1]}, near = INFINITY;
  double on_floor[4] = {box[0] - of->offset - SLACK, box[1] - SLACK, box[2] - of->offset + SLACK,
                        box[3] + SLACK};
  int item[MOST_WALLS], items = pc_layout_items(plan, on_floor, MOST_WALLS, item);
  *found = (hiding){.all = items <= MOST_WALLS};
  for (int i = 0; i < items && found->all; i++) {
    bool wall = item[i] < plan->walls;
    if (wall && !is_in_view(of, p, plan->wall[item[i]]))
      continue;
    near = least(near, pc_layout_item_distance(plan, item[i], p));
    found->item[found->count++] = item[i];
  }
  near = most(0, near - SLACK);
  found->clear = !found->all ? 0 : near * near;
}

// Whether a wall hides a place, in the world.
INLINE bool is_hidden(const pc_viewer *of, const hiding *by, double x, double y)
{
  double p[2] = {of->from[0] - of->offset, of->from[1]}, q[2] = {x - of->offset, y};
  if (!by->all)
    return pc_layout_bars(of->plan, p, q);
  for (int i = 0; i < by->count; i++)
    if (pc_layout_item_bars(of->plan, by->item[i], p, q))
      return true;
  return false;
}

// Where the edges of what can be seen are on a line through the cells, at a height y above the eye:
// between start + tilt y and end + tilt y, for the edges across the way and for those along it.
typedef struct edges {
  double start[2], end[2], tilt[2];
} edges;

INLINE edges edges_of_view(const double way[2])
{
  edges of;
  for (int k = 0; k < 2; k++) {
    bool level = fabs(way[k]) < 1e-3; // then they hardly limit x
    double part = 1 / (level ? 1 : way[k]);
    double end = part * (k == 0 ? PC_SIGHT_REACH : PC_SIGHT_ASIDE);
    double begin = k == 0 ? 0 : -end;
    of.start[k] = level ? -INFINITY : least(begin, end);
    of.end[k] = level ? INFINITY : most(begin, end);
    of.tilt[k] = level ? 0 : k == 0 ? -way[1] * part : way[0] * part;
  }
  return of;
}

// The columns of cells of a row that are in view; none: high < low.
INLINE void columns_in_view(const pc_viewer *of, const edges *view, int row, int *low, int *high)
{
  const pc_cells *cells = of->cells;
  double y = cells->low[1] + row * cells->size - of->from[1], start[2], end[2];
  for (int k = 0; k < 2; k++) {
    double one = view->tilt[k] * (y - SLACK), two = view->tilt[k] * (y + cells->size + SLACK);
    start[k] = view->start[k] + least(one, two);
    end[k] = view->end[k] + most(one, two);
  }
  double from = most(start[0], start[1]) - SLACK, to = least(end[0], end[1]) + SLACK;
  *low = pc_cells_along(cells, of->from[0] + from, 0);
  *high = to < from ? *low - 1 : pc_cells_along(cells, of->from[0] + to, 0);
}

INLINE void add_near(const pc_viewer *of, int begin, int end, batch *seen)
{
  const double *x = of->sights->x.at + begin, *y = of->sights->y.at + begin;
  for (int k = 0, to = seen->near; k < end - begin; k++, to++) {
    seen->x[to] = x[k];
    seen->y[to] = y[k];
    seen->place_near[to] = begin + k;
  }
  seen->near += end - begin;
}

// Leaves those who are in view.
INLINE void select_people(const pc_viewer *of, const hiding *by, batch *seen)
{
  const double px = of->from[0], py = of->from[1], wx = of->way[0], wy = of->way[1];
  for (int k = seen->near; k % PAD != 0; k++)
    seen->x[k] = seen->y[k] = INFINITY;
  int padded = (seen->near + PAD - 1) / PAD * PAD;
  for (int k = 0; k < padded; k++) {
    double dx = seen->x[k] - px, dy = seen->y[k] - py;
    double ahead = dx * wx + dy * wy, aside = dy * wx - dx * wy;
    seen->in_view[k] = (ahead > 0) & (ahead < PC_SIGHT_REACH) & (fabs(aside) < PC_SIGHT_ASIDE);
  }
  int count = 0;
  for (int k = 0; k < seen->near; k++) {
    seen->place[count] = seen->place_near[k];
    count += seen->in_view[k];
  }
  seen->count = by->all && by->count == 0 ? count : 0;
  seen->near = 0;
  if (seen->count == count)
    return;
  for (int k = 0; k < count; k++) { // without those who are hidden
    int n = seen->place[k];
    double x = of->sights->x.at[n], y = of->sights->y.at[n], dx = x - px, dy = y - py;
    seen->place[seen->count] = n;
    seen->count += dx * dx + dy * dy < by->clear || !is_hidden(of, by, x, y);
  }
}

// Gathers what counts of those in view, and adds people who do not count, to fill vectors.
INLINE int gather(const pc_viewer *of, batch *seen)
{
  const pc_sights *all = of->sights;
  const double wx = of->way[0], wy = of->way[1];
  for (int k = 0; k < seen->count; k++) {
    int n = seen->place[k];
    double dx = all->x.at[n] - of->from[0], dy = all->y.at[n] - of->from[1];
    seen->ahead[k] = dx * wx + dy * wy;
    seen->aside[k] = dy * wx - dx * wy;
    seen->speed[k] = all->u.at[n] * wx + all->v.at[n] * wy;
    seen->both[k] = of->radius + all->radius.at[n];
  }
  int padded = (seen->count + PAD - 1) / PAD * PAD;
  for (int k = seen->count; k < padded; k++) {
    seen->ahead[k] = 2 * PC_SIGHT_REACH;
    seen->aside[k] = seen->both[k] = 1;
    seen->speed[k] = 0;
  }
  return padded;
}

// People ahead count where they will be, at their speed relative to one's own.
INLINE void find_density(const pc_viewer *of, int padded, batch *seen)
{
  const double whole = 2 / (FILLED * PC_SIGHT_REACH * PC_SIGHT_ASIDE), up = whole / PEAK,
               down = whole / (PC_SIGHT_REACH - PEAK);
  const double later = of->walking->anticipation, along = of->along;
  for (int k = 0; k < padded; k++) {
    double x = most(0.05, seen->ahead[k] + later * (seen->speed[k] - along));
    double rising = up * x, falling = down * (PC_SIGHT_REACH - x);
    double here = (x < PEAK ? rising : falling) * (1 - 1 / PC_SIGHT_ASIDE * fabs(seen->aside[k]));
    seen->density[k] = x < PC_SIGHT_REACH ? here : 0;
  }
}

// How far to turn to the left because of each, before the two meet and beside each other.
INLINE void find_turns(const pc_viewer *of, int padded, batch *seen)
{
  const double along = of->along;
  for (int k = 0; k < padded; k++) {
    double ahead = seen->ahead[k], aside = seen->aside[k], both = seen->both[k];
    double speed = seen->speed[k];
    double y = aside + BIAS, width = fabs(y), closing = along - speed;
    double square = ahead * ahead + aside * aside, far = both + RANGE, away = sqrt(square);
    double room = 1 - 1 / RANGE * most(0, away - both);
    double beside = -SPACE * room * room * y * ahead / ((width + 0.05) * away);
    double wide = both + (speed < 0 ? ONCOMING : MARGIN), left = LATER * closing - (ahead - both);
    double soon = least(1, left / (LATER * closing)), near = 1 - width / wide;
    double evasion = copysign(EVADE * soon * near * least(1, closing), y);
    beside = square < far * far ? beside : 0;
    evasion = (closing > 0) & (left > 0) & (width < wide) ? evasion : 0;
    seen->turn[k] = beside - evasion;
  }
}

// The speed at which one runs into nobody who is in the way.
INLINE void find_limits(const pc_viewer *of, int padded, batch *seen)
{
  const double headway = of->walking->headway;
  for (int k = 0; k < padded; k++) {
    double aside = seen->aside[k], both = seen->both[k];
    double gap = seen->ahead[k] - sqrt(both * both - aside * aside / (BODY * BODY));
    double limit = most(0, gap) / headway;
    seen->limit[k] = fabs(aside) < BODY * both ? limit : INFINITY;
  }
}

// People who block each other would do so for ever if nobody waited.
INLINE bool is_blocked(const pc_viewer *of, const batch *seen)
{
  if (!(fabs(of->along) < STILL))
    return false;
  for (int k = 0; k < seen->count; k++) {
    double both = seen->both[k] + TOUCH, ahead = seen->ahead[k], aside = seen->aside[k];
    if (of->cells->point.at[seen->place[k]] < of->person && fabs(seen->speed[k]) < STILL &&
        ahead * ahead + aside * aside < both * both)
      return true;
  }
  return false;
}

INLINE void sum_up(const pc_viewer *of, const hiding *by, batch *seen, pc_view *view)
{
  select_people(of, by, seen);
  int padded = gather(of, seen);
  find_density(of, padded, seen);
  find_turns(of, padded, seen);
  find_limits(of, padded, seen);
  for (int k = 0; k < seen->count; k++) {
    view->density += seen->density[k];
    view->aside += seen->turn[k];
    view->speed = least(view->speed, seen->limit[k]);
  }
  view->yields = view->yields || is_blocked(of, seen);
}

INLINE pc_view look_ahead(const pc_viewer *of)
{
  const pc_cells *cells = of->cells;
  pc_view view = {.speed = INFINITY};
  double box[4];
  hiding by;
  batch seen;
  seen.near = 0;
  box_of_view(of, box);
  find_hiding(of, box, &by);
  edges limits = edges_of_view(of->way);
  int bottom = pc_cells_along(cells, box[1], 1), top = pc_cells_along(cells, box[3], 1);
  for (int row = bottom; row <= top; row++) {
    int low, high;
    columns_in_view(of, &limits, row, &low, &high);
    if (high < low)
      continue;
    const int *start = cells->start.at + row * cells->columns;
    for (int n = start[low], end = start[high + 1]; n < end;) {
      int stop = end - n < MOST - seen.near ? end : n + MOST - seen.near;
      add_near(of, n, stop, &seen);
      n = stop;
      if (seen.near == MOST)
        sum_up(of, &by, &seen, &view);
    }
  }
  sum_up(of, &by, &seen, &view);
  return view;
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) pc_view look_ahead_avx2(const pc_viewer *viewer)
{
  return look_ahead(viewer);
}
#endif

pc_view pc_look_ahead(const pc_viewer *viewer)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    return look_ahead_avx2(viewer);
#endif
  return look_ahead(viewer);
}
