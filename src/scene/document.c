// libyaml builds the tree; this file checks the text before and types the values after.
#include "scene/document.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/error.h"
#include "core/memory.h"
#include "scene/text.h"

enum {
  MAX_SIZE = 256 << 20, // bytes of a file
  MAX_DEPTH = 64,       // libyaml's time grows with the square of the depth
  MAX_ANCHORS = 1000,   // and of the number of anchors
  MAX_KEYS = 64,        // known keys of a mapping
  MAX_WORDS = 1000,     // bytes of a list of them
  MAX_TEXT = 230,       // bytes of a complaint, without file name and line
};

// A node that was put there, and what stands for it: a value that is written elsewhere, or, of a
// key, the place that added it.
typedef struct moved {
  int index;
  bool is_key;
  pc_node to;
} moved;

struct pc_document {
  char *name; // of the file, for messages
  yaml_document_t yaml;
  locale_t locale; // numbers have a decimal point, whatever the caller's locale
  const pc_parameters *parameters;
  pc_document *base;   // stands behind this one, or NULL
  pc_document *before; // the one it stands behind, or NULL
  pc_error complaint;  // status PC_OK: none yet; of the foremost document
  char **note;         // files that were named; of the foremost document
  int notes, note_capacity;
  moved *moved; // few
  int moves, move_capacity;
};

// --- messages -----------------------------------------------------------------------------------

static pc_status file_failure(const char *path, pc_status status, pc_error *error, const char *text)
{
  return pc_fail(error, status, "%s: %s", pc_text_path(path).text, text);
}

static pc_status complain_at(const char *path, long line, pc_status status, pc_error *error,
                             const char *text)
{
  char shown[MAX_TEXT];
  pc_text_clean(shown, sizeof shown, text, strlen(text));
  return pc_fail(error, status, "%s:%ld: %s", pc_text_path(path).text, line, shown);
}

static pc_document *foremost(pc_document *document)
{
  while (document != NULL && document->before != NULL)
    document = document->before;
  return document;
}

// What was put in the place of this node, the node itself if nothing was.
static pc_node find_moved(pc_node node, bool is_key)
{
  const pc_document *document = node.document;
  for (int i = 0; i < document->moves; i++)
    if (document->moved[i].index == node.index && document->moved[i].is_key == is_key) {
      node.document = document->moved[i].to.document;
      node.index = document->moved[i].to.index;
      break;
    }
  return node;
}

void pc_complain(pc_node node, const char *format, ...)
{
  if (node.document != NULL)
    node = find_moved(node, true);
  pc_document *document = node.document, *first = foremost(document);
  if (document == NULL || first->complaint.status != PC_OK)
    return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  complain_at(document->name, pc_node_line(node), PC_ERROR_INPUT, &first->complaint, text);
}

// --- reading the text ---------------------------------------------------------------------------

