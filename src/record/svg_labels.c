// Places the labels of a plot beside points and along lines, where they hide least.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/svg_parts.h"

// Pixels of `box` that lie outside the axes or over what is there already; a line counts as two
// pixels wide, so that text may cross it but does not lie along it.
static double hidden(const pc_svg *svg, const pc_svg_box *taken, int count, pc_svg_box box)
{
  double x0 = fmax(box.x0, svg->left), x1 = fmin(box.x1, svg->left + svg->width);
  double y0 = fmax(box.y0, svg->top), y1 = fmin(box.y1, svg->top + svg->height);
  double inside = fmax(x1 - x0, 0) * fmax(y1 - y0, 0);
  double sum = 4 * ((box.x1 - box.x0) * (box.y1 - box.y0) - inside);
  for (int k = 0; k < count; k++) {
    double wide = fmin(box.x1, taken[k].x1) - fmax(box.x0, taken[k].x0);
    double high = fmin(box.y1, taken[k].y1) - fmax(box.y0, taken[k].y0);
    if (wide > 0 && high > 0)
      sum += wide * high;
  }
  for (int k = 0; k < svg->ink.count; k++) {
    const pc_svg_place *p = &svg->ink.at[k];
    sum += p->x > box.x0 && p->x < box.x1 && p->y > box.y0 && p->y < box.y1 ? 6 : 0;
  }
  return sum;
}

// White round the letters, so wide in all.
#define HALO "stroke=\"#fff\" stroke-width=\"%g\" stroke-linejoin=\"round\" paint-order=\"stroke\""

static void put_label(const pc_svg_label *label, double x, double y, FILE *out)
{
  char attributes[200];
  snprintf(attributes, sizeof attributes, "fill=\"%s\" " HALO, label->color, 4.);
  pc_svg_put_line(out, x, y + 0.36 * PC_SVG_FONT, PC_SVG_FONT, PC_SVG_MIDDLE, attributes,
                  label->text, strlen(label->text));
}

static pc_svg_box at_point(const pc_svg_label *label, FILE *out)
{
  double half = pc_svg_text_width(label->text, strlen(label->text), PC_SVG_FONT) / 2;
  double x = label->point[0][0], y = label->point[0][1], high = PC_SVG_FONT / 2.;
  put_label(label, x, y, out);
  return (pc_svg_box){x - half, y - high, x + half, y + high};
}

static pc_svg_box beside_point(const pc_svg *svg, const pc_svg_label *label,
                               const pc_svg_box *taken, int count, FILE *out)
{
  // Right, left, above, below, then the corners.
  static const double side[][2] = {{1, 0},  {-1, 0},  {0, -1}, {0, 1},
                                   {1, -1}, {-1, -1}, {1, 1},  {-1, 1}};
  double size = PC_SVG_FONT, wide = pc_svg_text_width(label->text, strlen(label->text), size);
  double best = INFINITY, x = label->point[0][0], y = label->point[0][1];
  pc_svg_box place = {0};
  for (int k = 0; k < 16; k++) {
    const double *s = side[k % 8], away = k < 8 ? 8 : 16;
    double middle_x = x + s[0] * (away * (s[1] != 0 ? 0.7 : 1) + wide / 2);
    double middle_y = y + s[1] * (away * 0.8 + size / 2);
    pc_svg_box box = {middle_x - wide / 2, middle_y - size / 2, middle_x + wide / 2,
                      middle_y + size / 2};
    double cost = hidden(svg, taken, count, box) + k;
    if (cost < best)
      best = cost, place = box;
  }
  put_label(label, (place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2, out);
  return place;
}

// The point at `wanted` pixels along the line.
static void walk(const pc_svg_label *label, double wanted, double at[2])
{
  for (int k = 0; k + 1 < label->count; k++) {
    const double *a = label->point[k], *b = label->point[k + 1];
    double step = hypot(b[0] - a[0], b[1] - a[1]);
    if (wanted <= step || k + 2 == label->count) {
      double share = step > 0 ? fmin(wanted / step, 1) : 0;
      at[0] = a[0] + share * (b[0] - a[0]);
      at[1] = a[1] + share * (b[1] - a[1]);
      return;
    }
    wanted -= step;
  }
}

// Writes a value on its line, rotated along it; a line too short for it has none.
static pc_svg_box along_line(const pc_svg *svg, const pc_svg_label *label, const pc_svg_box *taken,
                             int count, FILE *out)
{
  double size = PC_SVG_SMALL, length = 0, best = INFINITY, angle = 0, middle[2] = {0, 0};
  double wide = pc_svg_text_width(label->text, strlen(label->text), size);
  pc_svg_box place = {0};
  for (int k = 0; k + 1 < label->count; k++)
    length += hypot(label->point[k + 1][0] - label->point[k][0],
                    label->point[k + 1][1] - label->point[k][1]);
  if (length < 1.6 * wide)
    return place;
  for (int k = 0; k < 17; k++) {
    // 1/2, then to either side of it.
    double share = 0.5 + (k % 2 == 0 ? 1 : -1) * ((k + 1) / 2) * 0.05;
    double from = share * length - wide / 2, to = from + wide, a[2], b[2];
    if (from < 0 || to > length)
      continue;
    walk(label, from, a);
    walk(label, to, b);
    double turned = atan2(b[1] - a[1], b[0] - a[0]), x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2;
    double half_x = (wide * fabs(cos(turned)) + size * fabs(sin(turned))) / 2;
    double half_y = (wide * fabs(sin(turned)) + size * fabs(cos(turned))) / 2;
    pc_svg_box box = {x - half_x, y - half_y, x + half_x, y + half_y};
    double cost = hidden(svg, taken, count, box) + k;
    if (cost >= best)
      continue;
    best = cost, place = box, middle[0] = x, middle[1] = y;
    angle = turned * 180 / acos(-1);
  }
  if (best > 0.9 * wide * size)
    return (pc_svg_box){0};
  angle -= angle > 90 ? 180 : angle <= -90 ? -180 : 0;
  char attributes[260];
  snprintf(attributes, sizeof attributes, "fill=\"%s\" transform=\"rotate(%.1f %.2f %.2f)\" " HALO,
           label->color, angle, middle[0], middle[1], 6.);
  pc_svg_put_line(out, middle[0], middle[1] + 0.36 * size, size, PC_SVG_MIDDLE, attributes,
                  label->text, strlen(label->text));
  return place;
}

// Labels with the least freedom are placed first: a line has many places for its value.
void pc_svg_place_labels(const pc_svg *svg, FILE *out)
{
  int count = svg->taken.count;
  pc_svg_box *taken = malloc((size_t)(count + svg->labels.count + 1) * sizeof *taken);
  if (taken == NULL)
    return;
  if (count > 0)
    memcpy(taken, svg->taken.at, (size_t)count * sizeof *taken);
  for (pc_svg_label_kind kind = PC_SVG_FIXED; kind <= PC_SVG_ALONG; kind++)
    for (int k = 0; k < svg->labels.count; k++) {
      const pc_svg_label *label = &svg->labels.at[k];
      if (label->kind != kind)
        continue;
      taken[count] = kind == PC_SVG_FIXED    ? at_point(label, out)
                     : kind == PC_SVG_BESIDE ? beside_point(svg, label, taken, count, out)
                                             : along_line(svg, label, taken, count, out);
      count++;
    }
  free(taken);
}
