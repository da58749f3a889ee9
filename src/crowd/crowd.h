// Inside of pc_crowd.
#ifndef PERCUSS_CROWD_CROWD_H
#define PERCUSS_CROWD_CROWD_H

#include <stddef.h>

#include "core/array.h"
#include "core/random.h"
#include "crowd/cells.h"
#include "crowd/field.h"
#include "crowd/gaps.h"
#include "crowd/spots.h"
#include "percuss/crowd.h"

#define PC_LINE_REACH 1.0   // m
#define PC_POCKET_DEPTH 0.5 // m, behind the lines of stairs

// Where people are slower.
typedef struct pc_zone {
  double (*point)[2];
  int count;
  double speed; // 0: their own on stairs
} pc_zone;

// How crowded a floor is, on squares.
typedef struct pc_congested {
  int columns, rows;
  double *area;     // per square: where one can walk, m^2
  double *density;  // people per m^2, when ways were found last
  double *slowness; // per node of the grid, while nobody is there
} pc_congested;

typedef struct pc_floor {
  pc_layout plan;
  pc_layout closed; // with gaps as walls that nobody fits through; without walls if there are none
  pc_gap *gap;      // narrower than `gaps_below` of the crowd
  int gaps;
  pc_grid grid;
  double offset; // of its x in the world: floors lie side by side there
  PC_ARRAY(pc_zone) zones;
  unsigned char *slow;    // per node of the grid: its zone from 1; 0: none
  unsigned char *outside; // per node: one can walk from it to beyond the walls
  bool leaks;             // and somebody was to be where one can,
  double leak[2];         // because a wall is missing there
  unsigned char *by_line; // per node: an exit or stairs may be within PC_LINE_REACH
  pc_congested congested;
} pc_floor;

typedef enum pc_target_kind { PC_TARGET_EXIT, PC_TARGET_AREA, PC_TARGET_CHOICE } pc_target_kind;

typedef struct pc_target {
  pc_target_kind kind;
  int floor;          // of an exit or area
  double (*point)[2]; // of its line or outline
  int count;
  double middle[2];
  bool at_front;        // exit
  bool reenters;        // exit: who is over it comes in again
  int source;           // there
  double passage[2][2]; // exit: the part of its line that routes lead to
  int *member;          // of a choice
  int members;          //
  pc_field *field;      // per floor, once somebody asks; without nodes where no way leads there
} pc_target;

// From a line on one floor to one on another: who is over the first goes on from the second, at the
// same place along it and across it. Behind both are pockets in which one may wait.
typedef struct pc_passage {
  int floor[2];
  double line[2][2][2];              // from left to right for who goes from the first to the second
  double along[2][2], forward[2][2]; // unit vectors
  double width;
  bool both_ways;
} pc_passage;

// Where people come in: a point, along a line or in an area.
typedef struct pc_source {
  int floor, count;
  double (*point)[2];
  double rate; // 1/s; 0: any number
  double last; // when somebody came in
} pc_source;

typedef struct pc_plan {
  pc_stage *stage;
  int count;
} pc_plan;

// The box around the line of an exit or of stairs, in the world.
typedef struct pc_line_box {
  double low[2], high[2];
  int exit; // or -1
} pc_line_box;

// A contact of the last step: whom it presses, or -1 for a wall, and how much, N s.
typedef struct pc_press {
  int person[2];
  double size;
} pc_press;

// Of `push`, over all steps.
typedef struct pc_pushed {
  double largest, sum;
} pc_pushed;

// A wall that stands for some time only.
typedef struct pc_door {
  int floor, count;
  double (*point)[2];
  double opens, closes;
  int first, bodies; // of the world
  bool is_open;
} pc_door;

typedef struct pc_detour {
  pc_detour_def def; // its points are those of `zone` and `where`
  double (*zone)[2], (*where)[2];
} pc_detour;

typedef struct pc_group {
  pc_group_def def; // its people are `member`
  int *member;
} pc_group;

