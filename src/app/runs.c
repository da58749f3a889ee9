// Several runs of a scene: their progress, and their statistics as tables or as JSON.
#include "app/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/progress.h"
#include "app/simulation.h"
#include "app/summary.h"
#include "app/sweep_table.h"
#include "core/file.h"
#include "core/json.h"
#include "percuss/runs.h"
#include "scene/text.h"

static bool show_progress(void *context, const pc_runs_progress *p)
{
  app_progress *line = context;
  if (!app_progress_is_due(line))
    return app_caught_signal() == 0;
  char text[200], left[32] = "", failed[32] = "";
  if (p->left_s >= 0)
    app_write_span(p->left_s, left, sizeof left);
  if (p->failed > 0)
    snprintf(failed, sizeof failed, ", %d failed", p->failed);
  snprintf(text, sizeof text, "%d of %d runs%s%s%s%s", p->finished + p->failed, p->members, failed,
           *left ? "  " : "", left, *left ? " left at this speed" : "");
  app_progress_draw(line, p->part, text);
  return app_caught_signal() == 0;
}

// The number of runs of a combination, then the quantities of interest.
typedef struct table {
  const pc_runs *runs;
  const pc_scene_plan *plan;
  app_sweep_column column[APP_SWEEP_COLUMNS];
  int of[APP_SWEEP_COLUMNS]; // the column of the runs; -1: their number
  bool pooled[APP_SWEEP_COLUMNS];
  int count;
} table;

static int finished_of(const pc_runs *runs, const pc_scene_plan *plan, int combination)
{
  int count = 0;
  for (int i = combination * plan->runs; i < (combination + 1) * plan->runs; i++)
    count += pc_runs_member(runs, i).state == PC_MEMBER_FINISHED;
  return count;
}

static void write_cell(const void *context, int column, int combination, char *text)
{
  const table *t = context;
  if (t->of[column] < 0) {
    snprintf(text, APP_CELL, "%d", finished_of(t->runs, t->plan, combination));
    return;
  }
  pc_runs_statistics s = pc_runs_statistics_of(t->runs, combination, t->of[column]);
  if (t->pooled[column])
    snprintf(text, APP_CELL, isnan(s.pooled) ? "-" : "%.4g", s.pooled);
  else if (isnan(s.mean))
    snprintf(text, APP_CELL, "-");
  else if (isnan(s.interval))
    snprintf(text, APP_CELL, "%.4g", s.mean);
  else
    snprintf(text, APP_CELL, "%.4g ± %.2g", s.mean, s.interval);
}

static void add_column(table *t, int of, bool pooled)
{
  pc_runs_column from = pc_runs_column_of(t->runs, of);
  const char *slash = strchr(from.name, '/');
  if (t->count == APP_SWEEP_COLUMNS)
    return;
  t->of[t->count] = of;
  t->pooled[t->count] = pooled;
  app_sweep_column *c = &t->column[t->count++];
  if (slash != NULL)
    snprintf(c->head[0], APP_CELL, "%.*s", (int)(slash - from.name), from.name);
  snprintf(c->head[1], APP_CELL, "%s%s", slash != NULL ? slash + 1 : from.name,
           pooled && !from.whole ? " pooled" : "");
  snprintf(c->head[2], APP_CELL, "%s", pooled && from.whole ? "runs" : from.unit);
}

// Counts that are 0 everywhere are left out.
static bool print_sweep(const pc_runs *runs, const pc_scene_plan *plan)
{
  table t = {runs, plan, .column = {{.head = {"", "runs", ""}, .width = 6}}, .of = {-1}};
  t.count = 1;
  for (int i = 0; i < pc_runs_columns(runs); i++) {
    pc_runs_column from = pc_runs_column_of(runs, i);
    bool worth = false;
    for (int k = 0; k < plan->combinations; k++)
      worth = worth || !from.whole || pc_runs_statistics_of(runs, k, i).most > 0;
    if (from.shown != PC_SHOW_NOT && worth)
      add_column(&t, i, from.shown == PC_SHOW_POOLED);
  }
  return app_sweep_print(plan, t.column, t.count, write_cell, &t, "the files have all of them");
}

