#include "run/recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "geometry/pose.h"
#include "run/taking.h"

enum { MOST = 1 << 28 }; // contacts of a frame

typedef struct source {
  pc_taking in;
  pc_recorded *to;
} source;

static void take_shapes(source *s)
{
  pc_recorded_shapes *a = &s->to->shapes;
  long count = -1, starts;
  a->type = pc_take(&s->in, "shapes/type", PC_RECORD_BYTE, &count, 1);
  starts = count + 1;
  a->count = (int)count;
  a->size = pc_take(&s->in, "shapes/size", PC_RECORD_DOUBLE, &count, 3);
  a->vertex_start = pc_take(&s->in, "shapes/vertex_start", PC_RECORD_LONG, &starts, 1);
  a->triangle_start = pc_take(&s->in, "shapes/triangle_start", PC_RECORD_LONG, &starts, 1);
  a->piece_start = pc_take(&s->in, "shapes/piece_start", PC_RECORD_LONG, &starts, 1);
  if (s->in.status != PC_OK)
    return;
  long vertices = a->vertex_start[count], triangles = a->triangle_start[count],
       pieces = a->piece_start[count];
  pc_check_starts(&s->in, "shapes/vertex_start", a->vertex_start, count, vertices);
  pc_check_starts(&s->in, "shapes/triangle_start", a->triangle_start, count, triangles);
  pc_check_starts(&s->in, "shapes/piece_start", a->piece_start, count, pieces);
  a->vertex = pc_take_if_any(&s->in, "shapes/vertex", PC_RECORD_DOUBLE, vertices, 3);
  a->triangle = pc_take_if_any(&s->in, "shapes/triangle", PC_RECORD_INT, triangles, 3);
  a->piece = pc_take_if_any(&s->in, "shapes/piece", PC_RECORD_INT, pieces, 1);
  a->piece_position = pc_take_if_any(&s->in, "shapes/piece_position", PC_RECORD_DOUBLE, pieces, 3);
  a->piece_orientation =
      pc_take_if_any(&s->in, "shapes/piece_orientation", PC_RECORD_DOUBLE, pieces, 4);
  for (long i = 0; i < count && s->in.status == PC_OK; i++)
    pc_check_range(&s->in, "shapes/triangle", (const int32_t *)(a->triangle + a->triangle_start[i]),
                   3 * (a->triangle_start[i + 1] - a->triangle_start[i]), 0,
                   a->vertex_start[i + 1] - a->vertex_start[i]);
  pc_check_range(&s->in, "shapes/piece", a->piece, s->in.status == PC_OK ? pieces : 0, 0, count);
  for (long i = 0; i < pieces && s->in.status == PC_OK; i++)
    if (a->type[a->piece[i]] == PC_RECORDED_COMPOUND)
      pc_take_fail(&s->in, "shapes/piece", "a compound must not be a piece of another compound");
}

static void take_bodies(source *s)
{
  pc_recorded *r = s->to;
  long n = -1, materials = -1;
  r->kind = pc_take(&s->in, "bodies/kind", PC_RECORD_BYTE, &n, 1);
  r->material = pc_take(&s->in, "bodies/material", PC_RECORD_INT, &n, 1);
  r->shape = pc_take(&s->in, "bodies/shape", PC_RECORD_INT, &n, 1);
  r->mass = pc_take(&s->in, "bodies/mass", PC_RECORD_DOUBLE, &n, 1);
  r->offset = pc_take(&s->in, "bodies/offset", PC_RECORD_DOUBLE, &n, 3);
  r->name = pc_take_names(&s->in, "bodies/name", &n);
  r->material_name = pc_take_names(&s->in, "materials/name", &materials);
  if (s->in.status != PC_OK)
    return;
  r->bodies = (int)n;
  r->materials = (int)materials;
  pc_check_range(&s->in, "bodies/material", r->material, n, 0, materials);
  pc_check_range(&s->in, "bodies/shape", r->shape, n, 0, r->shapes.count);
}

