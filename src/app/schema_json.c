// The tables as a JSON Schema (https://json-schema.org/draft/2020-12): each kind of file has its
// definitions under its own name, because `$name` stands for a number in identifications alone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/schema.h"
#include "core/json.h"
#include "scene/text.h"

void schema_gather(schema_list *list, const pc_mapping *mapping)
{
  for (int i = 0; i < list->count; i++)
    if (list->at[i] == mapping)
      return;
  if (list->count == SCHEMA_MAPPINGS)
    return;
  list->at[list->count++] = mapping;
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++)
    for (int k = 0; pc_key_mapping(key, k) != NULL; k++)
      schema_gather(list, pc_key_mapping(key, k));
}

typedef struct writer {
  pc_json json;
  const char *kind; // of the file, before the names of its mappings
} writer;

static void member(writer *w, const char *key, const char *value)
{
  pc_json_key(&w->json, key);
  pc_json_string(&w->json, value);
}

// The caller closes it.
static void open_member(writer *w, const char *key, char bracket)
{
  pc_json_key(&w->json, key);
  pc_json_open(&w->json, bracket);
}

// {"key": "value"}
static void write_pair(writer *w, const char *key, const char *value)
{
  pc_json_open(&w->json, '{');
  member(w, key, value);
  pc_json_close(&w->json);
}

static void number_member(writer *w, const char *key, double value)
{
  pc_json_key(&w->json, key);
  pc_json_number(&w->json, value);
}

static void write_reference(writer *w, const pc_mapping *mapping)
{
  char name[100];
  snprintf(name, sizeof name, "#/$defs/%s.%s", w->kind, mapping->id);
  write_pair(w, "$ref", name);
}

// {"anyOf": [...]} around what follows; close_two ends it.
static void open_any(writer *w)
{
  pc_json_open(&w->json, '{');
  open_member(w, "anyOf", '[');
}

static void close_two(writer *w)
{
  pc_json_close(&w->json);
  pc_json_close(&w->json);
}

static void write_number(writer *w, const pc_limits *range, bool whole)
{
  bool unknowns = strcmp(w->kind, "identification") == 0;
  if (range->infinite || unknowns)
    open_any(w);
  pc_json_open(&w->json, '{');
  member(w, "type", whole ? "integer" : "number");
  if (range->kind == PC_ABOVE)
    number_member(w, "exclusiveMinimum", range->low);
  if (range->kind == PC_AT_LEAST || range->kind == PC_BETWEEN)
    number_member(w, "minimum", range->low);
  if (range->kind == PC_BETWEEN)
    number_member(w, "maximum", range->high);
  pc_json_close(&w->json);
  if (range->infinite)
    write_pair(w, "const", "inf");
  if (unknowns) {
    pc_json_open(&w->json, '{');
    member(w, "type", "string");
    member(w, "pattern", "^\\$");
    pc_json_close(&w->json);
  }
  if (range->infinite || unknowns)
    close_two(w);
}

static void open_list(writer *w, const int *count)
{
  pc_json_open(&w->json, '{');
  member(w, "type", "array");
  number_member(w, "minItems", count[0] > 0 ? count[0] : 2);
  if (count[1] != PC_MANY)
    number_member(w, "maxItems", count[1] > 0 ? count[1] : 3);
  pc_json_key(&w->json, "items");
}

static void write_numbers(writer *w, const pc_key *key, const int *count, bool whole)
{
  bool gaps = (key->forms & PC_GAPS) != 0;
  open_list(w, count);
  if (gaps)
    open_any(w);
  write_number(w, &key->range, whole);
  if (gaps) {
    write_pair(w, "type", "null");
    close_two(w);
  }
  pc_json_close(&w->json);
}

static void write_words(writer *w, const pc_word *words)
{
  pc_json_open(&w->json, '{');
  open_member(w, "enum", '[');
  for (; words->word != NULL; words++)
    pc_json_string(&w->json, words->word);
  close_two(w);
}

