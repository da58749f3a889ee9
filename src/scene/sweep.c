#include "scene/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/elementary.h"
#include "core/plain.h"
#include "core/written.h"
#include "scene/curves.h"
#include "scene/names.h"
#include "scene/paths.h"

enum { MOST_MEMBERS = 1000000, MOST_NODES = 200, PART = 64 };

typedef struct sweep_file {
  pc_node key, values;
  double from, to;
  int count;
  enum { EVEN, RATIO } spacing;
  const char *label;
} sweep_file;
static const pc_key sweep_keys[] = {
    {PC_KEY(sweep_file, key), PC_A_TEXT | PC_NAMES, true, .count = {1, 1000},
     .meaning =
         "path of the key to vary, such as `people.guest.speed` or `bodies.0.velocity.2`: keys, "
         "and names or indices (from 0) of list entries; all paths of a list take the same value"},
    {PC_KEY(sweep_file, values), PC_VALUES, .left_out = "given by `from`, `to` and `count`",
     .meaning = "values of the key"},
    {PC_KEY(sweep_file, from), PC_A_NUMBER, .meaning = "first of evenly spaced numbers"},
    {PC_KEY(sweep_file, to), PC_A_NUMBER, .with = "from", .meaning = "last number"},
    {PC_KEY(sweep_file, count), PC_AN_INTEGER, .with = "from", PC_FROM(2, 1e6),
     .meaning = "number of values"},
    {PC_KEY(sweep_file, spacing), PC_A_WORD, .with = "from",
     .words = PC_WORDS({"even", EVEN}, {"ratio", RATIO}), .noun = "spacing", .otherwise = "even",
     .meaning = "`even`: equal steps; `ratio`: equal ratios, which needs numbers of the same sign "
                "and gives curves a logarithmic axis if they are positive"},
    {PC_KEY(sweep_file, label), PC_A_TEXT, .left_out = "the key",
     .meaning = "name with unit in tables and on axes, such as `speed [m/s]`"},
    {0}};

static const pc_mapping sweep_mapping = {"sweep", "an entry of 'sweep'",
                                         "A key of the scene and the values to give it.",
                                         .keys = {sweep_keys}};

typedef struct runs_file {
  int runs;
  pc_node sweep, curves;
} runs_file;
#define SWEEP_KEYS                                                                                 \
  {PC_KEY(runs_file, sweep), PC_A_LIST, .mapping = &sweep_mapping, .otherwise = "[]",              \
   .meaning = "keys to vary; all combinations of their values are run"},                           \
  {                                                                                                \
    PC_KEY(runs_file, curves), PC_A_LIST,                                                          \
        .mapping = &pc_table_curve, .otherwise = "[]",                                             \
        .meaning = "pictures of results over the sweep or over time"                               \
  }
const pc_key pc_keys_of_runs[] = {
    {PC_KEY(runs_file, runs), PC_AN_INTEGER, PC_FROM(1, 1e6), .otherwise = "1",
     .meaning =
         "number of runs, with the seeds `seed`, `seed` + 1, …; for each combination of `sweep`"},
    SWEEP_KEYS,
    {0}};
const pc_key pc_keys_of_sweeps[] = {SWEEP_KEYS, {0}};

// A path into the scene: its parts are separated by dots.
typedef struct path {
  pc_node node; // where it is written
  const char *text, *rest;
  char part[PART];
} path;

// The next part; false at the end, or after a complaint.
static bool next_part(path *p)
{
  size_t length = strcspn(p->rest, ".");
  if (p->rest > p->text && p->rest[-1] != '.')
    return false;
  if (length == 0 || length >= PART) {
    pc_complain(p->node, "'%s' is not a path: write keys, names and indices separated by dots",
                pc_node_text(p->node).text);
    return false;
  }
  snprintf(p->part, sizeof p->part, "%.*s", (int)length, p->rest);
  p->rest += length + (p->rest[length] == '.');
  return true;
}

static bool is_last(const path *p)
{
  return *p->rest == 0 && p->rest[-1] != '.';
}

// The path up to the part before this one, for messages.
static pc_text before(const path *p)
{
  pc_text text = {""};
  size_t length = (size_t)(p->rest - p->text) - strlen(p->part) - (is_last(p) ? 0 : 1);
  pc_text_clean(text.text, sizeof text.text, p->text, length > 0 ? length - 1 : 0);
  return text;
}

static bool is_called(pc_node item, const char *key, const char *name)
{
  pc_node own = pc_is_mapping(item) ? pc_get(item, key) : (pc_node){0};
  return pc_is_present(own) && !pc_is_sequence(own) && !pc_is_mapping(own) &&
         strcmp(pc_read_string(own), name) == 0;
}

