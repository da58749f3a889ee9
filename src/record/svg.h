// A plot as SVG: axes with ticks, lines, regions, points with labels, iso-lines with their values,
// a map of cells with its colour scale, a legend. Dark text on white, one sans-serif face, colours
// safe for colour-blind readers, readable at 600 pixels.
//
// Text may have sub- and superscripts, C_{KE} and s^{-1}; everything else in it is escaped. Content
// outside the axes is clipped. Out of memory is reported by pc_svg_write.
#ifndef PERCUSS_RECORD_SVG_H
#define PERCUSS_RECORD_SVG_H

#include <stdbool.h>

#include "percuss/status.h"

typedef struct pc_svg pc_svg;

typedef struct pc_svg_axis {
  const char *title; // with its unit
  double from, to;
  bool whole; // ticks at whole numbers only
} pc_svg_axis;

typedef struct pc_svg_frame {
  const char *title;
  const char *note;        // below the plot, lines separated by \n; may be NULL
  const char *description; // for those who do not see it; may be NULL
  pc_svg_axis x, y;
  double width;  // of the picture, pixels; 0: 640
  double height; // between the axes; 0: what suits the width
  bool equal;    // one unit is as long on both axes; `height` follows
  bool scale;    // leaves room for the colour scale of a map
} pc_svg_frame;

// A step of ticks or levels: 1, 2 or 5 times a power of ten, such that the range has at most
// `count` of them.
double pc_svg_step(double range, double count);

// NULL when memory is out or an axis has no length.
pc_svg *pc_svg_create(const pc_svg_frame *frame);
void pc_svg_destroy(pc_svg *svg);

// The colours, dark enough for lines and text on white.
typedef enum pc_svg_color {
  PC_SVG_BLACK,
  PC_SVG_BLUE,
  PC_SVG_VERMILION,
  PC_SVG_GREEN,
  PC_SVG_PURPLE,
  PC_SVG_ORANGE,
  PC_SVG_SKY,
  PC_SVG_GREY,
  PC_SVG_COLORS
} pc_svg_color;
typedef enum pc_svg_marker {
  PC_SVG_DISC,
  PC_SVG_SQUARE,
  PC_SVG_DIAMOND,
  PC_SVG_TRIANGLE,
  PC_SVG_CROSS,
  PC_SVG_RING,
  PC_SVG_MARKERS
} pc_svg_marker;
typedef enum pc_svg_dash { PC_SVG_SOLID, PC_SVG_DASHED, PC_SVG_DOTTED } pc_svg_dash;

typedef struct pc_svg_style {
  pc_svg_color color;
  pc_svg_dash dash;
  double width;       // of lines, pixels; 0: 1.6
  const char *legend; // a line of the legend; NULL: none
} pc_svg_style;

// Not-a-number coordinates interrupt the line.
void pc_svg_line(pc_svg *svg, int count, const double (*point)[2], pc_svg_style style);
// A line with its value written on it; empty: none.
void pc_svg_isoline(pc_svg *svg, int count, const double (*point)[2], const char *label,
                    pc_svg_style style);
// A polygon, filled lightly.
void pc_svg_region(pc_svg *svg, int count, const double (*point)[2], pc_svg_style style);
// The label, which may be NULL, is placed where it hides least.
void pc_svg_point(pc_svg *svg, double x, double y, pc_svg_marker marker, const char *label,
                  pc_svg_style style);
// Text centred at a point.
void pc_svg_text(pc_svg *svg, double x, double y, const char *text, pc_svg_style style);
// Cells between the edges x[0..nx] and y[0..ny], coloured by the root of value[j * nx + i]: white
// at 0, red above, blue below; cells that have no number stay empty. `title` is that of the scale.
void pc_svg_map(pc_svg *svg, int nx, int ny, const double *x, const double *y, const double *value,
                const char *title);

pc_status pc_svg_write(pc_svg *svg, const char *path, pc_error *error);

#endif
