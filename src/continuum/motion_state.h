// What a motion is made of; for its own files.
#ifndef PERCUSS_CONTINUUM_MOTION_STATE_H
#define PERCUSS_CONTINUUM_MOTION_STATE_H

#include "continuum/motion.h"

enum { PC_MOTION_HALVINGS = 20 };

// A node that may meet a wall.
typedef struct pc_motion_spot {
  int wall, node;
  bool hits; // in the last try
} pc_motion_spot;

// What changes and is a number; saved as it is.
typedef struct pc_motion_tally {
  long steps;
  long part; // of the step, in shortest steps
  double rest;
  pc_fe_motion_account account;
} pc_motion_tally;

struct pc_fe_motion {
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

  pc_motion_tally now;
  pc_fe_wall_state *state;
  int events, event_room;
  int events_before; // the step that is made
  pc_fe_event *event;
};

static inline char *pc_motion_closed(const pc_fe_motion *m, const pc_motion_spot *s)
{
  return &m->closed[(size_t)s->wall * (size_t)m->mesh->nodes + (size_t)s->node];
}

static inline char *pc_motion_struck(const pc_fe_motion *m, const pc_motion_spot *s)
{
  return &m->struck[(size_t)s->wall * (size_t)m->mesh->nodes + (size_t)s->node];
}

// The collision that is a step of step / 2^level.
pc_status pc_motion_make_length(pc_fe_motion *motion, int level, pc_error *error);

#endif
