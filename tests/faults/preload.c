// Faults for a program that knows nothing of them: an object for LD_PRELOAD that stands before the
// allocations and the writes of the program and of all its libraries, counts them from main on, and
// lets one of them fail, or one and all after it. README.md says how it is asked.
//
// What the C library writes for itself it writes unseen, so streams that are opened for writing,
// and the standard output, are replaced by ones that write here.
#define _GNU_SOURCE // RTLD_NEXT, fopencookie, dladdr
#include "faults/preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The function that would have been called.
#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

static faults_report *report; // NULL: before main, or nobody asks
static bool in_memory, in_files;

// The file name of the library, or of the program, that an address is in.
static const char *library_of(const void *address)
{
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
    return "?";
  const char *slash = strrchr(info.dli_fname, '/');
  return slash != NULL ? slash + 1 : info.dli_fname;
}

// Whether a call comes from the library that is named. Looking that up takes long, and the same
// calls come thousands of times: what is known of an address is kept, with the answer below it.
static bool is_from_named(const void *caller)
{
  enum { KEPT = 4096 };
  static _Atomic uintptr_t known[KEPT];
  uintptr_t address = (uintptr_t)caller << 1;
  _Atomic uintptr_t *own = &known[(uintptr_t)caller * 0x9e3779b1 / 64 % KEPT];
  uintptr_t kept = atomic_load(own);
  if (kept >> 1 == address >> 1)
    return kept & 1;
  bool named = strncmp(library_of(caller), report->spared, strlen(report->spared)) == 0;
  atomic_store(own, address | named);
  return named;
}

// In what a sanitizer asks of a new thread, without which it gives up.
static _Thread_local int asking __attribute__((tls_model("initial-exec")));

static bool is_counted(const void *caller)
{
  if (asking > 0)
    return false;
  return *report->spared == 0 || is_from_named(caller) == report->only;
}

// Counts a call; true if it has to fail.
static bool counts(bool wanted, const char *call, const char *path, const void *caller)
{
  if (report == NULL || !wanted || !is_counted(caller))
    return false;
  long number = atomic_fetch_add(&report->count, 1) + 1;
  bool fails = report->fail_at > 0 && (report->mode == FAULTS_FROM ? number >= report->fail_at
                                                                   : number == report->fail_at);
  if (fails && atomic_fetch_add(&report->failed, 1) == 0) {
    snprintf(report->call, sizeof report->call, "%s", call);
    snprintf(report->file, sizeof report->file, "%s", path != NULL ? path : "");
    snprintf(report->caller, sizeof report->caller, "%s", library_of(caller));
  }
  return fails;
}

#define CALLER __builtin_return_address(0)

static int names = -1;

// What is opened for writing, made, renamed or removed.
static void note(const char *path)
{
  NEXT(write);
  char line[1000];
  int length = names >= 0 ? snprintf(line, sizeof line, "%s\n", path) : 0;
  if (length > 0)
    (void)!next(names, line, (size_t)length);
}

static bool no_memory(const char *call, const void *caller)
{
  if (!counts(in_memory, call, NULL, caller))
    return false;
  errno = ENOMEM;
  return true;
}

static bool no_file(const char *call, const char *path, int reason, const void *caller)
{
  if (!counts(in_files, call, path, caller))
    return false;
  if (report->mode == FAULTS_KILL && strstr(call, "write") == NULL)
    raise(SIGKILL);
  errno = reason;
  return true;
}

// The answer to a write of which half is done, as on a disk that is full.
static ssize_t half_written(void)
{
  if (report->mode == FAULTS_KILL)
    raise(SIGKILL);
  errno = ENOSPC;
  return -1;
}

// Looking up the real functions may allocate: from here, and it is never given back.
static _Alignas(64) char early[1 << 14];
static size_t early_used;
static _Thread_local bool looking __attribute__((tls_model("initial-exec")));

static void *take_early(size_t size)
{
  size_t at = (early_used + 63) / 64 * 64;
  if (at + size > sizeof early)
    return NULL;
  early_used = at + size;
  return early + at;
}

static bool is_early(const void *piece)
{
  return (const char *)piece >= early && (const char *)piece < early + sizeof early;
}

static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void (*free)(void *);
} real;

