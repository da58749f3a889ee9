// percuss render: a picture or a film of a run, without a screen. The page of the viewer draws it
// in a browser without a window; ffmpeg makes films. Chains are drawn by the program itself.
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/progress.h"
#include "app/render_chain.h"
#include "app/render_film.h"
#include "app/render_look.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/written.h"
#include "percuss/browser.h"
#include "percuss/scene.h"
#include "percuss/view.h"
#include "record/record.h"
#include "record/replace.h"
#include "scene/text.h"

typedef struct texts {
  const char *output, *film, *time, *size, *fps, *speed, *from, *to, *view, *color, *set;
  app_look_texts look;
  const char *picture, *against, *points, *each; // of chains
  bool quiet;
} texts;

#define FIELD(name) offsetof(texts, name)
static const app_option options[] = {
    {"-o", "PICTURE.png", FIELD(output), "write a picture"},
    {"--time", "T", FIELD(time), "time of the frame to draw, in s (default: the last frame)"},
    {"--film", "OUT.mp4", FIELD(film), "write a film (.mp4 or .webm)"},
    {"--from", "A", FIELD(from),
     "simulated time at which the film starts, in s (default: start of the run)"},
    {"--to", "B", FIELD(to),
     "simulated time at which the film ends, in s (default: end of the run)"},
    {"--speed", "S", FIELD(speed),
     "simulated seconds per second of film (default: 1; for runs shorter than 0.1 s, so that the "
     "film lasts 5 s)"},
    {"--fps", "N", FIELD(fps), "frames per second of the film (default: 30)"},
    {"--size", "WxH", FIELD(size), "size in pixels (default: 1280x720)"},
    {"--view", "NAME", FIELD(view),
     "3d, front, side or top; for a plane run 2d or 3d; or a view of the scene (default: its view "
     "`default`, else everything that moves)"},
    {"--camera", "X,Y,Z", FIELD(look.camera), "position of the camera, in m"},
    {"--look-at", "X,Y,Z", FIELD(look.look_at),
     "centre of the picture: a point in m, or the name of a body that the camera tracks"},
    {"--zoom", "F", FIELD(look.zoom), "magnification; 2 shows half the width (default: 1)"},
    {"--follow", "NAME", FIELD(look.follow),
     "follow a body, or the mean position of a group or of 'stone-*'"},
    {"--camera-path", "FILE.csv", FIELD(look.path),
     "camera path: a table with the columns time,x,y,z,look_x,look_y,look_z, smoothly "
     "interpolated; or the name of a view of the scene that has a path"},
    {"--color", "NAME", FIELD(color), "quantity shown by the colours: speed, material, ..."},
    {"--set", "A=B,C=D", FIELD(set),
     "other settings of the viewer: forces=true, legend=false, ..."},
    {"--quiet", NULL, FIELD(quiet), "print no names of files and no notes"},
    {"", NULL, 0,
     "For a chain file (kind: chain), drawn without a browser; PICTURE.csv has the numbers:\n"},
    {"-o", "PICTURE.svg", FIELD(output), "write a picture"},
    {"--picture", "NAME", FIELD(picture),
     "geometry: all possible outcomes for three balls, with the outcome of each law; wave: "
     "velocities over time (laws lzb and hertz); bounds: smallest and largest dispersion C_KE "
     "(default: chosen from the file)"},
    {"--against", "NAME", FIELD(against),
     "horizontal axis of bounds: ker, taper, anti-taper, decorated, or the mass of a ball relative "
     "to the first, as in mass:3 (default: ker)"},
    {"--from", "A", FIELD(from), "smallest value on that axis"},
    {"--to", "B", FIELD(to), "largest value on that axis"},
    {"--points", "N", FIELD(points), "number of points per curve (default: 141)"},
    {"--each", "NAME=A,B", FIELD(each),
     "draw a pair of curves for each value, as in ker=1,0.75 or decorated=0.5,1,2"},
    {NULL, NULL, 0, NULL},
};

// An impact lasts microseconds: the film of a run shorter than SHORT_RUN lasts SHORT_FILM, in s.
#define SHORT_RUN 0.1
#define SHORT_FILM 5.0

