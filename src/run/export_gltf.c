// Runs as binary glTF: a mesh for each shape and material, a node for each body, an animation.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "geometry/pose.h"
#include "record/gltf.h"
#include "record/replace.h"
#include "run/exporting.h"

// Beyond this 32 bits resolve less than 0.1 mm.
#define FAR 1e3 // m

typedef struct model {
  pc_exporting *from;
  pc_arena memory;
  int *mesh_of; // shape x material; -1: none
  PC_ARRAY(pc_gltf_mesh) meshes;
  PC_ARRAY(pc_gltf_node) nodes;
  int *body;           // of each node
  double (*centre)[3]; // of the points of each shape, which its mesh is seen from
  pc_gltf_material *material;
  float *time;
  double origin[3];
} model;

static const float colors[][3] = {
    {0.48F, 0.40F, 0.32F}, {0.10F, 0.24F, 0.47F}, {0.55F, 0.20F, 0.08F}, {0.11F, 0.33F, 0.14F},
    {0.42F, 0.42F, 0.42F}, {0.60F, 0.44F, 0.08F}, {0.30F, 0.12F, 0.36F}, {0.06F, 0.36F, 0.38F}};

static float *take_floats(model *m, size_t count)
{
  return pc_arena_take_raw(&m->memory, count + 1, sizeof(float));
}

// The middle of the points of a shape that is far from its own origin, else 0.
static void find_centre(const pc_surface *s, double centre[3])
{
  for (int c = 0; c < 3; c++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->points.count; i++) {
      low = fmin(low, s->points.at[i].place[c]);
      high = fmax(high, s->points.at[i].place[c]);
    }
    centre[c] = fmax(fabs(low), fabs(high)) > FAR ? (low + high) / 2 : 0;
  }
}

// Fans of triangles, and the segments of lines.
static void put_indices(model *m, const pc_surface *s, pc_gltf_mesh *mesh)
{
  for (int i = 0, from = 0; i < s->face_ends.count; from = s->face_ends.at[i++])
    mesh->triangles += s->face_ends.at[i] - from - 2;
  for (int i = 0, from = 0; i < s->line_ends.count; from = s->line_ends.at[i++])
    mesh->lines += s->line_ends.at[i] - from - 1;
  uint32_t *triangle = pc_arena_take(&m->memory, 3 * (size_t)mesh->triangles + 1, sizeof *triangle);
  uint32_t *line = pc_arena_take(&m->memory, 2 * (size_t)mesh->lines + 1, sizeof *line);
  mesh->triangle = triangle;
  mesh->line = line;
  if (m->memory.failed)
    return;
  for (int i = 0, from = 0; i < s->face_ends.count; from = s->face_ends.at[i++])
    for (int k = from + 1; k + 1 < s->face_ends.at[i]; k++) {
      *triangle++ = (uint32_t)s->faces.at[from];
      *triangle++ = (uint32_t)s->faces.at[k];
      *triangle++ = (uint32_t)s->faces.at[k + 1];
    }
  for (int i = 0, from = 0; i < s->line_ends.count; from = s->line_ends.at[i++])
    for (int k = from; k + 1 < s->line_ends.at[i]; k++) {
      *line++ = (uint32_t)s->lines.at[k];
      *line++ = (uint32_t)s->lines.at[k + 1];
    }
}

// The number of the mesh of a shape in the colour of a material; -1 when memory is out.
static int make_mesh(model *m, int shape, int material)
{
  pc_exporting *e = m->from;
  int *known = &m->mesh_of[(size_t)shape * (size_t)e->run.materials + (size_t)material];
  if (*known >= 0)
    return *known;
  const pc_surface *s = &e->surface[shape];
  pc_gltf_mesh *mesh = pc_array_add(&m->meshes);
  float *place = take_floats(m, 3 * (size_t)s->points.count);
  float *normal = s->smooth ? take_floats(m, 3 * (size_t)s->points.count) : NULL;
  if (mesh == NULL || m->memory.failed)
    return -1;
  find_centre(s, m->centre[shape]);
  for (int i = 0; i < 3 * s->points.count; i++) {
    const pc_surface_point *p = &s->points.at[i / 3];
    place[i] = (float)(p->place[i % 3] - m->centre[shape][i % 3]);
    if (normal != NULL)
      normal[i] = (float)p->normal[i % 3];
  }
  *mesh = (pc_gltf_mesh){
      .points = s->points.count, .point = place, .normal = normal, .material = material};
  put_indices(m, s, mesh);
  *known = m->memory.failed ? -1 : m->meshes.count - 1;
  return *known;
}

