// Checking the files of a run for damage.
#ifndef PERCUSS_CHECK_H
#define PERCUSS_CHECK_H

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// How the run ended, or that it has not.
typedef enum pc_checked_run {
  PC_CHECKED_UNKNOWN, // unknown because of damage
  PC_CHECKED_WHOLE,
  PC_CHECKED_STOPPED, // before its end; it can be resumed
  PC_CHECKED_RUNNING, // a process is writing it; the part written so far was checked
  PC_CHECKED_KILLED   // it can be resumed from its checkpoint
} pc_checked_run;

typedef enum pc_checked_file {
  PC_FILE_ABSENT,
  PC_FILE_SOUND,
  PC_FILE_DAMAGED,
  PC_FILE_IN_USE // by the process that writes the run: not checked
} pc_checked_file;

typedef struct pc_damage {
  char *file; // its path
  char *what; // "frames/position: damaged, in rows 4 to 7"
} pc_damage;

typedef struct pc_checked {
  pc_checked_run run;
  pc_checked_file record, checkpoint, journal; // RUN.h5, RUN.h5.checkpoint, RUN.h5.journal
  int datasets;                                // of the record
  int unprotected; // datasets without checksum (of earlier versions): damage is not detected
  int count;       // number of damaged parts
  pc_damage *damage;
} pc_checked;

// Reads every dataset of RUN.h5 with its checksums, and the checkpoint and the journal beside it.
// PC_OK also if something is damaged. PC_ERROR_IO: the file is not there or cannot be read. Free
// the result also after a failure.
pc_status pc_run_check(const char *path, pc_checked *found, pc_error *error);
void pc_checked_free(pc_checked *found);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
