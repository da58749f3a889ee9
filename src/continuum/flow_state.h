// The parts of a flow, for its own files.
#ifndef PERCUSS_CONTINUUM_FLOW_STATE_H
#define PERCUSS_CONTINUUM_FLOW_STATE_H

#include "continuum/assembly.h"
#include "continuum/flow.h"
#include "core/array.h"
#include "sparse/direct.h"

// A side of the boundary: two ends and the middle; the fluid is on its left.
typedef struct pc_flow_side {
  int node[3];
  bool free; // no wall and not held
} pc_flow_side;

// A node of the free surface, and the direction along which it moves, out of the fluid.
typedef struct pc_flow_spine {
  int node;
  double direction[2];
} pc_flow_spine;

// A node of a straight wall moves with the surface at the ends of the wall, in proportion.
typedef struct pc_flow_slide {
  int node;
  int spine[2]; // at the ends, or -1
  double part;  // of the second
} pc_flow_slide;

typedef struct pc_flow_wall {
  double normal[2]; // out of the fluid
  int hold;         // the component along the normal that is held; -1: the wall is inclined
} pc_flow_wall;

// Part of the way of a spine's node: what the velocity of a node lifts it by, times d . n.
typedef struct pc_flow_carry {
  int spine, node;
  double part[2];
} pc_flow_carry;

// A face of a body: its first end, tangent, and normal into the fluid.
typedef struct pc_flow_face {
  double end[2], tangent[2], normal[2], length;
} pc_flow_face;

// How the mesh follows the surface.
typedef struct pc_flow_grid {
  pc_fe_space space;
  pc_block_matrix stiffness, fixed_stiffness;
  pc_direct *direct;
  char *fixed;
  double *scratch;
} pc_flow_grid;

// Velocities, heights and bodies.
typedef struct pc_flow_moment {
  double *u;                  // two of each node
  double *height;             // of each spine
  double (*place)[3];         // of bodies: x, y, angle
  double (*body)[PC_FE_BODY]; // their velocities
} pc_flow_moment;

// The numbers that change; saved as they are.
typedef struct pc_flow_tally {
  long steps;
  long part; // of the step, in shortest steps
  double rest, courant;
  int iterations;
  pc_fe_flow_account account;
} pc_flow_tally;

struct pc_fe_flow {
  pc_arena arena; // of all arrays but events
  pc_fe_flow_def def;
  pc_fe_mesh mesh; // its nodes are moved, its free sides are of the group `free`
  int free_group;
  double (*start)[3];   // the nodes as they were made
  double size;          // of the mesh as it was made
  double up[2], weight; // against gravity; density times gravity, N/m3
  double level;         // of the surface at the start: potential energies and pressures are from
                        // here, which keeps the pressures among the unknowns small
  int numbers;          // of the velocities

  int sides, spines, slides;
  pc_flow_side *side;
  pc_flow_spine *spine;
  pc_flow_slide *slide;
  int *spine_of; // of each node, or -1
  pc_flow_wall *wall;
  double *facing; // of each contact with a body: 1 or -1, the sign of its face's
                  // normal; 0: it does not look at a free surface
  pc_flow_grid grid;

  pc_flow_moment now, next;
  double *rate, *climb; // dU/dt and the heights' in the last part of a step: where to begin
  double (*x0)[3], (*x1)[3], (*x)[3], (*w)[3]; // meshes at the ends and in the middle, its velocity
  double (*normal)[2];                         // of each spine, in the middle
  pc_flow_carry *carry;                        // and how they rise; first their own parts
  int carries;
  double *mean, *change, *load, *forced; // Um, U1 - U, the load, the given force in it
  double *gradient, *slope;              // of the potential energy to the heights
  double *displacement;
  double (*body_load)[PC_FE_BODY];
  double (*middle)[3]; // places of bodies in the middle of a step
  double *pressure;

  pc_fe_medium medium;
  pc_fe_body *body;
  pc_fe_contact *contact; // of the collision
  int *contact_of;        // which of the flow's they are; -1: the surface that gravity lets sink
  int contacts;
  pc_fe_hold *hold;
  int holds;
  pc_fe_collision *collision; // of the try
  pc_fe_answer answer;
  char *closed, *struck, *hits; // of each contact and node
  char *lasts;                  // likewise: closed when the last step or collision was over

  pc_flow_tally tally;
  pc_fe_flow_touch *touch;
  PC_ARRAY(pc_fe_event) events;
  int events_before;
};

// Height above the level.
static inline double pc_flow_altitude(const pc_fe_flow *f, const double x[2])
{
  return f->up[0] * x[0] + f->up[1] * x[1] - f->level;
}

static inline size_t pc_flow_mark(const pc_fe_flow *f, int contact, int node)
{
  return (size_t)contact * (size_t)f->mesh.nodes + (size_t)node;
}

