// Collisions of continua: deformable solids, incompressible fluids and rigid bodies on one mesh
// (Fremond, Collisions Engineering, chapters 7 to 9). `kind: continuum` files state them.
//
//     pc_scene scene;
//     pc_continuum_answer answer;
//     pc_scene_read("diver.yaml", &scene, &error);
//     pc_continuum_solve(scene.continuum, 0, &answer, &error);
//     ... answer.body[0].after[1], answer.touch[0].resultant[0] ...
//     pc_continuum_answer_free(&answer);
//     pc_scene_free(&scene);
//
// In the plane all quantities are per metre of depth, in one dimension per square metre. The units
// given here are those of the plane.
#ifndef PERCUSS_CONTINUUM_H
#define PERCUSS_CONTINUUM_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// A mesh of a scene with its materials and its motion before the collision.
typedef struct pc_continuum pc_continuum;

// A node of a surface of contact. N is the outward normal of its sides, T is N turned
// counter-clockwise (in space there are two, across N), w the velocity of the sides relative to
// what they meet: w_N > 0 approaches.
typedef struct pc_continuum_point {
  int contact, node;
  double place[3], normal[3];
  double weight;              // length of surface assigned to the node, m; in space the area, m2
  double before[3], after[3]; // w along N and T, m/s
  double percussion[3];       // normal (> 0 pushes apart) and tangential, Pa s
  double reaction;            // part of the normal impulse that is due to non-penetration
} pc_continuum_point;

// A surface of contact as a whole.
typedef struct pc_continuum_touch {
  const char *name;
  int nodes, staying;   // `staying`: nodes that stay in contact (w_N is 0 after)
  double length;        // m; in space its area, m2
  double resultant[2];  // of the percussions, normal and tangential, N s/m
  double force[3];      // the same in x, y and z, on the body that the sides touch
  double mean, peak;    // of the normal impulse per area, Pa s
  double peak_friction; // of the tangential impulse per area, magnitude
  double pressure;      // mean impulse pressure of the fluid along it, Pa s; NAN: no fluid
  double slip_low[2], slip_high[2]; // w_N, w_T after, m/s; in space sizes of w_T and of percussions
  double velocity_low[3], velocity_high[3]; // x, y and z of the sides after, m/s
} pc_continuum_touch;

typedef struct pc_continuum_medium {
  const char *name;
  bool fluid;
  double mass;                                       // kg/m
  double velocity_low[3], velocity_high[3];          // x, y, z after, m/s
  double pressure_mean, pressure_low, pressure_high; // Pa s; NAN in a solid
  double stress_low[6], stress_high[6]; // xx, yy, xy, zz, yz, zx of the percussion stress, Pa s
  bool heated;                          // it has temperatures; else they are NAN
  int fractions;                        // 0, 1: of liquid, 3: of two martensites and austenite
  double temperature_before, temperature_low, temperature_mean, temperature_high; // K
  double fraction_before[3], fraction_low[3], fraction_mean[3], fraction_high[3]; // or NAN
  double volume;  // m3; in the plane m2 (per metre of depth), on a line m
  double changed; // volume that melted or became austenite; < 0: froze or became martensite
} pc_continuum_medium;

typedef struct pc_continuum_body {
  const char *name;
  double before[6], after[6]; // x, y, spin; in space x, y, z and three spins
  double percussion[6];       // impulse received, N s/m and N s
} pc_continuum_body;

// KE+ - KE- = work - dissipated, J/m.
typedef struct pc_continuum_account {
  double kinetic_before, kinetic_after;
  double work_pushes, work_holds; // of external impulses, of prescribed velocities
  double volume, surface;         // dissipated by viscosities of volumes and surfaces
  double reactions;               // dissipated by the conditions at contacts
  double identity, momentum, divergence, complementarity; // errors, relative
  double penetration;                                     // largest w_N > 0 after, m/s
  bool closed; // these errors are at round-off or within the tolerance
} pc_continuum_account;

// Heat balance of the collision: [energy] = volume + surface + work + received, J/m;
// [entropy] = produced + entropy received + adiabatic, J/(K m). In a collision the outside may give
// entropy without heat (book, 7.29 and 10.10): `adiabatic`, small where changes of temperature are,
// and as large as what is produced where much heat passes at once.
typedef struct pc_continuum_heat {
  double energy_before, energy_after;
  double volume, surface; // dissipated in and on media that have temperatures
  double work;            // of prescribed percussion work (A, a of chapter 7)
  double received;        // from outside: by exchange, by pushes, and where temperatures are given
  double entropy_before, entropy_after, entropy_received, entropy_adiabatic;
  double produced; // entropy, >= 0
  double identity; // error of the energy, relative
  int iterations;
  double residual;
  bool solved, closed;
} pc_continuum_heat;

// Cost of the solution. `solve_s` includes the response of the contacts and their solution.
typedef struct pc_continuum_cost {
  int unknowns;
  double assembly_s, analysis_s, factor_s, response_s, contact_s, solve_s;
  size_t memory; // bytes of the factors
} pc_continuum_cost;

