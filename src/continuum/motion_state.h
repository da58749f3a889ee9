// The parts of a motion, for its own files.
#ifndef PERCUSS_CONTINUUM_MOTION_STATE_H
#define PERCUSS_CONTINUUM_MOTION_STATE_H

#include <math.h>

#include "continuum/corner.h"
#include "continuum/large.h"
#include "continuum/mortar.h"
#include "continuum/motion.h"
#include "core/array.h"
#include "geometry/narrow.h"

// A node that may meet a wall.
typedef struct pc_motion_spot {
  int wall, node;
  bool hits; // in the last try
} pc_motion_spot;

// The numbers that change; saved as they are.
typedef struct pc_motion_tally {
  long steps;
  long part;   // of the step, in shortest steps
  long pushed; // pushes that have acted
  double rest;
  double strain;                // the largest so far, of small deformations
  pc_fe_motion_account account; // its alloy's part is up to date in `alloy` only
} pc_motion_tally;

// The corners and balls of a body with the sides that they may meet.
typedef struct pc_motion_points pc_motion_points;

struct pc_fe_motion {
  pc_arena arena; // of all arrays but the events
  const pc_fe_mesh *mesh;
  int size, numbers; // components; numbers of a vector
  pc_fe_elastic elastic;
  int solids, walls, holds;
  pc_fe_solid *solid;
  pc_fe_wall *wall;
  pc_fe_hold *hold;
  double step, reach, rest, tolerance, gravity, inside;
  int halvings;

  pc_fe_collision *strike;  // all viscosities; NULL without walls, until holds need it
  pc_fe_collision *blow;    // the same, with pushes as load; NULL without pushes
  pc_fe_collision **length; // steps of step / 2^i, made when needed
  pc_fe_medium *medium;     // scratch of both
  pc_fe_contact *contact;

  int spots;
  pc_motion_spot *spot;
  char *closed, *struck; // of each wall and node: at rest on it; approaches it in this collision
  double *least;         // of each wall and node: its least speed away from it after a step

  // Rigid bodies: where they are, in the middle of a try, and after it.
  int bodies;
  pc_fe_mover *mover;
  pc_fe_body *body; // as collisions have them
  pc_fe_body_state *place, *middle, *next;
  double (*axes)[9];            // in the middle
  double (*body_v)[PC_FE_BODY]; // velocities before, spins in own axes
  double (*body_load)[PC_FE_BODY], gravity_vector[3];
  pc_shape *probe;       // a node, for the narrow phase
  pc_contact_list found; // scratch

  // What sides meet: bodies and other sides. Behind those that are given: the corners of sides and
  // of bodies, and what pulls where nothing parts again. Each has conditions: of the nodes of the
  // mesh, or of its points.
  int meets, given;
  pc_fe_meet *meet;
  int *meet_of;              // of each: the given one
  int *pull_of;              // of each: the one that it pulls against
  int *conditions;           // of each
  size_t *first;             // of each and of the end: its first condition in the arrays below
  pc_motion_points **points; // of each; NULL: its conditions are of nodes. Of a given one: of
                             // the next
  int *corners;              // of each
  pc_fe_corner **corner;     // of each
  bool *pulls;               // of each
  char *met;                 // of each condition: it touched in the last step
  char *may;                 // likewise: it may touch in the step that is tried
  double *gap;               // likewise, in the middle
  pc_fe_meeting *meeting;    // likewise
  pc_fe_mortar *mortar;      // of each meeting with other sides
  double (*node_place)[3];   // in the middle of a try

  int pushes;
  pc_fe_push *push; // in the order of their times
  long *due;        // of each: shortest steps since the start

  double *u, *v, *u1; // displacement and velocity; displacement at the end of a try
  double *load;       // h (f - K u), of large displacements h f
  pc_fe_answer answer;

  // Large displacements.
  bool has_large, is_viscous;
  pc_fe_large large;
  pc_fe_moduli *modulus, *viscosity; // of each solid
  long *stiff_in;                    // of each length: the step whose stiffness it has, or -1
  double *guess;                     // the iterate: velocities after the step
  double *about, *change, *total;    // U + guess, h / 2 of it, load with internal forces

