// Triangles from OBJ and STL files, text or binary.
//
// OBJ: `v x y z`, after which a weight, a colour (three numbers, or four) or a comment is left, and
// `f a b c ...` with numbers from 1, or from the end when negative; what follows a slash (texture,
// normal) is left. STL: corners of triangles, without numbers; its own normals are left, as many
// programs write them wrong.
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "geometry/hull.h"
#include "geometry/input_file.h"
#include "geometry/mesh.h"

// STL stores single precision, and text often no more digits: points of one face may be off by
// this part of the size.
static const double FILE_TOLERANCE = 1e-6;

typedef struct soup {
  double (*vertex)[3];
  int (*triangle)[3];
  int vertices, triangles, vertex_room, triangle_room;
} soup;

static pc_status out_of_memory(pc_input_file *source)
{
  return pc_fail(source->error, PC_ERROR_MEMORY, "%s: out of memory", source->name);
}

static pc_status add_vertex(soup *s, pc_input_file *source, const double at[3])
{
  if (!pc_grow(&s->vertex, &s->vertex_room, s->vertices + 1, sizeof *s->vertex))
    return out_of_memory(source);
  memcpy(s->vertex[s->vertices++], at, sizeof s->vertex[0]);
  return PC_OK;
}

static pc_status add_triangle(soup *s, pc_input_file *source, int a, int b, int c)
{
  if (!pc_grow(&s->triangle, &s->triangle_room, s->triangles + 1, sizeof *s->triangle))
    return out_of_memory(source);
  int *to = s->triangle[s->triangles++];
  to[0] = a, to[1] = b, to[2] = c;
  return PC_OK;
}

// Three numbers, and where `more` a weight or a colour of three or four numbers after them.
static pc_status read_vertex(soup *s, pc_input_file *source, bool more)
{
  double at[3], rest;
  int count = 0;
  for (char *word; (word = pc_input_word(source)) != NULL && word[0] != '#'; count++)
    if (!pc_input_number(word, false, count < 3 ? &at[count] : &rest))
      return pc_input_fail(source, "a vertex needs three numbers");
  if (count == 3 || (more && (count == 4 || count == 6 || count == 7)))
    return add_vertex(s, source, at);
  return pc_input_fail(source, "a vertex needs three numbers%s: here are %d",
                       more ? ", and a weight or a colour may follow" : "", count);
}

static pc_status read_corner(const soup *s, pc_input_file *source, const char *word, int *corner)
{
  char *end;
  long number = strtol(word, &end, 10);
  if (end == word || (*end != 0 && *end != '/'))
    return pc_input_fail(source, "a face needs numbers of vertices");
  if (number == 0 || number > s->vertices || number < -s->vertices)
    return pc_input_fail(source, "the face names vertex %ld, but %d come before it", number,
                         s->vertices);
  *corner = (int)(number > 0 ? number - 1 : s->vertices + number);
  return PC_OK;
}

// A face with more corners becomes a fan of triangles.
static pc_status read_face(soup *s, pc_input_file *source)
{
  int first = 0, last = 0, corner = 0, count = 0;
  for (char *word; (word = pc_input_word(source)) != NULL; count++) {
    pc_status status = read_corner(s, source, word, &corner);
    if (status == PC_OK && count >= 2)
      status = add_triangle(s, source, first, last, corner);
    if (status != PC_OK)
      return status;
    if (count == 0)
      first = corner;
    last = corner;
  }
  return count >= 3 ? PC_OK : pc_input_fail(source, "a face needs at least 3 vertices");
}

static pc_status read_obj(soup *s, pc_input_file *source)
{
  pc_status status = PC_OK;
  while (status == PC_OK && pc_input_line(source)) {
    const char *word = pc_input_word(source);
    if (word != NULL && strcmp(word, "v") == 0)
      status = read_vertex(s, source, true);
    else if (word != NULL && strcmp(word, "f") == 0)
      status = read_face(s, source);
  }
  return status;
}

