// percuss bench drum: an hour in a rotating drum, recorded and with checkpoints as by `percuss
// run`. The memory must not grow, files must grow as in their first tenth, the energy balance must
// close, and no stone may leave the drum.
#define _XOPEN_SOURCE 700 // mkdtemp
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "measure.h"
#include "percuss/run.h"

enum { SAMPLES = 3 };
static const double parts[SAMPLES] = {0.1, 0.5, 1}; // of the run, when it is sampled
static const double hour = 3600, some_minutes = 180;
static const double inside = 1; // m, from the axis to the corners of the drum

// The files of a run, and others that may remain.
enum { RECORD, TABLE, CHECKPOINT, FILES };
static const char *const endings[FILES] = {".h5", ".csv", ".h5.checkpoint"};
static const char *const others[] = {".xdmf", ".h5.journal", ".h5.new"};

typedef struct soak {
  bench_context *context;
  const pc_scene *scene;
  char folder[1024], path[1100];
  int sample, outside;                        // the next one; stones, at most
  double bytes[SAMPLES][FILES], empty[FILES]; // of the files: at each sample, and at the start
} soak;

static const char *file_path(const soak *s, const char *ending, char path[1100])
{
  snprintf(path, 1100, "%s/drum%s", s->folder, ending);
  return path;
}

static double file_bytes(const soak *s, int file)
{
  struct stat there;
  char path[1100];
  return stat(file_path(s, endings[file], path), &there) == 0 ? (double)there.st_size : NAN;
}

static int count_outside(const pc_scene *scene)
{
  int outside = 0;
  for (int i = 0; i < scene->bodies; i++) {
    pc_body_state state;
    pc_body body = {i + 1};
    pc_body_get(scene->world, body, &state);
    outside += pc_body_get_kind(scene->world, body) == PC_FREE &&
               !(hypot(state.position[0], state.position[1]) < inside);
  }
  return outside;
}

static void show_sample(soak *s, double time)
{
  bench_context *context = s->context;
  bench_row(context, "memory", time, 1e-6 * bench_memory(), "MB");
  bench_row(context, "most memory so far", time, 1e-6 * bench_peak_memory(), "MB");
}

static bool look(void *context, const pc_run_progress *progress)
{
  enum { NOW_AND_THEN = 50 }; // steps
  soak *s = context;
  for (int i = 0; i < FILES && progress->step == 0; i++)
    s->empty[i] = file_bytes(s, i);
  if (progress->step % NOW_AND_THEN == 0) {
    int outside = count_outside(s->scene);
    s->outside = outside > s->outside ? outside : s->outside;
  }
  if (s->sample == SAMPLES || progress->step < lround(parts[s->sample] * (double)progress->steps))
    return true;
  for (int i = 0; i < FILES; i++)
    s->bytes[s->sample][i] = file_bytes(s, i);
  show_sample(s, progress->time);
  s->sample++;
  return true;
}

static herr_t add_bytes(hid_t file, const char *name, const H5O_info_t *info, void *sum)
{
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set);
  if (H5Tget_class(type) != H5T_STRING)
    *(double *)sum += (double)H5Sget_simple_extent_npoints(space) * (double)H5Tget_size(type);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  return 0;
}

// The bytes that all numbers of the file take when they are not compressed.
static double bytes_of_numbers(const char *path)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  double sum = 0;
  if (file < 0)
    return NAN;
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, add_bytes, &sum, H5O_INFO_BASIC);
  H5Fclose(file);
  return sum;
}

static void show_files(soak *s, double time)
{
  static const char *const names[FILES] = {"RUN.h5", "RUN.csv", "RUN.h5.checkpoint"};
  char path[1100];
  for (int i = 0; i < FILES; i++) {
    double tenth = s->bytes[0][i] - s->empty[i], found = file_bytes(s, i);
    double predicted = i == CHECKPOINT ? s->bytes[0][i] : s->empty[i] + tenth / parts[0];
    bench_row_named(s->context, time, 1e-6 * predicted, "MB", "%s, predicted from the first tenth",
                    names[i]);
    bench_row_named(s->context, time, 1e-6 * found, "MB", "%s, found", names[i]);
  }
  bench_row(s->context, "the numbers of RUN.h5", time,
            1e-6 * bytes_of_numbers(file_path(s, endings[RECORD], path)), "MB");
}

static void show_summary(soak *s, const pc_run_summary *summary)
{
  bench_context *context = s->context;
  double time = summary->time;
  bench_row(context, "time of the clock", time, summary->wall_s, "s");
  bench_row(context, "of it recording", time, summary->record_s, "s");
  bench_row(context, "steps", time, (double)summary->steps, "");
  bench_row(context, "steps whose account is open", time, (double)summary->steps_open, "");
  bench_row(context, "worst account of a step, relative", time, summary->audit_largest, "");
  bench_row(context, "what the account of the run leaves open, relative", time, summary->drift, "");
  bench_row(context, "steps above the tolerance", time, (double)summary->steps_inaccurate, "");
  bench_row(context, "steps done without rebound", time, (double)summary->steps_calmed, "");
  bench_row(context, "deepest overlap", time, 1e3 * summary->deepest, "mm");
  bench_row(context, "stones outside the drum, at most", time, s->outside, "");
}

static void remove_files(const soak *s)
{
  char path[1100];
  for (int i = 0; i < FILES; i++)
    remove(file_path(s, endings[i], path));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    remove(file_path(s, others[i], path));
  rmdir(s->folder);
}

void bench_drum(bench_context *context)
{
  const char *temporary = getenv("TMPDIR");
  pc_scene scene;
  soak s = {.context = context, .scene = &scene};
  snprintf(s.folder, sizeof s.folder, "%s/percuss-bench-XXXXXX",
           temporary != NULL ? temporary : "/tmp");
  if (mkdtemp(s.folder) == NULL) {
    bench_failed(context, "there is no place for temporary files");
    return;
  }
  if (bench_read_scene(context, "rigid/drum-2d.yaml", &scene)) {
    pc_run_summary summary;
    pc_error error;
    pc_run_options options = {.output = file_path(&s, endings[RECORD], s.path),
                              .threads = 1,
                              .listener = look,
                              .context = &s};
    scene.duration = context->quick ? some_minutes : hour;
    scene.frame_every = 1;
    pc_status status = pc_run_scene(&scene, &options, &summary, &error);
    if (status != PC_OK) {
      bench_failed(context, error.text);
    } else {
      show_files(&s, summary.time);
      show_summary(&s, &summary);
    }
    pc_scene_free(&scene);
  }
  remove_files(&s);
}
