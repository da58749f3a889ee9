// A problem in the global form whose M is not symmetric (an implicit gyroscopic term makes it so),
// brought to the response that its contacts feel.
#ifndef PERCUSS_SCENE_FCLIB_CONDENSE_H
#define PERCUSS_SCENE_FCLIB_CONDENSE_H

#include "percuss/status.h"
#include "scene/fclib_matrix.h"

// W = J M^-1 J^T, and J M^-1 f added to `velocity`, where `rows` is J: the rows of all contacts and
// equalities, sorted. PC_ERROR_INPUT: M has no inverse.
pc_status pc_fclib_condense(pc_arena *arena, const pc_fclib_matrix *mass,
                            const pc_fclib_matrix *rows, const double *f, double *velocity,
                            pc_fclib_matrix *response, pc_error *error);

#endif
