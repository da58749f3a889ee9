// Forces on people: the desired velocity and the distance to others (book 6.37 and 6.38).
#include <math.h>

#include "core/elementary.h"
#include "core/prefetch.h"
#include "core/threads.h"
#include "crowd/crowd.h"

enum { GRAIN = 256, AT_A_TIME = PC_WAYS };
static const double OVERLAP = 3; // in ranges of the social force: beyond, it grows no more

typedef struct wish_job {
  pc_crowd *crowd;
  double time, h;
  double reach; // of the social force
} wish_job;

// Desired directions and speeds of some people.
typedef struct wishes {
  double way[AT_A_TIME][2], speed[AT_A_TIME];
} wishes;

// People that are looked up in one field at a time.
typedef struct askers {
  const pc_field *field;
  int who[AT_A_TIME];
  pc_ways ways;
} askers;

// The desired direction of a person as a unit vector, if it needs no field; else gives the field.
// Gives NULL and no direction where there is no route.
static inline const pc_field *find_way(const pc_crowd *crowd, int i, const double p[2],
                                       double way[2])
{
  const pc_walker *walker = &crowd->walker[i];
  const pc_target *target = &crowd->targets.at[walker->goal];
  if (target->kind == PC_TARGET_AREA && target->floor == walker->floor &&
      pc_is_inside(target->count, (const double(*)[2])target->point, p))
    return NULL; // there
  if (walker->straight && target->kind != PC_TARGET_CHOICE && target->floor == walker->floor) {
    double d[2] = {target->middle[0] - p[0], target->middle[1] - p[1]}, size = pc_hypot(d[0], d[1]);
    for (int k = 0; k < 2 && size > 0; k++)
      way[k] = d[k] / size;
    return NULL;
  }
  if (crowd->passages.count > 0 && pc_passages_way(crowd, &crowd->person[i], p, way))
    return NULL;
  if (walker->ability & PC_LIFTS && crowd->lifts.count > 0 && pc_lifts_stand(crowd, i))
    return NULL;
  const pc_field *fields = pc_fields_of(target, walker->ability);
  const pc_field *field = fields != NULL ? &fields[walker->floor] : NULL;
  return field != NULL && field->time != NULL ? field : NULL;
}

static double speed_at(const pc_floor *floor, const pc_person *person, const double p[2])
{
  const pc_grid *grid = &floor->grid;
  double ease = pc_ease(person), speed = person->def.speed * ease;
  int column = (int)round((p[0] - grid->low[0]) / grid->spacing);
  int row = (int)round((p[1] - grid->low[1]) / grid->spacing);
  int zone = pc_grid_has(grid, column, row) ? floor->slow[(size_t)row * grid->columns + column] : 0;
  if (zone == 0)
    return speed;
  double own = floor->zones.at[zone - 1].speed;
  return fmin(speed, own > 0 ? own : person->def.stairs_speed * ease);
}

// The speed on stairs with a slope, of a person who walks in this direction. A flight is one zone.
static double speed_on_slope(const pc_floor *floor, const pc_person *person, const double way[2])
{
  double own = floor->zones.at[0].speed, slope = way[0] > 0 ? floor->slope : -floor->slope;
  double speed = person->def.own_stairs ? fmin(person->def.speed, person->def.stairs_speed)
                                        : person->def.speed * pc_stairs_ratio(slope);
  speed *= pc_ease(person);
  return own > 0 ? fmin(own, speed) : speed;
}

static void ask(askers *all, wishes *of)
{
  pc_ways *ways = &all->ways;
  if (ways->count > 0)
    pc_field_ways(all->field, ways);
  for (int k = 0; k < ways->count; k++) {
    of->way[all->who[k]][0] = ways->way[0][k];
    of->way[all->who[k]][1] = ways->way[1][k];
  }
  ways->count = 0;
}

