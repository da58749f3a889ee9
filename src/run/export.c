// Exports of recorded runs: which frames and files, and the table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "record/units.h"
#include "run/exporting.h"
#include "run/files.h"

#define TABLE_HEAD                                                                                 \
  "frame,time [s],body,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],wx [rad/s],"       \
  "wy [rad/s],wz [rad/s],mass [kg]"
static const pc_own table_own = {"a table of bodies",
                                 {{"frame,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,", NULL}}};

static void write_row(pc_replace *file, const pc_exporting *e, long k, int i)
{
  const pc_recorded_frame *f = &e->frame;
  const struct {
    int count;
    const double *number;
  } parts[] = {{3, f->position[i]},  {4, f->orientation[i]},
               {3, f->velocity[i]},  {3, f->spin[i]},
               {1, &e->run.mass[i]}, {1, f->temperature != NULL ? &f->temperature[i] : NULL}};
  pc_replace_print(file, "%ld,", k);
  pc_replace_number(file, f->time, ',');
  pc_replace_text(file, e->run.name[i]);
  for (size_t p = 0; p < sizeof parts / sizeof *parts && parts[p].number != NULL; p++)
    for (int c = 0; c < parts[p].count; c++) {
      pc_replace_write(file, ",", 1);
      char text[PC_CSV_NUMBER];
      pc_replace_write(file, text, (size_t)pc_csv_number(parts[p].number[c], text));
    }
  pc_replace_write(file, "\n", 1);
}

static pc_status write_units(const char *path, const char *head, pc_error *error)
{
  pc_replace *file = pc_units_begin(path, error);
  if (file == NULL)
    return error->status;
  pc_units_add_head(file, "bodies", head);
  return pc_replace_end(file, error);
}

static pc_status write_table(pc_exporting *e, const char *head, pc_error *error)
{
  pc_replace *file = pc_replace_begin(e->output, &table_own, error);
  if (file == NULL)
    return error->status;
  pc_csv_write_head(file, head);
  pc_status status = PC_OK;
  for (long k = 0; k < e->count && status == PC_OK; k++) {
    long frame = pc_exporting_frame(e, k);
    status = pc_recorded_read(&e->run, frame, &e->frame, error);
    for (int i = 0; i < e->run.bodies && status == PC_OK; i++)
      if (e->frame.there[i] && !e->rests[i])
        write_row(file, e, frame, i);
  }
  if (status == PC_OK)
    return pc_replace_end(file, error);
  pc_replace_discard(file);
  return status;
}

static pc_status export_csv(pc_exporting *e, pc_error *error)
{
  const char *head = e->run.heated ? TABLE_HEAD ",temperature [K]" : TABLE_HEAD;
  char *units = pc_run_units_beside(e->output);
  if (units == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pc_replace_check(e->output, &table_own, error);
  if (status == PC_OK)
    status = pc_replace_check(units, &pc_units_own, error);
  if (status == PC_OK)
    status = write_table(e, head, error);
  if (status == PC_OK)
    status = write_units(units, head, error);
  free(units);
  e->exported.files = 2;
  return status;
}

static pc_status choose_frames(pc_exporting *e, const pc_export_options *o, pc_error *error)
{
  long frames = e->run.frames, last = o->last < 0 ? frames - 1 : o->last;
  if (frames < 1)
    return pc_fail(error, PC_ERROR_INPUT, "%s has no frames yet", e->path);
  if (o->first < 0 || o->last < -1 || o->every < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "frames are counted from 0 and the step must be at least 1");
  if (last >= frames || o->first > last)
    return pc_fail(error, PC_ERROR_INPUT, "%s has frames 0 to %ld; %ld to %ld is not a valid range",
                   e->path, frames - 1, o->first, last);
  e->first = o->first;
  e->every = o->every > 0 ? o->every : 1;
  e->count = (last - o->first) / e->every + 1;
  return PC_OK;
}

static bool is_same_pose(const pc_recorded_frame *f, const pc_recorded_frame *g, int i)
{
  return memcmp(f->position[i], g->position[i], sizeof f->position[i]) == 0 &&
         memcmp(f->orientation[i], g->orientation[i], sizeof f->orientation[i]) == 0;
}

// Fixed bodies where the first and the last of the frames have them, and no doors.
static pc_status find_resting(pc_exporting *e, pc_error *error)
{
  enum { FIXED = 1 };
  pc_recorded *r = &e->run;
  pc_recorded_frame last;
  e->rests = pc_arena_take(&r->memory, (size_t)r->bodies + 1, sizeof *e->rests);
  if (!pc_recorded_make_frame(r, &e->frame) || !pc_recorded_make_frame(r, &last))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pc_recorded_read(r, e->first, &e->frame, error);
  if (status == PC_OK)
    status = pc_recorded_read(r, pc_exporting_frame(e, e->count - 1), &last, error);
  for (int i = 0; i < r->bodies && status == PC_OK; i++)
    e->rests[i] = r->kind[i] == FIXED && !r->passing[i] && is_same_pose(&e->frame, &last, i);
  return status;
}

static pc_status make_surfaces(pc_exporting *e, pc_error *error)
{
  pc_recorded *r = &e->run;
  int detail = pc_surface_detail(r);
  e->surface = calloc((size_t)r->shapes.count + 1, sizeof *e->surface);
  for (int i = 0; i < r->shapes.count; i++)
    if (e->surface == NULL || !pc_surface_make(r, i, detail, &e->surface[i]))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < r->bodies; i++)
    if (pc_surface_is_empty(&e->surface[r->shape[i]]))
      e->exported.left_out++;
    else if (e->rests[i])
      e->exported.obstacles++;
    else
      e->exported.bodies++;
  return PC_OK;
}

static pc_status export_run(pc_exporting *e, const pc_export_options *o, pc_error *error)
{
  pc_status status = pc_recorded_open(e->path, &e->run, error);
  if (status == PC_OK)
    status = choose_frames(e, o, error);
  if (status == PC_OK)
    status = find_resting(e, error);
  if (status == PC_OK)
    status = make_surfaces(e, error);
  e->exported.frames = e->count;
  if (status != PC_OK)
    return status;
  return o->format == PC_EXPORT_VTK    ? pc_export_vtk(e, error)
         : o->format == PC_EXPORT_GLTF ? pc_export_gltf(e, error)
                                       : export_csv(e, error);
}

pc_status pc_run_export(const char *path, const pc_export_options *options, pc_exported *exported,
                        pc_error *error)
{
  static const char *const endings[] = {"-vtk", ".glb", "-bodies.csv"};
  if (path == NULL || options == NULL)
    return pc_fail_null(error, "the name of the run and the options");
  if ((int)options->format < PC_EXPORT_VTK || (int)options->format > PC_EXPORT_CSV)
    return pc_fail(error, PC_ERROR_ARGUMENT, "unknown export format");
  pc_error unheard = {.status = PC_OK};
  error = error != NULL ? error : &unheard;
  pc_exporting e = {.path = path};
  e.output = options->output != NULL ? strdup(options->output)
                                     : pc_run_beside(path, endings[options->format]);
  pc_status status = e.output != NULL ? export_run(&e, options, error)
                                      : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < e.run.shapes.count && e.surface != NULL; i++)
    pc_surface_free(&e.surface[i]);
  free(e.surface);
  pc_recorded_free(&e.run);
  free(e.output);
  if (exported != NULL)
    *exported = e.exported;
  return status;
}