// Whatever is written on one line: a name may look like a number.
static void write_scalar(writer *w)
{
  static const char *const types[] = {"string", "number", "boolean"};
  pc_json_open(&w->json, '{');
  open_member(w, "type", '[');
  for (int i = 0; i < 3; i++)
    pc_json_string(&w->json, types[i]);
  close_two(w);
}

static void write_mappings(writer *w, const pc_key *key, bool names)
{
  open_any(w);
  if (names)
    write_scalar(w);
  for (int i = 0; pc_key_mapping(key, i) != NULL; i++)
    write_reference(w, pc_key_mapping(key, i));
  close_two(w);
}

static void write_form(writer *w, const pc_key *key, int form)
{
  static const int any[2] = {1, PC_MANY}, three[2] = {3, 3};
  const pc_limits any_finite = {.kind = PC_ANY_FINITE};
  switch (form) {
  case PC_A_NUMBER:
  case PC_AN_INTEGER:
    write_number(w, &key->range, form == PC_AN_INTEGER);
    break;
  case PC_A_BOOLEAN:
    write_pair(w, "type", "boolean");
    break;
  case PC_A_WORD:
    write_words(w, key->words);
    break;
  case PC_A_TEXT:
  case PC_A_NAME:
  case PC_A_FILE:
    write_scalar(w);
    break;
  case PC_A_SPIN:
    open_any(w);
    write_numbers(w, key, three, false);
    write_number(w, &key->range, false);
    close_two(w);
    break;
  case PC_NUMBERS:
  case PC_INTEGERS:
    write_numbers(w, key, key->count, form == PC_INTEGERS);
    break;
  case PC_LENGTHS:
    open_list(w, key->count);
    open_any(w);
    write_number(w, &key->range, false);
    write_reference(w, pc_key_mapping(key, 0));
    close_two(w);
    pc_json_close(&w->json);
    break;
  case PC_POINTS: {
    pc_key point = *key;
    point.range = any_finite; // a range is that of single numbers
    open_list(w, any);
    write_numbers(w, &point, key->count, false);
    pc_json_close(&w->json);
    break;
  }
  case PC_NAMES:
  case PC_FILES:
    open_list(w, form == PC_NAMES ? key->count : any);
    write_scalar(w);
    pc_json_close(&w->json);
    break;
  case PC_A_MAPPING:
    write_mappings(w, key, false);
    break;
  case PC_A_LIST:
    pc_json_open(&w->json, '{');
    member(w, "type", "array");
    pc_json_key(&w->json, "items");
    write_mappings(w, key, (key->forms & PC_A_NAME) != 0);
    pc_json_close(&w->json);
    break;
  case PC_NOTHING:
    write_pair(w, "type", "null");
    break;
  case PC_VALUES:
    pc_json_open(&w->json, '{');
    member(w, "type", "array");
    number_member(w, "minItems", 1);
    pc_json_close(&w->json);
    break;
  }
}

// All forms, each an element of a list that is open.
static void write_forms(writer *w, const pc_key *key)
{
  for (int bit = 0; bit < 31; bit++)
    if ((key->forms & 1 << bit) != 0 && 1 << bit != PC_PAIRS && 1 << bit != PC_GAPS)
      write_form(w, key, 1 << bit);
}

bool schema_may_be_required(const pc_key *key)
{
  const char *word = "required";
  return key->left_out != NULL && strncmp(key->left_out, word, strlen(word)) == 0;
}

static void write_description(writer *w, const pc_key *key)
{
  char text[600];
  const char *left_out = key->left_out;
  snprintf(text, sizeof text, "%s%s%s%s%s%s", key->meaning, key->unit != NULL ? "; " : "",
           key->unit != NULL ? key->unit : "",
           left_out == NULL              ? ""
           : schema_may_be_required(key) ? " ("
                                         : " (default: ",
           left_out != NULL ? left_out : "", left_out != NULL ? ")" : "");
  member(w, "description", text);
}

