#include "run/crowd_totals.h"

#include <math.h>

#include "core/error.h"
#include "crowd/layout.h"

#define LEAST_FREE 0.25 // of a square, for a peak of pressure
#define MOST_LEFT 0.95  // of those who leave, in the time that the frames of maps cover

// The intervals whose maps are shown.
static void choose_frames(const pc_recorded_crowd *crowd, pc_crowd_totals *t, const double *end,
                          long chosen[PC_TOTAL_FRAMES])
{
  long intervals = crowd->maps.intervals, span = 0;
  double until =
      crowd->exits > 0 ? crowd->exit[(int)(MOST_LEFT * (crowd->exits - 1))].time : INFINITY;
  while (span < intervals && (span == 0 || end[span - 1] < until))
    span++;
  t->frames = span < PC_TOTAL_FRAMES ? (int)span : PC_TOTAL_FRAMES;
  for (int k = 0; k < t->frames; k++)
    chosen[k] = t->frames < PC_TOTAL_FRAMES ? k : (long)((k + 0.5) * (double)span / t->frames);
}

static void raise_peak(pc_crowd_peak *peak, double value, double time, int floor,
                       const double place[2])
{
  if (isfinite(peak->value) && !(value > peak->value))
    return;
  *peak =
      (pc_crowd_peak){.value = value, .time = time, .floor = floor, .place = {place[0], place[1]}};
}

// As pc_maps_end does: a short interval makes no peak.
static void add_interval(const pc_recorded_crowd *crowd, pc_crowd_totals *t,
                         const pc_recorded_interval *i, bool counts)
{
  const pc_recorded_maps *m = &crowd->maps;
  for (int c = 0; c < m->cells; c++) {
    t->level_time[pc_service_level(i->around[c])] += i->density[c] * m->area[c] * i->span;
    if (!counts)
      continue;
    t->density_largest[c] = fmax(t->density_largest[c], i->density[c]);
    t->around_largest[c] = fmax(t->around_largest[c], i->around[c]);
    t->pressure_largest[c] = fmax(t->pressure_largest[c], i->pressure[c]);
    if (i->density[c] > 0)
      raise_peak(&t->densest, i->around[c], i->time, m->floor[c], m->centre[c]);
    if (i->pressure[c] > 0 && m->area[c] >= LEAST_FREE * m->spacing * m->spacing)
      raise_peak(&t->pressed, i->pressure[c], i->time, m->floor[c], m->centre[c]);
  }
}

static pc_status read_maps(pc_recorded_crowd *crowd, pc_crowd_totals *t, pc_error *error)
{
  pc_recorded_maps *m = &crowd->maps;
  pc_recorded_interval now;
  long chosen[PC_TOTAL_FRAMES] = {0};
  double **const all[] = {&t->density_largest, &t->around_largest, &t->pressure_largest, NULL};
  double *end = pc_arena_take(&t->memory, (size_t)m->intervals + 1, sizeof *end);
  bool made = pc_arena_take_vectors(&t->memory, m->cells + 1, all);
  for (int k = 0; k < PC_TOTAL_FRAMES && made; k++)
    made =
        (t->frame[k] = pc_arena_take(&t->memory, (size_t)m->cells + 1, sizeof **t->frame)) != NULL;
  if (!made || end == NULL || !pc_recorded_make_interval(crowd, &now))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = PC_OK;
  if (m->intervals > 0)
    status = pc_reading_rows(crowd->bodies.reading, "maps/time", 0, m->intervals, PC_RECORD_DOUBLE,
                             end, error);
  if (status == PC_OK)
    choose_frames(crowd, t, end, chosen);
  for (long k = 0; k < m->intervals && status == PC_OK; k++) {
    status = pc_recorded_read_interval(crowd, k, &now, error);
    if (status == PC_OK)
      add_interval(crowd, t, &now, k == 0 || now.span >= 0.5 * end[0]);
    for (int f = 0; f < t->frames && status == PC_OK; f++) {
      if (chosen[f] != k)
        continue;
      t->frame_time[f] = now.time;
      for (int c = 0; c < m->cells; c++)
        t->frame[f][c] = now.around[c];
    }
  }
  return status;
}

