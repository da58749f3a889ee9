// What the program is told to do while something fails: every kind of scene in every mode of
// output.
#ifndef PERCUSS_TESTS_FAULTS_JOBS_H
#define PERCUSS_TESTS_FAULTS_JOBS_H

#include <stdbool.h>

// `again` is done after the fault; NULL: the command itself. `before`, and `until` its so many-th
// operation on files, where it is killed, make what the command finds.
typedef struct faults_job {
  const char *name, *before, *command, *again;
  int until;    // 0: to its end
  double share; // of the cases that other jobs get in a short test
  bool page;    // it needs the viewer
} faults_job;

enum { FAULTS_MOST_JOBS = 100 };
extern const faults_job faults_jobs[];
extern const int faults_job_count;

// What a job is, by its words.
bool faults_job_is_json(const faults_job *job);
bool faults_job_is_many(const faults_job *job);   // runs; each may fail with a line
bool faults_job_is_served(const faults_job *job); // until a signal comes

#endif
