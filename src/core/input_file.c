#include "core/input_file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/plain.h"

static const size_t MAX_SIZE = (size_t)1 << 30;

// The end of a long path says more than its beginning. Control characters spoil a message.
static void set_name(pc_input_file *source, const char *path)
{
  size_t length = strlen(path), room = sizeof source->name - 1;
  const char *from = length > room ? path + (length - room) : path;
  size_t n = strlen(from);
  for (size_t i = 0; i <= n; i++)
    source->name[i] = i < n && pc_is_control(from[i]) ? '?' : from[i];
  for (size_t i = 0; length > room && i < 3; i++)
    source->name[i] = '.';
}

pc_status pc_input_out_of_memory(pc_input_file *source)
{
  return pc_fail(source->error, PC_ERROR_MEMORY, "%s: out of memory", source->name);
}

static pc_status read_all(pc_input_file *source, FILE *file, pc_error *error)
{
  size_t room = 1 << 16;
  for (;;) {
    char *grown = realloc(source->data, room + 1);
    if (grown == NULL)
      return pc_input_out_of_memory(source);
    source->data = grown;
    source->size += fread(source->data + source->size, 1, room - source->size, file);
    source->data[source->size] = 0;
    if (ferror(file))
      return pc_fail(error, PC_ERROR_IO, "%s: %s", source->name, strerror(errno));
    if (source->size < room) { // no more than the file needs
      grown = realloc(source->data, source->size + 1);
      source->data = grown != NULL ? grown : source->data;
      return PC_OK;
    }
    if (room >= MAX_SIZE)
      return pc_fail(error, PC_ERROR_INPUT, "%s: the file is larger than %zu MB", source->name,
                     MAX_SIZE >> 20);
    room *= 2;
  }
}

pc_status pc_input_open(pc_input_file *source, const char *path, pc_error *error)
{
  *source = (pc_input_file){.error = error};
  set_name(source, path);
  const char *wrong = pc_file_unreadable(path);
  if (wrong != NULL)
    return pc_fail(error, PC_ERROR_IO, "%s: %s", source->name, wrong);
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return pc_fail(error, PC_ERROR_IO, "%s: %s", source->name, strerror(errno));
  return pc_input_take(source, path, file, error);
}

pc_status pc_input_take(pc_input_file *source, const char *path, FILE *file, pc_error *error)
{
  *source = (pc_input_file){.error = error};
  set_name(source, path);
  pc_status status = read_all(source, file, error);
  fclose(file);
  if (status == PC_OK && source->size >= 3 && memcmp(source->data, "\xef\xbb\xbf", 3) == 0)
    source->at = 3; // a byte order mark, as spreadsheets write it
  return status;
}

void pc_input_close(pc_input_file *source)
{
  free(source->data);
  *source = (pc_input_file){0};
}

bool pc_input_has_ending(const char *path, const char *ending)
{
  size_t length = strlen(path), n = strlen(ending);
  return length >= n && pc_is_same_word(path + length - n, ending);
}

bool pc_input_line(pc_input_file *source)
{
  while (source->at < source->size) {
    char *line = source->data + source->at;
    char *end = memchr(line, '\n', source->size - source->at);
    size_t length = end != NULL ? (size_t)(end - line) : source->size - source->at;
    source->at += length + 1;
    source->line++;
    line[length] = 0;
    bool blank = true;
    for (size_t i = 0; i < length; i++) {
      if (line[i] == 0)
        line[i] = '?'; // a zero byte must not hide what follows it
      blank = blank && pc_is_space(line[i]);
    }
    source->start = source->cursor = line;
    source->length = length;
    source->word = NULL;
    if (!blank)
      return true;
  }
  return false;
}

// The byte that ends a cell; 0: blanks do.
static char separator_of(const pc_input_file *source)
{
  static const char separators[] = {
      [PC_BLANKS] = 0, [PC_COMMAS] = ',', [PC_SEMICOLONS] = ';', [PC_TABS] = '\t'};
  return separators[source->separator];
}

