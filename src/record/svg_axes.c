// Panels of plots: where numbers are in pixels, texts, ticks and axes.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/plain.h"
#include "record/svg_parts.h"

double pc_svg_pixel_x(const pc_svg_panel *p, double x)
{
  if (p->ratio)
    return p->left + p->width * pc_log(x / p->x.from) / pc_log(p->x.to / p->x.from);
  return p->left + p->width * (x - p->x.from) / (p->x.to - p->x.from);
}

double pc_svg_pixel_y(const pc_svg_panel *p, double y)
{
  return p->top + p->height * (p->y.to - y) / (p->y.to - p->y.from);
}

void pc_svg_put_letters(pc_replace *out, const char *text, size_t length, bool plain)
{
  const char *end = text + length, *below = strstr(text, "_{");
  const char *close = below != NULL ? strchr(below, '}') : NULL;
  if (close == NULL || close >= end) {
    pc_replace_xml(out, text, length);
    return;
  }
  pc_replace_xml(out, text, (size_t)(below - text));
  pc_replace_print(out, "%s", plain ? "" : "<tspan dy=\"3\" font-size=\"75%\">");
  pc_replace_xml(out, below + 2, (size_t)(close - below - 2));
  pc_replace_print(out, "%s", plain ? "" : "</tspan><tspan dy=\"-3\">");
  pc_svg_put_letters(out, close + 1, (size_t)(end - close - 1), plain);
  pc_replace_print(out, "%s", plain ? "" : "</tspan>");
}

void pc_svg_put_text(pc_replace *out, double x, double y, int size, const char *attributes,
                     const char *text, size_t length)
{
  if (out == NULL)
    return;
  pc_replace_print(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" %s>", x, y, size, attributes);
  pc_svg_put_letters(out, text, length, false);
  pc_replace_print(out, "</text>\n");
}

double pc_svg_text_width(const char *text, size_t length, int size)
{
  int letters = 0;
  for (size_t k = 0; k < length; k++)
    letters += (text[k] & 0xc0) != 0x80;
  return 0.57 * size * letters;
}

