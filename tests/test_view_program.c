// `percuss view` and `percuss render` as processes: what others on the machine can read of their
// address, and how they end.
#define _GNU_SOURCE
#include "folder.h"
#include "support.h"
#include "view_client.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "record/record.h"

static void write_run(const char *name, int series)
{
  pc_record *record = pc_record_create(in_folder(name), NULL);
  assert_non_null(record);
  pc_record_text(record, "kind", "rigid");
  for (int k = 0; k < series; k++) {
    char dataset[60];
    snprintf(dataset, sizeof dataset, "steps/series-%d", k);
    if (k == 0)
      strcpy(dataset, "frames/time");
    assert_int_equal(pc_record_series(record, dataset, PC_RECORD_DOUBLE, 1, 1), k);
  }
  assert_int_equal(pc_record_start(record), PC_OK);
  for (int k = 0; k < series && k < 10; k++)
    pc_record_append(record, k, (double[]){k});
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
}

// A program of this name that writes down what others see of it, and the file it is given.
static void write_spy(const char *name)
{
  char text[1000], file[60];
  snprintf(text, sizeof text,
           "#!/bin/sh\n"
           "tr '\\0' '\\n' </proc/$$/cmdline >%s/seen-%s.new\n"
           "tr '\\0' '\\n' </proc/$$/environ >>%s/seen-%s.new\n"
           "if [ -f \"$1\" ]; then stat -c %%a \"$1\" >%s/mode; cat \"$1\" >%s/page; fi\n"
           "mv %s/seen-%s.new %s/seen-%s\n",
           folder, name, folder, name, folder, folder, folder, name, folder, name);
  snprintf(file, sizeof file, "bin/%s", name);
  write_file(file, text);
  assert_int_equal(chmod(in_folder(file), 0755), 0);
}

// Starts the program in the folder, with the spies first in its path and nothing else around it.
static pid_t start(const char *const *arguments)
{
  static char path[300], session[300], temporary[300], output[300], errors[300];
  snprintf(path, sizeof path, "PATH=%s/bin:/usr/bin:/bin", folder);
  snprintf(session, sizeof session, "XDG_RUNTIME_DIR=%s/session", folder);
  snprintf(temporary, sizeof temporary, "TMPDIR=%s/temporary", folder);
  snprintf(output, sizeof output, "%s/output", folder);
  snprintf(errors, sizeof errors, "%s/errors", folder);
  char *environment[] = {path, session, temporary, "DISPLAY=:0", NULL};
  unlink(output);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child > 0)
    return child;
  if (chdir(folder) != 0 ||
      dup2(open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO) < 0 ||
      dup2(open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO) < 0)
    _exit(99);
  execve(PERCUSS_PROGRAM, (char *const *)arguments, environment);
  _exit(99);
}

static bool has_content(const char *name)
{
  struct stat state;
  return stat(in_folder(name), &state) == 0 && state.st_size > 0;
}

static void wait_for_file(const char *name)
{
  double began = pc_clock_seconds();
  while (!has_content(name)) {
    if (pc_clock_seconds() - began > PATIENCE_S)
      fail_msg("no file '%s'", name);
    sleep_a_little();
  }
}

static int wait_for_end(pid_t child)
{
  double began = pc_clock_seconds();
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (pc_clock_seconds() - began > PATIENCE_S) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      fail_msg("it does not end");
    }
    sleep_a_little();
  }
  return status;
}

// A word of a token: this many digits in a row.
static bool has_token(const char *text)
{
  for (int digits = 0; *text != 0; text++) {
    digits = isxdigit((unsigned char)*text) ? digits + 1 : 0;
    if (digits == 32)
      return true;
  }
  return false;
}

static void expect_no_token(const char *path)
{
  FILE *file = fopen(path, "rb"); // of /proc too, which has no size
  assert_non_null(file);
  char text[20000];
  size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  for (size_t i = 0; i < size; i++)
    text[i] = text[i] == 0 ? '\n' : text[i];
  text[size] = 0;
  assert_true(size > 0);
  if (has_token(text))
    fail_msg("%s tells the token: %s", path, text);
}

static int count_files(const char *name)
{
  char command[400];
  snprintf(command, sizeof command, "exit $(find %s -type f | wc -l)", in_folder(name));
  return WEXITSTATUS(system(command));
}