static void take_people(source *s)
{
  pc_recorded *r = s->to;
  long n = -1;
  int32_t *group = NULL;
  r->passing = pc_arena_take(&r->memory, (size_t)r->bodies + 1, sizeof *r->passing);
  if (pc_reading_has(r->reading, "people/body")) {
    r->person_body = pc_take(&s->in, "people/body", PC_RECORD_INT, &n, 1);
    group = pc_take(&s->in, "people/group", PC_RECORD_INT, &n, 1);
    r->group = pc_arena_take(&r->memory, (size_t)r->bodies + 1, sizeof *r->group);
    pc_check_range(&s->in, "people/body", r->person_body, s->in.status == PC_OK ? n : 0, 0,
                   r->bodies);
    r->people = s->in.status == PC_OK ? (int)n : 0;
  }
  n = -1;
  if (pc_reading_has(r->reading, "doors/body")) {
    r->door_body = pc_take(&s->in, "doors/body", PC_RECORD_INT, &n, 2);
    r->doors = s->in.status == PC_OK ? (int)n : 0;
  }
  if (s->in.status == PC_OK && r->memory.failed)
    s->in.status = pc_fail(s->in.error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < r->bodies && s->in.status == PC_OK && r->group != NULL; i++)
    r->group[i] = -1;
  for (int i = 0; i < r->people && s->in.status == PC_OK; i++) {
    r->passing[r->person_body[i]] = true;
    r->group[r->person_body[i]] = group[i];
  }
  for (int i = 0; i < r->doors && s->in.status == PC_OK; i++) {
    const int32_t *door = r->door_body[i];
    if (door[0] < 0 || door[1] < 0 || door[0] > r->bodies - door[1])
      pc_take_fail(&s->in, "doors/body", "an index is out of range");
    for (int k = 0; k < door[1] && s->in.status == PC_OK; k++)
      r->passing[door[0] + k] = true;
  }
}

static void take_all(source *s, const char *path)
{
  pc_recorded *r = s->to;
  r->reading = s->in.reading = pc_reading_open(path, s->in.error);
  if (r->reading == NULL) {
    s->in.status = s->in.error->status;
    return;
  }
  if (!pc_reading_has(r->reading, "shapes/type")) {
    pc_take_fail(&s->in, "", "the run has no bodies with shapes; open its .xdmf file in ParaView");
    return;
  }
  take_shapes(s);
  take_bodies(s);
  take_people(s);
  r->dimension = (int)pc_take_number(&s->in, "scene/dimension");
  r->step = pc_take_number(&s->in, "scene/step");
  r->frames = pc_reading_frames(r->reading, "frames");
  r->heated = pc_reading_has(r->reading, "frames/temperature");
  r->contacts = pc_reading_has(r->reading, "contacts/offset");
}

pc_status pc_recorded_open(const char *path, pc_recorded *recorded, pc_error *error)
{
  *recorded = (pc_recorded){.reading = NULL};
  source s = {.in = {.path = path, .memory = &recorded->memory, .error = error}, .to = recorded};
  take_all(&s, path);
  return s.in.status;
}

void pc_recorded_free(pc_recorded *recorded)
{
  pc_reading_close(recorded->reading);
  pc_arena_free(&recorded->memory);
  *recorded = (pc_recorded){.reading = NULL};
}

bool pc_recorded_make_frame(pc_recorded *r, pc_recorded_frame *frame)
{
  size_t n = (size_t)r->bodies + 1;
  *frame = (pc_recorded_frame){
      .position = pc_arena_take(&r->memory, n, sizeof *frame->position),
      .orientation = pc_arena_take(&r->memory, n, sizeof *frame->orientation),
      .velocity = pc_arena_take(&r->memory, n, sizeof *frame->velocity),
      .spin = pc_arena_take(&r->memory, n, sizeof *frame->spin),
      .temperature = r->heated ? pc_arena_take(&r->memory, n, sizeof *frame->temperature) : NULL,
      .there = pc_arena_take(&r->memory, n + (size_t)r->people + (size_t)r->doors,
                             sizeof *frame->there)};
  return !r->memory.failed;
}

static bool is_finite(const double *number, int count)
{
  bool finite = true;
  for (int i = 0; i < count; i++)
    finite = finite && isfinite(number[i]);
  return finite;
}

// Who is there: people that are present, doors that are shut.
static pc_status read_presence(pc_recorded *r, long k, pc_recorded_frame *frame, pc_error *error)
{
  pc_status status = PC_OK;
  unsigned char *flag = (unsigned char *)frame->there + r->bodies + 1; // room behind the bodies
  if (r->people > 0)
    status = pc_reading_rows(r->reading, "frames/present", k, 1, PC_RECORD_BYTE, flag, error);
  for (int i = 0; i < r->people && status == PC_OK; i++)
    frame->there[r->person_body[i]] = frame->there[r->person_body[i]] && flag[i] != 0;
  if (r->doors > 0 && status == PC_OK)
    status = pc_reading_rows(r->reading, "frames/door_open", k, 1, PC_RECORD_BYTE, flag, error);
  for (int i = 0; i < r->doors && status == PC_OK; i++)
    for (int b = 0; b < r->door_body[i][1] && flag[i] != 0; b++)
      frame->there[r->door_body[i][0] + b] = false;
  return status;
}

