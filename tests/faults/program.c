#define _DEFAULT_SOURCE // mkdtemp
#include "faults/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/output.h"
#include "percuss/run.h"
#include "record/csv.h"
#include "record/record.h"
#include "same.h"
#include "torn.h" // of the test itself: the program is looked at without it

static void give_up(const char *what)
{
  perror(what);
  abort();
}

enum { ARGUMENTS = 30 };

static void exec_program(const char *folder, const char *arguments)
{
  char text[1000], *argv[ARGUMENTS] = {FAULTS_PROGRAM};
  snprintf(text, sizeof text, "%s", arguments);
  int count = 1;
  for (char *word = strtok(text, " "); word != NULL && count < ARGUMENTS - 1;
       word = strtok(NULL, " "))
    argv[count++] = word;
  if (chdir(folder) != 0 || (freopen("stdout", "wb", stdout) == NULL &&
                             (errno != EROFS || freopen("/dev/null", "wb", stdout) == NULL)))
    _exit(99);
  alarm(LONGEST);
  execv(FAULTS_PROGRAM, argv);
  _exit(98);
}

static void beside(char path[PATH], const char *folder, const char *last)
{
  snprintf(path, PATH, "%s%s", folder, last);
}

static void write_request(const char *path, const faults_report *asked)
{
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(asked, sizeof *asked, 1, file) != 1 || fclose(file) != 0)
    give_up(path);
}

pid_t program_start(const char *folder, const char *arguments, const faults_report *asked)
{
  char errors[PATH], faults[PATH];
  beside(errors, folder, ".stderr");
  beside(faults, folder, ".faults");
  faults_report nothing = {0};
  write_request(faults, asked != NULL ? asked : &nothing);
  fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    give_up("fork");
  if (child > 0)
    return child;
  if (freopen(errors, "wb", stderr) == NULL)
    _exit(97);
  if (asked != NULL) {
    setenv("LD_PRELOAD", FAULTS_PRELOAD, 1);
    setenv("PERCUSS_FAULTS", faults, 1);
  }
  // The preloaded object stands before the sanitizer's, which forwards to the C library. A known
  // leak is known by a function on the stack, which frame pointers alone do not find. Leaks are
  // looked for where something fails: it takes seconds on some machines.
  char options[200];
  snprintf(options, sizeof options,
           "detect_leaks=%d:exitcode=23:verify_asan_link_order=0:fast_unwind_on_malloc=0:"
           "malloc_context_size=15",
           asked != NULL && asked->fail_at > 0);
  setenv("ASAN_OPTIONS", options, 1);
  setenv("LSAN_OPTIONS", "print_suppressions=0:suppressions=" FAULTS_KNOWN_LEAKS, 1);
  setenv("UBSAN_OPTIONS", "exitcode=23", 1);
  exec_program(folder, arguments);
  return 0;
}

static void read_message(const char *path, ending *end)
{
  FILE *file = fopen(path, "rb");
  size_t size = file != NULL ? fread(end->message, 1, sizeof end->message - 1, file) : 0;
  end->message[size] = 0;
  for (int c = 0; file != NULL && (size > 0 || c != EOF); c = size > 0 ? 0 : c) {
    for (size_t i = 0; i < size; i++)
      end->lines += end->message[i] == '\n';
    size = 0;
    c = getc(file);
    end->lines += c == '\n';
  }
  if (file != NULL)
    fclose(file);
}

ending program_wait(pid_t child, const char *folder)
{
  ending end = {0};
  char path[PATH];
  int status;
  if (waitpid(child, &status, 0) != child)
    give_up("waitpid");
  end.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  beside(path, folder, ".stderr");
  read_message(path, &end);
  beside(path, folder, ".faults");
  FILE *file = fopen(path, "rb");
  if (file == NULL || fread(&end.faults, sizeof end.faults, 1, file) != 1 || fclose(file) != 0)
    give_up(path);
  return end;
}

ending program_run(const char *folder, const char *arguments, const faults_report *asked)
{
  return program_wait(program_start(folder, arguments, asked), folder);
}

void folder_make(char path[PATH])
{
  bool memory = access("/dev/shm", W_OK | X_OK) == 0;
  snprintf(path, PATH, "%s/percuss-faults-XXXXXX", memory ? "/dev/shm" : "/tmp");
  if (mkdtemp(path) == NULL)
    give_up(path);
}

