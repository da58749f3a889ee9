// A crowd: people who walk to where they want to go, as discs of a world whose contacts are
// mechanics.
//
//     pc_crowd_def def = pc_crowd_def_default();
//     pc_crowd *crowd = pc_crowd_create(&def);
//     int room = pc_crowd_add_floor(crowd);
//     pc_crowd_add_wall(crowd, room, PC_WALL_LINE, 6, points);
//     int door = pc_crowd_add_exit(crowd, &(pc_exit_def){.floor = room, .line = {{5, 2}, {5, 3}}});
//     pc_crowd_finish(crowd);                       // walls stand, routes are found
//     pc_person_def person = pc_person_def_default();
//     person.goal = door;
//     pc_crowd_add_person(crowd, &person);
//     while (pc_crowd_inside(crowd) > 0)
//       pc_crowd_step(crowd, 0.01);                 // PC_OK, or pc_crowd_error(crowd) explains
//
// Book: Fremond, Collisions Engineering (2017), chapter 6; Pecol's thesis, chapter 2. Units are SI.
#ifndef PERCUSS_CROWD_H
#define PERCUSS_CROWD_H

#include <stdint.h>

#include "percuss/law.h"
#include "percuss/world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_crowd pc_crowd;

// The repulsion of people who keep their distance (Helbing; book 6.38 with its signs put right):
// -A exp(-gap / B) (L + (1 - L) (1 + cos phi) / 2) towards the other, phi between the way wished
// and the other person.
typedef struct pc_social {
  double strength;   // A, N; 0: none
  double range;      // B, m
  double anisotropy; // L, 0 to 1; 1: what is behind counts as much
  bool sideways;     // phi is 90 degrees, whoever it is (the book's runs)
} pc_social;

// How people who turn keep their orientation (book 6.39): I theta'' + c theta' + k (theta -
// theta_d) = 0 with c = 2 zeta sqrt(I k), theta_d the direction in which they want to walk.
typedef struct pc_turning {
  double stiffness; // k, N m; 0: none
  double damping;   // zeta
} pc_turning;

// The three treatments of the book are those of a world: NSM2 at velocity level, NSM1 at position
// level, DEM by penalty springs.
typedef struct pc_crowd_def {
  pc_treatment treatment;
  bool first_order; // people have no inertia: wishes are velocities (Maury and Venel)
  double stiffness; // of DEM, N/m
  bool looks_again; // NSM2: contacts are looked for again in a step, with the velocities they gave
  bool dissipative; // NSM2: contacts never give energy, as of a world
  pc_law law;       // between people
  pc_law wall_law;  // with walls and obstacles
  bool turns;       // people have an orientation
  pc_turning turning;
  pc_social social;
  double spacing;    // of the grids of routes, m; 0: an eighth of the narrowest exit, at most 0.1
  double inset;      // routes keep so far off walls, m, where there is room
  double reluctance; // how much dearer a way is that does not
  double clearance;  // routes pass exits so far from their ends, m, or in the middle
  double congestion; // routes are found anew so often, s, and lead around crowds; 0: never
  double tolerance;  // on the residual of a step
  int max_iterations;
  uint64_t seed; // of everything random: where people come in
  int threads;   // 0: one; the answer does not depend on it
} pc_crowd_def;
pc_crowd_def pc_crowd_def_default(void); // NSM2, K_N = 1e5 kg, no friction, no social force

pc_crowd *pc_crowd_create(const pc_crowd_def *def); // NULL when memory is out
void pc_crowd_destroy(pc_crowd *crowd);
// The last error: its status, its text, and the objects that it is about, by their numbers.
pc_status pc_crowd_status(const pc_crowd *crowd);
const char *pc_crowd_error(const pc_crowd *crowd);
typedef enum pc_crowd_object {
  PC_CROWD_FLOOR,
  PC_CROWD_GOAL,
  PC_CROWD_PERSON,
  PC_CROWD_OBJECTS
} pc_crowd_object;
typedef struct pc_crowd_subject {
  int id[PC_CROWD_OBJECTS]; // -1: it is about none of these
} pc_crowd_subject;
pc_crowd_subject pc_crowd_error_subject(const pc_crowd *crowd);
// The text with names instead of numbers. `name` writes what the caller calls an object; a floor
// that is called "" is not mentioned. What it leaves as it is keeps its number.
typedef void pc_crowd_namer(void *context, pc_crowd_object object, int number, char *name,
                            size_t size);
void pc_crowd_explain(const pc_crowd *crowd, pc_crowd_namer *name, void *context, char *text,
                      size_t size);
pc_world *pc_crowd_world(pc_crowd *crowd);

// --- the building: before pc_crowd_finish. Numbers are from 0; -1 means an error. ---------------

