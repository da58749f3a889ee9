// The program percuss: its list of commands, and the choice of the command to run.
#include <hdf5.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "scene/text.h"

static const app_command *const commands[] = {
    &app_run,      &app_view,     &app_render, &app_report, &app_export, &app_check, &app_solve,
    &app_identify, &app_validate, &app_bench,  &app_scenes, &app_schema, &app_demo};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_commands(void)
{
  printf("percuss " PC_VERSION ": simulate bodies, crowds, chains and continua that collide\n"
         "\n");
  for (int i = 0; i < COMMANDS; i++)
    printf("  percuss %-10s%s\n", commands[i]->name, commands[i]->summary);
  printf("\n"
         "'percuss COMMAND --help' describes a command and its options.\n"
         "Exit status: 0 success, 1 failed or not solved, 2 wrong usage or input,\n"
         "3 validation failed, 4 finished but most steps are inaccurate.\n");
  return APP_OK;
}

static bool is_help(const char *argument)
{
  return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

// --help anywhere among the options of a command.
static bool wants_help(int argc, char **argv)
{
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (is_help(argv[i]))
      return true;
  return false;
}

static const app_command *find_command(const char *name)
{
  for (int i = 0; i < COMMANDS; i++)
    if (strcmp(name, commands[i]->name) == 0)
      return commands[i];
  return NULL;
}

static int complain_of_command(const char *name)
{
  char names[400] = "", hint[60], list[240];
  bool option = name[0] == '-';
  for (int i = 0; i < COMMANDS; i++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", commands[i]->name);
  pc_word_describe(option ? "--help --version" : names, name, hint, sizeof hint, list, sizeof list);
  return app_complain("percuss: unknown %s '%.60s'%s (known: %s)", option ? "option" : "command",
                      name, hint, list);
}

static int dispatch(int argc, char **argv)
{
  if (argc < 2)
    return app_complain("percuss: no command given; 'percuss help' lists the commands");
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
    puts("percuss " PC_VERSION);
    return APP_OK;
  }
  bool asks = is_help(name) || strcmp(name, "help") == 0;
  if (asks && argc == 2)
    return print_commands();
  if (asks) // percuss help COMMAND
    name = argv[2];
  const app_command *command = find_command(name);
  if (command == NULL)
    return complain_of_command(name);
  if (asks || wants_help(argc - 2, argv + 2)) {
    app_print_help(command);
    return APP_OK;
  }
  _Alignas(max_align_t) char options[APP_OPTIONS_SIZE] = {0};
  int count = app_parse(argc - 2, argv + 2, command, options);
  return count < 0 ? APP_BAD_INPUT : command->run(options, count, argv + 2);
}

int main(int argc, char **argv)
{
  // After a damaged file HDF5 would print its own complaint at exit. Files are closed where they
  // are used.
  H5dont_atexit();
  int status = dispatch(argc, argv);
  if (app_flush())
    return status;
  int error = app_output_error();
  app_complain("percuss: cannot write the output%s%s", error != 0 ? ": " : "",
               error != 0 ? strerror(error) : "");
  return APP_FAILED;
}