// An older picture or film of the same format is replaced, whoever has made it.
static const pc_own png_own = {"a PNG picture", {{"\x89PNG\r\n\x1a\n", NULL}}};

typedef struct job {
  const char *path, *output; // run and result
  bool film;
  int width, height;
  double fps, speed, from, to; // a picture shows the time `to`
  double spacing;              // of frames in the run, in s; 0: unknown
  bool quiet;
  char *choices, *look; // of the page and its camera, as JSON
} job;

static bool read_size(const char *text, int *width, int *height)
{
  int end = 0;
  if (text == NULL)
    return true;
  return strspn(text, "0123456789x") == strlen(text) &&
         sscanf(text, "%5dx%5d%n", width, height, &end) == 2 && text[end] == 0 && *width >= 16 &&
         *width <= 8192 && *height >= 16 && *height <= 8192;
}

// Seconds of the first and the last frame, and how many there are. Returns the exit status, as what
// follows.
static int read_times(const char *path, double *first, double *last, long *count)
{
  pc_error error = {.status = PC_OK};
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading == NULL)
    return app_complain_error(&error, "percuss render");
  long frames = *count = pc_reading_frames(reading, "frames");
  bool fine =
      frames > 0 &&
      pc_reading_rows(reading, "frames/time", 0, 1, PC_RECORD_DOUBLE, first, &error) == PC_OK &&
      pc_reading_rows(reading, "frames/time", frames - 1, 1, PC_RECORD_DOUBLE, last, &error) ==
          PC_OK;
  pc_reading_close(reading);
  if (fine)
    return APP_OK;
  return error.status != PC_OK
             ? app_complain_error(&error, "percuss render")
             : app_complain("percuss render: %s has no frames", pc_text_path(path).text);
}

// A setting in the form of the page: true, false, a number or a text.
static void write_choice(pc_json *json, const char *value)
{
  double number;
  if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
    pc_json_boolean(json, *value == 't');
  else if (*value != 0 && app_read_number(value, &number))
    pc_json_number(json, number);
  else
    pc_json_string(json, value);
}

static bool write_choices(pc_json *json, char *list)
{
  char *rest = NULL;
  for (char *one = strtok_r(list, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest)) {
    char *equals = strchr(one, '=');
    if (equals == NULL || equals == one)
      return false;
    *equals = 0;
    pc_json_key(json, one), write_choice(json, equals + 1);
  }
  return true;
}

// The view comes first: the other settings may be those of the view. Returns the exit status.
static int make_choices(const texts *t, char **choices)
{
  char *list = t->set != NULL ? strdup(t->set) : NULL;
  pc_written written;
  if ((t->set != NULL && list == NULL) || !pc_written_begin(&written)) {
    free(list);
    app_complain("percuss render: out of memory");
    return APP_FAILED;
  }
  pc_json json = {.file = written.to};
  pc_json_open(&json, '{');
  if (t->view != NULL)
    pc_json_key(&json, "view"), pc_json_string(&json, t->view);
  if (t->color != NULL)
    pc_json_key(&json, "color"), pc_json_string(&json, t->color);
  bool fine = list == NULL || write_choices(&json, list);
  pc_json_close(&json);
  free(list);
  *choices = pc_written_end(&written);
  if (!fine)
    return app_complain("percuss render: --set must be a list like forces=true,legend=false");
  if (*choices == NULL)
    app_complain("percuss render: out of memory");
  return *choices != NULL ? APP_OK : APP_FAILED;
}

// The camera. Returns the exit status.
static int make_look(const texts *t, char **look)
{
  pc_written written;
  if (!pc_written_begin(&written)) {
    app_complain("percuss render: out of memory");
    return APP_FAILED;
  }
  int result = app_write_look(&t->look, &(pc_json){.file = written.to});
  *look = pc_written_end(&written);
  if (result == APP_OK && *look == NULL) {
    app_complain("percuss render: out of memory");
    return APP_FAILED;
  }
  return result;
}

