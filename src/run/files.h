// The files that a run writes.
#ifndef PERCUSS_RUN_FILES_H
#define PERCUSS_RUN_FILES_H

#include "percuss/scene.h"

enum { PC_KIND_FILES = 10 }; // most that a kind of scene adds

// RUN.h5, RUN.csv, RUN.xdmf, RUN.h5.checkpoint, and those of the kind of scene: `RUN` with other
// endings.
typedef struct pc_run_files {
  char *record, *csv, *xdmf, *checkpoint;
  int others;
  const char *ending[PC_KIND_FILES];
  char *other[PC_KIND_FILES];
} pc_run_files;

// The name of a file beside the output: `end` instead of `.h5`. NULL when memory is out.
char *pc_run_beside(const char *output, const char *end);
// Sets all names from the output; false when memory is out.
bool pc_run_files_name(pc_run_files *files, const char *output);
void pc_run_files_free(pc_run_files *files);
// The file with this ending, or NULL: it is not written.
const char *pc_run_file(const pc_run_files *files, const char *ending);
// Lists the files that a run of the scene writes; at PC_RUN_TABLE NULL if it writes no table.
enum { PC_RUN_FILES = 4 + PC_KIND_FILES, PC_RUN_TABLE = 2 };
int pc_run_files_list(const pc_run_files *files, const pc_scene *scene,
                      const char *list[PC_RUN_FILES]);

#endif
