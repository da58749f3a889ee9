// percuss view: shows a run in a browser, also while it is computed.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "app/opening.h"
#include "app/runs.h"
#include "app/simulation.h"
#include "core/file.h"
#include "percuss/view.h"
#include "scene/text.h"

// How long a browser may take to start and read its file, s. It is removed earlier when the viewer
// ends.
static const double BROWSER_STARTS = 60;

typedef struct view_options {
  const char *port_text;
  int port;
  bool no_browser;
  bool again; // even if there is a run of it
  app_simulation_texts simulation;
} view_options;

#define FIELD(name) offsetof(view_options, name)
static const app_option options[] = {
    {"--port", "N", FIELD(port_text), "port to listen on (default: any free one)"},
    {"--no-browser", NULL, FIELD(no_browser), "print the address and do not open a browser"},
    {"", NULL, 0, "For a scene (as for 'percuss run'):\n"},
    {"-o", "RUN.h5", FIELD(simulation.output),
     "output file (default: name of the scene, in the current folder)"},
    {"--threads", "N", FIELD(simulation.threads), "number of threads"},
    {"--resume", NULL, FIELD(simulation.resume),
     "continue from the checkpoint; start from the beginning if there is none"},
    {"--duration", "T", FIELD(simulation.duration), "simulated time in s"},
    {"--steps", "N", FIELD(simulation.steps), "number of time steps"},
    {"--member", "N", FIELD(simulation.member),
     "which run of a scene with 'runs' or 'sweep' (default: 1)"},
    {"--again", NULL, FIELD(again),
     "run the scene again and replace RUN.h5; without it a run of this scene, finished or stopped, "
     "is shown, and one of another scene is kept"},
    {NULL, NULL, 0, NULL},
};

// A run in a thread of its own.
typedef struct live_run {
  app_simulation simulation;
  atomic_bool started, ended; // its file exists; it is over
  sem_t told;                 // the address is printed; the summary may follow
  int result;                 // exit status, when it is over
} live_run;

// Waits for a signal, at most so many seconds; without limit if negative.
static void wait_for_signal(double seconds, const sigset_t *open)
{
  struct timespec time = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  if (app_caught_signal() == 0)
    pselect(0, NULL, NULL, NULL, seconds < 0 ? NULL : &time, open);
}

// Opens, prints the address and opens a browser. NULL, with the exit status in *result, also if the
// address cannot be printed, which main reports: without it the page is useless. Only while the
// file is read, which may take long, signals come through.
static pc_view *start_view(const char *path, const view_options *o, const sigset_t *open,
                           app_opening *opening, int *result)
{
  sigset_t held;
  pc_error error = {.status = PC_OK};
  pc_view_options from = {.path = path, .port = o->port};
  pthread_sigmask(SIG_SETMASK, open, &held);
  pc_view *view = pc_view_open(&from, &error);
  pthread_sigmask(SIG_SETMASK, &held, NULL);
  if (view == NULL) {
    *result = app_complain_error(&error, "percuss view");
    return NULL;
  }
  printf("%s\n", pc_view_address(view));
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "Ctrl-C ends the viewer\n");
  if (!app_flush()) {
    *result = APP_FAILED;
    pc_view_close(view);
    return NULL;
  }
  if (!o->no_browser)
    app_opening_begin(opening, pc_view_address(view));
  return view;
}

static void wait_for_end(app_opening *opening, const sigset_t *open)
{
  wait_for_signal(BROWSER_STARTS, open);
  app_opening_end(opening);
  while (app_caught_signal() == 0)
    wait_for_signal(-1, open);
}

// Signals reach the main thread only, and only while it waits for them.
static void block_signals(sigset_t *open)
{
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &held, open);
}

// Until the file is open a signal ends the program as usual: there is nothing to finish.
static int view_file(const char *path, const view_options *o)
{
  sigset_t open;
  int result = APP_OK;
  app_opening opening = {.path = ""};
  block_signals(&open);
  pc_view *view = start_view(path, o, &open, &opening, &result);
  app_watch_signals();
  if (view != NULL)
    wait_for_end(&opening, &open);
  pthread_sigmask(SIG_SETMASK, &open, NULL); // a second Ctrl-C ends the program
  pc_view_close(view);
  return result;
}