static int check_film(const texts *t, const job *j)
{
  if (!pc_path_has_ending(t->film, ".mp4") && !pc_path_has_ending(t->film, ".webm"))
    return app_complain("percuss render: --film '%.60s': the name must end with .mp4 or .webm",
                        t->film);
  if (t->time != NULL)
    return app_complain("percuss render: --time is for pictures; use --from and --to for a film");
  if (j->width % 2 != 0 || j->height % 2 != 0)
    return app_complain("percuss render: width and height of a film must be even (got %dx%d)",
                        j->width, j->height);
  if (!(j->fps >= 1 && j->fps <= 240) || !(j->speed > 0))
    return app_complain(
        "percuss render: --fps must be from 1 to 240, and --speed must be positive");
  if (!(j->from <= j->to))
    return app_complain("percuss render: --from %g s is after --to %g s", j->from, j->to);
  if ((j->to - j->from) / j->speed * j->fps > 1e6)
    return app_complain(
        "percuss render: the film would have more than a million frames; choose a larger --speed");
  return APP_OK;
}

static int check_picture(const texts *t)
{
  if (!pc_path_has_ending(t->output, ".png"))
    return app_complain(
        "percuss render: -o '%.60s': the name must end with .png; use --film for a film",
        t->output);
  if (t->from != NULL || t->to != NULL || t->fps != NULL || t->speed != NULL)
    return app_complain("percuss render: --from, --to, --fps and --speed need --film");
  return APP_OK;
}

static int read_job(const texts *t, job *j)
{
  double first = 0, last = 0;
  long frames = 0;
  *j = (job){.path = j->path,
             .quiet = t->quiet,
             .output = t->film != NULL ? t->film : t->output,
             .film = t->film != NULL,
             .width = 1280,
             .height = 720,
             .fps = 30,
             .speed = 1};
  if ((t->output != NULL) == (t->film != NULL))
    return app_complain("percuss render: give either -o PICTURE.png or --film FILM.mp4");
  int result = read_times(j->path, &first, &last, &frames);
  if (result != APP_OK)
    return result;
  j->from = first;
  j->to = last;
  j->spacing = frames > 1 ? (last - first) / (double)(frames - 1) : 0;
  if (!read_size(t->size, &j->width, &j->height))
    return app_complain("percuss render: --size '%.40s' must be WIDTHxHEIGHT, such as 1280x720, "
                        "with 16 to 8192 pixels each",
                        t->size);
  if (!app_read_number(t->fps, &j->fps) || !app_read_number(t->speed, &j->speed) ||
      !app_read_number(t->from, &j->from) || !app_read_number(t->to, &j->to) ||
      !app_read_number(t->time, &j->to))
    return app_complain("percuss render: --time, --from, --to, --fps and --speed must be numbers");
  if (t->speed == NULL && j->to > j->from && j->to - j->from < SHORT_RUN)
    j->speed = (j->to - j->from) / SHORT_FILM;
  double slack = 1e-9 * (fabs(first) + fabs(last));
  if (j->from < first - slack || j->to > last + slack || j->to < first - slack)
    return app_complain("percuss render: no frame at this time; the run has frames from %g to %g s",
                        first, last);
  result = j->film ? check_film(t, j) : check_picture(t);
  if (result == APP_OK)
    result = make_choices(t, &j->choices);
  return result == APP_OK ? make_look(t, &j->look) : result;
}

static pc_status evaluate(pc_browser *browser, const char *expression, pc_error *error)
{
  char *value = pc_browser_evaluate(browser, expression, error);
  free(value);
  return value != NULL ? PC_OK : error->status;
}

static pc_status open_page(pc_browser *browser, const pc_view *view, const job *j, pc_error *error)
{
  char address[200], *expression = NULL;
  snprintf(address, sizeof address, "%s?render=1", pc_view_address(view));
  pc_status status = pc_browser_open(browser, address, error);
  if (status == PC_OK) // with its script
    status = evaluate(browser,
                      "window.percuss ? window.percuss.ready.then(() => true)"
                      " : Promise.reject(new TypeError('the page did not load'))",
                      error);
  if (status != PC_OK)
    return status;
  // The view first: the camera changes it.
  if (asprintf(&expression, "window.percuss.set(%s).then(() => window.percuss.look(%s))",
               j->choices, j->look) < 0)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  status = evaluate(browser, expression, error);
  free(expression);
  return status;
}

