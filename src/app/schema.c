// percuss schema: what scene files may say, from the tables that their readers use; as text, as the
// page docs/scene-reference.md, or as a JSON Schema.
#include "app/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "scene/text.h"

enum { WIDTH = 96, INDENT = 18, LINE_SIZE = 1200, CELLS_SIZE = 2000 };

typedef struct phrase {
  char text[LINE_SIZE];
  bool links; // mappings are links of Markdown
} phrase;

__attribute__((format(printf, 2, 3))) static void add(phrase *p, const char *format, ...);

static void add(phrase *p, const char *format, ...)
{
  size_t used = strlen(p->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->text + used, sizeof p->text - used, format, arguments);
  va_end(arguments);
}

static void add_range(phrase *p, const pc_limits *range)
{
  if (range->kind == PC_ABOVE)
    add(p, " > %.10g", range->low);
  if (range->kind == PC_AT_LEAST)
    add(p, " >= %.10g", range->low);
  if (range->kind == PC_BETWEEN)
    add(p, " from %.10g to %.10g", range->low, range->high);
  if (range->infinite)
    add(p, " or inf");
}

// "3 numbers", "1 to 3 numbers".
static void add_count(phrase *p, const int *count, const char *what)
{
  if (count[0] == count[1])
    add(p, "%d %s", count[0], what);
  else if (count[1] == PC_MANY)
    add(p, "%d or more %s", count[0], what);
  else
    add(p, "%d %s %d %s", count[0], count[1] == count[0] + 1 ? "or" : "to", count[1], what);
}

static void add_words(phrase *p, const pc_word *words)
{
  for (const pc_word *at = words; at->word != NULL; at++)
    add(p, "%s`%s`", at > words ? ", " : "", at->word);
}

static void add_mappings(phrase *p, const pc_key *key)
{
  for (int i = 0; pc_key_mapping(key, i) != NULL; i++) {
    const char *id = pc_key_mapping(key, i)->id;
    add(p, p->links ? "%s[%s](#%s)" : "%s%s", i > 0 ? ", " : "", id, id);
  }
}

// Forms that one word or phrase says, with the range of the key behind numbers.
static const struct {
  int form;
  const char *text;
  bool ranged;
} plain_forms[] = {{PC_A_NUMBER, "number", true},
                   {PC_AN_INTEGER, "whole number", true},
                   {PC_A_BOOLEAN, "`true` or `false`", false},
                   {PC_A_TEXT, "text", false},
                   {PC_A_NAME, "name", false},
                   {PC_A_FILE, "file", false},
                   {PC_A_SPIN, "spin", true},
                   {PC_INTEGERS, "vector of whole numbers", true},
                   {PC_FILES, "list of files", false},
                   {PC_GAPS, "null: a missing value", false},
                   {PC_NOTHING, "nothing", false},
                   {PC_VALUES, "list of values allowed for the key", false}};

static void add_form(phrase *p, const pc_key *key, int form)
{
  bool dimension = key->count[0] == 0;
  for (size_t i = 0; i < sizeof plain_forms / sizeof *plain_forms; i++)
    if (form == plain_forms[i].form) {
      add(p, "%s", plain_forms[i].text);
      if (plain_forms[i].ranged)
        add_range(p, &key->range);
      return;
    }
  switch (form) {
  case PC_A_WORD:
    add_words(p, key->words);
    break;
  case PC_NUMBERS:
  case PC_LENGTHS:
    if (dimension)
      add(p, "vector");
    else
      add_count(p, key->count, "numbers");
    add_range(p, &key->range);
    if (form == PC_NUMBERS)
      break;
    add(p, ", each may be ");
    add_mappings(p, key);
    break;
  case PC_POINTS:
    add(p, dimension ? "list of vectors" : "list of ");
    if (!dimension)
      add_count(p, key->count, "numbers");
    break;
  case PC_NAMES:
    add_count(p, key->count, "names");
    break;
  case PC_A_MAPPING:
    add_mappings(p, key);
    break;
  case PC_A_LIST:
    add(p, "list of ");
    add_mappings(p, key);
    if (key->forms & PC_A_NAME)
      add(p, " and names");
    break;
  }
}

static void add_type(phrase *p, const pc_key *key)
{
  bool first = true;
  if (key->forms & PC_PAIRS)
    add(p, "names: ");
  for (int bit = 0; bit < 31; bit++) {
    int form = 1 << bit;
    if ((key->forms & form) == 0 || form == PC_PAIRS)
      continue;
    add(p, "%s", first ? "" : form == PC_GAPS ? ", " : " or ");
    add_form(p, key, form);
    first = false;
  }
}

