#include "run/files.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "scene/continuum_solve.h"

// What the files begin with, as their writers write it.
#define OTHER(name, ending, what, begins)                                                          \
  static const pc_own name##_own = {what, {{begins, NULL}}};                                       \
  const pc_run_other name = {ending, &name##_own};
OTHER(pc_run_end_table, "-end.csv", "a table of final positions", "x,y,z,qw,qx,qy,qz,vx,vy,vz,")
OTHER(pc_run_deposit, "-deposit.asc", "the map of a deposit",
      "ncols " PC_OWN_DIGITS "\nnrows " PC_OWN_DIGITS "\nxllcorner ")
OTHER(pc_run_outline, "-outline.csv", "the outline of a deposit", "outline,x [m],y [m]\n")
OTHER(pc_run_exits, "-exits.csv", "a table of exits", "person,group,exit,time [s],")
OTHER(pc_run_maps, "-maps.csv", "the maps of a crowd", "floor,x [m],y [m],area [m2],")
OTHER(pc_run_trajectories, "-trajectories.txt", "the trajectories of a crowd", "# framerate: ")
OTHER(pc_run_hits, "-hits.csv", "a table of hits", "sensor,body,by,begin [s],")
OTHER(pc_run_collisions, "-collisions.csv", "a table of collisions",
      "time [s],speed [m/s],percussion_N [")
const pc_run_other pc_run_profile = {"-profile.csv", &pc_profile_own};
const pc_own pc_run_table = {"the table of a run", {{PC_TABLE_HEAD, NULL}}};

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
    files->other[i] = pc_run_beside(output, files->kind[i]->ending);
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
                      pc_run_file_of list[PC_RUN_FILES])
{
  int count = 0;
  list[count++] = (pc_run_file_of){files->record, &pc_record_own};
  list[count++] = (pc_run_file_of){files->checkpoint, &pc_checkpoint_own};
  if (scene->csv)
    list[count++] = (pc_run_file_of){files->csv, &pc_run_table};
  if (scene->xdmf)
    list[count++] = (pc_run_file_of){files->xdmf, &pc_xdmf_own};
  for (int i = 0; i < files->others; i++)
    list[count++] = (pc_run_file_of){files->other[i], files->kind[i]->own};
  return count;
}

const char *pc_run_file(const pc_run_files *files, const pc_run_other *kind)
{
  for (int i = 0; i < files->others; i++)
    if (files->kind[i] == kind)
      return files->other[i];
  return NULL;
}
