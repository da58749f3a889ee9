// The collision of a continuum (book, chapters 7 to 9): solids and incompressible fluids on one
// mesh, rigid bodies, surfaces of contact.
//
//     M (U+ - U-) = P_ext - K (U+ + U-) + reactions,     div U+ = 0 in fluids
//
// M is the mass matrix, K the percussion viscosities of volumes and surfaces. A collision is an
// impact problem: the linear part is condensed to the nodes of the contact surfaces by one
// factorisation, and `impact` solves the normal conditions there. Quantities are per metre of
// depth in the plane, on a line per square metre; units below are those of the plane.
#ifndef PERCUSS_CONTINUUM_COLLISION_H
#define PERCUSS_CONTINUUM_COLLISION_H

#include <stddef.h>

#include "continuum/assembly.h"
#include "continuum/mesh.h"
#include "continuum/push.h"

// Elements of a group. Sigma = 2 strain D(U+ + U-) + volume div(U+ + U-) 1, - P 1 in a fluid.
typedef struct pc_fe_medium {
  int group;
  bool fluid;            // incompressible: its elements must be quadratic
  double density;        // kg/m3, > 0
  double strain, volume; // kg/m, >= 0; volume >= -2 strain / dimension, in a fluid 0
  bool averaged;         // as in pc_fe_terms; not for stresses and heat
} pc_fe_medium;

// The velocity of a rigid body: on a line x, in the plane x, y and spin, in space x, y, z and the
// spins about three axes of its own. Numbers beyond these are 0.
enum { PC_FE_BODY = 6 };

// A rigid body; held components keep their velocity.
typedef struct pc_fe_body {
  double mass, inertia;  // kg/m, kg m
  double moments[3];     // in space, instead of `inertia`: of inertia about its axes, kg m2
  double centre[3];      // of mass, m
  bool held[PC_FE_BODY]; // as before the collision
} pc_fe_body;

typedef enum pc_fe_condition {
  PC_FE_LOOSE,      // only its viscosities act
  PC_FE_UNILATERAL, // U+ does not go through
  PC_FE_BILATERAL,  // nor apart
} pc_fe_condition;

// A part of a relative normal velocity that compares several nodes: `factor` . U of `node`.
typedef struct pc_fe_share {
  int node;
  double factor[3];
} pc_fe_share;

// How a node meets what moves between solves: a body, or sides whose nodes are elsewhere.
typedef struct pc_fe_meeting {
  double normal[3]; // N, into the other side
  double arm[3];    // from the body's centre to the node, m
  double least;     // of -w_N after, m/s: below 0 while there is a gap
  int shares;       // if there are any, N . U of the node is the sum of these; with other sides
                    // they are all of w_N
  const pc_fe_share *share;
  bool pulls; // w_N is minus that sum
} pc_fe_meeting;

// A surface of contact between sides of the mesh and other sides (node by node at the same places,
// or by `meeting`), a rigid body, or the ground, which does not move. With N the outward normal of
// `sides` and w = U
// - U_other: R = normal w_N N + tangential w_T of (U+ + U-), and w+_N <= 0 (8.48, 8.50, 9.25, 9.27,
// 9.29, 9.49).
typedef struct pc_fe_contact {
  int sides;
  int other;                 // a group of sides, or -1
  int body;                  // a rigid body, or -1
  double normal, tangential; // kg/m2, >= 0
  pc_fe_condition condition;
  bool lumped;          // viscosities node by node, by the nodes' weights, instead of integrated
  const char *touching; // of every node of the mesh, for solids that touch in part; NULL: all do.
                        // Then `lumped`
  double direction[3];  // N, for a plane that sides meet which are not flat; zeros: their own N
  const double *least;  // of every node: the least -w_N after, m/s; NULL: 0, or that of `meeting`
  // Of every node: it touched before, and (w+ + w-)_N <= 0 instead of w+_N <= 0: then the reaction
  // does no work, whatever N has become. NULL: none.
  const char *lasting;
  // Of every node of the mesh, for a body or other sides that move: it takes the place of N and of
  // the body's centre or the node opposite. Without viscosities, with `touching`. `axes`: those of
  // the body's spins, row by row, own axes -> world; NULL: those of the world.
  const pc_fe_meeting *meeting;
  const double *axes;
  // Conditions that no node has, at places that change: their number instead of the nodes' one
  // says which. `touching` and `meeting` are of these, and each meeting has shares of nodes of
  // `sides`. 0: none, the nodes have the conditions.
  int points;
} pc_fe_contact;

// Prescribes velocities at the nodes of sides, or at one node (a hinge): 0, or with `kept` those
// before the collision. The
// first hold of a node and component applies. A contact condition that only involves held
// velocities is dropped; if a hold contradicts it, there is no solution.
typedef struct pc_fe_hold {
  int sides; // or -1
  int node;  // if there are no sides
  bool x, y, z, kept;
} pc_fe_hold;

