// Triangles from OBJ and STL files, text or binary.
//
// OBJ: `v x y z`, where a weight, a colour (three numbers, or four) or a comment may follow, and
// `f a b c ...` with numbers from 1, or from the end when negative; what follows a slash (texture,
// normal) is ignored. STL: corners of triangles, without numbers. Its normals are ignored, because
// many programs write wrong ones.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/input_file.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"

// STL stores single precision, and text often no more digits: points of one face may be off by
// this part of the size.
static const double FILE_TOLERANCE = 1e-6;

typedef double vertex[3];
typedef int triangle[3];
typedef struct soup {
  PC_ARRAY(vertex) vertices;
  PC_ARRAY(triangle) triangles;
} soup;

static pc_status add_vertex(soup *s, pc_input_file *source, const double at[3])
{
  vertex *to = pc_array_add(&s->vertices);
  if (to == NULL)
    return pc_input_out_of_memory(source);
  memcpy(*to, at, sizeof *to);
  return PC_OK;
}

static pc_status add_triangle(soup *s, pc_input_file *source, int a, int b, int c)
{
  triangle *to = pc_array_add(&s->triangles);
  if (to == NULL)
    return pc_input_out_of_memory(source);
  (*to)[0] = a, (*to)[1] = b, (*to)[2] = c;
  return PC_OK;
}

static pc_status add_last_three(soup *s, pc_input_file *source)
{
  int last = s->vertices.count - 1;
  return add_triangle(s, source, last - 2, last - 1, last);
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
  return pc_input_fail(source, "a vertex needs three numbers%s (got %d)",
                       more ? ", optionally followed by a weight or a colour" : "", count);
}

static pc_status read_corner(const soup *s, pc_input_file *source, const char *word, int *corner)
{
  char *end;
  long number = strtol(word, &end, 10);
  if (end == word || (*end != 0 && *end != '/'))
    return pc_input_fail(source, "a face needs vertex numbers");
  int count = s->vertices.count;
  if (number == 0 || number > count || number < -count)
    return pc_input_fail(
        source, "the face refers to vertex %ld, but only %d vertices are defined before it", number,
        count);
  *corner = (int)(number > 0 ? number - 1 : count + number);
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
    return pc_input_fail_whole(
        source,
        "%lu triangles need %llu bytes, but the file has %zu: the file is incomplete or damaged",
        count, STL_HEADER + (unsigned long long)STL_TRIANGLE * count, source->size);
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
      status = add_last_three(s, source);
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
        return pc_input_fail(source, "a facet needs 3 vertices (got %d)", corners);
      corners = -1;
      status = add_last_three(s, source);
    } else {
      return pc_input_fail(source, "expected facet, outer loop, vertex, endloop, endfacet or "
                                   "endsolid, in this order");
    }
    if (status != PC_OK)
      return status;
  }
  return corners < 0 ? PC_OK
                     : pc_input_fail(source, "the file ends inside a facet: it is incomplete");
}

static bool is_text_stl(const pc_input_file *source)
{
  return !is_binary_stl(source) && source->size >= 5 && memcmp(source->data, "solid", 5) == 0;
}

static pc_status read_soup(soup *s, pc_input_file *source, const char *path, double scale,
                           pc_error *error)
{
  *source = (pc_input_file){.error = error};
  if (!(scale > 0) || !isfinite(scale))
    return pc_fail(error, PC_ERROR_ARGUMENT, "'scale' must be positive and finite");
  bool obj = pc_input_has_ending(path, ".obj");
  if (!obj && !pc_input_has_ending(path, ".stl"))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "%.200s: unknown file type; shapes can be read from .obj and .stl files", path);
  pc_status status = pc_input_open(source, path, error);
  if (status != PC_OK)
    return status;
  status = obj                   ? read_obj(s, source)
           : is_text_stl(source) ? read_stl_text(s, source)
                                 : read_stl_binary(s, source);
  for (int i = 0; i < s->vertices.count; i++)
    for (int k = 0; k < 3; k++)
      s->vertices.at[i][k] *= scale;
  return status;
}

static pc_shape *read_shape(const char *path, double scale, bool mesh, pc_error *error)
{
  soup s = {0};
  pc_input_file source;
  pc_shape *shape = NULL;
  if (read_soup(&s, &source, path, scale, error) == PC_OK) {
    const double(*vertices)[3] = (const double(*)[3])s.vertices.at;
    shape = mesh ? pc_shape_mesh_dropping(s.vertices.count, vertices, s.triangles.count,
                                          (const int(*)[3])s.triangles.at, error)
                 : pc_shape_polyhedron_rough(s.vertices.count, vertices, FILE_TOLERANCE, error);
    if (shape == NULL)
      pc_input_blame(&source);
  }
  pc_array_free(&s.vertices);
  pc_array_free(&s.triangles);
  pc_input_close(&source);
  return shape;
}

pc_shape *pc_shape_polyhedron_file(const char *path, double scale, pc_error *error)
{
  if (path == NULL) {
    pc_fail_null(error, "the path");
    return NULL;
  }
  return read_shape(path, scale, false, error);
}

pc_shape *pc_shape_mesh_file(const char *path, double scale, pc_error *error)
{
  if (path == NULL) {
    pc_fail_null(error, "the path");
    return NULL;
  }
  return read_shape(path, scale, true, error);
}
