// The frame of a plot: axes, title, legend, note; and the look of lines and markers.
#include <math.h>
#include <string.h>

#include "record/svg_parts.h"

// After Okabe and Ito; the sky blue is darker than theirs, for lines on white.
const char *pc_svg_hex(pc_svg_color color)
{
  static const char *const hex[PC_SVG_COLORS] = {"#222222", "#0072b2", "#d55e00", "#007a59",
                                                 "#a8508a", "#c58000", "#3a9bd1", "#8a8a8a"};
  return hex[color];
}

void pc_svg_put_stroke(FILE *out, pc_svg_style style)
{
  static const char *const dashes[] = {"", " stroke-dasharray=\"7 4\"",
                                       " stroke-dasharray=\"1.5 3.5\" stroke-linecap=\"round\""};
  fprintf(out, " fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"%s", pc_svg_hex(style.color),
          style.width > 0 ? style.width : 1.6, dashes[style.dash]);
}

void pc_svg_put_marker(FILE *out, double x, double y, pc_svg_marker marker, pc_svg_color color)
{
  static const char *const shapes[PC_SVG_MARKERS] = {
      [PC_SVG_SQUARE] = "m-4 -4h8v8h-8z",
      [PC_SVG_DIAMOND] = "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
      [PC_SVG_TRIANGLE] = "m0 -5.5l5.2 9h-10.4z",
      [PC_SVG_CROSS] = "m-4.5 -4.5l9 9m0 -9l-9 9",
  };
  const char *hex = pc_svg_hex(color);
  if (marker == PC_SVG_DISC)
    fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4.5\" fill=\"%s\" stroke=\"#fff\"/>\n", x, y,
            hex);
  else if (marker == PC_SVG_RING)
    fprintf(out,
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"none\" stroke=\"%s\" "
            "stroke-width=\"2\"/>\n",
            x, y, hex);
  else if (marker == PC_SVG_CROSS)
    fprintf(out, "<path d=\"M%.2f %.2f%s\" stroke=\"%s\" stroke-width=\"2.2\"/>\n", x, y,
            shapes[marker], hex);
  else
    fprintf(out, "<path d=\"M%.2f %.2f%s\" fill=\"%s\" stroke=\"#fff\"/>\n", x, y, shapes[marker],
            hex);
}