static void note_start(void *context)
{
  live_run *run = context;
  atomic_store(&run->started, true);
}

static void *run_scene(void *context)
{
  live_run *run = context;
  app_simulation_run(&run->simulation);
  atomic_store(&run->ended, true);
  while (sem_wait(&run->told) != 0)
    ;
  run->result = app_simulation_finish(&run->simulation, false, false);
  app_flush();
  return NULL;
}

// Serves the run while it is computed and afterwards, until a signal comes. If the viewer cannot
// start, the run continues without it, and the command has failed.
static int watch_run(live_run *run, const view_options *o)
{
  sigset_t open;
  int served = APP_OK;
  pthread_t thread;
  app_opening opening = {.path = ""};
  block_signals(&open);
  app_watch_signals();
  if (sem_init(&run->told, 0, 0) != 0 || pthread_create(&thread, NULL, run_scene, run) != 0) {
    pthread_sigmask(SIG_SETMASK, &open, NULL);
    app_complain("percuss view: out of memory: no thread can be started");
    return APP_FAILED;
  }
  while (!atomic_load(&run->started) && !atomic_load(&run->ended) && app_caught_signal() == 0)
    wait_for_signal(0.02, &open);
  pc_view *view = atomic_load(&run->started) && app_caught_signal() == 0
                      ? start_view(run->simulation.output, o, &open, &opening, &served)
                      : NULL;
  sem_post(&run->told);
  if (view != NULL)
    wait_for_end(&opening, &open);
  pthread_sigmask(SIG_SETMASK, &open, NULL); // a second Ctrl-C ends the program
  pthread_join(thread, NULL);
  pc_view_close(view);
  sem_destroy(&run->told);
  return run->result == APP_OK && served != APP_OK ? APP_FAILED : run->result;
}

// What there is of the run, which is not looked for if it is known what to do. The scene is read
// once more for it; `error` tells if that fails.
static pc_run_found find_run(const app_simulation *s, const view_options *o, double *time,
                             pc_error *error)
{
  pc_scene again;
  const char *member = s->texts.member;
  if (s->texts.resume || o->again ||
      pc_scene_parse_run(s->path, s->scene.text, member != NULL ? atoi(member) : 1, &again,
                         error) != PC_OK)
    return PC_FOUND_NONE;
  again.duration = s->scene.duration;
  pc_run_found found = pc_run_find(&again, &s->options, time);
  pc_scene_free(&again);
  return found;
}

// A run of the scene as it was before, or of another one, is not replaced unasked.
static int keep_other_run(const app_simulation *s)
{
  pc_text output = pc_text_path(s->output);
  return app_complain("percuss view: %s is no run of this scene as it is now; use --again to "
                      "replace it, -o to keep both, or 'percuss view %s' to look at it",
                      output.text, output.text);
}

// Looking at a run never destroys it.
static int view_found(const app_simulation *s, pc_run_found found, double time,
                      const view_options *o)
{
  pc_text output = pc_text_path(s->output);
  if (found == PC_FOUND_FINISHED)
    fprintf(stderr, "showing the finished run %s; use --again to run the scene again\n",
            output.text);
  else
    fprintf(
        stderr,
        "showing %s as it is, computed up to %.4g of %g s; use --resume to continue it, --again "
        "to start it again\n",
        output.text, time, s->scene.duration);
  return view_file(s->output, o);
}

// A sweep of collisions is run before it is shown: it takes seconds.
static int view_sweep(app_simulation *simulation, const view_options *o)
{
  const char *output = simulation->output;
  char path[1024];
  if (!app_simulation_is_many(simulation))
    return app_complain("percuss view: %s is a single collision; use 'percuss solve', or add "
                        "'sweep' to the file to see curves",
                        pc_text_path(simulation->path).text);
  snprintf(path, sizeof path, "%.*s-runs.h5", (int)pc_path_stem(output, ".h5"), output);
  app_watch_signals();
  int result = app_runs(simulation, false, false, true);
  return result == APP_OK ? view_file(path, o) : result;
}

