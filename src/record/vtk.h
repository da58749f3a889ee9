// VTK PolyData files (.vtp) with raw numbers, and the collection (.pvd) that gives them times: what
// every ParaView reads.
#ifndef PERCUSS_RECORD_VTK_H
#define PERCUSS_RECORD_VTK_H

#include <stdint.h>

#include "record/own.h"
#include "record/record.h"

// One array of numbers, `components` for each point: float, double, int32_t or uint8_t.
typedef struct pc_vtk_array {
  const char *name;
  pc_record_type type; // DOUBLE, FLOAT, INT or BYTE, as the data are
  int components;
  const void *data;
} pc_vtk_array;

// Cells: the points of all, and where each ends in that list.
typedef struct pc_vtk_cells {
  int count;
  const int32_t *point, *end;
} pc_vtk_cells;

typedef struct pc_vtk {
  double time;
  int points;
  pc_vtk_array place; // of the points, 3 components
  pc_vtk_cells verts, lines, polys;
  int arrays;
  const pc_vtk_array *array;
  const char *scalars; // the array that is shown first; NULL: none
} pc_vtk;

extern const pc_own pc_vtk_own, pc_vtk_series_own;

// Both replace the file atomically.
pc_status pc_vtk_write(const char *path, const pc_vtk *data, pc_error *error);
pc_status pc_vtk_write_series(const char *path, int count, const double *times,
                              const char *const *files, pc_error *error);

#endif
