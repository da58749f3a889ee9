// Running a scene: time loop, record, sensors, checkpoints and progress.
#ifndef PERCUSS_RUN_H
#define PERCUSS_RUN_H

#include <stdint.h>

#include "percuss/scene.h"
#include "percuss/status.h"
#include "percuss/world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Progress of a run, reported to a listener up to many times a second.
typedef struct pc_run_progress {
  double time, duration; // of the scene, s
  long step, steps;
  double elapsed_s, left_s; // wall-clock time; left_s < 0: not known yet
  double rate;              // steps per second
  const pc_step_info *info;
} pc_run_progress;
// False: stop now. A listener may run other scenes. The scene of its own run it may read; running
// that again is refused with PC_ERROR_ARGUMENT, and pc_scene_free leaves it alone.
typedef bool pc_run_listener(void *context, const pc_run_progress *progress);

// Selects steps whose impact problem is written as an FCLIB file, step-NUMBER.hdf5 (global form).
// The problem of a failed step is always written; without a folder, as RUN-step-NUMBER.hdf5.
enum { PC_DUMP_MOST = 100 };
typedef struct pc_run_dump {
  const char *folder; // created if needed; NULL: nothing is written
  long from, to;      // steps, counted from 1; from = 0: steps that miss their tolerance
  int most;           // files; 0: PC_DUMP_MOST
} pc_run_dump;

typedef struct pc_run_options {
  const char *output; // RUN.h5, with RUN.csv and others beside it; NULL: nothing is recorded
  bool resume;        // continue from the checkpoint beside the output; start from the beginning if
                      // there is neither a checkpoint nor a record with results
  int threads;        // 0: what the scene says, else 1
  pc_run_listener *listener;
  void *context;
  pc_run_dump dump;
  bool certify; // bound the error of the velocities in every step (rigid bodies and crowds)
} pc_run_options;
pc_run_options pc_run_options_default(void); // nothing is recorded; all zero

// The deposit at the end of a run: free bodies whose centre of mass is above ground. The ground is
// the highest surface of all obstacles.
typedef struct pc_deposit {
  bool measured;         // the scene asks for it and the run has finished
  int bodies, astray;    // in the deposit; outside of it, beside or below the terrain
  int moving;            // faster than the scene's rest_speed, by their fastest point
  double source[3];      // the highest point of the bodies at the start
  double toe[3];         // on the ground below the point of the deposit farthest from it
  double runout, drop;   // horizontally and vertically from source to toe, m
  double reach_angle;    // atan(drop / runout), degrees: Heim's Fahrboeschung
  double longest;        // largest horizontal distance travelled by the centre of a body, m
  double centre_travel;  // horizontal distance travelled by the common centre of mass, m
  double centre_drop;    // m
  double spacing;        // of the map as it is written
  double area, thickest; // m2, m
  double bulk, volume;   // m3: below the surface of the deposit; of its bodies alone
} pc_deposit;

// How many people left by an exit, and the flow in people per minute by the estimators that
// docs/crowds.md explains. NAN: too few people.
typedef struct pc_exit_summary {
  int out;           // people
  double last, mean; // times of exits, s
  double flow;       // the recommended estimate, robust against stragglers (Theil and Sen)
  double slope;      // of the number of people over time, by least squares
  double trimmed;    // slope without the first and last three
  double origin;     // slope of a line from the start
  double between;    // (people - 1) / (last - first)
} pc_exit_summary;
// The summary of one goal of the scene in its present state; goal -1: of all exits together.
pc_status pc_run_exit(const pc_scene *scene, int goal, pc_exit_summary *summary, pc_error *error);

// The largest value of a quantity in a crowd, with its time and place. NAN: there was none.
typedef struct pc_crowd_peak {
  double value, time;
  int floor;
  double place[2];
} pc_crowd_peak;
typedef struct pc_crowd_summary {
  bool mapped;           // maps were recorded; otherwise only pushes are known
  double level_time[6];  // person-seconds at Fruin's levels of service A to F
  pc_crowd_peak densest; // people per m2 around a place, mean over an interval
  pc_crowd_peak pressed; // N/m2 of a square, mean over an interval
  double push_largest;   // N s in one step, on one person
  int push_person;       // -1: nobody was pushed
  double lanes;          // order of lanes at the end; NAN: not asked for, or nobody walks
} pc_crowd_summary;

// A chain at the end of its run.
typedef struct pc_chain_summary {
  pc_chain_measures measures;
  bool bounded; // the file asks for the bounds of the dispersion, and they were found
  pc_chain_bounds bounds;
  long impacts; // of laws without time
} pc_chain_summary;

// Heat of a run (world_heat.h), in J, J/K and K.
typedef struct pc_run_heat {
  bool on;
  double thermal, outside, obstacles; // heat in bodies, and given to the outside and to obstacles
  double entropy_produced;
  double hottest, hottest_time; // highest temperature of a body after a step, and its time
  pc_body hottest_body;
  double hottest_end, coldest_end;
  pc_body hottest_end_body;
} pc_run_heat;

