// Whether a run is damaged: everything in it is read.
#ifndef PERCUSS_RECORD_READING_CHECK_H
#define PERCUSS_RECORD_READING_CHECK_H

#include "record/journal.h"
#include "record/record.h"

// As pc_reading_open, but also a run whose structure is damaged in places.
pc_reading *pc_reading_open_damaged(const char *path, pc_error *error);

typedef struct pc_survey {
  // Called for every damage, "frames/position: damaged"; NULL: the first one is the error.
  void (*damaged)(void *context, const char *what);
  void *context;
  int datasets, unprotected; // found; of these have no checksum
} pc_survey;
pc_status pc_reading_survey(pc_reading *reading, pc_survey *survey, pc_error *error);

// Whether all of a file can be read, as it is or, with `before`, as it was. PC_ERROR_INPUT with the
// first damage if not.
pc_status pc_reading_check(const char *path, const pc_journal_content *before, pc_error *error);

#endif
