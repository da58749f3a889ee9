// The files that a run writes.
#ifndef PERCUSS_RUN_FILES_H
#define PERCUSS_RUN_FILES_H

#include "percuss/scene.h"
#include "record/own.h"
#include "run/columns.h"

struct pc_replace;

enum { PC_KIND_FILES = 10 }; // most that a kind of scene adds

// A file beside the record: RUN with this ending. A table has a name, and a head with units, as
// pc_csv_write_head takes it.
enum { PC_RUN_HEAD = 400 };
typedef struct pc_run_other {
  const char *ending;
  const pc_own *own;
  const char *table;
  void (*head)(const pc_scene *scene, char text[PC_RUN_HEAD]);
} pc_run_other;
extern const pc_run_other pc_run_end_table, pc_run_deposit, pc_run_outline, pc_run_exits,
    pc_run_maps, pc_run_trajectories, pc_run_geometry, pc_run_hits, pc_run_profile,
    pc_run_collisions;
extern const pc_own pc_run_table;

// RUN.h5, RUN.csv, RUN-units.csv, RUN.xdmf, RUN.h5.checkpoint, and those of the kind of scene:
// `RUN` with other endings.
typedef struct pc_run_files {
  char *record, *csv, *units, *xdmf, *checkpoint;
  int others;
  const pc_run_other *kind[PC_KIND_FILES];
  char *other[PC_KIND_FILES];
} pc_run_files;

// The name of a file beside the output: `end` instead of `.h5`. NULL when memory is out.
char *pc_run_beside(const char *output, const char *end);
// Sets all names from the output; false when memory is out.
bool pc_run_files_name(pc_run_files *files, const char *output);
void pc_run_files_free(pc_run_files *files);
// The path of the file of this kind, or NULL: it is not written.
const char *pc_run_file(const pc_run_files *files, const pc_run_other *kind);
// Lists the files that a run of the scene writes.
typedef struct pc_run_file_of {
  const char *path;
  const pc_own *own;
} pc_run_file_of;
enum { PC_RUN_FILES = 5 + PC_KIND_FILES };
int pc_run_files_list(const pc_run_files *files, const pc_scene *scene,
                      pc_run_file_of list[PC_RUN_FILES]);

// Writes the line of names of a table.
void pc_run_write_head(struct pc_replace *file, const pc_run_other *kind, const pc_scene *scene);
// The name of the table of units beside the table of a run. NULL when memory is out.
char *pc_run_units_beside(const char *table);
// Writes RUN-units.csv: the units of these columns of RUN.csv, and of the other tables.
pc_status pc_run_write_units(const pc_run_files *files, const pc_columns *columns,
                             const pc_scene *scene, pc_error *error);

#endif