  bool has_alloy;
  pc_fe_alloy alloy;

  pc_motion_tally now;
  pc_fe_wall_state *state; // of walls, then of meetings
  PC_ARRAY(pc_fe_event) events;
  int events_before; // the step that is made
};

static inline double pc_motion_time(const pc_fe_motion *m)
{
  return m->step * ((double)m->now.steps + ldexp((double)m->now.part, -m->halvings));
}

// Shortest steps since the start.
static inline long pc_motion_parts(const pc_fe_motion *m)
{
  return (m->now.steps << m->halvings) + m->now.part;
}

static inline char *pc_motion_closed(const pc_fe_motion *m, const pc_motion_spot *s)
{
  return &m->closed[(size_t)s->wall * (size_t)m->mesh->nodes + (size_t)s->node];
}

static inline double *pc_motion_least(const pc_fe_motion *m, const pc_motion_spot *s)
{
  return &m->least[(size_t)s->wall * (size_t)m->mesh->nodes + (size_t)s->node];
}

static inline char *pc_motion_struck(const pc_fe_motion *m, const pc_motion_spot *s)
{
  return &m->struck[(size_t)s->wall * (size_t)m->mesh->nodes + (size_t)s->node];
}

// motion_make.c: everything but the state; on error it can be freed.
pc_status pc_motion_make(pc_fe_motion *motion, const pc_fe_motion_def *def, pc_error *error);
void pc_motion_free(pc_fe_motion *motion);
// The collision with walls, and with holds at the start.
pc_status pc_motion_make_strike(pc_fe_motion *motion, pc_error *error);
// The collision that is a step of step / 2^level.
pc_status pc_motion_make_length(pc_fe_motion *motion, int level, pc_error *error);

// motion_start.c: where velocities are given that holds forbid, a collision at time 0.
pc_status pc_motion_start(pc_fe_motion *motion, pc_error *error);

// motion_pushes.c
pc_status pc_motion_make_pushes(pc_fe_motion *motion, const pc_fe_motion_def *def, pc_error *error);
// The pushes of this time act.
pc_status pc_motion_push(pc_fe_motion *motion, pc_error *error);
// Whether one is due inside the next step of step / 2^level.
bool pc_motion_is_pushed_within(const pc_fe_motion *motion, int level);

// motion_bodies.c
pc_status pc_motion_make_bodies(pc_fe_motion *motion, const pc_fe_motion_def *def, pc_error *error);
void pc_motion_free_bodies(pc_fe_motion *motion);
// Puts bodies where they start.
void pc_motion_set_bodies(pc_fe_motion *motion);
// Moves bodies to the middle of a step of h; from there, with the velocities of the answer, to
// `next`; and takes that over.
void pc_motion_begin_bodies(pc_fe_motion *motion, double h);
void pc_motion_end_bodies(pc_fe_motion *motion, double h);
void pc_motion_take_bodies(pc_fe_motion *motion);
// The gap of a point to a body, and how they meet; INFINITY if it is far away.
pc_status pc_motion_find_gap(pc_fe_motion *motion, int body, const pc_fe_body_state *state,
                             const double x[3], pc_fe_meeting *to, double *gap, pc_error *error);
// The velocity of a body in the middle of a step at the end of an arm.
void pc_motion_body_velocity(const pc_fe_motion *motion, int body, const double v[PC_FE_BODY],
                             const double arm[3], double to[3]);
// D of a condition of a meeting, for given velocities.
double pc_motion_opening(const pc_fe_motion *motion, int meet, int at, const double *velocity,
                         const double (*body)[PC_FE_BODY]);
// Kinetic energy of the bodies, and theirs in gravity.
void pc_motion_add_energy(const pc_fe_motion *motion, pc_fe_motion_energy *energy);

