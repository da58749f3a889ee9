// What the program printed: is it the same, and is it JSON?
#ifndef PERCUSS_TESTS_FAULTS_OUTPUT_H
#define PERCUSS_TESTS_FAULTS_OUTPUT_H

#include <stdbool.h>

// The same in both files, but for seconds of the clock and for the address of a viewer. `why` has
// 600 characters.
bool output_same(const char *one, const char *two, char *why);
// The first file begins as the second one; it then becomes the same.
bool output_completed(const char *part, const char *whole);
// The file is empty, or one JSON value that does not say that a run is finished, which is what a
// failed command may leave. `why` likewise.
bool output_of_failure(const char *path, char *why);

#endif
