// Runs for ParaView: surfaces of bodies, of obstacles, and contacts, as VTK PolyData.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/file.h"
#include "geometry/pose.h"
#include "record/replace.h"
#include "record/vtk.h"
#include "run/exporting.h"

// A file that is put together: points, cells, and an array for each quantity. Quantities of a body
// are those of its points, of which there are fewer than faces.
enum { MOST_ARRAYS = 12 };
typedef struct builder {
  const pc_exporting *from;
  pc_arena *memory;
  int points, listed, faces, line_listed, lines; // used
  double (*place)[3];
  float (*narrow)[3]; // the same, if 32 bits do
  int32_t *face, *face_end, *line, *line_end;
  int arrays;
  pc_vtk_array array[MOST_ARRAYS];
  double *value[MOST_ARRAYS]; // of the body, `components` of them
} builder;

static bool is_shown(const pc_exporting *e, int body, bool resting)
{
  return e->rests[body] == resting && e->frame.there[body];
}

static pc_status count_all(builder *b, bool resting, pc_error *error)
{
  const pc_exporting *e = b->from;
  double points = 0, listed = 0, faces = 0, line_listed = 0, lines = 0;
  for (int i = 0; i < e->run.bodies; i++) {
    const pc_surface *s = &e->surface[e->run.shape[i]];
    if (!is_shown(e, i, resting))
      continue;
    points += s->points.count;
    listed += s->faces.count;
    faces += s->face_ends.count;
    line_listed += s->lines.count;
    lines += s->line_ends.count;
  }
  if (points > INT32_MAX || listed > INT32_MAX)
    return pc_fail(error, PC_ERROR_INPUT, "a VTK file can have at most 2^31 points");
  b->place = pc_arena_take_raw(b->memory, (size_t)points + 1, sizeof *b->place);
  b->narrow = pc_arena_take_raw(b->memory, (size_t)points + 1, sizeof *b->narrow);
  b->face = pc_arena_take_raw(b->memory, (size_t)listed + 1, sizeof *b->face);
  b->face_end = pc_arena_take_raw(b->memory, (size_t)faces + 1, sizeof *b->face_end);
  b->line = pc_arena_take_raw(b->memory, (size_t)line_listed + 1, sizeof *b->line);
  b->line_end = pc_arena_take_raw(b->memory, (size_t)lines + 1, sizeof *b->line_end);
  for (int k = 0; k < b->arrays; k++)
    b->array[k].data = pc_arena_take_raw(b->memory, (size_t)points + 1,
                                         (size_t)b->array[k].components * sizeof(float));
  return b->memory->failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory") : PC_OK;
}

// An array whose numbers are taken from `value`; FLOAT, INT or BYTE.
static void add_array(builder *b, const char *name, pc_record_type type, int components,
                      double *value)
{
  b->array[b->arrays] = (pc_vtk_array){name, type, components, NULL};
  b->value[b->arrays++] = value;
}

static void put_value(const pc_vtk_array *array, int point, const double *value)
{
  for (int c = 0; c < array->components; c++) {
    size_t at = (size_t)point * (size_t)array->components + (size_t)c;
    if (array->type == PC_RECORD_FLOAT)
      ((float *)array->data)[at] = (float)value[c];
    else if (array->type == PC_RECORD_INT)
      ((int32_t *)array->data)[at] = (int32_t)value[c];
    else
      ((uint8_t *)array->data)[at] = (uint8_t)value[c];
  }
}

static void put_cells(const pc_indices *from, const pc_indices *ends, int first, int32_t *point,
                      int *listed, int32_t *end, int *count)
{
  for (int i = 0; i < from->count; i++)
    point[*listed + i] = first + from->at[i];
  for (int i = 0; i < ends->count; i++)
    end[(*count)++] = *listed + ends->at[i];
  *listed += from->count;
}

static void put_surface(builder *b, int body)
{
  const pc_exporting *e = b->from;
  const pc_surface *s = &e->surface[e->run.shape[body]];
  pc_pose pose = pc_pose_of(e->frame.position[body], e->frame.orientation[body]);
  pc_recorded_origin(&e->run, &e->frame, body, pose.position);
  put_cells(&s->faces, &s->face_ends, b->points, b->face, &b->listed, b->face_end, &b->faces);
  put_cells(&s->lines, &s->line_ends, b->points, b->line, &b->line_listed, b->line_end, &b->lines);
  for (int i = 0; i < s->points.count; i++, b->points++) {
    pc_to_world(&pose, s->points.at[i].place, b->place[b->points]);
    for (int k = 0; k < b->arrays; k++)
      put_value(&b->array[k], b->points, b->value[k]);
  }
}