// The length of the UTF-8 character at `c`, 0 if there is none.
static int utf8_length(const unsigned char *c, size_t left)
{
  int n = c[0] < 0x80                   ? 1
          : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
          : (c[0] & 0xf0) == 0xe0       ? 3
          : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                        : 0;
  if ((size_t)n > left)
    return 0;
  for (int i = 1; i < n; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  return n;
}

static pc_status check_text(const char *name, const char *text, size_t size, pc_error *error)
{
  const unsigned char *bytes = (const unsigned char *)text;
  long line = 1;
  bool blank = true;
  for (size_t i = 0; i < size;) {
    unsigned char c = bytes[i];
    int n = utf8_length(bytes + i, size - i);
    if (n == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
      char message[80];
      snprintf(message, sizeof message, "this is not a text file (byte 0x%02x)", c);
      return complain_at(name, line, PC_ERROR_INPUT, error, message);
    }
    blank = blank && isspace(c);
    line += c == '\n';
    i += (size_t)n;
  }
  if (blank)
    return complain_at(name, 1, PC_ERROR_INPUT, error, "the file is empty");
  return PC_OK;
}

static pc_status yaml_failure(const char *name, const yaml_parser_t *parser, const char *text,
                              size_t size, pc_error *error)
{
  if (parser->error == YAML_MEMORY_ERROR)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  char message[300];
  snprintf(message, sizeof message, "not valid YAML: %s%s%s",
           parser->problem ? parser->problem : "unreadable text", parser->context ? " " : "",
           parser->context ? parser->context : "");
  // The end of a text without a last newline is on its last line, not behind it.
  long lines = 1, line = (long)parser->problem_mark.line + 1;
  for (size_t i = 0; i + 1 < size; i++)
    lines += text[i] == '\n';
  return complain_at(name, line < lines ? line : lines, PC_ERROR_INPUT, error, message);
}

// Walks through the events once: what would make libyaml slow, or is not one document, ends here.
static pc_status check_structure(const char *name, const char *text, size_t size, pc_error *error)
{
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  pc_status status = PC_OK;
  int depth = 0, anchors = 0, documents = 0;
  for (bool end = false; !end && status == PC_OK;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      status = yaml_failure(name, &parser, text, size, error);
      break;
    }
    const char *message = NULL;
    switch (event.type) {
    case YAML_SEQUENCE_START_EVENT:
      anchors += event.data.sequence_start.anchor != NULL;
      depth++;
      break;
    case YAML_MAPPING_START_EVENT:
      anchors += event.data.mapping_start.anchor != NULL;
      depth++;
      break;
    case YAML_SCALAR_EVENT:
      anchors += event.data.scalar.anchor != NULL;
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      depth--;
      break;
    case YAML_DOCUMENT_START_EVENT:
      if (++documents > 1)
        message = "a second document starts here; one file holds one document";
      break;
    case YAML_STREAM_END_EVENT:
      if (documents == 0)
        message = "the file is empty";
      end = true;
      break;
    default:
      break;
    }
    if (depth > MAX_DEPTH)
      message = "lists and mappings are nested too deeply";
    if (anchors > MAX_ANCHORS)
      message = "too many anchors";
    if (message != NULL)
      status = complain_at(name, (long)event.start_mark.line + 1, PC_ERROR_INPUT, error, message);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return status;
}

pc_document *pc_document_parse(const char *name, const char *text, size_t size, pc_error *error)
{
  if (check_text(name, text, size, error) != PC_OK ||
      check_structure(name, text, size, error) != PC_OK)
    return NULL;
  pc_document *document = calloc(1, sizeof *document);
  char *copy = strdup(name);
  yaml_parser_t parser;
  if (document == NULL || copy == NULL || !yaml_parser_initialize(&parser)) {
    free(document);
    free(copy);
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  document->name = copy;
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  bool loaded = yaml_parser_load(&parser, &document->yaml);
  if (!loaded)
    yaml_failure(name, &parser, text, size, error);
  yaml_parser_delete(&parser);
  if (!loaded) { // an alias without an anchor, or no memory
    free(document);
    free(copy);
    return NULL;
  }
  document->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return document;
}

char *pc_document_text(const char *path, size_t *size, pc_error *error)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    file_failure(path, PC_ERROR_IO, error, "cannot be opened");
    return NULL;
  }
  // Not by seeking to the end: a pipe is a file too.
  size_t capacity = 1 << 16;
  char *text = malloc(capacity);
  *size = 0;
  while (text != NULL) {
    size_t got = fread(text + *size, 1, capacity - *size - 1, file);
    *size += got;
    if (got == 0 || *size > MAX_SIZE)
      break;
    if (*size == capacity - 1) {
      char *larger = realloc(text, capacity *= 2);
      if (larger == NULL)
        free(text);
      text = larger;
    }
  }
  bool unreadable = ferror(file) != 0;
  fclose(file);
  if (text == NULL) {
    file_failure(path, PC_ERROR_MEMORY, error, "out of memory");
    return NULL;
  }
  text[*size] = 0;
  if (!unreadable && *size <= MAX_SIZE)
    return text;
  if (unreadable)
    file_failure(path, PC_ERROR_IO, error, "cannot be read");
  else
    complain_at(path, 1, PC_ERROR_INPUT, error, "the file is larger than 256 MB");
  free(text);
  return NULL;
}

pc_document *pc_document_open(const char *path, pc_error *error)
{
  size_t size;
  char *text = pc_document_text(path, &size, error);
  pc_document *document = text != NULL ? pc_document_parse(path, text, size, error) : NULL;
  free(text);
  return document;
}

