// Verification suites for models of evacuation: each case is a scene of scenes/FOLDER, measured on
// the tracks of its people, and criteria with bounds. Every case is also run with another step,
// other seeds and the plan turned: what holds for one of them only is no property of the model.
#ifndef PERCUSS_VALIDATE_SUITE_H
#define PERCUSS_VALIDATE_SUITE_H

#include "report.h"
#include "trial.h"

// Where everybody was, at regular times.
typedef struct pc_tracks {
  int people, samples;
  double every;       // s between samples
  float (*at)[2];     // sample by sample, in the axes of the scene
  signed char *floor; // -1: not there
  double *response;   // s before they start
  double *speed;      // desired, m/s
  double *radius;     // m
  double *out;        // s, when they left; NAN: they did not
  double *down;       // s, when their dose was 1; NAN: never
  int *exit;          // where; -1: they did not
  long bad;           // steps not solved, or with an open energy balance
  bool made;          // false: the scene was not read, or a step failed
} pc_tracks;

// A place on a floor, in the axes of the scene.
typedef struct pc_spot {
  int floor;
  double low[2], high[2];
} pc_spot;

// One look at a case: how it is run, and what was found.
enum { PC_SUITE_CHECKS = 24 };
typedef struct pc_suite_check {
  char name[40], quantity[120], note[280];
  const char *unit;
  double value, low, high;
  bool printed; // the bounds are printed in the source
  bool missed;  // it is known not to hold; `note` says why
} pc_suite_check;
typedef struct pc_suite {
  const char *folder;
  const char *name; // of the way it is run
  double step;      // s; 0: as the scene says
  int seed;
  double angle; // rad, by which plans are turned
  int count;
  pc_suite_check check[PC_SUITE_CHECKS];
  long bad;
  const char *varied; // why not all criteria hold in the other ways; NULL: they do
} pc_suite;

// Runs a scene with edits of its text, each of which must be there, until everybody has left or for
// its duration. `floors` of them have plans; those behind are stairs, which are not turned.
pc_tracks pc_suite_play(pc_suite *suite, const char *scene, int floors, int edits,
                        const pc_edit *edit);
void pc_tracks_free(pc_tracks *tracks);

// Reports a value with its bounds, of which one may be infinite. `note` says where the bounds are
// from, and what else was measured.
void pc_suite_check_value(pc_suite *suite, const char *name, const char *quantity, double value,
                          const char *unit, double low, double high, bool printed,
                          const char *format, ...) __attribute__((format(printf, 9, 10)));
// The criterion of the last check is known not to hold: the row is a missed one, and fails when it
// holds.
void pc_suite_missed(pc_suite *suite);

// Measurements.
// People who have not left.
int pc_tracks_inside(const pc_tracks *tracks);
// Time of the last of the people of a range who leaves; NAN if one does not.
double pc_tracks_last(const pc_tracks *tracks, int first, int count);
// People of all who left by an exit.
int pc_tracks_by_exit(const pc_tracks *tracks, int exit);
// Time at which a person first has more than `bound` as x (axis 0) or y on a floor; below it if
// `down`. NAN: never.
double pc_tracks_passes(const pc_tracks *tracks, int person, int floor, int axis, double bound,
                        bool down);
// When a person first is on a floor, and when no more; NAN if never.
double pc_tracks_enters(const pc_tracks *tracks, int person, int floor);
double pc_tracks_quits(const pc_tracks *tracks, int person, int floor);
// When a person has first moved by more than a distance.
double pc_tracks_starts(const pc_tracks *tracks, int person, double distance);
// Means over an interval of time: density of a spot, and speed of the people in it (NAN without
// any). The speed is that over one sample.
double pc_tracks_density(const pc_tracks *tracks, pc_spot spot, double from, double to);
double pc_tracks_speed(const pc_tracks *tracks, pc_spot spot, double from, double to);
// The largest density of a spot, in the mean over `window` seconds.
double pc_tracks_peak(const pc_tracks *tracks, pc_spot spot, double window);
// Places of people outside the polygon, by more than a distance; people who left do not count.
int pc_tracks_outside(const pc_tracks *tracks, int floor, int corners, const double (*corner)[2],
                      double distance);
// Whether a person is ever in a spot.
bool pc_tracks_visits(const pc_tracks *tracks, int person, pc_spot spot);
// People per second between the shares `from` and `to` of the times that are numbers.
double pc_suite_flow(int count, const double *time, double from, double to);
// The largest difference between the distribution of the values and F, times the root of their
// number plus its correction (Stephens 1970): above 1.63 in one sample of a hundred.
double pc_suite_kolmogorov(int count, const double *value, double (*law)(double x, const void *of),
                           const void *of);

// Runs a case in all ways and reports its rows: each check as the scene is, then how many checks
// fail in the other ways, then the steps.
void pc_suite_report(pc_report *report, const char *folder, void (*measure)(pc_suite *suite));

// Twenty people who walk around a corner of two corridors of 2 m: all do, and nobody through a
// wall.
void pc_suite_corner(pc_suite *suite, const char *scene);

#endif