int pc_crowd_add_floor(pc_crowd *crowd);
typedef enum pc_wall_kind {
  PC_WALL_LINE,     // without thickness
  PC_WALL_OBSTACLE, // closed, nobody inside
  PC_WALL_OUTLINE   // closed, nobody outside
} pc_wall_kind;
pc_status pc_crowd_add_wall(pc_crowd *crowd, int floor, pc_wall_kind kind, int count,
                            const double (*points)[2]);
pc_status pc_crowd_add_pillar(pc_crowd *crowd, int floor, const double centre[2], double radius);

// Goals: exits, areas, or the nearest of several.
typedef struct pc_exit_def {
  int floor;
  double line[2][2];
  bool at_front; // who touches the line is counted as out, and removed when the centre is over it
  bool reenters; // who is over the line is not out, but comes in again
  int source;    // there
} pc_exit_def;
int pc_crowd_add_exit(pc_crowd *crowd, const pc_exit_def *def);
int pc_crowd_add_area(pc_crowd *crowd, int floor, int count, const double (*points)[2]);
int pc_crowd_add_choice(pc_crowd *crowd, int count, const int *goals);
// Where people are slower: nobody walks faster than `speed` there, or than their own speed on
// stairs where that is 0.
pc_status pc_crowd_add_slow_zone(pc_crowd *crowd, int floor, int count, const double (*points)[2],
                                 double speed);

// Stairs from one floor to another. Who is over the line on the first floor goes on from the one
// on the second, at the same place along it, if there is room; else they wait before it. Behind
// both lines half a metre must be free: walls are put around it. A line on a wall or on the edge of
// the walkable area is a gap in it, as that of an exit. With a length the stairs are a floor of
// their own, that long, where people are as slow as in a slow zone.
typedef struct pc_stairs_def {
  int floor[2];
  double line[2][2][2]; // equally wide; from left to right as who goes to the second floor sees it
  double length, speed; // m; m/s or 0, as of a slow zone
  bool both_ways;
} pc_stairs_def;
// Gives the floor that the stairs are, or the first one.
int pc_crowd_add_stairs(pc_crowd *crowd, const pc_stairs_def *def);

// A wall that stands until it opens, s, and again once it closes and nobody is in it (0: never).
// Routes do not mind it.
typedef struct pc_door_def {
  int floor, count;
  const double (*points)[2];
  double opens, closes;
} pc_door_def;
int pc_crowd_add_door(pc_crowd *crowd, const pc_door_def *def);
// What became of it: bodies of the world, once the building is finished, and whether it is open.
typedef struct pc_door_state {
  int floor;
  int first, bodies; // first from 0
  double opens, closes;
  bool is_open;
} pc_door_state;
int pc_crowd_doors(const pc_crowd *crowd);
pc_door_state pc_crowd_door(const pc_crowd *crowd, int door);

// Where people come in when there is room: at a point, anywhere along a line, or in an area.
typedef struct pc_source_def {
  int floor, count;
  const double (*points)[2];
  double rate; // 1/s; 0: as many as have room
} pc_source_def;
int pc_crowd_add_source(pc_crowd *crowd, const pc_source_def *def);

// While at least so many people are in a zone, those elsewhere who want to one goal want to
// another.
typedef struct pc_detour_def {
  int floor, count;
  const double (*points)[2];
  int least;
  int from, to;
  bool holds; // for good; else who took it, and could still take it, goes back when fewer are there
  int where_count; // 0: wherever they are, else in this area of the floor
  const double (*where)[2];
} pc_detour_def;
int pc_crowd_add_detour(pc_crowd *crowd, const pc_detour_def *def);

// What people do one after the other.
typedef struct pc_stage {
  int goal;     // -1: stand
  double until; // s: the stage does not end before; with neither this nor `arrived` it does not end
  bool arrived; // nor before they are in the area of the goal
  double pause; // s to react before the next stage
} pc_stage;
int pc_crowd_add_plan(pc_crowd *crowd, int count, const pc_stage *stages);

// Nobody will be narrower than this: routes do not lead through narrower gaps, and exits or stairs
// that are narrower are refused. Before the building is finished; 0 (default): routes lead through
// all gaps.
pc_status pc_crowd_set_narrowest(pc_crowd *crowd, double width);
pc_status pc_crowd_finish(pc_crowd *crowd);

// --- people -------------------------------------------------------------------------------------

