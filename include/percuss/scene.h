// Reads files into problems and scenes. Every message names file, line and key.
#ifndef PERCUSS_SCENE_H
#define PERCUSS_SCENE_H

#include "percuss/chain.h"
#include "percuss/continuum.h"
#include "percuss/crowd.h"
#include "percuss/heat.h"
#include "percuss/identify.h"
#include "percuss/impact.h"
#include "percuss/world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// A problem read from a file, with the names that the file gives to its bodies.
typedef struct pc_scene_impact {
  pc_impact *problem;
  char *title; // NULL if the file has none
  int bodies;
  char **body_ids;
  double (*before)[6];   // U-
  double (*position)[3]; // of bodies; NULL of an FCLIB file, as names, points and normals
  int interactions;      // that have names
  char **interaction_ids;
  int (*pairs)[2];                  // of every interaction; the second may be PC_OBSTACLE
  double (*point)[3], (*normal)[3]; // of contacts; the normal as in the file
  bool quasi_static;                // as in the file
  bool fclib;       // from an FCLIB file: the answer is arrays in the file's own order and sign
  int contacts;     // FCLIB: the first interactions; the others are its equality constraints
  bool guessed;     // FCLIB: the file has an initial guess, for `warm_start`
  bool mirrored;    // FCLIB: a matrix had one triangle only and was read as symmetric
  double *solution; // FCLIB: u of the file's own solution, row by row; NULL if it has none
  // With temperatures; NULL otherwise. The outside, if there is one, follows the bodies.
  pc_heat_body *heat;
  double *exchange; // of every interaction
  bool outside;
  pc_heat_mode heat_mode;
} pc_scene_impact;

// Reads a `kind: impact` YAML or JSON file, the first of its combinations if it has a sweep, or an
// FCLIB HDF5 file.
pc_status pc_scene_read_impact(const char *path, pc_scene_impact *out, pc_error *error);
// The same from a text. Messages name it `path`, and file names are relative to that path.
pc_status pc_scene_parse_impact(const char *path, const char *text, pc_scene_impact *out,
                                pc_error *error);
void pc_scene_impact_free(pc_scene_impact *scene);
// Temperatures after the collision, from the energy that the solved problem dissipates; obstacles
// are the outside, if there is one. `after` has room for the bodies and one more; `info`
// may be NULL.
pc_status pc_scene_impact_heat(const pc_scene_impact *scene, pc_heat_result *after,
                               pc_heat_info *info, pc_error *error);

// FCLIB's two forms of a friction problem: mass matrix and rows, or Delassus operator.
typedef enum pc_fclib_form {
  PC_FCLIB_GLOBAL, // M v = f + H r + G l, u = H^T v + w, G^T v + b = 0
  PC_FCLIB_LOCAL   // u = W r + V l + q, V^T r + R l + s = 0
} pc_fclib_form;

// Writes a problem as an FCLIB file, with its answer, if it has one, as the file's solution.
// `title` may be NULL. v has the velocities that are not prescribed, in the order of the bodies; u
// and r have N, T1, T2 of every contact. What FCLIB cannot represent is folded into f, w and M
// where that is exact: U-, bounds, Moreau's restitution, Coulomb's law on another velocity than
// that after, and linear laws. Other laws are rejected by name.
pc_status pc_fclib_write(const pc_impact *problem, pc_fclib_form form, const char *title,
                         const char *path, pc_error *error);

// A `kind: identification` file: measured collisions and the coefficients to find from them. The
// predictions of `problem` solve the collisions of the file.
typedef struct pc_scene_identification {
  pc_identification problem;
  char *title; // NULL if the file has none
  int experiments;
  double change; // root of the mean squared change, after minus before, of measured velocities
  struct pc_identification_file *file; // data of the predictions
} pc_scene_identification;

pc_status pc_scene_read_identification(const char *path, pc_scene_identification *out,
                                       pc_error *error);
void pc_scene_identification_free(pc_scene_identification *scene);