double pc_svg_step(double range, double count)
{
  double rough = range / count, ten = pow(10, floor(log10(rough))), digit = rough / ten;
  return ten * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

double pc_svg_ticks(double from, double to, double pixels, double wanted, bool whole, double *step)
{
  *step = pc_svg_step(to - from, fmax(pixels, 1) / wanted);
  if (whole && *step < 1)
    *step = 1;
  return *step * ceil(from / *step - 1e-9);
}

void pc_svg_put_number(FILE *out, double value, double step)
{
  int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
  double shown = fabs(value) < 1e-9 * step ? 0 : value;
  const char *minus = shown < 0 ? "\u2212" : "";
  if (fabs(shown) >= 1e6 || digits > 6)
    fprintf(out, "%s%.6g", minus, fabs(shown));
  else
    fprintf(out, "%s%.*f", minus, digits, fabs(shown));
}

static void put_ticks(const pc_svg *svg, bool is_x, FILE *out)
{
  const pc_svg_axis *axis = is_x ? &svg->frame.x : &svg->frame.y;
  double step, slack = 1e-9 * (axis->to - axis->from);
  double tick = pc_svg_ticks(axis->from, axis->to, is_x ? svg->width : svg->height, is_x ? 62 : 42,
                             axis->whole, &step);
  for (double first = tick; tick <= axis->to + slack;) {
    double x = is_x ? pc_svg_x(svg, tick) : svg->left;
    double y = is_x ? svg->top + svg->height : pc_svg_y(svg, tick);
    fprintf(out, "<path d=\"M%.2f %.2f%s\" stroke=\"#333\"/>\n", x, y, is_x ? "v5" : "h-5");
    fprintf(out, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" text-anchor=\"%s\">",
            is_x ? "x" : "y", is_x ? x : x - 8, is_x ? y + 18 : y + 4, PC_SVG_FONT - 1,
            is_x ? "middle" : "end");
    pc_svg_put_number(out, tick, step);
    fputs("</text>\n", out);
    tick = first + step * round((tick - first) / step + 1);
  }
}

void pc_svg_put_axes(const pc_svg *svg, FILE *out)
{
  double x = svg->left + svg->width / 2, y = svg->top + svg->height / 2, title_x = 18;
  const char *title = svg->frame.x.title;
  char turned[80];
  fprintf(out,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
          "stroke=\"#333\"/>\n",
          svg->left, svg->top, svg->width, svg->height);
  put_ticks(svg, true, out);
  put_ticks(svg, false, out);
  pc_svg_put_line(out, x, svg->top + svg->height + 38, PC_SVG_FONT, PC_SVG_MIDDLE, "", title,
                  strlen(title));
  title = svg->frame.y.title;
  snprintf(turned, sizeof turned, "transform=\"rotate(-90 %.2f %.2f)\"", title_x, y);
  pc_svg_put_line(out, title_x, y, PC_SVG_FONT, PC_SVG_MIDDLE, turned, title, strlen(title));
}

double pc_svg_put_title(const pc_svg *svg, double y, FILE *out)
{
  for (const char *text = svg->frame.title, *next; *text != 0; text = next) {
    size_t length = pc_svg_wrap(text, PC_SVG_TITLE * 1.05, svg->frame.width - 32, &next);
    y += PC_SVG_TITLE * 1.3;
    if (out != NULL)
      pc_svg_put_line(out, 16, y, PC_SVG_TITLE, PC_SVG_START, "font-weight=\"bold\"", text, length);
  }
  return y;
}

static void put_sample(const pc_svg_entry *entry, double x, double y, FILE *out)
{
  if (entry->sample == PC_SVG_A_POINT) {
    pc_svg_put_marker(out, x + 13, y, entry->marker, entry->style.color);
  } else if (entry->sample == PC_SVG_A_REGION) {
    fprintf(out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"26\" height=\"11\" fill=\"%s\" "
            "fill-opacity=\"0.18\"/>\n",
            x, y - 5.5, pc_svg_hex(entry->style.color));
  } else {
    fprintf(out, "<path d=\"M%.2f %.2fh26\"", x, y);
    pc_svg_put_stroke(out, entry->style);
    fputs("/>\n", out);
  }
}

double pc_svg_put_foot(const pc_svg *svg, double y, FILE *out)
{
  double x = 16, row = PC_SVG_FONT * 1.55, right = svg->frame.width - 16;
  for (int k = 0; k < svg->entries.count; k++) {
    const pc_svg_entry *entry = &svg->entries.at[k];
    const char *text = entry->style.legend;
    double wide = 32 + pc_svg_text_width(text, strlen(text), PC_SVG_FONT - 1);
    if (k == 0 || x + wide > right)
      x = 16, y += row;
    if (out != NULL) {
      put_sample(entry, x, y - 4, out);
      pc_svg_put_line(out, x + 32, y, PC_SVG_FONT - 1, PC_SVG_START, "", text, strlen(text));
    }
    x += wide + 16;
  }
  if (svg->frame.note != NULL)
    y += 5;
  for (const char *text = svg->frame.note, *next; text != NULL && *text != 0; text = next) {
    size_t length = pc_svg_wrap(text, PC_SVG_FONT - 1, svg->frame.width - 32, &next);
    y += row - 3;
    if (out != NULL)
      pc_svg_put_line(out, 16, y, PC_SVG_FONT - 1, PC_SVG_START, "fill=\"#444\"", text, length);
  }
  return y;
}
