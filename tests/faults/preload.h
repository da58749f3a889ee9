// What a test asks of preload.c, and what it is told: a file that both have mapped, so that the
// answer is there however the program ends. Its path is in the environment as PERCUSS_FAULTS.
#ifndef PERCUSS_TESTS_FAULTS_PRELOAD_H
#define PERCUSS_TESTS_FAULTS_PRELOAD_H

#include <stdatomic.h>

typedef enum faults_kind { FAULTS_MEMORY, FAULTS_FILES } faults_kind;
// One call fails; it and all after it; or the program is killed there, and a write half done.
typedef enum faults_mode { FAULTS_ONCE, FAULTS_FROM, FAULTS_KILL } faults_mode;

typedef struct faults_report {
  // Asked.
  int kind, mode;
  int torn;        // half of the bytes of a write that fails are written
  long fail_at;    // from 1 on; 0: none
  char spared[60]; // the library whose calls neither fail nor count, by how its name begins
  int only;        // or the other way round: only its calls do
  char names[200]; // a file that gets the paths of all calls on files, one a line; "": none
  // Told.
  atomic_long count, failed;
  char call[20], file[200], caller[60]; // of the first that failed
} faults_report;

#endif
