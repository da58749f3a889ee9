// Running qhull: it leaves by longjmp and talks to a file.
#ifndef PERCUSS_GEOMETRY_QHULL_H
#define PERCUSS_GEOMETRY_QHULL_H

#include <libqhull_r/qhull_ra.h>
#include <stdbool.h>

// Runs qhull on `count` points of `dimension` numbers and has `copy` take what it found. False if
// qhull gives up; then `no_memory` says whether for that. What it has to say goes into a buffer
// that nobody reads.
typedef void pc_qhull_copy(qhT *qh, void *context);
bool pc_qhull_run(int dimension, int count, const double *points, const char *options,
                  pc_qhull_copy *copy, void *context, bool *no_memory);

#endif
