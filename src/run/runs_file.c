// Many runs read back without their scene, from what their checkpoint says of it.
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/record.h"
#include "run/runs.h"

// The value of the line that begins here with this name, cut at its end; the text moves on. NULL:
// another line.
static const char *take_line(char **at, const char *name)
{
  size_t length = strlen(name);
  char *end = strchr(*at, '\n');
  if (end == NULL || strncmp(*at, name, length) != 0 || (*at)[length] != ' ')
    return NULL;
  const char *value = *at + length + 1;
  *end = 0;
  *at = end + 1;
  return value;
}

static int take_count(char **at, const char *name)
{
  const char *value = take_line(at, name);
  long count = value != NULL ? strtol(value, NULL, 10) : 0;
  return count >= 1 && count <= 100000000 ? (int)count : 0;
}

// False if a line is missing; `memory` if memory is out.
static bool take_about(pc_runs_file *file, bool *memory)
{
  pc_scene_plan *plan = &file->plan.plan;
  char *at = file->about;
  file->program = take_line(&at, "program");
  file->kind = file->program != NULL ? take_line(&at, "kind") : NULL;
  file->file = file->kind != NULL ? take_line(&at, "file") : NULL;
  file->title = file->file != NULL ? take_line(&at, "title") : NULL;
  const char *hash = file->title != NULL ? take_line(&at, "hash") : NULL;
  plan->members = hash != NULL ? take_count(&at, "members") : 0;
  plan->runs = plan->members > 0 ? take_count(&at, "runs") : 0;
  if (plan->runs == 0 || plan->members % plan->runs != 0)
    return false;
  file->hash = strtoull(hash, NULL, 16);
  plan->combinations = plan->members / plan->runs;
  file->seed = calloc((size_t)plan->members, sizeof *file->seed);
  file->label = calloc((size_t)plan->combinations, sizeof *file->label);
  *memory = file->seed == NULL || file->label == NULL;
  for (int i = 0; i < plan->members && !*memory; i++) {
    const char *value = take_line(&at, "seed");
    if (value == NULL)
      return false;
    file->seed[i] = strtoull(value, NULL, 10);
  }
  for (int i = 0; i < plan->combinations && !*memory; i++)
    if ((file->label[i] = take_line(&at, "label")) == NULL)
      return false;
  file->text = strncmp(at, "text\n", 5) == 0 ? at + 5 : NULL;
  return file->text != NULL;
}

pc_status pc_runs_open(const char *checkpoint, pc_runs_file *file, pc_error *error)
{
  pc_blob blob = {PC_RUNS_ABOUT_BLOB, NULL, 0};
  bool memory = false;
  *file = (pc_runs_file){.runs = NULL};
  pc_status status = pc_checkpoint_read(checkpoint, 1, &blob, error);
  if (status != PC_OK)
    return status;
  file->about = malloc(blob.size + 1);
  if (file->about != NULL) {
    memcpy(file->about, blob.data, blob.size);
    file->about[blob.size] = 0;
  }
  free(blob.data);
  if (file->about == NULL || (!take_about(file, &memory) && memory))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (file->text == NULL)
    return pc_fail(error, PC_ERROR_INPUT, "%s is damaged", checkpoint);
  file->runs = pc_runs_create(&file->plan, error);
  if (file->runs == NULL)
    return error->status;
  file->runs->checkpoint = strdup(checkpoint);
  if (file->runs->checkpoint == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return pc_runs_take_over(file->runs, error);
}

void pc_runs_file_free(pc_runs_file *file)
{
  pc_runs_destroy(file->runs);
  free(file->about);
  free(file->seed);
  free(file->label);
  *file = (pc_runs_file){.runs = NULL};
}
