// What happens when memory runs out, a disk is full, or the program is killed: every allocation and
// every operation on files that a small job makes fails in turn, alone or with all after it, or is
// where the program is killed. Then
//
//   - it ends by itself, with one line that names what failed and status 1, or, where nothing was
//     lost, with status 0 and the results of the undisturbed job; sanitizers find nothing;
//   - with --json the standard output has one JSON value, or nothing;
//   - every record and every checkpoint that is there can be read;
//   - the job, resumed or done again, ends with the files of the undisturbed one, byte for byte.
// A viewer ends when it is told to; until then what it answers is right, and after one call that
// failed it answers everything.
//
// `make test` takes a few calls of each job, by chance; `make test-long` takes them all.
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "faults/jobs.h"
#include "faults/output.h"
#include "faults/program.h"
#include "faults/visit.h"
#include "percuss/view.h"
#include "record/record.h"

// What a job starts from, what it ends with when nothing is wrong, and how many calls it makes; and
// where all are tried.
typedef enum calls { ALLOCATIONS, ALLOCATIONS_OF_HDF5, OPERATIONS, CALLS } calls;
static struct known {
  bool prepared;
  char start[PATH], whole[PATH];
  long count[CALLS]; // 0: not known yet
  int lines;         // that it writes to stderr
} known[FAULTS_MOST_JOBS];
static char work[PATH];
static bool page; // Percuss was built with the viewer

static int make_folder(void **state)
{
  folder_make(work);
  page = pc_view_check(&(pc_view_options){.port = 0}, NULL) == PC_OK;
  assert_true(faults_job_count <= FAULTS_MOST_JOBS);
  return 0;
}

static int remove_folders(void **state)
{
  visit_forget(work);
  folder_remove(work);
  for (int i = 0; i < faults_job_count; i++)
    if (known[i].prepared) {
      folder_remove(known[i].start);
      visit_forget(known[i].whole);
      folder_remove(known[i].whole);
    }
  return 0;
}

static faults_report asked_of(calls what)
{
  faults_report asked = {.kind = what == OPERATIONS ? FAULTS_FILES : FAULTS_MEMORY, .torn = 1};
  if (what != OPERATIONS)
    strcpy(asked.spared, "libhdf5");
  asked.only = what == ALLOCATIONS_OF_HDF5;
  return asked;
}

static void prepare(const faults_job *job, struct known *k)
{
  folder_make(k->start);
  folder_make(k->whole);
  k->prepared = true;
  folder_copy(FAULTS_SCENES, k->start);
  char output[PATH + 10];
  snprintf(output, sizeof output, "%s/stdout", k->start);
  FILE *nothing = fopen(output, "wb");
  assert_non_null(nothing);
  fclose(nothing);
  if (job->before == NULL)
    return;
  faults_report kill = asked_of(OPERATIONS);
  kill.mode = FAULTS_KILL;
  kill.fail_at = job->until;
  ending end = program_run(k->start, job->before, &kill);
  if (end.status != (job->until > 0 ? -SIGKILL : 0))
    fail_msg("%s: before: status %d: %s", job->name, end.status, end.message);
}

// Clang's sanitizer is a part of the program, and its allocations stand before those of any object
// that is preloaded.
#if defined(__clang__) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN_ALLOCATIONS
#endif
#endif

// Where no call is counted no call would fail. Only what writes no record may do without HDF5.
static void expect_calls(const faults_job *job, const struct known *k, calls what)
{
#ifdef OWN_ALLOCATIONS
  if (what != OPERATIONS) {
    print_message("allocations cannot be made to fail: the sanitizer's own come first\n");
    skip();
  }
#endif
  char record[PATH + 10];
  snprintf(record, sizeof record, "%s/out.h5", k->whole);
  if (what != ALLOCATIONS_OF_HDF5 || access(record, F_OK) == 0)
    fail_msg("%s: no call was counted: is %s preloaded?", job->name, FAULTS_PRELOAD);
}

// A run that is resumed where there is a checkpoint goes on in its record.
static bool went_on(const char *command, const char *folder, const int64_t identity[RECORDS],
                    char *why)
{
  return strstr(command, "--resume") == NULL || folder_went_on(folder, identity, why);
}

