// Mounts that only this process sees, and those that it starts. Needs _GNU_SOURCE.
#ifndef PERCUSS_TESTS_MOUNTS_H
#define PERCUSS_TESTS_MOUNTS_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

static inline bool write_to(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  return file != NULL && (fputs(text, file) < 0) + (fclose(file) != 0) == 0;
}

// From here on the process may mount what it likes, as the first user of a namespace if need be;
// false with errno where it may not.
static inline bool own_mounts(void)
{
  char users[40], groups[40];
  snprintf(users, sizeof users, "0 %u 1\n", (unsigned)getuid());
  snprintf(groups, sizeof groups, "0 %u 1\n", (unsigned)getgid());
  if (unshare(CLONE_NEWNS) != 0 &&
      (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_to("/proc/self/setgroups", "deny") ||
       !write_to("/proc/self/uid_map", users) || !write_to("/proc/self/gid_map", groups)))
    return false;
  return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

#endif