static bool look_up(void)
{
  if (looking)
    return false;
  if (real.free != NULL)
    return true;
  looking = true;
#define FIND(name) real.name = (__typeof__(real.name))(uintptr_t)dlsym(RTLD_NEXT, #name)
  FIND(malloc);
  FIND(calloc);
  FIND(realloc);
  FIND(aligned_alloc);
  FIND(posix_memalign);
  FIND(free);
  looking = false;
  return true;
}

void *malloc(size_t size)
{
  if (!look_up())
    return take_early(size);
  return no_memory("malloc", CALLER) ? NULL : real.malloc(size);
}

void *calloc(size_t count, size_t size)
{
  if (!look_up())
    return take_early(count * size); // static memory is zero
  return no_memory("calloc", CALLER) ? NULL : real.calloc(count, size);
}

void *realloc(void *piece, size_t size)
{
  if (is_early(piece) || !look_up())
    return NULL;
  return no_memory("realloc", CALLER) ? NULL : real.realloc(piece, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  if (!look_up())
    return NULL;
  return no_memory("aligned_alloc", CALLER) ? NULL : real.aligned_alloc(alignment, size);
}

int posix_memalign(void **piece, size_t alignment, size_t size)
{
  if (!look_up() || no_memory("posix_memalign", CALLER))
    return ENOMEM;
  return real.posix_memalign(piece, alignment, size);
}

void free(void *piece)
{
  if (!is_early(piece) && look_up())
    real.free(piece);
}

// As a caller of its own, so that it is told whose copy it is.
char *strdup(const char *text)
{
  size_t size = strlen(text) + 1;
  if (!look_up() || no_memory("strdup", CALLER))
    return NULL;
  char *copy = real.malloc(size);
  return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static bool writes(int flags)
{
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
}

#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...)                                                       \
  {                                                                                                \
    NEXT(name);                                                                                    \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;                               \
    va_end(rest);                                                                                  \
    if (writes(flags))                                                                             \
      note(path);                                                                                  \
    if (writes(flags) && no_file("open", path, ENOSPC, CALLER))                                    \
      return -1;                                                                                   \
    return next(path, flags, mode);                                                                \
  }
OPEN(open)
OPEN(open64)

// The file that a descriptor is of, for the report.
static const char *path_of(int file)
{
  static _Thread_local char path[200];
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  return path;
}

// Only plain files count: the eventfd, sockets and pipes of a viewer have no disk to be full.
static bool is_plain(int file)
{
  struct stat there;
  return fstat(file, &there) == 0 && S_ISREG(there.st_mode);
}

static ssize_t next_write(int file, const void *bytes, size_t size)
{
  NEXT(write);
  return next(file, bytes, size);
}

static ssize_t write_for(int file, const void *bytes, size_t size, const void *caller)
{
  if (file != STDERR_FILENO && report != NULL && is_plain(file) &&
      no_file("write", path_of(file), ENOSPC, caller)) {
    (void)!next_write(file, bytes, report->torn ? size / 2 : 0);
    return half_written();
  }
  return next_write(file, bytes, size);
}

ssize_t write(int file, const void *bytes, size_t size)
{
  return write_for(file, bytes, size, CALLER);
}

#define PWRITE(name, offset)                                                                       \
  ssize_t name(int file, const void *bytes, size_t size, offset at)                                \
  {                                                                                                \
    NEXT(name);                                                                                    \
    if (no_file("pwrite", path_of(file), ENOSPC, CALLER)) {                                        \
      (void)!next(file, bytes, report->torn ? size / 2 : 0, at);                                   \
      return half_written();                                                                       \
    }                                                                                              \
    return next(file, bytes, size, at);                                                            \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define ON_FILE(name, reason)                                                                      \
  int name(int file)                                                                               \
  {                                                                                                \
    NEXT(name);                                                                                    \
    return no_file(#name, path_of(file), reason, CALLER) ? -1 : next(file);                        \
  }
ON_FILE(fsync, EIO)
ON_FILE(fdatasync, EIO)

// A close that fails has closed.
int close(int file)
{
  NEXT(close);
  int flags = report != NULL && in_files ? fcntl(file, F_GETFL) : -1;
  bool fails =
      flags >= 0 && writes(flags) && is_plain(file) && no_file("close", path_of(file), EIO, CALLER);
  int closed = next(file);
  if (fails)
    errno = EIO;
  return fails ? -1 : closed;
}

int ftruncate(int file, off_t length)
{
  NEXT(ftruncate);
  return no_file("ftruncate", path_of(file), EIO, CALLER) ? -1 : next(file, length);
}

int ftruncate64(int file, off64_t length)
{
  NEXT(ftruncate64);
  return no_file("ftruncate", path_of(file), EIO, CALLER) ? -1 : next(file, length);
}

int rename(const char *from, const char *to)
{
  NEXT(rename);
  note(from);
  note(to);
  return no_file("rename", to, ENOSPC, CALLER) ? -1 : next(from, to);
}

int mkdir(const char *path, mode_t mode)
{
  NEXT(mkdir);
  note(path);
  return no_file("mkdir", path, ENOSPC, CALLER) ? -1 : next(path, mode);
}

// Only of what is there: to remove what is not does nothing, and cannot fail in this way.
#define REMOVE(name)                                                                               \
  int name(const char *path)                                                                       \
  {                                                                                                \
    NEXT(name);                                                                                    \
    note(path);                                                                                    \
    if (access(path, F_OK) == 0 && no_file(#name, path, EROFS, CALLER))                            \
      return -1;                                                                                   \
    return next(path);                                                                             \
  }
REMOVE(unlink)
REMOVE(remove)

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
  NEXT(pthread_getattr_np);
  asking++;
  int result = next(thread, attributes);
  asking--;
  return result;
}

enum { STREAMS = 16 };
static struct {
  FILE *stream;
  int file;
} stream[STREAMS];

static ssize_t stream_write(void *cookie, const char *bytes, size_t size)
{
  ssize_t count = write_for((int)(intptr_t)cookie, bytes, size, CALLER);
  return count > 0 ? count : 0; // what fopencookie wants of a failure
}

static int stream_close(void *cookie)
{
  return close((int)(intptr_t)cookie);
}

static FILE *make_stream(int file)
{
  cookie_io_functions_t functions = {.write = stream_write, .close = stream_close};
  for (int i = 0; i < STREAMS; i++)
    if (stream[i].stream == NULL) {
      stream[i].file = file;
      return stream[i].stream = fopencookie((void *)(intptr_t)file, "w", functions);
    }
  return NULL;
}

#define FOPEN(name)                                                                                \
  FILE *name(const char *path, const char *mode)                                                   \
  {                                                                                                \
    NEXT(name);                                                                                    \
    if (report == NULL || !in_files || mode[0] != 'w')                                             \
      return next(path, mode);                                                                     \
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);                                     \
    FILE *made = file >= 0 ? make_stream(file) : NULL;                                             \
    if (file >= 0 && made == NULL)                                                                 \
      close(file);                                                                                 \
    return made;                                                                                   \
  }
FOPEN(fopen)
FOPEN(fopen64)

int fclose(FILE *closed)
{
  NEXT(fclose);
  for (int i = 0; i < STREAMS; i++)
    if (stream[i].stream == closed)
      stream[i].stream = NULL;
  return next(closed);
}

int fileno(FILE *asked)
{
  NEXT(fileno);
  for (int i = 0; i < STREAMS; i++)
    if (stream[i].stream == asked)
      return stream[i].file;
  return next(asked);
}

static void begin(void)
{
  const char *path = getenv("PERCUSS_FAULTS");
  int file = path != NULL ? open(path, O_RDWR) : -1;
  void *asked = file >= 0 ? mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                          : MAP_FAILED;
  if (file >= 0)
    close(file);
  unsetenv("LD_PRELOAD"); // what the program starts is not meant
  if (asked == MAP_FAILED)
    return;
  in_memory = ((faults_report *)asked)->kind == FAULTS_MEMORY;
  in_files = ((faults_report *)asked)->kind == FAULTS_FILES;
  if (*((faults_report *)asked)->names != 0)
    names = open(((faults_report *)asked)->names, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (in_files)
    stdout = make_stream(STDOUT_FILENO);
  report = asked;
}

static int (*program)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
  begin();
  return program(argc, argv, environment);
}

typedef int start(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                  void (*)(void), void *);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *end)
{
  program = main;
  start *next = (start *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
  return next(counted_main, argc, argv, init, fini, rtld_fini, end);
}
