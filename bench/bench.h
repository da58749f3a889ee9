// The benchmarks: their list, and the functions by which a benchmark reports what it measured.
//
// This folder is a library of its own. It uses only the public interface of Percuss, and it prints
// nothing: the caller gives functions that show rows, notes and progress.
//
// A new benchmark is a file NAME.c with a function bench_NAME, declared below, and a line in
// list.c.
#ifndef PERCUSS_BENCH_H
#define PERCUSS_BENCH_H

#include <stdbool.h>

#include "percuss/scene.h"

// One measured value, e.g. {"nsgs, time per contact and sweep", 10000, 85, "ns", NULL}.
typedef struct bench_value {
  const char *name;
  double size; // of the problem; 0: not shown
  double value;
  const char *unit;
  const char *remark; // NULL: none
} bench_value;

typedef struct bench_context {
  const char *argument; // the word after the benchmark's name, if it takes one
  bool quick;           // leave the large sizes out
  unsigned seed;        // of random problems
  bool failed;          // set by bench_failed
  void *shown_by;       // for the functions below
  void (*show_row)(void *shown_by, const bench_value *row);
  void (*show_note)(void *shown_by, const char *text);
  void (*show_progress)(void *shown_by, const char *text);
} bench_context;

typedef struct bench_definition {
  const char *name, *summary;
  const char *size; // what the sizes of its rows count
  void (*run)(bench_context *context);
  const char *argument;                        // what follows the name; NULL: nothing
  const char *(*reject)(const char *argument); // what is wrong with the argument; NULL: nothing
  bool only_when_named;                        // not part of "all benchmarks"
} bench_definition;

enum { BENCHMARKS = 11 };
extern const bench_definition bench_list[BENCHMARKS];

// The seed of the published tables.
enum { BENCH_SEED = 6 };

// For the benchmarks.
void bench_row(bench_context *context, const char *name, double size, double value,
               const char *unit);
// The same with a name that is formatted as by printf.
void bench_row_named(bench_context *context, double size, double value, const char *unit,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
void bench_row_remarked(bench_context *context, const char *name, double size, double value,
                        const char *unit, const char *remark);
void bench_note(bench_context *context, const char *text);     // why a part was left out
void bench_progress(bench_context *context, const char *text); // how far it is; shown briefly
void bench_failed(bench_context *context, const char *text);   // something should have worked
// Reads a ready scene, such as "rigid/drum-2d.yaml"; false after bench_failed.
bool bench_read_scene(bench_context *context, const char *name, pc_scene *scene);

void bench_chain(bench_context *context);
void bench_continuum(bench_context *context);
void bench_crowd(bench_context *context);
void bench_drum(bench_context *context);
void bench_fclib(bench_context *context);
const char *bench_fclib_reject(const char *folder);
void bench_friction(bench_context *context);
void bench_gabion(bench_context *context);
void bench_impact(bench_context *context);
void bench_rigid(bench_context *context);
void bench_sweeps(bench_context *context);
void bench_view(bench_context *context);

#endif