// What does not change of a person, and what does. No pointers: it is saved as it is.
typedef struct pc_person {
  int floor, goal;
  int group; // -1: none
  bool stands;
  bool present;
  bool waits;    // to come in
  double resume; // does not react before
  pc_person_def def;
  double facing; // orientation wished
  int exit;      // counted out there; -1: no
  int source;    // waits to come in there
  double exit_time;
  double entry_time; // s: came in first
  double due;        // comes in not before
  int stage;         // of the plan
  int laps;          // came in again so many times
  int detour;        // from 1: took that one; 0: none
  int unused;        // 0
  double room[6];    // 0; so that each has lines of their own
} pc_person;
_Static_assert(sizeof(pc_person) == 256 && offsetof(pc_person, def.radius) == 64, "whole lines");

// What a wish needs of a person, close together: every step asks all for it. Copied from there by
// pc_walker_set, whenever one of these changes.
typedef struct pc_walker {
  double from; // s: wants nothing before; infinite: stands
  double speed, mass, relaxation;
  int floor, goal, group;
  bool straight;
} pc_walker;

struct pc_crowd {
  pc_crowd_def def;
  pc_error error;
  pc_crowd_subject subject; // of the error, and its text before objects are written out
  char pattern[sizeof((pc_error *)NULL)->text];
  pc_world *world;
  PC_ARRAY(pc_floor) floors;
  PC_ARRAY(pc_target) targets;
  PC_ARRAY(pc_passage) passages;
  PC_ARRAY(pc_source) sources;
  PC_ARRAY(pc_plan) plans;
  PC_ARRAY(pc_door) doors;
  PC_ARRAY(pc_detour) detours;
  PC_ARRAY(pc_group) groups;
  pc_random random;
  double narrowest, gaps_below, tightest; // m: bodies; gaps that are listed; the least of them
  double congestion_last;                 // when ways were found last, s
  bool finished;
  int walls; // bodies of the world before the first person
  pc_person *person;
  pc_walker *walker; // of each
  int people, inside;
  int person_capacity; // of this and of all arrays below that have an element per person
  int waiting;         // to come in
  double largest;      // radius
  pc_spots *spots;     // where people were placed, before the first step

  // Per person, in a step.
  double (*place)[3], (*velocity)[3]; // of the world, as it is now
  double (*before)[3];                // place at the begin of the last step
  double (*wish)[2];                  // velocity
  double *angle, *spin;               // where people turn
  double *push;                       // in the last step, N s
  pc_pushed *pushed;
  PC_ARRAY(pc_press) press; // of the last step
  bool is_read;             // `place` and `velocity`, unless the world has changed since
  double wishes_s;          // spent in the last step
  unsigned char *there;
  unsigned char *near; // at the line of an exit or of stairs, at the end of the step
  pc_line_box *line;   // of all of those, by their low x; made in the first step
  int lines;
  double longest_line; // in x
  double (*ground)[2]; // place, for `cells`
  int *moved;          // since those were sorted; room for two for each person
  int moves;
  pc_cells cells;
};

// person.c
void pc_walker_set(pc_crowd *crowd, int person);

// step.c: the size of the percussion of a contact of the last step, and whose it is.
double pc_contact_size(const pc_crowd *crowd, int contact, pc_body bodies[2]);

// wishes.c: forces on all people in a step of length h.
pc_status pc_wishes_set(pc_crowd *crowd, double h);

// routes.c: the fields of a goal, unless they are known.
pc_status pc_routes_find(pc_crowd *crowd, int goal);
pc_status pc_routes_renew(pc_crowd *crowd); // of all goals that have fields
void pc_routes_forget(pc_crowd *crowd, pc_target *target);
// outside.c
pc_status pc_find_outside(pc_floor *floor, pc_error *error);
// Whether a place is beyond the walls, or sees one that is, within a square of the grid.
bool pc_is_outside(const pc_floor *floor, const double p[2]);
// Whether one can walk from a place to beyond the walls; then `leak` is where a wall is missing, or
// the narrowest place of the way, seen from the first such place.
bool pc_leads_out(pc_floor *floor, const double p[2]);