static bool make_nodes(model *m)
{
  pc_exporting *e = m->from;
  const pc_recorded *r = &e->run;
  size_t times = (size_t)e->count;
  for (int i = 0; i < r->bodies; i++) {
    if (pc_surface_is_empty(&e->surface[r->shape[i]]))
      continue;
    int mesh = make_mesh(m, r->shape[i], r->material[i]);
    pc_gltf_node *node = mesh >= 0 ? pc_array_add(&m->nodes) : NULL;
    if (node == NULL)
      return false;
    *node = (pc_gltf_node){.name = r->name[i], .mesh = mesh, .rotation = {0, 0, 0, 1}};
    m->body[m->nodes.count - 1] = i;
    if (e->rests[i])
      continue;
    node->translations = take_floats(m, 3 * times);
    node->rotations = take_floats(m, 4 * times);
    node->scales = r->passing[i] ? take_floats(m, times) : NULL;
    if (m->memory.failed)
      return false;
  }
  return true;
}

// The point of a mesh that its node is placed by, in the world.
static void find_place(const model *m, int body, double place[3])
{
  const pc_exporting *e = m->from;
  double matrix[9], origin[3], moved[3];
  pc_recorded_origin(&e->run, &e->frame, body, origin);
  pc_quaternion_matrix(e->frame.orientation[body], matrix);
  pc_rotate(matrix, m->centre[e->run.shape[body]], moved);
  for (int c = 0; c < 3; c++)
    place[c] = origin[c] + moved[c];
}

typedef struct box {
  double low[3], high[3];
} box;

static void extend(box *b, const double place[3])
{
  for (int c = 0; c < 3; c++) {
    b->low[c] = fmin(b->low[c], place[c]);
    b->high[c] = fmax(b->high[c], place[c]);
  }
}

// A terrain has its place in its points: its own origin may be anywhere.
static void extend_by_points(const model *m, int body, box *b)
{
  const pc_exporting *e = m->from;
  const pc_surface *s = &e->surface[e->run.shape[body]];
  double matrix[9], origin[3];
  pc_recorded_origin(&e->run, &e->frame, body, origin);
  pc_quaternion_matrix(e->frame.orientation[body], matrix);
  for (int i = 0; i < s->points.count; i++) {
    double place[3];
    pc_rotate(matrix, s->points.at[i].place, place);
    for (int c = 0; c < 3; c++)
      place[c] += origin[c];
    extend(b, place);
  }
}

// The middle of what is there in the first frame, in whole metres, if any of it is far away. Later
// frames do not count, for a body that is lost falls without end.
static void find_origin(model *m)
{
  const pc_exporting *e = m->from;
  box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  double farthest = 0;
  for (int n = 0; n < m->nodes.count; n++) {
    double place[3];
    if (!e->frame.there[m->body[n]])
      continue;
    find_place(m, m->body[n], place);
    extend(&b, place);
    if (e->rests[m->body[n]])
      extend_by_points(m, m->body[n], &b);
  }
  for (int c = 0; c < 3 && b.low[c] <= b.high[c]; c++)
    farthest = fmax(farthest, fmax(fabs(b.low[c]), fabs(b.high[c])));
  for (int c = 0; c < 3 && farthest > FAR; c++)
    m->origin[c] = round((b.low[c] + b.high[c]) / 2);
}