pc_status pc_document_close(pc_document *document, pc_error *error)
{
  pc_status status = pc_document_status(document, error);
  if (document->base != NULL)
    pc_document_close(document->base, NULL);
  for (int i = 0; i < document->notes; i++)
    free(document->note[i]);
  free(document->note);
  free(document->moved);
  yaml_document_delete(&document->yaml);
  if (document->locale != (locale_t)0)
    freelocale(document->locale);
  free(document->name);
  free(document);
  return status;
}

pc_node pc_document_root(pc_document *document)
{
  return (pc_node){.document = document, .index = 1};
}

void pc_document_stand_behind(pc_document *document, pc_document *base)
{
  document->base = base;
  base->before = document;
}

pc_node pc_node_behind(pc_node root)
{
  pc_document *base = root.document->base;
  return base != NULL ? pc_document_root(base) : (pc_node){.document = root.document};
}

const char *pc_node_file(pc_node node)
{
  return node.document->name;
}

bool pc_document_note(pc_node node, const char *path)
{
  pc_document *first = foremost(node.document);
  char *copy = strdup(path);
  if (copy == NULL ||
      !pc_grow(&first->note, &first->note_capacity, first->notes + 1, sizeof *first->note)) {
    free(copy);
    return false;
  }
  first->note[first->notes++] = copy;
  return true;
}

char **pc_document_take_notes(pc_document *document, int *count)
{
  char **list = document->note;
  *count = document->notes;
  document->note = NULL;
  document->notes = document->note_capacity = 0;
  return list;
}

pc_status pc_document_status(const pc_document *document, pc_error *error)
{
  if (document->complaint.status != PC_OK && error != NULL)
    *error = document->complaint;
  return document->complaint.status;
}

void pc_document_forgive(pc_document *document)
{
  document->complaint.status = PC_OK;
}

void pc_document_set_parameters(pc_document *document, const pc_parameters *parameters)
{
  document->parameters = parameters;
}

// --- nodes --------------------------------------------------------------------------------------

static const yaml_node_t *yaml_of(pc_node node)
{
  return node.index > 0 ? node.document->yaml.nodes.start + (node.index - 1) : NULL;
}

static bool is_type(pc_node node, yaml_node_type_t type)
{
  const yaml_node_t *yaml = yaml_of(node);
  return yaml != NULL && yaml->type == type;
}