static ending run_job(const faults_job *job, const char *folder, const char *command,
                      const faults_report *asked)
{
  return faults_job_is_served(job) ? visit_run(folder, command, asked)
                                   : program_run(folder, command, asked);
}

static long count_calls(const faults_job *job, struct known *k, calls what)
{
  if (!k->prepared)
    prepare(job, k);
  if (k->count[what] == 0) {
    faults_report none = asked_of(what);
    int64_t identity[RECORDS];
    folder_copy(k->start, k->whole);
    folder_identities(k->whole, identity);
    ending end = run_job(job, k->whole, job->command, &none);
    if (end.status != 0)
      fail_msg("%s: status %d: %s", job->name, end.status, end.message);
    char why[600];
    if (faults_job_is_served(job) && !visit_right(k->whole, k->whole, true, why))
      fail_msg("%s: %s", job->name, why);
    k->lines = end.lines;
    if (!went_on(job->command, k->whole, identity, why))
      fail_msg("%s: %s", job->name, why);
    k->count[what] = end.faults.count;
    if (k->count[what] == 0)
      expect_calls(job, k, what);
  }
  return k->count[what];
}

// The name of the file without what stands for a part of it.
static void plain_name(const char *path, char *name, size_t size)
{
  const char *slash = strrchr(path, '/');
  snprintf(name, size, "%s", slash != NULL ? slash + 1 : path);
  static const char *const endings[] = {".tmp", ".new", ".journal", " (deleted)"};
  for (size_t k = 0; k < 4 * sizeof endings / sizeof *endings; k++) {
    const char *one = endings[k % 4];
    size_t length = strlen(name), more = strlen(one);
    if (length > more && strcmp(name + length - more, one) == 0)
      name[length - more] = 0;
  }
}

static bool names_what_failed(const faults_job *job, const ending *end)
{
  // A page cannot tell why the program that draws it did not answer.
  if (end->faults.kind == FAULTS_MEMORY && job->page && !faults_job_is_served(job))
    return true;
  if (end->faults.kind == FAULTS_MEMORY)
    return strstr(end->message, "out of memory") != NULL ||
           strstr(end->message, "not enough memory") != NULL ||
           strstr(end->message, "Cannot allocate memory") != NULL;
  if (end->faults.mode == FAULTS_FROM && // perhaps a later one is told
      (strstr(end->message, strerror(ENOSPC)) != NULL ||
       strstr(end->message, strerror(EIO)) != NULL || strstr(end->message, "cannot write") != NULL))
    return true;
  char name[200];
  plain_name(end->faults.file, name, sizeof name);
  return strstr(end->message,
                strcmp(name, "stdout") == 0 ? "percuss: cannot write the output" : name) != NULL;
}

// Each run that fails has its line, both a run and its viewer may fail, and where nothing can be
// written any more, neither can the JSON that says so.
static bool may_complain_twice(const faults_job *job, const ending *end)
{
  return faults_job_is_many(job) || faults_job_is_served(job) ||
         (faults_job_is_json(job) && end->faults.mode == FAULTS_FROM);
}

// What the program may not end like.
static const char *bad_end(const faults_job *job, const struct known *k, const ending *end,
                           bool library_may_crash)
{
  bool failed = end->faults.failed > 0;
  if (end->faults.count == 0)
    return "no call was counted";
  if (!failed && end->faults.fail_at <= end->faults.count)
    return "the call was made and did not fail";
  if (end->faults.mode == FAULTS_KILL)
    return end->status == (failed ? -SIGKILL : 0) ? NULL : failed ? "not killed" : "not status 0";
  if (!failed && end->status != 0)
    return "nothing failed and the status is not 0";
  if (end->status == -SIGALRM)
    return "it hangs";
  if (end->status == 0)
    return end->lines <= k->lines ? NULL : "status 0 with a message";
  if (library_may_crash)
    return NULL;
  if (end->status == SANITIZER)
    return "a sanitizer complains";
  if (end->status == 3 && strncmp(job->name, "validate", 8) == 0)
    return NULL; // the row says that it could not be computed
  if (end->status != 1)
    return "neither status 0 nor 1";
  if (may_complain_twice(job, end) ? end->lines < 1 : end->lines != 1)
    return "not one line";
  return names_what_failed(job, end) ? NULL : "the message does not name what failed";
}