pc_status pc_recorded_read(pc_recorded *r, long k, pc_recorded_frame *frame, pc_error *error)
{
  const struct {
    const char *name;
    double *to;
  } parts[] = {{"frames/time", &frame->time},
               {"frames/position", *frame->position},
               {"frames/orientation", *frame->orientation},
               {"frames/velocity", *frame->velocity},
               {"frames/spin", *frame->spin},
               {"frames/temperature", frame->temperature}};
  for (int i = 0; i < 6 && (i < 5 || r->heated); i++)
    if (pc_reading_rows(r->reading, parts[i].name, k, 1, PC_RECORD_DOUBLE, parts[i].to, error) !=
        PC_OK)
      return error->status;
  for (int i = 0; i < r->bodies; i++)
    frame->there[i] = is_finite(frame->position[i], 3) && is_finite(frame->orientation[i], 4);
  return read_presence(r, k, frame, error);
}

void pc_recorded_origin(const pc_recorded *r, const pc_recorded_frame *frame, int body,
                        double origin[3])
{
  double turned[3], matrix[9];
  pc_quaternion_matrix(frame->orientation[body], matrix);
  pc_rotate(matrix, r->offset[body], turned);
  for (int i = 0; i < 3; i++)
    origin[i] = frame->position[body][i] + turned[i];
}

typedef struct columns {
  int32_t *bodies;
  double *point;
  float *normal, *gap, *impulse, *dissipated;
} columns;

static pc_status read_columns(pc_recorded *r, long first, long count, columns *c, pc_error *error)
{
  const struct {
    const char *name;
    pc_record_type as;
    void *to;
  } parts[] = {{"contacts/bodies", PC_RECORD_INT, c->bodies},
               {"contacts/point", PC_RECORD_DOUBLE, c->point},
               {"contacts/normal", PC_RECORD_FLOAT, c->normal},
               {"contacts/gap", PC_RECORD_FLOAT, c->gap},
               {"contacts/percussion", PC_RECORD_FLOAT, c->impulse},
               {"contacts/dissipated", PC_RECORD_FLOAT, c->dissipated}};
  for (int i = 0; i < 6; i++)
    if (pc_reading_rows(r->reading, parts[i].name, first, count, parts[i].as, parts[i].to, error) !=
        PC_OK)
      return error->status;
  return PC_OK;
}

pc_status pc_recorded_read_contacts(pc_recorded *r, long k, pc_recorded_contact **list, int *count,
                                    pc_error *error)
{
  int64_t offset[2];
  *list = NULL;
  *count = 0;
  if (pc_reading_rows(r->reading, "contacts/offset", k, 2, PC_RECORD_LONG, offset, error) != PC_OK)
    return error->status;
  int64_t rows = offset[1] - offset[0];
  if (offset[0] < 0 || rows < 0 || rows > MOST)
    return pc_fail(error, PC_ERROR_INPUT, "contacts/offset: must be increasing");
  size_t n = (size_t)rows + 1;
  pc_arena memory = {0};
  columns c = {.bodies = pc_arena_take(&memory, 2 * n, sizeof *c.bodies),
               .point = pc_arena_take(&memory, 3 * n, sizeof *c.point),
               .normal = pc_arena_take(&memory, 3 * n, sizeof *c.normal),
               .gap = pc_arena_take(&memory, n, sizeof *c.gap),
               .impulse = pc_arena_take(&memory, 3 * n, sizeof *c.impulse),
               .dissipated = pc_arena_take(&memory, n, sizeof *c.dissipated)};
  *list = calloc(n, sizeof **list);
  pc_status status = memory.failed || *list == NULL
                         ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                         : read_columns(r, (long)offset[0], (long)rows, &c, error);
  for (int64_t i = 0; i < rows && status == PC_OK; i++) {
    pc_recorded_contact *one = *list + i;
    memcpy(one->point, c.point + 3 * i, sizeof one->point);
    memcpy(one->normal, c.normal + 3 * i, sizeof one->normal);
    memcpy(one->impulse, c.impulse + 3 * i, sizeof one->impulse);
    memcpy(one->bodies, c.bodies + 2 * i, sizeof one->bodies);
    one->gap = c.gap[i];
    one->dissipated = c.dissipated[i];
  }
  pc_arena_free(&memory);
  *count = status == PC_OK ? (int)rows : 0;
  return status;
}
