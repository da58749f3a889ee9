// What else is wrong in a document that has failed. The reader stopped where it could not go on;
// here every value is held against the tables alone, with the functions that readers use.
#include <string.h>

#include "scene/document_state.h"

enum {
  MOST_VALUES = 1 << 20, // are looked at: aliases can make a small file endless
  SCALARS = PC_A_NUMBER | PC_AN_INTEGER | PC_A_BOOLEAN | PC_A_WORD | PC_A_TEXT | PC_A_NAME |
            PC_A_FILE | PC_A_SPIN,
  TEXTS = PC_A_TEXT | PC_A_NAME | PC_A_FILE,
  LISTS = PC_NUMBERS | PC_INTEGERS | PC_LENGTHS | PC_POINTS | PC_NAMES | PC_FILES | PC_A_LIST |
          PC_VALUES
};

typedef struct search {
  pc_document *document; // the foremost
  int values;            // that were looked at
} search;

static bool is_over(search *s)
{
  return ++s->values > MOST_VALUES || s->document->found.count >= PC_REMARKS_MOST ||
         s->document->complaint.status != PC_OK; // memory is out
}

// Identifications may have `$name` for any number, and its range is known to their reader alone.
static bool is_parameter(const search *s, pc_node node)
{
  const pc_key *key = pc_mapping_find(s->document->mapping, "unknowns", strlen("unknowns"));
  return key != NULL && pc_node_scalar(node)[0] == '$';
}

static void check_value(search *s, pc_node node, int depth);

static void check_keys(search *s, pc_node node, const pc_mapping *mapping, int depth)
{
  pc_read_keys(&node, mapping);
  for (int i = 0; i < pc_node_pairs(node) && !is_over(s); i++) {
    pc_node name = pc_pair_key(node, i), value = pc_pair_value(node, i);
    value.key = pc_mapping_find(mapping, pc_node_scalar(name), pc_node_length(name));
    if (value.key != NULL)
      check_value(s, value, depth + 1);
  }
}

// The key whose one word tells variants apart; NULL: there is none.
static const char *find_tag(const pc_mapping *const *variants)
{
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(variants[0], i)) != NULL; i++)
    if (key->required && key->words != NULL && key->words[0].word != NULL &&
        key->words[1].word == NULL &&
        (variants[1] == NULL || pc_mapping_has(variants[1], key->name)))
      return key->name;
  return NULL;
}

// Without such a key: the variant that has most keys of the node, in the plane the last of them.
static int find_likeliest(pc_node node, const pc_mapping *const *variants)
{
  int best = -1, most = -1;
  for (int i = 0; variants[i] != NULL; i++) {
    int known = 0;
    for (int k = 0; k < pc_node_pairs(node); k++)
      known += pc_mapping_has(variants[i], pc_node_scalar(pc_pair_key(node, k)));
    if (known > most || (known == most && pc_node_dimension(node) == 2)) {
      best = i;
      most = known;
    }
  }
  return best;
}

// A mapping in the place of a value, or of an entry of its list.
static void check_mapping(search *s, pc_node node, int depth)
{
  const pc_key *key = node.key;
  if (key->variants == NULL) {
    check_keys(s, node, key->mapping, depth);
    return;
  }
  if (!pc_is_mapping(node))
    return;
  const char *tag = find_tag(key->variants);
  int found = tag == NULL ? find_likeliest(node, key->variants) : -1;
  pc_node word = pc_pair_value(node, tag != NULL ? pc_node_find_pair(node, tag) : -1);
  for (int i = 0; pc_is_present(word) && key->variants[i] != NULL; i++)
    if (strcmp(pc_mapping_find(key->variants[i], tag, strlen(tag))->words->word,
               pc_node_scalar(word)) == 0)
      found = i;
  if (found < 0 && pc_is_present(word))
    pc_read_variant(&node, "this", tag); // which says that the word is none of those
  if (found >= 0)
    check_keys(s, node, key->variants[found], depth);
}

static void check_text(pc_node node)
{
  if (node.key->forms & (PC_A_NAME | PC_A_FILE))
    pc_read_name(node);
  else
    pc_read_string(node);
}

// Where a key may be one of several simple things, its reader knows which.
static void check_scalar(search *s, pc_node node)
{
  int forms = node.key->forms & SCALARS;
  bool nothing = pc_is_null(node) && (node.key->forms & (PC_NOTHING | PC_GAPS)) != 0;
  if (nothing || is_parameter(s, node))
    return;
  if ((forms & TEXTS) != 0)
    check_text(node);
  else if (forms == PC_A_NUMBER || forms == PC_A_SPIN)
    pc_read_number(node);
  else if (forms == PC_AN_INTEGER)
    pc_read_integer(node);
  else if (forms == PC_A_BOOLEAN)
    pc_read_boolean(node);
  else if (forms == PC_A_WORD)
    pc_read_word(node);
}

