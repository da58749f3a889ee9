// The program, run in a folder of its own with faults (preload.h), and folders of files.
#ifndef PERCUSS_TESTS_FAULTS_PROGRAM_H
#define PERCUSS_TESTS_FAULTS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "faults/preload.h"

enum { PATH = 400, LONGEST = 300 }; // characters; seconds before a program is said to hang

// How a program ended.
typedef struct ending {
  int status;        // of its exit, or minus the signal that ended it
  char message[600]; // the beginning of what it wrote to stderr
  int lines;         // of that, without the sanitizers' summary
  faults_report faults;
} ending;
// What a sanitized program ends with when it leaks or worse.
enum { SANITIZER = 23 };

// Runs the program with these arguments, which have no spaces, in `folder`; its output goes to the
// file `stdout` there. `asked` may be NULL.
ending program_run(const char *folder, const char *arguments, const faults_report *asked);
// The same in two parts, for those who kill it.
pid_t program_start(const char *folder, const char *arguments, const faults_report *asked);
ending program_wait(pid_t child, const char *folder);

void folder_make(char path[PATH]); // a new one, where files are in memory if there is such a place
void folder_remove(const char *path);
void folder_copy(const char *from, const char *to); // `to` is then the same as `from`
// The same files with the same contents: records dataset by dataset, checkpoints but for their
// times and for the number of their record, all else byte for byte. `why` has 600 characters.
bool folder_same(const char *one, const char *two, char *why);
// Every record and every checkpoint in it can be read.
bool folder_readable(const char *path, char *why);
// The numbers of the records that there are checkpoints of, out.h5 and those of a sweep, 0 for
// those that there is none of; how many there are. Runs that went on from there, to whatever end,
// have them still.
enum { RECORDS = 5 };
int folder_identities(const char *path, int64_t identity[RECORDS]);
bool folder_went_on(const char *path, const int64_t identity[RECORDS], char *why);
// The run in it, or the record of its runs, is complete.
bool folder_finished(const char *path);

#endif
