#include "run/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "percuss/world_heat.h"
#include "record/replace.h"
#include "record/units.h"
#include "scene/continuum_solve.h"

#define HEAD(name, text)                                                                           \
  static void name(const pc_scene *scene, char head[PC_RUN_HEAD])                                  \
  {                                                                                                \
    snprintf(head, PC_RUN_HEAD, "%s", text);                                                       \
  }
HEAD(outline_head, "outline,x [m],y [m]")
HEAD(exits_head, "person,group,exit,time [s],start_floor,start_x [m],start_y [m],"
                 "largest_push [N s],entered [s],largest_load [N]")
HEAD(hits_head, "sensor,body,by,begin [s],end [s],x [m],y [m],z [m],impulse x [N s],"
                "impulse y [N s],impulse z [N s],normal impulse [N s],largest force [N],"
                "dissipated [J],speed [m/s],open,body mass [kg],by mass [kg],"
                "body kinetic [J],by kinetic [J]")
HEAD(maps_head, "floor,x [m],y [m],area [m2],density [1/m2],largest_density [1/m2],"
                "around [1/m2],largest_around [1/m2],speed [m/s],pressure [N/m2],"
                "largest_pressure [N/m2],level,largest_level,started,out,mean_time [s]")

static void end_table_head(const pc_scene *scene, char head[PC_RUN_HEAD])
{
  snprintf(head, PC_RUN_HEAD,
           "x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],wx [rad/s],wy [rad/s],"
           "wz [rad/s],%sname",
           pc_world_heat(scene->world) != NULL ? "temperature [K]," : "");
}

static void collisions_head(const pc_scene *scene, char head[PC_RUN_HEAD])
{
  const pc_continuum_units unit = pc_continuum_units_of(scene->continuum->mesh.dimension);
  snprintf(head, PC_RUN_HEAD,
           "time [s],speed [m/s],percussion_N [%s],percussion_T [%s],lost [%s],nodes,collision,"
           "fresh,contact",
           unit.percussion, unit.percussion, unit.energy);
}

static void profile_head(const pc_scene *scene, char head[PC_RUN_HEAD])
{
  const pc_continuum *c = scene->continuum;
  pc_profile_head(c->mesh.dimension, c->thermal.media > 0, head, PC_RUN_HEAD);
}

// What the files begin with, as their writers write it, and as earlier versions did.
#define OTHER(name, ending, what, begins, before)                                                  \
  static const pc_own name##_own = {what, {{begins, NULL}, {before, NULL}}};                       \
  const pc_run_other name = {ending, &name##_own, NULL, NULL};
#define TABLE(name, table, what, begins, before)                                                   \
  static const pc_own pc_run_##name##_own = {what, {{begins, NULL}, {before, NULL}}};              \
  const pc_run_other pc_run_##name = {"-" table ".csv", &pc_run_##name##_own, table, name##_head};
TABLE(end_table, "end", "a table of final positions", "x,y,z,qw,qx,qy,qz,vx,vy,vz,", NULL)
OTHER(pc_run_deposit, "-deposit.asc", "the map of a deposit",
      "ncols " PC_OWN_DIGITS "\nnrows " PC_OWN_DIGITS "\nxllcorner ", NULL)
TABLE(outline, "outline", "the outline of a deposit", "outline,x,y\n", "outline,x [m],y [m]\n")
TABLE(exits, "exits", "a table of exits", "person,group,exit,time,start_floor,",
      "person,group,exit,time [s],")
TABLE(hits, "hits", "a table of hits", "sensor,body,by,begin,end,x,y,z,impulse_x,",
      "sensor,body,by,begin [s],")
TABLE(maps, "maps", "the maps of a crowd", "floor,x,y,area,density,largest_density,",
      "floor,x [m],y [m],area [m2],")
OTHER(pc_run_trajectories, "-trajectories.txt", "the trajectories of a crowd",
      "# framerate: ", NULL)
static const pc_own geometry_own = {"the geometry of a crowd",
                                    {{"POLYGON ", NULL}, {"MULTIPOLYGON (", NULL}}};
const pc_run_other pc_run_geometry = {"-geometry.wkt", &geometry_own, NULL, NULL};
TABLE(collisions, "collisions", "a table of collisions",
      "time,speed,percussion_N,percussion_T,lost,nodes,", "time [s],speed [m/s],percussion_N [")
const pc_run_other pc_run_profile = {"-profile.csv", &pc_profile_own, "profile", profile_head};
const pc_own pc_run_table = {"the table of a run",
                             {{"time,step,kinetic_translation,", NULL}, {"time [s],step,", NULL}}};

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
  files->units = pc_run_beside(output, "-units.csv");
  files->xdmf = pc_run_beside(output, ".xdmf");
  files->checkpoint = pc_run_beside(output, has_ending ? ".h5.checkpoint" : ".checkpoint");
  bool named = files->record != NULL && files->csv != NULL && files->units != NULL &&
               files->xdmf != NULL && files->checkpoint != NULL;
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
  free(files->units);
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
  if (scene->csv)
    list[count++] = (pc_run_file_of){files->units, &pc_units_own};
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

void pc_run_write_head(pc_replace *file, const pc_run_other *kind, const pc_scene *scene)
{
  char head[PC_RUN_HEAD];
  kind->head(scene, head);
  pc_csv_write_head(file, head);
}

char *pc_run_units_beside(const char *table)
{
  size_t length = pc_path_stem(table, ".csv");
  char *name = malloc(length + sizeof "-units.csv");
  if (name != NULL) {
    memcpy(name, table, length);
    strcpy(name + length, "-units.csv");
  }
  return name;
}

pc_status pc_run_write_units(const pc_run_files *files, const pc_columns *columns,
                             const pc_scene *scene, pc_error *error)
{
  char head[PC_RUN_HEAD];
  pc_replace *file = pc_units_begin(files->units, error);
  if (file == NULL)
    return error->status;
  for (int i = 0; i < columns->list.count; i++)
    pc_units_add(file, "run", columns->list.at[i].name, columns->list.at[i].unit);
  for (int i = 0; i < files->others; i++)
    if (files->kind[i]->head != NULL) {
      files->kind[i]->head(scene, head);
      pc_units_add_head(file, files->kind[i]->table, head);
    }
  return pc_replace_end(file, error);
}
