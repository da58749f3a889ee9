// A text file read into memory, with its lines, words and numbers. Messages name the file and the
// line.
#ifndef PERCUSS_GEOMETRY_INPUT_FILE_H
#define PERCUSS_GEOMETRY_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

typedef struct pc_input_file {
  char name[128]; // the end of the path, for messages
  char *data;     // a zero byte follows
  size_t size, at;
  long line;    // of the line read last, from 1
  char *cursor; // what is left of it
  char *word;   // read last; NULL: none was left
  bool commas;  // commas and semicolons separate words too; set it after opening
  pc_error *error;
} pc_input_file;

// PC_ERROR_IO when it cannot be read, PC_ERROR_INPUT when it is too large. Always close it.
pc_status pc_input_open(pc_input_file *file, const char *path, pc_error *error);
void pc_input_close(pc_input_file *file);
bool pc_input_has_ending(const char *path, const char *ending); // ignoring case

// Moves to the next line that is not blank; false at the end of the file.
bool pc_input_line(pc_input_file *file);
// The next word of the line, ended in place. NULL: none is left.
char *pc_input_word(pc_input_file *file);
int pc_input_words(const pc_input_file *file); // how many are left
// Reads a word as a finite number, or a missing value as NAN if `holes`.
bool pc_input_number(const char *word, bool holes, double *value);

// PC_ERROR_INPUT with `name:line: text`; `name: text` for the file as a whole. If the last word has
// a comma, the text explains that.
pc_status pc_input_fail(pc_input_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
pc_status pc_input_fail_whole(pc_input_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
pc_status pc_input_out_of_memory(pc_input_file *file);
// Adds the name of the file to an error of a shape constructor.
void pc_input_blame(pc_input_file *file);

#endif
