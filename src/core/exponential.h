// exp(x), exp(x) - 1 and log(1 + x) from additions, multiplications and divisions alone: the C
// library's differ in their last bits between machines, and what depends on them is compared bit by
// bit.
#ifndef PERCUSS_CORE_EXPONENTIAL_H
#define PERCUSS_CORE_EXPONENTIAL_H

// Within 2 units in the last place, exact at 0, with the limits of the C library.
double pc_exp(double x);
double pc_expm1(double x);
double pc_log1p(double x);

#endif
