// A scene that is run, with its progress.
#define _XOPEN_SOURCE 700 // realpath
#include "app/simulation.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/summary.h"
#include "core/file.h"
#include "scene/continuum.h"
#include "scene/text.h"

// Said before the first step: a command that is repeated may have been meant to go on.
static void tell_replaced(const app_simulation *simulation, const pc_run_progress *p)
{
  if (simulation->progress.shown && p->replaced > 0 && p->step == 0)
    fprintf(stderr,
            "percuss %s: %s was stopped at %.4g of %g s; this run starts again from 0 and replaces "
            "it (--resume continues it)\n",
            simulation->command, pc_text_path(simulation->output).text, p->replaced, p->duration);
}

static bool show_progress(void *context, const pc_run_progress *p)
{
  app_simulation *simulation = context;
  app_progress *line = &simulation->progress;
  tell_replaced(simulation, p);
  if (simulation->step != NULL)
    simulation->step(simulation->context);
  if (app_progress_is_due(line)) {
    char text[200], left[32] = "";
    if (p->left_s >= 0)
      app_write_span(p->left_s, left, sizeof left);
    snprintf(text, sizeof text, "%.4g of %.4g s  %.3g steps/s  %d contacts%s%s%s", p->time,
             p->duration, p->rate, p->info->contacts, *left ? "  " : "", left,
             *left ? " left at this speed" : "");
    app_progress_draw(line, p->steps > 0 ? (double)p->step / (double)p->steps : 1, text);
  }
  return app_caught_signal() == 0;
}

static bool read_positive(const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  return *text != 0 && *end == 0 && *value > 0; // infinity if it is too large
}

// A whole number from 1 to `most`.
static bool read_count(const char *text, double most, double *value)
{
  return read_positive(text, value) && *value == floor(*value) && *value <= most;
}

// The scene's name without folder and ending, with .h5; the caller frees it.
static char *default_output(const char *scene)
{
  const char *base = pc_path_name(scene), *dot = strrchr(base, '.');
  size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
  char *name = malloc(length + 4);
  if (name != NULL)
    snprintf(name, length + 4, "%.*s.h5", (int)length, base);
  return name;
}

