// Runs qhull, which reports errors by longjmp and prints to a file.
#ifndef PERCUSS_GEOMETRY_QHULL_H
#define PERCUSS_GEOMETRY_QHULL_H

#include <libqhull_r/qhull_ra.h>
#include <stdbool.h>

// Runs qhull on `count` points of `dimension` numbers and calls `copy` to take the result. False if
// qhull fails; then `no_memory` says whether memory was out. Its messages are discarded.
typedef void pc_qhull_copy(qhT *qh, void *context);
bool pc_qhull_run(int dimension, int count, const double *points, const char *options,
                  pc_qhull_copy *copy, void *context, bool *no_memory);

#endif
