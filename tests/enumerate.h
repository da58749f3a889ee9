// The book's method (4.7.1) as an oracle: try every combination of contact statuses, solve a dense
// linear system for each, keep the one whose signs are right. Shares no code with the library.
#ifndef PERCUSS_TESTS_ENUMERATE_H
#define PERCUSS_TESTS_ENUMERATE_H

#include "problems.h"

// U+ of all bodies, 6 numbers each. False if there are more than `most` combinations.
// Fails (returns true with *found = 0) only if no combination has the right signs.
bool enumerate(const random_problem *problem, long most, int *found, double (*after)[6]);

#endif
