// The nodes of a document: mappings against their tables, lists, and what is put in their places.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "scene/document_state.h"

enum {
  MAX_KEYS = 64,    // known keys of a mapping
  MAX_WORDS = 1000, // bytes of a list of them
};

pc_node pc_node_moved(pc_node node, bool is_key)
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

const yaml_node_t *pc_node_yaml(pc_node node)
{
  return node.index > 0 ? node.document->yaml.nodes.start + (node.index - 1) : NULL;
}

bool pc_node_is_type(pc_node node, yaml_node_type_t type)
{
  const yaml_node_t *yaml = pc_node_yaml(node);
  return yaml != NULL && yaml->type == type;
}

bool pc_node_is_plain(pc_node node)
{
  return pc_node_is_type(node, YAML_SCALAR_NODE) &&
         pc_node_yaml(node)->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

const char *pc_node_scalar(pc_node node)
{
  return pc_node_is_type(node, YAML_SCALAR_NODE)
             ? (const char *)pc_node_yaml(node)->data.scalar.value
             : "";
}

static size_t scalar_length(pc_node node)
{
  return pc_node_is_type(node, YAML_SCALAR_NODE) ? pc_node_yaml(node)->data.scalar.length : 0;
}

bool pc_is_present(pc_node node)
{
  return node.index > 0;
}

bool pc_is_sequence(pc_node node)
{
  return pc_node_is_type(node, YAML_SEQUENCE_NODE);
}

bool pc_is_mapping(pc_node node)
{
  return pc_node_is_type(node, YAML_MAPPING_NODE);
}

bool pc_is_null(pc_node node)
{
  const char *value = pc_node_scalar(node);
  return pc_node_is_plain(node) && (strcmp(value, "") == 0 || strcmp(value, "~") == 0 ||
                                    strcmp(value, "null") == 0 || strcmp(value, "Null") == 0);
}

bool pc_failed(pc_node node)
{
  return node.index <= 0 || pc_document_foremost(node.document)->complaint.status != PC_OK;
}

int pc_node_line(pc_node node)
{
  const yaml_node_t *yaml = pc_node_yaml(node);
  return yaml != NULL ? (int)yaml->start_mark.line + 1 : 1;
}

pc_text pc_node_text(pc_node node)
{
  pc_text text;
  const yaml_node_t *yaml = pc_node_yaml(node);
  if (yaml == NULL)
    strcpy(text.text, "nothing");
  else if (yaml->type == YAML_SEQUENCE_NODE)
    strcpy(text.text, "a list");
  else if (yaml->type == YAML_MAPPING_NODE)
    strcpy(text.text, "a mapping");
  else if (pc_is_null(node))
    strcpy(text.text, "nothing");
  else
    pc_text_clean(text.text, 60, pc_node_scalar(node), yaml->data.scalar.length);
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
  for (pc_document *at = pc_document_foremost(node.document); at != NULL; at = at->base)
    for (int i = 0; i < at->moves; i++)
      if (!at->moved[i].is_key && at->moved[i].to.document == node.document &&
          at->moved[i].to.index == node.index)
        return (pc_node){.document = at, .index = at->moved[i].index};
  return node;
}

pc_text pc_node_key(pc_node node)
{
  pc_text text = {""};
  pc_node key = {.document = node.document};
  for (int depth = 0; depth < PC_DOCUMENT_DEPTH && pc_is_present(node) && !pc_is_present(key);
       depth++)
    node = holder_of(place_of(node), &key); // a list may hold itself: not for ever
  if (pc_is_present(key))
    snprintf(text.text, sizeof text.text, "'%.60s': ", pc_node_text(key).text);
  return text;
}

const pc_key *pc_node_schema(pc_node node, int forms)
{
  static const pc_key nothing = {.words = "", .noun = "word"};
  if (node.key != NULL && (node.key->forms & forms) != 0)
    return node.key;
  pc_complain(node, "%sthe schema does not say this", pc_node_key(node).text);
  return &nothing;
}

// --- mappings -----------------------------------------------------------------------------------

static int pair_count(pc_node node)
{
  return pc_is_mapping(node) ? (int)(pc_node_yaml(node)->data.mapping.pairs.top -
                                     pc_node_yaml(node)->data.mapping.pairs.start)
                             : 0;
}

pc_node pc_pair_key(pc_node mapping, int i)
{
  bool there = i >= 0 && i < pair_count(mapping);
  return (pc_node){.document = mapping.document,
                   .index = there ? pc_node_yaml(mapping)->data.mapping.pairs.start[i].key : 0};
}

pc_node pc_pair_value(pc_node mapping, int i)
{
  bool there = i >= 0 && i < pair_count(mapping);
  pc_node value = {.document = mapping.document,
                   .index = there ? pc_node_yaml(mapping)->data.mapping.pairs.start[i].value : 0,
                   .key = mapping.key};
  return pc_node_moved(value, false);
}

// The number of the pair with this key; -1: it is not there.
static int find_pair(pc_node mapping, const char *key)
{
  for (int i = 0; i < pair_count(mapping); i++)
    if (strcmp(pc_node_scalar(pc_pair_key(mapping, i)), key) == 0)
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

void pc_complain_of_word(pc_node node, const char *what, const char *known, const char *words)
{
  char hint[60], all[PC_COMPLAINT];
  pc_text wrong = pc_node_text(node);
  pc_word_describe(words, pc_node_scalar(node), hint, sizeof hint, all, sizeof all);
  int before = snprintf(NULL, 0, "unknown %s '%s'%s (%s: )....", what, wrong.text, hint, known);
  int room = PC_COMPLAINT - before;
  pc_word_describe(words, pc_node_scalar(node), hint, sizeof hint, all,
                   (size_t)(room > 10 ? room : 10));
  pc_complain(node, "unknown %s '%s'%s (%s: %s)", what, wrong.text, hint, known, all);
}

static void complain_of_key(pc_node key, const char *what, const char *words)
{
  char known[100];
  snprintf(known, sizeof known, "keys of %s", what);
  pc_complain_of_word(key, "key", known, words);
}

// Every key of the node is in the table, and there once.
static bool only_known_keys(pc_node node, const pc_mapping *mapping)
{
  const pc_key *seen[MAX_KEYS];
  int count = 0;
  for (int i = 0; i < pair_count(node); i++) {
    pc_node name = pc_pair_key(node, i);
    const pc_key *key = pc_mapping_find(mapping, pc_node_scalar(name), scalar_length(name));
    if (key == NULL || !pc_node_is_type(name, YAML_SCALAR_NODE)) {
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
  const pc_mapping *const *variants = pc_node_schema(*node, PC_A_MAPPING | PC_A_LIST)->variants;
  if (variants == NULL) // a mistake of the reader
    pc_complain(*node, "%s has no variants", what);
  if (pc_failed(*node))
    return -1;
  pc_node word = pc_get(*node, tag);
  char words[MAX_WORDS], hint[60], all[200];
  if (!pc_is_present(word)) {
    pc_variant_keys(variants, words, sizeof words);
    for (int i = 0; i < pair_count(*node); i++)
      if (!pc_word_is_in(words, pc_node_scalar(pc_pair_key(*node, i))))
        complain_of_key(pc_pair_key(*node, i), what, words);
    pc_variant_words(variants, tag, words, sizeof words);
    pc_word_describe(words, "", hint, sizeof hint, all, sizeof all);
    pc_complain(*node, "%s needs the key '%s' (%s)", what, tag, all);
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

int pc_node_items(pc_node node)
{
  return pc_is_sequence(node) ? (int)(pc_node_yaml(node)->data.sequence.items.top -
                                      pc_node_yaml(node)->data.sequence.items.start)
                              : 0;
}

int pc_read_list(pc_node node, const char *what)
{
  if (pc_failed(node))
    return 0;
  if (!pc_is_sequence(node))
    pc_complain(node, "%s is a list, not %s", what, pc_node_text(node).text);
  return pc_node_items(node);
}

pc_node pc_item(pc_node sequence, int i)
{
  bool there = i >= 0 && i < pc_node_items(sequence);
  pc_node item = {.document = sequence.document,
                  .index = there ? pc_node_yaml(sequence)->data.sequence.items.start[i] : 0,
                  .key = sequence.key};
  return pc_node_moved(item, false);
}

// --- changes ------------------------------------------------------------------------------------

static bool remember_move(pc_document *document, int index, bool is_key, pc_node to)
{
  if (!pc_grow(&document->moved, &document->move_capacity, document->moves + 1,
               sizeof *document->moved))
    return false;
  document->moved[document->moves++] = (pc_moved_node){index, is_key, to};
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
