// Finding the contacts of a step: bodies get outlines, pairs are found, pairs give contacts.
#ifndef PERCUSS_RIGID_DETECTION_H
#define PERCUSS_RIGID_DETECTION_H

#include "core/small.h"
#include "rigid/contact_set.h"
#include "rigid/pairs.h"
#include "rigid/pieces.h"
#include "rigid/pierced.h"

// A search for the contacts that may act in a step of length h.
typedef struct pc_detection {
  const pc_body_store *bodies;
  pc_outlines *outlines;
  pc_body_pairs *pairs;
  pc_contact_set *contacts;
  pc_pierced *pierced;   // pairs that have no contacts for now
  pc_six *free;          // velocities without contacts
  pc_six *previous;      // velocities after the solve before, when contacts are looked for again
  unsigned char *struck; // bodies whose contacts are then looked for again
  unsigned char *roused; // marks sleeping bodies that shall wake
  const unsigned char *member; // of every slot: the body is in a system; NULL: there are none
  double touch;                // m: contacts of these bodies are found up to this gap
  pc_arena *spare; // memory that lists of the search may use until the problem is solved
  double h, gravity;
  double rest_speed; // slower impacts do not rebound
  double part;       // of the way of a step that contacts are looked for in
  int dimension, threads;
  bool constant_spin; // bodies keep their spins between jumps
  pc_treatment treatment;
  pc_looks looks;
  bool again;         // the step is solved again: contacts of bodies that are not struck stay
  bool with_sleeping; // sleeping bodies count as others do
} pc_detection;

// contacts.c: finds the contacts, into search->contacts; `placed` tells that all outlines are made.
// PC_OK, PC_ERROR_MEMORY, or PC_ERROR_ARGUMENT if there are more than pc_contacts_most, or more
// pairs than pc_body_pairs_most.
bool pc_detection_open(const pc_detection *search); // room for outlines; false when memory is out
pc_status pc_detection_find(const pc_detection *search, bool placed);
// How bodies overlap where they are; contacts of the step stay as they are.
typedef struct pc_overlaps {
  int pairs; // that touch
  double depth;
  int deepest[2]; // bodies with this overlap, if it is above 0
} pc_overlaps;
pc_status pc_detection_overlaps(const pc_detection *search, pc_overlaps *overlaps);

// Says why one of these could not be done in a world of so many bodies.
pc_status pc_detection_fail(pc_status status, int bodies, pc_error *error);

// outlines.c: makes the outlines of bodies begin .. end, and notes those that have left their wide
// boxes. Several threads may do it at a time, after pc_detection_open.
void pc_detection_place(void *search, int begin, int end, int worker);
// What bodies are placed for.
typedef struct pc_placing {
  const pc_detection *search;
  double fall; // g h
  double part; // of the step's way that counts
  bool awake;  // all bodies are
} pc_placing;
pc_placing pc_placing_for(const pc_detection *search);

// Contacts of some pieces in a row that one worker has found, told for the first of them.
typedef struct pc_span {
  int worker, first, count; // in this worker's finding
  int to;                   // where they are in the list of all
} pc_span;

// Work on the pairs of a search, in pieces.
typedef struct pc_detection_job {
  const pc_detection *search;
  const pc_body_pair *pairs;
  int pair_count;
  int costly;      // pairs of obstacles, which come first: each is as much work as many of balls
  bool notes_near; // contacts that do not act
  int work;        // of all pairs, cut in so many pieces
  int pieces;
  pc_span span[PC_PIECES];
  int in_place;                    // contacts that need not be moved to the list of all
  double deepest[PC_MOST_THREADS]; // per worker
  int looked[PC_MOST_THREADS];     // at so many pairs
  pc_status status[PC_MOST_THREADS];
} pc_detection_job;

// meet.c: cuts all pairs of a job in pieces of about the same work; and does some, for a worker.
void pc_detection_cut(pc_detection_job *job);
void pc_detection_collide(void *job, int begin, int end, int worker);
// How far two bodies are from each other, where the search has them; INFINITY: farther than
// `margin`. For one thread.
pc_status pc_detection_gap(const pc_detection *search, int a, int b, double margin, double *gap);

static inline bool pc_contact_is_of_system(const pc_detection *search, int a, int b)
{
  return search->member != NULL && (search->member[a] || search->member[b]);
}

// The gap up to which bodies of systems touch: as accurate as positions are, which is two parts in
// ten thousand of a diameter and what gravity does in a step.
static inline double pc_touch_gap(const pc_detection *search, int a, int b)
{
  const pc_solid *solid = search->bodies->solid.at;
  const double part = 4e-4; // of a radius
  double radius = solid[a].radius < solid[b].radius ? solid[a].radius : solid[b].radius;
  return part * radius + 2 * search->gravity * search->h * search->h;
}

// Which contacts act. At position level those that touch or may touch before the middle of the next
// step. At velocity level those that touch (Moreau), and those that close before the end of the
// step in a real impact (Pecol): without the latter bodies would enter each other by half a step's
// way. `slack` is the gap up to which bodies touch.
static inline bool pc_contact_acts(const pc_detection *search, double gap, double before,
                                   double free, double slack)
{
  double h = search->h, least = before < free ? before : free, closing = least < 0 ? least : 0;
  switch (search->treatment) {
  case PC_POSITION_LEVEL:
    return gap + h * closing <= slack;
  case PC_VELOCITY_LEVEL:
    least = search->again ? least : before;
    return gap <= slack || (least < -search->rest_speed && gap + 0.5 * h * least <= 0);
  default:
    return gap <= 0;
  }
}

static inline bool pc_contact_is_guided(const pc_detection *search, const pc_contact_data *contact)
{
  const pc_outline *outline = search->outlines->body.at;
  return search->bodies->guided > 0 && (outline[contact->body[0]].kind == PC_GUIDED ||
                                        outline[contact->body[1]].kind == PC_GUIDED);
}

// How fast a point of a body moves along a normal; `arm` is from the body's position to it.
static inline double pc_point_speed(const double six[6], const double *arm, const double *normal)
{
  const double *spin = six + 3;
  double x = six[0] + (spin[1] * arm[2] - spin[2] * arm[1]);
  double y = six[1] + (spin[2] * arm[0] - spin[0] * arm[2]);
  double z = six[2] + (spin[0] * arm[1] - spin[1] * arm[0]);
  return x * normal[0] + y * normal[1] + z * normal[2];
}

// How fast two bodies with these velocities separate at a point. The spins of balls do not count.
static inline double pc_separation_speed(const pc_detection *search, int a, int b,
                                         const double first[6], const double second[6],
                                         const double *point, const double *normal)
{
  const pc_outline *outline = search->outlines->body.at;
  double one[3], two[3];
  if (outline[a].ball > 0 && outline[b].ball > 0)
    return (first[0] - second[0]) * normal[0] + (first[1] - second[1]) * normal[1] +
           (first[2] - second[2]) * normal[2];
  pc_sub3(point, search->bodies->state.at[a].position, one);
  pc_sub3(point, search->bodies->state.at[b].position, two);
  return pc_point_speed(first, one, normal) - pc_point_speed(second, two, normal);
}

#endif
