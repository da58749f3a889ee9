// A plot as SVG, 640 pixels wide unless it says otherwise: a panel with axes, a map of cells,
// lines, filled regions, points and texts; below it a legend and a note. Colours are safe for
// colour-blind readers.
//
// Texts may have subscripts, C_{KE}.
//
// A caller fills in the description, adds items, sets axes that contain them all, writes and frees
// it. The plot keeps pointers: texts and points come from its arena or outlive it.
#ifndef PERCUSS_RECORD_SVG_H
#define PERCUSS_RECORD_SVG_H

#include "core/array.h"
#include "percuss/status.h"

struct pc_replace;

// Dark enough for lines and markers on white.
typedef enum pc_svg_color {
  PC_SVG_BLACK,
  PC_SVG_BLUE,
  PC_SVG_VERMILION,
  PC_SVG_GREEN,
  PC_SVG_PURPLE,
  PC_SVG_ORANGE,
  PC_SVG_SKY,
  PC_SVG_GREY
} pc_svg_color;
typedef enum pc_svg_marker {
  PC_SVG_DISC,
  PC_SVG_SQUARE,
  PC_SVG_DIAMOND,
  PC_SVG_TRIANGLE,
  PC_SVG_CROSS,
  PC_SVG_RING
} pc_svg_marker;
typedef enum pc_svg_dash { PC_SVG_SOLID, PC_SVG_DASHED, PC_SVG_DOTTED } pc_svg_dash;

// Lines and regions are drawn in their order, then the axes, then points and texts.
typedef enum pc_svg_kind { PC_SVG_LINE, PC_SVG_REGION, PC_SVG_POINT, PC_SVG_TEXT } pc_svg_kind;
typedef struct pc_svg_item {
  pc_svg_kind kind;
  pc_svg_color color; // a region has a pale shade of it and hides what was drawn before
  const char *text;   // of PC_SVG_TEXT; else its entry in the legend, NULL: none
  // A line or a region. Coordinates that are not numbers interrupt a line.
  int count;
  double (*point)[2];
  pc_svg_dash dash;
  double width; // of a line, pixels; 0: 1.6
  // A point or a text, which has its middle there.
  double x, y;
  pc_svg_marker marker;
} pc_svg_item;

typedef struct pc_svg_axis {
  const char *title; // with its unit
  double from, to;
  bool whole; // ticks at whole numbers only
} pc_svg_axis;

// Cells between the edges x[0..nx] and y[0..ny], coloured by the root of value[j * nx + i], so that
// small values remain visible: white at 0, red above, blue below. Cells without a number stay
// empty. A scale of the colours is drawn beside the panel. With `classes` the values are the
// numbers of classes, 0 to PC_SVG_CLASSES - 1, and have the colours of pc_svg_class instead of a
// scale. With `bands` the colours are those of a palette: the first below limit[0], the last from
// limit[bands - 2] on; the legend names them.
enum { PC_SVG_CLASSES = 7, PC_SVG_BANDS = 8 };
typedef enum pc_svg_palette {
  PC_SVG_COLD_TO_HOT, // from good to bad, through white
  PC_SVG_HEAT,        // from pale yellow over red to dark violet
  PC_SVG_DEPTH        // from pale green to dark blue
} pc_svg_palette;
typedef struct pc_svg_map {
  int nx, ny; // 0: no map
  const double *x, *y, *value;
  const char *title; // of the scale
  bool classes;
  int bands; // at most PC_SVG_BANDS; 0: none
  const double *limit;
  pc_svg_palette palette;
  const char *const *band; // what the legend calls them; NULL: no legend
} pc_svg_map;
pc_svg_color pc_svg_class(int number);

typedef struct pc_svg {
  const char *title;
  const char *note;        // below the legend; NULL: none
  const char *description; // for readers who do not see the picture
  pc_svg_axis x, y;
  bool ratio;    // equal ratios are equally long on the horizontal axis, of positive numbers
  double height; // of the panel, pixels; 0: one unit is as long on both axes
  double width;  // of the picture, pixels; 0: 640
  bool plan;     // a scale bar in metres instead of axes
  pc_svg_map map;
  PC_ARRAY(pc_svg_item) items;
  pc_arena arena;
} pc_svg;

// Adds an item. Failures are reported by pc_svg_write.
void pc_svg_add(pc_svg *svg, pc_svg_item item);
// A text in the arena; "" when memory is out.
const char *pc_svg_print(pc_svg *svg, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
pc_status pc_svg_write(const pc_svg *svg, const char *path, pc_error *error);
// Writes its element into a file that has others, such as a page.
pc_status pc_svg_put(const pc_svg *svg, struct pc_replace *out, pc_error *error);
void pc_svg_free(pc_svg *svg);

// A step of ticks or levels: 1, 2 or 5 times a power of ten, such that the range has at most
// `count` of them.
double pc_svg_step(double range, double count);

#endif
