#include "core/plain.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

// The locale of this thread alone, for the time of a call. The "C" locale is a constant of the C
// library, so this takes no memory and cannot fail.
typedef struct bracket {
  locale_t plain, before;
} bracket;

static bracket begin_plain(void)
{
  bracket b = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  b.before = uselocale(b.plain);
  return b;
}

static void end_plain(bracket b)
{
  uselocale(b.before);
  freelocale(b.plain);
}

int pc_print_list(char *text, size_t size, const char *format, va_list arguments)
{
  bracket b = begin_plain();
  int length = vsnprintf(text, size, format, arguments);
  end_plain(b);
  return length;
}

int pc_print(char *text, size_t size, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int length = pc_print_list(text, size, format, arguments);
  va_end(arguments);
  return length;
}

double pc_read_double(const char *text, char **end)
{
  bracket b = begin_plain();
  double value = strtod(text, end);
  end_plain(b);
  return value;
}

int pc_print_exact(double value, char text[PC_EXACT_TEXT])
{
  bracket b = begin_plain();
  int length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, PC_EXACT_TEXT, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  end_plain(b);
  return length;
}

bool pc_is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool pc_is_letter(char c)
{
  c = pc_to_lower(c);
  return c >= 'a' && c <= 'z';
}

bool pc_is_control(char c)
{
  return (unsigned char)c < ' ' || c == 0x7f;
}

char pc_to_lower(char c)
{
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

char pc_to_upper(char c)
{
  return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

bool pc_begins_with_word(const char *text, const char *word)
{
  for (; *word != 0; text++, word++)
    if (pc_to_lower(*text) != pc_to_lower(*word))
      return false;
  return true;
}

bool pc_is_same_word(const char *a, const char *b)
{
  for (; *b != 0; a++, b++)
    if (pc_to_lower(*a) != pc_to_lower(*b))
      return false;
  return *a == 0;
}
