// Starts another program.
#ifndef PERCUSS_CORE_PROCESS_H
#define PERCUSS_CORE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

// Starts arguments[0], found in the PATH, in a session of its own and with no signal blocked. Its
// input and output are /dev/null if `silent`. Then each files[i][0] of ours becomes its
// files[i][1]. Returns 0 or the error number.
int pc_process_start(pid_t *process, const char *const *arguments, bool silent, int count,
                     const int (*files)[2]);

#endif
