// Walking in a crowd: how fast, and around whom, a person walks, given the people ahead. The
// numbers were fitted to Weidmann's speeds and to flows through bottlenecks (docs/crowds.md).
#include <math.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/threads.h"
#include "crowd/crowd.h"

enum { GRAIN = 1024, PHASES = 5 };
static const double EVERY = 0.045; // s, between looks at others
static const double CELL = 0.8;    // m, of the sorted people
static const double LEAST = 0.06;  // of the free speed, that remains in the densest crowd
static const double TURN = 1.3;    // largest tangent of the angle between the route and the way
static const double LEFT = 1.5;    // s after which somebody who left is not seen any more

pc_walking pc_walking_default(void)
{
  return (pc_walking){
      .model = PC_WALK_FOLLOW, .densest = 5.4, .rate = 2.563, .anticipation = 3, .headway = 0.06};
}

// Looks at others and decides how far to turn and how much slower to walk.
static void decide(pc_crowd *crowd, int person, const double way[2], double speed)
{
  const pc_walking *walking = &crowd->def.walking;
  pc_person *own = &crowd->person[person];
  const pc_floor *floor = &crowd->floors.at[own->floor];
  const double *p = crowd->place[person], *velocity = crowd->velocity[person];
  pc_viewer viewer = {.walking = walking,
                      .cells = &crowd->cells,
                      .outlook = &crowd->outlook,
                      .plan = &floor->plan,
                      .offset = floor->offset,
                      .person = person,
                      .from = {p[0], p[1]},
                      .radius = own->def.radius,
                      .way = {way[0], way[1]},
                      .along = velocity[0] * way[0] + velocity[1] * way[1]};
  pc_view seen = pc_look_ahead(&viewer);
  seen.speed = fmin(seen.speed, speed);
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
  const pc_crowd *crowd = job->crowd;
  const pc_outlook *outlook = &crowd->outlook;
  for (int n = begin; n < end; n++) {
    int i = crowd->cells.point.at[n];
    outlook->x.at[n] = crowd->ground[i][0];
    outlook->y.at[n] = crowd->ground[i][1];
    outlook->u.at[n] = crowd->velocity[i][0];
    outlook->v.at[n] = crowd->velocity[i][1];
    const double *wish = crowd->wish[i]; // of the last step: also who cannot walk faces the way
    double size = sqrt(wish[0] * wish[0] + wish[1] * wish[1]), part = size > 0 ? 1 / size : 0;
    outlook->heads_x.at[n] = part * wish[0];
    outlook->heads_y.at[n] = part * wish[1];
    outlook->radius.at[n] = crowd->person[i].def.radius;
  }
}

pc_status pc_walking_sort(pc_crowd *crowd, double time)
{
  sorting job = {crowd, time};
  int threads = crowd->def.threads > 1 ? crowd->def.threads : 1;
  pc_parallel(threads, crowd->people, GRAIN, place_range, &job);
  crowd->moves = 0;
  if (!pc_cells_sort(&crowd->cells, threads, crowd->people, (const double(*)[2])crowd->ground,
                     crowd->seen, CELL) ||
      !pc_outlook_reserve(&crowd->outlook, crowd->people))
    return pc_crowd_out_of_memory(crowd);
  const pc_cells *cells = &crowd->cells;
  pc_parallel(threads, pc_cells_points(cells), GRAIN, copy_range, &job);
  return PC_OK;
}