// One combination: a line for each quantity.
static void print_ensemble(const pc_runs *runs)
{
  int columns = 6; // without `pooled`, which few quantities have
  for (int i = 0; i < pc_runs_columns(runs); i++)
    if (!isnan(pc_runs_statistics_of(runs, 0, i).pooled) &&
        pc_runs_column_of(runs, i).shown != PC_SHOW_NOT)
      columns = 7;
  enum { NAME = 34, NUMBER = 7 };
  static const char *const heads[] = {"mean", "± 95 %", "dev.", "min", "median", "max", "pooled"};
  printf("%*s%4s", NAME, "", "runs");
  for (int k = 0; k < columns; k++)
    app_print_right(heads[k], NUMBER);
  printf("\n");
  for (int i = 0; i < pc_runs_columns(runs); i++) {
    pc_runs_column c = pc_runs_column_of(runs, i);
    pc_runs_statistics s = pc_runs_statistics_of(runs, 0, i);
    if (c.shown == PC_SHOW_NOT || (c.whole && !(s.most > 0)))
      continue;
    int length = printf(*c.unit ? "%s [%s]" : "%s", c.name, c.unit);
    printf("%*s%4d", length < NAME ? NAME - length : 0, "", s.runs);
    const double numbers[] = {s.mean, s.interval, s.deviation, s.least, s.median, s.most, s.pooled};
    for (int k = 0; k < (isnan(s.pooled) ? 6 : 7); k++) {
      char text[32] = "";
      if (!isnan(numbers[k]))
        snprintf(text, sizeof text, k == 1 || k == 2 ? "%.3g" : "%.4g", numbers[k]);
      app_print_right(text, NUMBER);
    }
    printf("\n");
  }
}

// False when memory is out.
static bool print_runs(const pc_runs *runs, const app_simulation *simulation, bool keep)
{
  const pc_scene *scene = &simulation->scene;
  const pc_scene_plan *plan = &scene->plan;
  char wall[32];
  app_write_span(pc_runs_seconds(runs), wall, sizeof wall);
  if (scene->title != NULL)
    printf("%s\n", pc_text_path(scene->title).text);
  app_print_warnings(stdout, scene);
  printf("%d run%s", plan->members, app_plural(plan->members));
  if (plan->combinations > 1)
    printf(": %d combinations, %d run%s each", plan->combinations, plan->runs,
           app_plural(plan->runs));
  printf("; %d finished, in %s\n", pc_runs_count(runs, PC_MEMBER_FINISHED), wall);
  if (plan->sweeps > 0 && !print_sweep(runs, plan))
    return false;
  if (plan->sweeps == 0)
    print_ensemble(runs);
  if (pc_runs_state(runs) != 0)
    printf("state       %016" PRIx64
           " (checksum of all final states: equal if the results agree bit for bit)\n",
           pc_runs_state(runs));
  int stem = (int)pc_path_stem(simulation->output, ".h5");
  printf("files       %.*s-runs.csv, %.*s-summary.csv", stem, simulation->output, stem,
         simulation->output);
  if (scene->impact != NULL)
    printf(", %.*s-runs.h5", stem, simulation->output);
  for (int i = 0; i < plan->pictures; i++)
    printf(", %.*s-%s.svg", stem, simulation->output, plan->picture[i].name);
  if (keep)
    printf(", %.*s-%s.h5 ...", stem, simulation->output, plan->members > 9999 ? "0000001" : "0001");
  printf("\n");
  return true;
}