static bool is_plain(pc_node node)
{
  return is_type(node, YAML_SCALAR_NODE) &&
         yaml_of(node)->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static const char *scalar(pc_node node)
{
  return is_type(node, YAML_SCALAR_NODE) ? (const char *)yaml_of(node)->data.scalar.value : "";
}

static size_t scalar_length(pc_node node)
{
  return is_type(node, YAML_SCALAR_NODE) ? yaml_of(node)->data.scalar.length : 0;
}

bool pc_is_present(pc_node node)
{
  return node.index > 0;
}

bool pc_is_sequence(pc_node node)
{
  return is_type(node, YAML_SEQUENCE_NODE);
}

bool pc_is_mapping(pc_node node)
{
  return is_type(node, YAML_MAPPING_NODE);
}

bool pc_is_null(pc_node node)
{
  const char *value = scalar(node);
  return is_plain(node) && (strcmp(value, "") == 0 || strcmp(value, "~") == 0 ||
                            strcmp(value, "null") == 0 || strcmp(value, "Null") == 0);
}

bool pc_failed(pc_node node)
{
  return node.index <= 0 || foremost(node.document)->complaint.status != PC_OK;
}

int pc_node_line(pc_node node)
{
  const yaml_node_t *yaml = yaml_of(node);
  return yaml != NULL ? (int)yaml->start_mark.line + 1 : 1;
}

pc_text pc_node_text(pc_node node)
{
  pc_text text;
  const yaml_node_t *yaml = yaml_of(node);
  if (yaml == NULL)
    strcpy(text.text, "nothing");
  else if (yaml->type == YAML_SEQUENCE_NODE)
    strcpy(text.text, "a list");
  else if (yaml->type == YAML_MAPPING_NODE)
    strcpy(text.text, "a mapping");
  else if (pc_is_null(node))
    strcpy(text.text, "nothing");
  else
    pc_text_clean(text.text, 60, scalar(node), yaml->data.scalar.length);
  return text;
}

// The node whose list or mapping holds this one, the first if aliases make several, and its key.
static pc_node holder_of(pc_node node, pc_node *key)
{
  const yaml_document_t *yaml = &node.document->yaml;
  for (const yaml_node_t *at = yaml->nodes.start; at < yaml->nodes.top; at++) {
    pc_node holder = {.document = node.document, .index = (int)(at - yaml->nodes.start) + 1};
    if (at->type == YAML_SEQUENCE_NODE)
      for (const yaml_node_item_t *item = at->data.sequence.items.start;
           item < at->data.sequence.items.top; item++)
        if (*item == node.index)
          return holder;
    if (at->type == YAML_MAPPING_NODE)
      for (const yaml_node_pair_t *pair = at->data.mapping.pairs.start;
           pair < at->data.mapping.pairs.top; pair++)
        if (pair->value == node.index) {
          *key = (pc_node){.document = node.document, .index = pair->key};
          return holder;
        }
  }
  return (pc_node){.document = node.document};
}

// The node in whose place a value was put, the value itself if it was not.
static pc_node place_of(pc_node node)
{
  for (pc_document *at = foremost(node.document); at != NULL; at = at->base)
    for (int i = 0; i < at->moves; i++)
      if (!at->moved[i].is_key && at->moved[i].to.document == node.document &&
          at->moved[i].to.index == node.index)
        return (pc_node){.document = at, .index = at->moved[i].index};
  return node;
}

// "'size': " for a message about a value, of a list item the key of the list; "" without a key.
static pc_text key_of(pc_node node)
{
  pc_text text = {""};
  pc_node key = {.document = node.document};
  for (int depth = 0; depth < MAX_DEPTH && pc_is_present(node) && !pc_is_present(key); depth++)
    node = holder_of(place_of(node), &key); // a list may hold itself: not for ever
  if (pc_is_present(key))
    snprintf(text.text, sizeof text.text, "'%.60s': ", pc_node_text(key).text);
  return text;
}

// What the schema says of a value that is read as one of these forms. A reader that asks for what
// the tables do not say is wrong.
static const pc_key *schema_of(pc_node node, int forms)
{
  static const pc_key nothing = {.words = "", .noun = "word"};
  if (node.key != NULL && (node.key->forms & forms) != 0)
    return node.key;
  pc_complain(node, "%sthe schema does not say this", key_of(node).text);
  return &nothing;
}

// --- mappings -----------------------------------------------------------------------------------

static int pair_count(pc_node node)
{
  return pc_is_mapping(node) ? (int)(yaml_of(node)->data.mapping.pairs.top -
                                     yaml_of(node)->data.mapping.pairs.start)
                             : 0;
}

pc_node pc_pair_key(pc_node mapping, int i)
{
  bool there = i >= 0 && i < pair_count(mapping);
  return (pc_node){.document = mapping.document,
                   .index = there ? yaml_of(mapping)->data.mapping.pairs.start[i].key : 0};
}

pc_node pc_pair_value(pc_node mapping, int i)
{
  bool there = i >= 0 && i < pair_count(mapping);
  pc_node value = {.document = mapping.document,
                   .index = there ? yaml_of(mapping)->data.mapping.pairs.start[i].value : 0,
                   .key = mapping.key};
  return find_moved(value, false);
}

// The number of the pair with this key; -1: it is not there.
static int find_pair(pc_node mapping, const char *key)
{
  for (int i = 0; i < pair_count(mapping); i++)
    if (strcmp(scalar(pc_pair_key(mapping, i)), key) == 0)
      return i;
  return -1;
}

// Whether the root of a document behind this root has the key.
static bool has_behind(pc_node node, const char *key)
{
  return node.index == 1 && node.document->base != NULL &&
         pc_is_present(pc_get(pc_document_root(node.document->base), key));
}

static bool must_be_mapping(pc_node node, const char *what)
{
  if (!pc_failed(node) && !pc_is_mapping(node))
    pc_complain(node, "%s is a mapping (key: value), not %s", what, pc_node_text(node).text);
  return !pc_failed(node);
}

static void complain_of_key(pc_node key, const char *what, const char *words)
{
  char hint[60], all[180];
  pc_word_describe(words, scalar(key), hint, sizeof hint, all, sizeof all);
  pc_complain(key, "unknown key '%s'%s (keys of %s: %s)", pc_node_text(key).text, hint, what, all);
}

// Every key of the node is in the table, and there once.
static bool only_known_keys(pc_node node, const pc_mapping *mapping)
{
  const pc_key *seen[MAX_KEYS];
  int count = 0;
  for (int i = 0; i < pair_count(node); i++) {
    pc_node name = pc_pair_key(node, i);
    const pc_key *key = pc_mapping_find(mapping, scalar(name), scalar_length(name));
    if (key == NULL || !is_type(name, YAML_SCALAR_NODE)) {
      char words[MAX_WORDS];
      pc_mapping_words(mapping, words, sizeof words);
      complain_of_key(name, mapping->what, words);
      return false;
    }
    for (int k = 0; k < count; k++)
      if (seen[k] == key) {
        pc_complain(name, "key '%s' is given twice", key->name);
        return false;
      }
    seen[count++] = key; // at most as many as the table has
  }
  return true;
}

static bool may_hold(const pc_key *key, const pc_mapping *mapping)
{
  for (int i = 0; pc_key_mapping(key, i) != NULL; i++)
    if (pc_key_mapping(key, i) == mapping)
      return true;
  return false;
}

bool pc_read_keys(pc_node *node, const pc_mapping *mapping)
{
  if (!must_be_mapping(*node, mapping->what) || !only_known_keys(*node, mapping))
    return false;
  if (node->key != NULL && !may_hold(node->key, mapping)) // a mistake of the reader
    pc_complain(*node, "'%s' does not hold %s", node->key->name, mapping->what);
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++)
    if (key->required && find_pair(*node, key->name) < 0 && !has_behind(*node, key->name)) {
      pc_complain(*node, "%s needs the key '%s'", mapping->what, key->name);
      return false;
    }
  node->mapping = mapping;
  return true;
}

