// Elastic solids in time (book, 7.6.2 and 10.11.3): they fly, vibrate and collide with fixed walls,
// with each other and with rigid bodies that move; alloys also change their temperature and phase
// (alloy.h). The one stepper of continua.
//
// A step of h is the implicit midpoint rule,
//
//     M (U1 - U) = h (f - K u) - (h^2/4 K + h/2 C) (U1 + U),      u1 = u + h (U + U1) / 2
//
// which keeps the energy but for what viscosities C take, and is itself a collision: its
// percussion is h (f - K u), its viscosities are h^2/4 of the elastic moduli and h/2 of C. So
// contact at rest is what pc_fe_collision makes of nodes that may leave the wall but not enter it;
// it does no work. With an alloy, f contains the stress of the phases at the end of the step, and
// the step alternates between u1 and the phases until both stay.
//
// With `large` displacements forces are those of large.h, which keep the energy, the momentum and
// its moment, and a step is a row of such collisions (motion_large.c). A step in which they do not
// converge is halved.
//
// When a node would enter a wall within a step, the step is halved, again and again, down to
// h / 2^halvings; the collision takes place at the last of these times that is free of contact. No
// state is interpolated and no energy is lost this way; a collision is early by less than the
// shortest step. The factors for a step length are computed when it is first needed.
//
// Corners of bodies and balls that are small beside a side meet it between its nodes too; edges of
// boxes do not. Rigid bodies and other solids meet sides at the position level of rigid scenes
// (rigid/README.md): gaps and normals are those of the middle of the step, and a node may approach
// by as much as closes its gap, D+ >= - gap / h, and part at most as fast as it came, so that no
// contact gives energy. One that lasts does no work; a node that arrives loses what its own mass
// and the stiffness h^2/4 K about it had, which vanishes with the step.
//
// Pushes act at their times, as collisions with the viscosities of the solids. A step that has one
// inside is halved like one that meets a wall, so that a push is off by less than half the shortest
// step; with an alloy it acts between two steps. The heat that it gives to an alloy, and what its
// collision dissipates there, come in the step that follows.
//
// Collisions act with all the viscosities of the solids, and with those of the wall at the nodes
// that approach it; nodes at rest on it are kept from entering it. A node that approaches more
// slowly than `rest` does not collide but stays, and its energy is booked, so rebounds end.
#ifndef PERCUSS_CONTINUUM_MOTION_H
#define PERCUSS_CONTINUUM_MOTION_H

#include <stddef.h>

#include "continuum/alloy.h"
#include "continuum/collision.h"
#include "continuum/elastic.h"
#include "continuum/events.h"
#include "percuss/shape.h"

// Nodes of `sides` stay where direction . x >= offset. No friction but the collision's viscosity.
typedef struct pc_fe_wall {
  int sides;
  double direction[3];       // out of the wall; any length
  double offset;             // for a direction of length 1, m
  double normal, tangential; // kg/m2, as in pc_fe_contact
} pc_fe_wall;

// A rigid body that moves among the solids; `held` components rest.
typedef struct pc_fe_mover {
  pc_fe_body body;             // its centre is where it starts
  pc_shape *shape;             // about its centre, along its axes; retained
  double attitude[4];          // quaternion w, x, y, z: own axes -> world; zeros: 1, 0, 0, 0
  double velocity[3], spin[3]; // in world axes
  const char *name;            // for messages, used while it is made and set; or NULL
} pc_fe_mover;

// Sides that a body may meet, or other sides, without friction. Of two groups of sides the first
// has the conditions (mortar.h): take the one with the finer mesh or the softer solid.
typedef struct pc_fe_meet {
  int sides;
  int body;  // or -1
  int other; // a group of sides, if there is no body
  bool tied; // nodes that have touched do not part again: what pulls has the same conditions
  const char *where; // for messages, as `FILE:LINE: `; NULL: none
} pc_fe_meet;

