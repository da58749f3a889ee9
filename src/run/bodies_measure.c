// Measured quantities of bodies, with or without a crowd.
#include <math.h>
#include <stdio.h>

#include "run/bodies.h"
#include "run/quantities.h"

static void add_deposit(pc_quantities *q, const pc_deposit *d)
{
  const pc_quantity all[] = {
      {.name = "bodies", .value = d->bodies, .whole = true},
      {.name = "moving", .value = d->moving, .whole = true},
      {.name = "astray", .value = d->astray, .whole = true},
      {.name = "below", .value = d->below, .whole = true},
      {.name = "runout", .unit = "m", .value = d->runout, .shown = PC_SHOW_MEAN},
      {.name = "drop", .unit = "m", .value = d->drop},
      {.name = "reach_angle", .unit = "degrees", .value = d->reach_angle, .shown = PC_SHOW_MEAN},
      {.name = "longest_travel", .unit = "m", .value = d->longest},
      {.name = "centre_travel", .unit = "m", .value = d->centre_travel, .shown = PC_SHOW_MEAN},
      {.name = "centre_drop", .unit = "m", .value = d->centre_drop},
      {.name = "spacing", .unit = "m", .value = d->spacing},
      {.name = "area", .unit = "m^2", .value = d->area},
      {.name = "thickest", .unit = "m", .value = d->thickest},
      {.name = "bulk_volume", .unit = "m^3", .value = d->bulk},
      {.name = "volume", .unit = "m^3", .value = d->volume},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_DEPOSIT, "deposit");
}

static void add_heat(pc_quantities *q, const pc_run_heat *h)
{
  const pc_quantity all[] = {
      {.name = "thermal", .unit = "J", .value = h->thermal, .shown = PC_SHOW_MEAN},
      {.name = "heat_outside", .unit = "J", .value = h->outside},
      {.name = "heat_obstacles", .unit = "J", .value = h->obstacles},
      {.name = "entropy_produced", .unit = "J/K", .value = h->entropy_produced},
      {.name = "hottest", .unit = "K", .value = h->hottest, .shown = PC_SHOW_MEAN},
      {.name = "hottest_time", .unit = "s", .value = h->hottest_time},
      {.name = "hottest_end", .unit = "K", .value = h->hottest_end},
      {.name = "coldest_end", .unit = "K", .value = h->coldest_end},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
}

static void add_end(pc_quantities *q, const pc_sensor *sensor)
{
  const pc_quantity all[] = {
      {.name = "force_end_min", .unit = "N", .value = sensor->end_range[0]},
      {.name = "force_end_max", .unit = "N", .value = sensor->end_range[1]},
  };
  char group[80];
  snprintf(group, sizeof group, "%.70s", sensor->name);
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_SENSOR, group);
}

// What presses at the end is a load, no impact: its impulse grows with the time of the run.
static void add_open(pc_quantities *q, const pc_sensor *sensor, int i, const char *group)
{
  const pc_quantity all[] = {
      {.name = "total_open", .unit = "N s", .value = sensor->open_total[i]},
      {.name = "force_end", .unit = "N", .value = sensor->end_force[i]},
      {.name = "open", .value = sensor->open, .whole = true},
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_SENSOR, group);
}

