// What a benchmark is: a function that reports rows. A new one is a file bench_NAME.c with such a
// function, and a line in the list of bench.c.
#ifndef PERCUSS_APP_BENCH_H
#define PERCUSS_APP_BENCH_H

#include <stdbool.h>

typedef struct pc_bench_context pc_bench_context;

bool bench_is_quick(const pc_bench_context *context); // leave the large sizes out
// One measured value, e.g. ("nsgs, time per contact and sweep", 10000, 85, "ns"). A size of 0 is
// not shown.
void bench_row(pc_bench_context *context, const char *name, double size, double value,
               const char *unit);

// The same with a remark.
void bench_row_remarked(pc_bench_context *context, const char *name, double size, double value,
                        const char *unit, const char *remark);
const char *bench_argument(const pc_bench_context *context); // of a benchmark that has one

// Why a benchmark, or a part of it, was left out.
void bench_note(pc_bench_context *context, const char *text);
// The same for what should have worked: the exit status says so in the end.
void bench_failed(pc_bench_context *context, const char *text);

double bench_memory(void);      // of the process now, in bytes; NAN: not known
double bench_most_memory(void); // the most it ever had

void bench_impact(pc_bench_context *context);
void bench_rigid(pc_bench_context *context);
void bench_gabion(pc_bench_context *context);
void bench_crowd(pc_bench_context *context);
void bench_chain(pc_bench_context *context);
void bench_continuum(pc_bench_context *context);
void bench_view(pc_bench_context *context);
void bench_fclib(pc_bench_context *context);
const char *bench_fclib_refuse(const char *folder); // what is wrong with it; NULL: nothing
void bench_sweeps(pc_bench_context *context);
void bench_friction(pc_bench_context *context);
void bench_drum(pc_bench_context *context);

#endif
