// Runs and sweeps that go on from checkpoints that somebody forged: sound ones but for the changes
// that the input says, with right sizes and checksums. The files of each run are made once.
#define _GNU_SOURCE // nftw
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edits.h"
#include "fuzz.h"
#include "hdf5_files.h"
#include "percuss/runs.h"
#include "record/record.h"
#include "states.h"

enum { BLOBS = 10, FILES = 3 };

// Which of states.h runs on; the last is a sweep, whose scene is here.
static const int running[] = {0, 4, 5, 7, 13};
static const char sweep[] =
    "kind: rigid\nduration: 2e-3\nstep: 1e-3\nmaterials: [{name: a, density: 1000}]\n"
    "default_law: {normal: {kind: inelastic}}\n"
    "bodies: [{name: a, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}]\n"
    "sensors: [{name: v, kind: velocity, bodies: a, axis: [0, 0, 1]}]\n"
    "sweep: [{key: gravity, values: [[0, 0, -1], [0, 0, -2], [0, 0, -3]]}]\n";
enum { RUNS = sizeof running / sizeof *running, KINDS = RUNS + 1 };

static const char *const run_blobs[] = {"run",     "record", "program", "world",
                                        "filters", "maps",   "chain",   "continuum",
                                        "totals",  "peaks",  "tallies", "meaning"};
static const char *const sweep_blobs[] = {"runs",   "fields",  "groups", "rows",
                                          "states", "program", "meaning"};

typedef struct files {
  bool made;
  int count; // of blobs
  pc_blob blob[BLOBS];
  saved_part kept[FILES]; // record and table
} files;

static char folder[64];
static const char *const endings[FILES] = {"run.h5", "run.csv", "run.h5.checkpoint"};

static const char *in_folder(const char *name)
{
  static char path[4][128];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

static int remove_one(const char *path, const struct stat *state, int kind, struct FTW *walk)
{
  return walk->level > 0 ? remove(path) : 0;
}

static void empty_folder(void)
{
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void forget(void)
{
  empty_folder();
  rmdir(folder);
}

static saved_part read_whole(const char *path)
{
  saved_part whole = {0};
  struct stat state;
  int file = open(path, O_RDONLY);
  if (file < 0)
    return whole;
  must(fstat(file, &state) == 0, path, "no size");
  whole = (saved_part){malloc((size_t)state.st_size + 1), (size_t)state.st_size};
  must(whole.data != NULL && read(file, whole.data, whole.size) == (ssize_t)whole.size, path,
       "cannot be read");
  close(file);
  return whole;
}

static void write_whole(const char *path, const saved_part *whole)
{
  if (whole->data == NULL)
    return;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  must(file >= 0 && write(file, whole->data, whole->size) == (ssize_t)whole->size, path,
       "cannot be written");
  close(file);
}

typedef struct stopper {
  long steps;
} stopper;

static bool stop_at(void *context, const pc_run_progress *progress)
{
  return progress->step < ((const stopper *)context)->steps;
}

static bool stop_runs(void *context, const pc_runs_progress *progress)
{
  return progress->finished < ((const stopper *)context)->steps;
}

static pc_status go(int kind, bool resume, long steps, pc_error *error)
{
  pc_scene scene;
  pc_run_summary summary;
  stopper stop = {steps};
  pc_status status =
      pc_scene_parse("state.yaml", kind < RUNS ? scenes[running[kind]] : sweep, &scene, error);
  must(status == PC_OK, "the scene", error->text);
  const char *output = in_folder("run.h5");
  if (kind < RUNS) {
    pc_run_options options = {
        .output = output, .resume = resume, .listener = stop_at, .context = &stop};
    status = pc_run_scene(&scene, &options, &summary, error);
  } else {
    pc_runs_options options = {
        .output = output, .resume = resume, .threads = 1, .listener = stop_runs, .context = &stop};
    pc_runs *runs = pc_runs_create(&scene, error);
    must(runs != NULL, "the sweep", error->text);
    status = pc_runs_run(runs, &options, error);
    pc_runs_destroy(runs);
  }
  pc_scene_free(&scene);
  return status;
}

static const char *checkpoint_of(int kind)
{
  return in_folder(kind < RUNS ? endings[2] : "run-runs.checkpoint");
}

// Runs some steps and keeps what they leave behind.
static void make(int kind, files *of)
{
  pc_error error = {.text = ""};
  empty_folder();
  must(go(kind, false, kind < RUNS ? 2 : 1, &error) == PC_OK, "the first run", error.text);
  for (int i = 0; i < 2; i++)
    of->kept[i] = read_whole(in_folder(endings[i]));
  const char *const *name = kind < RUNS ? run_blobs : sweep_blobs;
  int names = kind < RUNS ? (int)(sizeof run_blobs / sizeof *run_blobs)
                          : (int)(sizeof sweep_blobs / sizeof *sweep_blobs);
  for (int i = 0; i < names; i++) {
    pc_blob one = {name[i], NULL, 0};
    if (pc_checkpoint_read(checkpoint_of(kind), 1, &one, NULL) == PC_OK)
      of->blob[of->count++] = one;
  }
  must(of->count > 2, "the checkpoint", "has no state");
  if (kind == RUNS) // of a sweep the table
    of->kept[2] = read_whole(in_folder("run-runs.csv"));
  of->made = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static files all[KINDS];
  tape t = {data, size};
  int kind = (int)(take(&t, 1) % KINDS);
  files *of = &all[kind];
  fuzz_keep_memory();
  if (folder[0] == 0) {
    snprintf(folder, sizeof folder, "/dev/shm/percuss-resume-%d", (int)getpid());
    must(mkdir(folder, 0700) == 0, folder, "cannot create the folder");
    atexit(forget);
  }
  if (!of->made)
    make(kind, of);
  empty_folder();
  for (int i = 0; i < 2; i++)
    write_whole(in_folder(endings[i]), &of->kept[i]);
  if (kind == RUNS)
    write_whole(in_folder("run-runs.csv"), &of->kept[2]);
  bool changed = t.left > 0;
  pc_blob blobs[BLOBS];
  saved_part parts[BLOBS];
  for (int i = 0; i < of->count; i++) {
    parts[i] = (saved_part){malloc(of->blob[i].size + 1), of->blob[i].size};
    must(parts[i].data != NULL, "memory", "out of it");
    memcpy(parts[i].data, of->blob[i].data, of->blob[i].size);
  }
  while (t.left > 0) {
    unsigned what = take(&t, 1);
    change(&parts[(what >> 3) % (unsigned)of->count], &t, what & 7);
  }
  pc_error error = {.text = ""};
  for (int i = 0; i < of->count; i++)
    blobs[i] = (pc_blob){of->blob[i].name, parts[i].data, parts[i].size};
  must(pc_checkpoint_write(checkpoint_of(kind), of->count, blobs, &error) == PC_OK,
       "the checkpoint", error.text);
  pc_status status = go(kind, true, kind < RUNS ? 4 : 3, &error);
  must(status == PC_OK || changed, "a sound checkpoint", error.text);
  must(status == PC_OK || error.text[0] != 0, "a refused checkpoint", "has no message");
  for (int i = 0; i < of->count; i++)
    free(parts[i].data);
  fuzz_all_closed();
  return 0;
}