double pc_svg_step(double range, double count)
{
  double rough = range / count, ten = pc_pow(10, floor(pc_log10(rough))), digit = rough / ten;
  return ten * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

// The ticks of an axis are at n * step, from the first to the last n.
typedef struct ticks {
  double step, first, last;
  int digits; // behind the point
} ticks;

static ticks find_ticks(const pc_svg_panel *p, bool is_x)
{
  const pc_svg_axis *axis = is_x ? &p->x : &p->y;
  double step = pc_svg_step(axis->to - axis->from, fmax(is_x ? p->width / 62 : p->height / 42, 1));
  if (axis->whole)
    step = fmax(step, 1);
  return (ticks){step, ceil(axis->from / step - 1e-9), floor(axis->to / step + 1e-9),
                 step < 1 ? (int)ceil(-pc_log10(step) - 1e-9) : 0};
}

// The number at a tick without its sign; gives its length.
enum { TICK = 40 };
static int write_tick(const ticks *t, double n, char text[TICK])
{
  double value = fabs(n * t->step);
  bool is_short = value < 1e6 && t->digits <= 6;
  return pc_print(text, TICK, is_short ? "%.*f" : "%.*g", is_short ? t->digits : 6, value);
}

double pc_svg_find_excess(const pc_svg_panel *p)
{
  ticks t = find_ticks(p, false);
  double longest = 0;
  for (double n = t.first; n <= t.last; n++) {
    char text[TICK];
    longest = fmax(longest, write_tick(&t, n, text) + (n < 0));
  }
  return fmax(0, 0.56 * PC_SVG_SMALL * longest - 32);
}

// One tick of the horizontal axis, and its number.
static void put_tick_x(pc_replace *out, const pc_svg_panel *p, double at)
{
  double x = pc_svg_pixel_x(p, at), bottom = p->top + p->height;
  pc_replace_print(out, "<path d=\"M%.2f %.2fv5\" stroke=\"#333\"/>\n", x, bottom);
  pc_replace_print(out, "<text class=\"x\" x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" %s>%g</text>\n",
                   x, bottom + 18, PC_SVG_SMALL, PC_SVG_CENTRED, at);
}

// Ticks at 1, 2 and 5 times powers of ten, or at powers of ten alone where these are many.
static void put_ratio_ticks(pc_replace *out, const pc_svg_panel *p)
{
  static const double digit[] = {1, 2, 5};
  double decades = pc_log10(p->x.to / p->x.from);
  int digits = decades < 3 ? 3 : 1, skip = 1 + (int)(decades / 12);
  for (double n = floor(pc_log10(p->x.from)); n <= ceil(pc_log10(p->x.to)); n += skip)
    for (int d = 0; d < digits; d++) {
      double at = digit[d] * pc_pow(10, n);
      if (at >= p->x.from * (1 - 1e-9) && at <= p->x.to * (1 + 1e-9))
        put_tick_x(out, p, at);
    }
}

static void put_axis(pc_replace *out, const pc_svg_panel *p, bool is_x)
{
  const pc_svg_axis *axis = is_x ? &p->x : &p->y;
  double bottom = p->top + p->height;
  bool ratio = is_x && p->ratio;
  ticks t = find_ticks(p, is_x);
  if (ratio)
    put_ratio_ticks(out, p);
  for (double n = t.first; n <= t.last && !ratio; n++) {
    double x = is_x ? pc_svg_pixel_x(p, n * t.step) : p->left;
    double y = is_x ? bottom : pc_svg_pixel_y(p, n * t.step);
    char text[TICK];
    pc_replace_print(out, "<path d=\"M%.2f %.2f%s\" stroke=\"#333\"/>\n", x, y,
                     is_x ? "v5" : "h-5");
    pc_replace_print(out, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" %s>%s",
                     is_x ? "x" : "y", is_x ? x : x - 8, is_x ? y + 18 : y + 4, PC_SVG_SMALL,
                     is_x ? PC_SVG_CENTRED : "text-anchor=\"end\"", n < 0 ? "\u2212" : "");
    write_tick(&t, n, text);
    pc_replace_print(out, "%s</text>\n", text);
  }
  double x = is_x ? p->left + p->width / 2 : PC_SVG_LEFT - 46,
         y = is_x ? bottom + 38 : p->top + p->height / 2;
  char attributes[100];
  pc_print(attributes, sizeof attributes, PC_SVG_CENTRED " transform=\"rotate(%d %.2f %.2f)\"",
           is_x ? 0 : -90, x, y);
  pc_svg_put_text(out, x, y, PC_SVG_FONT, attributes, axis->title, strlen(axis->title));
}

void pc_svg_put_axes(pc_replace *out, const pc_svg_panel *p)
{
  pc_replace_print(out, "<path d=\"M%.2f %.2fh%.2fv%.2fh%.2fz\" fill=\"none\" stroke=\"#333\"/>\n",
                   p->left, p->top, p->width, p->height, -p->width);
  if (p->x.title != NULL)
    put_axis(out, p, true);
  put_axis(out, p, false);
}

void pc_svg_put_scale_bar(pc_replace *out, const pc_svg_panel *p)
{
  double metre = p->width / (p->x.to - p->x.from), length = pc_svg_step(p->x.to - p->x.from, 4);
  double x = p->left, y = p->top + p->height + 16;
  if (length * metre > 0.5 * p->width)
    length = pc_svg_step(p->x.to - p->x.from, 10);
  pc_replace_print(out,
                   "<path d=\"M%.2f %.2fv-8v4h%.2fv-4v8\" fill=\"none\" stroke=\"#333\" "
                   "stroke-width=\"1.4\"/>\n",
                   x, y, length * metre);
  pc_replace_print(out,
                   "<text class=\"scale\" x=\"%.2f\" y=\"%.2f\" font-size=\"%d\">%g m</text>\n",
                   x + length * metre + 6, y, PC_SVG_SMALL, length);
}
