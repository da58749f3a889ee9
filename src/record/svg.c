#include "record/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/plain.h"
#include "record/replace.h"

// Pixels.
enum { WIDTH = 640, MARGIN = 16, LEFT = 64, RIGHT = 20, SAMPLE = 26, ROW = 20 };
enum { SMALL = 12, FONT = 13, TITLE = 15 };

#define CENTRED "text-anchor=\"middle\""

// The rectangle between two axes.
typedef struct panel {
  double left, top, width, height;
  pc_svg_axis x, y;
  bool ratio; // of the horizontal axis
} panel;

const pc_own pc_svg_own = {
    "a picture of Percuss",
    {{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"" PC_OWN_DIGITS "\" height=\"" PC_OWN_DIGITS "\" viewBox=\"0 0 " PC_OWN_DIGITS
      " " PC_OWN_DIGITS "\" role=\"img\" xml:space=\"preserve\" font-family=\"Helvetica, Arial, ",
      NULL}}};

static double pixel_x(const panel *p, double x)
{
  if (p->ratio)
    return p->left + p->width * pc_log(x / p->x.from) / pc_log(p->x.to / p->x.from);
  return p->left + p->width * (x - p->x.from) / (p->x.to - p->x.from);
}

static double pixel_y(const panel *p, double y)
{
  return p->top + p->height * (p->y.to - y) / (p->y.to - p->y.from);
}

void pc_svg_add(pc_svg *svg, pc_svg_item item)
{
  pc_svg_item *added = pc_array_add(&svg->items);
  if (added != NULL)
    *added = item;
  else
    svg->arena.failed = true;
}

