// percuss report: a page about runs of crowds, for those who decide.
#include "percuss/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/progress.h"
#include "core/file.h"
#include "core/json.h"
#include "core/plain.h"
#include "scene/text.h"

typedef struct report_options {
  const char *output, *widen, *runs, *threads;
  bool json, quiet;
} report_options;

#define FIELD(name) offsetof(report_options, name)
static const app_option options[] = {
    {"-o", "REPORT.html", FIELD(output),
     "the page (default: name of the first source, in the current folder)"},
    {"--runs", "N", FIELD(runs), "do N runs of the scene, with other seeds"},
    {"--widen", "W", FIELD(widen),
     "run the scene again with each of its exits, doors and narrow places W m wider, with the same "
     "random numbers"},
    {"--threads", "N", FIELD(threads), "number of threads (default: all processors)"},
    {"--json", NULL, FIELD(json), "print the most important numbers as one JSON object"},
    {"--quiet", NULL, FIELD(quiet), "print no progress and no summary"},
    {NULL, NULL, 0, NULL},
};

static bool show_progress(void *context, const pc_report_progress *p)
{
  app_progress *line = context;
  if (app_progress_is_due(line)) {
    char text[200], left[32] = "";
    if (p->left_s >= 0)
      app_write_span(p->left_s, left, sizeof left);
    snprintf(text, sizeof text, "%.120s%s%s%s", p->doing, *left ? "  " : "", left,
             *left ? " left" : "");
    app_progress_draw(line, fmin(1, p->part), text);
  }
  return app_caught_signal() == 0;
}

// A number of an option; `most` bounds it. Returns the exit status.
static int read_number(const char *name, const char *text, double least, double most, bool whole,
                       double *value)
{
  if (text == NULL)
    return APP_OK;
  if (!app_read_number(text, value) || !(*value >= least && *value <= most) ||
      (whole && *value != floor(*value)))
    return app_complain("percuss report: %s '%.40s' must be a %s from %g to %g", name, text,
                        whole ? "whole number" : "number", least, most);
  return APP_OK;
}

// The name of the first source with another ending; the caller frees it.
static char *name_output(const char *given, const char *source)
{
  if (given != NULL)
    return strdup(given);
  const char *base = pc_path_name(source), *dot = strrchr(base, '.');
  size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
  char *name = malloc(length + sizeof ".html");
  if (name != NULL)
    snprintf(name, length + sizeof ".html", "%.*s.html", (int)length, base);
  return name;
}

static void write_number(pc_json *json, const char *key, const pc_reported_number *n)
{
  pc_json_key(json, key), pc_json_open(json, '{');
  pc_json_key(json, "value"), pc_json_number(json, n->value);
  pc_json_key(json, "low"), pc_json_number(json, n->low);
  pc_json_key(json, "high"), pc_json_number(json, n->high);
  pc_json_close(json);
}

static void print_json(const char *output, const pc_reported *r)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "output"), pc_json_string(&json, output);
  pc_json_key(&json, "variants"), pc_json_open(&json, '[');
  for (int i = 0; i < r->variants; i++) {
    const pc_reported_variant *v = &r->variant[i];
    pc_json_open(&json, '{');
    pc_json_key(&json, "name"), pc_json_string(&json, v->name);
    pc_json_key(&json, "runs"), pc_json_integer(&json, v->runs);
    pc_json_key(&json, "complete"), pc_json_integer(&json, v->complete);
    pc_json_key(&json, "people"), pc_json_integer(&json, v->people);
    pc_json_key(&json, "inside"), pc_json_integer(&json, v->inside);
    write_number(&json, "evacuation_mean", &v->mean);
    write_number(&json, "evacuation_median", &v->median);
    write_number(&json, "evacuation_percentile_95", &v->percentile_95);
    pc_json_close(&json);
  }
  pc_json_close(&json);
  pc_json_key(&json, "widened"), pc_json_open(&json, '[');
  for (int i = 0; i < r->widenings; i++) {
    const pc_reported_widening *w = &r->widening[i];
    pc_json_open(&json, '{');
    pc_json_key(&json, "name"), pc_json_string(&json, w->name);
    pc_json_key(&json, "impossible"), pc_json_string(&json, w->why[0] != 0 ? w->why : NULL);
    if (w->why[0] == 0) {
      pc_json_key(&json, "pairs"), pc_json_integer(&json, w->pairs);
      write_number(&json, "evacuation_change", &w->change);
      pc_json_key(&json, "pairs_95"), pc_json_integer(&json, w->pairs_95);
      write_number(&json, "change_of_95_percent", &w->change_95);
    }
    pc_json_close(&json);
  }
  pc_json_close(&json);
  pc_json_close(&json);
}

