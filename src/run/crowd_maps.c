#include "run/crowd_maps.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "percuss/crowd_measures.h"
#include "record/csv.h"
#include "record/replace.h"

pc_status pc_crowd_maps_begin(pc_crowd_maps *m, const pc_scene *scene, pc_error *error)
{
  const pc_maps_def *def = &scene->people.maps;
  *m = (pc_crowd_maps){.steps = 0};
  pc_status status = pc_maps_make(&m->maps, scene->crowd, def->spacing, error);
  if (status != PC_OK || m->maps.cells == 0)
    return status;
  m->value = calloc(3 * (size_t)m->maps.cells, sizeof *m->value);
  if (m->value == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  m->steps = (long)fmin(1e15, fmax(1, round(def->every / scene->step)));
  return PC_OK;
}

void pc_crowd_maps_free(pc_crowd_maps *m)
{
  pc_maps_free(&m->maps);
  free(m->value);
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

static void put_array(pc_record *record, const char *name, pc_record_type type, long rows,
                      long columns, const void *data, const char *description, const char *unit)
{
  long size[2] = {rows, columns};
  if (pc_record_array(record, name, type, columns > 1 ? 2 : 1, size, data) == PC_OK)
    pc_record_describe(record, name, description, unit);
}

static int put_series(pc_record *record, const char *name, pc_record_type type, int rows,
                      const char *description, const char *unit)
{
  int handle = pc_record_series(record, name, type, rows, 1);
  if (handle >= 0)
    pc_record_describe(record, name, description, unit);
  return handle;
}

void pc_crowd_maps_declare(pc_crowd_maps *m, pc_record *record)
{
  const pc_maps *maps = &m->maps;
  int n = maps->cells;
  put_array(record, "maps/spacing", PC_RECORD_DOUBLE, 1, 1, &maps->spacing, "side of a cell", "m");
  put_array(record, "maps/floor", PC_RECORD_INT, n, 1, maps->at, "line of floors/name", NULL);
  put_array(record, "maps/centre", PC_RECORD_DOUBLE, n, 2, maps->centre,
            "of each cell, in the coordinates of the floor", "m");
  put_array(record, "maps/area", PC_RECORD_DOUBLE, n, 1, maps->area,
            "of each cell: where one can stand", "m2");
  m->time = put_series(record, "maps/time", PC_RECORD_DOUBLE, 1, "end of each interval", "s");
  m->density = put_series(record, "maps/density", PC_RECORD_FLOAT, n,
                          "people per m2, mean over the interval", "1/m2");
  m->speed = put_series(record, "maps/speed", PC_RECORD_FLOAT, n,
                        "mean speed of those there; -1: nobody", "m/s");
  m->pressure = put_series(record, "maps/pressure", PC_RECORD_FLOAT, n,
                           "sizes of contact percussions in the cell, by time and area", "N/m2");
}

static pc_status end_interval(pc_crowd_maps *m, const pc_scene *scene, pc_record *record,
                              pc_error *error)
{
  double time = pc_world_time(scene->world), every = (double)m->steps * scene->step;
  double *density = m->value, *speed = density + m->maps.cells, *pressure = speed + m->maps.cells;
  pc_maps_end(&m->maps, time, every, density, speed, pressure);
  if (record == NULL)
    return PC_OK;
  pc_record_append(record, m->density, density);
  pc_record_append(record, m->speed, speed);
  pc_record_append(record, m->pressure, pressure);
  pc_status status = pc_record_append(record, m->time, &time);
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
  *s = (pc_crowd_summary){.mapped = m != NULL, .push_person = -1, .lanes = NAN};
  s->densest.value = s->pressed.value = NAN;
  for (int i = 0; i < pc_crowd_people(scene->crowd); i++) {
    pc_person_state state;
    pc_crowd_person(scene->crowd, i, &state);
    if (state.push_largest > s->push_largest) {
      s->push_largest = state.push_largest;
      s->push_person = i;
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

// Who started in a cell, who of them are out, and the sum of their times.
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
  pc_map_cell cell;
  pc_maps_cell(maps, c, &cell);
  const double number[] = {
      maps->centre[c][0], maps->centre[c][1],  maps->area[c], cell.density,  cell.density_largest,
      cell.around,        cell.around_largest, cell.speed,    cell.pressure, cell.pressure_largest};
  for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
    char text[PC_CSV_NUMBER];
    pc_csv_number(number[k], text);
    pc_replace_print(file, ",%s", k == 7 && cell.speed < 0 ? "" : text);
  }
  pc_replace_print(file, ",%c,%c,%d,%d,", 'A' + pc_service_level(cell.around),
                   'A' + pc_service_level(cell.around_largest), from->started, from->out);
  if (from->out > 0) {
    char text[PC_CSV_NUMBER];
    pc_csv_number(from->time / from->out, text);
    pc_replace_print(file, "%s", text);
  }
  pc_replace_print(file, "\n");
}

pc_status pc_crowd_maps_write(const char *path, const pc_crowd_maps *m, const pc_scene *scene,
                              pc_error *error)
{
  origin *from = count_origins(&m->maps, scene);
  if (from == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_replace *file = pc_replace_begin(path, error);
  if (file == NULL) {
    free(from);
    return error->status;
  }
  pc_replace_print(file, "floor,x [m],y [m],area [m2],density [1/m2],largest_density [1/m2],"
                         "around [1/m2],largest_around [1/m2],speed [m/s],pressure [N/m2],"
                         "largest_pressure [N/m2],level,largest_level,started,out,mean_time [s]\n");
  for (int c = 0; c < m->maps.cells; c++) {
    pc_replace_text(file, scene->people.floor_names[m->maps.at[c]]);
    write_cell(file, &m->maps, c, from + c);
  }
  free(from);
  return pc_replace_end(file, error);
}
