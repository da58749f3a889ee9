// Shared by the files that write a run; record.h is the interface.
#ifndef PERCUSS_RECORD_RECORD_STATE_H
#define PERCUSS_RECORD_RECORD_STATE_H

#include <hdf5.h>

#include "core/array.h"
#include "record/record.h"
#include "record/store.h"
#include "record/types.h"

enum {
  PC_SMALL_CHUNK = 4096,     // bytes, of many small frames
  PC_LARGE_CHUNK = 1 << 18,  // bytes, of a part of one frame
  PC_RAGGED_CHUNK = 1 << 14, // bytes
  PC_RAGGED_BUFFER = 16,     // chunks of a ragged column kept in memory
  PC_MAX_RANK = 4,
};

// A dataset that grows in its first dimension.
typedef struct pc_growing {
  const char *name;
  pc_record_type type;
  int rank;
  hsize_t size[3], chunk[3];
  bool compressed;
  hid_t dataset;
  size_t row_numbers, row_bytes; // of one step in the first dimension, as stored
  long count, written;           // rows appended, and those that HDF5 has
  long room;                     // rows that the buffer holds, whole chunks
  unsigned char *buffer;         // rows written .. count
} pc_growing;

// A handle: one dataset, or the offsets and columns of a ragged one.
typedef struct pc_series {
  int first, count; // in `growing`
  bool ragged;
  long frames;
  int rhythm;       // pc_record_rhythm; 0: appended one by one
  const void *data; // where its numbers are, with a rhythm
} pc_series;

struct pc_record {
  pc_arena arena;
  pc_error error;
  char *path, *temporary; // temporary: until a new file starts, or the copy of a resumed one
  pc_store *store;
  hid_t file;
  bool started;
  PC_ARRAY(pc_growing) growing;
  PC_ARRAY(pc_series) series;
  long identity, identity_at; // identity of the file, and its address there
  int resumed;                // marks that were given, -1: a new file
  long *marks;
  int old;       // the file that is resumed, until its copy has its name; -1: none
  bool restored; // the copy has what the journal had
};

// record_state.c
// Keeps the first failure.
pc_status pc_record_fail(pc_record *record, pc_status status, const char *name, const char *why);
// Checks a call of HDF5. Errors of the disk take precedence, because HDF5 does not see them.
pc_status pc_record_check(pc_record *record, bool fine, const char *name);
pc_status pc_record_before_start(pc_record *record);
char *pc_record_copy(pc_arena *arena, const char *text, const char *end); // joined; NULL: no memory
// Paths without empty parts: "bodies/mass".
pc_status pc_record_check_name(pc_record *record, const char *name);

// record.c
// A record of nothing yet; NULL when memory is out.
pc_record *pc_record_new(const char *path, pc_error *error);
// Closes and frees a record that could not be opened; gives NULL.
pc_record *pc_record_give_up(pc_record *record, pc_error *error);

// record_marks.c
enum { PC_MARK_IDENTITY, PC_MARK_IDENTITY_AT, PC_MARK_LENGTHS }; // places of the marks
// A number that identifies a checkpoint with these marks.
uint64_t pc_record_mark_name(int count, const long *marks);
// Writes the identity of the file, a random number.
void pc_record_identify(pc_record *record);
// Cuts all series to their lengths at the checkpoint.
void pc_record_cut(pc_record *record);

// record_arrays.c
hid_t pc_record_make_dataset(pc_record *record, const char *name, hid_t type, hid_t space,
                             hid_t list);
// An array in one piece, whose place in the file has an address (pc_hdf5_address).
pc_status pc_record_array_in_place(pc_record *record, const char *name, pc_record_type type,
                                   long rows, const void *data);

// record_growing.c
void pc_growing_open(pc_record *record, pc_growing *column);
void pc_growing_close(pc_growing *column);
// Adds one dataset of rows x columns numbers a step; `ragged` is one of single rows.
void pc_growing_add(pc_record *record, const char *name, pc_record_type type, long rows,
                    long columns, bool ragged);
// Cuts to `rows` rows.
void pc_growing_cut(pc_record *record, pc_growing *column, long rows);
void pc_growing_write(pc_record *record, pc_growing *column);
void pc_growing_flush(pc_record *record, pc_growing *column);
// Writes the offsets after their rows, so that readers never see an offset without its rows.
void pc_growing_write_ragged(pc_record *record, const pc_series *ragged);
// Rows that still fit in the buffer, whose end is the end of a chunk of the file.
long pc_growing_space(const pc_growing *column);
void pc_growing_append(pc_record *record, pc_growing *column, long rows, const void *data);

#endif
