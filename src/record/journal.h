// The way back: what a file was when it was marked, whatever is written to it later.
//
// HDF5 writes over its own tables. A process that ends in the midst of such a write leaves a file
// that nobody can read, and one that ends between two of them leaves it ahead of its checkpoint.
// So before a part of the marked file is written over for the first time, it is copied to
// PATH.journal. Whoever goes on from the checkpoint puts the copies back and cuts off what came
// behind the marked end: then the file is, byte for byte, what it was when it was marked.
//
//     8 bytes   "percuss" and a j
//     u64, u64  the mark, the size of the file then
//     u64       CRC-64 of these
//     1 byte    1: what was written since can be read as it is, but for the last of it; 0: not
//     for each copy: u64 address, u64 size, the bytes, CRC-64 of all of it
//
// Numbers are in the machine's own order: the journal is not for other machines. A copy that is not
// whole is of bytes that have not been written over.
#ifndef PERCUSS_RECORD_JOURNAL_H
#define PERCUSS_RECORD_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "percuss/status.h"
#include "record/checksum.h"

typedef struct pc_journal {
  char *path;          // of the journal; NULL: nothing is marked
  char *marked;        // path of the file
  int file;            // -1: nothing was copied since the mark
  uint64_t mark, size; // of the file when it was marked
  bool plain;          // what is written from then on can be read as it is
  uint64_t end;        // of the journal
  unsigned char *kept; // a bit for each block of the marked file: there is a copy of it
  pc_checksum sum;     // its table
} pc_journal;

// Marks `file` as it is now. `path` is that of the file. False: errno says why.
bool pc_journal_mark(pc_journal *journal, const char *path, int file, uint64_t mark, bool plain);
// Before so many bytes of the file are written over. False: errno says why, and nothing may be
// written.
bool pc_journal_keep(pc_journal *journal, int file, uint64_t address, uint64_t size);
// Frees all; removes the journal if the file does not need it any more.
void pc_journal_end(pc_journal *journal, bool needed);

// What a journal says, as one piece of memory.
typedef struct pc_old_bytes {
  uint64_t address, size;
  const unsigned char *bytes;
} pc_old_bytes;
typedef struct pc_journal_content {
  uint64_t mark, size;
  bool plain;
  unsigned char *memory;
  pc_old_bytes *old;
  int count, capacity;
} pc_journal_content;
bool pc_journal_exists(const char *path);
// Fails if the journal of a new file could not be written.
pc_status pc_journal_check(const char *path, pc_error *error);
void pc_journal_remove(const char *path);
// PC_OK, and no memory, if there is none, or none that is whole.
pc_status pc_journal_read(const char *path, pc_journal_content *content, pc_error *error);
void pc_journal_forget(pc_journal_content *content);
// Brings the file back to what it was, if there is a content, which is forgotten then, and removes
// the journal. PC_ERROR_INPUT, and nothing is changed, if the file has lost what the journal does
// not have.
pc_status pc_journal_go_back(const char *path, int file, pc_journal_content *content,
                             pc_error *error);

#endif
