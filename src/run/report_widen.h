// What wider passages would change, by runs with the same random numbers.
#ifndef PERCUSS_RUN_REPORT_WIDEN_H
#define PERCUSS_RUN_REPORT_WIDEN_H

#include "run/report.h"
#include "run/variants.h"

// Runs the scene again with each of its exits, doors and narrow gaps wider, and compares with the
// runs of the variant.
pc_status pc_report_widen(const pc_scene *scene, const pc_variant *variant, pc_report_work *work,
                          double share, pc_reported *reported, pc_error *error);
void pc_report_widenings(pc_page *page, const pc_variant *variant, double by, bool has_stairs,
                         const pc_reported *reported);

#endif
