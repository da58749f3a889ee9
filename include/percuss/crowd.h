// A crowd: pedestrians as discs of a world. They walk to their goals, and their contacts are
// solved as collisions.
//
//     pc_crowd_def def = pc_crowd_def_default();
//     pc_crowd *crowd = pc_crowd_create(&def);
//     int room = pc_crowd_add_floor(crowd);
//     pc_crowd_add_wall(crowd, room, PC_WALL_LINE, 6, points);
//     int door = pc_crowd_add_exit(crowd, &(pc_exit_def){.floor = room, .line = {{5, 2}, {5, 3}}});
//     pc_crowd_finish(crowd);                       // builds walls and routes
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

// The social force (Helbing; book 6.38 with corrected signs): -A exp(-gap / B) (L + (1 - L)
// (1 + cos phi) / 2) towards the other person, with phi the angle between the desired direction
// and the direction of the other person.
typedef struct pc_social {
  double strength;   // A, N; 0: none
  double range;      // B, m
  double anisotropy; // L, 0 to 1; 1: people behind count as much as people in front
  bool sideways;     // phi is 90 degrees for all neighbours (as in the book's runs)
} pc_social;

// How people walk among others. With PC_WALK_FOLLOW a person of free speed v0 who has the density
// rho ahead walks at v0 (1 - exp(-rate / v0 (1 / rho - 1 / densest))), at most at the gap to a
// person in the way divided by `headway`, and evades people before they meet (docs/crowds.md).
typedef enum pc_walking_model {
  PC_WALK_DIRECT, // at the desired speed; only contacts and the social force keep people apart
  PC_WALK_FOLLOW
} pc_walking_model;
typedef struct pc_walking {
  pc_walking_model model;
  double densest;      // 1/m^2: nobody walks on
  double rate;         // 1/(m s)
  double anticipation; // s: people ahead count where they will be then
  double headway;      // s
} pc_walking;
pc_walking pc_walking_default(void); // PC_WALK_FOLLOW, calibrated

// Orientation of people, if `turns` (book 6.39): I theta'' + c theta' + k (theta -
// theta_d) = 0 with c = 2 zeta sqrt(I k), theta_d the direction in which they want to walk.
typedef struct pc_turning {
  double stiffness; // k, N m; 0: none
  double damping;   // zeta
} pc_turning;

// The three treatments of the book are those of a world: NSM2 at velocity level, NSM1 at position
// level, DEM by penalty springs.
typedef struct pc_crowd_def {
  pc_treatment treatment;
  bool first_order; // no inertia: desired velocities are velocities (Maury and Venel)
  double stiffness; // of DEM, N/m
  bool looks_again; // NSM2: contacts are detected again in a step, with the new velocities
  bool dissipative; // NSM2: contacts never give energy (see pc_world_def)
  pc_law law;       // between people
  pc_law wall_law;  // with walls and obstacles
  bool turns;       // people have an orientation
  pc_turning turning;
  pc_walking walking;
  pc_social social;
  double spacing;     // of the grids of routes, m; 0: an eighth of the narrowest exit, at most 0.1
  double inset;       // m: distance of routes from walls, where space permits
  double reluctance;  // cost factor of routes that are closer to walls
  double clearance;   // m: distance of routes from the ends of exits; narrower exits: the middle
  double congestion;  // s between updates of routes, which then avoid crowds; 0: never
  double choosing;    // s between looks at exits: people with a choice take the one by which they
                      // expect to be out first; 0: never, they take the nearest
  double sight;       // m: how far people see exits and signs to them, in clear air
  double avoidance;   // m: routes through smoke of extinction K count 1 + avoidance x K times
  double contrast;    // people see through an optical depth of this: 3, or 8 for signs that are lit
  double dose;        // at which people are incapacitated; 0: 1
  double load_window; // s: loads on people are means over this time; 0: 1
  double tolerance;   // on the residual of a step
  int max_iterations;
  uint64_t seed; // of all random draws: where people enter
  int threads;   // 0: one; the answer does not depend on it
} pc_crowd_def;
// NSM2, K_N = 1e5 kg, no friction, PC_WALK_DIRECT with the numbers of pc_walking_default.
pc_crowd_def pc_crowd_def_default(void);
// The default of scenes, for planning: PC_WALK_FOLLOW, and contacts without rebound and friction.
pc_crowd_def pc_crowd_def_calibrated(void);