static char *skip_blanks(char *at, char separator)
{
  while (pc_is_space(*at) && *at != separator)
    at++;
  return at;
}

// A text in quotation marks, in which two of them are one; what follows it is dropped.
static void unquote(char *word)
{
  char *to = word;
  for (const char *from = word + 1; *from != 0; *to++ = *from++)
    if (*from == '"' && *++from != '"')
      break;
  *to = 0;
}

// The end of a cell that begins here: its separator, or the end of the line.
static const char *cell_end(const char *cell, char separator)
{
  bool quoted = *cell == '"';
  const char *end = cell + quoted;
  while (*end != 0 && (quoted || *end != separator)) {
    if (quoted && *end == '"')
      quoted = end[1] == '"' && *++end == '"';
    end++;
  }
  return end;
}

static char *next_cell(pc_input_file *source, char separator)
{
  char *cell = skip_blanks(source->cursor, separator);
  if (*cell == 0) {
    source->cursor = cell;
    return source->word = NULL;
  }
  char *end = (char *)cell_end(cell, separator);
  source->cursor = *end != 0 ? end + 1 : end;
  *end = 0;
  source->quoted = *cell == '"';
  if (source->quoted) {
    unquote(cell);
    return source->word = cell;
  }
  while (end > cell && pc_is_space(end[-1]))
    *--end = 0;
  return source->word = cell;
}

char *pc_input_word(pc_input_file *source)
{
  char separator = separator_of(source);
  if (separator != 0)
    return next_cell(source, separator);
  char *word = skip_blanks(source->cursor, 0);
  source->quoted = false;
  if (*word == 0) {
    source->cursor = word;
    return source->word = NULL;
  }
  char *end = word;
  while (*end != 0 && !pc_is_space(*end))
    end++;
  source->cursor = *end != 0 ? end + 1 : end;
  *end = 0;
  return source->word = word;
}

static int count_words(const char *text)
{
  int count = 0;
  for (const char *c = text; *c != 0; c++)
    count += !pc_is_space(*c) && (c[1] == 0 || pc_is_space(c[1]));
  return count;
}

