// percuss bench rigid: spheres and boxes falling into a pile (the cost of a step by its parts, and
// the memory), and a bed of spheres from a thousand to a million (what grows with their number, and
// the gain of two threads).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench.h"
#include "measure.h"
#include "percuss/random.h"
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

// Returns freed memory to the system, so that it does not hide what the next case allocates.
static void give_back(void)
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
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
  w->memory = bench_memory();
  return true;
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
  middle = bench_median((int)(end - begin), value);
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

static void pile(bench_context *context, bool boxes, int side, int steps)
{
  const char *kind = boxes ? "boxes" : "spheres";
  char scene_path[] = "/tmp/percuss-bench-XXXXXX", run_path[64];
  int handle = mkstemp(scene_path);
  if (handle < 0)
    return;
  close(handle);
  snprintf(run_path, sizeof run_path, "%s.h5", scene_path);
  watch w = {.steps = steps, .step = calloc((size_t)steps, sizeof(measured))};
  pc_scene scene;
  pc_error error = {.text = "no memory, or no place for temporary files"};
  give_back();
  double before = bench_memory();
  if (w.step != NULL && write_scene(scene_path, boxes, side, steps) &&
      pc_scene_read(scene_path, &scene, &error) == PC_OK) {
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
        bench_row_named(context, bodies, 1e3 * all, "ms", "%s, %s: a step", kind, phase[p].name);
        for (int part = 0; part < 3; part++)
          bench_row_named(context, bodies, 1e3 * median_of(&w, phase[p].begin, phase[p].end, part),
                          "ms", "%s, %s: %s", kind, phase[p].name, parts[part]);
        bench_row_named(context, bodies, 1 / all, "1/s", "%s, %s: steps per second", kind,
                        phase[p].name);
      }
      bench_row_named(context, bodies, w.contacts, "", "%s: contacts at the end", kind);
      bench_row_named(context, bodies, summary.kinetic / fabs(summary.potential), "",
                      "%s: kinetic over potential energy at the end", kind);
      bench_row_named(context, bodies, w.sweeps, "", "%s: sweeps of the last step", kind);
      bench_row_named(context, bodies, w.residual, "", "%s: residual of the last step", kind);
      bench_row_named(context, bodies, (double)summary.steps_inaccurate, "",
                      "%s: steps that miss the accuracy, of %d", kind, steps);
      bench_row_named(context, bodies, summary.record_s, "s", "%s: recording, of the whole run",
                      kind);
      bench_row_named(context, bodies, (w.memory - before) / bodies, "bytes", "%s: memory per body",
                      kind);
      bench_row_named(context, bodies, (w.memory - before) / fmax(1, w.contacts), "bytes",
                      "%s: memory per contact, that of bodies included", kind);
    } else {
      bench_failed(context, error.text);
    }
    pc_scene_free(&scene);
  } else {
    bench_failed(context, error.text);
  }
  free(w.step);
  unlink(scene_path);
  unlink(run_path);
  strcat(run_path, ".checkpoint");
  unlink(run_path);
}

// A bed of spheres, stepped through the interface of the world.

enum { SETTLE = 16, ROUNDS = 5, SWEEPS = 10, STEPS = SETTLE + 4 * ROUNDS };

typedef struct bed_times {
  double all[ROUNDS], detection[ROUNDS], solve[ROUNDS]; // s
  double processor[ROUNDS];                             // s of all threads
} bed_times;

static bool place(pc_world *world, pc_body_def *def, pc_shape *shape)
{
  def->shape = shape;
  bool placed = shape != NULL && pc_body_create(world, def).id > 0;
  pc_shape_release(shape);
  return placed;
}

// Ten layers, each sphere a little above the hollow of four, in a box of planes.
static bool fill_bed(pc_world *world, int side)
{
  const double radius = 0.01, across = 0.0201, up = 0.01425;
  pc_random random;
  pc_random_seed(&random, 1);
  for (int i = 0; i < 5; i++) {
    pc_body_def wall = pc_body_def_default();
    double normal[3] = {0};
    normal[i / 2] = i % 2 ? -1 : 1;
    wall.kind = PC_FIXED;
    if (i % 2)
      wall.position[i / 2] = across * side;
    if (!place(world, &wall, pc_shape_plane(3, normal, NULL)))
      return false;
  }
  for (int layer = 0; layer < LAYERS; layer++) {
    int count = layer % 2 ? side - 1 : side;
    double start = across * (layer % 2 ? 1 : 0.5);
    for (int i = 0; i < count * count; i++) {
      pc_body_def def = pc_body_def_default();
      double at[3] = {start + across * (i % count), start + across * (i / count),
                      1.001 * radius + up * layer};
      memcpy(def.position, at, sizeof at);
      if (!place(world, &def, pc_shape_sphere(radius * pc_random_uniform(&random, 0.99, 1), NULL)))
        return false;
    }
  }
  return true;
}