// Places in 32 bits, unless they are so far away that these are too coarse.
static pc_vtk_array place_array(builder *b)
{
  double farthest = 0;
  for (int i = 0; i < b->points; i++)
    for (int c = 0; c < 3; c++) {
      farthest = fmax(farthest, fabs(b->place[i][c]));
      b->narrow[i][c] = (float)b->place[i][c];
    }
  return farthest > PC_FAR_AWAY ? (pc_vtk_array){"Points", PC_RECORD_DOUBLE, 3, b->place}
                                : (pc_vtk_array){"Points", PC_RECORD_FLOAT, 3, b->narrow};
}

static pc_status write_surfaces(const pc_exporting *e, bool resting, const char *path,
                                pc_error *error)
{
  pc_arena memory = {0};
  builder b = {.from = e, .memory = &memory};
  double number, material, kind, group, mass, velocity[3], speed, spin[3], kelvin;
  add_array(&b, "body", PC_RECORD_INT, 1, &number);
  add_array(&b, "material", PC_RECORD_INT, 1, &material);
  if (!resting) {
    add_array(&b, "kind", PC_RECORD_BYTE, 1, &kind);
    add_array(&b, "mass", PC_RECORD_FLOAT, 1, &mass);
    add_array(&b, "velocity", PC_RECORD_FLOAT, 3, velocity);
    add_array(&b, "speed", PC_RECORD_FLOAT, 1, &speed);
    add_array(&b, "spin", PC_RECORD_FLOAT, 3, spin);
  }
  if (e->run.group != NULL && !resting)
    add_array(&b, "group", PC_RECORD_INT, 1, &group);
  if (e->run.heated)
    add_array(&b, "temperature", PC_RECORD_FLOAT, 1, &kelvin);
  pc_status status = count_all(&b, resting, error);
  for (int i = 0; i < e->run.bodies && status == PC_OK; i++) {
    if (!is_shown(e, i, resting))
      continue;
    number = i;
    material = e->run.material[i];
    kind = e->run.kind[i];
    mass = e->run.mass[i];
    group = e->run.group != NULL ? e->run.group[i] : 0;
    kelvin = e->run.heated ? e->frame.temperature[i] : 0;
    memcpy(velocity, e->frame.velocity[i], sizeof velocity);
    memcpy(spin, e->frame.spin[i], sizeof spin);
    speed = pc_hypot(pc_hypot(velocity[0], velocity[1]), velocity[2]);
    put_surface(&b, i);
  }
  pc_vtk file = {.time = e->frame.time,
                 .points = b.points,
                 .lines = {b.lines, b.line, b.line_end},
                 .polys = {b.faces, b.face, b.face_end},
                 .arrays = b.arrays,
                 .array = b.array,
                 .scalars = resting ? "material" : "speed"};
  if (status == PC_OK) {
    file.place = place_array(&b);
    status = pc_vtk_write(path, &file, error);
  }
  pc_arena_free(&memory);
  return status;
}

// Contacts as points; forces are means over the step that ends at the frame.
static pc_status write_contacts(pc_exporting *e, long frame, const char *path, pc_error *error)
{
  enum { BODIES, NORMAL, GAP, IMPULSE, FORCE, SIZE, DISSIPATED, ARRAYS };
  pc_arena memory = {0};
  pc_recorded_contact *list;
  int count;
  pc_status status = pc_recorded_read_contacts(&e->run, frame, &list, &count, error);
  if (status != PC_OK) {
    free(list);
    return status;
  }
  builder b = {.from = e, .memory = &memory, .points = count};
  double value[ARRAYS][3];
  add_array(&b, "bodies", PC_RECORD_INT, 2, value[BODIES]);
  add_array(&b, "normal", PC_RECORD_FLOAT, 3, value[NORMAL]);
  add_array(&b, "gap", PC_RECORD_FLOAT, 1, value[GAP]);
  add_array(&b, "impulse", PC_RECORD_FLOAT, 3, value[IMPULSE]);
  add_array(&b, "force", PC_RECORD_FLOAT, 3, value[FORCE]);
  add_array(&b, "force_size", PC_RECORD_FLOAT, 1, value[SIZE]);
  add_array(&b, "dissipated", PC_RECORD_FLOAT, 1, value[DISSIPATED]);
  size_t room = (size_t)count + 1;
  b.place = pc_arena_take(&memory, room, sizeof *b.place);
  b.narrow = pc_arena_take(&memory, room, sizeof *b.narrow);
  int32_t *point = pc_arena_take(&memory, room, sizeof *point);
  int32_t *end = pc_arena_take(&memory, room, sizeof *end);
  for (int k = 0; k < b.arrays; k++)
    b.array[k].data = pc_arena_take(&memory, room, (size_t)b.array[k].components * sizeof(float));
  if (memory.failed)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < count && status == PC_OK; i++) {
    const pc_recorded_contact *c = &list[i];
    memcpy(b.place[i], c->point, sizeof c->point);
    point[i] = i;
    end[i] = i + 1;
    for (int k = 0; k < 3; k++) {
      value[BODIES][k] = k < 2 ? c->bodies[k] : 0;
      value[NORMAL][k] = (double)c->normal[k];
      value[IMPULSE][k] = (double)c->impulse[k];
      value[FORCE][k] = (double)c->impulse[k] / e->run.step;
    }
    value[GAP][0] = (double)c->gap;
    value[SIZE][0] = pc_hypot(pc_hypot(value[FORCE][0], value[FORCE][1]), value[FORCE][2]);
    value[DISSIPATED][0] = (double)c->dissipated;
    for (int k = 0; k < b.arrays; k++)
      put_value(&b.array[k], i, value[k]);
  }
  pc_vtk file = {.time = e->frame.time,
                 .points = count,
                 .verts = {count, point, end},
                 .arrays = b.arrays,
                 .array = b.array,
                 .scalars = "force_size"};
  if (status == PC_OK) {
    file.place = place_array(&b);
    status = pc_vtk_write(path, &file, error);
  }
  free(list);
  pc_arena_free(&memory);
  return status;
}