static void count_people(const pc_recorded_crowd *crowd, pc_crowd_totals *t,
                         const pc_recorded_people *people, long k)
{
  for (int i = 0; i < crowd->people; i++) {
    int on = people->floor[i];
    if (!people->present[i])
      continue;
    if (isnan(t->entered[i]))
      t->entered[i] = people->time;
    t->floor[on].count[k]++;
    for (int g = 0; g < crowd->goals; g++)
      if (crowd->goal[g].kind == PC_GOAL_AREA && crowd->goal[g].floor == on &&
          pc_is_inside(crowd->goal[g].count, crowd->goal[g].point, people->place[i]))
        t->goal[g].count[k]++;
  }
}

static void sum_up(pc_place_total *place, long times, const double *time)
{
  place->start = (int)place->count[0];
  place->empty = 0;
  for (long k = 0; k < times; k++) {
    if (place->count[k] > place->most) {
      place->most = (int)place->count[k];
      place->most_time = time[k];
    }
    if (place->count[k] > 0)
      place->empty = k + 1 < times ? time[k + 1] : INFINITY;
  }
}

static bool make_places(pc_arena *memory, pc_place_total **list, int count, long times)
{
  *list = pc_arena_take(memory, (size_t)count + 1, sizeof **list);
  for (int i = 0; i < count && *list != NULL; i++)
    (*list)[i].count = pc_arena_take(memory, (size_t)times + 1, sizeof(double));
  return !memory->failed;
}

static pc_status read_frames(pc_recorded_crowd *crowd, pc_crowd_totals *t, pc_error *error)
{
  pc_recorded_people people;
  t->times = crowd->bodies.frames > 0 ? crowd->bodies.frames : 0;
  t->time = pc_arena_take(&t->memory, (size_t)t->times + 1, sizeof *t->time);
  t->entered = pc_arena_take(&t->memory, (size_t)crowd->people + 1, sizeof *t->entered);
  if (!make_places(&t->memory, &t->floor, crowd->floors, t->times) ||
      !make_places(&t->memory, &t->goal, crowd->goals, t->times) ||
      !pc_recorded_make_people(crowd, &people))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < crowd->people; i++)
    t->entered[i] = NAN;
  for (long k = 0; k < t->times; k++) {
    if (pc_recorded_read_people(crowd, k, &people, error) != PC_OK)
      return error->status;
    t->time[k] = people.time;
    count_people(crowd, t, &people, k);
  }
  for (int f = 0; f < crowd->floors; f++)
    sum_up(&t->floor[f], t->times, t->time);
  for (int g = 0; g < crowd->goals; g++)
    sum_up(&t->goal[g], t->times, t->time);
  return PC_OK;
}

// Largest loads grow: the last frame has those of the run.
static pc_status read_loads(pc_recorded_crowd *crowd, pc_crowd_totals *t, pc_error *error)
{
  pc_reading *reading = crowd->bodies.reading;
  double *load = pc_arena_take(&t->memory, (size_t)crowd->people + 1, sizeof *load);
  if (load == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (crowd->bodies.frames < 1 || !pc_reading_has(reading, "loads/window") ||
      !pc_reading_has(reading, "frames/load_largest"))
    return PC_OK;
  pc_status status =
      pc_reading_rows(reading, "loads/window", 0, 1, PC_RECORD_DOUBLE, &t->load_window, error);
  if (status == PC_OK)
    status = pc_reading_rows(reading, "frames/load_largest", crowd->bodies.frames - 1, 1,
                             PC_RECORD_DOUBLE, load, error);
  t->load = 0;
  for (int i = 0; i < crowd->people && status == PC_OK; i++)
    t->load = fmax(t->load, load[i]);
  return status;
}

pc_status pc_crowd_totals_read(pc_recorded_crowd *crowd, pc_crowd_totals *t, pc_error *error)
{
  *t = (pc_crowd_totals){.densest = {.value = NAN, .time = NAN},
                         .pressed = {.value = NAN, .time = NAN},
                         .load = NAN,
                         .load_window = NAN};
  pc_status status = crowd->maps.cells > 0 ? read_maps(crowd, t, error) : PC_OK;
  if (status == PC_OK)
    status = read_loads(crowd, t, error);
  return status == PC_OK ? read_frames(crowd, t, error) : status;
}

void pc_crowd_totals_free(pc_crowd_totals *totals)
{
  pc_arena_free(&totals->memory);
}
