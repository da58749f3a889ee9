// The parts of a motion, for its own files.
#ifndef PERCUSS_CONTINUUM_MOTION_STATE_H
#define PERCUSS_CONTINUUM_MOTION_STATE_H

#include "continuum/motion.h"
#include "core/array.h"

// A node that may meet a wall.
typedef struct pc_motion_spot {
  int wall, node;
  bool hits; // in the last try
} pc_motion_spot;

// The numbers that change; saved as they are.
typedef struct pc_motion_tally {
  long steps;
  long part; // of the step, in shortest steps
  double rest;
  pc_fe_motion_account account; // its alloy's part is up to date in `alloy` only
} pc_motion_tally;

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

  pc_fe_collision *strike;  // all viscosities
  pc_fe_collision **length; // steps of step / 2^i, made when needed
  pc_fe_medium *medium;     // scratch of both
  pc_fe_contact *contact;

  int spots;
  pc_motion_spot *spot;
  char *closed, *struck; // of each wall and node: at rest on it; approaches it in this collision

  double *u, *v, *u1; // displacement and velocity; displacement at the end of a try
  double *load;       // h (f - K u)
  pc_fe_answer answer;

  bool has_alloy;
  pc_fe_alloy alloy;

  pc_motion_tally now;
  pc_fe_wall_state *state;
  PC_ARRAY(pc_fe_event) events;
  int events_before; // the step that is made
};

static inline char *pc_motion_closed(const pc_fe_motion *m, const pc_motion_spot *s)
{
  return &m->closed[(size_t)s->wall * (size_t)m->mesh->nodes + (size_t)s->node];
}

static inline char *pc_motion_struck(const pc_fe_motion *m, const pc_motion_spot *s)
{
  return &m->struck[(size_t)s->wall * (size_t)m->mesh->nodes + (size_t)s->node];
}

// motion_make.c: everything but the state; on error it can be freed.
pc_status pc_motion_make(pc_fe_motion *motion, const pc_fe_motion_def *def, pc_error *error);
void pc_motion_free(pc_fe_motion *motion);
// The collision that is a step of step / 2^level.
pc_status pc_motion_make_length(pc_fe_motion *motion, int level, pc_error *error);

// motion_walls.c
double pc_motion_time(const pc_fe_motion *motion);
double pc_motion_gap(const pc_fe_motion *motion, const pc_motion_spot *spot,
                     const double *displacement);
// Marks the nodes that the last try of h brought into a wall. Are there none?
bool pc_motion_is_clear(pc_fe_motion *motion, double h);
// The nodes that are so marked, and those within reach, collide; with `settle`, or when all are
// slow, they come to rest instead.
pc_status pc_motion_meet(pc_fe_motion *motion, bool settle, pc_error *error);
// After a step without a collision: percussions of contacts at rest, and which nodes left.
void pc_motion_read_contacts(pc_fe_motion *motion);

#endif