// The number of the entry that this part means, or -1 after a complaint.
static int find_entry(const path *p, pc_node list, int count)
{
  if (strspn(p->part, "0123456789") == strlen(p->part)) {
    long number = strtol(p->part, NULL, 10);
    if (number < count)
      return (int)number;
    pc_complain(p->node, "'%s': there is no such entry; '%s' has %d entr%s, counted from 0",
                pc_node_text(p->node).text, before(p).text, count, count == 1 ? "y" : "ies");
    return -1;
  }
  for (int i = 0; i < count; i++) {
    if (is_called(pc_item(list, i), "name", p->part) || is_called(pc_item(list, i), "id", p->part))
      return i;
  }
  pc_complain(p->node, "'%s': no entry of '%s' is called '%s'", pc_node_text(p->node).text,
              before(p).text, p->part);
  return -1;
}

// The root that has a key: of this file or of one it is based on.
static pc_node root_with(pc_node root, const char *key)
{
  for (pc_node at = root; pc_is_present(at); at = pc_node_behind(at))
    for (int i = 0; i < pc_read_pairs(at, "a scene"); i++)
      if (strcmp(pc_read_string(pc_pair_key(at, i)), key) == 0)
        return at;
  return root;
}

// A place in the document: an entry of a list, or a key of a mapping.
typedef struct place {
  pc_node at;
  int entry; // -1: of a mapping
  char key[PART];
} place;

// The place of one part of the path below `at`; false after a complaint.
static bool go_down(const path *p, pc_node at, place *found)
{
  bool mapping = pc_is_mapping(at);
  *found = (place){.at = at, .entry = -1};
  if (mapping) {
    strcpy(found->key, p->part);
    return true;
  }
  if (!pc_is_sequence(at)) {
    pc_complain(p->node, "'%s': '%s' is %s, which has no '%s'", pc_node_text(p->node).text,
                before(p).text, pc_node_text(at).text, p->part);
    return false;
  }
  found->entry = find_entry(p, at, pc_read_list(at, "a list"));
  return found->entry >= 0;
}

static void put(const place *there, pc_node value, pc_node key)
{
  if (!pc_put(there->at, there->entry < 0 ? there->key : NULL, there->entry, value, key))
    pc_complain(key, "out of memory");
}

// The value at a place. A key that a mapping lacks is added as an empty mapping, which defaults
// fill.
static pc_node stands_at(const place *there, pc_node key)
{
  if (there->entry >= 0)
    return pc_item(there->at, there->entry);
  if (!pc_is_present(pc_get(there->at, there->key)))
    put(there, (pc_node){.document = there->at.document}, key);
  return pc_get(there->at, there->key);
}

// Places on paths, the last of each path at its end.
typedef PC_ARRAY(place) trail;

// Adds the places of a path; those of its key are from `count` on. False after a complaint.
static bool follow(pc_node root, pc_node key, trail *t)
{
  path p = {.node = key, .text = pc_read_string(key)};
  p.rest = p.text;
  for (bool first = true; !pc_failed(root) && next_part(&p); first = false) {
    if (first && pc_word_is_in("kind base runs sweep curves", p.part)) {
      pc_complain(key, "'%s' cannot be swept", p.part);
      return false;
    }
    pc_node at = first ? root_with(root, p.part) : stands_at(&t->at[t->count - 1], key);
    place *step = pc_array_add(t);
    if (step == NULL)
      pc_complain(key, "out of memory");
    if (step == NULL || !go_down(&p, at, step))
      return false;
  }
  return !pc_failed(root);
}

// `left` nodes may follow: a list may hold itself.
static void print_node(FILE *to, pc_node node, int *left)
{
  bool list = pc_is_sequence(node), mapping = pc_is_mapping(node);
  if (--*left < 0) {
    fputs("...", to);
    return;
  }
  if (!list && !mapping) {
    pc_text text = pc_node_text(node);
    fputs(pc_is_null(node) ? "null" : text.text, to);
    return;
  }
  int count = list ? pc_read_list(node, "a list") : pc_read_pairs(node, "a mapping");
  fputc(list ? '[' : '{', to);
  for (int i = 0; i < count && *left >= 0; i++) {
    if (i > 0)
      fputs(", ", to);
    if (mapping)
      fprintf(to, "%s: ", pc_node_text(pc_pair_key(node, i)).text);
    print_node(to, list ? pc_item(node, i) : pc_pair_value(node, i), left);
  }
  fputc(list ? ']' : '}', to);
}

static char *write_node(pc_node node)
{
  pc_written written;
  if (!pc_written_begin(&written))
    return NULL;
  int left = MOST_NODES;
  print_node(written.to, node, &left);
  return pc_written_end(&written);
}

