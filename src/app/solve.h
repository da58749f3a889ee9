// The parts of `percuss solve`, by kind of file. Each prints the answer and returns the exit
// status.
#ifndef PERCUSS_APP_SOLVE_H
#define PERCUSS_APP_SOLVE_H

#include "percuss/scene.h"

int app_solve_impact(const char *path, bool as_json, bool certify, const pc_solve_options *options);
// Every collision of a file with a sweep, of which `first` is the first.
int app_solve_sweep(const pc_scene *first, bool as_json, bool certify,
                    const pc_solve_options *options);
int app_solve_chain(const char *path, bool as_json, const pc_solve_options *options);
int app_solve_continuum(const char *path, bool as_json, double tolerance); // 0: the file's

#endif
