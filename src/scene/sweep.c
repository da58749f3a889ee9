#include "scene/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/written.h"
#include "scene/names.h"
#include "scene/paths.h"

enum { MOST_MEMBERS = 1000000, MOST_NODES = 200, PART = 64 };

typedef struct sweep_file {
  const char *key;
  pc_node values;
} sweep_file;
static const pc_key sweep_keys[] = {
    {PC_KEY(sweep_file, key), PC_A_TEXT, true,
     .meaning = "a path into the scene, as `people.guest.speed` or `bodies.0.velocity.2`: keys, "
                "numbers of list entries from 0, or their names"},
    {PC_KEY(sweep_file, values), PC_VALUES, true, .meaning = "the values it takes in turn"},
    {0}};

static const pc_mapping sweep_mapping = {"sweep", "an entry of 'sweep'",
                                         "A key of the scene, and the values it takes.",
                                         .keys = {sweep_keys}};

typedef struct runs_file {
  int runs;
  pc_node sweep;
} runs_file;
const pc_key pc_keys_of_runs[] = {
    {PC_KEY(runs_file, runs), PC_AN_INTEGER, PC_FROM(1, 1e6), .otherwise = "1",
     .meaning =
         "number of runs, with the seeds `seed`, `seed` + 1, …; for each combination of `sweep`"},
    {PC_KEY(runs_file, sweep), PC_A_LIST, .mapping = &sweep_mapping, .otherwise = "[]",
     .meaning = "keys that take several values; all combinations are run"},
    {0}};

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
    pc_complain(p->node, "'%s' is not a path: keys, names and numbers with dots between them",
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

// The number of the entry that this part means, or -1 after a complaint.
static int find_entry(const path *p, pc_node list, int count)
{
  if (strspn(p->part, "0123456789") == strlen(p->part)) {
    long number = strtol(p->part, NULL, 10);
    if (number < count)
      return (int)number;
    pc_complain(p->node, "'%s': '%s' has %d entr%s, counted from 0", pc_node_text(p->node).text,
                before(p).text, count, count == 1 ? "y" : "ies");
    return -1;
  }
  for (int i = 0; i < count; i++) {
    pc_node item = pc_item(list, i), name = pc_get(item, "name");
    if (pc_is_mapping(item) && pc_is_present(name) && !pc_is_sequence(name) &&
        !pc_is_mapping(name) && strcmp(pc_read_string(name), p->part) == 0)
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

// The places on the paths of all keys so far, the last of each path at its end.
typedef PC_ARRAY(place) trail;

// Adds the places of a path; those of its key are from `count` on. False after a complaint.
static bool follow(pc_node root, pc_node key, trail *t)
{
  path p = {.node = key, .text = pc_read_string(key)};
  p.rest = p.text;
  for (bool first = true; !pc_failed(root) && next_part(&p); first = false) {
    if (first && pc_word_is_in("kind base runs sweep", p.part)) {
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

static void read_entry(pc_scene_plan *plan, pc_node entry)
{
  sweep_file file;
  if (!pc_bind(&entry, &sweep_mapping, &file))
    return;
  pc_read_name(PC_NODE(entry, sweep_file, key));
  int count = pc_read_list(file.values, "'values'");
  if (!pc_failed(entry) && count == 0)
    pc_complain(file.values, "'values' is empty");
  if (pc_failed(entry))
    return;
  pc_scene_sweep *sweep = &plan->sweep[plan->sweeps++];
  sweep->key = strdup(file.key);
  sweep->values = calloc((size_t)count, sizeof *sweep->values);
  bool whole = sweep->key != NULL && sweep->values != NULL;
  for (int i = 0; i < count && whole; i++) {
    sweep->values[i] = write_node(pc_item(file.values, i));
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
      pc_complain(file->sweep, "these are more than %d runs", MOST_MEMBERS);
    if (!pc_failed(root))
      plan->combinations *= plan->sweep[i].count;
  }
  plan->members = plan->combinations * plan->runs;
}

int pc_scene_plan_value(const pc_scene_plan *plan, int combination, int sweep)
{
  for (int i = plan->sweeps - 1; i > sweep; i--)
    combination /= plan->sweep[i].count;
  return combination % plan->sweep[sweep].count;
}

void pc_scene_plan_free(pc_scene_plan *plan)
{
  for (int i = 0; i < plan->sweeps; i++) {
    pc_names_release(plan->sweep[i].values, plan->sweep[i].count);
    free(plan->sweep[i].key);
  }
  free(plan->sweep);
  *plan = (pc_scene_plan){0};
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

// Puts the values of a combination into the file, one after the other: the path of a key may lead
// into a value that an earlier key has put there. A key must not replace the value of an earlier
// one, or what contains it: tables of results would then name a value that was not used.
static void put_values(const pc_scene_plan *plan, pc_node file, pc_node list, int combination)
{
  trail t = {0};
  int *end = pc_allocate(file, plan->sweeps, sizeof *end); // of the paths before this one
  for (int i = 0; i < plan->sweeps && !pc_failed(file); i++) {
    pc_node entry = pc_item(list, i), key = pc_get(entry, "key");
    if (!follow(file, key, &t))
      break;
    end[i + 1] = t.count;
    const place *there = &t.at[t.count - 1];
    for (int k = 0, before_it = 0; k < end[i]; k++) {
      before_it += k >= end[before_it + 1];
      pc_node other = pc_get(pc_item(list, before_it), "key");
      const place *at = &t.at[k];
      if (there->at.document == at->at.document && there->at.index == at->at.index &&
          there->entry == at->entry && strcmp(there->key, at->key) == 0)
        pc_complain(other, "'%s' is swept twice: another key of the sweep replaces it",
                    pc_node_text(other).text);
    }
    int chosen = pc_scene_plan_value(plan, combination, i);
    if (!pc_failed(file))
      put(there, pc_item(pc_get(entry, "values"), chosen), key);
  }
  free(end);
  pc_array_free(&t);
}

void pc_scene_choose_run(pc_scene *scene, pc_node root, const pc_mapping *mapping)
{
  pc_scene_plan *plan = &scene->plan;
  pc_node file = root; // which has any keys
  runs_file runs = {0};
  pc_seed_file draws = {.seed = 1};
  root.mapping = mapping;
  PC_BIND(&root, mapping, runs_file, &runs);
  read_plan(plan, root, &runs);
  if (!pc_failed(root) && (scene->member < 1 || scene->member > plan->members))
    pc_complain(root, "there is no run %d: the scene has %d", scene->member, plan->members);
  if (pc_failed(root))
    return;
  // The first run stands for all when they are resumed: it notes the files that any of them reads.
  for (int i = 0; i < plan->sweeps && scene->member == 1; i++) {
    int left = MOST_NODES * plan->sweep[i].count;
    note_files(pc_get(pc_item(runs.sweep, i), "values"), &left);
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
