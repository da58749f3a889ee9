// Systems: bodies that act on each other at a distance in their collisions (Fremond, Collisions
// Engineering (2017), chapters 4 and 5).
//
// In a step, bodies of a system that touch, one to the next, are a cluster. A cluster collides if
// one of its bodies has an impact, with another of them or with anything else. Then every pair of
// its bodies acts: those that touch by their spins, the others at a distance and by their spins.
#ifndef PERCUSS_RIGID_SYSTEMS_H
#define PERCUSS_RIGID_SYSTEMS_H

#include "rigid/bodies.h"

// Laws of one pair that are not those of its system; its bodies by their places in the list.
typedef struct pc_system_pair {
  int place[2]; // the lower one first
  pc_system_laws laws;
} pc_system_pair;

typedef struct pc_system {
  PC_ARRAY(pc_body) body;
  pc_system_laws laws;
  PC_ARRAY(pc_system_pair) pair; // in their order
} pc_system;

// Two bodies of a cluster that touch, by their places, and where.
typedef struct pc_system_link {
  int place[2];
  double point[3], gap;
} pc_system_link;

// What two bodies do to each other in the step.
typedef struct pc_system_act {
  int body[2];         // slots
  double points[2][3]; // at a distance: of the contacts by which each of them hangs on to the other
  bool spins;          // else: at a distance
  double k;
  int interaction;   // of the problem; -1: of a problem before
  double push[3];    // on the first body, N s or N m s
  double dissipated; // J
} pc_system_act;

typedef struct pc_systems {
  PC_ARRAY(pc_system) list;
  PC_ARRAY(pc_system_act) act;    // of the step
  int kept;                       // of these: answered
  double taken;                   // J, by them
  PC_ARRAY(unsigned char) member; // of every slot: its body is in a system
  // Scratch of one system in one step.
  PC_ARRAY(int) place; // of every body: its place in the system + 1, or 0
  PC_ARRAY(pc_system_link) link;
  PC_ARRAY(int) cluster;          // of every place: its first one
  PC_ARRAY(unsigned char) struck; // of every place: it has an impact, or another of its cluster
  double fastest;                 // m/s, of these impacts
  PC_ARRAY(int) queue, nearest, farthest; // of a walk along links: places; the first and last link
} pc_systems;

void pc_systems_free(pc_systems *systems);
// Adds a system; or says what is wrong with it, or that memory is out (pc_out_of_memory).
const char *pc_systems_add(pc_systems *systems, const pc_body_store *bodies, int count,
                           const pc_body *body, const pc_system_laws *laws);
const char *pc_systems_set_pair(pc_systems *systems, int system, const pc_body pair[2],
                                const pc_system_laws *laws);
// Notes which bodies are members; false when memory is out.
bool pc_systems_note_members(pc_systems *systems, const pc_body_store *bodies);
// The laws of the bodies in two places of a system.
const pc_system_laws *pc_system_laws_of(const pc_system *system, int one, int two);

#endif
