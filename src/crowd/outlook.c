// Looks at the people ahead of a person. Most of the time of a crowd is spent here, so the work is
// cut into passes over short arrays, without branches, that compilers turn into vector
// instructions. Sums are made in the order of the cells: the instruction set does not change a bit.
#include "crowd/outlook.h"

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
static const double RIGHT = 4;      // how strongly people keep to the right of those who come, if
static const double FEW = 0.5;      // they are more than that (a sum of weights below 1)
static const double EVADE = 3;      // how strongly people evade each other before they meet,
static const double SPACE = 0.13;   // and make room when they are side by side
static const double RANGE = 0.5;    // m, of that
static const double TOUCH = 0.02;   // m
static const double STILL = 0.05;   // m/s
static const double SLACK = 1e-6;   // m: far above round-off
enum { MOST = 128, MOST_ROWS = 8, MOST_WALLS = 24 }; // people and rows of cells at a time

// Some of the people in view. `place` is in the order of the cells.
typedef struct batch {
  int count, place[MOST + PC_OUTLOOK_PAD];
  int in_view[MOST + PC_OUTLOOK_PAD];
  double ahead[MOST + PC_OUTLOOK_PAD], aside[MOST + PC_OUTLOOK_PAD], both[MOST + PC_OUTLOOK_PAD];
  double speed[MOST + PC_OUTLOOK_PAD], against[MOST + PC_OUTLOOK_PAD];
  double density[MOST + PC_OUTLOOK_PAD], coming[MOST + PC_OUTLOOK_PAD], turn[MOST + PC_OUTLOOK_PAD],
      limit[MOST + PC_OUTLOOK_PAD];
} batch;

// The columns of cells in view, of some rows of them; none: high < low.
typedef struct columns {
  int low[MOST_ROWS], high[MOST_ROWS];
} columns;

// Walls and obstacles that may hide people; more than MOST_WALLS are not listed.
typedef struct hiding {
  int count;
  bool all; // are listed
  int item[MOST_WALLS];
  double clear; // squared distance to the nearest: nobody nearer is behind one
} hiding;

bool pc_outlook_reserve(pc_outlook *outlook, int people)
{
  const int padded = people + PC_OUTLOOK_PAD;
  bool room = pc_array_reserve(&outlook->x, padded) && pc_array_reserve(&outlook->y, padded) &&
              pc_array_reserve(&outlook->u, people) && pc_array_reserve(&outlook->v, people) &&
              pc_array_reserve(&outlook->heads_x, people) &&
              pc_array_reserve(&outlook->heads_y, people) &&
              pc_array_reserve(&outlook->radius, people);
  for (int n = people; n < padded && room; n++)
    outlook->x.at[n] = outlook->y.at[n] = 0;
  return room;
}

void pc_outlook_free(pc_outlook *outlook)
{
  pc_array_free(&outlook->x);
  pc_array_free(&outlook->y);
  pc_array_free(&outlook->u);
  pc_array_free(&outlook->v);
  pc_array_free(&outlook->heads_x);
  pc_array_free(&outlook->heads_y);
  pc_array_free(&outlook->radius);
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
    double end = of->from[k] + PC_OUTLOOK_REACH * of->way[k];
    double side = PC_OUTLOOK_ASIDE * fabs(of->way[1 - k]);
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
  return most(ahead[0], ahead[1]) > -SLACK &&
         least(ahead[0], ahead[1]) < PC_OUTLOOK_REACH + SLACK &&
         most(aside[0], aside[1]) > -PC_OUTLOOK_ASIDE - SLACK &&
         least(aside[0], aside[1]) < PC_OUTLOOK_ASIDE + SLACK;
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
INLINE bool is_hidden(const pc_viewer *of, const hiding *by, const double at[2])
{
  double p[2] = {of->from[0] - of->offset, of->from[1]}, q[2] = {at[0] - of->offset, at[1]};
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
    double end = part * (k == 0 ? PC_OUTLOOK_REACH : PC_OUTLOOK_ASIDE);
    double begin = k == 0 ? 0 : -end;
    of.start[k] = level ? -INFINITY : least(begin, end);
    of.end[k] = level ? INFINITY : most(begin, end);
    of.tilt[k] = level ? 0 : k == 0 ? -way[1] * part : way[0] * part;
  }
  return of;
}

