#define _DEFAULT_SOURCE // mkdtemp
#include "faults/program.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/record.h"
#include "same.h"
#include "torn.h" // of the test itself: the program is looked at without it

static void give_up(const char *what)
{
  perror(what);
  abort();
}

// --- the program --------------------------------------------------------------------------------

enum { ARGUMENTS = 30 };

static void exec_program(const char *folder, const char *arguments)
{
  char text[1000], *argv[ARGUMENTS] = {FAULTS_PROGRAM};
  snprintf(text, sizeof text, "%s", arguments);
  int count = 1;
  for (char *word = strtok(text, " "); word != NULL && count < ARGUMENTS - 1;
       word = strtok(NULL, " "))
    argv[count++] = word;
  if (chdir(folder) != 0 || freopen("stdout", "wb", stdout) == NULL)
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
  // leak is known by a function on the stack, which frame pointers alone do not find.
  setenv("ASAN_OPTIONS",
         "detect_leaks=1:exitcode=23:verify_asan_link_order=0:fast_unwind_on_malloc=0:"
         "malloc_context_size=15",
         1);
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

// --- folders ------------------------------------------------------------------------------------

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
  return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
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

// What was printed: all of it, but for the time at the end of a line about a solver.
static bool same_output(const char *one, const char *two, char *why)
{
  FILE *a = fopen(one, "rb"), *b = fopen(two, "rb");
  bool same = a != NULL && b != NULL;
  for (char x[1000], y[1000]; same;) {
    bool some = fgets(x, sizeof x, a) != NULL, more = fgets(y, sizeof y, b) != NULL;
    if (!some || !more) {
      same = some == more;
      break;
    }
    size_t part = strlen(x);
    const char *comma = strrchr(x, ',');
    if (comma != NULL && strncmp(x, "solved", 6) == 0)
      part = (size_t)(comma - x);
    same = strncmp(x, y, part) == 0;
    if (!same)
      snprintf(why, SAME_WHY, "printed: %.100s not %.100s", y, x);
  }
  if (a != NULL)
    fclose(a);
  if (b != NULL)
    fclose(b);
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
  if (ends_in(name, ".checkpoint")) { // has times in it
    pc_error error = {.text = ""};
    bool whole = pc_checkpoint_read(two, 0, NULL, &error) == PC_OK;
    snprintf(folders->why, SAME_WHY, "%.250s", error.text);
    return whole;
  }
  return strcmp(name, "stdout") == 0 ? same_output(one, two, folders->why)
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
