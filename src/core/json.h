// A JSON writer: it keeps track of commas and nesting, and numbers read back exactly.
//
//     pc_json json = {.file = stdout};
//     pc_json_open(&json, '{');
//     pc_json_key(&json, "time_s"), pc_json_number(&json, 0.25);
//     pc_json_close(&json);
#ifndef PERCUSS_CORE_JSON_H
#define PERCUSS_CORE_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct pc_json {
  FILE *file;
  int depth;
  char closing[16]; // of the open lists and objects
  bool comma;       // the next value needs one
} pc_json;

void pc_json_open(pc_json *json, char bracket); // '{' or '['
void pc_json_close(pc_json *json);              // the innermost; a newline after the outermost
void pc_json_key(pc_json *json, const char *key);
void pc_json_number(pc_json *json, double value); // null if it is not finite
void pc_json_integer(pc_json *json, long value);
void pc_json_boolean(pc_json *json, bool value);
void pc_json_string(pc_json *json, const char *value); // null if NULL
void pc_json_null(pc_json *json);
void pc_json_vector(pc_json *json, const double *values, int count);

#endif
