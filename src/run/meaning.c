#include "run/meaning.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/plain.h"
#include "core/written.h"
#include "record/record.h"
#include "run/inputs.h"
#include "scene/text.h"

static uint64_t hash_file(const char *path)
{
  char buffer[4096];
  ssize_t got;
  uint64_t hash = PC_HASH_START;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  while (file >= 0 && (got = read(file, buffer, sizeof buffer)) > 0)
    hash = pc_hash_bytes(hash, buffer, (size_t)got);
  if (file >= 0)
    close(file);
  return hash;
}

// Bases are part of the text. Pipes and files that no longer exist are left out.
static void put_files(FILE *to, const pc_scene *scene)
{
  struct stat there;
  for (int i = scene->bases; i < scene->input_count; i++)
    if (stat(scene->inputs[i], &there) == 0 && S_ISREG(there.st_mode))
      fprintf(to, "\tchecksum of %s: %016" PRIx64 "\n", pc_path_name(scene->inputs[i]),
              hash_file(scene->inputs[i]));
}

static void put_number(FILE *to, const char *name, double value)
{
  char text[PC_EXACT_TEXT];
  pc_print_exact(value, text);
  fprintf(to, "\t%s: %s\n", name, text);
}

static void put_changes(FILE *to, const char *changes)
{
  while (changes != NULL && *changes != 0) {
    int length = (int)strcspn(changes, "\n");
    fprintf(to, "\t%.*s\n", length, changes);
    changes += length + (changes[length] == '\n');
  }
}

char *pc_run_meaning(const pc_scene *scene, pc_meaning_of of)
{
  pc_written written;
  if (!pc_written_begin(&written))
    return NULL;
  fputs(scene->meaning != NULL ? scene->meaning : "", written.to);
  put_files(written.to, scene);
  if (of != PC_MEANING_OF_SCENE) { // they may follow from the duration
    put_number(written.to, "time step", scene->step);
    put_number(written.to, "interval of frames", scene->frame_every);
    put_changes(written.to, scene->changes);
  }
  if (of == PC_MEANING_OF_RUNS)
    put_number(written.to, "duration", scene->duration);
  return pc_written_end(&written);
}

// A line without where it is written, and its length.
static const char *skip_place(const char *line, size_t *length)
{
  const char *tab = line + strcspn(line, "\t\n");
  const char *text = *tab == '\t' ? tab + 1 : line;
  *length = strcspn(text, "\n");
  return text;
}

static const char *next_line(const char *line)
{
  const char *end = line + strcspn(line, "\n");
  return *end != 0 ? end + 1 : end;
}

uint64_t pc_hash_meaning(const char *meaning)
{
  uint64_t hash = PC_HASH_START;
  for (const char *at = meaning; *at != 0; at = next_line(at)) {
    size_t length;
    const char *text = skip_place(at, &length);
    hash = pc_hash_bytes(pc_hash_bytes(hash, text, length), "\n", 1);
  }
  return hash;
}

uint64_t pc_hash_scene(const pc_scene *scene)
{
  char *meaning = pc_run_meaning(scene, PC_MEANING_OF_SCENE);
  uint64_t hash = meaning != NULL ? pc_hash_meaning(meaning) : 0;
  free(meaning);
  return hash;
}

// A line taken apart: how deep it is, its key, its value.
typedef struct said {
  int depth;
  const char *key, *value;
  size_t key_length, value_length;
} said;

static said take_apart(const char *line)
{
  size_t length;
  said s = {0};
  const char *text = skip_place(line, &length), *end = text + length;
  while (text < end && *text == ' ')
    text++, s.depth++;
  s.key = s.value = text;
  while (s.value < end && !(s.value[0] == ':' && s.value + 1 < end && s.value[1] == ' '))
    s.value++;
  s.key_length = (size_t)(s.value - s.key);
  s.value += s.value < end ? 2 : 0;
  s.value_length = (size_t)(end - s.value);
  return s;
}

