// percuss run: a simulation from a scene, with its progress.
#define _XOPEN_SOURCE 700 // realpath
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "core/clock.h"
#include "core/json.h"
#include "percuss/run.h"
#include "scene/text.h"

// --- stopping -----------------------------------------------------------------------------------

// The only thing a signal can reach. A second Ctrl-C ends the program at once.
static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
  caught = number;
}

static void watch_signals(void)
{
  struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

// --- progress -----------------------------------------------------------------------------------

typedef struct progress_line {
  bool shown, terminal;
  double last; // clock, when it was last drawn
  int width;   // of what is on the screen
} progress_line;

static void write_span(double seconds, char *text, size_t size)
{
  long s = (long)fmin(seconds + 0.5, 1e9);
  if (s < 60)
    snprintf(text, size, "%ld s", s);
  else if (s < 3600)
    snprintf(text, size, "%ld:%02ld min", s / 60, s % 60);
  else
    snprintf(text, size, "%ld:%02ld h", s / 3600, s / 60 % 60);
}

static int write_progress(const pc_run_progress *p, bool bar, char *text, size_t size)
{
  double part = p->steps > 0 ? (double)p->step / (double)p->steps : 1;
  char filled[32] = "", left[32] = "";
  enum { BAR = 20 };
  if (bar) {
    memset(filled, '.', BAR);
    memset(filled, '#', (size_t)(part * BAR));
    filled[BAR] = ' ';
    filled[BAR + 1] = 0;
  }
  if (p->left_s >= 0)
    write_span(p->left_s, left, sizeof left);
  return snprintf(text, size, "%s%3.0f%%  %.4g of %.4g s  %.3g steps/s  %d contacts%s%s%s", filled,
                  floor(100 * part), p->time, p->duration, p->rate, p->info->contacts,
                  *left ? "  " : "", left, *left ? " left" : "");
}

static bool show_progress(void *context, const pc_run_progress *p)
{
  progress_line *line = context;
  double now = pc_clock_seconds();
  if (line->shown && now - line->last > (line->terminal ? 0.1 : 10)) {
    char text[200];
    int length = write_progress(p, line->terminal, text, sizeof text);
    if (line->terminal)
      fprintf(stderr, "\r%s%*s", text, length < line->width ? line->width - length : 0, "");
    else
      fprintf(stderr, "%s\n", text);
    line->width = length;
    line->last = now;
  }
  return caught == 0;
}

static void clear_progress(const progress_line *line)
{
  if (line->terminal && line->width > 0)
    fprintf(stderr, "\r%*s\r", line->width, "");
}

// --- the summary --------------------------------------------------------------------------------

static void write_deposit(pc_json *json, const pc_deposit *d)
{
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"runout", d->runout},
                 {"drop", d->drop},
                 {"reach_angle", d->reach_angle},
                 {"longest_travel", d->longest},
                 {"centre_travel", d->centre_travel},
                 {"centre_drop", d->centre_drop},
                 {"spacing", d->spacing},
                 {"area", d->area},
                 {"thickest", d->thickest},
                 {"bulk_volume", d->bulk},
                 {"volume", d->volume}};
  pc_json_key(json, "deposit"), pc_json_open(json, '{');
  pc_json_key(json, "bodies"), pc_json_integer(json, d->bodies);
  pc_json_key(json, "moving"), pc_json_integer(json, d->moving);
  pc_json_key(json, "astray"), pc_json_integer(json, d->astray);
  pc_json_key(json, "source"), pc_json_vector(json, d->source, 3);
  pc_json_key(json, "toe"), pc_json_vector(json, d->toe, 3);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    pc_json_key(json, numbers[i].name), pc_json_number(json, numbers[i].value);
  pc_json_close(json);
}

