#include "scene_maker.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/run.h"
#include "scene_examples.h"

// A text that grows up to its size; what is too long is cut off, and is then no scene.
typedef struct writer {
  char *text;
  size_t size, used;
} writer;

static void put(writer *to, const char *text, size_t length)
{
  size_t room = to->size - 1 - to->used;
  length = length < room ? length : room;
  memcpy(to->text + to->used, text, length);
  to->used += length;
  to->text[to->used] = 0;
}

static void put_text(writer *to, const char *text)
{
  put(to, text, strlen(text));
}

// A decision from 0 to below - 1.
static int choose(scene_choices *c, int below)
{
  if (c->random != NULL)
    return pc_random_below(c->random, below);
  int value = 0;
  for (int range = 1; range < below && c->size > 0; range *= 256, c->size--)
    value = (value * 256 + *c->data++) & 0xffffff;
  return value % below;
}

static const pc_mapping *mapping_of(const char *id)
{
  static scene_mappings all; // filled once; tests and fuzz targets have one thread
  if (all.count == 0)
    all = scene_mappings_all();
  for (int i = 0; i < all.count; i++)
    if (strcmp(all.at[i]->id, id) == 0)
      return all.at[i];
  abort();
}

static const pc_key *key_of(const pc_mapping *mapping, const char *name, size_t length)
{
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++)
    if (strlen(key->name) == length && strncmp(key->name, name, length) == 0)
      return key;
  return NULL;
}

// Counts stay small, because what they ask for is work and memory, not another way to fail.
static long change_whole(scene_choices *c, long n)
{
  switch (choose(c, 6)) {
  case 0:
    return n + 1;
  case 1:
    return n - 1;
  case 2:
    return 2 * n;
  case 3:
    return choose(c, 20);
  case 4:
    return -n;
  default:
    return n;
  }
}

static double change_real(scene_choices *c, const pc_key *key, double x)
{
  static const double factors[] = {0.5, 2, 1.001, 0.1, 10, -1, 0, 0.01, 30, 1e-9, 1e-150};
  enum { FACTORS = sizeof factors / sizeof *factors };
  bool limited = key != NULL && key->range.kind != PC_ANY_FINITE;
  switch (choose(c, 12)) {
  case 0:
    return limited ? key->range.low : 0;
  case 1:
    return limited && key->range.kind == PC_BETWEEN ? key->range.high : 10 * x;
  case 2:
    return x * factors[choose(c, FACTORS)];
  case 3:
    return x + 0.1 * (choose(c, 21) - 10);
  default:
    return x * (0.8 + 0.01 * choose(c, 41)); // mild, so that most scenes can be stepped
  }
}

static bool begins_number(const char *text, const char *at)
{
  bool alone = at == text || strchr(" [,{:(", at[-1]) != NULL;
  return alone && (isdigit((unsigned char)at[0]) ||
                   (strchr("-.", at[0]) != NULL && isdigit((unsigned char)at[1])));
}

// Numbers and words of the range that come first in the text, with one in `odds` changed.
static void put_changed(writer *to, scene_choices *c, const pc_key *key, int odds, const char *text,
                        size_t length)
{
  for (const char *at = text; at < text + length;) {
    char *end = NULL;
    if (!begins_number(text, at) || choose(c, odds) != 0) {
      put(to, at++, 1);
      continue;
    }
    double x = strtod(at, &end);
    char number[40];
    bool whole = memchr(at, '.', (size_t)(end - at)) == NULL &&
                 memchr(at, 'e', (size_t)(end - at)) == NULL && fabs(x) < 1e9 &&
                 (key == NULL || (key->forms & (PC_AN_INTEGER | PC_INTEGERS)) != 0);
    if (whole)
      snprintf(number, sizeof number, "%ld", change_whole(c, (long)x));
    else
      snprintf(number, sizeof number, "%.6g", change_real(c, key, x));
    put_text(to, number);
    at = end;
  }
}

static void put_word(writer *to, scene_choices *c, const pc_word *words)
{
  int count = 0;
  while (words[count].word != NULL)
    count++;
  put_text(to, words[choose(c, count)].word);
}

// `key: value` of an example.
static void put_pair(writer *to, scene_choices *c, const pc_mapping *mapping, const char *pair,
                     size_t length, size_t name)
{
  const pc_key *key = key_of(mapping, pair, name);
  const char *value = pair + name + 1;
  size_t rest = length > name ? length - name - 1 : 0;
  bool word = key != NULL && key->words != NULL && rest > 1 && isalpha((unsigned char)value[1]);
  put(to, pair, name);
  put_text(to, ": ");
  if (word && choose(c, 3) == 0)
    put_word(to, c, key->words);
  else if (key != NULL && key->forms == PC_A_BOOLEAN)
    put_text(to, choose(c, 2) != 0 ? "true" : "false");
  else
    put_changed(to, c, key, 3, value, rest);
}

// A key of the schema that the example does not have, if its value can be made up.
static void put_new(writer *to, scene_choices *c, const scene_example *e, const pc_mapping *mapping)
{
  int count = 0;
  while (pc_mapping_key(mapping, count) != NULL)
    count++;
  const pc_key *key = count > 0 ? pc_mapping_key(mapping, choose(c, count)) : NULL;
  if (key == NULL || scene_example_has(e, key->name))
    return;
  char number[40];
  snprintf(number, sizeof number, "%.6g", change_real(c, key, pow(10, choose(c, 7) - 4)));
  if ((key->forms & (PC_A_NUMBER | PC_AN_INTEGER | PC_A_BOOLEAN)) == 0 && key->words == NULL)
    return;
  put_text(to, ", ");
  put_text(to, key->name);
  put_text(to, ": ");
  if (key->words != NULL)
    put_word(to, c, key->words);
  else if ((key->forms & PC_A_BOOLEAN) != 0)
    put_text(to, choose(c, 2) != 0 ? "true" : "false");
  else if ((key->forms & PC_A_NUMBER) != 0)
    put_text(to, number);
  else
    put_text(to, (const char *[]){"0", "1", "2", "7"}[choose(c, 4)]);
}

