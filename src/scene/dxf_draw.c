// Entities of a DXF file as paths in metres: arcs become chords, blocks are put where they are
// inserted.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "scene/dxf_drawing.h"

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
static const int MOST_PARTS = 20000;
#else
static const int MOST_PARTS = 5000000; // points and entities, with all insertions of blocks
#endif
enum { DEEPEST = 32 };
static const double PI = 3.14159265358979323846;

// x' = m[0] x + m[1] y + m[2], y' = m[3] x + m[4] y + m[5]
typedef struct place {
  double m[6];
} place;

typedef struct drawer {
  pc_dxf_codes *codes;
  const pc_dxf_drawing *drawing;
  pc_dxf *to;
  double times, over; // metres are units * times / over, which is rounded once
  double curves;      // m
  int parts, depth;
  int layer; // of the insertion; -1: none
  // The path that is drawn.
  place place;
  pc_dxf_path path;
} drawer;

static bool spend(drawer *d, int line)
{
  if (!d->codes->failed && ++d->parts > MOST_PARTS)
    pc_dxf_fail(d->codes, line,
                "the drawing has more than %d points and entities, with all "
                "insertions of blocks; delete what the plan does not need",
                MOST_PARTS);
  return !d->codes->failed;
}

static void out_of_memory(drawer *d)
{
  d->codes->failed = true;
  pc_fail(d->codes->error, PC_ERROR_MEMORY, "out of memory");
}

// a after b.
static place joined(const place *a, const place *b)
{
  place c;
  for (int row = 0; row < 6; row += 3)
    for (int k = 0; k < 3; k++)
      c.m[row + k] =
          a->m[row] * b->m[k] + a->m[row + 1] * b->m[3 + k] + (k == 2 ? a->m[row + 2] : 0);
  return c;
}

static double metres(const drawer *d, double units)
{
  return units * d->times / d->over;
}

static void to_metres(const drawer *d, const double p[2], double out[2])
{
  const double *m = d->place.m;
  for (int k = 0; k < 2; k++)
    out[k] = metres(d, m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2]);
}

// By how much the place enlarges at most, and whether it enlarges everything alike.
static double enlargement(const place *at, bool *alike)
{
  const double *m = at->m;
  double one = pc_hypot(m[0], m[3]), two = pc_hypot(m[1], m[4]);
  double across = fabs(m[0] * m[1] + m[3] * m[4]);
  *alike = fabs(one - two) <= 1e-9 * one && across <= 1e-9 * one * two;
  return *alike ? one : pc_hypot(one, two);
}

static void add_point(drawer *d, double x, double y)
{
  double p[2];
  if (!spend(d, d->path.line))
    return;
  to_metres(d, (const double[2]){x, y}, p);
  const double *last = d->path.count > 0 ? d->to->points.at[d->to->points.count - 1] : NULL;
  if (!isfinite(p[0]) || !isfinite(p[1]) || fabs(p[0]) > 1e12 || fabs(p[1]) > 1e12)
    pc_dxf_fail(d->codes, d->path.line, "a coordinate is too large");
  if (d->codes->failed || (last != NULL && last[0] == p[0] && last[1] == p[1]))
    return;
  double *added = pc_array_add(&d->to->points);
  if (added == NULL) {
    out_of_memory(d);
    return;
  }
  memcpy(added, p, sizeof p);
  d->path.count++;
}

// What has no length is left out.
static void end_path(drawer *d)
{
  pc_dxf_path *path = &d->path;
  const double(*p)[2] = (const double(*)[2])d->to->points.at;
  int first = path->first, last = first + path->count - 1;
  if (d->codes->failed)
    return;
  if (path->count > 2 && memcmp(p[first], p[last], sizeof *p) == 0) {
    path->closed = true;
    path->count--;
    d->to->points.count--;
  }
  path->closed = path->closed && path->count > 2;
  pc_dxf_path *added = path->count > 1 ? pc_array_add(&d->to->paths) : NULL;
  if (added != NULL) {
    *added = *path;
    d->to->layers.at[path->layer].paths++;
  } else if (path->count > 1)
    out_of_memory(d);
  else
    d->to->points.count = path->first;
}

// Chords of an arc of this radius, in the units of the entity.
static int chords(const drawer *d, double radius, double sweep)
{
  enum { LEAST_OF_CIRCLE = 12, MOST = 720 };
  bool alike;
  double size = metres(d, radius * enlargement(&d->place, &alike));
  double sag = fmin(1, d->curves / fmax(size, 1e-300));
  double step = fmin(2 * PI / LEAST_OF_CIRCLE, 2 * pc_acos(1 - sag));
  double count = ceil(fabs(sweep) / fmax(step, 2 * PI / MOST) - 1e-9);
  return count < 1 ? 1 : (int)count;
}

