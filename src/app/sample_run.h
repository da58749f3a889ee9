// A made-up run of any size, for the benchmark and the tests of the viewer: boxes in a cube, each
// swinging about its place and turning, by formulas that a reader can check.
#ifndef PERCUSS_APP_SAMPLE_RUN_H
#define PERCUSS_APP_SAMPLE_RUN_H

#include "percuss/status.h"

enum { SAMPLE_STEPS = 10 };  // steps to a frame
#define SAMPLE_STEP 1e-3     // s
#define SAMPLE_SWING 0.3     // m: x of box i at time t is that at rest + 0.3 sin(2 t + i)
#define SAMPLE_FREQUENCY 2.0 // rad/s

// Frames are written until there are `frames` of them or the file has `bytes` (0: no limit).
pc_status sample_run_write(const char *path, int boxes, long frames, double bytes, pc_error *error);

#endif
