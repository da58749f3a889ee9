#include "record/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "record/svg_parts.h"

enum { MARGIN = 16, SAMPLE = 26, ROW = 20 }; // pixels

const pc_own pc_svg_own = {
    "a picture of Percuss",
    {{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"" PC_OWN_DIGITS "\" height=\"" PC_OWN_DIGITS "\" viewBox=\"0 0 " PC_OWN_DIGITS
      " " PC_OWN_DIGITS "\" role=\"img\" xml:space=\"preserve\" font-family=\"Helvetica, Arial, ",
      NULL}}};

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

static double width_of(const pc_svg *svg)
{
  return svg->width > 0 ? svg->width : PC_SVG_WIDTH;
}

// Writes a text in lines as wide as the picture. Returns the height of the last one.
static double put_lines(pc_replace *out, double width, double y, int size, const char *attributes,
                        const char *text)
{
  while (*text != 0) {
    size_t length = strcspn(text, " ");
    for (size_t next; text[length] != 0; length = next) {
      next = length + 1 + strcspn(text + length + 1, " ");
      if (pc_svg_text_width(text, next, size) > width - 2 * MARGIN)
        break;
    }
    pc_svg_put_text(out, MARGIN, y += 1.35 * size, size, attributes, text, length);
    text += length + (text[length] != 0);
  }
  return y;
}

static unsigned color_of(const pc_svg_item *item)
{
  return pc_svg_colors[item->color];
}

