// Entities of a DXF file: their group codes.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "scene/dxf_drawing.h"

static const struct {
  const char *type;
  pc_dxf_kind kind;
} types[] = {
    {"LINE", PC_DXF_LINE},
    {"LWPOLYLINE", PC_DXF_POLYLINE},
    {"POLYLINE", PC_DXF_POLYLINE},
    {"CIRCLE", PC_DXF_CIRCLE},
    {"ARC", PC_DXF_ARC},
    {"ELLIPSE", PC_DXF_ELLIPSE},
    {"INSERT", PC_DXF_INSERT},
    {"TEXT", PC_DXF_TEXT},
    {"MTEXT", PC_DXF_TEXT},
    {"ATTRIB", PC_DXF_NOTHING},
    {"ATTDEF", PC_DXF_NOTHING},
    {"SEQEND", PC_DXF_NOTHING},
    {"VIEWPORT", PC_DXF_NOTHING},
    {"DIMENSION", PC_DXF_NOTHING},
    {"HATCH", PC_DXF_NOTHING},
    {"LEADER", PC_DXF_NOTHING},
    {"MULTILEADER", PC_DXF_NOTHING},
    {"POINT", PC_DXF_NOTHING},
    {"IMAGE", PC_DXF_NOTHING},
    {"WIPEOUT", PC_DXF_NOTHING},
    {"XLINE", PC_DXF_NOTHING},
    {"RAY", PC_DXF_NOTHING},
};

static pc_dxf_kind kind_of(const pc_dxf_codes *codes)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (pc_dxf_is(codes, 0, types[i].type))
      return types[i].kind;
  return PC_DXF_OTHER;
}

pc_dxf_key pc_dxf_key_of(const char *name)
{
  pc_dxf_key key;
  size_t i = 0;
  for (; name[i] != 0 && i + 1 < sizeof key.text; i++)
    key.text[i] = pc_to_lower(name[i]);
  key.text[i] = 0;
  return key;
}

static void out_of_memory(pc_dxf_codes *codes)
{
  codes->failed = true;
  pc_fail(codes->error, PC_ERROR_MEMORY, "out of memory");
}

static int layer_of(pc_dxf_codes *codes, pc_dxf_drawing *drawing, pc_dxf *dxf, const char *name)
{
  pc_dxf_key key = pc_dxf_key_of(name);
  int found = pc_names_find(&drawing->layers, key.text);
  if (found >= 0)
    return found;
  pc_dxf_layer *layer = pc_array_add(&dxf->layers);
  found = layer != NULL ? pc_names_add(&drawing->layers, key.text) : -1;
  if (found < 0) {
    out_of_memory(codes);
    return 0;
  }
  layer->name = name;
  if (strcmp(name, "0") == 0)
    drawing->zero = found;
  return found;
}

static pc_dxf_vertex *add_vertex(pc_dxf_codes *codes, pc_dxf_drawing *drawing)
{
  pc_dxf_vertex *added = pc_array_add(&drawing->vertices);
  if (added == NULL)
    out_of_memory(codes);
  return added;
}

// What an entity says besides its values.
typedef struct entity_reader {
  pc_dxf_codes *codes;
  pc_dxf_drawing *drawing;
  pc_dxf *dxf;
  pc_dxf_entity entity;
  bool light;       // vertices are in the entity itself
  double normal[3]; // of its plane
  int flags;        // code 70
  const char *layer;
} entity_reader;

// LWPOLYLINE: each code 10 begins a vertex.
static bool read_light(entity_reader *r)
{
  pc_dxf_codes *codes = r->codes;
  pc_dxf_drawing *drawing = r->drawing;
  int code = codes->code;
  if (!r->light || (code != 10 && code != 20 && code != 42))
    return false;
  pc_dxf_vertex *last =
      r->entity.count > 0 ? &drawing->vertices.at[drawing->vertices.count - 1] : NULL;
  if (code == 10) {
    last = add_vertex(codes, drawing);
    r->entity.count += last != NULL;
  }
  if (last != NULL)
    *(code == 42 ? &last->bulge : &last->at[code / 10 - 1]) = pc_dxf_number(codes);
  return true;
}

static void read_text(entity_reader *r)
{
  bool is_text = r->entity.kind == PC_DXF_TEXT;
  char *text = pc_dxf_string(r->codes, &r->dxf->arena, is_text);
  if (text != NULL && r->entity.text == NULL)
    r->entity.text = text;
}

