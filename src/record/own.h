// The files that the program writes are its own: it makes them itself, and it replaces, cuts or
// removes an older one only if that one's contents show that the program has written it. The name
// alone shows nothing. Links are not followed, and nothing but regular files is written.
//
// A file that is renamed when it is complete begins with PC_OWN_MARK until then: its own first
// bytes are written last. So one that a killed process has left is recognised, however little it
// holds.
#ifndef PERCUSS_RECORD_OWN_H
#define PERCUSS_RECORD_OWN_H

#include <stdbool.h>

#include "percuss/status.h"

// A kind of file. Its files show one of these signs. In `begins` PC_OWN_DIGITS stands for digits
// and PC_OWN_ANY for any byte; `has`, if not NULL, is found in the first 64 KiB. An empty file is
// anybody's, and one that ends within `begins` was cut.
enum { PC_OWN_SIGNS = 4 };
typedef struct pc_own {
  const char *what; // for messages: "the table of a run"
  struct {
    const char *begins, *has;
  } sign[PC_OWN_SIGNS];
} pc_own;
#define PC_OWN_DIGITS "\x01"
#define PC_OWN_ANY "\x02"
#define PC_OWN_HDF5 "\x89HDF\r\n\x1a\n"

#define PC_OWN_MARK "percuss: writing"
enum { PC_OWN_MARK_SIZE = sizeof PC_OWN_MARK - 1 };

extern const pc_own pc_record_own, pc_checkpoint_own, pc_xdmf_own, pc_svg_own;

typedef enum pc_own_state { PC_OWN_WHOLE, PC_OWN_UNDER_WAY } pc_own_state;

// Whether the path is free or has a file of this kind; PC_OWN_UNDER_WAY allows the mark too.
// PC_ERROR_INPUT: something else is there. PC_ERROR_IO: a link, a folder, a device; not readable.
pc_status pc_own_check(const char *path, const pc_own *own, pc_own_state state, pc_error *error);
// Makes an empty file, open for reading and writing and locked. An older one is removed first, if
// pc_own_check allows it and nobody is writing it. -1: errno says why not.
int pc_own_create(const char *path, const pc_own *own, pc_own_state state);
// Reports the errno of a failed pc_own_create.
pc_status pc_own_refuse(const char *path, const pc_own *own, int why, pc_error *error);
// Removes a file of this kind, whole or not. What is another's stays.
void pc_own_remove(const char *path, const pc_own *own);

#endif