pc_crowd *pc_crowd_create(const pc_crowd_def *def); // NULL if memory runs out
void pc_crowd_destroy(pc_crowd *crowd);
// The last error: status, text, and the numbers of the objects that it refers to.
pc_status pc_crowd_status(const pc_crowd *crowd);
const char *pc_crowd_error(const pc_crowd *crowd);
typedef enum pc_crowd_object {
  PC_CROWD_FLOOR,
  PC_CROWD_GOAL,
  PC_CROWD_PERSON,
  PC_CROWD_OBJECTS
} pc_crowd_object;
typedef struct pc_crowd_subject {
  int id[PC_CROWD_OBJECTS]; // -1: does not apply
} pc_crowd_subject;
pc_crowd_subject pc_crowd_error_subject(const pc_crowd *crowd);
// The text with names instead of numbers. `name` writes the caller's name of an object; a floor
// with the name "" is not mentioned. Objects that `name` does not change keep their numbers.
typedef void pc_crowd_namer(void *context, pc_crowd_object object, int number, char *name,
                            size_t size);
void pc_crowd_explain(const pc_crowd *crowd, pc_crowd_namer *name, void *context, char *text,
                      size_t size);
pc_world *pc_crowd_world(pc_crowd *crowd);

// --- the building: before pc_crowd_finish. Numbers are from 0; -1 means an error. ---------------

int pc_crowd_add_floor(pc_crowd *crowd);
typedef enum pc_wall_kind {
  PC_WALL_LINE,     // without thickness
  PC_WALL_OBSTACLE, // closed; people are outside
  PC_WALL_OUTLINE   // closed; people are inside
} pc_wall_kind;
pc_status pc_crowd_add_wall(pc_crowd *crowd, int floor, pc_wall_kind kind, int count,
                            const double (*points)[2]);
pc_status pc_crowd_add_pillar(pc_crowd *crowd, int floor, const double centre[2], double radius);

// Goals: exits, areas, or the nearest of several.
typedef struct pc_exit_def {
  int floor;
  double line[2][2];
  bool at_front; // people count as out when they touch the line; removed when the centre crosses it
  bool reenters; // people who cross the line enter again
  int source;    // where they enter again
} pc_exit_def;
int pc_crowd_add_exit(pc_crowd *crowd, const pc_exit_def *def);
int pc_crowd_add_area(pc_crowd *crowd, int floor, int count, const double (*points)[2]);
int pc_crowd_add_choice(pc_crowd *crowd, int count, const int *goals);
// A sign to an exit: people who see it know the exit from then on.
typedef struct pc_sign_def {
  int floor, goal;
  double place[2];
  bool lit; // seen through 8/3 of the smoke
} pc_sign_def;
int pc_crowd_add_sign(pc_crowd *crowd, const pc_sign_def *def);
// A zone where people walk at most at `speed`, or, if that is 0, at most at their own speed on
// stairs.
pc_status pc_crowd_add_slow_zone(pc_crowd *crowd, int floor, int count, const double (*points)[2],
                                 double speed);

// Stairs from one floor to another. People who cross the line on the first floor continue from the
// line on the second, at the same position along it, if there is room; otherwise they wait. The
// half metre behind both lines must be free; walls are put around it. A line on a wall or on the
// edge of the walkable area opens a gap in it, like an exit. Stairs with a length are a floor of
// their own, of that length, where people walk as in a slow zone; with a rise, their speed follows
// the slope and the direction.
typedef struct pc_stairs_def {
  int floor[2];
  double line[2][2][2]; // equally wide; left to right as seen when walking to the second floor
  double length, speed; // m; m/s or 0, as for a slow zone
  bool both_ways;
  double rise;          // m: of the second floor above the first, over the length; 0: level
  double opens, closes; // s: the lines that people enter by are doors; 0: always open
  bool ramp;            // people who take no stairs take it
} pc_stairs_def;
// Free horizontal speed on stairs of a slope (rise over horizontal length), relative to that on the
// level; above 0: up. Weidmann (1993): up 0.61, down 0.69 and level 1.34 m/s, here for 17/29 cm;
// with the slope as the SFPE Handbook has it, along the stairs as the root of tread over riser.
double pc_stairs_ratio(double slope);
// Returns the floor formed by the stairs, or the first one.
int pc_crowd_add_stairs(pc_crowd *crowd, const pc_stairs_def *def);