// What is in a picture: the time of its frame, and where the scene is if none of it is seen.
typedef struct drawn {
  double time;
  bool seen; // here or in an earlier picture of a film
  char missed[300];
} drawn;

static pc_status look_at(pc_browser *browser, drawn *d, pc_error *error)
{
  char *text = pc_browser_evaluate(browser, "window.percuss.missed()", error);
  if (text == NULL)
    return error->status;
  snprintf(d->missed, sizeof d->missed, "%.*s", (int)strcspn(text + 1, "\""), text + 1);
  d->seen = *d->missed == 0;
  free(text);
  return PC_OK;
}

static unsigned char *draw(pc_browser *browser, double time, bool quick, drawn *d, size_t *size,
                           pc_error *error)
{
  char expression[100];
  snprintf(expression, sizeof expression, "window.percuss.show(%.17g)", time);
  char *shown = pc_browser_evaluate(browser, expression, error);
  if (shown == NULL)
    return NULL;
  if (!app_read_number(shown, &d->time))
    d->time = time;
  free(shown);
  if (!d->seen && look_at(browser, d, error) != PC_OK)
    return NULL;
  return pc_browser_picture(browser, quick, size, error);
}

static void warn_missed(const drawn *d)
{
  if (!d->seen)
    app_complain("percuss render: warning: nothing is in view; %s", d->missed);
}

static void print_picture(const job *j, const drawn *d)
{
  warn_missed(d);
  if (j->quiet)
    return;
  bool other = fabs(d->time - j->to) > 1e-9 * (fabs(j->to) + j->spacing);
  printf("time        %.6g s", d->time);
  if (other)
    printf(", the last frame up to %.6g s", j->to);
  printf("\nfiles       %s\n", pc_text_path(j->output).text);
}

static pc_status make_picture(pc_browser *browser, const job *j, pc_error *error)
{
  size_t size = 0;
  drawn d = {.time = j->to};
  unsigned char *picture = draw(browser, j->to, false, &d, &size, error);
  if (picture == NULL)
    return error->status;
  pc_status status = PC_ERROR_IO;
  pc_replace *file = pc_replace_begin(j->output, &png_own, error);
  if (file != NULL) {
    pc_replace_write(file, picture, size);
    status = pc_replace_end(file, error);
  }
  free(picture);
  if (status == PC_OK)
    print_picture(j, &d);
  return status;
}

static void show_progress(long done, long all, double began)
{
  if (isatty(STDERR_FILENO) == 0)
    return;
  char left[32] = "";
  double each = (pc_clock_seconds() - began) / (double)done;
  app_write_span(each * (double)(all - done), left, sizeof left);
  fprintf(stderr, "\rpicture %ld of %ld, %s left     ", done, all, left);
  if (done == all)
    fprintf(stderr, "\r%60s\r", "");
}

static pc_status make_film(pc_browser *browser, const job *j, pc_error *error)
{
  app_film f;
  long count = (long)floor((j->to - j->from) * j->fps / j->speed + 1e-6) + 1;
  double began = pc_clock_seconds();
  drawn d = {.time = j->from};
  if (!j->quiet && j->to > j->from)
    app_film_note(j->spacing, j->speed / j->fps);
  pc_status status = app_film_start(&f, j->output, j->fps, error);
  for (long k = 0; k < count && status == PC_OK; k++) {
    size_t size = 0;
    double time = fmin(j->from + (double)k * j->speed / j->fps, j->to);
    unsigned char *picture = draw(browser, time, true, &d, &size, error);
    if (picture == NULL)
      status = error->status;
    else
      status = app_film_add(&f, picture, size, error);
    free(picture);
    show_progress(k + 1, count, began);
  }
  status = app_film_end(&f, status, error);
  if (status != PC_OK)
    return status;
  warn_missed(&d);
  if (!j->quiet)
    printf("time        %.6g to %.6g s, %ld picture%s\nfiles       %s\n", j->from, j->to, count,
           app_plural(count), pc_text_path(j->output).text);
  return PC_OK;
}