// Words from `column` on, in lines that are not longer than WIDTH. Marks of Markdown are left out.
static int print_words(const char *text, int column)
{
  while (*text != 0) {
    size_t length = strcspn(text, " "), columns = 0;
    for (size_t i = 0; i < length; i++)
      columns += text[i] != '`' && ((unsigned char)text[i] & 0xc0) != 0x80;
    if (column + (int)columns > WIDTH && column > INDENT)
      column = printf("\n%*s", INDENT, "") - 1;
    for (size_t i = 0; i < length; i++)
      if (text[i] != '`')
        putchar(text[i]);
    column += (int)columns;
    text += length;
    if (*text == ' ')
      putchar(*text++), column++;
  }
  return column;
}

static void print_key(const pc_key *key)
{
  phrase p = {.links = false};
  add_type(&p, key);
  if (key->unit != NULL)
    add(&p, ", %s", key->unit);
  if (key->required)
    add(&p, "; required");
  if (key->otherwise != NULL)
    add(&p, "; default %s", key->otherwise);
  if (key->left_out != NULL) // a default in words, or when the key is required
    add(&p, schema_may_be_required(key) ? "; %s" : "; default: %s", key->left_out);
  int column = printf("  %-*s", INDENT - 2, key->name);
  print_words(p.text, column);
  printf("\n%*s", INDENT, "");
  print_words(key->meaning, INDENT);
  putchar('\n');
}

static void print_mapping(const pc_mapping *mapping)
{
  print_words(mapping->id, 0);
  printf(": ");
  print_words(mapping->meaning, (int)strlen(mapping->id) + 2);
  printf("\n\n");
  for (int i = 0; pc_mapping_key(mapping, i) != NULL; i++)
    print_key(pc_mapping_key(mapping, i));
}

static void print_list(const schema_list *list)
{
  for (int i = 0; i < list->count; i++) {
    if (i > 0)
      putchar('\n');
    print_mapping(list->at[i]);
  }
}

static const char page_head[] =
    "# Reference of scene files\n"
    "\n"
    "Written by `percuss schema --markdown` from the tables that the program reads files with; "
    "`make docs` makes it\n"
    "anew. What it all means, with examples, is in [scene-format.md](scene-format.md) for scenes "
    "in "
    "motion and in\n"
    "[scenes/README.md](../scenes/README.md) for single collisions. `percuss schema NAME` prints a "
    "part of it.\n"
    "\n"
    "A *vector* is a list of three numbers, in the plane of two. A *spin* is a list of three "
    "numbers, in the plane one\n"
    "number. Units are SI. A *file* is looked for beside the scene. Defaults are those of space.\n"
    "\n"
    "For editors: `percuss schema --json > percuss.schema.json`, and the first line of a scene\n"
    "\n"
    "    # yaml-language-server: $schema=percuss.schema.json\n"
    "\n"
    "makes those that use the YAML language server complete keys, check values and show "
    "meanings.\n";

static void print_row(const pc_key *key)
{
  phrase type = {.links = true}, otherwise = {.links = true};
  add_type(&type, key);
  if (key->required)
    add(&otherwise, "**required**");
  else if (key->otherwise != NULL)
    add(&otherwise, "`%s`", key->otherwise);
  else if (key->left_out != NULL)
    add(&otherwise, "%s", key->left_out);
  printf("| `%s` | %s | %s | %s | %s |\n", key->name, type.text, key->unit != NULL ? key->unit : "",
         otherwise.text, key->meaning);
}

// Links to the mappings from number `first` on, in lines of the page.
static void print_index(const schema_list *list, int first)
{
  int column = 0;
  printf("\n[%s](#%s):\n", list->at[first]->id, list->at[first]->id);
  for (int i = first + 1; i < list->count; i++) {
    column +=
        printf("[%s](#%s)%s", list->at[i]->id, list->at[i]->id, i + 1 < list->count ? "," : "");
    bool full = column > WIDTH || i + 1 == list->count;
    putchar(full ? '\n' : ' ');
    column = full ? 0 : column + 1;
  }
}

// Scenes in motion, which come last in the list of kinds, are what most readers look for.
static void print_page(const pc_mapping *const *kinds, int count)
{
  schema_list list = {.count = 0};
  printf("%s", page_head);
  for (int k = 0; k < count; k++) {
    int first = list.count;
    schema_gather(&list, kinds[(k + count - 1) % count]);
    print_index(&list, first);
  }
  list.count = 0;
  for (int k = 0; k < count; k++) {
    int first = list.count;
    schema_gather(&list, kinds[(k + count - 1) % count]);
    for (int i = first; i < list.count; i++) {
      const pc_mapping *mapping = list.at[i];
      if (i == first)
        printf("\n## %s\n\n", mapping->id);
      else
        printf("\n### %s\n\n", mapping->id);
      printf("%s\n\n| key | value | unit | default | |\n|---|---|---|---|---|\n", mapping->meaning);
      for (int n = 0; pc_mapping_key(mapping, n) != NULL; n++)
        print_row(pc_mapping_key(mapping, n));
    }
  }
}