int pc_read_variant(pc_node *node, const char *what, const char *tag)
{
  if (!must_be_mapping(*node, what))
    return -1;
  const pc_mapping *const *variants = schema_of(*node, PC_A_MAPPING | PC_A_LIST)->variants;
  if (variants == NULL) // a mistake of the reader
    pc_complain(*node, "%s has no variants", what);
  if (pc_failed(*node))
    return -1;
  pc_node word = pc_get(*node, tag);
  char words[MAX_WORDS];
  if (!pc_is_present(word)) {
    pc_variant_keys(variants, words, sizeof words);
    for (int i = 0; i < pair_count(*node); i++)
      if (!pc_word_is_in(words, scalar(pc_pair_key(*node, i))))
        complain_of_key(pc_pair_key(*node, i), what, words);
    pc_complain(*node, "%s needs the key '%s'", what, tag);
    return -1;
  }
  pc_variant_words(variants, tag, words, sizeof words);
  int found = pc_read_word_of(word, pc_mapping_find(variants[0], tag, strlen(tag))->noun, words);
  return found >= 0 && pc_read_keys(node, variants[found]) ? found : -1;
}

pc_node pc_get(pc_node mapping, const char *key)
{
  pc_node found = {.document = mapping.document};
  if (pc_failed(mapping) || !pc_is_mapping(mapping))
    return found;
  found = pc_pair_value(mapping, find_pair(mapping, key));
  found.key = NULL;
  if (found.index == 0 && mapping.index == 1 && mapping.document->base != NULL)
    found = pc_get(pc_document_root(mapping.document->base), key);
  if (mapping.mapping == NULL)
    return found;
  found.key = pc_mapping_find(mapping.mapping, key, strlen(key));
  if (found.key == NULL) // a mistake of the reader
    pc_complain(mapping, "%s has no key '%s'", mapping.mapping->what, key);
  return found;
}

bool pc_has_key(pc_node mapping, const char *key)
{
  return mapping.mapping != NULL && pc_mapping_find(mapping.mapping, key, strlen(key)) != NULL;
}

