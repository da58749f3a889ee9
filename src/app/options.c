// The options of a command: one table, read by the parser and printed by the help.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "scene/text.h"

static const app_option *find_option(const app_command *command, const char *text, size_t length)
{
  for (const app_option *o = command->options; o->name != NULL; o++)
    if (length > 0 && strlen(o->name) == length && strncmp(o->name, text, length) == 0)
      return o;
  return NULL;
}

static void complain_of_option(const app_command *command, const char *text)
{
  char names[400] = "", hint[60], list[240];
  for (const app_option *o = command->options; o->name != NULL; o++)
    if (*o->name != 0)
      snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", o->name);
  pc_word_describe(names, text, hint, sizeof hint, list, sizeof list);
  app_complain("percuss %s: unknown option '%.60s'%s (known: %s)", command->name, text, hint, list);
}

int app_parse(int argc, char **argv, const app_command *command, void *options)
{
  int plain = 0;
  bool only_plain = false;
  for (int i = 0; i < argc; i++) {
    char *text = argv[i];
    if (only_plain || text[0] != '-' || text[1] == 0) {
      argv[plain++] = text;
      continue;
    }
    if (strcmp(text, "--") == 0) {
      only_plain = true;
      continue;
    }
    size_t length = strcspn(text, "=");
    bool joined = text[length] == '=';
    const app_option *option = find_option(command, text, length);
    if (option == NULL) {
      complain_of_option(command, text);
      return -1;
    }
    assert(option->field + sizeof(const char *) <= APP_OPTIONS_SIZE);
    void *field = (char *)options + option->field;
    if (option->argument == NULL && joined) {
      app_complain("percuss %s: %s takes no value", command->name, option->name);
      return -1;
    }
    if (option->argument == NULL) {
      *(bool *)field = true;
    } else if (joined || ++i < argc) {
      *(const char **)field = joined ? text + length + 1 : argv[i];
    } else {
      app_complain("percuss %s: %s needs a value", command->name, option->name);
      return -1;
    }
  }
  if (command->needs != NULL && plain != 1) {
    app_complain("percuss %s: expected one %s, got %d", command->name, command->needs, plain);
    return -1;
  }
  return plain;
}

bool app_read_number(const char *text, double *value)
{
  char *end;
  if (text == NULL)
    return true;
  *value = strtod(text, &end);
  return *text != 0 && *end == 0 && isfinite(*value);
}

enum { COLUMNS = 96 };

// A text in lines of words, each line after `indent` columns; the first line is already printed.
static void print_wrapped(const char *text, int indent)
{
  int column = indent;
  while (*text != 0) {
    int length = (int)strcspn(text, " \n");
    if (column > indent && column + 1 + length > COLUMNS)
      column = printf("\n%*s", indent, "") - 1;
    else if (column > indent)
      column += printf(" ");
    column += printf("%.*s", length, text);
    text += length;
    if (*text == '\n') // a line of its own
      column = printf("\n%*s", indent, "") - 1;
    text += *text != 0;
  }
  putchar('\n');
}

void app_print_help(const app_command *command)
{
  int width = 0;
  for (const app_option *o = command->options; o->name != NULL; o++) {
    int length = (int)(strlen(o->name) + (o->argument != NULL ? 1 + strlen(o->argument) : 0));
    width = length > width ? length : width;
  }
  printf("percuss %s%s%s%s\n\n%c%s.\n\n%s", command->name, *command->arguments ? " " : "",
         command->arguments, command->options->name != NULL ? " [OPTION...]" : "",
         command->summary[0] - 'a' + 'A', command->summary + 1, command->about);
  if (*command->about != 0)
    putchar('\n');
  for (const app_option *o = command->options; o->name != NULL; o++) {
    if (*o->name == 0) {
      printf("\n%s\n", o->help);
      continue;
    }
    int column = printf("  %s%s%s", o->name, o->argument != NULL ? " " : "",
                        o->argument != NULL ? o->argument : "");
    printf("%*s", width + 4 - column, "");
    print_wrapped(o->help, width + 4);
  }
  printf("%s%s", command->options->name != NULL ? "\n" : "", command->notes);
}