// The wishes of the people who are present.
static void find_wishes(const wish_job *job, int begin, int end, wishes *of)
{
  const pc_crowd *crowd = job->crowd;
  askers all;
  all.field = NULL;
  all.ways.count = 0;
  for (int i = begin; i < end; i++) {
    const pc_walker *walker = &crowd->walker[i];
    const pc_floor *floor = &crowd->floors.at[walker->floor];
    int k = i - begin;
    double p[2] = {crowd->place[i][0] - floor->offset, crowd->place[i][1]}, *way = of->way[k];
    pc_prefetch(crowd->walker, i + AT_A_TIME, sizeof *walker);
    way[0] = way[1] = of->speed[k] = 0;
    if (!crowd->there[i] || job->time < walker->from)
      continue;
    of->speed[k] = floor->zones.count > 0 ? speed_at(floor, &crowd->person[i], p) : walker->speed;
    const pc_field *field = find_way(crowd, i, p, way);
    if (field == NULL)
      continue;
    if (field != all.field)
      ask(&all, of);
    all.field = field;
    int n = all.ways.count++;
    all.who[n] = k;
    all.ways.at[0][n] = p[0];
    all.ways.at[1][n] = p[1];
  }
  ask(&all, of);
  for (int i = begin; i < end; i++) {
    const pc_floor *floor = &crowd->floors.at[crowd->walker[i].floor];
    if (floor->slope != 0 && of->speed[i - begin] > 0)
      of->speed[i - begin] = speed_on_slope(floor, &crowd->person[i], of->way[i - begin]);
  }
}

static inline void set_wish(const wish_job *job, int i, const double way[2], double speed,
                            double force[6])
{
  pc_crowd *crowd = job->crowd;
  const pc_walker *walker = &crowd->walker[i];
  bool follows = !crowd->def.first_order && walker->relaxation > job->h;
  double relaxation = follows ? walker->relaxation : job->h;
  for (int k = 0; k < 2; k++) {
    crowd->wish[i][k] = speed * way[k];
    force[k] = walker->mass * (crowd->wish[i][k] - crowd->velocity[i][k]) / relaxation;
  }
}

// The torque towards the orientation wished, for people as discs of even density. It is that of the
// mean angle and spin of the step (trapezoidal rule): it gives no energy, however stiff.
static void set_torque(const wish_job *job, int i, double force[6])
{
  const double pi = 3.14159265358979323846;
  pc_crowd *crowd = job->crowd;
  pc_person *person = &crowd->person[i];
  double k = crowd->def.turning.stiffness;
  double inertia = 0.5 * person->def.mass * person->def.radius * person->def.radius;
  if (crowd->wish[i][0] != 0 || crowd->wish[i][1] != 0)
    person->facing = pc_atan2(crowd->wish[i][1], crowd->wish[i][0]);
  double turned = remainder(crowd->angle[i] - person->facing, 2 * pi);
  double resistance = 0.5 * job->h * k + 2 * crowd->def.turning.damping * sqrt(inertia * k);
  force[5] =
      -(k * turned + resistance * crowd->spin[i]) / (1 + 0.5 * job->h * resistance / inertia);
}