static void write_json(const char *status, const char *scene, const pc_run_options *options,
                       const pc_run_summary *s, const char *error)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "status"), pc_json_string(&json, status);
  pc_json_key(&json, "error"), pc_json_string(&json, error);
  pc_json_key(&json, "scene"), pc_json_string(&json, scene);
  pc_json_key(&json, "output"), pc_json_string(&json, options->output);
  const struct {
    const char *name;
    long value;
  } counts[] = {{"steps", s->steps},
                {"bodies", s->bodies},
                {"contacts_total", s->contacts_total},
                {"contacts_largest", s->contacts_largest},
                {"steps_inaccurate", s->steps_inaccurate},
                {"steps_open", s->steps_open},
                {"lost", s->lost}};
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"time", s->time},
                 {"residual_largest", s->residual_largest},
                 {"audit_largest", s->audit_largest},
                 {"deepest", s->deepest},
                 {"kinetic", s->kinetic},
                 {"potential", s->potential},
                 {"stored", s->stored},
                 {"dissipated", s->dissipated},
                 {"correction", s->correction},
                 {"drift", s->drift},
                 {"overlap_end", s->overlap_end},
                 {"overlap_relative", s->overlap_relative},
                 {"turnover", s->turnover},
                 {"given_by_laws", s->given_by_laws},
                 {"stored_error", s->stored_error},
                 {"given_by_events", s->given_by_events},
                 {"wall_s", s->wall_s},
                 {"detection_s", s->detection_s},
                 {"solve_s", s->solve_s},
                 {"record_s", s->record_s}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    pc_json_key(&json, counts[i].name), pc_json_integer(&json, counts[i].value);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    pc_json_key(&json, numbers[i].name), pc_json_number(&json, numbers[i].value);
  if (s->deposit.measured)
    write_deposit(&json, &s->deposit);
  pc_json_close(&json);
}

static const char *plural(long count)
{
  return count == 1 ? "" : "s";
}

static double energies(const pc_run_summary *s)
{
  return fabs(s->kinetic) + fabs(s->potential) + fabs(s->stored) + s->turnover;
}

// What is round-off of the energies is shown as 0.
static double energy(const pc_run_summary *s, double value)
{
  return fabs(value) > 1e-9 * energies(s) ? value : 0;
}

static void print_energies(const pc_scene_rigid *scene, const pc_run_summary *s)
{
  // At rest nothing is turned over but what the solver leaves, step by step.
  double worth_saying = 1e-6 * s->turnover + 1e-8 * energies(s);
  bool penalty = pc_world_definition(scene->world)->treatment == PC_PENALTY;
  printf("energy      kinetic %.5g J, potential %.5g J, stored %.5g J\n", energy(s, s->kinetic),
         energy(s, s->potential), energy(s, s->stored));
  printf("            dissipated %.5g J; given by pushing overlaps out %.3g J\n",
         energy(s, s->dissipated), energy(s, s->correction));
  if (s->given_by_events != 0)
    printf("            given by events %.5g J\n", s->given_by_events);
  if (s->given_by_laws > worth_saying)
    printf("            given by contacts %.3g J (rebounds of several contacts at once, or with "
           "friction, can give energy)\n",
           s->given_by_laws);
  if (fabs(s->stored_error) > worth_saying)
    printf("            springs%s and nets: %.3g J not explained by their work (step too large for "
           "their stiffness)\n",
           penalty ? ", overlaps" : "", s->stored_error);
}

static void print_overlap(const pc_scene_rigid *scene, const pc_run_summary *s)
{
  const pc_body *body = s->overlap_bodies;
  if (body[0].id == 0 || body[1].id == 0)
    return;
  printf("overlap     %.2g m at the end, %.2g %% of the smaller body's radius\n", s->overlap_end,
         100 * s->overlap_relative);
  if (s->overlap_relative > 0.02)
    printf("            WARNING: '%s' and '%s' overlap by so much; try a smaller step\n",
           pc_text_path(scene->names[body[0].id - 1]).text,
           pc_text_path(scene->names[body[1].id - 1]).text);
}

static void print_deposit(const pc_deposit *d)
{
  if (d->bodies > 0)
    printf("deposit     runout %.4g m, drop %.4g m, reach angle %.3g degrees\n"
           "            area %.4g m2, at most %.3g m thick, %.4g m3 of rock in %.4g m3\n",
           d->runout, d->drop, d->reach_angle, d->area, d->thickest, d->volume, d->bulk);
  printf("            %d bod%s on the ground, %d still moving%s\n", d->bodies,
         d->bodies == 1 ? "y" : "ies", d->moving, d->astray > 0 ? "" : ", none astray");
  if (d->astray > 0)
    printf("            %d astray: off the terrain or below it\n", d->astray);
}