static int view_scene(live_run *run, const char *path, const view_options *o)
{
  pc_error error = {.status = PC_OK};
  if (pc_view_check(&(pc_view_options){.port = o->port}, &error) != PC_OK)
    return app_complain_error(&error, "percuss view"); // before a file is replaced
  run->simulation.step = note_start;
  run->simulation.context = run;
  int result = app_simulation_prepare(&run->simulation, path, true);
  if (result == APP_OK && run->simulation.scene.impact != NULL) {
    result = view_sweep(&run->simulation, o);
    app_simulation_free(&run->simulation);
    return result;
  }
  if (result == APP_OK && app_simulation_is_many(&run->simulation))
    fprintf(stderr, "the first of %d runs; --member N shows another\n",
            run->simulation.scene.plan.members);
  double time = 0;
  pc_run_found found =
      result == APP_OK ? find_run(&run->simulation, o, &time, &error) : PC_FOUND_NONE;
  if (result == APP_OK && error.status == PC_ERROR_MEMORY)
    result = app_complain_error(&error, "percuss view");
  else if (found == PC_FOUND_FINISHED || found == PC_FOUND_STOPPED)
    result = view_found(&run->simulation, found, time, o);
  else if (found == PC_FOUND_OTHER)
    result = keep_other_run(&run->simulation);
  else if (result == APP_OK) {
    run->simulation.options.resume = run->simulation.options.resume || found == PC_FOUND_ENDED;
    result = watch_run(run, o);
  }
  app_simulation_free(&run->simulation);
  return result;
}

// By its first bytes, or by its name if it cannot be read.
static bool is_run(const char *path)
{
  static const char signature[] = {(char)0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  char start[sizeof signature];
  FILE *file = pc_file_unreadable(path) == NULL ? fopen(path, "rb") : NULL;
  bool same = file != NULL && fread(start, sizeof start, 1, file) == 1 &&
              memcmp(start, signature, sizeof start) == 0;
  if (file != NULL)
    fclose(file);
  return same || pc_path_has_ending(path, ".h5");
}

static bool read_port(const char *text, int *port)
{
  size_t digits = strspn(text, "0123456789");
  *port = digits >= 1 && digits <= 5 && text[digits] == 0 ? atoi(text) : -1;
  return *port >= 1 && *port <= 65535;
}

static int view(const void *given, int count, char **files)
{
  view_options o = *(const view_options *)given;
  const app_simulation_texts *texts = &o.simulation;
  if (o.port_text != NULL && !read_port(o.port_text, &o.port))
    return app_complain("percuss view: --port '%.40s' must be a number from 1 to 65535",
                        o.port_text);
  live_run run = {.simulation = {.command = "view", .texts = o.simulation}};
  if (!is_run(files[0]))
    return view_scene(&run, files[0], &o);
  if (o.again || texts->output != NULL || texts->threads != NULL || texts->resume ||
      texts->duration != NULL || texts->steps != NULL || texts->member != NULL)
    return app_complain("percuss view: %s is a run; only --port and --no-browser apply to it",
                        pc_text_path(files[0]).text);
  return view_file(files[0], &o);
}

const app_command app_view = {
    "view",
    "RUN.h5|SCENE.yaml",
    "show a run in the browser, even while it is computed",
    "Prints the address of the viewer and serves it until Ctrl-C, to this machine only. Everyone\n"
    "on this machine with the complete address can read the run. Units are SI.\n",
    options,
    "Ctrl-C during a run finishes the step, writes a checkpoint and exits.\n"
    "\n"
    "To view a run on another machine, start 'percuss view RUN.h5 --port 8000' there and\n"
    "'ssh -L 8000:127.0.0.1:8000 MACHINE' here, and open the printed address here.\n"
    "\n"
    "Exit status: 0 success; 1 the run failed, the viewer cannot be served, or its address cannot "
    "be\n"
    "printed; 2 wrong usage or input; 130 a run was stopped.\n",
    "run (RUN.h5) or scene",
    view};
