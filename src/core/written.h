// Text that is written into memory as into a file. The stream of the C library for this,
// open_memstream, drops what it finds no memory for and does not tell.
#ifndef PERCUSS_CORE_WRITTEN_H
#define PERCUSS_CORE_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pc_written {
  FILE *to;   // write here
  char *text; // so far, ended by 0, when it is flushed; NULL: nothing
  size_t size, room;
  bool failed; // something is missing: memory ran out
} pc_written;

// False if there is no memory. It stays at its address until its end.
bool pc_written_begin(pc_written *written);
bool pc_written_flush(pc_written *written); // false if something is missing
// Closes the stream and gives the text, never NULL but where something is missing; the caller
// frees it.
char *pc_written_end(pc_written *written);

#endif