static int check_record(const app_simulation *simulation)
{
  static const char *const others[] = {".csv",  ".xdmf", ".png", ".svg", ".pdf",  ".mp4",
                                       ".webm", ".txt",  ".asc", ".vtu", ".json", ".html"};
  const char *output = simulation->output;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (pc_path_has_ending(output, others[i]))
      return app_complain("percuss %s: cannot write %s: the name must end with .h5 (RUN.csv and "
                          "RUN.xdmf are written beside RUN.h5; 'percuss render' draws pictures)",
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
    app_complain(
        "percuss %s: --dump-steps '%.40s' is not a range of steps; write for example 10:20",
        command, texts->dump_steps);
  else if (texts->dump_limit != NULL && !read_count(texts->dump_limit, 1e6, &most))
    app_complain("percuss %s: --dump-limit '%.40s' must be a whole number from 1 to 1000000",
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
  if (texts->threads != NULL && !read_count(texts->threads, 1024, &count))
    app_complain("percuss %s: --threads '%.40s' must be a whole number from 1 to 1024", command,
                 texts->threads);
  else if (texts->duration != NULL && !read_positive(texts->duration, duration))
    app_complain("percuss %s: --duration '%.40s' must be a positive number", command,
                 texts->duration);
  else if (texts->steps != NULL && !read_count(texts->steps, INFINITY, steps))
    app_complain("percuss %s: --steps '%.40s' must be a positive whole number", command,
                 texts->steps);
  else if (*steps > PC_STEPS_MOST)
    app_complain("percuss %s: --steps '%.40s' is too large; a run can have at most %g steps",
                 command, texts->steps, PC_STEPS_MOST);
  else if (*duration > 0 && *steps > 0)
    app_complain("percuss %s: give either --duration or --steps", command);
  else if (texts->output != NULL && *texts->output == 0)
    app_complain("percuss %s: -o needs the name of a file", command);
  else if (read_dump(simulation)) {
    simulation->options.threads = (int)count;
    simulation->options.resume = texts->resume;
    simulation->options.certify = texts->certify;
    return true;
  }
  return false;
}

// The target of a link, even if it does not exist yet; NULL: it is not a link, or not the user's
// own: another's, in a folder where many write, may lead anywhere.
static char *follow_link(const char *path)
{
  char text[PATH_MAX];
  struct stat link;
  if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || link.st_uid != geteuid())
    return NULL;
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

// Where the run is written. A link stays a link: its target is written.
static char *find_output(const char *given, const char *scene)
{
  char *output = given != NULL ? strdup(given) : default_output(scene);
  char *target = output != NULL ? follow_link(output) : NULL;
  if (target == NULL)
    return output;
  free(output);
  return target;
}

// Replaces the scene by that of the chosen run.
static int choose_member(app_simulation *simulation)
{
  pc_scene *scene = &simulation->scene, chosen;
  double member;
  const char *text = simulation->texts.member;
  if (!read_count(text, scene->plan.members, &member))
    return app_complain("percuss %s: --member '%.40s' must be a whole number from 1 to %d, the "
                        "number of runs of this scene",
                        simulation->command, text, scene->plan.members);
  if (pc_scene_parse_run(simulation->path, scene->text, (int)member, &chosen, &simulation->error) !=
      PC_OK)
    return app_complain_error(&simulation->error, NULL);
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
  app_end_at_signals();
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
    return app_complain_file(path, &simulation->error);
  simulation->read = true;
  int result = simulation->texts.member != NULL ? choose_member(simulation) : APP_OK;
  if (result == APP_OK)
    result = check_record(simulation);
  if (result != APP_OK)
    return result;
  bool instant = scene->impact != NULL || (scene->continuum != NULL && !scene->continuum->moves);
  if (instant && (duration > 0 || steps > 0)) {
    app_complain("percuss %s: %s: a single collision takes no time; remove --duration and --steps",
                 simulation->command, pc_text_path(path).text);
    return APP_BAD_INPUT;
  }
  if (simulation->options.certify && (scene->chain != NULL || scene->continuum != NULL))
    return app_complain("percuss %s: %s: --certify works for rigid bodies and crowds only",
                        simulation->command, pc_text_path(path).text);
  if (duration > 0 && duration < scene->step)
    return app_complain("percuss %s: %s: the time step of %g s is longer than --duration, %g s",
                        simulation->command, pc_text_path(path).text, scene->step, duration);
  if (duration / scene->step > PC_STEPS_MOST)
    return app_complain("percuss %s: %s: --duration '%.40s' in steps of %g s gives too many steps; "
                        "a run can have at most %g",
                        simulation->command, pc_text_path(path).text, simulation->texts.duration,
                        scene->step, PC_STEPS_MOST);
  simulation->duration = duration;
  simulation->steps = (long)steps;
  if (duration > 0)
    scene->duration = duration;
  if (steps > 0)
    scene->duration = steps * scene->step;
  if (progress) // now, and in the summary: the run may take hours
    app_print_warnings(stderr, scene);
  simulation->progress = app_progress_start(progress);
  simulation->options.output = simulation->output;
  simulation->options.listener = show_progress;
  simulation->options.context = simulation;
  return APP_OK;
}

void app_simulation_run(app_simulation *simulation)
{
  simulation->status = pc_run_scene(&simulation->scene, &simulation->options, &simulation->summary,
                                    &simulation->error);
  app_progress_clear(&simulation->progress);
}

int app_simulation_finish(const app_simulation *simulation, bool as_json, bool quiet)
{
  const pc_run_summary *summary = &simulation->summary;
  pc_status status = simulation->status, shown = PC_OK;
  pc_error error; // of the summary
  bool failed = status != PC_OK;
  if (summary->steps == 0 && (status == PC_ERROR_INPUT || status == PC_ERROR_ARGUMENT))
    return app_complain("percuss %s: %s", simulation->command,
                        simulation->error.text); // a checkpoint of another run
  if (as_json)
    shown = app_summary_json(simulation->path, &simulation->scene, &simulation->options, summary,
                             failed ? &simulation->error : NULL, &error);
  else if (!quiet && !failed)
    shown = app_summary_print(&simulation->scene, &simulation->options, summary, &error);
  if (failed || shown != PC_OK) {
    app_complain("percuss %s: %s", simulation->command,
                 failed ? simulation->error.text : error.text);
    return APP_FAILED;
  }
  if (summary->anew && !quiet)
    fprintf(stderr, "percuss %s: no checkpoint found; the run starts from the beginning\n",
            simulation->command);
  if (summary->finished && pc_run_is_inaccurate(summary)) {
    app_complain("percuss %s: %ld of %ld steps are inaccurate; do not rely on the results, try a "
                 "shorter step or more iterations",
                 simulation->command, summary->steps_inaccurate, summary->steps);
    return APP_INACCURATE;
  }
  if (summary->finished)
    return APP_OK;
  fprintf(stderr,
          "percuss %s: stopped at %g of %g s; to continue, repeat the command with --resume\n",
          simulation->command, summary->time, simulation->scene.duration);
  return 128 + app_caught_signal();
}

void app_simulation_free(app_simulation *simulation)
{
  if (simulation->read)
    pc_scene_free(&simulation->scene);
  free(simulation->output);
}
