// Reference elements of one to three dimensions: shape functions, their gradients, quadrature.
//
// Lines, quadrangles and hexahedra live on [-1, 1], its square and its cube, triangles and
// tetrahedra on the origin and the unit points of the axes. Corners come first, then the nodes in
// the middle of edges, of faces, and the centre: the numbers of Gmsh. In the plane corners go
// counter-clockwise. Points have three coordinates; those beyond an element's dimension are 0.
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
  PC_TETRAHEDRON4,
  PC_TETRAHEDRON10,
  PC_HEXAHEDRON8,
  PC_HEXAHEDRON20,
  PC_HEXAHEDRON27,
} pc_element;

enum {
  PC_ELEMENTS = 13,
  PC_ELEMENT_NODES_MAX = 27,
  PC_SIDE_NODES_MAX = 9,
  PC_SIDE_CORNERS_MAX = 4,
  PC_QUADRATURE_MAX = 216
};

typedef struct pc_element_info {
  const char *name;
  int dimension, nodes, corners, sides, edges;
  int order; // of its polynomials
  // Of the products of two shape functions and the Jacobian, curved or not; of hexahedra with
  // straight edges.
  int mass_degree;
  pc_element linear; // the element with the same corners and no other nodes
  pc_element side;   // what its sides are
  double centre[3];  // in the reference element
} pc_element_info;

const pc_element_info *pc_element_of(pc_element type);

// Nodes of a side, in the order of the side's own nodes; places that it does not use are -1. In the
// plane the element lies on its left, in space it turns counter-clockwise seen from outside.
void pc_element_side(pc_element type, int side, int node[PC_SIDE_NODES_MAX]);
// Nodes of an edge: its ends, and the one in the middle or -1.
void pc_element_edge(pc_element type, int edge, int node[3]);
// Where node i is in the reference element.
void pc_element_place(pc_element type, int i, double xi[3]);
// Values and gradients in the reference element; each may be NULL.
void pc_element_shape(pc_element type, const double xi[3], double *value, double (*gradient)[3]);

typedef struct pc_quadrature {
  int points;
  double at[PC_QUADRATURE_MAX][3];
  double weight[PC_QUADRATURE_MAX];
} pc_quadrature;

// Exact for polynomials of this degree (on quadrangles and hexahedra: in each direction). At most
// degree 15 on lines and quadrangles, 13 on triangles, 11 on hexahedra, 9 on tetrahedra; false
// above.
bool pc_quadrature_make(pc_quadrature *rule, pc_element type, int degree);

// A point of an element: where it is, shape functions with their gradients in x, and the
// determinant of the map from the reference element. For a line in the plane (an element of a
// one-dimensional mesh) the determinant is that of its length, `tangent` its unit tangent and the
// gradients are along it.
typedef struct pc_element_point {
  double x[3], value[PC_ELEMENT_NODES_MAX], gradient[PC_ELEMENT_NODES_MAX][3];
  double determinant;
  double tangent[3];
} pc_element_point;

// `node`: the coordinates of the element's nodes. Gradients need a determinant that is not zero.
void pc_element_map(pc_element type, const double (*node)[3], const double xi[3],
                    pc_element_point *point);

// A rule with the shape functions at its points, which all elements of a type share.
typedef struct pc_element_rule {
  pc_quadrature quadrature;
  pc_element type;
  double value[PC_QUADRATURE_MAX][PC_ELEMENT_NODES_MAX];
  double gradient[PC_QUADRATURE_MAX][PC_ELEMENT_NODES_MAX][3]; // in the reference element
  double linear[PC_QUADRATURE_MAX][PC_ELEMENT_NODES_MAX];      // shape functions of the corners
} pc_element_rule;
bool pc_element_rule_make(pc_element_rule *rule, pc_element type, int degree);
// The map at a point of the rule: the same bits as pc_element_map there.
void pc_element_rule_map(const pc_element_rule *rule, int point, const double (*node)[3],
                         pc_element_point *to);

// A point of a side: of a line in the plane, a surface in space, or the end of a line. `size` is
// the length or area of surface per unit of the reference element, the normal points away from the
// element; that of an end of a line is not known here and 0.
typedef struct pc_side_point {
  double x[3], value[PC_SIDE_NODES_MAX], size, normal[3];
} pc_side_point;
void pc_side_map(pc_element type, const double (*node)[3], const double xi[3],
                 pc_side_point *point);

#endif
