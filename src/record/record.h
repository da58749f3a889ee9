// Runs on disk: an HDF5 file of named arrays that grow by frames. Knows arrays and names, not
// applications. docs/run-format.md has the layout.
//
// All datasets exist before the first frame, so the file is readable while it is written (single
// writer, many readers). Whoever watches takes pc_reading_frames of a group: frames that all its
// series have.
#ifndef PERCUSS_RECORD_H
#define PERCUSS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "percuss/status.h"

typedef struct pc_record pc_record;

typedef enum pc_record_type {
  PC_RECORD_DOUBLE,
  PC_RECORD_FLOAT, // given as double, stored as 32 bits
  PC_RECORD_INT,   // int32_t
  PC_RECORD_LONG,  // int64_t
  PC_RECORD_BYTE   // uint8_t
} pc_record_type;

// A new file, with the datasets `format` and `complete`. An old one of that name is replaced only
// when the new one has started; until then the new one is PATH.new, and goes if it is closed or
// fails before. The first failure stays: every later call returns it and does nothing, and
// pc_record_error has its text.
pc_record *pc_record_create(const char *path, pc_error *error);
// What was said once: arrays of 1 to 4 dimensions, texts. Names are paths, "bodies/mass"; groups
// appear as needed. Before the start only. A resumed record keeps what its file has; these calls
// then only check that it is there, and of that size.
pc_status pc_record_array(pc_record *record, const char *name, pc_record_type type, int rank,
                          const long *size, const void *data);
pc_status pc_record_text(pc_record *record, const char *name, const char *text);
// Names as one text, a line each.
pc_status pc_record_names(pc_record *record, const char *name, int count, char *const *names);
// Meaning and unit, as attributes `description` and `unit` of a dataset made before.
pc_status pc_record_describe(pc_record *record, const char *name, const char *description,
                             const char *unit);
// An array of one or two dimensions with its description, unless `status` tells of a failure
// already; unit NULL or "": it has none.
void pc_record_put(pc_record *record, pc_status *status, const char *name, pc_record_type type,
                   long rows, long columns, const void *data, const char *description,
                   const char *unit);
// What grows: one block of rows x columns numbers for each frame ("frames/position": bodies x 3;
// dimensions of 1 are dropped), or a ragged one, whose rows vary: NAME/offset (frames + 1) and
// NAME/<column> (all rows x width). Handles are >= 0; -1 is an error. Before the start only.
int pc_record_series(pc_record *record, const char *name, pc_record_type type, int rows,
                     int columns);
// The same with its description.
int pc_record_add(pc_record *record, const char *name, pc_record_type type, int rows, int columns,
                  const char *description, const char *unit);
int pc_record_ragged(pc_record *record, const char *name, int columns, const char *const *names,
                     const pc_record_type *types, const int *widths);
// Opens for business: from here on readers may look.
pc_status pc_record_start(pc_record *record);

pc_status pc_record_append(pc_record *record, int series, const void *data);
// data[c] holds rows x widths[c] numbers.
pc_status pc_record_append_ragged(pc_record *record, int ragged, int rows, const void *const *data);
// All that was appended is readable by others and outlives this process. Not free: a part of a
// chunk is written again later. A few times a second at most.
pc_status pc_record_flush(pc_record *record);
// A flush that also outlives a power cut; before a checkpoint.
pc_status pc_record_sync(pc_record *record);
// What a checkpoint keeps of a record, for pc_record_resume: a number that was made up when the
// file was created, the address where it stands in the file, and the lengths of all series. NULL:
// only how many numbers that are.
enum { PC_RECORD_MARKS = 2 }; // numbers before the lengths
int pc_record_marks(const pc_record *record, long *marks);
// After a checkpoint with these marks is written, and before anything more is appended: from now
// on the file can be brought back to what it is now, and resuming from the checkpoint does that.
pc_status pc_record_checkpointed(pc_record *record);
// Marks the file as whole (dataset `complete`: 0 running or killed, 1 whole, 2 stopped early) and
// closes. Frees the record also when it fails; a file with a failure is never marked.
pc_status pc_record_close(pc_record *record, int complete, pc_error *error);

