// The viewer as a user waits for it: the first picture of a large run, and pictures a second, in
// Chromium without a graphics card at 1280x720.
#define _XOPEN_SOURCE 700 // mkstemp
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench.h"
#include "app/browser.h"
#include "app/sample_run.h"
#include "core/clock.h"
#include "percuss/view.h"

enum { WIDTH = 1280, HEIGHT = 720, PICTURES = 60 };

// A place for a run that is removed afterwards; false if there is none.
static bool make_path(char *path, size_t size)
{
  const char *folder = getenv("TMPDIR");
  int length = snprintf(path, size, "%s/percuss-bench-XXXXXX", folder != NULL ? folder : "/tmp");
  int file = length < (int)size ? mkstemp(path) : -1;
  if (file >= 0)
    close(file);
  return file >= 0;
}

// The number that an expression of the page gives; -1 and a note if it fails.
static double ask(pc_bench_context *context, app_browser *browser, const char *expression)
{
  pc_error error = {.status = PC_OK};
  char *answer = app_browser_evaluate(browser, expression, &error);
  double value = answer != NULL ? strtod(answer, NULL) : -1;
  if (answer == NULL)
    bench_note(context, error.text);
  free(answer);
  return value;
}

// Of the times that bench() left behind.
static double median(pc_bench_context *context, app_browser *browser, const char *list)
{
  char expression[120];
  snprintf(expression, sizeof expression, "times.%s.sort((a, b) => a - b)[%d]", list, PICTURES / 2);
  return ask(context, browser, expression);
}

// How long until a run is seen, and what it takes to go elsewhere in it.
static bool open_run(pc_bench_context *context, app_browser *browser, pc_view *view, double boxes,
                     bool large)
{
  pc_error error = {.status = PC_OK};
  double start = pc_clock_seconds();
  char address[400];
  snprintf(address, sizeof address, "%s?render", pc_view_address(view));
  if (app_browser_open(browser, address, &error) != PC_OK) {
    bench_note(context, error.text);
    return false;
  }
  if (ask(context, browser, "window.percuss.ready.then(() => 0)") != 0)
    return false;
  bench_row(context, large ? "first picture of 2 GB" : "first picture", boxes,
            pc_clock_seconds() - start, "s");
  bench_row(context, large ? "read for it, of 2 GB" : "read for it", boxes,
            ask(context, browser, "fetch('api/state').then(a => a.json()).then(a => a.read / 1e6)"),
            "MB");
  start = pc_clock_seconds();
  ask(context, browser, "window.percuss.show(window.percuss.state().last / 2)");
  bench_row(context, large ? "to the middle of 2 GB" : "to the middle of it", boxes,
            pc_clock_seconds() - start, "s");
  return true;
}

// Pictures as they are drawn while the run plays, or at rest: with smooth edges and shadows.
static bool draw(pc_bench_context *context, app_browser *browser, bool moving)
{
  char expression[120];
  snprintf(expression, sizeof expression,
           "window.percuss.bench(%d, %s).then(t => { window.times = t; return 0; })", PICTURES,
           moving ? "true" : "false");
  return ask(context, browser, expression) == 0;
}

static void draw_all(pc_bench_context *context, app_browser *browser, double boxes)
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
static void show_run(pc_bench_context *context, int boxes, long frames, double bytes, bool drawn)
{
  char path[1024];
  pc_error error = {.status = PC_OK};
  if (!make_path(path, sizeof path)) {
    bench_note(context, "there is no place for temporary files");
    return;
  }
  app_browser *browser = NULL;
  pc_view *view = NULL;
  if (sample_run_write(path, boxes, frames, bytes, &error) == PC_OK)
    browser = app_browser_start(WIDTH, HEIGHT, &error);
  if (browser != NULL)
    view = pc_view_open(&(pc_view_options){.path = path}, &error);
  if (view == NULL)
    bench_note(context, error.text);
  else if (open_run(context, browser, view, boxes, bytes > 0) && drawn)
    draw_all(context, browser, boxes);
  if (browser != NULL)
    app_browser_close(browser);
  pc_view_close(view);
  remove(path);
}

void bench_view(pc_bench_context *context)
{
  show_run(context, 1000, 501, 0, true);
  show_run(context, 10000, 501, 0, true);
  if (!bench_is_quick(context))
    show_run(context, 10000, 1000000, 2e9, false);
}
