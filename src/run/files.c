#include "run/files.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"

char *pc_run_beside(const char *output, const char *end)
{
  size_t length = pc_path_stem(output, ".h5");
  char *name = malloc(length + strlen(end) + 1);
  if (name != NULL) {
    memcpy(name, output, length);
    strcpy(name + length, end);
  }
  return name;
}

bool pc_run_files_name(pc_run_files *files, const char *output)
{
  bool has_ending = pc_path_has_ending(output, ".h5");
  files->record = strdup(output);
  files->csv = pc_run_beside(output, ".csv");
  files->xdmf = pc_run_beside(output, ".xdmf");
  files->checkpoint = pc_run_beside(output, has_ending ? ".h5.checkpoint" : ".checkpoint");
  bool named = files->record != NULL && files->csv != NULL && files->xdmf != NULL &&
               files->checkpoint != NULL;
  for (int i = 0; i < files->others; i++) {
    files->other[i] = pc_run_beside(output, files->ending[i]);
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