static bool ends_with(const char *text, const char *last)
{
  size_t length = strlen(text), more = strlen(last);
  return length >= more && strcmp(text + length - more, last) == 0;
}

static bool is_mark(const char *file)
{
  return ends_with(file, ".journal") || ends_with(file, ".lock");
}

// Removes what marks a run that goes on. Returns how many there were, -1 if one stays.
static int forget_marks(const char *folder)
{
  DIR *list = opendir(folder);
  int count = list != NULL ? 0 : -1;
  for (struct dirent *one; count >= 0 && (one = readdir(list)) != NULL;) {
    char path[PATH + 260];
    snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
    if (is_mark(one->d_name))
      count = remove(path) == 0 ? count + 1 : -1;
  }
  if (list != NULL)
    closedir(list);
  return count;
}

// Whether a fault may have cut the output: it was in writing it, or the program was killed.
static bool is_cut(const ending *end)
{
  const faults_report *faults = &end->faults;
  return faults->only || faults->mode == FAULTS_KILL ||
         (faults->kind == FAULTS_FILES &&
          (faults->mode == FAULTS_FROM || strstr(faults->file, "stdout") != NULL));
}

static void complete_output(const char *whole, const char *folder)
{
  char one[PATH + 10], two[PATH + 10];
  snprintf(one, sizeof one, "%s/stdout", folder);
  snprintf(two, sizeof two, "%s/stdout", whole);
  output_completed(one, two); // if it cannot, the folders will differ
}

// Cases: those that were tried; whose call came, for the clock has a say in how many there are; and
// that were felt.
typedef struct tally {
  int tried, reached, felt;
} tally;

static void check_fault(const faults_job *job, const struct known *k, const faults_report *asked,
                        tally *sum)
{
  char why[600] = "";
  bool library_may_crash = asked->only;
  folder_copy(k->start, work);
  ending end = run_job(job, work, job->command, asked);
  const char *bad = bad_end(job, k, &end, library_may_crash);
  sum->tried++;
  sum->reached += end.faults.failed > 0;
  sum->felt += end.status != 0;
  if (bad == NULL && !folder_readable(work, why))
    bad = "unreadable";
  if (bad == NULL && faults_job_is_json(job) && end.status != 0 && !is_cut(&end)) {
    char path[PATH + 10];
    snprintf(path, sizeof path, "%s/stdout", work);
    bad = output_of_failure(path, why) ? NULL : "the output of a failed command";
  }
  if (bad == NULL && faults_job_is_served(job) && end.status == 0 &&
      !visit_right(k->whole, work, asked->mode == FAULTS_ONCE, why))
    bad = "wrong answers";
  // A journal or a lock that cannot be removed does no harm: the run, resumed, finds it and is the
  // same. Where all calls fail from one on, removing is among them; the rest must be there.
  if (end.status == 0 && asked->mode == FAULTS_FROM && forget_marks(work) < 0)
    bad = "a journal or a lock stays";
  bool marked = end.status == 0 && is_mark(end.faults.file);
  if (marked && (run_job(job, work, job->again != NULL ? job->again : job->command, NULL).status ||
                 forget_marks(work) < 0))
    bad = "a journal or a lock that was left does harm";
  if (bad == NULL && end.status == 0 && !folder_same(k->whole, work, why))
    bad = "status 0 and not the same";
  ending later;
  // Where nothing was written, doing it again is doing it for the first time.
  if (bad == NULL && end.status != 0 && !folder_same(k->start, work, why)) {
    const char *again = job->again != NULL ? job->again : job->command;
    int64_t identity[RECORDS];
    folder_identities(work, identity);
    bool shown = faults_job_is_served(job) && folder_finished(work);
    later = run_job(job, work, again, NULL);
    if (shown) // the run was finished, and is not summed up a second time
      complete_output(k->whole, work);
    if (later.status != 0)
      bad = later.message;
    else if (!folder_same(k->whole, work, why))
      bad = "done again it is not the same";
    else if (!went_on(again, work, identity, why))
      bad = "it did not go on";
  }
  if (bad == NULL)
    return;
  static const char *const modes[] = {"fails", "and all after it fail", "kills"};
  fprintf(stderr, "%s: call %ld %s (%s of '%s' by %s): %s %s\nstatus %d: %s\n", job->name,
          asked->fail_at, modes[asked->mode], end.faults.call, end.faults.file, end.faults.caller,
          bad, why, end.status, end.message);
  if (getenv("PERCUSS_FAULTS_ALL") == NULL)
    fail();
}