int pc_read_pairs(pc_node node, const char *what)
{
  if (pc_failed(node))
    return 0;
  if (!pc_is_mapping(node))
    pc_complain(node, "%s is a mapping (name: value), not %s", what, pc_node_text(node).text);
  return pair_count(node);
}

// --- lists --------------------------------------------------------------------------------------

static int item_count(pc_node node)
{
  return pc_is_sequence(node) ? (int)(yaml_of(node)->data.sequence.items.top -
                                      yaml_of(node)->data.sequence.items.start)
                              : 0;
}

int pc_read_list(pc_node node, const char *what)
{
  if (pc_failed(node))
    return 0;
  if (!pc_is_sequence(node))
    pc_complain(node, "%s is a list, not %s", what, pc_node_text(node).text);
  return item_count(node);
}

pc_node pc_item(pc_node sequence, int i)
{
  bool there = i >= 0 && i < item_count(sequence);
  pc_node item = {.document = sequence.document,
                  .index = there ? yaml_of(sequence)->data.sequence.items.start[i] : 0,
                  .key = sequence.key};
  return find_moved(item, false);
}

// --- changes ------------------------------------------------------------------------------------

static bool remember_move(pc_document *document, int index, bool is_key, pc_node to)
{
  if (!pc_grow(&document->moved, &document->move_capacity, document->moves + 1,
               sizeof *document->moved))
    return false;
  document->moved[document->moves++] = (moved){index, is_key, to};
  return true;
}

static int add_scalar(pc_document *document, const char *text)
{
  return yaml_document_add_scalar(&document->yaml, NULL, (const yaml_char_t *)text,
                                  (int)strlen(text), YAML_PLAIN_SCALAR_STYLE);
}

// A new node that stands for the value; 0 when memory is out.
static int add_place(pc_document *document, pc_node value, pc_node from)
{
  if (pc_is_present(value)) {
    int place = add_scalar(document, "");
    return place > 0 && remember_move(document, place, false, value) ? place : 0;
  }
  int place = yaml_document_add_mapping(&document->yaml, NULL, YAML_FLOW_MAPPING_STYLE);
  return place > 0 && remember_move(document, place, true, from) ? place : 0;
}

bool pc_put(pc_node holder, const char *key, int i, pc_node value, pc_node from)
{
  pc_document *document = holder.document;
  int place = add_place(document, value, from);
  if (place == 0)
    return false;
  yaml_node_t *node = document->yaml.nodes.start + (holder.index - 1);
  int pair = key != NULL ? find_pair(holder, key) : -1;
  if (key == NULL)
    node->data.sequence.items.start[i] = place;
  else if (pair >= 0)
    node->data.mapping.pairs.start[pair].value = place;
  else {
    int name = add_scalar(document, key);
    return name > 0 && remember_move(document, name, true, from) &&
           yaml_document_append_mapping_pair(&document->yaml, holder.index, name, place);
  }
  return true;
}

// --- values -------------------------------------------------------------------------------------

pc_range pc_any(void)
{
  return (pc_range){.kind = PC_ANY_FINITE};
}

pc_range pc_above(double low)
{
  return (pc_range){.kind = PC_ABOVE, .low = low};
}

pc_range pc_at_least(double low)
{
  return (pc_range){.kind = PC_AT_LEAST, .low = low};
}

pc_range pc_or_infinite(pc_range range)
{
  range.infinite = true;
  return range;
}

// [sign] digits [. digits] [e [sign] digits]: strtod alone would take hexadecimal and words.
static bool looks_like_number(const char *s)
{
  s += *s == '+' || *s == '-';
  size_t whole = strspn(s, "0123456789");
  s += whole;
  size_t part = 0;
  if (*s == '.')
    part = strspn(++s, "0123456789");
  s += part;
  if (whole + part == 0)
    return false;
  if (*s == 'e' || *s == 'E') {
    s++;
    s += *s == '+' || *s == '-';
    size_t digits = strspn(s, "0123456789");
    s += digits;
    if (digits == 0)
      return false;
  }
  return *s == 0;
}

