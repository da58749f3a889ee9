// Evacuation times in a report: curves, exits, reaction and walking, floors and areas.
#ifndef PERCUSS_RUN_REPORT_TIMES_H
#define PERCUSS_RUN_REPORT_TIMES_H

#include "record/page.h"
#include "run/crowd_totals.h"
#include "run/variants.h"

// How many people had left at a time: over the runs of a variant, and between which numbers it was
// in nine tenths of them.
typedef struct pc_left_by {
  double time;
  pc_statistics people;
  double low, high;
} pc_left_by;
// At `count` times evenly from 0 to `until`.
pc_status pc_variant_curve(const pc_variant *variant, double until, int count, pc_left_by *curve,
                           pc_error *error);
// When the last exit of any run was, s.
double pc_variants_end(int count, const pc_variant *variants);
// When a share of the people of a run had left; infinite: never.
double pc_run_time_of_share(const pc_variant_run *run, double share);
// People per second and metre through an exit of a run, by the robust estimate; NAN: too few.
double pc_run_specific_flow(const pc_left *left, double width);
// The width of an exit, m; NAN: not known.
double pc_variant_exit_width(const pc_variant *variant, int exit);

// The curves of variants in one picture; those who walk already too, if `totals` is given.
pc_status pc_report_curves(pc_page *page, int count, const pc_variant *variants,
                           const pc_crowd_totals *totals, pc_error *error);
pc_status pc_report_shares(pc_page *page, const pc_variant *variant, pc_error *error);
pc_status pc_report_exits(pc_page *page, const pc_variant *variant, pc_error *error);
pc_status pc_report_walking(pc_page *page, const pc_variant *variant, const pc_crowd_totals *totals,
                            pc_error *error);
void pc_report_places(pc_page *page, const pc_variant *variant, const pc_crowd_totals *totals);

#endif
