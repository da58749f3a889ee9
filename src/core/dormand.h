// The pair of order 5(4) of Dormand and Prince (1980): stages from those before, their times, and
// the fifth order less the fourth. The last stage is the step's end.
#ifndef PERCUSS_CORE_DORMAND_H
#define PERCUSS_CORE_DORMAND_H

enum { PC_DORMAND_STAGES = 7 };

static const double pc_dormand_weight[PC_DORMAND_STAGES][PC_DORMAND_STAGES] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double pc_dormand_time[PC_DORMAND_STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
static const double pc_dormand_error[PC_DORMAND_STAGES] = {
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

#endif
