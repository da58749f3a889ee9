// The text of a DXF file: pairs of lines, a group code and its value.
#ifndef PERCUSS_SCENE_DXF_CODES_H
#define PERCUSS_SCENE_DXF_CODES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/memory.h"
#include "percuss/status.h"
#include "scene/text.h"

typedef struct pc_dxf_codes {
  const char *name; // of the file
  const char *at, *end;
  int lines; // read
  int line;  // of the code of the present pair, from 1
  int code;
  const char *value; // without the end of its line
  int length;
  pc_error *error;
  bool failed;
} pc_dxf_codes;

// The next pair. False at the end of the file and after a failure.
bool pc_dxf_next(pc_dxf_codes *codes);
bool pc_dxf_is(const pc_dxf_codes *codes, int code, const char *value);
// The value as a number or a whole number; 0 after a failure.
double pc_dxf_number(pc_dxf_codes *codes);
int pc_dxf_whole(pc_dxf_codes *codes);
// The value as text, in UTF-8: other bytes are taken for Latin-1, and \U+XXXX is replaced. With
// `formatted` the codes of multiline texts are left out. NULL: memory is out.
char *pc_dxf_string(pc_dxf_codes *codes, pc_arena *arena, bool formatted);
// The value for a message.
pc_text pc_dxf_value(const pc_dxf_codes *codes);
// Fails with the name of the file and the line.
void pc_dxf_fail(pc_dxf_codes *codes, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
