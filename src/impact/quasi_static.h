// Quasi-static collisions (book, remark 2.11): the limit of M -> eps M, which is the minimum of Phi
// nearest to U-. Dividing by eps, the laws become stiffer instead.
#ifndef PERCUSS_IMPACT_QUASI_STATIC_H
#define PERCUSS_IMPACT_QUASI_STATIC_H

#include "impact/problem.h"

// 1 / eps, small against every coefficient in units of its own effective mass.
double pc_quasi_static_stiffness(pc_impact *problem);
// Without inertia, 0 = P_ext - sum B^T P: what is left over would move the bodies without end. And
// P_ext / eps makes velocities that the contacts take back, with their round-off, the larger the
// lighter the bodies it passes through. Lowers the status of an answer that shows either.
void pc_quasi_static_check(pc_impact *problem, double stiffness, pc_solve_info *info);

#endif