// A lift. People who may use lifts walk to its doors, if that is the fastest way, and wait there;
// they get in and out one after the other. The car goes on in its direction while somebody gets out
// there or, if there is room, waits to go the same way; an empty car goes to the nearest call.
typedef struct pc_landing_def {
  int floor;
  double line[2][2]; // the doors, left to right as seen by those who get in
  double height;     // m
} pc_landing_def;
typedef struct pc_lift_def {
  int landings; // each on a floor of its own
  const pc_landing_def *landing;
  int capacity, start;        // people; the landing where the car is at first
  double speed, acceleration; // m/s; m/s^2, 0: none
  double doors;               // s to open, and to close
  double transfer;            // s for each person who gets in or out
  double dwell;               // s that doors stay open after the last of them
  double wait;                // s that people expect to wait; below 0: half a round trip
  bool highest;               // an empty car goes to the highest call
} pc_lift_def;
pc_lift_def pc_lift_def_default(void); // 8 people, 1 m/s, 3, 1 and 3 s
int pc_crowd_add_lift(pc_crowd *crowd, const pc_lift_def *def);
typedef struct pc_lift_state {
  int at, to;          // landings: where it is or was last; where it goes
  int riders, carried; // people in it; all who got in
  bool is_open, moves;
} pc_lift_state;
int pc_crowd_lifts(const pc_crowd *crowd);
pc_lift_state pc_crowd_lift(const pc_crowd *crowd, int lift);

// A wall that opens at a time, s, and closes again when it is clear of people (0: never). While it
// is closed, routes lead around it: people turn round at once. Those who have no other way wait in
// front of it.
typedef struct pc_door_def {
  int floor, count;
  const double (*points)[2];
  double opens, closes;
  bool awaited; // routes lead through it even while it is closed
} pc_door_def;
int pc_crowd_add_door(pc_crowd *crowd, const pc_door_def *def);
// Its state: its bodies in the world, once the building is finished, and whether it is open.
typedef struct pc_door_state {
  int floor;
  int first, bodies; // first from 0
  double opens, closes;
  bool is_open;
} pc_door_state;
int pc_crowd_doors(const pc_crowd *crowd);
pc_door_state pc_crowd_door(const pc_crowd *crowd, int door);

// Where people enter when there is room: at a point, along a line, or in an area.
typedef struct pc_source_def {
  int floor, count;
  const double (*points)[2];
  double rate; // 1/s; 0: no limit
} pc_source_def;
int pc_crowd_add_source(pc_crowd *crowd, const pc_source_def *def);

// While at least `least` people are in a zone, people elsewhere with the goal `from` get the goal
// `to`.
typedef struct pc_detour_def {
  int floor, count;
  const double (*points)[2];
  int least;
  int from, to;
  bool holds;      // permanent; else people in `where` return to `from` when fewer are there
  int where_count; // 0: everywhere, else only people in this area of the floor
  const double (*where)[2];
} pc_detour_def;
int pc_crowd_add_detour(pc_crowd *crowd, const pc_detour_def *def);

// The plan of a person: stages, one after the other.
typedef struct pc_stage {
  int goal;     // -1: stand
  double until; // s: earliest end; without this and `arrived` the stage does not end
  bool arrived; // the stage also lasts until the person is in the area of the goal
  double pause; // s: reaction time before the next stage
} pc_stage;
int pc_crowd_add_plan(pc_crowd *crowd, int count, const pc_stage *stages);

// Hazards of a fire, given as fields, at the height where people breathe. Volume fractions of clean
// air are 0, and 0.209 for oxygen. The extinction coefficient K slows people down by
// pc_smoke_speed; gases add up to a dose (pc_dose_rate), and a dose rate adds to that.
typedef enum pc_hazard_quantity {
  PC_EXTINCTION, // K, 1/m
  PC_CO,         // volume fractions
  PC_CO2,
  PC_O2, // 0: not given
  PC_HCN,
  PC_DOSE, // 1/s
  PC_HAZARDS
} pc_hazard_quantity;
// In an area of a floor: values, or a table by time since `from`, x and y, linear between its
// nodes. After its last time it stays; outside its nodes the air is clean. Several hazards add up,
// but for oxygen, of which the least counts.
typedef struct pc_hazard_def {
  int floor, count;
  const double (*points)[2];       // count 0: the whole floor
  double from, until;              // s; until 0: to the end
  double value[PC_HAZARDS];        // of what has no table
  int nodes[3];                    // of time, x and y; 0: no table
  const double *axis[3];           // rising
  const double *table[PC_HAZARDS]; // [time][y][x], or NULL
} pc_hazard_def;
int pc_crowd_add_hazard(pc_crowd *crowd, const pc_hazard_def *def);
// What is in the air, at a time.
void pc_crowd_air(const pc_crowd *crowd, int floor, const double place[2], double time,
                  double air[PC_HAZARDS]);