// So many of the calls, one out of each stretch of them; all in long tests. PERCUSS_FAULTS_CALL=N
// takes that one.
static void check_job(int job, calls what, faults_mode mode, double cases, pc_random *random,
                      tally *sum)
{
  const char *longer = getenv("PERCUSS_TEST_LONG"), *one = getenv("PERCUSS_FAULTS_CALL");
  int taken = (int)(cases * faults_jobs[job].share + pc_random_uniform(random, 0, 1));
  if (faults_jobs[job].page && !page)
    return;
  // A finished run that HDF5 cannot read is done anew.
  if (what == ALLOCATIONS_OF_HDF5 && strcmp(faults_jobs[job].name, "view of a finished scene") == 0)
    return;
  if (taken == 0 && longer == NULL && one == NULL)
    return;
  long all = count_calls(&faults_jobs[job], &known[job], what);
  if (longer != NULL && what != ALLOCATIONS_OF_HDF5)
    taken = (int)all;
  faults_report asked = asked_of(what);
  asked.mode = mode;
  if (one != NULL) {
    asked.fail_at = atol(one);
    check_fault(&faults_jobs[job], &known[job], &asked, sum);
    return;
  }
  taken = taken < all ? taken : (int)all;
  for (int i = 0; i < taken; i++) {
    double part = taken < all ? pc_random_uniform(random, 0, 1) : 0.5;
    asked.fail_at = 1 + (long)((double)all / taken * (i + part));
    check_fault(&faults_jobs[job], &known[job], &asked, sum);
  }
  print_message("%s: %d of %ld calls\n", faults_jobs[job].name, taken, all);
}

// So many cases of each job, on average; `make test-long` takes all calls, of HDF5 some hundred.
static void check_jobs(const char *name, calls what, faults_mode mode, double cases)
{
  pc_random random = test_random(name);
  const char *only = getenv("PERCUSS_FAULTS_JOB"), *scale = getenv("PERCUSS_TEST_SCALE");
  cases *= scale != NULL ? atof(scale) : 1;
  if (getenv("PERCUSS_TEST_LONG") != NULL)
    cases *= 10;
  tally all = {0};
  count_calls(&faults_jobs[0], &known[0],
              what); // which makes calls of all kinds, however few are taken
  for (int i = 0; i < faults_job_count; i++)
    if (only == NULL || strcmp(only, faults_jobs[i].name) == 0)
      check_job(i, what, mode, cases, &random, &all);
  print_message("%d calls were to fail, %d of them came, %d were felt\n", all.tried, all.reached,
                all.felt);
  if (all.tried > 0 && all.reached == 0)
    fail_msg("none of the calls came that were to fail");
  if (all.reached >= 10 && all.felt == 0) // some do no harm
    fail_msg("calls failed and the program never knew");
}

static void an_allocation_fails(void **state)
{
  check_jobs("allocation", ALLOCATIONS, FAULTS_ONCE, 4);
}

static void memory_is_out(void **state)
{
  check_jobs("memory", ALLOCATIONS, FAULTS_FROM, 3);
}

// HDF5 itself ends the program, or recurses until it crashes, when some of its own allocations fail
// (faults/README.md). The files must stand that, as they stand a kill.
static void an_allocation_of_hdf5_fails(void **state)
{
  check_jobs("HDF5", ALLOCATIONS_OF_HDF5, FAULTS_ONCE, 1);
}

static void a_write_fails(void **state)
{
  check_jobs("write", OPERATIONS, FAULTS_ONCE, 3);
}

static void the_disk_is_full(void **state)
{
  check_jobs("full disk", OPERATIONS, FAULTS_FROM, 3);
}

static void a_kill_in_an_operation_on_files(void **state)
{
  check_jobs("kill", OPERATIONS, FAULTS_KILL, 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_allocation_fails),
      cmocka_unit_test(memory_is_out),
      cmocka_unit_test(an_allocation_of_hdf5_fails),
      cmocka_unit_test(a_write_fails),
      cmocka_unit_test(the_disk_is_full),
      cmocka_unit_test(a_kill_in_an_operation_on_files),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folders);
}
