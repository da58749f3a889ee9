// A scene that is run, with its progress: what the commands run and view share.
#ifndef PERCUSS_APP_SIMULATION_H
#define PERCUSS_APP_SIMULATION_H

#include "app/app.h"
#include "core/json.h"
#include "percuss/run.h"

typedef struct app_progress {
  bool shown, terminal;
  double last; // clock, when it was last drawn
  int width;   // of what is on the screen
} app_progress;

// Options as they were typed; NULL: not given.
typedef struct app_simulation_texts {
  const char *output, *threads, *duration, *steps;
  const char *dump, *dump_steps, *dump_limit;
  const char *member;
  bool resume;
} app_simulation_texts;

typedef struct app_simulation {
  const char *command; // for messages
  app_simulation_texts texts;
  const char *path;
  char *output; // where it writes
  pc_scene scene;
  bool read;       // the scene
  double duration; // that was asked for, or
  long steps;      // so many; 0: as the scene says
  pc_run_options options;
  app_progress progress;
  void (*step)(void *context); // called before every step, may be NULL
  void *context;
  pc_run_summary summary; // of the run, as the rest
  pc_status status;
  pc_error error;
} app_simulation;

// Reads the scene and checks the options and the place for the output. Complains, and gives the
// exit status, if something is wrong. A signal ends the program, until app_watch_signals.
int app_simulation_prepare(app_simulation *simulation, const char *path, bool progress);
void app_simulation_run(app_simulation *simulation);
// Prints the summary or the failure and gives the exit status.
int app_simulation_finish(const app_simulation *simulation, bool as_json, bool quiet);
void app_simulation_free(app_simulation *simulation);

// Complains, and gives the exit status, if there is no place for what will be written. What may be
// whole already need not be written.
int app_check_output(const char *command, const char *output, bool may_be_whole);

// All runs of a scene that asks for many.
typedef struct app_runs_texts {
  bool keep, json, quiet;
} app_runs_texts;
bool app_simulation_is_many(const app_simulation *simulation); // and none of them is chosen
int app_runs(app_simulation *simulation, const app_runs_texts *texts);

// A bar, on a terminal, and the text behind it.
void app_progress_draw(app_progress *line, double part, const char *text);
void app_progress_clear(const app_progress *line);

// Ctrl-C and SIGTERM stop a run after its step; a second Ctrl-C ends the program at once.
void app_watch_signals(void);
int app_caught_signal(void); // 0: none

// The parts of a summary (summary.c).
void app_summary_json(const char *status, const char *path, const pc_scene *scene,
                      const pc_run_options *options, const pc_run_summary *summary,
                      const char *error);
void app_summary_print(const pc_scene *scene, const pc_run_options *options,
                       const pc_run_summary *summary);
void app_write_span(double seconds, char *text, size_t size); // 1:05 min
// The hash of a state under the key `state`, as text: JSON's numbers have not enough digits.
void app_write_state(pc_json *json, uint64_t hash);

static inline const char *app_plural(long count)
{
  return count == 1 ? "" : "s";
}

// The tables of a collision of a continuum. solve_continuum.c
void app_continuum_print(const pc_continuum_answer *answer);
// The lines of one in time. summary_continuum.c
void app_motion_print(const pc_continuum *continuum, const pc_run_summary *summary);

#endif
