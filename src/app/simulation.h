// A scene that is simulated with its progress: what the commands run and view share.
#ifndef PERCUSS_APP_SIMULATION_H
#define PERCUSS_APP_SIMULATION_H

#include "app/app.h"
#include "app/progress.h"
#include "percuss/run.h"

// Options as they were typed; NULL: not given.
typedef struct app_simulation_texts {
  const char *output, *threads, *duration, *steps;
  const char *dump, *dump_steps, *dump_limit;
  const char *member;
  bool resume, certify;
} app_simulation_texts;

typedef struct app_simulation {
  const char *command; // for messages
  app_simulation_texts texts;
  const char *path;
  char *output; // where it writes
  pc_scene scene;
  bool read;       // the scene
  double duration; // as an option, s; 0: not given
  long steps;      // likewise
  pc_run_options options;
  app_progress progress;
  void (*step)(void *context); // called before every step; may be NULL
  void *context;
  pc_run_summary summary; // of the run, as the rest
  pc_status status;
  pc_error error;
} app_simulation;

// Reads the scene and checks the options and the output file. Complains about what is wrong and
// returns the exit status. Until app_watch_signals a signal ends the program.
int app_simulation_prepare(app_simulation *simulation, const char *path, bool progress);
bool app_simulation_is_many(const app_simulation *simulation); // several runs, none of them chosen
void app_simulation_run(app_simulation *simulation);
// Prints the summary or the failure and returns the exit status.
int app_simulation_finish(const app_simulation *simulation, bool as_json, bool quiet);
void app_simulation_free(app_simulation *simulation);

#endif
