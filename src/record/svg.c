#include "record/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/replace.h"
#include "record/svg_parts.h"

static const char *copy_text(pc_svg *svg, const char *text)
{
  if (text == NULL)
    return NULL;
  char *copy = pc_arena_take(&svg->arena, strlen(text) + 1, 1);
  return copy != NULL ? strcpy(copy, text) : NULL;
}

pc_svg *pc_svg_create(const pc_svg_frame *frame)
{
  double wide = frame->x.to - frame->x.from, high = frame->y.to - frame->y.from;
  if (!(wide > 0) || !(high > 0) || !isfinite(wide) || !isfinite(high))
    return NULL;
  pc_svg *svg = calloc(1, sizeof *svg);
  if (svg == NULL)
    return NULL;
  svg->frame = *frame;
  svg->frame.title = copy_text(svg, frame->title);
  svg->frame.note = copy_text(svg, frame->note);
  svg->frame.description = copy_text(svg, frame->description);
  svg->frame.x.title = copy_text(svg, frame->x.title);
  svg->frame.y.title = copy_text(svg, frame->y.title);
  bool begun = pc_written_begin(&svg->body);
  if (svg->arena.failed || !begun) {
    pc_svg_destroy(svg);
    return NULL;
  }
  if (!(frame->width > 0))
    svg->frame.width = 640;
  svg->left = 64;
  svg->width = svg->frame.width - svg->left - (frame->scale ? 92 : 20);
  svg->height = frame->equal        ? svg->width * high / wide
                : frame->height > 0 ? frame->height
                                    : 0.6 * svg->frame.width;
  svg->top = pc_svg_put_title(svg, 8, NULL) + 12;
  return svg;
}

void pc_svg_destroy(pc_svg *svg)
{
  if (svg == NULL)
    return;
  free(pc_written_end(&svg->body));
  pc_array_free(&svg->labels);
  pc_array_free(&svg->entries);
  pc_array_free(&svg->marks);
  pc_array_free(&svg->taken);
  pc_array_free(&svg->ink);
  pc_arena_free(&svg->arena);
  free(svg);
}

static void add_entry(pc_svg *svg, pc_svg_sample sample, pc_svg_marker marker, pc_svg_style style)
{
  if (style.legend == NULL)
    return;
  style.legend = copy_text(svg, style.legend);
  pc_svg_entry *entry = style.legend != NULL ? pc_array_add(&svg->entries) : NULL;
  if (entry != NULL)
    *entry = (pc_svg_entry){sample, marker, style};
  else
    svg->failed = true;
}

static void add_label(pc_svg *svg, pc_svg_label_kind kind, const char *text, int count,
                      const double (*point)[2], pc_svg_color color)
{
  if (text == NULL || *text == 0 || count < 1)
    return;
  double(*place)[2] = pc_arena_take_raw(&svg->arena, (size_t)count, sizeof *place);
  const char *copy = copy_text(svg, text);
  pc_svg_label *label = place != NULL && copy != NULL ? pc_array_add(&svg->labels) : NULL;
  if (label == NULL) {
    svg->failed = true;
    return;
  }
  for (int k = 0; k < count; k++)
    place[k][0] = pc_svg_x(svg, point[k][0]), place[k][1] = pc_svg_y(svg, point[k][1]);
  *label = (pc_svg_label){kind, copy, pc_svg_hex(color), count, place};
}

// Stores points along a line, so that labels can avoid it.
static void add_ink(pc_svg *svg, int count, const double (*point)[2])
{
  const double every = 5;
  double left = 0; // to the next place, pixels
  for (int k = 0; k + 1 < count; k++) {
    double x = pc_svg_x(svg, point[k][0]), y = pc_svg_y(svg, point[k][1]);
    double dx = pc_svg_x(svg, point[k + 1][0]) - x, dy = pc_svg_y(svg, point[k + 1][1]) - y;
    double length = hypot(dx, dy);
    if (!(length < 1e4)) // a gap, or far outside
      continue;
    for (; left < length; left += every) {
      pc_svg_place *place = pc_array_add(&svg->ink);
      if (place == NULL) {
        svg->failed = true;
        return;
      }
      *place = (pc_svg_place){x + dx * left / length, y + dy * left / length};
    }
    left -= length;
  }
}

// Writes the points as a path; a point closer than a fifth of a pixel to the last one is left out.
static void put_path(pc_svg *svg, int count, const double (*point)[2])
{
  double last[2] = {NAN, NAN};
  bool begun = false;
  fputs("<path d=\"", svg->body.to);
  for (int k = 0; k < count; k++) {
    double x = pc_svg_x(svg, point[k][0]), y = pc_svg_y(svg, point[k][1]);
    if (!isfinite(x) || !isfinite(y)) {
      begun = false;
      continue;
    }
    if (begun && k + 1 < count && hypot(x - last[0], y - last[1]) < 0.2)
      continue;
    // Limits points far outside the axes, which keeps numbers short.
    x = fmax(fmin(x, 1e5), -1e5), y = fmax(fmin(y, 1e5), -1e5);
    fprintf(svg->body.to, "%s%.2f %.2f", begun ? "L" : "M", x, y);
    last[0] = x, last[1] = y, begun = true;
  }
  fputs("\"", svg->body.to);
}

