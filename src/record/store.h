// The file under an HDF5 file: opens it, keeps a second writer out, and is HDF5's driver for it.
//
// Why not HDF5's own driver: version 1.10 cannot close a file whose last writes fail (disk full)
// and then stumbles at exit; it hides the reason; its locks fail on file systems that have none;
// and it will not read a file that the same process writes. Here the first failed write is kept
// with its reason and everything after it goes nowhere, so HDF5 closes in peace and the file stays
// as if the process had been killed at that moment.
#ifndef PERCUSS_RECORD_STORE_H
#define PERCUSS_RECORD_STORE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "percuss/status.h"
#include "record/journal.h"

typedef struct pc_store {
  int file;
  bool writable;
  int error;           // errno of the first write that failed, or of an open; 0: none
  uint64_t bytes_read; // from the file, so far
  hid_t driver, access;
  pc_journal journal;        // of a writer: the way back to the last mark
  bool whole;                // the file was closed as it should: no way back is needed
  pc_journal_content before; // of a reader: what it sees instead of what is in the file
} pc_store;

typedef enum pc_store_mode { PC_STORE_READ, PC_STORE_WRITE, PC_STORE_CREATE } pc_store_mode;

// Opens `path`; after that `store->access` is the access list to give to H5Fopen or H5Fcreate. The
// store must stay where it is until it is closed. What cannot be locked is opened without a lock.
pc_status pc_store_open(pc_store *store, const char *path, pc_store_mode mode, pc_error *error);
// Why H5Fopen failed: a status and words for it.
pc_status pc_store_unopened(const pc_store *store, const char **why);
// Is somebody writing the file now? False also where there are no locks.
bool pc_store_is_written(const pc_store *store);
// Waits until everything written is on the disk; false and store->error set if it is not.
bool pc_store_sync(pc_store *store);
// After H5Fclose. False if the operating system reports a late failure.
bool pc_store_close(pc_store *store);

// HDF5 prints its errors unless told otherwise.
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