static bool is_stopped(void)
{
  return app_caught_signal() != 0;
}

static int render(const job *j)
{
  pc_error error = {.status = PC_OK};
  pc_view_options from = {.path = j->path};
  app_watch_signals();
  signal(SIGPIPE, SIG_IGN);
  pc_view *view = pc_view_open(&from, &error);
  pc_browser *browser =
      view != NULL ? pc_browser_start(j->width, j->height, is_stopped, &error) : NULL;
  bool opened = browser != NULL && open_page(browser, view, j, &error) == PC_OK;
  if (opened)
    j->film ? make_film(browser, j, &error) : make_picture(browser, j, &error);
  pc_browser_close(browser);
  pc_view_close(view);
  if (app_caught_signal() != 0)
    return 128 + app_caught_signal();
  if (error.status == PC_OK)
    return APP_OK;
  app_complain("percuss render: %s", error.text);
  return error.status == PC_ERROR_INPUT || error.status == PC_ERROR_ARGUMENT ? APP_BAD_INPUT
                                                                             : APP_FAILED;
}

// Options for runs are rejected for chains.
static int render_chain(const char *path, const texts *t)
{
  const app_look_texts *look = &t->look;
  if (t->film != NULL || t->time != NULL || t->size != NULL || t->fps != NULL || t->speed != NULL ||
      t->view != NULL || t->color != NULL || t->set != NULL || look->camera != NULL ||
      look->look_at != NULL || look->zoom != NULL || look->follow != NULL || look->path != NULL)
    return app_complain("percuss render: --film, --time, --size, --fps, --speed, --view, --color, "
                        "--set and the camera options are for runs, not for chains");
  app_chain_texts chain = {t->output, t->picture, t->against, t->from,
                           t->to,     t->points,  t->each,    t->quiet};
  return app_render_chain(path, &chain);
}

static int run(const void *given, int count, char **files)
{
  const texts *t = given;
  const char *path = files[0];
  int piped = app_reject_pipe("render", path);
  if (piped != APP_OK)
    return piped;
  bool file = pc_path_has_ending(path, ".yaml") || pc_path_has_ending(path, ".yml");
  // A file for an SVG picture is read as a chain, so that its errors are reported.
  pc_error error = {.status = PC_OK};
  if (!pc_path_has_ending(path, ".h5") &&
      (pc_scene_is_of_kind(path, "chain", &error) ||
       (file && t->output != NULL && pc_path_has_ending(t->output, ".svg"))))
    return render_chain(path, t);
  if (error.status == PC_ERROR_MEMORY)
    return app_complain_error(&error, "percuss render");
  if (file)
    return app_complain(
        "percuss render: %s is a scene; simulate it first with 'percuss run' and render the run",
        pc_text_path(path).text);
  if (t->picture != NULL || t->against != NULL || t->points != NULL || t->each != NULL)
    return app_complain(
        "percuss render: --picture, --against, --points and --each need a chain file");
  job j = {.path = path};
  int result = read_job(t, &j);
  if (result == APP_OK)
    result = app_check_output("render", j.output, false);
  const pc_own *own = j.film ? &app_film_own : &png_own;
  if (result == APP_OK && pc_replace_check(j.output, own, &error) != PC_OK)
    result = app_complain_error(&error, "percuss render");
  if (result == APP_OK)
    result = render(&j);
  free(j.choices);
  free(j.look);
  return result;
}

const app_command app_render = {
    "render",
    "RUN.h5|CHAIN.yaml",
    "render a run as a picture or film, or plot a chain",
    "Renders a run in the viewer. Needs Chromium, and ffmpeg for films. Units are SI.\n",
    options,
    "Exit status: 0 success; 1 rendering failed; 2 wrong usage or input; 130 stopped.\n",
    "run (RUN.h5) or chain file",
    run};
