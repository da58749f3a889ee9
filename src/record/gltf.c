#include "record/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/json.h"
#include "core/written.h"
#include "record/replace.h"

// "glTF", version, length; length of the JSON, "JSON".
#define ANY4 PC_OWN_ANY PC_OWN_ANY PC_OWN_ANY PC_OWN_ANY
const pc_own pc_gltf_own = {
    "a glTF file of Percuss",
    {{"glTF" ANY4 ANY4 ANY4 "JSON{\"asset\":{\"generator\":\"Percuss", NULL}}};

enum { FLOAT = 5126, UNSIGNED = 5125, VERTICES = 34962, INDICES = 34963, LINES = 1, TRIANGLES = 4 };

// Arrays of the binary part, in the order in which they are stored. All are of four-byte numbers,
// so that every one is aligned.
typedef struct accessor {
  const void *data;
  int count, width;
  bool indices, vertices, bounded; // what it is used for; bounded: the file has its range
} accessor;

typedef struct writer {
  const pc_gltf *data;
  PC_ARRAY(accessor) accessors;
  float *scale; // three for each one of the nodes
  bool failed;
  pc_json json;
} writer;

// The number of a new accessor.
static int add(writer *w, const void *data, int count, int width, bool vertices, bool bounded)
{
  accessor *one = pc_array_add(&w->accessors);
  if (one == NULL) {
    w->failed = true;
    return 0;
  }
  *one = (accessor){data, count, width, .vertices = vertices, .bounded = bounded};
  return w->accessors.count - 1;
}

static int add_indices(writer *w, const uint32_t *index, int count)
{
  int number = add(w, index, count, 1, false, false);
  if (!w->failed)
    w->accessors.at[number].indices = true;
  return number;
}

static void key_integer(writer *w, const char *key, long value)
{
  pc_json_key(&w->json, key), pc_json_integer(&w->json, value);
}

static void key_floats(writer *w, const char *key, int count, const float *value)
{
  pc_json_key(&w->json, key), pc_json_open(&w->json, '[');
  for (int i = 0; i < count; i++)
    pc_json_number(&w->json, (double)value[i]);
  pc_json_close(&w->json);
}

static void open_list(writer *w, const char *key, char bracket)
{
  pc_json_key(&w->json, key), pc_json_open(&w->json, bracket);
}

static void write_materials(writer *w)
{
  open_list(w, "materials", '[');
  for (int i = 0; i < w->data->materials; i++) {
    const pc_gltf_material *one = &w->data->material[i];
    float color[4] = {one->color[0], one->color[1], one->color[2], 1};
    pc_json_open(&w->json, '{');
    pc_json_key(&w->json, "name"), pc_json_string(&w->json, one->name);
    open_list(w, "pbrMetallicRoughness", '{');
    key_floats(w, "baseColorFactor", 4, color);
    key_integer(w, "metallicFactor", 0);
    pc_json_key(&w->json, "roughnessFactor"), pc_json_number(&w->json, 0.8);
    pc_json_close(&w->json);
    pc_json_key(&w->json, "doubleSided"), pc_json_boolean(&w->json, true);
    pc_json_close(&w->json);
  }
  pc_json_close(&w->json);
}

static void write_primitive(writer *w, const pc_gltf_mesh *mesh, int place, int normal, int mode,
                            int indices)
{
  pc_json_open(&w->json, '{');
  open_list(w, "attributes", '{');
  key_integer(w, "POSITION", place);
  if (normal >= 0)
    key_integer(w, "NORMAL", normal);
  pc_json_close(&w->json);
  key_integer(w, "indices", indices);
  key_integer(w, "mode", mode);
  key_integer(w, "material", mesh->material);
  pc_json_close(&w->json);
}

static void write_meshes(writer *w)
{
  open_list(w, "meshes", '[');
  for (int i = 0; i < w->data->meshes; i++) {
    const pc_gltf_mesh *mesh = &w->data->mesh[i];
    int place = add(w, mesh->point, mesh->points, 3, true, true);
    int normal = mesh->normal != NULL ? add(w, mesh->normal, mesh->points, 3, true, false) : -1;
    pc_json_open(&w->json, '{');
    open_list(w, "primitives", '[');
    if (mesh->triangles > 0)
      write_primitive(w, mesh, place, normal, TRIANGLES,
                      add_indices(w, mesh->triangle, 3 * mesh->triangles));
    if (mesh->lines > 0)
      write_primitive(w, mesh, place, -1, LINES, add_indices(w, mesh->line, 2 * mesh->lines));
    pc_json_close(&w->json);
    pc_json_close(&w->json);
  }
  pc_json_close(&w->json);
}

