// The inside of pc_crowd.
#ifndef PERCUSS_CROWD_CROWD_H
#define PERCUSS_CROWD_CROWD_H

#include <stddef.h>

#include "core/array.h"
#include "crowd/cells.h"
#include "crowd/field.h"
#include "crowd/gaps.h"
#include "crowd/outlook.h"
#include "crowd/spots.h"
#include "percuss/crowd.h"
#include "percuss/random.h"

#define PC_LINE_REACH 1.0   // m
#define PC_POCKET_DEPTH 0.5 // m, behind the lines of stairs

// An area in which people walk slower.
typedef struct pc_zone {
  double (*point)[2];
  int count;
  double speed; // 0: the stairs_speed of each person
} pc_zone;

// Densities on the squares of a floor.
typedef struct pc_congested {
  int columns, rows;
  double *area;    // per square: walkable area, m^2
  double *density; // people per m^2, at the last update of routes
} pc_congested;

typedef struct pc_floor {
  pc_layout plan;
  pc_layout
      closed; // with gaps that are too narrow for anybody as walls; no walls if there are none
  pc_gap_list gaps; // narrower than `gaps_below` of the crowd
  pc_grid grid;
  double offset; // of x in the world, where floors lie side by side
  double slope;  // of a flight of stairs: rise along x; 0: level
  PC_ARRAY(pc_zone) zones;
  unsigned char *slow;    // per node of the grid: its zone from 1; 0: none
  unsigned char *outside; // per node: connected with the outside of the walls
  bool leaks;             // a person was placed at such a node,
  double leak[2];         // because a wall is missing here
  unsigned char *by_line; // per node: an exit or stairs may be within PC_LINE_REACH
  pc_congested congested;
  double *free_slowness; // per node, if it may change: without people and with doors open
  bool free_even;
} pc_floor;

// What people can use besides the floor, as bits; 0: stairs.
enum { PC_NO_STAIRS = 1, PC_LIFTS = 2, PC_ABILITIES = 4 };

typedef enum pc_target_kind { PC_TARGET_EXIT, PC_TARGET_AREA, PC_TARGET_CHOICE } pc_target_kind;

typedef struct pc_target {
  pc_target_kind kind;
  int floor;          // of an exit or area
  double (*point)[2]; // of its line or outline
  int count;
  double middle[2];
  bool at_front;        // exit
  bool reenters;        // exit: people who leave by it come in again
  int source;           // where they do
  double passage[2][2]; // exit: the part of its line that routes lead to
  int *member;          // of a choice
  int members;
  pc_field *field; // per floor, computed on demand; without nodes if no route exists
  pc_field *special[PC_ABILITIES - 1]; // the same for people of other abilities
} pc_target;

// Stairs from a line on one floor to a line on another. A person who crosses the first line
// continues from the second, at the same position along it and across it. Behind both lines are
// pockets in which people may wait.
typedef struct pc_passage {
  int floor[2];
  double line[2][2][2]; // from left to right, as seen from the first to the second
  double gap[2][2][2];  // the same; if it lies on a wall, the ends of the gap in that, next to them
  double along[2][2], forward[2][2]; // unit vectors
  double width;                      // of the narrower line, where the two differ
  double scale;                      // the width of the second line by that of the first
  bool both_ways, ramp;
} pc_passage;

// A stop of a lift.
typedef struct pc_landing {
  int floor;
  double line[2][2], along[2], out[2]; // of the doors; unit vectors
  double front[2][2];                  // before them, where people wait
  double height;
} pc_landing;

typedef struct pc_lift_motion { // saved as it is
  double until, closes;         // s: end of the phase; when doors that nobody uses close
  int phase, at, to, direction, riders, carried;
} pc_lift_motion;

typedef struct pc_lift {
  pc_lift_def def; // without landings
  pc_landing *landing;
  pc_lift_motion now;
} pc_lift;