// Defaults that are one word or number, or a list of numbers.
static void write_default(writer *w, const pc_key *key)
{
  const char *value = key->otherwise;
  double numbers[4];
  char *end;
  if (value == NULL)
    return;
  int count = sscanf(value, "[%lf, %lf, %lf, %lf]", numbers, numbers + 1, numbers + 2, numbers + 3);
  double number = strtod(value, &end);
  bool words = (key->forms & PC_A_WORD) != 0 || strcmp(value, "inf") == 0;
  if (!words && count < 1 && *end != 0 && (key->forms & PC_A_BOOLEAN) == 0)
    return;
  pc_json_key(&w->json, "default");
  if (words)
    pc_json_string(&w->json, value);
  else if ((key->forms & PC_A_BOOLEAN) != 0)
    pc_json_boolean(&w->json, strcmp(value, "true") == 0);
  else if (count > 0)
    pc_json_vector(&w->json, numbers, count);
  else
    pc_json_number(&w->json, number);
}

static void write_key(writer *w, const pc_key *key)
{
  open_member(w, key->name, '{');
  write_description(w, key);
  write_default(w, key);
  if (key->forms & PC_PAIRS) {
    member(w, "type", "object");
    open_member(w, "additionalProperties", '{');
  }
  open_member(w, "anyOf", '[');
  write_forms(w, key);
  pc_json_close(&w->json);
  if (key->forms & PC_PAIRS)
    pc_json_close(&w->json);
  pc_json_close(&w->json);
}

// A scene with a `base` may take from there all but its kind.
static void write_required(writer *w, const pc_mapping *mapping)
{
  const pc_key *key;
  bool based = pc_mapping_has(mapping, "base");
  if (based) {
    open_member(w, "anyOf", '[');
    pc_json_open(&w->json, '{');
    open_member(w, "required", '[');
    pc_json_string(&w->json, "base");
    pc_json_close(&w->json);
    pc_json_close(&w->json);
    pc_json_open(&w->json, '{');
  }
  open_member(w, "required", '[');
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++)
    if (key->required)
      pc_json_string(&w->json, key->name);
  pc_json_close(&w->json);
  if (based)
    close_two(w);
}

static void write_mapping(writer *w, const pc_mapping *mapping)
{
  char name[100];
  snprintf(name, sizeof name, "%s.%s", w->kind, mapping->id);
  open_member(w, name, '{');
  member(w, "description", mapping->meaning);
  member(w, "type", "object");
  pc_json_key(&w->json, "additionalProperties");
  pc_json_boolean(&w->json, false);
  open_member(w, "properties", '{');
  for (int i = 0; pc_mapping_key(mapping, i) != NULL; i++)
    write_key(w, pc_mapping_key(mapping, i));
  pc_json_close(&w->json);
  write_required(w, mapping);
  pc_json_close(&w->json);
}

// The word under `kind` says which definition the file obeys.
static void write_choice(writer *w, const pc_mapping *kind)
{
  w->kind = kind->id;
  pc_json_open(&w->json, '{');
  open_member(w, "if", '{');
  open_member(w, "properties", '{');
  pc_json_key(&w->json, "kind");
  write_pair(w, "const", kind->id);
  close_two(w);
  pc_json_key(&w->json, "then");
  write_reference(w, kind);
  pc_json_close(&w->json);
}

void schema_print_json(const pc_mapping *const *kinds, int count)
{
  writer w = {.json = {.file = stdout}};
  pc_json_open(&w.json, '{');
  member(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
  member(&w, "title", "Percuss scene");
  member(&w, "type", "object");
  open_member(&w, "required", '[');
  pc_json_string(&w.json, "kind");
  pc_json_close(&w.json);
  open_member(&w, "properties", '{');
  open_member(&w, "kind", '{');
  open_member(&w, "enum", '[');
  for (int i = 0; i < count; i++)
    pc_json_string(&w.json, kinds[i]->id);
  pc_json_close(&w.json);
  close_two(&w);
  open_member(&w, "allOf", '[');
  for (int i = 0; i < count; i++)
    write_choice(&w, kinds[i]);
  pc_json_close(&w.json);
  open_member(&w, "$defs", '{');
  for (int i = 0; i < count; i++) {
    schema_list list = {.count = 0};
    w.kind = kinds[i]->id;
    schema_gather(&list, kinds[i]);
    for (int k = 0; k < list.count; k++)
      write_mapping(&w, list.at[k]);
  }
  close_two(&w);
}
