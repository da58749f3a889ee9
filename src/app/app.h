// The commands of the program, and what they share.
#ifndef PERCUSS_APP_APP_H
#define PERCUSS_APP_APP_H

#include <stdbool.h>

#include "percuss/impact.h"

// Exit statuses.
enum { APP_OK = 0, APP_FAILED = 1, APP_BAD_INPUT = 2, APP_NOT_VALID = 3 };

// Every command gets the arguments after its name and returns the exit status. It prints nothing on
// stdout before it knows that its input is good.
int app_run(int argc, char **argv);
int app_solve(int argc, char **argv);
int app_validate(int argc, char **argv);
int app_bench(int argc, char **argv);
int app_identify(int argc, char **argv);
int app_scenes(int argc, char **argv);
int app_schema(int argc, char **argv);
int app_demo(int argc, char **argv);
int app_view(int argc, char **argv);
int app_render(int argc, char **argv);

// What `percuss COMMAND --help` prints after the usage and the summary.
extern const char app_run_help[], app_solve_help[], app_validate_help[], app_bench_help[],
    app_identify_help[], app_demo_help[], app_scenes_help[], app_schema_help[], app_view_help[],
    app_render_help[];

// Flushes the standard output. False if something of it could not be written: main says so at the
// end, and the status is 1.
bool app_flush(void);
// One line on stderr; returns APP_BAD_INPUT.
int app_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same with what a call of the library says of its input, after "who: " if there is a who;
// APP_FAILED when it was memory that was missing.
int app_refuse(const pc_error *error, const char *who);
// Complains of a pipe, and gives the exit status, where a file is read more than once.
int app_refuse_pipe(const char *command, const char *path);

// An option is a flag or takes a value (the one of the two that is not NULL).
typedef struct app_option {
  const char *name; // with its dashes
  bool *flag;
  const char **value;
} app_option;
// Takes the options out of argv; what remains, moved to its front, are the plain arguments. Returns
// how many, or -1 after a complaint.
int app_parse(int argc, char **argv, const char *command, const app_option *options);

// `percuss solve` of a `kind: chain` file, with the options that it shares.
int app_solve_chain(const char *path, bool as_json, const pc_solve_options *options);
// The same of a `kind: continuum` file; tolerance 0: that of the file.
int app_solve_continuum(const char *path, bool as_json, double tolerance);

// The audit as lines of a table.
void app_print_audit(const pc_audit *audit);

#endif