static uint32_t little_endian(const char *at)
{
  const unsigned char *b = (const unsigned char *)at;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

enum { STL_HEADER = 84, STL_TRIANGLE = 50 };

static bool is_binary_stl(const pc_input_file *source)
{
  return source->size >= STL_HEADER &&
         source->size == STL_HEADER + (uint64_t)STL_TRIANGLE * little_endian(source->data + 80);
}

// An 80 byte header, the count, then per triangle the normal, three corners and two unused bytes.
static pc_status read_stl_binary(soup *s, pc_input_file *source)
{
  if (!is_binary_stl(source)) {
    if (source->size < STL_HEADER)
      return pc_input_fail_whole(source, "this is neither a text STL file nor a binary one");
    unsigned long count = little_endian(source->data + 80);
    return pc_input_fail_whole(source, "%lu triangles need %llu bytes, but the file has %zu", count,
                               STL_HEADER + (unsigned long long)STL_TRIANGLE * count, source->size);
  }
  pc_status status = PC_OK;
  for (size_t at = STL_HEADER; at < source->size && status == PC_OK; at += STL_TRIANGLE) {
    for (int i = 0; i < 3 && status == PC_OK; i++) {
      double corner[3];
      for (int k = 0; k < 3; k++) {
        uint32_t bits = little_endian(source->data + at + 12 + 12 * i + 4 * k);
        float value;
        memcpy(&value, &bits, sizeof value);
        corner[k] = value;
      }
      status = add_vertex(s, source, corner);
    }
    if (status == PC_OK)
      status = add_triangle(s, source, s->vertices - 3, s->vertices - 2, s->vertices - 1);
  }
  return status;
}

static pc_status read_stl_text(soup *s, pc_input_file *source)
{
  static const char *const others[] = {"solid", "facet", "endfacet", "endsolid"};
  int corners = -1; // -1: not in a loop
  while (pc_input_line(source)) {
    const char *word = pc_input_word(source);
    pc_status status = PC_OK;
    bool known = false;
    for (int i = 0; word != NULL && i < 4; i++)
      known = known || strcmp(word, others[i]) == 0;
    if (word == NULL || (known && corners < 0))
      continue;
    if (strcmp(word, "outer") == 0 && corners < 0) {
      corners = 0;
    } else if (strcmp(word, "vertex") == 0 && corners >= 0) {
      corners++;
      status = read_vertex(s, source, false);
    } else if (strcmp(word, "endloop") == 0 && corners >= 0) {
      if (corners != 3)
        return pc_input_fail(source, "a facet needs 3 vertices, not %d", corners);
      corners = -1;
      status = add_triangle(s, source, s->vertices - 3, s->vertices - 2, s->vertices - 1);
    } else {
      return pc_input_fail(source, "expected facet, outer loop, vertex, endloop, endfacet or "
                                   "endsolid, in this order");
    }
    if (status != PC_OK)
      return status;
  }
  return corners < 0 ? PC_OK : pc_input_fail(source, "the file ends inside a facet");
}

static pc_status read_stl(soup *s, pc_input_file *source)
{
  if (!is_binary_stl(source) && source->size >= 5 && memcmp(source->data, "solid", 5) == 0)
    return read_stl_text(s, source);
  return read_stl_binary(s, source);
}

// Numbers are read with a decimal point, whatever the caller's language.
static pc_status read_soup(soup *s, pc_input_file *source, const char *path, double scale,
                           pc_error *error)
{
  *source = (pc_input_file){.error = error};
  if (!(scale > 0) || !isfinite(scale))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the scale of a file must be above 0 and finite");
  bool obj = pc_input_has_ending(path, ".obj");
  if (!obj && !pc_input_has_ending(path, ".stl"))
    return pc_fail(error, PC_ERROR_ARGUMENT, "%.200s: shapes are read from .obj and .stl files",
                   path);
  pc_status status = pc_input_open(source, path, error);
  if (status != PC_OK)
    return status;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return out_of_memory(source);
  locale_t old = uselocale(plain);
  status = obj ? read_obj(s, source) : read_stl(s, source);
  uselocale(old);
  freelocale(plain);
  for (int i = 0; i < s->vertices; i++)
    for (int k = 0; k < 3; k++)
      s->vertex[i][k] *= scale;
  return status;
}

static void free_soup(soup *s, pc_input_file *source)
{
  free(s->vertex);
  free(s->triangle);
  pc_input_close(source);
}

pc_shape *pc_shape_polyhedron_file(const char *path, double scale, pc_error *error)
{
  soup s = {0};
  pc_input_file source;
  pc_shape *shape = NULL;
  if (read_soup(&s, &source, path, scale, error) == PC_OK) {
    shape =
        pc_shape_polyhedron_rough(s.vertices, (const double(*)[3])s.vertex, FILE_TOLERANCE, error);
    if (shape == NULL)
      pc_input_blame(&source);
  }
  free_soup(&s, &source);
  return shape;
}

pc_shape *pc_shape_mesh_file(const char *path, double scale, pc_error *error)
{
  soup s = {0};
  pc_input_file source;
  pc_shape *shape = NULL;
  if (read_soup(&s, &source, path, scale, error) == PC_OK) {
    shape = pc_shape_mesh_dropping(s.vertices, (const double(*)[3])s.vertex, s.triangles,
                                   (const int(*)[3])s.triangle, error);
    if (shape == NULL)
      pc_input_blame(&source);
  }
  free_soup(&s, &source);
  return shape;
}