// The points of an ellipse from one parameter to the other: at + major cos + minor sin. `skip`: of
// the ends, which the caller has.
static void add_ellipse(drawer *d, const double at[2], const double major[2], const double minor[2],
                        double from, double sweep, int skip)
{
  int count = chords(d, fmax(pc_hypot(major[0], major[1]), pc_hypot(minor[0], minor[1])), sweep);
  for (int i = skip; i <= count - skip && !d->codes->failed; i++) {
    double t = from + sweep * i / count, c = pc_cos(t), s = pc_sin(t);
    add_point(d, at[0] + major[0] * c + minor[0] * s, at[1] + major[1] * c + minor[1] * s);
  }
}

static void draw_bulge(drawer *d, const pc_dxf_vertex *a, const pc_dxf_vertex *b)
{
  double bulge = a->bulge, across = (1 - bulge * bulge) / (4 * bulge), radius[2], minor[2],
         centre[2];
  double chord[2] = {b->at[0] - a->at[0], b->at[1] - a->at[1]};
  if (!isfinite(across))
    return; // so little that it is straight
  for (int k = 0; k < 2; k++)
    centre[k] = 0.5 * (a->at[k] + b->at[k]) + across * (k == 0 ? -chord[1] : chord[0]);
  for (int k = 0; k < 2; k++)
    radius[k] = a->at[k] - centre[k];
  minor[0] = -radius[1], minor[1] = radius[0];
  add_ellipse(d, centre, radius, minor, 0, 4 * pc_atan(bulge), 1);
  d->path.curved = true;
}

static void draw_polyline(drawer *d, const pc_dxf_entity *e)
{
  const pc_dxf_vertex *v = e->count > 0 ? d->drawing->vertices.at + e->first : NULL;
  int pieces = e->closed ? e->count : e->count - 1;
  d->path.closed = e->closed;
  for (int i = 0; i < e->count && !d->codes->failed; i++) {
    add_point(d, v[i].at[0], v[i].at[1]);
    if (i < pieces && v[i].bulge != 0)
      draw_bulge(d, &v[i], &v[(i + 1) % e->count]);
  }
}

static void draw_arc(drawer *d, const pc_dxf_entity *e)
{
  double r = e->size[0], from = e->angle[0] * PI / 180,
         sweep = (e->angle[1] - e->angle[0]) * PI / 180;
  sweep = e->kind == PC_DXF_CIRCLE ? 2 * PI : sweep - 2 * PI * floor(sweep / (2 * PI));
  bool alike, circle = e->kind == PC_DXF_CIRCLE;
  double size = enlargement(&d->place, &alike);
  if (circle && alike) {
    to_metres(d, e->at, d->path.centre);
    d->path.radius = metres(d, r * size);
  }
  if (!circle && sweep == 0)
    sweep = 2 * PI;
  d->path.curved = true;
  add_ellipse(d, e->at, (const double[2]){r, 0}, (const double[2]){0, r}, circle ? 0 : from, sweep,
              0);
  d->path.closed = circle;
}

static void draw_ellipse(drawer *d, const pc_dxf_entity *e)
{
  double side = e->size[0] * (e->mirrored ? -1 : 1);
  double minor[2] = {-side * e->other[1], side * e->other[0]};
  double sweep = e->size[2] - e->size[1];
  sweep = fabs(sweep) >= 2 * PI - 1e-9 ? 2 * PI : sweep - 2 * PI * floor(sweep / (2 * PI));
  d->path.curved = true;
  d->path.closed = sweep == 2 * PI;
  add_ellipse(d, e->at, e->other, minor, e->size[1], sweep, 0);
}

// A whole turn ends where it begins, but for round-off.
static void close_turn(drawer *d)
{
  const double *first = d->to->points.at[d->path.first];
  const double *last = d->to->points.at[d->to->points.count - 1];
  if (!d->codes->failed && d->path.closed && d->path.curved && d->path.count > 3 &&
      pc_hypot(first[0] - last[0], first[1] - last[1]) < 1e-3 * d->curves) {
    d->path.count--;
    d->to->points.count--;
  }
}

static void draw_text(drawer *d, const pc_dxf_entity *e, int layer)
{
  bool empty = e->text == NULL || *e->text == 0;
  pc_dxf_text *text = empty ? NULL : pc_array_add(&d->to->texts);
  if (text == NULL) {
    if (!empty)
      out_of_memory(d);
    return;
  }
  *text = (pc_dxf_text){.layer = layer, .text = e->text};
  to_metres(d, e->at, text->at);
  d->to->layers.at[layer].texts++;
}

static void draw_all(drawer *d, const pc_dxf_block *block);

