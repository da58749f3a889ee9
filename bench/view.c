// percuss bench view: how long a user of the viewer waits for the first picture of a large run, and
// pictures a second, in Chromium without a graphics card at 1280x720.
#define _XOPEN_SOURCE 700 // mkstemp
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "measure.h"
#include "percuss/browser.h"
#include "percuss/random.h"
#include "percuss/run.h"
#include "percuss/view.h"

enum { WIDTH = 1280, HEIGHT = 720, PICTURES = 60 };

// An empty temporary file for a run; false if none can be made.
static bool make_path(char *path, size_t size)
{
  const char *folder = getenv("TMPDIR");
  int length = snprintf(path, size, "%s/percuss-bench-XXXXXX", folder != NULL ? folder : "/tmp");
  int file = length < (int)size ? mkstemp(path) : -1;
  if (file >= 0)
    close(file);
  return file >= 0;
}

// Boxes on a grid in a closed cube without gravity, each with a velocity and a spin of its own;
// they rebound from each other and from the walls. Every step is a frame.
static char *write_scene(int boxes)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL)
    return NULL;
  int side = (int)ceil(cbrt(boxes));
  pc_random random;
  pc_random_seed(&random, 1);
  fprintf(file, "kind: rigid\ntitle: %d boxes in a cube\nduration: 1\nstep: 0.01\n", boxes);
  fprintf(file, "gravity: [0, 0, 0]\noutput: {every: 0.01, checkpoint: 0, csv: false}\n");
  fprintf(file, "materials: [{name: rock, density: 2600}]\n");
  fprintf(file, "default_law: {normal: {kind: restitution, e: 1}}\n");
  fprintf(file, "shapes: [{name: box, type: box, size: [0.5, 0.45, 0.4]}]\nobstacles:\n");
  for (int i = 0; i < 6; i++) {
    int normal[3] = {0}, at[3] = {0};
    normal[i / 2] = i % 2 ? -1 : 1;
    at[i / 2] = i % 2 ? side : 0;
    fprintf(file, "  - {shape: {type: plane, normal: [%d, %d, %d]}, position: [%d, %d, %d]}\n",
            normal[0], normal[1], normal[2], at[0], at[1], at[2]);
  }
  fprintf(file, "bodies:\n");
  for (int i = 0; i < boxes; i++) {
    double v[6];
    for (int k = 0; k < 6; k++)
      v[k] = pc_random_uniform(&random, -1, 1);
    fprintf(file, "  - {shape: box, position: [%d.5, %d.5, %d.5], ", i % side, i / side % side,
            i / side / side);
    fprintf(file, "velocity: [%.3f, %.3f, %.3f], spin: [%.3f, %.3f, %.3f]}\n", v[0], v[1], v[2],
            v[3], v[4], v[5]);
  }
  return fclose(file) == 0 ? text : NULL;
}

typedef struct limit {
  const char *path;
  double bytes; // 0: none
} limit;

static bool is_below(void *context, const pc_run_progress *progress)
{
  const limit *l = context;
  struct stat file;
  return l->bytes == 0 || progress->step % 16 != 0 || stat(l->path, &file) != 0 ||
         (double)file.st_size < l->bytes;
}

// Frames are recorded until there are `frames` of them or the file has `bytes` (0: no limit).
static pc_status record_run(const char *path, int boxes, long frames, double bytes, pc_error *error)
{
  char *text = write_scene(boxes);
  pc_scene scene;
  limit l = {path, bytes};
  pc_run_options options = {.output = path, .threads = 2, .listener = is_below, .context = &l};
  pc_run_summary summary;
  if (text == NULL) {
    snprintf(error->text, sizeof error->text, "out of memory");
    return error->status = PC_ERROR_MEMORY;
  }
  pc_status status = pc_scene_parse("boxes.yaml", text, &scene, error);
  free(text);
  if (status != PC_OK)
    return status;
  scene.duration = (double)(frames - 1) * scene.step;
  status = pc_run_scene(&scene, &options, &summary, error);
  pc_scene_free(&scene);
  return status;
}

