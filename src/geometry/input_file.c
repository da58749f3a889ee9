#include "geometry/input_file.h"

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
    source->cursor = line;
    source->word = NULL;
    if (!blank)
      return true;
  }
  return false;
}

static bool is_gap(const pc_input_file *source, char c)
{
  return pc_is_space(c) || (source->commas && (c == ',' || c == ';'));
}

char *pc_input_word(pc_input_file *source)
{
  char *word = source->cursor;
  while (is_gap(source, *word))
    word++;
  if (*word == 0) {
    source->cursor = word;
    return source->word = NULL;
  }
  char *end = word;
  while (*end != 0 && !is_gap(source, *end))
    end++;
  source->cursor = *end != 0 ? end + 1 : end;
  *end = 0;
  return source->word = word;
}

int pc_input_words(const pc_input_file *source)
{
  int count = 0;
  for (const char *c = source->cursor; *c != 0; c++)
    count += !is_gap(source, *c) && (c[1] == 0 || is_gap(source, c[1]));
  return count;
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

pc_status pc_input_fail(pc_input_file *source, const char *format, ...)
{
  char text[256];
  long line = source->line > 0 ? source->line : 1; // an empty file has no line
  va_list arguments;
  va_start(arguments, format);
  pc_print_list(text, sizeof text, format, arguments);
  va_end(arguments);
  if (source->word != NULL && strchr(source->word, ',') != NULL)
    return pc_fail(source->error, PC_ERROR_INPUT,
                   "%s:%ld: %s, not '%.40s': decimals have a point, and spaces part numbers",
                   source->name, line, text, source->word);
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
