// A world of rigid bodies in motion: shapes that fall, roll, stack, slide and collide.
//
//     pc_world_def def = pc_world_def_default();
//     pc_world *world = pc_world_create(&def);
//     pc_body_def stone = pc_body_def_default();
//     stone.shape = pc_shape_sphere(0.1, NULL);
//     pc_body id = pc_body_create(world, &stone);
//     pc_world_step(world, 1e-3);                  // PC_OK, or pc_world_error(world) explains
//
// In one time step, bodies move freely to the middle of the step, contacts and forces are evaluated
// there, one impact problem gives every velocity jump, and bodies move freely to the end. Between
// jumps a body follows the exact torque-free rotation. Units are SI; in the plane (dimension 2)
// only x, y and the spin about z are used. A world may be used by one thread at a time.
#ifndef PERCUSS_WORLD_H
#define PERCUSS_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "percuss/balance.h"
#include "percuss/impact.h"
#include "percuss/law.h"
#include "percuss/shape.h"
#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_world pc_world;

typedef struct pc_body {
  int id; // 1, 2, ...; zero is null
} pc_body;

// How contacts are kept from overlapping.
typedef enum pc_treatment {
  PC_VELOCITY_LEVEL, // D_N+ >= 0 where bodies touch: A-CD2, Moreau's scheme
  PC_POSITION_LEVEL, // D_N+ >= -gap/h: no overlap at the end; existing overlap is corrected slowly
  PC_PENALTY         // a spring for every overlap; contact laws are not used
} pc_treatment;

// A body that is hit may reach other bodies in the same step. How often contacts are detected:
typedef enum pc_looks {
  PC_LOOK_AGAIN, // up to three times, then only while a body would overlap by a fifth of a radius;
                 // overlaps of a hundredth are left to position correction
  PC_LOOK_ONCE,  // bodies reached in a step are found in the next one
  PC_LOOK_UNTIL_NONE_IS_MISSING
} pc_looks;

typedef struct pc_world_def {
  int dimension;     // 3 or 2
  double gravity[3]; // m/s^2
  pc_treatment treatment;
  double push_out;   // 1/s: rate of position correction at position level
  double penalty;    // N/m: spring stiffness of PC_PENALTY
  double rest_speed; // m/s: slower impacts do not rebound; negative: 2 g h
  // Islands at rest fall asleep: they stop where they are and are skipped until a moving body
  // touches them or a force on them changes. This changes results slightly.
  double sleep_after; // s: time for which every body of an island must be slow; 0: no sleeping
  double sleep_speed; // m/s, of a body's fastest point: slower is at rest; negative: 0.1 g h
  // At velocity level, a separating contact that its neighbours close is stopped (D+ >= 0), which
  // returns energy. With this option it is held at D+ >= -D- instead: no contact returns energy,
  // and overlaps are slightly deeper. Applies to laws that rebound but `restitution`, whose
  // separating contacts are held at D+ >= -e D- in any case.
  bool dissipative;
  pc_looks looks;
  bool constant_spin; // keep spins constant between jumps, instead of the exact rotation
  const char *solver; // for the impact problem of each step
  // m: accepted error of the contact conditions at the end of a step. Islands at rest are always
  // solved to the tolerance, so that they do not creep. 0: if no tolerance is given, 2e-4 of the
  // diameter of the smallest moving body; else only the tolerance is used.
  double accuracy;
  double tolerance;   // on the residual of the impact problem, relative; 0: 1e-4
  int max_iterations; // sweeps over a large island in one step; 0: the solver's own limit
  int threads;        // 0: one; results do not depend on it
} pc_world_def;
pc_world_def pc_world_def_default(void); // space, 9.81 m/s^2 along -z, position level

pc_world *pc_world_create(const pc_world_def *def); // NULL if memory runs out
void pc_world_destroy(pc_world *world);
const char *pc_world_error(const pc_world *world);
const pc_world_def *pc_world_definition(const pc_world *world);
void pc_world_set_threads(pc_world *world, int threads); // results do not depend on it
// Sets the tolerance (0: 1e-4, and the accuracy counts) and the limit of sweeps from the next step
// on.
void pc_world_set_effort(pc_world *world, double tolerance, int max_iterations);

// Materials are numbers from 0; material 0 exists (density 1000, inelastic, mu = 0.5). A pair
// without a law of its own uses the default law.
int pc_world_add_material(pc_world *world, double density); // its number, or -1
double pc_world_density(const pc_world *world, int material);
pc_status pc_world_set_law(pc_world *world, int material_a, int material_b, const pc_law *law);
pc_status pc_world_set_default_law(pc_world *world, const pc_law *law);