typedef struct pc_continuum_answer {
  int dimension, nodes;
  const double *velocity;      // after: `dimension` numbers of each node
  const double *pressure;      // percussion pressure of each node, 0 in solids, Pa s
  const double (*stress)[6];   // percussion stress of each node, xx, yy, xy, zz, yz, zx: mean over
                               // the media
  bool heated;                 // at least one medium has temperatures
  const double *temperature;   // after, of each node, K; NAN where there is none
  const double (*fraction)[3]; // after: of liquid first, or of two martensites and austenite; or 0
  pc_continuum_heat heat;
  int points, touches, media, bodies;
  const pc_continuum_point *point; // points of all contacts, in order
  const pc_continuum_touch *touch;
  const pc_continuum_medium *medium;
  const pc_continuum_body *body;
  pc_continuum_account account;
  bool solved, closed; // within the tolerance; energy and heat balances closed
  int iterations;
  double residual, time_s;
  pc_continuum_cost cost;
  void *memory; // owner of all arrays
} pc_continuum_answer;

// Solves the collision. `tolerance` 0: that of the file. Returns PC_OK even if the tolerance was
// not reached: check `solved`. Names belong to the continuum, which must outlive the answer.
pc_status pc_continuum_solve(const pc_continuum *continuum, double tolerance,
                             pc_continuum_answer *answer, pc_error *error);
void pc_continuum_answer_free(pc_continuum_answer *answer);

// The points as a table: contact, position, weight, relative velocities after, impulses.
pc_status pc_continuum_write_profile(const pc_continuum *continuum,
                                     const pc_continuum_answer *answer, const char *path,
                                     pc_error *error);

// The state before the collision, node by node. A caller may change velocities, temperatures and
// fractions before the problem is solved. Arrays belong to the continuum.
typedef struct pc_continuum_nodes {
  int dimension, count;
  const double (*place)[3]; // m
  double *velocity;         // `dimension` numbers of each node, m/s
  double *temperature;      // K; NAN where there is none. NULL: no medium has temperatures
  double (*fraction)[3];    // as in pc_continuum_answer; NULL likewise
} pc_continuum_nodes;
pc_continuum_nodes pc_continuum_before(const pc_continuum *continuum);

// The thermal part only: temperatures and phases after `heat` is added to the nodes (J/m) and
// `contact_heat` is dissipated on the sides of contacts (J/m; of contact k and node i [k * nodes +
// i]). Either may be NULL. Velocities, contacts and bodies are left out of the answer.
pc_status pc_continuum_warm(const pc_continuum *continuum, const double *heat,
                            const double *contact_heat, pc_continuum_answer *answer,
                            pc_error *error);

// Visits the quadrature points of all elements (exact to degree 9) with the fields after the
// collision there: the sum of weight * f is the integral of f over the mesh.
typedef void pc_continuum_visitor(void *context, const double place[3], double weight,
                                  const double velocity[3], double pressure);
void pc_continuum_integrate(const pc_continuum *continuum, const pc_continuum_answer *answer,
                            pc_continuum_visitor *visit, void *context);

// A continuum in time, of a file with a duration, step by step. A file with temperatures starts
// with the collision. The continuum must outlive it.
typedef struct pc_continuum_motion pc_continuum_motion;
pc_continuum_motion *pc_continuum_motion_create(const pc_continuum *continuum, pc_error *error);
void pc_continuum_motion_destroy(pc_continuum_motion *motion);
pc_status pc_continuum_motion_step(pc_continuum_motion *motion, pc_error *error);

// The current state; arrays are valid until the next step.
typedef struct pc_continuum_state {
  double time;
  long steps;
  const double *displacement, *velocity; // `dimension` numbers of each node
  const double *temperature;             // NULL without temperatures
  const double (*fraction)[3];
  double fraction_mean[3]; // over the volume of the alloys
  const double *pressure;  // of each node of a fluid, Pa; else NULL
} pc_continuum_state;
pc_continuum_state pc_continuum_motion_state(const pc_continuum_motion *motion);

typedef struct pc_continuum_balance {
  double kinetic;                  // J/m
  double pushes;                   // work of external impulses, J/m
  double rigid[6];                 // the nearest rigid motion: velocity of the origin, spin(s);
                                   // this and `deforming` are 0 for a fluid
  double deforming;                // part of `kinetic` that is not rigid motion
  double produced, produced_least; // entropy so far, and the smallest of a step, J/(K m)
  double identity;                 // error of the energy balance, relative
  bool closed; // the balance is at round-off, and every step reached its tolerance
} pc_continuum_balance;
pc_continuum_balance pc_continuum_motion_balance(const pc_continuum_motion *motion);

// The current state of a rigid body; velocities in the axes of the world, in the plane the third
// spin.
typedef struct pc_continuum_mover {
  double place[3], orientation[4]; // of the centre; quaternion w, x, y, z
  double velocity[3], spin[3];
} pc_continuum_mover;
pc_continuum_mover pc_continuum_motion_body(const pc_continuum_motion *motion, int body);

// The current state of a contact with the ground or a body.
typedef struct pc_continuum_ground {
  int closed;           // nodes at rest on it, or pressed against the body
  int collisions;       // so far
  int fresh;            // of these, collisions without previous contact
  double percussion[2]; // normal and tangential so far, N s/m
} pc_continuum_ground;
pc_continuum_ground pc_continuum_motion_contact(const pc_continuum_motion *motion, int contact);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