// A `kind: chain` file: balls on a line and the law of their impact, for pc_chain_solve.
typedef struct pc_scene_chain {
  pc_chain chain;
  pc_chain_law law;
  double duration;      // s, as in the file; 0: to the end
  bool timed;           // the file gives contact stiffnesses, so times are physical
  bool bounds;          // also compute the bounds of the dispersion
  const double *radius; // of balls, m; NULL if not given
  void *memory;         // owner of all arrays
} pc_scene_chain;

// The folder of the ready scenes: `scenes` in the working folder, beside the folder of the program
// (a built tree), or where they were installed. False if there is none, or its path does not fit.
bool pc_scene_folder(char *path, size_t size);

// Whether a file can be read and is of this kind: `chain`, `continuum`.
bool pc_scene_is_of_kind(const char *path, const char *kind, pc_error *error);

// A `kind: rigid` file: a world ready to step, and how to run and record it.
typedef enum pc_sensor_kind {
  PC_SENSOR_FORCE,        // sum of contact impulses / step and spring forces on the bodies, N
  PC_SENSOR_ACCELERATION, // mean over the bodies of (velocity change) / step, m/s^2
  PC_SENSOR_DISPLACEMENT, // mean over the bodies of position - start, m
  PC_SENSOR_VELOCITY,     // mean over the bodies, m/s
  PC_SENSOR_TEMPERATURE,  // mean over the bodies, K: one number
  PC_SENSOR_IMPULSE,      // of the forces of PC_SENSOR_FORCE since the start, N s
  PC_SENSOR_DISSIPATED,   // at contacts of the bodies since the start, J: one number
  PC_SENSOR_HITS          // number of hits since the start; each hit is recorded
} pc_sensor_kind;

// What a force sensor sums.
typedef enum pc_force_source { PC_FORCE_ALL, PC_FORCE_CONTACTS, PC_FORCE_SPRINGS } pc_force_source;

// Of a hit: a size, when the hit began, and the body that struck.
typedef struct pc_strike {
  double value, time, mass; // J or N s, s, kg
  double duration;          // s; 0 of a hit that has not ended
  double point[3];          // m: where it struck
  pc_body body;             // id 0: there was no hit
} pc_strike;

typedef struct pc_sensor {
  char *name;
  pc_sensor_kind kind;
  int count;
  pc_body *bodies;
  bool along; // one number along `axis`, else three; of a temperature always
  double axis[3];
  pc_force_source source; // of a force
  double cutoff;          // Hz: filtered by Butterworth's low pass of second order; 0: as it is
  double low[3], high[3], mean[3]; // over the steps, after a run
  int by_count;    // forces, impulses, dissipated energy and hits: contacts with these only;
  pc_body *by;     // 0: with all others
  double pause;    // of hits, s: contacts separated by a shorter pause are one hit
  double total[3]; // impulse, dissipated energy or hits of a run, after it
  // Of a force or an acceleration, after a run: the largest size of its mean over `window` (0
  // before the start), and of its value in one step, which an impact makes larger the shorter the
  // step is. Of hits: of the sum of the forces of their contacts.
  double peak, peak_step;
  double window; // s
  bool is_mean;  // the value is the mean of the force or acceleration over the last `window`
  // Of hits, after a run: the bodies that struck, those of the sensor or, if these are obstacles,
  // the others; the hit with the largest kinetic energy of the body before it, and of the hits that
  // have ended the one with the largest impulse.
  int struck;
  pc_strike hardest, strongest;
  // Of hits and impulses, after a run: the hits that have not ended. Of impulses: their part in the
  // total, their mean force over the last second, and the smallest and the largest force of all
  // contacts in a step of it, along `axis` or the size.
  int open;
  double open_total[3], end_force[3], end_range[2];
} pc_sensor;

