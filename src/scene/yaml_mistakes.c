#include "scene/yaml_mistakes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/plain.h"

// The text, and where libyaml gave up: lines are counted from 0.
typedef struct mistake {
  const char *text, *problem, *context;
  size_t size;
  long line, column, began; // `began`: where what it was reading starts
  char *message;
  size_t room;
} mistake;

typedef struct row {
  const char *at;
  int length, indent; // without the newline; blanks at its start
} row;

// A line of the text; of length 0 where there is none.
static row line_at(const mistake *m, long number)
{
  const char *at = m->text, *end = m->text + m->size;
  for (; number > 0 && at < end; number--) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    at = next != NULL ? next + 1 : end;
  }
  const char *stop = number < 0 || at >= end ? at : memchr(at, '\n', (size_t)(end - at));
  row line = {.at = at, .length = (int)((stop != NULL ? stop : end) - at)};
  while (line.indent < line.length && pc_is_space(at[line.indent]))
    line.indent++;
  return line;
}

static bool is_blank(row line)
{
  return line.indent >= line.length || line.at[line.indent] == '#';
}

// The last line before this one that says something, or -1.
static long line_before(const mistake *m, long number)
{
  do
    number--;
  while (number >= 0 && is_blank(line_at(m, number)));
  return number;
}

static bool has(const char *text, const char *part)
{
  return text != NULL && strstr(text, part) != NULL;
}

