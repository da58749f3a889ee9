// A scene that is run, with its progress.
#define _XOPEN_SOURCE 700 // realpath
#include "app/simulation.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "scene/continuum.h"
#include "scene/text.h"

// --- stopping -----------------------------------------------------------------------------------

// The only thing a signal can reach.
static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
  caught = number;
}

// Before the run nothing is written, and nobody need wait for what is read.
static void end_at_once(int number)
{
  static const char text[] = "percuss: stopped before the first step; nothing was written\n";
  ssize_t told = write(STDERR_FILENO, text, sizeof text - 1);
  (void)told; // nobody listens
  _exit(128 + number);
}

// A second Ctrl-C ends the program at once. SIGTERM may come more than once for one wish:
// timeout(1) sends it to the program and to its group. SIGHUP, a terminal that is gone, is heard
// unless the program was started with nohup. A file that may not grow is told like a full disk.
// What is being written goes on after a signal (SA_RESTART), also into a pipe that is full.
static void watch(void (*handler)(int))
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
  action.sa_flags |= (int)SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
}

void app_watch_signals(void)
{
  watch(catch_signal);
}

int app_caught_signal(void)
{
  return caught;
}

// --- progress -----------------------------------------------------------------------------------

void app_progress_draw(app_progress *line, double part, const char *text)
{
  char filled[32] = "", all[300];
  enum { BAR = 20 };
  if (line->terminal) {
    memset(filled, '.', BAR);
    memset(filled, '#', (size_t)(part * BAR));
    filled[BAR] = ' ';
    filled[BAR + 1] = 0;
  }
  int length = snprintf(all, sizeof all, "%s%3.0f%%  %.200s", filled, floor(100 * part), text);
  if (line->terminal)
    fprintf(stderr, "\r%s%*s", all, length < line->width ? line->width - length : 0, "");
  else
    fprintf(stderr, "%s\n", all);
  line->width = length;
  line->last = pc_clock_seconds();
}

void app_progress_clear(const app_progress *line)
{
  if (line->terminal && line->width > 0)
    fprintf(stderr, "\r%*s\r", line->width, "");
}

static bool show_progress(void *context, const pc_run_progress *p)
{
  app_simulation *simulation = context;
  app_progress *line = &simulation->progress;
  if (simulation->step != NULL)
    simulation->step(simulation->context);
  double now = pc_clock_seconds();
  if (line->shown && now - line->last > (line->terminal ? 0.1 : 10)) {
    char text[200], left[32] = "";
    if (p->left_s >= 0)
      app_write_span(p->left_s, left, sizeof left);
    snprintf(text, sizeof text, "%.4g of %.4g s  %.3g steps/s  %d contacts%s%s%s", p->time,
             p->duration, p->rate, p->info->contacts, *left ? "  " : "", left,
             *left ? " left" : "");
    app_progress_draw(line, p->steps > 0 ? (double)p->step / (double)p->steps : 1, text);
  }
  return caught == 0;
}

// --- before the run -----------------------------------------------------------------------------

static bool read_positive(const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  return *text != 0 && *end == 0 && *value > 0; // infinite, where it is too large
}

// The scene's name without folder and ending, with .h5; the caller frees it.
static char *default_output(const char *scene)
{
  const char *slash = strrchr(scene, '/'), *base = slash != NULL ? slash + 1 : scene;
  const char *dot = strrchr(base, '.');
  size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
  char *name = malloc(length + 4);
  if (name != NULL)
    snprintf(name, length + 4, "%.*s.h5", (int)length, base);
  return name;
}

int app_check_output(const char *command, const char *output, bool may_be_whole)
{
  const char *slash = strrchr(output, '/');
  size_t length = slash != NULL ? (size_t)(slash - output) + 1 : 0;
  char *folder = malloc(length + 2);
  if (folder == NULL) {
    app_complain("percuss %s: out of memory", command);
    return APP_FAILED;
  }
  memcpy(folder, output, length);
  strcpy(folder + length, "."); // also for a file in the current folder
  struct stat there;
  const char *reason = NULL;
  if (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
    reason = "there is no such folder";
  else if (access(folder, W_OK | X_OK) != 0 && !may_be_whole)
    reason = "its folder is not writable";
  else if (stat(output, &there) == 0 && S_ISDIR(there.st_mode))
    reason = "it is a folder";
  else if (stat(output, &there) == 0 && !S_ISREG(there.st_mode))
    reason = "it is there and not a plain file";
  free(folder);
  return reason == NULL ? APP_OK
                        : app_complain("percuss %s: %s cannot be written: %s", command,
                                       pc_text_path(output).text, reason);
}

static int check_record(const app_simulation *simulation)
{
  const char *output = simulation->output, *dot = strrchr(output, '.');
  if (dot != NULL && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".xdmf") == 0))
    return app_complain("percuss %s: %s cannot be written: a run is RUN.h5, and RUN.csv and "
                        "RUN.xdmf are made beside it",
                        simulation->command, pc_text_path(output).text);
  return app_check_output(simulation->command, output, simulation->texts.resume);
}