// The root, which turns z up into y up, and the bodies in it.
static void write_nodes(writer *w)
{
  static const float turned[] = {-0.70710678F, 0, 0, 0.70710678F};
  const double *o = w->data->origin;
  double place[] = {o[0], w->data->z_up ? o[2] : o[1], w->data->z_up ? -o[1] : o[2]};
  open_list(w, "nodes", '[');
  pc_json_open(&w->json, '{');
  pc_json_key(&w->json, "name"), pc_json_string(&w->json, w->data->name);
  if (w->data->z_up)
    key_floats(w, "rotation", 4, turned);
  pc_json_key(&w->json, "translation"), pc_json_vector(&w->json, place, 3);
  if (w->data->nodes > 0)
    open_list(w, "children", '[');
  for (int i = 0; i < w->data->nodes; i++)
    pc_json_integer(&w->json, i + 1);
  if (w->data->nodes > 0)
    pc_json_close(&w->json);
  pc_json_close(&w->json);
  for (int i = 0; i < w->data->nodes; i++) {
    const pc_gltf_node *node = &w->data->node[i];
    pc_json_open(&w->json, '{');
    pc_json_key(&w->json, "name"), pc_json_string(&w->json, node->name);
    key_integer(w, "mesh", node->mesh);
    key_floats(w, "translation", 3, node->translation);
    key_floats(w, "rotation", 4, node->rotation);
    pc_json_close(&w->json);
  }
  pc_json_close(&w->json);
}

// A track of node i; `samplers` counts them.
static void write_channel(writer *w, int i, const char *path, int *samplers)
{
  pc_json_open(&w->json, '{');
  key_integer(w, "sampler", (*samplers)++);
  open_list(w, "target", '{');
  key_integer(w, "node", i + 1);
  pc_json_key(&w->json, "path"), pc_json_string(&w->json, path);
  pc_json_close(&w->json);
  pc_json_close(&w->json);
}

static void write_sampler(writer *w, int time, const float *track, int width, const char *way)
{
  pc_json_open(&w->json, '{');
  key_integer(w, "input", time);
  key_integer(w, "output", add(w, track, w->data->times, width, false, false));
  pc_json_key(&w->json, "interpolation"), pc_json_string(&w->json, way);
  pc_json_close(&w->json);
}

static bool make_scales(writer *w)
{
  size_t scaled = 0, times = (size_t)w->data->times;
  for (int i = 0; i < w->data->nodes; i++)
    scaled += w->data->node[i].scales != NULL;
  w->scale = malloc((3 * scaled * times + 1) * sizeof *w->scale);
  float *to = w->scale;
  for (int i = 0; i < w->data->nodes && to != NULL; i++)
    for (size_t k = 0; w->data->node[i].scales != NULL && k < 3 * times; k++)
      *to++ = w->data->node[i].scales[k / 3];
  return w->scale != NULL;
}

static void write_animation(writer *w)
{
  const pc_gltf *data = w->data;
  int moving = 0, samplers = 0;
  for (int i = 0; i < data->nodes; i++)
    moving += data->node[i].translations != NULL;
  if (data->times < 2 || moving == 0)
    return;
  int time = add(w, data->time, data->times, 1, false, true);
  const float *scale = w->scale;
  open_list(w, "animations", '[');
  pc_json_open(&w->json, '{');
  open_list(w, "channels", '[');
  for (int i = 0; i < data->nodes; i++)
    if (data->node[i].translations != NULL) {
      write_channel(w, i, "translation", &samplers);
      write_channel(w, i, "rotation", &samplers);
      if (data->node[i].scales != NULL)
        write_channel(w, i, "scale", &samplers);
    }
  pc_json_close(&w->json);
  open_list(w, "samplers", '[');
  for (int i = 0; i < data->nodes; i++)
    if (data->node[i].translations != NULL) {
      write_sampler(w, time, data->node[i].translations, 3, "LINEAR");
      write_sampler(w, time, data->node[i].rotations, 4, "LINEAR");
      if (data->node[i].scales != NULL) {
        write_sampler(w, time, scale, 3, "STEP");
        scale += 3 * data->times;
      }
    }
  pc_json_close(&w->json);
  pc_json_close(&w->json);
  pc_json_close(&w->json);
}

static uint64_t bytes_of(const accessor *one)
{
  return 4 * (uint64_t)one->count * (uint64_t)one->width;
}

static void write_range(writer *w, const accessor *one)
{
  const float *value = one->data;
  float low[4], high[4];
  for (int c = 0; c < one->width; c++)
    low[c] = INFINITY, high[c] = -INFINITY;
  for (int i = 0; i < one->count * one->width; i++) {
    low[i % one->width] = fminf(low[i % one->width], value[i]);
    high[i % one->width] = fmaxf(high[i % one->width], value[i]);
  }
  key_floats(w, "min", one->width, low);
  key_floats(w, "max", one->width, high);
}

