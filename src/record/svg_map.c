// Maps of cells in a plot, with the scale or the legend of their colours.
#include <math.h>
#include <stdlib.h>

#include "record/svg_parts.h"

// A colour between two others.
static unsigned mix(unsigned from, unsigned to, double share)
{
  unsigned mixed = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    double a = from >> shift & 255, b = to >> shift & 255;
    mixed |= (unsigned)lround(a + share * (b - a)) << shift;
  }
  return mixed;
}

// After Okabe and Ito; the sky blue is darker than theirs, for lines on white.
const unsigned pc_svg_colors[] = {0x222222, 0x0072b2, 0xd55e00, 0x007a59,
                                  0xa8508a, 0xc58000, 0x3a9bd1, 0x8a8a8a};

unsigned pc_svg_pale(unsigned color)
{
  return mix(0xffffff, color, 0.18);
}

pc_svg_color pc_svg_class(int number)
{
  return (pc_svg_color)(PC_SVG_BLUE + number % PC_SVG_CLASSES);
}

enum { LEVELS = 40 }; // of colour, on either side of white

// ColorBrewer's RdBu from white outwards.
static unsigned color_of_level(int level)
{
  static const unsigned stops[2][6] = {
      {0xffffff, 0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac, 0x053061},
      {0xffffff, 0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f}};
  double at = 5. * abs(level) / LEVELS;
  int k = at >= 5 ? 4 : (int)at;
  return mix(stops[level > 0][k], stops[level > 0][k + 1], at - k);
}

static int level_of(double value, double limit)
{
  return isfinite(value) ? (int)lround(copysign(LEVELS * sqrt(fabs(value) / limit), value)) : 0;
}

static void find_range(const pc_svg_map *map, double *low, double *high)
{
  *low = *high = 0;
  for (size_t k = 0; k < (size_t)map->nx * map->ny; k++)
    if (isfinite(map->value[k]))
      *low = fmin(*low, map->value[k]), *high = fmax(*high, map->value[k]);
}

unsigned pc_svg_band_color(const pc_svg_map *map, int band)
{
  // Neighbours differ in hue, and none is nearly white, as empty cells are: blue, cyan, green,
  // yellow, orange and red for levels; from yellow over orange and red to black violet, ever
  // darker; ColorBrewer's YlGnBu.
  static const unsigned stops[][6] = {
      [PC_SVG_COLD_TO_HOT] = {0x2b5fb4, 0x5ec4ea, 0x74c476, 0xffe14d, 0xf4802c, 0xb2182b},
      [PC_SVG_HEAT] = {0xfff0a0, 0xfdc43f, 0xf58220, 0xd7301f, 0x8c0d4e, 0x2d0a4a},
      [PC_SVG_DEPTH] = {0xedf8b1, 0xc7e9b4, 0x7fcdbb, 0x41b6c4, 0x2c7fb8, 0x253494}};
  double at = map->bands > 1 ? 5. * band / (map->bands - 1) : 0;
  int k = at >= 5 ? 4 : (int)at;
  return mix(stops[map->palette][k], stops[map->palette][k + 1], at - k);
}

static int band_of(const pc_svg_map *map, double value)
{
  int band = 0;
  while (band < map->bands - 1 && value >= map->limit[band])
    band++;
  return band;
}

// 0: the cell stays empty.
static int level_of_cell(const pc_svg_map *map, double value, double limit)
{
  if (map->bands > 0)
    return isfinite(value) ? 1 + band_of(map, value) : 0;
  if (!map->classes)
    return level_of(value, limit);
  return value >= 0 && value < PC_SVG_CLASSES ? 1 + (int)value : 0;
}

// One path for each colour; neighbours along x that share it are one rectangle.
static void put_map(pc_replace *out, const pc_svg_panel *p, const pc_svg_map *map, double limit)
{
  for (int level = -LEVELS; level <= LEVELS; level++) {
    bool any = false;
    for (int j = 0; j < map->ny && level != 0; j++)
      for (int i = 0, stop; i < map->nx; i = stop) {
        const double *row = map->value + (size_t)j * map->nx;
        for (stop = i; stop < map->nx && level_of_cell(map, row[stop], limit) == level;)
          stop++;
        if (stop > i)
          pc_replace_print(out, "%sM%.2f %.2fH%.2fV%.2fH%.2fZ",
                           any ? "" : "<path shape-rendering=\"crispEdges\" d=\"",
                           pc_svg_pixel_x(p, map->x[i]), pc_svg_pixel_y(p, map->y[j]),
                           pc_svg_pixel_x(p, map->x[stop]), pc_svg_pixel_y(p, map->y[j + 1]),
                           pc_svg_pixel_x(p, map->x[i]));
        any = any || stop > i;
        stop += stop == i;
      }
    if (any)
      pc_replace_print(out, "\" fill=\"#%06x\"/>\n",
                       map->bands > 0 ? pc_svg_band_color(map, level - 1)
                       : map->classes ? pc_svg_pale(pc_svg_colors[pc_svg_class(level - 1)])
                                      : color_of_level(level));
  }
}

void pc_svg_put_map(pc_replace *out, const pc_svg_panel *panel, const pc_svg_map *map, double right)
{
  enum { CELLS = 160 };
  double low, high, x[2] = {0, 1}, y[CELLS + 1], value[CELLS];
  bool named = map->classes || map->bands > 0;
  find_range(map, &low, &high);
  if (!named && low == high)
    return;
  put_map(out, panel, map, fmax(-low, high));
  if (named)
    return;
  for (int k = 0; k <= CELLS; k++)
    y[k] = low + (high - low) * k / CELLS;
  for (int k = 0; k < CELLS; k++)
    value[k] = (y[k] + y[k + 1]) / 2;
  pc_svg_panel scale = {.left = right - PC_SVG_RIGHT - 14,
                        .top = panel->top,
                        .width = 14,
                        .height = panel->height,
                        .x = {NULL, 0, 1, false},
                        .y = {map->title, low, high, false}};
  const pc_svg_map colors = {.nx = 1, .ny = CELLS, .x = x, .y = y, .value = value};
  put_map(out, &scale, &colors, fmax(-low, high));
  pc_svg_put_axes(out, &scale);
}
