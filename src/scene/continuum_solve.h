// The parts of solving the collision of a `kind: continuum` file.
#ifndef PERCUSS_SCENE_CONTINUUM_SOLVE_H
#define PERCUSS_SCENE_CONTINUUM_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

#include "record/own.h"
#include "scene/continuum.h"

// As pc_continuum_solve, also of a motion: the collision at its start.
pc_status pc_continuum_collide(const pc_continuum *continuum, double tolerance,
                               pc_continuum_answer *answer, pc_error *error);
// Starts the motion where the collision at its start ended, or as the file says if there is none.
pc_status pc_continuum_start_motion(const pc_continuum *continuum,
                                    const pc_continuum_answer *collision, pc_fe_motion **motion,
                                    pc_error *error);
// Starts the motion of a fluid.
pc_status pc_continuum_start_flow(const pc_continuum *continuum, pc_fe_flow **flow,
                                  pc_error *error);
// continuum_temperature.c: after the collision, what it made of temperatures; of media without
// them NAN. `medium` are those of the answer, `memory` that of all of it.
pc_status pc_continuum_solve_heat(const pc_continuum *c, const pc_fe_collision *collision,
                                  const pc_fe_answer *solved, pc_continuum_medium *medium,
                                  pc_arena *memory, pc_continuum_answer *answer, pc_error *error);

// What pc_continuum_write_profile writes.
extern const pc_own pc_profile_own;
// The head of the profile of contacts, with units.
void pc_profile_head(int dimension, bool heated, char *head, size_t size);

#endif
