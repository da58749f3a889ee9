// Wall-clock time, for reports only: no result may depend on it.
#ifndef PERCUSS_CORE_CLOCK_H
#define PERCUSS_CORE_CLOCK_H

double pc_clock_seconds(void);

#endif
