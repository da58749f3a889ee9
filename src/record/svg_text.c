// Text of an SVG plot: escaped, measured, with sub- and superscripts, cut into lines.
#include <string.h>

#include "record/svg_parts.h"

// A piece of text that has one height: plain, or the inside of _{...} or ^{...}.
typedef struct piece {
  const char *text;
  size_t length;
  int shift; // 1 above, -1 below, 0 plain
} piece;

static bool next_piece(const char **at, const char *end, piece *p)
{
  const char *s = *at;
  if (s >= end)
    return false;
  const char *close = end - s > 2 && (*s == '_' || *s == '^') && s[1] == '{'
                          ? memchr(s, '}', (size_t)(end - s))
                          : NULL;
  if (close != NULL) {
    *p = (piece){s + 2, (size_t)(close - s) - 2, *s == '^' ? 1 : -1};
    *at = close + 1;
    return true;
  }
  const char *stop = s + 1;
  while (stop < end && !((*stop == '_' || *stop == '^') && stop + 1 < end && stop[1] == '{'))
    stop++;
  *p = (piece){s, (size_t)(stop - s), 0};
  *at = stop;
  return true;
}

// Bytes of the character at `s`, 0 if it is none that XML allows.
static int character(const unsigned char *s, size_t left)
{
  if (*s < 0x80)
    return *s >= 0x20 && *s != 0x7f;
  int count = *s >= 0xf0 && *s < 0xf5 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 0;
  if (*s >= 0xf5 || count == 0 || (size_t)count > left)
    return 0;
  for (int k = 1; k < count; k++)
    if ((s[k] & 0xc0) != 0x80)
      return 0;
  bool overlong = (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xf0 && s[1] < 0x90);
  bool surrogate = *s == 0xed && s[1] >= 0xa0, beyond = *s == 0xf4 && s[1] >= 0x90;
  bool none = *s == 0xef && s[1] == 0xbf && s[2] >= 0xbe; // U+FFFE, U+FFFF
  return overlong || surrogate || beyond || none ? 0 : count;
}

static void put_escaped(FILE *out, const char *text, size_t length)
{
  for (size_t k = 0; k < length;) {
    int count = character((const unsigned char *)text + k, length - k);
    char c = text[k];
    if (count == 0)
      fputs(c == '\t' || c == '\n' ? " " : "?", out);
    else if (c == '&' || c == '<' || c == '>' || c == '"')
      fputs(c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;", out);
    else
      fwrite(text + k, 1, (size_t)count, out);
    k += count > 0 ? (size_t)count : 1;
  }
}

double pc_svg_text_width(const char *text, size_t length, double size)
{
  const char *end = text + length;
  double width = 0;
  piece p;
  while (next_piece(&text, end, &p)) {
    int letters = 0;
    for (size_t k = 0; k < p.length; k++)
      letters += (p.text[k] & 0xc0) != 0x80;
    width += letters * size * (p.shift == 0 ? 0.55 : 0.4);
  }
  return width;
}

void pc_svg_put_text(FILE *out, const char *text, size_t length)
{
  const char *end = text + length;
  double moved = 0; // em of the plain text, downwards
  piece p;
  while (next_piece(&text, end, &p)) {
    double wanted = p.shift > 0 ? -0.4 : p.shift < 0 ? 0.25 : 0, size = p.shift == 0 ? 1 : 0.72;
    if (p.shift == 0 && moved == 0) {
      put_escaped(out, p.text, p.length);
      continue;
    }
    fprintf(out, "<tspan dy=\"%.3fem\" font-size=\"%gem\">", (wanted - moved) / size, size);
    put_escaped(out, p.text, p.length);
    fputs("</tspan>", out);
    moved = wanted;
  }
}

void pc_svg_put_plain(FILE *out, const char *text)
{
  const char *end = text + strlen(text);
  piece p;
  while (next_piece(&text, end, &p))
    put_escaped(out, p.text, p.length);
}

void pc_svg_put_line(FILE *out, double x, double y, double size, pc_svg_anchor anchor,
                     const char *attributes, const char *text, size_t length)
{
  static const char *const anchors[] = {"start", "middle", "end"};
  fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" text-anchor=\"%s\"%s%s>", x, y, size,
          anchors[anchor], *attributes != 0 ? " " : "", attributes);
  pc_svg_put_text(out, text, length);
  fputs("</text>\n", out);
}

size_t pc_svg_wrap(const char *text, double size, double width, const char **next)
{
  size_t fits = 0, at = 0;
  for (;; at++) {
    if (text[at] != 0 && text[at] != '\n' && text[at] != ' ')
      continue;
    if (fits > 0 && pc_svg_text_width(text, at, size) > width)
      break;
    fits = at;
    if (text[at] != ' ')
      break;
  }
  *next = text + fits + (text[fits] != 0);
  return fits;
}
