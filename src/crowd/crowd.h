// Inside of pc_crowd.
#ifndef PERCUSS_CROWD_CROWD_H
#define PERCUSS_CROWD_CROWD_H

#include "crowd/cells.h"
#include "crowd/field.h"
#include "crowd/spots.h"
#include "percuss/crowd.h"

#define PC_EXIT_REACH 1.0 // m

// Where people are slower.
typedef struct pc_zone {
  double (*point)[2];
  int count;
  double speed; // 0: their own on stairs
} pc_zone;

typedef struct pc_floor {
  pc_layout plan;
  pc_grid grid;
  double offset; // of its x in the world: floors lie side by side there
  pc_zone *zone;
  int zones, zone_capacity;
  unsigned char *slow;    // per node of the grid: its zone from 1; 0: none
  unsigned char *outside; // per node: one can walk from it to beyond the walls
  unsigned char *by_exit; // per node: an exit may be within PC_EXIT_REACH
} pc_floor;

typedef enum pc_target_kind { PC_TARGET_EXIT, PC_TARGET_AREA, PC_TARGET_CHOICE } pc_target_kind;

typedef struct pc_target {
  pc_target_kind kind;
  int floor;          // of an exit or area
  double (*point)[2]; // of its line or outline
  int count;
  double middle[2];
  bool at_front;        // exit
  double passage[2][2]; // exit: the part of its line that routes lead to
  int *member;          // of a choice
  int members;          //
  pc_field *field;      // per floor, once somebody asks; without nodes where no way leads there
} pc_target;

// What does not change of a person, and what does.
typedef struct pc_person {
  pc_person_def def;
  int floor, goal;
  int exit; // counted out there; -1: no
  double exit_time;
  bool present;
} pc_person;

struct pc_crowd {
  pc_crowd_def def;
  pc_error error;
  pc_world *world;
  pc_floor *floor;
  int floors, floor_capacity;
  pc_target *target;
  int targets, target_capacity;
  bool finished;
  int walls; // bodies of the world before the first person
  pc_person *person;
  int people, person_capacity, inside;
  pc_spots *spots; // where people were placed, before the first step

  // Per person, in a step.
  double (*place)[3], (*velocity)[3]; // of the world
  double (*before)[2];                // place at the begin of the step
  double (*wish)[2];                  // velocity
  double (*force)[6];
  double *push;
  unsigned char *there;
  int place_capacity, velocity_capacity, before_capacity, wish_capacity, force_capacity,
      push_capacity, there_capacity;
  pc_cells cells;
};

// wishes.c: forces on all people in a step of length h.
pc_status pc_wishes_set(pc_crowd *crowd, double h);

// routes.c: the fields of a goal, unless they are known.
pc_status pc_routes_find(pc_crowd *crowd, int goal);
pc_status pc_find_outside(pc_floor *floor, pc_error *error);
// Whether one can walk from a place to beyond the walls; then `gap` is the narrowest place of the
// way.
bool pc_leads_out(const pc_floor *floor, const double p[2], double gap[2]);

// A message for the caller.
#define pc_crowd_fail(crowd, status, ...) pc_fail(&(crowd)->error, status, __VA_ARGS__)

#endif