static void write_combination(pc_json *json, const pc_runs *runs, const pc_scene_plan *plan, int k)
{
  pc_json_open(json, '{');
  app_sweep_write_values(json, plan, k);
  pc_json_key(json, "runs"), pc_json_integer(json, finished_of(runs, plan, k));
  pc_json_key(json, "quantities"), pc_json_open(json, '[');
  for (int c = 0; c < pc_runs_columns(runs); c++) {
    pc_runs_column from = pc_runs_column_of(runs, c);
    pc_runs_statistics s = pc_runs_statistics_of(runs, k, c);
    const struct {
      const char *name;
      double value;
    } numbers[] = {{"mean", s.mean},     {"deviation", s.deviation}, {"interval_95", s.interval},
                   {"median", s.median}, {"min", s.least},           {"max", s.most},
                   {"pooled", s.pooled}};
    pc_json_open(json, '{');
    pc_json_key(json, "name"), pc_json_string(json, from.name);
    pc_json_key(json, "unit"), pc_json_string(json, from.unit);
    pc_json_key(json, "runs"), pc_json_integer(json, s.runs);
    pc_json_key(json, "missing"), pc_json_integer(json, s.missing);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      pc_json_key(json, numbers[i].name), pc_json_number(json, numbers[i].value);
    pc_json_close(json);
  }
  pc_json_close(json);
  pc_json_close(json);
}

static void write_member(pc_json *json, const pc_runs *runs, const pc_scene_plan *plan, int i)
{
  static const char *const words[] = {"waiting", "finished", "failed"};
  pc_member member = pc_runs_member(runs, i);
  pc_json_open(json, '{');
  pc_json_key(json, "run"), pc_json_integer(json, member.number);
  pc_json_key(json, "seed"), pc_json_integer(json, (long)member.seed);
  app_sweep_write_values(json, plan, member.combination);
  pc_json_key(json, "status"), pc_json_string(json, words[member.state]);
  pc_json_key(json, "error"), pc_json_string(json, member.error);
  app_write_state(json, member.hash);
  pc_json_key(json, "quantities"), pc_json_open(json, '{');
  for (int c = 0; c < pc_runs_columns(runs) && member.state == PC_MEMBER_FINISHED; c++)
    pc_json_key(json, pc_runs_column_of(runs, c).name),
        pc_json_number(json, pc_runs_value(runs, i, c));
  pc_json_close(json);
  pc_json_close(json);
}

static void write_json(const char *status, const char *error, const pc_runs *runs,
                       const app_simulation *simulation)
{
  const pc_scene_plan *plan = &simulation->scene.plan;
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "status"), pc_json_string(&json, status);
  pc_json_key(&json, "error"), pc_json_string(&json, error);
  pc_json_key(&json, "scene"), pc_json_string(&json, simulation->path);
  pc_json_key(&json, "output"), pc_json_string(&json, simulation->output);
  app_write_warnings(&json, &simulation->scene);
  pc_json_key(&json, "members"), pc_json_integer(&json, plan->members);
  pc_json_key(&json, "finished"), pc_json_integer(&json, pc_runs_count(runs, PC_MEMBER_FINISHED));
  pc_json_key(&json, "failed"), pc_json_integer(&json, pc_runs_count(runs, PC_MEMBER_FAILED));
  app_write_state(&json, pc_runs_state(runs));
  pc_json_key(&json, "wall_s"), pc_json_number(&json, pc_runs_seconds(runs));
  pc_json_key(&json, "combinations"), pc_json_open(&json, '[');
  for (int k = 0; k < plan->combinations && pc_runs_columns(runs) > 0; k++)
    write_combination(&json, runs, plan, k);
  pc_json_close(&json);
  pc_json_key(&json, "runs"), pc_json_open(&json, '[');
  for (int i = 0; i < plan->members; i++)
    write_member(&json, runs, plan, i);
  pc_json_close(&json);
  pc_json_close(&json);
}

static void complain_of_failures(const pc_runs *runs, const pc_scene_plan *plan)
{
  enum { MOST = 10 };
  int failed = 0;
  for (int i = 0; i < plan->members; i++) {
    pc_member member = pc_runs_member(runs, i);
    char values[200] = "";
    if (member.state != PC_MEMBER_FAILED || failed++ >= MOST)
      continue;
    for (int k = 0; k < plan->sweeps; k++)
      snprintf(values + strlen(values), sizeof values - strlen(values), ", %s: %s",
               plan->sweep[k].label, app_sweep_value(plan, member.combination, k));
    app_complain("percuss run: run %d (seed %llu%s) failed: %s", member.number,
                 (unsigned long long)member.seed, values, member.error);
  }
  if (failed > MOST)
    app_complain("percuss run: and %d more failed", failed - MOST);
}