// The mesh must outlive the collision. Everything else is copied, except `touching`, `least`,
// `lasting`, `meeting`, `axes`, `load`, `body_load` and `about`, which are read in every solve.
typedef struct pc_fe_collision_def {
  const pc_fe_mesh *mesh;
  int media, bodies, contacts, holds, pushes;
  const pc_fe_medium *medium; // every element has one
  const pc_fe_body *body;
  const pc_fe_contact *contact;
  const pc_fe_hold *hold;
  const pc_fe_push *push;
  const double *load; // external percussions of all nodes, N s/m, read in every solve; or NULL
  const double (*body_load)[PC_FE_BODY]; // of the bodies, likewise; or NULL
  // Of all nodes: the viscosities of volumes act on U+ + U- less this; or NULL. Then a step of a
  // solid that is not linear is a row of collisions, about the sum of velocities of the one before.
  const double *about;
  bool mean; // div (U+ + U-) = 0 instead of div U+ = 0: a step in time, in which pressures do
             // no work
  double tolerance; // of the conditions at contacts, relative; 0: 1e-10
} pc_fe_collision_def;

typedef struct pc_fe_collision pc_fe_collision;

// Assembles and factors. Groups exist and numbers are in their ranges: the readers of files see to
// it. Returns NULL on error: PC_ERROR_ARGUMENT with a text for a group with two media, for a
// tolerance out of range, and for sides of contacts without an outward normal.
pc_fe_collision *pc_fe_collision_create(const pc_fe_collision_def *def, pc_error *error);
void pc_fe_collision_destroy(pc_fe_collision *collision);
// Makes it that of another definition, with the same results as a new one. If only places and
// coefficients differ, the pattern, the symbolic factor and the memory are used again. After an
// error it can only be renewed or destroyed.
pc_status pc_fe_collision_renew(pc_fe_collision *collision, const pc_fe_collision_def *def,
                                pc_error *error);

// Nodes of a contact, in the plane in order along its sides. A node where two sides meet at more
// than 45 degrees appears twice, with both normals. T is N turned counter-clockwise in the plane;
// in space there are two, those of pc_contact_axes.
typedef struct pc_fe_touch {
  int contact, node, other; // `node`: or the point, of a contact that has some; `other`: the node
                            // opposite, or -1
  double weight;            // length or area of surface that is the node's; 0 at corners of sides
                            // of 6 and 8 nodes, which those on their edges share
  double normal[3];
  double before[3], after[3]; // w along N and both T
  double percussion[3];       // R times the weight along them; the normal one > 0 pushes apart
  double reaction;            // the part of the normal one that the condition gives
} pc_fe_touch;

// KE+ - KE- = work - dissipated; all J/m.
typedef struct pc_fe_account {
  double kinetic_before, kinetic_after;
  double work_pushes;     // of external percussions
  double work_holds;      // of what gives velocities: holds, bodies that are held
  double work_stops;      // the part of it that stops nodes: holds that are not `kept`
  double volume, surface; // dissipated by viscosities
  double reactions;       // dissipated by the conditions: reaction times mean normal velocity
  double pressures;       // by incompressibility; 0 where div U- = 0
  double identity;        // |sum| over the sizes of the terms
  double momentum;        // largest residual of the equations of motion, and of div U+ = 0, over
  double divergence;      // the largest sum of the sizes of what is added up in one row
  double complementarity; // largest |reaction w+_N| over the sizes of the terms
  double penetration;     // largest w+_N > 0, m/s
  bool closed;            // all of these are at round-off or at the tolerance
} pc_fe_account;

// Belongs to the collision, until its next solve.
typedef struct pc_fe_answer {
  const double *velocity;           // U+: components numbers of each node
  const double *pressure;           // P of each node, linear on elements; 0 in solids
  const double (*body)[PC_FE_BODY]; // U+ of bodies
  int touches;
  const pc_fe_touch *touch;
  pc_fe_account account;
  int iterations;                        // of the contact problem
  double residual;                       // of it
  bool solved;                           // to the tolerance
  int numbers;                           // unknowns
  double assembly_s, analyze_s;          // once
  double factor_s;                       // of the last factorisation
  double response_s, contact_s, solve_s; // of this solve: response, contact problem, all of it
  size_t memory;                         // bytes of the factors
} pc_fe_answer;

// Replaces the viscosities of the volumes: gives their matrix with zeros, to be filled over
// `space`; the next solve factors it. Unlike those of media, it need not map rigid motions of the
// mesh to zero: the mesh may have turned since it was made.
pc_block_matrix *pc_fe_collision_replace_volumes(pc_fe_collision *collision,
                                                 const pc_fe_space **space);

// Solves for the velocities after, from those of nodes and bodies before.
pc_status pc_fe_collision_solve(pc_fe_collision *collision, const double *velocity,
                                const double (*body)[PC_FE_BODY], pc_fe_answer *answer,
                                pc_error *error);

// Percussion stress of the last answer at the nodes: xx, yy, xy, zz, yz, zx (in the plane the first
// three, on a line the first), averaged over the elements of medium number `medium` that share the
// node; 0 at nodes outside the medium.
enum { PC_FE_STRESS = 6 };
pc_status pc_fe_collision_stress(const pc_fe_collision *collision, int medium,
                                 double (*stress)[PC_FE_STRESS], pc_error *error);

// Dissipation of the last solve, for pc_fe_thermal_data: in the volume, distributed to the nodes,
// J/m; and of each touch, viscosities and reaction, J/m.
pc_status pc_fe_collision_heat(const pc_fe_collision *collision, double *volume, double *touch,
                               pc_error *error);

#endif
