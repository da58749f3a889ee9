// Maps of a crowd in a report: levels of service, densities, evacuation times, pressure.
#ifndef PERCUSS_RUN_REPORT_MAPS_H
#define PERCUSS_RUN_REPORT_MAPS_H

#include "record/page.h"
#include "run/crowd_totals.h"
#include "run/variants.h"

void pc_report_levels(pc_page *page, const pc_variant *variant, const pc_crowd_totals *totals);
void pc_report_density(pc_page *page, const pc_variant *variant, const pc_crowd_totals *totals);
pc_status pc_report_origins(pc_page *page, const pc_variant *variant, pc_error *error);
void pc_report_pressure(pc_page *page, const pc_variant *variant, const pc_crowd_totals *totals);

// The mean radius of the people of a recorded crowd, m.
double pc_recorded_radius(const pc_recorded_crowd *crowd);

#endif
