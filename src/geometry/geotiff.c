// The library of GDAL is not linked: as Debian builds it, it brings libraries under the GPL.
#define _GNU_SOURCE // pipe2
#include "geometry/geotiff.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/process.h"

bool pc_geotiff_is_name(const char *path)
{
  return pc_input_has_ending(path, ".tif") || pc_input_has_ending(path, ".tiff");
}

// Its output, or NULL. `failure`: why it was not started.
static FILE *start(const char *path, pid_t *process, int *failure)
{
  int ends[2];
  char name[4096];
  // A name is never an option, nor one of the names that have a meaning of their own.
  int length = snprintf(name, sizeof name, "%s%s", *path == '/' ? "" : "./", path);
  *failure = length < (int)sizeof name ? 0 : ENAMETOOLONG;
  if (*failure != 0 || pipe2(ends, O_CLOEXEC) != 0) {
    *failure = *failure != 0 ? *failure : errno;
    return NULL;
  }
  const char *const arguments[] = {"gdal_translate", "-q", "-if",         "GTiff", "-of",
                                   "AAIGrid",        name, "/vsistdout/", NULL};
  *failure =
      pc_process_start(process, arguments, true, 1, (const int[][2]){{ends[1], STDOUT_FILENO}});
  close(ends[1]);
  FILE *from = *failure == 0 ? fdopen(ends[0], "rb") : NULL;
  if (from == NULL)
    close(ends[0]);
  return from;
}

static bool has_succeeded(pid_t process)
{
  int status = 0;
  pid_t ended;
  do
    ended = waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0); // the host may wait for all
}

// The name of the file as a grid: terrain.tif, terrain.asc.
static int stem(const char *name)
{
  return (int)(strrchr(name, '.') - name);
}

pc_status pc_geotiff_open(pc_input_file *source, const char *path, pc_error *error)
{
  int failure;
  pid_t process = 0;
  *source = (pc_input_file){.error = error};
  const char *wrong = pc_file_unreadable(path), *name = pc_path_name(path);
  if (wrong == NULL && access(path, R_OK) != 0)
    wrong = strerror(errno);
  if (wrong != NULL)
    return pc_fail(error, PC_ERROR_IO, "%.200s: %s", path, wrong);
  FILE *from = start(path, &process, &failure);
  if (failure == ENOENT)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%.100s: GeoTIFF needs GDAL's gdal_translate, which is not installed (Debian "
                   "package gdal-bin); install it, or convert the file elsewhere: gdal_translate "
                   "-of AAIGrid %.60s %.*s.asc",
                   path, name, stem(name) < 60 ? stem(name) : 60, name);
  if (failure != 0)
    return pc_fail(error, PC_ERROR_IO, "%.100s: gdal_translate: %s", path, strerror(failure));
  pc_status status = from != NULL ? pc_input_take(source, path, from, error)
                                  : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  bool good = has_succeeded(process);
  if (status == PC_OK && (!good || source->size == 0))
    return pc_fail(
        error, PC_ERROR_INPUT,
        "%.100s: gdal_translate cannot read this file as GeoTIFF; inspect it with: gdalinfo %.60s",
        path, name);
  return status;
}

pc_status pc_geotiff_fail_cells(pc_input_file *source)
{
  return pc_input_fail_whole(source,
                             "the cells must be square, but the file has dx and dy; resample it, "
                             "for example to cells of 2 m: gdalwarp -tr 2 2 in.tif out.tif");
}
