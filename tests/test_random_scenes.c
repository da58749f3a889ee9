// Scenes that nobody would write, stepped: whatever the schema lets pass is refused with a message,
// fails with one, or gives finite numbers, a closed energy balance and the same state on two
// threads.
#include "support.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "folder.h"
#include "scene_examples.h"
#include "scene_maker.h"

static char text[SCENE_TEXT];

// A crash or a hang shows its scene.
static void show(int signal_number)
{
  static const char head[] = "\ncrash or hang:\n";
  if (write(2, head, sizeof head - 1) < 0 || write(2, text, strlen(text)) < 0)
    _exit(3);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// A scene may take so many seconds of the processor; 0: any.
static void allow(int seconds)
{
  const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
  assert_int_equal(setitimer(ITIMER_PROF, &timer, NULL), 0);
}

static void random_scenes_do_no_harm(void **state)
{
  static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGPROF};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal(signals[i], show);
  pc_random random = test_random("random scenes");
  scene_choices choices = {.random = &random};
  int tried = test_count_long(600, 1000000), ends[3] = {0}, faults = 0;
  for (int i = 0; i < tried; i++) {
    scene_make(&choices, text);
    allow(240); // a contact surface of thousands of nodes takes a minute: its matrix is dense
    scene_trial trial = scene_step(in_folder("file.yaml"), text, i % 8 == 0);
    allow(0);
    ends[trial.end]++;
    if (trial.fault != NULL && faults++ < 10)
      fprintf(stderr, "%s (%s):\n%s\n", trial.fault, trial.message, text);
    if (getenv("PERCUSS_SCENES_SHOWN") != NULL && i < atoi(getenv("PERCUSS_SCENES_SHOWN")))
      fprintf(stderr, "--- %d %s\n%s\n", (int)trial.end, trial.message, text);
  }
  print_message("%d scenes: %d refused, %d failed in a step, %d stepped, %d faults\n", tried,
                ends[SCENE_REFUSED], ends[SCENE_FAILED], ends[SCENE_STEPPED], faults);
  assert_int_equal(faults, 0);
  assert_true(tried < 50 || ends[SCENE_STEPPED] > tried / 4);
}

static int make_files(void **state)
{
  return make_folder(state) != 0 || !scene_example_files(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenes_do_no_harm)};
  return cmocka_run_group_tests(tests, make_files, remove_folder);
}
