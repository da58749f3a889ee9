// The values of a document: numbers, words and lists of them, in their ranges.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/plain.h"
#include "scene/document_state.h"

pc_limits pc_any(void)
{
  return (pc_limits){.kind = PC_ANY_FINITE};
}

// [sign] digits [. digits] [e [sign] digits]: pc_read_double alone would take hexadecimal and
// words.
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
  for (; *name && pc_to_lower(*value) == *name; name++)
    value++;
  return *name == 0 && *value == 0;
}

static bool parameter_value(pc_node node, double *value)
{
  const char *name = pc_node_scalar(node) + 1;
  const pc_parameters *parameters = node.document->parameters;
  if (parameters == NULL) {
    pc_complain(node, "'%s' is a parameter, but this file has no parameters",
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

// 0,1 for 0.1
static bool has_comma(const char *text)
{
  const char *comma = strchr(text, ',');
  return comma != NULL && comma != text && strspn(text, "+-0123456789,.eE") == strlen(text);
}

static bool scalar_value(pc_node node, double *value)
{
  const char *text = pc_node_scalar(node);
  if (!pc_node_is_type(node, YAML_SCALAR_NODE) || pc_is_null(node)) {
    pc_complain(node, "%sexpected a number, found %s", pc_node_key(node).text,
                pc_node_text(node).text);
    return false;
  }
  if (text[0] == '$')
    return parameter_value(node, value);
  const char *unsigned_text = text + (*text == '+' || *text == '-');
  if (is_special(unsigned_text, "nan")) {
    pc_complain(node, "%sexpected a number, found '%s'", pc_node_key(node).text,
                pc_node_text(node).text);
    return false;
  }
  if (is_special(unsigned_text, "inf")) {
    *value = *text == '-' ? -INFINITY : INFINITY;
    return true;
  }
  if (!pc_node_is_plain(node) || !looks_like_number(text)) {
    pc_complain(node, "%sexpected a number, found '%s'%s", pc_node_key(node).text,
                pc_node_text(node).text,
                has_comma(text) ? ": write a decimal point, not a comma"
                : !pc_node_is_plain(node) && looks_like_number(text) ? ": remove the quotes"
                                                                     : "");
    return false;
  }
  *value = pc_read_double(text, NULL);
  if (isinf(*value)) {
    pc_complain(node, "%sthe number %s is too large", pc_node_key(node).text,
                pc_node_text(node).text);
    return false;
  }
  return true;
}

// The key of a value as the subject of a sentence; a value without a key is "the value".
static pc_text subject_of(pc_node node)
{
  pc_text text = pc_node_key(node);
  if (text.text[0] == 0)
    snprintf(text.text, sizeof text.text, "the value");
  else
    text.text[strlen(text.text) - 2] = 0; // without ": "
  return text;
}

double pc_read_number_in(pc_node node, pc_limits range)
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
  const pc_text key = subject_of(node);
  if (pc_node_scalar(node)[0] == '$')
    pc_print(shown, sizeof shown, "%s = %g", pc_node_text(node).text, value);
  else
    snprintf(shown, sizeof shown, "%s", pc_node_text(node).text);
  if (!isfinite(value))
    pc_complain(node, "%s must be finite (got %s)", key.text, shown);
  else if (low && range.kind == PC_ABOVE && range.low == 0)
    pc_complain(node, "%s must be positive (got %s)", key.text, shown);
  else if (low && range.low == 0)
    pc_complain(node, "%s must not be negative (got %s)", key.text, shown);
  else if (low)
    pc_complain(node, "%s must be %s %g (got %s)", key.text,
                range.kind == PC_ABOVE ? "greater than" : "at least", range.low, shown);
  else
    pc_complain(node, "%s must be at most %g (got %s)", key.text, range.high, shown);
  return 0;
}

double pc_read_number(pc_node node)
{
  const int numbers =
      PC_A_NUMBER | PC_A_SPIN | PC_NUMBERS | PC_LENGTHS | PC_POINTS; // or in such a list
  return pc_failed(node) ? 0 : pc_read_number_in(node, pc_node_schema(node, numbers)->range);
}

int pc_read_integer_in(pc_node node, int low, int high)
{
  double value = pc_read_number_in(node, pc_any());
  if (pc_failed(node))
    return low;
  if (value != floor(value))
    pc_complain(node, "%sexpected a whole number, found %s", pc_node_key(node).text,
                pc_node_text(node).text);
  else if (value < low || value > high)
    pc_complain(node, "%s must be from %d to %d (got %s)", subject_of(node).text, low, high,
                pc_node_text(node).text);
  else
    return (int)value;
  return low;
}

int pc_read_integer(pc_node node)
{
  if (pc_failed(node))
    return node.key != NULL ? (int)node.key->range.low : 0;
  const pc_limits range = pc_node_schema(node, PC_AN_INTEGER | PC_INTEGERS)->range;
  return pc_read_integer_in(node, (int)range.low, (int)range.high);
}

bool pc_read_boolean(pc_node node)
{
  if (pc_failed(node))
    return false;
  pc_node_schema(node, PC_A_BOOLEAN);
  if (pc_node_is_plain(node)) {
    if (strcmp(pc_node_scalar(node), "true") == 0 || strcmp(pc_node_scalar(node), "True") == 0)
      return true;
    if (strcmp(pc_node_scalar(node), "false") == 0 || strcmp(pc_node_scalar(node), "False") == 0)
      return false;
  }
  pc_complain(node, "%sexpected true or false, found %s", pc_node_key(node).text,
              pc_node_text(node).text);
  return false;
}

int pc_read_count(pc_node node, int low, int high)
{
  char wanted[40];
  if (pc_failed(node))
    return 0;
  if (low == high)
    snprintf(wanted, sizeof wanted, "%d number%s", low, low == 1 ? "" : "s");
  else
    snprintf(wanted, sizeof wanted, "%d to %d numbers", low, high);
  int count = pc_node_items(node);
  if (!pc_is_sequence(node))
    pc_complain(node, "%sexpected a list of %s, found %s", pc_node_key(node).text, wanted,
                pc_node_text(node).text);
  else if (count < low || count > high)
    pc_complain(node, "%sexpected a list of %s, found %d%s", pc_node_key(node).text, wanted, count,
                count == 2 * high ? "; write decimal points, not commas" : "");
  else
    return count;
  return 0;
}

int pc_read_vector_in(pc_node node, int low, int high, pc_limits range, double *vector)
{
  for (int i = 0; i < high; i++)
    vector[i] = 0;
  int count = pc_read_count(node, low, high);
  for (int i = 0; i < count; i++)
    vector[i] = pc_read_number_in(pc_item(node, i), range);
  return count;
}

int pc_read_vector(pc_node node, int low, int high, double *vector)
{
  const int lists = PC_A_SPIN | PC_NUMBERS | PC_POINTS;
  pc_limits range = pc_failed(node) ? pc_any() : pc_node_schema(node, lists)->range;
  return pc_read_vector_in(node, low, high, range, vector);
}

int pc_read_word_of(pc_node node, const char *what, const char *words)
{
  if (pc_failed(node))
    return -1;
  size_t length;
  int k = 0;
  const char *list = words, *word, *value = pc_node_scalar(node);
  while ((word = pc_word_next(&list, &length)) != NULL) {
    if (strlen(value) == length && strncmp(value, word, length) == 0)
      return k;
    k++;
  }
  pc_complain_of_word(node, what, "known", words);
  return -1;
}

int pc_read_word(pc_node node)
{
  if (pc_failed(node))
    return -1;
  const pc_key *key = pc_node_schema(node, PC_A_WORD);
  char words[400];
  pc_words_text(key->words, words, sizeof words);
  int found = pc_read_word_of(node, key->noun, words);
  return found >= 0 ? key->words[found].value : -1;
}

const char *pc_read_string(pc_node node)
{
  if (pc_failed(node))
    return "";
  if (!pc_node_is_type(node, YAML_SCALAR_NODE))
    pc_complain(node, "expected a text, found %s", pc_node_text(node).text);
  return pc_node_scalar(node);
}

const char *pc_read_name(pc_node node)
{
  if (pc_failed(node))
    return "";
  const char *value = pc_node_scalar(node);
  size_t length = pc_node_length(node);
  if (!pc_node_is_type(node, YAML_SCALAR_NODE) || pc_is_null(node) || length == 0)
    pc_complain(node, "expected a name, found %s", pc_node_text(node).text);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)value[i] < 0x20 || value[i] == 0x7f) {
      pc_complain(node, "a name must not contain control characters: '%s'",
                  pc_node_text(node).text);
      break;
    }
  return value;
}

const char *pc_read_label(pc_node node)
{
  const char *name = pc_read_name(node);
  if (!pc_failed(node) && strlen(name) > 60)
    pc_complain(node, "the name is too long: at most 60 bytes are allowed");
  return name;
}
