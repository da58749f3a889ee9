// What a step of a world needs: stating many bodies and contacts at once, by several threads, and
// the audit apart from the solve.
//
// Laws first, then pc_impact_open makes room in a problem that has no bodies or interactions yet,
// and every place that it opened must be filled, by any thread and in any order. Afterwards the
// problem goes on as if all had been added one by one, in the order of their places.
#ifndef PERCUSS_IMPACT_BULK_H
#define PERCUSS_IMPACT_BULK_H

#include "core/memory.h"
#include "percuss/impact.h"

// A law for contacts: its place, or -1.
int pc_impact_add_law(pc_impact *problem, const pc_law *law);
// Room for bodies with so many velocities in sum, and for contacts with at most so many `numbers`
// each: the dimension of space, and with rolling friction 6, or 3 in the plane. If `driven`, some
// may have given velocities.
pc_status pc_impact_open(pc_impact *problem, int bodies, int dofs, int contacts, int numbers,
                         bool driven);
// Fills a place; `start` counts the velocities of the bodies before. NULL, or what is wrong. The
// law of the contact is the one at place `law`.
const char *pc_impact_put_body(pc_impact *problem, int place, int start,
                               const pc_impact_body *body);
const char *pc_impact_put_contact(pc_impact *problem, int place, int law,
                                  const pc_interaction *contact);
// What is given at the contact in this place is the change of its velocity that is to come, at
// which its law, Coulomb's on the velocity after, looks ahead. It is no motion of an obstacle and
// does no work.
void pc_impact_lead(pc_impact *problem, int place);

// A contact as most are: a packable law, bodies that are free to move in all directions of their
// space or an obstacle at rest, P = sign times the guess. False if it is not, or something is wrong
// with it: then pc_impact_put_contact has to see it.
typedef struct pc_plain_contact {
  int bodies[2]; // their places; the second may be PC_OBSTACLE
  double sign;   // of normal and guess
  double bound;
  const double *normal, *point, *guess; // three numbers each
  bool settled; // the guess is its answer, unless others have come to its island since
} pc_plain_contact;
bool pc_impact_put_plain(pc_impact *problem, int place, int law, const pc_plain_contact *contact);
// The same where bodies, law, sign and normal are those of the plain contact in the place before.
bool pc_impact_put_twin(pc_impact *problem, int place, const pc_plain_contact *contact);
// The velocities of all bodies after the solve, each from the `start` it was put with.
const double *pc_impact_velocities(const pc_impact *problem);
// Asks memory for the bodies of a contact that will be put, by their places; -1: none.
void pc_impact_prefetch(const pc_impact *problem, int one, int other);

// The audit of an answer that was solved without it, and with it the reactions in the answers.
// PC_ERROR_MEMORY: there is none.
pc_status pc_impact_audit(pc_impact *problem, int threads, pc_audit *audit);

// The arena of the solve and of the audit. Between these it is the caller's.
pc_arena *pc_impact_spare_memory(pc_impact *problem);
// The status that belongs to pc_impact_error.
pc_status pc_impact_failure(const pc_impact *problem);

#endif
