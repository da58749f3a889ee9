#include "geometry/qhull.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/written.h"

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
  char command[64];
  pc_written words; // what it says is not for us
  bool listens = pc_written_begin(&words);
  qhT *qh = calloc(1, sizeof *qh);
  int code = qh_ERRmem;
  snprintf(command, sizeof command, "%s", options);
  if (listens && qh != NULL) {
    qh_zero(qh, words.to);
    code = qh_new_qhull(qh, dimension, count, (coordT *)points, False, command, NULL, words.to);
    if (code == qh_ERRnone)
      code = guarded_copy(qh, copy, context);
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
  }
  free(pc_written_end(&words));
  free(qh);
  *no_memory = code == qh_ERRmem;
  return code == qh_ERRnone;
}