// The keys above a line and its own, with dots between them, as in `sweep`.
static void write_path(const char *meaning, const char *line, char *path, size_t size)
{
  enum { DEPTH = 80 };
  said above[DEPTH] = {{0}};
  said own = take_apart(line);
  int depth = own.depth < DEPTH ? own.depth : DEPTH - 1;
  for (const char *at = meaning; at <= line && *at != 0; at = next_line(at)) {
    said one = take_apart(at);
    if (one.depth <= depth)
      above[one.depth] = one;
  }
  *path = 0;
  for (int i = 0; i <= depth && *line != 0; i++)
    snprintf(path + strlen(path), size - strlen(path), "%s%.*s", i > 0 ? "." : "",
             (int)above[i].key_length, above[i].key);
}

static pc_text shown(said s)
{
  pc_text text;
  if (s.value_length == 1 && (*s.value == '{' || *s.value == '['))
    strcpy(text.text, *s.value == '{' ? "a mapping" : "a list");
  else if (s.value_length == 0)
    strcpy(text.text, "nothing");
  else
    pc_text_clean(text.text, 60, s.value, s.value_length);
  return text;
}

// `FILE:LINE: `, or the file alone of what is written nowhere.
static void write_place(const pc_scene *scene, const char *line, char *place, size_t size)
{
  char *end;
  long file = strtol(line, &end, 10), number = end != line && *end == ':' ? atol(end + 1) : 0;
  if (number <= 0 || file < 0 || file > scene->bases)
    file = 0;
  pc_text path = pc_text_path(file == 0 ? scene->path : scene->inputs[file - 1]);
  if (number > 0)
    snprintf(place, size, "%s:%ld: ", path.text, number);
  else
    snprintf(place, size, "%s: ", path.text);
}

static bool is_same(const char *a, const char *b)
{
  size_t length, other;
  const char *text = skip_place(a, &length), *old = skip_place(b, &other);
  return length == other && memcmp(text, old, length) == 0;
}

// Whether the old line and what is below it is missing now, where `now` stands in its place.
static bool is_missing(const char *now, const char *old)
{
  int depth = take_apart(now).depth, before = take_apart(old).depth;
  if (*now == 0 || *old == 0 || depth != before)
    return *old != 0 && (*now == 0 || before > depth);
  do
    old = next_line(old);
  while (*old != 0 && take_apart(old).depth > before);
  return is_same(now, old);
}

// The first difference; `before` and `now` end with 0.
static void describe(const pc_scene *scene, const char *before, const char *now, char *text,
                     size_t size)
{
  const char *a = now, *b = before;
  while (*a != 0 && *b != 0 && is_same(a, b))
    a = next_line(a), b = next_line(b);
  char place[300], path[200], old_path[200];
  said one = take_apart(a), old = take_apart(b);
  write_place(scene, a, place, sizeof place);
  write_path(now, a, path, sizeof path);
  write_path(before, b, old_path, sizeof old_path);
  if (*a == 0 && *b == 0)
    snprintf(text, size, "%sthe bodies start in another state", place);
  else if (*a != 0 && *b != 0 && strcmp(path, old_path) == 0)
    snprintf(text, size, "%s'%s' is %s, it was started with %s", place, path, shown(one).text,
             shown(old).text);
  else if (is_missing(a, b))
    snprintf(text, size, "%s'%s' is missing, it was started with %s", place, old_path,
             shown(old).text);
  else
    snprintf(text, size, "%s'%s' is %s, it was started without it", place, path, shown(one).text);
}

pc_status pc_meaning_refuse(const pc_scene *scene, const char *checkpoint, const char *now,
                            pc_error *error)
{
  pc_blob blob = {PC_MEANING_BLOB, NULL, 0};
  char text[900] = "it has none of its values";
  pc_status status = pc_checkpoint_read(checkpoint, 1, &blob, error);
  char *before = status == PC_OK ? malloc(blob.size + 1) : NULL;
  if (before != NULL) {
    memcpy(before, blob.data, blob.size);
    before[blob.size] = 0;
    describe(scene, before, now, text, sizeof text);
  }
  free(before);
  free(blob.data);
  return pc_fail(error, PC_ERROR_INPUT,
                 "%s belongs to another scene: %s; start without --resume to compute it again",
                 pc_text_path(checkpoint).text, text);
}