// `name` in any capitals, with or without the dot of YAML.
static bool is_special(const char *value, const char *name)
{
  value += *value == '.';
  for (; *name && tolower((unsigned char)*value) == *name; name++)
    value++;
  return *name == 0 && *value == 0;
}

static bool parameter_value(pc_node node, double *value)
{
  const char *name = scalar(node) + 1;
  const pc_parameters *parameters = node.document->parameters;
  if (parameters == NULL) {
    pc_complain(node, "'%s' stands for a parameter, and this file has none",
                pc_node_text(node).text);
    return false;
  }
  for (int i = 0; i < parameters->count; i++)
    if (strcmp(parameters->names[i], name) == 0) {
      *value = parameters->values[i];
      if (parameters->used != NULL)
        parameters->used[i] = true;
      return true;
    }
  pc_complain(node, "unknown parameter '%s'", pc_node_text(node).text);
  return false;
}

static bool scalar_value(pc_node node, double *value)
{
  const char *text = scalar(node);
  if (!is_type(node, YAML_SCALAR_NODE) || pc_is_null(node)) {
    pc_complain(node, "%sexpected a number, found %s", key_of(node).text, pc_node_text(node).text);
    return false;
  }
  if (text[0] == '$')
    return parameter_value(node, value);
  const char *unsigned_text = text + (*text == '+' || *text == '-');
  if (is_special(unsigned_text, "nan")) {
    pc_complain(node, "%s'%s' is not a number that can be used", key_of(node).text,
                pc_node_text(node).text);
    return false;
  }
  if (is_special(unsigned_text, "inf")) {
    *value = *text == '-' ? -INFINITY : INFINITY;
    return true;
  }
  if (!is_plain(node) || !looks_like_number(text)) {
    pc_complain(node, "%sexpected a number, found '%s'", key_of(node).text,
                pc_node_text(node).text);
    return false;
  }
  locale_t old = uselocale(node.document->locale);
  *value = strtod(text, NULL);
  uselocale(old);
  if (isinf(*value)) {
    pc_complain(node, "%sthe number %s is too large", key_of(node).text, pc_node_text(node).text);
    return false;
  }
  return true;
}

double pc_read_number_in(pc_node node, pc_range range)
{
  double value = 0;
  if (pc_failed(node) || !scalar_value(node, &value))
    return 0;
  bool infinite = isinf(value) && range.infinite && value > 0;
  bool low = range.kind == PC_ABOVE ? value <= range.low
                                    : range.kind != PC_ANY_FINITE && value < range.low;
  bool high = range.kind == PC_BETWEEN && value > range.high;
  if (infinite || (isfinite(value) && !low && !high))
    return value;
  // What the file says: `$k` and its value, or the number as it is written.
  char shown[200];
  pc_text key = key_of(node);
  if (scalar(node)[0] == '$')
    snprintf(shown, sizeof shown, "%s = %g", pc_node_text(node).text, value);
  else
    snprintf(shown, sizeof shown, "%s", pc_node_text(node).text);
  if (!isfinite(value))
    pc_complain(node, "%s%s: a finite number is needed here", key.text, shown);
  else if (low)
    pc_complain(node, "%s%s is too small: it must be %s %g", key.text, shown,
                range.kind == PC_ABOVE ? ">" : ">=", range.low);
  else
    pc_complain(node, "%s%s is too large: it must be <= %g", key.text, shown, range.high);
  return 0;
}

double pc_read_number(pc_node node)
{
  const int numbers =
      PC_A_NUMBER | PC_A_SPIN | PC_NUMBERS | PC_LENGTHS | PC_POINTS; // or in such a list
  return pc_failed(node) ? 0 : pc_read_number_in(node, schema_of(node, numbers)->range);
}

int pc_read_integer_in(pc_node node, int low, int high)
{
  double value = pc_read_number_in(node, pc_any());
  if (pc_failed(node))
    return low;
  if (value != floor(value))
    pc_complain(node, "%sexpected a whole number, found %s", key_of(node).text,
                pc_node_text(node).text);
  else if (value < low || value > high)
    pc_complain(node, "%s%s is out of range: from %d to %d", key_of(node).text,
                pc_node_text(node).text, low, high);
  else
    return (int)value;
  return low;
}

