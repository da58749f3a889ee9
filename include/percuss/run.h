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
  double elapsed_s, left_s; // wall-clock time; left at the present speed, < 0: unknown
  double rate;              // steps per second at present: over the last 20 s or so
  const pc_step_info *info;
  double replaced; // s: time of a stopped run of the scene that this one replaces; 0: none
} pc_run_progress;
// Returns false to stop the run. A listener may run other scenes. It may read the scene of its own
// run; running that again gives PC_ERROR_ARGUMENT, and pc_scene_free ignores it.
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
  const char *output;   // RUN.h5, with RUN.csv and others beside it; NULL: nothing is recorded
  bool checkpoint_only; // write RUN.checkpoint alone; the end of the run removes it
  bool resume; // continue from the checkpoint beside the output; start from the beginning if
               // there is neither a checkpoint nor a record with results
  int threads; // 0: as in the scene, else 1
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
  int bodies, astray;    // in the deposit; lost beyond the edge of the terrain or below it
  int below;             // of those astray: below the terrain
  int moving;            // faster than the scene's rest_speed, by their fastest point
  double source[3];      // highest point of the bodies at the start
  double toe[3];         // on the ground below the point of the deposit farthest from it
  double runout, drop;   // horizontally and vertically from source to toe, m
  double reach_angle;    // atan(drop / runout), degrees: Heim's Fahrboeschung
  double longest;        // largest horizontal distance travelled by the centre of a body, m
  double centre_travel;  // horizontal distance travelled by the common centre of mass, m
  double centre_drop;    // m
  double spacing;        // of the map
  double area, thickest; // m2, m
  double bulk, volume;   // m3: below the surface of the deposit; of its bodies
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

// The largest value of a quantity in a crowd, with its time and position. NAN: none.
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
  double load_largest;   // N: load on a person, a mean over load_window
  int load_person;       // -1: nobody was pressed for so long
  double load_window;    // s
  double lanes;          // lane order at the end; NAN: not measured, or nobody walks
} pc_crowd_summary;

// A chain at the end of its run.
typedef struct pc_chain_summary {
  pc_chain_measures measures;
  bool bounded; // the file asks for the bounds of the dispersion, and they were found
  pc_chain_bounds bounds;
  long impacts; // of instantaneous laws
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
  char why[80];        // reason for the first step that was not certified
  double rms;          // m/s: largest bound of a step, root mean square weighted by mass
  double estimate;     // of the same error, without the uncertainty of the check
  double shift;        // m/s: largest error of contact and tie conditions for which it holds
  bool frozen;         // with friction: for fixed friction thresholds
} pc_run_certificate;

typedef struct pc_run_summary {
  bool finished;      // false: stopped by the listener, a checkpoint was written
  bool anew;          // no checkpoint to resume: started from the beginning
  int people, inside; // of a crowd; people not yet out
  int waiting;        // of these, people not yet entered
  int incapacitated;  // of these, people who took too much of smoke and gases
  long steps;
  double time;
  uint64_t state; // hash of the final state: equal for equal bits. 0: the run failed
  int bodies;
  long contacts_total; // summed over the steps
  int contacts_largest;
  long steps_inaccurate; // steps that missed the accuracy and the tolerance
  long steps_open;       // energy balance not closed
  long steps_calmed;     // solved without rebound, because with it they gained energy
  double residual_largest, audit_largest, deepest;
  double contact_error_largest;  // m: largest error of the contact conditions at the end of a step
  double velocity_error_largest; // m/s: an estimate, see pc_step_info
  double accuracy;               // m: accepted error; 0: the tolerance decides
  // The energy balance (balance.h): the energies at the start + all lines with their run sign are
  // the energies now, but for `drift`, which is relative. `given` of the steps is
  // `given_by_events` here.
  double kinetic_start, potential_start, stored_start; // J, as all energies
  PC_BALANCE_LINES(PC_BALANCE_SKIP, PC_BALANCE_IN_SUMMARY)
  double kinetic, potential, stored, drift;
  double wall_s, detection_s, solve_s, record_s;
  int lost; // bodies that are not finite or far outside; people beyond walls
  // Deepest overlap at the end, its two bodies, and its size relative to the radius of the smaller
  // body. Null bodies: none. NAN after a failure.
  double overlap_end, overlap_relative;
  pc_body overlap_bodies[2];
  int asleep;           // bodies at the end
  double turnover;      // J: initial kinetic energy plus the magnitudes of all works since
  double given_by_laws; // J, of steps in which contacts gave more energy than they dissipated
  pc_deposit deposit;
  pc_run_heat heat;
  pc_crowd_summary crowd; // at the end
  pc_chain_summary chain;
  // Numbers of problems saved, not saved because of the limit, and not representable in FCLIB, with
  // the first reason.
  long problems_kept, problems_over, problems_refused;
  char problems_why[160];
  pc_run_certificate certificate;
} pc_run_summary;
// Whether more than half of the steps are inaccurate: then do not rely on the results.
bool pc_run_is_inaccurate(const pc_run_summary *summary);
// A line of the energy balance, summed over the run; 0 if it has no sum.
double pc_run_line(const pc_run_summary *summary, pc_line line);

// Named results of a run: of the run itself, its deposit, its exits, its sensors, ...
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
// The most important results of an ensemble.
typedef enum pc_quantity_shown { PC_SHOW_NOT, PC_SHOW_MEAN, PC_SHOW_POOLED } pc_quantity_shown;
typedef struct pc_quantity {
  pc_quantity_of of;
  const char *name, *unit; // unit NULL: a number
  char group[80];          // the exit or sensor; "" of the run
  double value;            // NAN: none
  bool whole;              // a count
  bool sums;               // pooled over many runs as a sum
  pc_quantity_shown shown;
} pc_quantity;
// The caller frees the list, also after a failure.
pc_status pc_run_measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantity **list,
                         int *count, pc_error *error);

// Steps the scene to its duration. PC_OK also when the listener stopped it. A failure (of a step,
// of the disk) leaves the file with `complete` 0 and its last checkpoint, from which it can be
// resumed; the summary has the time reached. A resumed run gives the same file as a run without a
// stop, bit for bit except for the group `clock`.
pc_status pc_run_scene(pc_scene *scene, const pc_run_options *options, pc_run_summary *summary,
                       pc_error *error);
// What options->output is: decided by its content, with the current contents of the files that the
// scene reads.
typedef enum pc_run_found {
  PC_FOUND_OTHER = -1, // a run of another scene, or of this one before it was changed
  PC_FOUND_NONE,       // nothing, or no run of this scene by this program with a step
  PC_FOUND_STOPPED,    // a run of this scene that can be resumed, or is being written
  PC_FOUND_ENDED, // the finished run; its record has another title, other views or comments, which
                  // resuming puts right
  PC_FOUND_FINISHED // the finished run; resuming would write nothing
} pc_run_found;
// `time`, of the last checkpoint, in s, may be NULL. Changes no file. The scene is left in some
// state of the run; read it again before running it.
pc_run_found pc_run_find(pc_scene *scene, const pc_run_options *options, double *time);
// Whether it is PC_FOUND_ENDED or PC_FOUND_FINISHED: resuming would compute nothing.
bool pc_run_is_finished(pc_scene *scene, const pc_run_options *options);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
