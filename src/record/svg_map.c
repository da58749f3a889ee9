// A map of cells, and the scale of its colours.
#include <math.h>
#include <string.h>

#include "record/svg_parts.h"

enum { LEVELS = 40 }; // of colour, on either side of white

// ColorBrewer's RdBu from white outwards, safe for colour-blind readers.
static void color_of(int level, char text[8])
{
  static const unsigned char above[6][3] = {{255, 255, 255}, {253, 219, 199}, {244, 165, 130},
                                            {214, 96, 77},   {178, 24, 43},   {103, 0, 31}};
  static const unsigned char below[6][3] = {{255, 255, 255}, {209, 229, 240}, {146, 197, 222},
                                            {67, 147, 195},  {33, 102, 172},  {5, 48, 97}};
  const unsigned char(*stops)[3] = level > 0 ? above : below;
  double at = 5. * (level > 0 ? level : -level) / LEVELS;
  int k = at >= 5 ? 4 : (int)at, mix[3];
  for (int c = 0; c < 3; c++)
    mix[c] = (int)lround(stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]));
  snprintf(text, 8, "#%02x%02x%02x", mix[0] & 255, mix[1] & 255, mix[2] & 255);
}

// Colours follow the root of the value, so that small values remain visible beside large ones.
static double shade_of(double value, double limit)
{
  return copysign(LEVELS * sqrt(fmin(fabs(value) / limit, 1)), value);
}

static int level_of(double value, double limit)
{
  return isfinite(value) && limit > 0 ? (int)lround(shade_of(value, limit)) : 0;
}

// One path for each colour; neighbours along x that share it are one rectangle.
static void put_level(pc_svg *svg, int level, int nx, int ny, const double *x, const double *y,
                      const double *value, double limit)
{
  char color[8];
  bool any = false;
  color_of(level, color);
  for (int j = 0; j < ny; j++)
    for (int i = 0, stop; i < nx; i = stop) {
      stop = i + 1;
      if (level_of(value[(size_t)j * nx + i], limit) != level)
        continue;
      while (stop < nx && level_of(value[(size_t)j * nx + stop], limit) == level)
        stop++;
      fprintf(svg->body.to, "%sM%.2f %.2fH%.2fV%.2fH%.2fZ",
              any ? "" : "<path shape-rendering=\"crispEdges\" d=\"", pc_svg_x(svg, x[i]),
              pc_svg_y(svg, y[j]), pc_svg_x(svg, x[stop]), pc_svg_y(svg, y[j + 1]),
              pc_svg_x(svg, x[i]));
      any = true;
    }
  if (any)
    fprintf(svg->body.to, "\" fill=\"%s\"/>\n", color);
}

void pc_svg_map(pc_svg *svg, int nx, int ny, const double *x, const double *y, const double *value,
                const char *title)
{
  double low = 0, high = 0;
  for (size_t k = 0; k < (size_t)nx * ny; k++)
    if (isfinite(value[k]))
      low = fmin(low, value[k]), high = fmax(high, value[k]);
  char *copy = pc_arena_take(&svg->arena, strlen(title) + 1, 1);
  if (copy == NULL) {
    svg->failed = true;
    return;
  }
  svg->scale_title = strcpy(copy, title);
  svg->low = low, svg->high = high;
  for (int level = -LEVELS; level <= LEVELS; level++)
    if (level != 0)
      put_level(svg, level, nx, ny, x, y, value, fmax(-low, high));
}

// A number beside the scale, unless it would touch the last one.
static void put_tick(const pc_svg *svg, double value, double at, double *last, FILE *out)
{
  double x = svg->left + svg->width + 30;
  if (fabs(at - *last) < 15)
    return;
  *last = at;
  fprintf(out,
          "<path d=\"M%.2f %.2fh4\" stroke=\"#333\"/>\n<text x=\"%.2f\" y=\"%.2f\" "
          "font-size=\"%d\">%s%g</text>\n",
          x, at, x + 7, at + 4, PC_SVG_SMALL, value < 0 ? "\u2212" : "", fabs(value));
}

void pc_svg_put_scale(const pc_svg *svg, FILE *out)
{
  double limit = fmax(-svg->low, svg->high), x = svg->left + svg->width + 16, wide = 14;
  if (!(limit > 0))
    return;
  int first = level_of(svg->low, limit), last = level_of(svg->high, limit);
  double each = svg->height / (last - first + 1), zero = svg->top + (last + 0.5) * each;
  for (int level = first; level <= last; level++) {
    char color[8];
    color_of(level, color);
    fprintf(out,
            "<rect shape-rendering=\"crispEdges\" x=\"%.2f\" y=\"%.2f\" width=\"%g\" "
            "height=\"%.2f\" fill=\"%s\"/>\n",
            x, svg->top + (last - level) * each, wide, each + 0.5, color);
  }
  fprintf(out,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%g\" height=\"%.2f\" fill=\"none\" "
          "stroke=\"#333\"/>\n",
          x, svg->top, wide, svg->height);
  // 1, 2, 5 of every power of ten, from the ends towards 0.
  put_tick(svg, 0, zero, &(double){-INFINITY}, out);
  for (int sign = -1; sign <= 1; sign += 2) {
    static const double digits[] = {5, 2, 1};
    double taken = -INFINITY;
    for (int power = (int)floor(log10(limit)), k = 0; k < 9; k++) {
      double value = sign * digits[k % 3] * pow(10, power - k / 3);
      double at = zero - each * shade_of(value, limit);
      if (value >= svg->low && value <= svg->high && fabs(at - zero) > 15)
        put_tick(svg, value, at, &taken, out);
    }
  }
  char turned[80];
  double title_x = x + wide + 54, middle = svg->top + svg->height / 2;
  snprintf(turned, sizeof turned, "transform=\"rotate(-90 %.2f %.2f)\"", title_x, middle);
  pc_svg_put_line(out, title_x, middle, PC_SVG_FONT, PC_SVG_MIDDLE, turned, svg->scale_title,
                  strlen(svg->scale_title));
}