static void print_summary(const pc_scene_rigid *scene, const pc_run_options *options,
                          const pc_run_summary *s)
{
  char wall[32];
  write_span(s->wall_s, wall, sizeof wall);
  if (scene->title != NULL)
    printf("%s\n", pc_text_path(scene->title).text);
  printf("%d bodies, %ld steps to %g s in %s\n", s->bodies, s->steps, s->time, wall);
  printf("contacts    %.4g a step, %d at most, deepest overlap %.2g m\n",
         s->steps > 0 ? (double)s->contacts_total / (double)s->steps : 0, s->contacts_largest,
         s->deepest);
  print_overlap(scene, s);
  print_energies(scene, s);
  if (s->steps_open == 0)
    printf("account     closed in every step, drift %.1e\n", s->drift);
  else
    printf("account     NOT CLOSED in %ld step%s, worst %.1e, drift %.1e\n", s->steps_open,
           plural(s->steps_open), s->audit_largest, s->drift);
  if (s->steps_inaccurate == 0)
    printf("solver      every step to its tolerance, worst residual %.1e\n", s->residual_largest);
  else
    printf("solver      %ld step%s missed the tolerance, worst residual %.1e\n",
           s->steps_inaccurate, plural(s->steps_inaccurate), s->residual_largest);
  if (s->residual_largest > 0.1) // nothing moves as all contacts demand
    printf(
        "            something may be squeezed between obstacles that close on it; energies mean "
        "nothing then\n");
  if (s->lost > 0)
    printf("lost        %d bod%s outside the bounds\n", s->lost, s->lost == 1 ? "y is" : "ies are");
  if (s->deposit.measured)
    print_deposit(&s->deposit);
  size_t length = strlen(options->output);
  int stem = (int)length - (length > 3 && strcmp(options->output + length - 3, ".h5") == 0 ? 3 : 0);
  printf("files       %s", options->output);
  if (scene->csv)
    printf(", %.*s.csv", stem, options->output);
  if (scene->xdmf)
    printf(", %.*s.xdmf (for ParaView)", stem, options->output);
  if (scene->end_table && s->finished)
    printf(", %.*s-end.csv", stem, options->output);
  if (s->deposit.measured)
    printf(", %.*s-deposit.asc, %.*s-outline.csv", stem, options->output, stem, options->output);
  printf("\n");
}

// --- the command --------------------------------------------------------------------------------

const char app_run_help[] =
    "SCENE is a YAML or JSON file such as:\n"
    "\n"
    "  kind: rigid\n"
    "  duration: 1\n"
    "  step: 1e-3\n"
    "  materials: [{name: rock, density: 2600}]\n"
    "  bodies:\n"
    "    - {name: stone, shape: {type: box, size: [0.2, 0.1, 0.1]}, position: [0, 0, 1]}\n"
    "  obstacles:\n"
    "    - {name: ground, shape: {type: plane}}\n"
    "\n"
    "docs/scene-format.md has all keys; scenes/rigid has ready scenes. Units are SI.\n"
    "\n"
    "RUN.h5 holds frames, contacts, sensors and the energy account of every step\n"
    "(docs/run-format.md); RUN.csv has the account as a table, RUN.xdmf opens in ParaView, and\n"
    "RUN.h5.checkpoint is where a run goes on.\n"
    "\n"
    "  -o RUN.h5      where to write (default: the scene's name, in the current folder). An old\n"
    "                 file of that name is replaced once the scene is read and the run starts\n"
    "  --threads N    use N threads (default: as the scene says, else 1); changes no number\n"
    "  --resume       go on from the checkpoint, as if the run had never stopped\n"
    "  --duration T   run to T seconds instead of what the scene says\n"
    "  --steps N      run N steps instead\n"
    "  --json         the summary as one JSON object\n"
    "  --quiet        no progress and no summary\n"
    "\n"
    "Ctrl-C ends the step, writes a checkpoint and says how to go on.\n"
    "\n"
    "Exit status: 0 done; 1 failed, with the reason on stderr; 2 bad usage or input, and nothing\n"
    "is written; 130 stopped by Ctrl-C, 143 by SIGTERM.\n";

