// A bit is flipped anywhere in the files of a run, of every kind of scene. Whoever reads the record
// gets the numbers that were written, or an error: never others. What the reading finds
// pc_run_check names too, and a run that goes on from such files refuses, with nothing changed, or
// ends as the undisturbed one.
#define _GNU_SOURCE // pwritev
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "percuss/check.h"
#include "percuss/run.h"
#include "percuss/runs.h"
#include "percuss/scene.h"
#include "record/record.h"
#include "same.h"
#include "torn.h"

static const char *const motions[] = {"rigid",  "systems", "crowd", "chain", "collision",
                                      "motion", "large",   "flow",  "alloy"};
enum { MOTIONS = sizeof motions / sizeof *motions };

static int make_fast_folder(void **state)
{
  if (access("/dev/shm", W_OK | X_OK) == 0) // runs wait for the disk at every checkpoint
    snprintf(folder, sizeof folder, "/dev/shm/perc-dm-XXXXXX");
  return make_folder(state);
}

// Stands in for the system's own: the process ends in write number `writes_left`, with half of its
// bytes written.
static long writes_left = -1;

ssize_t pwrite(int file, const void *data, size_t size, off_t place)
{
  if (writes_left == 0) {
    ssize_t half = pwritev(file, &(struct iovec){(void *)data, size / 2}, 1, place);
    _exit(half < 0 ? 1 : 9);
  }
  writes_left -= writes_left > 0;
  return pwritev(file, &(struct iovec){(void *)data, size}, 1, place);
}

typedef struct bytes {
  unsigned char *at; // NULL: there is no such file
  size_t size;
} bytes;

static bytes load(const char *path)
{
  bytes b = {NULL, 0};
  struct stat there;
  if (stat(path, &there) != 0)
    return b;
  b.size = (size_t)there.st_size;
  b.at = malloc(b.size + 1);
  FILE *file = fopen(path, "rb");
  assert_true(b.at != NULL && file != NULL && fread(b.at, 1, b.size, file) == b.size);
  fclose(file);
  return b;
}

static void save(const char *path, bytes b)
{
  if (b.at == NULL) {
    unlink(path);
    return;
  }
  FILE *file = fopen(path, "wb");
  assert_true(file != NULL && fwrite(b.at, 1, b.size, file) == b.size && fclose(file) == 0);
}

static pc_scene read_scene(const char *name)
{
  char path[300];
  pc_scene scene;
  pc_error error = {.text = ""};
  snprintf(path, sizeof path, "%s/%s.yaml", TEST_SCENES, name);
  assert_ok(pc_scene_read(path, &scene, &error), &error);
  return scene;
}

static pc_status run_scene(const char *name, const char *output, bool resume,
                           pc_run_summary *summary, pc_error *error)
{
  pc_scene scene = read_scene(name);
  pc_run_options options = {.output = output, .resume = resume};
  pc_status status = pc_run_scene(&scene, &options, summary, error);
  pc_scene_free(&scene);
  return status;
}

// A dataset or attribute as it is read. Text or numbers; size 0: neither.
typedef struct content {
  char name[200];
  int rank;
  long size[4];
  pc_record_type type;
  bytes data;
  char *unit, *description;
} content;
enum { CONTENTS = 300 };
typedef struct record {
  int count;
  content item[CONTENTS];
} record;

// PC_OK: it was read; else the reading said that something is wrong.
static pc_status read_content(pc_reading *reading, const char *name, content *c)
{
  *c = (content){.rank = 0};
  snprintf(c->name, sizeof c->name, "%s", name);
  c->unit = pc_reading_attribute(reading, name, "unit");
  c->description = pc_reading_attribute(reading, name, "description");
  if (pc_reading_text_size(reading, name) >= 0) {
    c->data.at = (unsigned char *)pc_reading_text(reading, name, NULL);
    c->data.size = c->data.at != NULL ? strlen((char *)c->data.at) : 0;
    return c->data.at != NULL ? PC_OK : PC_ERROR_INPUT;
  }
  c->rank = pc_reading_size(reading, name, c->size);
  if (c->rank == 0 || pc_reading_type(reading, name, &c->type, NULL) != PC_OK)
    return PC_ERROR_INPUT;
  c->data.size = same_size_of(c->type);
  for (int i = 0; i < c->rank; i++)
    c->data.size *= (size_t)c->size[i];
  c->data.at = malloc(c->data.size + 1);
  assert_non_null(c->data.at);
  return pc_reading_rows(reading, name, 0, c->size[0], c->type, c->data.at, NULL);
}

static void free_content(content *c)
{
  free(c->data.at);
  free(c->unit);
  free(c->description);
}

static record read_record(const char *path)
{
  record r = {.count = 0};
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading == NULL)
    fail_msg("%s", error.text);
  for (int k = 0; k < pc_reading_count(reading); k++) {
    assert_true(r.count < CONTENTS);
    assert_int_equal(read_content(reading, pc_reading_name(reading, k), &r.item[r.count++]), PC_OK);
  }
  pc_reading_close(reading);
  return r;
}

