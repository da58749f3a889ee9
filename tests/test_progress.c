// The progress of a run in a log: a dozen lines, and one each minute; and the time that is left.
#include "app/progress.c"
#include "core/pace.h"
#include "support.h"

#include <stdlib.h>

// Lines of a run of so many reports, each of them due after so many seconds; on standard error,
// which is a file.
static int lines_of(int reports, double every)
{
  char name[] = "/tmp/percuss-progress-XXXXXX", c;
  int kept = dup(STDERR_FILENO), file = mkstemp(name), lines = 0;
  assert_true(kept >= 0 && file >= 0);
  assert_true(dup2(file, STDERR_FILENO) >= 0);
  app_progress line = app_progress_start(true);
  for (int i = 1; i <= reports; i++) {
    line.last -= every;
    line.written -= every;
    if (app_progress_is_due(&line))
      app_progress_draw(&line, (double)i / reports, "text");
  }
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  assert_false(line.terminal);
  lseek(file, 0, SEEK_SET);
  while (read(file, &c, 1) == 1)
    lines += c == '\n';
  close(file);
  close(kept);
  unlink(name);
  return lines;
}

static void a_log_has_a_dozen_lines(void **state)
{
  (void)state;
  assert_int_equal(lines_of(1, 11), 1); // a short run says where it is
  assert_int_equal(lines_of(5, 11), 5);
  assert_in_range(lines_of(40, 11), 8, 13);
}

static void a_log_has_a_line_each_minute(void **state)
{
  (void)state;
  assert_in_range(lines_of(600, 10.1), 99, 113); // 101 min
}

// The time left, from looks ten times a second, of work of which the second half costs ten times
// more: 100 s and 1000 s.
static void the_time_left_follows_the_present_speed(void **state)
{
  (void)state;
  pc_pace pace = {0};
  pc_pace_look(&pace, 0, 0);
  assert_true(pc_pace_speed(&pace) == 0);
  double worst = 0, time = 0;
  for (int i = 1; i <= 11000; i++) {
    time = 0.1 * i;
    double done = time < 100 ? time / 200 : 0.5 + (time - 100) / 2000, left = 1100 - time;
    pc_pace_look(&pace, time, done);
    double guess = (1 - done) / pc_pace_speed(&pace);
    if (time < 100) // what is to come cannot be known
      assert_near(guess, 200 - time, 1e-6 * time + 1e-6);
    if (time > 220) // six times the memory
      worst = fmax(worst, fabs(guess - left) / left);
  }
  assert_true(worst < 0.03); // e^-6 of a tenfold speed
  // The mean from the start would say 273 s instead of 880 s at 220 s.
  // Seldom looked at, it says the same; so it does between two parts.
  pc_pace seldom = {0};
  pc_pace_look(&seldom, 0, 0);
  for (int i = 1; i <= 110; i++)
    pc_pace_look(&seldom, 10. * i, i <= 10 ? 0.05 * i : 0.5 + (10 * i - 100) / 2000.);
  assert_near(pc_pace_speed(&seldom), 1 / 2000., 1e-6);
  pc_pace_look(&seldom, 1100, 1);
  pc_pace_look(&seldom, 1200, 1);
  assert_near(pc_pace_speed(&seldom), 1 / 2000., 1e-6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_log_has_a_dozen_lines),
                                     cmocka_unit_test(a_log_has_a_line_each_minute),
                                     cmocka_unit_test(the_time_left_follows_the_present_speed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
