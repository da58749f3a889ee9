// For the tests of the program: is stdin one JSON value, and what is at a path in it?
//
//     json_get                        exit 0 if stdin is strict JSON
//     json_get bodies 0 velocity 1    prints that value as it is written
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;    // where the parser is
static char **path;       // what is left of the path; NULL: not looking
static const char *found; // the value at the path
static size_t found_length;

static void fail(const char *why)
{
  fprintf(stderr, "json_get: %s at '%.40s'\n", why, at);
  exit(1);
}

static void skip_space(void)
{
  at += strspn(at, " \t\r\n");
}

static void parse_string(void)
{
  if (*at++ != '"')
    fail("expected a string");
  while (*at != '"') {
    if ((unsigned char)*at < 0x20)
      fail("a control character in a string");
    if (*at++ != '\\')
      continue;
    if (*at == 'u') {
      for (int i = 1; i <= 4; i++)
        if (!isxdigit((unsigned char)at[i]))
          fail("a bad escape");
      at += 4;
    } else if (*at == 0 || strchr("\"\\/bfnrt", *at) == NULL) {
      fail("a bad escape");
    }
    at++;
  }
  at++;
}

static void digits(void)
{
  if (!isdigit((unsigned char)*at))
    fail("expected a digit");
  while (isdigit((unsigned char)*at))
    at++;
}

static void parse_number(void)
{
  at += *at == '-';
  if (*at == '0')
    at++;
  else
    digits();
  if (*at == '.') {
    at++;
    digits();
  }
  if (*at == 'e' || *at == 'E') {
    at++;
    at += *at == '+' || *at == '-';
    digits();
  }
}

static void parse_value(char **looking);

// Members of an object or a list; `looking` goes into the one it names.
static void parse_members(char **looking, char close)
{
  at++;
  skip_space();
  for (int i = 0; *at != close; i++) {
    if (i > 0) {
      if (*at++ != ',')
        fail("expected a comma");
      skip_space();
    }
    char name[200];
    if (close == '}') {
      const char *start = at;
      parse_string();
      snprintf(name, sizeof name, "%.*s", (int)(at - start - 2), start + 1);
      skip_space();
      if (*at++ != ':')
        fail("expected a colon");
    } else {
      snprintf(name, sizeof name, "%d", i);
    }
    bool here = looking != NULL && *looking != NULL && strcmp(*looking, name) == 0;
    parse_value(here ? looking + 1 : NULL);
    skip_space();
  }
  at++;
}

static void parse_value(char **looking)
{
  skip_space();
  const char *start = at;
  if (*at == '{')
    parse_members(looking, '}');
  else if (*at == '[')
    parse_members(looking, ']');
  else if (*at == '"')
    parse_string();
  else if (strncmp(at, "true", 4) == 0 || strncmp(at, "null", 4) == 0)
    at += 4;
  else if (strncmp(at, "false", 5) == 0)
    at += 5;
  else
    parse_number();
  if (looking != NULL && *looking == NULL) {
    found = start;
    found_length = (size_t)(at - start);
  }
}

int main(int argc, char **argv)
{
  size_t size = 0, capacity = 1 << 16;
  char *text = malloc(capacity + 1);
  for (size_t got; text != NULL && (got = fread(text + size, 1, capacity - size, stdin)) > 0;) {
    size += got;
    if (size == capacity)
      text = realloc(text, (capacity *= 2) + 1);
  }
  if (text == NULL)
    return 1;
  text[size] = 0;
  at = text;
  path = argc > 1 ? argv + 1 : NULL;
  parse_value(path);
  skip_space();
  if (at != text + size)
    fail("something follows the value");
  if (path != NULL) {
    if (found == NULL) {
      fprintf(stderr, "json_get: nothing there\n");
      return 1;
    }
    printf("%.*s\n", (int)found_length, found);
  }
  free(text);
  return 0;
}