typedef enum pc_body_kind {
  PC_FREE,
  PC_FIXED,  // an obstacle at rest
  PC_DRIVEN, // an obstacle with a given motion
  PC_GUIDED  // translates along one axis only, pushed by contacts and its load
} pc_body_kind;

// A number as a function of time.
typedef enum pc_signal_kind {
  PC_SIGNAL_NONE,
  PC_SIGNAL_RATE,
  PC_SIGNAL_SINE,
  PC_SIGNAL_TABLE
} pc_signal_kind;
typedef struct pc_signal {
  pc_signal_kind kind;
  double rate; // rate: value = rate t
  double amplitude, frequency,
      phase;                    // sine: amplitude (sin(2 pi frequency t + phase) - sin(phase))
  int count;                    // table: straight lines between points, constant outside;
  const double *times, *values; // copied by the function that takes the signal
  bool of_speed;                // table: values are rates, to be integrated from time 0
} pc_signal;
double pc_signal_value(const pc_signal *signal, double time);

// The motion of an obstacle from its pose at time 0: first a rotation about an axis through a
// point, then a translation.
typedef struct pc_motion {
  pc_signal translation[3]; // m, along x, y, z
  pc_signal rotation;       // rad
  double axis[3];           // of the rotation; z in the plane
  double centre[3];         // a point on it
} pc_motion;

typedef struct pc_body_def {
  pc_shape *shape; // retained
  int material;
  pc_body_kind kind;
  double position[3];    // of the shape's origin
  double orientation[4]; // quaternion w, x, y, z
  double velocity[3];    // of the centre of mass
  double spin[3];        // rad/s, world axes
  double mass;           // 0: from shape and density
  double inertia[9];     // about the centre of mass, in the shape's axes; 0: from the shape
  bool no_rotation;      // a body that never turns
  double guide[3];       // guided: its axis
  double load;           // guided: force along the axis, N
  pc_motion motion;      // driven
  uint32_t group;        // bodies with the same non-zero group do not collide
} pc_body_def;
pc_body_def pc_body_def_default(void); // free, material 0, at rest at the origin

pc_body pc_body_create(pc_world *world, const pc_body_def *def); // null if it failed
int pc_world_bodies(const pc_world *world);

typedef struct pc_body_state {
  double position[3]; // of the centre of mass
  double orientation[4];
  double velocity[3];
  double spin[3];
} pc_body_state;
void pc_body_get(const pc_world *world, pc_body body, pc_body_state *state);
// Sets a state and restarts the energy balance of the run.
pc_status pc_body_set(pc_world *world, pc_body body, const pc_body_state *state);
// Changes states in the middle of a run. The energy balance continues and accounts for the energy
// that the change added.
pc_status pc_world_change(pc_world *world, int count, const pc_body *bodies,
                          const pc_body_state *states);
// A body that does not exist is fixed and absent, and has no shape.
pc_body_kind pc_body_get_kind(const pc_world *world, pc_body body);
int pc_body_get_material(const pc_world *world, pc_body body);
const pc_shape *pc_body_get_shape(const pc_world *world, pc_body body);
double pc_body_get_mass(const pc_world *world, pc_body body);
// Kinetic energy of translation and rotation, J; 0 for a body of infinite mass, such as an
// obstacle.
double pc_body_get_kinetic(const pc_world *world, pc_body body);
// The shape's origin seen from the centre of mass, in the shape's axes: world point = position +
// R (offset + shape point).
void pc_body_get_offset(const pc_world *world, pc_body body, double offset[3]);
// The vector from the centre of mass to the shape's origin, in world axes, for this orientation.
void pc_body_get_arm(const pc_world *world, pc_body body, const double orientation[4],
                     double arm[3]);

// Takes a body out of the world, or puts it back where it was. An absent body has no effect on the
// others. Energy added or removed this way is `given` in the energy balance. Bodies attached
// to springs, strings or nets cannot be removed.
pc_status pc_world_set_present(pc_world *world, pc_body body, bool present);
bool pc_body_is_present(const pc_world *world, pc_body body);
// Positions and velocities of `count` bodies, by id from `first` on; nothing if one of them does
// not exist. Likewise the next such functions.
void pc_world_read(const pc_world *world, pc_body first, int count, double (*position)[3],
                   double (*velocity)[3]);

// Whether states were set, or bodies created or put back, since the last step.
bool pc_world_is_changed(const pc_world *world);

