// The inside of plots, shared by the files svg*.c.
#ifndef PERCUSS_RECORD_SVG_PARTS_H
#define PERCUSS_RECORD_SVG_PARTS_H

#include "record/replace.h"
#include "record/svg.h"

// Pixels.
enum { PC_SVG_WIDTH = 640, PC_SVG_LEFT = 64, PC_SVG_RIGHT = 20 };
enum { PC_SVG_SMALL = 12, PC_SVG_FONT = 13, PC_SVG_TITLE = 15 };

#define PC_SVG_CENTRED "text-anchor=\"middle\""

// The rectangle between two axes.
typedef struct pc_svg_panel {
  double left, top, width, height;
  pc_svg_axis x, y;
  bool ratio; // of the horizontal axis
} pc_svg_panel;

// svg_axes.c
double pc_svg_pixel_x(const pc_svg_panel *panel, double x);
double pc_svg_pixel_y(const pc_svg_panel *panel, double y);
// A text with subscripts, written C_{KE}: small and low, or as other letters in a plain text.
void pc_svg_put_letters(pc_replace *out, const char *text, size_t length, bool plain);
// A text element. Without a file nothing is written: its caller lays out the picture.
void pc_svg_put_text(pc_replace *out, double x, double y, int size, const char *attributes,
                     const char *text, size_t length);
double pc_svg_text_width(const char *text, size_t length, int size); // about
// How much longer numbers along the vertical axis are than the usual room for them.
double pc_svg_find_excess(const pc_svg_panel *panel);
void pc_svg_put_axes(pc_replace *out, const pc_svg_panel *panel);
// A bar below the panel that says how long a metre is.
void pc_svg_put_scale_bar(pc_replace *out, const pc_svg_panel *panel);

// svg_map.c
extern const unsigned pc_svg_colors[];
unsigned pc_svg_pale(unsigned color);
unsigned pc_svg_band_color(const pc_svg_map *map, int band);
// The map, and at the right edge of the picture a panel with the scale of its colours.
void pc_svg_put_map(pc_replace *out, const pc_svg_panel *panel, const pc_svg_map *map,
                    double right);

#endif
