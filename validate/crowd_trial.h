// Many runs of a crowd on all processors, for rows about what they have in the mean: a room with a
// door, a ready scene, or whatever a row makes.
#ifndef PERCUSS_VALIDATE_CROWD_TRIAL_H
#define PERCUSS_VALIDATE_CROWD_TRIAL_H

#include "percuss/crowd_measures.h"
#include "percuss/scene.h"
#include "trial.h"

// What a run came to.
typedef struct pc_crowd_run {
  int people, inside;
  double *time; // at which everybody left,
  int *exit;    // and where; -1: not yet
  long failed;  // steps not solved, or with an open energy balance; 1 if it was not made
  double overlap;
} pc_crowd_run;

typedef struct pc_crowd_trial {
  // Makes the crowd of a run, with everything else of `scene` left as it is (0) if there is no
  // file. Called by several threads.
  bool (*make)(const struct pc_crowd_trial *trial, int run, pc_scene *scene);
  void (*watch)(const struct pc_crowd_trial *trial, int run, pc_crowd *crowd); // after each step
  const void *context;                                                         // of `make`
  void *notes;                                                                 // of `watch`
  int runs;
  double h, longest; // s; 0: as the scene says
} pc_crowd_trial;

// All runs, each until nobody is inside; NULL if memory is out.
pc_crowd_run *pc_crowd_trial_run(const pc_crowd_trial *trial);
void pc_crowd_runs_free(int runs, pc_crowd_run *run);
long pc_crowd_runs_failed(int runs, const pc_crowd_run *run);
// Those who left by an exit (-1: any), and their times; mean and last are NAN if nobody did or
// somebody is left inside.
typedef struct pc_crowd_leaving {
  double people, mean, last;
} pc_crowd_leaving;
pc_crowd_leaving pc_crowd_run_leaving(const pc_crowd_run *run, int exit);
// Flow over all exits; false if a step failed or memory is out.
bool pc_crowd_runs_flow(int runs, const pc_crowd_run *run, pc_crowd_flow *flow);
// Statistics of one value of each run; NAN marks a missing value.
typedef struct trial_statistics {
  int count; // of the values that are there
  double mean, least, most;
  double interval; // half the width of the 95 % interval of the mean, for 10 values or more
} trial_statistics;
trial_statistics pc_mean_of(int count, const double *value);

// How contact is treated.
typedef enum pc_engine { PC_NSM2, PC_DEM, PC_NSM1_FIRST, PC_NSM1_SECOND, PC_ENGINES } pc_engine;
pc_crowd_def pc_engine_def(pc_engine engine);

// A square room with its door in the middle of the right wall, and people at rest anywhere in it
// who aim at the middle of the door. They count as out when they touch its line, and leave when
// their centre is over it.
typedef struct trial_range {
  double low, high;
} trial_range;
typedef struct pc_room_def {
  pc_engine engine;
  double side, door;
  int people;
  trial_range speed, relaxation, radius, mass;
  uint64_t seed;    // of the first run
  double tolerance; // of a step; 0: the usual one
  double friction;  // between people and with walls
  double strength;  // of the social force of table 6.13, N
} pc_room_def;
pc_room_def pc_room_of_table_6_4(pc_engine engine);
bool pc_room_make(const pc_crowd_trial *trial, int run, pc_scene *scene); // of a pc_room_def

// A hall of this size that is open at both short ends; gives the exits there, left first. NULL if
// it was not made.
pc_crowd *pc_hall_make(const pc_crowd_def *def, double length, double width, int exits[2]);

// scenes/pecol/NAME with parts of its text changed, each of which must be there; its seeds are 1,
// 2, ...
typedef struct pc_crowd_scene {
  char path[1200], *text;
} pc_crowd_scene;
bool pc_crowd_scene_load(const char *name, int edits, const pc_edit *edit, pc_crowd_scene *scene);
void pc_crowd_scene_free(pc_crowd_scene *scene);
bool pc_crowd_scene_make(const pc_crowd_trial *trial, int run,
                         pc_scene *scene); // of a pc_crowd_scene

#endif
