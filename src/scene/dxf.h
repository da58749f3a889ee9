// Drawings in ASCII DXF, R12 to 2018: lines, polylines, arcs, circles, ellipses and texts, also of
// blocks, as paths in metres, by layer.
#ifndef PERCUSS_SCENE_DXF_H
#define PERCUSS_SCENE_DXF_H

#include <stdbool.h>
#include <stddef.h>

#include "core/array.h"
#include "percuss/status.h"

// The numbers are those of $INSUNITS.
typedef enum pc_dxf_unit {
  PC_DXF_NO_UNIT,
  PC_DXF_INCH = 1,
  PC_DXF_FOOT = 2,
  PC_DXF_MILLIMETRE = 4,
  PC_DXF_CENTIMETRE = 5,
  PC_DXF_METRE = 6,
  PC_DXF_DECIMETRE = 14
} pc_dxf_unit;

typedef struct pc_dxf_def {
  pc_dxf_unit unit; // PC_DXF_NO_UNIT: that of the file
  double curves;    // m: how far chords are from the arcs that they replace, at most
} pc_dxf_def;

typedef struct pc_dxf_layer {
  const char *name;
  int paths, texts;
  int others; // entities that cannot be read, the type and the line of the first
  const char *other;
  int other_line;
} pc_dxf_layer;

typedef struct pc_dxf_path {
  int layer, line;          // of the file
  int first, count;         // points, of which no two that follow each other are the same
  bool closed;              // the last is connected with the first
  bool curved;              // with arcs
  double centre[2], radius; // of a circle; else the radius is 0
} pc_dxf_path;

typedef struct pc_dxf_text {
  int layer;
  double at[2];
  const char *text;
} pc_dxf_text;

typedef double pc_dxf_point[2];
typedef struct pc_dxf {
  PC_ARRAY(pc_dxf_layer) layers;
  PC_ARRAY(pc_dxf_path) paths;
  PC_ARRAY(pc_dxf_point) points;
  PC_ARRAY(pc_dxf_text) texts;
  pc_arena arena; // of names and texts
} pc_dxf;

// The text ends with a zero. `name` is what messages call the file. Free it also after a failure.
pc_status pc_dxf_read(pc_dxf *dxf, const pc_dxf_def *def, const char *name, const char *text,
                      size_t size, pc_error *error);
void pc_dxf_free(pc_dxf *dxf);
// The layer of a name, whose capitals do not matter; -1: there is none.
int pc_dxf_find_layer(const pc_dxf *dxf, const char *name);

#endif