// Whether a list of numbers has as many as the key says; how many.
static int count_numbers(pc_node node)
{
  const pc_key *key = node.key;
  int least = key->count[0] > 0 ? key->count[0] : pc_node_dimension(node);
  if ((key->forms & PC_A_SPIN) != 0)
    least = 3;
  return pc_read_count(node, least, key->count[0] > 0 ? key->count[1] : least);
}

static void check_numbers(search *s, pc_node node)
{
  bool whole = (node.key->forms & PC_INTEGERS) != 0;
  int count = count_numbers(node);
  for (int i = 0; i < count && !is_over(s); i++) {
    pc_node item = pc_item(node, i);
    bool gap = (node.key->forms & PC_GAPS) != 0 && pc_is_null(item);
    if (gap || is_parameter(s, item))
      continue;
    if (whole)
      pc_read_integer(item);
    else
      pc_read_number(item);
  }
}

static void check_items(search *s, pc_node node, int depth)
{
  int forms = node.key->forms;
  if ((forms & PC_VALUES) != 0)
    return;
  if ((forms & (PC_NUMBERS | PC_INTEGERS | PC_A_SPIN)) != 0 && (forms & PC_POINTS) == 0) {
    check_numbers(s, node);
    return;
  }
  for (int i = 0; i < pc_node_items(node) && !is_over(s); i++) {
    pc_node item = pc_item(node, i);
    if ((forms & PC_POINTS) != 0 && (forms & PC_NUMBERS) == 0)
      check_numbers(s, item);
    else if ((forms & PC_LENGTHS) != 0 && !pc_is_mapping(item))
      pc_read_number(item);
    else if (pc_is_mapping(item) && pc_key_mapping(node.key, 0) != NULL)
      check_mapping(s, item, depth);
    else if ((forms & PC_A_LIST) != 0 && (forms & (PC_A_NAME | PC_NAMES)) == 0)
      check_mapping(s, item, depth);
    else if ((forms & (PC_NAMES | PC_FILES)) != 0)
      pc_read_name(item);
  }
}

// Names of the file's own, and what each stands for.
static void check_pairs(search *s, pc_node node, int depth)
{
  for (int i = 0; i < pc_node_pairs(node) && !is_over(s); i++) {
    pc_node value = pc_pair_value(node, i);
    if (pc_is_mapping(value) && pc_key_mapping(node.key, 0) != NULL)
      check_mapping(s, value, depth);
  }
}

static void check_value(search *s, pc_node node, int depth)
{
  int forms = node.key->forms;
  bool list = pc_is_sequence(node), mapping = pc_is_mapping(node);
  if (depth > PC_DOCUMENT_DEPTH || is_over(s))
    return;
  if (list && (forms & (LISTS | PC_A_SPIN)) != 0)
    check_items(s, node, depth);
  else if (mapping && (forms & PC_PAIRS) != 0)
    check_pairs(s, node, depth);
  else if (mapping && (forms & PC_A_MAPPING) != 0)
    check_mapping(s, node, depth);
  else if ((forms & SCALARS) != 0 && (list || mapping ? (forms & PC_LENGTHS) == 0 : true))
    check_scalar(s, node);
  else if ((forms & LISTS) != 0 && !pc_is_null(node))
    pc_entries_of(node); // which says that it is no list
  else if ((forms & PC_A_MAPPING) != 0 && !pc_is_null(node) && node.key->mapping != NULL)
    pc_read_keys(&node, node.key->mapping);
}

static int by_line(const void *a, const void *b)
{
  const pc_remark *one = a, *two = b;
  const pc_document *first = pc_document_foremost(one->node.document);
  bool same = one->node.document == two->node.document;
  if (!same) // this file before those it is based on
    for (const pc_document *at = first; at != NULL; at = at->base)
      if (at == one->node.document || at == two->node.document)
        return at == one->node.document ? -1 : 1;
  return (one->line > two->line) - (one->line < two->line);
}

void pc_document_find_rest(pc_document *document)
{
  const pc_error first = document->complaint;
  search s = {.document = document};
  if (!pc_document_set_aside(document))
    return;
  document->lists = true;
  for (pc_document *at = document; at != NULL && document->mapping != NULL; at = at->base)
    check_keys(&s, pc_document_root(at), document->mapping, 0);
  document->lists = false;
  document->complaint = first;
  // A sort that keeps the order of what is on one line.
  pc_remark *found = document->found.at;
  for (int i = 1; i < document->found.count; i++)
    for (int k = i; k > 0 && by_line(&found[k - 1], &found[k]) > 0; k--) {
      pc_remark other = found[k];
      found[k] = found[k - 1];
      found[k - 1] = other;
    }
}