// A spring, a string or a net, by its number in the world.
typedef enum pc_scene_element_kind {
  PC_SCENE_SPRING,
  PC_SCENE_STRING,
  PC_SCENE_NET,
  PC_SCENE_MOVING_NET
} pc_scene_element_kind;
typedef struct pc_scene_element {
  char *name;
  pc_body body;  // null for a net
  pc_body other; // of a string: the opposite force acts on it
  // String: attachment points on `body` and `other`, in the axes of their shapes. Spring:
  // attachment point on `body`, in the axes of its shape, and direction of the force. Net: low and
  // high corner at the start.
  double points[2][3];
  pc_scene_element_kind kind;
  int held_count; // of a net: the bodies that it holds
  pc_body *held;
} pc_scene_element;

// How the deposit at the end of a run is measured.
typedef struct pc_deposit_def {
  double spacing;    // of the map, m; 0: not measured
  double thinnest;   // m: thinner layers do not count
  double rest_speed; // m/s: faster bodies count as moving
  int count;         // of the bodies that count; 0: all free bodies
  pc_body *bodies;
} pc_deposit_def;

// An event that changes the state of bodies during the run.
typedef struct pc_scene_event {
  double time; // the event takes place before the step that starts at this time
  int count;
  pc_body *bodies;
  bool placed, turned, thrown, spun; // which of the state is given
  pc_body_state state;               // position: of the shape's origin
  double temperature;                // K; 0: not given
} pc_scene_event;

// Names of the parts of a crowd, by their numbers.
typedef enum pc_goal_kind { PC_GOAL_EXIT, PC_GOAL_AREA, PC_GOAL_CHOICE } pc_goal_kind;
typedef struct pc_scene_goal {
  char *name; // of a choice: `a or b`
  pc_goal_kind kind;
  int floor; // -1 for a choice
  int count; // points of its line or outline
  double (*point)[2];
  int entry; // of `exits` or `areas`, from 0; -1: a choice, or an exit of another program's plan
} pc_scene_goal;
// An entry of `walls` or `doors`, as the file has it.
typedef struct pc_scene_wall {
  int floor, entry; // of `floors`; of its `walls`, or of `doors`
  int count;
  double (*point)[2];
} pc_scene_wall;
// Measurements of a crowd: maps on square cells, averaged over intervals, and lanes.
typedef struct pc_maps_def {
  double spacing; // of the squares, m; 0: no maps
  double every;   // length of an interval, s; rounded to whole steps
} pc_maps_def;
typedef struct pc_lanes_def {
  int axis;     // along which people walk: 0 x, 1 y
  double width; // of strips, m; 0: not measured
} pc_lanes_def;
// People of a group who are too wide for the narrowest gap on their way.
typedef struct pc_scene_tight {
  int group, people, goal; // the goal of one of them
  pc_tight at;
} pc_scene_tight;
typedef struct pc_scene_people {
  int floors, goals, groups;
  char **floor_names, **group_names;
  pc_scene_goal *goal;
  int walls; // of the file; those of other programs' plans are not among them
  pc_scene_wall *wall;
  int doors;
  pc_scene_wall *door;
  int *group;        // of each person
  bool until_empty;  // the run ends when everybody is out
  bool trajectories; // write them
  int tights;
  pc_scene_tight *tight;
  pc_maps_def maps;
  pc_lanes_def lanes;
} pc_scene_people;