// Every user of a machine can read the arguments of all programs, and their own of the environment.
static void test_nobody_is_told_the_token(void **state)
{
  write_run("run.h5", 4);
  mkdir(in_folder("bin"), 0755);
  mkdir(in_folder("temporary"), 0755);
  write_spy("xdg-open");
  write_spy("chromium");
  for (int round = 0; round < 2; round++) { // the folder of the session is private, or is not
    mkdir(in_folder("session"), 0700);
    chmod(in_folder("session"), round == 0 ? 0700 : 0755);
    unlink(in_folder("seen-xdg-open"));
    pid_t child = start((const char *const[]){"percuss", "view", "run.h5", NULL});
    wait_for_file("seen-xdg-open");
    char *address = text_of(in_folder("output")), *page = text_of(in_folder("page"));
    char *mode = text_of(in_folder("mode")), own[60];
    assert_true(has_token(address));
    address[strcspn(address, "\n")] = 0;
    assert_non_null(strstr(page, address)); // the browser gets there
    assert_non_null(strstr(page, "no-referrer"));
    assert_string_equal(mode, "600\n");
    assert_int_equal(count_files("session"), round == 0);
    assert_int_equal(count_files("temporary"), round == 1);
    expect_no_token(in_folder("seen-xdg-open"));
    snprintf(own, sizeof own, "/proc/%d/cmdline", (int)child);
    expect_no_token(own);
    snprintf(own, sizeof own, "/proc/%d/environ", (int)child);
    expect_no_token(own);
    kill(child, round == 0 ? SIGTERM : SIGHUP);
    int status = wait_for_end(child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(count_files("session") + count_files("temporary"), 0);
    free(address), free(page), free(mode);
  }
  pid_t child =
      start((const char *const[]){"percuss", "render", "run.h5", "-o", "picture.png", NULL});
  wait_for_end(child); // the spy draws nothing
  wait_for_file("seen-chromium");
  expect_no_token(in_folder("seen-chromium"));
}

static int dial_address(const char *address, int clients, int *sockets)
{
  const char *port = address + strlen("http://127.0.0.1:"), *token = strchr(port, '/');
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)atoi(port)),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  char text[300];
  int length =
      snprintf(text, sizeof text, "GET %.34sapi/run HTTP/1.1\r\nHost: localhost\r\n\r\n", token);
  for (int i = 0; i < clients; i++) {
    sockets[i] = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(sockets[i], (struct sockaddr *)&to, sizeof to), 0);
    assert_true(put(sockets[i], text, (size_t)length));
  }
  return clients;
}

// Whatever the viewer does, it ends: what it was asked for is not finished first.
static void test_a_signal_ends_a_busy_viewer(void **state)
{
  enum { CLIENTS = 40 };
  static const int signals[] = {SIGTERM, SIGINT};
  write_run("wide.h5", test_count_long(5000, 19000));
  for (int round = 0; round < 2; round++) {
    int sockets[CLIENTS], answered = 0;
    char head[15];
    pid_t child = start((const char *const[]){"percuss", "view", "wide.h5", "--no-browser", NULL});
    wait_for_file("output");
    char *address = text_of(in_folder("output"));
    dial_address(address, CLIENTS, sockets);
    assert_int_equal(recv(sockets[0], head, sizeof head, MSG_WAITALL), sizeof head);
    kill(child, signals[round]);
    int status = wait_for_end(child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (int i = 1; i < CLIENTS; i++)
      answered += recv(sockets[i], head, sizeof head, MSG_WAITALL) == sizeof head;
    for (int i = 0; i < CLIENTS; i++)
      close(sockets[i]);
    if (answered > CLIENTS / 2)
      fail_msg("%d of %d were answered", answered, CLIENTS);
    free(address);
  }
}

// While it opens the file, too.
static void test_a_signal_ends_a_viewer_that_opens_a_file(void **state)
{
  for (int round = 0; round < test_count(20); round++) {
    pid_t child = start((const char *const[]){"percuss", "view", "wide.h5", "--no-browser", NULL});
    nanosleep(&(struct timespec){.tv_nsec = 10000000 * round}, NULL);
    kill(child, SIGTERM);
    int status = wait_for_end(child);
    bool opened = has_content("output");
    assert_true(opened ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                       : WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nobody_is_told_the_token),
      cmocka_unit_test(test_a_signal_ends_a_busy_viewer),
      cmocka_unit_test(test_a_signal_ends_a_viewer_that_opens_a_file),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