// Calls `each` with the names in a folder, in no order, until one call gives false.
static bool for_each(const char *folder, bool each(const char *name, void *context), void *context)
{
  DIR *there = opendir(folder);
  bool fine = true;
  if (there == NULL)
    give_up(folder);
  for (struct dirent *entry; fine && (entry = readdir(there)) != NULL;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      fine = each(entry->d_name, context);
  closedir(there);
  return fine;
}

typedef struct pair {
  const char *one, *two;
  char *why;
} pair;

static void join(char path[PATH], const char *folder, const char *name)
{
  if (snprintf(path, PATH, "%s/%s", folder, name) >= PATH)
    abort();
}

static bool is_folder(const char *path)
{
  struct stat there;
  return lstat(path, &there) == 0 && S_ISDIR(there.st_mode); // and no link to one
}

static bool remove_one(const char *name, void *context)
{
  char path[PATH];
  join(path, context, name);
  if (!is_folder(path))
    return unlink(path) == 0;
  for_each(path, remove_one, path);
  return rmdir(path) == 0;
}

static void empty(const char *path)
{
  char copy[PATH];
  snprintf(copy, sizeof copy, "%s", path);
  if (!for_each(copy, remove_one, copy))
    give_up(path);
}

void folder_remove(const char *path)
{
  char other[PATH];
  empty(path);
  rmdir(path);
  beside(other, path, ".stderr");
  unlink(other);
  beside(other, path, ".faults");
  unlink(other);
}

static void copy_file(const char *from, const char *to)
{
  char buffer[1 << 14];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  if (in == NULL || out == NULL)
    give_up(from);
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, in)) > 0;)
    if (fwrite(buffer, 1, got, out) != got)
      give_up(to);
  fclose(in);
  if (fclose(out) != 0)
    give_up(to);
}

static bool copy_one(const char *name, void *context)
{
  const pair *folders = context;
  char from[PATH], to[PATH];
  join(from, folders->one, name);
  join(to, folders->two, name);
  if (!is_folder(from)) {
    copy_file(from, to);
    return true;
  }
  return mkdir(to, 0777) == 0 && for_each(from, copy_one, &(pair){from, to, NULL});
}

void folder_copy(const char *from, const char *to)
{
  empty(to);
  if (!for_each(from, copy_one, &(pair){from, to, NULL}))
    give_up(to);
}

static bool ends_in(const char *name, const char *last)
{
  size_t length = strlen(name), more = strlen(last);
  return length > more && strcmp(name + length - more, last) == 0;
}

// The blobs of a checkpoint, as src/record/checkpoint.c writes them: their number is after 12
// bytes, they come after 24, each with the length of its name and of its data before it.
typedef struct saved {
  unsigned char *bytes;
  uint32_t blobs;
  size_t at; // of the next
} saved;

static saved saved_open(const char *path)
{
  struct stat there;
  FILE *file = fopen(path, "rb");
  saved s = {.at = 24};
  if (file == NULL || fstat(fileno(file), &there) != 0)
    give_up(path);
  s.bytes = malloc((size_t)there.st_size + 1);
  if (s.bytes == NULL || fread(s.bytes, 1, (size_t)there.st_size, file) != (size_t)there.st_size)
    give_up(path);
  fclose(file);
  memcpy(&s.blobs, s.bytes + 12, sizeof s.blobs);
  return s;
}

// The next blob: its name and its data, and how long both are.
static const unsigned char *saved_next(saved *s, uint32_t *name, uint64_t *data)
{
  const unsigned char *blob = s->bytes + s->at + 12;
  memcpy(name, blob - 12, sizeof *name);
  memcpy(data, blob - 8, sizeof *data);
  s->at += 12 + *name + *data;
  return blob;
}

// What a run says of itself in its checkpoint, in src/run/resume.c.
typedef struct run_mark {
  uint64_t layout, scene;
  long steps, frames;
  pc_csv_mark table;
  pc_run_summary summary;
} run_mark;

static void energies_of(const pc_run_summary *s, double energy[10])
{
  const double all[10] = {s->time,       s->kinetic,         s->potential, s->stored,
                          s->dissipated, s->correction,      s->turnover,  s->drift,
                          s->deepest,    s->residual_largest};
  memcpy(energy, all, sizeof all);
}

// But for its times, and whether it had started anew.
static bool same_mark(const void *one, const void *two, uint64_t size)
{
  run_mark a, b;
  if (size != sizeof a)
    return false;
  memcpy(&a, one, sizeof a);
  memcpy(&b, two, sizeof b);
  double x[10], y[10];
  energies_of(&a.summary, x);
  energies_of(&b.summary, y);
  return a.layout == b.layout && a.scene == b.scene && a.steps == b.steps && a.frames == b.frames &&
         a.table.length == b.table.length && a.table.sum == b.table.sum &&
         a.summary.finished == b.summary.finished && a.summary.state == b.summary.state &&
         a.summary.steps == b.summary.steps && a.summary.inside == b.summary.inside &&
         a.summary.contacts_total == b.summary.contacts_total && memcmp(x, y, sizeof x) == 0;
}

static bool same_blob(const char *name, const unsigned char *one, const unsigned char *two,
                      uint64_t size)
{
  size_t made_up = PC_RECORD_MARKS * sizeof(long); // when the record was
  if (strcmp(name, "run") == 0)
    return same_mark(one, two, size);
  if (strcmp(name, "record") == 0)
    return size >= made_up && memcmp(one + made_up, two + made_up, size - made_up) == 0;
  return memcmp(one, two, size) == 0;
}