// Where a mesh is, and how it is turned. The other sign of a quaternion is the same turn; the one
// that is nearer to the frame before is written, so that nothing turns the long way.
static void place_node(const model *m, int body, const float *before, float place[3], float turn[4])
{
  const pc_exporting *e = m->from;
  const double *q = e->frame.orientation[body];
  double world[3], same = 0;
  find_place(m, body, world);
  for (int c = 0; c < 3; c++)
    place[c] = (float)(world[c] - m->origin[c]);
  for (int c = 0; c < 4; c++) {
    turn[c] = (float)q[(c + 1) % 4];
    same += before != NULL ? (double)(before[c] * turn[c]) : 0;
  }
  for (int c = 0; c < 4 && same < 0; c++)
    turn[c] = -turn[c];
}

// A node that is not there keeps its last place.
static void put_frame(model *m, long k)
{
  const pc_exporting *e = m->from;
  for (int n = 0; n < m->nodes.count; n++) {
    pc_gltf_node *node = &m->nodes.at[n];
    bool there = e->frame.there[m->body[n]];
    if (k == 0 && there)
      place_node(m, m->body[n], NULL, node->translation, node->rotation);
    if (node->translations == NULL)
      continue;
    float *place = (float *)node->translations + 3 * k, *turn = (float *)node->rotations + 4 * k;
    const float *place_before = k > 0 ? place - 3 : node->translation,
                *turn_before = k > 0 ? turn - 4 : node->rotation;
    if (there)
      place_node(m, m->body[n], turn_before, place, turn);
    else {
      memcpy(place, place_before, 3 * sizeof *place);
      memcpy(turn, turn_before, 4 * sizeof *turn);
    }
    if (node->scales != NULL)
      ((float *)node->scales)[k] = there ? 1 : 0;
  }
}

static bool make_model(model *m)
{
  pc_exporting *e = m->from;
  const pc_recorded *r = &e->run;
  size_t meshes = (size_t)r->shapes.count * (size_t)r->materials;
  m->mesh_of = pc_arena_take_raw(&m->memory, meshes + 1, sizeof *m->mesh_of);
  m->body = pc_arena_take(&m->memory, (size_t)r->bodies + 1, sizeof *m->body);
  m->centre = pc_arena_take(&m->memory, (size_t)r->shapes.count + 1, sizeof *m->centre);
  m->material = pc_arena_take(&m->memory, (size_t)r->materials + 1, sizeof *m->material);
  m->time = take_floats(m, (size_t)e->count);
  if (m->memory.failed)
    return false;
  for (size_t i = 0; i < meshes; i++)
    m->mesh_of[i] = -1;
  for (int i = 0; i < r->materials; i++) {
    m->material[i].name = r->material_name[i];
    memcpy(m->material[i].color, colors[i % PC_COUNT(colors)], sizeof *colors);
  }
  return make_nodes(m);
}

static pc_status write_model(model *m, pc_error *error)
{
  pc_exporting *e = m->from;
  pc_status status = make_model(m) ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  double start = 0;
  for (long k = 0; k < e->count && status == PC_OK; k++) {
    status = pc_recorded_read(&e->run, pc_exporting_frame(e, k), &e->frame, error);
    if (status != PC_OK)
      break;
    if (k == 0) {
      start = e->frame.time;
      find_origin(m);
    }
    m->time[k] = (float)(e->frame.time - start);
    put_frame(m, k);
  }
  if (status != PC_OK)
    return status;
  char *title = pc_reading_text(e->run.reading, "scene/title", NULL);
  pc_gltf file = {.name = title != NULL && *title != 0 ? title : "run",
                  .origin = {m->origin[0], m->origin[1], m->origin[2]},
                  .z_up = e->run.dimension == 3,
                  .materials = e->run.materials,
                  .meshes = m->meshes.count,
                  .nodes = m->nodes.count,
                  .times = (int)e->count,
                  .material = m->material,
                  .mesh = m->meshes.at,
                  .node = m->nodes.at,
                  .time = m->time};
  status = pc_gltf_write(e->output, &file, error);
  free(title);
  return status;
}

pc_status pc_export_gltf(pc_exporting *e, pc_error *error)
{
  model m = {.from = e};
  pc_status status = pc_replace_check(e->output, &pc_gltf_own, error);
  if (status == PC_OK)
    status = write_model(&m, error);
  pc_array_free(&m.meshes);
  pc_array_free(&m.nodes);
  pc_arena_free(&m.memory);
  e->exported.files = 1;
  return status;
}
