#include "geometry/qhull.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int guarded_copy(qhT *qh, pc_qhull_copy *copy, void *context)
{
  int code = setjmp(qh->errexit);
  if (code == qh_ERRnone) {
    qh->NOerrexit = False;
    copy(qh, context);
  }
  qh->NOerrexit = True;
  return code;
}

bool pc_qhull_run(int dimension, int count, const double *points, const char *options,
                  pc_qhull_copy *copy, void *context, bool *no_memory)
{
  char *words = NULL, command[64];
  size_t size = 0;
  FILE *sink = open_memstream(&words, &size);
  qhT *qh = calloc(1, sizeof *qh);
  int code = qh_ERRmem;
  snprintf(command, sizeof command, "%s", options);
  if (sink != NULL && qh != NULL) {
    qh_zero(qh, sink);
    code = qh_new_qhull(qh, dimension, count, (coordT *)points, False, command, NULL, sink);
    if (code == qh_ERRnone)
      code = guarded_copy(qh, copy, context);
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
  }
  if (sink != NULL)
    fclose(sink);
  free(words);
  free(qh);
  *no_memory = code == qh_ERRmem;
  return code == qh_ERRnone;
}