// Blob by blob, byte for byte, but for times and for the number of the record.
static bool same_checkpoints(const char *one, const char *two, char *why)
{
  pc_error error = {.text = ""};
  if (pc_checkpoint_read(one, 0, NULL, &error) != PC_OK ||
      pc_checkpoint_read(two, 0, NULL, &error) != PC_OK) {
    snprintf(why, SAME_WHY, "%.250s", error.text);
    return false;
  }
  saved a = saved_open(one), b = saved_open(two);
  bool same = a.blobs == b.blobs && a.blobs > 0;
  if (!same)
    snprintf(why, SAME_WHY, "%.200s has another number of blobs", two);
  for (uint32_t i = 0; i < a.blobs && same; i++) {
    uint32_t letters, other_letters;
    uint64_t size, other_size;
    const unsigned char *x = saved_next(&a, &letters, &size);
    const unsigned char *y = saved_next(&b, &other_letters, &other_size);
    char name[20];
    snprintf(name, sizeof name, "%.*s", (int)letters, (const char *)x);
    same = letters == other_letters && size == other_size && memcmp(x, y, letters) == 0 &&
           same_blob(name, x + letters, y + letters, size);
    if (!same)
      snprintf(why, SAME_WHY, "%.200s: '%s' differs", two, name);
  }
  free(a.bytes);
  free(b.bytes);
  return same;
}

static bool same_one(const char *name, void *context)
{
  const pair *folders = context;
  char one[PATH], two[PATH];
  join(one, folders->one, name);
  join(two, folders->two, name);
  struct stat there;
  if (stat(two, &there) != 0) {
    snprintf(folders->why, SAME_WHY, "%.200s is missing", two);
    return false;
  }
  if (is_folder(one))
    return for_each(one, same_one, &(pair){one, two, folders->why});
  if (ends_in(name, ".h5"))
    return same_runs(one, two, folders->why) >= 0;
  if (ends_in(name, ".checkpoint"))
    return same_checkpoints(one, two, folders->why);
  return strcmp(name, "stdout") == 0 ? output_same(one, two, folders->why)
                                     : same_bytes(one, two, folders->why);
}

static bool is_in(const char *name, void *context)
{
  const pair *folders = context;
  char path[PATH];
  join(path, folders->two, name);
  bool there = access(path, F_OK) == 0;
  if (!there)
    snprintf(folders->why, SAME_WHY, "%.200s is left over", name);
  return there;
}

bool folder_same(const char *one, const char *two, char *why)
{
  return for_each(one, same_one, &(pair){one, two, why}) &&
         for_each(two, is_in, &(pair){two, one, why});
}

static bool readable_one(const char *name, void *context)
{
  const pair *folder = context;
  char path[PATH];
  join(path, folder->one, name);
  pc_error error = {.text = ""};
  bool fine = true;
  if (ends_in(name, ".h5")) // with itself: every dataset is read
    fine = same_runs(path, path, error.text) >= 0;
  else if (ends_in(name, ".checkpoint"))
    fine = pc_checkpoint_read(path, 0, NULL, &error) == PC_OK;
  if (!fine)
    snprintf(folder->why, SAME_WHY, "%.250s", error.text);
  return fine;
}

bool folder_readable(const char *path, char *why)
{
  return for_each(path, readable_one, &(pair){path, path, why});
}

bool folder_finished(const char *path)
{
  static const char *const names[] = {"out.h5", "out-runs.h5"};
  bool finished = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char record[PATH];
    join(record, path, names[i]);
    pc_reading *reading = access(record, F_OK) == 0 ? pc_reading_open(record, NULL) : NULL;
    finished = finished || (reading != NULL && pc_reading_complete(reading) == 1);
    pc_reading_close(reading);
  }
  return finished;
}

static const char *const records[RECORDS] = {"out.h5", "out-0001.h5", "out-0002.h5", "out-0003.h5",
                                             "out-0004.h5"};

int folder_identities(const char *path, int64_t identity[RECORDS])
{
  int count = 0;
  for (int i = 0; i < RECORDS; i++) {
    char checkpoint[PATH];
    pc_blob marks = {.name = "record"};
    snprintf(checkpoint, sizeof checkpoint, "%s/%s.checkpoint", path, records[i]);
    bool known =
        access(checkpoint, F_OK) == 0 && pc_checkpoint_read(checkpoint, 1, &marks, NULL) == PC_OK;
    identity[i] = known ? *(const long *)marks.data : 0;
    count += known;
    free(marks.data);
  }
  return count;
}

bool folder_went_on(const char *path, const int64_t identity[RECORDS], char *why)
{
  for (int i = 0; i < RECORDS; i++) {
    char record[PATH];
    int64_t now = 0;
    join(record, path, records[i]);
    if (identity[i] == 0 || (identity_of(record, &now) && now == identity[i]))
      continue;
    snprintf(why, SAME_WHY, "%s had a checkpoint and started anew", records[i]);
    return false;
  }
  return true;
}
