// How a case of the validation reports its rows, and the solves that it makes on the way.
//
// A case belongs to one source and reports rows whose ids start with its prefix. Computed values
// come from the public API; expected values come from the document or from an independent oracle.
#ifndef PERCUSS_VALIDATE_REPORT_H
#define PERCUSS_VALIDATE_REPORT_H

#include "percuss/impact.h"
#include "percuss/validate.h"
#include "percuss/world.h"

typedef struct pc_report pc_report;

typedef struct pc_case {
  const char *prefix; // of the ids of its rows
  const char *source; // document and section
  bool slow;          // left out of a quick run
  void (*run)(pc_report *report);
} pc_case;

// A study of why a missed result differs from the source: a slow case whose prefix starts with
// 'study.' and whose rows are varied ones, and what it found out, as one paragraph.
typedef struct pc_study {
  pc_case base;
  const char *found;
} pc_study;

// Whether a finite number is within the tolerance.
bool pc_is_within(double expected, double computed, double tolerance);
// A row that agrees passes if its kind counts. A missed row must not agree. A number that is not
// finite fails, except where nothing is compared.
pc_verdict pc_verdict_of(pc_row_kind kind, double expected, double computed, double tolerance);

// Rows. The id is prefix.name, or the prefix alone when name is NULL. `note` may be NULL. The note
// of a derived row names the oracle.
void pc_report_published(pc_report *report, const char *name, const char *quantity,
                         double published, double computed, const char *unit, double tolerance,
                         const char *note);
void pc_report_derived(pc_report *report, const char *name, const char *quantity, double expected,
                       double computed, const char *unit, double tolerance, const char *oracle);
// Counts violations of a claim; none are expected.
void pc_report_property(pc_report *report, const char *name, const char *quantity, int violations,
                        const char *note);
// What the program reports of its own run, and a run compared with itself.
void pc_report_self_check(pc_report *report, const char *name, const char *quantity,
                          double expected, double computed, const char *unit, double tolerance,
                          const char *note);
// Solves or steps that the program itself finds bad; none are expected.
void pc_report_own_steps(pc_report *report, const char *name, const char *quantity, int bad,
                         const char *note);
// Inputs that the source does not give were chosen so that this agrees; the note says which.
// `published` is NAN where the source prints no number, here and below.
void pc_report_fitted(pc_report *report, const char *name, const char *quantity, double published,
                      double expected, double computed, const char *unit, double tolerance,
                      const char *note);
// A datum of the source that the scene holds: what is compared is the scene.
void pc_report_input(pc_report *report, const char *name, const char *quantity, double published,
                     double computed, const char *unit, double tolerance, const char *note);
// A criterion that does not hold; `why` says what is known about it. The row fails when it holds.
void pc_report_missed(pc_report *report, const char *name, const char *quantity, double published,
                      double expected, double computed, const char *unit, double tolerance,
                      const char *why);
// A printed statement that does not follow from the text; `why` gives the reason.
void pc_report_untestable(pc_report *report, const char *name, const char *quantity,
                          double published, double computed, const char *unit, const char *why);
// A row of a study: the result with one input changed, beside what the source prints. `interval` is
// half the 95 % interval of the mean, 0 for a single run. A number that is not finite fails.
void pc_report_varied(pc_report *report, const char *name, const char *changed,
                      const char *quantity, double published, double computed, const char *unit,
                      double interval, const char *note);
// The prefix of the running case: several cases may share a function.
const char *pc_report_prefix(const pc_report *report);
// Formats a name; valid until the next call.
const char *pc_report_name(pc_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Every case that solves something ends with a row that counts the solves that failed or whose
// energy balance does not close. The functions below count; pc_report_count is for solves made in
// another way.
void pc_report_count(pc_report *report, bool good);

// An empty problem, or NULL; the functions below accept NULL and do nothing.
pc_impact *pc_report_problem(pc_report *report);
// The options of pc_report_solve: a tolerance of 1e-13.
pc_solve_options pc_report_options(void);
// False if it did not converge; the case then reports NAN.
bool pc_report_solve(pc_report *report, pc_impact *problem);
bool pc_report_solve_with(pc_report *report, pc_impact *problem, const pc_solve_options *options,
                          pc_solve_info *info);

// A world, or NULL. A step counts like a solve; false if it failed or is not accurate.
pc_world *pc_report_world(pc_report *report, const pc_world_def *def);
bool pc_report_step(pc_report *report, pc_world *world, double h);

// For the registry: which ids are wanted, and where rows go. An id selects the row of that name and
// all rows below it; `count` 0 selects all.
typedef struct pc_row_filter {
  const char *const *ids;
  int count;
  bool *seen; // which ids matched a row
} pc_row_filter;
// Whether one id equals the other or is below it.
bool pc_id_is_below(const char *id, const char *prefix);
pc_report *pc_report_create(const pc_row_filter *filter, pc_validation_sink *sink, void *context);
void pc_report_destroy(pc_report *report);
// Runs a case and reports the row about its solves. False when memory is out.
bool pc_report_run(pc_report *report, const pc_case *current);

#endif
