#include "run/problems.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"

pc_status pc_problems_begin(const pc_run_dump *dump, pc_error *error)
{
  struct stat there;
  if (dump->folder == NULL || mkdir(dump->folder, 0777) == 0)
    return PC_OK;
  int why = errno;
  if (why == EEXIST && stat(dump->folder, &there) == 0 && S_ISDIR(there.st_mode))
    return PC_OK;
  bool full = why == ENOSPC || why == EDQUOT || why == EIO || why == ENOMEM;
  return pc_fail(error, full ? PC_ERROR_IO : PC_ERROR_INPUT,
                 "'%.200s', for problems, is not a folder and cannot be made one: %s", dump->folder,
                 strerror(why));
}

static pc_status keep(const pc_run_dump *dump, const pc_scene *scene, long step, pc_error *error)
{
  size_t size = strlen(dump->folder) + 40;
  char *path = malloc(size), title[200];
  if (path == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  snprintf(path, size, "%s/step-%08ld.hdf5", dump->folder, step);
  snprintf(title, sizeof title, "%.150s, step %ld",
           scene->title != NULL ? scene->title : scene->path, step);
  pc_status status =
      pc_fclib_write(pc_world_problem(scene->world), PC_FCLIB_GLOBAL, title, path, error);
  free(path);
  return status;
}

pc_status pc_problems_step(const pc_run_dump *dump, const pc_scene *scene, long step, bool failed,
                           pc_run_summary *summary, pc_error *error)
{
  bool chosen = dump->from > 0 ? step >= dump->from && step <= dump->to
                               : pc_world_info(scene->world)->status != PC_SOLVED;
  int most = dump->most > 0 ? dump->most : PC_DUMP_MOST;
  if (dump->folder == NULL || !(chosen || failed))
    return PC_OK;
  if (summary->problems_kept >= most && !failed) {
    summary->problems_over++;
    return PC_OK;
  }
  pc_error reason = {.status = PC_OK};
  pc_status status = keep(dump, scene, step, &reason);
  summary->problems_kept += status == PC_OK;
  if (status == PC_ERROR_ARGUMENT) {
    if (summary->problems_refused++ == 0)
      snprintf(summary->problems_why, sizeof summary->problems_why, "%.150s", reason.text);
    return PC_OK;
  }
  return status == PC_OK ? PC_OK : pc_fail(error, status, "%s", reason.text);
}