// The part of the free speed that people walk at in smoke: 1 - 0.057 K / 0.706, at least 0.1
// (Frantzich and Nilsson, 2003; Korhonen and Hostikka, VTT Working Papers 119, 2009).
double pc_smoke_speed(double extinction);
// Fractional effective dose per second (Purser, SFPE Handbook): CO and HCN, times the faster
// breathing by CO2, lack of oxygen below 20 %, and the given rate.
double pc_dose_rate(const double air[PC_HAZARDS]);

// The width of the narrowest person. Routes do not lead through narrower gaps, and narrower exits
// or stairs are rejected. Set it before the building is finished; 0 (default): routes lead through
// all gaps.
pc_status pc_crowd_set_narrowest(pc_crowd *crowd, double width);
pc_status pc_crowd_finish(pc_crowd *crowd);

// --- people -------------------------------------------------------------------------------------

typedef struct pc_person_def {
  double mass;
  double speed;      // desired, m/s
  double relaxation; // s: relaxation time to the desired velocity
  double response;   // s before the person starts to walk
  bool straight;     // walks straight to the middle of the goal, ignoring obstacles
  bool own_stairs;   // stairs_speed also holds on stairs with a rise
  bool no_stairs;    // takes no stairs, but ramps
  bool lifts;        // may use lifts
  int plan;          // stages instead of one goal; -1: none
  double radius;
  double stairs_speed; // m/s
  int floor, goal;
  double position[2], velocity[2];
  double orientation, spin; // rad, rad/s, if the crowd `turns`
  int source;               // enters there, `position` is ignored; -1: present from the start
  double arrival;           // s: not before
} pc_person_def;
pc_person_def pc_person_def_default(void); // 0.225 m, 80 kg, 1.34 m/s, 0.5 s
// Speeds on the level by age: Weidmann (1993), with his deviation; IMO MSC.1/Circ.1533, evenly
// between the limits (deviation 0).
typedef enum pc_age_speeds {
  PC_SPEEDS_WEIDMANN,
  PC_SPEEDS_IMO_WOMEN,
  PC_SPEEDS_IMO_MEN
} pc_age_speeds;
typedef struct pc_speed_range {
  double mean, deviation, low, high; // m/s
} pc_speed_range;
pc_speed_range pc_speed_of_age(pc_age_speeds source, double age);
// People with aids: Boyce, Shields and Silcock (1999).
typedef enum pc_aid {
  PC_AID_NONE,
  PC_AID_CANE,
  PC_AID_CRUTCHES,
  PC_AID_FRAME,
  PC_AID_WHEELCHAIR,
  PC_AID_ATTENDED_WHEELCHAIR,
  PC_AID_ELECTRIC_WHEELCHAIR
} pc_aid;
typedef struct pc_aid_values {
  double speed, deviation; // on the level, m/s
  double radius, mass, stairs_speed;
  bool no_stairs;
} pc_aid_values;
pc_aid_values pc_aid_of(pc_aid aid);
// Rejected inside an obstacle, a wall or another person; the error says where. PC_NO_WAY: the place
// is free, but no way leads to the goal. PC_OPEN_WALLS: a person could walk out where no exit is.
enum { PC_NO_WAY = -2, PC_OPEN_WALLS = -3 };
int pc_crowd_add_person(pc_crowd *crowd, const pc_person_def *def);