static bool is_word_letter(char c)
{
  return pc_is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// The first word of a line, behind the dash of a list; its length.
static int first_word(row line, const char **word)
{
  int at = line.indent;
  if (at + 1 < line.length && line.at[at] == '-' && line.at[at + 1] == ' ')
    at += 2;
  *word = line.at + at;
  int length = 0;
  while (at + length < line.length && is_word_letter((*word)[length]))
    length++;
  return length;
}

// At most so many bytes, without cutting a UTF-8 character.
static int cut(const char *text, long length, int most)
{
  int n = length < most ? (int)length : most;
  while (n < length && n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
    n--;
  return n;
}

// Says what the line begins with and what it should begin with. False: it is something else.
static bool explain_word(mistake *m, long number)
{
  const char *word;
  row line = line_at(m, number);
  int length = first_word(line, &word);
  const char *end = line.at + line.length, *rest = word + length;
  while (rest < end && *rest == ' ')
    rest++;
  if (length == 0 || length > 40)
    return false;
  if (word[0] == '-' && length > 1)
    snprintf(m->message, m->room, "a space is missing after the dash: '- %.*s'", length - 1,
             word + 1);
  else if (rest == word + length && end - rest > 1 && rest[0] == ':' && rest[1] != ' ')
    snprintf(m->message, m->room, "a space is missing after the colon: '%.*s: %.*s'", length, word,
             cut(rest + 1, end - rest - 1, 30), rest + 1);
  else if (end - rest > 0 && *rest == '=')
    snprintf(m->message, m->room, "'%.*s' needs a colon, not '=': '%.*s: ...'", length, word,
             length, word);
  else if (rest == end || (*rest != ':' && number != m->line))
    snprintf(m->message, m->room, "'%.*s' has no colon: expected '%.*s: ...'", length, word, length,
             word);
  else
    return false;
  m->line = number;
  return true;
}

static bool explain_tab(mistake *m)
{
  for (long number = m->line; number >= m->began && number >= m->line - 1; number--) {
    row line = line_at(m, number);
    if (memchr(line.at, '\t', (size_t)line.indent) == NULL)
      continue;
    m->line = number;
    snprintf(m->message, m->room, "this line is indented with a tab; use spaces");
    return true;
  }
  return false;
}

static int count_quotes(row line, char quote)
{
  int count = 0;
  for (int i = 0; i < line.length; i++)
    count += line.at[i] == quote;
  return count;
}

// A quote that is open until the end, or until the next quote of the same kind.
static bool explain_quote(mistake *m)
{
  if (has(m->context, "quoted scalar")) {
    m->line = m->began;
    snprintf(m->message, m->room, "this quote is never closed");
    return true;
  }
  row line = line_at(m, m->line);
  bool inside = m->column > line.indent && m->column <= line.length;
  char before = inside ? line.at[m->column - 1] : 0;
  if (!has(m->problem, "did not find expected key") || !inside)
    return false;
  for (int i = (int)m->column - 1; i > 0 && before == ' '; i--)
    before = line.at[i - 1];
  if (before != '"' && before != '\'')
    return false;
  long opened = m->line;
  for (long number = m->line - 1; number >= 0 && opened == m->line; number--)
    if (count_quotes(line_at(m, number), before) % 2 == 1)
      opened = number;
  if (opened < m->line) {
    m->line = opened;
    snprintf(m->message, m->room, "this quote is never closed");
  } else {
    snprintf(m->message, m->room, "there is text after the closing quote%s",
             before == '\'' ? "; double an apostrophe inside '...', or use \"...\"" : "");
  }
  return true;
}

static bool explain_bracket(mistake *m)
{
  bool list = has(m->context, "flow sequence");
  if (!list && !has(m->context, "flow mapping"))
    return false;
  snprintf(m->message, m->room, "a ',' or '%c' is missing: '%c' was opened in line %ld",
           list ? ']' : '}', list ? '[' : '{', m->began + 1);
  return true;
}

// The column in which the keys of a line begin: behind the dash of a list.
static int key_column(row line)
{
  bool dash = line.indent + 1 < line.length && line.at[line.indent] == '-' &&
              line.at[line.indent + 1] == ' ';
  return line.indent + (dash ? 2 : 0);
}

static bool explain_colon(mistake *m)
{
  const char *word;
  row line = line_at(m, m->line);
  if (!has(m->problem, "mapping values are not allowed"))
    return false;
  long above = line_before(m, m->line);
  int length = first_word(line, &word);
  bool first = word + length == line.at + m->column; // the colon of the key that begins the line
  if (!first) {
    snprintf(m->message, m->room,
             "a second ': ' in this line; put a text that contains ': ' in quotes");
    return true;
  }
  if (above < 0 || explain_word(m, above))
    return above >= 0;
  row other = line_at(m, above);
  snprintf(m->message, m->room,
           "'%.*s' begins in column %d, the key above in column %d; keys of one mapping must begin "
           "in the same column",
           length < 40 ? length : 40, word, key_column(line) + 1, key_column(other) + 1);
  return true;
}

static bool explain_indent(mistake *m)
{
  row line = line_at(m, m->line);
  bool list = has(m->problem, "expected '-' indicator");
  if (!list && !has(m->problem, "did not find expected key"))
    return false;
  if (list && line.at[line.indent] != '-')
    snprintf(m->message, m->room,
             "expected an entry of the list of line %ld: its entries begin with '- ' in column %d "
             "and their "
             "keys in column %d, but this line begins in column %d",
             m->began + 1, line_at(m, m->began).indent + 1, line_at(m, m->began).indent + 3,
             line.indent + 1);
  else
    snprintf(m->message, m->room, "wrong indentation: no list or mapping above begins in column %d",
             line.indent + 1);
  return true;
}

static bool explain_character(mistake *m)
{
  row line = line_at(m, m->line);
  if (!has(m->problem, "cannot start any token") || m->column >= line.length)
    return false;
  snprintf(m->message, m->room, "put a text that begins with '%c' in quotes", line.at[m->column]);
  return true;
}

// A key without its colon: the line in which it is, or one that follows.
static bool explain_key(mistake *m)
{
  if (!has(m->problem, "expected ':'"))
    return false;
  for (long number = m->began; number <= m->line; number++)
    if (!is_blank(line_at(m, number)) && explain_word(m, number))
      return true;
  return false;
}

long pc_yaml_explain(const yaml_parser_t *parser, const char *text, size_t size, char *message,
                     size_t room)
{
  static bool (*const explain[])(mistake *) = {explain_tab,      explain_quote, explain_bracket,
                                               explain_key,      explain_colon, explain_indent,
                                               explain_character};
  bool begun = parser->context != NULL && parser->context_mark.line <= parser->problem_mark.line;
  mistake m = {.text = text,
               .size = size,
               .problem = parser->problem,
               .context = parser->context,
               .line = (long)parser->problem_mark.line,
               .column = (long)parser->problem_mark.column,
               .message = message,
               .room = room};
  m.began = begun ? (long)parser->context_mark.line : m.line;
  bool known = false;
  for (int i = 0; i < PC_COUNT(explain) && !known; i++)
    known = explain[i](&m);
  if (!known)
    snprintf(message, room, "%s%s%s", m.problem != NULL ? m.problem : "unreadable text",
             m.context != NULL ? " " : "", m.context != NULL ? m.context : "");
  // The end of a text without a last newline is on its last line, not behind it.
  long lines = 1;
  for (size_t i = 0; i + 1 < size; i++)
    lines += text[i] == '\n';
  return m.line + 1 < lines ? m.line + 1 : lines;
}
