// Runs on disk: an HDF5 file of named arrays that grow by frames. docs/run-format.md has the
// layout.
//
// All datasets exist before the first frame, so the file can be read while it is written (single
// writer, many readers). A reader uses pc_reading_frames of a group: the frames that all its series
// have.
#ifndef PERCUSS_RECORD_H
#define PERCUSS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/array.h"
#include "core/names.h"
#include "percuss/status.h"

typedef struct pc_record pc_record;

typedef enum pc_record_type {
  PC_RECORD_DOUBLE,
  PC_RECORD_FLOAT, // given as double, stored as 32 bits
  PC_RECORD_INT,   // int32_t
  PC_RECORD_LONG,  // int64_t
  PC_RECORD_BYTE   // uint8_t
} pc_record_type;

// Creates a file with the datasets `format` and `complete`. An existing file of that name is
// replaced when the new one starts; until then the new one is PATH.new, which is removed if it is
// closed or fails before. The first failure is kept: every later call returns it and does nothing,
// and pc_record_error has its text.
pc_record *pc_record_create(const char *path, pc_error *error);
// Constant arrays of 1 to 4 dimensions, and texts. Names are paths like "bodies/mass"; groups are
// created as needed. Only before the start. In a resumed record arrays are only checked to have the
// same size, and texts replace those of the file; NULL: there is none.
pc_status pc_record_array(pc_record *record, const char *name, pc_record_type type, int rank,
                          const long *size, const void *data);
pc_status pc_record_text(pc_record *record, const char *name, const char *text);
// Stores names as an array of texts of one length, padded with zeros.
pc_status pc_record_names(pc_record *record, const char *name, int count, char *const *names);
// Sets the attributes `description` and `unit` of a dataset made before.
pc_status pc_record_describe(pc_record *record, const char *name, const char *description,
                             const char *unit);
// Stores an array of one or two dimensions with its description, unless `status` is a failure
// already. Unit NULL or "": none.
void pc_record_put(pc_record *record, pc_status *status, const char *name, pc_record_type type,
                   long rows, long columns, const void *data, const char *description,
                   const char *unit);

enum { PC_RECORD_NONE = -1 };
// A dataset as a table lists it: a constant array or a series of rows x columns numbers. Unit NULL
// or "": none.
typedef struct pc_record_item {
  const char *name;
  pc_record_type type;
  long rows, columns; // rows PC_RECORD_NONE: it is left out
  const void *data;
  const char *description, *unit;
} pc_record_item;
// Stores constant arrays.
pc_status pc_record_put_all(pc_record *record, int count, const pc_record_item *items);

// Creates a series: one block of rows x columns numbers for each frame ("frames/position": bodies x
// 3; dimensions of 1 are dropped). A ragged series has a varying number of rows: NAME/offset
// (frames + 1) and NAME/<column> (all rows x width). Handles are >= 0; -1 is an error. Only before
// the start.
int pc_record_series(pc_record *record, const char *name, pc_record_type type, int rows,
                     int columns);
// The same with its description.
int pc_record_add(pc_record *record, const char *name, pc_record_type type, int rows, int columns,
                  const char *description, const char *unit);
// Columns have names without NAME/, and `columns` numbers in a row; the rest of an item is not used
// but for a description.
int pc_record_ragged(pc_record *record, const char *name, int count, const pc_record_item *columns);
// Creates series that are appended together, all of one rhythm at a time. Each takes its numbers
// from `data`, which must stay in place until the record is closed.
typedef enum pc_record_rhythm {
  PC_RECORD_FRAMES = 1,
  PC_RECORD_STEPS,
  PC_RECORD_INTERVALS
} pc_record_rhythm;
pc_status pc_record_declare(pc_record *record, pc_record_rhythm rhythm, int count,
                            const pc_record_item *items);
// Ends the declarations; from now on others can read the file.
pc_status pc_record_start(pc_record *record);

pc_status pc_record_append(pc_record *record, int series, const void *data);
pc_status pc_record_append_all(pc_record *record, pc_record_rhythm rhythm);
// data[c] holds rows x columns of that column.
pc_status pc_record_append_ragged(pc_record *record, int ragged, int rows, const void *const *data);
// Makes everything appended readable for others; it also survives the end of the process. Parts of
// chunks are written again later, so call it a few times per second at most.
pc_status pc_record_flush(pc_record *record);
// Flushes to the disk. Call it before a checkpoint.
pc_status pc_record_sync(pc_record *record);
// The marks of a record for a checkpoint, for pc_record_resume: the identity of the file, the
// address of the identity in the file, and the lengths of all series. NULL: only their number.
enum { PC_RECORD_MARKS = 2 }; // numbers before the lengths
int pc_record_marks(const pc_record *record, long *marks);
// Call it after a checkpoint with these marks has been written and before more is appended: from
// now on resuming restores the present state of the file.
pc_status pc_record_checkpointed(pc_record *record);
// Sets the dataset `complete` (0 running or killed, 1 whole, 2 stopped early) and closes the file.
// Frees the record also after a failure; a file with a failure is never marked.
pc_status pc_record_close(pc_record *record, int complete, pc_error *error);