typedef struct pc_person_state {
  bool present; // false: has left or has not entered yet
  int floor, goal;
  int heads_for; // the goal, or the one of a choice that the person walks to
  double position[2], velocity[2], wish[2];
  double orientation, spin;
  double radius;
  double push;                   // sum of the contact impulses in the last step, N s
  double push_largest, push_sum; // largest and sum of `push` over all steps
  // What presses the person from one side, as a mean over `load_window` of the definition: in the
  // last whole window, and the largest so far, N.
  double load, load_largest;
  int exit; // goal through which they were counted out; -1: not yet
  double exit_time;
  double entry_time; // 0: present from the start; infinite: not entered yet
  int stage;         // of the plan
  int laps;          // number of times the person entered again
  double dose;       // taken so far
} pc_person_state;
double pc_crowd_load_window(const pc_crowd *crowd); // s
int pc_crowd_people(const pc_crowd *crowd);
int pc_crowd_inside(const pc_crowd *crowd);  // people not yet counted as out
int pc_crowd_waiting(const pc_crowd *crowd); // of these, people not yet entered
// Of those inside, people whose dose has reached that of the definition: they stay where they are.
int pc_crowd_incapacitated(const pc_crowd *crowd);
// Of these, people pushed through walls or into obstacles, because steps were too long.
int pc_crowd_lost(const pc_crowd *crowd);
void pc_crowd_person(const pc_crowd *crowd, int person, pc_person_state *state);
pc_body pc_crowd_body(const pc_crowd *crowd, int person);
// A person whose goal is a choice knows only these goals of it, and the others once they, or a sign
// to them, are in sight: within `sight`, and not behind a wall or a closed door.
pc_status pc_crowd_set_known(pc_crowd *crowd, int person, int count, const int *goals);
// Two people hold hands: a bond K_V, kg/m^2, between their nearest shoulders, or their centres if
// people do not turn (book 6.42, 6.43). Returns the bond of the world, or -1.
int pc_crowd_add_hands(pc_crowd *crowd, int one, int other, double stiffness);
// Groups that stay together by forces, for comparison.
// Moussaid: Moussaid, Perozo, Garnier, Helbing, Theraulaz, PLoS ONE 5 (2010) e10047: accelerations
// -gaze alpha V (alpha, rad: how far the head is turned so that the middle of the others is within
// 90 degrees of the walking direction), attraction towards that middle when it is farther away than
// (n - 1) / 2 m, repulsion from each nearer than `spacing`. Singh (after Singh, Arter, Dodd, Drury,
// Appl. Math. Model. 33 (2009) 4408; the book has its numbers and not its formula, this one is
// ours): the first leads, the others want to be at its sides, and walk faster by rate x what they
// are away from there.
// Wait: members start when the last is ready, walk at the pace of the slowest, and wait for those
// who are more than `distance` behind on the way. They take the exit of the first.
typedef enum pc_group_kind { PC_GROUP_MOUSSAID, PC_GROUP_SINGH, PC_GROUP_WAIT } pc_group_kind;
typedef struct pc_group_def {
  pc_group_kind kind;
  int count;
  const int *people;
  double gaze, attraction, repulsion, spacing; // 1/s, m/s^2, m/s^2, m
  double distance, rate;                       // m, 1/s
} pc_group_def;
// 4, 3, 1, 0.8 m; 0.7 m (wait: 2 m), 0.15 1/s
pc_group_def pc_group_def_default(pc_group_kind kind);
int pc_crowd_add_group(pc_crowd *crowd, const pc_group_def *def);
// Time to a goal from a place at 1 m/s; infinite if no way leads there. Routes to a goal are
// computed when they are first needed.
double pc_crowd_route(pc_crowd *crowd, int goal, int floor, const double place[2]);
// The narrowest gap, narrower than `width`, on the route from a place to a goal, including the
// exit. `most` is the largest width that will be queried.
typedef struct pc_tight {
  double width; // m; infinite: there is none
  int floor;
  double place[2];
} pc_tight;
pc_tight pc_crowd_tightest(pc_crowd *crowd, int goal, int floor, const double place[2],
                           double width, double most);

pc_status pc_crowd_step(pc_crowd *crowd, double h);

// --- for running and recording a crowd ----------------------------------------------------------

int pc_crowd_floors(const pc_crowd *crowd);
double pc_crowd_floor_offset(const pc_crowd *crowd, int floor); // of its x coordinates in the world
pc_person_def pc_crowd_person_def(const pc_crowd *crowd, int person); // unknown person: the default
double
pc_crowd_wishes_seconds(const pc_crowd *crowd); // spent on routes and forces in the last step
void pc_crowd_set_threads(pc_crowd *crowd, int threads); // also those of its world
// Saves the changing state, including the world, as bytes. A crowd built by the same calls and
// loaded with it continues bit for bit. Returns the size needed; writes nothing if `size` is less.
size_t pc_crowd_save(const pc_crowd *crowd, void *buffer, size_t size);
pc_status pc_crowd_load(pc_crowd *crowd, const void *buffer, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
