#include "run/files.h"

#include <stdlib.h>
#include <string.h>

// `output` without `.h5`, and `end` instead.
static char *beside(const char *output, size_t length, const char *end)
{
  char *name = malloc(length + strlen(end) + 1);
  if (name != NULL) {
    memcpy(name, output, length);
    strcpy(name + length, end);
  }
  return name;
}

bool pc_run_files_name(pc_run_files *files, const char *output)
{
  size_t whole = strlen(output), stem = whole;
  if (stem > 3 && strcmp(output + stem - 3, ".h5") == 0)
    stem -= 3;
  files->record = beside(output, whole, "");
  files->csv = beside(output, stem, ".csv");
  files->xdmf = beside(output, stem, ".xdmf");
  files->checkpoint = beside(output, whole, ".checkpoint");
  bool named = files->record != NULL && files->csv != NULL && files->xdmf != NULL &&
               files->checkpoint != NULL;
  for (int i = 0; i < files->others; i++) {
    files->other[i] = beside(output, stem, files->ending[i]);
    named = named && files->other[i] != NULL;
  }
  return named;
}

void pc_run_files_free(pc_run_files *files)
{
  free(files->record);
  free(files->csv);
  free(files->xdmf);
  free(files->checkpoint);
  for (int i = 0; i < files->others; i++)
    free(files->other[i]);
  *files = (pc_run_files){0};
}

int pc_run_files_list(const pc_run_files *files, const pc_scene *scene,
                      const char *list[PC_RUN_FILES])
{
  int count = PC_RUN_TABLE + 1;
  list[0] = files->record;
  list[1] = files->checkpoint;
  list[PC_RUN_TABLE] = scene->csv ? files->csv : NULL;
  if (scene->xdmf)
    list[count++] = files->xdmf;
  for (int i = 0; i < files->others; i++)
    list[count++] = files->other[i];
  return count;
}

const char *pc_run_file(const pc_run_files *files, const char *ending)
{
  for (int i = 0; i < files->others; i++)
    if (strcmp(files->ending[i], ending) == 0)
      return files->other[i];
  return NULL;
}
