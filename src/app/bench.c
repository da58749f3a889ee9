// percuss bench: runs the benchmarks of bench/ and shows their rows as they come. Times appear here
// and nowhere else.
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "core/clock.h"
#include "core/json.h"

typedef struct display {
  const char *benchmark;
  pc_json *json;        // NULL: a table
  double last_progress; // clock, when it was last shown
  bool transient;       // a line on the terminal that the next output replaces
} display;

static void clear_progress(display *d)
{
  if (d->transient)
    fprintf(stderr, "\r\033[K");
  d->transient = false;
}

static void show_row(void *context, const bench_value *row)
{
  display *d = context;
  pc_json *json = d->json;
  clear_progress(d);
  if (json == NULL) {
    char size[32] = "";
    if (row->size != 0)
      snprintf(size, sizeof size, "%.0f", row->size);
    printf("  %-44s %10s %14.5g %s%s%s\n", row->name, size, row->value, row->unit,
           row->remark != NULL ? "  " : "", row->remark != NULL ? row->remark : "");
    app_flush();
    return;
  }
  pc_json_open(json, '{');
  pc_json_key(json, "benchmark"), pc_json_string(json, d->benchmark);
  pc_json_key(json, "name"), pc_json_string(json, row->name);
  pc_json_key(json, "size"), pc_json_number(json, row->size);
  pc_json_key(json, "value"), pc_json_number(json, row->value);
  pc_json_key(json, "unit"), pc_json_string(json, row->unit);
  if (row->remark != NULL)
    pc_json_key(json, "remark"), pc_json_string(json, row->remark);
  pc_json_close(json);
}

static void show_note(void *context, const char *text)
{
  display *d = context;
  clear_progress(d);
  fprintf(stderr, "percuss bench %s: %s\n", d->benchmark, text);
}

// On a terminal ten times a second in one line, elsewhere a line every ten seconds.
static void show_progress(void *context, const char *text)
{
  display *d = context;
  bool terminal = isatty(STDERR_FILENO) != 0;
  double now = pc_clock_seconds();
  if (now - d->last_progress < (terminal ? 0.1 : 10))
    return;
  d->last_progress = now;
  d->transient = terminal;
  fprintf(stderr, "%s%s%s", terminal ? "\r" : "", text, terminal ? "\033[K" : "\n");
}

static int find_benchmark(const char *name)
{
  for (int i = 0; i < BENCHMARKS; i++)
    if (strcmp(bench_list[i].name, name) == 0)
      return i;
  return -1;
}

static int complain_of_name(const char *name)
{
  char list[200] = "";
  for (int k = 0; k < BENCHMARKS; k++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "",
             bench_list[k].name);
  return app_complain("percuss bench: unknown benchmark '%.40s' (known: %s)", name, list);
}

// Which benchmarks are named, and their arguments.
typedef struct selection {
  bool wanted[BENCHMARKS];
  const char *argument[BENCHMARKS];
} selection;

static int select_benchmarks(int names, char **name, selection *s)
{
  for (int k = 0; k < BENCHMARKS; k++)
    s->wanted[k] = names == 0 && !bench_list[k].only_when_named;
  for (int i = 0; i < names; i++) {
    int k = find_benchmark(name[i]);
    if (k < 0)
      return complain_of_name(name[i]);
    const bench_definition *b = &bench_list[k];
    s->wanted[k] = true;
    if (b->argument == NULL)
      continue;
    if (++i == names)
      return app_complain("percuss bench %s: give a %s", b->name, b->argument);
    const char *wrong = b->reject(name[i]);
    if (wrong != NULL)
      return app_complain("percuss bench %s: '%.200s' %s", b->name, name[i], wrong);
    s->argument[k] = name[i];
  }
  return APP_OK;
}

typedef struct bench_options {
  bool json, quick;
  const char *seed;
} bench_options;

static const app_option options[] = {
    {"--json", NULL, offsetof(bench_options, json), "print one JSON array of rows"},
    {"--quick", NULL, offsetof(bench_options, quick), "skip the large sizes"},
    {"--seed", "N", offsetof(bench_options, seed),
     "seed of the random friction problems (default: 6, as in the published table)"},
    {NULL, NULL, 0, NULL},
};

static int read_seed(const char *text, unsigned *seed)
{
  double number = BENCH_SEED;
  if (!app_read_number(text, &number) || !(number >= 0 && number <= 1e9) || number != floor(number))
    return app_complain("percuss bench: --seed must be a whole number from 0 to 1e9 (got '%.40s')",
                        text);
  *seed = (unsigned)number;
  return APP_OK;
}

static int bench(const void *given, int names, char **name)
{
  const bench_options *o = given;
  selection chosen = {0};
  bool failed = false;
  unsigned seed = BENCH_SEED;
  int status = select_benchmarks(names, name, &chosen);
  if (status == APP_OK)
    status = read_seed(o->seed, &seed);
  if (status != APP_OK)
    return status;
  pc_json json = {.file = stdout};
  if (o->json)
    pc_json_open(&json, '[');
  for (int k = 0; k < BENCHMARKS; k++) {
    const bench_definition *b = &bench_list[k];
    if (!chosen.wanted[k])
      continue;
    if (!o->json)
      printf("%s: %s\n  %-44s %10s %14s\n", b->name, b->summary, "", b->size, "value");
    display shown = {
        .benchmark = b->name, .json = o->json ? &json : NULL, .last_progress = pc_clock_seconds()};
    bench_context context = {.argument = chosen.argument[k],
                             .quick = o->quick,
                             .seed = seed,
                             .shown_by = &shown,
                             .show_row = show_row,
                             .show_note = show_note,
                             .show_progress = show_progress};
    b->run(&context);
    clear_progress(&shown);
    failed = failed || context.failed;
  }
  if (o->json)
    pc_json_close(&json);
  return failed ? APP_FAILED : APP_OK;
}

const app_command app_bench = {
    "bench",
    "[NAME... | fclib FOLDER]",
    "run the benchmarks",
    "NAME is a benchmark (default: all but drum and fclib): impact, sweeps, friction, rigid,\n"
    "gabion, crowd, chain, continuum, view, drum or fclib. fclib solves the FCLIB\n"
    "files of FOLDER. drum simulates one hour (with --quick three minutes).\n"
    "\n"
    "Without --quick, continuum needs 6 GB of memory, and view needs 2 GB in the folder for\n"
    "temporary files. drum needs 1 GB there. view needs Chromium.\n",
    options,
    "Exit status: 0 success; 1 a benchmark failed, or an FCLIB file cannot be read; 2 wrong "
    "usage,\n"
    "or FOLDER has no FCLIB file.\n",
    NULL,
    bench};