// The number that an expression of the page gives; -1 and a note if it fails.
static double ask(bench_context *context, pc_browser *browser, const char *expression)
{
  pc_error error = {.status = PC_OK};
  char *answer = pc_browser_evaluate(browser, expression, &error);
  double value = answer != NULL ? strtod(answer, NULL) : -1;
  if (answer == NULL)
    bench_note(context, error.text);
  free(answer);
  return value;
}

// Of the times that bench() left behind.
static double median(bench_context *context, pc_browser *browser, const char *list)
{
  char expression[120];
  snprintf(expression, sizeof expression, "times.%s.sort((a, b) => a - b)[%d]", list, PICTURES / 2);
  return ask(context, browser, expression);
}

// How long until a run is seen, and what it takes to go elsewhere in it.
static bool open_run(bench_context *context, pc_browser *browser, pc_view *view, double boxes,
                     bool large)
{
  pc_error error = {.status = PC_OK};
  double start = bench_seconds();
  char address[400];
  snprintf(address, sizeof address, "%s?render", pc_view_address(view));
  if (pc_browser_open(browser, address, &error) != PC_OK) {
    bench_note(context, error.text);
    return false;
  }
  if (ask(context, browser, "window.percuss.ready.then(() => 0)") != 0)
    return false;
  bench_row(context, large ? "first picture of 2 GB" : "first picture", boxes,
            bench_seconds() - start, "s");
  bench_row(context, large ? "read for it, of 2 GB" : "read for it", boxes,
            ask(context, browser, "fetch('api/state').then(a => a.json()).then(a => a.read / 1e6)"),
            "MB");
  start = bench_seconds();
  ask(context, browser, "window.percuss.show(window.percuss.state().last / 2)");
  bench_row(context, large ? "to the middle of 2 GB" : "to the middle of it", boxes,
            bench_seconds() - start, "s");
  return true;
}

// Pictures as they are drawn while the run plays, or at rest: with smooth edges and shadows.
static bool draw(bench_context *context, pc_browser *browser, bool moving)
{
  char expression[120];
  snprintf(expression, sizeof expression,
           "window.percuss.bench(%d, %s).then(t => { window.times = t; return 0; })", PICTURES,
           moving ? "true" : "false");
  return ask(context, browser, expression) == 0;
}

static void draw_all(bench_context *context, pc_browser *browser, double boxes)
{
  if (!draw(context, browser, true))
    return;
  double whole = median(context, browser, "whole"), page = median(context, browser, "page");
  bench_row(context, "a picture of those that play, median", boxes, whole, "ms");
  bench_row(context, "of it the page's own work", boxes, page, "ms");
  bench_row(context, "pictures a second, drawing only", boxes, 1000 / whole, "1/s");
  bench_row(context, "pictures a second, playing the run", boxes,
            ask(context, browser, "window.percuss.rate(4)"), "1/s");
  if (draw(context, browser, false))
    bench_row(context, "a picture at rest, median", boxes, median(context, browser, "whole"), "ms");
}

// A run of that many boxes, or until it has so many bytes; opened, and drawn if asked to.
static void show_run(bench_context *context, int boxes, long frames, double bytes, bool drawn)
{
  char path[1024];
  pc_error error = {.status = PC_OK};
  if (!make_path(path, sizeof path)) {
    bench_note(context, "there is no place for temporary files");
    return;
  }
  pc_browser *browser = NULL;
  pc_view *view = NULL;
  if (record_run(path, boxes, frames, bytes, &error) == PC_OK)
    browser = pc_browser_start(WIDTH, HEIGHT, NULL, &error);
  if (browser != NULL)
    view = pc_view_open(&(pc_view_options){.path = path}, &error);
  if (view == NULL)
    bench_note(context, error.text);
  else if (open_run(context, browser, view, boxes, bytes > 0) && drawn)
    draw_all(context, browser, boxes);
  pc_browser_close(browser);
  pc_view_close(view);
  remove(path);
}

void bench_view(bench_context *context)
{
  show_run(context, 1000, 501, 0, true);
  show_run(context, 10000, 501, 0, true);
  if (!context->quick)
    show_run(context, 10000, 1000000, 2e9, false);
}