static int find_column(const pc_runs *runs, const char *name)
{
  for (int i = 0; i < pc_runs_columns(runs); i++)
    if (strcmp(pc_runs_column_of(runs, i).name, name) == 0)
      return i;
  return -1;
}

// Runs more than half of whose steps missed their accuracy.
static int count_inaccurate(const pc_runs *runs, const pc_scene_plan *plan)
{
  int steps = find_column(runs, "steps"), missed = find_column(runs, "steps_inaccurate"), count = 0;
  for (int i = 0; i < plan->members && steps >= 0 && missed >= 0; i++)
    count += pc_runs_member(runs, i).state == PC_MEMBER_FINISHED &&
             2 * pc_runs_value(runs, i, missed) > pc_runs_value(runs, i, steps);
  return count;
}

static int finish(const pc_runs *runs, app_simulation *simulation, bool keep, bool as_json,
                  bool quiet)
{
  const pc_scene_plan *plan = &simulation->scene.plan;
  int failed = pc_runs_count(runs, PC_MEMBER_FAILED);
  int finished = pc_runs_count(runs, PC_MEMBER_FINISHED);
  bool broken = simulation->status != PC_OK, stopped = finished + failed < plan->members;
  const char *error = broken ? simulation->error.text : NULL;
  int inaccurate = broken ? 0 : count_inaccurate(runs, plan);
  bool shown = true;
  if (as_json)
    write_json(broken || failed > 0 ? "failed"
               : stopped            ? "stopped"
               : inaccurate > 0     ? "inaccurate"
                                    : "finished",
               error, runs, simulation);
  else if (!quiet && !broken)
    shown = print_runs(runs, simulation, keep);
  app_flush();
  complain_of_failures(runs, plan);
  if (broken)
    app_complain("percuss run: %s", error);
  if (!shown)
    app_complain("percuss run: out of memory");
  if (!broken && pc_runs_anew(runs) && !quiet)
    fprintf(stderr, "percuss run: no checkpoint found; all runs start from the beginning\n");
  if (!broken && stopped)
    fprintf(
        stderr,
        "percuss run: stopped after %d of %d runs; to continue, repeat the command with --resume\n",
        finished + failed, plan->members);
  if (inaccurate > 0 && !stopped)
    app_complain("percuss run: more than half of the steps of %d run%s are inaccurate; do not rely "
                 "on the results, try a shorter step or more iterations",
                 inaccurate, app_plural(inaccurate));
  return broken || !shown || (failed > 0 && !stopped) ? APP_FAILED
         : stopped                                    ? 128 + app_caught_signal()
         : inaccurate > 0                             ? APP_INACCURATE
                                                      : APP_OK;
}

int app_runs(app_simulation *simulation, bool keep, bool as_json, bool quiet)
{
  pc_runs *runs = pc_runs_create(&simulation->scene, &simulation->error);
  if (runs == NULL)
    return app_complain_error(&simulation->error, "percuss run");
  pc_runs_options options = {.output = simulation->output,
                             .resume = simulation->texts.resume,
                             .keep = keep,
                             .threads = simulation->options.threads,
                             .duration = simulation->duration,
                             .steps = simulation->steps,
                             .listener = show_progress,
                             .context = &simulation->progress};
  simulation->status = pc_runs_run(runs, &options, &simulation->error);
  app_progress_clear(&simulation->progress);
  bool rejected = simulation->status == PC_ERROR_INPUT || simulation->status == PC_ERROR_ARGUMENT;
  int result = rejected ? app_complain("%s", simulation->error.text)
                        : finish(runs, simulation, keep, as_json, quiet);
  pc_runs_destroy(runs);
  return result;
}