// Adds the social force of the others on a person.
static void add_social(const wish_job *job, int i, double sum[6])
{
  pc_crowd *crowd = job->crowd;
  const pc_social *social = &crowd->def.social;
  const pc_cells *cells = &crowd->cells;
  const pc_person *person = &crowd->person[i];
  const pc_floor *floor = &crowd->floors.at[person->floor];
  const double *p = crowd->place[i];
  double size = pc_hypot(crowd->wish[i][0], crowd->wish[i][1]);
  int low[2], high[2];
  for (int k = 0; k < 2; k++) {
    low[k] = pc_cells_along(cells, p[k] - job->reach, k);
    high[k] = pc_cells_along(cells, p[k] + job->reach, k);
  }
  for (int row = low[1]; row <= high[1]; row++)
    for (int column = low[0]; column <= high[0]; column++) {
      const int *start = cells->start.at + row * cells->columns + column;
      for (int n = start[0]; n < start[1]; n++) {
        int j = cells->point.at[n];
        double d[2] = {crowd->place[j][0] - p[0], crowd->place[j][1] - p[1]};
        double away = pc_hypot(d[0], d[1]);
        if (j == i || !crowd->there[j] || !(away > 0) || away > job->reach)
          continue;
        double gap = away - person->def.radius - crowd->person[j].def.radius, cosine = 0;
        if (!social->sideways && size > 0)
          cosine = (crowd->wish[i][0] * d[0] + crowd->wish[i][1] * d[1]) / (size * away);
        double factor = social->anisotropy + (1 - social->anisotropy) * 0.5 * (1 + cosine);
        double force = social->strength * pc_exp(fmin(-gap / social->range, OVERLAP)) * factor;
        double from[2] = {p[0] - floor->offset, p[1]}, to[2] = {from[0] + d[0], from[1] + d[1]};
        if (pc_layout_bars(&floor->plan, from, to)) // people behind a wall do not count
          continue;
        sum[0] -= force * d[0] / away;
        sum[1] -= force * d[1] / away;
      }
    }
}

// Of AT_A_TIME people at most.
static void set_range(const wish_job *job, int begin, int end)
{
  pc_crowd *crowd = job->crowd;
  wishes all;
  double force[AT_A_TIME][6] = {0};
  find_wishes(job, begin, end, &all);
  for (int i = begin; i < end; i++)
    if (crowd->there[i]) {
      int k = i - begin;
      double *own = force[k];
      double *way = all.way[k];
      bool walks = all.speed[k] > 0 && (way[0] != 0 || way[1] != 0);
      if (walks && crowd->def.walking.model == PC_WALK_FOLLOW)
        pc_walking_adapt(crowd, i, job->time, way, &all.speed[k]);
      set_wish(job, i, way, all.speed[k], own);
      if (job->reach > 0)
        add_social(job, i, own);
      if (crowd->walker[i].group >= 0)
        pc_group_push(crowd, i, own);
      if (crowd->def.turns && crowd->def.turning.stiffness > 0)
        set_torque(job, i, own);
    }
  pc_world_set_forces(crowd->world, pc_crowd_body(crowd, begin), end - begin,
                      (const double(*)[6])force);
}

static void set_all(void *context, int begin, int end, int worker)
{
  for (int i = begin; i < end; i += AT_A_TIME)
    set_range(context, i, i + AT_A_TIME < end ? i + AT_A_TIME : end);
}

// Beyond this distance of centres the force is below a tenth of a newton.
static double social_reach(const pc_crowd *crowd)
{
  const pc_social *social = &crowd->def.social;
  double largest = 0;
  if (!(social->strength > 0))
    return 0;
  for (int i = 0; i < crowd->people; i++)
    largest = fmax(largest, crowd->person[i].def.radius);
  return 2 * largest + social->range * fmax(0, pc_log(social->strength / 0.1));
}

pc_status pc_wishes_set(pc_crowd *crowd, double h)
{
  wish_job job = {crowd, pc_world_time(crowd->world), h, social_reach(crowd)};
  bool follow = crowd->def.walking.model == PC_WALK_FOLLOW;
  pc_status status = follow          ? pc_walking_sort(crowd, job.time)
                     : job.reach > 0 ? pc_room_sort(crowd, job.reach)
                                     : PC_OK;
  // Makes room for forces on all, so that threads may set them.
  const double none[1][6] = {{0}};
  if (status == PC_OK)
    status =
        pc_crowd_check(crowd, pc_world_set_forces(crowd->world, pc_crowd_body(crowd, 0), 1, none));
  if (status == PC_OK)
    pc_parallel(crowd->def.threads > 1 ? crowd->def.threads : 1, crowd->people, GRAIN, set_all,
                &job);
  return status;
}
