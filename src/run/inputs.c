#include "run/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

static bool same_file(const char *a, const char *b)
{
  struct stat one, two;
  return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

static pc_status spare_inputs(const pc_scene *scene, const char *written, pc_error *error)
{
  for (int k = -1; k < scene->input_count; k++) {
    const char *input = k < 0 ? scene->path : scene->inputs[k];
    if (same_file(written, input))
      return pc_fail(
          error, PC_ERROR_INPUT,
          "the output would overwrite '%.100s', which the scene reads; choose another output",
          input);
  }
  return PC_OK;
}

// And no file that stands for it on the way, or beside it.
pc_status pc_run_spare_inputs(const pc_scene *scene, const char *written, pc_error *error)
{
  static const char *const also[] = {"", ".tmp", ".new", ".journal"};
  char *path = malloc(strlen(written) + 10);
  pc_status status = path != NULL ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (size_t i = 0; i < sizeof also / sizeof *also && status == PC_OK; i++) {
    strcpy(path, written);
    strcat(path, also[i]);
    status = spare_inputs(scene, path, error);
  }
  free(path);
  return status;
}

uint64_t pc_hash_bytes(uint64_t hash, const void *data, size_t size)
{
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

pc_status pc_run_cannot_resume(const pc_error *reason, pc_error *error)
{
  return pc_fail(error, reason->status, "%s%s", reason->text,
                 reason->status == PC_ERROR_INPUT
                     ? ": the run cannot be resumed; start it without --resume to replace it"
                     : "");
}