// flow_make.c: everything but the state; on error it can be freed.
pc_status pc_flow_make(pc_fe_flow *f, const pc_fe_flow_def *def, pc_error *error);
void pc_flow_free(pc_fe_flow *f);
// flow_boundary.c: sides, walls, spines.
pc_status pc_flow_find_boundary(pc_fe_flow *f, pc_error *error);

// flow_grid.c
pc_status pc_flow_grid_create(pc_fe_flow *f, pc_error *error);
void pc_flow_grid_free(pc_flow_grid *grid);
// Places of all nodes for heights of the spines.
pc_status pc_flow_place(pc_fe_flow *f, const double *height, double (*x)[3], pc_error *error);

// flow_surface.c: integrals over the boundary of a mesh with nodes at x.
void pc_flow_normals(const pc_fe_flow *f, const double (*x)[3], double (*normal)[2]);
// What a side gives to the normals of its nodes.
void pc_flow_side_normals(const pc_flow_side *side, const double (*x)[3], double normal[3][2]);
double pc_flow_potential(const pc_fe_flow *f, const double (*x)[3]);
double pc_flow_volume(const pc_fe_flow *f, const double (*x)[3]);
// How the potential energy changes with the height of each spine.
void pc_flow_potential_slope(const pc_fe_flow *f, const double (*x)[3], double *slope);
// Adds the product with u of the form `normal` u_n v_n on the free sides.
void pc_flow_add_spring(const pc_fe_flow *f, const double (*x)[3], double normal, const double *u,
                        double *load);
// Adds what the fluid's weight presses on walls, times h.
void pc_flow_press_walls(const pc_fe_flow *f, const double (*x)[3], double h, double *load);

// flow_transport.c: integrals over the elements of a mesh with nodes at x.
double pc_flow_kinetic(const pc_fe_flow *f, const double (*x)[3], const double *u);
// Adds what convection and the mass that moves with the mesh do in a step.
void pc_flow_transport(const pc_fe_flow *f, double h, double *load);
// (h/8) int rho div W |U1 - U|^2: energy that a step gets from the mesh.
double pc_flow_mesh_energy(const pc_fe_flow *f, double h);
// The largest speed against the mesh, in elements per step; INFINITY where the mesh has folded.
double pc_flow_courant(const pc_fe_flow *f, double h);

// flow_face.c: the face of a contact, its body at `place`; how far a point is before its plane, and
// whether it is beside it.
pc_flow_face pc_flow_face_of(const pc_fe_flow *f, int contact, const double (*place)[3]);
double pc_flow_face_gap(const pc_flow_face *face, const double x[2]);
bool pc_flow_face_covers(const pc_flow_face *face, const double x[2]);

// flow_follow.c: how the surface rises, from the normals and the faces in the middle of the step.
void pc_flow_find_carries(pc_fe_flow *f);
// Adds what it rises in h with the mean velocity, and to loads what the weight of that gives.
void pc_flow_rise(const pc_fe_flow *f, double h, double *height);
void pc_flow_add_weight(const pc_fe_flow *f, double h, double *load);

// flow_bodies.c
double pc_flow_time(const pc_fe_flow *f);
// Marks the nodes that bodies hit: now, or in the last try. Is there none?
bool pc_flow_is_open(pc_fe_flow *f);
bool pc_flow_is_clear(pc_fe_flow *f);
pc_status pc_flow_meet(pc_fe_flow *f, bool settle, pc_error *error);
// Refuses faces below the surface. The collision of a velocity at the start that walls or
// incompressibility do not admit.
pc_status pc_flow_begin(pc_fe_flow *f, pc_error *error);
// Nodes that are at rest on bodies now have been so from here on.
void pc_flow_keep_contacts(pc_fe_flow *f);
// After a step: percussions of contacts, and which nodes left their bodies.
void pc_flow_read_contacts(pc_fe_flow *f);

// flow_step.c: a try of h from `now` to `next`; `settled` is false if it did not converge.
pc_status pc_flow_try(pc_fe_flow *f, double h, bool *settled, pc_error *error);
// flow_collision.c: makes the collision of the fluid on the mesh at x with bodies at `place`: a
// step of h, one of what is struck, or one of the fluid alone that takes divergences off its
// velocity.
typedef enum pc_flow_kind { PC_FLOW_STEP, PC_FLOW_STRIKE, PC_FLOW_PROJECT } pc_flow_kind;
pc_status pc_flow_collision(pc_fe_flow *f, pc_flow_kind kind, double h, const double (*x)[3],
                            const double (*place)[3], pc_error *error);
// How far contacts at rest may drift; a node that is deeper in a body has come from beside.
static inline double pc_flow_drift(const pc_fe_flow *f)
{
  return 1e-4 * f->size;
}

// The viscosity of the free surface that gravity pulls back in a step.
static inline double pc_flow_spring(const pc_fe_flow *f, double h)
{
  return h * h / 4 * f->weight;
}

#endif