static void free_record(record *r)
{
  for (int i = 0; i < r->count; i++)
    free_content(&r->item[i]);
}

static bool same_texts(const char *a, const char *b)
{
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_content(const content *a, const content *b)
{
  return a->rank == b->rank && memcmp(a->size, b->size, sizeof a->size) == 0 &&
         a->type == b->type && a->data.size == b->data.size &&
         memcmp(a->data.at, b->data.at, a->data.size) == 0 && same_texts(a->unit, b->unit) &&
         same_texts(a->description, b->description);
}

// Whether reading all of it finds damage. Fails if a number is read that is not what was written.
static bool finds_damage(const char *path, const record *whole)
{
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading == NULL)
    return true;
  bool found = false;
  if (pc_reading_count(reading) != whole->count)
    fail_msg("%d datasets and not %d", pc_reading_count(reading), whole->count);
  for (int k = 0; k < whole->count; k++) {
    content c;
    bool read = read_content(reading, whole->item[k].name, &c) == PC_OK;
    if (read && !same_content(&whole->item[k], &c))
      fail_msg("%s is read as something else", c.name);
    found = found || !read;
    free_content(&c);
  }
  pc_reading_close(reading);
  return found;
}

static int damages_found(const char *path)
{
  pc_checked result;
  pc_error error = {.text = ""};
  assert_ok(pc_run_check(path, &result, &error), &error);
  int count = result.count;
  for (int i = 0; i < count; i++)
    assert_true(*result.damage[i].file != 0 && *result.damage[i].what != 0);
  assert_int_equal(result.unprotected, 0);
  assert_int_equal(count > 0, result.record == PC_FILE_DAMAGED ||
                                  result.checkpoint == PC_FILE_DAMAGED ||
                                  result.journal == PC_FILE_DAMAGED);
  pc_checked_free(&result);
  return count;
}

typedef struct flips {
  int all, read, checked, found;
} flips;

static void flip_record(const char *path, pc_random *random, int count, flips *sum)
{
  record whole = read_record(path);
  bytes b = load(path);
  const char *other = in_folder("flipped.h5");
  for (int i = 0; i < count; i++) {
    size_t at = (size_t)pc_random_below(random, (int)b.size);
    unsigned char bit = (unsigned char)(1 << pc_random_below(random, 8));
    b.at[at] ^= bit;
    save(other, b);
    b.at[at] ^= bit;
    bool read = finds_damage(other, &whole), ask = i % 4 == 0 || getenv("PERCUSS_TEST_LONG");
    bool found = ask && damages_found(other) > 0;
    if (read && ask && !found)
      fail_msg("%s, byte %zu: the check finds nothing", path, at);
    sum->all++;
    sum->read += read;
    sum->checked += ask;
    sum->found += found;
  }
  free(b.at);
  free_record(&whole);
}

static void run_ensemble(const char *name, const char *output, bool keep)
{
  pc_scene scene = read_scene(name);
  pc_error error = {.text = ""};
  pc_runs *runs = pc_runs_create(&scene, &error);
  assert_non_null(runs);
  assert_ok(pc_runs_run(runs, &(pc_runs_options){.output = output, .keep = keep}, &error), &error);
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
}

static void no_flipped_bit_of_a_finished_record_is_read_as_a_number(void **state)
{
  pc_random random = test_random("flips");
  int each = test_count_long(18, 640);
  flips sum = {0};
  for (int i = 0; i < MOTIONS; i++) {
    pc_run_summary summary;
    pc_error error = {.text = ""};
    const char *path = in_folder("run.h5");
    assert_ok(run_scene(motions[i], path, false, &summary, &error), &error);
    flip_record(path, &random, each, &sum);
  }
  run_ensemble("figure", in_folder("figure.h5"), false);
  flip_record(in_folder("figure-runs.h5"), &random, each, &sum);
  run_ensemble("sweep", in_folder("sweep.h5"), true);
  flip_record(in_folder("sweep-0003.h5"), &random, each, &sum);
  printf("%d flips: %d found by reading; %d of %d by the check\n", sum.all, sum.read, sum.found,
         sum.checked);
  assert_true(sum.read > sum.all / 2);
}

// A text that is too long for the header of its dataset.
enum { LONG = 100000, NAMES = 3 };

// A text, or names of which it is the first.
static void damage_text(char *text, char *const *names)
{
  const char *path = in_folder("text.h5");
  pc_record *made = pc_record_create(path, NULL);
  assert_non_null(made);
  assert_int_equal(names != NULL ? pc_record_names(made, "scene/text", NAMES, names)
                                 : pc_record_text(made, "scene/text", text),
                   PC_OK);
  assert_int_equal(pc_record_start(made), PC_OK);
  assert_int_equal(pc_record_close(made, 1, NULL), PC_OK);
  assert_int_equal(damages_found(path), 0);
  bytes b = load(path);
  unsigned char *there = memmem(b.at, b.size, text, LONG);
  assert_non_null(there);
  there[LONG / 3] ^= 4;
  save(path, b);
  pc_reading *reading = pc_reading_open(path, NULL);
  assert_non_null(reading);
  assert_null(pc_reading_text(reading, "scene/text", NULL));
  pc_reading_close(reading);
  assert_int_equal(damages_found(path), 1);
  free(b.at);
}