// Angles, rad from -2 pi to 2 pi, and spins of bodies in the plane.
void pc_world_read_turns(const pc_world *world, pc_body first, int count, double *angle,
                         double *spin);

// A force callback: force, N, and moment about the centre of mass, N m, at the middle of each step.
// Several may be added.
typedef void pc_force(void *context, double time, pc_body body, const pc_body_state *state,
                      double force[6]);
pc_status pc_world_add_force(pc_world *world, pc_force *force, void *context);
// Sets the forces on `count` bodies, by id from `first` on; they act until set again. Once forces
// were set for all bodies, several threads may set those of different bodies at the same time. In
// the plane only x, y and the moment about z are used.
pc_status pc_world_set_forces(pc_world *world, pc_body first, int count, const double (*forces)[6]);
// A force on one body, constant or along a signal (NULL: constant).
pc_status pc_world_add_load(pc_world *world, pc_body body, const double force[6],
                            const pc_signal *signal);

// Adds a spring between a point of a body (world axes) and a plane. It only pushes: the force is
// stiffness x depth along the normal, with depth 0 where the body is now. Stiff elements are
// linearly implicit, and springs and strings return no more energy than they took: stable for any
// stiffness.
int pc_world_add_spring(pc_world *world, pc_body body, const double point[3],
                        const double normal[3], double stiffness); // its number, or -1
// Adds a net, a box from `low` to `high`, that pushes each of these bodies back with stiffness
// (N/m^3) x the volume outside each face. The shapes may be spheres, boxes, polyhedra and compounds
// of them. A net that moves is centred on the centre of mass of its bodies, which also carry its
// reaction in proportion to their masses: it holds them together but not in place.
int pc_world_add_net(pc_world *world, const double low[3], const double high[3], double stiffness,
                     bool moves, int count, const pc_body *bodies);
// Adds a string between points (world axes) of two bodies, or of a body and a fixed obstacle. While
// it is longer than its length it pulls with stiffness (distance - length) + damping x rate of the
// distance (Fremond, 3.6.4). Also linearly implicit; the damping dissipates.
int pc_world_add_string(pc_world *world, const pc_body bodies[2], const double points[2][3],
                        double length, double stiffness, double damping); // its number, or -1
// Lets a string conduct, taut or slack, in a world with heat: lambda T1 T2 / (T1 + T2) (T2 - T1) W
// go from its second body to the first (3.71), lambda >= 0 in W/K^2. PC_ERROR_ARGUMENT.
pc_status pc_world_set_string_exchange(pc_world *world, int element, double lambda);
void pc_world_string(const pc_world *world, int element, double ends[2][3]);
// Adds a bond, an interaction at a distance between points (world axes) of two bodies: percussion K
// D with D = 2 (V(A) - V(B)) . BA of the mean velocity (Fremond 6.42, 6.43; K in kg/m^2). A bond is
// inactive while one of its bodies is absent.
int pc_world_add_bond(pc_world *world, const pc_body bodies[2], const double points[2][3],
                      double stiffness);                                  // its number, or -1
pc_status pc_world_set_bond(pc_world *world, int bond, double stiffness); // 0: released
void pc_world_bond(const pc_world *world, int bond, double points[2][3]);
// A system of bodies that move freely (Fremond, chapters 4 and 5). In collisions, bodies
// that do not touch interact at a distance, M = distance x D with D = 2 (V(A) -
// V(B)) . BA of the mean velocity, and so do the spins of all bodies, C = k x (difference of
// spins). A and B are the contacts that connect the two through other bodies of the system. All
// contacts of these bodies then act with their complete laws, as in an impact problem. Contacts
// slower than `rest_speed` are not collisions. 0: no such interaction.
typedef struct pc_system_laws {
  double distance;      // nu, kg/m^2: between bodies that do not touch
  double spin;          // kg m^2: between the spins of bodies that touch
  double spin_distance; // kg m^2: between the spins of bodies that do not touch
} pc_system_laws;
int pc_world_add_system(pc_world *world, int count, const pc_body *bodies,
                        const pc_system_laws *laws); // its number, or -1
// Sets the laws of two of its bodies, instead of those of the system.
pc_status pc_world_set_system_pair(pc_world *world, int system, const pc_body bodies[2],
                                   const pc_system_laws *laws);