const char *pc_svg_print(pc_svg *svg, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int length = pc_print_list(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = pc_arena_take(&svg->arena, (size_t)length + 1, 1);
  if (text == NULL)
    return "";
  va_start(arguments, format);
  pc_print_list(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

void pc_svg_free(pc_svg *svg)
{
  pc_array_free(&svg->items);
  pc_arena_free(&svg->arena);
}

// A text with subscripts, written C_{KE}: small and low, or as other letters in a plain text.
static void put_letters(pc_replace *out, const char *text, size_t length, bool plain)
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
  put_letters(out, close + 1, (size_t)(end - close - 1), plain);
  pc_replace_print(out, "%s", plain ? "" : "</tspan>");
}

// A text element. Without a file nothing is written: its caller lays out the picture.
static void put_text(pc_replace *out, double x, double y, int size, const char *attributes,
                     const char *text, size_t length)
{
  if (out == NULL)
    return;
  pc_replace_print(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" %s>", x, y, size, attributes);
  put_letters(out, text, length, false);
  pc_replace_print(out, "</text>\n");
}

// About as wide as it is drawn.
static double text_width(const char *text, size_t length, int size)
{
  int letters = 0;
  for (size_t k = 0; k < length; k++)
    letters += (text[k] & 0xc0) != 0x80;
  return 0.57 * size * letters;
}

// Writes a text in lines as wide as the picture. Returns the height of the last one.
static double put_lines(pc_replace *out, double y, int size, const char *attributes,
                        const char *text)
{
  while (*text != 0) {
    size_t length = strcspn(text, " ");
    for (size_t next; text[length] != 0; length = next) {
      next = length + 1 + strcspn(text + length + 1, " ");
      if (text_width(text, next, size) > WIDTH - 2 * MARGIN)
        break;
    }
    put_text(out, MARGIN, y += 1.35 * size, size, attributes, text, length);
    text += length + (text[length] != 0);
  }
  return y;
}

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
static const unsigned colors[] = {0x222222, 0x0072b2, 0xd55e00, 0x007a59,
                                  0xa8508a, 0xc58000, 0x3a9bd1, 0x8a8a8a};

static unsigned color_of(const pc_svg_item *item)
{
  return colors[item->color];
}

static unsigned pale(unsigned color)
{
  return mix(0xffffff, color, 0.18);
}

pc_svg_color pc_svg_class(int number)
{
  return (pc_svg_color)(PC_SVG_BLUE + number % PC_SVG_CLASSES);
}

// Ends a path with the look of an item.
static void end_path(pc_replace *out, const pc_svg_item *item)
{
  static const char *const dashes[] = {"", " stroke-dasharray=\"7 4\"",
                                       " stroke-dasharray=\"1.5 3.5\" stroke-linecap=\"round\""};
  unsigned color = color_of(item);
  if (item->kind == PC_SVG_REGION)
    pc_replace_print(out, "\" fill=\"#%06x\"/>\n", pale(color));
  else if (item->kind == PC_SVG_POINT && item->marker < PC_SVG_CROSS)
    pc_replace_print(out, "\" fill=\"#%06x\" stroke=\"#fff\"/>\n", color);
  else
    pc_replace_print(out,
                     "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\"%s "
                     "stroke-linejoin=\"round\"/>\n",
                     color,
                     item->kind == PC_SVG_POINT ? 2.1
                     : item->width > 0          ? item->width
                                                : 1.6,
                     dashes[item->dash]);
}

static void put_path(pc_replace *out, const panel *p, const pc_svg_item *item)
{
  bool begun = false;
  pc_replace_print(out, "<path d=\"");
  for (int k = 0; k < item->count; k++) {
    double x = pixel_x(p, item->point[k][0]), y = pixel_y(p, item->point[k][1]);
    bool number = isfinite(x) && isfinite(y);
    if (number)
      pc_replace_print(out, "%s%.2f %.2f", begun ? "L" : "M", x, y);
    begun = number;
  }
  end_path(out, item);
}

static void put_marker(pc_replace *out, const pc_svg_item *item, double x, double y)
{
  static const char *const shapes[] = {[PC_SVG_DISC] =
                                           "m-4.5 0a4.5 4.5 0 0 0 9 0a4.5 4.5 0 0 0 -9 0z",
                                       [PC_SVG_SQUARE] = "m-4 -4h8v8h-8z",
                                       [PC_SVG_DIAMOND] = "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
                                       [PC_SVG_TRIANGLE] = "m0 -5.5l5.2 9h-10.4z",
                                       [PC_SVG_CROSS] = "m-4.5 -4.5l9 9m0 -9l-9 9",
                                       [PC_SVG_RING] = "m-5 0a5 5 0 0 0 10 0a5 5 0 0 0 -10 0z"};
  pc_replace_print(out, "<path d=\"M%.2f %.2f%s", x, y, shapes[item->marker]);
  end_path(out, item);
}

static void put_item(pc_replace *out, const panel *p, const pc_svg_item *item)
{
  double x = pixel_x(p, item->x), y = pixel_y(p, item->y);
  if (item->kind == PC_SVG_POINT) {
    put_marker(out, item, x, y);
  } else if (item->kind == PC_SVG_TEXT) {
    char attributes[160]; // with white round the letters
    pc_print(attributes, sizeof attributes,
             CENTRED " fill=\"#%06x\" stroke=\"#fff\" stroke-width=\"6\" stroke-linejoin=\"round\" "
                     "paint-order=\"stroke\"",
             color_of(item));
    put_text(out, x, y + 0.36 * SMALL, SMALL, attributes, item->text, strlen(item->text));
  } else {
    put_path(out, p, item);
  }
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

static ticks find_ticks(const panel *p, bool is_x)
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

// How much longer numbers along the vertical axis are than the usual room for them.
static double find_excess(const panel *p)
{
  ticks t = find_ticks(p, false);
  double longest = 0;
  for (double n = t.first; n <= t.last; n++) {
    char text[TICK];
    longest = fmax(longest, write_tick(&t, n, text) + (n < 0));
  }
  return fmax(0, 0.56 * SMALL * longest - 32);
}

// One tick of the horizontal axis, and its number.
static void put_tick_x(pc_replace *out, const panel *p, double at)
{
  double x = pixel_x(p, at), bottom = p->top + p->height;
  pc_replace_print(out, "<path d=\"M%.2f %.2fv5\" stroke=\"#333\"/>\n", x, bottom);
  pc_replace_print(out, "<text class=\"x\" x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" %s>%g</text>\n",
                   x, bottom + 18, SMALL, CENTRED, at);
}

// Ticks at 1, 2 and 5 times powers of ten, or at powers of ten alone where these are many.
static void put_ratio_ticks(pc_replace *out, const panel *p)
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

static void put_axis(pc_replace *out, const panel *p, bool is_x)
{
  const pc_svg_axis *axis = is_x ? &p->x : &p->y;
  double bottom = p->top + p->height;
  bool ratio = is_x && p->ratio;
  ticks t = find_ticks(p, is_x);
  if (ratio)
    put_ratio_ticks(out, p);
  for (double n = t.first; n <= t.last && !ratio; n++) {
    double x = is_x ? pixel_x(p, n * t.step) : p->left;
    double y = is_x ? bottom : pixel_y(p, n * t.step);
    char text[TICK];
    pc_replace_print(out, "<path d=\"M%.2f %.2f%s\" stroke=\"#333\"/>\n", x, y,
                     is_x ? "v5" : "h-5");
    pc_replace_print(out, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" %s>%s",
                     is_x ? "x" : "y", is_x ? x : x - 8, is_x ? y + 18 : y + 4, SMALL,
                     is_x ? CENTRED : "text-anchor=\"end\"", n < 0 ? "\u2212" : "");
    write_tick(&t, n, text);
    pc_replace_print(out, "%s</text>\n", text);
  }
  double x = is_x ? p->left + p->width / 2 : LEFT - 46,
         y = is_x ? bottom + 38 : p->top + p->height / 2;
  char attributes[100];
  pc_print(attributes, sizeof attributes, CENTRED " transform=\"rotate(%d %.2f %.2f)\"",
           is_x ? 0 : -90, x, y);
  put_text(out, x, y, FONT, attributes, axis->title, strlen(axis->title));
}

static void put_axes(pc_replace *out, const panel *p)
{
  pc_replace_print(out, "<path d=\"M%.2f %.2fh%.2fv%.2fh%.2fz\" fill=\"none\" stroke=\"#333\"/>\n",
                   p->left, p->top, p->width, p->height, -p->width);
  if (p->x.title != NULL)
    put_axis(out, p, true);
  put_axis(out, p, false);
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

static int level_of_cell(const pc_svg_map *map, double value, double limit)
{
  if (!map->classes)
    return level_of(value, limit);
  return value >= 0 && value < PC_SVG_CLASSES ? 1 + (int)value : 0;
}

// One path for each colour; neighbours along x that share it are one rectangle.
static void put_map(pc_replace *out, const panel *p, const pc_svg_map *map, double limit)
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
                           pixel_x(p, map->x[i]), pixel_y(p, map->y[j]), pixel_x(p, map->x[stop]),
                           pixel_y(p, map->y[j + 1]), pixel_x(p, map->x[i]));
        any = any || stop > i;
        stop += stop == i;
      }
    if (any)
      pc_replace_print(out, "\" fill=\"#%06x\"/>\n",
                       map->classes ? pale(colors[pc_svg_class(level - 1)])
                                    : color_of_level(level));
  }
}

