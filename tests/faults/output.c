#include "faults/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "same.h"

// All of a file, ended by 0, which the caller frees; NULL: it cannot be read.
static char *read_all(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  size_t room = 1 << 16;
  char *text = file != NULL ? malloc(room + 1) : NULL;
  *size = 0;
  for (size_t got; text != NULL && (got = fread(text + *size, 1, room - *size, file)) > 0;) {
    *size += got;
    if (*size == room)
      text = realloc(text, (room *= 2) + 1);
  }
  if (file != NULL)
    fclose(file);
  if (text != NULL)
    text[*size] = 0;
  return text;
}

// Removes the `number` characters that some words are followed by, wherever the words are.
static void remove_after(char *text, const char *words, const char *number)
{
  for (char *at = text; (at = strstr(at, words)) != NULL;) {
    at += strlen(words);
    size_t length = strspn(at, number);
    memmove(at, at + length, strlen(at + length) + 1);
  }
}

// Where the time begins that ends a line, "... in 1:03 min", or a line about a solver, "..., 0.3
// ms"; the end if it has none.
static char *find_span(char *line, char *end)
{
  char *at = end;
  if (strncmp(line, "solved", 6) == 0) {
    while (at > line && at[-1] != ',')
      at--;
    return at > line ? at : end;
  }
  while (at > line && strncmp(at, " in ", 4) != 0)
    at--;
  if (at == line)
    return end;
  const char *unit = at + 4 + strspn(at + 4, "0123456789:");
  size_t length = (size_t)(end - unit);
  bool span = unit > at + 4 &&
              ((length == 2 && (strncmp(unit, " s", 2) == 0 || strncmp(unit, " h", 2) == 0)) ||
               (length == 4 && strncmp(unit, " min", 4) == 0));
  return span ? at : end;
}

static void remove_spans(char *text)
{
  for (char *line = text; *line != 0;) {
    char *end = line + strcspn(line, "\n"), *from = find_span(line, end);
    memmove(from, end, strlen(end) + 1);
    line = from + (*from != 0);
  }
}

static void remove_times(char *text)
{
  static const char *const keys[] = {
      "\"wall_s\":", "\"detection_s\":", "\"solve_s\":", "\"record_s\":", "\"time_s\":"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    remove_after(text, keys[i], "0123456789.e-+");
  remove_after(text, "http://127.0.0.1:", "0123456789abcdef/");
  if (*text != '{' && *text != '[')
    remove_spans(text);
}

bool output_same(const char *one, const char *two, char *why)
{
  size_t size, more;
  char *a = read_all(one, &size), *b = read_all(two, &more);
  bool same = a != NULL && b != NULL;
  if (same) {
    remove_times(a);
    remove_times(b);
    size_t first = 0;
    while (a[first] != 0 && a[first] == b[first])
      first++;
    same = a[first] == b[first];
    size_t from = first > 20 ? first - 20 : 0;
    if (!same)
      snprintf(why, SAME_WHY, "printed: '%.100s' not '%.100s'", b + from, a + from);
  } else {
    snprintf(why, SAME_WHY, "no output");
  }
  free(a);
  free(b);
  return same;
}

bool output_completed(const char *part, const char *whole)
{
  size_t size, more;
  char *a = read_all(part, &size), *b = read_all(whole, &more), *all = read_all(whole, &more);
  bool begins = a != NULL && b != NULL && all != NULL;
  if (begins) {
    remove_times(a);
    remove_times(b);
    begins = *a != 0 && strncmp(a, b, strlen(a)) == 0;
  }
  FILE *file = begins ? fopen(part, "wb") : NULL;
  if (file != NULL) {
    begins = fwrite(all, 1, more, file) == more;
    begins = fclose(file) == 0 && begins;
  }
  free(a);
  free(b);
  free(all);
  return file != NULL && begins;
}

bool output_of_failure(const char *path, char *why)
{
  size_t size;
  char *text = read_all(path, &size);
  json_text read = {.why = NULL};
  if (text != NULL && size > 0)
    read = json_read(text, size, (char *[]){"status", NULL});
  bool fine = text != NULL && read.why == NULL;
  if (!fine)
    snprintf(why, SAME_WHY, "stdout is no JSON: %s at '%.100s'",
             text != NULL ? read.why : "nothing", text != NULL ? read.at : "");
  else if (read.found != NULL && strncmp(read.found, "\"finished\"", 10) == 0)
    fine = snprintf(why, SAME_WHY, "the JSON says that the run is finished") < 0;
  free(text);
  return fine;
}
