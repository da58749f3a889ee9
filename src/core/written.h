// Text written into memory through a FILE. open_memstream of the C library drops text silently when
// memory is out.
#ifndef PERCUSS_CORE_WRITTEN_H
#define PERCUSS_CORE_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pc_written {
  FILE *to;   // write here
  char *text; // so far, ended by 0, after a flush; NULL: nothing
  size_t size, room;
  bool failed; // memory ran out and text is missing
} pc_written;

// False when memory is out. The struct must not move until its end.
bool pc_written_begin(pc_written *written);
bool pc_written_flush(pc_written *written); // false if text is missing
// Closes the stream and gives the text, or NULL if text is missing. The caller frees it.
char *pc_written_end(pc_written *written);

#endif
