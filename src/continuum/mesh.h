// Meshes of the plane and of a line: nodes, elements, named sides.
//
// A mesh is a plain struct, zero is empty. Adding does not report errors at once: when memory is
// out or a number is invalid, `failed` is set, later additions do nothing, and pc_fe_mesh_done or a
// check reports it. Sides are lines in the plane, points on a line. The element lies on the left of
// its side, so the tangent turned clockwise is the outward normal.
#ifndef PERCUSS_CONTINUUM_MESH_H
#define PERCUSS_CONTINUUM_MESH_H

#include <stdbool.h>

#include "continuum/elements.h"
#include "percuss/status.h"

typedef struct pc_fe_cell {
  pc_element type;
  int first; // its nodes in the list
  int group;
} pc_fe_cell;

typedef struct pc_fe_cells {
  int count, room;
  pc_fe_cell *cell;
  int listed, list_room;
  int *node;
} pc_fe_cells;

typedef struct pc_fe_group {
  char name[128];
  int dimension; // of its elements
} pc_fe_group;

typedef struct pc_fe_mesh {
  int dimension; // 1 or 2
  int nodes, node_room;
  double (*node)[2]; // on a line the second number is 0
  pc_fe_cells body;  // the elements
  pc_fe_cells side;  // the sides that have a group
  int groups, group_room;
  pc_fe_group *group;
  pc_status failed;
} pc_fe_mesh;

pc_fe_mesh pc_fe_mesh_empty(int dimension);
void pc_fe_mesh_free(pc_fe_mesh *mesh);
// The status of all additions so far, with its text.
pc_status pc_fe_mesh_done(const pc_fe_mesh *mesh, pc_error *error);

// Marks an addition that makes no sense.
void pc_fe_mesh_reject(pc_fe_mesh *mesh);
int pc_fe_mesh_add_node(pc_fe_mesh *mesh, double x, double y); // its number, -1 on failure
// The group of this name and dimension, added if it is new; -1 on failure.
int pc_fe_mesh_add_group(pc_fe_mesh *mesh, const char *name, int dimension);
int pc_fe_mesh_find_group(const pc_fe_mesh *mesh, const char *name, int dimension); // or -1
// An element or, with one dimension less than the mesh, a side.
void pc_fe_mesh_add(pc_fe_mesh *mesh, pc_element type, const int *node, int group);
// A side of two nodes in the plane; name NULL: none.
void pc_fe_mesh_add_side(pc_fe_mesh *mesh, const char *name, int a, int b);
// Coordinates of the nodes of a cell; their number.
int pc_fe_mesh_corners(const pc_fe_mesh *mesh, const pc_fe_cells *cells, int cell,
                       double node[PC_ELEMENT_NODES_MAX][2]);

// Reverses clockwise elements, and sides whose only element is on the right.
pc_status pc_fe_mesh_orient(pc_fe_mesh *mesh, pc_error *error);

// All sides of all elements, sorted by their end nodes, then by element.
typedef struct pc_fe_edge {
  int low, high; // end nodes; on a line both are the node
  int cell, side;
} pc_fe_edge;
// `count` of them; NULL when memory is out. Freed by the caller.
pc_fe_edge *pc_fe_mesh_edges(const pc_fe_mesh *mesh, int *count);
// The first edge between these nodes, or -1.
int pc_fe_edge_find(const pc_fe_edge *edge, int count, int a, int b);

// Checks; the text names the element, from 0, its group and its place.
//
// Numbers are in range, no node appears twice in an element or without one, every side belongs to
// an element, and all maps from the reference elements are one to one: proven, not sampled, by the
// Bernstein coefficients of the determinant.
pc_status pc_fe_mesh_check(const pc_fe_mesh *mesh, pc_error *error);
// Elements fit side to side: no edge has three elements or is used twice in one direction, and no
// node lies in the middle of another element's side. Nodes may coincide, as in a surface of
// contact.
pc_status pc_fe_mesh_check_conforming(const pc_fe_mesh *mesh, pc_error *error);
// cells + 1 places from `from` to `to`; the last cell is `ratio` times the first.
void pc_fe_grade(double from, double to, int cells, double ratio, double *place);

// A rectangle of columns x rows elements between the places x and y, both increasing. Triangles
// are halves of the rectangles. Sides with a name are kept.
typedef struct pc_fe_rectangle {
  int columns, rows;
  const double *x, *y; // columns + 1 and rows + 1
  pc_element type;     // of 3 or 4 nodes
  const char *name, *bottom, *right, *top, *left;
} pc_fe_rectangle;
void pc_fe_mesh_add_rectangle(pc_fe_mesh *mesh, const pc_fe_rectangle *rectangle);
// A line of elements of 2 nodes, for a mesh of dimension 1.
void pc_fe_mesh_add_line(pc_fe_mesh *mesh, int cells, const double *x, const char *name,
                         const char *left, const char *right);
// partner[i] is the node of the second group of sides at the place of node i of the first, -1 for
// nodes outside it. PC_ERROR_ARGUMENT when one finds none.
pc_status pc_fe_mesh_match(const pc_fe_mesh *mesh, int first, int second, int *partner,
                           pc_error *error);
// Merges the nodes of the sides of the first group with those at the same places of the second;
// both groups then have no sides. PC_ERROR_ARGUMENT when a node finds no partner.
pc_status pc_fe_mesh_join(pc_fe_mesh *mesh, const char *first, const char *second, pc_error *error);
// Elements of 2, 3 and 4 nodes get middle nodes; with `centre` quadrangles have 9 nodes, else 8.
pc_status pc_fe_mesh_quadratic(pc_fe_mesh *mesh, bool centre, pc_error *error);

// The size of the mesh: the diagonal of the box around it.
double pc_fe_mesh_size(const pc_fe_mesh *mesh);

#endif
