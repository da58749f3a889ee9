// Walking in a crowd: how fast, and around whom, a person walks, given the people ahead. The
// numbers were fitted to Weidmann's speeds and to flows through bottlenecks (docs/crowds.md).
#include <math.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/threads.h"
#include "crowd/crowd.h"

enum { GRAIN = 1024, PHASES = 5 };
static const double EVERY = 0.045;  // s, between looks at others
static const double CELL = 0.8;     // m, of the sorted people
static const double REACH = 2.5;    // m: how far ahead people count
static const double PEAK = 0.3;     // m: where they count most
static const double ASIDE = 0.9;    // m to either side, up to where they count
static const double FILLED = 0.82;  // of what is seen ahead people can fill: nobody is in a person
static const double LEAST = 0.06;  // of the free speed, that remains in the densest crowd
static const double BODY = 0.3;     // of the breadth of two people, in which one is in the way
static const double LATER = 2.5;    // s: meetings after that count for nothing
static const double MARGIN = 0.2;   // m from people who are overtaken,
static const double ONCOMING = 0.4; // and from those who come the other way
static const double BIAS = 0.02;    // m: who would meet head-on pass on the right
static const double EVADE = 3;      // how strongly people evade each other before they meet,
static const double SPACE = 0.13;   // and make room when they are side by side
static const double RANGE = 0.5;    // m, of that
static const double TURN = 1.3;     // largest tangent of the angle between the route and the way
static const double LEFT = 1.5;     // s after which somebody who left is not seen any more
static const double TOUCH = 0.02;   // m
static const double STILL = 0.05;   // m/s

pc_walking pc_walking_default(void)
{
  return (pc_walking){
      .model = PC_WALK_FOLLOW, .densest = 5.4, .rate = 2.563, .anticipation = 3, .headway = 0.06};
}

// What a person has ahead.
typedef struct view {
  const pc_walking *walking;
  const pc_layout *plan;
  int person;
  double from[2], radius;
  double clear;  // distance to the nearest wall: nobody nearer is behind one
  double way[2]; // of the route, unit vector
  double along;  // own velocity along that
  double density;
  double speed; // at which the person does not run into anybody
  double aside; // to the left, as a tangent
  bool yields;
} view;

// People ahead count where they will be, at their speed relative to one's own.
static inline double density_of(const view *of, double ahead, double aside, double speed)
{
  double x = fmax(0.05, ahead + of->walking->anticipation * (speed - of->along));
  if (!(x < REACH))
    return 0;
  const double whole = 2 / (FILLED * REACH * ASIDE), up = whole / PEAK,
               down = whole / (REACH - PEAK);
  return (x < PEAK ? up * x : down * (REACH - x)) * (1 - 1 / ASIDE * fabs(aside));
}

// How far to turn to the left because of a person, before the two meet and beside each other.
static inline double turn_from(const view *of, double ahead, double aside, double speed,
                               double both)
{
  double y = aside + BIAS, closing = of->along - speed, turn = 0;
  double square = ahead * ahead + aside * aside, far = both + RANGE;
  if (square < far * far) {
    double away = sqrt(square), room = 1 - 1 / RANGE * fmax(0, away - both);
    turn = -SPACE * room * room * y * ahead / ((fabs(y) + 0.05) * away);
  }
  double wide = both + (speed < 0 ? ONCOMING : MARGIN), left = LATER * closing - (ahead - both);
  if (closing > 0 && left > 0 && fabs(y) < wide) {
    double soon = fmin(1, left / (LATER * closing)), near = 1 - fabs(y) / wide;
    turn -= copysign(EVADE * soon * near * fmin(1, closing), y);
  }
  return turn;
}

static inline void look_at(view *of, const pc_neighbour *it)
{
  double dx = it->at[0] - of->from[0], dy = it->at[1] - of->from[1];
  double ahead = dx * of->way[0] + dy * of->way[1], aside = dy * of->way[0] - dx * of->way[1];
  if (!(ahead > 0 && ahead < REACH && fabs(aside) < ASIDE))
    return;
  double square = dx * dx + dy * dy, both = of->radius + it->radius;
  if (!(square < of->clear * of->clear)) { // people behind a wall do not count
    double offset = it->offset, from[2] = {of->from[0] - offset, of->from[1]};
    if (pc_layout_bars(of->plan, from, (double[2]){it->at[0] - offset, it->at[1]}))
      return;
  }
  double speed = it->velocity[0] * of->way[0] + it->velocity[1] * of->way[1];
  of->density += density_of(of, ahead, aside, speed);
  of->aside += turn_from(of, ahead, aside, speed, both);
  if (fabs(aside) < BODY * both) {
    double gap = ahead - sqrt(both * both - aside * aside / (BODY * BODY));
    of->speed = fmin(of->speed, fmax(0, gap) / of->walking->headway);
  }
  // People who block each other would do so for ever if nobody waited.
  of->yields = of->yields || (it->person < of->person && fabs(of->along) < STILL &&
                              fabs(speed) < STILL && square < (both + TOUCH) * (both + TOUCH));
}

