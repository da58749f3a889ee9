#define _GNU_SOURCE // POSIX_SPAWN_SETSID
#include "core/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

int pc_process_start(pid_t *process, const char *const *arguments, bool silent, int count,
                     const int (*files)[2])
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, pipes; // a broken pipe ends it, as usual
  sigemptyset(&none);
  sigemptyset(&pipes);
  sigaddset(&pipes, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  if (silent) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
  }
  for (int i = 0; i < count; i++)
    posix_spawn_file_actions_adddup2(&actions, files[i][0], files[i][1]);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int failure =
      posix_spawnp(process, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}