// Of the rows from the first on.
INLINE void columns_in_view(const pc_viewer *of, const edges *view, int first, columns *in)
{
  const pc_cells *cells = of->cells;
  const double bottom = cells->low[1] - of->from[1] - SLACK, size = cells->size;
  const double left = of->from[0] - cells->low[0], per = cells->per, last = cells->columns - 1;
  const double above = size + 2 * SLACK;
  for (int r = 0; r < MOST_ROWS; r++) {
    double y = bottom + (first + r) * size, top = y + above;
    double one = view->tilt[0] * y, two = view->tilt[0] * top;
    double start = view->start[0] + least(one, two), end = view->end[0] + most(one, two);
    one = view->tilt[1] * y, two = view->tilt[1] * top;
    start = most(start, view->start[1] + least(one, two)) - SLACK;
    end = least(end, view->end[1] + most(one, two)) + SLACK;
    double low = (left + start) * per, high = (left + end) * per;
    in->low[r] = (int)least(last, most(0, low));
    in->high[r] = end < start ? -1 : (int)least(last, most(0, high));
  }
}

// Adds the people in view of places begin .. end, which there is room for.
INLINE void add_people(const pc_viewer *of, const hiding *by, int begin, int end, batch *seen)
{
  const double *x = of->outlook->x.at + begin, *y = of->outlook->y.at + begin;
  const double px = of->from[0], py = of->from[1], wx = of->way[0], wy = of->way[1];
  int padded = (end - begin + PC_OUTLOOK_PAD - 1) / PC_OUTLOOK_PAD * PC_OUTLOOK_PAD;
  for (int k = 0; k < padded; k++) {
    double dx = x[k] - px, dy = y[k] - py, ahead = dx * wx + dy * wy, aside = dy * wx - dx * wy;
    seen->in_view[k] = (ahead > 0) & (ahead < PC_OUTLOOK_REACH) & (fabs(aside) < PC_OUTLOOK_ASIDE);
  }
  int first = seen->count, count = first;
  for (int k = 0; k < end - begin; k++) {
    seen->place[count] = begin + k;
    count += seen->in_view[k];
  }
  seen->count = by->all && by->count == 0 ? count : first;
  if (seen->count == count)
    return;
  for (int k = first; k < count; k++) { // without those who are hidden
    int n = seen->place[k];
    double there[2] = {of->outlook->x.at[n], of->outlook->y.at[n]};
    double dx = there[0] - px, dy = there[1] - py;
    seen->place[seen->count] = n;
    seen->count += dx * dx + dy * dy < by->clear || !is_hidden(of, by, there);
  }
}

// Gathers what counts of those in view, and adds people who do not count, to fill vectors.
INLINE int gather(const pc_viewer *of, batch *seen)
{
  const pc_outlook *all = of->outlook;
  const double wx = of->way[0], wy = of->way[1];
  for (int k = 0; k < seen->count; k++) {
    int n = seen->place[k];
    double dx = all->x.at[n] - of->from[0], dy = all->y.at[n] - of->from[1];
    seen->ahead[k] = dx * wx + dy * wy;
    seen->aside[k] = dy * wx - dx * wy;
    seen->speed[k] = all->u.at[n] * wx + all->v.at[n] * wy;
    seen->against[k] = most(0, -(all->heads_x.at[n] * wx + all->heads_y.at[n] * wy));
    seen->both[k] = of->radius + all->radius.at[n];
  }
  int padded = (seen->count + PC_OUTLOOK_PAD - 1) / PC_OUTLOOK_PAD * PC_OUTLOOK_PAD;
  for (int k = seen->count; k < padded; k++) {
    seen->ahead[k] = 2 * PC_OUTLOOK_REACH;
    seen->aside[k] = seen->both[k] = 1;
    seen->speed[k] = seen->against[k] = 0;
  }
  return padded;
}

