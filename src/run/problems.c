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
                 "cannot create the folder '%.200s' for problems: %s", dump->folder, strerror(why));
}

// The path of a step's problem, to be freed: in the folder that was asked for, or beside the
// record.
static char *name_of(const pc_simulation *sim, long step)
{
  const char *folder = sim->options->dump.folder, *csv = sim->files.csv;
  const char *base = folder != NULL ? folder : csv;
  if (base == NULL)
    return NULL;
  size_t stem = folder != NULL ? strlen(folder) : strlen(csv) - strlen(".csv"), size = stem + 40;
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "%.*s%cstep-%08ld.hdf5", (int)stem, base, folder != NULL ? '/' : '-',
             step);
  return path;
}

static pc_status keep(const pc_simulation *sim, long step, const char *path, pc_error *error)
{
  char title[200];
  const pc_scene *scene = sim->scene;
  if (path == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  snprintf(title, sizeof title, "%.150s, step %ld",
           scene->title != NULL ? scene->title : scene->path, step);
  return pc_fclib_write(pc_world_problem(scene->world), PC_FCLIB_GLOBAL, title, path, error);
}

static void count_refused(pc_run_summary *summary, const char *why)
{
  if (summary->problems_refused++ == 0)
    snprintf(summary->problems_why, sizeof summary->problems_why, "%.150s", why);
}

pc_status pc_problems_step(const pc_simulation *sim, pc_error *error)
{
  const pc_run_dump *dump = &sim->options->dump;
  pc_run_summary *summary = sim->summary;
  long step = summary->steps;
  bool chosen = dump->from > 0 ? step >= dump->from && step <= dump->to
                               : pc_world_info(sim->scene->world)->status != PC_SOLVED;
  int most = dump->most > 0 ? dump->most : PC_DUMP_MOST;
  if (dump->folder == NULL || !chosen)
    return PC_OK;
  if (summary->problems_kept >= most) {
    summary->problems_over++;
    return PC_OK;
  }
  pc_error reason = {.status = PC_OK};
  char *path = name_of(sim, step);
  pc_status status = keep(sim, step, path, &reason);
  free(path);
  summary->problems_kept += status == PC_OK;
  if (status == PC_ERROR_ARGUMENT) {
    count_refused(summary, reason.text);
    return PC_OK;
  }
  return status == PC_OK ? PC_OK : pc_fail(error, status, "%s", reason.text);
}

char *pc_problems_failed(const pc_simulation *sim, pc_error *reason)
{
  pc_run_summary *summary = sim->summary;
  char *path = name_of(sim, summary->steps + 1);
  if (path == NULL)
    return NULL;
  pc_status status = keep(sim, summary->steps + 1, path, reason);
  if (status == PC_OK) {
    summary->problems_kept++;
    return path;
  }
  if (status == PC_ERROR_ARGUMENT)
    count_refused(summary, reason->text);
  free(path);
  return NULL;
}
