// Exports a recorded run for other programs: bodies with shapes, positions and orientations.
#ifndef PERCUSS_EXPORT_H
#define PERCUSS_EXPORT_H

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum pc_export_format {
  PC_EXPORT_VTK,  // a folder for ParaView: bodies.pvd, obstacles.vtp, contacts.pvd
  PC_EXPORT_GLTF, // one binary glTF 2.0 file with an animation
  PC_EXPORT_CSV   // one table: a line for each body and frame
} pc_export_format;

typedef struct pc_export_options {
  pc_export_format format;
  const char *output; // a folder of VTK, else a file; NULL: RUN-vtk, RUN.glb, RUN-bodies.csv
  long first, last;   // frames from 0; last -1: the last one
  long every;         // export every `every`-th frame; 0: all
} pc_export_options;

typedef struct pc_exported {
  long frames, files;
  int bodies, obstacles; // exported; obstacles are fixed
  int left_out;          // infinite planes, which are not exported
} pc_exported;

// Reads RUN.h5, even while it is being written, and writes the files. Existing exports are
// replaced. PC_ERROR_INPUT if another kind of file exists there, or if the run has no bodies or no
// such frames. `exported` may be NULL.
pc_status pc_run_export(const char *path, const pc_export_options *options, pc_exported *exported,
                        pc_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
