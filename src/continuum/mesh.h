// Meshes of a line, the plane and space: nodes, elements, named sides.
//
// A mesh is a plain struct, zero is empty. Adding does not report errors at once: when memory is
// out or a number is invalid, `failed` is set, later additions do nothing, and pc_fe_mesh_done or a
// check reports it. Sides are faces in space, lines in the plane, points on a line. In the plane
// the element lies on the left of its side, so the tangent turned clockwise is the outward normal;
// in space a side turns counter-clockwise seen from outside.
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
  int dimension; // 1, 2 or 3
  int nodes, node_room;
  double (*node)[3]; // numbers beyond the dimension are 0
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
// Its number, -1 on failure.
int pc_fe_mesh_add_node(pc_fe_mesh *mesh, double x, double y, double z);
// The group of this name and dimension, added if it is new; -1 on failure.
int pc_fe_mesh_add_group(pc_fe_mesh *mesh, const char *name, int dimension);
int pc_fe_mesh_find_group(const pc_fe_mesh *mesh, const char *name, int dimension); // or -1
// An element or, with one dimension less than the mesh, a side.
void pc_fe_mesh_add(pc_fe_mesh *mesh, pc_element type, const int *node, int group);
// A side of two nodes in the plane; name NULL: none.
void pc_fe_mesh_add_side(pc_fe_mesh *mesh, const char *name, int a, int b);
// Coordinates of the nodes of a cell; their number.
int pc_fe_mesh_corners(const pc_fe_mesh *mesh, const pc_fe_cells *cells, int cell,
                       double node[PC_ELEMENT_NODES_MAX][3]);

// Mirrors elements that run the wrong way round, and sides whose only element is on their inner
// side.
pc_status pc_fe_mesh_orient(pc_fe_mesh *mesh, pc_error *error);

// A side or an edge of an element. A list of them is sorted by their corners, then by element, so
// that those which elements share follow each other.
typedef struct pc_fe_facet {
  int corner[PC_SIDE_CORNERS_MAX]; // in increasing order, then -1; on a line the node
  int cell, number;
} pc_fe_facet;
// All sides or all edges of all elements, `count` of them; NULL when memory is out. Freed by the
// caller. In the plane both are the same.
pc_fe_facet *pc_fe_mesh_sides(const pc_fe_mesh *mesh, int *count);
pc_fe_facet *pc_fe_mesh_edges(const pc_fe_mesh *mesh, int *count);
// The first of the list with these corners, in any order, or -1.
int pc_fe_facet_find(const pc_fe_facet *list, int count, int corners, const int *corner);
// The first of the list that is a side of the mesh.
int pc_fe_facet_find_side(const pc_fe_facet *list, int count, const pc_fe_mesh *mesh, int side);
bool pc_fe_facet_same(const pc_fe_facet *a, const pc_fe_facet *b);
// Whether a side of the mesh runs as the side of its element does: its normal points outwards.
bool pc_fe_facet_runs_along(const pc_fe_mesh *mesh, const pc_fe_facet *facet, int side);

// A place as the texts of errors have it: (x, y), in space (x, y, z). An element or a side with its
// number, kind, group and place.
typedef struct pc_fe_text {
  char text[256];
} pc_fe_text;
pc_fe_text pc_fe_place_text(const pc_fe_mesh *mesh, const double place[3]);
pc_fe_text pc_fe_cell_text(const pc_fe_mesh *mesh, const pc_fe_cells *cells, int cell);

// Checks; the text names the element, from 0, its group and its place.
//
// Numbers are in range, no node appears twice in an element or without one, every side belongs to
// an element, and all maps from the reference elements are one to one: proven, not sampled, by the
// Bernstein coefficients of the determinant.
pc_status pc_fe_mesh_check(const pc_fe_mesh *mesh, pc_error *error);
// The map of one element.
pc_status pc_fe_mesh_check_map(const pc_fe_mesh *mesh, int cell, pc_error *error);
// Elements fit side to side: no side has three elements or is used twice in one direction, and in
// the plane no node lies in the middle of another element's side. Nodes may coincide, as in a
// surface of contact; those of each pair of groups of sides may touch the other's sides anywhere.
pc_status pc_fe_mesh_check_conforming(const pc_fe_mesh *mesh, int pairs, const int (*pair)[2],
                                      pc_error *error);
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
// A box of elements between the places along x, y and z, all increasing. Tetrahedra are sixths of
// the bricks, all along the same diagonal. Sides with a name are kept.
typedef struct pc_fe_box {
  int cells[3];
  const double *place[3]; // cells + 1 of each
  pc_element type;        // of 4 or 8 nodes
  const char *name;
  const char *low[3], *high[3]; // sides at the low and high end of x, y and z
} pc_fe_box;
void pc_fe_mesh_add_box(pc_fe_mesh *mesh, const pc_fe_box *box);
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
// Linear elements get middle nodes; with `centre` quadrangles have 9 nodes and hexahedra 27, else 8
// and 20.
pc_status pc_fe_mesh_quadratic(pc_fe_mesh *mesh, bool centre, pc_error *error);

// The size of the mesh: the diagonal of the box around it.
double pc_fe_mesh_size(const pc_fe_mesh *mesh);
// The outward normal of an end of a line: 1 or -1; 0 where two elements meet.
double pc_fe_mesh_end_normal(const pc_fe_mesh *mesh, int node);
// The length of a vector.
double pc_fe_length(const double v[3]);

#endif