// The certificates of all steps (pc_certificate), if they were asked for.
typedef struct pc_run_certificate {
  long steps, refused; // certified; not certified
  char why[80];        // the reason of the first that was not
  double rms;          // m/s: the largest bound of a step, over the mass of all that moves
  double estimate;     // of the same error, without the uncertainty of the check
  double shift;        // m/s: the largest change of a bound for which that is so
  bool frozen;         // with friction: for given thresholds
} pc_run_certificate;

typedef struct pc_run_summary {
  bool finished;      // false: stopped by the listener, a checkpoint was written
  bool anew;          // there was nothing to resume: it started from the beginning
  int people, inside; // of a crowd; those not out yet
  int waiting;        // of these: have not come in yet
  long steps;
  double time;
  uint64_t state; // hash of all that moves, at the end: equal for equal bits. 0: it failed
  int bodies;
  long contacts_total; // summed over the steps
  int contacts_largest;
  long steps_inaccurate; // steps that missed the accuracy and the tolerance
  long steps_open;       // balance not closed
  long steps_calmed;     // done without rebound, because with it they gave energy
  double residual_largest, audit_largest, deepest;
  double contact_error_largest;  // m: how far contact conditions were off at the end of a step
  double velocity_error_largest; // m/s: an estimate, see pc_step_info
  double accuracy;               // m: how far they may be; 0: the tolerance decides
  // The energy balance (balance.h): the energies at the start + all lines with their run sign are
  // the energies now, but for `drift`, which is relative. `given` of the steps is
  // `given_by_events` here.
  double kinetic_start, potential_start, stored_start; // J, as all energies
  PC_BALANCE_LINES(PC_BALANCE_SKIP, PC_BALANCE_IN_SUMMARY)
  double kinetic, potential, stored, drift;
  double wall_s, detection_s, solve_s, record_s;
  int lost; // bodies that are not finite or far outside; people beyond walls
  // Overlap of the bodies as they stand at the end: the deepest, whose it is, and relative to the
  // radius of the smaller of the two. Null bodies: none. NAN after a failure.
  double overlap_end, overlap_relative;
  pc_body overlap_bodies[2];
  int asleep;           // bodies at the end
  double turnover;      // J: kinetic energy at the start and the sizes of all works since
  double given_by_laws; // J, of the steps in which contacts gave more energy than they took
  pc_deposit deposit;
  pc_run_heat heat;
  pc_crowd_summary crowd; // at the end
  pc_chain_summary chain;
  // Problems that were kept, that were wanted beyond the limit, and that FCLIB cannot state, with
  // the reason of the first.
  long problems_kept, problems_over, problems_refused;
  char problems_why[160];
  pc_run_certificate certificate;
} pc_run_summary;
// Whether more than half of the steps missed their accuracy: then results are not to be relied on.
bool pc_run_is_inaccurate(const pc_run_summary *summary);
// A line of the energy balance, summed over the run; 0 if it has no sum.
double pc_run_line(const pc_run_summary *summary, pc_line line);

// What is measured of a run, by name: of the run itself, its deposit, its exits, its sensors, ...
typedef enum pc_quantity_of {
  PC_OF_RUN,
  PC_OF_DEPOSIT,
  PC_OF_ALL_EXITS,
  PC_OF_EXIT,
  PC_OF_SENSOR,
  PC_OF_TOUCH, // of a continuum: a surface of contact, a medium, a rigid body
  PC_OF_MEDIUM,
  PC_OF_RIGID,
  PC_OF_BODY, // of one collision
  PC_OF_INTERACTION
} pc_quantity_of;
// What of many runs one looks at first.
typedef enum pc_quantity_shown { PC_SHOW_NOT, PC_SHOW_MEAN, PC_SHOW_POOLED } pc_quantity_shown;
typedef struct pc_quantity {
  pc_quantity_of of;
  const char *name, *unit; // unit NULL: a number
  char group[80];          // the exit or sensor; "" of the run
  double value;            // NAN: there is none
  bool whole;              // a count
  bool sums;               // many runs pool it by its sum
  pc_quantity_shown shown;
} pc_quantity;
// The caller frees the list, also after a failure.
pc_status pc_run_measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantity **list,
                         int *count, pc_error *error);

// Steps the scene to its duration. PC_OK also when the listener stopped it. A failure (of a step,
// of the disk) leaves the file with `complete` 0 and its last checkpoint, from which it may be
// resumed; the summary then says how far it came. A resumed run gives the same file, bit for bit
// but for the group `clock`, as one that was never stopped.
pc_status pc_run_scene(pc_scene *scene, const pc_run_options *options, pc_run_summary *summary,
                       pc_error *error);
// Whether options->output has this very run, finished: of this scene and the present content of the
// files that it reads, by this program. Resuming it would compute nothing. No file is changed. The
// scene is left in some state of the run, so read it again to run it.
bool pc_run_is_finished(pc_scene *scene, const pc_run_options *options);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
