// What the commands of the program share: how a command is described, its options, its messages.
#ifndef PERCUSS_APP_APP_H
#define PERCUSS_APP_APP_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

// Exit statuses.
enum { APP_OK = 0, APP_FAILED = 1, APP_BAD_INPUT = 2, APP_NOT_VALID = 3, APP_INACCURATE = 4 };

// An option, as the parser reads it and the help shows it. Its field is in a struct of the command:
// a bool of a flag, else a const char * that gets the text.
typedef struct app_option {
  const char *name;     // with its dashes; "": a paragraph between options; NULL: the end
  const char *argument; // what the help calls it; NULL: a flag
  size_t field;         // offsetof
  const char *help;
} app_option;

// A command gets its options, in a struct of its own that was zero, and the plain arguments. It
// returns the exit status, and prints nothing on stdout before it knows that its input is good.
enum { APP_OPTIONS_SIZE = 256 }; // most bytes of that struct
typedef struct app_command {
  const char *name, *arguments, *summary;
  const char *about; // before the options
  const app_option *options;
  const char *notes; // after the options, with the exit statuses
  const char *needs; // what its one plain argument is; NULL: it may have any number
  int (*run)(const void *options, int count, char **arguments);
} app_command;
extern const app_command app_run, app_view, app_render, app_report, app_export, app_check,
    app_solve, app_identify, app_validate, app_bench, app_scenes, app_schema, app_demo;

// Fills the fields of `options` and removes the options from argv. Returns how many plain arguments
// remain at its front, or -1 after a complaint, also about their number.
int app_parse(int argc, char **argv, const app_command *command, void *options);
void app_print_help(const app_command *command);
// Reads an option that is a finite number. NULL is good too, and then *value stays as it is.
bool app_read_number(const char *text, double *value);

// Prints one line on stderr and returns APP_BAD_INPUT.
int app_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Complains with the message of a library call, after "from: " unless that is NULL. Returns
// APP_FAILED if memory was missing, else APP_BAD_INPUT.
int app_complain_error(const pc_error *error, const char *from);
// All that is wrong with a scene, of which a reader gave this error; returns the exit status.
int app_complain_file(const char *path, const pc_error *error);
// Complains if a file that is read more than once is a pipe. Returns the exit status.
int app_reject_pipe(const char *command, const char *path);
// Complains if a file cannot be written there. A run that may be finished already needs no writable
// folder. Returns the exit status.
int app_check_output(const char *command, const char *output, bool may_be_finished);

// Prints a cell of a table: two spaces and the text, at the right of so many characters.
void app_print_right(const char *text, int width);
int app_text_width(const char *text); // in characters, not bytes

// Flushes stdout. False if not all of it could be written: main reports that at the end, and the
// exit status is 1.
bool app_flush(void);
int app_output_error(void); // errno of the first failed flush; 0: none

// Ctrl-C and SIGTERM are noted and stop a run after its step; a second Ctrl-C ends the program.
// Until app_watch_signals, after app_end_at_signals, they end it at once.
void app_end_at_signals(void);
void app_watch_signals(void);
int app_caught_signal(void); // 0: none

// A number of a struct, which JSON shows under its name.
typedef struct app_number {
  const char *name;
  size_t field; // offsetof
} app_number;

// clang-format off
#define APP_NUMBER(type, field) {#field, offsetof(type, field)}
// clang-format on

static inline double app_number_of(const app_number *number, const void *from)
{
  return *(const double *)((const char *)from + number->field);
}

static inline const char *app_plural(long count)
{
  return count == 1 ? "" : "s";
}

#endif