static void a_long_text_has_a_checksum(void **state)
{
  char *text = malloc(LONG + 1), *names[NAMES] = {text, "ball", "plate"};
  assert_non_null(text);
  for (int i = 0; i < LONG; i++)
    text[i] = (char)('a' + i % 26);
  text[LONG] = 0;
  damage_text(text, NULL);
  damage_text(text, names);
  free(text);
}

// The files from which a run goes on.
static const char *const endings[] = {".h5", ".h5.checkpoint", ".h5.journal", ".csv"};
enum { ENDINGS = 4, RECORD = 0 };
typedef struct stopped {
  bytes file[ENDINGS];
} stopped;

static void name_of(char path[300], int ending)
{
  snprintf(path, 300, "%s/stopped%s", folder, endings[ending]);
}

// Ends a run in one of its writes; false: it came to its end before.
static bool stop_run(const char *name, long write, stopped *s)
{
  char path[300];
  for (int i = 0; i < ENDINGS; i++) {
    name_of(path, i);
    unlink(path);
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    pc_run_summary summary;
    pc_error error;
    writes_left = write;
    _exit(run_scene(name, in_folder("stopped.h5"), false, &summary, &error) != PC_OK);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 9));
  for (int i = 0; i < ENDINGS; i++) {
    name_of(path, i);
    s->file[i] = load(path);
  }
  return WEXITSTATUS(status) == 9;
}

static void free_stopped(stopped *s)
{
  for (int i = 0; i < ENDINGS; i++)
    free(s->file[i].at);
}

// A byte of one of the files, mostly of those that are not 0: what is not yet written is.
static unsigned char *choose_byte(const stopped *s, pc_random *random)
{
  size_t all = 0;
  for (int f = 0; f < ENDINGS; f++)
    all += s->file[f].size;
  unsigned char *chosen = NULL;
  for (int try = 0; try < 20 && (chosen == NULL || *chosen == 0); try++) {
    size_t at = (size_t)pc_random_below(random, (int)all);
    int f = 0;
    while (at >= s->file[f].size)
      at -= s->file[f++].size;
    chosen = s->file[f].at + at;
  }
  return chosen;
}

// Goes on from these files. True: it ended as the undisturbed run; false: it was refused.
static bool go_on(const char *name, const stopped *s, const pc_run_summary *whole)
{
  char path[300], why[SAME_WHY];
  pc_run_summary summary;
  pc_error error = {.text = ""};
  for (int i = 0; i < ENDINGS; i++) {
    name_of(path, i);
    save(path, s->file[i]);
  }
  pc_status status = run_scene(name, in_folder("stopped.h5"), true, &summary, &error);
  if (status != PC_OK) {
    assert_true(*error.text != 0);
    for (int i = 0; i < ENDINGS; i++) {
      name_of(path, i);
      bytes now = load(path);
      if (now.size != s->file[i].size ||
          (now.size > 0 && memcmp(now.at, s->file[i].at, now.size) != 0))
        fail_msg("%s: refused, but %s was changed: %s", name, path, error.text);
      free(now.at);
    }
    return false;
  }
  if (summary.state != whole->state ||
      same_runs(in_folder("whole.h5"), in_folder("stopped.h5"), why) < 0)
    fail_msg("%s went on to another end: %s", name, why);
  return true;
}

static void a_run_goes_on_from_damaged_files_as_undisturbed_or_not_at_all(void **state)
{
  pc_random random = test_random("stopped");
  int each = test_count_long(6, 330), on = 0, refused = 0, ended = 0;
  for (int i = 0; i < MOTIONS; i++) {
    pc_run_summary whole;
    pc_error error = {.text = ""};
    assert_ok(run_scene(motions[i], in_folder("whole.h5"), false, &whole, &error), &error);
    stopped s = {.file = {{NULL, 0}}};
    for (int k = 0; k < each; k++) {
      if (k % 3 == 0) {
        free_stopped(&s);
        ended += stop_run(motions[i], pc_random_below(&random, 1500), &s);
      }
      if (s.file[RECORD].at == NULL)
        continue;
      unsigned char *flipped = choose_byte(&s, &random);
      unsigned char bit = (unsigned char)(1 << pc_random_below(&random, 8));
      *flipped ^= bit;
      bool went_on = go_on(motions[i], &s, &whole);
      *flipped ^= bit;
      on += went_on;
      refused += !went_on;
    }
    if (s.file[RECORD].at != NULL && !go_on(motions[i], &s, &whole))
      fail_msg("%s: undamaged, but refused", motions[i]);
    free_stopped(&s);
  }
  printf("%d runs were ended; %d times one went on as undisturbed, %d times it was refused\n",
         ended, on, refused);
  assert_true(refused > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_long_text_has_a_checksum),
      cmocka_unit_test(no_flipped_bit_of_a_finished_record_is_read_as_a_number),
      cmocka_unit_test(a_run_goes_on_from_damaged_files_as_undisturbed_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, make_fast_folder, remove_folder);
}
