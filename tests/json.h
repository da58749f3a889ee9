// A strict reader of JSON for tests: is a text one value, and what is at a path in it?
#ifndef PERCUSS_TESTS_JSON_H
#define PERCUSS_TESTS_JSON_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct json_text {
  const char *at;
  const char *why;   // it is not JSON; NULL: so far it is
  const char *found; // the value at the path; NULL: nothing there
  size_t found_length;
} json_text;

static inline bool json_fail(json_text *t, const char *why)
{
  if (t->why == NULL)
    t->why = why;
  return false;
}

static inline void json_skip_space(json_text *t)
{
  t->at += strspn(t->at, " \t\r\n");
}

static inline bool json_escape(json_text *t)
{
  if (*t->at == 'u') {
    for (int i = 1; i <= 4; i++)
      if (!isxdigit((unsigned char)t->at[i]))
        return json_fail(t, "a bad escape");
    t->at += 4;
  } else if (*t->at == 0 || strchr("\"\\/bfnrt", *t->at) == NULL) {
    return json_fail(t, "a bad escape");
  }
  t->at++;
  return true;
}

static inline bool json_string(json_text *t)
{
  if (*t->at != '"')
    return json_fail(t, "expected a string");
  t->at++;
  while (*t->at != '"') {
    if ((unsigned char)*t->at < 0x20)
      return json_fail(t, "a control character in a string");
    if (*t->at++ == '\\' && !json_escape(t))
      return false;
  }
  t->at++;
  return true;
}

static inline bool json_digits(json_text *t)
{
  if (!isdigit((unsigned char)*t->at))
    return json_fail(t, "expected a digit");
  while (isdigit((unsigned char)*t->at))
    t->at++;
  return true;
}

static inline bool json_number(json_text *t)
{
  t->at += *t->at == '-';
  if (*t->at == '0')
    t->at++;
  else if (!json_digits(t))
    return false;
  if (*t->at == '.') {
    t->at++;
    if (!json_digits(t))
      return false;
  }
  if (*t->at == 'e' || *t->at == 'E') {
    t->at++;
    t->at += *t->at == '-' || *t->at == '+';
    return json_digits(t);
  }
  return true;
}

static inline bool json_value(json_text *t, char *const *path);

// Members of an object or a list; the path goes into the one that it names.
static inline bool json_members(json_text *t, char *const *path, char close)
{
  t->at++;
  json_skip_space(t);
  for (int i = 0; *t->at != close; i++) {
    char name[200];
    if (i > 0 && *t->at++ != ',')
      return json_fail(t, "expected a comma");
    json_skip_space(t);
    snprintf(name, sizeof name, "%d", i);
    if (close == '}') {
      const char *start = t->at;
      if (!json_string(t))
        return false;
      snprintf(name, sizeof name, "%.*s", (int)(t->at - start - 2), start + 1);
      json_skip_space(t);
      if (*t->at++ != ':')
        return json_fail(t, "expected a colon");
    }
    bool here = path != NULL && *path != NULL && strcmp(*path, name) == 0;
    if (!json_value(t, here ? path + 1 : NULL))
      return false;
    json_skip_space(t);
  }
  t->at++;
  return true;
}

static inline bool json_word(json_text *t)
{
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++)
    if (strncmp(t->at, words[i], strlen(words[i])) == 0) {
      t->at += strlen(words[i]);
      return true;
    }
  return json_number(t);
}

static inline bool json_value(json_text *t, char *const *path)
{
  json_skip_space(t);
  const char *start = t->at;
  bool fine = *t->at == '{'   ? json_members(t, path, '}')
              : *t->at == '[' ? json_members(t, path, ']')
              : *t->at == '"' ? json_string(t)
                              : json_word(t);
  if (fine && path != NULL && *path == NULL) {
    t->found = start;
    t->found_length = (size_t)(t->at - start);
  }
  return fine;
}

// Reads a text that is one value; `path` ends with NULL, and may be NULL itself.
static inline json_text json_read(const char *text, size_t size, char *const *path)
{
  json_text t = {.at = text};
  if (!json_value(&t, path))
    return t;
  json_skip_space(&t);
  if (t.at != text + size)
    json_fail(&t, "something follows the value");
  return t;
}

#endif