static void put_mapping(writer *to, scene_choices *c, const scene_example *e)
{
  const pc_mapping *mapping = mapping_of(e->id);
  size_t length, name;
  const char *comma = "";
  put_text(to, "{");
  for (const char *at = e->keys; (at = scene_example_pair(at, &length, &name)) != NULL;
       at += length) {
    const pc_key *key = key_of(mapping, at, name);
    if (key != NULL && !key->required && choose(c, 5) == 0)
      continue;
    put_text(to, comma);
    put_pair(to, c, mapping, at, length, name);
    comma = ", ";
  }
  if (*comma != 0 && choose(c, 4) == 0)
    put_new(to, c, e, mapping);
  put_text(to, "}");
}

// Where the line with the example's mapping begins, and how long its key is; 0: the mapping is the
// whole file.
static size_t line_of(const scene_example *e, size_t *key)
{
  const char *place = strchr(e->around, '@'), *line = place;
  while (line > e->around && line[-1] != '\n')
    line--;
  *key = strcspn(line, ":@");
  return (size_t)(line - e->around);
}

// Whether both have the same file around them, and other keys in it.
static bool go_together(const scene_example *a, const scene_example *b)
{
  size_t key_a, key_b, line = line_of(a, &key_a);
  return line > 0 && line == line_of(b, &key_b) && strncmp(a->around, b->around, line) == 0 &&
         (key_a != key_b || strncmp(a->around + line, b->around + line, key_a) != 0);
}

static void put_line(writer *to, scene_choices *c, const scene_example *e)
{
  size_t key, line = line_of(e, &key);
  const char *place = strchr(e->around, '@');
  put_changed(to, c, NULL, 12, e->around + line, (size_t)(place - e->around) - line);
  put_mapping(to, c, e);
  put_text(to, place + 1);
}

void scene_make(scene_choices *choices, char text[SCENE_TEXT])
{
  enum { MORE = 4 };
  writer to = {text, SCENE_TEXT, 0};
  text[0] = 0;
  const scene_example *chosen[1 + MORE] = {scene_examples + choose(choices, scene_examples_count)};
  int count = 1;
  for (int tries = 4 * choose(choices, 8); tries > 0 && count <= MORE; tries--) {
    const scene_example *e = scene_examples + choose(choices, scene_examples_count);
    bool fits = true;
    for (int i = 0; i < count; i++)
      fits = fits && go_together(chosen[i], e);
    if (fits)
      chosen[count++] = e;
  }
  size_t key;
  put_changed(&to, choices, NULL, 12, chosen[0]->around, line_of(chosen[0], &key));
  for (int i = 0; i < count; i++)
    put_line(&to, choices, chosen[i]);
}

static bool is_finite_summary(const pc_run_summary *s)
{
  const double *const numbers[] = {&s->time,    &s->kinetic,       &s->potential,
                                   &s->stored,  &s->drift,         &s->residual_largest,
                                   &s->deepest, &s->audit_largest, &s->turnover};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!isfinite(*numbers[i]))
      return false;
  return true;
}

enum { MOST_BODIES = 200000 }; // more are read, and take minutes to step

static pc_status run(const char *name, const char *text, int threads, pc_run_summary *summary,
                     scene_trial *trial)
{
  pc_scene scene;
  pc_error error = {.status = PC_OK};
  pc_status status = pc_scene_parse(name, text, &scene, &error);
  trial->end = SCENE_REFUSED;
  if (status == PC_OK && scene.bodies > MOST_BODIES) {
    pc_scene_free(&scene);
  } else if (status == PC_OK) {
    if (scene.step > 0 && scene.duration > 10 * scene.step)
      scene.duration = 10 * scene.step;
    pc_run_options options = {.threads = threads};
    status = pc_run_scene(&scene, &options, summary, &error);
    trial->end = status == PC_OK ? SCENE_STEPPED : SCENE_FAILED;
    pc_scene_free(&scene);
  }
  snprintf(trial->message, sizeof trial->message, "%s", error.text);
  return status;
}

// Where inertia is neglected, kinetic energy has no balance.
static bool balance_free(const char *text)
{
  return strstr(text, "quasi_static: true") != NULL;
}

scene_trial scene_step(const char *name, const char *text, bool twice)
{
  scene_trial trial = {.fault = NULL}, other = trial;
  pc_run_summary summary = {0}, again = {0};
  pc_status status = run(name, text, 1, &summary, &trial);
  if (status != PC_OK && trial.message[0] == 0)
    trial.fault = "it is refused without a message";
  else if (trial.end == SCENE_STEPPED && !is_finite_summary(&summary))
    trial.fault = "a number is not finite";
  else if (trial.end == SCENE_STEPPED && summary.steps_open == 0 && !balance_free(text) &&
           summary.drift > 1e-6)
    trial.fault = "the energy balance is not closed, and the summary does not say so";
  else if (twice && (run(name, text, 2, &again, &other) != status || again.state != summary.state))
    trial.fault = "on two threads it is another run";
  return trial;
}
