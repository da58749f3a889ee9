// Reference elements of one and two dimensions: shape functions, their gradients, quadrature.
//
// Lines and quadrangles live on [-1, 1] and its square, triangles on (0,0) (1,0) (0,1). Corners
// come first, counter-clockwise, then the nodes in the middle of the sides in the same order, then
// the centre: the numbers of Gmsh.
#ifndef PERCUSS_CONTINUUM_ELEMENTS_H
#define PERCUSS_CONTINUUM_ELEMENTS_H

#include <stdbool.h>

typedef enum pc_element {
  PC_POINT1,
  PC_LINE2,
  PC_LINE3,
  PC_TRIANGLE3,
  PC_TRIANGLE6,
  PC_QUAD4,
  PC_QUAD8,
  PC_QUAD9,
} pc_element;

enum { PC_ELEMENTS = 8, PC_ELEMENT_NODES_MAX = 9, PC_QUADRATURE_MAX = 64 };

typedef struct pc_element_info {
  const char *name;
  int dimension, nodes, corners, sides;
  int order;         // of its polynomials
  int mass_degree;   // of the products of two shape functions and the Jacobian, curved or not
  pc_element linear; // the element with the same corners and no other nodes
  pc_element side;   // what its sides are
  double centre[2];  // in the reference element
} pc_element_info;

const pc_element_info *pc_element_of(pc_element type);

// Nodes of a side, in the order of the side's own nodes; the element lies on its left.
void pc_element_side(pc_element type, int side, int node[3]);
// Where node i is in the reference element.
void pc_element_place(pc_element type, int i, double xi[2]);
// Values and gradients in the reference element; each may be NULL.
void pc_element_shape(pc_element type, const double xi[2], double *value, double (*gradient)[2]);

typedef struct pc_quadrature {
  int points;
  double at[PC_QUADRATURE_MAX][2];
  double weight[PC_QUADRATURE_MAX];
} pc_quadrature;

// Exact for polynomials of this degree (on quadrangles: in each direction). At most degree 15 on
// lines and quadrangles, 13 on triangles; false above.
bool pc_quadrature_make(pc_quadrature *rule, pc_element type, int degree);

// A point of an element in the plane: where it is, shape functions with their gradients in x, and
// the determinant of the map from the reference element. For a line in the plane (a side, or an
// element of a one-dimensional mesh) the determinant is that of its length, `tangent` its unit
// tangent and the gradients are along it.
typedef struct pc_element_point {
  double x[2], value[PC_ELEMENT_NODES_MAX], gradient[PC_ELEMENT_NODES_MAX][2];
  double determinant;
  double tangent[2];
} pc_element_point;

// `node`: the coordinates of the element's nodes. Gradients need a determinant that is not zero.
void pc_element_map(pc_element type, const double (*node)[2], const double xi[2],
                    pc_element_point *point);

#endif
