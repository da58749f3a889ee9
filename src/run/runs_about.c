// What the checkpoint of many runs says of their scene: lines of a name, a blank and a value; the
// text of the scene follows the last of them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/written.h"
#include "record/record.h"
#include "run/inputs.h"
#include "run/runs.h"
#include "run/simulation.h"

// A text on one line.
static void put_line(FILE *to, const char *name, const char *text)
{
  fprintf(to, "%s ", name);
  for (; *text != 0; text++)
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
  fputc('\n', to);
}

static void put_labels(FILE *to, const pc_scene_plan *plan)
{
  for (int c = 0; c < plan->combinations; c++) {
    fputs("label ", to);
    for (int k = 0; k < plan->sweeps; k++) {
      const pc_scene_sweep *sweep = &plan->sweep[k];
      fprintf(to, "%s%s: ", k > 0 ? "; " : "", sweep->label);
      for (const char *at = sweep->values[pc_scene_plan_value(plan, c, k)]; *at != 0; at++)
        fputc(*at == '\n' ? ' ' : *at, to);
    }
    fputc('\n', to);
  }
}

bool pc_runs_describe(const pc_runs *runs, pc_runs_about *about)
{
  const pc_scene *scene = runs->scene;
  pc_written written;
  *about = (pc_runs_about){0};
  if (!pc_written_begin(&written))
    return false;
  put_line(written.to, "program", "percuss " PC_VERSION);
  put_line(written.to, "kind", pc_simulation_kind_of(scene)->name);
  put_line(written.to, "file", pc_path_name(scene->path));
  put_line(written.to, "title", scene->title != NULL ? scene->title : "");
  fprintf(written.to, "hash %016" PRIx64 "\n", pc_hash_scene(scene));
  fprintf(written.to, "members %d\nruns %d\n", scene->plan.members, scene->plan.runs);
  for (int i = 0; i < scene->plan.members; i++)
    fprintf(written.to, "seed %" PRIu64 "\n", pc_runs_member(runs, i).seed);
  put_labels(written.to, &scene->plan);
  fprintf(written.to, "text\n%s", scene->text);
  if (scene->base_text != NULL)
    fprintf(written.to, "\n# The files it is based on:\n%s", scene->base_text);
  about->text = pc_written_end(&written);
  about->size = written.size;
  return about->text != NULL;
}

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
