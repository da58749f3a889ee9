// The collision of a continuum, from the text of a scene.
#ifndef PERCUSS_VALIDATE_CONTINUUM_TRIAL_H
#define PERCUSS_VALIDATE_CONTINUUM_TRIAL_H

#include "percuss/scene.h"
#include "setup.h"

typedef struct continuum_trial {
  pc_scene scene;
  pc_continuum_nodes nodes; // before the collision; count 0 if the scene could not be read
  pc_continuum_answer answer;
  bool solved; // and its balance is closed
} continuum_trial;

// Reads a `kind: continuum` scene, whose text is formatted as by printf, to be ended in any case.
bool continuum_read(continuum_trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void continuum_end(continuum_trial *trial);
// Counts as a solve of the case. After a failure the functions below give NAN.
bool continuum_solve(pc_report *report, continuum_trial *trial);

// The node at a place, or -1.
int continuum_node(const continuum_trial *trial, double x, double y);
// A component of U+ there; a component of U+ of a rigid body (x, y, spin).
double continuum_velocity(const continuum_trial *trial, double x, double y, int component);
double continuum_body(const continuum_trial *trial, int body, int component);
pc_continuum_touch continuum_touch(const continuum_trial *trial, int contact);
// The sum of the reactions of non-penetration over the points of a contact, N s/m.
double continuum_reaction(const continuum_trial *trial, int contact);

// A field to compare with: velocities, then the pressure.
typedef void continuum_truth(const void *context, const double x[2], double *value);
// Root mean square distances of U+ and of P, less its mean.
void continuum_distance(const continuum_trial *trial, continuum_truth *truth, const void *context,
                        double distance[2]);

// Ends of the cells of a mesh along an axis, as the text of a list: cells[i] equal cells between
// corner i and corner i + 1.
typedef struct mesh_axis {
  int corners;
  double corner[6];
  int cells[5];
} mesh_axis;
typedef struct axis_text {
  char text[4000];
} axis_text;
axis_text mesh_axis_text(const mesh_axis *axis);

#endif
