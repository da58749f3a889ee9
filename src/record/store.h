// The HDF5 file driver of records: opens the file, keeps a second writer out and writes the
// journal.
//
// HDF5's own driver is not used because version 1.10 cannot close a file whose last writes fail
// (disk full) and then crashes at exit, hides the reason, fails on file systems without locks, and
// does not read a file that the same process writes. This driver keeps the first failed write with
// its reason and discards every later one, so HDF5 can close, and the file stays as if the process
// had been killed at that moment.
#ifndef PERCUSS_RECORD_STORE_H
#define PERCUSS_RECORD_STORE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "percuss/status.h"
#include "record/journal.h"
#include "record/own.h"

typedef struct pc_store {
  int file;
  bool writable;
  bool under_way; // the file is not complete: the mark of own.h stands for its first bytes
  unsigned char head[PC_OWN_MARK_SIZE]; // which are here
  int error;           // errno of the first write that failed, or of an open; 0: none
  uint64_t bytes_read; // from the file, so far
  hid_t driver, access;
  pc_journal journal;        // of a writer: leads back to the last mark
  bool whole;                // the file was closed properly and needs no journal
  pc_journal_content before; // of a reader: seen in place of parts of the file
} pc_store;

// PC_STORE_CREATE makes a new file in place of an older one under way; pc_store_complete ends that.
typedef enum pc_store_mode { PC_STORE_READ, PC_STORE_CREATE } pc_store_mode;

// Opens `path`. Then `store->access` is the access list for H5Fopen or H5Fcreate. The store must
// not move until it is closed. A file that cannot be locked is opened without a lock.
pc_status pc_store_open(pc_store *store, const char *path, pc_store_mode mode, pc_error *error);
// Copies a file into a new one, with the content of a journal, if there is any, in the place of
// parts of it. False: store->error says why not.
bool pc_store_fill(pc_store *store, int from, const pc_journal_content *before);
// Puts the file's own first bytes in the place of the mark. False: store->error says why not.
bool pc_store_complete(pc_store *store);
// Explains why H5Fopen failed.
pc_status pc_store_unopened(const pc_store *store, const char **why);
// Whether a process is writing the file. False on file systems without locks.
bool pc_store_is_written(const pc_store *store);
// Waits until everything written is on the disk; false and store->error set if it is not.
bool pc_store_sync(pc_store *store);
// After H5Fclose. False if the operating system reports a late failure.
bool pc_store_close(pc_store *store);

// Turns off the error messages that HDF5 prints.
typedef struct pc_quiet {
  H5E_auto2_t report;
  void *data;
  bool kept;
} pc_quiet;
pc_quiet pc_quiet_begin(void);
void pc_quiet_end(pc_quiet quiet);
// The innermost reason of HDF5's last failure in this thread, one line; "" if there is none.
void pc_quiet_reason(char *text, size_t size);

#endif
