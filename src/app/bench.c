// percuss bench: runs the benchmarks and shows their rows as they come. Times live here and nowhere
// else.
#include "app/bench.h"

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "core/json.h"

static const struct {
  const char *name, *summary;
  const char *size; // what sizes count
  void (*run)(pc_bench_context *context);
  const char *argument;                    // what follows its name
  const char *(*refuse)(const char *text); // what is wrong with it; NULL: nothing
  bool named;                              // it runs only when it is named
} benchmarks[] = {
    {"impact", "sweeps of nsgs and solves of ipm on a heap of spheres", "contacts", bench_impact,
     NULL, NULL, false},
    {"sweeps", "sweeps over packed contacts against the bandwidth of the memory, 1 and 2 threads",
     "bodies", bench_sweeps, NULL, NULL, false},
    {"friction", "random stacks, arches and packings to 1e-8: solved, median and worst time",
     "problems", bench_friction, NULL, NULL, false},
    {"rigid", "spheres and boxes falling into a pile, two threads", "bodies", bench_rigid, NULL,
     NULL, false},
    {"gabion", "four impacts on a wall of gabions against León's Table 6.1, two threads", "impact",
     bench_gabion, NULL, NULL, false},
    {"crowd", "people who leave a hall by many doors, and searches for neighbours", "people",
     bench_crowd, NULL, NULL, false},
    {"chain", "impacts of balls on a line by every law, long chains, which consistencies hold",
     "balls/chains", bench_chain, NULL, NULL, false},
    {"continuum",
     "a diver on water, 1e4 to 1e6 unknowns: assembly, factorisation, contacts, memory", "unknowns",
     bench_continuum, NULL, NULL, false},
    {"view", "the viewer in Chromium without a graphics card: a run of 2 GB, 10,000 boxes", "boxes",
     bench_view, NULL, NULL, false},
    {"drum", "an hour in a rotating drum, recorded: memory, files, account", "time, s", bench_drum,
     NULL, NULL, true},
    {"fclib", "friction problems to 1e-8, the median of the times to solve each", "contacts",
     bench_fclib, "folder", bench_fclib_refuse, true},
    {NULL, NULL, NULL, NULL, NULL, NULL, false}, // ends the list
};
enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] - 1 };

struct pc_bench_context {
  const char *benchmark, *argument;
  bool quick;
  pc_json *json; // NULL: a table
  bool failed;
};

bool bench_is_quick(const pc_bench_context *context)
{
  return context->quick;
}

const char *bench_argument(const pc_bench_context *context)
{
  return context->argument;
}

void bench_row(pc_bench_context *context, const char *name, double size, double value,
               const char *unit)
{
  bench_row_remarked(context, name, size, value, unit, NULL);
}

void bench_row_remarked(pc_bench_context *context, const char *name, double size, double value,
                        const char *unit, const char *remark)
{
  pc_json *json = context->json;
  if (json == NULL) {
    char shown[32] = "";
    if (size != 0)
      snprintf(shown, sizeof shown, "%.0f", size);
    printf("  %-44s %10s %14.5g %s%s%s\n", name, shown, value, unit, remark != NULL ? "  " : "",
           remark != NULL ? remark : "");
    app_flush();
    return;
  }
  pc_json_open(json, '{');
  pc_json_key(json, "benchmark"), pc_json_string(json, context->benchmark);
  pc_json_key(json, "name"), pc_json_string(json, name);
  pc_json_key(json, "size"), pc_json_number(json, size);
  pc_json_key(json, "value"), pc_json_number(json, value);
  pc_json_key(json, "unit"), pc_json_string(json, unit);
  if (remark != NULL)
    pc_json_key(json, "remark"), pc_json_string(json, remark);
  pc_json_close(json);
}

void bench_note(pc_bench_context *context, const char *text)
{
  fprintf(stderr, "percuss bench %s: %s\n", context->benchmark, text);
}

void bench_failed(pc_bench_context *context, const char *text)
{
  bench_note(context, text);
  context->failed = true;
}

static int find_benchmark(const char *name)
{
  for (int i = 0; benchmarks[i].name != NULL; i++)
    if (strcmp(benchmarks[i].name, name) == 0)
      return i;
  return -1;
}

static int complain_of_name(const char *name)
{
  char list[200] = "";
  for (int k = 0; benchmarks[k].name != NULL; k++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "",
             benchmarks[k].name);
  return app_complain("percuss bench: unknown benchmark '%.40s' (known: %s)", name, list);
}

const char app_bench_help[] =
    "NAME is a benchmark (default: all): impact, sweeps, friction, rigid, crowd, chain, "
    "continuum,\n"
    "which takes 6 GB without --quick, gabion, which runs a ready scene, or view, which needs\n"
    "Chromium and, without --quick, 2 GB in the folder for temporary files. Not among all are\n"
    "drum, a soak of an hour of simulated time (--quick: three minutes) with 1 GB in that folder,\n"
    "and fclib, which a folder of FCLIB files follows.\n"
    "\n"
    "  --json   one JSON array of rows (default: a table)\n"
    "  --quick  leave out the large sizes (default: all sizes)\n"
    "\n"
    "Times are in the unit of their row. Exit status: 0 done; 1 a file of fclib\n"
    "cannot be read; 2 bad usage, or no file of FCLIB there.\n";

int app_bench(int argc, char **argv)
{
  bool as_json = false, quick = false;
  const app_option known[] = {
      {"--json", &as_json, NULL}, {"--quick", &quick, NULL}, {NULL, NULL, NULL}};
  int names = app_parse(argc, argv, "bench", known);
  if (names < 0)
    return APP_BAD_INPUT;
  const char *argument[BENCHMARKS] = {0};
  bool wanted[BENCHMARKS] = {0};
  for (int i = 0; i < names; i++) {
    int k = find_benchmark(argv[i]);
    if (k < 0)
      return complain_of_name(argv[i]);
    wanted[k] = true;
    if (benchmarks[k].argument == NULL)
      continue;
    if (++i == names)
      return app_complain("percuss bench %s: a %s is needed", benchmarks[k].name,
                          benchmarks[k].argument);
    const char *wrong = benchmarks[k].refuse(argv[i]);
    if (wrong != NULL)
      return app_complain("percuss bench %s: '%.200s' %s", benchmarks[k].name, argv[i], wrong);
    argument[k] = argv[i];
  }
  bool failed = false;
  pc_json json = {.file = stdout};
  if (as_json)
    pc_json_open(&json, '[');
  for (int k = 0; benchmarks[k].name != NULL; k++) {
    if (!wanted[k] && (names > 0 || benchmarks[k].named))
      continue;
    if (!as_json)
      printf("%s: %s\n  %-44s %10s %14s\n", benchmarks[k].name, benchmarks[k].summary, "",
             benchmarks[k].size, "value");
    pc_bench_context context = {.benchmark = benchmarks[k].name,
                                .argument = argument[k],
                                .quick = quick,
                                .json = as_json ? &json : NULL};
    benchmarks[k].run(&context);
    failed = failed || context.failed;
  }
  if (as_json)
    pc_json_close(&json);
  return failed ? APP_FAILED : APP_OK;
}
