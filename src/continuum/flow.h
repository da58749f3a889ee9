// An incompressible fluid in time (book, 8.18 to 8.22 and 8.41 to 8.45): Navier and Stokes in the
// plane, with a free surface, gravity, fixed walls, and rigid bodies that float on it or fall on
// it.
//
// The mesh is fitted to the surface. Each node of the free surface has a spine, a fixed direction
// along which it moves, and its height on it; the heights determine the whole mesh. With the mesh
// velocity W and the nodes' normals n = integral of N n over the free sides, a step of h is the
// implicit midpoint rule on the mesh in the middle of the step:
//
//     M (U1 - U) = h (F - K Um - C(Um - W) Um) - mass that changes with the mesh + reactions
//     div Um = 0,   W . n = Um . n at the nodes of the surface,          Um = (U + U1) / 2
//
// It is a collision with a load, so bodies on the water are conditions of pc_fe_collision. The
// convection C is skew, and F is the weight that does the work of the potential energy, so that
// volume is kept to round-off, and energy but for (h/8) int rho div W |U1 - U|^2, which is a line
// of the balance. Loads and geometry depend on U1 and are found by iteration.
//
// A body that comes to the water collides with it, by the laws of pc_fe_contact; the time is found
// by halving steps, as in motion.h.
#ifndef PERCUSS_CONTINUUM_FLOW_H
#define PERCUSS_CONTINUUM_FLOW_H

#include <stddef.h>

#include "continuum/collision.h"
#include "continuum/events.h"

// With the ground: straight sides, along which the fluid slips and which it does not leave. With a
// body: the free surface and a straight face of the body, which has no thickness.
typedef struct pc_fe_flow_contact {
  int sides;                 // of the ground; a body meets the whole free surface
  int body;                  // or -1: the ground
  double end[2][2];          // of the face at the start, m
  double normal, tangential; // in collisions, kg/m2, as in pc_fe_contact
  double drag;               // between collisions, on the tangential velocity, Pa s/m
} pc_fe_flow_contact;

// A force per volume, N/m3.
typedef void pc_fe_flow_force(void *context, const double x[2], double time, double force[2]);

// The mesh must outlive the flow, all else is copied.
typedef struct pc_fe_flow_def {
  const pc_fe_mesh *mesh; // quadratic elements of one group
  double density;         // kg/m3
  double viscosity;       // between collisions, Pa s
  double strain;          // in collisions, kg/m
  int bodies, contacts, holds;
  const pc_fe_body *body; // `centre` at the start
  const pc_fe_flow_contact *contact;
  const pc_fe_hold *hold; // not `kept`
  double gravity[2];      // m/s2
  double step;            // s
  int halvings;           // 0 to 20; pc_fe_flow_def_default: 6
  double reach, rest;     // as in pc_fe_motion_def
  double tolerance;       // as in pc_fe_collision_def
  pc_fe_flow_force *force;
  void *context;
} pc_fe_flow_def;
pc_fe_flow_def pc_fe_flow_def_default(void);

typedef struct pc_fe_flow pc_fe_flow;

// At rest, on the mesh as it was made. NULL on error.
pc_fe_flow *pc_fe_flow_create(const pc_fe_flow_def *def, pc_error *error);
void pc_fe_flow_destroy(pc_fe_flow *flow);
// A new beginning at time 0, NULL: zeros. `velocity`: two numbers of each node. If it goes through
// walls, the first step begins with the collision of the fluid with them; if it only has
// divergences, as those of interpolation, they are taken off without viscosities. `height`: of each
// node, along its spine, used at the nodes of the free surface; `body`: velocities of bodies.
pc_status pc_fe_flow_set(pc_fe_flow *flow, const double *velocity, const double *height,
                         const double (*body)[PC_FE_BODY], pc_error *error);
// The contact of a body whose face does not look at a free surface; -1: there is none. This and
// what the next two find the first step refuses.
int pc_fe_flow_find_averted(const pc_fe_flow *flow);
// The contact of a body whose face fits between two nodes of the free surface, where the body would
// fall through it: how wide the face is across gravity, and how far these nodes are apart. A body
// that does not move sideways needs nodes below it, any other along the whole surface. -1: there is
// none.
int pc_fe_flow_find_narrow(const pc_fe_flow *flow, double *width, double *spacing);
// The contact of a body whose face is below the surface by more than contacts at rest drift, where
// water would never come to it: how deep, and where. -1: there is none.
int pc_fe_flow_find_sunk(const pc_fe_flow *flow, double *depth, double at[2]);
// One step. After an error the flow must be set or loaded again.
pc_status pc_fe_flow_advance(pc_fe_flow *flow, pc_error *error);

typedef struct pc_fe_flow_touch {
  int closed;           // nodes of the surface on the face
  int collisions;       // events that are collisions; with the ground only at the start
  int fresh;            // of these: nothing touched before
  double percussion[2]; // normal and tangential so far, N s/m
  double left;          // when the last node left; -1: it was never there
} pc_fe_flow_touch;

// Belongs to the flow, until the next step.
typedef struct pc_fe_flow_state {
  double time;
  long steps;
  const double *displacement, *velocity; // of the mesh, of the fluid
  const double *pressure;                // of the last part of a step, of each node, Pa
  const double (*place)[3];              // of bodies: x, y, angle
  const double (*body)[PC_FE_BODY];      // and their velocities
  const pc_fe_flow_touch *touch;         // of each contact
  int events;
  const pc_fe_event *event;
  double volume;    // m2
  double low, high; // of the surface, along -gravity; the range of y without gravity
  double courant;   // largest speed against the mesh in a step, in elements
  int iterations;   // of the last part of a step
  bool surface;     // there is one
} pc_fe_flow_state;
pc_fe_flow_state pc_fe_flow_look(const pc_fe_flow *flow);

// J/m
typedef struct pc_fe_flow_energy {
  double fluid, bodies, gravity;
} pc_fe_flow_energy;

// now = start - all that is lost + mesh + force + holds.
typedef struct pc_fe_flow_account {
  pc_fe_flow_energy start, now;
  double viscous, drag;              // lost between collisions, in the volume and at contacts
  double volume, surface, reactions; // lost in collisions, as in pc_fe_account
  double rest;                       // lost by contacts at rest and water that comes to rest
  double mesh;                       // given by the moving mesh, of third order in the step
  double force, holds;               // work of the given force, and of what holds bodies
  double size;                       // of the energies that cancel in the balance
  double identity;                   // what is left over, relative to it
  int unsolved;                      // solves that did not reach the tolerance
  bool closed;                       // identity <= 1e-9 and all solved
} pc_fe_flow_account;
pc_fe_flow_account pc_fe_flow_balance(const pc_fe_flow *flow);

// Everything that changes, as bytes; as pc_fe_motion_save.
size_t pc_fe_flow_save(const pc_fe_flow *flow, void *buffer, size_t size);
pc_status pc_fe_flow_load(pc_fe_flow *flow, const void *buffer, size_t size, pc_error *error);

#endif
