// percuss bench: runs the benchmarks and shows their rows as they come. Times live here and nowhere
// else.
#include "app/bench.h"

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "core/json.h"

static const struct {
  const char *name, *summary;
  void (*run)(pc_bench_context *context);
} benchmarks[] = {
    {"impact", "sweeps of nsgs and solves of ipm on a heap of spheres", bench_impact},
    {"friction", "random stacks, arches and packings to 1e-8: solved, median and worst time",
     bench_friction},
    {"rigid", "spheres and boxes falling into a pile, two threads", bench_rigid},
    {"gabion", "four impacts on a wall of gabions against León's Table 6.1, two threads",
     bench_gabion},
    {"view", "the viewer in Chromium without a graphics card: a run of 2 GB, 10,000 boxes",
     bench_view},
    {NULL, NULL, NULL}, // ends the list
};

struct pc_bench_context {
  const char *benchmark;
  bool quick;
  pc_json *json; // NULL: a table
};

bool bench_is_quick(const pc_bench_context *context)
{
  return context->quick;
}

void bench_row(pc_bench_context *context, const char *name, double size, double value,
               const char *unit)
{
  pc_json *json = context->json;
  if (json == NULL) {
    char shown[32] = "";
    if (size != 0)
      snprintf(shown, sizeof shown, "%.0f", size);
    printf("  %-44s %10s %14.5g %s\n", name, shown, value, unit);
    fflush(stdout);
    return;
  }
  pc_json_open(json, '{');
  pc_json_key(json, "benchmark"), pc_json_string(json, context->benchmark);
  pc_json_key(json, "name"), pc_json_string(json, name);
  pc_json_key(json, "size"), pc_json_number(json, size);
  pc_json_key(json, "value"), pc_json_number(json, value);
  pc_json_key(json, "unit"), pc_json_string(json, unit);
  pc_json_close(json);
}

void bench_note(pc_bench_context *context, const char *text)
{
  fprintf(stderr, "percuss bench %s: %s\n", context->benchmark, text);
}

static int find_benchmark(const char *name)
{
  for (int i = 0; benchmarks[i].name != NULL; i++)
    if (strcmp(benchmarks[i].name, name) == 0)
      return i;
  return -1;
}

const char app_bench_help[] =
    "NAME is a benchmark (default: all): impact, friction, rigid, gabion, which runs a ready "
    "scene,\n"
    "or view, which needs Chromium and, without --quick, 2 GB in the folder for temporary files.\n"
    "\n"
    "  --json   one JSON array of rows (default: a table)\n"
    "  --quick  leave out the large sizes (default: all sizes)\n"
    "\n"
    "Times are in the unit of their row. Exit status: 0 done; 2 bad usage.\n";

int app_bench(int argc, char **argv)
{
  bool as_json = false, quick = false;
  const app_option known[] = {
      {"--json", &as_json, NULL}, {"--quick", &quick, NULL}, {NULL, NULL, NULL}};
  int names = app_parse(argc, argv, "bench", known);
  if (names < 0)
    return APP_BAD_INPUT;
  for (int i = 0; i < names; i++)
    if (find_benchmark(argv[i]) < 0) {
      char list[200] = "";
      for (int k = 0; benchmarks[k].name != NULL; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "",
                 benchmarks[k].name);
      return app_complain("percuss bench: unknown benchmark '%.40s' (known: %s)", argv[i], list);
    }
  pc_json json = {.file = stdout};
  if (as_json)
    pc_json_open(&json, '[');
  for (int k = 0; benchmarks[k].name != NULL; k++) {
    bool wanted = names == 0;
    for (int i = 0; i < names; i++)
      wanted = wanted || find_benchmark(argv[i]) == k;
    if (!wanted)
      continue;
    if (!as_json)
      printf("%s: %s\n", benchmarks[k].name, benchmarks[k].summary);
    pc_bench_context context = {benchmarks[k].name, quick, as_json ? &json : NULL};
    benchmarks[k].run(&context);
  }
  if (as_json)
    pc_json_close(&json);
  return APP_OK;
}
