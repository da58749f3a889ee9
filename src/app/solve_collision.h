// One collision of `percuss solve`, alone or as one of a sweep.
#ifndef PERCUSS_APP_SOLVE_COLLISION_H
#define PERCUSS_APP_SOLVE_COLLISION_H

#include "app/solve_heat.h"

typedef struct app_collision {
  const pc_scene_impact *scene;
  pc_solve_options options; // as they were given, and what the file adds
  pc_solve_info info;
  bool certified; // the certificate was asked for and computed
  pc_certificate certificate;
  app_heat heat;
} app_collision;

// Returns the exit status. APP_BAD_INPUT: it has complained, and there is nothing to show. After
// APP_FAILED the caller shows the best iterate and explains.
int app_collision_solve(const char *path, const pc_scene_impact *scene, bool certify,
                        const pc_solve_options *given, app_collision *collision);
void app_collision_free(app_collision *collision);
// Says on stderr why the collision called `name` is not solved.
void app_collision_explain(const app_collision *collision, const char *name);
// Writes the members of the JSON object of the answer.
void app_collision_write(pc_json *json, const app_collision *collision);

// What the numbers of a velocity are called, by degrees of freedom.
extern const char *const app_axis_names[PC_MAX_DOF + 1][PC_MAX_DOF];
// Round-off, against the largest of its kind, is shown as 0.
double app_tidy(double value, double scale);
// How many numbers at the end of an answer are a moment and a spin: those of rolling friction.
int app_rolling_numbers(const pc_scene_impact *scene, int k, const pc_interaction_answer *answer);
// The largest difference of a velocity from the solution that an FCLIB file has itself; NAN if it
// has none.
double app_solution_distance(const pc_scene_impact *scene);

#endif
