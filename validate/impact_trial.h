// An impact problem, from the text of a scene.
#ifndef PERCUSS_VALIDATE_IMPACT_TRIAL_H
#define PERCUSS_VALIDATE_IMPACT_TRIAL_H

#include "percuss/scene.h"
#include "setup.h"

typedef struct impact_trial {
  pc_scene_impact scene;
  pc_solve_info info;
  bool solved;
} impact_trial;

// Reads and solves a `kind: impact` scene, whose text is formatted as by printf, to be ended in any
// case. After a failure the functions below give NAN.
bool impact_solve(pc_report *report, impact_trial *trial, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void impact_end(impact_trial *trial);

// U+ of a body.
void impact_velocity(const impact_trial *trial, int body, double *velocity, int count);
pc_interaction_answer impact_answer(const impact_trial *trial, int interaction);

#endif
