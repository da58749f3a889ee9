// Shared by the files that read a run; record.h is the interface.
#ifndef PERCUSS_RECORD_READING_STATE_H
#define PERCUSS_RECORD_READING_STATE_H

#include <hdf5.h>
#include <sys/types.h>
#include <time.h>

#include "core/array.h"
#include "core/names.h"
#include "record/record.h"
#include "record/store.h"
#include "record/types.h"

enum {
  PC_READING_ATTEMPTS = 20, // a chunk that is rewritten while it is read can look damaged
  PC_MOST_CHUNK = 1 << 28,  // bytes; what is more was not written here
  PC_MOST_TEXT = 1 << 30,   // bytes
  PC_READING_RANK = 4,
};

// When a file was looked at. If nobody writes it and it has the same size and age, it is the same.
typedef struct pc_reading_moment {
  bool still; // nobody writes it; what follows is known
  bool rests; // nobody has for a while, so that whatever is written later changes its age
  off_t size;
  struct timespec age;
} pc_reading_moment;

// All datasets are open from the beginning and refreshed together, so that what is seen is of one
// moment.
typedef struct pc_reading_item {
  const char *name; // of `names`
  hid_t dataset;    // -1: it cannot be opened
} pc_reading_item;

struct pc_reading {
  char *path;
  pc_store store;
  hid_t file;
  pc_names names;                  // of the datasets
  PC_ARRAY(pc_reading_item) items; // the same, opened
  bool anyhow;                     // opened although some of the datasets cannot be
  bool lent;         // the content of a journal that is seen in place of parts of the file
  int groups, depth; // while they are listed
  bool no_memory;    // for the list
  // Whether it is still what was opened:
  off_t identity_at; // where the number of the file stands; -1: it has none
  unsigned char identity[8];
  pc_reading_moment seen;
  bool settled; // it was whole then, and nobody wrote it
  bool lost;    // a dataset could not be opened again
};

// reading.c
pc_status pc_reading_fail(pc_reading *reading, pc_error *error, pc_status status, const char *name,
                          const char *why);
pc_reading_item *pc_reading_find(pc_reading *reading, const char *name);
// Rank and sizes; `growing` if the first dimension has no limit.
int pc_reading_sizes(hid_t dataset, hsize_t size[PC_READING_RANK], bool *growing);
// reading_open.c
typedef struct pc_reading_way {
  const pc_journal_content *before; // NULL, or what is seen in place of parts of the file
  bool as_it_is;                    // without the journal that stands beside it
  bool anyhow;                      // also if some of the datasets cannot be opened
} pc_reading_way;
pc_reading *pc_reading_open_so(const char *path, const pc_reading_way *way, pc_error *error);

#endif