// Notes all files that a value names, at any depth.
static void note_files(pc_node node, int *left)
{
  bool list = pc_is_sequence(node), mapping = pc_is_mapping(node);
  if (--*left < 0)
    return;
  if (!list && !mapping) {
    if (!pc_is_null(node))
      pc_scene_note_file(node);
    return;
  }
  int count = list ? pc_read_list(node, "a list") : pc_read_pairs(node, "a mapping");
  for (int i = 0; i < count && *left >= 0; i++)
    note_files(list ? pc_item(node, i) : pc_pair_value(node, i), left);
}

// The paths of an entry: one, or those of a list.
static int count_paths(pc_node key)
{
  return pc_is_sequence(key) ? pc_read_list(key, "'key'") : 1;
}

static pc_node path_of(pc_node key, int i)
{
  return pc_is_sequence(key) ? pc_item(key, i) : key;
}

static char *write_paths(pc_node key)
{
  pc_written written;
  if (!pc_written_begin(&written))
    return NULL;
  for (int i = 0; i < count_paths(key); i++)
    fprintf(written.to, "%s%s", i > 0 ? ", " : "", pc_read_name(path_of(key, i)));
  return pc_written_end(&written);
}

// Number i of a range, with as many digits as one would write.
static char *write_number(const sweep_file *file, int i)
{
  char text[40];
  double part = (double)i / (file->count - 1);
  double value = file->spacing == RATIO ? file->from * pc_pow(file->to / file->from, part)
                                        : file->from + part * (file->to - file->from);
  pc_print(text, sizeof text, "%.12g", i == 0 ? file->from : part == 1 ? file->to : value);
  return strdup(text);
}

// How many values an entry has; 0 after a complaint.
static int count_values(pc_node entry, const sweep_file *file)
{
  bool listed = pc_is_present(file->values), range = PC_GIVEN(entry, sweep_file, from);
  if (listed == range)
    pc_complain(pc_at(file->values, entry),
                "an entry of 'sweep' needs either 'values', or 'from', 'to' and 'count'");
  else if (range && !(PC_GIVEN(entry, sweep_file, to) && PC_GIVEN(entry, sweep_file, count)))
    pc_complain(PC_NODE(entry, sweep_file, from), "'from' requires 'to' and 'count'");
  else if (range && file->spacing == RATIO && !(file->from * file->to > 0))
    pc_complain(PC_NODE(entry, sweep_file, from),
                "equal ratios from %g to %g do not exist: both must be positive, or both negative",
                file->from, file->to);
  int count = listed ? pc_read_list(file->values, "'values'") : file->count;
  if (!pc_failed(entry) && count == 0)
    pc_complain(file->values, "'values' is empty");
  return pc_failed(entry) ? 0 : count;
}

static void read_entry(pc_scene_plan *plan, pc_node entry)
{
  sweep_file file = {.label = NULL};
  if (!pc_bind(&entry, &sweep_mapping, &file))
    return;
  char *key = write_paths(file.key);
  int count = count_values(entry, &file);
  if (pc_failed(entry)) {
    free(key);
    return;
  }
  pc_scene_sweep *sweep = &plan->sweep[plan->sweeps++];
  sweep->key = key;
  sweep->label = file.label != NULL ? strdup(file.label) : key != NULL ? strdup(key) : NULL;
  sweep->ratio = !pc_is_present(file.values) && file.spacing == RATIO && file.from > 0;
  sweep->values = calloc((size_t)count, sizeof *sweep->values);
  bool whole = sweep->key != NULL && sweep->label != NULL && sweep->values != NULL;
  for (int i = 0; i < count && whole; i++) {
    sweep->values[i] =
        pc_is_present(file.values) ? write_node(pc_item(file.values, i)) : write_number(&file, i);
    whole = sweep->values[i] != NULL;
    sweep->count += whole;
  }
  if (!whole)
    pc_complain(entry, "out of memory");
}

static void read_plan(pc_scene_plan *plan, pc_node root, const runs_file *file)
{
  plan->runs = file->runs;
  int count = pc_is_present(file->sweep) ? pc_read_list(file->sweep, "'sweep'") : 0;
  plan->sweep = pc_allocate(root, count, sizeof *plan->sweep);
  double members = plan->runs;
  plan->combinations = 1;
  for (int i = 0; i < count && !pc_failed(root); i++) {
    read_entry(plan, pc_item(file->sweep, i));
    members *= pc_failed(root) ? 1 : plan->sweep[i].count;
    if (!pc_failed(root) && members > MOST_MEMBERS)
      pc_complain(file->sweep, "too many runs: at most %d are allowed", MOST_MEMBERS);
    if (!pc_failed(root))
      plan->combinations *= plan->sweep[i].count;
  }
  plan->members = plan->combinations * plan->runs;
}