// motion_points.c
// Of a meeting with a body; memory is that of the motion.
pc_status pc_motion_points_make(pc_fe_motion *motion, int meet, pc_error *error);
int pc_motion_points_count(const pc_motion_points *points);
// Gaps and how they meet, as pc_fe_mortar_make gives those of nodes; in a step of h, or 0 at one
// time.
void pc_motion_points_measure(pc_fe_motion *motion, int meet, const pc_fe_body_state *body,
                              double h, double travel, pc_fe_meeting *meeting, double *gap);
// Whether the body's centre, or with `all` a corner or the centre of a ball, is inside a solid
// whose sides it meets, and where.
bool pc_motion_points_find_sunk(const pc_fe_motion *motion, int meet, bool all, double at[3]);
// Whether a meeting has points. Those of a given one are its next one's.
static inline bool pc_motion_has_points(const pc_fe_motion *m, int meet)
{
  return meet >= m->given && m->points[meet] != NULL;
}

// motion_meetings.c
pc_status pc_motion_make_meetings(pc_fe_motion *motion, const pc_fe_motion_def *def,
                                  pc_error *error);
void pc_motion_free_meetings(pc_fe_motion *motion);
// After a step: PC_ERROR_NUMERIC when the centre of a body is inside a solid that it meets.
pc_status pc_motion_check_bodies(pc_fe_motion *motion, pc_error *error);
// At the start. PC_ERROR_ARGUMENT when a node is inside a body or another solid.
pc_status pc_motion_set_meetings(pc_fe_motion *motion, pc_error *error);
// Solves a step of step / 2^level, or with PC_MOTION_STRIKE or PC_MOTION_BLOW a collision at this
// time, with all that meets. `next` and the answer have the state after it.
enum { PC_MOTION_MEETINGS = 4 }; // that one which is given makes, at most
enum { PC_MOTION_STRIKE = -1, PC_MOTION_BLOW = -2 };
pc_status pc_motion_solve(pc_fe_motion *motion, int level, pc_error *error);
// After a collision: percussions of the meetings that are there.
void pc_motion_add_meeting_percussions(pc_fe_motion *motion);
// After a step: percussions of the meetings, and which contacts began and ended.
pc_status pc_motion_read_meetings(pc_fe_motion *motion, pc_error *error);

// motion_large.c
pc_status pc_motion_make_large(pc_fe_motion *motion, const pc_fe_motion_def *def, pc_error *error);
void pc_motion_free_large(pc_fe_motion *motion);
double pc_motion_large_energy(const pc_fe_motion *motion);
// What viscosities take between collisions in a step of h that is to be accepted.
double pc_motion_large_loss(pc_fe_motion *motion, double h);
// The viscosities of a collision, for solids as they are now.
void pc_motion_turn_viscosities(pc_fe_motion *motion, pc_fe_collision *collision);
// A new beginning: nothing is known of the stiffness.
void pc_motion_set_large(pc_fe_motion *motion);
// The first guess of a step: velocities stay.
void pc_motion_begin_large(pc_fe_motion *motion);
// Solves a step of step / 2^level with given contacts from the guess. PC_ERROR_NUMERIC if it does
// not converge: a shorter one will.
pc_status pc_motion_iterate(pc_fe_motion *motion, int level, pc_error *error);

// motion_limits.c: after a step, PC_ERROR_NUMERIC when small deformations are none.
pc_status pc_motion_check_limits(pc_fe_motion *motion, pc_error *error);

// motion_walls.c
double pc_motion_gap(const pc_fe_motion *motion, const pc_motion_spot *spot,
                     const double *displacement);
// Bounds of nodes at rest on walls for the step that is to be tried; and none, for collisions.
void pc_motion_bound(pc_fe_motion *motion);
void pc_motion_unbound(pc_fe_motion *motion);
// Marks the nodes that the last try of h brought into a wall. Are there none?
bool pc_motion_is_clear(pc_fe_motion *motion, double h);
// The nodes that are so marked, and those within reach, collide; with `settle`, or when all are
// slow, they come to rest instead.
pc_status pc_motion_meet(pc_fe_motion *motion, bool settle, pc_error *error);
// After a step without a collision: percussions of contacts at rest, and which nodes left.
void pc_motion_read_contacts(pc_fe_motion *motion);

#endif
