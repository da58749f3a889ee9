#include "run/inputs.h"

#include <sys/stat.h>

#include "core/error.h"

static bool same_file(const char *a, const char *b)
{
  struct stat one, two;
  return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

pc_status pc_run_spare_inputs(const pc_scene *scene, const char *written, pc_error *error)
{
  for (int k = -1; k < scene->input_count; k++) {
    const char *input = k < 0 ? scene->path : scene->inputs[k];
    if (same_file(written, input))
      return pc_fail(error, PC_ERROR_INPUT,
                     "the run would replace '%.100s', which the scene is read from: choose "
                     "another output",
                     input);
  }
  return PC_OK;
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
                     ? ": the run cannot go on; without resuming, a new one replaces what is there"
                     : "");
}
