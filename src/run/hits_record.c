// Hits in the record, and their table.
#include <string.h>

#include "core/error.h"
#include "record/csv.h"
#include "record/replace.h"
#include "run/files.h"
#include "run/hits.h"

enum {
  SENSOR,
  BODIES,
  TIME,
  POINT,
  IMPULSE,
  NORMAL,
  LARGEST,
  DISSIPATED,
  SPEED,
  OPEN,
  MASS,
  KINETIC
};
static const pc_record_item columns[] = {
    [SENSOR] = {"sensor", PC_RECORD_INT, 1, 1, NULL, "line of hits/name", NULL},
    [BODIES] = {"bodies", PC_RECORD_INT, 1, 2, NULL,
                "the two bodies, counted from 0; the body selected by `bodies` of the sensor first",
                NULL},
    [TIME] = {"time", PC_RECORD_DOUBLE, 1, 2, NULL,
              "start of the first step and end of the last step", "s"},
    [POINT] = {"point", PC_RECORD_DOUBLE, 1, 3, NULL, "mean contact point, weighted by impulse",
               "m"},
    [IMPULSE] = {"impulse", PC_RECORD_DOUBLE, 1, 3, NULL, "impulse on the first body", "N s"},
    [NORMAL] = {"normal_impulse", PC_RECORD_DOUBLE, 1, 1, NULL,
                "sum of the impulses along the contact normals", "N s"},
    [LARGEST] = {"largest_force", PC_RECORD_DOUBLE, 1, 1, NULL,
                 "largest impulse of a step divided by the time step", "N"},
    [DISSIPATED] = {"dissipated", PC_RECORD_DOUBLE, 1, 1, NULL, "energy", "J"},
    [SPEED] = {"speed", PC_RECORD_DOUBLE, 1, 1, NULL,
               "approach speed along the normals before the first step", "m/s"},
    [OPEN] = {"open", PC_RECORD_BYTE, 1, 1, NULL, "1: not finished at the end of the record", NULL},
    [MASS] = {"mass", PC_RECORD_DOUBLE, 1, 2, NULL, "of the two bodies; 0: of an obstacle", "kg"},
    [KINETIC] = {"kinetic", PC_RECORD_DOUBLE, 1, 2, NULL,
                 "kinetic energy of the two bodies, translation and rotation, before the first "
                 "step; 0 for an obstacle",
                 "J"},
};

_Static_assert(PC_COUNT(columns) <= PC_ROWS_COLUMNS, "room for the columns of a group");

bool pc_hits_are_wanted(const pc_scene *scene)
{
  for (int k = 0; k < scene->sensors; k++)
    if (scene->sensor[k].kind == PC_SENSOR_HITS)
      return true;
  return false;
}

// Names of the sensors of hits. The caller frees the list, not the names; NULL when memory is out.
static char **list_names(const pc_scene *scene, int *count)
{
  char **names = calloc((size_t)scene->sensors + 1, sizeof *names);
  *count = 0;
  for (int k = 0; k < scene->sensors && names != NULL; k++)
    if (scene->sensor[k].kind == PC_SENSOR_HITS)
      names[(*count)++] = scene->sensor[k].name;
  return names;
}

pc_status pc_hits_describe(pc_record *record, const pc_scene *scene)
{
  int count;
  if (!pc_hits_are_wanted(scene))
    return PC_OK;
  char **names = list_names(scene, &count);
  if (names == NULL)
    return PC_ERROR_MEMORY;
  pc_status status = pc_record_names(record, "hits/name", count, names);
  free(names);
  return status;
}

void pc_hits_declare(pc_rows *rows, pc_record *record, const pc_scene *scene)
{
  if (pc_hits_are_wanted(scene))
    pc_rows_declare(
        rows, record, "hits", PC_COUNT(columns), columns,
        "first row of each step, in which hits were found to be over; then hits that are not over");
}

// The line of a sensor in hits/name.
static int32_t line_of(const pc_scene *scene, int sensor)
{
  int32_t line = 0;
  for (int k = 0; k < sensor; k++)
    line += scene->sensor[k].kind == PC_SENSOR_HITS;
  return line;
}

