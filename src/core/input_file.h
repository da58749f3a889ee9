// A text file read into memory, with its lines, words and numbers. Messages name the file and the
// line.
#ifndef PERCUSS_CORE_INPUT_FILE_H
#define PERCUSS_CORE_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "percuss/status.h"

// What stands between the words of a line. Where it is not blanks, words are the cells of a table:
// blanks around them and quotation marks are dropped, and they may be empty.
typedef enum pc_separator { PC_BLANKS, PC_COMMAS, PC_SEMICOLONS, PC_TABS } pc_separator;

typedef struct pc_input_file {
  char name[128]; // the end of the path, for messages
  char *data;     // a zero byte follows
  size_t size, at;
  long line;   // of the line read last, from 1
  char *start; // its beginning, where words that were read end with zero bytes
  size_t length;
  char *cursor; // what is left of it
  char *word;   // read last; NULL: none was left
  pc_separator separator;
  bool table;          // numbers may have decimal commas; pc_input_separate sets it
  bool points, commas; // decimals of the table so far
  bool quoted;         // the last word was
  pc_error *error;
} pc_input_file;

// PC_ERROR_IO when it cannot be read, PC_ERROR_INPUT when it is too large. Always close it.
pc_status pc_input_open(pc_input_file *file, const char *path, pc_error *error);
// The same of what an open file has, which is closed; messages call it `path`.
pc_status pc_input_take(pc_input_file *file, const char *path, FILE *from, pc_error *error);
void pc_input_close(pc_input_file *file);
bool pc_input_has_ending(const char *path, const char *ending); // ignoring case

// Moves to the next line that is not blank; false at the end of the file.
bool pc_input_line(pc_input_file *file);
// The next word of the line, ended in place. NULL: none is left.
char *pc_input_word(pc_input_file *file);
int pc_input_words(const pc_input_file *file); // how many are left
// Reads a word as a finite number, or a missing value as NAN if `holes`.
bool pc_input_number(const char *word, bool holes, double *value);

// Tables. Finds from the current line what separates the cells of this line and those that follow:
// semicolons, tabs or commas, or else blanks. With commas and blanks in a line, `columns` (0:
// unknown) tells decimal commas from those between cells.
void pc_input_separate(pc_input_file *file, int columns);
// The same as pc_input_number for the last word of a table: 1,5 is 1.5 where commas do not separate
// cells, if no other number of the table has a decimal point.
bool pc_input_cell(pc_input_file *file, bool holes, double *value);
// What is left of the line as one cell.
char *pc_input_rest(pc_input_file *file);
// That the line does not have so many of `what`, but `count`; it names a decimal comma that is one
// cell too many.
pc_status pc_input_fail_count(pc_input_file *file, const char *what, int expected, int count);

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