// A place where people enter: a point, a line or an area.
typedef struct pc_source {
  int floor, count;
  double (*point)[2];
  double rate; // people per second; 0: no limit
  double last; // time of the last entry
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

// A contact of the last step: its two people, or -1 for a wall, and its impulse, N s.
typedef struct pc_press {
  int person[2];
  double size;
  double push[2]; // on the first; the second gets the opposite
} pc_press;

// Statistics of `push` over all steps.
typedef struct pc_pushed {
  double largest, sum;
} pc_pushed;

// What presses a person: impulses since the window began, by the direction that they press in, N s;
// the load of the last whole window, and the largest of all, N.
enum { PC_LOAD_WAYS = 16 };
typedef struct pc_pressing {
  double sum[PC_LOAD_WAYS], last, largest;
} pc_pressing;

// A door: a wall that is present for some time only.
typedef struct pc_door {
  int floor, count;
  double (*point)[2];
  double opens, closes;
  bool awaited;      // closed, it delays no route
  int first, bodies; // bodies of the world
  bool is_open;
  bool leads; // routes lead through it: it is open, and nobody waits to close it
} pc_door;

// A person. It has no pointers, because checkpoints save it as bytes.
typedef struct pc_person {
  int floor, goal;
  int group; // -1: none
  bool stands;
  bool present;
  bool waits;    // at a source
  bool rides;    // in a lift to `floor`
  double resume; // s: does not react before
  pc_person_def def;
  double facing; // desired orientation, rad
  int exit;      // goal by which the person left; -1: still inside
  int source;    // at which the person waits; lift in which the person rides
  double exit_time;
  double entry_time; // s: of the first entry
  double due;        // s: earliest entry
  int stage;         // of the plan
  int laps;          // number of entries after the first
  int detour;        // number from 1 of the detour taken; 0: none
  int chosen;        // number from 1 of the exit of a choice; 0: none yet, or no choice
  double decides;    // s: looks at others next,
  double turn, pace; // and what it decided last: tangent to the left, part of the free speed
  uint64_t unknown;  // bit k: does not know member k of the choice that is the goal of `def`
  double dose;       // fractional effective dose
  float smoke;       // part of the speed that smoke takes,
  float company;     // and waiting for others of a group
} pc_person;
_Static_assert(sizeof(pc_person) == 256 && offsetof(pc_person, def.radius) == 64, "whole lines");

// The data of a person that desired velocities need, compact because every step reads them for
// everybody. pc_walker_set copies them from pc_person; call it whenever one of them changes.
typedef struct pc_walker {
  double from; // s: stands still before; infinite: always
  double speed, mass, relaxation;
  int floor, goal, group;
  bool straight;
  unsigned char ability;
} pc_walker;

typedef struct pc_choosing pc_choosing; // choice.c

// An exit that is impossible, in a building that is inspected.
typedef struct pc_exit_fault {
  int goal;
  const char *what;
} pc_exit_fault;

struct pc_crowd {
  pc_crowd_def def;
  pc_arena arena; // of what is built once: points, grids, plans
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
  PC_ARRAY(pc_detour_def) detours;
  PC_ARRAY(pc_group_def) groups;
  PC_ARRAY(pc_sign_def) signs;
  double paced; // s: when members of groups last looked at each other
  PC_ARRAY(pc_lift) lifts;
  bool able[PC_ABILITIES]; // there are people of this ability
  PC_ARRAY(pc_hazard_def) hazards;
  double exposed, routed; // s: when people were last exposed, and routes led around smoke
  pc_random random;
  double narrowest, gaps_below,
      tightest;           // m: diameter of people; limit of listed gaps; narrowest gap
  double congestion_last; // s: last update of routes
  pc_choosing *choosing;  // NULL: nobody chooses
  bool finished;
  bool inspected; // impossible exits are noted, and no errors
  PC_ARRAY(pc_exit_fault) exit_faults;
  int anywhere; // the choice of all goals, if it is inspected; -1: none
  int walls;    // bodies of the world before the first person
  pc_person *person;
  pc_walker *walker; // of each
  int people, inside;
  int person_capacity; // of this and of all arrays below that have an element per person
  int waiting;         // to come in
  double largest;      // radius
  pc_spots *spots;     // places taken before the first step

  // Per person, of a step:
  double (*place)[3], (*velocity)[3]; // of the bodies now
  double (*before)[3];                // place at the start of the last step
  double (*wish)[2];                  // desired velocity
  double *angle, *spin;               // if people can turn
  double *push;                       // in the last step, N s
  pc_pushed *pushed;
  pc_pressing *pressing;
  double load_span;         // s: of the window of loads that is not over
  PC_ARRAY(pc_press) press; // of the last step
  bool is_read;             // place and velocity are up to date, unless the world has changed
  double wishes_s;          // time spent on desired velocities in the last step
  int *leader;              // whom each follows: those who hold hands, and groups; else themselves
  unsigned char *there;
  unsigned char *near; // near the line of an exit or of stairs, at the end of the step
  pc_line_box *line;   // all these lines, sorted by low x; made in the first step
  int lines;
  double longest_line; // in x
  double (*ground)[2]; // place, for `cells`
  unsigned char *seen; // is in `cells`, for `walking`
  int *moved;          // since those were sorted; room for two for each person
  int moves;
  pc_cells cells;
  pc_outlook outlook; // in the order of `cells`, for `walking`
};

// person.c
void pc_walker_set(pc_crowd *crowd, int person);
void pc_person_aim(pc_crowd *crowd, int person, int goal); // at another goal
// The goal that a person walks to: that of a choice, once one is chosen.
static inline int pc_heading(const pc_person *person)
{
  return person->chosen > 0 ? person->chosen - 1 : person->goal;
}

// The part of the own speed that a person walks at.
static inline double pc_ease(const pc_person *person)
{
  return (1 - (double)person->smoke) * (1 - (double)person->company);
}

// The one who leads a person, at the end of all who lead each other.
static inline int pc_leader_of(const pc_crowd *crowd, int person)
{
  while (crowd->leader[person] != person)
    person = crowd->leader[person];
  return person;
}

static inline int pc_ability(const pc_person_def *def)
{
  return (def->no_stairs ? PC_NO_STAIRS : 0) | (def->lifts ? PC_LIFTS : 0);
}
static inline pc_field *pc_fields_of(const pc_target *target, int ability)
{
  return ability == 0 ? target->field : target->special[ability - 1];
}

// choice.c: exits chosen by expected time. `look` at the start of a step; at once if routes have
// `changed`.
pc_status pc_choice_make(pc_crowd *crowd);
void pc_choice_free(pc_crowd *crowd);
pc_status pc_choice_look(pc_crowd *crowd, double time, bool changed);
// Gives somebody who comes in, and does not know all exits, one that is known.
pc_status pc_choice_begin(pc_crowd *crowd, int person);
size_t pc_choice_save(const pc_crowd *crowd, char *to); // as pc_events_save
bool pc_choice_is_sound(const pc_crowd *crowd, const pc_person *person);
pc_status pc_choice_load(pc_crowd *crowd, const char *from);

// step.c: size of the impulse of a contact of the last step, and its bodies.
double pc_contact_size(const pc_crowd *crowd, int contact, pc_body bodies[2]);

// loads.c: adds an impulse on a person to the window; ends a window of that length.
void pc_pressing_add(pc_pressing *pressing, double x, double y);
void pc_pressing_end(pc_pressing *pressing, double span);

// people.c: 0, or what pc_crowd_add_person would answer, without adding the person; whether only
// the place is free.
int pc_people_check(pc_crowd *crowd, const pc_person_def *def);
bool pc_people_may_stand(const pc_crowd *crowd, const pc_person_def *def);
void pc_people_free(pc_crowd *crowd);

// walking.c: sorts people for `adapt`, in the step at a time, with those who left a moment ago;
pc_status pc_walking_sort(pc_crowd *crowd, double time);
// the direction and the speed of a person who walks in a crowd, given those of one who is alone.
void pc_walking_adapt(pc_crowd *crowd, int person, double time, double way[2], double *speed);
// wishes.c: sets the forces on all people for a step of length h.
pc_status pc_wishes_set(pc_crowd *crowd, double h);

// routes.c: computes the fields of a goal for all abilities that people have, if they are not known
// yet. Time to a goal for people of an ability.
pc_status pc_routes_find(pc_crowd *crowd, int goal);
double pc_routes_time(pc_crowd *crowd, int goal, int ability, int floor, const double place[2]);
pc_status pc_routes_renew(pc_crowd *crowd); // of all goals that have fields
void pc_routes_forget(pc_crowd *crowd, pc_target *target);
// outside.c
pc_status pc_find_outside(pc_floor *floor, pc_error *error);
// Whether a place is outside the walls, or sees such a place within a square of the grid.
bool pc_is_outside(const pc_floor *floor, const double p[2]);
// Whether a path leads from a place to the outside of the walls. Then `leak` is where a wall is
// missing, or the narrowest place of the path, seen from the first such place.
bool pc_leads_out(pc_floor *floor, const double p[2]);
// The middle of a line that would close the walls around a node; false: none would.
bool pc_find_missing_wall(const pc_floor *floor, int from, double gap[2]);

// walls.c: a wall and a pillar (x, y, radius) as bodies of the world, `offset` along x.
pc_status pc_build_wall(pc_crowd *crowd, double offset, int count, const double (*point)[2],
                        bool closed);
pc_status pc_build_pillar(pc_crowd *crowd, double offset, const double disc[3]);

// floors.c
pc_status pc_check_floor(pc_crowd *crowd, int floor); // that can still be added to

// exits.c: cuts gaps into walls, before layouts are finished; checks that exits can be reached.
pc_status pc_exits_cut(pc_crowd *crowd);
pc_status pc_exits_check(pc_crowd *crowd);

// widths.c: closes gaps that are too narrow for anybody, before grids are made; and finds the gap
// that blocks all routes from a place to a goal.
pc_status pc_widths_close(pc_crowd *crowd);
bool pc_widths_explain(pc_crowd *crowd, int goal, int floor, const double place[2], pc_gap *gap);

// reach.c: marks (1) the nodes of a floor that people can reach; the caller frees the marks. And
// whether a place is next to a marked node.
unsigned char *pc_find_reached(const pc_crowd *crowd, int floor);
bool pc_is_reached(const pc_grid *grid, const unsigned char *reached, const double p[2]);

// sight.c: what a person who does not know all exits gets to know from where they are.
void pc_sight_look(pc_crowd *crowd, int person);

// hazards.c: exposes people, at the start of a step; true if routes change. The optical depth
// between two places. `delay` multiplies slowness.
bool pc_hazards_look(pc_crowd *crowd, double time);
double pc_hazards_depth(const pc_crowd *crowd, int floor, const double p[2], const double q[2],
                        double time);
void pc_hazards_delay(pc_crowd *crowd);
size_t pc_hazards_save(const pc_crowd *crowd, char *to); // as pc_events_save
void pc_hazards_load(pc_crowd *crowd, const char *from);

// lifts.c: checks landings; time to a goal from the doors of a stop, and the best stop to get out
// at; whether a person stands before doors and waits; moves cars and people, at the start of a
// step.
pc_status pc_lifts_check(pc_crowd *crowd);
double pc_lift_after(const pc_crowd *crowd, const pc_field *fields, const pc_lift *lift, int from,
                     int *best);
bool pc_lifts_stand(const pc_crowd *crowd, int person);
pc_status pc_lifts_go(pc_crowd *crowd, double time);
size_t pc_lifts_save(const pc_crowd *crowd, char *to); // as pc_events_save
bool pc_lifts_are_sound(const pc_crowd *crowd, const char *from);
bool pc_lifts_may_carry(const pc_crowd *crowd, const pc_person *person);
void pc_lifts_load(pc_crowd *crowd, const char *from);

// company.c: groups whose members wait for each other. `look` at the start of a step.
void pc_company_look(pc_crowd *crowd, double time);
void pc_company_gather(pc_crowd *crowd, const pc_group_def *def);
size_t pc_company_save(const pc_crowd *crowd, char *to); // as pc_events_save
void pc_company_load(pc_crowd *crowd, const char *from);

// delays.c: what makes ways slower during a run. `make` once doors are built; `renew` when it has
// changed: then all routes are computed again.
pc_status pc_delays_make(pc_crowd *crowd);
pc_status pc_delays_renew(pc_crowd *crowd);

// congestion.c: delays on routes caused by density. `look` at the start of a step is true if
// densities are measured anew.
double pc_congestion_factor(double density); // factor on the walking time
pc_status pc_congestion_make(pc_crowd *crowd);
bool pc_congestion_look(pc_crowd *crowd, double time);
void pc_congestion_delay(pc_crowd *crowd);                            // multiplies slowness
size_t pc_congestion_save(const pc_crowd *crowd, char *to);           // as pc_events_save
bool pc_congestion_is_sound(const pc_crowd *crowd, const char *from); // what will be loaded
void pc_congestion_load(pc_crowd *crowd, const char *from);

// groups.c: adds the force of a person's group.
void pc_group_push(const pc_crowd *crowd, int person, double force[6]);

// passages.c: cuts gaps into walls where stairs lie on them; builds the walls of the pockets, after
// the others; moves people across lines, at the end of a step.
pc_status pc_passages_cut(pc_crowd *crowd);
pc_status pc_passages_build(pc_crowd *crowd);
pc_status pc_passages_go(pc_crowd *crowd);
bool pc_passages_way(const pc_crowd *crowd, const pc_person *person, const double p[2],
                     double way[2]);
// If a point is behind a line of stairs: the point before the line to which people walk from there.
bool pc_passages_out(const pc_crowd *crowd, int floor, const double p[2], double out[2]);
// Whether a place is on a wall around the half metre behind a line, or within them.
bool pc_passages_border(const pc_crowd *crowd, int floor, const double p[2]);

// room.c: whether there is room for a person at a place of a floor. Sort people into cells of a
// size before the first query of a step; moves are noted.
pc_status pc_room_sort(pc_crowd *crowd, double size);
bool pc_room_has(const pc_crowd *crowd, int floor, const double p[2], double radius, int except);
pc_status pc_room_move(pc_crowd *crowd, int person, int floor, const double p[2],
                       const double velocity[2], double turn);

// doors.c: closed doors as bodies of the world, and as delays on routes. `move` opens and closes
// them at the start of a step; `moved` becomes true if a route may have changed.
pc_status pc_doors_build(pc_crowd *crowd);
pc_status pc_doors_move(pc_crowd *crowd, double time, bool *moved);
void pc_doors_note(pc_crowd *crowd); // which are open, after the world was loaded
void pc_doors_delay(pc_crowd *crowd);
double pc_doors_distance(const pc_crowd *crowd, int floor, const double p[2]);

// events.c: sources, plans and detours, at the start of a step.
pc_status pc_events(pc_crowd *crowd);
pc_status pc_source_queue(pc_crowd *crowd, int person, int source, double due);
// Saves the changing state that does not belong to people: gives its size, and writes it unless
// `to` is NULL. Load it after people.
size_t pc_events_save(const pc_crowd *crowd, char *to);
pc_status pc_events_load(pc_crowd *crowd, const char *from);

// Fills the error of the crowd; `reject` is -1, for functions that give a number.
#define pc_crowd_fail(crowd, status, ...) pc_fail(&(crowd)->error, status, __VA_ARGS__)
// The next call may have more luck.
#define pc_crowd_out_of_memory(crowd)                                                              \
  ((crowd)->arena.failed = false, pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory"))
#define pc_crowd_reject(crowd, ...) (pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, __VA_ARGS__), -1)
// errors.c: gives the status of a call of the world on; if that failed, with its message.
pc_status pc_crowd_check(pc_crowd *crowd, pc_status status);
// Whether a caller may change or step the crowd: there is one, and no step of it is going on.
pc_status pc_crowd_admit(pc_crowd *crowd);
// errors.c: an error of the caller's about some of its objects, which stand in the format as these
// marks: " on floor 3", "goal 2", "person 7".
#define PC_ON_FLOOR "\1"
#define PC_THE_GOAL "\2"
#define PC_THE_PERSON "\3"
pc_status pc_crowd_fail_about(pc_crowd *crowd, int floor, int goal, int person, const char *format,
                              ...) __attribute__((format(printf, 5, 6)));

#endif