static void print_text(const char *output, const pc_reported *r)
{
  char text[200];
  for (int i = 0; i < r->variants; i++) {
    const pc_reported_variant *v = &r->variant[i];
    printf("%s: %d run%s, %d people", pc_text_path(v->name).text, v->runs, app_plural(v->runs),
           v->people);
    if (isfinite(v->mean.value)) {
      pc_print(text, sizeof text,
               v->runs > 1 ? ", evacuation %.4g s in the mean" : ", evacuation %.4g s",
               v->mean.value);
      printf("%s", text);
    }
    if (v->inside > 0)
      printf(", %s%d still inside", v->runs > 1 ? "up to " : "", v->inside);
    printf("\n");
  }
  for (int i = 0; i < r->widenings; i++) {
    const pc_reported_widening *w = &r->widening[i];
    pc_text name = pc_text_path(w->name);
    text[0] = 0;
    if (isfinite(w->change.low) && isfinite(w->change.high))
      pc_print(text, sizeof text, " (95 %% interval %+.3g to %+.3g s)", w->change.low,
               w->change.high);
    char change[40];
    pc_print(change, sizeof change, "%+.3g s", w->change.value);
    if (w->why[0] != 0)
      printf("%s cannot be wider: %s\n", name.text, w->why);
    else if (w->pairs > 0)
      printf("%s wider: %s%s\n", name.text, change, text);
    else
      printf("%s wider: somebody stays inside\n", name.text);
  }
  printf("report      %s\n", pc_text_path(output).text);
}

static int make(const report_options *o, const char *output, const pc_report_options *wanted,
                int count, char **sources)
{
  pc_reported reported = {0};
  pc_error error = {.status = PC_OK};
  pc_status status = pc_run_report(count, (const char *const *)sources, wanted, &reported, &error);
  app_progress_clear(wanted->context);
  int result = APP_OK;
  if (status != PC_OK) {
    result = app_complain_error(&error, NULL);
    result = status == PC_ERROR_IO || status == PC_ERROR_NUMERIC ? APP_FAILED : result;
  } else if (!reported.finished) {
    app_complain("percuss report: stopped; the same command goes on where it was");
    result = 128 + app_caught_signal();
  } else if (o->json) {
    print_json(output, &reported);
  } else if (!o->quiet) {
    print_text(output, &reported);
  }
  pc_reported_free(&reported);
  return result;
}

static int report(const void *given, int count, char **sources)
{
  const report_options *o = given;
  double runs = 0, widen = 0, threads = 0;
  if (count < 1 || count > PC_REPORT_SOURCES)
    return app_complain("percuss report: expected 1 to %d sources (RUN.h5, RUN-runs.csv or "
                        "SCENE.yaml), got %d",
                        PC_REPORT_SOURCES, count);
  int result = read_number("--runs", o->runs, 1, 1e6, true, &runs);
  if (result == APP_OK)
    result = read_number("--widen", o->widen, 0.01, 10, false, &widen);
  if (result == APP_OK)
    result = read_number("--threads", o->threads, 1, 1024, true, &threads);
  if (result == APP_OK && o->output != NULL && *o->output == 0)
    result = app_complain("percuss report: -o needs the name of a file");
  for (int i = 0; i < count && result == APP_OK; i++)
    result = app_reject_pipe("report", sources[i]);
  if (result != APP_OK)
    return result;
  char *output = name_output(o->output, sources[0]);
  if (output == NULL) {
    app_complain("percuss report: out of memory");
    return APP_FAILED;
  }
  app_progress line = app_progress_start(!o->quiet);
  const pc_report_options wanted = {.output = output,
                                    .runs = (int)runs,
                                    .widen = widen,
                                    .threads = (int)threads,
                                    .listener = show_progress,
                                    .context = &line};
  app_watch_signals();
  result = make(o, output, &wanted, count, sources);
  free(output);
  return result;
}

const app_command app_report = {
    "report",
    "RUN.h5 | RUN-runs.csv | SCENE.yaml ...",
    "write a page about runs of a crowd, for planners and authorities",
    "Writes one page that prints, without network and scripts: evacuation times with intervals,\n"
    "curves, exits, levels of service, densities, pressure, inputs. A scene is run first, into\n"
    "REPORT.h5 and the other files of a run, unless that run is there; with --widen also with\n"
    "each exit wider. Several sources are compared (docs/report.md).\n",
    options,
    "Exit status: 0 success; 1 a run failed, or a file cannot be read or written; 2 wrong usage\n"
    "or input; 130 stopped by Ctrl-C: the same command goes on.\n",
    NULL,
    report};
