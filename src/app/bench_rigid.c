// Spheres and boxes falling into a pile: what a step costs, in what, and how much memory it takes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench.h"
#include "percuss/run.h"

enum { LAYERS = 10 };

typedef struct measured {
  double detection, solve, other; // s, of one step
} measured;

typedef struct watch {
  long steps;
  measured *step;
  double last; // elapsed_s of the step before
  double contacts, residual, sweeps;
  double memory; // bytes, at the end
} watch;

// Memory of the process now, in bytes.
static double resident(void)
{
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL)
    return NAN;
  if (fscanf(file, "%ld %ld", &all, &pages) != 2)
    pages = 0;
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static bool look(void *context, const pc_run_progress *progress)
{
  watch *w = context;
  const pc_step_info *info = progress->info;
  if (progress->step < 1 || progress->step > w->steps)
    return true;
  measured *m = &w->step[progress->step - 1];
  m->detection = info->detection_s;
  m->solve = info->solve_s;
  m->other = fmax(0, progress->elapsed_s - w->last - info->detection_s - info->solve_s);
  w->last = progress->elapsed_s;
  w->contacts = info->contacts;
  w->residual = info->residual;
  w->sweeps = info->iterations;
  w->memory = resident();
  return true;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_of(const watch *w, long begin, long end, int part)
{
  double *value = malloc(sizeof(double) * (size_t)(end - begin)), middle = NAN;
  if (value == NULL)
    return NAN;
  for (long i = begin; i < end; i++) {
    const measured *m = &w->step[i];
    value[i - begin] = part == 0   ? m->detection
                       : part == 1 ? m->solve
                       : part == 2 ? m->other
                                   : m->detection + m->solve + m->other;
  }
  qsort(value, (size_t)(end - begin), sizeof *value, compare);
  middle = value[(end - begin) / 2];
  free(value);
  return middle;
}

// A bed in a box of planes, ten layers deep. Spheres start a little above the hollows of the layer
// below, so that they come to rest soon; boxes are turned at random and fall into a heap.
static bool write_scene(const char *path, bool boxes, int side, int steps)
{
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return false;
  double across = boxes ? 0.0183 : 0.0202, up = boxes ? 0.0183 : 0.0144, width = across * side;
  // Not more sweeps than this while everything falls: at rest ten or twenty do.
  fprintf(file, "kind: rigid\nstep: 1e-3\nduration: %g\n", steps * 1e-3);
  fprintf(file, "solver: {tolerance: 1e-4, max_iterations: 100}\n");
  fprintf(file, "materials: [{name: stone, density: 2600}]\n");
  fprintf(file, "obstacles:\n  - {shape: {type: plane}}\n");
  for (int i = 0; i < 4; i++) {
    double s = i % 2 ? -1 : 1, at = i % 2 ? width : 0;
    bool x = i < 2;
    fprintf(file, "  - {shape: {type: plane, normal: [%g, %g, 0]}, position: [%g, %g, 0]}\n",
            x ? s : 0, x ? 0 : s, x ? at : 0, x ? 0 : at);
  }
  fprintf(file, "generators:\n");
  for (int odd = 0; odd < 2; odd++) {
    double start = across * (odd && !boxes ? 1 : 0.5);
    int count = odd && !boxes ? side - 1 : side;
    fprintf(file, "  - {type: grid, name: layer%d, counts: [%d, %d, %d], spacing: [%g, %g, %g], ",
            odd, count, count, LAYERS / 2, across, across, 2 * up);
    fprintf(file, "origin: [%g, %g, %g], seed: %d, ", start, start, 0.0101 + odd * up, odd + 1);
    if (boxes)
      fprintf(file, "shape: {type: box, size: [0.012, 0.01, 0.009]}, orientations: random}\n");
    else
      fprintf(file, "shape: {type: sphere, radius: {min: 0.0098, max: 0.01}}}\n");
  }
  fprintf(file, "output: {every: 0.05, checkpoint: 0, csv: false, xdmf: false}\n");
  return fclose(file) == 0;
}

static void pile(pc_bench_context *context, bool boxes, int side, int steps)
{
  const char *kind = boxes ? "boxes" : "spheres";
  char scene_path[] = "/tmp/percuss-bench-XXXXXX", run_path[64], label[96];
  int handle = mkstemp(scene_path);
  if (handle < 0)
    return;
  close(handle);
  snprintf(run_path, sizeof run_path, "%s.h5", scene_path);
  watch w = {.steps = steps, .step = calloc((size_t)steps, sizeof(measured))};
  pc_scene_rigid scene;
  pc_error error;
  double before = resident();
  if (w.step != NULL && write_scene(scene_path, boxes, side, steps) &&
      pc_scene_read_rigid(scene_path, &scene, &error) == PC_OK) {
    pc_run_options options = {.output = run_path, .threads = 2, .listener = look, .context = &w};
    pc_run_summary summary;
    int bodies = scene.bodies - 5;
    pc_status status = pc_run_scene(&scene, &options, &summary, &error);
    if (status == PC_OK) {
      static const char *const parts[] = {"detection", "solve", "record and the rest"};
      struct {
        const char *name;
        long begin, end;
      } phase[] = {{"at first", 0, 50}, {"at the end", steps - steps / 10, steps}};
      for (int p = 0; p < 2; p++) {
        double all = median_of(&w, phase[p].begin, phase[p].end, 3);
        snprintf(label, sizeof label, "%s, %s: a step", kind, phase[p].name);
        bench_row(context, label, bodies, 1e3 * all, "ms");
        for (int part = 0; part < 3; part++) {
          snprintf(label, sizeof label, "%s, %s: %s", kind, phase[p].name, parts[part]);
          bench_row(context, label, bodies, 1e3 * median_of(&w, phase[p].begin, phase[p].end, part),
                    "ms");
        }
        snprintf(label, sizeof label, "%s, %s: steps per second", kind, phase[p].name);
        bench_row(context, label, bodies, 1 / all, "1/s");
      }
      snprintf(label, sizeof label, "%s: contacts at the end", kind);
      bench_row(context, label, bodies, w.contacts, "");
      snprintf(label, sizeof label, "%s: kinetic over potential energy at the end", kind);
      bench_row(context, label, bodies, summary.kinetic / fabs(summary.potential), "");
      snprintf(label, sizeof label, "%s: sweeps of the last step", kind);
      bench_row(context, label, bodies, w.sweeps, "");
      snprintf(label, sizeof label, "%s: residual of the last step", kind);
      bench_row(context, label, bodies, w.residual, "");
      snprintf(label, sizeof label, "%s: steps above the tolerance, of %d", kind, steps);
      bench_row(context, label, bodies, (double)summary.steps_inaccurate, "");
      snprintf(label, sizeof label, "%s: recording, of the whole run", kind);
      bench_row(context, label, bodies, summary.record_s, "s");
      snprintf(label, sizeof label, "%s: memory per body", kind);
      bench_row(context, label, bodies, (w.memory - before) / bodies, "bytes");
      snprintf(label, sizeof label, "%s: memory per contact, that of bodies included", kind);
      bench_row(context, label, bodies, (w.memory - before) / fmax(1, w.contacts), "bytes");
    } else {
      fprintf(stderr, "percuss bench: %s\n", error.text);
    }
    pc_scene_rigid_free(&scene);
  } else {
    fprintf(stderr, "percuss bench: %s\n", error.text);
  }
  free(w.step);
  unlink(scene_path);
  unlink(run_path);
  strcat(run_path, ".checkpoint");
  unlink(run_path);
}

void bench_rigid(pc_bench_context *context)
{
  static const struct {
    bool boxes;
    int side, steps;
  } size[] = {{false, 10, 400}, {true, 10, 400},   {false, 33, 400},
              {true, 32, 150},  {false, 102, 600}, {true, 100, 40}};
  int sizes = bench_is_quick(context) ? 2 : 6;
  for (int i = 0; i < sizes; i++)
    pile(context, size[i].boxes, size[i].side, size[i].steps);
}
