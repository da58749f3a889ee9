// The contract of the C interface: whatever a caller passes, and wherever it calls from, a function
// returns a status or its null value, and what it refuses changes nothing. The calls are written
// from the public headers (tests/api/calls), so a new function is called without being named here.
//
// Each function is called in a process of its own, which a crash or a hang ends; the next process
// goes on behind the call that did it. With PERCUSS_CONTRACT=NAME only that function is called.
#define _DEFAULT_SOURCE // for memory that is shared with the processes
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/fixture.h"
#include "folder.h"
#include "support.h"

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
enum { SECONDS = 60, SANITIZED = 1 };
#else
enum { SECONDS = 3, SANITIZED = 0 };
#endif

// A wrong count may ask for more memory than there is: that is refused, not reported.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "allocator_may_return_null=1:max_allocation_size_mb=4000:detect_leaks=0";
}

contract_case contract_now;

static struct shared {
  int variant, complaints;
} * shared;

void contract_complain(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const contract_call *call = contract_now.call;
  printf("%s%s (%s): ", contract_now.inside ? "inside: " : "", call != NULL ? call->name : "",
         call != NULL ? call->words[contract_now.variant] : "");
  vprintf(format, arguments);
  printf("\n");
  fflush(stdout);
  va_end(arguments);
  shared->complaints++;
}

// A call that is still running after so many seconds of the processor hangs.
static void limit_time(void)
{
  const struct itimerval limit = {.it_value = {.tv_sec = SECONDS}};
  setitimer(ITIMER_PROF, &limit, NULL);
}

static void limit_process(void)
{
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal(signals[i], SIG_DFL);
  alarm(40 * SECONDS); // also one that waits for ever
  if (!SANITIZED)
    setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)3 << 30, (rlim_t)3 << 30});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

typedef void caller(const contract_call *call, int variant);

// Calls the variants from one on, `stride` apart.
static void call_some(const contract_call *call, caller *make, int first, int stride)
{
  for (int variant = first; variant < call->variants; variant += stride) {
    shared->variant = variant;
    contract_now.call = call;
    contract_now.variant = variant;
    limit_time();
    make(call, variant);
    fixture_end();
  }
}

static int last_complaints(int status, const contract_call *call, bool inside)
{
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 0;
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  printf("%s%s (%s): %s\n", inside ? "inside: " : "", call->name, call->words[shared->variant],
         number == SIGPROF || number == SIGALRM ? "hangs"
         : number != 0                          ? strsignal(number)
                                                : "ends with a report");
  return 1;
}

// How many of the calls of a function are wrong.
static int count_failures(const contract_call *call, caller *make, bool inside, int stride)
{
  int failures = 0;
  shared->complaints = 0;
  for (int first = 0; first < call->variants;) {
    fflush(stdout);
    shared->variant = first;
    pid_t child = fork();
    if (child == 0) {
      limit_process();
      contract_now.inside = inside;
      call_some(call, make, first, stride);
      fflush(stdout);
      _exit(0);
    }
    assert_true(child > 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    int ended = last_complaints(status, call, inside);
    failures += ended;
    if (!ended)
      break;
    first = shared->variant + stride;
  }
  return failures + shared->complaints;
}

static bool is_wanted(const contract_call *call)
{
  const char *only = getenv("PERCUSS_CONTRACT");
  return only == NULL || strcmp(only, call->name) == 0;
}

// Where counts are reduced, one in so many calls of a function is made, the valid one among them.
static int stride_of(const contract_call *call)
{
  int calls = test_count_long(call->slow ? 12 : 100, 100);
  return calls >= 100 ? 1 : 100 / calls;
}

static void call_plainly(const contract_call *call, int variant)
{
  call->call(variant);
}

static void no_argument_crashes_hangs_or_changes_what_it_is_refused_for(void **state)
{
  int failures = 0;
  for (int i = 0; i < contract_count; i++)
    if (is_wanted(&contract_calls[i]))
      failures +=
          count_failures(&contract_calls[i], call_plainly, false, stride_of(&contract_calls[i]));
  assert_int_equal(failures, 0);
}

// --- re-entry
// -------------------------------------------------------------------------------------

static const contract_call *again;
static int again_variant, times;

static void reenter(void *context, double time, pc_body body, const pc_body_state *state,
                    double force[6])
{
  if (times++ == 0)
    again->call(again_variant);
}

static void call_in_step(const contract_call *call, int variant)
{
  again = call;
  again_variant = variant;
  times = 0;
  bool crowded = call->subject == SUBJECT_CROWD;
  pc_world *world = crowded ? pc_crowd_world(fixture_crowd()) : fixture_world();
  pc_world_add_force(world, reenter, NULL);
  pc_status status =
      crowded ? pc_crowd_step(fixture_crowd(), 0.01) : pc_world_step(fixture_world(), 1e-3);
  if (times == 0)
    contract_complain("was not called");
  if (status != PC_OK)
    contract_complain("the step around it fails: %s",
                      crowded ? pc_crowd_error(fixture_crowd()) : pc_world_error(fixture_world()));
}

static void nothing_changes_a_world_inside_its_step(void **state)
{
  int failures = 0;
  for (int i = 0; i < contract_count; i++)
    if (is_wanted(&contract_calls[i]) &&
        (contract_calls[i].subject == SUBJECT_WORLD || contract_calls[i].subject == SUBJECT_CROWD))
      failures +=
          count_failures(&contract_calls[i], call_in_step, true, stride_of(&contract_calls[i]));
  assert_int_equal(failures, 0);
}

// --- the suite itself
// -----------------------------------------------------------------------------

static void crash(int variant)
{
  if (variant == 1)
    raise(SIGSEGV);
  if (variant == 2)
    pc_world_step(fixture_world(), 1e-3);
  judge_refusal(variant != 3, "");
}

static void the_suite_finds_crashes_changes_and_what_is_accepted(void **state)
{
  static const char *const words[] = {"valid", "crash", "change", "accept"};
  static const unsigned char must[] = {0, 1, 1, 1};
  const contract_call bad = {"expected", crash, words, must, 4, false, SUBJECT_NONE, false, false};
  // Two calls without a message, the crash, a state that differs now and later, what was accepted.
  assert_int_equal(count_failures(&bad, call_plainly, false, 1), 6);
}

static int start(void **state)
{
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED || make_folder(state) != 0 || chdir(folder) != 0)
    return 1;
  fixture_prepare();
  return shared->complaints;
}

static int stop(void **state)
{
  return chdir("/") != 0 || remove_folder(state) != 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_suite_finds_crashes_changes_and_what_is_accepted),
      cmocka_unit_test(no_argument_crashes_hangs_or_changes_what_it_is_refused_for),
      cmocka_unit_test(nothing_changes_a_world_inside_its_step),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