// The map, and a panel with the scale of its colours.
static void put_map_and_scale(pc_replace *out, const panel *main, const pc_svg_map *map)
{
  enum { CELLS = 160 };
  double low, high, x[2] = {0, 1}, y[CELLS + 1], value[CELLS];
  find_range(map, &low, &high);
  if (!map->classes && low == high)
    return;
  put_map(out, main, map, fmax(-low, high));
  if (map->classes)
    return;
  for (int k = 0; k <= CELLS; k++)
    y[k] = low + (high - low) * k / CELLS;
  for (int k = 0; k < CELLS; k++)
    value[k] = (y[k] + y[k + 1]) / 2;
  panel scale = {.left = WIDTH - RIGHT - 14,
                 .top = main->top,
                 .width = 14,
                 .height = main->height,
                 .x = {NULL, 0, 1, false},
                 .y = {map->title, low, high, false}};
  put_map(out, &scale, &(pc_svg_map){1, CELLS, x, y, value, NULL, false}, fmax(-low, high));
  put_axes(out, &scale);
}

static void put_sample(pc_replace *out, const pc_svg_item *item, double x, double y)
{
  if (item->kind == PC_SVG_POINT) {
    put_marker(out, item, x + SAMPLE / 2., y);
  } else {
    const char *shape = item->kind == PC_SVG_LINE ? "h26" : "m0 5h26v-10h-26z";
    pc_replace_print(out, "<path d=\"M%.2f %.2f%s", x, y, shape);
    end_path(out, item);
  }
}