// The mesh must outlive the motion, all else is copied.
typedef struct pc_fe_motion_def {
  const pc_fe_mesh *mesh;
  int solids, walls, holds, bodies, meets, pushes;
  const pc_fe_mover *body;
  const pc_fe_meet *meet;
  const pc_fe_solid *solid;
  const pc_fe_wall *wall;
  const pc_fe_hold *hold; // not `kept`
  const pc_fe_push *push;
  bool large;        // displacements and rotations (large.h), without an alloy
  double gravity[3]; // m/s2
  double step;       // s
  int halvings;      // 0 to 20; pc_fe_motion_def_default: 10
  double reach;      // approaching nodes this near to a wall collide with those that touch, m
  double rest; // m/s; 0: a thousandth of the largest speed at the start, or gravity's in a step
  double tolerance;             // of collisions, as in pc_fe_collision_def
  const pc_fe_alloy_def *alloy; // temperatures and phases, without walls; NULL: none
} pc_fe_motion_def;
pc_fe_motion_def pc_fe_motion_def_default(void);

typedef struct pc_fe_motion pc_fe_motion;

// At rest and without strain. Numbers are in their ranges, and directions are not 0: the readers of
// files see to it. NULL on error.
pc_fe_motion *pc_fe_motion_create(const pc_fe_motion_def *def, pc_error *error);
void pc_fe_motion_destroy(pc_fe_motion *motion);
// A new beginning at time 0; NULL: zeros. `heat`: temperatures and fractions of an alloy, NULL
// without one. PC_ERROR_ARGUMENT when a node is inside a wall.
pc_status pc_fe_motion_set(pc_fe_motion *motion, const double *displacement, const double *velocity,
                           const pc_fe_thermal_state *heat, pc_error *error);
// One step. After an error the motion must be set or loaded again. PC_ERROR_NUMERIC when the centre
// of a body is inside a solid that it meets.
pc_status pc_fe_motion_advance(pc_fe_motion *motion, pc_error *error);

typedef struct pc_fe_wall_state {
  int closed;           // nodes at rest on it, or pressed against the body
  int collisions;       // events of it that are collisions
  int fresh;            // those that found nothing touching
  double percussion[2]; // normal and tangential so far, of contacts at rest too, N s/m
  double left;          // when the last node went away; before the first contact -1
} pc_fe_wall_state;

typedef struct pc_fe_body_state {
  double place[3], attitude[4]; // of the centre; quaternion
  double velocity[3], spin[3];  // in world axes
} pc_fe_body_state;

// Belongs to the motion, until the next step.
typedef struct pc_fe_motion_state {
  double time;
  long steps;
  const double *displacement, *velocity;
  bool large;                   // they are
  const pc_fe_wall_state *wall; // of the walls, then of the meetings
  const pc_fe_body_state *body;
  double strain; // the largest in the middle of an element so far, as sqrt(e:e); 0 if `large`
  int events;
  const pc_fe_event *event;
  // Of an alloy, else NULL and 0.
  const double *temperature;
  const double (*fraction)[PC_FE_FRACTIONS];
  double mean[PC_FE_FRACTIONS]; // fractions over the volume of the alloys
  double lowest, highest;       // K
} pc_fe_motion_state;
pc_fe_motion_state pc_fe_motion_look(const pc_fe_motion *motion);
const pc_fe_elastic *pc_fe_motion_elastic(const pc_fe_motion *motion);

// J/m. `coupled` is that of phases under strain, `heat` the change since the start.
typedef struct pc_fe_motion_energy {
  double kinetic, elastic, gravity, coupled, heat;
} pc_fe_motion_energy;

// now = start - all that is lost + the work of pushes + what an alloy received, J/m.
typedef struct pc_fe_motion_account {
  pc_fe_motion_energy start, now;
  double volume, surface, reactions; // lost in collisions, as in pc_fe_account
  double rest;                       // lost by nodes that come to rest, are held, or reach a body
  double viscous;                    // lost to viscosities between collisions
  double pushes;                     // work of percussions from outside
  pc_fe_alloy_account alloy;         // zeros without one
  double identity;                   // what is left over, relative to the energies
  int unsolved;                      // solves that did not reach the tolerance
  bool closed;                       // identity <= 1e-9 (with an alloy 1e-8), all solved, and
                                     // `rest` is no gain
} pc_fe_motion_account;
pc_fe_motion_account pc_fe_motion_balance(const pc_fe_motion *motion);

// Everything that changes, as bytes. Gives their number and writes them if `size` is enough. A
// motion of the same definition can load them; it goes on with the same bits.
size_t pc_fe_motion_save(const pc_fe_motion *motion, void *buffer, size_t size);
pc_status pc_fe_motion_load(pc_fe_motion *motion, const void *buffer, size_t size, pc_error *error);

#endif
