#include "geometry/qhull.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool guarded_copy(qhT *qh, pc_qhull_copy *copy, void *context)
{
  if (setjmp(qh->errexit) != 0) {
    qh->NOerrexit = True;
    return false;
  }
  qh->NOerrexit = False;
  copy(qh, context);
  qh->NOerrexit = True;
  return true;
}

bool pc_qhull_run(int dimension, int count, const double *points, const char *options,
                  pc_qhull_copy *copy, void *context)
{
  char *words = NULL, command[64];
  size_t size = 0;
  FILE *sink = open_memstream(&words, &size);
  qhT *qh = calloc(1, sizeof *qh);
  bool done = false;
  snprintf(command, sizeof command, "%s", options);
  if (sink != NULL && qh != NULL) {
    qh_zero(qh, sink);
    int code = qh_new_qhull(qh, dimension, count, (coordT *)points, False, command, NULL, sink);
    done = code == qh_ERRnone && guarded_copy(qh, copy, context);
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
  }
  if (sink != NULL)
    fclose(sink);
  free(words);
  free(qh);
  return done;
}
