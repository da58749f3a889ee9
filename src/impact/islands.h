// Islands: the parts of a problem that do not act on each other. Bodies of infinite mass do not
// connect.
#ifndef PERCUSS_IMPACT_ISLANDS_H
#define PERCUSS_IMPACT_ISLANDS_H

#include "impact/problem.h"
#include "impact/system.h"

// The message for masses and velocities whose squares overflow.
extern const char pc_out_of_range[];

typedef struct pc_island {
  int bodies, interactions, rows;
  int body, interaction; // first ones in the lists
  int folded;            // explicit rows that packs fold into the masses of their bodies
  int settled;           // interactions whose guess is the answer of the last solve
  // For packs.h.
  bool packable; // all interactions are contacts that packs can hold, or folded
  bool friction; // some have Coulomb friction
  bool viscous;  // some have viscous friction
  bool extra;    // some need more than a bound
  bool convex;   // no law is Coulomb's
  bool plane;    // all are in the plane
  bool lot;      // several small islands
} pc_island;

typedef struct pc_islands {
  int count, found;    // found: before small ones were put into lots
  const pc_ends *ends; // of each interaction; in the problem, and valid until that is cleared
  pc_island *island;
  int *body, *interaction;             // members, island by island, in the order of the problem
  int *local_body, *local_interaction; // their places within the island; -1: in none
  // U_free of the whole problem, in the memory of U+: that of an island is lost when its answer is
  // written, see pc_island_free_motion.
  double *free_velocity;
  double *own; // diagonal of the response, per row, when stated without bodies
  int blocked; // interactions between immovable bodies that penetrate: no solution exists
  // Per island, where its packs keep their arrangement; NULL where bodies have just met.
  pc_arrangement **arranged;
} pc_islands;

// Memory is taken from problem->work, and for lists from problem->graph: they are those of the last
// solve if contacts join the same bodies. Convex islands that packs can hold, of at most `small`
// rows, are put into lots if there are many: one colouring serves some hundred of them. With
// `friction`, islands with friction are too, in lots of their own.
pc_status pc_islands_build(pc_impact *problem, double stiffness, int small, bool friction,
                           int threads, pc_islands *islands);

// Recomputes the free velocities of an island after an answer has replaced them.
void pc_island_free_motion(const pc_impact *problem, const pc_islands *islands, int island,
                           double stiffness);

// One island as a system of its own. `stiffness` multiplies every coefficient of the laws (1, or
// large in the quasi-static mode).
pc_status pc_island_system(const pc_impact *problem, const pc_islands *islands, int island,
                           double stiffness, bool warm, pc_arena *arena, pc_system *system,
                           pc_error *error);
void pc_island_free(pc_system *system);
// How fast its bodies move, about their centre of mass too, and how fast external percussions alone
// would make them, m/s: means of squares by mass. In a loop of steps a structure at rest is slower
// than what is external would make it.
typedef struct pc_island_speed {
  double moving, apart, forced;
  double still; // part of the bodies that are slower than `slow` times what would be forced on them
} pc_island_speed;
pc_island_speed pc_island_speeds(const pc_impact *problem, const pc_islands *islands, int island,
                                 double slow, int threads);
// Bodies stand still after the solve if all are slower than `speed`, about their centres of mass
// too.
void pc_island_rest(pc_impact *problem, const pc_islands *islands, int island, double speed);
// Writes U+ and P of one island into the problem, where U_free still is.
void pc_system_scatter(const pc_system *system, pc_impact *problem);

#endif