// An accessor and a view of the buffer for each array.
static void write_accessors(writer *w)
{
  static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  uint64_t offset = 0;
  open_list(w, "accessors", '[');
  for (int i = 0; i < w->accessors.count; i++) {
    const accessor *one = &w->accessors.at[i];
    pc_json_open(&w->json, '{');
    key_integer(w, "bufferView", i);
    key_integer(w, "componentType", one->indices ? UNSIGNED : FLOAT);
    key_integer(w, "count", one->count);
    pc_json_key(&w->json, "type"), pc_json_string(&w->json, types[one->width]);
    if (one->bounded)
      write_range(w, one);
    pc_json_close(&w->json);
  }
  pc_json_close(&w->json);
  open_list(w, "bufferViews", '[');
  for (int i = 0; i < w->accessors.count; i++) {
    const accessor *one = &w->accessors.at[i];
    pc_json_open(&w->json, '{');
    key_integer(w, "buffer", 0);
    key_integer(w, "byteOffset", (long)offset);
    key_integer(w, "byteLength", (long)bytes_of(one));
    if (one->vertices || one->indices)
      key_integer(w, "target", one->indices ? INDICES : VERTICES);
    pc_json_close(&w->json);
    offset += bytes_of(one);
  }
  pc_json_close(&w->json);
  open_list(w, "buffers", '[');
  pc_json_open(&w->json, '{');
  key_integer(w, "byteLength", (long)offset);
  pc_json_close(&w->json);
  pc_json_close(&w->json);
}

// An empty list is not allowed where a list may be left out.
static void write_json(writer *w)
{
  const pc_gltf *data = w->data;
  pc_json_open(&w->json, '{');
  open_list(w, "asset", '{');
  pc_json_key(&w->json, "generator"), pc_json_string(&w->json, "Percuss " PC_VERSION);
  pc_json_key(&w->json, "version"), pc_json_string(&w->json, "2.0");
  pc_json_close(&w->json);
  key_integer(w, "scene", 0);
  open_list(w, "scenes", '[');
  pc_json_open(&w->json, '{');
  open_list(w, "nodes", '[');
  pc_json_integer(&w->json, 0);
  pc_json_close(&w->json);
  pc_json_close(&w->json);
  pc_json_close(&w->json);
  write_nodes(w);
  if (data->meshes > 0) {
    write_materials(w);
    write_meshes(w);
  }
  write_animation(w);
  if (w->accessors.count > 0)
    write_accessors(w);
  pc_json_close(&w->json);
}

static void write_word(pc_replace *file, uint64_t word)
{
  uint32_t number = (uint32_t)word;
  pc_replace_write(file, &number, sizeof number);
}

static pc_status write_file(const writer *w, const char *path, const char *text, size_t size,
                            pc_error *error)
{
  uint64_t binary = 0, padded = (size + 3) / 4 * 4;
  for (int i = 0; i < w->accessors.count; i++)
    binary += bytes_of(&w->accessors.at[i]);
  uint64_t whole = 12 + 8 + padded + (binary > 0 ? 8 + binary : 0);
  if (whole > UINT32_MAX)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s would have %.1f GiB, but glTF allows 4; export fewer frames", path,
                   (double)whole / (1 << 30));
  pc_replace *file = pc_replace_begin(path, &pc_gltf_own, error);
  if (file == NULL)
    return error->status;
  pc_replace_write(file, "glTF", 4);
  write_word(file, 2);
  write_word(file, whole);
  write_word(file, padded);
  pc_replace_write(file, "JSON", 4);
  pc_replace_write(file, text, size);
  pc_replace_write(file, "   ", (size_t)(padded - size));
  if (binary > 0) {
    write_word(file, binary);
    pc_replace_write(file, "BIN", 4);
  }
  for (int i = 0; i < w->accessors.count; i++)
    pc_replace_write(file, w->accessors.at[i].data, (size_t)bytes_of(&w->accessors.at[i]));
  return pc_replace_end(file, error);
}

pc_status pc_gltf_write(const char *path, const pc_gltf *data, pc_error *error)
{
  writer w = {.data = data};
  pc_written written;
  if (!make_scales(&w) || !pc_written_begin(&written)) {
    free(w.scale);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  w.json = (pc_json){.file = written.to};
  write_json(&w);
  char *text = pc_written_end(&written);
  pc_status status = text != NULL && !w.failed ? write_file(&w, path, text, written.size, error)
                                               : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free(text);
  free(w.scale);
  pc_array_free(&w.accessors);
  return status;
}
