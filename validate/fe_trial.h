// A collision of a continuum in a few lines: blocks, media, contacts, one solve.
#ifndef PERCUSS_VALIDATE_FE_TRIAL_H
#define PERCUSS_VALIDATE_FE_TRIAL_H

#include "continuum/collision.h"
#include "setup.h"

enum { PC_FE_PARTS = 6 };

typedef struct pc_fe_trial {
  pc_fe_mesh mesh;
  pc_fe_medium medium[PC_FE_PARTS];
  pc_fe_body body[1];
  pc_fe_contact contact[PC_FE_PARTS];
  pc_fe_hold hold[PC_FE_PARTS];
  pc_fe_collision_def def;
  bool triangles; // blocks after it are cut into
  bool linear;    // elements stay so
  double *before; // of nodes, from pc_fe_trial_ready on
  double body_before[1][3];
  pc_fe_collision *collision;
  pc_fe_answer answer;
  bool solved;
} pc_fe_trial;

// Places along a line: `count` corners, cells[i] equal cells from corner i to i + 1.
typedef struct pc_fe_places {
  int count;
  double corner[6];
  int cells[5];
} pc_fe_places;

void pc_fe_trial_begin(pc_fe_trial *trial, int dimension);
void pc_fe_trial_end(pc_fe_trial *trial);
// Names of sides as in pc_fe_rectangle; NULL: none.
void pc_fe_trial_block(pc_fe_trial *trial, const char *name, pc_fe_places x, pc_fe_places y,
                       const char *bottom, const char *right, const char *top, const char *left);
// The sides on the line y = `at` between these places become a group; before pc_fe_trial_ready.
void pc_fe_trial_part(pc_fe_trial *trial, const char *name, double at, double from, double to);
void pc_fe_trial_medium(pc_fe_trial *trial, const char *name, bool fluid, double density,
                        double strain, double volume);
// `other` NULL and body -1: the ground.
void pc_fe_trial_contact(pc_fe_trial *trial, const char *sides, const char *other, int body,
                         double normal, double tangential, pc_fe_condition condition);
void pc_fe_trial_hold(pc_fe_trial *trial, const char *sides, bool x, bool y, bool kept);
// Quadratic elements, checks, factors; velocities before are 0. False: the case reports NAN.
bool pc_fe_trial_ready(pc_fe_trial *trial);
// Counts as a solve of the case, bad if it is not solved or its account is open.
bool pc_fe_trial_solve(pc_report *report, pc_fe_trial *trial);

// Over the nodes of a contact: the resultant normal percussion, N s/m; the largest normal one per
// metre, Pa s; how many nodes stay in contact, and are there.
typedef struct pc_fe_surface {
  double resultant, tangential, peak, mean_pressure, length;
  double high[2], low[2]; // velocities of its nodes after
  int nodes, staying;
} pc_fe_surface;
pc_fe_surface pc_fe_trial_surface(const pc_fe_trial *trial, int contact);
// A field to compare with: velocities, then the pressure.
typedef void pc_fe_truth(const void *context, const double x[2], double *value);
// Distances in the mean square, of U+ and, less its mean, of P.
void pc_fe_trial_distance(const pc_fe_trial *trial, pc_fe_truth *truth, const void *context,
                          double distance[2]);
// U+ of the node at a place; NAN: there is none.
double pc_fe_trial_velocity(const pc_fe_trial *trial, double x, double y, int component);

#endif
