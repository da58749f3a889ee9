// All runs of a scene with 'runs' or 'sweep'.
#ifndef PERCUSS_APP_RUNS_H
#define PERCUSS_APP_RUNS_H

#include "app/simulation.h"

// Runs them, prints the summary and returns the exit status. `keep`: every run is recorded.
int app_runs(app_simulation *simulation, bool keep, bool as_json, bool quiet);

#endif