typedef struct pc_person_def {
  double mass;
  double speed;      // wished, m/s
  double relaxation; // s in which a wish is followed
  double response;   // s before it is
  bool straight;     // aims straight at the middle of the goal, whatever is in the way
  int plan;          // stages instead of one goal; -1: none
  double radius;
  double stairs_speed; // m/s
  int floor, goal;
  double position[2], velocity[2];
  double orientation, spin; // rad, rad/s, where people turn
  int source;               // comes in there, wherever `position` is; -1: is there from the start
  double arrival;           // s: not before
} pc_person_def;
pc_person_def pc_person_def_default(void); // 0.225 m, 80 kg, 1.34 m/s, 0.5 s
// In an obstacle, in a wall or on somebody else: refused, and the error says where. PC_NO_WAY: one
// could be there, but no way leads to the goal. PC_OPEN_WALLS: one could walk out where no exit is.
enum { PC_NO_WAY = -2, PC_OPEN_WALLS = -3 };
int pc_crowd_add_person(pc_crowd *crowd, const pc_person_def *def);

typedef struct pc_person_state {
  bool present; // false: not here any more, or not yet
  int floor, goal;
  double position[2], velocity[2], wish[2];
  double orientation, spin;
  double radius;
  double push;                   // sizes of contact percussions in the last step, summed, N s
  double push_largest, push_sum; // of that, over all steps
  int exit;                      // goal through which they were counted out; -1: not yet
  double exit_time;
  double entry_time; // 0: is there from the start; infinite: has not come in yet
  int stage;         // of the plan
  int laps;          // came in again so many times
} pc_person_state;
int pc_crowd_people(const pc_crowd *crowd);
int pc_crowd_inside(const pc_crowd *crowd);  // not counted out yet
int pc_crowd_waiting(const pc_crowd *crowd); // of these: have not come in yet
// Of these: were thrown through walls, or into an obstacle, in steps that were too long.
int pc_crowd_lost(const pc_crowd *crowd);
void pc_crowd_person(const pc_crowd *crowd, int person, pc_person_state *state);
pc_body pc_crowd_body(const pc_crowd *crowd, int person);
// Two people hold hands: their nearest shoulders (or centres, where nobody turns) are bound with
// K_V, kg/m^2 (book 6.42, 6.43). Gives the bond of the world, or -1.
int pc_crowd_add_hands(pc_crowd *crowd, int one, int other, double stiffness);
// People who want to stay together by forces instead, for comparison.
// Moussaid: Moussaid, Perozo, Garnier, Helbing, Theraulaz, PLoS ONE 5 (2010) e10047: accelerations
// -gaze alpha V (alpha, rad: how far the head is turned so that the middle of the others is within
// 90 degrees of the way), attraction towards that middle when it is farther away than (n - 1) / 2
// m, repulsion from each nearer than `spacing`. Singh (after Singh, Arter, Dodd, Drury, Appl. Math.
// Model. 33 (2009) 4408; the book has its numbers and not its formula, this one is ours): the first
// leads, the others want to be at its sides, and walk faster by rate x what they are away from
// there.
typedef enum pc_group_kind { PC_GROUP_MOUSSAID, PC_GROUP_SINGH } pc_group_kind;
typedef struct pc_group_def {
  pc_group_kind kind;
  int count;
  const int *people;
  double gaze, attraction, repulsion, spacing; // 1/s, m/s^2, m/s^2, m
  double distance, rate;                       // m, 1/s
} pc_group_def;
pc_group_def pc_group_def_default(pc_group_kind kind); // 4, 3, 1, 0.8 m; 0.7 m, 0.15 1/s
int pc_crowd_add_group(pc_crowd *crowd, const pc_group_def *def);
// Time to a goal from a place at 1 m/s; infinite if no way leads there. Routes to a goal are found
// when they are first asked for, here or by somebody who has that goal.
double pc_crowd_route(pc_crowd *crowd, int goal, int floor, const double place[2]);
// The narrowest gap on the way that somebody takes from a place to a goal, of those that are
// narrower than `width`; the exit counts. `most` is the largest width that will be asked for.
typedef struct pc_tight {
  double width; // m; infinite: there is none
  int floor;
  double place[2];
} pc_tight;
pc_tight pc_crowd_tightest(pc_crowd *crowd, int goal, int floor, const double place[2],
                           double width, double most);

pc_status pc_crowd_step(pc_crowd *crowd, double h);

// --- for those who run and record a crowd -------------------------------------------------------

int pc_crowd_floors(const pc_crowd *crowd);
double pc_crowd_floor_offset(const pc_crowd *crowd, int floor);       // of its x in the world
pc_person_def pc_crowd_person_def(const pc_crowd *crowd, int person); // of nobody: the default
double pc_crowd_wishes_seconds(const pc_crowd *crowd); // spent on ways and forces in the last step
void pc_crowd_set_threads(pc_crowd *crowd, int threads); // also those of its world
// All that changes, with the world, as bytes: pc_crowd_load of a crowd built the same way goes on
// as if nothing had been. Gives the size that is needed; nothing is written if `size` is less.
size_t pc_crowd_save(const pc_crowd *crowd, void *buffer, size_t size);
pc_status pc_crowd_load(pc_crowd *crowd, const void *buffer, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