// A scene may stand for many runs: `runs` of every combination of the values of `sweep`, numbered
// from 1; the first key changes slowest, the seed fastest.
typedef struct pc_scene_sweep {
  char *key;   // a path into the file, or several with commas between them
  char *label; // name in tables and on axes
  int count;
  char **values; // as text
  bool ratio;    // a range of equal ratios between positive numbers
} pc_scene_sweep;
// A picture of quantities of all runs: curves against one of the sweeps or against time, or a map
// over two sweeps.
typedef struct pc_scene_curves {
  char *name;  // of the file: RUN-NAME.svg
  char *title; // NULL: that of the scene
  char *y;     // title of the vertical axis of curves, or of the scale of a map; NULL: by quantity
  int quantities;
  int line; // of the file, where these are
  char **quantity;
  int against[2]; // sweeps along the axes; the first is -1 for time, the second if it is no map
  int words;      // of a map of whole numbers: meaning of 0, 1, ...
  char **word;
} pc_scene_curves;
typedef struct pc_scene_plan {
  int runs; // of every combination, with consecutive seeds
  int sweeps, combinations, members;
  pc_scene_sweep *sweep;
  int pictures;
  pc_scene_curves *picture;
} pc_scene_plan;
// Which value of a sweep a combination has, both counted from 0.
int pc_scene_plan_value(const pc_scene_plan *plan, int combination, int sweep);
// A value of a sweep as a number; NAN if it is not a finite one.
double pc_scene_sweep_number(const pc_scene_sweep *sweep, int value);

#define PC_STEPS_MOST 1e12 // that a run can have

typedef struct pc_scene {
  pc_world *world;           // of bodies, also of a crowd
  pc_crowd *crowd;           // owner of the world; NULL: bodies only
  pc_scene_chain *chain;     // instead of a world, else NULL
  pc_continuum *continuum;   // instead of a world, else NULL
  pc_scene_impact *impact;   // a single collision instead of a world, else NULL
  pc_scene_people people;    // of the crowd
  char *path, *title, *text; // the file, its title (may be NULL), its original text
  char *base_text;           // text of its base files, concatenated; NULL: none
  int bases;                 // their number: the first of `inputs`
  char *meaning;             // what the file and its bases say that results depend on
  pc_scene_plan plan;        // the runs that the file asks for
  int member;                // number of this run, from 1
  uint64_t seed;             // of this run
  char *changes;             // seed and values of this run, a line each; NULL: the only run
  int input_count;           // number of files it reads: bases, tables, meshes, terrain
  char **inputs;
  int warning_count; // warnings: `FILE:LINE: text`
  char **warnings;
  double duration, step;
  double frame_every;      // s between recorded frames
  double checkpoint_every; // wall-clock s between checkpoints; 0: only when stopped
  bool record_contacts, csv, xdmf, end_table;
  int bodies;
  char **names; // of bodies, by number - 1
  int materials;
  char **material_names;
  int sensors;
  pc_sensor *sensor;
  int elements;
  pc_scene_element *element;
  int events;
  pc_scene_event *event; // in order of time
  char *views;           // named views of the file, as a JSON list; NULL: none
  double bounds[6];      // low x, y, z, high x, y, z: a body outside is lost; infinite by default
  bool removes_lost;     // a body outside leaves the world
  pc_deposit_def deposit;
  bool running; // set by pc_run_scene: it cannot be run again, and pc_scene_free does nothing
} pc_scene;

// Reads a YAML or JSON file of any kind that runs: `kind: rigid`, `crowd`, `chain`, `continuum` or
// `impact`; docs/scene-reference.md has their keys.
pc_status pc_scene_read(const char *path, pc_scene *out, pc_error *error);
// The same from a text. Messages name it `path`, and file names are relative to that path.
pc_status pc_scene_parse(const char *path, const char *text, pc_scene *out, pc_error *error);
// One of the runs of such a file; the others read the first.
pc_status pc_scene_parse_run(const char *path, const char *text, int run, pc_scene *out,
                             pc_error *error);
void pc_scene_free(pc_scene *scene);

// Reads a file of any kind, as the functions above do, and reports all errors in order of lines, or
// the warnings if there are no errors. `text` NULL: the file is read;
// otherwise messages call the text `path`. The pc_error of all readers has the first error and how
// many follow. Each text is one line, valid during the call.
typedef enum pc_told { PC_TOLD_ERROR, PC_TOLD_WARNING } pc_told;
typedef void pc_scene_teller(void *context, pc_told what, const char *text);
pc_status pc_scene_check(const char *path, const char *text, pc_scene_teller *tell, void *context,
                         pc_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
