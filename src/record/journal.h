// An undo journal: it restores a file to the state in which it was marked.
//
// HDF5 overwrites its own tables. A process that ends in the middle of such a write leaves a file
// that cannot be read, and one that ends between two writes leaves it ahead of its checkpoint. So
// the first time that a part of the marked file is overwritten, its old content is copied to
// PATH.journal. The file with the copies in their places, up to the marked end, is byte for byte
// what it was when it was marked.
//
//     8 bytes   "percuss" and a j
//     u64, u64  the mark, the size of the file then
//     u64       CRC-64 of these
//     8 bytes   not used
//     for each copy: u64 address, u64 size, the bytes, CRC-64 of all of it
//
// Numbers are in the byte order of the machine. An incomplete copy is of bytes that have not been
// overwritten yet.
#ifndef PERCUSS_RECORD_JOURNAL_H
#define PERCUSS_RECORD_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/array.h"
#include "percuss/status.h"
#include "record/checksum.h"

typedef struct pc_journal {
  char *path;          // of the journal; NULL: nothing is marked
  char *marked;        // path of the file
  int file;            // -1: nothing was copied since the mark
  uint64_t mark, size; // of the file when it was marked
  uint64_t end;        // of the journal
  unsigned char *kept; // a bit for each block of the marked file: there is a copy of it
  pc_checksum sum;     // its table
} pc_journal;

// Marks the present state of `file`; `path` is its path. False: errno says why.
bool pc_journal_mark(pc_journal *journal, const char *path, int file, uint64_t mark);
// Call it before bytes of the file are overwritten. False: errno says why, and nothing may be
// written.
bool pc_journal_keep(pc_journal *journal, int file, uint64_t address, uint64_t size);
// Closes the journal, and removes it if the file no longer needs it.
void pc_journal_end(pc_journal *journal, bool needed);

// The content of a journal in memory.
typedef struct pc_old_bytes {
  uint64_t address, size;
  const unsigned char *bytes;
} pc_old_bytes;
typedef struct pc_journal_content {
  uint64_t mark, size;
  bool damaged; // more than its end is missing
  unsigned char *memory;
  PC_ARRAY(pc_old_bytes) old;
} pc_journal_content;
bool pc_journal_exists(const char *path);
char *pc_journal_name(const char *path); // the caller frees it; NULL: no memory
// Fails if a journal for a new file cannot be written.
pc_status pc_journal_check(const char *path, pc_error *error);
void pc_journal_remove(const char *path);
// Reads a journal. PC_OK with an empty content if there is none, or none that is complete. A kill
// may cut it at any place; what cannot come from that is damage.
pc_status pc_journal_read(const char *path, pc_journal_content *content, pc_error *error);
void pc_journal_forget(pc_journal_content *content);
// Whether the content has all bytes of the file from one address to another.
bool pc_journal_covers(const pc_journal_content *content, uint64_t from, uint64_t to);

#endif
