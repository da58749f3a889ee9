// Finite elements as block matrices: one block row per node, with its velocities and, where a
// fluid has a corner, its pressure last (Taylor and Hood: quadratic velocities, linear pressures).
//
// The pattern is made once from the mesh, values are added term by term; the order of the additions
// is that of the elements, so that a matrix has the same bits in every run.
#ifndef PERCUSS_CONTINUUM_ASSEMBLY_H
#define PERCUSS_CONTINUUM_ASSEMBLY_H

#include "continuum/mesh.h"
#include "core/memory.h"
#include "sparse/block_matrix.h"

// The mean rigid motion of a connected part of the mesh.
typedef struct pc_fe_rigid {
  double nodes;
  double place[3], move[3];
  double turn[3];   // about the mean place
  double arm;       // sum of |arm|^2
  double spread[9]; // in space: sum of |arm|^2 1 - arm arm'
} pc_fe_rigid;

typedef struct pc_fe_space {
  pc_arena arena; // of all arrays
  const pc_fe_mesh *mesh;
  int components;    // of the velocity: 1 to 3
  int numbers;       // in a vector
  int bodies;        // rigid ones, block rows of `body_size` numbers after those of the nodes
  int body_size;     // velocities and spins: 6 in space, else 3
  int *row;          // block row of each node, then of each body
  int *size, *start; // numbers of each of them, and where they begin
  signed char *sign; // of each number: 1 velocity, -1 pressure; for pc_direct
  int interfaces;
  int **partner; // of each interface, as pc_fe_mesh_match gives it
  int (*pair)[2];
  int links;
  int (*link)[2];
  int parts; // of the mesh, connected by elements, and which one a node is of
  int *part;
  pc_fe_rigid *motion; // scratch of each part
} pc_fe_space;

// `fluid[g]`: elements of group g have pressures and must be quadratic; NULL: no group has. `pair`
// lists groups of sides that act on each other node by node through an interface. The mesh must
// outlive the space. On error the space is empty.
pc_status pc_fe_space_create(pc_fe_space *space, const pc_fe_mesh *mesh, int components,
                             const bool *fluid, int interfaces, const int (*pair)[2],
                             pc_error *error);
void pc_fe_space_free(pc_fe_space *space);
// Gives the marked nodes the last block rows of all nodes, in their order, and adds rigid bodies
// after them. `link`: groups of sides whose nodes act on a body. Call it before the first matrix is
// created.
pc_status pc_fe_space_arrange(pc_fe_space *space, const char *last, int bodies, int links,
                              const int (*link)[2], pc_error *error);
// A matrix of zeros with the pattern of the space.
pc_status pc_fe_space_matrix(const pc_fe_space *space, pc_block_matrix *matrix, pc_error *error);
// Index of a node's pressure in a vector, or -1.
int pc_fe_space_pressure(const pc_fe_space *space, int node);

// Coefficients of the quadratic forms of the velocity u and the test velocity v, integrated over
// elements.
typedef struct pc_fe_terms {
  double mass;         // m  u.v
  double strain;       // 2 k  D(u):D(v): the stress is 2 k D(u)
  double volume;       // k^ div u div v
  bool averaged;       // of div the mean over the element, as of a pressure that is constant there
  bool incompressible; // - p div v - q div u: the stress has - p 1. Groups of the fluid only
} pc_fe_terms;
// Adds the forms over the elements of a group; -1: over all elements.
void pc_fe_add_terms(const pc_fe_space *space, int group, const pc_fe_terms *terms,
                     pc_block_matrix *matrix);
// The form normal u_n v_n + tangential u_t v_t of the velocities at a point with normal n; on a
// line, one number.
void pc_fe_surface_form(int components, const double n[3], double normal, double tangential,
                        double form[3][3]);
// The same of one side, integrated: three velocities of each of its nodes.
enum { PC_FE_SIDE = 3 * PC_SIDE_NODES_MAX };
void pc_fe_side_form(const pc_fe_space *space, int side, double normal, double tangential,
                     double form[PC_FE_SIDE][PC_FE_SIDE]);

// Subtracts the mean translation and rotation of each connected part of the mesh. Strain matrices
// map rigid motions to zero only up to round-off, which is noise for a body that flies. Returns the
// largest rotation.
double pc_fe_drop_rigid(const pc_fe_space *space, const double *vector, double *to);

// A field given by the caller: value[components] at x.
typedef void pc_fe_field(void *context, const double x[3], double *value);
// The field that is context, an array of three numbers, everywhere.
void pc_fe_uniform(void *context, const double x[3], double *value);
// Integral of f.v over the cells, `body` or `side` of the mesh, of a group (-1: of all groups).
void pc_fe_add_load(const pc_fe_space *space, const pc_fe_cells *cells, int group,
                    pc_fe_field *field, void *context, double *vector);

// Unknowns with fixed[i] get value[i]. Their rows and columns go to the right hand side, which
// keeps the matrix symmetric. `value` NULL: zeros.
void pc_fe_fix(const pc_fe_space *space, const char *fixed, const double *value,
               pc_block_matrix *matrix, double *right);

#endif