static bool read_positive(const char *text, double *value)
{
  char *end;
  errno = 0;
  *value = strtod(text, &end);
  return *text != 0 && *end == 0 && errno == 0 && *value > 0 && *value <= 1e12;
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

static int finish(const char *path, const pc_scene_rigid *scene, const pc_run_options *options,
                  const pc_run_summary *summary, pc_status status, const pc_error *error,
                  bool as_json, bool quiet)
{
  bool failed = status != PC_OK;
  if (as_json)
    write_json(failed              ? "failed"
               : summary->finished ? "finished"
                                   : "stopped",
               path, options, summary, failed ? error->text : NULL);
  else if (!quiet && !failed)
    print_summary(scene, options, summary);
  if (failed) {
    app_complain("percuss run: %s", error->text);
    return APP_FAILED;
  }
  if (summary->finished)
    return APP_OK;
  fprintf(stderr, "percuss run: stopped at %g of %g s; the same command with --resume goes on\n",
          summary->time, scene->duration);
  return 128 + (int)caught;
}

// Complains, and gives false, if there is no place for the output.
static bool check_output(const char *output)
{
  const char *slash = strrchr(output, '/');
  size_t length = slash != NULL ? (size_t)(slash - output) + 1 : 0;
  char *folder = malloc(length + 2);
  if (folder == NULL) {
    app_complain("percuss run: out of memory");
    return false;
  }
  memcpy(folder, output, length);
  strcpy(folder + length, "."); // also for a file in the current folder
  struct stat there;
  const char *reason = NULL;
  if (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
    reason = "there is no such folder";
  else if (access(folder, W_OK | X_OK) != 0)
    reason = "its folder is not writable";
  else if (stat(output, &there) == 0 && S_ISDIR(there.st_mode))
    reason = "it is a folder";
  else if (stat(output, &there) == 0 && !S_ISREG(there.st_mode))
    reason = "it is there and not a plain file";
  free(folder);
  if (reason != NULL)
    app_complain("percuss run: %s cannot be written: %s", pc_text_path(output).text, reason);
  return reason == NULL;
}

static int run_file(const char *path, pc_run_options *options, double duration, double steps,
                    bool as_json, bool quiet)
{
  pc_scene_rigid scene;
  pc_error error = {.status = PC_OK};
  if (pc_scene_read_rigid(path, &scene, &error) != PC_OK)
    return app_complain("%s", error.text);
  // A link stays one: what it leads to is written, where that is.
  struct stat there;
  char *target = lstat(options->output, &there) == 0 && S_ISLNK(there.st_mode)
                     ? realpath(options->output, NULL)
                     : NULL;
  options->output = target != NULL ? target : options->output;
  if (!check_output(options->output)) {
    pc_scene_rigid_free(&scene);
    free(target);
    return APP_BAD_INPUT;
  }
  if (duration > 0)
    scene.duration = duration;
  if (steps > 0)
    scene.duration = steps * scene.step;
  progress_line line = {.shown = !quiet, .terminal = isatty(STDERR_FILENO) != 0};
  line.last = pc_clock_seconds();
  options->listener = show_progress;
  options->context = &line;
  watch_signals();
  pc_run_summary summary;
  pc_status status = pc_run_scene(&scene, options, &summary, &error);
  clear_progress(&line);
  int result;
  if (summary.steps == 0 && (status == PC_ERROR_INPUT || status == PC_ERROR_ARGUMENT))
    result = app_complain("percuss run: %s", error.text); // a checkpoint that does not fit
  else
    result = finish(path, &scene, options, &summary, status, &error, as_json, quiet);
  pc_scene_rigid_free(&scene);
  free(target);
  return result;
}

int app_run(int argc, char **argv)
{
  bool as_json = false, quiet = false;
  const char *threads = NULL, *duration_text = NULL, *steps_text = NULL;
  pc_run_options options = {0};
  const app_option known[] = {
      {"-o", NULL, &options.output},       {"--threads", NULL, &threads},
      {"--resume", &options.resume, NULL}, {"--duration", NULL, &duration_text},
      {"--steps", NULL, &steps_text},      {"--json", &as_json, NULL},
      {"--quiet", &quiet, NULL},           {NULL, NULL, NULL}};
  int files = app_parse(argc, argv, "run", known);
  if (files < 0)
    return APP_BAD_INPUT;
  if (files != 1)
    return app_complain("percuss run: one scene file is needed, %d given", files);
  double count = 0, duration = 0, steps = 0;
  if (threads != NULL && (!read_positive(threads, &count) || count != floor(count) || count > 1024))
    return app_complain("percuss run: --threads '%.40s' is not a whole number from 1 to 1024",
                        threads);
  options.threads = (int)count;
  if (duration_text != NULL && !read_positive(duration_text, &duration))
    return app_complain("percuss run: --duration '%.40s' is not a positive number", duration_text);
  if (steps_text != NULL && (!read_positive(steps_text, &steps) || steps != floor(steps)))
    return app_complain("percuss run: --steps '%.40s' is not a positive integer", steps_text);
  if (duration > 0 && steps > 0)
    return app_complain("percuss run: --duration and --steps say the same thing: give one");
  char *output = options.output == NULL ? default_output(argv[0]) : NULL;
  if (options.output == NULL)
    options.output = output;
  if (options.output == NULL)
    return app_complain("percuss run: out of memory");
  if (*options.output == 0)
    return app_complain("percuss run: -o needs the name of a file");
  int result = run_file(argv[0], &options, duration, steps, as_json, quiet);
  free(output);
  return result;
}