// Legend and note from `y` on downwards. Returns where they end.
static double put_foot(pc_replace *out, const pc_svg *svg, double y)
{
  double x = WIDTH;
  for (int k = 0; k < svg->items.count; k++) {
    const pc_svg_item *item = &svg->items.at[k];
    if (item->kind == PC_SVG_TEXT || item->text == NULL)
      continue;
    size_t length = strlen(item->text);
    double wide = SAMPLE + 6 + text_width(item->text, length, SMALL);
    if (x + wide > WIDTH - MARGIN)
      x = MARGIN, y += ROW;
    if (out != NULL)
      put_sample(out, item, x, y - 4);
    put_text(out, x + SAMPLE + 6, y, SMALL, "", item->text, length);
    x += wide + MARGIN;
  }
  return svg->note != NULL ? put_lines(out, y + 5, SMALL, "fill=\"#444\"", svg->note) : y;
}

// A panel that begins here.
static panel make_panel(const pc_svg *svg, double left)
{
  panel p = {.left = left, .x = svg->x, .y = svg->y, .ratio = svg->ratio};
  p.width = WIDTH - left - RIGHT - (svg->map.nx > 0 && !svg->map.classes ? LEFT + 14 : 0);
  p.height = svg->height > 0 ? svg->height : p.width * (p.y.to - p.y.from) / (p.x.to - p.x.from);
  return p;
}

static void put_picture(pc_replace *out, const pc_svg *svg)
{
  panel p = make_panel(svg, LEFT);
  p = make_panel(svg, LEFT + find_excess(&p));
  p.top = put_lines(NULL, 8, TITLE, "", svg->title) + 12;
  double below = p.top + p.height + 44, height = put_foot(NULL, svg, below) + 14;
  pc_replace_print(
      out,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
      "viewBox=\"0 0 %d %.0f\" role=\"img\" xml:space=\"preserve\" font-family=\"Helvetica, Arial, "
      "'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"#222\">\n<title>",
      WIDTH, height, WIDTH, height);
  put_letters(out, svg->title, strlen(svg->title), true);
  pc_replace_print(out, "</title>\n<desc>");
  pc_replace_xml(out, svg->description, strlen(svg->description));
  pc_replace_print(out, "</desc>\n<path d=\"M0 0h%dv%.0fh-%dz\" fill=\"#fff\"/>\n", WIDTH, height,
                   WIDTH);
  put_lines(out, 8, TITLE, "font-weight=\"bold\"", svg->title);
  put_map_and_scale(out, &p, &svg->map);
  for (int k = 0; k < svg->items.count; k++)
    if (svg->items.at[k].kind <= PC_SVG_REGION)
      put_item(out, &p, &svg->items.at[k]);
  put_axes(out, &p);
  for (int k = 0; k < svg->items.count; k++)
    if (svg->items.at[k].kind > PC_SVG_REGION)
      put_item(out, &p, &svg->items.at[k]);
  put_foot(out, svg, below);
  pc_replace_print(out, "</svg>\n");
}

// Numbers along the axis differ by more than their last digits.
static bool has_length(const pc_svg_axis *axis)
{
  double length = axis->to - axis->from;
  return isfinite(length) && length > 1e-12 * fmax(fabs(axis->from), fabs(axis->to));
}

pc_status pc_svg_write(const pc_svg *svg, const char *path, pc_error *error)
{
  if (svg->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
  if (!has_length(&svg->x) || !has_length(&svg->y))
    return pc_fail(error, PC_ERROR_ARGUMENT, "nothing to draw: an axis has zero length");
  pc_replace *out = pc_replace_begin(path, &pc_svg_own, error);
  if (out == NULL)
    return error != NULL ? error->status : PC_ERROR_IO;
  put_picture(out, svg);
  return pc_replace_end(out, error);
}