static void look_ahead(view *of, const pc_crowd *crowd)
{
  const pc_cells *cells = &crowd->cells;
  int low[2], high[2];
  for (int k = 0; k < 2; k++) {
    double end = of->from[k] + REACH * of->way[k], side = ASIDE * fabs(of->way[1 - k]);
    low[k] = pc_cells_along(cells, fmin(of->from[k], end) - side, k);
    high[k] = pc_cells_along(cells, fmax(of->from[k], end) + side, k);
  }
  for (int row = low[1]; row <= high[1]; row++) {
    const int *start = cells->start.at + row * cells->columns;
    for (int n = start[low[0]]; n < start[high[0] + 1]; n++)
      if (crowd->neighbour[n].person != of->person)
        look_at(of, &crowd->neighbour[n]);
  }
}

// Looks at others and decides how far to turn and how much slower to walk.
static void decide(pc_crowd *crowd, int person, const double way[2], double speed)
{
  const pc_walking *walking = &crowd->def.walking;
  pc_person *own = &crowd->person[person];
  const pc_floor *floor = &crowd->floors.at[own->floor];
  const double *p = crowd->place[person], *velocity = crowd->velocity[person];
  double on_floor[2] = {p[0] - floor->offset, p[1]};
  view seen = {.walking = walking,
               .plan = &floor->plan,
               .person = person,
               .from = {p[0], p[1]},
               .radius = own->def.radius,
               .clear = pc_layout_distance(&floor->plan, on_floor, REACH + ASIDE),
               .way = {way[0], way[1]},
               .along = velocity[0] * way[0] + velocity[1] * way[1],
               .speed = speed};
  look_ahead(&seen, crowd);
  if (seen.density > 0) { // Newell's curve, which is Weidmann's for 1.34 m/s
    double space = 1 / seen.density - 1 / walking->densest;
    double free = -speed * pc_expm1(-fmax(0, space) * walking->rate / speed);
    seen.speed = fmin(seen.speed, free);
  }
  own->pace = seen.yields ? 0 : fmax(seen.speed / speed, LEAST);
  own->turn = fmax(-TURN, fmin(TURN, seen.aside));
}

void pc_walking_adapt(pc_crowd *crowd, int person, double time, double way[2], double *speed)
{
  pc_person *own = &crowd->person[person];
  if (time >= own->decides) { // at first at once, then not all in the same step
    double wait = own->decides > 0 ? 1 : 1 + (double)(person % PHASES) / PHASES;
    decide(crowd, person, way, *speed);
    own->decides = time + wait * EVERY;
  }
  *speed *= own->pace;
  if (own->turn != 0) {
    double turn = own->turn, size = sqrt(1 + turn * turn), x = way[0], y = way[1];
    way[0] = (x - turn * y) / size;
    way[1] = (y + turn * x) / size;
  }
}

typedef struct sorting {
  pc_crowd *crowd;
  double time;
} sorting;

static void place_range(void *context, int begin, int end, int worker)
{
  const sorting *job = context;
  pc_crowd *crowd = job->crowd;
  for (int i = begin; i < end; i++) {
    bool there = crowd->there[i];
    double since = 0;
    if (!there) {
      since = crowd->person[i].exit >= 0 ? job->time - crowd->person[i].exit_time : INFINITY;
      there = since < LEFT;
    }
    crowd->seen[i] = there;
    for (int k = 0; k < 2 && there; k++)
      crowd->ground[i][k] = crowd->place[i][k] + since * crowd->velocity[i][k];
  }
}

static void copy_range(void *context, int begin, int end, int worker)
{
  const sorting *job = context;
  pc_crowd *crowd = job->crowd;
  for (int n = begin; n < end; n++) {
    int i = crowd->cells.point.at[n];
    const double *at = crowd->ground[i], *velocity = crowd->velocity[i];
    crowd->neighbour[n] = (pc_neighbour){.at = {at[0], at[1]},
                                         .velocity = {velocity[0], velocity[1]},
                                         .radius = crowd->person[i].def.radius,
                                         .offset = crowd->floors.at[crowd->walker[i].floor].offset,
                                         .person = i};
  }
}

pc_status pc_walking_sort(pc_crowd *crowd, double time)
{
  sorting job = {crowd, time};
  int threads = crowd->def.threads > 1 ? crowd->def.threads : 1;
  pc_parallel(threads, crowd->people, GRAIN, place_range, &job);
  crowd->moves = 0;
  if (!pc_cells_sort(&crowd->cells, crowd->people, (const double(*)[2])crowd->ground, crowd->seen,
                     CELL))
    return pc_crowd_out_of_memory(crowd);
  const pc_cells *cells = &crowd->cells;
  pc_parallel(threads, cells->start.at[cells->columns * cells->rows], GRAIN, copy_range, &job);
  return PC_OK;
}