// walls.c: a wall and a pillar (x, y, radius) as bodies of the world, `offset` along x.
pc_status pc_build_wall(pc_crowd *crowd, double offset, int count, const double (*point)[2],
                        bool closed);
pc_status pc_build_pillar(pc_crowd *crowd, double offset, const double disc[3]);

// floors.c
double (*pc_copy_points(int count, const double (*points)[2]))[2];
pc_status pc_check_floor(pc_crowd *crowd, int floor); // that can still be added to

// exits.c: gaps in walls, before plans are finished; whether exits are at places where one can be.
pc_status pc_exits_cut(pc_crowd *crowd);
pc_status pc_exits_check(pc_crowd *crowd);

// widths.c: gaps that nobody fits through, before grids are made; and which of them keeps somebody
// from a goal that no way leads to.
pc_status pc_widths_close(pc_crowd *crowd);
bool pc_widths_explain(pc_crowd *crowd, int goal, int floor, const double place[2], pc_gap *gap);

// reach.c: nodes of a floor to which people can walk, 1 each, which the caller frees; and whether a
// place is by one of them.
unsigned char *pc_find_reached(const pc_crowd *crowd, int floor);
bool pc_is_reached(const pc_grid *grid, const unsigned char *reached, const double p[2]);

// congestion.c: how much longer ways take by where people are. `look` is for the begin of a step.
double pc_congestion_factor(double density); // times as long
pc_status pc_congestion_make(pc_crowd *crowd);
pc_status pc_congestion_look(pc_crowd *crowd, double time);
void pc_congestion_free(pc_floor *floor);
size_t pc_congestion_save(const pc_crowd *crowd, char *to); // as pc_events_save
pc_status pc_congestion_load(pc_crowd *crowd, const char *from);

// groups.c: what a person's group adds to their force.
void pc_group_push(const pc_crowd *crowd, int person, double force[6]);
void pc_groups_free(pc_crowd *crowd);

// passages.c: the pockets as walls, once the others stand; and who goes over a line, at the end of
// a step.
pc_status pc_passages_build(pc_crowd *crowd);
pc_status pc_passages_go(pc_crowd *crowd);
bool pc_passages_way(const pc_crowd *crowd, const pc_person *person, const double p[2],
                     double way[2]);
// If a point is behind a line of stairs: the one before the line, where who is there walks out.
bool pc_passages_out(const pc_crowd *crowd, int floor, const double p[2], double out[2]);

// room.c: whether somebody has room at a place of a floor. Before the first question of a step
// people are sorted; who is put somewhere is noted.
pc_status pc_room_sort(pc_crowd *crowd);
bool pc_room_has(const pc_crowd *crowd, int floor, const double p[2], double radius, int except);
pc_status pc_room_move(pc_crowd *crowd, int person, int floor, const double p[2],
                       const double velocity[2], double turn);

// events.c: what time brings at the begin of a step.
pc_status pc_doors_build(pc_crowd *crowd);
double pc_doors_distance(const pc_crowd *crowd, int floor, const double p[2]);
pc_status pc_events(pc_crowd *crowd);
pc_status pc_source_queue(pc_crowd *crowd, int person, int source, double due);
void pc_events_free(pc_crowd *crowd);
// What of it changes and is not people's: gives its size, and writes it unless `to` is NULL. Loaded
// after people.
size_t pc_events_save(const pc_crowd *crowd, char *to);
pc_status pc_events_load(pc_crowd *crowd, const char *from);

// A message for the caller.
#define pc_crowd_fail(crowd, status, ...) pc_fail(&(crowd)->error, status, __VA_ARGS__)
// errors.c: an error of the caller's about some of its objects, which stand in the format as these
// marks: " on floor 3", "goal 2", "person 7".
#define PC_ON_FLOOR "\1"
#define PC_THE_GOAL "\2"
#define PC_THE_PERSON "\3"
pc_status pc_crowd_fail_about(pc_crowd *crowd, int floor, int goal, int person, const char *format,
                              ...) __attribute__((format(printf, 5, 6)));

#endif
