// percuss: what happens when things collide.
#include <errno.h>
#include <hdf5.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "core/file.h"
#include "percuss/status.h"
#include "scene/text.h"

static const struct {
  const char *name, *arguments, *summary, *help;
  int (*run)(int argc, char **argv);
} commands[] = {
    {"run",
     "SCENE.yaml [-o RUN.h5] [--threads N] [--resume] [--duration T | --steps N] "
     "[--member N] [--keep] [--dump-problems FOLDER] [--json] [--quiet]",
     "simulate a scene of bodies in motion", app_run_help, app_run},
    {"view",
     "RUN.h5|SCENE.yaml [--port N] [--no-browser] [-o RUN.h5] [--threads N] [--resume] "
     "[--duration T | --steps N] [--member N] [--again]",
     "show a run in the browser, also while it is made", app_view_help, app_view},
    {"render",
     "RUN.h5 -o PICTURE.png [--time T] | --film OUT.mp4 [--from A] [--to B] [--speed S] [--fps N]; "
     "CHAIN.yaml -o PICTURE.svg [--picture NAME] [--against NAME] [--from A] [--to B] [--each "
     "NAME=A,B]",
     "draw a run as a picture or a film, or a chain", app_render_help, app_render},
    {"solve",
     "PROBLEM [--json] [--solver NAME] [--tol T] [--max-iterations N] [--warm-start] "
     "[--quasi-static]",
     "solve one collision: an impact file (YAML, JSON) or an FCLIB file", app_solve_help,
     app_solve},
    {"identify", "FILE [--json]", "find the coefficients of laws from measured collisions",
     app_identify_help, app_identify},
    {"validate", "[ID...] [--json] [--markdown] [--quick] [--list]",
     "recompute published results and compare", app_validate_help, app_validate},
    {"bench", "[NAME... | fclib FOLDER] [--json] [--quick]", "the benchmarks", app_bench_help,
     app_bench},
    {"scenes", "[FOLDER] [--json]", "list the ready scenes", app_scenes_help, app_scenes},
    {"schema", "[NAME [KEY...]] [--json | --markdown]", "every key of scene files", app_schema_help,
     app_schema},
    {"demo", "", "a few collisions worth looking at", app_demo_help, app_demo},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

int app_complain(const char *format, ...)
{
  char text[600], line[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  pc_text_clean(line, sizeof line, text, strlen(text)); // one line, whatever was typed
  fprintf(stderr, "%s\n", line);
  return APP_BAD_INPUT;
}

int app_refuse_pipe(const char *command, const char *path)
{
  struct stat there;
  if (pc_file_unreadable(path) != NULL || stat(path, &there) != 0 || !S_ISFIFO(there.st_mode))
    return APP_OK; // readers say what is wrong with others
  return app_complain("percuss %s: %s is a pipe, and this is read more than once: give it a file",
                      command, pc_text_path(path).text);
}

static int output_error; // errno of the first failure

bool app_flush(void)
{
  errno = 0;
  bool fine = fflush(stdout) == 0;
  if (!fine && output_error == 0)
    output_error = errno;
  return fine && !ferror(stdout);
}

int app_refuse(const pc_error *error, const char *who)
{
  app_complain("%s%s%s", who != NULL ? who : "", who != NULL ? ": " : "", error->text);
  return error->status == PC_ERROR_MEMORY ? APP_FAILED : APP_BAD_INPUT;
}

int app_parse(int argc, char **argv, const char *command, const app_option *options)
{
  int plain = 0;
  bool only_plain = false;
  for (int i = 0; i < argc; i++) {
    if (only_plain || argv[i][0] != '-' || argv[i][1] == 0) {
      argv[plain++] = argv[i];
      continue;
    }
    if (strcmp(argv[i], "--") == 0) {
      only_plain = true;
      continue;
    }
    const app_option *option = options;
    size_t length = strcspn(argv[i], "=");
    while (option->name != NULL &&
           (strlen(option->name) != length || strncmp(option->name, argv[i], length) != 0))
      option++;
    if (option->name == NULL) {
      char names[400] = "", hint[60], list[240];
      for (const app_option *o = options; o->name != NULL; o++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", o->name);
      pc_word_describe(names, argv[i], hint, sizeof hint, list, sizeof list);
      app_complain("percuss %s: unknown option '%.60s'%s (known: %s)", command, argv[i], hint,
                   list);
      return -1;
    }
    bool joined = argv[i][length] == '=';
    if (option->flag != NULL) {
      if (joined) {
        app_complain("percuss %s: %s takes no value", command, option->name);
        return -1;
      }
      *option->flag = true;
    } else if (joined) {
      *option->value = argv[i] + length + 1;
    } else if (++i < argc) {
      *option->value = argv[i];
    } else {
      app_complain("percuss %s: %s needs a value", command, option->name);
      return -1;
    }
  }
  return plain;
}

static int help(void)
{
  printf("percuss " PC_VERSION ": what happens when things collide\n\n");
  for (int i = 0; i < COMMANDS; i++)
    printf("  percuss %-10s%s\n", commands[i].name, commands[i].summary);
  printf("\n'percuss COMMAND --help' says what a command reads and lists its options.\n"
         "Exit status: 0 done, 1 failed or not solved, 2 bad usage or input,\n"
         "3 a failed validation.\n");
  return APP_OK;
}

// The arguments in lines that fit on a screen; what is in brackets stays together.
static void print_usage(const char *name, const char *arguments)
{
  enum { COLUMNS = 90 };
  int indent = printf("percuss %s", name), column = indent;
  while (*arguments != 0) {
    int depth = 0, length = 0;
    for (; arguments[length] != 0 && (depth > 0 || arguments[length] != ' '); length++)
      depth += (arguments[length] == '[') - (arguments[length] == ']');
    if (column + 1 + length > COLUMNS)
      column = printf("\n%*s", indent, "") - 1;
    column += printf(" %.*s", length, arguments);
    arguments += length + (arguments[length] == ' ');
  }
  putchar('\n');
}

static int help_on(int command)
{
  print_usage(commands[command].name, commands[command].arguments);
  printf("\n%s.\n\n%s", commands[command].summary, commands[command].help);
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

static int dispatch(int argc, char **argv)
{
  if (argc < 2)
    return app_complain("percuss: which command? 'percuss help' lists them");
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
    puts("percuss " PC_VERSION);
    return APP_OK;
  }
  bool asks = is_help(name) || strcmp(name, "help") == 0;
  if (asks && argc == 2)
    return help();
  if (asks) // percuss help COMMAND
    name = argv[2];
  char names[400] = "", hint[60], list[240];
  for (int i = 0; i < COMMANDS; i++) {
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", commands[i].name);
    if (strcmp(name, commands[i].name) != 0)
      continue;
    return asks || wants_help(argc - 2, argv + 2) ? help_on(i)
                                                  : commands[i].run(argc - 2, argv + 2);
  }
  bool option = name[0] == '-';
  pc_word_describe(option ? "--help --version" : names, name, hint, sizeof hint, list, sizeof list);
  return app_complain("percuss: unknown %s '%.60s'%s (known: %s)", option ? "option" : "command",
                      name, hint, list);
}

int main(int argc, char **argv)
{
  // After a damaged file HDF5 would print its own complaint at exit. Files are closed where they
  // are used.
  H5dont_atexit();
  int status = dispatch(argc, argv);
  if (app_flush())
    return status;
  app_complain("percuss: the output cannot be written%s%s", output_error != 0 ? ": " : "",
               output_error != 0 ? strerror(output_error) : "");
  return APP_FAILED;
}
