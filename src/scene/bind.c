#include "scene/bind.h"

#include <stdlib.h>
#include <string.h>

#include "core/plain.h"
#include "scene/document_state.h"

// "[0, 0, -9.81]" or "1e-4" of a table; how many numbers there are.
static int parse_numbers(const char *text, double *numbers, int most)
{
  int count = 0;
  for (const char *at = text + strspn(text, "[ "); count < most;) {
    char *end;
    double value = pc_read_double(at, &end);
    if (end == at)
      break;
    numbers[count++] = value;
    at = end + strspn(end, ", ");
  }
  return count;
}

// Vectors of the tables are those of space, whose third number is the height. In the plane that is
// the second.
static void take_default_numbers(pc_node node, double *to, int room)
{
  double number[6] = {0};
  int count = parse_numbers(node.key->otherwise, number, 6);
  bool of_dimension = node.key->count[0] == 0 && (node.key->forms & PC_A_SPIN) == 0;
  if (of_dimension && count == 3 && pc_node_dimension(node) == 2) {
    number[1] = number[2];
    number[2] = 0;
  }
  for (int i = 0; i < room; i++)
    to[i] = count == 1 ? number[0] : i < count ? number[i] : 0;
}

static int find_word(const pc_key *key)
{
  for (const pc_word *at = key->words; at != NULL && at->word != NULL; at++)
    if (strcmp(at->word, key->otherwise) == 0)
      return at->value;
  return 0;
}

static void take_default(pc_node node, void *to)
{
  const pc_key *key = node.key;
  bool word = (key->forms & PC_A_WORD) != 0;
  double number = 0;
  switch (key->field.type) {
  case PC_DOUBLE_FIELD:
    parse_numbers(key->otherwise, to, 1);
    break;
  case PC_DOUBLES_FIELD:
    take_default_numbers(node, to, (int)(key->field.size / sizeof(double)));
    break;
  case PC_INT_FIELD:
    parse_numbers(key->otherwise, &number, 1);
    *(int *)to = word ? find_word(key) : (int)number;
    break;
  case PC_INTS_FIELD:
    parse_numbers(key->otherwise, &number, 1);
    for (size_t i = 0; i < key->field.size / sizeof(int); i++)
      ((int *)to)[i] = (int)number;
    break;
  case PC_BOOL_FIELD:
    *(bool *)to = word ? find_word(key) != 0 : strcmp(key->otherwise, "true") == 0;
    break;
  case PC_TEXT_FIELD:
    *(const char **)to = key->otherwise;
    break;
  default:
    break;
  }
}

// How many numbers a list of this key has, at least and at most.
static void count_numbers(pc_node node, int count[2])
{
  bool given = node.key->count[0] > 0;
  count[0] = given ? node.key->count[0] : pc_node_dimension(node);
  count[1] = given ? node.key->count[1] : count[0];
}

static void read_numbers(pc_node node, double *to, int room)
{
  int count[2];
  count_numbers(node, count);
  bool in_list = (node.key->forms & PC_A_NUMBER) == 0 || pc_is_sequence(node);
  for (int i = 0; i < room; i++) // in the plane the third number is 0
    to[i] = 0;
  if ((node.key->forms & PC_A_SPIN) != 0 && pc_node_dimension(node) == 2) {
    to[2] = pc_read_number(node);
  } else if (in_list) {
    pc_read_vector(node, count[0], count[1] < room ? count[1] : room, to);
  } else {
    double all = pc_read_number(node);
    for (int i = 0; i < room; i++)
      to[i] = all;
  }
}

static void read_integers(pc_node node, int *to, int room)
{
  int count[2];
  count_numbers(node, count);
  int given = pc_read_count(node, count[0], count[1]);
  for (int i = 0; i < given && i < room; i++)
    to[i] = pc_read_integer(pc_item(node, i));
}

static const char *read_text(pc_node node)
{
  const pc_key *key = node.key;
  if ((key->forms & PC_A_WORD) == 0)
    return (key->forms & PC_A_TEXT) != 0 ? pc_read_string(node) : pc_read_name(node);
  int value = pc_read_word(node);
  for (const pc_word *at = key->words; at->word != NULL && value >= 0; at++)
    if (strcmp(at->word, pc_node_scalar(node)) == 0)
      return at->word;
  return "";
}

static void read_value(pc_node node, void *to)
{
  const pc_key_field *field = &node.key->field;
  bool word = (node.key->forms & PC_A_WORD) != 0;
  int value = word && field->type != PC_TEXT_FIELD ? pc_read_word(node) : 0;
  if (value < 0)
    return;
  switch (field->type) {
  case PC_DOUBLE_FIELD:
    *(double *)to = pc_read_number(node);
    break;
  case PC_DOUBLES_FIELD:
    read_numbers(node, to, (int)(field->size / sizeof(double)));
    break;
  case PC_INT_FIELD:
    *(int *)to = word ? value : pc_read_integer(node);
    break;
  case PC_INTS_FIELD:
    read_integers(node, to, (int)(field->size / sizeof(int)));
    break;
  case PC_BOOL_FIELD:
    *(bool *)to = word ? value != 0 : pc_read_boolean(node);
    break;
  case PC_TEXT_FIELD:
    *(const char **)to = read_text(node);
    break;
  default:
    break;
  }
}

void pc_read_number_or_default(pc_node node, double *number)
{
  if (pc_is_present(node))
    *number = pc_read_number(node);
  else
    parse_numbers(node.key->otherwise, number, 1);
}

// Fills the fields of this type of struct; NULL: all fields.
static void fill(pc_node node, const pc_mapping *mapping, const char *type, void *into)
{
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++) {
    void *to = (char *)into + key->field.at;
    pc_node value = {.document = node.document};
    if (key->field.type == PC_NO_FIELD || (type != NULL && strcmp(key->field.of, type) != 0))
      continue;
    if (pc_is_present(node))
      value = pc_get(node, key->name);
    value.key = key;
    if (key->field.type == PC_NODE_FIELD)
      *(pc_node *)to = value;
    else if (pc_is_present(value))
      read_value(value, to);
    else if (key->otherwise != NULL)
      take_default(value, to);
  }
}

pc_node pc_field_node(pc_node mapping, const char *type, size_t at)
{
  const pc_key *key;
  for (int i = 0; !pc_failed(mapping) && (key = pc_mapping_key(mapping.mapping, i)) != NULL; i++)
    if (key->field.type != PC_NO_FIELD && key->field.at == at && strcmp(key->field.of, type) == 0)
      return pc_get(mapping, key->name);
  return (pc_node){.document = mapping.document};
}

bool pc_bind_type(pc_node *node, const pc_mapping *mapping, const char *type, void *into)
{
  if (pc_is_present(*node) && node->mapping != mapping && !pc_read_keys(node, mapping))
    return false;
  fill(*node, mapping, type, into);
  return !pc_failed(*node);
}

bool pc_bind(pc_node *node, const pc_mapping *mapping, void *into)
{
  return pc_bind_type(node, mapping, NULL, into);
}

int pc_bind_variant(pc_node *node, const char *what, const char *tag, void *into)
{
  int found = pc_read_variant(node, what, tag);
  if (found >= 0)
    fill(*node, node->mapping, NULL, into);
  return found;
}
