#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "app/app.h"

static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
  caught = number;
}

// Before a run starts nothing is written, so there is nothing to finish.
static void end_program(int number)
{
  static const char text[] = "percuss: stopped before the first step; nothing written\n";
  ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written; // there is nowhere else to report it
  _exit(128 + number);
}

// A second Ctrl-C ends the program at once. SIGTERM may come more than once for one request:
// timeout(1) sends it to the program and to its group. SIGHUP, a lost terminal, counts unless the
// program was started with nohup. SIGXFSZ is ignored, so that a file that may not grow is reported
// like a full disk. With SA_RESTART what is being written goes on, also into a full pipe.
static void watch(void (*handler)(int))
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
  action.sa_flags |= (int)SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
}

void app_end_at_signals(void)
{
  watch(end_program);
}

void app_watch_signals(void)
{
  watch(catch_signal);
}

int app_caught_signal(void)
{
  return caught;
}