int pc_input_words(const pc_input_file *source)
{
  char separator = separator_of(source);
  if (separator == 0)
    return count_words(source->cursor);
  int count = 0;
  for (const char *c = skip_blanks(source->cursor, separator); *c != 0; count++) {
    c = cell_end(c, separator);
    if (*c != 0)
      c = skip_blanks((char *)c + 1, separator);
  }
  return count;
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

// Whether every comma of the line has digits on both sides, and no word has two.
static bool has_decimal_commas(const char *line)
{
  int commas = 0;
  for (const char *c = line; *c != 0; c++) {
    commas = pc_is_space(*c) ? 0 : commas + (*c == ',');
    if (*c == ',' && (c == line || !is_digit(c[-1]) || !is_digit(c[1]) || commas > 1))
      return false;
  }
  return true;
}

void pc_input_separate(pc_input_file *source, int columns)
{
  const char *line = source->cursor;
  int words = count_words(line);
  source->table = true;
  source->separator = PC_BLANKS;
  if (strchr(line, ';') != NULL)
    source->separator = PC_SEMICOLONS;
  else if (strchr(line, ',') != NULL && strchr(line, '\t') == NULL &&
           !(has_decimal_commas(line) && words > 1 && (columns == 0 || words == columns)))
    source->separator = PC_COMMAS;
  else if (strchr(line, '\t') != NULL && (columns == 0 || words != columns))
    source->separator = PC_TABS;
}

char *pc_input_rest(pc_input_file *source)
{
  char *cell = skip_blanks(source->cursor, 0);
  size_t length = strlen(cell);
  while (length > 0 && pc_is_space(cell[length - 1]))
    cell[--length] = 0;
  source->cursor = cell + length;
  if (length >= 2 && *cell == '"' && cell[length - 1] == '"')
    unquote(cell);
  return source->word = cell;
}

// pc_read_double also takes hexadecimal numbers and names of infinity; a file with these is
// damaged.
bool pc_input_number(const char *word, bool holes, double *value)
{
  if (word == NULL)
    return false;
  if (holes && pc_is_same_word(word, "nan")) {
    *value = NAN;
    return true;
  }
  if (word[0] == 0 || word[strspn(word, "+-.0123456789eE")] != 0)
    return false;
  char *end;
  *value = pc_read_double(word, &end);
  return end != word && *end == 0 && isfinite(*value);
}

bool pc_input_cell(pc_input_file *source, bool holes, double *value)
{
  char number[40];
  const char *word = source->word, *comma = word != NULL ? strchr(word, ',') : NULL;
  bool decimal = comma != NULL && source->table && comma != word && is_digit(comma[-1]) &&
                 strchr(comma + 1, ',') == NULL && strlen(word) < sizeof number;
  if (!decimal || source->points) {
    source->points = source->points || (word != NULL && strchr(word, '.') != NULL);
    return !(source->points && source->commas) && pc_input_number(word, holes, value);
  }
  strcpy(number, word);
  number[comma - word] = '.';
  source->commas = true;
  return strchr(word, '.') == NULL && pc_input_number(number, holes, value);
}

// The first two digits of the line with a comma between them, with what belongs to both numbers:
// "1,5". Where words were read the comma is a zero byte.
static void find_decimal_comma(const pc_input_file *source, char text[40])
{
  const char *line = source->start;
  for (size_t i = 1; i + 1 < source->length; i++) {
    if ((line[i] != ',' && line[i] != 0) || !is_digit(line[i - 1]) || !is_digit(line[i + 1]))
      continue;
    size_t from = i, to = i + 1;
    while (from > 0 && (is_digit(line[from - 1]) || line[from - 1] == '-'))
      from--;
    while (to < source->length && is_digit(line[to]))
      to++;
    snprintf(text, 40, "%.*s,%.*s", i - from < 15 ? (int)(i - from) : 15, line + from,
             to - i - 1 < 15 ? (int)(to - i - 1) : 15, line + i + 1);
    return;
  }
}

pc_status pc_input_fail_count(pc_input_file *source, const char *what, int expected, int count)
{
  char pair[40] = "1,5"; // of the line only where every number is two
  source->word = NULL;
  if (count == 2 * expected)
    find_decimal_comma(source, pair);
  if (count <= expected || source->separator != PC_COMMAS)
    return pc_input_fail(source, "expected %d %s, got %d", expected, what, count);
  return pc_input_fail(source,
                       "expected %d %s, got %d: '%s' counts as two in a table separated by commas; "
                       "use decimal points, or separate by semicolons",
                       expected, what, count, pair);
}

pc_status pc_input_fail(pc_input_file *source, const char *format, ...)
{
  char text[256];
  long line = source->line > 0 ? source->line : 1; // an empty file has no line
  va_list arguments;
  va_start(arguments, format);
  pc_print_list(text, sizeof text, format, arguments);
  va_end(arguments);
  if (source->word != NULL && strchr(source->word, ',') != NULL)
    return pc_fail(source->error, PC_ERROR_INPUT, "%s:%ld: %s, not '%.40s': %s", source->name, line,
                   text, source->word,
                   source->points && source->table
                       ? "use a decimal point, as the other numbers of the table"
                       : "use a decimal point, and separate numbers by spaces");
  return pc_fail(source->error, PC_ERROR_INPUT, "%s:%ld: %s", source->name, line, text);
}

pc_status pc_input_fail_whole(pc_input_file *source, const char *format, ...)
{
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  pc_print_list(text, sizeof text, format, arguments);
  va_end(arguments);
  return pc_fail(source->error, PC_ERROR_INPUT, "%s: %s", source->name, text);
}

void pc_input_blame(pc_input_file *source)
{
  if (source->error == NULL)
    return;
  char text[320];
  snprintf(text, sizeof text, "%.300s", source->error->text);
  pc_status status = source->error->status;
  pc_fail(source->error, status == PC_ERROR_ARGUMENT ? PC_ERROR_INPUT : status, "%s: %s",
          source->name, text);
}
