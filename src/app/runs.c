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
#include "core/file.h"
#include "core/json.h"
#include "percuss/runs.h"
#include "scene/text.h"

static const char *value_of(const pc_scene_plan *plan, int combination, int sweep)
{
  return plan->sweep[sweep].values[pc_scene_plan_value(plan, combination, sweep)];
}

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
           *left ? "  " : "", left, *left ? " left" : "");
  app_progress_draw(line, p->part, text);
  return app_caught_signal() == 0;
}

enum { WIDTH = 100, MOST_COLUMNS = 24, MOST_ROWS = 60, CELL = 48 };

typedef struct column {
  int of; // the column of the runs
  bool pooled;
  char head[3][CELL]; // group, name, unit
  int width;
} column;

static void write_cell(const pc_runs *runs, const column *c, int combination, char *text)
{
  pc_runs_statistics s = pc_runs_statistics_of(runs, combination, c->of);
  if (c->pooled)
    snprintf(text, CELL, isnan(s.pooled) ? "-" : "%.4g", s.pooled);
  else if (isnan(s.mean))
    snprintf(text, CELL, "-");
  else if (isnan(s.interval))
    snprintf(text, CELL, "%.4g", s.mean);
  else
    snprintf(text, CELL, "%.4g ± %.2g", s.mean, s.interval);
}

static int columns_of(const char *text)
{
  int count = 0;
  for (; *text != 0; text++)
    count += ((unsigned char)*text & 0xc0) != 0x80; // characters, not bytes
  return count;
}

static void print_right(const char *text, int width)
{
  int space = width - columns_of(text);
  printf("  %*s%s", space > 0 ? space : 0, "", text);
}

static void add_column(const pc_runs *runs, int of, bool pooled, column *list, int *count)
{
  pc_runs_column from = pc_runs_column_of(runs, of);
  const char *slash = strchr(from.name, '/');
  if (*count == MOST_COLUMNS)
    return;
  column *c = &list[(*count)++];
  *c = (column){.of = of, .pooled = pooled};
  if (slash != NULL)
    snprintf(c->head[0], CELL, "%.*s", (int)(slash - from.name), from.name);
  snprintf(c->head[1], CELL, "%s%s", slash != NULL ? slash + 1 : from.name,
           pooled && !from.whole ? " pooled" : "");
  snprintf(c->head[2], CELL, "%s", pooled && from.whole ? "runs" : from.unit);
}

// The quantities of interest. Counts that are 0 everywhere are left out.
static int choose_columns(const pc_runs *runs, int combinations, column *list)
{
  int count = 0;
  for (int i = 0; i < pc_runs_columns(runs); i++) {
    pc_runs_column from = pc_runs_column_of(runs, i);
    bool worth = false;
    for (int k = 0; k < combinations; k++)
      worth = worth || !from.whole || pc_runs_statistics_of(runs, k, i).most > 0;
    if (from.shown != PC_SHOW_NOT && worth)
      add_column(runs, i, from.shown == PC_SHOW_POOLED, list, &count);
  }
  for (int c = 0; c < count; c++) {
    char text[CELL];
    for (int k = 0; k < 3; k++)
      list[c].width = (int)fmax(list[c].width, columns_of(list[c].head[k]));
    for (int k = 0; k < combinations; k++) {
      write_cell(runs, &list[c], k, text);
      list[c].width = (int)fmax(list[c].width, columns_of(text));
    }
  }
  return count;
}

static int finished_of(const pc_runs *runs, const pc_scene_plan *plan, int combination)
{
  int count = 0;
  for (int i = combination * plan->runs; i < (combination + 1) * plan->runs; i++)
    count += pc_runs_member(runs, i).state == PC_MEMBER_FINISHED;
  return count;
}

// The columns first .. last as one block, with the values of the sweep before them.
static void print_block(const pc_runs *runs, const pc_scene_plan *plan, const int *widths,
                        const column *list, int first, int last)
{
  bool grouped = false;
  for (int c = first; c < last; c++)
    grouped = grouped || *list[c].head[0];
  int shown = plan->combinations > MOST_ROWS ? MOST_ROWS : plan->combinations;
  for (int row = grouped ? -3 : -2; row < shown; row++) {
    for (int k = 0; k < plan->sweeps; k++) {
      const char *text = row >= 0 ? value_of(plan, row, k) : row == -2 ? plan->sweep[k].label : "";
      printf("%s%s%*s", k > 0 ? "  " : "", text, widths[k] - columns_of(text), "");
    }
    char text[CELL] = "";
    if (row >= 0)
      snprintf(text, sizeof text, "%d", finished_of(runs, plan, row));
    print_right(row == -2 ? "runs" : text, 6);
    for (int c = first; c < last; c++) {
      if (row >= 0)
        write_cell(runs, &list[c], row, text);
      print_right(row >= 0 ? text : list[c].head[row + 3], list[c].width);
    }
    printf("\n");
  }
  if (shown < plan->combinations)
    printf("... and %d more (the files have them all)\n", plan->combinations - shown);
}