// Ends a path with the look of an item.
static void end_path(pc_replace *out, const pc_svg_item *item)
{
  static const char *const dashes[] = {"", " stroke-dasharray=\"7 4\"",
                                       " stroke-dasharray=\"1.5 3.5\" stroke-linecap=\"round\""};
  unsigned color = color_of(item);
  if (item->kind == PC_SVG_REGION)
    pc_replace_print(out, "\" fill=\"#%06x\"/>\n", pc_svg_pale(color));
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

static void put_path(pc_replace *out, const pc_svg_panel *p, const pc_svg_item *item)
{
  bool begun = false;
  pc_replace_print(out, "<path d=\"");
  for (int k = 0; k < item->count; k++) {
    double x = pc_svg_pixel_x(p, item->point[k][0]), y = pc_svg_pixel_y(p, item->point[k][1]);
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

static void put_item(pc_replace *out, const pc_svg_panel *p, const pc_svg_item *item)
{
  double x = pc_svg_pixel_x(p, item->x), y = pc_svg_pixel_y(p, item->y);
  if (item->kind == PC_SVG_POINT) {
    put_marker(out, item, x, y);
  } else if (item->kind == PC_SVG_TEXT) {
    char attributes[160]; // with white round the letters
    pc_print(attributes, sizeof attributes,
             PC_SVG_CENTRED
             " fill=\"#%06x\" stroke=\"#fff\" stroke-width=\"6\" stroke-linejoin=\"round\" "
             "paint-order=\"stroke\"",
             color_of(item));
    pc_svg_put_text(out, x, y + 0.36 * PC_SVG_SMALL, PC_SVG_SMALL, attributes, item->text,
                    strlen(item->text));
  } else {
    put_path(out, p, item);
  }
}

static void put_sample(pc_replace *out, const pc_svg_item *item, double x, double y)
{
  if (out == NULL)
    return;
  if (item->kind == PC_SVG_POINT) {
    put_marker(out, item, x + SAMPLE / 2., y);
  } else {
    const char *shape = item->kind == PC_SVG_LINE ? "h26" : "m0 5h26v-10h-26z";
    pc_replace_print(out, "<path d=\"M%.2f %.2f%s", x, y, shape);
    end_path(out, item);
  }
}

// Where the next entry of a legend goes.
typedef struct legend {
  pc_replace *out;
  double x, y, width;
} legend;

// Makes room for an entry, which begins at x; its text follows the sample.
static double put_entry(legend *l, const char *text)
{
  size_t length = strlen(text);
  double wide = SAMPLE + 6 + pc_svg_text_width(text, length, PC_SVG_SMALL);
  if (l->x + wide > l->width - MARGIN)
    l->x = MARGIN, l->y += ROW;
  double x = l->x;
  pc_svg_put_text(l->out, x + SAMPLE + 6, l->y, PC_SVG_SMALL, "", text, length);
  l->x += wide + MARGIN;
  return x;
}

static void put_bands(legend *l, const pc_svg_map *map)
{
  for (int k = 0; k < map->bands && map->band != NULL; k++) {
    double x = put_entry(l, map->band[k]);
    if (l->out != NULL)
      pc_replace_print(l->out,
                       "<path d=\"M%.2f %.2fh26v-12h-26z\" fill=\"#%06x\" stroke=\"#999\" "
                       "stroke-width=\"0.5\"/>\n",
                       x, l->y + 1, pc_svg_band_color(map, k));
  }
}

// Legend and note from `y` on downwards. Returns where they end.
static double put_foot(pc_replace *out, const pc_svg *svg, double y)
{
  legend l = {out, width_of(svg), y, width_of(svg)};
  put_bands(&l, &svg->map);
  for (int k = 0; k < svg->items.count; k++) {
    const pc_svg_item *item = &svg->items.at[k];
    if (item->kind == PC_SVG_TEXT || item->text == NULL)
      continue;
    double x = put_entry(&l, item->text);
    put_sample(out, item, x, l.y - 4);
  }
  return svg->note != NULL
             ? put_lines(out, l.width, l.y + 5, PC_SVG_SMALL, "fill=\"#444\"", svg->note)
             : l.y;
}

// A panel that begins here.
static pc_svg_panel make_panel(const pc_svg *svg, double left)
{
  const pc_svg_map *map = &svg->map;
  bool scaled = map->nx > 0 && !map->classes && map->bands == 0;
  pc_svg_panel p = {.left = left, .x = svg->x, .y = svg->y, .ratio = svg->ratio};
  p.width =
      width_of(svg) - left - (svg->plan ? left : PC_SVG_RIGHT) - (scaled ? PC_SVG_LEFT + 14 : 0);
  p.height = svg->height > 0 ? svg->height : p.width * (p.y.to - p.y.from) / (p.x.to - p.x.from);
  return p;
}

static void put_items(pc_replace *out, const pc_svg *svg, const pc_svg_panel *p, bool on_top)
{
  for (int k = 0; k < svg->items.count; k++)
    if ((svg->items.at[k].kind > PC_SVG_REGION) == on_top)
      put_item(out, p, &svg->items.at[k]);
}

static void put_picture(pc_replace *out, const pc_svg *svg)
{
  pc_svg_panel p = make_panel(svg, svg->plan ? MARGIN : PC_SVG_LEFT);
  double width = width_of(svg);
  if (!svg->plan)
    p = make_panel(svg, PC_SVG_LEFT + pc_svg_find_excess(&p));
  p.top = put_lines(NULL, width, 8, PC_SVG_TITLE, "", svg->title) + 12;
  double below = p.top + p.height + (svg->plan ? 20 : 44);
  double height = put_foot(NULL, svg, below) + 14;
  pc_replace_print(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
      "viewBox=\"0 0 %.0f %.0f\" role=\"img\" xml:space=\"preserve\" font-family=\"Helvetica, "
      "Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"#222\">\n<title>",
      width, height, width, height);
  pc_svg_put_letters(out, svg->title, strlen(svg->title), true);
  pc_replace_print(out, "</title>\n<desc>");
  pc_replace_xml(out, svg->description, strlen(svg->description));
  pc_replace_print(out, "</desc>\n<path d=\"M0 0h%.0fv%.0fh-%.0fz\" fill=\"#fff\"/>\n", width,
                   height, width);
  put_lines(out, width, 8, PC_SVG_TITLE, "font-weight=\"bold\"", svg->title);
  pc_svg_put_map(out, &p, &svg->map, width);
  put_items(out, svg, &p, false);
  if (svg->plan)
    pc_svg_put_scale_bar(out, &p);
  else
    pc_svg_put_axes(out, &p);
  put_items(out, svg, &p, true);
  put_foot(out, svg, below);
  pc_replace_print(out, "</svg>\n");
}

// Numbers along the axis differ by more than their last digits.
static bool has_length(const pc_svg_axis *axis)
{
  double length = axis->to - axis->from;
  return isfinite(length) && length > 1e-12 * fmax(fabs(axis->from), fabs(axis->to));
}

static pc_status check(const pc_svg *svg, pc_error *error)
{
  if (svg->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (!has_length(&svg->x) || !has_length(&svg->y))
    return pc_fail(error, PC_ERROR_ARGUMENT, "nothing to draw: an axis has zero length");
  return PC_OK;
}

pc_status pc_svg_put(const pc_svg *svg, pc_replace *out, pc_error *error)
{
  pc_status status = check(svg, error);
  if (status == PC_OK)
    put_picture(out, svg);
  return status;
}

pc_status pc_svg_write(const pc_svg *svg, const char *path, pc_error *error)
{
  pc_status status = check(svg, error);
  if (status != PC_OK)
    return status;
  pc_replace *out = pc_replace_begin(path, &pc_svg_own, error);
  if (out == NULL)
    return error != NULL ? error->status : PC_ERROR_IO;
  pc_replace_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  put_picture(out, svg);
  return pc_replace_end(out, error);
}
