// Variants side by side in a report.
#ifndef PERCUSS_RUN_REPORT_COMPARE_H
#define PERCUSS_RUN_REPORT_COMPARE_H

#include "record/page.h"
#include "run/variants.h"

// The difference of a number between two variants: over pairs of runs with one seed if all seeds of
// the runs of both are the same, else between the means (Welch).
typedef struct pc_difference {
  bool paired;
  int pairs;
  double mean, low, high; // NAN: not known
} pc_difference;
pc_status pc_variants_differ(const pc_variant *a, const pc_variant *b, pc_variant_value *value,
                             int which, pc_difference *difference, pc_error *error);

pc_status pc_report_compare(pc_page *page, int count, const pc_variant *variants, pc_error *error);

#endif