// A range of steps, A:B or A alone.
static bool read_steps(const char *text, long *from, long *to)
{
  char *end;
  errno = 0;
  *from = *to = strtol(text, &end, 10);
  if (*end == ':' && end != text && end[1] >= '0' && end[1] <= '9')
    *to = strtol(end + 1, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && *from >= 1 && *to >= *from;
}

static bool read_dump(app_simulation *simulation)
{
  const app_simulation_texts *texts = &simulation->texts;
  const char *command = simulation->command;
  pc_run_dump *dump = &simulation->options.dump;
  double most = 0;
  if (texts->dump == NULL && (texts->dump_steps != NULL || texts->dump_limit != NULL))
    app_complain("percuss %s: %s needs --dump-problems FOLDER", command,
                 texts->dump_steps != NULL ? "--dump-steps" : "--dump-limit");
  else if (texts->dump != NULL && *texts->dump == 0)
    app_complain("percuss %s: --dump-problems needs the name of a folder", command);
  else if (texts->dump_steps != NULL && !read_steps(texts->dump_steps, &dump->from, &dump->to))
    app_complain("percuss %s: --dump-steps '%.40s' is not a range of steps such as 10:20", command,
                 texts->dump_steps);
  else if (texts->dump_limit != NULL &&
           (!read_positive(texts->dump_limit, &most) || most != floor(most) || most > 1e6))
    app_complain("percuss %s: --dump-limit '%.40s' is not a whole number from 1 to 1000000",
                 command, texts->dump_limit);
  else {
    dump->folder = texts->dump;
    dump->most = (int)most;
    return true;
  }
  return false;
}

static bool read_options(app_simulation *simulation, double *duration, double *steps)
{
  const app_simulation_texts *texts = &simulation->texts;
  const char *command = simulation->command;
  double count = 0;
  if (texts->threads != NULL &&
      (!read_positive(texts->threads, &count) || count != floor(count) || count > 1024))
    app_complain("percuss %s: --threads '%.40s' is not a whole number from 1 to 1024", command,
                 texts->threads);
  else if (texts->duration != NULL && !read_positive(texts->duration, duration))
    app_complain("percuss %s: --duration '%.40s' is not a positive number", command,
                 texts->duration);
  else if (texts->steps != NULL && (!read_positive(texts->steps, steps) || *steps != floor(*steps)))
    app_complain("percuss %s: --steps '%.40s' is not a positive integer", command, texts->steps);
  else if (*steps > PC_STEPS_MOST)
    app_complain("percuss %s: --steps '%.40s' are too many steps: a run can have %g", command,
                 texts->steps, PC_STEPS_MOST);
  else if (*duration > 0 && *steps > 0)
    app_complain("percuss %s: --duration and --steps say the same thing: give one", command);
  else if (texts->output != NULL && *texts->output == 0)
    app_complain("percuss %s: -o needs the name of a file", command);
  else if (read_dump(simulation)) {
    simulation->options.threads = (int)count;
    simulation->options.resume = texts->resume;
    return true;
  }
  return false;
}

// What a link leads to, also if it is not there yet; NULL: it is not a link.
static char *follow_link(const char *path)
{
  char text[PATH_MAX];
  ssize_t length = readlink(path, text, sizeof text - 1);
  if (length < 0)
    return NULL;
  text[length] = 0;
  char *target = realpath(path, NULL);
  const char *slash = text[0] != '/' ? strrchr(path, '/') : NULL; // relative to its folder
  size_t folder = slash != NULL ? (size_t)(slash + 1 - path) : 0;
  if (target == NULL && (target = malloc(folder + (size_t)length + 1)) != NULL) {
    memcpy(target, path, folder);
    memcpy(target + folder, text, (size_t)length + 1);
  }
  return target;
}

// Where the run is written. A link stays one: what it leads to is written, where that is.
static char *find_output(const char *given, const char *scene)
{
  char *output = given != NULL ? strdup(given) : default_output(scene);
  char *target = output != NULL ? follow_link(output) : NULL;
  if (target == NULL)
    return output;
  free(output);
  return target;
}

// The scene of the run that was asked for, in the place of the first.
static int choose_member(app_simulation *simulation)
{
  pc_scene *scene = &simulation->scene, chosen;
  double member;
  const char *text = simulation->texts.member;
  if (!read_positive(text, &member) || member != floor(member) || member > scene->plan.members)
    return app_complain("percuss %s: --member '%.40s' is not a whole number from 1 to %d, the runs "
                        "of this scene",
                        simulation->command, text, scene->plan.members);
  if (pc_scene_parse_run(simulation->path, scene->text, (int)member, &chosen, &simulation->error) !=
      PC_OK)
    return app_refuse(&simulation->error, NULL);
  pc_scene_free(scene);
  *scene = chosen;
  return APP_OK;
}

bool app_simulation_is_many(const app_simulation *simulation)
{
  const pc_scene_plan *plan = &simulation->scene.plan;
  return simulation->texts.member == NULL && (plan->members > 1 || plan->sweeps > 0);
}

int app_simulation_prepare(app_simulation *simulation, const char *path, bool progress)
{
  double duration = 0, steps = 0;
  watch(end_at_once);
  if (!read_options(simulation, &duration, &steps))
    return APP_BAD_INPUT;
  pc_scene *scene = &simulation->scene;
  simulation->path = path;
  simulation->output = find_output(simulation->texts.output, path);
  if (simulation->output == NULL) {
    app_complain("percuss %s: out of memory", simulation->command);
    return APP_FAILED;
  }
  if (pc_scene_read(path, scene, &simulation->error) != PC_OK)
    return app_refuse(&simulation->error, NULL);
  simulation->read = true;
  int result = simulation->texts.member != NULL ? choose_member(simulation) : APP_OK;
  if (result == APP_OK)
    result = check_record(simulation);
  if (result != APP_OK)
    return result;
  if (scene->continuum != NULL && !scene->continuum->moves && (duration > 0 || steps > 0)) {
    app_complain("percuss %s: %s: it is one collision, which takes no time: no --duration, no "
                 "--steps",
                 simulation->command, pc_text_path(path).text);
    return APP_BAD_INPUT;
  }
  if (duration > 0 && duration < scene->step)
    return app_complain("percuss %s: %s: a step of %g s is longer than --duration, %g s",
                        simulation->command, pc_text_path(path).text, scene->step, duration);
  if (duration / scene->step > PC_STEPS_MOST)
    return app_complain("percuss %s: %s: --duration '%.40s' in steps of %g s are too many steps: a "
                        "run can have %g",
                        simulation->command, pc_text_path(path).text, simulation->texts.duration,
                        scene->step, PC_STEPS_MOST);
  simulation->duration = duration;
  simulation->steps = (long)steps;
  if (duration > 0)
    scene->duration = duration;
  if (steps > 0)
    scene->duration = steps * scene->step;
  simulation->progress = (app_progress){
      .shown = progress, .terminal = isatty(STDERR_FILENO) != 0, .last = pc_clock_seconds()};
  simulation->options.output = simulation->output;
  simulation->options.listener = show_progress;
  simulation->options.context = simulation;
  return APP_OK;
}

// --- the run ------------------------------------------------------------------------------------

void app_simulation_run(app_simulation *simulation)
{
  simulation->status = pc_run_scene(&simulation->scene, &simulation->options, &simulation->summary,
                                    &simulation->error);
  app_progress_clear(&simulation->progress);
}

int app_simulation_finish(const app_simulation *simulation, bool as_json, bool quiet)
{
  const pc_run_summary *summary = &simulation->summary;
  const char *text = simulation->error.text;
  pc_status status = simulation->status;
  bool failed = status != PC_OK;
  if (summary->steps == 0 && (status == PC_ERROR_INPUT || status == PC_ERROR_ARGUMENT))
    return app_complain("percuss %s: %s", simulation->command, text); // a checkpoint of another run
  if (as_json)
    app_summary_json(failed              ? "failed"
                     : summary->finished ? "finished"
                                         : "stopped",
                     simulation->path, &simulation->scene, &simulation->options, summary,
                     failed ? text : NULL);
  else if (!quiet && !failed)
    app_summary_print(&simulation->scene, &simulation->options, summary);
  if (failed) {
    app_complain("percuss %s: %s", simulation->command, text);
    return APP_FAILED;
  }
  if (summary->anew && !quiet)
    fprintf(stderr, "percuss %s: there was nothing to resume; the run started anew\n",
            simulation->command);
  if (summary->finished)
    return APP_OK;
  fprintf(stderr, "percuss %s: stopped at %g of %g s; the same command with --resume goes on\n",
          simulation->command, summary->time, simulation->scene.duration);
  return 128 + (int)caught;
}

void app_simulation_free(app_simulation *simulation)
{
  if (simulation->read)
    pc_scene_free(&simulation->scene);
  free(simulation->output);
}