int pc_read_integer(pc_node node)
{
  if (pc_failed(node))
    return node.key != NULL ? (int)node.key->range.low : 0;
  const pc_range range = schema_of(node, PC_AN_INTEGER | PC_INTEGERS)->range;
  return pc_read_integer_in(node, (int)range.low, (int)range.high);
}

bool pc_read_boolean(pc_node node)
{
  if (pc_failed(node))
    return false;
  schema_of(node, PC_A_BOOLEAN);
  if (is_plain(node)) {
    if (strcmp(scalar(node), "true") == 0 || strcmp(scalar(node), "True") == 0)
      return true;
    if (strcmp(scalar(node), "false") == 0 || strcmp(scalar(node), "False") == 0)
      return false;
  }
  pc_complain(node, "%sexpected true or false, found %s", key_of(node).text,
              pc_node_text(node).text);
  return false;
}

int pc_read_vector_in(pc_node node, int low, int high, pc_range range, double *vector)
{
  for (int i = 0; i < high; i++)
    vector[i] = 0;
  if (pc_failed(node))
    return 0;
  char wanted[40];
  if (low == high)
    snprintf(wanted, sizeof wanted, "%d number%s", low, low == 1 ? "" : "s");
  else
    snprintf(wanted, sizeof wanted, "%d to %d numbers", low, high);
  if (!pc_is_sequence(node)) {
    pc_complain(node, "%sexpected a list of %s, found %s", key_of(node).text, wanted,
                pc_node_text(node).text);
    return 0;
  }
  int count = item_count(node);
  if (count < low || count > high) {
    pc_complain(node, "%sexpected a list of %s, found %d", key_of(node).text, wanted, count);
    return 0;
  }
  for (int i = 0; i < count; i++)
    vector[i] = pc_read_number_in(pc_item(node, i), range);
  return count;
}

int pc_read_vector(pc_node node, int low, int high, double *vector)
{
  const int lists = PC_A_SPIN | PC_NUMBERS | PC_POINTS;
  pc_range range = pc_failed(node) ? pc_any() : schema_of(node, lists)->range;
  return pc_read_vector_in(node, low, high, range, vector);
}

int pc_read_word_of(pc_node node, const char *what, const char *words)
{
  if (pc_failed(node))
    return -1;
  size_t length;
  int k = 0;
  const char *list = words, *word, *value = scalar(node);
  while ((word = pc_word_next(&list, &length)) != NULL) {
    if (strlen(value) == length && strncmp(value, word, length) == 0)
      return k;
    k++;
  }
  char hint[60], all[180];
  pc_word_describe(words, value, hint, sizeof hint, all, sizeof all);
  pc_complain(node, "unknown %s '%s'%s (known: %s)", what, pc_node_text(node).text, hint, all);
  return -1;
}

int pc_read_word(pc_node node)
{
  if (pc_failed(node))
    return -1;
  const pc_key *key = schema_of(node, PC_A_WORD);
  return pc_read_word_of(node, key->noun, key->words);
}

const char *pc_read_string(pc_node node)
{
  if (pc_failed(node))
    return "";
  if (!is_type(node, YAML_SCALAR_NODE))
    pc_complain(node, "expected a text, found %s", pc_node_text(node).text);
  return scalar(node);
}

const char *pc_read_name(pc_node node)
{
  if (pc_failed(node))
    return "";
  const char *value = scalar(node);
  size_t length = is_type(node, YAML_SCALAR_NODE) ? yaml_of(node)->data.scalar.length : 0;
  if (!is_type(node, YAML_SCALAR_NODE) || pc_is_null(node) || length == 0)
    pc_complain(node, "expected a name, found %s", pc_node_text(node).text);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)value[i] < 0x20 || value[i] == 0x7f) {
      pc_complain(node, "a name has no control characters: '%s'", pc_node_text(node).text);
      break;
    }
  return value;
}

double pc_read_number_or(pc_node node, double otherwise)
{
  return pc_is_present(node) ? pc_read_number(node) : otherwise;
}

bool pc_read_boolean_or(pc_node node, bool otherwise)
{
  return pc_is_present(node) ? pc_read_boolean(node) : otherwise;
}