static bool step_bed(bench_context *context, pc_world *world, int step)
{
  if (pc_world_step(world, 1e-3) != PC_OK) {
    bench_failed(context, pc_world_error(world));
    return false;
  }
  char text[96];
  snprintf(text, sizeof text, "bed of %d spheres, step %d of %d", pc_world_bodies(world) - 5,
           step + 1, STEPS);
  bench_progress(context, text);
  return true;
}

static void bed_rows(bench_context *context, int bodies, int contacts, bed_times *one,
                     bed_times *two)
{
  const double ns = 1e9 / fmax(1, contacts);
  double alone = bench_median(ROUNDS, one->all), both = bench_median(ROUNDS, two->all);
  double detection = bench_median(ROUNDS, one->detection), solve = bench_median(ROUNDS, one->solve);
  bench_row(context, "bed: contacts", bodies, contacts, "");
  bench_row(context, "bed: a step, one thread", bodies, 1e3 * alone, "ms");
  bench_row(context, "bed: a step, two threads", bodies, 1e3 * both, "ms");
  bench_row(context, "bed: per contact and step, one thread", bodies, ns * alone, "ns");
  bench_row(context, "bed: the same in processor time", bodies,
            ns * bench_median(ROUNDS, one->processor), "ns");
  bench_row(context, "bed: of it detection", bodies, ns * detection, "ns");
  bench_row(context, "bed: of it solve", bodies, ns * solve, "ns");
  bench_row(context, "bed: of it the rest", bodies, ns * (alone - detection - solve), "ns");
  bench_row(context, "bed: per contact and step, two threads", bodies, ns * both, "ns");
  bench_row(context, "bed: two threads against one", bodies, alone / both, "times as fast");
}

// Gives the processor time per contact and step with one thread; NAN if it failed. Steps with one
// thread and with two take turns, two each: the first of them finds everything in the caches of the
// others' processors and does not count.
static double bed(bench_context *context, int side)
{
  pc_world_def def = pc_world_def_default();
  def.threads = 2;
  def.max_iterations = SWEEPS;
  give_back();
  double before = bench_memory();
  pc_world *world = pc_world_create(&def);
  bed_times times[2];
  bool runs = world != NULL && fill_bed(world, side);
  double iterations = 0;
  for (int i = 0; i < STEPS && runs; i++) {
    int threads = i < SETTLE ? 2 : 1 + (i - SETTLE) / 2 % 2;
    pc_world_set_threads(world, threads);
    double spent = bench_processor_seconds();
    runs = step_bed(context, world, i);
    spent = bench_processor_seconds() - spent;
    const pc_step_info *info = pc_world_info(world);
    if (i < SETTLE || (i - SETTLE) % 2 == 0)
      continue;
    bed_times *of = &times[threads - 1];
    int round = (i - SETTLE) / 4;
    of->all[round] = info->step_s;
    of->detection[round] = info->detection_s;
    of->solve[round] = info->solve_s;
    of->processor[round] = spent;
    iterations += info->iterations / (2.0 * ROUNDS);
  }
  double each = NAN;
  if (runs) {
    int bodies = pc_world_bodies(world) - 5, contacts = pc_world_info(world)->contacts;
    bed_rows(context, bodies, contacts, &times[0], &times[1]);
    bench_row(context, "bed: sweeps of a step", bodies, iterations, "");
    bench_row(context, "bed: memory per body", bodies, (bench_memory() - before) / bodies, "bytes");
    bench_row(context, "bed: peak memory of the process", bodies, bench_peak_memory() / 1e9, "GB");
    each = bench_median(ROUNDS, times[0].processor) / fmax(1, contacts);
  } else {
    bench_failed(context, "out of memory, or a step failed");
  }
  pc_world_destroy(world);
  return each;
}

static void beds(bench_context *context)
{
  static const int side[] = {10, 32, 100, 318};
  const double needed = 3e9; // bytes, for a million
  int sizes = context->quick ? 2 : 4;
  double least = INFINITY, most = 0;
  for (int i = 0; i < sizes; i++) {
    double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (side[i] > 300 && there < needed) {
      bench_note(context, "a million spheres are left out: they need a machine with 3 GB");
      continue;
    }
    double each = bed(context, side[i]);
    least = fmin(least, each);
    most = fmax(most, each);
  }
  bench_row(context, "bed: processor time, dearest over cheapest size", 0, most / least, "");
}

void bench_rigid(bench_context *context)
{
  static const struct {
    bool boxes;
    int side, steps;
  } size[] = {
      {false, 10, 400}, {true, 10, 400}, {false, 33, 400}, {true, 32, 150}, {true, 100, 40}};
  int sizes = context->quick ? 2 : 5;
  for (int i = 0; i < sizes; i++)
    pile(context, size[i].boxes, size[i].side, size[i].steps);
  beds(context);
}
