// Finding contacts: what its parts hand to each other.
#ifndef PERCUSS_RIGID_CONTACTS_H
#define PERCUSS_RIGID_CONTACTS_H

#include <string.h>

#include "core/threads.h"
#include "rigid/world.h"

// What was found of some pieces in a row, told for the first of them; of the others it is empty.
typedef struct pc_contacts_span {
  int worker, first, count; // touches of this worker's finding
  int to;                   // where they are in the list of all
} pc_contacts_span;

// A search for the contacts of a step of length h.
typedef struct pc_contacts_job {
  pc_world *world;
  double h, gravity, rest;
  const int (*pairs)[2];
  int pair_count;
  int dear;   // pairs of obstacles, which come first: each is as much work as many of balls
  bool notes; // contacts that do not act
  int work;   // of all pairs, cut in so many pieces
  int pieces;
  pc_contacts_span span[PC_PIECES];
  int in_place;                    // touches that need not be moved to the list of all
  double deepest[PC_MOST_THREADS]; // per worker
  int looked[PC_MOST_THREADS];     // at so many pairs
  pc_status status[PC_MOST_THREADS];
} pc_contacts_job;

// --- outlines.c: where bodies are in the search, and how they move

// The part of the way of a step that contacts are looked for in.
double pc_outline_part(const pc_world *world);

// What bodies are placed for.
typedef struct pc_placing {
  pc_world *world;
  double h, fall; // g h
  double part;    // of the step's way that contacts are looked for in
  bool awake;     // all are
} pc_placing;
pc_placing pc_placing_for(pc_world *world, double h);

// Whether a ball is inside a box.
static inline bool pc_box_holds_ball(const double box[6], const pc_place *at)
{
  typedef int64_t masks __attribute__((vector_size(16)));
  const double *p = at->position;
  double r = at->within;
  masks in = ((pc_two){box[0], box[1]} <= (pc_two){p[0], p[1]} - r) &
             ((pc_two){p[0], p[1]} + r <= (pc_two){box[3], box[4]}) &
             ((pc_two){box[2], p[2] + r} <= (pc_two){p[2] - r, box[5]});
  return in[0] & in[1] & 1;
}

// Notes that a body has left its wide box.
void pc_finding_left(pc_finding *finding, int i);

// The box of a ball is told by its outline.
static inline const double *pc_outline_box(const pc_world *world, int i, double room[6])
{
  const pc_outline *outline = &world->outlines.body.at[i];
  const double *position = world->outlines.place.at[i].position;
  if (!(outline->ball > 0))
    return world->outlines.box.at[i];
  for (int k = 0; k < 3; k++) {
    room[k] = position[k] - outline->ball - outline->reach;
    room[3 + k] = position[k] + outline->ball + outline->reach;
  }
  return room;
}

// How a body moves where spins count.
typedef struct pc_turning_velocity {
  pc_two velocity[3], spin[3];
  const double *position;
} pc_turning_velocity;
pc_turning_velocity pc_outline_turning(const pc_world *world, int i);

// --- pairs.c

// Pairs among which all are whose boxes overlap, in order, for job->pairs.
pc_status pc_contacts_pairs(pc_contacts_job *job, int threads, int *count);

// Lists are in the order of pairs.
static inline bool pc_pair_before(const int one[2], const int two[2])
{
  return one[0] < two[0] || (one[0] == two[0] && one[1] < two[1]);
}

// The first entry of a list, of things that begin with their two bodies, that is not before a pair.
static inline int pc_pair_find(const void *list, size_t size, int count, const int pair[2])
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pc_pair_before((const int *)((const char *)list + size * (size_t)middle), pair))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// --- meet.c: the contacts of pairs

// Cuts all pairs of a job in pieces of about the same work; and does some, for a worker.
void pc_contacts_cut(pc_contacts_job *job);
void pc_contacts_collide(void *job, int begin, int end, int worker);

// --- contacts.c

pc_contacts_job pc_contacts_job_start(pc_world *world, double h);

static inline void pc_contact_arm(const double *position, const double *point, double *arm)
{
  for (int k = 0; k < 3; k++)
    arm[k] = point[k] - position[k];
}

// Which contacts act. At position level those that touch or may touch before the middle of the next
// step. At velocity level those that touch (Moreau), and those that close before the end of the
// step in a real impact (Pecol): without the latter bodies would enter each other by half a step's
// way.
static inline bool pc_contact_acts(const pc_contacts_job *job, double gap, double before,
                                   double free, double slack)
{
  double h = job->h, least = before < free ? before : free;
  switch (job->world->def.treatment) {
  case PC_POSITION_LEVEL:
    return gap + h * (least < 0 ? least : 0) <= slack;
  case PC_VELOCITY_LEVEL:
    least = job->world->again ? least : before;
    return gap <= 0 || (least < -job->rest && gap + 0.5 * h * least <= 0);
  default:
    return gap <= 0;
  }
}

// --- missed.c

// How fast two bodies go apart at a point, with the velocities of the solve before.
double pc_contact_last_speed(const pc_world *world, int a, int b, const double *point,
                             const double *normal);

#endif