static void add_hits(pc_quantities *q, const pc_sensor *sensor)
{
  const pc_strike *hardest = &sensor->hardest, *strongest = &sensor->strongest;
  bool any = hardest->body.id > 0, ended = strongest->body.id > 0;
  const double none[] = {NAN, NAN, NAN};
  const double *hard = any ? hardest->point : none, *strong = ended ? strongest->point : none;
  const pc_quantity all[] = {
      {.name = "bodies", .value = sensor->struck, .whole = true, .shown = PC_SHOW_MEAN},
      {.name = "kinetic_max", .unit = "J", .value = hardest->value, .shown = PC_SHOW_MEAN},
      {.name = "kinetic_max_time", .unit = "s", .value = any ? hardest->time : NAN},
      {.name = "kinetic_max_mass", .unit = "kg", .value = any ? hardest->mass : NAN},
      {.name = "kinetic_max_x", .unit = "m", .value = hard[0]},
      {.name = "kinetic_max_y", .unit = "m", .value = hard[1]},
      {.name = "kinetic_max_z", .unit = "m", .value = hard[2]},
      {.name = "impulse_max", .unit = "N s", .value = strongest->value, .shown = PC_SHOW_MEAN},
      {.name = "impulse_max_time", .unit = "s", .value = ended ? strongest->time : NAN},
      {.name = "impulse_max_mass", .unit = "kg", .value = ended ? strongest->mass : NAN},
      {.name = "impulse_max_duration", .unit = "s", .value = ended ? strongest->duration : NAN},
      {.name = "impulse_max_x", .unit = "m", .value = strong[0]},
      {.name = "impulse_max_y", .unit = "m", .value = strong[1]},
      {.name = "impulse_max_z", .unit = "m", .value = strong[2]},
      {.name = "open", .value = sensor->open, .whole = true},
  };
  char group[80];
  snprintf(group, sizeof group, "%.70s", sensor->name);
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_SENSOR, group);
}

static void add_peak(pc_quantities *q, const pc_sensor *sensor, const char *unit)
{
  const double usual = 0.02; // s
  const pc_quantity all[] = {{.name = sensor->window == usual ? "peak_20ms" : "peak_window",
                              .unit = unit,
                              .value = sensor->peak,
                              .shown = PC_SHOW_MEAN},
                             {.name = "window", .unit = "s", .value = sensor->window}};
  char group[80];
  snprintf(group, sizeof group, "%.70s", sensor->name);
  pc_quantities_add_all(q, sensor->window == usual ? 1 : 2, all, PC_OF_SENSOR, group);
}

static void add_sensor(pc_quantities *q, const pc_sensor *sensor, double step)
{
  const char *unit = pc_sensor_unit(sensor);
  bool is_total = pc_sensor_is_total(sensor);
  for (int i = 0; i < pc_sensor_width(sensor); i++) {
    const pc_quantity mean = {
        .name = "mean", .unit = unit, .value = sensor->mean[i], .shown = PC_SHOW_MEAN};
    const pc_quantity total = {.name = "total",
                               .unit = unit,
                               .value = sensor->total[i],
                               .whole = sensor->kind == PC_SENSOR_HITS,
                               .shown = PC_SHOW_MEAN};
    const pc_quantity all[] = {is_total ? total : mean,
                               {.name = "min", .unit = unit, .value = sensor->low[i]},
                               {.name = "max",
                                .unit = unit,
                                .value = sensor->high[i],
                                .shown = is_total ? PC_SHOW_NOT : PC_SHOW_MEAN}};
    char group[80];
    snprintf(group, sizeof group, sensor->along ? "%.70s" : "%.70s %c", sensor->name, "xyz"[i]);
    pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_SENSOR, group);
    if (sensor->kind == PC_SENSOR_IMPULSE)
      add_open(q, sensor, i, group);
  }
  if (sensor->kind == PC_SENSOR_IMPULSE)
    add_end(q, sensor);
  if (sensor->kind == PC_SENSOR_HITS)
    add_hits(q, sensor);
  if (pc_sensor_has_peaks(sensor) && !(step > sensor->window))
    add_peak(q, sensor, sensor->kind == PC_SENSOR_HITS ? "N" : unit);
}

static pc_status add_exit(pc_quantities *q, const pc_scene *scene, int goal, pc_error *error)
{
  pc_exit_summary e;
  pc_status status = pc_run_exit(scene, goal, &e, error);
  if (status != PC_OK)
    return status;
  static const char flow[] = "people/min";
  bool all = goal < 0;
  const pc_quantity list[] = {
      {.name = "out", .value = e.out, .whole = true},
      {.name = "last", .unit = "s", .value = e.last},
      {.name = "mean", .unit = "s", .value = e.mean, .shown = all ? PC_SHOW_MEAN : PC_SHOW_NOT},
      {.name = "flow", .unit = flow, .value = e.flow, .shown = all ? PC_SHOW_MEAN : PC_SHOW_NOT},
      {.name = "flow_slope", .unit = flow, .value = e.slope},
      {.name = "flow_trimmed", .unit = flow, .value = e.trimmed},
      {.name = "flow_origin",
       .unit = flow,
       .value = e.origin,
       .shown = all ? PC_SHOW_POOLED : PC_SHOW_NOT},
      {.name = "flow_between", .unit = flow, .value = e.between},
  };
  pc_quantities_add_all(q, PC_COUNT(list), list, all ? PC_OF_ALL_EXITS : PC_OF_EXIT,
                        all ? "all exits" : scene->people.goal[goal].name);
  return PC_OK;
}