// The names of all files: in the folder, and as the collection has them.
typedef struct series {
  const char *name;
  char **file, **path; // of each frame
  char *collection;
} series;

static char *print_name(pc_arena *memory, const char *folder, const char *name, long frame,
                        const char *ending)
{
  size_t size = strlen(folder) + strlen(name) + 40;
  char *text = pc_arena_take(memory, size, 1), number[24] = "";
  if (frame >= 0)
    snprintf(number, sizeof number, "-%06ld", frame);
  if (text != NULL)
    snprintf(text, size, "%s%s%s%s%s", folder, *folder != 0 ? "/" : "", name, number, ending);
  return text;
}

static pc_status name_series(pc_exporting *e, series *s, pc_arena *memory, pc_error *error)
{
  s->file = pc_arena_take(memory, (size_t)e->count, sizeof *s->file);
  s->path = pc_arena_take(memory, (size_t)e->count, sizeof *s->path);
  s->collection = print_name(memory, e->output, s->name, -1, ".pvd");
  for (long k = 0; k < e->count && !memory->failed; k++) {
    s->file[k] = print_name(memory, "", s->name, pc_exporting_frame(e, k), ".vtp");
    s->path[k] = print_name(memory, e->output, s->name, pc_exporting_frame(e, k), ".vtp");
  }
  if (memory->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pc_replace_check(s->collection, &pc_vtk_series_own, error);
  for (long k = 0; k < e->count && status == PC_OK; k++)
    status = pc_replace_check(s->path[k], &pc_vtk_own, error);
  e->exported.files += e->count + 1;
  return status;
}

static pc_status make_folder(const char *path, pc_error *error)
{
  struct stat there;
  if (mkdir(path, 0777) == 0)
    return PC_OK;
  int why = errno;
  if (why == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode))
    return PC_OK;
  return pc_fail(error, why == EEXIST ? PC_ERROR_INPUT : PC_ERROR_IO,
                 "cannot create the folder %s: %s", path, pc_file_reason(why));
}

static pc_status write_all(pc_exporting *e, const series *bodies, const series *contacts,
                           const char *obstacles, pc_arena *memory, pc_error *error)
{
  double *times = pc_arena_take(memory, (size_t)e->count, sizeof *times);
  pc_status status = times != NULL ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (long k = 0; k < e->count && status == PC_OK; k++) {
    long frame = pc_exporting_frame(e, k);
    status = pc_recorded_read(&e->run, frame, &e->frame, error);
    times[k] = e->frame.time;
    if (status == PC_OK && k == 0)
      status = write_surfaces(e, true, obstacles, error);
    if (status == PC_OK)
      status = write_surfaces(e, false, bodies->path[k], error);
    if (status == PC_OK && e->run.contacts)
      status = write_contacts(e, frame, contacts->path[k], error);
  }
  if (status == PC_OK)
    status = pc_vtk_write_series(bodies->collection, (int)e->count, times,
                                 (const char *const *)bodies->file, error);
  if (status == PC_OK && e->run.contacts)
    status = pc_vtk_write_series(contacts->collection, (int)e->count, times,
                                 (const char *const *)contacts->file, error);
  return status;
}

pc_status pc_export_vtk(pc_exporting *e, pc_error *error)
{
  pc_arena memory = {0};
  series bodies = {.name = "bodies"}, contacts = {.name = "contacts"};
  pc_status status = make_folder(e->output, error);
  if (status == PC_OK)
    status = name_series(e, &bodies, &memory, error);
  if (status == PC_OK && e->run.contacts)
    status = name_series(e, &contacts, &memory, error);
  char *obstacles = print_name(&memory, e->output, "obstacles", -1, ".vtp");
  if (status == PC_OK && obstacles == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK)
    status = pc_replace_check(obstacles, &pc_vtk_own, error);
  e->exported.files++;
  if (status == PC_OK)
    status = write_all(e, &bodies, &contacts, obstacles, &memory, error);
  pc_arena_free(&memory);
  return status;
}