typedef struct schema_options {
  bool json, markdown;
} schema_options;

static const app_option options[] = {
    {"--json", NULL, offsetof(schema_options, json),
     "print a JSON Schema (draft 2020-12), with which editors complete and check scenes; NAME must "
     "be a kind of file"},
    {"--markdown", NULL, offsetof(schema_options, markdown),
     "print the page docs/scene-reference.md"},
    {NULL, NULL, 0, NULL},
};

static int complain_of(const char *what, const char *wrong, const char *words)
{
  char hint[60], list[250];
  pc_word_describe(words, wrong, hint, sizeof hint, list, sizeof list);
  return app_complain("percuss schema: no %s '%.60s'%s (known: %s)", what, wrong, hint, list);
}

static const pc_mapping *find_mapping(const schema_list *list, const char *id)
{
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->at[i]->id, id) == 0)
      return list->at[i];
  return NULL;
}

// The keys of this name of all these mappings; then the list is what they hold.
static bool follow(schema_list *list, const char *name, bool print)
{
  schema_list next = {.count = 0};
  bool found = false;
  for (int i = 0; i < list->count; i++) {
    const pc_key *key = pc_mapping_find(list->at[i], name, strlen(name));
    if (key == NULL)
      continue;
    if (print && !found)
      print_key(key);
    found = true;
    for (int k = 0; pc_key_mapping(key, k) != NULL && next.count < SCHEMA_MAPPINGS; k++)
      if (find_mapping(&next, pc_key_mapping(key, k)->id) == NULL)
        next.at[next.count++] = pc_key_mapping(key, k);
  }
  *list = next;
  return found;
}

static int print_path(const pc_mapping *from, int keys, char **key)
{
  schema_list list = {.at = {from}, .count = 1};
  for (int i = 0; i < keys; i++) {
    char words[CELLS_SIZE];
    list.at[list.count] = NULL;
    pc_variant_keys(list.at, words, sizeof words);
    if (!pc_word_is_in(words, key[i]))
      return complain_of("key", key[i], words);
    follow(&list, key[i], i + 1 == keys);
  }
  if (keys > 0 && list.count > 0)
    putchar('\n');
  print_list(&list);
  return APP_OK;
}

static int schema(const void *given, int names, char **argv)
{
  const schema_options *o = given;
  bool as_json = o->json, as_page = o->markdown;
  if (as_json && as_page)
    return app_complain("percuss schema: choose either --json or --markdown");
  schema_list all = {.count = 0};
  int kinds = 0;
  for (; pc_schema_kinds[kinds] != NULL; kinds++)
    schema_gather(&all, pc_schema_kinds[kinds]);
  const pc_mapping *from = names > 0 ? find_mapping(&all, argv[0]) : NULL;
  bool is_kind = false;
  for (int k = 0; k < kinds; k++)
    is_kind = is_kind || pc_schema_kinds[k] == from;
  if (names > 0 && (from == NULL || ((as_json || as_page) && !is_kind))) {
    char words[CELLS_SIZE];
    pc_variant_words(pc_schema_kinds, "kind", words, sizeof words);
    for (int i = 0; i < all.count && !as_json && !as_page; i++)
      if (!pc_word_is_in(words, all.at[i]->id))
        snprintf(words + strlen(words), sizeof words - strlen(words), " %s", all.at[i]->id);
    return complain_of(as_json || as_page ? "kind of file" : "kind or mapping", argv[0], words);
  }
  if ((as_json || as_page) && names > 1)
    return app_complain("percuss schema: --json and --markdown take no KEY");
  const pc_mapping *const *chosen = from != NULL ? &from : pc_schema_kinds;
  int count = from != NULL ? 1 : kinds;
  if (as_json) {
    schema_print_json(chosen, count);
  } else if (as_page) {
    print_page(chosen, count);
  } else if (names > 1 || (names == 1 && !is_kind)) {
    return print_path(from, names - 1, argv + 1);
  } else {
    schema_list list = {.count = 0};
    for (int k = 0; k < count; k++)
      schema_gather(&list, chosen[k]);
    print_list(&list);
  }
  return APP_OK;
}

const app_command app_schema = {
    "schema",
    "[NAME [KEY...]]",
    "list every key of scene files",
    "Prints the type, unit, default and meaning of each key. docs/scene-reference.md is the same\n"
    "list as a page. Units are SI.\n"
    "\n"
    "NAME is a kind of file (impact, identification, chain, continuum, rigid, crowd; default:\n"
    "all) or a mapping (body, sphere, contact, ...). KEYs select a part of it:\n"
    "\n"
    "  percuss schema rigid output        the keys of 'output' of a scene\n"
    "  percuss schema sphere              the keys of a sphere\n"
    "  percuss schema --json > percuss.schema.json\n",
    options,
    "Exit status: 0 success; 2 unknown NAME or KEY.\n",
    NULL,
    schema};
