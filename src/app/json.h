// Writing JSON as it comes: commas and nesting are kept here, numbers always read back exactly.
//
//     json_writer json = {.file = stdout};
//     json_open(&json, '{');
//     json_key(&json, "time_s"), json_number(&json, 0.25);
//     json_close(&json);
#ifndef PERCUSS_APP_JSON_H
#define PERCUSS_APP_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct json_writer {
  FILE *file;
  int depth;
  char closing[16]; // of the open lists and objects
  bool comma;       // the next value needs one
} json_writer;

void json_open(json_writer *json, char bracket); // '{' or '['
void json_close(json_writer *json);              // the innermost; a newline after the outermost
void json_key(json_writer *json, const char *key);
void json_number(json_writer *json, double value); // null if it is not finite
void json_integer(json_writer *json, long value);
void json_boolean(json_writer *json, bool value);
void json_string(json_writer *json, const char *value); // null if NULL
void json_null(json_writer *json);
void json_vector(json_writer *json, const double *values, int count);

#endif
