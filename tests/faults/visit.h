// A visitor of the viewer that the program serves: asks for what a run has, and ends the program.
#ifndef PERCUSS_TESTS_FAULTS_VISIT_H
#define PERCUSS_TESTS_FAULTS_VISIT_H

#include "faults/program.h"

// Like program_run, for a program that prints an address and serves it until a signal comes. When
// the run is over, if the program computes one, every question is asked, once more if it is not
// answered. What was answered is beside the folder.
ending visit_run(const char *folder, const char *arguments, const faults_report *asked);
// What was answered in `folder` is what was answered in `whole`; if `all`, to every question. `why`
// has 600 characters.
bool visit_right(const char *whole, const char *folder, bool all, char *why);
void visit_forget(const char *folder); // removes the answers

#endif
