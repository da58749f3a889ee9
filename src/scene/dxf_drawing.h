// The entities of a DXF file as they are written, in blocks and in the drawing.
#ifndef PERCUSS_SCENE_DXF_DRAWING_H
#define PERCUSS_SCENE_DXF_DRAWING_H

#include "core/names.h"
#include "scene/dxf.h"
#include "scene/dxf_codes.h"

typedef enum pc_dxf_kind {
  PC_DXF_LINE,
  PC_DXF_POLYLINE,
  PC_DXF_CIRCLE,
  PC_DXF_ARC,
  PC_DXF_ELLIPSE,
  PC_DXF_INSERT,
  PC_DXF_TEXT,
  PC_DXF_OTHER,  // might be a wall, but cannot be read
  PC_DXF_NOTHING // is never a wall: hatches, dimensions ...
} pc_dxf_kind;

typedef struct pc_dxf_entity {
  pc_dxf_kind kind;
  int layer, line;
  bool closed;
  bool mirrored;   // its plane is seen from behind
  bool aside;      // in another plane, or on paper
  double at[2];    // start, centre, place
  double other[2]; // end of a line; from the centre of an ellipse to the end of its long axis
  double size[3];  // codes 40, 41, 42: radius or ratio; first and last parameter, or scale
  double angle[2]; // codes 50, 51, degrees
  double step[2];  // of columns and rows
  int columns, rows;
  int first, count; // vertices of a polyline
  const char *text; // of a text; name of the block; type, if it cannot be read
} pc_dxf_entity;

typedef struct pc_dxf_vertex {
  double at[2], bulge; // tan(angle / 4) of the arc to the next one
} pc_dxf_vertex;

typedef struct pc_dxf_block {
  int first, count; // entities
  double base[2];
} pc_dxf_block;

typedef struct pc_dxf_drawing {
  PC_ARRAY(pc_dxf_entity) entities;
  PC_ARRAY(pc_dxf_vertex) vertices;
  PC_ARRAY(pc_dxf_block) blocks; // by `names`
  pc_names names;                // of blocks, in small letters
  pc_names layers;               // in small letters; their numbers are those of the pc_dxf
  int zero;                      // layer "0", -1: none. In a block it is the layer of the insertion
  pc_dxf_block model;
  int unit; // $INSUNITS
} pc_dxf_drawing;

// A name in small letters, cut to 200 bytes, as names are compared.
typedef struct pc_dxf_key {
  char text[200];
} pc_dxf_key;
pc_dxf_key pc_dxf_key_of(const char *name);

// dxf_entity.c: the entity whose code 0 was just read; then the pair behind it is the present one.
void pc_dxf_read_entity(pc_dxf_codes *codes, pc_dxf_drawing *drawing, pc_dxf *dxf);

// dxf_draw.c: draws the model, with all insertions of blocks, as paths in metres.
void pc_dxf_draw(pc_dxf_codes *codes, const pc_dxf_drawing *drawing, const pc_dxf_def *def,
                 pc_dxf *dxf);

#endif