static void read_value(entity_reader *r)
{
  pc_dxf_codes *codes = r->codes;
  pc_dxf_entity *e = &r->entity;
  int code = codes->code;
  if (read_light(r))
    return;
  switch (code) {
  case 1:
    if (e->kind == PC_DXF_TEXT)
      read_text(r);
    return;
  case 2:
    if (e->kind == PC_DXF_INSERT)
      read_text(r);
    return;
  case 8:
    r->layer = pc_dxf_string(codes, &r->dxf->arena, false);
    return;
  case 10:
  case 20:
    e->at[code / 10 - 1] = pc_dxf_number(codes);
    return;
  case 11:
  case 21:
    e->other[code / 10 - 1] = pc_dxf_number(codes);
    return;
  case 40:
  case 41:
  case 42:
    e->size[code - 40] = pc_dxf_number(codes);
    return;
  case 44:
  case 45:
    e->step[code - 44] = pc_dxf_number(codes);
    return;
  case 50:
  case 51:
    e->angle[code - 50] = pc_dxf_number(codes);
    return;
  case 67:
    e->aside = e->aside || pc_dxf_whole(codes) != 0;
    return;
  case 70:
    if (e->kind == PC_DXF_INSERT)
      e->columns = pc_dxf_whole(codes);
    else if (e->kind == PC_DXF_POLYLINE)
      r->flags = pc_dxf_whole(codes);
    return;
  case 71:
    if (e->kind == PC_DXF_INSERT)
      e->rows = pc_dxf_whole(codes);
    return;
  case 210:
  case 220:
  case 230:
    r->normal[code / 10 - 21] = pc_dxf_number(codes);
    return;
  default:
    return;
  }
}

// The vertices behind a POLYLINE, up to SEQEND.
static void read_vertices(entity_reader *r)
{
  enum { CONTROL_POINT = 16 };
  pc_dxf_codes *codes = r->codes;
  bool more = true;
  while (more && pc_dxf_is(codes, 0, "VERTEX")) {
    pc_dxf_vertex vertex = {.bulge = 0};
    int flags = 0;
    for (more = pc_dxf_next(codes); more && codes->code != 0; more = pc_dxf_next(codes))
      if (codes->code == 10 || codes->code == 20)
        vertex.at[codes->code / 10 - 1] = pc_dxf_number(codes);
      else if (codes->code == 42)
        vertex.bulge = pc_dxf_number(codes);
      else if (codes->code == 70)
        flags = pc_dxf_whole(codes);
    pc_dxf_vertex *added = (flags & CONTROL_POINT) == 0 ? add_vertex(codes, r->drawing) : NULL;
    if (added != NULL) {
      *added = vertex;
      r->entity.count++;
    }
  }
  if (!codes->failed && !(more && pc_dxf_is(codes, 0, "SEQEND")))
    pc_dxf_fail(codes, codes->line, "the POLYLINE that starts in line %d has no SEQEND",
                r->entity.line);
}

// What the flags and the plane of an entity make of it.
static void complete(entity_reader *r)
{
  enum { CLOSED = 1, SPACE = 8, MESHES = 16 | 64 };
  pc_dxf_entity *e = &r->entity;
  bool tilted = fabs(r->normal[0]) > 1e-3 || fabs(r->normal[1]) > 1e-3;
  bool polyline = e->kind == PC_DXF_POLYLINE;
  e->columns = e->columns > 1 ? e->columns : 1;
  e->rows = e->rows > 1 ? e->rows : 1;
  e->closed = polyline && (r->flags & CLOSED) != 0;
  if ((polyline && !r->light && (r->flags & MESHES) != 0) ||
      (tilted && e->kind != PC_DXF_LINE && e->kind != PC_DXF_NOTHING))
    e->kind = PC_DXF_OTHER;
  e->mirrored = r->normal[2] < 0 && e->kind != PC_DXF_LINE &&
                !(polyline && !r->light && (r->flags & SPACE) != 0);
  if (e->kind == PC_DXF_ARC || e->kind == PC_DXF_CIRCLE || e->kind == PC_DXF_ELLIPSE)
    if (!r->codes->failed && !(e->size[0] > 0))
      pc_dxf_fail(r->codes, e->line, "%s must be positive (group code 40), found %g",
                  e->kind == PC_DXF_ELLIPSE ? "the ratio of an ellipse" : "the radius of an arc",
                  e->size[0]);
}

void pc_dxf_read_entity(pc_dxf_codes *codes, pc_dxf_drawing *drawing, pc_dxf *dxf)
{
  entity_reader r = {codes, drawing, dxf, .normal = {0, 0, 1}, .layer = "0"};
  pc_dxf_entity *e = &r.entity;
  *e = (pc_dxf_entity){.kind = kind_of(codes), .line = codes->line, .columns = 1, .rows = 1};
  e->first = drawing->vertices.count;
  r.light = pc_dxf_is(codes, 0, "LWPOLYLINE");
  bool heavy = pc_dxf_is(codes, 0, "POLYLINE");
  const char *type = pc_dxf_string(codes, &dxf->arena, false);
  if (e->kind == PC_DXF_INSERT)
    e->size[1] = e->size[2] = 1;
  if (e->kind == PC_DXF_ELLIPSE)
    e->size[2] = 6.283185307179586;
  bool more = pc_dxf_next(codes);
  for (; more && codes->code != 0; more = pc_dxf_next(codes))
    read_value(&r);
  if (heavy && more)
    read_vertices(&r);
  if (!codes->failed)
    complete(&r);
  if (codes->failed || e->kind == PC_DXF_NOTHING)
    return;
  if (e->kind == PC_DXF_OTHER)
    e->text = type;
  e->layer = layer_of(codes, drawing, dxf, r.layer);
  pc_dxf_entity *added = codes->failed ? NULL : pc_array_add(&drawing->entities);
  if (added != NULL)
    *added = *e;
  else if (!codes->failed)
    out_of_memory(codes);
}
