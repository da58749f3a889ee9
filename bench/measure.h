// Clocks, medians and the memory of this process.
#ifndef PERCUSS_BENCH_MEASURE_H
#define PERCUSS_BENCH_MEASURE_H

double bench_seconds(void);           // of the wall clock
double bench_processor_seconds(void); // of all threads of this process, whatever else runs

double bench_median(int count, double *values); // sorts the values

int bench_processors(void);
double bench_memory(void);      // bytes in use now; NAN: not known
double bench_peak_memory(void); // the most bytes that were ever in use

#endif
