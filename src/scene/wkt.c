// Well-known text (OGC 06-103r4) of what can be walked on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "scene/text.h"
#include "scene/wkt.h"

typedef struct wkt_reader {
  pc_polygons *to;
  const char *at, *begin;
  pc_error *error;
} wkt_reader;

static void skip_space(wkt_reader *r)
{
  while (pc_is_space(*r->at))
    r->at++;
}

static pc_status wrong(wkt_reader *r, const char *wanted)
{
  char found[24];
  pc_text_clean(found, sizeof found, r->at, strnlen(r->at, 20));
  if (*found == 0)
    return pc_fail(r->error, PC_ERROR_INPUT, "the text ends where %s is expected", wanted);
  return pc_fail(r->error, PC_ERROR_INPUT, "%s is expected before '%s'", wanted, found);
}

static bool take(wkt_reader *r, char sign)
{
  skip_space(r);
  if (*r->at != sign)
    return false;
  r->at++;
  return true;
}

static pc_status expect(wkt_reader *r, char sign)
{
  const char wanted[] = {'\'', sign, '\'', 0};
  return take(r, sign) ? PC_OK : wrong(r, wanted);
}

// A word of letters, in capitals.
static void take_word(wkt_reader *r, char *word, size_t size)
{
  size_t n = 0;
  skip_space(r);
  while (pc_is_letter(*r->at) && n + 1 < size)
    word[n++] = pc_to_upper(*r->at++);
  word[n] = 0;
}

static bool take_number(wkt_reader *r, double *value)
{
  char *end;
  skip_space(r);
  *value = pc_read_double(r->at, &end);
  if (end == r->at || !isfinite(*value))
    return false;
  r->at = end;
  return true;
}

static pc_status read_point(wkt_reader *r, double p[2])
{
  double rest;
  if (!take_number(r, &p[0]) || !take_number(r, &p[1]))
    return wrong(r, "a number");
  while (take_number(r, &rest)) // heights and measures
    ;
  return PC_OK;
}

static pc_status read_ring(wkt_reader *r, bool hole)
{
  pc_polygons *to = r->to;
  int first = to->points.count;
  pc_status status = expect(r, '(');
  do {
    double *point = status == PC_OK ? pc_array_add(&to->points) : NULL;
    if (point != NULL)
      status = read_point(r, point);
    else if (status == PC_OK)
      status = pc_fail(r->error, PC_ERROR_MEMORY, "out of memory");
  } while (status == PC_OK && take(r, ','));
  if (status == PC_OK)
    status = expect(r, ')');
  return status == PC_OK ? pc_polygons_add_ring(to, first, hole, r->error) : status;
}

static pc_status read_rings(wkt_reader *r)
{
  pc_status status = expect(r, '(');
  bool hole = false;
  do {
    if (status == PC_OK)
      status = read_ring(r, hole);
    hole = true;
  } while (status == PC_OK && take(r, ','));
  r->to->count++;
  return status == PC_OK ? expect(r, ')') : status;
}

enum { DEEPEST = 16 };

static pc_status read_shape(wkt_reader *r, int depth)
{
  char word[32], more[8];
  const char *before;
  take_word(r, word, sizeof word);
  before = r->at;
  take_word(r, more, sizeof more);
  if (strcmp(more, "EMPTY") == 0)
    return PC_OK;
  if (strcmp(more, "Z") != 0 && strcmp(more, "M") != 0 && strcmp(more, "ZM") != 0)
    r->at = before;
  if (strcmp(word, "POLYGON") == 0)
    return read_rings(r);
  bool collection = strcmp(word, "GEOMETRYCOLLECTION") == 0;
  if (!collection && strcmp(word, "MULTIPOLYGON") != 0)
    return pc_fail(r->error, PC_ERROR_INPUT,
                   "%s%s: expected POLYGON, MULTIPOLYGON or a GEOMETRYCOLLECTION of these",
                   *word ? "unknown shape " : "no shape", word);
  if (depth >= DEEPEST)
    return pc_fail(r->error, PC_ERROR_INPUT, "collections are nested more than %d deep", DEEPEST);
  pc_status status = expect(r, '(');
  do {
    if (status == PC_OK)
      status = collection ? read_shape(r, depth + 1) : read_rings(r);
  } while (status == PC_OK && take(r, ','));
  return status == PC_OK ? expect(r, ')') : status;
}

pc_status pc_wkt_read(pc_polygons *polygons, const char *text, pc_error *error)
{
  wkt_reader r = {polygons, text, text, error};
  *polygons = (pc_polygons){0};
  pc_status status = read_shape(&r, 0);
  skip_space(&r);
  if (status == PC_OK && *r.at != 0)
    status = wrong(&r, "the end");
  return status;
}
