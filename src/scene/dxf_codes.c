#include "scene/dxf_codes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"

static const double LARGEST = 1e12; // in units of the file

void pc_dxf_fail(pc_dxf_codes *codes, int line, const char *format, ...)
{
  char text[400];
  va_list arguments;
  if (codes->failed)
    return;
  va_start(arguments, format);
  pc_print_list(text, sizeof text, format, arguments);
  va_end(arguments);
  codes->failed = true;
  pc_fail(codes->error, PC_ERROR_INPUT, "%s:%d: %s", pc_text_path(codes->name).text, line, text);
}

static pc_text show(const char *text, int length)
{
  pc_text out;
  pc_text_clean(out.text, 40, text, (size_t)length);
  return out;
}

pc_text pc_dxf_value(const pc_dxf_codes *codes)
{
  return show(codes->value, codes->length);
}

static bool take_line(pc_dxf_codes *codes, const char **text, int *length)
{
  if (codes->at >= codes->end)
    return false;
  const char *end = memchr(codes->at, '\n', (size_t)(codes->end - codes->at));
  const char *stop = end != NULL ? end : codes->end;
  *text = codes->at;
  codes->at = end != NULL ? end + 1 : codes->end;
  while (stop > *text && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t'))
    stop--;
  while (*text < stop && (**text == ' ' || **text == '\t'))
    ++*text;
  *length = stop - *text > 1 << 20 ? 1 << 20 : (int)(stop - *text);
  codes->lines++;
  return true;
}

// A whole number of few digits; false: it is none.
static bool read_whole(const char *text, int length, int *value)
{
  int at = length > 0 && (*text == '-' || *text == '+'), number = 0;
  if (at == length || length - at > 9)
    return false;
  for (; at < length; at++) {
    if (text[at] < '0' || text[at] > '9')
      return false;
    number = 10 * number + (text[at] - '0');
  }
  *value = *text == '-' ? -number : number;
  return true;
}

bool pc_dxf_next(pc_dxf_codes *codes)
{
  enum { COMMENT = 999, LEAST = -5, MOST = 1071 };
  do {
    const char *text;
    int length;
    if (codes->failed || !take_line(codes, &text, &length))
      return false;
    codes->line = codes->lines;
    if (length == 0 && codes->at >= codes->end) // an empty line at the end
      return false;
    if (!read_whole(text, length, &codes->code) || codes->code < LEAST || codes->code > MOST)
      pc_dxf_fail(codes, codes->line,
                  "expected a group code (a whole number from %d to %d), found '%s'; a line may be "
                  "missing before it, or this is no DXF file",
                  LEAST, MOST, show(text, length).text);
    else if (!take_line(codes, &codes->value, &codes->length))
      pc_dxf_fail(codes, codes->line, "the file ends after the group code %d: it is cut off",
                  codes->code);
  } while (!codes->failed && codes->code == COMMENT);
  return !codes->failed;
}

bool pc_dxf_is(const pc_dxf_codes *codes, int code, const char *value)
{
  return codes->code == code && (size_t)codes->length == strlen(value) &&
         memcmp(codes->value, value, (size_t)codes->length) == 0;
}

double pc_dxf_number(pc_dxf_codes *codes)
{
  char text[64], *end = text;
  double value = 0;
  if (codes->length > 0 && codes->length < (int)sizeof text) {
    memcpy(text, codes->value, (size_t)codes->length);
    text[codes->length] = 0;
    value = pc_read_double(text, &end);
  }
  if (end == text || *end != 0 || !isfinite(value))
    pc_dxf_fail(codes, codes->line + 1, "expected a number (group code %d), found '%s'",
                codes->code, pc_dxf_value(codes).text);
  else if (fabs(value) > LARGEST)
    pc_dxf_fail(codes, codes->line + 1, "the number %g (group code %d) is too large", value,
                codes->code);
  return codes->failed ? 0 : value;
}

int pc_dxf_whole(pc_dxf_codes *codes)
{
  int value = 0;
  if (!read_whole(codes->value, codes->length, &value))
    pc_dxf_fail(codes, codes->line + 1, "expected a whole number (group code %d), found '%s'",
                codes->code, pc_dxf_value(codes).text);
  return value;
}

// The bytes of the UTF-8 character at `c`, 0 if there is none.
static int utf8_length(const unsigned char *c, int left)
{
  int more = *c < 0x80                 ? 0
             : *c >= 0xc2 && *c < 0xe0 ? 1
             : *c >= 0xe0 && *c < 0xf0 ? 2
             : *c >= 0xf0 && *c < 0xf5 ? 3
                                       : -1;
  if (more < 0 || more >= left)
    return 0;
  for (int i = 1; i <= more; i++)
    if (c[i] < 0x80 || c[i] >= 0xc0)
      return 0;
  return more + 1;
}

static int put_character(char *to, unsigned code)
{
  if (code < 0x80) {
    to[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    to[0] = (char)(0xc0 | code >> 6);
    to[1] = (char)(0x80 | (code & 0x3f));
    return 2;
  }
  to[0] = (char)(0xe0 | code >> 12);
  to[1] = (char)(0x80 | (code >> 6 & 0x3f));
  to[2] = (char)(0x80 | (code & 0x3f));
  return 3;
}

// \U+XXXX: the character, or 0.
static unsigned escaped(const char *text, int left)
{
  unsigned code = 0;
  if (left < 7 || memcmp(text, "\\U+", 3) != 0)
    return 0;
  for (int i = 3; i < 7; i++) {
    char c = pc_to_upper(text[i]);
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0)
      return 0;
    code = 16 * code + (unsigned)digit;
  }
  return code >= 0xd800 && code < 0xe000 ? 0 : code;
}

// The bytes of a code of a multiline text, and the character that stands for it; 0: it is none.
static int format_code(const char *text, int left, char *instead)
{
  *instead = 0;
  if (*text == '{' || *text == '}')
    return 1;
  if (*text != '\\' || left < 2)
    return 0;
  if (text[1] == 'P' || text[1] == '~')
    *instead = ' ';
  else if (strchr("\\{}", text[1]) != NULL && text[1] != 0)
    *instead = text[1];
  if (*instead != 0 || strchr("LlOoKk", text[1]) != NULL)
    return 2;
  const char *end = memchr(text, ';', (size_t)left);
  return end != NULL ? (int)(end - text) + 1 : 1;
}

char *pc_dxf_string(pc_dxf_codes *codes, pc_arena *arena, bool formatted)
{
  const char *text = codes->value;
  int left = codes->length, used = 0;
  char *out = pc_arena_take(arena, 2 * (size_t)left + 4, 1);
  if (out == NULL) {
    codes->failed = true;
    pc_fail(codes->error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  while (left > 0) {
    unsigned code = escaped(text, left);
    char instead;
    int format = code == 0 && formatted ? format_code(text, left, &instead) : 0;
    int bytes = code != 0    ? 7
                : format > 0 ? format
                             : utf8_length((const unsigned char *)text, left);
    if (code != 0)
      used += put_character(out + used, code);
    else if (format > 0 && instead != 0)
      out[used++] = instead;
    else if (format == 0 && bytes > 0)
      memcpy(out + used, text, (size_t)bytes), used += bytes;
    else if (format == 0)
      used += put_character(out + used, (unsigned char)*text), bytes = 1;
    text += bytes;
    left -= bytes;
  }
  for (int i = 0; i < used; i++)
    if (pc_is_control(out[i]))
      out[i] = ' ';
  return out;
}