// Opens a file that was stopped or killed at any moment. Everything must be declared again with the
// same calls in the same order, and match; the start then cuts every series to the length of the
// marks, and the file goes on. PC_ERROR_INPUT, and nothing is changed, if the file is not there, is
// not the one that was marked, or cannot be read.
pc_record *pc_record_resume(const char *path, int count, const long *marks, pc_error *error);
// Is this the file that was marked? PC_ERROR_INPUT and a reason if not.
pc_status pc_record_is_marked(const char *path, int count, const long *marks, pc_error *error);
// Removes what a process that was killed before the start has left: PATH.new.
void pc_record_tidy(const char *path);
const char *pc_record_error(const pc_record *record);

// Checkpoints: named blobs in a file that is always whole (written beside, flushed, renamed).
typedef struct pc_blob {
  const char *name;
  void *data;
  size_t size;
} pc_blob;
pc_status pc_checkpoint_write(const char *path, int count, const pc_blob *blobs, pc_error *error);
// Reads the blobs of these names; the caller frees each `data`. PC_ERROR_INPUT if one is missing or
// the file is not whole (its checksum is wrong).
pc_status pc_checkpoint_read(const char *path, int count, pc_blob *blobs, pc_error *error);

// Reading, for tools, tests and the viewer; also while it is written, by this process too.
typedef struct pc_reading pc_reading;
pc_reading *pc_reading_open(const char *path, pc_error *error);
void pc_reading_close(pc_reading *reading);
// Sees what came since; nothing comes to a whole file that nobody writes.
pc_status pc_reading_refresh(pc_reading *reading, pc_error *error);
// The dataset `complete`: only 1 is a whole run.
int pc_reading_complete(pc_reading *reading);
// Somebody writes the file now, as far as locks can tell.
bool pc_reading_is_written(const pc_reading *reading);
// Is its name still the name of this file? A new run of that name takes its place.
bool pc_reading_is_current(const pc_reading *reading);
// Has it been written over in its place, or changed although it was whole, or can it not be read
// any more? It must be opened again then: what is read from now on, or since the last look, may be
// of two files.
bool pc_reading_is_changed(const pc_reading *reading);
long long pc_reading_bytes(const pc_reading *reading);      // of the whole file, now
long long pc_reading_bytes_read(const pc_reading *reading); // so far
// All datasets, in the order they were made.
int pc_reading_count(const pc_reading *reading);
const char *pc_reading_name(const pc_reading *reading, int k);
// Sizes of a dataset of numbers; rank 0 if it does not exist.
int pc_reading_size(pc_reading *reading, const char *name, long size[4]);
pc_status pc_reading_type(pc_reading *reading, const char *name, pc_record_type *type,
                          pc_error *error);
// Frames that every series of a group has: "frames", "contacts". -1: no such series.
long pc_reading_frames(pc_reading *reading, const char *group);
// Does its first dimension grow?
bool pc_reading_grows(pc_reading *reading, const char *name);
// A part of an array: count[i] of each dimension from first[i] on; of the first dimension only
// every `every`-th.
typedef struct pc_selection {
  long first[4], count[4], every;
} pc_selection;
// As double, float, int32_t, int64_t or uint8_t; what does not fit becomes the nearest that does.
pc_status pc_reading_select(pc_reading *reading, const char *name, const pc_selection *selection,
                            pc_record_type as, void *out, pc_error *error);
// Rows first .. first + count of the first dimension.
pc_status pc_reading_rows(pc_reading *reading, const char *name, long first, long count,
                          pc_record_type as, void *out, pc_error *error);
// Bytes of a text; -1 if there is no such text.
long pc_reading_text_size(pc_reading *reading, const char *name);
char *pc_reading_text(pc_reading *reading, const char *name, pc_error *error); // caller frees
// `description` or `unit`; NULL if there is none. The caller frees it.
char *pc_reading_attribute(pc_reading *reading, const char *name, const char *attribute);

#endif
