// Narrow places of a building in a report.
#ifndef PERCUSS_RUN_REPORT_NARROW_H
#define PERCUSS_RUN_REPORT_NARROW_H

#include "record/page.h"
#include "run/variants.h"

// Reads the building of the scene again and lists places that are narrower than 1.2 m, with the
// densities there in the recorded run.
pc_status pc_report_narrow(pc_page *page, const pc_scene *scene, const pc_variant *variant,
                           pc_error *error);

#endif