// People ahead count where they will be, at their speed relative to one's own. One follows nobody
// who comes the other way: they do not count, and are evaded. Else two crowds that meet would wait
// for each other.
INLINE void find_density(const pc_viewer *of, int padded, batch *seen)
{
  const double whole = 2 / (FILLED * PC_OUTLOOK_REACH * PC_OUTLOOK_ASIDE), up = whole / PEAK,
               down = whole / (PC_OUTLOOK_REACH - PEAK);
  const double later = of->walking->anticipation, along = of->along;
  for (int k = 0; k < padded; k++) {
    double x = most(0.05, seen->ahead[k] + later * (seen->speed[k] - along));
    double rising = up * x, falling = down * (PC_OUTLOOK_REACH - x);
    double here = (x < PEAK ? rising : falling) * (1 - 1 / PC_OUTLOOK_ASIDE * fabs(seen->aside[k]));
    seen->density[k] = x < PC_OUTLOOK_REACH ? here * (1 - seen->against[k]) : 0;
  }
}

// How many come the other way, the nearest and those right ahead most.
INLINE void find_coming(int padded, batch *seen)
{
  for (int k = 0; k < padded; k++)
    seen->coming[k] = seen->against[k] * (1 - 1 / PC_OUTLOOK_REACH * seen->ahead[k]) *
                      (1 - 1 / PC_OUTLOOK_ASIDE * fabs(seen->aside[k]));
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
    evasion = ((closing > 0) & (left > 0) & (width < wide)) ? evasion : 0;
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

INLINE void sum_up(const pc_viewer *of, batch *seen, pc_view *view)
{
  int padded = gather(of, seen);
  find_density(of, padded, seen);
  find_coming(padded, seen);
  find_turns(of, padded, seen);
  find_limits(of, padded, seen);
  for (int k = 0; k < seen->count; k++) {
    view->density += seen->density[k];
    view->coming += seen->coming[k];
    view->aside += seen->turn[k];
    view->speed = least(view->speed, seen->limit[k]);
  }
  view->yields = view->yields || is_blocked(of, seen);
  seen->count = 0;
}

INLINE void add_row(const pc_viewer *of, const hiding *by, int begin, int end, batch *seen,
                    pc_view *view)
{
  while (begin < end) {
    int stop = end - begin < MOST - seen->count ? end : begin + MOST - seen->count;
    add_people(of, by, begin, stop, seen);
    begin = stop;
    if (seen->count == MOST)
      sum_up(of, seen, view);
  }
}

INLINE pc_view look_ahead(const pc_viewer *of)
{
  const pc_cells *cells = of->cells;
  pc_view view = {.speed = INFINITY};
  double box[4];
  hiding by;
  columns in;
  batch seen;
  seen.count = 0;
  box_of_view(of, box);
  find_hiding(of, box, &by);
  edges limits = edges_of_view(of->way);
  int bottom = pc_cells_along(cells, box[1], 1), top = pc_cells_along(cells, box[3], 1);
  for (int row = bottom; row <= top; row++) {
    int r = (row - bottom) % MOST_ROWS;
    if (r == 0)
      columns_in_view(of, &limits, row, &in);
    const int *start = cells->start.at + row * cells->columns;
    if (in.low[r] <= in.high[r])
      add_row(of, &by, start[in.low[r]], start[in.high[r] + 1], &seen, &view);
  }
  sum_up(of, &seen, &view);
  view.aside -= RIGHT * view.coming * view.coming / (view.coming + FEW);
  return view;
}

// 14 % of the time of a step of 4,000 people at 5 per square metre (h = 0.05 s).
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
