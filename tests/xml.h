// A strict reader of small XML documents, for tests: it fails on anything that is not well formed
// and hands out elements with their attributes and text.
#ifndef PERCUSS_TESTS_XML_H
#define PERCUSS_TESTS_XML_H

#include "support.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

typedef struct xml_element {
  const char *tag, *attributes; // attributes as they are written
  const char *text;             // before its first child, escapes taken out
  int depth;
} xml_element;

enum { XML_MOST = 6000 };
typedef struct xml {
  char *source, *pool;
  int count;
  xml_element element[XML_MOST];
} xml;

static inline const char *xml_keep(xml *x, const char *from, const char *to)
{
  char *start = x->pool;
  while (from < to) {
    static const char *const escapes[] = {"&amp;",  "&lt;",  "&gt;", "&quot;",
                                          "&apos;", "&#10;", "&#9;", "&#13;"};
    if (*from == '<')
      fail_msg("a bare < in text");
    if (*from != '&') {
      if ((unsigned char)*from < 0x20 && *from != '\n')
        fail_msg("a control character");
      *x->pool++ = *from++;
      continue;
    }
    int k = 0;
    while (k < 8 && strncmp(from, escapes[k], strlen(escapes[k])) != 0)
      k++;
    if (k == 8)
      fail_msg("an & that is no escape: %.10s", from);
    *x->pool++ = "&<>\"'\n\t\r"[k];
    from += strlen(escapes[k]);
  }
  *x->pool++ = 0;
  return start;
}

// The value of an attribute, NULL if it has none. Overwritten by the fourth call after.
static inline const char *xml_attribute(const xml_element *e, const char *name)
{
  static char buffers[4][4096];
  static int turn;
  size_t length = strlen(name);
  for (const char *at = e->attributes; (at = strstr(at, name)) != NULL; at++)
    if ((at == e->attributes || at[-1] == ' ') && at[length] == '=' && at[length + 1] == '"') {
      const char *end = strchr(at + length + 2, '"');
      char *buffer = buffers[turn++ % 4];
      snprintf(buffer, sizeof buffers[0], "%.*s", (int)(end - at - (long)length - 2),
               at + length + 2);
      return buffer;
    }
  return NULL;
}

static inline double xml_number(const xml_element *e, const char *name)
{
  const char *text = xml_attribute(e, name);
  if (text == NULL)
    fail_msg("%s has no %s", e->tag, name);
  return strtod(text, NULL);
}

// Attributes are name="value" with one space before each; names do not repeat.
static inline void xml_check_attributes(const char *text)
{
  while (*text != 0) {
    size_t name = strcspn(text, "= \"<&");
    if (name == 0 || text[name] != '=' || text[name + 1] != '"')
      fail_msg("attributes '%s'", text);
    const char *end = strchr(text + name + 2, '"');
    if (end == NULL)
      fail_msg("an attribute does not end: %s", text);
    for (const char *other = end; (other = strchr(other + 1, ' ')) != NULL;)
      if (strncmp(other + 1, text, name + 1) == 0)
        fail_msg("twice the attribute %.*s", (int)name, text);
    text = end + 1;
    text += *text == ' ';
  }
}

static inline xml *xml_read(const char *path)
{
  xml *x = calloc(1, sizeof *x);
  FILE *file = fopen(path, "rb");
  if (x == NULL || file == NULL)
    fail_msg("%s cannot be read", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  x->source = calloc(1, (size_t)size + 1);
  char *pool = x->pool = malloc(2 * (size_t)size + 100000);
  if (fread(x->source, 1, (size_t)size, file) != (size_t)size)
    fail_msg("%s cannot be read", path);
  fclose(file);
  if ((long)strlen(x->source) != size)
    fail_msg("a zero byte");
  const char *at = x->source, *open[64];
  int depth = 0, roots = 0;
  if (strncmp(at, "<?xml ", 6) == 0)
    at = strstr(at, "?>") + 2;
  while (*at != 0) {
    if (*at != '<') {
      const char *next = strchr(at, '<');
      next = next != NULL ? next : at + strlen(at);
      const char *text = xml_keep(x, at, next);
      if (depth == 0 && strspn(text, "\n ") != strlen(text))
        fail_msg("text outside the root: %s", text);
      at = next;
      continue;
    }
    const char *end = strchr(at, '>');
    if (end == NULL)
      fail_msg("a tag does not end");
    if (at[1] == '/') {
      if (depth == 0 || strncmp(open[depth - 1], at + 2, (size_t)(end - at) - 2) != 0 ||
          strlen(open[depth - 1]) != (size_t)(end - at) - 2)
        fail_msg("%.20s closes nothing", at);
      depth--;
    } else {
      bool empty = end[-1] == '/';
      size_t name = strcspn(at + 1, " />");
      if (!isalpha((unsigned char)at[1]) || x->count == XML_MOST || depth == 64)
        fail_msg("a tag %.20s", at);
      xml_element *e = &x->element[x->count++];
      const char *from = at + 1 + name;
      e->depth = depth;
      roots += depth == 0;
      e->tag = xml_keep(x, at + 1, from);
      e->attributes = xml_keep(x, from + (*from == ' '), end - empty);
      xml_check_attributes(e->attributes);
      const char *text_end = strchr(end, '<');
      e->text = empty ? "" : xml_keep(x, end + 1, text_end != NULL ? text_end : end + 1);
      if (!empty)
        open[depth++] = e->tag;
    }
    at = end + 1;
  }
  if (depth != 0 || roots != 1)
    fail_msg("%d elements do not end, %d roots", depth, roots);
  x->pool = pool;
  return x;
}

static inline void xml_free(xml *x)
{
  free(x->source);
  free(x->pool);
  free(x);
}

#endif