void pc_svg_line(pc_svg *svg, int count, const double (*point)[2], pc_svg_style style)
{
  if (count > 0) {
    put_path(svg, count, point);
    pc_svg_put_stroke(svg->body.to, style);
    fputs(" stroke-linejoin=\"round\"/>\n", svg->body.to);
    add_ink(svg, count, point);
  }
  add_entry(svg, PC_SVG_A_LINE, PC_SVG_DISC, style);
}

void pc_svg_isoline(pc_svg *svg, int count, const double (*point)[2], const char *label,
                    pc_svg_style style)
{
  pc_svg_line(svg, count, point, style);
  if (count > 1)
    add_label(svg, PC_SVG_ALONG, label, count, point, style.color);
}

void pc_svg_region(pc_svg *svg, int count, const double (*point)[2], pc_svg_style style)
{
  if (count > 2) {
    put_path(svg, count, point);
    fprintf(svg->body.to, " fill=\"%s\" fill-opacity=\"0.18\"/>\n", pc_svg_hex(style.color));
  }
  add_entry(svg, PC_SVG_A_REGION, PC_SVG_DISC, style);
}

void pc_svg_point(pc_svg *svg, double x, double y, pc_svg_marker marker, const char *label,
                  pc_svg_style style)
{
  double at_x = pc_svg_x(svg, x), at_y = pc_svg_y(svg, y);
  bool inside = at_x >= svg->left - 1 && at_x <= svg->left + svg->width + 1 &&
                at_y >= svg->top - 1 && at_y <= svg->top + svg->height + 1;
  pc_svg_mark *mark = inside ? pc_array_add(&svg->marks) : NULL;
  pc_svg_box *box = inside ? pc_array_add(&svg->taken) : NULL;
  if (inside && (mark == NULL || box == NULL)) {
    svg->failed = true;
  } else if (inside) {
    *mark = (pc_svg_mark){at_x, at_y, marker, style.color};
    *box = (pc_svg_box){at_x - 5, at_y - 5, at_x + 5, at_y + 5};
    add_label(svg, PC_SVG_BESIDE, label, 1, (const double[1][2]){{x, y}}, style.color);
  }
  add_entry(svg, PC_SVG_A_POINT, marker, style);
}

void pc_svg_text(pc_svg *svg, double x, double y, const char *text, pc_svg_style style)
{
  add_label(svg, PC_SVG_FIXED, text, 1, (const double[1][2]){{x, y}}, style.color);
}

static void put_picture(const pc_svg *svg, FILE *out)
{
  double below = svg->top + svg->height + 44, height = pc_svg_put_foot(svg, below, NULL) + 14;
  fprintf(
      out,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%.0f\" "
      "viewBox=\"0 0 %g %.0f\" role=\"img\" xml:space=\"preserve\" font-family=\"Helvetica, Arial, "
      "'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"#222\">\n<title>",
      svg->frame.width, height, svg->frame.width, height);
  pc_svg_put_plain(out, svg->frame.title);
  fputs("</title>\n", out);
  if (svg->frame.description != NULL) {
    fputs("<desc>", out);
    pc_svg_put_plain(out, svg->frame.description);
    fputs("</desc>\n", out);
  }
  fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
  pc_svg_put_title(svg, 8, out);
  // A nested picture in the same coordinates clips what is outside. A margin of a pixel keeps lines
  // on the axes whole.
  double box[4] = {svg->left - 1, svg->top - 1, svg->width + 2, svg->height + 2};
  fprintf(out,
          "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
          "viewBox=\"%.2f %.2f %.2f %.2f\">\n",
          box[0], box[1], box[2], box[3], box[0], box[1], box[2], box[3]);
  fwrite(svg->body.text, 1, svg->body.size, out);
  fputs("</svg>\n", out);
  pc_svg_put_axes(svg, out);
  if (svg->scale_title != NULL)
    pc_svg_put_scale(svg, out);
  for (int k = 0; k < svg->marks.count; k++) {
    const pc_svg_mark *mark = &svg->marks.at[k];
    pc_svg_put_marker(out, mark->x, mark->y, mark->marker, mark->color);
  }
  pc_svg_place_labels(svg, out);
  pc_svg_put_foot(svg, below, out);
  fputs("</svg>\n", out);
}

pc_status pc_svg_write(pc_svg *svg, const char *path, pc_error *error)
{
  pc_written picture;
  char *text = NULL;
  if (pc_written_flush(&svg->body) && !svg->failed && pc_written_begin(&picture)) {
    put_picture(svg, picture.to);
    text = pc_written_end(&picture);
  }
  pc_status status = PC_ERROR_IO;
  if (text == NULL) {
    status = pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
  } else {
    pc_replace *file = pc_replace_begin(path, error);
    if (file != NULL) {
      pc_replace_write(file, text, picture.size);
      status = pc_replace_end(file, error);
    }
  }
  free(text);
  return status;
}