pc_status pc_hits_append(pc_rows *rows, pc_record *record, const pc_hit_list *list,
                         const pc_scene *scene)
{
  if (rows->columns == 0)
    return PC_OK;
  if (!pc_rows_reserve(rows, list->count))
    return PC_ERROR_MEMORY;
  for (int i = 0; i < list->count; i++) {
    const pc_hit *hit = &list->at[i];
    const int32_t bodies[] = {hit->body - 1, hit->by - 1};
    const double time[] = {hit->begin, hit->end};
    const double mass[] = {pc_body_get_mass(scene->world, (pc_body){hit->body}),
                           pc_body_get_mass(scene->world, (pc_body){hit->by})};
    double *point = pc_rows_at(rows, POINT, i);
    for (int k = 0; k < 3; k++)
      point[k] = hit->places[k] / hit->sizes;
    *(int32_t *)pc_rows_at(rows, SENSOR, i) = line_of(scene, hit->sensor);
    memcpy(pc_rows_at(rows, BODIES, i), bodies, sizeof bodies);
    memcpy(pc_rows_at(rows, TIME, i), time, sizeof time);
    memcpy(pc_rows_at(rows, IMPULSE, i), hit->impulse, sizeof hit->impulse);
    *(double *)pc_rows_at(rows, NORMAL, i) = hit->normal;
    *(double *)pc_rows_at(rows, LARGEST, i) = hit->largest;
    *(double *)pc_rows_at(rows, DISSIPATED, i) = hit->dissipated;
    *(double *)pc_rows_at(rows, SPEED, i) = hit->speed;
    memcpy(pc_rows_at(rows, MASS, i), mass, sizeof mass);
    memcpy(pc_rows_at(rows, KINETIC, i), hit->kinetic, sizeof hit->kinetic);
    *(uint8_t *)pc_rows_at(rows, OPEN, i) = (uint8_t)hit->open;
  }
  return pc_rows_append(rows, record, list->count);
}

// Reads `count` hits of the record from `first` on.
static pc_status read_rows(pc_rows *rows, pc_reading *reading, long first, int count,
                           pc_error *error)
{
  pc_status status = PC_OK;
  for (int c = 0; c < rows->columns && status == PC_OK; c++) {
    char name[40] = "hits/";
    strcat(name, columns[c].name);
    status = pc_reading_rows(reading, name, first, count, columns[c].type, rows->at[c], error);
  }
  return status;
}

static void write_numbers(pc_replace *file, const pc_rows *rows, int i, int from, int to)
{
  for (int n = from; n <= to; n++)
    for (int k = 0; k < columns[n].columns; k++) {
      char text[PC_CSV_NUMBER];
      double value = ((double *)pc_rows_at(rows, n, i))[k];
      pc_replace_print(file, ",");
      pc_replace_write(file, text, (size_t)pc_csv_number(value, text));
    }
}

static void write_row(pc_replace *file, const pc_rows *rows, int i, char *const *names,
                      const pc_scene *scene)
{
  const int32_t *body = pc_rows_at(rows, BODIES, i);
  pc_replace_text(file, names[*(int32_t *)pc_rows_at(rows, SENSOR, i)]);
  for (int b = 0; b < 2; b++) {
    pc_replace_print(file, ",");
    pc_replace_text(file, scene->names[body[b]]);
  }
  write_numbers(file, rows, i, TIME, SPEED);
  pc_replace_print(file, ",%d", *(uint8_t *)pc_rows_at(rows, OPEN, i));
  write_numbers(file, rows, i, MASS, KINETIC);
  pc_replace_print(file, "\n");
}

// Whether a row, which another process may have changed, names what the scene has.
static bool is_row_sound(const pc_rows *rows, int i, int sensors, const pc_scene *scene)
{
  int32_t sensor = *(int32_t *)pc_rows_at(rows, SENSOR, i);
  const int32_t *body = pc_rows_at(rows, BODIES, i);
  return sensor >= 0 && sensor < sensors && body[0] >= 0 && body[0] < scene->bodies &&
         body[1] >= 0 && body[1] < scene->bodies;
}

static pc_status write_rows(pc_replace *file, pc_reading *reading, pc_rows *rows,
                            char *const *names, int sensors, const pc_scene *scene, pc_error *error)
{
  enum { BLOCK = 1000 };
  long size[4] = {0};
  pc_status status = PC_OK;
  pc_reading_size(reading, "hits/sensor", size);
  if (!pc_rows_reserve(rows, BLOCK))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (long first = 0; first < size[0] && status == PC_OK; first += BLOCK) {
    int count = size[0] - first < BLOCK ? (int)(size[0] - first) : BLOCK;
    status = read_rows(rows, reading, first, count, error);
    for (int i = 0; i < count && status == PC_OK; i++)
      if (is_row_sound(rows, i, sensors, scene))
        write_row(file, rows, i, names, scene);
      else
        status = pc_fail(error, PC_ERROR_INPUT, "the table of hits is damaged");
  }
  return status;
}

pc_status pc_hits_write(const char *path, const char *record, const pc_scene *scene,
                        pc_error *error)
{
  int sensors;
  char **names = list_names(scene, &sensors);
  if (names == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_rows rows = {.columns = PC_COUNT(columns), .column = columns};
  pc_reading *reading = pc_reading_open(record, error);
  pc_replace *file = reading != NULL ? pc_replace_begin(path, pc_run_hits.own, error) : NULL;
  pc_status status = file != NULL ? PC_OK : error->status;
  if (file != NULL) {
    pc_run_write_head(file, &pc_run_hits, scene);
    status = write_rows(file, reading, &rows, names, sensors, scene, error);
    if (status == PC_OK)
      status = pc_replace_end(file, error);
    else
      pc_replace_discard(file);
  }
  pc_reading_close(reading);
  pc_rows_free(&rows);
  free(names);
  return status;
}
