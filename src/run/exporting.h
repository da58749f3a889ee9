// What the formats of an export share.
#ifndef PERCUSS_RUN_EXPORTING_H
#define PERCUSS_RUN_EXPORTING_H

#include "percuss/export.h"
#include "run/surfaces.h"

// Single precision resolves 1 mm up to this distance from the origin, m. Beyond it, places are
// written in double precision (VTK) or relative to an origin near the bodies (glTF).
#define PC_FAR_AWAY 1e4

typedef struct pc_exporting {
  const char *path; // of the run
  char *output;     // a folder or a file
  pc_recorded run;
  pc_recorded_frame frame; // the one that was read last
  long first, every, count;
  bool *rests;          // bodies that stand still in all of these frames: obstacles
  pc_surface *surface;  // of each shape
  pc_exported exported; // so far
} pc_exporting;

// Number k of the chosen frames.
static inline long pc_exporting_frame(const pc_exporting *e, long k)
{
  return e->first + k * e->every;
}

static inline bool pc_surface_is_empty(const pc_surface *surface)
{
  return surface->face_ends.count == 0 && surface->line_ends.count == 0;
}

// export_vtk.c, export_gltf.c
pc_status pc_export_vtk(pc_exporting *e, pc_error *error);
pc_status pc_export_gltf(pc_exporting *e, pc_error *error);

#endif