// Goes on with a file that was stopped or killed at any moment, in a copy, PATH.new, which takes
// its name at the start. Declare everything again with the same calls in the same order. The start
// then cuts every series to the length of its mark. PC_ERROR_INPUT, with nothing changed, if the
// file does not exist, is not the marked one, or cannot be read.
pc_record *pc_record_resume(const char *path, int count, const long *marks, pc_error *error);
// Checks that this is the marked file. PC_ERROR_INPUT and a reason if not.
pc_status pc_record_is_marked(const char *path, int count, const long *marks, pc_error *error);
// Removes PATH.new, left by a process that was killed before the start.
void pc_record_tidy(const char *path);
const char *pc_record_error(const pc_record *record);

// Checkpoints: named blobs in a file that is always complete (written under another name, flushed,
// renamed).
typedef struct pc_blob {
  const char *name;
  void *data;
  size_t size;
} pc_blob;
pc_status pc_checkpoint_write(const char *path, int count, const pc_blob *blobs, pc_error *error);
// Reads the blobs of these names; the caller frees each `data`. PC_ERROR_INPUT if one is missing or
// the checksum is wrong.
pc_status pc_checkpoint_read(const char *path, int count, pc_blob *blobs, pc_error *error);

// Reads runs, also while they are written, by this process too.
typedef struct pc_reading pc_reading;
pc_reading *pc_reading_open(const char *path, pc_error *error);
void pc_reading_close(pc_reading *reading);
// Updates to data written since. A whole file without a writer does not change.
pc_status pc_reading_refresh(pc_reading *reading, pc_error *error);
// The dataset `complete`: only 1 is a whole run.
int pc_reading_complete(pc_reading *reading);
// Whether a process is writing the file, as far as locks can tell.
bool pc_reading_is_written(const pc_reading *reading);
// Whether the name still refers to this file. A new run of that name replaces it.
bool pc_reading_is_current(const pc_reading *reading);
// Whether the file was overwritten in place, changed although it was whole, or cannot be read any
// more. Then open it again: data read since the last check may belong to two files.
bool pc_reading_is_changed(const pc_reading *reading);
long long pc_reading_bytes(const pc_reading *reading);      // size of the file now
long long pc_reading_bytes_read(const pc_reading *reading); // so far
// All datasets, in the order they were made.
int pc_reading_count(const pc_reading *reading);
const char *pc_reading_name(const pc_reading *reading, int k);
bool pc_reading_has(const pc_reading *reading, const char *name);
// Sizes of a dataset of numbers; rank 0 if there is none of this name.
int pc_reading_size(pc_reading *reading, const char *name, long size[4]);
pc_status pc_reading_type(pc_reading *reading, const char *name, pc_record_type *type,
                          pc_error *error);
// Number of frames that every series of a group has: "frames", "contacts". -1: no such series.
long pc_reading_frames(pc_reading *reading, const char *group);
typedef struct pc_group {
  long frames;         // of its series; -1: it has none
  bool ragged, direct; // its offsets count alone; it has datasets of its own
} pc_group;
// The same of every group that has datasets, in the order in which they come.
typedef struct pc_groups {
  pc_names names;
  PC_ARRAY(pc_group) at;
} pc_groups;
// False if memory runs out. pc_groups_free frees what was allocated.
bool pc_reading_groups(pc_reading *reading, pc_groups *groups);
void pc_groups_free(pc_groups *groups);
// Whether its first dimension grows.
bool pc_reading_grows(pc_reading *reading, const char *name);
// A part of an array: count[i] elements of each dimension from first[i] on; in the first dimension
// only every `every`-th.
typedef struct pc_selection {
  long first[4], count[4], every;
} pc_selection;
// Reads as double, float, int32_t, int64_t or uint8_t. Values out of range become the nearest that
// fits.
pc_status pc_reading_select(pc_reading *reading, const char *name, const pc_selection *selection,
                            pc_record_type as, void *out, pc_error *error);
// Rows first .. first + count of the first dimension.
pc_status pc_reading_rows(pc_reading *reading, const char *name, long first, long count,
                          pc_record_type as, void *out, pc_error *error);
// Bytes of a text or of all names as they are stored; -1 if there is no such text.
long pc_reading_text_size(pc_reading *reading, const char *name);
// A text; names have a line each, also in records of earlier versions. The caller frees it.
char *pc_reading_text(pc_reading *reading, const char *name, pc_error *error);
// `description` or `unit`; NULL if there is none. The caller frees it.
char *pc_reading_attribute(pc_reading *reading, const char *name, const char *attribute);

#endif