static void draw_insertion(drawer *d, const pc_dxf_entity *e, int layer)
{
  int found = e->text != NULL ? pc_names_find(&d->drawing->names, pc_dxf_key_of(e->text).text) : -1;
  if (found < 0) {
    pc_dxf_fail(d->codes, e->line, "the block '%.60s' that is inserted here is not in the file",
                e->text != NULL ? e->text : "");
    return;
  }
  if (d->depth >= DEEPEST) {
    pc_dxf_fail(d->codes, e->line, "blocks are nested more than %d deep, or contain themselves",
                DEEPEST);
    return;
  }
  const pc_dxf_block *block = &d->drawing->blocks.at[found];
  double turn = e->angle[0] * PI / 180, c = pc_cos(turn), s = pc_sin(turn);
  if (e->angle[0] == 90 * floor(e->angle[0] / 90)) // exactly, as they are drawn
    c = round(c), s = round(s);
  place before = d->place;
  int own = d->layer;
  d->layer = layer;
  d->depth++;
  for (int i = 0; i < e->columns && !d->codes->failed; i++)
    for (int j = 0; j < e->rows && spend(d, e->line); j++) {
      double x = i * e->step[0], y = j * e->step[1];
      place at = {{c * e->size[1], -s * e->size[2], 0, s * e->size[1], c * e->size[2], 0}};
      at.m[2] = e->at[0] + c * x - s * y - at.m[0] * block->base[0] - at.m[1] * block->base[1];
      at.m[5] = e->at[1] + s * x + c * y - at.m[3] * block->base[0] - at.m[4] * block->base[1];
      place here = d->place;
      d->place = joined(&here, &at);
      draw_all(d, block);
      d->place = here;
    }
  d->depth--;
  d->layer = own;
  d->place = before;
}

static void draw_entity(drawer *d, const pc_dxf_entity *e)
{
  int layer = d->layer >= 0 && e->layer == d->drawing->zero ? d->layer : e->layer;
  if (!spend(d, e->line) || e->aside)
    return;
  if (e->kind == PC_DXF_OTHER) {
    pc_dxf_layer *own = &d->to->layers.at[layer];
    if (own->others++ == 0)
      own->other = e->text, own->other_line = e->line;
    return;
  }
  place before = d->place;
  if (e->mirrored && e->kind != PC_DXF_ELLIPSE)
    d->place = joined(&before, &(place){{-1, 0, 0, 0, 1, 0}});
  d->path = (pc_dxf_path){.layer = layer, .line = e->line, .first = d->to->points.count};
  if (e->kind == PC_DXF_INSERT)
    draw_insertion(d, e, layer);
  else if (e->kind == PC_DXF_TEXT)
    draw_text(d, e, layer);
  else {
    if (e->kind == PC_DXF_LINE) {
      add_point(d, e->at[0], e->at[1]);
      add_point(d, e->other[0], e->other[1]);
    } else if (e->kind == PC_DXF_POLYLINE)
      draw_polyline(d, e);
    else if (e->kind == PC_DXF_ELLIPSE)
      draw_ellipse(d, e);
    else
      draw_arc(d, e);
    if (d->path.count > 0)
      close_turn(d);
    end_path(d);
  }
  d->place = before;
}

static void draw_all(drawer *d, const pc_dxf_block *block)
{
  for (int i = 0; i < block->count && !d->codes->failed; i++)
    draw_entity(d, &d->drawing->entities.at[block->first + i]);
}

static const struct {
  int unit;
  double times, over;
} units[] = {
    {PC_DXF_INCH, 254, 10000},   {PC_DXF_FOOT, 3048, 10000}, {PC_DXF_MILLIMETRE, 1, 1000},
    {PC_DXF_CENTIMETRE, 1, 100}, {PC_DXF_METRE, 1, 1},       {PC_DXF_DECIMETRE, 1, 10},
};

void pc_dxf_draw(pc_dxf_codes *codes, const pc_dxf_drawing *drawing, const pc_dxf_def *def,
                 pc_dxf *dxf)
{
  drawer d = {.codes = codes, .drawing = drawing, .to = dxf, .curves = def->curves, .layer = -1};
  int unit = def->unit != PC_DXF_NO_UNIT ? (int)def->unit : drawing->unit;
  d.place = (place){{1, 0, 0, 0, 1, 0}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (units[i].unit == unit)
      d.times = units[i].times, d.over = units[i].over;
  if (d.over > 0)
    draw_all(&d, &drawing->model);
  else if (unit == PC_DXF_NO_UNIT)
    pc_dxf_fail(codes, 1,
                "the file does not give its unit of length ($INSUNITS); add 'unit', e.g. "
                "'unit: mm'");
  else
    pc_dxf_fail(codes, 1,
                "the unit of length of the file ($INSUNITS %d) is none of buildings; if it "
                "is wrong, give the right one, e.g. 'unit: mm'",
                unit);
}
