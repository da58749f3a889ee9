// Mappings of a document, read against their tables.
#include <stdio.h>
#include <string.h>

#include "scene/document_state.h"

enum {
  MAX_KEYS = 64,    // known keys of a mapping
  MAX_WORDS = 1000, // bytes of a list of them
};

// Whether the root of a document behind this root has the key.
static bool has_behind(pc_node node, const char *key)
{
  return node.index == 1 && node.document->base != NULL &&
         pc_is_present(pc_get(pc_document_root(node.document->base), key));
}

static bool must_be_mapping(pc_node node, const char *what)
{
  const char *quote = pc_node_is_type(node, YAML_SCALAR_NODE) && !pc_is_null(node) ? "'" : "";
  if (!pc_failed(node) && !pc_is_mapping(node))
    pc_complain(node, "%s must be a mapping (key: value), found %s%s%s", what, quote,
                pc_node_text(node).text, quote);
  return !pc_failed(node) && pc_is_mapping(node);
}

// A key that YAML takes for another one: a space is missing, or it is indented too far, and so the
// file lacks it.
static bool is_slip(pc_node key, const char *words)
{
  const pc_text text = pc_node_text(key);
  const char *name = text.text, *colon = strchr(name, ':');
  pc_node root = pc_document_root(key.document);
  const pc_mapping *file = pc_document_foremost(key.document)->mapping;
  char shown[60] = "";
  size_t length = colon != NULL ? (size_t)(colon - name) : 0;
  if (length > 0 && length < sizeof shown)
    memcpy(shown, name, length);
  if (pc_word_is_in(words, shown))
    pc_complain(key, "a space is missing after the colon: '%s: %s'", shown, colon + 1);
  else if (name[0] == '-' && pc_word_is_in(words, name + 1))
    pc_complain(key, "a space is missing after the dash: '- %s'", name + 1);
  else if (file != NULL && pc_mapping_has(file, name) && !pc_word_is_in(words, name) &&
           pc_node_find_pair(root, name) < 0)
    pc_complain(key, "unknown key '%s' here; it is a key of %s: check the indentation", name,
                file->what);
  else
    return false;
  return true;
}

static void complain_of_key(pc_node key, const char *what, const char *words)
{
  if (is_slip(key, words))
    return;
  char known[100];
  snprintf(known, sizeof known, "keys of %s", what);
  pc_complain_of_word(key, "key", known, words);
}

// 0,5 between braces is 0 and a key 5.
static bool is_cut_number(pc_node node, int i)
{
  const char *digits = pc_node_scalar(pc_pair_key(node, i));
  if (i == 0 || *digits == 0 || strspn(digits, "0123456789") != strlen(digits) ||
      !pc_is_null(pc_pair_value(node, i)))
    return false;
  const char *whole = pc_node_scalar(pc_pair_value(node, i - 1));
  size_t sign = *whole == '-' || *whole == '+';
  if (whole[sign] == 0 || strspn(whole + sign, "0123456789") != strlen(whole + sign))
    return false;
  pc_complain(pc_pair_key(node, i), "write a decimal point, not a comma: '%s: %s.%s'",
              pc_node_text(pc_pair_key(node, i - 1)).text, whole, digits);
  return true;
}

// Every key of the node is in the table, and there once.
static bool only_known_keys(pc_node node, const pc_mapping *mapping)
{
  const pc_key *seen[MAX_KEYS];
  bool right = true;
  int count = 0;
  for (int i = 0; i < pc_node_pairs(node); i++) {
    pc_node name = pc_pair_key(node, i);
    const pc_key *key = pc_mapping_find(mapping, pc_node_scalar(name), pc_node_length(name));
    if (key == NULL || !pc_node_is_type(name, YAML_SCALAR_NODE)) {
      char words[MAX_WORDS];
      right = false;
      if (is_cut_number(node, i))
        continue;
      pc_mapping_words(mapping, words, sizeof words);
      complain_of_key(name, mapping->what, words);
      continue;
    }
    bool twice = false;
    for (int k = 0; k < count; k++)
      twice = twice || seen[k] == key;
    if (twice)
      pc_complain(name, "key '%s' is given twice", key->name);
    else
      seen[count++] = key; // at most as many as the table has
    right = right && !twice;
  }
  return right;
}

static bool may_hold(const pc_key *key, const pc_mapping *mapping)
{
  for (int i = 0; pc_key_mapping(key, i) != NULL; i++)
    if (pc_key_mapping(key, i) == mapping)
      return true;
  return false;
}

// Whether an unknown key of the node, which was complained about, is meant to be this one.
static bool is_misspelt(pc_node node, const pc_mapping *mapping, const char *key)
{
  char words[MAX_WORDS];
  size_t length;
  pc_mapping_words(mapping, words, sizeof words);
  for (int i = 0; i < pc_node_pairs(node); i++) {
    const char *name = pc_node_scalar(pc_pair_key(node, i));
    const char *near = pc_mapping_has(mapping, name) ? NULL : pc_word_nearest(words, name, &length);
    size_t whole = strlen(key), dash = *name == '-';
    if (strncmp(name + dash, key, whole) == 0 && (dash || name[whole] == ':')) // see is_slip
      return true;
    if (near != NULL && strlen(key) == length && strncmp(near, key, length) == 0)
      return true;
  }
  return false;
}

bool pc_read_keys(pc_node *node, const pc_mapping *mapping)
{
  if (!must_be_mapping(*node, mapping->what))
    return false;
  bool right = only_known_keys(*node, mapping);
  if (node->key != NULL && !may_hold(node->key, mapping)) // a mistake of the reader
    pc_complain(*node, "'%s' does not hold %s", node->key->name, mapping->what);
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++)
    if (key->required && pc_node_find_pair(*node, key->name) < 0 && !has_behind(*node, key->name) &&
        !is_misspelt(*node, mapping, key->name)) {
      pc_complain(*node, "%s needs the key '%s'", mapping->what, key->name);
      right = false;
    }
  node->mapping = mapping;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++)
    if (key->with != NULL && pc_is_given(*node, key->name) && !pc_is_given(*node, key->with))
      pc_complain(pc_get(*node, key->name), "'%s' requires '%s'", key->name, key->with);
  return right && !pc_failed(*node);
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
    for (int i = 0; i < pc_node_pairs(*node); i++)
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
  found = pc_pair_value(mapping, pc_node_find_pair(mapping, key));
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

bool pc_is_given(pc_node mapping, const char *key)
{
  return pc_is_present(pc_get(mapping, key));
}

pc_node pc_at(pc_node value, pc_node mapping)
{
  return pc_is_present(value) ? value : mapping;
}