// How crowded it was, where there are maps.
static void add_crowding(pc_quantities *q, const pc_scene *scene, const pc_crowd_summary *s)
{
  const double *level = s->level_time;
  const pc_quantity maps[] = {
      {.name = "density_largest", .unit = "people/m^2", .value = s->densest.value},
      {.name = "pressure_largest", .unit = "N/m^2", .value = s->pressed.value},
      {.name = "level_a", .unit = "s", .value = level[0]},
      {.name = "level_b", .unit = "s", .value = level[1]},
      {.name = "level_c", .unit = "s", .value = level[2]},
      {.name = "level_d", .unit = "s", .value = level[3]},
      {.name = "level_e", .unit = "s", .value = level[4]},
      {.name = "level_f", .unit = "s", .value = level[5]},
  };
  const pc_quantity pushes[] = {
      {.name = "load_largest", .unit = "N", .value = s->load_largest},
      {.name = "load_window", .unit = "s", .value = s->load_window},
      {.name = "push_largest", .unit = "N s", .value = s->push_largest},
  };
  const pc_quantity lanes = {.name = "lanes", .value = s->lanes};
  if (s->mapped)
    pc_quantities_add_all(q, PC_COUNT(maps), maps, PC_OF_RUN, "");
  pc_quantities_add_all(q, PC_COUNT(pushes), pushes, PC_OF_RUN, "");
  if (scene->people.lanes.width > 0)
    pc_quantities_add(q, &lanes, PC_OF_RUN, "");
}

static pc_status add_people(pc_quantities *q, const pc_scene *scene, const pc_run_summary *s,
                            pc_error *error)
{
  pc_exit_summary all;
  pc_status status = pc_run_exit(scene, -1, &all, error);
  if (status != PC_OK)
    return status;
  int too_wide = 0;
  for (int i = 0; i < scene->people.tights; i++)
    too_wide += scene->people.tight[i].people;
  const pc_quantity list[] = {{.name = "people", .value = s->people, .whole = true},
                              {.name = "inside", .value = s->inside, .whole = true},
                              {.name = "waiting", .value = s->waiting, .whole = true},
                              {.name = "incapacitated", .value = s->incapacitated, .whole = true},
                              {.name = "too_wide", .value = too_wide, .whole = true},
                              {.name = "not_empty",
                               .value = s->inside > 0,
                               .whole = true,
                               .sums = true,
                               .shown = PC_SHOW_POOLED},
                              {.name = "evacuation",
                               .unit = "s",
                               .value = s->inside > 0 ? NAN : all.last,
                               .shown = PC_SHOW_MEAN}};
  pc_quantities_add_all(q, PC_COUNT(list), list, PC_OF_RUN, "");
  add_crowding(q, scene, &s->crowd);
  status = add_exit(q, scene, -1, error);
  for (int i = 0; i < scene->people.goals && status == PC_OK; i++)
    if (scene->people.goal[i].kind == PC_GOAL_EXIT)
      status = add_exit(q, scene, i, error);
  return status;
}

pc_status pc_bodies_measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantities *q,
                            pc_error *error)
{
  pc_status status = PC_OK;
  if (scene->crowd != NULL) {
    status = add_people(q, scene, summary, error);
  } else if (!summary->deposit.measured) { // which says more
    pc_quantities_show(q, "kinetic");
    pc_quantities_show(q, "dissipated");
    pc_quantities_show(q, "deepest");
  }
  pc_quantities_show(q, "steps_inaccurate");
  if (summary->heat.on)
    add_heat(q, &summary->heat);
  if (summary->deposit.measured)
    add_deposit(q, &summary->deposit);
  for (int i = 0; i < scene->sensors; i++)
    add_sensor(q, scene->sensor + i, scene->step);
  return status;
}