int pc_world_systems(const pc_world *world);
// Interactions between bodies of systems in the last step.
typedef struct pc_system_action {
  pc_body bodies[2];
  double points[2][3]; // A, B; of spins: the centres of mass
  double impulse[3];   // on the first body at A, N s, or zeros
  double moment[3];    // on the first body, N m s, or zeros
  double dissipated;   // J
} pc_system_action;
int pc_world_system_actions(const pc_world *world);
void pc_world_system_action(const pc_world *world, int action, pc_system_action *out);
// Force and stored energy of an element in the last step. The force of a string is that on its
// first body, or on the second if the first is an obstacle.
void pc_world_element_force(const pc_world *world, int element, double force[3], double *energy);

// Results of a step. The lines of its energy balance are described in balance.h. The balance starts
// from the states as pc_world_change left them; `given` is the energy (kinetic, potential, stored)
// that it gave before the step.
typedef struct pc_step_info {
  long step;
  double time; // at its end
  int contacts, pairs, islands, iterations;
  long box_tests; // pairs of boxes tested by the broad phase
  double residual;
  double contact_error;  // m: largest error of the contact conditions at the end of the step
  double velocity_error; // m/s: an estimate, root mean square over the mass (docs/theory/errors.md)
  double accuracy;       // m: accepted error; 0: the tolerance decides
  pc_solve_status status;
  PC_BALANCE_ENERGIES(PC_BALANCE_FIELD)                // kinetic_translation, potential, ...
  double kinetic_start, potential_start, stored_start; // when the balance began
  PC_BALANCE_LINES(PC_BALANCE_FIELD, PC_BALANCE_FIELD) // dissipated, work_gravity, ...
  PC_BALANCE_LINES(PC_BALANCE_SKIP, PC_BALANCE_TOTAL)  // total_dissipated, ...: since the start
  PC_BALANCE_HEAT(PC_BALANCE_FIELD)                    // thermal, ...: of a world with heat
  int hottest_body;                                    // its number
  double audit;                        // error of the energy balance of the step, relative
  double drift;                        // error of the energy balance since the start, relative
  bool closed;                         // energy and momentum balance at round-off, no wrong sign
  double deepest;                      // largest overlap at the middle of the step, m
  int asleep;                          // bodies asleep at the end of the step
  double detection_s, solve_s, step_s; // seconds spent
  double stating_s, audit_s;           // parts of solve_s
  int passes;                          // number of contact detections in the step
  // 1: the answer missed its tolerance and gained energy, so the step was solved again without
  // rebound. 2: also without friction. 0: with the laws as given.
  int calmed;
} pc_step_info;

pc_status pc_world_step(pc_world *world, double h);
const pc_step_info *pc_world_info(const pc_world *world); // of the last step
// A line of the energy balance in the step, and since the start (0 if it has no sum), J.
double pc_step_line(const pc_step_info *info, pc_line line);
double pc_step_total(const pc_step_info *info, pc_line line);
// The impact problem of the last step with its answer; without an answer if the step failed.
const pc_impact *pc_world_problem(const pc_world *world);
// Bounds the error of its velocities (impact.h). Results do not depend on whether it is called.
pc_status pc_world_certify(pc_world *world, pc_certificate *certificate);
double pc_world_time(const pc_world *world);

// The contacts of the last step, followed by those of sleeping bodies as they were when these fell
// asleep, and by those that acted before the step proper: at the start, or after a body was moved,
// a collision on the way to the middle of the step is solved first.
typedef struct pc_contact {
  pc_body bodies[2];
  double point[3], normal[3]; // from the second body to the first
  double gap;
  double percussion[3]; // on the first body, N s
  double dissipated;    // J
  double approach;      // m/s, along the normal before the step; negative: separating
} pc_contact;
int pc_world_contacts(const pc_world *world);
void pc_world_contact(const pc_world *world, int contact, pc_contact *out);
// The two bodies and the percussion on the first one only, for sums over all contacts.
void pc_world_contact_push(const pc_world *world, int contact, pc_body bodies[2],
                           double percussion[3]);
void pc_world_contact_point(const pc_world *world, int contact, double point[3]);
// The largest overlap of the bodies at their present positions, the two bodies that have it, and
// how many pairs overlap. The last two may be NULL. NAN if memory runs out or too many bodies are
// in one place; see pc_world_error.
double pc_world_overlap(pc_world *world, pc_body deepest[2], int *touching);

// Saves the state that changes while stepping, as bytes. A world built by the same calls and loaded
// with it continues bit for bit. Returns the size that is needed, 0 inside a step; with buffer NULL
// it only does that.
size_t pc_world_save(const pc_world *world, void *buffer, size_t size);
pc_status pc_world_load(pc_world *world, const void *buffer, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