static void print_sweep(const pc_runs *runs, const pc_scene_plan *plan)
{
  column list[MOST_COLUMNS];
  int *widths = calloc((size_t)plan->sweeps + 1, sizeof *widths), before = 8;
  if (widths == NULL)
    return;
  int count = choose_columns(runs, plan->combinations, list);
  for (int k = 0; k < plan->sweeps; k++) {
    widths[k] = columns_of(plan->sweep[k].label);
    for (int i = 0; i < plan->sweep[k].count; i++)
      widths[k] = (int)fmax(widths[k], columns_of(plan->sweep[k].values[i]));
    before += widths[k] + 2;
  }
  for (int first = 0, last; first < count; first = last) {
    int width = before;
    for (last = first; last < count && (last == first || width + list[last].width + 2 <= WIDTH);
         last++)
      width += list[last].width + 2;
    print_block(runs, plan, widths, list, first, last);
    if (last < count)
      printf("\n");
  }
  free(widths);
}

// One combination: a line for each quantity.
static void print_ensemble(const pc_runs *runs)
{
  enum { NAME = 34, NUMBER = 7 };
  static const char *const heads[] = {"mean", "± 95 %", "dev.", "min", "median", "max", "pooled"};
  printf("%*s%4s", NAME, "", "runs");
  for (int k = 0; k < 7; k++)
    print_right(heads[k], NUMBER);
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
      print_right(text, NUMBER);
    }
    printf("\n");
  }
}

static void print_runs(const pc_runs *runs, const app_simulation *simulation, bool keep)
{
  const pc_scene *scene = &simulation->scene;
  const pc_scene_plan *plan = &scene->plan;
  char wall[32];
  app_write_span(pc_runs_seconds(runs), wall, sizeof wall);
  if (scene->title != NULL)
    printf("%s\n", pc_text_path(scene->title).text);
  printf("%d run%s", plan->members, app_plural(plan->members));
  if (plan->combinations > 1)
    printf(": %d combinations, %d run%s each", plan->combinations, plan->runs,
           app_plural(plan->runs));
  printf("; %d finished, in %s\n", pc_runs_count(runs, PC_MEMBER_FINISHED), wall);
  if (plan->sweeps > 0)
    print_sweep(runs, plan);
  else
    print_ensemble(runs);
  if (pc_runs_state(runs) != 0)
    printf("state       %016" PRIx64
           " (a checksum of all runs: equal where they agree in every bit)\n",
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
}

// As a number if it is one.
static void write_value(pc_json *json, const pc_scene_sweep *sweep, int value)
{
  double number = pc_scene_sweep_number(sweep, value);
  if (isnan(number))
    pc_json_string(json, sweep->values[value]);
  else
    pc_json_number(json, number);
}

static void write_values(pc_json *json, const pc_scene_plan *plan, int combination)
{
  pc_json_key(json, "values"), pc_json_open(json, '{');
  for (int k = 0; k < plan->sweeps; k++)
    pc_json_key(json, plan->sweep[k].label),
        write_value(json, &plan->sweep[k], pc_scene_plan_value(plan, combination, k));
  pc_json_close(json);
}

static void write_combination(pc_json *json, const pc_runs *runs, const pc_scene_plan *plan, int k)
{
  pc_json_open(json, '{');
  write_values(json, plan, k);
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
  write_values(json, plan, member.combination);
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
               plan->sweep[k].label, value_of(plan, member.combination, k));
    app_complain("percuss run: run %d (seed %llu%s) failed: %s", member.number,
                 (unsigned long long)member.seed, values, member.error);
  }
  if (failed > MOST)
    app_complain("percuss run: and %d more failed", failed - MOST);
}

static int finish(const pc_runs *runs, app_simulation *simulation, bool keep, bool as_json,
                  bool quiet)
{
  const pc_scene_plan *plan = &simulation->scene.plan;
  int failed = pc_runs_count(runs, PC_MEMBER_FAILED);
  int finished = pc_runs_count(runs, PC_MEMBER_FINISHED);
  bool broken = simulation->status != PC_OK, stopped = finished + failed < plan->members;
  const char *error = broken ? simulation->error.text : NULL;
  if (as_json)
    write_json(broken || failed > 0 ? "failed"
               : stopped            ? "stopped"
                                    : "finished",
               error, runs, simulation);
  else if (!quiet && !broken)
    print_runs(runs, simulation, keep);
  app_flush();
  complain_of_failures(runs, plan);
  if (broken)
    app_complain("percuss run: %s", error);
  if (!broken && pc_runs_anew(runs) && !quiet)
    fprintf(stderr, "percuss run: there was nothing to resume; all runs started anew\n");
  if (!broken && stopped)
    fprintf(
        stderr,
        "percuss run: stopped after %d of %d runs; the same command with --resume continues them\n",
        finished + failed, plan->members);
  return broken || (failed > 0 && !stopped) ? APP_FAILED
         : stopped                          ? 128 + app_caught_signal()
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