// The changes that this run makes to the file, one per line.
static char *write_changes(const pc_scene *scene, int combination)
{
  const pc_scene_plan *plan = &scene->plan;
  pc_written changes;
  if (!pc_written_begin(&changes))
    return NULL;
  fprintf(changes.to, "seed: %llu\n", (unsigned long long)scene->seed);
  for (int i = 0; i < plan->sweeps; i++)
    fprintf(changes.to, "%s: %s\n", plan->sweep[i].key,
            plan->sweep[i].values[pc_scene_plan_value(plan, combination, i)]);
  return pc_written_end(&changes);
}

// The paths of all keys so far: where each is written, and the end of its places in the trail.
typedef struct path_end {
  pc_node key;
  int end;
} path_end;
typedef struct paths {
  trail places;
  PC_ARRAY(path_end) ends;
} paths;

// Complains if the last place is on the path of an earlier key.
static void check_alone(const paths *all)
{
  const place *there = &all->places.at[all->places.count - 1];
  for (int p = 0, k = 0; p < all->ends.count; p++)
    for (; k < all->ends.at[p].end; k++) {
      const place *at = &all->places.at[k];
      pc_node other = all->ends.at[p].key;
      if (there->at.document == at->at.document && there->at.index == at->at.index &&
          there->entry == at->entry && strcmp(there->key, at->key) == 0)
        pc_complain(other, "'%s' is swept twice: another swept key is the same or contains it",
                    pc_node_text(other).text);
    }
}

// Puts a value at the end of a path: one of the file, or a number of a range, as text.
static void put_value(paths *all, pc_node file, pc_node key, pc_node value, const char *text)
{
  if (!follow(file, key, &all->places))
    return;
  check_alone(all);
  path_end *mine = pc_array_add(&all->ends);
  if (mine == NULL)
    pc_complain(key, "out of memory");
  if (pc_failed(file))
    return;
  *mine = (path_end){key, all->places.count};
  const place *there = &all->places.at[all->places.count - 1];
  if (pc_is_present(value))
    put(there, value, key);
  else if (!pc_put_text(there->at, there->entry < 0 ? there->key : NULL, there->entry, text, key))
    pc_complain(key, "out of memory");
}

// Puts the values of a combination into the file, one after the other: the path of a key may lead
// into a value that an earlier key has put there. A key must not replace the value of an earlier
// one, or what contains it: tables of results would then name a value that was not used.
static void put_values(const pc_scene_plan *plan, pc_node file, pc_node list, int combination)
{
  paths all = {0};
  for (int i = 0; i < plan->sweeps && !pc_failed(file); i++) {
    pc_node entry = pc_item(list, i), key = pc_get(entry, "key"), values = pc_get(entry, "values");
    int chosen = pc_scene_plan_value(plan, combination, i);
    for (int k = 0; k < count_paths(key) && !pc_failed(file); k++)
      put_value(&all, file, path_of(key, k),
                pc_is_present(values) ? pc_item(values, chosen)
                                      : (pc_node){.document = file.document},
                plan->sweep[i].values[chosen]);
  }
  pc_array_free(&all.places);
  pc_array_free(&all.ends);
}

// Collisions have a sweep alone.
static bool has_runs(const pc_mapping *mapping)
{
  bool found = false;
  for (int i = 0; i < PC_COUNT(mapping->keys) && mapping->keys[i] != NULL; i++)
    found = found || mapping->keys[i] == pc_keys_of_runs;
  return found;
}

void pc_scene_choose_run(pc_scene *scene, pc_node root, const pc_mapping *mapping)
{
  pc_scene_plan *plan = &scene->plan;
  pc_node file = root; // which has any keys
  runs_file runs = {.runs = 1};
  pc_seed_file draws = {.seed = 1};
  root.mapping = mapping;
  PC_BIND(&root, mapping, runs_file, &runs);
  read_plan(plan, root, &runs);
  pc_read_curves(plan, runs.curves, has_runs(mapping));
  if (!pc_failed(root) && (scene->member < 1 || scene->member > plan->members))
    pc_complain(root, "there is no run %d: the scene has %d", scene->member, plan->members);
  if (pc_failed(root))
    return;
  // The first run stands for all when they are resumed: it notes the files that any of them reads.
  for (int i = 0; i < plan->sweeps && scene->member == 1; i++) {
    int left = MOST_NODES * plan->sweep[i].count;
    pc_node values = pc_get(pc_item(runs.sweep, i), "values");
    if (pc_is_present(values))
      note_files(values, &left);
  }
  int combination = (scene->member - 1) / plan->runs, run = (scene->member - 1) % plan->runs;
  put_values(plan, file, runs.sweep, combination);
  PC_BIND(&root, mapping, pc_seed_file, &draws); // which may be swept
  scene->seed = (uint64_t)draws.seed + (uint64_t)run;
  if (pc_failed(root) || (plan->members == 1 && plan->sweeps == 0))
    return;
  scene->changes = write_changes(scene, combination);
  if (scene->changes == NULL)
    pc_complain(root, "out of memory");
}
