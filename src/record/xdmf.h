// The XDMF 3 file of a run for ParaView: moving points with numbers on them, or a mesh. The data
// stay in the HDF5 file; XDMF refers to them.
#ifndef PERCUSS_RECORD_XDMF_H
#define PERCUSS_RECORD_XDMF_H

#include <stdbool.h>

#include "record/record.h"

// A dataset frames x points x components, or points x components if it is the same in all frames.
// Dimensions of 1 are dropped, as a record's series drop them (a fixed one keeps its points).
typedef struct pc_xdmf_array {
  const char *name;    // as ParaView shows it
  const char *dataset; // "frames/velocity"
  pc_record_type type;
  int components;
  bool fixed;
} pc_xdmf_array;

enum { PC_XDMF_ATTRIBUTES = 10 };
typedef struct pc_xdmf {
  const char *data; // name of the HDF5 file as seen from the XDMF file
  int points;
  long frames;
  const double *times; // of the frames
  pc_xdmf_array position;
  const char *index;         // dataset of the numbers 0 .. points - 1, int32; or, with `cells`:
  int cells;                 // elements, in a list of pc_xdmf_cell's codes and nodes, int32
  long listed;               // numbers in that list
  pc_xdmf_array cell_number; // of each element, the same in all frames
  int attribute_count;
  pc_xdmf_array attributes[PC_XDMF_ATTRIBUTES];
} pc_xdmf;

// XDMF's code of an element by its dimension, its corners and its nodes in all: lines of 2 and 3,
// triangles of 3 and 6, quadrangles of 4, 8 and 9, tetrahedra of 4 and 10, hexahedra of 8, 20 and
// 27 nodes. For a line of 2 the number of nodes follows the code (`counted`).
int pc_xdmf_cell(int dimension, int corners, int nodes, bool *counted);
// Which of an element's nodes XDMF lists in place i: Gmsh's order differs for solids of second
// order.
int pc_xdmf_node(int dimension, int corners, int nodes, int i);

// Replaces the file atomically.
pc_status pc_xdmf_write(const char *path, const pc_xdmf *description, pc_error *error);

#endif
