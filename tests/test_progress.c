// The progress of a run in a log: a dozen lines, however long it takes.
#include "app/progress.c"
#include "support.h"

#include <stdlib.h>

// Lines of a run of so many reports, each of them due; on standard error, which is a file.
static int lines_of(int reports)
{
  char name[] = "/tmp/percuss-progress-XXXXXX", c;
  int kept = dup(STDERR_FILENO), file = mkstemp(name), lines = 0;
  assert_true(kept >= 0 && file >= 0);
  assert_true(dup2(file, STDERR_FILENO) >= 0);
  app_progress line = app_progress_start(true);
  for (int i = 1; i <= reports; i++) {
    line.last -= 11; // s
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
  assert_int_equal(lines_of(1), 1); // a short run says where it is
  assert_int_equal(lines_of(5), 5);
  assert_in_range(lines_of(40), 8, 13);
  assert_in_range(lines_of(5000), 12, 13);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_log_has_a_dozen_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
