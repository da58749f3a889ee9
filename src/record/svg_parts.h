// A plot under construction, and what the files of the SVG writer share. Lengths are pixels.
#ifndef PERCUSS_RECORD_SVG_PARTS_H
#define PERCUSS_RECORD_SVG_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include "core/array.h"
#include "core/written.h"
#include "record/svg.h"

enum { PC_SVG_FONT = 13, PC_SVG_SMALL = 11, PC_SVG_TITLE = 15 };

typedef struct pc_svg_box {
  double x0, y0, x1, y1;
} pc_svg_box;

typedef struct pc_svg_place {
  double x, y;
} pc_svg_place;

// Text that is placed when everything is drawn.
typedef enum pc_svg_label_kind { PC_SVG_FIXED, PC_SVG_BESIDE, PC_SVG_ALONG } pc_svg_label_kind;
typedef struct pc_svg_label {
  pc_svg_label_kind kind; // with its middle at a point, beside it, or along a line
  const char *text;
  const char *color;
  int count;
  double (*point)[2]; // there
} pc_svg_label;

typedef enum pc_svg_sample { PC_SVG_A_LINE, PC_SVG_A_REGION, PC_SVG_A_POINT } pc_svg_sample;
typedef struct pc_svg_entry { // of the legend
  pc_svg_sample sample;
  pc_svg_marker marker;
  pc_svg_style style;
} pc_svg_entry;

typedef struct pc_svg_mark {
  double x, y;
  pc_svg_marker marker;
  pc_svg_color color;
} pc_svg_mark;

struct pc_svg {
  pc_svg_frame frame;
  double left, top, width, height; // of the rectangle between the axes
  pc_written body;                 // what is drawn in it
  pc_arena arena;                  // texts and points of labels
  PC_ARRAY(pc_svg_label) labels;
  PC_ARRAY(pc_svg_entry) entries;
  PC_ARRAY(pc_svg_mark) marks; // drawn over the axes, so that none is cut in two
  PC_ARRAY(pc_svg_box) taken;  // by markers
  PC_ARRAY(pc_svg_place) ink;  // every few pixels along lines
  double low, high;            // of the map
  const char *scale_title;     // NULL: no map
  bool failed;                 // out of memory
};

// From the axes to pixels.
static inline double pc_svg_x(const pc_svg *svg, double x)
{
  const pc_svg_axis *axis = &svg->frame.x;
  return svg->left + svg->width * (x - axis->from) / (axis->to - axis->from);
}

static inline double pc_svg_y(const pc_svg *svg, double y)
{
  const pc_svg_axis *axis = &svg->frame.y;
  return svg->top + svg->height * (axis->to - y) / (axis->to - axis->from);
}

// svg_text.c
typedef enum pc_svg_anchor { PC_SVG_START, PC_SVG_MIDDLE, PC_SVG_END } pc_svg_anchor;
// About as wide as it is drawn.
double pc_svg_text_width(const char *text, size_t length, double size);
// Escaped, with sub- and superscripts.
void pc_svg_put_text(FILE *out, const char *text, size_t length);
// Without them, for a title that is read aloud.
void pc_svg_put_plain(FILE *out, const char *text);
// A text element; `attributes` are further ones, or "".
void pc_svg_put_line(FILE *out, double x, double y, double size, pc_svg_anchor anchor,
                     const char *attributes, const char *text, size_t length);
// Cuts a text at spaces and \n; returns the length of its first line and where the next one begins.
size_t pc_svg_wrap(const char *text, double size, double width, const char **next);

// svg_labels.c
void pc_svg_place_labels(const pc_svg *svg, FILE *out);

// svg_map.c
void pc_svg_put_scale(const pc_svg *svg, FILE *out);

// svg_frame.c
// The first tick at or above `from` and the step of ticks some `wanted` pixels apart.
double pc_svg_ticks(double from, double to, double pixels, double wanted, bool whole, double *step);
// A tick's number, with a proper minus sign.
void pc_svg_put_number(FILE *out, double value, double step);
const char *pc_svg_hex(pc_svg_color color);
void pc_svg_put_marker(FILE *out, double x, double y, pc_svg_marker marker, pc_svg_color color);
// Attributes of the stroke of a line.
void pc_svg_put_stroke(FILE *out, pc_svg_style style);
void pc_svg_put_axes(const pc_svg *svg, FILE *out);
// Legend and note from `y` on downwards, or, if `out` is NULL, the room they take; returns where
// they end.
double pc_svg_put_foot(const pc_svg *svg, double y, FILE *out);
// The title, likewise.
double pc_svg_put_title(const pc_svg *svg, double y, FILE *out);

#endif
