#include "run/crowd_maps.h"

#include <math.h>
#include <stdlib.h>

#include "core/array.h"
#include "core/error.h"
#include "percuss/crowd_measures.h"
#include "record/replace.h"
#include "run/files.h"

pc_status pc_crowd_maps_begin(pc_crowd_maps *m, const pc_scene *scene, pc_error *error)
{
  const pc_maps_def *def = &scene->people.maps;
  *m = (pc_crowd_maps){.steps = 0};
  pc_status status = pc_maps_make(&m->maps, scene->crowd, def->spacing, error);
  if (status != PC_OK || m->maps.cells == 0)
    return status;
  m->density = calloc(3 * (size_t)m->maps.cells, sizeof *m->density);
  if (m->density == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  m->speed = m->density + m->maps.cells;
  m->pressure = m->speed + m->maps.cells;
  m->steps = (long)fmin(1e15, fmax(1, round(def->every / scene->step)));
  return PC_OK;
}

void pc_crowd_maps_free(pc_crowd_maps *m)
{
  pc_maps_free(&m->maps);
  free(m->density);
  *m = (pc_crowd_maps){0};
}

void *pc_crowd_maps_state(pc_crowd_maps *m)
{
  return m->steps > 0 ? m->maps.numbers : &m->none;
}

size_t pc_crowd_maps_bytes(const pc_crowd_maps *m)
{
  return (m->steps > 0 ? m->maps.count : 1) * sizeof(double);
}

void pc_crowd_maps_declare(pc_crowd_maps *m, pc_record *record)
{
  const pc_maps *maps = &m->maps;
  int n = maps->cells;
  const int32_t reach = maps->reach;
  const pc_record_item grid[] = {
      {"maps/spacing", PC_RECORD_DOUBLE, 1, 1, &maps->spacing, "side of a cell", "m"},
      {"maps/floor", PC_RECORD_INT, n, 1, maps->at, "row of floors/name", NULL},
      {"maps/centre", PC_RECORD_DOUBLE, n, 2, maps->centre,
       "of each cell, in the coordinates of the floor", "m"},
      {"maps/area", PC_RECORD_DOUBLE, n, 1, maps->area,
       "of each cell: area where a person can stand", "m2"},
      {"maps/reach", PC_RECORD_INT, 1, 1, &reach,
       "size of the neighbourhood of a cell, in cells to each side", NULL},
      {"maps/seen", PC_RECORD_LONG, n, 2, maps->seen,
       "of each cell: the cells of its neighbourhood that no wall hides, as bits, row by row",
       NULL},
  };
  const pc_record_item interval[] = {
      {"maps/time", PC_RECORD_DOUBLE, 1, 1, &m->time, "end of each interval", "s"},
      {"maps/density", PC_RECORD_FLOAT, n, 1, m->density, "people per m2, mean over the interval",
       "1/m2"},
      {"maps/speed", PC_RECORD_FLOAT, n, 1, m->speed, "mean speed of the people there; -1: nobody",
       "m/s"},
      {"maps/pressure", PC_RECORD_FLOAT, n, 1, m->pressure,
       "magnitudes of contact impulses in the cell, divided by time and area", "N/m2"},
  };
  pc_record_put_all(record, PC_COUNT(grid), grid);
  pc_record_declare(record, PC_RECORD_INTERVALS, PC_COUNT(interval), interval);
}

static pc_status end_interval(pc_crowd_maps *m, const pc_scene *scene, pc_record *record,
                              pc_error *error)
{
  m->time = pc_world_time(scene->world);
  pc_maps_end(&m->maps, m->time, (double)m->steps * scene->step, m->density, m->speed, m->pressure);
  pc_status status = record != NULL ? pc_record_append_all(record, PC_RECORD_INTERVALS) : PC_OK;
  return status == PC_OK ? PC_OK : pc_fail(error, status, "%s", pc_record_error(record));
}

pc_status pc_crowd_maps_step(pc_crowd_maps *m, const pc_scene *scene, pc_record *record,
                             pc_error *error)
{
  pc_maps_step(&m->maps, scene->crowd, scene->step);
  return pc_world_info(scene->world)->step % m->steps == 0 ? end_interval(m, scene, record, error)
                                                           : PC_OK;
}

pc_status pc_crowd_maps_end(pc_crowd_maps *m, const pc_scene *scene, pc_record *record,
                            pc_error *error)
{
  return *m->maps.span > 0 ? end_interval(m, scene, record, error) : PC_OK;
}

static pc_crowd_peak place_peak(const pc_maps *maps, pc_map_peak peak)
{
  if (peak.cell < 0)
    return (pc_crowd_peak){.value = NAN, .time = NAN};
  return (pc_crowd_peak){.value = peak.value,
                         .time = peak.time,
                         .floor = maps->at[peak.cell],
                         .place = {maps->centre[peak.cell][0], maps->centre[peak.cell][1]}};
}

void pc_crowd_maps_sum(const pc_crowd_maps *m, const pc_scene *scene, pc_crowd_summary *s)
{
  const pc_lanes_def *lanes = &scene->people.lanes;
  *s = (pc_crowd_summary){.mapped = m != NULL,
                          .push_person = -1,
                          .load_person = -1,
                          .load_window = pc_crowd_load_window(scene->crowd),
                          .lanes = NAN};
  s->densest.value = s->pressed.value = NAN;
  for (int i = 0; i < pc_crowd_people(scene->crowd); i++) {
    pc_person_state state;
    pc_crowd_person(scene->crowd, i, &state);
    if (state.push_largest > s->push_largest) {
      s->push_largest = state.push_largest;
      s->push_person = i;
    }
    if (state.load_largest > s->load_largest) {
      s->load_largest = state.load_largest;
      s->load_person = i;
    }
  }
  if (lanes->width > 0)
    s->lanes = pc_crowd_lanes(scene->crowd, lanes->axis, lanes->width);
  if (m == NULL)
    return;
  for (int k = 0; k < PC_LEVELS; k++)
    s->level_time[k] = m->maps.level[k];
  s->densest = place_peak(&m->maps, pc_maps_densest(&m->maps));
  s->pressed = place_peak(&m->maps, pc_maps_most_pressed(&m->maps));
}

// For each cell: people who started in it, how many of them are out, and the sum of their times.
typedef struct origin {
  int started, out;
  double time;
} origin;

static origin *count_origins(const pc_maps *maps, const pc_scene *scene)
{
  origin *list = calloc((size_t)maps->cells + 1, sizeof *list);
  for (int i = 0; i < pc_crowd_people(scene->crowd) && list != NULL; i++) {
    pc_person_def def = pc_crowd_person_def(scene->crowd, i);
    pc_person_state state;
    pc_crowd_person(scene->crowd, i, &state);
    int cell = pc_maps_find(maps, def.floor, def.position);
    if (cell < 0)
      continue;
    list[cell].started++;
    if (state.exit < 0)
      continue;
    list[cell].out++;
    list[cell].time += state.exit_time - (def.source >= 0 ? def.arrival : 0);
  }
  return list;
}

static void write_cell(pc_replace *file, const pc_maps *maps, int c, const origin *from)
{
  enum { SPEED = 7 }; // its place in the list; negative: nobody was there
  pc_map_cell cell;
  pc_maps_cell(maps, c, &cell);
  const double number[] = {
      maps->centre[c][0], maps->centre[c][1],  maps->area[c], cell.density,  cell.density_largest,
      cell.around,        cell.around_largest, cell.speed,    cell.pressure, cell.pressure_largest};
  pc_replace_print(file, ",");
  for (int k = 0; k < PC_COUNT(number); k++)
    if (k == SPEED && cell.speed < 0)
      pc_replace_print(file, ",");
    else
      pc_replace_number(file, number[k], ',');
  pc_replace_print(file, "%c,%c,%d,%d,", 'A' + pc_service_level(cell.around),
                   'A' + pc_service_level(cell.around_largest), from->started, from->out);
  if (from->out > 0)
    pc_replace_number(file, from->time / from->out, '\n');
  else
    pc_replace_print(file, "\n");
}

pc_status pc_crowd_maps_write(const char *path, const pc_crowd_maps *m, const pc_scene *scene,
                              pc_error *error)
{
  origin *from = count_origins(&m->maps, scene);
  if (from == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_replace *file = pc_replace_begin(path, pc_run_maps.own, error);
  if (file == NULL) {
    free(from);
    return error->status;
  }
  pc_run_write_head(file, &pc_run_maps, scene);
  for (int c = 0; c < m->maps.cells; c++) {
    pc_replace_text(file, scene->people.floor_names[m->maps.at[c]]);
    write_cell(file, &m->maps, c, from + c);
  }
  free(from);
  return pc_replace_end(file, error);
}
